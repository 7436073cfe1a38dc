/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt_show.c: the answer: what changed, what was assumed and what happened, as a record or as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "eval/form.h"
#include "eval/value.h"
#include "out/say.h"
#include "gpudbg/lane_set.h"
#include "gpudbg/text.h"

#define GROUPS 4       /* lanes with as many different values are shown in groups, more in rows */
#define MEMORY_ROWS 32 /* of text */

const char *attempt_name(const struct attempt *a, unsigned file, unsigned reg, char *buf, size_t size)
{
    gpudbg_register_name(&a->env->isa->files[file], reg, buf, size);
    return buf;
}

static const char *const ends[] = {"done", "left", "end", "fault", "endless"};

/* ---- Registers ---- */

struct showing {
    struct attempt *a;
    struct gpudbg_out *out;
    const char *indent;
    size_t shown; /* registers and memory that changed */
};

/* The newest that wrote the register as the first of its own. */
static const struct attempt_written *written_as(const struct attempt *a, unsigned file, unsigned reg)
{
    for (size_t i = a->nwritten; i-- > 0;)
        if (a->written[i].file == file && a->written[i].reg == reg) return &a->written[i];
    return NULL;
}

static const char *type_of(const struct attempt *a, unsigned file, unsigned reg)
{
    for (size_t i = a->nwritten; i-- > 0;) {
        const struct attempt_written *w = &a->written[i];
        if (w->file == file && w->reg <= reg && reg < w->reg + w->count) return w->type;
    }
    return "";
}

/* The value of a lane (or of a register without lanes) of one register, or of two together. */
static uint64_t value_at(const uint32_t *words, size_t at, size_t high, unsigned dword)
{
    return words[at + dword] | (high != SIZE_MAX ? (uint64_t)words[high + dword] << 32 : 0);
}

static void lanes_text(uint64_t lanes, uint64_t all, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (lanes == all)
        text_add(&t, "all %d lanes", __builtin_popcountll(all));
    else
        text_add_lanes(&t, lanes);
    text_mark_cut(&t);
}

/* "0x00000015  21", "0x3fc00000  1.5". */
static void value_text_of(const char *type, uint64_t value, unsigned bits, bool mask, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    const struct form *form = *type ? form_named(type) : NULL;
    char number[64] = "";
    text_add(&t, "0x%0*" PRIx64, (int)(bits + 3) / 4, value);
    if (mask) return;
    if (form && form->kind == 'f' && 8u * form->size <= bits)
        form_text(form, &value, number, sizeof number);
    else if (bits > 1)
        snprintf(number, sizeof number, "%" PRId64, bits == 32 ? (int64_t)(int32_t)value : (int64_t)value);
    if (*number) text_add(&t, "  %s", number);
}

struct lane_group {
    uint64_t before, after, lanes;
};

/* Lanes that changed, in groups of the same values; returns how many. */
static size_t groups_of(struct attempt *a, size_t at, size_t high, unsigned lanes, struct lane_group *g)
{
    size_t n = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint64_t before = value_at(a->before, at, high, lane), after = value_at(a->wave->words, at, high, lane);
        size_t i = 0;
        if (before == after) continue;
        while (i < n && (g[i].before != before || g[i].after != after)) i++;
        if (i == n) g[n++] = (struct lane_group){before, after, 0};
        g[i].lanes |= UINT64_C(1) << lane;
    }
    return n;
}

static void lane_rows(struct showing *s, const char *name, size_t at, size_t high, unsigned lanes, const char *type)
{
    const struct form *form = *type ? form_named(type) : NULL;
    const unsigned bits = high != SIZE_MAX ? 64 : 32, columns = 4;
    for (unsigned lane = 0; lane < lanes; lane += columns) {
        gpudbg_out_print(s->out, "%s%-9s [%2u]", s->indent, lane ? "" : name, lane);
        for (unsigned i = lane; i < lane + columns && i < lanes; i++) {
            const uint64_t value = value_at(s->a->wave->words, at, high, i);
            char text[64];
            if (form && form->kind == 'f' && 8u * form->size == bits)
                form_text(form, &value, text, sizeof text);
            else
                snprintf(text, sizeof text, "0x%0*" PRIx64, (int)bits / 4, value);
            gpudbg_out_print(s->out, " %*s", bits == 64 ? 18 : 14, text);
        }
        gpudbg_out_print(s->out, "\n");
    }
}

