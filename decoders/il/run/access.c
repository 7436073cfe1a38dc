/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.c: where the lanes of an instruction go in memory: see access.h. */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/access.h"

static const char *const family_names[] = {"uav", "lds", "gds", "srv"};

static const struct il_resource *resource_of(
    struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, const char **family)
{
    const char *name = op->row->name;
    const uint32_t id = op->id;
    (void)w;
    *family = family_names[name[0] == 'u' || name[0] == 'a' ? 0 : name[0] == 'l' ? 1 : name[0] == 'g' ? 2 : 3];
    switch (name[0]) {
    case 'l': return il_chosen(r->lds, IL_IDS, id);
    case 'g': return il_chosen(r->gds, IL_IDS, id);
    case 's': return il_chosen(r->srv, IL_SRVS, id);
    default: return il_chosen(r->uav, IL_IDS, id);
    }
}

void il_access_begin(struct il_accesses *a, struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    memset(a, 0, offsetof(struct il_accesses, place));
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

/* For an instruction that only stores. */
void il_access_store(struct il_accesses *a, struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    il_access_begin(a, w, r, op);
    a->exec = a->storing;
}

/* The usual case of places: all lanes execute, no low bits are cut off, and sums fit 31 bits. */
static bool usual_places(
    struct il_accesses *a, const uint32_t *index, const uint32_t *offset, unsigned align, bool structs)
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
void il_access_places(struct il_accesses *a, const uint32_t *index, const uint32_t *offset, unsigned align)
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

/* The bytes of the segment that places count from, if every lane's next n bytes are there; else NULL: lanes are looked
 * at one by one. */
static uint8_t *all_reach(const struct il_accesses *a, size_t n)
{
    const struct gpudbg_segment *s = a->segment;
    const struct il_resource *res = a->res;
    if (!s || a->astray || res->base > s->size) return NULL;
    const uint64_t end = res->size < s->size - res->base ? res->size : s->size - res->base;
    if (n > end || a->highest > end - n || a->deepest + n > a->deep) return NULL;
    return s->bytes + res->base;
}

/* Tells watchers that lanes load these dwords, a bit each, a row at a time. */
static void tell_loads(const struct il_accesses *a, uint8_t dwords)
{
    uint32_t offset[IL_LANES];
    unsigned l;
    for (; dwords; dwords &= (uint8_t)(dwords - 1)) {
        const uint64_t from = a->res->base + 4u * (unsigned)__builtin_ctz(dwords);
        IL_EACH_LANE(l, a->exec) offset[l] = (uint32_t)(from + a->place[l]);
        il_loads(a->w, a->segment, a->exec, offset, 4);
    }
}

const uint8_t *il_access_all_loaded(const struct il_accesses *a, size_t n, uint8_t dwords)
{
    const uint8_t *bytes = all_reach(a, n);
    if (!bytes || !(a->segment->flags & GPUDBG_SEG_RWATCH)) return bytes;
    if (!a->exec || a->r->refused || a->segment->flags & GPUDBG_SEG_WRITEONLY || a->segment->size > UINT32_MAX)
        return NULL;
    tell_loads(a, dwords);
    return bytes;
}

#define PAGES_MOST 16 /* that are looked at before a store */

/* The same for stores: all pages between the lowest and the highest place may be written at once. */
uint8_t *il_access_all_stored(const struct il_accesses *a, size_t n)
{
    uint8_t *bytes = all_reach(a, n);
    if (!bytes || a->segment->flags & GPUDBG_SEG_RWATCH || a->lowest > a->highest) return NULL;
    const uint64_t from = (a->res->base + a->lowest) >> GPUDBG_PAGE_BITS,
                   to = (a->res->base + a->highest + n - 1) >> GPUDBG_PAGE_BITS;
    if (to - from >= PAGES_MOST) return NULL;
    for (uint64_t page = from; page <= to; page++)
        if (a->segment->page[page] != a->w->machine->stamp) return NULL;
    return bytes;
}

/* Whether what lanes access, n bytes each, is one behind the other. */
static bool ascends(const struct il_accesses *a, size_t n)
{
    uint64_t next = 0;
    unsigned l;
    bool fine = true;
    IL_EACH_LANE(l, a->exec)
    {
        fine &= a->place[l] >= next;
        next = a->place[l] + n;
    }
    return fine;
}

bool il_access_put_rows(const struct il_accesses *a, size_t n, uint8_t dwords, const uint32_t *const rows[4])
{
    uint32_t offset[IL_LANES];
    unsigned l;
    const bool rest = a->r->refused || (a->exec & ~a->storing);
    if (rest || !a->exec || !all_reach(a, n) || a->segment->flags & GPUDBG_SEG_READONLY ||
        a->segment->size > UINT32_MAX || !ascends(a, n))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(dwords >> c & 1)) continue;
        IL_EACH_LANE(l, a->exec) offset[l] = (uint32_t)(a->res->base + a->place[l] + 4 * c);
        if (!il_stores(a->w, a->segment, a->exec, offset, rows[c])) return false; /* lane by lane it says why */
    }
    return true;
}

enum gpudbg_ran il_access_done(struct il_accesses *a)
{
    il_outside(a->w, a->r, a->family, a->id, a->outside, a->first_outside);
    il_unaligned(a->w, a->r, a->op, a->odd, a->first_odd);
    return GPUDBG_RAN_LIMIT;
}

/* Index and offset of the address forms: struct buffers take x and y of source 0, others and what is called raw x
 * alone. */
void il_access_address(struct il_accesses *a, unsigned align)
{
    const unsigned code = a->op->code;
    const bool raw = code == IL_OP_UAV_RAW_LOAD || code == IL_OP_UAV_RAW_STORE || code == IL_OP_SRV_RAW_LOAD;
    const uint32_t *s[4];
    il_fetch(a->w, a->r, &a->op->src[0], IL_INT, 0, s);
    il_access_places(a, s[0], a->res->layout == IL_STRUCT_ELEMENTS && !raw ? s[1] : NULL, align);
}

/* Dwords that all lanes reach, from `bytes` on. */
void il_access_gather(const struct il_accesses *a, const uint8_t *bytes, uint32_t *row)
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
bool il_access_is_direct(const struct il_accesses *a)
{
    const struct il_location *p = &a->op->dst[0].at;
    return a->exec == UINT64_MAX && p->slot != IL_NO_SLOT && !p->relative && !a->r->refused;
}

/* Fills the components that the mask makes 0 or 1. */
void il_access_fill_masked(const struct il_accesses *a)
{
    const struct il_dest *d = &a->op->dst[0];
    for (unsigned c = 0; c < 4; c++)
        if (d->mask[c] > 1) a->r->level->fill(il_row_of(a->w, d->at.slot, c), d->mask[c] == 3 ? 0x3f800000 : 0);
}

void il_typed_places(struct il_accesses *a, const uint32_t *s[4])
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

enum gpudbg_ran il_store_word(struct il_accesses *a, bool ok)
{
    for (unsigned c = 1; c < 4; c++) memcpy(a->r->result[c], a->r->result[0], sizeof a->r->result[0]);
    ok = ok && il_store(a->w, a->r, &a->op->dst[0], IL_INT, 15, NULL, a->r->result);
    il_access_done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
