/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_read.c: text of instructions, the parts that all syntaxes share: numbers, names, the mnemonic, flags, targets.  A
 * report names the text that would be accepted at its column.
 */
#include <ctype.h>
#include <stdio.h>
#include <strings.h>
#include "text/gen_assembly.h"
#include "gpudbg/text.h"
#include "ops.h"

/* ---- Pieces ---- */

bool gen_wants(struct gen_assembly *a, const char *where, const char *fmt, ...)
{
    char message[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    return gpudbg_reading_wants(a->r, where, "syntax", "%s", message);
}

bool gen_read_ends(struct gen_assembly *a)
{
    const bool ends = gpudbg_reading_ends(a->r);
    return ends || a->r->at >= a->options;
}

bool gen_read_char(struct gen_assembly *a, char c, const char *form)
{
    return gpudbg_reading_takes(a->r, c) || gen_wants(a, a->r->at, "a %c is expected here: %s", c, form);
}

bool gen_takes_next(struct gen_assembly *a, char c)
{
    if (*a->r->at != c) return false;
    a->r->at++;
    return true;
}

bool gen_digits(const char **at, uint64_t *value)
{
    const char *p = *at;
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    const char *first = p += hex ? 2 : 0;
    *value = 0;
    for (; hex ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p); p++) {
        const unsigned digit = isdigit((unsigned char)*p) ? (unsigned)(*p - '0')
                                                          : (unsigned)(tolower((unsigned char)*p) - 'a') + 10;
        *value = *value > (UINT64_MAX - digit) / (hex ? 16 : 10) ? UINT64_MAX : *value * (hex ? 16 : 10) + digit;
    }
    *at = p;
    return p > first;
}

bool gen_read_int(struct gen_assembly *a, int64_t lo, int64_t hi, const char *what, int64_t *value)
{
    const char *from = (gpudbg_reading_ends(a->r), a->r->at), *p = from;
    uint64_t number;
    const bool negative = lo < 0 && *p == '-';
    p += negative;
    if (!gen_digits(&p, &number) || isalnum((unsigned char)*p) || *p == '_')
        return gen_wants(
            a, from, "%s is expected here, a number from %lld to %lld", what, (long long)lo, (long long)hi);
    *value = (int64_t)(negative ? 0 - number : number);
    if (number > INT64_MAX || *value < lo || *value > hi)
        return gpudbg_reading_wants(
            a->r, from, "out-of-range", "%s is a number from %lld to %lld", what, (long long)lo, (long long)hi);
    a->r->at = p;
    return true;
}

size_t gen_letters(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

bool gen_is_named(const char *p, size_t n, const char *name)
{
    if (n && name && (*name ^ *p) & 0xdf) return false; /* most names differ in the first letter */
    return name && strlen(name) == n && strncasecmp(p, name, n) == 0;
}

/* ---- Mnemonics ---- */

bool gen_read_mnemonic(struct gen_assembly *a)
{
    gpudbg_reading_ends(a->r);
    const char *p = a->name_at = a->r->at;
    const size_t n = gen_letters(p);
    if (!n) return gen_wants(a, p, "the name of an instruction is expected here");
    for (size_t i = 0; i < a->r->isa->nops; i++) {
        if (!gpudbg_has_op(a->r->isa, i) || !gen_is_named(p, n, a->r->isa->ops[i].name)) continue;
        a->row = &a->r->isa->ops[i];
        a->op = (uint8_t)i;
        a->shape = gen_shapes[a->op];
        if (a->eu->else_has_uip && GEN_IS(a->op, ELSE)) a->shape = GEN_BRANCH;
        a->r->at += n;
        return true;
    }
    if (a->iga && a->eu->lsc && (a->ldst = (int8_t)gen_ldst_named(p, n)) >= 0) {
        a->op = GEN_OP_send;
        a->row = &a->r->isa->ops[a->op];
        a->shape = gen_shapes[a->op];
        a->r->at += n;
        return true;
    }
    return gpudbg_reading_unknown_op(a->r, p, n);
}

const char *gen_function_name(const struct gen_assembly *a, unsigned code)
{
    return a->shape == GEN_MATH   ? a->mesa ? gen_mesa_math_name(code) : gen_math_name(a->eu, code)
             : a->shape == GEN_SYNC ? gen_sync_name(code)
                                  : gen_sfid_name(a->eu, code);
}

/* All names, for a report. */
static void list_names(const struct gen_assembly *a, const char *(*name)(const struct gen_assembly *, unsigned),
    unsigned codes, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < codes; i++)
        if (name(a, i) && *name(a, i)) text_add(&t, "%s%s", t.n ? " " : "", name(a, i));
}

