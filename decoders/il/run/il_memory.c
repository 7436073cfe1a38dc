/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_memory.c: LDS, GDS, UAVs and read-only buffers (7.15 to 7.17, 7.2.10, 7.2.12).
 *
 * Addresses are bytes; low bits that do not count are cut off and reported.  An access beyond a buffer or beyond a
 * struct's stride reads 0 or stores nothing, and is reported; each dword of a vector is judged by itself.  A result
 * that is one word goes to all components written.
 */
#include "run/il_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/atomics.h"

/* ---- Bytes of a segment ---- */

static unsigned space_of(const struct gpudbg_wave *w, const struct gpudbg_segment *s)
{
    return s == w->lds ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
}

bool il_read(struct gpudbg_wave *w, const struct gpudbg_segment *s, uint64_t offset, void *to, size_t n, unsigned lane)
{
    if (!s || offset > s->size || n > s->size - offset) {
        memset(to, 0, n);
        return false;
    }
    if (!(s->flags & GPUDBG_SEG_RWATCH)) {
        memcpy(to, s->bytes + offset, n);
        return true;
    }
    struct amdil *r = il_of(w);
    if (!r->refused && gpudbg_mem_read(w, space_of(w, s), s->base + offset, to, n, (int)lane)) return true;
    r->refused = true;
    memset(to, 0, n);
    return false;
}

bool il_write(
    struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t offset, const void *from, size_t n, unsigned lane)
{
    if (!s || offset > s->size || n > s->size - offset) return false;
    if (s->page[offset >> GPUDBG_PAGE_BITS] == w->machine->stamp &&
        s->page[(offset + n - 1) >> GPUDBG_PAGE_BITS] == w->machine->stamp) {
        memcpy(s->bytes + offset, from, n);
        return true;
    }
    return gpudbg_mem_write(w, space_of(w, s), s->base + offset, from, n, (int)lane);
}

static const char *const family_names[] = {"uav", "lds", "gds", "srv"};

/* Kept for the checkers, which ask when the instruction is done. */
static void note_miss(
    const struct gpudbg_wave *w, struct il_miss *miss, uint64_t lanes, uint64_t first, const char *what)
{
    const bool more = miss->lanes && miss->wave == w->id && miss->executed == w->executed;
    miss->lanes = more ? miss->lanes | lanes : lanes;
    if (more) return;
    miss->pc = w->pc;
    miss->wave = w->id;
    miss->executed = w->executed;
    miss->first = first;
    snprintf(miss->what, sizeof miss->what, "%s", what);
}

void il_outside(struct gpudbg_wave *w, struct amdil *r, const char *what, uint32_t id, uint64_t lanes, uint64_t at)
{
    char name[40];
    if (!lanes) return;
    if (id == IL_NO_ID)
        snprintf(name, sizeof name, "%s", what);
    else
        snprintf(name, sizeof name, "%s%" PRIu32, what, id);
    w->pc = r->now->pc;
    gpudbg_event(w, "bounds", "%s: lanes 0x%" PRIx64 " of wave %u: %s has no such place (first: 0x%" PRIx64 ")",
        r->now->row->name, lanes, w->id, name, at);
    note_miss(w, &r->outside, lanes, at, name);
    r->event = true;
}

static void unaligned(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op, uint64_t lanes, uint64_t at)
{
    if (!lanes) return;
    w->pc = op->pc;
    gpudbg_event(w, "alignment",
        "%s: lanes 0x%" PRIx64 " of wave %u: low bits of the address are cut off (first: 0x%" PRIx64 ")", op->row->name,
        lanes, w->id, at);
    note_miss(w, &r->unaligned, lanes, at, op->row->name);
    r->event = true;
}

/* ---- Places ---- */

