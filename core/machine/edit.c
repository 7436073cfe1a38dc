/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.c: what the user changes: registers, memory, the pc.  An edit stands in the log, so that a replay makes it
 * again. */
#include "machine/machine_core.h"
#include "machine/unknown.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

struct edit {
    enum { EDIT_REGISTER, EDIT_MEMORY, EDIT_PC } kind;
    uint32_t wave;
    unsigned file, index, first; /* REGISTER */
    unsigned space;              /* MEMORY */
    uint64_t addr;               /* MEMORY, PC */
    size_t size;
    uint8_t bytes[];
};

static bool edit_register(
    struct gpudbg_machine *m, struct gpudbg_wave *w, const struct edit *e, struct gpudbg_error *err)
{
    const struct gpudbg_runner *run = m->isa->run;
    if (e->file >= m->isa->nfiles) return gpudbg_fail(err, "out-of-range", "there is no register file %u", e->file);
    const struct gpudbg_regfile *file = &m->isa->files[e->file];
    size_t dwords = 0;
    uint32_t *words = machine_register(w, e->file, e->index, &dwords);
    if (words && run->fixed && run->fixed(e->file))
        return gpudbg_fail(err, "not-writable", "%s cannot be changed: the program or its launch fixes it", file->name);
    if (!words) return gpudbg_fail(err, "out-of-range", "this launch has no %s%u", file->name, e->index);
    if (e->first > dwords || e->size / 4 > dwords - e->first)
        return gpudbg_fail(
            err, "out-of-range", "%s%u has %zu dwords, not %zu", file->name, e->index, dwords, e->first + e->size / 4);
    memcpy(words + e->first, e->bytes, e->size);
    if (run->changed) run->changed(w, e->file, e->index);
    if (file->lanes > 1) { /* lane by lane */
        const unsigned bits = file->bits ? file->bits : 32;
        for (size_t d = e->first; d < e->first + e->size / 4; d++)
            unknown_learn(w, e->file, e->index, UINT64_C(1) << (d * 32 / bits & 63));
    } else if (e->first == 0 && e->size / 4 == dwords) {
        unknown_learn(w, e->file, e->index, UINT64_MAX);
    }
    const struct machine_observer *observer = core_of(m)->observer;
    if (observer && observer->edit) observer->edit(observer->data, w, e->file, e->index);
    return true;
}

static bool edit_memory(struct gpudbg_machine *m, struct gpudbg_wave *w, const struct edit *e, struct gpudbg_error *err)
{
    struct door *door = &core_of(m)->door;
    const struct gpudbg_stop stop = m->stop;
    const bool deaf = door->deaf;
    door->deaf = true;
    const bool written = gpudbg_mem_write(w, e->space, e->addr, e->bytes, e->size, -1);
    door->deaf = deaf;
    const struct machine_observer *observer = core_of(m)->observer;
    if (written && observer && observer->edit_memory)
        observer->edit_memory(observer->data, w,
            &(struct gpudbg_access){
                e->space, true, -1, e->addr, e->size, gpudbg_mem_find(w, e->space, e->addr, e->size), e->bytes});
    if (!written) gpudbg_fail(err, "not-writable", "%s", m->stop.message);
    m->stop = stop;
    return written;
}

static bool make_edit(struct gpudbg_machine *m, const struct edit *e, struct gpudbg_error *err)
{
    if (e->kind == EDIT_MEMORY && e->space != GPUDBG_LOCAL) {
        struct gpudbg_wave anyone = {.machine = m};
        return edit_memory(m, &anyone, e, err);
    }
    /* Not by machine_wave, from which a wave that has ended may be hidden: its group's LDS can still change. */
    const uint32_t group = e->wave / m->waves_per_group;
    if (waves_ended(m, group)) return gpudbg_fail(err, "not-now", "group %u has ended", group);
    struct group *g = waves_group(m, group);
    if (!g) return gpudbg_fail(err, "memory", "no memory for the waves of group %u", group);
    struct gpudbg_wave *w = &g->wave[e->wave % m->waves_per_group];
    if (w->state == GPUDBG_ENDED && e->kind != EDIT_MEMORY)
        return gpudbg_fail(err, "not-now", "wave %u has ended", e->wave);
    if (e->kind == EDIT_REGISTER && !edit_register(m, w, e, err)) return false;
    if (e->kind == EDIT_MEMORY && !edit_memory(m, w, e, err)) return false;
    if (e->kind == EDIT_PC) {
        w->pc = e->addr;
        unknown_learn(w, (unsigned)m->isa->nfiles, 0, UINT64_MAX);
    }
    if (w->state == GPUDBG_UNSTARTED) w->state = GPUDBG_READY;
    g->touched = true;
    return true;
}

