/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source knows: info locals, info args, backtrace. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "image/image.h"
#include "control/frames.h"
#include "session/command.h"
#include "eval/entry.h"
#include "eval/locals.h"
#include "eval/show.h"
#include "eval/source_file.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/session.h"

/* ---- info locals, info args ---- */

static int local_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct local_row *)row)->name);
}

static int local_value(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct local_row *)row)->value);
}

static int local_type(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct local_row *)row)->type);
}

static int local_place(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct local_row *)row)->place);
}

static const struct gpudbg_column columns[] = {
    {"name", "name", 0, GPUDBG_NAME, local_name}, {"ctype", "type", 0, GPUDBG_NOTE, local_type},
    {"place", "where", 0, GPUDBG_NOTE, local_place},
    {"value", "value", 0, GPUDBG_PLAIN, local_value}, /* last: arrays are long */
};

struct picking {
    bool parameters;
    gpudbg_row_fn *each;
    void *to;
};

static bool pick(void *to, const struct local_row *row)
{
    const struct picking *p = to;
    return row->global || row->parameter != p->parameters || p->each(p->to, row);
}

static bool rows(
    struct gpudbg *g, bool parameters, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct picking p = {parameters, each, to};
    if (*args) return gpudbg_fail(err, "usage", "\"%.60s\" is one word too many for this command", args);
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!g->running.machine->isa->dwarf)
        return gpudbg_fail(err, "unsupported",
            "gpudbg does not read variables of %s from debug information; `info launch` shows the kernel's arguments",
            g->running.machine->isa->name);
    if (!eval_need_running(&g->eval, err)) return false;
    locals_each(&g->eval, g->selection.wave, g->selection.lane, pick, &p);
    return true;
}

static bool local_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return rows(g, false, args, each, to, err);
}

static bool argument_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return rows(g, true, args, each, to, err);
}

static const struct gpudbg_listing locals = {
    .name = "locals",
    .summary = "list the source variables in scope, with their values in the selected lane",
    .type = "local",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = local_rows,
    .empty = "no locals (is there debug information? compile with -g)",
};
static const struct gpudbg_listing arguments = {
    .name = "args",
    .summary = "list the parameters of the current function, with their values in the selected lane",
    .type = "local",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = argument_rows,
    .empty = "no arguments (is there debug information? compile with -g)",
};

/* ---- whatis ---- */

struct asking {
    const char *name;
    struct gpudbg_out *out;
    bool found;
};

static bool tell_type(void *to, const struct local_row *row)
{
    struct asking *a = to;
    const size_t n = strlen(a->name);
    /* An argument that only the launch still has is in scope, too. */
    if (strncmp(row->name, a->name, n) != 0 || (row->name[n] && strcmp(row->name + n, ENTRY_SUFFIX) != 0)) return true;
    RECORD(a->out, "local", "{name}: {ctype}\n", STRING("name", a->name), STRING("ctype", row->type));
    a->found = true;
    return false;
}

/* "struct particle": C's keyword before the name of a type. */
static const char *past_keyword(const char *name)
{
    static const char *const words[] = {"struct ", "union ", "enum "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0) return name + strlen(words[i]);
    return name;
}

/* A type of the source. */
static bool tell_size(struct gpudbg *g, const char *name, struct gpudbg_out *out)
{
    struct gpudbg_error ignored = {0};
    char expr[200], text[64];
    uint64_t size;
    if (strchr(name, ')') || snprintf(expr, sizeof expr, "sizeof(%s)", name) >= (int)sizeof expr ||
        !gpudbg_evaluate(g, expr, &size, &ignored))
        return false;
    snprintf(text, sizeof text, "a type of %" PRIu64 " byte%s", size, size == 1 ? "" : "s");
    RECORD(out, "local", "{name}: {ctype}\n", STRING("name", name), STRING("ctype", text));
    return true;
}

static bool tell_value_type(struct gpudbg *g, const char *expr, struct gpudbg_out *out)
{
    struct gpudbg_error ignored = {0};
    struct value v;
    char text[32];
    if (!expr_value(&g->eval, expr, &v, &ignored)) return false;
    show_type(&g->eval, &v, text, sizeof text);
    RECORD(out, "local", "{name}: {ctype}\n", STRING("name", expr), STRING("ctype", text));
    return true;
}

