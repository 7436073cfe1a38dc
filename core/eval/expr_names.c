/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names mean in expressions: registers and their lanes, the value history, buffers, symbols, labels, spaces. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "eval/expr_parser.h"
#include "eval/locals.h"
#include "eval/over_lanes.h"
#include "machine/machine.h"
#include "eval/value.h"

/* ---- Registers ---- */

const struct gpudbg_isa *parser_isa(const struct parser *p)
{
    return p->ev->running->machine ? p->ev->running->machine->isa
           : p->ev->loaded->image  ? p->ev->loaded->image->isa
                                   : NULL;
}

/* Which register a name means; number -1: a number in brackets must follow. */
static bool register_named(const struct gpudbg_isa *isa, const char *at, size_t len, struct value *v, long *number)
{
    for (size_t f = 0; isa && f < isa->nfiles; f++) {
        const struct gpudbg_regfile *file = &isa->files[f];
        size_t n = strlen(file->name);
        if (len < n || strncmp(file->name, at, n) != 0) continue;
        bool half = !file->indexed && file->bits == 64 && len == n + 3 && at[n] == '_';
        v->file = (uint16_t)f;
        if (file->indexed && len > n && len < n + 6 && strspn(at + n, "0123456789") == len - n) {
            *number = strtol(at + n, NULL, 10);
            return true;
        }
        if (len == n) {
            *number = file->indexed ? -1 : 0;
            return true;
        }
        if (half && (strncmp(at + n, "_lo", 3) == 0 || strncmp(at + n, "_hi", 3) == 0)) {
            v->part = v->whole = true;
            v->type.bits = 32;
            v->first = at[n + 1] == 'h';
            *number = 0;
            return true;
        }
    }
    return false;
}

/* ".z" behind a number: one of a register's parts; ".zw": as many as are named in a row.  Without it all parts are
 * meant. */
static bool parse_part(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    const unsigned all = (unsigned)strlen(file->parts);
    const bool many = v->count != 1;
    v->reg = (uint16_t)(v->reg * all);
    v->count = (uint16_t)(v->count * all);
    if (many || *p->at != '.' || !isalpha((unsigned char)p->at[1])) return true;
    p->at++;
    const size_t n = strspn(p->at, file->parts);
    const char *first = strchr(file->parts, *p->at);
    if (!first || !n || strncmp(first, p->at, n) != 0 || isalnum((unsigned char)p->at[n]))
        return gpudbg_fail(
            p->err, "no-such-name", "$%s has no part '.%.8s'; its parts are %s", file->name, p->at, file->parts);
    v->reg = (uint16_t)(v->reg + (first - file->parts));
    v->count = (uint16_t)n;
    p->at += n;
    return true;
}

/* Letters that stand for a type behind an element, as manuals have them. */
static bool element_type(struct parser *p, struct value_type *type)
{
    static const struct {
        const char *name;
        struct value_type type;
    } types[] = {{"ub", {VALUE_UNSIGNED, 8}}, {"uw", {VALUE_UNSIGNED, 16}}, {"ud", {VALUE_UNSIGNED, 32}},
        {"uq", {VALUE_UNSIGNED, 64}}, {"b", {VALUE_SIGNED, 8}}, {"w", {VALUE_SIGNED, 16}}, {"d", {VALUE_SIGNED, 32}},
        {"q", {VALUE_SIGNED, 64}}, {"hf", {VALUE_FLOAT, 16}}, {"f", {VALUE_FLOAT, 32}}, {"df", {VALUE_FLOAT, 64}}};
    const size_t len = *p->at == ':' ? type_name_length(p->at + 1) : 0;
    bool known = len && type_named(p->at + 1, len, type);
    for (size_t i = 0; len && !known && i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == len && strncmp(types[i].name, p->at + 1, len) == 0) {
            *type = types[i].type;
            known = true;
        }
    p->at += known ? 1 + len : 0;
    return known;
}

