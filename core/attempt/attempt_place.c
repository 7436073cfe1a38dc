/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attempt_place.c: NAME=VALUE.
 *
 * A number goes to every lane of a register with lanes, and to every element of a register of many elements; a list
 * goes to one after another from the first on, and so do bytes.  The list of a register with parts, x to w, goes to
 * these in every lane.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "eval/form.h"
#include "machine/argument.h"
#include "machine/launch.h"
#include "machine/literal.h"
#include "machine/machine.h"

/* ---- Names ---- */

/* A register, or a part of it, as its name says. */
struct target {
    unsigned file, reg, count;
    int lane;    /* the first; -1: all */
    int lanes;   /* from the first on */
    bool bit;    /* `lane` is a bit of a mask */
    int element; /* -1: all of it */
    const struct form *form;
};

static bool take_number(const char **at, unsigned *value)
{
    char *end;
    if (!isdigit((unsigned char)**at)) return false;
    const unsigned long n = strtoul(*at, &end, 10);
    if (n > UINT16_MAX) return false;
    *value = (unsigned)n;
    *at = end;
    return true;
}

/* "[3]", "[2:5]" or "[:]", which is 0 to `most`. */
static bool take_range(const char **at, unsigned most, unsigned *first, unsigned *last)
{
    const char *p = *at;
    if (*p++ != '[') return false;
    *first = 0;
    *last = most;
    if (p[0] == ':' && p[1] == ']') {
        *at = p + 2;
        return true;
    }
    if (!take_number(&p, first)) return false;
    *last = *first;
    if (*p == ':' && (p++, !take_number(&p, last))) return false;
    if (*p != ']' || *last < *first) return false;
    *at = p + 1;
    return true;
}

/* Which registers of the file; the name of the file was passed over. */
static bool take_index(const struct gpudbg_regfile *f, const char **at, struct target *t)
{
    const unsigned parts = f->parts ? (unsigned)strlen(f->parts) : 1;
    unsigned last;
    t->reg = 0;
    t->count = 1;
    if (!f->indexed) return true;
    if (take_number(at, &t->reg)) {
        t->count = 1;
    } else if (take_range(at, 0, &t->reg, &last)) {
        t->count = last - t->reg + 1;
    } else {
        return false;
    }
    t->reg *= parts;
    t->count *= parts;
    const char *part = **at == '.' && f->parts && (*at)[1] ? strchr(f->parts, (*at)[1]) : NULL;
    if (!part) return true;
    t->reg += (unsigned)(part - f->parts);
    t->count = 1;
    *at += 2;
    return true;
}

static bool take_target(const struct gpudbg_isa *isa, unsigned file, const char *name, struct target *t)
{
    const struct gpudbg_regfile *f = &isa->files[file];
    const size_t n = strlen(f->name);
    const char *at = name + n;
    unsigned first, last, element;
    if (!n || strncmp(name, f->name, n) != 0) return false;
    *t = (struct target){.file = file, .lane = -1, .element = -1};
    if (!take_index(f, &at, t)) return false;
    if ((f->lanes > 1 || f->mask) && take_range(&at, (f->mask ? f->bits : f->lanes) - 1u, &first, &last)) {
        if (last >= (f->mask ? f->bits : f->lanes)) return false;
        t->lane = (int)first;
        t->lanes = (int)(last - first + 1);
        t->bit = f->mask;
    }
    if (*at == '.') {
        at++;
        if (!take_number(&at, &element)) return false;
        t->element = (int)element;
    }
    if (*at != ':') return !*at;
    t->form = form_named(at + 1);
    return t->form && t->form->kind != 'a';
}

bool attempt_is_register(const struct gpudbg_isa *isa, const char *name)
{
    struct target t;
    for (unsigned f = 0; f < isa->nfiles; f++)
        if (take_target(isa, f, name, &t)) return true;
    return false;
}

/* ---- Values ---- */

struct value_bytes {
    uint8_t *bytes; /* malloc'ed */
    uint64_t n;
    bool single, negative; /* one number */
};

static struct literal_scalar scalar_of(const struct form *form, unsigned size)
{
    if (!form) return (struct literal_scalar){0, size};
    return (struct literal_scalar){form->kind == 'f' ? 'f' : 0, form->size};
}

/* "@FILE", "zero:8" and the other forms of buffers. */
static bool is_buffer_form(const char *text)
{
    return text[0] == '@' || strncmp(text, "zero:", 5) == 0 || strncmp(text, "fill:", 5) == 0 ||
           strncmp(text, "uninit:", 7) == 0;
}

