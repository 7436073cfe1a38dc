/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine forwards: schedule, barriers, the memory door, stops, events, the hash; and stops met backwards. */
#include "machine/machine_core.h"
#include "tap.h"
#include "toy.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct machine_wave_info info_of(struct gpudbg_machine *m, uint32_t wave)
{
    struct machine_wave_info info;
    machine_wave_info(m, wave, &info);
    return info;
}

static uint32_t word_at(struct gpudbg_machine *m, uint64_t offset)
{
    const struct toy *t = m->runner;
    uint32_t x = 0;
    struct gpudbg_error err = {0};
    machine_peek(m, 0, GPUDBG_GLOBAL, t->a->base + offset, &x, 4, NULL, &err);
    return x;
}

/* ---- Barriers ---- */

/* Every wave writes its v0 (work-item numbers) to LDS, waits, reads what the wave after it wrote, and stores that. */
static const struct toy_op exchange[] = {
    {TOY_MIX, 1, 15, 0, 0},   /* s1 = 5 s1 + wave: some work that differs */
    {TOY_LSTORE, 0, 2, 0, 0}, /* at s2 */
    {TOY_BARRIER, 0, 0, 0, 0},
    {TOY_LLOAD, 1, 3, 0, 0}, /* from s3 */
    {TOY_STORE, 1, 4, 0, 0}, /* at s4 */
    {TOY_END, 0, 0, 0, 0},
};

static void test_barrier(void)
{
    /* 4 waves a group: s2 = 256 index, s3 = 256 (index + 1) % 1024, s4 = 256 id, set by hand. */
    const struct toy_program program = {.op = exchange, .n = COUNT(exchange), .buffer = 2 * 1024 + 3, .lds = 1024 + 3};
    struct gpudbg_machine *m = toy_machine(&program, 2, 256);
    struct gpudbg_error err = {0};
    for (uint32_t w = 0; w < 8; w++) {
        const uint32_t s[3] = {w % 4 * 256, (w + 1) % 4 * 256, w * 256};
        for (unsigned i = 0; i < 3; i++) machine_set_register(m, w, 0, 2 + i, 0, &s[i], 1, &err);
    }
    toy_go(m, MACHINE_STEPS, false, 0, 3, true);
    is_int(info_of(m, 0).state, GPUDBG_AT_BARRIER, "a wave waits at a barrier while others have not come");
    is_int(machine_next_wave(m), 1, "the turn passes to the next wave");
    toy_go(m, MACHINE_STEPS, false, 0, 1, true);
    is_int(machine_position(m), 3 + 9 + 1, "stepping it on runs the others to the barrier, and no further");
    is_int(info_of(m, 3).state, GPUDBG_READY, "the barrier opens when the last has come");
    is_int(info_of(m, 3).executed, 3, "the last one stands behind it");
    struct gpudbg_stop stop = toy_go(m, MACHINE_END, false, 0, 0, true);
    is_int(stop.reason, GPUDBG_STOP_DONE, "the program ends");
    is_int(machine_position(m), 2 * 4 * 6, "after all instructions of all waves");
    unsigned wrong = 0;
    for (uint32_t i = 0; i < 512; i++) wrong += word_at(m, 4 * i) != (i % 256 + 64) % 256;
    is_int(wrong, 0, "every wave read what its neighbour wrote before the barrier");
    is_int(machine_next_wave(m), MACHINE_NO_WAVE, "nobody is next");
    machine_free(m);
}

/* ---- The schedule ---- */

static const struct toy_op busy[] = {
    {TOY_ADD, 15, 0, 0, 3000},
    {TOY_MIX, 1, 2, 0, 0},
    {TOY_ATOM, 1, 0, 0, 16},
    {TOY_VADD, 0, 1, 0, 0},
    {TOY_STORE, 0, 1, 0, 4096},
    {TOY_LOOP, 15, 0, 0, -4},
    {TOY_BARRIER, 0, 0, 0, 0},
    {TOY_EVENT, 0, 0, 0, 0},
    {TOY_YIELD, 0, 0, 0, 0},
    {TOY_ATOM, 1, 0, 0, 16},
    {TOY_END, 0, 0, 0, 0},
};
static const struct toy_program busy_program = {.op = busy, .n = COUNT(busy), .buffer = 50000};

