/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h: programs that run.
 *
 * A machine is a launched kernel: groups of waves, memory, a position in time.  Core keeps time, memory and
 * breakpoints; an instruction set's runner starts waves and executes them.  From the top: memory, machine and runners,
 * events, checkers.
 */
#ifndef GPUDBG_PUBLIC_MACHINE_H
#define GPUDBG_PUBLIC_MACHINE_H

#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory: the one door ---- */

#define GPUDBG_PAGE_BITS 12
#define GPUDBG_PAGE ((uint64_t)1 << GPUDBG_PAGE_BITS)

enum gpudbg_segment_flags { GPUDBG_SEG_READONLY = 1, GPUDBG_SEG_RWATCH = 2 };

/* A named run of bytes in a space: an argument's buffer, the kernarg block, a group's LDS.
 *
 * A store may go straight to `bytes` only if page[offset >> GPUDBG_PAGE_BITS] equals machine->stamp for every page it
 * touches: then the page's old contents are already saved, and no watchpoint is on it. gpudbg_mem_open makes this true
 * where it can. Any other store must use gpudbg_mem_write, which saves the page, checks the watchpoints and words the
 * fault. A load may go straight to `bytes` unless flags has GPUDBG_SEG_RWATCH; then it must use gpudbg_mem_read. Page
 * words belong to core: runners read them and never set them. */
struct gpudbg_segment {
    const char *name;
    uint64_t base, size;
    uint8_t *bytes; /* 64-byte aligned; 64 bytes more than size are readable */
    uint32_t *page; /* one word per page */
    uint32_t flags;
    int32_t param; /* index of the kernel's parameter it is bound to, or -1 */
};

/* Segments of a space are sorted by base and do not overlap. */
struct gpudbg_space {
    const char *name; /* "global", "lds", ... */
    struct gpudbg_segment **segment;
    size_t count;
};

enum { GPUDBG_GLOBAL = 0, GPUDBG_LOCAL = 1 }; /* spaces every machine has; a wave sees its group's segment in LOCAL */

/* The segment that holds [addr, addr + size), or NULL. */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_mem_find(
    struct gpudbg_wave *, unsigned space, uint64_t addr, uint64_t size);
/* Read or write `size` bytes for `lane` (-1: the whole wave).  false: a fault; machine->stop then has the message, and
 * nothing was read or written. */
GPUDBG_PUBLIC bool gpudbg_mem_read(struct gpudbg_wave *, unsigned space, uint64_t addr, void *, size_t size, int lane);
GPUDBG_PUBLIC bool gpudbg_mem_write(
    struct gpudbg_wave *, unsigned space, uint64_t addr, const void *, size_t size, int lane);
/* Prepares [offset, offset + size) of a segment, which must lie inside it, for stores straight to `bytes` until the
 * runner's run returns.  false: they must go through gpudbg_mem_write (read-only, watched); nothing is reported. */
GPUDBG_PUBLIC bool gpudbg_mem_open(struct gpudbg_wave *, struct gpudbg_segment *, uint64_t offset, uint64_t size);

/* ---- Machine ---- */

enum gpudbg_wave_state {
    GPUDBG_UNSTARTED, /* its registers follow from the launch */
    GPUDBG_READY,
    GPUDBG_AT_BARRIER,
    GPUDBG_ENDED,
};

enum gpudbg_reason {
    GPUDBG_STOP_NONE,
    GPUDBG_STOP_BREAKPOINT,
    GPUDBG_STOP_WATCHPOINT,
    GPUDBG_STOP_STEP,
    GPUDBG_STOP_DONE,
    GPUDBG_STOP_FAULT,
    GPUDBG_STOP_CHECK,
    GPUDBG_STOP_INTERRUPT,
    GPUDBG_STOP_HISTORY_START,
};

struct gpudbg_stop {
    enum gpudbg_reason reason;
    uint32_t wave;
    int lane; /* -1: no one lane */
    uint64_t pc;
    int number; /* breakpoint or watchpoint */
    char message[400];
};

/* A wave.  All its state that a runner changes is in the fields below and in `words`; both are copied into checkpoints.
 */
struct gpudbg_wave {
    struct gpudbg_machine *machine;
    uint32_t id;    /* in the whole launch: group * waves per group + index */
    uint32_t group; /* linear number of its group, x fastest */
    uint32_t index; /* in the group */
    uint32_t group_id[3];
    struct gpudbg_segment *lds; /* its group's, or NULL */
    uint64_t lanes; /* lanes that exist.  A group at the edge of the grid is as small as what is left of it, and counts
                     * its work-items by its own sizes, x fastest; a wave left without any is ENDED from the start */
    uint8_t state;  /* enum gpudbg_wave_state */
    uint64_t pc;    /* address of the next instruction */
    uint64_t executed; /* instructions this wave has executed */
    uint32_t *words;   /* register state, machine->wave_words dwords, 64-byte aligned, zero before runner->start */
};

