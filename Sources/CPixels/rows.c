#include "rows.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    most_parts = 256,
    // The largest size and position in pixels.
    most_pixels = 1 << 15,
    most_bytes = 1 << 29,
};

// Rows that were computed last, in a ring: row y is in place y modulo `capacity`.
typedef struct {
    int capacity;
    // The first column that a row has, and the floats of a plane.
    int origin;
    ptrdiff_t plane;
    int *numbers;
    float *floats;
} ring;

// The columns that a row gets beyond its pixels: the nearest pixel of `low` ..< `high`, or 0 outside of `first` ..< `end`.
typedef struct {
    int from, to, low, high, first, end;
} margins;

typedef struct {
    zt_view view;
    // The columns that the kernel reads.
    int from, to;
    // Copies of the rows, with margins; unused if rows of the part can be read directly.
    int isCopied;
    ring copies;
    // The rows that are read for a row y of the result: y × scale + low … y × scale + high.
    double scale, low, high;
} input;

typedef enum { pixels_part, color_part, kernel_part } part_kind;

typedef struct {
    zt_kernel kernel;
    int first, count;
} step;

typedef struct {
    part_kind kind;
    zt_box box;
    zt_kernel kernel;
    // Where its numbers are.
    int arguments;
    input in[ZT_MOST_INPUTS];
    int inputs;
    // Color kernels, from `firstStep` on.
    int firstStep, steps;
    // The taps, and whether they are a column of neighbors.
    int firstTap, taps, isColumn;
    // Whether alpha is read.
    int needsAlpha, uses;
    int hasMargins;
    margins margins;
    ring rows;
    // The rows that are needed for a row r of the result: r × scale + low … r × scale + high.
    int isNeeded, isWhole;
    double scale, low, high;
    // Pixels in memory.
    const uint8_t *pixels;
    ptrdiff_t stride;
    zt_pixel_order order;
    float color[4];
    // The tables of an enlargement, or the columns of cells.
    int32_t *starts, *places;
    float *shares;
} part;

typedef struct {
    void *first;
    size_t count, capacity;
} list;

struct zt_rows {
    part parts[most_parts];
    int count;
    list numbers, taps, steps;
    // All rows and tables of a recipe.
    uint8_t *memory;
    size_t used, size;
    // A row of zeros, and rows for intermediate results.
    float *zeros, *blended;
    // Pointers to the rows of each tap.
    const float **pointers;
    float *weights;
    zt_row *rowsOfTaps;
};

static void *append(list *l, size_t size, size_t count) {
    if (l->count + count > l->capacity) {
        const size_t capacity = (l->count + count) * 2;
        void *larger = realloc(l->first, capacity * size);
        if (!larger) return NULL;
        l->first = larger;
        l->capacity = capacity;
    }
    void *added = (uint8_t *)l->first + l->count * size;
    l->count += count;
    return added;
}

zt_rows *zt_rows_create(void) { return zt_can_filter() ? calloc(1, sizeof(zt_rows)) : NULL; }

void zt_rows_free(zt_rows *z) {
    if (!z) return;
    free(z->numbers.first);
    free(z->taps.first);
    free(z->steps.first);
    free(z->memory);
    free(z);
}

void zt_rows_clear(zt_rows *z) {
    z->count = 0;
    z->numbers.count = z->taps.count = z->steps.count = 0;
}

static int is_valid(zt_box b) {
    return b.x0 < b.x1 && b.y0 < b.y1 && b.x0 > -most_pixels * 2 && b.y0 > -most_pixels * 2 && b.x1 < most_pixels * 2
        && b.y1 < most_pixels * 2 && b.x1 - b.x0 <= most_pixels && b.y1 - b.y0 <= most_pixels;
}

static part *add_part(zt_rows *z, part_kind kind, zt_box box) {
    if (z->count == most_parts || (kind != color_part && !is_valid(box))) return NULL;
    part *p = &z->parts[z->count++];
    *p = (part){.kind = kind, .box = box, .firstStep = (int)z->steps.count};
    return p;
}

int zt_rows_add_pixels(zt_rows *z, const uint8_t *pixels, ptrdiff_t stride, zt_box box, zt_pixel_order order) {
    part *p = add_part(z, pixels_part, box);
    if (!p) return -1;
    p->pixels = pixels;
    p->stride = stride;
    p->order = order;
    return z->count - 1;
}

int zt_rows_add_color(zt_rows *z, const float color[4]) {
    part *p = add_part(z, color_part, (zt_box){0});
    if (!p) return -1;
    memcpy(p->color, color, sizeof p->color);
    return z->count - 1;
}

