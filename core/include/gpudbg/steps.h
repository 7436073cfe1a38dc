/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.h: code for instruction sets that run: an image's code as steps, which are made when control first comes there.
 *
 * A step is a structure of the instruction set's own, one for every unit of code, with a handler that executes it.
 * Memory for steps is asked for at once and touched when it is needed, so a large file costs address space, not time.
 * A breakpoint puts a handler before the step's own, which is kept in a list.
 *
 * One file includes this header, after it has defined
 *
 *     GPUDBG_STEP         the structure.  Its member `fn` is the handler
 *     GPUDBG_STEP_FN      the handler's type: const GPUDBG_STEP *fn(struct gpudbg_wave *, const GPUDBG_STEP *)
 *     GPUDBG_STEP_UNIT    bytes of code that a step is for
 *     GPUDBG_STEP_ALIGN   sections of code whose address is not a multiple of this are left out
 *     GPUDBG_STEP_BLOCK   steps that are made together
 *     GPUDBG_STEP_LONGEST units of the longest instruction
 *     GPUDBG_STEP_PC      what messages call an address of code: "pc"
 *     GPUDBG_STEP_FAULT   (wave, step, lane, format, ...): the end of a handler that cannot execute its step
 *
 * and defines the functions that are declared below.  Everything else is ready to use.
 */
#ifndef GPUDBG_STEPS_H
#define GPUDBG_STEPS_H

#include "../gpudbg.h"

#ifdef GPUDBG_STEP

#include <stdlib.h>
#include <string.h>

struct steps_section {
    uint64_t base; /* address of its first byte */
    const uint8_t *bytes;
    uint8_t *own;      /* what `bytes` is, if the file's own bytes lack addresses or were patched; or NULL */
    size_t count;      /* units */
    GPUDBG_STEP *step; /* count + GPUDBG_STEP_LONGEST: running off the end */
};

/* Steps whose handler is replaced, with their own handlers. */
struct steps_kept {
    struct {
        GPUDBG_STEP *step;
        GPUDBG_STEP_FN *fn;
    } * of;
    size_t n, room;
};

/* The target of a branch out of the code. */
struct steps_far {
    struct steps_far *next;
    uint64_t pc;
    GPUDBG_STEP step;
};

struct steps {
    struct steps_section *section;
    size_t nsections;
    struct steps_kept breaks;
    GPUDBG_STEP outside; /* of the latest jump out of the code, */
    uint64_t outside_pc; /* ... which went there */
    struct steps_far *far;
};

/* ---- To be defined by the file that includes this ---- */

static struct steps *steps_of(const struct gpudbg_wave *);
/* Makes section->step[i], whose contents are undefined before. */
static void step_make(struct steps *, struct steps_section *, size_t i);
/* Frees what a made step holds; it is made anew later. */
static void step_unmake(struct steps *, GPUDBG_STEP *);
/* Whether a made step may have a breakpoint. */
static bool step_stops(const GPUDBG_STEP *);
/* The handler of a step that has one. */
static GPUDBG_STEP_FN step_break;

/* ---- Places ---- */

static inline struct steps_section *steps_section(const struct steps *steps, const GPUDBG_STEP *step)
{
    for (size_t i = 0; i < steps->nsections; i++)
        if (step >= steps->section[i].step &&
            step < steps->section[i].step + steps->section[i].count + GPUDBG_STEP_LONGEST)
            return &steps->section[i];
    return NULL;
}

static inline uint64_t steps_pc(const struct steps *steps, const GPUDBG_STEP *step)
{
    const struct steps_section *s = steps_section(steps, step);
    if (s) return s->base + GPUDBG_STEP_UNIT * (uint64_t)(step - s->step);
    for (const struct steps_far *far = steps->far; far; far = far->next)
        if (step == &far->step) return far->pc;
    return steps->outside_pc;
}

/* ---- Handlers that are kept ---- */

static inline GPUDBG_STEP_FN *steps_kept_fn(const struct steps_kept *kept, const GPUDBG_STEP *step)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->of[i].step == step) return kept->of[i].fn;
    return NULL;
}

/* false: no memory. */
static inline bool steps_keep(struct steps_kept *kept, GPUDBG_STEP *step)
{
    if (kept->n == kept->room) {
        const size_t room = kept->room ? 2 * kept->room : 16;
        void *of = realloc(kept->of, room * sizeof *kept->of);
        if (!of) return false;
        kept->of = of;
        kept->room = room;
    }
    kept->of[kept->n].step = step;
    kept->of[kept->n++].fn = step->fn;
    return true;
}

