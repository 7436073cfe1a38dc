/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opening.c: the progress of opening a large file, before there is a screen. */
#include "opening.h"
#include <stdio.h>
#include <unistd.h>

#define QUICK 0.15 /* seconds in which nothing need be shown */
#define FRAME 0.1  /* and between two lines */
#define WIDTH 50

double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static bool opening_tick(void *data, uint64_t done, uint64_t todo)
{
    struct opening *o = data;
    char how[32] = "";
    if (seconds_since(&o->begun) < QUICK || (o->visible && seconds_since(&o->shown) < FRAME)) return true;
    clock_gettime(CLOCK_MONOTONIC, &o->shown);
    if (todo >= done && todo) snprintf(how, sizeof how, ", %u %%", (unsigned)((double)done / (double)todo * 100));
    printf("\rgpudbg: opening%s (Ctrl-C ends)", how);
    fflush(stdout);
    return o->visible = true;
}

void opening_begin(struct opening *o, struct gpudbg *g)
{
    *o = (struct opening){0};
    clock_gettime(CLOCK_MONOTONIC, &o->begun);
    if (isatty(STDOUT_FILENO)) g->ticker = (struct ticker){opening_tick, o};
}

void opening_end(struct opening *o, struct gpudbg *g)
{
    g->ticker = (struct ticker){0};
    if (!o->visible) return;
    printf("\r%*s\r", WIDTH, "");
    fflush(stdout);
}
