/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two of something side by side; see sides.h. */
#include "command/sides_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/form.h"
#include "eval/typed.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/literal.h"
#include "machine/machine.h"
#include "out/say.h"

#define VALUES_MOST 400        /* that differ */
#define MEMORY_MOST (8u << 20) /* bytes that are compared at each step */
#define NEXT_MOST 200000       /* steps to the next difference */
#define MEET_MOST 4096         /* instructions that one side executes to come where the other is */

/* ---- Going there ---- */

struct sides_visit sides_visit(const struct sides *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    return m ? (struct sides_visit){machine_position(m), m->stop} : (struct sides_visit){0};
}

void sides_come_back(const struct sides *t, const struct sides_visit *v)
{
    struct gpudbg_machine *m = t->g->running.machine;
    if (!m || t->own[0]) return;
    machine_come_back(m, v->now);
    m->stop = v->stop;
}

/* A wave as it is at a side's position, kept while the machine goes on. */
struct held {
    struct gpudbg_wave wave;
    bool there;
};

static bool hold(struct sides *t, int s, struct held *h, struct gpudbg_error *err)
{
    struct gpudbg_error ignored = {0};
    struct gpudbg_machine *m = t->machine[s];
    *h = (struct held){.there = false};
    if (!machine_go(m, t->position[s], err)) return false;
    const struct gpudbg_wave *w = machine_wave(m, t->wave[s], &ignored);
    if (!w) return true;
    h->wave = *w;
    h->there = true;
    h->wave.words = aligned_alloc(64, ((size_t)m->wave_words * 4 + 127) & ~(size_t)63);
    if (!h->wave.words) return alloc_failed(err, (size_t)m->wave_words * 4, "the wave");
    memcpy(h->wave.words, w->words, (size_t)m->wave_words * 4);
    return true;
}

static void held_free(struct held *h)
{
    free(h->wave.words);
    h->wave.words = NULL;
}

/* ---- What differs ---- */

static struct side_value *value_add(struct sides *t)
{
    if (t->nvalues == VALUES_MOST) return NULL;
    t->value = xrealloc(t->value, (size_t)t->nvalues + 1, sizeof *t->value);
    struct side_value *v = &t->value[t->nvalues++];
    *v = (struct side_value){.more = 0};
    return v;
}

struct collecting {
    struct sides *t;
    struct held *held;
    unsigned file, index;
    bool any;
};

static const struct form *register_form(
    struct collecting *c, int s, unsigned file, unsigned index, int lane, const uint32_t *words)
{
    const struct form *form = typed_form(&c->t->side[s].eval, &c->held[s].wave, file, index, lane, words);
    return form && form->kind != 'h' && form->size <= 4 ? form : NULL;
}

/* The two dwords of a double that begins in a register; false: on neither side one does. */
static bool double_words(
    struct collecting *c, unsigned file, unsigned index, int lane, uint32_t words[2][2], bool is[2])
{
    const struct gpudbg_regfile *f = &c->t->machine[0]->isa->files[file];
    if (f->bits != 32 || f->mask || !f->indexed) return false;
    for (int s = 0; s < 2; s++)
        for (unsigned i = 0; i < 2; i++) {
            size_t n = 0;
            const bool there = index + i < c->t->machine[s]->isa->run->count(c->t->machine[s], file);
            const uint32_t *at = there ? machine_register(&c->held[s].wave, file, index + i, &n) : NULL;
            const size_t dword = lane > 0 ? (size_t)lane : 0;
            if (!at || dword >= n) return false;
            words[s][i] = at[dword];
        }
    for (int s = 0; s < 2; s++) {
        const struct form *form = typed_form(&c->t->side[s].eval, &c->held[s].wave, file, index, lane, words[s]);
        is[s] = form && form->kind == 'f' && form->size == 8;
    }
    for (int s = 0; s < 2; s++) is[s] = is[s] || (is[!s] && !words[s][0] && !words[s][1]); /* 0.0, as the other side */
    return is[0] || is[1];
}

