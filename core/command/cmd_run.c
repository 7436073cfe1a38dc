/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that run: launch, stepping and continuing both ways, positions in time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/alloc.h"
#include "image/image.h"
#include "control/check.h"
#include "session/command.h"
#include "command/display.h"
#include "command/cmd_printed.h"
#include "code/walk.h"
#include "machine/launch.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "image/dwarf_scope.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/script.h"
#include "session/session.h"
#include "control/stop.h"

#define PIECES 64 /* of an inlined function's code, at most */

/* ---- launch, run, kill ---- */

static void report_launch(struct gpudbg *g, struct gpudbg_out *out)
{
    const struct gpudbg_machine *m = g->running.machine;
    const struct gpudbg_launch *l = m->launch;
    const char *name = l->kernel && l->kernel->name ? l->kernel->name : "code";
    uint64_t groups = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
    uint64_t items = (uint64_t)l->local[0] * l->local[1] * l->local[2];
    char where[256];
    image_where(g->loaded.image, g->selection.cursor, where, sizeof where);
    const bool moved = l->offset[0] || l->offset[1] || l->offset[2];
    RECORD(out, "launch",
        "{kernel}: {groups} group{groups:s} of {items} work-item{items:s}, {waves} wave{waves:s}; at entry {pc}\n",
        STRING("kernel", name), NUMBERS("global", l->global, 3), NUMBERS("local", l->local, 3),
        IF(moved, NUMBERS("offset", l->offset, 3)), NUMBER("groups", groups), TEXT_ONLY(NUMBER("items", items)),
        NUMBER("waves", m->nwaves), HEX("pc", g->selection.cursor), STRING("where", where));
}

static bool launch_words(struct gpudbg *g, const char *words, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!eval_need_image(&g->eval, err)) return false;
    if (!g->loaded.image->isa || !g->loaded.image->isa->run)
        return gpudbg_fail(err, "unsupported", "gpudbg decodes %s, but does not execute it",
            g->loaded.image->isa ? g->loaded.image->isa->name : g->loaded.image->path);
    char *copy = xstrdup(words);
    struct gpudbg_launch *launch = launch_parse(g->loaded.image, words, g->running.base, &g->ticker, err);
    const struct machine_options options = {
        .session = g, .history_budget = g->settings.history_budget, .profile = g->settings.profile};
    struct gpudbg_machine *machine = launch ? machine_new(&options, g->loaded.image, launch, err) : NULL;
    if (!machine) {
        free(copy);
        return false;
    }
    session_end_machine(g);
    g->running.machine = machine;
    checks_watch(g->control.checks);
    free(g->running.launched);
    g->running.launched = copy;
    machine_history_budget(machine, g->settings.history_budget);
    uint32_t first = machine_next_wave(machine);
    g->selection.wave = first == MACHINE_NO_WAVE ? 0 : first;
    g->selection.lane = 0;
    g->running.unsaved = false;
    g->running.stats.seconds = 0;
    g->running.stats.instructions = 0;
    g->running.last = (struct gpudbg_stop){.wave = g->selection.wave, .lane = -1};
    g->selection.cursor = g->running.last.pc = location_here(&g->eval);
    stops_arm(&g->control);
    report_launch(g, out);
    displays_show(g, out);
    return true;
}

static bool run_launch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return launch_words(g, gpudbg_args_rest(a), out, err);
}

static char *complete_launch(struct gpudbg *g, const char *text, unsigned state)
{
    size_t len = strlen(text);
    if (*text == '@') {
        char *file = complete_file(g, text + 1, state), *with = NULL;
        if (file && asprintf(&with, "@%s", file) < 0) with = NULL;
        free(file);
        return with;
    }
    for (size_t i = 0; g->loaded.image && i < g->loaded.image->nkernels; i++)
        if (strncmp(g->loaded.image->kernels[i].name, text, len) == 0 && state-- == 0)
            return xstrdup(g->loaded.image->kernels[i].name);
    return NULL;
}

