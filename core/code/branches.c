/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of branches met before; see branches.h. */
#include "code/branches.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "image/image.h"

/* In a kept text this byte and four more, a signed number, are a label: of the address so far from the branch. */
#define MARK '\1'
#define ELSEWHERE 0x10000 /* bytes to the other address that a text is tried at */

/* Returns the length of the label that the text begins with, and its address; 0: the text begins with no label. */
static size_t label_at(const char *text, uint64_t *addr)
{
    size_t n = 1;
    if (*text != 'L') return 0;
    *addr = 0;
    for (; n < 17 && isxdigit((unsigned char)text[n]) && !isupper((unsigned char)text[n]); n++)
        *addr = *addr << 4 | (uint64_t)(isdigit((unsigned char)text[n]) ? text[n] - '0' : text[n] - 'a' + 10);
    return n < 5 || isalnum((unsigned char)text[n]) || strchr("_.$@+", text[n] ? text[n] : ' ') ? 0 : n;
}

static bool is_target(const struct gpudbg_insn *insn, uint64_t addr)
{
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE && (uint64_t)insn->operands[i].imm == addr) return true;
    return false;
}

/* A text with marks for labels, which must all be targets; returns its length, or 0: there is none, or it is long. */
static size_t pack(const struct gpudbg_insn *insn, const char *text, char out[MEMO_TEXT])
{
    size_t n = 0;
    bool marks = false, inside = false; /* of a word */
    while (*text) {
        uint64_t addr;
        const size_t label = inside ? 0 : label_at(text, &addr);
        inside = isalnum((unsigned char)*text) || *text == '_';
        if (n + 5 > MEMO_TEXT || *text == MARK) return 0;
        if (!label) {
            out[n++] = *text++;
            continue;
        }
        const int64_t distance = (int64_t)(addr - insn->addr);
        const int32_t near = (int32_t)distance;
        if (near != distance || !is_target(insn, addr)) return 0;
        out[n++] = MARK;
        memcpy(out + n, &near, sizeof near);
        n += sizeof near;
        text += label;
        marks = inside = true;
    }
    return marks ? n : 0;
}

/* The text of a branch at `at`; 0: a target has no label there. */
static size_t unpack(const char *kept, size_t n, uint64_t at, const struct gpudbg_names *names, char out[BRANCH_TEXT])
{
    char buf[64];
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t distance;
        uint64_t addr;
        if (kept[i] != MARK) {
            out[to++] = kept[i];
            continue;
        }
        memcpy(&distance, kept + i + 1, sizeof distance);
        i += sizeof distance;
        const char *name = names->name(names, at + (uint64_t)(int64_t)distance, buf, sizeof buf);
        const size_t length = name ? label_at(name, &addr) : 0;
        if (!length || name[length]) return 0;
        memcpy(out + to, name, length);
        to += length;
    }
    out[to] = 0;
    return to;
}

static const char *any_label(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    (void)names;
    snprintf(buf, size, "L%04" PRIx64, addr);
    return buf;
}

/* Does the same branch somewhere else have the text that the kept one says? */
static bool right_elsewhere(const struct branch_style *s, const struct gpudbg_insn *insn, const char *kept, size_t n)
{
    const struct gpudbg_names names = {.name = any_label};
    char text[BRANCH_TEXT], told[BRANCH_TEXT];
    struct gpudbg_insn other;
    if (!gpudbg_insn_at(insn->isa, insn->raw, insn->size, insn->addr + ELSEWHERE, &other)) return false;
    const int length = insn->isa->text(&other, s->syntax, s->style, &names, text, sizeof text);
    return length > 0 && (size_t)length < sizeof text && unpack(kept, n, other.addr, &names, told) == (size_t)length &&
           memcmp(text, told, (size_t)length) == 0;
}

size_t branch_known(struct memo *m, const struct branch_style *s, struct code_walk *w, char text[BRANCH_TEXT],
    const uint8_t **bytes, uint64_t *addr)
{
    struct code_walk behind = *w;
    const struct memo_entry *e = code_walk_known(&behind, m, bytes, addr);
    const size_t n = e && e->len ? unpack(memo_text(m, e), e->len, *addr, s->names, text) : 0;
    if (n) *w = behind;
    return n;
}

void branch_keep(
    struct memo *m, const struct branch_style *s, const struct gpudbg_insn *insn, const char *text, size_t n)
{
    char kept[MEMO_TEXT];
    if (!insn->op || !(insn->op->flags & GPUDBG_OP_BRANCH) || text[n]) return;
    const size_t length = pack(insn, text, kept);
    if (!length || !right_elsewhere(s, insn, kept, length)) return;
    struct memo_entry *e = memo_keep_any(m, insn);
    if (!e) return;
    memcpy(memo_text(m, e), kept, length);
    e->len = (uint8_t)length;
}
