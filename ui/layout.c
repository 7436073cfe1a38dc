/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "gpudbg/text.h"
#include "pane.h"

#define NARROW 132 /* columns from which on there is room for a third column of panes */
#define PANE_MIN 2 /* rows: the rule and one more */
#define COLUMN_MIN 20

static const struct {
    const char *name, *narrow, *wide;
} layouts[] = {
    {"code", "code:8/fields:5@44|scalar:4/lanes:5/waves:3@35;prompt:5",
        "source:30/waves:10@58|code:30/fields:10@68|scalar:9/lanes:18/memory:6/lds:6@72;prompt:10"},
    {"lanes", "code:5@44|scalar:5@35;lanes:9;prompt:4",
        "code:14/fields:8@70|scalar:10/waves:9@60|memory:10/lds:9@60;lanes:20;prompt:8"},
    {"memory", "code:5@44|buffers:5@35;memory:9;prompt:4",
        "code:14/fields:8@70|buffers:10/scalar:11@60;memory:20@100|lds:20@100;prompt:8"},
    {"dump", "regs:9@46|decoded:9@34;packets:4;prompt:4", "regs:34@90|decoded:20/packets:13@90;prompt:8"},
    {"log", "decoded:9@46|log:9@34;packets:4;prompt:4", "decoded:34@90|log:20/packets:13@90;prompt:8"},
    {"hang", "explain:9;log:7;regs:6;prompt:4", "explain:26/log:18@100|regs:26/packets:18@90;prompt:6"},
    {"batch", "packets:9;code:7;prompt:4",
        "packets:38@90|code:25/fields:12@90;prompt:8"}, /* a kernel, what starts it */
    {"split", "code:10/fields:6;prompt:4", "source:38@90|code:25/fields:12@90;prompt:10"},
    {"src", "source:11/code:5;prompt:4", "source:38@90|code:25/fields:12@90;prompt:10"}, /* as gdb calls it */
    {"region", "code:6/fields:5@44|rows:9/waves:3@35;region:11;prompt:3",
        "code:24/fields:14@60|rows:24/waves:6/memory:8@70;region:18;prompt:8"},
    {"declarations", "code:8/fields:6@40|lanes:7/resources:5@39;declarations:5;prompt:4",
        "code:24/fields:14@70|lanes:19/declarations:11/resources:8@80;prompt:6"},
    {"origin", "code:6@44|lanes:6@35;origin:9;prompt:3",
        "source:20@58|code:20/fields:8@68|scalar:8/lanes:14@72;origin:20;prompt:6"},
    {"origin-rows", "code:6@44|rows:6@35;origin:9;prompt:3", "code:24@66|rows:24@66;origin:22;prompt:6"},
    {"strip", "strip:13;code:4@44|fields:4@35;prompt:3", "strip:40@90|code:20/fields:8/lanes:12@68;prompt:6"},
    {"picture", "picture:13;code:5@44|lanes:5@35;prompt:3",
        "picture:40@100|code:18/fields:8/lanes:10/scalar:6@72;prompt:6"},
    {"compare", "compare:16;prompt:4", "compare:44;prompt:6"},
    {"welcome", "welcome:17;prompt:4", "welcome:40;prompt:10"},
};

const char *layout_named(const char *name, int columns)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (!strcmp(layouts[i].name, name)) return columns < NARROW ? layouts[i].narrow : layouts[i].wide;
    return NULL;
}

const char *layout_name(size_t i) { return i < sizeof layouts / sizeof *layouts ? layouts[i].name : NULL; }

int layout_text(const struct layout *l, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (int i = 0; i < l->count; i++) {
        const struct place *p = &l->place[i], *before = i ? p - 1 : NULL;
        const char *between = !before ? "" : before->band != p->band ? ";" : before->column != p->column ? "|" : "/";
        text_add(&t, "%s%s:%d", between, p->pane->name, p->rows - 1);
        const bool last = i + 1 == l->count || p[1].band != p->band || p[1].column != p->column;
        if (last) text_add(&t, "@%d", p->columns);
    }
    return text_length(&t);
}

/* ":8" or "@44": the number behind the mark, or `otherwise`; *spec moves past it. */
static int number_behind(const char **spec, char mark, int otherwise)
{
    if (**spec != mark) return otherwise;
    char *end;
    long n = strtol(*spec + 1, &end, 10);
    *spec = end;
    return n < 1 ? 1 : n > 1000 ? 1000 : (int)n;
}

