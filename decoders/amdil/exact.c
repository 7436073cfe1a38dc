/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.c: text that assembles to the very tokens it was made from, with an annotation where the spellings lose something. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assemble.h"

/* Does the line assemble to the instruction's tokens?  A version line also gives the language, which stands before it. */
static bool says_all(const char *text, const struct gpudbg_insn *insn)
{
    struct il_program p;
    const uint32_t words = insn->size / 4, skip = insn->op->code == IL_OP_VERSION;
    if (!il_assemble_line(text, &p))
        return false;
    bool same = p.n == words + skip;
    for (uint32_t i = 0; same && i < words; i++)
        same = p.token[skip + i] == il_token(insn->raw, i);
    il_program_free(&p);
    return same;
}

static void append_tokens(char *text, const struct gpudbg_insn *insn)
{
    char *p = text + strlen(text);
    p += sprintf(p, " ;!");
    for (uint32_t i = 0; i < insn->size / 4; i++)
        p += sprintf(p, " 0x%08" PRIX32, il_token(insn->raw, i));
}

/* Adds to `text`, which has room, what is missing. */
static void complete(char *text, const struct gpudbg_insn *insn)
{
    static const char *const types[] = {" ;! vertex", " ;! input"};
    const size_t n = strlen(text);
    const bool vertex = insn->op->code == IL_OP_DCLV || insn->op->code == IL_OP_INITV; /* it would change v# behind it */
    const bool opening = insn->op->code == IL_OP_LANGUAGE || insn->op->code == IL_OP_VERSION; /* said twice, it is tokens */
    if (opening && insn->addr > 4) {
        append_tokens(text, insn);
        return;
    }
    if (insn->op->code == IL_OP_LANGUAGE || (!vertex && says_all(text, insn)))
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types && strchr(text, 'v'); i++) {
        strcpy(text + n, types[i]);
        if (says_all(text, insn))
            return;
    }
    text[n] = 0;
    append_tokens(text, insn);
}

int il_exact_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names, char *buf, size_t size)
{
    int n = il_text(insn, syntax, style, names, buf, size);
    if (style != GPUDBG_ASSEMBLER)
        return n;
    const size_t room = (n > 0 ? (size_t)n : 0) + 11 * (size_t)(insn->size / 4) + 16;
    char *text = calloc(1, room);
    if (!text)
        return -1;
    il_text(insn, syntax, style, names, text, room);
    complete(text, insn);
    n = snprintf(buf, size, "%s", text);
    free(text);
    return n;
}
