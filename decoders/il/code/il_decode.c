/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_decode.c: tokens to packets.  Manual: AMD IL 2.4, chapter 2; order of the tokens after an opcode: 2.2.3 to 2.2.8.
 */
#include <string.h>
#include "il.h"

/* A packet being read: tokens before `n` are there. */
struct cursor {
    const uint8_t *raw;
    size_t n;
    uint32_t at;
    bool shortage;
    struct il_packet *p; /* where layouts of tokens go; may be NULL */
};

static void note(struct cursor *c, enum il_word word, uint32_t count)
{
    struct il_packet *p = c->p;
    if (!p || !count) return;
    struct gpudbg_part *last = p->nparts ? &p->parts[p->nparts - 1] : NULL;
    if (last && (last->format == &il_format[word] || p->nparts == GPUDBG_PARTS)) {
        if (last->format != &il_format[word]) last->format = &il_format[IL_W_MORE];
        last->count = GPUDBG_PART_COUNT(last->count + count);
        return;
    }
    p->parts[p->nparts++] = (struct gpudbg_part){
        .format = &il_format[word], .bit = 32 * c->at, .count = GPUDBG_PART_COUNT(count)};
}

/* The next token, 0 when there is none. */
static uint32_t take(struct cursor *c, enum il_word word)
{
    if (c->at >= c->n) {
        c->shortage = true;
        return 0;
    }
    note(c, word, 1);
    return il_token(c->raw, c->at++);
}

static void skip(struct cursor *c, enum il_word word, uint32_t count)
{
    if (count > c->n - c->at) {
        c->shortage = true;
        c->at = (uint32_t)c->n;
        return;
    }
    note(c, word, count);
    c->at += count;
}

/* ---- Operands ---- */

#define MODIFIER (UINT32_C(1) << 22)
#define DIMENSION (UINT32_C(1) << 25)
#define IMMEDIATE (UINT32_C(1) << 26)
#define EXTENDED (UINT32_C(1) << 31)

static unsigned relative_of(uint32_t token) { return token >> 23 & 3; }

static uint32_t type_of(uint32_t token) { return token >> 16 & 63; }

/* What stands between one pair of brackets, as the flags of its token announce it. */
static void take_index(struct cursor *c, uint32_t token, struct il_index *index)
{
    index->relative = (uint8_t)relative_of(token);
    index->mod = IL_SRC_IDENTITY;
    if (index->relative == 1) index->loop = take(c, IL_W_REL_ADDR) & 1;
    if (index->relative == 2) {
        uint32_t reg = take(c, IL_W_INDEX);
        index->type = (uint8_t)type_of(reg);
        index->reg = reg & 0xffff;
        index->has_mod = reg & MODIFIER;
        if (index->has_mod) index->mod = take(c, IL_W_SRC_MOD);
        if (reg & EXTENDED) index->reg |= take(c, IL_W_EXTENDED) & 0xffff0000;
    }
    index->has_offset = token & IMMEDIATE;
    if (index->has_offset) index->offset = (int32_t)take(c, IL_W_OFFSET);
}

static void take_modifier_apart(struct il_operand *o)
{
    uint32_t mod = o->mod;
    if (o->is_dst) {
        for (unsigned i = 0; i < 4; i++) o->select[i] = mod >> 2 * i & 3;
        o->clamp = mod >> 8 & 1;
        o->scale = mod >> 9 & 15;
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        o->select[i] = mod >> 4 * i & 7;
        o->negate |= (uint8_t)((mod >> (4 * i + 3) & 1) << i);
    }
    o->invert = mod >> 16 & 1;
    o->bias = mod >> 17 & 1;
    o->x2 = mod >> 18 & 1;
    o->sign = mod >> 19 & 1;
    o->abs = mod >> 20 & 1;
    o->divcomp = mod >> 21 & 7;
    o->clamp = mod >> 24 & 1;
}

