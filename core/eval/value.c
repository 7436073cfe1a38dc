/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of expressions; see value.h. */
#include "image/image.h"
#include "eval/value.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/lanes.h"
#include "machine/machine.h"
#include "machine/unknown.h"
#include "gpudbg/text.h"

#define HISTORY_MAX 100000
#define VARIABLES_MAX 4096

/* ---- Bits and conversions ---- */

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    unsigned up = bits >= 64 ? 0 : 64 - bits;
    return (int64_t)(value << up) >> up;
}

static uint16_t half_bits(double d) { return (uint16_t)lanes_f16_from_f64(d); }

uint64_t value_bits(const struct value *v)
{
    if (v->type.kind != VALUE_FLOAT) return low_bits(v->u, v->type.bits);
    if (v->type.bits == 64) return lanes_bits64(v->f);
    return v->type.bits == 32 ? lanes_bits32((float)v->f) : half_bits(v->f);
}

void value_set_bits(struct value *v, uint64_t bits)
{
    if (v->type.kind == VALUE_UNSIGNED)
        v->u = low_bits(bits, v->type.bits);
    else if (v->type.kind == VALUE_SIGNED)
        v->i = sign_extend(bits, v->type.bits);
    else if (v->type.bits == 64)
        v->f = lanes_f64(bits);
    else
        v->f = v->type.bits == 32 ? lanes_f32((uint32_t)bits) : lanes_f32(lanes_f32_from_f16((uint16_t)bits, true));
}

double value_real(const struct value *v)
{
    if (v->type.kind == VALUE_FLOAT) return v->f;
    return v->type.kind == VALUE_SIGNED ? (double)v->i : (double)v->u;
}

bool value_one(const struct value *v, struct gpudbg_error *err)
{
    if (v->is_text)
        return gpudbg_fail(err, "syntax", "\"%s\" is a text, and a number is needed: == and != compare texts", v->text);
    if (v->own)
        return gpudbg_fail(
            err, "syntax", "a pointer into the work-item's own memory is not an address: use *p, p[1] or p->x");
    return !v->many || gpudbg_fail(err, "syntax",
                           "the value has several lanes or more than 64 bits, and one number is needed: name one "
                           "($v0[3], $s4, $r10.2), or ask any(...), all(...), count(...), max(...)");
}

/* What does not fit becomes the nearest that does; NaN becomes 0. */
static uint64_t integer_of(double d, bool is_signed)
{
    if (d != d) return 0;
    if (is_signed || d < 0)
        return d <= -0x1p63 ? (uint64_t)INT64_MIN : d >= 0x1p63 ? (uint64_t)INT64_MAX : (uint64_t)(int64_t)d;
    return d >= 0x1p64 ? UINT64_MAX : (uint64_t)d;
}

struct value value_convert(const struct value *v, struct value_type type)
{
    struct value to = {.type = type, .space = v->space};
    if (type.kind == VALUE_FLOAT) {
        to.f = value_real(v);
        value_set_bits(&to, value_bits(&to)); /* rounds */
    } else {
        value_set_bits(&to, v->type.kind == VALUE_FLOAT ? integer_of(v->f, type.kind == VALUE_SIGNED) : v->u);
    }
    return to;
}

struct value value_unsigned(uint64_t u, unsigned bits)
{
    return (struct value){.type = {VALUE_UNSIGNED, (uint8_t)bits}, .u = u};
}

struct value value_signed(int64_t i) { return (struct value){.type = {VALUE_SIGNED, 64}, .i = i, .untyped = true}; }

/* ---- Text ---- */

static int text_binary(uint64_t bits, unsigned width, char *buf, size_t size)
{
    char digits[65];
    int n = 0;
    for (int i = (int)width - 1; i >= 0; i--)
        if (n || (bits >> i & 1) || i == 0) digits[n++] = (char)('0' + (bits >> i & 1));
    return snprintf(buf, size, "%.*s", n, digits);
}

static bool same_real(double a, double b, unsigned bits)
{
    return bits == 64 ? a == b : bits == 32 ? (float)a == (float)b : half_bits(a) == half_bits(b);
}

