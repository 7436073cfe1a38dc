/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wave.h: one gfx7 wave on a machine made by hand, to execute a few words of code.
 *
 *     struct wave7 t;
 *     wave7_open(&t, words, n, vgprs);  registers: t.s, wave7_row(&t, r)
 *     wave7_run(&t, limit);
 *     wave7_close(&t);
 */
#ifndef GCN_WAVE_H
#define GCN_WAVE_H

#include <stdio.h>
#include <stdlib.h>

#include "decoders/gcn/engine/gcn_exec.h"
#include "decoders/gcn/gcn_ops.h"

#define CODE_BASE 0x1000u

struct wave7 {
    struct gpudbg_section section;
    struct gpudbg_image image;
    struct gpudbg_machine machine;
    struct gpudbg_wave wave;
    uint32_t *s;
};

/* The chip of the waves, unless a test sets another. */
static enum gcn_chip_number wave7_chip = GCN_CHIP_gfx7;

static void wave7_open(struct wave7 *t, const uint32_t *code, size_t dwords, unsigned vgprs)
{
    const struct gpudbg_isa *isa = &gcn_chips[wave7_chip].isa;
    struct gpudbg_error err = {0};
    memset(t, 0, sizeof *t);
    t->section = (struct gpudbg_section){.name = ".text",
        .addr = CODE_BASE,
        .size = 4 * dwords,
        .bytes = (const uint8_t *)code,
        .flags = GPUDBG_CODE_BYTES | GPUDBG_LOADED};
    t->image = (struct gpudbg_image){.path = "test", .isa = isa, .sections = &t->section, .nsections = 1};
    t->machine = (struct gpudbg_machine){.isa = isa, .image = &t->image, .waves_per_group = 1, .nwaves = 1};
    if (!gcn_code_new(&t->machine, &gcn_families, vgprs, 104, &err)) {
        printf("Bail out! %s\n", err.message);
        exit(1);
    }
    const uint64_t lanes = isa->lanes < 64 ? UINT32_MAX : UINT64_MAX;
    t->wave = (struct gpudbg_wave){.machine = &t->machine, .lanes = lanes, .state = GPUDBG_READY, .pc = CODE_BASE};
    size_t bytes = (4 * (size_t)t->machine.wave_words + 63) / 64 * 64;
    t->wave.words = aligned_alloc(64, bytes);
    memset(t->wave.words, 0, bytes);
    t->s = t->wave.words;
    gcn_wave_reset(&t->wave, 0xc0);
}

static void wave7_close(struct wave7 *t)
{
    gcn_code_free(&t->machine);
    free(t->wave.words);
}

static inline uint32_t *wave7_row(struct wave7 *t, unsigned r) { return gcn_v(&t->wave, r); }

/* From the first instruction on. */
static inline enum gpudbg_ran wave7_run(struct wave7 *t, uint64_t limit)
{
    t->wave.pc = CODE_BASE;
    t->wave.state = GPUDBG_READY;
    return gcn_chips[wave7_chip].isa.run->run(&t->wave, limit, false);
}

#endif
