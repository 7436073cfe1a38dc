/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journeys through time: steps of either wave, both ways, jumps, breakpoints, edits on a random program.  However a
 * position is reached, the machine is the same there; and a new machine that does straight what is left of the journey
 * ends alike.
 */
#include "program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define POSITIONS 4096
#define MOVES 64

/* An edit of the present timeline: a register of a wave, four bytes of the buffer, or a pc. */
struct change {
    uint64_t position, value;
    enum { CHANGE_REGISTER, CHANGE_MEMORY, CHANGE_PC } kind;
    uint32_t wave, where;
};

struct journey {
    struct gpudbg_machine *m;
    bool known[POSITIONS + 1];
    uint64_t hash[POSITIONS + 1];
    struct change change[2 * MOVES];
    size_t nchanges;
    bool broken[PROGRAM_DWORDS]; /* where breakpoints stand */
};

static bool make_change(struct gpudbg_machine *m, const struct change *c)
{
    struct gpudbg_error err = {0};
    const uint32_t value = (uint32_t)c->value;
    switch (c->kind) {
    case CHANGE_REGISTER:
        return machine_set_register(
            m, c->wave, program_file(m->isa, "v"), c->where % 24, c->where / 24 % 64, &value, 1, &err);
    case CHANGE_MEMORY:
        return machine_set_memory(m, c->wave, GPUDBG_GLOBAL,
            launch_buffer(m, "buf0", &err)->base + c->where % (PROGRAM_BUFFER - 3), &value, sizeof value, &err);
    case CHANGE_PC: return machine_set_pc(m, c->wave, c->value, &err);
    }
    return false;
}

/* Here the state must be what it was when we were here before. */
static void arrive(struct journey *j)
{
    const uint64_t position = machine_position(j->m), hash = machine_hash(j->m);
    if (position > POSITIONS) return;
    if (j->known[position] && j->hash[position] != hash) abort();
    j->known[position] = true;
    j->hash[position] = hash;
}

/* A new future begins here. */
static void change(struct journey *j, struct change c)
{
    c.position = machine_position(j->m);
    if (j->nchanges == sizeof j->change / sizeof *j->change || c.position > POSITIONS || !make_change(j->m, &c)) return;
    while (j->nchanges && j->change[j->nchanges - 1].position > c.position) j->nchanges--;
    j->change[j->nchanges++] = c;
    memset(j->known + c.position, 0, (POSITIONS + 1 - c.position) * sizeof *j->known);
    arrive(j);
}

static void run(struct journey *j, struct machine_want want)
{
    const uint64_t most = POSITIONS;
    if (want.until == MACHINE_POSITION && want.count > most) want.count = most;
    const struct gpudbg_stop stop = machine_run(j->m, &want);
    arrive(j);
    if (stop.reason != GPUDBG_STOP_FAULT) return;
    if (!stop.message[0]) abort();
    struct change past = {.kind = CHANGE_PC, .wave = stop.wave};
    if (machine_position(j->m) == machine_recorded(j->m) && program_after(j->m, stop.pc, &past.value)) change(j, past);
}

static void toggle_break(struct journey *j, uint64_t word)
{
    struct gpudbg_error err = {0};
    if (word < PROGRAM_DWORDS && machine_break(j->m, word * 4, (int)word + 1, !j->broken[word], &err))
        j->broken[word] = !j->broken[word];
}

