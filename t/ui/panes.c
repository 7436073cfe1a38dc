/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing on the screen looks like a number that it is not, and no value gives way to a name.
 * Every pane is drawn at every width from 20 to 200, alone
 * and in every layout, with programs of each instruction set and with dumps.  Each text that a pane writes is compared
 * with what stands on the grid in the end: each of its numbers stands there as a whole, or not at all, or beside a
 * mark. */
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/families.h"
#include "decoders/decoders.h"
#include "tap.h"

#include "demo.h"
#include "eval/expr.h"
#include "eval/image_picture.h"
#include "eval/show.h"
#include "explain/explain.h"
#include "inside.h"
#include "machine/machine.h"
#include "out/out.h"
#include "word/registry.h"

#define TEXTS 20000

static struct {
    struct written {
        int x, y, left, right; /* on the grid; columns of its area */
        char *text;
    } text[TEXTS];
    int n;
} written;

static void on_text(void *data, const struct area *a, int x, int y, const char *text)
{
    (void)data;
    if (written.n < TEXTS && y >= 0 && y < a->h)
        written.text[written.n++] = (struct written){
            a->x + x - a->skip, a->y + y, a->x, a->x + a->w - a->skip, strdup(text)};
}

static void forget(void)
{
    while (written.n) free(written.text[--written.n].text);
}

static bool in_token(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static const struct cell *cell_at(const struct cells *c, int x, int y)
{
    return x < 0 || y < 0 || x >= c->columns || y >= c->rows ? NULL : &c->cell[y * c->columns + x];
}

static bool is_mark(const struct cell *c) { return c && (c->cut || c->glyph == 0x2026 || c->glyph == '>'); }

/* Whether character i of a number, written from column x on, is there. */
static bool is_there(const struct cells *c, const struct written *w, int x, const char *number, int i)
{
    const struct cell *cell = cell_at(c, x + i, w->y);
    return x + i >= w->left && x + i < w->right && cell && cell->glyph == (unsigned char)number[i];
}

/* Whether the n characters are there as they should be. */
static bool number_sound(const struct cells *c, const struct written *w, int x, const char *number, int n)
{
    int shown = 0;
    for (int i = 0; i < n; i++) shown += is_there(c, w, x, number, i);
    for (int i = 0; shown && shown < n && i < n; i++) { /* each run of what is left stands beside a mark */
        int end = i;
        bool digits = false;
        for (; end < n && is_there(c, w, x, number, end); end++) digits = digits || isdigit((unsigned char)number[end]);
        if (digits && !is_mark(cell_at(c, x + i - 1, w->y)) && !is_mark(cell_at(c, x + end, w->y))) return false;
        i = end;
    }
    return true;
}

/* All numbers of all texts; what is wrong with the first that is not sound. */
static bool grid_sound(const struct cells *c, char *why, size_t size)
{
    for (int i = 0; i < written.n; i++) {
        const struct written *w = &written.text[i];
        for (const char *at = w->text; *at;) {
            int n = 0;
            bool digits = false;
            while (in_token(at[n])) digits = isdigit((unsigned char)at[n++]) || digits;
            if (digits) {
                char *before = strndup(w->text, (size_t)(at - w->text));
                const int x = w->x + text_columns(before, c->utf8);
                free(before);
                if (!number_sound(c, w, x, at, n)) {
                    snprintf(why, size, "row %d, column %d: '%.*s' of '%.80s'", w->y, x, n, at, w->text);
                    return false;
                }
            }
            at += n ? n : 1;
        }
    }
    return true;
}

/* ---- Values before names ---- */

/* What the selected wave's masks are, in the one notation that masks have. */
static int masks_of(struct gpudbg *g, char text[4][24])
{
    const struct gpudbg_machine *m = g->running.machine;
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    int n = 0;
    for (unsigned i = 0; w && i < m->isa->nfiles && n < 4; i++) {
        size_t dwords = 0;
        const struct gpudbg_regfile *f = &m->isa->files[i];
        const uint32_t *words = f->mask && f->lanes <= 1 && f->bits == 64 && !f->indexed
                                    ? machine_register(w, i, 0, &dwords)
                                    : NULL;
        if (words && dwords > 1)
            snprintf(text[n++], sizeof text[0], "0x%08x%08x", (unsigned)words[1], (unsigned)words[0]);
    }
    return n;
}

static char *rows_of(const struct screen *s)
{
    char *picture = NULL;
    size_t n;
    FILE *f = open_memstream(&picture, &n);
    cells_dump(s->cells, f);
    fclose(f);
    return picture;
}

/* The masks stand whole in the pane scalar of every layout that has room for one, whatever the names beside them. */
static void test_masks(struct screen *s, const char *scene)
{
    struct gpudbg_error err = {0};
    char mask[4][24];
    const int masks = masks_of(s->g, mask);
    bool whole = true;
    for (int w = 60; whole && w <= 200; w += (int)tap_sample() | 1) {
        s->layout_chosen = true;
        s->zoomed = NULL;
        screen_layout(s, "code", &err);
        cells_free(s->cells);
        s->cells = cells_new(w, 30, true);
        screen_draw(s);
        const struct place *p = layout_place(&s->layout, pane_named(s, "scalar", &err));
        char *picture = p && p->h > 4 && p->w > 26 ? rows_of(s) : NULL;
        for (int i = 0; picture && i < masks; i++) whole = whole && strstr(picture, mask[i]);
        if (!whole) note("%d columns:\n%s", w, picture);
        free(picture);
    }
    ok(whole, "%s: masks stand whole at every width, in the notation of `info waves`", scene);
}

/* A listing whose first column is a very long name: its value is there as soon as it has room itself. */
static int cell_name(const void *row, char *buf, size_t size)
{
    (void)row;
    return snprintf(buf, size, "%s", "a_name_that_is_longer_than_most_panes_are_wide_and_still_goes_on_and_on");
}
static int cell_kind(const void *row, char *buf, size_t size)
{
    (void)row;
    return snprintf(buf, size, "%s", "another_long_word_of_no_consequence");
}
static int cell_value(const void *row, char *buf, size_t size)
{
    (void)row;
    return snprintf(buf, size, "%s", "-1234.5678");
}
static const struct gpudbg_column long_columns[] = {
    {"name", "name", 0, GPUDBG_NAME, cell_name},
    {"kind", "kind", 0, GPUDBG_NOTE, cell_kind},
    {"value", "value", 0, GPUDBG_PLAIN, cell_value},
};
static bool long_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)g;
    (void)args;
    (void)err;
    return each(to, "") || true;
}
static const struct gpudbg_listing long_listing = {.name = "long-names",
    .summary = "a listing of this test",
    .type = "long",
    .columns = long_columns,
    .ncolumns = 3,
    .rows = long_rows};
