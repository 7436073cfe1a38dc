/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c: one launch: its birth and end, looking into it, what stops it.  run.c runs it, edit.c changes it. */
#include "machine/launch.h"
#include "machine/machine_core.h"
#include "machine/unknown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define LOOKED_AT 8              /* groups that nobody has run and that stay in memory because someone looked */
#define EVENTS ((size_t)1 << 20) /* that are kept: a program may make them without end */

bool core_grow(void **array, size_t *room, size_t n, size_t size)
{
    if (n < *room) return true;
    const size_t more = *room ? *room * 2 : 16;
    void *grown = more > SIZE_MAX / size ? NULL : realloc(*array, more * size);
    if (!grown) return false;
    *array = grown;
    *room = more;
    return true;
}

/* ---- Birth and end ---- */

static bool count_waves(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_launch *l = m->launch;
    uint64_t items = 1, groups = 1;
    for (int i = 0; i < 3; i++) {
        if (!l->global[i] || !l->local[i] || !l->groups[i])
            return gpudbg_fail(err, "out-of-range", "a size of the launch is 0; it must be at least 1");
        if (l->local[i] > 65536 || items * l->local[i] > 65536)
            return gpudbg_fail(err, "too-large", "a group of %u x %u x %u work-items is too large", l->local[0],
                l->local[1], l->local[2]);
        items *= l->local[i];
        if (groups * l->groups[i] > UINT32_MAX)
            return gpudbg_fail(
                err, "too-large", "%u x %u x %u groups are too many", l->groups[0], l->groups[1], l->groups[2]);
        groups *= l->groups[i];
    }
    const unsigned most = m->isa->lanes ? m->isa->lanes : 1, wanted = m->isa->run->lanes ? m->isa->run->lanes(m) : most;
    const uint64_t lanes = m->lanes = wanted && wanted < most ? wanted : most;
    m->waves_per_group = (uint32_t)((items + lanes - 1) / lanes);
    if (groups * m->waves_per_group >= MACHINE_NO_WAVE)
        return gpudbg_fail(err, "too-large", "%" PRIu64 " waves are too many", groups * m->waves_per_group);
    m->nwaves = (uint32_t)(groups * m->waves_per_group);
    core_of(m)->waves.ngroups = (uint32_t)groups;
    return true;
}

static bool set_up(struct gpudbg_machine *m, const struct machine_options *options, struct gpudbg_error *err)
{
    if (!m->space || !m->core) return gpudbg_fail(err, "memory", "no memory for a machine");
    if (!m->isa || !m->isa->run)
        return gpudbg_fail(
            err, "unsupported", "gpudbg decodes %s code, but does not execute it", m->isa ? m->isa->name : "this");
    struct core *c = core_of(m);
    edits_open(m);
    c->door.brief = options && options->brief;
    if (!count_waves(m, err) || !launch_bind(m, err) || !m->isa->run->launch(m, err)) return false;
    if (options && options->restoring) unknown_open(m);
    if (!waves_open(m, err)) return false;
    c->door.closed = true;
    schedule_open(m);
    if (options) c->ticker = options->ticker;
    if (options) c->observed = options->observed;
    if (options) machine_threads(m, options->threads, options->memory);
    if (options && options->history_budget) c->history.budget = options->history_budget;
    if (options && options->profile) machine_tally(m, true);
    return history_open(m, err);
}

struct gpudbg_machine *machine_new(const struct machine_options *options, const struct gpudbg_image *image,
    struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = xalloc(sizeof *m);
    *m = (struct gpudbg_machine){
        .session = options ? options->session : NULL,
        .isa = image->isa,
        .image = image,
        .launch = launch,
        .space = xcalloc(2, sizeof *m->space),
        .nspaces = 2,
        .stamp = 1,
        .core = xalloc(sizeof(struct core)),
    };
    if (m->space) {
        m->space[GPUDBG_GLOBAL].name = "global";
        m->space[GPUDBG_LOCAL].name = "lds";
    }
    if (set_up(m, options, err)) return m;
    machine_free(m);
    return NULL;
}

static void free_event(struct gpudbg_event *e)
{
    free((char *)e->text);
    free((char *)e->kind);
    free((void *)e->data);
}

