/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c: packets to ops, in two passes: the first finds declarations and registers, the second makes ops with their
 * operands placed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "run/atomics.h"

#define MACRO_OPERANDS 16
#define OPS (1u << 22)

/* ---- Memory of a program ---- */

struct chunk {
    struct chunk *next;
};

void *il_alloc(struct il *r, size_t size)
{
    struct chunk *c = size < SIZE_MAX - 64 ? calloc(1, 64 + size) : NULL;
    if (!c) return NULL;
    c->next = r->arena;
    r->arena = c;
    return (char *)c + 64;
}

void il_free(struct il *r)
{
    while (r && r->arena) {
        struct chunk *next = ((struct chunk *)r->arena)->next;
        free(r->arena);
        r->arena = next;
    }
    free(r);
}

bool il_no_memory(const struct il_making *k) { return gpudbg_fail(k->err, "memory", "launch: out of memory"); }

bool il_grow(void **array, size_t *room, size_t n, size_t size)
{
    if (n < *room) return true;
    const size_t more = *room ? *room * 2 : 64;
    void *grown = realloc(*array, more * size);
    if (!grown) return false;
    *array = grown;
    *room = more;
    return true;
}

/* ---- Packets to ops ---- */

static bool is_register_declaration(unsigned code)
{
    switch (code) {
    case IL_DCL_INPUT:
    case IL_DCL_OUTPUT:
    case IL_OP_DCLV:
    case IL_OP_DCLPI:
    case IL_OP_DCLPIN:
    case IL_OP_DCLVOUT: return true;
    default: return false;
    }
}

/* if_logicalz and the like, not their nz forms. */
static bool ends_in_z(const char *name)
{
    const size_t n = strlen(name);
    return n > 1 && name[n - 1] == 'z' && name[n - 2] != 'n';
}

static void fill_op(struct il_making *k, const struct il_packet *p, struct il_exec_op *op)
{
    op->row = p->op;
    op->code = il_code(p->op);
    op->scope = k->scope;
    op->fn = il_fn_of(p->op);
    op->alu = p->row->alu.sources ? &p->row->alu : NULL;
    op->control = p->code;
    op->pri = p->pri;
    op->sec = p->sec;
    op->offsets = p->aoffimmi;
    op->has_pri = p->has_pri;
    op->has_sec = p->has_sec;
    op->has_offsets = p->has_aoffimmi;
    op->indexed = il_field((enum il_word)p->row->word, "ext") && p->code >> 28 & 1;
    op->pixtex = (uint8_t)(p->has_pixtex ? p->pixtex & 15 : 0);
    op->id = il_control(p, "id") + il_control(p, "resource") + il_control(p, "stage");
    const int atomic = strlen(p->op->name) > 4 ? il_atomic_of(p->op->name) : -1;
    op->aux = (uint8_t)(atomic < 0 ? ends_in_z(p->op->name) : atomic);
    op->executable = (!(p->op->flags & IL_DECLARES) || op->fn) && op->code != IL_OP_COMMENT &&
                     op->code != IL_OP_PREFIX && op->code != IL_OP_FUNC && op->code != IL_OP_MACRODEF;
}

static bool fill_dest(const struct il_making *k, const struct il_operand *o, struct il_dest *d)
{
    memcpy(d->mask, o->select, sizeof d->mask);
    d->scale = o->scale;
    d->clamp = o->clamp;
    return il_place_operand(k, o, &d->at);
}

static bool fill_source(const struct il_making *k, const struct il_operand *o, struct il_source *s)
{
    il_take_source(o, s);
    return il_place_operand(k, o, &s->at);
}

/* The i-th operand, stored in the packet or not. */
static bool operand_of(const struct il_packet *p, uint32_t i, uint32_t *at, struct il_operand *o)
{
    const uint32_t n = il_operand_at(p->raw, (size_t)p->words * 4, *at, i < p->ndst, o);
    *at += n;
    return n != 0;
}

static bool fill_operands(struct il_making *k, const struct il_packet *p, struct il_exec_op *op)
{
    struct il_operand o;
    uint32_t at = p->operands_at;
    if (p->ndst > MACRO_OPERANDS || p->nsrc > MACRO_OPERANDS)
        return gpudbg_fail(k->err, "too-large",
            "launch: %s at 0x%" PRIx64 " has %u results and %u arguments: at most %d each", p->op->name, k->pc, p->ndst,
            p->nsrc, MACRO_OPERANDS);
    op->ndst = (uint8_t)p->ndst;
    op->nsrc = (uint8_t)p->nsrc;
    op->dst = il_alloc(k->r, (p->ndst + 1) * sizeof *op->dst);
    op->src = il_alloc(k->r, (p->nsrc + 1) * sizeof *op->src);
    if (!op->dst || !op->src) return il_no_memory(k);
    for (uint32_t i = 0; i < p->ndst + p->nsrc && operand_of(p, i, &at, &o); i++) {
        const bool ok = i < p->ndst ? fill_dest(k, &o, &op->dst[i]) : fill_source(k, &o, &op->src[i - p->ndst]);
        if (!ok) return false;
    }
    op->nextra = p->nextra;
    return il_extra_words(k, p, 0, p->nextra, &op->extra);
}

/* Matrices use the registers after the named one, too. */
static bool note_matrix(struct il_making *k, const struct il_packet *p)
{
    const unsigned code = il_code(p->op);
    if (code != IL_OP_MMUL && code != IL_OP_DET && code != IL_OP_TRANSPOSE) return true;
    for (uint32_t i = 0; i < p->noperands; i++)
        for (unsigned row = 1; row < 4; row++) {
            struct il_operand o = p->operand[i];
            const bool matrix = code == IL_OP_MMUL ? i == 2 : code == IL_OP_DET ? i == 1 : true;
            o.number += row;
            if (matrix && o.type != IL_REG_ITEMP && !o.dimensions && !il_note_operand(k, &o)) return false;
        }
    return true;
}