bool gen_read_hash(struct gen_assembly *a, unsigned codes, const char *what, uint8_t *code)
{
    int64_t value;
    if (!gen_takes_next(a, '#')) return false;
    if (!gen_read_int(a, 0, (int64_t)codes - 1, what, &value)) return false;
    *code = (uint8_t)value;
    return true;
}

bool gen_read_code(struct gen_assembly *a, const char *(*name)(const struct gen_assembly *, unsigned), unsigned codes,
    const char *what, uint8_t *code)
{
    char names[200];
    if (*a->r->at == '#') return gen_read_hash(a, codes, what, code);
    const size_t n = gen_letters(a->r->at);
    for (unsigned i = 0; i < codes && n; i++)
        if (gen_is_named(a->r->at, n, name(a, i))) {
            *code = (uint8_t)i;
            a->r->at += n;
            return true;
        }
    list_names(a, name, codes, names, sizeof names);
    return gen_wants(a, a->r->at, "%s is expected here: %s", what, names);
}

static bool sends(const struct gen_assembly *a) { return a->shape == GEN_SEND && a->eu->names_function; }

bool gen_has_function(const struct gen_assembly *a)
{
    return a->shape == GEN_MATH || a->shape == GEN_SYNC || a->shape == GEN_DPAS || GEN_IS(a->op, TRUTH) || sends(a);
}

/* "8x4": the depth and the rows of dpas. */
static bool read_systolic(struct gen_assembly *a)
{
    const char *p = a->r->at;
    const bool good = *p && strchr("1248", *p) && p[1] == 'x' && p[2] >= '1' && p[2] <= '8' &&
                      !isalnum((unsigned char)p[3]);
    if (!good) return gen_wants(a, p, "a depth (1 2 4 8) and 1 to 8 rows are expected here: %s.8x4", a->row->name);
    a->func = (uint8_t)((*p == '8' ? 3 : *p >> 1 & 3) << 3 | (p[2] - '1'));
    a->r->at += 3;
    return true;
}

/* The value of an expression of IGA for a function of bits: (s0&s1|~s2), where ~ binds most, then &, ^, |.  IGA takes
 * no two ~ in a row.  deep: how many parentheses are open. */
enum { TRUTH_DEEP = 16 };
static bool read_truth(struct gen_assembly *a, unsigned level, unsigned deep, unsigned *value);

static bool read_truth_source(struct gen_assembly *a, unsigned deep, unsigned *value)
{
    static const uint8_t sources[] = {0xaa, 0xcc, 0xf0};
    const bool inverted = gpudbg_reading_takes(a->r, '~');
    if (deep < TRUTH_DEEP && gpudbg_reading_takes(a->r, '(')) {
        if (!read_truth(a, 0, deep + 1, value) || !gen_read_char(a, ')', "bfn.(s0&s1|~s2)")) return false;
    } else {
        const char *p = (gpudbg_reading_ends(a->r), a->r->at);
        const size_t n = gen_letters(p);
        const bool source = n == 2 && *p == 's' && p[1] >= '0' && p[1] <= '2';
        if (source)
            *value = sources[p[1] - '0'];
        else if (gen_is_named(p, n, "zeros") || gen_is_named(p, n, "ones"))
            *value = *p == 'o' ? 0xff : 0;
        else
            return gen_wants(a, p, "s0, s1, s2, zeros, ones%s is expected here", inverted ? " or (" : ", ~ or (");
        a->r->at += n;
    }
    if (inverted) *value ^= 0xff;
    return true;
}

