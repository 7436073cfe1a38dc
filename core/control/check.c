/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "machine/machine.h"
#include "word/registry.h"

#define REPORTS_MOST 10000
#define DECODED 512 /* instructions kept decoded, by pc: a power of two */

struct watcher {
    const struct gpudbg_checker *checker;
    void *state; /* NULL: it has nothing to watch in this launch */
};

/* The calls that a wave is in, the outermost first; of more than there is room for, the innermost. */
struct calls {
    struct {
        uint64_t pc, back; /* of the call; where it comes back to */
    } of[CHECK_CALLS];
    unsigned n;
};

struct gpudbg_checks {
    struct control *ctl;
    struct check_report *report;
    size_t count, room;
    const char *kind; /* whose function is being called */
    /* Watching. */
    struct watcher *watch;
    size_t nwatch;
    struct machine_observer observer;
    bool started;     /* in this launch */
    bool rewound;     /* ... and shown it from there */
    uint64_t seen;    /* position up to which everything was shown */
    uint64_t futures; /* of the recorded time that was seen */
    bool fresh;       /* what happens now was not shown before */
    bool late;        /* it is shown afterwards: nobody stops for a report */
    bool told;        /* the latest instruction stopped the run when it was shown: it executes when that goes on */
    struct gpudbg_wave *wave; /* of the instruction being shown */
    size_t before;            /* reports there were before it */
    size_t said;              /* the first report of the latest stop */
    struct calls **calls;     /* by wave; NULL: it has called nothing */
    struct {
        bool known, is_insn;
        uint64_t pc;
        struct gpudbg_insn insn;
    } * decoded;
};

struct gpudbg_checks *checks_new(struct control *ctl)
{
    struct gpudbg_checks *c = xalloc(sizeof *c);
    c->ctl = ctl;
    return c;
}

/* ---- Reports ---- */

static void report_free(struct check_report *r)
{
    free((char *)r->what.message);
    free((char *)r->what.origin);
    free(r->cause);
}

static bool same(const struct check_report *r, const char *kind, bool running, const struct gpudbg_report *what)
{
    const char *theirs = r->cause ? r->cause : r->what.message, *ours = what->cause ? what->cause : what->message;
    return r->what.pc == what->pc && r->what.line == what->line && r->what.column == what->column &&
           r->running == running && !strcmp(r->kind, kind) && !strcmp(theirs, ours);
}

unsigned check_calls(const struct gpudbg_checks *c, uint32_t wave, uint64_t call[CHECK_CALLS])
{
    const struct calls *calls = c->calls ? c->calls[wave] : NULL;
    unsigned n = 0;
    for (unsigned i = calls ? calls->n : 0; i-- > 0;) call[n++] = calls->of[i].pc;
    return n;
}

void gpudbg_report(struct gpudbg_checks *c, const struct gpudbg_report *what)
{
    const uint32_t wave = what->by ? what->by - 1 : c->wave ? c->wave->id : 0;
    for (size_t i = c->count; i-- > 0;) {
        struct check_report *r = &c->report[i];
        if (!same(r, c->kind, c->wave, what)) continue;
        r->count++;
        if (c->wave && r->wave == wave && r->position == machine_position(c->wave->machine))
            r->what.lanes |= what->lanes; /* other lanes of the same instruction */
        return;
    }
    if (c->count == REPORTS_MOST) return;
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        c->report = xrealloc(c->report, room, sizeof *c->report);
        c->room = room;
    }
    struct check_report *r = &c->report[c->count];
    *r = (struct check_report){.what = *what, .kind = c->kind, .running = c->wave, .wave = wave, .count = 1};
    r->cause = what->cause ? xstrdup(what->cause) : NULL;
    r->what.cause = r->cause;
    r->what.message = xstrdup(what->message);
    r->what.origin = what->origin ? xstrdup(what->origin) : NULL;
    if (c->wave) {
        r->position = machine_position(c->wave->machine);
        r->ncalls = check_calls(c, r->wave, r->call);
    }
    if (r->what.message)
        c->count++;
    else
        report_free(r);
}

const struct check_report *checks_report(const struct gpudbg_checks *c, size_t i)
{
    return i < c->count ? &c->report[i] : NULL;
}

bool checks_at(const struct gpudbg_checks *c, uint64_t pc)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->report[i].what.pc == pc && !c->report[i].what.note) return true;
    return false;
}

const struct settings *checks_settings(const struct gpudbg_checks *c) { return c->ctl->settings; }

struct eval *checks_eval(const struct gpudbg_checks *c) { return c->ctl->eval; }

void checks_changed(struct gpudbg_checks *c)
{
    checks_end(c);
    checks_watch(c);
}

const struct check_report *checks_said(const struct gpudbg_checks *c) { return checks_report(c, c->said); }

bool checks_left(struct gpudbg_checks *c)
{
    const bool left = c->started && c->count > c->before;
    if (left) c->said = c->before;
    c->before = c->count;
    return left;
}

