// UPnP devices on the network: gupnp 1.6, gupnp-av 1.0 and gssdp 1.6, loaded when the app first looks for cast devices.
// They bring some 15 libraries that an app without casting never needs, and that would add 20 ms to each start. The
// functions are declared as in their headers (libgupnp/gupnp-*.h, libgupnp-av/gupnp-*.h, libgssdp/gssdp-*.h), with
// objects as void *, so that a build does not need the headers.
#ifndef ZOETROPE_CGUPNP_SHIM_H
#define ZOETROPE_CGUPNP_SHIM_H
#include <dlfcn.h>
#include <gio/gio.h>

// Name, result and parameters
#define ZU_GUPNP(F) \
    F(gupnp_context_manager_create_full, void *, (int version, GSocketFamily family, unsigned port)) \
    F(gupnp_context_manager_manage_control_point, void, (void *manager, void *point)) \
    F(gupnp_control_point_new, void *, (void *context, const char *target)) \
    F(gupnp_device_info_get_udn, const char *, (void *device)) \
    F(gupnp_device_info_get_context, void *, (void *device)) \
    F(gupnp_device_info_get_friendly_name, char *, (void *device)) \
    F(gupnp_device_info_get_service, void *, (void *device, const char *type)) \
    F(gupnp_service_proxy_action_new_from_list, void *, (const char *action, GList *names, GList *values)) \
    F(gupnp_service_proxy_action_get_result_hash, gboolean, (void *action, GHashTable *values, GError **error)) \
    F(gupnp_service_proxy_action_unref, void, (void *action)) \
    F(gupnp_service_proxy_call_action_async, void, (void *proxy, void *action, GCancellable *cancel, GAsyncReadyCallback done, void *data)) \
    F(gupnp_service_proxy_call_action_finish, void *, (void *proxy, GAsyncResult *result, GError **error)) \
    F(gupnp_service_info_introspect_async, void, (void *info, GCancellable *cancel, GAsyncReadyCallback done, void *data)) \
    F(gupnp_service_info_introspect_finish, void *, (void *info, GAsyncResult *result, GError **error)) \
    F(gupnp_service_introspection_get_state_variable, const void *, (void *introspection, const char *name)) \
    F(gupnp_context_host_path, void, (void *context, const char *file, const char *path)) \
    F(gupnp_context_unhost_path, void, (void *context, const char *path)) \
    F(gupnp_context_get_port, unsigned, (void *context)) \
    F(gupnp_control_error_quark, GQuark, (void))
#define ZU_GSSDP(F) \
    F(gssdp_resource_browser_set_active, gboolean, (void *browser, gboolean active)) \
    F(gssdp_client_get_host_ip, const char *, (void *client))
#define ZU_AV(F) \
    F(gupnp_didl_lite_writer_new, void *, (const char *language)) \
    F(gupnp_didl_lite_writer_add_item, void *, (void *writer)) \
    F(gupnp_didl_lite_writer_get_string, char *, (void *writer)) \
    F(gupnp_didl_lite_object_set_id, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_set_parent_id, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_set_restricted, void, (void *object, gboolean is)) \
    F(gupnp_didl_lite_object_set_title, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_set_upnp_class, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_set_creator, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_set_album, void, (void *object, const char *text)) \
    F(gupnp_didl_lite_object_add_resource, void *, (void *object)) \
    F(gupnp_didl_lite_resource_set_uri, void, (void *resource, const char *uri)) \
    F(gupnp_didl_lite_resource_set_protocol_info, void, (void *resource, void *info)) \
    F(gupnp_didl_lite_resource_set_duration, void, (void *resource, long seconds)) \
    F(gupnp_didl_lite_resource_set_size64, void, (void *resource, gint64 bytes)) \
    F(gupnp_didl_lite_resource_set_width, void, (void *resource, int width)) \
    F(gupnp_didl_lite_resource_set_height, void, (void *resource, int height)) \
    F(gupnp_didl_lite_resource_set_subtitle_file_uri, void, (void *resource, const char *uri)) \
    F(gupnp_didl_lite_resource_set_subtitle_file_type, void, (void *resource, const char *type)) \
    F(gupnp_protocol_info_new_from_string, void *, (const char *text, GError **error))

