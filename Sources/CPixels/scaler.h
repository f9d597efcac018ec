// The parts of zt_scaler: the tables that its setup prepares, and the three loops, of which each processor has a
// version. All versions have the same results, bit by bit.
#ifndef ZT_SCALER_H
#define ZT_SCALER_H
#include <stdint.h>

#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
#define ZT_HAS_VECTORS 1
#endif

enum {
    /// Pixels that the loops process at once. Rows and tables are padded to a multiple of it.
    ZT_GROUP = 16,
    /// The highest number of samples of which one sample is made, in each direction.
    ZT_MOST_TAPS = 16,
};

/// The tables for scaling a row. A quad is four samples. One step reads 16 bytes of the source, and adds up to two
/// weighted source samples to each sample of a quad. The first steps of four quads are followed by their second steps,
/// and so on. Four quads are in the order 0, 2, 1, 3, in which AVX2 packs them.
typedef struct {
    /// The number of groups of 16 samples, and of steps for each quad.
    int groups, steps;
    /// The right shift that turns a sum of weighted samples into a sample multiplied by 128: the bit depth minus 1.
    int shift;
    /// For each step of a quad, the first of the 16 bytes.
    int32_t *starts;
    /// The source samples as eight 16-bit words, two for each sample: the numbers of the bytes, where 0x80 selects zero.
    uint8_t (*bytes)[16];
    /// The weights of the words, in 1/16384.
    int16_t (*weights)[8];
} zt_row_plan;

/// The sources of a row of pixels: scaled rows, whose samples are multiplied by 128, and their weights in 1/32768. In
/// rows of chroma, gray is 0.
typedef struct {
    const int16_t *luma[ZT_MOST_TAPS], *blue[ZT_MOST_TAPS], *red[ZT_MOST_TAPS];
    int16_t lumaWeights[ZT_MOST_TAPS], chromaWeights[ZT_MOST_TAPS];
    int lumaTaps, chromaTaps;
} zt_row_sources;

/// The matrix of the color conversion.
typedef struct {
    /// Black in a scaled row of luma.
    int16_t black;
    /// The factor of luma in 1/16384, and those of chroma in 1/8192.
    int16_t luma, redInRed, blueInGreen, redInGreen, blueInBlue;
} zt_matrix;

/// Blends rows of samples, and multiplies the result by 128. `bytes` is 1 or 2, and `shift` the left shift by which the
/// samples of 2 bytes are multiplied by 128. `length` is at least 16.
void zt_blend_rows(const uint8_t *const rows[], const int16_t *weights, int taps, int bytes, int shift, int16_t *result, int length);
/// Scales a row. Each result is the sample, reduced to 8 bits and a fraction, multiplied by 128, minus `offset`.
void zt_scale_row(const zt_row_plan *plan, const uint8_t *source, int16_t *result, int offset);
/// Makes a row of BGRX pixels, in groups of 16.
void zt_make_pixels(const zt_row_sources *sources, const zt_matrix *matrix, uint32_t *target, int groups);
#endif
