/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/cause.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "past/off.h"
#include "past/origin.h"
#include "machine/machine.h"

#define WAY_MOST ((size_t)1 << 22)     /* instructions of a wave that are set side by side */
#define ORDER_MOST (UINT64_C(1) << 22) /* instructions until the order of waves differs */
#define NOWHERE SIZE_MAX

struct moment {
    uint64_t position, pc;
};

struct chase {
    struct compared *side[2];
    uint64_t length[2]; /* of the runs */
    struct past_place place[2];
    uint64_t at[2]; /* behind which the place differs */
    char name[160];
    struct cause_step *step;
    size_t n;
    struct gpudbg_error *err;
    /* What a wave executed in each run, in order. */
    struct way {
        uint32_t wave;
        struct moment *list[2];
        size_t n[2], fork; /* fork: the first that differs */
    } way;
};

/* An instruction that both runs executed, as the wave's n-th. */
struct both {
    uint32_t wave;
    int lane;
    uint64_t position[2], pc;
};

static const struct value_type no_type = {.bits = 0};

static struct gpudbg_machine *machine_of(const struct compared *c) { return c->running.machine; }

static bool go(struct chase *c, int s, uint64_t position)
{
    return machine_go(machine_of(c->side[s]), position, c->err);
}

/* ---- A wave's way in both runs ---- */

struct noting {
    struct compared *c;
    struct way *way;
    int side;
    size_t room;
};

static bool note(void *data, struct gpudbg_wave *w)
{
    struct noting *t = data;
    struct way *way = t->way;
    size_t *n = &way->n[t->side];
    if (w->id != way->wave) return false;
    if (*n == WAY_MOST) return true;
    if (*n == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        way->list[t->side] = xrealloc(way->list[t->side], t->room, sizeof *way->list[t->side]);
    }
    way->list[t->side][(*n)++] = (struct moment){machine_position(w->machine), w->pc};
    return false;
}

static bool pass_by(void *data, struct gpudbg_wave *w, int number)
{
    (void)data;
    (void)w;
    (void)number;
    return false;
}

static bool note_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct noting *t = data;
    return ticker_goes_on(t->c->eval.ticker, done, todo);
}

static void way_forget(struct way *way)
{
    free(way->list[0]);
    free(way->list[1]);
    *way = (struct way){.wave = MACHINE_NO_WAVE};
}

static bool way_of(struct chase *c, uint32_t wave)
{
    if (c->way.wave == wave) return true;
    way_forget(&c->way);
    c->way.wave = wave;
    for (int s = 0; s < 2; s++) {
        struct noting t = {c->side[s], &c->way, s, 0};
        struct gpudbg_machine *m = machine_of(c->side[s]);
        machine_rewind(m);
        const struct machine_want want = {.until = MACHINE_POSITION,
            .count = c->length[s],
            .wave = wave,
            .stops = true,
            .whole = true,
            .hit = pass_by,
            .every = note,
            .tick = note_tick,
            .data = &t};
        if (machine_run(m, &want).reason == GPUDBG_STOP_INTERRUPT)
            return gpudbg_fail(c->err, "interrupt", "interrupted while comparing the way of wave %u", wave);
    }
    struct way *way = &c->way;
    while (way->fork < way->n[0] && way->fork < way->n[1] && way->list[0][way->fork].pc == way->list[1][way->fork].pc)
        way->fork++;
    return true;
}

