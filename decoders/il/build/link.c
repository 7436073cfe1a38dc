/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c: blocks and subroutines of a program linked, their stack measured. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"

/* ---- Blocks ---- */

static bool opens(unsigned code)
{
    switch (code) {
    case IL_OP_IFC:
    case IL_OP_IFNZ:
    case IL_OP_IF_LOGICALZ:
    case IL_OP_IF_LOGICALNZ:
    case IL_OP_LOOP:
    case IL_OP_WHILE:
    case IL_OP_SWITCH:
    case IL_OP_FUNC:
    case IL_OP_MACRODEF:
    case IL_OP_HS_CP_PHASE:
    case IL_OP_HS_FORK_PHASE:
    case IL_OP_HS_JOIN_PHASE: return true;
    default: return false;
    }
}

static bool is_if(unsigned code)
{
    return code == IL_OP_IFC || code == IL_OP_IFNZ || code == IL_OP_IF_LOGICALZ || code == IL_OP_IF_LOGICALNZ;
}

static bool is_loop(unsigned code) { return code == IL_OP_LOOP || code == IL_OP_WHILE; }

static bool is_phase(unsigned code)
{
    return code == IL_OP_HS_CP_PHASE || code == IL_OP_HS_FORK_PHASE || code == IL_OP_HS_JOIN_PHASE;
}

static bool unmatched(struct il_making *k, const struct il_exec_op *op)
{
    return gpudbg_fail(k->err, "unmatched-block", "launch: %s at 0x%" PRIx64 " does not follow the start of its block",
        op->row->name, op->pc);
}

/* A ret that ends a subroutine: nothing but another one, endfunc or the end follows. */
static bool closes_function(const struct il *r, uint32_t at)
{
    uint32_t next = at + 1;
    while (next < r->nops && !r->op[next].executable && r->op[next].code != IL_OP_FUNC) next++;
    return next >= r->nops || r->op[next].code == IL_OP_FUNC || r->op[next].code == IL_OP_END;
}

/* Links one op; *open is the innermost block's opener. */
static bool link_op(struct il_making *k, uint32_t at, uint32_t *open)
{
    struct il *r = k->r;
    struct il_exec_op *op = &r->op[at];
    const unsigned code = op->code, outer = *open == IL_NO_OP ? 0 : r->op[*open].code;
    bool close = false, fits = true;
    op->opener = *open;
    switch (code) {
    case IL_OP_ELSE: fits = is_if(outer) && r->op[*open].partner == IL_NO_OP; break;
    case IL_OP_ENDIF: fits = close = is_if(outer); break;
    case IL_OP_ENDLOOP: fits = close = is_loop(outer); break;
    case IL_OP_CASE:
    case IL_OP_DEFAULT: fits = outer == IL_OP_SWITCH; break;
    case IL_OP_ENDSWITCH: fits = close = outer == IL_OP_SWITCH; break;
    case IL_OP_ENDFUNC: fits = close = outer == IL_OP_FUNC; break;
    case IL_OP_RET: close = outer == IL_OP_FUNC && closes_function(r, at); break;
    case IL_OP_MACROEND: fits = close = outer == IL_OP_MACRODEF; break;
    case IL_OP_ENDPHASE: fits = close = is_phase(outer); break;
    default: break;
    }
    if (!fits) return unmatched(k, op);
    if (close || code == IL_OP_ELSE || code == IL_OP_CASE || code == IL_OP_DEFAULT) {
        r->op[k->tail[*open]].partner = at;
        k->tail[*open] = at;
        if (close) *open = r->op[*open].opener;
    }
    if (opens(code)) {
        k->tail[at] = at;
        *open = at;
    }
    return true;
}

/* break and continue need a loop or switch around them in the same subroutine. */
static bool check_jump(struct il_making *k, const struct il_exec_op *op)
{
    const char *name = op->row->name;
    const bool breaks = strncmp(name, "break", 5) == 0, continues = strncmp(name, "continue", 8) == 0;
    if (!breaks && !continues) return true;
    for (uint32_t at = op->opener; at != IL_NO_OP && k->r->op[at].code != IL_OP_FUNC; at = k->r->op[at].opener)
        if (is_loop(k->r->op[at].code) || (breaks && k->r->op[at].code == IL_OP_SWITCH)) return true;
    return unmatched(k, op);
}

/* ---- Subroutines ---- */

static bool link_call(struct il_making *k, struct il_exec_op *op)
{
    struct il *r = k->r;
    const unsigned code = op->code;
    if (code == IL_OP_CALL || code == IL_OP_CALLNZ || code == IL_OP_CALL_LOGICALZ || code == IL_OP_CALL_LOGICALNZ) {
        op->partner = il_function_op(r, op->extra[0]);
        if (op->partner == IL_NO_OP)
            return gpudbg_fail(k->err, "undefined-label", "launch: %s at 0x%" PRIx64 ": there is no func %u",
                op->row->name, op->pc, op->extra[0]);
    }
    if (code == IL_OP_MACROCALL) {
        const uint32_t number = op->control >> 16 & 0x3fff;
        op->partner = k->macro[number];
        if (op->partner == IL_NO_OP || &r->op[r->op[op->partner].partner] > op)
            return gpudbg_fail(k->err, "undefined-label",
                "launch: mcall at 0x%" PRIx64 ": there is no mdef %u before it", op->pc, number);
    }
    return true;
}

