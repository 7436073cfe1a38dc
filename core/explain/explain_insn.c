/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_insn.c: the instruction that goes with a subject: where a wave stands, a stream is read, a register points.
 */
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "explain/explain_keys.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "code/records.h"
#include "dump/dump.h"
#include "dump/dump_lanes.h"
#include "dump/dump_packet.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"

#define LOOKS_MOST \
    256 /* in streams, for what registers point at: findings beyond the first of a rule are only counted */

static void keep_text(struct context *c)
{
    const struct gpudbg_isa *isa = c->insn.isa;
    c->has_insn = true;
    c->insn.databases = gpudbg_dump_databases(c->d);
    if (isa->text(&c->insn, insn_syntax_or_first(isa, c->options->syntax), GPUDBG_READABLE, NULL, c->insn_text,
            sizeof c->insn_text) < 0)
        snprintf(c->insn_text, sizeof c->insn_text, "%s", c->insn.op->name);
}

static void wave_instruction(struct context *c)
{
    bool assumed;
    const struct gpudbg_isa *isa = c->family ? dump_wave_isa(c->d, c->wave, &assumed) : NULL;
    struct gpudbg_record r;
    size_t n = 0;
    for (; n < 2 && dump_wave_part(isa, c->d, c->wave, "code", (unsigned)n, &r); n++)
        le_put(c->code + 4 * n, r.value, 4);
    c->decodable = isa != NULL;
    if (isa && n && isa->decode(isa, c->code, 4 * n, 0, &c->insn) > 0) keep_text(c);
    /* A wave that tells no words stands in the loaded code, perhaps. */
    uint64_t pc, shift;
    size_t left;
    const uint8_t *bytes = NULL;
    if (isa && !n && dump_wave_pc(isa, c->d, c->wave, &pc) && dump_placed(c->d, c->family, &shift))
        bytes = gpudbg_image_bytes(*dump_env_of(c->d)->image, pc - shift, &left);
    if (bytes && gpudbg_insn_at(isa, bytes, left, pc - shift, &c->insn)) keep_text(c);
}

static void say_place(struct context *c, const struct gpudbg_stream *s, uint64_t at)
{
    snprintf(c->place, sizeof c->place, "%s%s%s+0x%" PRIx64, s->unit ? s->unit : "", s->unit ? " " : "", s->kind, at);
}

/* Walks a stream to an offset: the instruction there and the names of those just before.  An engine may point behind
 * the command that it executes: then this one is meant. */
static void stream_instruction(struct context *c, const struct gpudbg_stream *s, uint64_t to)
{
    const struct gpudbg_isa *isa = dump_stream_isa(c->d, s);
    const char *last[3] = {NULL, NULL, NULL};
    struct gpudbg_insn before = {.size = 0}; /* the known one that ends at `at` */
    uint64_t at = 0;
    c->decodable = isa != NULL;
    say_place(c, s, to);
    if (!isa || to > s->size) return;
    while (at < s->size) {
        struct gpudbg_insn insn;
        bool good = gpudbg_insn_at(
            isa, s->bytes + at, s->size - (size_t)at, s->addr == GPUDBG_NO_ADDR ? at : s->addr + at, &insn);
        if (at >= to || at + insn.size > to) {
            const bool passed = before.size && at == to && packet_is_executed(c->d, s, &before) &&
                                !packet_is_executed(c->d, s, &insn);
            if (passed) {
                at -= before.size;
                say_place(c, s, at);
                memmove(last + 1, last, 2 * sizeof *last);
                last[0] = NULL;
            }
            c->insn = passed ? before : insn;
            if (good || passed) keep_text(c);
            break;
        }
        last[0] = last[1];
        last[1] = last[2];
        last[2] = good ? insn.op->name : "(data)";
        before = insn;
        if (!good) before.size = 0;
        at += insn.size;
    }
    struct text names = text_in(c->before, sizeof c->before);
    for (unsigned i = 0; i < 3; i++)
        if (last[i]) text_add(&names, "%s%s", names.n ? ", " : "", last[i]);
}

/* Whether a pointer is what the engine's register says where its ring is read: an offset there then, and no address. */
static bool is_ring_head(const struct context *c, uint64_t value)
{
    struct gpudbg_record r;
    for (size_t i = 0; i < c->rules->nwords; i++) {
        const struct word_entry *w = &c->rules->word[i];
        if (strcmp(w->list, "holds") == 0 && strcmp(w->means, "head") == 0 &&
            gpudbg_dump_find(c->d, c->capture, c->record->unit, w->word, &r) && r.value == value)
            return true;
    }
    return false;
}

/* Where the engine's ring is read, if the dump holds the ring. */
static void ring_instruction(struct context *c)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(c->d, &n);
    for (size_t i = 0; i < n; i++)
        if (s[i].capture == c->capture && s[i].read != GPUDBG_NO_ADDR && strcmp(s[i].kind, "ring") == 0 && s[i].unit &&
            c->record->unit && strcmp(s[i].unit, c->record->unit) == 0) {
            c->ring_empty = s[i].read == s[i].write;
            stream_instruction(c, &s[i], s[i].read);
            return;
        }
}

/* The stream that holds the address in a register of an engine: its own engine's first. */
static void pointed_instruction(struct context *c, uint64_t addr)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(c->d, &n);
    if ((c->in_ring = is_ring_head(c, addr))) {
        ring_instruction(c);
        return;
    }
    if (dump_stream_holding(c->d, addr) == SIZE_MAX || c->looks++ >= LOOKS_MOST) return;
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < n; i++) {
            bool mine = !c->record->unit || !s[i].unit || strcmp(s[i].unit, c->record->unit) == 0;
            bool inside = s[i].capture == c->capture && s[i].addr != GPUDBG_NO_ADDR && addr >= s[i].addr &&
                          addr - s[i].addr < s[i].size;
            if (inside && mine == own) {
                stream_instruction(c, &s[i], addr - s[i].addr);
                return;
            }
        }
}

/* A value that is the first word of a command. */
static void header_instruction(struct context *c)
{
    struct gpudbg_stream batch = {.kind = "batch",
        .unit = c->record->unit,
        .addr = 0,
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX,
        .capture = c->capture,
        .bytes = c->code,
        .size = sizeof c->code};
    size_t n;
    const struct gpudbg_stream *all = gpudbg_dump_streams(c->d, &n);
    for (size_t i = 0; i < n && batch.unit && !batch.engine; i++) /* of the kind that the unit's streams are */
        if (all[i].capture == c->capture && all[i].unit && strcmp(all[i].unit, batch.unit) == 0)
            batch.engine = all[i].engine;
    const struct gpudbg_isa *isa = dump_stream_isa(c->d, &batch);
    c->decodable = isa != NULL;
    le_put(c->code, c->record->value, 4);
    if (isa && isa->decode(isa, c->code, sizeof c->code, 0, &c->insn) > 0) c->has_insn = true;
}

void take_instruction(struct context *c)
{
    const char *what = NULL;
    c->has_insn = c->decodable = c->in_ring = c->ring_empty = false;
    c->insn_text[0] = c->before[0] = c->place[0] = 0;
    memset(c->code, 0, sizeof c->code);
    if (c->wave)
        wave_instruction(c);
    else if (c->stream && c->stream->read != GPUDBG_NO_ADDR)
        stream_instruction(c, c->stream, c->stream->read);
    else if (c->record && c->record->name && (what = rules_word(c->rules, "holds", c->record->name)) &&
             strcmp(what, "header") == 0)
        header_instruction(c);
    else if (c->record && what && strcmp(what, "pointer") == 0)
        pointed_instruction(c, c->record->value);
}
