#include "rows.h"
#if defined(ZT_HAS_ROWS)
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#include <arm_neon.h>
#endif

// Eight pixels at once: a vector for each channel.
typedef float v8 __attribute__((vector_size(32)));
typedef int32_t m8 __attribute__((vector_size(32)));
typedef struct { v8 r, g, b; } v3;
typedef struct { v8 r, g, b, a; } v4;

#define INLINE static inline __attribute__((always_inline))

INLINE v8 all(float v) { return (v8){v, v, v, v, v, v, v, v}; }
INLINE v8 get(const float *p) {
    v8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
INLINE void set(float *p, v8 v) { memcpy(p, &v, sizeof v); }
INLINE m8 lesser(m8 a, m8 b) { return (a & (a < b)) | (b & ~(a < b)); }

#if defined(__x86_64__)
INLINE v8 least(v8 a, v8 b) { return (v8)_mm256_min_ps((__m256)a, (__m256)b); }
INLINE v8 most(v8 a, v8 b) { return (v8)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE v8 root(v8 v) { return (v8)_mm256_sqrt_ps((__m256)v); }
INLINE v8 floored(v8 v) { return (v8)_mm256_floor_ps((__m256)v); }
INLINE v8 permuted(v8 v, m8 places) { return (v8)_mm256_permutevar8x32_ps((__m256)v, (__m256i)places); }
// Where `mask` has all bits, a, elsewhere b.
INLINE v8 chosen(m8 mask, v8 a, v8 b) { return (v8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask); }
#else
#define HALVES(name, call) \
    INLINE v8 name(v8 a, v8 b) { \
        float32x4_t p[2], q[2]; \
        memcpy(p, &a, sizeof a); \
        memcpy(q, &b, sizeof b); \
        for (int i = 0; i < 2; i++) p[i] = call; \
        memcpy(&a, p, sizeof a); \
        return a; \
    }
// The number, if the other value is NaN.
HALVES(least, vminnmq_f32(p[i], q[i]))
HALVES(most, vmaxnmq_f32(p[i], q[i]))
HALVES(root2, vsqrtq_f32(p[i] + 0 * q[i]))
HALVES(floored2, vrndmq_f32(p[i] + 0 * q[i]))
INLINE v8 root(v8 v) { return root2(v, all(0)); }
INLINE v8 floored(v8 v) { return floored2(v, all(0)); }
INLINE v8 permuted(v8 v, m8 places) {
    float in[8], out[8];
    memcpy(in, &v, sizeof v);
    for (int i = 0; i < 8; i++) out[i] = in[places[i] & 7];
    return get(out);
}
INLINE v8 chosen(m8 mask, v8 a, v8 b) { return (v8)(((m8)a & mask) | ((m8)b & ~mask)); }
#endif

// 1 where the condition is true.
#define WHERE(condition) chosen(condition, all(1), all(0))
INLINE v8 limited(v8 v, v8 low, v8 high) { return least(most(v, low), high); }
INLINE v8 unit(v8 v) { return limited(v, all(0), all(1)); }
INLINE v8 magnitude(v8 v) { return (v8)((m8)v & 0x7FFFFFFF); }
INLINE v8 mixed(v8 a, v8 b, v8 share) { return a + (b - a) * share; }
INLINE v8 smooth(v8 low, v8 high, v8 v) {
    const v8 t = unit((v - low) / (high - low));
    return t * t * (3.0f - 2.0f * t);
}
INLINE v8 luma3(v8 r, v8 g, v8 b) { return r * 0.2126f + g * 0.7152f + b * 0.0722f; }
INLINE v8 luma(v4 c) { return luma3(c.r, c.g, c.b); }
INLINE v4 straight(v4 c) {
    const v8 by = chosen(c.a > 0.0f, 1.0f / c.a, all(0));
    return (v4){c.r * by, c.g * by, c.b * by, chosen(c.a > 0.0f, c.a, all(0))};
}
INLINE v4 near(const zt_row_job *j, int k, int i, int x, int y) {
    const zt_row *row = &j->in[k][y + 1];
    const float *p = row->first + i + x;
    return (v4){get(p), get(p + row->plane), get(p + 2 * row->plane), get(p + 3 * row->plane)};
}
INLINE v4 at(const zt_row_job *j, int k, int i) { return near(j, k, i, 0, 0); }

// The cosine of an angle in turns, by a polynomial for half a turn.
INLINE v8 cosine_of_turns(v8 turns) {
    // cos(2πt) for 0 ≤ t ≤ ½ is −sin(2π(t − ¼)).
    const v8 t = (magnitude(turns - floored(turns + 0.5f)) - 0.25f) * 6.2831853f, s = t * t;
    return -t * (1.0f + s * (-1 / 6.0f + s * (1 / 120.0f + s * (-1 / 5040.0f + s * (1 / 362880.0f)))));
}
INLINE v8 cosine(v8 v) { return cosine_of_turns(v * 0.15915494f); }
INLINE v8 sine(v8 v) { return cosine_of_turns(v * 0.15915494f - 0.25f); }

// The base-2 logarithm of a positive number, by a series of the mantissa.
INLINE v8 logarithm(v8 v) {
    const m8 bits = (m8)v, exponent = (bits - 0x3F3504F3) >> 23;
    const v8 m = (v8)(bits - (exponent << 23)), t = (m - 1.0f) / (m + 1.0f), s = t * t;
    return __builtin_convertvector(exponent, v8)
        + 2.8853901f * t * (1.0f + s * (1 / 3.0f + s * (1 / 5.0f + s * (1 / 7.0f + s * (1 / 9.0f)))));
}
// 2 to the power of v.
INLINE v8 exponential(v8 v) {
    v = limited(v, all(-126), all(126));
    const v8 whole = floored(v + 0.5f), f = (v - whole) * 0.69314718f;
    const v8 part = 1.0f + f * (1.0f + f * (1 / 2.0f + f * (1 / 6.0f + f * (1 / 24.0f + f * (1 / 120.0f + f * (1 / 720.0f))))));
    return part * (v8)((__builtin_convertvector(whole, m8) + 127) << 23);
}
INLINE v8 natural_exponential(v8 v) { return exponential(v * 1.44269504f); }
// A number that is not negative, to a positive power.
INLINE v8 power(v8 v, v8 to) { return chosen(v > 1e-30f, exponential(to * logarithm(most(v, all(1e-30f)))), all(0)); }
INLINE v8 with_sign(v8 v, v8 of) { return (v8)((m8)v | ((m8)of & (m8)all(-0.0f))); }
INLINE v8 linear_of(v8 v) {
    const v8 a = magnitude(v);
    return with_sign(chosen(a >= 0.04045f, power((a + 0.055f) * (1 / 1.055f), all(2.4f)), a * (1 / 12.92f)), v);
}
INLINE v8 encoded(v8 v) {
    const v8 a = magnitude(v);
    return with_sign(chosen(a >= 0.0031308f, 1.055f * power(a, all(1 / 2.4f)) - 0.055f, a * 12.92f), v);
}
INLINE v8 part_of(v8 v) { return v - floored(v); }

// Numbers 0 … 1, always the same for the same position: the hash of the shaders.
INLINE v8 random_at(v8 x, v8 y) {
    typedef uint32_t u8 __attribute__((vector_size(32)));
    const u8 px = (u8)__builtin_convertvector(floored(x * 64.0f), m8), py = (u8)__builtin_convertvector(floored(y * 64.0f), m8);
    u8 h = px * 747796405u + py * 2891336453u + 1013904223u;
    h = ((h >> ((h >> 28) + 4u)) ^ h) * 277803737u;
    h = ((h >> 22) ^ h) * 1664525u + 1013904223u;
    h = ((h >> ((h >> 28) + 4u)) ^ h) * 277803737u;
    return __builtin_convertvector((m8)(((h >> 22) ^ h) >> 8), v8) * (1 / 16777216.0f);
}

// Defines the loop of a kernel, whose body computes `c` for the eight pixels from `i` on, with centers at x and y. Without
// alpha, loads that only the result's alpha needs disappear.
#define KERNEL(name, ...) \
    INLINE v4 name##_pixels(const zt_row_job *j, int i, v8 x, v8 y) { \
        const float *u = j->arguments; \
        v4 c; \
        (void)u, (void)i, (void)x, (void)y; \
        __VA_ARGS__ \
        return c; \
    } \
    static void name(const zt_row_job *j) { \
        const v8 steps = {0, 1, 2, 3, 4, 5, 6, 7}, y = all(j->y); \
        float *out = j->out; \
        const ptrdiff_t plane = j->plane; \
        if (j->channels == 4) { \
            for (int i = 0; i < j->count; i += 8) { \
                const v4 c = name##_pixels(j, i, steps + (j->x + (float)i), y); \
                set(out + i, c.r), set(out + plane + i, c.g), set(out + 2 * plane + i, c.b), set(out + 3 * plane + i, c.a); \
            } \
        } else { \
            for (int i = 0; i < j->count; i += 8) { \
                const v4 c = name##_pixels(j, i, steps + (j->x + (float)i), y); \
                set(out + i, c.r), set(out + plane + i, c.g), set(out + 2 * plane + i, c.b); \
            } \
        } \
    }

// MARK: sums, extrema and scaling

void zt_row_sum(const float *const rows[], const float *weights, int taps, float bias, float *out, int count) {
    for (int i = 0; i < count; i += 64) {
        v8 a = all(bias), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
        for (int t = 0; t < taps; t++) {
            const float *p = rows[t] + i;
            const v8 w = all(weights[t]);
            a += w * get(p), b += w * get(p + 8), c += w * get(p + 16), d += w * get(p + 24);
            e += w * get(p + 32), f += w * get(p + 40), g += w * get(p + 48), h += w * get(p + 56);
        }
        float *o = out + i;
        set(o, a), set(o + 8, b), set(o + 16, c), set(o + 24, d), set(o + 32, e), set(o + 40, f), set(o + 48, g), set(o + 56, h);
    }
}

void zt_row_sum_batch(const float *const rows[], const float *weights, int taps, float *const out[], int count) {
    _Static_assert(ZT_ROW_BATCH == 4, "four rows");
    for (int i = 0; i < count; i += 16) {
        v8 a0 = all(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
        // The weights of a row of the source in the four results; 0 beyond the first and the last.
        v8 w1 = a0, w2 = a0, w3 = a0;
        for (int t = 0; t < taps + 3; t++) {
            const v8 w0 = t < taps ? all(weights[t]) : all(0), p = get(rows[t] + i), q = get(rows[t] + i + 8);
            a0 += w0 * p, a1 += w0 * q;
            b0 += w1 * p, b1 += w1 * q;
            c0 += w2 * p, c1 += w2 * q;
            d0 += w3 * p, d1 += w3 * q;
            w3 = w2, w2 = w1, w1 = w0;
        }
        set(out[0] + i, a0), set(out[0] + i + 8, a1), set(out[1] + i, b0), set(out[1] + i + 8, b1);
        set(out[2] + i, c0), set(out[2] + i + 8, c1), set(out[3] + i, d0), set(out[3] + i + 8, d1);
    }
}

#define EXTREMUM(name, function) \
    static void name(const float *const rows[], int taps, float *out, int count) { \
        for (int i = 0; i < count; i += 32) { \
            const float *p = rows[0] + i; \
            v8 a = get(p), b = get(p + 8), c = get(p + 16), d = get(p + 24); \
            for (int t = 1; t < taps; t++) { \
                p = rows[t] + i; \
                a = function(a, get(p)), b = function(b, get(p + 8)), c = function(c, get(p + 16)), d = function(d, get(p + 24)); \
            } \
            set(out + i, a), set(out + i + 8, b), set(out + i + 16, c), set(out + i + 24, d); \
        } \
    }
EXTREMUM(largest, most)
EXTREMUM(smallest, least)

void zt_row_extremum(const float *const rows[], int taps, int isLargest, float *out, int count) {
    if (isLargest) largest(rows, taps, out, count);
    else smallest(rows, taps, out, count);
}

void zt_row_blend(const float *a, const float *b, float share, float *out, int count) {
    for (int i = 0; i < count; i += 8) set(out + i, get(a + i) + (get(b + i) - get(a + i)) * share);
}

void zt_row_halve(const float *row, float *out, int count) {
    for (int i = 0; i < count; i += 8) {
        const v8 a = get(row + 2 * i), b = get(row + 2 * i + 8);
        set(out + i, (__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)) * 0.5f);
    }
}

void zt_row_enlarge(const float *row, const int32_t *starts, const int32_t *places, const float *shares, float *out, int count) {
    for (int i = 0; i < count; i += 8) {
        const v8 v = get(row + starts[i / 8]);
        m8 at;
        memcpy(&at, places + i, sizeof at);
        const v8 a = permuted(v, at), b = permuted(v, at + 1);
        set(out + i, a + (b - a) * get(shares + i));
    }
}

// MARK: pixels of 8 bits

INLINE void read_group(const uint8_t *pixels, int red, float *out, ptrdiff_t plane, int isOpaque, int channels) {
    typedef uint32_t u8 __attribute__((vector_size(32)));
    u8 w;
    memcpy(&w, pixels, sizeof w);
    const v8 by = all(1 / 255.0f);
    set(out, __builtin_convertvector((m8)(w >> red & 255), v8) * by);
    set(out + plane, __builtin_convertvector((m8)(w >> 8 & 255), v8) * by);
    set(out + 2 * plane, __builtin_convertvector((m8)(w >> (16 - red) & 255), v8) * by);
    if (channels == 4) set(out + 3 * plane, isOpaque ? all(1) : __builtin_convertvector((m8)(w >> 24), v8) * by);
}

void zt_row_read(const uint8_t *pixels, int count, zt_pixel_order order, float *out, ptrdiff_t plane, int channels) {
    const int red = order == ZT_PIXELS_RGBA ? 0 : 16, isOpaque = order == ZT_PIXELS_BGRX;
    int i = 0;
    for (; i + 8 <= count; i += 8) read_group(pixels + i * 4, red, out + i, plane, isOpaque, channels);
    if (i < count) {
        uint8_t last[32] = {0};
        memcpy(last, pixels + i * 4, (size_t)(count - i) * 4);
        read_group(last, red, out + i, plane, isOpaque, channels);
    }
}

INLINE m8 byte(v8 v) { return __builtin_convertvector(unit(v) * 255.0f + 0.5f, m8); }

INLINE void write_group(const float *row, ptrdiff_t plane, zt_pixel_order order, uint8_t *pixels) {
    m8 r = byte(get(row)), g = byte(get(row + plane)), b = byte(get(row + 2 * plane)), a = {255, 255, 255, 255, 255, 255, 255, 255};
    if (order != ZT_PIXELS_BGRX) a = byte(get(row + 3 * plane));
    if (order == ZT_PIXELS_BGRA) {
        r = lesser(r, a);
        g = lesser(g, a);
        b = lesser(b, a);
    }
    const m8 w = order == ZT_PIXELS_RGBA ? r | g << 8 | b << 16 | a << 24 : b | g << 8 | r << 16 | a << 24;
    memcpy(pixels, &w, sizeof w);
}

INLINE void write_row(const float *row, ptrdiff_t plane, int count, zt_pixel_order order, uint8_t *pixels) {
    int i = 0;
    for (; i + 8 <= count; i += 8) write_group(row + i, plane, order, pixels + i * 4);
    if (i < count) {
        uint8_t last[32];
        write_group(row + i, plane, order, last);
        memcpy(pixels + i * 4, last, (size_t)(count - i) * 4);
    }
}

void zt_row_write(const float *row, ptrdiff_t plane, int count, zt_pixel_order order, uint8_t *pixels) {
    switch (order) {
    case ZT_PIXELS_RGBA: return write_row(row, plane, count, ZT_PIXELS_RGBA, pixels);
    case ZT_PIXELS_BGRA: return write_row(row, plane, count, ZT_PIXELS_BGRA, pixels);
    case ZT_PIXELS_BGRX: return write_row(row, plane, count, ZT_PIXELS_BGRX, pixels);
    case ZT_PIXELS_FLOATS:
        for (int i = 0; i < count; i++) for (int c = 0; c < 4; c++) memcpy(pixels + (i * 4 + c) * 4, row + c * plane + i, 4);
    }
}

// MARK: the eight neighbors

INLINE void sort(v8 *a, v8 *b) {
    const v8 low = least(*a, *b);
    *b = most(*a, *b);
    *a = low;
}

static void median(const zt_row_job *j) {
    for (int channel = 0; channel < j->channels; channel++) {
        const float *low = j->in[0][0].first + channel * j->in[0][0].plane, *same = j->in[0][1].first + channel * j->in[0][1].plane;
        const float *high = j->in[0][2].first + channel * j->in[0][2].plane;
        float *out = j->out + channel * j->plane;
        for (int n = 0; n < j->count; n += 8) {
            v8 a = get(low + n - 1), b = get(low + n), c = get(low + n + 1), d = get(same + n - 1), e = get(same + n), f = get(same + n + 1);
            v8 g = get(high + n - 1), h = get(high + n), i = get(high + n + 1);
            sort(&b, &c), sort(&e, &f), sort(&h, &i);
            sort(&a, &b), sort(&d, &e), sort(&g, &h);
            sort(&b, &c), sort(&e, &f), sort(&h, &i);
            sort(&a, &d), sort(&f, &i), sort(&e, &h);
            sort(&d, &g), sort(&b, &e), sort(&c, &f);
            sort(&e, &h), sort(&e, &c), sort(&g, &e);
            sort(&e, &c);
            set(out + n, e);
        }
    }
}

KERNEL(noise, {
    const v4 middle = at(j, 0, i);
    const v8 light = luma(middle), by = 1.0f / (all(u[0]) + 1e-4f), level = u[0] * by;
    // The sums of all pixels and of the shares that differ too much.
    v8 edge = all(0), total = all(0);
    v4 sum = middle, cut = {all(0), all(0), all(0), all(0)};
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            const v4 n = near(j, 0, i, dx, dy);
            const v8 t = unit(magnitude(luma(n) - light) * by - level), share = t * t * (3.0f - 2.0f * t);
            cut.r += share * n.r, cut.g += share * n.g, cut.b += share * n.b, cut.a += share * n.a;
            sum.r += n.r, sum.g += n.g, sum.b += n.b, sum.a += n.a;
            total += share;
            edge = most(edge, share);
        }
    }
    const v8 per = 1.0f / (9.0f - total), sharp = u[1] * edge;
    const v8 a = (sum.a - cut.a) * per;
    c.r = limited((sum.r - cut.r) * per + sharp * (middle.r - sum.r * (1 / 9.0f)), all(0), a);
    c.g = limited((sum.g - cut.g) * per + sharp * (middle.g - sum.g * (1 / 9.0f)), all(0), a);
    c.b = limited((sum.b - cut.b) * per + sharp * (middle.b - sum.b * (1 / 9.0f)), all(0), a);
    c.a = a;
})

