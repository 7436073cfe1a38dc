/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.c: keys to command lines, and the loop around that; the plain prompt where there is no screen. */
#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "inside.h"
#include "graphics.h"
#include "line.h"
#include "terminal.h"
#include "out/out.h"
#include "session/script.h"
#include "gpudbg/text.h"

/* ---- Keys ---- */

/* The command line of a binding, %n and %a filled in. */
static void line_expand(struct screen *s, const char *command, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    uint64_t at;
    for (; *command; command++) {
        if (command[0] == '%' && command[1] == 'n')
            text_add(&t, "%s", s->count);
        else if (command[0] == '%' && command[1] == 'a')
            text_add(&t, "0x%" PRIx64, pane_address(s->focus, &at) ? at : code_cursor(s));
        else {
            text_add_char(&t, *command);
            continue;
        }
        command++;
    }
    size_t n = strlen(buf);
    while (n && buf[n - 1] == ' ') /* an empty %n leaves a blank */
        n--;
    buf[n] = 0;
}

static bool binding_run(struct screen *s, const struct binding *b)
{
    char line[256];
    line_expand(s, b->command, line, sizeof line);
    s->count[0] = 0;
    s->g->foreign++; /* a table of keys is data, whoever wrote it */
    screen_key_line(s, line);
    s->g->foreign--;
    return true;
}

/* In the help screen, what leaves it. */
static bool over_key(struct screen *s, const char *key)
{
    if (strcmp(key, "q") && strcmp(key, "Escape") && strcmp(key, "?") && strcmp(key, "F1") && strcmp(key, "Enter"))
        return false;
    if (!strcmp(key, "Enter") && s->over->kind == &pane_pager && pager_leads(s->over)) return false; /* it goes there */
    screen_over(s, NULL);
    return true;
}

/* What keys mean in the pane that has them; behind a number they may mean something else. */
static const struct binding *key_meaning(struct screen *s, const char *sequence, bool *prefix)
{
    char counted[sizeof s->sequence + 48];
    const struct binding *b = NULL;
    const char *pane = screen_pane_of_keys(s);
    snprintf(counted, sizeof counted, "Count,%s", sequence);
    if (s->count[0] && s->mode == KEYS_SINGLE) b = keys_find(&s->keys, s->mode, pane, counted, prefix);
    return b ? b : keys_find(&s->keys, s->mode, pane, sequence, prefix);
}

/* Whether one of these panes, each with a blank after it, has a place in the layout. */
static bool one_is_shown(const struct screen *s, const char *panes)
{
    for (int i = 0; i < s->layout.count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%.38s ", s->layout.place[i].pane->kind->name);
        const char *at = strstr(panes, name);
        if (at && (at == panes || at[-1] == ' ')) return true;
    }
    return false;
}

bool screen_press(struct screen *s, const char *key)
{
    s->notice = false;
    if (s->over && s->mode == KEYS_SINGLE && over_key(s, key)) return true;
    size_t digits = strlen(s->count);
    if (s->mode == KEYS_SINGLE && !s->sequence[0] && isdigit((unsigned char)key[0]) && !key[1] &&
        (digits || key[0] != '0')) {
        if (digits + 2 < sizeof s->count) {
            s->count[digits] = key[0];
            s->count[digits + 1] = 0;
        }
        return true;
    }
    char sequence[sizeof s->sequence + 32];
    struct text t = text_in(sequence, sizeof sequence);
    text_add(&t, s->sequence[0] ? "%s,%s" : "%s%s", s->sequence, key);
    s->sequence[0] = 0;
    bool prefix;
    const struct binding *b = key_meaning(s, sequence, &prefix);
    if (s->mode == KEYS_PROMPT && !strcmp(key, "Escape") && line_escape()) return true;
    if (prefix && !b) {
        snprintf(s->sequence, sizeof s->sequence, "%.*s", (int)sizeof s->sequence - 1, sequence);
        return true;
    }
    if (b && strcmp(b->command, "-") != 0) return binding_run(s, b);
    if (s->mode == KEYS_PROMPT) {
        line_key(key);
        return true;
    }
    s->count[0] = 0;
    if (strcmp(key, "Escape") == 0) {
        s->zoomed = NULL;
        return true;
    }
    for (size_t i = 0; i < s->keys.count; i++)
        if (s->keys.binding[i].panes[0] && !strcmp(s->keys.binding[i].key, sequence) &&
            one_is_shown(s, s->keys.binding[i].panes)) {
            const char *panes = s->keys.binding[i].panes; /* each with a blank behind it */
            screen_say(s, STYLE_comment, "%s belongs to the pane%s %.*s: Tab moves the focus", sequence,
                strchr(panes, ' ')[1] ? "s" : "", (int)strlen(panes) - 1, panes);
            return false;
        }
    screen_say(s, STYLE_comment, "%s does nothing here; ? lists the keys", sequence);
    return false;
}

