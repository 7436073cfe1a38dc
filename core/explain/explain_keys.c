/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_keys.c: keys of rules: what they stand for in a dump. */
#include "base/alloc.h"
#include "explain/explain_keys.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "dump/dump.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "word/registers.h"

/* Rules look at keys often; most of them differ in their first letter. */
static bool is(const char *key, const char *word) { return *key == *word && strcmp(key, word) == 0; }
static bool starts(const char *key, const char *word) { return *key == *word && strncmp(key, word, strlen(word)) == 0; }

void add_evidence(struct context *c, const char *name, uint32_t line)
{
    struct finding *f = &c->finding;
    for (unsigned i = 0; i < f->nevidence; i++)
        if (f->evidence[i].line == line && strcmp(f->evidence[i].name, name) == 0) return;
    if (f->nevidence < EVIDENCE) f->evidence[f->nevidence++] = (struct evidence){name, line};
}

static bool say_text(struct key_value *v, const char *text)
{
    struct text t = text_in(v->text, sizeof v->text);
    v->is_text = true;
    if (text) text_add_bytes(&t, text, strlen(text));
    return text != NULL;
}

static bool say_number(struct key_value *v, uint64_t n)
{
    v->n = n;
    return true;
}

static bool field_value(
    const struct gpudbg_reg *reg, const struct gpudbg_record *r, const char *name, struct key_value *v)
{
    char blank[128];
    const struct gpudbg_field *f = reg ? register_field(reg, name) : NULL;
    if (reg && !f) { /* keys have no blanks, fields may */
        snprintf(blank, sizeof blank, "%s", name);
        for (char *p = blank; *p; p++)
            if (*p == '_') *p = ' ';
        f = register_field(reg, blank);
    }
    if (!f || !(r->mask >> f->run[0].lo & 1)) return false;
    v->field = f;
    return say_number(v, key_field_bits(f, r->value));
}

static uint64_t count_of(struct context *c, const char *word)
{
    for (size_t i = 0; i < c->ncounts; i++)
        if (c->counts[i].capture == c->capture && strcmp(c->counts[i].word, word) == 0) {
            add_evidence(c, c->counts[i].word, c->counts[i].line);
            return c->counts[i].n;
        }
    return 0;
}

static bool fact_value(struct context *c, const char *key, struct key_value *v)
{
    size_t n;
    const struct gpudbg_dump_fact *f = gpudbg_dump_facts(c->d, &n);
    for (size_t i = 0; i < n; i++)
        if (f[i].capture == c->capture && strcmp(f[i].key, key) == 0) {
            add_evidence(c, f[i].key, f[i].line);
            return f[i].text ? say_text(v, f[i].text) : say_number(v, f[i].value);
        }
    return false;
}

static bool insn_value(const struct context *c, const char *name, struct key_value *v)
{
    struct gpudbg_field_iter it;
    if (!c->has_insn) return false;
    if (!*name) return say_text(v, c->insn.op->name);
    if (strcmp(name, "text") == 0) return c->insn_text[0] && say_text(v, c->insn_text);
    for (gpudbg_insn_fields(&it, &c->insn); gpudbg_next_field(&it);)
        if (strcasecmp(it.field->name, name) == 0) return say_number(v, it.value);
    return false;
}

static bool named_value(const struct gpudbg_incident *x, const char *key, uint64_t *n)
{
    for (unsigned i = 0; i < GPUDBG_INCIDENT_VALUES && x->kind->keys[i]; i++)
        if ((x->have >> i & 1) && is(x->kind->keys[i], key)) {
            *n = x->values[i];
            return true;
        }
    return false;
}

/* Whether incidents of its kind may have a value of that name. */
static bool may_have(const struct gpudbg_incident *x, const char *key)
{
    for (unsigned i = 0; i < GPUDBG_INCIDENT_VALUES && x->kind->keys[i]; i++)
        if (is(x->kind->keys[i], key)) return true;
    return false;
}

static bool incident_value(const struct context *c, const char *key, struct key_value *v)
{
    return named_value(c->incident, key, &v->n);
}

struct buffers {
    size_t n;
    struct buffer {
        uint64_t start, end;
        const struct gpudbg_incident *incident;
        size_t order;
    } row[];
};

