/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_exec.h: how a gfx7 wave is laid out, and how its instructions are executed.
 *
 * A launch's code is predecoded into 32-byte ops, one for every dword of the code sections, so any dword-aligned pc can
 * be executed (gcn_predecode.c).  run (gcn_exec.c) is `while (n--) op = op->fn(wave, op)`.
 *
 * A handler `const struct gcn_op *fn(struct gpudbg_wave *w, const struct gcn_op *op)` executes the whole instruction
 * and returns
 *
 *     gcn_next(op)                    the usual end
 *     gcn_done(w, op)                 the same, after an access to memory: obeys watchpoints
 *     gcn_goto(w, pc)                 a jump to any address (branches known at predecode keep the op itself)
 *     GCN_FAULT(w, op, lane, fmt...)  it cannot be executed.  Nothing may have been changed by then.
 *     gcn_stop(w, GPUDBG_RAN_FAULT)   the same, when gpudbg_mem_read or _write has failed and filled machine->stop
 *     gcn_leave(w, op, ran)           it was executed, and run must return `ran` (END, BARRIER, YIELD, EVENT)
 *
 * While ops run, wave->pc is stale.  Call gcn_sync(w, op) before anything that looks at it: gpudbg_mem_*,
 * gpudbg_fault, gpudbg_event.
 *
 * Scalars: gcn_s(w) is an array by operand code, with inline constants and the literal in their places, so a scalar
 * source of 32 bits is s[code].  A handler whose instruction may have a literal stores it first: s[GCN_LITERAL] =
 * op->imm. A 64-bit scalar source is s[i], s[i + 1] with i from gcn_wide(code). Vectors: gcn_v(w, r) is 64 dwords, one
 * per lane, 64-byte aligned; row r + 1 follows row r.  Register numbers in ops are checked against the launch at
 * predecode (by the operand list of the decoded instruction); an op with a register that does not exist holds no
 * numbers.  The handler must check numbers that are computed at run time, by gcn_has_v.
 */
#ifndef GCN_EXEC_H
#define GCN_EXEC_H

#include "gpudbg.h"

#include <string.h>

/* ---- The words of a wave ---- */

enum gcn_word {
    GCN_SGPRS = 104, /* s0..s103 */
    GCN_FLAT_SCRATCH = 104,
    GCN_VCC = 106, /* pairs: low, high */
    GCN_TBA = 108,
    GCN_TMA = 110,
    GCN_TTMP = 112,
    GCN_M0 = 124,
    GCN_EXEC = 126,
    GCN_INLINE = 128, /* 128 + n for 0..64, then -1..-16, then (240..) 0.5 -0.5 1 -1 2 -2 4 -4 */
    GCN_VCCZ = 251,   /* computed when an instruction reads it */
    GCN_EXECZ = 252,
    GCN_SCC = 253, /* 0 or 1 */
    GCN_LDS_DIRECT = 254,
    GCN_LITERAL = 255,
    GCN_WIDE = 256, /* inline constants as 64-bit integers and doubles, pairs: 256 + 2 * (code - 128) */
    GCN_WIDE_LITERAL = GCN_WIDE + 2 * (GCN_LITERAL - GCN_INLINE),
    GCN_MODE = 512, /* as s_getreg shows it */
    GCN_TRAPSTS,
    GCN_STATUS, /* gcn_status brings it up to date; between runs it is */
    GCN_HW_ID_WORD,
    GCN_GPR_ALLOC_WORD,
    GCN_LDS_ALLOC_WORD,
    GCN_IB_STS_WORD,
    GCN_GWS_WAIT,                         /* 0, or what ds_gws_barrier or _sema_p waits for (gws.c) */
    GCN_TIME,                             /* pair: the wave's share of s_memtime, if anyone needs it */
    GCN_LANES = GCN_TIME + 2,             /* pair: a bit for each lane that the wave's size has */
    GCN_SINK = GCN_LANES + 2,             /* pair: what is written to the register null */
    GCN_SCRATCH_BASE = GCN_SINK + 2,      /* pair: FLAT_SCRATCH of newer chips, which is not among the SGPRs */
    GCN_TRAP_BASE = GCN_SCRATCH_BASE + 2, /* pairs: TBA and TMA of newer chips, which are not among the SGPRs either */
    GCN_TRAP_MEMORY = GCN_TRAP_BASE + 2,
    GCN_SCALARS = 544,
};

enum gcn_status_bits {
    GCN_PRIV = 1 << 5,
    GCN_HALT = 1 << 13,
    GCN_COND_DBG_USER = 1 << 20,
    GCN_COND_DBG_SYS = 1 << 21,
};

#define GCN_TRAPSTS_EXCP 0x1ffu

