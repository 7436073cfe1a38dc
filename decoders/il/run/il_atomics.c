/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_atomics.c: atomics on LDS, GDS and UAVs, and the counters of append buffers (7.16, 7.17). */
#include <string.h>

#include "run/access.h"
#include "run/atomics.h"

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

enum gpudbg_ran il_do_atomic(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const uint32_t *s[4], *v[4] = {0}, *u[4] = {0};
    bool ok = true;
    unsigned l;
    il_access_begin(&a, w, r, op);
    if (a.res->layout == IL_TYPED_ELEMENTS && (a.res->format.components != 1 || a.res->format.bits != 32)) {
        w->pc = op->pc;
        return gpudbg_fault(
            w, -1, "%s: uav%u: atomics want a raw or struct buffer, or elements of one dword", op->row->name, op->id);
    }
    if (a.res->layout == IL_TYPED_ELEMENTS) {
        il_fetch(w, r, &op->src[0], IL_INT, 0, s);
        il_typed_places(&a, s);
    } else
        il_access_address(&a, 4);
    il_fetch(w, r, &op->src[1], IL_INT, 1, v);
    if (op->nsrc > 2) il_fetch(w, r, &op->src[2], IL_INT, 2, u);
    const bool uav = op->row->name[0] == 'u', compares = op->aux >= IL_ATOMIC_CMP && op->aux <= IL_ATOMIC_CMP_STORE;
    IL_EACH_LANE(l, a.exec)
    {
        const uint32_t first = v[0][l], second = u[0] ? u[0][l] : 0;
        const uint32_t old = il_access_get(&a, l, a.place[l], 4);
        r->result[0][l] = old;
        /* UAVs name the new value first (7.16 uav_cmp), LDS and GDS the value to compare with. */
        const uint32_t now = uav && compares ? changed_word(op->aux, old, second, first)
                                             : changed_word(op->aux, old, first, second);
        ok = ok && il_access_put(&a, l, a.place[l], now, 4);
    }
    if (op->ndst) return il_store_word(&a, ok);
    il_access_done(&a);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* append_buf_alloc, append_buf_consume: counters of their own, one a UAV. */
enum gpudbg_ran il_do_append(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct il_accesses a;
    const bool alloc = op->code == IL_OP_APPEND_BUF_ALLOC, after = !alloc && r->choice[IL_CHOICE_CONSUME] == 0;
    const uint64_t at = (uint64_t)op->id * 4;
    const bool has = at + 4 <= r->counters->size;
    uint32_t count = 0;
    bool ok = true;
    unsigned l;
    il_access_begin(&a, w, r, op);
    a.family = "counter of uav";
    il_read(w, r->counters, at, &count, 4, 0);
    IL_EACH_LANE(l, a.exec)
    {
        r->result[0][l] = count - (after ? 1 : 0);
        if (!has) il_access_miss(&a, l, at);
        if (!has || !(a.storing >> l & 1)) continue;
        count += alloc ? 1 : UINT32_MAX;
        ok = ok && il_write(w, r->counters, at, &count, 4, l);
    }
    return il_store_word(&a, ok);
}
