/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_explain.c: what the dump means, each sentence with its evidence below it: the register, its line, and what
 * stands there.  Enter on a piece of evidence shows the register in the pane of registers.  What a dump tells again
 * and again is one sentence; a row below it says how often, and Enter there shows the last line that tells it.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "explain/explain.h"
#include "explain/verdict.h"
#include "base/alloc.h"

struct row {
    const struct finding *finding;
    unsigned evidence; /* from 1; 0: the sentence; behind the finding's last: how often it is told */
    char *text;
    const char *label; /* in front of the first line of a sentence */
};

struct explain_pane {
    const struct gpudbg_dump *dump; /* explained */
    int width;
    struct explain *explain;
    struct row *row;
    int count, room;
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
    s->row[s->count++] = (struct row){f, evidence, xstrndup(text, n), label};
}

/* The sentence in lines of at most `width` columns, broken at blanks. */
static void add_sentence(
    struct explain_pane *s, const struct finding *f, const char *label, const char *text, int width)
{
    const char *at = text;
    size_t most = width > 20 ? (size_t)width : 20;
    for (; *at; label = NULL) {
        size_t n = strlen(at);
        if (n > most) {
            n = most;
            while (n > 1 && at[n] != ' ') n--;
            if (n == 1) n = most;
        }
        add(s, f, 0, label, at, n);
        at += n;
        at += strspn(at, " ");
    }
}

static void add_evidence(struct explain_pane *s, const struct finding *f, unsigned i)
{
    char line[1024] = "", text[1300];
    if (f->evidence[i].line) gpudbg_dump_text(s->dump, f->evidence[i].line, line, sizeof line);
    int n = snprintf(
        text, sizeof text, "%s, line %u: %s", f->evidence[i].name, f->evidence[i].line, line + strspn(line, " \t"));
    add(s, f, i + 1, NULL, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

static void add_count(struct explain_pane *s, const struct finding *f)
{
    char text[80];
    if (f->count < 2) return;
    const int n = snprintf(text, sizeof text, ".. %u times more, to line %u", f->count - 1, f->last);
    add(s, f, f->nevidence + 1, NULL, text, (size_t)n);
}

static void take_rows(struct pane *p, int width)
{
    struct explain_pane *s = p->own;
    const struct gpudbg_dump *d = gpudbg_session_dump(p->g, 0);
    struct gpudbg_error err = {.offset = -1};
    const struct finding *f;
    if (d == s->dump && width == s->width) return;
    forget(s);
    s->dump = d;
    s->width = width;
    s->error[0] = 0;
    if (d && !(s->explain = session_explain(p->g, d, 0, &err))) snprintf(s->error, sizeof s->error, "%s", err.message);
    struct verdict verdict;
    if (s->explain && verdict_of(s->explain, d, &verdict)) {
        char text[1200];
        verdict_text(&verdict, true, text, sizeof text);
        if (strcmp(text, verdict.finding->text) != 0) /* else the finding's own sentence says as much */
            add_sentence(s, verdict.finding, "verdict", text, width - 19);
    }
    for (size_t i = 0; s->explain && (f = explain_finding(s->explain, i)); i++) {
        add_sentence(s, f, f->cause, f->text, width - 19);
        for (unsigned k = 0; k < f->nevidence; k++) add_evidence(s, f, k);
        add_count(s, f);
    }
    p->count = s->count;
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
            : s->dump   ? "no rule says anything about the dump"
                        : "no dump is loaded");
        return;
    }
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct row *r = &s->row[p->top + y];
        if (r->label) area_left(a, 1, y, 17, STYLE_title, r->label);
        area_text(a, r->evidence ? 21 : 19, y, r->evidence ? STYLE_comment : STYLE_text, r->text);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct explain_pane *s = p->own;
    return snprintf(buf, size, "%s", s->dump ? path_base(gpudbg_dump_path(s->dump)) : "");
}

/* The panes of the dump's text go there. */
static void line_follow(struct screen *screen, uint32_t line)
{
    screen->dump_line = line;
    screen->dump_stamp++;
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

/* Enter: to the register that the sentence, or the evidence, is told by; else to its line. */
static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct explain_pane *s = p->own;
    if (action != PANE_FOLLOW) return pane_list_act(p, action, arg, err);
    take_rows(p, p->columns > 0 ? p->columns : 80);
    if (p->cursor >= s->count) return gpudbg_fail(err, "not-now", "nothing under the cursor");
    const struct row *r = &s->row[p->cursor];
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
    return row < s->count ? snprintf(buf, size, "%s %s", s->row[row].finding->cause, s->row[row].text)
                          : snprintf(buf, size, "%s", "");
}

static bool idle(struct pane *p)
{
    const struct explain_pane *s = p->own;
    if (!gpudbg_session_dump(p->g, 0)) return false;
    take_rows(p, p->columns > 0 ? p->columns : 80);
    return !s->count && !s->error[0];
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
    .close = close_explain,
};
