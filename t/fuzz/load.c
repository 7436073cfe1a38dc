/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files from nowhere: whatever the bytes, an image or one error; every kernel, symbol, line and variable of an image
 * can be asked for. */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "image/load.h"
#include "eval/locals.h"
#include "session/session.h"
#include "shaped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count(void *to, const struct local_row *row)
{
    *(size_t *)to += strlen(row->name) + strlen(row->type) + strlen(row->value) + strlen(row->place);
    return true;
}

/* Functions and variables at an address, as debug information has them. */
static void look(struct gpudbg *g, uint64_t pc)
{
    struct local_frame frame[8];
    size_t letters = 0;
    locals_frames(&g->eval, pc, frame, 8);
    g->selection.cursor = pc;
    locals_each(&g->eval, 0, 0, count, &letters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    struct gpudbg_error err = {0};
    if (!g && !(g = session_open(command_families, builtin_plugins, &err))) abort();
    struct load_options options = {0};
    if (size && data[size - 1] & 1) options.isa = session_isa(g, "gfx7");
    struct gpudbg_image *image = session_image_from(g, "fuzz", data, size, &options, &err);
    if (!image) {
        if (!err.kind || !err.message[0]) abort(); /* a failure says what it is */
        return 0;
    }
    uint8_t copy[64];
    for (size_t i = 0; i < image->nsections; i++) gpudbg_image_copy(image, image->sections[i].addr, copy, sizeof copy);
    for (size_t i = 0; i < image->nsymbols; i++) {
        if (!gpudbg_image_find(image, image->symbols[i].name)) abort();
        gpudbg_image_symbol_at(image, image->symbols[i].addr);
    }
    for (size_t i = 0; i < image->nkernels; i++) {
        size_t n;
        if (!gpudbg_image_bytes(image, image->kernels[i].entry, &n)) abort(); /* an entry is code of the file */
        gpudbg_image_line(image, image->kernels[i].entry);
    }
    g->loaded.image = image;
    for (size_t i = 0; i < image->nsymbols && i < 8; i++)
        for (uint64_t at = 0; at < 256; at += 36) look(g, image->symbols[i].addr + at);
    g->loaded.image = NULL;
    image_close(image);
    return 0;
}
