/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launched.h: a wave of a launch of a few words of code, and random numbers.
 *
 *     struct launched t = {.g = session};
 *     if (launched_open(&t, chip, words, n, "-g 64 -l 64 buf0=zero:4096")) ...    t.w, t.buf
 *     launched_close(&t);
 */
#ifndef GCN_LAUNCHED_H
#define GCN_LAUNCHED_H

#include "command/families.h"
#include "decoders/decoders.h"
#include "decoders/gcn/engine/gcn_exec.h"
#include "decoders/gcn/gcn.h"
#include "decoders/gcn/gcn_ops.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "session/session.h"
#include "tap.h"

static uint64_t random_seed = 7;

static uint32_t random32(void)
{
    random_seed = random_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_seed >> 32) ^ (uint32_t)(random_seed >> 13);
}

struct launched {
    struct gpudbg *g;
    struct gpudbg_image *image;
    struct gpudbg_machine *m;
    struct gpudbg_wave *w;      /* of group 0 */
    struct gpudbg_segment *buf; /* buf0 */
};

/* false: a line of the test says why. */
static bool launched_open(
    struct launched *t, enum gcn_chip_number chip, const uint32_t *words, size_t n, const char *launch)
{
    struct gpudbg_error err = {0};
    const struct load_options options = {.isa = &gcn_chips[chip].isa, .raw = true, .base = 0x10000};
    t->image = session_image_from(t->g, "code", (const uint8_t *)words, 4 * n, &options, &err);
    struct gpudbg_launch *parsed = t->image ? launch_parse(t->image, launch, NULL, NULL, &err) : NULL;
    t->m = parsed ? machine_new(&(struct machine_options){.session = t->g}, t->image, parsed, &err) : NULL;
    t->w = t->m ? machine_wave(t->m, 0, &err) : NULL;
    if (!t->w) {
        ok(false, "a machine for 0x%x: %s", words[0], err.message);
        return false;
    }
    t->buf = launch_buffer(t->m, "buf0", &err);
    return true;
}

static void launched_close(struct launched *t)
{
    machine_free(t->m);
    image_close(t->image);
}

#endif
