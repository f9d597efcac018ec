// GLib, GObject and GIO, without GTK. Only what Swift cannot import is here: macros, and declarations without a header.
#ifndef ZOETROPE_CGIO_SHIM_H
#define ZOETROPE_CGIO_SHIM_H
#include <gio/gio.h>
#include <glib-unix.h>

static inline GType zt_g_object_type(void *object) { return G_OBJECT_TYPE(object); }

// libdispatch's main queue as a file descriptor for a GSource. CoreFoundation's run loop uses the same functions.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

// Creates another network monitor of the class that GIO has chosen for this process. It reports to the thread's default
// main context. Returns NULL on failure. (Swift cannot call the type macros.)
static inline GNetworkMonitor *zt_network_monitor_like(GNetworkMonitor *other) {
    GObject *own = g_object_new_with_properties(G_OBJECT_TYPE(other), 0, NULL, NULL);
    if (G_IS_INITABLE(own) && !g_initable_init(G_INITABLE(own), NULL, NULL)) {
        g_object_unref(own);
        return NULL;
    }
    return G_NETWORK_MONITOR(own);
}
#endif
