/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches through time that stepping is made of; see step.h. */
#include "control/step.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "code/walk.h"
#include "control/frames.h"
#include "control/point.h"
#include "control/stop.h"
#include "eval/location.h"
#include "image/dwarf_scope.h"
#include "image/image.h"
#include "machine/machine.h"

#define PIECES 64 /* of an inlined function's code, at most */

/* Between rounds of a loop: false with an error when the user wants it to stop. */
static bool goes_on(const struct control *ctl, uint64_t rounds, struct gpudbg_error *err)
{
    return ticker_goes_on(ctl->eval->ticker, rounds, 0) || gpudbg_fail(err, "interrupt", "interrupted");
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool step_run(struct control *ctl, struct machine_want *want, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    uint64_t before = machine_position(ctl->eval->running->machine);
    double start = processor_seconds();
    bool ok = stops_run(ctl, want, err);
    uint64_t after = machine_position(ctl->eval->running->machine);
    ctl->eval->running->stats.seconds += processor_seconds() - start;
    ctl->eval->running->stats.instructions += after > before ? after - before : 0;
    return ok;
}

static bool all_run(const struct control *ctl, bool back) { return !back && ctl->settings->locking == LOCKING_OFF; }

/* How many instructions of a wave a run ends at. */
struct target {
    uint32_t wave;
    uint64_t executed;
};

static bool target_reached(void *data, struct gpudbg_wave *w)
{
    const struct target *t = data;
    return w->id == t->wave && w->executed >= t->executed;
}

static bool insns_of_all(struct control *ctl, uint64_t count, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    const uint32_t wave = ctl->eval->selection->wave;
    const struct gpudbg_wave *w = machine_wave(ctl->eval->running->machine, wave, err);
    if (!w) return false;
    struct target t = {wave, count < UINT64_MAX - w->executed ? w->executed + count : UINT64_MAX};
    struct machine_want want = {.until = MACHINE_END, .stops = true, .wave = wave, .every = target_reached, .data = &t};
    return step_run(ctl, &want, err);
}

bool step_insns(struct control *ctl, uint64_t count, bool back, struct gpudbg_error *err)
{
    if (count && all_run(ctl, back)) return insns_of_all(ctl, count, err);
    struct machine_want want = {
        .until = MACHINE_STEPS, .backwards = back, .stops = true, .wave = ctl->eval->selection->wave, .count = count};
    return step_run(ctl, &want, err);
}

/* Where a search through time should stop: asked before every instruction. */
struct search {
    const struct gpudbg_image *image;
    uint32_t wave;
    uint64_t pc;                      /* where the search began, or the address wanted */
    const struct code_places *wanted; /* the addresses, where there are several */
    const struct gpudbg_line *line;   /* the row it began in */
    const struct gpudbg_symbol *function;
    uint64_t over;                  /* the address behind a call that is passed over; 0: none */
    uint64_t left;                  /* instructions to go */
    const struct code_piece *piece; /* of the inlined function that is left */
    size_t npieces;
    bool at_return;
    uint64_t behind_return; /* the address behind that return */
};

static struct search search_from(struct control *ctl)
{
    uint64_t pc = location_here(ctl->eval);
    return (struct search){.image = ctl->eval->loaded->image,
        .wave = ctl->eval->selection->wave,
        .pc = pc,
        .line = gpudbg_image_line(ctl->eval->loaded->image, pc),
        .function = gpudbg_image_symbol_at(ctl->eval->loaded->image, pc)};
}

static bool reached(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    if (w->id != s->wave || !s->wanted) return w->id == s->wave && w->pc == s->pc;
    for (size_t i = 0; i < s->wanted->n; i++)
        if (s->wanted->addr[i] == w->pc) return true;
    return false;
}

static bool flags_at(const struct search *s, uint64_t pc, struct gpudbg_insn *insn, uint64_t *flags)
{
    *flags = insn_at(s->image, pc, insn) ? insn->op->flags : 0;
    return *flags != 0;
}

/* The selected wave until `every` says so, others only where it needs them. */
static struct machine_want search_want(
    const struct control *ctl, struct search *s, bool (*every)(void *, struct gpudbg_wave *), bool back)
{
    return (struct machine_want){.until = all_run(ctl, back) ? MACHINE_END : MACHINE_STEPS,
        .backwards = back,
        .stops = true,
        .wave = s->wave,
        .count = UINT64_MAX,
        .every = every,
        .data = s};
}

static bool search_run(struct control *ctl, struct search *s, bool (*every)(void *, struct gpudbg_wave *), bool back,
    struct gpudbg_error *err)
{
    struct machine_want want = search_want(ctl, s, every, back);
    return step_run(ctl, &want, err);
}

/* If a call stands at pc, what it calls is passed over. */
static void pass_over_call(struct search *s, uint64_t pc)
{
    struct gpudbg_insn insn;
    uint64_t flags;
    s->over = flags_at(s, pc, &insn, &flags) && flags & GPUDBG_OP_CALL ? pc + insn.size : 0;
}

/* The wave is inside a call that is passed over. */
static bool in_call(const struct search *s, const struct gpudbg_wave *w) { return s->over && w->pc != s->over; }

static bool counted(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    if (w->id != s->wave || in_call(s, w)) return false;
    pass_over_call(s, w->pc);
    return --s->left == 0;
}

/* Over calls, each to the instruction behind it. */
static bool over_forwards(struct control *ctl, uint64_t count, struct gpudbg_error *err)
{
    struct search s = search_from(ctl);
    s.left = count;
    pass_over_call(&s, s.pc);
    if (!count || (count == 1 && !s.over)) return step_insns(ctl, count, false, err);
    return search_run(ctl, &s, counted, false, err);
}

/* Going back from `behind` has led to the return from what the instruction before it called, not to a branch there; s
 * finds the call. */
static bool back_into_call(struct control *ctl, uint64_t behind, struct search *s)
{
    struct gpudbg_insn call, here;
    uint64_t target;
    *s = search_from(ctl);
    if (!insn_before(ctl->eval->loaded->image, behind, &call) || !call.op || !(call.op->flags & GPUDBG_OP_CALL) ||
        s->pc == call.addr)
        return false;
    if (insn_at(ctl->eval->loaded->image, s->pc, &here) && insn_target(&here, &target) && target == behind)
        return false;
    s->pc = call.addr;
    return true;
}

/* The same backwards: from behind a call to the call. */
static bool over_backwards(struct control *ctl, uint64_t count, struct gpudbg_error *err)
{
    for (uint64_t rounds = 1; count; count--, rounds++) {
        struct search s;
        if (!goes_on(ctl, rounds, err)) return false;
        const uint64_t behind = location_here(ctl->eval);
        if (!step_insns(ctl, 1, true, err)) return false;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP) break;
        if (!back_into_call(ctl, behind, &s)) continue;
        if (!search_run(ctl, &s, reached, true, err)) return false;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP) break;
    }
    return true;
}

