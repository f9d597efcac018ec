// GLib, GObject and GIO, without GTK. Only what Swift cannot call: macros, and declarations that have no header.
#ifndef ZOETROPE_CGIO_SHIM_H
#define ZOETROPE_CGIO_SHIM_H
#include <gio/gio.h>
#include <glib-unix.h>

static inline GType zt_g_object_type(void *object) { return G_OBJECT_TYPE(object); }

// libdispatch's main queue as a file descriptor, for a GSource (what CoreFoundation's run loop uses).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

// Another network monitor of the kind that GIO has chosen for this process; NULL when it cannot be made. It hears in the main
// context that is the thread's default. (What Swift cannot call: macros of types.)
static inline GNetworkMonitor *zt_network_monitor_like(GNetworkMonitor *other) {
    GObject *own = g_object_new_with_properties(G_OBJECT_TYPE(other), 0, NULL, NULL);
    if (G_IS_INITABLE(own) && !g_initable_init(G_INITABLE(own), NULL, NULL)) {
        g_object_unref(own);
        return NULL;
    }
    return G_NETWORK_MONITOR(own);
}
#endif
