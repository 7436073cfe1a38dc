/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dwarf_place.c: location expressions.  Compilers for GPUs write few forms: a register, a register and an offset from
 * it, a place in the frame, an address or a number, each perhaps with `CLASS swap xderef` behind it, which says in
 * which kind of memory it is.  What an optimiser has moved into registers or made a constant keeps that tail (LLVM does
 * not take it away), so a register other than the frame's, or a constant, is the value itself.
 */
#include "eval/dwarf_place.h"
#include "eval/dwarf_steps.h"
#include "gpudbg/text.h"
#include "image/dwarf_bytes.h"
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
#define CC_LLVM_OPENCL_KERNEL 0xc7 /* DW_AT_calling_convention, an extension of LLVM */

/* A kernel whose frame has no register: it begins at byte 0. */
static bool is_kernel(Dwarf_Die *function)
{
    Dwarf_Attribute at;
    Dwarf_Word convention;
    return function && dwarf_attr(function, DW_AT_calling_convention, &at) && dwarf_formudata(&at, &convention) == 0 &&
           convention == CC_LLVM_OPENCL_KERNEL;
}

static bool add_frame(const struct gpudbg_dwarf *rules, Dwarf_Die *function, uint64_t pc, struct dwarf_place *p)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    struct dwarf_place frame = {0};
    if (function && !dwarf_attr(function, DW_AT_frame_base, &at)) return is_kernel(function);
    if (!function || !dwarf_attr(function, DW_AT_frame_base, &at) || dwarf_getlocation_addr(&at, pc, &op, &n, 1) != 1 ||
        !read_expression(rules, &at, op, n, &frame) || frame.where != DWARF_REGISTERS || frame.parts != 1)
        return false;
    p->part[0] = frame.part[0];
    p->parts = 1;
    return true;
}

static unsigned part_bytes(const struct dwarf_part *part) { return part->bytes ? part->bytes : 4; }

const struct dwarf_part *dwarf_part_at(const struct dwarf_place *p, uint64_t at, unsigned *byte)
{
    for (unsigned i = 0; i < p->parts; i++) {
        if (at < part_bytes(&p->part[i])) {
            *byte = p->part[i].byte + (unsigned)at;
            return &p->part[i];
        }
        at -= part_bytes(&p->part[i]);
    }
    return NULL;
}

/* ---- Values that are computed ---- */

/* An integer of so many bits, extended to 64; registers have 32, constants 64. */
struct computed {
    uint64_t n;
    unsigned bits;
    bool is_signed;
};

static void extend(struct computed *c)
{
    if (c->bits >= 64) return;
    const uint64_t sign = UINT64_C(1) << (c->bits - 1);
    c->n &= (sign << 1) - 1;
    if (c->is_signed) c->n = (c->n ^ sign) - sign;
}

static bool convert(Dwarf_Attribute *attribute, const Dwarf_Op *op, struct computed *c)
{
    Dwarf_Die type;
    Dwarf_Attribute at;
    Dwarf_Word encoding, bytes;
    if (!op->number) {
        *c = (struct computed){.n = c->n, .bits = 64};
        return true;
    }
    if (dwarf_getlocation_die(attribute, op, &type) || !dwarf_attr(&type, DW_AT_encoding, &at) ||
        dwarf_formudata(&at, &encoding) || !dwarf_attr(&type, DW_AT_byte_size, &at) || dwarf_formudata(&at, &bytes) ||
        !bytes || bytes > 8 || encoding == DW_ATE_float)
        return false;
    c->bits = (unsigned)(8 * bytes);
    c->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    extend(c);
    return true;
}

