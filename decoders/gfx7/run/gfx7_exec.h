/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfx7_exec.h: how a gfx7 wave is laid out, and how its instructions are executed.
 *
 * A launch's code is predecoded into 32-byte ops, one for every dword of the code sections, so any dword-aligned pc can
 * be executed (gfx7_predecode.c).  run (gfx7_exec.c) is `while (n--) op = op->fn(wave, op)`.
 *
 * A handler `const struct gfx7_op *fn(struct gpudbg_wave *w, const struct gfx7_op *op)` executes the whole instruction
 * and returns
 *
 *     gfx7_next(op)                    the usual end
 *     gfx7_done(w, op)                 the same, after memory was touched: heeds watchpoints
 *     gfx7_goto(w, pc)                 a jump to any address (branches known at predecode keep the op itself)
 *     GFX7_FAULT(w, op, lane, fmt...)  it cannot be executed.  Nothing may have been changed by then.
 *     gfx7_stop(w, GPUDBG_RAN_FAULT)   the same, when gpudbg_mem_read or _write has failed and filled machine->stop
 *     gfx7_leave(w, op, ran)           it was executed, and run must return `ran` (END, BARRIER, YIELD, EVENT)
 *
 * While ops run, wave->pc is stale.  Call gfx7_sync(w, op) before anything that looks at it: gpudbg_mem_*,
 * gpudbg_fault, gpudbg_event.
 *
 * Scalars: gfx7_s(w) is an array by operand code, with inline constants and the literal in their places, so a scalar
 * source of 32 bits is s[code].  A handler whose instruction may have a literal stores it first: s[GFX7_LITERAL] =
 * op->imm. A 64-bit scalar source is s[i], s[i + 1] with i from gfx7_wide(code). Vectors: gfx7_v(w, r) is 64 dwords,
 * one per lane, 64-byte aligned; row r + 1 follows row r.  Register numbers in ops are checked against the launch at
 * predecode (by the operand list of the decoded instruction); an op with a register that there is not holds no numbers.
 * Numbers that are computed at run time are the handler's to check, by gfx7_has_v.
 */
#ifndef GFX7_EXEC_H
#define GFX7_EXEC_H

#include "gpudbg.h"

#include <string.h>

/* ---- The words of a wave ---- */

enum gfx7_word {
    GFX7_SGPRS = 104, /* s0..s103 */
    GFX7_FLAT_SCRATCH = 104,
    GFX7_VCC = 106, /* pairs: low, high */
    GFX7_TBA = 108,
    GFX7_TMA = 110,
    GFX7_TTMP = 112,
    GFX7_M0 = 124,
    GFX7_EXEC = 126,
    GFX7_INLINE = 128, /* 128 + n for 0..64, then -1..-16, then (240..) 0.5 -0.5 1 -1 2 -2 4 -4 */
    GFX7_VCCZ = 251,   /* worked out when an instruction asks */
    GFX7_EXECZ = 252,
    GFX7_SCC = 253, /* 0 or 1 */
    GFX7_LDS_DIRECT = 254,
    GFX7_LITERAL = 255,
    GFX7_WIDE = 256, /* inline constants as 64-bit integers and doubles, pairs: 256 + 2 * (code - 128) */
    GFX7_WIDE_LITERAL = GFX7_WIDE + 2 * (GFX7_LITERAL - GFX7_INLINE),
    GFX7_MODE = 512, /* as s_getreg shows it */
    GFX7_TRAPSTS,
    GFX7_STATUS, /* gfx7_status brings it up to date; between runs it is */
    GFX7_HW_ID_WORD,
    GFX7_GPR_ALLOC_WORD,
    GFX7_LDS_ALLOC_WORD,
    GFX7_IB_STS_WORD,
    GFX7_GWS_WAIT, /* 0, or what ds_gws_barrier or _sema_p waits for (gws.c) */
    GFX7_TIME,     /* pair: the wave's share of s_memtime, if anyone needs it */
    GFX7_SCALARS = 544,
};

