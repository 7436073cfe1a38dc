/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that run: launch, stepping and continuing both ways, positions in time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "session/command.h"
#include "command/cmd_mark.h"
#include "command/display.h"
#include "command/cmd_printed.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/say.h"
#include "gpudbg/text.h"
#include "session/script.h"
#include "session/session.h"
#include "control/frames.h"
#include "control/step.h"
#include "control/stop.h"

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
    char assumed[600];
    const int length = m->isa->run->assumed ? m->isa->run->assumed(m, assumed, sizeof assumed) : 0;
    if (length >= (int)sizeof assumed) memcpy(assumed + sizeof assumed - 4, "...", 4);
    const bool moved = l->offset[0] || l->offset[1] || l->offset[2];
    RECORD(out, "launch",
        "{kernel}: {groups} group{groups:s} of {items} work-item{items:s}, {waves} wave{waves:s}; at entry {pc}\n"
        "[assumed: {assumed}\n]",
        STRING("kernel", name), NUMBERS("global", l->global, 3), NUMBERS("local", l->local, 3),
        IF(moved, NUMBERS("offset", l->offset, 3)), NUMBER("groups", groups), TEXT_ONLY(NUMBER("items", items)),
        NUMBER("waves", m->nwaves), HEX("pc", g->selection.cursor), STRING("where", where),
        STRING("assumed", length > 0 ? assumed : NULL));
}

static bool launch_words(struct gpudbg *g, const char *words, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!session_launch(g, words, err)) return false;
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
            "ARG                 one for each argument in the kernel's order, or NAME=ARG, or NAME:TYPE=ARG:\n"
            "  @FILE             a buffer with the bytes of a file\n"
            "  zero:BYTES        a buffer of zeros\n"
            "  fill:BYTES:VALUE  a buffer whose bytes all have this value\n"
            "  null              a null pointer\n"
            "  local:BYTES       local memory\n"
            "  7 -3 0x10 1.5     a number; also with its type (u32:7, f32:1.5) or as bytes (hex:BYTES)\n"
            "Bare code needs named arguments: s[0:3]=hex:..., v[0]=..., buf0=ARG and &buf0.\n"
            "`help launch-arguments` has all forms.",
    .family = "Running",
    .effect = GPUDBG_CHANGES,
    .run = run_launch,
    .complete = complete_launch,
};

static bool run_run(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!g->running.launched) return gpudbg_fail(err, "no-launch", "nothing was launched yet; see `help launch`");
    if (!eval_need_image(&g->eval, err)) return false;
    const char *changes = gpudbg_args_rest(a);
    char *words = *changes ? launch_words_changed(g->loaded.image, g->running.launched, changes, err)
                           : xstrdup(g->running.launched);
    const bool ok = words && launch_words(g, words, out, err);
    free(words);
    return ok;
}

static const struct gpudbg_command run = {
    .name = "run",
    .aliases = "r restart start starti",
    .usage = "[-g X[,Y[,Z]]] [-l X[,Y[,Z]]] [-o X[,Y[,Z]]] [ARG]...",
    .summary = "repeat the last launch, also with other sizes or arguments",
    .help = "Alone, everything is as before.  What is given takes the place of what the last launch was given:\n"
            "-g -l -o            a size or an offset\n"
            "NAME=ARG            one argument\n"
            "ARG...              all arguments, in the kernel's order",
    .family = "Running",
    .effect = GPUDBG_CHANGES,
    .run = run_run,
    .complete = complete_launch,
};

static bool run_kill(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err) || !session_may_replace(g, err)) return false;
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
    .effect = GPUDBG_CHANGES,
    .run = run_kill,
};

/* ---- Running ---- */

/* The source line, where one begins; of a checker's report always. */
static void show_line(struct gpudbg *g, struct gpudbg_out *out)
{
    const struct gpudbg_line *row = gpudbg_image_line(g->loaded.image, g->running.last.pc);
    if (machine_wave_ended(g->running.machine, g->running.last.wave)) return;
    const bool whole = row && (row->addr == g->running.last.pc || g->running.last.reason == GPUDBG_STOP_CHECK);
    if (whole && g->loaded.image && !strcmp(row->file, g->loaded.image->path)) return; /* it says the same */
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

/* Says where and why a run stopped. */
static bool reported(struct gpudbg *g, bool ran, struct gpudbg_out *out)
{
    if (ran) report(g, out);
    return ran;
}

/* The count behind a stepping command: 1 if none is given. */
static bool take_count(struct gpudbg *g, struct gpudbg_args *a, uint64_t *count, struct gpudbg_error *err)
{
    *count = 1;
    return eval_need_machine(&g->eval, err) && (!*gpudbg_args_rest(a) || args_value(a, "a count", count, err));
}

static bool run_stepi(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_insns(&g->control, n, false, err), out);
}

static bool run_reverse_stepi(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_insns(&g->control, n, true, err), out);
}

static bool run_nexti(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_insns_over(&g->control, n, false, err), out);
}

static bool run_reverse_nexti(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_insns_over(&g->control, n, true, err), out);
}

static bool run_step(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_lines(&g->control, n, false, false, err), out);
}

static bool run_next(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_lines(&g->control, n, true, false, err), out);
}

static bool run_reverse_step(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_lines(&g->control, n, false, true, err), out);
}