static bool compute_two(uint8_t atom, struct computed *a, const struct computed *b)
{
    struct computed left = *a, right = *b;
    left.is_signed = right.is_signed = true;
    extend(&left);
    extend(&right);
    const int64_t x = (int64_t)left.n, y = (int64_t)right.n;
    /* LLVM has one operation for signed and unsigned: the answer is known where both are the same. */
    if (atom != DW_OP_eq && atom != DW_OP_ne && atom >= DW_OP_eq && atom <= DW_OP_ne && (x < 0) != (y < 0))
        return false;
    switch (atom) {
    case DW_OP_plus: a->n += b->n; break;
    case DW_OP_minus: a->n -= b->n; break;
    case DW_OP_mul: a->n *= b->n; break;
    case DW_OP_and: a->n &= b->n; break;
    case DW_OP_or: a->n |= b->n; break;
    case DW_OP_xor: a->n ^= b->n; break;
    case DW_OP_shl: a->n = b->n < a->bits ? a->n << b->n : 0; break;
    case DW_OP_shr:
        if (a->bits < 64) a->n &= (UINT64_C(1) << a->bits) - 1;
        a->n = b->n < a->bits ? a->n >> b->n : 0;
        break;
    case DW_OP_shra: a->n = (uint64_t)(x < 0 ? ~(~x >> (b->n < 63 ? b->n : 63)) : x >> (b->n < 63 ? b->n : 63)); break;
    case DW_OP_eq: a->n = x == y; break;
    case DW_OP_ne: a->n = x != y; break;
    case DW_OP_lt: a->n = x < y; break;
    case DW_OP_le: a->n = x <= y; break;
    case DW_OP_gt: a->n = x > y; break;
    case DW_OP_ge: a->n = x >= y; break;
    default: return false;
    }
    extend(a);
    return true;
}

static bool is_constant(uint8_t atom)
{
    return (atom >= DW_OP_const1u && atom <= DW_OP_consts) || (atom >= DW_OP_lit0 && atom <= DW_OP_lit31);
}

static bool is_based(uint8_t atom) { return atom == DW_OP_bregx || (atom >= DW_OP_breg0 && atom <= DW_OP_breg31); }

/* Every operation is one that dwarf_compute knows, and the end says that a value is meant; LLVM leaves the tail of what
 * was a place before that (see above), which counts for nothing. */
static bool is_computed(const Dwarf_Op *op, size_t n)
{
    if (n < 2 || op[n - 1].atom != DW_OP_stack_value) return false;
    for (size_t i = 0; i + 1 < n; i++) {
        const uint8_t atom = op[i].atom;
        const bool known = is_constant(atom) || is_based(atom) || (atom >= DW_OP_and && atom <= DW_OP_xor) ||
                           (atom >= DW_OP_eq && atom <= DW_OP_ne) || atom == DW_OP_swap || atom == DW_OP_convert;
        if (!known && (atom != DW_OP_xderef || i + 2 != n)) return false;
    }
    return true;
}

static bool computed_failed(const struct dwarf_place *p, size_t i, struct gpudbg_error *err)
{
    return gpudbg_fail(
        err, "unsupported", "its value is computed in a way that is not understood (operation 0x%x)", p->op[i].atom);
}

static bool compute(
    struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, uint64_t *value, struct gpudbg_error *err)
{
    struct computed stack[TERMS], spare = {.bits = 64};
    Dwarf_Attribute attribute = p->attribute;
    size_t n = 0;
    for (size_t i = 0; i + 1 < p->nops; i++) {
        const Dwarf_Op *op = &p->op[i];
        const uint8_t atom = op->atom;
        struct computed *top = n ? &stack[n - 1] : &spare;
        bool good = n > 0;
        if (is_constant(atom) || is_based(atom)) {
            uint32_t word = 0;
            struct dwarf_part one = {0};
            unsigned file = 0, reg = 0;
            const bool lit = atom >= DW_OP_lit0 && atom <= DW_OP_lit31, x = atom == DW_OP_bregx;
            uint64_t number = lit ? (uint64_t)(atom - DW_OP_lit0) : x ? op->number2 : op->number;
            good = n < TERMS;
            if (good && is_based(atom)) {
                good = ev->loaded->image->isa->dwarf->reg(
                    x ? (unsigned)op->number : (unsigned)(atom - DW_OP_breg0), &file, &reg);
                one.file = (uint16_t)file;
                one.reg = (uint16_t)reg;
                if (good && !dwarf_part_word(ev, wave, lane, p->caller, &one, &word, err)) return false;
                number += word;
            }
            if (!good) return computed_failed(p, i, err);
            stack[n] = (struct computed){.n = number, .bits = is_based(atom) ? 32 : 64};
            extend(&stack[n++]);
        } else if (atom == DW_OP_convert) {
            good = good && convert(&attribute, op, top);
        } else if (atom == DW_OP_not || atom == DW_OP_neg || atom == DW_OP_abs || atom == DW_OP_plus_uconst) {
            top->n = atom == DW_OP_not   ? ~top->n
                     : atom == DW_OP_neg ? 0 - top->n
                     : atom == DW_OP_abs ? ((int64_t)top->n < 0 ? 0 - top->n : top->n)
                                         : top->n + op->number;
            extend(top);
        } else if (atom == DW_OP_xderef) {
            good = n == 2;
            stack[0] = *top;
            n = 1;
        } else if (n < 2) {
            good = false;
        } else if (atom == DW_OP_swap) {
            spare = *top;
            *top = stack[n - 2];
            stack[n - 2] = spare;
        } else {
            n--;
            good = compute_two(atom, &stack[n - 1], top);
        }
        if (!good) return computed_failed(p, i, err);
    }
    if (n != 1) return computed_failed(p, p->nops - 1, err);
    *value = stack[0].n;
    return true;
}

