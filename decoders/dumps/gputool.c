/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gputool.c: what gputool prints of a GPU's units, the title of a unit above its registers:
 *
 *     Wave SE(0) SH(0) CU(0):            of wave_info: the first wave of each CU's first SIMD, also where none runs
 *         SQ_WAVE_STATUS: 0x8010500
 *           VALID: 0x1                   fields, of registers that have several
 *         SQ_WAVE_PC_LO: PC_LO 0x1ef136c one that has one field
 *     HQD ME(1) PIPE(0) QUEUE(0):        of hqd_info: queues of the command processor that are active
 *     35/36 CUs in use 97%               of wave_priority, under a line a CU
 *
 * It knows the registers of gfx8 alone, and prints those of any GPU so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

#define STATUS_VALID 0x10000 /* of SQ_WAVE_STATUS, in each generation that gputool reads */

struct gputool {
    char unit[64];  /* whose registers follow; "": of none */
    uint32_t title; /* line of a wave's title, while its SQ_WAVE_STATUS is not read; 0: it is, or a queue's registers */
    uint64_t at[3];
    bool wave, empty;            /* the registers are of a wave; of a slot without one */
    unsigned waves, idle, moved; /* moved: those whose own register names another place than the title */
    uint32_t idle_line, moved_line;
    char moved_told[96];
    struct wave_stands stands;
};

static void end_unit(struct gputool *g, struct gpudbg_dump *d)
{
    if (g->title) gpudbg_dump_note(d, g->title, "cut-off", "a wave without its SQ_WAVE_STATUS");
    g->title = 0;
    g->wave = g->empty = false;
    g->unit[0] = 0;
}

/* "Wave SE(0) SH(0) CU(0):", "HQD ME(1) PIPE(0) QUEUE(0):" */
static bool take_title(struct gputool *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const words[2][3] = {{"Wave SE(", ") SH(", ") CU("}, {"HQD ME(", ") PIPE(", ") QUEUE("}};
    for (int i = 0; i < 2; i++) {
        const char *p = line->text + line->indent;
        uint64_t at[3];
        int k = 0;
        while (k < 3 && scan_word(&p, words[i][k]) && scan_decimal(&p, &at[k]) && at[k] < 256) k++;
        if (k < 3 || strcmp(p, "):") != 0) continue;
        end_unit(g, d);
        const unsigned a = (unsigned)at[0], b = (unsigned)at[1], c = (unsigned)at[2];
        if (i == 0) {
            g->title = line->number;
            memcpy(g->at, at, sizeof at);
        } else {
            snprintf(g->unit, sizeof g->unit, "me%u.pipe%u.queue%u", a, b, c);
        }
        return true;
    }
    return false;
}

static void begin_wave(struct gputool *g, struct gpudbg_dump *d, uint64_t status)
{
    if (!(status & STATUS_VALID)) {
        if (!g->idle++) g->idle_line = g->title;
        g->empty = true;
    } else {
        char unit[64];
        const unsigned se = (unsigned)g->at[0], sh = (unsigned)g->at[1], cu = (unsigned)g->at[2];
        snprintf(unit, sizeof unit, "se%u.sh%u.cu%u.simd0.wave0", se, sh, cu);
        if (gpudbg_dump_has(d, "SQ_WAVE_STATUS", unit)) gpudbg_dump_capture(d, g->title, "waves again");
        gpudbg_dump_add_wave(d, g->title, se, sh, cu, 0, 0);
        memcpy(g->unit, unit, sizeof g->unit);
        wave_stand_add(&g->stands, wave_latest(d));
        g->wave = true;
        g->waves++;
    }
    g->title = 0;
}

