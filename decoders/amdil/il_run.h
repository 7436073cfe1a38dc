/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_run.h: how AMD IL programs run.
 *
 *     packets -> struct amdil_op, with their operands resolved and their blocks linked      build.c, place.c,
 *                                                                                           declare.c, link.c
 *     a launch's arguments -> segments, formats, sampler states                            il_launch.c, resource.c
 *     one op for the 64 lanes of a wavefront                                               il_exec.c, and by family:
 *         arithmetic        plan.c, il_alu_simd.c           flow control         il_flow.c
 *         rows of sources and destinations  il_operand.c
 *         memory                            il_memory.c     images               texture.c, sample.c
 *         pixels, primitives, phases        stage.c
 *
 * A wavefront's state is wave->words: header, stack of open blocks, then a row of 64 words for each component of each
 * register (slot s, component c, lane l: words[rows + (s * 4 + c) * 64 + l]).  Everything in struct amdil is fixed by
 * the launch.
 */
#ifndef IL_RUN_H
#define IL_RUN_H

#include "il_alu.h"
#include "amdil.h"

#define AMDIL_NO_OP UINT32_MAX
#define AMDIL_NO_SLOT UINT32_MAX
#define AMDIL_CALLS 32 /* depth; further calls are skipped (7.4, CALL) */
#define AMDIL_IDS 1024 /* of UAVs, LDS and GDS; other resources have fewer */
#define AMDIL_SRVS 256 /* and of textures */
#define AMDIL_SAMPLERS 16
#define AMDIL_SLOTS 16384 /* registers of a program; DX10 wants 4096 */
#define AMDIL_STACK 65536 /* dwords */

/* ---- The words of a wave ---- */

enum amdil_word {
    AMDIL_EXEC = 0,     /* pair: lanes that execute */
    AMDIL_ALIVE = 2,    /* pair: lanes that have not ended */
    AMDIL_DISCARD = 4,  /* pair: pixels that will not be stored */
    AMDIL_REAL = 6,     /* pair: lanes with a pixel or thread of their own; others help in their quad */
    AMDIL_TOP = 8,      /* innermost open block: its place in the stack + 1, or 0 */
    AMDIL_USED,         /* dwords of the stack */
    AMDIL_DEPTH,        /* calls */
    AMDIL_INSTANCE,     /* of a hull phase */
    AMDIL_AL,           /* aL */
    AMDIL_PHASE,        /* op of the hull phase + 1, or 0 */
    AMDIL_BEGAN,        /* pair: lanes that began the phase */
    AMDIL_EMITTED = 64, /* 64 words: vertices a lane has emitted, all streams together */
    AMDIL_HEADER = 128,
};

/* ---- Programs ---- */

struct amdil_source;
struct amdil_index {
    bool relative, loop;           /* by a register's component; or by aL */
    const struct amdil_source *by; /* the register, which has no index itself; NULL: none */
    uint32_t number;               /* a constant: of the token (dimension 1) */
    int32_t offset;                /* another */
};

struct amdil_place {
    uint8_t type, dimensions; /* enum il_regtype; as struct il_operand */
    uint16_t scope;           /* macro + 1, or 0; registers of phases apart */
    uint32_t number;
    uint32_t slot;     /* where the register is kept; an array's first; AMDIL_NO_SLOT: not in slots */
    uint32_t slots;    /* of an array: how many from `slot` on */
    uint32_t constant; /* of the program: which of amdil->constant, from 1; 0: none */
    bool relative;     /* by a register */
    struct amdil_index index[2];
};

struct amdil_source {
    struct amdil_place at;
    uint8_t select[4], negate, divcomp;
    bool modified; /* invert, bias, x2, sign, divcomp or clamp */
    bool invert, bias, x2, sign, abs, clamp;
};

struct amdil_dest {
    struct amdil_place at;
    uint8_t mask[4]; /* enum ILMODDstComponent: 0 keep, 1 write, 2 zero, 3 one */
    uint8_t scale;
    bool clamp;
};

struct amdil;
struct amdil_op;
/* Executes the op.  Returns GPUDBG_RAN_LIMIT to go on at amdil->next, or why not; FAULT: nothing was changed. */
typedef enum gpudbg_ran amdil_fn(struct gpudbg_wave *, struct amdil *, const struct amdil_op *);

