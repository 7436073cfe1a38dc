/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native_float.c: mad with accumulators of type nf, as programs of Gen12 use two of them in place of Ivy Bridge's pln:
 *
 *     mad (8) acc0.0:nf r6.3:f r2.0:f r6.0:f       acc0 = r6.3 + r2 * r6.0, not rounded to F
 *     mad (8) r113.0:f  acc0.0:nf r3.0:f r6.1:f
 *
 * The manuals of DG1 do not say how many bits a native float has; Mesa has "more than 64, accumulators only".  Here a
 * double is kept, whose last bit is 1 if the exact value was not a double: the value is then between the doubles on
 * both sides.  The second mad is computed with both.  If their results differ, the thread stops, as it does for values
 * outside of F's range: so no result depends on unknown bits.
 */
#include "alu/gen_alu.h"

static bool is_native(const struct gen_operand *o) { return o->mode != GEN_ABSENT && o->type == GEN_NF; }

bool gen_uses_native(const struct gen_insn *insn)
{
    bool native = is_native(&insn->dst);
    for (unsigned i = 0; i < insn->nsrc; i++) native |= is_native(&insn->src[i]);
    return native;
}

bool gen_acc_is_native(const struct gpudbg_wave *w, int64_t offset, unsigned n)
{
    if (offset < 0 || offset + n > 320) return false;
    for (int64_t r = offset / 32; r <= (offset + n - 1) / 32; r++)
        if (w->words[GEN_W_ACC_SIZE + r] == GEN_ACC_NATIVE) return true;
    return false;
}

/* All channels of one accumulator. */
static bool whole(const struct gpudbg_wave *w, const struct gen_insn *insn, int n)
{
    const struct gen_operand *o = n < 0 ? &insn->dst : &insn->src[n];
    bool good = o->mode == GEN_DIRECT && o->file == GEN_ACC && insn->exec_size <= 8;
    for (unsigned i = 0; good && i < insn->exec_size; i++)
        good = gen_element(w, insn, n, i) == o->reg * 32 + 4 * (int)i;
    return good;
}

static uint32_t *place(struct gpudbg_wave *w, unsigned reg, unsigned i)
{
    return &w->words[GEN_W_ACC_HIGH + 16 * reg + 2 * i];
}

/* a + b * c as a double with a last bit of 1 if that is not exact; false: outside of F's range. */
static bool to_native(uint64_t a, uint64_t b, uint64_t c, uint64_t *v)
{
    struct gen_fp fp = {.round = GEN_TO_ZERO, .keep_f = true, .keep_df = true};
    const uint64_t da = gen_float_convert(GEN_F32, GEN_DF, a, &fp), db = gen_float_convert(GEN_F32, GEN_DF, b, &fp),
                   dc = gen_float_convert(GEN_F32, GEN_DF, c, &fp);
    const uint64_t low = gen_float_fma(GEN_DF, db, dc, da, &fp);
    fp.round = low >> 63 ? GEN_DOWN : GEN_UP;
    *v = low | (low != gen_float_fma(GEN_DF, db, dc, da, &fp));
    const uint64_t exponent = low >> 52 & 0x7ff;
    return !(low << 1) || exponent == 0x7ff || (exponent >= 1023 - 126 && exponent <= 1023 + 127);
}

/* v + b * c as an F; false: the result depends on bits that v does not have. */
static bool from_native(uint64_t v, uint64_t b, uint64_t c, const struct gen_fp *fp, uint64_t *r)
{
    const bool exact = !(v & 1) || (v >> 52 & 0x7ff) == 0x7ff;
    *r = gen_float_fma_from(GEN_F32, b, c, GEN_DF, exact ? v : v - 1, fp);
    return exact || *r == gen_float_fma_from(GEN_F32, b, c, GEN_DF, v + 1, fp);
}

static uint64_t native_source(struct gpudbg_wave *w, const struct gen_operand *o, unsigned i)
{
    uint64_t v;
    memcpy(&v, place(w, o->reg, i), 8);
    if (o->abs) v &= ~((uint64_t)1 << 63);
    return o->neg ? v ^ (uint64_t)1 << 63 : v;
}

