/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.c: opening a screen, drawing it, running lines in it. */
#include "screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "line.h"
#include "terminal.h"
#include "../core/command.h"
#include "../core/launch.h"
#include "../core/machine.h"
#include "../core/out.h"

#define QUICK 0.15 /* seconds that work may take without a progress bar */
#define FRAME 0.1  /* seconds between two pictures of one */

/* ---- Files of the user over those that are installed ---- */

static bool user_file(const char *name, char *buf, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        snprintf(buf, size, "%s/gpudbg/%s", config, name);
    else if (home && *home == '/')
        snprintf(buf, size, "%s/.config/gpudbg/%s", home, name);
    else
        return false;
    FILE *f = fopen(buf, "r");
    if (f)
        fclose(f);
    return f != NULL;
}

static void error_say(struct screen *s, const struct gpudbg_error *err)
{
    if (err->line)
        screen_say(s, STYLE_error, "%s:%ld: %s", err->file, err->line, err->message);
    else
        screen_say(s, STYLE_error, "%s", err->message);
}

bool screen_theme(struct screen *s, const char *name, struct gpudbg_error *err)
{
    char path[4096], in_themes[256];
    if (strchr(name, '/'))
        return gpudbg_fail(err, "usage", "a theme's name has no '/': %s", name);
    snprintf(in_themes, sizeof in_themes, "themes/%s", name);
    if (!s->terminal || !user_file(in_themes, path, sizeof path))
        snprintf(path, sizeof path, "%s/themes/%s", s->g->data ? s->g->data : ".", name);
    if (!theme_read(&s->theme, path, err))
        return false;
    if (s->terminal)
        terminal_theme(&s->theme);
    return true;
}

static void settings_read(struct screen *s)
{
    struct gpudbg_error err = {.offset = -1};
    char path[4096];
    theme_plain(&s->theme);
    if (!screen_theme(s, "default", &err))
        error_say(s, &err);
    err = (struct gpudbg_error){.offset = -1};
    snprintf(path, sizeof path, "%s/keys/default", s->g->data ? s->g->data : ".");
    if (!keys_read(&s->keys, path, &err))
        error_say(s, &err);
    err = (struct gpudbg_error){.offset = -1};
    if (s->terminal && user_file("keys", path, sizeof path) && !keys_read(&s->keys, path, &err))
        error_say(s, &err);
}

/* ---- Saying and prompting ---- */

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
    if (s->zoomed && pane)
        s->zoomed = pane;
    s->focus = pane;
}

void screen_prompt(struct screen *s, const char *text)
{
    if (s->mode != KEYS_PROMPT)
        s->before_prompt = s->focus;
    s->mode = KEYS_PROMPT;
    s->typed[0] = 0;
    s->once = text != NULL;
    struct gpudbg_error err = {0};
    struct pane *prompt = pane_named(s, "prompt", &err);
    if (prompt && layout_place(&s->layout, prompt) && !s->zoomed)
        s->focus = prompt;
    if (prompt)
        prompt->top = 0;
    if (text)
        line_set(text);
}

void screen_single_keys(struct screen *s)
{
    if (s->mode != KEYS_PROMPT)
        return;
    s->mode = KEYS_SINGLE;
    line_set("");
    if (s->before_prompt && layout_place(&s->layout, s->before_prompt) && !s->zoomed)
        s->focus = s->before_prompt;
}

/* ---- Layout ---- */

bool screen_layout(struct screen *s, const char *name, struct gpudbg_error *err)
{
    const char *spec = layout_named(name, s->cells->columns);
    if (!spec && !strpbrk(name, ":@/|;")) {
        struct pane *pane = pane_named(s, name, err);
        if (!pane)
            return gpudbg_fail(err, "usage", "no layout and no pane is called '%s'", name);
    }
    if (!layout_read(&s->layout, s, spec ? spec : name, spec != NULL, err))
        return false;
    snprintf(s->layout_name, sizeof s->layout_name, "%s", spec ? name : "");
    s->zoomed = NULL;
    struct gpudbg_error none = {0};
    struct pane *first = pane_named(s, "code", &none);
    if (!first || !layout_place(&s->layout, first))
        first = s->layout.place[0].pane;
    if (!s->focus || !layout_place(&s->layout, s->focus) || s->focus->kind == &pane_welcome)
        s->focus = first;
    if (s->before_prompt && !layout_place(&s->layout, s->before_prompt))
        s->before_prompt = first;
    return true;
}

