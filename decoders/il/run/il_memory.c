/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_memory.c: loads and stores of LDS, GDS, UAVs and read-only buffers (7.15 to 7.17, 7.2.10, 7.2.12).
 *
 * Addresses are bytes; low bits that do not count are cut off and reported.  An access beyond a buffer or beyond a
 * struct's stride reads 0 or stores nothing, and is reported; each dword of a vector is judged by itself.  A result
 * that is one word goes to all components written.
 */
#include <string.h>

#include "run/access.h"

/* ---- One word ---- */

/* Loads a dword of each lane into all components that are written. */
static enum gpudbg_ran load_direct(struct il_accesses *a, const uint8_t *bytes)
{
    const struct il_dest *d = &a->op->dst[0];
    for (unsigned c = 0; c < 4; c++)
        if (d->mask[c] == 1) il_access_gather(a, bytes, il_row_of(a->w, d->at.slot, c));
    il_access_fill_masked(a);
    return il_access_done(a);
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

enum gpudbg_ran il_do_word_load(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    bool sign;
    const unsigned width = width_of(op, &sign);
    unsigned l;
    il_access_begin(&a, w, r, op);
    il_access_address(&a, width);
    const uint8_t *bytes = width == 4 ? il_access_all_loaded(&a, 4, 1) : NULL;
    if (bytes && il_access_is_direct(&a)) return load_direct(&a, bytes);
    memset(r->result[0], 0, sizeof r->result[0]);
    if (bytes) {
        il_access_gather(&a, bytes, r->result[0]);
        return il_store_word(&a, true);
    }
    IL_EACH_LANE(l, a.exec)
    r->result[0][l] = extended(il_access_get(&a, l, a.place[l], width), width, sign);
    return il_store_word(&a, true);
}

enum gpudbg_ran il_do_word_store(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4];
    bool sign, ok = true;
    const unsigned width = width_of(op, &sign);
    unsigned l;
    il_access_store(&a, w, r, op);
    il_access_address(&a, width);
    il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    uint8_t *bytes = width == 4 ? il_access_all_stored(&a, 4) : NULL;
    if (width == 4 && !bytes && il_access_put_rows(&a, 4, 1, s)) return il_access_done(&a);
    IL_EACH_LANE(l, a.exec)
    if (bytes)
        memcpy(bytes + a.place[l], &s[0][l], 4);
    else
        ok = ok && il_access_put(&a, l, a.place[l], s[0][l], width);
    il_access_done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Vectors of dwords ---- */

/* Gathers the vector into il->result.  alone: nothing else is in the result; then it goes directly into the registers
 * if they allow that, and true is returned. */
static bool gather_vector(struct il_accesses *a, bool alone)
{
    uint8_t wanted = 0;
    unsigned l;
    size_t n = 0;
    for (unsigned c = 0; c < 4; c++) {
        wanted |= (uint8_t)((a->op->dst[0].mask[c] == 1) << c);
        if (wanted >> c & 1) n = 4 * c + 4;
    }
    const uint8_t *bytes = n ? il_access_all_loaded(a, n, wanted) : NULL;
    const bool direct = alone && bytes && il_access_is_direct(a);
    if (alone && !direct) memset(a->r->result, 0, sizeof a->r->result);
    for (unsigned c = 0; c < 4 && bytes; c++)
        if (wanted >> c & 1)
            il_access_gather(a, bytes + 4 * c, direct ? il_row_of(a->w, a->op->dst[0].at.slot, c) : a->r->result[c]);
    if (direct) il_access_fill_masked(a);
    if (bytes) return direct;
    IL_EACH_LANE(l, a->exec)
    for (unsigned c = 0; c < 4; c++)
        if (wanted >> c & 1) a->r->result[c][l] = il_access_get(a, l, a->place[l] + 4 * c, 4);
    return false;
}

static enum gpudbg_ran load_vector(struct il_accesses *a)
{
    const bool ok = gather_vector(a, true) || il_store(a->w, a->r, &a->op->dst[0], IL_INT, 15, NULL, a->r->result);
    il_access_done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

static enum gpudbg_ran store_vector(struct il_accesses *a, const uint32_t *s[4])
{
    static const uint32_t fixed[4] = {0, 0, 0, 0x3f800000};
    const uint8_t *mask = a->op->dst[0].mask;
    bool ok = true;
    unsigned l;
    uint8_t given = 0, stored = 0;
    size_t n = 0;
    for (unsigned c = 0; c < 4; c++) {
        given |= (uint8_t)((mask[c] == 1) << c);
        stored |= (uint8_t)((mask[c] != 0) << c);
        if (mask[c]) n = 4 * c + 4;
    }
    uint8_t *bytes = n ? il_access_all_stored(a, n) : NULL;
    if (n && !bytes && given == stored && il_access_put_rows(a, n, stored, s)) return il_access_done(a);
    if (bytes && n == 4) { /* usual: only the first component */
        const uint32_t *row = s[0];
        IL_EACH_LANE(l, a->exec)
        memcpy(bytes + a->place[l], given ? &row[l] : &fixed[mask[0]], 4);
        return il_access_done(a);
    }
    IL_EACH_LANE(l, a->exec)
    for (unsigned c = 0; c < 4; c++)
        if (mask[c] && bytes)
            memcpy(bytes + a->place[l] + 4 * c, mask[c] == 1 ? &s[c][l] : &fixed[mask[c]], 4);
        else if (mask[c])
            ok = ok && il_access_put(a, l, a->place[l] + 4 * c, mask[c] == 1 ? s[c][l] : fixed[mask[c]], 4);
    il_access_done(a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* lds_load_vec, lds_store_vec: the offset into the struct is a source of its own. */
static void vector_address(struct il_accesses *a)
{
    const uint32_t *index[4], *offset[4];
    il_fetch(a->w, a->r, &a->op->src[0], IL_INT, 0, index);
    il_fetch(a->w, a->r, &a->op->src[1], IL_INT, 1, offset);
    il_access_places(a, index[0], a->res->layout == IL_STRUCT_ELEMENTS ? offset[0] : NULL, 4);
}

enum gpudbg_ran il_do_lds_load_vec(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    il_access_begin(&a, w, r, op);
    vector_address(&a);
    return load_vector(&a);
}

enum gpudbg_ran il_do_lds_store_vec(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4];
    il_access_store(&a, w, r, op);
    vector_address(&a);
    il_fetch(w, r, &op->src[2], IL_INT, 2, s);
    return store_vector(&a, s);
}

enum gpudbg_ran il_do_vector_store(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4];
    il_access_store(&a, w, r, op);
    il_access_address(&a, 4);
    il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    return store_vector(&a, s);
}

enum gpudbg_ran il_do_vector_load(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    il_access_begin(&a, w, r, op);
    il_access_address(&a, 4);
    return load_vector(&a);
}

/* Contents with a format. */
static void gather_elements(struct il_accesses *a)
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
        if (!il_access_reaches(a, l, a->place[l], view.pitch)) continue;
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
enum gpudbg_ran il_do_srv_load(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    static const uint32_t zero[IL_LANES];
    uint32_t index[IL_LANES];
    const uint32_t *s[4] = {zero};
    if (op->nsrc > 1) il_fetch(w, r, &op->src[1], IL_INT, 1, s);
    memcpy(index, s[0], sizeof index);
    memset(r->result, 0, sizeof r->result);
    for (uint64_t left = il_exec(w); left;) {
        struct il_accesses a;
        il_access_begin(&a, w, r, op);
        a.exec = alike(left, index);
        a.id = op->id + index[__builtin_ctzll(left)];
        a.res = il_chosen(r->srv, IL_SRVS, a.id);
        a.segment = a.res->segment;
        il_access_address(&a, 4);
        gather_elements(&a);
        il_access_done(&a);
        left &= ~a.exec;
    }
    return il_store(w, r, &op->dst[0], op->has_pri ? IL_MOVED : IL_INT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT
                                                                                             : GPUDBG_RAN_FAULT;
}

/* ---- Typed UAVs: elements by coordinates ---- */

enum gpudbg_ran il_do_typed_load(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4];
    unsigned l;
    il_access_begin(&a, w, r, op);
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    il_typed_places(&a, s);
    memset(r->result, 0, sizeof r->result);
    IL_EACH_LANE(l, a.exec)
    {
        uint32_t v[4];
        if (!il_access_reaches(&a, l, a.place[l], a.res->pitch)) continue;
        il_element_read(w, a.res, a.res->base + a.place[l], v, l);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = v[c];
    }
    const bool ok = il_store(w, r, &op->dst[0], IL_MOVED, 15, NULL, r->result);
    il_access_done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_typed_store(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4], *v[4];
    bool ok = true;
    unsigned l;
    il_access_store(&a, w, r, op);
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    il_fetch(w, r, &op->src[1], IL_MOVED, 1, v);
    il_typed_places(&a, s);
    IL_EACH_LANE(l, a.exec)
    {
        const uint32_t in[4] = {v[0][l], v[1][l], v[2][l], v[3][l]};
        if (il_access_reaches(&a, l, a.place[l], a.res->pitch))
            ok = ok && il_element_write(w, a.res, a.res->base + a.place[l], in, l);
    }
    il_access_done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
