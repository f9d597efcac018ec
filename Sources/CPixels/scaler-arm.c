#include "CPixels.h"
#include "scaler.h"
#if defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>

int zt_can_scale(void) { return 1; }

static inline int16x8_t samples(const uint8_t *row, int at, int bytes, int shift) {
    if (bytes == 1) return vreinterpretq_s16_u16(vshll_n_u8(vld1_u8(row + at), 7));
    return vreinterpretq_s16_u16(vshlq_u16(vreinterpretq_u16_u8(vld1q_u8(row + at * 2)), vdupq_n_s16(shift)));
}

void zt_blend_rows(const uint8_t *const rows[], const int16_t *weights, int taps, int bytes, int shift, int16_t *result, int length) {
    for (int at = 0;; at += 8) {
        // The last group may overlap the one before it.
        if (at > length - 8) at = length - 8;
        int16x8_t sum = vqrdmulhq_n_s16(samples(rows[0], at, bytes, shift), weights[0]);
        for (int k = 1; k < taps; k++) sum = vqaddq_s16(sum, vqrdmulhq_n_s16(samples(rows[k], at, bytes, shift), weights[k]));
        vst1q_s16(result + at, sum);
        if (at == length - 8) return;
    }
}

void zt_scale_row(const zt_row_plan *plan, const uint8_t *source, int16_t *result, int offset) {
    static const int order[4] = {0, 8, 4, 12};
    const int32x4_t add = vdupq_n_s32((1 << (plan->shift - 1)) - (offset << plan->shift)), left = vdupq_n_s32(-plan->shift);
    for (int group = 0; group < plan->groups; group++, result += ZT_GROUP) {
        for (int place = 0; place < 4; place++) {
            int32x4_t sum = add;
            for (int step = 0; step < plan->steps; step++) {
                const int quad = (group * plan->steps + step) * 4 + place;
                const int16x8_t words = vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(source + plan->starts[quad]), vld1q_u8(plan->bytes[quad])));
                const int16x8_t weights = vld1q_s16(plan->weights[quad]);
                sum = vaddq_s32(sum, vpaddq_s32(vmull_s16(vget_low_s16(words), vget_low_s16(weights)), vmull_high_s16(words, weights)));
            }
            vst1_s16(result + order[place], vqmovn_s32(vshlq_s32(sum, left)));
        }
    }
}

static inline int16x8_t blended(const int16_t *const rows[], const int16_t *weights, int taps, int at) {
    int16x8_t sum = vqrdmulhq_n_s16(vld1q_s16(rows[0] + at), weights[0]);
    for (int k = 1; k < taps; k++) sum = vqaddq_s16(sum, vqrdmulhq_n_s16(vld1q_s16(rows[k] + at), weights[k]));
    return sum;
}

void zt_make_pixels(const zt_row_sources *s, const zt_matrix *m, uint32_t *target, int groups) {
    for (int at = 0; at < groups * ZT_GROUP; at += 8) {
        int16x8_t y = vsubq_s16(blended(s->luma, s->lumaWeights, s->lumaTaps, at), vdupq_n_s16(m->black));
        y = vaddq_s16(vqrdmulhq_n_s16(y, m->luma), vdupq_n_s16(32));
        int16x8_t u = blended(s->blue, s->chromaWeights, s->chromaTaps, at), v = blended(s->red, s->chromaWeights, s->chromaTaps, at);
        u = vqaddq_s16(u, u);
        v = vqaddq_s16(v, v);
        const int16x8_t r = vqaddq_s16(y, vqrdmulhq_n_s16(v, m->redInRed));
        const int16x8_t b = vqaddq_s16(y, vqrdmulhq_n_s16(u, m->blueInBlue));
        const int16x8_t g = vqaddq_s16(y, vqaddq_s16(vqrdmulhq_n_s16(u, m->blueInGreen), vqrdmulhq_n_s16(v, m->redInGreen)));
        const uint8x8x4_t pixels = {{vqshrun_n_s16(b, 6), vqshrun_n_s16(g, 6), vqshrun_n_s16(r, 6), vdup_n_u8(255)}};
        vst4_u8((uint8_t *)(target + at), pixels);
    }
}
#endif
