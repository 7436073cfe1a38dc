/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_read.c: text of instructions, what both syntaxes have in common: names, registers with their regions and types,
 * constants, options.  A report says what would be accepted at its column.
 */
#include <ctype.h>
#include <stdio.h>
#include <strings.h>
#include "code/gen_assembly.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

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

/* The character that stands next, without blanks before it. */
static bool takes_next(struct gen_assembly *a, char c)
{
    if (*a->r->at != c) return false;
    a->r->at++;
    return true;
}

/* Digits and a base before them; a point behind them belongs to what follows.  Values beyond 64 bits become the
 * largest. */
static bool digits(const char **at, uint64_t *value)
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
    if (!digits(&p, &number) || isalnum((unsigned char)*p) || *p == '_')
        return gen_wants(
            a, from, "%s is expected here, a number from %lld to %lld", what, (long long)lo, (long long)hi);
    *value = (int64_t)(negative ? 0 - number : number);
    if (number > INT64_MAX || *value < lo || *value > hi)
        return gpudbg_reading_wants(
            a->r, from, "out-of-range", "%s is a number from %lld to %lld", what, (long long)lo, (long long)hi);
    a->r->at = p;
    return true;
}

static size_t letters(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

static bool is_named(const char *p, size_t n, const char *name)
{
    return name && strlen(name) == n && strncasecmp(p, name, n) == 0;
}

/* ---- Mnemonics ---- */

/* Changes of one character, additions and omissions between two names, as far as they are few. */
static unsigned difference(const char *a, size_t n, const char *b)
{
    uint8_t row[20];
    const size_t m = strlen(b);
    if (n >= sizeof row) return 99;
    for (size_t j = 0; j <= n; j++) row[j] = (uint8_t)j;
    for (size_t i = 1; i <= m; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= n; j++) {
            const uint8_t above = row[j], least = above < row[j - 1] ? above : row[j - 1];
            const uint8_t changed = (uint8_t)(diagonal + (a[j - 1] != b[i - 1]));
            row[j] = changed <= least ? changed : (uint8_t)(least + 1);
            diagonal = above;
        }
    }
    return row[n];
}

bool gen_read_mnemonic(struct gen_assembly *a)
{
    const struct gen_set *set = &gen_sets[a->version];
    const size_t rows = a->r->isa->nops;
    gpudbg_reading_ends(a->r);
    const char *p = a->name_at = a->r->at;
    const size_t n = letters(p);
    unsigned least = 3;
    const char *nearest = NULL;
    if (!n) return gen_wants(a, p, "the name of an instruction is expected here");
    for (size_t i = 0; i < rows; i++) {
        const struct gpudbg_op *row = &set->ops[i];
        if (is_named(p, n, row->name)) {
            a->row = row;
            a->op = set->op[i];
            a->shape = gen_shapes[a->op];
            if (a->g12 && a->op == GEN_OP_else) a->shape = GEN_BRANCH;
            a->r->at += n;
            return true;
        }
        const unsigned d = difference(p, n, row->name);
        if (d >= least) continue;
        least = d;
        nearest = row->name;
    }
    gpudbg_reading_wants(a->r, p, "unknown-opcode", "%s has no instruction \"%.*s\"%s%s%s", a->r->isa->name,
        (int)(n < 60 ? n : 60), p, nearest ? "; \"" : "", nearest ? nearest : "",
        nearest ? "\" is the nearest name" : "");
    return false;
}

const char *gen_function_name(const struct gen_assembly *a, unsigned code)
{
    return a->shape == GEN_MATH   ? gen_math_name(a->version, code)
           : a->shape == GEN_SYNC ? gen_sync_name(code)
                                  : gen_sfid_name(a->version, code);
}

/* All names, for a report. */
static void list_names(const struct gen_assembly *a, const char *(*name)(const struct gen_assembly *, unsigned),
    unsigned codes, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < codes; i++)
        if (name(a, i) && *name(a, i)) text_add(&t, "%s%s", t.n ? " " : "", name(a, i));
}

static bool read_hash(struct gen_assembly *a, unsigned codes, const char *what, uint8_t *code)
{
    int64_t value;
    if (!takes_next(a, '#')) return false;
    if (!gen_read_int(a, 0, (int64_t)codes - 1, what, &value)) return false;
    *code = (uint8_t)value;
    return true;
}

bool gen_read_code(struct gen_assembly *a, const char *(*name)(const struct gen_assembly *, unsigned), unsigned codes,
    const char *what, uint8_t *code)
{
    char names[200];
    if (*a->r->at == '#') return read_hash(a, codes, what, code);
    const size_t n = letters(a->r->at);
    for (unsigned i = 0; i < codes && n; i++)
        if (is_named(a->r->at, n, name(a, i))) {
            *code = (uint8_t)i;
            a->r->at += n;
            return true;
        }
    list_names(a, name, codes, names, sizeof names);
    return gen_wants(a, a->r->at, "%s is expected here: %s", what, names);
}

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
    struct gen_insn i = {.version = (uint8_t)a->version, .align16 = a->align16};
    a->pred = 1;
    if (!n) return true;
    for (unsigned code = 2; code < 16; code++) {
        i.pred = (uint8_t)code;
        if (!is_named(name, n, gen_pred_name(&i))) continue;
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
    if (n & (n - 1)) return gen_wants(a, from, "the number of channels is 1, 2, 4, 8, 16 or 32");
    a->exec = (uint8_t)__builtin_ctzll((uint64_t)n);
    return true;
}

/* ---- Registers ---- */

