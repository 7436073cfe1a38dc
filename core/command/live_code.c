/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/live_code.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "code/records.h"
#include "code/walk.h"
#include "flow/lives.h"
#include "gpudbg/text.h"
#include "out/out.h"
#include "out/say.h"
#include "session/session.h"

/* The instructions of a section that are listed, and the registers that any of them has alive. */
struct live_code {
    struct gpudbg *g;
    const struct lives *l;
    struct code_names names;
    unsigned syntax;
    uint32_t first, end;
    uint32_t *shown, nshown; /* registers that are columns */
};

static bool appears(const struct live_code *c, uint32_t reg)
{
    for (uint32_t i = c->first; i < c->end; i++)
        if (lives_of(c->l, i, reg) != LIFE_DEAD) return true;
    return false;
}

static void choose_columns(struct live_code *c)
{
    c->shown = xcalloc((size_t)c->l->nregs + 1, sizeof *c->shown);
    for (uint32_t r = 0; r < c->l->nregs; r++)
        if (appears(c, r)) c->shown[c->nshown++] = r;
}

static int register_name(const struct live_code *c, uint32_t reg, char *buf, size_t size)
{
    const struct lives_register *r = &c->l->reg[reg];
    return gpudbg_register_name(&c->l->isa->files[r->file], r->number, buf, size);
}

/* Whether a column begins another kind of registers: a blank stands before it. */
static bool begins_kind(const struct live_code *c, uint32_t i)
{
    return i && c->l->reg[c->shown[i]].kind != c->l->reg[c->shown[i - 1]].kind;
}

/* Names of registers stand over their columns, from the top down. */
static void say_head(const struct live_code *c, struct gpudbg_out *out)
{
    char name[32];
    int rows = 0;
    for (uint32_t i = 0; i < c->nshown; i++) {
        const int n = register_name(c, c->shown[i], name, sizeof name);
        rows = n > rows ? n : rows;
    }
    gpudbg_out_print(out, "// %c born  %c used  %c read last  %c written  %c never read  %c alive  %c perhaps alive\n",
        life_mark[LIFE_BORN], life_mark[LIFE_USED], life_mark[LIFE_DIES], life_mark[LIFE_WRITTEN],
        life_mark[LIFE_UNREAD], life_mark[LIFE_ALIVE], life_mark[LIFE_PERHAPS]);
    char *line = xalloc(2 * (size_t)c->nshown + 64);
    for (int row = 0; row < rows; row++) {
        size_t n = 0;
        for (uint32_t i = 0; i < c->nshown; i++) {
            const int length = register_name(c, c->shown[i], name, sizeof name), at = row - (rows - length);
            if (begins_kind(c, i)) line[n++] = ' ';
            line[n++] = at >= 0 ? name[at] : ' ';
        }
        line[n] = 0;
        gpudbg_out_print(out, "//                %s\n", line);
    }
    free(line);
}

static void say_names(const struct live_code *c, struct gpudbg_out *out, uint32_t insn, const char *key, unsigned kinds)
{
    char name[32];
    gpudbg_out_array(out, key);
    for (uint32_t i = 0; i < c->nshown; i++) {
        if (!(kinds >> lives_of(c->l, insn, c->shown[i]) & 1)) continue;
        register_name(c, c->shown[i], name, sizeof name);
        gpudbg_out_string(out, NULL, name);
    }
    gpudbg_out_close(out);
}

static void say_insn(const struct live_code *c, struct gpudbg_out *out, const struct gpudbg_insn *insn, uint32_t i)
{
    char text[1024], *marks = xalloc(2 * (size_t)c->nshown + 2);
    size_t n = 0;
    const struct pressure_at none = {0, 0, 0}, *at = i == UINT32_MAX ? &none : &c->l->at[i];
    for (uint32_t k = 0; k < c->nshown; k++) {
        if (begins_kind(c, k)) marks[n++] = ' ';
        marks[n++] = i == UINT32_MAX ? ' ' : life_mark[lives_of(c->l, i, c->shown[k])];
    }
    marks[n] = 0;
    insn->isa->text(insn, c->syntax, GPUDBG_READABLE, &c->names.names, text, sizeof text);
    BEGIN(out, "live-insn", "{pc:04}  {vector:4} {scalar:4}  {marks}  {text}\n", HEX_DIGITS("pc", insn->addr, 4),
        NUMBER("vector", (int)at->vector), NUMBER("scalar", (int)at->scalar), TEXT("marks", marks),
        STRING("text", text));
    if (i != UINT32_MAX) {
        say_names(c, out, i, "born", 1u << LIFE_BORN | 1u << LIFE_UNREAD);
        say_names(c, out, i, "dies", 1u << LIFE_DIES | 1u << LIFE_UNREAD);
        say_names(c, out, i, "used", 1u << LIFE_USED | 1u << LIFE_WRITTEN);
        say_names(c, out, i, "alive", 1u << LIFE_ALIVE | 1u << LIFE_PERHAPS);
    }
    gpudbg_out_end(out);
    free(marks);
}

static void list(struct live_code *c, uint64_t from, uint64_t to, struct gpudbg_out *out)
{
    struct code_walk w;
    struct gpudbg_insn insn;
    char label[256];
    c->first = 0;
    while (c->first < c->l->n && c->l->addr[c->first] < from) c->first++;
    for (c->end = c->first; c->end < c->l->n && c->l->addr[c->end] < to;) c->end++;
    choose_columns(c);
    say_head(c, out);
    code_walk_open(&w, c->g->loaded.image, from, to);
    while (!out_broken(out) && code_walk_next(&w, &insn)) {
        const struct gpudbg_symbol *s = gpudbg_image_symbol_at(c->g->loaded.image, insn.addr);
        const char *name = s && s->addr == insn.addr
                               ? s->name
                               : c->names.names.name(&c->names.names, insn.addr, label, sizeof label);
        if (name) gpudbg_out_print(out, "%s:\n", name);
        if (w.is_insn) say_insn(c, out, &insn, lives_find(c->l, insn.addr));
    }
    free(c->shown);
}

bool live_code_list(struct gpudbg *g, uint64_t from, uint64_t to, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        const uint64_t start = s->addr > from ? s->addr : from, end = s->addr + s->size < to ? s->addr + s->size : to;
        if (!s->bytes || !(s->flags & GPUDBG_CODE_BYTES) || start >= end) continue;
        struct live_code c = {.g = g, .syntax = settings_syntax(&g->settings, image->isa)};
        struct lives *l = lives_new(image, start, err);
        if (!l) return false;
        c.l = l;
        const bool named = code_names_open(&c.names, image, start, end, NULL, &g->ticker, err);
        if (named) list(&c, start, end, out);
        if (named) code_names_close(&c.names);
        lives_free(l);
        if (!named) return false;
    }
    return true;
}