static const struct gpudbg_command launch = {
    .name = "launch",
    .usage = "[KERNEL] -g X[,Y[,Z]] -l X[,Y[,Z]] [-o X[,Y[,Z]]] [ARG]...",
    .summary = "launch a kernel with its arguments and stop at its entry",
    .help = "-g X,Y,Z            the global size, in work-items\n"
            "-l X,Y,Z            the local size, in work-items\n"
            "-o X,Y,Z            the global offset, in work-items\n"
            "ARG                 one for each argument in the kernel's order, or NAME=ARG:\n"
            "  @FILE             a buffer with the bytes of a file\n"
            "  zero:BYTES        a buffer of zeros\n"
            "  fill:BYTES:VALUE  a buffer whose bytes all have this value\n"
            "  null              a null pointer\n"
            "  local:BYTES       local memory\n"
            "  7 -3 0x10 1.5     a number; also with its type (u32:7, f32:1.5) or as bytes (hex:BYTES)\n"
            "Bare code needs named arguments: s[0:3]=hex:..., v[0]=..., buf0=ARG and &buf0.\n"
            "`help launch-arguments` has all forms.",
    .family = "Running",
    .run = run_launch,
    .complete = complete_launch,
};

static bool run_run(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err)) return false;
    if (!g->running.launched) return gpudbg_fail(err, "no-launch", "nothing was launched yet; see `help launch`");
    char *words = xstrdup(g->running.launched);
    bool ok = launch_words(g, words, out, err);
    free(words);
    return ok;
}

static const struct gpudbg_command run = {
    .name = "run",
    .aliases = "r restart start starti",
    .usage = "",
    .summary = "repeat the last launch",
    .family = "Running",
    .run = run_run,
};

static bool run_kill(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err)) return false;
    if (!session_may_lose(g, false, "End the launch?")) return true;
    session_end_machine(g);
    g->running.unsaved = false;
    g->selection.wave = 0;
    g->selection.lane = 0;
    return true;
}

static const struct gpudbg_command kill_command = {
    .name = "kill",
    .aliases = "k",
    .usage = "",
    .summary = "end the launch and forget its state",
    .family = "Running",
    .run = run_kill,
};

/* ---- Running ---- */

/* The source line, where one begins; of a checker's report always. */
static void show_line(struct gpudbg *g, struct gpudbg_out *out)
{
    const struct gpudbg_line *row = gpudbg_image_line(g->loaded.image, g->running.last.pc);
    if (machine_wave_ended(g->running.machine, g->running.last.wave)) return;
    const bool whole = row && (row->addr == g->running.last.pc || g->running.last.reason == GPUDBG_STOP_CHECK);
    if (whole) source_print(&g->loaded, row->file, row->line, out);
}

static void report(struct gpudbg *g, struct gpudbg_out *out)
{
    g->selection.listed.file = NULL;
    if (g->control.silent) return;
    printed_show_new(g, out);
    stop_report(&g->control, out);
    show_line(g, out);
    displays_show(g, out);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs, and counts the time it took for `info stats`; the machine itself knows no clock. */
static bool run_timed(struct gpudbg *g, struct machine_want *want, struct gpudbg_error *err)
{
    uint64_t before = machine_position(g->running.machine);
    double start = processor_seconds();
    bool ok = stops_run(&g->control, want, err);
    uint64_t after = machine_position(g->running.machine);
    g->running.stats.seconds += processor_seconds() - start;
    g->running.stats.instructions += after > before ? after - before : 0;
    return ok;
}

/* Runs, then says where and why it stopped. */
static bool go(struct gpudbg *g, struct machine_want *want, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!run_timed(g, want, err)) return false;
    report(g, out);
    return true;
}

/* The count behind a stepping command: 1 if none is given. */
static bool take_count(struct gpudbg *g, struct gpudbg_args *a, uint64_t *count, struct gpudbg_error *err)
{
    *count = 1;
    return eval_need_machine(&g->eval, err) && (!*gpudbg_args_rest(a) || args_value(a, "a count", count, err));
}

