/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out.c: results as text or as JSON Lines.  A record is built as a jansson object, so that members keep their order and
 * strings are escaped by a library; it is written when it ends.
 */
#include "out/out.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/shown.h"
#include "gpudbg/unset.h"
#include "gpudbg/text.h"

#define DEPTH 16

struct gpudbg_out {
    FILE *stream; /* of memory or of somebody else's */
    bool json, owned, broken;
    size_t width; /* columns of a line of a table; 0: no limit */
    int why;      /* errno of the first write that failed */
    char *text;   /* memory only */
    size_t size;
    char *line; /* a record being written, malloc'ed */
    size_t line_size, line_room;
    json_t *stack[DEPTH]; /* the open record, then what is open inside it */
    unsigned depth;
    const struct ticker *ticker; /* asked while results are written; or NULL */
    uint64_t pieces;             /* written so far */
    bool stopped;                /* it said no */
    struct out_tee *tee;
};

#define PIECES 256 /* between two questions */

struct gpudbg_out *out_stream(FILE *stream, bool json)
{
    struct gpudbg_out *out = xalloc(sizeof *out);
    out->stream = stream;
    out->json = json;
    return out;
}

struct gpudbg_out *out_memory(bool json)
{
    struct gpudbg_out *out = out_stream(NULL, json);
    out->owned = true;
    out->stream = open_memstream(&out->text, &out->size);
    if (!out->stream) xalloc_end();
    return out;
}

char *out_taken(struct gpudbg_out *out, size_t *n)
{
    fclose(out->stream);
    char *text = out->text;
    if (!text) xalloc_end();
    if (n) *n = out->size;
    out->text = NULL;
    out->size = 0;
    out->stream = open_memstream(&out->text, &out->size);
    if (!out->stream) xalloc_end();
    return text;
}

void out_close(struct gpudbg_out *out)
{
    if (!out) return;
    if (out->depth) json_decref(out->stack[0]);
    if (out->owned) {
        fclose(out->stream);
        free(out->text);
    } else {
        fflush(out->stream);
    }
    free(out->line);
    free(out);
}

/* Of a stream that is broken nothing more is written: what came behind a gap would look as if it belonged there. */
static void failed(struct gpudbg_out *out)
{
    if (out->owned) xalloc_end();
    if (!out->broken) out->why = errno;
    out->broken = true;
}

void out_flush(struct gpudbg_out *out)
{
    if (fflush(out->stream) != 0) failed(out);
}

void out_failed(struct gpudbg_out *out, int why)
{
    errno = why;
    failed(out);
}

/* A piece is about to be written; false: no more is wanted. */
static bool goes_on(struct gpudbg_out *out)
{
    if (out->broken) return false;
    if (++out->pieces % PIECES == 0 && !ticker_goes_on(out->ticker, out->pieces, 0)) out->stopped = true;
    return !out->stopped;
}

void out_width(struct gpudbg_out *out, size_t columns) { out->width = columns; }

int out_errno(const struct gpudbg_out *out) { return out->why; }

void out_tee(struct gpudbg_out *out, struct out_tee *tee) { out->tee = tee; }

static FILE *tee_stream(const struct gpudbg_out *out) { return out->tee && !out->tee->why ? out->tee->stream : NULL; }

/* Whether the tee has taken the text from the stream.  good: what was given to it could be written. */
static bool teed(struct gpudbg_out *out, bool good)
{
    if (!good) out->tee->why = errno ? errno : EIO;
    return good && out->tee->only && !out->json;
}

FILE *out_apart(struct gpudbg_out *out)
{
    if (out->json || out->owned || tee_stream(out)) return NULL;
    out_flush(out);
    const int fd = out->broken ? -1 : fcntl(fileno(out->stream), F_DUPFD_CLOEXEC, 3);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (!stream && fd >= 0) close(fd);
    return stream;
}

void out_raw(struct gpudbg_out *out, const char *bytes, size_t n)
{
    FILE *tee = tee_stream(out);
    if (out->json || out->broken || (tee && teed(out, fwrite(bytes, 1, n, tee) == n))) return;
    if (fwrite(bytes, 1, n, out->stream) != n) failed(out);
}

const struct ticker *out_ask(struct gpudbg_out *out, const struct ticker *ticker)
{
    const struct ticker *before = out->ticker;
    out->ticker = ticker;
    return before;
}

bool out_stopped(struct gpudbg_out *out)
{
    const bool stopped = out->stopped;
    out->stopped = false;
    return stopped;
}

