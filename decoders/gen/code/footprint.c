/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * footprint.c: the regions of an instruction's operands, element by element.
 *
 * Sources: Ivy Bridge manual, volume 4 part 3: 3.3.5 Region Parameters (the two-dimensional region), 3.3.3.4 Address
 * Register (indirect, an address a row), 1.3 (doubles of Ivy Bridge: pairs of channels, everything counted in dwords).
 */
#include "code/footprint.h"
#include <stdio.h>
#include <string.h>
#include "code/gen_decoder.h"
#include "code/message_layout.h"
#include "code/predicate.h"
#include "gpudbg/unset.h"

static void take_register(struct gen_operand *o)
{
    if (o->mme == 255) return;
    o->sub = 0;
    if (!o->align16) return;
    o->align16 = o->rep = false;
    o->vstride = o->width = o->hstride = 1;
}

void gen_take_registers(struct gen_insn *insn)
{
    if (!gen_is_macro(insn)) return;
    insn->align16 = false;
    take_register(&insn->dst);
    for (unsigned i = 0; i < insn->nsrc; i++) take_register(&insn->src[i]);
}

unsigned gen_registers(const struct gen_eu *eu) { return eu->large_grf ? 256 : 128; }

unsigned gen_register_bytes(const struct gen_eu *eu, unsigned file)
{
    return file < GEN_FILES ? eu->isa.files[file].bits / 8u : 32;
}

int32_t gen_origin(const struct gen_eu *eu, const struct gen_operand *o)
{
    return (int32_t)(o->reg * gen_register_bytes(eu, o->file) + o->sub);
}

unsigned gen_element_size(const struct gen_eu *eu, const struct gen_operand *o)
{
    return eu->paired_doubles && o->type == GEN_DF ? 4 : gen_type_size[o->type];
}

/* Swizzles choose dwords.  A double has two dwords, so four channels of doubles fill two rows of two doubles each; they
 * follow each other whatever the stride is, unless it is 0. */
static int32_t align16_offset(const struct gen_operand *o, unsigned i, unsigned size, unsigned half)
{
    if (size == 8) {
        unsigned pick = o->swizzle >> 2 * (2 * (i % 2) + half) & 3;
        return (int32_t)(i / 2 * (o->vstride ? 16 : 0) + pick * 4);
    }
    return (int32_t)(i / 4 * o->vstride * size + (o->swizzle >> 2 * (i % 4) & 3) * size);
}

int32_t gen_source_offset(const struct gen_operand *o, unsigned i, unsigned size)
{
    if (o->rep) return 0;
    if (o->align16) return align16_offset(o, i, size, 0);
    unsigned width = o->width && o->width != GEN_RESERVED ? o->width : 1;
    unsigned row = i / width, column = i % width;
    return (int32_t)(((o->vx ? 0 : row * o->vstride) + column * o->hstride) * size);
}

/* ---- One footprint ---- */

struct drawing {
    const struct gpudbg_insn *insn;
    const struct gen_insn *x;
    const struct gen_insn *coded; /* the same as the code has it, for text: see gen_take_registers */
    struct gpudbg_wave *wave;     /* or NULL */
    const uint16_t *a0;           /* its address words, or NULL */
    uint32_t runs;                /* channels of the thread that execute and pass the predicate */
    struct gpudbg_footprint *out;
    unsigned n, most;
    bool mute; /* text and note are not wanted */
};

#define SAY(d, to, ...) ((d)->mute ? 0 : snprintf(to, sizeof(to), __VA_ARGS__))

static void add(struct gpudbg_footprint *f, int32_t at, unsigned size, int lane, bool off)
{
    if (f->n < GPUDBG_ELEMENTS)
        f->element[f->n++] = (struct gpudbg_element){at, (uint8_t)size, false, (int16_t)lane, off};
}

