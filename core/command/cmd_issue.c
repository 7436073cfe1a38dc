/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_issue.c: what a run cost by the model of its instruction set (gpudbg/costs.h): `info issue`, `set model`.  Each
 * number is a count of the run, multiplied by a rule that is named beside it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "control/profile.h"
#include "image/image.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

static const char *const units[GPUDBG_WORKS] = {
    "scalar", "vector", "constant", "memory", "local", "export", "branch", "wait", "other"};

/* ---- The model ---- */

static const struct gpudbg_costing *costing(struct gpudbg *g, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = session_any_isa(g, err);
    if (!isa) return NULL;
    if (isa->costs && isa->costs->rules) return isa->costs;
    gpudbg_fail(err, "unsupported", "there is no model of what execution costs on %s", isa->name);
    return NULL;
}

static uint32_t rule_value(const struct gpudbg *g, const struct gpudbg_cost_rule *rule)
{
    for (unsigned i = 0; i < g->settings.nmodel; i++)
        if (g->settings.model[i].rule == rule) return g->settings.model[i].value;
    return rule->value;
}

static bool run_set_model(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_costing *c = costing(g, err);
    const char *name = c ? gpudbg_args_word(a) : NULL;
    uint64_t value;
    (void)out;
    if (!c) return false;
    if (!name) return gpudbg_fail(err, "usage", "set model NAME VALUE: `info model` lists the names");
    const struct gpudbg_cost_rule *rule = c->rules;
    while (rule->name && strcmp(rule->name, name) != 0) rule++;
    if (!rule->name) return gpudbg_fail(err, "no-such-name", "the model has no rule %s (info model)", name);
    if (!gpudbg_args_number(a, &value, err) || !args_end(a, err)) return false;
    if (value > 1000000) return gpudbg_fail(err, "out-of-range", "%" PRIu64 " is not 0 to 1000000", value);
    unsigned i = 0;
    while (i < g->settings.nmodel && g->settings.model[i].rule != rule) i++;
    if (i == sizeof g->settings.model / sizeof *g->settings.model)
        return gpudbg_fail(err, "limit", "too many rules were changed");
    g->settings.model[i].rule = rule;
    g->settings.model[i].value = (uint32_t)value;
    if (i == g->settings.nmodel) g->settings.nmodel++;
    return true;
}

static const struct gpudbg_command set_model = {
    .name = "set model",
    .usage = "NAME VALUE",
    .summary = "change a number of the model that `info issue` counts with",
    .help = "`info model` lists the rules, their numbers and sources.  latency is 0 at first: gpudbg does not know\n"
            "it and estimates no waits until you say one.",
    .family = "Info",
    .run = run_set_model,
};

struct model_row {
    const struct gpudbg *g;
    const struct gpudbg_cost_rule *rule;
};

static int model_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct model_row *)row)->rule->name);
}

static int model_value(const void *row, char *buf, size_t size)
{
    const struct model_row *r = row;
    return snprintf(buf, size, "%" PRIu32, rule_value(r->g, r->rule));
}

static int model_doc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct model_row *)row)->rule->doc);
}

static int model_source(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct model_row *)row)->rule->source);
}

static const struct gpudbg_column model_columns[] = {
    {"name", "rule", 0, GPUDBG_NAME, model_name},
    {"value", "number", 0, GPUDBG_COUNT, model_value},
    {"doc", "what it is", 0, GPUDBG_PLAIN, model_doc},
    {"source", "source", 0, GPUDBG_NOTE, model_source},
};

static bool model_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_costing *c = costing(g, err);
    (void)args;
    for (const struct gpudbg_cost_rule *r = c ? c->rules : NULL; r && r->name; r++)
        if (!each(to, &(struct model_row){g, r})) break;
    return c != NULL;
}

static const struct gpudbg_listing model = {
    .name = "model",
    .summary = "list the rules by which `info issue` counts, with their sources; `set model` changes a number",
    .columns = model_columns,
    .ncolumns = sizeof model_columns / sizeof *model_columns,
    .rows = model_rows,
};

/* ---- Accesses of the run ---- */

struct touched {
    uint64_t addr, size;
    int lane;
};

/* What the accesses of all instructions add up to. */
struct accessed {
    const struct gpudbg *g;
    const struct gpudbg_costing *costs;
    struct touched *at; /* of the instruction under way */
    size_t n, room;
    bool local;
    uint64_t *piece; /* numbers of words or lines, to be sorted */
    size_t pieces_room;
    uint64_t locals, conflicts;            /* instructions; cycles more than without conflicts */
    uint64_t globals, lines, least, bytes; /* instructions; cache lines, how many would do; bytes of lanes */
};

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The different units of `unit` bytes that accesses of lanes [from, to) touch, sorted, in piece[]. */
static size_t take_pieces(struct accessed *c, uint64_t unit, int from, int to)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (c->at[i].lane >= 0 && (c->at[i].lane < from || c->at[i].lane >= to)) continue;
        const uint64_t first = c->at[i].addr / unit, last = (c->at[i].addr + c->at[i].size - 1) / unit;
        for (uint64_t p = first; p <= last && p - first < 4096; p++) {
            if (n == c->pieces_room) {
                c->pieces_room = c->pieces_room ? 2 * c->pieces_room : 256;
                c->piece = xrealloc(c->piece, c->pieces_room, sizeof *c->piece);
            }
            c->piece[n++] = p;
        }
    }
    if (n) qsort(c->piece, n, sizeof *c->piece, by_number);
    for (size_t i = 0; i < n; i++)
        if (!i || c->piece[i] != c->piece[i - 1]) c->piece[kept++] = c->piece[i];
    return kept;
}