INLINE v8 edge(v8 a, v8 b, v8 c, v8 d, v8 intensity, v8 most_) {
    const v8 x = a - d, y = b - c;
    return least(intensity * root(x * x + y * y), most_);
}
KERNEL(edges, {
    const v4 p = at(j, 0, i), q = near(j, 0, i, 1, 0), r = near(j, 0, i, 0, 1), s = near(j, 0, i, 1, 1);
    const v8 by = all(u[0]);
    c = (v4){edge(p.r, q.r, r.r, s.r, by, p.a), edge(p.g, q.g, r.g, s.g, by, p.a), edge(p.b, q.b, r.b, s.b, by, p.a), p.a};
})

typedef struct { v3 across, up; } gradients;

// Sobel's gradients.
INLINE gradients slopes(const zt_row_job *j, int n) {
    const v4 a = near(j, 0, n, -1, -1), b = near(j, 0, n, 0, -1), c = near(j, 0, n, 1, -1), d = near(j, 0, n, -1, 0), f = near(j, 0, n, 1, 0);
    const v4 g = near(j, 0, n, -1, 1), h = near(j, 0, n, 0, 1), i = near(j, 0, n, 1, 1);
#define ACROSS(k) ((c.k + 2.0f * f.k + i.k - a.k - 2.0f * d.k - g.k) * 0.25f)
#define UP(k) ((g.k + 2.0f * h.k + i.k - a.k - 2.0f * b.k - c.k) * 0.25f)
    return (gradients){{ACROSS(r), ACROSS(g), ACROSS(b)}, {UP(r), UP(g), UP(b)}};
}
INLINE v8 strength(gradients s) {
    const v8 x = luma3(s.across.r, s.across.g, s.across.b), y = luma3(s.up.r, s.up.g, s.up.b);
    return root(x * x + y * y);
}
// The channel that differs most.
INLINE v8 steepest(v3 s) {
    const v8 r = magnitude(s.r), g = magnitude(s.g), b = magnitude(s.b);
    return chosen(r > g, chosen(r > b, s.r, s.b), chosen(g > b, s.g, s.b));
}
KERNEL(sobel, {
    const gradients s = slopes(j, i);
    c = (v4){steepest(s.across), steepest(s.up), all(0), all(1)};
})
INLINE v8 printed(v8 v, v8 low, v8 high, v8 rest, v8 alpha) {
    const v8 flat = floored(v * 5.0f + 0.5f) * 0.2f;
    return least(mixed(flat, smooth(low, high, flat), all(0.35f)) * rest, alpha);
}
KERNEL(comic, {
    const v4 p = at(j, 0, i);
    const v8 rest = 1.0f - smooth(all(0.12f), all(0.3f), strength(slopes(j, i)));
    const float by = 2 * 3.14159265f / 6;
    const v8 dots = 0.5f + 0.25f * (cosine((x - y) * (0.7071f * by)) + cosine((x + y) * (0.7071f * by)));
    const v8 low = dots - 0.15f, high = dots + 0.15f;
    c = (v4){printed(p.r, low, high, rest, p.a), printed(p.g, low, high, rest, p.a), printed(p.b, low, high, rest, p.a), p.a};
})

