/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.c: opening a screen, drawing it, running lines in it. */
#include "screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "inside.h"
#include "line.h"
#include "masked.h"
#include "terminal.h"
#include "wrap.h"
#include "command/display.h"
#include "machine/machine.h"
#include "base/alloc.h"
#include "gpudbg/text.h"

/* ---- Files of the user over those that are installed ---- */

bool screen_theme(struct screen *s, const char *name, struct gpudbg_error *err)
{
    char path[4096], in_themes[256];
    if (strchr(name, '/')) return gpudbg_fail(err, "usage", "the name of a theme cannot contain '/': %s", name);
    snprintf(in_themes, sizeof in_themes, "themes/%s", name);
    if (!s->terminal || !session_own(s->g, in_themes, path, sizeof path))
        snprintf(path, sizeof path, "%s/themes/%s", s->g->data ? s->g->data : ".", name);
    if (!theme_read(&s->theme, path, err)) return false;
    text_put(s->theme_name, sizeof s->theme_name, "%s", name);
    if (s->terminal) terminal_theme(&s->theme);
    return true;
}

/* COLORFGBG is "text;ground", by the numbers of the eight colours and their bright ones; terminals set it or not. */
static bool ground_is_light(void)
{
    const char *colours = getenv("COLORFGBG"), *ground = colours ? strrchr(colours, ';') : NULL;
    return ground && (!strcmp(ground, ";7") || !strcmp(ground, ";15"));
}

/* Pictures without a terminal have the theme that all terminals can show. */
static const char *theme_first(const struct screen *s)
{
    if (!s->terminal || !colours_wanted(s->options.color)) return "default";
    return ground_is_light() ? "light" : terminal_palette() >= 256 ? "256" : "default";
}

/* false: there are no keys, without which nobody leaves the screen. */
static bool settings_read(struct screen *s, struct gpudbg_error *without_keys)
{
    struct gpudbg_error err = {.offset = -1};
    char path[4096];
    theme_plain(&s->theme);
    if (!screen_theme(s, theme_first(s), &err)) screen_say_error(s, &err);
    snprintf(path, sizeof path, "%s/keys/default", s->g->data ? s->g->data : ".");
    if (s->terminal && !keys_read(&s->keys, path, without_keys)) return false;
    err = (struct gpudbg_error){.offset = -1};
    if (!s->terminal && !keys_read(&s->keys, path, &err)) screen_say_error(s, &err);
    err = (struct gpudbg_error){.offset = -1};
    if (s->terminal && session_own(s->g, "keys", path, sizeof path) && !keys_read(&s->keys, path, &err))
        screen_say_error(s, &err);
    return true;
}

/* ---- Layout ---- */

/* What gdb calls a layout or a window; regs are the launch's, where nothing else is meant. */
static const char *name_of_gdb(const struct screen *s, const char *name, bool window)
{
    const struct gpudbg_image *image = s->g->loaded.image;
    const bool regions = image && image->isa && image->isa->regions.footprints;
    if (!strcmp(name, "cmd")) return "prompt";
    if (!strcmp(name, "src") && window) return "source";
    if (!strcmp(name, "asm")) return "code";
    if (!strcmp(name, "regs") && s->g->running.machine) return regions ? (window ? "rows" : "region") : "lanes";
    return name;
}

const char *screen_window(const struct screen *s, const char *name) { return name_of_gdb(s, name, true); }
const char *screen_layout_called(const struct screen *s, const char *name) { return name_of_gdb(s, name, false); }

bool screen_layout(struct screen *s, const char *name, struct gpudbg_error *err)
{
    if (name != s->layout_name && strcmp(name, "cmd") != 0) name = name_of_gdb(s, name, false);
    const char *spec = layout_named(name, s->cells->columns);
    if (!spec && !strpbrk(name, ":@/|;")) {
        struct pane *pane = pane_named(s, name, err);
        if (!pane) return gpudbg_fail(err, "no-such-name", "no layout and no pane is called '%s'", name);
    }
    char watch[512]; /* what is displayed stands above the waves, as soon as there is something */
    const char *waves = spec && s->watching ? strstr(spec, "/waves") : NULL;
    if (waves) {
        snprintf(watch, sizeof watch, "%.*s/display:3%s", (int)(waves - spec), spec, waves);
        spec = watch;
    }
    if (!layout_read(&s->layout, s, spec ? spec : name, spec != NULL, err)) return false;
    if (name != s->layout_name) snprintf(s->layout_name, sizeof s->layout_name, "%s", spec ? name : "");
    s->zoomed = NULL;
    struct gpudbg_error none = {0};
    struct pane *first = pane_named(s, "code", &none);
    if (!first || !layout_place(&s->layout, first)) first = s->layout.place[0].pane;
    if (!s->focus || !layout_place(&s->layout, s->focus) || s->focus->kind == &pane_welcome) s->focus = first;
    if (s->before_prompt && !layout_place(&s->layout, s->before_prompt)) s->before_prompt = first;
    return true;
}

