/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as sixels and for kitty; see raster.h. */
#include "out/raster.h"
#include <stdlib.h>
#include <string.h>

/* ---- Sixel ---- */

#define BAND 6

/* A run of one sixel: six pixels above each other, the lowest bit on top. */
static void put_run(FILE *f, unsigned bits, uint32_t n)
{
    const char c = (char)('?' + bits);
    if (n > 3)
        fprintf(f, "!%u%c", n, c);
    else
        for (; n; n--) putc(c, f);
}

/* The pixels of one colour in a band of so many lines. */
static void put_colour(FILE *f, const uint8_t *index, uint32_t width, unsigned lines, unsigned colour)
{
    unsigned run = 0;
    uint32_t n = 0;
    for (uint32_t x = 0; x < width; x++) {
        unsigned bits = 0;
        for (unsigned y = 0; y < lines; y++) bits |= (index[(size_t)y * width + x] == colour ? 1U : 0U) << y;
        if (bits != run) {
            put_run(f, run, n);
            n = 0;
        }
        run = bits;
        n++;
    }
    if (run) put_run(f, run, n);
}

static void put_band(FILE *f, const uint8_t *index, uint32_t width, unsigned lines)
{
    bool used[256] = {false}, first = true;
    for (size_t i = 0; i < (size_t)lines * width; i++) used[index[i]] = true;
    for (unsigned c = 0; c < 256; c++) {
        if (!used[c]) continue;
        fprintf(f, "%s#%u", first ? "" : "$", c);
        put_colour(f, index, width, lines, c);
        first = false;
    }
    putc('-', f);
}

bool graphics_sixel(FILE *f, const struct raster *r, unsigned colours, struct gpudbg_error *err)
{
    uint8_t percent[3 * 256];
    const size_t pixels = (size_t)r->width * r->height;
    uint8_t *index = malloc(pixels ? pixels : 1);
    const unsigned n = index ? palette_make(r, colours, index, percent) : 0;
    if (n) {
        fprintf(f, "\033P0;1q\"1;1;%u;%u", r->width, r->height);
        for (unsigned c = 0; c < n; c++)
            fprintf(f, "#%u;2;%u;%u;%u", c, percent[3 * c], percent[3 * c + 1], percent[3 * c + 2]);
        for (uint32_t y = 0; y < r->height; y += BAND)
            put_band(f, index + (size_t)y * r->width, r->width, r->height - y < BAND ? r->height - y : BAND);
        fputs("\033\\", f);
    }
    free(index);
    return n || gpudbg_fail(err, "memory", "no memory for the colours of the picture");
}

/* ---- Kitty ---- */

#define PIECE 3072 /* bytes, 4096 characters */

void raster_base64(FILE *f, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const size_t have = n - i < 3 ? n - i : 3;
        uint32_t word = 0;
        for (size_t k = 0; k < 3; k++) word = word << 8 | (k < have ? bytes[i + k] : 0U);
        for (size_t k = 0; k < 4; k++) putc(k <= have ? digits[word >> (18 - 6 * k) & 63U] : '=', f);
    }
}

void graphics_kitty(FILE *f, const uint8_t *png, size_t n, uint32_t number)
{
    char place[60] = "";
    if (number) snprintf(place, sizeof place, "i=%u,p=1,C=1,z=-1073741825,", number);
    for (size_t i = 0; i < n; i += PIECE) {
        const size_t size = n - i < PIECE ? n - i : PIECE;
        fprintf(f, "\033_G%s%sm=%d;", i ? "" : "a=T,f=100,q=2,", i ? "" : place, i + size < n);
        raster_base64(f, png + i, size);
        fputs("\033\\", f);
    }
}

void graphics_kitty_delete(FILE *f, uint32_t number) { fprintf(f, "\033_Ga=d,d=I,i=%u,q=2\033\\", number); }
