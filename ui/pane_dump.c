/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_dump.c: what a dump holds, three ways: decoded (as `info dump` writes it), its packets (as `packets` does), and
 * its own text.  The cursors are linked: every row of the first two knows the line of the file it comes from, so moving
 * in one pane moves the others.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "base/alloc.h"
#include "out/out.h"
#include "storm.h"
#include "dump/dump.h"
#include "dump/dump_shader.h"
#include "gpudbg/text.h"

#define ROWS_MOST 200000
#define NAME_LEAST 4      /* columns of a name that a value leaves */
#define VALUES_MOST 20000 /* a dump that holds more is decoded page by page */
#define PAGE 4000         /* lines of the file on such a page */
#define PREFIX_LINES 5000 /* that are compared */
#define STAMPS_LEAST 100  /* columns of a pane in which lines of a log keep what loggers put in front */
#define BYTES_MOST ((size_t)1 << 20)

struct dump_pane {
    size_t dumps; /* how many were open when the rows were made */
    char *text;   /* rows, each ends with 0 */
    char **row;
    uint32_t *line; /* of the file, for each row; 0: none yet */
    int rows;
    int was;               /* cursor when last drawn */
    unsigned seen;         /* stamp of the link that was followed last */
    bool linked;           /* one was followed */
    bool paged;            /* there are too many values for one list */
    const void *prefix_of; /* the dump, or what is read of it, whose lines begin with ... */
    char prefix[128];
    uint32_t page, shown; /* the page that is wanted, and the one that the rows are of */
    struct storms storms; /* the rows as they are shown */
    const struct gpudbg_dump *storms_of;
    bool folded;  /* storms are those of the present text */
    bool reading; /* when it was drawn last, the text was still being read */
};

/* ---- Rows ---- */

/* The number in front of a row, behind blanks; a row without one belongs to the row above. */
static uint32_t line_of(const char *row, uint32_t above)
{
    while (*row == ' ') row++;
    if (!isdigit((unsigned char)*row)) return above;
    char *end;
    unsigned long n = strtoul(row, &end, 10);
    return end[0] == ' ' && end[1] == ' ' && n <= UINT32_MAX ? (uint32_t)n : above;
}

static void forget(struct pane *p)
{
    struct dump_pane *d = p->own;
    free(d->text);
    free(d->row);
    free(d->line);
    storms_free(&d->storms);
    d->folded = false;
    d->text = NULL;
    d->row = NULL;
    d->line = NULL;
    d->rows = 0;
}

static size_t values_of(const struct gpudbg *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->loaded.ndumps; i++)
        n += gpudbg_dump_records(g->loaded.dumps[i]) + gpudbg_dump_incidents(g->loaded.dumps[i]);
    return n;
}

static size_t bytes_of(const struct gpudbg *g)
{
    size_t bytes = 0, n;
    for (size_t i = 0; i < g->loaded.ndumps; i++) {
        const struct gpudbg_stream *s = gpudbg_dump_streams(g->loaded.dumps[i], &n);
        for (size_t k = 0; k < n; k++) bytes += s[k].size;
    }
    return bytes;
}

static uint32_t pages_of(const struct gpudbg *g)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < g->loaded.ndumps; i++)
        lines = gpudbg_dump_lines(g->loaded.dumps[i]) > lines ? gpudbg_dump_lines(g->loaded.dumps[i]) : lines;
    return (lines + PAGE - 1) / PAGE;
}

/* Room for one row more; false: there is no memory for as many rows as the file has. */
static bool rows_grow(struct dump_pane *d)
{
    if (d->rows & (d->rows - 1)) return true;
    const size_t room = d->rows ? 2 * (size_t)d->rows : 1;
    char **row = realloc(d->row, room * sizeof *row);
    d->row = row ? row : d->row;
    uint32_t *line = realloc(d->line, room * sizeof *line);
    d->line = line ? line : d->line;
    return row && line;
}

