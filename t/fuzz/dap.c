/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversations of the Debug Adapter Protocol.  What begins with an R is bytes as they come, headers and all; else each
 * line is a message, so that the requests themselves are met.  A small program is launched already; nothing may write
 * or load files.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "dap/dap.h"
#include "decoders/decoders.h"
#include "image/load.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 20000 /* bytes of an input */

/* A loop that counts s0 down from 3, then v0 = s0. */
static const uint32_t words[] = {0xbe800383, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200, 0xbf810000};

/* Launches may ask for gigabytes and read files: that is for other tests. */
static bool too_large(const uint8_t *text, size_t n)
{
    unsigned digits = 0;
    for (size_t i = 0; i < n; i++) {
        digits = isxdigit(text[i]) ? digits + 1 : 0;
        if (digits > 5 || text[i] == '@' || text[i] == '\\') return true;
    }
    return false;
}

static bool names_launch(const uint8_t *text, size_t n)
{
    static const char *const signs[] = {"-g", "zero", "fill", "local", "global", "hex", "@"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (memmem(text, n, signs[i], strlen(signs[i]))) return true;
    return false;
}

static struct gpudbg *open_session(void *data, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg *g = session_open(command_families, builtin_plugins, err);
    (void)data, (void)out;
    if (!g) return NULL;
    const struct load_options options = {.isa = session_isa(g, "gfx7"), .raw = true};
    struct gpudbg_image *image = session_image_from(g, "fuzz", (const uint8_t *)words, sizeof words, &options, err);
    if (image) session_take(g, image);
    g->sealed = true;
    g->settings.step_limit = 2000;
    g->settings.history_budget = 1 << 20;
    if (!image || !session_launch(g, "-g 128 -l 128 buf0=zero:64", err)) abort();
    return g;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct dap_sessions sessions = {open_session, NULL};
    if (!size || size > MOST || (names_launch(data, size) && too_large(data, size))) return 0;
    if (data[0] == 'R') {
        dap_given(&sessions, (const char *)data + 1, size - 1);
        return 0;
    }
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - data) - at : size - at;
        fprintf(f, "Content-Length: %zu\r\n\r\n", length);
        fwrite(data + at, 1, length, f);
        at += length + 1;
    }
    fclose(f);
    dap_given(&sessions, text, n);
    free(text);
    return 0;
}
