/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rounds.h"

#include <string.h>

#include "code/walk.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "registers_shown.h"

/* The first register that the instruction writes, as text; false: it writes none that can be read. */
static bool written_text(
    struct gpudbg *g, struct gpudbg_wave *w, const struct gpudbg_insn *insn, int lane, char *buf, size_t size)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || o->file >= insn->isa->nfiles) continue;
        const struct gpudbg_regfile *f = &insn->isa->files[o->file];
        const uint32_t *words = register_words(g, o->file, o->reg);
        char name[40], value[32];
        if (!words || f->bits > 64) return false;
        const struct form *form = register_form(g, o->file, o->reg, NULL);
        const bool pair = o->count == 2 && f->bits == 32 && (f->lanes <= 1 || (form && form->size == 8));
        gpudbg_register_name(f, o->reg, name, sizeof name);
        if (pair) snprintf(name, sizeof name, "%s[%u:%u]", f->name, o->reg, o->reg + 1u);
        const bool laned = f->lanes > 1, off = laned && !(insn->isa->run->active(w) >> lane & 1);
        register_typed(g, o->file, o->reg, pair ? 2 : 1, lane, 9, value, sizeof value);
        if (f->mask)
            text_put(buf, size, "%s[%d]=%u", name, lane, (unsigned)(words[lane / 32] >> lane % 32 & 1));
        else
            text_put(buf, size, "%s=%s%s", name, value, off ? " off" : "");
        return true;
    }
    return false;
}

static void keep(struct rounds *r, uint64_t pc, const char *text)
{
    unsigned i = 0;
    while (i < r->n && r->round[i].pc != pc) i++;
    if (i == ROUNDS_MOST) return;
    r->n += i == r->n;
    r->round[i].pc = pc;
    snprintf(r->round[i].text, sizeof r->round[i].text, "%s", text);
}

void rounds_take(struct rounds *r, struct gpudbg *g)
{
    struct gpudbg_machine *m = g->running.machine;
    struct gpudbg_error ignored = {0};
    const uint64_t now = m ? machine_position(m) : 0, from = now > ROUNDS_MOST ? now - ROUNDS_MOST : 0;
    const int lane = g->selection.lane < 0 ? 0 : g->selection.lane;
    if (r->machine == m && r->position == now && r->wave == g->selection.wave && r->lane == lane &&
        (!m || r->future == machine_futures(m)))
        return;
    *r = (struct rounds){.machine = m, .position = now, .wave = g->selection.wave, .lane = lane};
    if (!m) return;
    r->future = machine_futures(m);
    const struct gpudbg_stop stop = m->stop;
    bool good = machine_go(m, from, &ignored);
    for (uint64_t at = from; good && at < now; at++) {
        struct gpudbg_wave *w = machine_wave(m, g->selection.wave, &ignored);
        struct gpudbg_insn insn, own;
        const uint64_t pc = w ? w->pc : 0;
        const struct gpudbg_insn *actual = w && insn_at(m->image, pc, &insn) ? machine_actual(w, &insn, &own) : NULL;
        char text[40];
        good = machine_go(m, at + 1, &ignored);
        w = good ? machine_wave(m, g->selection.wave, &ignored) : NULL;
        if (actual && w && w->pc != pc && written_text(g, w, actual, lane, text, sizeof text)) keep(r, pc, text);
    }
    machine_come_back(m, now);
    m->stop = stop;
}

const char *rounds_at(const struct rounds *r, uint64_t pc)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->round[i].pc == pc) return r->round[i].text;
    return NULL;
}
