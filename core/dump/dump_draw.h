/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_draw.h: what the command streams of a dump start (draws, dispatches) in the order in which an engine comes by,
 * the state that was set for it, and how far the engine was.
 *
 * A stream that no other one runs is a root.  State is followed from the beginning of each root through the buffers
 * that it runs; what was set before the dump's streams begin is not known.
 */
#ifndef GPUDBG_DUMP_DRAW_H
#define GPUDBG_DUMP_DRAW_H

#include "gpudbg.h"

/* State that holds at a draw: a register, or a setting of the instruction set. */
struct draw_state {
    uint64_t key;                  /* registers: their byte address; settings: DRAW_SETTING and their key */
    const uint8_t *bytes, *before; /* now, and at the draw before; NULL: not set, or not known (see lost) */
    uint32_t size, before_size;
    bool lost;                     /* a command changed it, and the value does not stand in the stream */
    size_t stream, offset;         /* where it was set last */
    struct gpudbg_setting setting; /* of settings */
    const struct gpudbg_isa *isa;  /* ... and the whole command that they are a part of */
    const uint8_t *command;
    uint32_t command_size;
    uint64_t command_addr;
};
#define DRAW_SETTING (UINT64_C(1) << 32)

enum draw_kind { DRAW_STREAM, DRAW_WORK, DRAW_MARK };
enum draw_progress { PROGRESS_UNKNOWN, PROGRESS_TAKEN, PROGRESS_AHEAD };

struct draw_event {
    enum draw_kind kind;
    enum draw_progress progress;       /* whether the engine has taken the command */
    size_t stream, offset, root, from; /* from: offset in the root of the command that leads here */
    unsigned depth;                    /* of buffers that run buffers, and of marks that are open */
    unsigned number;                   /* of work, from 0 in the dump */
    struct gpudbg_mark mark;           /* of a mark; its text is borrowed from the stream */
    bool reached;                      /* a numbered mark: the dump says that it was */
    bool said;                         /* of work: a setting says more about it (says_work), set here: */
    size_t said_stream, said_offset;
};

struct draws {
    struct draw_event *event;
    size_t n;
    unsigned work;    /* how many of them start something */
    unsigned chosen;  /* the number of the last that an engine had taken, else of the first that it had not */
    const char *told; /* how the dump tells that: "the read pointer"; NULL: it does not, and it is the last of all */
};

/* Calls each(to, ...) for every command that is known, in the order in which an engine comes by.  root: the stream that
 * led to the command's own. */
typedef void draw_command_fn(void *to, size_t root, size_t stream, size_t offset, const struct gpudbg_insn *);
void draw_commands(const struct gpudbg_dump *, draw_command_fn *each, void *to);

/* To be ended with draws_end. */
struct draws draws_of(const struct gpudbg_dump *);
void draws_end(struct draws *);
/* The text of a command that starts work, also of one that is cut off. */
void draw_text(const struct gpudbg_dump *, const struct draw_event *, char *buf, size_t size);
/* State at the work of that number, in the order of keys; malloc'ed, *n of them. */
struct draw_state *draw_state_at(const struct gpudbg_dump *, unsigned number, size_t *n);
/* Calls each(to, ...) at every command that starts work, with the state at it, in no order that is promised; insn NULL:
 * the command is cut off. */
typedef void draw_work_fn(
    void *to, const struct draw_event *, const struct gpudbg_insn *, const struct draw_state *, size_t n);
void draw_works(const struct gpudbg_dump *, draw_work_fn *each, void *to);
/* Whether a draw's value is not that of the draw before. */
bool draw_state_differs(const struct draw_state *);

/* Memory that a command names: by a field of its own, a register that it sets, or words that it sets in registers
 * without a layout, tried as descriptors and addresses. */
struct draw_address {
    uint64_t start, bytes; /* bytes 0: how much it is is not known */
    char name[120];        /* of the command and its field, or of the register */
    size_t stream, offset;
    bool has_draw; /* the same root starts something behind it: the first is number `draw` */
    unsigned draw;
};
struct draw_address_sink {
    bool (*wants)(void *to, uint64_t start, uint64_t bytes);
    void (*each)(void *to, const struct gpudbg_dump *, const struct draw_address *);
    void *to;
};
/* In the order in which an engine comes by. */
void draw_addresses(const struct gpudbg_dump *, const struct draw_address_sink *);

#endif
