#include "CPixels.h"
#include "scaler.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The samples of which each sample is made, in one direction.
typedef struct {
    int count, taps;
    int *first;
    // `taps` weights for each sample.
    int *weights;
} filter;

static void filter_free(filter *f) {
    free(f->first);
    free(f->weights);
    *f = (filter){0};
}

// Returns the share of source sample `n` in a sample whose center is at `center` of the source. Reduction averages what
// is covered, enlargement interpolates linearly.
static double share(int n, double center, double ratio) {
    if (ratio <= 1) return fmax(0, 1 - fabs(n - center));
    const double begin = fmax(n - 0.5, center - ratio / 2), end = fmin(n + 0.5, center + ratio / 2);
    return fmax(0, end - begin) / ratio;
}

// `ratio` is the number of source samples for each sample, and `shift` the position of the first one, in source
// samples. The sum of the weights is `unit`. Returns 0 if there is not enough memory or more than ZT_MOST_TAPS samples
// are needed.
static int filter_init(filter *f, int from, int to, double ratio, double shift, int unit) {
    // Smaller shares are rounding errors.
    const double none = 1e-6;
    const int most = (int)fmin(ceil(fmax(ratio, 1)) + 2, ZT_MOST_TAPS + 1);
    *f = (filter){.count = to, .first = malloc(to * sizeof(int)), .weights = malloc((size_t)to * ZT_MOST_TAPS * sizeof(int))};
    if (!f->first || !f->weights) return 0;
    // First the range of the source samples.
    for (int i = 0; i < to; i++) {
        const double center = (i + 0.5) * ratio - 0.5 - shift;
        int first = (int)floor(center - fmax(ratio, 1) / 2 - 0.5), last = first + most + 1;
        while (share(first, center, ratio) < none && first < last) first++;
        while (share(last, center, ratio) < none && last > first) last--;
        first = first < 0 ? 0 : first > from - 1 ? from - 1 : first;
        last = last < 0 ? 0 : last > from - 1 ? from - 1 : last;
        f->first[i] = first;
        if (last - first + 1 > f->taps) f->taps = last - first + 1;
    }
    if (f->taps > ZT_MOST_TAPS) return 0;
    for (int i = 0; i < to; i++) {
        const double center = (i + 0.5) * ratio - 0.5 - shift;
        const int low = (int)floor(center - fmax(ratio, 1) / 2 - 0.5);
        if (f->first[i] > from - f->taps) f->first[i] = from - f->taps;
        double exact[ZT_MOST_TAPS] = {0}, whole = 0, sum = 0;
        for (int n = low; n < low + most + 2; n++) {
            // Beyond the border, the last sample continues.
            const int at = (n < 0 ? 0 : n > from - 1 ? from - 1 : n) - f->first[i];
            const double weight = share(n, center, ratio);
            if (at < 0 || at >= f->taps || weight < none) continue;
            exact[at] += weight;
            whole += weight;
        }
        for (int k = 0, given = 0; k < f->taps; k++) {
            sum += exact[k];
            const int until = (int)lrint(sum / whole * unit);
            f->weights[i * f->taps + k] = until - given;
            given = until;
        }
    }
    return 1;
}

static void plan_free(zt_row_plan *p) {
    free(p->starts);
    free(p->bytes);
    free(p->weights);
    *p = (zt_row_plan){0};
}

// Arranges the samples of a quad in steps: a step adds up to two source samples to each, from 16 bytes.
//
// `size` is the number of bytes of a source sample, `step` the number of bytes from one to the next, and `end` the
// number of bytes of the row. Returns the number of steps. `p` may be NULL; otherwise the steps are stored from `index`
// on, in every fourth place.
static int arrange(const filter *f, int first, int size, int step, int end, zt_row_plan *p, size_t index) {
    int done[4] = {0}, steps = 0;
    const int count = first + 4 < f->count ? 4 : f->count - first;
    for (;; steps++, index += 4) {
        int start = end;
        for (int i = 0; i < count; i++) {
            if (done[i] < f->taps && (f->first[first + i] + done[i]) * step < start) start = (f->first[first + i] + done[i]) * step;
        }
        if (start == end) return steps;
        if (start > end - 16) start = end - 16;
        if (p) p->starts[index] = start;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 2 && done[i] < f->taps; k++) {
                const int byte = (f->first[first + i] + done[i]) * step - start;
                if (byte + size > 16) break;
                if (p) {
                    for (int part = 0; part < size; part++) p->bytes[index][(i * 2 + k) * 2 + part] = (uint8_t)(byte + part);
                    p->weights[index][i * 2 + k] = (int16_t)f->weights[(first + i) * f->taps + done[i]];
                }
                done[i]++;
            }
        }
    }
}

