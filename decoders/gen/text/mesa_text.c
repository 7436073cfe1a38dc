/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_text.c: the syntax of Mesa's drivers (INTEL_DEBUG=fs, vs, ...), in the columns of its disassembler, as in Mesa
 * 21.  Sends, which Mesa prints over two lines, are in one line here.
 *
 *     [(+f0.0)] op[.sat][.cond.fN.M][ function](exec) dst src... [words of a message] { align1 1Q options };
 *
 * Source: brw_disasm.c.  Mesa itself prints no targets of brd, brc, goto, join and calls: here they follow JIP and UIP,
 * as for other branches.
 */
#include <inttypes.h>
#include <stdio.h>
#include "text/mesa_message.h"
#include "gpudbg/lanes.h"
#include "ops.h"

static char *pad(const char *line, char *p, int column)
{
    do *p++ = ' ';
    while (p - line < column);
    return p;
}

/* "#9": a code without a name, for which Mesa prints an error. */
static char *put_code(char *p, unsigned code)
{
    *p++ = '#';
    return gen_put_number(p, code);
}

static char *put_named(char *p, const char *name, unsigned code) { return name ? put(p, name) : put_code(p, code); }

/* ---- In front of the operands ---- */

static char *put_predicate(char *p, const struct gen_insn *i)
{
    if (!i->pred) return p;
    *p++ = '(';
    *p++ = i->pred_inv ? '-' : '+';
    p = gen_put_flag(p, i);
    const char *name = gen_pred_name(i);
    if (i->pred > 1) *p++ = '.';
    p = put_named(p, name, i->pred);
    return PUT(p, ") ");
}

bool gen_mesa_says_flag(unsigned op) { return !GEN_IS(op, CHOOSES) && op != GEN_OP_if && op != GEN_OP_while; }

static char *put_name(char *p, const struct gen_insn *i)
{
    p = put(p, i->row->name);
    if (i->saturate && i->shape != GEN_SEND) p = PUT(p, ".sat");
    if (i->breakpoint) p = PUT(p, ".breakpoint");
    if (i->shape == GEN_MATH || i->shape == GEN_SYNC) {
        *p++ = ' ';
        return put_named(p, i->shape == GEN_MATH ? gen_mesa_math_name(i->func) : gen_sync_name(i->func), i->func);
    }
    if (!i->cmod || i->shape == GEN_SEND) return p;
    *p++ = '.';
    p = put_named(p, gen_mesa_cmod_name(i->cmod), i->cmod);
    if (!gen_mesa_says_flag(i->op)) return p;
    *p++ = '.';
    return gen_put_flag(p, i);
}

static char *put_exec(char *p, const struct gen_insn *i)
{
    *p++ = '(';
    return PUT(gen_put_dec(p, i->exec_size), ")");
}

/* ---- Operands ---- */

const char *const gen_mesa_arfs[16] = {
    "null", "a", "acc", "f", "mask", "ms", "msd", "sr", "cr", "n", "ip", "tdr", "tm"};

static char *put_register(char *p, const struct gen_operand *o)
{
    const unsigned high = o->arf >> 4;
    if (o->file == GEN_GRF) return gen_put_dec(PUT(p, "g"), o->reg);
    if (o->bad_file) return gen_put_dec(PUT(p, "m"), o->arf & 127);
    if (!gen_mesa_arfs[high]) return gen_put_dec(PUT(p, "ARF"), o->arf);
    p = put(p, gen_mesa_arfs[high]);
    if (high == 0xb) return PUT(p, "0");
    return high == 0 || high == 0xa ? p : gen_put_dec(p, o->arf & 15);
}

/* Mesa numbers the address word of a destination in elements, and prints offsets without a sign. */
static char *put_place(char *p, const struct gen_operand *o, bool destination)
{
    if (o->mode != GEN_INDIRECT) {
        p = put_register(p, o);
        const unsigned part = o->sub / gen_type_size[o->type];
        return o->sub ? gen_put_dec(PUT(p, "."), part) : p;
    }
    p = PUT(p, "g[a0");
    if (o->addr_sub) p = gen_put_dec(PUT(p, "."), o->addr_sub / (destination ? (unsigned)gen_type_size[o->type] : 1));
    if (o->addr_imm) p = gen_put_number(PUT(p, " "), o->addr_imm & 1023);
    return PUT(p, "]");
}

/* ip and tdr0 have no region. */
static bool stands_alone(const struct gen_operand *o)
{
    return o->mode == GEN_DIRECT && (o->file == GEN_IP || o->file == GEN_TDR);
}

static char *put_type(char *p, unsigned type)
{
    for (const char *name = gen_type_name[type]; *name; name++) *p++ = (char)(*name >= 'a' ? *name - 32 : *name);
    return p;
}

