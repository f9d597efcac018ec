#include "CPixels.h"
#include "widest.h"
#include <string.h>

typedef uint32_t pixels8 __attribute__((vector_size(32)));
typedef uint16_t halves8 __attribute__((vector_size(32)));
typedef uint64_t words4 __attribute__((vector_size(32)));

// Blends pixels, two channels in one word: (v · rest + 128) · 257 >> 16 equals v · rest / 255, rounded.
#define OVER(result, over, under) do { \
        const pixels8 one = 255 - ((over) >> 24); \
        const halves8 rest = (halves8)(one | one << 16); \
        halves8 rb = (halves8)((under) & 0x00FF00FFu) * rest + 128; \
        rb = (rb + (rb >> 8)) >> 8; \
        halves8 ag = (halves8)((under) >> 8 & 0x00FF00FFu) * rest + 128; \
        ag = (ag + (ag >> 8)) & 0xFF00; \
        (result) = (over) + ((pixels8)rb | (pixels8)ag); \
    } while (0)

WIDEST
void zt_pixels_over(uint32_t *target, const uint32_t *source, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        pixels8 over, under;
        memcpy(&over, source + i, sizeof over);
        // Most of a subtitle's rectangle may be transparent.
        const words4 any = (words4)over;
        if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
        memcpy(&under, target + i, sizeof under);
        OVER(under, over, under);
        memcpy(target + i, &under, sizeof under);
    }
    if (i < count) {
        pixels8 over = {0}, under = {0};
        memcpy(&over, source + i, (count - i) * sizeof *source);
        memcpy(&under, target + i, (count - i) * sizeof *source);
        OVER(under, over, under);
        memcpy(target + i, &under, (count - i) * sizeof *source);
    }
}
