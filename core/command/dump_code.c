/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_code.c: the code that the waves of a dump stand in, with the number of waves at each instruction. */
#include "command/dump_code.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/records.h"
#include "code/walk.h"
#include "dump/dump.h"
#include "dump/dump_descriptor.h"
#include "dump/dump_lanes.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "out/say.h"
#include "session/session.h"

#define BEFORE 4 /* instructions around one at which waves stand */
#define BEHIND 3
#define DIFFERENT_MOST 4   /* descriptors of waves at one instruction */
#define FILES_MOST 256     /* of code, that are searched */
#define REGISTERS_MOST 256 /* of a file that messages write */
#define INTERLOCK_BACK 64  /* instructions before one, searched for messages that it may wait for */

struct at { /* where a wave stands */
    uint64_t pc;
    size_t wave;
};

struct stand {
    uint64_t pc;         /* as the dump tells it */
    const struct at *at; /* the n waves that stand there */
    size_t n;
    size_t file; /* which file of code holds it, counted from 1; 0: none that is known */
    uint64_t shift;
};

struct places { /* of one capture and instruction set; two are never merged */
    struct gpudbg *g;
    const struct gpudbg_dump *d;
    const struct gpudbg_isa *isa;
    const struct gpudbg_dump_wave *wave; /* all of the dump */
    uint32_t capture;
    struct at *at;
    struct stand *stand;
    size_t nstands;
    const char *path;               /* the file whose code is shown, if it is not the loaded one */
    const struct gpudbg_line *line; /* of the source, of the row before */
    struct dump_programs programs;
    struct gpudbg_out *out;
};

static int by_pc(const void *a, const void *b)
{
    const struct at *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    return (x->wave > y->wave) - (x->wave < y->wave);
}

static bool is_here(const struct places *p, const struct gpudbg_dump_wave *w)
{
    bool assumed;
    return w->capture == p->capture && dump_wave_isa(p->d, w, &assumed) == p->isa;
}

static void find_stands(struct places *p)
{
    size_t waves, all = 0;
    p->wave = gpudbg_dump_waves(p->d, &waves);
    p->at = xcalloc(waves + 1, sizeof *p->at);
    p->stand = xcalloc(waves + 1, sizeof *p->stand);
    for (size_t i = 0; i < waves; i++)
        if (is_here(p, &p->wave[i]) && dump_wave_pc(p->isa, p->d, &p->wave[i], &p->at[all].pc)) p->at[all++].wave = i;
    if (all) qsort(p->at, all, sizeof *p->at, by_pc);
    for (size_t i = 0; i < all; i++) {
        if (!i || p->at[i - 1].pc != p->at[i].pc)
            p->stand[p->nstands++] = (struct stand){.pc = p->at[i].pc, .at = &p->at[i]};
        p->stand[p->nstands - 1].n++;
    }
}

/* ---- What waves wait for ---- */

/* "under way: vector memory 1 to 3; at a barrier" of the waves that stand there; "" if there is nothing. */
static void waits_text(const struct places *p, const struct stand *s, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    buf[0] = 0;
    for (const struct gpudbg_dumped_wait *row = p->isa->dumped ? p->isa->dumped->waits : NULL; row && row->record;
         row++) {
        uint64_t value, least = UINT64_MAX, most = 0;
        size_t set = 0, told = 0;
        for (size_t i = 0; i < s->n; i++) {
            if (!dump_wave_wait(p->isa, p->d, &p->wave[s->at[i].wave], row, &value)) continue;
            told++;
            set += value != 0;
            if (value < least) least = value;
            if (value > most) most = value;
        }
        if (!set) continue;
        text_add(&t, "%s%s", text_length(&t) ? "; " : "", row->words);
        if (!row->is_flag) text_add(&t, least < most ? " %" PRIu64 " to %" PRIu64 : " %" PRIu64, least, most);
        if (set < s->n) text_add(&t, " (%zu of %zu waves%s)", set, s->n, told < s->n ? "; some do not say it" : "");
    }
}

/* The first register of the instruction that the operand of a message before it writes and no later message does; -1:
 * none. */
static int awaited(const struct gpudbg_insn *insn, const struct gpudbg_operand *written, uint8_t *done)
{
    int first = -1;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || o->file != written->file) continue;
        for (unsigned r = o->reg; r < o->reg + o->count && r < REGISTERS_MOST; r++) {
            if (r < written->reg || r >= written->reg + written->count || done[r]) continue;
            if (first < 0) first = (int)r;
            done[r] = 1;
        }
    }
    return first;
}

