/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_lanes.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "dump/dump.h"
#include "dump/dump_descriptor.h"
#include "dump/dump_draw.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"

const struct gpudbg_isa *dump_isa_of_lanes(const struct gpudbg_isa *isa, unsigned lanes)
{
    if (isa->lanes == lanes) return isa;
    return isa->dumped && isa->dumped->of_lanes ? isa->dumped->of_lanes(isa, lanes) : NULL;
}

static bool has_sizes(const struct gpudbg_isa *isa) { return isa && isa->dumped && isa->dumped->lanes; }

/* ---- A wave ---- */

unsigned dump_wave_lanes(
    const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, char *how, size_t size)
{
    uint64_t value;
    struct gpudbg_record high;
    if (!has_sizes(isa)) return 0;
    for (const struct gpudbg_dumped_lanes *row = isa->dumped->lanes; row->field; row++) {
        const struct gpudbg_dumped_wait field = {.record = row->record, .field = row->field};
        if (row->work || !dump_wave_wait(isa, d, w, &field, &value)) continue;
        snprintf(how, size, "%s.%s is %u", row->record, row->field, (unsigned)value);
        return row->lanes[value != 0];
    }
    if (w->v.count) {
        snprintf(how, size, "the dump has %u lanes of its vector registers", (unsigned)w->v.lanes);
        return w->v.lanes;
    }
    /* Compilers leave the high half of the mask alone in waves of 32. */
    if (!dump_wave_part(isa, d, w, isa->dumped->mask, 1, &high) || !high.value) return 0;
    snprintf(how, size, "its %s has lanes from 32 on", isa->dumped->mask);
    return 64;
}

bool dump_wave_suits(const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w)
{
    char how[96];
    const unsigned lanes = dump_wave_lanes(isa, d, w, how, sizeof how);
    return !lanes || lanes == isa->lanes;
}

/* ---- A program that commands start ---- */

struct search {
    const struct gpudbg_dump *d;
    const struct gpudbg_isa *isa;
    const char *family;
    const struct gpudbg_stream *code;
    unsigned lanes;
    bool differ; /* it is started with either size */
};

static const struct draw_state *state_of(const struct draw_state *state, size_t n, uint64_t addr)
{
    for (size_t i = 0; i < n; i++)
        if (state[i].key == addr && state[i].bytes && state[i].size >= 4) return &state[i];
    return NULL;
}

/* The value of the row's field: in the command that starts the work, or in the register that has it. */
static bool row_value(const struct search *s, const struct gpudbg_dumped_lanes *row, const struct gpudbg_insn *insn,
    const struct draw_state *state, size_t n, uint64_t *value)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8] = {0};
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);)
        if (strcasecmp(it.field->name, row->field) == 0) return *value = it.value, true;
    const struct gpudbg_reg *reg = gpudbg_reg_named(gpudbg_dump_databases(s->d), s->family, row->record);
    const struct draw_state *held = reg ? state_of(state, n, reg->addr) : NULL;
    if (!held) return false;
    memcpy(bytes, held->bytes, 4);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);)
        if (strcmp(it.field->name, row->field) == 0) return *value = it.value, true;
    return false;
}

/* Whether the register, and the next one, which has the high half, hold an address within the code. */
static bool row_starts(
    const struct search *s, const struct gpudbg_dumped_lanes *row, const struct draw_state *state, size_t n)
{
    const struct gpudbg_reg *reg = gpudbg_reg_named(gpudbg_dump_databases(s->d), s->family, row->program);
    const struct draw_state *low = reg ? state_of(state, n, reg->addr) : NULL;
    const struct draw_state *high = low ? state_of(state, n, reg->addr + 4) : NULL;
    if (!low) return false;
    const uint64_t units = le_u32(low->bytes) | (high ? (uint64_t)(le_u32(high->bytes) & row->high) << 32 : 0);
    const uint64_t addr = units << row->scale;
    return addr >= s->code->addr && addr - s->code->addr < s->code->size;
}

