/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"
#include "base/alloc.h"
#include "endings.h"
#include "graphics.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

/* Of term.h, which makes macros of words like `columns`. */
extern char *tigetstr(const char *);
extern int setupterm(const char *, int, int *);
extern int tputs(const char *, int, int (*)(int));

/* The process has one terminal and one set of signal handlers: this is the state that they must reach. */
static struct {
    bool open, colour, stale;
    bool pastes; /* it tells pasted text from typed keys */
    attr_t attributes[STYLE_COUNT];
    short pair[STYLE_COUNT];
    struct cells *shown;           /* what the terminal shows now */
    struct graphics_shown picture; /* over its cells */
    uint64_t most;                 /* cells; 0: no limit */
    int columns, rows;             /* of the terminal, where it has more; else 0 */
    int wake[2];                   /* a byte for every signal, so that poll wakes up */
    int empty_reads;
    volatile sig_atomic_t interrupted, stopped, continued, resized, ended;
    volatile sig_atomic_t held; /* the terminal is not as it was, or is just being given back */
    struct termios shell;       /* how it was */
    char restore[256];          /* what to send to get back to it */
    size_t nrestore;
    bool at_exit;
} terminal = {.wake = {-1, -1}};

#define KEY_PASTE 0x2001     /* text that was pasted follows, up to KEY_PASTE_END */
#define KEY_PASTE_END 0x2002 /* codes beyond those of curses */
#define PASTE_MOST ((size_t)1 << 20)
#define PASTE_GAP 500 /* ms without a byte that end a paste whose end is missing */

#define PATIENCE 600000 /* us between the signal that ends the program and the end, whatever it is doing */

/* Gives the terminal back with nothing but system calls, and does not wait for a terminal that takes nothing: what it
 * has not taken is thrown away, so that there is room for what restores it. */
static void give_back(void)
{
    if (!terminal.held) return;
    terminal.held = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.shell);
    tcflush(STDOUT_FILENO, TCOFLUSH);
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    if (write(STDOUT_FILENO, terminal.restore, terminal.nrestore) < 0) { /* there is nobody to see it */
    }
    fcntl(STDOUT_FILENO, F_SETFL, flags); /* the shell has the same */
}

/* The program was told to end and has not: it waits for something, or works. */
static void on_patience_over(int number)
{
    give_back();
    endings_end(terminal.ended ? terminal.ended : number); /* nobody but a stranger sends it before */
}

static void on_signal(int number)
{
    int saved = errno;
    switch (number) {
    case SIGINT: terminal.interrupted = 1; break;
    case SIGTSTP: terminal.stopped = 1; break;
    case SIGCONT: terminal.continued = 1; break;
    case SIGWINCH: terminal.resized = 1; break;
    default:
        terminal.ended = number;
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = PATIENCE}}, NULL);
        break;
    }
    if (write(terminal.wake[1], "!", 1) < 0) { /* full: poll wakes up anyway */
    }
    errno = saved;
}

/* SA_RESETHAND: it comes again once this returns, and ends the program. */
static void on_crash(int number)
{
    give_back();
    raise(number);
}

static const int asking[] = {SIGINT, SIGTSTP, SIGCONT, SIGWINCH};

/* There is no screen after all: these mean what they meant. */
static void signals_leave(void)
{
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) signal(asking[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}

static void signals_take(void)
{
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(asking[i], &action, NULL);
    }
    endings_take(on_signal, on_crash);
    struct sigaction over = {.sa_handler = on_patience_over};
    sigemptyset(&over.sa_mask);
    sigaddset(&over.sa_mask, SIGINT);
    sigaction(SIGALRM, &over, NULL);
}

static int restore_add(int c)
{
    if (terminal.nrestore < sizeof terminal.restore) terminal.restore[terminal.nrestore++] = (char)c;
    return c;
}

/* What endwin would send, kept for when there is no time for it. */
static void restore_prepare(void)
{
    static const char *const wanted[] = {"sgr0", "rmkx", "cnorm", "rmcup"};
    terminal.nrestore = 0;
    for (const char *c = "\033[?2004l"; *c && terminal.pastes; c++) restore_add(*c);
    for (const char *c = "\033[?1000l"; *c && tigetstr("kmous") != NULL; c++) restore_add(*c); /* the mouse */
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const char *text = tigetstr(wanted[i]);
        if (text && text != (char *)-1) tputs(text, 1, restore_add);
    }
}

