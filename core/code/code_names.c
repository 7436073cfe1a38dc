/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code_names.c: what addresses of code are called in a listing; see code_names.h. */
#include "code/code_names.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"
#include "gpudbg/unset.h"
#include "code/memo.h"
#include "code/records.h"
#include "code/walk.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* An assembler takes the name, and it means one address only. */
static bool is_label(const struct gpudbg_image *image, const struct gpudbg_symbol *s)
{
    if (s->kind == GPUDBG_SYM_OBJECT || !s->name || !*s->name || is_digit(*s->name)) return false;
    for (const char *c = s->name; *c; c++)
        if (!is_letter(*c) && !is_digit(*c) && !strchr("_.$@", *c)) return false;
    const struct gpudbg_symbol *same = gpudbg_image_find(image, s->name);
    return same && same->addr == s->addr;
}

const struct gpudbg_symbol *code_symbol(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_symbol *found = NULL;
    for (size_t i = code_symbol_after(image, addr); i-- > 0 && image->symbols[i].addr == addr;)
        if (is_label(image, &image->symbols[i])) found = &image->symbols[i];
    return found;
}

/* Where instructions start: a bit a unit of alignment, for the stretches of addresses that were walked. */
struct starts {
    unsigned unit;
    struct stretch {
        uint64_t from, to;
        size_t bit;
    } * stretch;
    size_t n, room, found; /* found: the stretch that was asked for last */
    uint8_t *bits;
    size_t nbits, bytes;
};

/* The bit of an address; false: it is in no stretch, or inside a unit. */
static bool bit_of(struct starts *s, uint64_t addr, size_t *bit)
{
    if (!s->n) return false;
    const struct stretch *in = &s->stretch[s->found];
    if (addr < in->from || addr >= in->to) {
        size_t lo = 0, hi = s->n;
        while (hi - lo > 1) {
            const size_t mid = lo + (hi - lo) / 2;
            *(s->stretch[mid].from <= addr ? &lo : &hi) = mid;
        }
        in = &s->stretch[s->found = lo];
        if (addr < in->from || addr >= in->to) return false;
    }
    *bit = in->bit + (size_t)((addr - in->from) / s->unit);
    return (addr - in->from) % s->unit == 0;
}

static bool is_target(const struct code_names *n, uint64_t addr)
{
    size_t bit;
    return n->labels && bit_of(n->labels, addr, &bit) && n->labels->bits[bit / 8] >> bit % 8 & 1;
}

static const char *label_name(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    const struct code_names *n = names->data;
    if (!is_target(n, addr)) return NULL;
    const struct gpudbg_symbol *symbol = code_symbol(n->image, addr);
    if (symbol) {
        snprintf(buf, size, "%s", symbol->name);
        return buf;
    }
    char *p = buf + size; /* "L%04x" from its end: a listing names many */
    unsigned digits = 0;
    for (*--p = 0; digits < 4 || addr; digits++, addr >>= 4) *--p = "0123456789abcdef"[addr & 15];
    *--p = 'L';
    return p;
}

static const char *plain_name(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    const struct code_names *n = names->data;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(n->image, addr);
    if (!symbol || symbol->kind == GPUDBG_SYM_OBJECT) return NULL;
    if (symbol->addr == addr)
        snprintf(buf, size, "%s", symbol->name);
    else
        snprintf(buf, size, "%s+0x%" PRIx64, symbol->name, addr - symbol->addr);
    return buf;
}

void code_names_plain(struct code_names *n, const struct gpudbg_image *image)
{
    *n = (struct code_names){.image = image, .names = {.name = plain_name, .data = n}};
}

int code_insn_text(
    const struct gpudbg_image *image, const struct gpudbg_insn *insn, const char *syntax, char *buf, size_t size)
{
    struct code_names names;
    code_names_plain(&names, image);
    const int n = insn->isa->text(
        insn, insn_syntax_or_first(insn->isa, syntax), GPUDBG_READABLE, &names.names, buf, size);
    code_names_close(&names);
    return n;
}

