/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_parse.c: operands as LLVM's assembler reads them: registers and runs of them, constants, signs, and the constants
 * with a form of their own (counters, messages, hardware registers).  An operand goes to the field from which the
 * decoder reads it (gcn_place), so the names of registers and the fields have one table each.
 */
#include <ctype.h>
#include <math.h>
#include "code/gcn_decoder.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

/* ---- Names ---- */

static bool name_is(const struct gpudbg_reading *r, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(r->at, name, n) == 0;
}

int64_t gcn_take_name(struct gcn_assembly *a, const struct gpudbg_enum *e)
{
    const size_t n = gpudbg_reading_name(a->r);
    for (size_t i = 0; n && i < e->count; i++)
        if (name_is(a->r, n, e->values[i].name)) {
            a->r->at += n;
            return (int64_t)e->values[i].value;
        }
    return -1;
}

/* The index in a list of the name that is next in the text; -1: no name of the list. */
static int take_of(struct gcn_assembly *a, const char *const *names, unsigned count)
{
    const size_t n = gpudbg_reading_name(a->r);
    for (unsigned i = 0; n && i < count; i++)
        if (names[i] && name_is(a->r, n, names[i])) {
            a->r->at += n;
            return (int)i;
        }
    return -1;
}

bool gcn_take_bits(struct gcn_assembly *a, unsigned bits, const char *what, uint32_t *value)
{
    struct gpudbg_term t;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gpudbg_reading_term(a->r, &t)) return false;
    const int64_t above = (int64_t)1 << bits;
    if (t.is_float || t.value >= above || t.value < -(above / 2))
        return gpudbg_reading_wants(
            a->r, from, "out-of-range", "%s is a whole number from 0 to %lld", what, (long long)above - 1);
    *value = (uint32_t)t.value & (uint32_t)(above - 1);
    return true;
}

bool gcn_take_signed(struct gcn_assembly *a, unsigned bits, const char *what, uint32_t *value)
{
    struct gpudbg_term t;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gpudbg_reading_term(a->r, &t)) return false;
    const int64_t above = (int64_t)1 << (bits - 1);
    if (t.is_float || t.value >= above || t.value < -above)
        return gpudbg_reading_wants(a->r, from, "out-of-range", "%s is a whole number from %lld to %lld", what,
            (long long)-above, (long long)above - 1);
    *value = (uint32_t)t.value & (uint32_t)(2 * above - 1);
    return true;
}

/* ---- Registers ---- */

static bool take_index(struct gpudbg_reading *r, int64_t *value)
{
    struct gpudbg_term t;
    const char *from = (gpudbg_reading_ends(r), r->at);
    if (!gpudbg_reading_term(r, &t)) return false;
    *value = t.value;
    return (!t.is_float && t.value >= 0 && t.value < 256) ||
           gpudbg_reading_wants(r, from, "out-of-range", "the number of a register is expected here");
}

/* A letter of a register file with a number or a range: s5, v[2:3].  at: after the letters. */
static bool take_run(struct gpudbg_reading *r, unsigned base, unsigned count, struct registers *to)
{
    const char *from = r->at;
    int64_t first = 0, last;
    if (*r->at == '[') {
        r->at++;
        if (!take_index(r, &first)) return false;
        last = first;
        if (gpudbg_reading_takes(r, ':') && !take_index(r, &last)) return false;
        if (!gpudbg_reading_takes(r, ']'))
            return gpudbg_reading_wants(
                r, r->at, "syntax", "a : or ] is expected here: the registers are written [FIRST:LAST]");
    } else {
        unsigned digits = 0;
        for (; isdigit((unsigned char)*r->at) && digits < 4; digits++) first = 10 * first + (*r->at++ - '0');
        last = first;
    }
    if (last < first) return gpudbg_reading_wants(r, from, "out-of-range", "the last register is before the first one");
    if (last >= count)
        return gpudbg_reading_wants(r, from, "out-of-range", "registers of this file are numbered 0 to %u", count - 1);
    *to = (struct registers){base + (unsigned)first, (unsigned)(last - first) + 1};
    return true;
}

/* Whether registers of a file begin here: its letters with a digit or [ after them are enough. */
static const char *file_at(const struct gcn_chip *chip, const char *at, unsigned *base, unsigned *count)
{
    const struct {
        char name[5];
        uint16_t base, count;
    } files[] = {{"ttmp", chip->ttmp, (uint16_t)(GCN_CODE_M0 - chip->ttmp)}, {"s", GCN_CODE_SGPR, chip->sgprs},
        {"v", GCN_CODE_VGPR, 256}};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        const size_t n = strlen(files[i].name);
        if (strncmp(at, files[i].name, n) != 0) continue;
        const char *p = at + n;
        if (*p == '[' || isdigit((unsigned char)*p)) {
            while (isdigit((unsigned char)*p)) p++;
            if (isalpha((unsigned char)*p) || *p == '_') continue; /* a name that only starts with these letters */
            *base = files[i].base;
            *count = files[i].count;
            return at + n;
        }
    }
    return NULL;
}