static void write_by(
    struct gpudbg_out *out, bool (*put)(FILE *, const char *text, size_t n), const char *text, size_t n)
{
    if (out->json || !goes_on(out)) return;
    FILE *tee = tee_stream(out);
    if (tee && teed(out, put(tee, text, n))) return;
    if (!put(out->stream, text, n)) failed(out);
}

#define LARGE (64u << 10) /* is not copied into the stream's buffer first */

static bool write_clean(FILE *f, const char *text, size_t n)
{
    const int fd = n < LARGE ? -1 : fileno(f);
    if (fd < 0) return fwrite(text, 1, n, f) == n;
    if (fflush(f) != 0) return false;
    while (n) {
        const ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        text += done;
        n -= (size_t)done;
    }
    return true;
}

void out_write(struct gpudbg_out *out, const char *text, size_t n) { write_by(out, shown_write, text, n); }
void out_clean(struct gpudbg_out *out, const char *text, size_t n) { write_by(out, write_clean, text, n); }

bool out_broken(const struct gpudbg_out *out) { return out->broken || out->stopped || ferror(out->stream); }
bool gpudbg_out_json(const struct gpudbg_out *out) { return out->json; }

void gpudbg_out_print(struct gpudbg_out *out, const char *fmt, ...)
{
    char line[1024] GPUDBG_UNSET, *text = line;
    va_list ap, again;
    if (out->json || !goes_on(out)) return;
    va_start(ap, fmt);
    va_copy(again, ap);
    const int n = vsnprintf(line, sizeof line, fmt, ap);
    if (n >= (int)sizeof line) {
        text = xalloc((size_t)n + 1);
        vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    if (n < 0) failed(out);
    if (n > 0) out_write(out, text, (size_t)n);
    if (text != line) free(text);
    va_end(again);
    va_end(ap);
}

/* ---- Records ---- */

static void put(struct gpudbg_out *out, const char *key, json_t *value)
{
    json_t *to = out->depth ? out->stack[out->depth - 1] : NULL;
    if (!out->json || !to || !goes_on(out))
        json_decref(value);
    else if (json_is_array(to))
        json_array_append_new(to, value);
    else
        json_object_set_new(to, key ? key : "", value);
}

static void open_inside(struct gpudbg_out *out, const char *key, json_t *value)
{
    if (!out->json || !out->depth || out->depth == DEPTH) {
        json_decref(value);
        return;
    }
    put(out, key, value);
    out->stack[out->depth++] = value; /* borrowed from its parent */
}

/* Text from files need not be UTF-8: a byte that is not becomes \x and its digits, as in text. */
static json_t *string_of(const char *text)
{
    json_t *value = json_string(text ? text : "");
    if (value) return value;
    const size_t n = strlen(text);
    char *clean = xcalloc(n + 1, SHOWN_MOST), escape[SHOWN_MOST];
    struct text t = text_in(clean, (n + 1) * SHOWN_MOST);
    for (size_t at = 0; at < n;) {
        const size_t length = shown_next(text, at, n, SHOWN_LINE, escape);
        const bool wrong = (unsigned char)text[at] >= 0x80 && escape[0] && escape[1] == 'x';
        text_add_bytes(&t, wrong ? escape : text + at, wrong ? strlen(escape) : length);
        at += length;
    }
    value = json_string(clean);
    free(clean);
    return value;
}

void gpudbg_out_begin(struct gpudbg_out *out, const char *type)
{
    if (!out->json || out->depth) return;
    out->stack[out->depth++] = json_object();
    gpudbg_out_string(out, "type", type);
}

/* jansson gives a record in small pieces; they are written as one. */
static int add_piece(const char *text, size_t n, void *data)
{
    struct gpudbg_out *out = data;
    if (n > out->line_room - out->line_size) {
        size_t room = 2 * (out->line_size + n) + 4096;
        out->line = xrealloc(out->line, room, 1);
        out->line_room = room;
    }
    memcpy(out->line + out->line_size, text, n);
    out->line_size += n;
    return 0;
}

/* What jansson leaves as it is, and a terminal would obey (DEL, C1, directions), as JSON's own escapes. */
static bool write_line(struct gpudbg_out *out, FILE *stream)
{
    const char *at = out->line, *const end = at + out->line_size;
    char escape[SHOWN_MOST];
    while (at < end) {
        const size_t clean = shown_clean(at, (size_t)(end - at), SHOWN_TEXT);
        if (fwrite(at, 1, clean, stream) != clean) return false;
        at += clean;
        if (at == end) break;
        at += shown_next(out->line, (size_t)(at - out->line), out->line_size, SHOWN_TEXT, escape);
        const unsigned long c = escape[1] == 'U' ? strtoul(escape + 2, NULL, 16) - 0x10000 : 0;
        const int put = escape[1] == 'U' ? fprintf(stream, "\\u%04lx\\u%04lx", 0xd800 + (c >> 10), 0xdc00 + (c & 0x3ff))
                                         : fprintf(stream, escape[1] == 'x' ? "\\u00%s" : "\\u%s", escape + 2);
        if (put < 0) return false;
    }
    return true;
}

void gpudbg_out_end(struct gpudbg_out *out)
{
    if (!out->json || !out->depth) return;
    out->line_size = 0;
    if (goes_on(out) && (json_dump_callback(out->stack[0], add_piece, out, JSON_COMPACT) || add_piece("\n", 1, out) ||
                            !write_line(out, out->stream)))
        failed(out);
    FILE *tee = tee_stream(out);
    if (tee && !out->broken && !out->stopped) teed(out, write_line(out, tee));
    json_decref(out->stack[0]);
    out->depth = 0;
}

void gpudbg_out_string(struct gpudbg_out *out, const char *key, const char *value)
{
    if (out->json) put(out, key, string_of(value));
}

void gpudbg_out_hex(struct gpudbg_out *out, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    gpudbg_out_string(out, key, text);
}

void gpudbg_out_number(struct gpudbg_out *out, const char *key, int64_t value)
{
    if (out->json) put(out, key, json_integer(value));
}

/* JSON has no word for NaN and the infinities; they are strings. */
void gpudbg_out_real(struct gpudbg_out *out, const char *key, double value)
{
    if (!out->json) return;
    if (value != value)
        gpudbg_out_string(out, key, "nan");
    else if (value - value != 0)
        gpudbg_out_string(out, key, value > 0 ? "inf" : "-inf");
    else
        put(out, key, json_real(value));
}

void gpudbg_out_bool(struct gpudbg_out *out, const char *key, bool value)
{
    if (out->json) put(out, key, json_boolean(value));
}

void gpudbg_out_bytes(struct gpudbg_out *out, const char *key, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    char *text;
    if (!out->json) return;
    text = xalloc(2 * n + 1);
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * n] = 0;
    gpudbg_out_string(out, key, text);
    free(text);
}