/* What an instruction touches, lane by lane. */
struct access {
    struct gpudbg_wave *w;
    struct amdil *r;
    const struct il_exec_op *op;
    const struct il_resource *res;
    struct gpudbg_segment *segment;
    const char *family;
    uint32_t id;
    uint64_t exec, storing;
    uint64_t place[IL_LANES]; /* byte from the resource's start */
    uint64_t limit[IL_LANES]; /* first byte that is out of reach: end of the struct, or of the buffer */
    uint64_t outside, odd;    /* lanes */
    uint64_t first_outside, first_odd;
    uint64_t lowest, highest; /* places */
    uint64_t deepest, deep;   /* byte of a struct; bytes of one */
    bool astray;              /* a lane names a struct that is not there */
    /* Where `limit` was not filled: */
    bool flat;   /* the limit is the resource's end for all lanes, */
    bool inside; /* or of the struct that is there by its index */
    uint32_t index[IL_LANES];
};

static const struct il_resource *chosen(const struct il_resource *list, uint32_t room, uint32_t id)
{
    static const struct il_resource none;
    return id < room ? &list[id] : &none;
}

static const struct il_resource *resource_of(
    struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op, const char **family)
{
    const char *name = op->row->name;
    const uint32_t id = op->id;
    (void)w;
    *family = family_names[name[0] == 'u' || name[0] == 'a' ? 0 : name[0] == 'l' ? 1 : name[0] == 'g' ? 2 : 3];
    switch (name[0]) {
    case 'l': return chosen(r->lds, IL_IDS, id);
    case 'g': return chosen(r->gds, IL_IDS, id);
    case 's': return chosen(r->srv, IL_SRVS, id);
    default: return chosen(r->uav, IL_IDS, id);
    }
}

static void begin(struct access *a, struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    memset(a, 0, offsetof(struct access, place));
    a->w = w;
    a->r = r;
    a->op = op;
    a->exec = il_exec(w);
    a->storing = il_storing(w);
    a->outside = a->odd = 0;
    a->lowest = UINT64_MAX;
    a->highest = a->deepest = 0;
    a->astray = a->flat = a->inside = false;
    a->id = op->id;
    a->res = resource_of(w, r, op, &a->family);
    a->segment = a->family == family_names[1] ? w->lds : a->res->segment;
}

/* An instruction that does nothing but store. */
static void begin_store(struct access *a, struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    begin(a, w, r, op);
    a->exec = a->storing;
}

/* Lanes that only help are not reported. */
static void miss(struct access *a, unsigned l, uint64_t at)
{
    if (!(a->storing >> l & 1)) return;
    if (!a->outside) a->first_outside = at;
    a->outside |= 1ull << l;
}

/* The usual case of places: all lanes execute, no low bits are cut off, and sums fit 31 bits. */
static bool usual_places(struct access *a, const uint32_t *index, const uint32_t *offset, unsigned align, bool structs)
{
    const struct il_resource *res = a->res;
    uint32_t bounds[3];
    if (a->exec != UINT64_MAX ||
        (structs && (res->size > UINT32_C(1) << 30 || (uint64_t)res->count * res->stride > res->size)))
        return false;
    if (!a->r->level->places(
            a->place, structs ? index : NULL, offset ? offset : index, res->stride, res->count, align - 1, bounds))
        return false;
    a->lowest = bounds[0];
    a->highest = bounds[1];
    if (structs) a->deepest = bounds[2];
    a->flat = !structs;
    a->inside = structs;
    if (structs) memcpy(a->index, index, sizeof a->index);
    return true;
}

/* index and offset: rows; a raw buffer has no index.  narrow: any byte will do. */
static void places(struct access *a, const uint32_t *index, const uint32_t *offset, unsigned align)
{
    const struct il_resource *res = a->res;
    const bool structs = res->layout == IL_STRUCT_ELEMENTS && offset;
    unsigned l;
    a->deep = structs ? res->stride : UINT64_MAX;
    if (usual_places(a, index, offset, align, structs)) return;
    IL_EACH_LANE(l, a->exec)
    {
        uint64_t in = offset ? offset[l] : index[l];
        if (in & (align - 1)) {
            if (!a->odd) a->first_odd = in;
            a->odd |= a->storing & 1ull << l;
            in &= ~(uint64_t)(align - 1);
        }
        if (structs) {
            const bool inside = index[l] < res->count;
            a->place[l] = inside ? (uint64_t)index[l] * res->stride + in : res->size;
            a->limit[l] = inside ? (uint64_t)index[l] * res->stride + res->stride : 0;
            a->astray |= !inside;
            if (in > a->deepest) a->deepest = in;
        } else {
            a->place[l] = in;
            a->limit[l] = res->size;
        }
        if (a->place[l] < a->lowest) a->lowest = a->place[l];
        if (a->place[l] > a->highest) a->highest = a->place[l];
    }
}

