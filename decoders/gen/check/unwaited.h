/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwaited.h: facts for `check scoreboard` about an instruction, in a run (unwaited.c) and over all paths through the
 * code (unwaited_ways.c): bytes of the GRF that it touches, and the message that is reported.
 */
#ifndef GEN_UNWAITED_H
#define GEN_UNWAITED_H

#include <assert.h>
#include "check/scoreboard.h"

enum {
    GRF_BYTES = 256 * 32,
    WORDS = GRF_BYTES / 64,
    ROWS = 64,           /* of two words each */
    IN_FLIGHT = 11,      /* later instructions in order until one has finished */
    WIDE_IN_FLIGHT = 15, /* ... with a result of 64 bits, on Gen12.5 */
    MATH = 255,          /* no shared function has these numbers */
    DPAS = 254,
};

/* Most instructions touch few bytes: rows of 128 bytes without a touched one are not filled. */
struct grf_bytes {
    uint64_t rows; /* rows that may have touched bytes, a bit for each */
    uint64_t word[WORDS];
};
static_assert(2 * ROWS == WORDS, "a bit for two words");

struct gen_touched {
    struct grf_bytes read, written;
};
/* The bytes of n footprints; off: also bytes that inactive lanes would touch. */
void gen_touch_bytes(
    struct gen_touched *, const struct gpudbg_insn *, const struct gpudbg_footprint *, unsigned n, bool off);
/* The first byte that is in both; -1: no such byte. */
int gen_common(const struct grf_bytes *, const struct grf_bytes *);
void gen_take_out(struct grf_bytes *from, const struct grf_bytes *what);

/* Facts about an instruction besides its bytes. */
struct gen_issued {
    struct gen_swsb how;
    bool apart;       /* a message or a math instruction, done out of order */
    bool ends, moves; /* moves: its bytes depend on registers */
    bool predicated;
    uint8_t depth;     /* in order: later instructions of its pipe until it has finished */
    uint8_t function;  /* shared function of the message; MATH, DPAS */
    uint32_t channels; /* two messages are taken in order if this is equal; 0: in no order */
};
void gen_issued_of(const struct gpudbg_insn *, struct gen_issued *);
/* Whether the instruction is in order and follows a producer of this pipe in order: it reads and writes after it. */
bool gen_in_order_after(const struct gen_issued *, unsigned pipe);
/* The letter of an instruction set's pipe for gen_early.pipe. */
char gen_pipe_letter(const struct gpudbg_isa *, unsigned pipe);
/* Whether two messages go to one function for the same channels, so that the later one is read later. */
static inline bool gen_in_turn(uint8_t function, uint32_t channels, uint8_t later, uint32_t later_channels)
{
    return function == later && function != MATH && channels && channels == later_channels;
}

/* A use of a producer's bytes by an instruction that comes too early. */
struct gen_early {
    const char *name; /* the producer */
    uint64_t pc;
    const struct grf_bytes *use; /* of the instruction */
    const struct grf_bytes *of;  /* of the producer */
    bool write, read_late;       /* the instruction writes them; the producer reads them */
    char wait;                   /* $ for a token, @ for a distance, 0: no wait is possible */
    char pipe;                   /* letter of the pipe that the distance counts; 0: distances count all */
    unsigned number;
};
void gen_report_early(struct gpudbg_checks *, const struct gpudbg_insn *, const struct gen_early *, uint64_t lanes);

/* gpudbg_checker.code: unwaited_ways.c. */
bool gen_check_unwaited(const struct gpudbg_image *, struct gpudbg_checks *, struct gpudbg_error *);

#endif
