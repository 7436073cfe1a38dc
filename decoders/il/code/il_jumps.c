/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_jumps.c: where control goes in a program (gpudbg_isa.jumps).  Instructions name no targets: blocks are nested in
 * the text, so all of it is read.
 *
 * Where no lane is left, a wave goes on at the next place in the innermost block where one may come back: the else, a
 * label, the end of the block.  So whatever takes lanes away, and whatever ends a block, may lead there, too (7.4).
 */
#include <stdlib.h>
#include "il.h"

#define NO_OP UINT32_MAX

struct op {
    uint64_t addr;
    uint32_t size, block; /* block: the op that opens the innermost block around it */
    uint32_t close;       /* of an opener: the op that closes it; NO_OP: none does */
    uint32_t part;        /* of an opener, an else or a label: the next else, label or end of the block */
    uint16_t code;
    uint32_t leave, end_all; /* ops before it that take lanes out of blocks; ... out of all blocks or the function */
    uint32_t label;          /* of func, call, mdef and mcall: the number */
};

struct reading {
    struct op *op;
    uint32_t n, room, end; /* end: the op that ends the main program */
};

static bool is_if(unsigned code)
{
    return code == IL_OP_IFC || code == IL_OP_IFNZ || code == IL_OP_IF_LOGICALZ || code == IL_OP_IF_LOGICALNZ;
}
static bool is_loop(unsigned code) { return code == IL_OP_LOOP || code == IL_OP_WHILE; }
static bool is_phase(unsigned code)
{
    return code == IL_OP_HS_CP_PHASE || code == IL_OP_HS_FORK_PHASE || code == IL_OP_HS_JOIN_PHASE;
}
static bool is_call(unsigned code)
{
    return code == IL_OP_CALL || code == IL_OP_CALLNZ || code == IL_OP_CALL_LOGICALZ || code == IL_OP_CALL_LOGICALNZ ||
           code == IL_OP_FCALL;
}
static bool is_return(unsigned code)
{
    return code == IL_OP_RET || code == IL_OP_RET_DYN || code == IL_OP_RET_LOGICALZ || code == IL_OP_RET_LOGICALNZ;
}
static bool is_break(unsigned code)
{
    return code == IL_OP_BREAK || code == IL_OP_BREAKC || code == IL_OP_BREAK_LOGICALZ || code == IL_OP_BREAK_LOGICALNZ;
}
static bool is_continue(unsigned code)
{
    return code == IL_OP_CONTINUE || code == IL_OP_CONTINUEC || code == IL_OP_CONTINUE_LOGICALZ ||
           code == IL_OP_CONTINUE_LOGICALNZ;
}
static bool is_label(unsigned code) { return code == IL_OP_CASE || code == IL_OP_DEFAULT; }
static bool always(unsigned code)
{
    return code == IL_OP_BREAK || code == IL_OP_CONTINUE || code == IL_OP_RET || code == IL_OP_RET_DYN;
}

/* ---- Reading ---- */

static bool add(struct reading *r, const struct gpudbg_insn *insn)
{
    struct il_packet p;
    if (r->n == r->room) {
        const uint32_t room = r->room ? 2 * r->room : 256;
        struct op *more = realloc(r->op, room * sizeof *more);
        if (!more) return false;
        r->op = more;
        r->room = room;
    }
    struct op *op = &r->op[r->n++];
    *op = (struct op){.addr = insn->addr, .size = insn->size, .close = NO_OP, .part = NO_OP, .block = NO_OP};
    if (!insn->op || insn->op->id >= IL_ROW_LANGUAGE || il_unpack(insn->raw, insn->size, &p) <= 0) return true;
    op->code = il_code(insn->op);
    if (op->code == IL_OP_MACRODEF || op->code == IL_OP_MACROCALL)
        op->label = p.code >> 16 & 0x3fff;
    else if (p.nextra)
        op->label = il_extra(&p, 0);
    if ((op->code == IL_OP_END || op->code == IL_OP_ENDMAIN) && r->end == NO_OP) r->end = r->n - 1;
    return true;
}

static bool read_all(
    struct reading *r, const struct gpudbg_isa *isa, const uint8_t *bytes, uint64_t size, uint64_t base)
{
    struct gpudbg_insn insn;
    for (uint64_t at = 0; at < size; at += insn.size) {
        gpudbg_insn_at(isa, bytes + at, (size_t)(size - at), base + at, &insn);
        if (!add(r, &insn)) return false;
        if (insn.op && insn.op->id < IL_ROW_LANGUAGE && il_code(insn.op) == IL_OP_END) break;
    }
    return true;
}