/* ".2" and ".2:f" behind a register without lanes: the third element, counted in elements of the type. */
static bool parse_element(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    char *end;
    if (v->part || file->lanes > 1 || v->count != 1 || *p->at != '.' || !isdigit((unsigned char)p->at[1])) return true;
    const unsigned long n = strtoul(p->at + 1, &end, 10);
    p->at = end;
    v->type = (struct value_type){VALUE_UNSIGNED, file->element ? file->element : 32};
    v->whole = !element_type(p, &v->type);
    const unsigned bits = v->type.bits, room = file->bits / bits;
    char name[64];
    gpudbg_register_name(file, v->reg, name, sizeof name);
    if (n >= room)
        return gpudbg_fail(p->err, "out-of-range", "$%s has no element %lu of %u bits: there are %u, numbered from 0",
            name, n, bits, room);
    v->part = true;
    v->first = (uint8_t)(n * bits / 32);
    v->shift = (uint8_t)(n * bits % 32);
    return true;
}

static bool constant_in(struct parser *p, const char *what, uint64_t most, uint64_t *n)
{
    struct value v;
    if (!parse_expression(p, &v) || !value_one(&v, p->err)) return false;
    if (v.type.kind == VALUE_FLOAT) return gpudbg_fail(p->err, "syntax", "%s is a float", what);
    *n = v.u;
    if (*n > most) return gpudbg_fail(p->err, "out-of-range", "%s %" PRIu64 ": at most %" PRIu64, what, *n, most);
    return true;
}

/* "[n]" or "[lo:hi]" of an indexed file, if the name had no number. */
static bool parse_numbers(struct parser *p, struct value *v, const char *file, long number)
{
    uint64_t lo = (uint64_t)number, hi = (uint64_t)number;
    if (number < 0) {
        if (!parser_accept(p, "["))
            return gpudbg_fail(p->err, "ambiguous", "$%s is a file of registers: name one or several, $%s4 or $%s[4:7]",
                file, file, file);
        if (!constant_in(p, "register", 65535, &lo)) return false;
        hi = lo;
        if (parser_accept(p, ":") && !constant_in(p, "register", 65535, &hi)) return false;
        if (!parser_expect(p, "]")) return false;
    }
    if (hi < lo || hi - lo > 31)
        return gpudbg_fail(
            p->err, "out-of-range", "$%s[%" PRIu64 ":%" PRIu64 "]: a range has 1 to 32 registers", file, lo, hi);
    v->reg = (uint16_t)lo;
    v->count = (uint16_t)(hi - lo + 1);
    return true;
}

/* "[lane]", "[first:last]" or "[:]" behind a register that has lanes. */
static bool parse_lanes(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    unsigned lanes = file->mask ? 64 : file->lanes;
    const struct gpudbg_machine *m = p->ev->running->machine;
    uint64_t first, last;
    bool range = false;
    v->lane = (int16_t)p->lane;
    v->lanes = 1;
    if (p->over && file->lanes > 1) p->over->laned = true;
    if (lanes <= 1 || !parser_accept(p, "[")) return true;
    v->mask_bit = v->truth = file->mask;
    if (p->over && m && m->lanes && m->lanes < lanes) lanes = m->lanes;
    if (parser_accept(p, ":")) {
        first = 0;
        last = lanes - 1;
        range = true;
    } else {
        if (!constant_in(p, "lane", lanes - 1, &first)) return false;
        last = first;
        range = parser_accept(p, ":");
        if (range && !constant_in(p, "lane", lanes - 1, &last)) return false;
    }
    if (!parser_expect(p, "]")) return false;
    if (p->over && range && last >= first) {
        if (!over_range(p, first, last - first + 1, true, &first)) return false;
        last = first;
    }
    if (last < first || (last != first && file->mask))
        return gpudbg_fail(p->err, "out-of-range", "$%s: lanes %" PRIu64 " to %" PRIu64, file->name, first, last);
    v->lane = (int16_t)first;
    v->lanes = (int16_t)(last - first + 1);
    return true;
}

/* ":f" behind a register without lanes: it and those that follow it hold an element a lane, as instructions have
 * operands of several registers. */
