/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_run.h: how AMD IL programs run.
 *
 *     packets -> struct il_exec_op, with operands in places and blocks linked          ../build
 *     a launch's arguments -> segments, formats, sampler states, a wave at its start   ../launch
 *     one op for the 64 lanes of a wavefront                                           il_exec.c, and by family:
 *         arithmetic      planned.c, il_alu_simd.c, matrix.c     flow control     il_flow.c
 *         operands        il_operand.c, special.c                pixels           pixels.c
 *         memory          il_memory.c, il_atomics.c, owned.c     primitives       primitives.c
 *         textures        ../texture
 *
 * A wavefront's state is wave->words: header, stack of open blocks, then a row of 64 words for each component of each
 * register (slot s, component c, lane l: words[rows + (s * 4 + c) * 64 + l]).  Everything in struct il is fixed by
 * the launch.
 */
#ifndef IL_RUN_H
#define IL_RUN_H

#include "run/il_alu.h"
#include "il.h"

#define IL_NO_OP UINT32_MAX
#define IL_NO_SLOT UINT32_MAX
#define IL_CALLS 32 /* depth; further calls are skipped (7.4, CALL) */
#define IL_IDS 1024 /* of UAVs, LDS and GDS; other resources have fewer */
#define IL_SRVS 256 /* and of textures */
#define IL_SAMPLERS 16
#define IL_SLOTS 16384 /* registers of a program; DX10 wants 4096 */
#define IL_STACK 65536 /* dwords */

/* ---- The words of a wave ---- */

enum il_wave_word {
    IL_EXEC = 0,     /* pair: lanes that execute */
    IL_ALIVE = 2,    /* pair: lanes that have not ended */
    IL_DISCARD = 4,  /* pair: pixels that will not be stored */
    IL_REAL = 6,     /* pair: lanes with a pixel or thread of their own; others help in their quad */
    IL_TOP = 8,      /* innermost open block: its place in the stack + 1, or 0 */
    IL_USED,         /* dwords of the stack */
    IL_DEPTH,        /* calls */
    IL_INSTANCE,     /* of a hull phase */
    IL_AL,           /* aL */
    IL_PHASE,        /* op of the hull phase + 1, or 0 */
    IL_BEGAN,        /* pair: lanes that began the phase */
    IL_EMITTED = 64, /* 64 words: vertices a lane has emitted, all streams together */
    IL_HEADER = 128,
};

/* ---- Programs ---- */

struct il_source;
struct il_indexed {
    bool relative, loop;        /* by a register's component; or by aL */
    const struct il_source *by; /* the register, which has no index itself; NULL: none */
    uint32_t number;            /* a constant: of the token (dimension 1) */
    int32_t offset;             /* another */
};

struct il_location {
    uint8_t type, dimensions; /* enum il_regtype; as struct il_operand */
    uint16_t scope;           /* macro + 1, or 0; registers of phases apart */
    uint32_t number;
    uint32_t slot;     /* where the register is kept; an array's first; IL_NO_SLOT: not in slots */
    uint32_t slots;    /* of an array: how many from `slot` on */
    uint32_t constant; /* of the program: which of il->constant, from 1; 0: none */
    bool relative;     /* by a register */
    struct il_indexed index[2];
};

struct il_source {
    struct il_location at;
    uint8_t select[4], negate, divcomp;
    bool modified; /* invert, bias, x2, sign, divcomp or clamp */
    bool invert, bias, x2, sign, abs, clamp;
};

struct il_dest {
    struct il_location at;
    uint8_t mask[4]; /* enum ILMODDstComponent: 0 keep, 1 write, 2 zero, 3 one */
    uint8_t scale;
    bool clamp;
};

struct il;
struct il_exec_op;
/* Executes the op.  Returns GPUDBG_RAN_LIMIT to go on at il->next, or why not; FAULT: nothing was changed. */
typedef enum gpudbg_ran il_fn(struct gpudbg_wave *, struct il *, const struct il_exec_op *);

