/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking for bytes in memory; see search.h. */
#include "eval/search.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "image/image.h"
#include "machine/machine.h"

#define PATTERN_MOST 65536
#define FILE_MOST ((uint64_t)4 << 30)
#define SECTIONS_ASKED 64       /* whether they lie over each other */
#define CHUNK ((size_t)4 << 20) /* bytes between two questions to the ticker */

/* ---- What is looked for ---- */

static bool add_bytes(struct search *s, const void *bytes, size_t n, struct gpudbg_error *err)
{
    if (s->n + n > PATTERN_MOST) return gpudbg_fail(err, "too-large", "more than %d bytes to look for", PATTERN_MOST);
    s->bytes = xrealloc(s->bytes, s->n + n + 1, 1);
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    return true;
}

static int escaped(char c)
{
    static const char named[] = "n\nt\tr\r0\0";
    for (size_t i = 0; i + 1 < sizeof named; i += 2)
        if (named[i] == c) return named[i + 1];
    return c;
}

/* "text", its quotes included; a backslash keeps what is behind it, and \n \t \r \0 are what C has. */
static bool add_text(struct search *s, const char *word, size_t len, struct gpudbg_error *err)
{
    for (size_t i = 1; i + 1 < len; i++) {
        const bool escape = word[i] == '\\' && i + 2 < len;
        i += escape;
        const char c = escape ? (char)escaped(word[i]) : word[i];
        if (!add_bytes(s, &c, 1, err)) return false;
    }
    return s->n || gpudbg_fail(err, "usage", "the text to look for is empty");
}

static bool add_hex(struct search *s, const char *digits, size_t len, struct gpudbg_error *err)
{
    for (size_t i = 0; i < len; i += 2) {
        char pair[3] = {digits[i], i + 1 < len ? digits[i + 1] : 0, 0}, *end;
        const uint8_t byte = (uint8_t)strtoul(pair, &end, 16);
        if (end != pair + 2 || !isxdigit((unsigned char)pair[0]))
            return gpudbg_fail(err, "syntax", "hex:%.*s: two hexadecimal digits make a byte", (int)len, digits);
        if (!add_bytes(s, &byte, 1, err)) return false;
    }
    return len || gpudbg_fail(err, "syntax", "hex: needs digits");
}

static bool add_value(struct search *s, struct eval *ev, const char *expr, unsigned size, struct gpudbg_error *err)
{
    struct value v;
    uint8_t bytes[8];
    if (!expr_value(ev, expr, &v, err) || !value_one(&v, err)) return false;
    unsigned bits = size * 8;
    if (!bits) {
        const bool small = v.type.kind == VALUE_FLOAT || (v.i >= INT32_MIN && v.i <= (int64_t)UINT32_MAX);
        bits = !v.untyped ? v.type.bits : small ? 32 : 64;
    }
    if (v.type.kind == VALUE_FLOAT && bits == 8)
        return gpudbg_fail(err, "usage", "%.60s is a float, and /b asks for single bytes", expr);
    if (v.type.kind != VALUE_FLOAT && bits < 64 &&
        (v.i < -((int64_t)1 << (bits - 1)) || v.i >= (int64_t)1 << bits || (v.type.kind == VALUE_UNSIGNED && v.i < 0)))
        return gpudbg_fail(err, "out-of-range", "%.60s does not fit in %u bits", expr, bits);
    const struct value as = value_convert(&v, (struct value_type){v.type.kind, (uint8_t)bits});
    le_put(bytes, value_bits(&as), 8);
    if (!s->n) s->element = bits / 8;
    return add_bytes(s, bytes, bits / 8, err);
}

/* The length of what stands before a comma that is in no brackets and no text. */
static size_t part_length(const char *at)
{
    int depth = 0;
    size_t i = 0;
    for (char quote = 0; at[i] && (quote || depth > 0 || at[i] != ','); i++) {
        if (quote && at[i] == '\\' && at[i + 1])
            i++;
        else if (quote ? at[i] == quote : at[i] == '"' || (at[i] == '\'' && at[i + 1] && at[i + 2] == '\''))
            quote = quote ? 0 : at[i];
        else if (!quote)
            depth += at[i] == '(' || at[i] == '[' ? 1 : at[i] == ')' || at[i] == ']' ? -1 : 0;
    }
    return i;
}

static bool word_is(const char *what, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(what, word, n) == 0 && !what[n + strspn(what + n, " ")];
}

