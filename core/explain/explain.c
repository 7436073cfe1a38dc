/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c: applies the rules to a dump.  What is true many times is one finding that says how often. */
#include "explain/explain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump_show.h"
#include "explain/explain_keys.h"
#include "gpudbg/unset.h"
#include "word/registers.h"

#define TEXT_MOST 1500
#define DISTINCT 12 /* (3 of notes) findings of one rule in one capture; the others are counted */
#define COUNTS 4096
#define CAPTURES 200 /* explained at once; more would be no page that anybody reads */
#define KINDS 64     /* of incidents in one capture that are told apart at once */
#define NAMES 32     /* of registers, the same */

/* Numbers of things by the capture that they belong to: those of capture c are number[start[c]] to before
 * number[start[c + 1]].  number NULL: there is one capture, which has them all in their order. */
struct by_capture {
    uint32_t *start, *number;
};

/* What a long log says again and again is looked up once. */
struct kind_seen {
    const struct gpudbg_incident_kind *kind;
    uint32_t n, line; /* how many; the first one's line */
};
struct name_seen {               /* strings of a dump are kept once, so that they compare by address */
    struct gpudbg_record record; /* its value counts for nothing */
    const struct gpudbg_reg *reg;
};

struct explain {
    struct by_capture records, incidents, notes;
    struct rules rules;
    struct finding *finding;
    size_t n, room;
    struct explain_count count[COUNTS];
    size_t ncounts;
    struct kind_seen kinds[KINDS]; /* of the capture's incidents */
    struct name_seen names[NAMES]; /* of the capture's registers */
    size_t nkinds, nnames;
    bool all_kinds, all_names; /* there are no others */
    uint64_t done, todo;       /* things looked at, of those that the rules look at */
    bool stopped;              /* by the user */
};

/* Between two things that a rule looks at. */
static bool go_on(struct explain *e, const struct context *c)
{
    if (++e->done % 1024 == 0 && !ticker_goes_on(&c->options->ticker, e->done, e->todo > e->done ? e->todo : e->done))
        e->stopped = true;
    return !e->stopped;
}

/* ---- Findings ---- */

/* By the rule's name, else by its cause. */
static unsigned weight_of(const struct rules *rules, const struct finding *f)
{
    const char *text = rules_word(rules, "weight", f->rule);
    if (!text) text = rules_word(rules, "weight", f->cause);
    return text ? (unsigned)strtoul(text, NULL, 10) : 50;
}

/* The sentence and its evidence as they are the last time; where it began is kept. */
static void told_anew(struct finding *have, const struct finding *f)
{
    free(have->text);
    have->text = xstrdup(f->text);
    memcpy(have->evidence, f->evidence, sizeof have->evidence);
    have->nevidence = f->nevidence;
}

/* Adds what the rule found, or counts it with the same. */
static void found(struct explain *e, struct finding *f, uint32_t line, bool notes)
{
    unsigned same_rule = 0;
    struct finding *more = NULL;
    f->count = 1;
    f->line = f->last = line;
    for (size_t i = e->n; i-- > 0 && e->finding[i].capture == f->capture;) {
        struct finding *have = &e->finding[i];
        if (have->rule != f->rule) continue;
        same_rule++;
        if (range_takes(have, f)) {
            e->n -= range_join(e->finding, e->n, f->capture);
            return;
        }
        if (strcmp(have->text, f->text) == 0 || (f->fold[0] && strcmp(have->fold, f->fold) == 0)) {
            if (f->fold[0] && strcmp(have->text, f->text) != 0) told_anew(have, f);
            have->count++;
            have->last = line;
            return;
        }
        if (!more) more = have;
    }
    if (same_rule >= (unsigned)(notes ? 3 : DISTINCT) && more) {
        static const char beyond[] = "more like these";
        if (strcmp(more->text, beyond) == 0) {
            more->count++;
            more->last = line;
            return;
        }
        snprintf(f->text, sizeof beyond, "%s", beyond);
        f->shape = NULL;
    }
    if (e->n == e->room) {
        size_t room = e->room ? 2 * e->room : 64;
        e->finding = xrealloc(e->finding, room, sizeof *e->finding);
        e->room = room;
    }
    f->weight = weight_of(&e->rules, f);
    e->finding[e->n] = *f;
    if (f->shape) e->finding[e->n].shape = xstrdup(f->shape);
    e->finding[e->n++].text = xstrdup(f->text);
}

