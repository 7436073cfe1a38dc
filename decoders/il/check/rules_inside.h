/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_inside.h: what the parts of the check share: il_rules.c (the walk, tokens), rules_block.c, rules_declare.c,
 * rules_warn.c. */
#ifndef IL_RULES_INSIDE_H
#define IL_RULES_INSIDE_H

#include "check/il_rules.h"

enum il_rule {
#define RULE(id, name, source, doc) IL_RULE_##id,
#include "check/rules.def"
#undef RULE
    IL_RULE_COUNT
};

struct il_block {
    uint32_t at;   /* token of the opener */
    uint16_t code; /* its opcode */
    bool has_else, has_default, returned;
};

/* Labels and who names them, sorted at the end. */
struct il_label {
    uint32_t label, at;
};
struct il_labels {
    struct il_label *item;
    size_t n, room;
};

#define IL_SET 65536 /* numbers that are remembered; larger ones are not checked */
typedef uint8_t il_set[IL_SET / 8];

static inline bool il_has(const il_set set, uint32_t n) { return n >= IL_SET || set[n / 8] >> n % 8 & 1; }

/* Adds n; returns whether the set had it already. */
static inline bool il_add(il_set set, uint32_t n)
{
    if (n >= IL_SET) return false;
    bool had = set[n / 8] >> n % 8 & 1;
    set[n / 8] |= (uint8_t)(1u << n % 8);
    return had;
}

/* Features of shader model 3 that real programs of model 4 use, too. */
enum il_tolerated { IL_TOLERATED_NOT = -1, IL_TOLERATED_TRANSPOSE, IL_TOLERATED_DET, IL_TOLERATED_DEF };

enum il_kind { IL_RAW = 1, IL_STRUCT = 2, IL_TYPED = 4, IL_ARENA = 8 }; /* bits: what a buffer is declared as */

struct il_rules {
    const uint8_t *raw;
    size_t n; /* bytes */
    il_finding_fn *each;
    void *to;
    bool enough;
    uint32_t packet; /* first token of the current packet */
    uint32_t version;
    bool has_version, ended, main_ended, has_func;
    bool macro; /* inside mdef */
    uint32_t macro_now, macro_in, macro_out;
    uint32_t macro_arguments[1 << 14]; /* of each macro: the token of its mdef */
    struct il_block *block;
    size_t nblock, room;
    uint32_t open[8]; /* how many blocks of each kind are open */
    struct il_labels funcs, calls;
    /* Declared. */
    il_set literal, array, cb, resource, uav, srv, lds, gds, macro_number, vertex, interpolator[6], pixin, vtxout,
        stage, constant[3];
    bool icb;
    uint8_t uav_kind[1 << 14], srv_kind[1 << 14]; /* enum il_kind of each declared one */
    uint32_t array_total, lds_total, gds_total;
    /* Things met, for rules about the whole program: token of the first, plus 1. */
    uint32_t tolerated[3]; /* by enum il_tolerated; all ones: it was noted */
    uint32_t model3, model4, owned_lds, free_lds, plain_emit, stream_emit, scatter, uses_uav, group_size, group_most;
    uint32_t dclpi, dclpin, dcl_input, wrote_output, wrote_position, gs[3], fence_threads;
};

/* Reports a fault at `token`. */
void il_error(struct il_rules *, uint32_t token, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(4, 5);
void il_warn(struct il_rules *, uint32_t token, enum il_rule, const char *fmt, ...) GPUDBG_PRINTF(4, 5);

/* Notes a difference from the manual that is not an error. */
void il_note(struct il_rules *, uint32_t token, enum il_rule, const char *fmt, ...) GPUDBG_PRINTF(4, 5);

/* The parts: each is shown every packet, in order. */
void il_rules_block(struct il_rules *, const struct il_packet *);
void il_rules_declare(struct il_rules *, const struct il_packet *);
void il_rules_warn(struct il_rules *, const struct il_packet *);
/* ... and the end. */
void il_rules_block_end(struct il_rules *);
void il_rules_labels(struct il_rules *);
void il_rules_warn_end(struct il_rules *);

#endif
