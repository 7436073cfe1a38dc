/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_predecode.c: the code of an image as steps, one for every 8 bytes: see gpudbg/steps.h.  Each step is made
 * separately, because much may be prepared for it.
 */
#include "engine/gen_exec.h"

#define GPUDBG_STEP struct gen_step
#define GPUDBG_STEP_FN gen_fn
#define GPUDBG_STEP_UNIT 8
#define GPUDBG_STEP_ALIGN 1
#define GPUDBG_STEP_BLOCK 1
#define GPUDBG_STEP_LONGEST 2
#define GPUDBG_STEP_PC "ip"
#define GPUDBG_STEP_FAULT GEN_FAULT
#include "code/footprint.h"
#include "gpudbg/steps.h"

struct block { /* of decoded instructions, freed together */
    struct block *next;
    size_t used;
    struct gen_insn insn[64];
};

struct gen_code {
    struct steps steps;
    struct gen *g;
    const struct gpudbg_isa *isa;
    struct block *blocks;
};

static struct steps *steps_of(const struct gpudbg_wave *w) { return &gen_of(w)->code->steps; }

struct gen_steps gen_steps_of(const struct gen *g, const struct gen_step *op)
{
    const struct steps_section *s = steps_section(&g->code->steps, op);
    return s ? (struct gen_steps){s->step, s->step + s->count + GPUDBG_STEP_LONGEST, s->base}
             : (struct gen_steps){NULL, NULL, 0};
}

uint64_t gen_pc(const struct gen *g, const struct gen_step *op) { return steps_pc(&g->code->steps, op); }

/* ---- Steps ---- */

static struct gen_insn *new_insn(struct gen_code *code)
{
    if (!code->blocks || code->blocks->used == 64) {
        struct block *b = calloc(1, sizeof *b);
        if (!b) return NULL;
        b->next = code->blocks;
        code->blocks = b;
    }
    return &code->blocks->insn[code->blocks->used++];
}

static void step_make(struct steps *steps, struct steps_section *s, size_t i)
{
    struct gen_code *code = (struct gen_code *)steps;
    struct gen *g = code->g;
    struct gen_step *op = &s->step[i];
    struct gpudbg_insn raw;
    const size_t at = 8 * i;
    op->fn = gen_illegal;
    if (code->isa->decode(code->isa, s->bytes + at, 8 * s->count - at, s->base + at, &raw) <= 0 || !raw.op) return;
    struct gen_insn *insn = new_insn(code);
    if (!insn) { /* tried again when control reaches it again */
        op->fn = steps_lazy;
        return;
    }
    gen_unpack(&raw, insn);
    gen_take_registers(insn);
    op->insn = insn;
    op->next = op + insn->size / 8;
    op->fn = g->families->prepare(g, op);
}

static void step_unmake(struct steps *steps, struct gen_step *op) { ((struct gen_code *)steps)->g->families->free(op); }

static bool step_stops(const struct gen_step *op) { return op->insn != NULL; }

static const struct gen_step *step_break(struct gpudbg_wave *w, const struct gen_step *op)
{
    gen_sync(w, op);
    return gen_stop(w, GPUDBG_RAN_BREAK);
}

gen_fn *const gen_break = step_break;

const struct gen_step *gen_op_inside(const struct gen *g, uint64_t pc) { return steps_inside(&g->code->steps, pc); }

const struct gen_step *gen_op_at(const struct gen *g, uint64_t pc) { return steps_at(&g->code->steps, pc); }

const struct gen_step *gen_op_made(const struct gpudbg_wave *w, uint64_t pc)
{
    struct gen_step *op = steps_inside(steps_of(w), pc);
    if (op) steps_make(steps_of(w), op);
    return op;
}

gen_fn *gen_real_fn(const struct gen *g, const struct gen_step *op) { return steps_fn(&g->code->steps, op); }

bool gen_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    return steps_breakpoint(&((struct gen *)m->runner)->code->steps, pc, on);
}

bool gen_recode(struct gpudbg_machine *m, uint64_t from, uint64_t to, struct gpudbg_error *err)
{
    (void)err;
    steps_recode(&((struct gen *)m->runner)->code->steps, m->image, from, to);
    return true;
}

/* ---- Making and freeing ---- */

bool gen_code_new(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gen *g = m->runner;
    struct gen_code *code = g->code = calloc(1, sizeof *code);
    if (!code) return gpudbg_fail(err, "memory", "no memory for the machine");
    code->g = g;
    code->isa = m->isa;
    return steps_open(&code->steps, m->image, err);
}

void gen_code_free(struct gpudbg_machine *m)
{
    struct gen *g = m->runner;
    struct gen_code *code = g->code;
    if (!code) return;
    for (size_t i = 0; i < code->steps.nsections; i++)
        for (size_t k = 0; code->steps.section[i].step && k < code->steps.section[i].count; k++)
            g->families->free(&code->steps.section[i].step[k]);
    steps_close(&code->steps);
    for (struct block *b = code->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(code);
    g->code = NULL;
}
