/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session/saved.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/open_file.h"
#include "base/save.h"

#define PIECE ((size_t)1 << 20)
#define LINES_MOST ((size_t)1 << 22)
#define CONTENTS_MOST ((size_t)1 << 16)
#define ZLIB_MOST 1040 /* bytes that one packed byte can stand for, at most (zlib's Technical Details: 1032) */

/* ---- Writing ---- */

bool saved_begin(struct saved_writer *w, struct gpudbg_error *err)
{
    *w = (struct saved_writer){0};
    w->lines = open_memstream(&w->text, &w->length);
    return w->lines || gpudbg_fail(err, "memory", "no memory for the session");
}

void saved_free(struct saved_writer *w)
{
    if (w->lines) fclose(w->lines);
    free(w->text);
    for (size_t i = 0; i < w->ncontents; i++) {
        free(w->content[i].own);
        free(w->content[i].name);
    }
    free(w->content);
    *w = (struct saved_writer){0};
}

static size_t add_content(struct saved_writer *w, const struct saved_content *c)
{
    w->content = xrealloc(w->content, w->ncontents + 1, sizeof *w->content);
    w->content[w->ncontents] = *c;
    return w->ncontents++;
}

size_t saved_bytes(struct saved_writer *w, const uint8_t *bytes, size_t n, bool own)
{
    struct saved_content c = {.bytes = bytes, .own = own ? (uint8_t *)(uintptr_t)bytes : NULL, .size = n};
    sha256_of(bytes, n, c.hash);
    for (size_t i = 0; i < w->ncontents; i++)
        if (w->content[i].bytes && w->content[i].size == n && strcmp(w->content[i].hash, c.hash) == 0) {
            free(c.own);
            return i;
        }
    return add_content(w, &c);
}

/* Size and hash of a regular file. */
static bool hash_file(
    const char *path, const struct ticker *ticker, uint64_t *size, char hash[SHA256_TEXT], struct gpudbg_error *err)
{
    struct sha256 s;
    const int fd = open_named(path, UINT64_MAX, size, err);
    if (fd < 0) return false;
    uint8_t *piece = xalloc(PIECE);
    uint64_t done = 0;
    ssize_t n;
    sha256_open(&s);
    while ((n = read_chosen(fd, piece, PIECE, ticker)) > 0) {
        sha256_add(&s, piece, (size_t)n);
        done += (uint64_t)n;
        if (ticker && !ticker_goes_on(ticker, done, *size)) {
            errno = ECANCELED;
            n = -1;
            break;
        }
    }
    const int why = errno;
    free(piece);
    close(fd);
    sha256_text(&s, hash);
    *size = done;
    return n == 0 || read_failed(why, err);
}

bool saved_file(struct saved_writer *w, const char *path, const char *name, const struct ticker *ticker, size_t *number,
    struct gpudbg_error *err)
{
    struct saved_content c = {0};
    if (!hash_file(path, ticker, &c.size, c.hash, err)) return false;
    c.name = xstrdup(name);
    *number = add_content(w, &c);
    return true;
}

void saved_word(FILE *f, const char *text)
{
    fputs(" \"", f);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(f, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(f, "\\x%02x", *p);
        else
            putc(*p, f);
    }
    putc('"', f);
}

static uint8_t *packed(const struct saved_content *c, uLongf *n, struct gpudbg_error *err)
{
    *n = compressBound((uLong)c->size);
    uint8_t *bytes = malloc(*n);
    if (!bytes) {
        alloc_failed(err, *n, "the session's contents");
        return NULL;
    }
    if (compress2(bytes, n, c->bytes, (uLong)c->size, Z_DEFAULT_COMPRESSION) == Z_OK) return bytes;
    free(bytes);
    alloc_failed(err, c->size, "packing the session's contents");
    return NULL;
}

