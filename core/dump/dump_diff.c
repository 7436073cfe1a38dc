/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpudbg/endian.h"
#include "dump/dump_diff.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/words.h"
#include "dump/dump.h"
#include "dump/dump_show.h"
#include "code/records.h"
#include "out/say.h"

/* The latest value of every register of a dump, or of one capture. */
struct side {
    struct gpudbg_record *record;
    size_t count;
};

static int compare_text(const char *a, const char *b) { return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b); }

static int by_name(const void *left, const void *right)
{
    const struct gpudbg_record *a = left, *b = right;
    int order = compare_text(a->name, b->name);
    if (!order) order = compare_text(a->unit, b->unit);
    return order || a->name ? order : (a->addr > b->addr) - (a->addr < b->addr);
}

static int by_name_and_line(const void *left, const void *right)
{
    const struct gpudbg_record *a = left, *b = right;
    int order = by_name(left, right);
    if (!order) order = (a->capture > b->capture) - (a->capture < b->capture);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_line(const void *left, const void *right)
{
    const struct gpudbg_record *a = left, *b = right;
    return (a->line > b->line) - (a->line < b->line);
}

static struct side side_of(const struct gpudbg_dump *d, long capture)
{
    struct side s = {xcalloc(gpudbg_dump_records(d) + 1, sizeof *s.record), 0};
    struct gpudbg_record r;
    size_t n = 0;
    for (size_t i = 0; gpudbg_dump_record(d, i, &r); i++)
        if (capture < 0 || r.capture == (uint32_t)capture) s.record[n++] = r;
    qsort(s.record, n, sizeof r, by_name_and_line);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || by_name(&s.record[i], &s.record[i + 1]) != 0) s.record[s.count++] = s.record[i];
    return s;
}

static void diff_side(struct gpudbg_out *out, const char *key, const struct gpudbg_record *r)
{
    ITEM(out, key, NULL, HEX("value", r->value), NUMBER("capture", r->capture), NUMBER("line", r->line));
}

static void diff_fields(
    const struct gpudbg_reg *reg, const struct gpudbg_record *a, const struct gpudbg_record *b, struct gpudbg_out *out)
{
    char was[256], is[256], bits[64];
    struct gpudbg_field_iter x, y;
    uint8_t left[8], right[8];
    le_put(left, a->value, 8);
    le_put(right, b->value, 8);
    gpudbg_word_fields(&x, reg->format, left);
    gpudbg_word_fields(&y, reg->format, right);
    while (gpudbg_next_field(&x) && gpudbg_next_field(&y)) {
        if (x.value == y.value) continue;
        field_bits_text(&x, bits, sizeof bits);
        gpudbg_field_meaning(x.field, NULL, x.value, was, sizeof was);
        gpudbg_field_meaning(y.field, NULL, y.value, is, sizeof is);
        ITEM(out, NULL, "         {bits:7}  {name:-26} {was} -> {is}\n", STRING("name", x.field->name),
            STRING("bits", bits), HEX("a", x.value), HEX("b", y.value), TEXT("was", was), TEXT("is", is));
    }
}

