/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_line.c: lines run in the screen: their text in the prompt pane, progress and Ctrl-C while they work, marks and
 * panes after. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "flow/signature.h"
#include "inside.h"
#include "graphics.h"
#include "line.h"
#include "masked.h"
#include "opening.h"
#include "terminal.h"
#include "session/command.h"
#include "session/define.h"
#include "base/alloc.h"
#include "check/check.h"
#include "machine/launch.h"
#include "out/out.h"
#include "reflow.h"
#include "gpudbg/text.h"

#define QUICK 0.15 /* seconds that work may take without a progress bar */
#define IDLE 1.0   /* seconds without a tick, behind which other work has begun */
#define FRAME 0.1  /* seconds between two pictures of one */
#define SHARE 9    /* what runs has this many times the time that its pictures have */

/* ---- What a session asks of its front end ---- */

static bool front_tick(void *data, uint64_t done, uint64_t todo)
{
    struct screen *s = data;
    if (!s->terminal) return true;
    if (terminal_wants_stop()) return false;
    if (s->away || s->live) return true; /* live: what is drawn is being read, and that ticks */
    /* Work that no line began, such as what a pane needs for its first picture, begins with its first tick. */
    if (!s->progress.timed && seconds_since(&s->progress.ticked) > IDLE) {
        clock_gettime(CLOCK_MONOTONIC, &s->progress.start);
        s->progress.drawn = s->progress.start;
    }
    clock_gettime(CLOCK_MONOTONIC, &s->progress.ticked);
    s->progress.done = done;
    s->progress.todo = todo;
    if (s->question[0] || seconds_since(&s->progress.start) < QUICK ||
        seconds_since(&s->progress.drawn) < FRAME + s->progress.pause)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.drawn);
    s->progress.shown = true;
    if (terminal_resized()) screen_resize_running(s);
    struct area first = {s->cells, 0, 0, s->cells->columns, 1, 0}; /* the rest stays: the machine is on its way */
    bar_state(s, &first);
    screen_draw_live(s);
    screen_frame(s);
    s->progress.pause = SHARE * seconds_since(&s->progress.drawn);
    s->progress.shown = false;
    return true;
}

static bool front_screenshot(void *data, FILE *f, struct gpudbg_error *err)
{
    struct screen *s = data;
    screen_draw(s);
    if (!s->whole_paths) cells_mask_homes(s->cells);
    cells_dump(s->cells, f);
    return !ferror(f) || gpudbg_fail(err, "memory", "no memory for a picture of the screen");
}

/* A layout that the user chose: its name, which suits terminals of every size, or all of it. */
static bool front_layout(void *data, char *spec, size_t size)
{
    const struct screen *s = data;
    if (!s->layout_chosen) return false;
    if (s->layout_name[0])
        snprintf(spec, size, "%s", s->layout_name);
    else
        layout_text(&s->layout, spec, size);
    return true;
}

static bool front_set_layout(void *data, const char *spec, struct gpudbg_error *err)
{
    struct screen *s = data;
    if (!screen_layout(s, spec, err)) return false;
    s->layout_chosen = true;
    return true;
}

/* 1 yes, 0 no, -1: no answer. */
static int answer_read(const char *text)
{
    char word[16];
    snprintf(word, sizeof word, "%s", text + strspn(text, " "));
    word[strcspn(word, " ")] = 0;
    return !strcasecmp(word, "y") || !strcasecmp(word, "yes")  ? 1
           : !strcasecmp(word, "n") || !strcasecmp(word, "no") ? 0
                                                               : -1;
}

static void answer_add(struct screen *s, const char *text)
{
    for (size_t n = strlen(s->answer); (unsigned char)*text >= ' ' && n + 1 < sizeof s->answer; text++, n++) {
        s->answer[n] = *text;
        s->answer[n + 1] = 0;
    }
}

