/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentence for each stop; see stopped.h. */
#include "control/stopped.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include "check/check.h"
#include "control/watched.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"

/* "matmul+0x1a0: ds_read_b32 v7, v12 offset:64" */
static void describe_place(
    const struct control *ctl, const struct gpudbg_insn *insn, uint64_t pc, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_wrote(&t, image_where(ctl->eval->loaded->image, pc, buf, size));
    if (insn) text_add(&t, ": ");
    if (insn && text_room(&t))
        text_wrote(
            &t, code_insn_text(ctl->eval->loaded->image, insn, ctl->settings->syntax, text_end(&t), text_room(&t)));
    text_mark_cut(&t);
}

static void describe_next(const struct control *ctl, uint64_t pc, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    describe_place(
        ctl, ctl->eval->loaded->image && insn_at(ctl->eval->loaded->image, pc, &insn) ? &insn : NULL, pc, buf, size);
}

/* The wave may have gone on since the faulty instruction, so the place is the one that the report names. */
static void describe_check(struct control *ctl, struct text *t, const char *who)
{
    const struct check_report *r = checks_said(ctl->checks);
    char place[300], source[100];
    if (!r) return;
    describe_next(ctl, r->what.pc, place, sizeof place);
    const bool known = check_source(ctl->eval, r, source, sizeof source) > 0;
    text_add(t, "Check, %s at %s", who, place);
    if (known) text_add(t, " (%s)", source);
    text_add(t, ": %s", r->what.message);
}

static void describe_fault(struct control *ctl, struct text *t, const char *who, const char *place, const char *own)
{
    char source[100];
    text_add(t, "Fault, %s at %s", who, place);
    if (check_source_at(ctl->eval, ctl->eval->running->last.pc, source, sizeof source)) text_add(t, " (%s)", source);
    text_add(t, ": %s", own);
}

/* "; breakpoint 2, too; the condition could not be evaluated" */
static void describe_more(struct text *t, const struct stopped *r)
{
    text_add(t, "%s%s%s", r->also, r->trouble[0] ? "; " : "", r->trouble);
}

/* Of a breakpoint with several locations it says which one stopped: "3.2". */
static void describe_breakpoint(
    const struct control *ctl, struct text *t, const struct stopped *r, const char *who, const char *place)
{
    text_add(t, "Breakpoint %d", ctl->eval->running->last.number);
    if (r->location && r->point->nlocations > 1) text_add(t, ".%zu", r->location);
    text_add(t, ", %s at %s", who, place);
}

/* Loads and stores do not jump: the instruction is the one before. */
static void describe_watchpoint(
    struct control *ctl, struct text *t, const struct stop_point *p, const char *who, char *place, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    struct gpudbg_insn before;
    char end[600];
    if (p && p->ended) watched_end(ctl, p, end, sizeof end);
    if (p && (p->place.is_register || p->place.followed))
        describe_next(ctl, p->pc, place, size);
    else if (ctl->eval->loaded->image && insn_before(ctl->eval->loaded->image, s->pc, &before))
        describe_place(ctl, &before, before.addr, place, size);
    text_add(t, "Watchpoint %d (%s), %s after %s", s->number, p ? p->what : "", who, place);
    if (p && p->ended) text_add(t, ": %s", end);
}

static void describe_catchpoint(struct control *ctl, struct text *t, const struct stop_point *p, const char *who,
    char *place, size_t size, const char *own)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    if (p) describe_next(ctl, p->caught.pc, place, size);
    text_add(t, "Catchpoint %d (%s), %s %s %s%s%s", s->number, p ? p->what : "", who,
        p && p->catching.kind == CATCH_FAULT ? "at" : "after", place, own[0] ? ": " : "", own);
}

static void describe_done(const struct control *ctl, struct text *t)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    text_add(t, "Done: %u wave%s, %" PRIu64 " instructions", m->nwaves, m->nwaves == 1 ? "" : "s", machine_position(m));
}

/* Where the wave is: its next instruction, or why it has none. */
static void describe_where(const struct control *ctl, char *buf, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, s->wave, &info);
    if (info.lost_pc)
        snprintf(buf, size, "an unknown address");
    else if (info.state == GPUDBG_ENDED)
        snprintf(buf, size, "its end");
    else
        describe_next(ctl, s->pc, buf, size);
}

static void describe_other(const struct control *ctl, struct text *t, const char *who, const char *place, char *own)
{
    const uint32_t wave = ctl->eval->running->last.wave;
    if (machine_wave_ended(ctl->eval->running->machine, wave))
        text_add(t, "Wave %u has ended", wave);
    else if (own[0]) {
        own[0] = (char)toupper((unsigned char)own[0]);
        text_add(t, "%s", own);
    } else
        text_add(t, "W%s at %s", who + 1, place);
}

void stopped_describe(struct control *ctl, const struct stopped *r)
{
    struct gpudbg_stop *s = &ctl->eval->running->last;
    char who[48], place[300], own[sizeof s->message];
    snprintf(own, sizeof own, "%s", s->message);
    struct text w = text_in(who, sizeof who), t = text_in(s->message, sizeof s->message);
    text_add(&w, "wave %u", s->wave);
    if (s->lane >= 0) text_add(&w, ", lane %d", s->lane);
    describe_where(ctl, place, sizeof place);
    switch (s->reason) {
    case GPUDBG_STOP_BREAKPOINT: describe_breakpoint(ctl, &t, r, who, place); break;
    case GPUDBG_STOP_WATCHPOINT: describe_watchpoint(ctl, &t, r->point, who, place, sizeof place); break;
    case GPUDBG_STOP_CATCH: describe_catchpoint(ctl, &t, r->point, who, place, sizeof place, own); break;
    case GPUDBG_STOP_DONE: describe_done(ctl, &t); break;
    case GPUDBG_STOP_CHECK: describe_check(ctl, &t, who); break;
    case GPUDBG_STOP_FAULT: describe_fault(ctl, &t, who, place, own); break;
    case GPUDBG_STOP_INTERRUPT: text_add(&t, "%s, %s at %s", own[0] ? own : "Interrupted", who, place); break;
    case GPUDBG_STOP_HISTORY_START: text_add(&t, "Start of history, %s at %s", who, place); break;
    default: describe_other(ctl, &t, who, place, own); break;
    }
    describe_more(&t, r);
    text_mark_cut(&t);
}
