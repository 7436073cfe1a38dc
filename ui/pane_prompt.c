/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_prompt.c: what was typed and what came of it, and below it the line being typed.  With single keys the cursor
 * goes over the lines that lead somewhere (leads.h): Enter goes there. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "leads.h"
#include "line.h"
#include "session/script.h"

#define ROWS_KNOWN 512

struct prompt_pane {
    size_t at, of;       /* the line under the cursor, from 1; 0: none is.  Of so many lines */
    int row[ROWS_KNOWN]; /* the line in each row that was drawn */
    int rows;
};

/* The input line; a long one is shown around its cursor. */
void prompt_input(struct screen *s, const struct area *a, int y)
{
    bool typing = s->mode == KEYS_PROMPT;
    const char *name = block_open(s->g), *message = typing ? line_message() : "";
    int at = 0, x;
    if (s->question[0]) {
        x = area_put(a, 0, y, STYLE_prompt, "%s (y or n) ", s->question);
        if (x > a->w - 4) x = area_text(a, 0, y, STYLE_prompt, "(y or n) "); /* the question stands above */
        a->cells->cursor_x = a->x + area_text(a, x, y, STYLE_input, s->answer);
        a->cells->cursor_y = a->y + y;
        return;
    }
    if (*message)
        x = area_text(a, 0, y, STYLE_prompt, message);
    else
        x = area_put(a, 0, y, STYLE_prompt, name ? "(%s) " : "(gpudbg) ", name);
    const char *text = typing ? line_text(&at) : "";
    char left[1024];
    snprintf(left, sizeof left, "%.*s", at, text);
    const struct area line = {a->cells, a->x + x, a->y + y, a->w - x, 1, 0};
    int before = text_columns(left, a->cells->utf8), skip = before > line.w - 1 ? before - line.w + 1 : 0;
    area_text(&line, -skip, 0, STYLE_input, text);
    if (typing && line_selected()) { /* what a letter would replace */
        snprintf(left, sizeof left, "%.*s", (int)line_selected(), text);
        const int from = text_columns(left, a->cells->utf8);
        area_restyle(&line, from - skip, 0, before - from, STYLE_cursor);
    }
    if (typing) {
        a->cells->cursor_x = a->x + x + before - skip;
        a->cells->cursor_y = a->y + y;
    }
}

size_t text_row(const char *text, int width, bool utf8)
{
    size_t n = 0, blank = 0;
    int columns = 0, at_blank = 0;
    while (text[n]) {
        char glyph[8] = {text[n]};
        size_t bytes = 1;
        while (((unsigned char)text[n + bytes] & 0xc0) == 0x80 && bytes < 4) {
            glyph[bytes] = text[n + bytes];
            bytes++;
        }
        columns += text_columns(glyph, utf8);
        if (columns > width) return blank && at_blank > width / 2 ? blank : n ? n : bytes;
        n += bytes;
        if (text[n - 1] == ' ') {
            blank = n;
            at_blank = columns;
        }
    }
    return n;
}

#define INDENT 2 /* of what goes on in the next row */

static int rows_of(const char *text, int width, bool utf8)
{
    int rows = 0;
    do {
        text += text_row(text, rows ? width - INDENT : width, utf8);
        rows++;
    } while (*text && rows < 1000);
    return rows;
}

/* How many rows more than it has the pane would need to show all that was said about the last stop. */
int prompt_missing(const struct screen *s, int columns, int rows)
{
    int used = 1; /* the line being typed */
    if (!s->report_lines || s->report_end != s->transcript.count || columns <= INDENT + 1) return 0;
    for (size_t i = s->report_end - s->report_lines; i < s->report_end; i++)
        used += rows_of(transcript_line(&s->transcript, i)->text, columns, s->utf8);
    return used > rows ? used - rows : 0;
}

/* The lines above the last `p->top`, long ones on several rows, as many as fit from the bottom up. */
static void prompt_draw(struct pane *p, const struct area *a)
{
    struct transcript *t = &p->screen->transcript;
    struct prompt_pane *s = p->own;
    bool utf8 = a->cells->utf8;
    if (s->of != t->count || !p->active) s->at = 0; /* there are new ones */
    s->of = t->count;
    s->rows = 0;
    int rows = a->h - 1, used = 0, width = a->w > INDENT + 1 ? a->w : INDENT + 2;
    p->count = (int)t->count;
    if (p->top > p->count - rows) p->top = p->count - rows;
    if (p->top < 0) p->top = 0; /* here: lines hidden below */
    int end = p->count - p->top, first = end;
    while (first > 0 && used < rows) used += rows_of(transcript_line(t, (size_t)--first)->text, width, utf8);
    int skip = used > rows ? used - rows : 0, y = 0; /* the first line may begin above */
    const int missing = p->top ? 0 : prompt_missing(p->screen, width, a->h);
    if (missing) { /* what stopped the run is said first */
        first = end - (int)p->screen->report_lines;
        skip = 0;
    }
    for (int i = first; i < end; i++) {
        const struct transcript_line *line = transcript_line(t, (size_t)i);
        const char *text = line->text;
        for (int row = 0; row == 0 || *text; row++) {
            char part[2048];
            size_t n = text_row(text, row ? width - INDENT : width, utf8);
            snprintf(part, sizeof part, "%.*s", (int)n, text);
            if (skip > 0)
                skip--;
            else if (y < rows) {
                area_text(a, row ? INDENT : 0, y, line->style, part);
                if (!row && !strncmp(part, "(gpudbg) ", 9)) area_restyle(a, 0, y, 8, STYLE_prompt);
                if (!row && s->at == (size_t)i + 1) area_cursor(a, 0, y, a->w, STYLE_cursor);
                if (y < ROWS_KNOWN) s->row[s->rows++] = i;
                y++;
            }
            text += n;
        }
    }
    if (missing && rows > 0) {
        char more[64];
        const bool check = p->g->running.last.reason == GPUDBG_STOP_CHECK;
        snprintf(more, sizeof more, " %s %d rows more%s", utf8 ? "…" : ">", missing, check ? ": info checks" : "");
        area_text(a, a->w - text_columns(more, utf8), rows - 1, STYLE_comment, more);
    }
    prompt_input(p->screen, a, y);
}