static bool parse_lane_elements(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    const struct gpudbg_machine *m = p->ev->running->machine;
    const unsigned lanes = m && m->lanes ? m->lanes : 64;
    uint64_t first = (uint64_t)p->lane, last;
    if (v->part || file->lanes > 1 || file->mask || !file->indexed || v->count != 1 || *p->at != ':' ||
        !element_type(p, &v->type))
        return true;
    v->whole = false;
    v->part = true;
    if (p->over) p->over->laned = true;
    if (parser_accept(p, "[")) {
        const bool all = parser_accept(p, ":");
        bool range = all;
        first = 0;
        last = lanes - 1;
        if (!all) {
            if (!constant_in(p, "lane", lanes - 1, &first)) return false;
            last = first;
            range = parser_accept(p, ":");
            if (range && !constant_in(p, "lane", lanes - 1, &last)) return false;
        }
        if (!parser_expect(p, "]")) return false;
        if (last < first)
            return gpudbg_fail(p->err, "out-of-range", "$%s: lanes %" PRIu64 " to %" PRIu64, file->name, first, last);
        if (range && !p->over)
            return gpudbg_fail(p->err, "syntax",
                "several lanes, and one number is needed: name one ($r10:f[3]), or ask any(...) or count(...)");
        if (range && !over_range(p, first, last - first + 1, true, &first)) return false;
    }
    const uint64_t bit = first * v->type.bits;
    v->reg = (uint16_t)(v->reg + bit / file->bits);
    v->first = (uint8_t)(bit % file->bits / 32);
    v->shift = (uint8_t)(bit % 32);
    return true;
}

/* Behind the number. */
static bool parse_register_rest(struct parser *p, struct value *v)
{
    const struct gpudbg_isa *isa = parser_isa(p);
    const struct gpudbg_regfile *file = &isa->files[v->file];
    if ((file->parts && !parse_part(p, v, file)) ||
        (!file->parts && (!parse_element(p, v, file) || !parse_lane_elements(p, v, file))) ||
        (!v->part && !parse_lanes(p, v, file)))
        return false;
    const unsigned bits = file->bits * v->count;
    if (!v->part) {
        v->type = (struct value_type){VALUE_UNSIGNED, v->mask_bit ? 8 : bits > 32 ? 64 : 32};
        v->whole = true;
        v->many = !v->mask_bit && (v->lanes > 1 || bits > 64);
    }
    v->place = PLACE_REGISTER;
    v->mask = file->mask && !v->mask_bit;
    v->digits = !file->mask && !v->part && (v->count == 1 ? value_in_hex(file) : v->count == 2 && file->bits == 32);
    if (p->skip) return true;
    char name[64];
    gpudbg_register_name(file, v->reg, name, sizeof name);
    if (!p->ev->running->machine) return gpudbg_fail(p->err, "no-launch", "$%s: nothing is launched", name);
    unsigned count = isa->run && isa->run->count ? isa->run->count(p->ev->running->machine, v->file) : file->count;
    gpudbg_register_name(file, v->reg + v->count - 1u, name, sizeof name);
    if ((unsigned)v->reg + v->count > count)
        return gpudbg_fail(
            p->err, "out-of-range", "$%s does not exist: this launch has %u, numbered from 0", name, count);
    if (value_load(p->ev, p->wave, v, p->err)) return true;
    parser_blanks(p);
    if (!p->err->kind || strcmp(p->err->kind, "unknown") != 0 || p->at[0] != '=' || p->at[1] == '=') return false;
    p->err->kind = NULL; /* what is stored to need not be known */
    return true;
}

static bool parse_register(struct parser *p, struct value *v, long number)
{
    return parse_numbers(p, v, parser_isa(p)->files[v->file].name, number) && parse_register_rest(p, v);
}

/* ".y" behind four words in memory, or nothing: all of them. */
static bool parse_words(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    const char *part = *p->at == '.' && p->at[1] ? strchr(file->parts, p->at[1]) : NULL;
    if (*p->at == '.' && (!part || isalnum((unsigned char)p->at[2])))
        return gpudbg_fail(p->err, "no-such-name", "%s has no part '%.8s'; its parts are %s, one at a time", file->name,
            p->at + 1, file->parts);
    p->at += part ? 2 : 0;
    v->place = PLACE_MEMORY;
    v->type = (struct value_type){VALUE_UNSIGNED, 32};
    v->whole = true;
    v->many = !part;
    v->elements = (uint32_t)strlen(file->parts);
    v->addr += part ? 4u * (unsigned)(part - file->parts) : 0;
    return p->skip || value_load(p->ev, p->wave, v, p->err);
}