/* The operand code of a name, and its one or two dwords; 0 dwords: not such a name. */
static struct registers named(const struct gcn_chip *chip, const char *name, size_t n)
{
    static const char *const status[] = {"vccz", "execz", "scc", "lds_direct"}; /* without the src_ that is printed */
    for (unsigned i = 0; i < 4; i++)
        if (strlen(status[i]) == n && memcmp(name, status[i], n) == 0) return (struct registers){GCN_CODE_VCCZ + i, 1};
    for (unsigned i = 0; i < 5 && chip->apertures; i++) /* as wide as their operands */
        if (strlen(gcn_aperture_names[i]) - 4 <= n && n <= strlen(gcn_aperture_names[i]) &&
            memcmp(gcn_aperture_names[i] + strlen(gcn_aperture_names[i]) - n, name, n) == 0)
            return (struct registers){GCN_CODE_APERTURE + i, 1};
    for (unsigned dwords = 1; dwords <= 2; dwords++)
        for (unsigned code = GCN_CODE_FLAT_SCRATCH; code <= GCN_CODE_LDS; code++) {
            const struct gcn_name *known = &chip->names[code + (dwords == 2 ? 512 : 0)];
            if (code == GCN_CODE_INT) code = GCN_CODE_VCCZ, known = &chip->names[code + (dwords == 2 ? 512 : 0)];
            if ((code == GCN_CODE_NULL && !chip->null_register) || lacks_flat_scratch(chip, code))
                continue; /* reserved */
            if ((known->n & GCN_NAME_LENGTH) == n && memcmp(known->text, name, n) == 0)
                return (struct registers){code, dwords};
        }
    return (struct registers){0, 0};
}

/* 1: a register was read; 0: no register is next; -1: the register is wrong. */
int take_register(struct gpudbg_reading *r, struct registers *to)
{
    unsigned base, count;
    gpudbg_reading_ends(r);
    const char *numbers = file_at(gcn_chip_of(r->isa), r->at, &base, &count);
    if (numbers) {
        r->at = numbers;
        return take_run(r, base, count, to) ? 1 : -1;
    }
    if (*r->at == '[') { /* a list of consecutive registers: [v0,v1] */
        struct registers next;
        const char *from = r->at++;
        int ok = take_register(r, to);
        while (ok > 0 && gpudbg_reading_takes(r, ',')) {
            const char *at = (gpudbg_reading_ends(r), r->at);
            ok = take_register(r, &next);
            if (ok > 0 && (next.code != to->code + to->dwords || next.dwords != 1)) {
                gpudbg_reading_wants(r, at, "syntax", "registers of a list follow each other");
                return -1;
            }
            to->dwords++;
        }
        if (ok > 0 && gpudbg_reading_takes(r, ']')) return 1;
        gpudbg_reading_wants(r, ok > 0 ? r->at : from, "syntax", "a list of registers, [v0,v1], is expected here");
        return -1;
    }
    const size_t n = gpudbg_reading_name(r);
    *to = named(gcn_chip_of(r->isa), r->at, n);
    if (!n || !to->dwords) return 0;
    r->at += n;
    return 1;
}

/* Whether a register, or the bars or the name of a modifier, begins at p. */
static bool starts_register(const struct gcn_chip *chip, const char *p)
{
    unsigned base, count;
    p += strspn(p, " \t");
    if (*p == '|' || *p == '[' || strncmp(p, "abs(", 4) == 0 || strncmp(p, "neg(", 4) == 0 ||
        file_at(chip, p, &base, &count))
        return true;
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n && !isdigit((unsigned char)*p) && named(chip, p, n).dwords;
}

/* ---- Constants ---- */

static bool is_float_type(unsigned type) { return type == GCN_F32 || type == GCN_F64 || type == GCN_F16; }

/* Bits of a constant as the operand holds it: 16 for halves, 64 for pairs, else 32.  false: it does not fit. */
static bool bits_of_term(struct gcn_assembly *a, const struct gpudbg_term *t, unsigned type, uint64_t *bits)
{
    const unsigned size = type == GCN_F16 ? 16 : gcn_type_dwords(type) == 2 ? 64 : 32;
    if (!t->is_float) {
        const int64_t v = t->value;
        const int64_t most = size == 16 ? 0xffff : 0xffffffff, least = size == 16 ? -0x8000 : INT32_MIN;
        if (v > most || v < least)
            return gpudbg_reading_wants(
                a->r, t->from, "out-of-range", "the constant does not fit into %u bits", size == 16 ? 16 : 32);
        *bits = size == 64 ? (uint64_t)v : (uint64_t)v & (uint64_t)most;
        return true;
    }
    if (size == 64) {
        memcpy(bits, &t->number, 8);
        return true;
    }
    const float f = (float)t->number;
    uint32_t b;
    memcpy(&b, &f, 4);
    if (size == 16) b = lanes_f16_from_f64(t->number);
    *bits = b;
    const bool gone = size == 16 ? (b & 0x7fff) == 0x7c00 || !(b & 0x7fff) : isinf(f) || f == 0;
    return t->number == 0 || !gone ||
           gpudbg_reading_wants(
               a->r, t->from, "out-of-range", "the number is too large or too small for a float of %u bits", size);
}

/* The code of the inline constant with these bits, as an operand of the type; 0: no constant has them. */
static unsigned inline_code(uint64_t bits, unsigned type, bool is_float)
{
    const unsigned size = type == GCN_F16 ? 16 : gcn_type_dwords(type) == 2 ? 64 : 32;
    const uint64_t mask = size == 64 ? UINT64_MAX : ((uint64_t)1 << size) - 1;
    for (unsigned code = GCN_CODE_INT; code <= GCN_CODE_NEG + 16; code++) {
        uint64_t value;
        if (gcn_inline(code, type, &value) && (value & mask) == bits) return code;
    }
    for (unsigned code = GCN_CODE_FLOAT; code < GCN_CODE_FLOAT + 8; code++) {
        uint64_t value;
        if (!gcn_inline(code, type, &value)) continue;
        if ((value & mask) == bits) return code;
        /* A whole number for a 64-bit float is its upper half. */
        if (type == GCN_F64 && !is_float && bits <= UINT32_MAX && value == bits << 32) return code;
    }
    return 0;
}

/* Makes the 32 bits the literal of the instruction, which has room for one. */
static bool set_literal(struct gcn_assembly *a, const struct gpudbg_term *t, uint32_t bits)
{
    if (a->has_literal && a->literal != bits && !a->loose && t->known)
        return gpudbg_reading_wants(
            a->r, t->from, "syntax", "the instruction has room for one literal, and 0x%x is in it", a->literal);
    a->loose |= !t->known;
    a->has_literal = true;
    a->literal = bits;
    return true;
}