struct il_operand il_index_register(const struct il_index *x)
{
    struct il_operand o = {.type = IL_REG_ADDR};
    if (x->relative == 2)
        o = (struct il_operand){.type = x->type, .number = x->reg, .has_mod = x->has_mod, .mod = x->mod};
    take_modifier_apart(&o);
    return o;
}

static void take_operand(struct cursor *c, bool is_dst, struct il_operand *o)
{
    memset(o, 0, sizeof *o);
    o->is_dst = is_dst;
    o->at = c->at;
    o->token = take(c, is_dst ? IL_W_DST : IL_W_SRC);
    o->type = (uint8_t)type_of(o->token);
    o->number = o->token & 0xffff;
    o->has_mod = o->token & MODIFIER;
    o->mod = is_dst ? IL_DST_ALL : IL_SRC_IDENTITY;
    if (o->has_mod) o->mod = take(c, is_dst ? IL_W_DST_MOD : IL_W_SRC_MOD);
    take_modifier_apart(o);
    take_index(c, o->token, &o->index[0]);
    o->dimensions = o->index[0].relative || o->index[0].has_offset;
    o->extended = o->token & EXTENDED;
    if (o->extended) o->number |= take(c, IL_W_EXTENDED) & 0xffff0000;
    if (o->token & DIMENSION) {
        uint32_t second = take(c, IL_W_DIMENSION);
        o->dimensions = 2;
        if (second & MODIFIER) take(c, IL_W_SRC_MOD);
        take_index(c, second, &o->index[1]);
        o->index[1].number = second & 0xffff;
        if (second & EXTENDED) o->index[1].number |= take(c, IL_W_EXTENDED) & 0xffff0000;
    }
    o->words = c->at - o->at;
}

uint32_t il_operand_at(const uint8_t *raw, size_t n, uint32_t at, bool is_dst, struct il_operand *o)
{
    struct cursor c = {.raw = raw, .n = n / 4, .at = at};
    take_operand(&c, is_dst, o);
    return c.shortage ? 0 : o->words;
}

static void take_operands(struct cursor *c, struct il_packet *p)
{
    struct il_operand spare;
    p->operands_at = c->at;
    for (uint32_t i = 0; i < p->ndst + p->nsrc && !c->shortage; i++) {
        bool stored = p->noperands < IL_OPERANDS;
        take_operand(c, i < p->ndst, stored ? &p->operand[p->noperands] : &spare);
        p->noperands += stored && !c->shortage;
    }
}

/* ---- What is behind the operands ---- */

static void take_counted(struct cursor *c, enum il_word word, uint32_t mask)
{
    enum il_word head = word == IL_W_TEXT ? IL_W_LENGTH : IL_W_ENTRIES;
    uint32_t n = take(c, head) & mask;
    skip(c, word, n);
}

static void take_extra(struct cursor *c, struct il_packet *p)
{
    p->extra = c->at;
    switch ((enum il_extra)p->row->extra) {
    case IL_X_NO: break;
    case IL_X_LABEL: take(c, IL_W_LABEL); break;
    case IL_X_VALUE: take(c, IL_W_VALUE); break;
    case IL_X_DEF:
    case IL_X_LITERAL: skip(c, IL_W_BITS, 4); break;
    case IL_X_BOOL: take(c, IL_W_BOOL); break;
    case IL_X_FLOAT: take(c, IL_W_FLOAT); break;
    case IL_X_NUMBER: take(c, IL_W_NUMBER); break;
    case IL_X_BYTES: take(c, IL_W_SIZE); break;
    case IL_X_STRIDE: take(c, IL_W_STRIDE); break;
    case IL_X_STRUCT:
        take(c, IL_W_STRIDE);
        take(c, IL_W_NUMBER);
        break;
    case IL_X_FORMATS: take(c, IL_W_FORMATS); break;
    case IL_X_TYPED: take(c, IL_W_TYPED); break;
    case IL_X_TYPELESS:
        take(c, IL_W_TYPELESS_STRIDE);
        take(c, IL_W_TYPELESS);
        break;
    case IL_X_DIMENSIONS: skip(c, IL_W_NUMBER, p->code >> 16 & 0x3fff); break;
    case IL_X_COMMENT: take_counted(c, IL_W_TEXT, 0xffff); break;
    case IL_X_ICB:
        if (p->code >> 31) take_counted(c, IL_W_BITS, UINT32_MAX);
        break;
    case IL_X_TABLE: take_counted(c, IL_W_ENTRY, UINT32_MAX); break;
    case IL_X_INTERFACE:
        take(c, IL_W_ARRAY_SIZE);
        take(c, IL_W_TABLE_LENGTH);
        take_counted(c, IL_W_ENTRY, UINT32_MAX);
        break;
    case IL_X_MACRO:
    case IL_X_MCALL: break;
    }
    p->nextra = c->at - p->extra;
}

