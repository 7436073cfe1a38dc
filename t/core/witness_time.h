/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * witness_time.h: notes of which lanes ran before and after each instruction, of events, and of when a condition held.
 * They answer what `catch`, `why off` and `find-time` answer by searching.
 */
#ifndef WITNESS_TIME_H
#define WITNESS_TIME_H

#include <ctype.h>
#include "past/off.h"
#include "control/stop.h"
#include "witness.h"

struct moment {
    uint32_t wave;
    uint64_t before, after; /* lanes that ran */
    bool event;
    uint8_t nan; /* NOT_WRITTEN: none came into being, WRITTEN: one did, EITHER: the notes cannot tell */
};

static uint64_t lanes_running(struct gpudbg_machine *m, uint32_t wave)
{
    struct machine_wave_info info;
    machine_wave_info(m, wave, &info);
    return info.state == GPUDBG_ENDED ? 0 : info.active;
}

/* ---- NaNs of Sea Islands, by the text of the instruction ---- */

static bool is_nan32(uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; }

/* The simple operations: a result and sources of one float each. */
static bool simple_float(const char *text)
{
    static const char *const names[] = {"v_add_f32", "v_sub_f32", "v_subrev_f32", "v_mul_f32", "v_mac_f32", "v_mad_f32",
        "v_fma_f32", "v_sqrt_f32", "v_rcp_f32", "v_rsq_f32", "v_log_f32", "v_floor_f32", "v_fract_f32", NULL};
    for (unsigned i = 0; names[i]; i++)
        if (strncmp(text, names[i], strlen(names[i])) == 0 && !strchr(text, '['))
            return strchr(" _", text[strlen(names[i])]) != NULL;
    return false;
}

static uint32_t *register_word(struct gpudbg_wave *w, const char *name, unsigned reg)
{
    for (unsigned f = 0; f < w->machine->isa->nfiles; f++)
        if (strcmp(w->machine->isa->files[f].name, name) == 0) return w->machine->isa->run->reg(w, f, reg);
    return NULL;
}

/* The words of a register by its name in the text: v3, s3, ttmp3, m0, vcc_lo, exec_hi; NULL: a constant. */
static const uint32_t *source_words(struct gpudbg_wave *w, const char *at, unsigned *reg)
{
    static const char *const halves[] = {"vcc", "exec", "flat_scratch", "tba", "tma"};
    *reg = 0;
    if (at[0] == 'v' && sscanf(at + 1, "%u", reg) == 1) return register_word(w, "v", *reg);
    if (at[0] == 's' && sscanf(at + 1, "%u", reg) == 1) return register_word(w, "s", *reg);
    if (strncmp(at, "ttmp", 4) == 0 && sscanf(at + 4, "%u", reg) == 1) return register_word(w, "ttmp", *reg);
    if (strncmp(at, "m0", 2) == 0) return register_word(w, "m0", 0);
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++) {
        const size_t n = strlen(halves[i]);
        if (strncmp(at, halves[i], n) != 0 || at[n] != '_') continue;
        const uint32_t *words = register_word(w, halves[i], 0);
        return words ? words + (at[n + 1] == 'h') : NULL;
    }
    return NULL;
}

/* Lanes in which a source is already a NaN; *dst: the number of the result's register.  A v_mac reads its result. */
static uint64_t nan_sources(struct gpudbg_wave *w, const char *text, unsigned *dst)
{
    uint64_t lanes = 0;
    unsigned n = 0;
    for (const char *p = strchr(text, ' '); p && *p; p++) {
        unsigned reg;
        if (!strchr(" -|(", p[0]) || !isalpha((unsigned char)p[1])) continue;
        const uint32_t *word = source_words(w, p + 1, &reg);
        if (!word) continue;
        const bool lane = p[1] == 'v' && p[2] != 'c';
        if (!n++) *dst = reg;
        if (n == 1 && strncmp(text, "v_mac", 5) != 0) continue;
        for (unsigned l = 0; l < 64; l++) lanes |= (uint64_t)is_nan32(word[lane ? l : 0]) << l;
    }
    return lanes;
}