static const struct gpudbg_listing *const long_listings[] = {&long_listing, NULL};
static const struct gpudbg_plugin long_names = {
    .abi = GPUDBG_ABI, .name = "long-names", .summary = "long names", .listings = long_listings};

static void test_names(struct screen *s, const char *scene)
{
    struct gpudbg_error err = {0};
    bool whole = true;
    struct pane *p = pane_named(s, "long-names", &err);
    s->focus = s->zoomed = p;
    for (int w = 24; p && whole && w <= 200; w++) {
        cells_free(s->cells);
        s->cells = cells_new(w, 12, true);
        screen_draw(s);
        char *picture = rows_of(s);
        whole = strstr(picture, "-1234.5678") && strstr(picture, "a_name");
        if (!whole) note("%d columns:\n%s", w, picture);
        free(picture);
    }
    s->zoomed = NULL;
    ok(p && whole, "%s: no value gives way to a name", scene);
}

/* The pane alone on a grid so wide; `rows` high. */
static char *picture_of(struct screen *s, struct pane *p, int columns, int rows)
{
    s->focus = s->zoomed = p;
    cells_free(s->cells);
    s->cells = cells_new(columns, rows, true);
    s->utf8 = true;
    screen_draw(s);
    return rows_of(s);
}

/* One row of the picture holds both texts. */
static bool row_holds(const char *picture, const char *one, const char *other)
{
    for (const char *at = picture; (at = strcasestr(at, one)); at++) {
        const char *from = at, *to = strchr(at, '\n');
        while (from > picture && from[-1] != '\n') from--;
        const char *found = strcasestr(from, other);
        if (found && (!to || found < to)) return true;
    }
    return false;
}

/* Every value of a dump and what it means stands whole in the pane regs, whatever the names and texts beside them. */
static void test_registers(struct screen *s, const char *scene)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "regs", &err);
    const struct gpudbg_dump *d = gpudbg_session_dump(s->g, 0);
    bool whole = p != NULL;
    int asked = 0;
    free(picture_of(s, p, 100, 24));
    for (int i = 0; i < p->count; i++) {
        struct gpudbg_error none = {0};
        p->cursor = i;
        pane_act(p, PANE_RIGHT, "", &none);
    }
    pane_act(p, PANE_TOP, "", &err);
    for (int w = 60; whole && w <= 200; w += (int)tap_sample() | 1) {
        struct gpudbg_record r;
        char *picture = picture_of(s, p, w, 600);
        for (size_t i = 0; whole && i < 60 && gpudbg_dump_record(d, i, &r); i++) {
            char text[24], meaning[160] = "";
            const struct gpudbg_reg *reg = gpudbg_dump_reg(d, &r);
            snprintf(text, sizeof text, "0x%0*llx", r.bits == 64 ? 16 : 8, (unsigned long long)r.value);
            whole = strstr(picture, text);
            for (size_t k = 0; whole && reg && k < reg->format->count; k++) {
                const struct gpudbg_field *f = &reg->format->fields[k];
                if (!(r.mask >> f->run[0].lo & 1) || f->run[1].len) continue;
                const unsigned long long value = r.value >> f->run[0].lo & ((1ull << f->run[0].len) - 1);
                gpudbg_field_meaning(f, NULL, value, meaning, sizeof meaning);
                if (strlen(meaning) > 24) continue; /* sentences */
                snprintf(text, sizeof text, " 0x%llx ", value);
                whole = row_holds(picture, text, meaning);
                asked++;
            }
            if (!whole) note("%d columns, %s: '%s' %s\n%s", w, r.name, text, meaning, picture);
        }
        free(picture);
    }
    ok(whole && asked, "%s: no register's value, nor what its fields mean, gives way to a name", scene);
    s->zoomed = NULL;
}

/* The value that a sentence stands on is in its evidence, however long the register's name and the line are. */
static void test_evidence(struct screen *s, const char *scene, const char *const *evidence)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "explain", &err);
    bool whole = p != NULL;
    for (int w = 50; whole && w <= 200; w += (int)tap_sample() | 1) {
        char *picture = picture_of(s, p, w, 200);
        for (const char *const *e = evidence; whole && *e; e += 2) {
            whole = row_holds(picture, e[0], e[1]);
            if (!whole) note("%d columns: %s ... %s\n%s", w, e[0], e[1], picture);
        }
        free(picture);
    }
    ok(whole, "%s: no value of a piece of evidence gives way to a name", scene);
    s->zoomed = NULL;
}

/* ---- What a dump means ---- */

/* Appends without blanks, so that it does not matter where lines are broken. */
static void append_packed(char *to, size_t size, const char *text)
{
    size_t n = strlen(to);
    for (; *text && n + 1 < size; text++)
        if (*text != ' ' && *text != '\n') to[n++] = *text;
    to[n] = 0;
}

/* Whether the text says the value, in hexadecimal digits or in decimal ones. */
static bool says_value(const char *text, uint64_t value)
{
    for (const char *at = text; *at;) {
        char *end;
        if (!isxdigit((unsigned char)*at) || (at > text && isalnum((unsigned char)at[-1]))) {
            at++;
            continue;
        }
        if (strtoull(at, &end, 16) == value || strtoull(at, &end, 10) == value) return true;
        at += strspn(at, "0123456789abcdefABCDEFxX");
    }
    return false;
}

/* The register that a piece of evidence names has a value, which its line in the file says. */
static bool evidence_value(const struct gpudbg_dump *d, const struct evidence *e, uint64_t *value)
{
    struct gpudbg_record r;
    char line[1024];
    for (size_t i = 0; e->line && e->name && gpudbg_dump_record(d, i, &r); i++) {
        if (r.line != e->line || !r.name || strcmp(r.name, e->name) != 0) continue;
        *value = r.value;
        return gpudbg_dump_text(d, e->line, line, sizeof line) && says_value(line, r.value);
    }
    return false;
}

