/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c: listings of a session, shown. */
#include "out/out.h"
#include "session/session.h"
#include "word/registry.h"

bool session_rows(struct gpudbg *g, const struct gpudbg_listing *l, const char *args, gpudbg_row_fn *each, void *to,
    struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa
                                   : g->loaded.image  ? g->loaded.image->isa
                                                      : NULL;
    if (isa && !listing_is_of(l, isa->name))
        return gpudbg_fail(err, "unsupported", "info %s is not for %s; it is for %s", l->name, isa->name, l->isas[0]);
    return l->rows(g, args, each, to, err);
}

bool session_listing(struct gpudbg *g, struct gpudbg_out *out, const struct gpudbg_listing *l, const char *args,
    struct gpudbg_error *err)
{
    out_width(out, (size_t)g->settings.width);
    return out_listing(out, l, args, session_rows, g, err);
}