/* ---- The mouse ---- */

/* A click into a pane: it gets the focus, and its cursor goes there. */
static void click_pane(struct screen *s, const struct place *p, int x, int y)
{
    char at[32];
    struct gpudbg_error err = {.offset = -1};
    if (p->pane != s->over && p->pane->kind != &pane_prompt) screen_single_keys(s);
    if (p->pane != s->over) screen_focus(s, p->pane);
    snprintf(at, sizeof at, "%d %d", y - p->y - 1, x - p->x);
    if (y > p->y) pane_act(p->pane, PANE_ROW, at, &err);
}

/* A click on the key bar presses the key that stands there. */
static void click_bar(struct screen *s, int x)
{
    char keys[sizeof((struct binding *)0)->key], *save = NULL;
    for (int i = 0; i < s->bar.count; i++) {
        if (x < s->bar.item[i].x || x >= s->bar.item[i].end) continue;
        snprintf(keys, sizeof keys, "%s", s->bar.item[i].key);
        if (!keys[1])
            screen_press(s, keys); /* it may be a comma */
        else
            for (char *key = strtok_r(keys, ",", &save); key; key = strtok_r(NULL, ",", &save)) screen_press(s, key);
        return;
    }
}

void screen_mouse(struct screen *s, const char *name, int x, int y)
{
    struct place all = {.x = 0, .y = 1, .w = s->cells->columns, .h = s->cells->rows - 2};
    struct place *p = s->over || s->zoomed ? &all : layout_at(&s->layout, x, y);
    all.pane = s->over ? s->over : s->zoomed;
    const bool inside = p && y >= p->y && y < p->y + p->h;
    s->sequence[0] = 0;
    if (strcmp(name, "Click") != 0) { /* the wheel turns what it is over */
        struct gpudbg_error err = {.offset = -1};
        if (inside) pane_act(p->pane, name[5] == 'U' ? PANE_SCROLL_UP : PANE_SCROLL_DOWN, "", &err);
    } else if (y == s->cells->rows - 1) {
        click_bar(s, x);
    } else if (inside) {
        click_pane(s, p, x, y);
    }
}

/* ---- The screen ---- */

static void interrupted(struct screen *s)
{
    const char *block = block_open(s->g);
    s->sequence[0] = s->count[0] = 0;
    if (block) {
        screen_say(s, STYLE_comment, "%s: given up", block);
        block_drop(s->g);
    }
    if (s->mode == KEYS_PROMPT)
        line_set("");
    else if (!block)
        screen_say(s, STYLE_comment, "Nothing is running; q leaves");
}

static void event_take(struct screen *s, const struct event *e)
{
    switch (e->kind) {
    case EVENT_KEY: screen_press(s, e->name); break;
    case EVENT_PASTE:
        screen_paste(s, e->text);
        free(e->text);
        break;
    case EVENT_MOUSE: screen_mouse(s, e->name, e->x, e->y); break;
    case EVENT_RESIZE:
        if (s->g->front.drawn.kind > GRAPHICS_NONE)
            s->g->front.drawn.kind = GRAPHICS_UNKNOWN; /* cells may have grown */
        screen_resize(s);
        break;
    case EVENT_INTERRUPT: interrupted(s); break;
    case EVENT_CLOSED: s->closing = true; break;
    case EVENT_NONE: break;
    }
}

static int terminal_run(struct gpudbg *g, const struct screen_options *options, struct screen *s)
{
    struct gpudbg_error err = {.offset = -1};
    if (options->greeting) transcript_add(&s->transcript, STYLE_text, options->greeting);
    for (size_t i = 0; i < options->njobs && !g->quit; i++) {
        const struct screen_job *job = &options->jobs[i];
        err = (struct gpudbg_error){.offset = -1};
        screen_draw(s);
        screen_frame(s);
        if (!(job->script ? screen_source(s, job->text, &err) : screen_execute(s, job->text, NULL, &err))) g->errors++;
    }
    s->opened = true;
    screen_hint(s);
    while (!g->quit && !s->closing) {
        struct event e;
        screen_draw(s);
        screen_frame(s);
        terminal_event(&e, -1);
        event_take(s, &e);
    }
    int signal_number = terminal_ended();
    screen_close(s);
    return signal_number ? 128 + signal_number : 0;
}

/* ---- The plain prompt ---- */

static volatile sig_atomic_t plain_interrupted; /* a signal handler can reach nothing else */

static void on_interrupt(int number)
{
    (void)number;
    plain_interrupted = 1;
}

