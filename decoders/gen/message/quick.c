/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quick.c: see quick.h. */
#include "message/quick.h"
#include "gpudbg/unset.h"
#include "message/message_run.h"

#include <stdlib.h>

#include "message/atomic.h"
#include "engine/gate.h"
#include "alu/channels_simd.h"
#include "message/gen_setup.h"

#define LANES 16

/* ---- Where the lanes go ---- */

static struct gpudbg_segment *segment_of(struct gpudbg_wave *w, struct gen_quick *q, uint32_t first)
{
    uint64_t addr;
    if (q->local) return w->lds;
    if (!q->message.wide) return q->segment;
    memcpy(&addr, w->words + q->address + 2 * first, 8);
    if (!q->segment || addr - q->segment->base >= q->segment->size)
        q->segment = gpudbg_mem_find(w, GPUDBG_GLOBAL, addr, 1);
    return q->segment;
}

/* Addresses of 64 bits as offsets; lanes that take no part get that of one that does.  false: an offset does not fit in
 * 32 bits. */
static bool narrow(const uint32_t *address, uint64_t base, unsigned n, uint32_t mask, uint32_t offset[LANES])
{
    const unsigned first = (unsigned)__builtin_ctz(mask);
    uint64_t far = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t addr;
        memcpy(&addr, address + 2 * (mask >> i & 1 ? i : first), 8);
        addr -= base;
        far |= addr >> 32;
        offset[i] = (uint32_t)addr;
    }
    return !far;
}

/* Offsets of all lanes in the segment, in `room` or in the registers; lanes that take no part get that of one that
 * does. NULL: not all are inside.  row: they are side by side, dword after dword. */
static const uint32_t *place_lanes(const struct gpudbg_wave *w, const struct gen_quick *q,
    const struct gpudbg_segment *s, uint32_t mask, uint32_t room[LANES], bool *row)
{
    const uint32_t *offset = w->words + q->address, n = q->message.simd;
    if (s->size < q->span || s->size > UINT32_MAX) return NULL;
    const uint32_t most = (uint32_t)s->size - q->span;
    if (q->message.wide) {
        if (!narrow(offset, s->base, n, mask, room)) return NULL;
        offset = room;
    } else if (mask != gen_ones(n)) {
        q->level->spread(room, offset, n, mask, (unsigned)__builtin_ctz(mask));
        offset = room;
    }
    unsigned places = q->level->places(offset, n, most);
    if (q->local &&
        (places & GEN_ABOVE || s->size > 0x10000)) { /* addresses have 16 bits there, and may have others above them */
        for (unsigned i = 0; i < n; i++) room[i] = offset[i] & 0xffff;
        offset = room;
        places = q->level->places(offset, n, most);
    }
    *row = !(places & GEN_APART) && mask == gen_ones(n) && offset[0] % 4 == 0;
    return places & GEN_ABOVE ? NULL : offset;
}

/* Copies a register or two. */
static void copy_row(const struct gen_quick *q, uint32_t *to, const uint32_t *from)
{
    q->level->row[GEN_R_COPY](to, from, NULL, NULL, q->message.simd, false);
}

/* ---- Reading ---- */

static void put(const struct gen_quick *q, uint32_t *to, const uint32_t *from, uint32_t mask)
{
    q->level->select(to, from, to, q->message.simd, mask);
}

static void read_dwords(
    const struct gen_quick *q, uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask, bool row)
{
    uint32_t value[LANES] __attribute__((aligned(64)));
    const unsigned n = q->message.simd;
    if (row) {
        copy_row(q, to, (const uint32_t *)(const void *)(bytes + offset[0]));
    } else if (mask == gen_ones(n)) {
        q->level->gather(to, bytes, offset, n);
    } else {
        q->level->gather(value, bytes, offset, n);
        put(q, to, value, mask);
    }
}

static void read_small(
    const struct gen_quick *q, uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask)
{
    uint32_t value[LANES];
    for (unsigned i = 0; i < q->message.simd; i++) {
        uint16_t half;
        memcpy(&half, bytes + offset[i], q->message.size == 2 ? 2 : 1);
        value[i] = q->message.size == 2 ? half : bytes[offset[i]];
    }
    put(q, to, value, mask);
}

static void read_qwords(uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(to + 2 * i, bytes + offset[i], 8);
    }
}

