/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random programs of AMD IL, each run with two sets of constants: the first store that differs, as diffrun finds it
 * with watchpoints, against notes of all stores that an observer takes an instruction at a time.
 */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "past/compare.h"
#include "decoders/decoders.h"
#include "gpudbg/text.h"
#include "image/load.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/out.h"
#include "session/session.h"
#include "tap.h"

#define STEPS 2000
#define NOTES 65536
#define BUFFER 4096

/* A store to a byte of the buffer: the last of an instruction's. */
struct noted {
    uint64_t position;
    uint32_t byte, wave;
    int lane;
    uint8_t value;
};

struct notes {
    const struct gpudbg_segment *buffer;
    struct noted list[NOTES];
    size_t n;
    uint64_t position;
};

static void note_access(void *data, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct notes *t = data;
    for (uint64_t k = 0; a->write && a->segment == t->buffer && k < a->size && t->n < NOTES; k++) {
        const uint32_t byte = (uint32_t)(a->addr + k - t->buffer->base);
        size_t i = t->n;
        while (i && t->list[i - 1].position == t->position && t->list[i - 1].byte != byte) i--;
        const bool again = i && t->list[i - 1].position == t->position;
        t->list[again ? i - 1 : t->n++] = (struct noted){
            .position = t->position, .byte = byte, .wave = w->id, .lane = a->lane};
    }
}

/* Runs to the end, or STEPS instructions; returns how many. */
static uint64_t take_notes(struct gpudbg_machine *m, struct notes *t)
{
    const struct machine_observer observer = {.data = t, .access = note_access};
    t->n = 0;
    for (size_t i = 0; i < m->launch->nbound; i++)
        if (strcmp(m->launch->bound[i].name, "uav0") == 0) t->buffer = m->launch->bound[i].segment;
    const struct machine_observer *before = machine_observe(m, &observer);
    for (t->position = 0; t->position < STEPS; t->position++) {
        const size_t first = t->n;
        machine_run(m, &(struct machine_want){
                           .until = MACHINE_POSITION, .count = t->position + 1, .observed = true, .whole = true});
        if (machine_position(m) != t->position + 1) break;
        for (size_t i = first; i < t->n; i++) t->list[i].value = t->buffer->bytes[t->list[i].byte];
    }
    machine_observe(m, before);
    return machine_position(m);
}

/* The store of a byte that is number n of a run; NULL: it has fewer. */
static const struct noted *numbered(const struct notes *t, uint32_t byte, size_t n)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].byte == byte && !n--) return &t->list[i];
    return NULL;
}

/* The first store that differs, by the first run's time; those that it does not have come last, by the second's. */
static bool first_of(const struct notes t[2], bool all, const struct noted *to[2])
{
    bool found = false;
    for (uint32_t byte = 0; byte < BUFFER; byte++) {
        const struct noted *s[2] = {NULL, NULL};
        if (!all && t[0].buffer->bytes[byte] == t[1].buffer->bytes[byte]) continue;
        for (size_t n = 0;; n++) {
            for (int k = 0; k < 2; k++) s[k] = numbered(&t[k], byte, n);
            if (!s[0] || !s[1] || s[0]->value != s[1]->value) break;
        }
        if (!s[0] && !s[1]) continue;
        const bool earlier = !found || (s[0] && !to[0]) ||
                             (s[0] ? to[0] && s[0]->position < to[0]->position
                                   : !to[0] && s[1]->position < to[1]->position);
        if (earlier) to[0] = s[0], to[1] = s[1];
        found = true;
    }
    return found;
}

static bool same_store(const struct compared_store *got, const struct noted *want)
{
    if (!want) return !got->there;
    return got->there && got->position == want->position && got->wave == want->wave && got->lane == want->lane &&
           got->value == want->value;
}

/* ---- Programs ---- */

static uint64_t seed;

