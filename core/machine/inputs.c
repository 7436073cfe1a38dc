/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/inputs.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"

#define BYTES_MOST 64  /* of a result in memory that are compared */
#define OTHER_ROUNDS 8 /* contents that are tried in registers that are not listed */

struct inquiry {
    struct trial *t;
    struct gpudbg_wave *w;
    const struct gpudbg_insn *insn;
    const struct input_result *of;
    /* What it does when nothing is changed. */
    uint32_t words[TOUCH_MOST];
    uint8_t bytes[BYTES_MOST];
    uint64_t running, pc; /* behind it */
    struct trial_access *access;
    size_t naccess;
    char fault[400]; /* why it cannot be executed: names the address; "": it can */
    uint64_t lanes;  /* that the result is of; all, if nobody knows */
    int bit;         /* the result is this bit of a register; -1: it is more */
    bool over;       /* what stood in the result before is no input: trials start with something else there */
    struct insn_input *to;
    size_t n;
    bool named; /* the operand names this register, not only its file or one beside it */
    /* Registers that make no difference one by one. */
    struct insn_input skipped[INPUTS_MOST];
    struct touch_set bits; /* theirs */
    size_t nskipped;
};

/* ---- Trying out ---- */

/* The bytes that were stored to the result; false: some of them were not. */
static bool stored(const struct trial *t, const struct input_result *of, uint8_t *bytes)
{
    const uint64_t size = of->size < BYTES_MOST ? of->size : BYTES_MOST;
    uint64_t have = 0;
    memset(bytes, 0, BYTES_MOST);
    for (size_t i = 0; i < t->naccess; i++) {
        const struct trial_access *a = &t->access[i];
        if (!a->write || !a->after || a->space != of->space) continue;
        for (uint64_t k = 0; k < size; k++) {
            if (of->addr + k < a->addr || of->addr + k - a->addr >= a->size) continue;
            bytes[k] = a->after[of->addr + k - a->addr];
            have |= UINT64_C(1) << k;
        }
    }
    return have == (size < 64 ? (UINT64_C(1) << size) - 1 : UINT64_MAX);
}

static bool same_accesses(const struct inquiry *q)
{
    if (q->t->naccess != q->naccess) return false;
    for (size_t i = 0; i < q->naccess; i++) {
        const struct trial_access *a = &q->t->access[i], *b = &q->access[i];
        if (a->space != b->space || a->addr != b->addr || a->size != b->size || a->write != b->write) return false;
    }
    return true;
}

/* The lanes that run behind what was tried out. */
static uint64_t running_after(const struct trial *t)
{
    return t->wave.state == GPUDBG_ENDED ? 0 : t->machine->isa->run->active(&t->wave);
}

static bool same_result(const struct inquiry *q)
{
    uint8_t bytes[BYTES_MOST];
    const struct touch_set *set = q->of->set;
    if (q->of->address) return true;
    if (q->of->active && q->t->wave.pc != q->pc) return true; /* other lanes took the wave elsewhere */
    if (q->of->active) return !((running_after(q->t) ^ q->running) >> q->of->lane & 1);
    if (!set) return stored(q->t, q->of, bytes) && memcmp(bytes, q->bytes, sizeof bytes) == 0;
    for (size_t i = 0; i < set->n; i++)
        if ((q->t->wave.words[set->bit[i].at] ^ q->words[i]) & set->bit[i].bits) return false;
    return true;
}

enum effect { NO_EFFECT, ON_VALUE, ON_ADDRESS };

static enum effect outcome(const struct inquiry *q, bool ran)
{
    if (*q->fault) return ran || strcmp(q->t->fault, q->fault) != 0 ? ON_ADDRESS : NO_EFFECT;
    if (!ran || !same_accesses(q)) return ON_ADDRESS;
    return same_result(q) ? NO_EFFECT : ON_VALUE;
}

