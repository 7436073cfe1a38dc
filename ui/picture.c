/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"

#include <inttypes.h>
#include <string.h>

/* A cell in units of SVG; most fixed-width fonts of SIZE are close to it, and textLength takes care of the rest. */
#define WIDTH 8.4
#define HEIGHT 17
#define BASE 12.5 /* from a cell's top to the line that letters stand on */
#define SIZE 14
#define MARGIN 6

/* The eight colours of a terminal, as text and as a ground, and what stands for "default". */
static const struct palette {
    const char *text, *ground, *texts[8], *grounds[8];
} palettes[] = {
    [PICTURE_DARK] = {"#d8dbe0", "#191c21",
        {"#191c21", "#f07178", "#9fcf7a", "#e6c068", "#6fb0f5", "#cf8ee8", "#5cc3cf", "#f2f4f7"},
        {"#000000", "#c0453f", "#7fb35a", "#d9b04f", "#4a86c8", "#a866c2", "#4fb0bd", "#d8dbe0"}},
    [PICTURE_LIGHT] = {"#26292e", "#fcfcfa",
        {"#26292e", "#c0271a", "#35741e", "#875c00", "#2458bd", "#8f349d", "#0a6a7c", "#6b6f76"},
        {"#26292e", "#f4aaa2", "#b9dda6", "#f2d98c", "#b3cdf7", "#e2bdea", "#a5dbe3", "#d9dbde"}},
};

/* How one cell is painted. */
struct paint {
    char text[8], ground[8]; /* ground "": the page's */
    uint8_t attributes;
};

/* A colour of a theme as text for the page; `eight`: how the first eight look, and their bright twins. */
static void colour_text(int colour, const char *const *eight, char text[8])
{
    if (colour < 16)
        snprintf(text, 8, "%s", eight[colour % 8]);
    else
        snprintf(text, 8, "#%06" PRIx32, theme_rgb(colour));
}

static struct paint paint_of(const struct theme *theme, const struct cell *cell, const struct palette *p)
{
    const struct look *look = &theme->look[cell->style];
    struct paint paint = {.attributes = look->attributes};
    snprintf(paint.text, sizeof paint.text, "%s", p->text);
    if (look->foreground >= 0) colour_text(look->foreground, p->texts, paint.text);
    if (look->background >= 0) {
        colour_text(look->background, p->grounds, paint.ground);
        if (look->foreground == 0) snprintf(paint.text, sizeof paint.text, "%s", palettes[PICTURE_DARK].ground);
    }
    if (cell->fore) {
        colour_text(cell->fore, p->texts, paint.text);
        colour_text(cell->ground, p->grounds, paint.ground);
        return paint;
    }
    if (look->attributes & THEME_REVERSE) {
        char ground[8];
        snprintf(ground, sizeof ground, "%s", *paint.ground ? paint.ground : p->ground);
        memcpy(paint.ground, paint.text, sizeof paint.ground);
        memcpy(paint.text, ground, sizeof paint.text);
    }
    return paint;
}

/* The end of the run of cells that begins at x and looks alike. */
static int run_end(const struct cell *row, int x, int columns)
{
    int end = x + 1;
    while (end < columns && row[end].style == row[x].style && row[end].fore == row[x].fore &&
           row[end].ground == row[x].ground)
        end++;
    return end;
}

static void put_glyph(uint32_t glyph, FILE *f)
{
    char utf8[4];
    switch (glyph) {
    case 0: break; /* the right half of the one before */
    case '&': fputs("&amp;", f); break;
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    default: fwrite(utf8, 1, (size_t)cells_encode(glyph, utf8), f);
    }
}

/* ---- Lines ---- */

/* U+2500 to U+257B, "Box Drawing": for each glyph its arms to the left, up, right and down; 1 light, 2 heavy.  Fonts
 * leave gaps between them, so they are drawn as lines. */
#define FIRST_LINE 0x2500
static const char arms[][5] = {"1010", "2020", "0101", "0202", "1010", "2020", "0101", "0202", "1010", "2020", "0101",
    "0202", "0011", "0021", "0012", "0022", "1001", "2001", "1002", "2002", "0110", "0120", "0210", "0220", "1100",
    "2100", "1200", "2200", "0111", "0121", "0211", "0112", "0212", "0221", "0122", "0222", "1101", "2101", "1201",
    "1102", "1202", "2201", "2102", "2202", "1011", "2011", "1021", "2021", "1012", "2012", "1022", "2022", "1110",
    "2110", "1120", "2120", "1210", "2210", "1220", "2220", "1111", "2111", "1121", "2121", "1211", "1112", "1212",
    "2211", "1221", "2112", "1122", "2221", "2122", "2212", "1222", "2222", [0x6d] = "0011", "1001", "1100",
    "0110", [0x74] = "1000", "0100", "0010", "0001", "2000", "0200", "0020", "0002"};

static const char *arms_of(uint32_t glyph)
{
    const uint32_t i = glyph - FIRST_LINE;
    return i < sizeof arms / sizeof *arms && arms[i][0] ? arms[i] : NULL;
}

