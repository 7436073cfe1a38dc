/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who called the function that a wave is in: found in recorded time, or by leaving functions on a copy; see frames.h.
 */
#include "control/frames.h"

#include <limits.h>
#include <stdlib.h>
#include "code/walk.h"
#include "control/stop.h"
#include "eval/location.h"
#include "image/dwarf_scope.h"
#include "image/image.h"
#include "machine/machine.h"

#define OWN_BREAK INT_MAX /* a breakpoint of ours at an entry: no number that a user's has */

struct entry {
    struct control *ctl;
    uint64_t pc;
};

/* Of all breakpoints and watchpoints ours alone counts. */
static bool at_entry(void *data, struct gpudbg_wave *w, int number)
{
    const struct entry *e = data;
    return number == OWN_BREAK && w->id == e->ctl->eval->selection->wave;
}

static bool may_go_on(void *data, uint64_t done, uint64_t todo)
{
    const struct entry *e = data;
    return ticker_goes_on(e->ctl->eval->ticker, done, todo);
}

/* Goes back to where the wave was last at the entry. */
static bool back_to_entry(struct entry *e)
{
    struct gpudbg_error ignored = {0};
    struct gpudbg_machine *m = e->ctl->eval->running->machine;
    struct machine_want want = {.until = MACHINE_END,
        .backwards = true,
        .stops = true,
        .wave = e->ctl->eval->selection->wave,
        .hit = at_entry,
        .tick = may_go_on,
        .data = e};
    if (!machine_break(m, e->pc, OWN_BREAK, true, &ignored)) return false;
    const bool there = machine_run(m, &want).reason == GPUDBG_STOP_BREAKPOINT;
    return machine_break(m, e->pc, OWN_BREAK, false, &ignored) && there;
}

/* Goes back to the call of the function that the wave is in; false: it was not called. */
static bool back_to_call(struct control *ctl, uint64_t *pc)
{
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, ctl->eval->selection->wave, &info);
    const struct gpudbg_symbol *function = gpudbg_image_symbol_at(ctl->eval->loaded->image, info.pc);
    if (!function || !info.executed ||
        (ctl->eval->running->machine->launch->kernel &&
            function->addr == ctl->eval->running->machine->launch->kernel->entry))
        return false;
    struct entry entry = {ctl, function->addr};
    struct machine_want want = {.until = MACHINE_STEPS,
        .backwards = true,
        .wave = ctl->eval->selection->wave,
        .count = 1,
        .tick = may_go_on,
        .data = &entry};
    uint64_t rounds = 0;
    do {
        if (!may_go_on(&entry, rounds++, 0) || (info.pc != entry.pc && !back_to_entry(&entry))) return false;
        if (machine_run(ctl->eval->running->machine, &want).reason != GPUDBG_STOP_STEP) return false;
        machine_wave_info(ctl->eval->running->machine, ctl->eval->selection->wave, &info);
    } while (insn_stays(ctl->eval->loaded->image, info.pc, function));
    *pc = info.pc;
    return true;
}

struct gpudbg_wave *frames_called(struct control *ctl)
{
    uint64_t pc;
    struct gpudbg_error ignored = {0};
    const uint64_t now = machine_position(ctl->eval->running->machine);
    struct gpudbg_wave *called = back_to_call(ctl, &pc) ? locals_keep_wave(ctl->eval, &ignored) : NULL;
    machine_come_back(ctl->eval->running->machine, now);
    return called;
}

/* Makes a copy of the wave what it will be when its function has returned, and *pc the call.  false: it is in no
 * function, or how that one returns is not known. */
static bool leave_function(struct control *ctl, struct gpudbg_wave *copy, uint64_t *pc)
{
    const struct gpudbg_image *image = ctl->eval->loaded->image;
    const struct gpudbg_dwarf *rules = ctl->eval->running->machine->isa->dwarf;
    const struct gpudbg_symbol *f = gpudbg_image_symbol_at(image, copy->pc);
    const struct gpudbg_kernel *kernel = ctl->eval->running->machine->launch->kernel;
    uint64_t start, last;
    struct gpudbg_insn call;
    if (!f || !f->size || !rules || !rules->epilogue || (kernel && f->addr == kernel->entry)) return false;
    const struct scopes *s = scopes_at(image, copy->pc);
    if (!rules->epilogue(image, copy->pc, f->addr, f->addr + f->size, s ? s->ready : 0, &start, &last) ||
        !machine_leave(ctl->eval->running->machine, copy, start, last) || !insn_before(image, copy->pc, &call) ||
        insn_stays(image, copy->pc, f))
        return false;
    *pc = copy->pc = call.addr;
    return true;
}