/* Makes the rows from what a command writes. */
static void take(struct pane *p, const char *command)
{
    struct dump_pane *d = p->own;
    struct gpudbg_error err = {.offset = -1};
    char lines[64];
    if (d->dumps == p->g->loaded.ndumps && d->page == d->shown) return;
    forget(p);
    if (d->dumps != p->g->loaded.ndumps) {
        d->page = 0;
        d->paged = p->kind == &pane_decoded && values_of(p->g) > VALUES_MOST;
    }
    d->dumps = p->g->loaded.ndumps;
    d->shown = d->page;
    if (!d->dumps) return;
    struct gpudbg_out *out = out_memory(false);
    if (d->paged) {
        snprintf(lines, sizeof lines, "info dump -l %" PRIu32 "-%" PRIu32, d->page * PAGE + 1, (d->page + 1) * PAGE);
        command = lines;
        if (d->page) gpudbg_out_print(out, "(lines before %" PRIu32 ")\n", d->page * PAGE + 1);
    }
    if (p->kind == &pane_packets && bytes_of(p->g) > BYTES_MOST) {
        gpudbg_out_print(out, "%zu bytes are too many to list here: `packets STREAM` lists one.\n", bytes_of(p->g));
        command = "info dump streams";
    }
    const bool done = gpudbg_execute(p->g, command, out, &err);
    if (d->paged && d->page + 1 < pages_of(p->g))
        gpudbg_out_print(out, "(lines from %" PRIu32 " on)\n", (d->page + 1) * PAGE + 1);
    d->text = done ? out_taken(out, NULL) : NULL;
    out_close(out);
    for (char *at = d->text; at && *at && d->rows < ROWS_MOST;) {
        char *end = strchr(at, '\n');
        if (!rows_grow(d)) {
            screen_say(p->screen, STYLE_error, "out of memory: pane %s shows %d rows", p->name, d->rows);
            break;
        }
        d->row[d->rows] = at;
        d->line[d->rows] = line_of(at, d->rows ? d->line[d->rows - 1] : 0);
        d->rows++;
        if (!end) break;
        *end = 0;
        at = end + 1;
    }
}

/* ---- The link ---- */

static void tell(struct pane *p, uint32_t line)
{
    if (!line || line == p->screen->dump_line) return;
    p->screen->dump_line = line;
    p->screen->packet_line = 0;
    p->screen->dump_stamp++;
}

/* Follows where another pane has gone. */
static bool follow_link(struct pane *p)
{
    struct dump_pane *d = p->own;
    const bool moved = d->seen != p->screen->dump_stamp;
    d->seen = p->screen->dump_stamp;
    return moved; /* its own moves it has seen */
}

static void centre(struct pane *p, int row, int rows)
{
    struct dump_pane *d = p->own;
    p->cursor = d->was = row;
    if (!d->linked && p->kind == &pane_log)
        p->top = row; /* what is shown begins there */
    else if (row < p->top || row >= p->top + rows)
        p->top = row - rows / 2;
    d->linked = true;
}

/* Folds what comes again and again; `n` items, whose text item_text writes. */
static void fold_take(struct pane *p, uint32_t n, void (*item_text)(struct pane *, int, char *, size_t))
{
    struct dump_pane *d = p->own;
    char text[2048];
    uint64_t *hash = d->folded ? NULL : xcalloc(n, sizeof *hash);
    if (d->folded) return;
    d->folded = true;
    for (uint32_t i = 0; hash && i < n; i++) {
        item_text(p, (int)i, text, sizeof text);
        hash[i] = storm_hash(text);
    }
    storms_take(&d->storms, hash, hash ? n : 0);
    free(hash);
}

/* How many rows are shown, and the item that a row shows (of a fold, the first that it hides). */
static int rows_shown(const struct dump_pane *d, int n) { return d->storms.rows ? (int)d->storms.rows : n; }
static int item_of(const struct dump_pane *d, int row)
{
    return row >= 0 && (uint32_t)row < d->storms.rows ? (int)d->storms.row[row].item : row;
}
static const struct storm_row *fold_at(const struct dump_pane *d, int row)
{
    return row >= 0 && (uint32_t)row < d->storms.rows && d->storms.row[row].items ? &d->storms.row[row] : NULL;
}

static void fold_draw(const struct area *a, int y, const struct storm_row *fold, uint32_t line, uint32_t last)
{
    area_put(a, 0, y, STYLE_comment,
        "   .. %" PRIu32 " times more, lines %" PRIu32 " to %" PRIu32 " (Enter: all of them)", fold->times, line, last);
}