/* Element by element, into registers that hold no address of the message: those are read first. */
static void read_elements(
    const struct gen_quick *q, uint32_t *to, const uint8_t *from, const uint32_t *offset, uint32_t mask, bool row)
{
    const struct gen_lanes *m = &q->message;
    for (unsigned e = 0; e < m->count; e++, to += q->words) {
        if (m->size == 4)
            read_dwords(q, to, from + m->at[e], offset, mask, row);
        else if (m->size == 8)
            read_qwords(to, from + m->at[e], offset, mask);
        else
            read_small(q, to, from + m->at[e], offset, mask);
    }
}

/* ---- Writing: all pages must be open ---- */

static bool open_pages(
    struct gpudbg_wave *w, const struct gen_quick *q, struct gpudbg_segment *s, const uint32_t *offset, uint32_t mask)
{
    const uint32_t stamp = w->machine->stamp;
    if (s->page[offset[0] >> GPUDBG_PAGE_BITS] == stamp && q->level->one_page(offset, q->message.simd, q->span))
        return true;
    for (; mask; mask &= mask - 1) {
        uint32_t at = offset[__builtin_ctz(mask)];
        bool open = s->page[at >> GPUDBG_PAGE_BITS] == stamp &&
                    s->page[(at + q->span - 1) >> GPUDBG_PAGE_BITS] == stamp;
        if (!open && !gpudbg_mem_open(w, s, at, q->span)) return false;
    }
    return true;
}

static void write_element(uint8_t *bytes, const uint32_t *from, const uint32_t *offset, unsigned size, uint32_t mask)
{
    for (; mask; mask &= mask - 1) { /* if lanes have the same place, the last one counts */
        unsigned i = (unsigned)__builtin_ctz(mask);
        if (size == 4)
            memcpy(bytes + offset[i], from + i, 4);
        else if (size == 8)
            memcpy(bytes + offset[i], from + 2 * i, 8);
        else
            memcpy(bytes + offset[i], from + i, size);
    }
}

static void write_elements(
    const struct gen_quick *q, uint8_t *to, const uint32_t *from, const uint32_t *offset, uint32_t mask, bool row)
{
    const struct gen_lanes *m = &q->message;
    for (unsigned e = 0; e < m->count; e++, from += q->words)
        if (row && m->size == 4)
            copy_row(q, (uint32_t *)(void *)(to + m->at[e] + offset[0]), from);
        else
            write_element(to + m->at[e], from, offset, m->size, mask);
}

/* Counters, most often.  values: NULL for ones. */
static void add_to(uint8_t *bytes, const uint32_t *offset, const uint32_t *values, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        const unsigned i = (unsigned)__builtin_ctz(mask);
        uint32_t now;
        memcpy(&now, bytes + offset[i], 4);
        now += values ? values[i] : 1;
        memcpy(bytes + offset[i], &now, 4);
    }
}

/* One lane after the other: if lanes have the same place, each counts. */
static void run_atomics(
    const struct gen_quick *q, struct gpudbg_wave *w, uint8_t *bytes, const uint32_t *offset, uint32_t mask)
{
    const struct gen_lanes *m = &q->message;
    const uint32_t *a = w->words + q->data, *b = m->count > 1 ? a + q->words : a;
    uint32_t answer[LANES];
    if (!q->answers && (m->atomic == GEN_ATOMIC_INC || m->atomic == GEN_ATOMIC_ADD)) {
        add_to(bytes, offset, m->count ? a : NULL, mask);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint32_t old, now;
        memcpy(&old, bytes + offset[i], 4);
        now = (uint32_t)gen_atomic(m->atomic, old, m->count ? a[i] : 0, b[i], 4);
        memcpy(bytes + offset[i], &now, 4);
        answer[i] = (uint32_t)gen_atomic_answer(m->atomic, old, now);
    }
    if (q->answers) put(q, w->words + q->answer, answer, mask);
}

/* ---- While memory is watched ---- */

/* Whether each lane's place is behind that of the lane before, as most are. */
static bool ascends(const uint32_t *offset, uint32_t mask, unsigned size)
{
    uint64_t end = 0;
    for (; mask; mask &= mask - 1) {
        const uint32_t at = offset[__builtin_ctz(mask)];
        if (at < end) return false;
        end = (uint64_t)at + size;
    }
    return true;
}

typedef uint32_t places_part __attribute__((vector_size(16)));

/* LANES of them: what is behind the last lane means nothing. */
static inline void add_to_places(uint32_t *places, uint32_t more)
{
    const places_part step = {more, more, more, more};
    places_part part;
    for (unsigned i = 0; i < LANES; i += 4) {
        memcpy(&part, places + i, sizeof part);
        part += step;
        memcpy(places + i, &part, sizeof part);
    }
}

/* Tells of loads, element by element, or makes stores that others are told of.  false: gen_send must do it, as nothing
 * has been told or stored. */