/* "r12 of send at 0x40": the messages before it, in code that goes straight on, that write registers which the
 * instruction uses. */
static void interlock_text(const struct gpudbg_image *image, const struct gpudbg_insn *insn, struct text *t)
{
    const uint32_t leaves = GPUDBG_OP_BRANCH | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END;
    uint8_t done[REGISTERS_MOST] = {0};
    struct gpudbg_insn other;
    uint64_t at = insn->addr;
    for (unsigned k = 0; k < INTERLOCK_BACK && insn_before(image, at, &other); k++, at = other.addr) {
        if (gpudbg_insn_does(&other) & leaves) return;
        for (unsigned i = 0; i < other.noperands && gpudbg_insn_does(&other) & GPUDBG_OP_MESSAGE; i++) {
            const struct gpudbg_operand *w = &other.operands[i];
            if (w->kind != GPUDBG_REGISTER || !(w->flags & GPUDBG_WRITE)) continue;
            const int r = awaited(insn, w, done);
            if (r >= 0)
                text_add(t, "%s%s%d of %s at 0x%" PRIx64, text_length(t) ? "; " : "", insn->isa->files[w->file].name, r,
                    other.op->name, other.addr);
        }
    }
}

struct code_waits {
    uint64_t at;
    struct text *t;
};

static void add_wait(void *to, const struct gpudbg_wait *w)
{
    struct code_waits *c = to;
    if (w->consumer == c->at) text_add(c->t, "%s%s of 0x%" PRIx64, text_length(c->t) ? "; " : "", w->how, w->producer);
}

/* Which results the instruction needs, by the code.  A dump does not tell whether they have come. */
static void code_waits_text(const struct gpudbg_image *image, uint64_t addr, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct gpudbg_insn insn;
    uint64_t range[2];
    struct code_waits c = {.at = addr, .t = &t};
    buf[0] = 0;
    if (!image || !insn_at(image, addr, &insn)) return;
    if (insn.isa->rules.waits && insn.isa->rules.waits(image, addr, range, add_wait, &c)) return;
    if (insn.isa->dumped && insn.isa->dumped->interlocked) interlock_text(image, &insn, &t);
}

/* ---- Descriptors ---- */

struct different { /* descriptors that waves at one instruction hold in the same registers, or tables */
    struct dump_descriptor d;
    size_t n;
};

static bool same_descriptor(const struct dump_descriptor *a, const struct dump_descriptor *b)
{
    return a->known == b->known && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0 && a->program == b->program &&
           strcmp(a->missing, b->missing) == 0;
}

/* Those of the i-th descriptor; *others: how many found no room.  0: there is nothing to show. */
static size_t descriptors_of(const struct places *p, const struct gpudbg_insn *insn, unsigned i, const struct stand *s,
    struct different *list, size_t *others)
{
    size_t n = 0;
    *others = 0;
    for (size_t k = 0; k < s->n; k++) {
        struct dump_descriptor d;
        const struct dump_holder holder = {p->d, &p->wave[s->at[k].wave], &p->programs};
        for (size_t which = 0; dump_descriptor(insn, i, which, &holder, &d); which++) {
            const bool late = !d.at.table && insn->addr > s->pc - s->shift &&
                              dump_scalars_to_come(p->isa, p->d, holder.w);
            if ((!d.known && !d.missing[0]) || late) continue;
            size_t same = 0;
            while (same < n && !same_descriptor(&list[same].d, &d)) same++;
            if (same == DIFFERENT_MOST) {
                ++*others;
                continue;
            }
            if (same == n) list[n++] = (struct different){.d = d};
            list[same].n++;
        }
    }
    return n;
}

static void say_descriptor(
    const struct gpudbg_isa *isa, const struct dump_descriptor *d, size_t waves, size_t of, struct gpudbg_out *out)
{
    char text[900], why[96], place[64], kind[64], from[160] = "";
    const bool bad = dump_descriptor_bad(isa, d, why, sizeof why);
    dump_descriptor_text(d, text, sizeof text);
    dump_descriptor_place(d, place, sizeof place);
    dump_descriptor_kind(d, kind, sizeof kind);
    if (d->program)
        snprintf(from, sizeof from, "%s %s at 0x%" PRIx64, d->program->command, d->program->name, d->program->start);
    ITEM(out, NULL,
        "                       {registers}[ of {program}][, {some} waves]: {kind}[ at {address}][ BAD ({bad})]"
        "[: {missing}][ {text}]\n",
        STRING("kind", kind), STRING("registers", place), NUMBER("waves", waves), STRING("text", text[0] ? text : NULL),
        IF(bad, STRING("bad", why)), STRING("program", from[0] ? from : NULL),
        IF(d->at.table && d->known, HEX("address", d->entry.addr)),
        STRING("missing", d->missing[0] ? d->missing : NULL), IF(waves < of, TEXT_ONLY(NUMBER("some", waves))));
}