/* The arguments of a launch, after parsing. */
enum gpudbg_bound_kind { GPUDBG_BOUND_BUFFER, GPUDBG_BOUND_VALUE, GPUDBG_BOUND_LOCAL, GPUDBG_BOUND_PART };

struct gpudbg_bound {
    const char *name; /* parameter's, or the word before '=' */
    const struct gpudbg_param
        *param; /* NULL: a named part of bare code ("s[0:3]", "scratch"), the runner's to interpret */
    enum gpudbg_bound_kind kind;
    const char *text;     /* as typed, after '=' */
    const uint8_t *bytes; /* VALUE, PART: contents, little endian */
    uint64_t size;        /* of bytes; LOCAL: bytes of LDS; 0 for a PART that is a plain number, see value */
    uint64_t value;
    struct gpudbg_segment *segment; /* BUFFER */
    const char *format;             /* what followed ':' on an image or typed resource, or NULL */
    uint64_t address;               /* BUFFER, if `placed`: where it lies */
    bool placed;
};

struct gpudbg_launch {
    const struct gpudbg_kernel *kernel;
    uint32_t global[3], local[3]; /* work-items */
    uint32_t groups[3];           /* groups, partial ones included */
    unsigned dimensions;          /* 1 to 3 */
    struct gpudbg_bound *bound;
    size_t nbound;
};

struct gpudbg_machine {
    struct gpudbg *session;
    const struct gpudbg_isa *isa;
    const struct gpudbg_image *image;
    const struct gpudbg_launch *launch;
    struct gpudbg_space *space;
    size_t nspaces;
    uint32_t stamp;                    /* see struct gpudbg_segment */
    uint32_t wave_words;               /* dwords of register state a wave; set by runner->launch */
    uint32_t hidden_word, hidden_bits; /* bits of such a dword that do not belong to the state, see runner->keep */
    uint32_t lanes;                    /* of a wave: isa->lanes, or what the runner says */
    uint32_t waves_per_group;          /* set by core from lanes and local size */
    uint32_t lds_size;                 /* bytes a group; set by runner->launch */
    uint32_t nwaves;                   /* of the whole launch */
    int watch_hit;          /* set by the memory door: number of a watchpoint that a store or load has just met, or 0 */
    volatile int interrupt; /* set from outside (Ctrl-C): run returns GPUDBG_RAN_LIMIT soon */
    struct gpudbg_stop stop; /* of the latest fault or trap */
    void *runner;            /* the runner's own: predecoded code and the like; immutable while time runs */
    void *core;              /* core's own: waves, schedule, history */
};

/* Why a call of runner->run ended. All values but LIMIT are returned whenever they are true, also after the last
 * instruction of the limit. So it makes no difference where core cuts a run.  On return wave->pc and wave->executed are
 * exact. */
enum gpudbg_ran {
    GPUDBG_RAN_LIMIT,   /* `limit` instructions were executed (or fewer, when interrupted), and nothing below holds */
    GPUDBG_RAN_BARRIER, /* the last one was a barrier; wave->state is AT_BARRIER */
    GPUDBG_RAN_END,     /* the wave ended; wave->state is ENDED */
    GPUDBG_RAN_BREAK,   /* the instruction at pc has a breakpoint; it has not been executed */
    GPUDBG_RAN_WATCH,   /* the last instruction set machine->watch_hit */
    GPUDBG_RAN_FAULT,   /* the instruction at pc cannot be executed, nothing was changed; machine->stop says why */
    GPUDBG_RAN_YIELD,   /* the wave sleeps: other waves may run */
    GPUDBG_RAN_EVENT,   /* executed; the user may care (trap, message, debug halt): machine->stop.message */
};

/* How often an instruction was executed: by waves, by lanes, by waves with some lanes masked off. jumped: how often the
 * next instruction was not the one after it. */
struct gpudbg_tally {
    uint64_t pc, executed, lanes, partial, jumped;
};

