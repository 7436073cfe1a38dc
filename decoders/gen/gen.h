/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen.h: an Intel EU instruction, for the files of this folder: text, regions, rules and execution read the
 * same struct gen_insn.  The generations of eu.def share it; insn->eu has the facts of its generation (facts.def).
 *
 * Words of core and of the manuals: a wave is a thread, a lane a channel, LDS is SLM.  Sources: the Ivy Bridge manual,
 * volume 4 part 3 (regions, types, architecture registers), the enumerations of Haswell and DG1; layouts as in
 * fields.def.
 *
 * How struct gpudbg_insn carries one:
 *     op        the row of ops.def; op->id is its enum gen_op
 *     size      8 compacted, else 16.  Compacted: parts[0] is the stored word, the derived parts the native one
 *     variant   enum gen_shape: which operands the instruction has
 *     operands  for core's checkers: registers read and written (whole registers of `file`), constants, branch targets.
 *               operands[i].index is -1; an indirect operand is READ of a0 and SPECIAL.  All else: gen_unpack.
 */
#ifndef GEN_H
#define GEN_H

#include "gpudbg.h"
#include "eu.def"

/* ---- Generations ---- */

/* The value that a list of eu.def's numbers gives a generation: GEN_AT(75, (a, 75, b, 120, c)) is b. */
#define GEN_AT(number, list) GEN_AT_(number, GEN_LIST list)
#define GEN_LIST(...) __VA_ARGS__
#define GEN_AT_(number, ...) GEN_AT_OF(__VA_ARGS__, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(number, __VA_ARGS__)
#define GEN_AT_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) GEN_AT_##n
#define GEN_AT_1(number, a) (a)
#define GEN_AT_3(number, a, from, b) ((number) >= (from) ? (b) : (a))
#define GEN_AT_5(number, a, from, b, ...) ((number) >= (from) ? GEN_AT_3(number, b, __VA_ARGS__) : (a))
#define GEN_AT_7(number, a, from, b, ...) ((number) >= (from) ? GEN_AT_5(number, b, __VA_ARGS__) : (a))
#define GEN_AT_9(number, a, from, b, ...) ((number) >= (from) ? GEN_AT_7(number, b, __VA_ARGS__) : (a))
#define GEN_AT_11(number, a, from, b, ...) ((number) >= (from) ? GEN_AT_9(number, b, __VA_ARGS__) : (a))
#define GEN_AT_13(number, a, from, b, ...) ((number) >= (from) ? GEN_AT_11(number, b, __VA_ARGS__) : (a))

enum gen_generation {
#define EU(x, id, ...) id,
    GEN_EACH_EU(EU, )
#undef EU
        GEN_EUS
};

/* The generations of a table's row, if not all: FROM(120), UNTIL(120), IN(75, 120); the second number is left out. */
struct gen_span {
    uint8_t from, until;
};
/* clang-format off */
#define GEN_ALL {0, 255}
#define GEN_FROM(number) {number, 255}
#define GEN_UNTIL(number) {0, number}
#define GEN_IN(number, other) {number, other}
/* clang-format on */

typedef const uint8_t (*gen_region_types)[8]; /* of three sources with regions: two rows */
enum gen_sfid_names { GEN_SFID_SHORT, GEN_SFID_MANUAL, GEN_SFID_MESA, GEN_SFID_NAMES };

struct gen_eu {
    struct gpudbg_isa isa;         /* the first member: see gen_eu_of */
    unsigned number;               /* ten times the generation, as tables name it */
    unsigned column;               /* of places.def: GEN_COLUMN_e1, ... */
    const uint8_t *by_code;        /* 1 + enum gen_op; 0: not an opcode */
    const char *const *math;       /* names of the functions of math; NULL: reserved */
    const bool *math_two;          /* ... whether they have two sources */
    const char *const (*sfid)[16]; /* names of shared functions; NULL: reserved */
#define FACT(name, ...) bool name;
#define NUMBER(type, name, ...) type name;
#define WORDS(name, ...) const char *name;
#include "facts.def"
};
extern const struct gen_eu gen_eus[GEN_EUS];
/* Only the names of functions, by generation (traits.c). */
extern const char *const gen_math_names[GEN_EUS][16], *const gen_sfids[GEN_EUS][GEN_SFID_NAMES][16];
extern const bool gen_math_two[GEN_EUS][16];
extern const char *const gen_names[GEN_EUS + 1]; /* names of all generations; NULL ends them */
static inline bool gen_is_in(const struct gen_eu *eu, struct gen_span in)
{
    return eu->number >= in.from && eu->number < in.until;
}
/* The generation of an instruction set of this folder; NULL for other instruction sets, and for NULL. */
const struct gen_eu *gen_eu_or_none(const struct gpudbg_isa *);
bool gen_has_scoreboard(const struct gpudbg_isa *); /* false for other instruction sets, too */
/* The same; the instruction set must be one of this folder. */
static inline const struct gen_eu *gen_eu_of(const struct gpudbg_isa *isa) { return (const struct gen_eu *)isa; }

