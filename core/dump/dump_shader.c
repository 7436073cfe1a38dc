/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_shader.c: see dump_shader.h.  Bases hold from the beginning of a root stream through those that it runs. */
#include "dump/dump_shader.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump.h"
#include "dump/dump_draw.h"
#include "dump/dump_show.h"

#define SHADERS_MOST 10000u
#define STRUCTURES_MOST 64u /* of one pointer */
#define DEPTH_MOST 3u       /* of structures that point at structures */
#define PROGRAM_MOST ((size_t)4 << 20)

struct walk {
    const struct gpudbg_dump *d;
    struct gpudbg_bases bases;
    struct dump_shader *found;
    size_t n, room, root;
    struct dump_shader at; /* command, capture, stream, offset, isa */
};

const uint8_t *dump_bytes_at(const struct gpudbg_dump *d, uint32_t capture, uint64_t addr, size_t *n)
{
    size_t streams;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &streams);
    const size_t i = dump_stream_holding(d, addr);
    if (i >= streams || s[i].capture != capture) return NULL;
    *n = s[i].size - (size_t)(addr - s[i].addr);
    return s[i].bytes + (addr - s[i].addr);
}

static void find_end(struct dump_shader *s, size_t held)
{
    const struct gpudbg_isa *isa = s->isa;
    s->size = held < PROGRAM_MOST ? held : PROGRAM_MOST;
    const size_t end = isa && isa->traits.program ? isa->traits.program(isa, s->bytes, s->size) : 0;
    s->ends = end != 0;
    if (end) s->size = end;
}

static void add(struct walk *w, const struct gpudbg_point *p)
{
    struct dump_shader s = w->at;
    size_t held = 0;
    s.name = p->name;
    s.base = p->base;
    s.based = p->based;
    s.addr = p->based ? p->addr : p->offset;
    for (size_t i = 0; i < w->n; i++)
        if (w->found[i].addr == s.addr && w->found[i].based == s.based && w->found[i].capture == s.capture &&
            strcmp(w->found[i].command, s.command) == 0 && strcmp(w->found[i].name, s.name) == 0)
            return;
    if (w->n == SHADERS_MOST) return;
    s.bytes = s.based ? dump_bytes_at(w->d, s.capture, s.addr, &held) : NULL;
    if (s.bytes) find_end(&s, held);
    if (w->n == w->room) {
        w->room = w->room ? 2 * w->room : 16;
        w->found = xrealloc(w->found, w->room, sizeof *w->found);
    }
    w->found[w->n++] = s;
}

bool dump_structure(const struct gpudbg_dump *d, uint32_t capture, const struct gpudbg_isa *isa,
    const struct gpudbg_point *p, unsigned k, struct gpudbg_insn *insn)
{
    uint32_t bits = 0;
    size_t n;
    *insn = (struct gpudbg_insn){.isa = isa, .op = p->op};
    for (unsigned i = 0; p->words[i] && i < GPUDBG_PARTS; i++) bits += p->words[i]->bits;
    insn->size = bits / 8;
    insn->addr = p->addr + (uint64_t)k * insn->size;
    insn->raw = dump_bytes_at(d, capture, insn->addr, &n);
    return insn->raw && insn->size && n >= insn->size;
}

static void follow(struct walk *w, const struct gpudbg_insn *insn, unsigned depth)
{
    const struct gpudbg_isa *isa = insn->isa;
    struct gpudbg_point p;
    struct gpudbg_insn inner;
    for (unsigned i = 0; isa->pointing->points(insn, &w->bases, i, &p); i++) {
        if (!p.op) add(w, &p);
        for (unsigned k = 0; p.op && p.based && depth < DEPTH_MOST && k < p.count && k < STRUCTURES_MOST; k++)
            if (dump_structure(w->d, w->at.capture, isa, &p, k, &inner)) follow(w, &inner, depth + 1);
    }
}

static void command(void *to, size_t root, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct walk *w = to;
    size_t n;
    bool assumed;
    const struct gpudbg_stream *s = &gpudbg_dump_streams(w->d, &n)[stream];
    if (!insn->isa->pointing) return;
    if (w->root != root) w->bases = (struct gpudbg_bases){.known = 0};
    w->root = root;
    const char *family = dump_family(w->d, s->capture, &assumed);
    w->at = (struct dump_shader){.command = insn->op->name,
        .capture = s->capture,
        .stream = stream,
        .offset = offset,
        .isa = family ? gpudbg_dump_isa_named(w->d, family) : NULL};
    follow(w, insn, 0);
    insn->isa->pointing->set_bases(insn, &w->bases);
}

struct dump_shader *dump_shaders(const struct gpudbg_dump *d, size_t *n)
{
    struct walk w = {.d = d, .root = SIZE_MAX};
    draw_commands(d, command, &w);
    *n = w.n;
    return w.found;
}
