/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "session/command.h"
#include "base/alloc.h"
#include "base/shown.h"
#include "endings.h"

#define HISTORY_LINES 1000
#define HISTORY_BYTES (16 << 20) /* of a file that is larger nothing is read */

/* readline's memory, in the place of its own functions of these names, which end the program and leave the terminal. */
__attribute__((visibility("default"))) void *xmalloc(size_t n);
void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) xalloc_end();
    return p;
}

__attribute__((visibility("default"))) void *readline_xrealloc(void *, size_t) __asm__("xrealloc");
void *readline_xrealloc(void *p, size_t n)
{
    p = realloc(p, n);
    if (!p) xalloc_end();
    return p;
}

/* readline is one a process, and so is what its callbacks must reach. */
static struct {
    struct gpudbg *g;
    struct line_user user;
    FILE *in, *out; /* nothing: readline neither reads nor writes by itself */
    char queue[32]; /* bytes of the key being handed over */
    size_t queued, taken;
    size_t selected; /* see line_select */
    bool wanted;     /* there is a screen; readline's keys take a millisecond, so they wait for the first one typed */
    bool open, keep; /* open: readline is ready */
    bool entering;   /* a line is being handed over: readline empties its buffer after that */
    char *deferred;  /* what the buffer is to hold then; NULL: nothing was asked for */
    char path[4096]; /* of the history */
} line;

/* ---- Completion: as the commands' rows say ---- */

static char *complete_next(const char *text, int state)
{
    static int start; /* where readline's word begins; kept over the calls for one word, as readline does it */
    static unsigned next;
    if (!state) {
        start = rl_point - (int)strlen(text);
        next = 0;
    }
    char *typed = xstrndup(rl_line_buffer, (size_t)rl_point);
    size_t at = 0;
    char *word = command_complete(line.g, typed, &at, next++), *match = NULL;
    while (word && shown_clean(word, strlen(word), SHOWN_LINE) != strlen(word)) { /* readline prints names itself */
        free(word);
        word = command_complete(line.g, typed, &at, next++);
    }
    if (word && (int)at < start) { /* its word begins earlier than readline's */
        size_t skip = (size_t)start - at;
        match = xstrdup(strlen(word) > skip ? word + skip : "");
    } else if (word) {
        if (asprintf(&match, "%.*s%s", (int)at - start, typed + start, word) < 0) match = NULL;
    }
    size_t n = match ? strlen(match) : 0;
    rl_completion_append_character = n && match[n - 1] == '/' ? 0 : ' ';
    free(word);
    free(typed);
    return match;
}

static char **complete(const char *text, int start, int end)
{
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, complete_next);
}

static void matches_show(char **matches, int n, int longest)
{
    (void)longest;
    if (line.user.matches) line.user.matches(line.user.data, matches + 1, n);
}

/* ---- History ---- */

/* Makes every folder on the way to `path`, but no home folder: without one there is nobody who would want it. */
static void folders_make(char *path)
{
    const char *home = getenv("HOME");
    const size_t n = home ? strlen(home) : 0;
    if (n && !strncmp(path, home, n) && access(home, F_OK) != 0) return;
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
}

