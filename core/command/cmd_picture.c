/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture, save image: images in memory. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/save.h"
#include "command/cmd_picture.h"
#include "eval/numbers.h"
#include "eval/expr.h"
#include "eval/image_picture.h"
#include "gpudbg/text.h"
#include "out/raster.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

#define COLUMNS 72 /* of a picture, if the width of the screen is not known */
#define LINES_MOST 40

static bool real_word(struct gpudbg *g, struct gpudbg_args *a, double *d, struct gpudbg_error *err)
{
    struct value v;
    const char *word = args_need(a, "the two ends of the range", err);
    if (!word || !expr_value(&g->eval, word, &v, err)) return false;
    *d = v.type.kind == VALUE_FLOAT ? v.f : v.type.kind == VALUE_SIGNED ? (double)v.i : (double)v.u;
    return true;
}

static bool read_option(
    struct gpudbg *g, struct gpudbg_args *a, const char *word, struct picture_asked *q, struct gpudbg_error *err)
{
    if (strcmp(word, "level") == 0) return args_value(a, "the level", &q->level, err);
    if (strcmp(word, "slice") == 0) return args_value(a, "the slice", &q->slice, err);
    if (strcmp(word, "range") == 0) {
        q->shades.ranged = true;
        return real_word(g, a, &q->shades.low, err) && real_word(g, a, &q->shades.high, err) &&
               (q->shades.high > q->shades.low ||
                   gpudbg_fail(err, "out-of-range", "range: %g is not above %g", q->shades.high, q->shades.low));
    }
    const char *channels = args_need(a, "the channels", err);
    if (!channels) return false;
    if (!*channels || strlen(channels) > 4 || strspn(channels, "rgba") != strlen(channels))
        return gpudbg_fail(err, "usage", "channels %.20s: write rgba, rgb, or one of r g b a", channels);
    snprintf(q->shades.channels, sizeof q->shades.channels, "%s", channels);
    return true;
}

/* WHAT [FORMAT WxH[xD]] [level N] [slice N] [channels rgba] [range LOW HIGH] */
static bool read_asked(struct gpudbg *g, struct gpudbg_args *a, struct picture_asked *q, struct gpudbg_error *err)
{
    const char *word = args_need(a, "an image: an argument, registers with its descriptor, or an address", err);
    if (!word) return false;
    snprintf(q->what, sizeof q->what, "%s", word);
    while ((word = gpudbg_args_word(a))) {
        const bool option = strcmp(word, "level") == 0 || strcmp(word, "slice") == 0 || strcmp(word, "range") == 0 ||
                            strcmp(word, "channels") == 0;
        if (option) {
            if (!read_option(g, a, word, q, err)) return false;
            continue;
        }
        if (*q->format)
            return gpudbg_fail(err, "usage", "%.40s: the options are level, slice, channels and range", word);
        snprintf(q->format, sizeof q->format, "%s", word);
        const char *size = args_need(a, "the size, WxH", err);
        if (!size) return false;
        if (!isdigit((unsigned char)*size) || !strchr(size, 'x'))
            return gpudbg_fail(err, "usage", "%.40s is not a size: write WHAT FORMAT WxH, as c float4 64x64", size);
        snprintf(q->size, sizeof q->size, "%s", size);
    }
    return true;
}

void picture_unask(struct picture_asked *q)
{
    picture_close(&q->picture);
    free(q->texels.rgba);
    free(q->pixels);
    q->texels.rgba = NULL;
    q->pixels = NULL;
}

static bool open_asked(struct gpudbg *g, struct picture_asked *q, struct gpudbg_error *err)
{
    const char *format = *q->format ? q->format : NULL;
    if (!picture_open(&g->eval, g, q->what, format, q->size, &q->picture, err)) return false;
    if (q->level > UINT32_MAX || q->slice > UINT32_MAX)
        return gpudbg_fail(err, "out-of-range", "level and slice are small numbers");
    const uint64_t texels = (uint64_t)q->picture.is.width * q->picture.is.height;
    const uint32_t every = q->most && texels > q->most ? (uint32_t)ceil(sqrt((double)texels / (double)q->most)) : 1;
    if (!picture_texels(
            &g->eval, &q->picture, &g->ticker, (uint32_t)q->level, (uint32_t)q->slice, every, &q->texels, err))
        return false;
    q->pixels = picture_pixels(&q->picture, &q->texels, &q->shades, err);
    return q->pixels != NULL;
}

