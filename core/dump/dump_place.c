/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_place.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "dump/dump.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"

#define WAVES_MOST 256       /* that a place in the code is tried with */
#define PROBES_MOST 32       /* places of the dump that are searched for in the code */
#define STREAMS_AT_MOST 4096 /* looked at, from the first that holds a wave's program counter on */

struct wave_code { /* what a wave tells of the code: words at addresses of the dump */
    uint64_t pc, at[24];
    uint32_t word[24];
    unsigned count;
    bool has_pc;
};

/* Of "A, B or C" one is enough. */
static bool knows_waves(const struct gpudbg_isa *isa, const char *family)
{
    for (const char *const *of = isa->dumped ? isa->dumped->waves_of : NULL; of && *of; of++)
        if (strncmp(family, *of, strcspn(family, ", ")) == 0 && strlen(*of) == strcspn(family, ", ")) return true;
    return false;
}

const struct gpudbg_isa *dump_waves_isa(const struct gpudbg_dump *d, uint32_t capture)
{
    bool assumed;
    size_t n;
    const char *family = dump_family(d, capture, &assumed);
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    const struct gpudbg_isa *isa;
    if (family) return gpudbg_dump_isa_named(d, family);
    for (size_t i = 0; capture < n && c[capture].family && (isa = registry_isa(dump_env_of(d)->registry, i)); i++)
        if (knows_waves(isa, c[capture].family)) return isa;
    return NULL;
}

uint32_t dumped_bits(const struct gpudbg_dumped_register *row, uint64_t value)
{
    return (uint32_t)value >> row->lo & (row->len && row->len < 32 ? (UINT32_C(1) << row->len) - 1 : UINT32_MAX);
}

bool dump_wave_register(
    const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, const char *name, struct gpudbg_record *r)
{
    for (size_t i = w->first; i < w->first + w->nrecords && gpudbg_dump_record(d, i, r); i++)
        if (r->unit && strcmp(r->unit, w->unit) == 0 && r->capture == w->capture &&
            ((r->name && strcasecmp(r->name, name) == 0) || (r->reg && strcasecmp(r->reg, name) == 0)))
            return true;
    return false;
}

bool dump_wave_part(const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w,
    const char *file, unsigned dword, struct gpudbg_record *r)
{
    for (const struct gpudbg_dumped_register *row = isa && isa->dumped ? isa->dumped->registers : NULL;
         row && row->record; row++)
        if (row->dword == dword && strcmp(row->file, file) == 0 && dump_wave_register(d, w, row->record, r)) {
            r->value = dumped_bits(row, r->value);
            return true;
        }
    return false;
}

bool dump_wave_pc(
    const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, uint64_t *pc)
{
    struct gpudbg_record low, high;
    if (!dump_wave_part(isa, d, w, "pc", 0, &low)) return false;
    *pc = low.value | (dump_wave_part(isa, d, w, "pc", 1, &high) ? high.value << 32 : 0);
    return true;
}

static struct wave_code code_of(
    const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w)
{
    struct wave_code c = {.count = 0};
    struct gpudbg_record word;
    size_t n;
    if (!(c.has_pc = dump_wave_pc(isa, d, w, &c.pc))) return c;
    if (dump_wave_part(isa, d, w, "code", 0, &word)) {
        c.at[c.count] = c.pc;
        c.word[c.count++] = (uint32_t)word.value;
    }
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    const size_t first = dump_stream_holding(d, c.pc);
    for (size_t i = first; i < n; i++) {
        if (i - first > STREAMS_AT_MOST) break;
        if (strcmp(s[i].kind, "code") != 0 || s[i].capture != w->capture || s[i].addr == GPUDBG_NO_ADDR ||
            c.pc < s[i].addr || c.pc - s[i].addr >= s[i].size)
            continue;
        for (size_t k = 0; k + 4 <= s[i].size && c.count < 24; k += 4) {
            const uint8_t *b = s[i].bytes + k;
            c.at[c.count] = s[i].addr + k;
            c.word[c.count++] = le_u32(b);
        }
        break;
    }
    return c;
}

static bool holds_word(const struct gpudbg_image *image, uint64_t addr, uint32_t word)
{
    size_t n;
    const uint8_t *b = gpudbg_image_bytes(image, addr, &n);
    return b && n >= 4 && le_u32(b) == word;
}

/* Whether a decodable instruction stands where the wave's pc points. */
static bool is_code(const struct gpudbg_image *image, const struct wave_code *c, uint64_t shift)
{
    size_t n;
    struct gpudbg_insn insn;
    const uint64_t pc = c->pc - shift;
    const uint8_t *b = gpudbg_image_bytes(image, pc, &n);
    return !c->has_pc || (b && n && pc % image->isa->align == 0 && gpudbg_insn_at(image->isa, b, n, pc, &insn));
}

/* How many waves' words all stand in the image when `shift` is taken from the dump's addresses. */
static size_t fits(const struct gpudbg_image *image, const struct wave_code *c, size_t n, uint64_t shift)
{
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        bool all = c[i].count > 0;
        for (unsigned k = 0; all && k < c[i].count; k++) all = holds_word(image, c[i].at[k] - shift, c[i].word[k]);
        good += all;
    }
    return good;
}