/* ---- Places ---- */

static bool nowhere(struct gpudbg_error *err) { return gpudbg_fail(err, "optimised-out", "optimised out here"); }

/* What no form covers, and what libdw does not know, is executed. */
static bool execute(struct eval *ev, uint32_t wave, int lane, struct gpudbg_wave *caller, Dwarf_Attribute *at,
    uint64_t pc, struct dwarf_place *p, struct gpudbg_error *err)
{
    struct bytes expression;
    *p = (struct dwarf_place){.caller = caller};
    return die_expression(at, pc, &expression)
               ? dwarf_steps(ev, wave, lane, ev->loaded->image->isa->dwarf, expression, p, err)
               : nowhere(err);
}

bool dwarf_place(struct eval *ev, uint32_t wave, int lane, struct gpudbg_wave *caller, Dwarf_Die *variable,
    Dwarf_Die *function, uint64_t pc, struct dwarf_place *p, struct gpudbg_error *err)
{
    const struct gpudbg_dwarf *rules = ev->loaded->image->isa->dwarf;
    Dwarf_Attribute at;
    Dwarf_Op *op;
    Dwarf_Word number;
    size_t n = 0;
    *p = (struct dwarf_place){.caller = caller};
    if (dwarf_attr(variable, DW_AT_const_value, &at) && dwarf_formudata(&at, &number) == 0) {
        p->where = DWARF_CONSTANT;
        p->number = number;
        return true;
    }
    if (!dwarf_attr_integrate(variable, DW_AT_location, &at)) return nowhere(err);
    if (rules->lane_op) return execute(ev, wave, lane, caller, &at, pc, p, err);
    if (dwarf_getlocation_addr(&at, pc, &op, &n, 1) != 1 || !n) return nowhere(err);
    const bool understood = read_expression(rules, &at, op, n, p);
    if (!understood && is_computed(op, n)) {
        *p = (struct dwarf_place){.where = DWARF_COMPUTED, .caller = caller, .attribute = at, .op = op, .nops = n};
        return true;
    }
    for (size_t i = 0; !understood && i < n; i++)
        if (op[i].atom == DW_OP_entry_value || op[i].atom == DW_OP_GNU_entry_value) return dwarf_entry_value(err);
    if (!understood) return execute(ev, wave, lane, caller, &at, pc, p, err);
    if (p->where == DWARF_OWN && !add_frame(rules, function, pc, p))
        return gpudbg_fail(err, "unsupported", "the debug information does not say where the function's frame is");
    return true;
}

bool dwarf_has_place(const struct eval *ev, Dwarf_Die *variable, uint64_t pc)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    struct bytes expression;
    size_t n = 0;
    if (dwarf_attr(variable, DW_AT_const_value, &at)) return true;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &at)) return false;
    if (ev->loaded->image->isa->dwarf->lane_op) return die_expression(&at, pc, &expression);
    return dwarf_getlocation_addr(&at, pc, &op, &n, 1) == 1 && n;
}

