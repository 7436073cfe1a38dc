/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_keys.c: the help screen: every binding, from the table that keys are looked up in. */
#include <string.h>

#include "inside.h"
#include "base/words.h"
#include "session/command.h"

static const char *const headings[KEYS_MODES] = {"Single keys", "At the prompt", "Anywhere"};

/* A row: a heading, a blank, or a binding. */
struct row {
    const struct binding *heading; /* the first of those below it; NULL: no heading */
    const struct binding *binding;
};

static bool shown(const struct binding *b) { return b->command[0] && strcmp(b->command, "-") != 0; }

/* A group of bindings that stand under one heading: a mode, and the panes whose keys they are. */
static bool in_group(const struct binding *b, const struct binding *of)
{
    return b->mode == of->mode && !strcmp(b->panes, of->panes) && (shown(b) || b->label[0]);
}

static bool is_first(const struct keys *keys, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (in_group(&keys->binding[k], &keys->binding[i])) return false;
    return shown(&keys->binding[i]) || keys->binding[i].label[0];
}

/* Row number `wanted`, or how many there are: keys of all panes, keys of some, the rest. */
static int row_find(const struct keys *keys, int wanted, struct row *row)
{
    static const struct {
        enum keys_mode mode;
        bool panes;
    } order[] = {{KEYS_SINGLE, false}, {KEYS_SINGLE, true}, {KEYS_ANY, false}, {KEYS_PROMPT, false}};
    int n = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t g = 0; g < keys->count; g++) {
            const struct binding *group = &keys->binding[g];
            if (group->mode != order[k].mode || !!group->panes[0] != order[k].panes || !is_first(keys, g)) continue;
            if (n++ == wanted) return *row = (struct row){.heading = group}, n;
            for (size_t i = 0; i < keys->count; i++)
                if (in_group(&keys->binding[i], group) && n++ == wanted)
                    return *row = (struct row){.binding = &keys->binding[i]}, n;
        }
    return n;
}

static void heading_text(const struct binding *b, char *buf, size_t size)
{
    if (b->panes[0])
        snprintf(buf, size, "In the pane%s %s", strchr(b->panes, ' ')[1] ? "s" : "", b->panes);
    else
        snprintf(buf, size, "%s", headings[b->mode]);
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
        if (many && strstr(buf, " %n")) *strstr(buf, " %n") = 0;
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
            char heading[128];
            heading_text(row.heading, heading, sizeof heading);
            area_text(a, 1, y, STYLE_title, heading);
            continue;
        }
        const struct binding *b = row.binding;
        char key[64], text[256];
        snprintf(key, sizeof key, "%s", b->key);
        for (char *c = key; (c = strchr(c, ',')) && c[1] && c != key;) *c = ' ';
        line_summary(p->g, b, text, sizeof text);
        const bool counted = !strncmp(key, "Count ", 6); /* shown with a number as one may type it */
        area_put(a, 2, y, STYLE_key, "%s%-9s", counted ? "5 " : "", counted ? key + 6 : key);
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
    if (row.heading) return heading_text(row.heading, buf, size), (int)strlen(buf);
    return snprintf(buf, size, "%s %s %s", row.binding->key, row.binding->label, row.binding->command);
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