static void store_native(struct gpudbg_wave *w, unsigned reg, unsigned i, uint64_t v)
{
    const struct gen_fp fp = {.keep_f = true, .cuts = true};
    if (w->words[GEN_W_ACC_SIZE + reg] != GEN_ACC_NATIVE) memset(place(w, reg, 0), 0, 64);
    w->words[GEN_W_ACC_SIZE + reg] = GEN_ACC_NATIVE;
    memcpy(place(w, reg, i), &v, 8);
    w->words[GEN_W_ACC + 8 * reg + i] = (uint32_t)gen_float_convert(GEN_DF, GEN_F32, v, &fp);
}

/* NULL, or why the instruction cannot be executed. */
static const char *refused(const struct gpudbg_wave *w, const struct gen_insn *insn, uint32_t write)
{
    const bool to = is_native(&insn->dst), from = is_native(&insn->src[0]);
    const struct gen_operand *other = to ? &insn->src[0] : &insn->dst;
    if (!GEN_IS(insn->op, NATIVE) || to == from || other->type != GEN_F32 || insn->src[1].type != GEN_F32 ||
        insn->src[2].type != GEN_F32)
        return "native floats (nf) are implemented for mad of floats, as its destination or its first source";
    if (insn->cmod || insn->acc_wr_en || (to && insn->saturate) || w->words[GEN_W_CR0] & 1)
        return "native floats (nf): not implemented with a condition, saturation, AccWrEn or in ALT mode";
    if (!whole(w, insn, to ? -1 : 0))
        return "native floats (nf): implemented for the channels of one whole accumulator";
    if (from && w->words[GEN_W_ACC_SIZE + insn->src[0].reg] != GEN_ACC_NATIVE && write)
        return "the accumulator does not hold native floats (nf)";
    return NULL;
}

const struct gen_step *gen_native_mad(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    const unsigned n = gen_channels(insn);
    const uint32_t write = gen_mask(w, insn) & gen_pass_mask(w, insn);
    const bool to = is_native(&insn->dst);
    const struct gen_fp fp = gen_fp_of(w);
    struct gen_value src[3][GEN_CHANNELS];
    uint64_t result[GEN_CHANNELS] = {0};
    const char *why = refused(w, insn, write);
    if (why) return GEN_FAULT(w, op, -1, "%s: %s", insn->row->name, why);
    for (unsigned k = to ? 0 : 1; k < 3; k++) gen_read_source(w, insn, k, GEN_F32, true, n, src[k]);
    for (unsigned i = 0; i < n; i++) {
        if (!(write >> i & 1)) continue;
        const uint64_t b = src[1][i].f, c = src[2][i].f;
        if (!(to ? to_native(src[0][i].f, b, c, &result[i])
                 : from_native(native_source(w, &insn->src[0], i), b, c, &fp, &result[i])))
            return GEN_FAULT(
                w, op, (int)i, "%s: this result depends on how many bits a native float (nf) has", insn->row->name);
        if (insn->saturate) result[i] = gen_float_saturate(GEN_F32, result[i]);
        const int64_t at = to ? 0 : gen_element(w, insn, -1, i);
        if (insn->dst.file == GEN_GRF && (at < 0 || at + 4 > gen_grf_bytes(w)))
            return GEN_FAULT(
                w, op, (int)i, "writes byte %lld of the registers, which have %u", (long long)at, gen_grf_bytes(w));
    }
    for (unsigned i = 0; i < n; i++) {
        if (!(write >> i & 1)) continue;
        if (to) {
            store_native(w, insn->dst.reg, i, result[i]);
            continue;
        }
        const int64_t at = gen_element(w, insn, -1, i);
        gen_store(w, insn->dst.file, at, 4, result[i]);
        if (insn->dst.file == GEN_ACC && at < 320) w->words[GEN_W_ACC_SIZE + at / 32] = 0;
    }
    return gen_next(op);
}
