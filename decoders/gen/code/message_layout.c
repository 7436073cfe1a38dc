/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_layout.c: see message_layout.h.  The column `payload` of messages.def is a function of this file, which names
 * the registers one after another; registers beyond the lengths are left out, and additional registers are named as
 * such.
 *
 * Sources: data port, sampler, gateway and URB messages as compiled programs use them; parameters of the sampler, media
 * blocks and render targets from drivers.
 */
#include "code/message_layout.h"
#include "code/gen_decoder.h"
#include "code/message.h"

struct builder {
    const struct gen_insn *x;
    struct gen_piece *piece;
    unsigned n, at, left; /* at, left: of the payload, then of the answer */
    unsigned lanes;
    bool answer, writes; /* writes: the message writes memory, so the payload has the data */
    const char *const *parameters;
};

/* ---- One piece ---- */

static void registers(struct builder *b, const char *what, unsigned kind, unsigned count, const char *note)
{
    if (count > b->left) count = b->left;
    if (!count || b->n == GEN_PIECES) return;
    b->piece[b->n++] = (struct gen_piece){
        what, note, (uint8_t)kind, (uint8_t)b->lanes, (uint8_t)b->at, (uint8_t)count, 0xff, b->answer};
    b->at += count;
    b->left -= count;
}

static unsigned units(const struct builder *b) { return (b->lanes + 7) / 8; }

static void plain(struct builder *b, const char *what, unsigned count, const char *note)
{
    registers(b, what, GEN_PIECE_PLAIN, count, note);
}
static void dwords(struct builder *b, const char *what, const char *note)
{
    registers(b, what, GEN_PIECE_DWORDS, units(b), note);
}
static void qwords(struct builder *b, const char *what, const char *note)
{
    registers(b, what, GEN_PIECE_QWORDS, 2 * units(b), note);
}

#define DWORD(n) (1u << (n))
#define ALL_DWORDS 0xffu

/* acts: the dwords that the message takes; the others are ignored. */
static void heading(struct builder *b, const char *what, unsigned acts, const char *note)
{
    const unsigned before = b->n;
    plain(b, what, 1, note);
    if (b->n > before) b->piece[before].acts = (uint8_t)acts;
}

static void header(struct builder *b, unsigned acts, const char *note)
{
    if (!gen_is_lsc(b->x->eu, b->x->sfid) && b->x->desc >> 19 & 1) heading(b, "header", acts, note);
}

/* Of a message to memory without a surface, dword 5 is the base of the address.  Blocks are also compared with the size
 * of the thread's scratch space, dword 3 3:0; scattered messages are not, whatever the manual says.  Source: Mesa,
 * generate_scratch_header in brw_generator.cpp, which names MH_A32_GO and MH1_A32_PSM of the Skylake manual, volume 2d;
 * the manual itself was not looked up. */
static unsigned stateless(const struct builder *b)
{
    const unsigned surface = b->x->desc & 0xff;
    return surface == 0xff || surface == 0xfd ? DWORD(5) : 0;
}
static unsigned stateless_block(const struct builder *b) { return stateless(b) ? DWORD(3) | DWORD(5) : 0; }

static void rest(struct builder *b, const char *what, const char *note) { plain(b, what, b->left, note); }

static const char *const component[4] = {"x", "y", "z", "w"};

/* Adds the components that are not in the mask of absent ones. */
static void components(struct builder *b, unsigned absent)
{
    for (unsigned c = 0; c < 4; c++)
        if (!(absent >> c & 1)) dwords(b, component[c], "");
}

/* ---- Data ports ---- */

#define PIXEL_MASK "dword 7 15:0: mask of channels"

static void addresses(struct builder *b, bool of_64)
{
    if (of_64)
        qwords(b, "addresses", "64 bits");
    else
        dwords(b, "addresses", "in bytes");
}

static void vectors(struct builder *b, const char *what, const char *note)
{
    registers(b, what, GEN_PIECE_VECTORS, 1, note);
}

static void untyped_header(struct builder *b, bool of_channels)
{
    const bool masks = of_channels && b->x->eu->pixel_masks;
    header(b, masks ? DWORD(7) | stateless(b) : ALL_DWORDS, masks ? PIXEL_MASK : "");
}