// `samples` is the number of samples from one sample of the plane to the next (`chromaStep`). Returns 0 on failure.
static int plan_init(zt_row_plan *p, const filter *f, int from, int samples, int depth) {
    const int size = depth > 8 ? 2 : 1, step = samples * size;
    const int end = (from - 1) * step + size;
    if (end < 16) return 0;
    p->shift = depth - 1;
    p->groups = (f->count + ZT_GROUP - 1) / ZT_GROUP;
    for (int first = 0; first < f->count; first += 4) {
        const int steps = arrange(f, first, size, step, end, NULL, 0);
        if (steps > p->steps) p->steps = steps;
    }
    const size_t quads = (size_t)p->groups * 4 * p->steps;
    p->starts = calloc(quads, sizeof *p->starts);
    p->bytes = aligned_alloc(32, quads * sizeof *p->bytes);
    p->weights = aligned_alloc(32, quads * sizeof *p->weights);
    if (!p->starts || !p->bytes || !p->weights) return 0;
    memset(p->bytes, 0x80, quads * sizeof *p->bytes);
    memset(p->weights, 0, quads * sizeof *p->weights);
    for (int first = 0; first < f->count; first += 4) {
        static const int places[4] = {0, 2, 1, 3};
        const size_t group = first / ZT_GROUP;
        arrange(f, first, size, step, end, p, group * 4 * p->steps + places[first / 4 % 4]);
    }
    return 1;
}

// The vertical reduction from which on rows are blended before they are scaled, which is then measurably faster.
static const double leastBlended = 2;

// Scaled rows of one plane or of two. The last rows are kept, because the next row of the target needs them too.
typedef struct {
    filter vertical;
    zt_row_plan plan;
    int planes, length;
    // For each tap, a row of each plane; only one row of each plane if rows are blended before they are scaled.
    int16_t *rows;
    // The row of blended samples, and their number; NULL if rows are scaled before they are blended.
    int16_t *blended;
    int blendedLength, depth;
    // The number of the source row that each place holds.
    int *numbers;
} scaled_rows;

struct zt_scaler {
    zt_scaler_setup setup;
    zt_matrix matrix;
    scaled_rows luma, chroma;
};

// A direction of a plane: the number of samples before and after scaling, their ratio, and the position of the first
// one.
typedef struct {
    int from, to;
    double ratio, shift;
} direction;

static int rows_init(scaled_rows *r, int planes, int samples, int depth, direction x, direction y) {
    r->planes = planes;
    filter horizontal = {0};
    r->depth = depth;
    r->blendedLength = (x.from - 1) * samples + 1;
    // Blending a row is cheaper than scaling it, and fewer rows are scaled if they are blended first.
    const int blendsFirst = y.ratio >= leastBlended && r->blendedLength >= ZT_GROUP;
    if (blendsFirst && !(r->blended = malloc(r->blendedLength * sizeof(int16_t)))) return 0;
    const int good = filter_init(&horizontal, x.from, x.to, x.ratio, x.shift, 1 << 14)
        && filter_init(&r->vertical, y.from, y.to, y.ratio, y.shift, 1 << 15)
        && plan_init(&r->plan, &horizontal, x.from, samples, blendsFirst ? 15 : depth);
    filter_free(&horizontal);
    if (!good) return 0;
    r->length = r->plan.groups * ZT_GROUP;
    const int kept = blendsFirst ? 1 : r->vertical.taps;
    r->rows = aligned_alloc(32, (size_t)kept * planes * r->length * sizeof(int16_t));
    r->numbers = malloc(r->vertical.taps * sizeof(int));
    return r->rows && r->numbers;
}