static void forget_events(struct core *c, size_t from)
{
    for (size_t i = from; i < c->nevents; i++) free_event(&c->events[i]);
    c->nevents = from;
}

void machine_free(struct gpudbg_machine *m)
{
    if (!m) return;
    struct core *c = core_of(m);
    if (m->runner) m->isa->run->finish(m);
    if (c && m->space) {
        history_close(m);
        schedule_close(m);
        waves_close(m);
        unknown_close(m);
        door_close(m);
        forget_events(c, 0);
        free(c->events);
        free(c->stores.list);
        free(c->breaks);
        for (size_t i = 0; i < c->ntraces; i++) free(c->trace[i].pc);
        free(c->trace);
        free(c->catching);
    }
    launch_free((struct gpudbg_launch *)m->launch);
    free(m->space);
    free(c);
    free(m);
}

/* ---- Looking ---- */

/* Groups that were looked at and never run go when they are many; not `but`, nor the one whose turn it is. */
static void forget_looked_at(struct gpudbg_machine *m, uint32_t but)
{
    const struct waves *waves = &core_of(m)->waves;
    const uint32_t running = core_of(m)->schedule.cursor.group;
    size_t n = 0;
    for (size_t i = 0; i < waves->nlive; i++) n += !waves->live[i]->touched;
    for (size_t i = waves->nlive; n > LOOKED_AT && i-- > 0;) {
        const struct group *g = waves->live[i];
        if (g->touched || g->id == but || g->id == running) continue;
        waves_drop(m, waves->live[i]);
        n--;
    }
}

void machine_hide_ended(struct gpudbg_machine *m, bool on) { core_of(m)->hide_ended = on; }

/* What is left of a group, whether it lives or has ended. */
static struct group *what_is_left(const struct gpudbg_machine *m, uint32_t group, const struct ended_group *ended)
{
    return !ended ? waves_live(m, group) : core_of(m)->hide_ended ? NULL : ended->kept;
}

static bool has_registers(const struct gpudbg_machine *m, const struct group *g, uint32_t index)
{
    return !g->lost[index] && !(core_of(m)->hide_ended && g->wave[index].state == GPUDBG_ENDED);
}

struct gpudbg_wave *machine_wave(struct gpudbg_machine *m, uint32_t id, struct gpudbg_error *err)
{
    if (id >= m->nwaves) {
        gpudbg_fail(err, "out-of-range", "there is no wave %u (waves 0 to %u)", id, m->nwaves - 1);
        return NULL;
    }
    const uint32_t group = id / m->waves_per_group, index = id % m->waves_per_group;
    const struct ended_group *ended = waves_ended(m, group);
    struct group *g = what_is_left(m, group, ended);
    if (!g && !ended) {
        g = waves_group(m, group);
        forget_looked_at(m, group);
    }
    if (g && has_registers(m, g, index)) return &g->wave[index];
    if (!g && !ended)
        gpudbg_fail(err, "memory", "no memory for the waves of group %u", group);
    else
        gpudbg_fail(err, "not-now", "wave %u has ended, and its registers are no longer kept: go back to see them", id);
    return NULL;
}

void machine_wave_info(struct gpudbg_machine *m, uint32_t id, struct machine_wave_info *info)
{
    struct gpudbg_wave who = {0};
    waves_identity(m, id, &who);
    const struct ended_group *ended = waves_ended(m, who.group);
    const struct group *g = what_is_left(m, who.group, ended);
    *info = (struct machine_wave_info){
        .id = id,
        .group = who.group,
        .index = who.index,
        .group_id = {who.group_id[0], who.group_id[1], who.group_id[2]},
        .state = ended || !who.lanes ? GPUDBG_ENDED : GPUDBG_UNSTARTED,
        .registers = g ? has_registers(m, g, who.index) : !ended,
        .pc = m->launch->kernel ? m->launch->kernel->entry : 0,
        .lanes = who.lanes,
        .active = ended ? 0 : who.lanes,
    };
    if (ended) {
        info->pc = ended->wave[who.index].pc;
        info->executed = ended->wave[who.index].executed;
    }
    if (!g) return;
    const struct gpudbg_wave *w = &g->wave[who.index];
    info->state = w->state;
    info->pc = w->pc;
    info->executed = w->executed;
    info->active = info->registers && w->lanes ? m->isa->run->active(w) : 0;
    info->lost_pc = unknown_is(w, (unsigned)m->isa->nfiles, 0);
    info->lost_mask = unknown_mask(w);
}

