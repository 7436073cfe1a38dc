/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_exec.h: the layout of an EU thread, and the execution of its instructions.
 *
 * A launch's code is made into ops when control first reaches them, one for every 8 bytes of the code sections
 * (gen_predecode.c).  run (gen_exec.c) is `while (n--) op = op->fn(wave, op)`.  A handler executes the whole
 * instruction and returns
 *
 *     gen_next(op)                   the usual end
 *     gen_go(w)                      after gen_flow_* has moved channels: where the thread goes on
 *     GEN_FAULT(w, op, lane, ...)    it cannot be executed.  The handler must not have changed anything.
 *     gen_stop(w, GPUDBG_RAN_FAULT)  the same, when gpudbg_mem_* has failed
 *     gen_leave(w, op, ran)          it was executed, and run must return `ran`
 *
 * While ops run, wave->pc is stale: call gen_sync(w, op) before using it.
 *
 * Channels.  Each channel of the thread has an IP of its own.  The thread runs at the lowest IP; ACTIVE holds the
 * channels there, PCIP the IPs at which the others wait, JOIN the lowest of these.  A call runs only the calling
 * channels until all of them have returned.  IPs are 32 bits, relative to gen->base (0 for all usual files).
 */
#ifndef GEN_EXEC_H
#define GEN_EXEC_H

#include <assert.h>
#include <string.h>

#include "gen.h"

/* ---- The words of a wave ---- */

#define GEN_CHANNELS 32u
#define GEN_CALLS 64u /* nested calls */
#define GEN_NOWHERE UINT32_MAX

enum gen_word {
    GEN_W_A0 = 0,  /* 16 words */
    GEN_W_ACC = 8, /* 10 registers */
    GEN_W_F = 88,
    GEN_W_CE = 92,
    GEN_W_SP = 96,
    GEN_W_SR0 = 104,
    GEN_W_CR0 = 112,
    GEN_W_N0 = 120,
    GEN_W_IP = 128,
    GEN_W_TDR = 136,
    GEN_W_TM0 = 144,
    GEN_W_FC = 152,
    GEN_W_DBG = 160,
    GEN_W_ACC_HIGH = 168, /* the bits above the visible ones of an accumulator's 16 words: an int32 for each */
    GEN_W_ACC_SIZE = 328, /* element size for these bits, for each register; 0: no such bits; GEN_ACC_NATIVE */
    GEN_W_LIVE = 338,     /* channels that the thread was started with */
    GEN_W_ACTIVE,
    GEN_W_JOIN,        /* the lowest IP above the thread's where a channel waits, or GEN_NOWHERE */
    GEN_W_SIGNALS,     /* barrier messages sent and not waited for */
    GEN_W_DEPTH,       /* depth of running calls */
    GEN_W_SAVED_DEPTH, /* of the program that an exception has interrupted */
    GEN_W_SAVED_ACTIVE,
    GEN_W_PAIRED, /* products with the other thread of a pair so far, and turns in which it waits for the next one */
    GEN_W_PAIR_WAITS,
    GEN_W_PCIP = 352,
    GEN_W_SYSTEM_PCIP = 384, /* the same, in the system routine */
    GEN_W_CALLERS = 416,     /* channels that have not returned yet, for each call */
    GEN_W_GRF = 496,         /* the last: a launch decides how many there are */
};

static_assert(GEN_W_CALLERS + GEN_CALLS + 2 <= GEN_W_GRF && GEN_W_GRF % 16 == 0, "places of 64 bytes");

/* A register of native floats: each is a double in two places of ACC_HIGH; ACC has them rounded to F. */
#define GEN_ACC_NATIVE 66u

enum gen_cr0 {
    GEN_ACC_DISABLE = 1 << 1,
    GEN_SPF = 1 << 2,
    GEN_VECTOR_MASK = 1 << 3,
    GEN_BREAK_SUPPRESS = 1 << 15,
};
#define GEN_IN_EXCEPTION (1u << 31)
enum gen_cr1 { /* status bits of cr0.1; the enable bits are 16 lower; only the breakpoint has no status bit */
    GEN_SOFTWARE = 1 << 29,
    GEN_ILLEGAL = 1 << 28,
    GEN_STACK = 1 << 27,
    GEN_BREAK_ENABLE = 1 << 15,
};

/* ---- Ops ---- */

