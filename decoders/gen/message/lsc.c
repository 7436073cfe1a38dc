/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsc.c: messages of the load store cache: loads, stores and atomics with an address a channel, elements of 8 to 64
 * bits, vectors of them, or the elements of one address side by side (transpose); and elements of typed surfaces.
 * What caches do has no effect here.
 *
 * Source: the fields as IGA 1.1 prints them; compiled code of ocloc 22.43.  Compare and swap: the first operand is
 * compared, the second is written.  Inferred: an element of 8 or 16 bits leaves the rest of its dword 0.
 */
#include "code/message.h"
#include "message/atomic.h"
#include "message/message_run.h"
#include "message/surface.h"
#include "alu/arith.h"

enum { TGM = 13, SLM = 14, BTI_SLM = 0xfe };

struct lsc {
    struct gen_port port;
    uint64_t addr[32];
    unsigned op, size;      /* bytes in memory */
    unsigned dwords, shift; /* of an element in registers; bits below it in its dword */
    unsigned unit, n, data; /* registers of a component; components; the first register of the payload's data */
    uint8_t at[64];         /* the elements of a component, from the address on */
    bool transpose;
};

/* GEN_UNKNOWN: a surface by the offset of a state: no launch has other states than that of scratch space. */
static enum gen_served open_port(struct gen_message *m, struct lsc *l, bool of_64)
{
    const unsigned by = gen_field(m->desc, 30, 29);
    if (m->sfid == SLM || by == 3)
        return gen_port_open(m, by == 3 ? m->ex_desc >> 24 : BTI_SLM, &l->port) ? GEN_SERVED : GEN_FAULTED;
    if (by) return gen_port_scratch(m, (m->ex_desc & ~0x3fu) << 4, &l->port) ? GEN_SERVED : GEN_UNKNOWN;
    l->port = (struct gen_port){.space = GPUDBG_GLOBAL, .mask = of_64 ? UINT64_MAX : UINT32_MAX};
    return GEN_SERVED;
}

