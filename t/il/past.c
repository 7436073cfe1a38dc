/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs of AMD IL: who wrote which register, against a tracer that flips bits (witness.h). */
#define LLVMFuzzerTestOneInput fuzz_one
#include "../fuzz/il_machine.c"
#include "../core/witness_time.h"

int main(void)
{
    for (unsigned i = 0; i < 60; i += tap_sample()) {
        uint8_t bytes[500];
        char what[40];
        witness_seed = i + 1;
        chance_bytes(bytes, sizeof bytes);
        fuzz_one(bytes, sizeof bytes);
        snprintf(what, sizeof what, "program %u", i);
        if (!gpudbg_session_machine(fuzz_session)) continue;
        witness(fuzz_session, what);
        witness_time(fuzz_session, what, false);
    }
    session_close(fuzz_session);
    return tap_done();
}