/* The bytes of the segment that places count from, if every lane's next n bytes are there and nobody watches them; else
 * NULL: lanes are looked at one by one. */
static uint8_t *all_reach(const struct access *a, size_t n)
{
    const struct gpudbg_segment *s = a->segment;
    const struct il_resource *res = a->res;
    if (!s || s->flags & GPUDBG_SEG_RWATCH || a->astray || res->base > s->size) return NULL;
    const uint64_t end = res->size < s->size - res->base ? res->size : s->size - res->base;
    if (n > end || a->highest > end - n || a->deepest + n > a->deep) return NULL;
    return s->bytes + res->base;
}

#define PAGES_MOST 16 /* that are looked at before a store */

/* The same for stores: all pages between the lowest and the highest place may be written at once. */
static uint8_t *all_stored(const struct access *a, size_t n)
{
    uint8_t *bytes = all_reach(a, n);
    if (!bytes || a->lowest > a->highest) return NULL;
    const uint64_t from = (a->res->base + a->lowest) >> GPUDBG_PAGE_BITS,
                   to = (a->res->base + a->highest + n - 1) >> GPUDBG_PAGE_BITS;
    if (to - from >= PAGES_MOST) return NULL;
    for (uint64_t page = from; page <= to; page++)
        if (a->segment->page[page] != a->w->machine->stamp) return NULL;
    return bytes;
}

static uint64_t limit_of(const struct access *a, unsigned l)
{
    if (a->inside) return ((uint64_t)a->index[l] + 1) * a->res->stride;
    return a->flat ? a->res->size : a->limit[l];
}

static bool reaches(struct access *a, unsigned l, uint64_t at, size_t n)
{
    if (at + n <= limit_of(a, l) && at + n <= a->res->size && a->segment && a->res->base + at + n <= a->segment->size)
        return true;
    miss(a, l, at);
    return false;
}

static enum gpudbg_ran done(struct access *a)
{
    il_outside(a->w, a->r, a->family, a->id, a->outside, a->first_outside);
    unaligned(a->w, a->r, a->op, a->odd, a->first_odd);
    return GPUDBG_RAN_LIMIT;
}

static uint32_t get(struct access *a, unsigned l, uint64_t at, size_t n)
{
    uint32_t v = 0;
    if (reaches(a, l, at, n)) il_read(a->w, a->segment, a->res->base + at, &v, n, l);
    return v;
}

static bool put(struct access *a, unsigned l, uint64_t at, uint32_t v, size_t n)
{
    if (!(a->storing >> l & 1)) return true;
    if (a->r->refused) return false;
    return !reaches(a, l, at, n) || il_write(a->w, a->segment, a->res->base + at, &v, n, l);
}

/* Index and offset of the address forms: struct buffers take x and y of source 0, others and what is called raw x
 * alone. */
static void address(struct access *a, unsigned align)
{
    const unsigned code = a->op->code;
    const bool raw = code == IL_OP_UAV_RAW_LOAD || code == IL_OP_UAV_RAW_STORE || code == IL_OP_SRV_RAW_LOAD;
    const uint32_t *s[4];
    il_fetch(a->w, a->r, &a->op->src[0], IL_INT, 0, s);
    places(a, s[0], a->res->layout == IL_STRUCT_ELEMENTS && !raw ? s[1] : NULL, align);
}

/* Dwords that all lanes reach, from `bytes` on. */
static void gather_row(const struct access *a, const uint8_t *bytes, uint32_t *row)
{
    unsigned l;
    if (a->lowest == a->highest && a->exec == UINT64_MAX) {
        uint32_t one;
        memcpy(&one, bytes + a->lowest, 4);
        a->r->level->fill(row, one);
        return;
    }
    if (a->exec == UINT64_MAX) {
        for (l = 0; l < IL_LANES; l++) memcpy(&row[l], bytes + a->place[l], 4);
        return;
    }
    IL_EACH_LANE(l, a->exec)
    memcpy(&row[l], bytes + a->place[l], 4);
}