/* Enter on a fold unfolds it; false: there is none. */
static bool unfold(struct pane *p)
{
    struct dump_pane *d = p->own;
    if (!fold_at(d, p->cursor)) return false;
    storms_unfold(&d->storms, (uint32_t)p->cursor);
    d->folded = false;
    return true;
}

/* Shows a row of a list of `n` items that holds the text, unfolding what hides it. */
static bool find(struct pane *p, uint32_t n, const char *what, int step, struct gpudbg_error *err)
{
    struct dump_pane *d = p->own;
    char text[2048];
    const int here = item_of(d, p->cursor);
    for (uint32_t i = 1; i <= n; i++) {
        const int item = (int)(((int64_t)here + step * (int64_t)i) % n + n) % (int)n;
        p->kind->row_text(p, -1 - item, text, sizeof text);
        if (!strcasestr(text, what)) continue;
        p->cursor = (int)storms_row_of(&d->storms, (uint32_t)item);
        return true;
    }
    return gpudbg_fail(err, "no-such-name", "'%s' is not in pane %s", what, p->name);
}

/* ---- Decoded rows and packets ---- */

/* A row without the number in front. */
static void row_said(struct pane *p, int row, char *buf, size_t size)
{
    const struct dump_pane *d = p->own;
    const char *text = d->row[row];
    snprintf(buf, size, "%s", line_of(text, 0) ? text + strspn(text, " 0123456789") : text);
}

/* Where the cursor goes onto the first or last row of a page, another page comes. */
static void turn_page(struct pane *p, const char *command)
{
    struct dump_pane *d = p->own;
    const bool moved = p->active && p->cursor != d->was;
    if (!d->paged || !moved || !d->rows) return;
    if (p->cursor >= d->rows - 1 && d->page + 1 < pages_of(p->g)) {
        d->page++;
        take(p, command);
        p->cursor = d->rows > 2 ? 1 : 0;
        p->top = 0;
    } else if (p->cursor == 0 && d->page) {
        d->page--;
        take(p, command);
        p->cursor = d->rows > 2 ? d->rows - 2 : 0;
    }
}

/* The row in `columns`, if it has no room: the padding before its value gives way first, then the indentation, then the
 * end of the name; what stands behind the value goes. */
static const char *row_fitted(const char *row, int columns, bool utf8, char *buf, size_t size)
{
    const size_t lead = strspn(row, " "), digits = line_of(row, 0) ? strspn(row + lead, "0123456789") : 0,
                 at = lead + digits + strspn(row + lead + digits, " ");
    size_t gap = 0, pad = 1;
    if (text_columns(row, utf8) <= columns) return row;
    for (const char *c = row; *c; c++)
        if ((unsigned char)*c > '~') return row; /* its bytes are no columns */
    for (size_t i = at; row[i]; i += row[i] == ' ' ? strspn(row + i, " ") : 1) {
        const size_t blanks = strspn(row + i, " ");
        if (blanks <= pad || !row[i + blanks]) continue;
        gap = i;
        pad = blanks;
    }
    if (!gap) return row;
    const char *value = row + gap + pad, *end = strstr(value, "  ");
    const int said = (int)(end ? (size_t)(end - value) : strlen(value));
    int front = (int)at, name = (int)(gap - at), room = columns - said - 1;
    if (front + name > room) front -= front - 1 < front + name - room ? front - 1 : front + name - room;
    if (front < (int)digits + 1) front = (int)digits + 1;
    const bool cut = front + name > room;
    if (cut) name = room - front - 1 > NAME_LEAST ? room - front - 1 : NAME_LEAST;
    if (cut && name >= (int)(gap - at)) return row;
    const int between = columns - front - name - cut - said;
    struct text t = text_in(buf, size);
    text_add(&t, "%*s%.*s%*s", front - (int)digits > 1 && digits ? front - (int)digits - 1 : 0, "", (int)digits,
        row + lead, digits ? 1 : front, "");
    text_add(
        &t, "%.*s%s%*s%.*s", name, row + at, cut ? (utf8 ? "…" : ">") : "", between > 1 ? between : 1, "", said, value);
    return buf;
}

