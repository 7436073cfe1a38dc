/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_rules.c: see gen_rules.h.  A rule is a row of the table below: the generations that have it, its name, its
 * source, and a function that tells whether an instruction breaks it and how.
 *
 * Sources: "EU" is the Ivy Bridge manual, volume 4 part 3; "enumerations" those of Haswell and DG1; "regions" the
 * manual's chapter of restrictions on register regions, as compilers and simulators observe them.
 */
#include "check/gen_rules.h"
#include <inttypes.h>
#include <stdio.h>
#include "code/gen_decoder.h"
#include "code/footprint.h"

typedef bool rule_fn(const struct gen_insn *, char *buf, size_t size);

#define SAY(...) (snprintf(buf, size, __VA_ARGS__), true)

static const char *const source_names[] = {"src0", "src1", "src2"};

/* Loops over the sources of the instruction that meet a condition. */
#define FOR_SOURCES(x, k, o, condition) \
    for (unsigned k = 0; k < 3; k++)    \
        for (const struct gen_operand *o = &(x)->src[k]; o && (x)->src[k].mode != GEN_ABSENT && (condition); o = NULL)

static bool is_message(const struct gen_insn *x) { return x->shape == GEN_SEND; }
/* Branches, sync and wait have operands that are not regions of channels. */
static bool has_regions(const struct gen_insn *x)
{
    return x->shape == GEN_UNARY || x->shape == GEN_BINARY || x->shape == GEN_TERNARY || x->shape == GEN_MATH;
}
static bool in_register(const struct gen_operand *o) { return o->mode == GEN_DIRECT || o->mode == GEN_INDIRECT; }
static bool in_grf(const struct gen_operand *o) { return o->mode == GEN_DIRECT && o->file == GEN_GRF; }
/* A source whose region is <V;W,H>, all three valid. */
static bool is_region(const struct gen_insn *x, const struct gen_operand *o)
{
    return has_regions(x) && in_register(o) && o->file != GEN_NULL && !o->align16 && !o->rep &&
           o->vstride != GEN_RESERVED && o->width != GEN_RESERVED && o->hstride != GEN_RESERVED && o->width && !o->vx &&
           !gen_is_macro(x) && x->shape != GEN_TERNARY;
}

/* ---- Reserved encodings ---- */

static bool exec_size(const struct gen_insn *x, char *buf, size_t size)
{
    return x->exec_size > 32 && x->shape != GEN_NONE && SAY("ExecSize %u is more than 32 channels", x->exec_size);
}

static bool channels(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->exec_size > 32 || x->shape == GEN_NONE) return false;
    if (x->chan_off + x->exec_size > 32)
        return SAY("channels %u to %u: a thread has 32", x->chan_off, x->chan_off + x->exec_size - 1);
    return x->exec_size >= 8 && x->chan_off % x->exec_size &&
           SAY("%u channels start at %u, which is not a multiple of their number", x->exec_size, x->chan_off);
}

static bool type_code(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x)) return false;
    if (x->dst.mode != GEN_ABSENT && x->dst.type == GEN_BADTYPE) return SAY("dst has a reserved type");
    FOR_SOURCES(x, k, o, o->type == GEN_BADTYPE) return SAY("%s has a reserved type", source_names[k]);
    const bool acc = x->dst.mode == GEN_DIRECT && x->dst.file == GEN_ACC;
    if (x->dst.mode != GEN_ABSENT && x->dst.type == GEN_NF && !acc)
        return SAY("dst has type :nf: only accumulators may");
    FOR_SOURCES(x, k, o, o->type == GEN_NF && !(o->mode == GEN_DIRECT && o->file == GEN_ACC))
    return SAY("%s has type :nf: only accumulators may", source_names[k]);
    return false;
}

static bool region_code(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x)) return false;
    FOR_SOURCES(x, k, o, in_register(o) && o->file != GEN_NULL)
    {
        if (o->align16 ? o->vstride == GEN_RESERVED
                       : !o->rep && ((o->vstride == GEN_RESERVED && o->vcode != 15) || o->width == GEN_RESERVED ||
                                        o->hstride == GEN_RESERVED))
            return SAY(
                "%s: a reserved stride or width (codes %u, %u, %u)", source_names[k], o->vcode, o->wcode, o->hcode);
        if (o->vcode == 15 && o->mode == GEN_DIRECT)
            return SAY("%s: VertStride 15 (addresses by row) is for indirect operands", source_names[k]);
    }
    return false;
}