static void at_work(
    void *to, const struct draw_event *e, const struct gpudbg_insn *insn, const struct draw_state *state, size_t n)
{
    struct search *s = to;
    size_t streams;
    uint64_t value;
    if (!insn || gpudbg_dump_streams(s->d, &streams)[e->stream].capture != s->code->capture) return;
    for (const struct gpudbg_dumped_lanes *row = s->isa->dumped->lanes; row->field; row++) {
        if (!row->work || strncmp(insn->op->name, row->work, strlen(row->work)) != 0 || !row_starts(s, row, state, n) ||
            !row_value(s, row, insn, state, n, &value))
            continue;
        s->differ |= s->lanes && s->lanes != row->lanes[value != 0];
        s->lanes = row->lanes[value != 0];
    }
}

/* 0: no command says it, or they differ. */
static unsigned lanes_by_commands(
    const struct gpudbg_dump *d, const struct gpudbg_isa *isa, const struct gpudbg_stream *code)
{
    bool assumed;
    struct search s = {.d = d, .isa = isa, .family = dump_family(d, code->capture, &assumed), .code = code};
    if (code->addr != GPUDBG_NO_ADDR && s.family) draw_works(d, at_work, &s);
    return s.differ ? 0 : s.lanes;
}

/* ---- Instruction sets ---- */

/* Where the dump does not say the size: what the user or the loaded code says. */
static const struct gpudbg_isa *otherwise(
    const struct gpudbg_dump *d, const struct gpudbg_isa *isa, unsigned lanes, bool *assumed)
{
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    const struct gpudbg_isa *said[] = {*dump_env_of(d)->isa, image ? image->isa : NULL}, *found;
    if (lanes && (found = dump_isa_of_lanes(isa, lanes))) return found;
    for (size_t i = 0; i < 2; i++)
        if (said[i] && dump_family_fits(isa->name, said[i]) && (found = dump_isa_of_lanes(isa, said[i]->lanes)))
            return found;
    *assumed = true;
    return isa;
}

static const struct gpudbg_isa *isa_of(const struct gpudbg_dump *d, uint32_t capture)
{
    bool assumed;
    const char *family = dump_family(d, capture, &assumed);
    return family ? gpudbg_dump_isa_named(d, family) : NULL;
}

const struct gpudbg_isa *dump_wave_isa(const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, bool *assumed)
{
    char how[96];
    const struct gpudbg_isa *isa = isa_of(d, w->capture);
    *assumed = false;
    return has_sizes(isa) ? otherwise(d, isa, dump_wave_lanes(isa, d, w, how, sizeof how), assumed) : isa;
}

const struct gpudbg_isa *dump_code_isa(const struct gpudbg_dump *d, const struct gpudbg_stream *s, bool *assumed)
{
    size_t n;
    const struct gpudbg_isa *isa = dump_stream_isa(d, s);
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &n);
    *assumed = false;
    if (strcmp(s->kind, "code") != 0 || !has_sizes(isa)) return isa;
    for (size_t i = 0; i < n && s->unit; i++)
        if (w[i].capture == s->capture && strcmp(w[i].unit, s->unit) == 0) return dump_wave_isa(d, &w[i], assumed);
    return otherwise(d, isa, lanes_by_commands(d, isa, s), assumed);
}

/* ---- The loaded code ---- */

bool dump_waves_fit(struct gpudbg_dump *const *dumps, size_t ndumps)
{
    for (size_t i = 0; i < ndumps; i++) {
        const struct gpudbg_dump *d = dumps[i];
        const struct gpudbg_image *image = *dump_env_of(d)->image;
        const struct gpudbg_isa *isa = image ? image->isa : NULL;
        uint64_t shift = 0;
        size_t n, captures, good = 0;
        const char *problem;
        if (!isa || !isa->run || !isa->dumped) return false;
        const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &n);
        if (!n) continue;
        const char *family = gpudbg_dump_captures(d, &captures)[w[0].capture].family;
        if (!dump_family_fits(family, isa) || !dump_place(image, d, false, &shift, &good, &problem) || !good)
            return false;
        for (size_t k = 0; k < n; k++)
            if (dump_wave_suits(isa, d, &w[k]) && dump_wave_fits(image, d, &w[k], shift)) return true;
        return false;
    }
    return false;
}
