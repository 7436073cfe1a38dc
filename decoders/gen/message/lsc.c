/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsc.c: messages of the load store cache: loads, stores and atomics with an address a channel, or one address and the
 * distance from channel to channel (strided); elements of 8 to 64 bits, vectors of them, or the elements of one address
 * side by side (transpose); rectangles of memory; and elements of typed surfaces.  What caches do has no effect here.
 *
 * Source: the fields as IGA 1.1 prints them; compiled code of ocloc 22.43; Intel's compiler, documentation of vISA,
 * LSC_UNTYPED and LSC_TYPED (d8 and d16: elements side by side; rectangles), and TranslateSendLdStLsc.cpp (payloads of
 * strided messages and of rectangles).  Compare and swap: the first operand is compared, the second is written.
 * Inferred: an element of 8 or 16 bits in a dword leaves its rest 0; what of a rectangle lies outside reads as 0.
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
    unsigned step, shift;   /* bytes of an element in registers; bits below it there */
    unsigned unit, n, data; /* registers of a component; components; the first register of the payload's data */
    uint8_t at[64];         /* the elements of a component, from the address on */
    bool transpose;
};

/* By the binding table, or by the offset of a state, in either heap. */
static unsigned surface_number(const struct gen_message *m)
{
    return gen_field(m->desc, 30, 29) == 3 ? m->ex_desc >> 24 : GEN_BTI_BINDLESS;
}

static enum gen_served open_port(struct gen_message *m, struct lsc *l, bool of_64)
{
    const unsigned by = gen_field(m->desc, 30, 29);
    if (by && by < 3 && gen_port_scratch(m, (m->ex_desc & ~0x3fu) << 4, &l->port)) return GEN_SERVED;
    if (m->sfid == SLM || by)
        return gen_port_open(m, m->sfid == SLM ? BTI_SLM : surface_number(m), &l->port) ? GEN_SERVED : GEN_FAULTED;
    l->port = (struct gen_port){.space = GPUDBG_GLOBAL, .mask = of_64 ? UINT64_MAX : UINT32_MAX};
    return GEN_SERVED;
}

