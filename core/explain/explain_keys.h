/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_keys.h: what keys of rules stand for; for core/explain only: explain_keys.c, _fields.c, _insn.c, _sentence.c.
 */
#ifndef GPUDBG_EXPLAIN_KEYS_H
#define GPUDBG_EXPLAIN_KEYS_H

#include "explain/explain.h"
#include "explain/explain_rules.h"

#define CODE_BYTES 256

/* What a rule is being applied to. */
struct context {
    const struct explain_options *options;
    const struct gpudbg_dump *d;
    const struct rules *rules;
    const struct explain_count *counts; /* of words in captures */
    size_t ncounts;
    uint32_t capture;
    const char *family, *chip;
    bool known; /* there are an instruction set and registers of the family */
    const struct rule *rule;
    /* The subject: one of these. */
    const struct gpudbg_incident *incident;
    const struct gpudbg_incident *placed; /* an incident, and the first record that is not before its lines */
    size_t first_record;
    const struct gpudbg_record *record;
    const struct gpudbg_reg *reg; /* of the record, or NULL */
    const struct gpudbg_dump_wave *wave;
    const struct gpudbg_dump_note *note;
    const struct gpudbg_stream *stream;
    size_t stream_index;
    struct buffers *buffers; /* of the capture, by where they start; NULL: not looked for yet */
    unsigned looks;          /* how often an instruction was looked for behind a register of this capture */
    /* An instruction that goes with it: a wave's, a stream's next one, the one a register's value points at. */
    struct gpudbg_insn insn;
    uint8_t code[CODE_BYTES];
    bool has_insn, decodable;         /* decodable: there is an instruction set for such words */
    bool in_ring;                     /* the record points into its engine's ring, by the offset where that is read */
    bool ring_empty;                  /* ... and nothing is left to be read there */
    char insn_text[256], before[256]; /* its text; names of those before it */
    char place[128];                  /* where it is, in words */
    struct finding finding;           /* evidence is collected here */
};

/* How many incidents, notes and streams of a word a capture has; "registers", "waves", "busy", "status" count too. */
struct explain_count {
    uint32_t capture;
    const char *word;
    uint64_t n;
    uint32_t line; /* of the first */
};

struct key_value {
    bool is_text;
    uint64_t n;
    char text[256];
    const struct gpudbg_field *field; /* whose bits n are, or NULL */
};

/* false: there is nothing of that name here. */
bool key_value(struct context *, const char *key, struct key_value *);
bool condition_holds(struct context *, const struct condition *);
/* The rule's sentence; false: it uses a key that is not there. */
bool sentence(struct context *, char *buf, size_t size);
/* The four ASCII letters in a value, those that can be printed; buf: 5 bytes. */
void key_letters(uint64_t, char *buf);
/* The number in hex, with 0x in front; buf: KEY_HEX bytes. */
#define KEY_HEX 19
void key_hex(uint64_t, char *buf);
/* The field's bits of a register's value. */
uint64_t key_field_bits(const struct gpudbg_field *, uint64_t value);
/* Fields that are busy, idle or set; how many. */
enum listed { LIST_BUSY, LIST_IDLE, LIST_SET };
unsigned list_fields(const struct gpudbg_reg *, uint64_t value, uint64_t mask, enum listed, char *buf, size_t size);
void add_evidence(struct context *, const char *name, uint32_t line);
/* Frees what was made for the capture. */
void context_end(struct context *);
/* Decodes what goes with the subject. */
void take_instruction(struct context *);

/* ---- explain_range.c ---- */

/* Of a rule with a range: the finding's pages, and its text with FINDING_RANGE for them in `shape`. */
void range_of(struct context *, char *shape, size_t size);
/* Whether a finding's pages are neighbours of the other's; it has them then. */
bool range_takes(struct finding *to, const struct finding *);
/* Findings of the capture, the last ones of n, whose ranges have come near to one another become one; how many are
 * gone. */
size_t range_join(struct finding *, size_t n, uint32_t capture);

#endif
