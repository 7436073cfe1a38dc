/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesa_log.h: lines of what Mesa's drivers for Intel print with INTEL_DEBUG: instructions, headings, names of chips. */
#ifndef MESA_LOG_H
#define MESA_LOG_H

#include "gen.h"

#define MESA_LONG 16u   /* bytes of an instruction */
#define MESA_TEXT 2000u /* characters of one */

struct mesa_line {
    const char *text; /* in the file, after leading blanks */
    size_t n;         /* at most 4096 are read */
    uint32_t number;  /* from 1 on */
};
bool mesa_next_line(const uint8_t *b, size_t n, size_t *at, struct mesa_line *);
bool mesa_starts(const struct mesa_line *, const char *what);

/* Bytes at the start of a line, 8 or 16 of them in pairs of digits; *rest: the text after them.  0: another line. */
unsigned mesa_bytes(const struct mesa_line *, uint8_t bytes[MESA_LONG], struct mesa_line *rest);
/* An instruction begins: a name of an instruction, and the number of channels in brackets. */
bool mesa_is_instruction(const struct mesa_line *);
bool mesa_is_label(const struct mesa_line *); /* LABEL0: */
/* Its name, after the predicate: "mov". */
void mesa_name(const char *text, size_t n, char *name, size_t size);
/* The length of the instruction at the line, to its semicolon, which is in one of four lines. */
size_t mesa_statement(const uint8_t *b, size_t size, const struct mesa_line *);
bool mesa_is_compacted(const char *text, size_t n); /* its options say so */
bool mesa_has_number(const char *text, size_t n);   /* of a send: the descriptor precedes its words */

const char *mesa_stage(const struct mesa_line *);   /* "fs"; of a heading */
unsigned mesa_width(const struct mesa_line *);      /* SIMD8, or 8-wide; 0: the line does not say it */
const char *mesa_heading(const struct mesa_line *); /* "NIR": begins text that is not native code; NULL */
bool mesa_is_nir_heading(const struct mesa_line *);

/* The chip that the log names. */
struct mesa_chip {
    const char *name, *generation; /* NULL: none */
    const struct gpudbg_isa *isa;  /* NULL: its code is not read */
    uint32_t line;
};
void mesa_chip_of_line(struct mesa_chip *, const struct mesa_line *);

/* The skipped text: the number of sections of each kind, and their lines. */
#define MESA_KINDS 8
struct mesa_skipped {
    const char *open;
    uint32_t from;
    struct {
        const char *name;
        uint32_t sections, lines;
    } kind[MESA_KINDS];
};
void mesa_skip(struct mesa_skipped *, const char *kind, uint32_t line); /* kind NULL: native code begins */
bool mesa_say_skipped(const struct mesa_skipped *, char *buf, size_t size);

#endif