/* ---- Instructions ---- */

/* The facts of ops.def about an operation, by its number (enum gen_op of ops.h): GEN_IS(op, LOGIC) asks for a trait. */
enum gen_trait {
#define TRAIT(name) GEN_TRAIT_##name,
#include "traits.def"
#undef TRAIT
    GEN_TRAITS
};
extern const uint64_t gen_traits[];
#define GEN_IS(op, name) ((bool)(gen_traits[op] >> GEN_TRAIT_##name & 1))
/* Number of components of source 0 or 1 that each channel of a group of four reads; 0: only its own element. */
enum { GEN_TRAIT_DOT = 56 };
static inline unsigned gen_components(unsigned op, unsigned source)
{
    return source < 2 ? (unsigned)(gen_traits[op] >> (GEN_TRAIT_DOT + 4 * source) & 15) : 0;
}

/* Whether a message has two payloads, which are registers alone: split sends, and all of Gen12. */
static inline bool gen_splits(const struct gen_eu *eu, unsigned op) { return eu->two_payloads || GEN_IS(op, SPLIT); }

/* What an operation may have, and the types that its sources may have. */
enum { GEN_MAY_PREDICATE = 1, GEN_MAY_CONDITION = 2, GEN_MAY_SATURATE = 4, GEN_MAY_SATURATE_OLD = 8 };
enum { GEN_INTEGERS = 1, GEN_FLOATS = 2, GEN_DOUBLES = 4, GEN_ANY_TYPE = 7 };
extern const uint8_t gen_shapes[], gen_may[], gen_takes[];
bool gen_takes_type(unsigned op, unsigned type); /* whether the manual allows it as the type of a source */

/* Functions of `math`. */
enum gen_math {
#define MATH(code, id, ...) GEN_MATH_##id = (code),
#include "code/functions.def"
};

/* The kinds of operands of an instruction. */
enum gen_shape {
    GEN_NONE,    /* nop, illegal: only the opcode matters */
    GEN_UNARY,   /* dst, src[0] */
    GEN_BINARY,  /* dst, src[0], src[1] */
    GEN_TERNARY, /* dst, src[0..2] */
    GEN_DPAS,    /* dst, src[0..2]: registers without regions; func: depth and rows */
    GEN_MATH,    /* dst, src[0], and src[1] if the function has two sources: see nsrc */
    GEN_SEND,    /* dst, src[0], src[1] (two_payloads: the second payload; else nothing), message */
    GEN_SYNC,    /* src[0] */
    GEN_WAIT,    /* src[0]: a notification register */
    GEN_JUMP,    /* jmpi, brd: jip, or src[0] */
    GEN_JIP,     /* endif, while, join, else without else_has_uip: jip */
    GEN_BRANCH,  /* if, break, cont, halt, goto, brc, else with else_has_uip: jip and uip, or src[0] */
    GEN_CALL,    /* call, calla: dst and jip, or src[0] */
    GEN_RET,     /* ret: src[0] */
};

/* Register files: index in isa->files.  An immediate has no file. */
enum gen_file {
    GEN_GRF,  /* 128 registers of 32 bytes; 256 where a launch says so (large_grf) */
    GEN_NULL, /* no storage */
    GEN_A0,   /* address_words words, byte addresses into the GRF */
    GEN_ACC,  /* acc0, acc1; e2: acc0 to acc9, acc2.. also called mme0.. */
    GEN_F,    /* f0, f1: 32 bits each */
    GEN_CE,   /* channel enables */
    GEN_SP,   /* stack pointer (if stack_pointer) */
    GEN_SR0,  /* state: sr0.2 dispatch mask, sr0.3 vector mask */
    GEN_CR0,  /* control: cr0.0 modes, cr0.1 exceptions, cr0.2 handler's return address */
    GEN_N0,   /* notification counters */
    GEN_IP,
    GEN_TDR, /* thread dependencies */
    GEN_TM0, /* time stamp */
    GEN_FC,  /* flow control (if flow_register) */
    GEN_DBG, /* dbg0 (if flow_register) */
    GEN_FILES,
    GEN_NOFILE = GEN_FILES, /* a number that is not of an architecture register: see gen_operand.arf */
};

