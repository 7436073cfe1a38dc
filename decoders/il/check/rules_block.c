/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_block.c: blocks and subroutines.  Manual: AMD IL 2.4, 7.4 and 4.1. */
#include <inttypes.h>
#include <stdlib.h>
#include "check/rules_inside.h"

enum kind { NONE, IF, LOOP, SWITCH, FUNC, MACRO, PHASE };

static enum kind opens(unsigned code)
{
    switch (code) {
    case IL_OP_IFC:
    case IL_OP_IFNZ:
    case IL_OP_IF_LOGICALZ:
    case IL_OP_IF_LOGICALNZ: return IF;
    case IL_OP_LOOP:
    case IL_OP_WHILE: return LOOP;
    case IL_OP_SWITCH: return SWITCH;
    case IL_OP_FUNC: return FUNC;
    case IL_OP_MACRODEF: return MACRO;
    case IL_OP_HS_CP_PHASE:
    case IL_OP_HS_FORK_PHASE:
    case IL_OP_HS_JOIN_PHASE: return PHASE;
    default: return NONE;
    }
}

/* The block that a closer or a middle part belongs to. */
static enum kind belongs(unsigned code)
{
    switch (code) {
    case IL_OP_ELSE:
    case IL_OP_ENDIF: return IF;
    case IL_OP_ENDLOOP: return LOOP;
    case IL_OP_CASE:
    case IL_OP_DEFAULT:
    case IL_OP_ENDSWITCH: return SWITCH;
    case IL_OP_ENDFUNC: return FUNC;
    case IL_OP_MACROEND: return MACRO;
    case IL_OP_ENDPHASE: return PHASE;
    default: return NONE;
    }
}

static struct il_block *top(struct il_rules *r) { return r->nblock ? &r->block[r->nblock - 1] : NULL; }

static bool is_open(const struct il_rules *r, enum kind kind) { return r->open[kind] > 0; }

static void pop(struct il_rules *r) { r->open[opens(r->block[--r->nblock].code)]--; }

static const char *name_of(unsigned code)
{
    const struct gpudbg_op *op = il_op_by_number(code);
    return op ? op->name : "?";
}

static void unclosed(struct il_rules *r, const char *by)
{
    struct il_block *b = top(r);
    il_error(
        r, b->at, "unclosed-block", "the %s of token %" PRIu32 " is not closed before %s", name_of(b->code), b->at, by);
    pop(r);
}

static void push(struct il_rules *r, unsigned code, uint32_t at)
{
    if (r->nblock == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct il_block *grown = realloc(r->block, room * sizeof *grown);
        if (!grown) {
            r->enough = true;
            return;
        }
        r->block = grown;
        r->room = room;
    }
    r->block[r->nblock++] = (struct il_block){.at = at, .code = (uint16_t)code};
    r->open[opens(code)]++;
}

/* A subroutine may end with its ret. */
static void close_returned(struct il_rules *r)
{
    struct il_block *b = top(r);
    if (b && b->code == IL_OP_FUNC && b->returned) pop(r);
}

/* Unwinds to the block of `kind`, which is open. */
static void unwind(struct il_rules *r, enum kind kind, const char *by)
{
    while (opens(top(r)->code) != kind) unclosed(r, by);
}

static void middle_or_close(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    enum kind kind = belongs(il_code(p->op));
    struct il_block *b;
    if (!is_open(r, kind)) {
        il_error(r, at, "unmatched-block", "%s closes a block, and none is open", p->op->name);
        return;
    }
    unwind(r, kind, p->op->name);
    b = top(r);
    if (il_code(p->op) == IL_OP_ELSE) {
        if (b->has_else)
            il_error(r, at, "unmatched-block", "else is the second one of the %s of token %" PRIu32, name_of(b->code),
                b->at);
        b->has_else = true;
    } else if (il_code(p->op) == IL_OP_DEFAULT) {
        if (b->has_default)
            il_warn(r, at, IL_RULE_DEFAULT, "default is the second one of the switch of token %" PRIu32, b->at);
        b->has_default = true;
    } else if (il_code(p->op) != IL_OP_CASE) {
        pop(r);
    }
}

