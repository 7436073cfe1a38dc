/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_program.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump_draw.h"
#include "dump/dump_shader.h"
#include "dump/dump_show.h"

#define PROGRAMS_MOST 4096u
#define SLOTS (2 * PROGRAMS_MOST)         /* of the table that finds those that are there */
#define SCANNED_MOST ((uint64_t)64 << 20) /* bytes in which ends of programs are looked for */
#define STAGES 8u
#define CODES 3u /* variants of a stage's program */
#define STRUCTURES_MOST 64u

struct stage {
    struct dump_program code[CODES];
    size_t ncodes;
    bool changed; /* since it was started last */
    struct gpudbg_point table[PROGRAM_TABLES];
};

struct walk {
    struct dump_programs *found;
    const struct gpudbg_dump *d;
    size_t root, stream, offset;
    uint32_t capture;
    uint64_t scanned;
    struct gpudbg_bases bases;
    struct stage stage[STAGES];
    uint16_t slot[SLOTS]; /* of found->at, plus 1 */
};

static bool same_table(const struct gpudbg_point *a, const struct gpudbg_point *b)
{
    return a->op == b->op && (!a->op || (a->addr == b->addr && a->based == b->based));
}

static bool same(const struct dump_program *a, const struct dump_program *b)
{
    return a->d == b->d && a->capture == b->capture && a->start == b->start && strcmp(a->command, b->command) == 0 &&
           same_table(&a->table[0], &b->table[0]) && same_table(&a->table[1], &b->table[1]);
}

/* The slot that holds the program, or the empty one where it belongs: there are twice as many as programs. */
static uint16_t *slot_of(struct walk *w, const struct dump_program *p)
{
    uint64_t hash = p->start * 31 + p->capture;
    for (size_t i = 0; i < PROGRAM_TABLES; i++) hash = (hash ^ p->table[i].addr) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t k = hash >> 32;; k++) {
        uint16_t *slot = &w->slot[k % SLOTS];
        if (!*slot || same(&w->found->at[*slot - 1], p)) return slot;
    }
}

static void find_size(struct walk *w, struct dump_program *p)
{
    size_t held;
    const uint8_t *bytes = p->addr != GPUDBG_NO_ADDR ? dump_bytes_at(w->d, w->capture, p->addr, &held) : NULL;
    if (!bytes || !p->isa || !p->isa->traits.program || w->scanned > SCANNED_MOST) return;
    p->size = p->isa->traits.program(p->isa, bytes, held);
    w->scanned += p->size ? p->size : held;
}

/* What is set of a stage now, as programs. */
static void start(struct walk *w, struct stage *s)
{
    for (size_t i = 0; s->changed && i < s->ncodes; i++) {
        struct dump_program p = s->code[i];
        memcpy(p.table, s->table, sizeof p.table);
        uint16_t *slot = slot_of(w, &p);
        if (*slot || w->found->n == PROGRAMS_MOST) continue;
        p.stream = w->stream;
        p.offset = w->offset;
        find_size(w, &p);
        *slot = (uint16_t)(w->found->n + 1);
        w->found->at = xgrow(w->found->at, w->found->n, &w->found->room, sizeof p);
        w->found->at[w->found->n++] = p;
    }
    s->changed = false;
}

static void add_code(struct walk *w, struct stage *s, const char *command, const struct gpudbg_isa *commands,
    const struct gpudbg_point *p)
{
    bool assumed;
    if (s->ncodes == CODES) return;
    const char *family = dump_family(w->d, w->capture, &assumed);
    struct dump_program x = {.d = w->d,
        .capture = w->capture,
        .command = command,
        .name = p->name,
        .start = p->offset,
        .addr = p->based ? p->addr : GPUDBG_NO_ADDR,
        .isa = family ? gpudbg_dump_isa_named(w->d, family) : NULL,
        .commands = commands,
        .bases = w->bases};
    s->code[s->ncodes++] = x;
}

/* Takes what the command or structure points at into the stage. */
static bool take(struct walk *w, const struct gpudbg_insn *insn, const char *command, struct stage *s)
{
    struct gpudbg_point p;
    bool any = false, first = true;
    s->changed = true;
    for (unsigned i = 0; insn->isa->pointing->points(insn, &w->bases, i, &p); i++) {
        any = true;
        if (!p.op) {
            if (first) s->ncodes = 0;
            first = false;
            add_code(w, s, command, insn->isa, &p);
            continue;
        }
        size_t k = 0;
        while (k < PROGRAM_TABLES && s->table[k].op && s->table[k].op != p.op) k++;
        if (k < PROGRAM_TABLES) s->table[k] = p;
    }
    return any;
}

static void structures(struct walk *w, const struct gpudbg_insn *insn)
{
    struct gpudbg_point p;
    struct gpudbg_insn inner;
    for (unsigned i = 0; insn->isa->pointing->points(insn, &w->bases, i, &p); i++)
        for (unsigned k = 0; p.op && p.based && k < p.count && k < STRUCTURES_MOST; k++) {
            struct stage own = {.ncodes = 0};
            if (!dump_structure(w->d, w->capture, insn->isa, &p, k, &inner) || !insn->isa->pointing->stage(&inner))
                continue;
            take(w, &inner, insn->op->name, &own);
            start(w, &own);
        }
}