/* Beside a dump, where nothing runs, it is not used much. */
static int prompt_rows(struct pane *p)
{
    const bool dump = p->g->loaded.ndumps && !p->g->running.machine && !p->screen->reading;
    return dump ? (int)p->screen->transcript.count + 1 : 0;
}

static int prompt_title(struct pane *p, char *buf, size_t size)
{
    return p->top > 0 ? snprintf(buf, size, "%d more below", p->top) : snprintf(buf, size, "%s", "");
}

static bool prompt_find(struct pane *p, const char *what, int step, struct gpudbg_error *err)
{
    int last = p->count - p->top - 1;
    for (int i = last + step; i >= 0 && i < p->count; i += step)
        if (strcasestr(transcript_line(&p->screen->transcript, (size_t)i)->text, what)) {
            p->top = p->count - 1 - i;
            return true;
        }
    return gpudbg_fail(err, "no-such-name", "'%s' is not in what was printed", what);
}

/* To the line before (step -1) or the next one that leads somewhere, scrolled into sight; false: there is none. */
static bool lead_find(struct pane *p, int step)
{
    struct prompt_pane *s = p->own;
    const struct transcript *t = &p->screen->transcript;
    const int last = p->count - p->top;
    for (int i = (s->at ? (int)s->at - 1 : last) + step; i >= 0 && i < (int)t->count; i += step) {
        const struct transcript_line *line = transcript_line(t, (size_t)i);
        if (line->style != STYLE_text || !line_leads(p->screen, line->text)) continue;
        s->at = (size_t)i + 1;
        if (i >= last) p->top = p->count - 1 - i;
        if (s->rows && i < s->row[0]) p->top += s->row[0] - i;
        return true;
    }
    s->at = 0;
    return false;
}

static bool prompt_follow(struct pane *p, size_t line, struct gpudbg_error *err)
{
    const struct transcript_line *l = line ? transcript_line(&p->screen->transcript, line - 1) : NULL;
    if (l && line_leads(p->screen, l->text)) return line_follow(p->screen, l->text, err);
    screen_prompt(p->screen, NULL);
    return true;
}

static bool prompt_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    const struct prompt_pane *s = p->own;
    int page = p->shown > 2 ? p->shown - 2 : 1, row;
    switch (action) {
    case PANE_UP: p->top += !lead_find(p, -1); return true;
    case PANE_DOWN: p->top -= !lead_find(p, 1); return true;
    case PANE_SCROLL_UP: p->top += 3; return true;
    case PANE_SCROLL_DOWN: p->top -= 3; return true;
    case PANE_HALF_UP: p->top += page / 2 + 1; return true;
    case PANE_HALF_DOWN: p->top -= page / 2 + 1; return true;
    case PANE_PAGE_UP: p->top += page; return true;
    case PANE_PAGE_DOWN: p->top -= page; return true;
    case PANE_TOP: p->top = p->count; return true;
    case PANE_BOTTOM:
    case PANE_HERE: p->top = 0; return true;
    case PANE_FIND:
    case PANE_FIND_NEXT: return prompt_find(p, arg, -1, err);
    case PANE_FIND_PREVIOUS: return prompt_find(p, arg, 1, err);
    case PANE_ROW:
        row = atoi(arg);
        return prompt_follow(p, row >= 0 && row < s->rows ? (size_t)s->row[row] + 1 : 0, err);
    case PANE_FOLLOW: return prompt_follow(p, s->at, err);
    default: return gpudbg_fail(err, "unsupported", "pane prompt has no action '%s'", pane_action_name(action));
    }
}

const struct pane_kind pane_prompt = {
    .name = "prompt",
    .own = sizeof(struct prompt_pane),
    .fits = true,
    .rows = prompt_rows,
    .summary = "commands and what they printed",
    .draw = prompt_draw,
    .title = prompt_title,
    .act = prompt_act,
};
