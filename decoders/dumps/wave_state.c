/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wave_state.c: what the registers of a wave say of it, whatever its generation: what it has outstanding, whether it is
 * halted, at a barrier or in the trap handler, which faults it has met, and whose it is.  The databases say where a
 * generation has these fields; what it has not is not said.
 */
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "dumps.h"

/* Counters, the high bits of some of them in fields of their own. */
static const struct counter {
    const char *reg, *field;
    unsigned shift;
    const char *token, *what; /* of s_waitcnt's text; in words */
} counters[] = {{"SQ_WAVE_IB_STS", "VM_CNT", 0, "vmcnt", "vector memory"},
    {"SQ_WAVE_IB_STS", "VM_CNT_HI", 4, "vmcnt", "vector memory"},
    {"SQ_WAVE_IB_STS", "LOAD_CNT", 0, "loadcnt", "vector memory"},
    {"SQ_WAVE_IB_STS", "SAMPLE_CNT", 0, "samplecnt", "samples of images"},
    {"SQ_WAVE_IB_STS", "BVH_CNT", 0, "bvhcnt", "rays"},
    {"SQ_WAVE_IB_STS", "VS_CNT", 0, "vscnt", "stores to vector memory"},
    {"SQ_WAVE_IB_STS", "STORE_CNT", 0, "storecnt", "stores to vector memory"},
    {"SQ_WAVE_IB_STS", "LGKM_CNT", 0, "lgkmcnt", "LDS, scalar memory or messages"},
    {"SQ_WAVE_IB_STS", "LGKM_CNT_BIT4", 4, "lgkmcnt", "LDS, scalar memory or messages"},
    {"SQ_WAVE_IB_STS", "LGKM_CNT_BIT5", 5, "lgkmcnt", "LDS, scalar memory or messages"},
    {"SQ_WAVE_IB_STS", "DS_CNT", 0, "dscnt", "LDS"},
    {"SQ_WAVE_IB_STS2", "KM_CNT", 0, "kmcnt", "scalar memory or messages"},
    {"SQ_WAVE_IB_STS", "EXP_CNT", 0, "expcnt", "exports"}};

/* States: the field is not 0. */
static const struct {
    const char *reg, *field;
    uint64_t bits; /* of the field; 0: any */
    const char *words;
} states[] = {{"SQ_WAVE_STATUS", "HALT", 0, "halted"}, {"SQ_WAVE_STATE_PRIV", "HALT", 0, "halted"},
    {"SQ_WAVE_STATUS", "FATAL_HALT", 0, "halted by an error"}, {"SQ_WAVE_STATUS", "PRIV", 0, "in the trap handler"},
    {"SQ_WAVE_STATUS", "ECC_ERR", 0, "met an error of memory that was not corrected"},
    {"SQ_WAVE_STATE_PRIV", "POISON_ERR", 0, "met data that an error of memory had damaged"},
    {"SQ_WAVE_TRAPSTS", "EXCP", 0x100, "met an access to memory that is not allowed"},
    {"SQ_WAVE_TRAPSTS", "EXCP", 0x7f, "raised an exception of arithmetic"},
    {"SQ_WAVE_TRAPSTS", "ILLEGAL_INST", 0, "met an illegal instruction"},
    {"SQ_WAVE_TRAPSTS", "XNACK_ERROR", 0, "met a page that could not be translated"},
    {"SQ_WAVE_TRAPSTS", "UTC_ERROR", 0, "met a page that could not be translated"},
    {"SQ_WAVE_EXCP_FLAG_PRIV", "MEMVIOL", 0, "met an access to memory that is not allowed"},
    {"SQ_WAVE_EXCP_FLAG_PRIV", "ILLEGAL_INST", 0, "met an illegal instruction"},
    {"SQ_WAVE_EXCP_FLAG_PRIV", "XNACK_ERROR", 0, "met a page that could not be translated"}};

static bool field_value(
    struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, const char *reg, const char *field, uint64_t *value)
{
    struct gpudbg_record r;
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    if (!gpudbg_dump_find(d, w->capture, w->unit, reg, &r)) return false;
    const struct gpudbg_reg *of = gpudbg_dump_reg(d, &r);
    if (!of) return false;
    le_put(bytes, r.value, sizeof bytes);
    for (gpudbg_word_fields(&it, of->format, bytes); gpudbg_next_field(&it);)
        if (strcmp(it.field->name, field) == 0) return *value = it.value, true;
    return false;
}

/* Whether a text of s_waitcnt, s_wait_loadcnt and the like waits for that counter. */
static bool names_counter(const char *insn, const char *token)
{
    const char *at = strstr(insn, token);
    return begins(insn, "s_wait") && at && (at[-1] == ' ' || at[-1] == '_' || at[-1] == '&' || at[-1] == '(');
}

/* "vector memory and exports": of what is outstanding, what the instruction waits for; *told: the registers say it. */
static void waits_text(struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, const char *insn, struct wave_state *s)
{
    struct text waits = text_in(s->waits, sizeof s->waits), busy = text_in(s->outstanding, sizeof s->outstanding);
    uint64_t value, all = 0;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        const struct counter *c = &counters[i];
        if (field_value(d, w, c->reg, c->field, &value)) all += value << c->shift, s->told = true;
        const bool more = i + 1 < sizeof counters / sizeof *counters && strcmp(c[1].token, c->token) == 0;
        if (more) continue;
        if (all) text_add(&busy, "%s%s", text_length(&busy) ? ", " : "", c->what);
        if (all && names_counter(insn, c->token)) text_add(&waits, "%s%s", text_length(&waits) ? ", " : "", c->what);
        all = 0;
    }
    if ((field_value(d, w, "SQ_WAVE_STATUS", "IN_BARRIER", &value) && value) || begins(insn, "s_barrier"))
        text_add(&waits, "%sthe other waves of its group, at a barrier", text_length(&waits) ? ", " : "");
}

void wave_state_of(struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, const char *insn, struct wave_state *s)
{
    struct gpudbg_record lo, hi;
    uint64_t value;
    *s = (struct wave_state){0};
    if ((s->has_pc = gpudbg_dump_find(d, w->capture, w->unit, "SQ_WAVE_PC_LO", &lo))) {
        s->pc = lo.value;
        if (gpudbg_dump_find(d, w->capture, w->unit, "SQ_WAVE_PC_HI", &hi)) s->pc |= (hi.value & 0xffff) << 32;
    }
    if (gpudbg_dump_find(d, w->capture, w->unit, "SQ_WAVE_INST_DW0", &lo)) {
        const bool two = gpudbg_dump_find(d, w->capture, w->unit, "SQ_WAVE_INST_DW1", &hi);
        text_put(
            s->words, sizeof s->words, two ? "%08x %08x" : "%08x", (unsigned)lo.value, two ? (unsigned)hi.value : 0);
    }
    waits_text(d, w, insn ? insn : "", s);
    struct text t = text_in(s->state, sizeof s->state);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (field_value(d, w, states[i].reg, states[i].field, &value) &&
            (states[i].bits ? value & states[i].bits : value) && !strstr(s->state, states[i].words))
            text_add(&t, "%s%s", text_length(&t) ? ", " : "", states[i].words);
    static const char *const ids[][2] = {{"SQ_WAVE_HW_ID2", "VM_ID"}, {"SQ_WAVE_HW_ID", "VM_ID"}};
    for (size_t i = 0; i < 2; i++)
        if (field_value(d, w, ids[i][0], ids[i][1], &value)) {
            text_add(&t, "%saddress space %u", text_length(&t) ? ", " : "", (unsigned)value);
            break;
        }
}