/* The layout that suits what is loaded, until the user has chosen one; wide screens have their own. */
static void layout_follow(struct screen *s)
{
    struct gpudbg_error err = {0};
    const char *suits = s->layout_chosen ? s->layout_name
                        : s->g->loaded.image
                            ? (s->g->loaded.image->isa && s->g->loaded.image->isa->regions.footprints ? "region"
                                                                                                      : "code")
                        : s->reading || s->g->loaded.ndumps ? "hang"
                                                            : "welcome";
    bool wide = s->cells->columns >= 132;
    char letter;
    unsigned size;
    const char *text;
    const bool watching = displays_at(s->g, 0, &letter, &size, &text);
    if (*suits && (strcmp(suits, s->layout_name) != 0 || wide != s->wide || watching != s->watching)) {
        s->watching = watching;
        struct pane *zoomed = strcmp(suits, s->layout_name) == 0 ? s->zoomed : NULL;
        s->wide = wide;
        screen_layout(s, suits, &err);
        if (zoomed) s->zoomed = s->focus = zoomed; /* another size of the terminal is no reason to leave it */
    }
}

void screen_layout_default(struct screen *s)
{
    s->layout_chosen = false;
    s->layout_name[0] = 0;
    layout_follow(s);
}

/* ---- Drawing ---- */

static void rule_draw(struct screen *s, const struct place *p)
{
    struct area a = {s->cells, p->x, p->y, p->w, 1, 0};
    bool focus = p->pane == s->focus || p->pane == s->over;
    char *title = p->pane->title;
    const bool now = !s->progress.shown || s->reading || s->live;
    if (now) title[0] = 0; /* while something runs a pane is as it was, and so is its title, unless it is drawn live */
    if (now && p->pane->kind->title) p->pane->kind->title(p->pane, title, sizeof p->pane->title);
    area_repeat(&a, 0, 0, a.w, STYLE_rule, focus ? 0x2501 : 0x2500, focus ? '=' : '-');
    int x = area_text(&a, 1, 0, focus ? STYLE_focus : STYLE_title, p->pane->name);
    if (title[0] == ':')
        x = area_put(&a, x, 0, STYLE_title, " %s ", title);
    else if (title[0])
        x = area_put(&a, x, 0, STYLE_title, "  %s ", title);
    char beside[24] = "";
    if (p->pane->wrap)
        snprintf(beside, sizeof beside, " wrap ");
    else if (p->pane->side && !p->pane->kind->fits)
        snprintf(beside, sizeof beside, " <%d ", p->pane->side);
    if (beside[0] && x + (int)strlen(beside) < a.w)
        area_text(&a, a.w - (int)strlen(beside) - 1, 0, STYLE_title, beside);
}

/* The upright rules between columns, and how they meet the level ones. */
static void columns_draw(struct screen *s)
{
    struct area all = {s->cells, 0, 0, s->cells->columns, s->cells->rows, 0};
    for (int i = 0; i < s->layout.count; i++) {
        const struct place *p = &s->layout.place[i];
        int x = p->x + p->w;
        if (p->h <= 0 || x >= s->cells->columns - 1) continue;
        area_repeat(&all, x, p->y, 1, STYLE_rule, 0x2524, '+');
        for (int y = p->y + 1; y < p->y + p->h; y++) area_repeat(&all, x, y, 1, STYLE_rule, 0x2502, '|');
    }
    for (int i = 0; i < s->layout.count; i++) { /* where a rule begins to the right of an upright one */
        const struct place *p = &s->layout.place[i];
        bool first = i == 0 || s->layout.place[i - 1].column != p->column || s->layout.place[i - 1].band != p->band;
        if (p->h <= 0 || p->x == 0) continue;
        struct cell *c = &s->cells->cell[(size_t)p->y * (size_t)s->cells->columns + (size_t)p->x - 1];
        bool left = c->glyph == 0x2524 || c->glyph == '+';
        if (!left && c->glyph != 0x2500 && c->glyph != 0x2501 && c->glyph != 0x2502 && !strchr("-=|", (int)c->glyph))
            continue; /* a title stands there */
        area_repeat(&all, p->x - 1, p->y, 1, STYLE_rule,
            first  ? 0x252c
            : left ? 0x253c
                   : 0x251c,
            first || left ? '+' : '|');
    }
    for (int i = 0; s->cells->utf8 && i < s->layout.count; i++) { /* where an upright rule ends on a level one */
        const struct place *p = &s->layout.place[i];
        int x = p->x + p->w, y = p->y + p->h;
        if (p->h <= 0 || x >= s->cells->columns - 1 || y >= s->cells->rows - 1) continue;
        struct cell *c = &s->cells->cell[(size_t)y * (size_t)s->cells->columns + (size_t)x];
        if (c->glyph == 0x2500)
            c->glyph = 0x2534;
        else if (c->glyph == 0x252c)
            c->glyph = 0x253c;
    }
}