/* The 32 bits that encode a constant after the word. */
static bool literal_of(
    struct gcn_assembly *a, const struct gpudbg_term *t, unsigned type, uint64_t bits, uint32_t *literal)
{
    *literal = (uint32_t)bits;
    if (!t->is_float || gcn_type_dwords(type) != 2) return true;
    if (type != GCN_F64)
        return gpudbg_reading_wants(a->r, t->from, "syntax",
            "whole numbers of 64 bits take 0.5, 1.0, 2.0, 4.0 and no other number with a point");
    *literal = (uint32_t)(bits >> 32);
    return !(uint32_t)bits || gpudbg_reading_wants(a->r, t->from, "out-of-range",
                                  "the low 32 bits of the number are not 0, and a literal holds the upper 32 alone");
}

/* Applies the modifiers of the sign to a constant if the form has no bits for them. */
static void fold(struct gpudbg_term *t, uint64_t *bits, unsigned type, unsigned mods)
{
    const uint64_t sign = (uint64_t)1 << (type == GCN_F16 ? 15 : gcn_type_dwords(type) == 2 ? 63 : 31);
    (void)t;
    if (mods & GCN_ABS) *bits &= ~sign;
    if (mods & GCN_NEG) *bits ^= sign;
}

/* ---- Operands with a form of their own ---- */

/* Puts a count into its field, which may be in two parts. */
static uint32_t put_count(const struct gcn_chip *chip, uint32_t value, size_t counter, uint32_t count)
{
    if (!chip->wide_counters)
        return counter == 0
                   ? (value & ~(uint32_t)MASK(SOPP_WAITCNT, vmcnt)) | (uint32_t)IN_PLACE(count, SOPP_WAITCNT, vmcnt)
               : counter == 1
                   ? (value & ~(uint32_t)MASK(SOPP_WAITCNT, expcnt)) | (uint32_t)IN_PLACE(count, SOPP_WAITCNT, expcnt)
                   : (value & ~(uint32_t)MASK(SOPP_WAITCNT, lgkmcnt)) |
                         (uint32_t)IN_PLACE(count, SOPP_WAITCNT, lgkmcnt);
    if (counter == 1)
        return (value & ~(uint32_t)MASK(SOPP_WAITCNT_6, expcnt)) | (uint32_t)IN_PLACE(count, SOPP_WAITCNT_6, expcnt);
    if (counter == 2)
        return (value & ~(uint32_t)MASK(SOPP_WAITCNT_6, lgkmcnt)) | (uint32_t)IN_PLACE(count, SOPP_WAITCNT_6, lgkmcnt);
    value &= ~(uint32_t)(MASK(SOPP_WAITCNT_6, vmcnt) | MASK(SOPP_WAITCNT_6, vmcnt_high));
    return value |
           (uint32_t)(IN_PLACE(count & 15, SOPP_WAITCNT_6, vmcnt) | IN_PLACE(count >> 4, SOPP_WAITCNT_6, vmcnt_high));
}

/* NAME(N), or with `caps` NAME_sat(N), where N above `limit` is the limit; behind the name. */
static bool take_count(struct gcn_assembly *a, const char *name, bool caps, unsigned limit, uint32_t *count)
{
    struct gpudbg_reading *r = a->r;
    struct gpudbg_term t;
    if (!gpudbg_reading_takes(r, '('))
        return gpudbg_reading_wants(r, r->at, "syntax", "a ( is expected here: %s(N)", name);
    const char *at = (gpudbg_reading_ends(r), r->at);
    if (!gpudbg_reading_term(r, &t)) return false;
    if (caps && t.value > limit) t.value = limit;
    if (t.is_float || t.value < 0 || t.value > limit)
        return gpudbg_reading_wants(r, at, "out-of-range", "%s counts from 0 to %u", name, limit);
    *count = (uint32_t)t.value;
    if (!gpudbg_reading_takes(r, ')')) return gpudbg_reading_wants(r, r->at, "syntax", "a ) is expected here");
    if (!gpudbg_reading_takes(r, '&')) gpudbg_reading_takes(r, ',');
    return true;
}

/* s_waitcnt: a number, or counters, with & or a comma or nothing between. */
static bool take_waitcnt(struct gcn_assembly *a)
{
    static const char *const counters[] = {"vmcnt", "expcnt", "lgkmcnt"};
    const struct gcn_chip *chip = gcn_chip_of(a->r->isa);
    const struct gcn_counters most_of = gcn_counters_of(chip, waitcnt_none(chip));
    const unsigned limits[] = {most_of.vm, most_of.exp, most_of.lgkm};
    uint32_t value = waitcnt_none(chip), count;
    struct gpudbg_reading *r = a->r;
    for (bool first = true; !gpudbg_reading_ends(r); first = false) {
        const char *from = r->at;
        size_t n = gpudbg_reading_name(r), c = 0;
        const bool most = n > 4 && memcmp(r->at + n - 4, "_sat", 4) == 0;
        if (most) n -= 4;
        for (; c < 3 && !name_is(r, n, counters[c]); c++) {
        }
        if (c == 3) {
            if (!first)
                return gpudbg_reading_wants(r, from, "syntax", "vmcnt(N), expcnt(N) or lgkmcnt(N) is expected here");
            if (!gcn_take_bits(a, 16, "the mask of counters", &value)) return false;
            break;
        }
        r->at += n + (most ? 4 : 0);
        if (!take_count(a, counters[c], most, limits[c], &count)) return false;
        value = put_count(chip, value, c, count);
    }
    a->w |= value;
    return true;
}

