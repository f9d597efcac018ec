#include "CPixels.h"
#include "scaler.h"
#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE __attribute__((target("avx2"), always_inline)) static inline

int zt_can_scale(void) { return __builtin_cpu_supports("avx2"); }

INLINE __m256i load2(const uint8_t *source, const int32_t *starts) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(source + starts[0]))),
        _mm_loadu_si128((const __m128i *)(source + starts[1])), 1);
}

// Adds a step of two quads.
INLINE __m256i weighted(__m256i sum, const uint8_t *source, const zt_row_plan *plan, int quad) {
    const __m256i words = _mm256_shuffle_epi8(load2(source, plan->starts + quad), _mm256_load_si256((const __m256i *)plan->bytes[quad]));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(words, _mm256_load_si256((const __m256i *)plan->weights[quad])));
}

INLINE void scale(const zt_row_plan *plan, const uint8_t *source, int16_t *result, int offset, int steps) {
    const __m128i shift = _mm_cvtsi32_si128(plan->shift);
    const __m256i add = _mm256_set1_epi32((1 << (plan->shift - 1)) - (offset << plan->shift));
    for (int group = 0, quad = 0; group < plan->groups; group++) {
        __m256i a = add, b = add;
        for (int step = 0; step < steps; step++, quad += 4) {
            a = weighted(a, source, plan, quad);
            b = weighted(b, source, plan, quad + 2);
        }
        _mm256_store_si256((__m256i *)(result + group * ZT_GROUP), _mm256_packs_epi32(_mm256_sra_epi32(a, shift), _mm256_sra_epi32(b, shift)));
    }
}

INLINE __m256i samples(const uint8_t *row, int at, int bytes, __m128i shift) {
    if (bytes == 1) return _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + at))), 7);
    return _mm256_sll_epi16(_mm256_loadu_si256((const __m256i *)(row + at * 2)), shift);
}

INLINE void blend(const uint8_t *const rows[], const int16_t *weights, int taps, int bytes, int shift, int16_t *result, int length) {
    const __m128i left = _mm_cvtsi32_si128(shift);
    for (int at = 0;; at += ZT_GROUP) {
        // The last group may overlap the one before it.
        if (at > length - ZT_GROUP) at = length - ZT_GROUP;
        __m256i sum = _mm256_mulhrs_epi16(samples(rows[0], at, bytes, left), _mm256_set1_epi16(weights[0]));
        for (int k = 1; k < taps; k++)
            sum = _mm256_adds_epi16(sum, _mm256_mulhrs_epi16(samples(rows[k], at, bytes, left), _mm256_set1_epi16(weights[k])));
        _mm256_storeu_si256((__m256i *)(result + at), sum);
        if (at == length - ZT_GROUP) return;
    }
}

AVX2 void zt_blend_rows(const uint8_t *const rows[], const int16_t *weights, int taps, int bytes, int shift, int16_t *result, int length) {
    if (bytes > 1) return blend(rows, weights, taps, 2, shift, result, length);
    switch (taps) {
    case 2: return blend(rows, weights, 2, 1, shift, result, length);
    case 3: return blend(rows, weights, 3, 1, shift, result, length);
    case 4: return blend(rows, weights, 4, 1, shift, result, length);
    default: blend(rows, weights, taps, 1, shift, result, length);
    }
}

AVX2 void zt_scale_row(const zt_row_plan *plan, const uint8_t *source, int16_t *result, int offset) {
    switch (plan->steps) {
    case 1: scale(plan, source, result, offset, 1); break;
    case 2: scale(plan, source, result, offset, 2); break;
    default: scale(plan, source, result, offset, plan->steps);
    }
}

INLINE __m256i blended(const int16_t *const rows[], const int16_t *weights, int taps, int at) {
    __m256i sum = _mm256_mulhrs_epi16(_mm256_load_si256((const __m256i *)(rows[0] + at)), _mm256_set1_epi16(weights[0]));
    for (int k = 1; k < taps; k++)
        sum = _mm256_adds_epi16(sum, _mm256_mulhrs_epi16(_mm256_load_si256((const __m256i *)(rows[k] + at)), _mm256_set1_epi16(weights[k])));
    return sum;
}

INLINE void pixels(const zt_row_sources *s, const zt_matrix *m, uint32_t *target, int groups, int lumaTaps, int chromaTaps) {
    const __m256i black = _mm256_set1_epi16(m->black), luma = _mm256_set1_epi16(m->luma), round = _mm256_set1_epi16(32);
    const __m256i redInRed = _mm256_set1_epi16(m->redInRed), redInGreen = _mm256_set1_epi16(m->redInGreen);
    const __m256i blueInGreen = _mm256_set1_epi16(m->blueInGreen), blueInBlue = _mm256_set1_epi16(m->blueInBlue);
    // Interleaves two halves of a lane by bytes.
    const __m256i zip = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    const __m256i opaque = _mm256_set1_epi16(255);
    for (int group = 0; group < groups; group++) {
        const int at = group * ZT_GROUP;
        __m256i y = _mm256_sub_epi16(blended(s->luma, s->lumaWeights, lumaTaps, at), black);
        y = _mm256_add_epi16(_mm256_mulhrs_epi16(y, luma), round);
        __m256i u = blended(s->blue, s->chromaWeights, chromaTaps, at), v = blended(s->red, s->chromaWeights, chromaTaps, at);
        u = _mm256_adds_epi16(u, u);
        v = _mm256_adds_epi16(v, v);
        const __m256i r = _mm256_adds_epi16(y, _mm256_mulhrs_epi16(v, redInRed));
        const __m256i b = _mm256_adds_epi16(y, _mm256_mulhrs_epi16(u, blueInBlue));
        const __m256i g = _mm256_adds_epi16(y, _mm256_adds_epi16(_mm256_mulhrs_epi16(u, blueInGreen), _mm256_mulhrs_epi16(v, redInGreen)));
        const __m256i bg = _mm256_shuffle_epi8(_mm256_packus_epi16(_mm256_srai_epi16(b, 6), _mm256_srai_epi16(g, 6)), zip);
        const __m256i rx = _mm256_shuffle_epi8(_mm256_packus_epi16(_mm256_srai_epi16(r, 6), opaque), zip);
        const __m256i low = _mm256_unpacklo_epi16(bg, rx), high = _mm256_unpackhi_epi16(bg, rx);
        _mm256_storeu_si256((__m256i *)(target + at), _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256((__m256i *)(target + at + 8), _mm256_permute2x128_si256(low, high, 0x31));
    }
}

AVX2 void zt_make_pixels(const zt_row_sources *s, const zt_matrix *m, uint32_t *target, int groups) {
    if (s->chromaTaps == 2) {
        switch (s->lumaTaps) {
        case 1: return pixels(s, m, target, groups, 1, 2);
        case 2: return pixels(s, m, target, groups, 2, 2);
        case 3: return pixels(s, m, target, groups, 3, 2);
        case 4: return pixels(s, m, target, groups, 4, 2);
        }
    }
    pixels(s, m, target, groups, s->lumaTaps, s->chromaTaps);
}
#endif
