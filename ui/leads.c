/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leads.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "machine/machine.h"

struct lead {
    bool time, code;
    uint64_t position, addr;
    int64_t wave, lane; /* -1: none is named */
};

/* The number behind a word of its own: "wave 4". */
static bool number_behind(const char *text, const char *word, uint64_t *n)
{
    const size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += len) {
        char *end;
        if ((at > text && isalnum((unsigned char)at[-1])) || at[len] != ' ' || !isdigit((unsigned char)at[len + 1]))
            continue;
        *n = strtoull(at + len + 1, &end, 10);
        if (!isalpha((unsigned char)*end)) return true;
    }
    return false;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$'; }

/* "NAME+0x104" of a symbol of the code. */
static bool code_named(const struct screen *s, const char *text, uint64_t *addr)
{
    const struct gpudbg_image *image = s->g->loaded.image;
    for (const char *plus = text; image && (plus = strstr(plus, "+0x")); plus++) {
        const char *from = plus;
        char name[256];
        while (from > text && in_name(from[-1])) from--;
        snprintf(name, sizeof name, "%.*s", (int)(plus - from), from);
        const struct gpudbg_symbol *symbol = *name ? gpudbg_image_find(image, name) : NULL;
        if (symbol) return *addr = symbol->addr + strtoull(plus + 3, NULL, 16), true;
    }
    return false;
}

static bool lead_of(const struct screen *s, const char *text, struct lead *l)
{
    uint64_t n;
    *l = (struct lead){.wave = -1, .lane = -1};
    l->time = s->g->running.machine && number_behind(text, "position", &l->position);
    if (l->time && number_behind(text, "wave", &n)) l->wave = (int64_t)n;
    if (l->time && number_behind(text, "lane", &n)) l->lane = (int64_t)n;
    l->code = !l->time && code_named(s, text, &l->addr);
    return l->time || l->code;
}

bool line_leads(const struct screen *s, const char *text)
{
    struct lead l;
    return lead_of(s, text, &l);
}

bool line_follow(struct screen *s, const char *text, struct gpudbg_error *err)
{
    struct lead l;
    char line[64];
    if (!lead_of(s, text, &l)) return gpudbg_fail(err, "not-now", "the line names no position in time and no code");
    if (l.code) return code_jump(s, l.addr, err);
    const struct gpudbg_machine *m = s->g->running.machine;
    if (l.position > machine_recorded(m))
        return gpudbg_fail(err, "not-now", "position %" PRIu64 " is not recorded yet: the launch was run to %" PRIu64,
            l.position, machine_recorded(m));
    if (l.wave >= 0 && l.wave < m->nwaves) s->g->selection.wave = (uint32_t)l.wave;
    if (l.lane >= 0 && l.lane < (int64_t)m->lanes) s->g->selection.lane = (int)l.lane;
    snprintf(line, sizeof line, "goto %" PRIu64, l.position);
    screen_key_line(s, line);
    return true;
}