static void untyped_of(struct builder *b, bool long_addresses)
{
    unsigned simd = b->x->desc >> 12 & 3, absent = b->x->desc >> 8 & 15;
    b->lanes = simd == 2 ? 8 : 16;
    if (!b->answer) {
        untyped_header(b, simd);
        if (simd == 0)
            registers(b, "addresses", GEN_PIECE_PAIR, 1, "in bytes");
        else
            addresses(b, long_addresses);
    }
    if (b->answer == b->writes) return;
    if (simd == 0)
        vectors(b, "x y z w", "four dwords for each of two addresses");
    else
        components(b, absent);
}
static void untyped(struct builder *b) { untyped_of(b, false); }
static void untyped_64(struct builder *b) { untyped_of(b, true); }

/* Number of values that an operation takes in addition to the one in memory. */
static unsigned operands_of(unsigned op) { return op == 5 || op == 6 || op == 15 ? 0 : op == 14 || op == 0 ? 2 : 1; }

static void atomic_operands(struct builder *b, unsigned n, bool wide, bool words)
{
    static const char *const one[1] = {"operand"}, *const two[2] = {"compare with", "new values"};
    for (unsigned i = 0; i < n; i++) {
        const char *what = (n == 2 ? two : one)[i];
        if (words)
            registers(b, what, GEN_PIECE_WORDS, units(b), "low words");
        else if (wide)
            qwords(b, what, "64 bits");
        else
            dwords(b, what, "");
    }
}

static const char *const coordinate[4] = {"u", "v", "r", "lod"};

/* The addresses of an atomic: a dword for each channel; coordinates; no address (a counter). */
enum place { ADDRESSES, COORDINATES, NO_PLACE };

/* two: as two vectors of four; words: with operands of 16 bits. */
static void atomic_of(struct builder *b, enum place place, bool two, bool words)
{
    const unsigned op = b->x->desc >> 8 & 15;
    b->lanes = two || place == COORDINATES || b->x->desc >> 12 & 1 ? 8 : 16;
    if (b->answer) {
        dwords(b, op == 15 ? "new values" : "old values", "");
        return;
    }
    if (place == COORDINATES && !two)
        header(b, DWORD(7), PIXEL_MASK);
    else
        untyped_header(b, !two);
    const unsigned n = operands_of(op), behind = n * units(b);
    for (unsigned c = 0; place == COORDINATES && c < 4 && b->left > behind; c++) dwords(b, coordinate[c], "");
    if (place == ADDRESSES) addresses(b, false);
    atomic_operands(b, n, false, words);
}
static void atomic(struct builder *b) { atomic_of(b, ADDRESSES, false, false); }
static void atomic_4x2(struct builder *b) { atomic_of(b, ADDRESSES, true, false); }
static void atomic_16(struct builder *b) { atomic_of(b, ADDRESSES, false, true); }
static void counter(struct builder *b) { atomic_of(b, NO_PLACE, false, false); }
static void counter_4x2(struct builder *b) { atomic_of(b, NO_PLACE, true, false); }
static void typed_atomic(struct builder *b) { atomic_of(b, COORDINATES, false, false); }

static void atomic_64_of(struct builder *b, bool words)
{
    const unsigned op = b->x->desc >> 8 & 15;
    const bool wide = b->x->desc >> 12 & 1;
    b->lanes = 8;
    if (b->answer) {
        if (wide && !words)
            qwords(b, "old values", "64 bits");
        else
            dwords(b, "old values", "");
        return;
    }
    qwords(b, "addresses", "64 bits");
    atomic_operands(b, operands_of(op), wide, words);
}
static void atomic_64(struct builder *b) { atomic_64_of(b, false); }
static void atomic_64_16(struct builder *b) { atomic_64_of(b, true); }

static void atomic_float_of(struct builder *b, bool of_64, bool halves)
{
    const unsigned op = b->x->desc >> 8 & 15;
    b->lanes = of_64 || b->x->desc >> 12 & 1 ? 8 : 16;
    if (b->answer) {
        dwords(b, "old values", "");
        return;
    }
    untyped_header(b, true);
    addresses(b, of_64);
    atomic_operands(b, op == 3 ? 2 : 1, false, halves);
}
static void atomic_float(struct builder *b) { atomic_float_of(b, false, false); }
static void atomic_half(struct builder *b) { atomic_float_of(b, false, true); }
static void atomic_float_64(struct builder *b) { atomic_float_of(b, true, false); }
static void atomic_half_64(struct builder *b) { atomic_float_of(b, true, true); }