/* Types: the codes of Gen12, then those of immediates. */
enum gen_type {
    GEN_UB,
    GEN_UW,
    GEN_UD,
    GEN_UQ,
    GEN_B,
    GEN_W,
    GEN_D,
    GEN_Q,
    GEN_HF = 9,
    GEN_F32,
    GEN_DF,
    GEN_UV,
    GEN_V,
    GEN_VF, /* immediates: 8 unsigned or signed nibbles, 4 floats of 8 bits */
    GEN_NF, /* native float, only of accumulators: more bits than an F (alu/native_float.c) */
    GEN_BF, /* the upper half of an F */
    GEN_U4, /* of dpas: elements of half a byte, of a quarter of a byte */
    GEN_S4,
    GEN_U2,
    GEN_S2,
    GEN_BADTYPE, /* a reserved code */
    GEN_TYPES
};
extern const uint8_t gen_type_size
    [GEN_TYPES]; /* bytes of an element; 2 for uv and v, 4 for vf and nf; 1 for BADTYPE, and for U4 to S2 */
extern const char *const gen_type_name[GEN_TYPES]; /* "ub"...; "?" for BADTYPE */
static inline bool gen_type_is_float(unsigned t)
{
    return t == GEN_HF || t == GEN_F32 || t == GEN_DF || t == GEN_VF || t == GEN_BF;
}
static inline bool gen_type_is_signed(unsigned t) { return (t >= GEN_B && t <= GEN_DF) || t == GEN_V || t == GEN_VF; }

/* Elements of it in a byte, in two bits' steps: 1, but for those of dpas. */
static inline unsigned gen_type_in_byte(unsigned t) { return t < GEN_U4 || t > GEN_S2 ? 1 : t <= GEN_S4 ? 2 : 4; }

/* An integer of any type, and sums and products of such.  The value of `bits` of an integer type, wrapped to it. */
__extension__ typedef __int128 gen_wide;
gen_wide gen_int_read(unsigned type, uint64_t bits);

enum gen_mode {
    GEN_ABSENT,
    GEN_DIRECT,    /* file, reg, sub */
    GEN_INDIRECT,  /* GRF at byte a0.addr_sub + addr_imm; vx: each row has its own a0 word, from addr_sub up */
    GEN_IMMEDIATE, /* imm */
};

/* An operand.  Strides and widths in elements of its type. */
struct gen_operand {
    uint8_t mode;  /* enum gen_mode */
    uint8_t file;  /* enum gen_file; GEN_GRF if indirect */
    uint8_t type;  /* enum gen_type */
    uint8_t arf;   /* architecture register number as encoded, e.g. 0x31 for f1; GRF: 0 */
    uint8_t reg;   /* number in its file: r10 -> 10, f1 -> 1, cr0 -> 0 */
    uint8_t sub;   /* byte offset in the register */
    bool neg, abs; /* inverts: neg of a logic operation is a bitwise not */
    bool align16;  /* swizzle (sources) or chan_en (destination) is valid; the region: only vstride, 4 elements wide */
    bool bad_file; /* e1: the file code is reserved, or a constant's where no constant is allowed, or an indirect
                      operand is not in the GRF */
    bool vx;       /* indirect with VertStride 15: Width elements for each a0 word (Width 1: Vx1, else VxH) */
    bool rep;      /* three sources in Align16: RepCtrl: the dword at reg.sub for all channels */
    uint8_t vstride, width, hstride; /* <V;W,H>; destinations: hstride.  A reserved code gives GEN_RESERVED.  Three
                                        sources with three_regions: the implied <V;W,H> (ternary_region of unpack.c) */
    uint8_t vcode, wcode, hcode;     /* as encoded */
    uint8_t swizzle;                 /* two bits a channel, x lowest; 0xe4 is .xyzw */
    uint8_t chan_en;                 /* x = bit 0 .. w = bit 3 */
    uint8_t addr_sub;                /* a0 word */
    int16_t addr_imm;                /* bytes, -512..511 */
    uint8_t mme;                     /* operands of math macros: 0 to 7, 8 nomme; 255: not of a macro */
    uint64_t imm;                    /* bits: types of 8 and 16 bits once (in the low bits), 64-bit types in full */
};
#define GEN_RESERVED 255

