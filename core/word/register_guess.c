/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "word/register_guess.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"

/* Values that have a name; *has: this one is among them. */
static uint64_t named_values(const struct gpudbg_enum *e, uint64_t value, bool *has)
{
    uint64_t count = 0;
    *has = false;
    for (size_t i = 0; i < e->count; i++) {
        const uint64_t first = e->values[i].value, last = e->last ? e->last[i] : first;
        count += last - first + 1;
        *has |= value >= first && value <= last;
    }
    return count;
}

static unsigned log2_up(uint64_t count)
{
    unsigned bits = 0;
    while (bits < 63 && (UINT64_C(1) << bits) < count) bits++;
    return bits;
}

/* false: the value cannot be this register's. */
static bool guess(struct regdb *r, const struct gpudbg_reg *reg, uint64_t value, struct register_guess *g)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    *g = (struct register_guess){.reg = reg};
    if (reg->format->bits < 64 && value >> reg->format->bits) return false;
    le_put(bytes, value, 8);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        const struct gpudbg_field *f = it.field;
        const struct gpudbg_enum *e = f->meaning;
        bool has = false;
        if (f == &it.hole || f->kind == GPUDBG_MBZ) {
            if (it.value) return false;
            g->agrees += f->run[0].len;
            continue;
        }
        if (e && !e->count) e = gpudbg_enum_named(r, reg->isa, e->name);
        if (!e || !e->count || f->kind == GPUDBG_BITS) continue;
        const unsigned needed = log2_up(named_values(e, it.value, &has));
        if (!has) return false;
        if (f->run[0].len > needed) g->agrees += f->run[0].len - needed;
        g->named += it.value != 0;
    }
    return true;
}

static int more_plausible(const void *a, const void *b)
{
    const struct register_guess *x = a, *y = b;
    if (x->agrees != y->agrees) return x->agrees < y->agrees ? 1 : -1;
    if (x->named != y->named) return x->named < y->named ? 1 : -1;
    return strcmp(x->reg->name, y->reg->name);
}

struct register_guess *register_guesses(struct regdb *r, const char *isa, uint64_t value, size_t *n)
{
    struct register_guess *list = NULL, one;
    const struct gpudbg_reg *reg;
    size_t room = 0;
    *n = 0;
    for (size_t i = 0; (reg = registers_each(r, i)); i++) {
        if (!reg->isa || (isa && strcmp(reg->isa, isa) != 0) || !guess(r, reg, value, &one)) continue;
        if (*n == room) list = xrealloc(list, room = room ? 2 * room : 64, sizeof *list);
        list[(*n)++] = one;
    }
    if (*n) qsort(list, *n, sizeof *list, more_plausible);
    return list;
}
