/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reading.c: the text of one instruction, read from left to right: names, constants, and the report of what is wrong.
 * Ranks of operators are those of GNU as, which LLVM's assembler keeps to.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "gpudbg.h"
#include "gpudbg/text.h"

bool gpudbg_reading_wants(struct gpudbg_reading *r, const char *where, const char *kind, const char *fmt, ...)
{
    if (r->furthest && where <= r->furthest) return false;
    r->furthest = where;
    r->err->kind = NULL;
    r->err->column = where - r->text + 1;
    char message[sizeof r->err->message];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    return gpudbg_fail(r->err, kind, "%s", message);
}

/* ---- Names of instructions ---- */

#define NAME_LENGTH 63 /* characters of a name that is compared */

/* How many characters are changed, added, left out or exchanged with the next one between a, of n characters, and b,
 * without regard to case: the distance of optimal string alignment, by a table of which three rows are kept. */
static unsigned name_distance(const char *a, size_t n, const char *b)
{
    uint8_t rows[3][NAME_LENGTH + 1];
    const size_t m = strlen(b);
    if (n > NAME_LENGTH || m > NAME_LENGTH) return UINT_MAX;
    for (size_t j = 0; j <= n; j++) rows[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= m; i++) {
        uint8_t *now = rows[i % 3];
        const uint8_t *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        now[0] = (uint8_t)i;
        for (size_t j = 1; j <= n; j++) {
            const int x = tolower((unsigned char)a[j - 1]), y = tolower((unsigned char)b[i - 1]);
            unsigned least = above[j - 1] + (x != y ? 1u : 0u);
            if (above[j] + 1u < least) least = above[j] + 1u;
            if (now[j - 1] + 1u < least) least = now[j - 1] + 1u;
            const bool exchanged = i > 1 && j > 1 && x == tolower((unsigned char)b[i - 2]) &&
                                   y == tolower((unsigned char)a[j - 2]);
            if (exchanged && before[j - 2] + 1u < least) least = before[j - 2] + 1u;
            now[j] = (uint8_t)least;
        }
    }
    return rows[m % 3][n];
}

bool gpudbg_reading_unknown_op(struct gpudbg_reading *r, const char *where, size_t n)
{
    unsigned least = n < 6 ? (unsigned)n / 2 + 1
                           : 4; /* what differs in more than half of its letters is another name */
    const char *nearest = NULL;
    for (size_t i = 0; i < r->isa->nops; i++) {
        if (!gpudbg_has_op(r->isa, i)) continue;
        const unsigned d = name_distance(where, n, r->isa->ops[i].name);
        if (d >= least) continue;
        least = d;
        nearest = r->isa->ops[i].name;
    }
    const int shown = (int)(n < 60 ? n : 60);
    return nearest
               ? gpudbg_reading_wants(r, where, "unknown-opcode",
                     "%s has no instruction \"%.*s\"; \"%s\" is the nearest name", r->isa->name, shown, where, nearest)
               : gpudbg_reading_wants(
                     r, where, "unknown-opcode", "%s has no instruction \"%.*s\"", r->isa->name, shown, where);
}

/* ---- Words of the text ---- */

static void pass_blanks(struct gpudbg_reading *r) { r->at += strspn(r->at, " \t\r\f\v"); }

bool gpudbg_reading_ends(struct gpudbg_reading *r)
{
    pass_blanks(r);
    return !*r->at;
}

bool gpudbg_reading_takes(struct gpudbg_reading *r, char c)
{
    pass_blanks(r);
    if (!c || *r->at != c) return false;
    r->at++;
    return true;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || (c && strchr("_.$@", c)); }

size_t gpudbg_reading_name(struct gpudbg_reading *r)
{
    size_t n = 0;
    pass_blanks(r);
    if (isdigit((unsigned char)*r->at)) return 0;
    while (in_name(r->at[n])) n++;
    return n;
}

