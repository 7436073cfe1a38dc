/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.c: each row of words.def both ways and on each chip that it is of: the bytes decode to the text, and the text
 * assembles to the bytes.  On the chips before, a row is no word, or one with another text.
 */
#include <stdlib.h>
#include "decoders/gcn/gcn.h"
#include "decoders/gcn/gcn_ops.h"
#include "tap.h"

enum chips { ALL, GFX7, PRO };
#define LLVM "llvm-mc 19"
#define LLVM_MC "LLVM's tests"
#define MESA "Mesa's tests"
#define CLRX "CLRX's tests"

static const struct {
    enum chips chips;
    const char *hex, *text, *source;
} words[] = {
#define WORD(chips, hex, text, source) {chips, hex, text, source},
#include "words.def"
};

/* In the order of their chips: a row of ALL is of every one, of GFX7 from the second on. */
static const struct gpudbg_isa *const isas[] = {
    &gcn_chips[GCN_CHIP_gfx6].isa, &gcn_chips[GCN_CHIP_gfx7].isa, &gcn_chips[GCN_CHIP_gfx7_pro].isa};
static const enum chips has[] = {ALL, GFX7, PRO};

static size_t bytes_of(const char *hex, uint8_t bytes[8])
{
    size_t n = 0;
    for (unsigned byte; n < 8 && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++) bytes[n] = (uint8_t)byte;
    return n;
}

/* The text of the word, as the assembler takes it where LLVM has the chip; "" where it is no whole word. */
static const char *text_of(const struct gpudbg_isa *isa, const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    const enum gpudbg_style style = isa == &gcn_chips[GCN_CHIP_gfx7_pro].isa ? GPUDBG_READABLE : GPUDBG_ASSEMBLER;
    *buf = 0;
    if (gcn_decode(isa, bytes, n, 0x100, &insn) != (int)n || gcn_text(&insn, 0, style, NULL, buf, size) < 0) return "";
    return buf;
}

static void check_back(const struct gpudbg_isa *isa, const char *text, const uint8_t *bytes, size_t n)
{
    struct gpudbg_error err = {0};
    uint8_t back[GPUDBG_INSN_BYTES] = {0};
    struct gpudbg_reading r = {.text = text, .at = text, .addr = 0x100, .isa = isa, .err = &err};
    if (strstr(text, "_sdwa") || strstr(text, "_dpp")) return; /* are not assembled */
    const int size = gcn_assemble(&r, back, sizeof back);
    ok(size == (int)n && !memcmp(back, bytes, n), "%s: %s assembles (%s)", isa->name, text, err.message);
}

int main(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint8_t bytes[8];
        char buf[512];
        const size_t n = bytes_of(words[i].hex, bytes);
        for (size_t c = 0; c < sizeof isas / sizeof *isas; c++) {
            const char *text = text_of(isas[c], bytes, n, buf, sizeof buf);
            if (words[i].chips > has[c]) {
                ok(strcmp(text, words[i].text) != 0, "%s: %s is not %s", isas[c]->name, words[i].hex, words[i].text);
                continue;
            }
            is_str(text, words[i].text, "%s: %s, by %s", isas[c]->name, words[i].hex, words[i].source);
            check_back(isas[c], words[i].text, bytes, n);
        }
    }
    return tap_done();
}
