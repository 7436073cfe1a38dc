/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.h: the inside of assemble.h: an instruction of the text, between its mnemonic and its tokens. */
#ifndef IL_PARSE_H
#define IL_PARSE_H

#include "code/assemble.h"

/* An instruction that is being read: its tokens are appended when all controls are known, in their order. */
struct il_text_packet {
    const char *at; /* the mnemonic */
    const struct gpudbg_op *op;
    const struct il_op *row;
    uint32_t code, pri, sec, pixtex, aoffimmi, extra[2];
    bool has_pri, has_sec, has_aoffimmi, has_usage, has_sharing;
    bool prefixed;
    uint32_t precise, result;            /* result: bits of the destination's modifier */
    const struct gpudbg_field *said[24]; /* fields that the mnemonic has given so far */
    unsigned nsaid;
    uint32_t flags; /* other controls given so far: a bit an enum control */
};

/* The opcode whose name is longest among those that the text at p begins with; NULL: none.  *length: of the name. */
const struct gpudbg_op *il_find_op(const char *p, size_t *length);
/* Whether a name or a control may end before this character. */
bool il_name_ends(char);

/* parse_control.c: what the mnemonic says behind the opcode's name; and the controls that are written like operands. */
bool il_parse_controls(struct il_parser *, struct il_text_packet *, const char **p);
bool il_parse_arguments(struct il_parser *, struct il_text_packet *, const char **p);
void il_set_field(uint32_t *bits, const struct gpudbg_field *, uint32_t value);

/* parse_packet.c: operands and what follows them; appends all tokens. */
bool il_parse_packet(struct il_parser *, struct il_text_packet *, const char *p);

#endif