/* Names of files, the high half of their numbers; the GRF apart. */
static const struct arf {
    char name[6];
    uint8_t high, gens; /* gens: bit 0 of gen7, bit 2 of gen12 */
    bool numbered;      /* the number stands always */
} arfs[] = {{"null", 0x00, 7, false}, {"a", 0x10, 7, true}, {"acc", 0x20, 7, true}, {"f", 0x30, 7, true},
    {"ce", 0x40, 7, false}, {"sp", 0x60, 7, false}, {"sr", 0x70, 7, true}, {"cr", 0x80, 7, true}, {"n", 0x90, 7, true},
    {"ip", 0xa0, 7, false}, {"tdr", 0xb0, 7, true}, {"tm", 0xc0, 7, true}, {"fc", 0xd0, 4, true},
    {"dbg", 0xf0, 4, true}};

/* The number behind the name of a file; false: none.  More than `most` is most + 1. */
static bool whole_number(const char *p, bool hex, unsigned most, unsigned *value, size_t *n)
{
    char text[20];
    uint64_t number;
    const char *at = text;
    for (*n = 0; hex ? isxdigit((unsigned char)p[*n]) : isdigit((unsigned char)p[*n]);) ++*n;
    snprintf(text, sizeof text, "%s%.*s", hex ? "0x" : "", (int)(*n < 15 ? *n : 15), p);
    *value = 0;
    if (!*n || !digits(&at, &number)) return false;
    *value = number > most ? most + 1 : (unsigned)number;
    return true;
}

static bool read_address(struct gen_assembly *a, struct gen_written *o)
{
    static const char form[] = "r[a0.1,16]";
    int64_t value;
    const unsigned words = a->g12 ? 16 : 8;
    gpudbg_reading_ends(a->r);
    if (strncmp(a->r->at, "a0.", 3) != 0) return gen_wants(a, a->r->at, "an address word is expected here: %s", form);
    a->r->at += 3;
    if (!gen_read_int(a, 0, words - 1, "the address word", &value)) return false;
    o->addr_sub = (uint8_t)value;
    o->addr_imm = 0;
    o->mode = GEN_INDIRECT;
    if (gpudbg_reading_takes(a->r, ',')) {
        const char *from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gen_read_int(a, -512, 511, "the offset of an address", &value)) return false;
        if (a->align16 && a->shape != GEN_TERNARY && value % 16)
            return gen_wants(a, from, "the offset of an address is a multiple of 16 with Align16");
        o->addr_imm = (int16_t)value;
    }
    return gen_read_char(a, ']', form);
}

/* 1: a register; 0: no register stands here; -1: a report. */
static int register_here(struct gen_assembly *a, struct gen_written *o)
{
    const char *p = a->r->at;
    size_t n = 0, taken;
    unsigned number = 0;
    while (isalpha((unsigned char)p[n])) n++;
    const bool odd = !a->iga && !a->g12; /* files that gen7 has no name for: message registers of old, constants */
    const int code = is_named(p, n, "r")                ? 1
                     : odd && is_named(p, n, "m")       ? 2
                     : odd && is_named(p, n, "imm")     ? 3
                     : !a->iga && is_named(p, n, "arf") ? 0
                                                        : -1;
    if (n && p[n] == '[' && code >= 0) {
        a->r->at += n + 1;
        o->file = (uint8_t)code;
        return read_address(a, o) ? 1 : -1;
    }
    o->mode = GEN_DIRECT;
    if (code >= 0) {
        const bool hex = code == 0;
        if (hex && (p[n] != '0' || p[n + 1] != 'x')) return 0;
        if (hex) n += 2;
        if (!whole_number(p + n, hex, 255, &number, &taken) || isalpha((unsigned char)p[n + taken]) ||
            p[n + taken] == '_')
            return 0;
        if (number > 255) return gen_wants(a, p, "registers have numbers from 0 to %d", code == 1 ? 127 : 255) ? 1 : -1;
        o->file = (uint8_t)code;
        o->reg = (uint8_t)number;
        a->r->at += n + taken;
        return 1;
    }
    const bool message = a->iga && is_named(p, n, "msg"), mme = a->iga && is_named(p, n, "mme");
    const struct arf *of = NULL;
    for (size_t i = 0; i < sizeof arfs / sizeof *arfs && !of; i++)
        if (is_named(p, n, arfs[i].name) && arfs[i].gens >> (a->g12 ? 2 : 0) & 1) of = &arfs[i];
    if (!of && !message && !mme) return 0;
    const bool numbered = whole_number(p + n, false, 15, &number, &taken);
    const char behind = p[n + taken];
    if (isalpha((unsigned char)behind) || behind == '_' || behind == '$' || behind == '@') return 0;
    if (!numbered && (message || mme || of->numbered)) return 0;
    if (number > (mme ? (a->g12 ? 7 : 13) : 15))
        return gen_wants(a, p + n, "registers of %.*s have numbers from 0 to 15", (int)n, p) ? 1 : -1;
    o->file = 0;
    o->reg = (uint8_t)(message ? 0x50 + number : mme ? 0x20 + number + (a->g12 ? 8 : 2) : of->high + number);
    /* In a message of gen7.5 IGA keeps the number and forgets the kind. */
    if (a->iga && !a->g12 && a->shape == GEN_SEND && !a->desc_is_reg) o->reg = (uint8_t)number;
    a->r->at += n + taken;
    return 1;
}

bool gen_read_register(struct gen_assembly *a, struct gen_written *o)
{
    gpudbg_reading_ends(a->r);
    o->at = a->r->at;
    const int got = register_here(a, o);
    if (got == 0) gen_wants(a, o->at, "a register is expected here: r10%s", a->g12 ? ", null, acc0" : ", null, acc0");
    return got > 0;
}