/* Nobody may be at a prompt to ask again: the second one ends the program, as if it were not caught. */
static void on_interrupt_of_script(int number)
{
    if (plain_interrupted) {
        signal(number, SIG_DFL);
        raise(number);
    }
    plain_interrupted = 1;
}

static bool plain_tick(void *data, uint64_t done, uint64_t todo)
{
    (void)data;
    (void)done;
    (void)todo;
    if (!plain_interrupted) return true; /* a signal that comes behind this is seen next time */
    plain_interrupted = 0;
    return false;
}

void script_interrupts(struct gpudbg *g)
{
    struct sigaction action = {.sa_handler = on_interrupt_of_script}, was;
    if (sigaction(SIGINT, NULL, &was) == 0 && was.sa_handler != SIG_IGN) sigaction(SIGINT, &action, NULL);
    g->ticker.tick = plain_tick;
}

static bool plain_ask(void *data, const char *question)
{
    (void)data;
    char prompt[300];
    snprintf(prompt, sizeof prompt, "%s (y or n) ", question);
    char *answer = line_ask(prompt);
    bool yes = !answer || answer[0] == 'y' || answer[0] == 'Y';
    free(answer);
    return yes;
}

/* Of a batch: what somebody has typed already is for the shell, so nobody is asked then. */
static void batch_graphics(void *data, struct graphics *graphics)
{
    struct answers answers;
    int waiting = 0;
    (void)data;
    if (!ioctl(STDIN_FILENO, FIONREAD, &waiting) && !waiting) graphics_ask(graphics, &answers);
}

static bool terminal_is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || !strcmp(term, "dumb");
}

void script_pictures(struct gpudbg *g, enum screen_color color)
{
    if (!isatty(STDOUT_FILENO)) return;
    g->front.colours = terminal_colours(color);
    if (colours_wanted(color) && !terminal_is_dumb()) g->front.graphics = batch_graphics;
}

/* false: no more commands should run. */
static bool plain_job(struct gpudbg *g, const struct screen_job *job, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    if (!job->script) return session_line(g, job->text, "-e", 0, out);
    if (!session_source(g, job->text, out, &err)) {
        session_failed(g, &err, "-x", 0, out);
        if (g->settings.stop_on_error) return false;
    }
    return !g->quit && !out_broken(out);
}

static int plain_run(struct gpudbg *g, const struct screen_options *options)
{
    struct gpudbg_out *out = out_stream(stdout, options->json);
    if (out) out_tee(out, &g->log.tee);
    bool typed = isatty(STDIN_FILENO), more = out != NULL;
    struct sigaction action = {.sa_handler = on_interrupt};
    char repeat[256] = ""; /* what an empty line runs again */
    g->ticker.tick = plain_tick;
    if (typed) g->front.ask = plain_ask;
    if (typed && !options->json) g->front.colours = terminal_colours(options->color);
    if (typed)
        sigaction(SIGINT, &action, NULL);
    else
        script_interrupts(g);
    if (more && options->greeting) out_write(out, options->greeting, strlen(options->greeting));
    session_warn(g); /* of the gpudbgrc */
    for (size_t i = 0; more && i < options->njobs; i++) more = plain_job(g, &options->jobs[i], out);
    if (more && !typed) session_script(g, stdin, "standard input", out);
    if (more && typed) {
        line_plain(g, &plain_interrupted);
        while (more) {
            fflush(stdout);
            bool block = block_open(g) != NULL;
            char *line = line_ask(block ? "> " : "(gpudbg) ");
            const bool dropped = line && plain_interrupted;
            if (plain_interrupted) block_drop(g);
            plain_interrupted = 0;
            if (block || dropped) *repeat = 0;
            if (dropped) {
                free(line);
                continue;
            }
            const bool blank = line && !line[strspn(line, " \t")];
            more = line && session_line(g, blank ? repeat : line, "gpudbg", 0, out);
            if (line && !blank && !block) line_repeats(g, line, repeat, sizeof repeat);
            plain_interrupted = 0;
            free(line);
        }
        line_close();
    }
    if (out) out_close(out);
    g->front = (struct session_front){0};
    g->ticker = (struct ticker){0};
    return g->errors && !typed ? 1 : 0;
}

bool screen_is_plain(void) { return !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || terminal_is_dumb(); }

int screen_run(struct gpudbg *g, const struct screen_options *options)
{
    const bool plain = screen_is_plain();
    struct gpudbg_error err = {.offset = -1};
    struct screen *s = options->screen ? screen_all_read(options->screen)
                       : plain         ? NULL
                                       : screen_open(g, options, &err);
    if (!plain && !s) options->report(g, &err); /* a terminal that nobody knows still has a prompt */
    return s ? terminal_run(g, options, s) : plain_run(g, options);
}
