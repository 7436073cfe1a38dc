/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_code.c: the code that the waves of a dump stand in, with the number of waves at each instruction. */
#include "command/dump_code.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/records.h"
#include "code/walk.h"
#include "dump/dump.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "image/image.h"
#include "out/say.h"

#define BEFORE 4 /* instructions around one at which waves stand */
#define BEHIND 3

struct stand {
    uint64_t pc;    /* as the dump tells it */
    size_t wave, n; /* the first wave that stands there, and how many do */
};

static int by_pc(const void *a, const void *b)
{
    const struct stand *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    return (x->wave > y->wave) - (x->wave < y->wave);
}

/* To be freed. */
static struct stand *stands_of(const struct gpudbg_dump *d, const struct gpudbg_isa *isa, long capture, size_t *n)
{
    size_t waves, all = 0;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &waves);
    struct stand *s = xcalloc(waves + 1, sizeof *s);
    for (size_t i = 0; i < waves; i++)
        if ((capture < 0 || w[i].capture == (uint32_t)capture) && dump_wave_pc(isa, d, &w[i], &s[all].pc)) {
            s[all].wave = i;
            s[all++].n = 1;
        }
    if (all) qsort(s, all, sizeof *s, by_pc);
    *n = 0;
    for (size_t i = 0; i < all; i++) {
        if (*n && s[*n - 1].pc == s[i].pc)
            s[*n - 1].n++;
        else
            s[(*n)++] = s[i];
    }
    return s;
}

static void say_row(struct gpudbg_out *out, uint64_t address, const struct stand *s, const char *text)
{
    char waves[24] = "";
    if (s) snprintf(waves, sizeof waves, "%zu", s->n);
    RECORD(out, "wave-code", "{number:6} {mark}  {address:-10}  {text}\n", HEX("address", address),
        NUMBER("waves", s ? s->n : 0), STRING("text", text), TEXT("number", waves), TEXT("mark", s ? ">" : " "),
        IF(s, HEX("pc", s ? s->pc : 0)));
}

static void insn_words(const struct gpudbg_dump *d, struct gpudbg_insn *insn, char *buf, size_t size)
{
    insn->databases = gpudbg_dump_databases(d);
    if (insn->isa->text(insn, insn_syntax_or_first(insn->isa, ""), GPUDBG_READABLE, NULL, buf, size) < 0)
        snprintf(buf, size, "%s", insn->op->name);
}

/* The code around each place, in address order; blocks that meet are one. */
static void show_loaded(const struct gpudbg_dump *d, const struct gpudbg_image *image, const struct stand *s, size_t n,
    uint64_t shift, struct gpudbg_out *out)
{
    uint64_t done = 0; /* address behind what has been shown */
    char text[512];
    for (size_t i = 0, next = 0; i < n; i++) {
        struct gpudbg_insn insn;
        const uint64_t pc = s[i].pc - shift;
        uint64_t at = pc;
        for (unsigned k = 0; k < BEFORE && at > done && insn_before(image, at, &insn); k++) at = insn.addr;
        if (at > done || !done) {
            image_where(image, pc, text, sizeof text);
            gpudbg_out_print(out, "%s:\n", text);
        }
        if (at < done) at = done;
        for (unsigned behind = 0; behind <= BEHIND && insn_at(image, at, &insn); at += insn.size) {
            while (next < n && s[next].pc - shift < at) next++;
            const bool stands = next < n && s[next].pc - shift == at;
            insn_words(d, &insn, text, sizeof text);
            say_row(out, at, stands ? &s[next] : NULL, text);
            behind += at >= pc;
            done = at + insn.size;
        }
    }
}

/* Where the code is not loaded: the words that the waves tell of it. */
static void show_told(
    const struct gpudbg_dump *d, const struct gpudbg_isa *isa, const struct stand *s, size_t n, struct gpudbg_out *out)
{
    size_t waves;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &waves);
    for (size_t i = 0; i < n; i++) {
        struct gpudbg_record r;
        struct gpudbg_insn insn;
        uint8_t code[8];
        size_t words = 0;
        char text[512] = "the dump does not tell the words of code here";
        for (; words < 2 && dump_wave_part(isa, d, &w[s[i].wave], "code", (unsigned)words, &r); words++)
            le_put(code + 4 * words, r.value, 4);
        if (words && isa->decode(isa, code, 4 * words, s[i].pc, &insn) > 0)
            insn_words(d, &insn, text, sizeof text);
        else if (words)
            snprintf(text, sizeof text, "0x%08x, which is no instruction of %s", le_u32(code), isa->name);
        say_row(out, s[i].pc, &s[i], text);
    }
}

void dump_code_show(const struct gpudbg_dump *d, long capture, struct gpudbg_out *out)
{
    size_t n;
    bool assumed;
    uint64_t shift = 0;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &n);
    const char *family = n ? dump_family(d, w[0].capture, &assumed) : NULL;
    const struct gpudbg_isa *isa = family ? gpudbg_dump_isa_named(d, family) : NULL;
    if (!isa) {
        gpudbg_out_print(out, n ? "the waves' generation is not known: name it with --isa\n" : "no waves\n");
        return;
    }
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    struct stand *s = stands_of(d, isa, capture, &n);
    size_t inside = 0;
    if (dump_placed(d, family, &shift))
        while (inside < n && gpudbg_image_at(image, s[inside].pc - shift)) inside++;
    if (inside && inside == n)
        show_loaded(d, image, s, n, shift, out);
    else
        show_told(d, isa, s, n, out);
    if (!n) gpudbg_out_print(out, "the dump does not tell the program counters of its waves\n");
    free(s);
}
