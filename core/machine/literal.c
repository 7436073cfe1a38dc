/* SPDX-License-Identifier: GPL-3.0-or-later */
/* literal.c: see literal.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/argument.h"
#include "gpudbg/endian.h"
#include "gpudbg/lanes.h"
#include "machine/literal.h"

/* ---- Literals ---- */

/* "u32", "i8", "f16" ... at the start of text, followed by ':'. */
bool literal_scalar_prefix(const char *text, struct literal_scalar *s, const char **rest)
{
    static const struct {
        const char *name;
        struct literal_scalar scalar;
    } names[] = {
        {"u8:", {'u', 1}},
        {"u16:", {'u', 2}},
        {"u32:", {'u', 4}},
        {"u64:", {'u', 8}},
        {"i8:", {'i', 1}},
        {"i16:", {'i', 2}},
        {"i32:", {'i', 4}},
        {"i64:", {'i', 8}},
        {"s8:", {'i', 1}},
        {"s16:", {'i', 2}},
        {"s32:", {'i', 4}},
        {"s64:", {'i', 8}},
        {"f16:", {'f', 2}},
        {"f32:", {'f', 4}},
        {"f64:", {'f', 8}},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(text, names[i].name, strlen(names[i].name)) == 0) {
            *s = names[i].scalar;
            *rest = text + strlen(names[i].name);
            return true;
        }
    return false;
}

/* An integer literal, decimal or hex, perhaps negative: magnitude and sign.  *end is set past it. */
bool literal_integer(const char *text, uint64_t *magnitude, bool *negative, const char **end)
{
    errno = 0;
    *negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    if (!isdigit((unsigned char)*text)) return false;
    char *stop;
    *magnitude = strtoull(text, &stop, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
    *end = stop;
    return errno == 0;
}

/* Hex digits, "0x" in front or not. */
bool literal_hex_number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 16);
    return isxdigit((unsigned char)*text) && !*end && errno == 0;
}

/* Writes the literal `text` (n characters) as a scalar; false, with the reason in err, if it is none or does not fit.
 */
static bool literal_one(
    const char *what, const char *text, size_t n, struct literal_scalar s, uint8_t out[8], struct gpudbg_error *err)
{
    char word[128];
    if (n == 0 || n >= sizeof word)
        return gpudbg_fail(err, "bad-argument", "%s: '%.*s': not a number", what, (int)(n < 40 ? n : 40), text);
    memcpy(word, text, n);
    word[n] = 0;
    uint64_t magnitude = 0;
    bool negative = false;
    const char *end = word;
    bool whole = literal_integer(word, &magnitude, &negative, &end) && *end == 0;
    if (s.kind == 'f' || (s.kind == 0 && !whole && s.size >= 4)) {
        char *stop;
        double d = strtod(word, &stop);
        float f = strtof(word, NULL);
        uint32_t h = lanes_f16_from_f64(d);
        if (*stop || isspace((unsigned char)*word))
            return gpudbg_fail(err, "bad-argument", "%s: '%s': not a number", what, word);
        bool infinite = s.size == 2 ? (h & 0x7fff) == 0x7c00 : s.size == 4 ? isinf(f) : isinf(d);
        if (infinite && strpbrk(word, "0123456789")) /* it is not "inf" */
            return gpudbg_fail(err, "bad-argument", "%s: %s does not fit in a float of %u bytes", what, word, s.size);
        memcpy(out, s.size == 2 ? (void *)&h : s.size == 4 ? (void *)&f : (void *)&d, s.size);
        return true;
    }
    if (!whole)
        return gpudbg_fail(err, "bad-argument", "%s: '%s': %s", what, word,
            errno == ERANGE ? "does not fit in 64 bits" : "not an integer");
    unsigned bits = 8 * s.size;
    uint64_t top = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (negative ? magnitude > (uint64_t)1 << (bits - 1) : magnitude > top)
        return gpudbg_fail(
            err, "bad-argument", "%s: %s does not fit in %u byte%s", what, word, s.size, s.size == 1 ? "" : "s");
    uint64_t value = negative ? 0 - magnitude : magnitude;
    le_put(out, value, s.size);
    return true;
}

/* The element of a type as OpenCL C spells it ("uchar4", "float", "long2"): its scalar and how many; count 0: unknown.
 */
unsigned literal_element(const char *type, struct literal_scalar *s)
{
    static const struct {
        const char *name;
        struct literal_scalar scalar;
    } names[] = {
        {"char", {'i', 1}},
        {"uchar", {'u', 1}},
        {"unsigned char", {'u', 1}},
        {"short", {'i', 2}},
        {"ushort", {'u', 2}},
        {"unsigned short", {'u', 2}},
        {"int", {'i', 4}},
        {"uint", {'u', 4}},
        {"unsigned int", {'u', 4}},
        {"long", {'i', 8}},
        {"ulong", {'u', 8}},
        {"unsigned long", {'u', 8}},
        {"half", {'f', 2}},
        {"float", {'f', 4}},
        {"double", {'f', 8}},
        {"bool", {'u', 1}},
        {"size_t", {'u', 8}},
    };
    if (!type) return 0;
    for (const char *const *q =
             (const char *const[]){"const ", "global ", "__global ", "constant ", "__constant ", NULL};
         *q; q++)
        if (strncmp(type, *q, strlen(*q)) == 0) return literal_element(type + strlen(*q), s);
    size_t n = strcspn(type, "0123456789*");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && strncmp(type, names[i].name, n) == 0) {
            unsigned count = (unsigned)strtoul(type + n, NULL, 10);
            *s = names[i].scalar;
            return count ? count : 1;
        }
    return 0;
}