#define ZU_MEMBER(name, result, arguments) result (*_Nonnull name) arguments;
typedef struct {
    ZU_GUPNP(ZU_MEMBER)
    ZU_GSSDP(ZU_MEMBER)
    ZU_AV(ZU_MEMBER)
} zu_calls;

// Loads the libraries. Returns 0 if one is not installed or lacks a function. They are never unloaded, because their
// types stay registered with GObject.
static inline int zu_load(zu_calls *c) {
    void *gssdp = dlopen("libgssdp-1.6.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *gupnp = dlopen("libgupnp-1.6.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *av = dlopen("libgupnp-av-1.0.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!gssdp || !gupnp || !av) return 0;
    int found = 1;
#define ZU_FIND(library, name) { void *at = dlsym(library, #name); if (at) *(void **)&c->name = at; else found = 0; }
#define ZU_FIND_GUPNP(name, result, arguments) ZU_FIND(gupnp, name)
#define ZU_FIND_GSSDP(name, result, arguments) ZU_FIND(gssdp, name)
#define ZU_FIND_AV(name, result, arguments) ZU_FIND(av, name)
    ZU_GUPNP(ZU_FIND_GUPNP)
    ZU_GSSDP(ZU_FIND_GSSDP)
    ZU_AV(ZU_FIND_AV)
    return found;
}

// Creates an action with `count` text arguments.
static inline void *zu_action(const zu_calls *c, const char *action, const char *const *names, const char *const *values, int count) {
    GList *n = NULL, *v = NULL;
    GValue *all = g_new0(GValue, count > 0 ? count : 1);
    for (int i = count - 1; i >= 0; i--) {
        g_value_init(&all[i], G_TYPE_STRING);
        g_value_set_string(&all[i], values[i]);
        n = g_list_prepend(n, (gpointer)names[i]);
        v = g_list_prepend(v, &all[i]);
    }
    void *made = c->gupnp_service_proxy_action_new_from_list(action, n, v);
    g_list_free(n);
    g_list_free(v);
    for (int i = 0; i < count; i++) g_value_unset(&all[i]);
    g_free(all);
    return made;
}

// Gets the results of an action for `names`. The caller frees each value with g_free; it is NULL if the device did not
// return it. Returns 0 if the device answered with an error.
static inline int zu_results(const zu_calls *c, void *action, const char *const *names, char **values, int count, GError **error) {
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    GValue *all = g_new0(GValue, count > 0 ? count : 1);
    for (int i = 0; i < count; i++) {
        values[i] = NULL;
        g_value_init(&all[i], G_TYPE_STRING);
        g_hash_table_insert(table, (gpointer)names[i], &all[i]);
    }
    int ok = c->gupnp_service_proxy_action_get_result_hash(action, table, error);
    for (int i = 0; i < count; i++) {
        if (ok) values[i] = g_value_dup_string(&all[i]);
        g_value_unset(&all[i]);
    }
    g_free(all);
    g_hash_table_destroy(table);
    return ok;
}

// The first members of GUPnPServiceStateVariableInfo (gupnp-service-introspection.h).
typedef struct {
    char *name;
    gboolean send_events, is_numeric;
    GType type;
    GValue default_value, minimum, maximum;
} zu_state_variable;

// Returns the maximum volume of a renderer by its own description, or 0 if unknown.
static inline long zu_maximum_volume(const zu_calls *c, void *introspection) {
    const zu_state_variable *volume = c->gupnp_service_introspection_get_state_variable(introspection, "Volume");
    GValue wide = G_VALUE_INIT;
    if (!volume || !volume->is_numeric || !G_IS_VALUE(&volume->maximum)) return 0;
    g_value_init(&wide, G_TYPE_LONG);
    long maximumVolume = g_value_transform(&volume->maximum, &wide) ? g_value_get_long(&wide) : 0;
    g_value_unset(&wide);
    return maximumVolume;
}

// Returns the error code of a device (UPnP Device Architecture 1.0, 3.2.2), or 0 if the error is not a device's.
static inline int zu_device_code(const zu_calls *c, const GError *error) { return error && error->domain == c->gupnp_control_error_quark() ? error->code : 0; }
static inline int zu_is_cancelled(const GError *error) { return error && error->domain == G_IO_ERROR && error->code == G_IO_ERROR_CANCELLED; }
#endif
