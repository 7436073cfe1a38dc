/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_sieve.c: masks of the instructions whose text may hold the word of a search.  The search then tests the dwords of
 * a file, and makes text only of the few that match.  Only words that occur in mnemonics alone have masks.
 */
#include <ctype.h>
#include "code/gcn_decoder.h"

/* Words of operands and modifiers that no table holds, as runs of letters, digits and underscores. */
static const char others[] =
    "mul div clamp offset offset0 offset1 gds glc slc tfe lds r128 da unorm lwe dmask format idxen offen addr64 done "
    "compr vm vmcnt expcnt lgkmcnt depctr_hold_cnt depctr_sa_sdst depctr_va_vdst depctr_va_sdst depctr_va_ssrc "
    "depctr_va_vcc depctr_vm_vsrc sendmsg msg_gs msg_gs_done msg_sysmsg hwreg swizzle swap reverse broadcast "
    "bitmask_perm quad_perm attr off neg invalid_param_ bit bits is are reserved reserved_";

/* The enumerations whose names occur in operands. */
static const uint8_t named[] = {GCN_E_BUF_DATA_FORMAT, GCN_E_BUF_NUM_FORMAT, GCN_E_HWREG, GCN_E_EXP_TARGET};

/* Whether the text contains the n characters of `part`; capitals of the text count as small letters. */
static bool text_has(const char *text, const char *part, size_t n)
{
    for (; text && *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == part[i]) i++;
        if (i == n) return true;
    }
    return false;
}

static bool enum_has(const struct gpudbg_enum *e, const char *part, size_t n)
{
    for (size_t i = 0; i < e->count; i++)
        if (text_has(e->values[i].name, part, n)) return true;
    return false;
}

/* Whether an operand or modifier may hold the word: numbers and labels (any word of their letters may be part of one),
 * names, and names with a number after them. */
static bool in_operands(const char *word, size_t n)
{
    if (!memchr(word, '_', n) && strspn(word, "0123456789abcdefxlip") >= n) return true;
    while (n && isdigit((unsigned char)word[n - 1])) n--;
    bool found = text_has(others, word, n);
    for (unsigned i = 0; !found && i < GCN_NO_NAME; i++) found = text_has(gcn_names[i].text, word, n);
    for (unsigned i = 0; !found && i < sizeof named; i++) found = enum_has(&gcn_enum[named[i]], word, n);
    for (unsigned i = 0; !found && i < 4; i++) found = text_has(gcn_gs_ops[i], word, n);
    for (unsigned i = 0; !found && i < 5; i++) found = text_has(gcn_sys_ops[i], word, n);
    return found || text_has("p10 p20 p0", word, n);
}

/* Merges pairs of masks that differ in one bit. */
static int masks_fewer(struct gpudbg_masked *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const uint32_t differ = m[i].value ^ m[j].value;
            if (m[i].mask != m[j].mask || differ & (differ - 1)) continue;
            const struct gpudbg_masked both = {m[i].mask & ~differ, m[i].value & ~differ};
            m[i] = m[n - 1];
            m[j] = m[n - 2];
            n -= 2;
            m[n++] = both;
            i = j = -1;
            break;
        }
    return n;
}

/* The bits that all first words of an encoding share, but for those of the opcode. */
static struct gpudbg_masked encoding_mask(
    const struct gcn_chip *chip, int encoding, const struct gcn_opcode_place *place)
{
    struct gcn_opcode_place any;
    uint32_t all = UINT32_MAX, some = 0;
    for (unsigned lead = 0; lead < 512; lead++) {
        if (gcn_encoding(chip, lead, &any) != encoding) continue;
        all &= lead << LEADING_AT;
        some |= lead << LEADING_AT;
    }
    const uint32_t mask = ~(all ^ some) & (UINT32_C(511) << LEADING_AT) & ~(((1u << place->bits) - 1) << place->lo);
    return (struct gpudbg_masked){mask, all & mask};
}

/* Whether the mnemonic holds the word, at its end if operands follow. */
static bool mnemonic_has(const struct decoder *d, const char *word, size_t n, bool ends)
{
    const struct gcn_template *t = &gcn_templates[d->op->id];
    char name[sizeof t->name + 8];
    memcpy(name, t->name, t->name_len);
    char *end = put_suffix(name + t->name_len, d);
    *end = 0;
    return text_has(ends && (size_t)(end - name) >= n ? end - n : name, word, n);
}

static bool names_target(const struct gpudbg_op *op)
{
    for (const uint32_t *operand = gcn_templates[op->id].operand; *operand; operand++)
        if ((*operand >> 8 & 255) == GCN_TARGET) return true;
    return false;
}

#define MASKS 256 /* before pairs are merged */

int gcn_sieve(const struct gpudbg_isa *isa, const char *text, struct gpudbg_masked *masks, int most)
{
    struct gpudbg_masked met[MASKS];
    const size_t length = strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz_");
    int n = 0;
    const struct gcn_chip *chip = gcn_chip_of(isa);
    if (!length || (text[length] && text[length] != ' ') || in_operands(text, length)) return -1;
    for (int encoding = 0; encoding < GCN_ENCODINGS; encoding++) {
        struct gcn_opcode_place place;
        gcn_place_of(encoding, &place);
        const struct gpudbg_masked own = encoding_mask(chip, encoding, &place);
        for (unsigned code = 0; code < 1u << place.bits; code++) {
            const struct decoder d = {.chip = chip, .op = gcn_op_at(chip, encoding, code), .encoding = encoding};
            if (!d.op || !mnemonic_has(&d, text, length, text[length])) continue;
            if (n == MASKS || (text[length] && names_target(d.op))) return -1; /* only the caller knows labels */
            met[n++] = (struct gpudbg_masked){
                own.mask | ((1u << place.bits) - 1) << place.lo, own.value | code << place.lo};
        }
    }
    n = masks_fewer(met, n);
    if (n > most) return -1;
    memcpy(masks, met, (size_t)n * sizeof *masks);
    return n;
}
