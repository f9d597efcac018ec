// Filters on the processor: the parts of a recipe, each of which computes its rows when a later part reads them.
#ifndef ZOETROPE_CPIXELROWS_H
#define ZOETROPE_CPIXELROWS_H

#include <stddef.h>
#include <stdint.h>

/// The kernels that exist in vector code. The recipe's `Kernel` names the one that computes the same as its GLSL.
typedef enum {
    ZT_KERNEL_NONE,
    /// The input, unchanged.
    ZT_KERNEL_COPY,
    ZT_KERNEL_SCALE,
    // The mean of each square cell, and its enlargement.
    ZT_KERNEL_CELL_MEAN,
    ZT_KERNEL_PIXELLATE,
    // Sums of neighboring pixels.
    ZT_KERNEL_SYMMETRIC,
    ZT_KERNEL_LINE,
    ZT_KERNEL_DISC,
    ZT_KERNEL_CONVOLUTION,
    // Extrema of neighboring pixels.
    ZT_KERNEL_DISC_EXTREMUM,
    ZT_KERNEL_LINE_EXTREMUM,
    // Functions of the eight neighbors.
    ZT_KERNEL_MEDIAN,
    ZT_KERNEL_NOISE,
    ZT_KERNEL_EDGES,
    ZT_KERNEL_SOBEL,
    ZT_KERNEL_COMIC,
    // Functions of the same position in several images.
    ZT_KERNEL_MASKED_BLUR,
    ZT_KERNEL_DIFFERENCE,
    ZT_KERNEL_UNSHARP,
    ZT_KERNEL_BLOOM,
    ZT_KERNEL_GLOOM,
    ZT_KERNEL_HIGHLIGHT_SHADOW,
    ZT_KERNEL_HEIGHT,
    ZT_KERNEL_VIGNETTE,
    ZT_KERNEL_DITHER,
    ZT_KERNEL_SPOT_LIGHT,
    ZT_KERNEL_DEPTH,
    ZT_KERNEL_SCREEN,
    ZT_KERNEL_CMYK,
    // Functions of the position alone.
    ZT_KERNEL_STRIPES,
    ZT_KERNEL_CHECKERBOARD,
    ZT_KERNEL_RANDOM,
    ZT_KERNEL_LINEAR,
    ZT_KERNEL_RADIAL,
    ZT_KERNEL_GAUSSIAN,
    ZT_KERNEL_STAR,
    ZT_KERNEL_EVERY_COLOR,
    ZT_KERNEL_ABSOLUTE_DIFFERENCE,
    // Blend modes.
    ZT_KERNEL_BLEND_MULTIPLY,
    ZT_KERNEL_BLEND_SCREEN,
    ZT_KERNEL_BLEND_OVERLAY,
    ZT_KERNEL_BLEND_DARKEN,
    ZT_KERNEL_BLEND_LIGHTEN,
    ZT_KERNEL_BLEND_COLOR_DODGE,
    ZT_KERNEL_BLEND_COLOR_BURN,
    ZT_KERNEL_BLEND_SOFT_LIGHT,
    ZT_KERNEL_BLEND_HARD_LIGHT,
    ZT_KERNEL_BLEND_DIFFERENCE,
    ZT_KERNEL_BLEND_EXCLUSION,
    ZT_KERNEL_BLEND_HUE,
    ZT_KERNEL_BLEND_SATURATION,
    ZT_KERNEL_BLEND_COLOR,
    ZT_KERNEL_BLEND_LUMINOSITY,
    ZT_KERNEL_BLEND_LINEAR_BURN,
    ZT_KERNEL_BLEND_LINEAR_DODGE,
    ZT_KERNEL_BLEND_LINEAR_LIGHT,
    ZT_KERNEL_BLEND_PIN_LIGHT,
    ZT_KERNEL_BLEND_VIVID_LIGHT,
    ZT_KERNEL_BLEND_DIVIDE,
    ZT_KERNEL_BLEND_SUBTRACT,
    // Compositing operators, masks and transitions.
    ZT_KERNEL_SOURCE_OVER,
    ZT_KERNEL_SOURCE_IN,
    ZT_KERNEL_SOURCE_OUT,
    ZT_KERNEL_SOURCE_ATOP,
    ZT_KERNEL_ADDITION,
    ZT_KERNEL_MULTIPLY,
    ZT_KERNEL_MAXIMUM,
    ZT_KERNEL_MINIMUM,
    ZT_KERNEL_MASK_LUMA,
    ZT_KERNEL_MASK_ALPHA,
    ZT_KERNEL_MASK_RED,
    ZT_KERNEL_MASK_BLUE,
    ZT_KERNEL_DISSOLVE,
    ZT_KERNEL_SWIPE,
    ZT_KERNEL_COPY_MACHINE,
    ZT_KERNEL_MOD,
    // Colors.
    ZT_KERNEL_AFFINE,
    ZT_KERNEL_SQUARE,
    ZT_KERNEL_ROOT,
    ZT_KERNEL_GAMMA,
    ZT_KERNEL_VIBRANCE,
    ZT_KERNEL_COLOR_MATRIX,
    ZT_KERNEL_POLYNOMIAL,
    ZT_KERNEL_CLAMP,
    ZT_KERNEL_CLAMP_ALPHA,
    ZT_KERNEL_TONE_CURVE,
    ZT_KERNEL_ENCODE,
    ZT_KERNEL_DECODE,
    ZT_KERNEL_THRESHOLD,
    ZT_KERNEL_LIGHT,
    ZT_KERNEL_LIGHT_GAIN,
    ZT_KERNEL_FALSE_COLOR,
    ZT_KERNEL_POSTERIZE,
    ZT_KERNEL_MAXIMUM_COMPONENT,
    ZT_KERNEL_MINIMUM_COMPONENT,
    ZT_KERNEL_MASK_TO_ALPHA,
    ZT_KERNEL_CROSS_POLYNOMIAL,
    ZT_KERNEL_TONE,
    ZT_KERNEL_THERMAL,
    ZT_KERNEL_X_RAY,
    ZT_KERNEL_SPOT_COLOR,
    ZT_KERNEL_COUNT,
} zt_kernel;