/* Whether text of the area goes on to the right. */
static bool goes_on(const struct area *a)
{
    for (int y = a->y; y < a->y + a->h && y < a->cells->rows; y++)
        for (int x = a->x; x < a->x + a->w && x < a->cells->columns; x++) {
            const struct cell *c = &a->cells->cell[(size_t)y * (size_t)a->cells->columns + (size_t)x];
            if (c->cut && !c->before) return true;
        }
    return false;
}

/* The pane with its long rows broken, or as far to the left as it was scrolled. */
static void inside_draw(struct pane *p, const struct area *inside)
{
    struct area a = *inside;
    p->more = false;
    if (p->wrap && wrap_draw(p, inside)) return;
    a.skip = p->kind->fits || p->kind->keeps ? 0 : p->side;
    a.w += a.skip;
    p->kind->draw(p, &a);
    p->more = p->more || goes_on(inside);
}

static void pane_draw(struct screen *s, struct place *p)
{
    if (p->h <= 0) return;
    struct area inside = {s->cells, p->x, p->y + 1, p->w, p->h - 1, 0};
    p->pane->shown = inside.h;
    p->pane->columns = inside.w;
    p->pane->active = p->pane == (s->over ? s->over : s->focus) && s->mode == KEYS_SINGLE && !s->live;
    if (inside.h > 0) inside_draw(p->pane, &inside);
    rule_draw(s, p); /* after it: its title says what had no room */
}

/* The pane prompt takes rows of its neighbours while it tells why a checker or a fault stopped the run: the first line
 * says what is wrong, and would be the first to scroll out.  The layout keeps its shares. */
static void report_fit(struct screen *s, int w, int h)
{
    struct gpudbg_error none = {.offset = -1};
    const struct pane *prompt = pane_named(s, "prompt", &none);
    const struct place *p = layout_place(&s->layout, prompt);
    const int missing = p && p->h > 1 && !prompt->top ? prompt_missing(s, p->w, p->h - 1) : 0;
    if (!missing) return;
    const struct layout shares = s->layout;
    layout_grow(&s->layout, prompt, missing, 0);
    layout_fit(&s->layout, 0, 1, w, h);
    for (int i = 0; i < shares.count; i++) {
        s->layout.place[i].rows = shares.place[i].rows;
        s->layout.place[i].columns = shares.place[i].columns;
    }
}

/* Finds the places of panes; `alone`: of the only one that is shown, its pane NULL if there are more.  Where the prompt
 * has no pane a row is left for it, above the last. */
static void places_fit(struct screen *s, struct place *alone)
{
    const int w = s->cells->columns, h = s->cells->rows;
    struct pane *pane = s->over ? s->over : s->zoomed;
    layout_fit(&s->layout, 0, 1, w, h - 2);
    const int rows = screen_shows_prompt(s) || s->over || h < 5 ? h - 2 : h - 3;
    if (rows < h - 2) layout_fit(&s->layout, 0, 1, w, rows);
    if (!s->over && !s->zoomed) report_fit(s, w, rows);
    *alone = (struct place){.pane = pane, .x = 0, .y = 1, .w = w, .h = rows};
}