bool picture_ask(struct gpudbg *g, const char *words, struct picture_asked *q, struct gpudbg_error *err)
{
    char *copy = xstrdup(words);
    struct gpudbg_args a = {.at = copy};
    const bool ok = read_asked(g, &a, q, err) && open_asked(g, q, err);
    free(copy);
    return ok;
}

/* ---- Showing ---- */

void picture_mean(const struct picture_asked *q, double x0, double y0, double x1, double y1, unsigned rgb[3])
{
    double sum[3] = {0}, n = 0;
    const uint32_t w = q->texels.width, h = q->texels.height;
    for (uint32_t y = (uint32_t)y0; y < h && (y < y1 || n == 0); y++)
        for (uint32_t x = (uint32_t)x0; x < w && (x < x1 || x == (uint32_t)x0); x++, n++)
            for (unsigned c = 0; c < 3; c++) {
                const uint8_t *p = q->pixels + 4 * ((size_t)y * w + x);
                sum[c] += p[c] * p[3] / 255.0;
            }
    for (unsigned c = 0; c < 3; c++) rgb[c] = n > 0 ? (unsigned)(sum[c] / n + 0.5) : 0;
}

/* A cube of 6x6x6 from 16 on, whose values are 0, 95, 135, ... 255, and 24 greys from 232 on. */
unsigned picture_nearest_256(const unsigned rgb[3])
{
    unsigned level[3], far_cube = 0, far_grey = 0;
    const unsigned mean = (rgb[0] + rgb[1] + rgb[2]) / 3, grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    for (unsigned c = 0; c < 3; c++) {
        level[c] = rgb[c] < 48 ? 0 : rgb[c] < 115 ? 1 : (rgb[c] - 35) / 40;
        const int cube = (int)rgb[c] - (level[c] ? 55 + 40 * (int)level[c] : 0);
        const int from_grey = (int)rgb[c] - (8 + 10 * (int)grey);
        far_cube += (unsigned)(cube * cube);
        far_grey += (unsigned)(from_grey * from_grey);
    }
    return far_grey < far_cube ? 232 + grey : 16 + 36 * level[0] + 6 * level[1] + level[2];
}

char picture_character(const unsigned rgb[3])
{
    static const char ramp[] = " .:-=+*#%@";
    return ramp[(2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2]) * 9 / (255 * 10000)];
}

static void put_colour(struct text *t, enum session_colours colours, unsigned ground, const unsigned rgb[3])
{
    if (colours == COLOURS_256)
        text_add(t, "\033[%u;5;%um", ground, picture_nearest_256(rgb));
    else
        text_add(t, "\033[%u;2;%u;%u;%um", ground, rgb[0], rgb[1], rgb[2]);
}

/* Half blocks if there are colours for them, else characters from dark to bright. */
static void draw_cells(enum session_colours colours, const struct picture_asked *q, struct gpudbg_out *out)
{
    uint32_t columns = q->texels.width < COLUMNS ? q->texels.width : COLUMNS;
    if (!colours && 2 * q->texels.width <= COLUMNS) columns = 2 * q->texels.width; /* two characters a texel */
    const double across = (double)q->texels.width / columns;
    double down = colours ? across : 2 * across; /* of half a line; of a line */
    const unsigned halves = colours ? 2 : 1;
    uint32_t lines = (uint32_t)ceil(q->texels.height / (down * halves));
    if (!lines) lines = 1;
    if (lines > LINES_MOST) {
        lines = LINES_MOST;
        down = (double)q->texels.height / (lines * halves);
    }
    for (uint32_t y = 0; y < lines; y++) {
        char line[COLUMNS * 48];
        struct text t = text_in(line, sizeof line);
        for (uint32_t x = 0; x < columns; x++) {
            unsigned up[3], low[3] = {0};
            const double x0 = x * across, y0 = y * halves * down;
            picture_mean(q, x0, y0, x0 + across, y0 + down, up);
            if (colours) picture_mean(q, x0, y0 + down, x0 + across, y0 + 2 * down, low);
            if (colours) {
                put_colour(&t, colours, 38, up);
                put_colour(&t, colours, 48, low);
                text_add(&t, "\xe2\x96\x80");
            } else
                text_add(&t, "%c", picture_character(up));
        }
        if (colours) {
            out_raw(out, line, t.n);
            out_raw(out, "\033[0m\n", 5);
        } else {
            gpudbg_out_print(out, "%s\n", line);
        }
    }
}