static void move(struct journey *j, uint64_t what)
{
    const unsigned kind = what & 7;
    const bool back = what >> 3 & 1, stops = what >> 4 & 1;
    const uint32_t wave = what >> 5 & 1, n = what >> 8 & 0xff, rest = (uint32_t)(what >> 16);
    switch (kind) {
    case 0:
        run(j, (struct machine_want){
                   .until = MACHINE_STEPS, .backwards = back, .stops = stops, .wave = wave, .count = n % 32 + 1});
        break;
    case 1:
        run(j, (struct machine_want){
                   .until = MACHINE_POSITION, .stops = stops, .count = rest % (machine_recorded(j->m) + 1)});
        break;
    case 2: change(j, (struct change){.kind = CHANGE_REGISTER, .wave = wave, .where = n * 7, .value = rest}); break;
    case 3: change(j, (struct change){.kind = CHANGE_MEMORY, .wave = wave, .where = n * 16, .value = rest}); break;
    case 4: toggle_break(j, n); break;
    case 5:
        run(j,
            (struct machine_want){.until = MACHINE_POSITION, .stops = true, .count = machine_position(j->m) + n + 1});
        break;
    case 6: run(j, (struct machine_want){.until = MACHINE_END, .backwards = true, .stops = stops, .wave = wave}); break;
    default: run(j, (struct machine_want){.until = MACHINE_STEPS, .backwards = back, .wave = wave, .count = 1}); break;
    }
}

/* ---- The straight way ---- */

/* Registers, pc and state of every wave, and the buffer; where the schedule stands is left out, since who runs next may
 * rest on how the journey went. */
static uint64_t state_of(struct gpudbg_machine *m)
{
    uint64_t h = 1;
    struct gpudbg_error err = {0};
    for (uint32_t wave = 0; wave < m->nwaves; wave++) {
        struct machine_wave_info info;
        machine_wave_info(m, wave, &info);
        h = (h ^ info.pc ^ (uint64_t)info.state << 56 ^ info.executed << 20) * UINT64_C(0x100000001b3);
        const struct gpudbg_wave *w = info.state == GPUDBG_ENDED ? NULL : machine_wave(m, wave, &err);
        for (uint32_t i = 0; w && i < m->wave_words; i++) h = (h ^ w->words[i]) * UINT64_C(0x100000001b3);
    }
    const struct gpudbg_segment *s = launch_buffer(m, "buf0", &err);
    for (uint64_t i = 0; i < s->size; i++) h = (h ^ s->bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

struct turns {
    uint8_t wave[POSITIONS + 1];
    uint64_t n;
};

static bool note_turn(void *data, struct gpudbg_wave *w)
{
    struct turns *t = data;
    if (t->n <= POSITIONS) t->wave[t->n++] = (uint8_t)w->id;
    return false;
}

static void compare_straight(struct journey *j, struct gpudbg *g, const struct program *program)
{
    static struct turns turns;
    const uint64_t end = machine_recorded(j->m);
    turns.n = 0;
    if (end > POSITIONS) return;
    run(j, (struct machine_want){.until = MACHINE_POSITION, .count = 0});
    machine_observe(j->m, &(struct machine_observer){.data = &turns, .before = note_turn});
    machine_run(j->m, &(struct machine_want){.until = MACHINE_POSITION, .count = end, .observed = true});
    machine_observe(j->m, NULL);
    arrive(j);
    if (machine_position(j->m) != end || turns.n != end) abort();
    const uint64_t want = state_of(j->m);
    struct gpudbg_machine *m = program_launch(g, j->m->isa, program);
    size_t changes = 0;
    for (uint64_t at = 0; at <= end; at++) {
        for (; changes < j->nchanges && j->change[changes].position == at; changes++)
            if (!make_change(m, &j->change[changes])) abort();
        if (at < end)
            machine_run(m, &(struct machine_want){.until = MACHINE_STEPS, .wave = turns.wave[at], .count = 1});
    }
    if (machine_position(m) != end || state_of(m) != want) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    static struct journey j;
    if (!g) g = program_session();
    const struct gpudbg_isa *isa = session_isa(g, "gfx7");
    struct input in = {data, size};
    struct program program;
    program_make(&program, isa, &in, 1 + (unsigned)input_take(&in, 1) % 24);
    memset(&j, 0, sizeof j);
    j.m = program_launch(g, isa, &program);
    arrive(&j);
    for (unsigned moves = 0; moves < MOVES && in.left; moves++) move(&j, input_take(&in, 6));
    compare_straight(&j, g, &program);
    return 0;
}