static void test_schedule(void)
{
    struct gpudbg_machine *whole = toy_machine(&busy_program, 2, 150), *cut = toy_machine(&busy_program, 2, 150);
    toy_go(whole, MACHINE_END, false, 0, 0, false);
    const uint64_t end = machine_position(whole);
    is_int(end, 6 * (1 + 3000 * 5 + 5), "six waves execute what the program says");
    uint64_t step = 1, at = 0;
    unsigned turns = 0;
    for (; at < end; at += step, step = step * 7 % 3001 + 1, turns++)
        toy_go(cut, MACHINE_POSITION, false, 0, at, false);
    toy_go(cut, MACHINE_END, false, 0, 0, false);
    is_int(machine_hash(cut), machine_hash(whole), "the end is the same, however a run is cut (%u runs)", turns);
    struct toy *a = whole->runner, *b = cut->runner;
    ok(!memcmp(a->a->bytes, b->a->bytes, a->a->size), "and so is memory, byte by byte");
    /* By the rules: 4096 instructions a turn, in the order of waves. */
    toy_go(cut, MACHINE_POSITION, false, 0, 3 * 4096 + 10, false);
    is_int(info_of(cut, 0).executed, 4096 + 10, "a turn has 4096 instructions: wave 0 is in its second");
    is_int(info_of(cut, 1).executed, 4096, "wave 1 had one");
    is_int(info_of(cut, 2).lanes, (1 << 22) - 1, "the last wave of 150 work-items has 22 lanes");
    is_int(info_of(cut, 3).state, GPUDBG_UNSTARTED, "the next group has not begun");
    machine_free(whole);
    machine_free(cut);
}

static void test_partial_group(void)
{
    static const struct toy_op only_end[] = {{.code = TOY_END}};
    const struct toy_program program = {.op = only_end, .n = 1, .buffer = 64};
    struct gpudbg_machine *m = toy_machine(&program, 1, 256);
    machine_free(m);
    m = toy_machine(&program, 2, 128);
    ((struct gpudbg_launch *)m->launch)->global[0] = 128 + 30;
    is_int(info_of(m, 2).lanes, (1u << 30) - 1, "a group at the edge has the work-items that are left");
    is_int(info_of(m, 3).state, GPUDBG_ENDED, "and a wave without any has ended from the start");
    toy_go(m, MACHINE_END, false, 0, 0, false);
    is_int(machine_position(m), 3, "it executes nothing");
    machine_free(m);
}

static void test_many_groups(void)
{
    static const struct toy_op two[] = {{TOY_ATOM, 15, 0, 0, 0}, {.code = TOY_END}};
    const struct toy_program program = {.op = two, .n = 2, .buffer = 64};
    struct gpudbg_machine *m = toy_machine(&program, 200000, 64);
    struct gpudbg_error err = {0};
    toy_go(m, MACHINE_END, false, 0, 0, false);
    is_int(machine_position(m), 400000, "200,000 groups run");
    is_int(core_of(m)->waves.nlive, 0, "and none stays");
    ok(machine_wave(m, 199999, &err) != NULL, "registers of the latest are still there");
    ok(!machine_wave(m, 100000, &err), "those of the ones between are not");
    is_str(err.message, "wave 100000 has ended, and its registers are no longer kept: go back to see them",
        "and we say so");
    toy_go(m, MACHINE_POSITION, false, 0, 200001, false);
    ok(machine_wave(m, 100000, &err) != NULL, "going back brings them back");
    for (uint32_t w = 0; w < 1000; w++) machine_wave(m, 10 + 199 * w, &err);
    ok(core_of(m)->waves.nlive < 20, "looking at a thousand waves does not keep them all (%u)",
        (unsigned)core_of(m)->waves.nlive);
    machine_free(m);
}

/* ---- Memory ---- */

