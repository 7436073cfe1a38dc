/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random programs of AMD IL, every instruction of each: registers by numbers and by indices that are anything, few of
 * each kind.  Nothing outside the wave's words is touched (guarded.h).
 */
#define LLVMFuzzerTestOneInput fuzz_one
#include "../fuzz/il_machine.c"

#include "../core/guarded.h"

/* Contents of the registers: small numbers, which index what there is, and great ones. */
static void fill(struct gpudbg_machine *m)
{
    struct gpudbg_error err = {0};
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned i = 0; m->isa->files[f].lanes > 1 && i < m->isa->run->count(m, f); i++) {
            uint32_t row[64];
            for (unsigned lane = 0; lane < 64; lane++) {
                const uint64_t chance = guarded_random();
                row[lane] = (uint32_t)(chance >> 32) >> (chance % 3 * 14);
            }
            machine_set_register(m, 0, f, i, 0, row, 64, &err);
        }
}

int main(void)
{
    struct gpudbg *g = program_session();
    uint64_t tried = 0, executed = 0, programs = 0;
    for (unsigned i = 0; i < 400; i += tap_sample()) {
        uint8_t bytes[700];
        uint64_t jump;
        struct gpudbg_error err = {0};
        struct guarded guarded;
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(guarded_random() >> 20);
        struct gpudbg_machine *m = launch(g, bytes, sizeof bytes, &jump);
        if (!m) continue;
        fill(m);
        if (!guarded_open(&guarded, m)) abort();
        const struct gpudbg_wave *w = machine_wave(m, 0, &err);
        for (uint64_t pc = 0, after; program_after(m, pc, &after); pc = after) guarded_try(&guarded, w, pc);
        programs++;
        tried += guarded.tried;
        executed += guarded.executed;
        guarded_close(&guarded);
    }
    tap_check(programs > 20 / tap_sample() && executed > tried / 20, __FILE__, __LINE__,
        tap_name("%llu programs: %llu instructions, %llu of them executed, stay inside", (unsigned long long)programs,
            (unsigned long long)tried, (unsigned long long)executed));
    session_close(g);
    return tap_done();
}