/* s_waitcnt_depctr: the same, with the names of its counters. */
static bool take_depctr(struct gcn_assembly *a)
{
    const struct gcn_chip *chip = gcn_chip_of(a->r->isa);
    uint32_t value = gcn_depctr_none(chip), count;
    struct gpudbg_reading *r = a->r;
    for (bool first = true; !gpudbg_reading_ends(r); first = false) {
        const char *from = r->at;
        const size_t n = gpudbg_reading_name(r);
        unsigned c = gcn_depctr_first(chip);
        while (c < GCN_DEPCTRS && !name_is(r, n, gcn_depctrs[c].name)) c++;
        if (c == GCN_DEPCTRS) {
            if (!first || (n > 7 && memcmp(from, "depctr_", 7) == 0))
                return gpudbg_reading_wants(r, from, "syntax",
                    "a counter is expected here: %ssa_sdst, va_vdst, va_sdst, va_ssrc, va_vcc or vm_vsrc, after "
                    "depctr_",
                    gcn_depctr_first(chip) ? "" : "hold_cnt, ");
            if (!gcn_take_bits(a, 16, "the mask of counters", &value)) return false;
            break;
        }
        const uint32_t most = (uint32_t)ONES(gcn_depctrs[c].len);
        r->at += n;
        if (!take_count(a, gcn_depctrs[c].name, false, most, &count)) return false;
        value = (value & ~(most << gcn_depctrs[c].lo)) | count << gcn_depctrs[c].lo;
    }
    a->w |= value;
    return true;
}

static bool take_close(struct gcn_assembly *a)
{
    return gpudbg_reading_takes(a->r, ')') || gpudbg_reading_wants(a->r, a->r->at, "syntax", "a ) is expected here");
}

/* Reports a name that is neither in the list nor a symbol; the list may have gaps, which are NULL. */
static bool wants_one_of(struct gcn_assembly *a, const char *at, const char *what, const char *const *names, size_t n)
{
    char list[300];
    struct text t = text_in(list, sizeof list);
    if (!isalpha((unsigned char)*at) || a->r->furthest != at) return false;
    for (size_t i = 0; i < n; i++)
        if (names[i]) text_add(&t, "%s%s", t.n ? " " : "", names[i]);
    a->r->furthest = NULL;
    return gpudbg_reading_wants(a->r, at, "undefined-label", "%s is expected here, or its number: %s", what, list);
}

static bool wants_value_of(struct gcn_assembly *a, const char *at, const char *what, const struct gpudbg_enum *e)
{
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; i < e->count && n < 64; i++)
        if (strncmp(e->values[i].name, "reserved", 8) != 0) names[n++] = e->values[i].name;
    return wants_one_of(a, at, what, names, n);
}

/* sendmsg(MESSAGE[, OPERATION[, STREAM]]), names or numbers; or the number of all. */
static bool take_sendmsg(struct gcn_assembly *a)
{
    uint32_t message, op = 0, stream = 0;
    int64_t known;
    int number;
    if (!gpudbg_reading_word(a->r, "sendmsg")) {
        if (!gcn_take_bits(a, 16, "the message", &message)) return false;
        a->w |= message;
        return true;
    }
    if (!gpudbg_reading_takes(a->r, '('))
        return gpudbg_reading_wants(a->r, a->r->at, "syntax", "a ( is expected here: sendmsg(MESSAGE)");
    const char *at = (gpudbg_reading_ends(a->r), a->r->at);
    const struct gpudbg_enum
        *messages = &gcn_enum[gcn_chip_of(a->r->isa)->newer_hwregs ? GCN_E_MESSAGE_NEWER : GCN_E_MESSAGE];
    if ((known = gcn_take_name(a, messages)) >= 0)
        message = (uint32_t)known;
    else if (!gcn_take_bits(a, 4, "the message", &message))
        return wants_value_of(a, at, "a message", messages);
    if (gpudbg_reading_takes(a->r, ',')) {
        at = (gpudbg_reading_ends(a->r), a->r->at);
        const char *const *ops = message == 15 ? gcn_sys_ops : gcn_gs_ops;
        const unsigned nops = message == 15 ? 5 : 4;
        if ((number = take_of(a, ops, nops)) >= 0)
            op = (uint32_t)number;
        else if (!gcn_take_bits(a, 3, "the operation of a message", &op))
            return wants_one_of(a, at, "an operation", ops, nops);
        if (gpudbg_reading_takes(a->r, ',') && !gcn_take_bits(a, 2, "the stream of a message", &stream)) return false;
    }
    a->w |= IN_PLACE(message, SOPP_SENDMSG, msg) | IN_PLACE(op, SOPP_SENDMSG, msg_op) |
            IN_PLACE(stream, SOPP_SENDMSG, stream);
    return take_close(a);
}