static bool read_value(struct attempt *a, const char *name, const char *text, struct literal_scalar item,
    struct value_bytes *v, struct gpudbg_error *err)
{
    struct launching *l = (struct launching *)(uintptr_t)a->machine->launch;
    *v = (struct value_bytes){0};
    if (is_buffer_form(text)) {
        struct gpudbg_bound b = {.name = name, .text = text};
        if (!argument_bind_part(l, &b, a->env->files ? a->env->files : &(struct launch_files){0}, err)) return false;
        v->bytes = xalloc((size_t)b.size + 1);
        v->n = b.size;
        if (b.bytes) memcpy(v->bytes, b.bytes, (size_t)b.size);
        return true;
    }
    v->bytes = xalloc(8 * strlen(text) + 8);
    v->single = !strchr(text, ',') && strncmp(text, "hex:", 4) != 0;
    v->negative = text[0] == '-';
    if (literal_contents(&l->launch, name, text, item, v->bytes, &v->n, err)) return true;
    free(v->bytes);
    v->bytes = NULL;
    return false;
}

static void put(struct attempt_place *p, const struct target *t, size_t at, unsigned reg, unsigned dword,
    unsigned shift, uint32_t mask, uint32_t value)
{
    p->bits = xgrow(p->bits, p->n, &p->room, sizeof *p->bits);
    p->bits[p->n++] = (struct attempt_bits){.at = (uint32_t)(at + dword),
        .mask = mask << shift,
        .value = (value & mask) << shift,
        .file = (uint16_t)t->file,
        .reg = (uint16_t)reg,
        .dword = (uint16_t)dword};
}

/* Where the dwords of a register begin; mostly it is the one of the last piece. */
static size_t dwords_of(struct attempt *a, const struct attempt_place *p, unsigned file, unsigned reg)
{
    const struct attempt_bits *last = p->n ? &p->bits[p->n - 1] : NULL;
    unsigned ignored;
    return last && last->file == file && last->reg == reg ? last->at - last->dword
                                                          : attempt_dwords(a, file, reg, &ignored);
}

/* Bytes at an offset of the target: in a lane's dwords (one a register), or in consecutive registers. */
static void put_bytes(struct attempt *a, struct attempt_place *p, const struct target *t, int lane, uint64_t offset,
    const uint8_t *bytes, uint64_t n)
{
    const struct gpudbg_regfile *f = &a->env->isa->files[t->file];
    const uint64_t each = lane >= 0 ? 4 : (f->bits + 31u) / 32 * 4;
    for (uint64_t k = 0; k < n;) {
        const uint64_t at = offset + k, byte = at % 4, take = n - k < 4 - byte ? n - k : 4 - byte;
        const unsigned reg = t->reg + (unsigned)(at / each);
        const unsigned dword = lane >= 0 ? (unsigned)lane : (unsigned)(at % each / 4);
        uint32_t value = 0, mask = take == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * take) - 1;
        memcpy(&value, bytes + k, (size_t)take);
        if (f->bits < 32) mask &= (UINT32_C(1) << f->bits) - 1;
        put(p, t, dwords_of(a, p, t->file, reg), reg, dword, (unsigned)(8 * byte), mask, value);
        k += take;
    }
}

/* Copies the given bytes, and fills the rest up to `size` with zeros or copies of the sign. */
static void extend(const struct value_bytes *v, uint8_t *to, uint64_t size)
{
    memset(to, v->negative ? 0xff : 0, (size_t)size);
    memcpy(to, v->bytes, (size_t)(v->n < size ? v->n : size));
}

static bool too_many(const char *name, uint64_t n, uint64_t room, struct gpudbg_error *err)
{
    return gpudbg_fail(err, "bad-argument", "%s: %" PRIu64 " bytes do not fit into %" PRIu64, name, n, room);
}

