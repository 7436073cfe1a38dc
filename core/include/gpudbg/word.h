/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.h: words, which are bits cut into named fields, and the registers that have addresses. */
#ifndef GPUDBG_PUBLIC_WORD_H
#define GPUDBG_PUBLIC_WORD_H

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Words: bits cut into named fields
 * -------------------------------------------------------------------------------- */

struct gpudbg_value {
    uint64_t value;
    const char *name, *doc; /* doc may be NULL */
};

struct gpudbg_enum {
    const char *name, *source; /* source: manual and section */
    const struct gpudbg_value *values;
    size_t count;
};

/* `len` bits from bit `lo` of the word on; a field is a list of runs, the run with its least significant bits first;
 * len 0 ends it. */
struct gpudbg_run {
    uint8_t lo, len;
};
#define GPUDBG_RUNS 6

enum gpudbg_field_kind {
    GPUDBG_UINT,
    GPUDBG_SINT,    /* two's complement in the field's own width */
    GPUDBG_FLAG,    /* one bit; meaning: the doc, or its negation */
    GPUDBG_ENUM,    /* named by `meaning` */
    GPUDBG_FLOAT,   /* 32 or 16 bits of IEEE float, by its width */
    GPUDBG_OPERAND, /* names a register or constant; described by `describe` */
    GPUDBG_TARGET,  /* a code address; described by `describe`, or bits << scale */
    GPUDBG_MBZ,     /* reserved: must be zero; shown, and flagged when it is not */
    GPUDBG_OPCODE,  /* selects the row; meaning: the row's name */
    GPUDBG_POINTER, /* bits << scale is an address: shown in hex */
    GPUDBG_BITS,    /* a mask; `meaning` names values of one bit each */
    GPUDBG_BUSY,    /* one bit: 1 while the unit has work */
    GPUDBG_DONE,    /* one bit: 0 while the unit has work */
};

struct gpudbg_field {
    const char *name; /* the manual's; "-" for reserved bits */
    struct gpudbg_run run[GPUDBG_RUNS];
    uint8_t kind;  /* enum gpudbg_field_kind */
    uint8_t scale; /* the quantity is bits << scale */
    const struct gpudbg_enum
        *meaning; /* ENUM, or NULL; without values: that of the name in the databases of insn->databases */
    /* Writes what `value` (the raw bits) means here; NULL: by kind.  insn is NULL for a word that is no instruction.
     * Returns the length, like snprintf. */
    int (*describe)(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size);
    const char *doc; /* a phrase of our own: what the field is for */
};

/* A word layout.  Bits no field claims are reserved: gpudbg shows them as fields named "-".  A word belongs to the
 * format if (word & mask) == match; low 64 bits first.  256 bits at most. */
struct gpudbg_format {
    const char *name, *source, *doc;
    uint16_t bits;
    uint64_t mask[2], match[2];
    const struct gpudbg_field *fields;
    size_t count;
};

/* A register is a format with an address.  The databases behind it: see "Registers" below. */
struct gpudbg_reg {
    const char *name, *block;
    uint64_t addr; /* bytes in its space; GPUDBG_NOWHERE: a word without an address */
    const char *access, *doc;
    const struct gpudbg_format *format;
    const char *isa;            /* whose */
    const char *space;          /* "mmio"; "sq" (indirect, ix registers), "arf", "word" */
    uint64_t reset, reset_mask; /* value after a reset, and the bits of it that are known */
    const char *array;          /* "CB_COLOR[0-7]_INFO" and the index in it; NULL: no array */
    unsigned index;
    const char *note; /* where sources disagree, or NULL */
};
#define GPUDBG_NOWHERE UINT64_MAX

/* The field's bits of the word at `bytes` (little endian; `bit` is where the word starts), without the scale. */
GPUDBG_PUBLIC uint64_t gpudbg_bits(const uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run);
/* The name of a value of an enumeration, or NULL. */
GPUDBG_PUBLIC const char *gpudbg_enum_name(const struct gpudbg_enum *, uint64_t value);
/* The meaning of `value` in words, as the field pane and JSON show it; empty only if there is nothing to say. */
GPUDBG_PUBLIC int gpudbg_field_meaning(
    const struct gpudbg_field *, const struct gpudbg_insn *, uint64_t value, char *buf, size_t size);

/* ---- Registers
 * ---------------------------------------------------------------------------------------------------------- */

/* The register databases: share/registers/, then the user's own, read when first asked for.  `isa` NULL: any.
 * All return NULL for what is in none of them; what they return lives as long as the databases. */
/* Those of a session, which live as long as it does. */
GPUDBG_PUBLIC struct regdb *gpudbg_session_databases(struct gpudbg *);
/* By name, as manuals, drivers and logs write it: any case; mm, ix, reg or R_00XXXX_ in front; "CB_COLOR_INFO[3]". */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_named(struct regdb *, const char *isa, const char *name);
/* By byte address in a space; the first of its database where several words share one. */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_at(struct regdb *, const char *isa, const char *space, uint64_t addr);
/* An enumeration of the databases by its name; "REG.FIELD" for a list of values that a field has to itself. */
GPUDBG_PUBLIC const struct gpudbg_enum *gpudbg_enum_named(struct regdb *, const char *isa, const char *name);

#ifdef __cplusplus
}
#endif
#endif