static struct gpudbg_footprint *begin(
    struct drawing *d, const char *role, const struct gen_operand *o, bool destination)
{
    char text[TEXT_OPERAND * 2];
    if (d->n == d->most) return NULL;
    struct gpudbg_footprint *f = &d->out[d->n++];
    memset(f, 0, offsetof(struct gpudbg_footprint, element));
    f->role = role;
    f->type = "";
    if (!o) return f;
    f->file = o->mode == GEN_INDIRECT ? GEN_GRF : o->file; /* addresses are of general registers */
    f->type = gen_type_name[o->type];
    f->size = (uint8_t)gen_element_size(d->x->eu, o);
    if (d->mute) return f;
    if (o >= d->x->src && o < d->x->src + 3)
        o = &d->coded->src[o - d->x->src];
    else if (o == &d->x->dst)
        o = &d->coded->dst;
    *gen_prm_operand(text, d->coded, o, destination) = 0;
    size_t n = strlen(text) < sizeof f->text ? strlen(text) : sizeof f->text - 1;
    memcpy(f->text, text, n);
    f->text[n] = 0;
    return f;
}

static bool off(const struct drawing *d, unsigned lane) { return lane < 32 && !(d->runs >> lane & 1); }

/* The address of an indirect operand's row; false: no thread runs, or a0 has no such word. */
static bool address(const struct drawing *d, const struct gen_operand *o, unsigned row, int32_t *at)
{
    unsigned words = d->x->eu->address_words, word = o->addr_sub + (o->vx ? row : 0);
    if (!d->a0 || word >= words) return false;
    *at = (int32_t)(d->a0[word] & d->x->eu->address_mask) + o->addr_imm;
    return true;
}

/* Notes of an operand without elements; false: the operand has elements. */
static bool without_elements(const struct drawing *d, const struct gen_operand *o, struct gpudbg_footprint *f)
{
    if (o->mode == GEN_IMMEDIATE) {
        SAY(d, f->note, "%s",
            o->type == GEN_V || o->type == GEN_UV ? "eight constants of four bits, on word positions"
            : o->type == GEN_VF                   ? "four small floats, repeated"
                                                  : "a constant, the same for all channels");
    } else if (o->mode == GEN_INDIRECT && !d->a0) {
        SAY(d, f->note, "the address in a0.%u is known only while a thread runs", o->addr_sub);
    } else if (o->file == GEN_NULL && o->mode == GEN_DIRECT) {
        SAY(d, f->note, "no register");
    } else if (o->file == GEN_NOFILE) {
        SAY(d, f->note, "no register has this number");
    } else if (o->type == GEN_BADTYPE ||
               (!o->align16 && !o->rep &&
                   (o->hstride == GEN_RESERVED || (o->vstride == GEN_RESERVED && !o->vx) ||
                       o->width == GEN_RESERVED)) ||
               (o->align16 && o->vstride == GEN_RESERVED)) {
        SAY(d, f->note, "a reserved %s: no elements", o->type == GEN_BADTYPE ? "type" : "region");
    } else {
        return false;
    }
    return true;
}

static void describe_source(const struct drawing *d, const struct gen_operand *o, struct gpudbg_footprint *f)
{
    unsigned exec = d->x->exec_size, rows, step;
    if (d->x->eu->paired_doubles && o->type == GEN_DF) {
        SAY(d, f->note, "Ivy Bridge: a double takes two channels, its region counts dwords");
    } else if (o->rep) {
        SAY(d, f->note, "replicated: all channels read it");
    } else if (o->align16) {
        SAY(d, f->note, "%s", o->vstride ? "a vector for each four channels" : "one vector for all channels");
    } else if (o->vx) {
        if (o->width == 1)
            SAY(d, f->note, "an address for each channel, a0.%u on", o->addr_sub);
        else
            SAY(d, f->note, "an address for each row of %u, a0.%u on", o->width, o->addr_sub);
    } else if (!o->vstride && !o->hstride) {
        SAY(d, f->note, "one element: all channels read it");
    } else if (o->width > 1 && (rows = exec / o->width) > 1 && o->vstride != o->width * o->hstride) {
        SAY(d, f->note, "%u rows of %u%s", rows, o->width, o->vstride ? "" : ", all the same");
    } else if ((step = o->width > 1 ? o->hstride : o->vstride) > 1) {
        SAY(d, f->note, step == 2 ? "every second element" : "every %uth element", step);
    }
}