/* As `print` writes it: masks in hexadecimal. */
static void register_text(
    const struct form *form, const struct gpudbg_regfile *f, const uint32_t *words, char *buf, size_t size)
{
    if (form)
        form_elements(form, words, 4, ",", buf, size);
    else if (f->bits == 64)
        snprintf(buf, size, f->mask ? "0x%" PRIx64 : "%" PRIu64, words[0] | (uint64_t)words[1] << 32);
    else
        snprintf(buf, size, f->mask ? "0x%" PRIx32 : "%" PRIu32, words[0]);
}

static bool register_differs(
    void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords)
{
    struct collecting *c = to;
    struct sides *t = c->t;
    char name[64];
    uint32_t both[2][2];
    bool is[2];
    const bool high = dwords == 1 && index && double_words(c, file, index - 1, lane, both, is);
    if (high && both[0][0] != both[1][0]) return true; /* its low half differs, too, and has been told */
    if (high) index--;
    const bool pair = high || (dwords == 1 && double_words(c, file, index, lane, both, is));
    if (c->any && c->file == file && c->index == index && t->nvalues) {
        t->value[t->nvalues - 1].more++;
        return true;
    }
    struct side_value *v = value_add(t);
    if (!v) return false;
    c->any = true;
    c->file = file;
    c->index = index;
    size_t i = 0; /* of long registers, the dword that differs */
    while (dwords > 2 && i + 1 < dwords && a[i] == b[i]) i++;
    gpudbg_register_name(&t->machine[0]->isa->files[file], index, name, sizeof name);
    for (int s = 0; s < 2; s++) {
        snprintf(v->place[s], sizeof v->place[s], lane >= 0 ? "$%s[%d]" : "$%s", name, lane);
        const struct form *form = register_form(c, s, file, index, lane, (s ? b : a) + i);
        if (!form) form = register_form(c, !s, file, index, lane, (s ? a : b) + i);
        if (pair && !is[s])
            snprintf(v->text[s], sizeof v->text[s], "0x%08" PRIx32 "%08" PRIx32, both[s][1], both[s][0]);
        else if (pair)
            form_text(form_named("df"), both[s], v->text[s], sizeof v->text[s]);
        else
            register_text(form, &t->machine[s]->isa->files[file], (s ? b : a) + i, v->text[s], sizeof v->text[s]);
    }
    if (dwords > 2)
        snprintf(v->name, sizeof v->name, "$%s dword %zu", name, i);
    else
        snprintf(v->name, sizeof v->name, "%s", v->place[0]);
    return true;
}

/* The elements of a buffer: how they are shown, and what a pointer to them is in expressions. */
static unsigned element_of(const struct gpudbg_bound *b, const struct form **form, char type[8])
{
    struct literal_scalar scalar = {0, 4};
    const bool typed = b->param && b->param->type && literal_element(b->param->type, &scalar) && scalar.size &&
                       scalar.size <= 4;
    const unsigned size = typed ? scalar.size : 4;
    const char kind = typed && scalar.kind ? scalar.kind : 'u';
    static const char *const forms[3][3] = {{"ub", "uw", "ud"}, {"b", "w", "d"}, {"ub", "hf", "f"}};
    *form = form_named(typed ? forms[kind == 'f' ? 2 : kind == 'i'][size / 2] : "x");
    snprintf(type, 8, "%c%u", kind, 8 * size);
    return size;
}

void sides_element(struct side_value *v, int s, const struct gpudbg_bound *b, uint64_t offset)
{
    const struct form *form;
    char type[8];
    const unsigned size = element_of(b, &form, type);
    if (!s) snprintf(v->name, sizeof v->name, "%s[%" PRIu64 "]", b->segment->name, offset / size);
    snprintf(
        v->place[s], sizeof v->place[s], "*(%s*)(%.48s+0x%" PRIx64 ")", type, b->segment->name, offset / size * size);
}