static bool run_whatis(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct asking asking = {past_keyword(gpudbg_args_rest(a)), out, false};
    if (!*asking.name) return gpudbg_fail(err, "usage", "a variable's name is missing");
    if (!eval_need_image(&g->eval, err)) return false;
    if (g->running.machine && !eval_need_running(&g->eval, err)) return false;
    locals_each(&g->eval, g->selection.wave, g->selection.lane, tell_type, &asking);
    return asking.found || tell_size(g, asking.name, out) || tell_value_type(g, asking.name, out) ||
           gpudbg_fail(err, "no-such-name", "no variable or type \"%.60s\" is in scope", asking.name);
}

static const struct gpudbg_command whatis = {
    .name = "whatis",
    .aliases = "ptype",
    .usage = "NAME | EXPR",
    .summary = "show the type of a source variable or an expression, or the size of a type",
    .family = "Data",
    .run = run_whatis,
};

/* ---- backtrace ---- */

static void show_frame(
    struct gpudbg *g, struct gpudbg_out *out, unsigned number, uint64_t pc, const struct local_frame *f)
{
    char where[300];
    image_where(g->loaded.image, pc, where, sizeof where);
    const bool named = f->name && strcmp(f->name, where) != 0;
    RECORD(out, "frame", "#{number:-2} {where}[ in {known_as}][ at {file}:{line}][{within} (inlined)]\n",
        NUMBER("number", number), HEX("pc", pc), STRING("where", where), STRING("function", f->name),
        STRING("file", f->file), IF(f->file, NUMBER("line", f->line)), NUMBER("inlined", f->inlined),
        TEXT("known_as", named ? f->name : NULL), TEXT_ONLY(FLAG("within", f->inlined)));
}

/* Shows the variables of frame i, and leaves the selected frame selected. */
static bool show_locals(struct gpudbg *g, unsigned i, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct frames s;
    uint64_t pc;
    bool inner;
    const unsigned was = locals_frame(&g->eval, &pc, &inner);
    struct gpudbg_error none = {0};
    if (!frames_select(&g->control, i, &s, err)) return false;
    const bool shown = session_listing(g, out, &locals, "", &none); /* code without variables has none to show */
    return frames_select(&g->control, was, &s, err) && (shown || !none.kind || strcmp(none.kind, "interrupt") != 0);
}

/* Options of gdb's backtrace: all frames are shown whole here, so but for -full they change nothing. */
static bool past_options(struct gpudbg_args *a, bool *full, struct gpudbg_error *err)
{
    static const char with_value[] = " -frame-arguments -frame-info -entry-values ";
    static const char without[] = " -full -hide -no-filters -past-main -past-entry -raw-frame-arguments -- ";
    while (gpudbg_args_rest(a)[0] == '-' && !isdigit((unsigned char)gpudbg_args_rest(a)[1])) {
        char option[40];
        text_put(option, sizeof option, " %s ", gpudbg_args_word(a));
        if (strcmp(option, " -full ") == 0) *full = true;
        if (!strstr(with_value, option) && !strstr(without, option))
            return gpudbg_fail(err, "usage", "backtrace: no such option:%s", option);
        const char *next = gpudbg_args_rest(a);
        if (strstr(with_value, option) || strncmp(next, "on", 2) == 0 || strncmp(next, "off", 3) == 0)
            gpudbg_args_word(a);
    }
    return true;
}

static bool run_backtrace(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t most = FRAMES_MOST;
    struct frames s;
    bool option = false;
    if (!past_options(a, &option, err)) return false;
    const char *rest = gpudbg_args_rest(a);
    const bool full = strncmp(rest, "full", 4) == 0 && (!rest[4] || isspace((unsigned char)rest[4]));
    if (full) gpudbg_args_word(a);
    const bool outermost = *gpudbg_args_rest(a) == '-';
    if (outermost) a->at++;
    if ((*gpudbg_args_rest(a) && !gpudbg_args_number(a, &most, err)) || !args_end(a, err) ||
        !eval_need_running(&g->eval, err))
        return false;
    if (most > FRAMES_MOST) most = FRAMES_MOST;
    frames_find(&g->control, outermost ? FRAMES_MOST : (unsigned)most, &s, NULL);
    for (unsigned i = outermost && s.n > most ? s.n - (unsigned)most : 0; i < s.n; i++) {
        show_frame(g, out, i, s.of[i].pc, &s.of[i].frame);
        if ((full || option) && !show_locals(g, i, out, err)) return false;
    }
    return true;
}