static char *put_stride(char *p, unsigned value, unsigned code)
{
    return value == GEN_RESERVED ? put_code(p, code) : gen_put_dec(p, value);
}

static char *put_region(char *p, const struct gen_operand *o)
{
    *p++ = '<';
    p = o->vx ? PUT(p, "VxH") : put_stride(p, o->vstride, o->vcode);
    *p++ = ',';
    p = put_stride(p, o->width, o->wcode);
    *p++ = ',';
    p = gen_put_dec(p, o->hstride);
    return PUT(p, ">");
}

static char *put_swizzle(char *p, unsigned swizzle)
{
    if (swizzle == 0xe4) return p;
    *p++ = '.';
    const unsigned n = swizzle == (swizzle & 3) * 0x55 ? 1 : 4;
    for (unsigned c = 0; c < n; c++) *p++ = "xyzw"[swizzle >> 2 * c & 3];
    return p;
}

static char *put_mask(char *p, unsigned mask)
{
    if (mask == 15) return p;
    *p++ = '.';
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) *p++ = "xyzw"[c];
    return p;
}

static char *put_destination(char *p, const struct gen_insn *i)
{
    const struct gen_operand *o = &i->dst;
    p = put_place(p, o, true);
    if (stands_alone(o)) return p;
    if (i->shape != GEN_SEND || !gen_is_split(i)) {
        *p++ = '<';
        p = gen_put_dec(p, i->shape == GEN_TERNARY || o->align16 ? 1 : o->hstride);
        *p++ = '>';
        if (o->align16) p = put_mask(p, o->chan_en);
    }
    return put_type(p, o->type);
}

static char *put_ternary(char *p, const struct gen_operand *o)
{
    const bool scalar = o->vstride == 0 && o->hstride == 0;
    p = put_register(p, o);
    if (scalar || o->sub) p = gen_put_dec(PUT(p, "."), o->sub / gen_type_size[o->type]);
    struct gen_operand region = *o;
    if (!o->align16) region.width = o->hstride ? o->width : o->vstride ? o->vstride : 1; /* as Mesa prints them */
    p = put_region(p, &region);
    return o->align16 && !scalar ? put_swizzle(p, o->swizzle) : p;
}

static char *put_hex(char *p, uint64_t value, unsigned digits)
{
    char text[20];
    snprintf(text, sizeof text, "0x%0*" PRIx64, (int)digits, value);
    return put(p, text);
}

static double vector_float(unsigned vf)
{
    const uint32_t sign = (uint32_t)(vf & 0x80) << 24;
    return (double)lanes_f32(vf & 0x7f ? sign | ((vf >> 4 & 7) + 124) << 23 | (vf & 15) << 19 : sign);
}

static char *put_constant(const char *line, char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    const uint64_t bits = o->imm;
    const bool ternary = i->shape == GEN_TERNARY;
    char *from;
    switch (o->type) {
    case GEN_W: return PUT(gen_put_number(p, ternary ? (uint16_t)bits : (int16_t)bits), "W");
    case GEN_D: return PUT(gen_put_number(p, (int32_t)bits), "D");
    case GEN_F32:
        p = PUT(put_hex(p, bits & 0xffffffff, 1), "F");
        from = pad(line, p, 48);
        return from + snprintf(from, 48, " /* %-gF */", (double)lanes_f32((uint32_t)bits));
    case GEN_DF: /* of dim it is an F */
        p = GEN_IS(i->op, IMM64) ? PUT(put_hex(p, bits, 1), "F") : PUT(put_hex(p, bits, 16), "DF");
        from = pad(line, p, 48);
        return from + snprintf(from, 48, GEN_IS(i->op, IMM64) ? "/* %-gF */" : "/* %-gDF */", lanes_f64(bits));
    case GEN_HF:
        p = PUT(put_hex(p, bits & 0xffff, 4), "HF");
        from = pad(line, p, 48);
        return from + snprintf(from, 48, "/* %-gHF */", (double)lanes_f32(lanes_f32_from_f16((uint16_t)bits, true)));
    case GEN_VF:
        p = PUT(put_hex(p, bits & 0xffffffff, 1), "VF");
        from = pad(line, p, 48);
        return from + snprintf(from, 120, "/* [%-gF, %-gF, %-gF, %-gF]VF */", vector_float(bits & 255),
                          vector_float(bits >> 8 & 255), vector_float(bits >> 16 & 255),
                          vector_float(bits >> 24 & 255));
    }
    const unsigned size = gen_type_size[o->type];
    const bool vector = o->type == GEN_UV || o->type == GEN_V;
    const unsigned digits = vector ? 8 : o->type == GEN_BADTYPE ? 8 : 2 * size;
    return put_type(put_hex(p, digits < 16 ? bits & ((UINT64_C(1) << 4 * digits) - 1) : bits, digits), o->type);
}

