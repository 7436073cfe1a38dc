/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assemble.c: assembling what `disassemble /a` prints gives the bytes back, in all syntaxes: of every row every value
 * of every field, pairs of fields at random, compacted words, random words.  In the manual's syntax every instruction
 * has a text; what IGA's cannot say, even without bits that mean nothing (/d), is data, and is not asked here.
 * Compacted words from native ones mean the same.  Errors: the column, and what the message offers.
 * t/oracle/gen_assemble.t compares with IGA.  GPUDBG_NIGHTLY asks for 10^8 words.
 */
#include <stdlib.h>
#include "assemble/assembler.h"
#include "isa.h"
#include "gpudbg/endian.h"
#include "tap.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t random_below(uint64_t n) { return random64() >> 11 & 0xffffffff ? (random64() >> 16) % n : 0; }

struct tally {
    uint64_t asked, said, remarks, dropped, wrong;
};

static bool nightly;

/* One word in one syntax. */
static void ask(const struct gpudbg_isa *isa, unsigned syntax, const uint64_t w[2], struct tally *tally)
{
    uint8_t bytes[16], again[GPUDBG_INSN_BYTES];
    char text[2048];
    struct gpudbg_insn insn;
    struct gpudbg_error err = {.offset = -1};
    const struct assembler as = {.isa = isa, .syntax = syntax};
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    const int n = isa->decode(isa, bytes, 16, 0x1000, &insn);
    if (n <= 0) return;
    tally->asked++;
    int length = isa->text(&insn, syntax, GPUDBG_ASSEMBLER, NULL, text, sizeof text);
    if (length < 0) {
        length = isa->text(&insn, syntax, GPUDBG_DROPPING, NULL, text, sizeof text);
        tally->dropped += length >= 0;
    }
    if (length < 0) {
        if (isa->syntaxes[syntax][0] != 'p' || tally->wrong++ >= 20) return;
        isa->text(&insn, syntax, GPUDBG_READABLE, NULL, text, sizeof text);
        fprintf(stderr, "# %s %016llx%016llx has no text: %s\n", isa->name, (unsigned long long)w[1],
            (unsigned long long)w[0], text);
        return;
    }
    tally->said++;
    tally->remarks += strstr(text, "//#") != NULL;
    const size_t got = assemble_line(&as, 0x1000, text, again, sizeof again, &err);
    if (got == (size_t)n && memcmp(again, bytes, got) == 0) return;
    if (tally->wrong++ < 20)
        fprintf(stderr, "# %s %016llx%016llx %s: %s\n", isa->name, (unsigned long long)w[1], (unsigned long long)w[0],
            text, got ? "other bytes" : err.message);
}

/* A field of a word, bit by bit. */
static void put_field(uint64_t w[2], uint32_t bit, const struct gpudbg_field *f, uint64_t value)
{
    for (unsigned r = 0; r < GPUDBG_RUNS && f->run[r].len; r++)
        for (unsigned i = 0; i < f->run[r].len; i++, value >>= 1) {
            const unsigned at = bit + f->run[r].lo + i;
            if (at >= 128 || at == 29 || at < 7) continue;
            w[at / 64] = (w[at / 64] & ~(UINT64_C(1) << at % 64)) | (value & 1) << at % 64;
        }
}

static unsigned bits_of(const struct gpudbg_field *f)
{
    unsigned n = 0;
    for (unsigned r = 0; r < GPUDBG_RUNS && f->run[r].len; r++) n += f->run[r].len;
    return n;
}

/* A word of the row with all its fields as programs have them. */
static void calm(const struct gpudbg_isa *isa, const struct gpudbg_op *op, uint64_t w[2])
{
    const uint64_t channels = isa == GEN_ISA(12) ? 3 << 16 : 3 << 21;
    w[0] = random64() & random64() & random64();
    w[1] = random64() & random64() & random64();
    if (random_below(2)) w[0] &= UINT64_C(0xffffffff00000000);
    w[0] = (w[0] & ~UINT64_C(0x200000ff)) | (uint64_t)isa->rows[op->id].code | channels;
}