static void test_memory(void)
{
    static const struct toy_op wild[] = {{TOY_NOP, 0, 0, 0, 0}, {TOY_WILD, 15, 0, 0, 0}, {.code = TOY_END}};
    const struct toy_program program = {.op = wild, .n = COUNT(wild), .buffer = 1024};
    struct gpudbg_machine *m = toy_machine(&program, 1, 64);
    const struct toy *t = m->runner;
    struct gpudbg_error err = {0};
    is_int(t->a->base, UINT64_C(0x100000000), "the first segment starts at 4 GB");
    is_int(t->b->base, UINT64_C(0x200000000), "the next at the next 4 GB");
    is_int((uintptr_t)t->a->bytes % 64, 0, "bytes are aligned to 64");
    static const struct {
        int64_t offset; /* from a */
        const char *want;
    } row[] = {
        {1024, "store of 4 bytes at 0x100000400, lane 37: 0 bytes past the end of 'a' (1024 bytes)"},
        {1022, "store of 4 bytes at 0x1000003fe, lane 37: its last 2 are past the end of 'a' (1024 bytes)"},
        {-8, "store of 4 bytes at 0xfffffff8, lane 37: 8 bytes before 'a' (1024 bytes)"},
        {-(INT64_C(1) << 32), "store of 4 bytes at 0x0, lane 37: a null pointer"},
        {INT64_C(1) << 32, "store of 4 bytes at 0x200000000, lane 37: 'constants' is read-only"},
        {-(INT64_C(1) << 31), "store of 4 bytes at 0x80000000, lane 37: no buffer is near"},
    };
    struct gpudbg_wave *w = machine_wave(m, 0, &err);
    for (size_t i = 0; i < COUNT(row); i++) {
        const uint32_t x = 1;
        w->pc = 8;
        ok(!gpudbg_mem_write(w, GPUDBG_GLOBAL, t->a->base + (uint64_t)row[i].offset, &x, 4, 37), "a bad store fails");
        is_str(m->stop.message, row[i].want, "and names its place: %s", strrchr(row[i].want, ':') + 2);
    }
    w->pc = 0;
    /* As an instruction. */
    struct gpudbg_stop stop = toy_go(m, MACHINE_END, false, 0, 0, true);
    is_int(stop.reason, GPUDBG_STOP_FAULT, "an instruction that stores to nowhere is a fault");
    is_int(stop.lane, 37, "of its lane");
    is_int(machine_position(m), 1, "it was not executed");
    is_str(stop.message, "store of 4 bytes at 0x0, lane 37: a null pointer", "the machine says why; the place is pc");
    stop = toy_go(m, MACHINE_STEPS, false, 0, 1, true);
    is_int(stop.reason, GPUDBG_STOP_FAULT, "running again is the same fault");
    toy_go(m, MACHINE_STEPS, true, 0, 1, true);
    is_int(machine_position(m), 0, "going back from it works");
    ok(!machine_set_memory(m, 0, GPUDBG_GLOBAL, t->b->base, "x", 1, &err),
        "read-only memory is read-only for the user too");
    machine_free(m);
}

static void test_segments(void)
{
    static const struct toy_op only_end[] = {{.code = TOY_END}};
    const struct toy_program huge = {.op = only_end, .n = 1, .buffer = (UINT64_C(4) << 30) - 50};
    ok(!toy_machine(&huge, 1, 64), "more memory than a launch may use is refused");
    const struct toy_program large = {.op = only_end, .n = 1, .buffer = UINT64_C(3) << 30};
    struct gpudbg_machine *m = toy_machine(&large, 1, 64);
    ok(m != NULL, "3 GB are laid out");
    if (m) {
        struct gpudbg_error err = {0};
        ok(!gpudbg_machine_segment(m, "late", 16, NULL, 0, &err), "but nothing after launch");
        is_str(err.message, "'late': memory can only be added at the launch", "which is said");
        machine_free(m);
    }
}

/* ---- The hash ---- */

