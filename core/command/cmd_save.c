/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save breakpoints: the commands that set them again, as a script. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/save.h"
#include "control/stop.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

/* Whether the words would mean something else at another moment: the next instruction, a register, a bare line. */
static bool moves(const char *what)
{
    return !*what || strchr(what, '$') || isdigit((unsigned char)*what) || *what == '+' || *what == '-';
}

static void put_when(FILE *to, const struct stop_point *p)
{
    const bool registers = p->kind == STOP_WATCH && p->place.is_register;
    if (p->wave >= 0)
        fprintf(to, " wave %d", p->wave);
    else if (registers)
        fprintf(to, " wave %u", (unsigned)p->place.wave);
    if (p->lane >= 0) fprintf(to, " lane %d", p->lane);
    if (*p->condition) fprintf(to, " if %s", p->condition);
    fputc('\n', to);
    if (p->ignore) fprintf(to, "ignore $bpnum %" PRIu64 "\n", p->ignore);
    if (!p->on) fprintf(to, "disable $bpnum\n");
    for (size_t i = 0; i < p->commands.n; i++) fprintf(to, "%s%s\n", i ? "" : "commands\n", p->commands.line[i]);
    if (p->commands.n) fprintf(to, "end\n");
}

static void put_point(FILE *to, const struct stop_point *p, const struct gpudbg_machine *m)
{
    if (p->kind == STOP_WATCH) {
        const uint64_t lanes = m && p->place.is_register ? past_lanes(&p->place, m) : 0;
        fprintf(to, "%s %s", !p->writes ? "rwatch" : p->reads ? "awatch" : "watch", p->what);
        if (lanes && !(lanes & (lanes - 1)) && !strchr(p->what, '[')) /* the lane that was selected */
            fprintf(to, "[%d]", __builtin_ctzll(lanes));
        put_when(to, p);
        return;
    }
    const char *command = p->temporary ? "tbreak" : "break";
    if (!moves(p->what)) {
        fprintf(to, "%s %s", command, p->what);
        put_when(to, p);
        for (size_t i = 0; i < p->nlocations; i++)
            if (!p->location[i].on) fprintf(to, "disable $bpnum.%zu\n", i + 1);
        return;
    }
    for (size_t i = 0; i < p->nlocations; i++) {
        if (!p->location[i].on) continue;
        fprintf(to, "%s *0x%" PRIx64, command, p->location[i].pc);
        put_when(to, p);
    }
}

static bool run_save_breakpoints(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *path = args_need(a, "a file to write", err);
    char *text = NULL;
    size_t size = 0, n = 0;
    if (!path || !args_end(a, err)) return false;
    if (!stops_next(&g->control, 0)) return gpudbg_fail(err, "not-now", "there are no breakpoints to save");
    FILE *to = open_memstream(&text, &size);
    if (!to) return alloc_failed(err, 4096, "the script");
    for (const struct stop_point *p = stops_next(&g->control, 0); p; p = stops_next(&g->control, p->number), n++)
        put_point(to, p, g->running.machine);
    fclose(to);
    const bool ok = save_bytes(path, text, size, &g->ticker, err);
    free(text);
    if (ok)
        RECORD(out, "saved", "{file}: {points} breakpoint{points:s}\n", STRING("name", "breakpoints"),
            STRING("file", path), NUMBER("size", size), TEXT_ONLY(NUMBER("points", n)));
    return ok;
}

static const struct gpudbg_command save_breakpoints = {
    .name = "save breakpoints",
    .usage = "FILE",
    .summary = "write the breakpoints and watchpoints to a script",
    .help = "`source FILE` sets them again, with their conditions, commands and ignore counts.  A watchpoint on a\n"
            "register belongs to the wave that it was set for.  A breakpoint whose place was named by a register\n"
            "or a bare line number is written with its address.",
    .family = "Breakpoints",
    .writes = true,
    .run = run_save_breakpoints,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&save_breakpoints, NULL};
COMMAND_FAMILY(cmd_save, "save", .summary = "the command save breakpoints", .commands = commands);
