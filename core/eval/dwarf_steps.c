/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dwarf_steps.c: a stack machine for location expressions (DWARF 4, 2.5 and 2.6).  Places may depend on the lane and on
 * what registers hold, with branches between; so the operations are executed, and not read as a form.  A number that
 * was taken from a register as it is stays a place in that register, so that it can be set and watched.
 */
#include "eval/dwarf_steps.h"
#include <dwarf.h>
#include <inttypes.h>
#include "gpudbg/endian.h"
#include "machine/machine.h"
#include "eval/value.h"

#define DEPTH 32
#define STEPS 4096 /* branches may go back */

struct item {
    enum { ITEM_NUMBER, ITEM_REGISTER } kind;
    uint64_t n;         /* the number; of a register as DWARF numbers it */
    bool held;          /* a number as it is in a register: these bits of it */
    unsigned bit, bits; /* bit: from the beginning of the register */
    uint64_t of;        /* the register, as DWARF numbers it */
};

struct stepper {
    struct eval *ev;
    uint32_t wave;
    int lane;
    const struct gpudbg_dwarf *rules;
    struct bytes code;
    size_t at;
    bool cut; /* an operand was missing */
    struct item stack[DEPTH];
    unsigned depth;
    bool value, through; /* through: what a register holds leads to memory */
    struct dwarf_place *place;
    struct gpudbg_error *err;
};

/* ---- Operands ---- */

static uint64_t take(struct stepper *s, unsigned bytes)
{
    const bool there = s->code.size - s->at >= bytes;
    const uint64_t n = there ? le_get(s->code.at + s->at, bytes) : 0;
    s->cut |= !there;
    s->at = there ? s->at + bytes : s->code.size;
    return n;
}

static int64_t extended(uint64_t n, unsigned bytes)
{
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return (int64_t)((n ^ sign) - sign);
}

static uint64_t take_leb(struct stepper *s, bool is_signed)
{
    uint64_t n = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(s, 1);
        if (shift < 64) n |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !s->cut);
    if (is_signed && byte & 0x40 && shift < 64) n |= UINT64_MAX << shift;
    return n;
}

/* ---- The stack ---- */

static bool push(struct stepper *s, struct item i)
{
    if (s->depth == DEPTH) return gpudbg_fail(s->err, "limit", "its place takes more than %d numbers to find", DEPTH);
    s->stack[s->depth++] = i;
    return true;
}

static bool push_number(struct stepper *s, uint64_t n) { return push(s, (struct item){.n = n}); }
static bool push_register(struct stepper *s, uint64_t n) { return push(s, (struct item){ITEM_REGISTER, .n = n}); }

static bool lacks(struct stepper *s)
{
    return gpudbg_fail(
        s->err, "syntax", "the debug information describes its place by an expression that lacks a number");
}

static bool pop(struct stepper *s, struct item *i)
{
    *i = (struct item){0};
    if (!s->depth) return lacks(s);
    *i = s->stack[--s->depth];
    return true;
}

static bool pop_number(struct stepper *s, uint64_t *n)
{
    struct item i;
    if (!pop(s, &i) || i.kind != ITEM_NUMBER) return lacks(s);
    *n = i.n;
    return true;
}

/* ---- Registers ---- */

/* Dword d behind the beginning of a register, which may lie in one that follows. */
static bool find_dword(struct stepper *s, uint64_t number, unsigned d, struct dwarf_part *part)
{
    unsigned file = 0, reg = 0;
    if (number > UINT32_MAX || !s->rules->reg((unsigned)number, &file, &reg))
        return gpudbg_fail(s->err, "unsupported",
            "the debug information describes its place by register %" PRIu64 ", which gpudbg does not show", number);
    const struct gpudbg_isa *isa = s->ev->running->machine ? s->ev->running->machine->isa : s->ev->loaded->image->isa;
    const unsigned each = isa->files[file].bits / 32u ? isa->files[file].bits / 32u : 1;
    if (reg + d / each >= isa->files[file].count)
        return gpudbg_fail(s->err, "out-of-range", "its place ends after the last register");
    *part = (struct dwarf_part){
        .file = (uint16_t)file, .reg = (uint16_t)(reg + d / each), .first = (uint8_t)(d % each)};
    return true;
}

