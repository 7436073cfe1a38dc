/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two of something side by side; see sides.h. */
#include "command/sides.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "eval/form.h"
#include "eval/typed.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/literal.h"
#include "machine/machine.h"
#include "out/say.h"
#include "past/cause.h"
#include "past/origin.h"

#define LINES_MOST 20000       /* of code */
#define CELLS_MOST (4 << 20)   /* lines of one side by lines of the other that are aligned by what they say */
#define VALUES_MOST 400        /* that differ */
#define MEMORY_MOST (8u << 20) /* bytes that are compared at each step */
#define NEXT_MOST 200000       /* steps to the next difference */
#define MEET_MOST 4096         /* instructions that one side executes to come where the other is */
#define STEPS_MOST 200         /* of a way back */

/* ---- Code ---- */

/* The function that holds the address. */
static void function_at(const struct gpudbg_image *image, uint64_t pc, uint64_t *from, uint64_t *to)
{
    size_t after = code_symbol_after(image, pc), i = after;
    *from = pc;
    *to = pc + 4 * LINES_MOST;
    for (size_t k = 0; k < image->nsections; k++) {
        const struct gpudbg_section *s = &image->sections[k];
        if ((s->flags & GPUDBG_CODE_BYTES) && pc - s->addr < s->size) *from = s->addr, *to = s->addr + s->size;
    }
    while (
        i > 0 && image->symbols[i - 1].kind != GPUDBG_SYM_FUNCTION && image->symbols[i - 1].kind != GPUDBG_SYM_KERNEL)
        i--;
    if (i > 0 && image->symbols[i - 1].addr > *from) *from = image->symbols[i - 1].addr;
    if (i > 0 && image->symbols[i - 1].size && pc - image->symbols[i - 1].addr < image->symbols[i - 1].size)
        *to = image->symbols[i - 1].addr + image->symbols[i - 1].size;
    for (i = after; i < image->nsymbols && image->symbols[i].addr < *to; i++)
        if (image->symbols[i].kind == GPUDBG_SYM_FUNCTION || image->symbols[i].kind == GPUDBG_SYM_KERNEL) {
            *to = image->symbols[i].addr;
            break;
        }
}

static void lines_take(struct sides *t, int s, uint64_t pc)
{
    struct code_names names;
    struct code_walk walk;
    struct gpudbg_insn insn;
    struct gpudbg_error ignored = {0};
    char text[GPUDBG_PRINT];
    uint64_t from, to;
    size_t room = 0;
    function_at(t->image[s], pc, &from, &to);
    const bool labels = code_names_open(&names, t->image[s], from, to, NULL, &t->g->ticker, &ignored);
    if (!labels) code_names_plain(&names, t->image[s]);
    code_walk_open(&walk, t->image[s], from, to);
    while (t->nlines[s] < LINES_MOST && code_walk_next(&walk, &insn)) {
        if (!walk.is_insn) continue;
        if ((size_t)t->nlines[s] == room)
            t->line[s] = xgrow(t->line[s], (size_t)t->nlines[s], &room, sizeof *t->line[s]);
        insn.isa->text(
            &insn, settings_syntax(&t->g->settings, insn.isa), GPUDBG_READABLE, &names.names, text, sizeof text);
        t->line[s][t->nlines[s]++] = (struct side_line){insn.addr, xstrdup(text)};
    }
    code_names_close(&names);
}

/* How well two lines fit together: they say the same, or begin with the same word. */
static unsigned fits(const struct side_line *a, const struct side_line *b)
{
    const size_t n = strcspn(a->text, " "), m = strcspn(b->text, " ");
    if (strcmp(a->text, b->text) == 0) return 3;
    return n == m && strncmp(a->text, b->text, n) == 0;
}

static void row_add(struct sides *t, int a, int b)
{
    const bool differs = a < 0 || b < 0 || fits(&t->line[0][a], &t->line[1][b]) < 3;
    t->row[t->nrows++] = (struct side_row){{a, b}, differs};
    t->ndiffer += differs;
}

/* Lines i to i_end and k to k_end beside each other, in their order. */
static void rows_beside(struct sides *t, int i, int i_end, int k, int k_end)
{
    while (i < i_end || k < k_end) {
        row_add(t, i < i_end ? i : -1, k < k_end ? k : -1);
        i += i < i_end;
        k += k < k_end;
    }
}

