/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api.c: what the public headers say of sessions. */
#include "session/session.h"
#include "eval/expr.h"
#include "machine/machine.h"

const struct gpudbg_isa *gpudbg_isa_named(struct gpudbg *g, const char *name)
{
    return session_isa(g, name);
}

struct gpudbg_image *gpudbg_session_image(struct gpudbg *g)
{
    return g->loaded.image;
}

struct gpudbg_machine *gpudbg_session_machine(struct gpudbg *g)
{
    return g->running.machine;
}

struct gpudbg_wave *gpudbg_session_wave(struct gpudbg *g)
{
    struct gpudbg_error err = {0};
    return g->running.machine ? machine_wave(g->running.machine, g->selection.wave, &err) : NULL;
}

int gpudbg_session_lane(struct gpudbg *g)
{
    return g->selection.lane;
}

unsigned gpudbg_chosen(struct gpudbg *g, const struct gpudbg_isa *isa, unsigned i)
{
    const size_t n = g ? sizeof g->settings.choice / sizeof *g->settings.choice : 0;
    for (size_t k = 0; k < n && isa->choices; k++)
        if (g->settings.choice[k].choice == &isa->choices[i])
            return g->settings.choice[k].value;
    return 0;
}

bool gpudbg_evaluate(struct gpudbg *g, const char *expr, uint64_t *value, struct gpudbg_error *err)
{
    return expr_number(&g->eval, expr, value, err);
}
