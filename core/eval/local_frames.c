/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_frames.c: which function a wave is in, by debug information, and the frame that the user selected. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/cursor.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "machine/machine.h"

#define WAVE_ALIGN 64 /* bytes; see struct gpudbg_wave */

void locals_forget_frame(struct eval *ev)
{
    free(ev->selection->frame.caller);
    ev->selection->frame.caller = NULL;
    ev->selection->frame.number = 0;
}

/* A copy's registers follow it, aligned as those of a wave are. */
struct gpudbg_wave *locals_copy_wave(const struct gpudbg_wave *w, struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = w->machine;
    const size_t head = (sizeof *w + WAVE_ALIGN - 1) / WAVE_ALIGN * WAVE_ALIGN, words = (size_t)m->wave_words * 4;
    struct gpudbg_wave *copy = aligned_alloc(WAVE_ALIGN, (head + words + WAVE_ALIGN - 1) / WAVE_ALIGN * WAVE_ALIGN);
    if (!copy) {
        alloc_failed(err, head + words, "the registers of a caller");
        return NULL;
    }
    *copy = *w;
    copy->words = (uint32_t *)((char *)copy + head);
    memcpy(copy->words, w->words, words);
    return copy;
}

struct gpudbg_wave *locals_keep_wave(struct eval *ev, struct gpudbg_error *err)
{
    const struct gpudbg_wave *w = machine_wave(ev->running->machine, ev->selection->wave, err);
    return w ? locals_copy_wave(w, err) : NULL;
}

void locals_select_frame(struct eval *ev, unsigned number, unsigned depth, uint64_t pc, struct gpudbg_wave *caller,
    const struct local_frame *frame)
{
    locals_forget_frame(ev);
    ev->selection->frame.caller = caller;
    ev->selection->frame.file = frame->file;
    ev->selection->frame.line = frame->line;
    ev->selection->frame.number = number;
    ev->selection->frame.depth = depth;
    ev->selection->frame.inner = !caller;
    ev->selection->frame.wave = ev->selection->wave;
    ev->selection->frame.pc = location_here(ev);
    ev->selection->frame.position = ev->running->machine ? machine_position(ev->running->machine) : 0;
    ev->selection->frame.its_pc = pc;
}

unsigned locals_frame(struct eval *ev, uint64_t *pc, bool *inner)
{
    const bool still = ev->selection->frame.number && ev->running->machine &&
                       ev->selection->frame.wave == ev->selection->wave &&
                       ev->selection->frame.position == machine_position(ev->running->machine) &&
                       ev->selection->frame.pc == location_here(ev);
    if (!still) ev->selection->frame.number = 0;
    *pc = still ? ev->selection->frame.its_pc : location_here(ev);
    *inner = !still || ev->selection->frame.inner;
    return ev->selection->frame.number;
}

/* The scope of the function that so many are inlined into. */
static int scope_outwards(struct scopes *s, unsigned depth)
{
    int i = 0;
    for (; depth && i < s->n; i++) depth -= dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine;
    return i;
}

struct scopes *locals_scopes(struct eval *ev, uint32_t wave, int *from, struct gpudbg_wave **caller)
{
    struct machine_wave_info info = {.pc = location_here(ev)};
    bool inner = true;
    *from = 0;
    *caller = NULL;
    if (ev->running->machine) {
        machine_wave_info(ev->running->machine, wave, &info);
        if (info.state == GPUDBG_ENDED) return NULL; /* its pc is in nothing of its own */
    }
    const unsigned number = wave == ev->selection->wave ? locals_frame(ev, &info.pc, &inner) : 0;
    struct scopes *s = scopes_at(ev->loaded->image, info.pc);
    if (s && number) *from = scope_outwards(s, ev->selection->frame.depth);
    if (!inner) *caller = ev->selection->frame.caller;
    return s;
}

size_t locals_frames(struct eval *ev, uint64_t pc, struct local_frame *frame, size_t most)
{
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    size_t n = 0;
    const struct gpudbg_line *row = ev->loaded->image ? gpudbg_image_line(ev->loaded->image, pc) : NULL;
    struct local_frame at = {.file = row ? row->file : NULL, .line = row ? row->line : 0};
    for (int i = 0; s && i < s->n && n < most; i++) {
        const int tag = dwarf_tag(&s->die[i]);
        Dwarf_Attribute a;
        Dwarf_Word line;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        at.name = dwarf_diename(&s->die[i]);
        at.inlined = tag == DW_TAG_inlined_subroutine;
        frame[n++] = at;
        if (!at.inlined) break;
        if (dwarf_attr(&s->die[i], DW_AT_call_line, &a) && dwarf_formudata(&a, &line) == 0) at.line = (uint32_t)line;
    }
    if (!n && most) {
        const struct gpudbg_symbol *symbol = ev->loaded->image ? gpudbg_image_symbol_at(ev->loaded->image, pc) : NULL;
        at.name = symbol ? symbol->name : NULL;
        frame[n++] = at;
    }
    return n;
}