static bool tell(
    struct gpudbg_wave *w, const struct gen_step *op, struct gpudbg_segment *s, const uint32_t *offset, uint32_t mask)
{
    const struct gen_quick *q = op->quick;
    const struct gen_lanes *m = &q->message;
    const unsigned first = q->first_channel, size = m->size;
    uint32_t places[64] GPUDBG_UNSET;
    uint8_t bytes[64 * 16] GPUDBG_UNSET;
    if (s->flags & (m->write ? GPUDBG_SEG_READONLY : GPUDBG_SEG_WRITEONLY)) return false;
    if (m->write && !ascends(offset, mask, q->span)) return false;
    gen_sync(w, op);
    struct gpudbg_accesses all = {.space = q->local ? GPUDBG_LOCAL : GPUDBG_GLOBAL,
        .write = m->write,
        .size = size,
        .segment = s,
        .lanes = (uint64_t)mask << first,
        .offset = places,
        .bytes = bytes};
    const uint32_t *from = w->words + q->data;
    copy_row(q, places + first, offset); /* of lanes that take no part, too: nobody looks at them */
    if (q->dwords) {
        all.size = 4 * m->count;
        for (uint32_t l = m->write ? mask : 0; l; l &= l - 1) {
            const unsigned i = (unsigned)__builtin_ctz(l);
            uint8_t *to = bytes + (first + i) * all.size;
            for (unsigned e = 0; e < m->count; e++) memcpy(to + 4 * e, from + e * q->words + i, 4);
        }
        if (m->write) return gpudbg_mem_stores_dwords(w, &all);
        gpudbg_mem_loads_dwords(w, &all);
        return true;
    }
    for (unsigned e = 0; e < m->count; e++, from += q->words) {
        const uint32_t more = (uint32_t)m->at[e] - (e ? m->at[e - 1] : 0u);
        if (more) add_to_places(places + first, more);
        for (uint32_t l = m->write ? mask : 0; l; l &= l - 1) {
            const unsigned i = (unsigned)__builtin_ctz(l);
            memcpy(bytes + (first + i) * size, size == 8 ? from + 2 * i : from + i, size);
        }
        if (!m->write)
            gpudbg_mem_loads(w, &all);
        else if (!gpudbg_mem_stores(w, &all))
            return false; /* it stores again, and says why it cannot */
    }
    return true;
}

struct updating {
    const struct gen_lanes *message;
    const uint32_t *a, *b; /* operands, by lane from first_channel on */
    unsigned first;
};

static uint64_t change(const void *with, unsigned lane, uint64_t old)
{
    const struct updating *u = with;
    const unsigned i = lane - u->first;
    return (uint32_t)gen_atomic(u->message->atomic, old, u->message->count ? u->a[i] : 0, u->b[i], 4);
}

/* The same of counters. */
static uint64_t change_inc(const void *with, unsigned lane, uint64_t old)
{
    (void)with, (void)lane;
    return (uint32_t)(old + 1);
}

static uint64_t change_add(const void *with, unsigned lane, uint64_t old)
{
    const struct updating *u = with;
    return (uint32_t)(old + u->a[lane - u->first]);
}

/* Atomics that others are told of.  false: a fault. */
static bool update(
    struct gpudbg_wave *w, const struct gen_step *op, struct gpudbg_segment *s, const uint32_t *offset, uint32_t mask)
{
    const struct gen_quick *q = op->quick;
    const struct gen_lanes *m = &q->message;
    const unsigned first = q->first_channel;
    const uint32_t *a = w->words + q->data;
    const struct updating with = {m, a, m->count > 1 ? a + q->words : a, first};
    uint32_t places[64] GPUDBG_UNSET, answer[LANES] GPUDBG_UNSET;
    uint64_t old[64] GPUDBG_UNSET;
    const struct gpudbg_accesses all = {.space = q->local ? GPUDBG_LOCAL : GPUDBG_GLOBAL,
        .size = 4,
        .segment = s,
        .lanes = (uint64_t)mask << first,
        .offset = places};
    gen_sync(w, op);
    copy_row(q, places + first, offset);
    const bool adds = m->atomic == GEN_ATOMIC_ADD && m->count;
    if (!gpudbg_mem_updates(w, &all, old, m->atomic == GEN_ATOMIC_INC ? change_inc : adds ? change_add : change, &with))
        return false;
    for (uint32_t l = q->answers ? mask : 0; l; l &= l - 1) {
        const unsigned i = (unsigned)__builtin_ctz(l);
        answer[i] = (uint32_t)gen_atomic_answer(m->atomic, old[first + i], change(&with, first + i, old[first + i]));
    }
    if (q->answers) put(q, w->words + q->answer, answer, mask);
    return true;
}

