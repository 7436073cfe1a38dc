/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c: the weightiest finding with its process and its outcome, and the timeline. */
#include "explain/verdict.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump.h"
#include "dump/dump_show.h"
#include "gpudbg/text.h"

#define MOMENTS 40 /* shown at once: the first and the last ones */
#define TURNS 8    /* storms that are told in turns */
#define NEAR 64    /* lines behind a fault in which the process may stand */
#define CHATTER 25 /* what weighs less is no verdict */
#define TROUBLE 50 /* what weighs more makes a driver reset the GPU */
#define OWNED 120  /* seconds between a failure and the line that names whose work it was */
#define AFTER 20   /* lines, and */
#define SECONDS 2  /* seconds behind a reset's end that are the driver's own work still */

/* ---- The verdict ---- */

static bool is(const struct gpudbg_incident *x, const char *word) { return strcmp(x->kind->word, word) == 0; }

/* A value of the incident that is there; else 0. */
static uint64_t value_of(const struct gpudbg_incident *x, const char *key)
{
    for (unsigned k = 0; k < GPUDBG_INCIDENT_VALUES && x->kind->keys[k]; k++)
        if ((x->have >> k & 1) && strcmp(x->kind->keys[k], key) == 0) return x->values[k];
    return 0;
}

/* When a line was written: seconds, or a date (all in front of the clock) and the seconds of its clock; -1: none. */
struct written {
    double time, clock;
    char date[64];
};

static struct written written(const struct gpudbg_dump *d, uint32_t line)
{
    char text[1024];
    unsigned h, m, s;
    struct written w = {-1, -1, ""};
    if (!gpudbg_dump_text(d, line, text, sizeof text)) return w;
    w.time = dump_when(text, strlen(text), w.date, sizeof w.date);
    const char *colon = strchr(w.date, ':');
    if (w.time >= 0 || !colon || colon - w.date < 2 || sscanf(colon - 2, "%2u:%2u:%2u", &h, &m, &s) != 3) return w;
    w.clock = 3600.0 * h + 60 * m + s;
    w.date[colon - 2 - w.date] = 0;
    return w;
}

/* Whether two lines were written within so many seconds; true if one of them has no time. */
static bool soon(const struct gpudbg_dump *d, uint32_t a, uint32_t b, double seconds)
{
    const struct written x = written(d, a), y = written(d, b);
    const bool clocks = x.clock >= 0 && y.clock >= 0 && strcmp(x.date, y.date) == 0;
    const double by = clocks ? y.clock - x.clock : dump_later_by(x.time, y.time);
    return isnan(by) || (by <= seconds && -by <= seconds);
}

/* "Nov 21 23:16:04" and "Nov 21 23:16:01": clocks of one day in a journal that is sorted backwards. */
static bool clock_runs_back(const char *first, const char *last)
{
    const char *colon = strchr(first, ':');
    return colon && colon - first >= 2 && strncmp(first, last, (size_t)(colon - first - 2)) == 0 &&
           strcmp(last, first) < 0;
}

/* Whether the log is sorted backwards: of its incidents, which are in the order of their lines, more are earlier than
 * the one before than later.  A log of several starts of a machine goes back only where the next one begins. */
static bool runs_back(const struct gpudbg_dump *d)
{
    const size_t n = gpudbg_dump_incidents(d), step = n / MOMENTS + 1;
    char text[1024], when[2][64] = {"", ""};
    double time[2] = {-1, -1};
    unsigned back = 0, forth = 0, at = 0;
    uint32_t line = 0;
    for (size_t i = 0; i < n; i += step) {
        const struct gpudbg_incident *x = gpudbg_dump_incident_at(d, i);
        if (x->line <= line || !gpudbg_dump_text(d, x->line, text, sizeof text)) continue;
        line = x->line;
        time[at] = dump_when(text, strlen(text), when[at], sizeof when[at]);
        if (when[!at][0] && when[at][0]) {
            const double by = dump_later_by(time[!at], time[at]);
            back += isnan(by) ? clock_runs_back(when[!at], when[at]) : by < 0;
            forth += isnan(by) ? clock_runs_back(when[at], when[!at]) : by > 0;
        }
        if (when[at][0]) at = !at;
    }
    return back > forth;
}