static int text_real(double d, unsigned bits, char *buf, size_t size)
{
    /* The shortest text that reads back as the same number; whole digits are written as such: 1000, not 1e+03.  Texts
     * of `sure` digits (FLT_DIG, DBL_DIG) are different numbers, so where one reads back, none is shorter. */
    const int most = bits == 64 ? 17 : bits == 32 ? 9 : 5, sure = bits == 64 ? 15 : bits == 32 ? 6 : 3;
    char trial[40];
    if (d != d || isinf(d)) return snprintf(buf, size, "%s", d != d ? "nan" : d > 0 ? "inf" : "-inf");
    snprintf(trial, sizeof trial, "%.*g", sure, d);
    const bool plain = !strchr(trial, 'e');
    if (plain && same_real(strtod(trial, NULL), d, bits)) return snprintf(buf, size, "%s", trial);
    for (int digits = plain ? sure + 1 : 1; digits < most; digits++) {
        snprintf(trial, sizeof trial, "%.*g", digits, d);
        const double back = strtod(trial, NULL);
        if (same_real(back, d, bits)) {
            int whole = fabs(back) >= 1 ? (int)floor(log10(fabs(back))) + 1 : 0;
            return snprintf(buf, size, "%.*g", whole > digits && whole <= most ? whole : digits, back);
        }
    }
    return snprintf(buf, size, "%.*g", most, d);
}

/* What is a float by its type looks like one: 12.0, not 12.  Who asks for /f gets what gdb shows. */
static int with_point(int n, char *buf, size_t size)
{
    if (n < 0 || (size_t)n >= size || strpbrk(buf, ".en")) return n;
    return n + snprintf(buf + n, size - (size_t)n, ".0");
}

/* The lowest byte, as gdb shows a character. */
static int text_char(uint64_t bits, bool with_sign, char *buf, size_t size)
{
    static const char named[] = "\aa\bb\tt\nn\vv\ff\rr\'\'\\\\";
    unsigned c = bits & 0xff;
    int shown = with_sign ? (int)(int8_t)c : (int)c;
    for (const char *at = named; *at; at += 2)
        if ((unsigned)*at == c) return snprintf(buf, size, "%d '\\%c'", shown, at[1]);
    if (c >= 0x20 && c < 0x7f) return snprintf(buf, size, "%d '%c'", shown, (char)c);
    return snprintf(buf, size, "%d '\\%03o'", shown, c);
}

/* A plain number under a letter is an int, or an unsigned one, where it fits, as in gdb: print/f 0x3f800000 is 1. */
static struct value narrowed(const struct value *v, char letter)
{
    struct value as = *v;
    int64_t most = letter == 'd' ? INT32_MAX : UINT32_MAX;
    if (v->untyped && !v->place && !v->address && v->type.kind == VALUE_SIGNED && v->i >= INT32_MIN && v->i <= most)
        as = (struct value){.type = {VALUE_SIGNED, 32}, .i = letter == 'd' || v->i <= INT32_MAX ? v->i : (int32_t)v->u};
    return as;
}

/* The segment of global memory that has the address, if it has a name; NULL: none. */
static const struct gpudbg_segment *segment_at(const struct eval *ev, uint64_t addr)
{
    const struct gpudbg_space *space = ev->running->machine ? &ev->running->machine->space[GPUDBG_GLOBAL] : NULL;
    for (size_t i = 0; space && i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        if (addr >= s->base && addr - s->base < s->size) return s->name ? s : NULL;
    }
    return NULL;
}

static int text_address(const struct eval *ev, uint64_t addr, bool global, char *buf, size_t size)
{
    const bool data = global && !(ev->loaded->image && gpudbg_image_at(ev->loaded->image, addr));
    const struct gpudbg_segment *segment = data ? segment_at(ev, addr) : NULL;
    char where[3]; /* as far as it tells a name from a number */
    struct text t = text_in(buf, size);
    text_add(&t, "0x%" PRIx64, addr);
    image_where(ev->loaded->image, addr, where, sizeof where);
    if (*where && strcmp(where, "0x") != 0) {
        text_add(&t, " <");
        text_wrote(&t, image_where(ev->loaded->image, addr, text_end(&t), text_room(&t)));
        text_add(&t, ">");
    } else if (segment) {
        text_add(&t, " <%s", segment->name);
        if (addr != segment->base) text_add(&t, "+0x%" PRIx64, addr - segment->base);
        text_add(&t, ">");
    }
    return text_length(&t);
}

bool value_in_hex(const struct gpudbg_regfile *f)
{
    return f->mask || (!f->indexed && f->lanes <= 1 && f->bits <= 64 && (f->format || f->bits > 32));
}

unsigned value_mask_bits(const struct gpudbg_machine *m, unsigned bits, uint64_t mask)
{
    return bits > 32 && m && m->lanes == 32 && !(mask >> 32) ? 32 : bits;
}