static uint32_t number(const struct accessed *c, enum gpudbg_rule rule)
{
    return rule_value(c->g, &c->costs->rules[rule]);
}

/* Lanes that access LDS at once take as many cycles as the bank that is wanted most has different words to give. */
static void count_conflicts(struct accessed *c)
{
    const uint32_t banks = number(c, GPUDBG_RULE_BANKS), unit = number(c, GPUDBG_RULE_BANK_BYTES),
                   lanes = number(c, GPUDBG_RULE_BANK_LANES);
    if (!banks || !unit || !lanes) return;
    uint32_t *wanted = xcalloc(banks, sizeof *wanted);
    c->locals++;
    for (int from = 0; from < 64; from += (int)lanes) {
        const size_t n = take_pieces(c, unit, from, from + (int)lanes);
        uint32_t most = 0;
        memset(wanted, 0, banks * sizeof *wanted);
        for (size_t i = 0; i < n; i++)
            if (++wanted[c->piece[i] % banks] > most) most = wanted[c->piece[i] % banks];
        c->conflicts += most - (n + banks - 1) / banks;
    }
    free(wanted);
}

static void count_lines(struct accessed *c)
{
    const uint32_t line = number(c, GPUDBG_RULE_LINE_BYTES);
    if (!line) return;
    const size_t bytes = take_pieces(c, 1, 0, 64);
    c->globals++;
    c->least += (bytes + line - 1) / line;
    c->lines += take_pieces(c, line, 0, 64);
    for (size_t i = 0; i < c->n; i++) c->bytes += c->at[i].size;
}

static bool flush(void *data, struct gpudbg_wave *w)
{
    struct accessed *c = data;
    (void)w;
    if (c->n && c->local)
        count_conflicts(c);
    else if (c->n)
        count_lines(c);
    c->n = 0;
    return false;
}

static void see_access(void *data, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct accessed *c = data;
    (void)w;
    if (a->space != GPUDBG_GLOBAL && a->space != GPUDBG_LOCAL) return;
    if (!a->size || (a->space == GPUDBG_GLOBAL && a->segment->flags & GPUDBG_SEG_PRIVATE)) return;
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->at = xrealloc(c->at, c->room, sizeof *c->at);
    }
    c->local = a->space == GPUDBG_LOCAL;
    c->at[c->n++] = (struct touched){a->addr, a->size, a->lane};
}

/* ---- Rows ---- */

struct issue_row {
    const char *unit, *rule, *source;
    char what[200];
    uint64_t executed, cycles;
    bool costs; /* cycles counts */
};

static int issue_unit(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct issue_row *)row)->unit);
}

static int issue_what(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct issue_row *)row)->what);
}

static int issue_executed(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct issue_row *)row)->executed);
}

static int issue_cycles(const void *row, char *buf, size_t size)
{
    const struct issue_row *r = row;
    return r->costs ? snprintf(buf, size, "%" PRIu64, r->cycles) : snprintf(buf, size, "%s", "");
}

static int issue_rule(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct issue_row *)row)->rule);
}

static int issue_source(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct issue_row *)row)->source);
}

static const struct gpudbg_column issue_columns[] = {
    {"unit", "unit", 0, GPUDBG_NAME, issue_unit},
    {"executed", "executed", 0, GPUDBG_COUNT, issue_executed},
    {"cycles", "cycles", 0, GPUDBG_COUNT, issue_cycles},
    {"rule", "rule", 0, GPUDBG_NAME, issue_rule},
    {"what", "what it is", 0, GPUDBG_PLAIN, issue_what},
    {"source", "source", 0, GPUDBG_NOTE, issue_source},
};

struct issue_list {
    struct gpudbg *g;
    const struct gpudbg_costing *costs;
    gpudbg_row_fn *each;
    void *to;
    bool enough;
    struct issue_sum {
        uint64_t executed, cycles;
    } sum[GPUDBG_WORKS][64];
    struct issue_row *wait; /* by text */
    size_t nwaits;
};

/* What the instruction waits for: what it says, or itself, where it only waits.  false: nothing. */
static bool wait_text(const struct issue_list *l, const struct gpudbg_insn *insn, bool waits, char *buf, size_t size)
{
    if (l->costs->waits && l->costs->waits(insn, buf, size) > 0) return true;
    return waits && code_insn_text(l->g->loaded.image, insn, l->g->settings.syntax, buf, size) > 0;
}