/* What comes of other bits there, tried in several ways. */
static enum effect effect_of(const struct inquiry *q, const struct trial_bits *bits, size_t n)
{
    static const uint32_t pattern[] = {UINT32_MAX, 1, 0x80000000, 0x00800100, 0x5a5a5a5a, 0xa5a5a5a5};
    enum effect most = NO_EFFECT;
    struct trial_bits flip[2 + TOUCH_MOST];
    const size_t patterns = sizeof pattern / sizeof *pattern;
    for (size_t p = 0; p <= patterns && most != ON_ADDRESS; p++) {
        bool any = false;
        size_t k = 0;
        for (; k < n && k < 2; k++) {
            const uint32_t turned = p < patterns ? pattern[p] : q->w->words[bits[k].at]; /* the last: to 0 */
            flip[k] = (struct trial_bits){bits[k].at, bits[k].bits & turned};
            any |= flip[k].bits != 0;
        }
        if (!any) continue;
        for (size_t i = 0; q->over && i < q->of->set->n; i++) flip[k++] = q->of->set->bit[i];
        const enum effect e = outcome(q, trial_run(q->t, q->w, q->insn, flip, k));
        if (e > most) most = e;
    }
    return most;
}

static enum effect effect_of_memory(const struct inquiry *q, unsigned space, uint64_t addr, uint32_t size)
{
    static const uint8_t pattern[] = {0xff, 0x01, 0x80, 0x5a};
    struct gpudbg_segment *s = gpudbg_mem_find(q->w, space, addr, size);
    enum effect most = NO_EFFECT;
    for (size_t p = 0; s && p < sizeof pattern && most == NO_EFFECT; p++) {
        uint8_t *bytes = s->bytes + (addr - s->base);
        for (uint32_t i = 0; i < size; i++) bytes[i] ^= pattern[p];
        most = outcome(q, trial_run(q->t, q->w, q->insn, NULL, 0));
        for (uint32_t i = 0; i < size; i++) bytes[i] ^= pattern[p];
    }
    return most;
}

/* ---- Registers ---- */

static bool same_register(const struct insn_input *a, const struct insn_input *b)
{
    return b->is_register && a->file == b->file && a->reg == b->reg && a->lane == b->lane && a->first == b->first &&
           a->shift == b->shift && a->bits == b->bits;
}

/* sure: it counts whether or not a trial shows it. */
static void add_register(struct inquiry *q, struct insn_input in, bool sure)
{
    const struct gpudbg_regfile *file = &q->w->machine->isa->files[in.file];
    struct touch_set set = {0};
    const unsigned dwords = in.bits ? 1 : file->lanes > 1 ? 1 : (file->bits + 31u) / 32;
    in.is_register = true;
    for (size_t i = 0; i < q->n; i++)
        if (same_register(&in, &q->to[i])) return;
    for (unsigned d = 0; d < dwords; d++) {
        const unsigned at = file->lanes > 1 ? (unsigned)in.lane : in.first + d;
        const uint32_t bits = in.mask_bit               ? (in.lane / 32 == (int)d ? UINT32_C(1) << (in.lane & 31) : 0)
                              : in.bits && in.bits < 32 ? ((UINT32_C(1) << in.bits) - 1) << in.shift
                              : file->bits < 32         ? (UINT32_C(1) << file->bits) - 1
                                                        : UINT32_MAX;
        if (bits && !touch_add(&set, q->w, in.file, in.reg, at, bits)) {
            if (q->named && q->n < INPUTS_MOST) q->to[q->n++] = in; /* it follows from the launch: nobody can flip it */
            return;
        }
    }
    const bool tries = !sure || q->naccess || q->of->address;
    const enum effect e = tries ? effect_of(q, set.bit, set.n) : ON_VALUE;
    if (e == NO_EFFECT && q->nskipped < INPUTS_MOST && q->bits.n + set.n <= TOUCH_MOST) {
        q->skipped[q->nskipped++] = in;
        memcpy(q->bits.bit + q->bits.n, set.bit, set.n * sizeof *set.bit);
        q->bits.n += set.n;
    }
    if (e == NO_EFFECT || q->n == INPUTS_MOST) return;
    in.role = in.mask_bit ? INPUT_CHOICE : e == ON_ADDRESS ? INPUT_ADDRESS : INPUT_VALUE;
    q->to[q->n++] = in;
}