/* Whether a ret is the last of its function. */
static bool ends_function(const struct reading *r, uint32_t at)
{
    return at + 1 >= r->n || r->op[at + 1].code == IL_OP_FUNC || r->op[at + 1].code == IL_OP_END ||
           r->op[at + 1].code == IL_OP_ENDFUNC;
}

static bool closes(const struct reading *r, uint32_t at, unsigned opener)
{
    switch (r->op[at].code) {
    case IL_OP_ENDIF: return is_if(opener);
    case IL_OP_ENDLOOP: return is_loop(opener);
    case IL_OP_ENDSWITCH: return opener == IL_OP_SWITCH;
    case IL_OP_MACROEND: return opener == IL_OP_MACRODEF;
    case IL_OP_ENDPHASE: return is_phase(opener);
    case IL_OP_ENDFUNC: return opener == IL_OP_FUNC;
    case IL_OP_RET: return opener == IL_OP_FUNC && ends_function(r, at) && r->op[at + 1].code != IL_OP_ENDFUNC;
    default: return false;
    }
}

static bool opens(unsigned code)
{
    return is_if(code) || is_loop(code) || is_phase(code) || code == IL_OP_SWITCH || code == IL_OP_FUNC ||
           code == IL_OP_MACRODEF;
}

static bool ends_lanes(unsigned code)
{
    return is_return(code) || code == IL_OP_KILL || code == IL_OP_DISCARD_LOGICALZ || code == IL_OP_DISCARD_LOGICALNZ;
}

static void count_leaving(struct reading *r)
{
    uint32_t leave = 0, all = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const unsigned code = r->op[i].code;
        r->op[i].leave = leave;
        r->op[i].end_all = all;
        all += ends_lanes(code) || is_call(code) || code == IL_OP_MACROCALL;
        leave += ends_lanes(code) || is_call(code) || code == IL_OP_MACROCALL || is_break(code) || is_continue(code);
    }
}

/* Finds the block around each op.  Ends without a start, and starts without an end, are left alone. */
static void link_blocks(struct reading *r)
{
    uint32_t open = NO_OP;
    for (uint32_t i = 0; i < r->n; i++) {
        struct op *op = &r->op[i];
        op->block = open;
        if (open != NO_OP && closes(r, i, r->op[open].code)) {
            r->op[open].close = i;
            open = r->op[open].block;
            op->block = open;
        }
        if (opens(op->code)) open = i;
    }
    /* Parts of blocks, the last one first. */
    for (uint32_t i = r->n; i-- > 0;) {
        struct op *op = &r->op[i];
        if ((op->code != IL_OP_ELSE && !is_label(op->code)) || op->block == NO_OP) continue;
        struct op *opener = &r->op[op->block];
        op->part = opener->part == NO_OP ? opener->close : opener->part;
        opener->part = i;
    }
    for (uint32_t i = 0; i < r->n; i++)
        if (opens(r->op[i].code) && r->op[i].part == NO_OP) r->op[i].part = r->op[i].close;
}

/* ---- Where an op leads ---- */

/* Where a wave without lanes goes on from op i. */
static uint32_t skip_from(const struct reading *r, uint32_t i)
{
    uint32_t block = r->op[i].block;
    if (opens(r->op[i].code) && r->op[i].code != IL_OP_FUNC) return r->op[i].part;
    if (block == NO_OP) return r->end;
    const struct op *opener = &r->op[block];
    if (!is_if(opener->code) && opener->code != IL_OP_SWITCH) return opener->close;
    uint32_t part = opener->part;
    while (part != NO_OP && part <= i && part != opener->close) part = r->op[part].part;
    return part;
}

static uint32_t function_named(const struct reading *r, unsigned code, uint32_t label)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->op[i].code == code && r->op[i].label == label) return i;
    return NO_OP;
}

static void lead(const struct reading *r, struct gpudbg_nexts *to, uint32_t op)
{
    if (op == NO_OP) {
        to->unknown = true;
        return;
    }
    for (unsigned i = 0; i < to->n; i++)
        if (to->to[i] == r->op[op].addr) return;
    if (to->n < GPUDBG_NEXTS) to->to[to->n++] = r->op[op].addr;
}

/* The op whose block op i ends; NO_OP: it ends none. */
static uint32_t opener_of(const struct reading *r, uint32_t i)
{
    for (uint32_t k = i; k-- > 0;)
        if (r->op[k].close == i) return k;
    return NO_OP;
}