/* The rows of the pane explain, below its title, as one text with single blanks. */
static void explained(struct screen *s, struct pane *p, int columns, char *to, size_t size)
{
    char *picture = picture_of(s, p, columns, 900), *rest = picture, *row, *word;
    size_t n = 0;
    to[0] = 0;
    for (int y = 0; (row = strsep(&rest, "\n")); y++)
        while (y >= 2 && (word = strsep(&row, " ")))
            if (*word && n < size) n += (size_t)snprintf(to + n, size - n, " %s", word);
    free(picture);
}

/* A piece of evidence of that line says the value. */
static bool line_says(const char *text, unsigned line, uint64_t value)
{
    char start[24], piece[1200];
    snprintf(start, sizeof start, "line %u:", line);
    for (const char *at = text; (at = strstr(at, start));) {
        at += strlen(start);
        const char *end = strstr(at, " line ");
        snprintf(piece, sizeof piece, "%.*s", end ? (int)(end - at) : 600, at);
        if (says_value(piece, value)) return true;
    }
    return false;
}

/* All that the pane explain says is there at every width: each sentence, and each value of the evidence, which is the
 * one that the dump has there. */
static void test_explained(struct screen *s, const char *scene)
{
    static char text[400000], packed[400000], want[4000];
    struct gpudbg_error err = {0};
    const struct gpudbg_dump *d = gpudbg_session_dump(s->g, 0);
    struct pane *p = pane_named(s, "explain", &err);
    struct explain *told = d ? session_explain(s->g, d, 0, &err) : NULL;
    bool whole = p && told, values = whole;
    int sentences = 0, asked = 0;
    for (int w = 20; whole && values && w <= 200; w += (int)tap_sample() | 1) {
        const struct finding *f;
        explained(s, p, w, text, sizeof text);
        packed[0] = 0;
        append_packed(packed, sizeof packed, text);
        for (size_t i = 0; whole && values && (f = explain_finding(told, i)); i++) {
            want[0] = 0;
            append_packed(want, sizeof want, f->text);
            whole = strstr(packed, want);
            sentences++;
            if (!whole) note("%d columns: '%s' is not in '%.1000s'", w, f->text, text);
            for (unsigned k = 0; whole && values && k < f->nevidence; k++) {
                uint64_t value;
                if (!evidence_value(d, &f->evidence[k], &value)) continue;
                values = line_says(text, f->evidence[k].line, value);
                asked++;
                if (!values)
                    note("%d columns: %s, line %u is 0x%llx: %.1000s", w, f->evidence[k].name, f->evidence[k].line,
                        (unsigned long long)value, text);
            }
        }
    }
    s->zoomed = NULL;
    ok(whole, "%s: explain's sentences are whole at every width (%d)", scene, sentences);
    ok(values, "%s: ... and its evidence has the values of the dump (%d)", scene, asked);
    if (told) explain_close(told);
}

/* What a point stops for is there whole where names and empty columns can give way. */
static void test_conditions(struct screen *s)
{
    static const struct {
        const char *condition;
        int columns; /* enough for the number, what it is of, the value and the condition */
    } rows[] = {{"if $v2 == 3 && $s4 > 100 && $v3 != 12345 && $v4 == 0x12345678 && $v5 < 1e10", 120},
        {"if $v0 > 123456 && $v1 < 654321", 72}};
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "breakpoints", &err);
    bool whole = p != NULL;
    for (int w = 72; whole && w <= 200; w++) {
        char *picture = picture_of(s, p, w, 12);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            whole = whole && (w < rows[i].columns || strstr(picture, rows[i].condition));
        whole = whole && strstr(picture, "c[17]") && (w < 100 || strstr(picture, "0x100000044"));
        if (!whole) note("%d columns:\n%s", w, picture);
        free(picture);
    }
    ok(whole, "no condition of a point gives way to a name, a count or an empty column");
    s->zoomed = NULL;
}

/* Every form of a number in so many columns is the number as near as they can say it, or a mark alone. */
static void test_rounded(void)
{
    static const double values[] = {0, 1, -1, 3.14159265, -2.1625, 1e-30, -7.25e20, 123456.789, 99999.96, 0.000123456};
    const struct cells ascii = {.utf8 = false};
    bool near = true, point = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int width = 1; width <= 24; width++) {
            char text[64], *end;
            const float bits = (float)values[i];
            pane_elements(&ascii, form_named("f"), &bits, 4, width, text, sizeof text);
            const double shown = strtod(text, &end);
            if (!strcmp(text, ">")) continue;
            const double off = shown > bits ? shown - bits : bits - shown, size = bits < 0 ? -bits : bits;
            near = near && !*end && (int)strlen(text) <= width && off <= size * 0.05;
            point = point && strpbrk(text, ".e");
            if (!near || !point) note("%g in %d columns: '%s'", values[i], width, text);
        }
    ok(near, "a float that has no room is rounded, never cut");
    ok(point, "... and still looks like a float");
    static const struct {
        int32_t value;
        int width;
        const char *want;
    } integers[] = {{1234567, 7, "1234567"}, {1234567, 6, "1.23M"}, {1234567, 4, "1.2M"}, {1234567, 3, ">"},
        {-123456, 5, "-123k"}, {999999, 5, "1M"}, {2147483647, 8, "2.15G"}, {1000, 3, "1k"}};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char text[64];
        pane_elements(&ascii, form_named("d"), &integers[i].value, 4, integers[i].width, text, sizeof text);
        is_str(text, integers[i].want, "%d in %d columns", integers[i].value, integers[i].width);
    }
}

static bool draw_sound(struct screen *s, int columns, int rows, bool utf8, char *why, size_t size)
{
    cells_free(s->cells);
    s->cells = cells_new(columns, rows, utf8);
    s->utf8 = utf8;
    s->cells->watch = on_text;
    screen_draw(s);
    const bool sound = grid_sound(s->cells, why, size);
    if (!sound) {
        char *picture = NULL;
        size_t n;
        FILE *f = open_memstream(&picture, &n);
        cells_dump(s->cells, f);
        fclose(f);
        note("%dx%d: %s\n%s", columns, rows, why, picture);
        free(picture);
    }
    forget();
    return sound;
}

static const int heights[] = {9, 24, 41};