/* hwreg(REGISTER[, OFFSET, SIZE]), or {id: REGISTER, offset: OFFSET, size: SIZE}; or the number of all. */
static bool take_hwreg(struct gcn_assembly *a)
{
    static const char *const members[] = {"id", "offset", "size"};
    uint32_t part[3] = {0, 0, 32};
    int64_t known;
    struct gpudbg_reading *r = a->r;
    const bool named_parts = gpudbg_reading_takes(r, '{');
    if (!named_parts && !gpudbg_reading_word(r, "hwreg")) {
        if (!gcn_take_bits(a, 16, "the hardware register", &part[0])) return false;
        a->w |= part[0];
        return true;
    }
    if (!named_parts && !gpudbg_reading_takes(r, '('))
        return gpudbg_reading_wants(r, r->at, "syntax", "a ( is expected here: hwreg(REGISTER, OFFSET, SIZE)");
    for (int i = 0; i < 3; i++) {
        int which = i;
        if (i && !gpudbg_reading_takes(r, ',')) {
            if (i == 1 || named_parts) break;
            return gpudbg_reading_wants(r, r->at, "syntax", "a comma and the size are expected here");
        }
        if (named_parts && ((which = take_of(a, members, 3)) < 0 || !gpudbg_reading_takes(r, ':')))
            return gpudbg_reading_wants(r, r->at, "syntax", "id:, offset: or size: is expected here");
        const char *at = (gpudbg_reading_ends(r), r->at);
        if (which == 0 && (known = gcn_take_name(a, gcn_hwregs(gcn_chip_of(r->isa)))) >= 0) {
            part[0] = (uint32_t)known;
            continue;
        }
        struct gpudbg_term t;
        if (!gpudbg_reading_term(r, &t))
            return which == 0 && wants_value_of(a, at, "a hardware register", gcn_hwregs(gcn_chip_of(r->isa)));
        if (t.is_float || t.value < (which == 2) || t.value > (which == 0 ? 63 : which == 1 ? 31 : 32))
            return gpudbg_reading_wants(r, at, "out-of-range", "%s",
                which == 0   ? "a hardware register is a name or a number from 0 to 63"
                : which == 1 ? "the lowest bit is a number from 0 to 31"
                             : "the size is a number of bits from 1 to 32");
        part[which] = (uint32_t)t.value;
    }
    a->w |= IN_PLACE(part[0], SOPK_HWREG, hwreg) | IN_PLACE(part[1], SOPK_HWREG, offset) |
            IN_PLACE(part[2] - 1, SOPK_HWREG, size);
    return gpudbg_reading_takes(r, named_parts ? '}' : ')') ||
           gpudbg_reading_wants(r, r->at, "syntax", "a %c is expected here", named_parts ? '}' : ')');
}

/* A branch: a label, or the number of dwords from the next instruction on. */
static bool take_target(struct gcn_assembly *a)
{
    struct gpudbg_term t;
    uint32_t count;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gpudbg_reading_term(a->r, &t)) return false;
    if (!t.is_address) {
        a->r->at = from;
        if (!gcn_take_bits(a, 16, "a branch without a label", &count)) return false;
        a->w |= count;
        return true;
    }
    const int64_t away = (int64_t)((uint64_t)t.value - a->r->addr - 4);
    if (!t.known) return true;
    if (away % 4)
        return gpudbg_reading_wants(a->r, from, "out-of-range", "the target is not a multiple of 4 bytes away");
    if (away / 4 < INT16_MIN || away / 4 > INT16_MAX)
        return gpudbg_reading_wants(a->r, from, "out-of-range",
            "the target is %lld dwords away, a branch reaches from -32768 to 32767", (long long)(away / 4));
    a->w |= IN_PLACE(away / 4, SOPP_BRANCH, simm16) & MASK(SOPP_BRANCH, simm16);
    return true;
}

static bool take_simm16(struct gcn_assembly *a, unsigned type)
{
    uint32_t value;
    switch (type) {
    case GCN_TARGET: return take_target(a);
    case GCN_WAITCNT: return take_waitcnt(a);
    case GCN_DEPCTR: return take_depctr(a);
    case GCN_SENDMSG: return take_sendmsg(a);
    case GCN_HWREG: return take_hwreg(a);
    }
    if (!gcn_take_bits(a, 16, "the constant", &value)) return false;
    a->w |= value;
    return true;
}

/* attrN.c of an interpolation. */
static bool take_attribute(struct gcn_assembly *a)
{
    const size_t n = gpudbg_reading_name(a->r);
    const char *p = a->r->at, *letter;
    unsigned number = 0, digits = 0;
    if (n > 6 && memcmp(p, "attr", 4) == 0)
        for (p += 4; isdigit((unsigned char)*p) && digits < 3; digits++) number = 10 * number + (unsigned)(*p++ - '0');
    if (!digits || *p != '.' || !(letter = strchr("xyzw", p[1])) || !p[1] || a->r->at + n != p + 2)
        return gpudbg_reading_wants(a->r, a->r->at, "syntax", "an attribute is expected here: attr0.x to attr32.w");
    if (number > 63) return gpudbg_reading_wants(a->r, a->r->at, "out-of-range", "attributes are numbered 0 to 32");
    a->w |= a->encoding == GCN_VINTRP
                ? IN_PLACE(number, VINTRP, attr) | IN_PLACE(letter - "xyzw", VINTRP, attrchan)
                : IN_PLACE(number, VOP3H_INTERP, attr) | IN_PLACE(letter - "xyzw", VOP3H_INTERP, attrchan);
    a->r->at += n;
    return true;
}

/* ---- Places ---- */

static bool wants_registers(struct gcn_assembly *a, const char *from, const char *file, unsigned n)
{
    if (n == 1) return gpudbg_reading_wants(a->r, from, "syntax", "%s is expected here", file);
    const char *begins = strncmp(file, "a scalar", 8) != 0 ? ""
                         : n == 2                          ? " from an even number on"
                                                           : " from a multiple of 4 on";
    return gpudbg_reading_wants(a->r, from, "syntax", "%s is expected here: a run of %u registers%s", file, n, begins);
}

/* VGPRs: n of them, in the 8 bits from lo on. */
bool take_vgprs(struct gcn_assembly *a, unsigned lo, unsigned least, unsigned most)
{
    struct registers reg;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const int ok = take_register(a->r, &reg);
    if (ok < 0) return false;
    if (!ok || reg.code < GCN_CODE_VGPR || reg.dwords < least || reg.dwords > most) {
        if (least == most) return wants_registers(a, from, "a VGPR", least);
        return gpudbg_reading_wants(a->r, from, "syntax", "%u to %u VGPRs are expected here", least, most);
    }
    a->w |= (uint64_t)(reg.code - GCN_CODE_VGPR) << lo;
    return true;
}

