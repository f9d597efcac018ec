// Wayland as a client: what the video's own surface needs of libwayland-client and of three protocols. The protocols' C code is
// written by wayland-scanner from `protocols/` (MIT licence; CWayland/README.md says how).
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

// What a compositor offers; null where it does not.
typedef struct {
    struct wl_compositor *compositor;
    struct wl_subcompositor *subcompositor;
    struct wl_shm *shm;
    struct wp_viewporter *viewporter;
    struct wp_presentation *presentation;
    struct wp_fractional_scale_manager_v1 *scales;
    // The version of `compositor`.
    uint32_t version;
} zt_wayland_globals;

// Asks the compositor of `display`, and waits for the answer. Events of what was made of the globals then come to the queue that GDK
// reads on the main thread. False when a global that nothing works without is missing, or the connection is broken.
bool zt_wayland_bind(void *display, zt_wayland_globals *globals);

// Told of one surface, each with the context that was given.
typedef struct {
    // The compositor wants another frame.
    void (*next)(void *context);
    // It no longer reads a buffer.
    void (*released)(void *context, struct wl_buffer *buffer);
    // A frame was on the screen at that time of CLOCK_MONOTONIC, nanoseconds; 0: nobody has seen it. `refresh`: nanoseconds of a
    // display refresh; 0: unknown.
    void (*seen)(void *context, struct wp_presentation_feedback *feedback, uint64_t time, uint32_t refresh);
    // How many pixels a point has, in 120ths.
    void (*scaled)(void *context, uint32_t scale);
} zt_wayland_events;

// Whom events are told to, once a process. A `context` has to stay until what is returned for it was destroyed.
void zt_wayland_listen(zt_wayland_events events);
struct wl_callback *zt_wayland_next_frame(struct wl_surface *surface, void *context);
struct wp_presentation_feedback *zt_wayland_feedback(const zt_wayland_globals *globals, struct wl_surface *surface, void *context);
void zt_wayland_forget_feedback(struct wp_presentation_feedback *feedback);
struct wp_fractional_scale_v1 *zt_wayland_scale(const zt_wayland_globals *globals, struct wl_surface *surface, void *context);
void zt_wayland_forget_scale(struct wp_fractional_scale_v1 *scale);

// The part of a surface that is scaled to a size in points; null: the compositor cannot.
struct wp_viewport *zt_wayland_viewport(const zt_wayland_globals *globals, struct wl_surface *surface);
void zt_wayland_set_destination(struct wp_viewport *viewport, int32_t width, int32_t height);
void zt_wayland_forget_viewport(struct wp_viewport *viewport);

// A buffer of 32-bit pixels without alpha, and the memory behind it, `slack` bytes longer than its rows; null on failure.
struct wl_buffer *zt_wayland_buffer(
    const zt_wayland_globals *globals, int32_t width, int32_t height, size_t slack, void *context, void **memory, size_t *size);
void zt_wayland_free_buffer(struct wl_buffer *buffer, void *memory, size_t size);

// A surface over `parent`, for pictures that nothing is seen through; input goes to what lies below it.
struct wl_surface *zt_wayland_surface(const zt_wayland_globals *globals, void *parent, struct wl_subsurface **place);
void zt_wayland_set_opaque(const zt_wayland_globals *globals, struct wl_surface *surface, int32_t width, int32_t height);
#endif
