// What is done to every pixel and is worth the processor's widest vectors, which Swift cannot be told to use: plain C,
// compiled for the processors there are and chosen when the program starts.
#ifndef ZOETROPE_CPIXELS_H
#define ZOETROPE_CPIXELS_H

#include <stddef.h>
#include <stdint.h>

/// 32-bit BGRX words in place; X becomes 255.
///
/// `rows`: for red, green and blue what they take of red, green and blue, and what is added (0…255). Results are rounded and
/// clamped.
void zt_pixels_affine(uint32_t *pixels, size_t count, const float rows[12]);

/// Lays premultiplied pixels over others, in place: what is there × (255 − alpha) / 255, rounded, + what comes. `source`'s channels
/// are at most its alpha.
void zt_pixels_over(uint32_t *target, const uint32_t *source, size_t count);

/// The same of `share` / 255 of what comes.
void zt_pixels_over_faded(uint32_t *target, const uint32_t *source, size_t count, uint8_t share);

/// Straight 32-bit BGRA words become premultiplied, in place: colours of `pixels`, alpha of `alphas` (which may be the same).
/// Rounded.
void zt_pixels_premultiply(uint32_t *pixels, const uint32_t *alphas, size_t count);

/// The other way. Where alpha is 0 all becomes 0.
void zt_pixels_unpremultiply(uint32_t *pixels, size_t count);

/// Nonzero when every alpha is 255.
int zt_pixels_are_opaque(const uint32_t *pixels, size_t count);

/// Premultiplied BGRA in another size: each pixel the mean of what it covers where it shrinks, linear between pixels where it
/// grows. Libswscale would go by YUV, at whose edges colours without alpha appear.
///
/// `sourceStride`, `targetStride`: bytes a row. Returns 0 when out of memory, or for sizes that are none.
int zt_pixels_scale(const uint32_t *source, size_t sourceStride, int sourceWidth, int sourceHeight,
                    uint32_t *target, size_t targetStride, int width, int height);

#endif
