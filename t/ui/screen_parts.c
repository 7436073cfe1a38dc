/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the screen that need no terminal: the grid of cells, layouts of every size, the table of keys, themes. */
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/families.h"
#include "decoders/decoders.h"
#include "tap.h"

#include "inside.h"
#include "word/registry.h"

/* ---- Cells ---- */

static const struct {
    const char *text;
    bool utf8;
    int x;
    const char *want; /* of a row of 8 */
    int columns;
} texts[] = {
    {"plain", true, 0, "plain", 5},
    {"far too long for it", true, 0, "far too\xe2\x80\xa6", 19},
    {"far too long for it", false, 0, "far too>", 19},
    {"at 0x12345678", true, 0, "at \xe2\x80\xa6", 13}, /* no part of a number */
    {"s12 s13 s14", true, 0, "s12 s13\xe2\x80\xa6", 11},
    {"see v12345", true, 0, "see v\xe2\x80\xa6", 10},
    {"1234567 ", true, 0, "1234567", 8},
    {"12345678", true, 0, "12345678", 8},
    {"123456789", true, 0, "\xe2\x80\xa6", 9},
    {"left", true, -2, "\xe2\x80\xa6t", 4},
    {"4711 is", true, -2, " \xe2\x80\xa6 is", 7},
    {"right", true, 6, "      r\xe2\x80\xa6", 5},
    {"gone", true, 9, "       \xe2\x80\xa6", 4},
    {"\xc3\xa9t\xc3\xa9", true, 0, "\xc3\xa9t\xc3\xa9", 3},
    {"\xc3\xa9t\xc3\xa9", false, 0, "?t?", 3},
    {"\xe4\xb8\xad\xe6\x96\x87", true, 0, "\xe4\xb8\xad\xe6\x96\x87", 4},
    {"\xe4\xb8\xad\xe6\x96\x87", true, 7, "       \xe2\x80\xa6", 4}, /* half a glyph cannot be shown */
    {"a\tb\x1b", true, 0, "a b\\x1b", 7},
    {"\xff\xc3", true, 0, "\\xff\\xc3", 8},
    {"\xe4\xb8", true, 0, "\\xe4\\xb8", 8},
    {"\xe2\x80\xae", true, 0, "\\u202e", 6},
    {"\xc2\x9b", false, 0, "\\u009b", 6},
    {"\xf0\x9f\x98\x80!", true, 0, "\xf0\x9f\x98\x80!", 3},
};

static void test_cells(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cells *c = cells_new(8, 1, texts[i].utf8);
        struct area a = {c, 0, 0, 8, 1, 0};
        char *got = NULL;
        size_t size;
        FILE *f = open_memstream(&got, &size);
        int end = area_text(&a, texts[i].x, 0, STYLE_text, texts[i].text);
        cells_dump(c, f);
        fclose(f);
        got[strcspn(got, "\n")] = 0;
        is_str(got, texts[i].want, "row %zu shows what fits", i);
        is_int(end - texts[i].x, texts[i].columns, "row %zu takes its columns", i);
        is_int(text_columns(texts[i].text, texts[i].utf8), texts[i].columns, "row %zu is as wide as said", i);
        free(got);
        cells_free(c);
    }
    struct cells *c = cells_new(10, 3, false);
    struct area inner = {c, 2, 1, 3, 1, 0};
    area_text(&inner, -5, 0, STYLE_text, "0123456789012345");
    area_text(&inner, 0, 1, STYLE_text, "below");
    area_repeat(&inner, 1, 0, 50, STYLE_rule, 0x2500, '-');
    bool outside = false;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 10; x++)
            outside = outside || ((y != 1 || x < 2 || x > 4) && c->cell[y * 10 + x].glyph != ' ');
    ok(!outside, "an area never writes past its edges");
    cells_free(c);
}

/* ---- Layouts ---- */

