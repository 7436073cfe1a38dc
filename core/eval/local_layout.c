/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_layout.c: which of a kernel's variables in LDS is where.  Linkers leave 0 as their addresses in debug
 * information, so the code has to say it: an access of a line that names one such variable alone lies within that
 * variable, and the code says how low its address can be.  Every order of the variables that this rules out is dropped,
 * and a place counts if all that are left agree.
 */
#include "eval/local_layout.h"
#include <ctype.h>
#include <string.h>
#include "eval/dwarf_place.h"
#include "eval/source_file.h"
#include "gpudbg/uses.h"
#include "image/dwarf_type.h"
#include "machine/machine.h"

enum { VARIABLES = 6, LINES = 64, NOWHERE_YET = -1 };

struct layout {
    struct {
        const char *name;
        uint64_t size, reached; /* reached: a byte of the LDS that is before its end, where `accessed` */
        bool accessed;
    } of[VARIABLES];
    unsigned n, wanted;
    int64_t base; /* of the wanted one in the orders met; NOWHERE_YET */
    bool differs;
};

/* The accesses of a line. */
struct accesses {
    const char *file;
    uint32_t line, least; /* least: the largest of their least addresses */
    unsigned n;
};

struct lines {
    const struct gpudbg_image *image;
    struct accesses of[LINES];
    unsigned n;
    bool full;
};

static bool find_variables(struct eval *ev, struct scopes *s, Dwarf_Die *variable, struct layout *l, uint64_t lds)
{
    Dwarf_Die die, type;
    uint64_t sum = 0;
    l->wanted = VARIABLES;
    for (bool first = true; die_next_variable(&s->function, &die, first); first = false) {
        struct gpudbg_error ignored = {0};
        struct dwarf_place p;
        if (!dwarf_place(ev, ev->selection->wave, 0, NULL, &die, &s->function, s->pc - s->base, &p, &ignored) ||
            p.where != DWARF_MEMORY || p.space != GPUDBG_LOCAL)
            continue;
        if (l->n == VARIABLES || !die_type(&die, &type)) return false;
        if (dwarf_dieoffset(&die) == dwarf_dieoffset(variable)) l->wanted = l->n;
        l->of[l->n].name = dwarf_diename(&die);
        l->of[l->n++].size = die_bytes(&type);
        sum += die_bytes(&type);
    }
    return l->wanted < l->n && sum == lds; /* nothing else is there, and no gap */
}

static void note_access(void *to, const struct gpudbg_insn *insn, uint32_t least)
{
    struct lines *all = to;
    const struct gpudbg_line *row = gpudbg_image_line(all->image, insn->addr);
    unsigned i = 0;
    if (!row) return;
    while (i < all->n && (all->of[i].line != row->line || strcmp(all->of[i].file, row->file) != 0)) i++;
    all->full |= i == LINES;
    if (i == LINES) return;
    if (i == all->n) all->of[all->n++] = (struct accesses){row->file, row->line, 0, 0};
    all->of[i].n++;
    if (least > all->of[i].least) all->of[i].least = least;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static unsigned occurrences(const char *text, size_t n, const char *name)
{
    const size_t length = strlen(name);
    unsigned found = 0;
    for (size_t i = 0; i + length <= n; i++)
        found += memcmp(text + i, name, length) == 0 && (i == 0 || !is_letter(text[i - 1])) &&
                 (i + length == n || !is_letter(text[i + length]));
    return found;
}

/* As many accesses as the line names the one variable: they are that variable's. */
static void take_line(struct layout *l, const struct accesses *a, const char *text, size_t n)
{
    unsigned named = 0, which = 0;
    for (unsigned i = 0; i < l->n; i++) {
        const unsigned found = occurrences(text, n, l->of[i].name);
        if (!found) continue;
        if (named) return;
        named = found;
        which = i;
    }
    if (!named || named != a->n) return;
    if (!l->of[which].accessed || a->least > l->of[which].reached) l->of[which].reached = a->least;
    l->of[which].accessed = true;
}

static bool read_code(struct eval *ev, const struct gpudbg_kernel *k, struct layout *l)
{
    const struct gpudbg_using *using = ev->loaded->image->isa->uses;
    struct lines lines = {.image = ev->loaded->image};
    struct source source = {.file = NULL};
    if (!using || !using->local_accesses || !using->local_accesses(lines.image, k, note_access, &lines) || lines.full)
        return false;
    for (unsigned i = 0; i < lines.n; i++) {
        const struct accesses *a = &lines.of[i];
        size_t length;
        const char *text = source_open(&source, ev->loaded, a->file) ? source_line(&source, a->line, &length) : NULL;
        if (text) take_line(l, a, text, length);
    }
    source_close(&source);
    return true;
}

/* All orders of those that are not placed yet, from `at` on. */
static void orders(struct layout *l, unsigned placed, uint64_t at, int64_t base)
{
    if (placed == (1u << l->n) - 1) {
        l->differs |= l->base != NOWHERE_YET && l->base != base;
        l->base = base;
    }
    for (unsigned i = 0; i < l->n; i++)
        if (!(placed >> i & 1) && (!l->of[i].accessed || at + l->of[i].size > l->of[i].reached))
            orders(l, placed | 1u << i, at + l->of[i].size, i == l->wanted ? (int64_t)at : base);
}

bool local_base(struct eval *ev, struct scopes *s, Dwarf_Die *variable, uint64_t *base)
{
    const struct gpudbg_launch *launch = ev->running->machine ? ev->running->machine->launch : NULL;
    const struct gpudbg_kernel *k = launch ? launch->kernel : NULL;
    struct layout l = {.base = NOWHERE_YET};
    if (!k || !s->has_function || dwarf_haspc(&s->function, k->entry - s->base) <= 0 ||
        !find_variables(ev, s, variable, &l, k->lds) || !read_code(ev, k, &l))
        return false;
    orders(&l, 0, 0, NOWHERE_YET);
    *base = (uint64_t)l.base;
    return l.base != NOWHERE_YET && !l.differs;
}