// Adds the weight of a position between pixels to the four pixels around it. Returns 0 if the position is too far away, or if
// there is not enough memory.
static int add_between(zt_rows *z, int first, double x, double y, double weight) {
    if (!(fabs(x) < most_pixels && fabs(y) < most_pixels)) return 0;
    const double fx = floor(x + 1e-6), fy = floor(y + 1e-6), tx = fmax(x - fx, 0), ty = fmax(y - fy, 0);
    for (int i = 0; i < 4; i++) {
        const double share = weight * (i & 1 ? tx : 1 - tx) * (i & 2 ? ty : 1 - ty);
        if (fabs(share) < 1e-7) continue;
        const int atX = (int)fx + (i & 1), atY = (int)fy + (i >> 1);
        zt_tap *taps = z->taps.first, *found = NULL;
        for (size_t k = first; k < z->taps.count; k++) if (taps[k].x == atX && taps[k].y == atY) found = &taps[k];
        if (!found) {
            if (!(found = append(&z->taps, sizeof *found, 1))) return 0;
            *found = (zt_tap){.x = atX, .y = atY};
        }
        found->weight += (float)share;
    }
    return 1;
}

static int compare_taps(const void *a, const void *b) {
    const zt_tap *s = a, *t = b;
    return s->y != t->y ? (s->y < t->y ? -1 : 1) : s->x < t->x ? -1 : s->x > t->x;
}

