/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/drawing.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/raster.h"

#define X(name, light, dark, paper) [COLOUR_##name] = {#name, {light, dark, paper}},
static const struct {
    const char *name;
    unsigned of[3]; /* light, dark, paper */
} colours[] = {DRAWING_COLOURS(X)[COLOUR_none] = {"none", {0}}};
#undef X
#define X(class, inside, line, width) [DRAW_##class] = {#class, COLOUR_##inside, COLOUR_##line, width},
static const struct {
    const char *name;
    enum drawing_colour inside, line;
    double width;
} classes[] = {DRAWING_CLASSES(X)};
#undef X

/* ---- Shapes ---- */

void drawing_open(struct drawing *d) { *d = (struct drawing){.n = 0}; }

void drawing_close(struct drawing *d)
{
    for (size_t i = 0; i < d->n; i++) free(d->shape[i].data);
    free(d->shape);
    drawing_open(d);
}

static void reach(struct drawing *d, double x, double y)
{
    if (x > d->width) d->width = x;
    if (y > d->height) d->height = y;
}

/* Adds a shape with a copy of `size` bytes of data, which a zero follows. */
static void add(struct drawing *d, struct drawing_shape shape, const void *data, size_t size)
{
    if (d->n == d->room) d->shape = xgrow(d->shape, d->n, &d->room, sizeof *d->shape);
    if (data) {
        shape.data = memcpy(xalloc(size + 1), data, size);
    }
    d->shape[d->n++] = shape;
}

void drawing_rect(struct drawing *d, double x, double y, double w, double h, enum drawing_class class)
{
    reach(d, x + w, y + h);
    add(d, (struct drawing_shape){.kind = DRAWING_RECT, .class = class, .x = x, .y = y, .w = w, .h = h}, NULL, 0);
}

void drawing_image(struct drawing *d, double w, double h, const uint8_t *png, size_t n)
{
    const double scale = w * 2 > 640 ? 1 : (double)(int)(640 / w);
    reach(d, w * scale, h * scale);
    add(d, (struct drawing_shape){.kind = DRAWING_IMAGE, .w = w * scale, .h = h * scale, .n = n}, png, n);
}

void drawing_path(struct drawing *d, const double *points, size_t n, enum drawing_class class)
{
    for (size_t i = 0; i < n; i++) reach(d, points[2 * i], points[2 * i + 1]);
    add(d, (struct drawing_shape){.kind = DRAWING_PATH, .class = class, .n = n}, points, 2 * n * sizeof *points);
}

void drawing_text(struct drawing *d, double x, double y, enum drawing_class class, const char *text)
{
    size_t n = 0;
    for (const char *c = text; *c; c++) n += ((unsigned char)*c & 0xc0) != 0x80;
    reach(d, x + (double)n * DRAWING_CHAR, y + 4);
    n = strlen(text);
    add(d, (struct drawing_shape){.kind = DRAWING_TEXT, .class = class, .x = x, .y = y, .n = n}, text, n);
}

double drawing_lines(struct drawing *d, double x, double y, const char *text)
{
    char *copy = xstrdup(text), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (!rest && !*line) break;
        drawing_text(d, x, y += DRAWING_LINE, DRAW_ink, line);
    }
    free(copy);
    return y;
}

void drawing_look(enum drawing_class class, enum drawing_colour *inside, enum drawing_colour *line, double *width)
{
    *inside = classes[class].inside;
    *line = classes[class].line;
    *width = classes[class].width;
}

uint32_t drawing_light(enum drawing_colour c) { return colours[c].of[0]; }

/* ---- SVG ---- */

static void put_colours(FILE *to, const char *open, int column, const char *close)
{
    fputs(open, to);
    for (int i = 0; i < COLOUR_none; i++)
        fprintf(to, "%s--%s:#%06x", i ? ";" : "", colours[i].name, colours[i].of[column]);
    fputs(close, to);
}

static void put_colour(FILE *to, const char *property, enum drawing_colour c)
{
    fprintf(to, c == COLOUR_none ? "%s:%s" : "%s:var(--%s)", property, colours[c].name);
}

void drawing_style(FILE *to)
{
    put_colours(to, ":root{", 0, "}\n");
    put_colours(to, "@media (prefers-color-scheme: dark){:root{", 1, "}}\n");
    put_colours(to, "@media print{:root{", 2, "}pre{white-space:pre-wrap}}\n");
    fprintf(to,
        "svg{background:var(--page);max-width:100%%;height:auto}\nsvg text{font:%dpx ui-monospace,'DejaVu Sans Mono',"
        "Menlo,monospace;white-space:pre}\n",
        DRAWING_LETTERS);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        fprintf(to, ".%s{", classes[i].name);
        put_colour(to, "fill", classes[i].inside);
        if (classes[i].line != COLOUR_none) {
            put_colour(to, ";stroke", classes[i].line);
            fprintf(to, ";stroke-width:%g", classes[i].width);
        }
        fputs("}\n", to);
    }
}

void drawing_escape(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("&lt;", to);
        else if (*c == '>')
            fputs("&gt;", to);
        else if (*c == '&')
            fputs("&amp;", to);
        else if (*c == '"')
            fputs("&quot;", to);
        else if ((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t')
            fputc(*c, to);
}

static void put_shape(FILE *to, const struct drawing_shape *s)
{
    const char *class = classes[s->class].name;
    const double *point = s->data;
    switch (s->kind) {
    case DRAWING_RECT:
        fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", s->x, s->y, s->w,
            s->h, class);
        break;
    case DRAWING_PATH:
        fprintf(to, "<path class=\"%s\" d=\"", class);
        for (size_t i = 0; i < s->n; i++) fprintf(to, "%s%.1f %.1f", i ? "L" : "M", point[2 * i], point[2 * i + 1]);
        fputs("\"/>\n", to);
        break;
    case DRAWING_TEXT:
        fprintf(to, "<text xml:space=\"preserve\" x=\"%.1f\" y=\"%.1f\" class=\"%s\">", s->x, s->y, class);
        drawing_escape(to, s->data);
        fputs("</text>\n", to);
        break;
    case DRAWING_IMAGE:
        fprintf(to,
            "<image width=\"%.1f\" height=\"%.1f\" style=\"image-rendering:pixelated\" "
            "href=\"data:image/png;base64,",
            s->w, s->h);
        raster_base64(to, s->data, s->n);
        fputs("\"/>\n", to);
        break;
    }
}

void drawing_svg(const struct drawing *d, FILE *to, int alone)
{
    const double m = DRAWING_MARGIN, w = d->width + 2 * m, h = d->height + 2 * m;
    fprintf(to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f %.0f %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
        -m, -m, w, h, w, h);
    if (alone) {
        fputs("<style>", to);
        drawing_style(to);
        fputs("</style>\n", to);
        put_shape(
            to, &(struct drawing_shape){.kind = DRAWING_RECT, .class = DRAW_page, .x = -m, .y = -m, .w = w, .h = h});
    }
    for (size_t i = 0; i < d->n; i++) put_shape(to, &d->shape[i]);
    fputs("</svg>\n", to);
}