bool dwarf_part_word(struct eval *ev, uint32_t wave, int lane, struct gpudbg_wave *caller,
    const struct dwarf_part *part, uint32_t *word, struct gpudbg_error *err)
{
    const struct value v = {.place = PLACE_REGISTER,
        .file = part->file,
        .reg = part->reg,
        .count = 1,
        .first = part->first,
        .lane = (int16_t)lane,
        .lanes = 1,
        .type = {VALUE_UNSIGNED, 32}};
    return (caller ? value_words_of(caller, &v, word, 1, err) : value_words(ev, wave, &v, word, 1, err)) == 1;
}

/* Some bits of a register as a number. */
static bool read_bits(struct stepper *s, uint64_t number, uint64_t bit, uint64_t bits, uint64_t *n)
{
    *n = 0;
    if (!bits || bits > 64 || bit > 4096)
        return gpudbg_fail(
            s->err, "unsupported", "its place is %" PRIu64 " bits of a register: 1 to 64 are read", bits);
    if (!s->ev->running->machine) return gpudbg_fail(s->err, "no-launch", "nothing is launched");
    for (unsigned d = (unsigned)bit / 32; d <= (bit + bits - 1) / 32; d++) {
        struct dwarf_part part;
        uint32_t word;
        if (!find_dword(s, number, d, &part) ||
            !dwarf_part_word(s->ev, s->wave, s->lane, s->place->caller, &part, &word, s->err))
            return false;
        const int shift = (int)(32 * d) - (int)bit;
        *n |= shift < 0 ? (uint64_t)word >> -shift : shift < 64 ? (uint64_t)word << shift : 0;
    }
    if (bits < 64) *n &= (UINT64_C(1) << bits) - 1;
    return true;
}

static bool take_bits(struct stepper *s)
{
    uint64_t bits, bit, n;
    struct item reg;
    if (!pop_number(s, &bits) || !pop_number(s, &bit) || !pop(s, &reg)) return false;
    if (bits < s->rules->bits_least)
        return gpudbg_fail(s->err, "unsupported",
            "the compiler does not say where in the register a lane has its %" PRIu64 " bits", bits);
    if (!read_bits(s, reg.n, bit, bits, &n)) return false;
    const bool whole = bit % 8 == 0 && bits % 8 == 0;
    return push(s, (struct item){.n = n, .held = whole, .bit = (unsigned)bit, .bits = (unsigned)bits, .of = reg.n});
}

/* What an address, or a register that is named as one, holds. */
static bool dereference(struct stepper *s, unsigned size)
{
    struct item i;
    uint8_t bytes[8] = {0};
    if (!size || size > 8)
        return gpudbg_fail(s->err, "unsupported", "its place is found through %u bytes of memory", size);
    if (!pop(s, &i)) return false;
    if (i.kind == ITEM_REGISTER)
        return gpudbg_fail(s->err, "unsupported", "the compiler names a register that does not hold it alone");
    if (!value_read_memory(s->ev, s->wave, GPUDBG_GLOBAL, i.n, bytes, size, s->err)) return false;
    return push_number(s, le_get(bytes, size));
}

/* ---- Places ---- */

static bool add_part(struct stepper *s, struct dwarf_part part)
{
    struct dwarf_place *p = s->place;
    if (p->parts == PLACE_PARTS) return gpudbg_fail(s->err, "limit", "it lies in more than %d parts", PLACE_PARTS);
    p->where = DWARF_REGISTERS;
    p->part[p->parts++] = part;
    return true;
}

