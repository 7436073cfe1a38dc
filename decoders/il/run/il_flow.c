/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_flow.c: blocks, calls and the stack of masks (7.4).
 *
 * Every open block has a frame.  `restore` is the set of lanes that go on after its end: those active at its opener,
 * less the lanes that have since left through an outer block.  A lane leaves by break and continue (up to the loop or
 * switch), by return (up to the call) or by its end (everything).  When no lane is left, execution goes on at the next
 * place where one may come back: else, a label, the end of the block.
 */
#include "run/il_run.h"

#include <string.h>

/* ---- Frames ---- */

enum frame_kind { FRAME_IF, FRAME_LOOP, FRAME_SWITCH, FRAME_CALL, FRAME_MACRO };

enum frame_word {
    F_KIND,
    F_BELOW,     /* IL_TOP before */
    F_OPENER,    /* op */
    F_RESTORE,   /* pair */
    F_OTHER = 5, /* pair: if: lanes for the else part; loop: lanes that wait for its next turn; switch: lanes that wait
                  * for their label; call through an interface: lanes whose body is still to run */
    F_SIZE_IF = 7,
    F_COUNT = 7, /* loop: turns left */
    F_STEP,
    F_OUTER_AL,
    F_SIZE_LOOP,
    F_RETURN = 7, /* call: op to go on at */
    F_SIZE_CALL,
    F_LABEL = 8, /* switch, call through an interface: op of the label or body of each lane, 64 words */
    F_SIZE_LABELS = F_LABEL + IL_LANES,
};

uint32_t il_frame_size(unsigned code)
{
    switch (code) {
    case IL_OP_IFC:
    case IL_OP_IFNZ:
    case IL_OP_IF_LOGICALZ:
    case IL_OP_IF_LOGICALNZ: return F_SIZE_IF;
    case IL_OP_LOOP:
    case IL_OP_WHILE: return F_SIZE_LOOP;
    case IL_OP_CALL:
    case IL_OP_CALLNZ:
    case IL_OP_CALL_LOGICALZ:
    case IL_OP_CALL_LOGICALNZ:
    case IL_OP_MACROCALL: return F_SIZE_CALL;
    case IL_OP_SWITCH:
    case IL_OP_FCALL: return F_SIZE_LABELS;
    default: return 0;
    }
}

static uint32_t *frame_at(const struct gpudbg_wave *w, uint32_t top)
{
    return top ? w->words + IL_HEADER + top - 1 : NULL;
}

static uint32_t *top_frame(const struct gpudbg_wave *w) { return frame_at(w, w->words[IL_TOP]); }

static uint32_t *below(const struct gpudbg_wave *w, const uint32_t *frame) { return frame_at(w, frame[F_BELOW]); }

/* Faults: the pc is in the middle of a block, which happens only when the user changed it. */
static enum gpudbg_ran not_entered(struct gpudbg_wave *w, const struct il_exec_op *op)
{
    w->pc = op->pc;
    return gpudbg_fault(w, -1, "%s: the thread did not enter the block of this instruction", op->row->name);
}

/* The innermost frame, if it is of this kind. */
static uint32_t *frame_of(const struct gpudbg_wave *w, enum frame_kind kind)
{
    uint32_t *f = top_frame(w);
    return f && f[F_KIND] == kind ? f : NULL;
}

/* build.c has made room for the deepest nesting. */
static bool has_room(const struct gpudbg_wave *w, uint32_t size) { return w->words[IL_USED] + size <= il_of(w)->stack; }

static uint32_t *push(struct gpudbg_wave *w, enum frame_kind kind, uint32_t opener, uint32_t size)
{
    uint32_t *frame = w->words + IL_HEADER + w->words[IL_USED];
    memset(frame, 0, size * sizeof *frame);
    frame[F_KIND] = kind;
    frame[F_BELOW] = w->words[IL_TOP];
    frame[F_OPENER] = opener;
    il_set_pair(frame, F_RESTORE, il_exec(w));
    w->words[IL_TOP] = w->words[IL_USED] + 1;
    w->words[IL_USED] += size;
    return frame;
}