/* Prints the descriptors that an instruction uses: in registers of the waves at s, or in tables of their program. */
static void say_descriptors(struct places *p, const struct gpudbg_insn *insn, const struct stand *s)
{
    struct different list[DIFFERENT_MOST];
    size_t others;
    struct dump_descriptor first;
    const struct dump_holder holder = {p->d, &p->wave[s->at[0].wave], &p->programs};
    gpudbg_out_array(p->out, "descriptors");
    for (unsigned i = 0; dump_descriptor(insn, i, 0, &holder, &first); i++) {
        const size_t n = descriptors_of(p, insn, i, s, list, &others);
        for (size_t k = 0; k < n; k++) say_descriptor(p->isa, &list[k].d, list[k].n, s->n, p->out);
        if (others) gpudbg_out_print(p->out, "                       ... and %zu waves hold others\n", others);
    }
    gpudbg_out_close(p->out);
}

/* ---- Rows ---- */

static void say_row(struct places *p, const struct gpudbg_image *image, uint64_t address, const struct stand *here,
    const char *text, const struct gpudbg_insn *insn, const struct stand *by)
{
    char waves[24] = "", waits[320] = "", needs[320] = "";
    const struct gpudbg_line *line = image ? gpudbg_image_line(image, address) : NULL;
    if (here) snprintf(waves, sizeof waves, "%zu", here->n);
    if (here) waits_text(p, here, waits, sizeof waits);
    if (here) code_waits_text(image, address, needs, sizeof needs);
    if (line && line->file && (!p->line || p->line->line != line->line || p->line->file != line->file))
        gpudbg_out_print(p->out, "           %s:%" PRIu32 "\n", line->file, line->line);
    p->line = line;
    const bool lined = line && line->file;
    BEGIN(p->out, "wave-code", "{number:6} {mark}  {address:-10}  {text}[  <- {waits}][  needs {needs}]\n",
        HEX("address", address), NUMBER("waves", here ? here->n : 0), STRING("text", text),
        IF(waits[0], STRING("waits", waits)), STRING("needs", needs[0] ? needs : NULL),
        IF(here, HEX("pc", here ? here->pc : 0)), IF(lined, STRING("source", lined ? line->file : NULL)),
        IF(lined, NUMBER("source_line", lined ? line->line : 0)), STRING("file", p->path),
        NUMBER("capture", p->capture), TEXT("number", waves), TEXT("mark", here ? ">" : " "));
    if (insn && by) say_descriptors(p, insn, by);
    gpudbg_out_end(p->out);
}

static void insn_words(const struct gpudbg_dump *d, struct gpudbg_insn *insn, char *buf, size_t size)
{
    insn->databases = gpudbg_dump_databases(d);
    if (insn->isa->text(insn, insn_syntax_or_first(insn->isa, ""), GPUDBG_READABLE, NULL, buf, size) < 0)
        snprintf(buf, size, "%s", insn->op->name);
}

/* The next place from i on that the file holds; nstands: none. */
static size_t next_in(const struct places *p, size_t i, size_t file)
{
    while (i < p->nstands && p->stand[i].file != file) i++;
    return i;
}

