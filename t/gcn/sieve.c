/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sieve.c: what instructions are like that hold a word, against the text of random instructions: none that holds a part
 * of its own text is missed.
 */
#include <ctype.h>
#include <stdlib.h>
#include "decoders/gcn/gcn.h"
#include "tap.h"

static uint64_t state = 1;

static uint32_t chance(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % n);
}

/* A random instruction's text in small letters; 0: the words are none. */
static size_t some_text(uint8_t bytes[8], char *text, size_t size)
{
    static const uint8_t leads[] = {
        0, 0x7c, 0x7e, 0x80, 0xb0, 0xbe, 0xbf, 0xc0, 0xc8, 0xd0, 0xd8, 0xdc, 0xe0, 0xe8, 0xf0, 0xf8};
    struct gpudbg_insn insn;
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)chance(256);
    if (chance(4)) bytes[3] = (uint8_t)(leads[chance(sizeof leads)] | (bytes[3] & 3));
    if (gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, 8, 0x1000, &insn) <= 0) return 0;
    const int n = gcn_chips[GCN_CHIP_gfx7].isa.text(&insn, 0, GPUDBG_READABLE, NULL, text, size);
    for (char *c = text; *c; c++) *c = (char)tolower((unsigned char)*c);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static bool passes(const struct gpudbg_masked *m, int n, const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, 4);
    for (int i = 0; i < n; i++)
        if ((word & m[i].mask) == m[i].value) return true;
    return n < 0;
}

static void parts_of_texts(void)
{
    struct gpudbg_masked masks[32];
    char text[2048], missed[2200] = "";
    uint8_t bytes[8];
    unsigned answered = 0, tried = 0;
    while (tried < 300000 / tap_sample() && !*missed) {
        const size_t n = some_text(bytes, text, sizeof text);
        if (!n) continue;
        const size_t mnemonic = strcspn(text, " "), from = chance(2) ? chance((uint32_t)mnemonic) : chance((uint32_t)n);
        const size_t length = 1 + chance((uint32_t)(n - from < 24 ? n - from : 24));
        char part[32] = "";
        memcpy(part, text + from, length);
        const int met = gcn_sieve(&gcn_chips[GCN_CHIP_gfx7].isa, part, masks, 32);
        if (!passes(masks, met, bytes)) snprintf(missed, sizeof missed, "'%s' of %s", part, text);
        answered += met >= 0;
        tried++;
    }
    is_str(missed, "", "no instruction that holds a part of its text is missed");
    ok(answered > tried / 8, "many parts are answered: %u of %u", answered, tried);
}

/* What passes has the word in its mnemonic: masks that are made fewer let nothing else through. */
static void nothing_more(void)
{
    static const char *const words[] = {"s_barrier", "v_mad_u64", "buffer_load", "image_sample", "ds_write", "v_cvt",
        "s_cbranch", "v_cmp_lt_f32", "_mul_lo", "v_mac_f32", "exp_f32", "s_waitcnt vmcnt(0)", "movrel"};
    struct gpudbg_masked masks[64];
    char text[2048];
    uint8_t bytes[8];
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const int n = gcn_sieve(&gcn_chips[GCN_CHIP_gfx7].isa, words[w], masks, 64);
        unsigned more = 0, held = 0;
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(words[w], " "), words[w]);
        for (unsigned i = 0; n > 0 && i < 20000 / tap_sample(); i++) {
            for (unsigned b = 0; b < 8; b++) bytes[b] = (uint8_t)chance(256);
            const struct gpudbg_masked *m = &masks[chance((uint32_t)n)];
            uint32_t first;
            memcpy(&first, bytes, 4);
            first = (first & ~m->mask) | m->value;
            memcpy(bytes, &first, 4);
            struct gpudbg_insn insn;
            if (gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, 8, 0x1000, &insn) <= 0) continue;
            gcn_chips[GCN_CHIP_gfx7].isa.text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
            text[strcspn(text, " ")] = 0;
            *(strstr(text, word) ? &held : &more) += 1;
        }
        ok(n > 0 && held && !more, "%s: %d masks, through which nothing else passes", words[w], n);
    }
}

static void not_answered(void)
{
    static const char *const words[] = {"v1", "vcc", "add", "0x", "l00a0", "mul", "v12", "s[4:5]", "", " ", "attr3.x",
        "qmsk", "sendmsg", "msg_gs", "hw_reg", "glc", "_lo", "tfe", "v_", "s_branch l0010"};
    struct gpudbg_masked masks[32];
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const int n = gcn_sieve(&gcn_chips[GCN_CHIP_gfx7].isa, words[w], masks, 32);
        if (!strcmp(words[w], "qmsk"))
            is_int(n, 0, "%s: no instruction has it", words[w]);
        else
            ok(n < 0, "'%s': it may stand anywhere", words[w]);
    }
}

int main(void)
{
    parts_of_texts();
    nothing_more();
    not_answered();
    return tap_done();
}
