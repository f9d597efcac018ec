#define _GNU_SOURCE
#include "CWayland.h"
#include "fractional-scale-v1.h"
#include "idle-inhibit-unstable-v1.h"
#include "presentation-time.h"
#include "viewporter.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// MARK: globals

static void *bind(struct wl_registry *registry, uint32_t name, const struct wl_interface *interface, uint32_t version, uint32_t most) {
    return wl_registry_bind(registry, name, interface, version < most ? version : most);
}

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
    zt_wayland_globals *g = data;
    if (!g->compositor && !strcmp(interface, wl_compositor_interface.name)) {
        g->version = version < 4 ? version : 4;
        g->compositor = bind(registry, name, &wl_compositor_interface, version, 4);
    } else if (!g->subcompositor && !strcmp(interface, wl_subcompositor_interface.name)) {
        g->subcompositor = bind(registry, name, &wl_subcompositor_interface, version, 1);
    } else if (!g->shm && !strcmp(interface, wl_shm_interface.name)) {
        g->shm = bind(registry, name, &wl_shm_interface, version, 1);
    } else if (!g->viewporter && !strcmp(interface, wp_viewporter_interface.name)) {
        g->viewporter = bind(registry, name, &wp_viewporter_interface, version, 1);
    } else if (!g->presentation && !strcmp(interface, wp_presentation_interface.name)) {
        g->presentation = bind(registry, name, &wp_presentation_interface, version, 1);
    } else if (!g->scales && !strcmp(interface, wp_fractional_scale_manager_v1_interface.name)) {
        g->scales = bind(registry, name, &wp_fractional_scale_manager_v1_interface, version, 1);
    } else if (!g->idle && !strcmp(interface, zwp_idle_inhibit_manager_v1_interface.name)) {
        g->idle = bind(registry, name, &zwp_idle_inhibit_manager_v1_interface, version, 1);
    }
}
static void global_removed(void *data, struct wl_registry *registry, uint32_t name) {
    (void)data; (void)registry; (void)name;
}
static const struct wl_registry_listener registry_listener = { global, global_removed };

// The clock of the compositor's times, as a clock_gettime identifier. One is enough, because there is one connection.
static uint32_t presentation_clock = UINT32_MAX;
static void clock_told(void *data, struct wp_presentation *presentation, uint32_t clock) {
    (void)data; (void)presentation;
    presentation_clock = clock;
}
static int64_t nanoseconds_of(clockid_t clock) {
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}
static const struct wp_presentation_listener clock_listener = { clock_told };

static void to_main_queue(void *proxy) {
    if (proxy) wl_proxy_set_queue(proxy, NULL);
}

bool zt_wayland_bind(void *connection, zt_wayland_globals *g) {
    struct wl_display *display = connection;
    *g = (zt_wayland_globals) { 0 };
    // A separate queue, so that events that GDK waits for are not handled here.
    struct wl_event_queue *queue = display ? wl_display_create_queue(display) : NULL;
    struct wl_display *wrapper = queue ? wl_proxy_create_wrapper(display) : NULL;
    if (!wrapper) return false;
    wl_proxy_set_queue((struct wl_proxy *)wrapper, queue);
    struct wl_registry *registry = wl_display_get_registry(wrapper);
    wl_proxy_wrapper_destroy(wrapper);
    bool works = registry && wl_registry_add_listener(registry, &registry_listener, g) == 0 && wl_display_roundtrip_queue(display, queue) >= 0;
    if (works && g->presentation) {
        wp_presentation_add_listener(g->presentation, &clock_listener, NULL);
        works = wl_display_roundtrip_queue(display, queue) >= 0;
        // Times of an unknown clock are useless.
        if (presentation_clock > INT32_MAX || nanoseconds_of((clockid_t)presentation_clock) == 0) {
            wp_presentation_destroy(g->presentation);
            g->presentation = NULL;
        }
    }
    to_main_queue(g->compositor);
    to_main_queue(g->subcompositor);
    to_main_queue(g->shm);
    to_main_queue(g->viewporter);
    to_main_queue(g->scales);
    to_main_queue(g->presentation);
    to_main_queue(g->idle);
    if (registry) wl_registry_destroy(registry);
    wl_event_queue_destroy(queue);
    // Damage in buffer coordinates requires version 4.
    return works && g->compositor && g->version >= 4 && g->subcompositor && g->shm;
}