struct place {
    const struct gpudbg_field *field;
    uint32_t bit;
};

static unsigned fields_of(const struct gpudbg_isa *isa, const uint64_t w[2], struct place *places, unsigned most)
{
    uint8_t bytes[16];
    struct gpudbg_insn insn;
    struct gpudbg_field_iter it;
    unsigned n = 0;
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    if (isa->decode(isa, bytes, 16, 0x1000, &insn) <= 0) return 0;
    for (gpudbg_insn_fields(&it, &insn); gpudbg_next_field(&it) && n < most;)
        if (!it.derived && it.field != &it.hole) places[n++] = (struct place){it.field, it.bit};
    return n;
}

static void ask_row(const struct gpudbg_isa *isa, const struct gpudbg_op *op, unsigned syntax, struct tally *tally)
{
    struct place places[64];
    uint64_t base[2], w[2];
    const unsigned rounds = nightly ? 120 : 1;
    for (unsigned k = 0; k < 2 * rounds; k++) { /* every value of every field, native and compacted */
        calm(isa, op, base);
        if (k & 1) base[0] |= UINT64_C(1) << 29;
        const unsigned n = fields_of(isa, base, places, 64);
        for (unsigned i = 0; i < n; i++) {
            const unsigned bits = bits_of(places[i].field);
            const uint64_t values = bits > 8 ? 256 : (uint64_t)1 << bits;
            for (uint64_t v = 0; v < values; v++) {
                memcpy(w, base, sizeof w);
                put_field(w, places[i].bit, places[i].field, bits > 8 ? random64() : v);
                ask(isa, syntax, w, tally);
            }
        }
        for (unsigned pair = 0; n && pair < 200; pair++) { /* pairs, and more, at random */
            memcpy(w, base, sizeof w);
            for (unsigned f = 0; f < 2 + pair % 3; f++) {
                const struct place *p = &places[random_below(n)];
                put_field(w, p->bit, p->field, random64());
            }
            ask(isa, syntax, w, tally);
        }
    }
    for (unsigned k = 0; k < 400 * rounds; k++) { /* random words, native and compacted */
        w[0] = (random64() & ~UINT64_C(0x200000ff)) | (uint64_t)isa->rows[op->id].code;
        w[1] = random64();
        if (k & 1) w[0] |= UINT64_C(1) << 29;
        if (k & 2) w[0] &= ~UINT64_C(0x0f000000);
        ask(isa, syntax, w, tally);
    }
}

/* Everything that the rows have. */
static void every_row(const struct gpudbg_isa *isa, unsigned syntax)
{
    struct tally tally = {0};
    for (size_t i = 0; i < isa->nops; i++) ask_row(isa, &isa->ops[i], syntax, &tally);
    is_int(tally.wrong, 0,
        "%s, %s: %" PRIu64 " of %" PRIu64 " words have a text (%" PRIu64 " with a remark), which gives their bytes",
        isa->name, isa->syntaxes[syntax], tally.said, tally.asked, tally.remarks);
    ok((tally.dropped > 0) == (isa->syntaxes[syntax][0] == 'i'), "... %" PRIu64 " of them with /d alone",
        tally.dropped);
}

/* ---- Readable text ---- */

