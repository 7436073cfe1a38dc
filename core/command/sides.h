/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sides.h: two of something side by side: two runs, two positions, two waves, or the code of two files.
 *
 * Each side is a machine, a position in its time and a wave.  They move in lock step, without moving what the session
 * runs: two runs have machines of their own; the session's machine goes there to look, and comes back.
 */
#ifndef GPUDBG_SIDES_H
#define GPUDBG_SIDES_H

#include "past/compare.h"
#include "past/past.h"
#include "session/session.h"

struct side_line { /* an instruction */
    uint64_t pc;
    char *text;
};

struct side_row { /* of code; at[s] -1: that side has nothing there */
    int at[2];
    bool differs;
};

struct side_value { /* what differs between the two states */
    char name[160];
    char text[2][80];
    unsigned more;     /* lanes or elements that differ besides the one that is named */
    char place[2][96]; /* what past_named takes */
};

struct side_step { /* of the way from a value back through what it comes from */
    char name[160];
    char text[2][80]; /* its values */
    bool there[2];
    uint64_t position[2], pc[2];
    uint32_t wave[2];
    int lane;
    bool begins; /* here they begin to differ */
    char leaf[160];
};

struct sides {
    struct gpudbg *g;
    enum sides_of { SIDES_RUNS, SIDES_POSITIONS, SIDES_WAVES, SIDES_CODE } of;
    bool own[2]; /* the machine; image[1] goes with it */
    struct gpudbg_image *image[2];
    struct gpudbg_machine *machine[2]; /* NULL: code alone */
    struct compared side[2];
    bool alike; /* both run the same code, but for a few instructions */
    char title[2][64];
    char kernel[128]; /* whose code, where nothing runs; "": that of the session's cursor */
    uint64_t position[2];
    uint32_t wave[2];
    uint64_t future; /* of the session's machine */
    /* Code, as it was when they were opened. */
    struct side_line *line[2];
    int nlines[2];
    struct side_row *row;
    int nrows, ndiffer; /* rows that differ */
    /* The states. */
    bool there[2]; /* the wave has a next instruction */
    uint64_t pc[2];
    struct side_value *value;
    int nvalues;
    bool stored; /* two runs: the first store that differs, and the positions behind it */
    struct side_value store;
    uint64_t store_position[2];
    uint32_t store_wave;
    bool memory_left_out; /* it is too large to be compared at each step */
    struct side_step *step;
    int nsteps;
    char asked[160]; /* what the steps explain; "": nothing */
};

/* Takes over the machines where `own`, and image[1] if it is not the session's; what was compared before goes.  false:
 * they were freed. */
bool sides_open(struct gpudbg *, const struct sides *, struct gpudbg_error *);
/* What is compared now; NULL with an error. */
struct sides *sides_now(struct gpudbg *, struct gpudbg_error *);
/* Both by one instruction of their waves, or back (-1). */
bool sides_step(struct sides *, int by, struct gpudbg_error *);
/* To the next instruction whose results differ, or the one before. */
bool sides_next(struct sides *, int by, struct gpudbg_error *);
/* Both to these positions. */
bool sides_go(struct sides *, const uint64_t position[2], const uint32_t wave[2], struct gpudbg_error *);
/* What value i comes from, in both; of two runs, where there is no such value: the first store that differs. */
bool sides_why(struct sides *, int i, struct gpudbg_error *);
/* Names an element of a buffer, at an offset, for a side: as it is shown, and as expressions have it. */
void sides_element(struct side_value *, int s, const struct gpudbg_bound *, uint64_t offset);
/* The row of code that has the address, and the row where a side stands; -1: no row has it. */
int sides_row(const struct sides *, int s);
int sides_row_at(const struct sides *, int s, uint64_t pc);
/* As text. */
void sides_print(struct sides *, struct gpudbg_out *);

#endif
