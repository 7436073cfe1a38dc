/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_exec.c: one op after another; arithmetic; registers for the user. */
#include "run/il_run.h"

#include <string.h>

#include "gpudbg/lanes.h"

/* ---- Arithmetic ---- */

enum gpudbg_ran il_do_nothing(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    (void)w, (void)r, (void)op;
    return GPUDBG_RAN_LIMIT;
}

/* What ops.def names for arithmetic.  A launch puts il_do_planned in its place; without one nothing runs. */
enum gpudbg_ran il_do_alu(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    return op->plan ? il_do_planned(w, r, op) : il_do_nothing(w, r, op);
}

/* ---- Matrices: a row is a register, the first one named ---- */

/* From the place of a matrix's first row to that of row k. */
static void row_place(struct il_location *at, unsigned k)
{
    if (at->slot != IL_NO_SLOT && !at->relative)
        at->slot += k;
    else if (at->dimensions)
        at->index[at->dimensions - 1].offset += (int32_t)k;
    else
        at->number += k;
}

/* Row k of a matrix that begins at a source; the same modifiers apply to each. */
static void fetch_row(
    struct gpudbg_wave *w, struct amdil *r, const struct il_source *first, unsigned k, uint32_t (*to)[IL_LANES])
{
    struct il_source s = *first;
    const uint32_t *rows[4];
    row_place(&s.at, k);
    s.at.constant = il_constant_of(r, &s.at);
    il_fetch(w, r, &s, IL_FLOAT, 3, rows);
    for (unsigned c = 0; c < 4; c++) memcpy(to[c], rows[c], sizeof to[c]);
}

enum gpudbg_ran il_do_mmul(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    static const struct {
        uint8_t rows, length;
    } shapes[8] = {{4, 4}, {3, 4}, {4, 3}, {3, 3}, {2, 3}};
    const unsigned shape = op->control >> 16 & 7;
    const uint32_t *v[4];
    uint32_t row[4][IL_LANES];
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, v);
    memset(r->result, 0, sizeof r->result);
    for (unsigned k = 0; k < shapes[shape].rows; k++) {
        fetch_row(w, r, &op->src[1], k, row);
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t sum = il_mul(v[0][l], row[0][l], false);
            for (unsigned c = 1; c < shapes[shape].length; c++)
                sum = il_float_add(sum, il_mul(v[c][l], row[c][l], false));
            r->result[k][l] = sum;
        }
    }
    return il_store(w, r, &op->dst[0], IL_FLOAT, (1u << shapes[shape].rows) - 1, NULL, r->result) ? GPUDBG_RAN_LIMIT
                                                                                                  : GPUDBG_RAN_FAULT;
}

static double minor(double m[4][4], unsigned a, unsigned b, unsigned c)
{
    return m[1][a] * (m[2][b] * m[3][c] - m[2][c] * m[3][b]) - m[1][b] * (m[2][a] * m[3][c] - m[2][c] * m[3][a]) +
           m[1][c] * (m[2][a] * m[3][b] - m[2][b] * m[3][a]);
}