static bool step_insns(
    struct gpudbg *g, struct gpudbg_args *a, bool back, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    if (!take_count(g, a, &count, err)) return false;
    struct machine_want want = {
        .until = MACHINE_STEPS, .backwards = back, .stops = true, .wave = g->selection.wave, .count = count};
    return go(g, &want, out, err);
}

static bool run_stepi(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_insns(g, a, false, out, err);
}

static bool run_reverse_stepi(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_insns(g, a, true, out, err);
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
};

static struct search search_from(struct gpudbg *g)
{
    uint64_t pc = location_here(&g->eval);
    return (struct search){.image = g->loaded.image,
        .wave = g->selection.wave,
        .pc = pc,
        .line = gpudbg_image_line(g->loaded.image, pc),
        .function = gpudbg_image_symbol_at(g->loaded.image, pc)};
}

static bool reached(void *data, struct gpudbg_wave *w)
{
    const struct search *s = data;
    if (w->id != s->wave || !s->wanted) return w->id == s->wave && w->pc == s->pc;
    for (size_t i = 0; i < s->wanted->n; i++)
        if (s->wanted->addr[i] == w->pc) return true;
    return false;
}

static bool flags_at(const struct search *s, uint64_t pc, struct gpudbg_insn *insn, uint32_t *flags)
{
    *flags = insn_at(s->image, pc, insn) ? insn->op->flags : 0;
    return *flags != 0;
}

/* The selected wave until `every` says so, others only where it needs them. */
static struct machine_want search_want(struct search *s, bool (*every)(void *, struct gpudbg_wave *), bool back)
{
    return (struct machine_want){.until = MACHINE_STEPS,
        .backwards = back,
        .stops = true,
        .wave = s->wave,
        .count = UINT64_MAX,
        .every = every,
        .data = s};
}

static bool search_run(struct gpudbg *g, struct search *s, bool (*every)(void *, struct gpudbg_wave *), bool back,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct machine_want want = search_want(s, every, back);
    return go(g, &want, out, err);
}

