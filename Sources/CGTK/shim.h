// GTK 4, its X11 back end and libepoxy. Only macros and varargs stand here.
#ifndef ZOETROPE_CGTK_SHIM_H
#define ZOETROPE_CGTK_SHIM_H
#include <gtk/gtk.h>
#include <glib-unix.h>
#ifdef GDK_WINDOWING_X11
// gdkx.h pulls Xlib in; the two functions we need are declared with plain types instead,
// so that CGTK and CX11 stay separate modules.
extern void *gdk_x11_display_get_xdisplay(GdkDisplay *display);
extern unsigned long gdk_x11_surface_get_xid(GdkSurface *surface);
extern GType gdk_x11_display_get_type(void);
#endif
#include <epoxy/gl.h>

// libdispatch's main queue as a file descriptor, for a GSource (what CoreFoundation's run loop uses).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);
#endif