// MARK: events

static zt_wayland_events callbacks;
void zt_wayland_listen(zt_wayland_events events) { callbacks = events; }

static void frame_done(void *context, struct wl_callback *callback, uint32_t time) {
    (void)time;
    wl_callback_destroy(callback);
    callbacks.next(context);
}
static const struct wl_callback_listener frame_listener = { frame_done };

struct wl_callback *zt_wayland_next_frame(struct wl_surface *surface, void *context) {
    struct wl_callback *callback = wl_surface_frame(surface);
    if (callback) wl_callback_add_listener(callback, &frame_listener, context);
    return callback;
}

static void buffer_released(void *context, struct wl_buffer *buffer) { callbacks.released(context, buffer); }
static const struct wl_buffer_listener buffer_listener = { buffer_released };

static void synced_to(void *context, struct wp_presentation_feedback *feedback, struct wl_output *output) {
    (void)context; (void)feedback; (void)output;
}
static void presented(
    void *context, struct wp_presentation_feedback *feedback, uint32_t high, uint32_t low, uint32_t nanoseconds, uint32_t refresh,
    uint32_t sequence_high, uint32_t sequence_low, uint32_t flags) {
    (void)sequence_high; (void)sequence_low; (void)flags;
    uint64_t seconds = (uint64_t)high << 32 | low;
    // A compositor may send any number. Times that no clock can show are ignored.
    int64_t time = seconds < 4000000000u && nanoseconds < 1000000000 ? (int64_t)seconds * 1000000000 + nanoseconds : 0;
    if (time > 0 && presentation_clock != CLOCK_MONOTONIC) {
        // Weston without a screen uses the raw monotonic clock.
        time += nanoseconds_of(CLOCK_MONOTONIC) - nanoseconds_of((clockid_t)presentation_clock);
    }
    callbacks.seen(context, feedback, time > 0 ? (uint64_t)time : 0, refresh);
    wp_presentation_feedback_destroy(feedback);
}
static void discarded(void *context, struct wp_presentation_feedback *feedback) {
    callbacks.seen(context, feedback, 0, 0);
    wp_presentation_feedback_destroy(feedback);
}
static const struct wp_presentation_feedback_listener feedback_listener = { synced_to, presented, discarded };

struct wp_presentation_feedback *zt_wayland_feedback(const zt_wayland_globals *g, struct wl_surface *surface, void *context) {
    struct wp_presentation_feedback *feedback = g->presentation ? wp_presentation_feedback(g->presentation, surface) : NULL;
    if (feedback) wp_presentation_feedback_add_listener(feedback, &feedback_listener, context);
    return feedback;
}
void zt_wayland_forget_feedback(struct wp_presentation_feedback *feedback) { wp_presentation_feedback_destroy(feedback); }

static void scale_preferred(void *context, struct wp_fractional_scale_v1 *object, uint32_t scale) {
    (void)object;
    callbacks.scaled(context, scale);
}
static const struct wp_fractional_scale_v1_listener scale_listener = { scale_preferred };

struct wp_fractional_scale_v1 *zt_wayland_scale(const zt_wayland_globals *g, struct wl_surface *surface, void *context) {
    struct wp_fractional_scale_v1 *scale = g->scales ? wp_fractional_scale_manager_v1_get_fractional_scale(g->scales, surface) : NULL;
    if (scale) wp_fractional_scale_v1_add_listener(scale, &scale_listener, context);
    return scale;
}
void zt_wayland_forget_scale(struct wp_fractional_scale_v1 *scale) { wp_fractional_scale_v1_destroy(scale); }

