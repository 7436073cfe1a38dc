/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwaited.h: what `check scoreboard` knows of an instruction, in a run (unwaited.c) and over all ways through the code
 * (unwaited_ways.c): bytes of the GRF that it touches, and the message that is reported.
 */
#ifndef GEN_UNWAITED_H
#define GEN_UNWAITED_H

#include <assert.h>
#include "check/scoreboard.h"

enum {
    GRF_BYTES = 128 * 32,
    WORDS = GRF_BYTES / 64,
    IN_FLIGHT = 11, /* instructions in order */
    MATH = 255,     /* no shared function has this number */
};

/* Most instructions touch few: words of 64 bytes that have none are not filled. */
struct grf_bytes {
    uint64_t rows; /* words that may have some, a bit each */
    uint64_t word[WORDS];
};
static_assert(WORDS == 64, "a bit each");

struct gen_touched {
    struct grf_bytes read, written;
};
/* Of n footprints; off: also what lanes that do not run would touch. */
void gen_touch_bytes(struct gen_touched *, const struct gpudbg_footprint *, unsigned n, bool off);
/* The first byte that is in both; -1: none. */
int gen_common(const struct grf_bytes *, const struct grf_bytes *);
void gen_take_out(struct grf_bytes *from, const struct grf_bytes *what);

/* What of an instruction counts besides its bytes. */
struct gen_issued {
    struct gen_swsb how;
    bool apart;        /* a message or a math instruction, done out of order */
    bool ends, moves;  /* moves: its bytes depend on registers */
    uint8_t function;  /* that it is sent to; MATH */
    uint32_t channels; /* what must be alike of two messages that are taken in order; 0: nothing is */
};
void gen_issued_of(const struct gpudbg_insn *, struct gen_issued *);

/* What an instruction does too early to bytes of a producer. */
struct gen_early {
    const char *name; /* the producer */
    uint64_t pc;
    const struct grf_bytes *use; /* of the instruction */
    const struct grf_bytes *of;  /* of the producer */
    bool write, read_late;       /* the instruction writes them; the producer reads them */
    char wait;                   /* $ with a token, @ with a distance, 0: there is none */
    unsigned number;
};
void gen_report_early(struct gpudbg_checks *, const struct gpudbg_insn *, const struct gen_early *, uint64_t lanes);

/* gpudbg_checker.code: unwaited_ways.c. */
bool gen_check_unwaited(const struct gpudbg_image *, struct gpudbg_checks *, struct gpudbg_error *);

#endif