static void rows_draw(struct pane *p, const struct area *a, const char *command, const char *empty)
{
    struct dump_pane *d = p->own;
    const uint32_t linked = p->screen->dump_line;
    if (d->paged && !p->active && d->seen != p->screen->dump_stamp && linked) d->page = (linked - 1) / PAGE;
    take(p, command);
    turn_page(p, command);
    if (!d->rows) {
        area_put(a, 1, 0, STYLE_comment, "%s", empty);
        return;
    }
    fold_take(p, (uint32_t)d->rows, row_said);
    p->count = rows_shown(d, d->rows);
    if (follow_link(p)) {
        const uint32_t packet = p->kind == &pane_packets ? p->screen->packet_line : 0,
                       want = packet ? packet : p->screen->dump_line;
        int best = -1;
        for (int i = 0; i < d->rows; i++)
            if (d->line[i] <= want && (best < 0 || d->line[i] > d->line[best])) best = i;
        if (best >= 0 && d->line[best]) centre(p, (int)storms_row_of(&d->storms, (uint32_t)best), a->h);
    }
    pane_list_fit(p, a->h);
    if (p->active && p->cursor != d->was) tell(p, d->line[item_of(d, p->cursor)]);
    d->was = p->cursor;
    d->seen = p->screen->dump_stamp;
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct storm_row *fold = fold_at(d, p->top + y);
        const int i = item_of(d, p->top + y);
        char fitted[600];
        const bool fits = p->kind == &pane_decoded && !p->side && !p->wrap;
        const char *row = fits ? row_fitted(d->row[i], a->w, a->cells->utf8, fitted, sizeof fitted) : d->row[i];
        if (fold) {
            fold_draw(a, y, fold, d->line[i], d->line[i + (int)fold->items - 1]);
            if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
            continue;
        }
        const size_t blanks = strspn(row, " "), digits = strspn(row + blanks, "0123456789");
        const bool here = d->line[i] && d->line[i] == p->screen->dump_line;
        const bool title = !isspace((unsigned char)row[0]) && row[0] && row[strlen(row) - 1] == ':';
        area_text(a, 0, y,
            here                          ? STYLE_current
            : title                       ? STYLE_title
            : strncmp(row, "-->", 3) == 0 ? STYLE_changed
                                          : STYLE_text,
            row);
        if (digits && line_of(row, 0)) area_restyle(a, (int)blanks, y, (int)digits, STYLE_address);
        if (strchr(row, '*') && (size_t)(strchr(row, '*') - row) < 9)
            area_restyle(a, (int)(strchr(row, '*') - row), y, 1, STYLE_changed);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

/* A negative row is an item: -1 - item. */
static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct dump_pane *d = p->own;
    row = row < 0 ? -1 - row : item_of(d, row);
    return snprintf(buf, size, "%s", row >= 0 && row < d->rows ? d->row[row] : "");
}

static int line_title(struct pane *p, char *buf, size_t size)
{
    return p->screen->dump_line ? snprintf(buf, size, "line %" PRIu32, p->screen->dump_line)
                                : snprintf(buf, size, "%s", "");
}

static void decoded_draw(struct pane *p, const struct area *a)
{
    rows_draw(p, a, "info dump", "no dump is open; `load FILE` opens one");
}

static void packets_draw(struct pane *p, const struct area *a)
{
    rows_draw(p, a, "packets", "no rings or buffers that are decoded");
}

/* ---- The dump's own text ---- */

/* Of the dump, or of the file that is still being read. */
static bool log_line(struct pane *p, uint32_t number, char *line, size_t size)
{
    if (p->screen->reading) return reading_line(p->screen->reading, number, line, size);
    return p->g->loaded.ndumps && gpudbg_dump_text(p->g->loaded.dumps[0], number, line, size);
}

static uint32_t log_lines(struct pane *p)
{
    if (p->screen->reading) return reading_lines(p->screen->reading, 0);
    return p->g->loaded.ndumps ? gpudbg_dump_lines(p->g->loaded.dumps[0]) : 0;
}