static void put_lines(int x, int y, const char *arm, const struct paint *paint, FILE *f)
{
    static const double ends[4][2] = {{0, 0.5}, {0.5, 0}, {1, 0.5}, {0.5, 1}};
    for (int i = 0; i < 4; i++) {
        if (arm[i] == '0') continue;
        fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"%s\"%s/>\n", (x + 0.5) * WIDTH,
            (y + 0.5) * HEIGHT, (x + ends[i][0]) * WIDTH, (y + ends[i][1]) * HEIGHT, paint->text,
            arm[i] == '1' ? "1" : "2.2", paint->attributes & THEME_DIM ? " opacity=\"0.65\"" : "");
    }
}

/* ---- SVG ---- */

static void svg_text(const struct cell *row, int x, int end, int y, const struct paint *paint, FILE *f)
{
    while (x < end) {
        while (x < end && (row[x].glyph == ' ' || arms_of(row[x].glyph))) x++;
        int last = x; /* viewers squeeze several blanks to one, so text ends before the second */
        while (
            last < end && !arms_of(row[last].glyph) &&
            (row[last].glyph != ' ' || (last + 1 < end && row[last + 1].glyph != ' ' && !arms_of(row[last + 1].glyph))))
            last++;
        if (x == last) continue;
        fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" fill=\"%s\"", x * WIDTH, y * HEIGHT + BASE,
            (last - x) * WIDTH, paint->text);
        if (paint->attributes & THEME_BOLD) fputs(" font-weight=\"bold\"", f);
        if (paint->attributes & THEME_DIM) fputs(" opacity=\"0.65\"", f);
        if (paint->attributes & THEME_UNDERLINE) fputs(" text-decoration=\"underline\"", f);
        fputc('>', f);
        for (; x < last; x++) put_glyph(row[x].glyph, f);
        fputs("</text>\n", f);
    }
}

void picture_svg(const struct cells *c, const struct theme *theme, enum picture_ground ground, FILE *f)
{
    const struct palette *palette = &palettes[ground];
    const double w = c->columns * WIDTH, h = c->rows * (double)HEIGHT;
    fprintf(f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%d %d %.1f %.1f\" width=\"%.0f\" height=\"%.0f\">\n"
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"%s\"/>\n"
        "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"%d\">\n",
        -MARGIN, -MARGIN, w + 2 * MARGIN, h + 2 * MARGIN, w + 2 * MARGIN, h + 2 * MARGIN, -MARGIN, -MARGIN,
        w + 2 * MARGIN, h + 2 * MARGIN, palette->ground, SIZE);
    for (int y = 0; y < c->rows; y++) {
        const struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
        for (int x = 0, end; x < c->columns; x = end) {
            end = run_end(row, x, c->columns);
            const struct paint paint = paint_of(theme, &row[x], palette);
            if (*paint.ground)
                fprintf(f, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x * WIDTH,
                    y * HEIGHT, (end - x) * WIDTH, HEIGHT, paint.ground);
            if (row[x].fore) {
                fprintf(f, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x * WIDTH,
                    y * HEIGHT, (end - x) * WIDTH, HEIGHT / 2.0, paint.text);
                continue; /* fonts leave gaps between blocks */
            }
            for (int i = x; i < end; i++)
                if (arms_of(row[i].glyph)) put_lines(i, y, arms_of(row[i].glyph), &paint, f);
            svg_text(row, x, end, y, &paint, f);
        }
    }
    fputs("</g>\n</svg>\n", f);
}

/* ---- HTML ---- */

void picture_html(const struct cells *c, const struct theme *theme, enum picture_ground ground, FILE *f)
{
    const struct palette *palette = &palettes[ground];
    fprintf(f,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>gpudbg</title>\n</head>\n"
        "<body style=\"margin: 0; background: %s\">\n"
        "<pre style=\"margin: 0; padding: 6px; font: 14px/17px 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
        "color: %s\">\n",
        palette->ground, palette->text);
    for (int y = 0; y < c->rows; y++) {
        const struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
        for (int x = 0, end; x < c->columns; x = end) {
            end = run_end(row, x, c->columns);
            const struct paint paint = paint_of(theme, &row[x], palette);
            const bool plain = !strcmp(paint.text, palette->text) && !*paint.ground && !paint.attributes;
            if (!plain) {
                fprintf(f, "<span style=\"color: %s", paint.text);
                if (*paint.ground) fprintf(f, "; background: %s", paint.ground);
                if (paint.attributes & THEME_BOLD) fputs("; font-weight: bold", f);
                if (paint.attributes & THEME_DIM) fputs("; opacity: 0.65", f);
                if (paint.attributes & THEME_UNDERLINE) fputs("; text-decoration: underline", f);
                fputs("\">", f);
            }
            for (; x < end; x++) put_glyph(row[x].glyph, f);
            if (!plain) fputs("</span>", f);
        }
        fputc('\n', f);
    }
    fputs("</pre>\n</body>\n</html>\n", f);
}