static void test_pane(struct screen *s, const char *scene, const char *name, bool wrap)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, name, &err);
    char why[400];
    bool sound = p != NULL;
    const int step = ((int)tap_sample() | 1) * (wrap ? 5 : 1); /* with and without UTF-8 in turn */
    s->layout_chosen = true;
    screen_layout(s, "code", &err);
    s->focus = s->zoomed = p;
    for (int w = 20; sound && w <= 200; w += step)
        for (size_t h = 0; sound && h < sizeof heights / sizeof *heights; h++) {
            p->side = h == 1 && !wrap ? w % 50 : 0;
            p->wrap = wrap;
            sound = draw_sound(s, w, heights[h], (w + (int)h) % 2, why, sizeof why);
        }
    if (p) p->side = 0;
    if (p) p->wrap = false;
    ok(sound, "%s: the numbers of pane %s are whole or marked at every width%s", scene, name, wrap ? ", wrapped" : "");
}

/* A click on the place where a pane's cursor was brings the cursor back there, wherever it is now. */
static void test_click(struct screen *s, const char *scene, const char *name)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, name, &err);
    bool back = p != NULL;
    int tried = 0;
    s->layout_chosen = true;
    screen_layout(s, "code", &err);
    s->focus = s->zoomed = p;
    cells_free(s->cells);
    s->cells = cells_new(100, 40, true);
    for (int i = 0; back && i < 12; i++) {
        struct gpudbg_error none = {0};
        char text[400], at[32];
        pane_act(p, PANE_TOP, "", &none);
        for (int k = 0; k < i; k++) pane_act(p, k % 3 == 2 && p->kind->across ? PANE_RIGHT : PANE_DOWN, "", &none);
        screen_draw(s);
        const int x = s->cells->cursor_x, y = s->cells->cursor_y, item = p->cursor;
        if (x < 0 || y < 2) continue;
        pane_act(p, PANE_TOP, "", &none);
        screen_draw(s);
        if (s->cells->cursor_x == x && s->cells->cursor_y == y) continue;
        snprintf(at, sizeof at, "%d %d", y - 2, x);
        pane_act(p, PANE_ROW, at, &none);
        screen_draw(s);
        tried++;
        back = p->cursor == item && s->cells->cursor_x == x && s->cells->cursor_y == y;
        if (back) continue;
        snprintf(text, sizeof text, "item %d at %d,%d: the click chose %d at %d,%d", item, x, y, p->cursor,
            s->cells->cursor_x, s->cells->cursor_y);
        char *picture = rows_of(s);
        note("%s\n%s", text, picture);
        free(picture);
    }
    ok(back, "%s: a click puts the cursor of pane %s where it was (%d places)", scene, name, tried);
    s->zoomed = NULL;
}

static void test_layout(struct screen *s, const char *scene, const char *name)
{
    struct gpudbg_error err = {0};
    char why[400];
    bool sound = true;
    const int step = (int)tap_sample() | 1;
    s->zoomed = NULL;
    s->layout_chosen = true;
    for (int w = 20; sound && w <= 200; w += step)
        for (size_t h = 0; sound && h < sizeof heights / sizeof *heights; h++) {
            screen_layout(s, name, &err);
            sound = draw_sound(s, w, heights[h], (w + (int)h) % 2, why, sizeof why);
        }
    ok(sound, "%s: ... and of the layout %s", scene, name);
}

static struct screen *screen_of(struct gpudbg *g)
{
    struct gpudbg_error err = {0};
    struct screen_options options = {.panes = &pane_kinds, .columns = 80, .rows = 24};
    struct screen *s = screen_open(g, &options, &err);
    if (!s) note("%s", err.message);
    return s;
}

/* ---- Two notations of one value agree ---- */

/* The text of an expression as `print` has it; "": it is none. */
static void printed(struct gpudbg *g, const char *expression, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    struct value v;
    char *text = expr_value(&g->eval, expression, &v, &err) ? show_text(&g->eval, &v, 0, &err) : NULL;
    snprintf(buf, size, "%s", text ? text : "");
    free(text);
}

/* Half of what one more in the last digit that is shown would make. */
static double half_digit(const char *shown)
{
    const char *exponent = strchr(shown, 'e'), *point = strchr(shown, '.');
    long power = exponent ? strtol(exponent + 1, NULL, 10) : 0;
    if (point) power -= (long)strspn(point + 1, "0123456789");
    double half = 0.5;
    for (; power > 0; power--) half *= 10;
    for (; power < 0; power++) half /= 10;
    return half;
}

/* A number on the screen says what print says: the same text, or that rounded to the digits that are shown. */
static bool agrees(const char *shown, const char *print)
{
    char *end, unit[] = "kMGTPE";
    if (!strcmp(shown, print) || !strncmp(print, "nan", 3)) return true;
    if (!strncmp(shown, "0x", 2) || !strncmp(print, "0x", 2))
        return !strncmp(shown, "0x", 2) && !strncmp(print, "0x", 2) &&
               strtoull(shown, NULL, 16) == strtoull(print, NULL, 16);
    const bool point = strpbrk(shown, ".e") != NULL && !strpbrk(shown, unit);
    if (point != (strpbrk(print, ".e") != NULL) && !strpbrk(shown, unit)) return false; /* 1 is not 1.0 */
    double x = strtod(shown, &end), most = half_digit(shown);
    const char *scale = *end ? strchr(unit, *end) : NULL;
    for (long i = scale ? scale - unit + 1 : 0; i > 0; i--) x *= 1000, most *= 1000;
    const double y = strtod(print, NULL), off = x > y ? x - y : y - x;
    return off <= most + (y < 0 ? -y : y) * 1e-6; /* of a float both are texts */
}

/* Numbers with blanks between them: number i is what print says of element i of the register, or element[i]. */
static bool numbers_agree(struct gpudbg *g, const char *at, const char *of, const int *element, int n, int *asked)
{
    for (int i = 0; i < n; i++) {
        char shown[64] = "", expression[80], print[4096];
        at += strspn(at, " *");
        const size_t digits = strcspn(at, " *\n|");
        snprintf(shown, sizeof shown, "%.*s", (int)digits, at);
        at += digits;
        if (!isdigit((unsigned char)shown[*shown == '-']) || strspn(shown, "-+.0123456789ekMGTPE") < digits)
            return true;
        snprintf(expression, sizeof expression, "%s[%d]", of, element ? element[i] : i);
        printed(g, expression, print, sizeof print);
        if (!*print || !isdigit((unsigned char)print[*print == '-'])) continue;
        ++*asked;
        if (!agrees(shown, print)) {
            note("'%s': %s is %s for print", shown, expression, print);
            return false;
        }
    }
    return true;
}