/* ---- What follows a register ---- */

static bool read_part(struct gen_assembly *a, struct gen_written *o)
{
    int64_t value;
    if (*a->r->at != '.') return true;
    o->sub_at = a->r->at++;
    o->has_sub = true;
    const bool macro = a->shape == GEN_MATH && a->g12 && a->func >= 14;
    if (macro) {
        o->mme = true;
        const size_t n = letters(a->r->at);
        if (n == 5 && strncasecmp(a->r->at, "nomme", 5) == 0) {
            a->r->at += 5;
            o->sub = 8;
            return true;
        }
        if (*a->r->at == '#') return read_hash(a, 32, "the number of a macro's register", &o->sub);
        if (strncasecmp(a->r->at, "mme", 3) != 0 || !isdigit((unsigned char)a->r->at[3]))
            return gen_wants(a, a->r->at, "operands of a macro are mme0 to mme7, and nomme");
        a->r->at += 3;
        if (!gen_read_int(a, 0, 31, "the number of a macro's register", &value)) return false;
        o->sub = (uint8_t)value;
        return true;
    }
    if (!gen_read_int(a, 0, 31, "the subregister", &o->part)) return false;
    if (!a->iga && takes_next(a, '+')) {
        if (!gen_read_int(a, 1, 7, "the byte in an element", &value)) return false;
        o->rest = (uint8_t)value;
    }
    return true;
}

static bool read_region(struct gen_assembly *a, struct gen_written *o)
{
    static const char form[] = "<8;8,1>";
    if (*a->r->at != '<') return true;
    o->region_at = a->r->at++;
    for (o->nregion = 0;;) {
        uint8_t code;
        gpudbg_reading_ends(a->r);
        const unsigned n = o->nregion++;
        o->code_of[n] = 0;
        if (!a->iga && *a->r->at == '#') {
            if (!read_hash(a, 16, "a code of the region", &code)) return false;
            o->region[n] = code;
            o->code_of[n] = 1;
        } else if (!gen_read_int(a, 0, 32, "a number of the region", &o->region[n]))
            return false;
        if (gpudbg_reading_takes(a->r, '>')) return true;
        if (o->nregion == 3) return gen_wants(a, a->r->at, "a > is expected here: %s", form);
        if (!gpudbg_reading_takes(a->r, ';') && !gpudbg_reading_takes(a->r, ','))
            return gen_wants(a, a->r->at, "a ; a , or a > is expected here: %s", form);
        o->separator[n] = a->r->at[-1];
    }
}

/* .xyzw of Align16. */
static bool read_swizzle(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    static const char names[] = "xyzw";
    if (a->iga || a->g12 || *a->r->at != '.') return true;
    const char *from = ++a->r->at;
    const size_t n = letters(from);
    o->has_swizzle = true;
    if (destination && is_named(from, n, "none")) {
        o->chan_en = 0;
        a->r->at += n;
        return true;
    }
    o->chan_en = o->swizzle = 0;
    for (size_t i = 0; i < n; i++) {
        const char *c = from[i] ? strchr(names, from[i]) : NULL;
        const unsigned which = c ? (unsigned)(c - names) : 0;
        const bool fits = c && (destination ? o->chan_en >> which == 0 : n == 4);
        if (!fits)
            return gen_wants(a, from + i, "%s",
                destination ? "components are expected here, in the order of xyzw, or "
                              "none"
                            : "four components are expected here: xyzw");
        if (destination)
            o->chan_en |= (uint8_t)(1 << which);
        else
            o->swizzle |= (uint8_t)(which << 2 * i);
    }
    a->r->at += n;
    return n || gen_wants(a, from, "components are expected here: xyzw");
}

static bool read_type(struct gen_assembly *a, struct gen_written *o)
{
    if (*a->r->at != ':') return true;
    o->type_at = ++a->r->at;
    o->has_type = true;
    if (!a->iga && *a->r->at == '#') {
        o->type = GEN_BADTYPE;
        return read_hash(a, a->shape == GEN_TERNARY ? 8 : 16, "the code of a type", &o->code);
    }
    const size_t n = letters(a->r->at);
    for (unsigned t = 0; t < GEN_BADTYPE && n; t++)
        if (t != 8 && is_named(a->r->at, n, gen_type_name[t])) {
            o->type = (uint8_t)t;
            a->r->at += n;
            return true;
        }
    return gen_wants(a, a->r->at, "a type is expected here: ub uw ud %sb w d %s%sf df, of constants uv v vf",
        a->g12 ? "uq " : "", a->g12 ? "q " : "", a->g12 ? "hf " : "");
}

/* inf, qnan(0x123), snan(0x123), as IGA prints them: 1, or 0 for none, or -1 with a report. */
static int special_here(struct gen_assembly *a, struct gen_written *o)
{
    int64_t payload = 0;
    const char *from = a->r->at;
    const size_t n = letters(from);
    const bool inf = is_named(from, n, "inf"), quiet = is_named(from, n, "qnan");
    if (!inf && !quiet && !is_named(from, n, "snan")) return 0;
    a->r->at += n;
    if (!inf && (!gen_read_char(a, '(', "qnan(0x1):f") || !gen_read_int(a, 0, INT64_MAX, "the payload", &payload) ||
                    !gen_read_char(a, ')', "qnan(0x1):f")))
        return -1;
    o->special = inf ? 1 : quiet ? 2 : 3;
    o->term = (struct gpudbg_term){.known = true, .value = payload, .from = from, .to = a->r->at};
    return 1;
}

