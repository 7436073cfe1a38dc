/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"
#include "base/alloc.h"
#include "code/walk.h"
#include "out/pieces.h"

#define NEAR 65536 /* bytes that may be decoded to find boundaries or labels */
#define CELL (NEAR / 2)
#define LONGEST ((uint64_t)NEAR * 4) /* functions that are decoded whole for their labels */
#define RESYNC 512                   /* bytes before an address from which decoding finds its way again */

static bool is_code(const struct gpudbg_section *s) { return (s->flags & GPUDBG_CODE_BYTES) && s->bytes && s->size; }

const struct gpudbg_section *code_section(const struct gpudbg_image *image, uint64_t addr)
{
    for (size_t i = 0; image && image->isa && i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (is_code(s) && addr >= s->addr && addr - s->addr < s->size) return s;
    }
    return NULL;
}

const struct gpudbg_section *code_section_from(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *best = NULL;
    for (size_t i = 0; image && image->isa && i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (is_code(s) && s->addr >= addr && (!best || s->addr < best->addr)) best = s;
    }
    return best;
}

const struct gpudbg_section *code_section_below(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *best = NULL;
    for (size_t i = 0; image && image->isa && i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (is_code(s) && s->addr < addr && (!best || s->addr > best->addr)) best = s;
    }
    return best;
}

static bool unit_in(
    const struct gpudbg_image *image, const struct gpudbg_section *s, uint64_t addr, struct gpudbg_insn *insn)
{
    return gpudbg_insn_at(image->isa, s->bytes + (addr - s->addr), (size_t)(s->size - (addr - s->addr)), addr, insn);
}

bool code_at(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn, bool *is_insn)
{
    const struct gpudbg_section *s = code_section(image, addr);
    if (s) *is_insn = unit_in(image, s, addr, insn);
    return s != NULL;
}

bool code_first(const struct gpudbg_image *image, uint64_t *addr)
{
    const struct gpudbg_section *s = code_section_from(image, 0);
    if (s) *addr = s->addr;
    return s != NULL;
}

bool code_last(const struct gpudbg_image *image, uint64_t *addr)
{
    const struct gpudbg_section *s = code_section_below(image, UINT64_MAX);
    if (!s) return false;
    *addr = s->addr + s->size;
    return code_back(image, addr, 1) == 1;
}

bool code_forward(const struct gpudbg_image *image, uint64_t *addr)
{
    const struct gpudbg_section *s = code_section(image, *addr);
    if (!s) return false;
    struct gpudbg_insn insn;
    unit_in(image, s, *addr, &insn);
    uint64_t next = *addr + insn.size;
    if (next - s->addr >= s->size) {
        s = code_section_from(image, s->addr + s->size);
        if (!s) return false;
        next = s->addr;
    }
    *addr = next;
    return true;
}

/* Where decoding can start so that it meets addr (which is in s or at its end): a symbol, the section's start, or a
 * place from which the boundaries come out right. */
static uint64_t sync_start(const struct gpudbg_image *image, const struct gpudbg_section *s, uint64_t addr)
{
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, addr - 1);
    if (symbol && symbol->addr >= s->addr && symbol->addr < addr && addr - symbol->addr <= NEAR) return symbol->addr;
    if (addr - s->addr <= NEAR) return s->addr;
    unsigned align = image->isa->align ? image->isa->align : 1;
    for (uint64_t start = addr - RESYNC; start < addr; start += align) {
        uint64_t at = start;
        struct gpudbg_insn insn;
        while (at < addr) {
            unit_in(image, s, at, &insn);
            at += insn.size;
        }
        if (at == addr) return start;
    }
    return addr - align;
}

int code_back(const struct gpudbg_image *image, uint64_t *addr, int n)
{
    int back = 0;
    uint64_t *ring = xcalloc((size_t)(n > 0 ? n : 1), sizeof *ring);
    while (back < n) {
        const struct gpudbg_section *s = code_section_below(image, *addr);
        if (!s) break;
        uint64_t end = *addr - s->addr > s->size ? s->addr + s->size : *addr;
        int want = n - back, met = 0;
        uint64_t at = sync_start(image, s, end);
        while (at < end) {
            struct gpudbg_insn insn;
            ring[met++ % want] = at;
            unit_in(image, s, at, &insn);
            at += insn.size;
        }
        int got = met < want ? met : want;
        if (!got) break;
        *addr = ring[met < want ? 0 : met % want];
        back += got;
    }
    free(ring);
    return back;
}