void gpudbg_out_array(struct gpudbg_out *out, const char *key) { open_inside(out, key, json_array()); }
void gpudbg_out_object(struct gpudbg_out *out, const char *key) { open_inside(out, key, json_object()); }

void gpudbg_out_close(struct gpudbg_out *out)
{
    if (out->json && out->depth > 1) out->depth--;
}

void out_error(struct gpudbg_out *out, const struct gpudbg_error *err)
{
    gpudbg_out_begin(out, "error");
    gpudbg_out_string(out, "kind", err->kind ? err->kind : "unsupported");
    if (err->file[0]) gpudbg_out_string(out, "file", err->file);
    if (err->line) gpudbg_out_number(out, "line", err->line);
    if (err->column) gpudbg_out_number(out, "column", err->column);
    if (err->offset >= 0 && err->kind) gpudbg_out_hex(out, "offset", (uint64_t)err->offset);
    gpudbg_out_string(out, "message", err->message);
    gpudbg_out_end(out);
}

/* ---- Listings: an aligned table, or a record a row ---- */

#define CELL 2304
#define COLUMNS 24
#define KEPT 10000 /* rows that columns are measured by; those that follow are printed as they come */

struct table {
    struct gpudbg_out *out;
    const struct gpudbg_listing *listing;
    unsigned width[COLUMNS];
    size_t rows;
    char **cells;  /* rows * ncolumns, malloc'ed; text only, kept until widths are known */
    bool measured; /* ... and they are: the title and what was kept are printed */
    size_t room;
};

static bool row_record(struct table *t, const void *row)
{
    char cell[CELL];
    if (t->listing->is_part && t->listing->is_part(row)) return true;
    gpudbg_out_begin(t->out, t->listing->type ? t->listing->type : t->listing->name);
    for (size_t c = 0; c < t->listing->ncolumns; c++) {
        const struct gpudbg_column *column = &t->listing->columns[c];
        if (column->cell(row, cell, sizeof cell) == 0) continue; /* an empty cell is a member left out */
        if (column->style == GPUDBG_COUNT)
            gpudbg_out_number(t->out, column->key, strtoll(cell, NULL, 10));
        else if ((column->style == GPUDBG_ADDRESS || column->style == GPUDBG_HEXVALUE) && strcmp(cell, "unknown") != 0)
            gpudbg_out_hex(t->out, column->key, strtoull(cell, NULL, 16));
        else
            gpudbg_out_string(t->out, column->key, cell);
    }
    if (t->listing->record) t->listing->record(row, t->out);
    gpudbg_out_end(t->out);
    return !out_broken(t->out);
}