/* Computed in doubles, rounded once. */
enum gpudbg_ran il_do_det(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    uint32_t row[4][4][IL_LANES];
    for (unsigned k = 0; k < 4; k++) fetch_row(w, r, &op->src[0], k, row[k]);
    for (unsigned l = 0; l < IL_LANES; l++) {
        double m[4][4];
        for (unsigned k = 0; k < 4; k++)
            for (unsigned c = 0; c < 4; c++) m[k][c] = (double)lanes_f32(lanes_flush32(row[k][c][l], false));
        const float d = (float)(m[0][0] * minor(m, 1, 2, 3) - m[0][1] * minor(m, 0, 2, 3) +
                                m[0][2] * minor(m, 0, 1, 3) - m[0][3] * minor(m, 0, 1, 2));
        const uint32_t bits = d != d ? LANES_NAN32 : lanes_flush32(lanes_bits32(d), false);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = bits;
    }
    return il_store(w, r, &op->dst[0], IL_FLOAT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_transpose(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    uint32_t row[4][4][IL_LANES];
    for (unsigned k = 0; k < 4; k++) fetch_row(w, r, &op->src[0], k, row[k]);
    for (unsigned k = 0; k < 4; k++) {
        struct il_dest d = op->dst[0];
        row_place(&d.at, k);
        for (unsigned c = 0; c < 4; c++) memcpy(r->result[c], row[c][k], sizeof r->result[c]);
        if (!il_store(w, r, &d, IL_MOVED, 15, NULL, r->result)) return GPUDBG_RAN_FAULT;
    }
    return GPUDBG_RAN_LIMIT;
}

/* ---- What executes a row ---- */

#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) il_fn body;
#define EACH(...) il_do_alu
#define EACH_OF EACH
#define ONE EACH
#define PAIR EACH
#define BOOL EACH
#define VEC EACH
#define DO(name) il_do_##name
#define NONE il_do_nothing
#include "ops.def"

static il_fn *const functions[IL_ROWS] = {
#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) [IL_ROW_##id] = body,
#define EACH(...) il_do_alu
#define EACH_OF EACH
#define ONE EACH
#define PAIR EACH
#define BOOL EACH
#define VEC EACH
#define DO(name) il_do_##name
#define NONE NULL
#include "ops.def"
};

il_fn *il_fn_of(const struct gpudbg_op *row) { return functions[row->id]; }

/* ---- Running ---- */

static enum gpudbg_ran step(struct gpudbg_wave *w, struct amdil *r, uint32_t at)
{
    const struct il_exec_op *op = &r->op[at];
    w->pc = op->pc;
    if (!op->fn) return gpudbg_fault(w, -1, "%s: not implemented: no manual says what it does", op->row->name);
    r->now = op;
    r->next = op->next;
    r->event = r->refused = false;
    const enum gpudbg_ran ran = op->fn(w, r, op);
    const bool refused = r->refused;
    r->refused = false;
    if (ran == GPUDBG_RAN_FAULT || refused) return GPUDBG_RAN_FAULT;
    if (ran == GPUDBG_RAN_END) {
        w->state = GPUDBG_ENDED;
        return ran;
    }
    if (!il_exec(w)) il_skip(w, r, at);
    w->pc = r->op[r->next].pc;
    if (ran != GPUDBG_RAN_LIMIT) return ran;
    return w->machine->watch_hit ? GPUDBG_RAN_WATCH : r->event ? GPUDBG_RAN_EVENT : GPUDBG_RAN_LIMIT;
}

static enum gpudbg_ran run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    struct amdil *r = il_of(w);
    uint32_t at = il_op_at(r, w->pc);
    enum gpudbg_ran ran = GPUDBG_RAN_LIMIT;
    if (at == IL_NO_OP || !r->op[at].executable)
        return gpudbg_fault(w, -1, "no instruction starts here that gpudbg can execute");
    for (; limit && ran == GPUDBG_RAN_LIMIT && !w->machine->interrupt; limit--, over = false) {
        if (r->breakpoint[at] && !over) return GPUDBG_RAN_BREAK;
        ran = step(w, r, at);
        w->executed += ran != GPUDBG_RAN_FAULT;
        at = r->next;
    }
    return ran;
}

static bool breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct amdil *r = m->runner;
    const uint32_t at = il_op_at(r, pc);
    if (at == IL_NO_OP || !r->op[at].executable) return false;
    r->breakpoint[at] = on;
    return true;
}

/* ---- Registers: files are types; four registers of a component each make one of the manual's ---- */

static bool is_constant(unsigned file) { return file <= IL_REG_CONST_INT || file == IL_REG_LITERAL; }

/* What follows from the program or the launch: constants, literals, identifiers. */
static bool fixed(unsigned file)
{
    return is_constant(file) || (file >= IL_REG_THREAD_ID_IN_GROUP && file <= IL_REG_THREAD_GROUP_ID_FLAT) ||
           file == IL_REG_OCP_ID || file == IL_REG_SHADER_INSTANCE_ID || file == IL_REG_TIMER;
}

/* Registers of a fixed type: as many as the program gives values, or the one there is. */
static unsigned count_fixed(const struct amdil *r, unsigned file)
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
    struct amdil *r = il_of(w);
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

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    const struct amdil *r = m->runner;
    unsigned most = 0;
    if (fixed(file)) return count_fixed(r, file);
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

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    const struct amdil *r = il_of(w);
    uint32_t before = 0; /* of indexed temporaries, which are counted through */
    if (file == IL_FILE_EXEC || file == IL_FILE_DISCARD)
        return index ? NULL : w->words + (file == IL_FILE_EXEC ? IL_EXEC : IL_DISCARD);
    if (fixed(file)) return fixed_row(w, file, index);
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
    const struct amdil *r, long number, uint64_t index, struct gpudbg_written *to)
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

static enum gpudbg_written_as written(
    const struct gpudbg_machine *m, unsigned file, long number, const uint64_t *index, struct gpudbg_written *to)
{
    const struct amdil *r = m->runner;
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
    return reg < il_runner.count(m, file) / 4 ? GPUDBG_WRITTEN_REGISTER : GPUDBG_WRITTEN_NO;
}

static void changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    (void)index;
    if (file == IL_FILE_EXEC) /* lanes that have ended stay ended */
        il_set_pair(w->words, IL_EXEC, il_exec(w) & il_pair(w->words, IL_ALIVE));
}

static uint64_t active(const struct gpudbg_wave *w) { return il_exec(w) & il_pair(w->words, IL_REAL); }

const struct gpudbg_runner il_runner = {
    .launch = il_launch,
    .start = il_start,
    .run = run,
    .reg = reg,
    .count = count,
    .changed = changed,
    .active = active,
    .breakpoint = breakpoint,
    .finish = il_finish,
    .fixed = fixed,
    .written = written,
    .actual = il_actual,
};