static void typed(struct builder *b)
{
    unsigned absent = b->x->desc >> 8 & 15, values = 4u - (unsigned)__builtin_popcount(absent);
    b->lanes = 8;
    if (!b->answer) {
        header(b, DWORD(7), PIXEL_MASK);
        for (unsigned c = 0; c < 4 && b->left > (b->writes ? values : 0); c++) dwords(b, coordinate[c], "");
    }
    if (b->answer != b->writes) components(b, absent);
}

static unsigned scattered_lanes(const struct builder *b) { return (b->x->desc >> 8 & 3) == 3 ? 16 : 8; }

static void scattered(struct builder *b, bool bytes)
{
    b->lanes = bytes ? b->x->desc >> 8 & 1 ? 16 : 8 : scattered_lanes(b);
    if (!b->answer) {
        header(b, bytes ? ALL_DWORDS : DWORD(2) | stateless(b),
            bytes ? "" : "dword 2: base offset; stateless: dword 5 31:10, base");
        dwords(b, bytes ? "addresses" : "offsets", bytes ? "in bytes" : "in dwords");
    }
    static const char *const wide[4] = {"the low byte of each", "the low word of each", "", ""};
    if (b->answer != b->writes) dwords(b, "data", bytes ? wide[b->x->desc >> 10 & 3] : "");
}

static void byte_scattered(struct builder *b) { scattered(b, true); }
static void dword_scattered(struct builder *b) { scattered(b, false); }

static void qword_scattered(struct builder *b)
{
    b->lanes = scattered_lanes(b);
    if (!b->answer) {
        header(b, ALL_DWORDS, "");
        dwords(b, "addresses", "in bytes");
    }
    if (b->answer != b->writes) qwords(b, "data", "64 bits");
}

static void scattered_64(struct builder *b)
{
    static const char *const element[8] = {
        "element 0", "element 1", "element 2", "element 3", "element 4", "element 5", "element 6", "element 7"};
    unsigned kind = b->x->desc >> 8 & 3, n = kind ? 1u << (b->x->desc >> 10 & 3) : 1;
    b->lanes = b->x->desc >> 12 & 1 ? 16 : 8;
    if (!b->answer) qwords(b, "addresses", "64 bits");
    if (b->answer == b->writes) return;
    for (unsigned i = 0; i < n; i++) {
        if (kind == 2 || (!kind && (b->x->desc >> 10 & 3) == 3))
            qwords(b, kind ? element[i] : "data", kind ? "64 bits" : "eight bytes of each");
        else
            dwords(b, n > 1 ? element[i] : "data", kind ? "" : "the low bytes of each");
    }
}

static void blocks_of(struct builder *b, const char *offset)
{
    if (!b->answer) header(b, DWORD(2) | stateless_block(b), offset);
    unsigned blocks = b->x->desc >> 8 & 7;
    if (b->answer != b->writes)
        rest(b, "block",
            blocks == 0   ? "one oword, in the low half"
            : blocks == 1 ? "one oword, in the high half"
                          : "owords, packed");
}
static void owords(struct builder *b) { blocks_of(b, "dword 2: offset in owords (16 bytes)"); }
static void owords_unaligned(struct builder *b) { blocks_of(b, "dword 2: offset in bytes"); }

static void dual(struct builder *b)
{
    if (!b->answer) {
        header(b, ALL_DWORDS, "copy of r0");
        registers(b, "offsets", GEN_PIECE_PAIR, 1, "of the two blocks, in owords (16 bytes)");
    }
    while (b->answer != b->writes && b->left && b->n < GEN_PIECES)
        vectors(b, "owords", "block 0 in the low half, block 1 in the high half");
}

static void block_64(struct builder *b)
{
    if (!b->answer) header(b, DWORD(0) | DWORD(1), "dwords 0, 1: address of 64 bits");
    if (b->answer != b->writes) rest(b, "block", "packed");
}

static void scratch(struct builder *b)
{
    if (!b->answer) header(b, DWORD(5), "dword 5 31:10: base of the thread's scratch space");
    if (b->answer != b->writes) rest(b, "registers", "");
}

