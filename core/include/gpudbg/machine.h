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

enum gpudbg_segment_flags {
    GPUDBG_SEG_READONLY = 1,
    GPUDBG_SEG_RWATCH = 2,
    GPUDBG_SEG_LOGGED = 4, /* core keeps which lane stored what when: the buffer of printf.  At most one in a launch */
    GPUDBG_SEG_WRITEONLY = 8,  /* loads are faults; RWATCH is always set with it */
    GPUDBG_SEG_UNDEFINED = 16, /* a launch does not define its contents: bytes that were not stored have no value */
    GPUDBG_SEG_PRIVATE = 32,   /* each lane or wave has its own part of it: scratch */
};

/* A named run of bytes in a space: the buffer of an argument, the block of arguments, the LDS of a group.
 *
 * A store may write `bytes` directly only if page[offset >> GPUDBG_PAGE_BITS] equals machine->stamp for every page that
 * it touches: the old contents of such a page are saved, and it is not watched.  gpudbg_mem_open brings pages into that
 * state if it can.  All other stores use gpudbg_mem_write, which saves, watches, and names the culprit.  A load may
 * read `bytes` directly unless flags has GPUDBG_SEG_RWATCH; then it uses gpudbg_mem_read, or calls gpudbg_mem_loads
 * first.  The words in `page` belong to core: read them, never set them. */
struct gpudbg_segment {
    const char *name;
    uint64_t base, size;
    uint8_t *bytes; /* 64-byte aligned; 64 bytes more than size are readable */
    uint32_t *page; /* one word per page */
    uint32_t flags;
    int32_t param; /* index of the kernel's parameter that it is bound to, or -1 */
};

/* Segments of a space are sorted by base and do not overlap. */
struct gpudbg_space {
    const char *name; /* "global", "lds", ... */
    struct gpudbg_segment **segment;
    size_t count;
};

enum {
    GPUDBG_GLOBAL = 0,
    GPUDBG_LOCAL = 1
}; /* every machine has these; in LOCAL, a wave sees the segment of its group */

/* The segment that holds [addr, addr + size), or NULL. */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_mem_find(
    struct gpudbg_wave *, unsigned space, uint64_t addr, uint64_t size);
/* Read or write `size` bytes for `lane` (-1: the whole wave).  false: a fault; nothing was read or written, and
 * machine->stop says what happened, to whom and where. */
GPUDBG_PUBLIC bool gpudbg_mem_read(struct gpudbg_wave *, unsigned space, uint64_t addr, void *, size_t size, int lane);
GPUDBG_PUBLIC bool gpudbg_mem_write(
    struct gpudbg_wave *, unsigned space, uint64_t addr, const void *, size_t size, int lane);
/* Prepares [offset, offset + size), which must lie inside the segment, for stores that write `bytes` directly until the
 * runner's run returns.  false: use gpudbg_mem_write instead (read-only, watched); nothing is reported. */
GPUDBG_PUBLIC bool gpudbg_mem_open(struct gpudbg_wave *, struct gpudbg_segment *, uint64_t offset, uint64_t size);

/* A load or store, as watchers see it: of one lane, or (lane -1) of the whole wave. */
struct gpudbg_access {
    unsigned space;
    bool write;
    int lane;
    uint64_t addr, size;            /* inside of segment */
    struct gpudbg_segment *segment; /* during the call, still holds the bytes from before a store */
    const void *bytes;              /* what is loaded or stored: `size` bytes, valid during the call */
};

/* Loads or stores of several lanes at once, of one size, in one segment.  What lanes store does not overlap. */
struct gpudbg_accesses {
    unsigned space;
    bool write;
    uint64_t size;
    struct gpudbg_segment *segment;
    uint64_t lanes;         /* not 0 */
    const uint32_t *offset; /* in the segment, by lane; valid during the call */
    const uint8_t *bytes;   /* that are stored, `size` of each lane, absent ones included; valid during the call */
    uint8_t row;            /* core's: whether they are in a row (core/machine/row.h); 0: nobody has looked */
};
static inline struct gpudbg_access gpudbg_access_of(const struct gpudbg_accesses *a, unsigned lane)
{
    struct gpudbg_segment *s = a->segment;
    const uint8_t *bytes = a->write ? a->bytes + lane * a->size : s->bytes + a->offset[lane];
    const struct gpudbg_access one = {a->space, a->write, (int)lane, s->base + a->offset[lane], a->size, s, bytes};
    return one;
}
/* The runner has checked that each lane's bytes are inside the segment, and that the lanes may read or write there.
 * gpudbg_mem_loads only informs watchers; the runner then reads the segment's bytes itself.  gpudbg_mem_stores
 * does what gpudbg_mem_write does, for each lane. */
