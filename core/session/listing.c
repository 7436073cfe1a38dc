/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c: listings of a session, shown. */
#include <inttypes.h>
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

/* Rows, counted; those beyond `set row-limit` are not given. */
struct counted {
    gpudbg_row_fn *each;
    void *to;
    uint64_t n, most;
    bool over;
};

static bool count_row(void *data, const void *row)
{
    struct counted *c = data;
    if (c->n++ < c->most) return c->each(c->to, row);
    c->over = true;
    return false;
}

static bool limited_rows(struct gpudbg *g, const struct gpudbg_listing *l, const char *args, gpudbg_row_fn *each,
    void *to, struct gpudbg_error *err)
{
    struct counted c = {each, to, 0, limit_most(g->settings.row_limit), false};
    if (!session_rows(g, l, args, count_row, &c, err)) return false;
    g->rows_cut = c.over;
    return true;
}

static bool see_row(void *to, const void *row)
{
    (void)row;
    *(bool *)to = true;
    return false;
}

/* A listing of some instruction sets that has no row for this code gives way to the general one of its name. */
static const struct gpudbg_listing *with_rows(struct gpudbg *g, const struct gpudbg_listing *l, const char *args)
{
    const struct gpudbg_listing *general = l->isas ? registry_general(g->registry, l->name) : NULL;
    struct gpudbg_error unsaid = {0};
    bool any = false;
    if (!general || (session_rows(g, l, args, see_row, &any, &unsaid) && any)) return l;
    return general;
}

bool session_listing(struct gpudbg *g, struct gpudbg_out *out, const struct gpudbg_listing *l, const char *args,
    struct gpudbg_error *err)
{
    l = with_rows(g, l, args);
    out_width(out, (size_t)g->settings.width);
    if (!out_listing(out, l, args, limited_rows, g, err)) return false;
    if (!g->rows_cut) return true;
    g->rows_cut = false;
    return gpudbg_fail(
        err, "limit", "info %s has more than %" PRIu64 " rows (set row-limit)", l->name, g->settings.row_limit);
}