// MARK: several images at one position

KERNEL(copy, { c = at(j, 0, i); })

KERNEL(masked, {
    const v4 p = at(j, 0, i), q = at(j, 1, i), r = at(j, 2, i);
    const v8 amount = 2.0f * unit(luma(at(j, 3, i)));
    const m8 isFirst = amount < 1.0f;
    const v8 share = chosen(isFirst, amount, amount - 1.0f);
#define MASKED(k) mixed(chosen(isFirst, p.k, q.k), chosen(isFirst, q.k, r.k), share)
    c = (v4){MASKED(r), MASKED(g), MASKED(b), MASKED(a)};
})
KERNEL(difference, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    c = (v4){p.r - q.r, p.g - q.g, p.b - q.b, p.a};
})
KERNEL(unsharp, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    v3 away = {p.r - q.r, p.g - q.g, p.b - q.b};
    if (u[1] > 0.5f) away.r = away.g = away.b = luma3(away.r, away.g, away.b);
    c = (v4){
        limited(p.r + u[0] * away.r, all(0), p.a), limited(p.g + u[0] * away.g, all(0), p.a), limited(p.b + u[0] * away.b, all(0), p.a), p.a,
    };
})
KERNEL(bloom, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
#define BLOOM(k) (1.0f - (1.0f - p.k) * (1.0f - least(u[0] * q.k * q.k, all(1))))
    c = (v4){BLOOM(r), BLOOM(g), BLOOM(b), BLOOM(a)};
})
KERNEL(gloom, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    const v8 by = 1.0f / most(q.a, all(1e-4f));
    const v3 dark = {1.0f - q.r * by, 1.0f - q.g * by, 1.0f - q.b * by};
#define GLOOM(k) (p.k * unit(1.0f - u[0] * dark.k * dark.k))
    c = (v4){GLOOM(r), GLOOM(g), GLOOM(b), p.a};
})
KERNEL(highlight_shadow, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    const v8 light = luma(q) / most(q.a, all(1e-4f));
    const v8 dark = 1.0f - smooth(all(0), all(0.5f), light), bright = smooth(all(0.5f), all(1), light);
    const v8 by = (1.0f + u[0] * dark) * (1.0f - 0.5f * (1.0f - u[1]) * bright);
    c = (v4){limited(p.r * by, all(0), p.a), limited(p.g * by, all(0), p.a), limited(p.b * by, all(0), p.a), p.a};
})
KERNEL(height, {
    const v4 p = at(j, 0, i);
    const v8 v = luma(p) * unit(2.0f * luma(at(j, 1, i)) - 1.0f) * p.a;
    c = (v4){v, v, v, p.a};
})