static int by_start(const void *a, const void *b)
{
    const struct buffer *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static const struct buffers *buffers_of(struct context *c)
{
    const size_t all = gpudbg_dump_incidents(c->d);
    if (c->buffers) return c->buffers;
    c->buffers = xalloc(sizeof *c->buffers + all * sizeof *c->buffers->row);
    c->buffers->n = 0;
    for (size_t i = 0; i < all; i++) {
        const struct gpudbg_incident *x = gpudbg_dump_incident_at(c->d, i);
        struct buffer b = {.incident = x, .order = i};
        if (x->capture == c->capture && named_value(x, "start", &b.start) && named_value(x, "end", &b.end))
            c->buffers->row[c->buffers->n++] = b;
    }
    if (c->buffers->n) qsort(c->buffers->row, c->buffers->n, sizeof *c->buffers->row, by_start);
    return c->buffers;
}

void context_end(struct context *c) { free(c->buffers); }

/* "buffer": where the faulting page lies among the buffers that the dump lists. */
static bool buffer_value(struct context *c, struct key_value *v)
{
    uint64_t page, addr;
    if (!c->incident) return false;
    if (named_value(c->incident, "page", &page))
        addr = page << 12;
    else if (!named_value(c->incident, "address", &addr))
        return false;
    const struct buffers *all = buffers_of(c);
    size_t lo = 0, hi = all->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (all->row[mid].start <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo) return say_text(v, "below every buffer");
    const struct gpudbg_incident *near = all->row[lo - 1].incident;
    const uint64_t near_start = all->row[lo - 1].start, near_end = all->row[lo - 1].end;
    add_evidence(c, near->kind->word, near->line);
    v->is_text = true;
    if (addr < near_end)
        snprintf(v->text, sizeof v->text, "inside the buffer 0x%" PRIx64 "-0x%" PRIx64 "%s%.80s", near_start, near_end,
            near->text ? ", " : "", near->text ? near->text : "");
    else
        snprintf(v->text, sizeof v->text,
            "0x%" PRIx64 " bytes past the end of the buffer 0x%" PRIx64 "-0x%" PRIx64 "%s%.80s", addr - near_end,
            near_start, near_end, near->text ? ", " : "", near->text ? near->text : "");
    return true;
}

/* "engine-names": what the mask of i915's engines holds: engines from Linux 5.0 on (rcs0, bcs0, vcs0, vcs1), later
 * their classes (render, copy, video, video enhancement, compute), of which the first two have one engine each. */
static bool engines_value(const struct context *c, struct key_value *v)
{
    static const char *const names[] = {"rcs0", "bcs0", "a video engine (vcs)", "vcs1 or vecs", "vcs2 or ccs"};
    uint64_t mask;
    if (!c->incident || !named_value(c->incident, "engines", &mask) || !mask) return false;
    struct text t = text_in(v->text, sizeof v->text);
    v->is_text = true;
    for (unsigned i = 0; i < 64; i++)
        if (mask >> i & 1) {
            text_add(&t, "%s", v->text[0] ? ", " : "");
            if (i < sizeof names / sizeof *names)
                text_add(&t, "%s", names[i]);
            else
                text_add(&t, "engine %u", i);
        }
    return true;
}

static bool subject_value(struct context *c, const char *key, struct key_value *v)
{
    const char *unit = c->incident ? c->incident->unit
                       : c->record ? c->record->unit
                       : c->wave   ? c->wave->unit
                       : c->stream ? c->stream->unit
                                   : NULL;
    if (is(key, "unit")) return say_text(v, unit);
    if (is(key, "text")) return say_text(v, c->incident ? c->incident->text : c->note ? c->note->text : NULL);
    if (is(key, "name")) return say_text(v, c->record ? c->record->name : c->stream ? c->stream->name : NULL);
    if (is(key, "summary") && c->incident) return say_text(v, c->incident->kind->summary);
    if (is(key, "buffer")) return buffer_value(c, v);
    if (is(key, "engine-names")) return engines_value(c, v);
    if (c->incident && incident_value(c, key, v)) return true;
    if (c->record && is(key, "value")) return say_number(v, c->record->value);
    if (c->record && field_value(c->reg, c->record, key, v)) return true;
    if (c->stream && is(key, "read")) return c->stream->read != GPUDBG_NO_ADDR && say_number(v, c->stream->read);
    if (c->stream && is(key, "write")) return c->stream->write != GPUDBG_NO_ADDR && say_number(v, c->stream->write);
    if (c->stream && is(key, "bytes")) return say_number(v, c->stream->size);
    if (is(key, "before")) return c->place[0] && say_text(v, c->before[0] ? c->before : "nothing");
    if (is(key, "place")) return c->place[0] && say_text(v, c->place);
    return false;
}

/* The pc of a wave, in words if the loaded code has it. */
static bool wave_pc(struct context *c, const char *key, struct key_value *v)
{
    struct gpudbg_record lo;
    char text[200];
    uint64_t pc;
    if (!c->wave || (strcmp(key, "pc") != 0 && strcmp(key, "where") != 0)) return false;
    const struct gpudbg_isa *isa = c->family ? gpudbg_dump_isa_named(c->d, c->family) : NULL;
    if (!dump_wave_pc(isa, c->d, c->wave, &pc)) return false;
    dump_wave_part(isa, c->d, c->wave, "pc", 0, &lo);
    add_evidence(c, lo.name, lo.line);
    if (key[0] == 'p') return say_number(v, pc);
    uint64_t shift = 0;
    if (dump_placed(c->d, c->family, &shift) && gpudbg_image_at(*dump_env_of(c->d)->image, pc - shift))
        image_where(*dump_env_of(c->d)->image, pc - shift, text, sizeof text);
    else
        snprintf(text, sizeof text, "0x%" PRIx64, pc);
    return say_text(v, text);
}

/* The record of that name that lies nearest to the subject: the wave's, the engine's, on the incident's lines, the
 * capture's. */
static bool near_record(struct context *c, const char *name, struct gpudbg_record *r)
{
    if (c->wave) return dump_wave_register(c->d, c->wave, name, r);
    if (c->incident) {
        size_t lo = c->placed == c->incident ? c->first_record : 0, hi = gpudbg_dump_records(c->d);
        while (c->placed != c->incident && lo < hi) {
            size_t middle = lo + (hi - lo) / 2;
            if (gpudbg_dump_record(c->d, middle, r) && r->line < c->incident->line)
                lo = middle + 1;
            else
                hi = middle;
        }
        c->placed = c->incident;
        c->first_record = lo;
        for (; gpudbg_dump_record(c->d, lo, r) && r->line <= c->incident->last; lo++)
            if (r->name && r->capture == c->capture && strcasecmp(r->name, name) == 0) return true;
    }
    if (c->record && c->record->unit && gpudbg_dump_find(c->d, c->capture, c->record->unit, name, r)) return true;
    return gpudbg_dump_find(c->d, c->capture, NULL, name, r);
}

/* REG or REG.FIELD; names of registers may have a dot and a digit ("cr0.1"). */
static bool register_value(struct context *c, const char *key, struct key_value *v)
{
    char name[128];
    struct gpudbg_record r;
    const char *dot = strchr(key, '.');
    if (dot && isdigit((unsigned char)dot[1])) dot = strchr(dot + 1, '.');
    struct text t = text_in(name, sizeof name);
    text_add_bytes(&t, key, dot ? (size_t)(dot - key) : strlen(key));
    if (!near_record(c, name, &r)) return false;
    if (!dot) {
        add_evidence(c, r.name, r.line);
        return say_number(v, r.value);
    }
    if (!field_value(gpudbg_dump_reg(c->d, &r), &r, dot + 1, v)) return false;
    add_evidence(c, r.name, r.line);
    return true;
}

void key_letters(uint64_t n, char *buf)
{
    size_t at = 0;
    for (int i = 24; i >= 0; i -= 8) {
        char letter = (char)(n >> i & 0xff);
        if (letter > ' ' && letter < 127) buf[at++] = letter;
    }
    buf[at] = 0;
}

void key_hex(uint64_t n, char *buf)
{
    unsigned digits = 1;
    while (digits < 16 && n >> 4 * digits) digits++;
    *buf++ = '0';
    *buf++ = 'x';
    while (digits--) *buf++ = "0123456789abcdef"[n >> 4 * digits & 15];
    *buf = 0;
}

/* "is.LIST.KEY": 1 if the word, or the four letters, that KEY gives are in the list, else 0. */
static bool list_value(struct context *c, const char *names, struct key_value *v)
{
    char list[64], text[8];
    struct key_value word = {0};
    const char *dot = strchr(names, '.');
    snprintf(list, sizeof list, "%.*s", dot ? (int)(dot - names) : 0, names);
    if (!dot || !subject_value(c, dot + 1, &word)) return false;
    if (!word.is_text) key_letters(word.n, text);
    return say_number(v, rules_word(c->rules, list, word.is_text ? word.text : text) != NULL);
}

/* "minus.A.B": A - B */
static bool difference_value(struct context *c, const char *keys, struct key_value *v)
{
    char first[64];
    struct key_value b = {0};
    const char *dot = strchr(keys, '.');
    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - keys) : 0, keys);
    return dot && subject_value(c, first, v) && subject_value(c, dot + 1, &b) && say_number(v, v->n - b.n);
}