static void log_text(struct pane *p, int row, char *text, size_t size)
{
    char line[2048];
    size_t n = 0;
    text[0] = 0;
    if (!log_line(p, (uint32_t)row + 1, line, sizeof line)) return;
    for (const char *c = line; *c && n + 9 < size; c++) {
        if (*c == '\033') { /* colours */
            while (*c && !isalpha((unsigned char)*c)) c++;
            if (!*c) break;
            continue;
        }
        do text[n++] = *c == '\t' ? ' ' : *c;
        while (*c == '\t' && n % 8);
    }
    text[n] = 0;
}

/* Behind the time: "[ 9.997412] " of the kernel, "2024-05-01T10:00:00 host " and the like is what has digits. */
static size_t time_length(const char *line)
{
    const size_t n = line[0] == '[' ? strcspn(line, "]") + 1 : 0;
    return n && line[n - 1] == ']' && strspn(line + 1, " 0123456789.") == n - 2 ? n + strspn(line + n, " ") : 0;
}

/* What all lines begin with, the time left out: it is told in the title and left out of the lines. */
static void prefix_take(struct pane *p)
{
    struct dump_pane *d = p->own;
    char text[2048];
    const void *of = p->screen->reading ? (const void *)p->screen->reading : p->g->loaded.dumps[0];
    const uint32_t lines = log_lines(p);
    bool any = false;
    if (d->prefix_of == of || (p->screen->reading && lines < PREFIX_LINES)) return;
    d->prefix_of = of;
    d->prefix[0] = 0;
    for (uint32_t i = 0; i < lines && i < PREFIX_LINES && (!any || d->prefix[0]); i++) {
        log_text(p, (int)i, text, sizeof text);
        const char *line = text + time_length(text);
        if (!*line) continue;
        size_t n = 0;
        while (any && line[n] && line[n] == d->prefix[n]) n++;
        if (!any) snprintf(d->prefix, sizeof d->prefix, "%.*s", (int)sizeof d->prefix - 1, line);
        if (any) d->prefix[n] = 0;
        any = true;
    }
    char *blank = strrchr(d->prefix, ' ');
    if (blank) blank[1] = 0;
    if (!blank || lines < 2 || strlen(d->prefix) < 4 || d->prefix[0] == ' ') d->prefix[0] = 0;
}

/* The line as it is shown: without the prefix. */
static void log_shown(struct pane *p, int row, char *text, size_t size)
{
    const struct dump_pane *d = p->own;
    log_text(p, row, text, size);
    char *line = text + time_length(text);
    const size_t n = strlen(d->prefix);
    if (n && !strncmp(line, d->prefix, n)) memmove(line, line + n, strlen(line + n) + 1);
}

/* The line for a narrow pane: a short form of its time, of its device where there are several, and its message. */
static void log_narrow(struct pane *p, int row, char *text, size_t size)
{
    struct dump_cleaner cleaner = {.level = -1};
    struct gpudbg_dump_line line;
    size_t n, devices = 0;
    char whole[2048], clean[2048], when[40], stamp[64] = "";
    const struct gpudbg_dump *d = p->g->loaded.dumps[0];
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    log_text(p, row, whole, sizeof whole - 1);
    snprintf(clean, sizeof clean, "%s", whole);
    dump_clean(&cleaner, clean, strlen(clean), (uint32_t)row + 1, &line);
    if (!(cleaner.stamped || line.device) || !*line.text) {
        log_shown(p, row, text, size);
        return;
    }
    const double seconds = dump_when(whole, strlen(whole), when, sizeof when);
    for (size_t i = 1; i < n && !devices; i++) devices = capture[i].device != capture[0].device;
    const char *clock = strchr(when, ':') ? strchr(when, ':') - 2 : when;
    struct text t = text_in(stamp, sizeof stamp);
    if (seconds >= 0 && (seconds < GPUDBG_DUMP_DATES || !strchr(when, ':')))
        text_add(&t, "%8.2f ", seconds);
    else if (*when && clock >= when)
        text_add(&t, "%.8s ", clock);
    if (devices && line.device) text_add(&t, "%.12s ", line.device + (strlen(line.device) > 5 ? 5 : 0));
    snprintf(text, size, "%s%s", stamp, line.text);
}

/* The line without its time. */
static void log_said(struct pane *p, int row, char *text, size_t size)
{
    log_shown(p, row, text, size);
    const size_t n = time_length(text);
    if (n) memmove(text, text + n, strlen(text + n) + 1);
}

