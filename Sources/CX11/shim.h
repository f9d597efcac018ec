// Xlib, MIT-SHM, SHAPE and XInput 2, for the video's own surface on X11 and for hints to window managers.
#ifndef ZOETROPE_CX11_SHIM_H
#define ZOETROPE_CX11_SHIM_H
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/shape.h>
#include <X11/extensions/XInput2.h>
#include <sys/ipc.h>
#include <sys/shm.h>
static inline const char *zt_x11_name(Display *d) { return DisplayString(d); }
static inline int zt_x11_screen(Display *d) { return DefaultScreen(d); }
static inline Visual *zt_x11_visual(Display *d) { return DefaultVisual(d, DefaultScreen(d)); }
static inline int zt_x11_depth(Display *d) { return DefaultDepth(d, DefaultScreen(d)); }
static inline Window zt_x11_root(Display *d) { return DefaultRootWindow(d); }
static const Atom zt_x11_atom = XA_ATOM, zt_x11_cardinal = XA_CARDINAL;
// Sends a request to the window manager by a message to the root window (Extended Window Manager Hints).
static inline void zt_x11_send_request(Display *d, Window w, Atom type, long a, long b, long c) {
    XEvent e = {0};
    e.xclient.type = ClientMessage;
    e.xclient.window = w;
    e.xclient.message_type = type;
    e.xclient.format = 32;
    e.xclient.data.l[0] = a; e.xclient.data.l[1] = b; e.xclient.data.l[2] = c; e.xclient.data.l[3] = 1; // from an application
    XSendEvent(d, DefaultRootWindow(d), False, SubstructureRedirectMask | SubstructureNotifyMask, &e);
}
// Interprets an event of a window. The pointer is the primary button, or the touch that emulates it. Returns 1 if the
// pointer was pressed, 2 if it moved while pressed, 3 if it was released. `x` and `y` are the position on the screen
// then. Returns 4 if the window was resized to `x`, `y`, and 0 for other events. `opcode` is XInput's; the caller has
// fetched the event's data.
static inline int zt_x11_pointer_event(const XEvent *e, Window w, int opcode, double *x, double *y) {
    if (e->type == ConfigureNotify && e->xconfigure.window == w) {
        *x = e->xconfigure.width; *y = e->xconfigure.height;
        return 4;
    }
    if (e->type != GenericEvent || e->xcookie.extension != opcode || !e->xcookie.data) return 0;
    int type = e->xcookie.evtype;
    if (type != XI_ButtonPress && type != XI_ButtonRelease && type != XI_Motion && (type < XI_TouchBegin || type > XI_TouchEnd)) return 0;
    const XIDeviceEvent *d = (const XIDeviceEvent *)e->xcookie.data;
    if (d->event != w) return 0;
    *x = d->root_x; *y = d->root_y;
    switch (type) {
    case XI_ButtonPress: return d->detail == 1 ? 1 : 0;
    case XI_ButtonRelease: return d->detail == 1 ? 3 : 0;
    case XI_Motion: return d->buttons.mask_len > 0 && XIMaskIsSet(d->buttons.mask, 1) ? 2 : 0;
    default:
        if (!(d->flags & XITouchEmulatingPointer)) return 0;
        return type == XI_TouchBegin ? 1 : type == XI_TouchEnd ? 3 : 2;
    }
}
static inline int zt_x11_xinput(Display *d) {
    int opcode = -1, event = 0, error = 0;
    return XQueryExtension(d, "XInputExtension", &opcode, &event, &error) ? opcode : -1;
}
static inline void zt_x11_destroy_image(XImage *i) { XDestroyImage(i); }
#endif
