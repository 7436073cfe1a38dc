/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running, both ways in time, and the events that say why it stopped. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/check.h"
#include "control/frames.h"
#include "control/step.h"
#include "dap/client.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "machine/printed.h"
#include "session/script.h"

/* ---- What is said at a stop ---- */

static bool print_one(void *to, const struct printed *p)
{
    struct dap *d = to;
    d_output(d, "stdout", p->text);
    if (p->problem) {
        char text[512];
        snprintf(text, sizeof text, "<%.480s>\n", p->problem);
        d_output(d, "important", text);
    }
    return true;
}

void d_printed(struct dap *d)
{
    if (d->g->running.machine) printed_each(d->g->running.machine, true, print_one, d);
}

static const char *breakpoint_reason(struct dap *d, int number)
{
    for (size_t i = 0; i < d->npoints; i++) {
        if (d->point[i].number != number) continue;
        if (d->point[i].kind == DAP_FUNCTION) return "function breakpoint";
        if (d->point[i].kind == DAP_INSTRUCTION) return "instruction breakpoint";
    }
    return "breakpoint";
}

/* A word of the protocol for why the machine stopped. */
static const char *reason_of(struct dap *d)
{
    const struct gpudbg_stop *s = &d->g->running.last;
    switch (s->reason) {
    case GPUDBG_STOP_BREAKPOINT: return breakpoint_reason(d, s->number);
    case GPUDBG_STOP_WATCHPOINT: return "data breakpoint";
    case GPUDBG_STOP_CATCH: return "breakpoint";
    case GPUDBG_STOP_FAULT:
    case GPUDBG_STOP_CHECK: return "exception";
    case GPUDBG_STOP_INTERRUPT: return "pause";
    case GPUDBG_STOP_DONE: return "end";
    case GPUDBG_STOP_HISTORY_START: return "entry";
    default: return "step";
    }
}

/* What a watchpoint saw is worth a line of the console. */
static void tell_watch(struct dap *d)
{
    const struct gpudbg_stop *s = &d->g->running.last;
    if (s->reason != GPUDBG_STOP_WATCHPOINT) return;
    stop_report(&d->g->control, d->said);
    d_said(d);
}

/* What fits beside a thread's name: "Breakpoint 1.1", "race", "Done: 64 waves"; NULL: the reason says it, as of a step.
 */
static json_t *briefly(struct dap *d)
{
    const struct gpudbg_stop *s = &d->g->running.last;
    const struct check_report *r = s->reason == GPUDBG_STOP_CHECK ? checks_said(d->g->control.checks) : NULL;
    if (r) return d_text(r->kind);
    if (s->reason == GPUDBG_STOP_STEP) return NULL;
    char text[sizeof s->message];
    stop_brief(&d->g->control, text, sizeof text);
    return d_text(text);
}

void d_stopped(struct dap *d, const char *reason)
{
    const struct gpudbg_stop *s = &d->g->running.last;
    d_forget(d);
    d_step_targets_free(d);
    d_printed(d);
    tell_watch(d);
    d_reports(d);
    json_t *body = json_pack("{s:s, s:I, s:b}", "reason", reason ? reason : reason_of(d), "threadId",
        (json_int_t)d->g->selection.wave + 1, "allThreadsStopped", 1);
    if (!reason) {
        json_object_set_new(body, "hitBreakpointIds", d_hit_ids(d));
        json_t *brief = briefly(d);
        if (brief) json_object_set_new(body, "description", brief);
        json_object_set_new(body, "text", d_text(s->message));
    }
    d_event(d, "stopped", body);
    d_points_compare(d);
}

/* The program was moved, not run: what it stopped at before is of no concern any more. */
static void tell_moved(struct dap *d, const char *reason)
{
    struct gpudbg_stop *s = &d->g->running.last;
    *s = (struct gpudbg_stop){
        .reason = GPUDBG_STOP_STEP, .wave = d->g->selection.wave, .lane = -1, .pc = location_here(&d->g->eval)};
    d_stopped(d, reason);
}

/* The program has ended, and the client does not want to look at that, or has looked. */
static void tell_end(struct dap *d)
{
    d_printed(d);
    if (d->told_end) return;
    d->told_end = true;
    d_event(d, "exited", json_pack("{s:i}", "exitCode", d->g->running.faulted ? 1 : 0));
    d_event(d, "terminated", NULL);
}

/* ---- Runs ---- */

/* How far one goes: returns false with an error. */
typedef bool run_fn(struct dap *, struct gpudbg_error *);