/* ---- The message ---- */

static const struct gen_step *send_lanes(struct gpudbg_wave *w, const struct gen_step *op, uint32_t mask)
{
    struct gen_quick *q = op->quick;
    const struct gen_lanes *m = &q->message;
    struct gen_placed *placed = &gen_of(w)->placed;
    uint32_t room[LANES];
    bool row;
    struct gpudbg_segment *s;
    const uint32_t *offset;
    if (placed->op == op && placed->wave == w) {
        placed->op = NULL;
        s = placed->segment;
        row = placed->row;
        offset = placed->offset == placed->room ? memcpy(room, placed->room, sizeof room) : placed->offset;
    } else {
        s = segment_of(w, q, (uint32_t)__builtin_ctz(mask));
        offset = s ? place_lanes(w, q, s, mask, room, &row) : NULL;
    }
    if (!offset) return gen_send(w, op);
    const bool told = s->flags & GPUDBG_SEG_RWATCH;
    if (told && m->atomic && s->flags & (GPUDBG_SEG_READONLY | GPUDBG_SEG_WRITEONLY)) return gen_send(w, op);
    if (told && m->atomic && !update(w, op, s, offset, mask)) return gen_stop(w, GPUDBG_RAN_FAULT);
    if (told && !m->atomic && !tell(w, op, s, offset, mask)) return gen_send(w, op);
    if (!told && m->write && (s->flags & GPUDBG_SEG_READONLY || !open_pages(w, q, s, offset, mask)))
        return gen_send(w, op);
    if (told && (m->write || m->atomic)) {
        /* They have been stored. */
    } else if (m->atomic) {
        run_atomics(q, w, s->bytes, offset, mask);
    } else if (m->write) {
        write_elements(q, s->bytes, w->words + q->data, offset, mask, row);
    } else if (q->answers) {
        if (q->overlaps && offset != room) offset = memcpy(room, offset, sizeof room);
        read_elements(q, w->words + q->answer, s->bytes, offset, mask, row);
    }
    return told && w->machine->watch_hit ? gen_leave(w, op, GPUDBG_RAN_WATCH) : gen_next(op);
}

const struct gen_step *gen_quick_send(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_quick *q = op->quick;
    const uint32_t mask = gen_gate_runs(&q->gate, w) & gen_gate_passes(&q->gate, w) & q->lanes;
    if (gen_of(w)->trace) return gen_send(w, op);
    if (q->ends) {
        w->state = GPUDBG_ENDED;
        return gen_leave(w, op, GPUDBG_RAN_END);
    }
    if (!mask) return gen_next(op);
    if (!q->nothing) return send_lanes(w, op, mask);
    if (q->signals && gen_is_part_barrier(w, w->words[GEN_W_GRF + 8u * op->insn->src[0].reg + 2]))
        return gen_send(w, op);
    w->words[GEN_W_SIGNALS] += q->signals;
    return gen_next(op);
}

bool gen_quick_inside(struct gpudbg_wave *w, const struct gen_step *op)
{
    struct gen_quick *q = op->quick;
    struct gen_placed *to = &gen_of(w)->placed;
    if (!q) return false;
    const uint32_t mask = gen_gate_runs(&q->gate, w) & gen_gate_passes(&q->gate, w) & q->lanes;
    if (q->nothing || q->ends || !mask) return true;
    to->segment = segment_of(w, q, (uint32_t)__builtin_ctz(mask));
    to->offset = to->segment ? place_lanes(w, q, to->segment, mask, to->room, &to->row) : NULL;
    to->op = to->offset && op == gen_of(w)->asked ? op : NULL;
    to->wave = w;
    return to->offset;
}

/* ---- Preparation ---- */

static bool find_surface(const struct gen *g, struct gen_quick *q)
{
    enum { STATELESS_INCOHERENT = 0xfd, SLM = 0xfe, STATELESS = 0xff };
    const struct gen_setup *s = g->setup;
    if (q->message.wide) return true;
    q->local = q->message.bti == SLM;
    if (q->message.bti == STATELESS || (q->message.bti == STATELESS_INCOHERENT && g->eu->incoherent))
        q->segment = g->eu->own_stateless ? NULL : s->scratch;
    else if (!q->local && q->message.bti < sizeof s->surface / sizeof *s->surface)
        q->segment = s->surface[q->message.bti].segment;
    return q->local || q->segment;
}