/* The most that lines from i and from k on fit, for all of both. */
static void rows_align(struct sides *t, int i, int i_end, int k, int k_end)
{
    const size_t n = (size_t)(i_end - i), m = (size_t)(k_end - k), w = m + 1;
    uint16_t *best = n && m && n * m <= CELLS_MOST ? calloc((n + 1) * w, sizeof *best) : NULL;
    int from[2] = {i, k};
    for (size_t a = n; best && a-- > 0;)
        for (size_t b = m; b-- > 0;) {
            const unsigned fit = fits(&t->line[0][(size_t)i + a], &t->line[1][(size_t)k + b]);
            uint16_t score = best[(a + 1) * w + b] > best[a * w + b + 1] ? best[(a + 1) * w + b] : best[a * w + b + 1];
            if (fit && best[(a + 1) * w + b + 1] + fit >= score) score = (uint16_t)(best[(a + 1) * w + b + 1] + fit);
            best[a * w + b] = score;
        }
    for (size_t a = 0, b = 0; best && a < n && b < m;) {
        const unsigned fit = fits(&t->line[0][(size_t)i + a], &t->line[1][(size_t)k + b]);
        if (fit && best[a * w + b] == best[(a + 1) * w + b + 1] + fit) {
            rows_beside(t, from[0], i + (int)a, from[1], k + (int)b);
            row_add(t, i + (int)a, k + (int)b);
            from[0] = i + (int)++a;
            from[1] = k + (int)++b;
        } else if (best[(a + 1) * w + b] >= best[a * w + b + 1])
            a++;
        else
            b++;
    }
    free(best);
    rows_beside(t, from[0], i_end, from[1], k_end);
}

static void rows_make(struct sides *t)
{
    int first = 0, end[2] = {t->nlines[0], t->nlines[1]};
    t->row = xcalloc((size_t)(end[0] + end[1]) + 1, sizeof *t->row);
    while (first < end[0] && first < end[1] && fits(&t->line[0][first], &t->line[1][first]) == 3) {
        row_add(t, first, first);
        first++;
    }
    int same = 0;
    while (end[0] - same > first && end[1] - same > first &&
           fits(&t->line[0][end[0] - same - 1], &t->line[1][end[1] - same - 1]) == 3)
        same++;
    rows_align(t, first, end[0] - same, first, end[1] - same);
    rows_beside(t, end[0] - same, end[0], end[1] - same, end[1]);
}

static int row_of(const struct sides *t, int s, uint64_t pc)
{
    for (int i = 0; i < t->nrows; i++)
        if (t->row[i].at[s] >= 0 && t->line[s][t->row[i].at[s]].pc == pc) return i;
    return -1;
}

int sides_row(const struct sides *t, int s) { return t->there[s] ? row_of(t, s, t->pc[s]) : -1; }

/* ---- Going there ---- */

/* The session's machine goes elsewhere only to look. */
struct visit {
    uint64_t now;
    struct gpudbg_stop stop;
};

static struct visit visit_begin(const struct sides *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    return m ? (struct visit){machine_position(m), m->stop} : (struct visit){0};
}

static void visit_end(const struct sides *t, const struct visit *v)
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

static void register_text(const struct form *form, unsigned bits, const uint32_t *words, char *buf, size_t size)
{
    if (form)
        form_elements(form, words, 4, ",", buf, size);
    else if (bits > 32)
        snprintf(buf, size, "0x%" PRIx64, words[0] | (uint64_t)words[1] << 32);
    else
        snprintf(buf, size, "0x%" PRIx32, words[0]);
}

static bool register_differs(
    void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords)
{
    struct collecting *c = to;
    struct sides *t = c->t;
    char name[64];
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
        register_text(form, t->machine[s]->isa->files[file].bits, (s ? b : a) + i, v->text[s], sizeof v->text[s]);
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
    const struct visit v = visit_begin(t);
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
    visit_end(t, &v);
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
        return gpudbg_fail(err, "not-now", "wave %" PRIu32 " has ended in %s", t->wave[s], t->title[s]);
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
    uint64_t pc, to = 0;
    struct gpudbg_error ignored = {0};
    const uint64_t was = t->position[1];
    if (!pc_of(t, 0, &pc)) return true;
    const int row = row_of(t, 0, pc);
    if (row < 0 || t->row[row].at[1] < 0) return true; /* the second side has nothing like it: it waits */
    for (int i = 0; i < MEET_MOST; i++) {
        to = t->position[1];
        if (!move(t, 1, by, &ignored)) break;
        if (pc_of(t, 1, &pc) && pc == t->line[1][t->row[row].at[1]].pc) return true;
    }
    t->position[1] = was;
    (void)to;
    return move(t, 1, by, err);
}

static bool both(struct sides *t, int by, struct gpudbg_error *err)
{
    const uint64_t was[2] = {t->position[0], t->position[1]};
    const bool good = move(t, 0, by, err) && (t->alike ? move(t, 1, by, err) : meet(t, by, err));
    if (!good) memcpy(t->position, was, sizeof was);
    return good;
}

