/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pane.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "word/registry.h"
#include "base/alloc.h"
#include "eval/expr.h"
#include "gpudbg/text.h"

#define SIDE_STEP 8 /* columns */

static const char *const action_names[] = {
#define X(id, name) name,
    PANE_ACTIONS(X)
#undef X
};

const char *pane_action_name(unsigned action)
{
    return action < sizeof action_names / sizeof *action_names ? action_names[action] : NULL;
}

int pane_action_named(const char *name)
{
    for (unsigned i = 0; pane_action_name(i); i++)
        if (!strcmp(action_names[i], name)) return (int)i;
    return -1;
}

bool pane_action_moves(enum pane_action action)
{
    return action <= PANE_HALF_DOWN || action == PANE_SCROLL_UP || action == PANE_SCROLL_DOWN;
}

/* The kind and the lasting name of a pane called `name`. */
static const struct pane_kind *kind_named(const struct screen *s, const char **name)
{
    const struct pane_kinds *kinds = s->options.panes;
    for (size_t i = 0; kinds->named[i]; i++)
        if (!strcmp(kinds->named[i]->name, *name)) {
            *name = kinds->named[i]->name;
            return kinds->named[i];
        }
    const struct gpudbg_listing *listing;
    for (size_t i = 0; (listing = registry_listing(s->g->registry, i)); i++)
        if (!strcmp(listing->name, *name)) {
            *name = listing->name;
            return kinds->listing;
        }
    return NULL;
}

struct pane *pane_named(struct screen *s, const char *name, struct gpudbg_error *err)
{
    for (size_t i = 0; i < s->npanes; i++)
        if (!strcmp(s->pane[i]->name, name)) return s->pane[i];
    const char *wanted = name;
    const struct pane_kind *kind = kind_named(s, &wanted);
    if (!kind) {
        gpudbg_fail(err, "no-such-name", "no pane is called '%s'", name);
        return NULL;
    }
    s->pane = xrealloc(s->pane, s->npanes + 1, sizeof *s->pane);
    struct pane *p = xalloc(sizeof *p);
    *p = (struct pane){.kind = kind, .name = wanted, .screen = s, .g = s->g, .own = xalloc(kind->own)};
    return s->pane[s->npanes++] = p;
}