static bool register_number(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *all[] = {&x->dst, &x->src[0], &x->src[1], &x->src[2]};
    for (unsigned i = 0; i < 4; i++) {
        const char *name = i ? source_names[i - 1] : "dst";
        if (all[i]->mode != GEN_DIRECT) continue;
        if (all[i]->file == GEN_NOFILE) return SAY("%s: no architecture register has number 0x%02x", name, all[i]->arf);
        if (all[i]->file == GEN_GRF && all[i]->reg >= gen_registers(x->eu))
            return SAY("%s: r%u: r%u is the last", name, all[i]->reg, gen_registers(x->eu) - 1);
        if (all[i]->file == GEN_GRF || all[i]->file == GEN_NULL || (!x->eu->knows_counts && all[i]->file > GEN_F))
            continue;
        const struct gpudbg_regfile *file = &x->eu->isa.files[all[i]->file];
        if (!x->eu->stack_pointer && all[i]->file == GEN_SP)
            return SAY("%s: there is no stack pointer: number 0x%02x is reserved", name, all[i]->arf);
        if (all[i]->reg >= file->count)
            return SAY("%s: number 0x%02x is reserved: there %s of its kind", name, all[i]->arf,
                file->count > 1 ? "are fewer" : "is one");
    }
    return false;
}

static bool predicate_code(const struct gen_insn *x, char *buf, size_t size)
{
    return x->pred && !gen_pred_name(x) &&
           SAY("predicate control %u is reserved%s", x->pred, x->align16 ? " in Align16" : "");
}

static bool condition_code(const struct gen_insn *x, char *buf, size_t size)
{
    return x->cmod && !gen_cmod_name(x->cmod, true) && SAY("condition modifier %u is reserved", x->cmod);
}

static bool math_function(const struct gen_insn *x, char *buf, size_t size)
{
    return x->shape == GEN_MATH && !gen_math_name(x->eu, x->func) && SAY("math function %u is reserved", x->func);
}

static bool sync_function(const struct gen_insn *x, char *buf, size_t size)
{
    return x->shape == GEN_SYNC && !gen_sync_name(x->func) && SAY("sync function %u is reserved", x->func);
}

static bool thread_control(const struct gen_insn *x, char *buf, size_t size)
{
    return x->thread_ctrl == 3 && !x->eu->no_preempt && SAY("thread control 3 is reserved");
}

static bool destination_file(const struct gen_insn *x, char *buf, size_t size)
{
    const unsigned file = GET(x->eu->column, x->w, dst_file);
    return has_regions(x) && x->shape != GEN_TERNARY && file >= 2 &&
           SAY("dst: register file %u cannot be written", file);
}

static bool source_file(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->shape != GEN_UNARY && x->shape != GEN_BINARY && x->shape != GEN_MATH) return false;
    const unsigned e = x->eu->column;
    for (unsigned k = 0; k < x->nsrc && k < 2; k++)
        if ((k ? GET(e, x->w, src1_file) : GET(e, x->w, src0_file)) == 2)
            return SAY("%s: register file 2 (messages) does not exist in this generation", source_names[k]);
    return false;
}

static bool sfid(const struct gen_insn *x, char *buf, size_t size)
{
    return is_message(x) && !gen_sfid_name(x->eu, x->sfid) && SAY("no shared function has number %u", x->sfid);
}

static bool scoreboard(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->eu->pipes && gen_pipe_of(x->swsb)) return false;
    unsigned kind = x->swsb >> 4, low = x->swsb & 15;
    bool out_of_order = gen_takes_token(x->shape);
    if (x->swsb < 0x80 && ((kind == 0 && low > 7) || kind == 1 || kind > 4))
        return SAY("scoreboard byte 0x%02x is reserved", x->swsb);
    if (kind == 8) return SAY("scoreboard byte 0x%02x has a distance of 0, not 1 to 7", x->swsb);
    return kind == 4 && !out_of_order && SAY("$%u is allocated by an instruction that completes in order", low);
}

/* ---- Immediates ---- */

static bool immediate_place(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->shape == GEN_BINARY || (x->shape == GEN_MATH && x->nsrc == 2))
        return x->src[0].mode == GEN_IMMEDIATE && SAY("src0 is a constant: of two sources, only the last may be one");
    if (x->shape == GEN_TERNARY && x->src[1].mode == GEN_IMMEDIATE)
        return SAY("src1 is a constant: of three sources, only the first and the last may be one");
    return false;
}

