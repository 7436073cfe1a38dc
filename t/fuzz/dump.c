/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps of every format.  The first byte says which reader (0: by content), the rest is the file; what it holds is
 * shown in all ways.  Nothing may crash, hang or take more memory than a dump may.
 */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "dump/dump.h"
#include "out/out.h"
#include "word/registry.h"
#include "session/session.h"

static void show(struct gpudbg *g, const char *command)
{
    struct gpudbg_error err = {.offset = -1};
    for (int json = 0; json < 2; json++) {
        struct gpudbg_out *out = out_memory(json);
        gpudbg_execute(g, command, out, &err);
        out_close(out);
        err = (struct gpudbg_error){.offset = -1};
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    struct gpudbg_error err = {.offset = -1};
    if (!g) {
        g = session_open(command_families, builtin_plugins, &err);
        if (!g) abort();
        g->sealed = true;
        g->loaded.dumps = calloc(1, sizeof *g->loaded.dumps);
    }
    if (!size) return 0;
    size_t readers = 0;
    while (registry_reader(g->registry, readers)) readers++;
    const size_t which = data[0] % (readers + 1);
    const char *format = which ? registry_reader(g->registry, which - 1)->name : NULL;
    g->loaded.isa = gpudbg_isa_named(g, data[0] & 0x80 ? "gen12" : "gfx7");
    struct gpudbg_dump *d = session_dump_from(g, "fuzz", data + 1, size - 1, format, &err);
    if (!d) return 0;
    g->loaded.dumps[0] = d;
    g->loaded.ndumps = 1;
    show(g, "info dump");
    show(g, "packets/f");
    show(g, "info dump diff 0");
    show(g, "explain");
    g->loaded.ndumps = 0;
    dump_close(d);
    return 0;
}