bool gpudbg_reading_word(struct gpudbg_reading *r, const char *word)
{
    const size_t n = gpudbg_reading_name(r);
    if (n != strlen(word) || strncasecmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

/* ---- Numbers ---- */

/* A number with a point or an exponent: the length of its text, or 0. */
static size_t float_length(const char *p)
{
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t n = hex ? 2 : 0, digits = 0;
    bool real = false;
    for (; hex ? isxdigit((unsigned char)p[n]) : isdigit((unsigned char)p[n]); n++) digits++;
    if (p[n] == '.' && digits) {
        real = true;
        for (n++; hex ? isxdigit((unsigned char)p[n]) : isdigit((unsigned char)p[n]); n++) digits++;
    }
    if (digits && (hex ? p[n] == 'p' || p[n] == 'P' : p[n] == 'e' || p[n] == 'E')) {
        size_t e = n + 1;
        if (p[e] == '+' || p[e] == '-') e++;
        if (isdigit((unsigned char)p[e])) {
            real = true;
            for (n = e; isdigit((unsigned char)p[n]); n++) {
            }
        }
    }
    return real ? n : 0;
}

/* Digits of a base; false: there are none, or too many for 64 bits. */
static bool take_digits(struct gpudbg_reading *r, const char *from, unsigned base, int64_t *value)
{
    uint64_t sum = 0;
    const char *p = from;
    for (;; p++) {
        const int c = tolower((unsigned char)*p);
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                      : 99;
        if (digit >= base) break;
        if (sum > (UINT64_MAX - digit) / base)
            return gpudbg_reading_wants(r, r->at, "out-of-range", "the number does not fit into 64 bits");
        sum = sum * base + digit;
    }
    if (p == from || in_name(*p))
        return gpudbg_reading_wants(r, p, "syntax", "a digit of a number of base %u is expected here", base);
    r->at = p;
    *value = (int64_t)sum;
    return true;
}

bool gpudbg_reading_number(struct gpudbg_reading *r, struct gpudbg_term *t)
{
    pass_blanks(r);
    *t = (struct gpudbg_term){.known = true, .from = r->at};
    const char *p = r->at;
    if (!isdigit((unsigned char)*p)) return gpudbg_reading_wants(r, p, "syntax", "a number is expected here");
    const size_t real = float_length(p);
    if (real) {
        char digits[512];
        if (real >= sizeof digits)
            return gpudbg_reading_wants(r, p, "syntax", "a number of %zu characters is too long", real);
        memcpy(digits, p, real);
        digits[real] = 0;
        if (in_name(p[real])) return gpudbg_reading_wants(r, p + real, "syntax", "the number ends here");
        t->is_float = true;
        t->number = strtod(digits, NULL);
        r->at = p + real;
        t->to = r->at;
        return true;
    }
    const char second = (char)tolower((unsigned char)p[1]);
    const bool prefixed = *p == '0' && (second == 'x' || second == 'b' || second == 'o');
    const unsigned base = !prefixed       ? (*p == '0' && isdigit((unsigned char)p[1]) ? 8 : 10)
                          : second == 'x' ? 16
                          : second == 'b' ? 2
                                          : 8;
    if (!take_digits(r, p + (prefixed ? 2 : 0), base, &t->value)) return false;
    t->to = r->at;
    return true;
}

/* ---- Constants ---- */

#define DEPTH 64 /* of brackets and signs; deeper text is no constant that anybody wrote */

static bool take_rank(struct gpudbg_reading *, struct gpudbg_term *, unsigned rank, unsigned depth);

static bool take_name(struct gpudbg_reading *r, struct gpudbg_term *t)
{
    const size_t n = gpudbg_reading_name(r);
    uint64_t value = r->addr;
    if (!n)
        return gpudbg_reading_wants(
            r, r->at, "syntax", "a constant is expected here: a number, or the name of a label");
    *t = (struct gpudbg_term){.known = true, .from = r->at, .is_address = true};
    if (!(n == 1 && *r->at == '.') && (!r->symbol || !r->symbol(r, r->at, n, &value, &t->known)))
        return gpudbg_reading_wants(
            r, r->at, "undefined-label", "no label is called \"%.*s\"", (int)(n < 80 ? n : 80), r->at);
    t->value = (int64_t)value;
    r->at += n;
    t->to = r->at;
    return true;
}

static bool not_float(struct gpudbg_reading *r, const struct gpudbg_term *t)
{
    return !t->is_float ||
           gpudbg_reading_wants(r, t->from, "syntax", "operators work on whole numbers, not on this one with a point");
}

static bool take_unary(struct gpudbg_reading *r, struct gpudbg_term *t, unsigned depth)
{
    pass_blanks(r);
    const char *from = r->at;
    if (depth >= DEPTH)
        return gpudbg_reading_wants(r, from, "too-large", "more than %d brackets and signs around one number", DEPTH);
    if (*from && strchr("-+~!", *from)) {
        r->at++;
        if (!take_unary(r, t, depth + 1)) return false;
        if (*from == '-' || *from == '+') {
            if (*from == '-') t->number = -t->number;
        } else if (!not_float(r, t))
            return false;
        if (*from != '+') t->is_address = false;
        const uint64_t v = (uint64_t)t->value;
        t->value = (int64_t)(*from == '-' ? 0 - v : *from == '~' ? ~v : *from == '!' ? !v : v);
        t->from = from;
        return true;
    }
    if (*from == '(') {
        r->at++;
        if (!take_rank(r, t, 1, depth + 1)) return false;
        if (!gpudbg_reading_takes(r, ')')) return gpudbg_reading_wants(r, r->at, "syntax", "a ) is expected here");
        t->from = from;
        t->to = r->at;
        return true;
    }
    return isdigit((unsigned char)*from) ? gpudbg_reading_number(r, t) : take_name(r, t);
}

/* The longer ones first. */
static const struct operation {
    char sign[3];
    uint8_t rank;
} operations[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<>", 3}, {"<=", 3}, {">=", 3}, {"<<", 6}, {">>", 6},
    {"<", 3}, {">", 3}, {"+", 4}, {"-", 4}, {"|", 5}, {"^", 5}, {"&", 5}, {"*", 6}, {"/", 6}, {"%", 6}};

static const struct operation *operation_at(const char *p)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strncmp(p, operations[i].sign, strlen(operations[i].sign)) == 0) return &operations[i];
    return NULL;
}