static void history_open(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    line.path[0] = 0;
    if (state && *state == '/')
        snprintf(line.path, sizeof line.path, "%s/gpudbg/history", state);
    else if (home && *home == '/')
        snprintf(line.path, sizeof line.path, "%s/.local/state/gpudbg/history", home);
    using_history();
    stifle_history(HISTORY_LINES);
    struct stat st;
    if (*line.path && stat(line.path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= HISTORY_BYTES)
        read_history(line.path);
}

static void history_save(void)
{
    if (!line.keep || !*line.path || !history_length) return;
    folders_make(line.path);
    struct stat st;
    if (stat(line.path, &st) == 0 && !S_ISREG(st.st_mode)) return;
    write_history(line.path);
}

static void history_keep(const char *text)
{
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (*text && !(last && !strcmp(last->line, text))) add_history(text);
}

/* ---- Within the screen ---- */

static int queue_getc(FILE *f)
{
    (void)f;
    return line.taken < line.queued ? (unsigned char)line.queue[line.taken++] : EOF;
}

static int queue_waits(void) { return line.taken < line.queued; }

static void draw_nothing(void) {}

static void prepare_nothing(int meta) { (void)meta; }

static void line_done(char *text)
{
    if (text) history_keep(text);
    line.entering = true;
    if (line.user.done) line.user.done(line.user.data, text);
    line.entering = false;
    free(text);
}

static void common_open(struct gpudbg *g, bool history)
{
    line.g = g;
    line.keep = history;
    rl_readline_name = "gpudbg";
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t";
    rl_completion_query_items = 0;
    if (history) history_open();
}

/* readline (8.2) goes on without the memory of its keys, and crashes at the first one. */
static void keys_ready(void)
{
    rl_initialize();
    if (!rl_executing_keyseq) xalloc_end();
}

void line_open(struct gpudbg *g, const struct line_user *user, bool history)
{
    line.user = *user;
    line.g = g;
    line.keep = history;
    line.wanted = true;
}

/* Makes readline ready for the first key; false: there is no line to edit. */
static bool line_ready(void)
{
    if (line.open || !line.wanted) return line.open;
    line.in = fopen("/dev/null", "r");
    line.out = fopen("/dev/null", "w");
    rl_instream = line.in ? line.in : stdin;
    rl_outstream = line.out ? line.out : stdout;
    rl_catch_signals = 0;
    rl_getc_function = queue_getc;
    rl_input_available_hook = queue_waits;
    rl_redisplay_function = draw_nothing;
    rl_prep_term_function = prepare_nothing;
    rl_deprep_term_function = draw_nothing;
    rl_completion_display_matches_hook = matches_show;
    common_open(line.g, line.keep);
    rl_callback_handler_install("", line_done);
    keys_ready();
    rl_variable_bind("show-all-if-ambiguous", "on");
    rl_variable_bind("bell-style", "none");
    rl_bind_keyseq_if_unbound("\033[3~", rl_delete);
    rl_bind_keyseq_if_unbound("\033[H", rl_beg_of_line);
    rl_bind_keyseq_if_unbound("\033[F", rl_end_of_line);
    rl_bind_keyseq_if_unbound("\033[1;5C", rl_forward_word);
    rl_bind_keyseq_if_unbound("\033[1;5D", rl_backward_word);
    return line.open = true;
}

/* The bytes that readline knows a key by; 0: none. */
static size_t key_bytes(const char *name, char *buf, size_t size)
{
    static const struct {
        const char *name, *bytes;
    } keys[] = {
        {"Space", " "},
        {"Enter", "\r"},
        {"Tab", "\t"},
        {"Backspace", "\177"},
        {"Delete", "\033[3~"},
        {"Up", "\033[A"},
        {"Down", "\033[B"},
        {"Right", "\033[C"},
        {"Left", "\033[D"},
        {"Home", "\033[H"},
        {"End", "\033[F"},
        {"C-Right", "\033[1;5C"},
        {"C-Left", "\033[1;5D"},
        {"M-Backspace", "\033\177"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].name, name)) return (size_t)snprintf(buf, size, "%s", keys[i].bytes);
    if (!strncmp(name, "C-", 2) && name[2] && !name[3]) {
        buf[0] = (char)(name[2] & 0x1f);
        return 1;
    }
    if (!strncmp(name, "M-", 2) && name[2] && !name[3]) return (size_t)snprintf(buf, size, "\033%c", name[2]);
    size_t n = strlen(name); /* a character, ASCII or UTF-8, is its own name */
    return n == 1 || (n <= 4 && (unsigned char)name[0] >= 0x80) ? (size_t)snprintf(buf, size, "%s", name) : 0;
}

/* Hands bytes to readline.  false: there is no line to edit. */
static bool bytes_type(const char *bytes, size_t n)
{
    if (!line_ready()) return false;
    memcpy(line.queue, bytes, line.queued = n);
    line.taken = 0;
    while (queue_waits()) rl_callback_read_char();
    return true;
}

/* Readline (8.2) waits for more of a key, an argument or a search between two calls.  Where the line changes or another
 * key comes meanwhile, it goes on with memory that it has freed; so what it waits for is ended before. */
static void waiting_end(void)
{
    if (!line.open) return;
    if (RL_ISSTATE(RL_STATE_ISEARCH)) bytes_type("\n", 1); /* keeps what was found */
    if (RL_ISSTATE(
            RL_STATE_NSEARCH | RL_STATE_MULTIKEY | RL_STATE_NUMERICARG | RL_STATE_CHARSEARCH | RL_STATE_VIMOTION))
        bytes_type("\7", 1);
}

/* Whether the key goes on with a search, and does not end it to do something else. */
static bool goes_on_search(const char *name)
{
    static const char *const keys[] = {"Space", "Backspace", "Enter", "C-r", "C-s", "C-g", "C-h", "C-j", "C-w", "C-y"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(name, keys[i])) return true;
    return !name[1] || (unsigned char)name[0] >= 0x80;
}

void line_select(size_t from) { line.selected = from; }

size_t line_selected(void) { return line.open && line.selected < (size_t)rl_end ? line.selected : 0; }

/* The line becomes the text: one change, which can be undone.  rl_replace_line would free changes that the saved line,
 * or one of the history, may share. */
static void text_replace(const char *text)
{
    rl_begin_undo_group();
    rl_delete_text(0, rl_end);
    rl_point = 0;
    rl_insert_text(text);
    rl_end_undo_group();
}

