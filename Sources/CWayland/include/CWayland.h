// A Wayland client: the parts of libwayland-client and of four protocols that the video's own surface and the request
// to keep the screen on need. wayland-scanner generates the protocols' C code from `protocols/` (MIT license; see
// CWayland/README.md).
#ifndef ZOETROPE_CWAYLAND_H
#define ZOETROPE_CWAYLAND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wayland-client.h>
struct wp_fractional_scale_manager_v1;
struct wp_fractional_scale_v1;
struct wp_presentation;
struct wp_presentation_feedback;
struct wp_viewport;
struct wp_viewporter;
struct zwp_idle_inhibit_manager_v1;
struct zwp_idle_inhibitor_v1;

// The interfaces of a compositor, or null where it lacks one.
typedef struct {
    struct wl_compositor *compositor;
    struct wl_subcompositor *subcompositor;
    struct wl_shm *shm;
    struct wp_viewporter *viewporter;
    struct wp_presentation *presentation;
    struct wp_fractional_scale_manager_v1 *scales;
    struct zwp_idle_inhibit_manager_v1 *idle;
    // The version of `compositor`.
    uint32_t version;
} zt_wayland_globals;

// Gets the interfaces of the compositor of `display`, and waits for the answer. Later events of these objects go to the
// queue that GDK reads on the main thread. Returns false if a required interface is missing or the connection failed.
bool zt_wayland_bind(void *display, zt_wayland_globals *globals);

// The callbacks for the events of a surface, each with the surface's context.
typedef struct {
    // Called when the compositor requests another frame.
    void (*next)(void *context);
    // Called when the compositor no longer reads a buffer.
    void (*released)(void *context, struct wl_buffer *buffer);
    // Called after a frame was displayed, with the time in nanoseconds of CLOCK_MONOTONIC, or 0 if it was not
    // displayed. `refresh` is the duration of a display refresh in nanoseconds, or 0 if unknown.
    void (*seen)(void *context, struct wp_presentation_feedback *feedback, uint64_t time, uint32_t refresh);
    // Called with the number of pixels per point, in 120ths.
    void (*scaled)(void *context, uint32_t scale);
} zt_wayland_events;

// Sets the callbacks, once per process. A `context` must exist until the object returned for it is destroyed.
void zt_wayland_listen(zt_wayland_events events);
struct wl_callback *zt_wayland_next_frame(struct wl_surface *surface, void *context);
struct wp_presentation_feedback *zt_wayland_feedback(const zt_wayland_globals *globals, struct wl_surface *surface, void *context);
void zt_wayland_forget_feedback(struct wp_presentation_feedback *feedback);
struct wp_fractional_scale_v1 *zt_wayland_scale(const zt_wayland_globals *globals, struct wl_surface *surface, void *context);
void zt_wayland_forget_scale(struct wp_fractional_scale_v1 *scale);

// Creates a viewport, which scales a surface to a size in points. Returns null if the compositor does not support it.
struct wp_viewport *zt_wayland_viewport(const zt_wayland_globals *globals, struct wl_surface *surface);
void zt_wayland_set_destination(struct wp_viewport *viewport, int32_t width, int32_t height);
void zt_wayland_forget_viewport(struct wp_viewport *viewport);

// Creates a buffer of 32-bit pixels with premultiplied alpha, and maps its memory with `slack` bytes after the rows.
// Returns null on failure.
struct wl_buffer *zt_wayland_buffer(
    const zt_wayland_globals *globals, int32_t width, int32_t height, size_t slack, void *context, void **memory, size_t *size);
void zt_wayland_free_buffer(struct wl_buffer *buffer, void *memory, size_t size);

// Creates a surface over `parent` for opaque content. Input goes to the surface below.
struct wl_surface *zt_wayland_surface(const zt_wayland_globals *globals, void *parent, struct wl_subsurface **place);
// Declares that the surface is opaque, except for one point.
void zt_wayland_set_opaque(const zt_wayland_globals *globals, struct wl_surface *surface, int32_t width, int32_t height);

// Requests that the screen stays on while `surface` is visible. Returns null if the compositor does not support it.
struct zwp_idle_inhibitor_v1 *zt_wayland_inhibit_idle(const zt_wayland_globals *globals, void *surface);
void zt_wayland_allow_idle(struct zwp_idle_inhibitor_v1 *inhibitor);
#endif
