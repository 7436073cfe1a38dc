/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_assemble.c: the text of an instruction to its bytes, and the bits that the text does not give.
 *
 * Instructions have bits that mean nothing, and no syntax has words for them.  Each assembler sets them as it likes.
 * To preserve every bit in a listing, a remark after the text gives them: "//# 46:44=1 95:91=0x3".  IGA takes it for a
 * comment; gpudbg sets bits 46 to 44 of the stored instruction.
 */
#include <stdlib.h>
#include "text/gen_assembly.h"

/* ---- The remark ---- */

static bool apply_remark(struct gen_assembly *a, uint64_t w[2], unsigned size)
{
    int64_t hi, lo, value;
    do {
        const char *from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gen_read_int(a, 0, 8 * (int64_t)size - 1, "a bit of the instruction", &hi)) return false;
        lo = hi;
        if (gpudbg_reading_takes(a->r, ':') && !gen_read_int(a, 0, hi, "the lowest bit of a field", &lo)) return false;
        if (hi / 64 != lo / 64)
            return gen_wants(a, from, "the bits of a remark are in one half of the instruction: 63:0 or 127:64");
        if (!gen_read_char(a, '=', "bits of an instruction are written 46:44=1")) return false;
        const unsigned len = (unsigned)(hi - lo + 1);
        const uint64_t mask = UINT64_MAX >> (64 - len);
        from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gen_read_int(a, 0, INT64_MAX, "the value of the bits", &value)) return false;
        if ((uint64_t)value & ~mask) return gen_wants(a, from, "%u bits do not hold this value", len);
        w[lo / 64] = (w[lo / 64] & ~(mask << lo % 64)) | (uint64_t)value << lo % 64;
    } while (!gpudbg_reading_ends(a->r) && *a->r->at != ',');
    return true;
}

/* ---- Text to bytes ---- */

static bool reads_back(const struct gen_assembly *a, const uint64_t w[2], size_t size, struct gen_insn *i)
{
    uint8_t bytes[16];
    struct gpudbg_insn insn;
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    return gen_decode_words(a->r->isa, bytes, size, a->r->addr, &insn, i) == (int)size && insn.op == a->row;
}

/* Whether the word has the sources and types of the text: some do not fit into a word together. */
static bool keeps_operands(struct gen_assembly *a, const struct gen_insn *i)
{
    const bool computes = a->shape == GEN_UNARY || a->shape == GEN_BINARY || a->shape == GEN_TERNARY;
    a->r->furthest = NULL; /* the text was read to its end: an earlier report no longer matters */
    for (unsigned n = 0; computes && n < a->nsrc; n++) {
        const struct gen_written *is = &a->src[n];
        const struct gen_operand *was = &i->src[n];
        const unsigned bits = a->shape == GEN_TERNARY ? 16 : 8u * gen_type_size[is->type];
        const uint64_t differ = is->imm ^ was->imm;
        if (is->type != was->type && (is->type != GEN_BADTYPE || a->shape == GEN_TERNARY))
            return gen_wants(a, is->type_at ? is->type_at : is->at,
                a->eu->three_regions ? "sources of %s are all whole numbers, or all numbers with a point"
                                     : "all sources of %s have one type",
                a->row->name);
        if (is->mode == GEN_IMMEDIATE && differ << (64 - bits))
            return gen_wants(a, is->at, "a constant of %s comes after its other sources", a->row->name);
    }
    return true;
}

/* Refuses, with the reason, an instruction that IGA would refuse or would silently change. */
static bool iga_keeps(struct gen_assembly *a, const struct gen_insn *i)
{
    const char *lacks = gen_iga_lacks(i);
    if (!lacks) return true;
    return gpudbg_reading_wants(a->r, a->name_at, "unsupported",
        "IGA's syntax cannot say this (%s); the manual's can: `set syntax prm`", lacks);
}

static bool read_whole(struct gen_assembly *a)
{
    struct gen_insn i;
    if (!(a->mesa ? gen_read_mesa(a) : a->iga ? gen_read_iga(a) : gen_read_prm(a)) || !gen_pack(a)) return false;
    a->reads = reads_back(a, a->w, 16, &i);
    i.compacted = a->compacted;
    return !a->reads || (keeps_operands(a, &i) && (!a->iga || iga_keeps(a, &i)));
}

/* Compaction: requested by the text, or by the user if the text does not say.  A user's request does not compact
 * branches, because their distances would change with the sizes, nor `math` without compacts_math: IGA has no compacted
 * form of it, and no compiler writes one.  The text may request it all the same, so that every listing can be read
 * back. */
static unsigned compact(struct gen_assembly *a)
{
    uint64_t stored;
    const bool native_only = a->shape >= GEN_JUMP || (!a->eu->compacts_math && a->shape == GEN_MATH);
    const bool wanted = a->r->compact && !a->native && !native_only;
    if (!a->compacted && !wanted) return 16;
    if (!gen_find_compacted(a->r->isa, a->w, a->index, &stored)) {
        if (!a->compacted) return 16;
        gen_wants(a, a->name_at, "the instruction has no compacted form with these operands: leave {Compacted} out");
        return 0;
    }
    a->w[0] = stored;
    return 8;
}

/* Blanks in place of Mesa's comments after constants, which give the value in readable form. */
static void drop_comments(char *text)
{
    char *end;
    while ((text = strstr(text, "/*"))) {
        end = strstr(text + 2, "*/");
        end = end ? end + 2 : text + strlen(text);
        memset(text, ' ', (size_t)(end - text));
    }
}

int gen_assemble(struct gpudbg_reading *r, uint8_t *bytes, size_t room)
{
    struct gen_assembly a = {
        .r = r, .eu = gen_eu_of(r->isa), .index = {-1, -1, -1, -1, -1}, .settled = true, .length = -1, .ldst = -1};
    if (room < 16) return 0;
    a.iga = r->isa->syntaxes[r->syntax][0] == 'i';
    a.mesa = r->isa->syntaxes[r->syntax][0] == 'm';
    /* The remark is read last; until then the text ends before it. */
    const char *whole = r->text, *start = r->at, *remark = strstr(r->at, "//");
    char *cut = NULL;
    bool ok;
    if (remark || a.mesa) {
        const size_t n = remark ? (size_t)(remark - whole) : strlen(whole);
        if (!(cut = malloc(n + 1))) return 0;
        memcpy(cut, whole, n);
        cut[n] = 0;
        if (a.mesa) drop_comments(cut + (start - whole));
        r->text = cut;
        r->at = cut + (start - whole);
    }
    ok = read_whole(&a);
    unsigned size = ok ? compact(&a) : 0;
    if (cut) {
        if (r->furthest) r->furthest = whole + (r->furthest - cut);
        r->text = whole;
        r->at = remark ? remark : whole + strlen(whole);
    }
    if (size && remark && strncmp(remark, GEN_REMARK, strlen(GEN_REMARK)) == 0) {
        r->at = remark + strlen(GEN_REMARK);
        a.reads = false;
        if (!apply_remark(&a, a.w, size)) size = 0;
    }
    if (size) {
        le_put(bytes, a.w[0], 8);
        if (size == 16) le_put(bytes + 8, a.w[1], 8);
        struct gen_insn i;
        if ((size == 8 || !a.reads) && !reads_back(&a, a.w, size, &i)) {
            gpudbg_reading_wants(r, start, "syntax", "these bits are no instruction of %s", a.row->name);
            size = 0;
        }
    }
    free(cut);
    return (int)size;
}