enum gfx7_status_bits {
    GFX7_PRIV = 1 << 5,
    GFX7_HALT = 1 << 13,
    GFX7_COND_DBG_USER = 1 << 20,
    GFX7_COND_DBG_SYS = 1 << 21,
};

#define GFX7_TRAPSTS_EXCP 0x1ffu

enum gfx7_mode_bits {
    GFX7_ROUND_F32 = 3,          /* 0 nearest even, 1 up, 2 down, 3 to zero */
    GFX7_ROUND_F64 = 3 << 2,     /* f16 too */
    GFX7_DENORM_IN_F32 = 1 << 4, /* keep denormal inputs */
    GFX7_DENORM_OUT_F32 = 1 << 5,
    GFX7_DENORM_IN_F64 = 1 << 6, /* f16 too */
    GFX7_DENORM_OUT_F64 = 1 << 7,
    GFX7_DX10_CLAMP = 1 << 8,
    GFX7_IEEE = 1 << 9,
    GFX7_EXCP_EN = 0x1ff << 12, /* as TRAPSTS.excp */
    GFX7_VSKIP = 1 << 28,
    GFX7_CSP = 29, /* bits 31:29: entries on the stack of s_cbranch_fork */
};

/* One access where the processor's order of bytes allows it: a look at a pair just written need not wait for two
 * stores. */
static inline uint64_t gfx7_pair(const uint32_t *s, unsigned i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t value;
    memcpy(&value, s + i, sizeof value);
    return value;
#else
    return s[i] | (uint64_t)s[i + 1] << 32;
#endif
}

static inline void gfx7_set_pair(uint32_t *s, unsigned i, uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(s + i, &value, sizeof value);
#else
    s[i] = (uint32_t)value;
    s[i + 1] = (uint32_t)(value >> 32);
#endif
}

/* Where the 64-bit value of a scalar operand code stands. */
static inline unsigned gfx7_wide(unsigned code)
{
    return code < GFX7_INLINE ? code : GFX7_WIDE + 2 * (code - GFX7_INLINE);
}

/* ---- Ops ---- */

struct gfx7_op;
struct gfx7_lanes;
struct gfx7_level;
typedef const struct gfx7_op *gfx7_fn(struct gpudbg_wave *, const struct gfx7_op *);
typedef void gfx7_rows(struct gfx7_lanes *); /* see gfx7_lanes_simd.h: the row's operation on 64 lanes */

#define GFX7_LONG (1u << 31) /* in op->mods, set by predecode: the instruction is two dwords */

struct gfx7_op {
    gfx7_fn *fn;
    union {
        gfx7_rows *rows;              /* vector ALU */
        void *cache;                  /* memory: whatever it likes to remember; never part of the result */
        const struct gfx7_op *target; /* branches */
        uint64_t pc;                  /* of an op that stands for an address outside the code */
    };
    uint16_t d, a, b, c; /* destination and sources: operand codes or VGPR numbers, as the handler wants them */
    uint32_t imm;        /* literal, SIMM16 (sign-extended), offset */
    uint32_t mods;       /* the handler's; bit 31 is GFX7_LONG */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct gfx7_op) == 32, "ops are 32 bytes");

/* machine->runner */
struct gfx7 {
    struct gfx7_setup *setup;                    /* setup.h */
    struct gfx7_code *code;                      /* gfx7_predecode.c */
    struct gfx7_tally *tally;                    /* tally.c; NULL: nothing is counted */
    uint32_t vgprs, sgprs;                       /* that a wave has */
    enum gpudbg_ran ran;                         /* why the latest handler returned NULL */
    bool observed;                               /* exceptions are worked out: exceptions.h */
    uint32_t constants[GFX7_MODE - GFX7_INLINE]; /* words GFX7_INLINE on of every wave at its start */
};

static inline struct gfx7 *gfx7_of(const struct gpudbg_wave *w) { return (struct gfx7 *)w->machine->runner; }

/* ---- Registers ---- */

static inline uint32_t *gfx7_s(const struct gpudbg_wave *w) { return w->words; }