static void test_hash(void)
{
    static const struct toy_op op[] = {
        {TOY_LSTORE, 0, 2, 0, 0}, {TOY_STORE, 0, 2, 0, 0}, {TOY_NOP, 0, 0, 0, 0}, {.code = TOY_END}};
    const struct toy_program program = {.op = op, .n = COUNT(op), .buffer = 9001, .lds = 777};
    struct gpudbg_machine *m = toy_machine(&program, 3, 128);
    const struct toy *t = m->runner;
    struct gpudbg_error err = {0};
    const uint64_t first = machine_hash(m);
    for (uint32_t w = 0; w < 6; w++) machine_wave(m, w, &err);
    is_int(machine_hash(m), first, "looking at waves does not change the hash");
    toy_go(m, MACHINE_STEPS, false, 0, 2, true);
    toy_go(m, MACHINE_STEPS, false, 1, 1, true);
    const uint64_t h = machine_hash(m);
    unsigned same = 0, changed = 0;
    for (uint32_t id = 0; id < 2; id++) {
        struct gpudbg_wave *w = machine_wave(m, id, &err);
        for (uint32_t i = 0; i < m->wave_words; i++)
            for (unsigned bit = 0; bit < 32; bit += 5) {
                w->words[i] ^= 1u << bit;
                same += machine_hash(m) == h;
                changed++;
                w->words[i] ^= 1u << bit;
            }
        w->pc ^= 8;
        same += machine_hash(m) == h;
        w->pc ^= 8;
    }
    is_int(same, 0, "every register lane counts in the hash (%u changes)", changed);
    same = 0;
    for (uint64_t i = 0; i < t->a->size; i++) {
        t->a->bytes[i] ^= 0x10;
        same += machine_hash(m) == h;
        t->a->bytes[i] ^= 0x10;
    }
    uint8_t *lds = machine_wave(m, 0, &err)->lds->bytes;
    for (uint64_t i = 0; i < program.lds; i++) {
        lds[i] ^= 0x80;
        same += machine_hash(m) == h;
        lds[i] ^= 0x80;
    }
    is_int(same, 0, "and so does every byte of memory and LDS");
    is_int(machine_hash(m), h, "put back, it is what it was");
    machine_free(m);
}

/* ---- Stops, against a search by single steps ---- */

struct hits {
    uint64_t at[4000];
    size_t n;
};

static bool no_tick(void *data, uint64_t done, uint64_t todo)
{
    (void)data, (void)done, (void)todo;
    return true;
}

/* Stops of a whole run, forwards and then backwards. */
static void all_stops(struct gpudbg_machine *m, struct hits *there, struct hits *back)
{
    struct gpudbg_stop stop;
    const struct machine_want on = {.until = MACHINE_END, .stops = true, .tick = no_tick},
                              rev = {.until = MACHINE_END, .backwards = true, .stops = true};
    there->n = back->n = 0;
    while ((stop = machine_run(m, &on)).reason != GPUDBG_STOP_DONE && there->n < COUNT(there->at))
        there->at[there->n++] = machine_position(m);
    while ((stop = machine_run(m, &rev)).reason != GPUDBG_STOP_HISTORY_START && back->n < COUNT(back->at))
        back->at[back->n++] = machine_position(m);
}

static void is_mirror(const struct hits *want, const struct hits *there, const struct hits *back, const char *what)
{
    bool same = there->n == want->n, mirror = back->n == want->n;
    for (size_t i = 0; same && i < want->n; i++) same = there->at[i] == want->at[i];
    for (size_t i = 0; mirror && i < want->n; i++) mirror = back->at[i] == want->at[want->n - 1 - i];
    ok(want->n && same, "%s: %u stops where single steps find them", what, (unsigned)want->n);
    ok(mirror, "%s: the same ones backwards (%u)", what, (unsigned)back->n);
}

static const struct toy_op few[] = {
    {TOY_ADD, 15, 0, 0, 60},
    {TOY_MIX, 1, 2, 0, 0},
    {TOY_ATOM, 1, 0, 0, 4100},
    {TOY_MASK, 0, 0, 0, 7},
    {TOY_STORE, 0, 1, 0, 0},
    {TOY_LOAD, 1, 1, 0, 64},
    {TOY_LOOP, 15, 0, 0, -5},
    {TOY_BARRIER, 0, 0, 0, 0},
    {.code = TOY_END},
};

static void test_breakpoints(void)
{
    const struct toy_program program = {.op = few, .n = COUNT(few), .buffer = 9000};
    struct gpudbg_machine *m = toy_machine(&program, 3, 100), *slow = toy_machine(&program, 3, 100);
    struct gpudbg_error err = {0};
    static struct hits want, there, back;
    core_of(m)->history.interval = 64; /* many checkpoints: the search must look into many epochs */
    for (uint64_t pc = 16; pc <= 56; pc += 40) {
        want.n = 0;
        toy_go(slow, MACHINE_POSITION, false, 0, 0, false);
        for (uint64_t at = 0; machine_next_wave(slow) != MACHINE_NO_WAVE;
             toy_go(slow, MACHINE_POSITION, false, 0, ++at, false))
            if (at && info_of(slow, machine_next_wave(slow)).pc == pc) want.at[want.n++] = at;
        ok(machine_break(m, pc, 1, true, &err), "a breakpoint at 0x%x", (unsigned)pc);
        all_stops(m, &there, &back);
        is_mirror(&want, &there, &back, "a breakpoint");
        machine_break(m, pc, 1, false, &err);
    }
    ok(!machine_break(m, 3, 1, true, &err), "no breakpoint where no instruction is");
    is_str(err.message, "no instruction starts at 0x3", "which is said");
    machine_free(m);
    machine_free(slow);
}