/* If a call stands at pc, what it calls is passed over. */
static void pass_over_call(struct search *s, uint64_t pc)
{
    struct gpudbg_insn insn;
    uint32_t flags;
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

/* nexti: over calls, each to the instruction behind it. */
static bool run_nexti(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    if (!take_count(g, a, &count, err)) return false;
    struct search s = search_from(g);
    s.left = count;
    pass_over_call(&s, s.pc);
    if (!count || (count == 1 && !s.over)) {
        struct machine_want want = {.until = MACHINE_STEPS, .stops = true, .wave = g->selection.wave, .count = count};
        return go(g, &want, out, err);
    }
    return search_run(g, &s, counted, false, out, err);
}

static bool step_back(struct gpudbg *g, struct gpudbg_error *err)
{
    struct machine_want want = {
        .until = MACHINE_STEPS, .backwards = true, .stops = true, .wave = g->selection.wave, .count = 1};
    return run_timed(g, &want, err);
}

/* Going back from `behind` has led to the return from what the instruction before it called, not to a branch there; s
 * finds the call. */
static bool back_into_call(struct gpudbg *g, uint64_t behind, struct search *s)
{
    struct gpudbg_insn call, here;
    uint64_t target;
    *s = search_from(g);
    if (!insn_before(g->loaded.image, behind, &call) || !call.op || !(call.op->flags & GPUDBG_OP_CALL) ||
        s->pc == call.addr)
        return false;
    if (insn_at(g->loaded.image, s->pc, &here) && insn_target(&here, &target) && target == behind) return false;
    s->pc = call.addr;
    return true;
}

/* The same backwards: from behind a call to the call. */
static bool run_reverse_nexti(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    if (!take_count(g, a, &count, err)) return false;
    for (uint64_t rounds = 1; count; count--, rounds++) {
        struct search s;
        if (!script_goes_on(g, rounds, err)) return false;
        const uint64_t behind = location_here(&g->eval);
        if (!step_back(g, err)) return false;
        if (g->running.last.reason != GPUDBG_STOP_STEP) break;
        if (!back_into_call(g, behind, &s)) continue;
        struct machine_want want = search_want(&s, reached, true);
        if (!run_timed(g, &want, err)) return false;
        if (g->running.last.reason != GPUDBG_STOP_STEP) break;
    }
    report(g, out);
    return true;
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
    uint32_t flags;
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

static bool wave_ended(const struct gpudbg *g)
{
    struct machine_wave_info info;
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    return info.state == GPUDBG_ENDED;
}

static bool step_lines(struct gpudbg *g, struct gpudbg_args *a, bool (*every)(void *, struct gpudbg_wave *), bool back,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    if (!take_count(g, a, &count, err)) return false;
    for (uint64_t rounds = 1; count; count--, rounds++) {
        struct search s = search_from(g);
        if (!script_goes_on(g, rounds, err)) return false;
        if (!s.line) { /* no source here: one instruction */
            struct machine_want want = {
                .until = MACHINE_STEPS, .backwards = back, .stops = true, .wave = g->selection.wave, .count = count};
            return go(g, &want, out, err);
        }
        struct machine_want want = search_want(&s, every, back);
        if (every == other_line_here) pass_over_call(&s, s.pc);
        if (every == line_begins_here && s.function && s.function->addr == s.pc)
            want.every = called_from; /* nothing before it in this function: back to its caller */
        if (!run_timed(g, &want, err)) return false;
        if (g->running.last.reason != GPUDBG_STOP_STEP || wave_ended(g)) break;
    }
    report(g, out);
    return true;
}

static bool run_step(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_lines(g, a, other_line, false, out, err);
}

static bool run_next(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_lines(g, a, other_line_here, false, out, err);
}

static bool run_reverse_step(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_lines(g, a, line_begins, true, out, err);
}

static bool run_reverse_next(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return step_lines(g, a, line_begins_here, true, out, err);
}

static bool run_everything(
    struct gpudbg *g, struct gpudbg_args *a, bool back, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    if (!take_count(g, a, &count, err)) return false;
    struct stop_point *here = g->running.last.number ? stops_find(&g->control, g->running.last.number) : NULL;
    if (count > 1 && !here)
        return gpudbg_fail(err, "not-now",
            "%" PRIu64 ": a count needs a breakpoint that stopped the program, and there is none", count);
    struct machine_want want = {.until = MACHINE_END, .backwards = back, .stops = true, .wave = g->selection.wave};
    if (!back && count > 1) here->ignore += count - 1;
    const int number = here ? here->number : 0;
    do { /* ignore counts are of runs forwards */
        if (!run_timed(g, &want, err)) return false;
    } while (back && count-- > 1 && g->running.last.number == number);
    report(g, out);
    return true;
}

static bool run_continue_(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return run_everything(g, a, false, out, err);
}

static bool run_reverse_continue(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return run_everything(g, a, true, out, err);
}

static bool run_to(struct gpudbg *g, struct gpudbg_args *a, bool back, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    struct search s = search_from(g);
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "a place is missing");
    struct code_places places;
    if (!location_places(&g->eval, gpudbg_args_rest(a), &places, err)) return false;
    if (places.line) gpudbg_out_print(out, "That line has no code, line %" PRIu32 " is taken.\n", places.line);
    s.wanted = &places;
    const bool good = search_run(g, &s, reached, back, out, err);
    location_places_free(&places);
    return good;
}

static bool run_advance(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return run_to(g, a, false, out, err);
}

static bool run_reverse_advance(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return run_to(g, a, true, out, err);
}

static bool run_until(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (*gpudbg_args_rest(a)) return run_to(g, a, false, out, err);
    if (!eval_need_machine(&g->eval, err)) return false;
    struct search s = search_from(g);
    return search_run(g, &s, later, false, out, err);
}

static bool run_reverse_until(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return *gpudbg_args_rest(a) ? run_to(g, a, true, out, err) : step_lines(g, a, line_begins, true, out, err);
}

/* Behind a return, or outside the function by a jump: an instruction set may return by one.  Calls are passed over. */
static bool returned(void *data, struct gpudbg_wave *w)
{
    struct search *s = data;
    struct gpudbg_insn insn;
    uint32_t flags;
    if (w->id != s->wave || in_call(s, w)) return false;
    if (s->at_return || gpudbg_image_symbol_at(s->image, w->pc) != s->function) return true;
    pass_over_call(s, w->pc);
    s->at_return = flags_at(s, w->pc, &insn, &flags) && flags & GPUDBG_OP_RETURN;
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
static bool finish_inlined(
    struct gpudbg *g, struct search *s, bool *is, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct code_piece piece[PIECES];
    uint64_t pc;
    bool inner;
    const unsigned frame = locals_frame(&g->eval, &pc, &inner);
    const uint64_t function = inner ? scopes_inlined_at(g->loaded.image, pc, frame ? g->selection.frame.depth : 0) : 0;
    s->npieces = function ? scopes_pieces(g->loaded.image, function, piece, PIECES) : 0;
    *is = s->npieces && s->npieces <= PIECES;
    if (!*is) return true;
    s->piece = piece;
    pass_over_call(s, s->pc);
    return search_run(g, s, outside, false, out, err);
}

/* What the function that the wave has just left gave back; the wave stands behind a call, else it left by a jump. */
static void show_returned(struct gpudbg *g, const struct search *s, struct gpudbg_out *out)
{
    struct local_row row;
    struct gpudbg_insn call;
    const int lane = g->selection.lane;
    if (g->running.last.reason != GPUDBG_STOP_STEP || !insn_before(g->loaded.image, g->running.last.pc, &call) ||
        !call.op || !(call.op->flags & GPUDBG_OP_CALL) || !locals_returned(&g->eval, s->pc, s->wave, lane, &row))
        return;
    RECORD(out, "returned", "{function} returned {ctype}, lane {lane}: {value}\n", STRING("function", row.name),
        NUMBER("lane", lane), STRING("ctype", row.type), STRING("place", row.place[0] ? row.place : NULL),
        STRING("value", row.value));
}

static bool run_finish(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool inlined;
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err)) return false;
    struct search s = search_from(g);
    if (!finish_inlined(g, &s, &inlined, out, err)) return false;
    if (inlined) return true;
    struct gpudbg_insn insn;
    uint32_t flags;
    pass_over_call(&s, s.pc);
    s.at_return = flags_at(&s, s.pc, &insn, &flags) && flags & GPUDBG_OP_RETURN;
    if (!search_run(g, &s, returned, false, out, err)) return false;
    show_returned(g, &s, out);
    return true;
}