/* ---- Packets ---- */

static bool has_field(enum il_word word, const char *name) { return il_field(word, name) != NULL; }

/* Modifier tokens and the two dwords of samples. */
static void take_modifiers(struct cursor *c, struct il_packet *p)
{
    enum il_word word = (enum il_word)p->row->word;
    const struct il_modifiers *m = &il_modifiers[word];
    p->has_pri = p->code >> 31 && has_field(word, "pri_modifier_present");
    p->has_sec = p->code >> 30 & 1 && has_field(word, "sec_modifier_present");
    if (p->has_pri) p->pri = take(c, m->pri ? (enum il_word)m->pri : IL_W_RAW_PRI);
    if (p->has_sec) p->sec = take(c, m->sec ? (enum il_word)m->sec : IL_W_RAW_SEC);
    if (!has_field(word, "ext")) return;
    bool samples = has_field(word, "aoffimmi");
    p->has_pixtex = samples && p->code >> 28 & 1;
    if (p->has_pixtex) p->pixtex = take(c, IL_W_PIXTEX);
    p->has_aoffimmi = samples && p->code >> 29 & 1;
    if (p->has_aoffimmi) p->aoffimmi = take(c, IL_W_AOFFIMMI);
    if (p->code >> 28 & 1) p->nsrc += word == IL_W_SRV ? 1 : 2;
}

/* One packet without a prefix at c->at. */
static int unpack(struct cursor *c, struct il_packet *p)
{
    p->at = c->at;
    if (c->at >= c->n) return GPUDBG_SHORT;
    p->code = il_token(c->raw, c->at);
    p->op = il_op_by_number(p->code & 0xffff);
    if (!p->op) return GPUDBG_ILLEGAL;
    p->row = &il_op[p->op->id];
    p->ndst = p->row->dst;
    p->nsrc = p->row->src;
    take(c, (enum il_word)p->row->word);
    take_modifiers(c, p);
    if (p->row->extra == IL_X_ICB && p->code >> 31) p->nsrc = 0;
    if (p->row->extra == IL_X_MCALL) {
        p->extra = c->at;
        p->nextra = 1;
        uint32_t counts = take(c, IL_W_MACRO_CALL);
        p->ndst = counts & 0xffff;
        p->nsrc = counts >> 16;
    }
    if (p->row->extra == IL_X_MACRO) {
        p->extra = c->at;
        p->nextra = 1;
        take(c, IL_W_MACRO);
    }
    take_operands(c, p);
    if (p->row->extra != IL_X_MCALL && p->row->extra != IL_X_MACRO) take_extra(c, p);
    p->words = c->at;
    return c->shortage ? GPUDBG_SHORT : (int)(4 * p->words);
}

