// Functions that process every pixel. They are in C, because Swift cannot compile a function for the vectors of several
// processors and choose one of them when the program starts.
#ifndef ZOETROPE_CPIXELS_H
#define ZOETROPE_CPIXELS_H

#include <stddef.h>
#include <stdint.h>

/// Applies an affine color transform to 32-bit BGRX words in place. X becomes 255.
///
/// `rows` contains four numbers for each of the new red, green and blue: the factors of the old red, green and blue,
/// and a number to add (on the scale of 0…255). Results are rounded and clamped.
void zt_pixels_affine(uint32_t *pixels, size_t count, const float rows[12]);

/// Blends premultiplied pixels over others, in place: target × (255 − alpha) / 255, rounded, + source. The channels of
/// `source` must not exceed its alpha.
void zt_pixels_over(uint32_t *target, const uint32_t *source, size_t count);

/// Blends like zt_pixels_over, with the source multiplied by `share` / 255.
void zt_pixels_over_faded(uint32_t *target, const uint32_t *source, size_t count, uint8_t share);

/// Converts straight 32-bit BGRA words to premultiplied ones, in place. The colors are from `pixels`, the alpha is from
/// `alphas`, which may be the same pointer. Results are rounded.
void zt_pixels_premultiply(uint32_t *pixels, const uint32_t *alphas, size_t count);

/// Converts premultiplied words to straight ones, in place. If alpha is 0, the pixel becomes 0.
void zt_pixels_unpremultiply(uint32_t *pixels, size_t count);

/// Returns nonzero if every alpha is 255.
int zt_pixels_are_opaque(const uint32_t *pixels, size_t count);

/// Scales premultiplied BGRA: averages the covered pixels when reducing, interpolates linearly when enlarging.
///
/// libswscale is not used, because it would convert to YUV, and the colors of transparent pixels would be visible at
/// edges. `sourceStride` and `targetStride` are in bytes per row. Returns 0 if a size is not positive or there is not
/// enough memory.
int zt_pixels_scale(const uint32_t *source, size_t sourceStride, int sourceWidth, int sourceHeight,
                    uint32_t *target, size_t targetStride, int width, int height);

#endif
