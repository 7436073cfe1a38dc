/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables and expressions.  Every variable that is shown has an expression of the expression language: its value is
 * that expression's, and so is the place that setVariable stores to.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dap/client.h"
#include "eval/expr.h"
#include "eval/show.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define CHILDREN 1000  /* that are given to a client that does not ask for some of them */
#define TEXT_MAX 65536 /* of a variable with many parts */

/* ---- Expressions ---- */

/* The argument of the launch that the expression names, or NULL. */
static const struct gpudbg_bound *bound_named(struct dap *d, const char *expr)
{
    const struct gpudbg_launch *l = d->g->running.machine ? d->g->running.machine->launch : NULL;
    for (size_t i = 0; l && i < l->nbound; i++)
        if (l->bound[i].name && l->bound[i].segment && strcmp(l->bound[i].name, expr) == 0) return &l->bound[i];
    return NULL;
}

/* Bytes of an element of memory that has a name. */
static unsigned element_size(struct dap *d, const char *name)
{
    struct gpudbg_error ignored = {0};
    struct value v;
    char expr[300];
    snprintf(expr, sizeof expr, "%.250s[0]", name);
    return expr_value(&d->g->eval, expr, &v, &ignored) && v.type.bits >= 8 ? v.type.bits / 8u : 4;
}

static void set_elements(struct dap *d, json_t *to, const char *name, const struct gpudbg_segment *s, unsigned space)
{
    const unsigned size = element_size(d, name);
    const struct dap_handle handle = {.what = WHAT_ELEMENTS,
        .wave = d->g->selection.wave,
        .n = s->size / size,
        .addr = s->base,
        .space = space,
        .size = size,
        .expr = xstrdup(name)};
    json_object_set_new(to, "indexedVariables", json_integer((json_int_t)handle.n));
    json_object_set_new(to, "memoryReference", d_reference_text(d, space, s->base));
    json_object_set_new(to, "variablesReference", json_integer(d_handle(d, &handle)));
}

/* The parts of a value, where it has some: lanes of a register, unless the expression chooses one. */
static void set_lanes(struct dap *d, const char *expr, json_t *to, const struct value *v)
{
    const struct gpudbg_machine *m = d->g->running.machine;
    if (!m || strchr(expr, '[') || v->place != PLACE_REGISTER || m->isa->files[v->file].lanes <= 1 || v->count != 1 ||
        v->part)
        return;
    const struct dap_handle handle = {
        .what = WHAT_REGISTER, .wave = d->g->selection.wave, .file = v->file, .reg = v->reg};
    json_object_set_new(to, "indexedVariables", json_integer(m->lanes));
    json_object_set_new(to, "variablesReference", json_integer(d_handle(d, &handle)));
}

/* changes: an assignment in it is made, else refused. */
static bool evaluate(
    struct dap *d, const char *expr, bool changes, char letter, json_t *to, const char *key, struct gpudbg_error *err)
{
    struct eval *ev = &d->g->eval;
    struct value v;
    char type[32], *parts = xalloc(TEXT_MAX);
    if (locals_text(ev, expr, letter, parts, TEXT_MAX)) {
        const struct dap_handle handle = {.what = WHAT_PARTS,
            .wave = d->g->selection.wave,
            .frame = d->g->selection.frame.number,
            .expr = xstrdup(expr)};
        json_object_set_new(to, key, d_text(parts));
        json_object_set_new(to, "variablesReference", json_integer(strchr(expr, '@') ? 0 : d_handle(d, &handle)));
        d_add_writer(d, to, expr);
        if (strchr(expr, '@')) free(handle.expr);
        free(parts);
        return true;
    }
    free(parts);
    if (!(changes ? expr_value_changing : expr_value)(ev, expr, &v, err)) return false;
    char *text = show_text(ev, &v, letter, err);
    if (!text) return false;
    show_type(ev, &v, type, sizeof type);
    json_object_set_new(to, key, d_text(text));
    json_object_set_new(to, "type", json_string(type));
    json_object_set_new(to, "variablesReference", json_integer(0));
    if (v.place == PLACE_REGISTER || v.place == PLACE_MEMORY) d_add_writer(d, to, expr);
    free(text);
    const struct gpudbg_bound *bound = bound_named(d, expr);
    if (bound)
        set_elements(d, to, expr, bound->segment, GPUDBG_GLOBAL);
    else if (v.place == PLACE_MEMORY)
        json_object_set_new(to, "memoryReference", d_reference_text(d, v.space, v.addr));
    else if (v.address)
        json_object_set_new(to, "memoryReference", d_reference_text(d, v.space, v.u));
    set_lanes(d, expr, to, &v);
    return true;
}

