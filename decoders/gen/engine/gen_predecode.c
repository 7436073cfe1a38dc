/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_predecode.c: the code of an image as steps, one for every 8 bytes: see gpudbg/steps.h.  Each step is made
 * separately, because much may be prepared for it.
 */
#include "engine/gen_exec.h"
#include "message/quick.h"
#include "alu/regions.h"

#define GPUDBG_STEP struct gen_step
#define GPUDBG_STEP_FN gen_fn
#define GPUDBG_STEP_UNIT 8
#define GPUDBG_STEP_ALIGN 1
#define GPUDBG_STEP_BLOCK 1
#define GPUDBG_STEP_PC "ip"
#define GPUDBG_STEP_FAULT GEN_FAULT
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

uint64_t gen_pc(const struct gen *g, const struct gen_step *op) { return steps_pc(&g->code->steps, op); }

/* ---- Handlers ---- */

static const struct gen_step *nop(struct gpudbg_wave *w, const struct gen_step *op)
{
    (void)w;
    return gen_next(op);
}

static const struct gen_step *bad_operand(struct gpudbg_wave *w, const struct gen_step *op)
{
    return GEN_FAULT(w, op, -1, "%s: a reserved size, type or register", op->insn->row->name);
}

static bool operand_fits(const struct gen_operand *o)
{
    return o->mode == GEN_ABSENT || (o->type != GEN_BADTYPE && o->type < GEN_TYPES && o->type != 8 &&
                                        (o->mode != GEN_DIRECT || o->file < GEN_NOFILE));
}

gen_fn *gen_handler(const struct gen_insn *insn)
{
    bool fits = insn->exec_size <= GEN_CHANNELS;
    if (insn->shape == GEN_NONE) return GEN_IS(insn->op, ILLEGAL) ? gen_illegal : nop;
    if (insn->shape == GEN_SEND) return fits ? gen_send : bad_operand;
    if (insn->shape == GEN_SYNC) return gen_sync_op;
    if (insn->shape == GEN_WAIT) return gen_wait;
    if (insn->shape >= GEN_JUMP) return gen_flow;
    fits &= operand_fits(&insn->dst);
    for (unsigned i = 0; i < insn->nsrc; i++) fits &= operand_fits(&insn->src[i]);
    return !fits ? bad_operand : gen_uses_native(insn) ? gen_native_mad : gen_alu;
}

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

static gen_fn *made_handler(const struct gen_step *op)
{
    gen_fn *usual = gen_handler(op->insn);
    if (op->insn->breakpoint) return gen_debug_break;
    if (usual == gen_send && op->quick) return gen_quick_handler(op->quick);
    return usual == gen_alu && op->fast ? gen_fast_handler(op->fast) : usual;
}

static void free_prepared(const struct gen_step *op)
{
    if (op->insn && op->insn->shape == GEN_SEND)
        gen_quick_free(op->quick);
    else
        gen_fast_free(op->fast);
}

/* Operands of macros are whole registers; they have the number of an mme in place of the byte in a register. */
static void take_registers(struct gen_insn *insn)
{
    if (insn->dst.mme != 255) insn->dst.sub = 0;
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].mme != 255) insn->src[i].sub = 0;
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
    if (gen_is_macro(insn)) take_registers(insn);
    op->insn = insn;
    op->next = op + insn->size / 8;
    g->has_native |= gen_uses_native(insn);
    gen_fn *usual = gen_handler(insn);
    if (usual == gen_alu && g->paths != GEN_GENERIC_PATH && !insn->breakpoint) op->fast = gen_fast_new(g, insn);
    if (usual == gen_send && g->paths == GEN_ALL_PATHS && !insn->breakpoint) op->quick = gen_quick_new(g, insn);
    op->fn = made_handler(op);
}

static void step_unmake(struct steps *steps, struct gen_step *op)
{
    (void)steps;
    free_prepared(op);
}

static bool step_stops(const struct gen_step *op) { return op->insn != NULL; }

static const struct gen_step *step_break(struct gpudbg_wave *w, const struct gen_step *op)
{
    gen_sync(w, op);
    return gen_stop(w, GPUDBG_RAN_BREAK);
}

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
            free_prepared(&code->steps.section[i].step[k]);
    steps_close(&code->steps);
    for (struct block *b = code->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(code);
    g->code = NULL;
}
