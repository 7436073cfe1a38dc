/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_explain.c: what the dump means, each sentence with its evidence below it: the register, its line, and what
 * stands there; then the timeline.  The cursor drags registers, log and packets along.  Enter on a piece of evidence
 * shows the register in the pane of registers, on a sentence about where an engine stands the packet there.  What a
 * dump tells again and again is one sentence; a row below it says how often, and Enter there shows the last line that
 * tells it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "dump/dump.h"
#include "explain/explain.h"
#include "explain/verdict.h"
#include "base/alloc.h"

struct row {
    const struct finding *finding; /* NULL: a moment of the timeline */
    uint32_t line;                 /* of a moment */
    unsigned evidence;             /* from 1; 0: the sentence; behind the finding's last: how often it is told */
    char *text;
    const char *label; /* in front of the first line of a sentence */
};

#define WIDE 50   /* columns from which on labels stand beside the sentences; else above them */
#define BESIDE 19 /* columns of labels */

struct explain_pane {
    const struct gpudbg_dump *dump; /* explained */
    int width, indent;              /* indent: of sentences; evidence stands two columns further in */
    bool utf8;                      /* the rows' marks are of UTF-8 */
    struct explain *explain;
    struct row *row;
    int count, room;
    int was; /* the cursor when the other panes were last dragged along; -1: not yet */
    char error[512];
};

static void forget(struct explain_pane *s)
{
    while (s->count > 0) free(s->row[--s->count].text);
    if (s->explain) explain_close(s->explain);
    s->explain = NULL;
}

static void add(
    struct explain_pane *s, const struct finding *f, unsigned evidence, const char *label, const char *text, size_t n)
{
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 64;
        s->row = xrealloc(s->row, (size_t)room, sizeof *s->row);
        s->room = room;
    }
    s->row[s->count++] = (struct row){f, 0, evidence, xstrndup(text, n), label};
}

/* Lines of what has room, broken at blanks. */
static void add_lines(struct explain_pane *s, const struct finding *f, unsigned evidence, const char *label,
    uint32_t line, const char *text)
{
    const int width = s->width - s->indent - (evidence ? 2 : 0);
    const char *at = text;
    const size_t most = width > 8 ? (size_t)width : 8;
    if (label && s->indent < BESIDE) {
        add(s, f, evidence, label, "", 0);
        s->row[s->count - 1].line = line;
        label = NULL;
    }
    for (; *at; label = NULL) {
        size_t n = strlen(at);
        if (n > most) {
            n = most;
            while (n > 1 && at[n] != ' ') n--;
            if (n == 1) n = most;
        }
        add(s, f, evidence, label, at, n);
        s->row[s->count - 1].line = line;
        at += n;
        at += strspn(at, " ");
    }
}

static void add_sentence(struct explain_pane *s, const struct finding *f, const char *label, const char *text)
{
    add_lines(s, f, 0, label, 0, text);
}

/* Blanks that fill a column of the log become two: they would take the room of the value behind them. */
static void without_padding(char *text)
{
    int n = 0;
    for (const char *at = text; *at; at++)
        if (n < 2 || *at != ' ' || text[n - 1] != ' ' || text[n - 2] != ' ') text[n++] = *at;
    text[n] = 0;
}

/* Where a line says a value, in hexadecimal digits with or without 0x, and how many characters say it; NULL: it does
 * not. */
static const char *value_in(const char *line, uint64_t value, size_t *n)
{
    for (const char *at = line; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) {
        char *end;
        if (isxdigit((unsigned char)*at) && strtoull(at, &end, 16) == value && (!*end || strchr(" \t,;)", *end))) {
            *n = (size_t)(end - at);
            return at;
        }
    }
    return NULL;
}

/* The record that a piece of evidence is of. */
static bool evidence_record(const struct gpudbg_dump *d, const struct evidence *e, struct gpudbg_record *r)
{
    for (size_t i = 0; e->line && e->name && gpudbg_dump_record(d, i, r); i++)
        if (r->line == e->line && r->name && !strcmp(r->name, e->name)) return true;
    return false;
}

/* NAME, line N: and the line.  Where it is on one row and the line's value would have no room, what stands before the
 * value in the line gives way first, then the front of the name. */