bool d_evaluate(struct dap *d, const char *expr, bool changes, json_t *to, const char *key, struct gpudbg_error *err)
{
    return evaluate(d, expr, changes, 0, to, key, err);
}

/* ---- The variables of something ---- */

struct listing_of {
    struct dap *d;
    json_t *list;       /* variables; NULL: one is looked for */
    const char *wanted; /* its name */
    char *expr;         /* its expression, malloc'ed */
    char letter;
    uint64_t first, most, at;
    const struct dap_handle *of;
};

/* The next one is to be given. */
static bool counts(struct listing_of *l)
{
    const uint64_t at = l->at++;
    return l->wanted || (at >= l->first && at - l->first < l->most);
}

/* Takes the variable over, unless one is looked for. */
static void give(struct listing_of *l, const char *name, const char *expr, json_t *variable)
{
    if (l->wanted) {
        if (!l->expr && strcmp(name, l->wanted) == 0) l->expr = xstrdup(expr);
        json_decref(variable);
        return;
    }
    json_object_set_new(variable, "name", d_text(name));
    if (!json_object_get(variable, "variablesReference"))
        json_object_set_new(variable, "variablesReference", json_integer(0));
    if (*expr) json_object_set_new(variable, "evaluateName", d_text(expr));
    json_array_append_new(l->list, variable);
}

/* A variable that is an expression; what cannot be read says why. */
static void give_expression(struct listing_of *l, const char *name, const char *expr, const char *note)
{
    struct gpudbg_error err = {0};
    json_t *v = json_object();
    if (!counts(l)) {
        json_decref(v);
        return;
    }
    if (!l->wanted && !evaluate(l->d, expr, false, l->letter, v, "value", &err)) {
        char text[600];
        snprintf(text, sizeof text, "<%s>", err.message);
        json_object_set_new(v, "value", d_text(text));
        json_object_set_new(v, "presentationHint", json_pack("{s:[s]}", "attributes", "failedEvaluation"));
    }
    if (*note && !l->wanted) {
        char text[64];
        const char *type = d_string(v, "type");
        snprintf(text, sizeof text, "%s%s", type ? type : "", note);
        json_object_set_new(v, "type", d_text(text));
    }
    give(l, name, expr, v);
}

/* ---- Variables of the source ---- */

static bool each_local(void *to, const struct local_row *row)
{
    struct listing_of *l = to;
    const enum dap_what what = row->global ? WHAT_GLOBALS : row->parameter ? WHAT_ARGUMENTS : WHAT_LOCALS;
    if (what != l->of->what || !counts(l)) return true;
    json_t *v = json_object();
    struct gpudbg_error ignored = {0};
    if (!l->wanted && (!l->letter || !evaluate(l->d, row->name, false, l->letter, v, "value", &ignored)))
        json_object_set_new(v, "value", d_text(row->value));
    if (!l->wanted && *row->type) json_object_set_new(v, "type", d_text(row->type));
    if (!l->wanted) d_add_declaration(l->d, v, row->file, row->line);
    if (!l->wanted && row->value[0] != '<') d_add_writer(l->d, v, row->name);
    if (!l->wanted && row->parts) {
        const struct dap_handle handle = {
            .what = WHAT_PARTS, .wave = l->of->wave, .frame = l->of->frame, .expr = xstrdup(row->name)};
        json_object_set_new(v, "variablesReference", json_integer(d_handle(l->d, &handle)));
    }
    give(l, row->name, row->name, v);
    return true;
}

static bool each_part(void *to, const struct local_part *part)
{
    struct listing_of *l = to;
    char *expr;
    if (asprintf(&expr, l->of->expr[0] == '*' ? "(%s)%s" : "%s%s", l->of->expr, part->name) < 0) xalloc_end();
    json_t *v = json_pack("{s:o}", "value", d_text(part->value));
    if (*part->type) json_object_set_new(v, "type", d_text(part->type));
    if (!l->wanted && part->value[0] != '<') d_add_writer(l->d, v, expr);
    if (!l->wanted && part->parts) {
        const struct dap_handle handle = {
            .what = WHAT_PARTS, .wave = l->of->wave, .frame = l->of->frame, .expr = xstrdup(expr)};
        json_object_set_new(v, "variablesReference", json_integer(d_handle(l->d, &handle)));
    }
    give(l, part->name + (part->name[0] == '.'), expr, v);
    free(expr);
    return true;
}

