/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * past.h: asking recorded time: who wrote this register or memory, and when did something hold?
 *
 * The recording alone answers; nothing else is kept.  A question goes back over the epochs, skips those without a
 * possible write (page copies and the waves' counts show that), replays the others and looks only at the instructions
 * that may write.  The machine then is where it was.
 */
#ifndef GPUDBG_PAST_H
#define GPUDBG_PAST_H

#include "eval/eval.h"
#include "eval/expr.h"
#include "eval/local_watch.h"
#include "eval/locals.h"
#include "machine/machine.h"
#include "machine/touch.h"

#define PAST_BYTES 512 /* of a value that are kept: the first; a pair of registers of 64 lanes */
#define PAST_TEXT 2048 /* of past_text: long enough for all of them */

/* A place that holds a value: registers of a wave, memory, or a variable that is followed through both. */
struct past_place {
    bool is_register;
    uint32_t wave;
    struct value value;         /* REGISTER: which, and how it is shown */
    struct touch_set *set;      /* REGISTER: its bits; malloc'ed; NULL until past_bits */
    bool narrowed;              /* REGISTER: only some of its bits are asked about: those that are left in `set` */
    bool certain;               /* REGISTER: an operand of the instruction being met names it */
    unsigned space;             /* MEMORY */
    struct memory_piece *piece; /* MEMORY: at least one, in the order of the value's bytes; malloc'ed */
    size_t npieces;
    uint64_t size;                /* bytes, of all pieces */
    struct value_type type;       /* bits 0: it is no number */
    struct value_type element;    /* MEMORY: of the elements of a buffer; bits 0: not known */
    struct local_watch *followed; /* the variable; NULL: registers or memory */
    uint64_t shape, count;        /* MEMORY: its type in the source, see struct local_memory; 0: none */
    char name[160]; /* "c[17]", an element that was named by its address; "$v3[1]", a variable; "": as typed */
};

/* The place that an expression names: registers of the wave (all of a double, where one is shown that begins there);
 * memory that it is, a whole buffer by its name, at any other address the element of a buffer that begins there, else
 * four bytes, or as many as a comma and a number say.  The text is changed. */
bool past_named(struct eval *, uint32_t wave, char *text, struct past_place *, struct gpudbg_error *);
/* A variable of a lane, as it is called at an address of code: it is followed.  false: it is none, or cannot be
 * followed. */
bool past_followed(struct eval *, uint32_t wave, int lane, uint64_t at, const char *text, struct past_place *);
/* As people say it: "c[17]" of what was typed as c+68; else as it was typed. */
const char *past_name(const struct past_place *, const char *typed);
void past_free(struct past_place *);
/* The name of a register, or of two together: "v14", "v[14:15]", "r3.xy".  Like snprintf. */
int past_registers_name(const struct gpudbg_regfile *, unsigned index, unsigned count, char *buf, size_t size);
/* Finds the bits of a register in the wave, for the machine that runs now. */
bool past_bits(struct eval *, struct past_place *, struct gpudbg_error *);
/* What the place holds now: the first bytes, at most `size`.  false: it is out of reach (the wave has ended). */
bool past_read(struct eval *, const struct past_place *, unsigned char *bytes, size_t size);
/* A sum of all that a register holds, however large: it tells two states apart. */
uint64_t past_sum(struct eval *, const struct past_place *);
/* Those bytes as their type shows them, or ""; and as text: the number and its bits, or what has many parts alone.  A
 * bare register has the type that it had before the instruction at `pc`. */
#define PAST_HERE UINT64_MAX /* ... as its wave stands now */
int past_number(
    struct eval *, const struct past_place *, const unsigned char *bytes, uint64_t pc, char *buf, size_t size);
int past_text(
    struct eval *, const struct past_place *, const unsigned char *bytes, uint64_t pc, char *buf, size_t size);
/* Behind the instruction at `pc`, which does not jump. */
uint64_t past_behind(const struct eval *, uint64_t pc);
/* The same; *plain: how many bytes of it come before the bits in parentheses, which repeat the value. */
int past_text_plain(struct eval *, const struct past_place *, const unsigned char *bytes, uint64_t pc, char *buf,
    size_t size, int *plain);
/* Stops (reason watchpoint) at what the place is written or read by: traces and watchpoints of this number. */
bool past_arm(struct eval *, struct past_place *, int number, bool reads, bool writes, struct gpudbg_error *);
void past_disarm(struct eval *, int number);
/* Whether the wave's next instruction, traced for this place, writes or reads it. */
bool past_about(struct eval *, struct gpudbg_wave *, struct past_place *, bool reads, bool writes);
/* After it: no operand names it, and it is as it was before. */
bool past_unchanged(struct eval *, const struct past_place *, const unsigned char *before);
/* Where recorded time may write the place (a register: also read it).  false: there is no such memory. */
bool past_sieve(struct eval *, const struct past_place *, struct machine_sieve *);
/* The lanes of registers that a place names; 0: they have none. */
uint64_t past_lanes(const struct past_place *, const struct gpudbg_machine *);

/* Of memory of several elements, the one that an instruction stored to; see past/stored.h. */
struct past_stored {
    bool known;
    uint64_t index, elements; /* in the value; how many elements were stored */
    unsigned size;            /* bytes of an element */
    int lane;                 /* that stored it; -1: no lane in particular */
    unsigned char old[8], now[8];
};

/* An instruction that wrote a place. */
struct past_write {
    uint64_t position; /* before it */
    uint32_t wave;
    uint64_t pc, lanes; /* lanes 0: no lanes in particular */
    bool edited;        /* the user has changed the place since, by hand */
    unsigned char old[PAST_BYTES], now[PAST_BYTES];
    struct past_stored stored; /* of memory that is larger than a number */
};

/* The last instruction before the present that wrote the place, or the next recorded one from the present on.  *found:
 * there is one.  false: interrupted, or it cannot be asked. */
bool past_last(struct eval *, struct past_place *, struct past_write *, bool *found, struct gpudbg_error *);
/* The same as past_last, but where there is one the machine then stands before it, and its stop is not restored. */
bool past_go_last(struct eval *, struct past_place *, struct past_write *, bool *found, struct gpudbg_error *);
bool past_next(struct eval *, struct past_place *, struct past_write *, bool *found, struct gpudbg_error *);
/* All of recorded time: the last `most` writes, in order, and how many there were. */
bool past_writes(
    struct eval *, struct past_place *, struct past_write *, size_t most, uint64_t *count, struct gpudbg_error *);
/* The same of its reads or writes, where only their positions, waves and lanes matter. */
bool past_moments(struct eval *, struct past_place *, bool reads, struct past_write *, size_t most, uint64_t *count,
    struct gpudbg_error *);

/* When a condition held, for the selected wave. */
struct past_times {
    uint64_t first, last, times; /* positions; times: how often it began to hold; 0: never */
};
bool past_times(struct eval *, const char *condition, struct past_times *, struct gpudbg_error *);

/* The instruction at an address, as text; "?": none is there.  Like snprintf. */
int past_insn_text(const struct eval *, uint64_t pc, char *buf, size_t size);

#endif