void pane_free(struct pane *p)
{
    if (p->kind->close) p->kind->close(p);
    free(p->wrapped);
    free(p->own);
    free(p);
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "v12 f": the form of one register, in every pane and for `print`. */
static bool register_form_choose(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    char expr[64];
    struct value value;
    const size_t n = strcspn(arg, " \t");
    const char *name = arg + n + strspn(arg + n, " \t");
    const struct form *form = form_named(name);
    if (!form)
        return gpudbg_fail(
            err, "no-such-name", "'%s' is not a format of registers; the formats are %s", name, form_names());
    if (!p->g->running.machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    snprintf(expr, sizeof expr, "%s%.*s", arg[0] == '$' ? "" : "$", (int)n, arg);
    if (n + 2 > sizeof expr || !expr_value(&p->g->eval, expr, &value, err)) return false;
    if (value.place != PLACE_REGISTER) return gpudbg_fail(err, "no-such-name", "'%.*s' is not a register", (int)n, arg);
    for (unsigned i = 0; i < value.count; i++)
        form_choose(&p->g->eval, p->g->running.machine->isa, value.file, value.reg + i, form);
    return true;
}

/* Looking further to the right, or back. */
static bool side_scroll(struct pane *p, int step, struct gpudbg_error *err)
{
    if (p->kind->fits) return gpudbg_fail(err, "not-now", "pane %s has nothing beside what it shows", p->name);
    if (step > 0 && !p->more) return gpudbg_fail(err, "not-now", "nothing in pane %s goes on to the right", p->name);
    p->side = p->side + step > 0 ? p->side + step : 0;
    return true;
}

static bool wrap_change(struct pane *p, struct gpudbg_error *err)
{
    if (p->kind->fits) return gpudbg_fail(err, "not-now", "pane %s has no long rows", p->name);
    p->wrap = !p->wrap;
    p->side = 0;
    return true;
}

bool pane_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    char row[32];
    if (action == PANE_SIDE_LEFT || (action == PANE_LEFT && !p->kind->across)) return side_scroll(p, -SIDE_STEP, err);
    if (action == PANE_SIDE_RIGHT || (action == PANE_RIGHT && !p->kind->across)) return side_scroll(p, SIDE_STEP, err);
    if (action == PANE_WRAP) return wrap_change(p, err);
    if (action == PANE_ROW && p->wrap && atoi(arg) < p->nwrapped) {
        snprintf(row, sizeof row, "%u %d", p->wrapped[atoi(arg)], pane_click_column(arg));
        arg = row;
    } else if (action == PANE_ROW && p->side) {
        snprintf(row, sizeof row, "%d %d", atoi(arg), pane_click_column(arg) + p->side);
        arg = row;
    }
    if (action == PANE_FORMAT && strpbrk(arg, " \t")) return register_form_choose(p, arg, err);
    if (action == PANE_FILE) /* one pane has files of registers, wherever the focus is */
        p = pane_named(p->screen, "lanes", err);
    return !p ? false : p->kind->act ? p->kind->act(p, action, arg, err) : pane_list_act(p, action, arg, err);
}

struct area pane_scrolled(const struct pane *p, const struct area *a, int x)
{
    return (struct area){a->cells, a->x + x, a->y, a->w - x + p->side, a->h, p->side};
}

int pane_click_column(const char *arg)
{
    const char *column = strchr(arg, ' ');
    return column ? atoi(column) : 0;
}

bool pane_address(struct pane *p, uint64_t *addr) { return p->kind->address && p->kind->address(p, addr); }

bool pane_idle(struct pane *p) { return p->kind->idle && p->screen->focus != p && p->kind->idle(p); }

void pane_list_fit(struct pane *p, int rows)
{
    if (p->cursor >= p->count) p->cursor = p->count - 1;
    if (p->cursor < 0) p->cursor = 0;
    if (p->top > p->cursor) p->top = p->cursor;
    if (p->cursor >= p->top + rows) p->top = p->cursor - rows + 1;
    if (p->top > p->count - rows) p->top = p->count - rows;
    if (p->top < 0) p->top = 0;
}

void pane_cursor_row(struct pane *p, struct pane_spot (*spot)(const struct pane *, int item), int step)
{
    const struct pane_spot from = spot(p, p->cursor);
    int best = -1, distance = INT_MAX;
    for (int i = 0; i < p->count; i++) {
        const struct pane_spot at = spot(p, i);
        if (at.row == from.row + step && abs(at.x - from.x) < distance) {
            best = i;
            distance = abs(at.x - from.x);
        }
    }
    if (best >= 0) p->cursor = best;
}

int pane_item_at(
    const struct pane *p, struct pane_spot (*spot)(const struct pane *, int item), int row, const char *arg)
{
    int best = -1, x = -1;
    for (int i = 0; i < p->count; i++) {
        const struct pane_spot at = spot(p, i);
        if (at.row == row && at.x <= pane_click_column(arg) && at.x > x) {
            best = i;
            x = at.x;
        }
    }
    return best;
}

#define DIGITS_LEAST 2 /* of a number that was rounded */

/* A float with as many digits as fit, rounded; the mark alone where not even DIGITS_LEAST do. */
static void float_rounded(const struct cells *cells, const char *whole, int width, char *buf, size_t size)
{
    const double value = strtod(whole, NULL);
    for (int digits = 16; digits >= DIGITS_LEAST; digits--) {
        char number[64], text[80];
        struct text t = text_in(text, sizeof text);
        snprintf(number, sizeof number, "%.*g", digits, value);
        const char *e = strchr(number, 'e');
        text_add(&t, "%.*s", e ? (int)(e - number) : (int)strlen(number), number);
        if (e)
            text_add(&t, "e%d", atoi(e + 1)); /* 1.5e7, not 1.5e+07 */
        else if (!strpbrk(number, ".ni"))
            text_add(&t, ".0"); /* a float has a point */
        if (text_length(&t) > width) continue;
        snprintf(buf, size, "%s", text);
        return;
    }
    snprintf(buf, size, "%s", cells->utf8 ? "…" : ">");
}

/* An integer as 123k, -1.2M, 4.29G. */
static void integer_rounded(const struct cells *cells, const char *whole, int width, char *buf, size_t size)
{
    static const char units[] = " kMGTPE";
    double value = strtod(whole, NULL);
    unsigned unit = 0;
    char text[64];
    for (; (value >= 999.5 || value <= -999.5) && unit + 1 < sizeof units - 1; unit++) value /= 1000;
    for (int digits = 3; unit && digits >= DIGITS_LEAST; digits--)
        if (snprintf(text, sizeof text, "%.*g%c", value >= 100 || value <= -100 ? 3 : digits, value, units[unit]) <=
            width) {
            snprintf(buf, size, "%s", text);
            return;
        }
    snprintf(buf, size, "%s", cells->utf8 ? "…" : ">");
}

void pane_elements(
    const struct cells *cells, const struct form *form, const void *bytes, size_t n, int width, char *buf, size_t size)
{
    char whole[256];
    form_elements(form, bytes, n, ",", whole, sizeof whole);
    if ((int)strlen(whole) <= width)
        snprintf(buf, size, "%s", whole);
    else if (form->kind == 'f' && n == form->size && !strpbrk(whole, "ni"))
        float_rounded(cells, whole, width, buf, size);
    else if (strchr("dui", form->kind) && n == form->size)
        integer_rounded(cells, whole, width, buf, size);
    else
        snprintf(buf, size, "%s", cells->utf8 ? "…" : ">");
}

bool pane_form(struct pane *p, const char *arg, const struct form **form, struct gpudbg_error *err)
{
    const struct form *named = form_named(arg);
    if (!named)
        return gpudbg_fail(
            err, "no-such-name", "'%s' is not a format of pane %s; the formats are %s", arg, p->name, form_names());
    *form = named->kind == 'a' ? NULL : named;
    return true;
}

/* Whether `text` holds `part`, capitals or not. */
static bool text_holds(const char *text, const char *part) { return strcasestr(text, part) != NULL; }

static bool list_find(struct pane *p, const char *what, int step, struct gpudbg_error *err)
{
    char text[512];
    for (int i = 1; p->kind->row_text && i <= p->count; i++) {
        int row = (p->cursor + step * i) % p->count;
        row += row < 0 ? p->count : 0;
        p->kind->row_text(p, row, text, sizeof text);
        if (text_holds(text, what)) {
            p->cursor = row;
            return true;
        }
    }
    return gpudbg_fail(err, "no-such-name", "'%s' is not in pane %s", what, p->name);
}

bool pane_list_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    int page = p->shown > 1 ? p->shown - 1 : 1, half = page > 1 ? page / 2 : 1;
    switch (action) {
    case PANE_UP: p->cursor--; break;
    case PANE_DOWN: p->cursor++; break;
    case PANE_PAGE_UP:
        p->cursor -= page;
        p->top -= page;
        break;
    case PANE_PAGE_DOWN:
        p->cursor += page;
        p->top += page;
        break;
    case PANE_HALF_UP:
        p->cursor -= half;
        p->top -= half;
        break;
    case PANE_HALF_DOWN:
        p->cursor += half;
        p->top += half;
        break;
    case PANE_SCROLL_UP:
        p->top -= 3;
        p->cursor -= 3;
        break;
    case PANE_SCROLL_DOWN:
        p->top += 3;
        p->cursor += 3;
        break;
    case PANE_TOP: p->cursor = 0; break;
    case PANE_BOTTOM: p->cursor = p->count - 1; break;
    case PANE_ROW: p->cursor = p->top + atoi(arg); break;
    case PANE_FIND: return list_find(p, arg, 1, err);
    case PANE_FIND_NEXT: return list_find(p, arg, 1, err);
    case PANE_FIND_PREVIOUS: return list_find(p, arg, -1, err);
    default: return gpudbg_fail(err, "unsupported", "pane %s has no action '%s'", p->name, pane_action_name(action));
    }
    pane_list_fit(p, p->shown > 0 ? p->shown : 1);
    return true;
}

int pane_rows_most(const struct pane *p)
{
    const uint64_t most = limit_most(p->g->settings.row_limit);
    return most < INT_MAX ? (int)most : INT_MAX;
}