/* A row of the pane lanes below its heading "lane [0] 1 2", whose lanes are kept. */
static bool lanes_agree_row(struct gpudbg *g, const char *row, int *lane, int *n, int *asked)
{
    char name[16], of[20];
    int used = 0;
    if (strncmp(row, " lane ", 6) == 0) {
        *n = 0;
        for (const char *at = row + 5; *(at += strspn(at, " []")) && *n < 64; (*n)++) {
            char *end;
            lane[*n] = (int)strtol(at, &end, 10);
            if (end == at) break;
            at = end;
        }
        return true;
    }
    if (!*n || sscanf(row, " %*[*]%n", &used) == EOF || sscanf(row + used, " %15[a-z0-9.]%n", name, &used) != 1 ||
        (name[0] != 'v' && !strchr(name, '.')))
        return true;
    snprintf(of, sizeof of, "$%s", name);
    return numbers_agree(g, strstr(row, name) + strlen(name), of, lane, *n, asked);
}

/* The source of the region pane that its rows are about. */
struct source {
    char of[40];     /* "$r14:d"; "": none, or no packed one */
    int channel[32]; /* of the row of channels above */
    int n;
};

/* "src0 r14.0<8;8,1>:d  0 2 3": the elements of a packed region, channel after channel; where there is room, below each
 * row of channels is one of their values. */
static bool region_agrees_row(struct gpudbg *g, const char *row, struct source *source, int *asked)
{
    char plain[1024];
    unsigned reg, vertical, width, across;
    char type[8];
    int used = 0;
    snprintf(plain, sizeof plain, "%s", row);
    for (char *at = plain; *at; at++)
        if (*at & 0x80 || *at == '|') *at = ' ';
    const char *at = strstr(plain, "src");
    if (at || strstr(plain, "dst")) source->of[0] = 0, source->n = 0;
    if (at && sscanf(at, "src%*1[0-9] r%u.0<%u;%u,%u>:%7[a-z]%n", &reg, &vertical, &width, &across, type, &used) == 5 &&
        ((vertical == width && across == 1) || (vertical == 1 && width == 1))) {
        snprintf(source->of, sizeof source->of, "$r%u:%s", reg, type);
        return numbers_agree(g, at + used, source->of, NULL, 32, asked);
    }
    if (!source->of[0]) return true;
    if (sscanf(plain, " r%u%n", &reg, &used) == 1) {
        source->n = 0;
        for (at = plain + used; *(at += strspn(at, " x")) && source->n < 32; source->n++) {
            char *end;
            source->channel[source->n] = (int)strtol(at, &end, 10);
            if (end == at) break;
            at = end;
        }
        return true;
    }
    const int n = source->n;
    source->n = 0;
    return numbers_agree(g, plain, source->of, source->channel, n, asked);
}

/* Looks through a row for NAME=VALUE, NAME = VALUE and, in tables, NAME VALUE, where print takes NAME, too. */
static bool row_agrees(struct gpudbg *g, const char *row, bool table, int *asked)
{
    for (const char *at = row; *at;) {
        size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789$");
        if (!n || isdigit((unsigned char)*at)) {
            at += n ? n : 1;
            continue;
        }
        if (at[n] == '[') n += strcspn(at + n, "] \n") + 1;
        const char *value = at + n + strspn(at + n, " ");
        const bool equal = *value == '=';
        if (equal) value += 1 + strspn(value + 1, " ");
        if (*value == '*') value++;
        const size_t digits = strspn(value, "-+0123456789abcdefxkMGTPE.");
        char expression[80], shown[64], print[4096] = "";
        const bool number = digits && digits < sizeof shown && n < 60 && (equal || (table && value > at + n)) &&
                            isdigit((unsigned char)value[*value == '-']) && strchr(" \n|", value[digits]);
        if (number) {
            snprintf(shown, sizeof shown, "%.*s", (int)digits, value);
            snprintf(expression, sizeof expression, "%s%.*s", *at == '$' ? "" : "$", (int)n, at);
            printed(g, expression, print, sizeof print);
            if (!*print && equal) printed(g, expression + 1, print, sizeof print);
        }
        if (*print && isdigit((unsigned char)print[*print == '-'])) {
            ++*asked;
            if (!agrees(shown, print)) {
                note("'%s': %s is %s for print, in '%.120s'", shown, expression, print, row);
                return false;
            }
        }
        at += n;
    }
    return true;
}

/* Columns of a listing by its heading: what is asked about stands below `name`, what it is below "value". */
struct headed {
    int name, value; /* columns; 0: not known */
};

static bool listing_agrees_row(struct gpudbg *g, const char *row, const char *heading, struct headed *at, int *asked)
{
    char name[80], shown[64], print[4096];
    const char *named = strstr(row, heading), *value = strstr(row, " value");
    if (named && value) {
        at->name = (int)(named - row);
        at->value = (int)(value + 1 - row);
        return true;
    }
    if (!at->value || (int)strlen(row) <= at->value) return true;
    const size_t letters = strcspn(row + at->name, " \n"), digits = strcspn(row + at->value, " \n");
    snprintf(name, sizeof name, "%.*s", (int)letters, row + at->name);
    snprintf(shown, sizeof shown, "%.*s", (int)digits, row + at->value);
    for (const char *c = row; *c; c++)
        if (*c & 0x80) return true; /* something is cut, and says so */
    if (!isdigit((unsigned char)shown[*shown == '-'])) return true;
    printed(g, name, print, sizeof print);
    if (!*print || !isdigit((unsigned char)print[*print == '-'])) return true;
    ++*asked;
    if (!agrees(shown, print)) note("'%s': %s is %s for print, in '%.120s'", shown, name, print, row);
    return agrees(shown, print);
}

/* " 0010  0.5  -1.0 ..." in the buffer that the title names: elements of 4 bytes. */
static bool memory_agrees_row(struct gpudbg *g, const char *row, const char *buffer, int *asked)
{
    char *end, of[40];
    int element[32];
    const unsigned long offset = strtoul(row, &end, 16);
    if (end - row < 5 || *end != ' ') return true;
    for (int i = 0; i < 32; i++) element[i] = (int)(offset / 4) + i;
    snprintf(of, sizeof of, "%s", buffer);
    return numbers_agree(g, end, of, element, 4, asked);
}