/* ---- Registers ---- */

static void register_expr(const struct gpudbg_regfile *f, unsigned reg, char *buf, size_t size)
{
    buf[0] = '$';
    gpudbg_register_name(f, reg, buf + 1, size - 1);
}

/* All lanes of a register: the first of them are its value. */
static void give_lanes(struct listing_of *l, unsigned file, unsigned reg)
{
    struct dap *d = l->d;
    const struct gpudbg_machine *m = d->g->running.machine;
    char name[64], expr[80], text[120];
    struct gpudbg_error err = {0};
    struct value v;
    register_expr(&m->isa->files[file], reg, name, sizeof name);
    if (!counts(l)) return;
    snprintf(expr, sizeof expr, "%.60s[:]", name);
    char *all = !l->wanted && expr_value(&d->g->eval, expr, &v, &err) ? show_text(&d->g->eval, &v, l->letter, &err)
                                                                      : NULL;
    if (all && strlen(all) >= sizeof text)
        snprintf(text, sizeof text, "%.110s...", all);
    else
        snprintf(text, sizeof text, "%.110s", all ? all : err.message);
    const bool known = all != NULL;
    free(all);
    const struct dap_handle handle = {.what = WHAT_REGISTER, .wave = l->of->wave, .file = file, .reg = reg};
    json_t *variable = json_pack("{s:o, s:I}", "value", d_text(text), "indexedVariables", (json_int_t)m->lanes);
    if (!l->wanted) json_object_set_new(variable, "variablesReference", json_integer(d_handle(d, &handle)));
    if (!l->wanted && known) d_add_writer(d, variable, expr);
    give(l, name + 1, expr, variable);
}

static void give_registers(struct listing_of *l)
{
    struct gpudbg_machine *m = l->d->g->running.machine;
    const enum dap_what what = l->of->what;
    if (what == WHAT_SCALARS) give_expression(l, "pc", "$pc", "");
    if (what == WHAT_LANE) give_expression(l, "lane", "$lane", "");
    for (unsigned i = 0; i < m->isa->nfiles; i++) {
        const struct gpudbg_regfile *f = &m->isa->files[i];
        const bool lanes = f->lanes > 1 && !f->mask;
        if (what == WHAT_MASKS ? !f->mask : f->mask || (what == WHAT_SCALARS) == lanes) continue;
        const unsigned n = m->isa->run->count(m, i);
        if (!n || !machine_kept(m, i)) continue; /* what is not kept would have to be worked out from the launch on */
        for (unsigned reg = 0; reg < n; reg++) {
            char expr[80];
            register_expr(f, reg, expr, sizeof expr);
            if (what == WHAT_LANES)
                give_lanes(l, i, reg);
            else
                give_expression(l, expr + 1, expr, "");
        }
    }
}

static void give_one_register(struct listing_of *l)
{
    const struct gpudbg_machine *m = l->d->g->running.machine;
    const struct gpudbg_regfile *f = &m->isa->files[l->of->file];
    struct machine_wave_info info;
    char name[64], index[16], expr[96];
    machine_wave_info(l->d->g->running.machine, l->of->wave, &info);
    register_expr(f, l->of->reg, name, sizeof name);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        const bool exists = lane < 64 && info.lanes >> lane & 1, on = lane < 64 && info.active >> lane & 1;
        snprintf(index, sizeof index, "[%u]", lane);
        snprintf(expr, sizeof expr, "%.60s[%u]", name, lane);
        give_expression(l, index, expr, !exists ? ", no work-item" : on ? "" : ", masked off");
    }
}

/* ---- Memory ---- */

