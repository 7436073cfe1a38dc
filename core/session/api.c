/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api.c: what the public headers say of sessions. */
#include "session/session.h"
#include "control/device.h"
#include "control/profile.h"
#include "eval/expr.h"
#include "machine/machine.h"

const struct gpudbg_isa *gpudbg_isa_named(struct gpudbg *g, const char *name) { return session_isa(g, name); }

struct gpudbg_image *gpudbg_session_image(struct gpudbg *g) { return g->loaded.image; }

struct gpudbg_machine *gpudbg_session_machine(struct gpudbg *g) { return g->running.machine; }

bool gpudbg_goes_on(struct gpudbg *g, uint64_t done, uint64_t todo) { return ticker_goes_on(&g->ticker, done, todo); }

struct gpudbg_wave *gpudbg_session_wave(struct gpudbg *g)
{
    struct gpudbg_error err = {0};
    return g->running.machine ? machine_wave(g->running.machine, g->selection.wave, &err) : NULL;
}

int gpudbg_session_lane(struct gpudbg *g) { return g->selection.lane; }

unsigned gpudbg_chosen(struct gpudbg *g, const struct gpudbg_isa *isa, unsigned i)
{
    return g ? settings_chosen(&g->settings, isa, i) : 0;
}

uint32_t gpudbg_device_value(struct gpudbg *g, const struct gpudbg_isa *isa, size_t index)
{
    return g ? device_value(g->device, &g->loaded, isa, index).value : isa->device[index].value;
}

bool gpudbg_rerun(struct gpudbg *g, bool *watching, struct gpudbg_error *err)
{
    return profile_rerun(&g->control, watching, err);
}

bool gpudbg_evaluate(struct gpudbg *g, const char *expr, uint64_t *value, struct gpudbg_error *err)
{
    return expr_number(&g->eval, expr, value, err);
}

struct gpudbg_dump *gpudbg_session_dump(struct gpudbg *g, size_t i)
{
    return i < g->loaded.ndumps ? g->loaded.dumps[i] : NULL;
}
