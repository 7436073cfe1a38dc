/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_display.c: the expressions of `display` as a list to watch: each with its value now, `*` where the last step or
 * command changed it.  Enter prints all of a value: every lane, every element.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "base/alloc.h"
#include "command/display.h"

#define ROWS_MOST 200
#define TEXT_MOST 1024
#define NAME_LEAST 8 /* columns of the number and the expression that a long value leaves */

struct texts {
    char **text;
    int n;
};

struct display_pane {
    struct texts before, settled; /* taken before this command; those that marks compare with */
};

static void texts_free(struct texts *t)
{
    while (t->n > 0) free(t->text[--t->n]);
    free(t->text);
    t->text = NULL;
}

static void remember(struct pane *p, bool settle)
{
    struct display_pane *d = p->own;
    char text[TEXT_MOST];
    size_t name;
    if (settle) {
        texts_free(&d->settled);
        d->settled = d->before;
        d->before = (struct texts){0};
        return;
    }
    texts_free(&d->before);
    for (size_t i = 0; i < ROWS_MOST && displays_text(p->g, i, &name, text, sizeof text); i++) {
        d->before.text = xrealloc(d->before.text, i + 1, sizeof *d->before.text);
        d->before.text[d->before.n++] = xstrdup(text);
    }
}

/* Whether the line was another one; one with this number and expression must have been there. */
static bool was_other(const struct display_pane *d, const char *text, size_t name)
{
    for (int i = 0; i < d->settled.n; i++)
        if (!strncmp(d->settled.text[i], text, name)) return strcmp(d->settled.text[i], text) != 0;
    return false;
}

/* "1: $v12 = ", where the value has no room behind it "1: /x $s[0… = "; returns the column behind it. */
static int name_put(const struct area *a, int y, const char *text, size_t name, const char *value)
{
    const int whole = (int)name - 3, over = 1 + (int)name + text_columns(value, a->cells->utf8) - a->w;
    int kept = over > 0 ? whole - over - 1 : whole;
    if (kept < NAME_LEAST) kept = NAME_LEAST;
    if (over <= 0 || !*value || kept >= whole) return area_put(a, 1, y, STYLE_name, "%.*s", (int)name, text);
    return area_put(a, 1, y, STYLE_name, "%.*s%s = ", kept, text, a->cells->utf8 ? "…" : ">");
}

static void draw(struct pane *p, const struct area *a)
{
    const struct display_pane *d = p->own;
    char text[TEXT_MOST];
    size_t name;
    p->count = 0;
    while (p->count < ROWS_MOST && displays_text(p->g, (size_t)p->count, &name, text, sizeof text)) p->count++;
    if (!p->count) {
        area_text(a, 1, 0, STYLE_comment, "nothing to watch; `display EXPR` adds an expression");
        return;
    }
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        displays_text(p->g, (size_t)(p->top + y), &name, text, sizeof text);
        text[strcspn(text, "\n")] = 0;
        if (name > strlen(text)) name = strlen(text);
        const bool changed = was_other(d, text, name);
        const int x = name_put(a, y, text, name, text + name);
        if (changed) area_text(a, 0, y, changed_style(p->screen), "*");
        area_text(a, x, y, changed ? changed_style(p->screen) : STYLE_value, text + name);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    char letter, line[1200], format[8] = "";
    unsigned size;
    const char *text;
    if (action != PANE_FOLLOW) return pane_list_act(p, action, arg, err);
    if (!displays_at(p->g, (size_t)p->cursor, &letter, &size, &text))
        return gpudbg_fail(err, "not-now", "nothing under the cursor");
    if (letter) snprintf(format, sizeof format, "/%c", letter);
    snprintf(line, sizeof line, "print%s %s", format, text);
    screen_key_line(p->screen, line);
    return true;
}

static bool idle(struct pane *p)
{
    char letter;
    unsigned size;
    const char *text;
    return !displays_at(p->g, 0, &letter, &size, &text);
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    size_t name;
    if (!displays_text(p->g, (size_t)row, &name, buf, size)) buf[0] = 0;
    return (int)strlen(buf);
}

static bool value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    char letter;
    unsigned bytes;
    const char *text;
    if (!displays_at(p->g, (size_t)p->cursor, &letter, &bytes, &text))
        return gpudbg_fail(err, "not-now", "nothing under the cursor");
    snprintf(buf, size, "%s%s", letter == 'f' && *text == '$' ? "(f32)" : "", text);
    return true;
}

static void close_display(struct pane *p)
{
    struct display_pane *d = p->own;
    texts_free(&d->before);
    texts_free(&d->settled);
}

const struct pane_kind pane_display = {
    .name = "display",
    .summary = "the expressions of `display`, with what changed",
    .own = sizeof(struct display_pane),
    .draw = draw,
    .act = act,
    .row_text = row_text,
    .value = value,
    .idle = idle,
    .remember = remember,
    .close = close_display,
};
