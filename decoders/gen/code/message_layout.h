/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_layout.h: the contents of the registers of a message's payload and of its answer. */
#ifndef GEN_MESSAGE_LAYOUT_H
#define GEN_MESSAGE_LAYOUT_H

#include "gen.h"

enum gen_piece_kind {
    GEN_PIECE_PLAIN,   /* dwords that do not belong to channels: headers, blocks */
    GEN_PIECE_DWORDS,  /* a dword for each channel, eight a register */
    GEN_PIECE_QWORDS,  /* 64 bits for each channel, four a register */
    GEN_PIECE_WORDS,   /* the low word of a dword for each channel */
    GEN_PIECE_PAIR,    /* dwords 0 and 4: one for each of two vertices or blocks */
    GEN_PIECE_VECTORS, /* four dwords for each of two vertices or blocks */
};

struct gen_piece {
    const char *what, *note; /* "addresses"; a further remark, or "" */
    uint8_t kind;            /* enum gen_piece_kind */
    uint8_t lanes;           /* channels of the message, from the instruction's first on */
    uint8_t at, count;       /* registers, from the first of the payload or the answer */
    uint8_t acts; /* of a register that does not belong to channels: a bit for each dword that is not ignored */
    bool answer;
};

#define GEN_PIECES 32
/* The pieces of a message whose descriptor is known, in order, payload first; together they cover all its registers.
 * Returns how many. */
unsigned gen_message_pieces(const struct gen_insn *, struct gen_piece piece[GEN_PIECES]);

#endif