/* e1: bit positions in the field are qtr * 8 + nib * 4; one number for all. */
struct gen_insn {
    const struct gpudbg_op *row;
    uint64_t addr;
    const struct gen_eu *eu;
    uint64_t w[2]; /* the native word */
    uint8_t op;    /* enum gen_op, see ops.h */
    uint8_t shape; /* enum gen_shape */
    uint8_t size;  /* 8 or 16 */
    bool compacted;
    uint8_t exec_size; /* channels: 1 to 32; codes 6 and 7 (reserved) give 64 and 128 */
    uint8_t chan_off;  /* first channel, a multiple of 4 */
    bool align16;
    bool no_mask; /* (W), NoMask */
    uint8_t pred; /* PredCtrl code, 0 none, 1 per channel */
    bool pred_inv;
    uint8_t flag_reg, flag_sub; /* of predicate and condition modifier */
    uint8_t cmod;               /* condition modifier code; 0 for math, send, sync */
    uint8_t func;               /* math or sync function; of bits; dpas: 8 * the code of its depth + its rows - 1 */
    bool saturate, acc_wr_en, no_dd_clr, no_dd_chk, breakpoint;
    uint8_t thread_ctrl; /* 1 Atomic, 2 Switch */
    uint8_t swsb;        /* scoreboard: the byte */
    uint8_t nsrc;
    struct gen_operand dst, src[3];

    /* SEND.  desc and ex_desc as programs see them: without SFID and EOT. */
#define GEN_BTI_BINDLESS 252 /* from Gen9 on: the surface is that of the extended descriptor (Mesa, brw_eu_defines.h) */
    uint8_t sfid;
    bool eot;
    bool ex_bso, cps;                 /* bindless_offsets: the register is a surface's offset; ex_desc the length */
    bool desc_is_reg, ex_desc_is_reg; /* then desc_reg and ex_desc_reg are the a0 words in which they start */
    uint8_t desc_reg, ex_desc_reg;
    uint32_t desc;    /* bits of descriptor_mask */
    uint32_t ex_desc; /* two_payloads: bits 31:6, from 6 on the length of the second payload */

    /* Branches: distances in bytes from `from` (this instruction; the next one for jmpi with jumps_from_next); calla:
     * an address. */
    bool jip_is_imm, uip_is_imm, branch_ctrl;
    int64_t jip, uip;                /* bytes */
    uint64_t jip_target, uip_target; /* addresses */
};

/* Fills *out from a decoded instruction whose op is not NULL. */
void gen_unpack(const struct gpudbg_insn *, struct gen_insn *out);

/* Whether it is a step of a macro of math: its operands are whole registers, each with the number of an mme. */
static inline bool gen_is_macro(const struct gen_insn *i)
{
    return i->eu->macros && (i->shape == GEN_MATH ? i->func >= GEN_MATH_INVM : GEN_IS(i->op, MACRO));
}

/* Whether any register may hold the descriptor. */
static inline bool gen_any_descriptor(const struct gen_eu *eu, unsigned op)
{
    return eu->any_descriptor && !gen_splits(eu, op);
}
/* ... and the answer of a split send has a type all the same. */
static inline bool gen_types_answer(const struct gen_eu *eu, unsigned op)
{
    return GEN_IS(op, SPLIT) && !eu->two_payloads;
}
static inline bool gen_is_split(const struct gen_insn *i) { return gen_splits(i->eu, i->op); }

/* Whether it has three sources: one way to compact them. */
static inline bool gen_has_three(unsigned shape) { return shape == GEN_TERNARY || shape == GEN_DPAS; }

/* Out of order, with a token of its own. */
static inline bool gen_takes_token(unsigned shape)
{
    return shape == GEN_SEND || shape == GEN_MATH || shape == GEN_DPAS;
}