bool search_open(struct search *s, struct eval *ev, const struct ticker *ticker, uint64_t most, const char *what,
    unsigned size, struct gpudbg_error *err)
{
    *s = (struct search){.element = size ? size : 4};
    what += strspn(what, " ");
    if (word_is(what, "nan") || word_is(what, "nonzero")) {
        s->kind = *what == 'n' && what[1] == 'a' ? SEARCH_NAN : SEARCH_NONZERO;
        return s->kind != SEARCH_NAN || s->element > 1 ||
               gpudbg_fail(err, "usage", "nan: /b asks for single bytes, and no float has one");
    }
    if (strncmp(what, "differs ", 8) == 0) {
        const char *path = what + 8 + strspn(what + 8, " ");
        s->kind = SEARCH_DIFFERS;
        const int fd = open_chosen(path, err);
        s->bytes = fd >= 0 ? all_within(fd, FILE_MOST, most, &s->n, ticker, err) : NULL;
        if (fd >= 0) close(fd);
        if (s->bytes) return true;
        char why[sizeof err->message];
        snprintf(why, sizeof why, "%s", err->message);
        return gpudbg_fail(err, err->kind, "%.200s: %.200s", path, why);
    }
    bool ok = *what || gpudbg_fail(err, "usage", "what to look for is missing");
    while (ok && *what) {
        what += strspn(what, " ");
        const size_t whole = part_length(what);
        size_t len = whole;
        while (len && what[len - 1] == ' ') len--;
        if (what[0] == '"') {
            ok = (len > 1 && what[len - 1] == '"') || gpudbg_fail(err, "syntax", "%.60s: a quote is missing", what);
            ok = ok && add_text(s, what, len, err);
        } else if (strncmp(what, "hex:", 4) == 0) {
            ok = add_hex(s, what + 4, len - 4, err);
        } else {
            char *expr = xalloc(len + 1);
            memcpy(expr, what, len);
            ok = add_value(s, ev, expr, size, err);
            free(expr);
        }
        what += whole;
        if (*what == ',' && !*++what) ok = ok && gpudbg_fail(err, "syntax", "a value is missing after the last comma");
    }
    if (!ok) search_close(s);
    return ok;
}

void search_close(struct search *s)
{
    free(s->bytes);
    s->bytes = NULL;
    s->n = 0;
}

/* ---- Looking ---- */

static bool is_nan(const uint8_t *at, unsigned size)
{
    if (size == 2) return (le_u16(at) & 0x7fff) > 0x7c00;
    if (size == 4) return (le_u32(at) & 0x7fffffff) > 0x7f800000;
    return (le_u64(at) & UINT64_MAX >> 1) > UINT64_C(0x7ff) << 52;
}

/* The first byte from `from` on that is not zero, or n. */
static size_t nonzero(const uint8_t *bytes, size_t n, size_t from)
{
    static const uint8_t none[4096];
    while (n - from >= sizeof none && memcmp(bytes + from, none, sizeof none) == 0) from += sizeof none;
    while (from < n && !bytes[from]) from++;
    return from;
}

static size_t different(const uint8_t *a, const uint8_t *b, size_t n, size_t from)
{
    while (n - from >= 4096 && memcmp(a + from, b + from, 4096) == 0) from += 4096;
    while (from < n && a[from] == b[from]) from++;
    return from;
}

#define MISSES_MOST 64 /* one in so many bytes, from which on memmem is faster */

/* The first place of m bytes among n, or NULL.  memchr reads as fast as memory does, but must look for a byte that is
 * rare; memmem takes seconds for a gigabyte. */
static const uint8_t *bytes_in(const uint8_t *bytes, size_t n, const uint8_t *what, size_t m)
{
    size_t rare = 0, misses = 0;
    while (rare + 1 < m && (what[rare] == 0 || what[rare] == 0xff)) rare++;
    if (what[rare] == 0 || what[rare] == 0xff || n < m) return n < m ? NULL : memmem(bytes, n, what, m);
    const uint8_t *const end = bytes + (n - m) + rare + 1;
    for (const uint8_t *at = bytes + rare; at < end; at++) {
        at = memchr(at, what[rare], (size_t)(end - at));
        if (!at || memcmp(at - rare, what, m) == 0) return at ? at - rare : NULL;
        if (++misses > MISSES_MOST && misses * MISSES_MOST > (size_t)(at - bytes))
            return memmem(at - rare, n - (size_t)(at - rare - bytes), what, m);
    }
    return NULL;
}

