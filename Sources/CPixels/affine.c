#include "CPixels.h"
#include "widest.h"

// Measured at 1280×720 on one core of a Xeon with AVX2: 0.40 ms, and 1.2 ms without the instructions of x86-64-v3.
WIDEST
void zt_pixels_affine(uint32_t *pixels, size_t count, const float rows[12]) {
    const float rr = rows[0], rg = rows[1], rb = rows[2], r0 = rows[3] + 0.5f;
    const float gr = rows[4], gg = rows[5], gb = rows[6], g0 = rows[7] + 0.5f;
    const float br = rows[8], bg = rows[9], bb = rows[10], b0 = rows[11] + 0.5f;
    for (size_t i = 0; i < count; i++) {
        const uint32_t p = pixels[i];
        const float b = (float)(int32_t)(p & 255), g = (float)(int32_t)(p >> 8 & 255), r = (float)(int32_t)(p >> 16 & 255);
        float nr = rr * r + rg * g + rb * b + r0, ng = gr * r + gg * g + gb * b + g0, nb = br * r + bg * g + bb * b + b0;
        nr = nr > 0 ? nr : 0;
        ng = ng > 0 ? ng : 0;
        nb = nb > 0 ? nb : 0;
        nr = nr < 255 ? nr : 255;
        ng = ng < 255 ? ng : 255;
        nb = nb < 255 ? nb : 255;
        pixels[i] = (uint32_t)(int32_t)nb | (uint32_t)(int32_t)ng << 8 | (uint32_t)(int32_t)nr << 16 | 0xFF000000u;
    }
}