/* Of a register with a bit for each lane (a half of a pair, a flag register, a mask) only one bit may matter: that of
 * the lane that is asked about, or the one at the place of the result's bit.  false: all of it does, or nothing. */
static bool ask_bit(struct inquiry *q, unsigned file, unsigned reg)
{
    const struct gpudbg_regfile *f = &q->w->machine->isa->files[file];
    const bool one_lane = q->lanes && !(q->lanes & (q->lanes - 1));
    if (f->lanes > 1 || f->bits > 64 || (!one_lane && q->bit < 0)) return false;
    const unsigned at = one_lane ? (unsigned)__builtin_ctzll(q->lanes) : (unsigned)q->bit;
    const unsigned candidate[] = {at, at % 32, 32 + at % 32, 16 + at % 16};
    /* Without lanes only a bit at the place of the result's is one of its own: s_bfe takes any other as a number. */
    const bool laned = f->mask || q->insn->op->flags & GPUDBG_OP_VECTOR || q->w->machine->isa->regions.footprints;
    for (size_t i = 0; i < (laned ? sizeof candidate / sizeof *candidate : 1); i++) {
        struct touch_set one = {0}, others = {0};
        bool good = candidate[i] < f->bits;
        for (unsigned d = 0; good && d < (f->bits + 31u) / 32; d++) {
            const uint32_t all = f->bits < 32 ? (UINT32_C(1) << f->bits) - 1 : UINT32_MAX;
            const uint32_t bit = candidate[i] / 32 == d ? UINT32_C(1) << candidate[i] % 32 : 0;
            if (bit) good = touch_add(&one, q->w, file, reg, d, bit);
            good = good && touch_add(&others, q->w, file, reg, d, all & ~bit);
        }
        if (!good || effect_of(q, one.bit, one.n) == NO_EFFECT || effect_of(q, others.bit, others.n) != NO_EFFECT)
            continue;
        struct insn_input in = {.is_register = true, .role = INPUT_CHOICE, .file = file, .reg = reg, .lane = -1};
        if (f->mask) {
            in.lane = (int)candidate[i];
            in.mask_bit = true;
        } else {
            in.first = (uint8_t)(candidate[i] / 32);
            in.shift = (uint8_t)(candidate[i] % 32);
            in.bits = 1;
        }
        for (size_t k = 0; k < q->n; k++)
            if (same_register(&in, &q->to[k])) return true;
        if (q->n < INPUTS_MOST) q->to[q->n++] = in;
        return true;
    }
    return false;
}

/* One register of an operand. */
static void ask_register(struct inquiry *q, unsigned file, unsigned reg, bool all, bool sure)
{
    const struct gpudbg_regfile *f = &q->w->machine->isa->files[file];
    struct insn_input in = {.file = file, .reg = reg, .lane = -1};
    if (f->lanes > 1) {
        const uint64_t lanes = all ? q->w->lanes : q->lanes & q->w->machine->isa->run->active(q->w);
        for (int lane = 0; lane < f->lanes && lane < 64; lane++) {
            if (!(lanes >> lane & 1)) continue;
            in.lane = lane;
            add_register(q, in, sure && !all && q->lanes != UINT64_MAX);
        }
    } else if (ask_bit(q, file, reg)) {
        return;
    } else if (f->bits > 64) {
        for (unsigned d = 0; d < f->bits / 32u; d++) {
            in.first = (uint8_t)d;
            in.bits = 32;
            add_register(q, in, false);
        }
    } else {
        add_register(q, in, sure && !q->of->active && q->bit < 0);
    }
}