static bool immediate_words(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->compacted || x->shape == GEN_TERNARY || !has_regions(x)) return false;
    FOR_SOURCES(x, k, o, o->mode == GEN_IMMEDIATE && (o->type == GEN_W || o->type == GEN_UW || o->type == GEN_HF))
    {
        uint32_t dword = (uint32_t)(x->w[1] >> 32);
        if (dword >> 16 != (dword & 0xffff))
            return SAY("%s: the constant's 16 bits are not repeated in the other half (0x%08" PRIx32 ")",
                source_names[k], dword);
    }
    return false;
}

static bool immediate_bytes(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->mode == GEN_IMMEDIATE && (o->type == GEN_B || o->type == GEN_UB))
    return SAY("%s: constants have no bytes", source_names[k]);
    return false;
}

static const struct gen_operand *vector_constant(const struct gen_insn *x)
{
    FOR_SOURCES(x, k, o, o->mode == GEN_IMMEDIATE && (o->type == GEN_V || o->type == GEN_UV || o->type == GEN_VF))
    return o;
    return NULL;
}

static bool vector_alignment(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *o = has_regions(x) ? vector_constant(x) : NULL;
    return o && x->dst.mode == GEN_DIRECT && x->dst.file == GEN_GRF && x->dst.sub % 16 &&
           SAY("dst starts at byte %u: beside a :%s constant it is aligned to 16", x->dst.sub, gen_type_name[o->type]);
}

static bool vector_stride(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *o = has_regions(x) ? vector_constant(x) : NULL;
    if (!o || !in_register(&x->dst) || x->dst.file == GEN_NULL || x->dst.hstride == GEN_RESERVED || x->exec_size == 1)
        return false;
    unsigned want = o->type == GEN_VF ? 4 : 2,
             have = gen_type_size[x->dst.type] * (x->dst.align16 ? 1u : x->dst.hstride);
    return have != want &&
           SAY("dst steps by %u bytes: beside a :%s constant it steps by %u", have, gen_type_name[o->type], want);
}

/* ---- Regions of sources ---- */

static bool width_exec(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, is_region(x, o) && o->width > x->exec_size)
    return SAY("%s: Width %u is more than ExecSize %u", source_names[k], o->width, x->exec_size);
    return false;
}

static bool one_row(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o,
        is_region(x, o) && o->width == x->exec_size && o->width > 1 && o->hstride &&
            o->vstride != o->width * o->hstride)
    return SAY("%s: <%u;%u,%u>: one row of %u channels needs VertStride %u", source_names[k], o->vstride, o->width,
        o->hstride, x->exec_size, o->width * o->hstride);
    return false;
}

static bool narrow_row(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, is_region(x, o) && o->width == 1 && o->hstride)
    return SAY("%s: rows of one element need HorzStride 0, not %u", source_names[k], o->hstride);
    return false;
}

static bool one_channel(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, is_region(x, o) && x->exec_size == 1 && o->width == 1 && (o->vstride || o->hstride))
    return SAY("%s: <%u;%u,%u>: one channel reads <0;1,0>", source_names[k], o->vstride, o->width, o->hstride);
    return false;
}

static bool scalar_width(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o,
        is_region(x, o) && !(x->eu->paired_doubles && o->type == GEN_DF) && !o->vstride && !o->hstride && o->width != 1)
    return SAY("%s: <0;%u,0>: one element for all needs Width 1", source_names[k], o->width);
    return false;
}

static bool row_crosses(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, is_region(x, o) && in_grf(o) && o->width <= x->exec_size)
    {
        unsigned bytes = gen_element_size(x->eu, o), row = o->width;
        for (unsigned i = 0; i + row <= x->exec_size; i += row) {
            int32_t first = gen_origin(x->eu, o) + gen_source_offset(o, i, bytes),
                    last = first + (int32_t)((row - 1) * o->hstride * bytes + bytes - 1);
            if (first / 32 != last / 32)
                return SAY(
                    "%s: a row of %u elements runs from r%d into r%d", source_names[k], row, first / 32, last / 32);
        }
    }
    return false;
}

/* Registers that channels 0..exec - 1 touch, from the first to the last byte. */
static unsigned span(const struct gen_insn *x, const struct gen_operand *o, bool destination)
{
    unsigned bytes = gen_element_size(x->eu, o);
    int32_t lo = INT32_MAX, hi = INT32_MIN;
    for (unsigned i = 0; i < x->exec_size && i < 128; i++) {
        int32_t at = destination ? (int32_t)(i * (o->align16 ? 1u : o->hstride) * bytes)
                                 : gen_source_offset(o, i, bytes);
        if (at < lo) lo = at;
        if (at + (int32_t)bytes - 1 > hi) hi = at + (int32_t)bytes - 1;
    }
    int32_t origin = gen_origin(x->eu, o);
    return (unsigned)((origin + hi) / 32 - (origin + lo) / 32 + 1);
}

