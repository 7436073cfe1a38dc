/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watched.h: a program that a fuzzer has launched runs under the eyes of checkers, catchpoints, watchpoints, profiles
 * and exceptions, and at each stop questions are asked about registers of any number, most of which it lacks.
 *
 * A question changes nothing: the machine's hash is the same before and after it.
 */
#ifndef WATCHED_H
#define WATCHED_H

#include <stdio.h>

#include "program.h"

/* What is switched on, a bit each of the fuzzer's choice; then how to go on; then questions.  %u: a register's number.
 */
static const char *const watched_on[] = {"check all on", "catch nan", "catch denormal", "catch divergence",
    "catch barrier", "catch exec==0", "set profile on", "catch event", NULL};
static const char *const watched_moves[] = {"stepi 60", "stepi 7", "goto 90", "reverse-stepi 3", "stepi 2", "goto 40",
    "reverse-continue", "wave 1", "wave 0", NULL};

struct watched {
    const char *const *questions; /* of this instruction set; NULL ends them */
    unsigned few;                 /* registers that the launch has; questions are about these and the next ones */
};

static void watched_execute(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    gpudbg_execute(g, line, out, &err);
    out_close(out);
}

static void watched_ask(struct gpudbg *g, const struct watched *what, uint64_t choice)
{
    const unsigned near[] = {0, 1, what->few - 1, what->few, what->few + 1, 127, 128, 254, 255, 256, 65535};
    unsigned n = 0;
    char line[200];
    while (what->questions[n]) n++;
    snprintf(line, sizeof line, what->questions[choice % n], near[(choice >> 8) % (sizeof near / sizeof *near)]);
    struct gpudbg_machine *m = gpudbg_session_machine(g);
    const uint64_t before = machine_hash(m), position = machine_position(m);
    watched_execute(g, line);
    if (gpudbg_session_machine(g) != m || machine_position(m) != position || machine_hash(m) != before) {
        fprintf(stderr, "watched: `%s` changed the machine\n", line);
        abort();
    }
}

static inline void watched_run(struct gpudbg *g, const struct watched *what, struct input *in)
{
    const uint64_t on = input_take(in, 1);
    for (unsigned i = 0; watched_on[i]; i++)
        if (on >> i & 1) watched_execute(g, watched_on[i]);
    watched_execute(g, "set threads 1");
    for (unsigned moves = 0; moves < 6 && gpudbg_session_machine(g); moves++) {
        const uint64_t choice = input_take(in, 1), first = input_take(in, 2), second = input_take(in, 2);
        const unsigned n = sizeof watched_moves / sizeof *watched_moves - 1;
        watched_execute(g, watched_moves[moves ? choice % n : 0]);
        watched_ask(g, what, first);
        watched_ask(g, what, second);
        struct gpudbg_machine *m = gpudbg_session_machine(g);
        const struct gpudbg_stop stop = m->stop;
        uint64_t after;
        if (stop.reason == GPUDBG_STOP_FAULT && machine_position(m) == machine_recorded(m) &&
            program_after(m, stop.pc, &after))
            machine_set_pc(m, stop.wave, after, &(struct gpudbg_error){0});
    }
    watched_execute(g, "check all off");
    watched_execute(g, "set profile off");
    watched_execute(g, "delete");
}

#endif