/* A register as the program's text has it, without a $: "r1.x", "x0[2].y", "cb0[1]".  false, without an error: it is
 * none, or the instruction set's registers have no names in the source. */
static bool parse_written(struct parser *p, const char *name, size_t len, struct value *v)
{
    const struct gpudbg_isa *isa = parser_isa(p);
    const struct gpudbg_machine *m = p->ev->running->machine;
    const char *dot = memchr(name, '.', len);
    const size_t base = dot ? (size_t)(dot - name) : len;
    struct value found = *v;
    struct gpudbg_written where = {.reg = 0};
    uint64_t index = 0;
    long number = 0;
    if (!m || !isa || !isa->run->written || !register_named(isa, name, base, &found, &number)) return false;
    enum gpudbg_written_as as = isa->run->written(m, found.file, number, NULL, &where);
    if (as == GPUDBG_WRITTEN_INDEXED && name[base] == '[') {
        p->at = name + base + 1;
        if (!constant_in(p, "register", 65535, &index) || !parser_expect(p, "]")) return false;
        as = isa->run->written(m, found.file, number, &index, &where);
        if (as == GPUDBG_WRITTEN_NO)
            return gpudbg_fail(
                p->err, "out-of-range", "%.*s[%" PRIu64 "] is not a register of this launch", (int)base, name, index);
    } else if (as == GPUDBG_WRITTEN_INDEXED) {
        return false;
    } else {
        p->at = name + base;
    }
    if (as == GPUDBG_WRITTEN_NO) return false;
    *v = found;
    v->reg = (uint16_t)where.reg;
    v->count = 1;
    v->space = GPUDBG_GLOBAL;
    v->addr = where.addr;
    return as == GPUDBG_WRITTEN_MEMORY ? parse_words(p, v, &isa->files[v->file]) : parse_register_rest(p, v);
}

/* A value of the history; where $_isvoid asks, there may be none. */
static bool recall(struct parser *p, uint64_t n, uint64_t back, struct value *v)
{
    if (value_recall(p->ev, n, back, v, p->err)) return true;
    if (!p->asks_void || strcmp(p->err->kind, "out-of-range") != 0) return false;
    *p->err = (struct gpudbg_error){.offset = -1};
    *v = value_unsigned(0, 64);
    return p->is_void = true;
}

/* $ $$ $$3 $7 */
static bool parse_history(struct parser *p, struct value *v)
{
    char *end;
    p->at--;
    const enum local_found parts = locals_parse(p, v); /* of a value with parts */
    if (parts == LOCAL_TEXT)
        return gpudbg_fail(p->err, "syntax", "the value has several parts: name one of them, or print it alone");
    if (parts != LOCAL_NONE) return parts == LOCAL_VALUE;
    p->at++;
    if (parser_accept(p, "$")) {
        uint64_t back = isdigit((unsigned char)*p->at) ? strtoull(p->at, &end, 10) : 1;
        if (isdigit((unsigned char)*p->at)) p->at = end;
        return recall(p, 0, back, v);
    }
    if (!isdigit((unsigned char)*p->at)) return recall(p, 0, 0, v);
    uint64_t n = strtoull(p->at, &end, 10);
    p->at = end;
    return recall(p, n ? n : UINT64_MAX, 0, v);
}

/* Behind "$_isvoid". */
static bool parse_isvoid(struct parser *p, struct value *v)
{
    struct parser q = *p;
    if (!parser_expect(&q, "(")) return false;
    q.asks_void = true;
    q.is_void = q.strict = false;
    if (!parse_expression(&q, v) || !parser_expect(&q, ")")) return false;
    p->at = q.at;
    p->strict = false; /* what follows may depend on the answer */
    *v = value_signed(q.is_void);
    v->truth = true;
    return true;
}

/* "$x" that is about to be set: "$x = 5". */
static bool is_assigned(struct parser *p)
{
    parser_blanks(p);
    return p->at[0] == '=' && p->at[1] != '=';
}

/* A convenience variable. */
static bool parse_variable(struct parser *p, const char *name, struct value *v)
{
    if (value_variable(p->ev, name, v) || is_assigned(p)) return true;
    if (p->asks_void) return p->is_void = true;
    if (p->skip && !p->strict) return true;
    if (p->refused) *p->refused = true;
    return parse_unknown(p, name, true);
}

