/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkers: `check`, `info checks`, `info checkers`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/words.h"
#include "image/image.h"
#include "command/cmd_past.h"
#include "check/check.h"
#include "gpudbg/lane_set.h"
#include "gpudbg/text.h"
#include "out/say.h"
#include "session/command.h"
#include "word/registry.h"
#include "session/session.h"

/* ---- Reports ---- */

/* Where in the file, then where in the code. */
static int place_text(const struct gpudbg *g, const struct check_report *r, char *buf, size_t size)
{
    if (r->what.line && r->what.column) return snprintf(buf, size, "%ld:%ld", r->what.line, r->what.column);
    if (r->what.line) return snprintf(buf, size, "%ld", r->what.line);
    return image_where(g->loaded.image, r->what.pc, buf, size);
}

static int address_text(struct gpudbg *g, const struct check_report *r, char *buf, size_t size)
{
    const int lane = r->what.lanes ? __builtin_ctzll(r->what.lanes) : -1;
    if (!r->what.address || !r->running || !g->running.machine) return 0;
    return origin_address_text(&g->eval, r->wave, lane, r->position, r->what.pc, buf, size);
}

static void print_report(struct gpudbg *g, struct gpudbg_out *out, const struct check_report *r)
{
    char where[200], source[300], address[600], lanes[LANE_SET_TEXT];
    lane_set_text(r->what.lanes, lanes, sizeof lanes);
    place_text(g, r, where, sizeof where);
    const bool addressed = address_text(g, r, address, sizeof address) > 0;
    const bool sourced = r->running && check_source(&g->eval, r, source, sizeof source) > 0;
    BEGIN(out, "check",
        "{where}: {kind}: [{remark}: ]{message}[ (wave {wave}[, {which}][; the first of {several}])]\n"
        "[    {written}\n][    {origin}\n][    {address}\n]",
        STRING("kind", r->kind), IF(r->running, NUMBER("wave", r->wave)),
        IF(r->what.lanes, HEX("lanes", r->what.lanes)), HEX("pc", r->what.pc),
        IF(r->running, NUMBER("position", r->position)), IF(r->what.line, NUMBER("line", r->what.line)),
        IF(r->what.column, NUMBER("column", r->what.column)), STRING("error", r->what.error),
        FLAG("note", r->what.note), TEXT("remark", r->what.note ? "note" : NULL), STRING("message", r->what.message),
        STRING("origin", r->what.origin), STRING("address", addressed ? address : NULL),
        IF(r->running, NUMBER("count", r->count)), TEXT("where", where), TEXT("which", *lanes ? lanes : NULL),
        TEXT("written", sourced ? source : NULL), TEXT_ONLY(IF(r->count > 1, NUMBER("several", r->count))));
    if (r->running) check_frames(&g->eval, r, out);
    gpudbg_out_end(out);
}

/* A report of wrong code is an error like any other: it is counted, and goes where errors go. */
static void fail_report(struct gpudbg *g, struct gpudbg_out *out, const struct check_report *r)
{
    struct gpudbg_error err = {
        .line = r->what.line, .column = r->what.column, .offset = r->what.line ? -1 : (int64_t)r->what.pc};
    char where[200];
    snprintf(err.file, sizeof err.file, "%s", g->loaded.image->path);
    image_where(g->loaded.image, r->what.pc, where, sizeof where);
    if (r->what.line)
        gpudbg_fail(&err, r->what.error, "%s", r->what.message);
    else
        gpudbg_fail(&err, r->what.error, "%s: %s", where, r->what.message);
    session_failed(g, &err, g->loaded.image->path, r->what.line, out);
}

static bool run_info_checks(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *kind = gpudbg_args_word(a);
    const struct check_report *r;
    size_t shown = 0;
    if (!args_end(a, err)) return false;
    for (size_t i = 0; (r = checks_report(g->control.checks, i)); i++) {
        if (kind && strcmp(r->kind, kind)) continue;
        print_report(g, out, r);
        shown++;
    }
    if (!shown) gpudbg_out_print(out, "No reports.\n");
    return true;
}

static const struct gpudbg_command info_checks = {
    .name = "info checks",
    .usage = "[KIND]",
    .summary = "show what the checkers have reported",
    .family = "Checks",
    .run = run_info_checks,
};

/* ---- check ---- */

struct checker_row {
    const struct gpudbg *g;
    const struct gpudbg_checker *checker;
};

static int checker_kind(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct checker_row *)row)->checker->kind);
}