struct gen_step;
struct gen_fast;  /* regions.h */
struct gen_hot;   /* shapes.h */
struct gen_quick; /* quick.h */
typedef const struct gen_step *gen_fn(struct gpudbg_wave *, const struct gen_step *);

struct gen_step {
    gen_fn *fn;
    const struct gen_step *next; /* in the code */
    const struct gen_insn *insn; /* NULL until the op is made */
    union {                      /* data prepared for the handler, or NULL: */
        const struct gen_fast *fast;
        const struct gen_hot *hot; /* its start */
        struct gen_quick *quick;   /* of a message */
    };
};

enum { GEN_SHOWN_IP, GEN_SHOWN_CE, GEN_SHOWN_TM0 }; /* TM0: four dwords */

enum gen_paths { GEN_GENERIC_PATH, GEN_TABLE_PATHS, GEN_ALL_PATHS }; /* the ways of execution that are used */

struct gen_setup; /* message/gen_setup.h */
struct gen_level;
struct gen_places;

/* The families of instructions: which function executes an instruction (launch/gen_families.c). */
struct gen;
struct gen_families {
    gen_fn *(*handler)(const struct gen_insn *); /* of an instruction that its generation has */
    /* Chooses the handler of a step whose instruction is set, and prepares its data; frees these. */
    gen_fn *(*prepare)(struct gen *, struct gen_step *);
    void (*free)(const struct gen_step *);
};
extern const struct gen_families gen_families;

/* Where the lanes of a message go (message/quick.c), found out while its watchers were asked: it is sent next. */
struct gen_placed {
    const struct gen_step *op; /* NULL: not found out, or it has been sent */
    const struct gpudbg_wave *wave;
    struct gpudbg_segment *segment;
    const uint32_t *offset; /* `room`, or registers of the wave */
    bool row;
    uint32_t room[16];
};

/* machine->runner */
struct gen {
    struct gen_code *code; /* gen_predecode.c */
    struct gen_setup *setup;
    const struct gen_eu *eu;
    enum gen_paths paths;
    const struct gen_families *families;
    const struct gen_level *level;   /* channels_simd.h */
    const struct gen_places *places; /* places_simd.h */
    uint64_t base;
    uint64_t system; /* address of the system routine, or UINT64_MAX */
    unsigned width;  /* channels of a thread: 8, 16, 32 */
    unsigned grfs;   /* general registers of a thread: 128, or 256 if eu->large_grf */
    enum gpudbg_ran ran;
    bool has_native;              /* an op that uses native floats has been made */
    bool counted;                 /* wave->executed is exact: the first instruction of a slice runs */
    const struct gen_step *join;  /* the op at JOIN, while ops run */
    uint32_t shown[8];            /* registers that are computed, not stored */
    struct gen_trace *trace;      /* the trace that gets every message; or NULL */
    const struct gen_step *asked; /* the op before which machine->ask is being called; or NULL */
    struct gen_placed placed;
};

static inline struct gen *gen_of(const struct gpudbg_wave *w) { return (struct gen *)w->machine->runner; }

static inline uint8_t *gen_grf(const struct gpudbg_wave *w) { return (uint8_t *)(w->words + GEN_W_GRF); }
static inline unsigned gen_grf_bytes(const struct gpudbg_wave *w) { return 32 * gen_of(w)->grfs; }
static inline unsigned gen_words(const struct gen *g) { return GEN_W_GRF + 8 * g->grfs; } /* of a wave */

/* n bytes of the registers, from byte `at` of the wave's words on, for code that has proved that they belong to one
 * file: prepared instructions (regions.c, quick.c) and payloads (message_run.c).  All other code uses gen_load and
 * gen_store (gen_registers.h), which check the length of each file. */
static inline uint8_t *gen_bytes(const struct gpudbg_wave *w, unsigned at, unsigned n)
{
    GPUDBG_PROVED(at + n <= 4 * gen_words(gen_of(w)));
    return (uint8_t *)w->words + at;
}

/* ---- gen_predecode.c ---- */

bool gen_code_new(
    struct gpudbg_machine *, struct gpudbg_error *); /* machine->runner is made, its other members are 0 */
void gen_code_free(struct gpudbg_machine *);
const struct gen_step *gen_op_at(const struct gen *, uint64_t pc);     /* never NULL; outside the code it is an op that
                                                                          faults */