KERNEL(vignette, {
    const v4 p = at(j, 0, i);
    const v8 dx = x - u[0], dy = y - u[1];
    const v8 by = 1.0f - u[4] * smooth(all(u[2]), all(u[3]), root(dx * dx + dy * dy));
    c = (v4){p.r * by, p.g * by, p.b * by, p.a};
})
KERNEL(dither, {
    const v4 p = at(j, 0, i);
    const v8 add = (random_at(floored(x), floored(y)) - 0.5f) * u[0] * p.a, limit = most(p.a, all(0));
    c = (v4){limited(p.r + add, all(0), limit), limited(p.g + add, all(0), limit), limited(p.b + add, all(0), limit), p.a};
})
// The light's position and target, color, brightness and power.
KERNEL(spot_light, {
    const v4 p = at(j, 0, i);
    const v8 dx = x - u[0], dy = y - u[1];
    const float tx = u[3] - u[0], ty = u[4] - u[1], tz = u[5] - u[2], size = tx * tx + ty * ty + tz * tz;
    const v8 far = most(root(dx * dx + dy * dy + u[2] * u[2]), all(1e-3f)), axis = most(root(all(size)), all(1e-3f));
    const v8 facing = most((dx * tx + dy * ty - u[2] * tz) / (far * axis), all(0));
    const v8 lit = u[10] * power(facing, all(u[11])) * magnitude(all(u[2])) / far;
    c = (v4){limited(p.r * u[6] * lit, all(0), p.a), limited(p.g * u[7] * lit, all(0), p.a), limited(p.b * u[8] * lit, all(0), p.a), p.a};
})
KERNEL(depth, {
    const float ax = u[2] - u[0], ay = u[3] - u[1];
    const v8 size = most(root(all(ax * ax + ay * ay)), all(1)), away = magnitude((y - u[1]) * ax - (x - u[0]) * ay) / size;
    v4 p = at(j, 0, i);
    const v4 q = at(j, 1, i);
    const v8 gray = luma(p), share = smooth(all(0.15f), all(0.6f), away / size);
#define SATURATED(k) mixed(limited(mixed(gray, p.k, all(u[4])), all(0), p.a), q.k, share)
    c = (v4){SATURATED(r), SATURATED(g), SATURATED(b), mixed(p.a, q.a, share)};
})

INLINE v8 triangle(v8 v) { return magnitude(2.0f * part_of(v) - 1.0f); }
// Center, angle, width, sharpness and pattern.
KERNEL(screen, {
    const v4 p = at(j, 0, i);
    const v8 dx = (x - u[0]) / u[3], dy = (y - u[1]) / u[3], across = cosine(all(u[2])), up = sine(all(u[2]));
    const v8 tx = across * dx + up * dy, ty = across * dy - up * dx;
    const int pattern = (int)u[5];
    v8 limit;
    if (pattern == 0) {
        limit = 0.5f + 0.25f * (cosine_of_turns(tx) + cosine_of_turns(ty));
    } else if (pattern == 1) {
        limit = triangle(tx);
    } else if (pattern == 2) {
        limit = most(triangle(tx), triangle(ty));
        limit *= limit;
    } else {
        limit = triangle(root(dx * dx + dy * dy));
    }
    const float soft = 0.02f + 0.5f * (1 - u[4]);
    const v8 v = p.a * unit(0.5f + (luma(p) / most(p.a, all(1e-4f)) - limit) / (2 * soft));
    c = (v4){v, v, v, p.a};
})
INLINE v8 ink(v8 dx, v8 dy, float angle, v8 amount, float soft) {
    const v8 across = cosine(all(angle)), up = sine(all(angle));
    const v8 limit = 0.5f - 0.25f * (cosine_of_turns(across * dx + up * dy) + cosine_of_turns(across * dy - up * dx));
    return unit(0.5f + (amount - limit) / (2 * soft)) * smooth(all(0), all(0.05f), amount);
}
// Center, angle, width, sharpness, gray component replacement and undercolor removal.
KERNEL(cmyk, {
    const v4 p = at(j, 0, i);
    const v8 by = 1.0f / most(p.a, all(1e-4f)), r = 1.0f - p.r * by, g = 1.0f - p.g * by, b = 1.0f - p.b * by;
    const v8 black = u[5] * least(r, least(g, b)), under = u[6] * black, rest = 1.0f / most(1.0f - under, all(1e-3f));
    const v8 dx = (x - u[0]) / u[3], dy = (y - u[1]) / u[3];
    const float soft = 0.02f + 0.5f * (1 - u[4]), turn = 3.14159265f;
    const v8 paper = (1.0f - ink(dx, dy, u[2] + turn / 4, under, soft)) * p.a;
    c.r = (1.0f - ink(dx, dy, u[2] + turn / 12, (r - under) * rest, soft)) * paper;
    c.g = (1.0f - ink(dx, dy, u[2] + turn * 5 / 12, (g - under) * rest, soft)) * paper;
    c.b = (1.0f - ink(dx, dy, u[2], (b - under) * rest, soft)) * paper;
    c.a = p.a;
})

// MARK: functions of the position