static void buffer_differs(struct sides *t, const struct gpudbg_bound *const bound[2], const uint8_t *const bytes[2])
{
    const struct form *form;
    char type[8];
    const unsigned size = element_of(bound[0], &form, type);
    struct side_value *v = NULL;
    for (uint64_t at = 0; at + size <= bound[0]->segment->size; at += size) {
        if (memcmp(bytes[0] + at, bytes[1] + at, size) == 0) continue;
        if (v) {
            v->more++;
            continue;
        }
        if (!(v = value_add(t))) return;
        for (int s = 0; s < 2; s++) {
            sides_element(v, s, bound[s], at);
            form_elements(form, bytes[s] + at, size, ",", v->text[s], sizeof v->text[s]);
        }
    }
}

static void memory_differs(struct sides *t, uint8_t *const *kept)
{
    const struct gpudbg_launch *l[2] = {t->machine[0]->launch, t->machine[1]->launch};
    for (size_t i = 0; i < l[0]->nbound && i < l[1]->nbound; i++) {
        const struct gpudbg_segment *a = l[0]->bound[i].segment, *b = l[1]->bound[i].segment;
        if (!a || !b || a->size != b->size || (a->flags & GPUDBG_SEG_READONLY)) continue;
        const struct gpudbg_bound *const bound[2] = {&l[0]->bound[i], &l[1]->bound[i]};
        const uint8_t *const bytes[2] = {kept[i] ? kept[i] : a->bytes, b->bytes};
        buffer_differs(t, bound, bytes);
    }
}

/* Copies of the buffers, as the machine has them now; NULL: they are too large. */
static uint8_t **memory_keep(struct gpudbg_machine *m)
{
    const struct gpudbg_launch *l = m->launch;
    uint64_t bytes = 0;
    for (size_t i = 0; i < l->nbound; i++) bytes += l->bound[i].segment ? l->bound[i].segment->size : 0;
    if (bytes > MEMORY_MOST) return NULL;
    uint8_t **kept = xcalloc(l->nbound + 1, sizeof *kept);
    for (size_t i = 0; i < l->nbound; i++) {
        const struct gpudbg_segment *s = l->bound[i].segment;
        if (s && (kept[i] = malloc((size_t)s->size + 1))) memcpy(kept[i], s->bytes, (size_t)s->size);
    }
    return kept;
}

static void memory_free(const struct gpudbg_machine *m, uint8_t **kept)
{
    for (size_t i = 0; kept && i < m->launch->nbound; i++) free(kept[i]);
    free(kept);
}

/* The states at the positions. */
static bool look(struct sides *t, struct gpudbg_error *err)
{
    struct held held[2] = {0};
    struct collecting c = {.t = t, .held = held};
    const struct sides_visit v = sides_visit(t);
    free(t->value);
    t->value = NULL;
    t->nvalues = 0;
    bool good = hold(t, 0, &held[0], err);
    uint8_t **kept = good ? memory_keep(t->machine[0]) : NULL;
    t->memory_left_out = good && !kept;
    good = good && hold(t, 1, &held[1], err);
    for (int s = 0; good && s < 2; s++) {
        t->there[s] = held[s].there && held[s].wave.state != GPUDBG_ENDED;
        t->pc[s] = held[s].there ? held[s].wave.pc : 0;
    }
    if (good && kept && t->of != SIDES_WAVES) memory_differs(t, kept);
    if (good && t->alike && held[0].there && held[1].there)
        compare_waves(&held[0].wave, &held[1].wave, register_differs, &c);
    memory_free(t->machine[0], kept);
    for (int s = 0; s < 2; s++) held_free(&held[s]);
    sides_come_back(t, &v);
    return good;
}

/* ---- Moving ---- */