/* Of a text in readable style nothing is lost that means something: read and printed again it is the same. */
static void readable(const struct gpudbg_isa *isa, unsigned syntax)
{
    unsigned wrong = 0, asked = 0;
    for (size_t i = 0; i < isa->nops; i++)
        for (unsigned k = 0; k < (nightly ? 20000u : 200u); k++) {
            uint64_t w[2];
            uint8_t bytes[16], again[GPUDBG_INSN_BYTES];
            char text[2048], other[2048];
            struct gpudbg_insn insn;
            struct gpudbg_error err = {.offset = -1};
            const struct assembler as = {.isa = isa, .syntax = syntax};
            calm(isa, &isa->ops[i], w);
            if (k % 4 == 3) w[0] |= UINT64_C(1) << 29;
            le_put(bytes, w[0], 8);
            le_put(bytes + 8, w[1], 8);
            if (isa->decode(isa, bytes, 16, 0x1000, &insn) <= 0) continue;
            isa->text(&insn, syntax, GPUDBG_READABLE, NULL, text, sizeof text);
            asked++;
            const size_t n = assemble_line(&as, 0x1000, text, again, sizeof again, &err);
            if (n && isa->decode(isa, again, n, 0x1000, &insn) == (int)n)
                isa->text(&insn, syntax, GPUDBG_READABLE, NULL, other, sizeof other);
            else
                snprintf(other, sizeof other, "%s", err.message);
            if (strcmp(text, other) != 0 && wrong++ < 20)
                fprintf(stderr, "# %s %016llx%016llx %s\n# became %s\n", isa->name, (unsigned long long)w[1],
                    (unsigned long long)w[0], text, other);
        }
    is_int(wrong, 0, "%s, %s: %u texts in readable style say the same when they are read and printed again", isa->name,
        isa->syntaxes[syntax], asked);
}

/* ---- The shortest form ---- */

/* Native words that compacted ones stand for become words of 8 bytes again, which stand for them.  math of gen12 stays
 * native, as IGA leaves it. */
static void shortest(const struct gpudbg_isa *isa)
{
    unsigned asked = 0, wrong = 0;
    unsigned prm = isa->syntaxes[0][0] == 'p' ? 0 : 1;
    const struct assembler as = {.isa = isa, .syntax = prm, .compact = true};
    for (size_t i = 0; i < isa->nops; i++)
        for (unsigned k = 0; k < (nightly ? 20000u : 300u); k++) {
            uint8_t bytes[16], again[GPUDBG_INSN_BYTES];
            struct gpudbg_insn insn;
            struct gpudbg_error err = {.offset = -1};
            char text[2048], native[2048], back[2048];
            const uint64_t w = (random64() & ~UINT64_C(0x7f)) | (uint64_t)isa->rows[i].code | UINT64_C(1) << 29;
            le_put(bytes, w, 8);
            if (isa->decode(isa, bytes, 8, 0x1000, &insn) != 8) break;
            if (insn.op->flags & GPUDBG_OP_BRANCH) break; /* these stay as they are */
            isa->text(&insn, prm, GPUDBG_READABLE, NULL, text, sizeof text);
            char *option = strstr(text, ", Compacted");
            if (!option) continue;
            memmove(option, option + 11, strlen(option + 11) + 1);
            snprintf(native, sizeof native, "%s", text);
            asked++;
            const size_t n = assemble_line(&as, 0x1000, native, again, sizeof again, &err);
            back[0] = 0;
            const size_t want = isa == GEN_ISA(12) && strcmp(isa->ops[i].name, "math") == 0 ? 16 : 8;
            if (n == want && isa->decode(isa, again, n, 0x1000, &insn) == (int)n) {
                isa->text(&insn, prm, GPUDBG_READABLE, NULL, back, sizeof back);
                if ((option = strstr(back, ", Compacted"))) memmove(option, option + 11, strlen(option + 11) + 1);
            }
            if (strcmp(back, native) != 0 && wrong++ < 20)
                fprintf(stderr, "# %s %016llx %s: %zu bytes, %s\n", isa->name, (unsigned long long)w, native, n,
                    n ? back : err.message);
        }
    ok(asked > 1000 && wrong == 0, "%s: %u instructions that have a compacted form get it (%u do not)", isa->name,
        asked, wrong);
}

/* ---- Errors ---- */