/* A line's place in time. */
static uint32_t place(bool back, uint32_t line) { return back ? UINT32_MAX - line : line; }

/* Where the incident ends that begins with the finding's line. */
static uint32_t end_of(const struct gpudbg_dump *d, const struct finding *f)
{
    const struct gpudbg_incident *x;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++)
        if (x->line == f->line && x->capture == f->capture && x->last > x->line) return x->last;
    return f->line;
}

/* The process that the lines around the finding name: on its lines or soon behind them, else the last one before. */
static void whose(const struct gpudbg_dump *d, struct verdict *v, bool back)
{
    const uint32_t at = place(back, back ? end_of(d, v->finding) : v->finding->line);
    const struct gpudbg_incident *x, *best = NULL;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        if (x->capture != v->finding->capture || !x->text ||
            !(is(x, "process") || is(x, "gpu-hang") || is(x, "job-timeout")))
            continue;
        const uint32_t there = place(back, x->line), best_at = best ? place(back, best->line) : 0;
        const bool behind = there >= at;
        if (behind && there - at > NEAR) continue;
        if (!best || (best_at < at ? there > best_at : behind && there < best_at)) best = x;
    }
    if (!best || !soon(d, best->line, v->finding->line, OWNED)) return;
    v->process = best->text;
    v->pid = value_of(best, "pid");
}

/* The incidents that tell of resets, in the order of time; the places of their first and last lines. */
struct resets {
    struct reset_told {
        const struct gpudbg_incident *incident;
        uint32_t first, last;
    } * row;
    size_t n;
    bool back;
};

static int by_place(const void *a, const void *b)
{
    const struct reset_told *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static struct resets resets_of(const struct gpudbg_dump *d)
{
    const struct gpudbg_incident *x;
    struct resets r = {xcalloc(gpudbg_dump_incidents(d) + 1, sizeof *r.row), 0, runs_back(d)};
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++)
        if (is(x, "reset") || is(x, "reset-done") || is(x, "reset-failed") || is(x, "soft-recovered") ||
            is(x, "wedged")) {
            const uint32_t a = place(r.back, x->line), b = place(r.back, x->last);
            r.row[r.n++] = (struct reset_told){x, a < b ? a : b, a < b ? b : a};
        }
    if (r.n) qsort(r.row, r.n, sizeof *r.row, by_place);
    return r;
}

static bool same_device(const struct gpudbg_capture *c, size_t n, uint32_t a, uint32_t b)
{
    return a < n && b < n && c[a].device == c[b].device;
}

/* What became of the resets that a finding led to: those of the GPU, and those of one engine alone. */
struct ends {
    bool begun, failed, done, lost, inside, wedged; /* wedged: given up without a reset */
    bool resuming;                                  /* done, and what followed is not told */
    const char *engine, *engine_done, *recovered;   /* whose reset failed, ended well, was not needed */
    bool already;                                   /* engine_done: right before the finding's own line */
};

static void say_ends(const struct ends *e, char *buf, size_t size)
{
    const char *of = "a reset followed";
    char engine[96] = "";
    if (e->engine && !e->done && !e->failed)
        snprintf(engine, sizeof engine, "a reset of %.40s alone failed%s", e->engine, e->begun ? ", " : "");
    if (e->inside && (e->begun || e->failed || e->done))
        snprintf(buf, size, "in a reset, %s",
            e->resuming ? "which worked; whether the driver came back after it is not told"
            : e->done   ? "which ended well"
            : e->failed ? "which failed"
                        : "whose end is not told");
    else if (e->lost)
        snprintf(buf, size, "%s, and what was in video memory is gone", of);
    else if (e->resuming)
        snprintf(buf, size, "%s and worked; whether the driver came back after it is not told", of);
    else if (e->done)
        snprintf(buf, size, "%s and ended well", of);
    else if (e->begun && e->failed)
        snprintf(buf, size, "a reset failed and another followed; how that one ended is not told");
    else if (e->begun && e->engine)
        snprintf(buf, size, "a reset of %.40s alone failed and one of the GPU followed; how that one ended is not told",
            e->engine);
    else if (e->begun)
        snprintf(buf, size, "%s; how it ended is not told", of);
    else if (e->failed)
        snprintf(buf, size, "%s and failed", of);
    else if (e->wedged)
        snprintf(buf, size, "the driver gave the device up");
    else if (e->engine)
        snprintf(buf, size, "%s", engine);
    else if (e->engine_done)
        snprintf(buf, size, "a reset of %.40s alone %sended well", e->engine_done, e->already ? "" : "followed and ");
    else if (e->recovered)
        snprintf(buf, size, "the driver ended the job's waves, and %.40s went on without a reset", e->recovered);
}

