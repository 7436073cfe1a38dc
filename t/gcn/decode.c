/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode.c: what the fields of Sea Islands words mean, and what the instruction reads and writes by the manual; what
 * people see where LLVM has no text.
 */
#include <stdlib.h>
#include "decoders/gcn/gcn.h"
#include "tap.h"

static size_t bytes_of(const char *hex, uint8_t *bytes)
{
    size_t n = 0;
    for (unsigned byte; sscanf(hex + 2 * n, "%2x", &byte) == 1; n++) bytes[n] = (uint8_t)byte;
    return n;
}

static int decode(const char *hex, uint8_t bytes[16], struct gpudbg_insn *insn)
{
    return gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, bytes_of(hex, bytes), 0x100, insn);
}

/* ---- Words that LLVM's assembler has no text for, and what people see of them; words.def has those it has ---- */

static const struct {
    const char *hex, *readable;
} unsaid[] = {
    {"ff0383be01000000", "s_mov_b32 s3, 0x1"},
    {"0204027e", "v_readfirstlane_b32 s1, s2"},
    {"000002d201050000", "v_readlane_b32_e64 s0, v1, s2"},
    {"000082d201040800", "v_mad_f32 v0, s1, s2, s2"},
    {"0000c8dc02050004", "flat_atomic_add v[2:3], v5"},
};

static void test_unsaid(void)
{
    for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++) {
        uint8_t bytes[16];
        struct gpudbg_insn insn;
        char buf[256] = "";
        const int size = decode(unsaid[i].hex, bytes, &insn);
        ok(size > 0 && gcn_text(&insn, 0, GPUDBG_ASSEMBLER, NULL, buf, sizeof buf) < 0,
            "%s is nothing that the assembler can say", unsaid[i].hex);
        if (size > 0) gcn_text(&insn, 0, GPUDBG_READABLE, NULL, buf, sizeof buf);
        is_str(buf, unsaid[i].readable, "%s for people", unsaid[i].hex);
    }
}

/* ---- Fields ---- */

static const struct {
    const char *hex, *field, *bits, *meaning;
} fields[] = {
    {"0105004a", "vdst", "24:17", "v0"},
    {"0105004a", "op", "30:25", "v_add_i32"},
    {"f2020006", "src0", "8:0", "1.0"},
    {"ff020006db0f4940", "literal", "63:32", "3.14159274"},
    {"70008cbf", "vmcnt", "3:0", "vmcnt 0, all done"},
    {"70008cbf", "expcnt", "6:4", "expcnt 7, no wait"},
    {"010980b9", "hwreg", "5:0", "HW_REG_MODE"},
    {"010980b9", "offset", "10:6", "bit 4"},
    {"010980b9", "size", "15:11", "2 bits"},
    {"ffff85bf", "simm16", "15:0", "0x100"},
    {"4000d8d801000002", "offset", "15:0", "64 B"},
    {"0102dcd801000002", "offset1", "15:8", "8 B"},
    {"001030e000010180", "srsrc", "52:48", "s[4:7]"},
    {"001030e000010180", "offen", "12:12", "yes"},
    {"0000a3ea00010180", "dfmt", "22:19", "BUF_DATA_FORMAT_32"},
    {"000f80f002040300", "dmask", "11:8", "x y z w"},
    {"0f0800f801020304", "tgt", "9:4", "mrt0"},
    {"000106d201050248", "neg", "63:61", "src1"},
    {"000106d201050248", "src2", "58:50", "not used"},
    {"010580c0", "sbase", "14:9", "s[4:5]"},
};

static void test_fields(void)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint8_t bytes[16];
        struct gpudbg_insn insn;
        struct gpudbg_field_iter it;
        char buf[256] = "no such field", bits[32] = "";
        decode(fields[i].hex, bytes, &insn);
        gpudbg_insn_fields(&it, &insn);
        while (gpudbg_next_field(&it)) {
            if (strcmp(it.field->name, fields[i].field) != 0) continue;
            unsigned lo = it.bit + it.field->run[0].lo;
            snprintf(bits, sizeof bits, "%u:%u", lo + it.field->run[0].len - 1, lo);
            gpudbg_field_meaning(it.field, &insn, it.value, buf, sizeof buf);
            break;
        }
        is_str(bits, fields[i].bits, "%s: place of %s", fields[i].hex, fields[i].field);
        is_str(buf, fields[i].meaning, "%s: meaning of %s", fields[i].hex, fields[i].field);
    }
}

/* ---- What is read and written ---- */