/* ---- Endings that nobody planned ---- */

/* exit() may come from anywhere, from terminal_close, too. */
static void at_exit(void)
{
    terminal_close();
    give_back();
}

/* A library may call exit() without memory, and any code may crash: neither leaves the terminal as the screen needs it.
 */
static void exit_take(void)
{
    if (!terminal.at_exit) atexit(at_exit);
    terminal.at_exit = true;
}

static bool wake_open(void)
{
    if (terminal.wake[0] >= 0) return true;
    if (pipe(terminal.wake)) return false;
    for (int i = 0; i < 2; i++) {
        fcntl(terminal.wake[i], F_SETFL, O_NONBLOCK);
        fcntl(terminal.wake[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* Terminals send more than their terminfo entry tells, the same few sequences everywhere. */
static void keys_define(void)
{
    static const struct {
        const char *bytes;
        int code;
    } common[] = {
        {"\033[A", KEY_UP},
        {"\033[B", KEY_DOWN},
        {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},
        {"\033OA", KEY_UP},
        {"\033OB", KEY_DOWN},
        {"\033OC", KEY_RIGHT},
        {"\033OD", KEY_LEFT},
        {"\033[H", KEY_HOME},
        {"\033[F", KEY_END},
        {"\033OH", KEY_HOME},
        {"\033OF", KEY_END},
        {"\033[1~", KEY_HOME},
        {"\033[4~", KEY_END},
        {"\033[7~", KEY_HOME},
        {"\033[8~", KEY_END},
        {"\033[2~", KEY_IC},
        {"\033[3~", KEY_DC},
        {"\033[5~", KEY_PPAGE},
        {"\033[6~", KEY_NPAGE},
        {"\033[Z", KEY_BTAB},
        {"\033OP", KEY_F(1)},
        {"\033[11~", KEY_F(1)},
        {"\033[[A", KEY_F(1)},
        {"\033[200~", KEY_PASTE},
        {"\033[201~", KEY_PASTE_END},
    };
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) define_key(common[i].bytes, common[i].code);
}

/* Asks for marks around pasted text; terminals that do not know them ignore it.  The plain ones of old are not asked.
 */
static void pastes_ask(bool on)
{
    if (!terminal.pastes) return;
    fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
    fflush(stdout);
}

/* Ctrl-S, Ctrl-Q and Ctrl-V are keys here, not the terminal's. */
static void keys_free_up(void)
{
    struct termios mode;
    if (tcgetattr(STDIN_FILENO, &mode)) return;
    mode.c_iflag &= ~(tcflag_t)IXON;
    mode.c_lflag &= ~(tcflag_t)IEXTEN;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
    def_prog_mode();
}

void terminal_mouse(bool on)
{
    mmask_t wanted = BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED;
#ifdef BUTTON5_PRESSED
    wanted |= BUTTON5_PRESSED;
#endif
    mousemask(on ? wanted : 0, NULL);
}

/* ---- Its size ---- */

#define SIDE_MOST 10000 /* columns or rows; curses counts them in 15 bits */

void terminal_cells_most(uint64_t most)
{
    if (terminal.open && terminal.most != most) terminal.resized = 1;
    terminal.most = most;
}

bool terminal_is_larger(int *columns, int *rows)
{
    *columns = terminal.columns;
    *rows = terminal.rows;
    return terminal.columns > 0;
}

/* Cuts a size to what the screen may have, as square as it was.  Returns whether it was larger. */
static bool size_cut(int *columns, int *rows)
{
    const uint64_t most = terminal.most ? terminal.most : UINT64_MAX;
    const int c = *columns, r = *rows;
    uint64_t side = 1;
    while (side < SIDE_MOST && (side + 1) * (side + 1) <= most) side++;
    if (*columns > SIDE_MOST) *columns = SIDE_MOST;
    if (*rows > SIDE_MOST) *rows = SIDE_MOST;
    if ((uint64_t)*columns * (uint64_t)*rows > most) {
        const uint64_t beside = most / (uint64_t)*rows;
        if ((uint64_t)*columns > (beside > side ? beside : side)) *columns = (int)(beside > side ? beside : side);
        if ((uint64_t)*rows > most / (uint64_t)*columns) *rows = (int)(most / (uint64_t)*columns);
        if (*rows < 1) *rows = 1;
    }
    terminal.columns = terminal.rows = 0;
    if (*columns == c && *rows == r) return false;
    terminal.columns = c;
    terminal.rows = r;
    return true;
}

/* A size of the environment, as curses reads it: before the terminal's own. */
static int size_said(const char *name, int otherwise)
{
    const char *text = getenv(name);
    char *end = NULL;
    const long n = text ? strtol(text, &end, 0) : 0;
    return n > 0 && end && !*end ? (n < INT_MAX ? (int)n : INT_MAX) : otherwise;
}

static void size_say(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* newterm takes memory for as many cells as the terminal has: of a larger one it is told a size that it may have. */
static SCREEN *screen_of_size(int *columns, int *rows)
{
    static const char *const names[] = {"COLUMNS", "LINES"};
    struct winsize size = {0};
    char *before[2], said[16];
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *columns = size_said(names[0], size.ws_col ? size.ws_col : 80);
    *rows = size_said(names[1], size.ws_row ? size.ws_row : 24);
    if (!size_cut(columns, rows)) return newterm(NULL, stdout, stdin);
    for (int i = 0; i < 2; i++) {
        const char *was = getenv(names[i]);
        before[i] = was ? xstrdup(was) : NULL;
        snprintf(said, sizeof said, "%d", i ? *rows : *columns);
        size_say(names[i], said);
    }
    SCREEN *screen = newterm(NULL, stdout, stdin);
    for (int i = 0; i < 2; i++) {
        size_say(names[i], before[i]);
        free(before[i]);
    }
    return screen;
}

bool terminal_open(bool colour, struct gpudbg_error *err)
{
    if (!wake_open()) return gpudbg_fail(err, "io", "pipe: %s", strerror(errno));
    if (tcgetattr(STDIN_FILENO, &terminal.shell)) return gpudbg_fail(err, "io", "no terminal: %s", strerror(errno));
    terminal.nrestore = 0;
    signals_take();
    exit_take();
    terminal.held = 1; /* newterm changes it, and may not return */
    int columns, rows;
    if (!screen_of_size(&columns, &rows)) {
        give_back();
        signals_leave();
        const char *term = getenv("TERM");
        int known = 0;
        if (setupterm(NULL, STDOUT_FILENO, &known) == OK || known == 1)
            return gpudbg_fail(err, "memory", "no memory for a screen of %dx%d", columns, rows);
        return gpudbg_fail(err, "unsupported", "terminal type '%s' is not known here", term ? term : "");
    }
    terminal.pastes = tigetstr("kmous") != NULL && tigetstr("kmous") != (char *)-1;
    restore_prepare();
    terminal.open = true;
    pastes_ask(true);
    terminal.colour = colour && has_colors();
    if (terminal.colour) {
        start_color();
        use_default_colors();
    }
    cbreak();
    noecho();
    nonl();
    keys_free_up();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    idcok(stdscr, FALSE); /* cells do not move, and pictures stay where they are */
    keys_define();
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    mouseinterval(0);
    terminal_mouse(true);
    return true;
}

void terminal_close(void)
{
    if (!terminal.open) return;
    terminal.open = false;
    graphics_hide(&terminal.picture, NULL, stdout);
    pastes_ask(false);
    cells_free(terminal.shown);
    terminal.shown = NULL;
    move(LINES - 1, 0); /* a terminal without a second screen shows what is left: let the shell's line be empty */
    clrtoeol();
    refresh();
    endwin();
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.shell); /* endwin's own copy may be one that it did not get */
    terminal.held = 0;
}

void terminal_typed(const char *bytes, size_t n)
{
    while (n) ungetch((unsigned char)bytes[--n]);
}

void terminal_theme(const struct theme *theme)
{
    static const struct {
        uint8_t attribute;
        attr_t curses;
    } map[] = {{THEME_BOLD, A_BOLD}, {THEME_DIM, A_DIM}, {THEME_UNDERLINE, A_UNDERLINE}, {THEME_REVERSE, A_REVERSE}};
    for (int i = 0; i < STYLE_COUNT; i++) {
        const struct look *look = &theme->look[i];
        uint8_t wanted = terminal.colour ? look->attributes : look->plain;
        terminal.attributes[i] = 0;
        for (size_t k = 0; k < sizeof map / sizeof *map; k++)
            if (wanted & map[k].attribute) terminal.attributes[i] |= map[k].curses;
        terminal.pair[i] = 0;
        if (terminal.colour && i + 1 < COLOR_PAIRS) {
            /* Where there are fewer colours the others are the terminal's own: attributes still tell them apart. */
            const short text = look->foreground < COLORS ? look->foreground : -1;
            const short ground = look->background < COLORS ? look->background : -1;
            init_pair((short)(i + 1), text, ground);
            terminal.pair[i] = (short)(i + 1);
        }
    }
    terminal_redraw();
}

int terminal_palette(void) { return terminal.colour ? COLORS : 0; }

void terminal_size(int *columns, int *rows)
{
    *columns = COLS > 0 ? COLS : 1;
    *rows = LINES > 0 ? LINES : 1;
}

void terminal_redraw(void) { terminal.stale = true; }

/* Cells that look alike can be written together. */
static bool looks_alike(const struct cell *a, const struct cell *b)
{
    return a->style == b->style && a->fore == b->fore && a->ground == b->ground;
}

static void look_choose(const struct cell *c)
{
    int pair = terminal.pair[c->style];
    const bool own = c->fore && terminal.colour && COLORS >= 256;
    if (own && (pair = alloc_pair(c->fore, c->ground)) >= 0)
        attr_set(0, 0, &pair);
    else
        attr_set(terminal.attributes[c->style], terminal.pair[c->style], NULL);
}

static void row_show(const struct cell *row, int y, int columns)
{
    wchar_t text[256];
    move(y, 0);
    for (int x = 0; x < columns;) {
        int n = 0, start = x;
        for (; x < columns && looks_alike(&row[x], &row[start]) && n < 255; x++)
            if (row[x].glyph) text[n++] = (wchar_t)row[x].glyph;
        if (x == start) break;
        look_choose(&row[start]);
        addnwstr(text, n);
    }
}

/* A row as curses is to know it.  Under a picture of the terminal its cells are no-break spaces: curses never writes
 * over them to move its cursor or to clear a row, as it does with blanks.  The cursor of a pane is above kitty's. */
static const struct cell *row_under(const struct cells *c, int y, struct cell *own)
{
    const struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
    const struct cells_image *p = &c->image;
    if (!own || !p->w || y < p->y || y >= p->y + p->h) return row;
    memcpy(own, row, (size_t)c->columns * sizeof *own);
    for (int x = p->x; x < p->x + p->w; x++)
        if (!p->kitty || own[x].style != STYLE_cursor) own[x] = (struct cell){.glyph = 0xa0, .style = STYLE_text};
    return own;
}

/* Gives the terminal back without a picture, also where nobody has time to take it away. */
static void restore_picture(void)
{
    static bool done;
    char *text = NULL;
    size_t n = 0;
    FILE *f = done ? NULL : open_memstream(&text, &n);
    if (!f) return;
    graphics_kitty_delete(f, GRAPHICS_NUMBER);
    if (fclose(f) == 0)
        for (size_t i = 0; i < n; i++) restore_add(text[i]);
    free(text);
    done = true;
}

void terminal_show(const struct cells *c)
{
    struct cells *old = terminal.shown;
    struct cell *own = c->image.w ? malloc((size_t)c->columns * sizeof *own) : NULL;
    const struct cells_image none = {.w = 0}, *picture = own ? &c->image : &none;
    if (picture->w && picture->kitty) restore_picture();
    graphics_hide(&terminal.picture, terminal.stale ? NULL : picture, stdout);
    if (!old || old->columns != c->columns || old->rows != c->rows || terminal.stale) {
        cells_free(old);
        old = terminal.shown = cells_new(c->columns, c->rows, c->utf8);
        if (!old) {
            free(own);
            return;
        }
        memset(old->cell, 0xff, (size_t)c->columns * (size_t)c->rows * sizeof *old->cell);
        clear();
        terminal.stale = false;
    }
    for (int y = 0; y < c->rows; y++) {
        size_t at = (size_t)y * (size_t)c->columns, bytes = (size_t)c->columns * sizeof *c->cell;
        const struct cell *row = row_under(c, y, own);
        if (!memcmp(old->cell + at, row, bytes)) continue;
        row_show(row, y, c->columns);
        memcpy(old->cell + at, row, bytes);
    }
    free(own);
    attr_set(0, 0, NULL);
    if (c->cursor_x >= 0) {
        move(c->cursor_y, c->cursor_x);
        curs_set(1);
    } else {
        move(c->rows - 1, 0);
        curs_set(0);
    }
    refresh();
    graphics_show(&terminal.picture, picture, stdout);
}

static void size_changed(void)
{
    struct winsize size;
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col) {
        int columns = size.ws_col, rows = size.ws_row;
        size_cut(&columns, &rows);
        resizeterm(rows, columns);
    }
    terminal_redraw();
}

void terminal_suspend(void)
{
    terminal.stopped = 0;
    graphics_hide(&terminal.picture, NULL, stdout);
    pastes_ask(false);
    endwin();
    kill(0, SIGSTOP);
    terminal.continued = 0;
    refresh();
    pastes_ask(true);
    size_changed();
}

/* Ctrl-Z stops the program and gpudbg together, as a shell wants it. */
void terminal_leave(void)
{
    graphics_hide(&terminal.picture, NULL, stdout);
    pastes_ask(false);
    endwin();
    puts(""); /* a line of its own */
    fflush(stdout);
    signal(SIGTSTP, SIG_DFL);
}

void terminal_return(const char *question)
{
    char c = 0;
    fputs(question, stdout);
    fflush(stdout);
    while (!terminal.ended && c != '\n' && read(STDIN_FILENO, &c, 1) == 1) continue;
    signals_take();
    terminal.interrupted = terminal.continued = 0;
    refresh();
    pastes_ask(true);
    size_changed();
}

/* A name for a function key of curses, or NULL. */
static const char *function_key_name(int code, char *buf, size_t size)
{
    static const struct {
        int code;
        const char *name;
    } names[] = {
        {KEY_UP, "Up"},
        {KEY_DOWN, "Down"},
        {KEY_LEFT, "Left"},
        {KEY_RIGHT, "Right"},
        {KEY_HOME, "Home"},
        {KEY_END, "End"},
        {KEY_PPAGE, "PgUp"},
        {KEY_NPAGE, "PgDn"},
        {KEY_DC, "Delete"},
        {KEY_IC, "Insert"},
        {KEY_ENTER, "Enter"},
        {KEY_BTAB, "BackTab"},
        {KEY_BACKSPACE, "Backspace"},
        {KEY_SR, "S-Up"},
        {KEY_SF, "S-Down"},
        {KEY_SLEFT, "S-Left"},
        {KEY_SRIGHT, "S-Right"},
        {KEY_FIND, "Home"},
        {KEY_SELECT, "End"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) return names[i].name;
    if (code >= KEY_F(1) && code <= KEY_F(24)) {
        snprintf(buf, size, "F%d", code - KEY_F0);
        return buf;
    }
    /* Keys with modifiers have no fixed codes: their names in terminfo are kUP5 and the like. */
    static const struct {
        const char *terminfo, *name;
    } extended[] = {
        {"kUP", "Up"}, {"kDN", "Down"}, {"kLFT", "Left"}, {"kRIT", "Right"}, {"kHOM", "Home"}, {"kEND", "End"}};
    const char *name = keyname(code);
    for (size_t i = 0; name && i < sizeof extended / sizeof *extended; i++) {
        size_t n = strlen(extended[i].terminfo);
        if (!strncmp(name, extended[i].terminfo, n) && (name[n] == '3' || name[n] == '5') && !name[n + 1]) {
            snprintf(buf, size, "%s-%s", name[n] == '5' ? "C" : "M", extended[i].name);
            return buf;
        }
    }
    return NULL;
}

/* A name for a character. */
static void character_name(wint_t c, char *buf, size_t size)
{
    if (c == ' ')
        snprintf(buf, size, "Space");
    else if (c == '\r' || c == '\n')
        snprintf(buf, size, "Enter");
    else if (c == '\t')
        snprintf(buf, size, "Tab");
    else if (c == 27)
        snprintf(buf, size, "Escape");
    else if (c == 127 || c == 8)
        snprintf(buf, size, "Backspace");
    else if (c < 32)
        snprintf(buf, size, "C-%c", c < 27 ? (int)c + 'a' - 1 : (int)c + '@');
    else {
        char utf8[4];
        snprintf(buf, size, "%.*s", cells_encode((uint32_t)c, utf8), utf8);
    }
}

/* Everything up to the end of the paste. */
static char *paste_read(void)
{
    char *text = NULL;
    size_t n = 0, room = 0;
    for (;;) {
        wint_t c;
        const int kind = get_wch(&c);
        struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
        if (kind == ERR && poll(&fd, 1, PASTE_GAP) <= 0) break;
        if (kind == KEY_CODE_YES && c == KEY_PASTE_END) break;
        if (kind != OK || n >= PASTE_MOST) continue;
        if (n + 8 > room) text = xrealloc(text, room = room ? 2 * room : 256, 1);
        char utf8[4];
        const int size = cells_encode(c == '\r' ? '\n' : (uint32_t)c, utf8);
        memcpy(text + n, utf8, (size_t)size);
        n += (size_t)size;
    }
    if (text) text[n] = 0;
    return text;
}

static bool key_read(struct event *e)
{
    wint_t c;
    char buf[sizeof e->name];
    int kind = get_wch(&c);
    if (kind == ERR) return false;
    if (kind == KEY_CODE_YES && c == KEY_PASTE) {
        e->text = paste_read();
        e->kind = EVENT_PASTE;
        return e->text != NULL;
    }
    e->kind = EVENT_KEY;
    if (kind == KEY_CODE_YES && c == KEY_MOUSE) {
        MEVENT mouse;
        if (getmouse(&mouse) != OK) return false;
        const char *name = "Click";
        if (mouse.bstate & BUTTON4_PRESSED) name = "WheelUp";
#ifdef BUTTON5_PRESSED
        else if (mouse.bstate & BUTTON5_PRESSED)
            name = "WheelDown";
#endif
        *e = (struct event){.kind = EVENT_MOUSE, .x = mouse.x, .y = mouse.y};
        snprintf(e->name, sizeof e->name, "%s", name);
        return true;
    }
    if (kind == KEY_CODE_YES) {
        const char *name = function_key_name((int)c, buf, sizeof buf);
        if (name) snprintf(e->name, sizeof e->name, "%s", name);
        return name != NULL;
    }
    character_name(c, e->name, sizeof e->name);
    if (c == 27 && (kind = get_wch(&c)) == OK && c != 27) { /* Alt sends an escape first */
        if (c == '[' || c == 'O') {                         /* a key that nobody knows: its bytes are no keys */
            while (get_wch(&c) == OK && (c < 0x40 || c > 0x7e))
                ;
            return false;
        }
        if (c == '_' && (kind = get_wch(&c)) == OK) { /* a string: an answer that came late */
            while (c != '\\' && get_wch(&c) == OK) continue;
            return false;
        }
        if (kind != OK) c = '_';
        character_name(c, buf, sizeof buf - 2);
        snprintf(e->name, sizeof e->name, "M-%.20s", buf);
    }
    return true;
}

/* What signals have asked for. */
static bool signal_event(struct event *e)
{
    if (terminal.ended) return e->kind = EVENT_CLOSED, true;
    if (terminal.stopped) terminal_suspend();
    if (terminal.interrupted) {
        terminal.interrupted = 0;
        return e->kind = EVENT_INTERRUPT, true;
    }
    if (terminal.continued || terminal.resized || terminal.stale) {
        const bool again = terminal.continued;
        terminal.continued = terminal.resized = 0;
        if (again) refresh();
        size_changed();
        return e->kind = EVENT_RESIZE, true;
    }
    return false;
}

void terminal_event(struct event *e, int milliseconds)
{
    for (;;) {
        *e = (struct event){.kind = EVENT_NONE};
        if (signal_event(e)) return;
        if (key_read(e)) {
            terminal.empty_reads = 0;
            return;
        }
        struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = terminal.wake[0], .events = POLLIN}};
        int n = poll(fds, 2, milliseconds);
        char byte[64];
        while (read(terminal.wake[0], byte, sizeof byte) > 0)
            ;
        if (n == 0) {
            e->kind = EVENT_NONE; /* part of a key that nobody knows is none */
            return;
        }
        if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || terminal.empty_reads > 16) {
            e->kind = EVENT_CLOSED;
            return;
        }
        if (n > 0 && fds[0].revents & POLLIN) terminal.empty_reads++;
    }
}

bool terminal_wants_stop(void)
{
    if (terminal.stopped) terminal_suspend();
    if (terminal.ended) return true;
    if (!terminal.interrupted) return false; /* one that comes behind this is seen next time */
    terminal.interrupted = 0;
    return true;
}

bool terminal_resized(void)
{
    if (!terminal.resized) return false;
    terminal.resized = 0;
    size_changed();
    return true;
}

int terminal_ended(void) { return terminal.ended; }
