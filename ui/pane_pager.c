/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_pager.c: what one command printed, where that is more than the pane prompt has room for.  It lies over all other
 * panes until Escape closes it.  Where lines lead somewhere (leads.h), the cursor goes from one of them to the next,
 * and Enter goes there. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inside.h"
#include "leads.h"

struct pager_pane {
    char **line; /* as printed */
    enum style *style;
    size_t nlines;
    struct row {
        uint32_t line, at, n; /* so many bytes of a line */
    } * row;                  /* for lines of `width` columns */
    int nrows, width;
    bool *leads; /* each line */
    int at;      /* row of a line that leads somewhere, from 1; 0: none does */
    int found;   /* row that a search met, from 1; 0: none */
    char title[128];
};

static void forget(struct pager_pane *s)
{
    while (s->nlines) free(s->line[--s->nlines]);
    free(s->line);
    free(s->style);
    free(s->leads);
    free(s->row);
    *s = (struct pager_pane){.nlines = 0};
}

/* The row where the line of this row begins, from 1, now that rows are others; 0 and -1 stay. */
static int row_again(const struct pager_pane *s, int was, uint32_t line)
{
    for (int i = 0; i < s->nrows && was > 0; i++)
        if (s->row[i].line == line) return i + 1;
    return was;
}

/* Long lines go on in the next row. */
static void rows_take(struct pager_pane *s, int width, bool utf8)
{
    if (s->width == width) return;
    const uint32_t at_line = s->at > 0 ? s->row[s->at - 1].line : 0;
    const uint32_t found_line = s->found > 0 ? s->row[s->found - 1].line : 0;
    s->width = width;
    s->nrows = 0;
    size_t room = 0;
    for (size_t i = 0; i < s->nlines; i++) {
        const char *text = s->line[i];
        uint32_t at = 0;
        do {
            const size_t n = text_row(text + at, at ? width - 2 : width, utf8);
            if ((size_t)s->nrows == room) s->row = xrealloc(s->row, room = room ? 2 * room : 256, sizeof *s->row);
            s->row[s->nrows++] = (struct row){(uint32_t)i, at, (uint32_t)n};
            at += (uint32_t)n;
        } while (text[at]);
    }
    s->at = row_again(s, s->at, at_line);
    s->found = row_again(s, s->found, found_line);
}

bool pager_open(struct screen *screen, size_t first, const char *title)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(screen, "pager", &err);
    const struct transcript *t = &screen->transcript;
    if (!p || first >= t->count) return false;
    struct pager_pane *s = p->own;
    forget(s);
    s->line = xcalloc(t->count - first, sizeof *s->line);
    s->style = xcalloc(t->count - first, sizeof *s->style);
    s->leads = xcalloc(t->count - first, sizeof *s->leads);
    s->at = -1;
    for (size_t i = first; i < t->count; i++) {
        s->line[s->nlines] = xstrdup(transcript_line(t, i)->text);
        s->leads[s->nlines] = line_leads(screen, s->line[s->nlines]);
        s->style[s->nlines++] = transcript_line(t, i)->style;
    }
    snprintf(s->title, sizeof s->title, "%s", title);
    rows_take(s, screen->cells->columns, screen->utf8); /* keys may come before it is drawn */
    p->count = s->nrows;
    p->cursor = p->top = 0;
    screen_over(screen, p);
    return true;
}

/* The next row (step 1) or the one before at which a line begins that leads somewhere, from 1; 0: there is none. */
static int leading(const struct pager_pane *s, int from, int step)
{
    for (int i = from + step; i >= 1 && i <= s->nrows; i += step)
        if (!s->row[i - 1].at && s->leads[s->row[i - 1].line]) return i;
    return 0;
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct pager_pane *s = p->own;
    const struct row *r = &s->row[row];
    return snprintf(buf, size, "%.*s", (int)r->n, s->line[r->line] + r->at);
}

static void draw(struct pane *p, const struct area *a)
{
    struct pager_pane *s = p->own;
    char text[4200];
    rows_take(s, a->w > 4 ? a->w : 4, a->cells->utf8);
    p->count = s->nrows;
    pane_list_fit(p, a->h);
    if (s->at < 0) s->at = leading(s, 0, 1);
    if (s->at > a->h && !p->top) s->at = 0; /* it is not seen yet */
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct row *r = &s->row[p->top + y];
        row_text(p, p->top + y, text, sizeof text);
        area_text(a, r->at ? 2 : 0, y, s->style[r->line], text);
        if (s->at == p->top + y + 1) area_cursor(a, 0, y, a->w, STYLE_cursor);
        if (s->found == p->top + y + 1) area_restyle(a, 0, y, a->w, STYLE_cursor);
    }
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct pager_pane *s = p->own;
    const int last = p->top + p->shown < p->count ? p->top + p->shown : p->count;
    return snprintf(buf, size, "%s  %d-%d of %d", s->title, p->top + 1, last, p->count);
}

/* To the next line that leads somewhere, where it is on the screen; else one row further. */
static void step_by(struct pane *p, int step)
{
    struct pager_pane *s = p->own;
    const bool seen = s->at > p->top && s->at <= p->top + p->shown;
    const int next = leading(s, seen ? s->at : step > 0 ? p->top : p->top + p->shown + 1, step);
    const bool near = next > p->top - 1 && next <= p->top + p->shown + 1;
    if (next && near) s->at = next;
    if (!next || !near || next <= p->top || next > p->top + p->shown) p->top += step;
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct pager_pane *s = p->own;
    const int before = p->cursor;
    switch (action) {
    case PANE_UP: step_by(p, -1); break;
    case PANE_DOWN: step_by(p, 1); break;
    case PANE_SCROLL_UP: p->top -= 3; break;
    case PANE_SCROLL_DOWN: p->top += 3; break;
    case PANE_FOLLOW:
        screen_over(p->screen, NULL);
        if (s->at > p->top && s->at <= p->top + p->shown)
            return line_follow(p->screen, s->line[s->row[s->at - 1].line], err);
        return true;
    case PANE_ROW: {
        const int row = p->top + atoi(arg) + 1;
        if (row >= 1 && row <= s->nrows && s->leads[s->row[row - 1].line]) s->at = row;
        return true;
    }
    case PANE_BACK: screen_over(p->screen, NULL); return true;
    case PANE_FIND:
    case PANE_FIND_NEXT:
    case PANE_FIND_PREVIOUS:
        if (s->found) p->cursor = s->found - 1;
        if (!pane_list_act(p, action, arg, err)) {
            p->cursor = before;
            return false;
        }
        s->found = p->cursor + 1;
        if (p->cursor < p->top || p->cursor >= p->top + p->shown) p->top = p->cursor - p->shown / 3;
        break;
    default: return pane_list_act(p, action, arg, err);
    }
    if (p->top > p->count - p->shown) p->top = p->count - p->shown;
    if (p->top < 0) p->top = 0;
    p->cursor = p->cursor < p->top ? p->top : p->cursor >= p->top + p->shown ? p->top + p->shown - 1 : p->cursor;
    return true;
}

bool pager_leads(struct pane *p) { return ((const struct pager_pane *)p->own)->at > 0; }

static void pager_close(struct pane *p) { forget(p->own); }

const struct pane_kind pane_pager = {
    .name = "pager",
    .fits = true,
    .summary = "what a command printed, where the pane prompt has no room for it",
    .own = sizeof(struct pager_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .close = pager_close,
};
