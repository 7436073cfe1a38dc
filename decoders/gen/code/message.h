/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.h: the messages that descriptors of sends ask for. */
#ifndef GEN_MESSAGE_H
#define GEN_MESSAGE_H

#include "gen.h"

enum gen_descriptor {
#define FORMAT(layout, word, at, bits, doc) GEN_##layout,
#define FIELD(layout, name, at, range, how, doc)
#define END
#define MESSAGE(...)
#define WORD(...)
#include "code/messages.def"
#undef FORMAT
#undef FIELD
#undef END
#undef MESSAGE
#undef WORD
    GEN_DESCRIPTORS
};
extern const struct gpudbg_format gen_descriptors[GEN_DESCRIPTORS];

/* The part of message/ that serves a message. */
enum gen_run {
    GEN_RUN_NOTHING, /* not implemented */
    GEN_RUN_SAMPLER,
    GEN_RUN_BARRIER,
    GEN_RUN_URB,
    GEN_RUN_END,
    GEN_RUN_OWORD_BLOCK,
    GEN_RUN_OWORD_UNALIGNED,
    GEN_RUN_OWORD_DUAL,
    GEN_RUN_DWORD_SCATTERED,
    GEN_RUN_QWORD_SCATTERED,
    GEN_RUN_BYTE_SCATTERED,
    GEN_RUN_UNTYPED,
    GEN_RUN_ATOMIC,
    GEN_RUN_ATOMIC_4X2,
    GEN_RUN_FENCE,
    GEN_RUN_SCRATCH,
    GEN_RUN_TYPED,
    GEN_RUN_TYPED_ATOMIC,
    GEN_RUN_RENDER_TARGET,
    GEN_RUN_A64_SCATTERED,
    GEN_RUN_A64_UNTYPED,
    GEN_RUN_A64_ATOMIC,
    GEN_RUN_A64_BLOCK,
    GEN_RUN_FLOAT_ATOMIC,
    GEN_RUN_A64_FLOAT_ATOMIC,
    GEN_RUN_ATOMIC_16,
    GEN_RUN_A64_ATOMIC_16,
    GEN_RUN_HALF_ATOMIC,
    GEN_RUN_A64_HALF_ATOMIC,
    GEN_RUN_TYPED_ATOMIC_4X2,
    GEN_RUN_MEDIA_BLOCK,
    GEN_RUN_LSC_MOVE,
    GEN_RUN_LSC_QUAD,
    GEN_RUN_LSC_ATOMIC,
    GEN_RUN_LSC_STRIDED,
    GEN_RUN_LSC_BLOCK,
};

struct gen_request {
    struct gen_span in;
    uint8_t sfid;
    uint32_t mask, match;
    const struct gpudbg_format *format; /* 32 bits */
    uint32_t does;                      /* enum gpudbg_op_flags: LOAD, STORE, both (an atomic) or neither */
    enum gen_run run;
    const char *const *parameters; /* of the sampler, ending with NULL; NULL: it has no parameters, or they are not
                                      known */
    const char *mesa, *name;       /* in Mesa's words, or NULL; in our words */
};
/* The message that a descriptor asks of a shared function; NULL: not known. */
const struct gen_request *gen_request_of(const struct gen_eu *, unsigned sfid, uint32_t desc);
/* Its place among the rows of messages.def, including rows of WORD. */
unsigned gen_request_row(const struct gen_request *);
/* Mesa's name of the function's message whose field from bit lo on has this value; NULL: Mesa has no name for it. */
const char *gen_mesa_word(const struct gen_eu *, unsigned sfid, unsigned lo, uint32_t value);
/* Whether any message of the function has a field of that name in its descriptor. */
bool gen_function_has(const struct gen_eu *, unsigned sfid, const char *field);
/* Its `does`, with COPY for an atomic that stores its operand whatever memory held; 0 for an unknown message. */
uint32_t gen_message_does(const struct gen_eu *, unsigned sfid, uint32_t desc);
/* Whether the message is one of LSC, whose descriptors have no header bit; and whether its memory is local. */
bool gen_is_lsc(const struct gen_eu *, unsigned sfid);
bool gen_is_local_message(const struct gen_insn *);
/* Whether it writes to or reads from a render target. */
bool gen_is_target(const struct gen_insn *);
/* The layout of its descriptor; never NULL. */
const struct gpudbg_format *gen_descriptor_format(const struct gen_eu *, unsigned sfid, uint32_t desc);

#endif
