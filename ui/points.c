/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.c: what descriptors and addresses that begin in a register are of.  A buffer's, an image's and an address are
 * known by the memory of the launch that they name; a sampler's names none, so it is one where code that the wave may
 * still reach samples with these registers, and nothing before that writes them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/walk.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "registers_shown.h"

#define WORDS_MOST 16
#define AHEAD_MOST 512 /* instructions */
#define WAYS_MOST 32

/* The base and the bytes of the buffer that a descriptor from `index` on describes. */
bool points_buffer(struct gpudbg *g, unsigned file, unsigned index, uint64_t *base, uint64_t *size)
{
    const struct gpudbg_view *view = g->running.machine->isa->traits.views;
    for (; view && view->letter; view++) {
        const unsigned words = (view->format->bits + 31u) / 32;
        uint32_t word[16] = {0};
        struct gpudbg_field_iter iter;
        if (words > sizeof word / sizeof *word || view->letter != 'V') continue;
        for (unsigned i = 0; i < words; i++) {
            const uint32_t *one = register_words(g, file, index + i);
            if (!one) return false;
            word[i] = *one;
        }
        bool any = false, formed = false;
        uint64_t records = 0, stride = 0;
        gpudbg_word_fields(&iter, view->format, (const uint8_t *)word);
        while (gpudbg_next_field(&iter)) {
            if (strstr(iter.field->name, "base")) *base = iter.value, any = true;
            if (strstr(iter.field->name, "num_records")) records = iter.value;
            if (!strcmp(iter.field->name, "stride")) stride = iter.value;
            if (strstr(iter.field->name, "data_format") || !strcmp(iter.field->name, "format")) formed = iter.value;
        }
        *size = records * (stride ? stride : 1);
        if (any && formed) return true; /* format 0 is that of nothing */
    }
    return false;
}

/* The segment of the launch that an address is in, and how far; NULL: none. */
static const struct gpudbg_segment *segment_at(const struct gpudbg *g, uint64_t addr)
{
    const struct gpudbg_machine *m = g->running.machine;
    for (size_t i = 0; m->nspaces && i < m->space[GPUDBG_GLOBAL].count; i++) {
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[i];
        if (s->name && addr - s->base < s->size) return s;
    }
    return NULL;
}

static bool words_of(const struct points *p, unsigned index, unsigned n, uint32_t *words)
{
    for (unsigned i = 0; i < n; i++) {
        const uint32_t *one = register_words(p->g, p->file, index + i);
        if (!one) return false;
        words[i] = *one;
    }
    return true;
}

static void name_add(const struct points *p, struct text *t, unsigned index, unsigned n)
{
    text_add(t, "%s[%u:%u]", p->g->running.machine->isa->files[p->file].name, index, index + n - 1);
}

static void segment_add(struct text *t, const struct gpudbg_segment *s, uint64_t addr)
{
    text_add(t, "%s", s->name);
    if (addr != s->base) text_add(t, "+0x%" PRIx64, addr - s->base);
}

/* ---- Samplers: by the code ahead ---- */

/* The registers of an instruction's sampler; false: it has none. */
static bool samples_with(const struct gpudbg_insn *insn, unsigned *first, unsigned *n)
{
    struct gpudbg_dumped_descriptor d;
    const struct gpudbg_dumped *dumped = insn->isa->dumped;
    for (unsigned i = 0; i < 2 && dumped->descriptor(insn, i, &d); i++)
        if (!d.table && d.view == 'S') return *first = d.first, *n = d.n, true;
    return false;
}

static bool writes(const struct gpudbg_insn *insn, unsigned file, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && o->file == file && o->reg < first + n &&
            first < o->reg + (unsigned)o->count)
            return true;
    }
    return false;
}

struct ways {
    uint64_t from[WAYS_MOST]; /* where each begins */
    int n;
};

static void way_add(struct ways *w, uint64_t addr)
{
    for (int i = 0; i < w->n; i++)
        if (w->from[i] == addr) return;
    if (w->n < WAYS_MOST) w->from[w->n++] = addr;
}