static void media(struct builder *b)
{
    if (!b->answer)
        header(
            b, DWORD(0) | DWORD(1) | DWORD(2), "dwords 0, 1: x in bytes, y; dword 2: 21:16 height - 1, 5:0 width - 1");
    if (b->answer != b->writes) rest(b, "block", "rows, one after another");
}

/* Which registers a message to a render target has beside its colours, by how many there are.  Alpha and depth have a
 * dword for each pixel, oMask a word, so one register; stencil is sent of eight pixels, from Gen9 on.  alpha: whether
 * the extended descriptor has it; -1: it does not say.  false: the number fits several sets. */
static bool extras_of(const struct builder *b, unsigned extra, int alpha, unsigned *set)
{
    enum { ALPHA = 1, MASK = 2, DEPTH = 4, STENCIL = 8 };
    const bool dual = b->lanes == 8 && (b->x->desc >> 8 & 7) != 4,
               stencil = b->lanes == 8 && b->x->eu->computes_stencil;
    unsigned found = 0;
    for (unsigned s = 0; s < 16; s++) {
        const unsigned n = (s & ALPHA ? units(b) : 0) + (s & MASK ? 1 : 0) + (s & DEPTH ? units(b) : 0) +
                           (s & STENCIL ? 1 : 0);
        if (n != extra || (s & STENCIL && !stencil) || (s & ALPHA && dual)) continue;
        if (alpha >= 0 && (s & ALPHA) != (unsigned)alpha) continue;
        *set = s;
        found++;
    }
    return found == 1;
}

/* The order of the payload: Mesa, lower_fb_write_logical_send. */
static void target(struct builder *b)
{
    static const char *const first[4] = {"red", "green", "blue", "alpha"}, *const second[4] = {
                                                                               "red 1", "green 1", "blue 1", "alpha 1"};
    const unsigned kind = b->x->desc >> 8 & 7;
    const bool dual = kind == 2 || kind == 3, replicated = kind == 1,
               halves = b->x->eu->target_halves && b->x->desc >> 30 & 1;
    if (b->answer) return;
    b->lanes = kind <= 1 ? 16 : 8;
    if (b->x->desc >> 19 & 1) {
        const unsigned before = b->n;
        heading(b, "header", DWORD(0) | DWORD(2),
            b->x->eu->computes_stencil
                ? "as r0; dword 0: 11 alpha, 12 oMask, 13 depth, 14 stencil are sent; dword 2: which blend state"
                : "as r0; dword 0: 11 alpha, 12 oMask, 13 depth are sent; dword 2: which blend state");
        heading(b, "header", ALL_DWORDS, "as r1 (channels from 16 on: r2); dword 7 15:0: which pixels are written");
        if (b->n == before) return;
    }
    const unsigned colours = replicated ? 1 : 4 * units(b) * (dual ? 2 : 1);
    int alpha = -1;
    unsigned set;
    if (b->x->eu->target_in_ex_desc && !b->x->ex_desc_is_reg) alpha = (int)(b->x->ex_desc >> 15 & 1);
    if (halves || b->left < colours || !extras_of(b, b->left - colours, alpha, &set)) {
        rest(b, "pixels",
            halves ? "16 bits a component" : "alpha, oMask, colours, depth, stencil: those sent, in this order");
        return;
    }
    if (set & 1) dwords(b, "source 0 alpha", "");
    if (set & 2) registers(b, "oMask", GEN_PIECE_PLAIN, 1, "a word for each pixel");
    if (replicated) plain(b, "colour", 1, "dwords 0 to 3: one for all pixels");
    for (unsigned c = 0; c < 4 && !replicated; c++) dwords(b, first[c], "");
    for (unsigned c = 0; c < 4 && dual; c++) dwords(b, second[c], "second source");
    if (set & 4) dwords(b, "depth", "");
    if (set & 8) registers(b, "stencil", GEN_PIECE_PLAIN, 1, "a byte for each pixel");
}

static void target_read(struct builder *b)
{
    b->lanes = b->x->desc >> 8 & 7 ? 8 : 16;
    if (b->answer)
        components(b, 0);
    else if (b->x->desc >> 19 & 1) {
        heading(b, "header", DWORD(0), "as r0; dword 0 14:11 are 0");
        heading(b, "header", ALL_DWORDS, "as r1: which pixels are read");
    }
}

