/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_assembly.h: text to words.  The parser of a syntax (prm_read.c, iga_read.c, mesa_read.c) fills in a struct
 * gen_assembly, with functions for all syntaxes (gen_read.c, gen_operand.c, gen_settle.c, gen_options.c); pack.c makes
 * the native word of it, field by field of fields.def; compact_index.c finds the compacted word.
 */
#ifndef GEN_ASSEMBLY_H
#define GEN_ASSEMBLY_H

#include "code/gen_decoder.h"

/* An operand as it is encoded. */
struct gen_written {
    uint8_t mode;    /* enum gen_mode; GEN_ABSENT: the text has no such operand */
    uint8_t file;    /* e1: 0 ARF, 1 GRF, 2 reserved, 3 constant; e2: 0 ARF, 1 GRF */
    uint8_t reg;     /* number in the file; all 8 bits of an ARF */
    uint8_t type;    /* enum gen_type; GEN_BADTYPE: see code */
    uint8_t code;    /* code of a reserved type */
    uint8_t sub;     /* bytes */
    uint8_t v, w, h; /* codes of the region */
    uint8_t swizzle; /* align16, and three sources without three_regions */
    uint8_t chan_en; /* the same, of destinations */
    bool neg, abs, inverted;
    bool rep;         /* three sources without three_regions */
    uint8_t addr_sub; /* indirect */
    int16_t addr_imm; /* indirect */
    uint64_t imm;     /* as in the word: small constants twice */
    /* The parts that the text gives; has_: it gives them. */
    bool has_sub, has_type, has_swizzle, mme, saturate;
    int64_t part;          /* the subregister's number; `rest`: bytes after the start of the element */
    uint8_t rest, nregion; /* numbers of the region */
    bool vx;               /* <W,H> */
    uint8_t code_of[3];    /* bit 0: the number of the region is a code */
    int64_t region[3];
    char separator[2];
    uint8_t special;                               /* 1 infinity, 2 quiet NaN, 3 signalling; `neg` is its sign */
    struct gpudbg_term term;                       /* a constant */
    const char *at, *region_at, *type_at, *sub_at; /* where they are in the text */
};

struct gen_assembly {
    struct gpudbg_reading *r;
    const char *options; /* the end of the text of operands: at the options, or at the end of the text */
    const struct gen_eu *eu;
    bool iga, mesa;
    const struct gpudbg_op *row;
    uint8_t op, shape;
    const char *name_at;
    uint8_t exec, chan_off; /* exec: code */
    bool align16, no_mask, saturate, acc_wr_en, no_dd_clr, no_dd_chk, breakpoint, eot, serialize, branch_ctrl;
    bool compacted, native; /* requested by the text */
    bool ex_bso, cps;       /* bindless_offsets */
    int8_t ldst;            /* LSC's opcode, if the mnemonic is its name (ldst.c); -1: it is not */
    int8_t length;          /* registers of the second payload that the text gives behind it; -1: none */
    uint8_t thread_ctrl, pred, flag_reg, flag_sub, cmod, func, sfid, swsb;
    bool pred_inv, has_flag, has_channels;
    int16_t index[5]; /* of compacted words, in the order of their names (gen_index_name); -1: the usual row */
    struct gen_written dst, src[3];
    uint8_t nsrc;
    bool has_second; /* Mesa: the text of an instruction with one source has src[1] */
    bool desc_is_reg, ex_desc_is_reg;
    bool has_desc;               /* Mesa: the text has the descriptor as a number, perhaps in addition to a register */
    struct gen_written desc_reg; /* any_descriptor */
    uint8_t ex_desc_reg;         /* two_payloads: dword of a0 */
    uint32_t desc, ex_desc;
    bool jip_given, uip_given, settled; /* settled: no label can still move */
    int64_t jip, uip;                   /* bytes, or the address of calla */
    const char *jip_at, *uip_at;
    uint64_t w[2];
    bool reads; /* w decodes to an instruction of the row */
};

/* ---- gen_read.c: what both syntaxes have ---- */

/* The number of letters, digits and _ at p. */
size_t gen_letters(const char *p);
/* Whether the n characters at p are `name`, in any case; name may be NULL. */
bool gen_is_named(const char *p, size_t n, const char *name);
/* Digits, with 0x before those of base 16, at *at, which moves after them; false: there are no digits.  A point after
 * them is not part of the number.  Values beyond 64 bits become the largest. */
bool gen_digits(const char **at, uint64_t *value);