/* false: not implemented. */
static bool take_sizes(const struct gen_message *m, struct lsc *l, bool quad)
{
    static const uint8_t sizes[8] = {1, 2, 4, 8, 1, 2, 2, 0}, vectors[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const unsigned data = gen_field(m->desc, 11, 9), lanes = m->insn->exec_size;
    l->size = sizes[data];
    l->step = data < 4 ? l->size : 4;
    l->shift = data == 6 ? 16 : 0;
    l->transpose = !quad && m->desc >> 15 & 1;
    l->unit = (lanes * l->step + 31) / 32;
    if (quad) {
        for (unsigned c = 0; c < 4; c++)
            if (m->desc >> (12 + c) & 1) l->at[l->n++] = (uint8_t)(c * l->size);
    } else {
        l->n = vectors[gen_field(m->desc, 14, 12)];
        for (unsigned c = 0; c < l->n && !l->transpose; c++) l->at[c] = (uint8_t)(c * l->size);
    }
    if (!l->size || lanes > 32) return false;
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

/* Strided: the first address, and the distance in the third dword. */
static void take_distance(struct gen_message *m, struct lsc *l, unsigned bits)
{
    const uint64_t first = bits == 3 ? gen_payload64(m, 0, 0)
                                     : gen_payload(m, 0, 0) & (bits == 2 ? UINT32_MAX : 0xffff);
    for (unsigned i = 0; i < 32; i++) l->addr[i] = first + (uint64_t)i * gen_payload(m, 0, 2);
}

static unsigned address_registers(const struct gen_message *m, unsigned bits)
{
    return (m->insn->exec_size * (bits == 3 ? 8u : bits == 2 ? 4u : 2u) + 31) / 32;
}

static int lane_name(const struct gen_message *m, unsigned i) { return (int)(m->insn->chan_off + i); }

/* The byte, in registers, of element c of lane i. */
static unsigned place(const struct lsc *l, unsigned c, unsigned i)
{
    return l->transpose ? c * l->step : 32 * c * l->unit + i * l->step;
}

static uint64_t taken(const struct gen_message *m, const struct lsc *l, unsigned c, unsigned i)
{
    const uint64_t v = gen_payload_bytes(m, 32 * l->data + place(l, c, i), l->step);
    return l->size == 8 ? v : v >> l->shift & ((UINT64_C(1) << 8 * l->size) - 1);
}

static void give(struct gen_message *m, const struct lsc *l, unsigned c, unsigned i, uint64_t v)
{
    gen_answer_bytes(m, place(l, c, i), v << l->shift, l->step);
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
    const unsigned bti = surface_number(m), coordinates = m->mlen / l->unit;
    const struct gen_surface_state *s = gen_surface_of(m, bti);
    if (!gen_field(m->desc, 30, 29) || gen_field(m->desc, 8, 7) != 2 || l->size != 4 || l->shift || !coordinates)
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

/* ---- Rectangles of memory, whatever the mask ---- */

/* A rectangle in registers: rows of `pitch` elements, or columns (transpose); vnni: the elements that a dword has room
 * for come from one column (transpose: from one row). */
struct rectangle {
    unsigned size, width, height, blocks; /* bytes of an element; elements; side by side in memory */
    unsigned pitch, block;                /* elements: of a row, of a block in registers */
    bool transpose, vnni;
};

static unsigned place_in(const struct rectangle *r, unsigned block, unsigned y, unsigned x)
{
    const unsigned row = r->transpose ? x : y, at = r->transpose ? y : x, n = r->vnni ? 4 / r->size : 1;
    return r->size * (block * r->block + row / n * n * r->pitch + at * n + row % n);
}

static void lay_out(struct rectangle *r)
{
    const unsigned row = r->transpose ? r->height : r->width, rows = r->transpose ? r->width : r->height;
    while (r->pitch < row) r->pitch *= 2;
    r->block = (r->pitch * rows * r->size + 31) / 32 * 32 / r->size;
}

/* Element x, y of the rectangle: the byte of memory; false: it is outside of what the payload says there is. */
struct edges {
    uint64_t base, pitch, width, height; /* bytes; rows */
    int64_t x, y;                        /* of the rectangle's first element, in elements */
};

static bool element_at(const struct edges *e, unsigned size, unsigned x, unsigned y, uint64_t *addr)
{
    const int64_t u = (e->x + x) * (int64_t)size, v = e->y + y;
    *addr = e->base + (uint64_t)v * e->pitch + (uint64_t)u;
    return u >= 0 && v >= 0 && (uint64_t)u + size <= e->width && (uint64_t)v < e->height;
}

/* Payload: dwords 0 to 4: address, width - 1, height - 1, pitch - 1; 5 and 6: x and y; 7: the shape. */
static enum gen_served flat_rectangle(struct gen_message *m, bool write)
{
    const uint32_t *h = m->payload[0];
    const unsigned data = gen_field(m->desc, 11, 9);
    struct rectangle r = {1u << data, (h[7] & 255) + 1, (h[7] >> 8 & 255) + 1, (h[7] >> 16 & 15) + 1, 1, 0,
        m->desc >> 15 & 1, m->desc >> 7 & 1};
    const struct edges e = {h[0] | (uint64_t)h[1] << 32, (uint64_t)h[4] + 1, (uint64_t)h[2] + 1, (uint64_t)h[3] + 1,
        (int32_t)h[5], (int32_t)h[6]};
    struct gen_port p = gen_port_a64();
    if (!gen_needs(m, 1)) return GEN_FAULTED;
    if (data > 3 || gen_field(m->desc, 30, 29)) return GEN_UNKNOWN;
    if (r.vnni && (write || data > 1 || (r.transpose ? r.width : r.height) % (4 / r.size))) return GEN_UNKNOWN;
    if (write && (r.blocks > 1 || r.transpose)) return GEN_UNKNOWN;
    lay_out(&r);
    const unsigned registers = r.blocks * r.block * r.size / 32;
    const bool whole = m->rlen == registers || (registers == 32 && m->rlen == 31); /* 31 stands for 32, too */
    if (registers > 32 || (!write && m->rlen && !whole)) return GEN_UNKNOWN;
    if (!gen_needs(m, 1 + (write ? registers : 0))) return GEN_FAULTED;
    if (m->rlen && m->has_dst && m->dst + registers > gen_of(m->wave)->grfs) return GEN_UNKNOWN;
    if (m->rlen) m->rlen = registers;
    for (unsigned k = 0; k < 8 * registers; k++) gen_answer(m, 0, k, 0);
    const unsigned all = r.blocks * r.height * r.width;
    for (unsigned n = 0; n < 2 * all; n++) { /* first all are checked */
        const unsigned x = n % all % r.width, y = n % all / r.width % r.height, b = n % all / r.width / r.height;
        const unsigned at = place_in(&r, b, y, x);
        uint64_t addr, v = write ? gen_payload_bytes(m, 32 + at, r.size) : 0;
        if (!element_at(&e, r.size, b * r.width + x, y, &addr)) continue;
        if (n < all ? !gen_port_check(m, &p, addr, r.size, write, -1)
            : write ? !gen_port_write(m, &p, addr, &v, r.size, -1)
                    : !gen_port_read(m, &p, addr, &v, r.size, -1))
            return GEN_FAULTED;
        if (n >= all && !write) gen_answer_bytes(m, at, v, r.size);
    }
    return GEN_SERVED;
}

/* Payload: dwords 5 and 6: x in bytes and y; 7: bytes of a row - 1, rows - 1.  A row in registers has a power of two
 * of bytes, at least 4. */
static enum gen_served typed_rectangle(struct gen_message *m, unsigned bti, bool write)
{
    const struct gen_surface_state *s = gen_surface_of(m, bti);
    const uint32_t *h = m->payload[0];
    const unsigned width = (h[7] & 255) + 1, height = (h[7] >> 8 & 255) + 1;
    unsigned pitch = 4;
    struct gen_port p;
    if (!gen_needs(m, 1) || !gen_port_open(m, bti, &p) || !s) return GEN_FAULTED;
    const unsigned size = gen_surface_bytes(s);
    while (pitch < width) pitch *= 2;
    const unsigned registers = (pitch * height + 31) / 32;
    if (width > 64 || registers > 8 || width % size || (int32_t)h[5] % (int)size) return GEN_UNKNOWN;
    if (!gen_needs(m, 1 + (write ? registers : 0))) return GEN_FAULTED;
    for (unsigned k = 0; k < 8 * registers; k++) gen_answer(m, 0, k, 0);
    for (unsigned n = 0; n < width / size * height; n++) {
        const unsigned x = n % (width / size), y = n / (width / size), at = pitch * y + size * x;
        const int64_t offset = gen_surface_offset(
            s, (int32_t)h[5] / (int)size + (int64_t)x, (int32_t)h[6] + (int64_t)y, 0);
        uint8_t bytes[16];
        if (offset < 0 || (uint64_t)offset + size > s->segment->size) {
            gen_outside(m, s->segment, (uint64_t)offset, size, write, -1);
            continue;
        }
        if (write) memcpy(bytes, (const uint8_t *)m->payload[1] + at, size);
        if (write ? !gen_port_write(m, &p, (uint64_t)offset, bytes, size, -1)
                  : !gen_port_read(m, &p, (uint64_t)offset, bytes, size, -1))
            return GEN_FAULTED;
        if (!write) memcpy((uint8_t *)m->result[0] + at, bytes, size);
    }
    return GEN_SERVED;
}

enum gen_served gen_lsc(struct gen_message *m, const struct gen_request *r)
{
    struct lsc l = {.op = m->desc & 63, .data = m->mlen};
    const unsigned bits = gen_field(m->desc, 8, 7), by = gen_field(m->desc, 30, 29);
    const bool write = !(r->does & GPUDBG_OP_LOAD);
    if (r->run == GEN_RUN_LSC_BLOCK) {
        if (m->sfid != TGM) return m->sfid == SLM ? GEN_UNKNOWN : flat_rectangle(m, write);
        return by ? typed_rectangle(m, surface_number(m), write) : GEN_UNKNOWN;
    }
    if (!bits || !take_sizes(m, &l, r->run == GEN_RUN_LSC_QUAD)) return GEN_UNKNOWN;
    if (m->sfid == TGM) return typed(m, &l, r);
    const enum gen_served opened = open_port(m, &l, bits == 3);
    if (opened != GEN_SERVED) return opened;
    const bool strided = r->run == GEN_RUN_LSC_STRIDED;
    if (!gen_needs(m, strided ? 1 : address_registers(m, bits))) return GEN_FAULTED;
    if (strided)
        take_distance(m, &l, bits);
    else
        take_addresses(m, &l, bits);
    if (r->run == GEN_RUN_LSC_ATOMIC) return atomic(m, &l);
    return move(m, &l, write);
}