static const struct {
    const struct gpudbg_isa *isa;
    char syntax; /* its first letter */
    const char *text;
    long column;
    const char *says;
} errors[] = {
    {GEN_ISA(12), 'i', "", 1, "name of an instruction"},
    {GEN_ISA(12), 'i', "mvo (8|M0) r1.0<1>:f r2.0<8;8,1>:f", 1, "\"mov\" is the nearest"},
    {GEN_ISA(12), 'i', "pln (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", 1, "no instruction \"pln\""},
    {GEN_ISA(12), 'i', "mov r1.0<1>:f r2.0<8;8,1>:f", 5, "(8|M0)"},
    {GEN_ISA(12), 'i', "mov (3|M0) r1.0<1>:f r2.0<8;8,1>:f", 6, "1, 2, 4, 8, 16 or 32"},
    {GEN_ISA(12), 'i', "mov (8|M3) r1.0<1>:f r2.0<8;8,1>:f", 8, "multiple of 4"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f", 21, "source is missing"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<3>:f r2.0<8;8,1>:f", 16, "0 1 2 4"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:g r2.0<8;8,1>:f", 20, "a type is expected"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.8<8;8,1>:f", 24, ".0 to .7"},
    {GEN_ISA(12), 'i', "mov (8|M0) r300.0<1>:f r2.0<8;8,1>:f", 12, "0 to 127"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8>:f", 26, "<8;8,1>"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r[a0.16]<1,0>:f", 27, "0 to 15"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:w 0x12345:w", 22, "16 bits"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f 1:f", 22, "with a point"},
    {GEN_ISA(12), 'i', "add (8|M0) r1.0<1>:f ~r2.0<8;8,1>:f r3.0<8;8,1>:f", 22, "negated with -"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {@8}", 38, "1 to 7"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {NoDDClr}", 37, "no such option"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Comp}", 37, "Compacted"},
    {GEN_ISA(12), 'i', "send (8|M0) r1 r2 null 0x0 0x0", 5, "send.dc0"},
    {GEN_ISA(12), 'i', "send.dc0 (8|M0) r1 r2 null 0x3 0x0", 28, "bits 5 to 0"},
    {GEN_ISA(12), 'i', "math.foo (8|M0) r1.0<1>:f r2.0<8;8,1>:f", 6, "inv log exp"},
    {GEN_ISA(12), 'i', "(f2.0) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", 2, "f0.0, f0.1, f1.0 or f1.1"},
    {GEN_ISA(12), 'i', "(f0.0) cmp (8|M0) (lt)f0.1 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", 23, "one flag"},
    {GEN_ISA(12), 'i', "jmpi nowhere", 6, "nowhere"},
    {GEN_ISA(12), 'i', "sync.allrd ($16)", 14, "0 to 15"},
    {GEN_ISA(12), 'i', "not (8|M0) (sat)r1.0<1>:ud r2.0<8;8,1>:ud", 1, "IGA forgets"},
    {GEN_ISA(12), 'i', "add (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud 0x12345:ud {Compacted}", 1, "no compacted form"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f //# 130=1", 40, "0 to 127"},
    {GEN_ISA(12), 'i', "add (8|M0) r1.0<1>:f 3.0:f r2.0<8;8,1>:f", 22, "after its other sources"},
    {GEN_ISA(12), 'i', "add (64|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", 6, "16 or 32"},
    {GEN_ISA(12), 'i', "(W&f0.0 add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", 8, "a ) is expected"},
    {GEN_ISA(12), 'i', "(W,f0.0) add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", 3, "(W&f0.0)"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f (neg)r2.0<8;8,1>:f", 22, "-(abs)"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f q2.0<8;8,1>:f", 22, "r10.0<8;8,1>:f"},
    {GEN_ISA(12), 'i', "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {$1.foo}", 40, "dst or src"},
    {GEN_ISA(12), 'i', "mad (8|M0) r1.0<1>:f r2.0<8;1>:f r3.0<8;1>:d r4.0<1>:f", 44, "all whole numbers"},
    {GEN_ISA(12), 'p', "mov (8) r1.0<1>:f r2.0<8;8,1>:f {NoMask", 40, "brace"},
    {GEN_ISA(12), 'p', "mov (8) r1.0<1>:f r2.0<8;8,1>:f {Q1, Q2}", 38, "given once"},
    {GEN_ISA(7), 'p', "add (8) r1.0<1>:f 3.0:f r2.0<8;8,1>:f {Q1}", 19, "after its other sources"},
    {GEN_ISA(7), 'p', "mad (8) r1.0<1>:f r2.0<4>.xyzw:f r3.0<4>.xyzw:d r4.0<4>.xyzw:f {Q1}", 47, "one type"},
    {GEN_ISA(75), 'p', "else (8) 1 {Q1, Switch, Atomic}", 25, "do not go together"},
    {GEN_ISA(75), 'p', "mov (8) r1.0<1>.xyx:f r2.0<4>.xyzw:f {Align16, Q1}", 19, "in the order of xyzw"},
    {GEN_ISA(75), 'p', "mov (8) r1.0<1>:f r2.0<4>.xyzw:f {Q1}", 19, "Align16"},
    {GEN_ISA(75), 'p', "mad (8) r1.0<1>:f 1.0:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Q1}", 19, "all three sources"},
    {GEN_ISA(75), 'p', "cmp.lt.f0.0 (8) null<1>:f r1.0<8;8,1>:f r2.0<8;8,1>:f {Q1}", 5, "z nz g ge l le o u"},
    {GEN_ISA(75), 'p', "if (8) 1 40000 {Q1}", 10, "reaches"},
    {GEN_ISA(7), 'm', "mov(8) m4<1>F g2<8,8,1>F { align1 1Q };", 8, "message register of Gen6"},
    {GEN_ISA(7), 'm', "mov(8) g4<1>F g2<8,8,1>F { align1 1X };", 35, "WE_all"},
    {GEN_ISA(7), 'm', "mov(8) g4<1>F 5 { align1 1Q };", 15, "ends with its type"},
    {GEN_ISA(7), 'm', "mov(8) g4<1>F Vector Float { align1 1Q };", 15, "does not print the value"},
    {GEN_ISA(7), 'm', "send(8) g2<1>UW g8<8,8,1>UD { align1 1Q };", 29, "a shared function"},
    {GEN_ISA(7), 'm',
        "send(8) g2<1>UW g8<8,8,1>UD 0x08427001 sampler MsgDesc: ld SIMD8 Surface = 2 Sampler = 0 mlen 4 "
        "rlen 4 { align1 1Q };",
        56, "another message"},
};

static void what_errors_say(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        uint8_t bytes[GPUDBG_INSN_BYTES];
        struct gpudbg_error err = {.offset = -1};
        struct assembler as = {.isa = errors[i].isa};
        while (as.isa->syntaxes[as.syntax][0] != errors[i].syntax) as.syntax++;
        is_int(
            assemble_line(&as, 0, errors[i].text, bytes, sizeof bytes, &err), 0, "\"%s\" is refused", errors[i].text);
        is_int(
            (uint64_t)err.column, (uint64_t)errors[i].column, "... in column %ld: %s", errors[i].column, err.message);
        ok(strstr(err.message, errors[i].says) != NULL, "... with \"%s\": %s", errors[i].says, err.message);
    }
}

int main(void)
{
    const struct gpudbg_isa *const isas[] = {GEN_ISA(7), GEN_ISA(75), GEN_ISA(12)};
    nightly = getenv("GPUDBG_NIGHTLY") != NULL;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned s = 0; isas[i]->syntaxes[s]; s++) {
            every_row(isas[i], s);
            if (isas[i]->syntaxes[s][0] == 'p') readable(isas[i], s);
        }
        shortest(isas[i]);
    }
    what_errors_say();
    return tap_done();
}