/* A key, or pasted text, of an answer; *yes once there is one. */
static bool answer_take(struct screen *s, const struct event *e, bool *yes)
{
    const size_t n = strlen(s->answer);
    if (e->kind == EVENT_INTERRUPT || (e->kind == EVENT_KEY && !strcmp(e->name, "Escape"))) return *yes = false, true;
    if (e->kind == EVENT_PASTE) answer_add(s, e->text);
    if (e->kind != EVENT_KEY) return false;
    if (!strcmp(e->name, "Space"))
        answer_add(s, " ");
    else if (!e->name[1])
        answer_add(s, e->name);
    else if (!strcmp(e->name, "Backspace") && n)
        s->answer[n - 1] = 0;
    else if (!strcmp(e->name, "C-u"))
        s->answer[0] = 0;
    if (strcmp(e->name, "Enter") != 0) return false;
    const int read = answer_read(s->answer);
    if (read < 0) screen_say(s, STYLE_comment, "Please answer y or n.");
    if (read < 0) s->answer[0] = 0;
    *yes = read == 1;
    return read >= 0;
}

/* Reads a line, and takes nothing but an answer; Escape and Ctrl-C are no. */
static bool front_ask(void *data, const char *question)
{
    struct screen *s = data;
    bool yes = true, answered = false;
    if (!s->terminal) return true;
    snprintf(s->question, sizeof s->question, "%s", question);
    s->answer[0] = 0;
    const int columns = text_columns(question, true) + 12;
    if (columns > s->cells->columns) screen_say(s, STYLE_prompt, "%s", question);
    while (!answered) {
        struct event e;
        screen_draw(s);
        screen_frame(s);
        terminal_event(&e, -1);
        if (e.kind == EVENT_RESIZE) screen_resize(s);
        if (e.kind == EVENT_CLOSED) break;
        answered = answer_take(s, &e, &yes);
        free(e.text);
    }
    screen_say(s, STYLE_prompt, "%s (y or n) %s", question, yes ? "y" : "n");
    s->question[0] = 0;
    return yes;
}

/* A pane that a command fills: in a layout of its own, with the focus; memory from an address on. */
static void front_show(void *data, const char *name, const char *what)
{
    struct screen *s = data;
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, name, &err);
    if (!p || (what && !memory_show(s, what, &err))) return;
    if (!layout_place(&s->layout, p)) {
        s->layout_chosen = true;
        screen_layout(s, name, &err);
    }
    screen_focus(s, p);
    s->shows = true;
}

/* The program's text stays until a key says that it was read. */
static void front_away(void *data, bool away)
{
    struct screen *s = data;
    if (!s->terminal || s->away == away) return;
    s->away = away;
    if (away)
        terminal_leave();
    else
        terminal_return("\n[gpudbg: press Enter to go back to the screen] ");
}

/* What pictures the terminal can draw; keys that were typed meanwhile are not lost. */
static void front_graphics(void *data, struct graphics *graphics)
{
    struct answers answers;
    (void)data;
    graphics_ask(graphics, &answers);
    terminal_typed(answers.typed, answers.ntyped);
}

/* ---- Running lines ---- */

void screen_hint(struct screen *s)
{
    if (s->hinted || !s->opened || !s->g->running.machine) return;
    s->hinted = true;
    screen_say(s, STYLE_comment, "S N C go back.  `origin PLACE`: who wrote it.  Checks are %s",
        checks_any(s->g->control.checks) ? "on: `info checks`" : "off: `check all on`");
}

/* Once, after the first run to the end: how one looks at the results. */
static void hint_results(struct screen *s)
{
    const struct gpudbg_machine *m = s->g->running.machine;
    const struct gpudbg_launch *launch = m ? m->launch : NULL;
    if (s->hinted_results || !s->opened || !launch || s->g->running.last.reason != GPUDBG_STOP_DONE) return;
    for (size_t i = 0; i < launch->nbound; i++) {
        if (!launch->bound[i].segment) continue;
        s->hinted_results = true;
        screen_say(s, STYLE_comment, "`m %.20s` shows a buffer.  On a value there, y goes back to what computed it",
            launch->bound[i].segment->name);
        return;
    }
}