static void ask_operand(struct inquiry *q, const struct gpudbg_operand *o)
{
    const struct gpudbg_machine *m = q->w->machine;
    if ((o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_SPECIAL) || o->file >= m->isa->nfiles) return;
    const bool any = o->kind == GPUDBG_SPECIAL || o->index >= 0;
    const unsigned parts = m->isa->files[o->file].parts ? (unsigned)strlen(m->isa->files[o->file].parts) : 1;
    unsigned from = any ? 0 : o->reg, to = any ? m->isa->run->count(m, o->file) : o->reg + (o->count ? o->count : 1u);
    from -= from % parts;
    to += (parts - to % parts) % parts;
    for (unsigned r = from; r < to; r++) {
        q->named = !any && r >= o->reg && r < o->reg + (o->count ? o->count : 1u);
        ask_register(q, o->file, r, o->flags & GPUDBG_ALL_LANES, !any && parts == 1 && !(o->flags & GPUDBG_IMPLICIT));
    }
    q->named = false;
}

static void ask_element(struct inquiry *q, unsigned file, const struct gpudbg_element *e)
{
    const unsigned bytes = q->w->machine->isa->files[file].bits / 8u;
    const bool mine = e->lane < 0 || (e->lane < 64 && q->lanes >> e->lane & 1);
    if (!mine || e->at < 0 || bytes < 8) {
        if (mine && e->at >= 0 && bytes) ask_register(q, file, (unsigned)e->at / bytes, false, false);
        return;
    }
    for (unsigned done = 0; done < e->size;) {
        const unsigned at = (unsigned)e->at + done, left = e->size - done, room = 4 - at % 4;
        const unsigned n = left < room ? left : room;
        add_register(q,
            (struct insn_input){.file = file,
                .reg = at / bytes,
                .lane = -1,
                .first = (uint8_t)(at % bytes / 4),
                .shift = (uint8_t)(8 * (at % 4)),
                .bits = (uint8_t)(8 * n)},
            e->lane >= 0 && q->lanes != UINT64_MAX);
        done += n;
    }
}

/* Operands that are regions; false: they are whole registers. */
static bool ask_footprints(struct inquiry *q)
{
    const struct gpudbg_isa *isa = q->w->machine->isa;
    if (!isa->regions.footprints) return false;
    struct gpudbg_footprint *f = q->t->footprint;
    const unsigned n = isa->regions.elements(q->insn, q->w, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; strncmp(f[i].role, "src", 3) == 0 && f[i].file < isa->nfiles && k < f[i].n; k++)
            if (!f[i].element[k].off) ask_element(q, f[i].file, &f[i].element[k]);
    return n;
}

/* What comes of it when all masks among the skipped are empty and other registers hold the same value: a mask that is
 * tested for zero, and what is done with the answer. */
static enum effect effect_of_empty(const struct inquiry *q)
{
    static const uint32_t value[] = {UINT32_MAX, 0x00010000, 1, 0};
    const struct gpudbg_machine *m = q->w->machine;
    enum effect e = NO_EFFECT;
    for (size_t p = 0; p < sizeof value / sizeof *value && e == NO_EFFECT; p++) {
        struct trial_bits flip[TOUCH_MOST];
        bool any = false;
        for (size_t i = 0, k = 0; k < q->nskipped; k++) {
            const struct gpudbg_regfile *f = &m->isa->files[q->skipped[k].file];
            const bool part = q->skipped[k].bits || q->skipped[k].mask_bit || f->lanes > 1;
            for (unsigned d = part ? 1 : (f->bits + 31u) / 32; d > 0 && i < q->bits.n; d--, i++) {
                const uint32_t to = f->mask ? 0 : value[p], was = q->w->words[q->bits.bit[i].at];
                flip[i] = (struct trial_bits){q->bits.bit[i].at, q->bits.bit[i].bits & (was ^ to)};
                any |= f->mask;
            }
        }
        if (!any) return NO_EFFECT;
        e = outcome(q, trial_run(q->t, q->w, q->insn, flip, q->bits.n));
    }
    return e;
}