/* How the reset ended that the finding led to: the first that ended well, after those that failed. */
static void outcome_of(
    const struct gpudbg_dump *d, const struct resets *r, const struct finding *f, char *buf, size_t size)
{
    const struct gpudbg_incident *x;
    const uint32_t at = place(r->back, f->line);
    struct ends e = {0};
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    *buf = 0;
    bool soft = false; /* the finding is a reset whose end another line tells */
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) soft |= is(x, "soft-reset") && x->line == f->line;
    if (strcmp(f->cause, "reset") == 0 && !soft) return; /* its sentence says it */
    bool hang = false, own = false;                      /* own: of the engine that the finding is about */
    const char *unit = NULL;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        if (!unit && x->line == f->line) unit = x->unit;
        hang |= is(x, "gpu-hang") && x->line <= f->last && x->last >= f->line;
        e.lost |= is(x, "vram-lost") && place(r->back, x->line) >= at && same_device(c, n, x->capture, f->capture);
    }
    for (size_t i = 0; i < r->n && !e.done; i++) {
        x = r->row[i].incident;
        const bool its = unit && x->unit && strcmp(x->unit, unit) == 0;
        /* i915 says that it resets the chip right before it says what hung; xe that an engine was reset. */
        const bool right_before = (x->unit ? its && is(x, "reset-done") : hang && is(x, "reset")) &&
                                  at - r->row[i].last <= 3 && soon(d, x->last, f->line, 1);
        if ((r->row[i].last < at && !right_before) || !same_device(c, n, x->capture, f->capture)) continue;
        if (!soon(d, x->line, f->line, OWNED) && !soon(d, x->line, f->last, OWNED)) {
            if (r->row[i].first > at) break; /* it and those behind it are of something else */
            continue;
        }
        if (x->unit) {
            if (own && !its) continue;
            if (its && !own) e.engine = e.engine_done = e.recovered = NULL;
            own = its;
            if (is(x, "reset-failed")) e.engine = x->unit;
            if (is(x, "reset-done")) {
                e.engine_done = x->unit;
                e.already = right_before;
            }
            if (is(x, "soft-recovered")) e.recovered = x->unit;
            continue;
        }
        if (is(x, "wedged")) {
            e.wedged = true;
            continue;
        }
        e.done = is(x, "reset-done");
        e.resuming = e.done && value_of(x, "resuming");
        e.inside = r->row[i].first < at && !right_before;
        e.lost |= e.done && value_of(x, "vram-lost");
        if (is(x, "reset-failed")) {
            e.failed = true;
            e.begun = false;
        } else if (!e.done) {
            e.begun = true;
        }
    }
    if (!soft)
        say_ends(&e, buf, size);
    else if (e.done || e.failed)
        snprintf(buf, size, e.done ? "it ended well" : "it failed");
}

/* Whether it stands between a reset's beginning and its end, or right behind it: what fails there is likely the
 * driver's own work on a GPU that hangs already, or one that begins anew. */
static bool inside_reset(const struct gpudbg_dump *d, const struct resets *r, const struct finding *f)
{
    const struct reset_told *last = NULL;
    const uint32_t at = place(r->back, f->line);
    for (size_t i = 0; i < r->n && r->row[i].first < at; i++)
        if (r->row[i].incident->capture == f->capture) last = &r->row[i];
    if (!last || (is(last->incident, "reset-failed") && last->last < at)) return false;
    return is(last->incident, "reset") || at <= last->last ||
           (at - last->last <= AFTER && soon(d, last->incident->last, f->line, SECONDS));
}

static bool weighs_more(const struct finding *f, const struct finding *than, bool back)
{
    return f->weight > CHATTER &&
           (!than || f->weight > than->weight ||
               (f->weight == than->weight && f->rule == than->rule && place(back, f->line) < place(back, than->line)));
}

