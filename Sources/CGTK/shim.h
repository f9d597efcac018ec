// GTK 4, its X11 back end and libepoxy. Only macros and varargs stand here.
#ifndef ZOETROPE_CGTK_SHIM_H
#define ZOETROPE_CGTK_SHIM_H
#include <gtk/gtk.h>
#include <glib-unix.h>
#ifdef GDK_WINDOWING_X11
// gdkx.h pulls Xlib in; the functions we need are declared with plain types instead,
// so that CGTK and CX11 stay separate modules.
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
#include <epoxy/gl.h>

// Varargs and cast macros.
static inline void zt_gtk_set_accessible_label(GtkWidget *w, const char *label) {
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

static inline void zt_gtk_set_accessible_hidden(GtkWidget *w, gboolean hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_STATE_HIDDEN, hidden, -1);
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
// Owned by the caller.
static inline char *zt_gtk_settings_get_string(GtkSettings *s, const char *name) { char *v = 0; g_object_get(s, name, &v, NULL); return v; }

// libepoxy's gl* are macros over function pointers; Swift needs functions.
static inline const char *zt_glRenderer(void) { return (const char *)glGetString(GL_RENDERER); }
static inline GLuint zt_glGenTexture(void) { GLuint t = 0; glGenTextures(1, &t); return t; }
static inline void zt_glDeleteTexture(GLuint t) { glDeleteTextures(1, &t); }
static inline GLuint zt_glGenFramebuffer(void) { GLuint f = 0; glGenFramebuffers(1, &f); return f; }
static inline void zt_glDeleteFramebuffer(GLuint f) { glDeleteFramebuffers(1, &f); }
static inline GLuint zt_glGenVertexArray(void) { GLuint v = 0; glGenVertexArrays(1, &v); return v; }
static inline void zt_glDeleteVertexArray(GLuint v) { glDeleteVertexArrays(1, &v); }
static inline void zt_glBindTexture(int unit, GLuint t) { glActiveTexture(GL_TEXTURE0 + unit); glBindTexture(GL_TEXTURE_2D, t); }
// `bytes` a sample, `samples` a pixel, `stride` bytes a row.
static inline void zt_glUploadPlane(int width, int height, int stride, int bytes, int samples, const void *data) {
    GLenum internal = bytes == 2 ? (samples == 2 ? GL_RG16 : GL_R16) : (samples == 2 ? GL_RG8 : samples == 4 ? GL_RGBA8 : GL_R8);
    GLenum format = samples == 2 ? GL_RG : samples == 4 ? GL_BGRA : GL_RED;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride / (bytes * samples));
    glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, bytes == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, data);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}
// A table of floats, bound to `unit`; read by place, never between two.
static inline void zt_glUploadTable(int unit, GLuint t, int width, int height, const float *data) {
    zt_glBindTexture(unit, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, data);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}
// 1 when the framebuffer with `t`, which is `width` by `height`, is complete and bound for drawing.
static inline int zt_glTarget(GLuint framebuffer, GLuint t, int width, int height) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glViewport(0, 0, width, height);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}
static inline void zt_glDraw(GLuint vertexArray) {
    glDisable(GL_BLEND); glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(vertexArray);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glFlush();
}
static inline GLuint zt_glShader(GLenum kind, const char *source, char *log, int size) {
    GLuint s = glCreateShader(kind);
    GLint ok = 0;
    glShaderSource(s, 1, &source, 0);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
    if (!ok) { glGetShaderInfoLog(s, size, 0, log); glDeleteShader(s); return 0; }
    return s;
}
static inline GLuint zt_glProgram(GLuint vertex, GLuint fragment) {
    GLuint p = glCreateProgram();
    GLint ok = 0;
    glAttachShader(p, vertex); glAttachShader(p, fragment);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glDeleteShader(vertex); glDeleteShader(fragment);
    if (!ok) { glDeleteProgram(p); return 0; }
    return p;
}
static inline void zt_glDeleteProgram(GLuint p) { glDeleteProgram(p); }
static inline void zt_glUseProgram(GLuint p) { glUseProgram(p); }
static inline void zt_glInt(GLuint p, const char *n, int v) { glUniform1i(glGetUniformLocation(p, n), v); }
static inline void zt_glFloat(GLuint p, const char *n, float v) { glUniform1f(glGetUniformLocation(p, n), v); }
static inline void zt_glVector(GLuint p, const char *n, const float *v) { glUniform4fv(glGetUniformLocation(p, n), 1, v); }
// Column major, nine numbers.
static inline void zt_glMatrix(GLuint p, const char *n, const float *v) { glUniformMatrix3fv(glGetUniformLocation(p, n), 1, GL_FALSE, v); }
static const GLenum zt_glVertexShader = GL_VERTEX_SHADER, zt_glFragmentShader = GL_FRAGMENT_SHADER;

// 1: X11, 2: Wayland, 0: another windowing system.
#ifdef GDK_WINDOWING_WAYLAND
extern GType gdk_wayland_display_get_type(void);
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

static inline gboolean zt_gtk_is_popover(GtkWidget *w) { return GTK_IS_POPOVER(w); }
static inline gboolean zt_gtk_is_button(GtkWidget *w) { return GTK_IS_BUTTON(w); }
// It answers to a click itself.
static inline gboolean zt_gtk_is_control(GtkWidget *w) {
    return GTK_IS_BUTTON(w) || GTK_IS_RANGE(w) || GTK_IS_SWITCH(w) || GTK_IS_CHECK_BUTTON(w) || GTK_IS_MENU_BUTTON(w) || GTK_IS_EDITABLE(w)
        || GTK_IS_TEXT_VIEW(w) || GTK_IS_DROP_DOWN(w);
}

// libdispatch's main queue as a file descriptor, for a GSource (what CoreFoundation's run loop uses).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

// Controls: 0…1 of what a progress bar shows, and properties without a setter of their own.
static inline void zt_gtk_set_accessible_fraction(GtkWidget *w, double value) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 1.0,
        GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value, -1);
}
static inline void zt_gtk_set_string(void *object, const char *name, const char *value) { g_object_set(object, name, value, NULL); }
#endif
