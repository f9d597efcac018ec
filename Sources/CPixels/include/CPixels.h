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

#endif
