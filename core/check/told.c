/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/told.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"

#define NUMBERS_MOST (UINT32_C(1) << 24) /* code of 64 MB; the rest has no numbers */

static size_t places_of(const struct told_section *s) { return (size_t)(s->size / 4 + 1); }

void told_open(struct told_code *c, const struct gpudbg_image *image)
{
    *c = (struct told_code){.image = image};
    c->section = xcalloc(image->nsections + 1, sizeof *c->section);
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *from = &image->sections[i];
        if (gpudbg_image_at(image, from->addr) != from) continue;
        struct told_section *s = &c->section[c->n++];
        *s = (struct told_section){.base = from->addr, .size = from->size, .first = TOLD_NO_NUMBER};
        if (places_of(s) > NUMBERS_MOST - c->numbers) continue;
        s->first = c->numbers;
        c->numbers += (uint32_t)places_of(s);
    }
}

void told_close(struct told_code *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct told_section *s = &c->section[i];
        for (size_t k = 0; s->at && k < places_of(s); k++) free(s->at[k]);
        free(s->at);
    }
    free(c->section);
    *c = (struct told_code){NULL, NULL, NULL, 0, 0};
}

void told_forget(struct told_code *c)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; c->section[i].at && k < places_of(&c->section[i]); k++)
            if (c->section[i].at[k]) c->section[i].at[k]->known = false;
}

struct told *told_find(struct told_code *c, uint64_t pc)
{
    for (size_t i = 0; i < c->n; i++) {
        struct told_section *s = &c->section[i];
        if (pc - s->base >= s->size) continue;
        if (!s->at) s->at = xcalloc(places_of(s), sizeof(struct told *));
        const size_t place = (size_t)((pc - s->base) / 4);
        struct told **at = &s->at[place];
        c->latest = s;
        if (*at) return *at;
        struct told *new = xalloc(sizeof *new);
        new->is_insn = insn_at(c->image, pc, &new->insn);
        new->flows = new->is_insn &&
                     (new->insn.op->flags &GPUDBG_OP_CALL || gpudbg_insn_does(&new->insn) & GPUDBG_OP_END);
        new->number = s->first == TOLD_NO_NUMBER ? TOLD_NO_NUMBER : s->first + (uint32_t)place;
        return *at = new;
    }
    return NULL;
}
