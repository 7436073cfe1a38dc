/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dwarf_place.c: location expressions.  Compilers for GPUs write few forms: a register, a register and an offset from
 * it, a place in the frame, an address or a number, each perhaps with `CLASS swap xderef` behind it, which says in
 * which kind of memory it is.  What an optimiser has moved into registers or made a constant keeps that tail (LLVM does
 * not take it away), so a register other than the frame's, or a constant, is the value itself.
 */
#include "eval/dwarf_place.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "machine/machine.h"
#include "eval/value.h"

#define TERMS 8

struct term {
    enum { TERM_NUMBER, TERM_REGISTER, TERM_FRAME } kind;
    int64_t n;    /* the number; of the others what is added */
    unsigned reg; /* as DWARF numbers registers */
};

struct reading {
    Dwarf_Attribute *attribute;
    const struct gpudbg_dwarf *rules;
    struct term stack[TERMS];
    unsigned depth, space;             /* space: the class of memory that xderef named; 0: none */
    bool xderef, value, pieces, named; /* named: the piece that comes, by a register */
    struct dwarf_place *place;
};

static bool push(struct reading *r, struct term t)
{
    if (r->depth == TERMS) return false;
    r->stack[r->depth++] = t;
    return true;
}

static bool push_number(struct reading *r, uint64_t n) { return push(r, (struct term){TERM_NUMBER, (int64_t)n, 0}); }

static bool add_part(struct reading *r, unsigned file, unsigned reg)
{
    struct dwarf_place *p = r->place;
    if (p->parts == PLACE_PARTS) return false;
    p->part[p->parts].file = (uint16_t)file;
    p->part[p->parts++].reg = (uint16_t)reg;
    p->where = DWARF_REGISTERS;
    return r->pieces = true;
}

static bool add_register(struct reading *r, unsigned number)
{
    unsigned file, reg;
    return r->named = r->rules->reg(number, &file, &reg) && add_part(r, file, reg);
}

/* A register that stands for its value: with the tail that it had as a place, or said to be one. */
static bool take_value(struct reading *r, struct term t)
{
    return t.kind == TERM_REGISTER && t.n == 0 && (r->xderef || r->value) && add_register(r, t.reg);
}

/* A piece that nothing names is one that is nowhere. */
static bool end_piece(struct reading *r, uint64_t bytes)
{
    if (r->depth > 1 || (r->depth == 1 && !take_value(r, r->stack[0]))) return false;
    r->depth = 0;
    r->xderef = r->value = false;
    bool good = r->named ? bytes == 4 : bytes && bytes % 4 == 0 && bytes <= 4 * PLACE_PARTS;
    for (; good && !r->named && bytes; bytes -= 4) good = add_part(r, DWARF_NOWHERE, 0);
    r->named = false;
    return good;
}

static bool push_indexed_address(struct reading *r, const Dwarf_Op *op)
{
    Dwarf_Attribute at;
    Dwarf_Addr addr;
    return dwarf_getlocation_attr(r->attribute, op, &at) == 0 && dwarf_formaddr(&at, &addr) == 0 &&
           push_number(r, addr);
}

/* address, class -> xderef.  The two were swapped, or not yet. */
static bool take_class(struct reading *r)
{
    if (r->depth != 2 || r->stack[0].kind != TERM_NUMBER || r->xderef) return false;
    r->space = (unsigned)r->stack[0].n;
    r->stack[0] = r->stack[1];
    r->depth = 1;
    return r->xderef = true;
}

static bool swap(struct reading *r)
{
    if (r->depth < 2) return false;
    const struct term top = r->stack[r->depth - 1];
    r->stack[r->depth - 1] = r->stack[r->depth - 2];
    r->stack[r->depth - 2] = top;
    return true;
}

