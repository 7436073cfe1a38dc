/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h: what the user sets with `set NAME VALUE`; one row each in cmd_set.c. */
#ifndef GPUDBG_SETTINGS_H
#define GPUDBG_SETTINGS_H

#include "check/check.h"

/* How `picture` draws: what suits the terminal best, or one way. */
enum picture_way { PICTURE_AUTO, PICTURE_CHARACTERS, PICTURE_BLOCKS, PICTURE_SIXEL, PICTURE_KITTY };

/* Which waves run while the user steps or continues.  STEP: in steps, others only where the selected one needs them; in
 * `continue`, all.  ON: in `continue`, too, only where it needs them.  OFF: always all. */
enum locking { LOCKING_STEP, LOCKING_ON, LOCKING_OFF };

/* Where a line is, of which code has several statements. */
enum line_stops { LINE_STOPS_TURN, LINE_STOPS_ALL };

struct settings {
    char syntax[32]; /* "" : the instruction set's default */
    bool stop_on_error;
    bool observer; /* what is launched and loaded may not be changed */
    bool confirm;
    bool conversation;  /* begin and end records around what a line prints */
    bool no_shell;      /* the user may run no programs; never false again */
    bool no_plugins;    /* ... nor load plug-ins, nor whoever speaks for the user */
    bool no_pager;      /* long text stays in the prompt pane */
    bool no_home_names; /* the screen shows home folders as ~ */
    int list_size;      /* lines that `list` shows; 0: 10 */
    struct check_options check;
    bool source_lines;   /* the code of the screen has the source's lines between the instructions */
    bool lane_values;    /* ... and what executed instructions have written in the selected lane */
    bool live_registers; /* the code of the screen has the number of live registers beside it */
    bool profile;        /* launches count what they execute */
                         /* clang-format off */
#define LIMIT(member, ...) uint64_t member; /* 0: none */
#include "control/limits.def"
#undef LIMIT
    /* clang-format on */
    uint64_t session_limit; /* bytes from which on a saved session names a file instead of holding it; 0: none */
    char source_path[4096]; /* folders where source files may be, ':' between them */
    enum picture_way picture;
    enum locking locking;
    enum line_stops line_stops;
    struct setting_model { /* numbers of models of costs that the user set: gpudbg/costs.h */
        const struct gpudbg_cost_rule *rule;
        uint32_t value;
    } model[64];
    unsigned nmodel;
    int threads; /* processes that run recorded time again at once; 0: one a processor */
    int width;   /* columns of text output, 0: no limit */
    struct setting_choice {
        const struct gpudbg_choice *choice;
        unsigned value;
    } choice[64]; /* of instruction sets; others: 0 */
};

/* Gives the limits their first values. */
void settings_limits(struct settings *);
/* A limit as a number to compare with. */
static inline uint64_t limit_most(uint64_t limit) { return limit ? limit : UINT64_MAX; }
/* The number of the syntax that `set syntax` chose for this instruction set (0 if it has no such one). */
unsigned settings_syntax(const struct settings *, const struct gpudbg_isa *);
/* The number of the value chosen for isa->traits.choices[i]. */
unsigned settings_chosen(const struct settings *, const struct gpudbg_isa *, unsigned i);

#endif
