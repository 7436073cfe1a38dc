/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_runner.c: the functions by which core runs threads, and registers as core counts them. */
#include "launch/gen_launch.h"
#include "message/message_run.h"

/* The place of a file's registers in the wave's words, and the dwords of one. */
static const struct {
    uint16_t word;
    uint16_t count, dwords;
} files[GEN_FILES] = {
    [GEN_GRF] = {GEN_W_GRF, 256, 8},
    [GEN_A0] = {GEN_W_A0, 1, 8},
    [GEN_ACC] = {GEN_W_ACC, 10, 8},
    [GEN_F] = {GEN_W_F, 2, 1},
    [GEN_CE] = {GEN_W_CE, 1, 1},
    [GEN_SP] = {GEN_W_SP, 1, 4},
    [GEN_SR0] = {GEN_W_SR0, 1, 4},
    [GEN_CR0] = {GEN_W_CR0, 1, 4},
    [GEN_N0] = {GEN_W_N0, 1, 3},
    [GEN_IP] = {GEN_W_IP, 1, 1},
    [GEN_TDR] = {GEN_W_TDR, 1, 4},
    [GEN_TM0] = {GEN_W_TM0, 1, 4},
    [GEN_FC] = {GEN_W_FC, 1, 4},
    [GEN_DBG] = {GEN_W_DBG, 1, 4},
};

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    unsigned n = file < m->isa->nfiles ? m->isa->files[file].count : 0;
    if (file == GEN_GRF) return ((const struct gen *)m->runner)->grfs;
    return file < GEN_FILES && n > files[file].count ? files[file].count : n;
}

/* The present values of registers that are computed when an instruction reads them, and are not stored in the thread's
 * state. */
static uint32_t *shown(struct gpudbg_wave *w, unsigned file)
{
    struct gen *g = gen_of(w);
    g->shown[GEN_SHOWN_IP] = (uint32_t)(w->pc - g->base);
    g->shown[GEN_SHOWN_CE] = w->words[GEN_W_ACTIVE];
    g->shown[GEN_SHOWN_TM0] = (uint32_t)w->executed;
    g->shown[GEN_SHOWN_TM0 + 1] = (uint32_t)(w->executed >> 32);
    return g->shown + (file == GEN_IP ? GEN_SHOWN_IP : file == GEN_CE ? GEN_SHOWN_CE : GEN_SHOWN_TM0);
}

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    if (file >= GEN_FILES || !files[file].dwords || index >= count(w->machine, file)) return NULL;
    if (file == GEN_IP || file == GEN_CE || file == GEN_TM0) return shown(w, file);
    return w->words + files[file].word + index * files[file].dwords;
}

static void changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    (void)index;
    if (file == GEN_ACC) memset(w->words + GEN_W_ACC_HIGH, 0, (GEN_W_LIVE - GEN_W_ACC_HIGH) * 4);
    if (file == GEN_CE) gen_flow_enable(w, gen_of(w)->shown[GEN_SHOWN_CE]);
    if (file == GEN_IP) {
        gen_flow_send(w, w->words[GEN_W_ACTIVE], gen_of(w)->shown[GEN_SHOWN_IP] & ~7u);
        gen_flow_settle(w);
    }
}

static uint64_t active(const struct gpudbg_wave *w) { return w->words[GEN_W_ACTIVE]; }

static unsigned width(const struct gpudbg_machine *m) { return gen_launch_width(m); }

const struct gpudbg_runner gen_runner = {
    .launch = gen_launch,
    .start = gen_start,
    .run = gen_execute,
    .asks = true,
    .reg = reg,
    .count = count,
    .changed = changed,
    .active = active,
    .breakpoint = gen_breakpoint,
    .finish = gen_finish,
    .lanes = width,
    .holds = gen_holds,
    .printed = gen_printed,
    .recode = gen_recode,
    .actual = gen_actual,
};