/* ---- Graphics ---- */

#define SIDE_MOST 480 /* pixels to which a small picture grows */
#define RASTER_MOST 4096
#define LINES_BESIDE 5 /* that the picture leaves: its facts, the prompt or the question below it */

static double least(double a, double b) { return a < b ? a : b; }

/* How many pixels of the terminal a texel takes: a whole number for small pictures, less than 1 for large ones. */
static double scale_of(const struct graphics *to, const struct texels *t)
{
    const unsigned rows = to->rows > LINES_BESIDE + 1 ? to->rows - LINES_BESIDE : 1;
    const double across = least(to->columns * (double)to->cell_width, RASTER_MOST) / t->width;
    const double down = least(rows * (double)to->cell_height, RASTER_MOST) / t->height;
    const double fits = least(across, down), side = t->width > t->height ? t->width : t->height;
    return fits < 1 ? fits : floor(fmax(1, least(fits, SIDE_MOST / side)));
}

/* Which of n texels pixel i of `pixels` shows: one of few, the mean of many. */
static void texels_of(uint32_t n, uint32_t pixels, uint32_t i, double *from, double *to)
{
    *from = (double)((uint64_t)i * n) / pixels;
    *to = (double)((uint64_t)(i + 1) * n) / pixels;
    if (n > pixels) return;
    *from = floor(*from);
    *to = *from + 1;
}

/* Its pixels: `bytes` 3, or with opaque alpha 4. */
static bool scaled(const struct picture_asked *q, double across, double down, struct raster *r, unsigned bytes,
    struct gpudbg_error *err)
{
    r->width = (uint32_t)fmax(1, floor(q->texels.width * across + 1e-6));
    r->height = (uint32_t)fmax(1, floor(q->texels.height * down + 1e-6));
    const size_t n = (size_t)r->width * r->height, row = (size_t)r->width * bytes;
    if (!(r->rgb = malloc(n * bytes))) return alloc_failed(err, n * bytes, "the picture");
    double y0, y1, above = -1, x0, x1;
    for (uint32_t y = 0; y < r->height; y++) {
        texels_of(q->texels.height, r->height, y, &y0, &y1);
        uint8_t *at = r->rgb + y * row;
        if (y0 == above) memcpy(at, at - row, row);
        for (uint32_t x = 0; y0 != above && x < r->width; x++) {
            unsigned rgb[3];
            texels_of(q->texels.width, r->width, x, &x0, &x1);
            picture_mean(q, x0, y0, x1, y1, rgb);
            for (unsigned c = 0; c < bytes; c++) *at++ = c < 3 ? (uint8_t)rgb[c] : 255;
        }
        above = y0;
    }
    return true;
}

char *picture_graphics(const struct graphics *to, const struct picture_asked *q, double across, double down,
    uint32_t number, size_t *n, struct gpudbg_error *err)
{
    struct raster r = {.rgb = NULL};
    char *bytes = NULL;
    size_t npng = 0;
    uint8_t *png = NULL;
    FILE *f = open_memstream(&bytes, n);
    bool ok = f || alloc_failed(err, 0, "the picture");
    if (ok && to->kind == GRAPHICS_SIXEL) {
        ok = scaled(q, across, down, &r, 3, err) && graphics_sixel(f, &r, to->colours, err);
    } else if (ok) {
        ok = scaled(q, across, down, &r, 4, err) && (png = picture_png(r.rgb, r.width, r.height, &npng, err));
        if (ok) graphics_kitty(f, png, npng, number);
    }
    if (f && fclose(f) && ok) ok = alloc_failed(err, *n, "the picture");
    free(png);
    free(r.rgb);
    if (ok) return bytes;
    free(bytes);
    return NULL;
}

