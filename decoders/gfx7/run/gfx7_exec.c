/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfx7_exec.c: runs predecoded ops, and shows the registers to core.
 */
#include "run/gfx7_exec.h"
#include "run/setup.h"
#include "run/coverage.h"
#include "run/exceptions.h"
#include "gfx7.h"
#include "gpudbg/text.h"
#include "run/gfx7_lanes_simd.h"
#include "run/gfx7_predecode.h"
#include "run/tally.h"

#define SLICE 65536u /* instructions between looks at machine->interrupt */

/* ---- Running ---- */

/* Executes up to n instructions from *op on; returns how many were.  *op is NULL if a handler left, gfx7->ran saying
 * why. */
static uint64_t run_ops(struct gpudbg_wave *w, const struct gfx7_op **op, uint64_t n)
{
    const struct gfx7_op *next = *op;
    uint64_t left = n;
    do {
        gfx7_cover(w, next);
        next = next->fn(w, next);
        if (!next) {
            enum gpudbg_ran ran = gfx7_of(w)->ran;
            left -= ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK;
            break;
        }
    } while (--left);
    *op = next;
    return n - left;
}

/* The same, counted where a profile is wanted. */
static uint64_t run_some(struct gpudbg_wave *w, const struct gfx7_op **op, uint64_t n)
{
    return gfx7_of(w)->tally ? gfx7_run_tallied(w, op, n) : run_ops(w, op, n);
}

/* The same under MODE.VSKIP: vector instructions are passed over. */
static uint64_t run_skipping(struct gpudbg_wave *w, const struct gfx7_op **op, uint64_t n)
{
    uint64_t done = 0;
    while (done < n && *op) {
        gfx7_made(w, *op); /* else its length is not known */
        if (gfx7_real_fn(w, *op) == (*op)->fn && gfx7_is_vector(w, *op)) {
            gfx7_tally_one(w, *op, gfx7_active(w), gfx7_next(*op));
            *op = gfx7_next(*op);
            done++;
        } else
            done += run_some(w, op, 1);
    }
    return done;
}

/* Executes the instruction at *op, which a breakpoint stands on, or passes over it; returns how many were. */
static uint64_t run_past_break(struct gpudbg_wave *w, const struct gfx7_op **op)
{
    const bool skipped = gfx7_s(w)[GFX7_MODE] & GFX7_VSKIP && gfx7_is_vector(w, *op);
    const struct gfx7_op *at = *op;
    const uint64_t exec = gfx7_active(w);
    *op = skipped ? gfx7_next(at) : gfx7_real_fn(w, at)(w, at);
    if (!*op && gfx7_of(w)->ran == GPUDBG_RAN_FAULT) return 0;
    gfx7_tally_one(w, at, exec, *op);
    return 1;
}

/* Names of exceptions, in the order of their bits. */
static void name_exceptions(uint32_t flags, char *buf, size_t size)
{
    static const char *const names[] = {"invalid", "input denormal", "division by zero", "overflow", "underflow",
        "inexact", "integer division by zero"};
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (flags >> i & 1) text_add(&t, "%s%s", t.n ? ", " : "", names[i]);
}

/* Records what the instruction raised.  What MODE enables enters the trap handler, the instruction being done: TTMP0
 * and 1 hold the address of the next one, as after s_trap with the number 0.  Without a handler it is an event. */
static const struct gfx7_op *meet_exceptions(
    struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_op *next, uint32_t flags)
{
    uint32_t *s = gfx7_s(w);
    const uint32_t taken = flags & s[GFX7_MODE] >> 12 & GFX7_TRAPSTS_EXCP;
    s[GFX7_TRAPSTS] |= flags;
    if (!taken || s[GFX7_STATUS] & GFX7_PRIV) return next;
    char names[128];
    name_exceptions(taken, names, sizeof names);
    gfx7_sync(w, op);
    gpudbg_event(w, "exception", "%s", names);
    const uint64_t handler = gfx7_pair(s, GFX7_TBA) & ~(uint64_t)3;
    gfx7_sync(w, next);
    if (handler) {
        gfx7_set_pair(s, GFX7_TTMP, w->pc & 0xffffffffffffu);
        s[GFX7_STATUS] |= GFX7_PRIV;
        w->pc = handler;
    }
    return gfx7_stop(w, GPUDBG_RAN_EVENT);
}

