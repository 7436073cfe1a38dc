/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.c: what the descriptors of sends ask for. */
#include <stdio.h>
#include "decoder.h"
#include "message.h"

bool gen_message_lengths(const struct gen_insn *i, unsigned *mlen, unsigned *ex_mlen, unsigned *rlen)
{
    *mlen = *ex_mlen = *rlen = 0;
    if (!i->desc_is_reg) {
        *mlen = i->desc >> 25 & 15;
        *rlen = i->desc >> 20 & 31;
    }
    if (i->version == GEN12 && !i->ex_desc_is_reg) *ex_mlen = i->ex_desc >> 6 & 15;
    return !i->desc_is_reg && !i->ex_desc_is_reg;
}

int gen_message_text(const struct gen_insn *i, char *buf, size_t size)
{
    unsigned mlen, ex, rlen;
    if (!gen_message_lengths(i, &mlen, &ex, &rlen) && i->desc_is_reg) return snprintf(buf, size, "descriptor in a register");
    return snprintf(buf, size, "%s, %u registers out, %u back", gen_sfid_name(i->version, i->sfid) ? gen_sfid_name(i->version, i->sfid) : "?", mlen + ex, rlen);
}
