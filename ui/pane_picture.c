/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_picture.c: memory as a picture, drawn again wherever the program stands, and a cursor on its texels.
 *
 *     picture  picture :8_uint 80x24 r 0 to 64
 *      .......::::::--==+
 *      ....[+]:::--=*#%@@
 *      [40,12] = 64 '@'  wave 17 lane 8, work-item 40,12, wrote it at 16,290
 *
 * Half blocks where there are 256 colours for them, else characters from dark to bright; a terminal that has kitty's
 * graphics or sixel shows each texel over these cells.  A picture that has more
 * texels than the pane has use for is sampled, so a key costs no more for it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/cmd_picture.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "graphics.h"
#include "inside.h"
#include "machine/item.h"
#include "machine/machine.h"
#include "past/past.h"

#define TEXELS 12000   /* that are read for a picture */
#define PIXELS 4000000 /* that a picture may have in the terminal */
#define QUICK 200000   /* instructions that may run again while one waits for who wrote a texel */

struct picture_pane {
    char what[128], format[64], size[64], options[128]; /* the words of `picture`; what "": the first that is offered */
    struct picture_asked *asked;                        /* of the state below; NULL: none */
    char wrong[200];                                    /* ... because of this */
    char words[400];
    const struct gpudbg_machine *machine;
    uint64_t future, position, edits;
    uint32_t x, y;           /* the cursor's texel, among those that were read */
    double scale;            /* of them a column has, and half a row */
    int left, columns, rows; /* that the picture takes */
    struct {
        char *bytes; /* for the terminal, of `pixels` and the sizes below; NULL: none */
        size_t n;
        uint64_t reading; /* which it is of */
        int columns, rows;
        struct graphics to;
    } sent;
    uint64_t readings; /* of the picture */
    struct {
        bool known, found, asked;
        uint64_t position; /* of the present, when it was asked */
        uint32_t x, y, wave;
        int lane;
        uint64_t at;
    } writer; /* of the texel under the cursor */
};

/* ---- What is shown ---- */

static void forget(struct picture_pane *v)
{
    if (v->asked) picture_unask(v->asked);
    free(v->asked);
    v->asked = NULL;
}

/* The words of `picture`; "": nothing is chosen, and nothing offered. */
static void words_of(struct pane *p, char *buf, size_t size)
{
    const struct picture_pane *v = p->own;
    struct offered o;
    buf[0] = 0;
    if (*v->what)
        text_put(buf, size, "%s %s %s %s", v->what, v->format, v->size, v->options);
    else if (picture_offered(&p->g->eval, 0, &o))
        text_put(buf, size, "%s %s %s %s", o.name, o.format, o.size, v->options);
}

/* Reads the picture again if anything has happened since.  false: there is none. */
static bool look(struct pane *p)
{
    struct picture_pane *v = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    struct machine_history history = {0};
    struct gpudbg_error err = {.offset = -1};
    char words[sizeof v->words];
    words_of(p, words, sizeof words);
    if (m) machine_history(m, &history);
    if (m && v->machine == m && v->future == machine_futures(m) && v->position == history.position &&
        v->edits == history.edits && strcmp(words, v->words) == 0)
        return v->asked != NULL;
    forget(v);
    v->writer.known = false;
    v->wrong[0] = 0;
    v->machine = m;
    if (!m || !*words) return false;
    v->future = machine_futures(m);
    v->position = history.position;
    v->edits = history.edits;
    text_put(v->words, sizeof v->words, "%s", words);
    v->asked = xalloc(sizeof *v->asked);
    v->asked->most = TEXELS;
    v->readings++;
    if (picture_ask(p->g, words, v->asked, &err)) return true;
    text_put(v->wrong, sizeof v->wrong, "%s", err.message);
    forget(v);
    return false;
}

/* ---- The texel under the cursor ---- */

static void cursor_fit(struct picture_pane *v)
{
    const struct texels *t = &v->asked->texels;
    if (v->x >= t->width) v->x = t->width - 1;
    if (v->y >= t->height) v->y = t->height - 1;
}

static uint64_t texel_address(const struct picture_pane *v)
{
    const struct picture *p = &v->asked->picture;
    const uint32_t every = v->asked->texels.every;
    return p->how->place(&p->is, (uint32_t)v->asked->level, v->x * every, v->y * every, (uint32_t)v->asked->slice);
}