void code_labels_close(struct code_labels *l)
{
    if (l->open) code_names_close(&l->names);
    l->open = false;
}

static bool function_in(const struct gpudbg_section *s, const struct gpudbg_symbol *symbol)
{
    return symbol->size && symbol->size <= LONGEST && symbol->addr >= s->addr &&
           symbol->addr - s->addr + symbol->size <= s->size;
}

/* The cell of a section that has addr and nothing of a function with known bounds, so that each address has one,
 * whichever was asked for first. */
static void cell_around(
    const struct gpudbg_image *image, const struct gpudbg_section *s, uint64_t addr, uint64_t *from, uint64_t *to)
{
    *from = addr - (addr - s->addr) % CELL;
    *to = s->addr + s->size - *from > CELL ? *from + CELL : s->addr + s->size;
    for (size_t i = code_symbol_after(image, addr); i < image->nsymbols && image->symbols[i].addr < *to; i++)
        if (function_in(s, &image->symbols[i])) *to = image->symbols[i].addr;
    for (size_t i = code_symbol_after(image, addr); i-- > 0;) {
        const struct gpudbg_symbol *symbol = &image->symbols[i];
        if (symbol->addr + LONGEST <= *from) break;
        if (function_in(s, symbol) && symbol->addr + symbol->size > *from && symbol->addr + symbol->size <= addr)
            *from = symbol->addr + symbol->size;
    }
}

void code_labels_around(struct code_labels *l, const struct gpudbg_image *image, uint64_t addr)
{
    if (l->open && l->image == image && addr >= l->from && addr < l->to) return;
    code_labels_close(l);
    const struct gpudbg_section *s = code_section(image, addr);
    if (!s) return;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, addr);
    uint64_t from, to;
    if (symbol && function_in(s, symbol)) {
        from = l->from = symbol->addr;
        to = l->to = symbol->addr + symbol->size;
    } else {
        const uint64_t end = s->addr + s->size;
        cell_around(image, s, addr, &l->from, &l->to);
        from = l->from - s->addr > CELL / 2 ? sync_start(image, s, l->from - CELL / 2) : s->addr;
        to = end - l->to > CELL / 2 ? l->to + CELL / 2 : end;
    }
    struct gpudbg_error err = {0};
    l->image = image;
    l->open = code_names_open(&l->names, image, from, to, NULL, NULL, &err);
}

bool code_label(const struct code_labels *l, uint64_t addr, char *buf, size_t size)
{
    if (!l->open) return false;
    size_t lo = 0, hi = l->names.ntargets;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (l->names.targets[mid] < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == l->names.ntargets || l->names.targets[lo] != addr) return false;
    const char *name = l->names.names.name(&l->names.names, addr, buf, size);
    if (name && name != buf) memmove(buf, name, strlen(name) + 1); /* it may stand at the end of buf */
    return name != NULL;
}

int code_text(
    struct gpudbg *g, const struct code_labels *l, const struct gpudbg_insn *insn, bool is_insn, char *buf, size_t size)
{
    if (!is_insn) {
        const uint32_t n = insn->size < 8 ? insn->size : 8;
        uint64_t word = 0;
        char text[40], *p = stpcpy(text, n == 4 ? ".long 0x" : n == 8 ? ".quad 0x" : ".byte 0x");
        memcpy(&word, insn->raw, n);
        p = pieces_digits(p, word, 2 * n); /* searches meet many */
        const size_t length = (size_t)(p - text), fits = length < size ? length : size ? size - 1 : 0;
        memcpy(buf, text, fits);
        if (size) buf[fits] = 0;
        return (int)length;
    }
    const unsigned syntax = settings_syntax(&g->settings, insn->isa);
    return insn->isa->text(insn, syntax, GPUDBG_READABLE, l && l->open ? &l->names.names : NULL, buf, size);
}