static int checker_state(const void *row, char *buf, size_t size)
{
    const struct checker_row *r = row;
    const char *state = !r->checker->start ? "code" : checks_on(r->g->control.checks, r->checker) ? "on" : "off";
    return snprintf(buf, size, "%s", state);
}

static int checker_summary(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct checker_row *)row)->checker->summary);
}

static bool checker_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    (void)err;
    struct checker_row row = {.g = g};
    for (size_t i = 0; (row.checker = registry_checker(g->registry, i)); i++)
        if (!each(to, &row)) break;
    return true;
}

static const struct gpudbg_column checker_columns[] = {
    {"kind", "kind", 0, GPUDBG_NAME, checker_kind},
    {"state", "state", 0, GPUDBG_PLAIN, checker_state},
    {"summary", "finds", 0, GPUDBG_NOTE, checker_summary},
};
static const struct gpudbg_listing checkers = {
    .name = "checkers",
    .summary = "list the checkers, and which of them are on",
    .type = "checker",
    .columns = checker_columns,
    .ncolumns = sizeof checker_columns / sizeof *checker_columns,
    .rows = checker_rows,
    .empty = "No checkers.",
};

static const struct gpudbg_checker *checker_named(struct gpudbg *g, const char *kind)
{
    const struct gpudbg_checker *k;
    for (size_t i = 0; (k = registry_checker(g->registry, i)); i++)
        if (!strcmp(k->kind, kind)) return k;
    return NULL;
}

/* Checks the loaded code, and says what was found. */
static bool check_now(
    struct gpudbg *g, const struct gpudbg_checker *k, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct check_report *r;
    size_t found = 0;
    if (!checks_code(g->control.checks, k, err)) return false;
    for (size_t i = 0; (r = checks_report(g->control.checks, i)); i++) {
        if (r->running || strcmp(r->kind, k->kind)) continue;
        found += !r->what.note;
        if (r->what.error)
            fail_report(g, out, r);
        else
            print_report(g, out, r);
    }
    if (!found) gpudbg_out_print(out, "check %s: nothing found\n", k->kind);
    return true;
}

/* `check all`: those that have something to say of this code, or that watch runs. */
static bool check_all(struct gpudbg *g, const char *state, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_checker *k;
    const struct gpudbg_image *image = state ? NULL : eval_need_image(&g->eval, err);
    if (!state && !image) return false;
    for (size_t i = 0; (k = registry_checker(g->registry, i)); i++) {
        bool done = true;
        if (state && k->start)
            done = checks_switch(g->control.checks, k, strcmp(state, "on") == 0, err);
        else if (!state && k->code && (!k->applies || k->applies(image->isa)))
            done = check_now(g, k, out, err);
        if (!done) return false;
    }
    return true;
}

/* Switches a watcher.  That it will find nothing in the loaded code is said, or its silence would be praise. */
static bool switch_one(
    struct gpudbg *g, const struct gpudbg_checker *k, bool on, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->loaded.image ? g->loaded.image->isa : NULL;
    if (!checks_switch(g->control.checks, k, on, err)) return false;
    if (on && isa && k->applies && !k->applies(isa))
        gpudbg_out_print(out, "check %s: it looks at nothing in %s code (help check)\n", k->kind, isa->name);
    else if (on && isa && k == &check_array && !check_array_can(g->loaded.image))
        gpudbg_out_print(out, "check %s: it looks at nothing without debug information (compile with -g)\n", k->kind);
    return true;
}

static bool run_check(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *kind = gpudbg_args_word(a), *state = gpudbg_args_word(a);
    if (!kind) return gpudbg_execute(g, "info checkers", out, err);
    if (!args_end(a, err)) return false;
    if (state && strcmp(state, "on") && strcmp(state, "off"))
        return gpudbg_fail(err, "no-such-name", "check %s: \"%s\" is neither on nor off", kind, state);
    if (!strcmp(kind, "all")) return check_all(g, state, out, err);
    const struct gpudbg_checker *k = checker_named(g, kind);
    if (!k) return gpudbg_fail(err, "no-such-name", "no checker is named %s; `info checkers` lists them", kind);
    return state ? switch_one(g, k, strcmp(state, "on") == 0, out, err) : check_now(g, k, out, err);
}

static char *complete_checker(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_checker *k;
    for (size_t i = 0; (k = registry_checker(g->registry, i)); i++)
        if (!strncmp(k->kind, text, strlen(text)) && !state--) return xstrdup(k->kind);
    return !strncmp("all", text, strlen(text)) && !state ? xstrdup("all") : NULL;
}

