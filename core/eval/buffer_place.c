/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buffer_place.c: places in buffers of the launch as people name them: "c[17]", "a[113] (row 1, column 49)". */
#include <inttypes.h>
#include "eval/expr.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

static const struct gpudbg_segment *segment_at(const struct gpudbg_machine *m, uint64_t addr)
{
    const struct gpudbg_space *space = m->nspaces ? &m->space[GPUDBG_GLOBAL] : NULL;
    for (size_t i = 0; space && i < space->count; i++)
        if (addr - space->segment[i]->base < space->segment[i]->size) return space->segment[i];
    return NULL;
}

/* The length of a row, where the buffer is a square whose side is an argument of the launch; 0: it is not. */
static uint64_t row_length(const struct gpudbg_launch *launch, uint64_t elements)
{
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        uint64_t side = 0;
        if (b->kind != GPUDBG_BOUND_VALUE || !b->param || !b->bytes || b->size > 8) continue;
        if (b->param->scalar != 'i' && b->param->scalar != 'u') continue;
        for (uint64_t k = b->size; k-- > 0;) side = side << 8 | b->bytes[k];
        if (side > 1 && side < UINT32_MAX && side * side == elements) return side;
    }
    return 0;
}

bool buffer_place(const struct eval *eval, unsigned space, uint64_t addr, struct buffer_place *place)
{
    const struct gpudbg_machine *m = eval->running->machine;
    const struct gpudbg_segment *s = m && space == GPUDBG_GLOBAL ? segment_at(m, addr) : NULL;
    const struct gpudbg_kernel *k = m && m->launch ? m->launch->kernel : NULL;
    *place = (struct buffer_place){.segment = s};
    if (!s || !s->name || !k || s->param < 0 || (size_t)s->param >= k->nparams) return false;
    place->element = expr_element_type(&k->params[s->param]);
    const uint64_t size = place->element.bits / 8u, offset = addr - s->base;
    if (!size || offset % size) return false;
    place->index = offset / size;
    place->row_length = row_length(m->launch, s->size / size);
    text_put(place->name, sizeof place->name, "%s[%" PRIu64 "]", s->name, place->index);
    return true;
}

int buffer_place_row(const struct buffer_place *place, char *buf, size_t size)
{
    if (!place->row_length) return snprintf(buf, size, "%s", "");
    return snprintf(buf, size, " (row %" PRIu64 ", column %" PRIu64 ")", place->index / place->row_length,
        place->index % place->row_length);
}