/* The number of the wave's instruction before which the position is; NOWHERE: it is none of the wave's. */
static size_t way_index(const struct way *way, int s, uint64_t position)
{
    size_t low = 0, high = way->n[s];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (way->list[s][middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < way->n[s] && way->list[s][low].position == position ? low : NOWHERE;
}

static struct both both_at(const struct way *way, size_t i, int lane)
{
    return (struct both){.wave = way->wave,
        .lane = lane,
        .position = {way->list[0][i].position, way->list[1][i].position},
        .pc = way->list[0][i].pc};
}

/* ---- Steps ---- */

static void read_text(struct chase *c, int s, struct past_place *p, char *buf, size_t size, int *plain)
{
    unsigned char bytes[PAST_BYTES];
    char text[PAST_TEXT];
    buf[0] = 0;
    *plain = 0;
    if (!past_read(&c->side[s]->eval, p, bytes, sizeof bytes)) return;
    past_text_plain(&c->side[s]->eval, p, bytes, PAST_HERE, text, sizeof text, plain);
    snprintf(buf, size, "%.*s", (int)size - 1, text);
}

static struct cause_step *add(struct chase *c, enum cause_how how, const struct both *b)
{
    c->step = xrealloc(c->step, c->n + 1, sizeof *c->step);
    struct cause_step *step = &c->step[c->n++];
    memset(step, 0, sizeof *step);
    step->how = how;
    step->lane = -1;
    if (!b) return step;
    memcpy(step->position, b->position, sizeof step->position);
    step->wave = b->wave;
    step->lane = b->lane;
    step->pc = b->pc;
    struct gpudbg_insn insn[2];
    bool there[2];
    for (int s = 0; s < 2; s++) there[s] = insn_at(c->side[s]->loaded.image, b->pc, &insn[s]);
    step->begins = there[0] != there[1] ||
                   (there[0] && (insn[0].size != insn[1].size || memcmp(insn[0].raw, insn[1].raw, insn[0].size) != 0));
    return step;
}

/* ... which explains the place that is asked about. */
static struct cause_step *add_for_place(struct chase *c, enum cause_how how, const struct both *b)
{
    struct cause_step *step = add(c, how, b);
    snprintf(step->name, sizeof step->name, "%s", c->name);
    for (int s = 0; s < 2; s++)
        if (go(c, s, c->at[s])) read_text(c, s, &c->place[s], step->value[s], sizeof step->value[s], &step->plain[s]);
    return step;
}

/* ---- From an instruction to one of its inputs ---- */

struct candidate {
    struct insn_input in;
    bool launched;  /* no instruction has written it in the first run */
    uint64_t since; /* else: the position of that one */
};

/* Whether the input holds other values in the two runs before the instruction. */
static bool differs(struct chase *c, const struct both *b, const struct insn_input *in)
{
    unsigned char bytes[2][PAST_BYTES] = {{0}};
    bool known[2];
    for (int s = 0; s < 2; s++) {
        struct past_place p;
        char name[96];
        if (!go(c, s, b->position[s])) return false;
        known[s] = origin_place(&c->side[s]->eval, b->wave, in, no_type, &p, name, sizeof name);
        if (known[s]) known[s] = past_read(&c->side[s]->eval, &p, bytes[s], PAST_BYTES);
        past_free(&p);
    }
    return known[0] != known[1] || (known[0] && memcmp(bytes[0], bytes[1], PAST_BYTES) != 0);
}

/* The place becomes the input, if it is an older one than the best so far. */
static bool consider(struct chase *c, const struct both *b, const struct insn_input *in, struct candidate *best)
{
    struct past_place p;
    struct past_write w;
    char name[96];
    bool found = false;
    if (!differs(c, b, in)) return true;
    if (!go(c, 0, b->position[0])) return false;
    bool good = true;
    if (origin_place(&c->side[0]->eval, b->wave, in, no_type, &p, name, sizeof name))
        good = past_last(&c->side[0]->eval, &p, &w, &found, c->err);
    past_free(&p);
    if (!good) return false;
    const bool older = best->in.size == UINT32_MAX || (!best->launched && (!found || w.position < best->since));
    if (older) *best = (struct candidate){*in, !found, found ? w.position : 0};
    return true;
}

/* Of a register with lanes the one asked about, or the first lane that has other values in the two runs. */
static bool consider_lanes(struct chase *c, const struct both *b, struct insn_input in, struct candidate *best)
{
    const int lanes = (int)machine_of(c->side[0])->lanes;
    in.lane = b->lane < 0 ? 0 : b->lane;
    for (int lane = 0; lane < lanes && !differs(c, b, &in); lane++) in.lane = lane;
    return consider(c, b, &in, best);
}

/* Registers that the instruction reads by its operands: what a branch tests. */
static bool consider_operands(struct chase *c, const struct both *b, struct candidate *best)
{
    const struct gpudbg_machine *m = machine_of(c->side[0]);
    struct gpudbg_insn insn;
    bool good = insn_at(c->side[0]->loaded.image, b->pc, &insn);
    for (unsigned i = 0; good && i < insn.noperands; i++) {
        const struct gpudbg_operand *o = &insn.operands[i];
        if (!(o->flags & GPUDBG_READ) || o->kind != GPUDBG_REGISTER || o->file >= m->isa->nfiles) continue;
        for (unsigned r = 0; r < (o->count ? o->count : 1u) && good; r++) {
            const struct insn_input in = {.is_register = true, .file = o->file, .reg = o->reg + r, .lane = -1};
            good = m->isa->files[o->file].lanes > 1 ? consider_lanes(c, b, in, best) : consider(c, b, &in, best);
        }
    }
    return good;
}

struct marks {
    struct insn_input in[8];
    size_t n;
};

static bool keep_mark(
    void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords)
{
    struct marks *t = to;
    (void)a, (void)b, (void)dwords;
    if (lane >= 0) return true;
    if (t->n == sizeof t->in / sizeof *t->in) return false;
    t->in[t->n++] = (struct insn_input){.is_register = true, .file = file, .reg = index, .lane = -1};
    return true;
}

/* No operand tells: any register without lanes that has a place of its own, masks and flags among them. */
static bool consider_all(struct chase *c, const struct both *b, struct candidate *best)
{
    struct marks t = {.n = 0};
    struct gpudbg_wave *w[2];
    for (int s = 0; s < 2; s++)
        if (!go(c, s, b->position[s]) || !(w[s] = machine_wave(machine_of(c->side[s]), b->wave, c->err))) return false;
    compare_waves(w[0], w[1], keep_mark, &t);
    bool good = true;
    for (size_t i = 0; i < t.n && good; i++) good = consider(c, b, &t.in[i], best);
    return good;
}

/* Makes an input of the instruction that differs the place to ask about.  *found: there is one. */
static bool follow(struct chase *c, const struct both *b, enum cause_how how, bool *found)
{
    static const struct insn_input none = {.size = UINT32_MAX};
    struct candidate best = {.in = none};
    struct insn_input in[INPUTS_MOST];
    const bool way = how == CAUSE_WAY || how == CAUSE_ORDER;
    bool good = true;
    for (int s = 0; s < 2 && good && !way; s++) {
        if (!go(c, s, b->position[s])) return false;
        const size_t n = origin_inputs(
            &c->side[s]->eval, b->wave, how == CAUSE_VALUE ? &c->place[s] : NULL, b->lane, in);
        for (size_t i = 0; i < n && good; i++) good = consider(c, b, &in[i], &best);
    }
    if (good && best.in.size == UINT32_MAX && how != CAUSE_VALUE) good = consider_operands(c, b, &best);
    if (good && best.in.size == UINT32_MAX && how != CAUSE_VALUE) good = consider_all(c, b, &best);
    *found = good && best.in.size != UINT32_MAX;
    for (int s = 0; s < 2 && *found; s++) {
        char name[96];
        if (!go(c, s, b->position[s])) return false;
        const struct value_type type = how == CAUSE_VALUE ? c->place[s].type : no_type;
        past_free(&c->place[s]);
        c->at[s] = b->position[s];
        origin_place(&c->side[s]->eval, b->wave, &best.in, type, &c->place[s], name, sizeof name);
        snprintf(c->name, sizeof c->name, "%s", name);
    }
    return good;
}

/* ---- Which instruction ---- */

/* The instruction behind which the wave goes another way in the other run, or ends in one of them; or (*how ENDED) the
 * one that a run did not come to. */
static bool at_fork(struct chase *c, int lane, struct both *b, enum cause_how *how)
{
    const struct way *way = &c->way;
    const bool on[2] = {way->fork < way->n[0], way->fork < way->n[1]};
    *how = CAUSE_ENDED;
    if (!way->fork || (!on[0] && !on[1])) return false;
    const int ended = on[0] ? 1 : 0;
    if (on[ended]) {
        *how = CAUSE_WAY;
    } else {
        struct machine_wave_info info;
        if (!go(c, ended, c->length[ended])) return false;
        machine_wave_info(machine_of(c->side[ended]), way->wave, &info);
        const bool there = info.state != GPUDBG_ENDED && info.pc == way->list[!ended][way->fork].pc;
        if (!there) *how = CAUSE_WAY;
    }
    if (*how == CAUSE_WAY) *b = both_at(way, way->fork - 1, lane);
    if (*how == CAUSE_WAY) return true;
    const struct moment next = way->list[!ended][way->fork];
    *b = (struct both){.wave = way->wave, .lane = lane, .pc = next.pc};
    b->position[!ended] = next.position;
    b->position[ended] = c->length[ended];
    return true;
}

/* The instruction that turned the lane off in the run in which it does not run at `b`.  *found: there is one. */
static bool turned_off(struct chase *c, struct both *b, enum cause_how *how, bool *found)
{
    uint64_t active[2];
    *found = false;
    if (b->lane < 0 || b->lane > 63) return true;
    for (int s = 0; s < 2; s++) {
        struct machine_wave_info info;
        if (!go(c, s, b->position[s])) return false;
        machine_wave_info(machine_of(c->side[s]), b->wave, &info);
        active[s] = info.active >> b->lane & 1;
    }
    if (active[0] == active[1]) return true;
    const int s = active[0] ? 1 : 0;
    struct off off;
    if (!off_find(&c->side[s]->eval, b->wave, b->lane, &off, c->err) || !way_of(c, b->wave)) return false;
    if (off.how != OFF_TURNED) return true;
    const size_t i = way_index(&c->way, s, off.position);
    *found = i < c->way.fork;
    if (*found) *how = CAUSE_LANE;
    if (*found) *b = both_at(&c->way, i, b->lane);
    if (!*found) *found = at_fork(c, b->lane, b, how);
    return !c->err->kind;
}

/* The last instruction before the order of the waves, or their ways (*how), differ. */
static bool before_order(struct chase *c, struct both *b, enum cause_how *how, bool *found)
{
    *found = false;
    for (int s = 0; s < 2; s++) machine_rewind(machine_of(c->side[s]));
    for (uint64_t at = 0; at < ORDER_MOST; at++) {
        struct machine_wave_info info[2];
        uint32_t wave[2];
        for (int s = 0; s < 2; s++) {
            if (at >= c->length[s]) return true;
            if (!go(c, s, at)) return false;
            if ((wave[s] = machine_next_wave(machine_of(c->side[s]))) == MACHINE_NO_WAVE) return true;
            machine_wave_info(machine_of(c->side[s]), wave[s], &info[s]);
        }
        *found = at && (wave[0] != wave[1] || info[0].pc != info[1].pc);
        if (*found && wave[0] == b->wave && wave[1] == b->wave) *how = CAUSE_WAY;
        if (*found || wave[0] != wave[1]) return true;
        *b = (struct both){.wave = wave[0], .lane = -1, .position = {at, at}, .pc = info[0].pc};
        if (at % 1024 == 0 && !ticker_goes_on(c->side[0]->eval.ticker, at, c->length[0]))
            return gpudbg_fail(c->err, "interrupt", "interrupted while comparing the order of waves");
    }
    return true;
}

/* The lane whose write it is, of several the first; where registers have no lanes of their own, the instruction's
 * regions tell.  -1: none. */
static int lane_of(struct chase *c, int s, const struct past_write *w)
{
    struct gpudbg_machine *m = machine_of(c->side[s]);
    struct gpudbg_error ignored = {0};
    struct gpudbg_insn insn, own;
    uint64_t lanes = w->lanes;
    if (!lanes && c->place[s].is_register && c->place[s].set && machine_go(m, w->position, &ignored)) {
        struct gpudbg_wave *wave = machine_wave(m, w->wave, &ignored);
        const struct gpudbg_insn *actual = wave && insn_at(m->image, wave->pc, &insn)
                                               ? machine_actual(wave, &insn, &own)
                                               : NULL;
        if (actual) lanes = inputs_lanes(wave, actual, c->place[s].set);
    }
    return lanes ? __builtin_ctzll(lanes) : -1;
}

/* The run whose write of the place is asked about: the only one, or that later on the way of their wave. */
static int which_side(struct chase *c, const struct past_write w[2], const bool found[2])
{
    if (!found[0] || !found[1]) return found[0] ? 0 : 1;
    if (w[0].wave != w[1].wave) return 0;
    const size_t a = way_index(&c->way, 0, w[0].position), b = way_index(&c->way, 1, w[1].position);
    return b != NOWHERE && (a == NOWHERE || b > a) ? 1 : 0;
}

/* The runs wrote the place by different instructions, or only one did. */
static bool unlike(struct chase *c, const struct past_write w[2], const bool found[2], enum cause_how *how,
    struct both *b, bool *known)
{
    const uint32_t wave = w[found[0] ? 0 : 1].wave;
    *known = false;
    if (!way_of(c, wave)) return false;
    const int s = which_side(c, w, found);
    const size_t i = w[s].wave == wave ? way_index(&c->way, s, w[s].position) : NOWHERE;
    if (i == NOWHERE) return true;
    if (i >= c->way.fork) {
        *known = at_fork(c, lane_of(c, s, &w[s]), b, how);
        return !c->err->kind;
    }
    *b = both_at(&c->way, i, lane_of(c, s, &w[s]));
    *known = true;
    *how = CAUSE_VALUE;
    if (b->position[!s] < c->at[!s]) return true;
    *how = CAUSE_ORDER; /* the other run has not come there yet */
    return before_order(c, b, how, known);
}

/* How often the wave has executed the instruction of its i-th step before that. */
static size_t times_before(const struct way *way, int s, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < i; k++) n += way->list[s][k].pc == way->list[s][i].pc;
    return n;
}

/* The writes are the same instruction, which the wave executed as often before: not one round of a loop and another. */
static bool alike(struct chase *c, const struct past_write w[2], const bool found[2], bool *same)
{
    *same = found[0] && found[1] && w[0].wave == w[1].wave && w[0].pc == w[1].pc;
    if (!*same || w[0].position == w[1].position) return true;
    if (!way_of(c, w[0].wave)) return false;
    const struct way *way = &c->way;
    const size_t i[2] = {way_index(way, 0, w[0].position), way_index(way, 1, w[1].position)};
    if (i[0] == NOWHERE || i[1] == NOWHERE || i[0] == i[1]) return true;
    *same = i[0] >= way->fork && i[1] >= way->fork && times_before(way, 0, i[0]) == times_before(way, 1, i[1]);
    return true;
}

/* Of registers that differ only the bits that do are asked about: the upper half of a flag register may have been
 * written since. */
static bool narrow(struct chase *c)
{
    struct gpudbg_wave *w[2];
    uint32_t differ = 0;
    for (int s = 0; s < 2; s++) {
        if (!c->place[s].is_register) return true;
        if (!past_bits(&c->side[s]->eval, &c->place[s], c->err) || !go(c, s, c->at[s])) return false;
        if (!(w[s] = machine_wave(machine_of(c->side[s]), c->place[s].wave, c->err))) return false;
    }
    struct touch_set *set = c->place[0].set, *other = c->place[1].set;
    if (set->n != other->n) return true;
    for (size_t i = 0; i < set->n; i++)
        differ |= (w[0]->words[set->bit[i].at] ^ w[1]->words[other->bit[i].at]) & set->bit[i].bits;
    if (!differ) return true;
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) {
        const uint32_t bits = (w[0]->words[set->bit[i].at] ^ w[1]->words[other->bit[i].at]) & set->bit[i].bits;
        if (!bits) continue;
        set->bit[n] = (struct trial_bits){set->bit[i].at, bits};
        other->bit[n++] = (struct trial_bits){other->bit[i].at, bits};
    }
    set->n = other->n = n;
    c->place[0].narrowed = c->place[1].narrowed = true;
    return true;
}