/* Further elements of a source that an operation reads for each channel: bytes after the channel's element; -1 ends
 * them. */
static const int8_t *also(const struct gen_insn *x, unsigned source)
{
    static const int8_t line[] = {12, -1}, plane[] = {4, 12, -1}, none[] = {-1};
    if (source == 0 && GEN_IS(x->op, LINE)) return line;
    if (source == 0 && GEN_IS(x->op, PLANE)) return plane;
    return none;
}

/* pln: u and v are in alternating registers, eight channels each. */
static bool draw_plane(const struct drawing *d, const struct gen_operand *o, struct gpudbg_footprint *f)
{
    int32_t origin = gen_origin(d->x->eu, o);
    if (o->mode != GEN_DIRECT) return false;
    for (unsigned i = 0; i < d->x->exec_size; i++)
        for (unsigned v = 0; v < 2; v++)
            add(f, origin + (int32_t)(i / 8 * 64 + v * 32 + i % 8 * 4), 4, (int)(d->x->chan_off + i),
                off(d, d->x->chan_off + i));
    SAY(d, f->note, "u and v, a register each, for every eight channels");
    return true;
}

static void draw_source(struct drawing *d, unsigned k)
{
    static const char *const roles[] = {"src0", "src1", "src2"};
    const struct gen_operand *o = &d->x->src[k];
    struct gpudbg_footprint *f = o->mode == GEN_ABSENT ? NULL : begin(d, roles[k], o, false);
    if (!f || without_elements(d, o, f)) return;
    if (k == 1 && GEN_IS(d->x->op, PLANE) && draw_plane(d, o, f)) return;
    unsigned size = f->size, width = o->width ? o->width : 1, parts = gen_components(d->x->op, k);
    describe_source(d, o, f);
    bool scalar = d->x->shape == GEN_JUMP || d->x->shape == GEN_RET || d->x->shape == GEN_WAIT ||
                  d->x->shape == GEN_SYNC;
    for (unsigned i = 0; i < (scalar ? 1u : d->x->exec_size); i++) {
        int32_t base = 0;
        unsigned lane = d->x->chan_off + i;
        if (o->mode == GEN_DIRECT)
            base = gen_origin(d->x->eu, o);
        else if (!address(d, o, i / width, &base)) {
            SAY(d, f->note, "a0.%u and up: there is no such address word", o->addr_sub + i / width);
            return;
        }
        bool is_off = off(d, lane);
        if (o->align16 && size == 8 && !o->rep) { /* two dwords, each at the place that its swizzle gives */
            int32_t low = align16_offset(o, i, 8, 0), high = align16_offset(o, i, 8, 1);
            if (high == low + 4)
                add(f, base + low, 8, (int)lane, is_off);
            else
                add(f, base + low, 4, (int)lane, is_off), add(f, base + high, 4, (int)lane, is_off);
            continue;
        }
        if (parts && o->align16) {
            for (unsigned c = 0; c < parts; c++)
                add(f, base + gen_source_offset(o, i / 4 * 4 + c, size), size, (int)lane, is_off);
            continue;
        }
        int32_t at = base + gen_source_offset(o, i, size);
        add(f, at, size, (int)lane, is_off);
        for (const int8_t *more = also(d->x, k); *more >= 0; more++) add(f, at + *more, size, (int)lane, is_off);
    }
}