INLINE v4 colors_between(const float *a, const float *b, v8 share) {
    return (v4){mixed(all(a[0]), all(b[0]), share), mixed(all(a[1]), all(b[1]), share), mixed(all(a[2]), all(b[2]), share),
        mixed(all(a[3]), all(b[3]), share)};
}
// The distance to the nearest edge of stripes of width 1, positive within the first color.
INLINE v8 side(v8 v) {
    v = v - 2.0f * floored(v * 0.5f);
    return chosen(v < 1.0f, least(v, 1.0f - v), -least(v - 1.0f, 2.0f - v));
}
KERNEL(stripes, { c = colors_between(u + 8, u + 4, unit(0.5f + 0.5f * side((x - u[0]) / u[2]) / u[3])); })
KERNEL(checkerboard, {
    const v8 dx = limited(side((x - u[0]) / u[2]) / u[3], all(-1), all(1)), dy = limited(side((y - u[1]) / u[2]) / u[3], all(-1), all(1));
    c = colors_between(u + 8, u + 4, 0.5f + 0.5f * dx * dy);
})
KERNEL(random_colors, {
    const v8 px = floored(x), py = floored(y), a = random_at(px + 73.0f, py + 97.0f);
    c = (v4){random_at(px, py) * a, random_at(px + 131.0f, py + 17.0f) * a, random_at(px + 31.0f, py + 211.0f) * a, a};
})
KERNEL(linear, {
    const float ax = u[2] - u[0], ay = u[3] - u[1], size = ax * ax + ay * ay;
    const v8 t = unit(((x - u[0]) * ax + (y - u[1]) * ay) / (size > 1e-6f ? size : 1e-6f));
    c = colors_between(u + 5, u + 9, u[4] > 0.5f ? t * t * (3.0f - 2.0f * t) : t);
})
KERNEL(radial, {
    const float size = u[3] - u[2];
    const v8 dx = x - u[0], dy = y - u[1], far = root(dx * dx + dy * dy) - u[2];
    c = colors_between(u + 4, u + 8, size < 1e-3f && size > -1e-3f ? WHERE(far >= 0.0f) : unit(far / size));
})
KERNEL(gaussian, {
    const v8 dx = (x - u[0]) / u[2], dy = (y - u[1]) / u[2];
    const float rest = 0.011108997f;
    c = colors_between(u + 7, u + 3, unit((natural_exponential(-4.5f * (dx * dx + dy * dy)) - rest) / (1 - rest)));
})
// Center, color, radius, size, angle, opacity, width and epsilon.
KERNEL(star, {
    const v8 dx = x - u[0], dy = y - u[1], across = cosine(all(u[8])), up = sine(all(u[8]));
    const v8 far = (dx * dx + dy * dy) / (u[6] * u[6]), ax = magnitude(across * dx + up * dy), ay = magnitude(across * dy - up * dx);
    const v8 glow = natural_exponential(-3.0f * far), core = natural_exponential(-12.0f * far);
    const float reach = u[6] * (u[7] > 0.1f ? u[7] : 0.1f) / 5, thin = (2 + 1 / (1 + 100 * u[11])) / reach, wide = 1 / (u[10] * u[10]);
    const v8 spikes = natural_exponential(-ax * thin - ay * ay * wide) + natural_exponential(-ay * thin - ax * ax * wide);
    const v8 cross = u[9] * 2.0f * spikes, a = unit(glow + cross) * u[5], white = unit(core + cross);
    c = (v4){least(mixed(all(u[2]), all(1), white), all(1)) * a, least(mixed(all(u[3]), all(1), white), all(1)) * a,
        least(mixed(all(u[4]), all(1), white), all(1)) * a, a};
})
KERNEL(every_color, {
    const v8 px = floored(x), green = floored((px + 0.5f) / u[0]), by = all(1 / (u[0] - 1));
    c = (v4){(px - green * u[0]) * by, green * by, (u[0] - 1.0f - floored(y)) * by, all(1)};
})
KERNEL(absolute_difference, {
    const v4 p = at(j, 0, i), q = at(j, 1, i), s = straight(p), t = straight(q);
    const v8 a = most(p.a, q.a);
    c = (v4){magnitude(s.r - t.r) * a, magnitude(s.g - t.g) * a, magnitude(s.b - t.b) * a, a};
})

// MARK: blend modes