/* "  3     CCCC....": a wave's lane that does not run is a dot, where each lane has a column of its own. */
static bool strip_agrees_row(struct gpudbg *g, const char *row, int *asked)
{
    struct gpudbg_error err = {0};
    int used = 0;
    unsigned wave;
    struct value v;
    if (sscanf(row + 1, "%u%*[-0-9]%n", &wave, &used) < 1 && sscanf(row + 1, "%u", &wave) < 1) return true;
    const char *lanes = row + 1 + strspn(row + 1, "-0123456789");
    lanes += strspn(lanes, " ");
    if (strspn(lanes, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.") != g->running.machine->isa->lanes ||
        !expr_value_in(&g->eval, wave, 0, "$exec", &v, &err))
        return true;
    for (int lane = 0; lane < (int)g->running.machine->isa->lanes; lane++)
        if ((lanes[lane] != '.') != (v.u >> lane & 1)) {
            note("lane %d of wave %u: $exec is 0x%llx, in '%.100s'", lane, wave, (unsigned long long)v.u, row);
            return false;
        }
    ++*asked;
    return true;
}

/* The first word of the pane's title, behind the pane's name. */
static void titled(const char *picture, const char *pane, char *buf, size_t size)
{
    const char *at = strstr(picture, pane);
    buf[0] = 0;
    if (!at) return;
    const char *word = at + strlen(pane);
    while (*word == ' ') word++;
    snprintf(buf, size, "%.*s", (int)strcspn(word, " +\n"), word);
}

static void run(struct gpudbg *g, const char *line);

/* Memory and listings with values: what they show is what print says. */
static void test_agree_more(struct screen *s, const char *scene, const char *buffer)
{
    static const char *const panes[] = {"memory", "locals", "watchpoints"};
    struct gpudbg_error err = {0};
    char line[80];
    snprintf(line, sizeof line, "view %s", buffer);
    run(s->g, line);
    run(s->g, "watch $v12");
    run(s->g, "watch $s4");
    snprintf(line, sizeof line, "watch %s+68", buffer);
    run(s->g, line);
    for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
        struct pane *p = pane_named(s, panes[i], &err);
        bool good = p != NULL;
        int asked = 0;
        for (int w = 20; good && w <= 200; w += (int)tap_sample() | 1) {
            char *picture = picture_of(s, p, w, 30), *copy = strdup(picture), *rest = copy, *row, of[40];
            struct headed at = {0, 0};
            titled(copy, panes[i], of, sizeof of);
            for (int y = 0; good && (row = strsep(&rest, "\n")); y++) {
                if (y < 2 || y >= 29) continue;
                good = i == 0 ? strcmp(of, buffer) != 0 || memory_agrees_row(s->g, row, of, &asked)
                              : listing_agrees_row(s->g, row, i == 1 ? "name" : "what", &at, &asked);
            }
            free(copy);
            free(picture);
        }
        s->zoomed = NULL;
        ok(good && asked, "%s: the numbers of pane %s (%d looked at) are those of print", scene, panes[i], asked);
    }
    run(s->g, "delete");
}

/* Rows "$v6[5] 21 788" of the pane compare: each number is what print says at its position. */
static void test_agree_compare(struct screen *s, const char *scene, const int positions[2])
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "compare", &err);
    char line[80], name[400][40], value[400][2][40], print[4096];
    int n = 0;
    bool good = p != NULL;
    snprintf(line, sizeof line, "diff positions %d %d", positions[0], positions[1]);
    run(s->g, line);
    for (int w = 60; good && w <= 200; w += 20 * ((int)tap_sample() | 1)) {
        char *picture = picture_of(s, p, w, 60), *rest = picture, *row;
        while ((row = strsep(&rest, "\n")) && n < 400) {
            const char *at = strchr(row, '$');
            if (at && at - row < 4 && sscanf(at, "%39s %39s %39s", name[n], value[n][0], value[n][1]) == 3) n++;
        }
        free(picture);
    }
    int asked = 0;
    const unsigned long long now = machine_position(s->g->running.machine);
    for (int side = 0; side < 2; side++) {
        snprintf(line, sizeof line, "goto %d", positions[side]);
        run(s->g, line);
        for (int i = 0; i < n && good; i++) {
            const char *shown = value[i][side] + (value[i][side][0] == '*');
            printed(s->g, name[i], print, sizeof print);
            if (!isdigit((unsigned char)shown[*shown == '-']) || !isdigit((unsigned char)print[*print == '-']))
                continue;
            asked++;
            good = agrees(shown, print);
            if (!good) note("'%s': %s at %d is %s for print", shown, name[i], positions[side], print);
        }
    }
    snprintf(line, sizeof line, "goto %llu", now);
    run(s->g, line);
    s->zoomed = NULL;
    ok(good && asked, "%s: the numbers of pane compare (%d looked at) are those of print at their positions", scene,
        asked);
}

/* ---- Pictures ---- */

/* One of xterm's 256 colours in which red, green and blue are the same. */
static bool is_grey(unsigned colour)
{
    if (colour >= 232) return true;
    const unsigned cube = colour - 16;
    return colour >= 16 && cube / 36 == cube / 6 % 6 && cube / 6 % 6 == cube % 6;
}

/* The number behind `at`, as a text; blanks before it are passed over. */
static void number_behind(const char *at, char *buf, size_t size)
{
    at += strspn(at, " ");
    snprintf(buf, size, "%.*s", (int)strspn(at, "-+.0123456789e"), at);
}

/* A picture that is offered: at every width the texel under the cursor has the value that print has for the element,
 * the title the least and the largest of the buffer, and what has one channel is grey. */
