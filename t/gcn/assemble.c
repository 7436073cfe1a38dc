/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assemble.c: assembling what `disassemble /a` prints gives the bytes back, for every value of every field of every
 * layout and opcode, and for words whose fields are random.  What the syntax cannot say is printed as data and is not
 * asked here; t/oracle compares with LLVM.  Errors: the column, and what the message offers.  GPUDBG_NIGHTLY asks for
 * 10^8 words.
 */
#include <stdlib.h>
#include "assemble/assembler.h"
#include "decoders/gcn/gcn.h"
#include "tap.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t random32(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32);
}

static uint64_t asked, printed, wrong;

/* One word, with a literal behind it if it takes one. */
static void ask(uint64_t w, uint32_t literal, bool *shown)
{
    uint8_t bytes[12], again[GPUDBG_INSN_BYTES];
    char text[2048];
    struct gpudbg_insn insn;
    struct gpudbg_error err = {.offset = -1};
    const struct assembler as = {.isa = &gcn_chips[GCN_CHIP_gfx7].isa};
    le_put(bytes, w, 8);
    le_put(bytes + 8, literal, 4);
    int n = gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, 8, 0x1000, &insn);
    if (n == 8 && insn.nparts == 2) { /* the second dword is a literal */
        le_put(bytes + 4, literal, 4);
        n = gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, 8, 0x1000, &insn);
    }
    if (n <= 0) return;
    asked++;
    if (gcn_text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text, sizeof text) < 0) return;
    printed++;
    *shown = true;
    const size_t got = assemble_line(&as, 0x1000, text, again, sizeof again, &err);
    if (got == (size_t)n && memcmp(again, bytes, got) == 0) return;
    if (wrong++ < 20)
        fprintf(
            stderr, "# %08x %08x %s: %s\n", le_u32(bytes), le_u32(bytes + 4), text, got ? "other bytes" : err.message);
}

static uint64_t field_mask(const struct gpudbg_field *f)
{
    return (((uint64_t)1 << f->run[0].len) - 1) << f->run[0].lo;
}

static uint64_t with(uint64_t w, const struct gpudbg_field *f, uint64_t value)
{
    return (w & ~field_mask(f)) | (value << f->run[0].lo & field_mask(f));
}

/* Operands that the syntax can say: registers of low numbers, and 0 in the fields behind the first few sources, which
 * some opcodes do not look at. */
static uint64_t quiet(const struct gpudbg_format *format, uint64_t w)
{
    const unsigned sources = random32() % 4;
    unsigned n = 0;
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *f = &format->fields[i];
        if (f->kind != GPUDBG_OPERAND) continue;
        const bool source = f->run[0].len == 9;
        w = with(w, f, source && n++ >= sources ? 0 : source ? 256 + random32() % 200 : 4 * (random32() % 4));
    }
    return w;
}

static void ask_opcode(const struct gpudbg_format *format, uint64_t base, bool *shown)
{
    static const uint32_t literals[] = {
        0x41, 0xdeadbeef, 0x3f800000, 0x3f800001, 0xfffffff0, 0x80000000, 0x3c00, 0x3ff00000};
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *f = &format->fields[i];
        if (f->kind == GPUDBG_OPCODE || strcmp(f->name, "encoding") == 0) continue;
        const uint64_t values = (uint64_t)1 << f->run[0].len, most = f->run[0].len > 9 ? 512 : values;
        for (uint64_t v = 0; v < most; v++)
            ask(with(quiet(format, base), f, most == values ? v : random32()), literals[v % 8], shown);
    }
    const unsigned rounds = getenv("GPUDBG_NIGHTLY") ? 40000 : 400;
    for (unsigned n = 0; n < rounds; n++) { /* pairs, and more, at random */
        uint64_t w = quiet(format, base);
        for (unsigned k = 0; k < 1 + n % 4; k++) {
            const struct gpudbg_field *f = &format->fields[random32() % format->count];
            if (f->kind != GPUDBG_OPCODE && strcmp(f->name, "encoding") != 0) w = with(w, f, random32());
        }
        ask(w, n % 3 ? random32() : literals[n % 8], shown);
    }
}

static bool is_instruction(const struct gpudbg_format *f) { return f->match[0] || strcmp(f->name, "VOP2") == 0; }

static void every_layout(void)
{
    for (const struct gpudbg_format *const *p = gcn_chips[GCN_CHIP_gfx7].isa.formats; *p; p++) {
        const struct gpudbg_format *format = *p;
        const struct gpudbg_field *op = NULL;
        unsigned rows = 0, silent = 0;
        if (!is_instruction(format)) continue;
        for (size_t i = 0; i < format->count; i++)
            if (format->fields[i].kind == GPUDBG_OPCODE) op = &format->fields[i];
        const uint64_t before = wrong;
        for (uint64_t code = 0; code < (op ? (uint64_t)1 << op->run[0].len : 1); code++) {
            const uint64_t base = op ? with(format->match[0], op, code) : format->match[0];
            uint8_t bytes[8];
            struct gpudbg_insn insn;
            bool shown = false;
            le_put(bytes, base, 8);
            if (gcn_decode(&gcn_chips[GCN_CHIP_gfx7].isa, bytes, 8, 0, &insn) <= 0 ||
                insn.parts[0].format->match[0] != format->match[0])
                continue;
            if (insn.parts[0].format != format && strcmp(format->name, "SMRD") != 0 &&
                gpudbg_insn_row(&insn)->format != format)
                continue;
            rows++;
            ask_opcode(format, base, &shown);
            silent += !shown;
        }
        is_int(wrong - before, 0, "%s: the text of %u opcodes (%u without one) gives the bytes back", format->name,
            rows, silent);
    }
}