size_t search_in(const struct search *s, const uint8_t *bytes, size_t n, size_t from)
{
    const size_t e = s->element;
    if (from >= n) return n;
    if (s->kind == SEARCH_BYTES) {
        const uint8_t *at = bytes_in(bytes + from, n - from, s->bytes, s->n);
        return at ? (size_t)(at - bytes) : n;
    }
    from = (from + e - 1) / e * e;
    if (from >= n) return n;
    if (s->kind == SEARCH_NAN) {
        for (; from + e <= n; from += e)
            if (is_nan(bytes + from, (unsigned)e)) return from;
        return n;
    }
    const size_t both = s->kind == SEARCH_DIFFERS && s->n < n ? s->n : n;
    const size_t at = s->kind == SEARCH_NONZERO ? nonzero(bytes, n, from)
                      : from < both             ? different(bytes, s->bytes, both, from)
                                                : both;
    return at < both ? at / e * e : n; /* of an element that begins before `from`, that part is the same */
}

/* A run of memory that lies in one piece. */
struct piece {
    const uint8_t *bytes;
    size_t n;
    uint8_t *copy; /* malloc'ed; NULL: bytes are borrowed */
};

/* Whether n bytes of the section at addr are what the file has, without patches and other sections over them; false
 * also where that would take long to find out. */
static bool is_plain(const struct gpudbg_image *image, uint64_t addr, size_t n)
{
    const struct gpudbg_section *own = gpudbg_image_at(image, addr);
    if (image->npatches || image->nsections > SECTIONS_ASKED) return false;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (s != own && s->flags & GPUDBG_LOADED && s->size && s->addr - addr < n) return false;
    }
    return true;
}

static bool piece_at(
    struct eval *ev, unsigned space, uint64_t addr, uint64_t end, struct piece *p, struct gpudbg_error *err)
{
    const struct gpudbg_segment *s = NULL;
    struct gpudbg_machine *m = ev->running->machine;
    uint8_t byte;
    size_t n = 0;
    *p = (struct piece){0};
    if (m && machine_peek(m, ev->selection->wave, space, addr, &byte, 1, &s, err) && s) {
        p->bytes = s->bytes + (addr - s->base);
        p->n = (size_t)(s->base + s->size - addr);
    } else if (space == GPUDBG_GLOBAL && ev->loaded->image && gpudbg_image_bytes(ev->loaded->image, addr, &n) && n) {
        *err = (struct gpudbg_error){.offset = -1};
        n = n > end - addr ? (size_t)(end - addr) : n;
        if (!is_plain(ev->loaded->image, addr, n)) {
            p->copy = malloc(n);
            if (!p->copy) return alloc_failed(err, n, "a section");
            gpudbg_image_copy(ev->loaded->image, addr, p->copy, n);
        }
        p->bytes = p->copy ? p->copy : gpudbg_image_bytes(ev->loaded->image, addr, &p->n);
        p->n = n;
    } else {
        if (!err->kind) gpudbg_fail(err, "out-of-range", "no memory at 0x%" PRIx64, addr);
        return false;
    }
    if (p->n > end - addr) p->n = (size_t)(end - addr);
    return true;
}

bool search_run(const struct search *s, struct eval *ev, const struct ticker *ticker, unsigned space, uint64_t base,
    uint64_t first, uint64_t end, bool (*each)(void *to, uint64_t addr), void *to, struct gpudbg_error *err)
{
    uint64_t done = 0;
    const size_t beyond = s->kind == SEARCH_BYTES ? s->n - 1 : 0;
    for (uint64_t addr = first; addr < end;) {
        struct piece p;
        struct search part = *s;
        if (!piece_at(ev, space, addr, end, &p, err)) return false;
        const uint64_t skip = addr - base;
        if (s->kind == SEARCH_DIFFERS) { /* the other bytes that stand beside this piece */
            part.bytes = skip < s->n ? s->bytes + skip : NULL;
            part.n = skip < s->n ? s->n - (size_t)skip : 0;
        }
        bool go = true;
        for (size_t from = 0; go && from < p.n;) {
            const size_t stop = p.n - from > CHUNK ? from + CHUNK : p.n;
            const size_t seen = p.n - stop > beyond ? stop + beyond : p.n;
            for (size_t at; go && (at = search_in(&part, p.bytes, seen, from)) < seen && at < stop;) {
                go = each(to, addr + at);
                from = at + (s->kind == SEARCH_BYTES ? 1 : s->element);
            }
            from = stop;
            if (go && !ticker_goes_on(ticker, done + from, end - first)) {
                free(p.copy);
                return gpudbg_fail(
                    err, "interrupt", "interrupted after %" PRIu64 " of %" PRIu64 " bytes", done + from, end - first);
            }
        }
        free(p.copy);
        if (!go) return true;
        done += p.n;
        addr += p.n;
    }
    return true;
}