/* When the program has moved, the code pane goes where it is. */
static void program_follow(struct screen *s)
{
    struct gpudbg *g = s->g;
    struct gpudbg_wave *wave = g->running.machine ? gpudbg_session_wave(g) : NULL;
    uint64_t pc = wave ? wave->pc : 0;
    screen_hint(s);
    hint_results(s);
    if (s->seen.machine != g->running.machine || s->seen.wave != g->selection.wave || s->seen.pc != pc ||
        s->seen.image != g->loaded.image)
        if (wave) code_show_near(s, pc);
    s->seen.image = g->loaded.image;
    s->seen.machine = g->running.machine;
    s->seen.wave = g->selection.wave;
    s->seen.pc = pc;
}

static const struct gpudbg_command *command_of(struct gpudbg *g, const char *line)
{
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found = {0};
    if (!args_open(&args, &g->eval, line, &err)) return NULL;
    bool ok = command_find(g, &args, &found, &err);
    args_close(&args);
    if (ok && found.define && found.define->alias) return command_of(g, found.define->alias);
    return ok ? found.command : NULL;
}

static void panes_remember(struct screen *s, bool settle)
{
    for (size_t i = 0; i < s->npanes; i++)
        if (s->pane[i]->kind->remember) s->pane[i]->kind->remember(s->pane[i], settle);
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
    for (size_t i = 0; i < n; i++) sink->lines += text[i] == '\n';
    if (sink->out) out_raw(sink->out, text, n);
    return (!sink->out || !out_broken(sink->out)) && front_tick(sink->screen, sink->lines, 0);
}

/* A line, or a script by its name. */
static bool job_run(struct gpudbg *g, const struct screen_job *job, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const bool done = job->script ? session_source(g, job->text, out, err) : gpudbg_execute(g, job->text, out, err);
    if (g->databases) session_report_databases(g, out);
    return done;
}

/* Whether the program must be launched before this can run. */
static bool wants_machine(const struct gpudbg_command *c)
{
    return c && c->family && !strcmp(c->family, "Running") && strcmp(c->name, "launch") != 0 &&
           strcmp(c->name, "run") != 0;
}

bool line_wants_machine(struct gpudbg *g, const char *line) { return wants_machine(command_of(g, line)); }

/* Rows that the pane prompt shows above the line being typed, and their columns. */
static int prompt_rows(struct screen *s, int *columns)
{
    struct gpudbg_error err = {0};
    const struct place *p = layout_place(&s->layout, pane_named(s, "prompt", &err));
    const bool shown = p && p->h > 2 && screen_shows_prompt(s);
    *columns = shown ? p->w : s->cells->columns;
    return shown ? p->h - 2 : 1;
}

/* Help is written for lines of its own width: breaks it for this screen. */
static void help_reflow(struct screen *s, size_t first, int columns)
{
    char *text = NULL, *broken;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    for (size_t i = first; i < s->transcript.count; i++) fprintf(f, "%s\n", transcript_line(&s->transcript, i)->text);
    fclose(f);
    broken = reflow(text, columns);
    transcript_cut(&s->transcript, first);
    transcript_add(&s->transcript, STYLE_text, broken);
    free(broken);
    free(text);
}

/* What a command printed has more rows than the pane prompt: it opens in the pager.  What moves the program
 * never does: its last lines say where it stands. */
static void output_show(struct screen *s, const char *line, const struct gpudbg_command *command, uint64_t lines)
{
    int columns, rows = 0, room = prompt_rows(s, &columns);
    const size_t count = s->transcript.count;
    size_t first = lines < count ? count - (size_t)lines : 0;
    if (!lines || s->g->settings.no_pager || before_moved(&s->before, s->g) || wants_machine(command)) return;
    if (command && !strcmp(command->name, "help")) help_reflow(s, first, columns);
    for (size_t i = first; i < s->transcript.count && rows <= room; i++) {
        const char *text = transcript_line(&s->transcript, i)->text;
        for (bool more = true; more && rows <= room; rows++) {
            text += text_row(text, columns, s->utf8);
            more = *text;
        }
    }
    if (rows > room) pager_open(s, first, line);
}

