/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opening.c: the progress of opening large files, before the session has a screen. */
#include "opening.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "inside.h"
#include "terminal.h"

#define QUICK 0.1 /* seconds in which nothing need be shown */
#define TEXT 0.05 /* ... where there is text, of which the screen shows the same later */
#define FRAME 0.1 /* and between two lines */
#define WIDTH 50

double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static void line_clear(struct opening *o)
{
    if (!o->visible) return;
    printf("\r%*s\r", WIDTH, "");
    fflush(stdout);
    o->visible = false;
}

static void line_show(struct opening *o, uint64_t done, uint64_t todo)
{
    char how[32] = "";
    if (o->visible && seconds_since(&o->shown) < FRAME) return;
    clock_gettime(CLOCK_MONOTONIC, &o->shown);
    if (todo >= done && todo) snprintf(how, sizeof how, ", %u %%", (unsigned)((double)done / (double)todo * 100));
    printf("\rgpudbg: opening%s (Ctrl-C ends)", how);
    fflush(stdout);
    o->visible = true;
}

static void early_screen(struct opening *o)
{
    struct gpudbg_error err = {.offset = -1};
    line_clear(o);
    if (!screen_is_plain()) o->screen = screen_open_early(o->g, o->options, &o->reading, &err);
    o->plain = !o->screen; /* the reason is said when the screen is due */
}

static bool opening_tick(void *data, uint64_t done, uint64_t todo)
{
    struct opening *o = data;
    if (o->reading.ended) return false;
    const bool text = !o->plain && o->reading.fd >= 0;
    if (!o->screen && seconds_since(&o->begun) < (text ? TEXT : QUICK)) return true;
    const int before = errno; /* whoever works looks at it */
    bool more = true;
    if (!o->screen && text && reading_lines(&o->reading, 1)) early_screen(o);
    if (o->screen)
        more = reading_tick(o->screen, done, todo);
    else
        line_show(o, done, todo);
    errno = before;
    return more;
}

static void opening_shows(void *data, int fd, uint64_t n)
{
    struct opening *o = data;
    if (!o->plain) reading_shows(&o->reading, fd, n);
}

void opening_begin(struct opening *o, struct gpudbg *g, const struct screen_options *options)
{
    *o = (struct opening){.g = g, .options = options, .reading = READING_NONE};
    clock_gettime(CLOCK_MONOTONIC, &o->begun);
    if (isatty(STDOUT_FILENO)) g->ticker = (struct ticker){.tick = opening_tick, .data = o, .shows = opening_shows};
}

void opening_end(struct opening *o, struct gpudbg *g)
{
    g->ticker = (struct ticker){0};
    line_clear(o);
    reading_close(&o->reading);
}

void opening_fail(struct opening *o)
{
    const int number = !o->screen ? 0 : o->reading.stopped ? SIGINT : terminal_ended();
    screen_close(o->screen);
    o->screen = NULL;
    if (!number) return;
    signal(number, SIG_DFL);
    raise(number);
}

bool opening_says(struct gpudbg *g, const struct gpudbg_error *err)
{
    const struct opening *o = g->ticker.tick == opening_tick ? g->ticker.data : NULL;
    if (!o || !o->screen) return false;
    screen_say_error(o->screen, err);
    return true;
}