/* Its bits. */
static bool settle_special(struct gen_assembly *a, struct gen_written *o)
{
    const unsigned mantissa = o->type == GEN_F32 ? 23 : o->type == GEN_HF ? 10 : 52, size = 8u * gen_type_size[o->type];
    if (o->type != GEN_F32 && o->type != GEN_HF && o->type != GEN_DF)
        return gen_wants(a, o->term.from, "infinity and NaN are of type f, %sdf", a->g12 ? "hf, " : "");
    if ((uint64_t)o->term.value >> mantissa)
        return gen_wants(
            a, o->term.from, "the payload of a NaN of type %s has %u bits", gen_type_name[o->type], mantissa);
    const uint64_t sign = (uint64_t)o->neg << (size - 1);
    o->imm = sign | ((UINT64_C(1) << (size - 1)) - (UINT64_C(1) << mantissa)) | (uint64_t)o->term.value;
    if (o->special == 2) o->imm |= UINT64_C(1) << (mantissa - 1);
    if (a->shape == GEN_TERNARY && o->imm >> 16) return gen_wants(a, o->term.from, "a constant here has 16 bits");
    if (size == 16 && a->shape != GEN_TERNARY) o->imm |= o->imm << 16;
    return true;
}

bool gen_read_operand(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    memset(o, 0, sizeof *o);
    o->type = GEN_UD;
    o->chan_en = 15;
    o->swizzle = 0xe4;
    gpudbg_reading_ends(a->r);
    const char *from = o->at = a->r->at;
    if (gen_read_ends(a))
        return gen_wants(a, from, "%s is missing: %s has %s", destination ? "the destination" : "a source",
            a->row->name, a->row->operands);
    if (destination && a->iga && strncasecmp(from, "(sat)", 5) == 0) {
        a->r->at += 5;
        o->saturate = true;
        gpudbg_reading_ends(a->r);
    }
    if (!destination) {
        if (gpudbg_reading_takes(a->r, '-'))
            o->neg = true;
        else if (gpudbg_reading_takes(a->r, '~'))
            o->neg = o->inverted = true;
        gpudbg_reading_ends(a->r);
        if (strncasecmp(a->r->at, "(abs)", 5) == 0) {
            a->r->at += 5;
            o->abs = true;
            gpudbg_reading_ends(a->r);
        }
    }
    int n;
    const int got = register_here(a, o);
    if (got < 0) return false;
    if (got > 0)
        return (o->mode == GEN_INDIRECT || read_part(a, o)) && read_region(a, o) && read_swizzle(a, o, destination) &&
               read_type(a, o);
    if (destination) return gen_wants(a, a->r->at, "a register is expected here as destination: r10.0<1>:f");
    if (o->abs) return gen_wants(a, a->r->at, "a register is expected behind (abs)");
    o->mode = GEN_IMMEDIATE;
    if (a->iga && (n = special_here(a, o)) != 0) return n > 0 && read_type(a, o);
    a->r->at = from;
    o->neg = o->inverted = false;
    return gpudbg_reading_term(a->r, &o->term) && read_type(a, o);
}

/* ---- What it means ---- */

static void list_types(const uint8_t *types, unsigned n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < n; i++)
        if (types[i] != GEN_BADTYPE) text_add(&t, "%s%s", t.n ? " " : "", gen_type_name[types[i]]);
}

/* The types that an operand may have, by code. */
static const uint8_t *types_of(const struct gen_assembly *a, const struct gen_written *o, unsigned *n)
{
    const bool constant = o->mode == GEN_IMMEDIATE;
    if (a->shape == GEN_TERNARY && !a->g12) {
        *n = 4;
        return gen7_ternary_types;
    }
    *n = a->g12 ? 16 : 8;
    if (a->g12 && a->shape == GEN_TERNARY) return gen12_ternary_types[0]; /* both rows of 8 */
    return a->g12 ? constant ? gen12_imm_types : gen12_types : constant ? gen7_imm_types : gen7_types;
}

static bool settle_type(struct gen_assembly *a, const struct gen_written *o)
{
    char names[80];
    unsigned n;
    const uint8_t *types = types_of(a, o, &n);
    if (a->op == GEN_OP_dim && o->mode == GEN_IMMEDIATE && o->type == GEN_DF) return true;
    if (o->type == GEN_BADTYPE) {
        const bool reserved = a->g12 && (a->shape == GEN_TERNARY ? gen12_ternary_types[1][o->code & 7] == GEN_BADTYPE
                                                                 : types[o->code & 15] == GEN_BADTYPE);
        return reserved || gen_wants(a, o->type_at, "this code of a type is not reserved: write its name");
    }
    for (unsigned i = 0; i < n; i++)
        if (types[i] == o->type) return true;
    list_types(types, n, names, sizeof names);
    return gen_wants(a, o->type_at ? o->type_at : o->at, "types of %s here are %s",
        o->mode == GEN_IMMEDIATE ? "constants" : "registers", names);
}

/* The code of a number of the region: an index in `values`. */
static bool region_code(struct gen_assembly *a, const struct gen_written *o, unsigned i, const uint8_t *values,
    unsigned codes, const char *what, uint8_t *code)
{
    char list[80];
    struct text t = text_in(list, sizeof list);
    if (o->code_of[i]) {
        *code = (uint8_t)o->region[i];
        return *code < codes || gen_wants(a, o->region_at, "%s has %u codes", what, codes);
    }
    for (unsigned c = 0; c < codes; c++)
        if (values[c] != GEN_RESERVED && values[c] == o->region[i]) {
            *code = (uint8_t)c;
            return true;
        }
    for (unsigned c = 0; c < codes; c++)
        if (values[c] != GEN_RESERVED) text_add(&t, "%s%u", c ? " " : "", values[c]);
    return gen_wants(a, o->region_at, "%s of a region is one of %s, not %lld", what, list, (long long)o->region[i]);
}

