/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_indexed.c: finds the place that the address of an indexed access to scratch is made from: gpudbg_dwarf.indexed.
 *
 * LLVM makes the address of an element as `v_add_i32 vA, 12, vI`, on RDNA also `v_lshl_add_u32 vA, vI, 2, 12`: the
 * place of the array in the frame, and the index times the size of an element.  Places of variables become constants
 * after the last pass that adds constants up, so a separate constant next to scaled values is such a place.  Only code
 * in one piece is followed, back from the access: not over the target of a jump, a call, or a change of EXEC.
 */
#include <stdlib.h>
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "engine/gcn_exec.h"

#define BACK 64     /* instructions that are followed */
#define TERMS 16    /* most terms of a sum that wait */
#define TARGETS 512 /* of a function */
#define FRAME 33 /* s33: bytes of the whole wave, its lanes times those of a lane; for scratch words bytes of a lane */

struct piece {
    struct gpudbg_insn insn[BACK];
    unsigned n;
};

/* The terms whose sum is an address. */
struct sum {
    unsigned constants; /* how many */
    int64_t constant;   /* the last */
    bool scaled, framed, lost;
};

/* ---- The piece of code before an access ---- */

static bool is_target(const struct gpudbg_skim *s, uint64_t addr)
{
    for (size_t i = 0; i < s->ntargets; i++)
        if (s->targets[i] == addr) return true;
    return false;
}

static bool ends_piece(const struct gpudbg_insn *insn)
{
    const uint64_t flags = insn->op->flags;
    if (flags & (GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END | GCN_EXEC_W)) return true;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_WRITE && insn->operands[i].file == GCN_FILE_EXEC) return true;
    return flags & GPUDBG_OP_BRANCH && !(flags & GPUDBG_OP_COND);
}

/* The instructions before pc that are always executed before it, the latest BACK of them, and the one at pc last. */
static bool piece_before(const struct gpudbg_image *image, uint64_t from, uint64_t to, uint64_t pc, struct piece *p,
    struct gpudbg_insn *last)
{
    uint64_t target[TARGETS];
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, from, &n);
    if (!bytes || to <= from || to - from > n || pc < from || pc >= to) return false;
    const size_t size = (size_t)(to - from);
    struct gpudbg_skim skim = {.starts = calloc(size / 32 + 1, 1), .targets = target, .room = TARGETS};
    const bool whole = skim.starts && gcn_skim(image->isa, bytes, size, from, &skim) + 4 > size;
    free(skim.starts);
    if (!whole) return false;
    p->n = 0;
    for (uint64_t at = from; at <= pc; at += last->size) {
        if (is_target(&skim, at)) p->n = 0;
        if (!gpudbg_insn_at(image->isa, bytes + (at - from), (size_t)(to - at), at, last)) return false;
        if (at == pc) return true;
        if (ends_piece(last))
            p->n = 0;
        else
            p->insn[p->n++ % BACK] = *last;
    }
    return false;
}

/* ---- Sums ---- */

static bool writes(const struct gpudbg_insn *insn, const struct gpudbg_operand *of)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && o->file == of->file && of->reg >= o->reg &&
            of->reg < o->reg + (o->count ? o->count : 1))
            return true;
    }
    return false;
}

/* The i-th operand that is read. */
static const struct gpudbg_operand *source(const struct gpudbg_insn *insn, unsigned i)
{
    for (unsigned k = 0; k < insn->noperands; k++)
        if (insn->operands[k].flags & GPUDBG_READ && !(insn->operands[k].flags & GPUDBG_IMPLICIT) && !i--)
            return &insn->operands[k];
    return NULL;
}

static bool is_frame(const struct gpudbg_operand *o) { return o && o->file == GCN_FILE_S && o->reg == FRAME; }

/* From bytes of the whole wave to those of a lane. */
static unsigned lane_shift(const struct gpudbg_isa *isa) { return isa->lanes == 32 ? 5 : 6; }

static bool is_lane_shift(const struct gpudbg_isa *isa, const struct gpudbg_operand *o)
{
    return o && (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_LITERAL) && o->imm == lane_shift(isa);
}

/* Operands whose values are still to be added, each with its value before instruction number `before`. */
struct summing {
    const struct piece *piece;
    bool by_lane; /* the frame counts bytes of a lane: it is a term as it is */
    struct sum sum;
    struct term {
        const struct gpudbg_operand *operand;
        unsigned before;
    } term[TERMS];
    unsigned n;
};

static void add_term(struct summing *s, const struct gpudbg_operand *o, unsigned before)
{
    if (!o || s->n == TERMS)
        s->sum.lost = true;
    else
        s->term[s->n++] = (struct term){o, before};
}

