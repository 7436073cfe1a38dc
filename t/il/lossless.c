/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_lossless.c: tokens -> text -> tokens is the identity, for packets of every opcode with any bits in any token, and
 * for streams of them.  What is legal needs no annotation, but for the few things that have no spelling.
 */
#include <stdlib.h>
#include "decoders/il/code/assemble.h"
#include "decoders/il/check/il_rules.h"
#include "tap.h"

static uint64_t seed = 0x2545f4914f6cdd1d;

static uint32_t random32(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32);
}

static unsigned below(unsigned n) { return random32() % n; }

struct stream {
    uint32_t token[4096];
    uint32_t n;
};

static void add(struct stream *s, uint32_t token)
{
    if (s->n < 4096) s->token[s->n++] = token;
}

/* A value that the enumeration knows, or any. */
static uint32_t value_of(const struct gpudbg_field *f, bool legal)
{
    const uint32_t mask = f->run[0].len < 32 ? (1u << f->run[0].len) - 1 : UINT32_MAX;
    if (!legal) return random32() & mask;
    if (f->kind == GPUDBG_MBZ) return 0;
    if (f->kind == GPUDBG_ENUM) return (uint32_t)f->meaning->values[below((unsigned)f->meaning->count)].value & mask;
    return (below(3) ? random32() : random32() & random32() & random32()) & mask;
}

/* A token of a layout; skip: fields below this bit are left 0. */
static uint32_t token_of(enum il_word word, bool legal, unsigned skip)
{
    uint32_t token = 0;
    for (size_t i = 0; i < il_format[word].count; i++) {
        const struct gpudbg_field *f = &il_format[word].fields[i];
        if (f->run[0].lo >= skip) token |= value_of(f, legal) << f->run[0].lo;
    }
    return token;
}

static void add_modifier(struct stream *s, bool is_dst, bool legal, bool plain)
{
    uint32_t mod = token_of(is_dst ? IL_W_DST_MOD : IL_W_SRC_MOD, legal, 0);
    if (!is_dst && legal) mod &= ~(UINT32_C(1) << 24); /* clamp has no spelling */
    if (plain) mod &= 0xff;
    if (!below(4)) mod = is_dst ? 0x55 : 0x3210;
    add(s, mod);
}

/* What the flags of a token announce. */
static void add_index(struct stream *s, uint32_t token, bool legal)
{
    const unsigned relative = token >> 23 & 3;
    if (relative == 1) add(s, legal ? below(2) : random32());
    if (relative == 2) {
        uint32_t reg = (legal ? IL_REG_TEMP : random32() & 63) << 16 | below(99) |
                       (legal ? below(2) << 22 : random32() & 0xffc00000);
        add(s, reg);
        if (reg >> 22 & 1) add(s, legal ? below(4) * 0x1111 : random32());
        if (reg >> 31) add(s, legal ? (1 + below(9)) << 16 : random32());
    }
    if (token >> 26 & 1) add(s, legal ? below(4000) - below(2) * below(4000) : random32());
}

/* plain: of a declaration, which scales and clamps nothing. */
static void add_operand(struct stream *s, bool is_dst, bool legal, bool plain)
{
    static const uint8_t types[] = {IL_REG_TEMP, IL_REG_TEMP, IL_REG_TEMP, IL_REG_ITEMP, IL_REG_CONST_BUFF,
        IL_REG_INPUT, IL_REG_OUTPUT, IL_REG_LITERAL, IL_REG_IMMED_CONST_BUFF, IL_REG_GLOBAL, IL_REG_VERTEX,
        IL_REG_TEXCOORD, IL_REG_THREAD_ID_IN_GROUP, IL_REG_INPUTCP};
    const uint8_t type = legal ? types[below(sizeof types)] : (uint8_t)(below(4) ? below(IL_REGTYPES) : below(64));
    const uint8_t shape = type < IL_REGTYPES ? il_register[type].shape : IL_NUMBERED;
    uint32_t token = (uint32_t)type << 16 | below(2) << 22;
    if (!legal) {
        token |= random32() & (random32() | ~UINT32_C(0x80000000));
    } else if (shape == IL_NAMED || shape == IL_ARRAY) { /* x5[6], g[r1.x+2] */
        token |= below(2) ? UINT32_C(1) << 26 : UINT32_C(2) << 23 | below(2) << 26;
        token |= shape == IL_NAMED ? below(16) : 0;
    } else if (type == IL_REG_VERTEX || type == IL_REG_INPUTCP) { /* v[1][2], v[r1.x][r2.y+3] */
        token |= UINT32_C(1) << 25 | (below(2) ? below(32) : UINT32_C(2) << 23 | below(2) << 26);
    } else {
        token |= shape == IL_PLAIN ? 0 : below(5) ? below(4000) : UINT32_C(1) << 31 | below(65536);
    }
    add(s, token);
    if (token >> 22 & 1) add_modifier(s, is_dst, legal, plain);
    add_index(s, token, legal);
    if (token >> 31) add(s, legal ? (1 + below(9)) << 16 : random32());
    if (token >> 25 & 1) {
        uint32_t second = legal ? below(2) ? (uint32_t)type << 16 | below(32) : UINT32_C(2) << 23 | below(2) << 26
                                : random32();
        add(s, second);
        if (second >> 22 & 1) add(s, random32());
        add_index(s, second, legal);
        if (second >> 31) add(s, random32());
    }
}

