/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il.h: AMD IL 2.4 as tokens.  Manual: "AMD Intermediate Language (IL) Reference Guide" 2.4, chapters 2, 5 to 7.
 *
 * A stream is 32-bit tokens: language, version, packets, one packet an instruction, the last one `end`; definitions of
 * macros may come before the language token.  Tables: ops.def (opcodes), formats.def (tokens), enums.def,
 * registers.def. Text is assembled to tokens before anything else looks at it, so tokens are the only form of a
 * program.
 *
 * Core's words here: a wave is a wavefront of 64, a lane a thread or pixel, a register file one type of registers.
 */
#ifndef IL_H
#define IL_H

#include "gpudbg.h"
#include "gpudbg/endian.h"

/* ---- Enumerations ---- */

enum il_enum_id {
#define ENUM(id, name, source) IL_E_##id,
#define VALUE(value, text)
#define END
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END
    IL_ENUMS
};
extern const struct gpudbg_enum il_enum[IL_ENUMS];
extern const struct gpudbg_enum *const il_enums[];

/* ---- Register types ---- */

enum il_regtype {
#define REG(number, name, text, source_text, access, shape, components, doc) IL_REG_##name = number,
#include "code/registers.def"
#undef REG
    IL_REGTYPES
};
enum il_access { IL_R = 1, IL_W = 2, IL_RW = 3 };
enum il_shape { IL_NUMBERED, IL_PLAIN, IL_ARRAY, IL_NAMED };
struct il_register {
    const char *text, *source_text; /* name before the number: written, read */
    uint8_t access, shape, components;
    const char *doc;
};
extern const struct il_register il_register[IL_REGTYPES];

/* ---- Tokens ---- */

enum il_word {
    IL_W_NO,
#define LAYOUT(id, pri, sec, doc) IL_W_##id,
#define WORD(id, name, source, doc) IL_W_##id,
#define FIELD(name, hi, lo, shown, spelled, doc)
#define END
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END
    IL_WORDS
};
extern const struct gpudbg_format il_format[IL_WORDS];
extern const struct gpudbg_format *const il_formats[];

/* How the text form says a field; parallel to il_format[w].fields. */
enum il_spelling {
    IL_S_HIDDEN,   /* has no text of its own */
    IL_S_OFTEN,    /* _name(value) */
    IL_S_SELDOM,   /* the same, left out when 0 */
    IL_S_ON,       /* _name when 1 */
    IL_S_BARE,     /* _value */
    IL_S_BARELY,   /* the same, left out when 0 */
    IL_S_ARGUMENT, /* value after the mnemonic */
    IL_S_WORDS,    /* name after the mnemonic when 1 */
    IL_S_PAREN,    /* (value) */
};
extern const uint8_t *const il_spelling[IL_WORDS];
/* The words that the modifier flags of an opcode token announce: IL_W_NO where it gives them no meaning. */
struct il_modifiers {
    uint8_t pri, sec;
};
extern const struct il_modifiers il_modifiers[IL_WORDS];
/* The field called `name` of a word, or NULL. */
const struct gpudbg_field *il_field(enum il_word, const char *name);

/* ---- Opcodes ---- */

/* Opcode numbers, as in the stream; il_code gives that of a row. */
enum il_opcode {
#define OP(number, id, ...) id = number,
#include "ops.def"
    IL_OP_LANGUAGE = 0xfff0, /* rows of their own for the two tokens that are not packets */
    IL_OP_VERSION = 0xfff1,
};
#define IL_OP_LAST 483 /* one past the last listed number */

/* What follows the operands of a packet. */
enum il_extra {
    IL_X_NO,
    IL_X_LABEL,      /* 1: a subroutine's label */
    IL_X_VALUE,      /* 1: the value of a case */
    IL_X_DEF,        /* 4: a constant; plain numbers are floats unless the register is i# */
    IL_X_LITERAL,    /* 4: a literal; plain numbers are integers */
    IL_X_BOOL,       /* 1 */
    IL_X_FLOAT,      /* 1 */
    IL_X_NUMBER,     /* 1 */
    IL_X_BYTES,      /* 1: a size */
    IL_X_STRIDE,     /* 1 */
    IL_X_STRUCT,     /* 2: stride, count */
    IL_X_FORMATS,    /* 1: types of a resource's components */
    IL_X_TYPED,      /* 1 */
    IL_X_TYPELESS,   /* 2 */
    IL_X_DIMENSIONS, /* as many as the control says */
    IL_X_COMMENT,    /* 1 + N */
    IL_X_ICB,        /* immediate buffer: no source, 1 + N */
    IL_X_TABLE,      /* 1 + N */
    IL_X_INTERFACE,  /* 3 + N */
    IL_X_MACRO,      /* 1, instead of operands */
    IL_X_MCALL,      /* 1, then as many destinations and sources as it says */
};

/* What the numbers of an opcode are: which source modifiers make sense, and what negation does. */
enum il_class {
    IL_C_NONE,
    IL_C_FLOAT,
    IL_C_INT,
    IL_C_DOUBLE, /* pairs of components */
    IL_C_BITS,   /* moves: modifiers work on floats, without them the bits stay */
};