/* ---- Others ---- */

static void sampler(struct builder *b)
{
    unsigned simd = b->x->desc >> 17 & 3;
    const bool halves = b->x->eu->half_samples;
    b->lanes = simd == 1 ? 8 : 16;
    if (b->answer && halves && b->x->desc >> 30 & 1) {
        rest(b, "answer", "16 bits a component");
        return;
    }
    if (b->answer) {
        if (simd == 0)
            vectors(b, "x y z w", "of two vertices");
        else if (simd < 3)
            components(b, 0);
        return;
    }
    header(b, ALL_DWORDS, "dword 2: 15:12 components left out, 11:0 texel offsets u v r");
    if (halves && b->x->desc >> 29 & 1) {
        rest(b, "parameters", "16 bits each");
        return;
    }
    const char *const *name = b->parameters;
    if (simd == 0) vectors(b, "parameters", "four for each of two vertices, in order");
    for (; simd && simd < 3 && name && *name; name++) dwords(b, *name, "");
}

/* Notes of open and forward: programs of Intel's video driver (intel-vaapi-driver, h264/ildb); of barriers: Mesa,
 * emit_barrier and emit_tcs_barrier, and vISA, generateSingleBarrier. */
static void gateway(struct builder *b)
{
    static const char *const open[8] = {
        "dword 4 15:0: key; dword 5: 28:21 first register, 10:8 how many, 7:0 dispatch id", "",
        "dwords 0 to 3: data; dword 4: 31:16 to which thread, 15:0 key; dword 5: 28:16 offset, 10:8 length"};
    enum { BARRIER = 4, TIME = 3, FORWARD = 2 };
    const struct gen_eu *eu = b->x->eu;
    const unsigned op = b->x->desc & 7;
    if (b->answer)
        rest(b, op == TIME ? "time stamp" : "answer", "");
    else if (op == BARRIER)
        heading(b, "request", DWORD(2), eu->barrier_request);
    else
        heading(b, "request", ALL_DWORDS, !eu->event_gateway && op <= FORWARD ? open[op] : "");
}

static void urb(struct builder *b)
{
    unsigned op = b->x->desc & 15;
    bool more = b->x->eu->long_urb, interleaved = b->x->desc >> (14 + more) & 1;
    if (more && op >= 7) { /* a vertex for each channel */
        b->lanes = 8;
        if (b->answer) {
            while (b->left && b->n < GEN_PIECES) dwords(b, "dwords", "one a channel");
            return;
        }
        dwords(b, "handles", "");
        if (b->x->desc >> 17 & 1) dwords(b, "slot offsets", "");
        if (b->x->desc >> 15 & 1 && op == 7) dwords(b, "channel masks", "bits 23:16");
        while (op == 7 && b->left && b->n < GEN_PIECES) dwords(b, "dwords", "one a channel");
        return;
    }
    op &= 7;
    bool write = op <= 1, slots = b->x->desc >> (16 + more) & 1;
    if (!b->answer)
        plain(b, "header", 1,
            slots ? "dwords 0, 1: handles; 3, 4: slot offsets; dword 5 15:8: channel masks"
                  : "dwords 0, 1: handles; dword 5 15:8: channel masks");
    if (b->answer == write) return;
    if (!interleaved) rest(b, op >= 4 ? "values" : "slots", op >= 4 ? "" : "two of 16 bytes a register");
    while (b->left && b->n < GEN_PIECES) vectors(b, "slot", "low half: entry 0, high half: entry 1");
}

static void interpolator(struct builder *b)
{
    b->lanes = b->x->desc >> 16 & 1 ? 16 : 8;
    if (b->answer) {
        for (unsigned i = 0; i < units(b); i++) {
            unsigned all = b->lanes;
            b->lanes = 8;
            dwords(b, "u", i ? "channels 8 to 15 of the message" : ""),
                dwords(b, "v", i ? "channels 8 to 15 of the message" : "");
            b->lanes = all;
        }
    } else if ((b->x->desc >> 12 & 3) == 3) {
        dwords(b, "offset x", ""), dwords(b, "offset y", "");
    }
}