static bool draw_graphics(
    const struct graphics *to, const struct picture_asked *q, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const double scale = scale_of(to, &q->texels);
    size_t n = 0;
    char *bytes = picture_graphics(to, q, scale, scale, 0, &n, err);
    if (!bytes) return false;
    out_raw(out, bytes, n);
    out_raw(out, "\n", 1);
    free(bytes);
    return true;
}

/* ---- What it is drawn with ---- */

struct picture_tools picture_tools(struct gpudbg *g)
{
    const enum picture_way wanted = g->settings.picture;
    struct picture_tools way = {.graphics = {GRAPHICS_NONE, 80, 24, 8, 16, 256}, .colours = g->front.colours};
    const bool asks = g->front.graphics && wanted != PICTURE_CHARACTERS && wanted != PICTURE_BLOCKS;
    if (asks) g->front.graphics(g->front.data, &g->front.drawn);
    if (asks) way.graphics = g->front.drawn;
    if (wanted == PICTURE_SIXEL) way.graphics.kind = GRAPHICS_SIXEL;
    if (wanted == PICTURE_KITTY) way.graphics.kind = GRAPHICS_KITTY;
    if (wanted == PICTURE_CHARACTERS) way.colours = COLOURS_FEW;
    if (wanted == PICTURE_BLOCKS && !way.colours) way.colours = COLOURS_24_BIT;
    return way;
}

static bool draw(
    const struct picture_tools *way, const struct picture_asked *q, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (way->graphics.kind > GRAPHICS_NONE) return draw_graphics(&way->graphics, q, out, err);
    draw_cells(way->colours, q, out);
    return true;
}

int picture_number_text(const struct gpudbg_picture *is, double n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, is->integer && n == floor(n) ? "%.0f" : "%.6g", n);
    if (!is->integer && strspn(buf, "-0123456789") == strlen(buf)) text_add(&t, ".0");
    return text_length(&t);
}

/* The line above the picture: its format, its size and the values that are black and white. */
static void show_facts(const struct picture_asked *q, struct gpudbg_out *out)
{
    const struct gpudbg_picture *p = &q->picture.is;
    char low[40], high[40];
    picture_number_text(p, q->shades.low, low, sizeof low);
    picture_number_text(p, q->shades.high, high, sizeof high);
    RECORD(out, "picture",
        "{expression}: {format}, {width}x{height}[ of level {level} of {levels}][, slice {slice} of {slices}], "
        "{channels} from {low_text} to {high_text}\n",
        STRING("expression", q->what), HEX("addr", p->address), STRING("format", p->format),
        NUMBER("width", q->texels.width), NUMBER("height", q->texels.height),
        IF(p->levels > 1, NUMBER("level", q->level)), IF(p->levels > 1, NUMBER("levels", p->levels)),
        IF(p->slices > 1 || p->depth > 1, NUMBER("slice", q->slice)),
        IF(p->slices > 1 || p->depth > 1, NUMBER("slices", p->depth > 1 ? p->depth : p->slices)),
        STRING("channels", q->shades.channels), REAL("low", q->shades.low), REAL("high", q->shades.high),
        TEXT("low_text", low), TEXT("high_text", high));
}

static bool run_picture(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct picture_asked *q = xalloc(sizeof *q);
    bool ok = read_asked(g, a, q, err) && open_asked(g, q, err);
    const bool drawn = ok && !gpudbg_out_json(out);
    const struct picture_tools way = drawn ? picture_tools(g) : (struct picture_tools){.colours = COLOURS_FEW};
    /* The cells of the screen have no such colours: the picture has the terminal to itself until it was seen. */
    const bool bright = way.colours || way.graphics.kind > GRAPHICS_NONE;
    struct gpudbg_out *apart = bright && g->front.away ? out_stream(stdout, false) : NULL;
    if (ok) show_facts(q, out);
    if (apart) {
        g->front.away(g->front.data, true);
        show_facts(q, apart);
        ok = draw(&way, q, apart, err);
        g->front.away(g->front.data, false);
        out_close(apart);
    } else if (drawn) {
        ok = draw(&way, q, out, err);
    }
    picture_unask(q);
    free(q);
    return ok;
}

