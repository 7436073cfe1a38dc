/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * said.c: the rules of text/said.c against the assembler's reader.  Of random words of every row, native and compacted,
 * in every syntax: the text is read, and gives the word that the rule works out from the fields.  What it gives may
 * differ from the instruction in bits that mean nothing alone: printed in the manual's syntax, which says all that
 * means something, both are the same.  If they are not, or the text cannot be read, the rule says so, too.
 */
#include <stdlib.h>

#include "decoders/gen/text/gen_assembly.h"
#include "isa.h"
#include "tap.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Words of the row: any, such with few bits, such as programs have. */
static void draw_word(const struct gpudbg_isa *isa, const struct gpudbg_op *op, unsigned k, uint64_t w[2])
{
    w[0] = draw();
    w[1] = draw();
    if (k % 3 == 1) {
        w[0] &= draw() & draw();
        w[1] &= draw() & draw();
    } else if (k % 3 == 2) {
        w[0] = (w[0] & draw() & UINT64_C(0xffffffff00000000)) | (isa == GEN_ISA(12) ? 3u << 16 : 3u << 21);
        w[1] &= draw();
    }
    w[0] = (w[0] & ~UINT64_C(0x200000ff)) | (uint64_t)isa->rows[op->id].code;
    if (k & 1) w[0] |= UINT64_C(1) << 29;
}

/* A message takes whole registers: what the manual's syntax says of their regions means nothing. */
static void without_regions(struct gen_insn *i)
{
    if (i->shape != GEN_SEND || !i->eu->typed_payloads) return;
    i->src[0].vstride = i->src[0].width = i->src[0].hstride = i->dst.hstride = 0;
    i->src[0].vcode = i->src[0].wcode = i->src[0].hcode = i->dst.hcode = 0;
}

static bool same_in_prm(const struct gpudbg_insn *insn, const struct gpudbg_insn *other, bool drops)
{
    static char one[TEXT_WHOLE], two[TEXT_WHOLE];
    struct gen_insn mine, theirs;
    gen_unpack(insn, &mine);
    gen_unpack(other, &theirs);
    if (drops) {
        without_regions(&mine);
        without_regions(&theirs);
    }
    *gen_prm_text(one, insn, &mine, false, NULL) = 0;
    *gen_prm_text(two, other, &theirs, false, NULL) = 0;
    return strcmp(one, two) == 0;
}

static char said_why[512]; /* what the reader reported last */

/* What the reader makes of the instruction's text; false: another instruction, or none. */
static bool read_back(const struct gpudbg_insn *insn, const struct gen_insn *i, unsigned syntax, bool drops, bool any,
    char *text, uint64_t w[2])
{
    const char first = insn->isa->syntaxes[syntax][0];
    uint8_t bytes[16] = {0};
    struct gpudbg_error err = {.offset = -1};
    struct gpudbg_insn other;
    struct gpudbg_reading r = {
        .text = text, .at = text, .isa = insn->isa, .syntax = syntax, .addr = insn->addr, .err = &err};
    *(first == 'i'     ? gen_iga_text(text, i, true, NULL)
        : first == 'm' ? gen_mesa_text(text, insn, i, true, NULL)
                       : gen_prm_text(text, insn, i, true, NULL)) = 0;
    if (gen_assemble(&r, bytes, sizeof bytes) != (int)insn->size) {
        snprintf(said_why, sizeof said_why, "%s", err.message);
        return false;
    }
    w[0] = le_u64(bytes);
    w[1] = insn->size == 16 ? le_u64(bytes + 8) : 0;
    if (insn->isa->decode(insn->isa, bytes, insn->size, insn->addr, &other) != (int)insn->size) return false;
    return any || memcmp(bytes, insn->raw, insn->size) == 0 || same_in_prm(insn, &other, drops);
}

struct tally {
    unsigned asked, said, wrong;
};

static void ask(const struct gpudbg_isa *isa, unsigned syntax, bool drops, const uint64_t word[2], struct tally *tally)
{
    static char text[TEXT_WHOLE];
    uint8_t bytes[16];
    struct gpudbg_insn insn;
    struct gen_insn i;
    uint64_t rule[2] = {0, 0}, reader[2] = {0, 0};
    const char first = isa->syntaxes[syntax][0];
    const enum gen_syntax is = first == 'i' ? GEN_SYNTAX_IGA : first == 'm' ? GEN_SYNTAX_MESA : GEN_SYNTAX_PRM;
    le_put(bytes, word[0], 8);
    le_put(bytes + 8, word[1], 8);
    if (isa->decode(isa, bytes, 16, 0x1000, &insn) <= 0) return;
    gen_unpack(&insn, &i);
    if (is == GEN_SYNTAX_IGA && gen_iga_lacks(&i) && !(drops && gen_iga_may_drop(&i))) return;
    const bool any = is == GEN_SYNTAX_MESA && gen_mesa_lacks(&i);
    const bool can = gen_said(&insn, &i, is, drops, any, rule),
               could = read_back(&insn, &i, syntax, drops, any, text, reader);
    tally->asked++;
    tally->said += can;
    if (can == could && (!can || memcmp(rule, reader, sizeof rule) == 0)) return;
    if (tally->wrong++ >= 5) return;
    fprintf(stderr,
        "# %s: %s\n#   raw %016llx%016llx, the rule has %d %016llx%016llx, the reader %d %016llx%016llx %s\n",
        isa->name, text, (unsigned long long)(insn.size == 16 ? word[1] : 0), (unsigned long long)word[0], can,
        (unsigned long long)rule[1], (unsigned long long)rule[0], could, (unsigned long long)reader[1],
        (unsigned long long)reader[0], could ? "" : said_why);
}

int main(void)
{
    const struct gpudbg_isa *const isas[] = {
        GEN_ISA(7), GEN_ISA(75), GEN_ISA(8), GEN_ISA(9), GEN_ISA(11), GEN_ISA(12), GEN_ISA(125)};
    const unsigned words = getenv("GPUDBG_NIGHTLY") ? 20000 : 1500 / (tap_sample() < 3 ? tap_sample() : 3);
    for (unsigned s = 0; s < sizeof isas / sizeof *isas; s++)
        for (unsigned syntax = 0; isas[s]->syntaxes[syntax]; syntax++) {
            struct tally tally = {0};
            for (size_t op = 0; op < isas[s]->nops; op++)
                for (unsigned k = 0; k < words; k++) {
                    uint64_t w[2];
                    draw_word(isas[s], &isas[s]->ops[op], k, w);
                    ask(isas[s], syntax, false, w, &tally);
                    if (isas[s]->syntaxes[syntax][0] != 'm') ask(isas[s], syntax, true, w, &tally);
                }
            ok(tally.said && !tally.wrong, "%s, %s: of %u texts the rule says what %u give, as the reader does",
                isas[s]->name, isas[s]->syntaxes[syntax], tally.asked, tally.said);
        }
    return tap_done();
}