/* "joined.A+B": A above the 32 bits of B; each a register or its field. */
static bool joined_value(struct context *c, const char *keys, struct key_value *v)
{
    char high[96];
    struct key_value a = {0};
    const char *plus = strchr(keys, '+');
    snprintf(high, sizeof high, "%.*s", plus ? (int)(plus - keys) : 0, keys);
    return plus && register_value(c, high, &a) && register_value(c, plus + 1, v) &&
           say_number(v, a.n << 32 | (v->n & UINT32_MAX));
}

/* "bits.HI.LO.KEY": these bits of a number. */
static bool bits_value(struct context *c, const char *text, struct key_value *v)
{
    char *end;
    const unsigned long hi = strtoul(text, &end, 10), lo = *end == '.' ? strtoul(end + 1, &end, 10) : 64;
    if (*end != '.' || hi > 63 || lo > hi || !(subject_value(c, end + 1, v) || register_value(c, end + 1, v)) ||
        v->is_text)
        return false;
    v->field = NULL;
    return say_number(v, v->n >> lo & (hi - lo == 63 ? UINT64_MAX : (UINT64_C(1) << (hi - lo + 1)) - 1));
}

static unsigned zeros(uint32_t word)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 32; i++) n += !(word >> i & 1);
    return n;
}

/* Whether the subject is of another engine than the render engine: headers of 3D and media mean other things there. */
static bool of_other_engine(const struct context *c)
{
    const char *unit = c->incident ? c->incident->unit : c->record ? c->record->unit : NULL;
    uint64_t mask;
    if (c->incident && named_value(c->incident, "engines", &mask) && mask) return mask != 1;
    return unit && strncmp(unit, "rcs", 3) != 0 && strncmp(unit, "render", 6) != 0;
}

