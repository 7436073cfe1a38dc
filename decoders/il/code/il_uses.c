/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_uses.c: registers and masks that instructions use, for live registers (gpudbg/uses.h).  Temporaries and the
 * address register are followed, a component each; indexed temporaries are not, since an index decides which they are.
 */
#include <string.h>
#include "il.h"

static bool follows(unsigned file) { return file == IL_REG_TEMP || file == IL_REG_ADDR; }

/* Whether lanes read values of their neighbours: differences, and the level of detail of samples. */
static bool crosses_lanes(const struct gpudbg_op *op)
{
    static const char *const parts[] = {"dsx", "dsy", "sample", "tex", "lod", "eval", "fwidth"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(op->name, parts[i], strlen(parts[i])) == 0) return true;
    return false;
}

static void use(struct gpudbg_uses *u, unsigned type, uint32_t number, unsigned components, unsigned flags)
{
    if (!follows(type) || number >= 0x4000) return;
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            gpudbg_use_add(u, (struct gpudbg_use){.file = (uint8_t)type,
                                  .flags = (uint8_t)flags,
                                  .lane = GPUDBG_USE_OWN,
                                  .n = 1,
                                  .at = number * 4 + c});
}

/* A source's components: those of the slots that count; the swizzle says which. */
static unsigned selected(const struct il_operand *o, unsigned slots)
{
    unsigned used = 0;
    for (unsigned i = 0; i < 4; i++)
        if (slots >> i & 1 && o->select[i] < 4) used |= 1u << o->select[i];
    return used;
}

/* Operations that may leave components of their result as they were. */
static bool keeps(const struct gpudbg_op *op)
{
    const unsigned code = il_code(op);
    return strncmp(op->name, "tex", 3) == 0 || code == IL_OP_CMOV || code == IL_OP_MMUL || code == IL_OP_TRANSPOSE ||
           code == IL_OP_DET;
}

static void use_indices(struct gpudbg_uses *u, const struct il_operand *o)
{
    for (unsigned d = 0; d < o->dimensions && d < 2; d++) {
        if (!o->index[d].relative || o->index[d].loop) continue;
        const struct il_operand index = il_index_register(&o->index[d]);
        use(u, index.type, index.number, 15, GPUDBG_USE_READ);
    }
}

static void uses(const struct gpudbg_insn *insn, struct gpudbg_uses *u)
{
    struct il_packet p;
    u->n = 0; /* operands of core hold at most two runs of components */
    if (insn->op->id >= IL_ROW_LANGUAGE || il_unpack(insn->raw, insn->size, &p) <= 0) return;
    const struct il_arithmetic *alu = &p.row->alu;
    const unsigned code = il_code(insn->op);
    const bool cross = crosses_lanes(insn->op), call = code == IL_OP_MACROCALL;
    unsigned written = 0;
    u->nest = (uint8_t)il_nest_of(code);
    if (insn->op->flags & IL_DECLARES) return;
    for (uint32_t i = 0; i < p.noperands; i++) {
        const struct il_operand *o = &p.operand[i];
        use_indices(u, o);
        if (!o->is_dst) continue;
        unsigned set = 0;
        for (unsigned c = 0; c < 4; c++) set |= (unsigned)(o->select[c] != 0) << c;
        written |= set;
        /* A macro's results come when it ends; what an operation has no result for keeps its value. */
        const bool part = call || keeps(insn->op) || (alu->sources && (set & ~(unsigned)alu->writes));
        if (!o->dimensions) use(u, o->type, o->number, set, GPUDBG_USE_WRITE | (part ? GPUDBG_USE_PART : 0));
    }
    const unsigned slots = alu->sources && alu->apart ? written : 15;
    for (uint32_t i = 0; i < p.noperands; i++) {
        const struct il_operand *o = &p.operand[i];
        if (!o->is_dst && !o->dimensions)
            use(u, o->type, o->number, selected(o, slots), GPUDBG_USE_READ | (cross ? GPUDBG_USE_ALL : 0));
    }
    /* Matrices are four registers from the one that is named (7.11); core's operands have them. */
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || o->count < 16 || !follows(o->file)) continue;
        const unsigned flags = o->flags & GPUDBG_WRITE ? GPUDBG_USE_WRITE | GPUDBG_USE_PART : GPUDBG_USE_READ;
        for (unsigned k = 0; k < 4; k++) use(u, o->file, o->reg / 4u + k, 15, flags);
    }
}

const struct gpudbg_using il_uses = {.follows = follows, .uses = uses};

/* ---- What the work is ---- */

/* By which unit an instruction is done.  No source says for how long: IL is compiled for a chip first. */
static void cost(const struct gpudbg_insn *insn, struct gpudbg_cost *c)
{
    const uint64_t does = gpudbg_insn_does(insn);
    const bool local = strncmp(insn->op->name, "lds_", 4) == 0;
    c->times = 0;
    if (does & IL_DECLARES)
        c->work = GPUDBG_WORK_OTHER;
    else if (does & (GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT))
        c->work = GPUDBG_WORK_WAIT;
    else if (does & (GPUDBG_OP_BRANCH | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END | GPUDBG_OP_OPEN |
                        GPUDBG_OP_MIDDLE | GPUDBG_OP_CLOSE))
        c->work = GPUDBG_WORK_BRANCH;
    else if (does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))
        c->work = local ? GPUDBG_WORK_LOCAL : GPUDBG_WORK_MEMORY;
    else
        c->work = does & GPUDBG_OP_MESSAGE ? GPUDBG_WORK_EXPORT : GPUDBG_WORK_VECTOR;
}

const struct gpudbg_costing il_costs = {.cost = cost};