static bool divide(struct gpudbg_reading *r, const char *where, int64_t a, int64_t b, bool rest, int64_t *to)
{
    if (!b) return gpudbg_reading_wants(r, where, "out-of-range", "a division by 0");
    if (b == -1)
        *to = rest ? 0 : (int64_t)(0 - (uint64_t)a);
    else
        *to = rest ? a % b : a / b;
    return true;
}

static bool operate(
    struct gpudbg_reading *r, const char *where, const char *sign, struct gpudbg_term *a, const struct gpudbg_term *b)
{
    const uint64_t x = (uint64_t)a->value, y = (uint64_t)b->value;
    const bool difference = *sign == '-' && a->is_address && b->is_address;
    if (!not_float(r, a) || !not_float(r, b)) return false;
    a->is_address = *sign == '+' || *sign == '-' ? !difference && (a->is_address || b->is_address) : false;
    a->known &= b->known;
    a->to = b->to;
    switch (*sign | sign[1] << 8) {
    case '|' | '|' << 8: a->value = x || y; return true;
    case '&' | '&' << 8: a->value = x && y; return true;
    case '=' | '=' << 8: a->value = x == y ? -1 : 0; return true; /* true is -1, as GNU as has it */
    case '!' | '=' << 8:
    case '<' | '>' << 8: a->value = x != y ? -1 : 0; return true;
    case '<' | '=' << 8: a->value = a->value <= b->value ? -1 : 0; return true;
    case '>' | '=' << 8: a->value = a->value >= b->value ? -1 : 0; return true;
    case '<': a->value = a->value < b->value ? -1 : 0; return true;
    case '>': a->value = a->value > b->value ? -1 : 0; return true;
    case '<' | '<' << 8: a->value = (int64_t)(y < 64 ? x << y : 0); return true;
    case '>' | '>' << 8: a->value = (int64_t)(y < 64 ? x >> y : 0); return true;
    case '+': a->value = (int64_t)(x + y); return true;
    case '-': a->value = (int64_t)(x - y); return true;
    case '|': a->value = (int64_t)(x | y); return true;
    case '^': a->value = (int64_t)(x ^ y); return true;
    case '&': a->value = (int64_t)(x & y); return true;
    case '*': a->value = (int64_t)(x * y); return true;
    }
    return divide(r, where, a->value, b->value, *sign == '%', &a->value);
}

static bool take_rank(struct gpudbg_reading *r, struct gpudbg_term *t, unsigned rank, unsigned depth)
{
    if (rank > 6) return take_unary(r, t, depth);
    if (!take_rank(r, t, rank + 1, depth)) return false;
    for (;;) {
        const char *before = r->at;
        struct gpudbg_term right;
        pass_blanks(r);
        const char *where = r->at;
        const struct operation *o = operation_at(where);
        if (!o || o->rank != rank || t->is_float) { /* "1.0 -v0" is two operands */
            r->at = before;
            return true;
        }
        r->at += strlen(o->sign);
        if (!take_rank(r, &right, rank + 1, depth)) return false;
        if (!operate(r, where, o->sign, t, &right)) return false;
    }
}

bool gpudbg_reading_term(struct gpudbg_reading *r, struct gpudbg_term *t) { return take_rank(r, t, 1, 0); }

bool gpudbg_reading_primary(struct gpudbg_reading *r, struct gpudbg_term *t) { return take_unary(r, t, 0); }
