/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa.c: the syntax of Mesa's drivers.  Texts beside those of the manual's syntax that say the same, by hand; texts of
 * other versions; and of random words: what is printed without a remark loses nothing.  (By hand, and not part of the
 * tests: all 3113 instructions of Mesa's own tests of its assembler for Gen7, Gen7.5 and Gen12 give their bytes.)
 */
#include <stdlib.h>
#include "assemble/assembler.h"
#include "isa.h"
#include "gpudbg/endian.h"
#include "tap.h"

static unsigned syntax_of(const struct gpudbg_isa *isa, char first)
{
    unsigned n = 0;
    while (isa->syntaxes[n][0] != first) n++;
    return n;
}

/* The manual's text of what a text in a syntax gives, or why it gives nothing. */
static size_t meaning(const struct gpudbg_isa *isa, char syntax, const char *text, char *to, size_t size)
{
    uint8_t bytes[GPUDBG_INSN_BYTES];
    struct gpudbg_insn insn;
    struct gpudbg_error err = {.offset = -1};
    const struct assembler as = {.isa = isa, .syntax = syntax_of(isa, syntax)};
    const size_t n = assemble_line(&as, 0x1000, text, bytes, sizeof bytes, &err);
    snprintf(to, size, "%s", err.message);
    if (n && isa->decode(isa, bytes, n, 0x1000, &insn) == (int)n)
        isa->text(&insn, syntax_of(isa, 'p'), GPUDBG_READABLE, NULL, to, size);
    return n;
}

/* ---- Texts and what they mean ---- */

#define OLD true /* another version of Mesa wrote it: it is read, and printed in another way */
static const struct {
    const struct gpudbg_isa *isa;
    bool old;
    const char *mesa, *prm;
} pairs[] = {
    {GEN_ISA(7), false, "pln(8) g124<1>F g4<0,1,0>F g2<8,8,1>F { align1 1Q compacted };",
        "pln (8) r124.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f {Q1, Compacted}"},
    {GEN_ISA(7), false, "mul(16) g120<1>F g6<8,8,1>F -g10.3<0,1,0>F { align1 1H };",
        "mul (16) r120.0<1>:f r6.0<8;8,1>:f -r10.3<0;1,0>:f {Q1}"},
    {GEN_ISA(7), false, "(+f0.0) sel(8) g5<1>UD g2<8,8,1>UD (abs)g3<8,8,1>D { align1 2Q };",
        "(f0.0) sel (8) r5.0<1>:ud r2.0<8;8,1>:ud (abs)r3.0<8;8,1>:d {Q2}"},
    {GEN_ISA(7), false, "(-f0.1.any4h) cmp.ge.f0.1(4) null<1>F g5<4,4,1>F g6<4,4,1>F { align1 3N };",
        "(-f0.1.any4h) cmp.ge.f0.1 (4) null<1>:f r5.0<4;4,1>:f r6.0<4;4,1>:f {N3}"},
    {GEN_ISA(7), false, "sel.ge(8) g4<1>F g4<8,8,1>F 0x0F /* 0F */ { align1 1Q };",
        "sel.ge.f0.0 (8) r4.0<1>:f r4.0<8;8,1>:f 0.0:f {Q1}"},
    {GEN_ISA(7), false, "mov(8) g2<1>F 0x3f800000F /* 1F */ { align1 WE_all 1Q };",
        "mov (8) r2.0<1>:f 1.0:f {NoMask, Q1}"},
    {GEN_ISA(7), false, "mov(8) g2<1>UW 0x76543210V { align1 WE_all 1Q };",
        "mov (8) r2.0<1>:uw 0x76543210:v {NoMask, Q1}"},
    {GEN_ISA(7), false, "mov(8) g12<1>F 0x30003000VF /* [0F, 1F, 0F, 1F]VF */ { align16 1Q };",
        "mov (8) r12.0<1>.xyzw:f 0x30003000:vf {Align16, Q1}"},
    {GEN_ISA(7), false, "add(1) a0<1>UW g11<0,1,0>UW 0x0008UW { align1 WE_all 1N };",
        "add (1) a0.0<1>:uw r11.0<0;1,0>:uw 0x8:uw {NoMask, N1}"},
    {GEN_ISA(7), false, "add(8) g3<1>D g3<8,8,1>D -12D { align1 NoDDClr,NoDDChk 1Q };",
        "add (8) r3.0<1>:d r3.0<8;8,1>:d -12:d {Q1, NoDDClr, NoDDChk}"},
    {GEN_ISA(7), false, "mov(8) g5<1>UD g[a0.2 32]<8,8,1>UD { align1 1Q };",
        "mov (8) r5.0<1>:ud r[a0.2,32]<8;8,1>:ud {Q1}"},
    {GEN_ISA(7), false, "mov(8) g5<1>UD g[a0 1008]<VxH,1,0>UD { align1 1Q };",
        "mov (8) r5.0<1>:ud r[a0.0,-16]<1,0>:ud {Q1}"},
    {GEN_ISA(7), false, "mul.sat(8) g45<1>.xyF g5.4<0>.zF g6<4>.xyyyF { align16 1Q switch };",
        "mul.sat (8) r45.0<1>.xy:f r5.4<0>.zzzz:f r6.0<4>.xyyy:f {Align16, Q1, Switch}"},
    {GEN_ISA(7), false, "mad(8) g25<1>F -g6.7<0,1,0>F g6<4,4,1>.xyzzF g21<4,4,1>F { align16 2Q };",
        "mad (8) r25.0<1>.xyzw:f -r6.7<0;1,0>.xxxx:f r6.0<4>.xyzz:f r21.0<4>.xyzw:f {Align16, Q2}"},
    {GEN_ISA(7), false, "mach(8) null<1>D g5<8,8,1>D g6<8,8,1>D { align1 1Q AccWrEnable };",
        "mach (8) null<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:d {Q1, AccWrEn}"},
    {GEN_ISA(7), false, "add(1) g9<1>UD g8<0,1,0>UD -ip { align1 WE_all 1N };",
        "add (1) r9.0<1>:ud r8.0<0;1,0>:ud -ip<0;1,0>:ud {NoMask, N1}"},
    {GEN_ISA(7), false, "math inv(8) g6<1>F g2<0,1,0>F null<8,8,1>F { align1 1Q };",
        "math.inv (8) r6.0<1>:f r2.0<0;1,0>:f {Q1}"},
    {GEN_ISA(7), false, "math intmod(8) g6<1>D g2<8,8,1>D g3<8,8,1>D { align1 1Q };",
        "math.irem (8) r6.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {Q1}"},
    {GEN_ISA(7), false, "wait(1) n0<1>UD { align1 WE_all 1N };", "wait (1) n0.0<0;1,0>:ud {NoMask, N1}"},
    {GEN_ISA(7), false, "(+f0.0) if(8) JIP: 8 UIP: 32 { align1 1Q };", "(f0.0) if (8) 8 32 {Q1}"},
    {GEN_ISA(7), false, "while(8) JIP: -12 { align1 1Q };", "while (8) -12 {Q1}"},
    {GEN_ISA(7), false, "(+f0.0) jmpi(1) 4D { align1 WE_all 1N };", "(f0.0) jmpi (1) 4 {NoMask, N1}"},
    {GEN_ISA(7), false,
        "send(8) g2<1>UW g8<8,8,1>UD 0x08427001 sampler MsgDesc: ld SIMD8 Surface = 1 Sampler = 0 mlen 4 rlen 4 { "
        "align1 "
        "1Q };",
        "send (8) r2.0<1>:uw r8.0<8;8,1>:ud 0x2 0x08427001 {Q1}"},
    {GEN_ISA(7), false,
        "sendc(8) null<1>UW g124<8,8,1>F 0x88031400 render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0 { "
        "align1 1Q EOT };",
        "sendc (8) null<1>:uw r124.0<8;8,1>:f 0x25 0x08031400 {Q1, EOT}"},
    {GEN_ISA(7), false,
        "send(8) g10<1>UW g2<8,8,1>UD 0x0210ec01 data MsgDesc: ( DC DWORD scattered read, 1, 44) mlen 1 rlen 1 { "
        "align1 1Q };",
        "send (8) r10.0<1>:uw r2.0<8;8,1>:ud 0xA 0x0210EC01 {Q1}"},
    {GEN_ISA(75), false,
        "send(16) null<1>UW g2<8,8,1>UD 0x08025e02 dp data 1 MsgDesc: ( DC untyped surface write, Surface = 2, SIMD16, "
        "Mask "
        "= 0xe) mlen 4 rlen 0 { align1 1H };",
        "send (16) null<1>:uw r2.0<8;8,1>:ud 0xC 0x08025E02 {Q1}"},
    {GEN_ISA(75), false,
        "send(8) g5<1>UD g2<8,8,1>UD a0<0,1,0>UD 0x00000200 sampler MsgDesc: indirect { align1 WE_all 1Q };",
        "send (8) r5.0<1>:ud r2.0<8;8,1>:ud 0x2 a0.0 {NoMask, Q1}"},
    {GEN_ISA(12), false, "mov(16) g10<1>F g2<8,8,1>F { align1 1H @1 $2.dst };",
        "mov (16) r10.0<1>:f r2.0<8;8,1>:f {Q1, @1,$2.dst}"},
    {GEN_ISA(12), false, "and(8) g3<1>UD ~g4<8,8,1>UD g5<8,8,1>UD { align1 1Q F1 };", NULL},
    {GEN_ISA(12), false, "and(8) g3<1>UD ~g4<8,8,1>UD g5<8,8,1>UD { align1 1Q $3.src compacted };",
        "and (8) r3.0<1>:ud ~r4.0<8;8,1>:ud r5.0<8;8,1>:ud {Q1, $3.src, Compacted}"},
    {GEN_ISA(12), false, "and(8) g3<1>UD ~g4<8,8,1>UD g5<8,8,1>UD { align1 1Q $3.src };",
        "and (8) r3.0<1>:ud ~r4.0<8;8,1>:ud r5.0<8;8,1>:ud {Q1, $3.src}"},
    {GEN_ISA(12), false, "mad(8) g3<1>F g4.1<0,1,0>F g5<8,8,1>F g6<1,1,1>F { align1 1Q @4 };",
        "mad (8) r3.0<1>:f r4.1<0;0>:f r5.0<8;1>:f r6.0<1>:f {Q1, @4}"},
    {GEN_ISA(12), false, "sync nop(1) null<0,1,0>UB { align1 WE_all 1N $5.dst };",
        "sync.nop (1) null<0;1,0>:ub {NoMask, N1, $5.dst}"},
    {GEN_ISA(12), false, "sync allwr(8) nullUD { align1 1Q };", "sync.allwr (8) null<0>:ub null<0;1,0>:ud {Q1}"},
    {GEN_ISA(12), OLD, "math cos(16) g17<1>F g15<8,8,1>F nullUD { align1 1H @1 $0 };",
        "math.cos (16) r17.0<1>:f r15.0<8;8,1>:f {Q1, @1,$0}"},
    {GEN_ISA(12), false,
        "send(8) nullUD g24UD g14UD 0x02026c01 0x00000040 dp data 1 MsgDesc: ( DC untyped surface write, Surface = 1, "
        "SIMD8, "
        "Mask = 0xc) mlen 1 ex_mlen 1 rlen 0 { align1 1Q @1 $5 };",
        "send.dc1 (8) null r24 r14 0x40 0x02026C01 {Q1, @1,$5}"},
    {GEN_ISA(12), false, "send(8) g9UD g24UD nullUD a0<0>UD a0.2<0>UD sampler MsgDesc: indirect { align1 1Q $1 };",
        "send.smpl (8) r9 r24 null a0.2 a0.0 {Q1, $1}"},
    {GEN_ISA(12), false, "else(8) JIP: 32 UIP: 64 { align1 1Q };", "else (8) 32 64 {Q1}"},
    /* 2012 to 2018 */
    {GEN_ISA(7), OLD, "mov(8) g2<1>F 0.5F { align1 1Q };", "mov (8) r2.0<1>:f 0.5:f {Q1}"},
    {GEN_ISA(7), OLD, "mov(8) g2<1>F -1e-05F { align1 1Q };", "mov (8) r2.0<1>:f -1e-05:f {Q1}"},
    {GEN_ISA(7), OLD, "mov(8) g2<1>F [1F, -0.5F, 0F, 31F]VF { align16 1Q };",
        "mov (8) r2.0<1>.xyzw:f 0x7F00A030:vf {Align16, Q1}"},
    {GEN_ISA(7), OLD, "cmp.ne.f0(8) null g5<8,8,1>D 0D { align1 WE_normal 1Q };",
        "cmp.nz.f0.0 (8) null<1>:d r5.0<8;8,1>:d 0:d {Q1}"},
    {GEN_ISA(7), OLD, "(+f0) if(8) 32 8 { align1 WE_normal 1Q };", "(f0.0) if (8) 8 32 {Q1}"},
    {GEN_ISA(7), OLD, "math inv(8) g6<1>F g2<8,8,1>F null { align1 1Q };", "math.inv (8) r6.0<1>:f r2.0<8;8,1>:f {Q1}"},
    {GEN_ISA(7), OLD,
        "sendc(8) null g120<8,8,1>F render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0 { align1 1Q EOT };",
        "sendc (8) null<1>:f r120.0<8;8,1>:f 0x25 0x08031400 {Q1, EOT}"},
    {GEN_ISA(7), OLD, "sendc(8) null g120<8,8,1>F render ( RT write, 0, 20, 12) mlen 6 rlen 0 { align1 1Q EOT };",
        "sendc (8) null<1>:f r120.0<8;8,1>:f 0x25 0x0C0B1400 {Q1, EOT}"},
    {GEN_ISA(7), OLD, "send(16) g2<1>UW g2<8,8,1>F sampler (1, 0, 7, 2) mlen 8 rlen 8 { align1 1H };",
        "send (16) r2.0<1>:uw r2.0<8;8,1>:f 0x2 0x10847001 {Q1}"},
    {GEN_ISA(7), OLD, "send(8) null g113<4>F urb 0 urb_write mlen 3 rlen 0 { align16 1Q EOT };", NULL},
    {GEN_ISA(7), OLD,
        "send(8) null<1>F g113<4>F urb MsgDesc: 0 write HWord interleave complete mlen 3 rlen 0 { align16 1Q EOT };",
        "send (8) null<1>.xyzw:f r113.0<4>.xyzw:f 0x26 0x0608C000 {Align16, Q1, EOT}"},
};

static void texts(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char mesa[2048], prm[2048], text[2048];
        uint8_t bytes[GPUDBG_INSN_BYTES];
        struct gpudbg_insn insn;
        struct gpudbg_error err = {.offset = -1};
        const struct gpudbg_isa *isa = pairs[i].isa;
        const size_t n = meaning(isa, 'm', pairs[i].mesa, mesa, sizeof mesa);
        if (!pairs[i].prm) {
            is_int(n, 0, "%s, %s: %s", isa->name, pairs[i].mesa, mesa);
            continue;
        }
        meaning(isa, 'p', pairs[i].prm, prm, sizeof prm);
        is_str(mesa, prm, "%s: %s", isa->name, pairs[i].mesa);
        const struct assembler as = {.isa = isa, .syntax = syntax_of(isa, 'm')};
        if (pairs[i].old || !assemble_line(&as, 0x1000, pairs[i].mesa, bytes, sizeof bytes, &err)) continue;
        isa->decode(isa, bytes, n, 0x1000, &insn);
        isa->text(&insn, as.syntax, GPUDBG_READABLE, NULL, text, sizeof text);
        is_str(text, pairs[i].mesa, "... printed");
    }
}

