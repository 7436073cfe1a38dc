/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines from nowhere, on a session with a small kernel launched: each ends, and a failure says what it is.  The
 * kernel loops, stores to LDS and to a register; the session is sealed, so that no command touches a file.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "session/command.h"
#include "image/load.h"
#include "out/out.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES 24
#define LINE 400
#define TICKS 800

/* A loop that counts s0 down from 3, then v0 = s0. */
static const uint32_t code[] = {0xbe800383, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200, 0xbf810000};

struct patience {
    unsigned ticks;
};

/* Commands that never end are interrupted, as by Ctrl-C. */
static bool tick(void *data, uint64_t done, uint64_t todo)
{
    struct patience *p = data;
    (void)todo;
    return ++p->ticks < TICKS && done < 1000000;
}

static bool ask(void *data, const char *question)
{
    (void)data;
    (void)question;
    return true;
}

/* Launches may ask for gigabytes and read files: that is for other tests. */
static bool too_large(const char *line)
{
    unsigned digits = 0;
    for (; *line; line++) {
        digits = isxdigit((unsigned char)*line) ? digits + 1 : 0;
        if (digits > 5 || *line == '@') return true;
    }
    return false;
}

static bool is_launch(const char *line)
{
    return strstr(line, "-g") || strstr(line, "zero:") || strstr(line, "fill:") || strstr(line, "local:") ||
           strchr(line, '@');
}

static void run_line(struct gpudbg *g, const char *line, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    size_t start;
    if (is_launch(line) && too_large(line)) return;
    for (unsigned state = 0; state < 3; state++) free(command_complete(g, line, &start, state));
    if (!gpudbg_execute(g, line, out, &err) && (!err.kind || !err.message[0])) abort(); /* a failure says what it is */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpudbg_error err = {0};
    struct patience patience = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g) abort();
    struct load_options options = {.isa = session_isa(g, "gfx7"), .raw = true};
    struct gpudbg_image *image = options.isa
                                     ? session_image_from(g, "fuzz", (const uint8_t *)code, sizeof code, &options, &err)
                                     : NULL;
    if (!image) abort();
    session_take(g, image);
    g->sealed = true;
    g->settings.step_limit = 100000;
    g->ticker.tick = tick;
    g->front.ask = ask;
    g->ticker.data = &patience;
    struct gpudbg_out *out = out_memory(size && data[0] & 1);
    run_line(g, "launch -g 128 -l 128 buf0=zero:64", out);
    for (unsigned lines = 0; size && lines < LINES && !g->quit; lines++) {
        char line[LINE + 1];
        const uint8_t *end = memchr(data, '\n', size);
        size_t n = end ? (size_t)(end - data) : size, used = n < LINE ? n : LINE;
        memcpy(line, data, used);
        line[used] = 0;
        patience.ticks = 0;
        run_line(g, line, out);
        free(out_taken(out, NULL));
        data += end ? n + 1 : n;
        size -= end ? n + 1 : n;
    }
    out_close(out);
    session_close(g);
    return 0;
}