int il_unpack(const uint8_t *raw, size_t n, struct il_packet *p)
{
    memset(p, 0, sizeof *p);
    p->raw = raw;
    struct cursor c = {.raw = raw, .n = n / 4 < INT32_MAX / 4 ? n / 4 : INT32_MAX / 4, .p = p};
    int size = c.n ? unpack(&c, p) : GPUDBG_SHORT;
    if (size <= 0 || il_code(p->op) != IL_OP_PREFIX) return size;
    const struct il_packet prefix = *p;
    uint32_t next = c.n > 1 ? il_token(raw, 1) & 0xffff : 0;
    if (c.n < 2) return GPUDBG_SHORT;
    if (prefix.words != 1 || next == IL_OP_PREFIX || !il_op_by_number(next)) return size;
    size = unpack(&c, p);
    p->prefixed = true;
    p->precise = prefix.code >> 16 & 15;
    return size;
}

bool il_order_call(struct il_packet *p, uint32_t macro)
{
    const uint32_t in = macro & 255, out = macro >> 8 & 255;
    if (p->ndst == out && p->nsrc == in) return true;
    if (p->ndst != in || p->nsrc != out) return false;
    p->ndst = out;
    p->nsrc = in;
    for (uint32_t i = 0, at = p->operands_at; i < p->noperands; at += p->operand[i++].words)
        il_operand_at(p->raw, 4 * (size_t)p->words, at, i < p->ndst, &p->operand[i]);
    return true;
}

uint32_t il_control(const struct il_packet *p, const char *name)
{
    const struct il_modifiers *m = &il_modifiers[p->row->word];
    const struct gpudbg_field *f = il_field((enum il_word)p->row->word, name);
    uint32_t token = p->code;
    if (!f && p->has_pri && (f = il_field((enum il_word)m->pri, name))) token = p->pri;
    if (!f && p->has_sec && (f = il_field((enum il_word)m->sec, name))) token = p->sec;
    if (!f) return 0;
    return token >> f->run[0].lo & (f->run[0].len < 32 ? (1u << f->run[0].len) - 1 : UINT32_MAX);
}

/* ---- Streams ---- */

/* An opcode token without reserved bits. */
static bool clean_opcode(uint32_t token)
{
    const struct gpudbg_op *op = il_op_by_number(token & 0xffff);
    if (!op) return false;
    for (size_t i = 0; i < il_rows[op->id].format->count; i++) {
        const struct gpudbg_field *f = &il_rows[op->id].format->fields[i];
        if (f->kind == GPUDBG_MBZ && token >> f->run[0].lo & (UINT32_C(0xffffffff) >> (32 - f->run[0].len)))
            return false;
    }
    return true;
}

static bool version_like(uint32_t token)
{
    return token >> 26 == 0 && (token >> 16 & 255) <= 5 && (token >> 8 & 255) == 2 && (token & 255) < 16;
}

/* The first token of a stream and small opcodes look alike (3 is dx8_vs, and `add` without controls), so what stands
 * behind decides: a version, then an opcode.  Number 0 is no opcode. */
bool il_is_language(const uint8_t *raw, size_t n, uint64_t addr)
{
    uint32_t lang = n >= 4 ? il_token(raw, 0) : UINT32_MAX;
    uint32_t version = n >= 8 ? il_token(raw, 1) : 0;
    bool followed = n < 12 || clean_opcode(il_token(raw, 2));
    if (addr == 0 && lang == 0) return true;
    if (n < 8) return false;
    if (addr == 0 && !il_op_by_number(lang & 0xffff)) return version_like(version) && !version_like(lang);
    if (addr == 0 && lang <= 14)
        return (version & 0xffff) == 0x200 && version >> 26 == 0 && (version != 0x40200 || followed);
    static const uint8_t shader[] = {255, 255, 1, 0, 1, 0, 1, 0, 2, 1, 0, 2, 3, 4, 5};
    return lang <= 14 && version_like(version) && followed && (lang == 0 || shader[lang] == (version >> 16 & 255));
}