uint32_t machine_waves_alike(struct gpudbg_machine *m, uint32_t id, struct machine_wave_info *info)
{
    machine_wave_info(m, id, info);
    const uint32_t group = id / m->waves_per_group;
    const bool begun = info->state == GPUDBG_READY || info->state == GPUDBG_AT_BARRIER;
    const uint32_t end = begun || unknown_any(m) ? group : waves_alike(m, group);
    return end > group ? end * m->waves_per_group : id + 1;
}

bool machine_wave_ended(struct gpudbg_machine *m, uint32_t id)
{
    struct machine_wave_info info;
    machine_wave_info(m, id, &info);
    return info.state == GPUDBG_ENDED;
}

uint32_t machine_next_wave(const struct gpudbg_machine *m)
{
    const struct schedule *s = &core_of(m)->schedule;
    const struct log_entry *next = schedule_upcoming(m);
    if (next && next->wave != MACHINE_NO_WAVE) return next->wave;
    if (schedule_ended(m)) return MACHINE_NO_WAVE;
    return s->cursor.group * m->waves_per_group + s->cursor.wave;
}

uint64_t machine_position(const struct gpudbg_machine *m)
{
    const struct schedule *s = &core_of(m)->schedule;
    return s->position + (m->ask ? s->runs->executed - s->ran : 0);
}

const struct gpudbg_insn *machine_actual(struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    return run->actual ? run->actual(w, insn, own) : insn;
}

const struct machine_observer *machine_observe(struct gpudbg_machine *m, const struct machine_observer *observer)
{
    const struct machine_observer *before = core_of(m)->observer;
    core_of(m)->observer = observer;
    door_tell(m, observer && observer->access);
    return before;
}

bool machine_try(struct gpudbg_wave *copy, void (*told)(void *data, const struct gpudbg_access *), void *data)
{
    struct gpudbg_machine *m = copy->machine;
    struct door *door = &core_of(m)->door;
    const struct gpudbg_stop stop = m->stop;
    const uint64_t executed = copy->executed;
    machine_tally(m, false); /* trials do not count, and a profile starts anew */
    const uint32_t stamp = told ? m->stamp : door_drop(m);
    door->trying = true;
    door->trial_told = told;
    door->trial_data = data;
    bool (*ask)(struct gpudbg_wave *) = m->ask;
    m->ask = NULL;
    const enum gpudbg_ran ran = m->isa->run->run(copy, 1, true);
    m->ask = ask;
    door_drop_end(m, stamp);
    m->stop = stop;
    return (ran == GPUDBG_RAN_LIMIT || ran == GPUDBG_RAN_BREAK) && copy->executed == executed + 1;
}

bool machine_tally(struct gpudbg_machine *m, bool on)
{
    struct core *c = core_of(m);
    if (!m->isa->run->tally || !m->isa->run->tally(m, on)) on = false;
    c->tallying = on;
    c->tallied = on && machine_position(m) == 0 ? 0 : UINT64_MAX;
    return on;
}

bool machine_tallied(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    return c->tallying && c->tallied == machine_position(m);
}

void machine_rewind(struct gpudbg_machine *m)
{
    history_mark(m);
    history_restore(m, 0);
}

uint64_t machine_futures(const struct gpudbg_machine *m) { return core_of(m)->schedule.futures; }

bool machine_forgot(const struct gpudbg_machine *m, uint64_t future, uint64_t position)
{
    return schedule_forgot(m, future, position);
}

uint64_t machine_recorded(const struct gpudbg_machine *m) { return core_of(m)->schedule.recorded; }

