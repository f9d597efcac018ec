// Functions that process every pixel. They are in C, because Swift cannot compile a function for the vectors of several
// processors and choose one of them when the program starts.
#ifndef ZOETROPE_CPIXELS_H
#define ZOETROPE_CPIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "CPixelRows.h"

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

/// The setup of a zt_scaler, which scales YUV of 8 to 15 bits and converts it to BGRX.
typedef struct {
    /// Sizes in pixels, at most 32,768.
    int sourceWidth, sourceHeight, width, height;
    /// 1 if chroma has half the samples in that direction; 0 if it has all.
    int chromaShiftX, chromaShiftY;
    /// The bits of a sample: 8, in one byte; or 9 to 15, in the low bits of a 16-bit word in the processor's byte order.
    int depth;
    /// The number of samples from one sample of a chroma plane to the next: 2 if blue and red alternate, otherwise 1.
    int chromaStep;
    /// The position of a chroma sample relative to the center of the first of its luma samples, in 1/256 luma sample.
    int chromaX, chromaY;
    /// The weights of red and blue in luma.
    double redWeight, blueWeight;
    /// Nonzero if samples use their whole range, such as 0…255.
    int isFullRange;
} zt_scaler_setup;

/// A scaler of YUV, which also converts it to BGRX, in one pass over the target. Used by one thread at a time.
typedef struct zt_scaler zt_scaler;

/// Returns nonzero if the processor has the instructions that a scaler needs: AVX2 or NEON.
int zt_can_scale(void);

/// Creates a scaler. Reduction averages the covered samples, enlargement interpolates linearly.
///
/// Returns NULL if the processor lacks the instructions, if there is not enough memory, if a value is out of range,
/// if a row of a plane has fewer than 16 bytes, or for reduction by more than about 14.
zt_scaler *zt_scaler_create(const zt_scaler_setup *setup);
void zt_scaler_free(zt_scaler *scaler);

/// Makes the rows `from` ..< `to` of the target. X becomes 255. Each channel differs by at most 1 from the exact
/// result.
///
/// The rows of a frame are made from top to bottom, in one call or in several. Rows of the source are kept until row 0
/// is made again.
///
/// `planes` are luma, blue and red, and `strides` their bytes per row. `target` is the row `from`, and `targetStride`
/// the bytes per row. Reads and writes nothing beyond the rows.
void zt_scaler_run(zt_scaler *scaler, const uint8_t *const planes[3], const ptrdiff_t strides[3],
                   uint32_t *target, ptrdiff_t targetStride, int from, int to);

#endif