static const struct gpudbg_command check = {
    .name = "check",
    .usage = "[KIND [on|off]]",
    .summary = "check the loaded code now, or watch runs with a checker",
    .help =
        "check KIND      check all loaded code now and print what is wrong with it\n"
        "check KIND on   watch runs, from the launch on.  The first report at an instruction stops the run,\n"
        "                with the reason \"check\".  `continue` goes on.  The stop names the faulty\n"
        "                instruction, its source line and its callers; the wave may have moved past it.  The line\n"
        "                below says where the trouble comes from: of a race, the other access and the missing edge\n"
        "check KIND off  stop watching\n"
        "A checker that you switch on late first replays what has already run, at the next run command.  After\n"
        "a long run several processes do that (`set threads`); if you interrupt them, the next run starts it again.\n"
        "`note:` marks a remark, not an error.\n"
        "wait, hazard and scoreboard need no run: they follow all paths from the start of kernels and functions,\n"
        "as if each branch could go both ways.  `check wait` ignores accesses that are under way across a call,\n"
        "and addresses in registers; after FLAT loads it requires vmcnt only.  A run checks these, too.\n"
        "In a run, scoreboard reports a call without a wait for a payload that the called function overwrites.\n"
        "ocloc's unoptimised code has such calls, some with the wait after the call: the report is right.\n"
        "KIND is a checker that `info checkers` lists, or `all`.  `info checks` lists the reports: one for each\n"
        "instruction and cause, with a count.\n"
        "array checks private arrays: an index past the end would silently hit another variable.  It needs debug\n"
        "information.  For a structure or a nested array only the outer bounds are checked.  It looks at:\n"
        "  clang                   accesses whose code shows the array's place in the frame; nothing that is reached\n"
        "                          through a pointer\n"
        "  ocloc, -cl-opt-disable  arrays in memory, also through pointers to them that are kept in private memory or\n"
        "                          passed to functions.  Of arrays of one size the report may name several\n"
        "  ocloc, optimised        arrays in registers, of numbers of 8 to 32 bits, if debug information says where\n"
        "                          they begin.  If some arrays have no known place, only an index past the\n"
        "                          largest of them is reported.  Not arrays in memory: ocloc interleaves\n"
        "                          them over the lanes, and debug information gives no place of them\n"
        "ocloc writes no debug information into a zebin file of several kernels.\n"
        "Compilers turn async_work_group_copy into loads and stores of the work-items, and wait_group_events\n"
        "into a barrier.  If a kernel forgets to wait for a copy, race or uninitialised reports it.\n"
        "A report of an access out of range (array, bounds, extent, range) says what the address was computed\n"
        "from; `origin` goes on from there.\n"
        "uninitialised follows unwritten bits through registers, memory and arithmetic, and reports them where they\n"
        "decide (a branch, which lanes run, an address, a descriptor, a message) or leave for memory that others see.\n"
        "It names their origin: the register, or the load of bytes that were never written.  When a value is stored,\n"
        "its first byte must be written, and a computed value must be written whole; padding after it, and the\n"
        "fourth element after a vector of three, may be unwritten (CLSmith's results have such bytes).\n"
        "race follows barriers, flags, locks and fences by the chip's memory model; see `help races`, which also says\n"
        "when the group sees a store that has not arrived at a barrier.  Two things are not reported by default:\n"
        "stores of equal values (`set equal-stores on`), and accesses of different lanes of one wave, whose\n"
        "instructions are in order (`set lanes-race on`).\n"
        "Memory: checkers keep a bit or two for each bit of the registers of running waves and for each byte of\n"
        "memory that is used, and race what was last done to each place.  With all of them the program needs about\n"
        "1.2 to 1.7 times the memory of the run alone (at most 4 times on the kernels of `make bench`); race stops\n"
        "watching new memory at 1 GB, and says so in a note.",
    .family = "Checks",
    .run = run_check,
    .complete = complete_checker,
};

static const struct gpudbg_command *const commands[] = {&check, &info_checks, NULL};
static const struct gpudbg_listing *const listings[] = {&checkers, NULL};
static const struct gpudbg_checker *const built_in[] = {
    &check_uninitialised, &check_race, &check_barrier, &check_array, NULL};
COMMAND_FAMILY(cmd_check, "checks", .summary = "checkers of code and of runs", .commands = commands,
    .listings = listings, .checkers = built_in);