static bool take_off(struct gcn_assembly *a)
{
    return gpudbg_reading_word(a->r, "off") ||
           gpudbg_reading_wants(
               a->r, a->r->at, "syntax", "off is expected here: without offen, idxen or addr64 no VGPR has an address");
}

/* A source of an export: a VGPR, or off. */
static bool take_export_source(struct gcn_assembly *a, unsigned n)
{
    static const uint8_t place[4] = {LO_OF(EXP, vsrc0), LO_OF(EXP, vsrc1), LO_OF(EXP, vsrc2), LO_OF(EXP, vsrc3)};
    const bool compr = GET(a->w, EXP, compr);
    const uint64_t before = a->w;
    const uint32_t given = GET(before, EXP, en);
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const unsigned lo = place[compr ? n / 2 : n];
    const bool second = compr && n % 2; /* repeats the first register of its pair */
    if (gpudbg_reading_word(a->r, "off")) {
        if (second && given >> n / 2 * 2 & 1)
            return gpudbg_reading_wants(a->r, from, "syntax", "with compr each register is given twice");
        return true;
    }
    if (second) a->w &= ~(MASK(EXP, vsrc0) >> LO_OF(EXP, vsrc0) << lo);
    if (!take_vgprs(a, lo, 1, 1)) return false;
    if (second && (!(given >> (n - 1) & 1) || a->w != before))
        return gpudbg_reading_wants(a->r, from, "syntax", "with compr each register is given twice");
    a->w |= IN_PLACE(compr ? 3u << (n & 2) : 1u << n, EXP, en);
    return true;
}

/* Reports which operands a place takes, by its file and the dwords of its type. */
static bool wants_place(struct gcn_assembly *a, const char *from, struct gcn_field_place place, unsigned dwords)
{
    const unsigned first = (uint16_t)(place.bias + GCN_CODE_FLAT_SCRATCH), last = first + place.mask;
    if (!place.mask)
        return gpudbg_reading_wants(
            a->r, from, "syntax", "vcc is expected here: the short form has no field for another register");
    if (first >= GCN_CODE_VGPR) return wants_registers(a, from, "a VGPR", dwords);
    if (place.use || place.shift) return wants_registers(a, from, "a scalar register", dwords);
    return wants_registers(a, from,
        last >= GCN_CODE_VGPR ? "a VGPR, a scalar register or a constant" : "a scalar register or a constant", dwords);
}

/* Puts the operand code into its field; false: the field cannot hold it. */
static bool put_code_in(struct gcn_assembly *a, struct gcn_field_place place, unsigned code)
{
    const unsigned above = (uint16_t)(code - GCN_CODE_FLAT_SCRATCH - place.bias);
    if ((above >> place.shift & place.mask) << place.shift != above) return false;
    a->w |= (uint64_t)(above >> place.shift) << place.lo;
    return true;
}

/* Signs and bars before an operand; counts those that must be closed after it. */
struct signs {
    unsigned mods;
    bool neg_open, abs_open, bar_open, sext_open;
};

static bool take_signs(struct gcn_assembly *a, struct signs *s)
{
    struct gpudbg_reading *r = a->r;
    *s = (struct signs){0};
    gpudbg_reading_ends(r);
    if (*r->at == '-' && starts_register(gcn_chip_of(r->isa), r->at + 1)) {
        r->at++;
        s->mods |= GCN_NEG;
    }
    gpudbg_reading_ends(r);
    if (strncmp(r->at, "neg(", 4) == 0) {
        if (s->mods) return gpudbg_reading_wants(r, r->at, "syntax", "one sign is enough: - or neg()");
        r->at += 4;
        s->mods |= GCN_NEG;
        s->neg_open = true;
    }
    gpudbg_reading_ends(r);
    if (strncmp(r->at, "abs(", 4) == 0) {
        r->at += 4;
        s->mods |= GCN_ABS;
        s->abs_open = true;
    } else if (*r->at == '|') {
        r->at++;
        s->mods |= GCN_ABS;
        s->bar_open = true;
    } else if (gcn_chip_of(r->isa)->newer_vop3 && strncmp(r->at, "sext(", 5) == 0) {
        r->at += 5;
        s->mods |= GCN_SEXT;
        s->sext_open = true;
    }
    return true;
}

static bool close_signs(struct gcn_assembly *a, const struct signs *s)
{
    struct gpudbg_reading *r = a->r;
    if (s->bar_open && !gpudbg_reading_takes(r, '|'))
        return gpudbg_reading_wants(r, r->at, "syntax", "a | is expected here");
    if ((s->abs_open || s->sext_open) && !take_close(a)) return false;
    return !s->neg_open || take_close(a);
}

/* A constant: lit(N) is N. */
static bool take_constant(struct gcn_assembly *a, bool alone, struct gpudbg_term *t)
{
    struct gpudbg_reading *r = a->r;
    gpudbg_reading_ends(r);
    if (strncmp(r->at, "lit(", 4) == 0) {
        r->at += 4;
        return gpudbg_reading_term(r, t) && take_close(a);
    }
    return alone ? gpudbg_reading_primary(r, t) : gpudbg_reading_term(r, t);
}

/* The type that a constant has as a source of two halves. */
static unsigned pair_type(const struct gpudbg_op *op)
{
    return takes_mixed_sources(op) || strstr(op->name, "f16") ? GCN_F16 : GCN_B32;
}

