/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch in place of the one there was; see session.h. */
#include <stdlib.h>
#include "base/alloc.h"
#include "check/check.h"
#include "control/stop.h"
#include "eval/location.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "session/session.h"

bool session_launch(struct gpudbg *g, const char *words, struct gpudbg_error *err)
{
    if (!eval_need_image(&g->eval, err) || !session_may_replace(g, err)) return false;
    if (!g->loaded.image->isa || !g->loaded.image->isa->run)
        return gpudbg_fail(err, "unsupported", "gpudbg decodes %s, but does not execute it",
            g->loaded.image->isa ? g->loaded.image->isa->name : g->loaded.image->path);
    char *copy = xstrdup(words);
    const struct launch_files files = {.base = g->running.base,
        .file = g->running.brought,
        .n = g->running.nbrought,
        .only = g->running.brought_only,
        .most = g->settings.memory_limit};
    struct gpudbg_launch *launch = launch_parse(g->loaded.image, words, &files, &g->ticker, err);
    const struct machine_options options = {.session = g,
        .history_budget = g->settings.history_budget,
        .profile = g->settings.profile,
        .ticker = &g->ticker,
        .observed = &g->settings.observer,
        .threads = (unsigned)g->settings.threads,
        .memory = g->settings.memory_limit};
    struct gpudbg_machine *machine = launch ? machine_new(&options, g->loaded.image, launch, err) : NULL;
    if (machine && checks_any(g->control.checks) && !checks_room(machine, err)) {
        machine_free(machine);
        machine = NULL;
    }
    if (!machine) {
        free(copy);
        return false;
    }
    machine_inherit(machine, g->running.machine);
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
    return true;
}