/* Adds the result of instruction number i of the piece. */
static void add_result(struct summing *s, unsigned i)
{
    const struct gpudbg_insn *insn = &s->piece->insn[i % BACK];
    switch (insn->op->id) {
    case GCN_v_mov_b32:
    case GCN_s_mov_b32: add_term(s, source(insn, 0), i); return;
    case GCN_v_add_i32:
    case GCN_v_add_nc_u32:
    case GCN_s_add_i32:
        add_term(s, source(insn, 0), i);
        add_term(s, source(insn, 1), i);
        return;
    case GCN_v_lshl_b32:
    case GCN_v_lshlrev_b32:
    case GCN_s_lshl_b32:
    case GCN_v_mul_lo_u32:
    case GCN_v_mul_lo_i32:
    case GCN_v_mul_u32_u24:
    case GCN_v_mul_i32_i24:
    case GCN_s_mul_i32: s->sum.scaled = true; return;
    case GCN_v_mad_u32_u24:
    case GCN_v_mad_i32_i24:
    case GCN_v_lshl_add_u32:
        s->sum.scaled = true;
        add_term(s, source(insn, 2), i);
        return;
    case GCN_s_lshr_b32:
        s->sum.framed = true;
        s->sum.lost |= s->by_lane || !is_frame(source(insn, 0)) || !is_lane_shift(insn->isa, source(insn, 1));
        return;
    case GCN_v_lshrrev_b32:
        s->sum.framed = true;
        s->sum.lost |= s->by_lane || !is_frame(source(insn, 1)) || !is_lane_shift(insn->isa, source(insn, 0));
        return;
    default: s->sum.lost = true; return;
    }
}

static void add_register(struct summing *s, const struct gpudbg_operand *o, unsigned before)
{
    const unsigned oldest = s->piece->n > BACK ? s->piece->n - BACK : 0;
    for (unsigned i = before; o->kind == GPUDBG_REGISTER && i-- > oldest;)
        if (writes(&s->piece->insn[i % BACK], o)) {
            add_result(s, i);
            return;
        }
    if (s->by_lane && is_frame(o) && !s->sum.framed)
        s->sum.framed = true;
    else
        s->sum.lost = true;
}

static struct sum sum_of(const struct piece *p, const struct gpudbg_operand *o, bool by_lane)
{
    struct summing s = {.piece = p, .by_lane = by_lane};
    add_term(&s, o, p->n);
    while (s.n && !s.sum.lost) {
        const struct term t = s.term[--s.n];
        if (t.operand->kind == GPUDBG_INTEGER || t.operand->kind == GPUDBG_LITERAL) {
            s.sum.constants++;
            s.sum.constant = t.operand->imm;
        } else {
            add_register(&s, t.operand, t.before);
        }
    }
    return s.sum;
}

/* ---- An access ---- */

/* The access of an instruction whose address is a VGPR, bytes of the lane's own memory, and a constant. */
static bool access_of(const struct gpudbg_insn *insn, unsigned *vgpr, int64_t *offset)
{
    const uint64_t w = word_of(insn);
    switch (insn->variant) {
    case GCN_MUBUF:
        *vgpr = GET(w, MUBUF, vaddr);
        *offset = GET(w, MUBUF, offset);
        return GET(w, MUBUF, offen) && !GET(w, MUBUF, idxen) && GET(w, MUBUF, soffset) == GCN_CODE_INT;
    case GCN_MUBUF_NEWER:
        *vgpr = GET(w, MUBUF_NEWER, vaddr);
        *offset = GET(w, MUBUF_NEWER, offset);
        return GET(w, MUBUF_NEWER, offen) && !GET(w, MUBUF_NEWER, idxen) &&
               GET(w, MUBUF_NEWER, soffset) == GCN_CODE_INT;
    case GCN_SCRATCH:
        *vgpr = GET(w, FLAT_NEWER, addr);
        *offset = memory_offset(&(struct decoder){.encoding = GCN_SCRATCH, .word = w});
        return has_vaddr(gcn_chip_of(insn->isa), GCN_SCRATCH, w) && *offset >= 0;
    default: return false;
    }
}

bool gcn_indexed(
    const struct gpudbg_image *image, uint64_t from, uint64_t to, uint64_t pc, struct gpudbg_indexed *found)
{
    struct piece *p = malloc(sizeof *p);
    struct gpudbg_insn insn;
    struct sum sum = {.lost = true};
    unsigned vgpr;
    int64_t offset;
    if (p && piece_before(image, from, to, pc, p, &insn) && access_of(&insn, &vgpr, &offset)) {
        const bool by_lane = insn.variant == GCN_SCRATCH;
        const struct gpudbg_operand o = {
            .kind = GPUDBG_REGISTER, .file = GCN_FILE_V, .reg = (uint16_t)vgpr, .count = 1};
        sum = sum_of(p, &o, by_lane);
        *found = (struct gpudbg_indexed){.file = GCN_FILE_V,
            .reg = o.reg,
            .offset = (uint32_t)offset,
            .base = (uint64_t)sum.constant,
            .framed = sum.framed,
            .frame_file = GCN_FILE_S,
            .frame_reg = FRAME,
            .frame_shift = by_lane ? 0 : lane_shift(insn.isa)};
    }
    free(p);
    return !sum.lost && sum.scaled && sum.constants == 1 && sum.constant >= 0;
}