bool gen_wants(struct gen_assembly *, const char *where, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
bool gen_read_ends(struct gen_assembly *);                           /* skips blanks; true: the operands are all read */
bool gen_takes_next(struct gen_assembly *, char c);                  /* only if it comes without blanks */
bool gen_read_char(struct gen_assembly *, char c, const char *form); /* else reports "a ; is expected here: form" */
bool gen_read_int(struct gen_assembly *, int64_t lo, int64_t hi, const char *what, int64_t *);
bool gen_read_mnemonic(struct gen_assembly *); /* sets row, op, shape; moves after it */
/* The code whose name follows a '.', or '#' and the code; names[i] may be NULL. */
bool gen_read_code(struct gen_assembly *, const char *(*name)(const struct gen_assembly *, unsigned), unsigned codes,
    const char *what, uint8_t *);

/* Whether the opcode has a function after it, as in math, sync, and sends with names_function: `.inv`, `.allrd`,
 * `.dc0`. */
bool gen_has_function(const struct gen_assembly *);
bool gen_read_function(struct gen_assembly *);
bool gen_read_hash(struct gen_assembly *, unsigned codes, const char *what, uint8_t *); /* only '#' and the code */
const char *gen_function_name(const struct gen_assembly *, unsigned code);  /* of math, sync; the shared function of a
                                                                               send */
bool gen_read_flag(struct gen_assembly *);                                  /* f0.1; an instruction has only one */
bool gen_read_predicate(struct gen_assembly *, const char *name, size_t n); /* "any4h" */
bool gen_read_exec(struct gen_assembly *);                                  /* a number of channels */
bool gen_read_target(struct gen_assembly *, bool first);                    /* jip or uip */
/* The extended descriptor of a message: a number, or a dword of a0 if two_payloads. */
bool gen_read_extended(struct gen_assembly *);
/* Mnemonic and options; `behind` is the place after the mnemonic; the text before the mnemonic is skipped. */
bool gen_read_ends_of(struct gen_assembly *, const char **behind);

/* ---- gen_options.c ---- */

bool gen_read_options(struct gen_assembly *); /* from the opening brace on */

/* ---- gen_operand.c ---- */

/* The text of an operand: a register with its region and type, or a constant. */
bool gen_read_operand(struct gen_assembly *, struct gen_written *, bool destination);
bool gen_read_register(struct gen_assembly *, struct gen_written *); /* only the register */
/* Whether the next word is a register, not the name of a label. */
bool gen_register_next(struct gen_assembly *);

/* ---- gen_settle.c ---- */

/* Settles the meaning of the operand as destination (n < 0) or source n, with the defaults of the syntax. */
bool gen_settle(struct gen_assembly *, struct gen_written *, int n);
/* The same for a register without a region: of a message, of a call. */
bool gen_settle_place(struct gen_assembly *, struct gen_written *);
bool gen_settle_descriptor(struct gen_assembly *, struct gen_written *); /* of a message, if any_descriptor */
/* ---- prm_read.c, iga_read.c, mesa_read.c ---- */

bool gen_read_prm(struct gen_assembly *);
bool gen_read_iga(struct gen_assembly *);
bool gen_read_place(struct gen_assembly *, struct gen_written *); /* IGA's: a register of a message */
bool gen_read_mesa(struct gen_assembly *);
/* Mesa prints a send over two lines. */
bool gen_mesa_unfinished(const struct gpudbg_isa *, unsigned syntax, const char *line, size_t n);

/* ---- ldst.c ---- */

/* The opcode of LSC's message of that name; -1: there is none. */
int gen_ldst_named(const char *p, size_t n);
bool gen_read_ldst_name(struct gen_assembly *); /* what follows the memory: .d32x2.a64.ca.ca */
bool gen_read_ldst(struct gen_assembly *);      /* the operands */
/* The text of a message as an instruction of its own; NULL: some of its bits have no text. */
char *gen_put_ldst(char *p, const struct gen_insn *);

/* ---- pack.c, compact_index.c ---- */

bool gen_pack(struct gen_assembly *); /* sets w; false: an error was reported */
/* The row of region_types for three sources: 1 if a type that has a name is one with a point, or if none has. */
unsigned gen_written_row(const struct gen_assembly *);
/* The compacted word for a native one; bits that mean nothing may differ; index: as in struct gen_assembly. */
bool gen_find_compacted(const struct gpudbg_isa *, const uint64_t native[2], const int16_t index[5], uint64_t *stored);
const char *gen_index_name(const struct gen_assembly *, unsigned n); /* "control"; NULL: no more indices */

/* The indices of a compacted word that the manual's syntax names; others stay -1. */
void gen_named_indices(const struct gpudbg_insn *, const struct gen_insn *, int16_t index[5]);

/* ---- said.c ---- */

/* What a text leaves open; IGA's both ways to write messages leave open the same. */
enum gen_syntax { GEN_SYNTAX_PRM, GEN_SYNTAX_IGA, GEN_SYNTAX_MESA };

/* The stored word that the text of an instruction gives.  false: the instruction has no text, or the word of its text
 * differs in bits that mean something.  drops: bits that only the manual's syntax has count as meaningless.
 * any: the bits may mean anything, because the syntax has no words for them. */
bool gen_said(
    const struct gpudbg_insn *, const struct gen_insn *, enum gen_syntax, bool drops, bool any, uint64_t w[2]);
/* The same without the rule for usual words, whose bits are not looked at one by one. */
bool gen_said_by_fields(
    const struct gpudbg_insn *, const struct gen_insn *, enum gen_syntax, bool drops, bool any, uint64_t w[2]);
/* An operand as the manual's syntax gives it. */
void gen_fill_operand(const struct gen_insn *, const struct gen_operand *, struct gen_written *);
/* The remark that gives the bits of the instruction that differ from such a word, if any differ: "//# 46:44=1". lacks:
 * their meaning; NULL: they mean nothing. */
char *gen_put_remark(char *p, const struct gpudbg_insn *, const uint64_t w[2], const char *lacks);
#define GEN_REMARK "//#"

/* ---- mesa_said.c ---- */

/* Of an instruction's parts as the manual's syntax gives them, keeps those that Mesa's text has.  false: the text
 * cannot be read. */
bool gen_mesa_drops(const struct gen_insn *, struct gen_assembly *);
bool gen_mesa_keeps(const struct gen_assembly *); /* whether the packed word has the operands of the text */

/* ---- gen_assemble.c ---- */

int gen_assemble(struct gpudbg_reading *, uint8_t *bytes, size_t room);

/* gen_is_macro, for an instruction that is being read. */
static inline bool gen_reads_macro(const struct gen_assembly *a)
{
    return a->eu->macros && (a->shape == GEN_MATH ? a->func >= GEN_MATH_INVM : GEN_IS(a->op, MACRO));
}

#endif