static uint8_t note_nan(struct gpudbg_machine *m, uint64_t at, uint32_t id)
{
    struct gpudbg_error err = {0};
    struct gpudbg_insn insn;
    char text[200];
    size_t left;
    unsigned dst = 0;
    struct gpudbg_wave *w = machine_wave(m, id, &err);
    const uint8_t *bytes = w ? gpudbg_image_bytes(m->image, w->pc, &left) : NULL;
    if (!bytes || !gpudbg_insn_at(m->isa, bytes, left, w->pc, &insn)) return EITHER;
    m->isa->text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
    if (!simple_float(text)) return strstr(text, "_f") || strstr(text, "legacy") ? EITHER : NOT_WRITTEN;
    const uint64_t active = m->isa->run->active(w), had = nan_sources(w, text, &dst);
    uint64_t made = 0;
    stand_at(m, at + 1);
    w = machine_wave(m, id, &err);
    const uint32_t *word = w ? register_word(w, "v", dst) : NULL;
    for (unsigned l = 0; word && l < 64; l++) made |= (uint64_t)is_nan32(word[l]) << l;
    stand_at(m, at);
    return made & active & ~had ? WRITTEN : NOT_WRITTEN;
}

/* ---- catch ---- */

static bool wanted(const struct moment *at, enum catch_kind kind)
{
    const uint64_t gone = at->before & ~at->after;
    if (kind == CATCH_EVENT) return at->event;
    if (kind == CATCH_EMPTY) return at->before && !at->after;
    return at->after && gone && !(at->after & ~at->before);
}

static void witness_catch(
    struct gpudbg *g, const struct moment *note, uint64_t steps, enum catch_kind kind, bool back, const char *what)
{
    struct gpudbg_machine *m = g->running.machine;
    struct gpudbg_error err = {0};
    struct stop_point p = {.kind = STOP_CATCH, .on = true, .wave = -1, .lane = -1};
    static bool hit[STEPS];
    unsigned hits = 0, wrong = 0;
    p.catching.kind = kind;
    if (!catch_applies(m->isa, kind, &err)) return;
    memset(hit, 0, sizeof hit);
    const struct stop_point *added = stops_add(&g->control, &p, &err);
    if (!added) {
        ok(false, "%s: %s", what, err.message);
        return;
    }
    stand_at(m, back ? steps : 0);
    for (;;) {
        struct machine_want want = {.until = MACHINE_POSITION, .count = back ? 0 : steps, .stops = true};
        if (!stops_run(&g->control, &want, &err) || g->running.last.reason != GPUDBG_STOP_CATCH) break;
        const uint64_t at = machine_position(m) - 1;
        if (at >= STEPS || hit[at]) break; /* no stop twice */
        hit[at] = true;
        hits++;
    }
    /* Backwards a stop at the present does not count: it is where the search began. */
    for (uint64_t at = 0; at < (back ? steps - 1 : steps); at++) {
        if (kind == CATCH_NAN && note[at].nan == EITHER) continue;
        if (hit[at] == (kind == CATCH_NAN ? note[at].nan == WRITTEN : wanted(&note[at], kind))) continue;
        if (!wrong++)
            fprintf(stderr, "# %s: catch %s, position %" PRIu64 ": %s: %s\n", what, catch_words[kind], at,
                hit[at] ? "was met" : "was not met", text_at(m, at, note[at].wave));
    }
    ok(!wrong, "%s: catch %s%s: %u stops are where the notes say", what, catch_words[kind], back ? ", backwards" : "",
        hits);
    stops_remove(&g->control, added->number, &err);
}

/* ---- why off ---- */

static bool off_as_noted(struct gpudbg_machine *m, const struct moment *note, uint64_t steps, uint64_t now,
    uint32_t wave, int lane, const struct off *off)
{
    const uint64_t bit = UINT64_C(1) << lane;
    struct machine_wave_info info;
    machine_wave_info(m, wave, &info);
    if (!(info.lanes & bit)) return off->how == OFF_ABSENT;
    if (info.state == GPUDBG_ENDED) return off->how == OFF_ENDED;
    if (info.active & bit) return off->how == OFF_RUNS;
    uint64_t by = now, again = now;
    while (by-- > 0)
        if (note[by].wave == wave && note[by].before & bit && !(note[by].after & bit)) break;
    if (by == UINT64_MAX) return off->how == OFF_LAUNCH || off->how == OFF_EDITED;
    if (off->how != OFF_TURNED || off->position != by) return false;
    while (again < steps && !(note[again].wave == wave && !(note[again].before & bit) && note[again].after & bit))
        again++;
    return machine_recorded(m) > steps || (off->returns ? off->returns_position == again : again == steps);
}