int value_text(const struct eval *ev, const struct value *v, char letter, char *buf, size_t size)
{
    if (v->is_text) return snprintf(buf, size, "\"%s\"", v->text);
    struct value plain = letter ? narrowed(v, letter) : *v;
    if (!letter && v->whole && v->shown.bits == v->type.bits && v->place != PLACE_MEMORY) {
        plain.type = v->shown;
        value_set_bits(&plain, value_bits(v));
    }
    struct value as = plain;
    v = &plain;
    uint64_t bits = value_bits(v);
    if (!letter && !v->address && !v->to.bits && !v->mask && v->type.kind == VALUE_FLOAT)
        return with_point(text_real(v->f, v->type.bits, buf, size), buf, size);
    if (!letter && v->mask) letter = v->own ? 'x' : 'z'; /* a mask has all of its digits, as in panes and listings */
    if (!letter && v->digits && !v->shown.bits) letter = 'z';
    if (!letter) letter = v->address || v->to.bits ? 'a' : v->type.kind == VALUE_SIGNED ? 'd' : 'u';
    if (letter == 'f' && v->type.kind != VALUE_FLOAT && v->type.bits >= 16) {
        as.type.kind = VALUE_FLOAT; /* the bits as a float of the same width */
        value_set_bits(&as, bits);
    }
    switch (letter) {
    case 'd': return snprintf(buf, size, "%" PRId64, sign_extend(bits, v->type.bits));
    case 'u': return snprintf(buf, size, "%" PRIu64, bits);
    case 'o': return snprintf(buf, size, "%s%" PRIo64, bits ? "0" : "", bits);
    case 't': return text_binary(bits, v->type.bits, buf, size);
    case 'f':
        return as.type.kind == VALUE_FLOAT ? text_real(as.f, as.type.bits, buf, size)
                                           : text_real(value_real(v), 64, buf, size);
    case 'a': return text_address(ev, bits, v->space == GPUDBG_GLOBAL, buf, size);
    case 'c': return text_char(bits, v->type.kind == VALUE_SIGNED, buf, size);
    case 'z': {
        const unsigned shown = v->mask ? value_mask_bits(ev->running->machine, v->type.bits, bits) : v->type.bits;
        return snprintf(buf, size, "0x%0*" PRIx64, (int)shown / 4, bits);
    }
    default: return snprintf(buf, size, "0x%" PRIx64, bits);
    }
}

/* ---- Where values come from ---- */

int value_space(const struct eval *ev, const char *name, size_t len)
{
    for (size_t i = 0; ev->running->machine && i < ev->running->machine->nspaces; i++)
        if (strncmp(ev->running->machine->space[i].name, name, len) == 0 && !ev->running->machine->space[i].name[len])
            return (int)i;
    return -1;
}

static bool read_file(const struct eval *ev, uint64_t addr, void *bytes, size_t size)
{
    size_t n = 0;
    const uint8_t *from = ev->loaded->image ? gpudbg_image_bytes(ev->loaded->image, addr, &n) : NULL;
    if (!from || n < size) return false;
    gpudbg_image_copy(ev->loaded->image, addr, bytes, size);
    return true;
}

bool value_read_memory(
    struct eval *ev, uint32_t wave, unsigned space, uint64_t addr, void *bytes, size_t size, struct gpudbg_error *err)
{
    if (!ev->running->machine) {
        if (space == GPUDBG_GLOBAL && read_file(ev, addr, bytes, size)) return true;
        return gpudbg_fail(err, "out-of-range",
            "no memory at 0x%" PRIx64 ": nothing is launched, and the file has nothing there", addr);
    }
    struct gpudbg_error first = {0};
    if (machine_peek(ev->running->machine, wave, space, addr, bytes, size, NULL, &first)) return true;
    if (space == GPUDBG_GLOBAL && read_file(ev, addr, bytes, size)) return true;
    return gpudbg_fail(err, first.kind, "%s", first.message);
}

bool value_at_one_address(const struct value *v, struct gpudbg_error *err)
{
    return v->place != PLACE_MEMORY || !v->above ||
           gpudbg_fail(err, "unsupported", "the value lies in two places, *(u32*)0x%" PRIx64 " and *(u32*)0x%" PRIx64,
               v->addr, v->above);
}

static struct gpudbg_wave *value_wave(struct eval *ev, uint32_t wave, const char *what, struct gpudbg_error *err)
{
    if (!ev->running->machine) {
        gpudbg_fail(err, "no-launch", "$%s: nothing is launched", what);
        return NULL;
    }
    return machine_wave(ev->running->machine, wave, err);
}