static bool region_form(struct gen_assembly *a, const struct gen_written *o, const char *form)
{
    return gen_wants(a, o->region_at ? o->region_at : a->r->at, "a region of the form %s is expected here", form);
}

static bool settle_destination_region(struct gen_assembly *a, struct gen_written *o)
{
    static const uint8_t two[] = {1, 2};
    const bool ternary = a->shape == GEN_TERNARY;
    if (!o->nregion) { /* IGA: <1> goes without saying */
        o->h = ternary && a->g12 ? 0 : 1;
        return a->iga || region_form(a, o, "<1>");
    }
    if (o->nregion != 1) return region_form(a, o, "<1>");
    if (ternary && !a->g12)
        return o->region[0] == 1 || gen_wants(a, o->region_at, "the destination of three sources is <1>");
    return ternary ? region_code(a, o, 0, two, 2, "the step", &o->h)
                   : region_code(a, o, 0, gen_hstrides, 4, "the step", &o->h);
}

static bool settle_ternary_region(struct gen_assembly *a, struct gen_written *o, unsigned n)
{
    if (a->g12) {
        if (!o->nregion) {
            const bool scalar = o->has_sub || a->exec == 0;
            o->v = scalar ? 0 : 1;
            o->h = n == 2 && !scalar;
            return a->iga || region_form(a, o, n == 2 ? "<1>" : "<8;1>");
        }
        if (n == 2)
            return o->nregion == 1 ? region_code(a, o, 0, gen_hstrides, 4, "the step", &o->h)
                                   : region_form(a, o, "<1>");
        return o->nregion == 2 && o->separator[0] == ';'
                   ? region_code(a, o, 0, gen12_ternary_vstrides, 4, "the step of rows", &o->v) &&
                         region_code(a, o, 1, gen_hstrides, 4, "the step", &o->h)
                   : region_form(a, o, "<8;1>");
    }
    if (a->iga) {
        bool scalar = o->has_sub;
        if (o->nregion) {
            const bool pair = n < 2 && o->nregion == 2, one = n == 2 && o->nregion == 1;
            if (!pair && !one) return region_form(a, o, n < 2 ? "<2;1> or <0;0>" : "<1> or <0>");
            scalar = o->region[0] == 0;
            if (pair ? !(o->region[0] == 2 && o->region[1] == 1) && (o->region[0] || o->region[1]) : o->region[0] > 1)
                return region_form(a, o, n < 2 ? "<2;1> or <0;0>" : "<1> or <0>");
        }
        if (!scalar) return true;
        if (o->type != GEN_DF) {
            o->rep = true;
            return true;
        }
        o->swizzle = o->part & 1 ? 0xee : 0x44;
        o->part &= ~(int64_t)1;
        return true;
    }
    if (o->nregion == 1 && o->region[0] == 4) return true;
    o->rep = o->nregion == 3 && o->region[0] == 0 && o->region[1] == 1 && o->region[2] == 0;
    return o->rep || region_form(a, o, "<4>.xyzw or <0;1,0>.xyzw");
}

static bool settle_source_region(struct gen_assembly *a, struct gen_written *o)
{
    if (!o->nregion) { /* IGA: all elements, or with a subregister one */
        const bool scalar = a->exec == 0 || (o->has_sub && !o->mme);
        o->v = scalar ? 0 : 1;
        o->w = o->h = 0;
        return a->iga || region_form(a, o, a->align16 ? "<4>.xyzw" : "<8;8,1>");
    }
    if (a->align16)
        return o->nregion == 1 ? region_code(a, o, 0, gen_strides, 16, "the step of vectors", &o->v)
                               : region_form(a, o, "<4>.xyzw");
    if (o->nregion == 2 && o->separator[0] == ',' && o->mode == GEN_INDIRECT) {
        o->v = 15;
        return region_code(a, o, 0, gen_widths, 8, "the width", &o->w) &&
               region_code(a, o, 1, gen_hstrides, 4, "the step", &o->h);
    }
    if (o->nregion != 3 || o->separator[0] != ';' || o->separator[1] != ',')
        return region_form(a, o, o->mode == GEN_INDIRECT ? "<8;8,1> or <8,1>" : "<8;8,1>");
    return region_code(a, o, 0, gen_strides, 16, "the step of rows", &o->v) &&
           region_code(a, o, 1, gen_widths, 8, "the width", &o->w) &&
           region_code(a, o, 2, gen_hstrides, 4, "the step", &o->h);
}