/* The tokens behind the operands of an opcode, as il_unpack counts them. */
static void add_extra(struct stream *s, const struct il_op *row, uint32_t code, bool legal)
{
    unsigned n = 0;
    enum il_word word = IL_W_NO;
    switch ((enum il_extra)row->extra) {
    case IL_X_LABEL:
    case IL_X_VALUE:
    case IL_X_BOOL:
    case IL_X_FLOAT:
    case IL_X_NUMBER:
    case IL_X_BYTES:
    case IL_X_STRIDE: n = 1; break;
    case IL_X_STRUCT: n = 2; break;
    case IL_X_DEF:
    case IL_X_LITERAL: n = 4; break;
    case IL_X_FORMATS: word = IL_W_FORMATS; break;
    case IL_X_TYPED: word = IL_W_TYPED; break;
    case IL_X_TYPELESS:
        add(s, random32());
        word = IL_W_TYPELESS;
        break;
    case IL_X_DIMENSIONS: n = code >> 16 & 0x3fff; break;
    case IL_X_ICB:
        if (!(code >> 31)) break; /* fall through */
    case IL_X_TABLE: add(s, n = below(9)); break;
    case IL_X_COMMENT: add(s, (n = below(9)) | (legal ? 0 : random32() << 16)); break;
    case IL_X_INTERFACE: add(s, below(9)), add(s, below(9)), add(s, n = below(5)); break;
    default: break;
    }
    if (word) add(s, token_of(word, legal, 0));
    for (unsigned i = 0; i < n; i++) add(s, random32());
}

/* A packet of an opcode; its parts in the order of the manual. */
static void add_packet(struct stream *s, const struct gpudbg_op *op, bool legal)
{
    const struct il_op *row = &il_op[op->id];
    const enum il_word word = (enum il_word)row->word;
    uint32_t code = il_code(op) | token_of(word, legal, 16), ndst = row->dst, nsrc = row->src;
    const struct il_modifiers *m = &il_modifiers[word];
    if (row->extra == IL_X_DIMENSIONS) code = (code & ~UINT32_C(0x3fff0000)) | (1 + below(3)) << 16;
    if (legal && !m->pri && il_field(word, "pri_modifier_present")) code &= ~(UINT32_C(1) << 31);
    if (legal && !m->sec && il_field(word, "sec_modifier_present")) code &= ~(UINT32_C(1) << 30);
    if (!below(6) && !(op->flags & IL_DECLARES)) add(s, IL_OP_PREFIX | (legal ? below(16) << 16 : random32() << 16));
    add(s, code);
    if (code >> 31 && il_field(word, "pri_modifier_present"))
        add(s, legal ? token_of((enum il_word)m->pri, true, 0) : random32());
    if (code >> 30 & 1 && il_field(word, "sec_modifier_present"))
        add(s, legal ? token_of((enum il_word)m->sec, true, 0) : random32());
    if (il_field(word, "ext")) {
        const bool samples = il_field(word, "aoffimmi") != NULL;
        if (samples && code >> 28 & 1) add(s, legal ? value_of(&il_format[IL_W_PIXTEX].fields[0], true) : random32());
        if (samples && code >> 29 & 1) add(s, legal ? random32() & 0xffffff : random32());
        if (code >> 28 & 1) nsrc += word == IL_W_SRV ? 1 : 2;
    }
    if (row->extra == IL_X_ICB && code >> 31) nsrc = 0;
    if (row->extra == IL_X_MCALL) add(s, (ndst = below(4)) | (nsrc = below(4)) << 16);
    if (row->extra == IL_X_MACRO) add(s, token_of(IL_W_MACRO, legal, 0));
    const bool vertex = il_code(op) == IL_OP_DCLV ||
                        il_code(op) == IL_OP_INITV; /* they declare v# of another type than all else */
    if (vertex && legal) add(s, IL_REG_VERTEX << 16 | below(2000));
    if (il_code(op) == IL_OP_INITV && legal) add(s, IL_REG_TEMP << 16 | below(2000));
    const bool array = (row->extra == IL_X_ICB && nsrc) || il_code(op) == IL_DCL_INDEXED_TEMP_ARRAY;
    if (array && legal)
        add(s,
            (uint32_t)(nsrc && row->extra == IL_X_ICB ? IL_REG_CONST_BUFF : IL_REG_ITEMP) << 16 | 1u << 26 | below(16)),
            add(s, below(4096)), ndst = nsrc = 0;
    for (uint32_t i = vertex && legal ? ndst + nsrc : 0; i < ndst + nsrc; i++)
        add_operand(s, i < ndst, legal, legal && i < ndst && (op->flags & IL_DECLARES || row->extra == IL_X_MCALL));
    add_extra(s, row, code, legal);
}

