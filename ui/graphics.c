/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graphics.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ---- Answers ---- */

/* The numbers of "1;2;3"; returns how many, at most `most`. */
static size_t numbers(const char *text, size_t n, unsigned *to, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < n && count < most; i++, count++)
        for (to[count] = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
            to[count] = to[count] < 100000 ? 10 * to[count] + (unsigned)(text[i] - '0') : to[count];
    return count;
}

/* ESC [ ... final: "?62;4c" are attributes, "6;16;8t" a cell's height and width, "?1;0;256S" colours of sixels.
 * false: it is a key. */
static bool control_answer(struct answers *a, const char *text, size_t n, char final)
{
    unsigned v[32];
    const bool asked = n && *text == '?';
    const size_t count = numbers(text + asked, n - asked, v, sizeof v / sizeof *v);
    if (asked && final == 'c') {
        a->attributes = true;
        for (size_t i = 1; i < count; i++) a->sixel |= v[i] == 4;
        return true;
    }
    if (!asked && final == 't' && count == 3 && v[0] == 6) {
        a->cell_height = v[1];
        a->cell_width = v[2];
        return true;
    }
    if (asked && final == 'S' && count >= 3 && v[0] == 1 && v[1] == 0) a->colours = v[2];
    return asked && final == 'S';
}

static void keep(struct answers *a, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && a->ntyped < sizeof a->typed; i++) a->typed[a->ntyped++] = bytes[i];
}

/* The length of "ESC [ ... final" or "ESC _ ... ESC \"; 0: it is not whole; 1: it is neither. */
static size_t sequence(const char *p, size_t n)
{
    if (n < 2) return *p == 27 ? 0 : 1;
    if (p[0] != 27 || (p[1] != '[' && p[1] != '_')) return 1;
    for (size_t i = 2; i < n; i++) {
        if (p[1] == '[' && p[i] >= 0x40 && p[i] <= 0x7e) return i + 1;
        if (p[1] == '_' && p[i - 1] == 27 && p[i] == '\\') return i + 1;
    }
    return 0;
}

size_t answers_read(struct answers *a, const char *bytes, size_t n)
{
    size_t at = 0;
    while (at < n) {
        const char *p = bytes + at;
        const size_t size = sequence(p, n - at);
        if (!size) break;
        if (size > 3 && p[1] == '_' && p[2] == 'G')
            a->kitty |= memmem(p, size, ";OK", 3) != NULL;
        else if (size < 3 || p[1] != '[' || !control_answer(a, p + 2, size - 3, p[size - 1]))
            keep(a, p, size);
        at += size;
    }
    return at;
}

/* ---- Asking ---- */

#define PATIENCE 1000 /* ms, for a terminal far away; one that never answers costs them once */

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Signals that end or stop a program: what they do waits until the terminal is as it was. */
static const int endings[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};
#define ENDINGS (sizeof endings / sizeof *endings)

static volatile sig_atomic_t came; /* the one that came meanwhile, or 0: a signal handler can reach nothing else */

static void on_ending(int number) { came = number; }

static void endings_hold(struct sigaction *before)
{
    const struct sigaction hold = {.sa_handler = on_ending}; /* no SA_RESTART: it ends the waiting */
    came = 0;
    for (size_t i = 0; i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(endings[i], &hold, NULL);
    }
}

static void endings_release(const struct sigaction *before)
{
    for (size_t i = 0; i < ENDINGS; i++) sigaction(endings[i], &before[i], NULL);
    if (came) raise(came);
}

/* Sends a question, which ends with one for the attributes, and reads until these have come or the time is over. */
static void ask(struct answers *a, const char *question, long end)
{
    char bytes[512];
    size_t have = 0;
    a->attributes = false;
    if (write(STDOUT_FILENO, question, strlen(question)) < 0) return;
    while (!a->attributes && !came && now() < end) {
        struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&fd, 1, (int)(end - now())) < 0) continue; /* a signal: unless it ends the program, the time goes on */
        if (!(fd.revents & POLLIN)) break;
        const ssize_t n = read(STDIN_FILENO, bytes + have, sizeof bytes - have);
        if (n <= 0) break;
        have += (size_t)n;
        const size_t done = answers_read(a, bytes, have);
        memmove(bytes, bytes + done, have -= done);
        if (have == sizeof bytes) have = 0; /* an answer without end */
    }
    keep(a, bytes, have);
}