bool step_insns_over(struct control *ctl, uint64_t count, bool back, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    return back ? over_backwards(ctl, count, err) : over_forwards(ctl, count, err);
}

static bool same_line(const struct gpudbg_line *a, const struct gpudbg_line *b)
{
    return a && b && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool other_line(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    if (w->id != s->wave) return false;
    const struct gpudbg_line *row = gpudbg_image_line(s->image, w->pc);
    return row && row->line && !same_line(row, s->line);
}

/* The same, but calls are passed over. */
static bool other_line_here(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    if (w->id != s->wave || in_call(s, w)) return false;
    pass_over_call(s, w->pc);
    return other_line(data, w);
}

/* Going back: the first instruction of a line. */
static bool line_begins(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    if (w->id != s->wave) return false;
    const struct gpudbg_line *row = gpudbg_image_line(s->image, w->pc);
    return row && row->line && row->addr == w->pc && !(row > s->image->lines && same_line(row - 1, row));
}

/* The same, in the function where the search began: calls are passed over. */
static bool line_begins_here(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    return line_begins(data, w) && gpudbg_image_symbol_at(s->image, w->pc) == s->function;
}

/* A call that stands in another function. */
static bool called_from(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    struct gpudbg_insn insn;
    uint64_t flags;
    return w->id == s->wave && gpudbg_image_symbol_at(s->image, w->pc) != s->function &&
           flags_at(s, w->pc, &insn, &flags) && flags & GPUDBG_OP_CALL;
}

static bool later(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    if (w->id != s->wave) return false;
    const struct gpudbg_line *row = gpudbg_image_line(s->image, w->pc);
    return w->pc > s->pc && (!s->line || (row && !same_line(row, s->line)));
}

static bool wave_ended(const struct control *ctl)
{
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, ctl->eval->selection->wave, &info);
    return info.state == GPUDBG_ENDED;
}