static void give_memory(struct listing_of *l)
{
    struct dap *d = l->d;
    struct gpudbg_machine *m = d->g->running.machine;
    struct gpudbg_error ignored = {0};
    for (size_t i = 0; i < m->launch->nbound; i++) {
        const struct gpudbg_bound *b = &m->launch->bound[i];
        char name[200], text[300];
        if (b->name)
            snprintf(name, sizeof name, "%.190s", b->name);
        else
            snprintf(name, sizeof name, "arg%zu", i);
        if (!counts(l)) continue;
        json_t *v = json_object();
        if (b->segment)
            snprintf(text, sizeof text, "%" PRIu64 " bytes at 0x%" PRIx64, b->segment->size, b->segment->base);
        else
            snprintf(text, sizeof text, "%.290s", b->text ? b->text : "");
        json_object_set_new(v, "value", d_text(text));
        if (b->param && b->param->type) json_object_set_new(v, "type", d_text(b->param->type));
        if (b->segment && !l->wanted) set_elements(d, v, name, b->segment, GPUDBG_GLOBAL);
        give(l, name, b->segment ? name : "", v);
    }
    const struct gpudbg_wave *w = machine_wave(m, l->of->wave, &ignored);
    if (w && w->lds && w->lds->size && counts(l)) {
        char text[100];
        snprintf(text, sizeof text, "%" PRIu64 " bytes of the work-group", w->lds->size);
        const struct dap_handle handle = {.what = WHAT_ELEMENTS,
            .wave = l->of->wave,
            .n = w->lds->size / 4,
            .addr = w->lds->base,
            .space = GPUDBG_LOCAL,
            .size = 4};
        json_t *v = json_pack("{s:o, s:I}", "value", d_text(text), "indexedVariables", (json_int_t)handle.n);
        if (!l->wanted) {
            json_object_set_new(v, "memoryReference", d_reference_text(d, GPUDBG_LOCAL, w->lds->base));
            json_object_set_new(v, "variablesReference", json_integer(d_handle(d, &handle)));
        }
        give(l, m->space[GPUDBG_LOCAL].name, "", v);
    }
}

static void give_elements(struct listing_of *l)
{
    const struct gpudbg_machine *m = l->d->g->running.machine;
    const struct dap_handle *h = l->of;
    char index[32], expr[400];
    uint64_t first = l->first,
             to = l->first + l->most > h->n || l->first + l->most < l->first ? h->n : l->first + l->most;
    if (l->wanted) { /* "[17]": it alone */
        char *end;
        first = l->wanted[0] == '[' ? strtoull(l->wanted + 1, &end, 10) : h->n;
        to = first < h->n ? first + 1 : first;
    }
    l->at = first;
    for (uint64_t i = first; i < to; i++) {
        snprintf(index, sizeof index, "[%" PRIu64 "]", i);
        if (h->expr)
            snprintf(expr, sizeof expr, "%.300s[%" PRIu64 "]", h->expr, i);
        else
            snprintf(expr, sizeof expr, "*(u32*)%s:0x%" PRIx64, m->space[h->space].name, h->addr + i * h->size);
        give_expression(l, index, expr, "");
    }
}

/* All of them, by what they are of. */
static bool list_variables(struct listing_of *l, struct gpudbg_error *err)
{
    struct dap *d = l->d;
    struct eval *ev = &d->g->eval;
    uint64_t count = 0;
    if (!d_select(d, l->of->wave,
            l->of->what == WHAT_ELEMENTS || l->of->what == WHAT_REGISTER ? d->g->selection.frame.number : l->of->frame,
            err))
        return false;
    switch (l->of->what) {
    case WHAT_ARGUMENTS:
    case WHAT_LOCALS:
    case WHAT_GLOBALS: locals_each(ev, l->of->wave, d->g->selection.lane, each_local, l); return true;
    case WHAT_PARTS:
        if (!locals_parts(
                ev, l->of->expr, l->wanted ? 0 : l->first, l->wanted ? UINT64_MAX : l->most, &count, each_part, l))
            return gpudbg_fail(err, "no-such-name", "%.60s: it has no parts here", l->of->expr);
        l->at = count;
        return true;
    case WHAT_SCALARS:
    case WHAT_LANE:
    case WHAT_LANES:
    case WHAT_MASKS: give_registers(l); return true;
    case WHAT_REGISTER: give_one_register(l); return true;
    case WHAT_MEMORY: give_memory(l); return true;
    case WHAT_ELEMENTS:
        give_elements(l);
        l->at = l->of->n;
        return true;
    default: return gpudbg_fail(err, "usage", "this number is of a frame: its scopes have the variables");
    }
}

/* A copy, because numbers that are given meanwhile move the list. */
static bool copy_handle(struct dap *d, json_int_t reference, struct dap_handle *copy, struct gpudbg_error *err)
{
    const struct dap_handle *h = d_handle_of(d, reference, err);
    if (!h || !eval_need_machine(&d->g->eval, err)) return false;
    *copy = *h;
    copy->expr = h->expr ? xstrdup(h->expr) : NULL;
    return true;
}

