/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose: wave, lane, apply; and save, which takes a buffer out. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "session/command.h"
#include "eval/expr.h"
#include "gpudbg/text.h"
#include "machine/launch.h"
#include "eval/location.h"
#include "machine/machine.h"
#include "out/out.h"
#include "out/say.h"
#include "word/registry.h"
#include "base/save.h"
#include "session/script.h"
#include "session/session.h"

/* ---- Waves and lanes ---- */

static const struct gpudbg_listing *named_listing(struct gpudbg *g, const char *name)
{
    const struct gpudbg_listing *l;
    for (size_t i = 0; (l = registry_listing(g->registry, i)); i++)
        if (strcmp(l->name, name) == 0) return l;
    return NULL;
}

static bool show_selected(
    struct gpudbg *g, const char *listing, uint64_t n, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_listing *l = named_listing(g, listing);
    char number[32];
    snprintf(number, sizeof number, "%" PRIu64, n);
    return !l || session_listing(g, out, l, number, err);
}

static bool select_wave(struct gpudbg *g, uint64_t n, struct gpudbg_error *err)
{
    if (n >= g->running.machine->nwaves)
        return gpudbg_fail(
            err, "out-of-range", "no wave %" PRIu64 ": this launch has %u, from 0", n, g->running.machine->nwaves);
    g->selection.wave = (uint32_t)n;
    g->selection.cursor = location_here(&g->eval);
    g->selection.listed.file = NULL;
    return true;
}

static bool select_lane(struct gpudbg *g, uint64_t n, struct gpudbg_error *err)
{
    if (n >= g->running.machine->lanes)
        return gpudbg_fail(
            err, "out-of-range", "no lane %" PRIu64 ": a wave has %u, from 0", n, g->running.machine->lanes);
    g->selection.lane = (int)n;
    return true;
}

static bool run_wave(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n = g->selection.wave;
    if (!eval_need_machine(&g->eval, err) || (*gpudbg_args_rest(a) && !args_value(a, "a wave", &n, err)) ||
        !select_wave(g, n, err))
        return false;
    return show_selected(g, "waves", n, out, err);
}

static const struct gpudbg_command wave = {
    .name = "wave",
    .aliases = "w thread",
    .usage = "[N]",
    .summary = "select a wave, or show which one is selected",
    .help = "N is a number that `info waves` lists.  Registers, panes, `stepi` and `print` are those of the selected\n"
            "wave.  Without N, the command shows the selected one.",
    .family = "Running",
    .run = run_wave,
    .complete = complete_expression,
};

static bool run_lane(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t n = (uint64_t)g->selection.lane;
    if (strchr(gpudbg_args_rest(a), ','))
        return gpudbg_fail(
            err, "usage", "a lane is one number; `workitem %.40s` selects a work-item by its id", gpudbg_args_rest(a));
    if (!eval_need_machine(&g->eval, err) || (*gpudbg_args_rest(a) && !args_value(a, "a lane", &n, err)) ||
        !select_lane(g, n, err))
        return false;
    return show_selected(g, "lanes", n, out, err);
}

static const struct gpudbg_command lane = {
    .name = "lane",
    .usage = "[N]",
    .summary = "select a lane, or show which one is selected",
    .help =
        "N counts from 0.  A lane register without an index, such as $v3, means its value in the selected lane; so\n"
        "do source variables.  Without N, the command shows the selected lane.",
    .family = "Running",
    .run = run_lane,
    .complete = complete_expression,
};

#define APPLY_FLAGS                                                                                                 \
    "-q prints no heading before each answer.  An error ends the command; with -c it is printed and the next one\n" \
    "follows, with -s it is left out, and so is its heading."

/* A command for several: "all", "active", "3", "0-7,9". */
struct apply {
    struct gpudbg *g;
    const char *what, *command;
    struct gpudbg_out *out;
    uint64_t count, mask; /* how many there are; of lanes, those that are active */
    bool quiet, past_errors, silent;
    bool (*active)(const struct apply *, uint64_t);
    bool (*select)(struct gpudbg *, uint64_t, struct gpudbg_error *);
};

static bool lane_active(const struct apply *ap, uint64_t n) { return n < 64 && ap->mask >> n & 1; }