GPUDBG_PUBLIC void gpudbg_mem_loads(struct gpudbg_wave *, const struct gpudbg_accesses *);
GPUDBG_PUBLIC bool gpudbg_mem_stores(struct gpudbg_wave *, const struct gpudbg_accesses *);
/* The same for lanes that access up to four consecutive dwords each, one dword at a time: every lane its first dword,
 * then every lane its second.  For stores, the lanes' places must ascend and must not overlap. */
GPUDBG_PUBLIC void gpudbg_mem_loads_dwords(struct gpudbg_wave *, const struct gpudbg_accesses *);
GPUDBG_PUBLIC bool gpudbg_mem_stores_dwords(struct gpudbg_wave *, const struct gpudbg_accesses *);
/* The same for atomics of 4 or 8 bytes, whose lanes may meet: each loads what the one before it stored.  The lane's old
 * value goes to old[lane], and what change(with, lane, old value) returns is stored.  `write` and `bytes` of the
 * accesses mean nothing. */
GPUDBG_PUBLIC bool gpudbg_mem_updates(struct gpudbg_wave *, const struct gpudbg_accesses *, uint64_t old[64],
    uint64_t (*change)(const void *with, unsigned lane, uint64_t old), const void *with);

/* ---- Machine ---- */

enum gpudbg_wave_state {
    GPUDBG_UNSTARTED, /* it has executed nothing: its registers follow from the launch */
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
    GPUDBG_STOP_CATCH, /* an event that the user waits for: `catch` */
};

struct gpudbg_stop {
    enum gpudbg_reason reason;
    uint32_t wave;
    int lane; /* -1: no lane in particular */
    uint64_t pc;
    int number; /* of the breakpoint, watchpoint or catchpoint */
    char message[400];
};

/* A wave.  A runner changes nothing but pc, executed, state and `words`; checkpoints copy them. */
struct gpudbg_wave {
    struct gpudbg_machine *machine;
    uint32_t id;    /* in the whole launch: group * waves per group + index */
    uint32_t group; /* linear number of its group, x fastest */
    uint32_t index; /* in the group */
    uint32_t group_id[3];
    struct gpudbg_segment *lds; /* its group's, or NULL */
    uint64_t lanes; /* lanes that exist, a bit each.  A group at the edge of the grid is as small as what is left of the
                     * grid, and counts its work-items by its own sizes, x fastest.  A wave without lanes is ENDED from
                     * the start */
    uint8_t state;  /* enum gpudbg_wave_state */
    uint64_t pc;    /* address of the next instruction */
    uint64_t executed; /* instructions this wave has executed */
    uint32_t *words;   /* register state, machine->wave_words dwords, 64-byte aligned, zero before runner->start */
};

/* What the user asked of a launch, after parsing. */
enum gpudbg_bound_kind { GPUDBG_BOUND_BUFFER, GPUDBG_BOUND_VALUE, GPUDBG_BOUND_LOCAL, GPUDBG_BOUND_PART };

struct gpudbg_bound {
    const char *name; /* of the parameter, or the word before '=' */
    const struct gpudbg_param
        *param; /* NULL: a named part of bare code ("s[0:3]", "scratch"), which the runner interprets */
    enum gpudbg_bound_kind kind;
    const char *text;     /* what was typed after '=' */
    const uint8_t *bytes; /* VALUE, PART: contents, little endian */
    uint64_t size;        /* of bytes; LOCAL: bytes of LDS; PART of a plain number: 0, see value */
    uint64_t value;
    struct gpudbg_segment *segment; /* BUFFER */
    const char *format;             /* what was typed after ':' on an image or typed resource, or NULL */
    uint64_t address;               /* BUFFER, if `placed`: its address */
    bool placed;
    uint32_t flags; /* BUFFER: those of its segment: READONLY, WRITEONLY, UNDEFINED */
};

