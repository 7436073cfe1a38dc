/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_predecode.c: the code sections of an image as ops, one for every 8 bytes.  An op is made when control first comes
 * to it: until then its handler is `lazy`.  A breakpoint puts a handler before the real one, which gen_handler finds
 * again.
 */
#include <stdlib.h>

#include "engine/gen_exec.h"
#include "message/quick.h"
#include "alu/regions.h"

struct section {
    uint64_t base;
    uint8_t *bytes; /* a copy, relocations applied */
    size_t size, count;
    struct gen_step *ops; /* count + 2: running off the end */
};

struct block { /* of decoded instructions, freed together */
    struct block *next;
    size_t used;
    struct gen_insn insn[64];
};

struct gen_code {
    const struct gpudbg_isa *isa;
    struct section *section;
    size_t nsections;
    struct block *blocks;
    struct gen_step outside; /* of the latest jump out of the code */
    uint64_t outside_pc;
};

/* ---- Places ---- */

static struct section *section_of(const struct gen_code *code, const struct gen_step *op)
{
    for (size_t i = 0; i < code->nsections; i++)
        if (op >= code->section[i].ops && op < code->section[i].ops + code->section[i].count + 2)
            return &code->section[i];
    return NULL;
}

uint64_t gen_pc(const struct gen *g, const struct gen_step *op)
{
    const struct section *s = section_of(g->code, op);
    return s ? s->base + 8 * (uint64_t)(op - s->ops) : g->code->outside_pc;
}

static struct gen_step *find(const struct gen_code *code, uint64_t pc)
{
    for (size_t i = 0; i < code->nsections; i++) {
        const struct section *s = &code->section[i];
        if (pc - s->base < 8 * (uint64_t)s->count && !((pc - s->base) & 7)) return &s->ops[(pc - s->base) / 8];
    }
    return NULL;
}

/* ---- Making ops ---- */

static const struct gen_step *outside(struct gpudbg_wave *w, const struct gen_step *op)
{
    const uint64_t ip = gen_pc(gen_of(w), op);
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(w->machine->image, ip);
    if (s && s->kind == GPUDBG_SYM_UNDEFINED)
        return GEN_FAULT(w, op, -1, "%.200s was called, and the file does not contain it", s->name);
    return GEN_FAULT(w, op, -1, "ip 0x%llx is outside the code", (unsigned long long)ip);
}

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

/* Operands of macros are whole registers; a number of mme stands where others have a byte of theirs. */
static void take_registers(struct gen_insn *insn)
{
    if (insn->dst.mme != 255) insn->dst.sub = 0;
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].mme != 255) insn->src[i].sub = 0;
}

static gen_fn lazy;