static void witness_off(struct gpudbg *g, const struct moment *note, uint64_t steps, const char *what)
{
    struct gpudbg_machine *m = g->running.machine;
    unsigned wrong = 0, asked = 0, turned = 0;
    for (unsigned i = 0; i < 30; i++) {
        struct gpudbg_error err = {0};
        struct off off;
        const uint64_t now = chance((uint32_t)steps);
        const uint32_t wave = note[now].wave;
        const int lane = (int)chance(m->lanes);
        stand_at(m, now);
        const bool good = off_find(&g->eval, wave, lane, &off, &err);
        asked++;
        turned += good && off.how == OFF_TURNED;
        if (good && machine_position(m) == now && off_as_noted(m, note, steps, now, wave, lane, &off)) continue;
        if (!wrong++)
            fprintf(stderr,
                "# %s: why off, wave %u, lane %d at position %" PRIu64 ": how %d, position %" PRIu64
                ", again %d %" PRIu64 " %s\n",
                what, wave, lane, now, off.how, off.position, off.returns, off.returns_position, err.message);
    }
    ok(!wrong, "%s: %u answers to `why off` are what the notes say, %u name an instruction", what, asked, turned);
}

/* ---- find-time ---- */

static void witness_times(struct gpudbg *g, uint64_t steps, const char *what)
{
    struct gpudbg_machine *m = g->running.machine;
    unsigned wrong = 0, held = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct past_times want = {0}, got;
        struct gpudbg_error err = {0};
        char name[64], condition[200];
        bool did = false;
        stand_at(m, 0);
        g->selection.wave = 0;
        g->selection.lane = 0;
        register_text(m, 0, name, sizeof name);
        if (!*name) continue;
        snprintf(condition, sizeof condition, "(%s >> %u & 1) != 0", name, chance(8));
        machine_hide_ended(m, true); /* as find-time does */
        for (uint64_t at = 0; at <= steps; at++) {
            bool holds = false;
            stand_at(m, at);
            if (!expr_holds(&g->eval, 0, 0, condition, &holds, &err)) holds = false;
            if (holds && !want.times) want.first = at;
            if (holds) want.last = at;
            want.times += holds && !did;
            did = holds;
        }
        machine_hide_ended(m, false);
        stand_at(m, chance((uint32_t)steps));
        err = (struct gpudbg_error){0};
        if (!past_times(&g->eval, condition, &got, &err)) continue; /* more than a number */
        held += got.times != 0;
        if (got.times == want.times && (!want.times || (got.first == want.first && got.last == want.last))) continue;
        if (!wrong++)
            fprintf(stderr,
                "# %s: find-time %s: %" PRIu64 " times, %" PRIu64 " to %" PRIu64 "; the notes say %" PRIu64 ", %" PRIu64
                " to %" PRIu64 "\n",
                what, condition, got.times, got.first, got.last, want.times, want.first, want.last);
    }
    ok(!wrong, "%s: find-time finds what looking at each position finds; %u conditions held", what, held);
}

/* ---- All of it, of a machine that has run; nans: the text of instructions says which are floats (Sea Islands) ---- */

static void witness_time(struct gpudbg *g, const char *what, bool nans)
{
    static struct moment note[STEPS];
    struct gpudbg_machine *m = g->running.machine;
    const uint64_t recorded = machine_recorded(m), steps = recorded < STEPS ? recorded : STEPS;
    const struct gpudbg_event *event;
    bool listed = true;
    memset(note, 0, sizeof note);
    if (!steps) return;
    stand_at(m, recorded);
    const uint64_t hash = machine_hash(m);
    for (uint64_t at = 0; at < steps; at++) {
        stand_at(m, at);
        const size_t events = gpudbg_events(m, &event);
        const uint32_t id = note[at].wave = machine_next_wave(m);
        if (id == MACHINE_NO_WAVE) break;
        note[at].before = lanes_running(m, id);
        struct machine_wave_info info;
        machine_wave_info(m, id, &info);
        listed &= is_listed(m, info.pc);
        note[at].nan = nans ? note_nan(m, at, id) : EITHER;
        stand_at(m, at + 1);
        machine_wave_info(m, id, &info);
        note[at].after = info.state == GPUDBG_ENDED ? note[at].before : info.active;
        note[at].event = gpudbg_events(m, &event) > events;
    }
    for (unsigned back = 0; listed && back < 2; back++) {
        witness_catch(g, note, steps, CATCH_DIVERGENCE, back, what);
        witness_catch(g, note, steps, CATCH_EMPTY, back, what);
        witness_catch(g, note, steps, CATCH_EVENT, back, what);
        if (nans) witness_catch(g, note, steps, CATCH_NAN, back, what);
    }
    if (listed) witness_off(g, note, steps, what);
    if (recorded == steps) witness_times(g, steps, what);
    stand_at(m, recorded);
    ok(machine_hash(m) == hash, "%s: these questions change nothing", what);
}

#endif