/* A run that stopped for a moment may stand at a breakpoint, which the rest of it would pass over. */
static bool met_here(struct dap *d)
{
    struct gpudbg_stop *s = &d->g->running.last;
    for (const struct stop_point *p = stops_next(&d->g->control, 0); p; p = stops_next(&d->g->control, p->number)) {
        const struct stop_location *here = stop_location_at(p, s->pc);
        if (p->kind != STOP_BREAK || !p->met || !here || !here->on) continue;
        s->reason = GPUDBG_STOP_BREAKPOINT;
        s->number = p->number;
        return true;
    }
    return false;
}

/* Runs after the request was answered; shown: the client is told of it as progress. */
static bool run(struct dap *d, json_t *body, run_fn *how, bool resumable, bool shown, struct gpudbg_error *err)
{
    const char *title = d->title;
    const enum locking locking = d->g->settings.locking;
    bool good, more;
    d_answer(d, body ? json_incref(body) : json_object());
    d_forget(d);
    d->doing = DAP_RUNNING;
    d->resumable = resumable;
    d->paused = false;
    if (!shown) d->title = NULL;
    if (d->alone) d->g->settings.locking = LOCKING_ON;
    do {
        d->again = d->interrupt = false;
        good = how(d, err);
        more = good && d->again && !d->paused && !d->cancelled && !d_leaving(d) &&
               d->g->running.last.reason == GPUDBG_STOP_INTERRUPT && !met_here(d);
        if (d->again) d_moment(d);
    } while (more);
    d->g->settings.locking = locking;
    d->doing = DAP_ANSWERING;
    d->resumable = d->alone = false;
    d->title = title;
    d->interrupt = false;
    struct gpudbg_error why = {.offset = -1};
    if (good && !attached_run(d->g, d->said, &why)) gpudbg_out_print(d->said, "gpudbg: %s\n", why.message);
    d_said(d);
    return good;
}

/* The same, and says how it ended. */
static bool run_and_tell(struct dap *d, json_t *body, run_fn *how, bool resumable, bool shown, struct gpudbg_error *err)
{
    struct gpudbg_error why = {.offset = -1};
    const bool good = run(d, body, how, resumable, shown, &why);
    if (!good) { /* it runs no more all the same */
        char text[600];
        snprintf(text, sizeof text, "gpudbg: %s\n", why.message);
        d_output(d, "important", text);
        d_stopped(d, "pause");
        return true;
    }
    (void)err;
    if (d->g->running.last.reason == GPUDBG_STOP_DONE && d->ends)
        tell_end(d);
    else
        d_stopped(d, NULL);
    return true;
}

static bool go_on(struct dap *d, struct gpudbg_error *err) { return step_all(&d->g->control, false, err); }
static bool go_back(struct dap *d, struct gpudbg_error *err) { return step_all(&d->g->control, true, err); }
static bool over_line(struct dap *d, struct gpudbg_error *err)
{
    return step_lines(&d->g->control, 1, true, false, err);
}
static bool into_line(struct dap *d, struct gpudbg_error *err)
{
    return step_lines(&d->g->control, 1, false, false, err);
}
static bool back_line(struct dap *d, struct gpudbg_error *err)
{
    return step_lines(&d->g->control, 1, true, true, err);
}
static bool over_insn(struct dap *d, struct gpudbg_error *err)
{
    return step_insns_over(&d->g->control, 1, false, err);
}
static bool into_insn(struct dap *d, struct gpudbg_error *err) { return step_insns(&d->g->control, 1, false, err); }
static bool back_insn(struct dap *d, struct gpudbg_error *err) { return step_insns_over(&d->g->control, 1, true, err); }

static bool into_target(struct dap *d, struct gpudbg_error *err)
{
    const struct dap_step_target *t = d->stepping_into;
    struct control *ctl = &d->g->control;
    if (!step_into(ctl, &t->places, err)) return false;
    struct gpudbg_stop *s = &d->g->running.last;
    if (!t->call || s->reason != GPUDBG_STOP_STEP) return true;
    for (size_t i = 0; i < t->places.n; i++)
        if (t->places.addr[i] == s->pc) return step_insns(ctl, 1, false, err);
    return true;
}

static bool out_of(struct dap *d, struct gpudbg_error *err)
{
    struct local_row row;
    bool returns;
    char text[1600];
    if (!step_out(&d->g->control, &row, &returns, err)) return false;
    if (!returns) return true;
    snprintf(text, sizeof text, "%s returned %s, lane %d: %s\n", row.name, row.type, d->g->selection.lane, row.value);
    d_output(d, "console", text);
    return true;
}