/* First pass: declarations, registers.  Second: ops. */
static bool take_packet(struct il_making *k, const struct il_packet *p, struct il_exec_op *op)
{
    struct il_operand o;
    uint32_t at = p->operands_at;
    if (op) {
        fill_op(k, p, op);
        return fill_operands(k, p, op);
    }
    const bool declares = p->op->flags & IL_DECLARES && !p->row->runs;
    if (declares && !il_declare(k, p)) return false;
    if (declares && !is_register_declaration(il_code(p->op))) return true;
    for (uint32_t i = 0; i < p->ndst + p->nsrc && operand_of(p, i, &at, &o); i++)
        if (!il_note_operand(k, &o)) return false;
    return note_matrix(k, p);
}

static bool begins_program(const struct gpudbg_insn *insn) { return insn->op && il_code(insn->op) == IL_OP_VERSION; }

static bool walk(struct il_making *k, bool second)
{
    struct il *r = k->r;
    struct gpudbg_insn insn;
    struct il_packet p;
    k->scope = 0;
    k->control_points = false;
    for (uint64_t at = 0; at + 4 <= r->size; at += insn.size) {
        struct il_exec_op *op = second ? &r->op[r->nops] : NULL;
        const bool known = gpudbg_insn_at(k->isa, k->code + at, r->size - at, at, &insn);
        k->pc = r->base + at;
        if (begins_program(&insn)) {
            k->scope = 0;
            r->shader = il_token(k->code + at, 0) >> 16 & 255;
            r->program = r->nops;
        }
        if (known && (il_code(insn.op) == IL_OP_LANGUAGE || il_code(insn.op) == IL_OP_VERSION)) continue;
        if (!known) {
            static const struct gpudbg_op unknown = {.name = "unknown opcode"};
            if (op) *op = (struct il_exec_op){.row = &unknown, .executable = true};
        } else if (il_unpack(k->code + at, insn.size, &p) <= 0) {
            return gpudbg_fail(k->err, "truncated", "launch: the instruction at 0x%" PRIx64 " is cut off", k->pc);
        } else {
            if (il_code(p.op) == IL_OP_MACRODEF) k->macro_arguments[p.code >> 16 & 0x3fff] = il_extra(&p, 0) + 1;
            if (il_code(p.op) == IL_OP_MACROCALL && k->macro_arguments[p.code >> 16 & 0x3fff])
                il_order_call(&p, k->macro_arguments[p.code >> 16 & 0x3fff] - 1);
            if (il_code(p.op) == IL_OP_MACRODEF) k->scope = (uint16_t)((p.code >> 16 & 0x3fff) + 1);
            if (il_code(p.op) == IL_OP_HS_CP_PHASE) k->control_points = true;
            if (!take_packet(k, &p, op)) return false;
            if (il_code(p.op) == IL_OP_MACROEND) k->scope = 0;
            if (il_code(p.op) == IL_OP_ENDPHASE) k->control_points = false;
        }
        if (op) {
            op->pc = k->pc;
            r->at[at / 4] = r->nops;
        }
        if (++r->nops >= OPS) return gpudbg_fail(k->err, "too-large", "launch: more than %u instructions", OPS);
    }
    return true;
}

/* ---- All of it ---- */

static bool make(struct il_making *k, const struct gpudbg_section *code)
{
    struct il *r = k->r;
    uint8_t *bytes = il_alloc(r, code->size + 16);
    r->base = code->addr;
    r->size = code->size & ~(uint64_t)3;
    memset(r->usage, 6, sizeof r->usage); /* generic */
    r->input_vertices = 1;
    if (!bytes || !(r->at = il_alloc(r, r->size + 4))) return il_no_memory(k);
    memset(r->at, 0xff, r->size + 4);
    memcpy(bytes, code->bytes ? code->bytes : bytes, code->bytes ? code->size : 0);
    k->code = bytes;
    if (!walk(k, false) || !il_place_registers(k)) return false;
    r->constant = il_alloc(r, (k->nconstants + 1) * sizeof *r->constant);
    r->op = il_alloc(r, ((size_t)r->nops + 1) * sizeof *r->op);
    r->breakpoint = il_alloc(r, (size_t)r->nops + 1);
    if (!r->constant || !r->op || !r->breakpoint) return il_no_memory(k);
    if (k->nconstants) memcpy(r->constant, k->constant, k->nconstants * sizeof *r->constant);
    r->nconstants = (uint32_t)k->nconstants;
    if (r->nconstants) qsort(r->constant, r->nconstants, sizeof *r->constant, il_by_name);
    r->nops = r->program = 0;
    return walk(k, true) && il_declare_defaults(k) && il_link(k) && il_measure_stack(k);
}

struct il *il_build(const struct gpudbg_isa *isa, const struct gpudbg_section *code, struct gpudbg_error *err)
{
    struct il_making *k = calloc(1, sizeof *k); /* too large for the stack */
    if (!k) {
        gpudbg_fail(err, "memory", "launch: out of memory");
        return NULL;
    }
    k->err = err;
    k->isa = isa;
    k->r = calloc(1, sizeof *k->r);
    struct il *r = k->r;
    const bool ok = r ? make(k, code) : il_no_memory(k);
    free(k->use);
    free(k->constant);
    free(k);
    if (ok) return r;
    il_free(r);
    return NULL;
}
