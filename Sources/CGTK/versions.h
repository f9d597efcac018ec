// The differences between versions of GTK 4, one function each, which calls the newer function if the headers have it.
// Functions that GTK has deprecated without a replacement are called here too, so that only this file has to change.
// GTK/Versions checks the version at run time.
#ifndef ZOETROPE_CGTK_VERSIONS_H
#define ZOETROPE_CGTK_VERSIONS_H
#include <gtk/gtk.h>

#if !GTK_CHECK_VERSION(4, 8, 0)
#error "Zoetrope needs GTK 4.8 or later. Install its development package, libgtk-4-dev on Debian and Ubuntu, gtk4-devel on Fedora, or update the system."
#endif

static inline void zt_gtk_css_load(GtkCssProvider *provider, const char *css) {
#if GTK_CHECK_VERSION(4, 12, 0)
    gtk_css_provider_load_from_string(provider, css);
#else
    gtk_css_provider_load_from_data(provider, css, -1);
#endif
}

// Converts a point between two widgets. Returns FALSE if they are not in the same window.
static inline gboolean zt_gtk_translate(GtkWidget *from, GtkWidget *to, double x, double y, double *out_x, double *out_y) {
#if GTK_CHECK_VERSION(4, 12, 0)
    graphene_point_t point = GRAPHENE_POINT_INIT((float)x, (float)y), out;
    if (!gtk_widget_compute_point(from, to, &point, &out)) return FALSE;
    *out_x = out.x;
    *out_y = out.y;
    return TRUE;
#else
    return gtk_widget_translate_coordinates(from, to, x, y, out_x, out_y);
#endif
}

// Returns the colors of a texture by the numbers of Rec. ITU-T H.273, owned by the caller. Returns NULL if GTK does not
// support color states or these colors. GTK 4.18 supports only red, green and blue with full range.
static inline gpointer zt_gdk_color_state(guint primaries, guint transfer, guint matrix, gboolean is_full) {
#if GTK_CHECK_VERSION(4, 16, 0)
    GdkCicpParams *params = gdk_cicp_params_new();
    gdk_cicp_params_set_color_primaries(params, primaries);
    gdk_cicp_params_set_transfer_function(params, transfer);
    gdk_cicp_params_set_matrix_coefficients(params, matrix);
    gdk_cicp_params_set_range(params, is_full ? GDK_CICP_RANGE_FULL : GDK_CICP_RANGE_NARROW);
    GdkColorState *state = gdk_cicp_params_build_color_state(params, NULL);
    g_object_unref(params);
    return state;
#else
    return NULL;
#endif
}
static inline void zt_gdk_color_state_unref(gpointer state) {
#if GTK_CHECK_VERSION(4, 16, 0)
    gdk_color_state_unref((GdkColorState *)state);
#endif
}

// Creates a widget around `child` whose texture the compositor may show without GTK drawing it, or NULL before GTK
// 4.14.
static inline GtkWidget *zt_gtk_graphics_offload(GtkWidget *child) {
#if GTK_CHECK_VERSION(4, 14, 0)
    return gtk_graphics_offload_new(child);
#else
    return NULL;
#endif
}

static inline GType zt_gtk_graphics_offload_type(void) {
#if GTK_CHECK_VERSION(4, 14, 0)
    return gtk_graphics_offload_get_type();
#else
    return G_TYPE_INVALID;
#endif
}