static const struct {
    const char *hex, *reads, *writes;
} effects[] = {
    {"01020380", "s1 s2", "s3 scc"},
    {"01020382", "s1 s2 scc", "s3 scc"},
    {"7e2480be", "exec exec", "s[0:1] scc exec"},
    {"000083b7", "s3 0x0", "s3 scc"},
    {"010980b9", "s0", "hwreg(HW_REG_MODE, 4, 2)"},
    {"01050050", "v1 v2 vcc", "v0 vcc"},
    {"0105003e", "v0 v1 v2", "v0"},
    {"0000ded202070a04", "v2 v3 v2 vcc", "v0"},
    {"4000d8d801000002", "v1 lds[v1+64] m0", "v2"},
    {"000034d801020000", "v1 v2 m0", "lds[v1]"},
    {"000030dc02000004", "v[2:3] memory[v[2:3]]", "v4"},
    {"020580c0", "s[4:5] 0x2 memory[s[4:5]+8]", "s[0:3]"},
    {"001031e000000180", "v0 s[4:7] 0 memory[s[4:7]+v0] m0", "lds[m0]"},
    {"1000f8d800000003", "lds[m0+16] m0", "v3 lds[m0+16]"},
    {"0000c9dc02050004", "v[2:3] v5 memory[v[2:3]]", "v4 memory[v[2:3]]"},
};

static void list_operands(const struct gpudbg_insn *insn, unsigned flag, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        bool constant = insn->operands[i].kind == GPUDBG_INTEGER;
        if (!(insn->operands[i].flags & flag) && !(constant && flag == GPUDBG_READ)) continue;
        if (n) n += (size_t)snprintf(buf + n, size - n, " ");
        n += (size_t)gcn_operand_text(insn, i, buf + n, size - n);
    }
}

static void test_effects(void)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        uint8_t bytes[16];
        struct gpudbg_insn insn;
        char buf[256];
        ok(decode(effects[i].hex, bytes, &insn) > 0, "%s decodes", effects[i].hex);
        if (!insn.op) continue;
        list_operands(&insn, GPUDBG_READ, buf, sizeof buf);
        is_str(buf, effects[i].reads, "what %s reads", insn.op->name);
        list_operands(&insn, GPUDBG_WRITE, buf, sizeof buf);
        is_str(buf, effects[i].writes, "what %s writes", insn.op->name);
    }
}

/* ---- Reserved bits, which a listing marks ---- */

/* Reserved bits by the manual's drawings of the words; `mark`: which of them are set. */
static const struct {
    const char *hex, *mark;
} reserved[] = {
    {"0000dbd200030a04", "bit 16 is reserved"}, /* an opcode of ten bits, as later chips have it */
    {"00f082d201040800", "bits 15:12 are reserved"},
    {"0080dad200030a04", "bit 15 is reserved"},
    {"006adad200030a04", NULL}, /* VOP3B: its second result stands in 14:8 */
    {"0000d9d801000002", "bit 16 is reserved"},
    {"0f2800f801020304", "bit 13 is reserved"},
    {"0f0800fa01020304", "bit 25 is reserved"},
    {"040030dc02000004", "bit 2 is reserved"},
    {"000030de02000004", "bit 25 is reserved"},
    {"000030dc02000104", "bit 48 is reserved"},
    {"010f80f002040300", "bit 0 is reserved"},
    {"000f80f002040380", "bit 63 is reserved"},
    {"001032e000010180", "bit 17 is reserved"},
    {"001032e200012180", "bits 53, 25, 17 are reserved"},
    {"0000a3eb00012180", "bit 53 is reserved"},
    {"ffff8cbf", NULL}, /* s_waitcnt does not look at them: the hardware's own reading */
    {"0f008abf", NULL}, /* s_barrier */
    {"0f0800f801020304", NULL},
    {"000f80f002040300", NULL},
};

static void test_reserved(void)
{
    void *printer = gcn_printer(&gcn_chips[GCN_CHIP_gfx7].isa, 0, GPUDBG_READABLE);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        uint8_t bytes[16];
        struct gpudbg_insn insn;
        char text[256] = "", printed[GPUDBG_PRINT] = "";
        size_t n = 0;
        if (!ok(decode(reserved[i].hex, bytes, &insn) > 0, "%s decodes", reserved[i].hex)) continue;
        gcn_text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
        const char *mark = strstr(text, " // ");
        is_str(mark ? mark + 4 : "none", reserved[i].mark ? reserved[i].mark : "none", "%s: what is marked",
            reserved[i].hex);
        gcn_print(printer, bytes, 16, 0x100, NULL, printed, &n);
        printed[n] = 0;
        is_str(printed, text, "%s: long listings say the same", reserved[i].hex);
        if (reserved[i].mark)
            ok(gcn_text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text, sizeof text) < 0, "... and the assembler gets bytes");
    }
    free(printer);
}

/* ---- Long listings: texts by forms and sizes by tables, as gcn_text and gcn_decode say them ---- */

static uint32_t noise(void)
{
    static uint64_t seed = 20;
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 32);
}

/* A word that begins with these 16 bits.  Modifiers are rare, so that forms have something to print. */
static uint64_t word_from(uint32_t start)
{
    const uint32_t few = noise(), high = noise() & (few & 1 ? 0x07ffffff : UINT32_MAX);
    return (uint64_t)high << 32 | start << 16 | (noise() & (few & 6 ? 0xff : 0xffff));
}