static void texel_text(const struct picture_pane *v, char *buf, size_t size)
{
    const struct picture_asked *q = v->asked;
    const double *rgba = q->texels.rgba + 4 * ((size_t)v->y * q->texels.width + v->x);
    const unsigned have = q->picture.is.channels ? q->picture.is.channels : 15;
    struct text t = text_in(buf, size);
    text_add(&t, "[%" PRIu32 ",%" PRIu32 "] =", v->x * q->texels.every, v->y * q->texels.every);
    for (unsigned i = 0; i < 4; i++) {
        char number[40];
        if (!(have >> i & 1)) continue;
        picture_number_text(&q->picture.is, rgba[i], number, sizeof number);
        text_add(&t, " %s", number);
    }
    if (q->picture.is.block == 1 && rgba[0] >= ' ' && rgba[0] < 0x7f && q->picture.is.integer)
        text_add(&t, " '%c'", (int)rgba[0]);
}

/* Who wrote it last, asked of recorded time once. */
static void writer_look(struct pane *p, bool asked)
{
    struct picture_pane *v = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    struct past_place place = {0};
    struct past_write *w;
    struct gpudbg_error err = {0};
    char text[64];
    if (v->writer.known && v->writer.x == v->x && v->writer.y == v->y) return;
    v->writer.known = false;
    v->writer.asked = asked || machine_recorded(m) <= QUICK;
    if (!v->writer.asked) return;
    v->writer.x = v->x;
    v->writer.y = v->y;
    v->writer.known = true;
    v->writer.found = false;
    w = xalloc(sizeof *w);
    const unsigned block = v->asked->picture.is.block, bytes = block > 8 || (block & (block - 1)) ? 4 : block;
    snprintf(text, sizeof text, "*(u%u*)0x%" PRIx64, 8 * bytes, texel_address(v));
    if (past_named(&p->g->eval, p->g->selection.wave, text, &place, &err))
        past_last(&p->g->eval, &place, w, &v->writer.found, &err);
    v->writer.wave = w->wave;
    v->writer.lane = w->lanes ? __builtin_ctzll(w->lanes) : -1;
    v->writer.at = w->position;
    past_free(&place);
    free(w);
}

static void writer_text(struct pane *p, char *buf, size_t size)
{
    const struct picture_pane *v = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    struct machine_wave_info info;
    struct text t = text_in(buf, size);
    uint32_t local[3], global[3];
    char at[32];
    if (size) buf[0] = 0;
    if (!v->writer.known || v->writer.x != v->x || v->writer.y != v->y) {
        text_add(&t, "w looks for who wrote it");
        return;
    }
    if (!v->writer.found) {
        text_add(&t, "as launched: nothing has written it");
        return;
    }
    machine_wave_info(m, v->writer.wave, &info);
    grouped_text(v->writer.at, at, sizeof at);
    text_add(&t, "at %s by wave %" PRIu32, at, v->writer.wave);
    if (v->writer.lane < 0) return;
    machine_work_item(m, &info, (unsigned)v->writer.lane, local, global);
    text_add(&t, " lane %d, work-item %" PRIu32, v->writer.lane, global[0]);
    for (unsigned i = 1; i < m->launch->dimensions; i++) text_add(&t, ",%" PRIu32, global[i]);
}

/* ---- Drawing ---- */

static bool has_blocks(const struct pane *p, const struct area *a)
{
    const enum picture_way way = p->g->settings.picture;
    if (!a->cells->utf8 || way == PICTURE_CHARACTERS) return false;
    return way == PICTURE_BLOCKS || p->g->front.colours >= COLOURS_256;
}

/* So many texels to a column that all of it has room; of small ones several columns to a texel. */
static void fit(struct picture_pane *v, int w, int h)
{
    const struct texels *t = &v->asked->texels;
    const double least = fmax((double)t->width / w, (double)t->height / (2.0 * h));
    v->scale = least >= 1 ? least : 1 / floor(1 / least);
    v->columns = (int)ceil(t->width / v->scale - 1e-9);
    v->rows = (int)ceil(t->height / (2 * v->scale) - 1e-9);
    if (v->columns > w) v->columns = w;
    if (v->rows > h) v->rows = h;
    v->left = 0;
}

static void cells_draw(struct pane *p, const struct area *a, bool blocks)
{
    const struct picture_pane *v = p->own;
    for (int y = 0; y < v->rows; y++)
        for (int x = 0; x < v->columns; x++) {
            unsigned up[3], low[3];
            const double x0 = x * v->scale, y0 = 2 * y * v->scale, end = y0 + 2 * v->scale;
            picture_mean(v->asked, x0, y0, x0 + v->scale, blocks ? y0 + v->scale : end, up);
            if (!blocks) {
                const char c = picture_character(up);
                area_repeat(a, v->left + x, y, 1, STYLE_value, (uint32_t)c, c);
                continue;
            }
            picture_mean(v->asked, x0, y0 + v->scale, x0 + v->scale, end, low);
            area_halves(a, v->left + x, y, picture_nearest_256(up), picture_nearest_256(low));
        }
}

