/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved sessions from nowhere: whatever the bytes, a session or one error, in bounded time; and a session that opens
 * can be saved and opened again. */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "command/session_file.h"
#include "decoders/decoders.h"
#include "out/out.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpudbg_error err = {.offset = -1};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct gpudbg_out *out = out_memory(false);
    if (!g || !out) abort();
    g->sealed = true; /* named files are not read */
    g->settings.step_limit = 20000;
    g->settings.memory_limit = 1 << 24;
    if (session_read_bytes(g, "fuzz", data, size, out, &err)) {
        if (session_digest(g) != g->saved.was) abort();
        err = (struct gpudbg_error){.offset = -1};
        gpudbg_execute(g, "info breakpoints", out, &err);
        gpudbg_execute(g, "info bookmarks", out, &err);
        gpudbg_execute(g, "info notes", out, &err);
        gpudbg_execute(g, "stepi 100", out, &err);
        gpudbg_execute(g, "reverse-stepi 100", out, &err);
    } else if (!err.kind || !err.message[0]) {
        abort(); /* a failure says what it is */
    }
    out_close(out);
    session_close(g);
    return 0;
}