int code_text_at(const struct gpudbg_image *image, uint64_t addr, const char *syntax, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    if (!insn_at(image, addr, &insn)) return snprintf(buf, size, "%s", "");
    return code_insn_text(image, &insn, syntax, buf, size);
}

/* Addresses in the order met, growing. */
struct addresses {
    uint64_t *at;
    size_t n, room;
};

static bool keep(struct addresses *a, uint64_t addr)
{
    if (a->n == a->room) {
        size_t room = a->room ? 2 * a->room : 64;
        uint64_t *at = realloc(a->at, room * sizeof *at);
        if (!at) return false;
        a->at = at;
        a->room = room;
    }
    a->at[a->n++] = addr;
    return true;
}

static bool new_stretch(struct starts *s, uint64_t from)
{
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        struct stretch *stretch = realloc(s->stretch, room * sizeof *stretch);
        if (!stretch) return false;
        s->stretch = stretch;
        s->room = room;
    }
    s->stretch[s->n++] = (struct stretch){from, from, s->nbits};
    return true;
}

static bool room_for_bits(struct starts *s, size_t nbits)
{
    if (nbits <= 8 * s->bytes) return true;
    size_t bytes = s->bytes ? 2 * s->bytes : 4096;
    while (8 * bytes < nbits) bytes *= 2;
    uint8_t *bits = realloc(s->bits, bytes);
    if (!bits) return false;
    memset(bits + s->bytes, 0, bytes - s->bytes);
    s->bits = bits;
    s->bytes = bytes;
    return true;
}

/* The stretch that goes on at addr, with room for the bits of `size` bytes; NULL: out of memory. */
static struct stretch *stretch_at(struct starts *s, uint64_t addr, uint64_t size)
{
    if ((!s->n || s->stretch[s->n - 1].to != addr) && !new_stretch(s, addr)) return NULL;
    struct stretch *last = &s->stretch[s->n - 1];
    return room_for_bits(s, last->bit + (size_t)((addr + size - last->from + s->unit - 1) / s->unit)) ? last : NULL;
}

static void stretch_to(struct starts *s, struct stretch *last, uint64_t to)
{
    last->to = to;
    s->nbits = last->bit + (size_t)((to - last->from + s->unit - 1) / s->unit);
}

/* The next thing walked over: an instruction of `size` bytes, or data. */
static bool add_start(struct starts *s, uint64_t addr, uint32_t size, bool is_insn)
{
    struct stretch *last = stretch_at(s, addr, size);
    if (!last) return false;
    stretch_to(s, last, addr + size);
    size_t bit = last->bit + (size_t)((addr - last->from) / s->unit);
    if (is_insn && (addr - last->from) % s->unit == 0) s->bits[bit / 8] |= (uint8_t)(1u << bit % 8);
    return true;
}

/* Leaves the targets that an instruction starts at, in order and each once, and their bits instead of the starts. */
static bool keep_starts(struct addresses *a, struct starts *s)
{
    uint8_t *labels = calloc(s->bytes ? s->bytes : 1, 1);
    size_t bit;
    if (!labels) return false;
    for (size_t i = 0; i < a->n; i++)
        if (bit_of(s, a->at[i], &bit)) labels[bit / 8] |= (uint8_t)(s->bits[bit / 8] & 1u << bit % 8);
    free(s->bits);
    s->bits = labels;
    a->n = 0;
    for (size_t byte = 0, in = 0; byte < s->bytes; byte += 8) /* `bytes` is a multiple of 8 */
        for (uint64_t left = le_u64(labels + byte); left; left &= left - 1) {
            bit = 8 * byte + (size_t)__builtin_ctzll(left);
            while (in + 1 < s->n && bit >= s->stretch[in + 1].bit) in++;
            a->at[a->n++] = s->stretch[in].from + (bit - s->stretch[in].bit) * s->unit;
        }
    return true;
}

