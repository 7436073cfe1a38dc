/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.c: finds the message that a descriptor asks for, and describes it in words. */
#include "code/gen_decoder.h"
#include "code/message.h"
#include "gpudbg/text.h"

enum { NONE = 0, READ = GPUDBG_OP_LOAD, WRITE = GPUDBG_OP_STORE, ATOMIC = READ | WRITE, ORDER = GPUDBG_OP_ORDER };
enum {
#define FORMAT(...)
#define FIELD(...)
#define END
#define MESSAGE(...) +1
#define WORD(...) +1
    ROWS = 0
#include "code/messages.def"
};
#undef MESSAGE
#undef WORD

/* Rows of WORD have no format.  Rows are in the order of their shared functions. */
static const struct gen_request messages[ROWS] = {
#define MESSAGE(gens, sfid, mask, match, layout, does, run, payload, parameters, mesa, text) \
    {GEN_##gens, sfid, mask, match, &gen_descriptors[GEN_##layout], does, GEN_RUN_##run, parameters, mesa, text},
#define WORD(gens, sfid, mask, match, mesa) {GEN_##gens, sfid, mask, match, NULL, 0, GEN_RUN_NOTHING, NULL, mesa, NULL},
#include "code/messages.def"
};

/* The first row of the function; rows of other functions follow after its last. */
static const struct gen_request *first_of(unsigned sfid)
{
    size_t lo = 0, hi = ROWS;
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (messages[mid].sfid < sfid)
            lo = mid + 1;
        else
            hi = mid;
    }
    return messages + lo;
}

#define ROWS_OF(m, sfid_) \
    for (const struct gen_request *m = first_of(sfid_); m < messages + ROWS && m->sfid == (sfid_); m++)

const struct gen_request *gen_request_of(const struct gen_eu *eu, unsigned sfid, uint32_t desc)
{
    ROWS_OF(m, sfid)
    if (m->format && (desc & m->mask) == m->match && gen_is_in(eu, m->in)) return m;
    return NULL;
}

unsigned gen_request_row(const struct gen_request *m) { return (unsigned)(m - messages); }

const char *gen_mesa_word(const struct gen_eu *eu, unsigned sfid, unsigned lo, uint32_t value)
{
    ROWS_OF(m, sfid)
    if (m->match == value << lo && m->mesa && gen_is_in(eu, m->in)) return m->mesa;
    return NULL;
}

bool gen_function_has(const struct gen_eu *eu, unsigned sfid, const char *field)
{
    ROWS_OF(m, sfid)
    for (size_t i = 0; gen_is_in(eu, m->in) && m->format && i < m->format->count; i++)
        if (strcmp(m->format->fields[i].name, field) == 0) return true;
    return false;
}

bool gen_is_lsc(const struct gen_eu *eu, unsigned sfid)
{
    enum { UGML = 1, TGM = 13 };
    return eu->lsc && (sfid == UGML || sfid >= TGM);
}

bool gen_is_local_message(const struct gen_insn *i)
{
    enum { SLM = 14, BTI_SLM = 254 };
    if (gen_is_lsc(i->eu, i->sfid)) return i->sfid == SLM;
    return !i->desc_is_reg && (i->desc & 255) == BTI_SLM;
}

bool gen_is_target(const struct gen_insn *i)
{
    enum { RENDER_CACHE = 5, WRITE_TARGET = 12, READ_TARGET = 13 };
    const unsigned type = i->desc >> 14 & 15;
    return !i->desc_is_reg && i->sfid == RENDER_CACHE &&
           (type == WRITE_TARGET || (type == READ_TARGET && i->eu->target_halves));
}