char *d_child(struct dap *d, json_int_t reference, const char *name, struct gpudbg_error *err)
{
    struct dap_handle of;
    if (!copy_handle(d, reference, &of, err)) return NULL;
    struct listing_of l = {.d = d, .wanted = name, .most = UINT64_MAX, .of = &of};
    const bool good = list_variables(&l, err);
    free(of.expr);
    if (good && !l.expr) gpudbg_fail(err, "no-such-name", "there is no variable \"%.60s\" there", name);
    return l.expr;
}

static char letter_of(const json_t *args) { return d_bool(json_object_get(args, "format"), "hex", false) ? 'x' : 0; }

bool d_evaluate_as(struct dap *d, const char *expr, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    return evaluate(d, expr, false, letter_of(args), body, "result", err);
}

bool d_variables(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t reference;
    struct dap_handle of;
    json_t *list = json_array();
    json_object_set_new(body, "variables", list);
    const json_int_t first = d_number_or(args, "start", 0), count = d_number_or(args, "count", 0);
    if (!d_number(args, "variablesReference", &reference, err) || !copy_handle(d, reference, &of, err)) return false;
    struct listing_of l = {.d = d,
        .list = list,
        .letter = letter_of(args),
        .first = first > 0 ? (uint64_t)first : 0,
        .most = count > 0 && count < 100 * CHILDREN ? (uint64_t)count : CHILDREN,
        .of = &of};
    const bool good = list_variables(&l, err);
    free(of.expr);
    if (good && count <= 0 && l.at > l.first + l.most)
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:i}", "name", "...", "value",
                      json_sprintf("%" PRIu64 " more", l.at - l.first - l.most), "variablesReference", 0));
    return good;
}

/* ---- Setting ---- */

static bool assign(struct dap *d, const char *expr, const char *text, struct gpudbg_error *err)
{
    struct eval *ev = &d->g->eval;
    struct value v;
    char *both;
    if (!eval_need_machine(ev, err)) return false;
    if (strcmp(expr, "$lane") == 0) {
        uint64_t lane;
        if (!expr_number(ev, text, &lane, err)) return false;
        if (lane >= d->g->running.machine->lanes)
            return gpudbg_fail(err, "out-of-range", "no lane %" PRIu64 ": a wave has %" PRIu32 ", from 0", lane,
                d->g->running.machine->lanes);
        d->g->selection.lane = (int)lane;
        return true;
    }
    if (asprintf(&both, "%s = %s", expr, text) < 0) return gpudbg_fail(err, "memory", "no memory for a text");
    const bool good = expr_value(ev, text, &v, err) && expr_value_changing(ev, both, &v, err);
    free(both);
    return good;
}

static bool set_and_answer(struct dap *d, const char *expr, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *text = d_string(args, "value");
    if (!text) return gpudbg_fail(err, "usage", "\"value\" is missing");
    if (!assign(d, expr, text, err) || !evaluate(d, expr, false, letter_of(args), body, "value", err)) return false;
    d_answer(d, json_incref(body));
    d_invalidate(d, "variables");
    const char *type = d_string(body, "type");
    char *end = NULL;
    unsigned long bits = type && *type ? strtoul(type + 1, &end, 10) : 0;
    if (end && *end == '[') bits *= strtoul(end + 1, NULL, 10);
    d_memory_changed(d, json_incref(json_object_get(body, "memoryReference")), 0, (unsigned)(bits / 8));
    return true;
}

bool d_set_variable(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *name = d_string(args, "name");
    json_int_t reference;
    if (!name) return gpudbg_fail(err, "usage", "\"name\" is missing");
    char *expr = d_number(args, "variablesReference", &reference, err) ? d_child(d, reference, name, err) : NULL;
    if (!expr) return false;
    const bool good = *expr ? set_and_answer(d, expr, args, body, err)
                            : gpudbg_fail(err, "usage", "%.60s cannot be set as a whole", name);
    free(expr);
    return good;
}

bool d_set_expression(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *expr = d_string(args, "expression");
    if (!expr) return gpudbg_fail(err, "usage", "\"expression\" is missing");
    return d_select_frame(d, args, err) && set_and_answer(d, expr, args, body, err);
}