struct gpudbg_launch {
    const struct gpudbg_kernel *kernel;
    uint32_t global[3], local[3]; /* work-items */
    uint32_t groups[3];           /* groups, those that are not full included */
    unsigned dimensions;          /* 1 to 3 */
    struct gpudbg_bound *bound;
    size_t nbound;
    uint32_t offset[3]; /* of global ids: `launch -o`; a runner whose programs cannot receive it refuses all but 0 */
};

/* For programs that cannot receive a global offset: true with an error if the launch has one. */
static inline bool gpudbg_launch_shifted(const struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    const uint32_t *o = launch->offset;
    return (o[0] || o[1] || o[2]) && !gpudbg_fail(err, "bad-argument", "launch: -o: %s takes no global offset",
                                         launch->kernel->name ? launch->kernel->name : "the code");
}

struct gpudbg_machine {
    struct gpudbg *session;
    const struct gpudbg_isa *isa;
    const struct gpudbg_image *image;
    const struct gpudbg_launch *launch;
    struct gpudbg_space *space;
    size_t nspaces;
    uint32_t stamp;                    /* see struct gpudbg_segment */
    uint32_t wave_words;               /* dwords of register state a wave; set by runner->launch */
    uint32_t hidden_word, hidden_bits; /* bits of that dword that are not part of the state: see runner->keep */
    uint32_t lanes;                    /* of a wave: isa->lanes, or what runner->lanes returns */
    uint32_t waves_per_group;          /* set by core from lanes and local size */
    uint32_t lds_size;                 /* bytes a group; set by runner->launch */
    uint32_t nwaves;                   /* of the whole launch */
    int watch_hit; /* set by gpudbg_mem_read and gpudbg_mem_write: number of the watchpoint just met, or 0 */
    /* For a run that is watched; NULL: it is not.  A runner that `asks` calls it before each instruction, unless a
     * breakpoint stops there, with wave->pc and wave->executed exact.  true: run returns GPUDBG_RAN_BREAK.  Meanwhile
     * instructions may be tried out on a copy of the wave. */
    bool (*ask)(struct gpudbg_wave *);
    volatile int interrupt;  /* set from outside (Ctrl-C): run returns GPUDBG_RAN_LIMIT soon */
    struct gpudbg_stop stop; /* the latest fault or trap */
    void *runner;            /* the runner's own: predecoded code and the like; must not change while time runs */
    void *core;              /* core's own: waves, schedule, history */
};

/* Why a call of runner->run ended.  All but LIMIT are returned whenever they are true, also after the last instruction
 * of the limit: so core may cut a run in two anywhere.  On return wave->pc and wave->executed are exact. */
enum gpudbg_ran {
    GPUDBG_RAN_LIMIT,   /* it executed `limit` instructions, or was interrupted, and nothing below is true */
    GPUDBG_RAN_BARRIER, /* the last one was a barrier; wave->state is AT_BARRIER */
    GPUDBG_RAN_END,     /* the wave ended; wave->state is ENDED */
    GPUDBG_RAN_BREAK,   /* the instruction at pc has a breakpoint; it has not been executed */
    GPUDBG_RAN_WATCH,   /* the last instruction set machine->watch_hit */
    GPUDBG_RAN_FAULT,   /* the instruction at pc cannot be executed, nothing was changed; machine->stop says why */
    GPUDBG_RAN_YIELD,   /* the wave sleeps: others may run */
    GPUDBG_RAN_EVENT,   /* executed; machine->stop.message describes it for the user (trap, message, debug halt) */
};

/* How often an instruction was executed: by waves, by lanes, by waves with some lanes masked off; and how often it
 * jumped. */
struct gpudbg_tally {
    uint64_t pc, executed, lanes, partial, jumped;
};

/* What a call of printf left in the buffer.  Everything is borrowed until each() returns. */
struct gpudbg_printf_value {
    const uint8_t *bytes; /* little endian; elements of a vector one behind another; of a string up to its 0 */
    uint32_t size;        /* of all elements; of a string: bytes that may be read */
};
struct gpudbg_printf {
    const struct gpudbg_segment *segment; /* the segment that contains it; for the one that is LOGGED core knows who
                                             wrote each byte */
    uint64_t at, size;
    const char *format;                       /* of C, as OpenCL extends it; NULL: see problem */
    const struct gpudbg_printf_value *values; /* in the order of the conversions */
    const struct gpudbg_printf_value
        *others; /* where the values are if not all of `values` was stored; NULL: nowhere */
    unsigned nvalues;
    const char *problem; /* why there is no format, or why no more calls can follow; NULL: no problem */
};
typedef bool gpudbg_printf_fn(void *to, const struct gpudbg_printf *);

