/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.h: what the descriptors of sends ask for. */
#ifndef GEN_MESSAGE_H
#define GEN_MESSAGE_H

#include "gen.h"

enum gen_descriptor {
#define FORMAT(layout, word, at, bits, doc) GEN_##layout,
#define FIELD(layout, name, at, range, how, doc)
#define END
#define MESSAGE(gens, sfid, mask, match, layout, does, text)
#include "code/messages.def"
#undef FORMAT
#undef FIELD
#undef END
#undef MESSAGE
    GEN_DESCRIPTORS
};
extern const struct gpudbg_format gen_descriptors[GEN_DESCRIPTORS];

struct gen_request {
    struct gen_span in;
    uint8_t sfid;
    uint32_t mask, match;
    const struct gpudbg_format *format; /* 32 bits */
    uint32_t does;                      /* enum gpudbg_op_flags: LOAD, STORE, both (an atomic) or neither */
    const char *name;
};
/* The message that a descriptor asks of a shared function; NULL: none is known. */
const struct gen_request *gen_request_of(const struct gen_eu *, unsigned sfid, uint32_t desc);
/* Whether a message of the function has a field of that name in its descriptor. */
bool gen_function_has(const struct gen_eu *, unsigned sfid, const char *field);
/* Its `does`, with COPY for an atomic that stores its operand whatever memory held; 0 for an unknown one. */
uint32_t gen_message_does(const struct gen_eu *, unsigned sfid, uint32_t desc);
/* The layout of its descriptor; never NULL. */
const struct gpudbg_format *gen_descriptor_format(const struct gen_eu *, unsigned sfid, uint32_t desc);

#endif
