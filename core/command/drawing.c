/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/drawing.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/raster.h"

#define MARGIN 8.0

const char drawing_style[] =
    ":root{--page:#ffffff;--ink:#1b1f24;--dim:#6a737d;--box:#f2f4f7;--edge:#8c959f;--back:#b35900;--hot:#d1242f;"
    "--cold:#54aeff;--mark:#0969da;--on:#7bb662;--off:#d8dee4}\n"
    "@media (prefers-color-scheme: dark){:root{--page:#14171b;--ink:#e3e6ea;--dim:#8b949e;--box:#22272e;--edge:#768390;"
    "--back:#f0a34a;--hot:#ff7b72;--cold:#388bfd;--mark:#79c0ff;--on:#57ab5a;--off:#373e47}}\n"
    "@media print{:root{--page:#ffffff;--ink:#000000;--dim:#444444;--box:#ffffff;--edge:#444444;--back:#000000;"
    "--hot:#555555;--cold:#bbbbbb;--mark:#000000;--on:#999999;--off:#eeeeee}pre{white-space:pre-wrap}}\n"
    "svg{background:var(--page);max-width:100%;height:auto}\n"
    "svg text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,monospace;fill:var(--ink);white-space:pre}\n"
    ".dim{fill:var(--dim)!important}.mark{fill:var(--mark)!important}.box{fill:var(--box);stroke:var(--edge)}"
    ".here{fill:var(--box);stroke:var(--mark);stroke-width:2}.hot{fill:var(--hot)}.cold{fill:var(--cold)}"
    ".on{fill:var(--on)}.off{fill:var(--off)}.edge{fill:none;stroke:var(--edge);stroke-width:1.3}"
    ".back{fill:none;stroke:var(--back);stroke-width:1.8}.page{fill:var(--page)}\n";

void drawing_open(struct drawing *d)
{
    *d = (struct drawing){.to = NULL};
    d->to = open_memstream(&d->text, &d->n);
    if (!d->to) xalloc_end();
}

static void reach(struct drawing *d, double x, double y)
{
    if (x > d->width) d->width = x;
    if (y > d->height) d->height = y;
}

void drawing_rect(struct drawing *d, double x, double y, double w, double h, const char *class)
{
    reach(d, x + w, y + h);
    fprintf(d->to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, w, h, class);
}

void drawing_image(struct drawing *d, double w, double h, const uint8_t *png, size_t n)
{
    const double scale = w * 2 > 640 ? 1 : (double)(int)(640 / w);
    fprintf(d->to,
        "<image width=\"%.1f\" height=\"%.1f\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,",
        w * scale, h * scale);
    raster_base64(d->to, png, n);
    fputs("\"/>\n", d->to);
    reach(d, w * scale, h * scale);
}

void drawing_path(struct drawing *d, const double *points, size_t n, const char *class)
{
    fprintf(d->to, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < n; i++) {
        fprintf(d->to, "%s%.1f %.1f", i ? "L" : "M", points[2 * i], points[2 * i + 1]);
        reach(d, points[2 * i], points[2 * i + 1]);
    }
    fprintf(d->to, "\"/>\n");
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

void drawing_text(struct drawing *d, double x, double y, const char *class, const char *text)
{
    size_t n = 0;
    for (const char *c = text; *c; c++) n += ((unsigned char)*c & 0xc0) != 0x80;
    reach(d, x + (double)n * DRAWING_CHAR, y + 4);
    fprintf(d->to, "<text xml:space=\"preserve\" x=\"%.1f\" y=\"%.1f\"", x, y);
    if (class) fprintf(d->to, " class=\"%s\"", class);
    fputc('>', d->to);
    drawing_escape(d->to, text);
    fputs("</text>\n", d->to);
}

double drawing_lines(struct drawing *d, double x, double y, const char *text)
{
    char *copy = xstrdup(text), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (!rest && !*line) break;
        drawing_text(d, x, y += DRAWING_LINE, NULL, line);
    }
    free(copy);
    return y;
}

void drawing_write(struct drawing *d, FILE *to, int alone)
{
    const double w = d->width + MARGIN, h = d->height + MARGIN;
    fflush(d->to);
    fprintf(to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f %.0f %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
        -MARGIN, -MARGIN, w + MARGIN, h + MARGIN, w + MARGIN, h + MARGIN);
    if (alone) {
        fprintf(to, "<style>%s</style>\n", drawing_style);
        fprintf(to, "<rect class=\"page\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>\n", -MARGIN, -MARGIN,
            w + MARGIN, h + MARGIN);
    }
    fwrite(d->text, 1, d->n, to);
    fputs("</svg>\n", to);
}

void drawing_close(struct drawing *d)
{
    if (d->to) fclose(d->to);
    free(d->text);
    *d = (struct drawing){.to = NULL};
}