static void add_wait(struct issue_list *l, const char *text, uint64_t executed)
{
    const struct gpudbg_cost_rule *latency = &l->costs->rules[GPUDBG_RULE_LATENCY];
    size_t i = 0;
    while (i < l->nwaits && strcmp(l->wait[i].what, text) != 0) i++;
    if (i == l->nwaits) {
        l->wait = xrealloc(l->wait, l->nwaits + 1, sizeof *l->wait);
        l->wait[l->nwaits++] = (struct issue_row){.unit = "waits for",
            .rule = latency->name,
            .source = latency->source,
            .costs = rule_value(l->g, latency) != 0};
        snprintf(l->wait[i].what, sizeof l->wait[i].what, "%s", text);
    }
    l->wait[i].executed += executed;
    l->wait[i].cycles += executed * rule_value(l->g, latency);
}

static void add_place(struct issue_list *l, const struct profile_place *p)
{
    struct gpudbg_insn insn;
    struct gpudbg_cost cost = {.times = 0};
    if (!insn_at(l->g->loaded.image, p->pc, &insn) || !insn.op) return;
    l->costs->cost(&insn, &cost);
    struct issue_sum *s = &l->sum[cost.work][cost.rule & 63];
    s->executed += p->executed;
    s->cycles += p->executed * cost.times * rule_value(l->g, &l->costs->rules[cost.rule]);
    char text[200];
    if (wait_text(l, &insn, cost.work == GPUDBG_WORK_WAIT, text, sizeof text)) add_wait(l, text, p->executed);
}

static void give(struct issue_list *l, const struct issue_row *row)
{
    if (!l->enough) l->enough = !l->each(l->to, row);
}

static void give_sums(struct issue_list *l)
{
    for (unsigned work = 0; work < GPUDBG_WORKS; work++)
        for (unsigned i = 0; l->costs->rules[i].name && i < 64; i++) {
            const struct gpudbg_cost_rule *rule = &l->costs->rules[i];
            if (!l->sum[work][i].executed) continue;
            struct issue_row row = {.unit = units[work],
                .rule = rule->name,
                .source = rule->source,
                .executed = l->sum[work][i].executed,
                .cycles = l->sum[work][i].cycles,
                .costs = true};
            snprintf(row.what, sizeof row.what, "%s", rule->doc);
            give(l, &row);
        }
}

static void give_accesses(struct issue_list *l, const struct accessed *c)
{
    const struct gpudbg_cost_rule *banks = &l->costs->rules[GPUDBG_RULE_BANKS],
                                  *line = &l->costs->rules[GPUDBG_RULE_LINE_BYTES];
    struct issue_row row = {.unit = "conflicts",
        .rule = banks->name,
        .source = banks->source,
        .executed = c->locals,
        .cycles = c->conflicts,
        .costs = true};
    snprintf(row.what, sizeof row.what, "cycles more because lanes want different words of one bank");
    if (c->locals) give(l, &row);
    row = (struct issue_row){.unit = "lines", .rule = line->name, .source = line->source, .executed = c->globals};
    snprintf(row.what, sizeof row.what,
        "%" PRIu64 " cache lines for %" PRIu64 " bytes of lanes; side by side they would be %" PRIu64, c->lines,
        c->bytes, c->least);
    if (c->globals) give(l, &row);
}

static bool issue_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct profile p;
    const struct gpudbg_costing *costs = costing(g, err);
    if (!costs) return false;
    if (*args) return gpudbg_fail(err, "usage", "info issue takes no words");
    if (!profile_take(&g->control, &p, err)) return false;
    struct issue_list *l = xcalloc(1, sizeof *l);
    struct accessed c = {.g = g, .costs = costs};
    const struct machine_observer watcher = {.data = &c, .before = flush, .access = see_access};
    *l = (struct issue_list){.g = g, .costs = costs, .each = each, .to = to};
    const bool good = profile_watch(&g->control, &watcher, err);
    flush(&c, NULL);
    for (size_t i = 0; i < p.count && good; i++) add_place(l, &p.place[i]);
    if (good) {
        give_sums(l);
        give_accesses(l, &c);
        for (size_t i = 0; i < l->nwaits; i++) give(l, &l->wait[i]);
    }
    free(c.at);
    free(c.piece);
    free(l->wait);
    free(l);
    profile_free(&p);
    return good;
}

static const struct gpudbg_listing issue = {
    .name = "issue",
    .summary = "add up what the launch has cost so far, by the rules of `info model`: no measurement",
    .columns = issue_columns,
    .ncolumns = sizeof issue_columns / sizeof *issue_columns,
    .rows = issue_rows,
    .empty = "nothing was executed",
};

static const struct gpudbg_command *const commands[] = {&set_model, NULL};
static const struct gpudbg_listing *const listings[] = {&issue, &model, NULL};
COMMAND_FAMILY(
    cmd_issue, "issue", .summary = "what a run cost, by a model", .commands = commands, .listings = listings);