/* One instruction of the side's wave. */
static bool move(struct sides *t, int s, int by, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = t->machine[s];
    struct machine_wave_info info;
    if (!machine_go(m, t->position[s], err)) return false;
    machine_wave_info(m, t->wave[s], &info);
    if (by > 0 && (info.state == GPUDBG_ENDED || m->stop.reason == GPUDBG_STOP_FAULT))
        return gpudbg_fail(err, "not-now", "wave %" PRIu32 " has ended%s%s", t->wave[s],
            t->of == SIDES_RUNS ? " in " : "", t->of == SIDES_RUNS ? t->title[s] : "");
    if (by < 0 && info.executed == 0)
        return gpudbg_fail(err, "not-now", "wave %" PRIu32 " has not begun before that", t->wave[s]);
    if (by > 0 && machine_position(m) >= machine_recorded(m))
        return gpudbg_fail(err, "not-now", "recorded time ends here");
    machine_run(m, &(struct machine_want){.until = MACHINE_STEPS, .count = 1, .wave = t->wave[s], .backwards = by < 0});
    const uint64_t to = machine_position(m);
    if (by > 0 ? to <= t->position[s] : to >= t->position[s])
        return gpudbg_fail(err, "not-now", "wave %" PRIu32 " goes no further", t->wave[s]);
    t->position[s] = to;
    return true;
}

static bool pc_of(struct sides *t, int s, uint64_t *pc)
{
    struct machine_wave_info info;
    machine_wave_info(t->machine[s], t->wave[s], &info);
    *pc = info.pc;
    return info.state != GPUDBG_ENDED;
}

/* The second side goes on to where the first one is, if it comes there soon. */
static bool meet(struct sides *t, int by, struct gpudbg_error *err)
{
    uint64_t pc;
    struct gpudbg_error ignored = {0};
    const uint64_t was = t->position[1];
    if (!pc_of(t, 0, &pc)) return true;
    const int row = sides_row_at(t, 0, pc);
    if (row < 0 || t->row[row].at[1] < 0) return true; /* the second side has nothing like it: it waits */
    for (int i = 0; i < MEET_MOST; i++) {
        if (!move(t, 1, by, &ignored)) break;
        if (pc_of(t, 1, &pc) && pc == t->line[1][t->row[row].at[1]].pc) return true;
    }
    t->position[1] = was;
    return move(t, 1, by, err);
}

static bool both(struct sides *t, int by, struct gpudbg_error *err)
{
    const uint64_t was[2] = {t->position[0], t->position[1]};
    const bool good = move(t, 0, by, err) && (t->alike ? move(t, 1, by, err) : meet(t, by, err));
    if (!good) memcpy(t->position, was, sizeof was);
    return good;
}

bool sides_need_runs(const struct sides *t, struct gpudbg_error *err)
{
    return t->machine[0] || gpudbg_fail(err, "not-now", "nothing runs here: only the code of two files is compared");
}

bool sides_step(struct sides *t, int by, struct gpudbg_error *err)
{
    if (!sides_need_runs(t, err)) return false;
    const struct sides_visit v = sides_visit(t);
    const bool good = both(t, by, err);
    sides_come_back(t, &v);
    return good && look(t, err);
}

/* Whether the words that a step changed differ behind it, or the waves went different ways. */
static bool parted(const struct sides *t, const struct held before[2], const struct held after[2])
{
    if (before[0].there != after[0].there || after[0].there != after[1].there || !after[0].there) return true;
    const bool together = before[0].wave.pc == before[1].wave.pc;
    if (together && after[0].wave.pc != after[1].wave.pc) return true;
    const uint32_t words = t->machine[0]->wave_words;
    for (uint32_t i = 0; i < words && t->machine[1]->wave_words == words; i++)
        if (after[0].wave.words[i] != after[1].wave.words[i] &&
            (after[0].wave.words[i] != before[0].wave.words[i] || after[1].wave.words[i] != before[1].wave.words[i]))
            return true;
    return false;
}

static bool holds(struct sides *t, struct held h[2], struct gpudbg_error *err)
{
    return hold(t, 0, &h[0], err) && hold(t, 1, &h[1], err);
}

/* Along the wave: *found: to before an instruction whose results differ.  Forwards that may be the one that it stands
 * before, if `this`. */