static inline uint64_t gfx7_active(const struct gpudbg_wave *w) { return gfx7_pair(w->words, GFX7_EXEC); }

/* Does the launch have n VGPRs from r on? */
static inline bool gfx7_has_v(const struct gpudbg_wave *w, uint64_t r, unsigned n)
{
    return r + n <= gfx7_of(w)->vgprs;
}

/* The only way to a VGPR of a number that comes from code.  That there is one has been proved: of an op's operands
 * when the op was made (operand_exists of gfx7_predecode.c), of other numbers by gfx7_has_v. */
static inline uint32_t *gfx7_v(const struct gpudbg_wave *w, unsigned r)
{
    GPUDBG_PROVED(gfx7_has_v(w, r, 1));
    return w->words + GFX7_SCALARS + 64 * (size_t)r;
}

/* Allocates machine->runner, ready to run the code sections of machine->image; sets machine->wave_words. runner->launch
 * calls it, then sets gfx7_of(w)->setup. */
bool gfx7_code_new(struct gpudbg_machine *, uint32_t vgprs, uint32_t sgprs, struct gpudbg_error *);
void gfx7_code_free(struct gpudbg_machine *); /* frees machine->runner, not its setup */

/* Takes an instruction with a handler from the table of one family apart; as gfx7_memory_op.  vector.c, scalar.c */
bool gfx7_vector_op(const struct gpudbg_insn *, const struct gfx7_level *, struct gfx7_op *);
bool gfx7_scalar_op(const struct gpudbg_insn *, struct gfx7_op *); /* a branch's target is the caller's to set */

/* STATUS, with SCC, EXECZ and VCCZ as they are now; kept in its word too. */
uint32_t gfx7_status(struct gpudbg_wave *);

/* runner->actual.  actual.c */
const struct gpudbg_insn *gfx7_actual(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);

/* Writes the inline constants, at their places from GFX7_INLINE on; `pro`: those of the later chip, too. */
void gfx7_constants(uint32_t constants[GFX7_MODE - GFX7_INLINE], bool pro);
/* Constants, EXEC = wave->lanes, MODE: the first thing runner->start does. */
void gfx7_wave_reset(struct gpudbg_wave *, uint32_t mode);

/* gfx7_memory.c: fills fn, d, a, b, c, imm, mods (not bit 31) for an SMRD, DS, MUBUF, MTBUF or FLAT instruction. false:
 * it is none that this machine executes. */
bool gfx7_memory_op(const struct gpudbg_insn *, struct gfx7_op *);

/* ---- Ends of a handler ---- */

uint64_t gfx7_pc(const struct gpudbg_wave *, const struct gfx7_op *); /* slow: for faults and stops */
const struct gfx7_op *gfx7_goto(struct gpudbg_wave *, uint64_t pc);

static inline const struct gfx7_op *gfx7_next(const struct gfx7_op *op) { return op + 1 + (op->mods >> 31); }

static inline void gfx7_sync(struct gpudbg_wave *w, const struct gfx7_op *op) { w->pc = gfx7_pc(w, op); }

static inline const struct gfx7_op *gfx7_stop(struct gpudbg_wave *w, enum gpudbg_ran ran)
{
    gfx7_of(w)->ran = ran;
    return NULL;
}

static inline const struct gfx7_op *gfx7_leave(struct gpudbg_wave *w, const struct gfx7_op *op, enum gpudbg_ran ran)
{
    gfx7_sync(w, gfx7_next(op));
    return gfx7_stop(w, ran);
}

/* The instruction was executed and changed how the next ones run (VSKIP). */
#define GFX7_RESUME ((enum gpudbg_ran)64)

static inline const struct gfx7_op *gfx7_done(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return w->machine->watch_hit ? gfx7_leave(w, op, GPUDBG_RAN_WATCH) : gfx7_next(op);
}

#define GFX7_FAULT(w, op, lane, ...) (gfx7_sync(w, op), gfx7_stop(w, gpudbg_fault(w, lane, __VA_ARGS__)))

#endif
