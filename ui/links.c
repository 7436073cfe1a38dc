/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "links.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define LINKS_MOST ((size_t)1 << 20)
#define ROWS_MOST 512
#define COLUMNS_MOST 8
#define LINES_MOST 1024

void links_close(struct links *l)
{
    free(l->wait);
    *l = (struct links){0};
}

static void add(void *to, const struct gpudbg_wait *wait)
{
    struct links *l = to;
    if (l->n == l->room) {
        size_t more = l->room ? 2 * l->room : 256;
        if (more > LINKS_MOST) return;
        l->wait = xrealloc(l->wait, more, sizeof *l->wait);
        l->room = more;
    }
    l->wait[l->n++] = *wait;
}

bool links_take(struct links *l, const struct gpudbg_image *image, uint64_t addr)
{
    if (image && l->image == image && addr >= l->from && addr < l->to) return l->n;
    links_close(l);
    if (!image || !image->isa || !image->isa->rules.waits) return false;
    uint64_t range[2] = {addr, addr + 1}; /* if there are none here, not to ask again */
    image->isa->rules.waits(image, addr, range, add, l);
    l->image = image;
    l->from = range[0];
    l->to = range[1];
    return l->n;
}

int links_columns(int width) { return width < 50 ? 4 : width < 90 ? 5 : 7; }

/* ---- Lines: links on the rows of the screen ---- */

struct line {
    int first, last; /* rows; -1 above the screen, `rows` below it */
    int producer, consumer;
    bool own;     /* of the instruction under the cursor */
    uint64_t hub; /* lines with the same share a lane: the producer, or the cursor */
};

/* The rows that hold instructions, in the order of addresses. */
struct shown {
    int rows, n;
    uint64_t addr[ROWS_MOST];
    int row[ROWS_MOST];
};

static void shown_take(struct shown *s, const uint64_t *row, int rows)
{
    s->n = 0;
    s->rows = rows < ROWS_MOST ? rows : ROWS_MOST;
    for (int y = 0; y < s->rows; y++)
        if (row[y] != GPUDBG_NO_ADDR && (!s->n || row[y] > s->addr[s->n - 1])) {
            s->addr[s->n] = row[y];
            s->row[s->n++] = y;
        }
}

static int row_of(const struct shown *s, uint64_t addr)
{
    int lo = 0, hi = s->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (s->addr[mid] < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == s->n ? s->rows : s->addr[lo] == addr ? s->row[lo] : lo ? s->rows : -1;
}

static bool on_screen(const struct shown *s, int row) { return row >= 0 && row < s->rows; }

/* Those with an end on the screen, at most LINES_MOST. */
static int lines_take(const struct links *l, const struct shown *s, uint64_t cursor, struct line *line)
{
    int n = 0;
    for (size_t i = 0; i < l->n && n < LINES_MOST; i++) {
        const struct gpudbg_wait *w = &l->wait[i];
        int p = row_of(s, w->producer), c = row_of(s, w->consumer);
        bool own = w->producer == cursor || w->consumer == cursor;
        if (on_screen(s, p) || on_screen(s, c))
            line[n++] = (struct line){p < c ? p : c, p < c ? c : p, p, c, own, own ? cursor : w->producer};
    }
    return n;
}

/* The cursor's first, then short ones, then from the top. */
static int by_rank(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int lx = x->last - x->first, ly = y->last - y->first;
    if (x->own != y->own) return x->own ? -1 : 1;
    return lx != ly ? lx - ly : x->first - y->first;
}

/* ---- Cells: what meets in each ---- */

/* OWN, ACROSS: the way up and down, the way across, belongs to the instruction under the cursor. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, OWN = 16, PRODUCES = 32, WAITS = 64, ACROSS = 128 };

struct canvas {
    int rows, columns; /* the last column is for marks */
    uint8_t cell[ROWS_MOST][COLUMNS_MOST];
    uint64_t hub[ROWS_MOST][COLUMNS_MOST]; /* of the line that goes up or down here */
};

/* Puts the line into the rightmost lane that is free over all its rows, or its hub's; without one only its ends are
 * marked. */