/* A constant as a source: inline, or the literal after the word. */
static bool put_constant(struct gcn_assembly *a, struct gcn_field_place place, struct gpudbg_term *t, unsigned type,
    unsigned mods, bool *folded)
{
    uint64_t bits;
    uint32_t literal;
    const bool newer = gcn_chip_of(a->r->isa)->newer_vop3 && is_long(a->encoding);
    const bool pair = newer && a->encoding == GCN_VOP3P && type == GCN_B32;
    *folded = mods && !a->lanes && a->encoding != GCN_VOP3 && a->encoding != GCN_VOP3P && is_float_type(type);
    const int64_t halves = takes_mixed_sources(a->op) ? 0xffff : 0xffef; /* above, -16 to -1 in sixteen bits */
    if (pair && (t->is_float || (t->value >= -16 && t->value <= halves))) type = pair_type(a->op);
    const bool whole_pair = pair && type == GCN_B32 && pair_type(a->op) == GCN_F16; /* both halves as one number */
    if (!bits_of_term(a, t, type, &bits)) return false;
    if (*folded && type == GCN_F64 && !t->is_float)
        return gpudbg_reading_wants(
            a->r, t->from, "syntax", "the sign of a whole number as a double needs the long form");
    if (*folded) fold(t, &bits, type, mods);
    unsigned code = t->is_address ? 0 : whole_pair ? 0 : inline_code(bits, type, t->is_float);
    const uint64_t inv = gcn_inv_2pi(type);
    if (!code && t->is_float && bits == inv && gcn_chip_of(a->r->isa)->inv_2pi) code = GCN_CODE_INV_2PI;
    if (a->lanes && !code)
        return gpudbg_reading_wants(a->r, t->from, "out-of-range", "the form has no room for a literal");
    if (!code && is_long(a->encoding) && !newer)
        return gpudbg_reading_wants(a->r, t->from, "out-of-range",
            "the long form has no literal: the constants are -16 to 64 and 0.5, 1.0, 2.0, 4.0 with either sign");
    if (!code) {
        if (!literal_of(a, t, type, bits, &literal) || !set_literal(a, t, literal)) return false;
        code = GCN_CODE_LITERAL;
    }
    return put_code_in(a, place, code) || wants_place(a, t->from, place, gcn_type_dwords(type));
}

static bool put_signs(struct gcn_assembly *a, const char *from, const struct signs *s, unsigned slot)
{
    const unsigned n = slot - GCN_IN_SRC0;
    if (!s->mods) return true;
    if (n < 2 && a->lanes && gcn_put_lanes_signs(a, n, s->mods)) return true;
    if (n && n <= 2 && s->mods == GCN_SEXT && takes_sext(a->op) && a->encoding == GCN_VOP3) {
        a->w |= IN_PLACE(1u << n, VOP3, neg);
        return true;
    }
    if (s->mods & GCN_SEXT) return gpudbg_reading_wants(a->r, from, "syntax", "this operand takes no sext()");
    if (n <= 2 && a->encoding == GCN_VOP3P && takes_mixed_sources(a->op)) {
        if (s->mods & GCN_NEG) a->w |= IN_PLACE(1u << n, VOP3P, neg_lo);
        if (s->mods & GCN_ABS) a->w |= IN_PLACE(1u << n, VOP3P, neg_hi);
        return true;
    }
    if (n > 2) return gpudbg_reading_wants(a->r, from, "syntax", "this operand takes no sign and no absolute value");
    if (a->encoding != GCN_VOP3)
        return gpudbg_reading_wants(
            a->r, from, "syntax", "signs and absolute values of registers need the long form, without _e32");
    if (s->mods & GCN_ABS && is_vop3b(a->op))
        return gpudbg_reading_wants(
            a->r, from, "syntax", "the instruction has no absolute values: the carry's register has their bits");
    if (s->mods & GCN_NEG) a->w |= IN_PLACE(1u << n, VOP3, neg);
    if (s->mods & GCN_ABS) a->w |= IN_PLACE(1u << n, VOP3, abs);
    return true;
}

/* An operand that one field holds. */
bool take_placed(struct gcn_assembly *a, struct gcn_field_place place, unsigned type, unsigned slot, unsigned dwords)
{
    struct signs signs;
    struct registers reg;
    struct gpudbg_term t;
    bool folded = false;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const bool constants = !place.use && !place.shift && place.mask >= 255 &&
                           place.bias == (uint16_t)-GCN_CODE_FLAT_SCRATCH;
    if (!take_signs(a, &signs)) return false;
    const char *at = (gpudbg_reading_ends(a->r), a->r->at);
    const int ok = take_register(a->r, &reg);
    if (ok < 0) return false;
    if (ok) {
        const bool bit = (reg.code >= GCN_CODE_VCCZ && reg.code <= GCN_CODE_LDS) || reg.code == GCN_CODE_NULL ||
                         is_aperture(gcn_chip_of(a->r->isa), reg.code); /* as wide as its operand */
        if ((reg.dwords != dwords && !bit) || !put_code_in(a, place, reg.code))
            return wants_place(a, at, place, dwords);
    } else {
        if (!constants) return wants_place(a, at, place, dwords);
        if (!take_constant(a, signs.bar_open, &t)) return wants_place(a, at, place, dwords);
        if (!put_constant(a, place, &t, type, signs.mods, &folded)) return false;
    }
    return close_signs(a, &signs) && (folded || put_signs(a, from, &signs, slot));
}

/* The offset of a scalar load: a register, a count of dwords in 8 bits, or a literal. */
static bool take_load_offset(struct gcn_assembly *a)
{
    static const struct gcn_field_place place = {
        ONES(LEN_OF(SMRD, offset)), (uint16_t)-GCN_CODE_FLAT_SCRATCH, LO_OF(SMRD, offset), 0, 0, 0};
    struct registers reg;
    struct gpudbg_term t;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const int ok = take_register(a->r, &reg);
    if (ok < 0) return false;
    if (ok) {
        if (reg.dwords == 1 && reg.code < GCN_CODE_LITERAL && put_code_in(a, place, reg.code)) return true;
        return gpudbg_reading_wants(a->r, from, "syntax", "a scalar register or a count of dwords is expected here");
    }
    if (!gpudbg_reading_term(a->r, &t)) return false;
    if (t.is_float || t.value < 0 || t.value > UINT32_MAX)
        return gpudbg_reading_wants(a->r, from, "out-of-range", "the offset is a count of dwords from 0 to 0xffffffff");
    if (t.value < 256 && !t.is_address) {
        a->w |= IN_PLACE(t.value, SMRD, offset) | MASK(SMRD, imm);
        return true;
    }
    a->w |= IN_PLACE(GCN_CODE_LITERAL, SMRD, offset);
    return set_literal(a, &t, (uint32_t)t.value);
}