/* The bits of a constant: small ones stand twice in their field. */
static bool settle_constant(struct gen_assembly *a, struct gen_written *o)
{
    const struct gpudbg_term *t = &o->term;
    const unsigned type = o->type, size = gen_type_size[type];
    const bool ternary = a->shape == GEN_TERNARY, vector = type >= GEN_UV && type <= GEN_VF;
    const unsigned bits = ternary ? 16 : vector || type == GEN_BADTYPE ? 32 : 8 * size;
    const bool small = size <= 2 && !vector && !ternary;
    uint64_t value = (uint64_t)t->value;
    const bool hex = t->from[0] == '0' && (t->from[1] == 'x' || t->from[1] == 'X');
    if (t->is_float) {
        if (type == GEN_F32)
            value = lanes_bits32((float)t->number);
        else if (type == GEN_DF)
            value = lanes_bits64(t->number);
        else if (type == GEN_HF)
            value = lanes_f16_from_f32(lanes_bits32((float)t->number), LANES_NEAREST, true);
        else
            return gen_wants(a, t->from, "a number with a point is of type %sf or df", a->g12 ? "hf, " : "");
    } else if (gen_type_is_float(type) && type != GEN_VF && !hex && t->known) {
        return gen_wants(a, t->from, "a constant of type %s is a number with a point, or its bits in hexadecimal",
            gen_type_name[type]);
    } else if (small && hex && t->to - t->from == 10) { /* both halves */
        o->imm = value & 0xffffffff;
        return true;
    } else if (bits < 64 && t->known && (t->value < -((int64_t)1 << (bits - 1)) || t->value >= (int64_t)1 << bits)) {
        return gpudbg_reading_wants(a->r, t->from, "out-of-range", "a constant of type %s%s has %u bits",
            gen_type_name[type], ternary ? " among three sources" : "", bits);
    }
    if (ternary && value >> 16 && t->is_float)
        return gpudbg_reading_wants(a->r, t->from, "out-of-range", "a constant among three sources has 16 bits");
    if (bits < 64) value &= ((uint64_t)1 << bits) - 1;
    if (small && size == 1 && type != GEN_BADTYPE) value |= value << 8;
    if (small && type != GEN_BADTYPE) value |= value << 16;
    o->imm = value;
    return true;
}

static bool counts_bytes(const struct gen_assembly *a, const struct gen_written *o)
{
    const unsigned high = o->reg >> 4;
    return a->iga && o->file == 0 && (high == 0xa || high == 4 || high == 5 || (a->g12 && high == 0xd));
}

static bool settle_sub(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    const unsigned size = counts_bytes(a, o) ? 1 : gen_type_size[o->type];
    if (o->mode != GEN_DIRECT || o->mme) return true;
    const int64_t bytes = o->part * (int64_t)size + o->rest;
    const unsigned step = a->shape == GEN_TERNARY && !a->g12 ? 4 : a->align16 ? 16 : 1;
    if (o->rest >= size)
        return gen_wants(a, o->sub_at, "an element of type %s has %u bytes", gen_type_name[o->type], size);
    if (bytes > 31)
        return gpudbg_reading_wants(a->r, o->sub_at, "out-of-range", "a register has 32 bytes: .0 to .%u of type %s",
            31 / size, gen_type_name[o->type]);
    o->sub = (uint8_t)bytes;
    if (a->iga && step == 4 && destination && a->exec == 0) { /* one channel: one component of four is enabled */
        const unsigned dword = o->sub % 16 / 4;
        a->exec = o->type == GEN_DF ? 1 : 2;
        o->chan_en = (uint8_t)(o->type == GEN_DF ? 3 << dword : 1 << dword);
        o->sub &= 16;
    }
    return bytes % step == 0 || gen_wants(a, o->sub_at, "the subregister is a multiple of %u bytes here", step);
}

bool gen_settle_place(struct gen_assembly *a, struct gen_written *o)
{
    if (o->nregion || o->has_swizzle || o->mode != GEN_DIRECT)
        return gen_wants(a, o->region_at ? o->region_at : o->at, "a register without a region is expected here: r10%s",
            a->shape == GEN_SEND ? "" : ".0");
    if (!settle_sub(a, o, true)) return false;
    return a->shape != GEN_SEND || !o->sub || gen_wants(a, o->sub_at, "messages have whole registers: r10");
}

bool gen_settle_descriptor(struct gen_assembly *a, struct gen_written *o)
{
    const int64_t bytes = 4 * o->part + o->rest; /* it is read as a dword, whatever its type says */
    if (o->nregion || o->has_type || o->mode != GEN_DIRECT)
        return gen_wants(a, o->at, "a descriptor is a number, or a register without a region: a0.0");
    o->sub = (uint8_t)bytes;
    return bytes < 32 || gen_wants(a, o->sub_at, "a register has 8 dwords: .0 to .7");
}

bool gen_settle(struct gen_assembly *a, struct gen_written *o, int n)
{
    const bool destination = n < 0, ternary = a->shape == GEN_TERNARY;
    if (!o->has_type && !(a->iga && (a->shape == GEN_SEND || a->shape >= GEN_JUMP)))
        return gen_wants(a, a->r->at, "a type is expected here: %s", o->mode == GEN_IMMEDIATE ? "5:ud" : "r10.0:f");
    if (!settle_type(a, o)) return false;
    if (o->mode == GEN_IMMEDIATE) {
        if (ternary && (!a->g12 || n == 1))
            return gen_wants(a, o->at,
                a->g12 ? "source 1 of three is a register; source 0 and source 2 may be constants"
                       : "all three sources are registers");
        return o->special ? settle_special(a, o) : settle_constant(a, o);
    }
    if (o->inverted && a->g12 != true && !a->iga) return gen_wants(a, o->at, "%s negates with -", a->r->isa->name);
    if (o->neg && (a->g12 || a->iga)) {
        const bool logic = gen_is_logic(a->op);
        if (logic != o->inverted && !(a->iga && logic)) /* IGA takes - of logic, too */
            return gen_wants(a, o->at, logic ? "a source of %s is inverted with ~" : "a source of %s is negated with -",
                a->row->name);
    }
    if (!a->g12 && ternary && (o->mode != GEN_DIRECT || o->file != 1))
        return gen_wants(a, o->at, "operands of three-source instructions are general registers");
    if (ternary && o->mode != GEN_DIRECT)
        return gen_wants(a, o->at, "operands of three-source instructions are named by their number");
    if (o->has_swizzle && !a->align16 && !ternary) return gen_wants(a, o->at, "components need the option Align16");
    if (destination ? !settle_destination_region(a, o)
        : ternary   ? !settle_ternary_region(a, o, (unsigned)n)
                    : !settle_source_region(a, o))
        return false;
    return settle_sub(a, o, destination);
}