bool step_lines(struct control *ctl, uint64_t count, bool over, bool back, struct gpudbg_error *err)
{
    bool (*const every)(void *, struct gpudbg_wave *) = back   ? over ? line_begins_here : line_begins
                                                        : over ? other_line_here
                                                               : other_line;
    if (!eval_need_machine(ctl->eval, err)) return false;
    for (uint64_t rounds = 1; count; count--, rounds++) {
        struct search s = search_from(ctl);
        if (!goes_on(ctl, rounds, err)) return false;
        if (!s.line) return step_insns(ctl, count, back, err); /* no source here: one instruction */
        struct machine_want want = search_want(ctl, &s, every, back);
        if (every == other_line_here) pass_over_call(&s, s.pc);
        if (every == line_begins_here && s.function && s.function->addr == s.pc)
            want.every = called_from; /* nothing before it in this function: back to its caller */
        if (!step_run(ctl, &want, err)) return false;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP || wave_ended(ctl)) break;
    }
    return true;
}

/* At one of the places, in calls too; or at another line, with calls passed over. */
static bool there_or_other_line(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    for (size_t i = 0; w->id == s->wave && i < s->wanted->n; i++)
        if (s->wanted->addr[i] == w->pc) return true;
    return other_line_here(data, w);
}

bool step_into(struct control *ctl, const struct code_places *places, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    for (size_t i = 0; i < places->n; i++)
        if (!point_starts(ctl->eval->loaded->image, places->addr[i], err)) return false;
    struct search s = search_from(ctl);
    s.wanted = places;
    for (size_t i = 0; i < places->n; i++)
        if (places->addr[i] == s.pc) return step_insns(ctl, 0, false, err);
    pass_over_call(&s, s.pc);
    return search_run(ctl, &s, there_or_other_line, false, err);
}

bool step_all(struct control *ctl, bool back, struct gpudbg_error *err)
{
    struct machine_want want = {
        .until = MACHINE_END, .backwards = back, .stops = true, .wave = ctl->eval->selection->wave};
    if (ctl->settings->locking == LOCKING_ON && !back) {
        want.until = MACHINE_STEPS;
        want.count = UINT64_MAX;
    }
    return step_run(ctl, &want, err);
}

bool step_to(struct control *ctl, const struct code_places *places, bool back, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    for (size_t i = 0; i < places->n; i++)
        if (!point_starts(ctl->eval->loaded->image, places->addr[i], err)) return false;
    struct search s = search_from(ctl);
    s.wanted = places;
    return search_run(ctl, &s, reached, back, err);
}

bool step_later(struct control *ctl, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    struct search s = search_from(ctl);
    return search_run(ctl, &s, later, false, err);
}

/* Behind a return, or outside the function by a jump: an instruction set may return by one.  Calls are passed over.  A
 * return that goes on behind itself has returned for some lanes only. */
