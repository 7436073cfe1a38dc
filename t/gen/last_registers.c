/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every opcode of Intel's threads with operands near the end of the register file and of the architecture registers,
 * by every way of execution: nothing outside the thread's words is touched (guarded.h).
 */
#define LLVMFuzzerTestOneInput fuzz_one
#include "../fuzz/machine_gen.c"

#include "../core/guarded.h"

/* 16 bytes with many ones: registers near r127 (r255 of gen12.5), far subregisters, long regions. */
static void fill(uint8_t bytes[1 + 16 * INSTRUCTIONS], unsigned generation)
{
    bytes[0] = (uint8_t)generation;
    for (size_t i = 1; i < 1 + 16 * INSTRUCTIONS; i += 8) {
        uint64_t word = guarded_random();
        if (guarded_random() & 1) word |= guarded_random() & guarded_random();
        memcpy(bytes + i, &word, 8);
    }
}

static void check(struct gpudbg *g, unsigned generation, const char *paths)
{
    static const char *const names[] = {"gen7", "gen7.5", "gen12", "gen12.5"};
    const struct gpudbg_isa *isa = session_isa(g, names[generation]);
    uint64_t tried = 0, executed = 0;
    for (unsigned i = 0; i<120; i += tap_sample()> 10 ? 10 : tap_sample()) {
        uint8_t bytes[1 + 16 * INSTRUCTIONS];
        struct gpudbg_error err = {0};
        struct guarded guarded;
        struct code c;
        fill(bytes, generation);
        struct input in = {bytes + 1, sizeof bytes - 1};
        make(&c, isa, &in);
        struct gpudbg_machine *m = launch(g, isa, &c, paths);
        if (!guarded_open(&guarded, m)) abort();
        const struct gpudbg_wave *w = machine_wave(m, 0, &err);
        for (size_t at = 0; at < c.n; at += 16) guarded_try(&guarded, w, at);
        tried += guarded.tried;
        executed += guarded.executed;
        guarded_close(&guarded);
    }
    tap_check(executed > tried / 20, __FILE__, __LINE__,
        tap_name("%s, %s paths: %llu instructions, %llu of them executed, stay inside", isa->name, paths,
            (unsigned long long)tried, (unsigned long long)executed));
}

int main(void)
{
    struct gpudbg *g = program_session();
    for (unsigned generation = 0; generation < 4; generation++) {
        check(g, generation, "all");
        check(g, generation, "generic");
    }
    session_close(g);
    return tap_done();
}
