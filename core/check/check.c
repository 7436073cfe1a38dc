/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/watch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "machine/machine.h"
#include "word/registry.h"

#define REPORTS_MOST 10000

/* ---- Reports ---- */

static void report_free(struct check_report *r)
{
    free((char *)r->what.message);
    free((char *)r->what.origin);
    free(r->cause);
}

static bool same(const struct check_report *r, const char *kind, bool running, const struct gpudbg_report *what)
{
    const char *theirs = r->cause ? r->cause : r->what.message, *ours = what->cause ? what->cause : what->message;
    return r->what.pc == what->pc && r->what.line == what->line && r->what.column == what->column &&
           r->running == running && !strcmp(r->kind, kind) && !strcmp(theirs, ours);
}

unsigned check_calls(const struct gpudbg_checks *c, uint32_t wave, uint64_t call[CHECK_CALLS])
{
    const struct calls *calls = c->calls ? c->calls[wave] : NULL;
    unsigned n = 0;
    for (unsigned i = calls ? calls->n : 0; i-- > 0;) call[n++] = calls->of[i].pc;
    return n;
}

bool checks_again(struct gpudbg_checks *c, const struct gpudbg_report *what)
{
    const uint32_t wave = what->by ? what->by - 1 : c->wave ? c->wave->id : 0;
    const char *kind = c->now ? c->now->checker->kind : c->kind;
    for (size_t i = c->count; i-- > 0;) {
        struct check_report *r = &c->report[i];
        if (!same(r, kind, c->wave, what)) continue;
        c->spoken++;
        r->count++;
        if (c->wave && r->wave == wave && r->position == machine_position(c->wave->machine))
            r->what.lanes |= what->lanes; /* other lanes of the same instruction */
        return true;
    }
    return false;
}

void gpudbg_report(struct gpudbg_checks *c, const struct gpudbg_report *what)
{
    const uint32_t wave = what->by ? what->by - 1 : c->wave ? c->wave->id : 0;
    const char *kind = c->now ? c->now->checker->kind : c->kind;
    if (checks_again(c, what)) return;
    c->spoken++;
    if (c->count == REPORTS_MOST) return;
    c->report = xgrow(c->report, c->count, &c->room, sizeof *c->report);
    struct check_report *r = &c->report[c->count];
    *r = (struct check_report){.what = *what, .kind = kind, .running = c->wave, .wave = wave, .count = 1};
    r->cause = what->cause ? xstrdup(what->cause) : NULL;
    r->what.cause = r->cause;
    r->what.message = xstrdup(what->message);
    r->what.origin = what->origin ? xstrdup(what->origin) : NULL;
    if (c->wave) {
        r->position = machine_position(c->wave->machine);
        r->ncalls = check_calls(c, r->wave, r->call);
        r->event = c->event;
        r->watcher = (size_t)(c->now - c->watch);
    }
    if (r->what.message)
        c->count++;
    else
        report_free(r);
}

const struct check_report *checks_report(const struct gpudbg_checks *c, size_t i)
{
    return i < c->count ? &c->report[i] : NULL;
}

bool checks_at(const struct gpudbg_checks *c, uint64_t pc)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->report[i].what.pc == pc && !c->report[i].what.note) return true;
    return false;
}

const struct check_options *checks_options(const struct gpudbg_checks *c) { return c->options; }

struct eval *checks_eval(const struct gpudbg_checks *c) { return c->eval; }

const struct check_report *checks_said(const struct gpudbg_checks *c) { return checks_report(c, c->said); }

void checks_forget(struct gpudbg_checks *c, const char *kind, bool running)
{
    size_t keep = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct check_report *r = &c->report[i];
        if (r->running == running && (!kind || !strcmp(r->kind, kind)))
            report_free(r);
        else
            c->report[keep++] = *r;
    }
    c->count = keep;
}

void checks_clear(struct gpudbg_checks *c)
{
    if (!c) return;
    checks_forget(c, NULL, false);
    checks_forget(c, NULL, true);
}

static bool earlier(const struct check_report *a, const struct check_report *b)
{
    return a->event != b->event ? a->event < b->event : a->watcher < b->watcher;
}

void checks_merge(struct gpudbg_checks *c, size_t from, const struct check_report *theirs, size_t n)
{
    const size_t all = c->count + n, count = all < REPORTS_MOST ? all : REPORTS_MOST;
    struct check_report *to = xcalloc(all ? all : 1, sizeof *to);
    size_t ours = 0;
    for (; ours < from; ours++) to[ours] = c->report[ours];
    for (size_t i = from, their = 0; i < all; i++) {
        const bool ahead = ours < c->count && (their == n || earlier(&c->report[ours], &theirs[their]));
        to[i] = ahead ? c->report[ours++] : theirs[their++];
    }
    for (size_t i = count; i < all; i++) report_free(&to[i]);
    free(c->report);
    c->report = to;
    c->count = count;
    c->room = all ? all : 1;
}

/* ---- Code ---- */

bool checks_apply(const struct gpudbg_checker *k, const struct gpudbg_isa *isa)
{
    return !k->applies || k->applies(isa);
}

bool checks_code(struct gpudbg_checks *c, const struct gpudbg_checker *k, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(c->eval, err);
    if (!image) return false;
    if (!k->code)
        return gpudbg_fail(err, "not-now", "check %s watches runs, not code: write `on` after its name", k->kind);
    if (!image->isa || !checks_apply(k, image->isa))
        return gpudbg_fail(
            err, "unsupported", "check %s does not check %s code", k->kind, image->isa ? image->isa->name : "such");
    checks_forget(c, k->kind, false);
    c->kind = k->kind;
    c->now = NULL;
    c->wave = NULL;
    return k->code(image, c, err);
}
