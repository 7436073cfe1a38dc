/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beside.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "session/session.h"

#define OFF_FROM 58     /* columns of a pane that shows how many lanes were off */
#define COUNT_COLUMNS 4 /* " 12 " */
#define HEAT_COLUMNS 2
#define OFF_COLUMNS 5 /* " 48% " */

void beside_close(struct beside *b)
{
    lives_free(b->lives);
    profile_free(&b->profile);
    *b = (struct beside){.image = NULL};
}

static uint64_t digest_of(const uint8_t *bytes, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

static void take_lives(struct beside *b, struct gpudbg *g, uint64_t addr)
{
    struct gpudbg_error unsaid = {0};
    const struct gpudbg_section *s = gpudbg_image_at(g->loaded.image, addr);
    if (!s || !s->bytes) return;
    const uint64_t digest = digest_of(s->bytes, s->size < 65536 ? s->size : 65536);
    if (b->image == g->loaded.image && addr - b->from < b->to - b->from && b->bytes == s->bytes && b->digest == digest)
        return;
    lives_free(b->lives);
    b->image = g->loaded.image;
    b->bytes = s->bytes;
    b->digest = digest;
    b->from = s->addr;
    b->to = s->addr + s->size;
    b->peak = 0;
    b->lives = lives_new(g->loaded.image, addr, &unsaid);
    for (uint32_t i = 0; b->lives && i < b->lives->n; i++)
        if (b->lives->at[i].vector > b->peak) b->peak = b->lives->at[i].vector;
}

/* Only what is counted while the program runs: to run it again for each picture would take too long. */
static void take_profile(struct beside *b, struct gpudbg *g)
{
    struct gpudbg_error unsaid = {0};
    struct gpudbg_machine *m = g->settings.profile ? g->running.machine : NULL;
    const uint64_t position = m ? machine_position(m) : 0;
    if (b->machine == m && b->position == position) return;
    profile_free(&b->profile);
    b->profile = (struct profile){.place = NULL};
    b->machine = m;
    b->position = position;
    b->most = 0;
    if (!m || !profile_take(&g->control, &b->profile, &unsaid)) return;
    for (size_t i = 0; i < b->profile.count; i++)
        if (b->profile.place[i].executed > b->most) b->most = b->profile.place[i].executed;
}

static const struct profile_place *place_at(const struct profile *p, uint64_t addr)
{
    size_t lo = 0, hi = p->count;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (p->place[mid].pc < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < p->count && p->place[lo].pc == addr ? &p->place[lo] : NULL;
}

unsigned profile_heat(const struct profile *p, uint64_t most, uint64_t addr)
{
    const struct profile_place *place = place_at(p, addr);
    if (!place || !place->executed || !most) return 0;
    const uint64_t eighths = place->executed * 8 / most;
    return eighths ? (unsigned)eighths : 1;
}

/* How many of a hundred lanes were masked off when it was executed; -1: it does not work per lane, or never ran. */
static int off_percent(const struct beside *b, struct gpudbg *g, uint64_t addr)
{
    const struct profile_place *place = place_at(&b->profile, addr);
    const uint64_t all = place && place->lanes ? place->executed * g->running.machine->lanes : 0;
    return all > place->lanes || (all && all == place->lanes) ? (int)((all - place->lanes) * 100 / all) : -1;
}

int beside_take(struct beside *b, struct gpudbg *g, uint64_t addr, int width)
{
    if (width < 40) return 0;
    b->counts = g->settings.live_registers;
    if (b->counts) take_lives(b, g, addr);
    take_profile(b, g);
    b->off = b->most && width >= OFF_FROM;
    return (b->counts && b->lives ? COUNT_COLUMNS : 0) + (b->most ? HEAT_COLUMNS : 0) + (b->off ? OFF_COLUMNS : 0);
}

void beside_draw(const struct beside *b, struct gpudbg *g, const struct area *a, int x, int y, uint64_t addr)
{
    if (b->most) {
        const unsigned heat = profile_heat(&b->profile, b->most, addr);
        static const char ascii[] = " .,-:=+*#";
        if (heat)
            area_repeat(a, x, y, 1, heat > 5 ? STYLE_changed : STYLE_value, 0x2580 + heat, ascii[heat]); /* blocks */
        x += HEAT_COLUMNS;
    }
    if (b->off) {
        const int off = off_percent(b, g, addr);
        if (off > 0) area_put(a, x, y, STYLE_comment, "%3d%%", off);
        x += OFF_COLUMNS;
    }
    const uint32_t i = b->counts && b->lives ? lives_find(b->lives, addr) : UINT32_MAX;
    if (i == UINT32_MAX) return;
    const struct pressure_at *at = &b->lives->at[i];
    area_put(a, x, y, at->vector == b->peak ? STYLE_changed : STYLE_comment, "%3u", (unsigned)at->vector);
}

int beside_names(const struct beside *b, uint64_t addr, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    const struct lives *l = b->counts ? b->lives : NULL;
    const uint32_t i = l ? lives_find(l, addr) : UINT32_MAX;
    for (uint32_t r = 0; i != UINT32_MAX && r < l->nregs; r++) {
        const enum life life = lives_of(l, i, r);
        char name[32];
        if (life != LIFE_BORN && life != LIFE_DIES && life != LIFE_UNREAD) continue;
        gpudbg_register_name(&l->isa->files[l->reg[r].file], l->reg[r].number, name, sizeof name);
        text_add(&t, "%s%c%s", t.n ? " " : "", life_mark[life], name);
    }
    return (int)t.n;
}