static bool same_tools(const struct graphics *a, const struct graphics *b)
{
    return a->kind == b->kind && a->cell_width == b->cell_width && a->cell_height == b->cell_height &&
           a->colours == b->colours;
}

/* The picture over its cells, where the terminal can show it there. */
static void graphics_draw(struct pane *p, const struct area *a)
{
    struct picture_pane *v = p->own;
    if (!a->cells->utf8 || !p->screen->terminal || !p->g->front.graphics) return;
    const struct picture_tools tools = picture_tools(p->g);
    const struct graphics *to = &tools.graphics;
    struct gpudbg_error err = {.offset = -1};
    if (to->kind <= GRAPHICS_NONE || (double)v->columns * to->cell_width * v->rows * to->cell_height > PIXELS) return;
    if (!v->sent.bytes || v->sent.reading != v->readings || v->sent.columns != v->columns || v->sent.rows != v->rows ||
        !same_tools(&v->sent.to, to)) {
        free(v->sent.bytes);
        v->sent.bytes = picture_graphics(to, v->asked, to->cell_width / v->scale, to->cell_height / (2 * v->scale),
            GRAPHICS_NUMBER, &v->sent.n, &err);
        v->sent.reading = v->readings;
        v->sent.columns = v->columns;
        v->sent.rows = v->rows;
        v->sent.to = *to;
    }
    if (v->sent.bytes)
        area_image(a, &(struct cells_image){
                          v->left, 0, v->columns, v->rows, to->kind == GRAPHICS_KITTY, v->sent.bytes, v->sent.n});
}

/* What to type where nothing is offered: with the name of a buffer of the launch. */
static const char *hint(const struct gpudbg_machine *m, char *buf, size_t size)
{
    if (!m) return "nothing is launched: `launch` starts the program";
    const char *name = NULL;
    for (size_t i = 0; !name && m->nspaces && i < m->space[GPUDBG_GLOBAL].count; i++)
        name = m->space[GPUDBG_GLOBAL].segment[i]->name;
    if (!name) return "no argument is a picture, and the launch has no buffer";
    snprintf(buf, size, "no argument is a picture: `pane type %s float4 64x64` makes one of a buffer", name);
    return buf;
}

static void draw(struct pane *p, const struct area *a)
{
    struct picture_pane *v = p->own;
    char text[300];
    const bool something = look(p);
    if (p->screen->live) v->machine = NULL; /* at the stop it is read again */
    if (!something) {
        area_text(a, 1, 0, STYLE_comment, *v->wrong ? v->wrong : hint(p->g->running.machine, text, sizeof text));
        return;
    }
    const bool foot = a->h >= 3;
    fit(v, a->w, a->h - foot);
    cursor_fit(v);
    cells_draw(p, a, has_blocks(p, a));
    graphics_draw(p, a);
    const int x = v->left + (int)(v->x / v->scale), y = (int)(v->y / (2 * v->scale));
    if (p->active) {
        writer_look(p, false);
        area_text(a, x, y, STYLE_cursor, "+"); /* over sixels, the terminal's own cursor alone */
        area_cursor(a, x, y, 1, STYLE_cursor);
    }
    if (!foot) return;
    texel_text(v, text, sizeof text);
    const int end = area_text(a, 1, a->h - 1, STYLE_value, text);
    writer_text(p, text, sizeof text);
    if (p->active || v->writer.known) area_text(a, end + 2, a->h - 1, STYLE_comment, text);
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct picture_pane *v = p->own;
    struct text t = text_in(buf, size);
    if (size) buf[0] = 0;
    if (!v->asked) return 0;
    const struct picture_asked *q = v->asked;
    char numbers[160], few[64] = "", low[40], high[40];
    picture_number_text(&q->picture.is, q->shades.low, low, sizeof low);
    picture_number_text(&q->picture.is, q->shades.high, high, sizeof high);
    snprintf(numbers, sizeof numbers, "%" PRIu32 "x%" PRIu32 "  %s %s to %s", q->texels.across, q->texels.down,
        q->shades.channels, low, high);
    if (q->texels.every > 1)
        snprintf(few, sizeof few, "  one texel of %" PRIu32 "x%" PRIu32, q->texels.every, q->texels.every);
    /* Names give way to numbers. */
    const size_t numbered = strlen(numbers) + strlen(few), format = strlen(q->picture.is.format) + 1,
                 named = strlen(q->what) + 1, room = p->columns > 11 ? (size_t)p->columns - 11 : 0;
    if (named + format + numbered <= room || !p->columns)
        text_add(&t, "%s %s ", q->what, q->picture.is.format);
    else if (named + numbered <= room)
        text_add(&t, "%s ", q->what);
    text_add(&t, "%s%s", numbers, few);
    return text_length(&t);
}