static void bytes_of(const uint32_t *token, uint32_t n, uint8_t *bytes)
{
    for (uint32_t i = 0; i < 4 * n; i++) bytes[i] = (uint8_t)(token[i / 4] >> 8 * (i % 4));
}

/* Text of a stream as `disassemble /a` has it: instructions and data. */
static char *text_of(const uint8_t *raw, size_t n)
{
    struct gpudbg_insn insn;
    size_t used = 0, room = 1 << 16;
    char *text = calloc(1, room);
    for (size_t at = 0; text && at + 4 <= n; at += insn.size) {
        if (used + 16 * n + 4096 > room) text = realloc(text, room = 2 * room + 16 * n);
        if (gpudbg_insn_at(&il_isa, raw + at, n - at, at, &insn)) {
            used += (size_t)il_isa.text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text + used, room - used);
        } else {
            used += (size_t)sprintf(text + used, "%s .long", il_isa.traits.comment);
            for (uint32_t i = 0; i < insn.size / 4; i++)
                used += (size_t)sprintf(text + used, "%s0x%08x", i ? ", " : " ", il_token(raw + at, i));
            used += (size_t)sprintf(text + used, "    // no such instruction");
        }
        used += (size_t)sprintf(text + used, "\n");
    }
    return text;
}

struct tally {
    unsigned packets, back, annotated, shown;
};

/* Does the text of the stream give the same tokens?  *noted: it needs annotations. */
static bool comes_back(const struct stream *s, bool *noted, const char *what, unsigned *shown)
{
    static uint8_t raw[4 * 4096];
    struct il_program again;
    struct gpudbg_error err = {.offset = -1};
    bytes_of(s->token, s->n, raw);
    char *text = text_of(raw, 4 * (size_t)s->n);
    bool same = il_assemble(text, strlen(text), &again, &err) && again.n == s->n &&
                memcmp(again.token, s->token, 4 * s->n) == 0;
    const char *mark = strstr(text, ";!");
    *noted = mark && strncmp(mark, ";! vertex", 9) != 0;
    if ((!same || (shown && *noted)) && (!shown || (*shown)++ < 6))
        fprintf(stderr, "# %s: %s\n# %s", what, err.message, text);
    il_program_free(&again);
    free(text);
    return same;
}

static void open_stream(struct stream *s)
{
    s->n = 0;
    const unsigned shader = below(6); /* 4 looks like a register: only language 0 makes that a version for sure */
    add(s, shader == 4 ? 0 : below(15));
    add(s, 0x200 | shader << 16 | below(2) << 24);
}