/* How an instruction set executes. Every function is deterministic and reads nothing but the machine. */
struct gpudbg_runner {
    /* Sets up a launch: predecodes, adds segments (gpudbg_machine_segment), fills kernargs, sets wave_words and
     * lds_size. */
    bool (*launch)(struct gpudbg_machine *, struct gpudbg_error *);
    /* Sets the first contents of a wave's registers and pc. They depend on the launch alone. */
    void (*start)(struct gpudbg_wave *);
    /* Executes at most `limit` (> 0) instructions; adds those executed to wave->executed.  `over` (may be true for the
     * first instruction only) passes over a breakpoint at pc. */
    enum gpudbg_ran (*run)(struct gpudbg_wave *, uint64_t limit, bool over);
    /* First dword of register `index` of isa->files[file]; NULL if this launch has no such register. */
    uint32_t *(*reg)(struct gpudbg_wave *, unsigned file, unsigned index);
    /* How many registers file has in this launch. */
    unsigned (*count)(const struct gpudbg_machine *, unsigned file);
    /* After someone stored to a register through reg(). */
    void (*changed)(struct gpudbg_wave *, unsigned file, unsigned index);
    /* Lanes that execute now (EXEC). */
    uint64_t (*active)(const struct gpudbg_wave *);
    /* on: makes run return GPUDBG_RAN_BREAK at pc; off: ends that. false: no instruction starts at pc. */
    bool (*breakpoint)(struct gpudbg_machine *, uint64_t pc, bool on);
    void (*finish)(struct gpudbg_machine *); /* frees machine->runner */
    /* Lanes of a wave in this launch, 1 to isa->lanes; asked before `launch`, with machine->launch known.  NULL:
     * isa->lanes. */
    unsigned (*lanes)(const struct gpudbg_machine *);
    /* Whether the registers of this file are kept up to date. Some are too costly to keep always (exceptions of
     * floats). Core asks before it shows them or, with `edit`, before it changes them. With `now`, keeping starts here:
     * core runs time again from the launch, so that nothing is missed. Results must be the same either way. NULL: all
     * registers are always kept. */
    bool (*keep)(struct gpudbg_machine *, unsigned file, bool edit, bool now);
    /* Writes which value of the launch a register still holds, in a few words ("local ids x", ".0 out .2 n"). 0: none.
     * NULL: the runner does not know. */
    int (*holds)(struct gpudbg_wave *, unsigned file, unsigned index, char *buf, size_t size);
    /* Whether the program or the launch fixes the file's registers, so that nobody can set them. NULL: no file is
     * fixed.
     */
    bool (*fixed)(unsigned file);
    /* on: counts from zero what is executed from here on; off: stops counting. false: no memory. It must cost little
     * time. NULL: core counts by watching, which is slow. */
    bool (*tally)(struct gpudbg_machine *, bool on);
    /* Calls each(to, counts) for every instruction that was counted.  false: the counts are not known (instructions
     * overlap). */
    bool (*tallied)(const struct gpudbg_machine *, void (*each)(void *to, const struct gpudbg_tally *), void *to);
    /* The decoded instruction at the wave's pc, with the operands that it has in the wave's present state, because
     * another register may decide the number of a register. If they differ from `insn`, they are written to `own`.
     * Returns `insn` or `own`, or NULL if the instruction will be skipped. A NULL function: operands are always as
     * decoded. */
    const struct gpudbg_insn *(*actual)(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);
};

/* A new segment of `size` bytes (zeros, or copied from `bytes`), at an address of core's choosing, far from all others.
 * NULL: more memory than the launch may use.  Space GLOBAL only; LDS is made from lds_size. */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_machine_segment(struct gpudbg_machine *, const char *name, uint64_t size,
    const uint8_t *bytes, uint32_t flags, struct gpudbg_error *);
/* The same at a fixed address (code, apertures). */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_machine_segment_at(struct gpudbg_machine *, const char *name, uint64_t base,
    uint64_t size, const uint8_t *bytes, uint32_t flags, struct gpudbg_error *);
/* The wave's instruction cannot go on: fills machine->stop (reason FAULT) and returns GPUDBG_RAN_FAULT.  Only the
 * reason is given: core adds the place and the instruction's text. */
GPUDBG_PUBLIC enum gpudbg_ran gpudbg_fault(struct gpudbg_wave *, int lane, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
/* An event of the instruction being executed, recorded and shown, which does not stop the program (messages, traps);
 * run then returns GPUDBG_RAN_EVENT. */
GPUDBG_PUBLIC void gpudbg_event(struct gpudbg_wave *, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
/* The same with a copy of `size` bytes, for a listing that knows what they mean. */
GPUDBG_PUBLIC void gpudbg_event_data(
    struct gpudbg_wave *, const char *kind, const void *data, size_t size, const char *fmt, ...) GPUDBG_PRINTF(5, 6);

/* The events that programs made, in order. Events after the present position are not listed.  The first million are
 * kept.  Borrowed until the machine runs again. */
struct gpudbg_event {
    uint64_t position, pc;
    uint32_t wave;
    const char *kind, *text;
    const void *data;
    size_t size;
};
GPUDBG_PUBLIC size_t gpudbg_events(const struct gpudbg_machine *, const struct gpudbg_event **);

#ifdef __cplusplus
}
#endif
#endif