static bool spans(const struct gen_insn *x, const struct gen_operand *o)
{
    return has_regions(x) && in_grf(o) && o->type != GEN_BADTYPE && !gen_is_macro(x) && o->hstride != GEN_RESERVED &&
           (o->align16 || o->rep || (o->vstride != GEN_RESERVED && o->width != GEN_RESERVED)) && !o->vx;
}

static bool source_span(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, spans(x, o))
    {
        unsigned n = span(x, o, false);
        if (n > 2)
            return SAY("%s touches %u registers from r%u on: two at most are allowed", source_names[k], n, o->reg);
    }
    return false;
}

static bool past_the_end(const struct gen_insn *x, char *buf, size_t size)
{
    const unsigned n = gen_registers(x->eu);
    if (spans(x, &x->dst) && x->dst.hstride && x->dst.reg < n && x->dst.reg + span(x, &x->dst, true) > n)
        return SAY("dst runs past r%u", n - 1);
    FOR_SOURCES(x, k, o, spans(x, o) && o->reg < n && o->reg + span(x, o, false) > n)
    return SAY("%s runs past r%u", source_names[k], n - 1);
    return false;
}

static bool alignment(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x)) return false;
    if (x->dst.mode == GEN_DIRECT && x->dst.file != GEN_NULL && !gen_is_macro(x) &&
        x->dst.sub % gen_type_size[x->dst.type])
        return SAY("dst starts at byte %u, not at a multiple of the %u of :%s", x->dst.sub, gen_type_size[x->dst.type],
            gen_type_name[x->dst.type]);
    FOR_SOURCES(
        x, k, o, o->mode == GEN_DIRECT && o->file != GEN_NULL && !gen_is_macro(x) && o->sub % gen_type_size[o->type])
    return SAY("%s starts at byte %u, not at a multiple of the %u of :%s", source_names[k], o->sub,
        gen_type_size[o->type], gen_type_name[o->type]);
    return false;
}

static bool ternary_scalar(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->shape != GEN_TERNARY) return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct gen_operand *o = &x->src[k];
        if (in_register(o) && o->vcode == 0 && o->hcode != 0)
            return SAY("%s: <0;%u> has no defined width", source_names[k], o->hstride);
    }
    return false;
}

/* ---- Destinations ---- */

static bool destination_stride(const struct gen_insn *x, char *buf, size_t size)
{
    return has_regions(x) && in_register(&x->dst) && x->dst.file != GEN_NULL && !gen_is_macro(x) &&
           x->shape != GEN_TERNARY && x->dst.hcode == 0 &&
           SAY("dst: HorzStride 0 would write one element for all channels");
}

static bool destination_span(const struct gen_insn *x, char *buf, size_t size)
{
    if (!spans(x, &x->dst) || x->dst.hcode == 0) return false;
    unsigned n = span(x, &x->dst, true);
    return n > 2 && SAY("dst touches %u registers from r%u on: two at most are allowed", n, x->dst.reg);
}

/* A move that copies bits. */
static bool is_raw_move(const struct gen_insn *x)
{
    const struct gen_operand *s = &x->src[0];
    return GEN_IS(x->op, MOVE) && !x->saturate && !s->neg && !s->abs && gen_type_size[s->type] == 1 &&
           s->mode != GEN_IMMEDIATE;
}

static bool packed_bytes(const struct gen_insn *x, char *buf, size_t size)
{
    bool bytes = x->dst.type == GEN_B || x->dst.type == GEN_UB;
    return has_regions(x) && in_register(&x->dst) && x->dst.file != GEN_NULL && bytes && x->exec_size > 1 &&
           (x->dst.align16 || x->dst.hcode == 1) && !is_raw_move(x) &&
           SAY("dst: only raw moves of bytes write packed bytes");
}

/* ---- Align16 ---- */

static bool align16_stride(const struct gen_insn *x, char *buf, size_t size)
{
    if (!x->align16 || !has_regions(x) || x->shape == GEN_TERNARY) return false;
    FOR_SOURCES(x, k, o,
        in_register(o) && o->file != GEN_NULL && o->vcode != 0 && o->vcode != 3 &&
            !(x->eu->align16_doubles && o->type == GEN_DF && o->vcode == 2))
    return SAY("%s: VertStride code %u: Align16 knows 0 and 4 elements%s", source_names[k], o->vcode,
        x->eu->align16_doubles ? ", and 2 of doubles" : "");
    return false;
}

