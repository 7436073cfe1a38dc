/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/measure.h"
#include <stdlib.h>
#include <string.h>
#include "check/check.h"
#include "flow/loops.h"
#include "flow/pressure.h"
#include "image/image.h"
#include "session/session.h"
#include "word/registry.h"

#define INSNS_MOST (UINT32_C(1) << 20)

const struct measure_column measure_columns[MEASURES] = {
#define MEASURE(id, key, better, doc) [MEASURE_##id] = {key, doc, MEASURE_##better},
#include "command/measures.def"
#undef MEASURE
};

/* ---- Instructions ---- */

static const enum measure_number of_work[GPUDBG_WORKS] = {
    [GPUDBG_WORK_SCALAR] = MEASURE_SCALAR,
    [GPUDBG_WORK_VECTOR] = MEASURE_VECTOR,
    [GPUDBG_WORK_CONSTANT] = MEASURE_CONSTANT,
    [GPUDBG_WORK_MEMORY] = MEASURE_MEMORY,
    [GPUDBG_WORK_LOCAL] = MEASURE_LOCAL,
    [GPUDBG_WORK_EXPORT] = MEASURE_EXPORT,
    [GPUDBG_WORK_BRANCH] = MEASURE_BRANCH,
    [GPUDBG_WORK_WAIT] = MEASURE_WAIT,
    [GPUDBG_WORK_OTHER] = MEASURE_OTHER,
};

static bool count_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct measured *m = to;
    (void)number;
    m->number[MEASURE_INSTRUCTIONS]++;
    m->number[MEASURE_BYTES] += insn->size;
    if (!insn->op) return true;
    m->number[MEASURE_BARRIERS] += (gpudbg_insn_does(insn) & GPUDBG_OP_BARRIER) != 0;
    if (!insn->isa->costs) return true;
    struct gpudbg_cost cost = {.times = 0};
    insn->isa->costs->cost(insn, &cost);
    m->number[of_work[cost.work]]++;
    return true;
}

static void zero(struct measured *m, enum measure_number first, enum measure_number last)
{
    for (unsigned i = first; i <= last; i++) m->number[i] = 0;
}

static void count_code(struct measured *m, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    m->number[MEASURE_INSTRUCTIONS] = m->number[MEASURE_BYTES] = m->number[MEASURE_BARRIERS] = 0;
    if (w->isa->costs) zero(m, MEASURE_SCALAR, MEASURE_OTHER);
    m->number[MEASURE_BLOCKS] = w->norder - (w->returns != UINT32_MAX && w->block[w->returns].place != UINT32_MAX);
    for (uint32_t i = 0; i < w->norder; i++) gpudbg_block_walk(w, w->order[i], count_insn, m);
    struct loops *loops = loops_new(w, err);
    if (!loops) return;
    m->number[MEASURE_LOOPS] = loops->nloops;
    m->number[MEASURE_DEPTH] = 0;
    for (uint32_t i = 0; i < loops->nloops; i++)
        if (loops->loop[i].depth > m->number[MEASURE_DEPTH]) m->number[MEASURE_DEPTH] = loops->loop[i].depth;
    loops_free(loops);
}

/* Code whose registers cannot be followed has no numbers of them. */
static void count_live(struct measured *m, const struct gpudbg_ways *w)
{
    struct gpudbg_error unsaid = {0};
    struct live *live = live_new(w, &unsaid);
    if (!live) return;
    struct pressure_at *at = pressure_new(live), most = {0};
    for (uint32_t i = 0; i < w->ninsns; i++) {
        if (at[i].vector > most.vector) most.vector = at[i].vector;
        if (at[i].scalar > most.scalar) most.scalar = at[i].scalar;
    }
    m->number[MEASURE_LIVE_VECTOR] = most.vector;
    m->number[MEASURE_LIVE_SCALAR] = most.scalar;
    free(at);
    live_free(live);
}

/* ---- What the file says ---- */

