/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.c: text that assembles to the very tokens it was made from, with an annotation where the spellings lose
 * something. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/assemble.h"
#include "gpudbg/text.h"

/* Does the line assemble to the instruction's tokens?  A version line also gives the language, which stands before it.
 */
static bool says_all(const char *text, const struct gpudbg_insn *insn)
{
    struct il_program p;
    const uint32_t words = insn->size / 4, skip = il_code(insn->op) == IL_OP_VERSION;
    struct gpudbg_error err = {.offset = -1};
    if (!il_assemble_line(text, &p, &err)) return false;
    bool same = p.n == words + skip;
    for (uint32_t i = 0; same && i < words; i++) same = p.token[skip + i] == il_token(insn->raw, i);
    il_program_free(&p);
    return same;
}

static void append_tokens(struct text *t, const struct gpudbg_insn *insn)
{
    text_add(t, " ;!");
    for (uint32_t i = 0; i < insn->size / 4; i++) text_add(t, " 0x%08" PRIX32, il_token(insn->raw, i));
}

/* Adds what is missing to the text of an instruction in `room` bytes. */
static void complete(char *text, size_t room, const struct gpudbg_insn *insn)
{
    static const char *const types[] = {" ;! vertex", " ;! input"};
    const struct text bare = text_behind(text, room);
    struct text t = bare;
    const bool vertex = il_code(insn->op) == IL_OP_DCLV ||
                        il_code(insn->op) == IL_OP_INITV; /* it would change v# behind it */
    const bool opening = il_code(insn->op) == IL_OP_LANGUAGE ||
                         il_code(insn->op) == IL_OP_VERSION; /* said twice, it is tokens */
    if (opening && insn->addr > 4) {
        append_tokens(&t, insn);
        return;
    }
    if (il_code(insn->op) == IL_OP_LANGUAGE || (!vertex && says_all(text, insn))) return;
    for (size_t i = 0; i < sizeof types / sizeof *types && strchr(text, 'v'); i++) {
        t = bare;
        text_add(&t, "%s", types[i]);
        if (says_all(text, insn)) return;
    }
    t = bare;
    append_tokens(&t, insn);
}

int il_exact_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    int n = il_text(insn, syntax, style, names, buf, size);
    if (style != GPUDBG_ASSEMBLER) return n;
    const size_t room = (n > 0 ? (size_t)n : 0) + 11 * (size_t)(insn->size / 4) + 16;
    char *text = calloc(1, room);
    if (!text) return -1;
    il_text(insn, syntax, style, names, text, room);
    complete(text, room, insn);
    n = snprintf(buf, size, "%s", text);
    free(text);
    return n;
}