static const struct gpudbg_command backtrace = {
    .name = "backtrace",
    .aliases = "bt where",
    .usage = "[full] [[-]N]",
    .summary = "show which functions called the current one",
    .help = "The current function is frame 0, the function that called it is frame 1, and so on.  With N, only the\n"
            "N innermost frames are shown; with -N, the N outermost.  `full` adds the variables of each frame.\n"
            "A calling function is shown at its call.  gpudbg finds the calls in recorded time.\n"
            "If recorded time does not reach back to a call, as in waves of a dump, gpudbg executes the rest of the\n"
            "function on a copy of the wave, up to its return.",
    .family = "Data",
    .run = run_backtrace,
};

/* ---- frame, up, down ---- */

#define FRAME_LINES 5 /* in front of the frame's line, where `list` begins */

static bool select_frame(struct gpudbg *g, uint64_t number, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct frames s;
    if (!frames_select(&g->control, number < UINT32_MAX ? (unsigned)number : UINT32_MAX, &s, err)) return false;
    show_frame(g, out, (unsigned)number, s.of[number].pc, &s.of[number].frame);
    const struct local_frame *f = &s.of[number].frame;
    if (f->file) {
        source_print(&g->loaded, f->file, f->line, out);
        g->selection.listed.file = f->file;
        g->selection.listed.first = g->selection.listed.line = f->line > FRAME_LINES ? f->line - FRAME_LINES : 1;
    }
    return true;
}

static bool run_frame(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t pc, number;
    bool inner;
    if (!eval_need_running(&g->eval, err)) return false;
    number = locals_frame(&g->eval, &pc, &inner);
    return (!*gpudbg_args_rest(a) || gpudbg_args_number(a, &number, err)) && args_end(a, err) &&
           select_frame(g, number, out, err);
}

static bool move_frame(
    struct gpudbg *g, struct gpudbg_args *a, bool outwards, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t pc, by = 1;
    bool inner;
    if (*gpudbg_args_rest(a) == '-') { /* the other way */
        a->at += strspn(a->at, " \t") + 1;
        outwards = !outwards;
    }
    if ((*gpudbg_args_rest(a) && !gpudbg_args_number(a, &by, err)) || !args_end(a, err) ||
        !eval_need_running(&g->eval, err))
        return false;
    const unsigned now = locals_frame(&g->eval, &pc, &inner);
    if (!outwards && !now && by) return gpudbg_fail(err, "out-of-range", "this is the innermost frame");
    if (!outwards) return select_frame(g, by < now ? now - by : 0, out, err);
    return select_frame(g, by < FRAMES_MOST ? now + by : FRAMES_MOST, out, err);
}

static bool run_up(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return move_frame(g, a, true, out, err);
}

static bool run_down(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return move_frame(g, a, false, out, err);
}

static const struct gpudbg_command frame = {
    .name = "frame",
    .usage = "[N]",
    .summary = "select a frame that `backtrace` lists",
    .help = "Variables are then those of that frame, and `list` shows its place.  Without N, the selected frame\n"
            "is shown.  A caller's variables that are in registers have the values that they had at the call, and\n"
            "cannot be set; those in memory have their present values.  When the wave moves, or you select\n"
            "another wave, frame 0 is selected.",
    .family = "Data",
    .run = run_frame,
};
static const struct gpudbg_command up = {
    .name = "up",
    .usage = "[N]",
    .summary = "select the caller's frame, or the one N frames further out",
    .family = "Data",
    .run = run_up,
};
static const struct gpudbg_command down = {
    .name = "down",
    .aliases = "do",
    .usage = "[N]",
    .summary = "select the called frame, or the one N frames further in",
    .family = "Data",
    .run = run_down,
};

static const struct gpudbg_command *const commands[] = {&backtrace, &frame, &up, &down, &whatis, NULL};
static const struct gpudbg_listing *const listings[] = {&locals, &arguments, NULL};
COMMAND_FAMILY(cmd_locals, "locals", .summary = "variables of the source, and who called", .commands = commands,
    .listings = listings);