static bool align16_destination(const struct gen_insn *x, char *buf, size_t size)
{
    return x->align16 && has_regions(x) && x->shape != GEN_TERNARY && !gen_is_macro(x) && in_register(&x->dst) &&
           x->dst.file != GEN_NULL && x->dst.hcode != 1 &&
           SAY("dst: HorzStride code %u: Align16 encodes 1", x->dst.hcode);
}

static bool align16_ternary(const struct gen_insn *x, char *buf, size_t size)
{
    return x->shape == GEN_TERNARY && !x->align16 && SAY("instructions with three sources are Align16");
}

static bool align16_bytes(const struct gen_insn *x, char *buf, size_t size)
{
    if (!x->align16 || !has_regions(x)) return false;
    FOR_SOURCES(x, k, o, in_register(o) && o->file != GEN_NULL && gen_type_size[o->type] == 1)
    return SAY("%s: Align16 has no bytes", source_names[k]);
    return in_register(&x->dst) && x->dst.file != GEN_NULL && gen_type_size[x->dst.type] == 1 &&
           x->dst.type != GEN_BADTYPE && SAY("dst: Align16 has no bytes");
}

static bool acc_swizzle(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->align16 && o->mode == GEN_DIRECT && o->file == GEN_ACC && o->swizzle != 0xe4)
    return SAY("%s: an accumulator cannot be swizzled", source_names[k]);
    return false;
}

/* ---- Doubles ---- */

static bool uses_doubles(const struct gen_insn *x)
{
    if (!has_regions(x)) return false;
    FOR_SOURCES(x, k, o, o->type == GEN_DF) return true;
    return x->dst.type == GEN_DF;
}

static bool double_nibbles(const struct gen_insn *x, char *buf, size_t size)
{
    const bool nibbled = (has_regions(x) || is_message(x)) && x->chan_off & 4;
    return nibbled && !(x->exec_size == 4 && uses_doubles(x)) &&
           SAY("NibCtrl: only four channels of doubles start in the middle of eight");
}

static bool double_replicated(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->rep && gen_type_size[o->type] == 8)
    return SAY("%s: RepCtrl is for types of 32 bits, not :%s", source_names[k], gen_type_name[o->type]);
    return false;
}

static bool double_pairs(const struct gen_insn *x, char *buf, size_t size)
{
    return uses_doubles(x) && x->exec_size < 2 && SAY("ExecSize 1: a double takes two channels");
}

static bool double_width(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->type == GEN_DF && is_region(x, o) && o->width < 2)
    return SAY("%s: Width 1: regions of doubles count dwords, a row has two at least", source_names[k]);
    return false;
}

static bool double_channels(const struct gen_insn *x, char *buf, size_t size)
{
    return uses_doubles(x) && x->dst.align16 && x->dst.type == GEN_DF &&
           ((x->dst.chan_en & 3) == 1 || (x->dst.chan_en & 3) == 2 || (x->dst.chan_en >> 2) == 1 ||
               (x->dst.chan_en >> 2) == 2) &&
           SAY("dst: channels of doubles are enabled in pairs, not .%s%s%s%s", x->dst.chan_en & 1 ? "x" : "",
               x->dst.chan_en & 2 ? "y" : "", x->dst.chan_en & 4 ? "z" : "", x->dst.chan_en & 8 ? "w" : "");
}

static bool double_ternary(const struct gen_insn *x, char *buf, size_t size)
{
    return x->shape == GEN_TERNARY && gen_takes[x->op] & GEN_DOUBLES && x->dst.type == GEN_DF &&
           SAY("mad of doubles exists on Haswell only");
}

/* ---- Addresses ---- */

static unsigned address_words(const struct gen_insn *x, const struct gen_operand *o)
{
    return o->mode == GEN_INDIRECT && o->vx && o->width && o->width != GEN_RESERVED
               ? (x->exec_size + o->width - 1u) / o->width
               : 1;
}

static bool address_group(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->mode == GEN_INDIRECT && o->vx)
    {
        unsigned n = address_words(x, o);
        if (n > 1 && o->addr_sub % n)
            return SAY("%s: %u addresses from a0.%u on: the first is not a multiple of %u", source_names[k], n,
                o->addr_sub, n);
    }
    return false;
}