bool il_is_version(const uint8_t *raw, size_t n, uint64_t addr)
{
    uint32_t version = n >= 4 ? il_token(raw, 0) : 0, major = version >> 8 & 255;
    bool followed = n < 8 || clean_opcode(il_token(raw, 1));
    if (n < 4 || version >> 26) return false;
    if (il_op_by_number(version & 0xffff)) /* version 1 has the numbers of opcodes */
        return addr == 4 && n >= 8 && major == 1 && (version >> 16 & 255) <= 5 && followed;
    if (addr == 4) return major >= 1;
    return version_like(version) && (addr == 0 || followed);
}

/* Tokens to pass over after an unknown opcode: to where three packets in a row (or all up to `end`) are without fault,
 * so that operands are not taken for opcodes. */
static uint32_t resynchronise(const uint8_t *raw, size_t n)
{
    struct il_packet p;
    uint32_t tokens = n / 4 < 65 ? (uint32_t)(n / 4) : 65;
    for (uint32_t skip = 1; skip < tokens; skip++) {
        uint32_t at = skip;
        unsigned good = 0;
        while (good < 3 && 4 * (size_t)at < n && clean_opcode(il_token(raw, at))) {
            int size = il_unpack(raw + 4 * (size_t)at, n - 4 * (size_t)at, &p);
            if (size <= 0) break;
            at += (uint32_t)size / 4;
            good += il_code(p.op) == IL_OP_END || 4 * (size_t)at + 3 >= n ? 3 : 1;
        }
        if (good >= 3) return skip;
    }
    return 1;
}

/* ---- The interface ---- */

/* Components that an operand takes part with, a bit each; `slots`: those that are written. */
static unsigned components(const struct il_operand *o, unsigned slots)
{
    unsigned used = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (o->is_dst)
            used |= (unsigned)(o->select[i] != 0) << i;
        else if (slots >> i & 1 && o->select[i] < 4)
            used |= 1u << o->select[i];
    }
    return used;
}

/* The components of a packet's results that operand number i is for: of those that are written, or stored. */
static unsigned slots_of(const struct il_packet *p, uint32_t i)
{
    if (p->ndst != 1) return 15;
    const bool memory = p->operand[0].type == IL_REG_GENERIC_MEM, data = i + 1 == p->noperands;
    return !memory || (data && p->op->flags & GPUDBG_OP_STORE) ? components(&p->operand[0], 0) : 15;
}

/* A register is four of the file's, x y z w; of these the first run of those in `used`. */
static void fill_operand(struct gpudbg_operand *to, const struct il_operand *o, unsigned used)
{
    unsigned first = 0, count = 0;
    while (used && !(used >> first & 1)) first++;
    while (used >> (first + count) & 1) count++;
    *to = (struct gpudbg_operand){.kind = GPUDBG_REGISTER,
        .flags = o->is_dst ? GPUDBG_WRITE : GPUDBG_READ,
        .file = o->type < IL_REGTYPES ? o->type : 0,
        .index = -1,
        .reg = (uint16_t)(o->number * 4 + first),
        .count = (uint16_t)count,
        .swizzle = (uint16_t)o->mod,
        .imm = o->index[0].offset};
    if (o->type == IL_REG_GENERIC_MEM || o->dimensions || o->type >= IL_REGTYPES || !count || o->number >= 0x4000)
        to->kind = GPUDBG_SPECIAL;
}

/* x and z without y are two runs: the second is an operand that the text does not show. */
static void fill_second_run(struct gpudbg_insn *out, const struct il_operand *o, unsigned used)
{
    struct gpudbg_operand first;
    fill_operand(&first, o, used);
    if (first.kind != GPUDBG_REGISTER || out->noperands == GPUDBG_OPERANDS) return;
    const unsigned behind = first.reg % 4 + first.count;
    const unsigned rest = used & ~((1u << behind) - 1);
    if (!rest) return;
    struct gpudbg_operand *to = &out->operands[out->noperands++];
    fill_operand(to, o, rest);
    to->flags |= GPUDBG_IMPLICIT;
}