// MARK: surface and buffers

struct wp_viewport *zt_wayland_viewport(const zt_wayland_globals *g, struct wl_surface *surface) {
    return g->viewporter ? wp_viewporter_get_viewport(g->viewporter, surface) : NULL;
}
void zt_wayland_set_destination(struct wp_viewport *viewport, int32_t width, int32_t height) {
    wp_viewport_set_destination(viewport, width, height);
}
void zt_wayland_forget_viewport(struct wp_viewport *viewport) { wp_viewport_destroy(viewport); }

struct wl_buffer *zt_wayland_buffer(
    const zt_wayland_globals *g, int32_t width, int32_t height, size_t slack, void *context, void **memory, size_t *size) {
    // The protocol stores a pool's size as int32_t.
    if (width <= 0 || height <= 0 || width > 32767 || height > 32767 || slack > 1 << 20) return NULL;
    size_t whole = (size_t)width * 4 * (size_t)height + slack;
    if (whole > INT32_MAX) return NULL;
    int file = memfd_create("zoetrope-video", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return NULL;
    void *pixels = MAP_FAILED;
    struct wl_shm_pool *pool = NULL;
    struct wl_buffer *buffer = NULL;
    if (ftruncate(file, (off_t)whole) == 0) {
        // The seal guarantees to the compositor that the file does not shrink while it reads.
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
        pixels = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (pixels != MAP_FAILED) pool = wl_shm_create_pool(g->shm, file, (int32_t)whole);
    if (pool) {
        // With a format without alpha, the compositor would ignore the opaque region.
        buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_ARGB8888);
        wl_shm_pool_destroy(pool);
    }
    close(file);
    if (!buffer) {
        if (pixels != MAP_FAILED) munmap(pixels, whole);
        return NULL;
    }
    wl_buffer_add_listener(buffer, &buffer_listener, context);
    *memory = pixels;
    *size = whole;
    return buffer;
}
void zt_wayland_free_buffer(struct wl_buffer *buffer, void *memory, size_t size) {
    wl_buffer_destroy(buffer);
    munmap(memory, size);
}

struct wl_surface *zt_wayland_surface(const zt_wayland_globals *g, void *parent, struct wl_subsurface **place) {
    struct wl_surface *surface = parent ? wl_compositor_create_surface(g->compositor) : NULL;
    if (!surface) return NULL;
    *place = wl_subcompositor_get_subsurface(g->subcompositor, surface, parent);
    if (!*place) {
        wl_surface_destroy(surface);
        return NULL;
    }
    struct wl_region *nothing = wl_compositor_create_region(g->compositor);
    wl_surface_set_input_region(surface, nothing);
    wl_region_destroy(nothing);
    return surface;
}

void zt_wayland_set_opaque(const zt_wayland_globals *g, struct wl_surface *surface, int32_t width, int32_t height) {
    struct wl_region *all = wl_compositor_create_region(g->compositor);
    wl_region_add(all, 0, 0, width, height);
    // Weston 14 and sway 1.10 request no frames of a window that is completely hidden, and GTK would wait for the
    // request. All frames are opaque, so the window is not visible through this point.
    wl_region_subtract(all, width / 2, height / 2, 1, 1);
    wl_surface_set_opaque_region(surface, all);
    wl_region_destroy(all);
}

struct zwp_idle_inhibitor_v1 *zt_wayland_inhibit_idle(const zt_wayland_globals *g, void *surface) {
    return g->idle ? zwp_idle_inhibit_manager_v1_create_inhibitor(g->idle, surface) : NULL;
}
void zt_wayland_allow_idle(struct zwp_idle_inhibitor_v1 *inhibitor) { zwp_idle_inhibitor_v1_destroy(inhibitor); }
