/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * urb.c: writes to the URB and reads from it, in a buffer `urb` of the launch: the entry of a handle starts at 64 bytes
 * times the handle's 16 bits, slots are 16 bytes.  Writes outside of the buffer are dropped, reads there give 0.
 * Source: Ivy Bridge vertex shaders as compilers make them; the distance of handles is this machine's own.
 */
#include "message/message_run.h"

enum { WRITE_HWORD, WRITE_OWORD, READ_HWORD, READ_OWORD, ATOMIC_MOV, ATOMIC_INC, ATOMIC_ADD, WRITE_SIMD8, READ_SIMD8 };

struct urb {
    struct gen_message *m;
    struct gen_port port;
    unsigned op, offset;
    bool interleaved, per_slot;
};

static uint64_t entry(uint32_t handle) { return (uint64_t)(handle & 0xffff) * 64; }

static bool dword(struct urb *u, bool write, uint64_t at, unsigned reg, unsigned i)
{
    uint32_t v = write ? gen_payload(u->m, reg, i) : 0;
    if (write) return gen_port_write(u->m, &u->port, at, &v, 4, -1);
    if (!gen_port_read(u->m, &u->port, at, &v, 4, -1)) return false;
    gen_answer(u->m, reg, i, v);
    return true;
}

/* Registers of two vertices side by side, or of one entry after another.  Header: handles, then offsets by slot. */
static bool hwords(struct urb *u, bool write)
{
    const uint32_t *h = u->m->payload[0];
    unsigned count = write ? u->m->have - 1 : u->m->rlen;
    uint32_t enabled = write ? h[5] >> 8 & 255 : 255;
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < 8; i++) {
            unsigned vertex = u->interleaved && i >= 4;
            uint64_t slot = 2 * (u->offset + (u->per_slot ? h[3 + vertex] : 0)) + (u->interleaved ? k : 2 * k + i / 4);
            uint64_t at = entry(h[vertex]) + slot * 16 + i % 4 * 4;
            if (enabled >> i & 1 && !dword(u, write, at, write ? 1 + k : k, i)) return false;
        }
    return true;
}

/* One slot of each of two entries. */
static bool owords(struct urb *u, bool write)
{
    const uint32_t *h = u->m->payload[0];
    if (!gen_needs(u->m, 1u + write)) return false;
    for (unsigned i = 0; i < (u->interleaved ? 8u : 4u); i++) {
        uint64_t at = entry(h[i / 4]) + (u->offset + (u->per_slot ? h[3 + i / 4] : 0)) * (uint64_t)16 + i % 4 * 4;
        if (!dword(u, write, at, write, i)) return false;
    }
    return true;
}

/* A handle for each of 8 lanes, perhaps an offset and a channel mask each; then a register a dword. */
static bool simd8(struct urb *u, bool write)
{
    struct gen_message *m = u->m;
    bool masked = m->desc >> 15 & 1, per_slot = m->desc >> 17 & 1;
    unsigned first = 1u + per_slot + masked, offset = gen_field(m->desc, 14, 4);
    if (!gen_needs(m, first)) return false;
    const unsigned n = write ? m->have - first : m->rlen;
    for (uint32_t l = m->lanes & 0xff; l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        uint64_t at = entry(m->payload[0][i]) + (offset + (per_slot ? m->payload[1][i] : 0)) * (uint64_t)16;
        uint32_t mask = masked ? m->payload[1 + per_slot][i] >> 16 : UINT32_MAX;
        for (unsigned k = 0; k < n; k++)
            if (!(write && !(mask >> (k & 31) & 1)) && !dword(u, write, at + 4 * k, write ? first + k : k, i))
                return false;
    }
    return true;
}

enum gen_served gen_urb(struct gen_message *m)
{
    const unsigned more = gen_of(m->wave)->eu->long_urb;
    struct gpudbg_segment *s = gen_setup_of(m->wave)->urb;
    struct urb u = {.m = m,
        .op = gen_field(m->desc, 2 + more, 0),
        .offset = gen_field(m->desc, 13 + more, 3 + more),
        .interleaved = m->desc >> (14 + more) & 1,
        .per_slot = m->desc >> (16 + more) & 1};
    if (!s || !m->mlen) return s ? GEN_UNKNOWN : GEN_SERVED;
    u.port = (struct gen_port){
        .space = GPUDBG_GLOBAL, .segment = s, .base = s->base, .mask = UINT32_MAX, .drops = true};
    bool good;
    switch (u.op) {
    case WRITE_HWORD: good = hwords(&u, true); break;
    case READ_HWORD: good = hwords(&u, false); break;
    case WRITE_OWORD: good = owords(&u, true); break;
    case READ_OWORD: good = owords(&u, false); break;
    case WRITE_SIMD8: good = simd8(&u, true); break;
    case READ_SIMD8: good = simd8(&u, false); break;
    default: return GEN_UNKNOWN;
    }
    return good ? GEN_SERVED : GEN_FAULTED;
}
