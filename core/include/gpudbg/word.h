/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.h: words, which are bits cut into named fields, and the registers that have addresses. */
#ifndef GPUDBG_PUBLIC_WORD_H
#define GPUDBG_PUBLIC_WORD_H

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Words: bits cut into named fields ---- */

struct gpudbg_value {
    uint64_t value;
    const char *name, *doc; /* doc: a phrase, or NULL */
};

struct gpudbg_enum {
    const char *name, *source; /* source: manual and section */
    const struct gpudbg_value *values;
    size_t count;
    const uint64_t *last; /* one a value: the name covers all numbers from `value` to this one; NULL: one number each */
};

/* A run of `len` bits that starts at bit `lo` of the word.  A field is a list of runs: the run that holds the field's
 * least significant bits comes first, and len 0 ends the list. */
struct gpudbg_run {
    uint8_t lo, len;
};
#define GPUDBG_RUNS 6

enum gpudbg_field_kind {
    GPUDBG_UINT,
    GPUDBG_SINT,    /* two's complement in the field's own width */
    GPUDBG_FLAG,    /* one bit; 1 means the doc, 0 its negation */
    GPUDBG_ENUM,    /* named by `meaning` */
    GPUDBG_FLOAT,   /* 32 or 16 bits of IEEE float, by its width */
    GPUDBG_OPERAND, /* names a register or a constant; `describe` says which */
    GPUDBG_TARGET,  /* a code address: what `describe` says, or bits << scale */
    GPUDBG_MBZ,     /* reserved: must be zero; shown and flagged if it is not */
    GPUDBG_OPCODE,  /* selects the row; its meaning is the name of the row */
    GPUDBG_POINTER, /* bits << scale is an address: shown in hex */
    GPUDBG_BITS,    /* a mask; `meaning` names values of one bit each */
    GPUDBG_BUSY,    /* one bit: 1 while the unit has work */
    GPUDBG_DONE,    /* one bit: 0 while the unit has work */
};

struct gpudbg_field {
    const char *name; /* the manual's; "-" for reserved bits */
    struct gpudbg_run run[GPUDBG_RUNS];
    uint8_t kind;                      /* enum gpudbg_field_kind */
    uint8_t scale;                     /* the quantity is bits << scale */
    const struct gpudbg_enum *meaning; /* names of values, for ENUM and BITS; NULL: none.  One without values means the
                                          enumeration of its name in insn->databases */
    /* Writes what `value` (the raw bits) means; NULL: the kind says it.  insn is NULL for a word that is not part of
     * an instruction.  Returns the length, like snprintf. */
    int (*describe)(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size);
    const char *doc; /* a phrase of our own: what the field is for */
};

/* The layout of a word of at most 256 bits.  Bits that no field claims are reserved: gpudbg shows them as fields named
 * "-".  A word has this format if (word & mask) == match; [0] is the low 64 bits, [1] the next 64. */
struct gpudbg_format {
    const char *name, *source, *doc;
    uint16_t bits;
    uint64_t mask[2], match[2];
    const struct gpudbg_field *fields;
    size_t count;
};

/* A register: a format with an address.  Registers come from databases; see "Registers" below. */
struct gpudbg_reg {
    const char *name, *block;
    uint64_t addr; /* bytes in its space; GPUDBG_NOWHERE: a word without an address */
    const char *access, *doc;
    const struct gpudbg_format *format;
    const char *isa;            /* name of the instruction set it belongs to */
    const char *space;          /* "mmio"; "sq" (indirect, ix registers), "arf", "word" */
    uint64_t reset, reset_mask; /* value after a reset, and the bits of it that are known */
    const char *array;          /* "CB_COLOR[0-7]_INFO", and index is the place in it; NULL: not in an array */
    unsigned index;
    const char *note; /* says where sources disagree; NULL: they do not */
};
#define GPUDBG_NOWHERE UINT64_MAX

/* The bits of a field, given by its runs.  The word starts at bit `bit` of `bytes` (little endian); the scale is not
 * applied. */
GPUDBG_PUBLIC uint64_t gpudbg_bits(const uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run);
/* The name of a value of an enumeration, or NULL. */
GPUDBG_PUBLIC const char *gpudbg_enum_name(const struct gpudbg_enum *, uint64_t value);
/* Writes the meaning of `value` in words, as the pane of fields and JSON show it; empty if there is nothing to say.
 * Returns the length, like snprintf. */
GPUDBG_PUBLIC int gpudbg_field_meaning(
    const struct gpudbg_field *, const struct gpudbg_insn *, uint64_t value, char *buf, size_t size);

/* ---- Registers ---- */

/* The register databases are the files in share/registers/, then the user's own; gpudbg reads them at the first
 * question.  Below, `isa` NULL means any instruction set.  The functions return NULL for what no database contains, and
 * what they return lives as long as the databases. */

/* The databases of a session; they live as long as it does. */
GPUDBG_PUBLIC struct regdb *gpudbg_session_databases(struct gpudbg *);
/* Finds a register by its name, as manuals, drivers and logs write it: in any case, with mm, ix, reg or R_00XXXX_ in
 * front, or as "CB_COLOR_INFO[3]". */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_named(struct regdb *, const char *isa, const char *name);
/* Finds a register by its byte address in a space; the first one of its database if several words share the address. */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_at(struct regdb *, const char *isa, const char *space, uint64_t addr);
/* Finds an enumeration by its name; "REG.FIELD" names the values that only one field has. */
GPUDBG_PUBLIC const struct gpudbg_enum *gpudbg_enum_named(struct regdb *, const char *isa, const char *name);

#ifdef __cplusplus
}
#endif
#endif
