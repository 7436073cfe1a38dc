/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.h: words and registers. A word is bits cut into named fields; a register is a word with an address. */
#ifndef GPUDBG_PUBLIC_WORD_H
#define GPUDBG_PUBLIC_WORD_H

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Words: bits cut into named fields ---- */

struct gpudbg_value {
    uint64_t value;
    const char *name, *doc; /* doc may be NULL */
};

struct gpudbg_enum {
    const char *name, *source; /* source: manual and section */
    const struct gpudbg_value *values;
    size_t count;
};

/* A run is `len` bits of the word, from bit `lo` on. A field is a list of runs; the first run holds the field's least
 * significant bits. len 0 ends the list. */
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
    uint8_t kind;                      /* enum gpudbg_field_kind */
    uint8_t scale;                     /* the quantity is bits << scale */
    const struct gpudbg_enum *meaning; /* for ENUM, else NULL. An enumeration without values stands for the one with the
                                          same name in insn->databases */
    /* Writes the meaning of `value` (the raw bits); NULL: the kind decides. insn is NULL for a word that is not an
     * instruction. Returns the length, like snprintf. */
    int (*describe)(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size);
    const char *doc; /* a phrase, not the manual's words: what the field is for */
};

/* A layout of a word, at most 256 bits. Bits that no field claims are reserved, and gpudbg shows them as fields named
 * "-". A word belongs to the format if (word & mask) == match; mask[0] and match[0] are the low 64 bits. */
struct gpudbg_format {
    const char *name, *source, *doc;
    uint16_t bits;
    uint64_t mask[2], match[2];
    const struct gpudbg_field *fields;
    size_t count;
};

/* A register is a format with an address. The databases are described under "Registers" below. */
struct gpudbg_reg {
    const char *name, *block;
    uint64_t addr; /* bytes in its space; GPUDBG_NOWHERE: a word without an address */
    const char *access, *doc;
    const struct gpudbg_format *format;
    const char *isa;            /* the instruction set it belongs to */
    const char *space;          /* "mmio"; "sq" (indirect, ix registers), "arf", "word" */
    uint64_t reset, reset_mask; /* value after a reset, and the bits of it that are known */
    const char *array;          /* "CB_COLOR[0-7]_INFO" and the index in it; NULL: no array */
    unsigned index;
    const char *note; /* where sources disagree, or NULL */
};
#define GPUDBG_NOWHERE UINT64_MAX

/* The bits of a field, without the scale. The word is at `bytes` (little endian) and starts at bit `bit` of them. */
GPUDBG_PUBLIC uint64_t gpudbg_bits(const uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run);
/* The name of a value of an enumeration, or NULL. */
GPUDBG_PUBLIC const char *gpudbg_enum_name(const struct gpudbg_enum *, uint64_t value);
/* Writes the meaning of `value` in words, as the field pane and JSON show it. It is empty only if there is nothing to
 * say. */
GPUDBG_PUBLIC int gpudbg_field_meaning(
    const struct gpudbg_field *, const struct gpudbg_insn *, uint64_t value, char *buf, size_t size);

/* ---- Registers ---- */

/* The register databases are share/registers/ and the user's own files, read when first needed. `isa` NULL means any
 * instruction set. All functions return NULL for what no database contains. What they return lives as long as the
 * databases. */
/* The databases of a session. They live as long as the session. */
GPUDBG_PUBLIC struct regdb *gpudbg_session_databases(struct gpudbg *);
/* By name, as manuals, drivers and logs write it: any case; mm, ix, reg or R_00XXXX_ in front; "CB_COLOR_INFO[3]". */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_named(struct regdb *, const char *isa, const char *name);
/* By byte address in a space. If several words share the address, the first one in its database. */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_at(struct regdb *, const char *isa, const char *space, uint64_t addr);
/* An enumeration by its name. "REG.FIELD" names the values that belong to one field only. */
GPUDBG_PUBLIC const struct gpudbg_enum *gpudbg_enum_named(struct regdb *, const char *isa, const char *name);

#ifdef __cplusplus
}
#endif
#endif
