/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs from nowhere on Intel's threads, of generations with each way of encoding, and threads of 256 registers:
 * each instruction is executed or stops with a reason, an instruction that faults changes nothing, the way back and
 * forth is exact, and every way of reading regions ends in the same state.  One input in three is watched and asked
 * about instead (watched.h).
 *
 * The first byte chooses the generation; then 16 bytes an instruction: its opcode becomes one of the table.
 */
#include "watched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define POSITIONS 600
#define FAULTS 24
#define INSTRUCTIONS 40u

struct code {
    uint8_t bytes[16 * INSTRUCTIONS];
    size_t n;
};

static void make(struct code *c, const struct gpudbg_isa *isa, struct input *in)
{
    memset(c, 0, sizeof *c);
    while (in->left && c->n + 16 <= sizeof c->bytes) {
        uint64_t w[2] = {input_take(in, 8), input_take(in, 8)};
        const unsigned pick = (unsigned)(w[0] & 0x7f);
        w[0] = (w[0] & ~UINT64_C(0x7f)) | (uint64_t)isa->rows[pick % isa->nops].code;
        w[0] &= ~(UINT64_C(1) << 29);                            /* not compacted */
        if (isa->ops[pick % isa->nops].flags & GPUDBG_OP_BRANCH) /* near */
            w[1] &= strncmp(isa->name, "gen12", 5) ? UINT64_C(0x003f003fffffffff) : UINT64_C(0x000001f0000001f0);
        memcpy(c->bytes + c->n, w, 16);
        c->n += 16;
    }
}

static struct gpudbg_machine *launch(
    struct gpudbg *g, const struct gpudbg_isa *isa, const struct code *c, const char *paths)
{
    struct gpudbg_error err = {0};
    struct load_options options = {.isa = isa, .raw = true};
    setenv("GPUDBG_REGIONS", paths, 1);
    struct gpudbg_image *image = session_image_from(g, "program", c->bytes, c->n, &options, &err);
    if (!image) abort();
    session_take(g, image);
    struct gpudbg_out *out = out_memory(false);
    char line[300];
    snprintf(line, sizeof line,
        "launch -g 20 -l 20 simd=16 %s bti0=zero:256 bti1=fill:300:7 bti2=zero:256:float4/16 buf0=zero:4096 slm=1024 "
        "scratch=1024 "
        "r1=fill:1024:63 r40=hex:00000000010000000200000003000000",
        strcmp(isa->name, "gen12.5") ? "" : "grfs=256");
    if (!gpudbg_execute(g, line, out, &err) || !gpudbg_session_machine(g)) abort();
    out_close(out);
    return gpudbg_session_machine(g);
}

/* To the end, over what faults; the hash of the end. */
static uint64_t run_all(struct gpudbg_machine *m, uint64_t *start)
{
    *start = machine_hash(m);
    for (unsigned faults = 0; faults < FAULTS; faults++) {
        const struct gpudbg_stop stop = machine_run(
            m, &(struct machine_want){.until = MACHINE_POSITION, .count = POSITIONS});
        uint64_t after;
        if (stop.reason != GPUDBG_STOP_FAULT) break;
        if (!stop.message[0]) abort(); /* a fault says what it is */
        const uint64_t before = machine_hash(m);
        if (machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = POSITIONS}).reason !=
                GPUDBG_STOP_FAULT ||
            machine_hash(m) != before)
            abort(); /* it changes nothing */
        if (!program_after(m, stop.pc, &after) || !machine_set_pc(m, stop.wave, after, &(struct gpudbg_error){0}))
            break;
        if (!machine_position(m)) *start = machine_hash(m);
    }
    return machine_hash(m);
}

static void go(struct gpudbg_machine *m, uint64_t position, uint64_t hash)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = position});
    if (machine_position(m) != position || machine_hash(m) != hash) abort();
}

static void watch(
    struct gpudbg *g, const struct gpudbg_isa *isa, const struct code *c, const uint8_t *data, size_t size)
{
    static const char *const questions[] = {"print $r%u", "print $r%u.3:f", "print $r%u.12:w", "info registers",
        "print $acc%u", "print $f%u", "print $a0", "print $ip", "print $cr0", "origin $r%u.3", "origin/tree 3 $r%u.1:f",
        "last-write $r%u.1", "next-write $r%u.0", "info writes $r%u", "why off lane %u", "info checks", "info locals",
        "find-time $r%u.0 != 0", "info channels", "info messages", "info payload", "x/3i $pc", "info profile",
        "disassemble", "print $acc%u.3", NULL};
    struct input end = {data + (size > 40 ? size - 40 : 0), size > 40 ? 40 : size};
    launch(g, isa, c, "all");
    watched_run(g, &(struct watched){questions, 128}, &end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    static const char *const names[] = {"gen7", "gen7.5", "gen12", "gen12.5"};
    if (!g) g = program_session();
    struct input in = {data, size};
    const struct gpudbg_isa *isa = session_isa(g, names[input_take(&in, 1) % 4]);
    struct code c;
    make(&c, isa, &in);
    if (!c.n) return 0;
    if (size > 40 && data[size - 1] % 3 == 0) {
        watch(g, isa, &c, data, size);
        return 0;
    }
    uint64_t start, end = run_all(launch(g, isa, &c, "all"), &start);
    struct gpudbg_machine *m = gpudbg_session_machine(g);
    const uint64_t position = machine_position(m);
    go(m, 0, start);
    go(m, position, end);
    uint64_t other;
    if (run_all(launch(g, isa, &c, "generic"), &other) != end) abort();
    return 0;
}
