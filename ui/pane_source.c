/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_source.c: the source file of the instruction under the code pane's cursor, there of the frame that is selected;
 * `>` stands before its line, `B` before lines with a breakpoint (`b`: off), as in the code pane, and `!` behind the
 * number of a line that a checker reported. */
#include <inttypes.h>
#include <string.h>

#include "inside.h"
#include "check/check.h"
#include "control/stop.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "eval/source_file.h"

struct source_pane {
    const struct gpudbg_image *image;
    struct source source;
    const char *file; /* shown now */
    uint32_t line;    /* marked now */
    uint32_t blamed;  /* the line that the stop's report is about, or 0 */
};

/* false: there is none. */
static bool line_here(struct pane *p, struct gpudbg_line *line)
{
    struct source_pane *s = p->own;
    uint64_t pc;
    bool inner;
    if (s->image != p->g->loaded.image) {
        source_close(&s->source);
        *s = (struct source_pane){.image = p->g->loaded.image};
    }
    const struct gpudbg_line *row = s->image && s->image->nlines ? gpudbg_image_line(s->image, code_cursor(p->screen))
                                                                 : NULL;
    if (!row) return false;
    *line = *row;
    if (code_cursor(p->screen) == location_here(&p->g->eval) && locals_frame(&p->g->eval, &pc, &inner) &&
        p->g->selection.frame.file) {
        line->file = p->g->selection.frame.file;
        line->line = p->g->selection.frame.line;
    }
    return true;
}

/* A line with its tabs as blanks. */
static void line_text_take(const struct source_pane *s, uint32_t number, char *text, size_t size)
{
    size_t n = 0, length = 0;
    const char *c = source_line(&s->source, number, &length);
    for (; c && length && n + 8 < size; c++, length--) do
            text[n++] = *c == '\t' ? ' ' : *c;
        while (*c == '\t' && n % 4);
    text[n] = 0;
}

/* Marks the lines in view that a breakpoint has locations in. */
static void breakpoints_draw(const struct pane *p, const struct area *a, const char *file)
{
    struct control *ctl = &p->g->control;
    for (const struct stop_point *b = ctl->stops ? stops_next(ctl, 0) : NULL; b; b = stops_next(ctl, b->number))
        for (size_t i = 0; b->kind == STOP_BREAK && i < b->nlocations; i++) {
            const struct gpudbg_line *row = gpudbg_image_line(p->g->loaded.image, b->location[i].pc);
            const int y = row ? (int)row->line - 1 - p->top : -1;
            if (y < 0 || y >= a->h || strcmp(row->file, file) != 0) continue;
            area_put(a, 0, y, STYLE_breakpoint, b->on && b->location[i].on ? "B" : "b");
        }
}

/* Marks the lines in view that reports are about. */
static void reports_draw(const struct pane *p, const struct area *a, const char *file)
{
    const struct check_report *r;
    for (size_t i = 0; (r = checks_report(p->g->control.checks, i)); i++) {
        const struct gpudbg_line *row = r->what.note ? NULL : gpudbg_image_line(p->g->loaded.image, r->what.pc);
        const int y = row ? (int)row->line - 1 - p->top : -1;
        if (y >= 0 && y < a->h && strcmp(row->file, file) == 0) area_put(a, 6, y, STYLE_error, "!");
    }
}

/* The line of this file that the latest stop blames, or 0.  The wave is often past it. */
static uint32_t blamed_line(const struct pane *p, const char *file)
{
    const struct gpudbg_stop *last = &p->g->running.last;
    const struct gpudbg_line *row = last->reason == GPUDBG_STOP_CHECK ? gpudbg_image_line(p->g->loaded.image, last->pc)
                                                                      : NULL;
    return row && strcmp(row->file, file) == 0 ? row->line : 0;
}

/* The program, the code's cursor or the frame has moved, or another line is blamed: follows it. */
static void follow(struct pane *p, const struct area *a, const struct gpudbg_line *line)
{
    struct source_pane *s = p->own;
    const uint32_t blamed = blamed_line(p, line->file), show = blamed && s->blamed != blamed ? blamed : line->line;
    if (s->file == line->file && s->line == line->line && s->blamed == blamed) return;
    s->file = line->file;
    s->line = line->line;
    s->blamed = blamed;
    p->cursor = (int)show - 1;
    if (p->cursor < p->top || p->cursor >= p->top + a->h - 1) p->top = p->cursor - a->h / 3;
}

static void source_draw(struct pane *p, const struct area *a)
{
    struct source_pane *s = p->own;
    struct gpudbg_line line;
    if (!line_here(p, &line)) {
        area_put(a, 1, 0, STYLE_comment, "no line table for this code");
        return;
    }
    if (!source_open(&s->source, &p->g->loaded, line.file)) {
        area_put(a, 1, 0, STYLE_comment, "%s: cannot be read; directory FOLDER says where", line.file);
        area_put(a, 1, 1, STYLE_comment, "here: line %" PRIu32, line.line);
        return;
    }
    follow(p, a, &line);
    p->count = (int)s->source.nlines;
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        uint32_t number = (uint32_t)(p->top + y) + 1;
        bool here = number == line.line;
        area_put(a, 1, y, here ? STYLE_current : STYLE_address, "%c%4" PRIu32, here ? '>' : ' ', number);
        char text[2048];
        line_text_take(s, number, text, sizeof text);
        const struct area beside = pane_scrolled(p, a, 8);
        area_text(&beside, 0, y, here ? STYLE_current : STYLE_text, text);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
    breakpoints_draw(p, a, line.file);
    reports_draw(p, a, line.file);
}

static int source_title(struct pane *p, char *buf, size_t size)
{
    struct gpudbg_line line;
    return line_here(p, &line) ? snprintf(buf, size, "%s:%" PRIu32, path_base(line.file), line.line)
                               : snprintf(buf, size, "%s", "");
}

static int source_row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct source_pane *s = p->own;
    line_text_take(s, (uint32_t)row + 1, buf, size);
    return (int)strlen(buf);
}

/* Where the code of the line under the cursor begins. */
static bool source_address(struct pane *p, uint64_t *addr)
{
    const struct gpudbg_image *image = p->g->loaded.image;
    struct gpudbg_line here;
    if (!line_here(p, &here)) return false;
    for (size_t i = 0; i < image->nlines; i++) {
        const struct gpudbg_line *line = &image->lines[i];
        if ((int)line->line != p->cursor + 1 || strcmp(line->file, here.file) != 0) continue;
        *addr = line->addr;
        return true;
    }
    return false;
}

static bool source_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    if (!pane_list_act(p, action, arg, err)) return false;
    if (action == PANE_ROW && pane_click_column(arg) < 1) screen_key_line(p->screen, "toggle");
    return true;
}

static void pane_close(struct pane *p)
{
    struct source_pane *s = p->own;
    source_close(&s->source);
}

const struct pane_kind pane_source = {
    .name = "source",
    .keeps = true,
    .summary = "the source file of the code under the cursor",
    .own = sizeof(struct source_pane),
    .draw = source_draw,
    .title = source_title,
    .act = source_act,
    .address = source_address,
    .row_text = source_row_text,
    .close = pane_close,
};
