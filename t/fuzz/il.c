/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD IL: bytes as text for the assembler, and as a stream.  What assembles disassembles to text that assembles to the
 * same tokens; what is a stream without errors does so, too; the rules read anything. */
#include <stdlib.h>
#include <string.h>
#include "../../decoders/il/code/assemble.h"
#include "../../decoders/il/check/il_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct judged {
    bool error;
    unsigned n;
};

static bool judge(void *to, const struct il_finding *f)
{
    struct judged *j = to;
    j->error |= f->kind != NULL;
    return ++j->n < 1000;
}

/* The stream as assembler text; malloc'ed.  *whole: every token is part of it. */
static char *text_of(const uint8_t *raw, size_t n, bool *whole)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    struct gpudbg_insn insn;
    *whole = true;
    for (size_t at = 0; text && at < n; at += insn.size) {
        if (!gpudbg_insn_at(&il_isa, raw + at, n - at, at, &insn)) {
            *whole = false;
            continue;
        }
        int need = il_exact_text(&insn, 0, GPUDBG_ASSEMBLER, NULL, NULL, 0);
        if (need < 0) abort();
        if (used + (size_t)need + 2 > room) {
            room = 2 * (used + (size_t)need + 2);
            char *grown = realloc(text, room);
            if (!grown) abort();
            text = grown;
        }
        il_exact_text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text + used, room - used);
        used += (size_t)need;
        text[used++] = '\n';
        text[used] = 0;
    }
    if (text && !used) text[0] = 0;
    return text;
}

static uint8_t *bytes_of(const struct il_program *p)
{
    uint8_t *bytes = malloc(4 * p->n + 1);
    if (!bytes) abort();
    for (size_t i = 0; i < 4 * p->n; i++) bytes[i] = (uint8_t)(p->token[i / 4] >> 8 * (i % 4));
    return bytes;
}

/* `raw` came from text: text, tokens, text, tokens is the identity on tokens. */
static void round_trip(const uint8_t *raw, size_t n)
{
    bool whole;
    char *text = text_of(raw, n, &whole);
    struct il_program again;
    struct gpudbg_error err = {.offset = -1};
    if (!whole) abort();
    if (!il_assemble(text, strlen(text), &again, &err)) abort();
    uint8_t *bytes = bytes_of(&again);
    if (4 * again.n != n || memcmp(bytes, raw, n) != 0) abort();
    free(bytes);
    il_program_free(&again);
    free(text);
}

static void as_text(const char *text, size_t size)
{
    struct il_program program;
    struct gpudbg_error err = {.offset = -1};
    if (!il_assemble(text, size, &program, &err)) {
        if (!err.kind || err.line < 1 || err.column < 1) abort();
        return;
    }
    uint8_t *bytes = bytes_of(&program);
    struct judged judged = {0};
    il_check(bytes, 4 * program.n, judge, &judged);
    if (!judged.error) round_trip(bytes, 4 * program.n);
    free(bytes);
    il_program_free(&program);
}

static void as_stream(const uint8_t *raw, size_t n)
{
    struct judged judged = {0};
    il_check(raw, n, judge, &judged);
    if (!judged.error) round_trip(raw, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    as_text((const char *)copy, size);
    as_stream(copy, size);
    free(copy);
    return 0;
}
