// Xlib, MIT-SHM and SHAPE, for the video surface of its own on X11.
#ifndef ZOETROPE_CX11_SHIM_H
#define ZOETROPE_CX11_SHIM_H
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/shape.h>
#include <sys/ipc.h>
#include <sys/shm.h>
static inline int zt_x11_screen(Display *d) { return DefaultScreen(d); }
static inline Visual *zt_x11_visual(Display *d) { return DefaultVisual(d, DefaultScreen(d)); }
static inline int zt_x11_depth(Display *d) { return DefaultDepth(d, DefaultScreen(d)); }
static inline void zt_x11_destroy_image(XImage *i) { XDestroyImage(i); }
#endif
