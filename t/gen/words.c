/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.c: each row of words.def both ways and on each generation that it is of: the bytes decode to the text, and the
 * text assembles to the bytes.
 */
#include <stdlib.h>
#include <string.h>
#include "isa.h"
#include "decoders/gen/text/gen_assembly.h"
#include "tap.h"

enum { IGA, MESA };
static const struct {
    unsigned number; /* of eu.def */
    const char *hex, *text;
    unsigned source;
} words[] = {
#define WORD(number, hex, text, source) {number, hex, text, source},
#include "words.def"
};

static size_t bytes_of(const char *hex, uint8_t bytes[16])
{
    size_t n = 0;
    for (unsigned byte; n < 16 && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++) bytes[n] = (uint8_t)byte;
    return n;
}

static unsigned syntax_of(const struct gpudbg_isa *isa, const char *name)
{
    unsigned n = 0;
    while (strcmp(isa->syntaxes[n], name) != 0) n++;
    return n;
}

/* One blank in place of many: Mesa writes columns. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++)
        if (*p != ' ' || (to > text && to[-1] != ' ')) *to++ = *p;
    while (to > text && to[-1] == ' ') to--;
    *to = 0;
}

static bool no_symbol(const struct gpudbg_reading *r, const char *name, size_t n, uint64_t *value, bool *known)
{
    (void)r;
    (void)name;
    (void)n;
    (void)value;
    (void)known;
    return false;
}

int main(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct gpudbg_isa *isa = NULL;
        for (unsigned k = 0; k < GEN_EUS; k++)
            if (gen_eus[k].number == words[i].number) isa = &gen_eus[k].isa;
        const unsigned syntax = syntax_of(isa, words[i].source == IGA ? "iga" : "mesa");
        uint8_t bytes[16], back[16] = {0};
        char text[TEXT_WHOLE] = "";
        const size_t n = bytes_of(words[i].hex, bytes);
        struct gpudbg_insn insn;
        if (gen_decode(isa, bytes, n, 0x1000, &insn) == (int)n)
            gen_text(&insn, syntax, GPUDBG_ASSEMBLER, NULL, text, sizeof text);
        squeeze(text);
        is_str(text, words[i].text, "%s: %s", isa->name, words[i].hex);
        struct gpudbg_error err = {.offset = -1};
        struct gpudbg_reading r = {.text = words[i].text,
            .at = words[i].text,
            .addr = 0x1000,
            .isa = isa,
            .syntax = syntax,
            .symbol = no_symbol,
            .err = &err};
        const int size = gen_assemble(&r, back, sizeof back);
        ok(size == (int)n && !memcmp(back, bytes, n), "%s: %s assembles (%s)", isa->name, words[i].text, err.message);
    }
    return tap_done();
}