/* Some bytes of a register as parts of at most a dword. */
static bool add_bytes(struct stepper *s, uint64_t number, unsigned byte, unsigned bytes)
{
    while (bytes) {
        struct dwarf_part part;
        const unsigned here = 4 - byte % 4 < bytes ? 4 - byte % 4 : bytes;
        if (!find_dword(s, number, byte / 4, &part)) return false;
        part.byte = byte % 4;
        part.bytes = (uint8_t)here;
        if (!add_part(s, part)) return false;
        byte += here;
        bytes -= here;
    }
    return true;
}

static bool add_nothing(struct stepper *s, uint64_t bytes)
{
    for (uint64_t here; bytes; bytes -= here) {
        here = bytes < 4 ? bytes : 4;
        if (!add_part(s, (struct dwarf_part){.file = DWARF_NOWHERE, .bytes = (uint8_t)here})) return false;
    }
    return true;
}

/* Ends a piece: bytes of the register that is on the stack, or of nothing. */
static bool end_piece(struct stepper *s, uint64_t bits, uint64_t bit)
{
    struct item i;
    if (!bits || bits % 8 || bit % 8 || bits > 32 * 4 * PLACE_PARTS || bit > 4096)
        return gpudbg_fail(s->err, "unsupported", "a piece of it is %" PRIu64 " bits from bit %" PRIu64, bits, bit);
    if (!s->depth) return add_nothing(s, bits / 8);
    if (!pop(s, &i)) return false;
    const bool value = s->value;
    s->value = false;
    if (i.kind == ITEM_REGISTER) return add_bytes(s, i.n, (unsigned)bit / 8, (unsigned)bits / 8);
    if (value && i.held && i.bits >= bits) return add_bytes(s, i.of, i.bit / 8 + (unsigned)bit / 8, (unsigned)bits / 8);
    return gpudbg_fail(s->err, "unsupported", "a piece of it is in memory, or computed");
}

/* A value that stands in the expression. */
static bool implicit(struct stepper *s)
{
    const uint64_t size = take_leb(s, false);
    if (s->cut || size > s->code.size - s->at) return lacks(s);
    s->place->where = DWARF_BYTES;
    s->place->bytes = s->code.at + s->at;
    s->place->number = size;
    s->at += size;
    return true;
}

/* ---- Operations ---- */

static bool two(struct stepper *s, uint8_t op)
{
    uint64_t b, a;
    if (!pop_number(s, &b) || !pop_number(s, &a)) return false;
    const int64_t x = (int64_t)a, y = (int64_t)b;
    if ((op == DW_OP_div || op == DW_OP_mod) && (!b || (x == INT64_MIN && y == -1)))
        return gpudbg_fail(s->err, "out-of-range", "its place is found by a division by %" PRId64, y);
    switch (op) {
    case DW_OP_and: return push_number(s, a & b);
    case DW_OP_or: return push_number(s, a | b);
    case DW_OP_xor: return push_number(s, a ^ b);
    case DW_OP_plus: return push_number(s, a + b);
    case DW_OP_minus: return push_number(s, a - b);
    case DW_OP_mul: return push_number(s, a * b);
    case DW_OP_div: return push_number(s, (uint64_t)(x / y));
    case DW_OP_mod: return push_number(s, a % b);
    case DW_OP_shl: return push_number(s, b < 64 ? a << b : 0);
    case DW_OP_shr: return push_number(s, b < 64 ? a >> b : 0);
    case DW_OP_shra: return push_number(s, (uint64_t)(x < 0 ? ~(~x >> (b < 63 ? b : 63)) : x >> (b < 63 ? b : 63)));
    case DW_OP_eq: return push_number(s, x == y);
    case DW_OP_ne: return push_number(s, x != y);
    case DW_OP_lt: return push_number(s, x < y);
    case DW_OP_le: return push_number(s, x <= y);
    case DW_OP_gt: return push_number(s, x > y);
    default: return push_number(s, x >= y);
    }
}

static bool one(struct stepper *s, uint8_t op)
{
    uint64_t a;
    if (!pop_number(s, &a)) return false;
    return push_number(s, op == DW_OP_not   ? ~a
                          : op == DW_OP_neg ? 0 - a
                          : op == DW_OP_abs ? ((int64_t)a < 0 ? 0 - a : a)
                                            : a + take_leb(s, false));
}