static int evidence_text(
    const struct explain_pane *s, const struct evidence *e, const char *line, char *buf, size_t size)
{
    const char *mark = s->utf8 ? "…" : ">", *name = e->name;
    const size_t columns = (size_t)(s->width - s->indent - 2);
    char where[32];
    struct gpudbg_record record;
    size_t digits = 0;
    const size_t n = (size_t)snprintf(where, sizeof where, ", line %u: ", e->line);
    const char *value = evidence_record(s->dump, e, &record) ? value_in(line, record.value, &digits) : NULL;
    if (s->indent < BESIDE || !value || strlen(name) + n + (size_t)(value - line) + digits < columns)
        return snprintf(buf, size, "%s%s%s", name, where, line);
    const size_t rest = n + 2 + digits + 1, room = columns > rest ? columns - rest : 0, length = strlen(name);
    const bool whole = length <= room;
    if (!whole) name += length - (room ? room - 1 : 0);
    return snprintf(buf, size, "%s%s%s%s %s", whole ? "" : mark, name, where, mark, value);
}

static void add_evidence(struct explain_pane *s, const struct finding *f, unsigned i)
{
    char line[1024] = "", text[1300];
    struct dump_cleaner cleaner = {.level = -1};
    struct gpudbg_dump_line cleaned = {.text = ""};
    if (f->evidence[i].line && gpudbg_dump_text(s->dump, f->evidence[i].line, line, sizeof line - 1))
        dump_clean(&cleaner, line, strlen(line), f->evidence[i].line, &cleaned); /* its message, not its stamps */
    char quoted[1024];
    snprintf(quoted, sizeof quoted, "%s", cleaned.text + strspn(cleaned.text, " \t"));
    without_padding(quoted);
    evidence_text(s, &f->evidence[i], quoted, text, sizeof text);
    if (s->indent < BESIDE)
        add_lines(s, f, i + 1, NULL, 0, text);
    else
        add(s, f, i + 1, NULL, text, strlen(text));
}

/* Whether the sentence is that of the last time; else it is that of the first. */
static bool is_latest(const struct finding *f)
{
    return f->nevidence && f->evidence[0].line == f->last && f->last > f->line;
}

static void add_count(struct explain_pane *s, const struct finding *f)
{
    char text[80];
    if (f->count < 2) return;
    const bool latest = is_latest(f);
    char times[24] = "once";
    if (f->count > 2) snprintf(times, sizeof times, "%u times", f->count - 1);
    snprintf(text, sizeof text, latest ? ".. %s before it, from line %u" : ".. %s more, to line %u", times,
        latest ? f->line : f->last);
    add_lines(s, f, f->nevidence + 1, NULL, 0, text);
}

/* What happened, in the order of the log's time. */
static void add_timeline(struct explain_pane *s)
{
    size_t n, more;
    struct moment *m = moments_of(s->dump, &n, &more);
    for (size_t i = 0; i < n && n > 1; i++) {
        char what[640], text[800], times[48] = "";
        moment_text(s->dump, &m[i], true, what, sizeof what);
        if (m[i].count > 1) snprintf(times, sizeof times, " (%u times, to line %u)", m[i].count, m[i].last);
        snprintf(text, sizeof text, "%s%s%s%s%s", more && i == n / 2 ? "(some are left out) " : "", m[i].when,
            m[i].when[0] ? "  " : "", what, times);
        add_lines(s, NULL, 0, i ? NULL : "timeline", m[i].incident->line, text);
    }
    free(m);
}

static void take_rows(struct pane *p, int width)
{
    struct explain_pane *s = p->own;
    const struct gpudbg_dump *d = gpudbg_session_dump(p->g, 0);
    struct gpudbg_error err = {.offset = -1};
    const struct finding *f;
    if (d == s->dump && width == s->width && p->screen->utf8 == s->utf8) return;
    forget(s);
    if (d != s->dump) s->was = -1;
    s->dump = d;
    s->width = width;
    s->indent = width >= WIDE ? BESIDE : 2;
    s->utf8 = p->screen->utf8;
    s->error[0] = 0;
    if (d && !(s->explain = session_explain(p->g, d, 0, &err))) snprintf(s->error, sizeof s->error, "%s", err.message);
    struct verdict verdict;
    if (s->explain && verdict_of(s->explain, d, &verdict)) {
        char text[1200];
        verdict_text(&verdict, true, text, sizeof text);
        if (strcmp(text, verdict.finding->text) != 0) /* else the finding's own sentence says as much */
            add_sentence(s, verdict.finding, "verdict", text);
    } else if (s->explain) {
        add_sentence(s, NULL, "verdict", "nothing in it says that anything failed");
    }
    for (size_t i = 0; s->explain && (f = explain_finding(s->explain, i)); i++) {
        add_sentence(s, f, f->cause, f->text);
        for (unsigned k = 0; k < f->nevidence; k++) add_evidence(s, f, k);
        add_count(s, f);
    }
    if (s->explain) add_timeline(s);
    p->count = s->count;
}