bool il_link(struct il_making *k)
{
    struct il *r = k->r;
    uint32_t open = IL_NO_OP, next = IL_NO_OP, depth = 0;
    r->end = IL_NO_OP;
    for (uint32_t i = 0; i < r->nops; i++) r->op[i].partner = IL_NO_OP;
    r->function = il_alloc(r, (r->nops + 1) * sizeof *r->function);
    k->tail = il_alloc(r, (r->nops + 1) * sizeof *k->tail);
    k->macro = il_alloc(r, 0x4000 * sizeof *k->macro);
    if (!r->function || !k->tail || !k->macro) return il_no_memory(k);
    memset(k->macro, 0xff, 0x4000 * sizeof *k->macro);
    for (uint32_t i = 0; i < r->nops; i++) {
        struct il_exec_op *op = &r->op[i];
        if (!link_op(k, i, &open) || !check_jump(k, op)) return false;
        if (op->code == IL_OP_MACRODEF && k->macro[op->control >> 16 & 0x3fff] == IL_NO_OP)
            k->macro[op->control >> 16 & 0x3fff] = i;
        depth += opens(op->code) ? 1 : 0;
        depth -= depth && op->opener != IL_NO_OP && op->opener != open && !opens(op->code) ? 1 : 0;
        if (depth > IL_STACK / 8)
            return gpudbg_fail(k->err, "too-large", "launch: blocks nest too deep: more than %d", IL_STACK / 8);
        if (op->code == IL_OP_FUNC) r->function[r->nfunctions++] = (struct il_function){op->extra[0], i};
        if ((op->code == IL_OP_ENDMAIN || op->code == IL_OP_END) && r->end == IL_NO_OP) r->end = i;
    }
    if (r->nfunctions) qsort(r->function, r->nfunctions, sizeof *r->function, il_by_label);
    if (open != IL_NO_OP)
        return gpudbg_fail(
            k->err, "unclosed-block", "launch: %s at 0x%" PRIx64 " has no end", r->op[open].row->name, r->op[open].pc);
    if (r->end == IL_NO_OP) return gpudbg_fail(k->err, "missing-end", "launch: the program has no end");
    for (uint32_t i = r->nops; i-- > 0;) {
        r->op[i].next = next == IL_NO_OP ? r->end : next;
        if (r->op[i].executable) next = i;
    }
    for (uint32_t i = 0; i < r->nops; i++)
        if (!link_call(k, &r->op[i])) return false;
    r->entry = r->end;
    for (uint32_t i = r->program; i < r->nops && r->entry == r->end; i++)
        if (r->op[i].executable) r->entry = i;
    return true;
}

/* ---- The stack ---- */

/* Deepest use of the stack by blocks between ops `from` and `to`; of calls only the frame is counted. */
static uint32_t stack_of(const struct il *r, uint32_t from, uint32_t to)
{
    uint64_t now = 0, most = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct il_exec_op *op = &r->op[i];
        const uint32_t size = il_frame_size(op->code);
        if (opens(op->code)) {
            now += size;
            most = now > most ? now : most;
        } else if (now + size > most)
            most = now + size; /* a call */
        if (op->code == IL_OP_ENDIF || op->code == IL_OP_ENDLOOP || op->code == IL_OP_ENDSWITCH)
            now -= il_frame_size(r->op[op->opener].code);
    }
    return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

bool il_measure_stack(struct il_making *k)
{
    struct il *r = k->r;
    uint64_t macros = 0, function = 0, main = 0;
    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].code == IL_OP_MACRODEF) /* each may call those before it */
            macros += stack_of(r, i + 1, r->op[i].partner) + il_frame_size(IL_OP_CALL);
    for (uint32_t i = 0; i < r->nfunctions; i++) {
        const uint64_t n = stack_of(r, r->function[i].op + 1, r->op[r->function[i].op].partner);
        function = n > function ? n : function;
    }
    main = stack_of(r, r->program, r->end);
    if (r->nfunctions) function += il_frame_size(IL_OP_FCALL);
    const uint64_t all = main + macros + (r->nfunctions ? (uint64_t)(IL_CALLS + 1) * (function + macros) : 0);
    if (all > IL_STACK)
        return gpudbg_fail(k->err, "too-large", "launch: blocks nest too deep: %" PRIu64 " dwords of stack, at most %d",
            all, IL_STACK);
    r->stack = (uint32_t)(all + 15) & ~15u;
    r->rows = (IL_HEADER + r->stack + 63) & ~63u;
    return true;
}
