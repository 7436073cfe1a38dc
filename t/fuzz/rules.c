/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of .rules files, applied to a dump that has something of every subject. */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "dump/dump.h"
#include "explain/explain.h"
#include "explain/explain_rules.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char log_text[] = "radeon 0000:01:00.0: GPU fault detected: 146 0x0006480c\n"
                               "radeon 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00123400\n"
                               "radeon 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0604800C\n"
                               "VM fault (0x0c, vmid 3) at page 1193984, read from TC0 (0x54433000) (72)\n"
                               "radeon 0000:01:00.0: GPU softreset: 0x00000009\n"
                               "radeon 0000:01:00.0:   GRBM_STATUS=0xA0403028\n"
                               "radeon 0000:01:00.0:   CP_STALLED_STAT1 = 0x00000c00\n"
                               "SE SH CU SIMD WAVE# WAVE_STATUS PC_HI PC_LO INST_DW0 INST_DW1 EXEC_HI EXEC_LO HW_ID "
                               "GPRALLOC LDSALLOC TRAPSTS IBSTS TBA_HI TBA_LO TMA_HI TMA_LO IB_DBG0 M0\n"
                               "0 0 1 2 0 08012001 00000008 00102340 bf8c0070 7e000280 00000000 0000ffff 10010120 "
                               "01000300 00000000 20000000 00000003 0 0 0 0 00000006 80000000\n"
                               "hawaii.gfx.ring[   0] == 0xc0001000   rw.\n"
                               "hawaii.gfx.ring[   1] == 0x00000000   ...\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    static struct gpudbg_dump *dump;
    struct gpudbg_error err = {.offset = -1};
    if (!dump) {
        g = session_open(command_families, builtin_plugins, &err);
        if (!g) abort();
        g->sealed = true;
        g->loaded.isa = gpudbg_isa_named(g, "gfx7");
        dump = session_dump_from(g, "log", (const uint8_t *)log_text, sizeof log_text - 1, NULL, &err);
        if (!dump) abort();
    }
    struct rules rules = {0};
    char *text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    if (!rules_add(&rules, "fuzz", text)) abort();
    struct explain *e = explain_by(dump, &rules, &(struct explain_options){.syntax = ""});
    const struct finding *f;
    for (size_t i = 0; (f = explain_finding(e, i)); i++)
        if (!f->rule || !f->cause || !f->text || !f->source || f->nevidence > EVIDENCE) abort();
    explain_close(e);
    return 0;
}
