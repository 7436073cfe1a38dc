/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quick.c: see quick.h. */
#include "quick.h"

#include <stdlib.h>

#include "gate.h"
#include "lanes_simd.h"
#include "launch.h"

#define LANES 16

struct gen_quick {
    struct gen_lanes message;
    struct gen_gate gate;
    uint16_t address, data; /* words of the wave */
    bool local, drops;      /* SLM; a surface, where what is outside is left to gen_send */
    bool answers;           /* a read that goes to registers */
    uint8_t span;           /* bytes from the address to the last element's end */
    const struct gen_level *level;
    struct gpudbg_segment *segment; /* NULL: SLM, or where the address says; then the latest one is tried first */
};

/* ---- Where the lanes go ---- */

static struct gpudbg_segment *segment_of(struct gpudbg_wave *w, struct gen_quick *q, uint32_t first)
{
    uint64_t addr;
    if (q->local)
        return w->lds;
    if (!q->message.wide)
        return q->segment;
    memcpy(&addr, w->words + q->address + 2 * first, 8);
    if (!q->segment || addr - q->segment->base >= q->segment->size)
        q->segment = gpudbg_mem_find(w, GPUDBG_GLOBAL, addr, 1);
    return q->segment;
}

/* Offsets of all lanes in the segment; lanes that take no part get that of one that does.  false: not all are inside. */
static bool place_lanes(const struct gpudbg_wave *w, const struct gen_quick *q, const struct gpudbg_segment *s, uint32_t mask, uint32_t offset[LANES])
{
    const uint32_t *a = w->words + q->address, first = (uint32_t)__builtin_ctz(mask), n = q->message.simd;
    if (s->size < q->span || s->size > UINT32_MAX)
        return false;
    const uint32_t most = (uint32_t)s->size - q->span;
    if (q->message.wide) {
        uint64_t far = 0;
        for (unsigned i = 0; i < n; i++) {
            unsigned lane = mask >> i & 1 ? i : first;
            uint64_t addr;
            memcpy(&addr, a + 2 * lane, 8);
            addr -= s->base;
            far |= addr >> 32;
            offset[i] = (uint32_t)addr;
        }
        if (far)
            return false;
    } else if (q->local) {
        for (unsigned i = 0; i < n; i++)
            offset[i] = a[i] & 0xffff;
    } else {
        memcpy(offset, a, 4 * n);
    }
    if (mask != gen_ones(n))
        for (unsigned i = 0; i < n; i++)
            offset[i] = mask >> i & 1 ? offset[i] : offset[first];
    return !q->level->above(offset, n, most);
}

/* ---- Reading ---- */

static void put(const struct gen_quick *q, uint32_t *to, const uint32_t *from, uint32_t mask)
{
    if (mask == gen_ones(q->message.simd))
        memcpy(to, from, 4u * q->message.simd);
    else
        q->level->blend(to, from, q->message.simd, mask);
}

static void read_dwords(const struct gen_quick *q, uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask, bool row)
{
    uint32_t value[LANES];
    if (row) {
        put(q, to, (const uint32_t *)(const void *)(bytes + offset[0]), mask);
        return;
    }
    q->level->gather(value, bytes, offset, q->message.simd);
    put(q, to, value, mask);
}

static void read_small(const struct gen_quick *q, uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask)
{
    uint32_t value[LANES] = {0};
    for (unsigned i = 0; i < q->message.simd; i++)
        memcpy(&value[i], bytes + offset[i], q->message.size);
    put(q, to, value, mask);
}

static void read_qwords(uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(to + 2 * i, bytes + offset[i], 8);
    }
}

/* ---- Writing: all pages must stand open ---- */

static bool open_pages(struct gpudbg_wave *w, struct gpudbg_segment *s, const uint32_t *offset, unsigned span, uint32_t mask)
{
    const uint32_t stamp = w->machine->stamp;
    for (; mask; mask &= mask - 1) {
        uint32_t at = offset[__builtin_ctz(mask)];
        bool open = s->page[at >> GPUDBG_PAGE_BITS] == stamp && s->page[(at + span - 1) >> GPUDBG_PAGE_BITS] == stamp;
        if (!open && !gpudbg_mem_open(w, s, at, span))
            return false;
    }
    return true;
}

static void write_elements(uint8_t *bytes, const uint32_t *from, const uint32_t *offset, unsigned size, unsigned n, uint32_t mask, bool row)
{
    if (row) {
        memcpy(bytes + offset[0], from, 4 * n);
        return;
    }
    for (; mask; mask &= mask - 1) { /* where lanes meet, the last one counts */
        unsigned i = (unsigned)__builtin_ctz(mask);
        if (size == 4)
            memcpy(bytes + offset[i], from + i, 4);
        else if (size == 8)
            memcpy(bytes + offset[i], from + 2 * i, 8);
        else
            memcpy(bytes + offset[i], from + i, size);
    }
}