static void remake_edit(struct gpudbg_machine *m, const struct edit *e)
{
    struct gpudbg_error err = {0};
    if (!make_edit(m, e, &err)) xalloc_end(); /* it could be made once: only memory can be missing */
}

static void edit_free(struct edit *e) { free(e); }

bool machine_only_observed(struct gpudbg_error *err)
{
    return gpudbg_fail(err, "not-now", "observer mode: nothing may be changed until `set observer off`");
}

static bool edit(struct gpudbg_machine *m, const struct edit *what, const void *bytes, struct gpudbg_error *err)
{
    if (core_of(m)->observed && *core_of(m)->observed) return machine_only_observed(err);
    if (what->wave >= m->nwaves)
        return gpudbg_fail(err, "out-of-range", "there is no wave %u (waves 0 to %u)", what->wave, m->nwaves - 1);
    struct edit *e = malloc(sizeof *e + what->size);
    if (!e) return gpudbg_fail(err, "memory", "no memory for a change of %zu bytes", what->size);
    *e = *what;
    if (what->size) memcpy(e->bytes, bytes, what->size);
    if (!make_edit(m, e, err)) {
        free(e);
        return false;
    }
    history_truncate(m);
    if (schedule_log_edit(m, e)) return true;
    free(e);
    return gpudbg_fail(err, "memory", "no memory to record the change: going back loses it");
}

bool machine_set_register(struct gpudbg_machine *m, uint32_t wave, unsigned file, unsigned index, unsigned first_dword,
    const uint32_t *dwords, size_t n, struct gpudbg_error *err)
{
    if (!machine_keep(m, file, true, err)) return false;
    struct edit e = {
        .kind = EDIT_REGISTER, .wave = wave, .file = file, .index = index, .first = first_dword, .size = n * 4};
    return edit(m, &e, dwords, err);
}

bool machine_set_memory(struct gpudbg_machine *m, uint32_t wave, unsigned space, uint64_t addr, const void *bytes,
    size_t size, struct gpudbg_error *err)
{
    if (space >= m->nspaces) return gpudbg_fail(err, "out-of-range", "there is no memory space %u", space);
    struct edit e = {.kind = EDIT_MEMORY, .wave = wave, .space = space, .addr = addr, .size = size};
    return edit(m, &e, bytes, err);
}

bool machine_set_pc(struct gpudbg_machine *m, uint32_t wave, uint64_t pc, struct gpudbg_error *err)
{
    struct edit e = {.kind = EDIT_PC, .wave = wave, .addr = pc};
    return edit(m, &e, NULL, err);
}

bool machine_logged(const struct gpudbg_machine *m, size_t i, struct machine_logged *to)
{
    const struct schedule *s = &core_of(m)->schedule;
    if (i >= s->nlog) return false;
    const struct log_entry *entry = &s->log[i];
    const struct edit *e = entry->edit;
    *to = (struct machine_logged){.kind = LOGGED_RUN, .wave = entry->wave, .n = entry->n};
    if (!e) return true;
    *to = (struct machine_logged){.kind = e->kind == EDIT_REGISTER ? LOGGED_REGISTER
                                          : e->kind == EDIT_MEMORY ? LOGGED_MEMORY
                                                                   : LOGGED_PC,
        .wave = e->wave,
        .file = e->file,
        .index = e->index,
        .first = e->first,
        .space = e->space,
        .addr = e->addr,
        .bytes = e->bytes,
        .size = e->size};
    return true;
}

bool machine_restoring(const struct gpudbg_machine *m) { return core_of(m)->unknown != NULL; }

void edits_open(struct gpudbg_machine *m)
{
    struct schedule *s = &core_of(m)->schedule;
    s->edit = remake_edit;
    s->edit_free = edit_free;
}