/* ---- Random words ---- */

static uint64_t seed = 0x2545f4914f6cdd1d;

static uint64_t random64(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* A text behind which no other stands says all that the manual's text says. */
static void loses_nothing(const struct gpudbg_isa *isa)
{
    const unsigned mesa = syntax_of(isa, 'm'), prm = syntax_of(isa, 'p');
    unsigned asked = 0, wrong = 0;
    for (size_t i = 0; i < isa->nops; i++)
        for (unsigned k = 0; k < (getenv("GPUDBG_NIGHTLY") ? 100000u : 600u); k++) {
            uint8_t bytes[16];
            char text[4096], was[2048], is[2048];
            struct gpudbg_insn insn;
            uint64_t w[2] = {random64() & random64() & ~(uint64_t)0x2000007f, random64() & random64()};
            if (k % 3 == 0) w[0] &= random64();
            if (k % 3 == 1) w[1] &= random64() & random64();
            le_put(bytes, w[0] | (uint64_t)isa->rows[i].code, 8);
            le_put(bytes + 8, w[1], 8);
            if (isa->decode(isa, bytes, 16, 0x1000, &insn) != 16) continue;
            isa->text(&insn, mesa, GPUDBG_READABLE, NULL, text, sizeof text);
            if (strstr(text, " // ")) continue;
            isa->text(&insn, prm, GPUDBG_READABLE, NULL, was, sizeof was);
            meaning(isa, 'm', text, is, sizeof is);
            asked++;
            if (strcmp(was, is) != 0 && wrong++ < 12)
                fprintf(stderr, "# %s %016llx %016llx\n#   %s\n#   %s\n#   %s\n", isa->name,
                    (unsigned long long)(w[0] | (uint64_t)isa->rows[i].code), (unsigned long long)w[1], text, was, is);
        }
    ok(asked > 2000 && wrong == 0, "%s: %u texts say all that they should, %u do not", isa->name, asked, wrong);
}

int main(void)
{
    texts();
    loses_nothing(GEN_ISA(7));
    loses_nothing(GEN_ISA(75));
    loses_nothing(GEN_ISA(12));
    return tap_done();
}