/* Register numbers come from code, so a runner reaches registers through one function that knows how many there are.
 * Where that was proved before (once for an instruction, when it is made ready), builds with the address sanitizer,
 * which the fuzzers are, prove it again at each access: a wave's registers are adjacent, so the sanitizer alone would
 * not see a wrong number. */
#ifndef __has_feature
#define GPUDBG_HAS_FEATURE(x) 0
#else
#define GPUDBG_HAS_FEATURE(x) __has_feature(x)
#endif
#if defined(__SANITIZE_ADDRESS__) || GPUDBG_HAS_FEATURE(address_sanitizer)
#define GPUDBG_PROVED(x) ((x) ? (void)0 : __builtin_trap())
#else
#define GPUDBG_PROVED(x) ((void)sizeof(x))
#endif

/* What the name of a register in the program's text means. */
enum gpudbg_written_as {
    GPUDBG_WRITTEN_NO,       /* nothing in this launch */
    GPUDBG_WRITTEN_REGISTER, /* a register: reg */
    GPUDBG_WRITTEN_MEMORY,   /* as many words as the file has parts, in global memory: addr */
    GPUDBG_WRITTEN_INDEXED,  /* a number in brackets has to follow */
};
struct gpudbg_written {
    unsigned reg;
    uint64_t addr;
};

/* How an instruction set executes.  Everything is deterministic and reads nothing but the machine.  The first eight
 * members are needed; the others may be NULL. */
struct gpudbg_runner {
    /* Sets up a launch: predecodes, adds segments (gpudbg_machine_segment), fills in the kernel's arguments, sets
     * wave_words and lds_size. */
    bool (*launch)(struct gpudbg_machine *, struct gpudbg_error *);
    void (*finish)(struct gpudbg_machine *); /* frees machine->runner */
    /* Sets the first contents of a wave's registers and its pc: from the launch alone, always the same. */
    void (*start)(struct gpudbg_wave *);
    /* Executes at most `limit` (> 0) instructions; adds those executed to wave->executed.  `over` (may be true for the
     * first instruction only) passes over a breakpoint at pc. */
    enum gpudbg_ran (*run)(struct gpudbg_wave *, uint64_t limit, bool over);
    /* First dword of register `index` of isa->files[file]; NULL if this launch has no such register. */
    uint32_t *(*reg)(struct gpudbg_wave *, unsigned file, unsigned index);
    /* How many registers the file has in this launch. */
    unsigned (*count)(const struct gpudbg_machine *, unsigned file);
    /* Lanes that execute now (EXEC). */
    uint64_t (*active)(const struct gpudbg_wave *);
    /* Makes run return GPUDBG_RAN_BREAK at pc, or no longer.  false: no instruction starts there. */
    bool (*breakpoint)(struct gpudbg_machine *, uint64_t pc, bool on);

    /* ---- Optional: waves and registers ---- */
    bool asks; /* `run` calls machine->ask.  If not, core calls `run` for each instruction that is watched: slow */
    /* Lanes of a wave in this launch, 1 to isa->lanes; asked before `launch`, with machine->launch known.  NULL:
     * isa->lanes. */
    unsigned (*lanes)(const struct gpudbg_machine *);
    /* Called after someone stored to a register through reg(). */
    void (*changed)(struct gpudbg_wave *, unsigned file, unsigned index);
    /* Whether nobody can set the file's registers, because they follow from the program or the launch.  NULL: all can
     * be set. */
    bool (*fixed)(unsigned file);
    /* Writes what of the launch a register still holds, in a few words ("local ids x", ".0 out .2 n"); returns 0 if it
     * holds nothing of it.  *bits becomes the size of its numbers where they are unsigned and all of one size (16 for
     * ids of work-items), else 0: how a register is shown follows from this, never from the text.  NULL: that is not
     * known. */
    int (*holds)(struct gpudbg_wave *, unsigned file, unsigned index, unsigned *bits, char *buf, size_t size);
    /* Whether the file is kept up to date, where doing so always costs too much (exceptions of floats); asked for a
     * look or, with `edit`, before a change.  With `now`, the runner starts keeping it: core then runs time again from
     * the launch, so nothing is missed, and results must be the same either way.  NULL: every file always is. */
    bool (*keep)(struct gpudbg_machine *, unsigned file, bool edit, bool now);
    /* The instruction at the wave's pc with the operands that it has now: the number of a register may come from
     * another register.  What differs from `insn` is written to `own`; the result is one of the two, or NULL if the
     * instruction will be passed over.  NULL: all are as they are decoded. */
    const struct gpudbg_insn *(*actual)(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);