/* Whether the places are inside, do not overlap, and leave only the rules between columns free. */
static bool layout_sound(const struct layout *l, int w, int h)
{
    char *seen = calloc((size_t)w, (size_t)h);
    bool sound = true;
    for (int i = 0; i < l->count; i++) {
        const struct place *p = &l->place[i];
        for (int y = p->y; y < p->y + p->h; y++)
            for (int x = p->x; x < p->x + p->w; x++) {
                bool inside = x >= 0 && y >= 0 && x < w && y < h;
                sound = sound && inside && !seen[y * w + x];
                if (inside) seen[y * w + x] = 1;
            }
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (!seen[y * w + x]) sound = sound && x > 0 && x + 1 < w && seen[y * w + x - 1] && seen[y * w + x + 1];
    free(seen);
    return sound;
}

static void test_layouts(struct screen *s)
{
    struct gpudbg_error err = {0};
    for (size_t i = 0; layout_name(i); i++)
        for (int wide = 0; wide < 2; wide++) {
            bool sound = layout_read(&s->layout, s, layout_named(layout_name(i), wide ? 200 : 80), true, &err);
            for (int w = 1; w < 230; w += 3)
                for (int h = 2; h < 90; h += 2) {
                    layout_fit(&s->layout, 0, 0, w, h);
                    if (sound && !layout_sound(&s->layout, w, h)) {
                        note("%s at %dx%d", layout_name(i), w, h);
                        sound = false;
                    }
                }
            ok(sound, "layout %s (%s) fills a screen of any size", layout_name(i), wide ? "wide" : "narrow");
        }
    layout_read(&s->layout, s, "code:8/fields:5@44|scalar:4/lanes:5@35;prompt:5", true, &err);
    layout_fit(&s->layout, 0, 1, 80, 22);
    struct place *code = layout_place(&s->layout, s->layout.place[0].pane);
    is_int(code->w, 44, "columns as wanted where there is room for them");
    int before = code->h, wide = code->w;
    layout_grow(&s->layout, code->pane, 2, 3);
    layout_fit(&s->layout, 0, 1, 80, 22);
    is_int(code->h, before + 2, "two rows taller");
    is_int(code->w, wide + 3, "three columns wider");
    bool sound = true;
    srand(7);
    for (int i = 0; i < 2000; i++) {
        layout_grow(&s->layout, s->layout.place[rand() % s->layout.count].pane, rand() % 9 - 4, rand() % 9 - 4);
        layout_fit(&s->layout, 0, 0, 80, 22);
        sound = sound && layout_sound(&s->layout, 80, 22);
    }
    ok(sound, "whatever is resized, all fits");
    static const char *const wrong[] = {
        "", "code:8/code:3", ":5", "code:8 fields", "code/", "nosuchpane", "code|;prompt"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (struct gpudbg_error){0};
        bool read = layout_read(&s->layout, s, wrong[i], false, &err);
        ok(!strcmp(wrong[i], "code/") ? read : !read && err.message[0], "layout '%s' is refused", wrong[i]);
    }
}

/* ---- Keys and themes ---- */

static const char *spill(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    fputs(text, f);
    fclose(f);
    return name;
}

static void test_keys(const char *file)
{
    struct keys k = {0};
    struct gpudbg_error err = {0};
    bool prefix;
    ok(keys_read(&k,
           spill(file,
               "# a comment\n[keys]\ns  step %n   #step\nC-x,1  layout code\nC-x,2 layout lanes #two\n? keys #help\n"
               "[prompt]\ns -\n[any]\nF1 keys\n"),
           &err),
        "a table is read");
    is_int(k.count, 6, "a binding a line");
    const struct binding *b = keys_find(&k, KEYS_SINGLE, NULL, "s", &prefix);
    is_str(b ? b->command : NULL, "step %n", "a key has its command line");
    is_str(b ? b->label : NULL, "step", "... and its label");
    ok(!keys_find(&k, KEYS_SINGLE, NULL, "C-x", &prefix) && prefix, "C-x begins a sequence");
    b = keys_find(&k, KEYS_SINGLE, NULL, "C-x,2", &prefix);
    is_str(b ? b->label : NULL, "two", "... and goes on");
    b = keys_find(&k, KEYS_PROMPT, NULL, "s", &prefix);
    is_str(b ? b->command : NULL, "-", "another mode, another meaning");
    ok(keys_find(&k, KEYS_PROMPT, NULL, "F1", &prefix) != NULL, "[any] holds in all");
    ok(!keys_find(&k, KEYS_SINGLE, NULL, "S", &prefix), "capitals are other keys");
    ok(keys_read(&k, spill(file, "s\nx  print 1\n"), &err), "a second table is read over it");
    ok(!keys_find(&k, KEYS_SINGLE, NULL, "s", &prefix), "a key without a command is taken out");
    ok(keys_find(&k, KEYS_SINGLE, NULL, "x", &prefix) != NULL, "others are added");
    ok(keys_read(&k, spill(file, "Count,x pick lane %n\n[pane lanes waves]\nx pane right #lane\n"), &err),
        "keys of panes are read");
    b = keys_find(&k, KEYS_SINGLE, "waves", "x", &prefix);
    is_str(b ? b->command : NULL, "pane right", "... and come first there");
    b = keys_find(&k, KEYS_SINGLE, "wave", "x", &prefix);
    is_str(b ? b->command : NULL, "print 1", "... and nowhere else");
    b = keys_find(&k, KEYS_SINGLE, NULL, "Count,x", &prefix);
    is_str(b ? b->command : NULL, "pick lane %n", "a key with a count may be another");
    ok(keys_read(&k, spill(file, "x print 2\n"), &err), "a later table");
    b = keys_find(&k, KEYS_SINGLE, "waves", "x", &prefix);
    is_str(b ? b->command : NULL, "print 2", "... that binds the key of all panes holds in each");
    err = (struct gpudbg_error){0};
    ok(!keys_read(&k, spill(file, "[pane]\n"), &err) && err.line == 1, "[pane] names none: refused");
    err = (struct gpudbg_error){0};
    ok(!keys_read(&k, spill(file, "s step\n[nowhere]\n"), &err) && err.line == 2,
        "a group that is none: refused, with its line");
    keys_free(&k);
    struct theme t, old;
    theme_plain(&t);
    ok(theme_read(&t, spill(file, "state black/cyan bold | reverse\n"), &err), "a theme is read");
    is_int(t.look[STYLE_state].background, 6, "a background");
    is_int(t.look[STYLE_state].plain, THEME_REVERSE, "... and attributes for no colour");
    old = t;
    err = (struct gpudbg_error){0};
    ok(!theme_read(&t, spill(file, "text default |\nstate purple\n"), &err) && err.line == 2,
        "a colour that is none: refused");
    ok(!memcmp(&old, &t, sizeof t), "... and nothing changed");
    unlink(file);
}

/* ---- Help ---- */

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p++)
        if ((p == text || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[n])) return true;
    return false;
}

