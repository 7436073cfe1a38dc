/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generations.c: which generations of AMD's a log may be of that does not name its chip.  Each line that only some of
 * them print leaves those; what is left at the end is said, and never more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

static const char *const names[] = {
    "Cayman", "gfx6", "gfx7", "gfx8", "gfx9", "gfx10", "gfx11", "gfx12"}; /* by bit, GENERATION_* */
#define NAMES (sizeof names / sizeof *names)

static struct generation_of *of_device(struct generations *g, struct gpudbg_dump *d, uint32_t line)
{
    size_t n;
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *device = capture < n ? captures[capture].device : NULL;
    for (size_t i = 0; i < g->n; i++) {
        struct generation_of *of = &g->of[i];
        if (!of->device && of->capture == capture) of->device = device; /* later lines name the device */
        if (of->device == device) return of;                            /* strings of a dump are kept once */
    }
    if (g->n == GENERATION_DEVICES) return NULL;
    g->of[g->n] = (struct generation_of){.device = device, .capture = capture, .left = GENERATION_ALL};
    return &g->of[g->n++];
}

void generation_sign(struct generations *g, struct gpudbg_dump *d, uint32_t line, unsigned left, const char *why)
{
    struct generation_of *of = of_device(g, d, line);
    if (!of || (of->left & left) == of->left) return;
    of->left &= left;
    if (!(left & (left - 1))) of->reasons = 0; /* it leaves one */
    if (of->reasons < sizeof of->why / sizeof *of->why) of->why[of->reasons++] = why;
}

void generation_fault(struct generations *g, struct gpudbg_dump *d, uint32_t line, bool agrees)
{
    struct generation_of *of = of_device(g, d, line);
    if (!of) return;
    if (!agrees)
        generation_sign(g, d, line, ~(unsigned)GENERATION_7,
            "its interrupts do not hold what the fault's status does, as they would on gfx7");
    else if (++of->agreeing == 2)
        generation_sign(g, d, line, (unsigned)~(GENERATION_8 | GENERATION_6),
            "its interrupts hold what the fault's status does, as only gfx7 does");
}

static void reasons_of(const struct generation_of *of, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < of->reasons; i++)
        text_add(&t, "%s%s", i == 0 ? "" : i + 1 < of->reasons ? ", " : ", and ", of->why[i]);
}

void generations_end(struct generations *g, struct gpudbg_dump *d, const bool *ours)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    for (size_t c = 0; c < n; c++) {
        const struct generation_of *of = NULL;
        for (size_t i = 0; i < g->n && !of; i++)
            if (g->of[i].device == captures[c].device || (!g->of[i].device && g->of[i].capture == c)) of = &g->of[i];
        if (!of || !ours[c] || of->left == GENERATION_ALL || !of->left) continue;
        char text[96] = "", why[224];
        unsigned left = 0;
        for (unsigned i = 0; i < NAMES; i++) left += of->left >> i & 1;
        const bool one = left == 1;
        for (unsigned i = 0; i < NAMES; i++) {
            if (!(of->left >> i & 1)) continue;
            const size_t at = strlen(text);
            snprintf(text + at, sizeof text - at, "%s%s", names[i], left > 2 ? ", " : left == 2 ? " or " : "");
            left--;
        }
        reasons_of(of, why, sizeof why);
        gpudbg_dump_assume_in(d, (uint32_t)c, text, one ? why : "nothing in its lines decides between them");
    }
}