/* An ecode is a command's header XOR the state of the units, where 0 is busy and few are: the headers of the lists
 * `header` and `header-GENERATION` that leave the fewest zeros, one or two of them.  3D and media commands are the
 * render engine's. */
static bool guess_value(struct context *c, struct key_value *v)
{
    enum { TYPE_RENDER = 3 }; /* bits 31:29 of a header */
    const bool other = of_other_engine(c);
    struct key_value code;
    const struct word_entry *best[2] = {NULL};
    unsigned least = 4, n = 0;
    uint64_t generation = 0;
    char own[32];
    if (!c->incident || !incident_value(c, "ecode", &code)) return false;
    named_value(c->incident, "generation", &generation);
    snprintf(own, sizeof own, "header-%" PRIu64, generation);
    for (size_t i = 0; i < c->rules->nwords; i++) {
        const struct word_entry *w = &c->rules->word[i];
        if (strcmp(w->list, "header") != 0 && strcmp(w->list, own) != 0) continue;
        const uint32_t header = (uint32_t)strtoul(w->word, NULL, 0);
        if (other && header >> 29 == TYPE_RENDER) continue;
        const unsigned few = zeros((uint32_t)code.n ^ header);
        if (few < least) least = few, n = 0;
        if (few == least && least < 4 && n++ < 2) best[n - 1] = w;
    }
    if (!n || n > 2) return false;
    v->is_text = true;
    for (unsigned i = 0; i < n; i++) {
        const size_t at = strlen(v->text);
        snprintf(v->text + at, sizeof v->text - at, "%s%s (header %s) with the units' state 0x%08x",
            i ? ", or in " : "", best[i]->means, best[i]->word,
            (uint32_t)code.n ^ (uint32_t)strtoul(best[i]->word, NULL, 0));
    }
    return true;
}