/* `help layout` names each layout, `help screen` each pane that there is. */
static void test_help(struct gpudbg *g)
{
    const struct gpudbg_command *c;
    const char *help = "";
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (!strcmp(c->name, "layout")) help = c->help;
    for (size_t i = 0; layout_name(i); i++)
        ok(has_word(help, layout_name(i)), "`help layout` names the layout %s", layout_name(i));
    char path[4096], screen[1 << 16];
    snprintf(path, sizeof path, "%s/help/screen", getenv("GPUDBG_DATA") ? getenv("GPUDBG_DATA") : "share");
    FILE *file = fopen(path, "r");
    screen[file ? fread(screen, 1, sizeof screen - 1, file) : 0] = 0;
    if (file) fclose(file);
    for (size_t i = 0; pane_kinds.named[i]; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n    %s ", pane_kinds.named[i]->name);
        ok(strstr(screen, line) != NULL, "`help screen` has a line for the pane %s", pane_kinds.named[i]->name);
    }
}

int main(void)
{
    char file[] = "/tmp/screen_parts_XXXXXX";
    close(mkstemp(file));
    if (!setlocale(LC_CTYPE, "C.UTF-8")) note("no UTF-8 here");
    test_cells();
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct screen_options options = {.panes = &pane_kinds, .columns = 80, .rows = 24};
    struct screen *s = g && screen_commands(g, &err) ? screen_open(g, &options, &err) : NULL;
    if (!ok(s != NULL, "a screen without a terminal opens")) return tap_done();
    setlocale(LC_CTYPE, "C.UTF-8");
    test_layouts(s);
    test_keys(file);
    test_help(g);
    screen_close(s);
    session_close(g);
    return tap_done();
}
