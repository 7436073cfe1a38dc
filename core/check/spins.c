/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/spins.h"
#include "code/walk.h"
#include "gpudbg/flow.h"

#define INSNS_MOST 128 /* of a loop */
#define DEEP 8         /* computations one after another that may lead to the address */

/* Instructions that are reached from the load, the first. */
struct reached {
    const struct gpudbg_image *image;
    uint64_t pc[INSNS_MOST];
    struct gpudbg_nexts next[INSNS_MOST];
    unsigned n;
};

static unsigned index_of(const struct reached *l, uint64_t pc)
{
    unsigned k = 0;
    while (k < l->n && l->pc[k] != pc) k++;
    return k;
}

static bool reads(const struct gpudbg_operand *o)
{
    return o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_READ && !(o->flags & GPUDBG_IMPLICIT);
}

static bool writes(const struct gpudbg_insn *insn, unsigned file, unsigned reg)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && o->file == file && o->reg <= reg &&
            reg < o->reg + (o->count ? o->count : 1u))
            return true;
    }
    return false;
}

/* Whether the instruction writes a register that the load reads. */
static bool moves(const struct gpudbg_insn *insn, const struct gpudbg_insn *load)
{
    for (unsigned i = 0; i < load->noperands; i++) {
        const struct gpudbg_operand *o = &load->operands[i];
        for (unsigned r = 0; reads(o) && r < (o->count ? o->count : 1u); r++)
            if (writes(insn, o->file, o->reg + r)) return true;
    }
    return false;
}

static bool same_sources(const struct reached *, const struct gpudbg_insn *, unsigned at, unsigned depth);

/* Whether the register holds the same in each round when instruction number `to` begins: the loop does not write it, or
 * computes it anew from registers that are the same. */
static bool same_register(const struct reached *l, unsigned file, unsigned reg, unsigned to, unsigned depth)
{
    bool seen[INSNS_MOST] = {false};
    unsigned list[INSNS_MOST], n = 0;
    struct gpudbg_insn insn;
    list[n++] = to;
    for (unsigned i = 0; i < n; i++)
        for (unsigned from = 0; from < l->n; from++) {
            bool leads = false;
            for (unsigned k = 0; k < l->next[from].n; k++) leads |= l->next[from].to[k] == l->pc[list[i]];
            if (!leads || seen[from]) continue;
            seen[from] = true;
            if (!insn_at(l->image, l->pc[from], &insn)) return false;
            if (!writes(&insn, file, reg))
                list[n++] = from;
            else if (gpudbg_insn_does(&insn) & GPUDBG_OP_LOAD || !depth || !same_sources(l, &insn, from, depth - 1))
                return false;
        }
    return true;
}

static bool same_sources(const struct reached *l, const struct gpudbg_insn *insn, unsigned at, unsigned depth)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        for (unsigned r = 0; reads(o) && r < (o->count ? o->count : 1u); r++)
            if (!same_register(l, o->file, o->reg + r, at, depth)) return false;
    }
    return true;
}

/* Finds what is reached from the load, up to what ends a wait and, if `still`, up to writes of its address.  Whether
 * that is the load again. */
static bool reach(
    struct reached *l, const struct gpudbg_insn *load, bool still, bool (*shares)(void *with, uint64_t pc), void *with)
{
    const uint64_t ends = GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_CALL | GPUDBG_OP_RETURN;
    struct gpudbg_insn insn;
    bool back = false;
    l->n = 1;
    l->pc[0] = load->addr;
    for (unsigned at = 0; at < l->n; at++) {
        l->next[at].n = 0;
        if (!insn_at(l->image, l->pc[at], &insn) || (still && moves(&insn, load))) continue;
        const uint64_t does = gpudbg_insn_does(&insn);
        if (at && (does & ends || (does & GPUDBG_OP_STORE && shares(with, l->pc[at])))) continue;
        gpudbg_insn_nexts(&insn, &l->next[at]);
        for (unsigned i = 0; i < l->next[at].n; i++) {
            back |= l->next[at].to[i] == load->addr;
            if (l->n < INSNS_MOST && index_of(l, l->next[at].to[i]) == l->n) l->pc[l->n++] = l->next[at].to[i];
        }
    }
    return back;
}

bool spins(const struct gpudbg_image *image, uint64_t pc, bool (*shares)(void *with, uint64_t pc), void *with)
{
    struct reached l = {.image = image};
    struct gpudbg_insn load;
    if (!insn_at(image, pc, &load)) return false;
    return reach(&l, &load, true, shares, with) ||
           (reach(&l, &load, false, shares, with) && same_sources(&l, &load, 0, DEEP));
}

/* ---- What is only tested ---- */

/* What an instruction does with a register. */
struct use {
    bool reads, writes;
    bool tests; /* it makes a bit for each lane of what it reads */
};

static struct use use_of(const struct gpudbg_insn *insn, unsigned file, unsigned reg)
{
    const uint64_t others = GPUDBG_OP_COPY | GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE;
    struct use u = {.tests = insn->op->flags & GPUDBG_OP_VECTOR && !(gpudbg_insn_does(insn) & others)};
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER) continue;
        if (o->flags & GPUDBG_WRITE && insn->isa->files[o->file].lanes > 1) u.tests = false;
        if (o->file != file) continue;
        u.reads |= o->index >= 0;
        if (reg < o->reg || reg - o->reg >= (o->count ? o->count : 1u)) continue;
        u.reads |= o->flags & GPUDBG_READ;
        u.writes |= o->flags & GPUDBG_WRITE;
    }
    return u;
}

static void add_nexts(struct reached *l, const struct gpudbg_insn *insn)
{
    struct gpudbg_nexts next;
    gpudbg_insn_nexts(insn, &next);
    for (unsigned i = 0; i < next.n && l->n < INSNS_MOST; i++)
        if (index_of(l, next.to[i]) == l->n) l->pc[l->n++] = next.to[i];
}

/* Follows one register from the load on.  *tested: an instruction tests it. */
static bool follow(const struct gpudbg_image *image, const struct gpudbg_insn *load, const struct gpudbg_operand *to,
    unsigned reg, bool *tested)
{
    struct reached l = {.image = image};
    struct gpudbg_insn insn;
    add_nexts(&l, load);
    for (unsigned at = 0; at < l.n; at++) {
        if (!insn_at(image, l.pc[at], &insn) || gpudbg_insn_does(&insn) & (GPUDBG_OP_CALL | GPUDBG_OP_RETURN))
            return false;
        const struct use u = use_of(&insn, to->file, reg);
        if (u.reads && !u.tests) return false;
        *tested |= u.reads;
        if (!u.writes && !(gpudbg_insn_does(&insn) & GPUDBG_OP_END)) add_nexts(&l, &insn);
    }
    return l.n < INSNS_MOST;
}

bool only_tested(const struct gpudbg_image *image, uint64_t pc, bool *lanes)
{
    struct gpudbg_insn load;
    const struct gpudbg_operand *to = NULL;
    bool tested = false;
    *lanes = false;
    if (!insn_at(image, pc, &load) || load.isa->regions.footprints) return false;
    for (unsigned i = 0; i < load.noperands; i++)
        if (load.operands[i].kind == GPUDBG_REGISTER && load.operands[i].flags & GPUDBG_WRITE) to = &load.operands[i];
    *lanes = to && load.isa->files[to->file].lanes > 1;
    for (unsigned r = 0; to && r < (to->count ? to->count : 1u); r++)
        if (to->index >= 0 || !follow(image, &load, to, to->reg + r, &tested)) return false;
    return tested;
}