/* The line of "rcs0 ring+0x1a620", where a finding says that an engine stands; 0: it is none, or fits several. */
static uint32_t place_line(const struct gpudbg_dump *d, const struct finding *f, const char *place)
{
    size_t n;
    char unit[32], kind[32];
    unsigned long long at;
    uint32_t line = 0;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    if (sscanf(place, "%31s %31[^+]+0x%llx", unit, kind, &at) != 3) return 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].capture != f->capture || !s[i].unit || strcmp(s[i].unit, unit) != 0 || strcmp(s[i].kind, kind) != 0 ||
            at >= s[i].size)
            continue;
        if (line) return 0;
        line = gpudbg_dump_stream_line(d, i, (size_t)at);
    }
    return line;
}

/* The line of the command in a ring or batch where a finding says that an engine stands, by the register that says so,
 * or by the place in the ring where it is read; 0: it says no such thing. */
static uint32_t packet_line(const struct gpudbg_dump *d, const struct finding *f)
{
    size_t n;
    struct gpudbg_record r;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    const uint32_t line = f->nevidence ? f->evidence[0].line : 0;
    if (!line || !f->evidence[0].name) return 0;
    for (size_t i = 0; i < n; i++) /* a finding about the ring itself */
        if (s[i].capture == f->capture && strcmp(s[i].kind, f->evidence[0].name) == 0 && s[i].read < s[i].size &&
            gpudbg_dump_stream_line(d, i, (size_t)s[i].read) == line)
            return line;
    static const char stands[] = " stands at ";
    const char *at = strstr(f->text, stands);
    const uint32_t told = at ? place_line(d, f, at + strlen(stands)) : 0;
    if (told) return told;
    if (!at || !gpudbg_dump_find(d, f->capture, NULL, f->evidence[0].name, &r)) return 0;
    for (size_t i = 0; gpudbg_dump_record(d, i, &r); i++) {
        if (r.line != line) continue;
        for (size_t k = 0; k < n; k++)
            if (s[k].capture == r.capture && s[k].addr != GPUDBG_NO_ADDR && r.value >= s[k].addr &&
                r.value - s[k].addr < s[k].size && strcmp(s[k].kind, "object") != 0)
                return gpudbg_dump_stream_line(d, k, (size_t)(r.value - s[k].addr));
    }
    return 0;
}

/* The panes of the dump's text go there. */
static void line_follow(struct screen *screen, uint32_t line)
{
    screen->dump_line = line;
    screen->packet_line = 0;
    screen->dump_stamp++;
}

/* Drags the other panes along to what the row is about: its evidence, or the first of its sentence's; the registers
 * among a sentence's evidence are unfolded. */
static void drag(struct pane *p, const struct row *r)
{
    const struct finding *f = r->finding;
    if (!f) {
        if (r->line) line_follow(p->screen, r->line);
        return;
    }
    const bool counted = r->evidence > f->nevidence;
    const unsigned first = r->evidence && !counted ? r->evidence - 1 : 0,
                   last = r->evidence && !counted ? r->evidence : f->nevidence;
    for (unsigned i = last; i-- > first;) /* the first one last: there the cursor stays */
        if (f->evidence[i].line) regs_follow_line(p->screen, f->evidence[i].line);
    const uint32_t line = counted        ? (is_latest(f) ? f->line : f->last)
                          : first < last ? f->evidence[first].line
                                         : f->line;
    if (line) line_follow(p->screen, line);
    p->screen->packet_line = packet_line(gpudbg_session_dump(p->g, 0), f);
}