/* How many words at the addresses have another text or size in a long listing; *said: how many have one at all. */
static unsigned differences(const struct gpudbg_isa *isa, enum gpudbg_style style, void *printer, unsigned *said)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 512 * 40 + 2048 * 20; i++) {
        /* All beginnings, and all opcodes of long vector words. */
        const uint32_t start = i < 512 * 40 ? (i & 511) << 7 | (noise() & 127) : 0xd000 | (i & 2047);
        const uint64_t w[3] = {word_from(start), noise(), noise()};
        const uint8_t *bytes = (const uint8_t *)w;
        char text[GPUDBG_PRINT] = "", printed[GPUDBG_PRINT] = "";
        struct gpudbg_insn insn;
        size_t n = 0;
        const int size = gcn_decode(isa, bytes, sizeof w, 0x100, &insn);
        const int length = size > 0 ? gcn_text(&insn, 0, style, NULL, text, sizeof text) : -1;
        const int listed = gcn_print(printer, bytes, sizeof w, 0x100, NULL, printed, &n);
        uint8_t starts[4] = {0};
        uint64_t targets[4];
        struct gpudbg_skim skim = {starts, 0, targets, 0, 4};
        const bool measured = size <= 0 ||
                              (gcn_skim(isa, bytes, (size_t)size, 0x100, &skim) == (size_t)size && *starts == 1);
        const bool same = length < 0 ? listed <= 0 : listed == size && n == (size_t)length && !memcmp(text, printed, n);
        *said += length >= 0;
        if (same && measured) continue;
        if (!wrong++)
            printf("# %s, %016" PRIx64 ": %s, %.*s, %d bytes\n", isa->name, w[0], text, (int)n, printed, size);
    }
    return wrong;
}

static void test_listings(void)
{
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
        for (enum gpudbg_style style = GPUDBG_READABLE; style <= GPUDBG_ASSEMBLER; style++) {
            const struct gpudbg_isa *isa = &gcn_chips[chip].isa;
            void *printer = gcn_printer(isa, 0, style);
            unsigned said = 0;
            if (!printer) continue;
            is_int(differences(isa, style, printer, &said), 0, "%s, %s: random words in a long listing", isa->name,
                style == GPUDBG_ASSEMBLER ? "for the assembler" : "readable");
            ok(said > 4000, "... of which many have a text");
            free(printer);
        }
}

/* ---- The rest ---- */

static const char *label_of(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    (void)names;
    snprintf(buf, size, "L%04x", (unsigned)addr);
    return buf;
}

static void test_labels(void)
{
    static const struct gpudbg_names labels = {label_of, NULL};
    uint8_t bytes[16];
    struct gpudbg_insn insn;
    char buf[64];
    decode("fdff82bf", bytes, &insn);
    gcn_text(&insn, 0, GPUDBG_ASSEMBLER, &labels, buf, sizeof buf);
    is_str(buf, "s_branch L00f8", "a branch back by three words, with a label");
    is_int(gcn_text(&insn, 0, GPUDBG_ASSEMBLER, &labels, buf, 6), 14, "the length of a text that does not fit");
    is_str(buf, "s_bra", "... of which the start is there");
}

static void test_program(void)
{
    /* s_cbranch_scc1 over an s_endpgm, s_endpgm, s_nop, s_endpgm, then data */
    static const uint8_t code[] = {
        0x01, 0, 0x85, 0xbf, 0, 0, 0x81, 0xbf, 0, 0, 0x80, 0xbf, 0, 0, 0x81, 0xbf, 1, 2, 3, 4};
    is_int(gcn_program(&gcn_chips[GCN_CHIP_gfx7].isa, code, sizeof code), 16,
        "a program ends with the s_endpgm that no branch passes");
    is_int(gcn_program(&gcn_chips[GCN_CHIP_gfx7].isa, code + 8, 4), 0, "a program without s_endpgm has no end");
}

static void test_constants(void)
{
    uint64_t v;
    ok(gcn_inline(242, GCN_F64, &v) && v == 0x3ff0000000000000, "inline 1.0 as a double");
    ok(gcn_inline(242, GCN_F32, &v) && v == 0x3f800000, "inline 1.0 as a float");
    ok(gcn_inline(193, GCN_I64, &v) && v == UINT64_MAX, "inline -1 in 64 bits");
    ok(!gcn_inline(209, GCN_B32, &v), "209 is no constant");
    is_int(gcn_literal(0x80000000, GCN_I64), 0xffffffff80000000, "a signed literal is extended by its sign");
    is_int(gcn_literal(0x80000000, GCN_U64), 0x80000000, "an unsigned one by zeros");
    is_int(gcn_literal(0x3ff00000, GCN_F64), 0x3ff0000000000000, "a double's literal is its high word");
}

int main(void)
{
    test_unsaid();
    test_fields();
    test_effects();
    test_reserved();
    test_listings();
    test_labels();
    test_program();
    test_constants();
    return tap_done();
}