#define SKIM_TARGETS 256
#define SKIM_BYTES (1u << 20) /* between two looks at the clock */

/* Passes over instructions without decoding them, as many as the instruction set can; *passed says how many bytes that
 * were. */
static bool skim(struct code_walk *w, struct starts *starts, struct addresses *targets, uint64_t from, size_t *passed)
{
    const struct gpudbg_isa *isa = w->image->isa;
    uint64_t named[SKIM_TARGETS] GPUDBG_UNSET;
    size_t n = w->left < SKIM_BYTES ? w->left : SKIM_BYTES;
    *passed = 0;
    if (!isa || !isa->fast.skim || w->at >= w->to || !w->left || w->data) return true;
    if (w->to - w->at < n) n = (size_t)(w->to - w->at);
    struct stretch *last = stretch_at(starts, w->at, n);
    if (!last) return false;
    if ((w->at - last->from) % starts->unit) return true;
    struct gpudbg_skim s = {.starts = starts->bits,
        .first = last->bit + (size_t)((w->at - last->from) / starts->unit),
        .targets = named,
        .room = SKIM_TARGETS};
    *passed = isa->fast.skim(isa, w->bytes, n, w->at, &s);
    w->at += *passed;
    w->bytes += *passed;
    w->left -= *passed;
    stretch_to(starts, last, w->at);
    for (size_t i = 0; i < s.ntargets; i++)
        if (named[i] >= from && named[i] < w->to && !keep(targets, named[i])) return false;
    return true;
}

#define TICK_BYTES (1u << 22)

bool code_names_open(struct code_names *n, const struct gpudbg_image *image, uint64_t from, uint64_t to,
    struct memo *memo, const struct ticker *ticker, struct gpudbg_error *err)
{
    struct addresses targets = {0};
    struct starts *starts = xcalloc(1, sizeof *starts);
    struct gpudbg_insn insn GPUDBG_UNSET;
    struct code_walk w;
    const uint8_t *bytes;
    uint64_t target, addr, ticked = from;
    size_t passed;
    bool ok = true, stopped = false;
    starts->unit = image->isa && image->isa->align ? image->isa->align : 1;
    code_walk_open(&w, image, from, to);
    while (ok && !stopped) {
        if (w.at - ticked >= TICK_BYTES) {
            ticked = w.at;
            stopped = !ticker_goes_on(ticker, w.at - from, to - from);
        }
        ok = skim(&w, starts, &targets, from, &passed);
        if (!ok || passed) continue;
        const struct memo_entry *known = code_walk_known(&w, memo, &bytes, &addr);
        if (known) {
            ok = add_start(starts, addr, known->size, true);
            continue;
        }
        if (!code_walk_next(&w, &insn)) break;
        if (memo && w.is_insn) memo_keep(memo, &insn);
        ok = add_start(starts, insn.addr, insn.size, w.is_insn);
        for (unsigned i = 0; ok && w.is_insn && i < insn.noperands; i++) { /* a branch may have two */
            target = (uint64_t)insn.operands[i].imm;
            if (insn.operands[i].kind == GPUDBG_CODE && target >= from && target < to) ok = keep(&targets, target);
        }
    }
    ok = ok && keep_starts(&targets, starts);
    *n = (struct code_names){.image = image,
        .from = from,
        .to = to,
        .targets = targets.at,
        .ntargets = targets.n,
        .labels = starts,
        .names = {.name = label_name, .data = n}};
    if (ok && !stopped) return true;
    code_names_close(n);
    if (stopped) return gpudbg_fail(err, "interrupt", "interrupted while looking for labels");
    return gpudbg_fail(err, "too-large", "out of memory for the labels of 0x%" PRIx64 " to 0x%" PRIx64, from, to);
}

void code_names_close(struct code_names *n)
{
    if (n->labels) {
        free(n->labels->stretch);
        free(n->labels->bits);
    }
    free(n->labels);
    n->labels = NULL;
    free(n->targets);
    n->targets = NULL;
    n->ntargets = 0;
}
