/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c: the weightiest finding with its process and its outcome, and the timeline. */
#include "explain/verdict.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump.h"
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

/* The time at which the line was written, in seconds; negative if the line has no time. */
static double time_of(const struct gpudbg_dump *d, uint32_t line)
{
    char text[1024], when[64];
    if (!gpudbg_dump_text(d, line, text, sizeof text)) return -1;
    return dump_when(text, strlen(text), when, sizeof when);
}

/* Whether two lines were written within so many seconds; true if one of them has no time. */
static bool soon(const struct gpudbg_dump *d, uint32_t a, uint32_t b, double seconds)
{
    const double x = time_of(d, a), y = time_of(d, b);
    return x < 0 || y < 0 || (x - y <= seconds && y - x <= seconds);
}

/* The process that the lines around the finding name: on its lines or soon behind them, else the last one before. */
static void whose(const struct gpudbg_dump *d, struct verdict *v)
{
    const struct gpudbg_incident *x, *best = NULL;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        if (x->capture != v->finding->capture || !x->text ||
            !(is(x, "process") || is(x, "gpu-hang") || is(x, "job-timeout")))
            continue;
        const bool behind = x->line >= v->finding->line;
        if (behind && x->line - v->finding->line > NEAR) continue;
        if (!best || (best->line < v->finding->line ? x->line > best->line : behind && x->line < best->line)) best = x;
    }
    if (!best || !soon(d, best->line, v->finding->line, OWNED)) return;
    v->process = best->text;
    v->pid = value_of(best, "pid");
}

/* The incidents that tell of a reset's beginning or end, in the order of their lines. */
struct resets {
    const struct gpudbg_incident **row;
    size_t n;
};

static int by_its_line(const void *a, const void *b)
{
    const struct gpudbg_incident *const *x = a, *const *y = b;
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

static struct resets resets_of(const struct gpudbg_dump *d)
{
    const struct gpudbg_incident *x;
    struct resets r = {xcalloc(gpudbg_dump_incidents(d) + 1, sizeof *r.row), 0};
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++)
        if (is(x, "reset") || is(x, "reset-done") || is(x, "reset-failed")) r.row[r.n++] = x;
    if (r.n) qsort(r.row, r.n, sizeof *r.row, by_its_line);
    return r;
}

static bool same_device(const struct gpudbg_capture *c, size_t n, uint32_t a, uint32_t b)
{
    return a < n && b < n && c[a].device == c[b].device;
}

/* How the reset ended that the finding led to: the first that ended well, after those that failed. */
static const char *outcome_of(const struct gpudbg_dump *d, const struct resets *r, const struct finding *f)
{
    const struct gpudbg_incident *x;
    const bool itself = strcmp(f->cause, "reset") == 0; /* the finding is a reset */
    bool begun = false, failed = false, done = false, lost = false, inside = false;
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++)
        lost |= is(x, "vram-lost") && x->line >= f->line && same_device(c, n, x->capture, f->capture);
    for (size_t i = 0; i < r->n && !done; i++) {
        x = r->row[i];
        if (x->last < f->line || !same_device(c, n, x->capture, f->capture)) continue;
        done = is(x, "reset-done");
        inside = x->line < f->line;
        lost |= done && value_of(x, "vram-lost");
        if (is(x, "reset-failed")) {
            failed = true;
            begun = false;
        } else if (!done) {
            begun = true;
        }
    }
    if (itself) return ""; /* its sentence says it */
    if (inside && (begun || failed || done))
        return done     ? "in a reset, which ended well"
               : failed ? "in a reset, which failed"
                        : "in a reset, whose end is not told";
    if (lost) return "a reset followed, and what was in video memory is gone";
    if (done) return "a reset followed and ended well";
    if (begun && failed) return "a reset failed and another followed; how that one ended is not told";
    if (begun) return "a reset followed; how it ended is not told";
    return failed ? "a reset followed and failed" : "";
}

/* Whether it stands between a reset's beginning and its end, or right behind it: what fails there is likely the
 * driver's own work on a GPU that hangs already, or one that begins anew. */
static bool inside_reset(const struct gpudbg_dump *d, const struct resets *r, const struct finding *f)
{
    const struct gpudbg_incident *last = NULL;
    for (size_t i = 0; i < r->n && r->row[i]->line < f->line; i++)
        if (r->row[i]->capture == f->capture) last = r->row[i];
    if (!last || (is(last, "reset-failed") && last->last < f->line)) return false;
    return is(last, "reset") || f->line <= last->last ||
           (f->line - last->last <= AFTER && soon(d, last->last, f->line, SECONDS));
}

static bool weighs_more(const struct finding *f, const struct finding *than)
{
    return f->weight > CHATTER && (!than || f->weight > than->weight ||
                                      (f->weight == than->weight && f->rule == than->rule && f->line < than->line));
}

bool verdict_of(const struct explain *e, const struct gpudbg_dump *d, struct verdict *v)
{
    const struct finding *f, *before = NULL; /* before: the weightiest that no reset had begun when it happened */
    struct resets resets = resets_of(d);
    *v = (struct verdict){.outcome = ""};
    for (size_t i = 0; (f = explain_finding(e, i)); i++) {
        if (weighs_more(f, v->finding)) v->finding = f;
        if (weighs_more(f, before) && !inside_reset(d, &resets, f)) before = f;
    }
    if (before && before->weight >= TROUBLE) v->finding = before;
    if (v->finding) v->outcome = outcome_of(d, &resets, v->finding);
    free(resets.row);
    if (!v->finding) return false;
    v->likely = strstr(v->finding->text, "likely") != NULL;
    whose(d, v);
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
    static const char *const quiet[] = {"buffer", "process", "saved", "not-ours", "page-walk"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (is(x, quiet[i])) return true;
    return false;
}

static bool same(const struct gpudbg_incident *a, const struct gpudbg_incident *b)
{
    return a->kind == b->kind && a->unit == b->unit && a->capture == b->capture; /* strings of a dump are kept once */
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

/* "Nov 21 23:16:04" and "Nov 21 23:16:01": clocks of one day in a journal that is sorted backwards. */
static bool clock_runs_back(const char *first, const char *last)
{
    const char *colon = strchr(first, ':');
    return colon && colon - first >= 2 && strncmp(first, last, (size_t)(colon - first - 2)) == 0 &&
           strcmp(last, first) < 0;
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
    *more = folded > MOMENTS ? folded - MOMENTS : 0;
    if (*more) memmove(m + MOMENTS / 2, m + folded - MOMENTS / 2, MOMENTS / 2 * sizeof *m);
    *n = folded - *more;
    double first = -1, time = -1;
    for (size_t i = 0; i < *n; i++) {
        if (!gpudbg_dump_text(d, m[i].incident->line, text, sizeof text)) continue;
        time = dump_when(text, strlen(text), m[i].when, sizeof m[i].when);
        if (first < 0) first = time;
    }
    if ((first >= 0 && time >= 0 && time < first) || (*n && clock_runs_back(m[0].when, m[*n - 1].when)))
        for (size_t i = 0; i < *n / 2; i++) {
            const struct moment other = m[i];
            m[i] = m[*n - 1 - i];
            m[*n - 1 - i] = other;
        }
    return m;
}