/* dpas: steps of each product, rows of the result, bytes of an operand that are used (-1: dst). */
static inline unsigned gen_systolic_depth(const struct gen_insn *i) { return 1u << (i->func >> 3 & 3); }
static inline unsigned gen_systolic_rows(const struct gen_insn *i) { return (i->func & 7u) + 1; }
static inline unsigned gen_systolic_bits(unsigned type) { return 8u * gen_type_size[type] / gen_type_in_byte(type); }
/* Elements of a channel in a step: 2 halves, 4 if one factor has bytes, else 8. */
static inline unsigned gen_systolic_elements(const struct gen_insn *i)
{
    const unsigned a = gen_systolic_bits(i->src[1].type), b = gen_systolic_bits(i->src[2].type);
    return a > 8 || b > 8 ? 2 : a == 8 || b == 8 ? 4 : 8;
}
/* Steps that a dword of source 1 has the elements of. */
static inline unsigned gen_systolic_steps(const struct gen_insn *i)
{
    const unsigned bits = gen_systolic_elements(i) * gen_systolic_bits(i->src[1].type);
    return bits < 32 ? 32 / bits : 1;
}
static inline unsigned gen_systolic_row(const struct gen_insn *i) /* bytes of a row of source 2 */
{
    return gen_systolic_depth(i) * gen_systolic_elements(i) * gen_systolic_bits(i->src[2].type) / 8;
}
/* Registers of source 2 that the first thread of a fused pair gives: of an odd number one more than the second. */
static inline unsigned gen_systolic_half(const struct gen_insn *i)
{
    const unsigned registers = (gen_systolic_row(i) * gen_systolic_rows(i) + 31) / 32;
    return (registers + 1) / 2;
}
static inline unsigned gen_systolic_bytes(const struct gen_insn *i, int n)
{
    const unsigned steps = gen_systolic_steps(i);
    if (n == 1) return 4u * i->exec_size * ((gen_systolic_depth(i) + steps - 1) / steps);
    if (n == 2) return GEN_IS(i->op, FUSED) ? 32 * gen_systolic_half(i) : gen_systolic_row(i) * gen_systolic_rows(i);
    return gen_systolic_rows(i) * i->exec_size * gen_type_size[n < 0 ? i->dst.type : i->src[0].type];
}

/* Whether it may end the macro early, on a condition that its flag gets: "(eo)". */
static inline bool gen_ends_early(const struct gen_insn *i) { return gen_is_macro(i) && i->shape == GEN_MATH; }

/* Whether IGA writes a region, <2;2,1>, for a target in a register. */
static inline bool gen_targets_region(const struct gen_eu *eu, unsigned op)
{
    return gen_shapes[op] == GEN_RET || (!eu->word_targets && GEN_IS(op, EITHER) && gen_shapes[op] == GEN_BRANCH);
}

/* Whether the second payload's length is written behind its register, r10:2; the extended descriptor has it in bits
 * 10:6, unless that is in a register. */
static inline bool gen_says_length(const struct gen_insn *i)
{
    return i->eu->bindless_offsets && (!i->ex_desc_is_reg || i->ex_bso);
}

/* The extended descriptor as texts have it: with the shared function and the end of the thread, unless they are said
 * elsewhere. */
static inline uint32_t gen_ex_desc_text(const struct gen_insn *i)
{
    if (gen_says_length(i)) return i->ex_desc & ~UINT32_C(0x7c0);
    return i->ex_desc | (i->eu->names_function ? 0 : i->sfid | (i->eot ? 0x20u : 0));
}

/* The unit of a branch's distance, in bytes, and the address that the distance starts from, 0 for calla. */
unsigned gen_branch_unit(const struct gen_insn *);
uint64_t gen_branch_from(const struct gen_insn *);

/* Message lengths in registers: how many a send reads at src[0] and src[1] and writes at dst.  False: the lengths are
 * in a register. */
bool gen_message_lengths(const struct gen_insn *, unsigned *mlen, unsigned *ex_mlen, unsigned *rlen);
/* The message that a descriptor asks for, in words: "untyped surface read, SIMD16, ..."; returns the length like
 * snprintf. */
int gen_message_text(const struct gen_insn *, char *buf, size_t size);

/* Bits of a descriptor or of state in memory. */
static inline unsigned gen_field(uint32_t desc, unsigned hi, unsigned lo)
{
    return desc >> lo & ((2u << (hi - lo)) - 1);
}

/* Registers of the thread: storage is core's (struct gpudbg_regfile): `bits` of isa->files[file] a register. */
extern const struct gpudbg_regfile gen_e1_files[GEN_FILES], gen_e8_files[GEN_FILES], gen_e2_files[GEN_FILES],
    gen_large_files[GEN_FILES]; /* of a generation with threads of 256 registers */

/* Parts of the descriptors in gen_isa.c from other files of the folder. */
extern const struct gpudbg_runner gen_runner;
void gen_resume(struct gpudbg_machine *to, const struct gpudbg_machine *from); /* see gpudbg_alone */
extern const struct gpudbg_ordering gen_ordering;                              /* check/gen_order.c */
extern const struct gpudbg_using gen_uses;                                     /* code/gen_uses.c */
extern const struct gpudbg_costing gen_e1_costs, gen_e8_costs, gen_e2_costs;   /* code/gen_costs.c */
extern const struct gpudbg_dwarf gen_dwarf;                                    /* gen_debug.c */
extern const struct gpudbg_dumped gen_e1_dumped, gen_e8_dumped, gen_e2_dumped; /* eu_state.c */

#endif
