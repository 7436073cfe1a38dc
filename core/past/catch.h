/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * catch.h: what `catch` waits for: a new NaN, diverging lanes, a barrier, an event.
 *
 * Barriers, events and faults end a run of the machine by themselves.  The others are looked for at the instructions
 * that can do them, before and after each: no other instruction runs slower.
 */
#ifndef GPUDBG_CATCH_H
#define GPUDBG_CATCH_H

#include "eval/eval.h"
#include "machine/machine.h"

enum catch_kind {
    CATCH_NAN, /* an instruction computes a NaN from operands that are not, */
    CATCH_INF,
    CATCH_DENORMAL,
    CATCH_DIVERGENCE, /* some of the lanes that ran no longer do, others do */
    CATCH_BARRIER,
    CATCH_FAULT,
    CATCH_EVENT,
    CATCH_EMPTY, /* no lane runs any more */
    CATCH_MESSAGE,
    CATCH_KINDS
};

/* A float that an instruction computes: in wave->words. */
struct catch_result {
    uint32_t at; /* dword; of 64 bits the lower one, and `high` is the other */
    uint32_t high;
    uint8_t bits, shift;
    int8_t lane; /* -1: no lane in particular */
    uint8_t file;
    uint16_t reg;
};

struct catching_state {
    enum catch_kind kind;
    uint64_t pc;              /* of the instruction that is met, or was met last */
    uint64_t active;          /* lanes that ran before it */
    uint64_t had;             /* lanes in which an operand has the property already */
    uint64_t lanes;           /* that the hit is about; 0: no lanes in particular */
    char name[64], value[40]; /* of the first of them: "$v3[5]", "nan"; "" : none */
    struct catch_result *result;
    size_t n, room;
};

extern const char *const catch_words[CATCH_KINDS];
bool catch_named(const char *word, enum catch_kind *, struct gpudbg_error *);
/* Fails, with the reason, if the instruction set has no such event. */
bool catch_applies(const struct gpudbg_isa *, enum catch_kind, struct gpudbg_error *);
void catch_arm(struct gpudbg_machine *, enum catch_kind, int number, bool on);
/* Traces the instructions at which lanes may stop or begin to run. */
void catch_trace_lanes(struct gpudbg_machine *, int number);
void catch_free(struct catching_state *);

/* Before an instruction that is traced: whether catch_happened is to be asked after it. */
bool catch_may(struct catching_state *, struct gpudbg_wave *);
/* After it, or after what ended the run: whether it happened. */
bool catch_happened(struct catching_state *, struct gpudbg_wave *);

#endif
