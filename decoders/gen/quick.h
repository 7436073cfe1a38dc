/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quick.h: messages taken apart when their instruction is made: an address a lane, a few elements at each.  They go straight
 * between the registers and a segment's bytes where the memory door stands open for all lanes; else gen_send does them.
 */
#ifndef GEN_QUICK_H
#define GEN_QUICK_H

#include "exec.h"

/* What a message of the data port asks for that has an address for each lane and no header.  An element is `size` bytes in
 * memory and, lane by lane, a dword (or two, of 8 bytes) in the registers. */
struct gen_lanes {
    bool write, wide;     /* wide: addresses of 64 bits; else offsets in the surface `bti` */
    uint8_t bti, simd, size;
    uint8_t count, at[4]; /* elements; bytes from the address */
};
bool gen_lanes_of(const struct gen_insn *, struct gen_lanes *); /* dataport.c */

/* NULL: gen_send it must be. */
struct gen_quick *gen_quick_new(const struct gen *, const struct gen_insn *);
void gen_quick_free(struct gen_quick *);
gen_fn gen_quick_send;

#endif