static bool returned(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    struct gpudbg_insn insn;
    uint64_t flags;
    if (w->id != s->wave || in_call(s, w)) return false;
    if (s->at_return && w->pc != s->behind_return) return true;
    if (gpudbg_image_symbol_at(s->image, w->pc) != s->function) return true;
    pass_over_call(s, w->pc);
    s->at_return = flags_at(s, w->pc, &insn, &flags) && flags & GPUDBG_OP_RETURN;
    s->behind_return = s->at_return ? insn.addr + insn.size : 0;
    return false;
}

/* Outside of the pieces of an inlined function.  Calls are passed over. */
static bool outside(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    if (w->id != s->wave || in_call(s, w)) return false;
    pass_over_call(s, w->pc);
    for (size_t i = 0; i < s->npieces; i++)
        if (w->pc >= s->piece[i].lo && w->pc < s->piece[i].hi) return false;
    return true;
}

/* If the selected frame is of an inlined function: runs until the wave is outside of it. */
static bool finish_inlined(struct control *ctl, struct search *s, bool *is, struct gpudbg_error *err)
{
    struct code_piece piece[PIECES];
    const struct gpudbg_image *image = ctl->eval->loaded->image;
    uint64_t pc;
    bool inner;
    const unsigned frame = locals_frame(ctl->eval, &pc, &inner);
    const uint64_t function = inner ? scopes_inlined_at(image, pc, frame ? ctl->eval->selection->frame.depth : 0) : 0;
    s->npieces = function ? scopes_pieces(image, function, piece, PIECES) : 0;
    *is = s->npieces && s->npieces <= PIECES;
    if (!*is) return true;
    s->piece = piece;
    pass_over_call(s, s->pc);
    return search_run(ctl, s, outside, false, err);
}

/* What the function that the wave has just left gave back; the wave stands behind a call, else it left by a jump. */
static bool returned_row(struct control *ctl, const struct search *s, struct gpudbg_wave *called, struct local_row *row)
{
    struct gpudbg_insn call;
    const struct gpudbg_stop *last = &ctl->eval->running->last;
    return last->reason == GPUDBG_STOP_STEP && insn_before(ctl->eval->loaded->image, last->pc, &call) && call.op &&
           call.op->flags & GPUDBG_OP_CALL &&
           locals_returned(ctl->eval, s->pc, s->wave, ctl->eval->selection->lane, called, row);
}

bool step_out(struct control *ctl, struct local_row *row, bool *returns, struct gpudbg_error *err)
{
    bool inlined;
    *returns = false;
    if (!eval_need_machine(ctl->eval, err)) return false;
    struct search s = search_from(ctl);
    if (!finish_inlined(ctl, &s, &inlined, err)) return false;
    if (inlined) return true;
    struct gpudbg_insn insn;
    uint64_t flags;
    pass_over_call(&s, s.pc);
    s.at_return = flags_at(&s, s.pc, &insn, &flags) && flags & GPUDBG_OP_RETURN;
    s.behind_return = s.at_return ? insn.addr + insn.size : 0;
    struct gpudbg_wave *called = locals_returns_in_memory(ctl->eval, s.pc) ? frames_called(ctl) : NULL;
    const bool ran = search_run(ctl, &s, returned, false, err);
    *returns = ran && returned_row(ctl, &s, called, row);
    free(called);
    return ran;
}

bool step_out_back(struct control *ctl, struct gpudbg_error *err)
{
    if (!eval_need_machine(ctl->eval, err)) return false;
    struct search s = search_from(ctl);
    if (!s.function) return search_run(ctl, &s, called_from, true, err);
    struct search entry = s;
    entry.pc = s.function->addr;
    for (uint64_t rounds = 1;; rounds++) {
        const bool there = location_here(ctl->eval) == entry.pc;
        if (!goes_on(ctl, rounds, err) || (!there && !search_run(ctl, &entry, reached, true, err))) return false;
        if (!there && ctl->eval->running->last.reason != GPUDBG_STOP_STEP) break;
        if (!step_insns(ctl, 1, true, err)) return false;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP ||
            !insn_stays(ctl->eval->loaded->image, location_here(ctl->eval), s.function))
            break;
    }
    return true;
}
