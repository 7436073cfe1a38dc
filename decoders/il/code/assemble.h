/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assemble.h: IL text to tokens.  Manual: AMD IL 2.4, chapter 3.
 *
 * One instruction a line.  Where a line end is missing directly behind a register or its swizzle ("r8.yitof r8.y"), as
 * happens in strings that a program puts together, the next instruction begins all the same.
 *
 * Comments: from ; or // to the end of the line, between slash-star and star-slash, and lines that begin with #.
 * Mnemonics and names may be in any case.  A comma between operands may be missing.
 *
 * Tokens can hold more than the spellings can say.  The rest follows the text in an annotation, which other readers
 * take for a comment (exact.c writes it where it is needed):
 *
 *     mov r0, r1_abs ;! 0x00000047 0x00040000 0x00440001 0x01103210     these tokens, whatever the text says
 *     mov r0, v1 ;! vertex                                              v# is of type VERTEX here; likewise input.
 *                                                                       Behind dclv and initv: they say
 *                                                                       nothing about other lines
 *     ; a remark ;! 0x0001000f 0x00000001 0x216f6c48                    a comment packet
 *     ;! .long 0x00000294                                               tokens that are no instruction
 *
 * Stages: source.c (characters, numbers, annotations), parse.c (lines), parse_control.c (mnemonics), parse_packet.c and
 * parse_operand.c (operands).
 */
#ifndef IL_ASSEMBLE_H
#define IL_ASSEMBLE_H

#include "il.h"

/* Where in the text a token comes from, from 1. */
struct il_place {
    uint32_t line, column;
    bool verbatim; /* given as a number, which is not checked */
    bool joined;   /* the first of an instruction that no line end parts from the one before it */
};

struct il_program {
    uint32_t *token;
    struct il_place *place; /* one a token */
    size_t n, room;
    uint32_t lines; /* of text */
};

/* Assembles `size` bytes of text.  Errors here are those that one line shows (kinds of the command-line contract, with
 * line and column); il_rules.h checks the rest.  On failure the program is empty. */
bool il_assemble(const char *text, size_t size, struct il_program *, struct gpudbg_error *);
void il_program_free(struct il_program *);

/* Assembles one line as if it followed the version line; a version line gives language and version.
 * false: the line is wrong. */
bool il_assemble_line(const char *text, struct il_program *, struct gpudbg_error *);

/* ---- Inside ---- */

#define IL_VERTICES 1024 /* v# whose declarations are remembered */

/* A line under way. */
struct il_parser {
    struct il_program *to;
    char *line; /* the current line, comments blanked, NUL-terminated */
    uint32_t number;
    struct gpudbg_error *err;
    bool has_version, ended;
    uint8_t v_type;                 /* what an annotation says of v# in this line, or 0 */
    bool verbatim;                  /* tokens are given as numbers */
    const char *joined;             /* where the line's next instruction begins, without a line end; or NULL */
    bool any_vertex;                /* dclv or initv was met */
    uint8_t input[IL_VERTICES / 8]; /* v# that dcl_input named */
    uint32_t language;
    uint32_t sharing;                  /* mode of dcl_lds_sharing_mode */
    unsigned macro;                    /* depth of mdef */
    uint32_t macro_arguments[1 << 14]; /* of each macro: the token of its mdef + 1, or 0 */
};

bool il_parse_line(struct il_parser *);
/* Does the name of an instruction stand at p? */
bool il_names_op(const char *p);
/* The annotation in the current line, or NULL. */
char *il_annotation(const struct il_parser *);
/* Reads tokens of an annotation: appends them and returns how many.  `at`: behind the mark; blamed for trouble.  -1: it
 * fails. */
long il_parse_tokens(struct il_parser *, const char *at);

/* Fails at `at`, a place in the current line. */
bool il_parse_fail(struct il_parser *, const char *at, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(4, 5);
/* Appends a token that comes from `at`. */
bool il_emit(struct il_parser *, const char *at, uint32_t token);

/* Passes over blanks; over blanks, one comma and blanks. */
const char *il_blanks(const char *p);
const char *il_comma(const char *p);
/* Length of the name (letters, digits, underscores) at p. */
size_t il_word_length(const char *p);
bool il_same(const char *a, size_t n, const char *b); /* n characters of a are b, in any case */
/* The value called by n characters; -1: none. */
int64_t il_enum_value(const struct gpudbg_enum *, const char *name, size_t n);

enum il_number_kind {
    IL_UNSIGNED,
    IL_RAW_INTEGER,
    IL_RAW_FLOAT
}; /* what a plain "1" is: a count, the bits of 1, of 1.0f */
/* Reads a number at *p and passes over it; hex is always raw bits. */
bool il_number(struct il_parser *, const char **p, enum il_number_kind, uint32_t *value);

/* Reads an operand and appends its tokens.  result: modifier bits of the whole instruction (clamp, scale) for a
 * destination, else 0. */
bool il_parse_operand(struct il_parser *, const char **p, bool is_dst, uint32_t result);

#endif