static void draw_destination(struct drawing *d)
{
    const struct gen_operand *o = &d->x->dst;
    struct gpudbg_footprint *f = o->mode == GEN_ABSENT ? NULL : begin(d, "dst", o, true);
    int32_t base = 0;
    if (!f) return;
    if (o->mode == GEN_IMMEDIATE || (o->mode == GEN_INDIRECT && !d->a0) || o->file == GEN_NULL ||
        o->file == GEN_NOFILE || o->type == GEN_BADTYPE) {
        without_elements(d, o, f);
        if (o->file == GEN_NULL && o->mode == GEN_DIRECT) SAY(d, f->note, "nothing is written");
        return;
    }
    unsigned size = f->size, stride = o->align16 ? 1 : o->hstride;
    if (stride == 0 || stride == GEN_RESERVED) stride = 1;
    if (o->mode == GEN_DIRECT)
        base = gen_origin(d->x->eu, o);
    else if (!address(d, o, 0, &base))
        return;
    bool pairs = GEN_IS(d->x->op, PAIRS);
    bool scalar = d->x->shape == GEN_CALL; /* the return address, and the calling channels */
    unsigned n = scalar ? 2 : d->x->exec_size;
    for (unsigned i = 0; i < n; i++) {
        unsigned lane = d->x->chan_off + i;
        bool written = (!o->align16 || o->chan_en >> i % 4 & 1) && !(pairs && i % 2);
        add(f, base + (int32_t)(i * stride * size), size, scalar ? -1 : (int)lane,
            !scalar && (off(d, lane) || !written));
    }
    if (d->x->shape == GEN_MATH && d->x->func == 0xb) { /* quotient, then remainder in the registers after it */
        int32_t behind = (int32_t)((n * stride * size + 31) / 32 * 32);
        for (unsigned i = 0; i < n; i++)
            add(f, base + behind + (int32_t)(i * stride * size), size, (int)(d->x->chan_off + i),
                off(d, d->x->chan_off + i));
        SAY(d, f->note, "quotients, then remainders");
    } else if (pairs) {
        SAY(d, f->note, "a sum for each two channels, in the first of them");
    } else if (o->align16 && o->chan_en != 15) {
        SAY(d, f->note, "of each four channels only .%s%s%s%s are written", o->chan_en & 1 ? "x" : "",
            o->chan_en & 2 ? "y" : "", o->chan_en & 4 ? "z" : "", o->chan_en & 8 ? "w" : "");
    }
}

/* ---- Messages: registers by what they mean ---- */

/* The first byte of register n of the payload or the answer; false: not known. */
static bool message_register(const struct drawing *d, const struct gen_operand *o, unsigned n, int32_t *at)
{
    if (o->mode == GEN_INDIRECT && !address(d, o, 0, at)) return false;
    if (o->mode == GEN_DIRECT) *at = o->reg * 32;
    *at += (int32_t)(32 * n);
    return o->mode == GEN_DIRECT || o->mode == GEN_INDIRECT;
}

/* The byte of channel i in a piece that begins at byte 0. */
static int32_t channel_at(const struct gen_piece *p, unsigned i)
{
    return (int32_t)(i * (p->kind == GEN_PIECE_QWORDS ? 8 : 4));
}

/* Pieces of a payload, by the names that message_layout.c gives them, whose values go to memory or to a pixel. */
static bool is_stored(const char *what)
{
    static const char *const stored[] = {"data", "block", "elements", "registers", "owords", "x y z w", "x", "y", "z",
        "w", "values", "red", "green", "blue", "alpha", "red 1", "green 1", "blue 1", "alpha 1", "colour", NULL};
    for (const char *const *s = stored; *s; s++)
        if (strcmp(what, *s) == 0) return true;
    return strncmp(what, "element ", 8) == 0;
}

/* One register after another, because a payload may be in two places. */
static void draw_elements(
    struct drawing *d, const struct gen_piece *p, struct gpudbg_footprint *f, int32_t at, unsigned n)
{
    unsigned chan = d->x->chan_off, running = d->x->exec_size;
    if (p->kind == GEN_PIECE_PLAIN || p->kind == GEN_PIECE_PAIR || p->kind == GEN_PIECE_VECTORS) {
        for (unsigned i = 0; i < 8; i++) {
            if (p->kind == GEN_PIECE_PAIR && i % 4) continue;
            add(f, at + (int32_t)(4 * i), 4, -1, false);
            if (f->n) f->element[f->n - 1].ignored = !(p->acts >> i & 1);
        }
        return;
    }
    for (unsigned i = 0; i < p->lanes; i++) {
        int32_t byte = channel_at(p, i) - (int32_t)(32 * n);
        if (byte < 0 || byte >= 32) continue;
        unsigned size = p->kind == GEN_PIECE_QWORDS ? 8 : p->kind == GEN_PIECE_WORDS ? 2 : 4;
        add(f, at + byte, size, (int)(chan + i), i >= running || off(d, chan + i));
    }
}