static void test_picture_of(struct screen *s, struct pane *p, const char *scene, const struct offered *o)
{
    static const char *const moves[] = {"0 0", "1 7", "3 11"}; /* rows, columns */
    struct gpudbg_error err = {0};
    unsigned across = 0, down = 0;
    const bool one = !strchr(o->format, '_') || strchr(o->format, '_') == strrchr(o->format, '_');
    bool grey = true, value = true, range = true;
    int colours = 0, texels = 0, titles = 0;
    char least[64] = "", largest[64] = "", print[4096], expression[160];
    sscanf(o->size, "%ux%u", &across, &down);
    for (unsigned i = 0; i < across * down; i++) { /* of the buffer */
        snprintf(expression, sizeof expression, "%s[%u]", o->name, i);
        printed(s->g, expression, print, sizeof print);
        if (!*least || strtod(print, NULL) < strtod(least, NULL)) snprintf(least, sizeof least, "%.63s", print);
        if (!*largest || strtod(print, NULL) > strtod(largest, NULL)) snprintf(largest, sizeof largest, "%.63s", print);
    }
    char want[160] = ""; /* what the title has behind the names, where it has room */
    for (int w = 200; w >= 20 && grey && value && range; w -= (int)tap_sample() | 1)
        for (size_t m = 0; m < sizeof moves / sizeof *moves && grey && value && range; m++) {
            int rows, columns;
            sscanf(moves[m], "%d %d", &rows, &columns);
            s->g->settings.picture = PICTURE_BLOCKS;
            free(picture_of(s, p, w, 30));
            pane_act(p, PANE_TOP, "", &err);
            for (int i = 0; i < rows; i++) pane_act(p, PANE_DOWN, "", &err);
            for (int i = 0; i < columns; i++) pane_act(p, PANE_RIGHT, "", &err);
            char *picture = picture_of(s, p, w, 30), of[200], shown[64];
            for (int i = 0; i < s->cells->columns * s->cells->rows; i++) {
                const struct cell *c = &s->cells->cell[i];
                if (!c->fore && !c->ground) continue;
                colours++;
                grey = grey && (!one || (is_grey(c->fore) && is_grey(c->ground)));
            }
            const char *foot = strstr(picture, "\n [");
            unsigned x, y;
            int used = 0;
            value = foot && sscanf(foot, "\n [%u,%u] =%n", &x, &y, &used) == 2 && used;
            if (value) {
                number_behind(foot + used, shown, sizeof shown);
                snprintf(expression, sizeof expression, "%s[%u]", o->name, y * across + x);
                printed(s->g, expression, print, sizeof print);
                value = agrees(shown, print) && x < across && y < down;
                texels++;
            }
            snprintf(of, sizeof of, "%ux%u  ", across, down);
            char *title = strchr(picture, '\n'), *end = title ? strchr(title + 1, '\n') : NULL;
            if (end) *end = 0;
            const char *size = title ? strstr(title + 1, of) : NULL, *to = size ? strstr(size, " to ") : NULL;
            if (!*want && to) {
                char low[64], high[64];
                const char *at = to;
                while (at > size && at[-1] != ' ') at--;
                number_behind(at, low, sizeof low);
                number_behind(to + 4, high, sizeof high);
                range = agrees(low, least) && agrees(high, largest);
                snprintf(want, sizeof want, "%.*s%s", (int)(to + 4 - size), size, high);
            }
            range = range && *want && (w < (int)(strlen(want) + strlen(" picture  ")) || (size && strstr(size, want)));
            titles++;
            if (end) *end = '\n';
            if (!grey || !value || !range)
                note("%d columns, %s, %s to %s, %s = %s:\n%s", w,
                    !grey    ? "grey"
                    : !value ? "texel"
                             : "range",
                    least, largest, expression, print, picture);
            free(picture);
        }
    s->zoomed = NULL;
    ok(grey && colours, "%s: %s, a picture of %s, is grey (%d cells)", scene, o->name, o->format, colours);
    ok(value && texels, "%s: ... its texels are those of print (%d)", scene, texels);
    ok(range && titles, "%s: ... the title has the range of all of them (%d)", scene, titles);
}

static void test_pictures(struct screen *s, const char *scene)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "picture", &err);
    struct offered o;
    free(picture_of(s, p, 100, 30));
    for (size_t i = 0; picture_offered(&s->g->eval, i, &o); i++) {
        char words[200];
        snprintf(words, sizeof words, "%s %s %s", o.name, o.format, o.size);
        if (!*o.size || !pane_act(p, PANE_TYPE, words, &err)) continue;
        test_picture_of(s, p, scene, &o);
    }
}

/* Every number beside a name is what print says of the name, at every width. */
static void test_agree(struct screen *s, const char *scene)
{
    static const struct {
        const char *name;
        bool table;
    } panes[] = {{"scalar", true}, {"fields", false}, {"display", false}, {"region", false}, {"lanes", false}};
    struct gpudbg_error err = {0};
    for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
        struct pane *p = pane_named(s, panes[i].name, &err);
        bool good = p != NULL;
        int asked = 0;
        for (int w = 20; good && w <= 200; w += (int)tap_sample() | 1) {
            char *picture = picture_of(s, p, w, 30), *rest = picture, *row;
            int lane[64], lanes = 0;
            struct source source = {"", {0}, 0};
            for (int y = 0; good && (row = strsep(&rest, "\n")); y++) {
                if (y < 2 || y >= 29) continue; /* title and bar */
                good = row_agrees(s->g, row, panes[i].table, &asked);
                if (good && p->kind == &pane_region) good = region_agrees_row(s->g, row, &source, &asked);
                if (good && p->kind == &pane_lanes) good = lanes_agree_row(s->g, row, lane, &lanes, &asked);
            }
            free(picture);
        }
        s->zoomed = NULL;
        const bool must = p && p->kind == &pane_region && s->g->running.machine->isa->regions.footprints;
        ok(good && (asked || !must), "%s: the numbers of pane %s (%d looked at) are those of print", scene,
            panes[i].name, asked);
    }
}

static void test_scene(struct gpudbg *g, const char *scene)
{
    struct screen *s = screen_of(g);
    const struct gpudbg_listing *listing;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (int wrap = 0; wrap < 2; wrap++) {
        for (size_t i = 0; s && pane_kinds.named[i]; i++) test_pane(s, scene, pane_kinds.named[i]->name, wrap);
        for (size_t i = 0; s && (listing = registry_listing(g->registry, i)); i++)
            test_pane(s, scene, listing->name, wrap);
    }
    for (size_t i = 0; s && layout_name(i); i++) test_layout(s, scene, layout_name(i));
    if (s && g->running.machine) test_masks(s, scene);
    if (s && g->running.machine) test_agree(s, scene);
    if (s && g->running.machine) test_pictures(s, scene);
    if (s) test_names(s, scene);
    for (size_t i = 0; s && pane_kinds.named[i]; i++)
        if (pane_kinds.named[i] != &pane_prompt) /* its cursor is that of the line */
            test_click(s, scene, pane_kinds.named[i]->name);
    screen_close(s);
}