static bool address_end(const struct gen_insn *x, char *buf, size_t size)
{
    unsigned words = x->eu->address_words;
    FOR_SOURCES(x, k, o, o->mode == GEN_INDIRECT && o->addr_sub + address_words(x, o) > words)
    return SAY("%s: %u addresses from a0.%u on: a0 has %u", source_names[k], address_words(x, o), o->addr_sub, words);
    return x->dst.mode == GEN_INDIRECT && x->dst.addr_sub >= words &&
           SAY("dst: a0.%u: a0 has %u words", x->dst.addr_sub, words);
}

static bool address_channels(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o, o->mode == GEN_INDIRECT && o->vx && o->width == 1 && x->exec_size > x->eu->address_words)
    return SAY("%s has an address for each channel: %u channels at most may, not %u", source_names[k],
        x->eu->address_words, x->exec_size);
    return false;
}

static bool address_source(const struct gen_insn *x, char *buf, size_t size)
{
    return has_regions(x) && x->src[1].mode == GEN_INDIRECT && x->src[1].vx &&
           SAY("src1 has addresses by row: only src0 may");
}

/* ---- Architecture registers ---- */

static bool arf_source(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x)) return false;
    FOR_SOURCES(x, k, o,
        k && o->mode == GEN_DIRECT && o->file != GEN_GRF && o->file != GEN_NULL && o->file != GEN_ACC &&
            o->file != GEN_NOFILE)
    return SAY("%s is register 0x%02x of the architecture: only src0 and dst may be one", source_names[k], o->arf);
    return false;
}

static bool arf_end(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *all[] = {&x->dst, &x->src[0], &x->src[1], &x->src[2]};
    if (!has_regions(x)) return false;
    for (unsigned i = 0; i < 4; i++) {
        const struct gen_operand *o = all[i];
        unsigned limit, bytes;
        if (o->mode != GEN_DIRECT || gen_is_macro(x) || (o->file != GEN_A0 && o->file != GEN_F) ||
            o->type == GEN_BADTYPE || o->hstride == GEN_RESERVED)
            continue;
        if (i && (o->vstride == GEN_RESERVED || o->width == GEN_RESERVED)) continue;
        bytes = gen_element_size(x->eu, o);
        limit = gen_register_bytes(x->eu, o->file);
        unsigned last = o->sub;
        for (unsigned c = 0; c < x->exec_size && c < 32; c++) {
            unsigned at = o->sub + (i ? (unsigned)gen_source_offset(o, c, bytes) : c * o->hstride * bytes);
            if (at + bytes > last) last = at + bytes;
        }
        if (last > limit)
            return SAY("%s: bytes %u to %u of a register of %u: a region does not cross registers here",
                i ? source_names[i - 1] : "dst", o->sub, last - 1, limit);
    }
    return false;
}

static bool acc_source(const struct gen_insn *x, char *buf, size_t size)
{
    for (unsigned k = 1; k < 3; k++)
        if (x->src[k].mode == GEN_DIRECT && x->src[k].file == GEN_ACC)
            return SAY("%s is an accumulator: only src0 may be one", source_names[k]);
    return false;
}

static bool acc_differs(const struct gen_insn *x, char *buf, size_t size)
{
    FOR_SOURCES(x, k, o,
        o->mode == GEN_DIRECT && o->file == GEN_ACC && x->dst.mode == GEN_DIRECT && x->dst.file == GEN_ACC &&
            o->reg != x->dst.reg)
    return SAY("dst is acc%u, %s is acc%u: source and destination are the same accumulator", x->dst.reg,
        source_names[k], o->reg);
    return false;
}

static bool acc_sub(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->dst.mode == GEN_DIRECT && x->dst.file == GEN_ACC && x->dst.sub)
        return SAY("dst: byte %u of an accumulator: they start at 0", x->dst.sub);
    FOR_SOURCES(x, k, o, o->mode == GEN_DIRECT && o->file == GEN_ACC && o->sub)
    return SAY("%s: byte %u of an accumulator: they start at 0", source_names[k], o->sub);
    return false;
}

/* Whether the destination is never written, as in a message without an answer, whatever register it names. */
static bool writes_nothing(const struct gen_insn *x)
{
    return x->shape == GEN_SEND && !x->desc_is_reg && !(x->desc >> 20 & 31);
}

static bool acc_dwords(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *all[] = {&x->dst, &x->src[0], &x->src[1], &x->src[2]};
    for (unsigned i = writes_nothing(x); i < 4 && x->exec_size == 16; i++)
        if (all[i]->mode == GEN_DIRECT && all[i]->file == GEN_ACC && (all[i]->type == GEN_D || all[i]->type == GEN_UD))
            return SAY("%s: an accumulator holds 8 dwords, not 16", i ? source_names[i - 1] : "dst");
    return false;
}

