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
    const struct changed_page *p = c->room ? changed_at(c, key) : NULL;
    return p && p->key ? p : NULL;
}

/* A bit a dword, of 64, that differs. */
static uint64_t differ(const uint8_t *a, const uint8_t *b)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint64_t x, y;
        memcpy(&x, a + 8 * i, 8);
        memcpy(&y, b + 8 * i, 8);
        x ^= y;
        bits |= (uint64_t)((uint32_t)x != 0) << 2 * i | (uint64_t)(x >> 32 != 0) << (2 * i + 1);
    }
    return bits;
}

/* The first copy of a section has what the page held at its start. */
static void compare(struct changed *c, uint32_t segment, const struct page_copy *copy)
{
    const uint8_t *now = copy->segment->bytes + (copy->page << GPUDBG_PAGE_BITS);
    struct changed_page *p = changed_add(c, changed_key(segment, copy->page));
    if (p->section == c->section) return;
    p->section = c->section;
    for (unsigned i = 0; i < CHANGED_WORDS; i++)
        changed_mark(p, i, differ(copy->bytes + 256 * i, now + 256 * i), CHANGED_HERE);
}

bool changed_since(struct changed *c, const struct gpudbg_machine *m, uint64_t position)
{
    const struct history *h = &core_of(m)->history;
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    const size_t from = history_find(m, position);
    uint32_t segment = 0;
    if (h->list[from].position != position) return false;
    c->section++;
    for (size_t i = from; i <= h->present; i++) {
        const struct page_list *list = i == h->present ? &h->undo : &h->list[i].pages;
        for (size_t k = 0; k < list->n; k++) {
            if (space->segment[segment] != list->copy[k].segment)
                for (segment = 0; space->segment[segment] != list->copy[k].segment;) segment++;
            compare(c, segment, &list->copy[k]);
        }
    }
    return true;
}
