/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as code of every instruction set that has an assembler, in every syntax: as one line, and as a file.  What is
 * assembled decodes; what is refused has a reason with a column inside of the text. */
#include <stdlib.h>
#include <string.h>
#include "assemble/assembler.h"
#include "decoders/decoders.h"
#include "gpudbg.h"
#include "word/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_line(const struct assembler *as, const char *text)
{
    static uint8_t bytes[GPUDBG_INSN_BYTES];
    struct gpudbg_error err = {.offset = -1};
    const size_t n = assemble_line(as, 0x100, text, bytes, sizeof bytes, &err);
    if (n > sizeof bytes) abort();
    if (n) return;
    if (!err.kind || !*err.message) abort();
    if (err.column < 0 || (size_t)err.column > strlen(text) + 1) abort();
}

static void whole_file(const struct assembler *as, const char *text, size_t size)
{
    static struct gpudbg_error errors[ASSEMBLER_ERRORS];
    uint8_t *bytes;
    size_t n;
    unsigned nerrors;
    if (assemble_file(as, text, size, &bytes, &n, errors, &nerrors)) {
        if (nerrors || (n && !bytes)) abort();
        free(bytes);
        return;
    }
    if (!nerrors || nerrors > ASSEMBLER_ERRORS || !errors[0].kind) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = 0;
    for (const struct gpudbg_plugin *const *p = builtin_plugins; *p; p++)
        for (const struct gpudbg_isa *const *isa = (*p)->isas; isa && *isa; isa++)
            for (unsigned s = 0; (*isa)->assembler.line && (*isa)->syntaxes[s]; s++) {
                const struct assembler as = {.isa = *isa, .syntax = s, .compact = size & 1};
                one_line(&as, text);
                whole_file(&as, text, size);
            }
    free(text);
    return 0;
}
