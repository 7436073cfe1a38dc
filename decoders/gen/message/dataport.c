/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dataport.c: messages to the data caches.  Layouts of descriptors and payloads: observed in compilers' output for
 * Haswell and DG1 and confirmed by running it; rare messages follow the drivers' use.
 */
#include "alu/arith.h"
#include "code/message.h"
#include "message/atomic.h"
#include "message/message_run.h"
#include "message/quick.h"
#include "message/surface.h"

/* ---- Which message it is ---- */

static bool writes(const struct gen_request *r) { return r->does & GPUDBG_OP_STORE; }

bool gen_lanes_of(const struct gen_insn *insn, struct gen_lanes *l)
{
    const uint32_t desc = insn->desc;
    const struct gen_request *r = gen_request_of(insn->eu, insn->sfid, desc);
    const unsigned count = 1u << gen_field(desc, 11, 10), kind = gen_field(desc, 9, 8), mode = gen_field(desc, 13, 12);
    const bool write = r && writes(r);
    *l = (struct gen_lanes){.write = write, .returns = !write, .bti = desc & 255, .size = 4};
    if (!r || insn->desc_is_reg || desc >> 19 & 1) return false;
    switch (r->run) {
    case GEN_RUN_BYTE_SCATTERED:
        l->simd = desc >> 8 & 1 ? 16 : 8;
        l->size = (uint8_t)count;
        l->count = 1;
        return count <= 4;
    case GEN_RUN_UNTYPED:
    case GEN_RUN_A64_UNTYPED:
        l->wide = r->run == GEN_RUN_A64_UNTYPED;
        l->simd = mode == 1 ? 16 : 8;
        for (unsigned c = 0; c < 4; c++)
            if (!(desc >> (8 + c) & 1)) l->at[l->count++] = (uint8_t)(4 * c);
        return l->count && (mode == 1 || mode == 2);
    case GEN_RUN_A64_SCATTERED:
        l->wide = true;
        l->simd = desc >> 12 & 1 ? 16 : 8;
        l->size = (uint8_t)(kind == 0 ? count : kind == 1 ? 4 : 8);
        l->count = (uint8_t)(kind == 0 ? 1 : count);
        for (unsigned e = 0; e < 4; e++) l->at[e] = (uint8_t)(e * l->size);
        return kind <= 2 && count <= 4;
    case GEN_RUN_ATOMIC:
    case GEN_RUN_A64_ATOMIC:
        l->wide = r->run == GEN_RUN_A64_ATOMIC;
        if (l->wide && desc >> 12 & 1) /* on cells of 8 bytes */
            return false;
        l->simd = l->wide || desc >> 12 & 1 ? 8 : 16;
        l->atomic = (uint8_t)gen_field(desc, 11, 8);
        l->returns = desc >> 13 & 1;
        l->count = (uint8_t)gen_atomic_operands(l->atomic);
        return l->atomic;
    default: return false;
    }
}

bool gen_is_fence(const struct gen_insn *insn)
{
    const struct gen_request *r = gen_request_of(insn->eu, insn->sfid, insn->desc);
    return r && !insn->desc_is_reg && r->run == GEN_RUN_FENCE;
}

/* ---- Lanes ---- */

/* Lanes of a message that serves `simd` of them. */
static uint32_t lanes_of(const struct gen_message *m, unsigned simd) { return m->lanes & ((2u << (simd - 1)) - 1); }

/* ... of an untyped surface: before gen12 a header's pixel mask takes some away. */
static uint32_t surface_lanes(const struct gen_message *m, unsigned simd)
{
    const bool masked = m->header && gen_of(m->wave)->eu->pixel_masks;
    return lanes_of(m, simd) & (masked ? m->payload[0][7] & 0xffff : UINT32_MAX);
}

static unsigned bti_of(const struct gen_message *m) { return m->desc & 255; }

/* Checks that each lane can reach `size` bytes at its address. */
static bool check_all(
    struct gen_message *m, struct gen_port *p, const uint64_t addr[], uint32_t lanes, unsigned size, bool write)
{
    for (uint32_t l = lanes; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        if (!gen_port_check(m, p, addr[i], size, write, (int)(m->insn->chan_off + i))) return false;
    }
    return true;
}

static int lane_name(const struct gen_message *m, unsigned i) { return (int)(m->insn->chan_off + i); }

/* ---- Scattered ---- */