/* enum IL_Shader_Type: what `shader` of a program is. */
enum { IL_VERTEX, IL_PIXEL, IL_GEOMETRY, IL_COMPUTE, IL_HULL, IL_DOMAIN };

/* enum ILImportUsage, as far as a meaning is known without a buffer. */
enum il_usage {
    IL_USAGE_POSITION = 0,
    IL_USAGE_GENERIC = 6,
    IL_USAGE_PRIMITIVE = 9,
    IL_USAGE_VERTEX = 10,
    IL_USAGE_FRONT = 12,
};

/* Shaders an opcode is meant for: bits by IL_Shader_Type. */
enum il_who { IL_VS = 1, IL_PS = 2, IL_GS = 4, IL_CS = 8, IL_HS = 16, IL_DS = 32, IL_ALL = 63 };

/* Flags of a row beyond core's (op->flags). */
#define IL_DECLARES (GPUDBG_OP_OWN << 0) /* a declaration: no work at run time */
#define IL_SM3 (GPUDBG_OP_OWN << 1)      /* of shader models up to 3 only (table C-3) */
#define IL_SM4 (GPUDBG_OP_OWN << 2)      /* of shader models from 4 on only (table C-1) */

/* What arithmetic reads and writes: how sources are modified and results stored. */
enum il_arith {
    IL_FLOAT = 'f',  /* numbers: neg flips the sign; scale and clamp apply */
    IL_MOVED = 'm',  /* the same, but the bits are copied unless a modifier computes */
    IL_INT = 'i',    /* neg is two's complement */
    IL_DOUBLE = 'd', /* pairs: neg and abs act on the high word */
};

struct il_arithmetic {
    const char *sources; /* enum il_arith of each source; NULL: the opcode is not arithmetic */
    char result;         /* enum il_arith */
    uint8_t writes;      /* components that have a result: bits x y z w */
    bool apart;          /* a component of the result comes from the same component of each source */
};

struct il_op {
    uint8_t word; /* enum il_word: layout of its opcode token */
    uint8_t dst, src, extra, class, who;
    struct il_arithmetic alu;
    bool runs; /* the machine implements it */
};
/* Rows of il_ops and il_op are in the order of ops.def, which grows by number; the last two are language and version.
 */
enum il_row {
#define OP(number, id, ...) IL_ROW_##id,
#include "ops.def"
    IL_ROW_LANGUAGE,
    IL_ROW_VERSION,
    IL_ROWS
};
extern const struct gpudbg_op il_ops[IL_ROWS];
extern const struct gpudbg_row il_rows[IL_ROWS];
static inline uint16_t il_code(const struct gpudbg_op *op) { return (uint16_t)il_rows[op->id].code; }
extern const struct il_op il_op[IL_ROWS];                 /* by gpudbg_op.id */
const struct gpudbg_op *il_op_by_number(unsigned number); /* NULL: no such opcode, or its layout is not known */
const char *il_op_unknown_name(unsigned number);          /* of listed opcodes whose layout is not known; or NULL */

/* ---- Operands ---- */

/* One index, between brackets.  Its value: number (dimension 1 only: the second token's register_num) + the register's
 * component, if relative + offset. */
struct il_index {
    uint8_t relative; /* 0: constant; 1: aL or a0.x by `loop`; 2: a register */
    bool loop;        /* relative 1: aL */
    bool has_offset;  /* there is an offset token, even if it is 0 */
    int32_t offset;
    uint32_t number; /* of the token that carries this dimension */
    uint8_t type;    /* relative 2: the index register's */
    uint32_t reg;
    bool has_mod;
    uint32_t mod; /* IL_Src_Mod of the index register, or the identity; only its x is used */
};

/* A destination or source.  An array's register is type and number; an index comes on top of it:
 *     r5           number 5, no index                      x5[r2.x+6]     number 5, index[0]: r2.x, offset 6
 *     cb0[6]       number 0, index[0]: offset 6            v[1][2]        dimensions 2: number 1, index[1].number 2
 *     o[r0.x+1]    number 0, index[0]: r0.x, offset 1      cb[r6.w+2][r2.x+4]  dimensions 2, index[0], index[1] */
struct il_operand {
    bool is_dst;
    uint8_t type;       /* enum il_regtype, or 63 */
    uint8_t dimensions; /* 0: no index; 1; 2 */
    bool extended, has_mod;
    uint32_t number;     /* 32 bits if extended */
    uint32_t token, mod; /* raw; without a modifier token, mod is the value that absence means */
    struct il_index index[2];
    /* Of mod, taken apart. */
    uint8_t select[4]; /* source: enum ILComponentSelect (0..3 x..w, 4 zero, 5 one); destination: 0 keep, 1 write, 2
                          zero, 3 one */
    uint8_t negate;    /* a bit a slot, after the swizzle */
    bool invert, bias, x2, sign, abs, clamp; /* clamp: of sources and destinations */
    uint8_t divcomp, scale;                  /* enums ILDivComp, ILShiftScale */
    uint32_t at, words;                      /* tokens from the packet's first, and how many */
};