/* What makes no difference one by one may make one together: a sum that is infinite, a maximum.
 * all: nobody knows which lane's elements count (carries that go to an accumulator), so all do. */
static void ask_skipped(struct inquiry *q, bool all)
{
    static const uint32_t pattern[] = {UINT32_MAX, 0x5a5a5a5a, 0x40800001, 0x80000000};
    enum effect e = NO_EFFECT;
    if (q->of->address) return;
    if (all && !q->naccess) e = ON_VALUE;
    for (size_t p = 0; p < sizeof pattern / sizeof *pattern && q->bits.n && e == NO_EFFECT; p++) {
        struct trial_bits flip[TOUCH_MOST];
        for (size_t i = 0; i < q->bits.n; i++) {
            const uint32_t turned = (uint32_t)i % 32, word = pattern[p] << turned | pattern[p] >> ((32 - turned) & 31);
            flip[i] = (struct trial_bits){q->bits.bit[i].at, q->bits.bit[i].bits & word};
        }
        e = outcome(q, trial_run(q->t, q->w, q->insn, flip, q->bits.n));
    }
    if (e == NO_EFFECT && q->bits.n) e = effect_of_empty(q);
    for (size_t i = 0; i < q->nskipped && e != NO_EFFECT && q->n < INPUTS_MOST; i++) q->to[q->n++] = q->skipped[i];
    q->nskipped = q->bits.n = 0;
}

/* Indices inside brackets are in no operand: all registers of the lane are asked. */
static void ask_lane(struct inquiry *q)
{
    const struct gpudbg_machine *m = q->w->machine;
    if (!q->lanes || q->lanes & (q->lanes - 1)) return;
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned r = 0; m->isa->files[f].parts && r < m->isa->run->count(m, f); r++)
            ask_register(q, f, r, false, false);
}

/* ---- Everything else ---- */

/* A dword of a register that has a number: `bits` of it are in no listed input. */
struct other {
    uint32_t at, bits, with; /* with: bits to flip */
    struct insn_input in;
};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* The bits of its dword that an input is about; *at: the dword among the wave's words. */
static uint32_t bits_of_input(const struct inquiry *q, const struct insn_input *in, unsigned dword, uint32_t *at)
{
    const struct gpudbg_regfile *f = &q->w->machine->isa->files[in->file];
    struct touch_set one;
    one.n = 0; /* the rest is large, and this is asked for thousands of registers */
    const bool part = in->mask_bit || in->bits;
    const unsigned first = in->mask_bit ? (unsigned)in->lane / 32 : f->lanes > 1 ? (unsigned)in->lane : in->first;
    const uint32_t bits = in->mask_bit                ? UINT32_C(1) << (in->lane & 31)
                          : in->bits && in->bits < 32 ? ((UINT32_C(1) << in->bits) - 1) << in->shift
                          : f->bits < 32              ? (UINT32_C(1) << f->bits) - 1
                                                      : UINT32_MAX;
    if ((part && dword) || (f->lanes <= 1 && first + dword >= (f->bits + 31u) / 32) || (f->lanes > 1 && dword))
        return 0;
    if (!touch_add(&one, q->w, in->file, in->reg, first + dword, bits)) return 0;
    *at = one.bit[0].at;
    return bits;
}