static bool read_truth(struct gen_assembly *a, unsigned level, unsigned deep, unsigned *value)
{
    static const char operators[] = "|^&";
    if (level == 3) return read_truth_source(a, deep, value);
    if (!read_truth(a, level + 1, deep, value)) return false;
    while (gpudbg_reading_takes(a->r, operators[level])) {
        unsigned right;
        if (!read_truth(a, level + 1, deep, &right)) return false;
        *value = level == 0 ? *value | right : level == 1 ? *value ^ right : *value & right;
    }
    return true;
}

bool gen_read_function(struct gen_assembly *a)
{
    const char *example = a->shape == GEN_MATH   ? "inv"
                          : a->shape == GEN_DPAS ? "8x8"
                          : GEN_IS(a->op, TRUTH) ? "0xCA"
                          : sends(a)             ? "dc0"
                                                 : "nop";
    if (*a->r->at != '.') return gen_wants(a, a->r->at, "a function is expected here: %s.%s", a->row->name, example);
    a->r->at++;
    if (a->shape == GEN_DPAS) return read_systolic(a);
    if (GEN_IS(a->op, TRUTH) && *a->r->at == '(') {
        unsigned value;
        a->r->at++;
        if (!read_truth(a, 0, 0, &value)) return false;
        a->func = (uint8_t)value;
        return gen_read_char(a, ')', "bfn.(s0&s1|~s2)");
    }
    if (GEN_IS(a->op, TRUTH)) {
        int64_t value;
        if (!gen_read_int(a, 0, 255, "a function of bits, 0x00 to 0xFF,", &value)) return false;
        a->func = (uint8_t)value;
        return true;
    }
    return gen_read_code(a, gen_function_name, 16, "a function", sends(a) ? &a->sfid : &a->func);
}

/* ---- Flags, channels ---- */

bool gen_read_flag(struct gen_assembly *a)
{
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    unsigned sub = 0;
    if ((*from != 'f' && *from != 'F') || (from[1] != '0' && from[1] != '1') || isalnum((unsigned char)from[2]))
        return gen_wants(a, from, "a flag is expected here: f0.0, f0.1, f1.0 or f1.1");
    const unsigned reg = (unsigned)(from[1] - '0');
    a->r->at += 2;
    if (from[2] == '.' && isdigit((unsigned char)from[3])) {
        if (from[3] > '1' || isdigit((unsigned char)from[4]))
            return gen_wants(a, from + 3, "a flag has two halves: .0 and .1");
        sub = (unsigned)(from[3] - '0');
        a->r->at += 2;
    }
    if (a->has_flag && (a->flag_reg != reg || a->flag_sub != sub))
        return gen_wants(a, from, "an instruction has one flag; its predicate is of f%u.%u", a->flag_reg, a->flag_sub);
    a->has_flag = true;
    a->flag_reg = (uint8_t)reg;
    a->flag_sub = (uint8_t)sub;
    return true;
}

bool gen_read_predicate(struct gen_assembly *a, const char *name, size_t n)
{
    struct gen_insn i = {.eu = a->eu, .align16 = a->align16};
    a->pred = 1;
    if (!n) return true;
    for (unsigned code = 2; code < 16; code++) {
        i.pred = (uint8_t)code;
        if (!gen_is_named(name, n, gen_pred_name(&i))) continue;
        a->pred = (uint8_t)code;
        return true;
    }
    return gen_wants(a, name, "the predicate has no form \"%.*s\"; it has %s", (int)(n < 20 ? n : 20), name,
        a->align16 ? "x y z w any4h all4h"
                   : "anyv allv any2h all2h any4h all4h any8h all8h any16h all16h any32h "
                     "all32h");
}

bool gen_read_exec(struct gen_assembly *a)
{
    int64_t n;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gen_read_int(a, 1, 128, "the number of channels", &n)) return false;
    if (n & (n - 1) || (a->iga && n > 32)) return gen_wants(a, from, "the number of channels is 1, 2, 4, 8, 16 or 32");
    a->exec = (uint8_t)__builtin_ctzll((uint64_t)n);
    return true;
}