struct il_exec_op {
    il_fn *fn; /* NULL: not implemented */
    const struct gpudbg_op *row;
    const struct il_arithmetic *alu; /* NULL: not arithmetic */
    const struct il_plan *plan;      /* of arithmetic, made by a launch */
    uint16_t code, scope;
    uint32_t control, pri, sec, offsets; /* opcode token, its modifiers; aoffimmi */
    bool has_pri, has_sec, has_offsets, indexed;
    uint8_t pixtex;
    uint8_t ndst, nsrc; /* 255 at most */
    bool executable;    /* false: a declaration, which is skipped */
    struct il_dest *dst;
    struct il_source *src;
    const uint32_t *extra; /* tokens after the operands */
    uint32_t nextra;
    uint32_t id; /* of the resource, counted in its family */
    uint8_t aux; /* the operation's own: which atomic; of a condition: it holds for 0 */
    uint64_t pc;
    uint32_t next;    /* the op after it */
    uint32_t partner; /* if: else or endif; else: endif; loop: endloop and back; switch, case, default: next label or
                       * endswitch; endswitch: switch; call: func; func: its last op; mdef: mend; phase: endphase */
    uint32_t opener;  /* of the block that contains the op, or IL_NO_OP */
};

/* Arithmetic, prepared by a launch (plan.c).  Words are counted from wave->words; IL_FIXED: from il->fixed. */
#define IL_FIXED 0x80000000u
struct il_plan {
    const struct il_operation *alu; /* of the launch's vector width */
    uint8_t nsrc;
    uint8_t fetched, altered, uniform; /* sources, a bit each: by il_fetch; negated or absolute; of a constant
                                        * buffer */
    bool stored;                       /* the result goes through il_store; else into the rows `to` */
    uint8_t writes, zeros, ones, held; /* components; held: not before all of the result is known */
    uint32_t at[4][4], to[4];          /* row of a source's component; of the destination's */
};

/* Lanes of one execution of an op whose address was out of range, or lost its low bits. */
struct il_miss {
    uint64_t pc, executed, lanes, first; /* executed: of the wave, before it; first: the lowest lane's address */
    uint32_t wave;
    char what[40]; /* a resource, an array of registers, an opcode */
};

/* Registers first..first + count - 1 of a type are kept in slots from `slot` on.  Of ITEMP `first` is the array. */
struct il_range {
    uint16_t scope;
    uint8_t type;
    uint32_t first, count, slot;
};

/* ---- Resources ---- */

enum il_layout { IL_UNDECLARED, IL_RAW_ELEMENTS, IL_STRUCT_ELEMENTS, IL_TYPED_ELEMENTS, IL_ARENA_ELEMENTS };

/* enum ILElementFormat */
enum il_element {
    ELEMENT_UNKNOWN,
    ELEMENT_SNORM,
    ELEMENT_UNORM,
    ELEMENT_SINT,
    ELEMENT_UINT,
    ELEMENT_FLOAT,
    ELEMENT_SRGB,
    ELEMENT_MIXED
};

/* How an element of a typed resource is kept: a number of components of 8, 16 or 32 bits. */
struct il_format {
    uint8_t kind;       /* enum il_element */
    uint8_t components; /* 0: none given */
    uint8_t bits;
    uint8_t order[4]; /* component in memory order */
};

struct il_resource {
    struct gpudbg_segment *segment; /* NULL: not given */
    uint64_t base;                  /* byte of the segment where it begins: LDS and GDS ids share one */
    uint64_t size;                  /* bytes */
    enum il_layout layout;
    uint32_t stride, count; /* struct */
    uint8_t dimension;      /* enum ILPixTexUsage */
    bool unnormalized;
    struct il_format format;
    uint32_t width, height, depth, levels, samples, pitch; /* pitch: bytes an element */
    uint32_t line;                                         /* bytes a line of level 0, or 0: packed */
    bool whole;                                            /* no sizes were given: all of it, in one dimension */
};