// Creates a texture of `count` planes in memory that a graphics device shares. `color` is a result of
// zt_gdk_color_state. Returns NULL if GTK or the display does not support it; `destroy` is not called then.
static inline GdkTexture *zt_gdk_dmabuf_texture(GdkDisplay *display, unsigned width, unsigned height, guint32 fourcc, guint64 modifier,
    unsigned count, const int *files, const unsigned *offsets, const unsigned *strides, gpointer color, GDestroyNotify destroy, gpointer data) {
#if GTK_CHECK_VERSION(4, 16, 0)
    if (!color || !gdk_dmabuf_formats_contains(gdk_display_get_dmabuf_formats(display), fourcc, modifier)) return NULL;
    GdkDmabufTextureBuilder *builder = gdk_dmabuf_texture_builder_new();
    gdk_dmabuf_texture_builder_set_display(builder, display);
    gdk_dmabuf_texture_builder_set_width(builder, width);
    gdk_dmabuf_texture_builder_set_height(builder, height);
    gdk_dmabuf_texture_builder_set_fourcc(builder, fourcc);
    gdk_dmabuf_texture_builder_set_modifier(builder, modifier);
    gdk_dmabuf_texture_builder_set_n_planes(builder, count);
    gdk_dmabuf_texture_builder_set_color_state(builder, (GdkColorState *)color);
    for (unsigned plane = 0; plane < count; plane++) {
        gdk_dmabuf_texture_builder_set_fd(builder, plane, files[plane]);
        gdk_dmabuf_texture_builder_set_offset(builder, plane, offsets[plane]);
        gdk_dmabuf_texture_builder_set_stride(builder, plane, strides[plane]);
    }
    GdkTexture *texture = gdk_dmabuf_texture_builder_build(builder, destroy, data, NULL);
    g_object_unref(builder);
    return texture;
#else
    return NULL;
#endif
}

// `destroy` is called when GTK no longer uses the texture. If `color`, a result of zt_gdk_color_state, is set, the
// samples are half floats.
static inline GdkTexture *zt_gdk_gl_texture(
    GdkGLContext *context, guint name, int width, int height, gpointer color, GDestroyNotify destroy, gpointer data) {
#if GTK_CHECK_VERSION(4, 12, 0)
    GdkGLTextureBuilder *builder = gdk_gl_texture_builder_new();
    gdk_gl_texture_builder_set_context(builder, context);
    gdk_gl_texture_builder_set_id(builder, name);
    gdk_gl_texture_builder_set_width(builder, width);
    gdk_gl_texture_builder_set_height(builder, height);
#if GTK_CHECK_VERSION(4, 16, 0)
    if (color) {
        gdk_gl_texture_builder_set_color_state(builder, (GdkColorState *)color);
        gdk_gl_texture_builder_set_format(builder, GDK_MEMORY_R16G16B16A16_FLOAT_PREMULTIPLIED);
    }
#endif
    GdkTexture *texture = gdk_gl_texture_builder_build(builder, destroy, data);
    g_object_unref(builder);
    return texture;
#else
    return gdk_gl_texture_new(context, name, width, height, destroy, data);
#endif
}

// A button that shows a color in its property "rgba", and opens a dialog for choosing another color.
static inline GType zt_gtk_color_button_type(void) {
#if GTK_CHECK_VERSION(4, 10, 0)
    return gtk_color_dialog_button_get_type();
#else
    return gtk_color_button_get_type();
#endif
}
static inline GtkWidget *zt_gtk_color_button_new(void) {
#if GTK_CHECK_VERSION(4, 10, 0)
    return gtk_color_dialog_button_new(gtk_color_dialog_new());
#else
    return gtk_color_button_new();
#endif
}
static inline void zt_gtk_color_button_set_title(GtkWidget *button, const char *title) {
#if GTK_CHECK_VERSION(4, 10, 0)
    gtk_color_dialog_set_title(gtk_color_dialog_button_get_dialog(GTK_COLOR_DIALOG_BUTTON(button)), title);
#else
    gtk_color_button_set_title(GTK_COLOR_BUTTON(button), title);
#endif
}
static inline void zt_gtk_color_button_set_alpha(GtkWidget *button, gboolean has_alpha) {
#if GTK_CHECK_VERSION(4, 10, 0)
    gtk_color_dialog_set_with_alpha(gtk_color_dialog_button_get_dialog(GTK_COLOR_DIALOG_BUTTON(button)), has_alpha);
#else
    gtk_color_chooser_set_use_alpha(GTK_COLOR_CHOOSER(button), has_alpha);
#endif
}
static inline GdkRGBA zt_gtk_color_button_get(GtkWidget *button) {
#if GTK_CHECK_VERSION(4, 10, 0)
    return *gtk_color_dialog_button_get_rgba(GTK_COLOR_DIALOG_BUTTON(button));
#else
    GdkRGBA color;
    gtk_color_chooser_get_rgba(GTK_COLOR_CHOOSER(button), &color);
    return color;
#endif
}
static inline void zt_gtk_color_button_set(GtkWidget *button, const GdkRGBA *color) {
#if GTK_CHECK_VERSION(4, 10, 0)
    gtk_color_dialog_button_set_rgba(GTK_COLOR_DIALOG_BUTTON(button), color);
#else
    gtk_color_chooser_set_rgba(GTK_COLOR_CHOOSER(button), color);
#endif
}