bool layout_read(struct layout *layout, struct screen *screen, const char *spec, bool lenient, struct gpudbg_error *err)
{
    struct layout l = {.count = 0};
    int band = 0, column = 0, first = 0; /* first place of this column */
    while (*spec) {
        char name[32];
        size_t n = strcspn(spec, ":@/|;");
        if (!n || n >= sizeof name)
            return gpudbg_fail(err, "usage", "the name of a pane is missing before '%.20s'", spec);
        if (l.count == LAYOUT_PLACES) return gpudbg_fail(err, "usage", "a layout has at most %d panes", LAYOUT_PLACES);
        memcpy(name, spec, n);
        name[n] = 0;
        spec += n;
        struct place *p = &l.place[l.count];
        *p = (struct place){.pane = pane_named(screen, name, err), .band = band, .column = column};
        if (!p->pane && !lenient) return false;
        if (p->pane && layout_place(&l, p->pane))
            return gpudbg_fail(err, "usage", "pane %s is twice in the layout", name);
        l.count += p->pane != NULL;
        p->rows = number_behind(&spec, ':', 6) + 1;
        int columns = number_behind(&spec, '@', 40);
        for (int i = first; i < l.count; i++) l.place[i].columns = columns;
        if (*spec == '|' || *spec == ';') {
            column = *spec == '|' ? column + 1 : 0;
            band += *spec == ';';
            first = l.count;
        } else if (*spec && *spec != '/') {
            return gpudbg_fail(err, "usage", "a layout cannot go on with '%.20s'", spec);
        }
        spec += *spec != 0;
    }
    if (!l.count) return gpudbg_fail(err, "usage", "a layout has at least one pane");
    *layout = l;
    return true;
}

struct place *layout_place(struct layout *l, const struct pane *pane)
{
    for (int i = 0; i < l->count; i++)
        if (l->place[i].pane == pane) return &l->place[i];
    return NULL;
}

struct place *layout_at(struct layout *l, int x, int y)
{
    for (int i = 0; i < l->count; i++) {
        struct place *p = &l->place[i];
        if (x >= p->x && x < p->x + p->w && y >= p->y && y < p->y + p->h) return p;
    }
    return NULL;
}

/* Shares `total` in proportion to what is wanted, each at least `min`; who comes last gets nothing when that is too
 * much. */
static void share_all(int total, const int *want, int n, int min, int *got)
{
    while (n && n * min > total) got[--n] = 0;
    int left = total, wanted = 0;
    for (int i = 0; i < n; i++) wanted += want[i];
    for (int i = 0; i < n; i++) {
        int later = (n - 1 - i) * min;
        got[i] = wanted ? (left * want[i] + wanted / 2) / wanted : left;
        if (got[i] > left - later) got[i] = left - later;
        if (got[i] < min) got[i] = min;
        if (i == n - 1) got[i] = left;
        left -= got[i];
        wanted -= want[i];
    }
}

/* The same, where who wants nothing gets nothing. */
static void share(int total, const int *want, int n, int min, int *got)
{
    int index[LAYOUT_PLACES], wish[LAYOUT_PLACES], part[LAYOUT_PLACES] = {0}, some = 0;
    for (int i = 0; i < n; i++) {
        got[i] = 0;
        if (want[i] <= 0) continue;
        index[some] = i;
        wish[some++] = want[i];
    }
    share_all(total, wish, some, min, part);
    for (int i = 0; i < some; i++) got[index[i]] = part[i];
}

/* A pane that has nothing to show takes no room, unless it has the focus or all are like that. */
static bool collapsed(const struct layout *l, const struct place *p)
{
    bool others = false;
    if (!pane_idle(p->pane)) return false;
    for (int i = 0; i < l->count; i++) others = others || !pane_idle(l->place[i].pane);
    return others;
}

/* Rows that would stay empty go to the other panes. */
static int rows_wanted(const struct layout *l, const struct place *p)
{
    const int use = p->pane->kind->rows ? p->pane->kind->rows(p->pane) : 0;
    if (collapsed(l, p)) return 0;
    return use && use + 1 < p->rows ? use + 1 : p->rows;
}

/* Places i to `end` are one column: shares its rows out. */
static void column_fit(struct layout *l, int i, int end, int x, int y, int w, int h)
{
    int want[LAYOUT_PLACES] = {0}, got[LAYOUT_PLACES] = {0};
    for (int k = i; k < end; k++) want[k - i] = rows_wanted(l, &l->place[k]);
    share(h, want, end - i, h < PANE_MIN ? 1 : PANE_MIN, got);
    for (int k = i; k < end; k++) {
        struct place *p = &l->place[k];
        p->x = x;
        p->y = y;
        p->w = w;
        p->h = w > 0 ? got[k - i] : 0;
        y += got[k - i];
    }
}