/* ---- Targets ---- */

bool gen_read_target(struct gen_assembly *a, bool first)
{
    struct gpudbg_term t;
    const struct gen_insn i = {.eu = a->eu, .op = a->op, .size = a->compacted ? 8 : 16, .addr = a->r->addr};
    gpudbg_reading_ends(a->r);
    const char *from = a->r->at;
    if (gen_read_ends(a)) return gen_wants(a, from, "a target is expected here: the name of a label, or a distance");
    if (!gpudbg_reading_primary(a->r, &t)) return false;
    if (t.is_float) return gen_wants(a, from, "a target is a label or a whole number");
    a->settled &= t.known;
    int64_t bytes = t.value;
    if (t.is_address)
        bytes = (int64_t)((uint64_t)t.value - gen_branch_from(&i));
    else if (!a->iga)
        bytes = (int64_t)((uint64_t)t.value * gen_branch_unit(&i));
    else if (!GEN_IS(a->op, ABSOLUTE)) /* IGA counts from this instruction */
        bytes = (int64_t)((uint64_t)t.value + a->r->addr - gen_branch_from(&i));
    *(first ? &a->jip : &a->uip) = bytes;
    *(first ? &a->jip_at : &a->uip_at) = from;
    *(first ? &a->jip_given : &a->uip_given) = true;
    return true;
}

/* ---- Messages ---- */

bool gen_read_extended(struct gen_assembly *a)
{
    int64_t value;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (gen_splits(a->eu, a->op) && strncmp(from, "a0.", 3) == 0) {
        a->r->at += 3;
        if (!gen_read_int(a, 0, 7, "the dword of a0", &value)) return false;
        a->ex_desc_is_reg = true;
        a->ex_desc_reg = (uint8_t)value;
        return true;
    }
    const bool split = gen_splits(a->eu, a->op), whole = a->eu->names_function;
    const uint32_t held = whole ? 0xffffffc0 : a->eu->has_ex_desc ? split ? 0xffff03c0 : 0xffff0000 : 0;
    if (!gen_read_int(a, 0, held ? UINT32_MAX : 0x3f, "the extended descriptor", &value)) return false;
    if (whole && value & 0x3f) return gen_wants(a, from, "bits 5 to 0 of the extended descriptor are 0");
    if (!whole && value & 0x10) return gen_wants(a, from, "bit 4 of the extended descriptor is 0");
    if (held && !whole && (uint32_t)value & ~(held | 0x3f))
        return gen_wants(a, from, "bits 15 to %d of the extended descriptor are 0", split ? 10 : 6);
    a->ex_desc = (uint32_t)value & (held ? held : UINT32_MAX);
    if (a->length >= 0 && a->ex_desc & 0x7c0 && (int)(a->ex_desc >> 6 & 31) != a->length)
        return gen_wants(a, from, "bits 10 to 6 differ from the length after the second payload");
    if (whole) return true;
    a->sfid = value & 15;
    a->eot |= value >> 5 & 1;
    return true;
}

/* ---- Mnemonic and options ---- */

bool gen_read_ends_of(struct gen_assembly *a, const char **behind)
{
    gpudbg_reading_ends(a->r);
    const char *begin = a->r->at;
    if (*begin == '(') { /* the predicate */
        const char *end = begin + 1 + strcspn(begin + 1, "()");
        if (*end != ')') return gen_wants(a, begin + 1 + strcspn(begin + 1, " \t"), "a ) is expected here: (f0.0)");
        a->r->at = end + 1;
    }
    if (!gen_read_mnemonic(a)) return false;
    *behind = a->r->at;
    const char *brace = strchr(*behind, '{');
    a->options = brace ? brace : *behind + strlen(*behind);
    a->r->at = a->options;
    if (!gen_read_options(a)) return false;
    if (!gpudbg_reading_ends(a->r)) return gen_wants(a, a->r->at, "the end of the line is expected here");
    a->r->at = begin;
    return true;
}
