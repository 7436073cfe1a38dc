/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_keys.c: the help screen: every binding, from the table that keys are looked up in. */
#include <string.h>

#include "inside.h"
#include "base/words.h"
#include "session/command.h"

static const char *const headings[KEYS_MODES] = {"Single keys", "At the prompt", "Anywhere"};

/* A row: a heading, a blank, or a binding. */
struct row {
    const char *heading;
    const struct binding *binding;
};

static bool shown(const struct binding *b) { return b->command[0] && strcmp(b->command, "-") != 0; }

/* Row number `wanted`, or how many there are. */
static int row_find(const struct keys *keys, int wanted, struct row *row)
{
    static const enum keys_mode order[] = {KEYS_SINGLE, KEYS_ANY, KEYS_PROMPT};
    int n = 0;
    for (size_t k = 0; k < KEYS_MODES; k++) {
        bool headed = false;
        for (size_t i = 0; i < keys->count; i++) {
            const struct binding *b = &keys->binding[i];
            if (b->mode != order[k] || (!shown(b) && !b->label[0])) continue;
            if (!headed && n++ == wanted) return *row = (struct row){.heading = headings[order[k]]}, n;
            headed = true;
            if (n++ == wanted) return *row = (struct row){.binding = b}, n;
        }
    }
    return n;
}

/* What a binding does: the summary of its command's row; where that does many things, the label. */
static void line_summary(struct gpudbg *g, const struct binding *b, char *buf, size_t size)
{
    const char *line = b->command;
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found = {0};
    snprintf(buf, size, "%s", "");
    if (!args_open(&args, &g->eval, line, &err)) return;
    if (command_find(g, &args, &found, &err) && found.command) {
        const char *name = found.command->name, *rest = gpudbg_args_rest(&args);
        bool many = *rest && (!strcmp(name, "pane") || !strcmp(name, "type") || !strcmp(name, "focus"));
        snprintf(buf, size, "%s", !many ? found.command->summary : b->label[0] ? b->label : rest);
        for (char *c = buf; many && (c = strchr(c, '-'));) *c = ' ';
    }
    args_close(&args);
}

static void keys_draw(struct pane *p, const struct area *a)
{
    struct row row;
    p->count = row_find(&p->screen->keys, -1, &row);
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        row_find(&p->screen->keys, p->top + y, &row);
        if (row.heading) {
            area_put(a, 1, y, STYLE_title, "%s", row.heading);
            continue;
        }
        const struct binding *b = row.binding;
        char key[64], text[256];
        snprintf(key, sizeof key, "%s", b->key);
        for (char *c = key; (c = strchr(c, ',')) && c[1] && c != key;) *c = ' ';
        line_summary(p->g, b, text, sizeof text);
        area_put(a, 2, y, STYLE_key, "%-9s", key);
        int x = 12;
        if (a->w >= 110 || a->w < 60) x = area_put(a, x, y, STYLE_label, "%-18s", b->label) + 1;
        if (a->w >= 60) {
            x = area_put(a, x, y, STYLE_mnemonic, "%-19s", shown(b) ? b->command : "(line editor)") + 1;
            area_put(a, x, y, STYLE_text, "%s", *text ? text : b->label);
        }
    }
}

static int keys_title(struct pane *p, char *buf, size_t size)
{
    (void)p;
    return snprintf(buf, size, "Escape or q goes back; keys are bound in ~/.config/gpudbg/keys");
}

static int keys_row_text(struct pane *p, int at, char *buf, size_t size)
{
    struct row row;
    row_find(&p->screen->keys, at, &row);
    return row.heading ? snprintf(buf, size, "%s", row.heading)
                       : snprintf(buf, size, "%s %s %s", row.binding->key, row.binding->label, row.binding->command);
}

static bool keys_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    switch (action) { /* no cursor: single steps scroll */
    case PANE_UP: p->top--; break;
    case PANE_DOWN: p->top++; break;
    default: return pane_list_act(p, action, arg, err);
    }
    p->cursor = p->top < 0 ? 0 : p->top;
    if (action == PANE_DOWN) p->cursor += p->shown - 1;
    return true;
}

const struct pane_kind pane_keys = {
    .name = "keys",
    .summary = "what every key does",
    .draw = keys_draw,
    .title = keys_title,
    .act = keys_act,
    .row_text = keys_row_text,
};
