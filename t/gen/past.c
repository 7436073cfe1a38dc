/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs of Intel's threads: who wrote which register, against a tracer that flips bits (witness.h). */
#include "../fuzz/machine_gen.c"
#include "../core/witness_time.h"

int main(void)
{
    struct gpudbg *g = program_session();
    static const char *const names[] = {"gen7", "gen7.5", "gen12"};
    const unsigned programs = getenv("GPUDBG_NIGHTLY") ? 300 : 90 / tap_sample();
    for (unsigned i = 0; i < programs; i++) {
        uint8_t bytes[560];
        char what[40];
        struct code c;
        uint64_t start;
        witness_seed = i + 1;
        chance_bytes(bytes, sizeof bytes);
        struct input in = {bytes, sizeof bytes};
        const struct gpudbg_isa *isa = session_isa(g, names[i % 3]);
        make(&c, isa, &in);
        run_all(launch(g, isa, &c, "all"), &start);
        snprintf(what, sizeof what, "%s, program %u", names[i % 3], i / 3);
        witness(g, what);
        witness_time(g, what, false);
    }
    session_close(g);
    return tap_done();
}
