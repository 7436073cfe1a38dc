/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_points.c: breakpoints, watchpoints, displays and marks of a saved session; see session_opening.h. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "command/display.h"
#include "command/session_opening.h"
#include "control/point.h"
#include "control/stop.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "out/say.h"

#define PIECES_MOST 4096     /* of a watched place */
#define LOCATIONS_MOST 4096  /* of a breakpoint */
#define BOOKMARKS_MOST 10000 /* a list in order: each more costs more */
#define DISPLAYS_MOST 1000   /* all of them are shown at every stop */

/* ---- What lines of several kinds need ---- */

void opening_say(struct opening *o, const char *what, const char *why)
{
    RECORD(o->out, "session-note", "{what}: {why}\n", STRING("what", what), STRING("why", why));
}

bool opening_small(struct opening *o, struct saved_line *l, const char *what, uint64_t most, int *to)
{
    uint64_t n;
    if (!saved_number(l, what, most, &n, o->err)) return false;
    *to = (int)n;
    return true;
}

bool opening_space(struct opening *o, struct saved_line *l, unsigned *space)
{
    const struct gpudbg_machine *m = o->g->running.machine;
    const char *name = saved_next(l, "the memory", o->err);
    if (!name) return false;
    for (*space = 0; *space < m->nspaces; ++*space)
        if (strcmp(m->space[*space].name, name) == 0) return true;
    return gpudbg_fail(o->err, "no-such-name", "no memory is called \"%.40s\"", name);
}

/* ---- Points ---- */

static bool take_switch(struct opening *o, struct saved_line *l, bool *on)
{
    *on = saved_take(l, "on");
    return *on || saved_take(l, "off") || gpudbg_fail(o->err, "syntax", "on or off is missing");
}

