/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.c: names of formats; elements as four channels. */
#include "message/surface.h"
#include "alu/arith.h"
#include "gpudbg/lanes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOAT, SINT, UINT, UNORM, SNORM };

static const char *const kinds[] = {"float", "sint", "uint", "unorm", "snorm"};

static bool known(const char *name, size_t n, struct gen_surface_state *s)
{
    static const struct {
        const char *name;
        uint8_t kind, bits, channels;
    } own[] = {{"r32_uint", UINT, 32, 1}, {"r32_sint", SINT, 32, 1}, {"r32_float", FLOAT, 32, 1},
        {"uint4", UINT, 32, 4}, {"sint4", SINT, 32, 4}, {"float4", FLOAT, 32, 4}, {"unorm8x4", UNORM, 8, 4}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i].name) == n && strncmp(own[i].name, name, n) == 0) {
            s->kind = own[i].kind;
            s->bits = own[i].bits;
            s->channels = own[i].channels;
            return true;
        }
    return false;
}

/* The manual's names: R16G16_UNORM, B8G8R8A8_UNORM, with equal channels of 8, 16 or 32 bits. */
static bool manual(const char *name, size_t n, struct gen_surface_state *s)
{
    static const char order[] = "rgba", swapped[] = "bgra";
    char text[40];
    if (n >= sizeof text) return false;
    for (size_t i = 0; i < n; i++) text[i] = (char)tolower((unsigned char)name[i]);
    text[n] = 0;
    const char *p = text, *letters = *p == 'b' ? swapped : order;
    s->bgra = *p == 'b';
    s->channels = 0;
    while (s->channels < 4 && *p == letters[s->channels]) {
        char *end;
        unsigned long bits = strtoul(p + 1, &end, 10);
        if ((bits != 8 && bits != 16 && bits != 32) || (s->channels && bits != s->bits)) return false;
        s->bits = (uint8_t)bits;
        s->channels++;
        p = end;
    }
    if (!s->channels || *p++ != '_') return false;
    for (s->kind = 0; s->kind < sizeof kinds / sizeof *kinds; s->kind++)
        if (strcmp(p, kinds[s->kind]) == 0) return s->kind != FLOAT || s->bits != 8;
    return false;
}

bool gen_surface_format(const char *text, struct gen_surface_state *s, struct gpudbg_error *err)
{
    if (!text) return true;
    size_t n = strcspn(text, "/:");
    if (!known(text, n, s) && !manual(text, n, s))
        return gpudbg_fail(err, "bad-argument",
            "launch: '%.60s' is not the name of a surface format; float4 and R16G16_UNORM are", text);
    const char *p = text + n;
    int end = 0;
    if (*p == '/') {
        if (sscanf(p, "/%u%n", &s->pitch, &end) != 1 || !s->pitch)
            return gpudbg_fail(
                err, "bad-argument", "launch: '%.60s': the bytes from one element to the next must follow '/'", text);
        p += end;
    }
    if (*p == ':') {
        int more = 0;
        bool good = sscanf(p, ":%ux%u%n", &s->size[0], &s->size[1], &end) == 2 && s->size[0] && s->size[1];
        s->size[2] = 1;
        if (good && p[end] == 'x') good = sscanf(p + end, "x%u%n", &s->size[2], &more) == 1 && s->size[2];
        p += end + more;
        if (!good)
            return gpudbg_fail(err, "bad-argument", "launch: '%.60s': a size, WxH or WxHxD, must follow ':'", text);
    }
    return !*p || gpudbg_fail(err, "bad-argument", "launch: '%.60s': '%s' after the format is not understood", text, p);
}

uint32_t gen_surface_cl_type(const struct gen_surface_state *s)
{
    static const uint16_t types[][3] = {/* 8, 16, 32 bits */
        [FLOAT] = {0, 0x10dd, 0x10de},
        [SINT] = {0x10d7, 0x10d8, 0x10d9},
        [UINT] = {0x10da, 0x10db, 0x10dc},
        [UNORM] = {0x10d2, 0x10d3, 0},
        [SNORM] = {0x10d0, 0x10d1, 0}};
    return s->channels ? types[s->kind][s->bits == 8 ? 0 : s->bits == 16 ? 1 : 2] : 0x10de;
}

