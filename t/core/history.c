/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time, by random journeys: a state that is reached again must be the state that was there, whatever way it was
 * reached. What "the state" is, is a copy of every byte of it, compared by memcmp; the hash is held against the copy.
 */
#include "machine/hash.h"
#include "machine/machine_core.h"
#include "tap.h"
#include "toy_random.h"

/* ---- A copy of the whole state ---- */

struct state {
    uint64_t hash;
    uint64_t copy; /* hash_bytes would be circular: a plain sum of products, below */
    uint64_t executed;
};

/* A second, slower digest that shares nothing with machine_hash: FNV-1a over bytes in a fixed order. */
static uint64_t fnv(uint64_t h, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static struct state state_of(struct gpudbg_machine *m)
{
    struct state s = {.hash = machine_hash(m), .copy = UINT64_C(0xcbf29ce484222325)};
    for (size_t i = 0; i < m->space[GPUDBG_GLOBAL].count; i++)
        s.copy = fnv(s.copy, m->space[GPUDBG_GLOBAL].segment[i]->bytes, m->space[GPUDBG_GLOBAL].segment[i]->size);
    for (uint32_t id = 0; id < m->nwaves; id++) {
        struct machine_wave_info info;
        struct gpudbg_error err = {0};
        machine_wave_info(m, id, &info);
        uint64_t facts[] = {info.state, info.pc, info.executed};
        s.copy = fnv(s.copy, facts, sizeof facts);
        s.executed += info.executed;
        if (info.state != GPUDBG_READY && info.state != GPUDBG_AT_BARRIER) continue;
        struct gpudbg_wave *w = machine_wave(m, id, &err);
        s.copy = fnv(s.copy, w->words, m->wave_words * 4);
        if (w->lds) s.copy = fnv(s.copy, w->lds->bytes, w->lds->size);
    }
    return s;
}

/* ---- Journeys ---- */

#define MOST 60000 /* positions of a journey */

static struct state seen[MOST + 1];
static bool known[MOST + 1];
static unsigned compared, wrong, ended;

static void look(struct gpudbg_machine *m, const char *what)
{
    const uint64_t at = machine_position(m);
    if (at > MOST) return;
    const struct state now = state_of(m);
    if (now.executed != at && wrong++ < 5)
        note("%s: position %u, but %u executed", what, (unsigned)at, (unsigned)now.executed);
    if (known[at]) {
        compared++;
        if ((seen[at].hash != now.hash || seen[at].copy != now.copy) && wrong++ < 5)
            note("%s: position %u: hash %s, copy %s", what, (unsigned)at,
                seen[at].hash == now.hash ? "equal" : "differs", seen[at].copy == now.copy ? "equal" : "differs");
    }
    seen[at] = now;
    known[at] = true;
}

static void forget_after(uint64_t position)
{
    for (uint64_t i = position; i <= MOST; i++) known[i] = false;
}

static void random_edit(struct gpudbg_machine *m, uint32_t wave)
{
    struct gpudbg_error err = {0};
    uint32_t x = pick(1000000);
    const struct toy *t = m->runner;
    const bool done = pick(2) ? machine_set_register(m, wave, pick(2), pick(4), pick(2) ? 0 : 0, &x, 1, &err)
                              : machine_set_memory(
                                    m, wave, GPUDBG_GLOBAL, t->a->base + pick((uint32_t)t->a->size - 4), &x, 4, &err);
    if (done) forget_after(machine_position(m));
}

/* A sum over the registers that ended waves still have, and how many waves those are. */
static uint64_t left_behind(struct gpudbg_machine *m, unsigned *n)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint32_t id = 0; id < m->nwaves; id++) {
        struct machine_wave_info info;
        struct gpudbg_error err = {0};
        machine_wave_info(m, id, &info);
        struct gpudbg_wave *w = info.state == GPUDBG_ENDED ? machine_wave(m, id, &err) : NULL;
        if (!w) continue;
        sum = fnv(fnv(sum, &id, sizeof id), w->words, m->wave_words * 4);
        ++*n;
    }
    return sum;
}

/* A question goes to other places of recorded time: what can be seen of ended waves is the same after it. */
static void away_and_back(struct gpudbg_machine *m)
{
    const uint64_t now = machine_position(m);
    unsigned n = 0, still = 0;
    const uint64_t before = left_behind(m, &n);
    for (unsigned i = 0; i < 3; i++)
        toy_go(m, MACHINE_POSITION, false, 0, pick((uint32_t)machine_recorded(m) + 1), false);
    machine_come_back(m, now);
    const uint64_t after = left_behind(m, &still);
    ended += n;
    if ((n != still || before != after) && wrong++ < 5)
        note("position %u: %u ended waves had registers, and have %u%s", (unsigned)now, n, still,
            n == still ? ", others" : "");
}