/* Registers with lanes. */
static bool put_lanes(struct attempt *a, const struct attempt_word *w, const struct target *t,
    const struct value_bytes *v, unsigned item, struct attempt_place *p, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *f = &a->env->isa->files[t->file];
    const int first = t->lane < 0 ? 0 : t->lane, n = t->lane < 0 ? f->lanes : t->lanes;
    const uint64_t cell = 4 * (uint64_t)t->count;
    uint8_t *all = xalloc((size_t)(cell > v->n ? cell : v->n) + 8);
    const uint64_t offset = t->element < 0 ? 0 : (uint64_t)t->element * item;
    const bool bytes = strncmp(w->value, "hex:", 4) == 0 || is_buffer_form(w->value);
    if (v->single || (f->parts && t->count > 1 && !bytes && v->n <= cell)) { /* the same in each lane */
        const bool repeats = (t->form || f->parts) && v->single && item < cell && t->element < 0;
        const uint64_t size = t->element < 0 && !repeats ? cell : item;
        uint64_t end = offset;
        for (; end + size <= cell && (end == offset || repeats); end += size) extend(v, all + end, size);
        for (uint64_t at = offset, next; at < end; at = next) { /* a register at a time, which set_registers likes */
            next = at / 4 * 4 + 4 < end ? at / 4 * 4 + 4 : end;
            for (int lane = first; lane < first + n; lane++) put_bytes(a, p, t, lane, at, all + at, next - at);
        }
    } else if (t->element >= 0) {
        free(all);
        return gpudbg_fail(err, "bad-argument", "%s: one element takes one number", w->name);
    } else if (bytes) { /* a register behind another */
        for (uint64_t at = 0; at < v->n; at += 4) {
            const uint64_t row = at / 4;
            struct target one = *t;
            if (row >= (uint64_t)n * t->count) {
                free(all);
                return too_many(w->name, v->n, 4 * (uint64_t)n * t->count, err);
            }
            one.reg += (unsigned)(row / (uint64_t)n);
            put_bytes(a, p, &one, first + (int)(row % (uint64_t)n), 0, v->bytes + at, v->n - at < 4 ? v->n - at : 4);
        }
    } else { /* a lane behind another */
        const uint64_t step = t->form ? cell : item;
        for (uint64_t at = 0, lane = (uint64_t)first; at < v->n; at += step, lane++) {
            if (lane >= (uint64_t)(first + n)) {
                free(all);
                return too_many(w->name, v->n, step * (uint64_t)n, err);
            }
            const uint64_t left = v->n - at;
            put_bytes(a, p, t, (int)lane, 0, v->bytes + at, left < step ? left : step);
        }
    }
    free(all);
    return true;
}

static bool put_mask_bits(struct attempt *a, const struct target *t, const struct value_bytes *v,
    struct attempt_place *p, struct gpudbg_error *err)
{
    unsigned ignored;
    const size_t at = attempt_dwords(a, t->file, t->reg, &ignored);
    if (!v->single || v->bytes[0] > 1 || v->negative)
        return gpudbg_fail(err, "bad-argument", "a bit of a mask is 0 or 1");
    for (int bit = t->lane; bit < t->lane + t->lanes; bit++)
        put(p, t, at, t->reg, (unsigned)bit / 32, (unsigned)bit % 32, 1, v->bytes[0]);
    return true;
}

/* Registers without lanes. */
static bool put_plain(struct attempt *a, const struct attempt_word *w, const struct target *t,
    const struct value_bytes *v, unsigned item, struct attempt_place *p, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *f = &a->env->isa->files[t->file];
    const uint64_t each = (f->bits + 31u) / 32 * 4, whole = each * t->count;
    const uint64_t offset = t->element < 0 ? 0 : (uint64_t)t->element * item, room = t->element < 0 ? whole : item;
    const bool wide = f->bits > 64 || (t->form && item < whole);
    if (offset + room > whole)
        return gpudbg_fail(
            err, "out-of-range", "%s: there are %" PRIu64 " elements of %u bytes", w->name, whole / item, item);
    if (v->n > room) {
        bool empty = true; /* a number may be written wider than its register */
        for (uint64_t i = room; i < v->n; i++) empty &= !v->bytes[i];
        if (!v->single || !empty) return too_many(w->name, v->n, room, err);
    }
    if (f->bits < 32 && v->single && !v->negative) {
        uint64_t value = 0;
        memcpy(&value, v->bytes, (size_t)(v->n < 8 ? v->n : 8));
        if (value >> f->bits) return gpudbg_fail(err, "out-of-range", "%s has %u bits", w->name, f->bits);
    }
    if (!v->single) {
        put_bytes(a, p, t, -1, offset, v->bytes, v->n);
        return true;
    }
    uint8_t *all = xalloc((size_t)room + 8);
    if (wide && t->element < 0)
        for (uint64_t at = 0; at + item <= room; at += item) memcpy(all + at, v->bytes, item);
    else
        extend(v, all, room);
    put_bytes(a, p, t, -1, offset, all, room);
    free(all);
    return true;
}

/* Bytes of a number that goes to the target. */
static unsigned item_of(const struct attempt *a, const struct target *t, const char *text)
{
    const struct gpudbg_regfile *f = &a->env->isa->files[t->file];
    const unsigned element = f->element ? f->element / 8u : 4;
    const bool list = strchr(text, ',') != NULL;
    if (t->form) return t->form->size;
    if (t->element >= 0) return element;
    if (f->lanes > 1) return t->count == 1 || f->parts ? 4 : 8;
    if (f->bits > 64) return element;
    if (list) return f->bits > 32 ? 4 : (f->bits + 7u) / 8 < 4 && f->bits > 1 ? (f->bits + 7u) / 8 : 4;
    return t->count > 1 || f->bits > 32 ? 8 : 4;
}