static void diff_record(
    const struct gpudbg_reg *reg, const struct gpudbg_record *a, const struct gpudbg_record *b, struct gpudbg_out *out)
{
    char title[256];
    dump_record_title(a, title, sizeof title);
    BEGIN(out, "difference", "{title:-36} {from:08} -> {to:08}  (lines {line}, {to_line})\n", TEXT("title", title),
        STRING("name", a->name ? a->name : title), STRING("unit", a->unit), TEXT_ONLY(HEX("from", a->value)),
        TEXT_ONLY(HEX("to", b->value)), TEXT_ONLY(NUMBER("line", a->line)), TEXT_ONLY(NUMBER("to_line", b->line)));
    diff_side(out, "a", a);
    diff_side(out, "b", b);
    gpudbg_out_array(out, "fields");
    if (reg) diff_fields(reg, a, b, out);
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

static void one_sided(const struct gpudbg_record *r, const char *side, struct gpudbg_out *out)
{
    char title[256];
    dump_record_title(r, title, sizeof title);
    BEGIN(out, "difference", "{title:-36} {value:08}  only in {side} (line {line})\n", TEXT("title", title),
        STRING("name", r->name ? r->name : title), STRING("unit", r->unit), TEXT_ONLY(HEX("value", r->value)),
        TEXT("side", side), TEXT_ONLY(NUMBER("line", r->line)));
    diff_side(out, side, r);
    gpudbg_out_array(out, "fields");
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* Every register of the one side, in the order of its lines, against the other; then what only the other has. */
static void diff(const struct gpudbg_dump *a, long ca, const struct gpudbg_dump *b, long cb, struct gpudbg_out *out)
{
    struct side x = side_of(a, ca), y = side_of(b, cb), sorted = side_of(a, ca);
    size_t same = 0, different = 0;
    qsort(x.record, x.count, sizeof *x.record, by_line);
    for (size_t i = 0; i < x.count && !out_broken(out); i++) {
        const struct gpudbg_record *r = &x.record[i], *other = bsearch(r, y.record, y.count, sizeof *r, by_name);
        if (other && other->value == r->value) {
            same++;
            continue;
        }
        if (other)
            diff_record(gpudbg_dump_reg(a, r), r, other, out);
        else
            one_sided(r, "a", out);
        different++;
    }
    for (size_t i = 0; i < y.count && !out_broken(out); i++) {
        if (bsearch(&y.record[i], sorted.record, sorted.count, sizeof *y.record, by_name)) continue;
        one_sided(&y.record[i], "b", out);
        different++;
    }
    gpudbg_out_print(out, "%zu register%s, %zu %s the same\n", different, different == 1 ? " differs" : "s differ",
        same, same == 1 ? "is" : "are");
    free(x.record);
    free(y.record);
    free(sorted.record);
}

bool dump_number(const char *text, long *n)
{
    char *end;
    *n = strtol(text, &end, 10);
    return end != text && !*end && *n >= 0;
}

/* diff N [M]: captures of the first dump; diff FILE: the first dump against it. */
bool dump_diff(const struct dump_env *env, struct gpudbg_dump *const *dumps, size_t ndumps, struct gpudbg_args *a,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *first = args_need(a, "a capture's number, or the file of another dump", err);
    char other[512];
    long n, m;
    size_t captures;
    if (!first) return false;
    snprintf(other, sizeof other, "%s", first);
    const char *second = gpudbg_args_word(a);
    gpudbg_dump_captures(dumps[0], &captures);
    if (dump_number(other, &n)) {
        m = -1;
        if (second && !dump_number(second, &m))
            return gpudbg_fail(err, "usage", "\"%.60s\" is not the number of a capture", second);
        if (!args_end(a, err)) return false;
        long from = m >= 0 ? n : 0, to = m >= 0 ? m : n;
        if ((size_t)to >= captures || (size_t)from >= captures)
            return gpudbg_fail(err, "out-of-range", "no capture %ld: the dump has %zu, numbered from 0",
                (size_t)to >= captures ? to : from, captures);
        diff(dumps[0], from, dumps[0], to, out);
        return true;
    }
    if (second) return gpudbg_fail(err, "usage", "\"%.60s\" after a file: a file is compared as a whole", second);
    for (size_t i = 0; i < ndumps; i++) {
        if (strcmp(gpudbg_dump_path(dumps[i]), other) == 0 && (i || ndumps == 1)) {
            diff(dumps[0], -1, dumps[i], -1, out);
            return true;
        }
    }
    if (!env) return gpudbg_fail(err, "not-now", "this session must not open files");
    struct gpudbg_dump *d = dump_open(env, other, NULL, 0, err);
    if (!d) return false;
    diff(dumps[0], -1, d, -1, out);
    dump_close(d);
    return true;
}