/* false: not implemented. */
static bool take_sizes(const struct gen_message *m, struct lsc *l, bool quad)
{
    static const uint8_t sizes[8] = {1, 2, 4, 8, 1, 2, 2, 0}, vectors[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const unsigned data = gen_field(m->desc, 11, 9), lanes = m->insn->exec_size;
    l->size = sizes[data];
    l->dwords = l->size == 8 ? 2 : 1;
    l->shift = data == 6 ? 16 : 0;
    l->transpose = !quad && m->desc >> 15 & 1;
    l->unit = (lanes * 4 * l->dwords + 31) / 32;
    if (quad) {
        for (unsigned c = 0; c < 4; c++)
            if (m->desc >> (12 + c) & 1) l->at[l->n++] = (uint8_t)(c * l->size);
    } else {
        l->n = vectors[gen_field(m->desc, 14, 12)];
        for (unsigned c = 0; c < l->n && !l->transpose; c++) l->at[c] = (uint8_t)(c * l->size);
    }
    if (!l->size || data < 2 || lanes > 32) return false; /* packed bytes and words of registers */
    return !l->transpose || (lanes == 1 && l->size >= 4);
}

static void take_addresses(struct gen_message *m, struct lsc *l, unsigned bits)
{
    for (uint32_t k = m->lanes; k; k &= k - 1) {
        const unsigned i = (unsigned)__builtin_ctz(k);
        l->addr[i] = bits == 3   ? gen_payload64(m, 0, i)
                     : bits == 2 ? gen_payload(m, 0, i)
                                 : gen_payload(m, 0, i / 2) >> (i & 1 ? 16 : 0) & 0xffff;
    }
}

static unsigned address_registers(const struct gen_message *m, unsigned bits)
{
    return (m->insn->exec_size * (bits == 3 ? 8u : bits == 2 ? 4u : 2u) + 31) / 32;
}

static int lane_name(const struct gen_message *m, unsigned i) { return (int)(m->insn->chan_off + i); }

/* Dword number k of element c of lane i, in registers. */
static unsigned place(const struct lsc *l, unsigned c, unsigned i, unsigned k)
{
    return l->transpose ? c * l->dwords + k : 8 * c * l->unit + i * l->dwords + k;
}

static uint64_t taken(const struct gen_message *m, const struct lsc *l, unsigned c, unsigned i)
{
    uint64_t v = gen_payload(m, l->data, place(l, c, i, 0));
    if (l->dwords > 1) v |= (uint64_t)gen_payload(m, l->data, place(l, c, i, 1)) << 32;
    return l->size == 8 ? v : v >> l->shift & ((UINT64_C(1) << 8 * l->size) - 1);
}

static void give(struct gen_message *m, const struct lsc *l, unsigned c, unsigned i, uint64_t v)
{
    for (unsigned k = 0; k < l->dwords; k++)
        gen_answer(m, 0, place(l, c, i, k), (uint32_t)(k ? v >> 32 : v << l->shift));
}

static uint64_t offset(const struct lsc *l, unsigned c) { return l->transpose ? (uint64_t)c * l->size : l->at[c]; }

static bool check_all(struct gen_message *m, struct lsc *l, bool write, unsigned n)
{
    for (uint32_t k = m->lanes; k; k &= k - 1)
        for (unsigned i = (unsigned)__builtin_ctz(k), c = 0; c < n; c++)
            if (!gen_port_check(m, &l->port, l->addr[i] + offset(l, c), l->size, write, lane_name(m, i))) return false;
    return true;
}

static enum gen_served move(struct gen_message *m, struct lsc *l, bool write)
{
    const unsigned registers = l->transpose ? (l->n * l->size + 31) / 32 : l->n * l->unit;
    if (!gen_needs(m, l->data + (write ? registers : 0)) || !check_all(m, l, write, l->n)) return GEN_FAULTED;
    for (uint32_t k = m->lanes; k; k &= k - 1)
        for (unsigned i = (unsigned)__builtin_ctz(k), c = 0; c < l->n; c++) {
            uint64_t v = write ? taken(m, l, c, i) : 0;
            const uint64_t at = l->addr[i] + offset(l, c);
            if (write ? !gen_port_write(m, &l->port, at, &v, l->size, lane_name(m, i))
                      : !gen_port_read(m, &l->port, at, &v, l->size, lane_name(m, i)))
                return GEN_FAULTED;
            if (!write) give(m, l, c, i, v);
        }
    return GEN_SERVED;
}

enum { LOAD = 0x0a, FADD = 0x13, FSUB, FMIN, FMAX, FCAS };

/* The operations of older data ports by LSC's number; 0: of floats, or a load. */
static const uint8_t operations[32] = {[0x08] = GEN_ATOMIC_INC,
    [0x09] = GEN_ATOMIC_DEC,
    [0x0b] = GEN_ATOMIC_MOV,
    [0x0c] = GEN_ATOMIC_ADD,
    [0x0d] = GEN_ATOMIC_SUB,
    [0x0e] = GEN_ATOMIC_IMIN,
    [0x0f] = GEN_ATOMIC_IMAX,
    [0x10] = GEN_ATOMIC_UMIN,
    [0x11] = GEN_ATOMIC_UMAX,
    [0x12] = GEN_ATOMIC_CMPWR,
    [0x18] = GEN_ATOMIC_AND,
    [0x19] = GEN_ATOMIC_OR,
    [0x1a] = GEN_ATOMIC_XOR};

static uint64_t float_result(unsigned op, unsigned type, uint64_t old, uint64_t a, uint64_t b)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true, .keep_df = true};
    switch (op) {
    case FADD: return gen_float_add(type, old, a, &fp);
    case FSUB: return gen_float_add(type, old, a ^ UINT64_C(1) << (8u * gen_type_size[type] - 1), &fp);
    case FMIN: return gen_float_atomic(2, type, old, a, b);
    case FMAX: return gen_float_atomic(1, type, old, a, b);
    default: return gen_float_atomic(3, type, old, a, b);
    }
}