/* The layout that suits what is loaded, until the user has chosen one; wide screens have their own. */
static void layout_follow(struct screen *s)
{
    struct gpudbg_error err = {0};
    const char *suits = s->layout_chosen ? s->layout_name : s->g->image ? "code" : "welcome";
    bool wide = s->cells->columns >= 132;
    if (*suits && (strcmp(suits, s->layout_name) != 0 || wide != s->wide)) {
        s->wide = wide;
        screen_layout(s, suits, &err);
    }
}

/* When the program has moved, the code pane goes where it is. */
static void program_follow(struct screen *s)
{
    struct gpudbg *g = s->g;
    struct gpudbg_wave *wave = g->machine ? gpudbg_session_wave(g) : NULL;
    uint64_t pc = wave ? wave->pc : 0;
    if (s->seen.machine != g->machine || s->seen.wave != g->wave || s->seen.pc != pc || s->seen.image != g->image)
        if (wave)
            code_show_near(s, pc);
    s->seen.image = g->image;
    s->seen.machine = g->machine;
    s->seen.wave = g->wave;
    s->seen.pc = pc;
}

/* ---- Drawing ---- */

static void rule_draw(struct screen *s, const struct place *p)
{
    struct area a = {s->cells, p->x, p->y, p->w, 1};
    bool focus = p->pane == s->focus || p->pane == s->over;
    char title[200] = "";
    if (p->pane->kind->title)
        p->pane->kind->title(p->pane, title, sizeof title);
    area_repeat(&a, 0, 0, a.w, STYLE_rule, focus ? 0x2501 : 0x2500, focus ? '=' : '-');
    int x = area_text(&a, 1, 0, focus ? STYLE_focus : STYLE_title, p->pane->name);
    if (title[0] == ':')
        x = area_put(&a, x, 0, STYLE_title, " %s ", title);
    else if (title[0])
        x = area_put(&a, x, 0, STYLE_title, "  %s ", title);
}

/* The upright rules between columns, and how they meet the level ones. */
static void columns_draw(struct screen *s)
{
    struct area all = {s->cells, 0, 0, s->cells->columns, s->cells->rows};
    for (int i = 0; i < s->layout.count; i++) {
        const struct place *p = &s->layout.place[i];
        int x = p->x + p->w;
        if (p->h <= 0 || x >= s->cells->columns - 1)
            continue;
        area_repeat(&all, x, p->y, 1, STYLE_rule, 0x2524, '+');
        for (int y = p->y + 1; y < p->y + p->h; y++)
            area_repeat(&all, x, y, 1, STYLE_rule, 0x2502, '|');
    }
    for (int i = 0; i < s->layout.count; i++) { /* where a rule begins to the right of an upright one */
        const struct place *p = &s->layout.place[i];
        bool first = i == 0 || s->layout.place[i - 1].column != p->column || s->layout.place[i - 1].band != p->band;
        if (p->h <= 0 || p->x == 0)
            continue;
        struct cell *c = &s->cells->cell[(size_t)p->y * (size_t)s->cells->columns + (size_t)p->x - 1];
        bool left = c->glyph == 0x2524 || c->glyph == '+';
        area_repeat(&all, p->x - 1, p->y, 1, STYLE_rule, first ? 0x252c : left ? 0x253c : 0x251c, first || left ? '+' : '|');
    }
    for (int i = 0; s->cells->utf8 && i < s->layout.count; i++) { /* where an upright rule ends on a level one */
        const struct place *p = &s->layout.place[i];
        int x = p->x + p->w, y = p->y + p->h;
        if (p->h <= 0 || x >= s->cells->columns - 1 || y >= s->cells->rows - 1)
            continue;
        struct cell *c = &s->cells->cell[(size_t)y * (size_t)s->cells->columns + (size_t)x];
        if (c->glyph == 0x2500)
            c->glyph = 0x2534;
        else if (c->glyph == 0x252c)
            c->glyph = 0x253c;
    }
}

