/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_reserved.c: the reserved bits of the encodings, from formats.def, and text for those that are set. */
#include <stdio.h>
#include "code/gcn_decoder.h"

#define RESERVED_BITS(range) | ONES(RANGE_LEN(range)) << RANGE_LO(range)
#define IGNORED_BITS(range)

static const uint64_t reserved[GCN_LAYOUTS] = {
#define FORMAT(layout, word, bits, mask, match, doc) [GCN_W_##layout] = 0
#define FIELD(name, range, how, doc)
#define REST(range, how, doc) how##_BITS(range)
#define END ,
#include "formats.def"
};

uint64_t reserved_of(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding)
{
    if (!is_long(encoding)) return 0;
    if (has_newer_vop3(chip, (unsigned)encoding))
        return encoding == GCN_VOP3 && !is_vop3b(op) ? MASK(VOP3_HALF, op_sel) : 0;
    if (encoding == GCN_VOP3)
        return reserved[op->flags & GCN_OPSEL ? GCN_W_VOP3_HALF : is_vop3b(op) ? GCN_W_VOP3B : GCN_W_VOP3];
    return reserved[layout_on(chip, op) - gcn_layouts];
}

char *put_reserved(char *p, uint64_t bits)
{
    const bool several = (bits & (bits - 1)) != 0;
    p = PUT(p, "bit");
    if (several) *p++ = 's';
    *p++ = ' ';
    for (unsigned hi = 63, n = 0; bits; hi--) {
        if (!(bits >> hi & 1)) continue;
        unsigned lo = hi;
        while (lo && bits >> (lo - 1) & 1) lo--;
        if (n++) p = PUT(p, ", ");
        p = put_number(p, hi);
        if (lo < hi) {
            *p++ = ':';
            p = put_number(p, lo);
        }
        bits &= (UINT64_C(1) << lo) - 1;
        hi = lo;
    }
    return several ? PUT(p, " are reserved") : PUT(p, " is reserved");
}

int gcn_reserved_text(const struct gpudbg_insn *insn, char *buf, size_t size)
{
    char text[TEXT_WHOLE];
    const uint64_t bits = insn->op ? word_of(insn) & reserved_of(gcn_chip_of(insn->isa), insn->op, (int)insn->variant)
                                   : 0;
    if (!bits) return 0;
    char *p = put_reserved(text, bits), name[64];
    const int n = snprintf(name, sizeof name, " in %s", insn->parts[0].format->name);
    memcpy(p, name, (size_t)n);
    return put_out(text, p + n, buf, size);
}