static bool put_value(struct attempt *a, const struct attempt_word *w, const struct target *t, struct attempt_place *p,
    struct gpudbg_error *err)
{
    struct value_bytes v;
    const unsigned item = item_of(a, t, w->value);
    if (!read_value(a, w->name, w->value, scalar_of(t->form, item), &v, err)) return false;
    const char *text = w->value[0] == '-' ? w->value + 1 : w->value;
    p->any_nan = strcasecmp(text, "nan") == 0;
    p->nan_size = item;
    const bool laned = a->env->isa->files[t->file].lanes > 1;
    const bool ok = t->bit  ? put_mask_bits(a, t, &v, p, err)
                    : laned ? put_lanes(a, w, t, &v, item, p, err)
                            : put_plain(a, w, t, &v, item, p, err);
    free(v.bytes);
    return ok;
}

/* ---- Memory ---- */

/* "buf0", "buf0+16": a bound buffer; "lds", "slm": that of the group. */
static bool memory_named(struct attempt *a, const char *name, struct attempt_place *p, struct gpudbg_segment **s)
{
    const size_t n = strcspn(name, "+");
    uint64_t offset = 0;
    bool negative;
    const char *end = name + n;
    if (name[n] && (!literal_integer(name + n + 1, &offset, &negative, &end) || negative || *end)) return false;
    const struct gpudbg_bound *b = launch_bound_named(a->machine->launch, name, n);
    const bool local = n == 3 && (strncmp(name, "lds", n) == 0 || strncmp(name, "slm", n) == 0);
    *s = b ? b->segment : NULL;
    if (!*s && !local) return false;
    if (!*s) *s = a->wave->lds;
    p->space = local ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
    p->addr = (*s ? (*s)->base : 0) + offset;
    return true;
}

static enum attempt_named place_memory(struct attempt *a, const struct attempt_word *w, struct attempt_place *p,
    const struct gpudbg_segment *s, struct gpudbg_error *err)
{
    struct value_bytes v;
    if (!read_value(a, w->name, w->value, (struct literal_scalar){0, 4}, &v, err)) return ATTEMPT_BAD;
    p->memory = true;
    p->bytes = v.bytes;
    p->size = v.n;
    if (s && p->addr - s->base <= s->size && v.n <= s->size - (p->addr - s->base)) return ATTEMPT_PLACE;
    gpudbg_fail(
        err, "out-of-range", "%s: %" PRIu64 " bytes do not fit: it has %" PRIu64, w->name, v.n, s ? s->size : 0);
    return ATTEMPT_BAD;
}

/* ---- Both ---- */

enum attempt_named attempt_place(
    struct attempt *a, const struct attempt_word *w, struct attempt_place *p, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = a->env->isa;
    struct gpudbg_segment *s;
    struct target t;
    bool named = false;
    *p = (struct attempt_place){0};
    for (unsigned f = 0; f < isa->nfiles; f++) {
        if (!take_target(isa, f, w->name, &t)) continue;
        named = true;
        const unsigned have = isa->run->count(a->machine, f);
        unsigned ignored;
        bool there = t.reg + t.count <= have;
        for (unsigned r = t.reg; there && r < t.reg + t.count; r++)
            there = attempt_dwords(a, f, r, &ignored) != SIZE_MAX;
        if (there) return put_value(a, w, &t, p, err) ? ATTEMPT_PLACE : ATTEMPT_BAD;
    }
    if (memory_named(a, w->name, p, &s)) return place_memory(a, w, p, s, err);
    if (!named) return ATTEMPT_NOBODY;
    gpudbg_fail(err, "no-such-name", "%s: the instructions name no such register, or it cannot be set", w->name);
    return ATTEMPT_BAD;
}

void attempt_place_free(struct attempt_place *p)
{
    free(p->bits);
    free(p->bytes);
    *p = (struct attempt_place){0};
}

static bool set_registers(struct attempt *a, const struct attempt_place *p, struct gpudbg_error *err)
{
    for (size_t i = 0; i < p->n;) {
        uint32_t word[GPUDBG_ELEMENTS];
        const struct attempt_bits *b = &p->bits[i];
        size_t n = 0;
        for (; i + n < p->n && n < GPUDBG_ELEMENTS; n++) { /* dwords of one register in a row */
            const struct attempt_bits *c = &p->bits[i + n];
            if (c->file != b->file || c->reg != b->reg || c->dword != b->dword + n) break;
            word[n] = (a->wave->words[c->at] & ~c->mask) | c->value;
            a->known[c->at] |= c->mask;
        }
        if (!machine_set_register(a->machine, 0, b->file, b->reg, b->dword, word, n, err)) return false;
        i += n;
    }
    return true;
}

bool attempt_set(struct attempt *a, const struct attempt_place *p, struct gpudbg_error *err)
{
    if (!p->memory) return set_registers(a, p, err);
    return machine_set_memory(a->machine, 0, p->space, p->addr, p->bytes, (size_t)p->size, err);
}