static bool run_reverse_next(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n;
    return take_count(g, a, &n, err) && reported(g, step_lines(&g->control, n, true, true, err), out);
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
    if (!back && count > 1) here->ignore += count - 1;
    const int number = here ? here->number : 0;
    do { /* ignore counts are of runs forwards */
        if (!step_all(&g->control, back, err)) return false;
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
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "a place is missing");
    struct code_places places;
    if (!location_places(&g->eval, gpudbg_args_rest(a), &places, err)) return false;
    if (places.line) gpudbg_out_print(out, "That line has no code, line %" PRIu32 " is taken.\n", places.line);
    const bool good = reported(g, step_to(&g->control, &places, back, err), out);
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
    return reported(g, step_later(&g->control, err), out);
}

static bool run_reverse_until(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return *gpudbg_args_rest(a) ? run_to(g, a, true, out, err)
                                : reported(g, step_lines(&g->control, 1, false, true, err), out);
}

/* Nothing called what the wave is in: the launch did. */
static bool is_outermost(struct gpudbg *g, const char **kernel)
{
    struct gpudbg_machine *m = g->running.machine;
    struct frames f;
    if (!m || !m->launch->kernel || !m->launch->kernel->name || !g->loaded.image) return false;
    frames_find(&g->control, FRAMES_MOST, &f, NULL);
    const struct gpudbg_symbol *in = f.n ? gpudbg_image_symbol_at(g->loaded.image, f.of[0].pc) : NULL;
    *kernel = m->launch->kernel->name;
    uint64_t pc;
    bool inner;
    const unsigned selected = locals_frame(&g->eval, &pc, &inner);
    return in && f.n == f.inner && selected + 1 == f.n && m->launch->kernel->entry - in->addr < in->size;
}

static bool run_finish(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct local_row row;
    bool returns;
    const char *kernel;
    if (args_end(a, err) && is_outermost(g, &kernel))
        return gpudbg_fail(err, "not-now",
            "`finish` is not meaningful in the outermost frame: the launch started %.80s, and `continue` runs on",
            kernel);
    if (!args_end(a, err) || !reported(g, step_out(&g->control, &row, &returns, err), out)) return false;
    if (returns)
        RECORD(out, "returned", "{function} returned {ctype}, lane {lane}: {value}\n", STRING("function", row.name),
            NUMBER("lane", g->selection.lane), STRING("ctype", row.type),
            STRING("place", row.place[0] ? row.place : NULL), STRING("value", row.value));
    return true;
}

static bool run_reverse_finish(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return args_end(a, err) && reported(g, step_out_back(&g->control, err), out);
}

static bool run_barrier(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err) || !session_may_change(g, err)) return false;
    struct machine_want want = {.until = MACHINE_BARRIER, .stops = true, .wave = g->selection.wave};
    return reported(g, step_run(&g->control, &want, err), out);
}

/* A bookmark wins over all else of its name, and says so. */
static bool goto_bookmark(struct gpudbg *g, const struct bookmark *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct mark_spot s = b->spot;
    if (!s.timed) {
        if (s.placed) g->selection.cursor = s.addr;
        mark_show(g, b, out);
        return true;
    }
    if (!eval_need_machine(&g->eval, err)) return false;
    const bool hides = g->loaded.image && gpudbg_image_find(g->loaded.image, b->name);
    if (hides || marks_forgotten(g, &s)) mark_show(g, b, out);
    if (s.wave >= g->running.machine->nwaves || s.lane >= (int)g->running.machine->lanes)
        return gpudbg_fail(err, "out-of-range",
            "bookmark %s is of wave %u, lane %d: this launch has %u waves of %u lanes", b->name, s.wave, s.lane,
            g->running.machine->nwaves, g->running.machine->lanes);
    struct machine_want want = {.until = MACHINE_POSITION,
        .backwards = s.position < machine_position(g->running.machine),
        .wave = s.wave,
        .count = s.position};
    if (!step_run(&g->control, &want, err)) return false;
    g->selection.wave = g->running.last.wave = s.wave;
    g->selection.lane = s.lane < 0 ? 0 : s.lane;
    g->selection.cursor = g->running.last.pc = location_here(&g->eval);
    report(g, out);
    return true;
}

static bool run_goto_(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a);
    char sign = *text == '+' || *text == '-' ? *text : 0;
    uint64_t n;
    if (marks_named(g, text)) return goto_bookmark(g, marks_named(g, text), out, err);
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
    return reported(g, step_run(&g->control, &want, err), out);
}

#define RUNNING(symbol, word, other, how, what, more)          \
    static const struct gpudbg_command symbol = {.name = word, \
        .aliases = other,                                      \
        .usage = how,                                          \
        .summary = what,                                       \
        .help = more,                                          \
        .family = "Running",                                   \
        .effect = GPUDBG_MOVES,                                \
        .run = run_##symbol,                                   \
        .complete = complete_code}

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
    "is; a structure that is returned in memory also needs the call to be in recorded time.  If not, it says\n"
    "why.  An inlined function has ended when the wave is outside its code.  If the wave ends first, the\n"
    "command stops there.");
RUNNING(barrier, "barrier", NULL, "", "run the selected wave to its next barrier or its end",
    "Other waves run only where it waits for them, or inside recorded time, which is repeated as it was.");
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
RUNNING(goto_, "goto", NULL, "N | +N | -N | BOOKMARK", "jump to a position in time, or to a bookmark",
    "A position is the number of instructions that the whole machine has executed since the launch.\n"
    "+N and -N count from the present position.  Inside recorded time, going forward repeats what\n"
    "happened; a change by `set` or `patch` discards what was recorded after it.  BOOKMARK is a name that\n"
    "`bookmark` gave: the command goes to its position, wave and lane, to its place in the code, or to its\n"
    "line of a dump.  If a bookmark and something else have the same name, the bookmark is meant.");

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