static void rows_free(scaled_rows *r) {
    filter_free(&r->vertical);
    plan_free(&r->plan);
    free(r->rows);
    free(r->numbers);
    free(r->blended);
}

static int16_t factor(double value, double unit) {
    const double scaled = lrint(value * unit);
    return scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : (int16_t)scaled;
}

static int is_valid(const zt_scaler_setup *s) {
    const int limit = 1 << 15;
    return s->sourceWidth > 0 && s->sourceHeight > 0 && s->width > 0 && s->height > 0
        && s->sourceWidth <= limit && s->sourceHeight <= limit && s->width <= limit && s->height <= limit
        && s->chromaShiftX >= 0 && s->chromaShiftX <= 1 && s->chromaShiftY >= 0 && s->chromaShiftY <= 1
        && s->chromaStep >= 1 && s->chromaStep <= 2 && s->depth >= 8 && s->depth <= 15;
}

zt_scaler *zt_scaler_create(const zt_scaler_setup *s) {
    if (!zt_can_scale() || !is_valid(s)) return NULL;
    zt_scaler *z = calloc(1, sizeof *z);
    if (!z) return NULL;
    z->setup = *s;
    const double ratioX = (double)s->sourceWidth / s->width, ratioY = (double)s->sourceHeight / s->height;
    const int dx = 1 << s->chromaShiftX, dy = 1 << s->chromaShiftY;
    const direction x = {s->sourceWidth, s->width, ratioX, 0}, y = {s->sourceHeight, s->height, ratioY, 0};
    // The setup has the positions relative to the center of the first luma sample, in 1/256 luma sample.
    const direction chromaX = {(s->sourceWidth + dx - 1) / dx, s->width, ratioX / dx, (s->chromaX / 256.0 + 0.5) / dx - 0.5};
    const direction chromaY = {(s->sourceHeight + dy - 1) / dy, s->height, ratioY / dy, (s->chromaY / 256.0 + 0.5) / dy - 0.5};
    if (!rows_init(&z->luma, 1, 1, s->depth, x, y) || !rows_init(&z->chroma, 2, s->chromaStep, s->depth, chromaX, chromaY)) {
        zt_scaler_free(z);
        return NULL;
    }
    // The highest sample, reduced to 8 bits and a fraction.
    const double highest = 256 - ldexp(1, 8 - s->depth);
    const double luma = 255 / (s->isFullRange ? highest : 219), chroma = 255 / (s->isFullRange ? highest : 224);
    const double kr = s->redWeight, kb = s->blueWeight, kg = 1 - kr - kb;
    z->matrix = (zt_matrix){
        .black = s->isFullRange ? 0 : 16 * 128,
        .luma = factor(luma, 1 << 14),
        .redInRed = factor(2 * (1 - kr) * chroma, 1 << 13),
        .blueInGreen = factor(-2 * kb * (1 - kb) / kg * chroma, 1 << 13),
        .redInGreen = factor(-2 * kr * (1 - kr) / kg * chroma, 1 << 13),
        .blueInBlue = factor(2 * (1 - kb) * chroma, 1 << 13),
    };
    return z;
}

void zt_scaler_free(zt_scaler *z) {
    if (!z) return;
    rows_free(&z->luma);
    rows_free(&z->chroma);
    free(z);
}

static void forget_rows(scaled_rows *r) {
    for (int k = 0; k < r->vertical.taps; k++) r->numbers[k] = -1;
}

static int16_t vertical_weight(const scaled_rows *r, int y, int k) {
    // 1 is slightly more than the type can hold.
    const int weight = r->vertical.weights[y * r->vertical.taps + k];
    return (int16_t)(weight > INT16_MAX ? INT16_MAX : weight);
}