/* Runs it with its results in the transcript, and in `out`, if there is one. */
static bool job_shown(struct screen *s, const struct screen_job *job, const struct gpudbg_command *command,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct sink sink = {s, out, 0};
    s->shows = false;
    FILE *stream = transcript_stream(&s->transcript, sink_wrote, &sink);
    if (!stream) return gpudbg_fail(err, "memory", "no memory for the results");
    struct gpudbg_out *results = out_stream(stream, false);
    if (!out) out_tee(results, &s->g->log.tee); /* the other has it already */
    session_report *report = s->g->report;
    if (!out) s->g->report = NULL; /* errors of scripts are lines of the prompt pane */
    const bool ok = job_run(s->g, job, results, err);
    s->g->report = report;
    out_close(results);
    fclose(stream);
    s->notice = s->notice || sink.lines;
    if (!job->script && s->opened && !s->shows) output_show(s, job->text, command, sink.lines);
    return ok;
}

static bool line_work(struct screen *s, const struct screen_job *job, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *command = job->script ? NULL : command_of(s->g, job->text);
    bool quiet = command && action_is_quiet(command), ok;
    s->notice = false;
    const size_t first = s->transcript.count;
    if (!quiet) s->report_lines = 0;
    if (quiet && out) return job_run(s->g, job, out, err);
    if (!quiet) {
        before_take(&s->before, s->g);
        panes_remember(s, false);
    }
    if (out && gpudbg_out_json(out)) {
        ok = job_run(s->g, job, out, err);
    } else {
        ok = job_shown(s, job, command, out, err);
    }
    if (!ok) screen_say_error(s, err);
    if (!ok && !out) session_log_error(s->g, err);
    if (!quiet && before_moved(&s->before, s->g)) {
        struct before now = s->settled;
        s->settled = s->before;
        s->before = now;
        s->fresh = before_distance(&s->settled, s->g) <= 1;
        panes_remember(s, true);
        const enum gpudbg_reason reason = s->g->running.last.reason;
        if (reason == GPUDBG_STOP_CHECK || reason == GPUDBG_STOP_FAULT) {
            s->report_end = s->transcript.count;
            s->report_lines = s->report_end - (first < s->report_end ? first : s->report_end);
        }
    }
    program_follow(s);
    return ok;
}

/* Runs one; its text goes to the prompt pane and, if there is one, to out. */
static bool line_run(struct screen *s, const struct screen_job *job, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const bool within = s->progress.timed; /* another one */
    s->progress.timed = true;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.start);
    s->progress.drawn = s->progress.start;
    const bool ok = line_work(s, job, out, err);
    s->progress.timed = within;
    return ok;
}

static void echo(struct screen *s, const char *line, unsigned times)
{
    char text[1200];
    struct text t = text_in(text, sizeof text);
    text_add(&t, "(gpudbg) %s", line);
    if (times > 1) text_add(&t, "  (%u times)", times);
    transcript_add(&s->transcript, STYLE_input, text);
}

static bool is_screenshot(const char *line) { return !strncmp(line, "screenshot", 10); }

bool screen_execute(struct screen *s, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *command = command_of(s->g, line);
    if (line[strspn(line, " \t")] && line[0] != '#' && !is_screenshot(line) && !(command && action_is_quiet(command)))
        echo(s, line, 1);
    s->key_line[0] = 0;
    if (!s->terminal && !s->drawn) screen_draw(s); /* keys are about what is seen */
    if (s->over && s->over->kind == &pane_pager && !(command && action_is_quiet(command)) && !is_screenshot(line))
        screen_over(s, NULL);
    bool ok = is_screenshot(line) && out ? gpudbg_execute(s->g, line, out, err)
                                         : line_run(s, &(struct screen_job){false, line}, out, err);
    if (!s->terminal) screen_draw(s); /* as a terminal would show it: panes keep what they showed */
    return ok;
}