/* A search of lines (M-p, M-n) that is given up brings back the line that was typed, but readline (8.2) stays at the
 * line of the history where it began; it takes what is typed then for changes of both, and frees them twice.  So such a
 * search begins behind the history, with the same text. */
static void search_begins(const char *bytes, size_t n)
{
    int type;
    rl_command_func_t *f = n ? rl_function_of_keyseq_len(bytes, n, NULL, &type) : NULL;
    if (f != rl_noninc_forward_search && f != rl_noninc_reverse_search) return;
    if (where_history() >= history_length) return;
    char *text = xstrdup(rl_line_buffer);
    rl_end_of_history(1, 0);
    text_replace(text);
    free(text);
}

void line_key(const char *name)
{
    const size_t from = line_selected();
    char bytes[sizeof line.queue];
    line.selected = 0;
    if (from && (unsigned char)name[0] > ' ' && !name[1]) {
        rl_delete_text((int)from, rl_end);
        rl_point = (int)from;
    }
    if (line.open && RL_ISSTATE(RL_STATE_ISEARCH) && !goes_on_search(name)) waiting_end();
    const size_t n = key_bytes(name, bytes, sizeof bytes);
    if (line_ready()) search_begins(bytes, n);
    bytes_type(bytes, n);
    if (line.deferred) {
        char *text = line.deferred;
        line.deferred = NULL;
        line_set(text);
        free(text);
    }
}

const char *line_text(int *cursor)
{
    *cursor = line.open ? rl_point : 0;
    return line.open ? rl_line_buffer : "";
}

const char *line_message(void) { return line.open && rl_display_prompt ? rl_display_prompt : ""; }

void line_set(const char *text)
{
    line_select(0);
    if (!line.open && !*text) return;
    if (!line_ready()) return;
    if (line.entering) {
        free(line.deferred);
        line.deferred = xstrdup(text);
        return;
    }
    waiting_end();
    if (rl_editing_mode == 0 && rl_get_keymap() == vi_movement_keymap) rl_vi_insertion_mode(1, 'i');
    text_replace(text);
}

void line_insert(const char *text)
{
    waiting_end();
    if (line_ready()) rl_insert_text(text);
}

bool line_escape(void)
{
    if (!line.open || rl_editing_mode != 0 || rl_get_keymap() != vi_insertion_keymap) return false;
    rl_vi_movement_mode(1, 27);
    return true;
}

/* ---- A plain prompt ---- */

/* Of the plain prompt; a signal handler can reach nothing else. */
static struct {
    const volatile sig_atomic_t *interrupted;
    struct termios shell; /* how the terminal was */
    bool held, pastes;
} plain;

/* Without memory the program ends while a line is being typed, too. */
static void give_back(void) { rl_deprep_term_function(); }

/* readline gives the terminal back for the few signals that it knows; for the others it is done here, with nothing but
 * system calls: marks around pasted text are no longer asked for. */
static void on_end(int number)
{
    static const char pastes_off[] = "\033[?2004l\r";
    if (plain.held && tcsetattr(STDIN_FILENO, TCSANOW, &plain.shell) == 0 && plain.pastes &&
        write(fileno(rl_outstream), pastes_off, sizeof pastes_off - 1) < 0) { /* there is nobody to see it */
    }
    endings_end(number);
}

/* A key; Ctrl-C while it is waited for ends the line, without its text. */
static int plain_getc(FILE *f)
{
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    for (;;) {
        struct pollfd key = {.fd = fileno(f), .events = POLLIN};
        sigprocmask(SIG_BLOCK, &interrupt, &before);
        const int ready = rl_pending_signal() ? -1 : ppoll(&key, 1, NULL, &before);
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (ready >= 0) return rl_getc(f);
        rl_check_signals(); /* it lets the handler know */
        if (!*plain.interrupted) continue;
        rl_replace_line("", 1);
        return '\n';
    }
}

void line_plain(struct gpudbg *g, const volatile sig_atomic_t *interrupted)
{
    atexit(give_back);
    plain.interrupted = interrupted;
    plain.held = tcgetattr(STDIN_FILENO, &plain.shell) == 0;
    if (!isatty(STDOUT_FILENO)) rl_outstream = stderr;
    common_open(g, true);
    keys_ready();
    const char *pastes = rl_variable_value("enable-bracketed-paste"), *term = getenv("TERM");
    plain.pastes = pastes && !strcmp(pastes, "on") && term && strcmp(term, "dumb");
    rl_getc_function = plain_getc;
    endings_take(on_end, on_end);
}

char *line_ask(const char *prompt)
{
    char *text = readline(prompt);
    if (text && plain.interrupted && *plain.interrupted) *text = 0;
    if (text) history_keep(text);
    return text;
}

void line_close(void)
{
    if (line.open) rl_callback_handler_remove();
    history_save();
    if (line.in) fclose(line.in);
    if (line.out) fclose(line.out);
    free(line.deferred);
    memset(&line, 0, sizeof line);
}