// Blends the rows of the source for the row `y` of the target, and scales the result, which becomes the only row in
// `sources`.
static void scale_blended(scaled_rows *r, int y, const uint8_t *const planes[], const ptrdiff_t strides[], int offset,
                          const int16_t **const sources[], int16_t *weights) {
    const int taps = r->vertical.taps;
    int16_t shares[ZT_MOST_TAPS];
    for (int k = 0; k < taps; k++) shares[k] = vertical_weight(r, y, k);
    for (int plane = 0; plane < r->planes; plane++) {
        const uint8_t *rows[ZT_MOST_TAPS];
        for (int k = 0; k < taps; k++) rows[k] = planes[plane] + (r->vertical.first[y] + k) * strides[plane];
        zt_blend_rows(rows, shares, taps, r->depth > 8 ? 2 : 1, 15 - r->depth, r->blended, r->blendedLength);
        int16_t *row = r->rows + (size_t)plane * r->length;
        zt_scale_row(&r->plan, (const uint8_t *)r->blended, row, offset);
        sources[plane][0] = row;
    }
    weights[0] = INT16_MAX;
}

// Makes the scaled rows that the row `y` of the target needs, unless they are kept.
//
// `sources` gets, for each plane, the rows, and `weights` their weights.
static void scale_rows(scaled_rows *r, int y, const uint8_t *const planes[], const ptrdiff_t strides[], int offset,
                       const int16_t **const sources[], int16_t *weights) {
    const int taps = r->vertical.taps;
    if (r->blended) return scale_blended(r, y, planes, strides, offset, sources, weights);
    for (int k = 0; k < taps; k++) {
        const int number = r->vertical.first[y] + k, place = number % taps;
        for (int plane = 0; plane < r->planes; plane++) {
            int16_t *row = r->rows + ((size_t)place * r->planes + plane) * r->length;
            if (r->numbers[place] != number) zt_scale_row(&r->plan, planes[plane] + number * strides[plane], row, offset);
            sources[plane][k] = row;
        }
        r->numbers[place] = number;
        weights[k] = vertical_weight(r, y, k);
    }
}

void zt_scaler_run(zt_scaler *z, const uint8_t *const planes[3], const ptrdiff_t strides[3], uint32_t *target,
                   ptrdiff_t targetStride, int from, int to) {
    if (from == 0) {
        forget_rows(&z->luma);
        forget_rows(&z->chroma);
    }
    zt_row_sources sources = {.lumaTaps = z->luma.blended ? 1 : z->luma.vertical.taps,
                              .chromaTaps = z->chroma.blended ? 1 : z->chroma.vertical.taps};
    const int16_t **const luma[] = {sources.luma}, **const chroma[] = {sources.blue, sources.red};
    const int whole = z->setup.width / ZT_GROUP * ZT_GROUP, rest = z->setup.width % ZT_GROUP;
    for (int y = from; y < to; y++) {
        scale_rows(&z->luma, y, planes, strides, 0, luma, sources.lumaWeights);
        scale_rows(&z->chroma, y, planes + 1, strides + 1, 128 * 128, chroma, sources.chromaWeights);
        uint32_t *row = (uint32_t *)((uint8_t *)target + (y - from) * targetStride);
        zt_make_pixels(&sources, &z->matrix, row, whole / ZT_GROUP);
        if (rest == 0) continue;
        for (int k = 0; k < sources.lumaTaps; k++) sources.luma[k] += whole;
        for (int k = 0; k < sources.chromaTaps; k++) {
            sources.blue[k] += whole;
            sources.red[k] += whole;
        }
        uint32_t group[ZT_GROUP];
        zt_make_pixels(&sources, &z->matrix, group, 1);
        memcpy(row + whole, group, rest * sizeof *row);
    }
}

#ifndef ZT_HAS_VECTORS
int zt_can_scale(void) { return 0; }
void zt_blend_rows(const uint8_t *const rows[], const int16_t *weights, int taps, int bytes, int shift, int16_t *result, int length) {
    (void)rows, (void)weights, (void)taps, (void)bytes, (void)shift, (void)result, (void)length;
}
void zt_scale_row(const zt_row_plan *plan, const uint8_t *source, int16_t *result, int offset) {
    (void)plan, (void)source, (void)result, (void)offset;
}
void zt_make_pixels(const zt_row_sources *sources, const zt_matrix *matrix, uint32_t *target, int groups) {
    (void)sources, (void)matrix, (void)target, (void)groups;
}
#endif