bool screen_source(struct screen *s, const char *path, struct gpudbg_error *err)
{
    char text[1200];
    struct text t = text_in(text, sizeof text);
    text_add(&t, "source %s", path);
    echo(s, text, 1);
    s->key_line[0] = 0;
    return line_run(s, &(struct screen_job){true, path}, NULL, err);
}

/* Puts a launch line into the prompt, filled in as far as the file says. */
static bool launch_offered(struct screen *s)
{
    struct gpudbg *g = s->g;
    char line[1024];
    if (!g->loaded.image || !g->loaded.image->isa || !g->loaded.image->isa->run || g->running.machine) return false;
    const struct gpudbg_kernel *kernel = g->loaded.image->nkernels ? &g->loaded.image->kernels[0] : NULL;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(g->loaded.image, code_cursor(s));
    const struct gpudbg_kernel *here = symbol ? gpudbg_image_kernel_named(g->loaded.image, symbol->name) : NULL;
    const int n = launch_offer(here ? here : kernel, line, sizeof line);
    if (!here && !kernel && n > 0 && (size_t)n < sizeof line) { /* bare code: what it reads before anything wrote it */
        const struct gpudbg_section *section = gpudbg_image_at(g->loaded.image, code_cursor(s));
        struct text t = text_behind(line, sizeof line);
        if (g->loaded.image->isa->alone && g->loaded.image->isa->alone->width)
            text_add(&t, " %s=8", g->loaded.image->isa->alone->width);
        if (section) text_wrote(&t, signature_words(g, g->loaded.image, section->addr, text_end(&t), text_room(&t)));
    }
    screen_say(s, STYLE_comment, "Nothing is launched yet: complete the line (help launch), Enter runs it.");
    screen_prompt(s, line);
    return true;
}

static void key_line(struct screen *s, const char *line)
{
    struct gpudbg_error err = {.offset = -1};
    const struct gpudbg_command *command = command_of(s->g, line);
    if (wants_machine(command) && launch_offered(s)) return;
    if (!(command && action_is_quiet(command))) {
        /* The same key again: its lines take the place of the last ones, so that nothing scrolls by. */
        bool again = !strcmp(s->key_line, line) && s->key_end == s->transcript.count && s->key_end < TRANSCRIPT_LINES;
        s->repeats = again ? s->repeats + 1 : 1;
        if (again) transcript_cut(&s->transcript, s->key_start);
        s->key_start = s->transcript.count;
        echo(s, line, s->repeats);
    }
    line_run(s, &(struct screen_job){false, line}, NULL, &err);
    if (!(command && action_is_quiet(command))) {
        snprintf(s->key_line, sizeof s->key_line, "%s", line);
        s->key_end = s->transcript.count;
    }
}

/* ---- The line editor's side ---- */

void line_repeats(struct gpudbg *g, const char *line, char *again, size_t size)
{
    const struct gpudbg_command *c = command_of(g, line);
    const bool goes_on = c && (!strcmp(c->name, "x") || !strcmp(c->name, "list"));
    line += strspn(line, " \t");
    const size_t n = goes_on            ? strcspn(line, " \t")
                     : wants_machine(c) ? strlen(line)
                                        : 0; /* their arguments begin anew */
    snprintf(again, size, "%.*s", n < size ? (int)n : 0, line);
}

/* Runs a line that was typed; an empty one runs the one before again where gdb would. */
static void line_take(struct screen *s, const char *line)
{
    struct gpudbg_error err = {.offset = -1};
    char again[sizeof s->typed];
    const bool blank = !line[strspn(line, " \t")];
    if (blank && !s->typed[0]) return;
    snprintf(again, sizeof again, "%s", s->typed);
    if (!blank) line_repeats(s->g, line, s->typed, sizeof s->typed);
    screen_execute(s, blank ? again : line, NULL, &err);
}