static void draw(struct pane *p, const struct area *a)
{
    struct explain_pane *s = p->own;
    if (p->screen->reading) {
        area_text(a, 1, 0, STYLE_comment, "The explanation comes here when all of the log is read.");
        return;
    }
    take_rows(p, p->columns);
    p->count = s->count;
    if (!s->count) {
        area_text(a, 1, 0, STYLE_comment,
            s->error[0] ? s->error
            : s->dump   ? "nothing in the dump says that anything failed"
                        : "no dump is loaded");
        return;
    }
    pane_list_fit(p, a->h);
    if (s->was < 0 || (p->active && s->was != p->cursor)) drag(p, &s->row[p->cursor]);
    s->was = p->cursor;
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct row *r = &s->row[p->top + y];
        if (r->label) area_left(a, 1, y, s->indent < BESIDE ? a->w - 1 : BESIDE - 2, STYLE_title, r->label);
        area_text(a, s->indent + (r->evidence ? 2 : 0), y, r->evidence ? STYLE_comment : STYLE_text, r->text);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct explain_pane *s = p->own;
    return snprintf(buf, size, "%s", s->dump ? path_base(gpudbg_dump_path(s->dump)) : "");
}

/* The line in the dump's own text, for what is no register. */
static bool line_show(struct screen *screen, uint32_t line, struct gpudbg_error *err)
{
    struct pane *log = pane_named(screen, "log", err);
    if (!log || !line) return false;
    *err = (struct gpudbg_error){.offset = -1};
    line_follow(screen, line);
    screen_focus(screen, log);
    return true;
}

/* Opens the packet where an engine stands; false: the row says nothing of one. */
static bool packet_show(struct pane *p, const struct finding *f, unsigned evidence)
{
    struct gpudbg_error none = {.offset = -1};
    struct pane *packets = pane_named(p->screen, "packets", &none);
    const struct explain_pane *s = p->own;
    const uint32_t line = evidence ? 0 : packet_line(s->dump, f);
    if (!packets || !line) return false;
    line_follow(p->screen, line);
    screen_focus(p->screen, packets);
    return true;
}

/* Enter: to the packet where an engine stands, to the register that the sentence, or the evidence, is told by; else to
 * its line. */
static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct explain_pane *s = p->own;
    if (action != PANE_FOLLOW) return pane_list_act(p, action, arg, err);
    take_rows(p, p->columns > 0 ? p->columns : 80);
    if (p->cursor >= s->count) return gpudbg_fail(err, "not-now", "nothing under the cursor");
    const struct row *r = &s->row[p->cursor];
    if (!r->finding) return !r->line || line_show(p->screen, r->line, err);
    if (packet_show(p, r->finding, r->evidence)) return true;
    if (r->evidence > r->finding->nevidence) return line_show(p->screen, r->finding->last, err);
    unsigned first = r->evidence ? r->evidence - 1 : 0, last = r->evidence ? r->evidence : r->finding->nevidence;
    struct gpudbg_error none = {.offset = -1};
    struct pane *regs = pane_named(p->screen, "regs", &none), *log = pane_named(p->screen, "log", &none);
    const bool log_alone = log && layout_place(&p->screen->layout, log) && !layout_place(&p->screen->layout, regs);
    for (unsigned i = first; i < last && !log_alone; i++)
        if (regs_show_line(p->screen, r->finding->evidence[i].line, err)) {
            line_follow(p->screen, r->finding->evidence[i].line);
            return true;
        }
    return first < last && line_show(p->screen, r->finding->evidence[first].line, err);
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct explain_pane *s = p->own;
    return row < s->count ? snprintf(buf, size, "%s %s", s->row[row].finding ? s->row[row].finding->cause : "timeline",
                                s->row[row].text)
                          : snprintf(buf, size, "%s", "");
}

static bool idle(struct pane *p)
{
    const struct explain_pane *s = p->own;
    if (!gpudbg_session_dump(p->g, 0)) return false;
    take_rows(p, p->columns > 0 ? p->columns : 80);
    return !s->count && !s->error[0];
}

static int rows_told(struct pane *p)
{
    const struct explain_pane *s = p->own;
    if (p->screen->reading || !gpudbg_session_dump(p->g, 0)) return 0;
    take_rows(p, p->columns > 0 ? p->columns : 80);
    return s->count;
}

static void close_explain(struct pane *p)
{
    struct explain_pane *s = p->own;
    forget(s);
    free(s->row);
}

const struct pane_kind pane_explain = {
    .name = "explain",
    .summary = "what the dump means, with the evidence",
    .own = sizeof(struct explain_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .idle = idle,
    .rows = rows_told,
    .close = close_explain,
};