static bool copy_down(struct stepper *s, uint64_t index)
{
    return index < s->depth ? push(s, s->stack[s->depth - 1 - index]) : lacks(s);
}

static bool swap(struct stepper *s)
{
    if (s->depth < 2) return lacks(s);
    const struct item top = s->stack[s->depth - 1];
    s->stack[s->depth - 1] = s->stack[s->depth - 2];
    s->stack[s->depth - 2] = top;
    return true;
}

static bool branch(struct stepper *s, bool always)
{
    uint64_t taken = 1;
    const int64_t by = extended(take(s, 2), 2);
    if (!always && !pop_number(s, &taken)) return false;
    if (!taken) return true;
    if (by < 0 ? (uint64_t)-by > s->at : (uint64_t)by > s->code.size - s->at)
        return gpudbg_fail(s->err, "syntax", "the expression of its place branches out of itself");
    s->at = (size_t)((int64_t)s->at + by);
    return true;
}

static bool based(struct stepper *s, uint64_t number)
{
    uint64_t n;
    const int64_t plus = (int64_t)take_leb(s, true);
    s->through = true;
    return read_bits(s, number, 0, 32, &n) && push_number(s, n + (uint64_t)plus);
}

static bool constant(struct stepper *s, uint8_t op)
{
    switch (op) {
    case DW_OP_const1u: return push_number(s, take(s, 1));
    case DW_OP_const2u: return push_number(s, take(s, 2));
    case DW_OP_const4u: return push_number(s, take(s, 4));
    case DW_OP_const1s: return push_number(s, (uint64_t)extended(take(s, 1), 1));
    case DW_OP_const2s: return push_number(s, (uint64_t)extended(take(s, 2), 2));
    case DW_OP_const4s: return push_number(s, (uint64_t)extended(take(s, 4), 4));
    case DW_OP_constu: return push_number(s, take_leb(s, false));
    case DW_OP_consts: return push_number(s, take_leb(s, true));
    default: return push_number(s, take(s, 8)); /* addr, const8u, const8s */
    }
}

static bool own_operation(struct stepper *s, uint8_t op, bool *known)
{
    uint64_t n;
    *known = true;
    if (op == s->rules->lane_op) return push_number(s, s->lane > 0 ? (uint64_t)s->lane : 0);
    if (op == s->rules->register_op) return pop_number(s, &n) && push_register(s, n);
    if (op == s->rules->bits_op) return (s->through = true) && take_bits(s);
    *known = false;
    return true;
}

static bool step(struct stepper *s)
{
    const uint8_t op = (uint8_t)take(s, 1);
    struct item dropped;
    bool known;
    const bool good = own_operation(s, op, &known);
    if (known) return good;
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) return push_number(s, op - DW_OP_lit0);
    if (op >= DW_OP_reg0 && op <= DW_OP_reg31) return push_register(s, op - DW_OP_reg0);
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31) return based(s, op - DW_OP_breg0);
    if (op == DW_OP_addr || (op >= DW_OP_const1u && op <= DW_OP_consts)) return constant(s, op);
    switch (op) {
    case DW_OP_regx: return push_register(s, take_leb(s, false));
    case DW_OP_bregx: return based(s, take_leb(s, false));
    case DW_OP_deref: return dereference(s, 8);
    case DW_OP_deref_size: return dereference(s, (unsigned)take(s, 1));
    case DW_OP_dup: return copy_down(s, 0);
    case DW_OP_over: return copy_down(s, 1);
    case DW_OP_pick: return copy_down(s, take(s, 1));
    case DW_OP_drop: return pop(s, &dropped);
    case DW_OP_swap: return swap(s);
    case DW_OP_abs:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_plus_uconst: return one(s, op);
    case DW_OP_and:
    case DW_OP_div:
    case DW_OP_minus:
    case DW_OP_mod:
    case DW_OP_mul:
    case DW_OP_or:
    case DW_OP_plus:
    case DW_OP_shl:
    case DW_OP_shr:
    case DW_OP_shra:
    case DW_OP_xor:
    case DW_OP_eq:
    case DW_OP_ge:
    case DW_OP_gt:
    case DW_OP_le:
    case DW_OP_lt:
    case DW_OP_ne: return two(s, op);
    case DW_OP_bra: return branch(s, false);
    case DW_OP_skip: return branch(s, true);
    case DW_OP_nop: return true;
    case DW_OP_piece: return end_piece(s, 8 * (take_leb(s, false) & UINT32_MAX), 0);
    case DW_OP_bit_piece: {
        const uint64_t bits = take_leb(s, false);
        return end_piece(s, bits, take_leb(s, false));
    }
    case DW_OP_stack_value: return (s->value = s->depth > 0) || lacks(s);
    case DW_OP_implicit_value: return implicit(s);
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value: return dwarf_entry_value(s->err);
    default:
        return gpudbg_fail(s->err, "unsupported",
            "the debug information describes its place by an operation that gpudbg does not know (0x%x)", op);
    }
}

