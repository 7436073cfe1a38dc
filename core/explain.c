/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c: applies the rules to a dump.  What is true many times is one finding that says how often. */
#include "explain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dump_show.h"
#include "explain_keys.h"
#include "registers.h"

#define TEXT_MOST 1500
#define DISTINCT 12 /* (3 of notes) findings of one rule in one capture; the others are counted */
#define COUNTS 4096

struct explain {
    struct rules rules;
    struct finding *finding;
    size_t n, room;
    struct explain_count count[COUNTS];
    size_t ncounts;
};

/* ---- Findings ---- */

/* Adds what the rule found, or counts it with the same. */
static void found(struct explain *e, struct finding *f, uint32_t line, bool notes)
{
    unsigned same_rule = 0;
    struct finding *more = NULL;
    for (size_t i = e->n; i-- > 0 && e->finding[i].capture == f->capture;) {
        struct finding *have = &e->finding[i];
        if (have->rule != f->rule)
            continue;
        same_rule++;
        if (strcmp(have->text, f->text) == 0) {
            have->count++;
            have->last = line;
            return;
        }
        if (!more)
            more = have;
    }
    if (same_rule >= (unsigned)(notes ? 3 : DISTINCT) && more) {
        static const char beyond[] = "more like these";
        if (strcmp(more->text, beyond) == 0) {
            more->count++;
            more->last = line;
            return;
        }
        snprintf(f->text, sizeof beyond, "%s", beyond);
    }
    if (e->n == e->room) {
        size_t room = e->room ? 2 * e->room : 64;
        struct finding *grown = realloc(e->finding, room * sizeof *grown);
        if (!grown)
            return;
        e->finding = grown;
        e->room = room;
    }
    f->count = 1;
    f->last = line;
    e->finding[e->n] = *f;
    if ((e->finding[e->n].text = strdup(f->text)))
        e->n++;
}

/* Whether there are registers of that family here. */
static bool family_known(struct gpudbg *g, const char *family)
{
    struct gpudbg_error none = {0};
    return registers_isa(g, family, &none) != NULL;
}

static bool family_fits(const struct rule *rule, const struct context *c)
{
    for (unsigned i = 0; i < rule->nfamilies; i++) {
        bool known = c->family && family_known(c->g, c->family);
        if (strcmp(rule->family[i], "other") == 0 ? c->family && !known
            : strcmp(rule->family[i], "unknown") == 0 ? !c->family
            : c->family && strcmp(rule->family[i], c->family) == 0)
            return true;
    }
    return !rule->nfamilies;
}

/* The rule on the subject that is set. */
static void apply(struct explain *e, struct context *c, const char *what, uint32_t line)
{
    char text[TEXT_MOST];
    struct finding *f = &c->finding;
    struct key_value v;
    *f = (struct finding){.rule = c->rule->name, .cause = c->rule->cause, .source = c->rule->source, .capture = c->capture};
    if (!family_fits(c->rule, c))
        return;
    bool is_register = c->record != NULL;
    if (what && is_register)
        add_evidence(c, what, line);
    for (unsigned i = 0; i < c->rule->nwhen; i++)
        if (!condition_holds(c, &c->rule->when[i]))
            return;
    if (!sentence(c, text, sizeof text))
        return;
    for (unsigned i = 0; i < c->rule->nevidence; i++)
        key_value(c, c->rule->evidence[i], &v);
    if (what && !is_register && (c->rule->subject != ON_CAPTURE || !f->nevidence))
        add_evidence(c, what, line); /* behind the registers that it is told by */
    f->text = text;
    found(e, f, line, c->note != NULL);
    f->text = NULL;
}

/* ---- Subjects ---- */

static void on_incidents(struct explain *e, struct context *c)
{
    size_t n = gpudbg_dump_incidents(c->d);
    for (size_t i = 0; i < n; i++) {
        c->incident = gpudbg_dump_incident_at(c->d, i);
        if (c->incident->capture == c->capture && strcmp(c->incident->kind->word, c->rule->about) == 0)
            apply(e, c, c->incident->kind->word, c->incident->line);
    }
    c->incident = NULL;
}

static bool is_named(const struct gpudbg_record *r, const char *name)
{
    size_t n = strlen(name);
    if (!r->name)
        return false;
    if (n && name[n - 1] == '*')
        return strncmp(r->name, name, n - 1) == 0;
    return strcmp(r->name, name) == 0 || (r->reg && strcmp(r->reg, name) == 0);
}

static void on_registers(struct explain *e, struct context *c)
{
    struct gpudbg_record r;
    for (size_t i = 0; gpudbg_dump_record(c->d, i, &r); i++) {
        if (r.capture != c->capture || (c->rule->subject == ON_REGISTER && !is_named(&r, c->rule->about)))
            continue;
        c->record = &r;
        c->reg = dump_reg(c->g, c->d, &r);
        char busy[8];
        if (c->rule->subject == ON_REGISTER || (c->reg && !(r.flags & GPUDBG_REC_WRITE) &&
                strcmp(c->reg->space, "mmio") == 0 && list_fields(c->reg, r.value, r.mask, LIST_BUSY, busy, sizeof busy))) {
            take_instruction(c);
            apply(e, c, r.name, r.line);
        }
    }
    c->record = NULL;
    c->reg = NULL;
    c->has_insn = false;
}

static void on_waves(struct explain *e, struct context *c)
{
    size_t n;
    const struct gpudbg_dump_wave *wave = gpudbg_dump_waves(c->d, &n);
    for (size_t i = 0; i < n; i++) {
        if (wave[i].capture != c->capture)
            continue;
        c->wave = &wave[i];
        take_instruction(c);
        apply(e, c, NULL, wave[i].line);
    }
    c->wave = NULL;
    c->has_insn = false;
}