/* Lanes one after another: two with the same address both count. */
static enum gen_served atomic(struct gen_message *m, struct lsc *l)
{
    const bool floats = l->op >= FADD && l->op <= FCAS, loads = l->op == LOAD;
    const unsigned old_op = operations[l->op & 31], operands = loads    ? 0
                                                               : floats ? 1 + (l->op == FCAS)
                                                                        : gen_atomic_operands(old_op);
    const unsigned type = l->size == 2 ? GEN_HF : l->size == 4 ? GEN_F32 : GEN_DF;
    if (l->n != 1 || l->transpose || l->size == 1 || (!floats && !loads && !old_op)) return GEN_UNKNOWN;
    if (!gen_needs(m, l->data + operands * l->unit) || !check_all(m, l, !loads, 1)) return GEN_FAULTED;
    for (uint32_t k = m->lanes; k; k &= k - 1) {
        const unsigned i = (unsigned)__builtin_ctz(k);
        uint64_t old = 0, a = operands ? taken(m, l, 0, i) : 0, b = operands > 1 ? taken(m, l, 1, i) : 0;
        if (!gen_port_read(m, &l->port, l->addr[i], &old, l->size, lane_name(m, i))) return GEN_FAULTED;
        uint64_t now = floats ? float_result(l->op, type, old, a, b) : gen_atomic(old_op, old, a, b, l->size);
        if (!loads && !gen_port_write(m, &l->port, l->addr[i], &now, l->size, lane_name(m, i))) return GEN_FAULTED;
        if (m->rlen) give(m, l, 0, i, old);
    }
    return GEN_SERVED;
}

/* Typed memory: an element of a surface is at u, v, r, a component each.  The program stops at a level that is not 0.
 * Source: Mesa, brw_lower_logical_sends.cpp, typed messages of LSC; IGA 1.1. */
static enum gen_served typed(struct gen_message *m, struct lsc *l, const struct gen_request *r)
{
    const bool write = r->does == GPUDBG_OP_STORE, atomics = r->run == GEN_RUN_LSC_ATOMIC;
    const unsigned bti = m->ex_desc >> 24, coordinates = m->mlen / l->unit;
    const struct gen_surface_state *s = gen_surface_of(m, bti);
    if (gen_field(m->desc, 30, 29) != 3 || gen_field(m->desc, 8, 7) != 2 || l->size != 4 || l->shift || !coordinates)
        return GEN_UNKNOWN;
    if (!gen_port_open(m, bti, &l->port) || !s || !gen_needs(m, l->data + (write ? l->n * l->unit : 0)))
        return GEN_FAULTED;
    for (uint32_t k = m->lanes; k; k &= k - 1) {
        const unsigned i = (unsigned)__builtin_ctz(k), size = gen_surface_bytes(s);
        uint32_t at[4] = {0};
        for (unsigned c = 0; c < coordinates && c < 4; c++) at[c] = gen_payload(m, c * l->unit, i);
        if (at[3]) return GEN_UNKNOWN;
        const int64_t offset = gen_surface_offset(s, at[0], at[1], at[2]);
        const bool inside = offset >= 0 && (uint64_t)offset + size <= s->segment->size;
        struct gen_texel t = {{0, 0, 0, 0}};
        uint8_t bytes[16] = {0};
        l->addr[i] = offset < 0 ? UINT32_MAX : (uint64_t)offset;
        if (atomics) continue;
        if (!inside) gen_outside(m, s->segment, (uint64_t)offset, size, write, lane_name(m, i));
        for (unsigned c = 0; write && c < l->n; c++) t.c[l->at[c] / 4] = (uint32_t)taken(m, l, c, i);
        if (write) gen_surface_encode(s, &t, bytes);
        if (inside && !(write ? gen_port_write(m, &l->port, (uint64_t)offset, bytes, size, lane_name(m, i))
                              : gen_port_read(m, &l->port, (uint64_t)offset, bytes, size, lane_name(m, i))))
            return GEN_FAULTED;
        if (inside && !write) gen_surface_decode(s, bytes, &t);
        for (unsigned c = 0; !write && c < l->n; c++) give(m, l, c, i, t.c[l->at[c] / 4]);
    }
    return atomics ? atomic(m, l) : GEN_SERVED;
}

enum gen_served gen_lsc(struct gen_message *m, const struct gen_request *r)
{
    struct lsc l = {.op = m->desc & 63, .data = m->mlen};
    const unsigned bits = gen_field(m->desc, 8, 7);
    if (!bits || !take_sizes(m, &l, r->run == GEN_RUN_LSC_QUAD)) return GEN_UNKNOWN;
    if (m->sfid == TGM) return typed(m, &l, r);
    const enum gen_served opened = open_port(m, &l, bits == 3);
    if (opened != GEN_SERVED) return opened;
    if (!gen_needs(m, address_registers(m, bits))) return GEN_FAULTED;
    take_addresses(m, &l, bits);
    if (r->run == GEN_RUN_LSC_ATOMIC) return atomic(m, &l);
    return move(m, &l, !(r->does & GPUDBG_OP_LOAD));
}