/* Forgets what a checker (NULL: any) said of code, or of runs. */
static void forget(struct gpudbg_checks *c, const char *kind, bool running)
{
    size_t keep = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct check_report *r = &c->report[i];
        if (r->running == running && (!kind || !strcmp(r->kind, kind)))
            report_free(r);
        else
            c->report[keep++] = *r;
    }
    c->count = keep;
}

/* ---- Code ---- */

static bool applies(const struct gpudbg_checker *k, const struct gpudbg_isa *isa)
{
    return !k->applies || k->applies(isa);
}

bool checks_code(struct gpudbg_checks *c, const struct gpudbg_checker *k, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(c->ctl->eval, err);
    if (!image) return false;
    if (!k->code)
        return gpudbg_fail(err, "not-now", "check %s watches runs, not code: write `on` after its name", k->kind);
    if (!image->isa || !applies(k, image->isa))
        return gpudbg_fail(
            err, "unsupported", "check %s does not check %s code", k->kind, image->isa ? image->isa->name : "such");
    forget(c, k->kind, false);
    c->kind = k->kind;
    c->wave = NULL;
    return k->code(image, c, err);
}

/* ---- Watching ---- */

static const struct gpudbg_insn *decoded(struct gpudbg_checks *c, uint64_t pc)
{
    size_t slot = (size_t)(pc >> 2) & (DECODED - 1);
    if (!c->decoded[slot].known || c->decoded[slot].pc != pc) {
        c->decoded[slot].known = true;
        c->decoded[slot].pc = pc;
        c->decoded[slot].is_insn = insn_at(c->ctl->eval->loaded->image, pc, &c->decoded[slot].insn);
    }
    return c->decoded[slot].is_insn ? &c->decoded[slot].insn : NULL;
}

/* Calls one function of every watcher that has it. */
#define TELL(c, function, ...)                                                     \
    for (struct watcher *w_ = (c)->watch; w_ < (c)->watch + (c)->nwatch; w_++)     \
        if (w_->state && w_->checker->function && ((c)->kind = w_->checker->kind)) \
    w_->checker->function(w_->state, __VA_ARGS__)

size_t check_dwords(struct gpudbg_wave *w, unsigned file, unsigned index, unsigned *n)
{
    const struct gpudbg_machine *m = w->machine;
    if (file >= m->isa->nfiles || index >= m->isa->run->count(m, file)) return SIZE_MAX;
    const struct gpudbg_regfile *f = &m->isa->files[file];
    const uint32_t *p = m->isa->run->reg(w, file, index);
    *n = f->lanes > 1 ? f->lanes : (f->bits + 31u) / 32;
    const bool inside = p && p >= w->words && p + *n <= w->words + m->wave_words;
    return inside ? (size_t)(p - w->words) : SIZE_MAX;
}

/* Keeps the wave's calls as they are before the instruction. */
static void follow_calls(struct gpudbg_checks *c, const struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct calls **calls = &c->calls[w->id];
    while (*calls && (*calls)->n && (*calls)->of[(*calls)->n - 1].back == w->pc) (*calls)->n--;
    if (insn->op->flags & GPUDBG_OP_CALL) {
        if (!*calls) *calls = xalloc(sizeof **calls);
        if ((*calls)->n == CHECK_CALLS) memmove((*calls)->of, (*calls)->of + 1, --(*calls)->n * sizeof(*calls)->of[0]);
        (*calls)->of[(*calls)->n].pc = w->pc;
        (*calls)->of[(*calls)->n++].back = w->pc + insn->size;
    }
    if (!(gpudbg_insn_does(insn) & GPUDBG_OP_END)) return;
    free(*calls);
    *calls = NULL;
}

/* What the instruction did came to light while or after it ran: it stops the run before the next one. */
static bool before(void *data, struct gpudbg_wave *w)
{
    struct gpudbg_checks *c = data;
    const uint64_t position = machine_position(w->machine);
    const bool late = !c->late && checks_left(c), told = c->told && position + 1 == c->seen;
    c->fresh = told || position >= c->seen;
    if (told && !late) c->told = false;
    if (told || !c->fresh || late) return late;
    c->seen = position + 1;
    c->wave = w;
    const struct gpudbg_insn *insn = decoded(c, w->pc);
    if (insn) follow_calls(c, w, insn);
    struct gpudbg_insn own;
    const struct gpudbg_insn *actual = insn ? machine_actual(w, insn, &own) : NULL;
    if (actual) TELL(c, before, w, actual);
    if (insn && !actual) TELL(c, passed, w, insn);
    return c->told = !c->late && checks_left(c);
}

static void told_access(void *data, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct gpudbg_checks *c = data;
    if (!c->fresh) return;
    c->wave = w;
    TELL(c, access, w, access);
}

static void told_barrier(void *data, struct gpudbg_wave *w)
{
    struct gpudbg_checks *c = data;
    c->wave = w;
    if (c->fresh) TELL(c, barrier, w);
}

/* Whether the machine stands where nothing was shown yet, or before an instruction that was shown and stopped it. */
static bool at_front(const struct gpudbg_checks *c, const struct gpudbg_wave *w)
{
    const uint64_t position = machine_position(w->machine);
    return position == c->seen || (c->told && position + 1 == c->seen);
}