/* The number of registers of the payload's two parts and of the answer. */
struct registers {
    unsigned first, second, answer; /* how many */
    bool answers;
};
static bool registers_of(const struct gen *g, const struct gen_insn *insn, struct registers *r)
{
    if (!gen_message_lengths(insn, &r->first, &r->second, &r->answer)) return false;
    if (!gen_is_split(insn)) r->second = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct gen_operand *o = &insn->src[i];
        unsigned n = i ? r->second : r->first;
        if (n && (o->mode != GEN_DIRECT || o->file != GEN_GRF || o->reg + n > g->grfs)) return false;
    }
    r->answers = r->answer && insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_GRF;
    return r->answer <= 16 && (!r->answers || insn->dst.reg + r->answer <= g->grfs);
}

/* Addresses, then data, in the first part of the payload or the second. */
static bool find_registers(const struct gen *g, const struct gen_insn *insn, struct gen_quick *q)
{
    const struct gen_lanes *m = &q->message;
    const unsigned u = m->simd / 8u, addresses = m->wide ? 2 * u : u, element = u * (m->size == 8 ? 2u : 1u),
                   all = m->count * element;
    struct registers r;
    if (!registers_of(g, insn, &r) || r.first < addresses) return false;
    q->words = (uint16_t)(8 * element);
    q->address = (uint16_t)(GEN_W_GRF + 8 * insn->src[0].reg);
    q->answer = (uint16_t)(GEN_W_GRF + 8 * insn->dst.reg);
    q->answers = m->returns && r.answers;
    const unsigned answer = m->atomic ? element : all;
    q->overlaps = q->answer < q->address + 8 * addresses && q->address < q->answer + 8 * answer;
    if (q->answers && r.answer < answer) return false;
    if (!m->write) return !r.second;
    if (r.first >= addresses + all && !r.second)
        q->data = (uint16_t)(q->address + 8 * addresses);
    else if (r.first == addresses && r.second >= all)
        q->data = (uint16_t)(GEN_W_GRF + 8 * insn->src[1].reg);
    else
        return false;
    return true;
}

/* Whether each lane accesses dwords in a row. */
static bool has_dwords(const struct gen_lanes *m)
{
    for (unsigned e = 0; e < m->count; e++)
        if (m->at[e] != 4 * e) return false;
    return m->size == 4;
}

/* The handler for consecutive dwords at offsets. */
static gen_fn *lane_handler(const struct gen_quick *q)
{
    const struct gen_lane_handlers *h = lanes_widest(&gen_lane_handlers_1, &gen_lane_handlers_3, &gen_lane_handlers_4);
    const struct gen_lanes *m = &q->message;
    if (!has_dwords(m) || m->wide || m->atomic || (!m->write && !q->answers)) return NULL;
    return m->write ? h->write[m->simd == 16] : h->read[m->simd == 16];
}

static bool prepare(const struct gen *g, const struct gen_insn *insn, struct gen_quick *q)
{
    struct registers r;
    q->handler = gen_quick_send;
    if (!gen_gate_make(insn, &q->gate)) return false;
    q->ends = insn->eot && !insn->pred && gen_is_end(insn);
    if (insn->eot) return q->ends && registers_of(g, insn, &r);
    q->level = lanes_widest(&gen_level_1, &gen_level_3, &gen_level_4);
    q->signals = gen_is_signal(insn);
    q->nothing = q->signals || gen_is_fence(insn);
    q->lanes = UINT32_MAX;
    if (q->nothing) return registers_of(g, insn, &r);
    if (!gen_lanes_of(insn, &q->message) || !find_surface(g, q) || !find_registers(g, insn, q)) return false;
    q->lanes = gen_ones(q->message.simd);
    q->dwords = has_dwords(&q->message) && q->message.count > 1 && !q->message.atomic;
    q->first_channel = insn->chan_off;
    q->span = (uint8_t)(q->message.atomic ? 4 : q->message.at[q->message.count - 1] + q->message.size);
    if (!q->gate.predicated && !q->gate.no_mask) q->need = q->lanes << q->gate.from;
    gen_fn *handler = lane_handler(q);
    if (handler) q->handler = handler;
    return true;
}

gen_fn *gen_quick_handler(const struct gen_quick *q) { return q->handler; }

struct gen_quick *gen_quick_new(const struct gen *g, const struct gen_insn *insn)
{
    struct gen_quick *q = g->setup ? calloc(1, sizeof *q) : NULL;
    if (q && prepare(g, insn, q)) return q;
    free(q);
    return NULL;
}

void gen_quick_free(struct gen_quick *q) { free(q); }