/* The first line, the last, and the row of the prompt where it has no pane. */
static void bars_draw(struct screen *s, int w, int h)
{
    const struct area first = {s->cells, 0, 0, w, 1, 0}, last = {s->cells, 0, h - 1, w, 1, 0},
                      message = {s->cells, 0, h - 2, w, 1, 0};
    bar_state(s, &first);
    if (!screen_shows_prompt(s) && !s->over && h >= 5) bar_message(s, &message);
    if (h > 1) bar_keys(s, &last);
}

void screen_draw(struct screen *s)
{
    int w = s->cells->columns, h = s->cells->rows;
    struct place alone;
    s->drawn = true;
    for (const char *text; (text = session_warning(s->g)) != NULL;) screen_say(s, STYLE_error, "%s", text);
    cells_clear(s->cells);
    layout_follow(s);
    if (!s->zoomed && s->focus && !layout_place(&s->layout, s->focus)) s->focus = s->layout.place[0].pane;
    places_fit(s, &alone);
    if (alone.pane) {
        pane_draw(s, &alone);
    } else {
        for (int i = 0; i < s->layout.count; i++) pane_draw(s, &s->layout.place[i]);
        columns_draw(s);
    }
    bars_draw(s, w, h);
}

/* Without a cursor: what it would say may need the past, and the machine is on its way. */
void screen_draw_live(struct screen *s)
{
    struct place alone;
    const struct gpudbg_machine *m = s->g->running.machine;
    if (!s->g->control.going || machine_position(m) != machine_recorded(m)) return;
    if (s->over) return;
    places_fit(s, &alone);
    for (int i = 0; i < (alone.pane ? 1 : s->layout.count); i++) {
        struct place *p = alone.pane ? &alone : &s->layout.place[i];
        const struct area inside = {s->cells, p->x, p->y + 1, p->w, p->h - 1, 0};
        if (!p->pane->kind->live || p->h < 2) continue;
        s->live = true;
        s->cells->image.w = 0;
        for (int y = 0; y < inside.h; y++) area_repeat(&inside, 0, y, inside.w, STYLE_text, ' ', ' ');
        pane_draw(s, p);
        s->live = false;
    }
}

void screen_frame(struct screen *s)
{
    if (!s->terminal || s->closing) return;
    if (s->g->settings.no_home_names) cells_mask_homes(s->cells);
    terminal_show(s->cells);
    terminal_cells_most(s->g->settings.cell_limit); /* it may have been set; the next event is a new size then */
}

/* A grid of the terminal's size now. */
static bool cells_fit(struct screen *s, int columns, int rows)
{
    if (s->cells && s->cells->columns == columns && s->cells->rows == rows) return true;
    struct cells *cells = cells_new(columns, rows, s->utf8);
    if (!cells) return false;
    cells_free(s->cells);
    s->cells = cells;
    return true;
}

/* A terminal may be larger than a screen may be. */
static void say_larger(struct screen *s)
{
    int columns, rows;
    if (terminal_is_larger(&columns, &rows))
        screen_say(s, STYLE_comment, "the terminal has %dx%d cells, the screen %dx%d of them (set cell-limit)", columns,
            rows, s->cells->columns, s->cells->rows);
}

void screen_resize(struct screen *s)
{
    int columns, rows;
    terminal_size(&columns, &rows);
    if (cells_fit(s, columns, rows)) say_larger(s);
}

/* The machine is on its way, so nothing asks it: each pane is copied from where it was. */
static void pane_move(struct screen *s, struct cells *from, const struct place *was, const struct place *now)
{
    if (now->h <= 0) return;
    const struct area inside = {s->cells, now->x, now->y + 1, now->w, now->h - 1, 0};
    const struct area old = {from, was ? was->x : 0, was ? was->y + 1 : 0, was ? was->w : 0, was ? was->h - 1 : 0, 0};
    if (was && was->h > 0)
        area_copy(&inside, &old);
    else
        area_text(&inside, 1, 0, STYLE_comment, "drawn when the run ends");
    rule_draw(s, now);
}

void screen_resize_running(struct screen *s)
{
    struct cells *old = s->cells;
    struct place alone = {.pane = NULL}, before = {.pane = NULL};
    places_fit(s, &before);
    struct layout was = s->layout;
    s->cells = NULL;
    screen_resize(s);
    if (!s->cells) {
        s->cells = old;
        return;
    }
    layout_follow(s);
    places_fit(s, &alone);
    if (alone.pane)
        pane_move(s, old, before.pane == alone.pane ? &before : NULL, &alone);
    else
        for (int i = 0; i < s->layout.count; i++)
            pane_move(s, old, layout_place(&was, s->layout.place[i].pane), &s->layout.place[i]);
    if (!alone.pane) columns_draw(s);
    bars_draw(s, s->cells->columns, s->cells->rows);
    cells_free(old);
}

