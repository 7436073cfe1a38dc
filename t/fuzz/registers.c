/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of .regs files over the databases: what can be read is shown in all ways, what cannot is one line. */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "out/out.h"
#include "word/registers.h"
#include "word/registers_table.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const commands[] = {
        "reg", "reg -s a", "reg X", "reg X 0x12345678", "reg 0x10", "reg X.F=1", "enum", "enum E 1"};
    struct gpudbg_error err = {.offset = -1};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    char *text = malloc(size + 1);
    if (!g || !text) abort();
    g->sealed = true;
    free(g->data);
    g->data = strdup("/nonexistent"); /* nothing but the text */
    memcpy(text, data, size);
    text[size] = 0;
    if (!register_text(gpudbg_session_databases(g), "fuzz", text, size, &err) && (!err.line || !err.message[0]))
        abort();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct gpudbg_out *out = out_memory(i & 1);
        err = (struct gpudbg_error){.offset = -1};
        gpudbg_execute(g, commands[i], out, &err);
        out_close(out);
    }
    session_close(g);
    free(text);
    return 0;
}
