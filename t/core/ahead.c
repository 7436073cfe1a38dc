/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups that other processes run before their turn (machine/ahead.h) leave no trace: random programs are run by 1, 2,
 * 3 and 8 processes, and all stops, positions, hashes and registers that can be looked at are the same.  Waves work
 * mostly in memory of their own; now and then they read what waves of earlier groups store, count in one place, or meet
 * a breakpoint, a watchpoint or an instruction that is traced.  There is a buffer that all load from and few store to,
 * late.  Some runs are watched by one who knows of each group what its waves did, stops now and then, and says things
 * without stopping: it says the same.
 */
#include "machine/changed.h"
#include "machine/machine_core.h"
#include "tap.h"
#include "toy_random.h"

#include <unistd.h>

#define OPS 48
#define OWN 781 /* bytes between the parts of two waves, after five TOY_MIX */
#define MOST_STOPS 24
#define LOOKS 8

struct state {
    uint64_t reason, number, wave, pc, position, hash, registers;
};

struct story {
    struct state stop[MOST_STOPS], look[LOOKS];
    unsigned stops;
    uint64_t said, sum; /* by who watches: how much, and a hash of it */
};

static uint64_t groups_ahead, rounds, refused;

static struct toy_op touch(unsigned danger)
{
    static const uint8_t codes[] = {TOY_STORE, TOY_LOAD, TOY_STORE, TOY_LOAD, TOY_ATOM};
    const uint8_t reg = (uint8_t)pick(4);
    if (pick(100) >= danger) return (struct toy_op){pick(2) ? TOY_STORE : TOY_LOAD, reg, 1, 0, (int32_t)pick(32) * 4};
    const uint8_t code = codes[pick(sizeof codes)];
    if (pick(3)) return (struct toy_op){TOY_LOAD, reg, 4, 0, 0}; /* of a place that is nearly random */
    if (pick(2)) return (struct toy_op){code, reg, 1, 0, -(int32_t)(OWN * pick(200))}; /* an earlier wave's */
    return (struct toy_op){code, reg, 14, 0, (int32_t)(pick(3) ? 64 : pick(5000) * 4)};
}

/* All waves load what is at one place of the other buffer, which goes to their own memory; one in many stores there. */
static size_t share(struct toy_op *op)
{
    const uint8_t reg = (uint8_t)pick(4);
    const int32_t at = (int32_t)pick(900) * 4;
    op[0] = (struct toy_op){TOY_LOAD, reg, 15, 1, at};
    op[1] = (struct toy_op){TOY_STORE, reg, 1, 0, 0};
    op[2] = (struct toy_op){TOY_VADD, reg, 1, 0, 0};
    op[3] = (struct toy_op){TOY_STORE, reg, 15, (uint8_t)(40 + pick(80)), at};
    return 4;
}

/* shared: with the other buffer. */
static size_t program_of(struct toy_op *op, unsigned danger, bool shared)
{
    static const uint8_t body[] = {
        TOY_ADD, TOY_VADD, TOY_MASK, TOY_LSTORE, TOY_LLOAD, TOY_YIELD, TOY_BARRIER, TOY_NOP, TOY_NOP};
    size_t n = 0;
    for (unsigned i = 0; i < 5; i++) op[n++] = (struct toy_op){TOY_MIX, 1, 2, 0, 0}; /* s1 = OWN * wave */
    for (unsigned i = 0; i < 9; i++) op[n++] = (struct toy_op){TOY_MIX, 4, 1, 0, 0};
    op[n++] = (struct toy_op){TOY_ADD, 15, 0, 0, (int32_t)(pick(6) ? 2 + pick(12) : 100)};
    const size_t top = n, size = 6 + pick(14);
    if (shared) n += share(op + n);
    for (size_t i = 0; i < size; i++) {
        struct toy_op o = {
            body[pick(sizeof body)], (uint8_t)(3 + pick(8)), (uint8_t)(3 + pick(8)), 0, (int32_t)pick(99)};
        if (o.code == TOY_MASK) o.imm = 1 + (int32_t)pick(62);
        if (pick(900) < danger) o.code = TOY_EVENT;
        op[n++] = pick(2) ? touch(danger) : o;
    }
    op[n] = (struct toy_op){TOY_LOOP, 15, 0, 0, (int32_t)top - (int32_t)n};
    n++;
    op[n++] = (struct toy_op){.code = TOY_END};
    return n;
}

/* Registers of all waves that can be looked at. */
static uint64_t registers_of(struct gpudbg_machine *m)
{
    uint64_t h = 0;
    for (uint32_t id = 0; id < m->nwaves; id++) {
        struct gpudbg_error err = {0};
        struct machine_wave_info info;
        const struct gpudbg_wave *w = NULL;
        machine_wave_info(m, id, &info);
        if (info.state != GPUDBG_UNSTARTED) w = machine_wave(m, id, &err);
        h = h * UINT64_C(0x9e3779b97f4a7c15) + (w ? w->words[TOY_S + 1] + w->words[TOY_V + 70] + 1 : 0) + info.pc;
    }
    return h;
}