/* The same one by one, with an eye on exceptions. */
static uint64_t run_observed(struct gpudbg_wave *w, const struct gfx7_op **op, uint64_t n, bool over)
{
    uint64_t done = 0;
    for (; done < n && *op; over = false) {
        const struct gfx7_op *at = *op, *next;
        const bool broken = at->fn != gfx7_real_fn(w, at);
        if (gfx7_s(w)[GFX7_MODE] & GFX7_VSKIP) {
            done += over && broken ? run_past_break(w, op) : run_skipping(w, op, 1);
            continue;
        }
        gfx7_fn *fn = over ? gfx7_real_fn(w, at) : at->fn;
        const bool breaks = broken && !over;
        const struct gpudbg_op *row = breaks ? NULL : gfx7_row(w, at);
        uint32_t flags = 0;
        if (row && row->flags & GPUDBG_OP_VECTOR) {
            gfx7_made(w, at);
            flags = gfx7_prepare(w, at) ? gfx7_exceptions(w, at, row->id) : 0;
        }
        const uint64_t exec = gfx7_active(w);
        gfx7_cover(w, at);
        next = fn(w, at);
        const enum gpudbg_ran ran = gfx7_of(w)->ran;
        const bool executed = next || (ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK);
        done += executed;
        *op = flags && next ? meet_exceptions(w, at, next, flags) : next;
        if (executed) gfx7_tally_one(w, at, exec, *op);
    }
    return done;
}

static enum gpudbg_ran run_slices(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    const uint32_t *s = gfx7_s(w);
    const struct gfx7_op *op = gfx7_goto(w, w->pc);
    uint64_t left = limit;
    while (left) {
        uint64_t done, slice = left < SLICE ? left : SLICE;
        if (gfx7_of(w)->observed) {
            done = run_observed(w, &op, slice, over);
        } else if (over && gfx7_real_fn(w, op) != op->fn) {
            done = run_past_break(w, &op);
        } else
            done = s[GFX7_MODE] & GFX7_VSKIP ? run_skipping(w, &op, slice) : run_some(w, &op, slice);
        over = false;
        left -= done;
        w->executed += done;
        if (!op) {
            enum gpudbg_ran ran = gfx7_of(w)->ran;
            if (ran != GFX7_RESUME) return ran;
            op = gfx7_goto(w, w->pc);
        }
        if (w->machine->interrupt) break;
    }
    w->pc = gfx7_pc(w, op);
    return GPUDBG_RAN_LIMIT;
}

/* Words that only stand for something while an instruction is executed are left as they would be had none failed, and
 * STATUS as it would be had it been asked for: so that a fault, or a look, changes nothing. */
static void settle(struct gpudbg_wave *w)
{
    uint32_t *s = gfx7_s(w);
    s[GFX7_VCCZ] = s[GFX7_EXECZ] = s[GFX7_LDS_DIRECT] = s[GFX7_LITERAL] = 0;
    for (unsigned code = GFX7_VCCZ; code <= GFX7_LITERAL; code++) gfx7_set_pair(s, gfx7_wide(code), 0);
    gfx7_status(w);
}

static enum gpudbg_ran run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    enum gpudbg_ran ran = run_slices(w, limit, over);
    settle(w);
    return ran;
}

/* ---- Registers ---- */