static bool next_result(struct sides *t, int by, bool this, bool *found, struct gpudbg_error *err)
{
    struct held h[2][2] = {0};
    struct gpudbg_error end = {.offset = -1};
    bool good = holds(t, h[0], err);
    *found = false;
    for (uint64_t i = 0; good && !*found && i < NEXT_MOST; i++) {
        const uint64_t was[2] = {t->position[0], t->position[1]};
        struct held *now = h[(i + 1) & 1], *old = h[i & 1];
        for (int s = 0; s < 2; s++) held_free(&now[s]);
        if (!both(t, by, &end)) break;
        good = holds(t, now, err);
        *found = good && (by > 0 ? (i > 0 || this) && parted(t, old, now) : parted(t, now, old));
        if (*found && by > 0) memcpy(t->position, was, sizeof was);
        if (good && i % 256 == 0 && !ticker_goes_on(&t->g->ticker, i, NEXT_MOST))
            good = gpudbg_fail(err, "interrupt", "interrupted while looking for the next difference");
    }
    for (int i = 0; i < 4; i++) held_free(&h[i / 2][i % 2]);
    return good;
}

/* In this wave or, of two runs, the waves behind it. */
static bool next_in_waves(struct sides *t, int by, struct gpudbg_error *err)
{
    const uint32_t wave[2] = {t->wave[0], t->wave[1]};
    bool found = false, this = false;
    while (next_result(t, by, this, &found, err) && !found) {
        if (by < 0 || t->of != SIDES_RUNS || t->wave[0] + 1 >= t->machine[0]->nwaves ||
            t->wave[0] + 1 >= t->machine[1]->nwaves)
            break;
        t->wave[0]++;
        t->wave[1] = t->wave[0];
        t->position[0] = t->position[1] = 0;
        this = true;
    }
    if (found) return true;
    memcpy(t->wave, wave, sizeof wave);
    return err->kind ? false
                     : gpudbg_fail(
                           err, "not-now", "no result differs %s this in recorded time", by > 0 ? "behind" : "before");
}

bool sides_next(struct sides *t, int by, struct gpudbg_error *err)
{
    const uint64_t was[2] = {t->position[0], t->position[1]};
    if (!sides_need_runs(t, err)) return false;
    const struct sides_visit v = sides_visit(t);
    bool good = true;
    if (t->alike)
        good = next_in_waves(t, by, err);
    else
        for (int i = 0, row = -1; good && (row < 0 || !t->row[row].differs); i++) {
            uint64_t pc = 0;
            good = (i < MEET_MOST || gpudbg_fail(err, "not-now", "no other instruction in the next %d", MEET_MOST)) &&
                   both(t, by, err);
            row = good && pc_of(t, 0, &pc) ? sides_row_at(t, 0, pc) : -1;
        }
    if (!good) memcpy(t->position, was, sizeof was);
    sides_come_back(t, &v);
    return look(t, err) && good;
}

bool sides_go(struct sides *t, const uint64_t position[2], const uint32_t wave[2], struct gpudbg_error *err)
{
    if (!sides_need_runs(t, err)) return false;
    memcpy(t->position, position, sizeof t->position);
    memcpy(t->wave, wave, sizeof t->wave);
    return look(t, err);
}

/* ---- Opening and closing ---- */

static void sides_free(struct sides *t)
{
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < t->nlines[s]; i++) free(t->line[s][i].text);
        free(t->line[s]);
        typed_forget(&t->side[s].eval);
        if (t->own[s] && t->machine[s]) machine_free(t->machine[s]);
    }
    if (t->image[1] && t->image[1] != t->g->loaded.image) image_close(t->image[1]);
    free(t->row);
    free(t->value);
    free(t->step);
    free(t);
}

static void forget(struct gpudbg *g)
{
    struct sides *t = g->sides;
    g->sides = NULL;
    g->forget_sides = NULL;
    if (t) sides_free(t);
}

static void at_close(void *data) { forget(data); }

