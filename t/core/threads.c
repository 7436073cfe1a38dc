/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions to recorded time have one answer, whether one process looks or several do.  Random programs with random
 * edits are asked by 1, 2, 3 and 8 processes for the same: stops, positions, hashes, and what is gathered on the way.
 * What is gathered is also held against a run that is observed from its launch.
 */
#include "machine/machine_core.h"
#include "tap.h"
#include "toy_random.h"

#define OPS TOY_RANDOM_OPS
#define QUESTIONS 12

/* What one is told; compared byte by byte. */
struct answer {
    uint64_t reason, number, wave, pc, position, hash, weighed;
};

struct asking {
    uint32_t salt, of;   /* a hit counts if a digest of the wave leaves a rest */
    uint64_t count[OPS]; /* gathered: how often each instruction ran, and a sum over positions, in order */
    uint64_t sum, sum_of_part, weight_of_part;
    bool accepts;
    const struct machine_sieve
        *sieve; /* what is hit elsewhere does not count: where is not looked depends on checkpoints */
};

static uint64_t shared; /* gatherings that several processes did */

/* Depends on the registers, so that a state that is wrong gives another answer. */
static uint32_t digest(const struct gpudbg_wave *w, uint32_t salt)
{
    uint32_t h = salt + w->id * 31 + (uint32_t)w->executed;
    for (unsigned i = 0; i < w->machine->wave_words; i++) h = h * 16777619 ^ w->words[i];
    return h >> 7;
}

static bool hit(void *data, struct gpudbg_wave *w, int number)
{
    const struct asking *a = data;
    const uint32_t each = w->machine->waves_per_group;
    if (a->sieve && a->sieve->by == SIEVE_WAVE && w->id != a->sieve->wave) return false;
    if (a->sieve && a->sieve->by == SIEVE_GROUP && w->id / each != a->sieve->wave / each) return false;
    return a->accepts && digest(w, a->salt + (uint32_t)number) % a->of == 0;
}

/* Sums that depend on the order: each step multiplies. */
#define STEP UINT64_C(0x9e3779b97f4a7c15)
static bool every(void *data, struct gpudbg_wave *w)
{
    struct asking *a = data;
    a->count[w->pc / 8]++;
    a->sum_of_part = a->sum_of_part * STEP + digest(w, a->salt) + machine_position(w->machine);
    a->weight_of_part *= STEP;
    return false;
}

static void begin(void *data, struct gpudbg_machine *m)
{
    struct asking *a = data;
    (void)m;
    memset(a->count, 0, sizeof a->count);
    a->sum_of_part = 0;
    a->weight_of_part = 1;
}

static void end(void *data, struct gpudbg_machine *m, struct parts_worker *worker)
{
    struct asking *a = data;
    (void)m;
    parts_answer(worker, a->count, sizeof a->count);
    parts_answer(worker, &a->sum_of_part, sizeof a->sum_of_part);
    parts_answer(worker, &a->weight_of_part, sizeof a->weight_of_part);
}

static void merge(void *data, const void *answer, size_t size)
{
    struct asking *a = data;
    uint64_t words[OPS + 2];
    if (size != sizeof words) return;
    memcpy(words, answer, size);
    for (size_t i = 0; i < OPS; i++) a->count[i] += words[i];
    a->sum = a->sum * words[OPS + 1] + words[OPS];
}

static uint64_t weigh(const struct asking *a)
{
    uint64_t h = a->sum;
    for (size_t i = 0; i < OPS; i++) h = h * 31 + a->count[i];
    return h;
}

/* All instructions up to the present, by workers or (how 1) by a run from the launch. */
static uint64_t gather(struct gpudbg_machine *m, unsigned processes, uint32_t salt)
{
    struct asking a = {.salt = salt, .of = 1};
    const uint64_t now = machine_position(m);
    const struct machine_want want = {
        .until = MACHINE_POSITION, .count = now, .stops = true, .whole = true, .every = every, .hit = hit, .data = &a};
    const struct machine_gather g = {.want = &want, .to = now, .begin = begin, .end = end, .merge = merge};
    if (processes > 1 && machine_gather(m, &g) == PARTS_DONE) {
        shared++;
        return weigh(&a);
    }
    begin(&a, m);
    machine_rewind(m);
    a.accepts = false;
    if (now) {
        struct machine_wave_info info;
        machine_wave_info(m, machine_next_wave(m), &info); /* a run does not ask before its first instruction */
        struct gpudbg_error err = {0};
        every(&a, machine_wave(m, info.id, &err));
    }
    machine_run(m, &want);
    a.sum = a.sum_of_part;
    return weigh(&a);
}