/// A rectangle of whole pixels, with y upward. The upper limits are exclusive.
typedef struct {
    int x0, y0, x1, y1;
} zt_box;

/// A part of a recipe as a kernel reads it.
typedef struct {
    /// The number of the part.
    int part;
    /// The pixels that exist. Beyond them, the nearest one continues.
    zt_box bounds;
    /// The rectangle outside of which the view is transparent.
    zt_box extent;
} zt_view;

/// How the result is stored. Rows are from the top.
typedef enum {
    ZT_PIXELS_RGBA,
    /// Blue first, and no color larger than its alpha.
    ZT_PIXELS_BGRA,
    /// Blue first, and opaque.
    ZT_PIXELS_BGRX,
    /// Four floats for each pixel.
    ZT_PIXELS_FLOATS,
} zt_pixel_order;

/// The parts of a recipe. Used by one thread at a time. Keeps its memory from one recipe to the next.
typedef struct zt_rows zt_rows;

/// Returns nonzero if the processor has the instructions that kernels need: AVX2 and FMA, or NEON.
int zt_can_filter(void);

/// Returns NULL if there is not enough memory.
zt_rows *zt_rows_create(void);
void zt_rows_free(zt_rows *rows);

/// Begins another recipe.
void zt_rows_clear(zt_rows *rows);

// The following functions return the number of the new part, or −1 if the part can't be computed.

/// Adds premultiplied pixels of 8 bits in memory, in rows from the top. `pixels` must stay valid until the recipe is
/// drawn. `order` is RGBA, BGRA or BGRX; alpha is ignored in the last.
int zt_rows_add_pixels(zt_rows *rows, const uint8_t *pixels, ptrdiff_t stride, zt_box box, zt_pixel_order order);
/// Adds a premultiplied color without end.
int zt_rows_add_color(zt_rows *rows, const float color[4]);
/// Adds a kernel with the numbers of its arguments in order, which computes the pixels of `region`.
int zt_rows_add_kernel(zt_rows *rows, zt_kernel kernel, const float *arguments, int count, const zt_view *inputs, int inputCount,
                       zt_box region);
/// Adds a color kernel to the end of a part.
int zt_rows_add_color_step(zt_rows *rows, int part, zt_kernel kernel, const float *arguments, int count);

/// Draws the last kernel that was added. What is in `rect` and outside of the kernel's region becomes transparent, or
/// black.
///
/// Returns 0 if there is not enough memory, or if a size is out of range.
int zt_rows_draw(zt_rows *rows, uint8_t *target, ptrdiff_t stride, zt_box rect, zt_pixel_order order);

#endif