static void told_edit(void *data, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct gpudbg_checks *c = data;
    c->wave = w;
    if (at_front(c, w)) TELL(c, edit, w, file, index);
}

static void told_edit_memory(void *data, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct gpudbg_checks *c = data;
    if (at_front(c, w)) TELL(c, edit_memory, w, access);
}

void checks_end(struct gpudbg_checks *c)
{
    if (!c || !c->started) return;
    machine_observe(c->ctl->eval->running->machine, NULL);
    for (size_t i = 0; i < c->nwatch; i++) {
        if (c->watch[i].state && c->watch[i].checker->stop) c->watch[i].checker->stop(c->watch[i].state);
        c->watch[i].state = NULL;
    }
    for (uint32_t i = 0; i < c->ctl->eval->running->machine->nwaves; i++) free(c->calls[i]);
    free(c->calls);
    c->calls = NULL;
    c->wave = NULL;
    c->started = false;
    free(c->decoded);
    c->decoded = NULL;
}

void checks_clear(struct gpudbg_checks *c)
{
    if (!c) return;
    forget(c, NULL, false);
    forget(c, NULL, true);
}

void checks_free(struct gpudbg_checks *c)
{
    if (!c) return;
    checks_end(c);
    checks_clear(c);
    free(c->report);
    free(c->watch);
    free(c);
}

static struct watcher *watcher_of(const struct gpudbg_checks *c, const struct gpudbg_checker *k)
{
    for (size_t i = 0; i < c->nwatch; i++)
        if (c->watch[i].checker == k) return &c->watch[i];
    return NULL;
}

static void start(struct gpudbg_checks *c)
{
    struct gpudbg_machine *m = c->ctl->eval->running->machine;
    bool accesses = false;
    c->decoded = xcalloc(DECODED, sizeof *c->decoded);
    c->calls = xcalloc(m->nwaves, sizeof *c->calls);
    for (size_t i = 0; i < c->nwatch; i++) {
        const struct gpudbg_checker *k = c->watch[i].checker;
        c->kind = k->kind;
        c->watch[i].state = applies(k, m->isa) ? k->start(m, c) : NULL;
        accesses |= c->watch[i].state && k->access;
    }
    c->observer = (struct machine_observer){.data = c,
        .before = before,
        .access = accesses ? told_access : NULL,
        .barrier = told_barrier,
        .edit = told_edit,
        .edit_memory = told_edit_memory};
    machine_observe(m, &c->observer);
    c->seen = 0;
    c->told = false;
    c->before = c->count;
    c->futures = machine_futures(m);
    c->started = true;
    c->rewound = false;
}

bool checks_watch(struct gpudbg_checks *c)
{
    if (!c->nwatch || !c->ctl->eval->running->machine) return false;
    if (c->started && c->futures != machine_futures(c->ctl->eval->running->machine)) checks_end(c);
    if (!c->started) {
        forget(c, NULL, true); /* the same things will be said again */
        start(c);
    }
    return true;
}

bool checks_on(const struct gpudbg_checks *c, const struct gpudbg_checker *k) { return watcher_of(c, k); }

bool checks_any(const struct gpudbg_checks *c) { return c->nwatch > 0; }

bool checks_switch(struct gpudbg_checks *c, const struct gpudbg_checker *k, bool on, struct gpudbg_error *err)
{
    struct watcher *w = watcher_of(c, k);
    if (!k->start) return gpudbg_fail(err, "unsupported", "check %s checks code, not runs", k->kind);
    if (on == (w != NULL)) return true;
    checks_end(c); /* the others are shown everything again: who watches is the same for all of the time */
    if (!on) {
        *w = c->watch[--c->nwatch];
        checks_watch(c);
        return true;
    }
    c->watch = xrealloc(c->watch, c->nwatch + 1, sizeof *c->watch);
    c->watch[c->nwatch++] = (struct watcher){.checker = k};
    checks_watch(c); /* what the user changes from now on is seen */
    return true;
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct control *ctl = ((const struct gpudbg_checks *)data)->ctl;
    return ticker_goes_on(ctl->ticker, done, todo);
}

bool checks_catch_up(struct gpudbg_checks *c, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = c->ctl->eval->running->machine;
    const uint64_t now = machine_position(m);
    if (c->rewound && c->seen >= now) return true;
    const struct gpudbg_stop stop = m->stop;
    struct machine_want want = {
        .until = MACHINE_POSITION, .count = now, .wave = c->ctl->eval->selection->wave, .tick = tick, .data = c};
    want.observed = true;
    bool whole = !c->rewound || machine_go(m, c->seen, err);
    if (!c->rewound) machine_rewind(m);
    c->rewound = true;
    c->late = true;
    if (whole) machine_run(m, &want);
    c->late = false;
    whole = whole && machine_position(m) == now;
    if (!whole) machine_come_back(m, now);
    c->before = c->count;
    m->stop = stop;
    return whole || gpudbg_fail(err, "interrupt", "interrupted while the checkers looked at what was executed before");
}