/* Goes all ways from where the wave stands.  of >= 0: whether one comes to a sampler in registers from `of` on that
 * hold until then what they hold now; else adds all samplers that it meets. */
static bool samplers_ahead(struct points *p, uint64_t pc, int of)
{
    const uint32_t leaves = GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END;
    struct ways w = {.n = 0};
    struct gpudbg_insn insn;
    int left = AHEAD_MOST;
    way_add(&w, pc);
    for (int i = 0; i < w.n; i++)
        for (uint64_t at = w.from[i], target; left-- > 0 && insn_at(p->g->loaded.image, at, &insn); at += insn.size) {
            unsigned first, n;
            const uint64_t does = gpudbg_insn_does(&insn);
            if (samples_with(&insn, &first, &n)) {
                if (of >= 0 && first == (unsigned)of) return true;
                bool known = of >= 0;
                for (int k = 0; k < p->samplers && !known; k++) known = p->sampler[k] == first;
                if (!known && p->samplers < POINTS_SAMPLERS) {
                    p->words[p->samplers] = n;
                    p->sampler[p->samplers++] = first;
                }
            }
            if ((of >= 0 && writes(&insn, p->file, (unsigned)of, 4)) || does & leaves) break;
            if (does & GPUDBG_OP_BRANCH) {
                if (insn_target(&insn, &target)) way_add(&w, target);
                if (!(does & GPUDBG_OP_COND)) break;
            }
        }
    return false;
}

void points_open(struct points *p, struct gpudbg *g, unsigned file)
{
    const struct gpudbg_wave *wave = gpudbg_session_wave(g);
    const struct gpudbg_isa *isa = g->running.machine->isa;
    *p = (struct points){.g = g, .file = file};
    if (!wave || !g->loaded.image || !isa->dumped || !isa->dumped->descriptor) return;
    samplers_ahead(p, wave->pc, -1);
    int held = 0;
    for (int i = 0; i < p->samplers; i++)
        if (samplers_ahead(p, wave->pc, (int)p->sampler[i])) {
            p->words[held] = p->words[i];
            p->sampler[held++] = p->sampler[i];
        }
    p->samplers = held;
}

/* What a value is called without what the names of all values begin with: POINT, BILINEAR. */
static const char *short_name(const struct gpudbg_enum *e, uint64_t value)
{
    const char *name = gpudbg_enum_name(e, value);
    size_t same = name ? strlen(name) : 0;
    for (size_t i = 0; i < e->count && same; i++) {
        size_t k = 0;
        const char *other = e->values[i].name;
        if (strncmp(other, "reserved", 8) == 0 || other == name) continue;
        while (k < same && other[k] == name[k]) k++;
        same = k;
    }
    while (same && name[same - 1] != '_') same--;
    return name && name[same] ? name + same : name;
}

/* ---- What each is ---- */

static unsigned buffer_say(const struct points *p, unsigned index, struct text *t)
{
    uint64_t addr = 0, bytes = 0;
    const bool any = points_buffer(p->g, p->file, index, &addr, &bytes) && addr;
    const struct gpudbg_segment *s = any ? segment_at(p->g, addr) : NULL;
    if (!s || !bytes || bytes > s->size - (addr - s->base)) return 0;
    name_add(p, t, index, 4);
    text_add(t, " V# of ");
    segment_add(t, s, addr);
    if (bytes != s->size) text_add(t, ", %" PRIu64 " bytes", bytes);
    return 4;
}