enum gcn_mode_bits {
    GCN_ROUND_F32 = 3,          /* 0 nearest even, 1 up, 2 down, 3 to zero */
    GCN_ROUND_F64 = 3 << 2,     /* f16 too */
    GCN_DENORM_IN_F32 = 1 << 4, /* keep denormal inputs */
    GCN_DENORM_OUT_F32 = 1 << 5,
    GCN_DENORM_IN_F64 = 1 << 6, /* f16 too */
    GCN_DENORM_OUT_F64 = 1 << 7,
    GCN_DX10_CLAMP = 1 << 8,
    GCN_IEEE = 1 << 9,
    GCN_EXCP_EN = 0x1ff << 12, /* as TRAPSTS.excp */
    GCN_FP16_OVFL = 1 << 23,   /* of newer chips */
    GCN_VSKIP = 1 << 28,
    GCN_CSP = 29, /* bits 31:29: entries on the stack of s_cbranch_fork */
};

/* One access where the processor's order of bytes allows it: reading a pair just written need not await two stores. */
static inline uint64_t gcn_pair(const uint32_t *s, unsigned i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t value;
    memcpy(&value, s + i, sizeof value);
    return value;
#else
    return s[i] | (uint64_t)s[i + 1] << 32;
#endif
}

static inline void gcn_set_pair(uint32_t *s, unsigned i, uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(s + i, &value, sizeof value);
#else
    s[i] = (uint32_t)value;
    s[i + 1] = (uint32_t)(value >> 32);
#endif
}

/* The place of the 64-bit value of a scalar operand code. */
static inline unsigned gcn_wide(unsigned code) { return code < GCN_INLINE ? code : GCN_WIDE + 2 * (code - GCN_INLINE); }

/* ---- Ops ---- */

struct gcn_op;
struct gcn_lanes;
struct gcn_level;
struct gcn_families;
struct gcn_unsure;
typedef const struct gcn_op *gcn_fn(struct gpudbg_wave *, const struct gcn_op *);
typedef void gcn_rows(struct gcn_lanes *); /* see gcn_lanes_simd.h: the row's operation on 64 lanes */

/* In op->mods, set by predecode: the instruction is two dwords, or three (with_third_dword of gcn_predecode.c). */
#define GCN_LONG (1u << 31)

struct gcn_op {
    gcn_fn *fn;
    union {
        gcn_rows *rows;              /* vector ALU */
        void *cache;                 /* memory: a cache of the handler's; never affects the result */
        const struct gcn_op *target; /* branches */
    };
    uint16_t d, a, b, c; /* destination and sources: operand codes or VGPR numbers, as the handler wants them */
    uint32_t imm;        /* literal, SIMM16 (sign-extended), offset */
    uint32_t mods;       /* the handler's, but for GCN_LONG */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct gcn_op) == 32, "ops are 32 bytes");

/* machine->runner */
struct gcn_run {
    struct gcn_setup *setup; /* setup.h */
    struct gcn_code *code;   /* gcn_predecode.c */
    const struct gcn_families *families;
    struct gcn_tally *tally;                   /* tally.c; NULL: nothing is counted */
    uint32_t vgprs, sgprs;                     /* that a wave has */
    enum gpudbg_ran ran;                       /* why the latest handler returned NULL */
    bool observed;                             /* exceptions are computed: exceptions.h */
    uint32_t constants[GCN_MODE - GCN_INLINE]; /* words GCN_INLINE on of every wave at its start */
};

static inline struct gcn_run *gcn_of(const struct gpudbg_wave *w) { return (struct gcn_run *)w->machine->runner; }

/* ---- Registers ---- */

static inline uint32_t *gcn_s(const struct gpudbg_wave *w) { return w->words; }

/* A bit for each lane that the wave's size has. */
static inline uint64_t gcn_all_lanes(const struct gpudbg_wave *w) { return gcn_pair(w->words, GCN_LANES); }

/* EXEC_HI is no mask in a wave of 32 lanes, but a register as any other. */
static inline uint64_t gcn_exec_of(const uint32_t *s) { return gcn_pair(s, GCN_EXEC) & gcn_pair(s, GCN_LANES); }
static inline uint64_t gcn_active(const struct gpudbg_wave *w) { return gcn_exec_of(w->words); }

/* Writes a bit a lane to SGPRs: two, or in a wave of 32 lanes one. */
static inline void gcn_set_mask(uint32_t *s, unsigned i, uint64_t mask)
{
    if (s[GCN_LANES + 1])
        gcn_set_pair(s, i, mask);
    else
        s[i] = (uint32_t)mask;
}

/* Does the launch have n VGPRs from r on? */
static inline bool gcn_has_v(const struct gpudbg_wave *w, uint64_t r, unsigned n) { return r + n <= gcn_of(w)->vgprs; }

/* The only way to a VGPR whose number comes from code.  The register is known to exist: an op's operands are checked
 * when the op is made (operand_exists of gcn_predecode.c), other numbers by gcn_has_v. */