static int hex_digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

bool literal_hex_bytes(
    const char *what, const char *text, size_t n, uint8_t *out, uint64_t *size, struct gpudbg_error *err)
{
    uint64_t digits = 0;
    for (size_t i = 0; i < n; i++) {
        int d = hex_digit((unsigned char)text[i]);
        if (text[i] == '_') continue;
        if (d < 0)
            return gpudbg_fail(err, "bad-argument", "%s: 'hex:%.40s': '%c' is not a hex digit", what, text, text[i]);
        out[digits / 2] = (uint8_t)(digits % 2 ? out[digits / 2] << 4 | d : d);
        digits++;
    }
    if (digits == 0 || digits % 2)
        return gpudbg_fail(
            err, "bad-argument", "%s: 'hex:%.40s': %" PRIu64 " hex digits, two make a byte", what, text, digits);
    *size = digits / 2;
    return true;
}

/* ---- Lists of contents: u32:1,f32:2.5,&buf0+16,hex:00ff ---- */

const struct gpudbg_bound *launch_bound_named(const struct gpudbg_launch *launch, const char *name, size_t n)
{
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (b->name && strlen(b->name) == n && strncmp(b->name, name, n) == 0) return b;
    }
    return NULL;
}

/* The address of a bound buffer (0 before it has one), else of a symbol of the code. */
static bool named_address(const struct gpudbg_launch *launch, const char *name, size_t n, uint64_t *address)
{
    const struct gpudbg_bound *b = launch_bound_named(launch, name, n);
    const struct gpudbg_image *image = ((const struct launching *)launch)->image;
    char symbol[200];
    *address = b && b->segment ? b->segment->base : 0;
    if (b || !image || n >= sizeof symbol) return b && b->kind == GPUDBG_BOUND_BUFFER;
    memcpy(symbol, name, n);
    symbol[n] = 0;
    const struct gpudbg_symbol *found = gpudbg_image_find(image, symbol);
    *address = found ? found->addr : 0;
    return found != NULL;
}

/* What follows an address: +OFFSET adds, >>N shifts, |BITS puts in bits beside it; in any order. */
static bool changed_address(const char *p, const char *end, uint64_t *address)
{
    while (p < end) {
        const char how = *p;
        uint64_t n;
        bool negative;
        if (how == '>' && p[1] == '>')
            p++;
        else if (how != '+' && how != '|')
            return false;
        if (!literal_integer(p + 1, &n, &negative, &p) || negative || (how == '>' && n > 63)) return false;
        *address = how == '+' ? *address + n : how == '|' ? *address | n : *address >> n;
    }
    return p == end;
}

/* "&NAME", perhaps with changes. */
static bool address_of(const struct gpudbg_launch *launch, const char *what, const char *text, size_t n,
    uint64_t *address, struct gpudbg_error *err)
{
    size_t name = strcspn(text + 1, "+,>|");
    if (!named_address(launch, text + 1, name, address))
        return gpudbg_fail(err, "no-such-name", "%s: '%.*s': no buffer and no code has this name", what, (int)n, text);
    if (!changed_address(text + 1 + name, text + n, address))
        return gpudbg_fail(err, "bad-argument",
            "%s: '%.*s': not an address; +OFFSET, >>BITS and |BITS may follow the name", what, (int)n, text);
    return true;
}

/* Writes the items of a list, `item` being the type of those that do not say theirs.  `out` has room for strlen(text)
 * * 8. */
bool literal_contents(const struct gpudbg_launch *launch, const char *what, const char *text,
    struct literal_scalar item, uint8_t *out, uint64_t *size, struct gpudbg_error *err)
{
    *size = 0;
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, ",");
        struct literal_scalar s = item;
        const char *number = p;
        if (*p == '&') {
            uint64_t address = 0;
            if (!address_of(launch, what, p, n, &address, err)) return false;
            memcpy(out + *size, &address, 8);
            *size += 8;
        } else if (strncmp(p, "hex:", 4) == 0) {
            uint64_t got;
            if (!literal_hex_bytes(what, p + 4, n - 4, out + *size, &got, err)) return false;
            *size += got;
        } else {
            literal_scalar_prefix(p, &s, &number);
            if (!literal_one(what, number, n - (size_t)(number - p), s, out + *size, err)) return false;
            *size += s.size;
        }
        p += n;
        if (!*p) return true;
    }
}
