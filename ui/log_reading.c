/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_reading.c: the text of a file that is being read, and the screen meanwhile. */
#include "log_reading.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inside.h"
#include "opening.h"
#include "terminal.h"
#include "base/alloc.h"
#include "base/bytes.h"
#include "dump/dump.h"

#define MARK 64     /* lines between two marks */
#define BLOCK 65536 /* bytes */
#define AHEAD 10000 /* lines that are looked for beyond those shown: a few keys more need no look */
#define LINES_MOST (INT32_MAX - BLOCK)
#define LOOK ((uint64_t)16 << 20)
#define LONGEST 0.3 /* seconds in which the last line is looked for */
#define FRAME 0.1   /* seconds between two pictures */

/* ---- Lines ---- */

void reading_close(struct reading *r)
{
    if (r->fd >= 0) close(r->fd);
    free(r->mark);
    r->mark = NULL;
    r->nmarks = r->room = 0;
    r->size = r->scanned = 0;
    r->lines = 0;
    r->fd = -1;
}

static bool is_text(int fd)
{
    uint8_t head[4096];
    const ssize_t n = pread(fd, head, sizeof head, 0);
    return n > 0 && bytes_are_text(head, (size_t)n);
}

/* A pipe's bytes are copied, then read: the same text from another file, of which the lines are found anew. */
bool reading_shows(struct reading *r, int fd, uint64_t size)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return r->fd >= 0;
    if (r->fd < 0 || st.st_dev != r->device || st.st_ino != r->inode) {
        if (!is_text(fd)) return r->fd >= 0;
        reading_close(r);
        r->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        r->device = st.st_dev;
        r->inode = st.st_ino;
    }
    r->size = size;
    return r->fd >= 0;
}

static void mark(struct reading *r, uint64_t at)
{
    r->mark = xgrow(r->mark, r->nmarks, &r->room, sizeof *r->mark);
    r->mark[r->nmarks++] = at;
}

uint32_t reading_lines(struct reading *r, uint32_t wanted)
{
    char *block = r->lines < wanted && r->scanned < r->size ? malloc(BLOCK) : NULL;
    const uint64_t most = r->scanned + LOOK;
    while (block && r->lines < wanted && r->scanned < r->size && r->scanned < most) {
        const uint64_t left = r->size - r->scanned;
        const ssize_t n = pread(r->fd, block, left < BLOCK ? (size_t)left : BLOCK, (off_t)r->scanned);
        if (n <= 0) break;
        if (!r->nmarks) mark(r, 0);
        for (const char *at = block, *end; (end = memchr(at, '\n', (size_t)(block + n - at))); at = end + 1)
            if (++r->lines % MARK == 0) mark(r, r->scanned + (uint64_t)(end + 1 - block));
        r->scanned += (uint64_t)n;
    }
    free(block);
    return r->lines;
}

bool reading_line(struct reading *r, uint32_t line, char *buf, size_t size)
{
    char block[4096];
    size_t n = 0;
    if (!line || !size || line > reading_lines(r, line)) return false;
    uint64_t at = r->mark[(line - 1) / MARK];
    uint32_t skip = (line - 1) % MARK;
    for (ssize_t got = 1; n + 1 < size && got > 0 && at < r->size; at += (uint64_t)got) {
        const uint64_t left = r->size - at;
        got = pread(r->fd, block, left < sizeof block ? (size_t)left : sizeof block, (off_t)at);
        for (ssize_t i = 0; i < got && n + 1 < size; i++) {
            if (skip)
                skip -= block[i] == '\n';
            else if (block[i] == '\n')
                got = 0;
            else
                buf[n++] = block[i];
        }
    }
    while (n && buf[n - 1] == '\r') n--;
    buf[n] = 0;
    return true;
}

/* ---- Keys ---- */