void dwarf_place_move(struct dwarf_place *p, uint64_t bytes)
{
    if (p->where == DWARF_MEMORY || p->where == DWARF_OWN)
        p->number += bytes;
    else
        p->offset += bytes;
}

/* Where byte `at` of the lane's own memory is. */
static bool own_address(struct eval *ev, uint32_t wave, int lane, const struct dwarf_place *p, uint64_t at,
    uint64_t *addr, struct gpudbg_error *err)
{
    struct gpudbg_wave *w = p->caller ? p->caller : machine_wave(ev->running->machine, wave, err);
    uint32_t frame = 0;
    if (!w || (p->parts && !dwarf_part_word(ev, wave, lane, p->caller, &p->part[0], &frame, err))) return false;
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
    if (p->where == DWARF_BYTES) {
        if (p->offset + size > p->number) return gpudbg_fail(err, "limit", "not kept");
        memcpy(to, p->bytes + p->offset, size);
        return true;
    }
    if (p->where == DWARF_MEMORY) return value_read_memory(ev, wave, p->space, p->number, to, size, err);
    if (!ev->running->machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    if (p->where == DWARF_OWN) return read_own(ev, wave, lane, p, to, size, err);
    const bool number = p->where == DWARF_CONSTANT || p->where == DWARF_COMPUTED;
    uint64_t value = p->number;
    if (p->where == DWARF_COMPUTED && !compute(ev, wave, lane, p, &value, err)) return false;
    if (number && p->offset + size > 8) return gpudbg_fail(err, "optimised-out", "a part of it is optimised out here");
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        uint32_t word;
        if (number) {
            to[i] = (uint8_t)(value >> 8 * (p->offset + i));
            continue;
        }
        const struct dwarf_part *part = dwarf_part_at(p, p->offset + i, &byte);
        if (!part || part->file == DWARF_NOWHERE)
            return gpudbg_fail(err, "optimised-out", "a part of it is optimised out here");
        if (!dwarf_part_word(ev, wave, lane, p->caller, part, &word, err)) return false;
        to[i] = (uint8_t)(word >> 8 * byte);
    }
    return true;
}

int dwarf_place_text(const struct eval *ev, const struct dwarf_place *p, size_t size_of_value, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = ev->running->machine ? ev->running->machine->isa : ev->loaded->image->isa;
    char first[64];
    if (p->argument) return snprintf(buf, size, "argument %u", p->argument - 1);
    if (p->where == DWARF_CONSTANT) return snprintf(buf, size, "constant");
    if (p->where == DWARF_COMPUTED) return snprintf(buf, size, "computed");
    if (p->where == DWARF_BYTES) return snprintf(buf, size, "kept");
    if (p->where == DWARF_OWN) return snprintf(buf, size, "own memory, frame + 0x%" PRIx64, p->number);
    if (p->where == DWARF_MEMORY)
        return snprintf(buf, size, "%s0x%" PRIx64, p->space == GPUDBG_LOCAL ? "lds:" : "", p->number);
    unsigned byte = 0;
    const struct dwarf_part *part = dwarf_part_at(p, p->offset, &byte);
    if (!part) part = &p->part[0];
    if (part->file == DWARF_NOWHERE) return snprintf(buf, size, "nowhere");
    const struct gpudbg_regfile *file = &isa->files[part->file];
    const size_t bits = file->lanes > 1 || file->bits < 32 ? 32 : file->bits, each = bits / 8;
    gpudbg_register_name(file, part->reg, first, sizeof first);
    struct text t = text_in(buf, size);
    text_add(&t, "%s", first);
    if (bits > 64) { /* an element of it: in bytes, words or dwords, as the value has them */
        const size_t unit = size_of_value == 1 || size_of_value == 2 ? size_of_value : 4;
        text_add(&t, ".%zu", (4u * part->first + byte) / unit);
        if (unit < 4)
            text_add(&t, unit == 1 ? ":ub" : ":uw");
        else if (size_of_value > 4)
            text_add(&t, " and %zu more", (size_of_value + 3) / 4 - 1);
    } else if (size_of_value > each) {
        text_add(&t, " and %zu more", (size_of_value + each - 1) / each - 1);
    }
    return (int)text_length(&t);
}