/* Prints a padded cell (left of it: `pad` blanks) as far as the line has room. */
static void print_cell(struct table *t, size_t *room, int pad, const char *cell)
{
    char text[CELL + 64] GPUDBG_UNSET;
    int n = snprintf(text, sizeof text, "%*s", pad, cell);
    if (n > (int)sizeof text - 1) n = sizeof text - 1;
    if ((size_t)n > *room) n = (int)*room;
    while (n && (text[n] & 0xc0) == 0x80) n--; /* no part of a character */
    *room -= (size_t)n;
    gpudbg_out_print(t->out, "%.*s", n, text);
}

static void print_row(struct table *t, char *const *cells)
{
    size_t n = t->listing->ncolumns, room = t->out->width ? t->out->width : SIZE_MAX;
    for (size_t c = 0; c < n; c++) {
        uint8_t style = t->listing->columns[c].style;
        bool right = style == GPUDBG_COUNT || style == GPUDBG_ADDRESS || style == GPUDBG_HEXVALUE;
        int width = (int)t->width[c];
        if (c) print_cell(t, &room, 0, "  ");
        print_cell(t, &room, right ? width : c + 1 < n ? -width : 0, cells[c]);
    }
    gpudbg_out_print(t->out, "\n");
}

static void print_kept(struct table *t)
{
    size_t n = t->listing->ncolumns;
    char *titles[COLUMNS];
    for (size_t c = 0; c < n; c++) titles[c] = (char *)(uintptr_t)t->listing->columns[c].title;
    if (t->rows && !t->measured) print_row(t, titles);
    for (size_t r = 0; r < t->rows; r++) print_row(t, t->cells + r * n);
    for (size_t i = 0; i < t->rows * n; i++) free(t->cells[i]);
    t->measured = t->measured || t->rows;
    t->rows = 0;
}

static bool row_cells(struct table *t, const void *row)
{
    size_t n = t->listing->ncolumns;
    char made[CELL] GPUDBG_UNSET, cell[CELL] GPUDBG_UNSET;
    if (t->rows == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->cells = xrealloc(t->cells, t->room * n, sizeof *t->cells);
    }
    for (size_t c = 0; c < n; c++) {
        if (t->listing->columns[c].cell(row, made, sizeof made) == 0) made[0] = 0;
        shown_in(cell, sizeof cell, made, strlen(made), SHOWN_LINE);
        const size_t len = strlen(cell);
        if (len > t->width[c]) t->width[c] = (unsigned)len;
        t->cells[t->rows * n + c] = xstrdup(cell);
    }
    if (++t->rows == KEPT) print_kept(t);
    return !out_broken(t->out);
}

static bool each_row(void *to, const void *row)
{
    struct table *t = to;
    if (!goes_on(t->out)) return false;
    return gpudbg_out_json(t->out) ? row_record(t, row) : row_cells(t, row);
}

bool out_listing(struct gpudbg_out *out, const struct gpudbg_listing *listing, const char *args, out_rows_fn *rows,
    struct gpudbg *g, struct gpudbg_error *err)
{
    struct table t = {.out = out, .listing = listing};
    size_t n = listing->ncolumns;
    if (n > COLUMNS)
        return gpudbg_fail(err, "unsupported", "listing %s: %zu columns, at most %d", listing->name, n, COLUMNS);
    for (size_t c = 0; c < n; c++) {
        t.width[c] = (unsigned)strlen(listing->columns[c].title);
        if (listing->columns[c].width > t.width[c]) t.width[c] = listing->columns[c].width;
    }
    bool done = rows(g, listing, args, each_row, &t, err);
    if (done && !gpudbg_out_json(out)) {
        if (!t.rows && !t.measured) gpudbg_out_print(out, "%s\n", listing->empty ? listing->empty : "nothing to show");
        print_kept(&t);
    }
    for (size_t i = 0; i < t.rows * n; i++) free(t.cells[i]);
    free(t.cells);
    return done;
}