static bool acc_type(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *all[] = {&x->dst, &x->src[0], &x->src[1], &x->src[2]};
    for (unsigned i = writes_nothing(x); i < 4; i++) {
        const struct gen_operand *o = all[i];
        const char *name = i ? source_names[i - 1] : "dst";
        if (o->mode != GEN_DIRECT || o->file != GEN_ACC || o->type == GEN_BADTYPE) continue;
        if (gen_type_size[o->type] == 1) return SAY("%s: accumulators hold no bytes", name);
        if (o->reg == 1 && o->type != GEN_F32)
            return SAY("%s: acc1 holds :f alone, not :%s", name, gen_type_name[o->type]);
    }
    return false;
}

static bool control_switch(const struct gen_insn *x, char *buf, size_t size)
{
    const struct gen_operand *all[] = {&x->dst, &x->src[0], &x->src[1], &x->src[2]};
    for (unsigned i = 0; i < 4; i++)
        if (all[i]->mode == GEN_DIRECT && all[i]->file == GEN_CR0 && x->thread_ctrl != 2)
            return SAY("%s is cr0: the instruction needs {Switch}", i ? source_names[i - 1] : "dst");
    return false;
}

/* ---- Operations ---- */

/* Other rules report types that no source can have. */
static bool operand_types(const struct gen_insn *x, char *buf, size_t size)
{
    const unsigned taken = gen_takes[x->op];
    if (taken == GEN_ANY_TYPE) return false;
    FOR_SOURCES(x, k, o, !gen_takes_type(x->op, o->type) && o->file != GEN_NULL)
    return SAY("%s is :%s: %s takes %s", source_names[k], gen_type_name[o->type], x->row->name,
        taken == GEN_INTEGERS ? "integers" : "floats");
    return false;
}

static bool wide_types(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x) || GEN_IS(x->op, MOVE)) return false;
    FOR_SOURCES(x, k, o, gen_type_size[o->type] == 8 && o->file != GEN_NULL)
    return SAY("%s is :%s: there is no arithmetic of 64 bits, only moves", source_names[k], gen_type_name[o->type]);
    return in_register(&x->dst) && x->dst.file != GEN_NULL && gen_type_size[x->dst.type] == 8 &&
           SAY("dst is :%s: there is no arithmetic of 64 bits, only moves", gen_type_name[x->dst.type]);
}

static bool half_floats(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x)) return false;
    FOR_SOURCES(x, k, o, o->type == GEN_HF) return SAY("%s is :hf", source_names[k]);
    return x->dst.type == GEN_HF && SAY("dst is :hf");
}

static bool exec_32(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->exec_size != 32 || !has_regions(x)) return false;
    FOR_SOURCES(x, k, o, o->file != GEN_NULL && gen_type_size[o->type] > 2 && o->mode != GEN_IMMEDIATE)
    return SAY("%s is :%s: 32 channels are for bytes and words", source_names[k], gen_type_name[o->type]);
    return in_register(&x->dst) && x->dst.file != GEN_NULL && gen_type_size[x->dst.type] > 2 &&
           SAY("dst is :%s: 32 channels are for bytes and words", gen_type_name[x->dst.type]);
}

static bool exec_bytes(const struct gen_insn *x, char *buf, size_t size)
{
    if (!has_regions(x) || gen_is_macro(x)) return false;
    FOR_SOURCES(x, k, o, in_register(o) && x->exec_size * gen_type_size[o->type] > 64)
    return SAY("%s is :%s: %u channels are for types of %u bytes at most", source_names[k], gen_type_name[o->type],
        x->exec_size, 64 / x->exec_size);
    return in_register(&x->dst) && x->exec_size * gen_type_size[x->dst.type] > 64 &&
           SAY("dst is :%s: %u channels are for types of %u bytes at most", gen_type_name[x->dst.type], x->exec_size,
               64 / x->exec_size);
}

static bool sel_32(const struct gen_insn *x, char *buf, size_t size)
{
    return GEN_IS(x->op, BY_FLAG) && x->exec_size == 32 && SAY("sel has 16 channels at most");
}

static bool sel_both(const struct gen_insn *x, char *buf, size_t size)
{
    return GEN_IS(x->op, BY_FLAG) && x->pred && x->cmod &&
           SAY("sel goes by a predicate or by a condition, not by both");
}