static bool wave_active(const struct apply *ap, uint64_t n)
{
    struct machine_wave_info info;
    if (!ap->g->running.machine || n >= ap->g->running.machine->nwaves) /* the command may have ended the launch */
        return false;
    machine_wave_info(ap->g->running.machine, (uint32_t)n, &info);
    return info.state == GPUDBG_READY || info.state == GPUDBG_AT_BARRIER;
}

static void heading(const struct apply *ap, uint64_t n)
{
    if (!ap->quiet) RECORD(ap->out, "apply", "{what} {number}: ", STRING("what", ap->what), NUMBER("number", n));
}

static bool apply_one(const struct apply *ap, uint64_t n, struct gpudbg_error *err)
{
    if (!eval_need_machine(&ap->g->eval, err) || !ap->select(ap->g, n, err)) /* the command may have ended the launch */
        return false;
    /* What may vanish is held back until it is known. */
    struct gpudbg_out *to = ap->silent ? out_memory(gpudbg_out_json(ap->out)) : ap->out;
    if (!ap->silent) heading(ap, n);
    const bool good = gpudbg_execute(ap->g, ap->command, to, err);
    if (ap->silent) {
        size_t size;
        char *text = out_taken(to, &size);
        if (good) heading(ap, n);
        if (good) out_raw(ap->out, text, size);
        free(text);
        out_close(to);
    }
    if (!good && !ap->past_errors) return false;
    if (!good && !ap->silent) gpudbg_out_print(ap->out, "%s\n", err->message);
    if (!good) *err = (struct gpudbg_error){.offset = -1};
    if (!block_open(ap->g)) return true;
    block_drop(ap->g);
    return gpudbg_fail(err, "usage", "%.40s: a command that takes lines up to `end` cannot be applied", ap->command);
}

static bool apply_range(const struct apply *ap, uint64_t first, uint64_t last, bool active, struct gpudbg_error *err)
{
    if (last >= ap->count || first > last)
        return gpudbg_fail(err, "out-of-range", "%s %" PRIu64 "-%" PRIu64 ": there are %" PRIu64 ", from 0", ap->what,
            first, last, ap->count);
    for (uint64_t n = first; n <= last && commands_go_on(ap->g, ap->out); n++) {
        if (n % 256 == 0 && !script_goes_on(ap->g, n, err)) return false;
        if ((!active || ap->active(ap, n)) && !apply_one(ap, n, err)) return false;
    }
    return true;
}

static bool apply_list(const struct apply *ap, const char *list, struct gpudbg_error *err)
{
    if (strcmp(list, "all") == 0 || strcmp(list, "active") == 0)
        return apply_range(ap, 0, ap->count - 1, list[1] == 'c', err);
    while (*list) {
        char *end;
        uint64_t first = strtoull(list, &end, 0), last = first;
        if (end == list || !isdigit((unsigned char)*list))
            return gpudbg_fail(err, "usage", "\"%.40s\" is neither all, nor active, nor numbers like 0-7,9", list);
        if (*end == '-') last = strtoull(end + 1, &end, 0);
        if (*end && *end != ',')
            return gpudbg_fail(err, "usage", "\"%.40s\" is neither all, nor active, nor numbers like 0-7,9", list);
        if (!apply_range(ap, first, last, false, err)) return false;
        list = *end ? end + 1 : end;
    }
    return true;
}

/* Lists with blanks between them, as gdb has them: "0 1 CMD".  A command begins with no digit. */
static const char *more_lists(struct gpudbg_args *a, const char *list, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "%s", list);
    while (isdigit((unsigned char)*gpudbg_args_rest(a))) text_add(&t, ",%s", gpudbg_args_word(a));
    return buf;
}

/* gdb's flags before the command: -q leaves the heading out; -c prints an error and goes on; -s only goes on. */
static bool is_flag(const char *at)
{
    return at[0] == '-' && at[1] && strchr("qsc", at[1]) && (!at[2] || at[2] == ' ');
}