static void log_draw(struct pane *p, const struct area *a)
{
    struct dump_pane *d = p->own;
    char text[2048];
    const uint32_t lines = log_lines(p);
    if (!lines && !p->screen->reading) {
        area_put(a, 1, 0, STYLE_comment,
            p->g->loaded.ndumps ? "the dump is not text" : "no dump is open; `load FILE` opens one");
        return;
    }
    const struct gpudbg_dump *dump = p->screen->reading ? NULL : p->g->loaded.dumps[0];
    if (lines) prefix_take(p);
    if (d->storms_of != dump) {
        storms_free(&d->storms);
        d->storms_of = dump;
        d->folded = false;
    }
    if (dump && lines <= ROWS_MOST) fold_take(p, lines, log_said);
    p->count = rows_shown(d, (int)lines);
    if (d->reading && dump) { /* the same lines stay where they are */
        p->top = (int)storms_row_of(&d->storms, (uint32_t)p->top);
        p->cursor = d->was = (int)storms_row_of(&d->storms, (uint32_t)p->cursor);
        if (p->cursor) d->linked = follow_link(p) || true; /* the user has chosen where it stands */
    }
    d->reading = !dump;
    if (follow_link(p) && p->screen->dump_line)
        centre(p, (int)storms_row_of(&d->storms, p->screen->dump_line - 1), a->h);
    pane_list_fit(p, a->h);
    if (p->active && p->cursor != d->was) tell(p, (uint32_t)item_of(d, p->cursor) + 1);
    d->was = p->cursor;
    d->seen = p->screen->dump_stamp;
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct storm_row *fold = fold_at(d, p->top + y);
        const int row = item_of(d, p->top + y);
        const bool here = (uint32_t)row + 1 == p->screen->dump_line;
        if (fold) {
            fold_draw(a, y, fold, fold->item + 1, fold->item + fold->items);
            if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
            continue;
        }
        if (dump && a->w < STAMPS_LEAST)
            log_narrow(p, row, text, sizeof text);
        else
            log_shown(p, row, text, sizeof text);
        area_put(a, 0, y, here ? STYLE_current : STYLE_address, "%5d", row + 1);
        const struct area beside = pane_scrolled(p, a, 6);
        area_text(&beside, 0, y, here ? STYLE_current : STYLE_text, text);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static int log_row_text(struct pane *p, int row, char *buf, size_t size)
{
    log_text(p, row < 0 ? -1 - row : item_of(p->own, row), buf, size);
    return (int)strlen(buf);
}

static int log_title(struct pane *p, char *buf, size_t size)
{
    const struct dump_pane *d = p->own;
    const char *name = p->g->loaded.ndumps ? path_base(gpudbg_dump_path(p->g->loaded.dumps[0])) : "";
    if (!d->prefix[0] || !*name) return snprintf(buf, size, "%s", name);
    return snprintf(buf, size, "prefix \"%.*s\"", (int)strlen(d->prefix) - 1, d->prefix);
}

/* ---- Actions ---- */

static bool shown_line(struct screen *s, const char *pane, uint32_t line)
{
    struct gpudbg_error none = {.offset = -1};
    struct pane *p = pane_named(s, pane, &none);
    if (!p || !line) return false;
    s->dump_line = line;
    s->packet_line = 0;
    s->dump_stamp++;
    screen_focus(s, p);
    return true;
}

/* Enter: unfolds; else goes to the register that the line tells; else, from what is decoded, to the line, and from the
 * line to what it is decoded as. */
static bool dump_follow(struct pane *p, uint32_t line, const char *other, struct gpudbg_error *err)
{
    if (unfold(p)) return true;
    struct gpudbg_error none = {.offset = -1};
    if (line && p->kind != &pane_packets && regs_show_line(p->screen, line, &none)) return true;
    return shown_line(p->screen, other, line) || gpudbg_fail(err, "not-now", "the row has no line in the dump");
}

/* The code has a place beside the packets, and the keys. */
static void show_beside(struct pane *p)
{
    struct gpudbg_error none = {.offset = -1};
    struct screen *s = p->screen;
    struct pane *code = pane_named(s, "code", &none);
    if (!code) return;
    if (!(layout_place(&s->layout, p) && layout_place(&s->layout, code))) {
        s->layout_chosen = true;
        if (!screen_layout(s, "batch", &none)) return;
    }
    screen_focus(s, code);
}

/* Enter on "kernel 0x10001c0 -> object in stream 3: ...": loads that code, as `shader` does. */
static bool code_follow(struct pane *p, const char *row)
{
    static const char leads[] = " -> object in stream ";
    const char *end = strstr(row, leads), *at = end;
    char line[64];
    if (p->kind != &pane_packets || !end) return false;
    while (at > row && at[-1] != ' ') at--;
    const uint64_t addr = strtoull(at, NULL, 16);
    for (size_t dump = 0; dump < p->g->loaded.ndumps; dump++) {
        size_t n, i = 0;
        struct dump_shader *all = dump_shaders(p->g->loaded.dumps[dump], &n);
        while (i < n && !(all[i].addr == addr && all[i].based && all[i].bytes && all[i].isa)) i++;
        free(all);
        if (i == n) continue;
        snprintf(line, sizeof line, "shader %zu -d %zu", i, dump);
        screen_key_line(p->screen, line);
        show_beside(p);
        return true;
    }
    return false;
}

static bool rows_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    const struct dump_pane *d = p->own;
    if (!d->rows) return gpudbg_fail(err, "not-now", "pane %s is empty", p->name);
    switch (action) {
    case PANE_FOLLOW:
        return code_follow(p, d->row[item_of(d, p->cursor)]) ||
               dump_follow(p, d->line[item_of(d, p->cursor)], "log", err);
    case PANE_FIND:
    case PANE_FIND_NEXT: return find(p, (uint32_t)d->rows, arg, 1, err);
    case PANE_FIND_PREVIOUS: return find(p, (uint32_t)d->rows, arg, -1, err);
    default: return pane_list_act(p, action, arg, err);
    }
}

