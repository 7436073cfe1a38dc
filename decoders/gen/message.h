/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.h: what the descriptors of sends ask for. */
#ifndef GEN_MESSAGE_H
#define GEN_MESSAGE_H

#include "gen.h"

enum { GEN_MESSAGES_MAX = 128 };
/* The layout of the descriptor of a message, 32 bits; never NULL. */
const struct gpudbg_format *gen_message_format(const struct gen_insn *);

#endif