/* The code around each place in a file, in address order; blocks that meet are one. */
static void show_in(struct places *p, const struct gpudbg_image *image, size_t file)
{
    uint64_t done = 0; /* address behind what has been shown */
    char text[512];
    size_t next = next_in(p, 0, file);
    if (image->isa != p->isa && image->isa->lanes != p->isa->lanes)
        gpudbg_out_print(p->out, "these waves have %u lanes; the code is shown as %s, for %u: open it with --isa %s\n",
            p->isa->lanes, image->isa->name, image->isa->lanes, p->isa->name);
    for (size_t i = next; i < p->nstands; i = next_in(p, i + 1, file)) {
        struct gpudbg_insn insn;
        const uint64_t pc = p->stand[i].pc - p->stand[i].shift;
        uint64_t at = pc;
        for (unsigned k = 0; k < BEFORE && at > done && insn_before(image, at, &insn); k++) at = insn.addr;
        if (at > done || !done) {
            image_where(image, pc, text, sizeof text);
            gpudbg_out_print(p->out, "%s:\n", text);
            p->line = NULL;
        }
        if (at < done) at = done;
        for (unsigned behind = 0; behind <= BEHIND && insn_at(image, at, &insn); at += insn.size) {
            while (next < p->nstands && p->stand[next].pc - p->stand[next].shift < at)
                next = next_in(p, next + 1, file);
            const bool stands = next < p->nstands && p->stand[next].pc - p->stand[next].shift == at;
            const struct stand *by = stands ? &p->stand[next] : &p->stand[i];
            insn_words(p->d, &insn, text, sizeof text);
            say_row(p, image, at, stands ? by : NULL, text, &insn,
                stands || dump_descriptor_stays(image, &insn, pc) ? by : NULL);
            behind += at >= pc;
            done = at + insn.size;
        }
    }
}

/* Where no code is loaded: the words that the waves tell of it. */
static void show_told(struct places *p)
{
    for (size_t i = 0; i < p->nstands; i++) {
        struct stand *s = &p->stand[i];
        struct gpudbg_record r;
        struct gpudbg_insn insn;
        uint8_t code[8];
        size_t words = 0;
        char text[512] = "the dump does not tell the words of code here";
        if (s->file) continue;
        for (; words < 2 && dump_wave_part(p->isa, p->d, &p->wave[s->at->wave], "code", (unsigned)words, &r); words++)
            le_put(code + 4 * words, r.value, 4);
        const bool known = words && p->isa->decode(p->isa, code, 4 * words, s->pc, &insn) > 0;
        if (known)
            insn_words(p->d, &insn, text, sizeof text);
        else if (words)
            snprintf(text, sizeof text, "0x%08x, which is not an instruction of %s", le_u32(code), p->isa->name);
        say_row(p, NULL, s->pc, s, text, known ? &insn : NULL, s);
    }
}

/* ---- Which file holds what ---- */

static size_t unplaced(const struct places *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstands; i++) n += !p->stand[i].file;
    return n;
}

/* Marks the places that lie in the file, moved as `shift` says. */
static size_t mark(struct places *p, const struct gpudbg_image *image, size_t file, uint64_t shift)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstands; i++) {
        struct stand *s = &p->stand[i];
        if (s->file || !gpudbg_image_at(image, s->pc - shift) ||
            !dump_wave_fits(image, p->d, &p->wave[s->at->wave], shift))
            continue;
        s->file = file;
        s->shift = shift;
        n++;
    }
    return n;
}

/* The waves' words say which other file they stand in.  Waves of one file may stand at several distances from it. */
static size_t search_file(struct places *p, const struct gpudbg_image *image, size_t file)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstands; i++) {
        uint64_t shift;
        if (!p->stand[i].file && dump_wave_place(image, p->d, &p->wave[p->stand[i].at->wave], &shift))
            n += mark(p, image, file, shift);
    }
    return n;
}

static void show_other_files(struct places *p)
{
    struct gpudbg *g = p->g;
    const struct load_env env = {g->registry, g->ticker, g->settings.memory_limit};
    const struct load_options options = g->folder.options;
    for (size_t i = 0; i < g->folder.n && i < FILES_MOST && unplaced(p); i++) {
        struct gpudbg_error ignored = {.offset = -1};
        if (strcmp(g->folder.path[i], g->loaded.image->path) == 0) continue;
        if (!gpudbg_goes_on(g, i, g->folder.n)) break;
        struct gpudbg_image *image = image_open(&env, g->folder.path[i], &options, &ignored);
        if (image && dump_isa_of_lanes(image->isa, p->isa->lanes) == p->isa && search_file(p, image, i + 2)) {
            gpudbg_out_print(p->out, "in %s, which `file %zu` loads:\n", g->folder.path[i], i + 1);
            p->path = g->folder.path[i];
            show_in(p, image, i + 2);
            p->path = NULL;
        }
        if (image) image_close(image);
    }
}

