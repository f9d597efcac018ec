// Screenshots for tests by XCB, which reports a lost X server. Xlib would end the process.
#ifndef ZOETROPE_CXCB_SHIM_H
#define ZOETROPE_CXCB_SHIM_H
#include <stdint.h>
#include <stdlib.h>
#include <xcb/xcb.h>
// Returns the pixels of the whole screen as 8-bit RGB, without the pointer. The caller frees them. Returns NULL if the
// server does not answer, or if its pixels have neither 16 nor 32 bits.
static inline uint8_t *zt_xcb_screenshot(const char *display, int *count) {
    uint8_t *pixels = NULL;
    xcb_connection_t *connection = xcb_connect(display, NULL);
    if (!xcb_connection_has_error(connection)) {
        const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
        xcb_get_image_reply_t *image = xcb_get_image_reply(
            connection,
            xcb_get_image(
                connection, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root, 0, 0, screen->width_in_pixels,
                screen->height_in_pixels, ~0u),
            NULL);
        int n = screen->width_in_pixels * screen->height_in_pixels;
        int length = image ? xcb_get_image_data_length(image) : 0;
        if (n > 0 && (length == 4 * n || length == 2 * n)) pixels = malloc(3 * (size_t)n);
        if (pixels) {
            const uint8_t *data = xcb_get_image_data(image);
            for (int i = 0; i < n; i++) {
                if (length == 4 * n) {
                    for (int part = 0; part < 3; part++) pixels[3 * i + part] = data[4 * i + 2 - part];
                } else {
                    unsigned value = data[2 * i] | data[2 * i + 1] << 8;
                    pixels[3 * i] = ((value >> 11) * 255 + 15) / 31;
                    pixels[3 * i + 1] = ((value >> 5 & 63) * 255 + 31) / 63;
                    pixels[3 * i + 2] = ((value & 31) * 255 + 15) / 31;
                }
            }
            *count = 3 * n;
        }
        free(image);
    }
    xcb_disconnect(connection);
    return pixels;
}
#endif