/* false: it is not in the list. */
static inline bool steps_drop(struct steps_kept *kept, const GPUDBG_STEP *step)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->of[i].step == step) {
            kept->of[i] = kept->of[--kept->n];
            return true;
        }
    return false;
}

/* ---- Making steps ---- */

static GPUDBG_STEP_FN steps_lazy;

/* Makes the block that the step is in, but for what is made already; control may run on into a few more steps. */
static inline void steps_block(struct steps *steps, struct steps_section *s, const GPUDBG_STEP *step)
{
    const size_t first = (size_t)(step - s->step) / GPUDBG_STEP_BLOCK * GPUDBG_STEP_BLOCK;
    const size_t end = s->count - first < GPUDBG_STEP_BLOCK ? s->count : first + GPUDBG_STEP_BLOCK;
    for (size_t i = first; i < end; i++)
        if (!s->step[i].fn || s->step[i].fn == steps_lazy) step_make(steps, s, i);
    for (size_t i = end; i < end + GPUDBG_STEP_LONGEST; i++)
        if (!s->step[i].fn) s->step[i].fn = steps_lazy;
}

/* Makes the step, if it is not. */
static inline void steps_make(struct steps *steps, const GPUDBG_STEP *step)
{
    struct steps_section *s = step->fn == steps_lazy ? steps_section(steps, step) : NULL;
    if (s) steps_block(steps, s, step);
}

static const GPUDBG_STEP *steps_no_memory(struct gpudbg_wave *w, const GPUDBG_STEP *step)
{
    return GPUDBG_STEP_FAULT(w, step, -1, "no memory to decode the instruction");
}

/* The handler of steps that are not made yet. */
static const GPUDBG_STEP *steps_lazy(struct gpudbg_wave *w, const GPUDBG_STEP *step)
{
    steps_make(steps_of(w), step);
    return step->fn == steps_lazy ? steps_no_memory(w, step) : step->fn(w, step);
}

/* The handler of steps after the end of a section, and of steps->outside. */
static const GPUDBG_STEP *steps_outside(struct gpudbg_wave *w, const GPUDBG_STEP *step)
{
    const uint64_t pc = steps_pc(steps_of(w), step);
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(w->machine->image, pc);
    if (s && s->kind == GPUDBG_SYM_UNDEFINED)
        return GPUDBG_STEP_FAULT(w, step, -1, "%.200s was called, and the file does not contain it", s->name);
    return GPUDBG_STEP_FAULT(w, step, -1, GPUDBG_STEP_PC " 0x%llx is outside the code", (unsigned long long)pc);
}

/* The step at an address, ready to be executed; NULL: no code is there. */
static inline GPUDBG_STEP *steps_inside(const struct steps *steps, uint64_t pc)
{
    for (size_t i = 0; i < steps->nsections; i++) {
        const struct steps_section *s = &steps->section[i];
        const uint64_t at = pc - s->base;
        if (at >= GPUDBG_STEP_UNIT * (uint64_t)s->count || at % GPUDBG_STEP_UNIT) continue;
        GPUDBG_STEP *step = &s->step[at / GPUDBG_STEP_UNIT];
        if (!step->fn) step->fn = steps_lazy;
        return step;
    }
    return NULL;
}

/* The same; outside the code, a step that faults. */
static inline const GPUDBG_STEP *steps_at(struct steps *steps, uint64_t pc)
{
    const GPUDBG_STEP *step = steps_inside(steps, pc);
    if (step) return step;
    steps->outside.fn = steps_outside;
    steps->outside_pc = pc;
    return &steps->outside;
}

/* The same for a branch, whose target stays; NULL: no memory. */
static inline const GPUDBG_STEP *steps_target(struct steps *steps, uint64_t pc)
{
    const GPUDBG_STEP *step = steps_inside(steps, pc);
    if (step) return step;
    struct steps_far *far = calloc(1, sizeof *far);
    if (!far) return NULL;
    far->next = steps->far;
    far->pc = pc;
    far->step.fn = steps_outside;
    steps->far = far;
    return &far->step;
}

/* ---- Breakpoints ---- */