/* An image is opened as the program's own loads see it, and all of its first level is in memory that has its start. */
static unsigned image_say(const struct points *p, unsigned index, struct text *t)
{
    const struct gpudbg_isa *isa = p->g->running.machine->isa;
    const struct gpudbg_pictures *how = isa->pictures;
    const struct gpudbg_dumped *dumped = isa->dumped;
    uint32_t words[WORDS_MOST] = {0};
    uint64_t addr = 0, bytes;
    char why[128];
    struct gpudbg_error none = {.offset = -1};
    struct gpudbg_picture is = {.own = NULL};
    const unsigned n = how ? how->words : 0;
    if (!n || n > WORDS_MOST || !dumped || !dumped->range || !words_of(p, index, n, words)) return 0;
    const uint8_t *raw = (const uint8_t *)words;
    if (!dumped->range('T', raw, &addr, &bytes) || (dumped->bad && dumped->bad('T', raw, why, sizeof why))) return 0;
    const struct gpudbg_segment *s = segment_at(p->g, addr);
    if (!s || !how->open(p->g, isa, words, &is, &none)) return 0;
    const uint32_t deep = is.depth > 1 ? is.depth : is.slices;
    const uint64_t last = how->place(&is, 0, is.width - 1, is.height - 1, deep ? deep - 1 : 0);
    free(is.own);
    if (last < s->base || last - s->base > s->size || is.block > s->size - (last - s->base)) return 0;
    name_add(p, t, index, n);
    text_add(t, " T# of ");
    segment_add(t, s, addr);
    text_add(t, ", %s, %" PRIu32 "x%" PRIu32, is.format, is.width, is.height);
    if (is.depth > 1) text_add(t, "x%" PRIu32, is.depth);
    if (is.slices > 1) text_add(t, ", %" PRIu32 " slices", is.slices);
    if (is.levels > 1) text_add(t, ", %" PRIu32 " levels", is.levels);
    return n;
}

/* Fields of a sampler in the order of what is asked first: one value of neighbours stands once, and flags are named
 * where they are set. */
static unsigned sampler_say(const struct points *p, unsigned index, struct text *t)
{
    static const char *const asked[] = {"xy_mag_filter", "force_unnormalized", "clamp_x", "clamp_y"};
    const struct gpudbg_view *view = p->g->running.machine->isa->traits.views;
    uint32_t words[WORDS_MOST] = {0};
    int i = 0;
    while (i < p->samplers && p->sampler[i] != index) i++;
    while (view && view->letter && view->letter != 'S') view++;
    if (i == p->samplers || !view || !view->letter || view->format->bits > 32 * WORDS_MOST ||
        !words_of(p, index, p->words[i], words))
        return 0;
    name_add(p, t, index, p->words[i]);
    text_add(t, " S#");
    const char *said = NULL, *mark = " ";
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        struct gpudbg_field_iter f;
        for (gpudbg_word_fields(&f, view->format, (const uint8_t *)words); gpudbg_next_field(&f);) {
            if (strcmp(f.field->name, asked[k]) != 0 || (!f.field->meaning && !f.value)) continue;
            const char *name = f.field->meaning ? short_name(f.field->meaning, f.value) : NULL;
            if (said && said != name) text_add(t, " %s", said);
            text_add(t, "%s%s", said && said == name ? " " : mark, asked[k]);
            said = name;
            mark = ", ";
        }
    }
    if (said) text_add(t, " %s", said);
    return p->words[i];
}

static unsigned address_say(const struct points *p, unsigned index, struct text *t)
{
    uint32_t half[2];
    if (!words_of(p, index, 2, half)) return 0;
    const uint64_t addr = half[0] | (uint64_t)half[1] << 32;
    const struct gpudbg_segment *s = addr ? segment_at(p->g, addr) : NULL;
    if (!s) return 0;
    name_add(p, t, index, 2);
    text_add(t, " -> ");
    segment_add(t, s, addr);
    return 2;
}

/* What begins at registers whose number is a multiple of `align`; each returns in how many it is, 0: it is none. */
static const struct {
    unsigned align;
    unsigned (*say)(const struct points *, unsigned index, struct text *);
} kinds[] = {{4, sampler_say}, {4, buffer_say}, {4, image_say}, {2, address_say}};

int points_text(const struct points *p, unsigned index, unsigned *n, char *buf, size_t size)
{
    const struct gpudbg_regfile *f = &p->g->running.machine->isa->files[p->file];
    struct text t = text_in(buf, size);
    *n = 0;
    if (!f->indexed || f->bits != 32 || f->parts || f->lanes > 1) return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !*n; i++)
        if (index % kinds[i].align == 0) *n = kinds[i].say(p, index, &t);
    return *n ? text_length(&t) : 0;
}