/* ---- Targets ---- */

bool gen_read_target(struct gen_assembly *a, bool first)
{
    struct gpudbg_term t;
    const struct gen_insn i = {
        .version = (uint8_t)a->version, .op = a->op, .size = a->compacted ? 8 : 16, .addr = a->r->addr};
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
    else if (a->op != GEN_OP_calla) /* IGA counts from this instruction */
        bytes = (int64_t)((uint64_t)t.value + a->r->addr - gen_branch_from(&i));
    *(first ? &a->jip : &a->uip) = bytes;
    *(first ? &a->jip_at : &a->uip_at) = from;
    *(first ? &a->jip_given : &a->uip_given) = true;
    return true;
}

/* ---- Options ---- */

static bool read_index(struct gen_assembly *a, const char *p, size_t n, bool *found)
{
    *found = false;
    for (unsigned i = 0; gen_index_name(a, i); i++) {
        int64_t value;
        if (!is_named(p, n, gen_index_name(a, i)) || p[n] != '=') continue;
        *found = true;
        a->r->at += n + 1;
        gpudbg_reading_takes(a->r, '#');
        if (!gen_read_int(a, 0, 31, "the row of a table", &value)) return false;
        a->index[i] = (int16_t)value;
        return true;
    }
    return true;
}

/* Q1.. eights, N1.. fours, H1 and H2 sixteens of the channels. */
static bool read_channels(struct gen_assembly *a, const char *p, size_t n)
{
    const unsigned unit = toupper((unsigned char)*p) == 'Q' ? 8 : toupper((unsigned char)*p) == 'N' ? 4 : 16;
    const unsigned number = (unsigned)(p[1] - '1');
    if (n != 2 || number * unit >= 32) return gen_wants(a, p, "channels are Q1 to Q4, N1 to N8, H1 or H2");
    a->chan_off = (uint8_t)(number * unit);
    a->r->at += n;
    return true;
}

/* @1, $2, $2.dst, $2.src, and @1 with a token: the byte of the scoreboard. */
static bool read_scoreboard(struct gen_assembly *a)
{
    const char *from = a->r->at;
    int64_t value;
    unsigned byte = a->swsb;
    if (takes_next(a, '@')) {
        if (!gen_read_int(a, 1, 7, "the distance", &value)) return false;
        if (byte & 0x87) return gen_wants(a, from, "one distance at most is expected here");
        byte = byte ? byte : (unsigned)value;
        a->swsb = (uint8_t)(a->swsb ? 0x80 | (unsigned)value << 4 | (byte & 0x7f) : byte);
        return true;
    }
    a->r->at++; /* the $ */
    if (!gen_read_int(a, 0, 15, "the token", &value)) return false;
    unsigned kind = 4; /* takes it */
    if (strncasecmp(a->r->at, ".dst", 4) == 0)
        kind = 2;
    else if (strncasecmp(a->r->at, ".src", 4) == 0)
        kind = 3;
    if (kind != 4) a->r->at += 4;
    if (byte > 7) return gen_wants(a, from, "one token at most is expected here");
    a->swsb = (uint8_t)(byte ? byte : kind << 4 | (unsigned)value);
    if (!byte) return true;
    const bool takes = a->op == GEN_OP_send || a->op == GEN_OP_sendc || a->op == GEN_OP_math;
    if (kind != (takes ? 4u : 2u))
        return gen_wants(a, from,
            takes ? "with a distance %s takes a token: $1"
                  : "with a distance %s waits for a "
                    "token's destination: $1.dst",
            a->row->name);
    a->swsb = (uint8_t)(0x80 | byte << 4 | (unsigned)value);
    return true;
}

/* Distance behind token: IGA takes both orders. */
static bool read_waits(struct gen_assembly *a)
{
    if (!a->g12) return gen_wants(a, a->r->at, "%s has no scoreboard in its instructions", a->r->isa->name);
    if (*a->r->at == '@' && a->swsb > 7) {
        const unsigned old = a->swsb, kind = old >> 4;
        const char *from = a->r->at;
        const bool takes = a->op == GEN_OP_send || a->op == GEN_OP_sendc || a->op == GEN_OP_math;
        int64_t value;
        a->r->at++;
        if (!gen_read_int(a, 1, 7, "the distance", &value)) return false;
        if (old & 0x80 || kind != (takes ? 4u : 2u))
            return gen_wants(a, from, "a distance does not go with this token");
        a->swsb = (uint8_t)(0x80 | (unsigned)value << 4 | (old & 15));
        return true;
    }
    return read_scoreboard(a);
}

