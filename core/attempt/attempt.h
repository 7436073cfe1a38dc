/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attempt.h: a few instructions, tried out without a file or a launch.
 *
 *     v_add_u32 v0, vcc, v1, v2; v_mov_b32 v3, v0  v1=7 v2[5]=1 buf0=hex:00ff -> v0=7
 *
 * A line has instructions (`;` between them), inputs and, after `->`, expected values.  An attempt assembles the
 * instructions, launches them as bare code on a machine of its own with one wave, and executes them one by one until
 * they are left.  It notes which registers were read that no input set, what was written, and what happened.
 *
 *     attempt_line.c   the line, cut into its parts
 *     attempt_place.c  NAME=VALUE as bits of registers, or as bytes of memory
 *     attempt.c        the code, its machine, and its run
 *     attempt_start.c  registers and memory of what is launched, as a start
 *     attempt_read.c   what was read and written
 *     attempt_check.c  what was expected
 *     attempt_show.c   the answer, as a record and as text
 */
#ifndef GPUDBG_ATTEMPT_H
#define GPUDBG_ATTEMPT_H

#include "gpudbg.h"
#include "base/ticker.h"

struct assembler;
struct launch_files;
struct load_env;

/* ---- A line ---- */

struct attempt_word {
    const char *name, *value; /* value NULL: a word alone */
};

struct attempt_line {
    char *code; /* the instructions, each in a line of its own */
    struct attempt_word *in, *out;
    size_t nin, nout;
    bool expects; /* the line has a `->` */
    char *text;   /* what the words are cut out of; malloc'ed, as are code, in and out */
};

/* Cuts a line up.  The inputs are the words NAME=VALUE at its end, or before `->`. */
bool attempt_split(const char *text, struct attempt_line *, struct gpudbg_error *);
void attempt_line_free(struct attempt_line *);

/* ---- An attempt ---- */

/* What an attempt needs of its surroundings; all is borrowed. */
struct attempt_env {
    const struct gpudbg_isa *isa;
    unsigned syntax;
    struct gpudbg *session;           /* for choices of the instruction set; may be NULL */
    const struct load_env *load;      /* whose loaders take the code */
    const struct launch_files *files; /* for @FILE */
    const struct gpudbg_image *image; /* names in the text are this image's, too; may be NULL */
    const struct ticker *ticker;
    struct gpudbg_wave *now; /* the launched wave that `start=now` means; NULL: nothing is launched */
};

/* Bits of one dword of a wave's words, with a value. */
struct attempt_bits {
    uint32_t at, mask, value;
    uint16_t file, reg, dword; /* the register that they belong to, and the dword in it: the lane, where it has lanes */
};

struct attempt_place {
    bool memory;
    /* A register: */
    struct attempt_bits *bits;
    size_t n, room;
    bool any_nan; /* expected: "nan", of the size below */
    unsigned nan_size;
    /* Memory: */
    unsigned space;
    uint64_t addr, size;
    uint8_t *bytes;
};

/* A register that was read and that no input had set.  lanes: which of them; 0 where it has none. */
struct attempt_assumed {
    uint16_t file, reg;
    uint64_t lanes;
    bool whole; /* all of it was read, not only a part */
};

/* What an instruction wrote: registers that are one number. */
struct attempt_written {
    uint16_t file, reg, count;
    char type[8]; /* name of the form of its elements (form.h): "f"; "": none is known */
};

struct attempt_stored {
    unsigned space;
    uint64_t addr, size;
    const struct gpudbg_segment *segment;
    uint8_t *before; /* `size` bytes */
};

struct attempt_event {
    const char *kind; /* "branch", "falls-through", "barrier", or the kind of an event of the machine */
    uint64_t pc, target;
    bool has_target;
    char *text; /* or NULL */
};

enum attempt_end {
    ATTEMPT_DONE,    /* the last instruction was executed */
    ATTEMPT_LEFT,    /* a branch went elsewhere */
    ATTEMPT_ENDED,   /* the wave ended */
    ATTEMPT_FAULT,   /* an instruction cannot be executed */
    ATTEMPT_ENDLESS, /* it executes more than ATTEMPT_MOST */
};
#define ATTEMPT_MOST 65536

struct attempt {
    const struct attempt_env *env;
    uint64_t base;
    bool start; /* start=now */
    uint8_t *code;
    size_t size;
    struct gpudbg_image *image;
    struct gpudbg_machine *machine;
    struct gpudbg_wave *wave;
    uint64_t to;              /* address after the last instruction of the text */
    uint32_t *before, *known; /* the wave's words before the run; bits with an input, or written by the run */
    uint64_t executed, pc;
    enum attempt_end end;
    char fault[400];
    struct attempt_assumed *assumed;
    size_t nassumed, assumed_room;
    struct attempt_written *written;
    size_t nwritten, written_room;
    struct attempt_stored *stored;
    size_t nstored, stored_room;
    struct attempt_event *event;
    size_t nevents, events_room;
    struct attempt_difference {
        char what[96], got[96], wanted[96];
    } * difference;
    size_t ndifferences, differences_room;
};

/* Tries the line.  false: it could not be tried, and the error says why; a fault of an instruction is an answer. */
bool attempt_open(struct attempt *, const struct attempt_env *, const struct attempt_line *, struct gpudbg_error *);
void attempt_close(struct attempt *);
/* Holds the answer against what the line expects: fills in the differences.  false: the expectation cannot be read. */
bool attempt_check(struct attempt *, const struct attempt_line *, struct gpudbg_error *);

/* Writes the members of the record `tried`, or the text with `indent` before each of its lines. */
void attempt_show(struct attempt *, struct gpudbg_out *, const char *indent);

/* ---- Between the files ---- */

/* Is the word a register or memory of the launched machine?  If so, fills in the place with its value. */
enum attempt_named {
    ATTEMPT_NOBODY,
    ATTEMPT_PLACE,
    ATTEMPT_BAD
} attempt_place(struct attempt *, const struct attempt_word *, struct attempt_place *, struct gpudbg_error *);
void attempt_place_free(struct attempt_place *);
/* Whether a word names a register of the instruction set; no launch is needed. */
bool attempt_is_register(const struct gpudbg_isa *, const char *name);
/* Makes the register or the memory hold the value. */
bool attempt_set(struct attempt *, const struct attempt_place *, struct gpudbg_error *);

/* The first dword of a register in the wave's words, and how many it has; SIZE_MAX: it is not stored there. */
size_t attempt_dwords(struct attempt *, unsigned file, unsigned reg, unsigned *n);
/* `start=now`: memory (before the machine of the attempt is made) and registers are those of what is launched. */
/* The memory that the wave's launch binds to a resource of this name; NULL: it binds none. */
const struct gpudbg_bound *attempt_bound(const struct gpudbg_wave *, const char *name);
bool attempt_start_memory(struct attempt *, struct gpudbg_launch *, struct gpudbg_error *);
bool attempt_start_registers(struct attempt *, const struct attempt_line *, struct gpudbg_error *);
/* To be called before the wave's next instruction: notes the unset registers and memory that it reads, and those that
 * it writes. */
void attempt_reads(struct attempt *, const struct gpudbg_insn *);
void attempt_writes(struct attempt *, const struct gpudbg_insn *);
/* A register by its name, as inputs have it: "v2", "r5.z".  Returns buf. */
const char *attempt_name(const struct attempt *, unsigned file, unsigned reg, char *buf, size_t size);

#endif
