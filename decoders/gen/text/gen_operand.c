/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_operand.c: the text of an operand in both syntaxes: a register with its region and type, or a constant. */
#include <ctype.h>
#include <stdio.h>
#include <strings.h>
#include "text/gen_assembly.h"

/* ---- Registers ---- */

/* Names of files except the GRF, and the high half of their numbers. */
static const struct arf {
    char name[6];
    uint8_t high;
    bool numbered; /* the number is always written */
    bool flow;     /* fc and dbg */
} arfs[] = {{"null", 0x00, false, false}, {"a", 0x10, true, false}, {"acc", 0x20, true, false},
    {"f", 0x30, true, false}, {"ce", 0x40, false, false}, {"sp", 0x60, false, false}, {"sr", 0x70, true, false},
    {"cr", 0x80, true, false}, {"n", 0x90, true, false}, {"ip", 0xa0, false, false}, {"tdr", 0xb0, true, false},
    {"tm", 0xc0, true, false}, {"fc", 0xd0, true, true}, {"dbg", 0xf0, true, true}};

/* The number after the name of a file; false: there is no number.  A number above `most` gives most + 1. */
static bool whole_number(const char *p, bool hex, unsigned most, unsigned *value, size_t *n)
{
    char text[20];
    uint64_t number;
    const char *at = text;
    for (*n = 0; hex ? isxdigit((unsigned char)p[*n]) : isdigit((unsigned char)p[*n]);) ++*n;
    snprintf(text, sizeof text, "%s%.*s", hex ? "0x" : "", (int)(*n < 15 ? *n : 15), p);
    *value = 0;
    if (!*n || !gen_digits(&at, &number)) return false;
    *value = number > most ? most + 1 : (unsigned)number;
    return true;
}