void frames_find(struct control *ctl, unsigned most, struct frames *s, struct gpudbg_wave **caller)
{
    const uint64_t now = machine_position(ctl->eval->running->machine);
    uint64_t pc = location_here(ctl->eval);
    struct gpudbg_error ignored = {0};
    struct gpudbg_wave *wave = NULL; /* as it was, or will be, in the frames that come */
    bool recorded = true;
    s->n = s->inner = 0;
    do {
        struct local_frame frame[FRAMES_MOST];
        if (recorded) {
            free(wave);
            wave = locals_keep_wave(ctl->eval, &ignored);
        }
        if (caller && s->inner && wave) {
            free(*caller);
            *caller = locals_copy_wave(wave, &ignored);
        }
        const size_t n = locals_frames(ctl->eval, pc, frame, FRAMES_MOST);
        for (size_t i = 0; i < n && s->n < most; i++) {
            s->of[s->n].pc = pc;
            s->of[s->n].depth = (unsigned)i;
            s->of[s->n++].frame = frame[i];
        }
        if (!s->inner) s->inner = s->n;
        if (s->n >= most) break;
        recorded = recorded && back_to_call(ctl, &pc);
    } while (recorded || (wave && leave_function(ctl, wave, &pc)));
    free(wave);
    machine_come_back(ctl->eval->running->machine, now);
}

bool frames_select(struct control *ctl, unsigned number, struct frames *s, struct gpudbg_error *err)
{
    struct gpudbg_wave *caller = NULL;
    frames_find(ctl, number < FRAMES_MOST ? number + 1 : FRAMES_MOST, s, &caller);
    if (number >= s->n || (number >= s->inner && !caller)) {
        free(caller);
        if (number < s->n) return gpudbg_fail(err, "not-now", "the registers of frame %u are gone", number);
        return gpudbg_fail(err, "out-of-range", "no frame %u: %u of them, from 0", number, s->n);
    }
    locals_select_frame(ctl->eval, number, s->of[number].depth, s->of[number].pc, caller, &s->of[number].frame);
    return true;
}

bool frames_restart(struct control *ctl, unsigned number, struct gpudbg_error *err)
{
    struct frames s;
    struct gpudbg_error ignored = {0};
    frames_find(ctl, FRAMES_MOST, &s, NULL);
    if (number >= s.n) return gpudbg_fail(err, "out-of-range", "no frame %u: %u of them, from 0", number, s.n);
    if (s.of[number].frame.inlined)
        return gpudbg_fail(err, "unsupported",
            "frame %u is inlined into frame %u: it has no entry of its own to go back to", number, number + 1);
    const uint64_t now = machine_position(ctl->eval->running->machine);
    uint64_t pc = location_here(ctl->eval);
    bool good = true;
    for (unsigned i = 1; good && i <= number; i++)
        if (!s.of[i - 1].frame.inlined) good = back_to_call(ctl, &pc);
    const struct gpudbg_symbol *function = gpudbg_image_symbol_at(ctl->eval->loaded->image, pc);
    const struct gpudbg_kernel *kernel = ctl->eval->running->machine->launch->kernel;
    if (good && (!function || (kernel && function->addr == kernel->entry))) {
        struct machine_wave_info info;
        machine_wave_info(ctl->eval->running->machine, ctl->eval->selection->wave, &info);
        struct machine_want want = {
            .until = MACHINE_STEPS, .backwards = true, .wave = ctl->eval->selection->wave, .count = info.executed};
        good = !info.executed || stops_run(ctl, &want, err);
    } else if (good) {
        struct entry entry = {ctl, function->addr};
        good = pc == function->addr || back_to_entry(&entry);
        struct machine_want here = {.until = MACHINE_POSITION,
            .wave = ctl->eval->selection->wave,
            .count = machine_position(ctl->eval->running->machine)};
        good = good && stops_run(ctl, &here, err); /* so that running->last says so */
    }
    if (good) return true;
    struct machine_want back = {.until = MACHINE_POSITION, .wave = ctl->eval->selection->wave, .count = now};
    stops_run(ctl, &back, &ignored);
    return !err->kind &&
           gpudbg_fail(err, "not-now", "recorded time does not reach back to the call of frame %u", number);
}
