/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_strip.c: all waves by lanes by place, so that one sees where a launch diverges.
 *
 *      waves 0       8       16      24          waves that are alike share a row
 *     >0-3   AAAAAAAAAAAAAAAA................    each letter is a place in the code, . is masked off
 *      4     BBBBBBBBBBBBBBBBBBBBBBBB........
 *      5-63  CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC
 *      A   4 waves  barrier  matmul+0x110  s_barrier
 *
 * Where the lanes have no room, a mark stands for two or more of them, in small letters if not all of them run.  Enter
 * selects the first wave of a row.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "base/alloc.h"
#include "command/strip.h"
#include "machine/machine.h"

#define LEGEND_FROM 8 /* rows of the pane from which on it says below what the letters mean */
#define LETTERS (STRIP_LETTERS + 1)

struct strip_pane {
    struct strip_row *row; /* malloc'ed, p->count of them */
    size_t room;
    struct legend {
        struct strip_row row; /* one of those with the letter */
        uint64_t waves;       /* that have it */
    } legend[LETTERS];
    int places;     /* with a letter */
    int left, each; /* the column where the lanes begin; how many of them a mark is */
    bool cut;       /* there are more rows than `set row-limit` allows */
    const void *machine;
    uint32_t wave; /* that was selected when it was last drawn */
    int selected;  /* its row */
};

static int letter_index(char letter) { return letter == STRIP_OTHER ? STRIP_LETTERS : letter - 'A'; }

static bool row_add(void *to, const void *row)
{
    struct pane *p = to;
    struct strip_pane *s = p->own;
    const struct strip_row *r = row;
    if (p->count == pane_rows_most(p)) s->cut = true;
    if (s->cut) return false;
    if ((size_t)p->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        struct strip_row *grown = realloc(s->row, room * sizeof *grown);
        if (!grown) return s->cut = true, false;
        s->row = grown;
        s->room = room;
    }
    if (r->selected) s->selected = p->count;
    s->row[p->count++] = *r;
    if (!r->letter) return true;
    struct legend *l = &s->legend[letter_index(r->letter)];
    if (!l->waves) l->row = *r;
    s->places += !l->waves;
    l->waves += r->last - r->first + 1;
    return true;
}

/* Makes the rows; the cursor goes with the selected wave. */
static bool rows_take(struct pane *p)
{
    struct strip_pane *s = p->own;
    struct gpudbg_error err = {.offset = -1};
    const bool moved = s->machine != p->g->running.machine || s->wave != p->g->selection.wave;
    p->count = s->places = s->selected = 0;
    s->cut = false;
    memset(s->legend, 0, sizeof s->legend);
    if (!p->g->running.machine || !session_rows(p->g, &strip_listing, "", row_add, p, &err)) return false;
    s->machine = p->g->running.machine;
    s->wave = p->g->selection.wave;
    if (moved) p->cursor = s->selected;
    return true;
}

/* ---- Drawing ---- */

/* Neighbouring letters have colours that one can tell apart; they only repeat what the letter says. */
static enum style place_style(char letter)
{
    static const enum style styles[] = {STYLE_value, STYLE_register, STYLE_constant, STYLE_symbol, STYLE_label};
    return isalpha((unsigned char)letter)
               ? styles[(unsigned)(toupper((unsigned char)letter) - 'A') % (sizeof styles / sizeof *styles)]
           : letter == '?' || letter == STRIP_OTHER ? STYLE_text
                                                    : STYLE_masked;
}

/* What stands for lanes from..from + each: as one lane, or the letter of those that run. */
static char mark_of(const struct strip_row *r, unsigned from, unsigned each, unsigned lanes)
{
    const unsigned end = from + each < lanes ? from + each : lanes;
    unsigned on = 0, exist = 0;
    char mark = ' ';
    for (unsigned i = from; i < end; i++) {
        const char c = strip_lane(r, i);
        if (c == ' ') continue;
        exist++;
        on += c == r->letter;
        if (mark == ' ' || c == r->letter) mark = c;
    }
    return on && on < exist && isalpha((unsigned char)mark) ? (char)tolower((unsigned char)mark) : mark;
}

