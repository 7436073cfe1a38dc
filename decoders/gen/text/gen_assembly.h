/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_assembly.h: text to words.  The parser of a syntax (prm_read.c, iga_read.c, mesa_read.c) fills in a struct
 * gen_assembly, with what all have in common (gen_read.c, gen_operand.c, gen_settle.c, gen_options.c); pack.c lays it
 * into the native word, field by field of fields.def; compact_index.c finds the compacted word.
 */
#ifndef GEN_ASSEMBLY_H
#define GEN_ASSEMBLY_H

#include "code/gen_decoder.h"

/* An operand as it is encoded. */
struct gen_written {
    uint8_t mode;    /* enum gen_mode; GEN_ABSENT: the text has none */
    uint8_t file;    /* gen7: 0 ARF, 1 GRF, 2 reserved, 3 constant; gen12: 0 ARF, 1 GRF */
    uint8_t reg;     /* number in the file: of an ARF all 8 bits */
    uint8_t type;    /* enum gen_type, or GEN_BADTYPE and its code */
    uint8_t code;    /* of a reserved type */
    uint8_t sub;     /* bytes */
    uint8_t v, w, h; /* codes of the region */
    uint8_t swizzle; /* align16 and three sources of gen7 */
    uint8_t chan_en; /* the same, of destinations */
    bool neg, abs, inverted;
    bool rep;         /* three sources of gen7 */
    uint8_t addr_sub; /* indirect */
    int16_t addr_imm; /* indirect */
    uint64_t imm;     /* as the word has it: small constants twice */
    /* What the text says; has_: it says so. */
    bool has_sub, has_type, has_swizzle, mme, saturate;
    int64_t part;          /* the subregister's number; `rest`: bytes behind the element */
    uint8_t rest, nregion; /* numbers of the region */
    bool vx;               /* <W,H> */
    uint8_t code_of[3];    /* bit 0: the number of the region is a code */
    int64_t region[3];
    char separator[2];
    uint8_t special;                               /* 1 infinity, 2 quiet NaN, 3 signalling; `neg` is its sign */
    struct gpudbg_term term;                       /* a constant */
    const char *at, *region_at, *type_at, *sub_at; /* where they stand */
};

struct gen_assembly {
    struct gpudbg_reading *r;
    const char *options; /* where the text of operands ends: at the options, or at the end */
    const struct gen_eu *eu;
    bool iga, mesa;
    const struct gpudbg_op *row;
    uint8_t op, shape;
    const char *name_at;
    uint8_t exec, chan_off; /* exec: code */
    bool align16, no_mask, saturate, acc_wr_en, no_dd_clr, no_dd_chk, breakpoint, eot, serialize, branch_ctrl;
    bool compacted, native; /* the text says so */
    uint8_t thread_ctrl, pred, flag_reg, flag_sub, cmod, func, sfid, swsb;
    bool pred_inv, has_flag, has_channels;
    int16_t index[5]; /* of compacted words, in the order of their names (gen_index_name); -1: the usual row */
    struct gen_written dst, src[3];
    uint8_t nsrc;
    bool has_second; /* Mesa: src[1] stands in the text of an instruction with one source */
    bool desc_is_reg, ex_desc_is_reg;
    bool has_desc;               /* Mesa: the text gives the descriptor as a number, with a register of gen7 too */
    struct gen_written desc_reg; /* gen7 */
    uint8_t ex_desc_reg;         /* gen12: dword of a0 */
    uint32_t desc, ex_desc;
    bool jip_given, uip_given, settled; /* settled: no label may move yet */
    int64_t jip, uip;                   /* bytes, or the address of calla */
    const char *jip_at, *uip_at;
    uint64_t w[2];
    bool reads; /* w decodes to an instruction of the row */
};

/* ---- gen_read.c: what both syntaxes have ---- */

/* Letters, digits and _ at p: how many. */
size_t gen_letters(const char *p);
/* Whether the n characters at p are `name`, in any case; name may be NULL. */
bool gen_is_named(const char *p, size_t n, const char *name);
/* Digits, with 0x before those of base 16, at *at, which moves behind them; false: there are none.  A point behind them
 * belongs to what follows.  Values beyond 64 bits become the largest. */
bool gen_digits(const char **at, uint64_t *value);