size_t value_words(
    struct eval *ev, uint32_t wave, const struct value *v, uint32_t *words, size_t max, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = ev->running->machine ? ev->running->machine->isa : NULL;
    const struct gpudbg_regfile *file = isa ? &isa->files[v->file] : NULL;
    if (file && !machine_keep(ev->running->machine, v->file, false, err)) return 0;
    struct gpudbg_wave *w = value_wave(ev, wave, file ? file->name : "register", err);
    return w ? value_words_of(w, v, words, max, err) : 0;
}

size_t value_words_of(
    struct gpudbg_wave *w, const struct value *v, uint32_t *words, size_t max, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const struct gpudbg_regfile *file = &isa->files[v->file];
    size_t each = (file->bits + 31u) / 32, n = 0;
    bool many = file->lanes > 1;
    int lanes = many && v->lanes > 1 ? v->lanes : 1;
    for (int lane = 0; lane < lanes; lane++)
        for (unsigned r = 0; r < v->count && n < max; r++) {
            size_t have = 0;
            const uint32_t *from = machine_register(w, v->file, v->reg + r, &have);
            if (!from) {
                gpudbg_fail(
                    err, "out-of-range", "$%s%u: this launch has no register of this number", file->name, v->reg + r);
                return 0;
            }
            if (unknown_lanes(w, v->file, v->reg + r) &
                (many ? UINT64_C(1) << (((unsigned)v->lane + (unsigned)lane) & 63) : UINT64_MAX)) {
                gpudbg_fail(err, "unknown",
                    file->indexed ? "$%s%u is not known: the dump does not contain it"
                                  : "$%s is not known: the dump does not contain it",
                    file->name, v->reg + r);
                return 0;
            }
            const size_t own = many ? (((size_t)v->lane + (size_t)lane) * file->bits + 31) / 32 : 0;
            for (size_t d = v->first; d < each && own + d < have && n < max; d++) words[n++] = from[own + d];
        }
    return n;
}

bool value_load(struct eval *ev, uint32_t wave, struct value *v, struct gpudbg_error *err)
{
    uint64_t bits = 0;
    if (v->place == PLACE_MEMORY && v->many) return true;
    if (v->place == PLACE_MEMORY) {
        uint8_t bytes[8] = {0};
        const size_t low = v->above ? 4 : v->type.bits / 8u;
        if (!value_read_memory(ev, wave, v->space, v->addr, bytes, low, err) ||
            (v->above && !value_read_memory(ev, wave, v->space, v->above, bytes + 4, 4, err)))
            return false;
        for (int i = 7; i >= 0; i--) bits = bits << 8 | bytes[i];
    } else if (v->place == PLACE_REGISTER) {
        uint32_t words[2] = {0};
        if (!value_words(ev, wave, v, words, v->type.bits > 32 ? 2 : 1, err)) return false;
        bits = (words[0] | (uint64_t)words[1] << 32) >> v->shift;
        if (v->mask_bit) {
            struct value all = *v;
            all.mask_bit = false;
            all.lanes = 1;
            if (!value_words(ev, wave, &all, words, 2, err)) return false;
            bits = (words[0] | (uint64_t)words[1] << 32) >> v->lane & 1;
        }
    } else {
        return true;
    }
    value_set_bits(v, bits);
    return true;
}

/* ---- Variables and history ---- */

struct variable {
    char name[32];
    struct value value;
};

struct values {
    struct variable *variable;
    size_t nvariables;
    struct value *history;
    size_t nhistory;
    struct kept {
        unsigned number; /* in the history */
        struct value_parts parts;
    } * kept; /* in that order */
    size_t nkept;
};

void values_free(struct values *values)
{
    if (!values) return;
    free(values->variable);
    free(values->history);
    for (size_t i = 0; i < values->nkept; i++) free(values->kept[i].parts.bytes);
    free(values->kept);
    free(values);
}

static struct values *values_of(struct eval *ev)
{
    if (!ev->values) ev->values = xalloc(sizeof *ev->values);
    return ev->values;
}

/* One more of `size` bytes at the end of an array; rooms double. */
static void *grown(void *array, size_t n, size_t size)
{
    if (n & (n - 1)) /* not at a power of two: there is room */
        return array;
    return xrealloc(array, n ? 2 * n : 1, size);
}

unsigned value_remember(struct eval *ev, const struct value *v)
{
    struct values *values = values_of(ev);
    if (!values || values->nhistory >= HISTORY_MAX) return values ? (unsigned)values->nhistory : 0;
    struct value *history = grown(values->history, values->nhistory, sizeof *history);
    if (!history) return (unsigned)values->nhistory;
    values->history = history;
    values->history[values->nhistory] = *v;
    values->history[values->nhistory].place = PLACE_NONE;
    return (unsigned)++values->nhistory;
}

