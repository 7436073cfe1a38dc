/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_uninitialised.c: registers that are read before anything was written to them.
 *
 * Copies are no use of a register: saving what a caller may have left there is what every function does.
 *
 * A shadow keeps a bit a lane for each numbered register of each wave.  What a launch writes is found by letting it
 * start a wave over two different fillings of its registers: what comes out alike was written.  A register counts as
 * written by the first instruction that names it as a destination, whatever part of it, so what is reported was never
 * written at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "control/check.h"

struct shadow {
    bool made;
    uint64_t *written; /* register after register, file after file */
};

struct uninitialised {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    size_t *first; /* of a file in a shadow; SIZE_MAX: the file is not followed */
    size_t registers;
    struct shadow *wave; /* by id */
};

/* Registers that are names of their own (masks, modes) have a state from the start. */
static bool follows(const struct gpudbg_regfile *file)
{
    return file->indexed && !file->mask && (file->lanes <= 1 || file->bits == 32);
}

static uint64_t *word_of(const struct uninitialised *u, const struct shadow *s, unsigned file, unsigned index)
{
    const struct gpudbg_machine *m = u->machine;
    if (file >= m->isa->nfiles || u->first[file] == SIZE_MAX || index >= m->isa->run->count(m, file)) return NULL;
    return &s->written[u->first[file] + index];
}

static void end(void *state)
{
    struct uninitialised *u = state;
    for (uint32_t i = 0; u->wave && i < u->machine->nwaves; i++) free(u->wave[i].written);
    free(u->wave);
    free(u->first);
    free(u);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct uninitialised *u = xalloc(sizeof *u);
    u->machine = m;
    u->checks = checks;
    u->first = xcalloc(m->isa->nfiles, sizeof *u->first);
    u->wave = xcalloc(m->nwaves, sizeof *u->wave);
    for (size_t f = 0; f < m->isa->nfiles; f++) {
        u->first[f] = SIZE_MAX;
        if (!follows(&m->isa->files[f])) continue;
        u->first[f] = u->registers;
        u->registers += m->isa->run->count(m, (unsigned)f);
    }
    return u;
}

/* The wave as its launch makes it, over registers full of `fill`. */
static bool started(const struct gpudbg_wave *w, uint8_t fill, struct gpudbg_wave *to)
{
    const size_t size = ((size_t)w->machine->wave_words * 4 + 63) & ~(size_t)63;
    *to = *w;
    to->words = aligned_alloc(64, size ? size : 64);
    if (!to->words) return false;
    memset(to->words, fill, size);
    w->machine->isa->run->start(to);
    return true;
}

static uint64_t alike(const struct gpudbg_regfile *file, const uint32_t *a, const uint32_t *b)
{
    uint64_t lanes = 0;
    if (!a || !b) return ~UINT64_C(0);
    for (unsigned l = 0; file->lanes > 1 && l < file->lanes; l++) lanes |= (uint64_t)(a[l] == b[l]) << l;
    for (unsigned d = 0; file->lanes <= 1 && d < (file->bits + 31u) / 32; d++) lanes |= a[d] == b[d] ? ~UINT64_C(0) : 0;
    return lanes;
}

static struct shadow *shadow(struct uninitialised *u, struct gpudbg_wave *w)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    struct shadow *s = &u->wave[w->id];
    if (s->made) return s->written ? s : NULL;
    s->made = true;
    s->written = xcalloc(u->registers, sizeof *s->written);
    struct gpudbg_wave a = {.words = NULL}, b = {.words = NULL};
    if (started(w, 0x5a, &a) && started(w, 0xa5, &b))
        for (unsigned f = 0; f < w->machine->isa->nfiles; f++)
            for (unsigned i = 0; u->first[f] != SIZE_MAX && i < run->count(w->machine, f); i++)
                *word_of(u, s, f, i) = alike(&w->machine->isa->files[f], run->reg(&a, f, i), run->reg(&b, f, i));
    free(a.words);
    free(b.words);
    return s->written ? s : NULL;
}

