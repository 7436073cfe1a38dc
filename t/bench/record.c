/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record OBJECT LAUNCH...: what recording costs a run.  Runs the launch to its end with and without it, in turns, and
 * prints the ratio of processor time: the median over the pairs.  Without recording there are no checkpoints and no
 * copies of pages, as before a launch is complete; such a machine cannot go back, so this is for measuring alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "session/command.h"
#include "image/load.h"
#include "machine/machine_core.h"
#include "out/out.h"
#include "session/session.h"

#define PAIRS 15

static void run(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    if (!gpudbg_execute(g, line, out, &err)) {
        fprintf(stderr, "record: %s: %s\n", line, err.message);
        exit(1);
    }
    out_close(out);
}

static double seconds(struct gpudbg *g, const char *launch, bool recorded)
{
    run(g, launch);
    struct history *h = &core_of(g->running.machine)->history;
    const size_t checkpoints = h->n;
    if (!recorded) h->n = 0; /* history_save keeps nothing then, and no checkpoint is the latest */
    const clock_t start = clock();
    run(g, "continue");
    const clock_t end = clock();
    if (!recorded) h->n = checkpoints;
    return (double)(end - start) / CLOCKS_PER_SEC;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct gpudbg_error err = {0};
    struct load_options options = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    char launch[4096] = "launch";
    double ratio[PAIRS];
    if (!g || argc < 3 || !session_load(g, argv[1], &options, &err)) {
        fprintf(stderr, "record: %s\n", argc < 3 ? "OBJECT LAUNCH... are wanted" : err.message);
        return 1;
    }
    for (int i = 2; i < argc; i++) snprintf(launch + strlen(launch), sizeof launch - strlen(launch), " %s", argv[i]);
    seconds(g, launch, true); /* the first run touches all for the first time */
    for (int i = 0; i < PAIRS; i++) {
        /* What comes second finds warm caches: each is second half of the times. */
        double on, off;
        if (i & 1)
            on = seconds(g, launch, true), off = seconds(g, launch, false);
        else
            off = seconds(g, launch, false), on = seconds(g, launch, true);
        ratio[i] = on / off;
    }
    qsort(ratio, PAIRS, sizeof *ratio, by_value);
    printf("%.3f\n", ratio[PAIRS / 2]);
    session_close(g);
    return 0;
}