#define WHAT_HELP                                                                                               \
    "WHAT     the name of an argument that is an image, or a buffer whose width another argument says;\n"       \
    "         $s[0:7], registers with a descriptor (T#); or the address of a descriptor in memory\n"            \
    "FORMAT   with a format and a size, WHAT is the address of the first texel of a linear image.  A format\n"  \
    "         is named as in OpenCL (uchar, float4), by a kind and its bits (u8, f32, unorm8x4), by channels\n" \
    "         (r8_uint, rgba8_unorm), or the manuals' own (8_8_8_8_srgb, R8G8B8A8_UNORM); where the chip's\n"   \
    "         images are known also bc1_unorm and the like, and a volume 8x8x8.  A / and the bytes\n"           \
    "         of a line may follow: r32_float/256\n"                                                            \
    "level N, slice N   of a mipmapped image, an array, a cube or a volume\n"                                   \
    "channels RGBA      those that are shown; one alone is grey.  Without it: those that the format has\n"      \
    "range LOW HIGH     the values that are black and white.  Without it: 0 and 1 of normalised formats, the\n" \
    "                   least and the largest value of others"

static const struct gpudbg_command picture_command = {
    .name = "picture",
    .usage = "WHAT [FORMAT WxH] [level N] [slice N] [channels RGBA] [range LOW HIGH]",
    .summary = "show an image in memory",
    .help = WHAT_HELP
    "\nTexels are what the program's own image loads give.  A terminal that says it has kitty's graphics or\n"
    "sixel shows every texel; one with 256 colours or more shows half blocks; others and a pipe show\n"
    "characters from dark to bright.  On the screen, press Enter to go back.  `set picture sixel` and its\n"
    "like choose one way, also for a pipe.  `save image` writes a PNG file.",
    .family = "Data",
    .run = run_picture,
    .complete = complete_expression,
};

/* Its PNG, malloc'ed; NULL with an error. */
static uint8_t *png_of(
    struct gpudbg *g, struct gpudbg_args *a, struct picture_asked *q, size_t *n, struct gpudbg_error *err)
{
    const bool ok = read_asked(g, a, q, err) && open_asked(g, q, err);
    return ok ? picture_png(q->pixels, q->texels.width, q->texels.height, n, err) : NULL;
}

bool picture_draw(struct gpudbg *g, const char *words, struct drawing *d, struct gpudbg_error *err)
{
    struct picture_asked *q = xalloc(sizeof *q);
    size_t n = 0;
    uint8_t *png = picture_ask(g, words, q, err) ? picture_png(q->pixels, q->texels.width, q->texels.height, &n, err)
                                                 : NULL;
    if (png) drawing_image(d, q->texels.width, q->texels.height, png, n);
    const bool drawn = png;
    free(png);
    picture_unask(q);
    free(q);
    return drawn;
}

static bool run_save_image(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct picture_asked *q = xalloc(sizeof *q);
    size_t n = 0;
    const char *path = args_need(a, "a file to write", err);
    snprintf(q->path, sizeof q->path, "%s", path ? path : "");
    uint8_t *png = path ? png_of(g, a, q, &n, err) : NULL;
    const bool ok = png && save_bytes(q->path, png, n, &g->ticker, err);
    free(png);
    if (ok) {
        show_facts(q, out);
        RECORD(out, "saved", "{file}: {size} bytes\n", STRING("name", q->what), STRING("file", q->path),
            NUMBER("size", n));
    }
    picture_unask(q);
    free(q);
    return ok;
}

static const struct gpudbg_command save_image = {
    .name = "save image",
    .usage = "FILE.png WHAT [FORMAT WxH] [level N] [slice N] [channels RGBA] [range LOW HIGH]",
    .summary = "write an image in memory to a PNG file",
    .help = WHAT_HELP,
    .family = "Data",
    .writes = true,
    .run = run_save_image,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&picture_command, &save_image, NULL};
COMMAND_FAMILY(cmd_picture, "pictures", .summary = "images in memory", .commands = commands);