static bool need_runs(const struct sides *t, struct gpudbg_error *err)
{
    return t->machine[0] || gpudbg_fail(err, "not-now", "nothing runs here: only the code of two files is compared");
}

bool sides_step(struct sides *t, int by, struct gpudbg_error *err)
{
    if (!need_runs(t, err)) return false;
    const struct visit v = visit_begin(t);
    const bool good = both(t, by, err);
    visit_end(t, &v);
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
    if (!need_runs(t, err)) return false;
    const struct visit v = visit_begin(t);
    bool good = true;
    if (t->alike)
        good = next_in_waves(t, by, err);
    else
        for (int i = 0, row = -1; good && (row < 0 || !t->row[row].differs); i++) {
            uint64_t pc = 0;
            good = (i < MEET_MOST || gpudbg_fail(err, "not-now", "no other instruction in the next %d", MEET_MOST)) &&
                   both(t, by, err);
            row = good && pc_of(t, 0, &pc) ? row_of(t, 0, pc) : -1;
        }
    if (!good) memcpy(t->position, was, sizeof was);
    visit_end(t, &v);
    return look(t, err) && good;
}

bool sides_go(struct sides *t, const uint64_t position[2], const uint32_t wave[2], struct gpudbg_error *err)
{
    if (!need_runs(t, err)) return false;
    memcpy(t->position, position, sizeof t->position);
    memcpy(t->wave, wave, sizeof t->wave);
    return look(t, err);
}

/* ---- Why ---- */

static struct side_step *step_add(struct sides *t)
{
    if (t->nsteps == STEPS_MOST) return NULL;
    t->step = xrealloc(t->step, (size_t)t->nsteps + 1, sizeof *t->step);
    struct side_step *p = &t->step[t->nsteps++];
    *p = (struct side_step){.lane = -1};
    return p;
}

/* A value without its bits. */
static void short_value(char *to, size_t size, const char *value)
{
    const char *bits = strstr(value, " (0x");
    snprintf(to, size, "%.*s", bits ? (int)(bits - value) : (int)strlen(value), value);
}

/* Two runs of one code: through the inputs that differ. */
static bool why_differ(struct sides *t, struct past_place place[2], const char *name, struct gpudbg_error *err)
{
    size_t n = 0;
    struct cause_step *step = cause_of(&t->side[0], &t->side[1], place, name, t->position, &n, err);
    for (size_t i = 0; step && i < n; i++) {
        const struct cause_step *c = &step[i];
        struct side_step *to = step_add(t);
        if (!to) break;
        snprintf(to->name, sizeof to->name, "%s", *c->name ? c->name : "before that");
        snprintf(to->leaf, sizeof to->leaf, "%s",
            *c->leaf                ? c->leaf
            : c->how == CAUSE_WAY   ? "goes on elsewhere in the other"
            : c->how == CAUSE_LANE  ? "the lane goes on in one alone"
            : c->how == CAUSE_ORDER ? "another wave goes on in the other"
            : c->how == CAUSE_LOST  ? "nobody knows why"
                                    : "");
        to->begins = c->begins;
        to->lane = c->lane;
        for (int s = 0; s < 2; s++) {
            short_value(to->text[s], sizeof to->text[s], c->value[s]);
            to->there[s] = c->pc || c->how < CAUSE_LAUNCH;
            to->position[s] = c->position[s];
            to->wave[s] = c->wave;
            to->pc[s] = c->pc;
        }
    }
    free(step);
    return step != NULL;
}

/* The input to go on with: the first value that both computed otherwise, else the first that one computed. */
static size_t input_of(const struct origin_node *const node[2], const size_t n[2])
{
    size_t any = 0;
    for (size_t i = 1; i < (n[0] > n[1] ? n[0] : n[1]); i++) {
        const struct origin_node *a = i < n[0] ? &node[0][i] : NULL, *b = i < n[1] ? &node[1][i] : NULL;
        const bool differ = !a || !b || strcmp(a->value, b->value) != 0;
        if (differ && ((a && a->role == INPUT_VALUE) || (b && b->role == INPUT_VALUE))) return i;
        if (differ && !any) any = i;
    }
    return any;
}