unsigned value_remember_parts(struct eval *ev, const struct value_parts *parts)
{
    const struct value many = {.many = true, .place = PLACE_NONE};
    const size_t before = ev->values ? ev->values->nhistory : 0;
    const unsigned number = value_remember(ev, &many);
    struct values *values = ev->values;
    if (values->nhistory == before) { /* the history is full */
        free(parts->bytes);
        return number;
    }
    values->kept = grown(values->kept, values->nkept, sizeof *values->kept);
    values->kept[values->nkept++] = (struct kept){number, *parts};
    return number;
}

const struct value_parts *value_recall_parts(struct eval *ev, uint64_t n, uint64_t back)
{
    const struct values *values = ev->values;
    if (!values) return NULL;
    if (!n && back < values->nhistory) n = values->nhistory - back;
    for (size_t i = values->nkept; i-- > 0;)
        if (values->kept[i].number == n) return &values->kept[i].parts;
    return NULL;
}

void values_forget_parts(struct eval *ev)
{
    struct values *values = ev->values;
    for (size_t i = 0; values && i < values->nkept; i++) free(values->kept[i].parts.bytes);
    if (values) values->nkept = 0;
}

bool value_recall(struct eval *ev, uint64_t n, uint64_t back, struct value *v, struct gpudbg_error *err)
{
    size_t count = ev->values ? ev->values->nhistory : 0;
    if (!n && back < count) n = count - back;
    if (!n || n > count)
        return gpudbg_fail(err, "out-of-range", "no value $%" PRIu64 ": the history has %zu", n, count);
    *v = ev->values->history[n - 1];
    return !v->many || gpudbg_fail(err, "unsupported",
                           "$%" PRIu64 " was several lanes, or more than 64 bits: the history does not keep them", n);
}

static struct variable *find_variable(struct eval *ev, const char *name)
{
    for (size_t i = 0; ev->values && i < ev->values->nvariables; i++)
        if (strcmp(ev->values->variable[i].name, name) == 0) return &ev->values->variable[i];
    return NULL;
}

bool value_variable(struct eval *ev, const char *name, struct value *v)
{
    const struct variable *found = find_variable(ev, name);
    *v = found ? found->value : value_signed(0);
    v->place = PLACE_VARIABLE;
    snprintf(v->name, sizeof v->name, "%s", name);
    return found;
}

bool value_set_variable(struct eval *ev, const char *name, const struct value *v, struct gpudbg_error *err)
{
    struct values *values = values_of(ev);
    struct variable *to = find_variable(ev, name);
    if (!values || (!to && values->nvariables >= VARIABLES_MAX))
        return gpudbg_fail(err, "too-large", "$%s: more than %d variables", name, VARIABLES_MAX);
    if (!to) {
        struct variable *all = grown(values->variable, values->nvariables, sizeof *all);
        if (!all) return gpudbg_fail(err, "memory", "$%s: out of memory", name);
        values->variable = all;
        to = &all[values->nvariables++];
        snprintf(to->name, sizeof to->name, "%s", name);
    }
    to->value = *v;
    to->value.place = PLACE_NONE;
    return true;
}

void value_shown(struct eval *ev, unsigned space, uint64_t addr, struct value_type type)
{
    struct gpudbg_error ignored = {0};
    const struct value address = {
        .type = {VALUE_UNSIGNED, 64}, .to = type, .space = (uint8_t)space, .address = true, .u = addr};
    struct value there = {.type = type, .place = PLACE_MEMORY, .space = (uint8_t)space, .addr = addr};
    value_set_variable(ev, "_", &address, &ignored);
    if (value_load(ev, ev->selection->wave, &there, &ignored)) value_set_variable(ev, "__", &there, &ignored);
}

const char *value_variable_name(const struct eval *ev, size_t i)
{
    return ev->values && i < ev->values->nvariables ? ev->values->variable[i].name : NULL;
}

int gpudbg_register_name(const struct gpudbg_regfile *file, unsigned index, char *buf, size_t size)
{
    const unsigned parts = file->parts ? (unsigned)strlen(file->parts) : 1;
    char number[16] = "", part[3] = "";
    if (file->indexed) snprintf(number, sizeof number, "%u", index / parts);
    if (file->parts) snprintf(part, sizeof part, ".%c", file->parts[index % parts]);
    return snprintf(buf, size, "%s%s%s", file->name, number, part);
}