/* One step.  *more: there is a place to ask about next. */
static bool step(struct chase *c, bool *more)
{
    struct past_write w[2] = {{0}};
    bool found[2], same, known = true, off = false;
    enum cause_how how = CAUSE_VALUE;
    struct both b = {.lane = -1};
    *more = false;
    if (!narrow(c)) return false;
    for (int s = 0; s < 2; s++)
        if (!go(c, s, c->at[s]) || !past_last(&c->side[s]->eval, &c->place[s], &w[s], &found[s], c->err)) return false;
    if (!found[0] && !found[1]) {
        struct cause_step *leaf = add_for_place(c, CAUSE_LAUNCH, NULL);
        origin_leaf(&c->side[0]->eval, &c->place[0], leaf->leaf, sizeof leaf->leaf);
        return true;
    }
    if (!alike(c, w, found, &same)) return false;
    if (same)
        b = (struct both){w[0].wave, lane_of(c, 0, &w[0]), {w[0].position, w[1].position}, w[0].pc};
    else if (!unlike(c, w, found, &how, &b, &known))
        return false;
    /* Only one run wrote it there: the lane did not run in the other. */
    if (!same && known && how == CAUSE_VALUE && !turned_off(c, &b, &how, &off)) return false;
    const struct cause_step *last = add_for_place(c, known || how == CAUSE_ENDED ? how : CAUSE_LOST, known ? &b : NULL);
    if (!known || last->begins) return true;
    if (how == CAUSE_ENDED) return follow(c, &b, CAUSE_VALUE, more); /* a fault: by its address, perhaps */
    if (!follow(c, &b, how, more)) return false;
    if (*more || how != CAUSE_VALUE) return true;
    if (!turned_off(c, &b, &how, &known)) return false;
    if (!known) return true;
    last = add(c, how, &b);
    return last->begins || follow(c, &b, how == CAUSE_ENDED ? CAUSE_VALUE : how, more);
}

struct cause_step *cause_of(struct compared *a, struct compared *b, struct past_place place[2], const char *name,
    const uint64_t position[2], size_t *n, struct gpudbg_error *err)
{
    struct chase c = {.side = {a, b}, .err = err, .way = {.wave = MACHINE_NO_WAVE}};
    bool more = true, good = true;
    for (int s = 0; s < 2; s++) {
        c.place[s] = place[s];
        c.at[s] = position[s];
        c.length[s] = machine_recorded(machine_of(c.side[s]));
    }
    snprintf(c.name, sizeof c.name, "%s", name);
    while (more && good && c.n < CAUSE_STEPS) {
        good = step(&c, &more);
        if (good && more && !ticker_goes_on(a->eval.ticker, c.n, CAUSE_STEPS))
            good = gpudbg_fail(err, "interrupt", "interrupted while looking for the cause");
    }
    for (int s = 0; s < 2; s++) past_free(&c.place[s]);
    way_forget(&c.way);
    *n = c.n;
    if (good) return c.step;
    free(c.step);
    return NULL;
}
