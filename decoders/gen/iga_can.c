/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iga_can.c: what IGA 1.1 has no words for, refuses, or loses; found by giving it all there is and comparing the bytes. */
#include "decoder.h"

bool gen_iga_counts_bytes(const struct gen_operand *o)
{
    return o->file == GEN_IP || o->file == GEN_CE || o->file == GEN_FC || o->file == GEN_NOFILE;
}

static bool odd_subregister(const struct gen_operand *o)
{
    return o->mode == GEN_DIRECT && !gen_iga_counts_bytes(o) && o->sub % gen_type_size[o->type];
}

static const char *source_lacks(const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->mode == GEN_IMMEDIATE) return o->type == GEN_BADTYPE ? "reserved type" : NULL;
    if (o->type == GEN_BADTYPE) return "reserved type";
    if (o->file == GEN_NOFILE && o->arf >> 4 != 5) return "no such register";
    if (o->vstride == GEN_RESERVED && !o->vx) return "reserved region";
    if (o->width == GEN_RESERVED && !(i->shape == GEN_TERNARY)) return "reserved region";
    if (odd_subregister(o) && !(i->shape == GEN_MATH && i->version == GEN12 && i->func >= 14)) return "subregister inside an element";
    return NULL;
}

const char *gen_iga_lacks(const struct gen_insn *i)
{
    const char *why;
    if (i->shape == GEN_NONE) return i->compacted ? "cannot be compacted by IGA" : NULL;
    if (i->exec_size > 32) return "reserved execution size";
    if (i->thread_ctrl == 3) return "reserved thread control";
    if (i->align16 && i->shape != GEN_TERNARY) return "IGA has no Align16";
    if (!gen_pred_name(i)) return "reserved predicate control";
    if (i->dst.mode != GEN_ABSENT) {
        if (i->dst.type == GEN_BADTYPE) return "reserved type";
        if (i->dst.mode == GEN_DIRECT && i->dst.file == GEN_NOFILE && i->dst.arf >> 4 != 5) return "no such register";
        if (odd_subregister(&i->dst) && !(i->shape == GEN_MATH && i->func >= 14)) return "subregister inside an element";
    }
    for (unsigned n = 0; n < i->nsrc; n++)
        if ((why = source_lacks(i, &i->src[n])) != NULL) return why;
    return NULL;
}
