/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bars.c: the first line of the screen, which says where we are, and the last, which says what keys do. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "inside.h"
#include "machine/machine.h"
#include "gpudbg/text.h"

int grouped_text(uint64_t n, char *buf, size_t size)
{
    char digits[32];
    const int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    struct text t = text_in(buf, size);
    for (int i = 0; i < len; i++) text_add(&t, i && (len - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
    return text_length(&t);
}

/* Bytes as "512 B", "4 KB", "1.5 MB". */
static int bytes_text(uint64_t n, char *buf, size_t size)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double value = (double)n;
    size_t unit = 0;
    for (; value >= 1024 && unit < 4; unit++) value /= 1024;
    return snprintf(buf, size, unit && value < 10 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* ---- The state line ---- */

/* Its parts, the dispensable ones with a higher number. */
struct parts {
    struct {
        int order;
        char text[160];
    } part[12];
    int count;
};

static void part_add(struct parts *p, int order, const char *fmt, ...) GPUDBG_PRINTF(3, 4);
static void part_add(struct parts *p, int order, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    p->part[p->count].order = order;
    vsnprintf(p->part[p->count++].text, sizeof p->part[0].text, fmt, args);
    va_end(args);
}

static void machine_parts(struct gpudbg *g, struct parts *p)
{
    struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    struct machine_history history;
    char at[32], of[32], bytes[32];
    static const char *const states[] = {"unstarted", "ready", "at barrier", "ended"};
    machine_wave_info(m, g->selection.wave < m->nwaves ? g->selection.wave : 0, &info);
    machine_history(m, &history);
    part_add(p, 0, "wave %" PRIu32 "/%" PRIu32 " lane %d", g->selection.wave, m->nwaves, g->selection.lane);
    part_add(p, 3, "group %" PRIu32 ",%" PRIu32 ",%" PRIu32, info.group_id[0], info.group_id[1], info.group_id[2]);
    if (info.state == GPUDBG_AT_BARRIER || info.state == GPUDBG_ENDED) part_add(p, 2, "%s", states[info.state]);
    grouped_text(history.position, at, sizeof at);
    grouped_text(history.recorded, of, sizeof of);
    if (history.recorded > history.position)
        part_add(p, 1, "step %s of %s", at, of);
    else
        part_add(p, 1, "step %s", at);
    bytes_text(history.bytes, bytes, sizeof bytes);
    part_add(p, 4, "rec %s", bytes);
    if (g->running.last.reason == GPUDBG_STOP_FAULT)
        part_add(p, 0, "! fault");
    else if (g->running.last.reason == GPUDBG_STOP_DONE && machine_next_wave(m) == MACHINE_NO_WAVE)
        part_add(p, 2, "done");
}

static void image_parts(struct gpudbg *g, struct parts *p)
{
    char size[32];
    if (!g->loaded.image) {
        part_add(p, 0, "gpudbg %s", GPUDBG_VERSION);
        if (g->loaded.ndumps)
            part_add(
                p, 0, "%s %s", path_base(gpudbg_dump_path(g->loaded.dumps[0])), gpudbg_dump_format(g->loaded.dumps[0]));
        else
            part_add(p, 0, "nothing loaded");
        return;
    }
    part_add(p, 0, "%s %s", path_base(g->loaded.image->path), g->loaded.image->isa ? g->loaded.image->isa->name : "");
    if (g->running.machine) return;
    bytes_text(g->loaded.image->size, size, sizeof size);
    part_add(p, 1, "%s, %s", g->loaded.image->kind, size);
    if (g->loaded.image->nkernels)
        part_add(p, 2, "%zu kernel%s", g->loaded.image->nkernels, g->loaded.image->nkernels == 1 ? "" : "s");
    part_add(p, 3, "not launched");
}

/* "working 12,345", of a file "reading 90 of 200 MB". */
static void progress_text(const struct screen *s, char *buf, size_t size)
{
    char done[32], todo[32];
    struct text t = text_in(buf, size);
    if (s->reading)
        bytes_text(s->progress.done, done, sizeof done);
    else
        grouped_text(s->progress.done, done, sizeof done);
    text_add(&t, "%s %s", s->reading ? "reading" : "working", done);
    if (!s->reading || !s->progress.todo) return;
    bytes_text(s->progress.todo, todo, sizeof todo);
    text_add(&t, " of %s", todo);
}

/* "[######......] 45%  12 M/s  0:12 left  Ctrl-C stops" */
static void progress_draw(struct screen *s, const struct area *a)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - s->progress.start.tv_sec) +
                     (double)(now.tv_nsec - s->progress.start.tv_nsec) / 1e9;
    double rate = seconds > 0 ? (double)s->progress.done / seconds : 0;
    char text[200], what[80];
    progress_text(s, what, sizeof what);
    int x = area_text(a, 1, 0, STYLE_state, what) + 2;
    const char *unit = rate >= 1e6 ? "M" : rate >= 1e3 ? "k" : "";
    double shown = rate >= 1e6 ? rate / 1e6 : rate >= 1e3 ? rate / 1e3 : rate;
    struct text t = text_in(text, sizeof text);
    if (!s->reading) text_add(&t, "%.1f %s/s  ", shown, unit);
    if (s->progress.todo > s->progress.done && rate > 0) {
        unsigned long left = (unsigned long)((double)(s->progress.todo - s->progress.done) / rate) + 1;
        text_add(&t, "%lu:%02lu left  ", left / 60, left % 60);
    }
    text_add(&t, "Ctrl-C stops");
    int room = a->w - x - text_length(&t) - 12;
    if (s->progress.todo && room >= 8) {
        int w = room < 40 ? room : 40;
        double part = (double)s->progress.done / (double)s->progress.todo;
        int full = part >= 1 ? w : (int)(part * w);
        area_put(a, x, 0, STYLE_state, "[");
        area_repeat(a, x + 1, 0, full, STYLE_bar, '#', '#');
        area_repeat(a, x + 1 + full, 0, w - full, STYLE_state, '.', '.');
        x = area_put(a, x + 1 + w, 0, STYLE_state, "] %3.0f%%", part > 1 ? 100 : part * 100) + 2;
    }
    area_text(a, x, 0, STYLE_state, text);
}

void bar_state(struct screen *s, const struct area *a)
{
    area_repeat(a, 0, 0, a->w, STYLE_state, ' ', ' ');
    if (s->progress.shown) {
        progress_draw(s, a);
        return;
    }
    struct parts p = {.count = 0};
    image_parts(s->g, &p);
    if (s->g->loaded.image && s->g->running.machine) machine_parts(s->g, &p);
    int order = 9, need;
    do { /* leaves out what matters least until the rest fits */
        need = 0;
        for (int i = 0; i < p.count; i++)
            if (p.part[i].order <= order) need += text_columns(p.part[i].text, a->cells->utf8) + 2;
    } while (need > a->w && order-- > 0);
    int x = 1;
    for (int i = 0; i < p.count; i++)
        if (p.part[i].order <= (order < 0 ? 0 : order)) x = area_text(a, x, 0, STYLE_state, p.part[i].text) + 2;
}

/* ---- The key bar ---- */

/* The first line that the latest command printed, and how many more there are; an error as it is. */
void bar_message(struct screen *s, const struct area *a)
{
    const struct transcript *t = &s->transcript;
    const struct transcript_line *last = transcript_line(t, t->count - 1), *first = last;
    size_t more = 0;
    if (s->mode == KEYS_PROMPT || s->question[0]) {
        prompt_input(s, a, 0);
        return;
    }
    for (size_t i = t->count; last && last->style == STYLE_text && i-- > 0 && t->count - i < 100;) {
        const struct transcript_line *line = transcript_line(t, i);
        if (line->style != STYLE_text) break;
        first = line;
        more = t->count - i - 1;
    }
    const int x = first ? area_text(a, 0, 0, first->style, first->text) : 0;
    if (more) area_put(a, x + 2, 0, STYLE_comment, "(and %zu line%s)", more, more == 1 ? "" : "s");
}

/* A key for a program that runs. */
static bool key_runs(struct gpudbg *g, const struct binding *b)
{
    return !strncmp(b->command, "pick ", 5) || !strcmp(b->command, "pane here") || line_wants_machine(g, b->command);
}

/* Whether the key means an action that does nothing on what the pane shows. */
static bool key_lacks(struct pane *p, const struct binding *b)
{
    char name[40];
    if (!p || !p->kind->lacks) return false;
    const bool named = strncmp(b->command, "pane ", 5) == 0;
    snprintf(name, sizeof name, "%.*s", named ? (int)strcspn(b->command + 5, " ") : 0, b->command + 5 * named);
    const int action = strcmp(b->command, "enter") == 0 ? PANE_FOLLOW : pane_action_named(name);
    return action >= 0 && action < 64 && p->kind->lacks(p) >> action & 1;
}

/* A key and what it does, which a click presses; the column behind both, 0: they have no room. */
static int bar_item(struct screen *s, const struct area *a, int x, const char *key, const char *label)
{
    const bool letter = isalnum((unsigned char)key[strlen(key) - 1]);
    const int w = text_columns(key, a->cells->utf8) + letter + text_columns(label, a->cells->utf8);
    if (x + w > a->w) return 0;
    if (s->bar.count < (int)(sizeof s->bar.item / sizeof *s->bar.item)) {
        s->bar.item[s->bar.count].x = x;
        s->bar.item[s->bar.count].end = x + w;
        snprintf(s->bar.item[s->bar.count].key, sizeof s->bar.item->key, "%s", key);
        s->bar.count++;
    }
    x = area_text(a, x, 0, STYLE_key, key) + letter;
    return area_text(a, x, 0, STYLE_label, label) + 1;
}

void bar_keys(struct screen *s, const struct area *a)
{
    s->bar.count = 0;
    if (s->reading) {
        area_put(a, 0, 0, STYLE_key, "Up Down PgUp PgDn Home End: look around  z fill the screen  q quit");
        return;
    }
    if ((s->mode == KEYS_PROMPT || s->question[0]) && (s->over || a->cells->rows < 5) && !screen_shows_prompt(s)) {
        prompt_input(s, a, 0); /* the line must be seen somewhere */
        return;
    }
    const struct transcript_line *last = transcript_line(&s->transcript, s->transcript.count - 1);
    if (s->over && s->notice && last && last->style == STYLE_error) { /* and so must what came of it */
        area_text(a, 0, 0, last->style, last->text);
        return;
    }
    if (s->over) {
        area_put(a, 0, 0, STYLE_key, "Escape back  %sPgDn more  PgUp before  /find",
            s->over->kind == &pane_pager && pager_leads(s->over) ? "Enter go there  " : "");
        return;
    }
    if (s->sequence[0] || s->count[0]) {
        area_put(a, 0, 0, STYLE_key, "%s%s ...", s->count, s->sequence);
        return;
    }
    const char *pane = screen_pane_of_keys(s);
    int x = 0;
    if (s->zoomed && s->mode == KEYS_SINGLE) x = bar_item(s, a, x, "Escape", "back");
    for (size_t i = 0; i < s->keys.count; i++) {
        const struct binding *b = &s->keys.binding[i];
        bool prefix;
        if (!b->label[0] || !b->command[0] || b->mode != s->mode || !binding_holds(b, pane)) continue;
        if (keys_find(&s->keys, s->mode, pane, b->key, &prefix) != b) continue; /* the pane has its own */
        if (!s->g->loaded.image && key_runs(s->g, b)) continue;                 /* nothing here does */
        if (pane && s->focus && !strcmp(s->focus->name, pane) && key_lacks(s->focus, b)) continue;
        const int end = bar_item(s, a, x, b->key, b->label);
        if (!end) break;
        x = end;
    }
}