static int rows(struct pane *p) { return look(p) ? 0 : 2; /* it may not have been drawn yet */ }

/* ---- Actions ---- */

/* Copies what stands in for the words that were not typed, so that one of them can be changed. */
static bool settle(struct pane *p, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    struct offered o;
    if (*v->what && *v->format) return true;
    if (*v->what ? !picture_offered_named(&p->g->eval, v->what, &o) : !picture_offered(&p->g->eval, 0, &o))
        return gpudbg_fail(err, "not-now", "no buffer is shown: `pane type WHAT FORMAT WxH` chooses one");
    text_put(v->what, sizeof v->what, "%s", o.name);
    text_put(v->format, sizeof v->format, "%s", o.format);
    text_put(v->size, sizeof v->size, "%s", o.size);
    return true;
}

/* "WHAT [FORMAT WxH] [OPTIONS]", as behind `picture`; nothing: what is offered. */
static bool choose(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    struct picture_asked *q = xalloc(sizeof *q);
    const bool good = !*arg || picture_ask(p->g, arg, q, err);
    if (good) {
        text_put(v->what, sizeof v->what, "%s", q->what);
        text_put(v->format, sizeof v->format, "%s", q->format);
        text_put(v->size, sizeof v->size, "%s", q->size);
        v->options[0] = 0;
        for (const char *at = arg; at && !*v->options; at = strpbrk(at, " \t")) { /* the first word that is an option */
            static const char *const words[] = {"level ", "slice ", "range ", "channels "};
            at += strspn(at, " \t");
            for (size_t i = 0; i < sizeof words / sizeof *words && at != arg; i++)
                if (strncmp(at, words[i], strlen(words[i])) == 0) text_put(v->options, sizeof v->options, "%s", at);
            if (!*at) break;
        }
    }
    picture_unask(q);
    free(q);
    return good;
}

/* The next argument that is offered, or the one before. */
static bool step(struct pane *p, int by, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    struct offered o;
    size_t n = 0, at = 0;
    for (; picture_offered(&p->g->eval, n, &o); n++)
        if (strcmp(o.name, v->what) == 0) at = n;
    if (!n) return gpudbg_fail(err, "not-now", "no argument is a picture");
    at = by > 0 ? (at + 1) % n : (at + n - 1) % n;
    picture_offered(&p->g->eval, at, &o);
    text_put(v->what, sizeof v->what, "%s", o.name);
    text_put(v->format, sizeof v->format, "%s", o.format);
    text_put(v->size, sizeof v->size, "%s", o.size);
    v->options[0] = 0;
    return true;
}

static bool width_set(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    const unsigned long width = strtoul(arg, NULL, 10);
    if (!settle(p, err)) return false;
    char *x = strchr(v->size, 'x');
    const uint64_t texels = (uint64_t)strtoul(v->size, NULL, 10) * (x ? strtoul(x + 1, NULL, 10) : 1);
    if (!width || width > texels)
        return gpudbg_fail(err, "usage", "pane width needs the texels of a line, 1 to %" PRIu64, texels);
    snprintf(v->size, sizeof v->size, "%lux%" PRIu64, width, texels / width);
    return true;
}

static bool format_set(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    char old[sizeof v->format], words[400];
    struct picture_asked *q;
    if (!settle(p, err)) return false;
    text_put(old, sizeof old, "%s", v->format);
    text_put(v->format, sizeof v->format, "%s", arg);
    words_of(p, words, sizeof words);
    q = xalloc(sizeof *q);
    const bool good = picture_ask(p->g, words, q, err);
    picture_unask(q);
    free(q);
    if (!good) text_put(v->format, sizeof v->format, "%s", old);
    return good;
}

/* Selects who wrote the texel. */
static bool follow(struct pane *p, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    char line[160];
    writer_look(p, true);
    if (!v->writer.found) return gpudbg_fail(err, "not-now", "nothing has written this texel");
    p->g->selection.wave = v->writer.wave;
    if (v->writer.lane >= 0) p->g->selection.lane = v->writer.lane;
    writer_text(p, line, sizeof line);
    screen_say(p->screen, STYLE_text, "%s", line);
    return true;
}

