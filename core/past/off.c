/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/off.h"
#include <string.h>
#include "code/walk.h"
#include "past/catch.h"
#include "machine/machine.h"

#define OWN (-1) /* number of the traces of a question; the user's are above 0 */

struct question {
    struct eval *eval;
    uint32_t wave;
    uint64_t lane;  /* its bit */
    bool turns_off; /* what is looked for: it stops to run, or begins to */
    uint64_t pc;    /* of the instruction that is met, or was met last */
};

static uint64_t running(struct gpudbg_wave *w)
{
    return w->state == GPUDBG_ENDED ? 0 : w->machine->isa->run->active(w);
}

static bool about(void *data, struct gpudbg_wave *w, int number)
{
    struct question *q = data;
    if (number != OWN || w->id != q->wave || !(running(w) & q->lane) == q->turns_off) return false;
    q->pc = w->pc;
    return true;
}

static bool hit(void *data, struct gpudbg_wave *w, int number)
{
    const struct question *q = data;
    return number == OWN && w->id == q->wave && !(running(w) & q->lane) == q->turns_off;
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct question *q = data;
    return ticker_goes_on(q->eval->ticker, done, todo);
}

static struct gpudbg_stop search(struct question *q, uint64_t to)
{
    const struct machine_sieve sieve = {.by = SIEVE_WAVE, .wave = q->wave};
    const struct machine_want want = {.until = MACHINE_POSITION,
        .count = to,
        .wave = q->wave,
        .stops = true,
        .present = true,
        .pure = true,
        .hit = hit,
        .about = about,
        .sieve = &sieve,
        .tick = tick,
        .data = q};
    return machine_run(q->eval->running->machine, &want);
}

/* *found: behind the instruction before *position, which is at *pc, the lane no longer runs, or runs again. */
static bool look(struct question *q, uint64_t to, bool *found, uint64_t *position, uint64_t *pc)
{
    struct gpudbg_machine *m = q->eval->running->machine;
    const struct gpudbg_stop stop = search(q, to);
    struct gpudbg_error ignored = {0};
    *found = stop.reason == GPUDBG_STOP_WATCHPOINT && stop.number == OWN;
    if (*found) {
        struct machine_wave_info info;
        *position = machine_position(m) - 1;
        if (!machine_go(m, *position, &ignored)) return false;
        machine_wave_info(m, q->wave, &info);
        *pc = info.pc;
    }
    return stop.reason != GPUDBG_STOP_INTERRUPT;
}

/* The first place from pc on where the code may let lanes that are off run again: the part or end of the block that is
 * open, the next write to the mask, or the nearest target of what turned it off. */
static bool may_return(const struct gpudbg_machine *m, uint64_t pc, uint64_t by, uint64_t *to)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    const char *mask = m->isa->dumped ? m->isa->dumped->mask : NULL;
    unsigned depth = 0;
    bool any = false;
    const bool known = insn_at(m->image, by, &insn) && insn.op, opens = known && insn.op->flags & GPUDBG_OP_OPEN;
    if (known)
        for (unsigned i = 0; i < insn.noperands; i++) {
            const uint64_t target = (uint64_t)insn.operands[i].imm;
            if (insn.operands[i].kind != GPUDBG_CODE || target < pc || (any && target >= *to)) continue;
            *to = target;
            any = true;
        }
    code_walk_open(&code, m->image, opens ? by : pc, UINT64_MAX);
    while (!any && code_walk_next(&code, &insn)) {
        if (!code.is_insn || !insn.op) continue;
        *to = insn.addr;
        const uint64_t flags = insn.op->flags;
        if (flags & (GPUDBG_OP_MIDDLE | GPUDBG_OP_CLOSE) && depth == opens && insn.addr >= pc) any = true;
        if (flags & GPUDBG_OP_OPEN) depth++;
        if (flags & GPUDBG_OP_CLOSE && depth) depth--;
        for (unsigned i = 0; mask && i < insn.noperands; i++) {
            const struct gpudbg_operand *o = &insn.operands[i];
            any |= o->flags & GPUDBG_WRITE && o->kind == GPUDBG_REGISTER && o->file < m->isa->nfiles &&
                   strcmp(m->isa->files[o->file].name, mask) == 0;
        }
        if (flags & GPUDBG_OP_END) break;
    }
    return any;
}

static bool find(struct question *q, struct off *off)
{
    struct gpudbg_machine *m = q->eval->running->machine;
    const uint64_t now = machine_position(m);
    struct machine_wave_info info;
    bool found;
    catch_trace_lanes(m, OWN);
    q->turns_off = true;
    if (!look(q, 0, &found, &off->position, &off->pc)) return false;
    if (!found) {
        machine_rewind(m);
        machine_wave_info(m, q->wave, &info);
        off->how = info.active & q->lane ? OFF_EDITED : OFF_LAUNCH;
    }
    machine_come_back(m, now);
    q->turns_off = false;
    if (!look(q, machine_recorded(m), &off->returns, &off->returns_position, &off->returns_pc)) return false;
    machine_come_back(m, now);
    machine_wave_info(m, q->wave, &info);
    if (!off->returns && found) off->may_return = may_return(m, info.pc, off->pc, &off->may_return_pc);
    return true;
}

bool off_find(struct eval *eval, uint32_t wave, int lane, struct off *off, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct machine_wave_info info;
    struct question q = {.eval = eval, .wave = wave, .lane = UINT64_C(1) << lane};
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    *off = (struct off){.how = OFF_TURNED};
    if (lane < 0 || (uint32_t)lane >= m->lanes)
        return gpudbg_fail(err, "out-of-range", "no lane %d: a wave has %u, from 0", lane, m->lanes);
    machine_wave_info(m, wave, &info);
    if (!(info.lanes & q.lane))
        off->how = OFF_ABSENT;
    else if (info.state == GPUDBG_ENDED)
        off->how = OFF_ENDED;
    else if (info.active & q.lane)
        off->how = OFF_RUNS;
    if (off->how != OFF_TURNED) return true;
    const bool good = find(&q, off);
    machine_trace(m, OWN, NULL, 0);
    machine_come_back(m, now);
    m->stop = stop;
    return good || gpudbg_fail(err, "interrupt", "interrupted while looking through recorded time");
}