static uint64_t unlike;

/* Waves that machine_waves_alike passes over are as the first of them. */
static void pass_over(struct gpudbg_machine *m)
{
    for (uint32_t id = 0, end; id < m->nwaves; id = end) {
        struct machine_wave_info first, info;
        end = machine_waves_alike(m, id, &first);
        for (uint32_t i = id; i < end; i++) {
            machine_wave_info(m, i, &info);
            unlike += info.state != first.state || info.lanes != first.lanes ||
                      (info.state != GPUDBG_ENDED && info.pc != first.pc);
        }
    }
}

static struct state now(struct gpudbg_machine *m, const struct gpudbg_stop *stop)
{
    pass_over(m);
    return (struct state){stop->reason, (uint64_t)stop->number, stop->wave, stop->pc, machine_position(m),
        machine_hash(m), registers_of(m)};
}

static uint32_t one_in;

static bool hit(void *data, struct gpudbg_wave *w, int number)
{
    (void)data;
    return (w->id * 2654435761u + (uint32_t)w->executed + (uint32_t)number) % one_in == 0;
}

/* About the instruction of a trace: only some waves' count. */
static bool about(void *data, struct gpudbg_wave *w, int number)
{
    (void)data, (void)number;
    return w->id % 5 == 2;
}

/* Only the process that leads the others is asked: they get time to run ahead, however short the run is. */
static bool dawdle(void *data, uint64_t done, uint64_t todo)
{
    (void)data, (void)done, (void)todo;
    usleep(1000);
    return true;
}

/* ---- Who watches groups, each by itself ---- */

struct watching {
    struct gpudbg_machine *m;
    uint64_t group[256]; /* what was seen of it, as a hash */
    uint64_t seen, said, sum;
    bool told, fresh;
};

static uint64_t groups_watched;