uint32_t gen_surface_cl_order(const struct gen_surface_state *s)
{
    static const uint16_t orders[] = {0x10b5, 0x10b0, 0x10b2, 0x10b4, 0x10b5}; /* RGBA R RG RGB RGBA */
    return s->bgra ? 0x10b6 : orders[s->channels];
}

unsigned gen_surface_bytes(const struct gen_surface_state *s) { return s->channels ? s->bits / 8u * s->channels : 16; }

bool gen_surface_is_float(const struct gen_surface_state *s)
{
    return !s->channels || s->kind == FLOAT || s->kind >= UNORM;
}

int64_t gen_surface_offset(const struct gen_surface_state *s, int64_t u, int64_t v, int64_t r)
{
    int64_t pitch = s->pitch ? s->pitch : gen_surface_bytes(s);
    if (u < 0 || v < 0 || r < 0) return -1;
    if (!s->size[0]) return v || r || u > INT64_MAX / 2 / pitch ? -1 : u * pitch;
    if (u >= s->size[0] || v >= s->size[1] || r >= s->size[2]) return -1;
    return ((r * s->size[1] + v) * s->size[0] + u) * pitch;
}

void gen_surface_decode(const struct gen_surface_state *s, const uint8_t *bytes, struct gen_texel *t)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    unsigned size = s->channels ? s->bits / 8u : 4, channels = s->channels ? s->channels : 4;
    *t = (struct gen_texel){{0, 0, 0, gen_surface_is_float(s) ? 0x3f800000u : 1u}};
    for (unsigned i = 0; i < channels; i++) {
        uint32_t v = 0, *to = &t->c[s->bgra && i < 3 ? 2 - i : i];
        memcpy(&v, bytes + i * size, size);
        int32_t sv = size == 1 ? (int8_t)v : size == 2 ? (int16_t)v : (int32_t)v;
        double most = size == 1   ? 255
                      : size == 2 ? 65535
                                  : 4294967295.0,
               smost = size == 1   ? 127
                       : size == 2 ? 32767
                                   : 2147483647.0;
        switch (s->channels ? s->kind : FLOAT) {
        case FLOAT: *to = size == 4 ? v : (uint32_t)gen_float_convert(GEN_HF, GEN_F32, v, &fp); break;
        case SINT: *to = (uint32_t)sv; break;
        case UNORM: *to = lanes_bits32((float)(v / most)); break;
        case SNORM: *to = lanes_bits32(sv / smost < -1 ? -1.0f : (float)(sv / smost)); break;
        default: *to = v; break;
        }
    }
}

static uint32_t normalised(float f, double least, double most)
{
    double d = f != f ? 0 : f < least ? least : f > 1 ? 1 : f;
    d *= most;
    return (uint32_t)(int64_t)(d < 0 ? d - 0.5 : d + 0.5);
}

void gen_surface_encode(const struct gen_surface_state *s, const struct gen_texel *t, uint8_t *bytes)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    unsigned size = s->channels ? s->bits / 8u : 4, channels = s->channels ? s->channels : 4;
    for (unsigned i = 0; i < channels; i++) {
        uint32_t v = t->c[s->bgra && i < 3 ? 2 - i : i];
        switch (s->channels ? s->kind : FLOAT) {
        case FLOAT: v = size == 4 ? v : (uint32_t)gen_float_convert(GEN_F32, GEN_HF, v, &fp); break;
        case SINT: v = (uint32_t)gen_int_saturate(size == 1 ? GEN_B : size == 2 ? GEN_W : GEN_D, (int32_t)v); break;
        case UINT: v = (uint32_t)gen_int_saturate(size == 1 ? GEN_UB : size == 2 ? GEN_UW : GEN_UD, v); break;
        case UNORM: v = normalised(lanes_f32(v), 0, size == 1 ? 255 : size == 2 ? 65535 : 4294967295.0); break;
        default: v = normalised(lanes_f32(v), -1, size == 1 ? 127 : size == 2 ? 32767 : 2147483647.0); break;
        }
        memcpy(bytes + i * size, &v, size);
    }
}
