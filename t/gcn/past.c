/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs of Sea Islands: who wrote which register, against a tracer that flips bits (witness.h). */
#include "../fuzz/machine.c"
#include "../core/witness_time.h"

int main(void)
{
    struct gpudbg *g = program_session();
    const struct gpudbg_isa *isa = session_isa(g, "gfx7");
    const unsigned programs = getenv("GPUDBG_NIGHTLY") ? 300 : 40 / tap_sample();
    for (unsigned i = 0; i < programs; i++) {
        uint8_t bytes[600];
        char what[40];
        witness_seed = i + 1;
        chance_bytes(bytes, sizeof bytes);
        struct input in = {bytes, sizeof bytes};
        struct program program;
        program_make(&program, isa, &in, 48);
        run_all(program_launch(g, isa, &program));
        snprintf(what, sizeof what, "program %u", i);
        witness(g, what);
        witness_time(g, what, true);
    }
    session_close(g);
    return tap_done();
}