static inline uint32_t *gcn_v(const struct gpudbg_wave *w, unsigned r)
{
    GPUDBG_PROVED(gcn_has_v(w, r, 1));
    return w->words + GCN_SCALARS + 64 * (size_t)r;
}

static inline unsigned gcn_first_lane(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }

/* The families of instructions.  The code that executes ops is given them, and does not name them. */
struct gcn_families {
    const struct gcn_level *(*level)(void); /* loops over lanes, of this machine's vector width */
    /* Takes an instruction apart: fills fn, d, a, b, c, imm, mods (not bit 31).  The caller sets a branch's target.
     * false: this machine does not execute it. */
    bool (*take)(const struct gpudbg_insn *, const struct gcn_level *, struct gcn_op *);
    /* exceptions.h */
    uint32_t (*exceptions)(struct gpudbg_wave *, const struct gcn_op *, unsigned row);
    bool (*sees_exceptions)(const struct gpudbg_image *);
    /* The first active lane whose result is not known; -1: all are known.  exceptions.h */
    int (*unsure_lane)(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_unsure *);
    const char *(*refuses)(
        const struct gpudbg_insn *); /* the reason, in words that follow the name; NULL: no reason is given */
};
extern const struct gcn_families gcn_families; /* launch/gcn_families.c */

/* Allocates machine->runner, ready to run the code sections of machine->image; sets machine->wave_words. runner->launch
 * calls it, then sets gcn_of(w)->setup. */
bool gcn_code_new(
    struct gpudbg_machine *, const struct gcn_families *, uint32_t vgprs, uint32_t sgprs, struct gpudbg_error *);
void gcn_code_free(struct gpudbg_machine *); /* frees machine->runner, not its setup */

/* gcn_families.take for one family.  vector.c, scalar.c */
bool gcn_vector_op(const struct gpudbg_insn *, const struct gcn_level *, struct gcn_op *);
/* Why a vector instruction is not executed, in words that follow its name; NULL: no reason is given. */
const char *gcn_vector_refuses(const struct gpudbg_insn *);
bool gcn_scalar_op(const struct gpudbg_insn *, struct gcn_op *);

/* STATUS, with SCC, EXECZ and VCCZ as they are now; kept in its word too. */
uint32_t gcn_status(struct gpudbg_wave *);

/* The address of the trap handler; 0: there is none.  And enters it: TTMP0 and TTMP1 hold the address where the wave
 * was, and the trap's number from bit 48 on. */
uint64_t gcn_trap_handler(const struct gpudbg_wave *);
void gcn_enter_trap(struct gpudbg_wave *, uint64_t pc, uint32_t number);

/* runner->actual.  actual.c */
const struct gpudbg_insn *gcn_actual(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);

/* Writes the inline constants, at their places from GCN_INLINE on; `pro`: those of the later chip, too. */
struct gcn_chip;
void gcn_constants(uint32_t constants[GCN_MODE - GCN_INLINE], const struct gcn_chip *);
/* Constants, EXEC = wave->lanes, MODE: the first thing runner->start does. */
void gcn_wave_reset(struct gpudbg_wave *, uint32_t mode);

/* gpudbg_runner.run.  gcn_exec.c */
enum gpudbg_ran gcn_execute(struct gpudbg_wave *, uint64_t limit, bool over);

/* ---- Ends of a handler ---- */

uint64_t gcn_pc(const struct gpudbg_wave *, const struct gcn_op *); /* slow: for faults and stops */
const struct gcn_op *gcn_goto(struct gpudbg_wave *, uint64_t pc);

static inline const struct gcn_op *gcn_next(const struct gcn_op *op) { return op + 1 + (op->mods >> 31); }

static inline void gcn_sync(struct gpudbg_wave *w, const struct gcn_op *op) { w->pc = gcn_pc(w, op); }

static inline const struct gcn_op *gcn_stop(struct gpudbg_wave *w, enum gpudbg_ran ran)
{
    gcn_of(w)->ran = ran;
    return NULL;
}

static inline const struct gcn_op *gcn_leave(struct gpudbg_wave *w, const struct gcn_op *op, enum gpudbg_ran ran)
{
    gcn_sync(w, gcn_next(op));
    return gcn_stop(w, ran);
}

/* The instruction was executed and changed how the next ones run (VSKIP). */
#define GCN_RESUME ((enum gpudbg_ran)64)

static inline const struct gcn_op *gcn_done(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return w->machine->watch_hit ? gcn_leave(w, op, GPUDBG_RAN_WATCH) : gcn_next(op);
}

#define GCN_FAULT(w, op, lane, ...) (gcn_sync(w, op), gcn_stop(w, gpudbg_fault(w, lane, __VA_ARGS__)))

#endif