/* The rows of a destination that a load may write at once: all lanes execute, and it is a register. */
static bool is_direct(const struct access *a)
{
    const struct il_location *p = &a->op->dst[0].at;
    return a->exec == UINT64_MAX && p->slot != IL_NO_SLOT && !p->relative && !a->r->refused;
}

/* Fills the components that the mask makes 0 or 1. */
static void fill_masked(const struct access *a)
{
    const struct il_dest *d = &a->op->dst[0];
    for (unsigned c = 0; c < 4; c++)
        if (d->mask[c] > 1) a->r->level->fill(il_row_of(a->w, d->at.slot, c), d->mask[c] == 3 ? 0x3f800000 : 0);
}

/* ---- One word ---- */

/* Loads a dword of each lane into all components that are written. */
static enum gpudbg_ran load_direct(struct access *a, const uint8_t *bytes)
{
    const struct il_dest *d = &a->op->dst[0];
    for (unsigned c = 0; c < 4; c++)
        if (d->mask[c] == 1) gather_row(a, bytes, il_row_of(a->w, d->at.slot, c));
    fill_masked(a);
    return done(a);
}

static enum gpudbg_ran store_word(struct access *a, bool ok)
{
    for (unsigned c = 1; c < 4; c++) memcpy(a->r->result[c], a->r->result[0], sizeof a->r->result[0]);
    ok = ok && il_store(a->w, a->r, &a->op->dst[0], IL_INT, 15, NULL, a->r->result);
    done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* Size in bytes and sign of narrow accesses, by the mnemonic: byte, short, ubyte, ushort; else a dword. */
static unsigned width_of(const struct il_exec_op *op, bool *sign)
{
    const char *name = op->row->name;
    *sign = !strstr(name, "ubyte") && !strstr(name, "ushort");
    if (op->code == IL_OP_UAV_arena_LOAD || op->code == IL_OP_UAV_arena_STORE) {
        static const uint8_t sizes[4] = {4, 2, 1, 4};
        return sizes[op->control >> 26 & 3];
    }
    return strstr(name, "byte") ? 1 : strstr(name, "short") ? 2 : 4;
}

static uint32_t extended(uint32_t v, unsigned width, bool sign)
{
    const unsigned up = 32 - 8 * width;
    return !sign || width == 4 ? v : (uint32_t)((int32_t)(v << up) >> up);
}

enum gpudbg_ran il_do_word_load(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    bool sign;
    const unsigned width = width_of(op, &sign);
    unsigned l;
    begin(&a, w, r, op);
    address(&a, width);
    const uint8_t *bytes = width == 4 ? all_reach(&a, 4) : NULL;
    if (bytes && is_direct(&a)) return load_direct(&a, bytes);
    memset(r->result[0], 0, sizeof r->result[0]);
    if (bytes) {
        gather_row(&a, bytes, r->result[0]);
        return store_word(&a, true);
    }
    IL_EACH_LANE(l, a.exec)
    r->result[0][l] = extended(get(&a, l, a.place[l], width), width, sign);
    return store_word(&a, true);
}

enum gpudbg_ran il_do_word_store(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4];
    bool sign, ok = true;
    const unsigned width = width_of(op, &sign);
    unsigned l;
    begin_store(&a, w, r, op);
    address(&a, width);
    il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    uint8_t *bytes = width == 4 ? all_stored(&a, 4) : NULL;
    IL_EACH_LANE(l, a.exec)
    if (bytes)
        memcpy(bytes + a.place[l], &s[0][l], 4);
    else
        ok = ok && put(&a, l, a.place[l], s[0][l], width);
    done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Atomics ---- */

static const char *const atomic_names[IL_ATOMICS] = {"add", "sub", "rsub", "inc", "dec", "min", "max", "umin", "umax",
    "and", "or", "xor", "mskor", "xchg", "cmp", "cmp_xchg", "cmp_store", "uinc", "udec"};

int il_atomic_of(const char *mnemonic)
{
    const char *name = mnemonic + 4; /* behind lds_ gds_ uav_ */
    if (strncmp(name, "read_", 5) == 0) name += 5;
    for (int i = 0; i < IL_ATOMICS; i++)
        if (strcmp(atomic_names[i], name) == 0) return i;
    return -1;
}

/* New value; v and u: sources 1 and 2.  Compares: v is what must be there. */
static uint32_t changed_word(unsigned atomic, uint32_t old, uint32_t v, uint32_t u)
{
    switch (atomic) {
    case IL_ATOMIC_ADD: return old + v;
    case IL_ATOMIC_SUB: return old - v;
    case IL_ATOMIC_RSUB: return v - old;
    case IL_ATOMIC_INC:
    case IL_ATOMIC_UINC: return old >= v ? 0 : old + 1;
    case IL_ATOMIC_DEC:
    case IL_ATOMIC_UDEC: return old == 0 || old > v ? v : old - 1;
    case IL_ATOMIC_MIN: return (int32_t)old < (int32_t)v ? old : v;
    case IL_ATOMIC_MAX: return (int32_t)old > (int32_t)v ? old : v;
    case IL_ATOMIC_UMIN: return old < v ? old : v;
    case IL_ATOMIC_UMAX: return old > v ? old : v;
    case IL_ATOMIC_AND: return old & v;
    case IL_ATOMIC_OR: return old | v;
    case IL_ATOMIC_XOR: return old ^ v;
    case IL_ATOMIC_MSKOR: return (old & ~v) | u;
    case IL_ATOMIC_XCHG: return v;
    default: return old == v ? u : old;
    }
}

static void typed_places(struct access *a, const uint32_t *s[4]);

enum gpudbg_ran il_do_atomic(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4], *v[4] = {0}, *u[4] = {0};
    bool ok = true;
    unsigned l;
    begin(&a, w, r, op);
    if (a.res->layout == IL_TYPED_ELEMENTS && (a.res->format.components != 1 || a.res->format.bits != 32)) {
        w->pc = op->pc;
        return gpudbg_fault(
            w, -1, "%s: uav%u: atomics want a raw or struct buffer, or elements of one dword", op->row->name, op->id);
    }
    if (a.res->layout == IL_TYPED_ELEMENTS) {
        il_fetch(w, r, &op->src[0], IL_INT, 0, s);
        typed_places(&a, s);
    } else
        address(&a, 4);
    il_fetch(w, r, &op->src[1], IL_INT, 1, v);
    if (op->nsrc > 2) il_fetch(w, r, &op->src[2], IL_INT, 2, u);
    const bool uav = op->row->name[0] == 'u', compares = op->aux >= IL_ATOMIC_CMP && op->aux <= IL_ATOMIC_CMP_STORE;
    IL_EACH_LANE(l, a.exec)
    {
        const uint32_t first = v[0][l], second = u[0] ? u[0][l] : 0;
        const uint32_t old = get(&a, l, a.place[l], 4);
        r->result[0][l] = old;
        /* UAVs name the new value first (7.16 uav_cmp), LDS and GDS the value to compare with. */
        const uint32_t now = uav && compares ? changed_word(op->aux, old, second, first)
                                             : changed_word(op->aux, old, first, second);
        ok = ok && put(&a, l, a.place[l], now, 4);
    }
    if (op->ndst) return store_word(&a, ok);
    done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* append_buf_alloc, append_buf_consume: counters of their own, one a UAV. */
enum gpudbg_ran il_do_append(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const bool alloc = op->code == IL_OP_APPEND_BUF_ALLOC, after = !alloc && r->choice[IL_CHOICE_CONSUME] == 0;
    const uint64_t at = (uint64_t)op->id * 4;
    const bool has = at + 4 <= r->counters->size;
    uint32_t count = 0;
    bool ok = true;
    unsigned l;
    begin(&a, w, r, op);
    a.family = "counter of uav";
    il_read(w, r->counters, at, &count, 4, 0);
    IL_EACH_LANE(l, a.exec)
    {
        r->result[0][l] = count - (after ? 1 : 0);
        if (!has) miss(&a, l, at);
        if (!has || !(a.storing >> l & 1)) continue;
        count += alloc ? 1 : UINT32_MAX;
        ok = ok && il_write(w, r->counters, at, &count, 4, l);
    }
    return store_word(&a, ok);
}

/* ---- Vectors of dwords ---- */

/* Into amdil->result, or, if it is alone there, into the registers at once where that can be: true. */
static bool gather_vector(struct access *a, bool alone)
{
    uint8_t wanted = 0;
    unsigned l;
    size_t n = 0;
    for (unsigned c = 0; c < 4; c++) {
        wanted |= (uint8_t)((a->op->dst[0].mask[c] == 1) << c);
        if (wanted >> c & 1) n = 4 * c + 4;
    }
    const uint8_t *bytes = n ? all_reach(a, n) : NULL;
    const bool direct = alone && bytes && is_direct(a);
    if (alone && !direct) memset(a->r->result, 0, sizeof a->r->result);
    for (unsigned c = 0; c < 4 && bytes; c++)
        if (wanted >> c & 1)
            gather_row(a, bytes + 4 * c, direct ? il_row_of(a->w, a->op->dst[0].at.slot, c) : a->r->result[c]);
    if (direct) fill_masked(a);
    if (bytes) return direct;
    IL_EACH_LANE(l, a->exec)
    for (unsigned c = 0; c < 4; c++)
        if (wanted >> c & 1) a->r->result[c][l] = get(a, l, a->place[l] + 4 * c, 4);
    return false;
}

static enum gpudbg_ran load_vector(struct access *a)
{
    const bool ok = gather_vector(a, true) || il_store(a->w, a->r, &a->op->dst[0], IL_INT, 15, NULL, a->r->result);
    done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

static enum gpudbg_ran store_vector(struct access *a, const uint32_t *s[4])
{
    static const uint32_t fixed[4] = {0, 0, 0, 0x3f800000};
    const uint8_t *mask = a->op->dst[0].mask;
    bool ok = true;
    unsigned l;
    size_t n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask[c]) n = 4 * c + 4;
    uint8_t *bytes = n ? all_stored(a, n) : NULL;
    if (bytes && n == 4) { /* the first component alone, which is usual */
        const uint32_t *row = s[0];
        const bool given = mask[0] == 1;
        IL_EACH_LANE(l, a->exec)
        memcpy(bytes + a->place[l], given ? &row[l] : &fixed[mask[0]], 4);
        return done(a);
    }
    IL_EACH_LANE(l, a->exec)
    for (unsigned c = 0; c < 4; c++)
        if (mask[c] && bytes)
            memcpy(bytes + a->place[l] + 4 * c, mask[c] == 1 ? &s[c][l] : &fixed[mask[c]], 4);
        else if (mask[c])
            ok = ok && put(a, l, a->place[l] + 4 * c, mask[c] == 1 ? s[c][l] : fixed[mask[c]], 4);
    done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* lds_load_vec, lds_store_vec: the offset into the struct is a source of its own. */
static void vector_address(struct access *a)
{
    const uint32_t *index[4], *offset[4];
    il_fetch(a->w, a->r, &a->op->src[0], IL_INT, 0, index);
    il_fetch(a->w, a->r, &a->op->src[1], IL_INT, 1, offset);
    places(a, index[0], a->res->layout == IL_STRUCT_ELEMENTS ? offset[0] : NULL, 4);
}

enum gpudbg_ran il_do_lds_load_vec(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    begin(&a, w, r, op);
    vector_address(&a);
    return load_vector(&a);
}

enum gpudbg_ran il_do_lds_store_vec(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4];
    begin_store(&a, w, r, op);
    vector_address(&a);
    il_fetch(w, r, &op->src[2], IL_INT, 2, s);
    return store_vector(&a, s);
}

enum gpudbg_ran il_do_vector_store(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4];
    begin_store(&a, w, r, op);
    address(&a, 4);
    il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    return store_vector(&a, s);
}