/* Fields of SQ_WAVE_HW_ID under it: gputool's place of a wave is what it asked for. */
static void take_place(struct gputool *g, const struct gpudbg_dump_line *line, const char *name, uint64_t value)
{
    static const char *const names[] = {"SE_ID", "SH_ID", "CU_ID"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(names[i], name) != 0 || value == g->at[i]) continue;
        if (!g->moved++) {
            g->moved_line = line->number;
            snprintf(g->moved_told, sizeof g->moved_told, "%s is 0x%llx, where the title has 0x%llx", name,
                (unsigned long long)value, (unsigned long long)g->at[i]);
        }
    }
}

/* "SQ_WAVE_STATUS: 0x8010500", "SQ_WAVE_PC_LO: PC_LO 0x1ef136c", "VALID: 0x1" */
static bool take_value(struct gputool *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    char name[64], field[64];
    uint64_t value;
    if (!scan_name(&p, name, sizeof name) || !scan_word(&p, ": ")) return false;
    const bool wave = begins(name, "SQ_WAVE_"), is_register = wave || begins(name, "CP_HQD_");
    if (is_register && !begins(p, "0x") && scan_name(&p, field, sizeof field)) scan_blanks(&p);
    if (!scan_0x(&p, 8, &value)) {
        if (is_register) gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", name);
        return is_register;
    }
    if (!is_register) {
        if (g->wave) take_place(g, line, name, value);
        return true;
    }
    if (g->title && strcmp(name, "SQ_WAVE_STATUS") == 0) begin_wave(g, d, value);
    if (!g->unit[0] || wave != g->wave) return g->title || g->empty;
    const struct gpudbg_record r = {
        .name = name, .unit = g->unit, .addr = GPUDBG_NO_ADDR, .value = value, .line = line->number};
    if (wave)
        wave_register(d, g->unit, line->number, name, value);
    else
        gpudbg_dump_register(d, &r);
    return true;
}

/* "35/36 CUs in use 97%", under lines "0:0:0: VMID:0x5 SPI_PRIO: 0x2 USER_PRIO: 0x0" */
static bool take_use(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t busy, all;
    char text[96];
    if (!scan_decimal(&p, &busy) || !scan_word(&p, "/") || !scan_decimal(&p, &all) || !begins(p, " CUs in use "))
        return false;
    snprintf(text, sizeof text, "in %llu of %llu CUs", (unsigned long long)busy, (unsigned long long)all);
    gpudbg_dump_fact(d, line->number, "waves", text, busy);
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if ((head_has(bytes, n, "Wave SE(") && head_has(bytes, n, "SQ_WAVE_STATUS: ")) ||
        (head_has(bytes, n, "HQD ME(") && head_has(bytes, n, "CP_HQD_"))) {
        *why = "gputool's waves or queues";
        return 70;
    }
    return 0;
}

static void *open_gputool(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct gputool));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct gputool *g = state;
    const char *p = line->text + line->indent;
    if (*p == 'W' || *p == 'H')
        if (take_title(g, d, line)) return true;
    if (!*p) {
        end_unit(g, d);
        return false;
    }
    if ((g->title || g->empty || g->unit[0]) && take_value(g, d, line)) return true;
    return take_use(d, line);
}

static void close_gputool(void *state, struct gpudbg_dump *d)
{
    struct gputool *g = state;
    end_unit(g, d);
    if (g->waves) gpudbg_dump_assume(d, "gfx8", "gputool prints the registers of any GPU as those of gfx8");
    if (g->idle) {
        char text[96];
        snprintf(text, sizeof text, "none in the first slot of %u %s", g->idle, g->idle == 1 ? "CU" : "CUs");
        gpudbg_dump_fact(d, g->idle_line, "waves", text, g->idle);
    }
    if (g->moved)
        gpudbg_dump_note(
            d, g->moved_line, "disagrees", "a wave's %s; %u fields of waves differ so", g->moved_told, g->moved);
    wave_stands_end(&g->stands, d);
    free(g);
}

const struct gpudbg_reader reader_gputool = {
    .name = "gputool",
    .summary = "waves and queues as gputool prints them",
    .probe = probe,
    .open = open_gputool,
    .line = take,
    .close = close_gputool,
};