static bool click(struct pane *p, const char *arg)
{
    struct picture_pane *v = p->own;
    const int row = atoi(arg), column = pane_click_column(arg) - v->left;
    if (row < 0 || row >= v->rows || column < 0 || column >= v->columns) return true;
    v->x = (uint32_t)(column * v->scale);
    v->y = (uint32_t)(row * 2 * v->scale);
    return true;
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct picture_pane *v = p->own;
    if (action == PANE_TYPE) return choose(p, arg, err);
    if (action == PANE_SEGMENT) return step(p, *arg == '-' ? -1 : 1, err);
    if (!look(p)) return gpudbg_fail(err, "not-now", "%s", *v->wrong ? v->wrong : "no picture is shown");
    const struct texels *t = &v->asked->texels;
    const uint32_t by = v->scale > 1 ? (uint32_t)v->scale : 1, page = by * (uint32_t)(v->rows > 2 ? v->rows : 2);
    cursor_fit(v);
    switch (action) {
    case PANE_LEFT: v->x -= v->x < by ? v->x : by; break;
    case PANE_RIGHT: v->x += by; break;
    case PANE_UP: v->y -= v->y < by ? v->y : by; break;
    case PANE_DOWN: v->y += by; break;
    case PANE_PAGE_UP:
    case PANE_HALF_UP:
    case PANE_SCROLL_UP: v->y -= v->y < page ? v->y : page; break;
    case PANE_PAGE_DOWN:
    case PANE_HALF_DOWN:
    case PANE_SCROLL_DOWN: v->y += page; break;
    case PANE_TOP: v->x = v->y = 0; break;
    case PANE_BOTTOM:
        v->x = t->width - 1;
        v->y = t->height - 1;
        break;
    case PANE_ROW: return click(p, arg);
    case PANE_WIDTH: return width_set(p, arg, err);
    case PANE_FORMAT: return format_set(p, arg, err);
    case PANE_FOLLOW: return follow(p, err);
    case PANE_HERE: writer_look(p, true); break;
    default: return gpudbg_fail(err, "unsupported", "pane %s has no action '%s'", p->name, pane_action_name(action));
    }
    cursor_fit(v);
    return true;
}

/* Of several channels the first that the texel has. */
static bool value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct picture_pane *v = p->own;
    if (!look(p)) return gpudbg_fail(err, "not-now", "no picture is shown");
    const struct gpudbg_picture *is = &v->asked->picture.is;
    unsigned channels = 0;
    for (unsigned i = 0; i < 4; i++) channels += (is->channels ? is->channels : 15u) >> i & 1;
    const unsigned bytes = channels && is->block % channels == 0 ? is->block / channels : is->block;
    const uint64_t at = texel_address(v);
    const char kind = is->integer ? (is->negative ? 'i' : 'u') : is->normalized ? 'u' : bytes >= 2 ? 'f' : 'u';
    if (bytes != 1 && bytes != 2 && bytes != 4)
        return gpudbg_fail(err, "unsupported", "texels of %s are no numbers in memory", is->format);
    static const char kinds[] = {[VALUE_SIGNED] = 'i', [VALUE_UNSIGNED] = 'u', [VALUE_FLOAT] = 'f'};
    struct buffer_place element;
    if (buffer_place(&p->g->eval, GPUDBG_GLOBAL, at, &element) && element.element.bits == 8 * bytes &&
        kinds[element.element.kind] == kind) {
        snprintf(buf, size, "%s", element.name); /* as people say it: picture[163] */
        return true;
    }
    snprintf(buf, size, "*(%c%u*)0x%" PRIx64, kind, 8 * bytes, at);
    const struct gpudbg_launch *l = p->g->running.machine->launch;
    for (size_t i = 0; i < l->nbound; i++) {
        const struct gpudbg_segment *s = l->bound[i].segment;
        if (s && at - s->base < s->size)
            snprintf(buf, size, "*(%c%u*)(%s+0x%" PRIx64 ")", kind, 8 * bytes, s->name, at - s->base);
    }
    return true;
}

static void close_picture(struct pane *p)
{
    struct picture_pane *v = p->own;
    forget(v);
    free(v->sent.bytes);
}

const struct pane_kind pane_picture = {
    .name = "picture",
    .summary = "memory as a picture; the cursor names a texel and who wrote it",
    .own = sizeof(struct picture_pane),
    .across = true,
    .fits = true,
    .live = true,
    .takes = PANE_BIT(SEGMENT) | PANE_BIT(TYPE) | PANE_BIT(WIDTH),
    .draw = draw,
    .title = title,
    .act = act,
    .value = value,
    .rows = rows,
    .close = close_picture,
};