bool gen_mesa_bare_null(const struct gen_insn *i)
{
    const struct gen_operand *s = &i->src[0];
    return i->shape == GEN_SYNC && i->dst.hstride == 0 && s->mode == GEN_DIRECT && s->file == GEN_NULL && !s->reg &&
           !s->sub && !s->vstride && s->width == 1 && !s->hstride && !s->neg && !s->abs && s->type != GEN_BADTYPE;
}

static char *put_source(const char *line, char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->mode == GEN_IMMEDIATE) return put_constant(line, p, i, o);
    const bool plain = (i->shape == GEN_SEND && gen_is_split(i)) || gen_mesa_bare_null(i);
    if (o->neg) *p++ = i->eu->inverts && GEN_IS(i->op, LOGIC) ? '~' : '-';
    if (o->abs) p = PUT(p, "(abs)");
    if (i->shape == GEN_TERNARY) return put_type(put_ternary(p, o), o->type);
    p = put_place(p, o, false);
    if (stands_alone(o)) return p;
    if (o->align16)
        p = put_swizzle(PUT(put_stride(PUT(p, "<"), o->vstride, o->vcode), ">"), o->swizzle);
    else if (!plain)
        p = put_region(p, o);
    return put_type(p, o->type);
}

/* ---- Messages ---- */

static char *put_send_e2(const char *line, char *p, const struct gen_insn *i)
{
    p = pad(line, p, 64);
    p = i->desc_is_reg ? PUT(p, "a0<0>UD") : put_hex(p, i->desc, 8);
    p = pad(line, p, 80);
    if (!i->ex_desc_is_reg) return put_hex(p, i->ex_desc, 8);
    p = PUT(p, "a0");
    if (i->ex_desc_reg) p = gen_put_dec(PUT(p, "."), i->ex_desc_reg / 2u);
    return PUT(p, "<0>UD");
}

static char *put_message(const char *line, char *p, const struct gen_insn *i)
{
    if (gen_is_split(i)) {
        p = put_send_e2(line, p, i);
    } else {
        p = pad(line, p, 48);
        if (i->desc_is_reg) {
            struct gen_insn both = *i;
            gen_unpack_second(&both);
            p = pad(line, put_source(line, p, i, &both.src[1]), 64);
        }
        p = put_hex(p, i->w[1] >> 32, 8);
    }
    p = put_named(PUT(p, " "), mesa_sfid_name(i->eu, i->sfid), i->sfid);
    p = PUT(p, " MsgDesc:");
    p = i->desc_is_reg ? PUT(p, " indirect") : PUT(mesa_put_message(p, i), " ");
    if (!i->desc_is_reg) p = gen_put_dec(PUT(p, "mlen "), i->desc >> 25 & 15);
    if (gen_is_split(i) && !i->ex_desc_is_reg) p = gen_put_dec(PUT(p, " ex_mlen "), i->ex_desc >> 6 & 15);
    return i->desc_is_reg ? p : gen_put_dec(PUT(p, " rlen "), i->desc >> 20 & 31);
}

/* ---- Targets ---- */

/* A label, or the encoded distance. */
static char *put_target(
    char *p, const struct gen_insn *i, const struct gpudbg_names *names, uint64_t target, int64_t distance)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, target, buf, sizeof buf) : NULL;
    if (!name) return gen_put_number(p, distance / (int64_t)gen_branch_unit(i));
    for (unsigned n = 0; n < TEXT_OPERAND - 1 && name[n]; n++) *p++ = name[n];
    return p;
}

static char *put_flow(const char *line, char *p, const struct gen_insn *i, const struct gpudbg_names *names)
{
    p = pad(line, p, 16);
    if (i->shape == GEN_CALL) p = pad(line, put_destination(p, i), 32);
    if (i->nsrc) return put_source(line, p, i, &i->src[0]);
    if (GEN_IS(i->op, THREAD)) {
        char *from = p;
        p = put_target(p, i, names, i->jip_target, i->jip);
        return *from == '-' || (*from >= '0' && *from <= '9') ? PUT(p, "D") : p;
    }
    p = put_target(PUT(p, "JIP: "), i, names, i->jip_target, i->jip);
    if (!i->uip_is_imm) return p;
    return put_target(PUT(pad(line, p, 38), "UIP: "), i, names, i->uip_target, i->uip);
}

/* ---- Options ---- */

/* The channels: 1N.. for fours, 1Q.. for eights, 1H and 2H for sixteens. */
static char *put_channels(char *p, const struct gen_insn *i)
{
    const unsigned quarter = i->chan_off / 8, nibble = i->chan_off / 4 & 1;
    if (i->exec_size < 8 || nibble) return PUT(gen_put_dec(PUT(p, " "), 2 * quarter + nibble + 1), "N");
    if (i->exec_size == 8) return PUT(gen_put_dec(PUT(p, " "), quarter + 1), "Q");
    if (i->exec_size == 16) return quarter < 2 ? PUT(p, " 1H") : PUT(p, " 2H");
    return p;
}