static void draw_piece(struct drawing *d, const struct gen_piece *p, unsigned sent)
{
    struct gpudbg_footprint *f = NULL;
    for (unsigned n = 0; n < p->count; n++) {
        unsigned reg = p->at + n;
        bool second = !p->answer && reg >= sent;
        const struct gen_operand *o = p->answer ? &d->x->dst : &d->x->src[second];
        const char *role = p->answer ? "dst" : second ? "src1" : "src0";
        int32_t at = 0;
        if (!message_register(d, o, second ? reg - sent : reg, &at)) return;
        if (!f || strcmp(f->role, role)) { /* a piece may begin in one operand and end in the other */
            f = begin(d, role, o, p->answer);
            if (!f) return;
            f->part = p->what;
            f->stored = !p->answer && is_stored(p->what);
            f->size = p->kind == GEN_PIECE_QWORDS ? 8 : p->kind == GEN_PIECE_WORDS ? 2 : 4;
            if (p->count - n > 1 && (second || p->answer || p->at + p->count <= sent))
                SAY(d, f->text, "r%d-r%d", at / 32, at / 32 + (int)(p->count - n) - 1);
            else
                SAY(d, f->text, "r%d", at / 32);
            SAY(d, f->note, "%s", p->note);
        }
        draw_elements(d, p, f, at, n);
    }
}

/* An operand of a message that has no registers, or an unknown number. */
static void draw_nothing(struct drawing *d, const char *role, const struct gen_operand *o, bool known)
{
    struct gpudbg_footprint *f = o->mode == GEN_ABSENT ? NULL : begin(d, role, o, o == &d->x->dst);
    if (!f) return;
    f->size = 4;
    SAY(d, f->note, "%s",
        !known               ? "the number of registers is in a0, known only while a thread runs"
        : o == &d->x->dst    ? "nothing comes back"
        : o == &d->x->src[0] ? "nothing is sent"
                             : "no second payload");
}

static void draw_message(struct drawing *d)
{
    unsigned sent = 0, more = 0, back = 0;
    struct gen_insn live = *d->x;
    if (d->a0 && live.desc_is_reg && live.desc_reg < 15) {
        live.desc = d->a0[live.desc_reg] | (uint32_t)d->a0[live.desc_reg + 1] << 16;
        live.desc_is_reg = false;
    }
    if (d->a0 && live.ex_desc_is_reg && !live.ex_bso && live.ex_desc_reg < 15) {
        live.ex_desc = d->a0[live.ex_desc_reg] | (uint32_t)d->a0[live.ex_desc_reg + 1] << 16;
        live.ex_desc_is_reg = false;
    }
    struct gen_piece piece[GEN_PIECES];
    bool known = gen_message_lengths(&live, &sent, &more, &back);
    unsigned n = known ? gen_message_pieces(&live, piece) : 0;
    for (unsigned i = 0; i < n; i++)
        if (piece[i].answer) draw_piece(d, &piece[i], sent);
    if (!known || !back) draw_nothing(d, "dst", &d->x->dst, known);
    if (!known || !sent) draw_nothing(d, "src0", &d->x->src[0], known);
    for (unsigned i = 0; i < n; i++)
        if (!piece[i].answer) draw_piece(d, &piece[i], sent);
    if (gen_is_split(d->x) && (!known || !more)) draw_nothing(d, "src1", &d->x->src[1], known);
}

/* A product of matrices: all of its operands, in dwords; of the result, each channel its own. */
static void draw_matrix(struct drawing *d, int k)
{
    static const char *const roles[] = {"dst", "src0", "src1", "src2"};
    const struct gen_operand *o = k < 0 ? &d->x->dst : &d->x->src[k];
    struct gpudbg_footprint *f = o->file == GEN_GRF ? begin(d, roles[k + 1], o, k < 0) : NULL;
    if (!f) return;
    f->size = 4;
    const unsigned size = k < 1 ? gen_type_size[o->type] : 4, lanes = d->x->exec_size;
    for (unsigned at = 0; at < gen_systolic_bytes(d->x, k); at += size) {
        const int lane = k < 1 ? (int)(d->x->chan_off + at / size % lanes) : -1;
        add(f, (int32_t)(32u * o->reg + o->sub + at), size, lane, lane >= 0 && off(d, (unsigned)lane));
    }
}