static unsigned chance(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

static void line(struct text *t)
{
    static const char *const ops[] = {"iadd", "ixor", "imul", "iand", "ior", "ult", "umin"};
    const unsigned a = chance(4), b = chance(4), c = chance(4);
    switch (chance(6)) {
    case 0:
    case 1: text_add(t, "iand r9.x, r%u.x, l0.y\nuav_raw_store_id(0) mem.x___, r9.x, r%u.x\n", a, b); break;
    case 2: text_add(t, "iand r9.x, r%u.x, l0.y\nuav_raw_load_id(0) r%u.x, r9.x\n", a, b); break;
    case 3:
        text_add(t, "iand r8.x, r%u.x, l0.z\nif_logicalnz r8.x\niadd r%u.x, r%u.x, l0.x\n", a, b, c);
        text_add(t, "iand r9.x, r%u.x, l0.y\nuav_raw_store_id(0) mem.x___, r9.x, r%u.x\nendif\n", b, a);
        break;
    default: text_add(t, "%s r%u.x, r%u.x, r%u.x\n", ops[chance(sizeof ops / sizeof *ops)], a, b, c); break;
    }
}

static void program_text(char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_cb cb0[1]\n"
                 "dcl_literal l0, 4, 0xffc, 3, 64\nmov r0.x, vaTid.x\nishl r1.x, vaTid.x, l0.z\n"
                 "mov r2.x, cb0[0].x\niadd r3.x, r1.x, cb0[0].y\n");
    for (unsigned i = 0, n = 8 + chance(16); i < n; i++) line(&t);
    text_add(&t, "endmain\nend\n");
}

static struct gpudbg *opened(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g) printf("Bail out! %s\n", err.message), exit(1);
    g->sealed = true;
    return g;
}

static struct gpudbg_machine *launched(struct gpudbg *g, const char *text, unsigned constant)
{
    struct gpudbg_error err = {0};
    char words[100];
    struct load_options options = {.format = NULL};
    struct gpudbg_image *image = session_image_from(
        g, "program.il", (const uint8_t *)text, strlen(text), &options, &err);
    if (!image) printf("Bail out! %s\n%s", err.message, text), exit(1);
    session_take(g, image);
    struct gpudbg_out *out = out_memory(false);
    snprintf(words, sizeof words, "launch -g 128 -l 64 uav0=zero:4096 cb0=hex:%02x000000%02x00000000000000%016x",
        constant, 4 * constant, 0);
    if (!gpudbg_execute(g, words, out, &err)) printf("Bail out! %s\n", err.message), exit(1);
    out_close(out);
    return gpudbg_session_machine(g);
}

static void stand_at_end(struct gpudbg_machine *m)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = machine_recorded(m)});
}

int main(void)
{
    struct gpudbg *g[2] = {opened(), opened()};
    const unsigned programs = getenv("GPUDBG_NIGHTLY") ? 1000 : 60 / tap_sample();
    static struct notes notes[2];
    unsigned found = 0, one = 0;
    for (unsigned i = 0; i < programs; i++) {
        char text[8192];
        struct compared side[2];
        struct gpudbg_machine *m[2];
        seed = i + 1;
        program_text(text, sizeof text);
        for (int s = 0; s < 2; s++) {
            m[s] = launched(g[s], text, s ? 3 + i % 5 : 2);
            take_notes(m[s], &notes[s]);
        }
        for (unsigned all = 0; all < 2; all++) {
            const struct noted *want[2] = {NULL, NULL};
            struct comparison c;
            struct gpudbg_error err = {0};
            for (int s = 0; s < 2; s++) stand_at_end(m[s]);
            const bool differs = first_of(notes, all, want);
            for (int s = 0; s < 2; s++) compared_open(&side[s], &g[s]->eval, g[s]->loaded.image, m[s]);
            for (int s = 0; s < 2; s++) machine_rewind(m[s]);
            const bool good = compare_runs(&side[0], &side[1], all, STEPS, &c, &err);
            found += differs;
            one += differs && (!want[0] || !want[1]);
            ok(good && c.found == differs &&
                    (!differs || (same_store(&c.store[0], want[0]) && same_store(&c.store[1], want[1]))),
                "program %u%s: %s", i, all ? ", all stores" : "",
                differs ? "the first store that differs" : "none differs");
        }
    }
    ok(found >= programs / 2, "%u comparisons found a store, %u of them in one run alone", found, one);
    for (int s = 0; s < 2; s++) session_close(g[s]);
    return tap_done();
}
