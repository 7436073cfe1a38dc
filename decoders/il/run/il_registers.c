/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_registers.c: registers for the user.  A file is a type of registers; four registers of one component each make one
 * register of the manual's. */
#include <string.h>

#include "run/il_run.h"

static bool is_constant(unsigned file) { return file <= IL_REG_CONST_INT || file == IL_REG_LITERAL; }

/* What follows from the program or the launch: constants, literals, identifiers. */
bool il_fixed(unsigned file)
{
    return is_constant(file) || (file >= IL_REG_THREAD_ID_IN_GROUP && file <= IL_REG_THREAD_GROUP_ID_FLAT) ||
           file == IL_REG_OCP_ID || file == IL_REG_SHADER_INSTANCE_ID || file == IL_REG_TIMER;
}

/* Registers of a fixed type: as many as the program gives values, or the one there is. */
static unsigned count_fixed(const struct il *r, unsigned file)
{
    unsigned most = is_constant(file) ? 0 : (unsigned)(r->named >> file & 1);
    for (uint32_t i = 0; i < r->nconstants; i++)
        if (r->constant[i].type == file && !r->constant[i].scope && r->constant[i].number < 16384 &&
            r->constant[i].number >= most)
            most = r->constant[i].number + 1;
    return 4 * most;
}

/* A component of a fixed register, for a look. */
static uint32_t *fixed_row(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct il *r = il_of(w);
    uint32_t rows[4][IL_LANES];
    struct il_location at = {.type = (uint8_t)file, .number = index / 4, .slot = IL_NO_SLOT};
    if (index >= count_fixed(r, file)) return NULL;
    const uint32_t constant = il_constant_of(r, &at);
    if (is_constant(file) && !constant) return NULL;
    uint32_t *row = r->shown[r->nshown++ % 64];
    if (constant) {
        for (unsigned l = 0; l < IL_LANES; l++) row[l] = r->constant[constant - 1].value[index % 4];
    } else {
        il_special(w, r, &at, rows);
        memcpy(row, rows[index % 4], sizeof rows[0]);
    }
    return row;
}

unsigned il_count(const struct gpudbg_machine *m, unsigned file)
{
    const struct il *r = m->runner;
    unsigned most = 0;
    if (il_fixed(file)) return count_fixed(r, file);
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        if (range->scope) continue;
        if (range->type == file || (file == IL_REG_VERTEX && range->type == IL_REG_INPUT)) {
            const uint32_t end = file == IL_REG_ITEMP ? most / 4 + range->count : range->first + range->count;
            most = 4 * end > most ? 4 * end : most;
        }
    }
    return file == IL_FILE_EXEC || file == IL_FILE_DISCARD ? 1 : most;
}

uint32_t *il_reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    const struct il *r = il_of(w);
    uint32_t before = 0; /* of indexed temporaries, which are counted through */
    if (file == IL_FILE_EXEC || file == IL_FILE_DISCARD)
        return index ? NULL : w->words + (file == IL_FILE_EXEC ? IL_EXEC : IL_DISCARD);
    if (il_fixed(file)) return fixed_row(w, file, index);
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        const uint32_t number = index / 4;
        if (range->scope || (range->type != file && !(file == IL_REG_VERTEX && range->type == IL_REG_INPUT))) continue;
        const uint32_t first = file == IL_REG_ITEMP ? before : range->first;
        before += range->count;
        if (number >= first && number - first < range->count)
            return il_row_of(w, range->slot + number - first, index % 4);
    }
    return NULL;
}

/* Element `index` of the indexed temporary xN: those of all arrays are counted through. */
static enum gpudbg_written_as written_element(
    const struct il *r, long number, uint64_t index, struct gpudbg_written *to)
{
    to->reg = 0;
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        if (range->scope || range->type != IL_REG_ITEMP) continue;
        if (range->first == (unsigned long)number && index < range->count) {
            to->reg += (unsigned)index;
            return GPUDBG_WRITTEN_REGISTER;
        }
        to->reg += range->count;
    }
    return GPUDBG_WRITTEN_NO;
}

/* 16 bytes of a buffer a register. */
static enum gpudbg_written_as written_in(
    const struct gpudbg_segment *s, uint64_t base, uint64_t size, uint64_t index, struct gpudbg_written *to)
{
    if (!s || index >= size / 16) return GPUDBG_WRITTEN_NO;
    to->addr = s->base + base + 16 * index;
    return GPUDBG_WRITTEN_MEMORY;
}

enum gpudbg_written_as il_written(
    const struct gpudbg_machine *m, unsigned file, long number, const uint64_t *index, struct gpudbg_written *to)
{
    const struct il *r = m->runner;
    if (file >= IL_REGTYPES) return GPUDBG_WRITTEN_NO;
    const bool named = il_register[file].shape == IL_NAMED;
    if (named && number < 0) return GPUDBG_WRITTEN_NO;
    if (!index && (named || number < 0)) return GPUDBG_WRITTEN_INDEXED;
    if (file == IL_REG_ITEMP) return written_element(r, number, *index, to);
    if (file == IL_REG_CONST_BUFF && number < 64)
        return written_in(r->cb[number].segment, r->cb[number].base, r->cb[number].size, *index, to);
    if (file == IL_REG_GLOBAL && index) return written_in(r->global, 0, r->global ? r->global->size : 0, *index, to);
    const uint64_t reg = number < 0 ? *index : (uint64_t)number;
    to->reg = (unsigned)reg;
    return reg < il_count(m, file) / 4 ? GPUDBG_WRITTEN_REGISTER : GPUDBG_WRITTEN_NO;
}

void il_changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    (void)index;
    if (file == IL_FILE_EXEC) /* lanes that have ended stay ended */
        il_set_pair(w->words, IL_EXEC, il_exec(w) & il_pair(w->words, IL_ALIVE));
}
