/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * toy.h: an instruction set of a dozen opcodes with a runner as plain as can be, so that the machine is tested without
 * any real decoder.  An instruction is 8 bytes: {code, a, b, other, imm}.  A wave has s0..s15, exec, and v0..v3.
 */
#ifndef TOY_H
#define TOY_H

#include "machine/launch.h"
#include "machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum toy_code {
    TOY_NOP,
    TOY_ADD,    /* s[a] += imm */
    TOY_MIX,    /* s[a] = s[a] * 5 + s[b] + wave id */
    TOY_VADD,   /* v[a] += s[b] + lane, in active lanes */
    TOY_MASK,   /* exec = exec rotated left by imm, without its top bit now and then */
    TOY_STORE,  /* buffer a[(s[b] + imm + 4 lane) % size] = v[a]; `other`: to the other one, by one in so many waves */
    TOY_LOAD,   /* v[a] = the same */
    TOY_ATOM,   /* buffer a[imm % size] += s[a], as one lane */
    TOY_LSTORE, /* LDS[(s[b] + imm + 4 lane) % size] = v[a] */
    TOY_LLOAD,
    TOY_LOOP, /* if (--s[a] > 0) pc += imm instructions */
    TOY_BARRIER,
    TOY_YIELD,
    TOY_EVENT,
    TOY_WILD, /* store of 4 bytes at s[a] + imm, lane 37 */
    TOY_END,
};

struct toy_op {
    uint8_t code, a, b, other;
    int32_t imm;
};

enum { TOY_S = 0, TOY_EXEC = 16, TOY_V = 32, TOY_WORDS = 32 + 4 * 64 };

struct toy_program {
    const struct toy_op *op;
    size_t n;
    uint64_t buffer; /* bytes */
    uint64_t other;  /* ... of a second one; 0: there is none */
    uint32_t lds;
    bool plain; /* never a direct store: all through the door */
};

struct toy {
    const struct toy_program *program;
    struct gpudbg_segment *a, *b, *other;
    bool *broken;
};

static const struct toy_program *toy_next_program; /* for the next launch */

static bool toy_launch(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct toy *t = calloc(1, sizeof *t);
    m->runner = t;
    t->program = toy_next_program;
    t->broken = calloc(t->program->n, sizeof *t->broken);
    m->wave_words = TOY_WORDS;
    m->lds_size = t->program->lds;
    t->a = gpudbg_machine_segment(m, "a", t->program->buffer, NULL, 0, err);
    t->b = t->a ? gpudbg_machine_segment(m, "constants", 100,
                      (const uint8_t *)"0123456789abcdefghijklmnopqrstuvwxyz"
                                       "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz",
                      GPUDBG_SEG_READONLY, err)
                : NULL;
    if (t->b && t->program->other) t->other = gpudbg_machine_segment(m, "other", t->program->other, NULL, 0, err);
    return t->b && (t->other || !t->program->other);
}

static void toy_finish(struct gpudbg_machine *m)
{
    struct toy *t = m->runner;
    free(t->broken);
    free(t);
}

static void toy_start(struct gpudbg_wave *w)
{
    w->pc = 0;
    for (int i = 0; i < 16; i++) w->words[i] = w->id * 16 + (uint32_t)i;
    w->words[15] = 0;
    memcpy(w->words + TOY_EXEC, &w->lanes, 8);
    for (uint32_t i = 0; i < 64; i++) w->words[TOY_V + i] = w->index * 64 + i;
}

static uint64_t toy_active(const struct gpudbg_wave *w)
{
    uint64_t exec;
    memcpy(&exec, w->words + TOY_EXEC, 8);
    return exec;
}

static bool toy_store(
    struct gpudbg_wave *w, unsigned space, struct gpudbg_segment *s, uint64_t offset, uint32_t value, int lane)
{
    const struct toy *t = w->machine->runner;
    if (!t->program->plain && gpudbg_mem_open(w, s, offset, 4)) {
        memcpy(s->bytes + offset, &value, 4);
        return true;
    }
    return gpudbg_mem_write(w, space, s->base + offset, &value, 4, lane);
}