static void on_notes(struct explain *e, struct context *c)
{
    size_t n;
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(c->d, &n);
    for (size_t i = 0; i < n; i++) {
        c->note = &note[i];
        if (note[i].capture == c->capture && strcmp(note[i].kind, c->rule->about) == 0)
            apply(e, c, note[i].kind, note[i].line);
    }
    c->note = NULL;
}

static void on_streams(struct explain *e, struct context *c)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(c->d, &n);
    for (size_t i = 0; i < n; i++) {
        c->stream = &s[i];
        c->stream_index = i;
        if (s[i].capture != c->capture || strcmp(s[i].kind, c->rule->about) != 0)
            continue;
        take_instruction(c);
        uint32_t line = s[i].read != GPUDBG_NO_ADDR && s[i].read < s[i].size ? gpudbg_dump_stream_line(c->d, i, (size_t)s[i].read) : 0;
        apply(e, c, s[i].kind, line ? line : s[i].line);
    }
    c->stream = NULL;
    c->has_insn = false;
}

static void on_capture(struct explain *e, struct context *c, const struct gpudbg_capture *capture)
{
    bool lost = dump_lost(c->d, c->capture); /* what registers say then means nothing */
    for (size_t i = 0; i < e->rules.nrules; i++) {
        c->rule = &e->rules.rule[i];
        if (!c->rule->text || (lost && (c->rule->subject == ON_REGISTER || c->rule->subject == ON_BUSY)))
            continue;
        switch (c->rule->subject) {
        case ON_CAPTURE: apply(e, c, capture->title ? capture->title : "capture", capture->line); break;
        case ON_INCIDENT: on_incidents(e, c); break;
        case ON_REGISTER:
        case ON_BUSY: on_registers(e, c); break;
        case ON_WAVE: on_waves(e, c); break;
        case ON_NOTE: on_notes(e, c); break;
        case ON_STREAM: on_streams(e, c); break;
        }
    }
}

/* ---- Counting what there is ---- */

static void count(struct explain *e, uint32_t capture, const char *word, uint32_t line)
{
    for (size_t i = e->ncounts; i-- > 0;)
        if (e->count[i].capture == capture && strcmp(e->count[i].word, word) == 0) {
            e->count[i].n++;
            return;
        }
    if (e->ncounts < COUNTS)
        e->count[e->ncounts++] = (struct explain_count){capture, word, 1, line};
}

static void count_all(struct explain *e, struct gpudbg *g, const struct gpudbg_dump *d)
{
    struct gpudbg_record r;
    size_t n;
    char text[8];
    for (size_t i = 0; i < gpudbg_dump_incidents(d); i++) {
        const struct gpudbg_incident *x = gpudbg_dump_incident_at(d, i);
        count(e, x->capture, x->kind->word, x->line);
        if (!rules_word(&e->rules, "harmless", x->kind->word))
            count(e, x->capture, "incidents", x->line);
    }
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(d, &n);
    for (size_t i = 0; i < n; i++)
        count(e, note[i].capture, note[i].kind, note[i].line);
    const struct gpudbg_dump_wave *wave = gpudbg_dump_waves(d, &n);
    for (size_t i = 0; i < n; i++)
        count(e, wave[i].capture, "waves", wave[i].line);
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    for (size_t i = 0; i < n; i++)
        count(e, s[i].capture, s[i].kind, s[i].line);
    for (size_t i = 0; gpudbg_dump_record(d, i, &r); i++) {
        const struct gpudbg_reg *reg = dump_reg(g, d, &r);
        count(e, r.capture, "registers", r.line);
        if (r.value == (r.bits == 64 ? UINT64_MAX : UINT32_MAX))
            count(e, r.capture, "ones", r.line);
        if (!reg || (r.flags & GPUDBG_REC_WRITE) || strcmp(reg->space, "mmio") != 0)
            continue;
        unsigned busy = list_fields(reg, r.value, r.mask, LIST_BUSY, text, sizeof text);
        if (busy)
            count(e, r.capture, "busy", r.line);
        if (busy || list_fields(reg, r.value, r.mask, LIST_IDLE, text, sizeof text))
            count(e, r.capture, "status", r.line);
    }
}

/* ---- Opening ---- */

struct explain *explain_open(struct gpudbg *g, const struct gpudbg_dump *d, struct gpudbg_error *err)
{
    struct rules rules;
    if (rules_read(&rules, g, err))
        return explain_by(g, d, &rules);
    rules_free(&rules);
    return NULL;
}

struct explain *explain_by(struct gpudbg *g, const struct gpudbg_dump *d, const struct rules *rules)
{
    struct explain *e = calloc(1, sizeof *e);
    size_t n;
    bool assumed;
    if (!e)
        abort();
    e->rules = *rules;
    count_all(e, g, d);
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; i < n; i++) {
        struct context c = {.g = g, .d = d, .rules = &e->rules, .counts = e->count, .ncounts = e->ncounts, .capture = (uint32_t)i,
            .chip = capture[i].chip};
        c.family = capture[i].family ? capture[i].family : dump_family(g, d, (uint32_t)i, &assumed);
        on_capture(e, &c, &capture[i]);
    }
    return e;
}

void explain_close(struct explain *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->finding[i].text);
    free(e->finding);
    rules_free(&e->rules);
    free(e);
}

const struct finding *explain_finding(const struct explain *e, size_t i)
{
    return i < e->n ? &e->finding[i] : NULL;
}

bool explain_problem(const struct explain *e, struct gpudbg_error *err)
{
    if (e->rules.problem.kind)
        *err = e->rules.problem;
    return e->rules.problem.kind;
}