    /* Calls each(to, message) for what the program printed, in the order of the calls, until it returns false; also for
     * messages that are not yet whole.  NULL: programs do not print. */
    void (*printed)(const struct gpudbg_machine *, gpudbg_printf_fn *each, void *to);

    /* ---- Optional: code that the user patches ---- */
    /* The bytes of code in [from, to) are others now in machine->image, and nothing in recorded time has executed them:
     * predecodes them again, with the breakpoints as they were, and puts them into the memory of the launch.  false:
     * the machine is as before.  NULL: code cannot change while something is launched. */
    bool (*recode)(struct gpudbg_machine *, uint64_t from, uint64_t to, struct gpudbg_error *);

    /* ---- Optional: counting what is executed.  Without these two, core counts by watching, which is slow. ---- */
    /* Starts to count, from zero, or stops.  false: no memory.  Counting must cost little. */
    bool (*tally)(struct gpudbg_machine *, bool on);
    /* Calls each(to, counts) for every instruction that was counted.  false: it cannot tell (instructions overlap). */
    bool (*tallied)(const struct gpudbg_machine *, void (*each)(void *to, const struct gpudbg_tally *), void *to);

    /* ---- Optional: names ---- */
    /* What a register of the file is whose name stands in the program's text without a $: its number (-1: it has none),
     * and in brackets behind it *index, or NULL where there are none yet.  NULL: sources do not name registers. */
    enum gpudbg_written_as (*written)(
        const struct gpudbg_machine *, unsigned file, long number, const uint64_t *index, struct gpudbg_written *);
    /* Writes what the launch takes for granted of registers that nobody named ("v0 counts vertices"), for the user;
     * returns the length like snprintf, 0: nothing.  NULL: nothing ever is. */
    int (*assumed)(const struct gpudbg_machine *, char *buf, size_t size);
};

/* Adds a segment of `size` bytes (zeros, or copied from `bytes`) to the space GLOBAL, at an address that core chooses,
 * far from all others.  NULL: more memory than the launch may use.  Core makes LDS itself, from lds_size. */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_machine_segment(struct gpudbg_machine *, const char *name, uint64_t size,
    const uint8_t *bytes, uint32_t flags, struct gpudbg_error *);
/* The same at a fixed address (code, apertures). */
GPUDBG_PUBLIC struct gpudbg_segment *gpudbg_machine_segment_at(struct gpudbg_machine *, const char *name, uint64_t base,
    uint64_t size, const uint8_t *bytes, uint32_t flags, struct gpudbg_error *);
/* The instruction of the wave cannot go on: fills in machine->stop and returns GPUDBG_RAN_FAULT.  Give only the reason:
 * core adds the place and the text of the instruction. */
GPUDBG_PUBLIC enum gpudbg_ran gpudbg_fault(struct gpudbg_wave *, int lane, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
/* Records and shows an event of the current instruction that does not stop the program (messages, traps).  `run` then
 * returns GPUDBG_RAN_EVENT. */
GPUDBG_PUBLIC void gpudbg_event(struct gpudbg_wave *, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
/* The same, with a copy of `size` bytes for a listing that knows what they mean. */
GPUDBG_PUBLIC void gpudbg_event_data(
    struct gpudbg_wave *, const char *kind, const void *data, size_t size, const char *fmt, ...) GPUDBG_PRINTF(5, 6);

/* An event that a program made. */
struct gpudbg_event {
    uint64_t position, pc;
    uint32_t wave;
    const char *kind, *text;
    const void *data;
    size_t size;
};
/* The events up to the current position, in order; returns how many.  The first million are kept.  They are borrowed
 * until the machine runs again. */
GPUDBG_PUBLIC size_t gpudbg_events(const struct gpudbg_machine *, const struct gpudbg_event **);

#ifdef __cplusplus
}
#endif
#endif