/* "xor.A.B": A XOR B, each a register of the capture or a value of the subject. */
static bool xor_value(struct context *c, const char *keys, struct key_value *v)
{
    char first[64];
    struct key_value a = {0}, b = {0};
    const char *dot = strchr(keys, '.');
    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - keys) : 0, keys);
    return dot && (subject_value(c, first, &a) || register_value(c, first, &a)) &&
           (subject_value(c, dot + 1, &b) || register_value(c, dot + 1, &b)) && say_number(v, a.n ^ b.n);
}

/* Whether the word of a list is the header: all of it, or "VALUE/MASK" its opcode. */
static bool is_header(const char *word, uint64_t header)
{
    char *end;
    const uint64_t value = strtoul(word, &end, 0), mask = *end == '/' ? strtoul(end + 1, NULL, 0) : UINT32_MAX;
    return (header & mask) == value;
}

/* The command that a header is, by the lists `header`, `header-GENERATION` and those of opcodes: `command`, and
 * `command-render` of 3D and media. */
static bool header_value(struct context *c, uint64_t header, struct key_value *v)
{
    char own[32];
    uint64_t generation = 0;
    if (c->family && strncmp(c->family, "gen", 3) == 0)
        generation = (uint64_t)strtol(c->family + 3, NULL, 10);
    else if (!(c->family && strncmp(c->family, "Xe", 2) == 0) &&
             (!c->incident || !named_value(c->incident, "generation", &generation)))
        return false;
    snprintf(own, sizeof own, "header-%" PRIu64, generation);
    const char *const lists[] = {"header", own, "command", of_other_engine(c) ? NULL : "command-render"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists && lists[k]; k++)
        for (size_t i = 0; i < c->rules->nwords; i++) {
            const struct word_entry *w = &c->rules->word[i];
            if (strcmp(w->list, lists[k]) == 0 && is_header(w->word, header)) return say_text(v, w->means);
        }
    return false;
}

/* Of "A, B or C" the first that there are an instruction set and registers of. */
static bool either_value(const struct context *c, struct key_value *v)
{
    char name[32];
    if (!c->family || !strstr(c->family, " or ")) return false;
    for (const char *p = c->family; *p; p += strspn(p, ", ")) {
        const size_t n = strcspn(p, ", ");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (gpudbg_dump_isa_named(c->d, name) && registers_any(gpudbg_dump_databases(c->d), name))
            return say_text(v, name);
        p += n;
    }
    return false;
}

/* A key that does not belong to the subject alone; *known: it is one. */
static bool general_value(struct context *c, const char *key, struct key_value *v, bool *known)
{
    *known = true;
    if (is(key, "family")) return say_text(v, c->family);
    if (is(key, "chip")) return say_text(v, c->chip);
    if (starts(key, "number.")) return say_number(v, count_of(c, key + 7));
    if (starts(key, "fact.")) return fact_value(c, key + 5, v);
    if (starts(key, "is.")) return list_value(c, key + 3, v);
    if (starts(key, "minus.")) return difference_value(c, key + 6, v);
    if (starts(key, "bits.")) return bits_value(c, key + 5, v);
    if (starts(key, "joined.")) return joined_value(c, key + 7, v);
    if (is(key, "decodable")) return say_number(v, c->decodable);
    if (is(key, "in-ring")) return say_number(v, c->in_ring);
    if (is(key, "ring-empty")) return say_number(v, c->ring_empty);
    if (is(key, "lost")) return say_number(v, dump_lost(c->d, c->capture));
    if (is(key, "guess")) return guess_value(c, v);
    if (is(key, "either")) return either_value(c, v);
    if (is(key, "header")) return c->record && header_value(c, c->record->value, v);
    if (is(key, "ipehr-command")) {
        struct key_value header = {0};
        return register_value(c, "IPEHR", &header) && header_value(c, header.n, v);
    }
    if (starts(key, "xor.")) return xor_value(c, key + 4, v);
    if (is(key, "op") || starts(key, "op.")) return insn_value(c, key[2] ? key + 3 : "", v);
    return *known = false;
}

bool key_value(struct context *c, const char *key, struct key_value *v)
{
    v->is_text = false;
    v->n = 0;
    v->text[0] = 0;
    v->field = NULL;
    bool known = false, there = false;
    if (*key >= 'a' && *key <= 'z') there = general_value(c, key, v, &known);
    if (known) return there;
    if (subject_value(c, key, v)) return true;
    if (c->incident && may_have(c->incident, key)) return false; /* and no register is called so */
    return wave_pc(c, key, v) || register_value(c, key, v);
}