static bool run_reverse_finish(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err)) return false;
    struct search s = search_from(g);
    if (!s.function) return search_run(g, &s, called_from, true, out, err);
    struct search entry = s;
    entry.pc = s.function->addr;
    struct machine_want to_entry = search_want(&entry, reached, true);
    for (uint64_t rounds = 1;; rounds++) {
        const bool there = location_here(&g->eval) == entry.pc;
        if (!script_goes_on(g, rounds, err) || (!there && !run_timed(g, &to_entry, err))) return false;
        if (!there && g->running.last.reason != GPUDBG_STOP_STEP) break;
        if (!step_back(g, err)) return false;
        if (g->running.last.reason != GPUDBG_STOP_STEP ||
            !insn_stays(g->loaded.image, location_here(&g->eval), s.function))
            break;
    }
    report(g, out);
    return true;
}

static bool run_barrier(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err)) return false;
    struct machine_want want = {.until = MACHINE_BARRIER, .stops = true, .wave = g->selection.wave};
    return go(g, &want, out, err);
}

static bool run_goto_(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a);
    char sign = *text == '+' || *text == '-' ? *text : 0;
    uint64_t n;
    if (!eval_need_machine(&g->eval, err)) return false;
    if (sign) a->at++;
    if (!args_value(a, "a position", &n, err)) return false;
    uint64_t now = machine_position(g->running.machine);
    if (sign == '-' && n > now)
        return gpudbg_fail(
            err, "out-of-range", "-%" PRIu64 ": only %" PRIu64 " instructions have been executed", n, now);
    uint64_t to = !sign ? n : sign == '-' ? now - n : n > UINT64_MAX - now ? UINT64_MAX : now + n;
    struct machine_want want = {
        .until = MACHINE_POSITION, .backwards = to < now, .wave = g->selection.wave, .count = to};
    return go(g, &want, out, err);
}

