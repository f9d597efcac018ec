// GIO without GTK: whether the network costs by the byte.
#include <gio/gio.h>

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