static bool read_address(struct gen_assembly *a, struct gen_written *o)
{
    static const char form[] = "r[a0.1,16]";
    int64_t value;
    const unsigned words = a->eu->address_words;
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

/* 1: a register; 0: not a register; -1: an error was reported. */
static int register_here(struct gen_assembly *a, struct gen_written *o)
{
    const char *p = a->r->at;
    size_t n = 0, taken;
    unsigned number = 0;
    while (isalpha((unsigned char)p[n])) n++;
    /* Files without a name, before Gen12: message registers of older generations, constants. */
    const bool odd = !a->iga && a->eu->column != GEN_COLUMN_e2;
    const int code = gen_is_named(p, n, "r")                ? 1
                     : odd && gen_is_named(p, n, "m")       ? 2
                     : odd && gen_is_named(p, n, "imm")     ? 3
                     : !a->iga && gen_is_named(p, n, "arf") ? 0
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
    const bool message = a->iga && gen_is_named(p, n, "msg"), mme = a->iga && gen_is_named(p, n, "mme");
    const struct arf *of = NULL;
    for (size_t i = 0; i < sizeof arfs / sizeof *arfs && !of; i++)
        if (gen_is_named(p, n, arfs[i].name) && (!arfs[i].flow || a->eu->flow_register)) of = &arfs[i];
    if (!of && !message && !mme) return 0;
    const bool numbered = whole_number(p + n, false, 15, &number, &taken);
    const char behind = p[n + taken];
    if (isalpha((unsigned char)behind) || behind == '_' || behind == '$' || behind == '@') return 0;
    if (!numbered && (message || mme || of->numbered)) return 0;
    if (number > (mme ? 15u - a->eu->iga_mme : 15u))
        return gen_wants(a, p + n, "registers of %.*s have numbers from 0 to 15", (int)n, p) ? 1 : -1;
    o->file = 0;
    o->reg = (uint8_t)(message ? 0x50 + number : mme ? 0x20 + number + a->eu->iga_mme : of->high + number);
    /* In a message with typed payloads IGA keeps the number and forgets the kind. */
    if (a->iga && !gen_splits(a->eu, a->op) && a->shape == GEN_SEND && !a->desc_is_reg) o->reg = (uint8_t)number;
    a->r->at += n + taken;
    return 1;
}

bool gen_read_register(struct gen_assembly *a, struct gen_written *o)
{
    gpudbg_reading_ends(a->r);
    o->at = a->r->at;
    const int got = register_here(a, o);
    if (got == 0) gen_wants(a, o->at, "a register is expected here: r10, null, acc0");
    return got > 0;
}

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

/* ---- What follows a register ---- */

static bool read_part(struct gen_assembly *a, struct gen_written *o)
{
    int64_t value;
    if (*a->r->at != '.') return true;
    o->sub_at = a->r->at++;
    o->has_sub = true;
    const bool macro = gen_reads_macro(a) && (a->iga || !a->eu->align16 || isalpha((unsigned char)*a->r->at));
    if (macro) {
        o->mme = true;
        const size_t n = gen_letters(a->r->at);
        if (n == 5 && strncasecmp(a->r->at, "nomme", 5) == 0) {
            a->r->at += 5;
            o->sub = 8;
            return true;
        }
        if (*a->r->at == '#') return gen_read_hash(a, 32, "the number of a macro's register", &o->sub);
        if (strncasecmp(a->r->at, "mme", 3) != 0 || !isdigit((unsigned char)a->r->at[3]))
            return gen_wants(a, a->r->at, "operands of a macro are mme0 to mme7, and nomme");
        a->r->at += 3;
        if (!gen_read_int(a, 0, 31, "the number of a macro's register", &value)) return false;
        o->sub = (uint8_t)value;
        return true;
    }
    /* Four elements of dpas may be in a byte; gen_settle.c looks at the type. */
    if (!gen_read_int(a, 0, a->shape == GEN_DPAS ? 127 : 31, "the subregister", &o->part)) return false;
    if (!a->iga && gen_takes_next(a, '+')) {
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
            if (!gen_read_hash(a, 16, "a code of the region", &code)) return false;
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
    if (a->iga || !a->eu->align16 || *a->r->at != '.') return true;
    const char *from = ++a->r->at;
    const size_t n = gen_letters(from);
    o->has_swizzle = true;
    if (destination && gen_is_named(from, n, "none")) {
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
    if (a->shape == GEN_SEND && a->eu->bindless_offsets && isdigit((unsigned char)a->r->at[1])) {
        int64_t value; /* registers of the second payload */
        a->r->at++;
        if (!gen_read_int(a, 0, 31, "the number of registers", &value)) return false;
        a->length = (int8_t)value;
        return true;
    }
    o->type_at = ++a->r->at;
    o->has_type = true;
    if (!a->iga && *a->r->at == '#') {
        o->type = GEN_BADTYPE;
        return gen_read_hash(a, a->shape == GEN_TERNARY ? 8 : 16, "the code of a type", &o->code);
    }
    const size_t n = gen_letters(a->r->at);
    for (unsigned t = 0; t < GEN_BADTYPE && n; t++)
        if (t != 8 && gen_is_named(a->r->at, n, gen_type_name[t])) {
            o->type = (uint8_t)t;
            a->r->at += n;
            return true;
        }
    return gen_wants(a, a->r->at, "a type is expected here: ub uw ud %sb w d %s%sf df, of constants uv v vf",
        a->eu->wide_types ? "uq " : "", a->eu->wide_types ? "q " : "", a->eu->wide_types ? "hf " : "");
}

/* inf, qnan(0x123), snan(0x123), as IGA prints them.  1, or 0 for other text; -1: an error was reported. */
static int special_here(struct gen_assembly *a, struct gen_written *o)
{
    int64_t payload = 0;
    const char *from = a->r->at;
    const size_t n = gen_letters(from);
    const bool inf = gen_is_named(from, n, "inf"), quiet = gen_is_named(from, n, "qnan");
    if (!inf && !quiet && !gen_is_named(from, n, "snan")) return 0;
    a->r->at += n;
    if (!inf && (!gen_read_char(a, '(', "qnan(0x1):f") || !gen_read_int(a, 0, INT64_MAX, "the payload", &payload) ||
                    !gen_read_char(a, ')', "qnan(0x1):f")))
        return -1;
    o->special = inf ? 1 : quiet ? 2 : 3;
    o->term = (struct gpudbg_term){.known = true, .value = payload, .from = from, .to = a->r->at};
    return 1;
}

/* Reports a name that is neither register nor label; other errors have their own reports. */
static bool source_unknown(struct gen_assembly *a, const char *name)
{
    const bool bracket = *name == '(';
    const size_t n = gen_letters(name + bracket);
    if (!n || isdigit((unsigned char)name[bracket]) || a->r->furthest != name + bracket) return false;
    a->r->furthest = NULL;
    return bracket ? gen_wants(a, name, "before a register may come -, (abs), or -(abs)")
                   : gen_wants(a, name, "no register and no label is called \"%.*s\"; sources are r10.0%s:f, 5:ud",
                         (int)(n < 60 ? n : 60), name, a->shape == GEN_TERNARY ? "<8;1>" : "<8;8,1>");
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
    if (o->abs) return gen_wants(a, a->r->at, "a register is expected after (abs)");
    o->mode = GEN_IMMEDIATE;
    if (a->iga && (n = special_here(a, o)) != 0) return n > 0 && read_type(a, o);
    const char *name = a->r->at;
    a->r->at = from;
    o->neg = o->inverted = false;
    return (gpudbg_reading_term(a->r, &o->term) || source_unknown(a, name)) && read_type(a, o);
}