/* ---- The message ---- */

const struct gen_step *gen_quick_send(struct gpudbg_wave *w, const struct gen_step *op)
{
    struct gen_quick *q = op->quick;
    const struct gen_lanes *m = &q->message;
    const uint32_t mask = gen_gate_runs(&q->gate, w) & gen_gate_passes(&q->gate, w) & gen_ones(m->simd);
    uint32_t offset[LANES];
    if (!mask)
        return gen_next(op);
    if (gen_of(w)->trace)
        return gen_send(w, op);
    struct gpudbg_segment *s = segment_of(w, q, (uint32_t)__builtin_ctz(mask));
    if (!s || !place_lanes(w, q, s, mask, offset))
        return gen_send(w, op);
    if (m->write ? s->flags & GPUDBG_SEG_READONLY || !open_pages(w, s, offset, q->span, mask) : s->flags & GPUDBG_SEG_RWATCH)
        return gen_send(w, op);
    uint32_t *data = w->words + q->data;
    const bool row = m->size == 4 && mask == gen_ones(m->simd) && !q->level->scattered(offset, m->simd, 4); /* side by side */
    const unsigned words = m->size == 8 ? 2u * m->simd : m->simd;
    for (unsigned e = 0; e < m->count; e++, data += words) {
        uint8_t *bytes = s->bytes + m->at[e];
        if (m->write)
            write_elements(bytes, data, offset, m->size, m->simd, mask, row);
        else if (!q->answers)
            break;
        else if (m->size == 4)
            read_dwords(q, data, bytes, offset, mask, row);
        else if (m->size == 8)
            read_qwords(data, bytes, offset, mask);
        else
            read_small(q, data, bytes, offset, mask);
    }
    return gen_next(op);
}

/* ---- Preparation ---- */

static bool find_surface(const struct gen *g, struct gen_quick *q)
{
    enum { STATELESS_INCOHERENT = 0xfd, SLM = 0xfe, STATELESS = 0xff };
    const struct gen_setup *s = g->setup;
    if (q->message.wide)
        return true;
    q->local = q->message.bti == SLM;
    if (q->message.bti == STATELESS || (q->message.bti == STATELESS_INCOHERENT && g->version == GEN12))
        q->segment = s->scratch;
    else if (!q->local && q->message.bti < sizeof s->surface / sizeof *s->surface)
        q->segment = s->surface[q->message.bti].segment;
    return q->local || q->segment;
}

/* The payload's registers: addresses, then data, in the first payload or the second. */
static bool find_registers(const struct gen_insn *insn, struct gen_quick *q)
{
    const struct gen_lanes *m = &q->message;
    const unsigned u = m->simd / 8u, addresses = m->wide ? 2 * u : u, all = m->count * u * (m->size == 8 ? 2u : 1u);
    unsigned mlen, ex_mlen, rlen;
    if (!gen_message_lengths(insn, &mlen, &ex_mlen, &rlen) || insn->src[0].mode != GEN_DIRECT || insn->src[0].file != GEN_GRF)
        return false;
    const unsigned second = insn->version == GEN12 ? ex_mlen : 0;
    if (mlen < addresses || insn->src[0].reg + mlen > 128)
        return false;
    q->address = (uint16_t)(8 * insn->src[0].reg);
    if (!m->write) {
        q->answers = insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_GRF && rlen;
        q->data = (uint16_t)(8 * insn->dst.reg);
        return !second && (!q->answers || (rlen >= all && insn->dst.reg + rlen <= 128));
    }
    if (mlen >= addresses + all && !second)
        q->data = (uint16_t)(q->address + 8 * addresses);
    else if (mlen == addresses && second >= all && insn->src[1].mode == GEN_DIRECT && insn->src[1].file == GEN_GRF && insn->src[1].reg + second <= 128)
        q->data = (uint16_t)(8 * insn->src[1].reg);
    else
        return false;
    return true;
}

struct gen_quick *gen_quick_new(const struct gen *g, const struct gen_insn *insn)
{
    struct gen_quick *q = g->setup ? calloc(1, sizeof *q) : NULL;
    if (q && !insn->eot && gen_lanes_of(insn, &q->message) && gen_gate_make(insn, &q->gate) && find_surface(g, q) && find_registers(insn, q)) {
        q->level = lanes_widest(&gen_level_1, &gen_level_3, &gen_level_4);
        q->span = (uint8_t)(q->message.at[q->message.count - 1] + q->message.size);
        return q;
    }
    free(q);
    return NULL;
}

void gen_quick_free(struct gen_quick *q)
{
    free(q);
}
