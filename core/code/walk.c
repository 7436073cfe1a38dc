/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c: code in address order, and the instructions around an address; see walk.h. */
#include "code/walk.h"
#include "code/memo.h"
#include "image/image.h"

size_t code_symbol_after(const struct gpudbg_image *image, uint64_t addr)
{
    size_t lo = 0, hi = image->nsymbols;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (image->symbols[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The object that the address is in, as the header in front of a kernel is, whatever else starts there; NULL: none. */
static const struct gpudbg_symbol *object_at(const struct gpudbg_image *image, uint64_t addr)
{
    size_t i = code_symbol_after(image, addr);
    for (unsigned tries = 0; i-- > 0 && tries < 16; tries++) {
        const struct gpudbg_symbol *s = &image->symbols[i];
        if (s->kind == GPUDBG_SYM_OBJECT && addr - s->addr < s->size) return s;
    }
    return NULL;
}

/* A run is what is decoded alike: it ends with its section, at the next function or object, and where an object ends.
 */
static bool open_run(struct code_walk *w)
{
    const struct gpudbg_image *image = w->image;
    const struct gpudbg_section *section = NULL;
    while (!section || !section->bytes) {
        if (section) /* zeros that the file does not hold */
            w->at = section->addr + section->size;
        section = gpudbg_image_at(image, w->at);
        if (!section && (!image_next(image, w->at, &w->at) || w->at >= w->to)) return false;
    }
    uint64_t end = section->addr + section->size;
    w->symbol = code_symbol_after(image, w->at);
    while (w->symbol < image->nsymbols && image->symbols[w->symbol].addr < end &&
           image->symbols[w->symbol].kind == GPUDBG_SYM_LABEL)
        w->symbol++;
    if (w->symbol < image->nsymbols && image->symbols[w->symbol].addr < end) end = image->symbols[w->symbol].addr;
    const struct gpudbg_symbol *object = object_at(image, w->at);
    w->data = object || !(section->flags & GPUDBG_CODE_BYTES) || !image->isa;
    if (object && object->addr + object->size < end) end = object->addr + object->size;
    w->bytes = section->bytes + (w->at - section->addr);
    w->left = (size_t)(end - w->at);
    return true;
}

void code_walk_open(struct code_walk *w, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    *w = (struct code_walk){.image = image, .at = from, .to = to};
}

bool code_walk_next(struct code_walk *w, struct gpudbg_insn *insn)
{
    if (w->at >= w->to || (!w->left && (!open_run(w) || w->at >= w->to))) return false;
    if (w->data) {
        size_t unit = w->at % 4 == 0 && w->left >= 4 ? 4 : w->left < 4 ? w->left : 4 - w->at % 4;
        *insn = (struct gpudbg_insn){.addr = w->at, .isa = w->image->isa, .raw = w->bytes, .size = (uint32_t)unit};
        w->is_insn = false;
    } else {
        w->is_insn = gpudbg_insn_at(w->image->isa, w->bytes, w->left, w->at, insn);
    }
    w->at += insn->size;
    w->bytes += insn->size;
    w->left -= insn->size;
    return true;
}

struct memo_entry *code_walk_known(struct code_walk *w, struct memo *memo, const uint8_t **bytes, uint64_t *addr)
{
    if (!memo || w->at >= w->to || !w->left || w->data) return NULL;
    struct memo_entry *e = memo_find(memo, w->bytes, w->left);
    if (!e) return NULL;
    *bytes = w->bytes;
    *addr = w->at;
    w->at += e->size;
    w->bytes += e->size;
    w->left -= e->size;
    w->is_insn = true;
    return e;
}

bool insn_target(const struct gpudbg_insn *insn, uint64_t *target)
{
    if (!insn->op || !(insn->op->flags & GPUDBG_OP_BRANCH)) return false;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE) {
            *target = (uint64_t)insn->operands[i].imm;
            return true;
        }
    return false;
}

bool insn_at(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn)
{
    const struct gpudbg_section *section = gpudbg_image_at(image, addr);
    struct code_walk w;
    if (!section || !image->isa || (addr - section->addr) % (image->isa->align ? image->isa->align : 1)) return false;
    code_walk_open(&w, image, addr, addr == UINT64_MAX ? addr : addr + 1);
    return code_walk_next(&w, insn) && w.is_insn && insn->addr == addr;
}

bool insn_stays(const struct gpudbg_image *image, uint64_t pc, const struct gpudbg_symbol *function)
{
    struct gpudbg_insn insn;
    return gpudbg_image_symbol_at(image, pc) == function && insn_at(image, pc, &insn) &&
           !(insn.op->flags & GPUDBG_OP_CALL);
}

bool insn_before(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn)
{
    const struct gpudbg_section *section = addr ? gpudbg_image_at(image, addr - 1) : NULL;
    const struct gpudbg_symbol *symbol = addr ? gpudbg_image_symbol_at(image, addr - 1) : NULL;
    struct gpudbg_insn step;
    struct code_walk w;
    if (!section) return false;
    uint64_t from = symbol && symbol->addr > section->addr ? symbol->addr : section->addr;
    if (addr - from > 1 << 20) /* far from any name: what is decoded from nearby soon falls into step */
        from = (addr - 4096) & ~UINT64_C(15);
    code_walk_open(&w, image, from, addr);
    bool found = false;
    while (code_walk_next(&w, &step)) {
        *insn = step;
        found = true;
    }
    return found;
}

bool insn_around(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn)
{
    return insn_before(image, addr, insn) && insn->op && insn->addr + insn->size > addr;
}