bool sides_open(struct gpudbg *g, const struct sides *as, struct gpudbg_error *err)
{
    static const char *const of[] = {"run", "position", "position", "file"};
    struct sides *t = xalloc(sizeof *t);
    const bool first = !g->sides_known;
    if (g->sides) forget(g);
    *t = *as;
    t->g = g;
    t->future = g->running.machine ? machine_futures(g->running.machine) : 0;
    for (int s = 0; s < 2; s++) {
        compared_open(&t->side[s], &g->eval, t->image[s], t->machine[s]);
        t->side[s].eval.values = g->eval.values;
        t->side[s].eval.forms = g->eval.forms;
        if (!*t->title[s]) snprintf(t->title[s], sizeof t->title[s], "%s", of[t->of]);
    }
    bool good = !t->machine[0] || look(t, err);
    good = good && sides_take_code(t, err);
    if (!good) {
        sides_free(t);
        return false;
    }
    g->sides = t;
    g->forget_sides = forget;
    g->sides_known = true;
    if (first) session_at_close(g, at_close, g);
    return true;
}

struct sides *sides_now(struct gpudbg *g, struct gpudbg_error *err)
{
    struct sides *t = g->sides;
    if (!t) {
        gpudbg_fail(err, "not-now", "nothing is compared: `diffrun`, `diff positions P Q`, `diff waves A B`");
        return NULL;
    }
    if (t->machine[0] && !t->own[0] && t->future != machine_futures(g->running.machine)) {
        gpudbg_fail(err, "not-now", "the time that was compared is no longer recorded");
        return NULL;
    }
    return t;
}

/* ---- Text ---- */

#define BESIDE 44

static void row_print(const struct sides *t, int i, struct gpudbg_out *out)
{
    const struct side_row *r = &t->row[i];
    const struct side_line *l[2];
    char half[2][200] = {"", ""}, left[300];
    for (int s = 0; s < 2; s++) {
        l[s] = r->at[s] < 0 ? NULL : &t->line[s][r->at[s]];
        if (l[s])
            snprintf(half[s], sizeof half[s], "%s%04" PRIx64 " %.150s", sides_row(t, s) == i ? ">" : " ", l[s]->pc,
                l[s]->text);
    }
    snprintf(left, sizeof left, "%-*s", BESIDE, half[0]);
    RECORD(out, "code-difference", "{mark}{left} | {right}\n", BOOL("differs", r->differs),
        IF(l[0] != NULL, HEX("a_pc", l[0] ? l[0]->pc : 0)), STRING("a", l[0] ? l[0]->text : NULL),
        IF(l[1] != NULL, HEX("b_pc", l[1] ? l[1]->pc : 0)), STRING("b", l[1] ? l[1]->text : NULL),
        TEXT("mark", r->differs ? "!" : " "), TEXT("left", left), TEXT("right", half[1]));
}

void sides_print(struct sides *t, struct gpudbg_out *out)
{
    char where[2][200] = {"", ""};
    for (int s = 0; s < 2 && t->machine[0]; s++)
        if (t->there[s])
            image_where(t->image[s], t->pc[s], where[s], sizeof where[s]);
        else
            snprintf(where[s], sizeof where[s], "ended");
    if (t->machine[0])
        gpudbg_out_print(out, "%s %" PRIu64 ", wave %" PRIu32 ", %s | %s %" PRIu64 ", wave %" PRIu32 ", %s\n",
            t->title[0], t->position[0], t->wave[0], where[0], t->title[1], t->position[1], t->wave[1], where[1]);
    if (!t->machine[0] || t->there[0] || t->there[1])
        for (int i = 0; i < t->nrows; i++)
            if (t->machine[0] ? sides_row(t, 0) == i || sides_row(t, 1) == i : t->row[i].differs) row_print(t, i, out);
    for (int i = 0; i < t->nvalues; i++) {
        const struct side_value *v = &t->value[i];
        gpudbg_out_print(out, "  %-12s %s | %s", v->name, v->text[0], v->text[1]);
        if (v->more) gpudbg_out_print(out, "   and %u more", v->more);
        gpudbg_out_print(out, "\n");
    }
    if (t->nvalues == VALUES_MOST) gpudbg_out_print(out, "  ... and more\n");
    if (t->memory_left_out) gpudbg_out_print(out, "  memory is not compared: it is too large\n");
    if (!t->machine[0]) gpudbg_out_print(out, "%d of %d rows differ\n", t->ndiffer, t->nrows);
}
