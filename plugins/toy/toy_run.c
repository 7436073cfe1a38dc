/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * toy_run.c: execution.  A wave's state is its pc and the registers in wave->words, nothing else: gpudbg copies both
 * and runs forward again from the copies, and so the toy runs backwards without a line about it here.
 */
#include <stdlib.h>
#include <string.h>
#include "toy.h"

/* What a launch needs, the same from its start to its end. */
struct toy {
    uint64_t base; /* address of the first word */
    uint64_t n;    /* words of code */
    uint32_t *code;
    bool *breakpoint;                           /* one a word */
    struct gpudbg_segment *buffer[TOY_BUFFERS]; /* NULL: not given */
};

static void finish(struct gpudbg_machine *m)
{
    struct toy *t = m->runner;
    if (!t) return;
    free(t->code);
    free(t->breakpoint);
    free(t);
    m->runner = NULL;
}

/* Arguments are buffers, named buf0 to buf15. */
static bool take_buffers(struct toy *t, const struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        char *end = NULL;
        const unsigned long number = strncmp(b->name, "buf", 3) == 0 ? strtoul(b->name + 3, &end, 10) : TOY_BUFFERS;
        if (b->kind != GPUDBG_BOUND_BUFFER || number >= TOY_BUFFERS || *end)
            return gpudbg_fail(err, "no-such-name", "launch: '%s' is none of buf0 to buf%d", b->name, TOY_BUFFERS - 1);
        t->buffer[number] = b->segment;
    }
    return true;
}

static bool launch(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const uint64_t entry = m->launch->kernel->entry;
    const struct gpudbg_section *section = gpudbg_image_at(m->image, entry);
    struct toy *t = m->runner = calloc(1, sizeof *t);
    m->wave_words = TOY_REGISTERS * TOY_LANES;
    if (!t) return gpudbg_fail(err, "memory", "launch: out of memory");
    t->base = section->addr;
    t->n = section->size / 4;
    t->code = calloc(t->n + 1, sizeof *t->code);
    t->breakpoint = calloc(t->n + 1, sizeof *t->breakpoint);
    if (!t->code || !t->breakpoint) return gpudbg_fail(err, "memory", "launch: %s: out of memory", section->name);
    gpudbg_image_copy(m->image, t->base, (uint8_t *)t->code, t->n * 4);
    return take_buffers(t, m->launch, err);
}

static void start(struct gpudbg_wave *w) { w->pc = w->machine->launch->kernel->entry; /* registers are 0 already */ }

/* ---- Memory ---- */

/* The offset of the lane's four bytes in its buffer, or -1: a fault. */
static int64_t locate(struct gpudbg_wave *w, struct toy_word i, unsigned lane)
{
    const struct gpudbg_segment *buffer = ((struct toy *)w->machine->runner)->buffer[i.b];
    const int64_t offset = (int64_t)w->words[i.a * TOY_LANES + lane] + i.imm;
    if (!buffer)
        gpudbg_fault(w, (int)lane, "buf%u was not given", i.b);
    else if (offset < 0 || (uint64_t)offset + 4 > buffer->size)
        gpudbg_fault(w, (int)lane, "buf%u has %llu bytes, none at %lld", i.b, (unsigned long long)buffer->size,
            (long long)offset);
    else
        return offset;
    return -1;
}

/* Reads or writes memory[lane] of all lanes.  All are checked first: an instruction that faults has changed nothing. */
static bool move_memory(struct gpudbg_wave *w, struct toy_word i, uint32_t *memory, bool write)
{
    const struct gpudbg_segment *buffer = ((struct toy *)w->machine->runner)->buffer[i.b];
    int64_t offset[TOY_LANES];
    for (unsigned lane = 0; lane < TOY_LANES; lane++)
        if (w->lanes >> lane & 1 && (offset[lane] = locate(w, i, lane)) < 0) return false;
    for (unsigned lane = 0; lane < TOY_LANES; lane++) {
        if (!(w->lanes >> lane & 1)) continue;
        const uint64_t addr = buffer->base + (uint64_t)offset[lane];
        if (!(write ? gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, &memory[lane], 4, (int)lane)
                    : gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, &memory[lane], 4, (int)lane)))
            return false;
    }
    return true;
}

