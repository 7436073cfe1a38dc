/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_setup.h: what a launch gives the messages of its threads: buffers by binding table index, samplers, each thread's
 * scratch. */
#ifndef GEN_SETUP_H
#define GEN_SETUP_H

#include "files/gen_binary.h"
#include "engine/gen_exec.h"

/* The surface of a binding table index. */
struct gen_surface_state {
    struct gpudbg_segment *segment; /* NULL: none */
    uint8_t kind, bits, channels;   /* of elements; see surface.c.  channels 0: raw, used as four F */
    bool bgra;                      /* blue comes first */
    uint32_t pitch;                 /* bytes from element to element, for the sampler and typed messages */
    uint32_t size[3];               /* elements; 0: as many as the segment holds */
    uint8_t layers;                 /* 1, 2: the axis that counts layers; 0: no axis does */
};

/* First contents of registers that a launch of bare code names. */
struct gen_part {
    unsigned reg;
    int32_t wave, group; /* thread of its group; group of the launch, x fastest; -1: all */
    const uint8_t *bytes;
    uint64_t size, value; /* size 0: `value` is the first dword */
};

/* own_stateless: r0.5 has it from bit 10 on, and messages name the thread's scratch space by a sixteenth of it. */
#define GEN_SCRATCH_STATE 0x400u

#define GEN_PAIR_BYTES 264u /* of a thread, in `pairs` */

struct gen_setup {
    const struct gen_binary *binary; /* NULL: bare code */
    struct gen_surface_state surface[240];
    struct gpudbg_segment *scratch; /* areas of all threads that can be live at once; NULL: none */
    uint32_t scratch_size;          /* bytes a thread */
    struct gpudbg_segment *pairs;   /* what threads of a pair give each other (fused_pair.c); NULL: no code for it */
    uint32_t slots;                 /* number of areas; threads use them in turn */
    uint32_t cr0;                   /* first value of cr0.0 */
    struct gen_sampler_state samplers[GEN_SAMPLERS];
    struct gpudbg_segment *printf; /* NULL: the kernel does not print */
    struct gpudbg_segment *urb;    /* the URB, which threads write and read; bare code only */
    uint32_t mask;                 /* of a thread's channels, ANDed with those that exist */
    bool has_r0;                   /* the launch gives r0 */
    struct gen_part *part;
    uint32_t nparts;
    struct gpudbg_segment *indirect; /* payload_in_memory: what follows the inline data; NULL: none */
    uint32_t indirect_step;          /* bytes from the copy of one size of groups to the next */
    uint8_t *payload;                /* cross-thread data, payload_size bytes, the same for all threads */
};

static inline struct gen_setup *gen_setup_of(const struct gpudbg_wave *w) { return gen_of(w)->setup; }

/* The number of a thread's slot, which programs find in r0.5 and sr0.1. */
static inline uint32_t gen_slot(const struct gpudbg_wave *w)
{
    const struct gen_setup *s = gen_setup_of(w);
    return w->id % (s->slots ? s->slots : 1);
}

#endif
