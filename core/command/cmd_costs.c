/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels take of the machine: `info occupancy`. */
#include <inttypes.h>
#include <stdio.h>
#include "gpudbg/text.h"
#include "image/image.h"
#include "session/command.h"
#include "session/session.h"

struct occupancy_row {
    const struct gpudbg_kernel *kernel;
    uint32_t group;
    struct gpudbg_occupancy is;
};

static int occupancy_kernel(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct occupancy_row *)row)->kernel->name);
}

static int occupancy_waves(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct occupancy_row *)row)->is.waves);
}

static int occupancy_most(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct occupancy_row *)row)->is.most);
}

static int occupancy_group(const void *row, char *buf, size_t size)
{
    const uint32_t group = ((const struct occupancy_row *)row)->is.group;
    return group ? snprintf(buf, size, "%" PRIu32, group) : snprintf(buf, size, "%s", "");
}

static int occupancy_limit(const void *row, char *buf, size_t size)
{
    const struct gpudbg_occupancy *o = &((const struct occupancy_row *)row)->is;
    struct text t = text_in(buf, size);
    if (o->waves == o->most) return snprintf(buf, size, "%s", "waves");
    for (unsigned i = 0; i < o->nlimits; i++)
        if (o->limit[i].allows == o->waves) text_add(&t, "%s%s", t.n ? " " : "", o->limit[i].name);
    return (int)t.n;
}

/* What must be saved for one wave more; nothing if no amount of one thing would do. */
static int occupancy_less(const void *row, char *buf, size_t size)
{
    const struct gpudbg_occupancy *o = &((const struct occupancy_row *)row)->is;
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < o->nlimits; i++) {
        const struct gpudbg_limit *l = &o->limit[i];
        if (o->waves == o->most || l->allows != o->waves) continue;
        if (!l->less) return snprintf(buf, size, "%s", "larger groups");
        text_add(&t, "%s%" PRIu32 " %s less", t.n ? " and " : "", l->less, l->name);
    }
    return (int)t.n;
}

static int occupancy_takes(const void *row, char *buf, size_t size)
{
    const struct gpudbg_occupancy *o = &((const struct occupancy_row *)row)->is;
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < o->nlimits; i++)
        text_add(&t, "%s%s %" PRIu32 ": %u", i ? ", " : "", o->limit[i].name, o->limit[i].takes, o->limit[i].allows);
    return (int)t.n;
}

static const struct gpudbg_column occupancy_columns[] = {
    {"kernel", "kernel", 0, GPUDBG_NAME, occupancy_kernel},
    {"waves", "waves", 0, GPUDBG_COUNT, occupancy_waves},
    {"most", "of", 0, GPUDBG_COUNT, occupancy_most},
    {"limit", "limited by", 0, GPUDBG_PLAIN, occupancy_limit},
    {"less", "one more with", 0, GPUDBG_NOTE, occupancy_less},
    {"group", "in groups of", 0, GPUDBG_COUNT, occupancy_group},
    {"takes", "takes, and allows waves", 0, GPUDBG_PLAIN, occupancy_takes},
};

static void occupancy_record(const void *row, struct gpudbg_out *out)
{
    const struct occupancy_row *r = row;
    for (unsigned i = 0; i < r->is.nlimits; i++) {
        const struct gpudbg_limit *l = &r->is.limit[i];
        char allows[48];
        gpudbg_out_number(out, l->name, l->takes);
        snprintf(allows, sizeof allows, "by_%s", l->name);
        gpudbg_out_number(out, allows, l->allows);
    }
}

static bool take_group(const char *args, uint32_t *group, struct gpudbg_error *err)
{
    unsigned n = 0;
    int used = 0;
    *group = 0;
    if (!*args) return true;
    if (sscanf(args, "-l %u%n", &n, &used) != 1 || args[used] || !n || n > 1024)
        return gpudbg_fail(err, "usage", "info occupancy [-l N]: N is the size of a group, 1 to 1024 work-items");
    *group = n;
    return true;
}

static bool occupancy_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct occupancy_row r;
    if (!image || !image->isa)
        return gpudbg_fail(err, "no-file", "no file is loaded, or its instruction set is not known");
    if (!take_group(args, &r.group, err)) return false;
    if (!image->isa->costs || !image->isa->costs->occupancy)
        return gpudbg_fail(err, "unsupported", "how many waves of %s fit at once is not known", image->isa->name);
    for (size_t i = 0; i < image->nkernels; i++) {
        r.kernel = &image->kernels[i];
        if (image->isa->costs->occupancy(image->isa, r.kernel, r.group, &r.is) && !each(to, &r)) break;
    }
    return true;
}

static const struct gpudbg_listing occupancy = {
    .name = "occupancy",
    .summary =
        "list how many waves of each kernel fit at once, and what limits them; `-l N`: in groups of N work-items",
    .columns = occupancy_columns,
    .ncolumns = sizeof occupancy_columns / sizeof *occupancy_columns,
    .rows = occupancy_rows,
    .empty = "no kernel of the file says what it takes",
    .record = occupancy_record,
};

static const struct gpudbg_listing *const listings[] = {&occupancy, NULL};
COMMAND_FAMILY(cmd_costs, "costs", .summary = "what kernels cost", .listings = listings);
