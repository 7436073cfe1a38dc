/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changed.c: see changed.h.  Pages are in a table by key. */
#include "machine/changed.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/row.h"

void changed_begin(struct changed *c, const struct gpudbg_machine *m, bool all)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    free(c->list);
    *c = (struct changed){.m = m, .segment = c->segment ? c->segment : xcalloc(space->count, sizeof *c->segment)};
    for (size_t i = 0; i < space->count; i++) {
        c->segment[i].quiet = !all && !door_stored(space->segment[i]);
        c->segment[i].writer = 0;
    }
}

void changed_free(struct changed *c)
{
    free(c->segment);
    free(c->list);
    *c = (struct changed){0};
}

/* ---- Pages ---- */

static uint64_t key_of(uint32_t segment, uint64_t page) { return ((uint64_t)segment << 32 | page) + 1; }

static struct changed_page *changed_at(const struct changed *c, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b185ebca87) >> 32) & (c->room - 1);
    while (c->list[i].key && c->list[i].key != key) i = (i + 1) & (c->room - 1);
    return &c->list[i];
}

/* The page, made if it is not there. */
static struct changed_page *add_page(struct changed *c, uint32_t segment, uint64_t number)
{
    const uint64_t key = key_of(segment, number);
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

static void add_writer(uint32_t *writer, uint32_t another)
{
    *writer = !*writer || *writer == another ? another : CHANGED_SEVERAL;
}

static void mark(struct changed_page *p, unsigned word, uint64_t dwords, uint32_t writer)
{
    if (!dwords) return;
    p->dwords[word] |= dwords;
    add_writer(&p->writer, writer);
}

/* ---- Readers ---- */

bool changed_unknown(const struct changed *c, const bool *read, uint32_t reader)
{
    for (size_t i = 0; i < c->m->space[GPUDBG_GLOBAL].count; i++) {
        const struct changed_segment *s = &c->segment[i];
        if ((s->quiet || read[i]) && s->writer && s->writer != reader) return true;
    }
    return false;
}

bool changed_page_read(
    const struct changed *c, uint32_t segment, uint32_t page, uint32_t words, const uint64_t *dwords, uint32_t reader)
{
    const struct changed_page *p = c->room ? changed_at(c, key_of(segment, page)) : NULL;
    if (!p || !p->key || p->writer == reader) return false;
    for (; words; words &= words - 1)
        if (p->dwords[__builtin_ctz(words)] & *dwords++) return true;
    return false;
}

/* ---- Writers ---- */

/* The first copy of a section has what the page held at its start. */
static void compare(struct changed *c, uint32_t segment, const struct page_copy *copy)
{
    const uint8_t *now = copy->segment->bytes + (copy->page << GPUDBG_PAGE_BITS);
    struct changed_page *p = add_page(c, segment, copy->page);
    if (p->section == c->section) return;
    p->section = c->section;
    for (unsigned i = 0; i < CHANGED_WORDS; i++)
        mark(p, i, row_differs(copy->bytes + 256 * i, now + 256 * i, 0), CHANGED_HERE);
}

bool changed_since(struct changed *c, uint64_t position, const bool *read)
{
    const struct history *h = &core_of(c->m)->history;
    const struct gpudbg_space *space = &c->m->space[GPUDBG_GLOBAL];
    const size_t from = history_find(c->m, position);
    uint32_t segment = 0;
    if (h->list[from].position != position) return false;
    c->section++;
    for (size_t i = 0; i < space->count; i++) c->segment[i].read |= read[i];
    for (size_t i = from; i <= h->present; i++) {
        const struct page_list *list = i == h->present ? &h->undo : &h->list[i].pages;
        for (size_t k = 0; k < list->n; k++) {
            if (space->segment[segment] != list->copy[k].segment)
                for (segment = 0; space->segment[segment] != list->copy[k].segment;) segment++;
            if (c->segment[segment].read)
                compare(c, segment, &list->copy[k]);
            else
                add_writer(&c->segment[segment].writer, CHANGED_HERE);
        }
    }
    return true;
}

void changed_stored(
    struct changed *c, uint32_t segment, uint64_t offset, const uint8_t *bytes, uint32_t size, uint32_t writer)
{
    const uint64_t at = offset & (GPUDBG_PAGE - 1);
    if (!c->segment[segment].read) {
        add_writer(&c->segment[segment].writer, writer);
        return;
    }
    if (memcmp(c->m->space[GPUDBG_GLOBAL].segment[segment]->bytes + offset, bytes, size) == 0) return;
    struct changed_page *page = add_page(c, segment, offset >> GPUDBG_PAGE_BITS);
    for (uint64_t k = at / 4; k <= (at + size - 1) / 4; k++)
        mark(page, (unsigned)k / 64, UINT64_C(1) << k % 64, writer);
}