bool machine_peek(struct gpudbg_machine *m, uint32_t wave, unsigned space, uint64_t addr, void *bytes, size_t size,
    const struct gpudbg_segment **segment, struct gpudbg_error *err)
{
    struct gpudbg_wave who = {.machine = m};
    if (space >= m->nspaces) return gpudbg_fail(err, "out-of-range", "there is no memory space %u", space);
    if (space == GPUDBG_LOCAL) {
        if (wave >= m->nwaves)
            return gpudbg_fail(err, "out-of-range", "there is no wave %u (waves 0 to %u)", wave, m->nwaves - 1);
        const uint32_t id = wave / m->waves_per_group;
        const struct ended_group *ended = waves_ended(m, id);
        struct group *g = ended ? what_is_left(m, id, ended) : waves_group(m, id);
        forget_looked_at(m, id);
        if (!g)
            return gpudbg_fail(
                err, "not-now", "group %u has ended, and its LDS is no longer kept: go back to see it", id);
        who.lds = g->wave[0].lds;
    }
    const struct gpudbg_segment *s = gpudbg_mem_find(&who, space, addr, size);
    if (segment) *segment = s;
    if (!s)
        return gpudbg_fail(
            err, "out-of-range", "no %s memory at 0x%" PRIx64 " for %zu bytes", m->space[space].name, addr, size);
    memcpy(bytes, s->bytes + (addr - s->base), size);
    return true;
}

/* ---- Breakpoints and watchpoints ---- */

const struct trace *core_trace_at(const struct core *c, uint64_t pc, size_t *i)
{
    for (; *i < c->ntraces; ++*i) {
        const struct trace *t = &c->trace[*i];
        size_t lo = 0, hi = t->n;
        while (lo < hi) {
            const size_t mid = lo + (hi - lo) / 2;
            if (t->pc[mid] < pc)
                lo = mid + 1;
            else
                hi = mid;
        }
        if (lo < t->n && t->pc[lo] == pc) return t;
    }
    return NULL;
}

static bool break_at(const struct core *c, uint64_t pc)
{
    for (size_t i = 0; i < c->nbreaks; i++)
        if (c->breaks[i].pc == pc) return true;
    size_t first = 0;
    return core_trace_at(c, pc, &first);
}

bool machine_break(struct gpudbg_machine *m, uint64_t pc, int number, bool on, struct gpudbg_error *err)
{
    struct core *c = core_of(m);
    if (on) {
        c->breaks = xrealloc(c->breaks, c->nbreaks + 1, sizeof *c->breaks);
        alloc_watch();
        if (!break_at(c, pc) && !m->isa->run->breakpoint(m, pc, true)) {
            if (alloc_short()) xalloc_end(); /* the list of breakpoints is small; a run without one of them goes past */
            return gpudbg_fail(err, "out-of-range", "no instruction starts at 0x%" PRIx64, pc);
        }
        c->breaks[c->nbreaks].pc = pc;
        c->breaks[c->nbreaks++].number = number;
        return true;
    }
    for (size_t i = c->nbreaks; i-- > 0;)
        if (c->breaks[i].pc == pc && c->breaks[i].number == number)
            memmove(&c->breaks[i], &c->breaks[i + 1], (--c->nbreaks - i) * sizeof *c->breaks);
    if (!break_at(c, pc)) m->isa->run->breakpoint(m, pc, false);
    return true;
}

static void untrace(struct gpudbg_machine *m, int number)
{
    struct core *c = core_of(m);
    for (size_t i = c->ntraces; i-- > 0;) {
        if (c->trace[i].number != number) continue;
        const struct trace gone = c->trace[i];
        memmove(&c->trace[i], &c->trace[i + 1], (--c->ntraces - i) * sizeof *c->trace);
        for (size_t k = 0; k < gone.n; k++)
            if (!break_at(c, gone.pc[k])) m->isa->run->breakpoint(m, gone.pc[k], false);
        free(gone.pc);
    }
}

void machine_trace(struct gpudbg_machine *m, int number, const uint64_t *pc, size_t n)
{
    struct core *c = core_of(m);
    untrace(m, number);
    if (!n) return;
    struct trace trace = {.number = number, .pc = xcalloc(n, sizeof *trace.pc)};
    for (size_t i = 0; i < n; i++)
        if (break_at(c, pc[i]) || m->isa->run->breakpoint(m, pc[i], true)) trace.pc[trace.n++] = pc[i];
    c->trace = xrealloc(c->trace, c->ntraces + 1, sizeof *c->trace);
    c->trace[c->ntraces++] = trace;
}

