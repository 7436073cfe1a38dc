/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quick.h: messages taken apart when their instruction is made: an address a lane, a few elements at each.  They go
 * straight between the registers and a segment's bytes if the memory door is open for all lanes; else gen_send executes
 * them.
 */
#ifndef GEN_QUICK_H
#define GEN_QUICK_H

#include "engine/gate.h"
#include "engine/gen_exec.h"
#include "gpudbg/lanes.h"

/* The request of a data port message that has an address for each lane and no header.  An element is `size` bytes
 * in memory and, lane by lane, a dword (or two, of 8 bytes) in the registers. */
struct gen_lanes {
    bool write, wide; /* wide: addresses of 64 bits; else offsets in the surface `bti` */
    bool returns;     /* the answer goes to registers, if there are any */
    uint8_t bti, simd, size;
    uint8_t count, at[4]; /* elements; bytes from the address */
    uint8_t atomic;       /* enum gen_atomic, whose operands the elements are; or 0 */
};
bool gen_lanes_of(const struct gen_insn *, struct gen_lanes *); /* dataport.c */
/* Messages with neither lanes nor an answer: a fence, which has nothing to wait for; a signal to the barrier; a message
 * that only ends the thread. */
bool gen_is_fence(const struct gen_insn *);  /* dataport.c */
bool gen_is_signal(const struct gen_insn *); /* message_run.c */
/* Whether a barrier is not the one of all threads of the group; request: dword 2 of its message. */
bool gen_is_part_barrier(const struct gpudbg_wave *, uint32_t request);
bool gen_is_end(const struct gen_insn *); /* message_run.c */

/* A message, taken apart. */
struct gen_quick {
    gen_fn *handler;
    struct gpudbg_segment *segment; /* NULL: SLM, or where the address says; then the latest one is tried first */
    struct gen_lanes message;
    struct gen_gate gate;
    uint32_t need;                  /* channels of the thread that make all lanes take part; 0: a predicate decides */
    uint32_t lanes;                 /* channels that can take part */
    uint16_t address, data, answer; /* words of the wave */
    uint16_t words;                 /* of an element */
    uint8_t first_channel;          /* of the thread: its lane 0 */
    bool nothing, ends;             /* no lanes: a fence, a signal, or the end of the thread */
    uint8_t signals;                /* to the barrier */
    bool local;                     /* SLM */
    bool dwords;                    /* several in a row a lane */
    bool answers, overlaps;         /* registers are written, the address's too */
    uint8_t span;                   /* bytes from the address to the last element's end */
    const struct gen_level *level;
};

/* Handlers of messages that read and write dwords at offsets, of 8 and of 16 lanes, 1 to 4 next to each other a lane
 * (lanes_simd.c, compiled once for each vector width).  They leave other cases to gen_quick_send. */
struct gen_lane_handlers {
    gen_fn *read[2], *write[2];
};
extern const struct gen_lane_handlers gen_lane_handlers_1 LANES_MISSING, gen_lane_handlers_3 LANES_MISSING,
    gen_lane_handlers_4 LANES_MISSING;

/* NULL: gen_send must execute it. */
struct gen_quick *gen_quick_new(const struct gen *, const struct gen_insn *);
void gen_quick_free(struct gen_quick *);
gen_fn *gen_quick_handler(const struct gen_quick *);
gen_fn gen_quick_send;
/* Whether the message is one of these, and all its lanes are inside of the surface. */
bool gen_quick_inside(struct gpudbg_wave *, const struct gen_step *);

#endif