enum gpudbg_ran il_do_vector_load(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    begin(&a, w, r, op);
    address(&a, 4);
    return load_vector(&a);
}

/* Contents with a format. */
static void gather_elements(struct access *a)
{
    static const struct {
        uint8_t components, bits;
    } formats[16] = {
        [1] = {1, 8}, {1, 16}, {2, 8}, {1, 32}, {2, 16}, [10] = {4, 8}, {2, 32}, {4, 16}, {3, 32}, {4, 32}};
    static const uint8_t kinds[16] = {[1] = 2, [2] = 1, [5] = 4, [6] = 3, [7] = 5};
    const unsigned format = a->op->pri & 15;
    struct il_resource view = *a->res;
    unsigned l;
    if (!a->op->has_pri || !formats[format].bits) {
        gather_vector(a, false);
        return;
    }
    view.format = (struct il_format){
        kinds[a->op->pri >> 4 & 15], formats[format].components, formats[format].bits, {0, 1, 2, 3}};
    view.pitch = view.format.components * view.format.bits / 8u;
    IL_EACH_LANE(l, a->exec)
    {
        uint32_t v[4];
        if (!reaches(a, l, a->place[l], view.pitch)) continue;
        il_element_read(a->w, &view, a->res->base + a->place[l], v, l);
        for (unsigned c = 0; c < 4; c++) a->r->result[c][l] = v[c];
    }
}