bool parse_pc(struct parser *p, struct value *v)
{
    struct machine_wave_info info;
    v->type.bits = 64;
    v->address = true;
    v->place = PLACE_PC;
    if (p->skip) return true;
    if (!p->ev->running->machine) return gpudbg_fail(p->err, "no-launch", "$pc: nothing is launched");
    machine_wave_info(p->ev->running->machine, p->wave, &info);
    v->u = info.pc;
    parser_blanks(p);
    if (info.lost_pc && (p->at[0] != '=' || p->at[1] == '='))
        return gpudbg_fail(p->err, "unknown", "$pc is not known: the dump does not contain it");
    return true;
}

/* Behind '$'. */
bool parse_dollar(struct parser *p, struct value *v)
{
    size_t len = type_name_length(p->at);
    const char *name = p->at;
    long number;
    if (!len || isdigit((unsigned char)*name)) return parse_history(p, v);
    const char *dot = memchr(name, '.', len);
    p->at += len;
    if (register_named(parser_isa(p), name, len, v, &number)) return parse_register(p, v, number);
    if (dot && register_named(parser_isa(p), name, (size_t)(dot - name), v, &number) &&
        parser_isa(p)->files[v->file].parts) {
        p->at = dot;
        return parse_register(p, v, number);
    }
    char copy[32];
    if (len >= sizeof copy)
        return gpudbg_fail(
            p->err, "too-large", "$%.*s: the name has more than %zu letters", (int)len, name, sizeof copy - 1);
    snprintf(copy, sizeof copy, "%.*s", (int)len, name);
    if (strcmp(copy, "pc") == 0) return parse_pc(p, v);
    if (strcmp(copy, "_isvoid") == 0) return parse_isvoid(p, v);
    bool where;
    const bool read = parse_where(p, copy, v, &where);
    if (!where) return parse_variable(p, copy, v);
    if (read || !p->asks_void) return read;
    *p->err = (struct gpudbg_error){.offset = -1}; /* $_exitcode, while the launch runs */
    return p->is_void = true;
}

/* ---- Names ---- */

/* The element type of a parameter that the source spells "float*" or "global float *". */
struct value_type expr_element_type(const struct gpudbg_param *param)
{
    struct value_type type = {0};
    const char *star = param && param->type ? strchr(param->type, '*') : NULL;
    if (!star) return type;
    const char *end = star;
    while (end > param->type && end[-1] == ' ') end--;
    const char *from = end;
    while (from > param->type && isalnum((unsigned char)from[-1])) from--;
    type_named(from, (size_t)(end - from), &type);
    return type;
}

static bool buffer_named(const struct parser *p, const char *name, struct value *v)
{
    const struct gpudbg_machine *m = p->ev->running->machine;
    for (size_t i = 0; m && m->nspaces && i < m->space[GPUDBG_GLOBAL].count; i++) {
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[i];
        if (!s->name || strcmp(s->name, name) != 0) continue;
        const struct gpudbg_kernel *k = m->launch ? m->launch->kernel : NULL;
        if (k && s->param >= 0 && (size_t)s->param < k->nparams) v->element = expr_element_type(&k->params[s->param]);
        v->u = s->base;
        return true;
    }
    return false;
}

/* L0080: the label `disassemble` gives the address. */
static bool label_named(const struct parser *p, const char *name, uint64_t *addr)
{
    char *end;
    if (*name != 'L' || strlen(name) < 5 || !isxdigit((unsigned char)name[1]) || !p->ev->loaded->image) return false;
    *addr = strtoull(name + 1, &end, 16);
    return !*end && gpudbg_image_at(p->ev->loaded->image, *addr);
}

static bool named(const char *at, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(at, name, len) == 0;
}

/* The numbers that values show as words. */
static bool real_named(const char *name, struct value *v)
{
    const bool nan = strcmp(name, "nan") == 0;
    if (!nan && strcmp(name, "inf") != 0) return false;
    *v = (struct value){.type = {VALUE_FLOAT, 64}, .f = nan ? (double)NAN : (double)INFINITY};
    return true;
}