static float clamped(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

static int is_sum(zt_kernel k) { return k >= ZT_KERNEL_SYMMETRIC && k <= ZT_KERNEL_CONVOLUTION; }
static int is_extremum(zt_kernel k) { return k == ZT_KERNEL_DISC_EXTREMUM || k == ZT_KERNEL_LINE_EXTREMUM; }

// Lists the pixels of a sum or an extremum. Returns 0 on failure.
static int add_taps(zt_rows *z, part *p, const float *a) {
    const int first = p->firstTap = (int)z->taps.count;
    switch (p->kernel) {
    case ZT_KERNEL_SYMMETRIC: {
        if (!add_between(z, first, 0, 0, a[2])) return 0;
        for (int i = 0; i < (int)a[19] && i < 8; i++) {
            const double offset = a[11 + i], weight = a[3 + i];
            if (!add_between(z, first, a[0] * offset, a[1] * offset, weight) || !add_between(z, first, -a[0] * offset, -a[1] * offset, weight))
                return 0;
        }
        break;
    }
    case ZT_KERNEL_LINE: {
        const int count = (int)a[2];
        for (int i = 0; i < count && count <= 4096; i++) {
            const double at = i - 0.5 * (count - 1);
            if (!add_between(z, first, a[0] * at, a[1] * at, 1.0 / count)) return 0;
        }
        break;
    }
    case ZT_KERNEL_DISC: {
        const float radius = a[0], edge = a[1], ring = a[2], ringSize = a[3];
        const int reach = (int)a[4];
        float total = 0;
        for (int y = -reach; y <= reach; y++) {
            for (int x = -reach; x <= reach; x++) {
                const float far = sqrtf((float)(x * x + y * y));
                float weight = clamped((radius - far) / edge + 0.5f, 0, 1);
                if (weight <= 0) continue;
                weight *= 1 + 4 * ring * clamped(1 - fabsf(far - (radius - ringSize)) / ringSize, 0, 1);
                if (!add_between(z, first, x, y, weight)) return 0;
                total += weight;
            }
        }
        for (size_t k = first; k < z->taps.count; k++) ((zt_tap *)z->taps.first)[k].weight /= fmaxf(total, 1e-6f);
        break;
    }
    case ZT_KERNEL_CONVOLUTION: {
        const int columns = (int)a[64], rows = (int)a[65];
        for (int n = 0; n < columns * rows && n < 64; n++) {
            if (a[n] != 0 && !add_between(z, first, n % columns - columns / 2, n / columns - rows / 2, a[n])) return 0;
        }
        break;
    }
    case ZT_KERNEL_DISC_EXTREMUM: {
        const int r = (int)a[0];
        for (int y = -r; y <= r; y++) {
            for (int x = -r; x <= r; x++) if (x * x + y * y <= r * r && !add_between(z, first, x, y, 1)) return 0;
        }
        break;
    }
    case ZT_KERNEL_LINE_EXTREMUM: {
        for (int i = 0; i < (int)a[4]; i++) {
            const float at = a[2] + (i ? floorf((float)i * a[3] + 0.5f) : 0);
            if (!add_between(z, first, a[0] * at, a[1] * at, 1)) return 0;
        }
        break;
    }
    default: return 1;
    }
    zt_tap *taps = (zt_tap *)z->taps.first + first;
    p->taps = (int)z->taps.count - first;
    // An extremum of nothing has no value.
    if (p->taps == 0 && !is_sum(p->kernel)) return 0;
    if (p->taps > 0) qsort(taps, p->taps, sizeof *taps, compare_taps);
    p->isColumn = p->taps > 2 && (p->kernel == ZT_KERNEL_SYMMETRIC || p->kernel == ZT_KERNEL_LINE);
    for (int i = 0; i < p->taps; i++) if (taps[i].x != 0 || taps[i].y != taps[0].y + i) p->isColumn = 0;
    return 1;
}

// Returns the index of the numbers, or −1.
static int add_numbers(zt_rows *z, zt_kernel kernel, const float *arguments, int count) {
    if (kernel <= ZT_KERNEL_NONE || kernel >= ZT_KERNEL_COUNT || count != zt_row_kernels[kernel].arguments || count > ZT_MOST_ARGUMENTS)
        return -1;
    for (int i = 0; i < count; i++) if (!isfinite(arguments[i]) || fabsf(arguments[i]) > 1e8f) return -1;
    const size_t index = z->numbers.count;
    if (count == 0) return (int)index;
    float *numbers = append(&z->numbers, sizeof(float), (size_t)count);
    if (!numbers) return -1;
    memcpy(numbers, arguments, (size_t)count * sizeof(float));
    return (int)index;
}

static const float *numbers(const zt_rows *z, int index) { return (const float *)z->numbers.first + index; }

// Returns whether the loops can compute a kernel with these numbers.
static int are_in_range(zt_kernel kernel, const float *a, int count) {
    if (kernel == ZT_KERNEL_SCALE) {
        // Halved, unchanged, or enlarged by at least 2.
        for (int i = 0; i < 2; i++) if (!(a[i] == 2 || a[i] == 1 || (a[i] > 0 && a[i] <= 0.5f))) return 0;
    }
    if (kernel == ZT_KERNEL_CELL_MEAN || kernel == ZT_KERNEL_PIXELLATE) {
        // With larger numbers, floats would not order the samples as the pixels.
        for (int i = 0; i < count; i++) if (fabsf(a[i]) > 2 * most_pixels) return 0;
        if (a[2] < 1) return 0;
    }
    if (kernel == ZT_KERNEL_CELL_MEAN)
        return a[3] >= 1 && a[3] <= 64 && a[3] == floorf(a[3]) && a[4] <= a[6] && a[5] <= a[7];
    return 1;
}

int zt_rows_add_kernel(zt_rows *z, zt_kernel kernel, const float *arguments, int count, const zt_view *inputs, int inputCount,
                       zt_box region) {
    const int index = add_numbers(z, kernel, arguments, count);
    if (index < 0 || inputCount != zt_row_kernels[kernel].inputs || !are_in_range(kernel, arguments, count)) return -1;
    for (int k = 0; k < inputCount; k++) if (inputs[k].part < 0 || inputs[k].part >= z->count) return -1;
    part *p = add_part(z, kernel_part, region);
    if (!p) return -1;
    p->kernel = kernel;
    p->arguments = index;
    p->inputs = inputCount;
    for (int k = 0; k < inputCount; k++) p->in[k].view = inputs[k];
    if (add_taps(z, p, numbers(z, index))) return z->count - 1;
    z->count--;
    return -1;
}

int zt_rows_add_color_step(zt_rows *z, int part_, zt_kernel kernel, const float *arguments, int count) {
    // Steps of a part are one after the other.
    if (part_ != z->count - 1 || z->parts[part_].kind != kernel_part || kernel < ZT_KERNEL_AFFINE) return -1;
    const int index = add_numbers(z, kernel, arguments, count);
    step *s = index < 0 ? NULL : append(&z->steps, sizeof *s, 1);
    if (!s) return -1;
    *s = (step){.kernel = kernel, .first = index, .count = count};
    z->parts[part_].steps++;
    return part_;
}

// MARK: setup

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

// Memory is counted first, while `z->memory` may be NULL, and used in a second round.
static void *take(zt_rows *z, size_t bytes) {
    void *taken = z->memory && z->used + bytes <= z->size ? z->memory + z->used : NULL;
    z->used += (bytes + 63) / 64 * 64;
    return taken;
}

static void make_ring(zt_rows *z, ring *r, int from, int to, int capacity, int channels) {
    r->origin = from - ((from % 8) + 8) % 8;
    r->plane = (to - r->origin + ZT_ROW_SLACK + 15) / 16 * 16;
    r->capacity = capacity;
    r->numbers = take(z, (size_t)capacity * sizeof(int));
    r->floats = take(z, ((size_t)capacity * r->plane * channels + ZT_ROW_SLACK) * sizeof(float));
    if (r->numbers) for (int i = 0; i < capacity; i++) r->numbers[i] = INT_MIN;
}

// The columns and rows that a kernel reads for a pixel.
static void find_reach(const zt_rows *z, const part *p, int k, int *left, int *right, int *below, int *above) {
    *left = *right = *below = *above = 0;
    if (k == 0 && zt_row_kernels[p->kernel].isWindow) *left = *right = *below = *above = 1;
    const zt_tap *taps = (const zt_tap *)z->taps.first + p->firstTap;
    for (int i = 0; i < p->taps; i++) {
        *left = larger(*left, -taps[i].x);
        *right = larger(*right, taps[i].x);
        *below = larger(*below, -taps[i].y);
        *above = larger(*above, taps[i].y);
    }
}

// The position of a sample of a cell, which is within the edges: the pixel before it, and the share of the next one.
static int sample_of_cell(const float *a, int axis, int cell, int number, float *share) {
    const float stride = a[2] / a[3];
    const float at = clamped(a[axis] + (float)cell * a[2] + stride * ((float)number + 0.5f), a[4 + axis], a[6 + axis]) - 0.5f;
    *share = at - floorf(at);
    return (int)floorf(at);
}

// The cell of a pixel.
static int cell_of_pixel(const float *a, int axis, int pixel) { return (int)floorf(((float)pixel + 0.5f - a[axis]) / a[2]); }

static void need(part *p, double scale, double low, double high, int isWhole) {
    if (isWhole || (p->isNeeded && fabs(p->scale - scale) > 1e-9)) p->isWhole = 1;
    p->low = p->isNeeded ? fmin(p->low, low) : low;
    p->high = p->isNeeded ? fmax(p->high, high) : high;
    p->scale = scale;
    p->isNeeded = 1;
}

// Decides how a part's input is read: directly, or from copies with margins.
static void connect(zt_rows *z, input *in) {
    part *source = &z->parts[in->view.part];
    const zt_view *v = &in->view;
    in->isCopied = 0;
    if (source->kind == color_part) {
        // Only the extent limits a color.
        in->isCopied = v->extent.x0 > in->from || v->extent.x1 < in->to;
        return;
    }
    const margins m = {in->from, in->to, v->bounds.x0, v->bounds.x1, v->extent.x0, v->extent.x1};
    const zt_box b = source->box;
    const int low = larger(m.low, m.first), high = smaller(m.high, m.end);
    if (in->from >= low && in->to <= high && in->from >= b.x0 && in->to <= b.x1) return;
    // Margins beyond the part's own columns can be in its rows, if only one view has them.
    if (!source->hasMargins && (source->uses == 1 || (low <= b.x0 && high >= b.x1))) {
        source->hasMargins = 1;
        source->margins = m;
        return;
    }
    margins *o = &source->margins;
    if (source->hasMargins && o->low == m.low && o->high == m.high && o->first == m.first && o->end == m.end) {
        o->from = smaller(o->from, m.from);
        o->to = larger(o->to, m.to);
        return;
    }
    in->isCopied = 1;
}

static int rows_between(double low, double high) { return (int)ceil(high - low) + 2; }

// Prepares all parts for `root`. Returns 0 if a size is out of range.
static int prepare(zt_rows *z, part *root, int needsAlpha) {
    int longest = 0, taps = 0;
    for (int n = 0; n < z->count; n++) {
        part *p = &z->parts[n];
        p->uses = p->hasMargins = p->isNeeded = p->isWhole = p->needsAlpha = 0;
    }
    root->needsAlpha = needsAlpha;
    need(root, 1, 0, 0, 0);
    for (part *p = root; p >= z->parts; p--) {
        if (!p->isNeeded || p->kind != kernel_part) continue;
        // Steps need the alpha of straight colors.
        const int alphas = p->steps > 0 ? ~0 : p->needsAlpha ? ~0 : zt_row_kernels[p->kernel].alphas;
        if (p->steps > 0) p->needsAlpha = 1;
        if (p->isColumn) {
            // Rows are computed in groups.
            p->low -= ZT_ROW_BATCH - 1;
            p->high += ZT_ROW_BATCH - 1;
        }
        const float *a = numbers(z, p->arguments);
        for (int k = 0; k < p->inputs; k++) {
            input *in = &p->in[k];
            part *source = &z->parts[in->view.part];
            int left, right, below, above;
            find_reach(z, p, k, &left, &right, &below, &above);
            in->from = p->box.x0 - left;
            in->to = p->box.x1 + right;
            in->scale = 1;
            in->low = -below;
            in->high = above;
            if (p->kernel == ZT_KERNEL_SCALE) {
                in->from = (int)floor(a[0] * (p->box.x0 + 0.5) - 0.5);
                in->to = (int)floor(a[0] * (p->box.x1 - 0.5) - 0.5) + 2;
                in->scale = a[1];
                in->low = a[1] * 0.5 - 1.5;
                in->high = a[1] * 0.5 + 0.5;
            }
            if (p->kernel == ZT_KERNEL_CELL_MEAN) {
                float share;
                in->from = sample_of_cell(a, 0, p->box.x0, 0, &share);
                in->to = sample_of_cell(a, 0, p->box.x1 - 1, (int)a[3] - 1, &share) + 2;
                in->scale = a[2];
                in->low = a[1] - 1;
                in->high = a[1] + a[2] + 1;
                taps = larger(taps, 2 * (int)a[3] + ZT_ROW_BATCH);
            }
            if (p->kernel == ZT_KERNEL_PIXELLATE) {
                in->from = cell_of_pixel(a, 0, p->box.x0);
                in->to = cell_of_pixel(a, 0, p->box.x1 - 1) + 1;
                in->scale = 1.0 / a[2];
                in->low = (0.5 - a[1]) / a[2] - 1.5;
                in->high = (0.5 - a[1]) / a[2] + 0.5;
            }
            if (in->to - in->from > most_pixels * 2) return 0;
            longest = larger(longest, in->to - in->from + 16);
            source->uses++;
            if (alphas & 1 << k) source->needsAlpha = 1;
            const double scale = p->scale * in->scale, low = p->low * in->scale + in->low, high = p->high * in->scale + in->high;
            // Beyond its bounds a view reads its first or last row, which other views do not keep.
            const zt_view *v = &in->view;
            const int isFar = source->kind != color_part
                && ((v->extent.y0 < v->bounds.y0 && scale * root->box.y0 + high < v->bounds.y0)
                    || (v->extent.y1 > v->bounds.y1 && scale * (root->box.y1 - 1) + low > v->bounds.y1 - 1));
            need(source, scale, low, high, p->isWhole || isFar);
        }
        taps = larger(taps, p->taps + ZT_ROW_BATCH);
        longest = larger(longest, p->box.x1 - p->box.x0);
    }
    for (part *p = root; p >= z->parts; p--) {
        if (p->isNeeded && p->kind == kernel_part) for (int k = 0; k < p->inputs; k++) connect(z, &p->in[k]);
    }
    z->zeros = take(z, (size_t)(longest + ZT_ROW_SLACK) * sizeof(float));
    if (z->zeros) memset(z->zeros, 0, (size_t)(longest + ZT_ROW_SLACK) * sizeof(float));
    z->blended = take(z, (size_t)(longest + ZT_ROW_SLACK) * sizeof(float));
    z->pointers = take(z, (size_t)taps * sizeof(float *));
    z->weights = take(z, (size_t)taps * sizeof(float));
    z->rowsOfTaps = take(z, (size_t)taps * sizeof(zt_row));
    for (part *p = z->parts; p <= root; p++) {
        if (!p->isNeeded) continue;
        const int channels = p->needsAlpha ? 4 : 3;
        if (p->kind == color_part) {
            make_ring(z, &p->rows, 0, longest, 1, 4);
            for (int c = 0; p->rows.floats && c < 4; c++)
                for (ptrdiff_t x = 0; x < p->rows.plane; x++) p->rows.floats[c * p->rows.plane + x] = p->color[c];
            continue;
        }
        const int height = p->box.y1 - p->box.y0;
        const int from = p->hasMargins ? smaller(p->margins.from, p->box.x0) : p->box.x0;
        const int to = p->hasMargins ? larger(p->margins.to, p->box.x1) : p->box.x1;
        make_ring(z, &p->rows, from, to, p->isWhole ? height : smaller(height, rows_between(p->low, p->high)), channels);
        for (int k = 0; k < p->inputs; k++) {
            input *in = &p->in[k];
            const part *source = &z->parts[in->view.part];
            const int extra = p->isColumn ? 2 * ZT_ROW_BATCH : 0;
            if (in->isCopied) make_ring(z, &in->copies, in->from, in->to, rows_between(in->low, in->high) + extra, source->needsAlpha ? 4 : 3);
        }
        if (p->kernel == ZT_KERNEL_PIXELLATE) {
            p->places = take(z, (size_t)(p->box.x1 - p->box.x0) * sizeof(int32_t));
            for (int x = p->box.x0; p->places && x < p->box.x1; x++)
                p->places[x - p->box.x0] = cell_of_pixel(numbers(z, p->arguments), 0, x) - p->in[0].from;
        }
        if (p->kernel == ZT_KERNEL_SCALE && numbers(z, p->arguments)[0] < 1) {
            const float f = numbers(z, p->arguments)[0];
            const int width = (p->box.x1 - p->box.x0 + 7) / 8 * 8;
            p->starts = take(z, (size_t)(width / 8) * sizeof(int32_t));
            p->places = take(z, (size_t)width * sizeof(int32_t));
            p->shares = take(z, (size_t)width * sizeof(float));
            for (int i = 0; p->shares && i < width; i++) {
                const double at = f * (p->box.x0 + i + 0.5) - 0.5;
                const int pixel = (int)floor(at);
                if (i % 8 == 0) p->starts[i / 8] = pixel - p->in[0].from;
                p->places[i] = pixel - p->in[0].from - p->starts[i / 8];
                p->shares[i] = (float)(at - pixel);
            }
        }
    }
    return 1;
}

// MARK: rows

static int place(const ring *r, int y) {
    const int rest = y % r->capacity;
    return rest < 0 ? rest + r->capacity : rest;
}

static void fill_margins(float *row, const ring *r, const margins *m, int channels) {
    const int o = r->origin;
    for (int c = 0; c < channels; c++) {
        float *p = row + c * r->plane - o;
        for (int x = m->from; x < smaller(m->low, m->to); x++) p[x] = p[m->low];
        for (int x = larger(m->high, m->from); x < m->to; x++) p[x] = p[m->high - 1];
        for (int x = m->from; x < smaller(m->first, m->to); x++) p[x] = 0;
        for (int x = larger(m->end, m->from); x < m->to; x++) p[x] = 0;
    }
}

static void make_rows(zt_rows *z, part *p, int y);

// Returns the row of a part. The row's first column is the ring's origin.
static const float *row_of(zt_rows *z, part *p, int y) {
    ring *r = &p->rows;
    const int at = place(r, y);
    if (r->numbers[at] != y) make_rows(z, p, y);
    return r->floats + (ptrdiff_t)at * r->plane * (p->needsAlpha ? 4 : 3);
}

// Returns a row of an input, from the column `in->from` on.
static zt_row read_row(zt_rows *z, input *in, int y) {
    const zt_view *v = &in->view;
    part *source = &z->parts[v->part];
    if (y < v->extent.y0 || y >= v->extent.y1) return (zt_row){z->zeros, 0};
    const ring *r = &source->rows;
    const float *row;
    ptrdiff_t offset = 0;
    if (source->kind == color_part) {
        row = r->floats;
    } else {
        row = row_of(z, source, clamp(y, v->bounds.y0, v->bounds.y1 - 1));
        offset = in->from - r->origin;
    }
    if (!in->isCopied) return (zt_row){row + offset, r->plane};
    ring *copies = &in->copies;
    const int at = place(copies, y), channels = source->needsAlpha ? 4 : 3;
    float *copy = copies->floats + (ptrdiff_t)at * copies->plane * channels;
    if (copies->numbers[at] != y) {
        copies->numbers[at] = y;
        margins m = {in->from, in->to, v->bounds.x0, v->bounds.x1, v->extent.x0, v->extent.x1};
        if (source->kind == color_part) {
            m.low = m.from;
            m.high = m.to;
        }
        // The pixels that exist, of which at least one is needed for the margins.
        const int low = clamp(m.from, m.low, m.high - 1), high = clamp(m.to, m.low + 1, m.high);
        for (int c = 0; c < channels; c++) {
            const float *from = row + c * r->plane + (source->kind == color_part ? 0 : low - r->origin);
            float *to = copy + c * copies->plane - copies->origin;
            for (int x = m.from; x < smaller(low, m.to); x++) to[x] = from[0];
            const int begin = larger(low, m.from), end = smaller(high, m.to);
            if (begin < end) memcpy(to + begin, from + begin - low, (size_t)(end - begin) * sizeof(float));
            for (int x = larger(high, m.from); x < m.to; x++) to[x] = from[high - 1 - low];
            for (int x = m.from; x < smaller(m.first, m.to); x++) to[x] = 0;
            for (int x = larger(m.end, m.from); x < m.to; x++) to[x] = 0;
        }
    }
    return (zt_row){copy + in->from - copies->origin, copies->plane};
}

static void make_taps(zt_rows *z, part *p, int y, float *out, int channels) {
    const float *a = numbers(z, p->arguments);
    const zt_tap *taps = (const zt_tap *)z->taps.first + p->firstTap;
    const int width = p->box.x1 - p->box.x0;
    input *in = &p->in[0];
    // Rows that are computed first use the same lists, so the lists are filled when all rows exist.
    for (int t = 0; t < p->taps; t++) if (t == 0 || taps[t].y != taps[t - 1].y) read_row(z, in, y + taps[t].y);
    for (int t = 0; t < p->taps; t++) {
        z->rowsOfTaps[t] = t > 0 && taps[t].y == taps[t - 1].y ? z->rowsOfTaps[t - 1] : read_row(z, in, y + taps[t].y);
        z->weights[t] = taps[t].weight;
    }
    const int isConvolution = p->kernel == ZT_KERNEL_CONVOLUTION;
    for (int c = 0; c < channels; c++) {
        float *to = out + c * p->rows.plane;
        if (isConvolution && c == 3 && a[67] > 0.5f) {
            const zt_row row = read_row(z, in, y);
            memcpy(to, row.first + 3 * row.plane + p->box.x0 - in->from, (size_t)width * sizeof(float));
            continue;
        }
        for (int t = 0; t < p->taps; t++)
            z->pointers[t] = z->rowsOfTaps[t].first + c * z->rowsOfTaps[t].plane + p->box.x0 + taps[t].x - in->from;
        if (is_extremum(p->kernel)) {
            zt_row_extremum(z->pointers, p->taps, a[p->kernel == ZT_KERNEL_DISC_EXTREMUM ? 1 : 5] > 0, to, width);
        } else {
            zt_row_sum(z->pointers, z->weights, p->taps, isConvolution ? a[66] : 0, to, width);
        }
    }
}

static void make_scaled(zt_rows *z, part *p, int y, float *out, int channels) {
    const float *a = numbers(z, p->arguments);
    const int width = p->box.x1 - p->box.x0;
    input *in = &p->in[0];
    const double at = a[1] * (y + 0.5) - 0.5;
    const int low = (int)floor(at);
    const float share = (float)(at - low);
    const zt_row first = read_row(z, in, low), second = share > 0 ? read_row(z, in, low + 1) : first;
    for (int c = 0; c < channels; c++) {
        const float *row = first.first + c * first.plane;
        float *to = out + c * p->rows.plane;
        const int length = in->to - in->from;
        if (share > 0) {
            float *blended = a[0] == 1 ? to : z->blended;
            zt_row_blend(row, second.first + c * second.plane, share, blended, length);
            row = blended;
        }
        if (a[0] == 2) zt_row_halve(row, to, width);
        else if (a[0] < 1) zt_row_enlarge(row, p->starts, p->places, p->shares, to, width);
        else if (share <= 0) memcpy(to, row, (size_t)width * sizeof(float));
    }
}

// A row of cells: the sum of the weighted rows, and then of its samples.
static void make_cells(zt_rows *z, part *p, int y, float *out, int channels) {
    const float *a = numbers(z, p->arguments);
    const int samples = (int)a[3];
    input *in = &p->in[0];
    int taps = 0;
    // As in make_taps: first all rows, then the lists.
    for (int n = 0; n < samples; n++) {
        float share;
        const int row = sample_of_cell(a, 1, y, n, &share);
        for (int next = 0; next < (share > 0 ? 2 : 1); next++) read_row(z, in, row + next);
    }
    for (int n = 0; n < samples; n++) {
        float share;
        const int row = sample_of_cell(a, 1, y, n, &share);
        for (int next = 0; next < 2; next++) {
            const float weight = (next ? share : 1 - share) / (float)(samples * samples);
            if (weight == 0) continue;
            z->rowsOfTaps[taps] = read_row(z, in, row + next);
            z->weights[taps++] = weight;
        }
    }
    for (int c = 0; c < channels; c++) {
        for (int t = 0; t < taps; t++) z->pointers[t] = z->rowsOfTaps[t].first + c * z->rowsOfTaps[t].plane;
        zt_row_sum(z->pointers, z->weights, taps, 0, z->blended, in->to - in->from);
        for (int x = p->box.x0; x < p->box.x1; x++) {
            float sum = 0;
            for (int n = 0; n < samples; n++) {
                float share;
                const float *at = z->blended + sample_of_cell(a, 0, x, n, &share) - in->from;
                sum += at[0] + (at[1] - at[0]) * share;
            }
            out[c * p->rows.plane + x - p->box.x0] = sum;
        }
    }
}

static void make_pixellated(zt_rows *z, part *p, int y, float *out, int channels) {
    const zt_row row = read_row(z, &p->in[0], cell_of_pixel(numbers(z, p->arguments), 1, y));
    for (int c = 0; c < channels; c++) {
        const float *from = row.first + c * row.plane;
        float *to = out + c * p->rows.plane;
        for (int i = 0; i < p->box.x1 - p->box.x0; i++) to[i] = from[p->places[i]];
    }
}

// Computes the rows of the group that contains row `y`.
static void make_columns(zt_rows *z, part *p, int y, int channels, float **outs) {
    const zt_tap *taps = (const zt_tap *)z->taps.first + p->firstTap;
    const int width = p->box.x1 - p->box.x0, count = p->taps + ZT_ROW_BATCH - 1;
    // As in make_taps: first all rows, then the lists.
    for (int t = 0; t < count; t++) read_row(z, &p->in[0], y + taps[0].y + t);
    for (int t = 0; t < p->taps; t++) z->weights[t] = taps[t].weight;
    for (int t = 0; t < count; t++) z->rowsOfTaps[t] = read_row(z, &p->in[0], y + taps[0].y + t);
    for (int c = 0; c < channels; c++) {
        float *out[ZT_ROW_BATCH];
        for (int i = 0; i < ZT_ROW_BATCH; i++) out[i] = outs[i] + c * p->rows.plane;
        for (int t = 0; t < count; t++)
            z->pointers[t] = z->rowsOfTaps[t].first + c * z->rowsOfTaps[t].plane + p->box.x0 - p->in[0].from;
        zt_row_sum_batch(z->pointers, z->weights, p->taps, out, width);
    }
}

static void make_pixels(zt_rows *z, part *p, int y, float *out, int channels) {
    zt_row_job job = {
        .count = p->box.x1 - p->box.x0, .channels = channels, .x = (float)p->box.x0 + 0.5f, .y = (float)y + 0.5f,
        .arguments = numbers(z, p->arguments), .out = out, .plane = p->rows.plane,
    };
    const zt_row_kernel *kernel = &zt_row_kernels[p->kernel];
    for (int k = 0; k < p->inputs; k++) {
        for (int dy = -1; dy <= 1; dy++) {
            if (dy != 0 && !(k == 0 && kernel->isWindow)) continue;
            zt_row row = read_row(z, &p->in[k], y + dy);
            row.first += p->box.x0 - p->in[k].from;
            job.in[k][dy + 1] = row;
        }
    }
    kernel->run(&job);
}

static void finish_row(zt_rows *z, part *p, int y, float *row, int channels) {
    float *first = row + p->box.x0 - p->rows.origin;
    for (int s = 0; s < p->steps; s++) {
        const step *step_ = (const step *)z->steps.first + p->firstStep + s;
        zt_row_job job = {
            .count = p->box.x1 - p->box.x0, .channels = channels, .x = (float)p->box.x0 + 0.5f, .y = (float)y + 0.5f,
            .arguments = numbers(z, step_->first), .out = first, .plane = p->rows.plane,
        };
        job.in[0][1] = (zt_row){first, p->rows.plane};
        zt_row_kernels[step_->kernel].run(&job);
    }
    if (p->hasMargins) fill_margins(row, &p->rows, &p->margins, channels);
}

static void make_rows(zt_rows *z, part *p, int y) {
    ring *r = &p->rows;
    const int channels = p->needsAlpha ? 4 : 3;
    const ptrdiff_t size = r->plane * channels, offset = p->box.x0 - r->origin;
    if (p->isColumn && r->capacity >= ZT_ROW_BATCH) {
        // The last group ends at the last row.
        const int group = p->box.y0 + (y - p->box.y0) / ZT_ROW_BATCH * ZT_ROW_BATCH;
        const int begin = smaller(group, p->box.y1 - ZT_ROW_BATCH);
        float *outs[ZT_ROW_BATCH], *rows[ZT_ROW_BATCH];
        for (int i = 0; i < ZT_ROW_BATCH; i++) {
            rows[i] = r->floats + place(r, begin + i) * size;
            outs[i] = rows[i] + offset;
        }
        make_columns(z, p, begin, channels, outs);
        for (int i = 0; i < ZT_ROW_BATCH; i++) {
            finish_row(z, p, begin + i, rows[i], channels);
            r->numbers[place(r, begin + i)] = begin + i;
        }
        return;
    }
    float *row = r->floats + place(r, y) * size, *out = row + offset;
    if (p->kind == pixels_part) {
        zt_row_read(p->pixels + (p->box.y1 - 1 - y) * p->stride, p->box.x1 - p->box.x0, p->order, out, r->plane, channels);
    } else if (p->kernel == ZT_KERNEL_SCALE) {
        make_scaled(z, p, y, out, channels);
    } else if (p->kernel == ZT_KERNEL_CELL_MEAN) {
        make_cells(z, p, y, out, channels);
    } else if (p->kernel == ZT_KERNEL_PIXELLATE) {
        make_pixellated(z, p, y, out, channels);
    } else if (is_sum(p->kernel) || is_extremum(p->kernel)) {
        make_taps(z, p, y, out, channels);
    } else {
        make_pixels(z, p, y, out, channels);
    }
    finish_row(z, p, y, row, channels);
    r->numbers[place(r, y)] = y;
}

int zt_rows_draw(zt_rows *z, uint8_t *target, ptrdiff_t stride, zt_box rect, zt_pixel_order order) {
    if (z->count == 0 || !is_valid(rect)) return 0;
    part *root = &z->parts[z->count - 1];
    if (root->kind != kernel_part) return 0;
    const int size = order == ZT_PIXELS_FLOATS ? 16 : 4, needsAlpha = order != ZT_PIXELS_BGRX;
    for (int round = 0; round < 2; round++) {
        z->used = 0;
        if (!prepare(z, root, needsAlpha) || z->used > most_bytes) return 0;
        if (z->memory && z->used <= z->size) break;
        if (round == 1) return 0;
        free(z->memory);
        z->size = (z->used + z->used / 4 + 63) / 64 * 64;
        z->memory = aligned_alloc(64, z->size);
        if (!z->memory) {
            z->size = 0;
            return 0;
        }
        memset(z->memory, 0, z->size);
    }
    const zt_box b = root->box;
    const int x0 = clamp(b.x0, rect.x0, rect.x1), x1 = clamp(b.x1, rect.x0, rect.x1);
    for (int y = rect.y0; y < rect.y1; y++) {
        uint8_t *row = target + (rect.y1 - 1 - y) * stride;
        if (y < b.y0 || y >= b.y1 || x0 > rect.x0 || x1 < rect.x1) {
            memset(row, 0, (size_t)(rect.x1 - rect.x0) * size);
            if (order == ZT_PIXELS_BGRX) for (int x = 0; x < rect.x1 - rect.x0; x++) row[x * 4 + 3] = 255;
        }
        if (y < b.y0 || y >= b.y1 || x0 >= x1) continue;
        const float *floats = row_of(z, root, y) + x0 - root->rows.origin;
        zt_row_write(floats, root->rows.plane, x1 - x0, order, row + (ptrdiff_t)(x0 - rect.x0) * size);
    }
    return 1;
}