void gfx7_constants(uint32_t constants[GFX7_MODE - GFX7_INLINE], bool pro)
{
    static const uint32_t floats[8] = {
        0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
    for (unsigned code = GFX7_INLINE; code < GFX7_LITERAL; code++) {
        uint64_t value = 0;
        if (gfx7_inline(code, GFX7_U64, &value)) {
            gfx7_set_pair(constants, gfx7_wide(code) - GFX7_INLINE, value);
            constants[code - GFX7_INLINE] = code < GFX7_CODE_FLOAT ? (uint32_t)value : floats[code - GFX7_CODE_FLOAT];
        }
    }
    if (!pro) return;
    gfx7_set_pair(constants, gfx7_wide(GFX7_CODE_INV_2PI) - GFX7_INLINE, gfx7_inv_2pi(GFX7_U64));
    const unsigned inv_2pi = GFX7_CODE_INV_2PI;
    constants[inv_2pi - GFX7_INLINE] = (uint32_t)gfx7_inv_2pi(GFX7_U32);
}

void gfx7_wave_reset(struct gpudbg_wave *w, uint32_t mode)
{
    const struct gfx7 *g = gfx7_of(w);
    uint32_t *s = gfx7_s(w);
    memcpy(s + GFX7_INLINE, g->constants, sizeof g->constants);
    gfx7_set_pair(s, GFX7_EXEC, w->lanes);
    s[GFX7_MODE] = mode;
    s[GFX7_STATUS] = 1u << 16 | (w->machine->waves_per_group > 1 ? 1u << 11 : 0);
    s[GFX7_HW_ID_WORD] = (w->index / 4 & 15) | (w->index & 3) << 4 | (w->group & 15) << 16;
    s[GFX7_GPR_ALLOC_WORD] = ((g->vgprs + 3) / 4 - 1) << 8 | ((g->sgprs + 7) / 8 - 1) << 24;
    s[GFX7_LDS_ALLOC_WORD] = (w->machine->lds_size + 511) / 512 << 12;
}

/* Where a file starts, and how many registers it has, but for s and v, which the launch counts. */
static const struct {
    uint16_t word, count;
} files[GFX7_FILES] = {
    [GFX7_FILE_S] = {0, 0},
    [GFX7_FILE_VCC] = {GFX7_VCC, 1},
    [GFX7_FILE_EXEC] = {GFX7_EXEC, 1},
    [GFX7_FILE_SCC] = {GFX7_SCC, 1},
    [GFX7_FILE_M0] = {GFX7_M0, 1},
    [GFX7_FILE_FLAT_SCRATCH] = {GFX7_FLAT_SCRATCH, 1},
    [GFX7_FILE_TBA] = {GFX7_TBA, 1},
    [GFX7_FILE_TMA] = {GFX7_TMA, 1},
    [GFX7_FILE_TTMP] = {GFX7_TTMP, 12},
    [GFX7_FILE_MODE] = {GFX7_MODE, 1},
    [GFX7_FILE_STATUS] = {GFX7_STATUS, 1},
    [GFX7_FILE_TRAPSTS] = {GFX7_TRAPSTS, 1},
    [GFX7_FILE_HW_ID] = {GFX7_HW_ID_WORD, 1},
    [GFX7_FILE_GPR_ALLOC] = {GFX7_GPR_ALLOC_WORD, 1},
    [GFX7_FILE_LDS_ALLOC] = {GFX7_LDS_ALLOC_WORD, 1},
    [GFX7_FILE_IB_STS] = {GFX7_IB_STS_WORD, 1},
};

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    const struct gfx7 *g = m->runner;
    return file == GFX7_FILE_S ? g->sgprs : file == GFX7_FILE_V ? g->vgprs : file < GFX7_FILES ? files[file].count : 0;
}

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    if (index >= count(w->machine, file)) return NULL;
    if (file == GFX7_FILE_V) return gfx7_v(w, index);
    return gfx7_s(w) + files[file].word + index;
}

static void changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    uint32_t *s = gfx7_s(w);
    (void)index;
    if (file == GFX7_FILE_STATUS) s[GFX7_SCC] = s[GFX7_STATUS] & 1;
    if (file == GFX7_FILE_SCC) s[GFX7_SCC] = s[GFX7_SCC] != 0;
    gfx7_status(w);
}

/* Only exceptions are not always kept.  Enabling them by hand counts as a look: the handler may read those met before.
 */
static bool keep(struct gpudbg_machine *m, unsigned file, bool edit, bool now)
{
    struct gfx7 *g = m->runner;
    if (g->observed || !(file == GFX7_FILE_TRAPSTS || (edit && file == GFX7_FILE_MODE))) return true;
    g->observed = now;
    return false;
}

const struct gpudbg_runner gfx7_runner = {
    .launch = gfx7_launch,
    .start = gfx7_start,
    .run = run,
    .reg = reg,
    .count = count,
    .changed = changed,
    .active = gfx7_active,
    .breakpoint = gfx7_breakpoint,
    .finish = gfx7_finish,
    .keep = keep,
    .assumed = gfx7_assumed,
    .tally = gfx7_tally,
    .tallied = gfx7_tallied,
    .actual = gfx7_actual,
    .printed = gfx7_printed,
    .recode = gfx7_recode,
};