static bool toy_rows(struct gpudbg_wave *w, const struct toy_op *op, bool store, bool local)
{
    const struct toy *t = w->machine->runner;
    struct gpudbg_segment *s = local ? w->lds : op->other ? t->other : t->a;
    if (store && op->other && w->id % op->other != op->other - 1u) return true;
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(toy_active(w) >> lane & 1)) continue;
        uint64_t offset = (w->words[op->b] + (uint32_t)op->imm + 4 * lane) % (s->size - 3);
        uint32_t *v = &w->words[TOY_V + 64u * (op->a % 4) + lane];
        const unsigned space = local ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
        if (store ? !toy_store(w, space, s, offset, *v, (int)lane)
                  : !gpudbg_mem_read(w, space, s->base + offset, v, 4, (int)lane))
            return false;
    }
    return true;
}

static enum gpudbg_ran toy_step(struct gpudbg_wave *w, const struct toy_op *op)
{
    const struct toy *t = w->machine->runner;
    uint32_t *s = w->words;
    uint64_t exec = toy_active(w), next = w->pc + 8;
    enum gpudbg_ran ran = GPUDBG_RAN_LIMIT;
    uint32_t x;
    uint64_t at;
    switch (op->code) {
    case TOY_ADD: s[op->a] += (uint32_t)op->imm; break;
    case TOY_MIX: s[op->a] = s[op->a] * 5 + s[op->b] + w->id; break;
    case TOY_VADD:
        for (uint32_t l = 0; l < 64; l++)
            if (exec >> l & 1) s[TOY_V + 64u * (op->a % 4) + l] += s[op->b] + l;
        break;
    case TOY_MASK:
        exec = exec << op->imm | exec >> (64 - op->imm);
        if (exec & 2) exec ^= 4;
        memcpy(s + TOY_EXEC, &exec, 8);
        break;
    case TOY_STORE:
        if (!toy_rows(w, op, true, false)) return GPUDBG_RAN_FAULT;
        break;
    case TOY_LOAD:
        if (!toy_rows(w, op, false, false)) return GPUDBG_RAN_FAULT;
        break;
    case TOY_LSTORE:
        if (!toy_rows(w, op, true, true)) return GPUDBG_RAN_FAULT;
        break;
    case TOY_LLOAD:
        if (!toy_rows(w, op, false, true)) return GPUDBG_RAN_FAULT;
        break;
    case TOY_ATOM:
        at = (uint32_t)op->imm % (t->a->size - 3);
        if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, t->a->base + at, &x, 4, 0)) return GPUDBG_RAN_FAULT;
        if (!toy_store(w, GPUDBG_GLOBAL, t->a, at, x + s[op->a], 0)) return GPUDBG_RAN_FAULT;
        break;
    case TOY_LOOP:
        if (--s[op->a] > 0 && s[op->a] < 0x80000000u) next = w->pc + (uint64_t)(int64_t)op->imm * 8;
        break;
    case TOY_BARRIER:
        w->state = GPUDBG_AT_BARRIER;
        ran = GPUDBG_RAN_BARRIER;
        break;
    case TOY_YIELD: ran = GPUDBG_RAN_YIELD; break;
    case TOY_EVENT:
        gpudbg_event(w, "message", "s0 is %u", s[0]);
        ran = GPUDBG_RAN_EVENT;
        break;
    case TOY_WILD:
        if (!gpudbg_mem_write(w, GPUDBG_GLOBAL, s[op->a] + (uint64_t)(int64_t)op->imm, s, 4, 37))
            return GPUDBG_RAN_FAULT;
        break;
    case TOY_END:
        w->state = GPUDBG_ENDED;
        ran = GPUDBG_RAN_END;
        break;
    default: break;
    }
    w->pc = next;
    w->executed++;
    return ran != GPUDBG_RAN_LIMIT ? ran : w->machine->watch_hit ? GPUDBG_RAN_WATCH : GPUDBG_RAN_LIMIT;
}