/* Clears the frame, so that equal states have equal words. */
static void pop(struct gpudbg_wave *w)
{
    uint32_t *frame = top_frame(w);
    const uint32_t start = w->words[IL_TOP] - 1, under = frame[F_BELOW];
    memset(frame, 0, (w->words[IL_USED] - start) * sizeof *frame);
    w->words[IL_TOP] = under;
    w->words[IL_USED] = start;
}

static void set_exec(struct gpudbg_wave *w, uint64_t lanes) { il_set_pair(w->words, IL_EXEC, lanes); }

/* Takes lanes out of all frames above `until` (NULL: all of them). */
static void leave(struct gpudbg_wave *w, const uint32_t *until, uint64_t lanes)
{
    for (uint32_t *f = top_frame(w); f && f != until; f = below(w, f)) {
        il_set_pair(f, F_RESTORE, il_pair(f, F_RESTORE) & ~lanes);
        il_set_pair(f, F_OTHER, il_pair(f, F_OTHER) & ~lanes);
    }
    set_exec(w, il_exec(w) & ~lanes);
}

void il_kill(struct gpudbg_wave *w, struct il *r, uint64_t lanes)
{
    (void)r;
    leave(w, NULL, lanes);
    il_set_pair(w->words, IL_ALIVE, il_pair(w->words, IL_ALIVE) & ~lanes);
}

/* The next label of a switch after op `at`, or its endswitch. */
static uint32_t next_label(const struct il *r, const uint32_t *frame, uint32_t at)
{
    uint32_t label = r->op[frame[F_OPENER]].partner;
    while (label <= at && r->op[label].code != IL_OP_ENDSWITCH) label = r->op[label].partner;
    return label;
}

void il_skip(struct gpudbg_wave *w, struct il *r, uint32_t current)
{
    const uint32_t *f = top_frame(w);
    const struct il_exec_op *opener = f ? &r->op[f[F_OPENER]] : NULL;
    if (!f) {
        r->next = w->words[IL_PHASE] && il_pair(w->words, IL_ALIVE) ? r->op[w->words[IL_PHASE] - 1].partner : r->end;
        return;
    }
    if (f[F_KIND] == FRAME_IF) {
        const struct il_exec_op *middle = &r->op[opener->partner];
        r->next = middle->code == IL_OP_ELSE && current >= opener->partner ? middle->partner : opener->partner;
    } else if (f[F_KIND] == FRAME_SWITCH) {
        /* Skips labels for which no lane waits. */
        r->next = next_label(r, f, il_pair(f, F_OTHER) ? current : IL_NO_OP);
    } else {
        r->next = opener->partner;
    }
}

/* ---- Conditions ---- */

/* Active lanes for which the op's condition holds. */
static uint64_t condition(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *a[4], *b[4];
    const uint64_t exec = il_exec(w);
    if (!op->nsrc) return exec;
    const bool compares = op->code == IL_OP_IFC || op->code == IL_OP_BREAKC || op->code == IL_OP_CONTINUEC;
    il_fetch(w, r, &op->src[0], compares ? IL_FLOAT : IL_INT, 0, a);
    if (!compares) return exec & (op->aux ? ~r->level->nonzero(a[0]) : r->level->nonzero(a[0]));
    il_fetch(w, r, &op->src[1], IL_FLOAT, 1, b);
    return exec & r->level->compare(op->control >> 16 & 7, a[0], b[0]);
}

/* ---- if ---- */

