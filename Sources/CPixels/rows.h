// The parts of zt_rows: what its setup prepares, and the loops, of which each processor has a version.
#ifndef ZT_ROWS_H
#define ZT_ROWS_H
#include "CPixels.h"

#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
#define ZT_HAS_ROWS 1
#endif

enum {
    ZT_MOST_INPUTS = 4,
    ZT_MOST_ARGUMENTS = 80,
    /// Loops read and write up to this many floats beyond the end of a row.
    ZT_ROW_SLACK = 64,
    /// The most rows of a sum that the loops compute at once.
    ZT_ROW_BATCH = 4,
};

/// A row: a plane of floats for each channel, red, green, blue and alpha, premultiplied.
typedef struct {
    const float *first;
    ptrdiff_t plane;
} zt_row;

/// A weighted pixel of a sum, relative to the position of the result.
typedef struct {
    int x, y;
    float weight;
} zt_tap;

/// The work of a kernel for one row.
typedef struct {
    int count, channels;
    /// The position of the first pixel's center.
    float x, y;
    const float *arguments;
    /// The rows of each input: below, the same, above. Kernels that read only their own position have the middle one.
    zt_row in[ZT_MOST_INPUTS][3];
    float *out;
    ptrdiff_t plane;
} zt_row_job;

typedef struct {
    void (*run)(const zt_row_job *job);
    /// The number of inputs.
    int inputs;
    /// Whether the kernel reads the eight neighbors in its first input.
    int isWindow;
    /// Bit k is set if the result's colors depend on the alpha of input k.
    int alphas;
    /// The number of floats of the arguments.
    int arguments;
} zt_row_kernel;

extern const zt_row_kernel zt_row_kernels[ZT_KERNEL_COUNT];

/// Sums of weighted pixels. `rows` has the row of each tap, at the tap's own position.
void zt_row_sum(const float *const rows[], const float *weights, int taps, float bias, float *out, int count);
/// Sums for `ZT_ROW_BATCH` rows at once: row k of the results is the sum of rows[k] … rows[k + taps − 1].
void zt_row_sum_batch(const float *const rows[], const float *weights, int taps, float *const out[], int count);
void zt_row_extremum(const float *const rows[], int taps, int isLargest, float *out, int count);
/// Blends two rows: a × (1 − share) + b × share.
void zt_row_blend(const float *a, const float *b, float share, float *out, int count);
/// Halves a row: the means of two pixels each.
void zt_row_halve(const float *row, float *out, int count);
/// Enlarges a row: result i is between row[starts[i / 8] + places[i]] and the next one. `places` are below 7.
void zt_row_enlarge(const float *row, const int32_t *starts, const int32_t *places, const float *shares, float *out, int count);
void zt_row_read(const uint8_t *pixels, int count, zt_pixel_order order, float *out, ptrdiff_t plane, int channels);
void zt_row_write(const float *row, ptrdiff_t plane, int count, zt_pixel_order order, uint8_t *pixels);
#endif