static bool log_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    const uint32_t lines = log_lines(p);
    if (!lines) return gpudbg_fail(err, "not-now", "pane %s is empty", p->name);
    switch (action) {
    case PANE_FOLLOW: return dump_follow(p, (uint32_t)item_of(p->own, p->cursor) + 1, "decoded", err);
    case PANE_FIND:
    case PANE_FIND_NEXT: return find(p, lines, arg, 1, err);
    case PANE_FIND_PREVIOUS: return find(p, lines, arg, -1, err);
    default: return pane_list_act(p, action, arg, err);
    }
}

static void log_close(struct pane *p)
{
    struct dump_pane *d = p->own;
    storms_free(&d->storms);
}

static bool packets_idle(struct pane *p)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < p->g->loaded.ndumps; i++) {
        gpudbg_dump_streams(p->g->loaded.dumps[i], &n);
        all += n;
    }
    return p->g->loaded.ndumps && !all;
}

static int log_rows(struct pane *p)
{
    const struct dump_pane *d = p->own;
    return p->screen->reading || !p->g->loaded.ndumps ? 0 : rows_shown(d, (int)log_lines(p));
}

static bool log_idle(struct pane *p) { return p->g->loaded.ndumps && !log_lines(p); }

const struct pane_kind pane_decoded = {
    .name = "decoded",
    .summary = "what the dump holds, decoded; linked with the log",
    .own = sizeof(struct dump_pane),
    .draw = decoded_draw,
    .act = rows_act,
    .title = line_title,
    .row_text = row_text,
    .close = forget,
};

const struct pane_kind pane_packets = {
    .name = "packets",
    .summary = "rings, buffers and batches of the dump; linked with the log",
    .own = sizeof(struct dump_pane),
    .draw = packets_draw,
    .act = rows_act,
    .idle = packets_idle,
    .row_text = row_text,
    .close = forget,
};

const struct pane_kind pane_log = {
    .name = "log",
    .keeps = true,
    .summary = "the dump's own text; linked with what is decoded",
    .own = sizeof(struct dump_pane),
    .draw = log_draw,
    .act = log_act,
    .idle = log_idle,
    .rows = log_rows,
    .close = log_close,
    .title = log_title,
    .row_text = log_row_text,
};
