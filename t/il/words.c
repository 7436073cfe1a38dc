/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c: each row of words.def both ways: the tokens decode to the text, and the text assembles to the tokens. */
#include <stdlib.h>
#include <string.h>
#include "decoders/il/il_isa.h"
#include "tap.h"

#define PROGRAM "a public program"
#define MANUAL "the manual's formats"
static const struct {
    const char *tokens, *text, *source;
} words[] = {
#define WORD(tokens, text, source) {tokens, text, source},
#include "words.def"
};

static int bytes_of(const char *tokens, uint8_t bytes[64])
{
    int n = 0;
    for (char *end; n < 64; tokens = end, n += 4) {
        const unsigned long token = strtoul(tokens, &end, 16);
        if (end == tokens) break;
        le_put(bytes + n, token, 4);
    }
    return n;
}

int main(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint8_t bytes[64], back[GPUDBG_INSN_BYTES] = {0};
        char text[512] = "";
        const int n = bytes_of(words[i].tokens, bytes);
        struct gpudbg_insn insn;
        if (il_isa.decode(&il_isa, bytes, (size_t)n, 0x100, &insn) == n)
            il_isa.text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text, sizeof text);
        is_str(text, words[i].text, "%s, by %s", words[i].tokens, words[i].source);
        struct gpudbg_error err = {.offset = -1};
        struct gpudbg_reading r = {
            .text = words[i].text, .at = words[i].text, .addr = 0x100, .isa = &il_isa, .err = &err};
        const int size = il_assemble_insn(&r, back, sizeof back);
        ok(size == n && !memcmp(back, bytes, (size_t)n), "%s assembles (%s)", words[i].text, err.message);
    }
    return tap_done();
}