/* ---- Instructions ---- */

/* What the row says, in every lane that exists. */
static void compute(struct gpudbg_wave *w, struct toy_word i, enum toy_op op, uint32_t memory[TOY_LANES])
{
    for (unsigned lane = 0; lane < TOY_LANES; lane++) {
        if (!(w->lanes >> lane & 1)) continue;
#define D w->words[i.d * TOY_LANES + lane]
#define A w->words[i.a * TOY_LANES + lane]
#define B w->words[i.b * TOY_LANES + lane]
#define IMM i.imm
#define ITEM ((w->group * w->machine->launch->local[0]) + w->index * TOY_LANES + lane)
#define MEMORY memory[lane]
        switch (op) {
#define OP(toy, toy2, name, operands, flags, doc, lane_does) \
    case TOY_##name:                                         \
        lane_does;                                           \
        break;
#include "ops.def"
        case TOY_OPS: break;
        }
#undef D
#undef A
#undef B
#undef IMM
#undef ITEM
#undef MEMORY
    }
}

/* One instruction.  wave->pc moves on unless it faults. */
static enum gpudbg_ran step(struct gpudbg_wave *w, struct toy_word i)
{
    uint32_t memory[TOY_LANES] = {0};
    const struct gpudbg_op *op = toy_op_of(w->machine->isa, i.op);
    if (!op) return gpudbg_fault(w, -1, "no such instruction");
    const uint64_t flags = op->flags;
    if (flags & GPUDBG_OP_LOAD && !move_memory(w, i, memory, false)) return GPUDBG_RAN_FAULT;
    compute(w, i, (enum toy_op)op->id, memory);
    if (flags & GPUDBG_OP_STORE && !move_memory(w, i, memory, true)) return GPUDBG_RAN_FAULT;
    w->pc += 4;
    if (flags & GPUDBG_OP_BRANCH && w->words[i.d * TOY_LANES]) w->pc += (uint64_t)(int64_t)i.imm * 4;
    if (!(flags & GPUDBG_OP_END)) return w->machine->watch_hit ? GPUDBG_RAN_WATCH : GPUDBG_RAN_LIMIT;
    w->state = GPUDBG_ENDED;
    return GPUDBG_RAN_END;
}

static enum gpudbg_ran run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    const struct toy *t = w->machine->runner;
    enum gpudbg_ran ran = GPUDBG_RAN_LIMIT;
    for (; limit && ran == GPUDBG_RAN_LIMIT && !w->machine->interrupt; limit--, over = false) {
        const uint64_t at = (w->pc - t->base) / 4;
        if (w->pc % 4 != t->base % 4 || at >= t->n) return gpudbg_fault(w, -1, "there is no code");
        if (t->breakpoint[at] && !over) return GPUDBG_RAN_BREAK;
        ran = step(w, toy_word(t->code[at]));
        w->executed += ran != GPUDBG_RAN_FAULT;
    }
    return ran;
}

static bool breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct toy *t = m->runner;
    if ((pc - t->base) % 4 || (pc - t->base) / 4 >= t->n) return false;
    t->breakpoint[(pc - t->base) / 4] = on;
    return true;
}

/* ---- Registers ---- */

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    return file == 0 && index < TOY_REGISTERS ? w->words + index * TOY_LANES : NULL;
}

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    (void)m;
    return file == 0 ? TOY_REGISTERS : 0;
}

static uint64_t active(const struct gpudbg_wave *w) { return w->lanes; }

const struct gpudbg_runner toy_runner = {
    .launch = launch,
    .start = start,
    .run = run,
    .reg = reg,
    .count = count,
    .active = active,
    .breakpoint = breakpoint,
    .finish = finish,
};