/* "down 5" of the text; false: that is for when all is read. */
static bool log_moves(struct pane *log, const char *words)
{
    char name[32];
    struct gpudbg_error err = {.offset = -1};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(words, " "), words);
    const int action = pane_action_named(name), times = atoi(words + strcspn(words, " "));
    const bool moves = action >= 0 &&
                       (pane_action_moves((enum pane_action)action) || action == PANE_TOP || action == PANE_BOTTOM ||
                           action == PANE_SIDE_LEFT || action == PANE_SIDE_RIGHT || action == PANE_WRAP);
    struct reading *r = log->screen->reading;
    if (!moves) return false;
    r->moved = true;
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    while (action == PANE_BOTTOM && r->scanned < r->size && r->lines < LINES_MOST && seconds_since(&begun) < LONGEST)
        reading_lines(r, LINES_MOST);
    log->count = (int)reading_lines(r, 0);
    for (int i = 0; i < (times > 1 ? times : 1) && i < AHEAD; i++)
        if (!pane_act(log, (enum pane_action)action, "", &err)) screen_say_error(log->screen, &err);
    return true;
}

static void key_take(struct screen *s, struct pane *log, const char *key)
{
    const size_t digits = strlen(s->count);
    bool prefix;
    if (isdigit((unsigned char)key[0]) && !key[1] && (digits || key[0] != '0')) {
        if (digits + 2 < sizeof s->count) s->count[digits] = key[0], s->count[digits + 1] = 0;
        return;
    }
    const struct binding *b = keys_find(&s->keys, KEYS_SINGLE, log->name, key, &prefix);
    const char *command = b ? b->command : "";
    char words[sizeof b->command + sizeof s->count];
    snprintf(words, sizeof words, "%.*s%s", (int)strcspn(command, "%"), command, strchr(command, '%') ? s->count : "");
    s->count[0] = 0;
    s->notice = false;
    if (!strcmp(words, "quit"))
        s->g->quit = s->reading->ended = true;
    else if (!strcmp(words, "zoom"))
        s->zoomed = s->zoomed ? NULL : log;
    else if (!strcmp(words, "refresh"))
        terminal_redraw();
    else if (!b && !strcmp(key, "Escape"))
        s->zoomed = NULL;
    else if (strncmp(words, "pane ", 5) != 0 || !log_moves(log, words + 5))
        screen_say(s, STYLE_comment, "%s: not before the log is read; until then keys move in it, and q quits", key);
}

/* What was typed meanwhile; whether it changed what is to be seen. */
static bool events_take(struct screen *s, struct pane *log)
{
    struct reading *r = s->reading;
    struct event e = {.kind = EVENT_KEY};
    bool any = false;
    /* Another size stays news until it is drawn. */
    for (; !r->ended && !r->stopped && e.kind != EVENT_RESIZE; any = true) {
        terminal_event(&e, 0);
        switch (e.kind) {
        case EVENT_KEY: key_take(s, log, e.name); break;
        case EVENT_MOUSE:
            if (strncmp(e.name, "Wheel", 5) == 0) log_moves(log, e.name[5] == 'U' ? "scroll-up" : "scroll-down");
            break;
        case EVENT_RESIZE: screen_resize(s); break;
        case EVENT_CLOSED: s->closing = r->ended = true; break;
        case EVENT_INTERRUPT: r->stopped = true; break;
        case EVENT_PASTE: free(e.text); break;
        case EVENT_NONE: return any;
        }
    }
    return any;
}

/* ---- The screen ---- */

bool reading_tick(struct screen *s, uint64_t done, uint64_t todo)
{
    struct gpudbg_error none = {.offset = -1};
    struct pane *log = pane_named(s, "log", &none);
    s->reading->stopped = false;
    const bool typed = events_take(s, log);
    if (s->reading->ended || s->reading->stopped) return false;
    if (todo != s->progress.todo) clock_gettime(CLOCK_MONOTONIC, &s->progress.start); /* unpacked, now it is read */
    s->progress.done = todo ? done : s->reading->size;
    s->progress.todo = todo;
    if (s->drawn && !typed && seconds_since(&s->progress.drawn) < FRAME) return true;
    if (!s->drawn) s->focus = log;
    clock_gettime(CLOCK_MONOTONIC, &s->progress.drawn);
    log->count = (int)reading_lines(s->reading, (uint32_t)(log->cursor + log->top) + AHEAD);
    s->progress.shown = true;
    screen_draw(s);
    s->progress.shown = false;
    screen_frame(s);
    return true;
}

void reading_end(struct screen *s)
{
    struct gpudbg_error none = {.offset = -1};
    struct pane *explain = pane_named(s, "explain", &none);
    if (!s->reading->moved) s->focus = explain;
    s->reading = NULL;
}