bool saved_write(
    struct saved_writer *w, const char *path, const struct ticker *ticker, uint64_t *size, struct gpudbg_error *err)
{
    uint8_t **pack = xcalloc(w->ncontents, sizeof *pack);
    uLongf *n = xcalloc(w->ncontents, sizeof *n);
    bool good = fflush(w->lines) == 0 || gpudbg_fail(err, "memory", "no memory for the session");
    char *all = NULL;
    size_t length = 0;
    FILE *f = good ? open_memstream(&all, &length) : NULL;
    for (size_t i = 0; good && i < w->ncontents; i++)
        good = !w->content[i].bytes || (pack[i] = packed(&w->content[i], &n[i], err)) != NULL;
    if (good && f) {
        fprintf(f,
            SAVED_HEAD "%d\n# A session saved by gpudbg " GPUDBG_VERSION ": `gpudbg FILE` opens it.\n"
                       "# This text ends with the line \"end\"; the packed contents follow it, in their order.\n",
            SAVED_VERSION);
        for (size_t i = 0; i < w->ncontents; i++) {
            const struct saved_content *c = &w->content[i];
            fprintf(f, "content %zu %" PRIu64 " %s", i, c->size, c->hash);
            if (c->name) {
                fputs(" named", f);
                saved_word(f, c->name);
            } else {
                fprintf(f, " packed %lu", n[i]);
            }
            putc('\n', f);
        }
        fwrite(w->text, 1, w->length, f);
        fputs("end\n", f);
        for (size_t i = 0; i < w->ncontents; i++)
            if (pack[i]) fwrite(pack[i], 1, n[i], f);
        const bool whole = !ferror(f);
        if (fclose(f) != 0 || !whole) good = gpudbg_fail(err, "memory", "no memory for the session");
    } else if (good) {
        good = gpudbg_fail(err, "memory", "no memory for the session");
    }
    if (good) good = save_bytes(path, all, length, ticker, err);
    *size = length;
    for (size_t i = 0; i < w->ncontents; i++) free(pack[i]);
    free(pack);
    free(n);
    free(all);
    return good;
}

/* ---- Reading ---- */

struct reading {
    struct arena arena; /* of words */
    size_t room, contents_room;
    struct packed_at {
        uint64_t size, line;
    } * at; /* of each content: packed bytes, 0 if it is named */
};

bool saved_is(const uint8_t *bytes, size_t n)
{
    const size_t head = strlen(SAVED_HEAD);
    return n > head && memcmp(bytes, SAVED_HEAD, head) == 0;
}