/* A constant that always follows the word. */
static bool take_own_literal(struct gcn_assembly *a, unsigned type)
{
    struct gpudbg_term t;
    uint64_t bits;
    return take_constant(a, false, &t) && bits_of_term(a, &t, type, &bits) && set_literal(a, &t, (uint32_t)bits);
}

static bool take_slot(struct gcn_assembly *a)
{
    const int n = take_of(a, gcn_parameters, 3);
    if (n < 0) return gpudbg_reading_wants(a->r, a->r->at, "syntax", "p0, p10 or p20 is expected here");
    a->w |= a->encoding == GCN_VINTRP ? IN_PLACE(n, VINTRP_MOV, vsrc) : IN_PLACE(n, VOP3H_INTERP_MOV, vsrc);
    return true;
}

static bool take_export_target(struct gcn_assembly *a)
{
    const int64_t target = gcn_take_name(a, gcn_export_targets(gcn_chip_of(a->r->isa)));
    if (target < 0)
        return gpudbg_reading_wants(
            a->r, a->r->at, "syntax", "mrt0 to mrt7, mrtz, null, pos0 to pos3 or param0 to param31 is expected here");
    a->w |= IN_PLACE(target, EXP, tgt);
    return true;
}

/* Data of a buffer or image; with `lds` there is no data operand. */
static bool take_data(struct gcn_assembly *a, unsigned dwords)
{
    const struct decoder d = {.op = a->op, .encoding = a->encoding, .word = a->w};
    const unsigned n = data_dwords(&d, dwords);
    return !n || take_vgprs(a, a->encoding == GCN_MIMG ? LO_OF(MIMG, vdata) : LO_OF(MUBUF, vdata), n, n);
}

static bool take_address(struct gcn_assembly *a, unsigned dwords)
{
    if (a->encoding == GCN_MIMG)
        return take_vgprs(a, LO_OF(MIMG, vaddr), image_address_least(a->op), dwords > 16 ? dwords : 16);
    const unsigned n = buffer_address_dwords(a->w);
    return n ? take_vgprs(a, LO_OF(MUBUF, vaddr), n, n) : take_off(a);
}

/* Whether the text of this word has the template's operand. */
static bool is_there(const struct gcn_assembly *a, unsigned slot)
{
    if (is_memory_word(a->encoding)) return memory_operand_is_there(a->op, a->encoding, a->w, slot);
    if (slot == GCN_IN_VDATA) return a->encoding != GCN_MUBUF || !GET(a->w, MUBUF, lds);
    if (slot == GCN_IN_VDST && a->encoding == GCN_FLAT)
        return !(a->op->flags & GPUDBG_OP_STORE) || GET(a->w, FLAT, glc);
    return true;
}

bool gcn_take_operand(struct gcn_assembly *a, uint32_t operand)
{
    const unsigned slot = operand & 255, type = operand >> 8 & 255, dwords = operand >> 16;
    const struct gcn_field_place place = a->lanes ? gcn_lanes_place(a, operand)
                                                  : gcn_place(a->op, a->encoding, operand);
    const unsigned source = slot == GCN_IN_SCALAR ? GCN_IN_SRC0 : slot == GCN_IN_LANE ? GCN_IN_SRC1 : slot;
    if (!is_there(a, slot)) return true;
    if (a->noperands) gpudbg_reading_takes(a->r, ',');
    gpudbg_reading_ends(a->r);
    const bool behind = a->offset && slot == GCN_IN_SOFFSET && a->r->at == a->modifiers;
    if (behind) a->r->at = a->offset;
    if (a->r->at >= a->modifiers && !behind)
        return gpudbg_reading_wants(
            a->r, a->r->at, "operand-count", "an operand is missing here: %s has (%s)", a->op->name, a->op->operands);
    if (a->noperands < sizeof a->operand / sizeof *a->operand) a->operand[a->noperands++] = a->r->at;
    if (is_memory_word(a->encoding)) return take_memory_operand(a, operand);
    switch (slot) {
    case GCN_IN_SIMM16: return take_simm16(a, type);
    case GCN_IN_LITERAL:
    case GCN_IN_K: return take_own_literal(a, type);
    case GCN_IN_OFFSET: return take_load_offset(a);
    case GCN_IN_VSRC: return type == GCN_SLOT ? take_slot(a) : take_vgprs(a, LO_OF(VINTRP, vsrc), 1, 1);
    case GCN_IN_ATTR: return take_attribute(a);
    case GCN_IN_TGT: return take_export_target(a);
    case GCN_IN_VDATA: return take_data(a, dwords);
    case GCN_IN_VADDR: return take_address(a, dwords);
    case GCN_IN_VSRC0:
    case GCN_IN_VSRC1:
    case GCN_IN_VSRC2:
    case GCN_IN_VSRC3: return take_export_source(a, slot - GCN_IN_VSRC0);
    case GCN_IN_VDST:
        if (a->encoding != GCN_FLAT) break;
        const unsigned n = dwords + GET(a->w, FLAT, tfe);
        return take_vgprs(a, LO_OF(FLAT, vdst), n, n);
    }
    return take_placed(a, place, type, source, dwords);
}
