/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * channels_simd.h: operations on channels of 32 bits as loops that a compiler can widen.  channels_simd.c is compiled
 * once for each vector width; lanes_widest chooses among them.
 *
 * A row reads n elements of a, b, c and writes as many of d, which is one of a, b, c or overlaps none of them; n is 8,
 * 16 or 32, and all arrays have room for 32.  Floats are nearest even, IEEE mode; flush: denormals in sources and
 * results become zeros.  Results are those of arith.c, bit for bit.
 */
#ifndef GEN_LANES_SIMD_H
#define GEN_LANES_SIMD_H

#include "alu/arith.h"
#include "alu/shapes.h"
#include "gpudbg/lanes.h"

typedef void gen_row(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned n, bool flush);
typedef uint32_t gen_test(const uint32_t *a, const uint32_t *b, unsigned n, bool flush); /* a bit for each channel */

enum gen_test_type { GEN_T_INT, GEN_T_UINT, GEN_T_FLOAT, GEN_TESTS };

enum { GEN_ABOVE = 1, GEN_APART = 2 };

struct gen_level {
    gen_row *row[GEN_ROWS];
    const struct gen_shapes *shapes; /* shapes.h */
    gen_test *test[GEN_TESTS][7];    /* by condition: z nz g ge l le are 1 to 6 */
    /* Values for a row: one for all; extended words; ((a & keep) ^ flip) + one; a for lanes of the mask, else b; all
     * ones for lanes of the mask, else zeros.  All of them write as wide as rows read, because a processor waits long
     * for a register that was written in smaller pieces. */
    void (*fill)(uint32_t *d, uint32_t value, unsigned n);
    void (*words)(uint32_t *d, const void *from, unsigned n, bool is_signed);
    void (*modify)(uint32_t *d, const uint32_t *a, unsigned n, uint32_t keep, uint32_t flip, uint32_t one);
    void (*select)(uint32_t *d, const uint32_t *a, const uint32_t *b, unsigned n, uint32_t mask);
    void (*masks)(uint32_t *d, unsigned n, uint32_t mask);
    /* Products of 32 by 16 bits in an accumulator of 8 or 16 channels: dwords, and pairs whose first element is the
     * bits above a dword.  mul_acc: multiplies by b's low half or, if not `low`, by all of b, which then fits; mach:
     * adds the product with the high half, and gives the high half of the sum or, if `low`, the low half; keeps: the
     * accumulator keeps the sum, too. */
    void (*mul_acc)(
        uint32_t *acc, uint32_t *above, const uint32_t *a, const uint32_t *b, unsigned n, struct gen_product);
    void (*mach)(uint32_t *d, uint32_t *acc, uint32_t *above, const uint32_t *a, const uint32_t *b, unsigned n,
        struct gen_product);
    /* Of 8 or 16 offsets: is one above `most` (GEN_ABOVE), is one not 4 more than the one before it (GEN_APART)?
     * Are all runs of `span` bytes in the page of the first offset? */
    unsigned (*places)(const uint32_t *offset, unsigned n, uint32_t most);
    bool (*one_page)(const uint32_t *offset, unsigned n, uint32_t span);
    /* Lanes outside the mask get the value of lane `first`.  gather: reads dwords at offsets. */
    void (*spread)(uint32_t *d, const uint32_t *from, unsigned n, uint32_t mask, unsigned first);
    void (*gather)(uint32_t *d, const uint8_t *bytes, const uint32_t *offset, unsigned n);
};
extern const struct gen_level gen_level_1 LANES_MISSING, gen_level_3 LANES_MISSING, gen_level_4 LANES_MISSING;

#endif