static void show_groups(struct showing *s, unsigned file, unsigned reg, size_t at, size_t high)
{
    struct attempt *a = s->a;
    const struct gpudbg_regfile *f = &a->env->isa->files[file];
    const bool json = gpudbg_out_json(s->out);
    const unsigned bits = high != SIZE_MAX ? 64 : 32;
    struct lane_group g[64];
    const size_t n = groups_of(a, at, high, f->lanes, g);
    char name[64], value[128], lanes[LANE_SET_TEXT];
    attempt_name(a, file, reg, name, sizeof name);
    s->shown += n > 0;
    if (high != SIZE_MAX) snprintf(name, sizeof name, "%s[%u:%u]", f->name, reg, reg + 1);
    if (!json && n > GROUPS) {
        lane_rows(s, name, at, high, f->lanes, type_of(a, file, reg));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        value_text_of(type_of(a, file, reg), g[i].after, bits, false, value, sizeof value);
        lanes_text(g[i].lanes, a->wave->lanes, lanes, sizeof lanes);
        gpudbg_out_print(s->out, "%s%-9s %-28s %s\n", s->indent, i ? "" : name, value, lanes);
        ITEM(s->out, NULL, NULL, STRING("register", name), HEX("lanes", g[i].lanes), HEX("before", g[i].before),
            HEX("after", g[i].after));
    }
}

static void wide_hex(const uint32_t *words, unsigned n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    bool some = false;
    text_add(&t, "0x");
    for (unsigned d = n; d-- > 0;) {
        if (some)
            text_add(&t, "%08" PRIx32, words[d]);
        else if (words[d] || !d)
            text_add(&t, "%" PRIx32, words[d]);
        some |= words[d] != 0;
    }
}

/* A register without lanes. */
static void show_plain(struct showing *s, unsigned file, unsigned reg, size_t at, unsigned n, size_t high)
{
    struct attempt *a = s->a;
    const struct gpudbg_regfile *f = &a->env->isa->files[file];
    const uint32_t *now = a->wave->words + at, *was = a->before + at;
    char name[64], before[300], after[300];
    uint64_t value = now[0];
    attempt_name(a, file, reg, name, sizeof name);
    s->shown++;
    if (gpudbg_out_json(s->out)) {
        wide_hex(was, n, before, sizeof before);
        wide_hex(now, n, after, sizeof after);
        ITEM(s->out, NULL, NULL, STRING("register", name), STRING("before", before), STRING("after", after));
        return;
    }
    const char *type = type_of(a, file, reg);
    if (n > 2) {
        const struct form *form = *type ? form_named(type) : NULL;
        if (!form || form->kind == 'a') form = form_named("x");
        char typed[80];
        snprintf(typed, sizeof typed, "%s:%s", name, form->name);
        const size_t row = form->size > 2 ? 32 : 16;
        for (size_t k = 0; k < 4 * (size_t)n; k += row) {
            const size_t left = 4 * (size_t)n - k;
            char text[600];
            form_elements(form, (const uint8_t *)now + k, left < row ? left : row, " ", text, sizeof text);
            gpudbg_out_print(s->out, "%s%-9s %s\n", s->indent, k ? "" : typed, text);
        }
        return;
    }
    if (n == 2) value |= (uint64_t)now[1] << 32;
    if (high != SIZE_MAX) {
        value |= (uint64_t)a->wave->words[high] << 32;
        snprintf(name, sizeof name, "%s[%u:%u]", f->name, reg, reg + 1);
    }
    value_text_of(type, value,
        high != SIZE_MAX ? 64
        : f->mask        ? value_mask_bits(a->wave->machine, f->bits, value)
                         : f->bits,
        f->mask, after, sizeof after);
    gpudbg_out_print(s->out, "%s%-9s %s\n", s->indent, name, after);
}

/* The second register of a pair that was written as one number, as dwords of the wave; SIZE_MAX: there is none. */
static size_t pair_of(struct attempt *a, unsigned file, unsigned reg)
{
    const struct attempt_written *w = written_as(a, file, reg);
    const struct gpudbg_regfile *f = &a->env->isa->files[file];
    unsigned n;
    return w && w->count == 2 && f->bits == 32 && !f->parts ? attempt_dwords(a, file, reg + 1, &n) : SIZE_MAX;
}