/* ---- Opening and closing ---- */

/* The locale of characters that the environment names: the first of these that is not empty. */
static const char *locale_named(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *name = getenv(variables[i]);
        if (name && *name) return name;
    }
    return "C";
}

/* Takes the locale of the environment, false if this system does not have it.  Where its name says UTF-8, C.UTF-8 does
   as well: of a locale the screen uses only how characters are written. */
static bool locale_taken(void)
{
    alloc_watch();
    if (setlocale(LC_CTYPE, "")) return true;
    if (alloc_short()) xalloc_end();
    const char *coding = strchr(locale_named(), '.');
    return coding && (strncasecmp(coding, ".UTF-8", 6) == 0 || strncasecmp(coding, ".utf8", 5) == 0) &&
           setlocale(LC_CTYPE, "C.UTF-8");
}

static bool locale_is_utf8(void)
{
    locale_taken();
    return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

bool colours_wanted(enum screen_color color)
{
    const char *no_color = getenv("NO_COLOR");
    return color == SCREEN_COLOR_AUTO ? !(no_color && *no_color) : color == SCREEN_COLOR_ALWAYS;
}

enum session_colours terminal_colours(enum screen_color color)
{
    const char *depth = getenv("COLORTERM"), *term = getenv("TERM");
    if (!colours_wanted(color) || !locale_is_utf8() || !isatty(STDOUT_FILENO)) return COLOURS_FEW;
    if (depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0)) return COLOURS_24_BIT;
    return term && strstr(term, "256color")  ? COLOURS_256
           : term && strstr(term, "-direct") ? COLOURS_24_BIT
                                             : COLOURS_FEW;
}

/* A screen that does not serve the session yet. */
static struct screen *screen_new(struct gpudbg *g, const struct screen_options *options, struct gpudbg_error *err)
{
    struct screen *s = xalloc(sizeof *s);
    s->g = g;
    s->options = *options;
    s->terminal = options->columns == 0;
    s->opened = !s->terminal;
    s->utf8 = locale_is_utf8();
    int columns = options->columns, rows = options->rows;
    if (s->terminal) {
        terminal_cells_most(g->settings.cell_limit);
        if (!terminal_open(colours_wanted(options->color), err)) {
            snprintf(err->file, sizeof err->file, "TERM");
            free(s);
            return NULL;
        }
        xalloc_at_end(terminal_close);
        terminal_size(&columns, &rows);
    }
    const bool fits = cells_fit(s, columns, rows) ||
                      gpudbg_fail(err, "memory", "no memory for a screen of %dx%d", columns, rows);
    if (!fits || !settings_read(s, err)) {
        screen_close(s);
        return NULL;
    }
    if (s->terminal && !s->utf8 && !locale_taken())
        screen_say(s, STYLE_error, "this system does not have the locale %s: the screen is in ASCII", locale_named());
    if (s->terminal) say_larger(s);
    return s;
}

static struct screen *served(struct screen *s)
{
    layout_follow(s);
    screen_serve(s);
    return s;
}

struct screen *screen_open(struct gpudbg *g, const struct screen_options *options, struct gpudbg_error *err)
{
    struct screen *s = screen_new(g, options, err);
    return s ? served(s) : NULL;
}

struct screen *screen_open_early(
    struct gpudbg *g, const struct screen_options *options, struct reading *reading, struct gpudbg_error *err)
{
    struct screen *s = screen_new(g, options, err);
    if (!s) return NULL;
    s->reading = reading;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.start);
    return s;
}

struct screen *screen_all_read(struct screen *s)
{
    reading_end(s);
    return served(s);
}

void screen_close(struct screen *s)
{
    if (!s) return;
    line_close();
    if (s->terminal) terminal_close();
    xalloc_at_end(NULL);
    s->g->front = (struct session_front){0};
    s->g->ticker = (struct ticker){0};
    for (size_t i = 0; i < s->npanes; i++) pane_free(s->pane[i]);
    free(s->pane);
    before_free(&s->before);
    before_free(&s->settled);
    links_close(&s->links);
    transcript_free(&s->transcript);
    free(s->pasted);
    free(s->matches);
    keys_free(&s->keys);
    cells_free(s->cells);
    free(s);
}