static void test_watchpoints(void)
{
    const struct toy_program program = {.op = few, .n = COUNT(few), .buffer = 9000};
    static struct hits want, there, back;
    struct gpudbg_error err = {0};
    for (int reads = 0; reads < 2; reads++) {
        struct gpudbg_machine *m = toy_machine(&program, 2, 100), *slow = toy_machine(&program, 2, 100);
        const struct toy *t = slow->runner;
        core_of(m)->history.interval = 100;
        want.n = 0;
        const uint64_t lo = 4102, hi = 4105; /* the atomic writes 4100..4103; stores of lanes write anywhere */
        for (uint64_t at = 0; machine_next_wave(slow) != MACHINE_NO_WAVE; at++) {
            struct gpudbg_wave *w = machine_wave(slow, machine_next_wave(slow), &err);
            const struct toy_op *op = &few[w->pc / 8];
            bool met = op->code == TOY_ATOM && lo < 4104;
            if (op->code == TOY_STORE || (reads && op->code == TOY_LOAD))
                for (unsigned lane = 0; lane < 64; lane++) {
                    const uint64_t o = (w->words[op->b] + (uint32_t)op->imm + 4 * lane) % (t->a->size - 3);
                    met |= (toy_active(w) >> lane & 1) && o < hi && o + 4 > lo;
                }
            toy_go(slow, MACHINE_POSITION, false, 0, at + 1, false);
            if (met) want.at[want.n++] = at + 1;
        }
        ok(machine_watch(m, GPUDBG_GLOBAL, t->a->base + lo, hi - lo, reads, true, 7, true, &err),
            "a watchpoint on three bytes");
        all_stops(m, &there, &back);
        is_mirror(&want, &there, &back, reads ? "a watchpoint for reads and writes" : "a watchpoint");
        machine_free(m);
        machine_free(slow);
    }
    struct gpudbg_machine *m = toy_machine(&program, 1, 64);
    const struct toy *t = m->runner;
    unsigned char old[64];
    ok(!machine_watch(m, GPUDBG_GLOBAL, t->a->base + 8999, 2, false, true, 1, true, &err),
        "bytes that are not there cannot be watched");
    machine_watch(m, GPUDBG_GLOBAL, t->a->base + 4100, 4, false, true, 1, true, &err);
    machine_set_memory(m, 0, GPUDBG_GLOBAL, t->a->base + 4100, "\1\2\3\4", 4, &err);
    const struct gpudbg_stop stop = toy_go(m, MACHINE_END, false, 0, 0, true);
    is_int(stop.reason, GPUDBG_STOP_WATCHPOINT, "the user's own store is no hit, the atomic is");
    machine_watch_old(m, 1, old, 4);
    ok(!memcmp(old, "\1\2\3\4", 4), "what was there before is kept, all of it");
    is_int(word_at(m, 4100), 0x04030201 + 1 * 5 + 2, "and the new value is there (0x04030201 + s1)");
    machine_free(m);
}

/* ---- Steps back, events, the rest ---- */

static void test_steps_back(void)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 2, 150);
    toy_go(m, MACHINE_POSITION, false, 0, 60000, false);
    const uint64_t two = info_of(m, 3).executed;
    ok(two > 0, "wave 3 has begun");
    unsigned wrong = 0;
    for (unsigned i = 1; i <= 40; i++) {
        toy_go(m, MACHINE_STEPS, true, 3, 1, true);
        wrong += info_of(m, 3).executed != two - i || machine_next_wave(m) != 3;
    }
    is_int(wrong, 0, "40 times one step back: each undoes one instruction of the wave, and it is next");
    toy_go(m, MACHINE_STEPS, false, 3, 40, true);
    is_int(info_of(m, 3).executed, two, "40 steps forward again");
    struct gpudbg_stop stop = toy_go(m, MACHINE_STEPS, true, 3, two + 1, true);
    is_int(stop.reason, GPUDBG_STOP_HISTORY_START, "more steps back than it has made end at its start");
    is_int(info_of(m, 3).executed, 0, "where it has executed nothing");
    toy_go(m, MACHINE_STEPS, true, 0, 1, true);
    stop = toy_go(m, MACHINE_END, true, 0, 0, true);
    is_int(stop.reason, GPUDBG_STOP_HISTORY_START, "continuing back ends at the launch");
    is_int(machine_position(m), 0, "position 0");
    is_int(machine_recorded(m), 60000, "recorded time is still there");
    machine_free(m);
}