static bool take_text(struct opening *o, struct saved_line *l, const char *what, char *to, size_t size)
{
    const char *text = saved_next(l, what, o->err);
    if (!text) return false;
    if (strlen(text) >= size) return gpudbg_fail(o->err, "too-large", "%s has more than %zu letters", what, size - 1);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool take_point(struct opening *o, struct saved_line *l, struct stop_point *p)
{
    const struct gpudbg_machine *m = o->g->running.machine;
    p->wave = p->lane = -1;
    if (!take_switch(o, l, &p->on)) return false;
    p->temporary = saved_take(l, "once");
    if (saved_take(l, "hits") && !saved_number(l, "the hits", UINT64_MAX, &p->hits, o->err)) return false;
    if (saved_take(l, "ignore") && !saved_number(l, "the count", UINT64_MAX, &p->ignore, o->err)) return false;
    if (saved_take(l, "wave") && !opening_small(o, l, "the wave", m ? m->nwaves - 1 : INT_MAX, &p->wave)) return false;
    if (saved_take(l, "lane") && !opening_small(o, l, "the lane", m ? m->lanes - 1 : 63, &p->lane)) return false;
    if (!saved_take(l, "what")) return gpudbg_fail(o->err, "syntax", "what it is about is missing");
    if (!take_text(o, l, "what it is about", p->what, sizeof p->what)) return false;
    return !saved_take(l, "if") || take_text(o, l, "the condition", p->condition, sizeof p->condition);
}

static bool take_point_number(struct opening *o, struct saved_line *l, int *number)
{
    if (!opening_small(o, l, "the number", INT_MAX - 1, number)) return false;
    struct stop_point *next = stops_next(&o->g->control, *number - 1);
    return (*number > 0 && !next) || gpudbg_fail(o->err, "out-of-range", "point %d is out of order", *number);
}

static bool take_locations(struct opening *o, struct saved_line *l, struct stop_point *p)
{
    while (saved_take(l, "at")) {
        struct gpudbg_insn insn;
        struct stop_location at;
        if (!saved_number(l, "the address", UINT64_MAX, &at.pc, o->err) || !take_switch(o, l, &at.on)) return false;
        if (p->nlocations == LOCATIONS_MOST)
            return gpudbg_fail(o->err, "too-large", "more than %d addresses", LOCATIONS_MOST);
        if (!insn_at(o->g->loaded.image, at.pc, &insn))
            return gpudbg_fail(o->err, "out-of-range", "0x%" PRIx64 ": no instruction starts there", at.pc);
        if (p->nlocations && p->location[p->nlocations - 1].pc >= at.pc)
            return gpudbg_fail(o->err, "out-of-range", "0x%" PRIx64 ": addresses ascend", at.pc);
        p->location = xrealloc(p->location, p->nlocations + 1, sizeof *p->location);
        p->location[p->nlocations++] = at;
    }
    return p->nlocations || gpudbg_fail(o->err, "syntax", "the addresses of the breakpoint are missing");
}

bool opening_break(struct opening *o, struct saved_line *l)
{
    struct stop_point p = {.kind = STOP_BREAK};
    const bool good = take_point_number(o, l, &p.number) && take_point(o, l, &p) && take_locations(o, l, &p) &&
                      saved_done(l, o->err) && stops_add(&o->g->control, &p, o->err);
    if (!good) free(p.location);
    return good;
}

static bool same_pieces(const struct past_place *a, const struct past_place *b)
{
    return !a->is_register && a->space == b->space && a->npieces == b->npieces &&
           memcmp(a->piece, b->piece, a->npieces * sizeof *a->piece) == 0;
}

/* memory SPACE KIND BITS ADDR SIZE ... */
static bool take_place(struct opening *o, struct saved_line *l, struct past_place *p)
{
    int kind, bits;
    if (!opening_space(o, l, &p->space) || !opening_small(o, l, "the kind of number", VALUE_FLOAT, &kind) ||
        !opening_small(o, l, "the bits", 64, &bits))
        return false;
    if (bits && bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return gpudbg_fail(o->err, "out-of-range", "a number of %d bits", bits);
    p->type = (struct value_type){(uint8_t)kind, (uint8_t)bits};
    while (saved_more(l)) {
        struct memory_piece piece;
        if (p->npieces == PIECES_MOST) return gpudbg_fail(o->err, "too-large", "more than %d pieces", PIECES_MOST);
        if (!saved_number(l, "the address", UINT64_MAX, &piece.addr, o->err) ||
            !saved_number(l, "the size", UINT64_MAX - piece.addr, &piece.size, o->err))
            return false;
        if (!piece.size || piece.size > (UINT64_C(1) << 40))
            return gpudbg_fail(o->err, "out-of-range", "a piece of %" PRIu64 " bytes cannot be watched", piece.size);
        p->piece = xrealloc(p->piece, p->npieces + 1, sizeof *p->piece);
        p->piece[p->npieces++] = piece;
        p->size += piece.size;
    }
    return p->npieces || gpudbg_fail(o->err, "syntax", "the memory that is watched is missing");
}

static bool take_followed(
    struct opening *o, uint32_t wave, uint64_t at, const char *text, struct stop_point *p, struct gpudbg_error *why)
{
    if (p->lane < 0) return gpudbg_fail(why, "syntax", "the lane of a variable is missing");
    if (past_followed(&o->g->eval, wave, p->lane, at, text, &p->place)) return true;
    return gpudbg_fail(why, "no-such-name", "no variable of that name has a place at 0x%" PRIx64, at);
}

bool opening_watch(struct opening *o, struct saved_line *l)
{
    struct stop_point p = {.kind = STOP_WATCH};
    struct past_place held = {0};
    struct gpudbg_error why = {.offset = -1};
    char text[sizeof((struct stop_point *)NULL)->what];
    struct selection *selection = &o->g->selection;
    int lane = selection->lane;
    uint64_t at = 0;
    bool followed = false;
    if (!take_point_number(o, l, &p.number)) return false;
    p.reads = saved_take(l, "r");
    p.writes = !p.reads && saved_take(l, "w");
    if (!p.reads && !p.writes) p.reads = p.writes = saved_take(l, "rw");
    if (!p.reads && !p.writes) return gpudbg_fail(o->err, "syntax", "r, w or rw is missing");
    if (!take_point(o, l, &p) || (saved_take(l, "memory") && !take_place(o, l, &held)) ||
        (saved_take(l, "register") && !opening_small(o, l, "the lane", 63, &lane)) ||
        ((followed = saved_take(l, "followed")) && !saved_number(l, "the address", UINT64_MAX, &at, o->err)) ||
        !saved_done(l, o->err)) {
        past_free(&held);
        return false;
    }
    snprintf(text, sizeof text, "%s", p.what);
    const uint32_t wave = p.wave >= 0 ? (uint32_t)p.wave : o->g->selection.wave;
    const int selected = selection->lane;
    selection->lane = lane; /* of a register whose lane is not named */
    bool good = followed ? take_followed(o, wave, at, text, &p, &why)
                         : past_named(&o->g->eval, wave, text, &p.place, &why) &&
                               point_all_lanes(&o->g->control, wave, p.what, &p, &why);
    selection->lane = selected;
    if (held.npieces && !(good && same_pieces(&p.place, &held))) { /* a variable, seen from elsewhere */
        past_free(&p.place);
        held.wave = wave;
        p.place = held;
        good = true;
    } else {
        past_free(&held);
    }
    if (good && stops_add(&o->g->control, &p, &why)) return true;
    past_free(&p.place);
    text_put(text, sizeof text, "watchpoint %d (%s) is not set", p.number, p.what);
    opening_say(o, text, why.message);
    return true;
}

bool opening_catch(struct opening *o, struct saved_line *l)
{
    struct stop_point p = {.kind = STOP_CATCH};
    return take_point_number(o, l, &p.number) && take_point(o, l, &p) && saved_done(l, o->err) &&
           catch_named(p.what, &p.catching.kind, o->err) &&
           catch_applies(o->g->running.machine->isa, p.catching.kind, o->err) && stops_add(&o->g->control, &p, o->err);
}

bool opening_commands(struct opening *o, struct saved_line *l)
{
    int number;
    if (!opening_small(o, l, "the number", INT_MAX - 1, &number)) return false;
    struct stop_point *p = stops_find(&o->g->control, number);
    struct line_list ignored = {0}, *to = p ? &p->commands : &ignored;
    if (!saved_more(l)) return gpudbg_fail(o->err, "syntax", "the commands are missing");
    bool good = true;
    while (good && saved_more(l))
        good = lines_add(to, saved_next(l, "a command", o->err), o->g->settings.script_limit, o->err);
    lines_free(&ignored);
    if (p) p->commands_off = true;
    return good;
}

/* ---- Displays, marks ---- */

bool opening_display(struct opening *o, struct saved_line *l)
{
    const char *letter = saved_next(l, "the format", o->err), *text;
    uint64_t size;
    if (!letter || !saved_number(l, "the size", 8, &size, o->err) ||
        !(text = saved_next(l, "the expression", o->err)) || !saved_done(l, o->err))
        return false;
    if (strlen(letter) != 1 || !strchr("-xduotfacizs", *letter))
        return gpudbg_fail(o->err, "syntax", "\"%.20s\" is not a format of `display`", letter);
    if (o->displays++ >= DISPLAYS_MOST) return gpudbg_fail(o->err, "too-large", "more than %d displays", DISPLAYS_MOST);
    return displays_add(o->g, *letter == '-' ? 0 : *letter, (unsigned)size, text, o->err);
}

static bool take_spot(struct opening *o, struct saved_line *l, struct mark_spot *s)
{
    uint64_t wave, line, dump;
    *s = (struct mark_spot){.lane = -1};
    if (saved_take(l, "position")) {
        s->timed = true;
        if (!saved_number(l, "the position", UINT64_MAX, &s->position, o->err) || !saved_take(l, "wave") ||
            !saved_number(l, "the wave", UINT32_MAX - 1, &wave, o->err) || !saved_take(l, "lane") ||
            !opening_small(o, l, "the lane", 63, &s->lane))
            return o->err->kind ? false : gpudbg_fail(o->err, "syntax", "wave and lane follow a position");
        s->wave = (uint32_t)wave;
        s->forgotten = saved_take(l, "forgotten");
    }
    if (saved_take(l, "place")) {
        s->placed = true;
        if (!saved_number(l, "the place", UINT64_MAX, &s->addr, o->err)) return false;
    }
    if (saved_take(l, "line")) {
        if (!saved_number(l, "the line", UINT32_MAX, &line, o->err) ||
            !saved_number(l, "the dump", UINT16_MAX, &dump, o->err))
            return false;
        if (dump + o->dumps >= o->g->loaded.ndumps)
            return gpudbg_fail(o->err, "out-of-range", "the session has no dump %" PRIu64, dump);
        s->line = (uint32_t)line;
        s->dump = (size_t)dump + o->dumps;
    }
    return saved_done(l, o->err);
}

bool opening_bookmark(struct opening *o, struct saved_line *l)
{
    struct mark_spot s;
    const char *name = saved_next(l, "the bookmark's name", o->err);
    if (!name || !marks_name_good(name, o->err) || !take_spot(o, l, &s)) return false;
    if (o->g->marks.nbookmarks >= BOOKMARKS_MOST)
        return gpudbg_fail(o->err, "too-large", "more than %d bookmarks", BOOKMARKS_MOST);
    marks_put(o->g, name, &s);
    return true;
}

bool opening_note(struct opening *o, struct saved_line *l)
{
    struct mark_spot s;
    const char *text = saved_next(l, "the note", o->err);
    if (!text || !take_spot(o, l, &s)) return false;
    marks_note(o->g, text, &s);
    return true;
}