static void test_packets(bool legal)
{
    static struct stream s;
    unsigned packets = 0, back = 0, annotated = 0, shown = 0;
    for (size_t i = 0; i < IL_ROW_LANGUAGE; i++) {
        const bool has_no_spelling = il_rows[i].code == IL_OP_PREFIX || il_rows[i].code == IL_OP_COMMENT;
        for (unsigned n = 0; n < 200 / tap_sample() && !(legal && has_no_spelling); n++) {
            bool noted;
            open_stream(&s);
            add_packet(&s, &il_ops[i], legal);
            back += comes_back(&s, &noted, il_ops[i].name, legal ? &shown : NULL);
            annotated += noted;
            packets++;
        }
    }
    ok(back == packets, "%u packets with %s bits come back", packets, legal ? "good" : "any");
    if (legal) ok(annotated == 0, "... none of them annotated (%u)", annotated);
}

static bool ends_early(const struct stream *s)
{
    static uint8_t raw[4 * 4096];
    bytes_of(s->token, s->n, raw);
    char *text = text_of(raw, 4 * (size_t)s->n);
    const bool early = strstr(text, "\nend\n") || strstr(text, "\nend_prec");
    free(text);
    return early;
}

/* Many packets, good and bad ones, tokens of no packet, and more behind the end. */
static void test_streams(void)
{
    static struct stream s;
    unsigned back = 0, ended = 0;
    const unsigned streams = 4000 / tap_sample();
    for (unsigned i = 0; i < streams; i++) {
        bool noted;
        open_stream(&s);
        for (unsigned n = 1 + below(30); n-- > 0;) {
            const struct gpudbg_op *op = &il_ops[below(IL_ROW_LANGUAGE)];
            if (below(8) && il_code(op) != IL_OP_END)
                add_packet(&s, op, below(3));
            else
                add(&s, random32() & random32());
        }
        if (ends_early(&s))
            ended++; /* a text may not go on behind `end` */
        else
            back += comes_back(&s, &noted, "stream", NULL);
    }
    ok(back > streams / 4 * 3 && back + ended == streams, "%u streams of %u come back", back, streams - ended);
}

static void test_word(const char *what, const char *want, uint32_t n, const uint32_t *token)
{
    static struct stream s;
    static uint8_t raw[4 * 4096];
    bool noted;
    s.n = 0;
    add(&s, 0);
    add(&s, 0x30200);
    for (uint32_t i = 0; i < n; i++) add(&s, token[i]);
    bytes_of(s.token, s.n, raw);
    char *text = text_of(raw, 4 * (size_t)s.n);
    ok(comes_back(&s, &noted, what, NULL) && strstr(text, want), "%s", what);
    if (!strstr(text, want)) fprintf(stderr, "# %s", text);
    free(text);
}

int main(void)
{
    const uint32_t clamp[] = {71, 0x40000, 0x440001, 0x1103210}, comment[] = {15, 2, 0x6c6c6568, 0x216f},
                   vertex[] = {71, 0x40000, 5 << 16 | 1}, input[] = {71, 0x40000, 33 << 16 | 1 | 1 << 25, 33 << 16 | 2},
                   declared[] = {26 | 7 << 16, 5 << 16 | 1, 71, 0x40000, 5 << 16 | 1},
                   newer[] = {660, 0x40000, 71, 0x40000, 0x40001, 71, 0x40000, 0x40001, 40},
                   bits[] = {71 | 1 << 20, 0x40000, 0x40001};
    test_packets(true);
    test_packets(false);
    test_streams();
    test_word("clamp of a source", "mov r0, r1_abs ;! 0x00000047 0x00040000 0x00440001 0x01103210\n", 4, clamp);
    test_word("a comment packet", "; hello! ;! 0x0000000F 0x00000002 0x6C6C6568 0x0000216F\n", 4, comment);
    test_word("v# of type VERTEX that nobody declares", "mov r0, v1 ;! vertex\n", 3, vertex);
    test_word("... and behind dclv", "dclv_elem(7) v1 ;! vertex\nmov r0, v1 ;! vertex\n", 5, declared);
    test_word("v# of type INPUT with two indices", "mov r0, v[1][2] ;! input\n", 4, input);
    test_word("an opcode of a later version", ";! .long 0x00000294, 0x00040000", 9, newer);
    test_word("a reserved bit", "mov r0, r1 ;! 0x00100047 0x00040000 0x00040001\n", 3, bits);
    return tap_done();
}