static void take_fact(struct measured *m, enum measure_number to, const struct gpudbg_kernel *k, const char *key)
{
    uint32_t value;
    if (!key || !gpudbg_kernel_number(k, key, &value)) return;
    m->number[to] = (m->number[to] == MEASURE_UNKNOWN ? 0 : m->number[to]) + value;
}

static void take_facts(struct measured *m, const struct gpudbg_image *image, const struct gpudbg_kernel *k)
{
    const struct gpudbg_costing *costs = image->isa->costs;
    struct gpudbg_occupancy o;
    m->number[MEASURE_LDS] = k->lds;
    m->number[MEASURE_SCRATCH] = k->scratch;
    if (!costs) return;
    take_fact(m, MEASURE_VECTOR_REGISTERS, k, costs->vector);
    take_fact(m, MEASURE_SCALAR_REGISTERS, k, costs->scalar);
    for (unsigned i = 0; i < sizeof costs->spilled / sizeof *costs->spilled; i++)
        take_fact(m, MEASURE_SPILLS, k, costs->spilled[i]);
    if (costs->occupancy && costs->occupancy(image->isa, k, 0, &o)) m->number[MEASURE_WAVES] = o.waves;
}

/* ---- Kernels ---- */

/* The checkers look at all code of the file, once. */
static void check_code(struct gpudbg *g)
{
    const struct gpudbg_checker *k;
    struct gpudbg_error unsaid = {0};
    for (size_t i = 0; (k = registry_checker(g->registry, i)); i++)
        if (k->code && (!k->applies || k->applies(g->loaded.image->isa))) checks_code(g->control.checks, k, &unsaid);
}

static int64_t findings(const struct gpudbg *g, const struct gpudbg_ways *w, bool all)
{
    const struct check_report *r;
    int64_t n = 0;
    for (size_t i = 0; (r = checks_report(g->control.checks, i)); i++) {
        bool here = all;
        for (uint32_t b = 0; b < w->nblocks && !here; b++)
            here = w->block[b].place != UINT32_MAX &&
                   r->what.pc - w->block[b].addr < w->block[b].end - w->block[b].addr;
        n += here && !r->what.note;
    }
    return n;
}

/* k NULL: code without kernels, a section of which is measured from its first byte on. */
static bool measure(struct gpudbg *g, const struct gpudbg_section *s, const struct gpudbg_kernel *k, measured_fn *each,
    void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    const uint64_t entry = k ? k->entry : s->addr;
    struct measured m = {.kernel = k ? k->name : s->name};
    for (unsigned i = 0; i < MEASURES; i++) m.number[i] = MEASURE_UNKNOWN;
    struct gpudbg_ways *w = gpudbg_ways_new(image->isa, s->bytes, s->size, s->addr, &entry, 1, 0, INSNS_MOST, err);
    if (!w) return false;
    count_code(&m, w, err);
    count_live(&m, w);
    if (k) take_facts(&m, image, k);
    m.number[MEASURE_CHECKS] = findings(g, w, image->nkernels <= 1);
    gpudbg_ways_free(w);
    return each(to, &m);
}

static const struct gpudbg_section *code_at(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    return s && s->bytes && s->flags & GPUDBG_CODE_BYTES ? s : NULL;
}

bool measure_loaded(struct gpudbg *g, measured_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    if (!image || !image->isa)
        return gpudbg_fail(err, "not-recognised", "it does not say its instruction set: give --isa");
    check_code(g);
    for (size_t i = 0; i < image->nkernels; i++) {
        const struct gpudbg_section *s = code_at(image, image->kernels[i].entry);
        if (s && !measure(g, s, &image->kernels[i], each, to, err)) return false;
    }
    for (size_t i = 0; i < image->nsections && !image->nkernels; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (s->bytes && s->size && s->flags & GPUDBG_CODE_BYTES && !measure(g, s, NULL, each, to, err)) return false;
    }
    return true;
}
