/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reset_list.c: the registers that radeon lists at a soft reset (A2), and those that somebody has put into a log. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel_log.h"

static const char *const reset_list[] = {
    "GRBM_STATUS",
    "GRBM_STATUS2",
    "GRBM_STATUS_SE0",
    "GRBM_STATUS_SE1",
    "GRBM_STATUS_SE2",
    "GRBM_STATUS_SE3",
    "SRBM_STATUS",
    "SRBM_STATUS2",
    "SDMA0_STATUS_REG",
    "SDMA1_STATUS_REG",
    "CP_STAT",
    "CP_STALLED_STAT1",
    "CP_STALLED_STAT2",
    "CP_STALLED_STAT3",
    "CP_CPF_BUSY_STAT",
    "CP_CPF_STALLED_STAT1",
    "CP_CPF_STATUS",
    "CP_CPC_BUSY_STAT",
    "CP_CPC_STALLED_STAT1",
    "CP_CPC_STATUS",
    /* of older generations */
    "CP_BUSY_STAT",
    "DMA_STATUS_REG",
    "CP_STALLED_STAT4",
    "VM_L2_STATUS",
    "SRBM_STATUS3",
    /* written by the reset */
    "GRBM_SOFT_RESET",
    "SRBM_SOFT_RESET",
};
#define RESET_LIST (sizeof reset_list / sizeof *reset_list)

static int reset_name(const char *name)
{
    for (size_t i = 0; i < RESET_LIST; i++)
        if (strcmp(reset_list[i], name) == 0) return (int)i;
    return -1;
}

/* Which capture a register of a list belongs to. */
static void place_in_list(struct reset_lists *r, struct gpudbg_dump *d, uint32_t line, const char *name)
{
    const bool first = strcmp(name, "GRBM_STATUS") == 0;
    r->any = true;
    if (!r->list || (first && (r->wrote_reset || r->listed >= 8))) {
        const bool after = r->list;
        r->list = 1 + gpudbg_dump_capture(d, line, after ? "registers after the reset" : "registers");
        r->other = 0;
        r->listed = 0;
        r->wrote_reset = false;
        r->list_line = line;
        return;
    }
    gpudbg_dump_select(d, r->list - 1);
    if (!gpudbg_dump_has(d, name, NULL) || strstr(name, "_SOFT_RESET")) return; /* written for blocks, then for CP */
    if (!r->other) {
        gpudbg_dump_note(d, line, "mixed",
            "%s again, %u registers into the list of line %u: lines of two captures are mixed", name, r->listed,
            r->list_line);
        r->other = 1 + gpudbg_dump_capture(d, line, "registers mixed with those of the capture before");
    } else {
        gpudbg_dump_select(d, r->other - 1);
    }
}

/* Radeon's code of each generation writes its list in its own way: that of gfx7 without addresses, with GRBM_STATUS2
 * behind GRBM_STATUS, and with blanks only from SDMA0_STATUS_REG on. */
static void looks_older(struct reset_lists *r, struct gpudbg_dump *d, uint32_t line, uint32_t capture)
{
    if (r->nolder && r->older[r->nolder - 1] == capture) return;
    uint32_t *more = realloc(r->older, (r->nolder + 1) * sizeof *more);
    if (!more) {
        gpudbg_dump_note(d, line, "limit", "out of memory: it is not kept that this capture looks " OLDER_THAN_GFX7);
        return;
    }
    r->older = more;
    r->older[r->nolder++] = capture;
}

/* "mmGRBM_STATUS = 0x...", "CP_STAT: 0x...": a register of the databases that somebody has put into a log, or alone;
 * amdgpu's names have mm in front. */
static bool take_register_of(struct generations *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const char *name, const char *plain, const char *p)
{
    uint64_t v;
    if (!strchr(plain, '_') || !isupper((unsigned char)plain[0]) || !scan_0x(&p, 8, &v) || (*p && *p != ' ') ||
        !gpudbg_reg_named(gpudbg_dump_databases(d), "gfx7", plain))
        return false;
    if (begins(name, "mm"))
        generation_sign(
            g, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8, "names with mm in front are amdgpu's");
    struct gpudbg_record value = {.name = plain, .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number};
    gpudbg_dump_register(d, &value);
    return true;
}

/* "GRBM_STATUS=0xA0403028", "CP_STALLED_STAT1 = 0x00000c00", "R_008674_CP_STALLED_STAT1 = 0x01000000" */
bool reset_list_line(struct reset_lists *r, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    char name[64];
    uint64_t v, addr = GPUDBG_NO_ADDR;
    bool indirect = false;
    if (!scan_name(&p, name, sizeof name)) return false;
    const size_t blanks = strspn(p, " \t");
    p += blanks;
    if (*p != '=' && *p != ':') return false;
    const bool colon = *p++ == ':';
    scan_blanks(&p);
    const char *plain = plain_register(name, &addr, &indirect);
    const int row = reset_name(plain);
    if (row < 0 || colon || begins(name, "mm")) return take_register_of(g, d, line, name, plain, p);
    place_in_list(r, d, line->number, plain);
    if (addr != GPUDBG_NO_ADDR && strcmp(plain, "DMA_STATUS_REG") == 0)
        gpudbg_dump_family(d, line->number, OLDER_THAN_GFX7, NULL);
    else if (addr != GPUDBG_NO_ADDR || (blanks && strstr(plain, "RBM_STATUS")) ||
             (strcmp(plain, "GRBM_STATUS_SE0") == 0 && strcmp(r->last, "GRBM_STATUS") == 0))
        looks_older(r, d, line->number, gpudbg_dump_current(d, line->number));
    snprintf(r->last, sizeof r->last, "%s", plain);
    if (begins(plain, "SDMA") || strcmp(plain, "GRBM_STATUS_SE2") == 0)
        generation_named(g, d, line->number, TRUST_LIST, "gfx7", NULL);
    if (!scan_0x(&p, 8, &v) || (*p && *p != ' ')) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: no value of eight hex digits", plain);
        return true;
    }
    struct gpudbg_record value = {.name = plain, .addr = addr, .value = v, .line = line->number};
    if (strstr(plain, "_SOFT_RESET")) {
        value.flags = GPUDBG_REC_WRITE;
        r->wrote_reset = true;
    } else {
        r->listed++;
    }
    gpudbg_dump_register(d, &value);
    return true;
}

void reset_list_begin(struct reset_lists *r, struct gpudbg_dump *d, uint32_t line, bool older)
{
    r->list = 1 + gpudbg_dump_capture(d, line, "registers before the reset");
    r->other = 0;
    r->listed = 0;
    r->wrote_reset = false;
    r->list_line = line;
    r->last[0] = 0;
    if (older) looks_older(r, d, line, r->list - 1); /* since gfx7 came the driver says what it resets */
}
