// Xlib, MIT-SHM and SHAPE: the video surface of its own on X11, and hints to window managers.
#ifndef ZOETROPE_CX11_SHIM_H
#define ZOETROPE_CX11_SHIM_H
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/shape.h>
#include <sys/ipc.h>
#include <sys/shm.h>
static inline const char *zt_x11_name(Display *d) { return DisplayString(d); }
static inline int zt_x11_screen(Display *d) { return DefaultScreen(d); }
static inline Visual *zt_x11_visual(Display *d) { return DefaultVisual(d, DefaultScreen(d)); }
static inline int zt_x11_depth(Display *d) { return DefaultDepth(d, DefaultScreen(d)); }
static inline Window zt_x11_root(Display *d) { return DefaultRootWindow(d); }
static const Atom zt_x11_atom = XA_ATOM, zt_x11_cardinal = XA_CARDINAL;
// Asks the window manager, as Extended Window Manager Hints have it: a message to the root window.
static inline void zt_x11_ask(Display *d, Window w, Atom type, long a, long b, long c) {
    XEvent e = {0};
    e.xclient.type = ClientMessage;
    e.xclient.window = w;
    e.xclient.message_type = type;
    e.xclient.format = 32;
    e.xclient.data.l[0] = a; e.xclient.data.l[1] = b; e.xclient.data.l[2] = c; e.xclient.data.l[3] = 1; // from an application
    XSendEvent(d, DefaultRootWindow(d), False, SubstructureRedirectMask | SubstructureNotifyMask, &e);
}
static inline void zt_x11_destroy_image(XImage *i) { XDestroyImage(i); }
#endif