// Deprecated since 4.10. GTK has no replacement for reading styles, and an app cannot close a GtkFileDialog.
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

// Returns the widths that CSS adds around a widget's content: padding and border together.
static inline GtkBorder zt_gtk_frame_extents(GtkWidget *widget) {
    GtkStyleContext *style = gtk_widget_get_style_context(widget);
    GtkBorder padding, border;
    gtk_style_context_get_padding(style, &padding);
    gtk_style_context_get_border(style, &border);
    return (GtkBorder) { padding.left + border.left, padding.right + border.right, padding.top + border.top, padding.bottom + border.bottom };
}

static inline gboolean zt_gtk_named_color(GtkWidget *widget, const char *name, GdkRGBA *color) {
    return gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, color);
}

// Returns the color of the widget's text.
static inline GdkRGBA zt_gtk_text_color(GtkWidget *widget) {
    GdkRGBA color;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &color);
    return color;
}

static inline GtkNativeDialog *zt_gtk_file_chooser_new(const char *title, GtkWindow *parent, gboolean folders, const char *accept, const char *cancel) {
    GtkFileChooserAction action = folders ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN;
    return GTK_NATIVE_DIALOG(gtk_file_chooser_native_new(title, parent, action, accept, cancel));
}
static inline GtkNativeDialog *zt_gtk_file_saver_new(const char *title, GtkWindow *parent, const char *accept, const char *cancel) {
    return GTK_NATIVE_DIALOG(gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, accept, cancel));
}
static inline void zt_gtk_file_chooser_set_name(GtkNativeDialog *chooser, const char *name) {
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
}
static inline void zt_gtk_file_chooser_set_folder(GtkNativeDialog *chooser, const char *path) {
    GFile *folder = g_file_new_for_path(path);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), folder, NULL);
    g_object_unref(folder);
}
static inline void zt_gtk_file_chooser_set_multiple(GtkNativeDialog *chooser, gboolean multiple) {
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(chooser), multiple);
}
static inline void zt_gtk_file_chooser_add_filter(GtkNativeDialog *chooser, GtkFileFilter *filter) {
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
}
// The caller releases the result.
static inline GListModel *zt_gtk_file_chooser_get_files(GtkNativeDialog *chooser) { return gtk_file_chooser_get_files(GTK_FILE_CHOOSER(chooser)); }
static inline void zt_gtk_file_chooser_show(GtkNativeDialog *chooser, gboolean modal) {
    gtk_native_dialog_set_modal(chooser, modal);
    gtk_native_dialog_show(chooser);
}
static inline void zt_gtk_file_chooser_hide(GtkNativeDialog *chooser) { gtk_native_dialog_hide(chooser); }
static inline void zt_gtk_file_chooser_destroy(GtkNativeDialog *chooser) {
    gtk_native_dialog_destroy(chooser);
    g_object_unref(chooser);
}

G_GNUC_END_IGNORE_DEPRECATIONS
#endif