static void random_step(struct gpudbg_machine *m)
{
    const uint32_t wave = pick(m->nwaves);
    const uint64_t at = machine_position(m);
    static int watched;
    struct gpudbg_error err = {0};
    const struct toy *t = m->runner;
    struct gpudbg_stop stop;
    char what[64];
    const uint32_t kind = pick(14);
    snprintf(what, sizeof what, "step %u from %u", kind, (unsigned)at);
    switch (kind) {
    case 0: toy_go(m, MACHINE_STEPS, false, wave, 1 + pick(50), false); break;
    case 1: toy_go(m, MACHINE_STEPS, true, wave, 1 + pick(50), pick(2)); break;
    case 2: toy_go(m, MACHINE_POSITION, false, 0, pick((uint32_t)machine_recorded(m) + 1), false); break;
    case 3: toy_go(m, MACHINE_POSITION, false, 0, at + pick(3000), pick(2)); break;
    case 4: toy_go(m, MACHINE_POSITION, false, 0, at > 100 ? at - pick(100) : 0, false); break;
    case 5:
        if (pick(4) == 0) random_edit(m, wave);
        break;
    case 6:
        /* Running a wave alone may leave the record. */
        if (pick(4) == 0) {
            const uint64_t recorded = machine_recorded(m);
            toy_go(m, MACHINE_BARRIER, false, wave, 0, false);
            if (machine_position(m) > at || machine_recorded(m) != recorded) forget_after(at + 1);
        }
        break;
    case 7: toy_go(m, MACHINE_END, true, 0, 0, true); break;
    case 8:
        machine_break(m, 8 * pick((uint32_t)t->program->n), 1, true, &err);
        toy_go(m, MACHINE_POSITION, false, 0, at + 5000, true);
        if (machine_position(m) > at) look(m, "at a breakpoint");
        for (size_t i = 0; i < t->program->n; i++) machine_break(m, 8 * i, 1, false, &err);
        break;
    case 9:
        if (watched) machine_watch(m, 0, 0, 0, false, false, watched, false, &err);
        machine_watch(
            m, GPUDBG_GLOBAL, t->a->base + pick((uint32_t)t->a->size - 8), 8, pick(2), true, ++watched, true, &err);
        break;
    case 10: machine_wave(m, wave, &err); break;
    case 11: toy_go(m, MACHINE_BARRIER, true, wave, 0, false); break;
    case 12:
        if (pick(6) == 0) {
            stop = toy_go(m, MACHINE_END, false, 0, 0, false);
            if (stop.reason != GPUDBG_STOP_DONE) wrong++, note("END stopped with %d: %s", stop.reason, stop.message);
        }
        break;
    case 13: away_and_back(m); break;
    }
    look(m, what);
}

static void journey(uint64_t number, uint64_t budget, uint64_t interval)
{
    struct toy_op op[32];
    seed = number;
    const struct toy_program program = random_launch(op);
    struct gpudbg_machine *m = toy_machine(&program, 1 + pick(6), 1 + pick(300));
    if (budget) machine_history_budget(m, budget);
    if (interval) core_of(m)->history.interval = interval;
    forget_after(0);
    compared = wrong = 0;
    look(m, "start");
    for (int i = 0; i < 150; i++) random_step(m);
    struct machine_history h;
    machine_history(m, &h);
    ok(!wrong, "journey %u, budget %u, interval %u: %u states met again were the same (%u checkpoints)",
        (unsigned)number, (unsigned)budget, (unsigned)interval, compared, (unsigned)h.checkpoints);
    machine_free(m);
}

/* ---- */

int main(int argc, char **argv)
{
    if (argc > 3) {
        journey(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
        return tap_done();
    }
    const unsigned step = tap_sample() < 4 ? 1 : 3;
    for (uint64_t i = 1; i <= 10; i += step) journey(i, 0, 0);
    for (uint64_t i = 11; i <= 30; i += step) journey(i, 0, 50u << i % 8);
    for (uint64_t i = 31; i <= 45; i += step) journey(i, 1, 100);
    for (uint64_t i = 46; i <= 60; i += step) journey(i, 300000, 400);
    ok(ended, "%u ended waves had registers after a look at another time", ended);
    return tap_done();
}