static struct answer ask(struct gpudbg_machine *m, unsigned processes, uint32_t question)
{
    struct gpudbg_error err = {0};
    const struct toy *t = m->runner;
    struct asking a = {.salt = pick(1u << 30), .of = 1 + pick(1u << pick(14)), .accepts = true};
    const uint64_t from = pick((uint32_t)machine_recorded(m) + 1), addr = t->a->base + pick((uint32_t)t->a->size - 8);
    const uint32_t wave = pick(m->nwaves), places = 1 + pick(3), by = pick(3), pc = pick((uint32_t)t->program->n);
    const uint64_t page = (addr - t->a->base) >> GPUDBG_PAGE_BITS;
    struct answer to = {0};
    toy_go(m, MACHINE_POSITION, false, 0, question % 3 ? machine_recorded(m) : from, false);
    if (question % 4 == 3) {
        to.weighed = gather(m, processes, a.salt);
    } else {
        const struct machine_sieve sieve = {by == 0   ? SIEVE_WAVE
                                            : by == 1 ? SIEVE_GROUP
                                                      : SIEVE_PAGES,
            wave, t->a, page, page};
        const bool back = question % 4 < 2;
        struct machine_want want = {.until = back ? MACHINE_END : MACHINE_POSITION,
            .backwards = back,
            .count = machine_recorded(m),
            .stops = true,
            .pure = true,
            .hit = hit,
            .sieve = question % 4 ? &sieve : NULL,
            .data = &a};
        a.sieve = want.sieve;
        if (!back) toy_go(m, MACHINE_POSITION, false, 0, from / 4, false);
        if (by == SIEVE_PAGES || !want.sieve) machine_watch(m, GPUDBG_GLOBAL, addr, 4, false, true, 9, true, &err);
        for (uint32_t i = 0; by != SIEVE_PAGES && i < places; i++)
            machine_break(m, 8 * ((pc + i) % t->program->n), (int)i + 1, true, &err);
        const struct gpudbg_stop stop = machine_run(m, &want);
        to = (struct answer){.reason = stop.reason, .number = (uint64_t)stop.number, .wave = stop.wave, .pc = stop.pc};
        machine_watch(m, 0, 0, 0, false, false, 9, false, &err);
        for (size_t i = 0; i < t->program->n; i++)
            for (int number = 1; number < 5; number++) machine_break(m, 8 * i, number, false, &err);
    }
    to.position = machine_position(m);
    to.hash = machine_hash(m);
    return to;
}

static void record(struct gpudbg_machine *m)
{
    const struct toy *t = m->runner;
    struct gpudbg_error err = {0};
    for (uint32_t i = pick(4); i > 0; i--) {
        uint32_t x = pick(1u << 20);
        toy_go(m, MACHINE_STEPS, false, pick(m->nwaves), 1 + pick(4000), false);
        machine_set_register(m, pick(m->nwaves), pick(2), pick(4), 0, &x, 1, &err);
        machine_set_memory(m, 0, GPUDBG_GLOBAL, t->a->base + pick((uint32_t)t->a->size - 4), &x, 4, &err);
    }
    toy_go(m, MACHINE_POSITION, false, 0, 60000, false);
}

/* The answers of one launch; they depend on nothing but the number. */
static uint64_t launch(uint64_t number, unsigned processes, struct answer *to)
{
    struct toy_op op[OPS];
    seed = number;
    const struct toy_program program = random_launch(op);
    struct gpudbg_machine *m = toy_machine(&program, 2 + pick(12), 1 + pick(300));
    core_of(m)->history.interval = 40 + pick(400);
    if (pick(2)) machine_history_budget(m, 100000 + pick(4000000));
    machine_threads(m, processes, 0);
    record(m);
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        seed = number * 1000 + i; /* what is asked before must not matter */
        to[i] = ask(m, processes, i);
    }
    const uint64_t recorded = machine_recorded(m);
    machine_free(m);
    return recorded;
}

static void compare(uint64_t number)
{
    static const unsigned processes[] = {2, 3, 8};
    struct answer want[QUESTIONS], got[QUESTIONS];
    const uint64_t recorded = launch(number, 1, want);
    for (size_t i = 0; i < 3; i++) {
        unsigned wrong = 0;
        launch(number, processes[i], got);
        for (unsigned k = 0; k < QUESTIONS; k++)
            if (memcmp(&want[k], &got[k], sizeof *got) != 0 && wrong++ < 3)
                note("question %u: stop %u at %u, hash %llx, weight %llx; alone: %u at %u, %llx, %llx", k,
                    (unsigned)got[k].reason, (unsigned)got[k].position, (unsigned long long)got[k].hash,
                    (unsigned long long)got[k].weighed, (unsigned)want[k].reason, (unsigned)want[k].position,
                    (unsigned long long)want[k].hash, (unsigned long long)want[k].weighed);
        ok(!wrong, "launch %u of %u instructions: %u processes answer as one does", (unsigned)number,
            (unsigned)recorded, processes[i]);
    }
}

/* Who has had enough is heard, and finds the machine where it was. */
static bool never(void *data, uint64_t done, uint64_t todo)
{
    (void)data, (void)done, (void)todo;
    return false;
}

static void interrupted(void)
{
    struct toy_op op[OPS];
    seed = 7;
    const struct toy_program program = random_launch(op);
    struct gpudbg_machine *m = toy_machine(&program, 9, 200);
    struct asking a = {.of = 1};
    core_of(m)->history.interval = 64;
    machine_threads(m, 2, 0);
    toy_go(m, MACHINE_POSITION, false, 0, 40000, false);
    const uint64_t hash = machine_hash(m), now = machine_position(m);
    const struct machine_want want = {.tick = never, .hit = hit, .data = &a};
    const struct machine_gather g = {.want = &want, .to = now, .begin = begin, .end = end, .merge = merge};
    ok(machine_gather(m, &g) == PARTS_INTERRUPTED, "gathering ends when nobody wants it any more");
    ok(machine_hash(m) == hash && machine_position(m) == now, "... and leaves the machine where it was");
    machine_free(m);
}

int main(int argc, char **argv)
{
    const bool nightly = getenv("GPUDBG_NIGHTLY");
    if (argc > 1) compare(strtoull(argv[1], NULL, 0));
    for (uint64_t i = 1; argc < 2 && i <= (nightly ? 100 : 8); i++) compare(i);
    ok(argc > 1 || shared > 10, "%u gatherings were shared out", (unsigned)shared);
    interrupted();
    return tap_done();
}