/* No back end for GPUs writes one, or says what calls pass (LLVM 19, also where it is asked to). */
bool dwarf_entry_value(struct gpudbg_error *err)
{
    return gpudbg_fail(err, "optimised-out",
        "entry value not known: the debug information says what it was when the function was called, and no more");
}

/* What is left on the stack is the place. */
static bool conclude(struct stepper *s)
{
    struct dwarf_place *p = s->place;
    const struct item *top = &s->stack[0];
    if (p->where == DWARF_BYTES || (p->parts && !s->depth)) return true;
    if (s->depth != 1 || p->parts) return lacks(s);
    if (top->kind == ITEM_REGISTER) {
        struct dwarf_part part;
        if (!find_dword(s, top->n, 0, &part)) return false;
        for (unsigned d = 0; d < PLACE_PARTS && find_dword(s, top->n, d, &part); d++) add_part(s, part);
        *s->err = (struct gpudbg_error){0};
        return true;
    }
    if (s->value && top->held) return add_bytes(s, top->of, top->bit / 8, top->bits / 8);
    p->where = s->value ? DWARF_CONSTANT : DWARF_MEMORY;
    p->space = GPUDBG_GLOBAL;
    p->number = top->n;
    p->framed = !s->value && s->through;
    return true;
}

bool dwarf_steps(struct eval *ev, uint32_t wave, int lane, const struct gpudbg_dwarf *rules, struct bytes expression,
    struct dwarf_place *place, struct gpudbg_error *err)
{
    struct stepper s = {
        .ev = ev, .wave = wave, .lane = lane, .rules = rules, .code = expression, .place = place, .err = err};
    for (unsigned steps = 0; s.at < s.code.size; steps++) {
        if (steps == STEPS) return gpudbg_fail(err, "limit", "its place takes more than %d operations to find", STEPS);
        if (!step(&s)) return false;
        if (s.cut) return lacks(&s);
    }
    return conclude(&s);
}

bool dwarf_first_register(struct eval *ev, uint32_t wave, int lane, const struct gpudbg_dwarf *rules,
    struct bytes expression, unsigned *file, unsigned *reg, bool *laned)
{
    struct gpudbg_error ignored = {0};
    struct dwarf_place place = {0};
    struct stepper s = {
        .ev = ev, .wave = wave, .lane = lane, .rules = rules, .code = expression, .place = &place, .err = &ignored};
    *laned = false;
    for (unsigned steps = 0; s.at < s.code.size && steps < STEPS; steps++) {
        *laned |= s.code.at[s.at] == rules->lane_op;
        if (!step(&s) || s.cut) return false;
        const struct item *top = s.depth ? &s.stack[s.depth - 1] : NULL;
        if (top && top->kind == ITEM_REGISTER) return rules->reg((unsigned)top->n, file, reg);
    }
    return false;
}