#define RUNNING(symbol, word, other, how, what, more)          \
    static const struct gpudbg_command symbol = {.name = word, \
        .aliases = other,                                      \
        .usage = how,                                          \
        .summary = what,                                       \
        .help = more,                                          \
        .family = "Running",                                   \
        .run = run_##symbol,                                   \
        .complete = complete_symbol}

RUNNING(stepi, "stepi", "si", "[N]", "execute one instruction of the selected wave",
    "With N, it executes N instructions.  Other waves run only if the selected wave cannot go on\n"
    "without them, as at a barrier.");
RUNNING(nexti, "nexti", "ni", "[N]", "execute one instruction; a call runs to its end", NULL);
RUNNING(step, "step", "s", "[N]", "run to another source line, also into calls",
    "If the code has no source lines, the command executes one instruction, as `stepi` does.");
RUNNING(next, "next", "n", "[N]", "run to another source line, over calls", NULL);
RUNNING(continue_, "continue", "c", "[N]", "run until something stops the program",
    "Breakpoints, watchpoints, faults, checkers, Ctrl-C and the end of the launch stop it.\n"
    "With N, gpudbg ignores the breakpoint that stopped it N - 1 times and stops at its N-th hit.");
RUNNING(until, "until", "u", "[PLACE]", "run to a place, or past the end of a loop",
    "Without PLACE, gpudbg runs until the wave is at a later line (or address) than now.  At the end of a\n"
    "loop's body it therefore runs all rounds of the loop and stops after it.");
RUNNING(advance, "advance", NULL, "PLACE", "run the selected wave to a place", NULL);
RUNNING(finish, "finish", "fin", "", "run to the end of the current function",
    "It shows what the function returned, for the selected lane, if the calling convention says where that\n"
    "is.  An inlined function has ended when the wave is outside its code.  If the wave ends first, the\n"
    "command stops there.");
RUNNING(barrier, "barrier", NULL, "", "run only the selected wave, to its next barrier or its end", NULL);
RUNNING(reverse_stepi, "reverse-stepi", "rsi", "[N]", "undo one instruction of the selected wave", NULL);
RUNNING(reverse_nexti, "reverse-nexti", "rni", "[N]", "undo one instruction, or a whole call", NULL);
RUNNING(reverse_step, "reverse-step", "rs", "[N]", "run backward to the start of a source line", NULL);
RUNNING(reverse_next, "reverse-next", "rn", "[N]", "run backward to the start of a line, over calls", NULL);
RUNNING(reverse_continue, "reverse-continue", "rc", "[N]", "run backward until something stops it",
    "Breakpoints, watchpoints, Ctrl-C and the launch stop it.");
RUNNING(reverse_until, "reverse-until", "ru", "[PLACE]", "run backward to a place, or to the line before", NULL);
RUNNING(reverse_advance, "reverse-advance", NULL, "PLACE", "run backward until the selected wave is at a place", NULL);
RUNNING(reverse_finish, "reverse-finish", NULL, "", "run backward to the call of the current function",
    "If nothing called it, the command goes back to the launch.");
RUNNING(goto_, "goto", NULL, "N | +N | -N", "jump to a position in time",
    "A position is the number of instructions that the whole machine has executed since the launch.\n"
    "+N and -N count from the present position.  Inside recorded time, going forward repeats what\n"
    "happened.");

static const struct gpudbg_command *const commands[] = {
    &launch,
    &run,
    &kill_command,
    &stepi,
    &nexti,
    &step,
    &next,
    &continue_,
    &until,
    &advance,
    &finish,
    &barrier,
    &reverse_stepi,
    &reverse_nexti,
    &reverse_step,
    &reverse_next,
    &reverse_continue,
    &reverse_until,
    &reverse_advance,
    &reverse_finish,
    &goto_,
    NULL,
};
COMMAND_FAMILY(cmd_run, "running", .summary = "commands that run", .commands = commands);