/* Where the column (or the band) that begins at place i ends. */
static int column_end(const struct layout *l, int i)
{
    int k = i;
    while (k < l->count && l->place[k].band == l->place[i].band && l->place[k].column == l->place[i].column) k++;
    return k;
}
static int band_end(const struct layout *l, int i)
{
    int k = i;
    while (k < l->count && l->place[k].band == l->place[i].band) k++;
    return k;
}

static void band_fit(struct layout *l, int i, int end, int x, int y, int w, int h)
{
    int want[LAYOUT_PLACES] = {0}, got[LAYOUT_PLACES] = {0}, n = 0;
    int shown = 0;
    for (int k = i; k < end; k = column_end(l, k), n++) {
        for (int p = k; p < column_end(l, k); p++)
            if (rows_wanted(l, &l->place[p])) want[n] = l->place[k].columns;
        shown += want[n] > 0;
    }
    const int min = w < COLUMN_MIN ? w : COLUMN_MIN;
    for (int c = n; c-- > 0 && shown > 1 && shown * min + shown - 1 > w;) {
        shown -= want[c] > 0;
        want[c] = 0;
    }
    share(w - (shown > 1 ? shown - 1 : 0), want, n, min, got);
    n = 0;
    for (int k = i; k < end; k = column_end(l, k), n++) {
        column_fit(l, k, column_end(l, k), x, y, got[n], h);
        x += got[n] > 0 ? got[n] + 1 : 0;
    }
}

void layout_fit(struct layout *l, int x, int y, int w, int h)
{
    int want[LAYOUT_PLACES] = {0}, got[LAYOUT_PLACES] = {0}, n = 0;
    for (int i = 0; i < l->count; i = band_end(l, i), n++) {
        want[n] = 0;
        for (int k = i; k < band_end(l, i); k = column_end(l, k)) {
            int rows = 0;
            for (int p = k; p < column_end(l, k); p++) rows += rows_wanted(l, &l->place[p]);
            if (rows > want[n]) want[n] = rows;
        }
    }
    share(h < 0 ? 0 : h, want, n, h < PANE_MIN ? 1 : PANE_MIN, got);
    n = 0;
    for (int i = 0; i < l->count; i = band_end(l, i), n++) {
        band_fit(l, i, band_end(l, i), x, y, w, got[n]);
        y += got[n];
    }
}

/* Moves n from one wish to another, leaving at least `min` in both. */
static void give(int *to, int *from, int n, int min)
{
    if (*from - n < min) n = *from - min;
    if (*to + n < min) n = min - *to;
    *to += n;
    *from -= n;
}

/* Wishes become what is there now, so that a change of n is a change of n rows. */
static void wishes_settle(struct layout *l)
{
    for (int i = 0; i < l->count; i++)
        if (l->place[i].h > 0) {
            l->place[i].rows = l->place[i].h;
            l->place[i].columns = l->place[i].w;
        }
}

static void grow_rows(struct layout *l, int at, int n)
{
    int start = at, end = column_end(l, at);
    while (start > 0 && column_end(l, start - 1) == end) start--;
    if (end - start > 1) {
        give(&l->place[at].rows, &l->place[at + 1 < end ? at + 1 : at - 1].rows, n, PANE_MIN);
        return;
    }
    /* Alone in its column: the band takes from the next one, spread over the panes of both. */
    int own = band_end(l, at), other = own < l->count ? own : -1;
    for (int i = 0; other < 0 && i < l->count && l->place[i].band < l->place[at].band; i++)
        if (l->place[i].band == l->place[at].band - 1) other = i;
    if (other < 0) return;
    for (int i = 0; i < l->count; i++)
        if (l->place[i].band == l->place[at].band)
            if (i == at || column_end(l, i) - i == 1) l->place[i].rows += n;
    for (int i = other; i < band_end(l, other); i = column_end(l, i))
        l->place[i].rows -= l->place[i].rows - n >= PANE_MIN ? n : 0;
}

void layout_grow(struct layout *l, const struct pane *pane, int rows, int columns)
{
    struct place *p = layout_place(l, pane);
    if (!p) return;
    wishes_settle(l);
    int at = (int)(p - l->place);
    if (rows) grow_rows(l, at, rows);
    for (int i = 0; columns && i < l->count; i++) { /* the column beside, to the right if there is one */
        struct place *o = &l->place[i];
        bool right = o->column == p->column + 1;
        if (o->band == p->band && (right || (o->column == p->column - 1 && column_end(l, at) == band_end(l, at)))) {
            int mine = p->columns, theirs = o->columns;
            give(&mine, &theirs, columns, COLUMN_MIN);
            for (int k = 0; k < l->count; k++)
                if (l->place[k].band == p->band) {
                    if (l->place[k].column == p->column)
                        l->place[k].columns = mine;
                    else if (l->place[k].column == o->column)
                        l->place[k].columns = theirs;
                }
            break;
        }
    }
}