static uint64_t mix(uint64_t h, uint64_t with)
{
    h = (h ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static void say(struct watching *s, uint64_t what)
{
    s->said++;
    s->sum = mix(s->sum, what);
}

static bool see_before(void *data, struct gpudbg_wave *w)
{
    struct watching *s = data;
    const uint64_t at = machine_position(s->m);
    const bool again = s->told && at + 1 == s->seen;
    s->fresh = again || at >= s->seen;
    s->told = false;
    if (again || !s->fresh) return false;
    s->seen = at + 1;
    uint64_t *h = &s->group[w->group];
    *h = mix(*h, w->pc ^ w->executed << 20 ^ (uint64_t)w->id << 40);
    s->told = *h % 9001 == 0;
    if (s->told) say(s, *h);
    return s->told;
}

static void see_access(void *data, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct watching *s = data;
    if (!s->fresh) return;
    uint64_t *h = &s->group[w->group];
    *h = mix(*h, a->addr ^ (uint64_t)a->lane << 50 ^ (uint64_t)a->write << 60);
    if (*h % 40009 == 0) say(s, *h);
}

static void see_barrier(void *data, struct gpudbg_wave *w)
{
    struct watching *s = data;
    if (s->fresh) s->group[w->group] = mix(s->group[w->group], w->id);
}

static uint64_t has_said(void *data) { return ((struct watching *)data)->said; }

static void see_passed(void *data)
{
    struct watching *s = data;
    s->seen = machine_position(s->m);
    s->told = false;
}

static void tell(uint64_t number, unsigned processes, struct story *to)
{
    struct toy_op op[OPS];
    struct gpudbg_error err = {0};
    seed = number;
    const bool shared = pick(2);
    const unsigned danger = pick(3) && !shared ? pick(8) : 0;
    struct toy_program program = {.op = op,
        .n = program_of(op, danger, shared),
        .buffer = 200000 + pick(400000),
        .other = shared ? 4000 + pick(4000) : 0,
        .lds = pick(2) ? 30000 : 0,
        .plain = pick(2)};
    for (size_t i = 0; i < program.n && !program.lds; i++)
        if (op[i].code == TOY_LSTORE || op[i].code == TOY_LLOAD) op[i].code = TOY_NOP;
    struct gpudbg_machine *m = toy_machine(&program, 40 + pick(200), 1 + pick(200));
    const struct toy *t = m->runner;
    core_of(m)->history.interval = 16 + pick(pick(2) ? 60 : 2000);
    if (pick(2)) machine_history_budget(m, 300000 + pick(4000000));
    machine_threads(m, processes, 0);
    one_in = 1 + pick(600);
    if (pick(2)) machine_break(m, 8 * pick((uint32_t)program.n), 1, true, &err);
    if (pick(2)) machine_watch(m, GPUDBG_GLOBAL, t->a->base + 4 * pick(40000), 64, false, true, 2, true, &err);
    static struct watching watching;
    watching = (struct watching){.m = m};
    const struct machine_observer observer = {.data = &watching,
        .before = see_before,
        .access = see_access,
        .barrier = see_barrier,
        .said = has_said,
        .passed = see_passed};
    const bool watched = pick(2);
    if (watched) machine_observe(m, &observer);
    if (pick(3) == 0) {
        const uint64_t pc = 8 * pick((uint32_t)program.n);
        machine_trace(m, 3, &pc, 1);
    }
    *to = (struct story){.stops = 0};
    struct gpudbg_stop stop = {.reason = GPUDBG_STOP_NONE};
    while (to->stops < MOST_STOPS && stop.reason != GPUDBG_STOP_DONE && stop.reason != GPUDBG_STOP_FAULT) {
        const struct machine_want want = {.until = MACHINE_END,
            .stops = true,
            .tick = dawdle,
            .hit = hit,
            .about = about,
            .observed = watched,
            .limit = to->stops % 2 ? 0 : 1 + pick(4000)};
        stop = machine_run(m, &want);
        to->stop[to->stops++] = now(m, &stop);
    }
    machine_observe(m, NULL);
    to->said = watching.said;
    to->sum = watching.sum;
    groups_ahead += core_of(m)->ahead.groups;
    if (watched) groups_watched += core_of(m)->ahead.groups;
    rounds += core_of(m)->ahead.rounds;
    refused += core_of(m)->ahead.alone != NULL;
    for (unsigned i = 0; i < LOOKS; i++) {
        const uint64_t at = pick((uint32_t)machine_recorded(m) + 1);
        toy_go(m, MACHINE_POSITION, at < machine_position(m), 0, at, false);
        to->look[i] = now(m, &(struct gpudbg_stop){.reason = GPUDBG_STOP_NONE});
        to->look[i].registers = 0; /* what is still kept depends on where one has been */
    }
    machine_free(m);
}

static void compare(uint64_t number)
{
    static const unsigned processes[] = {2, 3, 8};
    struct story want, got;
    tell(number, 1, &want);
    for (size_t i = 0; i < 3; i++) {
        tell(number, processes[i], &got);
        const bool same = memcmp(&want, &got, sizeof got) == 0;
        ok(same, "program %u, %u stops, %u things said: %u processes do what one does", (unsigned)number, want.stops,
            (unsigned)want.said, processes[i]);
        for (unsigned k = 0; !same && k < want.stops; k++)
            if (memcmp(&want.stop[k], &got.stop[k], sizeof *got.stop) != 0) {
                note("stop %u: reason %u at %u, hash %llx, registers %llx; alone: %u at %u, %llx, %llx", k,
                    (unsigned)got.stop[k].reason, (unsigned)got.stop[k].position, (unsigned long long)got.stop[k].hash,
                    (unsigned long long)got.stop[k].registers, (unsigned)want.stop[k].reason,
                    (unsigned)want.stop[k].position, (unsigned long long)want.stop[k].hash,
                    (unsigned long long)want.stop[k].registers);
                break;
            }
    }
}

/* Nobody has noted what was stored to a segment before it was first read: others than who stored it do not know it. */
static void stored_before_read(void)
{
    struct toy_op end = {.code = TOY_END};
    const struct toy_program program = {.op = &end, .n = 1, .buffer = 4096};
    struct gpudbg_machine *m = toy_machine(&program, 1, 1);
    const uint8_t bytes[4] = {1};
    bool read[16] = {false};
    struct changed c = {0};
    changed_begin(&c, m, true);
    changed_stored(&c, 0, 0, bytes, sizeof bytes, 2);
    ok(!changed_unknown(&c, read, 3), "who has read nothing may go on");
    read[0] = true;
    ok(changed_unknown(&c, read, 3), "what another stored before it was first read is not known");
    ok(!changed_unknown(&c, read, 2), "... but to who stored it");
    changed_free(&c);
    machine_free(m);
}

int main(int argc, char **argv)
{
    stored_before_read();
    const bool nightly = getenv("GPUDBG_NIGHTLY");
    if (argc > 1) compare(strtoull(argv[1], NULL, 0));
    for (uint64_t i = 1; argc < 2 && i <= (nightly ? 400 : 24); i++) compare(i);
    ok(argc > 1 || groups_ahead > 100, "%u groups ran before their turn, in %u rounds", (unsigned)groups_ahead,
        (unsigned)rounds);
    ok(argc > 1 || groups_watched > 10, "%u of them were watched", (unsigned)groups_watched);
    ok(argc > 1 || refused > 2, "%u runs had groups that read what groups before them stored", (unsigned)refused);
    ok(!unlike, "waves that are passed over are like those before them");
    return tap_done();
}