/* Lanes of `exec` whose index is that of the first of them. */
static uint64_t alike(uint64_t exec, const uint32_t *index)
{
    const uint32_t first = index[__builtin_ctzll(exec)];
    uint64_t lanes = 0;
    unsigned l;
    IL_EACH_LANE(l, exec)
    lanes |= (uint64_t)(index[l] == first) << l;
    return lanes;
}

/* A read-only buffer; _ext: each lane chooses one by one more source (7.2.3). */
enum gpudbg_ran il_do_srv_load(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    static const uint32_t zero[IL_LANES];
    uint32_t index[IL_LANES];
    const uint32_t *s[4] = {zero};
    if (op->nsrc > 1) il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    memcpy(index, s[0], sizeof index);
    memset(r->result, 0, sizeof r->result);
    for (uint64_t left = il_exec(w); left;) {
        struct access a;
        begin(&a, w, r, op);
        a.exec = alike(left, index);
        a.id = op->id + index[__builtin_ctzll(left)];
        a.res = chosen(r->srv, IL_SRVS, a.id);
        a.segment = a.res->segment;
        address(&a, 4);
        gather_elements(&a);
        done(&a);
        left &= ~a.exec;
    }
    return il_store(w, r, &op->dst[0], op->has_pri ? IL_MOVED : IL_INT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT
                                                                                             : GPUDBG_RAN_FAULT;
}

/* ---- Typed UAVs: elements by coordinates ---- */

static void typed_places(struct access *a, const uint32_t *s[4])
{
    const struct il_resource *res = a->res;
    unsigned l;
    IL_EACH_LANE(l, a->exec)
    {
        const unsigned d = res->dimension;
        const bool two = d == IL_PIXTEX_2D || d == IL_PIXTEX_2DARRAY || d == IL_PIXTEX_3D,
                   three = d == IL_PIXTEX_3D || d == IL_PIXTEX_2DARRAY;
        const uint64_t x = s[0][l], y = two || d == IL_PIXTEX_1DARRAY ? s[1][l] : 0, z = three ? s[2][l] : 0;
        const bool inside = x < res->width && y < res->height && z < res->depth;
        const uint64_t line = res->line ? res->line : (uint64_t)res->width * res->pitch;
        a->place[l] = inside ? (z * res->height + y) * line + x * res->pitch : res->size;
        a->limit[l] = inside ? res->size : 0;
    }
}

enum gpudbg_ran il_do_typed_load(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4];
    unsigned l;
    begin(&a, w, r, op);
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    typed_places(&a, s);
    memset(r->result, 0, sizeof r->result);
    IL_EACH_LANE(l, a.exec)
    {
        uint32_t v[4];
        if (!reaches(&a, l, a.place[l], a.res->pitch)) continue;
        il_element_read(w, a.res, a.res->base + a.place[l], v, l);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = v[c];
    }
    const bool ok = il_store(w, r, &op->dst[0], IL_MOVED, 15, NULL, r->result);
    done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_typed_store(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct access a;
    const uint32_t *s[4], *v[4];
    bool ok = true;
    unsigned l;
    begin_store(&a, w, r, op);
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    il_fetch(w, r, &op->src[1], IL_MOVED, 1, v);
    typed_places(&a, s);
    IL_EACH_LANE(l, a.exec)
    {
        const uint32_t in[4] = {v[0][l], v[1][l], v[2][l], v[3][l]};
        if (reaches(&a, l, a.place[l], a.res->pitch))
            ok = ok && il_element_write(w, a.res, a.res->base + a.place[l], in, l);
    }
    done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- LDS that threads own (7.2.10.1) ---- */

/* Where wave and mode put the part of thread 0. */
static uint64_t owned_base(const struct gpudbg_wave *w, const struct amdil *r, const struct il_exec_op *op)
{
    return op->control >> 16 & 3 ? 0 : (uint64_t)w->index * IL_LANES * r->lds_per_thread * 4;
}

enum gpudbg_ran il_do_lds_read_vec(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const bool exchange = op->control >> 18 & 1;
    const uint64_t base = owned_base(w, r, op), exec = il_exec(w);
    uint32_t rows[4][IL_LANES] = {{0}};
    const uint32_t *s[4];
    uint64_t outside = 0, first = 0;
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, exec)
    for (unsigned c = 0; c < 4; c++) {
        const uint64_t dword = (uint64_t)s[1][l] + c;
        if (s[0][l] < IL_LANES && dword < r->lds_per_thread)
            il_read(w, w->lds, base + ((uint64_t)s[0][l] * r->lds_per_thread + dword) * 4, &rows[c][l], 4, l);
        else if (op->dst[0].mask[c] == 1) {
            first = outside ? first : s[0][l];
            outside |= 1ull << l;
        }
    }
    for (l = 0; l < IL_LANES; l++)
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = exchange ? rows[l & 3][(l & ~3u) + c] : rows[c][l];
    const bool ok = il_store(w, r, &op->dst[0], IL_INT, 15, NULL, r->result);
    il_outside(w, r, "lds", 0, outside, first);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_lds_write_vec(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    static const uint32_t fixed[4] = {0, 0, 0, 0x3f800000};
    const uint64_t base = owned_base(w, r, op);
    const uint32_t offset = op->control >> 18 & 63;
    const uint32_t *s[4];
    uint64_t outside = 0;
    bool ok = true;
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, il_storing(w))
    for (unsigned c = 0; c < 4; c++) {
        const unsigned mask = op->dst[0].mask[c];
        const uint32_t v = mask == 1 ? s[c][l] : fixed[mask];
        if (mask && offset + c >= r->lds_per_thread)
            outside |= 1ull << l;
        else if (mask)
            ok = ok && il_write(w, w->lds, base + ((uint64_t)l * r->lds_per_thread + offset + c) * 4, &v, 4, l);
    }
    il_outside(w, r, "lds", 0, outside, offset);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Order ---- */

/* Memory is always in order here; only _threads has work to do. */
enum gpudbg_ran il_do_fence(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    (void)r;
    if (!(op->control >> 16 & 1)) return GPUDBG_RAN_LIMIT;
    w->state = GPUDBG_AT_BARRIER;
    return GPUDBG_RAN_BARRIER;
}

/* x, z, w of sr[cb0[0].x .. cb0[0].y) become -1 and y becomes cb0[0].z. */
enum gpudbg_ran il_do_init_shared(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    uint32_t range[4] = {0};
    bool ok = true;
    (void)op;
    il_read(w, r->cb[0].segment, 0, range, 16, 0);
    for (uint32_t n = range[0]; n < range[1] && n < r->shared_temps && ok; n++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t row[IL_LANES];
            for (unsigned l = 0; l < IL_LANES; l++) row[l] = c == 1 ? range[2] : UINT32_MAX;
            for (unsigned l = 0; l < IL_LANES; l++)
                ok = ok && il_write(w, r->shared, (((uint64_t)n * 4 + c) * IL_LANES + l) * 4, &row[l], 4, l);
        }
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
