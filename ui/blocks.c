/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "blocks.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "code.h"

#define MARKS (GPUDBG_OP_OPEN | GPUDBG_OP_MIDDLE | GPUDBG_OP_CLOSE)
#define UNITS_MOST ((size_t)1 << 20)

void blocks_close(struct blocks *b)
{
    free(b->unit);
    *b = (struct blocks){0};
}

static bool marks_blocks(const struct gpudbg_isa *isa)
{
    for (size_t i = 0; isa && i < isa->nops; i++)
        if (gpudbg_has_op(isa, i) && isa->ops[i].flags & MARKS) return true;
    return false;
}

static bool add(struct blocks *b, size_t *room, struct blocks_unit unit)
{
    if (b->n == *room) {
        size_t more = *room ? 2 * *room : 256;
        if (more > UNITS_MOST) return false;
        b->unit = xrealloc(b->unit, more, sizeof *b->unit);
        *room = more;
    }
    b->unit[b->n++] = unit;
    return true;
}

static void find(struct blocks *b)
{
    uint64_t addr;
    size_t room = 0;
    unsigned depth = 0;
    struct gpudbg_insn insn;
    bool is_insn, more = marks_blocks(b->image->isa) && code_first(b->image, &addr);
    while (more && code_at(b->image, addr, &insn, &is_insn)) {
        uint32_t mark = is_insn ? insn.op->flags & MARKS : 0;
        if (mark & (GPUDBG_OP_CLOSE | GPUDBG_OP_MIDDLE) && depth) depth--;
        more = add(b, &room, (struct blocks_unit){addr, (uint16_t)depth, (uint16_t)mark});
        if (mark & (GPUDBG_OP_OPEN | GPUDBG_OP_MIDDLE) && depth < 60000) depth++;
        more = more && code_forward(b->image, &addr);
    }
}

const struct blocks_unit *blocks_at(struct blocks *b, const struct gpudbg_image *image, uint64_t addr)
{
    if (b->image != image) {
        blocks_close(b);
        b->image = image;
        find(b);
    }
    size_t lo = 0, hi = b->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (b->unit[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < b->n && b->unit[lo].addr == addr ? &b->unit[lo] : NULL;
}