/* Whether there are an instruction set and registers of the family here. */
static bool family_known(const struct gpudbg_dump *d, const char *family)
{
    return gpudbg_dump_isa_named(d, family) && registers_any(gpudbg_dump_databases(d), family);
}

static bool family_fits(const struct rule *rule, const struct context *c)
{
    for (unsigned i = 0; i < rule->nfamilies; i++) {
        if (strcmp(rule->family[i], "other") == 0     ? c->family && !c->known
            : strcmp(rule->family[i], "unknown") == 0 ? !c->family
                                                      : c->family && strcmp(rule->family[i], c->family) == 0)
            return true;
    }
    return !rule->nfamilies;
}

/* What the rule, which holds of the subject that is set, says. */
static void say(struct explain *e, struct context *c, const char *what, uint32_t line)
{
    char text[TEXT_MOST] GPUDBG_UNSET, shape[TEXT_MOST] GPUDBG_UNSET;
    struct key_value v GPUDBG_UNSET;
    struct finding *f = &c->finding;
    const bool is_register = c->record != NULL;
    if (!sentence(c, text, sizeof text)) return;
    for (unsigned i = 0; i < c->rule->nevidence; i++) key_value(c, c->rule->evidence[i], &v);
    if (what && !is_register && (c->rule->subject != ON_CAPTURE || !f->nevidence))
        add_evidence(c, what, line); /* behind the registers that it is told by */
    if (c->rule->fold && key_value(c, c->rule->fold, &v) && v.is_text)
        snprintf(f->fold, sizeof f->fold, "%.63s", v.text);
    f->text = text;
    range_of(c, shape, sizeof shape);
    found(e, f, line, c->note != NULL);
    f->text = f->shape = NULL;
}

/* The rule on the subject that is set.  Of a long log most rules hold of nothing, so that this is run often. */
static void apply(struct explain *e, struct context *c, const char *what, uint32_t line)
{
    struct finding *f = &c->finding;
    f->rule = c->rule->name;
    f->cause = c->rule->cause;
    f->source = c->rule->source;
    f->capture = c->capture;
    f->fold[0] = 0;
    f->text = f->shape = NULL;
    f->from = f->to = 0;
    f->nevidence = 0;
    if (what && c->record) add_evidence(c, what, line);
    for (unsigned i = 0; i < c->rule->nwhen; i++)
        if (!condition_holds(c, &c->rule->when[i])) return;
    say(e, c, what, line);
}

/* ---- Subjects ---- */

static uint32_t number_of(const struct by_capture *by, uint32_t k) { return by->number ? by->number[k] : k; }

static void on_incidents(struct explain *e, struct context *c)
{
    const struct gpudbg_incident_kind *about = NULL; /* the latest that the rule is about */
    bool any = !e->all_kinds;
    for (size_t i = 0; i < e->nkinds && !any; i++) any = strcmp(e->kinds[i].kind->word, c->rule->about) == 0;
    for (uint32_t k = e->incidents.start[c->capture]; any && k < e->incidents.start[c->capture + 1] && go_on(e, c);
         k++) {
        c->incident = gpudbg_dump_incident_at(c->d, number_of(&e->incidents, k));
        if (c->incident->kind != about && strcmp(c->incident->kind->word, c->rule->about) != 0) continue;
        about = c->incident->kind;
        apply(e, c, about->word, c->incident->line);
    }
    c->incident = NULL;
}

static bool is_named(const struct gpudbg_record *r, const char *name)
{
    size_t n = strlen(name);
    if (!r->name) return false;
    if (n && name[n - 1] == '*') return strncmp(r->name, name, n - 1) == 0;
    return strcmp(r->name, name) == 0 || (r->reg && strcmp(r->reg, name) == 0);
}

/* What the databases have for a register of the context's capture. */
static const struct gpudbg_reg *reg_of(struct explain *e, const struct context *c, const struct gpudbg_record *r)
{
    for (size_t i = 0; i < e->nnames; i++) {
        const struct gpudbg_record *x = &e->names[i].record;
        if (x->name == r->name && x->reg == r->reg && x->addr == r->addr && x->flags == r->flags)
            return e->names[i].reg;
    }
    const struct gpudbg_reg *reg = gpudbg_dump_reg(c->d, r);
    e->all_names &= e->nnames < NAMES;
    if (e->nnames < NAMES) e->names[e->nnames++] = (struct name_seen){*r, reg};
    return reg;
}