static void line_entered(void *data, const char *line)
{
    struct screen *s = data;
    if (line && line[strspn(line, " \t")] == ':') /* the prompt was open already */
        line += strspn(line, " \t") + 1;
    const bool blank = !line || !line[strspn(line, " \t")], once = s->once;
    if (!line) { /* Ctrl-D */
        s->typed[0] = 0;
        screen_single_keys(s);
        return;
    }
    if (blank && (once || !s->typed[0]) && !s->pasted) return; /* nothing to run again: the prompt stays open */
    char *rest = s->pasted;                                    /* what was pasted with this line */
    s->pasted = NULL;
    s->once = false;
    if (once) screen_single_keys(s);
    line_take(s, line);
    if (s->shows && !rest) screen_single_keys(s); /* the keys are for the pane that has come */
    for (char *at = rest, *end; at && *at && !s->g->quit && !s->closing; at = end) {
        end = at + strcspn(at, "\n");
        if (!*end) { /* the last line has not ended */
            line_set(at);
            break;
        }
        *end++ = 0;
        line_take(s, at);
    }
    free(rest);
}

void screen_paste(struct screen *s, const char *text)
{
    char *clean = xstrdup(text), *to = clean;
    int lines = 0;
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c >= ' ' || *c == '\n') *to++ = *c; /* what a terminal would obey is no text */
        if (*c == '\t') *to++ = ' ';
        lines += *c == '\n';
    }
    *to = 0;
    if (s->over) screen_over(s, NULL);
    if (s->mode != KEYS_PROMPT) screen_prompt(s, NULL);
    char *end = clean + strcspn(clean, "\n");
    free(s->pasted);
    s->pasted = *end && end[1] ? xstrdup(end + 1) : NULL;
    *end = 0;
    line_insert(clean);
    if (s->pasted)
        screen_say(s, STYLE_comment, "%d lines were pasted: Enter runs them, Escape drops them",
            lines + (to > clean && to[-1] != '\n'));
    free(clean);
}

static void matches_show(void *data, char **match, int n)
{
    struct screen *s = data;
    char row[2048], *all = NULL;
    size_t size = 0;
    struct text t = text_in(row, sizeof row);
    FILE *f = open_memstream(&all, &size);
    int width = 1;
    for (int i = 0; i < n; i++) {
        int w = text_columns(match[i], s->utf8) + 2;
        width = w > width ? w : width;
    }
    for (int i = 0; f && i < n && i < 200; i++) {
        if (t.n && text_length(&t) + width > s->cells->columns - 2) {
            fprintf(f, "%s\n", row);
            t = text_in(row, sizeof row);
        }
        text_add(&t, "%-*s", width, match[i]);
    }
    if (f && t.n) fprintf(f, "%s\n", row);
    if (f && n > 200) fprintf(f, "... and %d more\n", n - 200);
    if (f) fclose(f);
    if (!all) return;
    /* Tab once more shows nothing that stands there already. */
    const bool again = s->matches && !strcmp(s->matches, all) && s->matches_end == s->transcript.count;
    if (!again) transcript_add(&s->transcript, STYLE_comment, all);
    free(s->matches);
    s->matches = all;
    s->matches_end = s->transcript.count;
}

void screen_serve(struct screen *s)
{
    static const struct session_front front = {.screenshot = front_screenshot,
        .ask = front_ask,
        .layout = front_layout,
        .set_layout = front_set_layout,
        .show = front_show,
        .away = front_away};
    struct gpudbg_error ignored = {.offset = -1};
    struct line_user user = {.done = line_entered, .matches = matches_show, .data = s};
    s->run = key_line;
    s->g->front = front;
    s->g->front.data = s;
    s->g->front.utf8 = s->utf8;
    if (s->terminal) s->g->front.colours = terminal_colours(s->options.color);
    if (s->terminal && colours_wanted(s->options.color)) s->g->front.graphics = front_graphics;
    s->g->ticker = (struct ticker){.tick = front_tick, .data = s};
    line_open(s->g, &user, s->terminal);
    if (s->g->layout)
        front_set_layout(s, s->g->layout, &ignored); /* of a session that was opened; or not of this screen */
    program_follow(s);
}