/* The thread of the request, which has not ended. */
static bool take_thread(struct dap *d, const json_t *args, struct gpudbg_error *err)
{
    uint32_t wave;
    d->alone = d_bool(args, "singleThread", false);
    return d_thread(d, args, &wave, err) && d_select(d, wave, 0, err);
}

static bool all_ended(const struct dap *d) { return machine_next_wave(d->g->running.machine) == MACHINE_NO_WAVE; }

/* By granularity: lines, or single instructions; also where the client shows a listing in place of a source. */
static bool step(struct dap *d, const json_t *args, run_fn *line, run_fn *insn, bool shown, struct gpudbg_error *err)
{
    const char *granularity = d_string(args, "granularity");
    if (!take_thread(d, args, err)) return false;
    const struct gpudbg_line *row = location_row(&d->g->eval);
    const bool source = row && row->file && sources_of(&d->sources, &d->g->loaded, row->file)->text;
    const bool by_insn = !source || (granularity && strcmp(granularity, "instruction") == 0);
    return run_and_tell(d, NULL, by_insn ? insn : line, false, shown, err);
}

bool d_continue(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    if (!take_thread(d, args, err)) return false;
    json_object_set_new(body, "allThreadsContinued", json_boolean(!d->alone));
    if (all_ended(d)) { /* once more at the end: it is over */
        d_answer(d, json_incref(body));
        tell_end(d);
        return true;
    }
    return run_and_tell(d, body, go_on, true, false, err);
}

bool d_reverse_continue(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)body;
    return take_thread(d, args, err) && run_and_tell(d, NULL, go_back, true, true, err);
}

bool d_next(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)body;
    return step(d, args, over_line, over_insn, false, err);
}

bool d_step_in(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_int_t id = d_number_or(args, "targetId", 0);
    (void)body;
    if (id && (!take_thread(d, args, err) || !(d->stepping_into = d_step_target(d, id, err)))) return false;
    if (id) return run_and_tell(d, NULL, into_target, false, false, err);
    return step(d, args, into_line, into_insn, false, err);
}

bool d_step_out(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)body;
    return step(d, args, out_of, out_of, false, err);
}

bool d_step_back(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)body;
    return step(d, args, back_line, back_insn, true, err);
}

bool d_pause(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)args, (void)body;
    if (d->doing == DAP_RUNNING) {
        d->paused = d->interrupt = true;
        return true;
    }
    if (!d->g || !eval_need_machine(&d->g->eval, err))
        return d->g ? false : gpudbg_fail(err, "no-launch", "nothing runs");
    d_answer(d, json_object()); /* it stands already: the client waits for the event all the same */
    d_stopped(d, "pause");
    return true;
}

/* ---- Going elsewhere ---- */

bool d_restart_frame(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t id;
    if (!d_number(args, "frameId", &id, err)) return false;
    const struct dap_handle *h = d_handle_of(d, id, err);
    if (!h || h->what != WHAT_FRAME)
        return h && gpudbg_fail(err, "usage", "%" JSON_INTEGER_FORMAT ": this number is not of a frame", id);
    const unsigned frame = h->frame;
    if (!d_select(d, h->wave, 0, err) || !frames_restart(&d->g->control, frame, err)) return false;
    d_answer(d, json_incref(body));
    tell_moved(d, "restart");
    return true;
}

bool d_goto(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t id;
    if (!take_thread(d, args, err) || !d_number(args, "targetId", &id, err)) return false;
    if (id < 1 || id > (json_int_t)d->ntargets)
        return gpudbg_fail(err, "no-such-name", "%" JSON_INTEGER_FORMAT ": gotoTargets gave no such number", id);
    if (!eval_need_running(&d->g->eval, err) ||
        !machine_set_pc(d->g->running.machine, d->g->selection.wave, d->target[id - 1], err))
        return false;
    d->g->selection.cursor = location_here(&d->g->eval);
    d_answer(d, json_incref(body));
    tell_moved(d, "goto");
    return true;
}

void d_begin(struct dap *d)
{
    struct gpudbg_error err = {.offset = -1};
    if (d_is_captured(d))
        d_captured_stop(d);
    else if (d->stop_on_entry)
        d_stopped(d, "entry");
    else
        run_and_tell(d, NULL, go_on, true, false, &err);
}