/* Whether a register of the capture may be the rule's subject. */
static bool any_register(const struct explain *e, const struct context *c)
{
    bool any = !e->all_names;
    if (c->rule->subject == ON_BUSY) {
        for (size_t i = 0; i < e->ncounts; i++)
            if (strcmp(e->count[i].word, "busy") == 0) return true;
        return false;
    }
    for (size_t i = 0; i < e->nnames && !any; i++) any = is_named(&e->names[i].record, c->rule->about);
    return any;
}

static void on_registers(struct explain *e, struct context *c)
{
    struct gpudbg_record r;
    if (!any_register(e, c)) return;
    for (uint32_t k = e->records.start[c->capture]; k < e->records.start[c->capture + 1] && go_on(e, c); k++) {
        gpudbg_dump_record(c->d, number_of(&e->records, k), &r);
        if (c->rule->subject == ON_REGISTER && !is_named(&r, c->rule->about)) continue;
        c->record = &r;
        c->reg = reg_of(e, c, &r);
        char busy[8];
        if (c->rule->subject == ON_REGISTER ||
            (c->reg && !(r.flags & GPUDBG_REC_WRITE) && strcmp(c->reg->space, "mmio") == 0 &&
                list_fields(c->reg, r.value, r.mask, LIST_BUSY, busy, sizeof busy))) {
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
    for (size_t i = 0; i < n && go_on(e, c); i++) {
        if (wave[i].capture != c->capture) continue;
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
    for (uint32_t k = e->notes.start[c->capture]; k < e->notes.start[c->capture + 1] && go_on(e, c); k++) {
        c->note = &note[number_of(&e->notes, k)];
        if (strcmp(c->note->kind, c->rule->about) == 0) apply(e, c, c->note->kind, c->note->line);
    }
    c->note = NULL;
}

static void on_streams(struct explain *e, struct context *c)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(c->d, &n);
    for (size_t i = 0; i < n && go_on(e, c); i++) {
        c->stream = &s[i];
        c->stream_index = i;
        if (s[i].capture != c->capture || strcmp(s[i].kind, c->rule->about) != 0) continue;
        take_instruction(c);
        uint32_t line = s[i].read != GPUDBG_NO_ADDR && s[i].read < s[i].size
                            ? gpudbg_dump_stream_line(c->d, i, (size_t)s[i].read)
                            : 0;
        apply(e, c, s[i].kind, line ? line : s[i].line);
    }
    c->stream = NULL;
    c->has_insn = false;
}

/* ---- What there is, by capture ---- */

/* capture_of(d, i): of thing number i; UINT32_MAX past the end. */
static void sort_by_capture(struct by_capture *to, const struct gpudbg_dump *d, size_t captures,
    uint32_t (*capture_of)(const struct gpudbg_dump *, size_t))
{
    uint32_t capture;
    size_t n = 0;
    to->start = xcalloc(captures + 2, sizeof *to->start);
    for (; (capture = capture_of(d, n)) != UINT32_MAX; n++)
        if (capture < captures) to->start[capture + 2]++;
    if (captures > 1) to->number = xcalloc(n + 1, sizeof *to->number);
    for (size_t c = 2; c < captures + 2; c++) to->start[c] += to->start[c - 1];
    if (captures == 1) to->start[1] = (uint32_t)n;
    for (size_t i = 0; to->number && i < n; i++)
        if ((capture = capture_of(d, i)) < captures) to->number[to->start[capture + 1]++] = (uint32_t)i;
}

static uint32_t capture_of_record(const struct gpudbg_dump *d, size_t i)
{
    struct gpudbg_record r;
    return gpudbg_dump_record(d, i, &r) ? r.capture : UINT32_MAX;
}

static uint32_t capture_of_incident(const struct gpudbg_dump *d, size_t i)
{
    const struct gpudbg_incident *x = gpudbg_dump_incident_at(d, i);
    return x ? x->capture : UINT32_MAX;
}

static uint32_t capture_of_note(const struct gpudbg_dump *d, size_t i)
{
    size_t n;
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(d, &n);
    return i < n ? note[i].capture : UINT32_MAX;
}

static void count_several(struct explain *e, uint32_t capture, const char *word, uint32_t line, uint32_t n)
{
    for (size_t i = e->ncounts; i-- > 0;)
        if (strcmp(e->count[i].word, word) == 0) {
            e->count[i].n += n;
            return;
        }
    if (e->ncounts < COUNTS) e->count[e->ncounts++] = (struct explain_count){capture, word, n, line};
}

static void count(struct explain *e, uint32_t capture, const char *word, uint32_t line)
{
    count_several(e, capture, word, line, 1);
}

static void count_incident(struct explain *e, uint32_t capture, const struct kind_seen *seen)
{
    const char *word = seen->kind->word;
    count_several(e, capture, word, seen->line, seen->n);
    count_several(e, capture, "told", seen->line, seen->n);
    if (!rules_word(&e->rules, "harmless", word)) count_several(e, capture, "incidents", seen->line, seen->n);
}

/* Kinds are counted in the order in which they are met, so that a count has the line of the first that it counts. */
static void count_incidents(struct explain *e, uint32_t capture, const struct gpudbg_dump *d)
{
    e->nkinds = 0;
    e->all_kinds = true;
    for (uint32_t k = e->incidents.start[capture]; k < e->incidents.start[capture + 1]; k++) {
        const struct gpudbg_incident *x = gpudbg_dump_incident_at(d, number_of(&e->incidents, k));
        size_t i = 0;
        while (i < e->nkinds && e->kinds[i].kind != x->kind) i++;
        if (i < e->nkinds) {
            e->kinds[i].n++;
        } else if (i < KINDS) {
            e->kinds[e->nkinds++] = (struct kind_seen){x->kind, 1, x->line};
        } else {
            e->all_kinds = false;
            count_incident(e, capture, &(struct kind_seen){x->kind, 1, x->line});
        }
    }
    for (size_t i = 0; i < e->nkinds; i++) count_incident(e, capture, &e->kinds[i]);
}

static void count_record(struct explain *e, const struct context *c, size_t number)
{
    struct gpudbg_record r;
    char text[8];
    gpudbg_dump_record(c->d, number, &r);
    const struct gpudbg_reg *reg = reg_of(e, c, &r);
    count(e, r.capture, "registers", r.line);
    count(e, r.capture, "told", r.line);
    if (r.value == (r.bits == 64 ? UINT64_MAX : UINT32_MAX)) count(e, r.capture, "ones", r.line);
    if (!reg || (r.flags & GPUDBG_REC_WRITE) || strcmp(reg->space, "mmio") != 0) return;
    unsigned busy = list_fields(reg, r.value, r.mask, LIST_BUSY, text, sizeof text);
    if (busy) count(e, r.capture, "busy", r.line);
    if (busy || list_fields(reg, r.value, r.mask, LIST_IDLE, text, sizeof text)) count(e, r.capture, "status", r.line);
}

/* Of the context's capture. */
static void count_all(struct explain *e, struct context *c)
{
    size_t n;
    const uint32_t this = c->capture;
    e->ncounts = e->nnames = 0;
    e->all_names = true;
    count_incidents(e, this, c->d);
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(c->d, &n);
    for (uint32_t k = e->notes.start[this]; k < e->notes.start[this + 1]; k++)
        count(e, this, note[number_of(&e->notes, k)].kind, note[number_of(&e->notes, k)].line);
    const struct gpudbg_dump_wave *wave = gpudbg_dump_waves(c->d, &n);
    for (size_t i = 0; i < n; i++)
        if (wave[i].capture == this) {
            count(e, this, "waves", wave[i].line);
            count(e, this, "told", wave[i].line);
        }
    const struct gpudbg_stream *s = gpudbg_dump_streams(c->d, &n);
    for (size_t i = 0; i < n; i++)
        if (s[i].capture == this) {
            count(e, this, s[i].kind, s[i].line);
            count(e, this, "told", s[i].line);
            if (s[i].read != GPUDBG_NO_ADDR && s[i].write != GPUDBG_NO_ADDR && s[i].read != s[i].write)
                count(e, this, "waiting", s[i].line);
        }
    for (uint32_t k = e->records.start[this]; k < e->records.start[this + 1] && go_on(e, c); k++)
        count_record(e, c, number_of(&e->records, k));
    c->counts = e->count;
    c->ncounts = e->ncounts;
}

static void on_capture(struct explain *e, struct context *c, const struct gpudbg_capture *capture)
{
    bool lost = dump_lost(c->d, c->capture); /* what registers say then means nothing */
    count_all(e, c);
    for (size_t i = 0; i < e->rules.nrules && !e->stopped; i++) {
        c->rule = &e->rules.rule[i];
        if (!c->rule->text || !family_fits(c->rule, c) ||
            (lost && (c->rule->subject == ON_REGISTER || c->rule->subject == ON_BUSY)))
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

/* ---- Opening ---- */

struct explain *explain_open(const struct gpudbg_dump *d, const struct folders *folders,
    const struct explain_options *options, struct gpudbg_error *err)
{
    struct rules rules;
    if (rules_read(&rules, folders, err)) return explain_by(d, &rules, options);
    rules_free(&rules);
    return NULL;
}

static void say_more(struct explain *e, size_t captures, uint32_t number, const struct gpudbg_capture *next)
{
    char text[200];
    struct finding f = {.rule = "more-captures",
        .cause = "limit",
        .source = "-",
        .text = text,
        .capture = number,
        .nevidence = 1,
        .evidence = {{"capture", next->line}}};
    snprintf(text, sizeof text, "%zu more captures are not explained here: `explain -c %u` goes on with the next",
        captures - number, number);
    found(e, &f, next->line, false);
}

static void say_stopped(struct explain *e, uint32_t line)
{
    char text[] = "stopped by the user: rules are not all applied";
    struct finding f = {.rule = "stopped",
        .cause = "limit",
        .source = "-",
        .text = text,
        .nevidence = 1,
        .evidence = {{"capture", line}}};
    found(e, &f, line, false);
}

/* What matters most comes first; what matters equally stays in the order of the rules. */
static void by_weight(struct explain *e, size_t from)
{
    for (size_t i = from + 1; i < e->n; i++) { /* findings of a capture are few */
        const struct finding f = e->finding[i];
        size_t at = i;
        for (; at > from && e->finding[at - 1].weight < f.weight; at--) e->finding[at] = e->finding[at - 1];
        e->finding[at] = f;
    }
}

struct explain *explain_by(
    const struct gpudbg_dump *d, const struct rules *rules, const struct explain_options *options)
{
    const uint32_t first = options->first;
    struct explain *e = xalloc(sizeof *e);
    size_t n;
    bool assumed;
    e->rules = *rules;
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    sort_by_capture(&e->records, d, n, capture_of_record);
    sort_by_capture(&e->incidents, d, n, capture_of_incident);
    sort_by_capture(&e->notes, d, n, capture_of_note);
    e->todo = (gpudbg_dump_records(d) + gpudbg_dump_incidents(d)) * (1 + rules->nrules / 4);
    for (size_t i = first; i < n && i - first < CAPTURES && !e->stopped; i++) {
        struct context c = {
            .options = options, .d = d, .rules = &e->rules, .capture = (uint32_t)i, .chip = capture[i].chip};
        c.family = capture[i].family ? capture[i].family : dump_family(d, (uint32_t)i, &assumed);
        c.known = c.family && family_known(d, c.family);
        const size_t before = e->n;
        on_capture(e, &c, &capture[i]);
        by_weight(e, before);
        context_end(&c);
    }
    if (e->stopped)
        say_stopped(e, n ? capture[0].line : 0);
    else if (n > first && n - first > CAPTURES)
        say_more(e, n, first + CAPTURES, &capture[first + CAPTURES]);
    return e;
}

void explain_close(struct explain *e)
{
    for (size_t i = 0; i < e->n; i++) {
        free(e->finding[i].text);
        free(e->finding[i].shape);
    }
    free(e->finding);
    struct by_capture *lists[] = {&e->records, &e->incidents, &e->notes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i]->start);
        free(lists[i]->number);
    }
    rules_free(&e->rules);
    free(e);
}

const struct finding *explain_finding(const struct explain *e, size_t i) { return i < e->n ? &e->finding[i] : NULL; }

bool explain_problem(const struct explain *e, struct gpudbg_error *err)
{
    if (e->rules.problem.kind) *err = e->rules.problem;
    return e->rules.problem.kind;
}