static void pane_draw(struct screen *s, struct place *p)
{
    if (p->h <= 0)
        return;
    rule_draw(s, p);
    struct area inside = {s->cells, p->x, p->y + 1, p->w, p->h - 1};
    p->pane->shown = inside.h;
    p->pane->columns = inside.w;
    p->pane->active = p->pane == (s->over ? s->over : s->focus) && s->mode == KEYS_SINGLE;
    if (inside.h > 0)
        p->pane->kind->draw(p->pane, &inside);
}

void screen_draw(struct screen *s)
{
    int w = s->cells->columns, h = s->cells->rows;
    cells_clear(s->cells);
    layout_follow(s);
    struct area first = {s->cells, 0, 0, w, 1}, last = {s->cells, 0, h - 1, w, 1};
    struct pane *alone = s->over ? s->over : s->zoomed;
    layout_fit(&s->layout, 0, 1, w, h - 2);
    if (alone) {
        struct place p = {.pane = alone, .x = 0, .y = 1, .w = w, .h = h - 2};
        pane_draw(s, &p);
    } else {
        for (int i = 0; i < s->layout.count; i++)
            pane_draw(s, &s->layout.place[i]);
        columns_draw(s);
    }
    bar_state(s, &first);
    if (h > 1)
        bar_keys(s, &last);
}

void screen_frame(struct screen *s)
{
    if (s->terminal && !s->closing)
        terminal_show(s->cells);
}

/* A grid of the terminal's size now. */
static bool cells_fit(struct screen *s, int columns, int rows)
{
    if (s->cells && s->cells->columns == columns && s->cells->rows == rows)
        return true;
    struct cells *cells = cells_new(columns, rows, s->utf8);
    if (!cells)
        return false;
    cells_free(s->cells);
    s->cells = cells;
    return true;
}

void screen_resize(struct screen *s)
{
    int columns, rows;
    terminal_size(&columns, &rows);
    cells_fit(s, columns, rows);
}

/* ---- What a session asks of its front end ---- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static bool front_tick(void *data, uint64_t done, uint64_t todo)
{
    struct screen *s = data;
    if (!s->terminal)
        return true;
    if (terminal_wants_stop())
        return false;
    s->progress.done = done;
    s->progress.todo = todo;
    if (seconds_since(&s->progress.start) < QUICK || seconds_since(&s->progress.drawn) < FRAME)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.drawn);
    s->progress.shown = true;
    struct area first = {s->cells, 0, 0, s->cells->columns, 1}; /* the rest stays: the machine is on its way */
    bar_state(s, &first);
    screen_frame(s);
    s->progress.shown = false;
    return true;
}

static bool front_screenshot(void *data, const char *path, struct gpudbg_error *err)
{
    struct screen *s = data;
    if (!path && s->terminal)
        return gpudbg_fail(err, "usage", "screenshot: a file's name is wanted");
    FILE *f = path ? fopen(path, "w") : stdout;
    if (!f)
        return gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
    screen_draw(s);
    cells_dump(s->cells, f);
    bool bad = ferror(f);
    if (path && fclose(f))
        bad = true;
    return !bad || gpudbg_fail(err, "io", "%s: write failed", path ? path : "standard output");
}

static bool front_ask(void *data, const char *question)
{
    struct screen *s = data;
    struct event e;
    if (!s->terminal)
        return true;
    screen_say(s, STYLE_prompt, "%s (y or n)", question);
    do {
        screen_draw(s);
        screen_frame(s);
        terminal_event(&e, -1);
        if (e.kind == EVENT_RESIZE)
            screen_resize(s);
        if (e.kind == EVENT_CLOSED)
            return true;
    } while (e.kind != EVENT_INTERRUPT && !(e.kind == EVENT_KEY && strchr("yYnN", e.name[0])) && strcmp(e.name, "Escape") != 0);
    return e.kind == EVENT_KEY && (e.name[0] == 'y' || e.name[0] == 'Y');
}

/* ---- Running lines ---- */

static const struct gpudbg_command *command_of(struct gpudbg *g, const char *line) {
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found = {0};
    if (!args_open(&args, g, line, &err))
        return NULL;
    bool ok = command_find(g, &args, &found, &err);
    args_close(&args);
    return ok ? found.command : NULL;
}

static void panes_remember(struct screen *s, bool settle)
{
    for (size_t i = 0; i < s->npanes; i++)
        if (s->pane[i]->kind->remember)
            s->pane[i]->kind->remember(s->pane[i], settle);
}