// The W3C's compositing: `mixed_` is the result of the blend mode for straight colors.
INLINE v4 composed(v4 p, v4 q, v3 mixed_) {
    const v8 under = 1.0f - p.a, over = 1.0f - q.a, both = p.a * q.a;
    return (v4){
        p.r * over + q.r * under + both * mixed_.r, p.g * over + q.g * under + both * mixed_.g,
        p.b * over + q.b * under + both * mixed_.b, p.a + q.a * under,
    };
}
// A mode that blends a channel `b` of the background and a channel `s` of the image.
#define BLEND(name, expression) \
    INLINE v8 name##_channel(v8 b, v8 s) { return expression; } \
    KERNEL(name, { \
        const v4 p = at(j, 0, i), q = at(j, 1, i), s = straight(p), b = straight(q); \
        c = composed(p, q, (v3){name##_channel(b.r, s.r), name##_channel(b.g, s.g), name##_channel(b.b, s.b)}); \
    })
BLEND(blend_multiply, b * s)
BLEND(blend_screen, b + s - b * s)
BLEND(blend_overlay, chosen(b >= 0.5f, 1.0f - 2.0f * (1.0f - b) * (1.0f - s), 2.0f * b * s))
BLEND(blend_darken, least(b, s))
BLEND(blend_lighten, most(b, s))
BLEND(blend_dodge, chosen(s <= 0.999999f, least(all(1), b / most(1.0f - s, all(1e-6f))), WHERE(b >= 1e-6f)))
BLEND(blend_burn, chosen(s >= 1e-6f, 1.0f - least(all(1), (1.0f - b) / most(s, all(1e-6f))), WHERE(b >= 0.999999f)))
BLEND(blend_soft, chosen(s >= 0.5f,
    b + (2.0f * s - 1.0f) * (chosen(b >= 0.25f, root(most(b, all(0))), ((16.0f * b - 12.0f) * b + 4.0f) * b) - b),
    b - (1.0f - 2.0f * s) * b * (1.0f - b)))
BLEND(blend_hard, chosen(s >= 0.5f, 1.0f - 2.0f * (1.0f - b) * (1.0f - s), 2.0f * b * s))
BLEND(blend_difference, magnitude(b - s))
BLEND(blend_exclusion, b + s - 2.0f * b * s)
BLEND(blend_linear_burn, most(b + s - 1.0f, all(0)))
BLEND(blend_linear_dodge, least(b + s, all(1)))
BLEND(blend_linear_light, unit(b + 2.0f * s - 1.0f))
BLEND(blend_pin, chosen(s >= 0.5f, most(b, 2.0f * s - 1.0f), least(b, 2.0f * s)))
BLEND(blend_vivid, unit(chosen(s >= 0.5f, b / most(2.0f - 2.0f * s, all(1e-6f)), 1.0f - (1.0f - b) / most(2.0f * s, all(1e-6f)))))
BLEND(blend_divide, unit(b / most(s, all(1e-6f))))
BLEND(blend_subtract, most(b - s, all(0)))

// The lightness and saturation functions of the W3C's specification.
INLINE v8 light(v3 c) { return c.r * 0.3f + c.g * 0.59f + c.b * 0.11f; }
INLINE v8 lowest(v3 c) { return least(c.r, least(c.g, c.b)); }
INLINE v8 highest(v3 c) { return most(c.r, most(c.g, c.b)); }
INLINE v3 with_light(v3 c, v8 to) {
    const v8 add = to - light(c);
    c.r += add, c.g += add, c.b += add;
    const v8 l = light(c), low = lowest(c), high = highest(c);
    const v8 raise = chosen(low < 0.0f, l / most(l - low, all(1e-6f)), all(1));
    c.r = l + (c.r - l) * raise, c.g = l + (c.g - l) * raise, c.b = l + (c.b - l) * raise;
    const v8 reduce = chosen(high > 1.0f, (1.0f - l) / most(high - l, all(1e-6f)), all(1));
    c.r = l + (c.r - l) * reduce, c.g = l + (c.g - l) * reduce, c.b = l + (c.b - l) * reduce;
    return c;
}
INLINE v3 with_range(v3 c, v8 to) {
    const v8 low = lowest(c), range = highest(c) - low, by = chosen(range > 0.0f, to / range, all(0));
    return (v3){(c.r - low) * by, (c.g - low) * by, (c.b - low) * by};
}
INLINE v3 color_of(v4 c) { return (v3){c.r, c.g, c.b}; }
#define BLEND_COLORS(name, expression) \
    KERNEL(name, { \
        const v4 p = at(j, 0, i), q = at(j, 1, i); \
        const v3 s = color_of(straight(p)), b = color_of(straight(q)); \
        c = composed(p, q, expression); \
    })
BLEND_COLORS(blend_hue, with_light(with_range(s, highest(b) - lowest(b)), light(b)))
BLEND_COLORS(blend_saturation, with_light(with_range(b, highest(s) - lowest(s)), light(b)))
BLEND_COLORS(blend_color, with_light(s, light(b)))
BLEND_COLORS(blend_luminosity, with_light(b, light(s)))

// MARK: compositing operators, masks and transitions

// An operator on each channel of the image `s` and the background `b`, with alphas `sa` and `ba`.
#define OPERATOR(name, ...) \
    INLINE v8 name##_channel(v8 s, v8 b, v8 sa, v8 ba) { \
        (void)s, (void)b, (void)sa, (void)ba; \
        return __VA_ARGS__; \
    } \
    KERNEL(name, { \
        const v4 p = at(j, 0, i), q = at(j, 1, i); \
        c = (v4){name##_channel(p.r, q.r, p.a, q.a), name##_channel(p.g, q.g, p.a, q.a), name##_channel(p.b, q.b, p.a, q.a), \
            name##_channel(p.a, q.a, p.a, q.a)}; \
    })
OPERATOR(source_over, s + b * (1.0f - sa))
OPERATOR(source_in, s * ba)
OPERATOR(source_out, s * (1.0f - ba))
OPERATOR(source_atop, s * ba + b * (1.0f - sa))
OPERATOR(multiply, s * b)
OPERATOR(maximum, most(s, b))
OPERATOR(minimum, least(s, b))
KERNEL(addition, {
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    c = (v4){p.r + q.r, p.g + q.g, p.b + q.b, least(p.a + q.a, all(1))};
})

INLINE v4 between(v4 p, v4 q, v8 share) {
    return (v4){mixed(p.r, q.r, share), mixed(p.g, q.g, share), mixed(p.b, q.b, share), mixed(p.a, q.a, share)};
}
#define MASK(name, expression) \
    KERNEL(name, { \
        const v4 m = at(j, 2, i); \
        c = between(at(j, 1, i), at(j, 0, i), unit(expression)); \
    })
MASK(mask_luma, luma(m))
MASK(mask_alpha, m.a)
MASK(mask_red, m.r)
MASK(mask_blue, m.b)
KERNEL(dissolve, { c = between(at(j, 0, i), at(j, 1, i), all(u[0])); })

// Time, middle, direction, size, width, color and opacity.
KERNEL(swipe, {
    const v8 place = (x - u[1]) * u[3] + (y - u[2]) * u[4] + 0.5f * u[5];
    const v8 part = unit((u[0] * (u[5] + u[6]) - place) / u[6]);
    c = between(at(j, 0, i), at(j, 1, i), part);
    const v8 share = (u[11] < 1 ? u[11] : 1) * (1.0f - magnitude(2.0f * part - 1.0f));
    c = between(c, (v4){u[7] * c.a, u[8] * c.a, u[9] * c.a, c.a}, share);
})
KERNEL(copy_machine, {
    const v8 place = (x - u[1]) * u[3] + (y - u[2]) * u[4] + 0.5f * u[5];
    const float front = u[0] * (u[5] + u[6]) - 0.5f * u[6];
    const v4 p = at(j, 0, i), q = at(j, 1, i);
    const m8 isBehind = place < front;
    c = (v4){chosen(isBehind, q.r, p.r), chosen(isBehind, q.g, p.g), chosen(isBehind, q.b, p.b), chosen(isBehind, q.a, p.a)};
    const v8 light_ = u[11] * most(1.0f - 2.0f * magnitude(place - front) / u[6], all(0)), by = light_ * light_ * c.a;
    c.r = least(c.r + u[7] * by, c.a), c.g = least(c.g + u[8] * by, c.a), c.b = least(c.b + u[9] * by, c.a);
})
// Time, center, angle, radius and compression.
KERNEL(mod, {
    const v8 up = sine(all(u[3])), across = cosine(all(u[3]));
    v8 dx = x - u[1], dy = y - u[2];
    const v8 by = (1.0f + root(dx * dx + dy * dy) / u[5]) / u[4];
    const v8 px = (across * dx + up * dy) * by, py = (across * dy - up * dx) * by;
    dx = px - floored(px + 0.5f), dy = py - floored(py + 0.5f);
    const v8 hole = root(dx * dx + dy * dy);
    v8 share = unit((0.7072f * u[0] - hole) * u[4] + 0.5f);
    if (u[0] <= 0) share = all(0);
    if (u[0] >= 1) share = all(1);
    c = between(at(j, 0, i), at(j, 1, i), share);
})

// MARK: colors

// A color kernel: `s` is the straight color, and the body computes the straight color `c`.
#define COLOR(name, ...) \
    KERNEL(name, { \
        const v4 s = straight(at(j, 0, i)); \
        c = s; \
        __VA_ARGS__ \
        c.r *= c.a, c.g *= c.a, c.b *= c.a; \
    })
// A color kernel that computes each channel `v` from itself alone.
#define CHANNELS(name, ...) \
    INLINE v8 name##_channel(v8 v, const float *u) { \
        (void)u; \
        return __VA_ARGS__; \
    } \
    COLOR(name, { c.r = name##_channel(s.r, u), c.g = name##_channel(s.g, u), c.b = name##_channel(s.b, u); })
#define DOT3(n) (u[n] * s.r + u[n + 1] * s.g + u[n + 2] * s.b)
#define DOT4(n) (DOT3(n) + u[n + 3] * s.a)

COLOR(affine, { c.r = DOT3(0) + u[3], c.g = DOT3(4) + u[7], c.b = DOT3(8) + u[11]; })
CHANNELS(square, v * v)
CHANNELS(square_root, root(most(v, all(0))))
CHANNELS(gamma_, with_sign(power(magnitude(v), all(u[0])), v))
COLOR(vibrance, {
    const v8 range = most(s.r, most(s.g, s.b)) - least(s.r, least(s.g, s.b)), gray = luma(s), by = 1.0f + u[0] * (1.0f - unit(range));
    c.r = mixed(gray, s.r, by), c.g = mixed(gray, s.g, by), c.b = mixed(gray, s.b, by);
})
COLOR(color_matrix, {
    c = (v4){DOT4(0) + u[16], DOT4(4) + u[17], DOT4(8) + u[18], unit(DOT4(12) + u[19])};
})
INLINE v8 cubic(v8 v, const float *u) { return u[0] + v * (u[1] + v * (u[2] + v * u[3])); }
COLOR(polynomial, { c = (v4){cubic(s.r, u), cubic(s.g, u + 4), cubic(s.b, u + 8), unit(cubic(s.a, u + 12))}; })
INLINE v8 limited_by(v8 v, const float *u) { return limited(v, all(u[0]), all(u[0] > u[4] ? u[0] : u[4])); }
COLOR(clamp_, { c.r = limited_by(s.r, u), c.g = limited_by(s.g, u + 1), c.b = limited_by(s.b, u + 2); })
COLOR(clamp_alpha, { c = (v4){limited_by(s.r, u), limited_by(s.g, u + 1), limited_by(s.b, u + 2), limited_by(s.a, u + 3)}; })
// A segment of a natural spline, between points n and n + 1 of the five.
INLINE v8 segment(v8 v, const float *x, const float *y, const float *bend, int n) {
    const float h = x[n + 1] - x[n];
    const v8 t = (v - x[n]) / h, s = 1.0f - t;
    return s * y[n] + t * y[n + 1] + h * h / 6 * ((s * s * s - s) * bend[n] + (t * t * t - t) * bend[n + 1]);
}
INLINE v8 curved(v8 v, const float *u) {
    const float x[5] = {u[0], u[1], u[2], u[3], u[12]}, y[5] = {u[4], u[5], u[6], u[7], u[13]}, bend[5] = {u[8], u[9], u[10], u[11], u[14]};
    v = limited(v, all(x[0]), all(x[4]));
    const v8 low = chosen(v < x[1], segment(v, x, y, bend, 0), segment(v, x, y, bend, 1));
    return chosen(v < x[2], low, chosen(v < x[3], segment(v, x, y, bend, 2), segment(v, x, y, bend, 3)));
}
CHANNELS(tone_curve, curved(v, u))
CHANNELS(encode, encoded(v))
CHANNELS(decode, linear_of(v))
CHANNELS(threshold, WHERE(v > u[0]))
COLOR(light_, {
    const v4 l = {linear_of(s.r), linear_of(s.g), linear_of(s.b), s.a};
    c.r = encoded(u[0] * l.r + u[1] * l.g + u[2] * l.b), c.g = encoded(u[3] * l.r + u[4] * l.g + u[5] * l.b);
    c.b = encoded(u[6] * l.r + u[7] * l.g + u[8] * l.b);
})
COLOR(light_gain, { c.r = encoded(linear_of(s.r) * u[0]), c.g = encoded(linear_of(s.g) * u[1]), c.b = encoded(linear_of(s.b) * u[2]); })
COLOR(false_color, {
    const v8 share = luma(s);
    c = (v4){mixed(all(u[0]), all(u[4]), share), mixed(all(u[1]), all(u[5]), share), mixed(all(u[2]), all(u[6]), share),
        unit(mixed(all(u[3]), all(u[7]), share)) * s.a};
})
CHANNELS(posterize, limited(floored(v * u[0]), all(0), all(u[0] - 1)) / (u[0] - 1))
COLOR(maximum_component, { c.r = c.g = c.b = most(s.r, most(s.g, s.b)); })
COLOR(minimum_component, { c.r = c.g = c.b = least(s.r, least(s.g, s.b)); })
COLOR(mask_to_alpha, { c = (v4){all(1), all(1), all(1), unit(luma(s)) * s.a}; })
INLINE v8 crossed(v4 s, const float *u) {
    return DOT3(0) + u[3] + u[4] * s.r * s.r + u[5] * s.g * s.g + u[6] * s.b * s.b + u[7] * s.r * s.g + u[8] * s.g * s.b + u[9] * s.b * s.r;
}
COLOR(cross_polynomial, { c.r = crossed(s, u), c.g = crossed(s, u + 10), c.b = crossed(s, u + 20); })
INLINE v8 toned(v8 v, const float *u, int n) {
    v = unit(v);
    return mixed(all(u[1 + n]), all(u[4 + n]), mixed(v, v * v * (3.0f - 2.0f * v), all(u[0])));
}
COLOR(tone, { c.r = toned(s.r, u, 0), c.g = toned(s.g, u, 1), c.b = toned(s.b, u, 2); })
COLOR(thermal, {
    const v8 l = unit(luma(s));
    c.r = smooth(all(0.2f), all(0.6f), l), c.g = smooth(all(0.5f), all(0.9f), l);
    c.b = smooth(all(0), all(0.25f), l) - smooth(all(0.35f), all(0.6f), l) + smooth(all(0.8f), all(1), l);
})
COLOR(x_ray, {
    const v8 l = 1.0f - unit(luma(s));
    c.r = l * l * 0.85f, c.g = l * mixed(l, all(1), all(0.25f)), c.b = mixed(l, root(l + 0.01f), all(0.4f));
})
INLINE v3 inked(v3 paper, v4 s, const float *u) {
    const float closeness = u[3] > 1e-4f ? u[3] : 1e-4f, soft = closeness * (1 - u[7] > 0.01f ? 1 - u[7] : 0.01f);
    const v8 r = s.r - u[0], g = s.g - u[1], b = s.b - u[2], share = unit((closeness - root(r * r + g * g + b * b)) / soft);
    return (v3){mixed(paper.r, all(u[4]), share), mixed(paper.g, all(u[5]), share), mixed(paper.b, all(u[6]), share)};
}
COLOR(spot_color, {
    v3 paper = {all(1), all(1), all(1)};
    for (int n = 2; n >= 0; n--) paper = inked(paper, s, u + 8 * n);
    c.r = paper.r, c.g = paper.g, c.b = paper.b;
})

const zt_row_kernel zt_row_kernels[ZT_KERNEL_COUNT] = {
    [ZT_KERNEL_COPY] = {copy, 1, 0, 0, 0},
    [ZT_KERNEL_SCALE] = {NULL, 1, 0, 0, 2},
    [ZT_KERNEL_SYMMETRIC] = {NULL, 1, 0, 0, 20},
    [ZT_KERNEL_LINE] = {NULL, 1, 0, 0, 3},
    [ZT_KERNEL_DISC] = {NULL, 1, 0, 0, 5},
    [ZT_KERNEL_CONVOLUTION] = {NULL, 1, 0, 0, 68},
    [ZT_KERNEL_DISC_EXTREMUM] = {NULL, 1, 0, 0, 2},
    [ZT_KERNEL_LINE_EXTREMUM] = {NULL, 1, 0, 0, 6},
    [ZT_KERNEL_MEDIAN] = {median, 1, 1, 0, 0},
    [ZT_KERNEL_NOISE] = {noise, 1, 1, 1, 2},
    [ZT_KERNEL_EDGES] = {edges, 1, 1, 1, 1},
    [ZT_KERNEL_SOBEL] = {sobel, 1, 1, 0, 0},
    [ZT_KERNEL_COMIC] = {comic, 1, 1, 1, 0},
    [ZT_KERNEL_MASKED_BLUR] = {masked, 4, 0, 0, 0},
    [ZT_KERNEL_DIFFERENCE] = {difference, 2, 0, 0, 0},
    [ZT_KERNEL_UNSHARP] = {unsharp, 2, 0, 1, 2},
    [ZT_KERNEL_BLOOM] = {bloom, 2, 0, 0, 1},
    [ZT_KERNEL_GLOOM] = {gloom, 2, 0, 2, 1},
    [ZT_KERNEL_HIGHLIGHT_SHADOW] = {highlight_shadow, 2, 0, 3, 2},
    [ZT_KERNEL_HEIGHT] = {height, 2, 0, 1, 0},
    [ZT_KERNEL_VIGNETTE] = {vignette, 1, 0, 0, 5},
    [ZT_KERNEL_ABSOLUTE_DIFFERENCE] = {absolute_difference, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_MULTIPLY] = {blend_multiply, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_SCREEN] = {blend_screen, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_OVERLAY] = {blend_overlay, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_DARKEN] = {blend_darken, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_LIGHTEN] = {blend_lighten, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_COLOR_DODGE] = {blend_dodge, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_COLOR_BURN] = {blend_burn, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_SOFT_LIGHT] = {blend_soft, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_HARD_LIGHT] = {blend_hard, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_DIFFERENCE] = {blend_difference, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_EXCLUSION] = {blend_exclusion, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_HUE] = {blend_hue, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_SATURATION] = {blend_saturation, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_COLOR] = {blend_color, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_LUMINOSITY] = {blend_luminosity, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_LINEAR_BURN] = {blend_linear_burn, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_LINEAR_DODGE] = {blend_linear_dodge, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_LINEAR_LIGHT] = {blend_linear_light, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_PIN_LIGHT] = {blend_pin, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_VIVID_LIGHT] = {blend_vivid, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_DIVIDE] = {blend_divide, 2, 0, 3, 0},
    [ZT_KERNEL_BLEND_SUBTRACT] = {blend_subtract, 2, 0, 3, 0},
    [ZT_KERNEL_SOURCE_OVER] = {source_over, 2, 0, 1, 0},
    [ZT_KERNEL_SOURCE_IN] = {source_in, 2, 0, 2, 0},
    [ZT_KERNEL_SOURCE_OUT] = {source_out, 2, 0, 2, 0},
    [ZT_KERNEL_SOURCE_ATOP] = {source_atop, 2, 0, 3, 0},
    [ZT_KERNEL_ADDITION] = {addition, 2, 0, 0, 0},
    [ZT_KERNEL_MULTIPLY] = {multiply, 2, 0, 0, 0},
    [ZT_KERNEL_MAXIMUM] = {maximum, 2, 0, 0, 0},
    [ZT_KERNEL_MINIMUM] = {minimum, 2, 0, 0, 0},
    [ZT_KERNEL_MASK_LUMA] = {mask_luma, 3, 0, 0, 0},
    [ZT_KERNEL_MASK_ALPHA] = {mask_alpha, 3, 0, 4, 0},
    [ZT_KERNEL_MASK_RED] = {mask_red, 3, 0, 0, 0},
    [ZT_KERNEL_MASK_BLUE] = {mask_blue, 3, 0, 0, 0},
    [ZT_KERNEL_DISSOLVE] = {dissolve, 2, 0, 0, 1},
    [ZT_KERNEL_SWIPE] = {swipe, 2, 0, 3, 12},
    [ZT_KERNEL_COPY_MACHINE] = {copy_machine, 2, 0, 3, 12},
    [ZT_KERNEL_MOD] = {mod, 2, 0, 0, 6},
    [ZT_KERNEL_DITHER] = {dither, 1, 0, 1, 1},
    [ZT_KERNEL_SPOT_LIGHT] = {spot_light, 1, 0, 1, 12},
    [ZT_KERNEL_DEPTH] = {depth, 2, 0, 1, 5},
    [ZT_KERNEL_SCREEN] = {screen, 1, 0, 1, 6},
    [ZT_KERNEL_CMYK] = {cmyk, 1, 0, 1, 7},
    [ZT_KERNEL_STRIPES] = {stripes, 0, 0, 0, 12},
    [ZT_KERNEL_CHECKERBOARD] = {checkerboard, 0, 0, 0, 12},
    [ZT_KERNEL_RANDOM] = {random_colors, 0, 0, 0, 0},
    [ZT_KERNEL_LINEAR] = {linear, 0, 0, 0, 13},
    [ZT_KERNEL_RADIAL] = {radial, 0, 0, 0, 12},
    [ZT_KERNEL_GAUSSIAN] = {gaussian, 0, 0, 0, 11},
    [ZT_KERNEL_STAR] = {star, 0, 0, 0, 12},
    [ZT_KERNEL_EVERY_COLOR] = {every_color, 0, 0, 0, 1},
    [ZT_KERNEL_GAMMA] = {gamma_, 1, 0, 1, 1},
    [ZT_KERNEL_VIBRANCE] = {vibrance, 1, 0, 1, 1},
    [ZT_KERNEL_COLOR_MATRIX] = {color_matrix, 1, 0, 1, 20},
    [ZT_KERNEL_POLYNOMIAL] = {polynomial, 1, 0, 1, 16},
    [ZT_KERNEL_CLAMP] = {clamp_, 1, 0, 1, 8},
    [ZT_KERNEL_CLAMP_ALPHA] = {clamp_alpha, 1, 0, 1, 8},
    [ZT_KERNEL_TONE_CURVE] = {tone_curve, 1, 0, 1, 15},
    [ZT_KERNEL_ENCODE] = {encode, 1, 0, 1, 0},
    [ZT_KERNEL_DECODE] = {decode, 1, 0, 1, 0},
    [ZT_KERNEL_THRESHOLD] = {threshold, 1, 0, 1, 1},
    [ZT_KERNEL_LIGHT] = {light_, 1, 0, 1, 9},
    [ZT_KERNEL_LIGHT_GAIN] = {light_gain, 1, 0, 1, 3},
    [ZT_KERNEL_FALSE_COLOR] = {false_color, 1, 0, 1, 8},
    [ZT_KERNEL_POSTERIZE] = {posterize, 1, 0, 1, 1},
    [ZT_KERNEL_MAXIMUM_COMPONENT] = {maximum_component, 1, 0, 1, 0},
    [ZT_KERNEL_MINIMUM_COMPONENT] = {minimum_component, 1, 0, 1, 0},
    [ZT_KERNEL_MASK_TO_ALPHA] = {mask_to_alpha, 1, 0, 1, 0},
    [ZT_KERNEL_CROSS_POLYNOMIAL] = {cross_polynomial, 1, 0, 1, 30},
    [ZT_KERNEL_TONE] = {tone, 1, 0, 1, 7},
    [ZT_KERNEL_THERMAL] = {thermal, 1, 0, 1, 0},
    [ZT_KERNEL_X_RAY] = {x_ray, 1, 0, 1, 0},
    [ZT_KERNEL_SPOT_COLOR] = {spot_color, 1, 0, 1, 24},
    [ZT_KERNEL_CELL_MEAN] = {NULL, 1, 0, 0, 8},
    [ZT_KERNEL_PIXELLATE] = {NULL, 1, 0, 0, 3},
    [ZT_KERNEL_AFFINE] = {affine, 1, 0, 1, 12},
    [ZT_KERNEL_SQUARE] = {square, 1, 0, 1, 0},
    [ZT_KERNEL_ROOT] = {square_root, 1, 0, 1, 0},
};

#if defined(__x86_64__)
#pragma clang attribute pop
int zt_can_filter(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
int zt_can_filter(void) { return 1; }
#endif
#else
int zt_can_filter(void) { return 0; }
const zt_row_kernel zt_row_kernels[ZT_KERNEL_COUNT];
void zt_row_sum(const float *const rows[], const float *weights, int taps, float bias, float *out, int count) {
    (void)rows, (void)weights, (void)taps, (void)bias, (void)out, (void)count;
}
void zt_row_sum_batch(const float *const rows[], const float *weights, int taps, float *const out[], int count) {
    (void)rows, (void)weights, (void)taps, (void)out, (void)count;
}
void zt_row_extremum(const float *const rows[], int taps, int isLargest, float *out, int count) {
    (void)rows, (void)taps, (void)isLargest, (void)out, (void)count;
}
void zt_row_blend(const float *a, const float *b, float share, float *out, int count) { (void)a, (void)b, (void)share, (void)out, (void)count; }
void zt_row_halve(const float *row, float *out, int count) { (void)row, (void)out, (void)count; }
void zt_row_enlarge(const float *row, const int32_t *starts, const int32_t *places, const float *shares, float *out, int count) {
    (void)row, (void)starts, (void)places, (void)shares, (void)out, (void)count;
}
void zt_row_read(const uint8_t *pixels, int count, zt_pixel_order order, float *out, ptrdiff_t plane, int channels) {
    (void)pixels, (void)count, (void)order, (void)out, (void)plane, (void)channels;
}
void zt_row_write(const float *row, ptrdiff_t plane, int count, zt_pixel_order order, uint8_t *pixels) {
    (void)row, (void)plane, (void)count, (void)order, (void)pixels;
}
#endif
