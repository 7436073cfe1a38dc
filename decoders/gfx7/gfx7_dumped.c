/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_dumped.c: which register of a wave is which in captures: the names are those of the wave's status registers
 * (SQ_WAVE_*). */
#include "gfx7.h"

static const struct gpudbg_dumped_register registers[] = {
    {.record = "SQ_WAVE_PC_LO", .file = "pc"},
    {.record = "SQ_WAVE_PC_HI", .file = "pc", .dword = 1, .len = 16},
    {.record = "SQ_WAVE_INST_DW0", .file = "code"},
    {.record = "SQ_WAVE_INST_DW1", .file = "code", .dword = 1},
    {.record = "s[]", .file = "s"},
    {.record = "v[]", .file = "v"},
    {.record = "t[]", .file = "ttmp"},
    {.record = "SQ_WAVE_EXEC_LO", .file = "exec"},
    {.record = "SQ_WAVE_EXEC_HI", .file = "exec", .dword = 1},
    {.record = "SQ_WAVE_M0", .file = "m0"},
    {.record = "SQ_WAVE_STATUS", .file = "status"},
    {.record = "SQ_WAVE_STATUS", .file = "scc", .len = 1}, /* its bit 0; a register of its own here */
    {.record = "SQ_WAVE_MODE", .file = "mode", .otherwise = "floats round and flush as at a launch"},
    {.record = "SQ_WAVE_TRAPSTS", .file = "trapsts"},
    {.record = "SQ_WAVE_HW_ID", .file = "hw_id"},
    {.record = "SQ_WAVE_GPR_ALLOC", .file = "gpr_alloc"},
    {.record = "SQ_WAVE_LDS_ALLOC", .file = "lds_alloc"},
    {.record = "SQ_WAVE_IB_STS", .file = "ib_sts"},
    {.record = "SQ_WAVE_TBA_LO", .file = "tba"},
    {.record = "SQ_WAVE_TBA_HI", .file = "tba", .dword = 1},
    {.record = "SQ_WAVE_TMA_LO", .file = "tma"},
    {.record = "SQ_WAVE_TMA_HI", .file = "tma", .dword = 1},
    {.record = NULL},
};

const struct gpudbg_dumped gfx7_dumped = {.mask = "exec", .registers = registers};