/* A matrix is four registers from the one that is named: AMD IL 2.4, 7.11. */
static void fill_matrices(struct gpudbg_insn *out)
{
    static const struct {
        unsigned code, operand;
    } matrix[] = {{IL_OP_MMUL, 2}, {IL_OP_DET, 1}, {IL_OP_TRANSPOSE, 0}, {IL_OP_TRANSPOSE, 1}};
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++) {
        struct gpudbg_operand *o = &out->operands[matrix[i].operand];
        if (il_code(out->op) != matrix[i].code || out->noperands <= matrix[i].operand) continue;
        o->reg = (uint16_t)(o->reg & ~3u);
        o->count = 16;
    }
}

static int single(struct gpudbg_insn *out, enum il_row row, size_t n)
{
    if (n < 4) return GPUDBG_SHORT;
    out->op = &il_ops[row];
    out->size = 4;
    out->nparts = 1;
    out->parts[0] = (struct gpudbg_part){.format = il_rows[out->op->id].format, .bit = 0, .count = 1};
    return 4;
}

int il_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    struct il_packet packet;
    out->addr = addr;
    out->isa = isa;
    out->raw = p;
    out->op = NULL;
    out->size = 0;
    out->variant = 0;
    out->does = 0;
    out->nparts = out->noperands = 0;
    if (n < 4) return GPUDBG_SHORT;
    if (il_is_language(p, n, addr)) return single(out, IL_ROW_LANGUAGE, n);
    if (il_is_version(p, n, addr)) return single(out, IL_ROW_VERSION, n);
    int size = il_unpack(p, n, &packet);
    if (size == GPUDBG_ILLEGAL) {
        uint32_t at = packet.at; /* behind a prefix? no: il_unpack stops before an unknown opcode */
        out->size = 4 * (at + resynchronise(p, n));
        out->nparts = 1;
        out->parts[0] = (struct gpudbg_part){.format = &il_format[IL_W_UNKNOWN], .bit = 0, .count = 1};
        return GPUDBG_ILLEGAL;
    }
    if (size == GPUDBG_SHORT) return GPUDBG_SHORT;
    out->op = packet.op;
    out->size = (uint32_t)size;
    out->nparts = (uint8_t)packet.nparts;
    memcpy(out->parts, packet.parts, packet.nparts * sizeof *packet.parts);
    for (uint32_t i = 0; i < packet.noperands && i < GPUDBG_OPERANDS; i++)
        fill_operand(
            &out->operands[out->noperands++], &packet.operand[i], components(&packet.operand[i], slots_of(&packet, i)));
    for (uint32_t i = 0; i < packet.noperands && i < GPUDBG_OPERANDS; i++)
        fill_second_run(out, &packet.operand[i], components(&packet.operand[i], slots_of(&packet, i)));
    fill_matrices(out);
    return size;
}

unsigned il_floats(const struct gpudbg_insn *insn, unsigned operand, uint32_t *which)
{
    struct il_packet p;
    *which = 0;
    if (!insn->op || insn->op->id >= IL_ROW_LANGUAGE || il_unpack(insn->raw, insn->size, &p) <= 0) return 0;
    const struct il_arithmetic *alu = &p.row->alu;
    if (!alu->sources || operand >= p.noperands) return 0;
    const struct il_operand *o = &p.operand[operand];
    const unsigned source = operand - p.ndst;
    if (!o->is_dst && source >= strlen(alu->sources)) return 0;
    const char class = o->is_dst ? alu->result : alu->sources[source];
    const unsigned slots = alu->apart && p.ndst ? components(&p.operand[0], 0) : 15;
    const unsigned used = components(o, slots) & (o->is_dst ? alu->writes : 15);
    if (class == IL_DOUBLE) *which = ((used & 3) == 3 ? 1 : 0) | ((used & 12) == 12 ? 4 : 0);
    if (class == IL_FLOAT || class == IL_MOVED) *which = used;
    return !*which ? 0 : class == IL_DOUBLE ? 64 : 32;
}