static void command(void *to, size_t root, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct walk *w = to;
    const struct gpudbg_pointing *pointing = insn->isa->pointing;
    size_t n;
    if (!pointing || !pointing->stage) return;
    if (w->root != root) {
        w->bases = (struct gpudbg_bases){.known = 0};
        memset(w->stage, 0, sizeof w->stage);
    }
    w->root = root;
    w->stream = stream;
    w->offset = offset;
    w->capture = gpudbg_dump_streams(w->d, &n)[stream].capture;
    const unsigned s = pointing->stage(insn);
    if (s && s < STAGES) {
        if (!take(w, insn, insn->op->name, &w->stage[s])) w->stage[s].ncodes = 0; /* switched off */
    } else {
        structures(w, insn);
    }
    if (insn->isa->commands && insn->isa->commands->starts(insn))
        for (unsigned i = 1; i < STAGES; i++) start(w, &w->stage[i]);
    pointing->set_bases(insn, &w->bases);
}

void dump_programs_add(struct dump_programs *all, const struct gpudbg_dump *d)
{
    struct walk *w = xcalloc(1, sizeof *w);
    *w = (struct walk){.found = all, .d = d, .root = SIZE_MAX};
    for (size_t i = 0; i < all->n; i++) *slot_of(w, &all->at[i]) = (uint16_t)(i + 1);
    draw_commands(d, command, w);
    free(w);
}

void dump_programs_end(struct dump_programs *all)
{
    free(all->at);
    *all = (struct dump_programs){.n = 0};
}

static bool may_hold(const struct dump_program *p, const struct gpudbg_isa *isa, uint64_t pc)
{
    return p->isa == isa && p->start <= pc && (!p->size || pc - p->start < p->size);
}

const struct dump_program *dump_program_at(
    const struct dump_programs *all, const struct gpudbg_isa *isa, uint64_t pc, size_t i)
{
    uint64_t last = 0;
    bool any = false;
    for (size_t k = 0; k < all->n; k++) {
        if (all->at[k].isa != isa || all->at[k].start > pc || (any && all->at[k].start < last)) continue;
        last = all->at[k].start;
        any = true;
    }
    for (size_t k = 0; any && k < all->n; k++)
        if (all->at[k].start == last && may_hold(&all->at[k], isa, pc) && !i--) return &all->at[k];
    return NULL;
}

const uint8_t *dump_program_code(const struct dump_program *p, uint64_t *addr, size_t *size)
{
    size_t held;
    *addr = p->addr;
    *size = (size_t)p->size;
    return p->size ? dump_bytes_at(p->d, p->capture, p->addr, &held) : NULL;
}

/* ---- Entries ---- */

static bool taken(const struct gpudbg_insn *insn, const struct gpudbg_point *p, struct dump_entry *e)
{
    if (insn->size > sizeof e->bytes) return false;
    e->addr = insn->addr;
    e->words = p->words;
    e->structure = p->op->name;
    e->size = insn->size;
    memset(e->bytes, 0, sizeof e->bytes);
    memcpy(e->bytes, insn->raw, insn->size);
    return true;
}

bool dump_program_entry(
    const struct dump_program *p, const char *table, unsigned entry, struct dump_entry *e, char *why, size_t why_size)
{
    const struct gpudbg_point *t = NULL;
    struct gpudbg_point to;
    struct gpudbg_insn insn;
    for (size_t i = 0; i < PROGRAM_TABLES && !t; i++)
        if (p->table[i].op && strcmp(p->table[i].op->name, table) == 0) t = &p->table[i];
    if (!t) {
        snprintf(why, why_size, "no command before it sets the %s of %s", table, p->command);
        return false;
    }
    if (!t->based) {
        snprintf(why, why_size, "its %s counts from the %s, which no command before it sets", table, t->base);
        return false;
    }
    if (!dump_structure(p->d, p->capture, p->commands, t, entry, &insn)) {
        snprintf(why, why_size, "the dump does not hold entry %u of the %s at 0x%" PRIx64, entry, table, t->addr);
        return false;
    }
    /* An entry of a binding table is nothing but a pointer; one of another table may point at more. */
    if (insn.size > 4 || !p->commands->pointing->points(&insn, &p->bases, 0, &to) || !to.op) return taken(&insn, t, e);
    if (!to.based) {
        snprintf(why, why_size, "its %s counts from the %s, which no command before it sets", to.op->name, to.base);
        return false;
    }
    if (!dump_structure(p->d, p->capture, p->commands, &to, 0, &insn)) {
        snprintf(why, why_size, "the dump does not hold the %s at 0x%" PRIx64, to.op->name, to.addr);
        return false;
    }
    return taken(&insn, &to, e);
}