/* Whether no lane may be left after op i, which ends a block: some left from inside, and they do not come back here. */
static bool may_be_empty(const struct reading *r, uint32_t i)
{
    const uint32_t opener = opener_of(r, i);
    if (opener == NO_OP) return true;
    return r->op[i].code == IL_OP_ENDLOOP ? r->op[opener].end_all != r->op[i].end_all
                                          : r->op[opener].leave != r->op[i].leave;
}

/* false: it only goes on. */
static bool leads(const struct reading *r, uint32_t i, struct gpudbg_nexts *to)
{
    const struct op *op = &r->op[i];
    const unsigned code = op->code;
    const bool inside = op->block != NO_OP && r->op[op->block].code == IL_OP_FUNC;
    *to = (struct gpudbg_nexts){.n = 0};
    if (code == IL_OP_END || code == IL_OP_ENDMAIN) return true;
    if (is_call(code) || code == IL_OP_MACROCALL) {
        to->call = true;
        if (code == IL_OP_FCALL)
            to->unknown = true;
        else
            lead(r, to, function_named(r, code == IL_OP_MACROCALL ? IL_OP_MACRODEF : IL_OP_FUNC, op->label));
    } else if (code == IL_OP_ENDFUNC || code == IL_OP_MACROEND) {
        to->returns = true;
        return true;
    } else if (is_return(code)) {
        uint32_t around = op->block;
        while (around != NO_OP && r->op[around].code != IL_OP_FUNC) around = r->op[around].block;
        to->returns = around != NO_OP || (code == IL_OP_RET && ends_function(r, i));
        if (to->returns && (inside || op->block == NO_OP) && always(code)) return true;
    } else if (code == IL_OP_ENDLOOP || code == IL_OP_ENDPHASE) {
        const uint32_t opener = opener_of(r, i);
        lead(r, to, opener == NO_OP ? NO_OP : opener + 1);
    } else if (code == IL_OP_SWITCH) {
        lead(r, to, op->part);
        return true;
    } else if (!opens(code) && code != IL_OP_ELSE && !is_label(code) && !is_break(code) && !is_continue(code) &&
               code != IL_OP_ENDIF && code != IL_OP_ENDSWITCH && code != IL_OP_KILL && code != IL_OP_DISCARD_LOGICALZ &&
               code != IL_OP_DISCARD_LOGICALNZ) {
        return false;
    }
    if (code == IL_OP_WHILE || code == IL_OP_FUNC || code == IL_OP_MACRODEF || is_phase(code)) return false;
    const bool closing = code == IL_OP_ENDIF || code == IL_OP_ENDSWITCH || code == IL_OP_ENDLOOP;
    if (closing && code != IL_OP_ENDLOOP && !may_be_empty(r, i)) return false;
    if (!closing || may_be_empty(r, i)) lead(r, to, skip_from(r, i));
    if (!always(code) && i + 1 < r->n) lead(r, to, i + 1);
    return true;
}

bool il_jumps(
    const struct gpudbg_isa *isa, const uint8_t *bytes, uint64_t size, uint64_t base, gpudbg_jump_fn *each, void *to)
{
    struct reading r = {.end = NO_OP};
    bool good = read_all(&r, isa, bytes, size, base);
    if (good) link_blocks(&r);
    if (good) count_leaving(&r);
    for (uint32_t i = 0; i < r.n && good; i++) {
        struct gpudbg_nexts nexts;
        if (leads(&r, i, &nexts)) good = each(to, r.op[i].addr, &nexts);
    }
    free(r.op);
    return good;
}

/* ---- Masks ---- */

unsigned il_nest_of(unsigned code)
{
    if (is_if(code) || code == IL_OP_SWITCH) return GPUDBG_NEST_OPEN;
    if (code == IL_OP_ELSE || is_label(code)) return GPUDBG_NEST_ELSE;
    if (code == IL_OP_ENDIF || code == IL_OP_ENDSWITCH) return GPUDBG_NEST_CLOSE;
    if (is_loop(code)) return GPUDBG_NEST_LOOP;
    if (code == IL_OP_ENDLOOP) return GPUDBG_NEST_AGAIN;
    if (is_break(code) || is_continue(code) || is_return(code) || is_call(code) || code == IL_OP_MACROCALL ||
        code == IL_OP_KILL || code == IL_OP_DISCARD_LOGICALZ || code == IL_OP_DISCARD_LOGICALNZ)
        return GPUDBG_NEST_LESS;
    return GPUDBG_NEST_NONE;
}