static bool math_operands(const struct gen_insn *x, char *buf, size_t size)
{
    if (x->shape != GEN_MATH) return false;
    FOR_SOURCES(x, k, o, o->mode == GEN_IMMEDIATE) return SAY("%s: math takes no constants", source_names[k]);
    FOR_SOURCES(x, k, o, o->neg || o->abs) return SAY("%s: math takes no source modifiers", source_names[k]);
    return false;
}

static bool math_integer(const struct gen_insn *x, char *buf, size_t size)
{
    return x->shape == GEN_MATH && x->func >= 0xb && x->func <= 0xd && x->exec_size > 8 &&
           SAY("integer division has 8 channels at most, not %u", x->exec_size);
}

/* ---- Messages ---- */

static bool message_length(const struct gen_insn *x, char *buf, size_t size)
{
    unsigned sent, more, back;
    if (!is_message(x) || !gen_message_lengths(x, &sent, &more, &back)) return false;
    if (sent == 0) return SAY("the message has no registers");
    const unsigned n = gen_registers(x->eu);
    for (unsigned k = 0; k < 3; k++) {
        const struct gen_operand *o = k == 2 ? &x->dst : &x->src[k];
        const unsigned used = k == 2 ? back : k == 1 ? more : sent;
        if (o->mode == GEN_DIRECT && o->file == GEN_GRF && o->reg < n && o->reg + used > n)
            return SAY(
                "%s: %u registers from r%u on run past r%u", k == 2 ? "dst" : source_names[k], used, o->reg, n - 1);
    }
    return false;
}

static bool message_source(const struct gen_insn *x, char *buf, size_t size)
{
    return is_message(x) && x->src[0].mode == GEN_DIRECT && x->src[0].file != GEN_GRF &&
           SAY("src0 is not a general register: messages come from those");
}

static bool message_end(const struct gen_insn *x, char *buf, size_t size)
{
    if (!is_message(x) || !x->eot) return false;
    for (unsigned k = 0; k < (gen_is_split(x) ? 2u : 1u); k++)
        if (in_grf(&x->src[k]) && x->src[k].reg < 112)
            return SAY("%s is r%u: the last message comes from r112 to r127", source_names[k], x->src[k].reg);
    return false;
}

static bool message_descriptor(const struct gen_insn *x, char *buf, size_t size)
{
    return is_message(x) && x->desc_is_reg && x->desc_reg != 0 &&
           SAY("the descriptor is in a0.%u: only a0.0 may hold it", x->desc_reg);
}

/* ---- The table ---- */

struct rule {
    struct gen_span in;
    const char *name, *source;
    rule_fn *broken;
};
static const struct rule rules[] = {
#define RULE(in, name, source, broken) {GEN_##in, name, source, broken},
#include "check/rules.def"
};

unsigned gen_problems(const struct gpudbg_insn *insn, struct gpudbg_problem *out, unsigned most)
{
    struct gen_insn x;
    unsigned n = 0;
    if (!insn->op) return 0;
    gen_unpack(insn, &x);
    if (x.shape == GEN_NONE) return 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && n < most; i++) {
        if (!gen_is_in(x.eu, rules[i].in) || !rules[i].broken(&x, out[n].text, sizeof out[n].text)) continue;
        out[n].rule = rules[i].name;
        out[n++].source = rules[i].source;
    }
    return n;
}

/* ---- check regions ---- */

static bool applies(const struct gpudbg_isa *isa) { return isa->rules.problems == gen_problems; }

static void check_section(const struct gpudbg_image *image, const struct gpudbg_section *s, struct gpudbg_checks *to)
{
    struct gpudbg_problem problems[8];
    struct gpudbg_insn insn;
    char message[320];
    for (uint64_t at = 0; at < s->size; at += insn.size) {
        bool is_insn = gpudbg_insn_at(image->isa, s->bytes + at, (size_t)(s->size - at), s->addr + at, &insn);
        unsigned n = is_insn ? gen_problems(&insn, problems, 8) : 0;
        for (unsigned i = 0; i < n; i++) {
            snprintf(message, sizeof message, "%s: %s", problems[i].rule, problems[i].text);
            gpudbg_report(
                to, &(struct gpudbg_report){
                        .pc = insn.addr, .error = "illegal", .message = message, .origin = problems[i].source});
        }
    }
}

static bool check_code(const struct gpudbg_image *image, struct gpudbg_checks *to, struct gpudbg_error *err)
{
    (void)err;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES && image->sections[i].bytes)
            check_section(image, &image->sections[i], to);
    return true;
}

const struct gpudbg_checker gen_regions_checker = {
    .kind = "regions",
    .summary = "reserved encodings, and broken rules for regions, operands and messages",
    .applies = applies,
    .code = check_code,
};