static void breaks(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    switch (il_code(p->op)) {
    case IL_OP_BREAK:
    case IL_OP_BREAKC:
    case IL_OP_BREAK_LOGICALZ:
    case IL_OP_BREAK_LOGICALNZ:
        if (!is_open(r, LOOP) && !is_open(r, SWITCH))
            il_warn(r, at, IL_RULE_BREAK, "%s is outside of loops and switches", p->op->name);
        break;
    case IL_OP_CONTINUE:
    case IL_OP_CONTINUEC:
    case IL_OP_CONTINUE_LOGICALZ:
    case IL_OP_CONTINUE_LOGICALNZ:
        if (!is_open(r, LOOP)) il_warn(r, at, IL_RULE_BREAK, "%s is outside of loops", p->op->name);
        break;
    case IL_OP_FENCE:
        if (p->code >> 16 & 1 && r->nblock)
            il_warn(r, at, IL_RULE_FENCE_FLOW, "fence_threads is inside the %s of token %" PRIu32,
                name_of(top(r)->code), top(r)->at);
        break;
    default: break;
    }
}

static void returns(struct il_rules *r, uint32_t at)
{
    struct il_block *b = top(r);
    if (b && b->code == IL_OP_FUNC)
        b->returned = true;
    else if (b && b->code != IL_OP_MACRODEF && opens(b->code) != PHASE)
        il_warn(r, at, IL_RULE_RETURN, "ret is inside the %s of token %" PRIu32, name_of(b->code), b->at);
}

static bool may_follow_ret(unsigned code)
{
    return code == IL_OP_ENDFUNC || code == IL_OP_FUNC || code == IL_OP_END || code == IL_OP_NOP ||
           code == IL_OP_COMMENT;
}

void il_rules_block(struct il_rules *r, const struct il_packet *p)
{
    unsigned code = il_code(p->op);
    uint32_t at = r->packet + p->at;
    struct il_block *b = top(r);
    if (b && b->code == IL_OP_FUNC && b->returned && !may_follow_ret(code))
        il_error(r, at, "syntax", "%s is between the ret of a subroutine and its endfunc", p->op->name);
    if (code == IL_OP_FUNC || code == IL_OP_END || code == IL_OP_ENDMAIN) close_returned(r);
    if (code == IL_OP_FUNC || code == IL_OP_ENDMAIN || code == IL_OP_END)
        while (r->nblock) unclosed(r, p->op->name);
    if (code == IL_OP_MACRODEF && (r->has_version || r->macro))
        il_error(r, at, "syntax", r->macro ? "a macro is inside a macro" : "a macro is after the version");
    if (r->main_ended && !r->nblock && code != IL_OP_FUNC && code != IL_OP_END && code != IL_OP_ENDFUNC &&
        !(p->op->flags & IL_DECLARES) && code != IL_OP_COMMENT && code != IL_OP_NOP)
        il_warn(r, at, IL_RULE_AFTER_MAIN, "%s is after endmain and outside of subroutines", p->op->name);
    if (code == IL_OP_FUNC && !r->main_ended && !r->has_func)
        il_warn(r, at, IL_RULE_AFTER_MAIN, "a subroutine begins before main has ended");
    r->has_func |= code == IL_OP_FUNC;
    breaks(r, p, at);
    if (opens(code))
        push(r, code, at);
    else if (belongs(code))
        middle_or_close(r, p, at);
    else if (code == IL_OP_RET)
        returns(r, at);
    r->main_ended |= code == IL_OP_ENDMAIN;
}

void il_rules_block_end(struct il_rules *r)
{
    close_returned(r);
    while (r->nblock) unclosed(r, "the end of the stream");
}

/* ---- Labels ---- */

static int by_label(const void *a, const void *b)
{
    const struct il_label *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool defined(const struct il_labels *funcs, uint32_t label)
{
    size_t lo = 0, hi = funcs->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (funcs->item[mid].label < label)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < funcs->n && funcs->item[lo].label == label;
}

void il_rules_labels(struct il_rules *r)
{
    if (r->funcs.n) qsort(r->funcs.item, r->funcs.n, sizeof *r->funcs.item, by_label);
    for (size_t i = 1; i < r->funcs.n; i++)
        if (r->funcs.item[i].label == r->funcs.item[i - 1].label) {
            r->packet = r->funcs.item[i].at;
            il_error(
                r, r->funcs.item[i].at, "redefinition", "func %" PRIu32 " is defined twice", r->funcs.item[i].label);
        }
    for (size_t i = 0; i < r->calls.n; i++)
        if (!defined(&r->funcs, r->calls.item[i].label)) {
            r->packet = r->calls.item[i].at;
            il_error(r, r->calls.item[i].at, "undefined-label", "there is no func %" PRIu32, r->calls.item[i].label);
        }
}
