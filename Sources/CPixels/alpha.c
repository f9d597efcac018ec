#include "CPixels.h"
#include "widest.h"
#include <stdlib.h>

WIDEST
void zt_pixels_premultiply(uint32_t *pixels, const uint32_t *alphas, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t p = pixels[i], a = alphas[i] >> 24;
        // Compute two channels of a pixel in one word: (v · a + 128) · 257 >> 16 equals v · a / 255, rounded.
        uint32_t rb = (p & 0x00FF00FFu) * a + 0x00800080u, g = (p >> 8 & 255) * a + 128;
        rb = (rb + (rb >> 8 & 0x00FF00FFu)) >> 8 & 0x00FF00FFu;
        g = (g + (g >> 8)) & 0xFF00u;
        pixels[i] = rb | g | a << 24;
    }
}

WIDEST
void zt_pixels_unpremultiply(uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t p = pixels[i], a = p >> 24;
        const float scale = a ? 255.0f / (float)(int32_t)a : 0;
        int32_t r = (int32_t)((float)(int32_t)(p >> 16 & 255) * scale + 0.5f), g = (int32_t)((float)(int32_t)(p >> 8 & 255) * scale + 0.5f),
                b = (int32_t)((float)(int32_t)(p & 255) * scale + 0.5f);
        r = r < 255 ? r : 255;
        g = g < 255 ? g : 255;
        b = b < 255 ? b : 255;
        pixels[i] = (uint32_t)b | (uint32_t)g << 8 | (uint32_t)r << 16 | a << 24;
    }
}

int zt_pixels_are_opaque(const uint32_t *pixels, size_t count) {
    uint32_t all = 0xFF000000u;
    for (size_t i = 0; i < count; i++) all &= pixels[i];
    return all == 0xFF000000u;
}

// The source pixels of a row that make one target pixel, and their weights.
struct taps {
    int first, count;
    float *weights;
};

// Computes the weights: averages when reducing, linear interpolation when enlarging. Returns 0 if there is not enough
// memory.
static struct taps *make_taps(int from, int to) {
    const double step = (double)from / to;
    const int most = step > 1 ? (int)step + 2 : 2;
    struct taps *taps = malloc((size_t)to * (sizeof *taps + (size_t)most * sizeof(float)));
    if (!taps) return 0;
    float *weights = (float *)(taps + to);
    for (int i = 0; i < to; i++, weights += most) {
        taps[i].weights = weights;
        if (step > 1) {
            const double low = i * step, high = (i + 1) * step;
            int first = (int)low, last = (int)high;
            if (first > from - 1) first = from - 1;
            if (last > from - 1) last = from - 1;
            if (last > first + most - 1) last = first + most - 1;
            double sum = 0;
            for (int k = first; k <= last; k++) {
                const double begin = low > k ? low : k, end = high < k + 1 ? high : k + 1, share = end > begin ? end - begin : 0;
                weights[k - first] = (float)share;
                sum += share;
            }
            for (int k = first; k <= last; k++) weights[k - first] = (float)(weights[k - first] / sum);
            taps[i].first = first;
            taps[i].count = last - first + 1;
        } else {
            double position = (i + 0.5) * step - 0.5;
            position = position < 0 ? 0 : position > from - 1 ? from - 1 : position;
            const int first = (int)position;
            const double share = position - first;
            weights[0] = (float)(1 - share);
            weights[1] = (float)share;
            taps[i].first = first;
            taps[i].count = first + 1 < from ? 2 : 1;
            if (taps[i].count == 1) weights[0] = 1;
        }
    }
    return taps;
}

// Adds a row times a weight, byte by byte.
WIDEST
static void add_row(float *sum, const uint8_t *row, size_t count, float weight) {
    for (size_t i = 0; i < count; i++) sum[i] += (float)row[i] * weight;
}

WIDEST
static void set_row(float *sum, const uint8_t *row, size_t count, float weight) {
    for (size_t i = 0; i < count; i++) sum[i] = (float)row[i] * weight;
}

typedef float channels __attribute__((vector_size(16)));

static void across(uint32_t *target, const channels *row, const struct taps *taps, int count) {
    for (int x = 0; x < count; x++) {
        const channels *from = row + taps[x].first;
        channels sum = {0.5f, 0.5f, 0.5f, 0.5f};
        for (int k = 0; k < taps[x].count; k++) sum += from[k] * taps[x].weights[k];
        // The bytes are blue, green, red, alpha. Rounding must not make a color larger than its alpha.
        uint32_t b = (uint32_t)(int32_t)sum[0], g = (uint32_t)(int32_t)sum[1], r = (uint32_t)(int32_t)sum[2], a = (uint32_t)(int32_t)sum[3];
        a = a < 255 ? a : 255;
        r = r < a ? r : a;
        g = g < a ? g : a;
        b = b < a ? b : a;
        target[x] = b | g << 8 | r << 16 | a << 24;
    }
}

int zt_pixels_scale(const uint32_t *source, size_t sourceStride, int sourceWidth, int sourceHeight,
                    uint32_t *target, size_t targetStride, int width, int height) {
    if (sourceWidth <= 0 || sourceHeight <= 0 || width <= 0 || height <= 0) return 0;
    struct taps *columns = make_taps(sourceWidth, width), *rows = make_taps(sourceHeight, height);
    channels *sum = aligned_alloc(sizeof(channels), (size_t)sourceWidth * sizeof(channels));
    const int isReady = columns && rows && sum;
    for (int y = 0; isReady && y < height; y++) {
        for (int k = 0; k < rows[y].count; k++) {
            const uint8_t *row = (const uint8_t *)source + (size_t)(rows[y].first + k) * sourceStride;
            if (k == 0) set_row((float *)sum, row, (size_t)sourceWidth * 4, rows[y].weights[k]);
            else add_row((float *)sum, row, (size_t)sourceWidth * 4, rows[y].weights[k]);
        }
        across((uint32_t *)((uint8_t *)target + (size_t)y * targetStride), sum, columns, width);
    }
    free(columns);
    free(rows);
    free(sum);
    return isReady;
}