static enum gpudbg_ran toy_run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    const struct toy *t = w->machine->runner;
    enum gpudbg_ran ran = GPUDBG_RAN_LIMIT;
    for (; limit > 0 && ran == GPUDBG_RAN_LIMIT && !w->machine->interrupt; limit--, over = false) {
        const uint64_t at = w->pc / 8;
        if (at >= t->program->n) return gpudbg_fault(w, -1, "no code at 0x%x", (unsigned)w->pc);
        if (t->broken[at] && !over) return GPUDBG_RAN_BREAK;
        if (w->machine->ask && w->machine->ask(w)) return GPUDBG_RAN_BREAK;
        ran = toy_step(w, &t->program->op[at]);
    }
    return ran;
}

static uint32_t *toy_reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    if (file == 0) return index < 16 ? w->words + index : NULL;
    if (file == 1) return index < 4 ? w->words + TOY_V + 64 * index : NULL;
    return index == 0 ? w->words + TOY_EXEC : NULL;
}

static unsigned toy_count(const struct gpudbg_machine *m, unsigned file)
{
    (void)m;
    return file == 0 ? 16 : file == 1 ? 4 : 1;
}

static bool toy_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct toy *t = m->runner;
    if (pc % 8 || pc / 8 >= t->program->n) return false;
    t->broken[pc / 8] = on;
    return true;
}

static int toy_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    memset(out, 0, sizeof *out);
    *out = (struct gpudbg_insn){.addr = addr, .isa = isa, .raw = p, .size = 8};
    return n < 8 ? GPUDBG_SHORT : 8;
}

static int toy_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    (void)syntax, (void)style, (void)names;
    return snprintf(buf, size, "toy %u", insn->raw[0]);
}

static const struct gpudbg_runner toy_runner = {
    .launch = toy_launch,
    .start = toy_start,
    .run = toy_run,
    .reg = toy_reg,
    .count = toy_count,
    .active = toy_active,
    .breakpoint = toy_breakpoint,
    .asks = true,
    .finish = toy_finish,
};

static const struct gpudbg_regfile toy_files[] = {
    {.name = "s", .count = 16, .bits = 32, .lanes = 1, .indexed = true},
    {.name = "v", .count = 4, .bits = 32, .lanes = 64, .indexed = true},
    {.name = "exec", .count = 1, .bits = 64, .lanes = 1, .mask = true},
};

static const struct gpudbg_isa toy_isa = {
    .name = "toy",
    .align = 8,
    .lanes = 64,
    .files = toy_files,
    .nfiles = 3,
    .decode = toy_decode,
    .text = toy_text,
    .run = &toy_runner,
};

/* A machine of `groups` groups of `items` work-items. */
static struct gpudbg_machine *toy_machine(const struct toy_program *program, uint32_t groups, uint32_t items)
{
    static struct gpudbg_section code;
    static const struct gpudbg_image image = {
        .path = "toy", .kind = "toy", .isa = &toy_isa, .sections = &code, .nsections = 1};
    static const struct gpudbg_kernel kernel = {.name = "toy"};
    struct gpudbg_launch *launch = calloc(1, 4096); /* launch.c's own is larger */
    struct gpudbg_error err = {0};
    code = (struct gpudbg_section){.name = "code",
        .size = program->n * sizeof *program->op,
        .bytes = (const uint8_t *)program->op,
        .flags = GPUDBG_CODE_BYTES | GPUDBG_LOADED};
    *launch = (struct gpudbg_launch){.kernel = &kernel,
        .global = {groups * items, 1, 1},
        .local = {items, 1, 1},
        .groups = {groups, 1, 1},
        .dimensions = 1};
    toy_next_program = program;
    struct gpudbg_machine *m = machine_new(NULL, &image, launch, &err);
    if (!m) fprintf(stderr, "# %s\n", err.message);
    return m;
}

static struct gpudbg_stop toy_go(
    struct gpudbg_machine *m, enum machine_until until, bool backwards, uint32_t wave, uint64_t count, bool stops)
{
    return machine_run(m,
        &(struct machine_want){.until = until, .backwards = backwards, .wave = wave, .count = count, .stops = stops});
}

#endif
