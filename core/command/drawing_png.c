/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawing_png.c: a drawing as PNG, by cairo.  Cairo and what it needs are loaded when a picture is written, not when
 * the program starts: few sessions draw one, and a machine without a screen's libraries has everything else.
 */
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include "command/drawing.h"

#ifdef __APPLE__
#define LIBRARY "libcairo.2.dylib"
#else
#define LIBRARY "libcairo.so.2"
#endif

#define SCALE 2.0
#define LARGEST 32767 /* pixels of a side: cairo's limit */

/* clang-format off */
#define FUNCTIONS(X) \
    X(create) X(destroy) X(status) X(status_to_string) X(scale) X(translate) X(save) X(restore) X(paint) \
    X(set_source_rgb) X(set_source_surface) X(get_source) X(set_line_width) X(rectangle) X(move_to) X(line_to) \
    X(fill_preserve) X(stroke) X(new_path) X(select_font_face) X(set_font_size) X(show_text) X(text_extents) \
    X(pattern_set_filter) X(surface_status) X(surface_destroy) X(image_surface_create) \
    X(image_surface_create_from_png_stream) X(image_surface_get_width) X(surface_write_to_png_stream)
/* clang-format on */

struct cairo {
#define X(name) __typeof__(&cairo_##name) name;
    FUNCTIONS(X)
#undef X
};

static bool load(struct cairo *c, struct gpudbg_error *err)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); /* stays: it keeps what it has read of the fonts */
    const char *missing = NULL;
    if (!library)
        return gpudbg_fail(err, "unsupported",
            "PNG is drawn by cairo, which is not here (package libcairo2): %s; "
            "svg needs no library",
            dlerror());
#define X(name) \
    if (!(*(void **)&c->name = dlsym(library, "cairo_" #name))) missing = "cairo_" #name;
    FUNCTIONS(X)
#undef X
    return !missing || gpudbg_fail(err, "unsupported", "%s has no %s", LIBRARY, missing);
}

static cairo_status_t put_bytes(void *to, const unsigned char *bytes, unsigned n)
{
    return fwrite(bytes, 1, n, to) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

struct reading {
    const uint8_t *at;
    size_t left;
};

static cairo_status_t take_bytes(void *data, unsigned char *bytes, unsigned n)
{
    struct reading *r = data;
    if (n > r->left) return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, r->at, n);
    r->at += n;
    r->left -= n;
    return CAIRO_STATUS_SUCCESS;
}

/* False: the class has no such colour. */
static bool colour(const struct cairo *c, cairo_t *to, enum drawing_colour of)
{
    const uint32_t rgb = drawing_light(of);
    if (of != COLOUR_none) c->set_source_rgb(to, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
    return of != COLOUR_none;
}

static void draw_image(const struct cairo *c, cairo_t *to, const struct drawing_shape *s)
{
    struct reading r = {s->data, s->n};
    cairo_surface_t *image = c->image_surface_create_from_png_stream(take_bytes, &r);
    const int width = c->surface_status(image) == CAIRO_STATUS_SUCCESS ? c->image_surface_get_width(image) : 0;
    if (width) {
        c->save(to);
        c->scale(to, s->w / width, s->w / width);
        c->set_source_surface(to, image, 0, 0);
        c->pattern_set_filter(c->get_source(to), CAIRO_FILTER_NEAREST);
        c->paint(to);
        c->restore(to);
    }
    c->surface_destroy(image);
}

/* The font that this machine has may be wider than the grid of characters: it is made as narrow as the grid. */
static void draw_text(const struct cairo *c, cairo_t *to, const struct drawing_shape *s, double letter)
{
    c->save(to);
    c->translate(to, s->x, s->y);
    c->scale(to, letter > DRAWING_CHAR ? DRAWING_CHAR / letter : 1, 1);
    c->move_to(to, 0, 0);
    c->show_text(to, s->data);
    c->restore(to);
    c->new_path(to);
}

static void draw(const struct cairo *c, cairo_t *to, const struct drawing_shape *s, double letter)
{
    double width;
    enum drawing_colour inside, line;
    const double *point = s->data;
    drawing_look(s->class, &inside, &line, &width);
    if (s->kind == DRAWING_IMAGE) {
        draw_image(c, to, s);
    } else if (s->kind == DRAWING_TEXT) {
        if (colour(c, to, inside)) draw_text(c, to, s, letter);
    } else {
        if (s->kind == DRAWING_RECT) c->rectangle(to, s->x, s->y, s->w, s->h);
        for (size_t i = 0; s->kind == DRAWING_PATH && i < s->n; i++)
            (i ? c->line_to : c->move_to)(to, point[2 * i], point[2 * i + 1]);
        if (colour(c, to, inside)) c->fill_preserve(to);
        c->set_line_width(to, width);
        if (colour(c, to, line)) c->stroke(to);
        c->new_path(to);
    }
}

bool drawing_png(const struct drawing *d, FILE *file, struct gpudbg_error *err)
{
    struct cairo c;
    cairo_text_extents_t m;
    const double w = ceil((d->width + 2 * DRAWING_MARGIN) * SCALE), h = ceil((d->height + 2 * DRAWING_MARGIN) * SCALE);
    if (w > LARGEST || h > LARGEST)
        return gpudbg_fail(err, "unsupported",
            "the picture would be %.0f x %.0f pixels, and a PNG has at most %d a side: "
            "svg has no such limit",
            w, h, LARGEST);
    if (!load(&c, err)) return false;
    cairo_surface_t *surface = c.image_surface_create(CAIRO_FORMAT_RGB24, (int)w, (int)h);
    cairo_t *to = c.create(surface);
    colour(&c, to, COLOUR_page);
    c.paint(to);
    c.scale(to, SCALE, SCALE);
    c.translate(to, DRAWING_MARGIN, DRAWING_MARGIN);
    c.select_font_face(to, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    c.set_font_size(to, DRAWING_LETTERS);
    c.text_extents(to, "M", &m);
    for (size_t i = 0; i < d->n; i++) draw(&c, to, &d->shape[i], m.x_advance);
    cairo_status_t status = c.status(to);
    if (status == CAIRO_STATUS_SUCCESS) status = c.surface_write_to_png_stream(surface, put_bytes, file);
    c.destroy(to);
    c.surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS) return true;
    return gpudbg_fail(
        err, status == CAIRO_STATUS_NO_MEMORY ? "memory" : "io", "cairo: %s", c.status_to_string(status));
}