void machine_catch(struct gpudbg_machine *m, int number, unsigned ran)
{
    struct core *c = core_of(m);
    for (size_t i = c->ncatching; i-- > 0;)
        if (c->catching[i].number == number)
            memmove(&c->catching[i], &c->catching[i + 1], (--c->ncatching - i) * sizeof *c->catching);
    if (!ran) return;
    c->catching = xrealloc(c->catching, c->ncatching + 1, sizeof *c->catching);
    c->catching[c->ncatching++] = (struct catching){number, ran};
}

bool machine_watch(struct gpudbg_machine *m, unsigned space, uint64_t addr, uint64_t size, bool reads, bool writes,
    int number, bool on, struct gpudbg_error *err)
{
    if (!on) {
        door_unwatch(m, number);
        return true;
    }
    if (space >= m->nspaces) return gpudbg_fail(err, "out-of-range", "there is no memory space %u", space);
    if (!size || size > UINT64_MAX - addr)
        return gpudbg_fail(err, "out-of-range", "cannot watch %" PRIu64 " bytes at 0x%" PRIx64, size, addr);
    struct gpudbg_wave anyone = {.machine = m};
    if (space == GPUDBG_LOCAL ? addr + size > m->lds_size : !gpudbg_mem_find(&anyone, space, addr, size))
        return gpudbg_fail(err, "out-of-range", "no %s memory at 0x%" PRIx64 " for %" PRIu64 " bytes",
            m->space[space].name, addr, size);
    const struct watch watch = {
        .number = number, .space = space, .addr = addr, .size = size, .reads = reads, .writes = writes};
    return door_watch(m, &watch, err);
}

uint64_t machine_watch_lanes(const struct gpudbg_machine *m, int number)
{
    const struct door *door = &core_of(m)->door;
    uint64_t lanes = 0;
    for (size_t i = 0; i < door->nwatch; i++)
        if (door->watch[i].number == number) lanes |= door->watch[i].lanes;
    return lanes;
}

void machine_watch_old(const struct gpudbg_machine *m, int number, unsigned char *bytes, size_t size)
{
    const struct door *door = &core_of(m)->door;
    bool now = false; /* it is being met; else the latest that was */
    for (size_t i = 0; i < door->nwatch; i++) now = now || (door->watch[i].hit && door->watch[i].number == number);
    for (size_t i = 0; i < door->nwatch && size; i++) {
        const struct watch *watch = &door->watch[i];
        if (watch->number != number) continue;
        const size_t n = watch->size < size ? (size_t)watch->size : size;
        if (now ? watch->hit : watch->last) memcpy(bytes, watch->old, n < sizeof watch->old ? n : sizeof watch->old);
        bytes += n;
        size -= n;
    }
}

bool machine_watch_access(const struct gpudbg_machine *m, int number, size_t i, struct machine_access *access)
{
    const struct door *door = &core_of(m)->door;
    bool now = false; /* as in machine_watch_old */
    for (size_t k = 0; k < door->nwatch; k++) now = now || (door->watch[k].hit && door->watch[k].number == number);
    for (size_t k = 0; k < door->nwatch; k++) {
        const struct watch *watch = &door->watch[k];
        if (watch->number != number || !(now ? watch->hit : watch->last)) continue;
        if (i >= watch->naccesses) {
            i -= watch->naccesses;
            continue;
        }
        const struct watch_access *a = &watch->access[i];
        *access = (struct machine_access){.addr = a->addr, .size = a->size, .lane = a->lane, .old = a->old};
        return true;
    }
    return false;
}

/* ---- Faults and events ---- */

enum gpudbg_ran gpudbg_fault(struct gpudbg_wave *w, int lane, const char *fmt, ...)
{
    struct gpudbg_stop *stop = &w->machine->stop;
    *stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_FAULT, .wave = w->id, .lane = lane, .pc = w->pc};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(stop->message, sizeof stop->message, fmt, ap);
    va_end(ap);
    return GPUDBG_RAN_FAULT;
}