static bool apply(struct apply *ap, struct gpudbg_args *a, struct gpudbg_error *err)
{
    struct gpudbg *g = ap->g;
    char more[400];
    const char *list = args_need(a, "a list (all, active, 0-7,9)", err);
    if (list && isdigit((unsigned char)*list)) list = more_lists(a, list, more, sizeof more);
    for (const char *at; is_flag(at = gpudbg_args_rest(a)); gpudbg_args_word(a)) {
        ap->quiet |= at[1] == 'q';
        ap->past_errors |= at[1] != 'q';
        ap->silent |= at[1] == 's';
    }
    ap->command = gpudbg_args_rest(a);
    if (!list || !*ap->command) return list && gpudbg_fail(err, "usage", "a command is missing");
    if (g->applying >= 2)
        return gpudbg_fail(err, "too-large", "`apply` may be inside one other `apply`, not inside two");
    const uint32_t wave_before = g->selection.wave;
    const int lane_before = g->selection.lane;
    g->applying++;
    bool ok = apply_list(ap, list, err);
    g->applying--;
    if (g->running.machine && wave_before < g->running.machine->nwaves) {
        g->selection.wave = wave_before;
        g->selection.lane = lane_before;
        g->selection.cursor = location_here(&g->eval);
    }
    return ok;
}

static bool run_lane_apply(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct machine_wave_info info;
    if (!eval_need_machine(&g->eval, err)) return false;
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    struct apply ap = {.g = g,
        .what = "lane",
        .out = out,
        .count = g->running.machine->lanes,
        .mask = info.active & info.lanes,
        .active = lane_active,
        .select = select_lane};
    return apply(&ap, a, err);
}

static const struct gpudbg_command lane_apply = {
    .name = "lane apply",
    .usage = "all|active|LANES [-q] [-c|-s] COMMAND",
    .summary = "run a command for several lanes",
    .help = "LANES is a list such as 3 or 0-7,9.  `active` means all lanes that the mask lets execute.\n" APPLY_FLAGS,
    .family = "Running",
    .effect = GPUDBG_CHANGES,
    .run = run_lane_apply,
};

static bool run_wave_apply(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    struct apply ap = {.g = g,
        .what = "wave",
        .out = out,
        .count = g->running.machine->nwaves,
        .active = wave_active,
        .select = select_wave};
    return apply(&ap, a, err);
}

static const struct gpudbg_command wave_apply = {
    .name = "wave apply",
    .usage = "all|active|WAVES [-q] [-c|-s] COMMAND",
    .summary = "run a command for several waves",
    .help =
        "WAVES is a list such as 3 or 0-7,9.  `active` means all waves that have begun and not ended.\n" APPLY_FLAGS,
    .family = "Running",
    .effect = GPUDBG_CHANGES,
    .run = run_wave_apply,
};

/* ---- save ---- */

static bool run_save_arg(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    const char *which = args_need(a, "an argument's number or name", err);
    const char *path = which ? args_need(a, "a file to write", err) : NULL;
    if (!path || !args_end(a, err)) return false;
    const struct gpudbg_segment *segment = launch_buffer(g->running.machine, which, err);
    if (!segment) return false;
    if (!save_bytes(path, segment->bytes, (size_t)segment->size, &g->ticker, err)) return false;
    g->running.unsaved = false;
    RECORD(out, "saved", "{file}: {size} bytes\n", STRING("name", segment->name), STRING("file", path),
        NUMBER("size", segment->size));
    return true;
}

static char *complete_save(struct gpudbg *g, const char *text, unsigned state)
{
    size_t len = strlen(text);
    const struct gpudbg_launch *l = g->running.machine ? g->running.machine->launch : NULL;
    for (size_t i = 0; l && i < l->nbound; i++)
        if (l->bound[i].segment && l->bound[i].name && strncmp(l->bound[i].name, text, len) == 0 && state-- == 0)
            return xstrdup(l->bound[i].name);
    return complete_file(g, text, state);
}

static const struct gpudbg_command save_arg = {
    .name = "save arg",
    .usage = "N|NAME FILE",
    .summary = "write a buffer to a file",
    .help = "N is the number of the argument: all arguments of the kernel count, from 0.  NAME is its name in the\n"
            "kernel, or the name that `launch` gave it.",
    .family = "Running",
    .writes = true,
    .run = run_save_arg,
    .complete = complete_save,
};

static const struct gpudbg_command *const commands[] = {&wave, &wave_apply, &lane, &lane_apply, &save_arg, NULL};
COMMAND_FAMILY(cmd_wave, "waves", .summary = "commands that choose a wave or a lane", .commands = commands);
