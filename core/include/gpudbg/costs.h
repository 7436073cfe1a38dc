/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costs.h: what execution costs, by a stated model.  A model is a table of rules, each with a number, a sentence and
 * its source; the user changes the numbers (`set model`).  Core multiplies them by what a run executed, and names the
 * rule beside each result.  Nothing here is measured.
 */
#ifndef GPUDBG_PUBLIC_COSTS_H
#define GPUDBG_PUBLIC_COSTS_H

#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The unit that an instruction is given to. */
enum gpudbg_work {
    GPUDBG_WORK_SCALAR,
    GPUDBG_WORK_VECTOR,
    GPUDBG_WORK_CONSTANT, /* memory, once for the wave */
    GPUDBG_WORK_MEMORY,   /* memory, by lane */
    GPUDBG_WORK_LOCAL,    /* memory of the group */
    GPUDBG_WORK_EXPORT,   /* other units */
    GPUDBG_WORK_BRANCH,
    GPUDBG_WORK_WAIT, /* waits and barriers */
    GPUDBG_WORK_OTHER,
    GPUDBG_WORKS
};

struct gpudbg_cost {
    uint8_t work;   /* enum gpudbg_work */
    uint8_t rule;   /* index in gpudbg_costing.rules */
    uint16_t times; /* the rule's number counts so often */
};

/* A rule of the model.  Some names have a meaning for core: see enum gpudbg_rule. */
struct gpudbg_cost_rule {
    const char *name; /* for `set model NAME`; NULL ends the table */
    uint32_t value;   /* the number, unless the user sets another */
    const char *doc, *source;
};

/* The first rules of every table, in this order. */
enum gpudbg_rule {
    GPUDBG_RULE_BANKS,      /* of the group's memory; 0: conflicts are not counted */
    GPUDBG_RULE_BANK_BYTES, /* neighbouring bytes of one bank */
    GPUDBG_RULE_BANK_LANES, /* lanes that access it at once */
    GPUDBG_RULE_LINE_BYTES, /* of a cache line */
    GPUDBG_RULE_LATENCY,    /* cycles from a memory access to its result; 0: waits are not estimated */
    GPUDBG_RULE_LOCAL_LATENCY,
    GPUDBG_RULES /* the instruction set's own */
};

/* A part of the machine that waves share. */
struct gpudbg_limit {
    const char *name; /* "lds" */
    uint32_t takes;   /* a wave or a group takes so much */
    uint32_t less;    /* so much less would give one more wave; 0: no amount would */
    unsigned allows;  /* waves */
};
#define GPUDBG_LIMITS 6

struct gpudbg_occupancy {
    unsigned waves, most; /* of a SIMD or an EU: that fit, that it has room for */
    uint32_t group;       /* work-items of the groups; 0: not known */
    unsigned nlimits;
    struct gpudbg_limit limit[GPUDBG_LIMITS];
};

struct gpudbg_costing {
    const struct gpudbg_cost_rule *rules; /* NULL: there is no model; cost only says the unit */
    void (*cost)(const struct gpudbg_insn *, struct gpudbg_cost *);
    /* How many waves of a kernel fit at once, in groups of that many work-items (0: as the
     * file says, or what is usual).  false: the file
     * does not say what it takes.  NULL: it is not known how waves share this machine. */
    bool (*occupancy)(
        const struct gpudbg_isa *, const struct gpudbg_kernel *, uint32_t group, struct gpudbg_occupancy *);
    const char *vector, *scalar; /* facts of kernels: the registers that one takes; NULL: there is none */
    const char *spilled[2];      /* ... that its compiler spilled */
    /* What an instruction of any kind waits for before it runs: its text, like snprintf; 0: nothing.  NULL:
     * instructions of their own wait (GPUDBG_WORK_WAIT), and their texts say for what. */
    int (*waits)(const struct gpudbg_insn *, char *buf, size_t size);
};

/* The number of a kernel's fact; false: it has none of that name. */
static inline bool gpudbg_kernel_number(const struct gpudbg_kernel *k, const char *key, uint32_t *value)
{
    for (size_t i = 0; i < k->nfacts; i++) {
        const char *a = k->facts[i].key, *b = key;
        while (*a && *a == *b) a++, b++;
        if (*a || *b || k->facts[i].text) continue;
        *value = (uint32_t)k->facts[i].value;
        return true;
    }
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