bool verdict_of(const struct explain *e, const struct gpudbg_dump *d, struct verdict *v)
{
    const struct finding *f, *before = NULL; /* before: the weightiest that no reset had begun when it happened */
    struct resets resets = resets_of(d);
    *v = (struct verdict){0};
    for (size_t i = 0; (f = explain_finding(e, i)); i++) {
        if (weighs_more(f, v->finding, resets.back)) v->finding = f;
        if (weighs_more(f, before, resets.back) && !inside_reset(d, &resets, f)) before = f;
    }
    if (before && before->weight >= TROUBLE) v->finding = before;
    if (v->finding) outcome_of(d, &resets, v->finding, v->outcome, sizeof v->outcome);
    const bool back = resets.back;
    free(resets.row);
    if (!v->finding) return false;
    v->likely = strstr(v->finding->text, "likely") != NULL;
    whose(d, v, back);
    return true;
}

/* A fence's name has its owner's in front of the number of its process, "i915:Xorg[882]:13ae0": without that name. */
static void fence_without_name(struct text *t, const char *p)
{
    for (const char *end; (end = strchr(p, '[')); p = end) {
        const char *name = end;
        while (name > p && !strchr(" :(", name[-1])) name--;
        const bool number = end[1 + strspn(end + 1, "0123456789")] == ']' && isdigit((unsigned char)end[1]);
        text_add(t, "%.*s%s[", (int)((number ? name : end) - p), p, number ? "a program" : "");
        end++;
    }
    text_add(t, "%s", p);
}

/* The sentence without the process: "a program" stands for its name.  Another vendor's line is its own, names and all.
 */
static void without_names(struct text *t, const struct verdict *v)
{
    const char *p = v->finding->text, *name;
    if (strcmp(v->finding->cause, "other-vendor") == 0) {
        text_add(t, "%.*s", (int)strcspn(p, ":"), p);
        return;
    }
    if (strcmp(v->finding->rule, "fence-timeout") == 0) {
        fence_without_name(t, p);
        return;
    }
    for (; v->process && (name = strstr(p, v->process)); p = name + strlen(v->process))
        text_add(t, "%.*sa program", (int)(name - p), p);
    text_add(t, "%s", p);
}

int verdict_text(const struct verdict *v, bool names, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (names)
        text_add(&t, "%s", v->finding->text);
    else
        without_names(&t, v);
    if (names && v->process) {
        text_add(&t, "; work of %s", v->process);
        if (v->pid) text_add(&t, ", pid %" PRIu64, v->pid);
    }
    if (v->outcome[0]) text_add(&t, "; %s", v->outcome);
    return text_length(&t);
}

/* The codes of a hang are no addresses: they are what makes it the same. */
static bool keeps_numbers(const struct finding *f) { return strncmp(f->rule, "hang", 4) == 0; }

void verdict_signature(const struct verdict *v, char buf[17])
{
    char text[2048];
    struct text t = text_in(text, sizeof text);
    without_names(&t, v);
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    bool number = false;
    char last = 0;
    for (const char *p = v->finding->rule; *p; p++) hash = (hash ^ (uint8_t)*p) * UINT64_C(0x100000001b3);
    for (const char *p = text; *p; p++) {
        const char *pages = strncmp(p, "pages 0x", 8) == 0 || strncmp(p, "pages within 0x", 15) == 0
                                ? strstr(p, " faults)")
                                : NULL;
        if (v->finding->shape && pages) { /* a range is as one page */
            p = pages + 7;
            hash = (hash ^ (uint8_t)'#') * UINT64_C(0x100000001b3);
            number = true;
            last = '#';
            continue;
        }
        const bool digit = !keeps_numbers(v->finding) &&
                           (isdigit((unsigned char)*p) || (number && (isxdigit((unsigned char)*p) || *p == 'x')));
        const char c = digit ? '#' : *p;
        number = digit;
        if (c == '#' && last == '#') continue;
        last = c;
        hash = (hash ^ (uint8_t)c) * UINT64_C(0x100000001b3);
    }
    snprintf(buf, 17, "%016" PRIx64, hash);
}

/* ---- The timeline ---- */