static bool changed(const struct attempt *a, size_t at, unsigned n)
{
    return at != SIZE_MAX && memcmp(a->before + at, a->wave->words + at, 4 * (size_t)n) != 0;
}

/* Only bits of the register have changed that repeat other registers. */
static bool repeats(const struct attempt *a, unsigned file, size_t at, unsigned n)
{
    const struct gpudbg_alone *alone = a->env->isa->alone;
    if (!alone || !alone->repeating || n != 1 || strcmp(a->env->isa->files[file].name, alone->repeating) != 0)
        return false;
    return !((a->before[at] ^ a->wave->words[at]) & ~alone->repeated);
}

static void show_registers(struct showing *s)
{
    struct attempt *a = s->a;
    const struct gpudbg_isa *isa = a->env->isa;
    gpudbg_out_array(s->out, "changed");
    for (unsigned f = 0; f < isa->nfiles; f++) {
        const unsigned count = isa->run->count(a->machine, f);
        for (unsigned reg = 0; reg < count; reg++) {
            unsigned n;
            const size_t at = attempt_dwords(a, f, reg, &n);
            if (at == SIZE_MAX) continue;
            const size_t high = gpudbg_out_json(s->out) ? SIZE_MAX : pair_of(a, f, reg);
            if ((!changed(a, at, n) && !changed(a, high, n)) || repeats(a, f, at, n)) continue;
            if (isa->files[f].lanes > 1)
                show_groups(s, f, reg, at, high);
            else
                show_plain(s, f, reg, at, n, high);
            reg += high != SIZE_MAX;
        }
    }
    gpudbg_out_close(s->out);
}

/* Destinations that hold what they held. */
static void show_unchanged(struct showing *s)
{
    struct attempt *a = s->a;
    char list[400] = "";
    struct text t = text_in(list, sizeof list);
    gpudbg_out_array(s->out, "unchanged");
    for (size_t i = 0; i < a->nwritten; i++) {
        const struct attempt_written *w = &a->written[i];
        char name[64];
        unsigned n;
        bool same = true;
        for (unsigned k = 0; k < w->count; k++) {
            const size_t at = attempt_dwords(a, w->file, w->reg + k, &n);
            same &= !changed(a, at, n);
        }
        for (size_t k = 0; k < i; k++) same &= a->written[k].file != w->file || a->written[k].reg != w->reg;
        if (!same) continue;
        const struct gpudbg_regfile *f = &a->env->isa->files[w->file];
        if (w->count > 1 && !f->parts)
            snprintf(name, sizeof name, "%s[%u:%u]", f->name, w->reg, w->reg + w->count - 1u);
        else
            attempt_name(a, w->file, w->reg, name, sizeof name);
        if (gpudbg_out_json(s->out)) gpudbg_out_string(s->out, NULL, name);
        text_add(&t, "%s%s", *list ? ", " : "", name);
    }
    text_mark_cut(&t);
    gpudbg_out_close(s->out);
    if (*list) gpudbg_out_print(s->out, "%sunchanged: %s\n", s->indent, list);
    s->shown += *list != 0;
}

/* ---- Memory ---- */

