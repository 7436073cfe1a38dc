/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs from nowhere on a small machine: each instruction is executed or stops with a reason, an instruction that
 * faults changes nothing, and the machine goes back to its start and forward to its end again exactly.  What is written
 * outside of the machine is seen by the sanitizer, or by the way back.
 *
 * One input in three runs with few registers instead, watched and asked about (watched.h).
 */
#include <stdio.h>

#include "command/cmd_device.h"
#include "watched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define POSITIONS 4000
#define FAULTS 64

/* Runs to the end of the program, over what faults.  Returns the hash of the start, of which edits made there are part.
 */
static uint64_t run_all(struct gpudbg_machine *m)
{
    uint64_t start = machine_hash(m);
    for (unsigned faults = 0; faults < FAULTS; faults++) {
        const struct gpudbg_stop stop = machine_run(
            m, &(struct machine_want){.until = MACHINE_POSITION, .count = POSITIONS});
        if (stop.reason != GPUDBG_STOP_FAULT) break;
        if (!stop.message[0]) abort(); /* a fault says what it is */
        const uint64_t before = machine_hash(m);
        const struct gpudbg_stop again = machine_run(
            m, &(struct machine_want){.until = MACHINE_POSITION, .count = POSITIONS});
        if (again.reason != GPUDBG_STOP_FAULT || machine_hash(m) != before) abort(); /* it changes nothing */
        uint64_t after;
        if (!program_after(m, stop.pc, &after) || !machine_set_pc(m, stop.wave, after, &(struct gpudbg_error){0}))
            break;
        if (!machine_position(m)) start = machine_hash(m);
    }
    return start;
}

static void go(struct gpudbg_machine *m, uint64_t position, uint64_t hash)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = position});
    if (machine_position(m) != position || machine_hash(m) != hash) abort();
}

/* Every third input brings a tiling table of its own, from its last bytes; half of all are counted as they run. */
static void prepare(struct gpudbg *g, const uint8_t *data, size_t size)
{
    uint32_t tail[2] = {0, 0};
    memcpy(tail, data + (size > 8 ? size - 8 : 0), size > 8 ? 8 : size);
    for (unsigned i = 0; i < 48; i++) {
        char text[64];
        snprintf(text, sizeof text, size % 3 ? "GB_%s_MODE%u default" : "GB_%s_MODE%u 0x%x",
            i < 32 ? "TILE" : "MACROTILE", i % 32, tail[i >= 32]);
        if (!device_set_command(g, text, &(struct gpudbg_error){0})) abort();
    }
    g->settings.profile = size & 1;
}

static void with_few_registers(struct gpudbg *g, const struct gpudbg_isa *isa, const uint8_t *data, size_t size)
{
    static const char *const questions[] = {"print $v%u[3]", "print $s%u", "print $v[0:%u]", "info registers v",
        "print $trapsts", "print $mode", "origin $v%u[0]", "origin $s%u", "origin/tree 3 $v%u[1]", "last-write $v%u[1]",
        "next-write $v%u[0]", "info writes $v%u", "info writes $s%u", "why off lane %u", "info checks", "info locals",
        "find-time $v%u[0] != 0", "find-time $s%u != 0", "info inputs", "info resources", "print count $v%u[:] > 0",
        "x/3i $pc", "info profile", "disassemble", "print $vcc", NULL};
    struct input in = {data, size};
    struct program program;
    char registers[40];
    const unsigned few = 1 + (unsigned)input_take(&in, 1) % 12;
    snprintf(registers, sizeof registers, "vgprs=%u sgprs=%u", few, few * 8);
    program_make(&program, isa, &in, 32);
    if (few & 1) program.word[program.n++] = 0xb9000003u | 31u << 11; /* s_getreg of TRAPSTS: exceptions are watched */
    program_launch_with(g, isa, &program, registers);
    struct input end = {data + (size > 40 ? size - 40 : 0), size > 40 ? 40 : size};
    watched_run(g, &(struct watched){questions, few}, &end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    if (!g) g = program_session();
    if (size > 40 && data[size - 1] % 3 == 0) {
        with_few_registers(g, session_isa(g, size & 1 ? "gfx7" : "gfx7-pro"), data, size);
        return 0;
    }
    const struct gpudbg_isa *isa = session_isa(g, "gfx7");
    prepare(g, data, size);
    struct input in = {data, size};
    struct program program;
    program_make(&program, isa, &in, 48);
    struct gpudbg_machine *m = program_launch(g, isa, &program);
    const uint64_t start = run_all(m), position = machine_position(m), end = machine_hash(m);
    go(m, 0, start);
    go(m, position, end);
    return 0;
}