static void test_events(void)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 2, 150);
    const struct gpudbg_event *e;
    toy_go(m, MACHINE_END, false, 0, 0, true);
    is_int(gpudbg_events(m, &e), 6, "six waves, six events");
    is_int(e[0].pc, 7 * 8, "with the pc of their instruction");
    const uint64_t third = e[2].position;
    toy_go(m, MACHINE_POSITION, false, 0, third, false);
    is_int(gpudbg_events(m, &e), 2, "before the third there were two");
    toy_go(m, MACHINE_POSITION, false, 0, third + 1, false);
    is_int(gpudbg_events(m, &e), 3, "and after it three");
    toy_go(m, MACHINE_END, false, 0, 0, true);
    is_int(gpudbg_events(m, &e), 6, "running again does not double them");
    machine_free(m);
}

static void test_edits(void)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 2, 150);
    struct gpudbg_error err = {0};
    struct machine_history h;
    const uint32_t x = 12345;
    toy_go(m, MACHINE_POSITION, false, 0, 20000, false);
    toy_go(m, MACHINE_POSITION, false, 0, 10000, false);
    const uint64_t before = machine_hash(m);
    ok(machine_set_register(m, 2, 0, 5, 0, &x, 1, &err), "a register is set in the past");
    is_int(machine_recorded(m), 10000, "what came after is forgotten");
    const uint64_t after = machine_hash(m);
    ok(before != after, "the hash sees it");
    toy_go(m, MACHINE_POSITION, false, 0, 9999, false);
    is_int(*toy_reg(machine_wave(m, 2, &err), 0, 5), 2 * 16 + 5, "before the edit it is not there");
    toy_go(m, MACHINE_POSITION, false, 0, 10000, false);
    is_int(machine_hash(m), after, "at its position it is");
    machine_history(m, &h);
    is_int(h.edits, 1, "one edit is counted");
    ok(!machine_set_register(m, 2, 0, 16, 0, &x, 1, &err), "a register that is not there cannot be set");
    is_str(err.message, "this launch has no s16", "which is said");
    ok(!machine_set_register(m, 99, 0, 1, 0, &x, 1, &err), "nor one of a wave that is not there");
    machine_free(m);
}

static bool stop_now(void *data, uint64_t done, uint64_t todo)
{
    (void)todo;
    *(uint64_t *)data = done;
    return false;
}

static void test_interrupt(void)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 50, 150);
    uint64_t done = 0;
    struct gpudbg_stop stop = machine_run(
        m, &(struct machine_want){.until = MACHINE_END, .tick = stop_now, .data = &done});
    is_int(stop.reason, GPUDBG_STOP_INTERRUPT, "a tick that says no ends the run");
    ok(done > 0 && done < 1000000 && machine_position(m) == done, "within a million instructions (%u)", (unsigned)done);
    machine_free(m);
}

/* Says no at the question of that number. */
static bool stop_at(void *data, uint64_t done, uint64_t todo)
{
    (void)done, (void)todo;
    return --*(int *)data > 0;
}

static bool never(void *data, struct gpudbg_wave *w, int number)
{
    (void)data, (void)w, (void)number;
    return false;
}

/* Recorded time that has one checkpoint, at the launch: every way is long. */
static struct gpudbg_machine *far_from_checkpoints(uint64_t *end)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 50, 150);
    machine_history_budget(m, 1);
    core_of(m)->history.interval = UINT64_MAX / 16;
    toy_go(m, MACHINE_END, false, 0, 0, false);
    *end = machine_position(m);
    return m;
}

