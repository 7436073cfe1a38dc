/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesa_message.h: descriptors of messages in the words of Mesa's disassembler, both ways; see mesa_messages.def. */
#ifndef MESA_MESSAGE_H
#define MESA_MESSAGE_H

#include "text/gen_assembly.h"

/* The word for a shared function; NULL: Mesa has no word. */
const char *mesa_sfid_name(const struct gen_eu *, unsigned sfid);
/* The shared function whose word is at *at, after blanks; *at moves after the word.  -1: no such word. */
int mesa_read_sfid(const char **at);

/* " sample SIMD8 Surface = 1 Sampler = 0": the text after "MsgDesc:", before the lengths. */
char *mesa_put_message(char *p, const struct gen_insn *);

/* A message as it was read. */
struct mesa_words {
    bool known;                      /* a form fits the words */
    uint32_t value, mask;            /* bits of the descriptor that the words give */
    bool has_mlen, has_rlen, has_ex; /* "mlen 4", "rlen 0", "ex_mlen 2" */
    unsigned mlen, rlen, ex_mlen;
    const char *at; /* the first word */
};
/* Reads the words in the n characters at text.  false: neither a form nor the lengths were found. */
bool mesa_read_message(const struct gen_eu *, unsigned sfid, const char *text, size_t n, struct mesa_words *);
/* Guesses from the descriptor whether a message of e1 has a header, which Mesa's words do not give. */
bool mesa_guess_header(unsigned sfid, uint32_t desc);

#endif