/* enum ILPixTexUsage */
enum il_pixtex {
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

enum il_wrap { IL_WRAP, IL_MIRROR, IL_CLAMP, IL_MIRROR_ONCE, IL_BORDER };

enum il_filter { IL_POINT, IL_LINEAR, IL_ANISOTROPIC, IL_AS_OTHERS };

struct il_sampler {
    uint8_t wrap[3];
    uint8_t mag, min;       /* enum il_filter */
    uint8_t volmag, volmin; /* between layers of volumes; AS_OTHERS: like mag and min */
    uint8_t aniso;          /* taps at most, 1 to 16 */
    bool linear_mip, no_mips;
    uint8_t compare; /* never less equal lequal greater notequal gequal always */
    float border[4], bias, min_lod, max_lod;
};

struct il_table { /* bodies of a function table */
    uint32_t n;
    const uint32_t *label;
};

/* machine->runner */
#define IL_THREADS 16 /* waves of a group whose places are kept */

struct il {
    /* Program. */
    struct il_exec_op *op;
    uint32_t nops, entry, program; /* program: op after the version token */
    uint8_t shader;                /* enum IL_Shader_Type */
    uint64_t base, size;           /* code addresses */
    uint32_t *at;                  /* op of each token, or IL_NO_OP */
    bool *breakpoint;              /* one an op */
    struct il_range *range;
    uint32_t nranges, slots;
    uint32_t stack, rows;         /* dwords; first word of the slots */
    uint32_t end;                 /* op of end or endmain, where main stops */
    void *arena;                  /* memory of all this */
    struct il_constant *constant; /* l#, c#, i#, b# with values of the program */
    uint32_t nconstants;
    const uint32_t *icb;
    uint32_t nicb; /* words */
    struct il_function {
        uint32_t label, op;
    } * function;
    uint32_t nfunctions;
    struct il_table *tables;
    uint32_t ntables;
    uint32_t lds_per_thread;
    uint64_t lds_bytes, gds_bytes;
    uint32_t shared_temps, persistent;
    uint32_t max_vertices, input_vertices, icp, ocp, icp_declared; /* icp_declared: by dcl_input vicp[n][a] */
    bool centered, inverted, biased;
    uint8_t usage[64]; /* of v#, enum ILImportUsage */
    uint8_t *ones;     /* of each slot: components that are 1.0 until something is written or given */
    /* Launch. */
    struct il_resource uav[IL_IDS], srv[IL_SRVS], res[IL_SRVS], cb[64], lds[IL_IDS], gds[IL_IDS];
    struct il_sampler sampler[IL_SAMPLERS];
    struct gpudbg_segment *global, *persist, *counters, *shared, *gds_segment;
    struct gpudbg_segment *c, *i, *b, *self, *streams;
    struct il_points {
        struct gpudbg_segment *segment;
        uint32_t points, attributes;
    } inputs_cp, outputs_cp, patch;
    struct il_bound_register {
        uint8_t type;
        uint16_t number;
        bool output;
        struct gpudbg_segment *segment;
    } * bound;
    uint32_t nbound;
    const struct il_level *level; /* vector width */
    uint32_t *fixed;              /* rows of 0, of 1.0, and of the constants, four each */
    uint8_t choice[IL_CHOICES];
    uint64_t named; /* register types that the program names, a bit each */
    uint32_t interface_table[256];
    /* Of the op being executed; not part of the state. */
    const struct il_exec_op *now;
    uint32_t next;
    struct il_miss outside, unaligned; /* of the op that had such lanes last */
    bool event, refused;               /* refused: a load was refused; nothing is stored after it */
    uint32_t row[4][2][4][IL_LANES], result[4][IL_LANES];
    /* Where the lanes of a wave are in their group, which their instructions ask again and again. */
    struct il_threads {
        uint32_t wave;    /* index in the group, plus one; 0: none */
        uint32_t size[3]; /* of the group: one at the edge of a grid is smaller */
        uint32_t rows[4][IL_LANES];
    } threads[IL_THREADS];
    /* For looks at fixed registers: the rows that were asked for last. */
    uint32_t shown[64][IL_LANES], nshown;
};

struct il_constant {
    uint8_t type;
    uint16_t scope;
    uint32_t number, value[4];
};

static inline struct il *il_of(const struct gpudbg_wave *w) { return (struct il *)w->machine->runner; }

static inline uint64_t il_pair(const uint32_t *words, unsigned at) { return words[at] | (uint64_t)words[at + 1] << 32; }

static inline void il_set_pair(uint32_t *words, unsigned at, uint64_t value)
{
    words[at] = (uint32_t)value;
    words[at + 1] = (uint32_t)(value >> 32);
}

static inline uint64_t il_exec(const struct gpudbg_wave *w) { return il_pair(w->words, IL_EXEC); }

/* Lanes whose stores count: pixels that only help their quad, from the start or since their discard, change no memory
 * (7.6 DISCARD). */
static inline uint64_t il_storing(const struct gpudbg_wave *w)
{
    return il_exec(w) & il_pair(w->words, IL_REAL) & ~il_pair(w->words, IL_DISCARD);
}

/* The only way to a register: slots are found when the program is built (place.c), elements of arrays by comparing
 * their index with place->slots. */
static inline uint32_t *il_row_of(const struct gpudbg_wave *w, uint32_t slot, unsigned component)
{
    GPUDBG_PROVED(slot < il_of(w)->slots && component < 4);
    return w->words + il_of(w)->rows + ((size_t)slot * 4 + component) * IL_LANES;
}

/* isa.files: the register types, then these. */
enum { IL_FILE_EXEC = IL_REGTYPES, IL_FILE_DISCARD, IL_FILES };

#define IL_EACH_LANE(l, m) \
    for (uint64_t m_##l = (m); m_##l && ((l) = (unsigned)__builtin_ctzll(m_##l), 1); m_##l &= m_##l - 1)

/* ---- build.c ---- */

/* Reads a section of tokens.  It must be well-formed; else NULL, and the error says where it is not. */
struct il *il_build(const struct gpudbg_isa *, const struct gpudbg_section *, struct gpudbg_error *);
void il_free(struct il *);
void *il_alloc(struct il *, size_t size); /* zeros; NULL: no memory */

/* ---- find.c ---- */

const struct il_range *il_find(const struct il *, unsigned scope, unsigned type, uint32_t number);
uint32_t il_constant_of(const struct il *, const struct il_location *); /* for place->constant */
uint32_t il_function_op(const struct il *, uint32_t label);             /* or IL_NO_OP */
/* Orders for qsort: of il->constant, of il->function. */
int il_by_name(const void *, const void *);
int il_by_label(const void *, const void *);

/* The op that starts at pc, or IL_NO_OP. */
static inline uint32_t il_op_at(const struct il *r, uint64_t pc)
{
    return pc - r->base < r->size && pc % 4 == r->base % 4 ? r->at[(pc - r->base) / 4] : IL_NO_OP;
}

/* ---- il_actual.c ---- */

const struct gpudbg_insn *il_actual(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);

/* ---- il_operand.c ---- */

/* Rows of a source after swizzle and modifiers; they are in il->row[n] or are the registers themselves. */
void il_fetch(
    struct gpudbg_wave *, struct il *, const struct il_source *, char class, unsigned n, const uint32_t *rows[4]);
/* Stores rows: scaled and clamped as `class` says, by the mask; only components in `writes`, not lanes in keep[c].
 * false: a store failed. */
bool il_store(struct gpudbg_wave *, struct il *, const struct il_dest *, char class, unsigned writes,
    const uint64_t keep[4], uint32_t (*rows)[IL_LANES]);
/* The index of one dimension, lane by lane. */
void il_index_rows(
    struct gpudbg_wave *, struct il *, const struct il_location *, unsigned dimension, int64_t out[IL_LANES]);
/* Registers that are not storage: identifiers, window position, timer.  special.c */
void il_special(struct gpudbg_wave *, struct il *, const struct il_location *, uint32_t (*rows)[IL_LANES]);

/* vTidInGrp: rows that stay valid while nothing else asks. */
const uint32_t (*il_threads(struct gpudbg_wave *))[IL_LANES];

/* Fills `to` from a constant that is the same for all lanes, without modifiers: see il_operand.c.  false: `to` is not
 * filled. */
bool il_fetch_uniform(struct gpudbg_wave *, struct il *, const struct il_location *, uint32_t to[4]);

/* ---- plan.c ---- */

bool il_plan(struct il *, struct gpudbg_error *); /* at a launch, when the level is known */

/* ---- planned.c ---- */

il_fn il_do_planned;
il_fn il_do_simple; /* one component, which is computed from rows into its own */
il_fn il_do_nothing;

/* ---- segment.c ---- */

/* n <= 16 bytes of a segment; out of range: zeros, and false. */
bool il_read(struct gpudbg_wave *, const struct gpudbg_segment *, uint64_t offset, void *to, size_t n, unsigned lane);
/* Tells watchers what lanes load, n bytes each; they are inside. */
void il_loads(struct gpudbg_wave *, struct gpudbg_segment *, uint64_t lanes, const uint32_t *offset, size_t n);
/* Stores a dword of each lane; they are inside and do not overlap.  false: they are not stored. */
bool il_stores(
    struct gpudbg_wave *, struct gpudbg_segment *, uint64_t lanes, const uint32_t *offset, const uint32_t *row);
/* Stores through gpudbg_mem_write.  false: out of range (nothing is stored), or refused. */
bool il_write(
    struct gpudbg_wave *, struct gpudbg_segment *, uint64_t offset, const void *from, size_t n, unsigned lane);
/* Notes that lanes of the op being executed left a resource; id: its number, or IL_NO_ID. */
#define IL_NO_ID UINT32_MAX
void il_outside(struct gpudbg_wave *, struct il *, const char *what, uint32_t id, uint64_t lanes, uint64_t at);

/* ---- Operations of ops.def: il_do_NAME ---- */

/* What executes a row; NULL: not implemented.  build/functions.c */
il_fn *il_fn_of(const struct gpudbg_op *);

/* il_flow.c: ends lanes for good; finds the block to go on in when no lane is left. */
void il_kill(struct gpudbg_wave *, struct il *, uint64_t lanes);
void il_skip(struct gpudbg_wave *, struct il *, uint32_t current);
/* Stack needs of a block, in dwords. */
uint32_t il_frame_size(unsigned code);

/* stage.c: masks and inputs of a wave at its start. */
void il_stage_start(struct gpudbg_wave *, struct il *);

/* ---- il_launch.c: struct gpudbg_runner's ---- */
bool il_launch(struct gpudbg_machine *, struct gpudbg_error *);
void il_start(struct gpudbg_wave *);
void il_finish(struct gpudbg_machine *);
extern const struct gpudbg_runner il_runner;
/* il_misses.c */
extern const struct gpudbg_checker il_extent_checker, il_alignment_checker;
enum gpudbg_ran il_run(struct gpudbg_wave *, uint64_t limit, bool over);
bool il_breakpoint(struct gpudbg_machine *, uint64_t pc, bool on);
/* il_registers.c */
bool il_fixed(unsigned file);
unsigned il_count(const struct gpudbg_machine *, unsigned file);
uint32_t *il_reg(struct gpudbg_wave *, unsigned file, unsigned index);
enum gpudbg_written_as il_written(
    const struct gpudbg_machine *, unsigned file, long number, const uint64_t *index, struct gpudbg_written *);
void il_changed(struct gpudbg_wave *, unsigned file, unsigned index);
/* A kernel of a program, its parameters the names that il_launch.c knows. */
bool il_kernel(struct gpudbg_image *, const char *name, const struct gpudbg_section *, struct gpudbg_error *);
bool il_uses_texture(const struct il_exec_op *); /* texture.c: id names a texture */
/* texture.c: control names a sampler, the only one unless op->indexed.  Texture stages are their own samplers. */
bool il_takes_sampler(const struct il_exec_op *);
/* texture.c: bufinfo names textures, and read-only buffers where no texture of the number is declared. */
bool il_names_srv(const struct il *, const struct il_exec_op *, uint32_t id);
bool il_uses_centroid(const struct il_exec_op *); /* texture.c */

/* ---- resource.c ---- */
bool il_parse_format(const char *text, struct il_resource *, struct gpudbg_error *);
bool il_parse_sampler(const char *text, struct il_sampler *, struct gpudbg_error *);
/* element.c: the texel or element at a byte offset as four words; components it lacks are 0, 0, 0, one. */
void il_element_read(struct gpudbg_wave *, const struct il_resource *, uint64_t offset, uint32_t out[4], unsigned lane);
bool il_element_write(
    struct gpudbg_wave *, const struct il_resource *, uint64_t offset, const uint32_t in[4], unsigned lane);

#endif