struct amdil_op {
    amdil_fn *fn; /* NULL: not implemented */
    const struct gpudbg_op *row;
    const struct amdil_operation *alu;
    const struct amdil_plan *plan; /* of arithmetic, made by a launch */
    uint16_t code, scope;
    uint32_t control, pri, sec, offsets; /* opcode token, its modifiers; aoffimmi */
    bool has_pri, has_sec, has_offsets, indexed;
    uint8_t pixtex;
    uint8_t ndst, nsrc; /* 255 at most */
    bool executable;    /* no declaration: it is stepped over */
    struct amdil_dest *dst;
    struct amdil_source *src;
    const uint32_t *extra; /* tokens behind the operands */
    uint32_t nextra;
    uint32_t id; /* of the resource, counted in its family */
    uint8_t aux; /* the operation's own: which atomic; of a condition: it holds for 0 */
    uint64_t pc;
    uint32_t next;    /* op behind it */
    uint32_t partner; /* if: else or endif; else: endif; loop: endloop and back; switch, case, default: next label or
                       * endswitch; endswitch: switch; call: func; func: its last op; mdef: mend; phase: endphase */
    uint32_t opener;  /* of the block an op stands in, or AMDIL_NO_OP */
};

/* Arithmetic, prepared by a launch (plan.c).  Words are counted from wave->words; AMDIL_FIXED: from amdil->fixed. */
#define AMDIL_FIXED 0x80000000u
struct amdil_plan {
    const struct amdil_operation *alu; /* of the launch's vector width */
    uint8_t nsrc;
    uint8_t fetched, altered, uniform; /* sources, a bit each: by amdil_fetch; negated or absolute; of a constant
                                        * buffer */
    bool stored;                       /* the result goes through amdil_store; else into the rows `to` */
    uint8_t writes, zeros, ones, held; /* components; held: not before all of the result is known */
    uint32_t at[4][4], to[4];          /* row of a source's component; of the destination's */
};

/* Lanes of one execution of an op that went where nothing is, or where low bits of an address are cut off. */
struct amdil_miss {
    uint64_t pc, executed, lanes, first; /* executed: of the wave, before it; first: the lowest lane's address */
    uint32_t wave;
    char what[40]; /* a resource, an array of registers, an opcode */
};

/* Registers first..first + count - 1 of a type are kept in slots from `slot` on.  Of ITEMP `first` is the array. */
struct amdil_range {
    uint16_t scope;
    uint8_t type;
    uint32_t first, count, slot;
};

/* ---- Resources ---- */

enum amdil_layout { AMDIL_UNDECLARED, AMDIL_RAW, AMDIL_STRUCT, AMDIL_TYPED, AMDIL_ARENA };

/* How an element of a typed resource is kept: a number of components of 8, 16 or 32 bits. */
struct amdil_format {
    uint8_t kind;       /* enum ILElementFormat */
    uint8_t components; /* 0: none given */
    uint8_t bits;
    uint8_t order[4]; /* component in memory order */
};

struct amdil_resource {
    struct gpudbg_segment *segment; /* NULL: not given */
    uint64_t base;                  /* byte of the segment where it begins: LDS and GDS ids share one */
    uint64_t size;                  /* bytes */
    enum amdil_layout layout;
    uint32_t stride, count; /* struct */
    uint8_t dimension;      /* enum ILPixTexUsage */
    bool unnormalized;
    struct amdil_format format;
    uint32_t width, height, depth, levels, samples, pitch; /* pitch: bytes an element */
    uint32_t line;                                         /* bytes a line of level 0, or 0: packed */
    bool whole;                                            /* no sizes were given: all of it, in one dimension */
};

/* enum ILPixTexUsage */
enum amdil_pixtex {
    IL_PIXTEX_UNKNOWN,
    IL_PIXTEX_1D,
    IL_PIXTEX_2D,
    IL_PIXTEX_3D,
    IL_PIXTEX_CUBE,
    IL_PIXTEX_2DMSAA,
    IL_PIXTEX_4COMP,
    IL_PIXTEX_BUFFER,
    IL_PIXTEX_1DARRAY,
    IL_PIXTEX_2DARRAY,
    IL_PIXTEX_2DARRAYMSAA,
    IL_PIXTEX_2D_PLUS_W,
    IL_PIXTEX_CUBE_PLUS_W,
    IL_PIXTEX_CUBEARRAY,
};