/* Where the text of a command goes besides the prompt pane; much text shows how far it is, and Ctrl-C ends it. */
struct sink {
    struct screen *screen;
    struct gpudbg_out *out; /* NULL: nowhere */
    uint64_t lines;
};

static bool sink_wrote(void *data, const char *text, size_t n)
{
    struct sink *sink = data;
    for (size_t i = 0; i < n; i++)
        sink->lines += text[i] == '\n';
    if (sink->out)
        out_write(sink->out, text, n);
    return (!sink->out || !out_broken(sink->out)) && front_tick(sink->screen, sink->lines, 0);
}

/* Runs a line; its text goes to the prompt pane and, if there is one, to out. */
static bool line_run(struct screen *s, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *command = command_of(s->g, line);
    bool quiet = command && action_is_quiet(command), ok;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.start);
    s->progress.drawn = s->progress.start;
    s->notice = false;
    if (quiet && out)
        return gpudbg_execute(s->g, line, out, err);
    if (!quiet) {
        before_take(&s->before, s->g);
        panes_remember(s, false);
    }
    if (out && gpudbg_out_json(out)) {
        ok = gpudbg_execute(s->g, line, out, err);
    } else {
        struct sink sink = {s, out, 0};
        FILE *stream = transcript_stream(&s->transcript, sink_wrote, &sink);
        if (!stream)
            return gpudbg_fail(err, "too-large", "no memory for the results");
        struct gpudbg_out *results = out_stream(stream, false);
        session_report *report = s->g->report;
        if (!out)
            s->g->report = NULL; /* errors of scripts are lines of the prompt pane */
        ok = gpudbg_execute(s->g, line, results, err);
        s->g->report = report;
        out_close(results);
        fclose(stream);
        s->notice = s->notice || sink.lines;
    }
    if (!ok)
        error_say(s, err);
    if (!quiet && before_moved(&s->before, s->g)) {
        struct before now = s->settled;
        s->settled = s->before;
        s->before = now;
        panes_remember(s, true);
    }
    program_follow(s);
    return ok;
}

static void echo(struct screen *s, const char *line, unsigned times)
{
    char text[1200];
    int n = snprintf(text, sizeof text, "(gpudbg) %s", line);
    if (times > 1)
        snprintf(text + n, sizeof text - (size_t)n, "  (%u times)", times);
    transcript_add(&s->transcript, STYLE_input, text);
}

static bool is_screenshot(const char *line)
{
    return !strncmp(line, "screenshot", 10);
}

bool screen_execute(struct screen *s, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *command = command_of(s->g, line);
    if (line[strspn(line, " \t")] && line[0] != '#' && !is_screenshot(line) && !(command && action_is_quiet(command)))
        echo(s, line, 1);
    s->key_line[0] = 0;
    bool ok = is_screenshot(line) && out ? gpudbg_execute(s->g, line, out, err) : line_run(s, line, out, err);
    if (!s->terminal)
        screen_draw(s); /* as a terminal would show it: panes keep what they showed */
    return ok;
}

/* Whether the program must be launched before this can run. */
static bool wants_machine(const struct gpudbg_command *c)
{
    return c && c->family && !strcmp(c->family, "Running") && strcmp(c->name, "launch") != 0 && strcmp(c->name, "run") != 0;
}

/* Puts a launch line into the prompt, filled in as far as the file says. */
static bool launch_offered(struct screen *s)
{
    struct gpudbg *g = s->g;
    char line[1024];
    if (!g->image || !g->image->nkernels || g->machine)
        return false;
    const struct gpudbg_kernel *kernel = &g->image->kernels[0];
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(g->image, code_cursor(s));
    const struct gpudbg_kernel *here = symbol ? gpudbg_image_kernel_named(g->image, symbol->name) : NULL;
    launch_offer(here ? here : kernel, line, sizeof line);
    screen_say(s, STYLE_comment, "Nothing is launched yet: complete the line (help launch), Enter runs it.");
    screen_prompt(s, line);
    return true;
}