/* ---- All of them ---- */

/* Channels of the thread that pass the predicate. */
static uint32_t passing(const struct gen_insn *x, const uint32_t flags[2])
{
    uint32_t pass = gen_predicate(x, flags), lanes = 0;
    unsigned step = gen_channel_step(x);
    for (unsigned i = 0; i < x->exec_size && x->chan_off + i < 32; i++)
        lanes |= (pass >> i / step & 1) << (x->chan_off + i);
    return lanes;
}

static void draw_mask(struct drawing *d, uint32_t executes, const uint32_t *flags)
{
    struct gpudbg_footprint *f = d->x->pred || d->wave ? begin(d, "mask", NULL, false) : NULL;
    char bits[40];
    if (!f) return;
    const char *pred = gen_pred_name(d->x);
    if (d->x->pred)
        SAY(d, f->text, "(%sf%u.%u%s%s)", d->x->pred_inv ? "-" : "", d->x->flag_reg, d->x->flag_sub,
            pred && *pred ? "." : "", pred ? pred : "?");
    else
        SAY(d, f->text, "%s", d->x->no_mask ? "NoMask" : "execution mask");
    if (!d->wave) SAY(d, f->note, "known only while a thread runs");
    if (!d->wave || d->mute) return;
    unsigned n = d->x->exec_size < 32 ? d->x->exec_size : 32, at = 0;
    uint32_t passes = passing(d->x, flags);
    for (unsigned i = 0; i < n && d->x->chan_off + i < 32; i++) {
        unsigned lane = d->x->chan_off + i;
        bits[at++] = !(executes >> lane & 1) ? '.' : passes >> lane & 1 ? '#' : '-';
    }
    bits[at] = 0;
    SAY(d, f->note, "channels %u on: %s%s", d->x->chan_off, bits, strchr(bits, '.') ? "  (. does not execute)" : "");
}

static unsigned draw(
    const struct gpudbg_insn *insn, struct gpudbg_wave *wave, struct gpudbg_footprint *out, unsigned most, bool mute)
{
    struct gen_insn x, coded GPUDBG_UNSET;
    if (!insn->op) return 0;
    gen_unpack(insn, &x);
    if (!mute) coded = x;
    gen_take_registers(&x);
    struct drawing d = {
        .insn = insn, .x = &x, .coded = &coded, .out = out, .most = most, .mute = mute, .runs = UINT32_MAX};
    const struct gpudbg_runner *run = insn->isa->run;
    uint32_t flags[2] = {0, 0}, executes = UINT32_MAX;
    if (wave && run) {
        const uint32_t *a0 = run->reg(wave, GEN_A0, 0), *f0 = run->reg(wave, GEN_F, 0), *f1 = run->reg(wave, GEN_F, 1);
        d.wave = wave;
        d.a0 = (const uint16_t *)(const void *)a0;
        flags[0] = f0 ? *f0 : 0;
        flags[1] = f1 ? *f1 : 0;
        executes = x.no_mask ? UINT32_MAX : (uint32_t)run->active(wave);
        d.runs = executes & (GEN_IS(x.op, BY_FLAG) ? UINT32_MAX : passing(&x, flags));
    }
    if (x.shape == GEN_SEND) {
        draw_message(&d);
    } else if (x.shape == GEN_DPAS) {
        for (int k = -1; k < 3; k++) draw_matrix(&d, k);
    } else {
        draw_destination(&d);
        for (unsigned k = 0; k < 3; k++) draw_source(&d, k);
    }
    if (d.n) draw_mask(&d, executes, flags);
    return d.n;
}

unsigned gen_footprints(
    const struct gpudbg_insn *insn, struct gpudbg_wave *wave, struct gpudbg_footprint *out, unsigned most)
{
    return draw(insn, wave, out, most, false);
}

unsigned gen_elements(
    const struct gpudbg_insn *insn, struct gpudbg_wave *wave, struct gpudbg_footprint *out, unsigned most)
{
    return draw(insn, wave, out, most, true);
}
