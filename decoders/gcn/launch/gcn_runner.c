/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_runner.c: the functions by which core runs waves, and registers as core counts them. */
#include "engine/gcn_exec.h"
#include "engine/gcn_predecode.h"
#include "engine/setup.h"
#include "engine/tally.h"
#include "gcn.h"

/* ---- Registers ---- */

/* The first word of a register file and its number of registers; the launch decides those of s and v, the chip those of
 * ttmp. */
static const struct {
    uint16_t word, count;
} files[GCN_FILES] = {
    [GCN_FILE_S] = {0, 0},
    [GCN_FILE_VCC] = {GCN_VCC, 1},
    [GCN_FILE_EXEC] = {GCN_EXEC, 1},
    [GCN_FILE_SCC] = {GCN_SCC, 1},
    [GCN_FILE_M0] = {GCN_M0, 1},
    [GCN_FILE_FLAT_SCRATCH] = {GCN_FLAT_SCRATCH, 1},
    [GCN_FILE_TBA] = {GCN_TBA, 1},
    [GCN_FILE_TMA] = {GCN_TMA, 1},
    [GCN_FILE_TTMP] = {GCN_TTMP, 0},
    [GCN_FILE_MODE] = {GCN_MODE, 1},
    [GCN_FILE_STATUS] = {GCN_STATUS, 1},
    [GCN_FILE_TRAPSTS] = {GCN_TRAPSTS, 1},
    [GCN_FILE_HW_ID] = {GCN_HW_ID_WORD, 1},
    [GCN_FILE_GPR_ALLOC] = {GCN_GPR_ALLOC_WORD, 1},
    [GCN_FILE_LDS_ALLOC] = {GCN_LDS_ALLOC_WORD, 1},
    [GCN_FILE_IB_STS] = {GCN_IB_STS_WORD, 1},
};

/* TTMPs begin where older chips have TBA. */
static bool more_ttmps(const struct gpudbg_machine *m) { return gcn_chip_of(m->isa)->ttmp < GCN_TTMP; }

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    const struct gcn_run *g = m->runner;
    const bool gone = file == GCN_FILE_TBA || file == GCN_FILE_TMA || file == GCN_FILE_FLAT_SCRATCH;
    if (gone && more_ttmps(m)) return 0;
    if (file >= GCN_FILE_HW_ID && gcn_chip_of(m->isa)->newer_hwregs) return 0; /* others there: program.c */
    if (file == GCN_FILE_TTMP) return GCN_CODE_M0 - gcn_chip_of(m->isa)->ttmp;
    return file == GCN_FILE_S ? g->sgprs : file == GCN_FILE_V ? g->vgprs : file < GCN_FILES ? files[file].count : 0;
}

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    if (index >= count(w->machine, file)) return NULL;
    if (file == GCN_FILE_V) return gcn_v(w, index);
    const unsigned word = file == GCN_FILE_TTMP ? gcn_chip_of(w->machine->isa)->ttmp : files[file].word;
    return gcn_s(w) + word + index;
}

static void changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    uint32_t *s = gcn_s(w);
    (void)index;
    if (file == GCN_FILE_STATUS) s[GCN_SCC] = s[GCN_STATUS] & 1;
    if (file == GCN_FILE_SCC) s[GCN_SCC] = s[GCN_SCC] != 0;
    gcn_status(w);
}

/* Only exceptions are not always recorded.  Enabling them by hand counts as reading them: the handler may read earlier
 * ones. */
static bool keep(struct gpudbg_machine *m, unsigned file, bool edit, bool now)
{
    struct gcn_run *g = m->runner;
    if (g->observed || !(file == GCN_FILE_TRAPSTS || (edit && file == GCN_FILE_MODE))) return true;
    g->observed = now;
    return false;
}

const struct gpudbg_runner gcn_runner = {
    .launch = gcn_launch,
    .start = gcn_start,
    .run = gcn_execute,
    .asks = true,
    .reg = reg,
    .count = count,
    .changed = changed,
    .active = gcn_active,
    .breakpoint = gcn_breakpoint,
    .finish = gcn_finish,
    .keep = keep,
    .assumed = gcn_assumed,
    .tally = gcn_tally,
    .tallied = gcn_tallied,
    .actual = gcn_actual,
    .printed = gcn_printed,
    .recode = gcn_recode,
};
