/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_quick.c: instructions that read nothing that is missing, as nearly all do.  The registers of an
 * instruction are found once; from then on a few words of the shadow show that there is nothing to do. */
#include <string.h>
#include "base/alloc.h"
#include "check/uninitialised.h"
#include "machine/machine.h"

static void plan_operand(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, unsigned operand, struct plan *plan)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    const uint64_t memory = plan->does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    const bool data = plan->does & GPUDBG_OP_STORE && uninitialised_is_stored(insn, operand);
    const bool moved = data || (memory == GPUDBG_OP_LOAD && o->flags & GPUDBG_WRITE);
    const bool reads = o->flags & GPUDBG_READ && !(o->flags & GPUDBG_NO_MATTER), writes = o->flags & GPUDBG_WRITE;
    if (o->kind != GPUDBG_REGISTER || !(reads || writes)) return;
    if (o->index >= 0) plan->quick = false;
    for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u) && plan->quick; r++) {
        unsigned n;
        const size_t at = uninitialised_dwords(u, w, o->file, r, &n);
        const bool laned = at != SIZE_MAX && u->machine->isa->files[o->file].lanes > 1;
        struct named *last = plan->n ? &plan->of[plan->n - 1] : NULL;
        if (at == SIZE_MAX) continue;
        if (laned && n != 64) plan->quick = false;
        if (last && !laned && !last->laned && last->at + last->n == at && last->reads == reads &&
            last->writes == writes && last->data == data) {
            last->n += n;
        } else if (plan->n == NAMED_MOST) {
            plan->quick = false;
        } else {
            plan->of[plan->n++] = (struct named){
                (uint32_t)at, n, laned && !(o->flags & GPUDBG_ALL_LANES), reads, writes, data};
        }
        if (!moved || !laned || !(insn->op->flags & GPUDBG_OP_COPY)) continue;
        if (!plan->copied++) {
            plan->copy_at = (uint32_t)at;
            plan->file = o->file;
            plan->reg = r;
        }
        if (at != plan->copy_at + 64 * (size_t)(plan->copied - 1)) plan->quick = false;
    }
}

const struct plan *uninitialised_plan(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint32_t number = gpudbg_checks_number(u->checks);
    if (number >= u->nplans) return NULL;
    if (u->plan[number]) return u->plan[number];
    struct plan *plan = u->plan[number] = xalloc(sizeof *plan);
    *plan = (struct plan){.quick = true, .does = gpudbg_insn_does(insn)};
    if (plan->does & GPUDBG_OP_END) plan->quick = false;
    for (unsigned i = 0; i < insn->noperands; i++) plan_operand(u, w, insn, i, plan);
    return plan;
}

typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));

static inline bool any_words(const uint32_t *words, unsigned n)
{
    four all = {0};
    unsigned i = 0;
    uint32_t rest = 0;
    for (; i + 4 <= n; i += 4) all |= *(const four *)(words + i);
    for (; i < n; i++) rest |= words[i];
    return (all[0] | all[1] | all[2] | all[3] | rest) != 0;
}

/* Words that are all ones for the lanes that run. */
static const uint32_t *mask_of(struct uninitialised *u, uint64_t lanes)
{
    for (unsigned i = 0; i < 64 && lanes != u->masked; i++) u->mask[i] = lanes >> i & 1 ? UINT32_MAX : 0;
    u->masked = lanes;
    return u->mask;
}

/* Whether any bits of the dwords are missing in these lanes. */
static bool named_misses(struct uninitialised *u, struct shadow *s, const struct named *r, uint64_t lanes)
{
    if (r->n < 64) return any_words(s->missing + r->at, r->n);
    if (!r->laned || lanes == UINT64_MAX) return uninitialised_any_missing(u, s, r->at, r->n);
    if (!s->some[block_of(u, r->at)] && !s->some[block_of(u, r->at + r->n - 1)]) return false;
    const uint32_t *mask = mask_of(u, lanes), *missing = s->missing + r->at;
    four all = {0};
    for (unsigned i = 0; i < 64; i += 4) all |= *(const four *)(missing + i) & *(const four *)(mask + i);
    return (all[0] | all[1] | all[2] | all[3]) != 0;
}

bool uninitialised_quickly(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s,
    const struct gpudbg_insn *insn, const struct plan *plan)
{
    const uint64_t lanes = w->machine->isa->run->active(w);
    bool clears = false, stores = false;
    for (unsigned i = 0; i < plan->n; i++) {
        if (!named_misses(u, s, &plan->of[i], lanes)) continue;
        if (plan->of[i].reads && !(plan->of[i].data && plan->copied)) return false;
        clears |= plan->of[i].writes;
        stores |= plan->of[i].data;
    }
    u->missing.n = u->held.stored.n = 0;
    if (plan->does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE) && (stores || unwritten_any(u->memory)))
        memory_hold(u, w, insn, plan);
    for (unsigned i = 0; clears && i < plan->n; i++) {
        const struct named *r = &plan->of[i];
        if (!r->writes) continue;
        if (!r->laned || lanes == UINT64_MAX) memset(s->missing + r->at, 0, r->n * sizeof *s->missing);
        for (uint64_t m = lanes; r->laned && m; m &= m - 1) s->missing[r->at + (unsigned)__builtin_ctzll(m)] = 0;
    }
    return true;
}