static int digit(char c) { return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* The word at p, which ends before `end`; NULL: it is wrong.  Words have no byte 0. */
static const char *take_word(const char *p, const char *end, char *to, struct gpudbg_error *err)
{
    if (*p != '"') {
        while (p < end && *p != ' ') *to++ = *p++;
        *to = 0;
        return p;
    }
    for (p++; p < end && *p != '"'; p++) {
        if (*p != '\\') {
            *to++ = *p;
            continue;
        }
        p++;
        if (p < end && (*p == '"' || *p == '\\')) {
            *to++ = *p;
        } else if (end - p >= 3 && *p == 'x' && digit(p[1]) >= 0 && digit(p[2]) >= 0 && (p[1] != '0' || p[2] != '0')) {
            *to++ = (char)(digit(p[1]) * 16 + digit(p[2]));
            p += 2;
        } else {
            gpudbg_fail(err, "syntax", "a backslash in quotes comes before \", \\ or xNN");
            return NULL;
        }
    }
    if (p < end) {
        *to = 0;
        return p + 1;
    }
    gpudbg_fail(err, "syntax", "a quote is not closed");
    return NULL;
}

static bool add_line(
    struct saved *s, struct reading *r, const char *p, const char *end, long number, struct gpudbg_error *err)
{
    struct saved_line l = {.number = number};
    size_t words = 1;
    for (const char *c = p; c < end; c++) words += *c == ' ';
    l.word = arena_alloc(&r->arena, words * sizeof *l.word);
    char *room = arena_alloc(&r->arena, (size_t)(end - p) + words + 1);
    if (!l.word || !room) return gpudbg_fail(err, "too-large", "the session's text is too large");
    while (p < end) {
        while (p < end && *p == ' ') p++;
        if (p == end) break;
        l.word[l.n++] = room;
        p = take_word(p, end, room, err);
        if (!p) return false;
        if (p < end && *p != ' ') return gpudbg_fail(err, "syntax", "a blank is missing after a word in quotes");
        room += strlen(room) + 1;
    }
    if (!l.n) return true;
    if (s->nlines == LINES_MOST) return gpudbg_fail(err, "too-large", "more than %zu lines", LINES_MOST);
    s->line = xgrow(s->line, s->nlines, &r->room, sizeof *s->line);
    s->line[s->nlines++] = l;
    return true;
}

/* content NUMBER SIZE HASH packed SIZE | named NAME */
static bool add_content_line(struct saved *s, struct reading *r, struct saved_line *l, struct gpudbg_error *err)
{
    uint64_t number, size, packed = 0;
    const char *hash, *name = NULL;
    if (!saved_number(l, "the number of the content", UINT64_MAX, &number, err) ||
        !saved_number(l, "the size of the content", UINT64_MAX, &size, err) ||
        !(hash = saved_next(l, "the hash of the content", err)))
        return false;
    if (number != s->ncontents)
        return gpudbg_fail(err, "syntax", "content %" PRIu64 ": %zu is next", number, s->ncontents);
    if (s->ncontents == CONTENTS_MOST) return gpudbg_fail(err, "too-large", "more than %zu contents", CONTENTS_MOST);
    if (strlen(hash) != SHA256_TEXT - 1 || strspn(hash, "0123456789abcdef") != SHA256_TEXT - 1)
        return gpudbg_fail(err, "syntax", "content %" PRIu64 ": the hash is not 64 hex digits", number);
    if (saved_take(l, "packed")) {
        if (!saved_number(l, "the packed size", UINT64_MAX, &packed, err)) return false;
        if (!packed) return gpudbg_fail(err, "out-of-range", "content %" PRIu64 ": 0 packed bytes", number);
    } else if (saved_take(l, "named")) {
        if (!(name = saved_next(l, "the name of the file", err))) return false;
    } else {
        return gpudbg_fail(err, "syntax", "content %" PRIu64 " is neither packed nor named", number);
    }
    if (!saved_done(l, err)) return false;
    r->at = xrealloc(r->at, s->ncontents + 1, sizeof *r->at);
    r->at[s->ncontents] = (struct packed_at){packed, (uint64_t)l->number};
    s->content = xgrow(s->content, s->ncontents, &r->contents_room, sizeof *s->content);
    struct saved_unpacked *c = &s->content[s->ncontents++];
    *c = (struct saved_unpacked){.size = size, .name = name ? xstrdup(name) : NULL};
    memcpy(c->hash, hash, SHA256_TEXT);
    return true;
}

static bool unpack(struct saved_unpacked *c, size_t number, struct bytes from, uint64_t *most, struct gpudbg_error *err)
{
    char hash[SHA256_TEXT];
    uLongf n = (uLongf)c->size;
    if (c->size > (uint64_t)from.size * ZLIB_MOST)
        return gpudbg_fail(
            err, "bad-offset", "content %zu: %zu packed bytes cannot become %" PRIu64, number, from.size, c->size);
    if (c->size > *most)
        return gpudbg_fail(err, "too-large",
            "content %zu: %" PRIu64 " bytes: the contents take more than `set memory-limit` allows", number, c->size);
    *most -= c->size;
    c->bytes = malloc((size_t)c->size + 1);
    if (!c->bytes) return alloc_failed(err, c->size, "a content");
    if (uncompress(c->bytes, &n, from.at, (uLong)from.size) != Z_OK || n != c->size)
        return gpudbg_fail(
            err, "truncated", "content %zu is damaged: it does not unpack to %" PRIu64 " bytes", number, c->size);
    c->bytes[n] = 0;
    sha256_of(c->bytes, n, hash);
    return strcmp(hash, c->hash) == 0 ||
           gpudbg_fail(
               err, "truncated", "content %zu is damaged: its hash is %.16s..., not %.16s...", number, hash, c->hash);
}

static bool read_lines(struct saved *s, struct reading *r, struct bytes all, size_t *behind, struct gpudbg_error *err)
{
    size_t at = 0;
    for (long number = 1;; number++) {
        const uint8_t *end = memchr(all.at + at, '\n', all.size - at);
        err->line = number;
        if (!end) return gpudbg_fail(err, "truncated", "the file ends before the line \"end\" of its text");
        const char *from = (const char *)all.at + at, *to = (const char *)end;
        const size_t n = (size_t)(to - from);
        at += n + 1;
        if (memchr(from, 0, n)) return gpudbg_fail(err, "syntax", "a byte 0 is in the text");
        if (number == 1) {
            char version[24] = "";
            memcpy(version, from + strlen(SAVED_HEAD), n - strlen(SAVED_HEAD) < 23 ? n - strlen(SAVED_HEAD) : 23);
            if (strcmp(version, "1") != 0)
                return gpudbg_fail(err, "unsupported", "a session of version \"%s\"; this gpudbg reads version %d",
                    version, SAVED_VERSION);
            continue;
        }
        if (*from == '#') continue;
        if (n == 3 && memcmp(from, "end", 3) == 0) break;
        if (!add_line(s, r, from, to, number, err)) return false;
        if (!s->nlines || s->line[s->nlines - 1].number != number || strcmp(s->line[s->nlines - 1].word[0], "content"))
            continue;
        struct saved_line l = s->line[--s->nlines];
        l.at = 1;
        if (!add_content_line(s, r, &l, err)) return false;
    }
    err->line = 0;
    *behind = at;
    return true;
}

struct saved *saved_read(
    const uint8_t *bytes, size_t n, uint64_t most, const struct ticker *ticker, struct gpudbg_error *err)
{
    struct saved *s = xalloc(sizeof *s);
    struct reading *r = s->own = xalloc(sizeof *r);
    const struct bytes all = {bytes, n};
    size_t at = 0;
    if (!most) most = UINT64_MAX;
    bool good = (saved_is(bytes, n) && memchr(bytes, '\n', n)) ||
                gpudbg_fail(err, "not-recognised", "this is not a saved session");
    good = good && read_lines(s, r, all, &at, err);
    for (size_t i = 0; good && i < s->ncontents; i++) {
        struct bytes part;
        if (!r->at[i].size) continue;
        err->line = (long)r->at[i].line;
        if (r->at[i].size > n - at)
            good = gpudbg_fail(err, "truncated", "content %zu has %" PRIu64 " packed bytes; the file has %zu more", i,
                r->at[i].size, n - at);
        good = good && bytes_part(all, at, r->at[i].size, "a content", &part, err) &&
               unpack(&s->content[i], i, part, &most, err);
        at += good ? (size_t)r->at[i].size : 0;
        if (good && ticker && !ticker_goes_on(ticker, at, n)) good = gpudbg_fail(err, "interrupt", "interrupted");
        if (good) err->line = 0;
    }
    if (good && at != n) good = gpudbg_fail(err, "syntax", "%zu bytes follow the last content", n - at);
    if (good) return s;
    saved_close(s);
    return NULL;
}

void saved_close(struct saved *s)
{
    if (!s) return;
    struct reading *r = s->own;
    for (size_t i = 0; i < s->ncontents; i++) {
        free(s->content[i].bytes);
        free(s->content[i].name);
    }
    arena_free(&r->arena);
    free(r->at);
    free(r);
    free(s->content);
    free(s->line);
    free(s);
}

/* ---- Words ---- */

bool saved_more(const struct saved_line *l) { return l->at < l->n; }

const char *saved_next(struct saved_line *l, const char *what, struct gpudbg_error *err)
{
    err->line = l->number;
    if (l->at < l->n) return l->word[l->at++];
    gpudbg_fail(err, "syntax", "%s is missing", what);
    return NULL;
}

bool saved_number(struct saved_line *l, const char *what, uint64_t most, uint64_t *value, struct gpudbg_error *err)
{
    const char *word = saved_next(l, what, err);
    char *end;
    if (!word) return false;
    errno = 0;
    *value = strtoull(word, &end, 0);
    if (!isdigit((unsigned char)*word) || *end || errno)
        return gpudbg_fail(err, "syntax", "%s: \"%.40s\" is not a number", what, word);
    return *value <= most ||
           gpudbg_fail(err, "out-of-range", "%s: %.40s: at most %" PRIu64 " is possible", what, word, most);
}

bool saved_hex(struct saved_line *l, const char *what, uint8_t **bytes, size_t *n, struct gpudbg_error *err)
{
    const char *word = saved_next(l, what, err);
    *bytes = NULL;
    if (!word) return false;
    const size_t digits = strlen(word);
    if (!digits || digits % 2 || strspn(word, "0123456789abcdef") != digits)
        return gpudbg_fail(err, "syntax", "%s: \"%.40s\" is not pairs of hex digits", what, word);
    *n = digits / 2;
    if (!(*bytes = malloc(*n))) return alloc_failed(err, *n, what);
    for (size_t i = 0; i < *n; i++) (*bytes)[i] = (uint8_t)(digit(word[2 * i]) * 16 + digit(word[2 * i + 1]));
    return true;
}

bool saved_take(struct saved_line *l, const char *word)
{
    if (l->at >= l->n || strcmp(l->word[l->at], word) != 0) return false;
    l->at++;
    return true;
}

bool saved_done(struct saved_line *l, struct gpudbg_error *err)
{
    err->line = l->number;
    if (l->at == l->n) return true;
    return gpudbg_fail(err, "syntax", "unexpected \"%.40s\"", l->word[l->at]);
}