/* ROCgdb's names of memory: local#0x10; -1: another. */
static int space_of_gdb(const char *name, size_t len)
{
    static const struct {
        const char *name;
        int space;
    } rows[] = {{"local", GPUDBG_LOCAL}, {"global", GPUDBG_GLOBAL}, {"generic", GPUDBG_GLOBAL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (named(name, len, rows[i].name)) return rows[i].space;
    return -1;
}

bool parse_name(struct parser *p, struct value *v)
{
    char name[256];
    bool where;
    const enum local_found local = locals_parse(p, v);
    if (p->over && local != LOCAL_NONE) p->over->laned = true;
    if (local == LOCAL_VALUE || local == LOCAL_FAILED) return local == LOCAL_VALUE;
    char why[sizeof p->err->message];
    const char *kind = p->err->kind;
    snprintf(why, sizeof why, "%s", local == LOCAL_LOST ? p->err->message : "");
    p->err->kind = NULL;
    if (local == LOCAL_TEXT)
        return gpudbg_fail(
            p->err, "syntax", "the variable has several parts: name one of them, or print the whole variable alone");
    size_t len = type_name_length(p->at);
    const char *at = p->at;
    p->at += len;
    parser_blanks(p);
    if (*p->at == '#' && named(at, len, "region")) { /* ROCgdb's GDS */
        p->at++;
        v->type.bits = 64;
        v->address = true;
        struct value offset = {0};
        if (!buffer_named(p, "gds", v)) return gpudbg_fail(p->err, "no-such-name", "the launch has no GDS");
        if (!parse_unary(p, &offset)) return false;
        v->u += value_convert(&offset, (struct value_type){VALUE_UNSIGNED, 64}).u;
        return true;
    }
    if (*p->at == '#' && (named(at, len, "private_lane") || named(at, len, "private_wave")))
        return gpudbg_fail(p->err, "no-such-name",
            "%.*s#: a lane's own bytes are not in one piece: `print NAME` and `info locals` show its variables, "
            "`x scratch` the memory of all lanes",
            (int)len, at);
    int space = *p->at == ':' ? value_space(p->ev, at, len) : *p->at == '#' ? space_of_gdb(at, len) : -1;
    if (space >= 0) {
        p->at++;
        if (!parse_unary(p, v)) return false;
        *v = value_convert(v, (struct value_type){VALUE_UNSIGNED, 64});
        v->space = (uint8_t)space;
        v->address = true;
        return true;
    }
    if (len >= sizeof name)
        return gpudbg_fail(
            p->err, "too-large", "the name has %zu letters; at most %zu are possible", len, sizeof name - 1);
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    if (parse_written(p, at, len, v) || p->err->kind) return !p->err->kind;
    v->type.bits = 64;
    v->address = true;
    if (buffer_named(p, name, v)) return true;
    const struct gpudbg_symbol *symbol = p->ev->loaded->image ? gpudbg_image_find(p->ev->loaded->image, name) : NULL;
    const struct gpudbg_kernel *kernel = p->ev->loaded->image ? gpudbg_image_kernel_named(p->ev->loaded->image, name)
                                                              : NULL;
    if (kernel || symbol) {
        v->u = kernel ? kernel->entry : symbol->addr;
        return true;
    }
    if (label_named(p, name, &v->u)) return true;
    if (real_named(name, v)) return true;
    if (where_bare(name)) return parse_where(p, name, v, &where);
    if (local == LOCAL_LOST) return gpudbg_fail(p->err, kind, "%s: %.200s", name, why);
    if (p->ev->running->machine && machine_wave_ended(p->ev->running->machine, p->wave))
        return gpudbg_fail(p->err, "no-such-name",
            "no buffer, symbol or label \"%s\"; wave %u is not running, so it has no variables", name,
            (unsigned)p->wave);
    if (strcmp(name, "sizeof") == 0) {
        while (*p->at == '(' || *p->at == '*' || *p->at == ' ') p->at++;
        return gpudbg_fail(p->err, "no-such-name", "sizeof: no variable or type \"%.*s\" is in scope",
            (int)type_name_length(p->at), p->at);
    }
    return parse_unknown(p, name, false);
}