/* One operation; false: it is none of those that are understood. */
static bool step(struct reading *r, const Dwarf_Op *op)
{
    const uint8_t atom = op->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) return push_number(r, atom - DW_OP_lit0);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) return add_register(r, atom - DW_OP_reg0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return push(r, (struct term){TERM_REGISTER, (int64_t)op->number, atom - DW_OP_breg0});
    switch (atom) {
    case DW_OP_addr:
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu:
    case DW_OP_const1s:
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_consts: return push_number(r, op->number);
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index: return push_indexed_address(r, op);
    case DW_OP_regx: return add_register(r, (unsigned)op->number);
    case DW_OP_bregx: return push(r, (struct term){TERM_REGISTER, (int64_t)op->number2, (unsigned)op->number});
    case DW_OP_fbreg: return push(r, (struct term){TERM_FRAME, (int64_t)op->number, 0});
    case DW_OP_plus_uconst:
        if (r->depth) r->stack[r->depth - 1].n += (int64_t)op->number;
        return r->depth > 0;
    case DW_OP_piece: return end_piece(r, op->number);
    case DW_OP_swap: return swap(r);
    case DW_OP_xderef: return take_class(r);
    case DW_OP_stack_value: return r->value = r->depth == 1;
    default: return false;
    }
}

/* What the operations come to. */
static bool conclude(struct reading *r)
{
    struct dwarf_place *p = r->place;
    const struct term t = r->stack[0];
    if (r->pieces) return r->depth == 0;
    if (r->depth != 1) return false;
    p->number = (uint64_t)t.n;
    if (t.kind == TERM_FRAME && r->value) return false;
    if (t.kind == TERM_FRAME)
        p->where = DWARF_OWN;
    else if (t.kind == TERM_REGISTER)
        return take_value(r, t);
    else if (r->value)
        p->where = DWARF_CONSTANT;
    else
        p->where = r->xderef && r->space == r->rules->own_class ? DWARF_OWN : DWARF_MEMORY;
    p->space = r->xderef && r->space == r->rules->local_class ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
    return true;
}

static bool read_expression(
    const struct gpudbg_dwarf *rules, Dwarf_Attribute *attribute, const Dwarf_Op *op, size_t n, struct dwarf_place *p)
{
    struct reading r = {.attribute = attribute, .rules = rules, .place = p};
    for (size_t i = 0; i < n; i++)
        if (!step(&r, &op[i])) return false;
    return conclude(&r);
}

/* The register that holds the function's frame goes behind a place in the frame, as its only part. */
static bool add_frame(const struct gpudbg_dwarf *rules, Dwarf_Die *function, uint64_t pc, struct dwarf_place *p)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    struct dwarf_place frame = {0};
    if (!function || !dwarf_attr(function, DW_AT_frame_base, &at) || dwarf_getlocation_addr(&at, pc, &op, &n, 1) != 1 ||
        !read_expression(rules, &at, op, n, &frame) || frame.where != DWARF_REGISTERS || frame.parts != 1)
        return false;
    p->part[0] = frame.part[0];
    p->parts = 1;
    return true;
}

bool dwarf_place(const struct gpudbg_dwarf *rules, Dwarf_Die *variable, Dwarf_Die *function, uint64_t pc,
    struct dwarf_place *p, struct gpudbg_error *err)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    Dwarf_Word number;
    size_t n = 0;
    *p = (struct dwarf_place){0};
    if (dwarf_attr(variable, DW_AT_const_value, &at) && dwarf_formudata(&at, &number) == 0) {
        p->where = DWARF_CONSTANT;
        p->number = number;
        return true;
    }
    if (!dwarf_attr_integrate(variable, DW_AT_location, &at) || dwarf_getlocation_addr(&at, pc, &op, &n, 1) != 1 || !n)
        return gpudbg_fail(err, "optimised-out", "optimised out here");
    if (!read_expression(rules, &at, op, n, p) || (p->where == DWARF_OWN && !add_frame(rules, function, pc, p)))
        return gpudbg_fail(
            err, "unsupported", "its place is described in a way that is not understood (operation 0x%x)", op[0].atom);
    return true;
}

void dwarf_place_move(struct dwarf_place *p, uint64_t bytes)
{
    if (p->where == DWARF_MEMORY || p->where == DWARF_OWN)
        p->number += bytes;
    else
        p->offset += bytes;
}