/* gpudbg_runner.breakpoint */
static inline bool steps_breakpoint(struct steps *steps, uint64_t pc, bool on)
{
    GPUDBG_STEP *step = steps_inside(steps, pc);
    if (!step) return false;
    steps_make(steps, step);
    if (step->fn == step_break) {
        if (on) return true;
        step->fn = steps_kept_fn(&steps->breaks, step);
        return steps_drop(&steps->breaks, step);
    }
    if (!step_stops(step)) return false;
    if (!on) return true;
    if (!steps_keep(&steps->breaks, step)) return false;
    step->fn = step_break;
    return true;
}

/* The step's handler, without a breakpoint. */
static inline GPUDBG_STEP_FN *steps_fn(const struct steps *steps, const GPUDBG_STEP *step)
{
    return step->fn == step_break ? steps_kept_fn(&steps->breaks, step) : step->fn;
}

/* ---- Code that changes ---- */

/* Units from first to end have changed.  Breakpoints stay where they can. */
static inline void steps_changed(struct steps *steps, struct steps_section *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        GPUDBG_STEP *step = &s->step[i];
        const bool stops = step->fn == step_break;
        if (!step->fn || step->fn == steps_lazy) continue;
        if (stops) steps_drop(&steps->breaks, step);
        step_unmake(steps, step);
        memset(step, 0, sizeof *step);
        step->fn = steps_lazy;
        if (stops) steps_breakpoint(steps, s->base + GPUDBG_STEP_UNIT * (uint64_t)i, true);
    }
}

/* gpudbg_runner.recode: the image's bytes from..to - 1 have changed. */
static inline void steps_recode(struct steps *steps, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < steps->nsections; i++) {
        struct steps_section *s = &steps->section[i];
        const uint64_t size = GPUDBG_STEP_UNIT * (uint64_t)s->count;
        size_t left = 0;
        if (from < s->base || from - s->base >= size) continue;
        const uint8_t *bytes = gpudbg_image_bytes(image, s->base, &left);
        if (s->own)
            gpudbg_image_copy(image, s->base, s->own, size);
        else if (bytes && left >= size)
            s->bytes = bytes;
        size_t first = (size_t)((from - s->base) / GPUDBG_STEP_UNIT);
        size_t end = (size_t)((to - s->base + GPUDBG_STEP_UNIT - 1) / GPUDBG_STEP_UNIT);
        /* The end of an instruction may be what has changed. */
        first -= first < GPUDBG_STEP_LONGEST - 1 ? first : GPUDBG_STEP_LONGEST - 1;
        if (end > s->count) end = s->count;
        steps_changed(steps, s, first, end);
    }
}

/* ---- Making and freeing ---- */

/* Frees everything but the contents of made steps, and `steps` itself. */
static inline void steps_close(struct steps *steps)
{
    for (size_t i = 0; i < steps->nsections; i++) {
        free(steps->section[i].step);
        free(steps->section[i].own);
    }
    for (struct steps_far *far = steps->far, *next; far; far = next) {
        next = far->next;
        free(far);
    }
    free(steps->section);
    free(steps->breaks.of);
    memset(steps, 0, sizeof *steps);
}

/* false: no memory; `steps` must be closed all the same. */
static inline bool steps_open(struct steps *steps, const struct gpudbg_image *image, struct gpudbg_error *err)
{
    memset(steps, 0, sizeof *steps);
    steps->section = calloc(image->nsections + 1, sizeof *steps->section);
    if (!steps->section) return gpudbg_fail(err, "memory", "no memory for the machine");
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *from = &image->sections[i];
        if (!(from->flags & GPUDBG_CODE_BYTES) || !from->bytes || from->size < GPUDBG_STEP_UNIT ||
            from->addr % GPUDBG_STEP_ALIGN)
            continue;
        struct steps_section *s = &steps->section[steps->nsections++];
        s->base = from->addr;
        s->bytes = from->bytes;
        s->count = (size_t)(from->size / GPUDBG_STEP_UNIT);
        s->step = calloc(s->count + GPUDBG_STEP_LONGEST, sizeof *s->step);
        if (image->npatches && (s->own = malloc((size_t)from->size))) {
            gpudbg_image_copy(image, from->addr, s->own, from->size);
            s->bytes = s->own;
        }
        if (!s->step || (image->npatches && !s->own))
            return gpudbg_fail(err, "memory", "no memory for %llu bytes of code", (unsigned long long)from->size);
        for (unsigned k = 0; k < GPUDBG_STEP_LONGEST; k++) s->step[s->count + k].fn = steps_outside;
    }
    return true;
}

#endif
#endif