uint32_t gen_message_does(const struct gen_eu *eu, unsigned sfid, uint32_t desc)
{
    enum { MOVE = 4, COMPARE_2W = 0, COMPARE = 14, COMPARE_FLOATS = 3 }; /* of AtomicOp; MOVE ignores the old value */
    const struct gen_request *m = gen_request_of(eu, sfid, desc);
    if (!m) return 0;
    if (m->does != ATOMIC) return m->does;
    if (gen_is_lsc(eu, sfid)) {
        enum { STORE = 0x0b, SWAP = 0x12, FLOAT_SWAP = 0x17 };
        const uint32_t kind = desc & 63;
        return m->does | (kind == STORE ? GPUDBG_OP_COPY : kind == SWAP || kind == FLOAT_SWAP ? GPUDBG_OP_COMPARE : 0);
    }
    const uint32_t op = desc >> 8 & 15;
    if (m->format == &gen_descriptors[GEN_d_FLOAT_ATOMIC])
        return op == COMPARE_FLOATS ? m->does | GPUDBG_OP_COMPARE : m->does;
    return m->does | (op == MOVE ? GPUDBG_OP_COPY : op == COMPARE || op == COMPARE_2W ? GPUDBG_OP_COMPARE : 0);
}

const struct gpudbg_format *gen_descriptor_format(const struct gen_eu *eu, unsigned sfid, uint32_t desc)
{
    const struct gen_request *m = gen_request_of(eu, sfid, desc);
    return m ? m->format : &gen_descriptors[GEN_d_OTHER];
}

bool gen_message_lengths(const struct gen_insn *i, unsigned *mlen, unsigned *ex_mlen, unsigned *rlen)
{
    *mlen = *ex_mlen = *rlen = 0;
    if (!i->desc_is_reg) {
        *mlen = i->desc >> 25 & 15;
        *rlen = i->desc >> 20 & 31;
    }
    const bool known = !i->ex_desc_is_reg || i->ex_bso;
    if (gen_is_split(i) && known) *ex_mlen = i->ex_desc >> 6 & ((1u << i->eu->second_bits) - 1);
    return !i->desc_is_reg && known;
}

/* Adds the fields of the operation, without lengths and reserved fields. */
static void add_fields(struct text *t, const struct gen_request *m, uint32_t desc)
{
    uint8_t bytes[8] = {(uint8_t)desc, (uint8_t)(desc >> 8), (uint8_t)(desc >> 16), (uint8_t)(desc >> 24)};
    struct gpudbg_field_iter it;
    char meaning[96];
    for (gpudbg_word_fields(&it, m->format, bytes); gpudbg_next_field(&it);) {
        const char *name = it.field->name;
        bool length = !strcmp(name, "rlen") || !strcmp(name, "mlen") || !strcmp(name, "eot") || !strcmp(name, "type");
        if (length || it.field->kind == GPUDBG_MBZ) continue;
        if (it.field->kind == GPUDBG_FLAG) {
            if (it.value) text_add(t, ", %s", name);
            continue;
        }
        if (!strcmp(name, "subfunction") || !strcmp(name, "opcode")) continue;
        gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning);
        bool bare = meaning[strspn(meaning, "0123456789")] == 0;
        if (bare && !it.value) continue;
        if (bare)
            text_add(t, ", %s %s", name, meaning);
        else
            text_add(t, ", %s", meaning);
    }
}

int gen_message_text(const struct gen_insn *i, char *buf, size_t size)
{
    unsigned mlen, ex, rlen;
    const char *sfid = gen_sfid_name(i->eu, i->sfid);
    bool known = gen_message_lengths(i, &mlen, &ex, &rlen);
    if (i->desc_is_reg) return snprintf(buf, size, "%s, descriptor in a register", sfid ? sfid : "reserved function");
    const struct gen_request *m = gen_request_of(i->eu, i->sfid, i->desc);
    struct text t = text_in(buf, size);
    text_add(&t, "%s %s", sfid ? sfid : "reserved function", m ? m->name : "message");
    if (m) add_fields(&t, m, i->desc);
    text_add(&t, "; sends %u%s, gets %u", mlen + ex, known ? "" : " or more", rlen);
    return text_length(&t);
}