const struct gen_step *gen_op_inside(const struct gen *, uint64_t pc); /* NULL: outside */
uint64_t gen_pc(const struct gen *, const struct gen_step *);
/* The steps of a section of code, 8 bytes each, and the address of the first. */
struct gen_steps {
    const struct gen_step *first, *end;
    uint64_t base;
};
/* That of a step; empty: it is of none. */
struct gen_steps gen_steps_of(const struct gen *, const struct gen_step *);
extern gen_fn *const gen_break;                                   /* the handler of a step with a breakpoint */
gen_fn *gen_real_fn(const struct gen *, const struct gen_step *); /* the handler without the breakpoint */
bool gen_breakpoint(struct gpudbg_machine *, uint64_t pc, bool on);
bool gen_recode(struct gpudbg_machine *, uint64_t from, uint64_t to, struct gpudbg_error *);
const struct gen_step *gen_op_made(const struct gpudbg_wave *, uint64_t pc); /* NULL: no code there */

/* ---- gen_exec.c ---- */

/* As gpudbg_runner.run. */
enum gpudbg_ran gen_execute(struct gpudbg_wave *, uint64_t limit, bool over);
/* Returned by a handler that needs the number of instructions executed by the thread: it is called again at once. */
#define GEN_COUNT_FIRST ((enum gpudbg_ran)64)
/* Bit i: channel i of the instruction is in its execution mask; the predicate of channel i holds. */
uint32_t gen_mask(const struct gpudbg_wave *, const struct gen_insn *);
uint32_t gen_pass_mask(const struct gpudbg_wave *, const struct gen_insn *);
uint32_t gen_ip(const struct gpudbg_wave *, const struct gen_step *);
void gen_find_join(struct gpudbg_wave *); /* after JOIN was changed */

/* ---- gen_flow.c ---- */

gen_fn gen_flow, gen_wait, gen_sync_op, gen_illegal;
/* Sends channels (of the thread) to an IP; then gen_flow_settle moves the thread to the lowest IP. */
void gen_flow_send(struct gpudbg_wave *, uint32_t channels, uint32_t ip);
void gen_flow_settle(struct gpudbg_wave *);
/* Makes exactly these channels run here; the other active channels stop without an IP, so they do not come back. */
void gen_flow_enable(struct gpudbg_wave *, uint32_t channels);
/* The channels that wait where the thread now is join it. */
const struct gen_step *gen_flow_join(struct gpudbg_wave *, const struct gen_step *);
/* The IP of a channel; the channels that are not held back by a call of others. */
uint32_t gen_channel_place(struct gpudbg_wave *, unsigned channel);
uint32_t gen_channels_running(const struct gpudbg_wave *);
/* The handler of instructions with the breakpoint bit. */
gen_fn gen_debug_break;
/* After cr0 was written: exceptions and the return from them.  NULL: nothing happens. */
const struct gen_step *gen_control_written(struct gpudbg_wave *, const struct gen_step *, const uint32_t before[4]);
/* Goes to the system routine if there is one and the exception is enabled. */
bool gen_exception(struct gpudbg_wave *, const struct gen_step *, uint32_t status, uint32_t enable, uint32_t aip);

/* ---- Ends of a handler ---- */

static inline const struct gen_step *gen_next(const struct gen_step *op) { return op->next; }

static inline void gen_sync(struct gpudbg_wave *w, const struct gen_step *op) { w->pc = gen_pc(gen_of(w), op); }

static inline const struct gen_step *gen_stop(struct gpudbg_wave *w, enum gpudbg_ran ran)
{
    gen_of(w)->ran = ran;
    return NULL;
}

static inline const struct gen_step *gen_go(struct gpudbg_wave *w)
{
    const struct gen *g = gen_of(w);
    return gen_op_at(g, w->pc);
}

static inline const struct gen_step *gen_leave(struct gpudbg_wave *w, const struct gen_step *op, enum gpudbg_ran ran)
{
    w->pc = gen_pc(gen_of(w), op) + op->insn->size;
    return gen_stop(w, ran);
}

#define GEN_FAULT(w, op, lane, ...) (gen_sync(w, op), gen_stop(w, gpudbg_fault(w, lane, __VA_ARGS__)))

extern const struct gpudbg_listing gen_channels_listing; /* channels.c */

#endif