bool gen_wants(struct gen_assembly *, const char *where, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
bool gen_read_ends(struct gen_assembly *);          /* passes over blanks; nothing is left before the options */
bool gen_takes_next(struct gen_assembly *, char c); /* no blanks before it */
bool gen_read_char(struct gen_assembly *, char c, const char *form); /* or a report: "a ; is expected here: form" */
bool gen_read_int(struct gen_assembly *, int64_t lo, int64_t hi, const char *what, int64_t *);
bool gen_read_mnemonic(struct gen_assembly *); /* row, op, shape; stands behind it */
/* The code whose name is next behind a '.', or '#' and the code; names[i] may be NULL. */
bool gen_read_code(struct gen_assembly *, const char *(*name)(const struct gen_assembly *, unsigned), unsigned codes,
    const char *what, uint8_t *);

/* The function behind the opcode that math, sync and gen12's sends have: `.inv`, `.allrd`, `.dc0`. */
bool gen_has_function(const struct gen_assembly *);
bool gen_read_function(struct gen_assembly *);
bool gen_read_hash(struct gen_assembly *, unsigned codes, const char *what, uint8_t *); /* '#' and the code alone */
const char *gen_function_name(const struct gen_assembly *, unsigned code);  /* of math, sync; which message */
bool gen_read_flag(struct gen_assembly *);                                  /* f0.1; one instruction has one */
bool gen_read_predicate(struct gen_assembly *, const char *name, size_t n); /* "any4h" */
bool gen_read_exec(struct gen_assembly *);                                  /* a number of channels */
bool gen_read_target(struct gen_assembly *, bool first);                    /* jip or uip */
/* The extended descriptor of a message: a number, or on gen12 a dword of a0. */
bool gen_read_extended(struct gen_assembly *);
/* Mnemonic and options; `behind` is where the text goes on, what stands before the mnemonic is passed over. */
bool gen_read_ends_of(struct gen_assembly *, const char **behind);

/* ---- gen_options.c ---- */

bool gen_read_options(struct gen_assembly *); /* from the brace on */

/* ---- gen_operand.c ---- */

/* The text of an operand: a register with what follows it, or a constant. */
bool gen_read_operand(struct gen_assembly *, struct gen_written *, bool destination);
bool gen_read_register(struct gen_assembly *, struct gen_written *); /* the register, without more */
/* Whether a register stands next, not the name of a label. */
bool gen_register_next(struct gen_assembly *);

/* ---- gen_settle.c ---- */

/* What the operand means as destination (n < 0) or source n; defaults are those of the syntax. */
bool gen_settle(struct gen_assembly *, struct gen_written *, int n);
/* The same for a register that stands alone: of a message, of a call. */
bool gen_settle_place(struct gen_assembly *, struct gen_written *);
bool gen_settle_descriptor(struct gen_assembly *, struct gen_written *); /* of a message of gen7 */
/* ---- prm_read.c, iga_read.c, mesa_read.c ---- */

bool gen_read_prm(struct gen_assembly *);
bool gen_read_iga(struct gen_assembly *);
bool gen_read_mesa(struct gen_assembly *);
/* Mesa prints a send over two lines. */
bool gen_mesa_unfinished(const struct gpudbg_isa *, unsigned syntax, const char *line, size_t n);

/* ---- pack.c, compact_index.c ---- */

bool gen_pack(struct gen_assembly *); /* w; false: a report */
/* The compacted word that stands for a native one, but for bits that mean nothing; index: as in struct gen_assembly. */
bool gen_find_compacted(const struct gpudbg_isa *, const uint64_t native[2], const int16_t index[5], uint64_t *stored);
const char *gen_index_name(const struct gen_assembly *, unsigned n); /* "control"; NULL: there are no more */

/* The indices that the manual's syntax names of a compacted word, others stay -1. */
void gen_named_indices(const struct gpudbg_insn *, const struct gen_insn *, int16_t index[5]);

/* ---- said.c ---- */

/* The word that the text of an instruction gives, as it is stored.  false: no text gives it, or none that differs in
 * nothing but bits that mean nothing.  drops: bits of which only the manual's syntax speaks mean nothing either. */
bool gen_said(const struct gpudbg_insn *, const struct gen_insn *, bool iga, bool drops, uint64_t w[2]);
/* The remark that names the bits of the instruction that differ from such a word, if there are any: "//# 46:44=1".
 * lacks: what they say; NULL: nothing. */
char *gen_put_remark(char *p, const struct gpudbg_insn *, const uint64_t w[2], const char *lacks);
#define GEN_REMARK "//#"

/* ---- gen_assemble.c ---- */

int gen_assemble(struct gpudbg_reading *, uint8_t *bytes, size_t room);
/* Of a syntax without rules in said.c: appends the remark that gen_assemble reads.  NULL: the text gives no
 * instruction, or another one.  lacks: what the syntax cannot say of it, and the bits may say; NULL: the text says all
 * that means something. */
char *gen_put_exact(char *p, const char *text, const struct gpudbg_insn *, unsigned syntax, const char *lacks);

/* gen_is_macro, of what is read. */
static inline bool gen_reads_macro(const struct gen_assembly *a)
{
    return a->shape == GEN_MATH && a->func >= GEN_MATH_INVM && a->eu->macros;
}

#endif
