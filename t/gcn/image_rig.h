/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image_rig.h: a wave with one image instruction and a buffer, and samplers for it. */
#ifndef GCN_IMAGE_RIG_H
#define GCN_IMAGE_RIG_H

#include "decoders/gcn/code/gcn_decoder.h"
#include "decoders/gcn/engine/setup.h"
#include "decoders/gcn/image/gcn_image.h"
#include "decoders/gcn/image/texel.h"
#include "image_model.h"
#include "launched.h"

enum { BUF = 1 << 20, DATA = 32 }; /* bytes; first VGPR of data */

/* ---- One instruction on one wave ---- */

static struct launched r;

/* v0 on: address; v32 on: data; s[0:7] T#, s[8:11] S#. */
static bool rig_begin(enum gcn_chip_number chip, const uint32_t *words, size_t n)
{
    char text[64];
    const unsigned lanes = gcn_chips[chip].isa.lanes;
    snprintf(text, sizeof text, "-g %u -l %u buf0=zero:%d", lanes, lanes, BUF);
    return launched_open(&r, chip, words, n, text);
}

static void rig_close(void) { launched_close(&r); }

static struct gpudbg_stop rig_run(void)
{
    struct machine_want want = {.until = MACHINE_STEPS, .count = 1};
    return machine_run(r.m, &want);
}

static uint32_t *v(unsigned row) { return gcn_v(r.w, row); }

static float get_float(unsigned row, unsigned lane)
{
    float f;
    memcpy(&f, &v(row)[lane], 4);
    return f;
}

/* ---- Samplers ---- */

static void put_s(const struct s_sharp *p)
{
    uint32_t *s = gcn_s(r.w) + 8;
    s[0] = p->clamp[0] | p->clamp[1] << 3 | p->clamp[2] << 6 | p->ratio << 9 | p->compare << 12 |
           p->unnormalized << 15 | p->mode << 29;
    s[1] = p->least | p->most << 12;
    s[2] = ((uint32_t)p->bias & 0x3fff) | p->mag << 20 | p->min << 22 | p->z << 24 | p->mip << 26;
    s[3] = p->border << 30 | (p->border == 3 ? ENTRY : 0);
    gcn_of(r.w)->setup->borders = (const uint8_t *)borders;
    gcn_of(r.w)->setup->borders_size = sizeof borders;
}

static double some(double lo, double hi) { return (float)(lo + (hi - lo) * (random32() % 4096 + 0.37) / 4096); }

/* Does the name have this part after the verb? */
static bool has_part(const char *name, const char *part)
{
    size_t n = strlen(part);
    const char *p = strstr(name, "sample")    ? strstr(name, "sample") + 6
                    : strstr(name, "gather4") ? strstr(name, "gather4") + 7
                                              : "";
    for (; *p; p += 1 + strcspn(p + 1, "_"))
        if (strncmp(p + 1, part, n) == 0 && (p[1 + n] == '_' || !p[1 + n])) return true;
    return false;
}

static void random_sampler(struct s_sharp *s, const char *name)
{
    *s = (struct s_sharp){.compare = random32() % 8,
        .mode = random32() % 4 ? 0 : random32() % 3,
        .mag = random32() % 2,
        .min = random32() % 2,
        .z = random32() % 3,
        .mip = random32() % 3,
        .border = random32() % 4,
        .most = 0xfff};
    if (random32() % 3 == 0) {
        s->ratio = random32() % 5;
        s->mag += random32() % 2 * 2;
        s->min += random32() % 2 * 2;
    }
    for (unsigned i = 0; i < 3; i++) s->clamp[i] = random32() % 8;
    if (random32() % 3 == 0) s->bias = (int)(random32() % 512) - 256;
    if (random32() % 3 == 0) s->least = random32() % 300;
    if (random32() % 3 == 0) s->most = 256 + random32() % 512;
    if (s->least > s->most) s->least = s->most;
    if (has_part(name, "lz") && random32() % 2) {
        s->unnormalized = 1;
        for (unsigned i = 0; i < 2; i++) s->clamp[i] = 2 + random32() % 6;
        if (s->clamp[2] < 2) s->clamp[2] = 2;
    }
}

#endif