enum amdil_wrap { AMDIL_WRAP, AMDIL_MIRROR, AMDIL_CLAMP, AMDIL_MIRROR_ONCE, AMDIL_BORDER };

enum amdil_filter { AMDIL_POINT, AMDIL_LINEAR, AMDIL_ANISOTROPIC, AMDIL_AS_OTHERS };

struct amdil_sampler {
    uint8_t wrap[3];
    uint8_t mag, min;       /* enum amdil_filter */
    uint8_t volmag, volmin; /* between layers of volumes; AS_OTHERS: like mag and min */
    uint8_t aniso;          /* taps at most, 1 to 16 */
    bool linear_mip, no_mips;
    uint8_t compare; /* never less equal lequal greater notequal gequal always */
    float border[4], bias, min_lod, max_lod;
};

struct amdil_table { /* bodies of a function table */
    uint32_t n;
    const uint32_t *label;
};

/* machine->runner */
#define AMDIL_THREADS 16 /* waves of a group whose places are kept */

struct amdil {
    /* Program. */
    struct amdil_op *op;
    uint32_t nops, entry, program; /* program: op behind the version token */
    uint8_t shader;                /* enum IL_Shader_Type */
    uint64_t base, size;           /* code addresses */
    uint32_t *at;                  /* op of each token, or AMDIL_NO_OP */
    bool *breakpoint;              /* one an op */
    struct amdil_range *range;
    uint32_t nranges, slots;
    uint32_t stack, rows;            /* dwords; first word of the slots */
    uint32_t end;                    /* op of end or endmain, where main stops */
    void *arena;                     /* memory of all this */
    struct amdil_constant *constant; /* l#, c#, i#, b# with values of the program */
    uint32_t nconstants;
    const uint32_t *icb;
    uint32_t nicb; /* words */
    struct amdil_function {
        uint32_t label, op;
    } * function;
    uint32_t nfunctions;
    struct amdil_table *tables;
    uint32_t ntables;
    uint32_t lds_per_thread;
    uint64_t lds_bytes, gds_bytes;
    uint32_t shared_temps, persistent;
    uint32_t max_vertices, input_vertices, icp, ocp, icp_declared; /* icp_declared: by dcl_input vicp[n][a] */
    bool centered, inverted, biased;
    uint8_t usage[64]; /* of v#, enum ILImportUsage */
    uint8_t *ones;     /* of each slot: components that are 1.0 until something is written or given */
    /* Launch. */
    struct amdil_resource uav[AMDIL_IDS], srv[AMDIL_SRVS], res[AMDIL_SRVS], cb[64], lds[AMDIL_IDS], gds[AMDIL_IDS];
    struct amdil_sampler sampler[AMDIL_SAMPLERS];
    struct gpudbg_segment *global, *persist, *counters, *shared, *gds_segment;
    struct gpudbg_segment *c, *i, *b, *self, *streams;
    struct amdil_points {
        struct gpudbg_segment *segment;
        uint32_t points, attributes;
    } inputs_cp, outputs_cp, patch;
    struct amdil_bound_register {
        uint8_t type;
        uint16_t number;
        bool output;
        struct gpudbg_segment *segment;
    } * bound;
    uint32_t nbound;
    const struct amdil_level *level; /* vector width */
    uint32_t *fixed;                 /* rows of 0, of 1.0, and of the constants, four each */
    uint8_t choice[AMDIL_CHOICES];
    uint64_t named; /* register types that the program names, a bit each */
    uint32_t interface_table[256];
    /* Of the op being executed; no part of the state. */
    const struct amdil_op *now;
    uint32_t next;
    struct amdil_miss outside, unaligned; /* of the op that had such lanes last */
    bool event, refused; /* refused: it loaded what may not be loaded, and nothing is stored any more */
    uint32_t row[4][2][4][AMDIL_LANES], result[4][AMDIL_LANES];
    /* Where the lanes of a wave are in their group, which their instructions ask again and again. */
    struct amdil_threads {
        uint32_t wave;    /* index in the group, plus one; 0: none */
        uint32_t size[3]; /* of the group: one at the edge of a grid is smaller */
        uint32_t rows[4][AMDIL_LANES];
    } threads[AMDIL_THREADS];
    /* For looks at fixed registers: the rows that were asked for last. */
    uint32_t shown[64][AMDIL_LANES], nshown;
};