/* Kitty's question is a string that some terminals take for a title (tmux, screen) or print (the console): they are not
 * asked it, and none of them has kitty's graphics. */
static bool strings_are_safe(void)
{
    const char *term = getenv("TERM"), *tmux = getenv("TMUX");
    static const char *const unsafe[] = {"screen", "tmux", "linux"};
    for (size_t i = 0; term && i < sizeof unsafe / sizeof *unsafe; i++)
        if (strncmp(term, unsafe[i], strlen(unsafe[i])) == 0) return false;
    return term && !(tmux && *tmux);
}

static void size_take(struct graphics *g)
{
    struct winsize size = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    g->columns = size.ws_col ? size.ws_col : 80;
    g->rows = size.ws_row ? size.ws_row : 24;
    if (!g->cell_width || !g->cell_height) {
        g->cell_width = size.ws_xpixel / g->columns;
        g->cell_height = size.ws_ypixel / g->rows;
    }
    if (!g->cell_width || !g->cell_height) {
        g->cell_width = 8;
        g->cell_height = 16;
    }
}

void graphics_ask(struct graphics *g, struct answers *a)
{
    struct termios was, raw;
    struct sigaction before[ENDINGS];
    const bool known = g->kind != GRAPHICS_UNKNOWN;
    *a = (struct answers){.attributes = false};
    size_take(g);
    if (known) return;
    g->kind = GRAPHICS_NONE;
    g->colours = 256;
    /* In the background nobody would answer, and the terminal stops who tries. */
    if (!isatty(STDOUT_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &was)) return;
    raw = was;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    raw.c_iflag &= ~(tcflag_t)ICRNL; /* a typed Enter is given back as it came */
    endings_hold(before);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    const long end = now() + PATIENCE;
    fflush(stdout);
    ask(a, strings_are_safe() ? "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[16t\033[c" : "\033[16t\033[c", end);
    if (a->sixel && !a->kitty && !came) ask(a, "\033[?1;1;0S\033[c", end);
    tcsetattr(STDIN_FILENO, TCSANOW, &was);
    endings_release(before);
    g->kind = a->kitty ? GRAPHICS_KITTY : a->sixel ? GRAPHICS_SIXEL : GRAPHICS_NONE;
    if (a->cell_width - 1 < 100 && a->cell_height - 1 < 200) {
        g->cell_width = a->cell_width;
        g->cell_height = a->cell_height;
    }
    if (a->colours >= 2 && a->colours < 256) g->colours = a->colours;
}

/* ---- The picture over the cells ---- */

static bool same_place(const struct cells_image *a, const struct cells_image *b)
{
    return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h && a->kitty == b->kitty;
}

static bool same(const struct cells_image *a, const struct cells_image *b)
{
    return same_place(a, b) && a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* Moves the terminal's cursor; save and restore around it keep what curses knows of it. */
static void go(FILE *f, int x, int y) { fprintf(f, "\033[%d;%dH", y + 1, x + 1); }

void graphics_hide(struct graphics_shown *s, const struct cells_image *wanted, FILE *f)
{
    const struct cells_image *is = &s->image;
    if (!is->w || (wanted && wanted->w && same(is, wanted))) return;
    if (is->kitty) {
        graphics_kitty_delete(f, GRAPHICS_NUMBER);
    } else {
        fputs("\0337\033[0m", f);
        for (int y = 0; y < is->h; y++) {
            go(f, is->x, is->y + y);
            fprintf(f, "%*s", is->w, "");
        }
        fputs("\0338", f);
    }
    fflush(f);
    free(s->bytes);
    *s = (struct graphics_shown){.bytes = NULL};
}

void graphics_show(struct graphics_shown *s, const struct cells_image *image, FILE *f)
{
    if (!image->w || s->image.w) return; /* the one that is shown is this one */
    if (!(s->bytes = malloc(image->n ? image->n : 1))) return;
    s->image = *image;
    s->image.bytes = memcpy(s->bytes, image->bytes, image->n);
    fputs("\0337", f);
    go(f, image->x, image->y);
    fwrite(image->bytes, 1, image->n, f);
    fputs("\0338", f);
    fflush(f);
}