static void line_put(struct canvas *c, const struct line *l)
{
    int from = l->first < 0 ? 0 : l->first, to = l->last >= c->rows ? c->rows - 1 : l->last, marks = c->columns - 1,
        lane = marks - 1;
    for (bool free = l->first == l->last; lane >= 0 && !free; lane -= !free) {
        free = true;
        for (int y = from; y <= to && free; y++) free = !(c->cell[y][lane] & (UP | DOWN)) || c->hub[y][lane] == l->hub;
    }
    uint8_t own = l->own ? OWN : 0, across = l->own ? ACROSS : 0;
    for (int y = from; y <= to && lane >= 0 && l->first != l->last; y++) {
        bool end = y == l->first || y == l->last;
        c->hub[y][lane] = l->hub;
        c->cell[y][lane] |= (uint8_t)((y > l->first ? UP : 0) | (y < l->last ? DOWN : 0) | (end ? RIGHT | across : 0) |
                                      own);
        for (int x = lane + 1; end && x < marks; x++) c->cell[y][x] |= (uint8_t)(LEFT | RIGHT | across);
    }
    if (l->producer >= 0 && l->producer < c->rows) c->cell[l->producer][marks] |= PRODUCES | own;
    if (l->consumer >= 0 && l->consumer < c->rows) c->cell[l->consumer][marks] |= WAITS | own;
}

/* Lines are light, heavy, heavy up and down alone, heavy across alone. */
static void cell_draw(const struct area *a, int x, int y, uint8_t cell)
{
    static const uint16_t glyph[16][4] = {
        [UP | DOWN] = {0x2502, 0x2503, 0x2503, 0x2502},
        [LEFT | RIGHT] = {0x2500, 0x2501, 0x2500, 0x2501},
        [DOWN | RIGHT] = {0x256d, 0x250f, 0x250f, 0x256d},
        [UP | RIGHT] = {0x2570, 0x2517, 0x2517, 0x2570},
        [UP | DOWN | RIGHT] = {0x251c, 0x2523, 0x2520, 0x251d},
        [LEFT | RIGHT | UP] = {0x2534, 0x253b, 0x2538, 0x2537},
        [LEFT | RIGHT | DOWN] = {0x252c, 0x2533, 0x2530, 0x252f},
        [LEFT | RIGHT | UP | DOWN] = {0x253c, 0x254b, 0x2542, 0x253f},
        [UP] = {0x2575, 0x2579, 0x2579, 0x2575},
        [DOWN] = {0x2577, 0x257b, 0x257b, 0x2577},
    };
    unsigned ways = cell & 15, kind = cell & OWN ? cell & ACROSS ? 1 : 2 : cell & ACROSS ? 3 : 0;
    char corner = kind == 0 ? '+' : kind == 1 ? '#' : kind == 2 ? '!' : '=';
    enum style style = kind ? STYLE_current : STYLE_rule;
    if (cell & PRODUCES && cell & WAITS)
        area_repeat(a, x, y, 1, style, kind ? 0x25c6 : 0x25c7, '*');
    else if (cell & WAITS)
        area_repeat(a, x, y, 1, style, kind ? 0x25b6 : 0x25b7, '>');
    else if (cell & PRODUCES)
        area_repeat(a, x, y, 1, style, kind ? 0x25cf : 0x25cb, 'o');
    else if (ways)
        area_repeat(a, x, y, 1, style, glyph[ways][kind],
            ways == (UP | DOWN)      ? kind ? '!' : '|'
            : ways == (LEFT | RIGHT) ? kind ? '=' : '-'
                                     : corner);
}

void links_draw(
    const struct links *l, const struct area *a, int x, int columns, const uint64_t *row, int rows, uint64_t cursor)
{
    struct {
        struct shown s;
        struct line line[LINES_MOST];
        struct canvas c;
    } *p = xalloc(sizeof *p); /* too much for a stack */
    p->c.columns = columns < COLUMNS_MOST ? columns : COLUMNS_MOST;
    shown_take(&p->s, row, rows);
    p->c.rows = p->s.rows;
    int n = lines_take(l, &p->s, cursor, p->line);
    qsort(p->line, (size_t)n, sizeof *p->line, by_rank);
    for (int i = 0; i < n; i++) line_put(&p->c, &p->line[i]);
    for (int y = 0; y < p->c.rows; y++)
        for (int i = 0; i < p->c.columns; i++) cell_draw(a, x + i, y, p->c.cell[y][i]);
    free(p);
}