static void add_event(
    struct gpudbg_wave *w, const char *kind, const void *data, size_t size, const char *fmt, va_list ap)
{
    struct core *c = core_of(w->machine);
    char text[400];
    vsnprintf(text, sizeof text, fmt, ap);
    if (c->nevents >= EVENTS || !CORE_GROW(c->events, c->events_room, c->nevents)) return;
    struct gpudbg_event *e = &c->events[c->nevents];
    *e = (struct gpudbg_event){.pc = w->pc,
        .wave = w->id,
        .kind = xstrdup(kind),
        .text = xstrdup(text),
        .data = malloc(size + 1),
        .size = size};
    if (e->kind && e->text && e->data) {
        if (size) memcpy((void *)e->data, data, size);
        c->nevents++;
        c->pending++;
    } else {
        free_event(e);
    }
}

void gpudbg_event(struct gpudbg_wave *w, const char *kind, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_event(w, kind, NULL, 0, fmt, ap);
    va_end(ap);
}

void gpudbg_event_data(struct gpudbg_wave *w, const char *kind, const void *data, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_event(w, kind, data, size, fmt, ap);
    va_end(ap);
}

void core_events_settle(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    stores_settle(m);
    if (!c->pending) return;
    const size_t old = c->nevents - c->pending;
    const uint64_t position = c->schedule.position - 1;
    c->pending = 0;
    if (old && c->events[old - 1].position >= position) {
        forget_events(c, old);
        return;
    }
    for (size_t i = old; i < c->nevents; i++) c->events[i].position = position;
}

void core_events_drop(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    forget_events(c, c->nevents - c->pending);
    c->pending = 0;
    c->stores.n -= c->stores.pending;
    c->stores.pending = 0;
}

void core_events_truncate(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    forget_events(c, gpudbg_events(m, NULL));
    stores_truncate(m);
}

size_t gpudbg_events(const struct gpudbg_machine *m, const struct gpudbg_event **events)
{
    const struct core *c = core_of(m);
    size_t lo = 0, hi = c->nevents;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (c->events[mid].position < c->schedule.position)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (events) *events = c->events;
    return lo;
}

/* ---- History ---- */

void machine_history(const struct gpudbg_machine *m, struct machine_history *to)
{
    const struct core *c = core_of(m);
    *to = (struct machine_history){
        .position = c->schedule.position,
        .recorded = c->schedule.recorded,
        .checkpoints = c->history.n,
        .bytes = history_bytes(m),
        .pages = c->history.pool.pages,
        .edits = c->schedule.nedits,
        .ahead = c->ahead.groups,
        .alone = c->ahead.alone,
    };
}

void machine_threads(struct gpudbg_machine *m, unsigned most, uint64_t memory)
{
    core_of(m)->threads.most = most;
    core_of(m)->threads.memory = memory;
}

void machine_inherit(struct gpudbg_machine *m, struct gpudbg_machine *old)
{
    if (old) history_inherit(m, old);
}

void machine_history_budget(struct gpudbg_machine *m, uint64_t bytes)
{
    history_set_budget(m, bytes ? bytes : UINT64_MAX);
}

/* ---- Registers that are not always kept ---- */

bool machine_kept(struct gpudbg_machine *m, unsigned file)
{
    return !m->isa->run->keep || m->isa->run->keep(m, file, false, false);
}

bool machine_keep(struct gpudbg_machine *m, unsigned file, bool edit, struct gpudbg_error *err)
{
    const struct gpudbg_runner *run = m->isa->run;
    if (!run->keep || file >= m->isa->nfiles || run->keep(m, file, edit, false)) return true;
    if (core_of(m)->running)
        return gpudbg_fail(
            err, "not-now", "$%s was not recorded so far; print it before the program runs", m->isa->files[file].name);
    run->keep(m, file, edit, true);
    return history_again(m, core_of(m)->ticker) ||
           gpudbg_fail(err, "interrupt",
               "interrupted at position %" PRIu64 ": for $%s the program runs again from its launch",
               machine_position(m), m->isa->files[file].name);
}