/* All dwords of numbered registers but the listed inputs and the result's own, whose other bits are only kept. */
static struct other *others_of(const struct inquiry *q, size_t *n)
{
    const struct gpudbg_machine *m = q->w->machine;
    uint32_t *taken = xcalloc(m->wave_words ? m->wave_words : 1, sizeof *taken);
    struct other *list = xcalloc(m->wave_words ? m->wave_words : 1, sizeof *list);
    uint32_t at;
    *n = 0;
    for (size_t i = 0; i < q->n; i++)
        for (unsigned d = 0; q->to[i].is_register && d < 8; d++) {
            const uint32_t bits = bits_of_input(q, &q->to[i], d, &at);
            if (bits) taken[at] |= bits;
        }
    for (size_t i = 0; q->of->set && i < q->of->set->n; i++) taken[q->of->set->bit[i].at] |= q->of->set->bit[i].bits;
    for (unsigned f = 0; f < m->isa->nfiles; f++) {
        const struct gpudbg_regfile *file = &m->isa->files[f];
        const unsigned dwords = file->lanes > 1 ? file->lanes : (file->bits + 31u) / 32;
        for (unsigned r = 0; file->indexed && r < m->isa->run->count(m, f); r++)
            for (unsigned d = 0; d < dwords; d++) {
                struct insn_input in = {.is_register = true, .role = INPUT_VALUE, .file = f, .reg = r, .lane = -1};
                if (file->lanes > 1)
                    in.lane = (int)d;
                else if (file->bits > 64)
                    in.first = (uint8_t)d, in.bits = 32;
                const unsigned dword = file->lanes > 1 || file->bits > 64 ? 0 : d;
                const uint32_t bits = bits_of_input(q, &in, dword, &at);
                if (!bits || !(bits & ~taken[at])) continue; /* at is told with bits only */
                list[(*n)++] = (struct other){.at = at, .bits = bits & ~taken[at], .in = in};
                taken[at] = UINT32_MAX;
            }
    }
    free(taken);
    return list;
}

/* What comes of other contents of the first n of them; flip has room behind them. */
static enum effect effect_of_others(
    const struct inquiry *q, const struct other *list, struct trial_bits *flip, size_t n)
{
    for (size_t i = 0; i < n; i++) flip[i] = (struct trial_bits){list[i].at, list[i].with};
    const enum effect e = trial_run(q->t, q->w, q->insn, flip, n) ? outcome(q, true) : NO_EFFECT;
    if (e != NO_EFFECT || !q->over) return e;
    for (size_t i = 0; i < q->of->set->n; i++) flip[n++] = q->of->set->bit[i]; /* a mask says which lanes run, too */
    return trial_run(q->t, q->w, q->insn, flip, n) ? outcome(q, true) : NO_EFFECT;
}

/* Whatever no operand names, and what matters only together with others (an overflow, a comparison): all numbered
 * registers that are not listed get other contents.  While that changes the result, one of them is an input: the last
 * of the fewest first ones that do. */
static void ask_others(struct inquiry *q)
{
    static const uint32_t extreme[8] = {
        0, UINT32_MAX, INT32_MAX, 0x80000000, 0x7f800000, 0xff800000, 0x7fefffff, 0xffefffff};
    uint64_t seed = 20;
    size_t n;
    if (q->naccess || q->of->active || q->of->address) return; /* addresses of other lanes count there */
    struct other *list = others_of(q, &n);
    struct trial_bits *flip = xcalloc(n + TOUCH_MOST + 1, sizeof *flip);
    for (unsigned round = 0; round < OTHER_ROUNDS && n; round++) {
        for (size_t i = 0; i < n; i++) {
            const uint32_t value = next_random(&seed), was = q->w->words[list[i].at];
            list[i].with = (round % 2 ? extreme[value >> 8 & 7] ^ was : value) & list[i].bits;
        }
        while (q->n < INPUTS_MOST && effect_of_others(q, list, flip, n) != NO_EFFECT) {
            size_t none = 0, some = n; /* the first `none` change nothing, the first `some` do */
            while (some - none > 1) {
                const size_t middle = none + (some - none) / 2;
                if (effect_of_others(q, list, flip, middle) == NO_EFFECT)
                    none = middle;
                else
                    some = middle;
            }
            q->to[q->n++] = list[some - 1].in;
            list[some - 1].bits = list[some - 1].with = 0;
        }
    }
    free(flip);
    free(list);
}