static void every_simm16(void)
{
    bool shown = false;
    const uint64_t before = wrong;
    for (uint32_t v = 0; v < 65536; v++) {
        ask(0xbf8c0000 | v, 0, &shown);                                         /* s_waitcnt */
        ask(0xbf900000 | v, 0, &shown);                                         /* s_sendmsg */
        ask(0xb9000000 | v, 0, &shown);                                         /* s_getreg_b32 s0 */
        ask(0xb0050000 | v, 0, &shown);                                         /* s_movk_i32 */
        ask(0xbf820000 | v, 0, &shown);                                         /* s_branch */
        ask(0xd8d40000 | v | (uint64_t)0x0100 << 32, 0, &shown);                /* ds_swizzle_b32 */
        ask(0xf800000f | (v & 0x1fff) | (uint64_t)0x03020100 << 32, 0, &shown); /* exp */
    }
    is_int(wrong - before, 0,
        "all 16-bit constants of waits, messages, hardware registers, branches, swizzles give the bytes back");
}

/* ---- Errors ---- */

static const struct {
    const char *text;
    long column;
    const char *says;
} errors[] = {
    {"v_add_f33 v0, v1, v2", 1, "v_add_f32"},
    {"v_add_f32 v0, v1", 17, "missing"},
    {"v_add_f32 v0, v1, s2, v3", 23, "the end"},
    {"v_add_f32 v0, s1, s2", 11, "one scalar register"},
    {"v_add_f32_e32 v0, v1, s2", 23, "a VGPR is expected"},
    {"v_add_f32_e64 v0, 0x12345, v2", 19, "no literal"},
    {"v_mov_b32 v256, v1", 12, "0 to 255"},
    {"s_mov_b64 s[0:1], s[3:4]", 19, "even number"},
    {"s_waitcnt vmcnt(16)", 17, "0 to 15"},
    {"s_waitcnt fmcnt(1)", 11, "no label"},
    {"s_branch nowhere", 10, "nowhere"},
    {"s_nop 0x10000", 7, "65535"},
    {"buffer_load_dword v0, v1, s[0:3], 0", 23, "off is expected"},
    {"buffer_load_dword v0, off, s[0:3], 0 offset:4096", 45, "4095"},
    {"buffer_load_dword v0, off, s[0:3], 0 sc0", 38, "modifier"},
    {"s_mov_b32 s0, (1 + 2", 21, ")"},
    {"s_mov_b32 s0, 1/0", 16, "division"},
    {"ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2)", 53, ","},
    {"exp mrt9 v0, v1, v2, v3", 5, "mrt0 to mrt7"},
    {"s_load_dword s0, s[3:4], 0", 18, "from an even number on"},
    {"buffer_load_dword v0, off, s[1:4], 0", 28, "from a multiple of 4 on"},
    {"s_sendmsg sendmsg(MSG_FOO)", 19, "MSG_INTERRUPT MSG_GS MSG_GS_DONE MSG_SYSMSG"},
    {"s_sendmsg sendmsg(MSG_GS, GS_OP_FOO, 0)", 27, "GS_OP_CUT"},
    {"s_getreg_b32 s0, hwreg(HW_REG_FOO)", 24, "HW_REG_MODE"},
    {"v_mad_f32 v0, s1, s2, v3", 11, "one scalar register"},
    {"v_add_f32 v0, |v1, v2", 18, "|"},
    {"s_waitcnt vmcnt(0) lgkmcnt(16)", 28, "0 to 15"},
    {"", 1, "name of an instruction"},
};

static void what_errors_say(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        uint8_t bytes[GPUDBG_INSN_BYTES];
        struct gpudbg_error err = {.offset = -1};
        const struct assembler as = {.isa = &gcn_chips[GCN_CHIP_gfx7].isa};
        is_int(
            assemble_line(&as, 0, errors[i].text, bytes, sizeof bytes, &err), 0, "\"%s\" is refused", errors[i].text);
        is_int(
            (uint64_t)err.column, (uint64_t)errors[i].column, "... in column %ld: %s", errors[i].column, err.message);
        ok(strstr(err.message, errors[i].says) != NULL, "... with \"%s\": %s", errors[i].says, err.message);
    }
}

int main(void)
{
    every_layout();
    every_simm16();
    what_errors_say();
    ok(printed > asked / 4, "%" PRIu64 " of %" PRIu64 " words have a text", printed, asked);
    return tap_done();
}