void screen_key_line(struct screen *s, const char *line)
{
    struct gpudbg_error err = {.offset = -1};
    const struct gpudbg_command *command = command_of(s->g, line);
    if (wants_machine(command) && launch_offered(s))
        return;
    if (!(command && action_is_quiet(command))) {
        /* The same key again: its lines take the place of the last ones, so that nothing scrolls by. */
        bool again = !strcmp(s->key_line, line) && s->transcript.count < TRANSCRIPT_LINES && s->key_end == s->transcript.count;
        s->repeats = again ? s->repeats + 1 : 1;
        if (again)
            transcript_cut(&s->transcript, s->key_start);
        s->key_start = s->transcript.count;
        echo(s, line, s->repeats);
    }
    line_run(s, line, NULL, &err);
    if (!(command && action_is_quiet(command))) {
        snprintf(s->key_line, sizeof s->key_line, "%s", line);
        s->key_end = s->transcript.count;
    }
}

/* ---- The line editor's side ---- */

bool line_repeats(struct gpudbg *g, const char *line)
{
    const struct gpudbg_command *c = command_of(g, line);
    return c && (wants_machine(c) || !strcmp(c->name, "x") || !strcmp(c->name, "list"));
}

static void line_entered(void *data, const char *line)
{
    struct screen *s = data;
    struct gpudbg_error err = {.offset = -1};
    bool blank = !line[strspn(line, " \t")], once = s->once;
    s->once = false;
    if (once || (blank && !s->typed[0]))
        screen_single_keys(s);
    if (blank && (once || !s->typed[0]))
        return;
    if (!blank)
        snprintf(s->typed, sizeof s->typed, "%s", line_repeats(s->g, line) && strlen(line) < sizeof s->typed ? line : "");
    screen_execute(s, blank ? s->typed : line, NULL, &err);
}

static void matches_show(void *data, char **match, int n)
{
    struct screen *s = data;
    char text[512];
    int width = 1, at = 0;
    for (int i = 0; i < n; i++) {
        int w = text_columns(match[i], s->utf8) + 2;
        width = w > width ? w : width;
    }
    for (int i = 0; i < n && i < 200; i++) {
        if (at && at + width > s->cells->columns - 2) {
            transcript_add(&s->transcript, STYLE_comment, text);
            at = 0;
        }
        if (at + width < (int)sizeof text)
            at += snprintf(text + at, sizeof text - (size_t)at, "%-*s", width, match[i]);
    }
    if (at)
        transcript_add(&s->transcript, STYLE_comment, text);
    if (n > 200)
        screen_say(s, STYLE_comment, "... and %d more", n - 200);
}

/* ---- Opening and closing ---- */

bool locale_is_utf8(void)
{
    setlocale(LC_CTYPE, "");
    return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

struct screen *screen_open(struct gpudbg *g, const struct screen_options *options, struct gpudbg_error *err) {
    struct screen *s = calloc(1, sizeof *s);
    if (!s) {
        gpudbg_fail(err, "too-large", "no memory for a screen");
        return NULL;
    }
    s->g = g;
    s->options = *options;
    s->terminal = options->columns == 0;
    s->utf8 = locale_is_utf8();
    int columns = options->columns, rows = options->rows;
    if (s->terminal) {
        const char *no_color = getenv("NO_COLOR");
        bool colour = options->color == SCREEN_COLOR_ALWAYS || (options->color == SCREEN_COLOR_AUTO && !(no_color && *no_color));
        if (!terminal_open(colour, err)) {
            free(s);
            return NULL;
        }
        terminal_size(&columns, &rows);
    }
    if (!cells_fit(s, columns, rows)) {
        terminal_close();
        free(s);
        gpudbg_fail(err, "too-large", "no memory for a screen of %dx%d", columns, rows);
        return NULL;
    }
    g->front = (struct session_front){.tick = front_tick, .screenshot = front_screenshot, .ask = front_ask, .data = s};
    settings_read(s);
    struct line_user user = {.done = line_entered, .matches = matches_show, .data = s};
    line_open(g, &user, s->terminal);
    layout_follow(s);
    program_follow(s);
    return s;
}

void screen_close(struct screen *s)
{
    if (!s)
        return;
    line_close();
    if (s->terminal)
        terminal_close();
    s->g->front = (struct session_front){0};
    for (size_t i = 0; i < s->npanes; i++)
        pane_free(s->pane[i]);
    free(s->pane);
    before_free(&s->before);
    before_free(&s->settled);
    transcript_free(&s->transcript);
    keys_free(&s->keys);
    cells_free(s->cells);
    free(s);
}