struct amdil_constant {
    uint8_t type;
    uint16_t scope;
    uint32_t number, value[4];
};

static inline struct amdil *amdil_of(const struct gpudbg_wave *w) { return (struct amdil *)w->machine->runner; }

static inline uint64_t amdil_pair(const uint32_t *words, unsigned at)
{
    return words[at] | (uint64_t)words[at + 1] << 32;
}

static inline void amdil_set_pair(uint32_t *words, unsigned at, uint64_t value)
{
    words[at] = (uint32_t)value;
    words[at + 1] = (uint32_t)(value >> 32);
}

static inline uint64_t amdil_exec(const struct gpudbg_wave *w) { return amdil_pair(w->words, AMDIL_EXEC); }

/* Lanes whose stores count: pixels that only help their quad, from the start or since their discard, change no memory
 * (7.6 DISCARD). */
static inline uint64_t amdil_storing(const struct gpudbg_wave *w)
{
    return amdil_exec(w) & amdil_pair(w->words, AMDIL_REAL) & ~amdil_pair(w->words, AMDIL_DISCARD);
}

/* The only way to a register: slots are found when the program is built (place.c), elements of arrays by comparing
 * their index with place->slots. */
static inline uint32_t *amdil_row(const struct gpudbg_wave *w, uint32_t slot, unsigned component)
{
    GPUDBG_PROVED(slot < amdil_of(w)->slots && component < 4);
    return w->words + amdil_of(w)->rows + ((size_t)slot * 4 + component) * AMDIL_LANES;
}

/* isa.files: the register types, then these. */
enum { AMDIL_FILE_EXEC = IL_REGTYPES, AMDIL_FILE_DISCARD, AMDIL_FILES };