static void test_strip(struct gpudbg *g, const char *scene)
{
    struct gpudbg_error err = {0};
    struct screen *s = screen_of(g);
    struct pane *p = s ? pane_named(s, "strip", &err) : NULL;
    bool good = p != NULL;
    int asked = 0;
    for (int w = 20; good && w <= 200; w += (int)tap_sample() | 1) {
        char *picture = picture_of(s, p, w, 30), *rest = picture, *row;
        while (good && (row = strsep(&rest, "\n"))) good = strip_agrees_row(g, row, &asked);
        free(picture);
    }
    ok(good && asked, "%s: the pane strip has a dot for each lane that $exec lacks (%d rows looked at)", scene, asked);
    screen_close(s);
}

static void test_more(struct gpudbg *g, const char *scene)
{
    static const int positions[2] = {150, 186};
    struct screen *s = screen_of(g);
    if (s) test_agree_more(s, scene, "b");
    if (s) test_agree_compare(s, scene, positions);
    screen_close(s);
    run(g, "set $exec = 0x00ff00f0f0f0cc01");
    test_strip(g, scene);
}

/* The pane picture has its rows when the layout is drawn for the first time. */
static void test_first_picture(struct gpudbg *g)
{
    struct gpudbg_error err = {0};
    struct screen_options options = {.panes = &pane_kinds, .columns = 120, .rows = 40};
    struct screen *s = screen_open(g, &options, &err);
    s->layout_chosen = true;
    screen_layout(s, "picture", &err);
    screen_draw(s);
    const struct place *p = layout_place(&s->layout, pane_named(s, "picture", &err));
    ok(p && p->h > 15, "the layout picture has its rows at once (%d of 40)", p ? p->h : 0);
    screen_close(s);
}

static void run(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    if (!gpudbg_execute(g, line, out, &err)) note("%s: %s", line, err.message);
    free(out_taken(out, NULL));
    out_close(out);
}

int main(void)
{
    static const struct {
        const char *demo, *lines[10];
    } scenes[] = {
        {"matmul", {"break *0x17f0", "continue", "wave 2", "stepi 40", "lane 37", "display $v12", "display $s[4:5]",
                       "diff positions 20 60"}},
        {"mandelbrot", {"stepi 120", "wave 3", "stepi 60", NULL}},
        {"dg1", {"stepi 24", "stepi", "diff waves 0 1", NULL}},
        {"il", {"stepi 30", "stepi", "diff positions 5 20", NULL}},
    };
    static const char *const conditions[] = {
        "break *0x17f0 if $v2 == 3 && $s4 > 100 && $v3 != 12345 && $v4 == 0x12345678 && $v5 < 1e10",
        "watch c+68 if $v0 > 123456 && $v1 < 654321", "break matmul if $s4 == 64"};
    static const struct {
        const char *path, *evidence[12]; /* pairs: the end of a register's name and its line, and the value there */
    } told[] = {
        {"t/data/dumps/i915.txt",
            {"REG, line 18", "0x12345003", "INT, line 6", "0x00000002", "HD, line 13", "00a01008", NULL}},
        {"t/data/dumps/waves1.txt", {"STATUS, line 2", "08012001", "PC_LO, line 2", "00102308", NULL}},
        {"t/data/dumps/waves-gfx1030.txt", {"told, line 2", "0", NULL}},
        {"t/data/explain/fault-radeon.log",
            {"ADDR, line 11", "0x00300202", "ATUS, line 12", "0x1C13B002", "ADDR, line 3", "0x00300200", NULL}},
        {"t/data/explain/fault-registers.txt", {"ATUS, line 1", "0x0704800c", "ADDR, line 2", "0x00123400", NULL}},
        {"t/data/explain/error-null.txt", {NULL}},
    };
    static const char *const dumps[] = {
        "t/data/dumps/umr.txt", "t/data/dumps/i915.txt", "t/data/dumps/golden.txt", NULL};
    struct gpudbg_error err = {0};
    if (!setlocale(LC_CTYPE, "C.UTF-8")) note("no UTF-8 here");
    test_rounded();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
        struct gpudbg_out *out = out_memory(false);
        ok(g && screen_commands(g, &err) && registry_add(g->registry, &long_names, &err) &&
                demo_open(g, scenes[i].demo, out, &err),
            "demo %s opens", scenes[i].demo);
        if (err.message[0]) note("%s", err.message);
        free(out_taken(out, NULL));
        out_close(out);
        for (size_t k = 0; scenes[i].lines[k]; k++) run(g, scenes[i].lines[k]);
        test_scene(g, scenes[i].demo);
        if (strcmp(scenes[i].demo, "matmul") == 0) test_more(g, scenes[i].demo);
        if (strcmp(scenes[i].demo, "mandelbrot") == 0) test_first_picture(g);
        session_close(g);
    }
    for (size_t i = 0; dumps[i]; i++) {
        struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
        ok(g && screen_commands(g, &err) && registry_add(g->registry, &long_names, &err) &&
                session_add_dump(g, dumps[i], NULL, 0, &err),
            "dump %s opens", dumps[i]);
        test_scene(g, dumps[i]);
        session_close(g);
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
        const bool opens = g && screen_commands(g, &err) && session_add_dump(g, told[i].path, NULL, 0, &err);
        struct screen *s = opens ? screen_of(g) : NULL;
        ok(s, "dump %s opens", told[i].path);
        if (s) test_registers(s, told[i].path);
        if (s) test_evidence(s, told[i].path, told[i].evidence);
        if (s) test_explained(s, told[i].path);
        screen_close(s);
        session_close(g);
    }
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct gpudbg_out *out = out_memory(false);
    ok(g && screen_commands(g, &err) && demo_open(g, "matmul", out, &err), "the demo with conditions opens");
    free(out_taken(out, NULL));
    out_close(out);
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) run(g, conditions[i]);
    struct screen *s = screen_of(g);
    if (s) test_conditions(s);
    screen_close(s);
    session_close(g);
    return tap_done();
}
