/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.c: keys to command lines, and the loop around that; the plain prompt where there is no screen. */
#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
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
    for (; *command; command++) {
        if (command[0] == '%' && command[1] == 'n')
            text_add(&t, "%s", s->count);
        else if (command[0] == '%' && command[1] == 'a')
            text_add(&t, "0x%" PRIx64, code_cursor(s));
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
    screen_over(s, NULL);
    return true;
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
    const struct binding *b = keys_find(&s->keys, s->mode, sequence, &prefix);
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
    screen_say(s, STYLE_comment, "%s does nothing here; ? lists the keys", sequence);
    return false;
}

/* ---- The mouse ---- */

static void mouse(struct screen *s, const struct event *e)
{
    if (!s->over && !s->zoomed)
        for (int i = 0; i < s->layout.count; i++) {
            struct place *p = &s->layout.place[i];
            if (e->x < p->x || e->x >= p->x + p->w || e->y < p->y || e->y >= p->y + p->h) continue;
            if (strcmp(e->name, "Click") == 0) {
                if (p->pane->kind != &pane_prompt) screen_single_keys(s);
                screen_focus(s, p->pane);
                char row[16];
                struct gpudbg_error err = {.offset = -1};
                snprintf(row, sizeof row, "%d", e->y - p->y - 1);
                if (e->y > p->y) pane_act(p->pane, PANE_ROW, row, &err);
                return;
            }
            struct gpudbg_error err = {.offset = -1}; /* the wheel turns what it is over */
            pane_act(p->pane, e->name[5] == 'U' ? PANE_SCROLL_UP : PANE_SCROLL_DOWN, "", &err);
            return;
        }
    if (strcmp(e->name, "Click") != 0) screen_press(s, e->name);
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
    case EVENT_MOUSE: mouse(s, e); break;
    case EVENT_RESIZE: screen_resize(s); break;
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
    bool stop = plain_interrupted;
    plain_interrupted = 0;
    return !stop;
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
    bool typed = isatty(STDIN_FILENO), more = out != NULL;
    struct sigaction action = {.sa_handler = on_interrupt};
    char repeat[256] = ""; /* what an empty line runs again */
    g->ticker.tick = plain_tick;
    if (typed) g->front.ask = plain_ask;
    if (typed)
        sigaction(SIGINT, &action, NULL);
    else
        script_interrupts(g);
    if (more && options->greeting) out_write(out, options->greeting, strlen(options->greeting));
    for (size_t i = 0; more && i < options->njobs; i++) more = plain_job(g, &options->jobs[i], out);
    if (more && !typed) session_script(g, stdin, "standard input", out);
    if (more && typed) {
        line_plain(g);
        while (more) {
            fflush(stdout);
            bool block = block_open(g) != NULL;
            char *line = line_ask(block ? "> " : "(gpudbg) ");
            if (plain_interrupted) block_drop(g);
            if (block) *repeat = 0;
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

int screen_run(struct gpudbg *g, const struct screen_options *options)
{
    const char *term = getenv("TERM");
    bool plain = !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !*term || !strcmp(term, "dumb");
    struct gpudbg_error err = {.offset = -1};
    struct screen *s = plain ? NULL : screen_open(g, options, &err);
    if (!plain && !s) {
        snprintf(err.file, sizeof err.file, "TERM");
        options->report(g, &err); /* a terminal that nobody knows still has a prompt */
    }
    return s ? terminal_run(g, options, s) : plain_run(g, options);
}