/* As the code has it, an operand of the instruction does not name its register: brackets with an index. */
static bool is_indexed(const struct inquiry *q)
{
    struct gpudbg_insn insn;
    size_t left;
    bool any = false;
    const uint8_t *bytes = gpudbg_image_bytes(q->w->machine->image, q->w->pc, &left);
    if (!bytes || !gpudbg_insn_at(q->w->machine->isa, bytes, left, q->w->pc, &insn)) return false;
    for (unsigned i = 0; i < insn.noperands; i++) any |= insn.operands[i].kind == GPUDBG_SPECIAL;
    return any;
}

static void ask_registers(struct inquiry *q)
{
    const bool regions = ask_footprints(q);
    for (unsigned i = 0; i < q->insn->noperands; i++) {
        const struct gpudbg_operand *o = &q->insn->operands[i];
        if (!(o->flags & GPUDBG_READ) || (regions && !(o->flags & GPUDBG_IMPLICIT))) continue;
        ask_operand(q, o);
    }
    ask_skipped(q, regions && q->lanes == UINT64_MAX && q->bit < 0);
    if (!regions && is_indexed(q)) ask_lane(q);
    ask_others(q);
}

/* ---- Memory ---- */

static void ask_memory(struct inquiry *q)
{
    for (size_t i = 0; i < q->naccess; i++) {
        const struct trial_access *a = &q->access[i];
        if (a->write || (a->lane >= 0 && !(q->lanes >> a->lane & 1))) continue;
        for (uint64_t done = 0; done < a->size && q->n < INPUTS_MOST;) {
            const uint64_t addr = a->addr + done, room = 4 - addr % 4, left = a->size - done;
            const uint32_t size = (uint32_t)(left < room ? left : room);
            bool known = false;
            done += size;
            for (size_t k = 0; k < q->n; k++)
                known |= !q->to[k].is_register && q->to[k].space == a->space && q->to[k].addr == addr;
            if (known || effect_of_memory(q, a->space, addr, size) == NO_EFFECT) continue;
            q->to[q->n++] = (struct insn_input){
                .role = INPUT_VALUE, .lane = a->lane, .space = a->space, .addr = addr, .size = size};
        }
    }
}

/* ---- Whose result it is ---- */

uint64_t inputs_lanes(struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    if (!isa->regions.footprints) return 0;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    const unsigned n = isa->regions.elements(insn, w, f, GPUDBG_FOOTPRINTS);
    uint64_t lanes = 0;
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(f[i].role, "dst") != 0 || f[i].file != set->file) continue;
        for (unsigned k = 0; k < f[i].n; k++) {
            const struct gpudbg_element *e = &f[i].element[k];
            if (e->off || e->lane < 0 || e->lane > 63) continue;
            const unsigned bytes = isa->files[f[i].file].bits / 8u;
            struct touch_set one = {0};
            for (int32_t at = e->at; bytes && at >= 0 && at < e->at + e->size; at++)
                touch_add(
                    &one, w, f[i].file, (unsigned)at / bytes, (unsigned)at % bytes / 4, UINT32_C(0xff) << 8 * (at % 4));
            for (size_t a = 0; a < one.n; a++)
                for (size_t b = 0; b < set->n; b++)
                    if (one.bit[a].at == set->bit[b].at && one.bit[a].bits & set->bit[b].bits)
                        lanes |= UINT64_C(1) << e->lane;
        }
    }
    free(f);
    return lanes;
}

static uint64_t lanes_of_regions(const struct inquiry *q)
{
    return q->of->set ? inputs_lanes(q->w, q->insn, q->of->set) : 0;
}

/* The instruction works on this lane: an element of it belongs to the lane. */
static bool has_lane(const struct inquiry *q, unsigned lane)
{
    const struct gpudbg_isa *isa = q->w->machine->isa;
    bool any = false;
    if (!isa->regions.footprints) return lane < q->w->machine->lanes;
    struct gpudbg_footprint *f = q->t->footprint;
    const unsigned n = isa->regions.elements(q->insn, q->w, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < f[i].n; k++) any |= f[i].element[k].lane == (int)lane && !f[i].element[k].off;
    return any;
}