struct found { /* the best places so far */
    size_t score, ties;
    uint64_t shift;
};

/* Tries all places where the first word of `probe` is. */
static void search(const struct gpudbg_image *image, const struct wave_code *probe, const struct wave_code *told,
    size_t ntold, bool all_tell, struct found *best)
{
    for (size_t s = 0; s < image->nsections && !best->score; s++) {
        const struct gpudbg_section *section = &image->sections[s];
        if (!(section->flags & GPUDBG_CODE_BYTES) || !section->bytes) continue;
        for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
            const uint64_t candidate = probe->at[0] - (section->addr + at);
            /* Code is loaded at multiples of 256 bytes. */
            if ((candidate & 0xff) != 0 || !holds_word(image, section->addr + at, probe->word[0])) continue;
            const size_t score = fits(image, told, ntold, candidate);
            if (!score || candidate == best->shift) continue;
            best->ties = score > best->score ? 1 : best->ties + (score == best->score);
            if (score >= best->score) {
                best->score = score;
                best->shift = candidate;
            }
            if (all_tell && score == ntold) break;
        }
    }
}

/* The waves may stand in several programs, of which the image has only some: so each of the first that tell words of
 * different places is searched for, the one with most words first. */
static void search_each(const struct gpudbg_image *image, const struct wave_code *c, size_t n,
    const struct wave_code *told, size_t ntold, bool all_tell, struct found *best)
{
    uint64_t tried[PROBES_MOST];
    size_t ntried = 0;
    while (ntried < PROBES_MOST && !best->score) {
        const struct wave_code *probe = NULL;
        for (size_t i = 0; i < n; i++) {
            bool again = !c[i].count;
            for (size_t k = 0; k < ntried && !again; k++) again = tried[k] == c[i].at[0];
            if (!again && (!probe || c[i].count > probe->count)) probe = &c[i];
        }
        if (!probe) return;
        tried[ntried++] = probe->at[0];
        search(image, probe, told, ntold, all_tell, best);
    }
}

/* told: room for WAVES_MOST.  The shift that fits most waves; false: none fits, or several do equally well. */
static bool place(const struct gpudbg_image *image, const struct wave_code *c, size_t n, struct wave_code *told,
    uint64_t *shift, size_t *good, const char **problem)
{
    struct found best = {.score = fits(image, c, n, 0)};
    size_t ntold = 0;
    best.ties = best.score > 0;
    *problem = "no wave names its instruction: give the address that the code's first byte has in the dump";
    for (size_t i = 0; i < n && ntold < WAVES_MOST; i++)
        if (c[i].count) told[ntold++] = c[i];
    if (!ntold && !best.score) { /* nothing to compare: the addresses as they are, if all of them are code */
        *shift = *good = 0;
        for (size_t i = 0; i < n; i++)
            if (!is_code(image, &c[i], 0)) return false;
        return true;
    }
    search_each(image, c, n, told, ntold, ntold == WAVES_MOST || ntold == n, &best);
    *problem = best.score ? "the code fits in several places: give the address of its first byte in the dump"
                          : "the words around the waves' program counters are not in the loaded code";
    *shift = best.shift;
    *good = best.score ? fits(image, c, n, best.shift) : 0;
    return best.score && (best.ties == 1 || best.shift == 0);
}

bool dump_place(const struct gpudbg_image *image, const struct gpudbg_dump *d, bool given, uint64_t *shift,
    size_t *good, const char **problem)
{
    size_t n;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &n);
    struct wave_code *code = xcalloc(n + 1, sizeof *code), *told = xcalloc(WAVES_MOST, sizeof *told);
    for (size_t i = 0; i < n; i++) code[i] = code_of(image->isa, d, &w[i]);
    bool placed = true;
    if (given)
        *good = fits(image, code, n, *shift);
    else
        placed = place(image, code, n, told, shift, good, problem);
    free(told);
    free(code);
    return placed;
}

bool dump_wave_place(
    const struct gpudbg_image *image, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, uint64_t *shift)
{
    const struct wave_code c = code_of(image->isa, d, w);
    struct wave_code told;
    size_t good;
    const char *problem;
    return c.count && place(image, &c, 1, &told, shift, &good, &problem);
}

bool dump_wave_fits(
    const struct gpudbg_image *image, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, uint64_t shift)
{
    const struct wave_code c = code_of(image->isa, d, w);
    return c.count ? fits(image, &c, 1, shift) : is_code(image, &c, shift);
}

bool dump_placed(const struct gpudbg_dump *d, const char *family, uint64_t *shift)
{
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    struct dump_placed *placed = dump_placed_of(d);
    if (!image || !image->isa || !family || !dump_family_fits(family, image->isa)) return false;
    if (placed->image != image) {
        size_t good;
        const char *problem;
        placed->image = image;
        placed->ok = dump_place(image, d, false, &placed->shift, &good, &problem);
    }
    *shift = placed->shift;
    return placed->ok;
}

void dump_place_anew(struct gpudbg_dump *d) { dump_placed_of(d)->image = NULL; }