static void row_draw(struct pane *p, const struct area *a, int y, const struct strip_row *r, unsigned lanes)
{
    const struct strip_pane *s = p->own;
    char text[200];
    int x = s->left;
    strip_waves(r, text, sizeof text);
    area_text(a, 1, y, r->selected ? STYLE_current : STYLE_name, text);
    if (r->selected) area_text(a, 0, y, STYLE_current, ">");
    for (unsigned i = 0; i < lanes; i += (unsigned)s->each, x++) {
        const char mark = mark_of(r, i, (unsigned)s->each, lanes);
        const int lane = p->g->selection.lane;
        const bool here = r->selected && lane >= 0 && (unsigned)lane / (unsigned)s->each == i / (unsigned)s->each;
        area_repeat(a, x, y, 1, here ? STYLE_current : place_style(mark), (uint32_t)(unsigned char)mark, mark);
    }
    if (a->w - x >= 12) area_text(a, x + 2, y, STYLE_text, strip_state(r));
}

/* Numbers of lanes above their marks, as many as have room: every eighth, or every sixteenth. */
static void head_draw(const struct strip_pane *s, const struct area *a, unsigned lanes)
{
    const unsigned step = s->each > 1 ? 8 * (unsigned)s->each : 8;
    area_text(a, 1, 0, STYLE_address, "waves");
    for (unsigned i = 0; i < lanes; i += step) {
        const int x = s->left + (int)(i / (unsigned)s->each);
        if (x + 2 < a->w) area_put(a, x, 0, STYLE_address, "%u", i);
    }
}

/* The places by their letters, as many as have room. */
static void legend_draw(struct pane *p, const struct area *a, int y, int rows)
{
    const struct strip_pane *s = p->own;
    char place[200], insn[200];
    for (int i = 0, left = s->places; i < LETTERS && left > 0 && rows > 0; i++) {
        const struct legend *l = &s->legend[i];
        if (!l->waves) continue;
        if (rows == 1 && left > 1) {
            area_put(a, 1, y, STYLE_comment, "%d more places", left);
            return;
        }
        int x = area_put(a, 1, y, place_style(l->row.letter), "%c", l->row.letter);
        x = area_put(a, x + 1, y, STYLE_text, "%" PRIu64 " wave%s ", l->waves, l->waves == 1 ? "" : "s");
        if (i == STRIP_LETTERS) {
            area_text(a, x + 1, y, STYLE_comment, "at other places, or at unknown ones");
        } else {
            strip_place(&l->row, place, sizeof place);
            strip_insn(&l->row, insn, sizeof insn);
            if (l->row.state != GPUDBG_READY) x = area_put(a, x + 1, y, STYLE_comment, "%s ", strip_state(&l->row));
            x = area_text(a, x + 1, y, STYLE_symbol, place);
            area_text(a, x + 2, y, STYLE_text, insn);
        }
        y++;
        rows--;
        left--;
    }
}

