// GTK 4 and its X11 back end. Only what Swift cannot import is here: macros and variadic functions.
#ifndef ZOETROPE_CGTK_SHIM_H
#define ZOETROPE_CGTK_SHIM_H
#include <gtk/gtk.h>
#include "versions.h"
#ifdef GDK_WINDOWING_X11
// gdkx.h includes Xlib. The required functions are declared with plain types instead, so that CGTK and CX11 stay
// separate modules.
extern void *gdk_x11_display_get_xdisplay(GdkDisplay *display);
extern unsigned long gdk_x11_surface_get_xid(GdkSurface *surface);
extern GType gdk_x11_display_get_type(void);
extern void *gdk_x11_display_get_screen(GdkDisplay *display);
extern gboolean gdk_x11_screen_supports_net_wm_hint(void *screen, const char *name);
extern void gdk_x11_display_error_trap_push(GdkDisplay *display);
extern void gdk_x11_display_error_trap_pop_ignored(GdkDisplay *display);
extern void gdk_x11_monitor_get_workarea(GdkMonitor *monitor, GdkRectangle *workarea);
extern void gdk_x11_surface_set_skip_taskbar_hint(GdkSurface *surface, gboolean skips);
extern void gdk_x11_surface_set_skip_pager_hint(GdkSurface *surface, gboolean skips);
#endif

// Variadic functions and cast macros
static inline void zt_gtk_set_accessible_label(GtkWidget *w, const char *label) {
    // Newer versions of GTK name buttons and drop-downs by the text that they contain, and prefer that to the label.
    gtk_accessible_reset_relation(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
    gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static inline GtkWidget *zt_gtk_new_with_role(GType type, GtkAccessibleRole role) {
    return (GtkWidget *)g_object_new(type, "accessible-role", role, NULL);
}
static inline void zt_gtk_set_accessible_description(GtkWidget *w, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
static inline void zt_gtk_set_accessible_value_text(GtkWidget *w, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static inline void zt_gtk_set_accessible_selected(GtkWidget *w, gboolean selected) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}
static inline void zt_gtk_set_accessible_expanded(GtkWidget *w, gboolean expanded) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
}
static inline void zt_gtk_set_accessible_position(GtkWidget *w, int position, int count) {
    gtk_accessible_update_relation(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_RELATION_POS_IN_SET, position, GTK_ACCESSIBLE_RELATION_SET_SIZE, count, -1);
}

static inline void zt_gtk_settings_get_boolean(GtkSettings *s, const char *name, gboolean *value) { g_object_get(s, name, value, NULL); }
static inline void zt_gtk_settings_get_int(GtkSettings *s, const char *name, gint *value) { g_object_get(s, name, value, NULL); }
static inline void zt_gtk_settings_set_boolean(GtkSettings *s, const char *name, gboolean value) { g_object_set(s, name, value, NULL); }
// The caller frees the result.
static inline char *zt_gtk_settings_get_string(GtkSettings *s, const char *name) { char *v = 0; g_object_get(s, name, &v, NULL); return v; }

// The windowing system: 1 is X11, 2 is Wayland, 0 is another one.
#ifdef GDK_WINDOWING_WAYLAND
extern GType gdk_wayland_display_get_type(void);
extern void *gdk_wayland_display_get_wl_display(GdkDisplay *display);
extern void *gdk_wayland_surface_get_wl_surface(GdkSurface *surface);
#endif
static inline int zt_gdk_windowing(GdkDisplay *d) {
#ifdef GDK_WINDOWING_X11
    if (G_TYPE_CHECK_INSTANCE_TYPE(d, gdk_x11_display_get_type())) return 1;
#endif
#ifdef GDK_WINDOWING_WAYLAND
    if (G_TYPE_CHECK_INSTANCE_TYPE(d, gdk_wayland_display_get_type())) return 2;
#endif
    return 0;
}

// GTK's own objects in the types of libwayland-client, or NULL on another windowing system.
static inline void *zt_gdk_wl_display(GdkDisplay *d) {
#ifdef GDK_WINDOWING_WAYLAND
    if (zt_gdk_windowing(d) == 2) return gdk_wayland_display_get_wl_display(d);
#endif
    return NULL;
}
static inline void *zt_gdk_wl_surface(GdkSurface *s) {
#ifdef GDK_WINDOWING_WAYLAND
    if (zt_gdk_windowing(gdk_surface_get_display(s)) == 2) return gdk_wayland_surface_get_wl_surface(s);
#endif
    return NULL;
}

// Returns whether the widget handles clicks itself.
static inline gboolean zt_gtk_is_control(GtkWidget *w) {
    return GTK_IS_BUTTON(w) || GTK_IS_RANGE(w) || GTK_IS_SWITCH(w) || GTK_IS_CHECK_BUTTON(w) || GTK_IS_MENU_BUTTON(w) || GTK_IS_EDITABLE(w)
        || GTK_IS_TEXT_VIEW(w) || GTK_IS_DROP_DOWN(w);
}

// gtk_widget_activate, without the 250 ms after which it clicks a button.
static inline gboolean zt_gtk_activate(GtkWidget *w) {
    if (!GTK_IS_BUTTON(w)) return gtk_widget_activate(w);
    if (!gtk_widget_is_sensitive(w)) return FALSE;
    g_signal_emit_by_name(w, "clicked");
    return TRUE;
}

// Controls: the value of a progress bar, 0…1, and properties without a setter.
static inline void zt_gtk_set_accessible_fraction(GtkWidget *w, double value) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 1.0,
        GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value, -1);
}
static inline void zt_gtk_set_string(void *object, const char *name, const char *value) { g_object_set(object, name, value, NULL); }
#endif
