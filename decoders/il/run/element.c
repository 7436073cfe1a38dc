/* SPDX-License-Identifier: GPL-3.0-or-later */
/* element.c: elements of typed resources: components of 8, 16 or 32 bits as words of IL, and back. */
#include <math.h>
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/il_run.h"

static double linear_of(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

static double srgb_of(double c) { return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055; }

static uint32_t decoded(uint32_t v, const struct il_format *f, unsigned component)
{
    const unsigned up = 32 - f->bits;
    const double most = (double)(UINT32_MAX >> up), most_signed = (double)(UINT32_MAX >> up >> 1);
    const int32_t s = (int32_t)(v << up) >> up;
    switch (f->kind) {
    case ELEMENT_SNORM: return lanes_bits32((float)(s / most_signed < -1 ? -1 : s / most_signed));
    case ELEMENT_UNORM: return lanes_bits32((float)(v / most));
    case ELEMENT_SRGB: return lanes_bits32((float)(component < 3 ? linear_of(v / most) : v / most));
    case ELEMENT_SINT: return (uint32_t)s;
    case ELEMENT_UINT: return v;
    default: return f->bits == 16 ? lanes_f32_from_f16(v, true) : v;
    }
}

static uint32_t encoded(uint32_t v, const struct il_format *f, unsigned component)
{
    const unsigned up = 32 - f->bits;
    const double most = (double)(UINT32_MAX >> up), most_signed = (double)(UINT32_MAX >> up >> 1);
    const float x = lanes_f32(v);
    const double unit = !(x > 0) ? 0 : x > 1 ? 1 : (double)x, both = x != x ? 0 : x < -1 ? -1 : x > 1 ? 1 : (double)x;
    switch (f->kind) {
    case ELEMENT_SNORM: return (uint32_t)(int32_t)lanes_rint(both * most_signed) & UINT32_MAX >> up;
    case ELEMENT_UNORM: return (uint32_t)lanes_rint(unit * most);
    case ELEMENT_SRGB: return (uint32_t)lanes_rint((component < 3 ? srgb_of(unit) : unit) * most);
    case ELEMENT_SINT:
    case ELEMENT_UINT: return v & UINT32_MAX >> up;
    default: return f->bits == 16 ? lanes_f16_from_f32(v, LANES_NEAREST, true) : v;
    }
}

static bool is_integer(const struct il_format *f) { return f->kind == ELEMENT_SINT || f->kind == ELEMENT_UINT; }

void il_element_read(
    struct gpudbg_wave *w, const struct il_resource *r, uint64_t offset, uint32_t out[4], unsigned lane)
{
    const struct il_format *f = &r->format;
    const unsigned bytes = f->bits / 8u;
    uint8_t raw[16] = {0};
    il_read(w, r->segment, offset, raw, f->components * bytes, lane);
    out[0] = out[1] = out[2] = 0;
    out[3] = is_integer(f) ? 1 : 0x3f800000;
    for (unsigned c = 0; c < f->components; c++) {
        uint32_t v = 0;
        memcpy(&v, raw + c * bytes, bytes);
        out[f->order[c]] = decoded(v, f, c);
    }
}

bool il_element_write(
    struct gpudbg_wave *w, const struct il_resource *r, uint64_t offset, const uint32_t in[4], unsigned lane)
{
    const struct il_format *f = &r->format;
    const unsigned bytes = f->bits / 8u;
    uint8_t raw[16] = {0};
    for (unsigned c = 0; c < f->components; c++) {
        const uint32_t v = encoded(in[f->order[c]], f, c);
        memcpy(raw + c * bytes, &v, bytes);
    }
    return il_write(w, r->segment, offset, raw, f->components * bytes, lane);
}