static char *put_scoreboard(char *p, const struct gen_insn *i)
{
    char text[24], *end = gen_put_swsb(text, i->eu, i->op, i->swsb);
    if (end == text) return p;
    *p++ = ' ';
    for (const char *c = text; c < end; c++) *p++ = *c == ',' ? ' ' : *c;
    return p;
}

static char *put_options(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    static const char *const thread[4] = {NULL, " atomic", " switch", " ThreadCtrl=#3"};
    const bool branches = i->eu->branch_control && i->shape >= GEN_JUMP;
    p = i->align16 ? PUT(p, "{ align16") : PUT(p, "{ align1");
    if (i->no_mask) p = PUT(p, " WE_all");
    if (i->no_dd_clr) p = PUT(p, " NoDDClr");
    if (i->no_dd_chk) p = i->no_dd_clr ? PUT(p, ",NoDDChk") : PUT(p, " NoDDChk");
    p = put_channels(p, i);
    p = put_scoreboard(p, i);
    if (i->compacted) {
        char *from = PUT(p, " compacted");
        p = gen_put_indices(from, insn, i);
        for (char *c = from; c < p; c++) /* ", subreg=#3" becomes " subreg=#3" */
            if (*c == ',') memmove(c, c + 1, (size_t)(p-- - c - 1));
    }
    if (i->thread_ctrl) p = put(p, thread[i->thread_ctrl & 3]);
    if (i->acc_wr_en && !branches) p = PUT(p, " AccWrEnable");
    if (i->branch_ctrl) p = i->op == GEN_OP_if || i->op == GEN_OP_else ? PUT(p, " BranchCtrl") : PUT(p, " AccWrEnable");
    if (i->eot) p = PUT(p, " EOT");
    if (gen_serializes(i)) p = PUT(p, " Serialize");
    return PUT(p, " };");
}

/* ---- The whole ---- */

bool gen_mesa_says_second(const struct gen_insn *both)
{
    const struct gen_operand *o = &both->src[1];
    return o->mode != GEN_IMMEDIATE && !o->bad_file && !stands_alone(o) && o->type != GEN_BADTYPE &&
           o->width != GEN_RESERVED && (o->vstride != GEN_RESERVED || o->vx) &&
           !(o->mode == GEN_INDIRECT && o->align16) && o->sub % gen_type_size[o->type] == 0;
}

static char *put_second(const char *line, char *p, const struct gen_insn *i)
{
    struct gen_insn both = *i;
    gen_unpack_second(&both);
    return gen_mesa_says_second(&both) ? put_source(line, pad(line, p, 48), i, &both.src[1]) : p;
}

static char *put_operands(const char *line, char *p, const struct gen_insn *i)
{
    const bool writes = i->shape != GEN_SYNC;
    if (writes) p = put_destination(pad(line, p, 16), i);
    const unsigned shown = i->shape == GEN_WAIT ? 0 : i->nsrc;
    for (unsigned n = 0; n < shown; n++) p = put_source(line, pad(line, p, 32 + 16 * (int)n), i, &i->src[n]);
    const bool second = (i->shape == GEN_MATH && shown == 1) || GEN_IS(i->op, GATHERS);
    return second ? put_second(line, p, i) : p;
}

char *gen_mesa_text(
    char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool columns, const struct gpudbg_names *names)
{
    char *const line = p;
    const bool nop = i->shape == GEN_NONE && !GEN_IS(i->op, ILLEGAL);
    struct gen_insn region;
    if (gen_unpack_region(i, &region)) i = &region;
    if (nop) {
        p = put(p, i->row->name);
    } else {
        p = put_predicate(p, i);
        p = put_name(p, i);
        p = put_exec(p, i);
    }
    if (i->shape >= GEN_JUMP)
        p = put_flow(line, p, i, names);
    else if (i->shape != GEN_NONE)
        p = put_operands(line, p, i);
    if (i->shape == GEN_SEND) p = put_message(line, p, i);
    p = pad(line, p, 64);
    if (!nop)
        p = put_options(p, insn, i);
    else if (i->compacted)
        p = PUT(p, "{ compacted };");
    else if (i->swsb)
        p = PUT(put_scoreboard(PUT(p, "{"), i), " };");
    else
        p = PUT(p, ";");
    if (columns) return p;
    char *to = line; /* one blank in place of several */
    for (const char *from = line; from < p; from++)
        if (*from != ' ' || to == line || to[-1] != ' ') *to++ = *from;
    return to;
}