enum gpudbg_ran il_do_if(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint64_t yes = condition(w, r, op), no = il_exec(w) & ~yes;
    if (!has_room(w, F_SIZE_IF)) return not_entered(w, op);
    uint32_t *f = push(w, FRAME_IF, (uint32_t)(op - r->op), F_SIZE_IF);
    il_set_pair(f, F_OTHER, no);
    set_exec(w, yes);
    return GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran il_do_else(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t *f = frame_of(w, FRAME_IF);
    (void)r;
    if (!f) return not_entered(w, op);
    set_exec(w, il_pair(f, F_OTHER));
    il_set_pair(f, F_OTHER, 0);
    return GPUDBG_RAN_LIMIT;
}

/* endif, endswitch */
enum gpudbg_ran il_do_close(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *f = frame_of(w, op->code == IL_OP_ENDIF     ? FRAME_IF
                                    : op->code == IL_OP_ENDLOOP ? FRAME_LOOP
                                                                : FRAME_SWITCH);
    (void)r;
    if (!f) return not_entered(w, op);
    set_exec(w, il_pair(f, F_RESTORE));
    pop(w);
    return GPUDBG_RAN_LIMIT;
}

/* ---- Loops ---- */

/* loop: x turns from aL = y by steps of z, in bytes (7.4); _rep: x turns, aL stays. */
enum gpudbg_ran il_do_loop(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const bool counted = op->code == IL_OP_LOOP, repeat = op->control >> 16 & 1;
    const uint32_t *s[4];
    uint32_t count = 0, step = 0, start = w->words[IL_AL];
    if (!has_room(w, F_SIZE_LOOP)) return not_entered(w, op);
    if (counted && il_exec(w)) {
        il_fetch(w, r, &op->src[0], IL_INT, 0, s);
        const unsigned l = (unsigned)__builtin_ctzll(il_exec(w));
        count = repeat ? s[0][l] : s[0][l] & 255;
        if (repeat && (int32_t)count < 0) count = 0;
        start = repeat ? start : s[1][l] & 255;
        step = repeat ? 0 : s[2][l] & 255;
    }
    uint32_t *f = push(w, FRAME_LOOP, (uint32_t)(op - r->op), F_SIZE_LOOP);
    f[F_COUNT] = count;
    f[F_STEP] = step;
    f[F_OUTER_AL] = w->words[IL_AL];
    w->words[IL_AL] = start;
    if (counted && !count) leave(w, f, il_exec(w));
    return GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran il_do_endloop(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t *f = frame_of(w, FRAME_LOOP);
    if (!f) return not_entered(w, op);
    const struct il_exec_op *opener = &r->op[f[F_OPENER]];
    uint64_t again = il_exec(w) | il_pair(f, F_OTHER);
    if (opener->code == IL_OP_LOOP) {
        w->words[IL_AL] += f[F_STEP];
        if (again) f[F_COUNT]--;
        if (!f[F_COUNT]) again = 0;
    }
    il_set_pair(f, F_OTHER, 0);
    if (again) {
        set_exec(w, again);
        r->next = opener->next;
        return GPUDBG_RAN_LIMIT;
    }
    w->words[IL_AL] = f[F_OUTER_AL];
    return il_do_close(w, r, op);
}

static uint32_t *enclosing(const struct gpudbg_wave *w, bool switches)
{
    uint32_t *f = top_frame(w);
    while (f && f[F_KIND] != FRAME_LOOP && !(switches && f[F_KIND] == FRAME_SWITCH) && f[F_KIND] != FRAME_CALL)
        f = below(w, f);
    return f;
}

enum gpudbg_ran il_do_break(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t *f = enclosing(w, true);
    if (!f || f[F_KIND] == FRAME_CALL) return not_entered(w, op);
    leave(w, f, condition(w, r, op));
    return GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran il_do_continue(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint64_t lanes = condition(w, r, op);
    uint32_t *f = enclosing(w, false);
    if (!f || f[F_KIND] == FRAME_CALL) return not_entered(w, op);
    leave(w, f, lanes);
    il_set_pair(f, F_OTHER, il_pair(f, F_OTHER) | lanes);
    return GPUDBG_RAN_LIMIT;
}

/* ---- switch ---- */

/* The label of a value: its case, else default, else the endswitch. */
static uint32_t label_for(const struct il *r, const struct il_exec_op *op, uint32_t value)
{
    uint32_t at = op->partner, otherwise = IL_NO_OP;
    for (; r->op[at].code != IL_OP_ENDSWITCH; at = r->op[at].partner) {
        if (r->op[at].code == IL_OP_DEFAULT)
            otherwise = otherwise == IL_NO_OP ? at : otherwise;
        else if (r->op[at].extra[0] == value)
            return at;
    }
    return otherwise == IL_NO_OP ? at : otherwise;
}

enum gpudbg_ran il_do_switch(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *s[4];
    const uint64_t exec = il_exec(w);
    uint64_t waiting = 0;
    unsigned l;
    if (!has_room(w, F_SIZE_LABELS)) return not_entered(w, op);
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    uint32_t *f = push(w, FRAME_SWITCH, (uint32_t)(op - r->op), F_SIZE_LABELS);
    IL_EACH_LANE(l, exec)
    {
        f[F_LABEL + l] = label_for(r, op, s[0][l]);
        waiting |= (uint64_t)(r->op[f[F_LABEL + l]].code != IL_OP_ENDSWITCH) << l;
    }
    il_set_pair(f, F_OTHER, waiting);
    set_exec(w, 0);
    return GPUDBG_RAN_LIMIT;
}

/* case, default: lanes that wait for this label join those that fall through. */
enum gpudbg_ran il_do_label(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t *f = frame_of(w, FRAME_SWITCH);
    uint64_t join = 0;
    unsigned l;
    if (!f) return not_entered(w, op);
    IL_EACH_LANE(l, il_pair(f, F_OTHER))
    join |= (uint64_t)(f[F_LABEL + l] == (uint32_t)(op - r->op)) << l;
    il_set_pair(f, F_OTHER, il_pair(f, F_OTHER) & ~join);
    set_exec(w, il_exec(w) | join);
    return GPUDBG_RAN_LIMIT;
}

/* ---- Calls ---- */

enum gpudbg_ran il_do_call(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint64_t lanes = condition(w, r, op);
    if (!lanes || w->words[IL_DEPTH] == IL_CALLS) return GPUDBG_RAN_LIMIT;
    if (!has_room(w, F_SIZE_CALL)) return not_entered(w, op);
    uint32_t *f = push(w, FRAME_CALL, op->partner, F_SIZE_CALL);
    f[F_RETURN] = op->next;
    w->words[IL_DEPTH]++;
    set_exec(w, lanes);
    r->next = r->op[op->partner].next;
    return GPUDBG_RAN_LIMIT;
}

/* Starts the body of the first lane that waits, with all lanes that wait for the same one. */
static void next_body(struct gpudbg_wave *w, struct il *r, uint32_t *f)
{
    const uint64_t waiting = il_pair(f, F_OTHER);
    const uint32_t body = f[F_LABEL + (unsigned)__builtin_ctzll(waiting)];
    uint64_t lanes = 0;
    unsigned l;
    IL_EACH_LANE(l, waiting)
    lanes |= (uint64_t)(f[F_LABEL + l] == body) << l;
    il_set_pair(f, F_OTHER, waiting & ~lanes);
    f[F_OPENER] = body;
    set_exec(w, lanes);
    r->next = r->op[body].next;
}

/* The k-th body of the table that interface pointer p + s0.x holds (7.18). */
static uint32_t body_of(const struct il *r, const struct il_exec_op *op, uint32_t offset)
{
    const uint64_t p = (uint64_t)op->id + offset;
    const uint32_t k = op->nextra ? op->extra[0] : 0;
    if (p >= 256) return IL_NO_OP;
    const uint32_t table = r->interface_table[p];
    if (table >= r->ntables || k >= r->tables[table].n) return IL_NO_OP;
    return il_function_op(r, r->tables[table].label[k]);
}

enum gpudbg_ran il_do_fcall(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint64_t exec = il_exec(w);
    const uint32_t *s[4];
    uint32_t body[IL_LANES] = {0};
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, exec)
    {
        body[l] = body_of(r, op, s[0][l]);
        if (body[l] == IL_NO_OP) {
            w->pc = op->pc;
            return gpudbg_fault(w, (int)l, "fcall: interface %u holds no table with a body %u", op->id + s[0][l],
                op->nextra ? op->extra[0] : 0);
        }
    }
    if (w->words[IL_DEPTH] == IL_CALLS || !exec) return GPUDBG_RAN_LIMIT;
    if (!has_room(w, F_SIZE_LABELS)) return not_entered(w, op);
    uint32_t *f = push(w, FRAME_CALL, body[(unsigned)__builtin_ctzll(exec)], F_SIZE_LABELS);
    memcpy(f + F_LABEL, body, sizeof body);
    f[F_RETURN] = op->next;
    il_set_pair(f, F_OTHER, exec);
    w->words[IL_DEPTH]++;
    next_body(w, r, f);
    return GPUDBG_RAN_LIMIT;
}

static enum gpudbg_ran finish_call(struct gpudbg_wave *w, struct il *r)
{
    uint32_t *f = top_frame(w);
    if (il_pair(f, F_OTHER)) {
        next_body(w, r, f);
        return GPUDBG_RAN_LIMIT;
    }
    r->next = f[F_RETURN];
    set_exec(w, il_pair(f, F_RESTORE));
    pop(w);
    w->words[IL_DEPTH]--;
    return GPUDBG_RAN_LIMIT;
}

/* endfunc, and a ret that closes its subroutine; ret_dyn and the conditional ones; in main they end the thread, in a
 * hull phase this instance of it. */
enum gpudbg_ran il_do_return(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t *f = top_frame(w);
    const uint64_t lanes = op->code == IL_OP_ENDFUNC ? 0 : condition(w, r, op);
    while (f && f[F_KIND] != FRAME_CALL) f = below(w, f);
    if (!f) {
        if (w->words[IL_PHASE])
            leave(w, NULL, lanes);
        else
            il_kill(w, r, lanes);
        return GPUDBG_RAN_LIMIT;
    }
    if (r->op[f[F_OPENER]].partner == (uint32_t)(op - r->op))
        return f == top_frame(w) ? finish_call(w, r) : not_entered(w, op);
    leave(w, f, lanes);
    return GPUDBG_RAN_LIMIT;
}

/* ---- Macros: a call whose registers belong to the body ---- */

enum gpudbg_ran il_do_mcall(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const struct il_exec_op *body = &r->op[op->partner];
    uint32_t inputs[16][4][IL_LANES];
    for (unsigned i = 0; i < op->nsrc && i < 16; i++) {
        const uint32_t *s[4];
        il_fetch(w, r, &op->src[i], IL_MOVED, 0, s);
        for (unsigned c = 0; c < 4; c++) memcpy(inputs[i][c], s[c], sizeof inputs[i][c]);
    }
    for (unsigned i = 0; i < op->nsrc && i < 16; i++) {
        const struct il_range *range = il_find(r, body->scope, IL_REG_INPUT_ARG, i);
        const struct il_dest d = {
            .at = {.slot = range ? range->slot + i - range->first : IL_NO_SLOT}, .mask = {1, 1, 1, 1}};
        if (range) il_store(w, r, &d, IL_INT, 15, NULL, inputs[i]);
    }
    if (!has_room(w, F_SIZE_CALL)) return not_entered(w, op);
    uint32_t *f = push(w, FRAME_MACRO, op->partner, F_SIZE_CALL);
    f[F_RETURN] = (uint32_t)(op - r->op);
    r->next = body->next;
    return GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran il_do_mend(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *f = frame_of(w, FRAME_MACRO);
    if (!f) return not_entered(w, op);
    const struct il_exec_op *call = &r->op[f[F_RETURN]];
    set_exec(w, il_pair(f, F_RESTORE));
    pop(w);
    r->next = call->next;
    for (unsigned i = 0; i < call->ndst; i++) {
        const struct il_range *range = il_find(r, op->scope, IL_REG_OUTPUT_ARG, i);
        if (!range) continue;
        for (unsigned c = 0; c < 4; c++)
            memcpy(r->result[c], il_row_of(w, range->slot + i - range->first, c), sizeof r->result[c]);
        if (!il_store(w, r, &call->dst[i], IL_MOVED, 15, NULL, r->result)) return GPUDBG_RAN_FAULT;
    }
    return GPUDBG_RAN_LIMIT;
}