/* One element of `size` bytes a lane, in a dword each. */
static enum gen_served scattered(struct gen_message *m, struct gen_port *p, const uint64_t addr[], uint32_t lanes,
    unsigned size, unsigned data, bool write)
{
    if (!check_all(m, p, addr, lanes, size, write)) return GEN_FAULTED;
    for (uint32_t l = lanes; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        uint32_t v = write ? gen_payload(m, data, i) : 0;
        if (write ? !gen_port_write(m, p, addr[i], &v, size, lane_name(m, i))
                  : !gen_port_read(m, p, addr[i], &v, size, lane_name(m, i)))
            return GEN_FAULTED;
        if (!write) gen_answer(m, 0, i, v);
    }
    return GEN_SERVED;
}

static enum gen_served byte_scattered(struct gen_message *m, bool write)
{
    unsigned simd = m->desc >> 8 & 1 ? 16 : 8, size = 1u << gen_field(m->desc, 11, 10), first = m->header;
    struct gen_port p;
    uint64_t addr[32];
    if (size > 4) return GEN_UNKNOWN;
    if (!gen_needs(m, first + simd / 8 * (1u + write)) || !gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    for (unsigned i = 0; i < simd; i++) addr[i] = gen_payload(m, first, i);
    return scattered(m, &p, addr, lanes_of(m, simd), size, first + simd / 8, write);
}

/* Offsets in dwords, from the header's base; stateless ones from the header's scratch area. */
static enum gen_served dword_scattered(struct gen_message *m, bool write)
{
    unsigned simd = gen_field(m->desc, 9, 8) == 3 ? 16 : 8, first = m->header;
    struct gen_port p;
    uint64_t addr[32];
    if (gen_field(m->desc, 9, 8) < 2) return GEN_UNKNOWN;
    if (!gen_needs(m, first + simd / 8 * (1u + write)) || !gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    uint32_t base = m->header ? m->payload[0][2] : 0;
    if (m->header && bti_of(m) == 0xff) base += m->payload[0][5] & ~0x3ffu;
    for (unsigned i = 0; i < simd; i++) addr[i] = base + 4 * gen_payload(m, first, i);
    return scattered(m, &p, addr, lanes_of(m, simd), 4, first + simd / 8, write);
}

/* Up to eight elements a lane, of 4 or 8 bytes, side by side in memory; those of all lanes for one element after
 * another in registers. */
static enum gen_served whole_elements(struct gen_message *m, struct gen_port *p, const uint64_t addr[], uint32_t lanes,
    unsigned size, unsigned count, unsigned data, unsigned units, bool write)
{
    if (!check_all(m, p, addr, lanes, size * count, write)) return GEN_FAULTED;
    for (unsigned e = 0; e < count; e++)
        for (uint32_t l = lanes; l; l &= l - 1) {
            unsigned i = (unsigned)__builtin_ctz(l), reg = e * units * (size / 4);
            uint64_t v = size == 4 ? gen_payload(m, data + reg, i) : gen_payload64(m, data + reg, i);
            if (write ? !gen_port_write(m, p, addr[i] + e * size, &v, size, lane_name(m, i))
                      : !gen_port_read(m, p, addr[i] + e * size, &v, size, lane_name(m, i)))
                return GEN_FAULTED;
            if (!write && size == 4) gen_answer(m, reg, i, (uint32_t)v);
            if (!write && size == 8) {
                gen_answer(m, reg, 2 * i, (uint32_t)v);
                gen_answer(m, reg, 2 * i + 1, (uint32_t)(v >> 32));
            }
        }
    return GEN_SERVED;
}

/* Addresses in bytes, as compiled code of Gen8 and later has them. */
static enum gen_served qword_scattered(struct gen_message *m, bool write)
{
    const unsigned units = gen_field(m->desc, 9, 8) == 3 ? 2 : 1, first = m->header;
    struct gen_port p;
    uint64_t addr[32];
    if (gen_field(m->desc, 9, 8) < 2) return GEN_UNKNOWN;
    if (!gen_needs(m, first + units * (write ? 3 : 1)) || !gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    for (unsigned i = 0; i < 8 * units; i++) addr[i] = gen_payload(m, first, i);
    return whole_elements(m, &p, addr, lanes_of(m, 8 * units), 8, 1, first + units, units, write);
}

static enum gen_served a64_scattered(struct gen_message *m, bool write)
{
    unsigned simd = m->desc >> 12 & 1 ? 16 : 8, kind = gen_field(m->desc, 9, 8),
             count = 1u << gen_field(m->desc, 11, 10), u = simd / 8;
    struct gen_port p = gen_port_a64();
    uint64_t addr[32];
    uint32_t lanes = lanes_of(m, simd);
    if (kind > 2) return GEN_UNKNOWN;
    if (kind == 0 && count == 8) { /* eight bytes are as one qword: compiled code of Gen8 */
        kind = 2;
        count = 1;
    }
    unsigned data = m->header + 2 * u, size = kind == 1 ? 4 : 8;
    if (!gen_needs(m, data + (!write ? 0 : kind == 0 ? u : count * u * (size / 4)))) return GEN_FAULTED;
    for (unsigned i = 0; i < simd; i++) addr[i] = gen_payload64(m, m->header, i);
    if (kind == 0) return scattered(m, &p, addr, lanes, count, data, write);
    return whole_elements(m, &p, addr, lanes, size, count, data, u, write);
}

/* ---- Untyped surfaces: up to four dwords a lane, those of all lanes for one channel after another ---- */

/* Reads one dword of each lane without the memory door, if the whole of one segment may be read so.  false: nothing was
 * done. */
static bool read_open(
    struct gen_message *m, const struct gen_port *p, const uint64_t addr[], uint32_t lanes, unsigned add, unsigned reg)
{
    const struct gpudbg_segment *s = p->segment;
    uint32_t value[32] = {0};
    if (!s || s->flags & GPUDBG_SEG_RWATCH || s->size < 4 || m->probe) return false;
    const uint64_t most = s->size - 4;
    for (uint32_t l = lanes; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        uint64_t offset = ((addr[i] + add) & p->mask) + p->base - s->base;
        if (offset <= most)
            memcpy(&value[i], s->bytes + offset, 4);
        else if (!p->drops)
            return false;
        else if (offset < s->size)
            return false; /* half outside */
    }
    for (uint32_t l = lanes; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        gen_answer(m, reg, i, value[i]);
    }
    return true;
}

static enum gen_served channels(struct gen_message *m, struct gen_port *p, const uint64_t addr[], uint32_t lanes,
    unsigned simd, unsigned data, bool write)
{
    unsigned absent = gen_field(m->desc, 11, 8), u = simd / 8, reg = 0;
    for (unsigned c = 0; c < 4 && !p->drops; c++)
        for (uint32_t l = absent >> c & 1 ? 0 : lanes; l; l &= l - 1) {
            unsigned i = (unsigned)__builtin_ctz(l);
            if (!gen_port_check(m, p, addr[i] + 4 * c, 4, write, lane_name(m, i))) return GEN_FAULTED;
        }
    for (unsigned c = 0; c < 4; c++) {
        if (absent >> c & 1) continue;
        if (!write && read_open(m, p, addr, lanes, 4 * c, reg)) {
            reg += u;
            continue;
        }
        for (uint32_t l = lanes; l; l &= l - 1) {
            unsigned i = (unsigned)__builtin_ctz(l);
            uint32_t v = write ? gen_payload(m, data + reg, i) : 0;
            if (write ? !gen_port_write(m, p, addr[i] + 4 * c, &v, 4, lane_name(m, i))
                      : !gen_port_read(m, p, addr[i] + 4 * c, &v, 4, lane_name(m, i)))
                return GEN_FAULTED;
            if (!write) gen_answer(m, reg, i, v);
        }
        reg += u;
    }
    return GEN_SERVED;
}

/* Two vectors: one address each, one register for both. */
static enum gen_served untyped_4x2(struct gen_message *m, struct gen_port *p, bool write)
{
    unsigned absent = gen_field(m->desc, 11, 8), first = m->header;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < 8; i++) {
            uint64_t addr = (uint64_t)gen_payload(m, first, i & 4) + 4 * (i & 3);
            uint32_t v = gen_payload(m, first + 1, i);
            if (absent >> (i & 3) & 1 || !(m->lanes >> i & 1)) continue;
            if (pass == 0 ? !gen_port_check(m, p, addr, 4, write, lane_name(m, i))
                : write   ? !gen_port_write(m, p, addr, &v, 4, lane_name(m, i))
                          : !gen_port_read(m, p, addr, &v, 4, lane_name(m, i)))
                return GEN_FAULTED;
            if (pass && !write) gen_answer(m, 0, i, v);
        }
    return GEN_SERVED;
}

static enum gen_served untyped(struct gen_message *m, bool write, bool a64)
{
    unsigned mode = gen_field(m->desc, 13, 12), simd = mode == 1 ? 16 : 8;
    struct gen_port p = gen_port_a64();
    uint64_t addr[32];
    if (mode == 3 || (mode == 0 && a64)) return GEN_UNKNOWN;
    const unsigned addresses = mode == 0 ? 1 : simd / 8 * (a64 ? 2 : 1),
                   present = 4 - (unsigned)__builtin_popcount(gen_field(m->desc, 11, 8));
    if (!gen_needs(m, m->header + addresses + (!write ? 0 : mode == 0 ? 1 : present * (simd / 8)))) return GEN_FAULTED;
    if (!a64 && !gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    if (mode == 0) return untyped_4x2(m, &p, write);
    for (unsigned i = 0; i < simd; i++) addr[i] = a64 ? gen_payload64(m, m->header, i) : gen_payload(m, m->header, i);
    return channels(m, &p, addr, surface_lanes(m, simd), simd, m->header + addresses, write);
}

/* ---- Atomics ---- */

uint64_t gen_float_atomic(unsigned op, unsigned type, uint64_t old, uint64_t a, uint64_t b)
{
    enum { FMAX = 1, FMIN, FCMPWR };
    enum gen_order order = gen_float_order(type, old, a);
    bool other = gen_is_nan(type, old);
    switch (op) {
    case FMAX: return other || order == GEN_LESS ? a : old;
    case FMIN: return other || order == GEN_GREATER ? a : old;
    default: return order == GEN_EQUAL ? b : old;
    }
}

struct atomics {
    struct gen_port port;
    uint64_t addr[32];
    uint32_t lanes;
    unsigned size;     /* of the memory cell */
    unsigned u, data;  /* registers of an operand; where the first is */
    bool floats, wide; /* wide: operands are qwords */
    bool vectors;      /* operands are side by side, in dwords 0, 1 and 4, 5 */
};

/* Lanes one after another: two with the same address both count. */
static enum gen_served run_atomics(struct gen_message *m, struct atomics *a)
{
    unsigned op = gen_field(m->desc, 11, 8), n = a->floats ? op == 3 ? 2 : 1 : gen_atomic_operands(op);
    bool returns = m->desc >> 13 & 1;
    if (a->floats ? op < 1 || op > 3 : op < 1) return GEN_UNKNOWN;
    if (!gen_needs(m, a->data + (a->vectors ? n > 0 : n * a->u)) ||
        !check_all(m, &a->port, a->addr, a->lanes, a->size, true))
        return GEN_FAULTED;
    for (uint32_t l = a->lanes; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        uint64_t x[2] = {0, 0}, old = 0;
        for (unsigned k = 0; k < n; k++)
            x[k] = a->wide      ? gen_payload64(m, a->data + k * a->u, i)
                   : a->vectors ? gen_payload(m, a->data, i + k)
                                : gen_payload(m, a->data + k * a->u, i);
        if (a->size == 2) {
            x[0] &= 0xffff;
            x[1] &= 0xffff;
        }
        if (!gen_port_read(m, &a->port, a->addr[i], &old, a->size, lane_name(m, i))) return GEN_FAULTED;
        uint64_t now = a->floats ? gen_float_atomic(op, a->size == 2 ? GEN_HF : GEN_F32, old, x[0], x[1])
                                 : gen_atomic(op, old, x[0], x[1], a->size);
        if (!gen_port_write(m, &a->port, a->addr[i], &now, a->size, lane_name(m, i))) return GEN_FAULTED;
        uint64_t answer = a->floats ? old : gen_atomic_answer(op, old, now);
        if (a->size == 2) answer &= 0xffff;
        if (returns && a->wide) {
            gen_answer(m, 0, 2 * i, (uint32_t)answer);
            gen_answer(m, 0, 2 * i + 1, (uint32_t)(answer >> 32));
        } else if (returns) {
            gen_answer(m, 0, i, (uint32_t)answer);
        }
    }
    return GEN_SERVED;
}

static enum gen_served atomic_a32(struct gen_message *m, unsigned size, bool floats)
{
    unsigned simd = m->desc >> 12 & 1 ? 8 : 16;
    struct atomics a = {
        .size = size, .u = simd / 8, .data = m->header + simd / 8, .floats = floats, .lanes = surface_lanes(m, simd)};
    if (!gen_port_open(m, bti_of(m), &a.port)) return GEN_FAULTED;
    for (unsigned i = 0; i < simd; i++) a.addr[i] = gen_payload(m, m->header, i);
    return run_atomics(m, &a);
}

/* Always 8 lanes. */
static enum gen_served atomic_a64(struct gen_message *m, unsigned size, bool floats)
{
    bool wide = size == 4 && !floats && m->desc >> 12 & 1;
    struct atomics a = {.port = gen_port_a64(),
        .size = wide ? 8 : size,
        .u = wide ? 2 : 1,
        .data = m->header + 2u,
        .floats = floats,
        .wide = wide,
        .lanes = lanes_of(m, 8)};
    for (unsigned i = 0; i < 8; i++) a.addr[i] = gen_payload64(m, m->header, i);
    return run_atomics(m, &a);
}

/* Two vectors, the first dword of each. */
static enum gen_served atomic_4x2(struct gen_message *m)
{
    struct atomics a = {.size = 4, .u = 1, .data = m->header + 1u, .lanes = m->lanes & 0x11, .vectors = true};
    if (!gen_port_open(m, bti_of(m), &a.port)) return GEN_FAULTED;
    for (unsigned i = 0; i < 8; i++) a.addr[i] = gen_payload(m, m->header, i & 4);
    return run_atomics(m, &a);
}

/* ---- Blocks: whole registers, whatever the mask ---- */

static enum gen_served block(
    struct gen_message *m, struct gen_port *p, uint64_t addr, unsigned bytes, unsigned at, bool write)
{
    if (!gen_needs(m, 1 + (write ? (at + bytes + 31) / 32 : 0)) ||
        !gen_port_check(m, p, addr, bytes < 128 ? bytes : 128, write, -1) ||
        (bytes > 128 && !gen_port_check(m, p, addr + bytes - 128, 128, write, -1)))
        return GEN_FAULTED;
    for (unsigned k = 0; k < bytes; k += 4) { /* each dword by itself: a surface may end in the middle */
        uint32_t v = gen_payload(m, 1, (at + k) / 4);
        if (write ? !gen_port_write(m, p, addr + k, &v, 4, -1) : !gen_port_read(m, p, addr + k, &v, 4, -1))
            return GEN_FAULTED;
        if (!write) gen_answer(m, 0, (at + k) / 4, v);
    }
    return GEN_SERVED;
}

/* Bytes and their place in the register, by the code for the number of owords; 0: reserved. */
static unsigned owords(unsigned code, unsigned *at)
{
    *at = code == 1 ? 16 : 0;
    return code < 2 ? 16 : code < 5 ? 16u << (code - 1) : 0;
}

static enum gen_served oword_block(struct gen_message *m, bool write, bool unaligned)
{
    unsigned at, bytes = owords(gen_field(m->desc, 10, 8), &at);
    struct gen_port p;
    if (!bytes || !m->header) return GEN_UNKNOWN;
    if (!gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    uint64_t addr = unaligned ? m->payload[0][2] & ~3u : (uint64_t)m->payload[0][2] * 16;
    if (bti_of(m) == 0xff) addr += m->payload[0][5] & ~0x3ffu;
    return block(m, &p, addr, bytes, at, write);
}

static enum gen_served oword_dual(struct gen_message *m, bool write)
{
    unsigned count = gen_field(m->desc, 9, 8) == 2 ? 4 : 1, first = m->header;
    struct gen_port p;
    if (gen_field(m->desc, 9, 8) & 1) return GEN_UNKNOWN;
    if (!gen_needs(m, first + 1 + (write ? count : 0)) || !gen_port_open(m, bti_of(m), &p)) return GEN_FAULTED;
    const uint32_t base = m->header ? m->payload[0][2] * 16 : 0;
    for (unsigned n = 0; n < 2 * 8 * count; n++) { /* first all are checked */
        const unsigned k = n / 8 % count, i = n % 8;
        const bool checks = n < 8 * count;
        const uint64_t addr = base + (uint64_t)gen_payload(m, first, i & 4) * 16 + 16 * k + 4 * (i & 3);
        uint32_t v = gen_payload(m, first + 1 + k, i);
        if (!(m->lanes >> i & 1)) continue;
        if (checks  ? !gen_port_check(m, &p, addr, 4, write, lane_name(m, i))
            : write ? !gen_port_write(m, &p, addr, &v, 4, lane_name(m, i))
                    : !gen_port_read(m, &p, addr, &v, 4, lane_name(m, i)))
            return GEN_FAULTED;
        if (!checks && !write) gen_answer(m, k, i, v);
    }
    return GEN_SERVED;
}

/* Stores dwords of the channels that run, register by register. */
static enum gen_served scratch_lanes(struct gen_message *m, struct gen_port *p, uint64_t addr, unsigned registers)
{
    const unsigned channels = m->insn->exec_size < 32 ? m->insn->exec_size : 32;
    if (!gen_needs(m, 1 + registers) ||
        !gen_port_check(m, p, addr, registers * 32 < 128 ? registers * 32 : 128, true, -1) ||
        !gen_port_check(m, p, addr + registers * 32 - 32, 32, true, -1))
        return GEN_FAULTED;
    for (unsigned i = 0; i < 8 * registers; i++) {
        uint32_t v = gen_payload(m, 1, i);
        if (m->lanes >> i % channels & 1 && !gen_port_write(m, p, addr + 4 * i, &v, 4, lane_name(m, i % channels)))
            return GEN_FAULTED;
    }
    return GEN_SERVED;
}

static enum gen_served scratch(struct gen_message *m, bool write)
{
    static const uint8_t counts[2][4] = {{1, 2, 0, 4}, {1, 2, 4, 8}};
    unsigned registers = counts[gen_of(m->wave)->eu->scratch_8][gen_field(m->desc, 13, 12)];
    struct gen_port p;
    if (!registers || !m->header) return GEN_UNKNOWN;
    uint64_t addr = (uint64_t)gen_field(m->desc, 11, 0) * 32;
    if (gen_of(m->wave)->eu->own_stateless) {
        if (!gen_port_scratch(m, m->payload[0][5] & ~0x3ffu, &p)) return GEN_UNKNOWN;
    } else {
        if (!gen_port_open(m, 0xff, &p)) return GEN_FAULTED;
        addr += m->payload[0][5] & ~0x3ffu;
    }
    const bool by_lane = m->desc >> 16 & 1 && !m->insn->no_mask;
    return write && by_lane ? scratch_lanes(m, &p, addr, registers) : block(m, &p, addr, registers * 32, 0, write);
}

static enum gen_served a64_block(struct gen_message *m, bool write)
{
    unsigned kind = gen_field(m->desc, 12, 11), code = gen_field(m->desc, 10, 8), at = 0, bytes = 0;
    struct gen_port p = gen_port_a64();
    if (kind < 2)
        bytes = owords(code, &at);
    else if (kind == 3)
        bytes = code && code < 5 ? 16u << code : 0; /* hwords: 1, 2, 4, 8 */
    if (!bytes) return GEN_UNKNOWN;
    if (!gen_needs(m, 1)) return GEN_FAULTED;
    uint64_t addr = m->payload[0][0] | (uint64_t)m->payload[0][1] << 32;
    return block(m, &p, addr, bytes, at, write);
}

/* ---- Typed surfaces ---- */

/* Coordinates u, v, r of 8 slots, a register each, as many as the message has; of two vectors, side by side. */
static int64_t typed_offset(
    const struct gen_message *m, const struct gen_surface_state *s, unsigned n, unsigned i, bool vectors)
{
    unsigned first = m->header;
    if (vectors)
        return gen_surface_offset(
            s, gen_payload(m, first, i & 4), gen_payload(m, first, (i & 4) + 1), gen_payload(m, first, (i & 4) + 2));
    return gen_surface_offset(s, gen_payload(m, first, i), n > 1 ? gen_payload(m, first + 1, i) : 0,
        n > 2 ? gen_payload(m, first + 2, i) : 0);
}

/* Outside of the surface, or past its memory. */
static bool typed_inside(const struct gen_surface_state *s, int64_t offset, unsigned size)
{
    return offset >= 0 && (uint64_t)offset + size <= s->segment->size;
}

static uint32_t typed_lanes(const struct gen_message *m, bool upper)
{
    uint32_t mask = m->header ? m->payload[0][7] & 0xffff : 0xffff; /* a header's pixel mask */
    if (upper) mask >>= 8;                                          /* the upper 8 slots */
    return m->lanes & 0xff & (m->header ? mask : 0xff);
}

/* Two vectors: lanes 4n + c are component c of vector n. */
static enum gen_served typed_4x2(
    struct gen_message *m, struct gen_port *p, const struct gen_surface_state *s, bool write)
{
    const unsigned absent = gen_field(m->desc, 11, 8), size = gen_surface_bytes(s), data = m->header + 1u;
    if (!gen_needs(m, data + write)) return GEN_FAULTED;
    for (unsigned i = 0; i < 8; i += 4) {
        const int64_t at = typed_offset(m, s, 3, i, true);
        struct gen_texel t = {{0, 0, 0, 0}};
        uint8_t bytes[16] = {0};
        const bool inside = typed_inside(s, at, size);
        if (!(m->lanes >> i & 15)) continue;
        if (!inside) gen_outside(m, s->segment, (uint64_t)at, size, write, lane_name(m, i));
        for (unsigned c = 0; c < 4 && write; c++) t.c[c] = absent >> c & 1 ? 0 : gen_payload(m, data, i + c);
        if (write) gen_surface_encode(s, &t, bytes);
        if (inside && (write ? !gen_port_write(m, p, (uint64_t)at, bytes, size, lane_name(m, i))
                             : !gen_port_read(m, p, (uint64_t)at, bytes, size, lane_name(m, i))))
            return GEN_FAULTED;
        if (!write && inside) gen_surface_decode(s, bytes, &t);
        for (unsigned c = 0; c < 4 && !write; c++)
            if (m->lanes >> (i + c) & 1 && !(absent >> c & 1)) gen_answer(m, 0, i + c, t.c[c]);
    }
    return GEN_SERVED;
}

static enum gen_served typed(struct gen_message *m, bool write)
{
    const struct gen_surface_state *s = gen_surface_of(m, bti_of(m));
    struct gen_port p;
    if (!gen_port_open(m, bti_of(m), &p) || !s) return GEN_FAULTED;
    if (gen_of(m->wave)->eu->typed_4x2 && gen_field(m->desc, 13, 12) == 0) return typed_4x2(m, &p, s, write);
    unsigned absent = gen_field(m->desc, 11, 8), present = 4 - (unsigned)__builtin_popcount(absent),
             size = gen_surface_bytes(s);
    if (!gen_needs(m, m->header + 1u + (write ? present : 0))) return GEN_FAULTED;
    unsigned total = m->have - m->header, coordinates = write ? total - present : total;
    for (uint32_t l = typed_lanes(m, gen_field(m->desc, 13, 12) == 2); l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l), reg = 0;
        int64_t at = typed_offset(m, s, coordinates, i, false);
        struct gen_texel t = {{0, 0, 0, 0}};
        uint8_t bytes[16] = {0};
        bool inside = typed_inside(s, at, size);
        if (!inside) gen_outside(m, s->segment, (uint64_t)at, size, write, lane_name(m, i));
        if (!write) {
            if (inside && !gen_port_read(m, &p, (uint64_t)at, bytes, size, lane_name(m, i))) return GEN_FAULTED;
            if (inside) gen_surface_decode(s, bytes, &t);
            for (unsigned c = 0; c < 4; c++)
                if (!(absent >> c & 1)) gen_answer(m, reg++, i, t.c[c]);
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            t.c[c] = absent >> c & 1 ? 0 : gen_payload(m, m->header + coordinates + reg++, i);
        gen_surface_encode(s, &t, bytes);
        if (inside && !gen_port_write(m, &p, (uint64_t)at, bytes, size, lane_name(m, i))) return GEN_FAULTED;
    }
    return GEN_SERVED;
}

static enum gen_served typed_atomic(struct gen_message *m, bool vectors)
{
    const struct gen_surface_state *s = gen_surface_of(m, bti_of(m));
    unsigned n = gen_atomic_operands(gen_field(m->desc, 11, 8)), total = m->have > m->header ? m->have - m->header : 0,
             coordinates = total > n ? total - n : 0;
    struct atomics a = {.size = 4,
        .u = 1,
        .data = m->header + (vectors ? 1 : coordinates),
        .lanes = vectors ? m->lanes & 0x11 : typed_lanes(m, m->desc >> 12 & 1),
        .vectors = vectors};
    if (!gen_needs(m, m->header + 1u + (vectors ? n > 0 : n)) || !gen_port_open(m, bti_of(m), &a.port) || !s)
        return GEN_FAULTED;
    for (unsigned i = 0; i < 8; i++) {
        int64_t at = typed_offset(m, s, coordinates, i, vectors);
        a.addr[i] = at < 0 ? UINT32_MAX : (uint64_t)at;
    }
    return run_atomics(m, &a);
}

/* ---- Media blocks: a rectangle of bytes, whatever the mask ---- */

static int64_t clamp(int64_t v, uint32_t size) { return v < 0 ? 0 : v >= size ? (int64_t)size - 1 : v; }

/* Reads or writes up to `n` bytes of row y, from byte x on, which lie in one element.  Outside of the surface, the
 * nearest element is read, and nothing is written. */
static bool media_piece(struct gen_message *m, struct gen_port *p, const struct gen_surface_state *s, int64_t x,
    int64_t y, unsigned n, uint8_t *bytes, bool write)
{
    const unsigned size = gen_surface_bytes(s);
    int64_t u = (x - (x < 0 ? size - 1 : 0)) / size;
    const unsigned within = (unsigned)(x - u * size);
    if (!write) {
        u = clamp(u, s->size[0]);
        y = clamp(y, s->size[1]);
    }
    const int64_t at = gen_surface_offset(s, u, y, 0);
    if (!typed_inside(s, at, size)) {
        gen_outside(m, s->segment, (uint64_t)at, n, write, -1);
        return true;
    }
    return write ? gen_port_write(m, p, (uint64_t)at + within, bytes, n, -1)
                 : gen_port_read(m, p, (uint64_t)at + within, bytes, n, -1);
}

static enum gen_served media_block(struct gen_message *m, bool write)
{
    const struct gen_surface_state *s = gen_surface_of(m, bti_of(m));
    const uint32_t *header = m->payload[0];
    const unsigned width = (header[2] & 63) + 1, height = (header[2] >> 16 & 63) + 1;
    struct gen_port p;
    if (gen_field(m->desc, 10, 8) || !m->header) /* lines of interlaced pictures */
        return GEN_UNKNOWN;
    if (!gen_port_open(m, bti_of(m), &p) || !s) return GEN_FAULTED;
    if (!s->size[0]) {
        gpudbg_fault(
            m->wave, -1, "surface %u has no rows: bind it with its size, as in @FILE:r8_unorm:64x64", bti_of(m));
        return GEN_FAULTED;
    }
    unsigned pitch = 4;
    while (pitch < width) pitch *= 2;
    const unsigned rows = (pitch * height + 31) / 32, most = GEN_PAYLOAD_REGISTERS - 1;
    if (write && !gen_needs(m, 1 + (rows < most ? rows : most))) return GEN_FAULTED;
    const unsigned size = gen_surface_bytes(s), piece = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    for (unsigned k = 0; k < pitch * height && k / 32 < GEN_PAYLOAD_REGISTERS - 1; k += 4) {
        const unsigned left = k % pitch;
        uint32_t v = write ? gen_payload(m, 1, k / 4) : 0;
        for (unsigned b = 0; b < 4 && left + b < width; b += piece)
            if (!media_piece(m, &p, s, (int32_t)(header[0] & ~3u) + (int64_t)(left + b),
                    (int64_t)(int32_t)header[1] + k / pitch, piece, (uint8_t *)&v + b, write))
                return GEN_FAULTED;
        if (!write && left < width) gen_answer(m, 0, k / 4, v);
    }
    return GEN_SERVED;
}

enum gen_served gen_data_port(struct gen_message *m, const struct gen_request *r)
{
    const bool write = writes(r);
    if (!gen_needs(m, m->header)) return GEN_FAULTED;
    switch (r->run) {
    case GEN_RUN_OWORD_BLOCK: return oword_block(m, write, false);
    case GEN_RUN_OWORD_UNALIGNED: return oword_block(m, write, true);
    case GEN_RUN_OWORD_DUAL: return oword_dual(m, write);
    case GEN_RUN_DWORD_SCATTERED: return dword_scattered(m, write);
    case GEN_RUN_QWORD_SCATTERED: return qword_scattered(m, write);
    case GEN_RUN_BYTE_SCATTERED: return byte_scattered(m, write);
    case GEN_RUN_UNTYPED: return untyped(m, write, false);
    case GEN_RUN_ATOMIC: return atomic_a32(m, 4, false);
    case GEN_RUN_ATOMIC_4X2: return atomic_4x2(m);
    case GEN_RUN_SCRATCH: return scratch(m, write);
    case GEN_RUN_TYPED: return typed(m, write);
    case GEN_RUN_TYPED_ATOMIC: return typed_atomic(m, false);
    case GEN_RUN_TYPED_ATOMIC_4X2: return typed_atomic(m, true);
    case GEN_RUN_MEDIA_BLOCK: return media_block(m, write);
    case GEN_RUN_A64_SCATTERED: return a64_scattered(m, write);
    case GEN_RUN_A64_UNTYPED: return untyped(m, write, true);
    case GEN_RUN_A64_ATOMIC: return atomic_a64(m, 4, false);
    case GEN_RUN_A64_BLOCK: return a64_block(m, write);
    case GEN_RUN_FLOAT_ATOMIC: return atomic_a32(m, 4, true);
    case GEN_RUN_A64_FLOAT_ATOMIC: return atomic_a64(m, 4, true);
    case GEN_RUN_HALF_ATOMIC: return atomic_a32(m, 2, true);
    case GEN_RUN_A64_HALF_ATOMIC: return atomic_a64(m, 2, true);
    case GEN_RUN_ATOMIC_16: return atomic_a32(m, 2, false);
    case GEN_RUN_A64_ATOMIC_16: return atomic_a64(m, 2, false);
    case GEN_RUN_LSC_MOVE:
    case GEN_RUN_LSC_QUAD:
    case GEN_RUN_LSC_STRIDED:
    case GEN_RUN_LSC_BLOCK:
    case GEN_RUN_LSC_ATOMIC: return gen_lsc(m, r);
    case GEN_RUN_RENDER_TARGET:
    case GEN_RUN_FENCE: return GEN_SERVED; /* recorded; memory is in order */
    default: return GEN_UNKNOWN;
    }
}