static void is_back(struct gpudbg_machine *m, struct machine_want want, uint64_t at, uint64_t hash, const char *what)
{
    int left = 3;
    want.tick = stop_at;
    want.data = &left;
    const struct gpudbg_stop stop = machine_run(m, &want);
    is_int(stop.reason, GPUDBG_STOP_INTERRUPT, "%s can be interrupted", what);
    is_int(left, 0, "... and asks no more after that");
    is_int(machine_position(m), at, "... and we are where we were");
    is_int(machine_hash(m), hash, "... in the same state");
    ok(at - core_of(m)->history.list[core_of(m)->history.present].position < 20000, "... without a long way");
}

static void test_interrupted_ways(void)
{
    struct gpudbg_error err = {0};
    uint64_t end, now;
    struct gpudbg_machine *m = far_from_checkpoints(&end), *plain = toy_machine(&busy_program, 50, 150);
    now = end - 100000;
    toy_go(m, MACHINE_POSITION, false, 0, now, false);
    toy_go(plain, MACHINE_POSITION, false, 0, now, false);
    const uint64_t hash = machine_hash(plain);
    is_int(machine_hash(m), hash, "a long way back ends in the right state");
    const uint32_t wave = machine_next_wave(m), old = wave - 30;
    is_back(m, (struct machine_want){.until = MACHINE_POSITION, .count = now - 500000}, now, hash, "going back");
    is_back(m, (struct machine_want){.until = MACHINE_STEPS, .backwards = true, .wave = old, .count = 1}, now, hash,
        "a step back of a wave that ended long ago");
    machine_break(m, 8, 1, true, &err);
    is_back(m,
        (struct machine_want){.until = MACHINE_END, .backwards = true, .stops = true, .hit = never, .wave = wave}, now,
        hash, "a search back");
    machine_break(m, 8, 1, false, &err);

    int left = 3;
    machine_rewind(m);
    struct machine_want on = {.until = MACHINE_POSITION, .count = 1000000, .tick = stop_at, .data = &left};
    const struct gpudbg_stop stop = machine_run(m, &on);
    const uint64_t at = machine_position(m);
    is_int(stop.reason, GPUDBG_STOP_INTERRUPT, "going on in recorded time can be interrupted");
    ok(at > 0 && at < 100000, "... at a position on the way (%u)", (unsigned)at);
    is_int(machine_recorded(m), end, "... and the rest is still recorded");
    toy_go(plain, MACHINE_POSITION, false, 0, at, false);
    is_int(machine_hash(m), machine_hash(plain), "... in the state of that position");
    toy_go(m, MACHINE_POSITION, false, 0, end, false);
    toy_go(plain, MACHINE_POSITION, false, 0, end, false);
    is_int(machine_hash(m), machine_hash(plain), "... and its end is the same");
    machine_free(m);
    machine_free(plain);
}

static void test_budget(void)
{
    struct gpudbg_machine *m = toy_machine(&busy_program, 40, 150), *free_one = toy_machine(&busy_program, 40, 150);
    struct machine_history h;
    const uint64_t budget = 400000;
    machine_history_budget(m, budget);
    core_of(m)->history.interval = core_of(free_one)->history.interval = 2000;
    toy_go(m, MACHINE_END, false, 0, 0, false);
    toy_go(free_one, MACHINE_END, false, 0, 0, false);
    machine_history(m, &h);
    ok(h.bytes <= budget, "history keeps to its budget (%u bytes)", (unsigned)h.bytes);
    ok(h.checkpoints > 3, "and has checkpoints (%u)", (unsigned)h.checkpoints);
    is_int(machine_hash(m), machine_hash(free_one), "the end is the same");
    unsigned wrong = 0;
    const uint64_t step = tap_sample() < 4 ? 54321 : 654321;
    for (uint64_t at = machine_recorded(m); at > step; at -= step) {
        toy_go(m, MACHINE_POSITION, false, 0, at, false);
        toy_go(free_one, MACHINE_POSITION, false, 0, at, false);
        wrong += machine_hash(m) != machine_hash(free_one);
    }
    is_int(wrong, 0, "and all on the way back");
    machine_free(m);
    machine_free(free_one);
}

int main(void)
{
    test_barrier();
    test_schedule();
    test_partial_group();
    test_many_groups();
    test_memory();
    test_segments();
    test_hash();
    test_breakpoints();
    test_watchpoints();
    test_steps_back();
    test_events();
    test_edits();
    test_interrupt();
    test_interrupted_ways();
    test_budget();
    return tap_done();
}