/* The register that part i is in. */
static bool register_word(struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, size_t i,
    uint32_t *word, struct gpudbg_error *err)
{
    const struct value v = {.place = PLACE_REGISTER,
        .file = p->part[i].file,
        .reg = p->part[i].reg,
        .count = 1,
        .lane = (int16_t)lane,
        .lanes = 1,
        .type = {VALUE_UNSIGNED, 32}};
    return (p->caller ? value_words_of(p->caller, &v, word, 1, err) : value_words(ev, wave, &v, word, 1, err)) == 1;
}

/* Where byte `at` of the lane's own memory is. */
static bool own_address(struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, uint64_t at,
    uint64_t *addr, struct gpudbg_error *err)
{
    struct gpudbg_wave *w = p->caller ? p->caller : machine_wave(ev->running->machine, wave, err);
    uint32_t frame = 0;
    if (!w || (p->parts && !register_word(ev, wave, lane, p, 0, &frame, err))) return false;
    return ev->running->machine->isa->dwarf->own(w, (unsigned)lane, frame, at, addr) ||
           gpudbg_fail(err, "out-of-range", "byte 0x%" PRIx64 " lies outside of the work-item's memory", at);
}

static bool read_own(struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, uint8_t *to, size_t size,
    struct gpudbg_error *err)
{
    uint64_t addr;
    for (size_t i = 0; i < size; i++)
        if (!own_address(ev, wave, lane, p, p->number + i, &addr, err) ||
            !value_read_memory(ev, wave, GPUDBG_GLOBAL, addr, to + i, 1, err))
            return false;
    return true;
}

bool dwarf_place_address(
    struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, size_t size, unsigned *space, uint64_t *addr)
{
    struct gpudbg_error ignored = {0};
    uint64_t last;
    *space = p->where == DWARF_MEMORY ? p->space : GPUDBG_GLOBAL;
    *addr = p->number;
    return p->where == DWARF_MEMORY ||
           (p->where == DWARF_OWN && ev->running->machine && size &&
               own_address(ev, wave, lane, p, p->number, addr, &ignored) &&
               own_address(ev, wave, lane, p, p->number + size - 1, &last, &ignored) && last == *addr + size - 1);
}

bool dwarf_place_read(struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, uint8_t *to, size_t size,
    struct gpudbg_error *err)
{
    if (p->where == DWARF_MEMORY) return value_read_memory(ev, wave, p->space, p->number, to, size, err);
    if (!ev->running->machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    if (p->where == DWARF_OWN) return read_own(ev, wave, lane, p, to, size, err);
    if (p->offset + size > (p->where == DWARF_CONSTANT ? 8 : 4 * p->parts))
        return gpudbg_fail(err, "optimised-out", "a part of it is optimised out here");
    for (size_t i = 0; i < size; i++) {
        const uint64_t at = p->offset + i;
        uint32_t word;
        if (p->where == DWARF_CONSTANT) {
            to[i] = (uint8_t)(p->number >> 8 * at);
            continue;
        }
        if (p->part[at / 4].file == DWARF_NOWHERE)
            return gpudbg_fail(err, "optimised-out", "a part of it is optimised out here");
        if (!register_word(ev, wave, lane, p, at / 4, &word, err)) return false;
        to[i] = (uint8_t)(word >> 8 * (at % 4));
    }
    return true;
}

int dwarf_place_text(const struct eval *ev, const struct dwarf_place *p, size_t size_of_value, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = ev->running->machine ? ev->running->machine->isa : ev->loaded->image->isa;
    char first[64];
    if (p->where == DWARF_CONSTANT) return snprintf(buf, size, "constant");
    if (p->where == DWARF_OWN) return snprintf(buf, size, "own memory, frame + 0x%" PRIx64, p->number);
    if (p->where == DWARF_MEMORY)
        return snprintf(buf, size, "%s0x%" PRIx64, p->space == GPUDBG_LOCAL ? "lds:" : "", p->number);
    const size_t from = p->offset / 4 < p->parts ? p->offset / 4 : 0, words = (size_of_value + 3) / 4;
    if (p->part[from].file == DWARF_NOWHERE) return snprintf(buf, size, "nowhere");
    gpudbg_register_name(&isa->files[p->part[from].file], p->part[from].reg, first, sizeof first);
    return words > 1 ? snprintf(buf, size, "%s and %zu more", first, words - 1) : snprintf(buf, size, "%s", first);
}
