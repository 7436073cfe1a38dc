/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log.c: a plug-in whose checker `log` writes what a launch does to the file that MUTANTS_LOG names, and reports
 * nothing.  Each line is a letter and numbers: what runs, `l PC LANES` at the end, the lanes that ran it at any time;
 * barriers, `b WAVE GROUP PC`; loads, stores and atomics, `a WAVE GROUP PC KIND SPACE ADDRESS SIZE`; their instructions
 * and those that wait, `i WAVE GROUP PC`.  WaitModel.pm and Mutants.pm read it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "gpudbg.h"

struct line {
    uint64_t pc, lanes;
};

struct log {
    FILE *to;
    const struct gpudbg_machine *machine;
    struct line *line;
    size_t nlines;
    uint64_t pc; /* of the instruction that runs */
    bool atomic;
};

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    (void)checks;
    const char *name = getenv("MUTANTS_LOG");
    struct log *log = calloc(1, sizeof *log);
    if (!log || !name || !(log->to = fopen(name, "w"))) abort();
    log->machine = m;
    return log;
}

static void end(void *state)
{
    struct log *log = state;
    for (size_t i = 0; i < log->nlines; i++)
        fprintf(log->to, "l %" PRIu64 " %" PRIu64 "\n", log->line[i].pc, log->line[i].lanes);
    fclose(log->to);
    free(log->line);
    free(log);
}

static struct line *line_at(struct log *log, uint64_t pc)
{
    for (size_t i = 0; i < log->nlines; i++)
        if (log->line[i].pc == pc) return &log->line[i];
    log->line = realloc(log->line, (log->nlines + 1) * sizeof *log->line);
    if (!log->line) abort();
    log->line[log->nlines] = (struct line){.pc = pc};
    return &log->line[log->nlines++];
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint32_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct log *log = state;
    const uint64_t does = gpudbg_insn_does(insn);
    log->pc = w->pc;
    log->atomic = (does & both) == both;
    if (does & (both | GPUDBG_OP_WAIT)) fprintf(log->to, "i %u %u %" PRIu64 "\n", w->id, w->group, log->pc);
    line_at(log, w->pc)->lanes |= w->machine->isa->run->active(w);
}

static void access_memory(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    const struct log *log = state;
    if (a->space != GPUDBG_GLOBAL && a->space != GPUDBG_LOCAL) return;
    const char kind = log->atomic ? 'a' : a->write ? 's' : 'l';
    fprintf(log->to, "a %u %u %" PRIu64 " %c %u %" PRIu64 " %" PRIu64 "\n", w->id, w->group, log->pc, kind, a->space,
        a->addr, a->size);
}

static void barrier(void *state, struct gpudbg_wave *w)
{
    const struct log *log = state;
    fprintf(log->to, "b %u %u %" PRIu64 "\n", w->id, w->group, log->pc);
}

static const struct gpudbg_checker log_checker = {
    .kind = "log",
    .summary = "writes what a launch does to a file",
    .start = begin,
    .stop = end,
    .before = before,
    .access = access_memory,
    .barrier = barrier,
};

static const struct gpudbg_checker *const checkers[] = {&log_checker, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "log",
    .version = "1",
    .summary = "writes what a launch does to a file",
    .checkers = checkers,
};
