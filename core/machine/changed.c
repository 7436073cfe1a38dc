/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changed.c: see changed.h.  Pages are in a table by key. */
#include "machine/changed.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

void changed_free(struct changed *c)
{
    free(c->list);
    *c = (struct changed){0};
}

static struct changed_page *changed_at(const struct changed *c, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b185ebca87) >> 32) & (c->room - 1);
    while (c->list[i].key && c->list[i].key != key) i = (i + 1) & (c->room - 1);
    return &c->list[i];
}

struct changed_page *changed_add(struct changed *c, uint64_t key)
{
    if (2 * c->n >= c->room) {
        const struct changed old = *c;
        c->room = old.room ? 2 * old.room : 256;
        c->list = xcalloc(c->room, sizeof *c->list);
        for (size_t i = 0; i < old.room; i++)
            if (old.list[i].key) *changed_at(c, old.list[i].key) = old.list[i];
        free(old.list);
    }
    struct changed_page *p = changed_at(c, key);
    c->n += !p->key;
    p->key = key;
    return p;
}

const struct changed_page *changed_find(const struct changed *c, uint64_t key)
{
    struct changed_page *p = changed_at(c, key);
    for (unsigned i = 0; p->before && i < GPUDBG_PAGE / 4; i++)
        if (memcmp(p->before + 4 * i, p->now + 4 * i, 4) != 0) p->dwords[i / 16] |= (uint16_t)(1u << i % 16);
    p->before = NULL;
    return p->key ? p : NULL;
}

bool changed_since(struct changed *c, const struct gpudbg_machine *m, uint64_t position)
{
    const struct history *h = &core_of(m)->history;
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    const size_t from = history_find(m, position);
    uint32_t segment = 0;
    if (h->list[from].position != position) return false;
    changed_add(c, UINT64_MAX); /* so that there is a list */
    for (size_t i = from; i <= h->present; i++) {
        const struct page_list *list = i == h->present ? &h->undo : &h->list[i].pages;
        for (size_t k = 0; k < list->n; k++) {
            const struct page_copy *copy = &list->copy[k];
            if (space->segment[segment] != copy->segment)
                for (segment = 0; space->segment[segment] != copy->segment;) segment++;
            struct changed_page *p = changed_add(c, changed_key(segment, copy->page));
            if (p->before) continue; /* an earlier one is compared */
            p->before = copy->bytes;
            p->now = copy->segment->bytes + (copy->page << GPUDBG_PAGE_BITS);
        }
    }
    return true;
}

void changed_join(struct changed *c, struct changed *other)
{
    for (size_t i = 0; i < other->room; i++) {
        const struct changed_page *from = &other->list[i];
        if (!from->key) continue;
        struct changed_page *to = changed_add(c, from->key);
        for (unsigned k = 0; k < CHANGED_LINES; k++) to->dwords[k] |= from->dwords[k];
    }
    changed_free(other);
}

void changed_compare(const struct changed *c)
{
    for (size_t i = 0; i < c->room; i++)
        if (c->list[i].before) changed_find(c, c->list[i].key);
}