static void report(const struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_operand *o, unsigned index,
    uint64_t lanes)
{
    const struct gpudbg_regfile *file = &w->machine->isa->files[o->file];
    char name[40], message[120];
    gpudbg_register_name(file, index, name, sizeof name);
    snprintf(message, sizeof message, "%s is read, and nothing was ever written to it", name);
    gpudbg_report(
        u->checks, &(struct gpudbg_report){.pc = w->pc, .lanes = file->lanes > 1 ? lanes : 0, .message = message});
}

/* Whether an operand is what a store stores: that is a copy, too. */
static bool is_stored(const struct gpudbg_insn *insn, unsigned operand)
{
    if ((insn->op->flags & (GPUDBG_OP_STORE | GPUDBG_OP_LOAD)) != GPUDBG_OP_STORE) return false;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_MEMORY && insn->operands[i].index == (int)operand)
            return false; /* the address */
    return true;
}

/* Whether an operand uses what was not written.  Where one lane is read or written among all (a readlane, a spill to a
 * lane), the operand does not say which. */
static bool uses(const struct gpudbg_insn *insn, unsigned operand, uint64_t missing, uint64_t lanes)
{
    const uint8_t flags = insn->operands[operand].flags;
    if (is_stored(insn, operand) || flags & GPUDBG_NO_MATTER) return false;
    if (!(flags & GPUDBG_ALL_LANES)) return missing;
    return missing == lanes && !(flags & GPUDBG_WRITE);
}

/* A copy of what nobody wrote was not written either. */
static bool copies_nothing(
    const struct uninitialised *u, const struct shadow *s, const struct gpudbg_insn *insn, uint64_t active)
{
    for (unsigned i = 0; insn->op->flags & GPUDBG_OP_COPY && i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->index >= 0) continue;
        const uint64_t *written = word_of(u, s, o->file, o->reg);
        if (written && uses(insn, i, active & ~*written, active)) return true;
    }
    return false;
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct uninitialised *u = state;
    struct shadow *s = shadow(u, w);
    const uint64_t active = w->machine->isa->run->active(w);
    const bool nothing = s && copies_nothing(u, s, insn, active);
    for (unsigned pass = nothing ? GPUDBG_WRITE : GPUDBG_READ; s && pass <= GPUDBG_WRITE;
         pass++) { /* sources before destinations */
        for (unsigned i = 0; i < insn->noperands; i++) {
            const struct gpudbg_operand *o = &insn->operands[i];
            if (o->kind != GPUDBG_REGISTER || !(o->flags & pass) || (o->index >= 0 && pass == GPUDBG_READ)) continue;
            const uint64_t lanes = o->flags & GPUDBG_ALL_LANES ? w->lanes : active;
            for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
                uint64_t *written = word_of(u, s, o->file, r);
                const uint64_t missing = written ? lanes & ~*written : 0;
                if (pass == GPUDBG_READ && !uses(insn, i, missing, lanes)) continue;
                if (pass == GPUDBG_READ) report(u, w, o, r, missing);
                if (!written) continue;
                /* Said once; and a scalar is written whatever the mask. */
                const uint64_t all = w->machine->isa->files[o->file].lanes > 1 ? lanes : ~UINT64_C(0);
                if (nothing && !(o->flags & GPUDBG_READ))
                    *written &= ~all;
                else
                    *written |= all;
            }
        }
    }
    if (insn->op->flags & GPUDBG_OP_END && s) {
        free(s->written);
        s->written = NULL;
    }
}

static void edit(void *state, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct uninitialised *u = state;
    struct shadow *s = shadow(u, w);
    uint64_t *written = s ? word_of(u, s, file, index) : NULL;
    if (written) *written = ~UINT64_C(0);
}

const struct gpudbg_checker check_uninitialised = {
    .kind = "uninitialised",
    .summary = "registers that are read before anything was written to them",
    .start = begin,
    .stop = end,
    .before = before,
    .edit = edit,
};