static void show_capture(struct places *p, const char *family)
{
    uint64_t shift;
    const struct gpudbg_image *image = p->g->loaded.image;
    find_stands(p);
    if (dump_placed(p->d, family, &shift) && mark(p, image, 1, shift)) show_in(p, image, 1);
    if (image && p->g->folder.n > 1) show_other_files(p);
    if (image && unplaced(p) && unplaced(p) < p->nstands) gpudbg_out_print(p->out, "in no open file of code:\n");
    show_told(p);
    if (!p->nstands) gpudbg_out_print(p->out, "the dump does not tell the program counters of its waves\n");
    free(p->at);
    free(p->stand);
}

/* ---- A dump without waves: what its programs would use ---- */

static void say_message(
    const struct dump_program *p, const struct gpudbg_insn *insn, struct gpudbg_insn *told, struct gpudbg_out *out)
{
    struct dump_descriptor d;
    char text[512];
    if (!dump_descriptor_of_program(insn, 0, p, &d)) return;
    *told = *insn;
    insn_words(p->d, told, text, sizeof text);
    BEGIN(out, "wave-code", "         {address:-10}  {text}\n", HEX("address", insn->addr), NUMBER("waves", 0),
        STRING("text", text), NUMBER("capture", p->capture));
    gpudbg_out_array(out, "descriptors");
    for (unsigned i = 0; dump_descriptor_of_program(insn, i, p, &d); i++) say_descriptor(insn->isa, &d, 0, 0, out);
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

static void show_program(const struct dump_program *p, struct gpudbg_out *out)
{
    struct gpudbg_insn insn, told;
    size_t held;
    uint64_t base = 0;
    const uint8_t *bytes = dump_program_code(p, &base, &held);
    gpudbg_out_print(out, "%s %s at 0x%" PRIx64 ":%s\n", p->command, p->name, p->start,
        bytes ? "" : " the dump does not hold its code to the end");
    for (size_t at = 0; bytes && at < held && !out_broken(out); at += insn.size)
        if (gpudbg_insn_at(p->isa, bytes + at, held - at, base + at, &insn)) say_message(p, &insn, &told, out);
}

static void show_programs(const struct gpudbg_dump *d, long capture, struct gpudbg_out *out)
{
    struct dump_programs all = {.n = 0};
    dump_programs_add(&all, d);
    gpudbg_out_print(out, "no waves%s\n", all.n ? ": what the programs that its commands start take from tables" : "");
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].isa && (capture < 0 || all.at[i].capture == (uint32_t)capture)) show_program(&all.at[i], out);
    dump_programs_end(&all);
}

static void say_undecoded(const char *family, struct gpudbg_out *out)
{
    gpudbg_out_print(out, "code of %s is not decoded%s; `explain` says where its waves are\n", family,
        strstr(family, " or ") ? ": name the generation with --isa" : "");
}

void dump_code_show(struct gpudbg *g, const struct gpudbg_dump *d, long capture, struct gpudbg_out *out)
{
    size_t waves, captures;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &waves);
    gpudbg_dump_captures(d, &captures);
    bool *shown = xcalloc(waves + 1, sizeof *shown), any = false;
    long said = -1; /* the capture whose title is printed */
    for (size_t i = 0; i < waves; i++) {
        bool assumed, ignored;
        if (shown[i] || (capture >= 0 && w[i].capture != (uint32_t)capture)) continue;
        const char *family = dump_family(d, w[i].capture, &ignored);
        const struct gpudbg_isa *isa = dump_wave_isa(d, &w[i], &assumed);
        struct places p = {.g = g, .d = d, .isa = isa, .capture = w[i].capture, .out = out};
        any = true;
        for (size_t k = i; k < waves; k++) shown[k] |= is_here(&p, &w[k]);
        if (captures > 1 && said != (long)w[i].capture) gpudbg_out_print(out, "capture %u:\n", (unsigned)w[i].capture);
        said = w[i].capture;
        if (assumed)
            gpudbg_out_print(out, "the dump does not say how many lanes its waves have: shown as %s, for %u\n",
                isa->name, isa->lanes);
        for (size_t k = 0; isa && k < g->loaded.ndumps; k++) dump_programs_add(&p.programs, g->loaded.dumps[k]);
        if (isa)
            show_capture(&p, family);
        else if (dump_waves_isa(d, w[i].capture))
            say_undecoded(gpudbg_dump_captures(d, &captures)[w[i].capture].family, out);
        else
            gpudbg_out_print(out, "the waves' generation is not known: name it with --isa\n");
        dump_programs_end(&p.programs);
    }
    if (!any) show_programs(d, capture, out);
    free(shown);
}