enum option {
    NO_DD_CLR,
    NO_DD_CHK,
    ATOMIC,
    SWITCH,
    ACC_WR_EN,
    BRANCH_CTRL,
    BREAKPOINT,
    COMPACTED,
    NATIVE,
    EOT,
    SERIAL,
    ALIGN16,
    ALIGN1,
    NO_MASK
};
static const struct {
    char name[12];
    uint8_t is;
} options[] = {{"NoDDClr", NO_DD_CLR}, {"NoDDChk", NO_DD_CHK}, {"Atomic", ATOMIC}, {"Switch", SWITCH},
    {"AccWrEn", ACC_WR_EN}, {"BranchCtrl", BRANCH_CTRL}, {"Breakpoint", BREAKPOINT}, {"Compacted", COMPACTED},
    {"NoCompact", NATIVE}, {"EOT", EOT}, {"Serialize", SERIAL}, {"Align16", ALIGN16}, {"Align1", ALIGN1},
    {"NoMask", NO_MASK}};

static bool option_fits(struct gen_assembly *a, enum option o)
{
    const bool send = a->shape == GEN_SEND, branch = a->shape >= GEN_JUMP;
    switch (o) {
    case NO_DD_CLR:
    case NO_DD_CHK:
    case SWITCH: return !a->g12;
    case ALIGN16: return !a->g12 && !a->iga;
    case ALIGN1:
    case NO_MASK: return !a->iga;
    case ACC_WR_EN: return !a->g12 || (!send && !branch);
    case BRANCH_CTRL: return a->g12 && branch && !a->iga;
    case EOT: return send;
    case SERIAL: return a->g12 && send;
    default: return true;
    }
}

static bool set_option(struct gen_assembly *a, const char *at, enum option o)
{
    if (!option_fits(a, o)) return gen_wants(a, at, "%s of %s has no such option", a->row->name, a->r->isa->name);
    switch (o) {
    case NO_DD_CLR: a->no_dd_clr = true; break;
    case NO_DD_CHK: a->no_dd_chk = true; break;
    case ATOMIC: a->thread_ctrl = 1; break;
    case SWITCH: a->thread_ctrl = 2; break;
    case ACC_WR_EN: a->acc_wr_en = true; break;
    case BRANCH_CTRL: a->branch_ctrl = true; break;
    case BREAKPOINT: a->breakpoint = true; break;
    case COMPACTED: a->compacted = true; break;
    case NATIVE: a->native = true; break;
    case EOT: a->eot = true; break;
    case SERIAL: a->serialize = true; break;
    case ALIGN16: a->align16 = true; break;
    case ALIGN1: break;
    case NO_MASK: a->no_mask = true; break;
    }
    return true;
}

static bool read_option(struct gen_assembly *a)
{
    gpudbg_reading_ends(a->r);
    const char *p = a->r->at;
    int64_t value;
    bool found;
    if (*p == '@' || *p == '$') return read_waits(a);
    const size_t n = letters(p);
    if (is_named(p, n, "SWSB") && p[n] == '=' && a->g12) {
        a->r->at += n + 1;
        if (!gen_read_int(a, 0, 255, "the byte of the scoreboard", &value)) return false;
        a->swsb = (uint8_t)value;
        return true;
    }
    if (!a->iga && !a->g12 && is_named(p, n, "ThreadCtrl") && p[n] == '=') {
        a->r->at += n + 1;
        gpudbg_reading_takes(a->r, '#');
        if (!gen_read_int(a, 0, 3, "the thread control", &value)) return false;
        a->thread_ctrl = (uint8_t)value;
        return true;
    }
    if (!read_index(a, p, n, &found)) return false;
    if (found) return true;
    if (!a->iga && n == 2 && isdigit((unsigned char)p[1]) && p[1] != '0' && strchr("QNHqnh", *p))
        return read_channels(a, p, n);
    for (size_t i = 0; i < sizeof options / sizeof *options && n; i++)
        if (is_named(p, n, options[i].name)) {
            a->r->at += n;
            return set_option(a, p, (enum option)options[i].is);
        }
    return gen_wants(a, p,
        a->iga ? "an option is expected here: Compacted AccWrEn Atomic Breakpoint %s"
               : "an option is expected here: Q1 N1 H2 NoMask Compacted AccWrEn Atomic Breakpoint %s",
        a->g12   ? "EOT Serialize @1 $1"
        : a->iga ? "Switch NoDDClr NoDDChk EOT"
                 : "Align16 Switch NoDDClr NoDDChk EOT");
}

bool gen_read_options(struct gen_assembly *a)
{
    static const char form[] = "the options end with a brace";
    if (!gpudbg_reading_takes(a->r, '{')) return true;
    if (gpudbg_reading_takes(a->r, '}')) return true;
    do {
        if (!read_option(a)) return false;
        gpudbg_reading_ends(a->r);
    } while (gpudbg_reading_takes(a->r, ',') || (*a->r->at && *a->r->at != '}'));
    return gen_read_char(a, '}', form);
}

/* ---- What is needed first ---- */

bool gen_register_next(struct gen_assembly *a)
{
    struct gen_written o = {0};
    struct gpudbg_error err = {.offset = -1}, *told = a->r->err;
    const char *at = (gpudbg_reading_ends(a->r), a->r->at), *furthest = a->r->furthest;
    a->r->err = &err;
    if (*at == '-' || *at == '~') a->r->at++;
    if (strncasecmp(a->r->at, "(abs)", 5) == 0) a->r->at += 5;
    const bool is = register_here(a, &o) != 0;
    a->r->err = told;
    a->r->furthest = furthest;
    a->r->at = at;
    return is;
}

bool gen_read_ends_of(struct gen_assembly *a, const char **behind)
{
    gpudbg_reading_ends(a->r);
    const char *begin = a->r->at;
    if (*begin == '(') { /* the predicate */
        const char *end = strchr(begin, ')');
        if (!end) return gen_wants(a, begin, "the predicate ends with a bracket: (f0.0)");
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