/* The lane of a compare's result, which is one bit: that of its number (in a pair of registers 32 more in the second),
 * or, where the instruction has no such lane, in the upper half of a flag register 16 less.  0: it is not known. */
static uint64_t lane_of_bit(const struct inquiry *q)
{
    unsigned lane = (unsigned)q->bit;
    if (q->bit < 0 || !(q->insn->op->flags & GPUDBG_OP_VECTOR || q->w->machine->isa->regions.footprints)) return 0;
    for (unsigned i = 0; i < q->insn->noperands; i++) {
        const struct gpudbg_operand *o = &q->insn->operands[i];
        struct touch_set upper = {0};
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || o->file != q->of->set->file || o->count != 2)
            continue;
        if (touch_add(&upper, q->w, o->file, o->reg + 1u, 0, UINT32_MAX) && upper.bit[0].at == q->of->set->bit[0].at)
            lane += 32;
    }
    if (!has_lane(q, lane)) lane = lane >= 16 ? lane - 16 : 64;
    return lane < 64 && has_lane(q, lane) ? UINT64_C(1) << lane : 0;
}

static uint64_t lanes_of_stores(const struct inquiry *q)
{
    uint64_t lanes = 0;
    for (size_t i = 0; i < q->naccess; i++) {
        const struct trial_access *a = &q->access[i];
        const bool there = a->write && a->space == q->of->space && a->addr < q->of->addr + q->of->size &&
                           q->of->addr < a->addr + a->size;
        if (there) lanes |= a->lane < 0 ? UINT64_MAX : UINT64_C(1) << a->lane;
    }
    return lanes;
}

size_t inputs_of(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct input_result *of,
    struct insn_input to[INPUTS_MOST], uint64_t *lanes)
{
    struct inquiry *q = xalloc(sizeof *q);
    *q = (struct inquiry){.t = t, .w = w, .insn = insn, .of = of, .to = to};
    *lanes = 0;
    if (!trial_run(t, w, insn, NULL, 0)) {
        if (of->address) memcpy(q->fault, t->fault, sizeof q->fault);
        if (!*q->fault) {
            free(q);
            return 0;
        }
        t->naccess = 0;
    }
    for (size_t i = 0; of->set && i < of->set->n; i++) q->words[i] = t->wave.words[of->set->bit[i].at];
    q->pc = t->wave.pc;
    q->running = of->active ? running_after(t) : 0;
    const bool memory = !of->set && !of->active && !of->address;
    if (memory) stored(t, of, q->bytes);
    q->access = xcalloc(t->naccess + 1, sizeof *q->access);
    q->naccess = t->naccess;
    for (size_t i = 0; i < q->naccess; i++) {
        q->access[i] = t->access[i];
        q->access[i].before = q->access[i].after = NULL; /* the trial's own */
    }
    q->lanes = memory ? lanes_of_stores(q) : of->lane >= 0 ? UINT64_C(1) << of->lane : lanes_of_regions(q);
    if (memory && q->lanes != UINT64_MAX) *lanes = q->lanes;
    if (!q->lanes) q->lanes = UINT64_MAX;
    q->bit = of->set && of->set->n == 1 ? __builtin_ctz(of->set->bit[0].bits) : -1;
    if (q->bit >= 0 && of->set->bit[0].bits & (of->set->bit[0].bits - 1)) q->bit = -1;
    if (q->lanes == UINT64_MAX && q->bit >= 0 && lane_of_bit(q)) q->lanes = lane_of_bit(q);
    const bool source = q->bit >= 0 && touch_may(w, insn, of->set, false); /* s0 |= s6: the old bit is an input */
    q->over = of->set && !source && outcome(q, trial_run(t, w, insn, of->set->bit, of->set->n)) == NO_EFFECT;
    ask_registers(q);
    ask_memory(q);
    const size_t n = q->n;
    free(q->access);
    free(q);
    return n;
}
