/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files from nowhere: whatever the bytes, an image or one error; every kernel, symbol and line of an image can be asked for. */
#include <stdlib.h>
#include <string.h>
#include "load.h"
#include "session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gpudbg *g;
    struct gpudbg_error err = {0};
    if (!g && !(g = session_open(&err))) abort();
    struct load_options options = {0};
    if (size && data[size - 1] & 1) options.isa = session_isa(g, "gfx7");
    struct gpudbg_image *image = image_from(g, "fuzz", data, size, &options, &err);
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
    image_close(image);
    return 0;
}