/* Everything else: the two origins beside each other. */
static bool why_each(struct sides *t, struct past_place place[2], const char *name, struct gpudbg_error *err)
{
    static const struct origin_want want = {.depth = 1, .rows = 60};
    struct origin_node *node[2] = {NULL, NULL};
    size_t n[2] = {0};
    bool good = true;
    for (int s = 0; s < 2; s++) {
        good = good && machine_go(t->machine[s], t->position[s], err) &&
               (node[s] = origin_of(&t->side[s].eval, name, &place[s], &want, &n[s], err)) != NULL;
        past_free(&place[s]);
    }
    while (good) {
        struct side_step *to = step_add(t);
        const struct origin_node *const both_nodes[2] = {node[0], node[1]};
        bool more = to != NULL;
        for (int s = 0; to && s < 2; s++) {
            if (!n[s]) continue;
            const struct origin_node *o = &node[s][0];
            if (!*to->name) snprintf(to->name, sizeof to->name, "%s", o->name);
            short_value(to->text[s], sizeof to->text[s], o->value);
            if (!o->found && !*to->leaf) snprintf(to->leaf, sizeof to->leaf, "%s", o->leaf);
            to->there[s] = o->found;
            to->position[s] = o->write.position;
            to->wave[s] = o->write.wave;
            to->pc[s] = o->write.pc;
            if (o->found && o->write.lanes) to->lane = __builtin_ctzll(o->write.lanes);
        }
        if (to && t->machine[0] == t->machine[1] && to->there[0] && to->there[1] && to->position[0] == to->position[1])
            break; /* from here on it is one way */
        const size_t next = more ? input_of(both_nodes, n) : 0;
        if (!next) break;
        for (int s = 0; s < 2; s++) {
            size_t m = 0;
            struct origin_node *more_nodes = NULL;
            if (next < n[s]) {
                if (!machine_go(t->machine[s], t->position[s], err)) good = false;
                more_nodes = good ? origin_of_input(&t->side[s].eval, &node[s][next], &want, &m, err) : NULL;
                good = good && more_nodes;
            }
            free(node[s]);
            node[s] = more_nodes;
            n[s] = m;
        }
    }
    for (int s = 0; s < 2; s++) free(node[s]);
    return good;
}

bool sides_why(struct sides *t, int i, struct gpudbg_error *err)
{
    struct past_place place[2] = {0};
    char text[96];
    if (!need_runs(t, err)) return false;
    const bool store = (i < 0 || i >= t->nvalues) && t->stored;
    if (!store && (i < 0 || i >= t->nvalues)) return gpudbg_fail(err, "not-now", "no value is under the cursor");
    const struct visit v = visit_begin(t);
    const struct side_value value = store ? t->store : t->value[i];
    bool good = true;
    for (int s = 0; store && s < 2; s++) {
        t->position[s] = t->store_position[s];
        t->wave[s] = t->store_wave;
    }
    free(t->step);
    t->step = NULL;
    t->nsteps = 0;
    for (int s = 0; good && s < 2; s++) {
        snprintf(text, sizeof text, "%s", value.place[s]);
        good = machine_go(t->machine[s], t->position[s], err) &&
               past_named(&t->side[s].eval, t->wave[s], text, &place[s], err);
    }
    if (!good)
        for (int s = 0; s < 2; s++) past_free(&place[s]);
    good = good && (t->of == SIDES_RUNS && t->alike ? why_differ : why_each)(t, place, value.name, err);
    snprintf(t->asked, sizeof t->asked, "%s", good ? value.name : "");
    visit_end(t, &v);
    return good;
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

/* Where nothing runs: of the second file the kernel that is called like that of the first one. */
static uint64_t entry_of(const struct sides *t, int s)
{
    const struct gpudbg_image *image = t->image[s];
    const uint64_t cursor = t->g->selection.cursor;
    const struct gpudbg_kernel *kernel = NULL;
    for (size_t i = 0; i < t->image[0]->nkernels; i++)
        if (*t->kernel ? strcmp(t->image[0]->kernels[i].name, t->kernel) == 0
                       : cursor - t->image[0]->kernels[i].entry < t->image[0]->kernels[i].size)
            kernel = &t->image[0]->kernels[i];
    for (size_t i = 0; s && kernel && i < image->nkernels; i++)
        if (strcmp(image->kernels[i].name, kernel->name) == 0) return image->kernels[i].entry;
    if (!s && kernel) return kernel->entry;
    if (image->nkernels) return image->kernels[0].entry;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) return image->sections[i].addr;
    return cursor;
}

bool sides_open(struct gpudbg *g, const struct sides *as, struct gpudbg_error *err)
{
    static const char *const of[] = {"run", "position", "wave", "file"};
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
    for (int s = 0; good && s < 2; s++) {
        lines_take(t, s, t->machine[s] && t->there[s] ? t->pc[s] : entry_of(t, s));
    }
    if (good) rows_make(t);
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