#define AMDIL_EACH_LANE(l, m) \
    for (uint64_t m_##l = (m); m_##l && ((l) = (unsigned)__builtin_ctzll(m_##l), 1); m_##l &= m_##l - 1)

/* ---- build.c ---- */

/* Reads a section of tokens.  It must be well-formed; else NULL, and the error says where it is not. */
struct amdil *amdil_build(const struct gpudbg_section *, struct gpudbg_error *);
void amdil_free(struct amdil *);
void *amdil_alloc(struct amdil *, size_t size); /* zeros; NULL: no memory */
const struct amdil_range *amdil_find(const struct amdil *, unsigned scope, unsigned type, uint32_t number);
uint32_t amdil_constant_of(const struct amdil *, const struct amdil_place *); /* for place->constant */
uint32_t amdil_function_op(const struct amdil *, uint32_t label);             /* or AMDIL_NO_OP */

/* The op that starts at pc, or AMDIL_NO_OP. */
static inline uint32_t amdil_op_at(const struct amdil *r, uint64_t pc)
{
    return pc - r->base < r->size && pc % 4 == r->base % 4 ? r->at[(pc - r->base) / 4] : AMDIL_NO_OP;
}

/* ---- il_actual.c ---- */

const struct gpudbg_insn *amdil_actual(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);

/* ---- il_operand.c ---- */

/* Rows of a source after swizzle and modifiers; they stand in amdil->row[n] or in the registers themselves. */
void amdil_fetch(
    struct gpudbg_wave *, struct amdil *, const struct amdil_source *, char class, unsigned n, const uint32_t *rows[4]);
/* Stores rows: scaled and clamped as `class` says, by the mask; only components in `writes`, not lanes in keep[c].
 * false: a store failed. */
bool amdil_store(struct gpudbg_wave *, struct amdil *, const struct amdil_dest *, char class, unsigned writes,
    const uint64_t keep[4], uint32_t (*rows)[AMDIL_LANES]);
/* The index of one dimension, lane by lane. */
void amdil_index_rows(
    struct gpudbg_wave *, struct amdil *, const struct amdil_place *, unsigned dimension, int64_t out[AMDIL_LANES]);
/* Registers that are no storage: identifiers, window position, timer.  stage.c */
void amdil_special(struct gpudbg_wave *, struct amdil *, const struct amdil_place *, uint32_t (*rows)[AMDIL_LANES]);

/* vTidInGrp: rows that stay valid while nothing else asks. */
const uint32_t (*amdil_threads(struct gpudbg_wave *))[AMDIL_LANES];

/* Rows of a register that is none of its own and has no modifiers: see il_operand.c; false: `to` is not filled. */
bool amdil_fetch_uniform(struct gpudbg_wave *, struct amdil *, const struct amdil_place *, uint32_t to[4]);

/* ---- plan.c ---- */

bool amdil_plan(struct amdil *, struct gpudbg_error *); /* at a launch, when the level is known */
enum gpudbg_ran amdil_do_planned(struct gpudbg_wave *, struct amdil *, const struct amdil_op *);

/* ---- il_memory.c ---- */

/* n <= 16 bytes of a segment; out of range: zeros, and false. */
bool amdil_read(
    struct gpudbg_wave *, const struct gpudbg_segment *, uint64_t offset, void *to, size_t n, unsigned lane);
/* Through the door.  Out of range: nothing; false then and when the door refuses. */
bool amdil_write(
    struct gpudbg_wave *, struct gpudbg_segment *, uint64_t offset, const void *from, size_t n, unsigned lane);
/* Notes that lanes of the op being executed left a resource; id: its number, or AMDIL_NO_ID. */
#define AMDIL_NO_ID UINT32_MAX
void amdil_outside(struct gpudbg_wave *, struct amdil *, const char *what, uint32_t id, uint64_t lanes, uint64_t at);

/* ---- Operations of ops.def: amdil_do_NAME ---- */

/* What executes a row; NULL: not implemented. */
amdil_fn *amdil_fn_of(const struct gpudbg_op *);

/* il_flow.c: lanes that have gone for good; the block to go on in when none is left. */
void amdil_kill(struct gpudbg_wave *, struct amdil *, uint64_t lanes);
void amdil_skip(struct gpudbg_wave *, struct amdil *, uint32_t current);
/* Stack needs of a block, in dwords. */
uint32_t amdil_frame_size(unsigned code);

/* stage.c: masks and inputs of a wave at its start. */
void amdil_stage_start(struct gpudbg_wave *, struct amdil *);

/* ---- il_launch.c: struct gpudbg_runner's ---- */
bool amdil_launch(struct gpudbg_machine *, struct gpudbg_error *);
void amdil_start(struct gpudbg_wave *);
void amdil_finish(struct gpudbg_machine *);
extern const struct gpudbg_runner amdil_runner;
/* A kernel of a program, its parameters the names that il_launch.c knows. */
bool amdil_kernel(struct gpudbg_image *, const char *name, const struct gpudbg_section *, struct gpudbg_error *);
bool amdil_uses_texture(const struct amdil_op *); /* texture.c: id names a texture */
/* texture.c: control names a sampler, the only one unless op->indexed.  Texture stages are their own samplers. */
bool amdil_takes_sampler(const struct amdil_op *);
/* texture.c: bufinfo names textures, and read-only buffers where no texture of the number is declared. */
bool amdil_names_srv(const struct amdil *, const struct amdil_op *, uint32_t id);
bool amdil_uses_centroid(const struct amdil_op *); /* texture.c */

/* ---- resource.c ---- */
bool amdil_parse_format(const char *text, struct amdil_resource *, struct gpudbg_error *);
bool amdil_parse_sampler(const char *text, struct amdil_sampler *, struct gpudbg_error *);
/* The texel or element at a byte offset as four words; components it lacks are 0, 0, 0, one. */
void amdil_element_read(
    struct gpudbg_wave *, const struct amdil_resource *, uint64_t offset, uint32_t out[4], unsigned lane);
bool amdil_element_write(
    struct gpudbg_wave *, const struct amdil_resource *, uint64_t offset, const uint32_t in[4], unsigned lane);

#endif