static void make(struct gen *g, struct section *s, struct gen_step *op)
{
    struct gpudbg_insn raw;
    size_t at = 8 * (size_t)(op - s->ops);
    op->fn = gen_illegal;
    if (at >= s->size || g->code->isa->decode(g->code->isa, s->bytes + at, s->size - at, s->base + at, &raw) <= 0 ||
        !raw.op)
        return;
    struct gen_insn *insn = new_insn(g->code);
    if (!insn) { /* tried again when it is met again */
        op->fn = lazy;
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

static const struct gen_step *no_memory(struct gpudbg_wave *w, const struct gen_step *op)
{
    return GEN_FAULT(w, op, -1, "no memory to decode the instruction");
}

static const struct gen_step *lazy(struct gpudbg_wave *w, const struct gen_step *op)
{
    struct gen *g = gen_of(w);
    struct section *s = section_of(g->code, op);
    make(g, s, &s->ops[op - s->ops]);
    return op->fn == lazy ? no_memory(w, op) : op->fn(w, op);
}

const struct gen_step *gen_op_inside(const struct gen *g, uint64_t pc) { return find(g->code, pc); }

const struct gen_step *gen_op_at(const struct gen *g, uint64_t pc)
{
    struct gen_step *op = find(g->code, pc);
    if (op) return op;
    g->code->outside.fn = outside;
    g->code->outside_pc = pc;
    return &g->code->outside;
}

const struct gen_step *gen_op_made(const struct gpudbg_wave *w, uint64_t pc)
{
    struct gen *g = gen_of(w);
    struct gen_step *op = find(g->code, pc);
    if (op && op->fn == lazy) make(g, section_of(g->code, op), op);
    return op;
}

/* ---- Breakpoints ---- */

static const struct gen_step *stop_here(struct gpudbg_wave *w, const struct gen_step *op)
{
    gen_sync(w, op);
    return gen_stop(w, GPUDBG_RAN_BREAK);
}

gen_fn *gen_real_fn(const struct gen *g, const struct gen_step *op)
{
    (void)g;
    return op->fn == stop_here ? made_handler(op) : op->fn;
}

bool gen_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct gen *g = m->runner;
    struct gen_step *op = find(g->code, pc);
    if (!op) return false;
    if (op->fn == lazy) make(g, section_of(g->code, op), op);
    if (!op->insn) return false;
    op->fn = on ? stop_here : made_handler(op);
    return true;
}

/* ---- Code that changes ---- */

bool gen_recode(struct gpudbg_machine *m, uint64_t from, uint64_t to, struct gpudbg_error *err)
{
    struct gen *g = m->runner;
    (void)err;
    for (size_t i = 0; i < g->code->nsections; i++) {
        struct section *s = &g->code->section[i];
        if (from < s->base || from - s->base >= s->size) continue;
        gpudbg_image_copy(m->image, s->base, s->bytes, s->size);
        for (size_t k = (size_t)((from - s->base) / 8); k < s->count && s->base + 8 * k < to; k++) {
            struct gen_step *op = &s->ops[k];
            const bool stops = op->fn == stop_here;
            free_prepared(op);
            *op = (struct gen_step){.fn = lazy};
            if (stops) gen_breakpoint(m, s->base + 8 * k, true);
        }
    }
    return true;
}

/* ---- Making and freeing ---- */

bool gen_code_new(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gen *g = m->runner;
    struct gen_code *code = g->code = calloc(1, sizeof *code);
    if (!code || !(code->section = calloc(m->image->nsections + 1, sizeof *code->section)))
        return gpudbg_fail(err, "memory", "no memory for the machine");
    code->isa = m->isa;
    for (size_t i = 0; i < m->image->nsections; i++) {
        const struct gpudbg_section *from = &m->image->sections[i];
        if (!(from->flags & GPUDBG_CODE_BYTES) || !from->bytes || from->size < 8) continue;
        struct section *s = &code->section[code->nsections++];
        *s = (struct section){.base = from->addr, .size = (size_t)from->size, .count = (size_t)(from->size / 8)};
        s->ops = calloc(s->count + 2, sizeof *s->ops);
        s->bytes = malloc(s->size);
        if (!s->ops || !s->bytes)
            return gpudbg_fail(err, "memory", "no memory for %llu bytes of code", (unsigned long long)from->size);
        gpudbg_image_copy(m->image, from->addr, s->bytes, from->size);
        for (size_t k = 0; k < s->count; k++) s->ops[k].fn = lazy;
        s->ops[s->count].fn = s->ops[s->count + 1].fn = outside;
    }
    return true;
}

void gen_code_free(struct gpudbg_machine *m)
{
    struct gen *g = m->runner;
    struct gen_code *code = g->code;
    if (!code) return;
    for (size_t i = 0; i < code->nsections; i++) {
        for (size_t k = 0; code->section[i].ops && k < code->section[i].count; k++) {
            free_prepared(&code->section[i].ops[k]);
        }
        free(code->section[i].ops);
        free(code->section[i].bytes);
    }
    for (struct block *b = code->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(code->section);
    free(code);
    g->code = NULL;
}
