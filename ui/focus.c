/* SPDX-License-Identifier: GPL-3.0-or-later */
/* focus.c: which pane has the keys, and lines for the prompt pane: what panes ask of their screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "line.h"

void screen_say(struct screen *s, enum style style, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    transcript_add(&s->transcript, style, text);
    s->notice = true;
}

void screen_focus(struct screen *s, struct pane *pane)
{
    /* One that the layout lacks fills the screen until Escape: what has the focus is always to be seen. */
    if (pane && (s->zoomed || !layout_place(&s->layout, pane))) s->zoomed = pane;
    s->focus = pane;
}

const char *screen_pane_of_keys(const struct screen *s)
{
    const struct pane *p = s->mode != KEYS_SINGLE ? NULL : s->over ? s->over : s->focus;
    return p ? p->name : NULL;
}

void screen_over(struct screen *s, struct pane *pane)
{
    if (pane && !s->over && s->mode == KEYS_PROMPT) {
        s->mode = KEYS_SINGLE;
        s->over_prompt = true;
    }
    const bool back = !pane && s->over && s->over_prompt;
    if (!pane) s->over_prompt = false;
    s->over = pane;
    if (back) screen_prompt(s, NULL);
}

void screen_prompt(struct screen *s, const char *text)
{
    if (s->mode != KEYS_PROMPT && s->focus && s->focus->kind != &pane_prompt) s->before_prompt = s->focus;
    s->mode = KEYS_PROMPT;
    s->typed[0] = 0;
    s->once = text != NULL;
    struct gpudbg_error err = {0};
    struct pane *prompt = pane_named(s, "prompt", &err);
    if (prompt && layout_place(&s->layout, prompt) && !s->zoomed) s->focus = prompt;
    if (prompt) prompt->top = 0;
    if (text) line_set(text);
}

void screen_single_keys(struct screen *s)
{
    if (s->mode != KEYS_PROMPT) return;
    s->mode = KEYS_SINGLE;
    line_set("");
    free(s->pasted);
    s->pasted = NULL;
    struct gpudbg_error err = {0};
    if (s->focus != pane_named(s, "prompt", &err)) /* a command has chosen another */
        return;
    if (s->before_prompt && layout_place(&s->layout, s->before_prompt) && !s->zoomed) s->focus = s->before_prompt;
}

bool screen_shows_prompt(struct screen *s)
{
    for (int i = 0; i < s->layout.count && !s->over; i++)
        if (s->layout.place[i].pane->kind == &pane_prompt && s->layout.place[i].h > 0)
            return !s->zoomed || s->zoomed->kind == &pane_prompt;
    return false;
}

void screen_say_error(struct screen *s, const struct gpudbg_error *err)
{
    if (err->line && err->column)
        screen_say(s, STYLE_error, "%s:%ld:%ld: %s", err->file, err->line, err->column, err->message);
    else if (err->line)
        screen_say(s, STYLE_error, "%s:%ld: %s", err->file, err->line, err->message);
    else
        screen_say(s, STYLE_error, "%s", err->message);
}

void screen_key_line(struct screen *s, const char *line)
{
    if (s->run) s->run(s, line);
}