static void spawner(struct builder *b) { plain(b, "copy of r0", 1, ""); }

static void fence(struct builder *b)
{
    b->answer ? plain(b, "commit", 1, "written when all is done") : plain(b, "header", 1, "copy of r0");
}

/* Components of an LSC message: a dword, or a qword, a channel. */
static void lsc(struct builder *b)
{
    static const char *const element[4] = {"element 0", "element 1", "element 2", "element 3"};
    enum { STRIDED = 1, QUAD = 2, BLOCK = 3, ATOMIC = 8, FENCE = 0x1f, TGM = 13 };
    const uint32_t desc = b->x->desc, op = desc & 63;
    const bool wide = (desc >> 9 & 7) == 3, narrow = (desc >> 9 & 7) < 2, of_64 = (desc >> 7 & 3) == 3;
    const bool moves = op < ATOMIC && (b->answer != b->writes);
    if (op == FENCE) {
        plain(b, b->answer ? "commit" : "payload", 1, b->answer ? "written when all is done" : "no effect");
        return;
    }
    b->lanes = b->x->exec_size > 16 ? 32 : b->x->exec_size;
    if (op < ATOMIC && (op & 3) == BLOCK) {
        if (!b->answer && b->x->sfid == TGM)
            heading(b, "rectangle", DWORD(5) | DWORD(6) | DWORD(7), "dwords 5: x in bytes, 6: y, 7: its shape");
        else if (!b->answer)
            heading(b, "rectangle", ALL_DWORDS, "address, edges and pitch of memory; dwords 5: x, 6: y, 7: its shape");
        if (moves) rest(b, "elements", desc >> 15 & 1 ? "a column after another" : "a row after another");
        return;
    }
    if (!b->answer && op < ATOMIC && (op & 3) == STRIDED)
        heading(
            b, "address", DWORD(0) | DWORD(2) | (of_64 ? DWORD(1) : 0), "dword 2: distance from channel to channel");
    else if (!b->answer && b->x->sfid == TGM)
        for (unsigned c = 0; c < 4 && b->at < (desc >> 25 & 15); c++) dwords(b, coordinate[c], "");
    else if (!b->answer)
        addresses(b, of_64);
    if (op < ATOMIC && (op & 3) != QUAD && desc >> 15 & 1) {
        if (moves) rest(b, "elements", "of one address, side by side");
        return;
    }
    if (moves && narrow) {
        rest(b, "elements", desc >> 9 & 1 ? "16 bits each, without gaps" : "8 bits each, without gaps");
        return;
    }
    const unsigned n = op >= ATOMIC ? 2 : (op & 3) == QUAD ? (unsigned)__builtin_popcount(desc >> 12 & 15) : 4;
    for (unsigned i = 0; (b->answer != b->writes || op >= ATOMIC) && i < n; i++) {
        const char *what = op < ATOMIC ? element[i] : b->answer ? "old values" : i ? "new values" : "operand";
        wide ? qwords(b, what, "64 bits") : dwords(b, what, "");
    }
}

static void no_layout(struct builder *b) { (void)b; }

/* ---- By message ---- */

static void (*const payload_of[])(struct builder *) = {
#define FORMAT(...)
#define FIELD(...)
#define END
#define MESSAGE(gens, sfid, mask, match, layout, does, run, payload, parameters, mesa, text) payload,
#define WORD(...) no_layout,
#include "code/messages.def"
};

static void lay(struct builder *b, const struct gen_request *m)
{
    if (m) payload_of[gen_request_row(m)](b);
    rest(b, b->at ? "more" : b->answer ? "answer" : "payload", b->at ? "beyond what the message takes" : "");
}

unsigned gen_message_pieces(const struct gen_insn *x, struct gen_piece piece[GEN_PIECES])
{
    unsigned sent, more, back;
    if (!gen_message_lengths(x, &sent, &more, &back)) return 0;
    const struct gen_request *m = gen_request_of(x->eu, x->sfid, x->desc);
    struct builder b = {.x = x, .piece = piece, .left = sent + more, .lanes = 8};
    b.writes = m && m->does == GPUDBG_OP_STORE;
    b.parameters = m ? m->parameters : NULL;
    lay(&b, m);
    b.answer = true;
    b.at = 0;
    b.left = back;
    lay(&b, m);
    return b.n;
}