static void draw(struct pane *p, const struct area *a)
{
    struct strip_pane *s = p->own;
    char text[32];
    if (!rows_take(p)) {
        area_text(a, 1, 0, STYLE_comment, "nothing is launched: `launch` starts the program");
        return;
    }
    const unsigned lanes = p->g->running.machine->lanes;
    const int legend = a->h < LEGEND_FROM ? 0 : s->places < a->h / 3 ? s->places : a->h / 3;
    const int head = a->h >= 3, rows = a->h - head - legend;
    pane_list_fit(p, rows);
    s->left = head ? 7 : 4;
    for (int i = p->top; i < p->count && i < p->top + rows; i++) {
        const int n = strip_waves(&s->row[i], text, sizeof text) + 2;
        s->left = n > s->left ? n : s->left;
    }
    s->each = 1;
    while (s->left + (int)((lanes + (unsigned)s->each - 1) / (unsigned)s->each) > a->w && s->each < 64) s->each *= 2;
    if (head) head_draw(s, a, lanes);
    for (int i = p->top; i < p->count && i < p->top + rows; i++) {
        row_draw(p, a, head + i - p->top, &s->row[i], lanes);
        if (p->active && i == p->cursor) area_cursor(a, 0, head + i - p->top, s->left - 1, STYLE_cursor);
    }
    if (legend) legend_draw(p, a, a->h - legend, legend);
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct strip_pane *s = p->own;
    if (!p->g->running.machine) return snprintf(buf, size, "%s", "");
    const uint32_t waves = p->g->running.machine->nwaves;
    if (!s->places) return snprintf(buf, size, "%" PRIu32 " wave%s, ended", waves, waves == 1 ? "" : "s");
    return snprintf(buf, size, "%" PRIu32 " wave%s at %d%s place%s%s%s", waves, waves == 1 ? "" : "s",
        s->legend[STRIP_LETTERS].waves ? s->places - 1 : s->places, s->legend[STRIP_LETTERS].waves ? "+" : "",
        s->places == 1 ? "" : "s", s->each > 1 ? "  small: not all run" : "", s->cut ? "  rows are left out" : "");
}

/* ---- Actions ---- */

static bool wave_select(struct pane *p, int row, struct gpudbg_error *err)
{
    const struct strip_pane *s = p->own;
    char line[32];
    if (row < 0 || row >= p->count) return gpudbg_fail(err, "not-now", "nothing under the cursor");
    if (s->row[row].selected) return true;
    snprintf(line, sizeof line, "wave %" PRIu32, s->row[row].first);
    screen_key_line(p->screen, line);
    return true;
}

static bool lane_select(struct pane *p, int lane, struct gpudbg_error *err)
{
    if (!p->g->running.machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    if (lane < 0 || lane >= (int)p->g->running.machine->lanes)
        return gpudbg_fail(err, "out-of-range", "no lane %d", lane);
    p->g->selection.lane = lane;
    return true;
}

/* A click on a lane selects it and its wave. */
static bool click(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    const struct strip_pane *s = p->own;
    const int head = p->shown >= 3, row = p->top + atoi(arg) - head, x = pane_click_column(arg) - s->left;
    if (atoi(arg) < head || row >= p->count) return true;
    p->cursor = row;
    if (x < 0 || x * s->each >= (int)p->g->running.machine->lanes) return true;
    const bool on = wave_select(p, row, err);
    return on && lane_select(p, x * s->each, err);
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    const int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    switch (action) {
    case PANE_FOLLOW: return wave_select(p, p->cursor, err);
    case PANE_LEFT: return lane_select(p, lane - 1, err);
    case PANE_RIGHT: return lane_select(p, lane + 1, err);
    case PANE_ROW: return click(p, arg, err);
    case PANE_HERE: p->cursor = ((struct strip_pane *)p->own)->selected; return true;
    default: return pane_list_act(p, action, arg, err);
    }
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct strip_pane *s = p->own;
    char waves[32], place[200], insn[200];
    if (row >= p->count) return snprintf(buf, size, "%s", "");
    strip_waves(&s->row[row], waves, sizeof waves);
    strip_place(&s->row[row], place, sizeof place);
    strip_insn(&s->row[row], insn, sizeof insn);
    return snprintf(buf, size, "%s %s %s %s", waves, strip_state(&s->row[row]), place, insn);
}

static void close_strip(struct pane *p) { free(((struct strip_pane *)p->own)->row); }

const struct pane_kind pane_strip = {
    .name = "strip",
    .across = true,
    .fits = true,
    .summary = "all waves by lanes, a letter for each place",
    .own = sizeof(struct strip_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .close = close_strip,
};