static bool passes(const struct gpudbg_incident *x)
{
    static const char *const quiet[] = {"buffer", "process", "saved", "not-ours", "page-walk", "runtime-told",
        "context-told", "noted", "message-ring", "queue-state", "engine-state"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (is(x, quiet[i])) return true;
    return false;
}

static bool same(const struct gpudbg_incident *a, const struct gpudbg_incident *b)
{
    const bool fault = is(a, "vm-fault") || is(a, "page-fault"); /* whose text is who asked */
    return a->kind == b->kind && a->unit == b->unit && (fault || a->text == b->text) &&
           a->capture == b->capture; /* strings of a dump are kept once */
}

/* What drivers write again and again, several rings or devices in turns. */
static bool repeats(const struct gpudbg_incident *x)
{
    static const char *const kinds[] = {"stalled", "lockup", "vm-fault", "page-fault", "firmware-silent"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is(x, kinds[i])) return true;
    return false;
}

/* The same among the last of n moments, with nothing but such storms behind it. */
static struct moment *same_before(struct moment *m, size_t n, const struct gpudbg_incident *x)
{
    for (size_t back = 1; back <= n && back <= TURNS; back++) {
        struct moment *at = &m[n - back];
        if (same(at->incident, x)) return at;
        if (!repeats(at->incident) || !repeats(x)) return NULL;
    }
    return NULL;
}

static int by_its_line(const void *a, const void *b)
{
    const struct gpudbg_incident *const *x = a, *const *y = b;
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* The incidents that the timeline tells, in the order of their lines; NULL: they stand in that order already. */
static const struct gpudbg_incident **in_order(const struct gpudbg_dump *d, size_t *n)
{
    const struct gpudbg_incident *x, **row = NULL;
    bool ordered = true;
    *n = 0;
    for (uint32_t line = 0; ordered && (x = gpudbg_dump_incident_at(d, *n)); ++*n, line = x->line)
        ordered = x->line >= line;
    if (ordered) return NULL;
    const size_t all = gpudbg_dump_incidents(d);
    row = xcalloc(all + 1, sizeof *row);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (!passes(x = gpudbg_dump_incident_at(d, i))) row[(*n)++] = x;
    if (*n) qsort(row, *n, sizeof *row, by_its_line);
    return row;
}

/* A storm has more incidents than are kept: the last moment of its kind counts the others. */
static void count_left_out(const struct gpudbg_dump *d, struct moment *m, size_t n)
{
    size_t captures;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &captures);
    for (size_t i = n; i--;) {
        const struct gpudbg_incident *x = m[i].incident;
        bool later = false;
        const unsigned long long left = x->capture < captures ? dump_left_out(d, x->kind, c[x->capture].device) : 0;
        if (!left) continue; /* most */
        for (size_t k = i + 1; k < n && !later; k++)
            later = m[k].incident->kind == x->kind && same_device(c, captures, m[k].incident->capture, x->capture);
        if (!later) m[i].count += (uint32_t)left;
    }
}

struct moment *moments_of(const struct gpudbg_dump *d, size_t *n, size_t *more)
{
    size_t rows, folded = 0, room = 64;
    const struct gpudbg_incident **row = in_order(d, &rows);
    struct moment *m = xcalloc(room, sizeof *m);
    char text[1024];
    for (size_t i = 0; i < rows; i++) {
        const struct gpudbg_incident *x = row ? row[i] : gpudbg_dump_incident_at(d, i);
        if (passes(x)) continue;
        struct moment *before = same_before(m, folded, x);
        if (before) {
            before->count++;
            before->last = x->last;
            continue;
        }
        if (folded == room) m = xrealloc(m, room *= 2, sizeof *m);
        m[folded++] = (struct moment){.incident = x, .count = 1, .last = x->last};
    }
    free(row);
    count_left_out(d, m, folded);
    *more = folded > MOMENTS ? folded - MOMENTS : 0;
    if (*more) memmove(m + MOMENTS / 2, m + folded - MOMENTS / 2, MOMENTS / 2 * sizeof *m);
    *n = folded - *more;
    const bool back = runs_back(d); /* then the last line is the first in time */
    for (size_t i = 0; i < *n; i++)
        if (gpudbg_dump_text(d, back ? m[i].last : m[i].incident->line, text, sizeof text))
            dump_when(text, strlen(text), m[i].when, sizeof m[i].when);
    if (back)
        for (size_t i = 0; i < *n / 2; i++) {
            const struct moment other = m[i];
            m[i] = m[*n - 1 - i];
            m[*n - 1 - i] = other;
        }
    return m;
}
