/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.c: the masks and inputs of a wave at its start: see stage.h. */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/stage.h"

/* A pixel's input; of pixels beyond the domain the line through the last two is continued. */
static void pixel_input(struct gpudbg_wave *w, struct gpudbg_segment *s, unsigned l, uint32_t v[4])
{
    const uint32_t *size = w->machine->launch->global;
    uint32_t at[3], last[2], before[4], end[4];
    il_position(w, l, at);
    for (unsigned i = 0; i < 2; i++) last[i] = at[i] < size[i] ? at[i] : size[i] - 1;
    const unsigned axis = at[0] >= size[0] ? 0 : 1;
    const uint64_t here = (uint64_t)last[1] * size[0] + last[0], step = axis ? size[0] : 1;
    il_read(w, s, here * 16, v, 16, l);
    if (!il_is_helper(w, l) || last[axis] == 0) return;
    memcpy(end, v, sizeof end);
    il_read(w, s, (here - step) * 16, before, 16, l);
    for (unsigned c = 0; c < 4; c++) v[c] = il_float_add(end[c], il_float_add(end[c], before[c] ^ LANES_SIGN32));
}

/* What an input that no buffer is bound to holds. */
static void default_input(
    const struct gpudbg_wave *w, const struct il *r, unsigned type, unsigned usage, unsigned l, uint32_t v[4])
{
    uint32_t at[3];
    il_position(w, l, at);
    memset(v, 0, 16);
    if (type == IL_REG_WINCOORD || (type == IL_REG_INPUT && usage == IL_USAGE_POSITION && r->shader == IL_PIXEL)) {
        const float centre = r->centered ? 0 : 0.5f, y = (float)at[1] + centre;
        v[0] = lanes_bits32((float)at[0] + centre);
        v[1] = lanes_bits32(r->inverted ? (r->biased ? (float)w->machine->launch->global[1] - y : -y) : y);
        v[3] = 0x3f800000;
    } else if (type == IL_REG_FACE) {
        v[0] = v[1] = v[2] = v[3] = 0x3f800000;
    } else if (type == IL_REG_INDEX || type == IL_REG_PRIMITIVE_INDEX) {
        v[0] = v[1] = v[2] = v[3] = lanes_bits32((float)il_element_of(w, l));
    } else if (type == IL_REG_VPRIM || usage == IL_USAGE_PRIMITIVE) { /* the same for all instances and points */
        v[0] = v[1] = v[2] = v[3] = r->shader == IL_GEOMETRY ? at[0]
                                    : r->shader == IL_DOMAIN ? at[1]
                                                             : (uint32_t)il_element_of(w, l);
    } else if (usage == IL_USAGE_VERTEX) {
        v[0] = v[1] = v[2] = v[3] = (uint32_t)il_element_of(w, l);
    } else if (usage == IL_USAGE_FRONT) {
        v[0] = v[1] = v[2] = v[3] = UINT32_MAX;
    } else if (type == IL_REG_INPUT_COVERAGE_MASK) {
        v[0] = il_is_helper(w, l) ? 0 : (1u << (1u << r->choice[IL_CHOICE_SAMPLES])) - 1;
    }
}

bool il_is_input(unsigned type, unsigned shader)
{
    switch (type) {
    case IL_REG_VERTEX:
    case IL_REG_INPUT:
    case IL_REG_PINPUT:
    case IL_REG_INDEX:
    case IL_REG_OBJECT_INDEX:
    case IL_REG_BARYCENTRIC_COORD:
    case IL_REG_PRIMITIVE_INDEX:
    case IL_REG_QUAD_INDEX:
    case IL_REG_INTERP:
    case IL_REG_FOG:
    case IL_REG_TEXCOORD:
    case IL_REG_PRICOLOR:
    case IL_REG_SECCOLOR:
    case IL_REG_SPRITECOORD:
    case IL_REG_FACE:
    case IL_REG_WINCOORD:
    case IL_REG_PRIMCOORD:
    case IL_REG_PRIMTYPE:
    case IL_REG_VPRIM:
    case IL_REG_DOMAINLOCATION:
    case IL_REG_INPUT_COVERAGE_MASK:
    case IL_REG_LINE_STIPPLE: return shader == IL_PIXEL || il_register[type].access != IL_RW;
    default: return false;
    }
}

static unsigned usage_of(const struct il *r, unsigned type, uint32_t number)
{
    return (type == IL_REG_INPUT || type == IL_REG_VERTEX) && number < 64 ? r->usage[number] : IL_USAGE_GENERIC;
}

/* Components that are declared to be 1.0 where nothing is given. */
static void set_ones(struct gpudbg_wave *w, const struct il *r, uint32_t slot)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; r->ones[slot] >> c & 1 && l < IL_LANES; l++) il_row_of(w, slot, c)[l] = 0x3f800000;
}

void il_stage_start(struct gpudbg_wave *w, struct il *r)
{
    const uint32_t *size = w->machine->launch->global;
    uint64_t real = w->lanes, all = w->lanes;
    if (r->shader == IL_PIXEL) {
        all = UINT64_MAX;
        real = 0;
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t at[3];
            il_position(w, l, at);
            real |= (uint64_t)(at[0] < size[0] && at[1] < size[1]) << l;
        }
        w->lanes = real;
    }
    il_set_pair(w->words, IL_EXEC, all);
    il_set_pair(w->words, IL_ALIVE, all);
    il_set_pair(w->words, IL_REAL, real);
    for (uint32_t slot = 0; slot < r->slots; slot++) set_ones(w, r, slot);
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        if (!il_is_input(range->type, r->shader)) continue;
        for (uint32_t n = 0; n < range->count; n++) {
            struct gpudbg_segment *s = il_bound_to(r, range->type, range->first + n, false);
            for (unsigned l = 0; l < IL_LANES; l++) {
                uint32_t v[4];
                if (r->shader == IL_PIXEL && s && range->type == IL_REG_INPUT_COVERAGE_MASK && il_is_helper(w, l))
                    memset(v, 0, sizeof v); /* 5.18 */
                else if (s && r->shader == IL_PIXEL)
                    pixel_input(w, s, l, v);
                else if (s)
                    il_read(w, s, il_element_of(w, l) * 16, v, 16, l);
                else
                    default_input(w, r, range->type, usage_of(r, range->type, range->first + n), l, v);
                for (unsigned c = 0; c < 4; c++) il_row_of(w, range->slot + n, c)[l] = v[c];
            }
            if (!s) set_ones(w, r, range->slot + n);
        }
    }
}