static int by_address(const void *x, const void *y)
{
    const struct attempt_stored *a = x, *b = y;
    if (a->space != b->space) return a->space < b->space ? -1 : 1;
    return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Stores next to each other become one; of overlapping ones the first has what was there before. */
static void join_stores(struct attempt *a)
{
    size_t n = 0;
    if (!a->nstored) return;
    qsort(a->stored, a->nstored, sizeof *a->stored, by_address);
    for (size_t i = 1; i < a->nstored; i++) {
        struct attempt_stored *to = &a->stored[n], *from = &a->stored[i];
        if (from->space != to->space || from->segment != to->segment || from->addr > to->addr + to->size) {
            a->stored[++n] = *from;
            continue;
        }
        const uint64_t behind = to->addr + to->size, end = from->addr + from->size;
        if (end > behind) {
            to->before = xrealloc(to->before, (size_t)(end - to->addr), 1);
            memcpy(to->before + to->size, from->before + (behind - from->addr), (size_t)(end - behind));
            to->size = end - to->addr;
        }
        free(from->before);
    }
    a->nstored = n + 1;
}

static void show_stored(struct showing *s, const struct attempt_stored *m, unsigned *rows)
{
    const uint8_t *now = m->segment->bytes + (m->addr - m->segment->base);
    const uint64_t offset = m->addr - m->segment->base;
    const char *name = m->segment->name ? m->segment->name : "memory";
    s->shown++;
    ITEM(s->out, NULL, NULL, STRING("name", name), NUMBER("offset", offset), HEX("addr", m->addr),
        BYTES("before", m->before, (size_t)m->size), BYTES("after", now, (size_t)m->size));
    for (uint64_t k = 0; k < m->size && !gpudbg_out_json(s->out); k += 16) {
        char text[80], place[80];
        struct text t = text_in(text, sizeof text);
        if (++*rows > MEMORY_ROWS) continue;
        for (uint64_t i = k; i < k + 16 && i < m->size; i++) text_add(&t, " %02x", now[i]);
        snprintf(place, sizeof place, "%s+0x%" PRIx64, name, offset + k);
        gpudbg_out_print(s->out, "%s%-9s%s\n", s->indent, place, text);
    }
}

static void show_memory(struct showing *s)
{
    struct attempt *a = s->a;
    unsigned rows = 0;
    join_stores(a);
    gpudbg_out_array(s->out, "memory");
    for (size_t i = 0; i < a->nstored; i++) show_stored(s, &a->stored[i], &rows);
    gpudbg_out_close(s->out);
    if (rows > MEMORY_ROWS) gpudbg_out_print(s->out, "%sand %u rows more\n", s->indent, rows - MEMORY_ROWS);
}

/* ---- What was assumed ---- */

static uint64_t assumed_value(struct attempt *a, const struct attempt_assumed *s)
{
    unsigned n;
    const size_t at = attempt_dwords(a, s->file, s->reg, &n);
    const struct gpudbg_regfile *f = &a->env->isa->files[s->file];
    if (at == SIZE_MAX) return 0;
    if (f->lanes > 1) return a->before[at + (s->lanes ? (unsigned)__builtin_ctzll(s->lanes) : 0)];
    return a->before[at] | (n == 2 ? (uint64_t)a->before[at + 1] << 32 : 0);
}

/* How many from number i on are registers in a row that were read in the same lanes and hold 0. */
static size_t in_a_row(struct attempt *a, size_t i)
{
    const struct attempt_assumed *s = &a->assumed[i];
    const struct gpudbg_regfile *f = &a->env->isa->files[s->file];
    size_t n = 1;
    while (f->indexed && !f->parts && s->whole && i + n < a->nassumed && a->assumed[i + n].file == s->file &&
           a->assumed[i + n].reg == s->reg + n && a->assumed[i + n].lanes == s->lanes && a->assumed[i + n].whole &&
           !assumed_value(a, &a->assumed[i]) && !assumed_value(a, &a->assumed[i + n]))
        n++;
    return n;
}

/* Those that hold 0, or those that hold something else, which a launch gives them. */
static void assumed_line(struct showing *s, bool zero)
{
    struct attempt *a = s->a;
    char list[600] = "";
    struct text t = text_in(list, sizeof list);
    for (size_t i = 0, n = 1; i < a->nassumed; i += n) {
        const struct attempt_assumed *one = &a->assumed[i];
        const struct gpudbg_regfile *f = &a->env->isa->files[one->file];
        const uint64_t value = assumed_value(a, one);
        char name[64], lanes[LANE_SET_TEXT];
        n = in_a_row(a, i);
        if (!value != zero) continue;
        attempt_name(a, one->file, one->reg, name, sizeof name);
        if (n > 1) snprintf(name, sizeof name, "%s[%u:%zu]", f->name, one->reg, one->reg + n - 1);
        text_add(&t, "%s%s", *list ? ", " : "", name);
        if (value) text_add(&t, " = 0x%" PRIx64, value);
        lanes_text(one->lanes, a->wave->lanes, lanes, sizeof lanes);
        if (f->lanes > 1 && one->lanes != a->wave->lanes) text_add(&t, " (%s)", lanes);
        if (f->lanes <= 1 && !one->whole) text_add(&t, " (a part)");
    }
    text_mark_cut(&t);
    if (*list) gpudbg_out_print(s->out, "%s%s: %s\n", s->indent, zero ? "assumed to be 0" : "as a launch has it", list);
}

static void show_assumed(struct showing *s)
{
    struct attempt *a = s->a;
    gpudbg_out_array(s->out, "assumed");
    for (size_t i = 0; i < a->nassumed && gpudbg_out_json(s->out); i++) {
        const struct attempt_assumed *one = &a->assumed[i];
        char name[64];
        attempt_name(a, one->file, one->reg, name, sizeof name);
        ITEM(s->out, NULL, NULL, STRING("register", name), IF(one->lanes, HEX("lanes", one->lanes)),
            HEX("value", assumed_value(a, one)));
    }
    gpudbg_out_close(s->out);
    if (gpudbg_out_json(s->out)) return;
    assumed_line(s, true);
    assumed_line(s, false);
}

/* ---- What happened ---- */

static void show_events(struct showing *s)
{
    struct attempt *a = s->a;
    gpudbg_out_array(s->out, "happened");
    for (size_t i = 0; i < a->nevents; i++) {
        const struct attempt_event *e = &a->event[i];
        ITEM(s->out, NULL, NULL, STRING("kind", e->kind), HEX("pc", e->pc), IF(e->has_target, HEX("target", e->target)),
            STRING("text", e->text));
        if (e->has_target)
            gpudbg_out_print(s->out, "%sbranches from 0x%" PRIx64 " to 0x%" PRIx64 "\n", s->indent, e->pc, e->target);
        else if (strcmp(e->kind, "falls-through") == 0)
            gpudbg_out_print(s->out, "%sdoes not branch at 0x%" PRIx64 "\n", s->indent, e->pc);
        else if (e->text)
            gpudbg_out_print(s->out, "%s%s: %s\n", s->indent, e->kind, e->text);
        else
            gpudbg_out_print(s->out, "%sarrives at a barrier, and no other wave is left to wait for\n", s->indent);
    }
    gpudbg_out_close(s->out);
}

static void show_end(struct showing *s)
{
    const struct attempt *a = s->a;
    switch (a->end) {
    case ATTEMPT_FAULT: gpudbg_out_print(s->out, "%sfault at 0x%" PRIx64 ": %s\n", s->indent, a->pc, a->fault); break;
    case ATTEMPT_ENDED: gpudbg_out_print(s->out, "%sthe wave ends\n", s->indent); break;
    case ATTEMPT_ENDLESS:
        gpudbg_out_print(
            s->out, "%sstill running after %u instructions, at 0x%" PRIx64 "\n", s->indent, ATTEMPT_MOST, a->pc);
        break;
    default:
        if (!s->shown && !a->nevents) gpudbg_out_print(s->out, "%snothing changes\n", s->indent);
    }
}

/* ---- All of it ---- */

/* The instructions as text, "; " between them. */
static void code_text(struct attempt *a, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = a->env->isa;
    struct text t = text_in(buf, size);
    struct gpudbg_insn insn;
    const uint64_t entry = a->machine->launch->kernel->entry;
    for (uint64_t at = entry; at < a->to && at - a->base < a->size; at += insn.size) {
        char one[512];
        const uint8_t *bytes = a->code + (at - a->base);
        const bool is = gpudbg_insn_at(isa, bytes, a->size - (size_t)(at - a->base), at, &insn);
        if (!is || isa->text(&insn, a->env->syntax, GPUDBG_READABLE, NULL, one, sizeof one) < 0)
            snprintf(one, sizeof one, "%u bytes that do not decode", insn.size);
        text_add(&t, "%s%s", at == entry ? "" : "; ", one);
    }
    text_mark_cut(&t);
}

void attempt_show(struct attempt *a, struct gpudbg_out *out, const char *indent)
{
    struct showing s = {.a = a, .out = out, .indent = indent};
    if (gpudbg_out_json(out)) {
        char text[2048];
        code_text(a, text, sizeof text);
        SAY(out, NULL, STRING("isa", a->env->isa->name), STRING("text", text), BYTES("bytes", a->code, a->size),
            STRING("ended", ends[a->end]), IF(a->end == ATTEMPT_FAULT, STRING("fault", a->fault)), HEX("pc", a->pc),
            NUMBER("executed", a->executed));
    }
    show_registers(&s);
    show_memory(&s);
    show_unchanged(&s);
    show_events(&s);
    show_assumed(&s);
    show_end(&s);
}