#define IL_SRC_IDENTITY 0x3210u /* what a missing IL_Src_Mod means */
#define IL_DST_ALL 0x55u        /* what a missing IL_Dst_Mod means */

#define IL_OPERANDS 24 /* most that a packet stores; only mcall may have more: see il_operand_at */

/* A packet, unpacked.  A prefix token belongs to the packet after it. */
struct il_packet {
    const struct gpudbg_op *op; /* NULL: unknown opcode */
    const struct il_op *row;
    const uint8_t *raw; /* little-endian tokens, borrowed */
    uint32_t words;
    bool prefixed;
    uint8_t precise; /* mask of components, bit 0 is x */
    uint32_t at;     /* token of the opcode: 0, or 1 after a prefix */
    uint32_t code;   /* the opcode token */
    bool has_pri, has_sec, has_pixtex, has_aoffimmi;
    uint32_t pri, sec, pixtex, aoffimmi;
    uint32_t ndst, nsrc; /* as the packet has them */
    uint32_t noperands;  /* stored: destinations, then sources */
    struct il_operand operand[IL_OPERANDS];
    uint32_t operands_at;   /* token of the first operand */
    uint32_t extra, nextra; /* first token after the operands, and how many; mdef, mcall: the token before them */
    /* Layout of every token, for insn.parts; runs of one layout are one. */
    unsigned nparts;
    struct gpudbg_part parts[GPUDBG_PARTS];
};

static inline uint32_t il_token(const uint8_t *raw, uint32_t at) { return le_u32(raw + 4 * (size_t)at); }

/* The bits of a control: il_control(packet, "relop"); 0 if the opcode has no such field.  Looks at the opcode token,
 * then the primary, then the secondary modifier. */
uint32_t il_control(const struct il_packet *, const char *name);
/* A token after the operands (labels, literals, sizes). */
static inline uint32_t il_extra(const struct il_packet *p, uint32_t n) { return il_token(p->raw, p->extra + n); }

/* Unpacks the packet at `raw` (n bytes are there).  Returns its size in bytes, GPUDBG_SHORT or GPUDBG_ILLEGAL (unknown
 * opcode).  It accepts whatever has the structure of a packet; reserved bits and enumerations are checked by
 * il_rules.h. */
int il_unpack(const uint8_t *raw, size_t n, struct il_packet *);
/* Unpacks the operand at token `at`; returns the tokens it has, 0: too few. */
uint32_t il_operand_at(const uint8_t *raw, size_t n, uint32_t at, bool is_dst, struct il_operand *);
/* The register of an index (relative 1: a0; 2) as a source of its own. */
struct il_operand il_index_register(const struct il_index *);
/* A call of a macro counts outputs in its lower half and inputs in the upper one (7.19); one of the vendor's tools
 * writes them in the other order.  `macro`: the token of its mdef.  Chooses the order that fits; false: neither does.
 * */
bool il_order_call(struct il_packet *, uint32_t macro);
/* The tokens that open a stream; il_decode.c says how they differ from packets. */
bool il_is_language(const uint8_t *raw, size_t n, uint64_t addr);
bool il_is_version(const uint8_t *raw, size_t n, uint64_t addr);

/* gpudbg_isa.decode.  operands: registers with file = register type (isa.files are the types), reg = 4 * number + first
 * component, count = components, swizzle = low 16 bits of the modifier token; what is indexed is SPECIAL. */
int il_decode(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
unsigned il_floats(const struct gpudbg_insn *, unsigned operand, uint32_t *which); /* gpudbg_isa.floats */
void il_numbers(const struct gpudbg_insn *, gpudbg_number_fn *each, void *to); /* gpudbg_isa.numbers: il_numbers.c */

/* ---- Ways and registers ---- */

/* gpudbg_isa.jumps: il_jumps.c; gpudbg_isa.uses: il_uses.c; what an opcode does to nested blocks (enum gpudbg_nest). */
bool il_jumps(
    const struct gpudbg_isa *, const uint8_t *bytes, uint64_t size, uint64_t base, gpudbg_jump_fn *each, void *to);
unsigned il_nest_of(unsigned code);
extern const struct gpudbg_using il_uses;
extern const struct gpudbg_costing il_costs; /* il_uses.c */

/* ---- Text ---- */

/* Text in the manual's spelling; see assemble.h for what it cannot express.  -1: the packet is broken. */
int il_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
    size_t size);
/* gpudbg_isa.text: the same, and for the assembler all that its tokens hold. */
int il_exact_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *,
    char *buf, size_t size);
int il_operand_text(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
int il_describe_register(const struct gpudbg_insn *, uint64_t type, char *buf, size_t size);

extern const struct gpudbg_isa il_isa;
/* Whether an instruction set is AMD IL.  Files that ask this do not need the descriptor. */
static inline bool il_is(const struct gpudbg_isa *isa) { return isa && isa->ops == il_ops; }

#endif
