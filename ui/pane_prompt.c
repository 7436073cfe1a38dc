/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_prompt.c: what was typed and what came of it, and below it the line being typed. */
#include <string.h>

#include "inside.h"
#include "line.h"
#include "../core/script.h"

/* The input line; a long one is shown around its cursor. */
void prompt_input(struct screen *s, const struct area *a, int y)
{
    bool typing = s->mode == KEYS_PROMPT;
    const char *name = s->g ? define_open(s->g) : NULL;
    int x = area_put(a, 0, y, STYLE_prompt, name ? "(define %s) " : "(gpudbg) ", name), at = 0;
    const char *text = typing ? line_text(&at) : "";
    char left[1024];
    snprintf(left, sizeof left, "%.*s", at, text);
    int before = text_columns(left, a->cells->utf8), room = a->w - x - 1, skip = 0;
    while (before - skip > room && *text) {
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80)
            text++;
        skip++;
    }
    area_text(a, x, y, STYLE_input, text);
    if (typing) {
        a->cells->cursor_x = a->x + x + before - skip;
        a->cells->cursor_y = a->y + y;
    }
}

static void prompt_draw(struct pane *p, const struct area *a)
{
    struct transcript *t = &p->screen->transcript;
    int rows = a->h - 1;
    p->count = (int)t->count;
    if (p->top < 0)
        p->top = 0; /* here: lines above the last page */
    if (p->top > p->count - rows)
        p->top = p->count - rows > 0 ? p->count - rows : 0;
    int first = p->count - rows - p->top;
    if (first < 0)
        first = 0;
    int y = 0;
    for (; y < rows && first + y < p->count; y++) {
        const struct transcript_line *line = transcript_line(t, (size_t)(first + y));
        area_text(a, 0, y, line->style, line->text);
        if (!strncmp(line->text, "(gpudbg) ", 9))
            area_restyle(a, 0, y, 8, STYLE_prompt);
    }
    prompt_input(p->screen, a, y);
}

static int prompt_title(struct pane *p, char *buf, size_t size)
{
    return p->top > 0 ? snprintf(buf, size, "%d more below", p->top) : snprintf(buf, size, "%s", "");
}

static bool prompt_find(struct pane *p, const char *what, int step, struct gpudbg_error *err)
{
    int rows = p->shown > 1 ? p->shown - 1 : 1, last = p->count - p->top - 1;
    for (int i = last + step; i >= 0 && i < p->count; i += step)
        if (strcasestr(transcript_line(&p->screen->transcript, (size_t)i)->text, what)) {
            p->top = p->count - 1 - i < p->count - rows ? p->count - 1 - i : p->count - rows;
            return true;
        }
    return gpudbg_fail(err, "command", "'%s' is not in what was printed", what);
}

static bool prompt_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    int page = p->shown > 2 ? p->shown - 2 : 1;
    switch (action) {
    case PANE_UP:          p->top++; return true;
    case PANE_DOWN:        p->top--; return true;
    case PANE_SCROLL_UP:   p->top += 3; return true;
    case PANE_SCROLL_DOWN: p->top -= 3; return true;
    case PANE_HALF_UP:     p->top += page / 2 + 1; return true;
    case PANE_HALF_DOWN:   p->top -= page / 2 + 1; return true;
    case PANE_PAGE_UP:     p->top += page; return true;
    case PANE_PAGE_DOWN:   p->top -= page; return true;
    case PANE_TOP:         p->top = p->count; return true;
    case PANE_BOTTOM:
    case PANE_HERE:        p->top = 0; return true;
    case PANE_FIND:
    case PANE_FIND_NEXT:   return prompt_find(p, arg, -1, err);
    case PANE_FIND_PREVIOUS: return prompt_find(p, arg, 1, err);
    case PANE_ROW:
    case PANE_FOLLOW:      screen_prompt(p->screen, NULL); return true;
    default:               return gpudbg_fail(err, "command", "pane prompt has no '%s'", pane_action_name(action));
    }
}

const struct pane_kind pane_prompt = {
    .name = "prompt",
    .summary = "commands and what they printed",
    .draw = prompt_draw,
    .title = prompt_title,
    .act = prompt_act,
};
