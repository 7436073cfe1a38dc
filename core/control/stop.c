/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c: breakpoints and watchpoints with their conditions; running until one of them says so; saying why it stopped.
 */
#include "image/image.h"
#include "control/stop.h"
#include "control/watched.h"
#include "check/check.h"
#include "past/origin.h"
#include "eval/expr.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "eval/locals.h"
#include "gpudbg/endian.h"
#include "eval/over_lanes.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "out/say.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

struct stops {
    struct stop_point **point; /* sorted by number */
    size_t n;
    int last;                          /* number given */
    struct stop_made made[STOPS_MADE]; /* a ring */
    size_t nmade;
    size_t met_at; /* which of its locations the latest stop's breakpoint was met at, from 1; 0: none */
};

struct stops *stops_new(void) { return xalloc(sizeof(struct stops)); }

static void point_free(struct stop_point *p)
{
    lines_free(&p->commands);
    free(p->location);
    past_free(&p->place);
    catch_free(&p->catching);
    free(p);
}

void stops_free(struct stops *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->n; i++) point_free(s->point[i]);
    free(s->point);
    free(s);
}

/* ---- The list ---- */

struct stop_point *stops_next(struct control *ctl, int after)
{
    size_t low = 0, high = ctl->stops ? ctl->stops->n : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ctl->stops->point[middle]->number > after)
            high = middle;
        else
            low = middle + 1;
    }
    return ctl->stops && low < ctl->stops->n ? ctl->stops->point[low] : NULL;
}

struct stop_point *stops_find(struct control *ctl, int number)
{
    struct stop_point *p = stops_next(ctl, number - 1);
    return p && p->number == number ? p : NULL;
}

struct stop_location *stop_location_at(const struct stop_point *p, uint64_t pc)
{
    for (size_t i = 0; i < p->nlocations; i++)
        if (p->location[i].pc == pc) return &p->location[i];
    return NULL;
}

struct stop_point *stops_at(struct control *ctl, uint64_t pc)
{
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number))
        if (stop_location_at(p, pc)) return p;
    return NULL;
}

static size_t shown_size(const struct stop_point *p)
{
    return p->place.size < sizeof p->now ? (size_t)p->place.size : sizeof p->now;
}

/* On: those of its locations that are on.  If one cannot be met, none is armed. */
static bool set_locations(struct gpudbg_machine *m, const struct stop_point *p, bool on, struct gpudbg_error *err)
{
    struct gpudbg_error ignored = {0};
    for (size_t i = 0; i < p->nlocations; i++) {
        if (on && !p->location[i].on) continue;
        if (machine_break(m, p->location[i].pc, p->number, on, err)) continue;
        while (i-- > 0) machine_break(m, p->location[i].pc, p->number, false, &ignored);
        return false;
    }
    return true;
}

static bool set_armed(struct control *ctl, struct stop_point *p, bool on, struct gpudbg_error *err)
{
    if (!ctl->eval->running->machine) return true;
    if (p->kind == STOP_BREAK) return set_locations(ctl->eval->running->machine, p, on, err);
    if (p->kind == STOP_CATCH) {
        if (on && !catch_applies(ctl->eval->running->machine->isa, p->catching.kind, err)) return false;
        catch_arm(ctl->eval->running->machine, p->catching.kind, p->number, on);
        return true;
    }
    past_disarm(ctl->eval, p->number);
    if (on) past_read(ctl->eval, &p->place, p->now, sizeof p->now);
    return !on || past_arm(ctl->eval, &p->place, p->number, p->reads, p->writes, err);
}

void stops_arm(struct control *ctl)
{
    struct gpudbg_error err = {0};
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        set_armed(ctl, p, false, &err);
        if (p->on) set_armed(ctl, p, true, &err); /* what a new launch does not have cannot be met */
    }
}

struct stop_point *stops_add(struct control *ctl, const struct stop_point *wanted, struct gpudbg_error *err)
{
    struct stops *s = ctl->stops;
    struct stop_point *p = xalloc(sizeof *p);
    s->point = xrealloc(s->point, s->n + 1, sizeof *s->point);
    *p = *wanted;
    const int highest = s->n ? s->point[s->n - 1]->number : 0; /* this one is not in the list yet */
    p->number = wanted->number > highest ? wanted->number : s->last + 1;
    if (p->on && !set_armed(ctl, p, true, err)) {
        free(p);
        return NULL;
    }
    if (p->number > s->last) s->last = p->number;
    return s->point[s->n++] = p;
}

bool stops_remove(struct control *ctl, int number, struct gpudbg_error *err)
{
    struct stops *s = ctl->stops;
    struct gpudbg_error ignored = {0};
    bool found = number == 0;
    for (size_t i = s->n; i-- > 0;) {
        struct stop_point *p = s->point[i];
        if (number && p->number != number) continue;
        found = true;
        set_armed(ctl, p, false, &ignored);
        point_free(p);
        memmove(s->point + i, s->point + i + 1, (--s->n - i) * sizeof(struct stop_point *));
    }
    return found || gpudbg_fail(err, "out-of-range", "there is no breakpoint or watchpoint %d", number);
}

/* ---- Lanes of a condition ---- */

enum { SCALAR = -1, VARIES = -2 }; /* else the lane that the condition names */

/* The file of registers with lanes that the name (behind '$') belongs to, or NULL; *end: behind name and number. */
static const struct gpudbg_regfile *laned_file(const struct gpudbg_isa *isa, const char *name, const char **end)
{
    size_t word = 0;
    while (isalpha((unsigned char)name[word]) || name[word] == '_') word++;
    for (size_t i = 0; i < isa->nfiles; i++) {
        const struct gpudbg_regfile *file = &isa->files[i];
        if ((file->lanes <= 1 && !file->mask) || strlen(file->name) != word || strncmp(file->name, name, word) != 0)
            continue;
        *end = name + word;
        if (file->indexed && **end == '[')
            *end += strcspn(*end, "]") + 1; /* $v[4:5] */
        else
            while (isdigit((unsigned char)**end)) ++*end;
        if (file->parts && **end == '.') *end += 1 + strspn(*end + 1, file->parts); /* $r0.x */
        return file;
    }
    return NULL;
}

/* Behind the bracket that closes the first one of the text. */
static const char *behind_brackets(const char *at)
{
    int depth = 0;
    bool ranged = false;
    const char *begin = at;
    for (; *at; at++) {
        if (*at == '(') depth++;
        if (*at == '[' && memchr(at, ':', strcspn(at, "]"))) ranged = true;
        if (*at == ')' && --depth == 0) break;
    }
    /* With a range of lanes, a register without one is that of a lane outside. */
    return ranged ? begin : *at ? at + 1 : at;
}

int stop_condition_lane(const struct gpudbg_isa *isa, const char *condition)
{
    int lane = SCALAR;
    const char *inside = condition; /* behind the latest function over lanes, which has no lane of its own */
    enum over_kind kind;
    for (const char *p = condition; *p; p++) {
        if (p >= inside && (p == condition || !isalnum((unsigned char)p[-1])) && over_function(p, &kind))
            inside = behind_brackets(p);
        if (*p != '$' || p < inside) continue;
        const char *end;
        const struct gpudbg_regfile *file = laned_file(isa, p + 1, &end);
        if (where_laned(p + 1)) return VARIES;
        if (!file) continue;
        if (*end == '[' && memchr(end, ':', strcspn(end, "]"))) continue; /* lanes of a function */
        if (*end == '[' && isdigit((unsigned char)end[1]))
            lane = atoi(end + 1);
        else if (!file->mask)
            return VARIES;
    }
    return lane;
}

/* ---- Running ---- */

struct stops_run {
    struct control *ctl;
    const struct machine_want *user;
    bool backwards;
    int number, lane;  /* of the stop accepted: forwards the first, backwards the latest */
    char trouble[160]; /* a condition that could not be evaluated */
    char also[40];     /* "; breakpoint 2, too" */
};

static bool holds_in(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int lane)
{
    struct gpudbg_error err = {0};
    bool is;
    if (expr_holds(r->ctl->eval, w->id, lane, p->condition, &is, &err)) return is;
    struct text t = text_in(r->trouble, sizeof r->trouble);
    text_add(&t, "its condition '%.40s' cannot be evaluated: %s", p->condition, err.message);
    return true;
}

/* Whether the point's condition holds for the wave, and for which lane (-1: no one lane). */
static bool holds(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int *lane)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const uint64_t did = p->kind == STOP_WATCH && !p->place.is_register ? machine_watch_lanes(w->machine, p->number)
                         : p->kind == STOP_CATCH && p->catching.lanes   ? p->catching.lanes
                                                                        : UINT64_MAX;
    const uint64_t active = did == UINT64_MAX ? isa->run->active(w) : did;
    const uint64_t its = p->kind == STOP_WATCH ? past_lanes(&p->place, w->machine) : 0;
    *lane = p->lane < 0 && its && !(its & (its - 1)) ? __builtin_ctzll(its) : p->lane;
    if (p->kind == STOP_CATCH && p->lane < 0 && p->catching.lanes) *lane = __builtin_ctzll(p->catching.lanes);
    if (p->lane >= 0 && !(active >> p->lane & 1)) return false;
    if (!p->condition[0]) return true;
    int named = stop_condition_lane(isa, p->condition);
    if (named == SCALAR && locals_named(r->ctl->eval, w->pc, p->condition)) named = VARIES;
    if (named >= 0 && *lane < 0) *lane = named;
    if (named != VARIES || p->lane >= 0) return holds_in(r, p, w, *lane);
    for (*lane = 0; *lane < isa->lanes && *lane < 64; ++*lane)
        if (active >> *lane & 1 && holds_in(r, p, w, *lane)) return true;
    return false;
}

/* ---- What a store did to watched memory ---- */

static unsigned element_size(const struct past_place *p)
{
    if (p->type.bits && p->size == p->type.bits / 8u) return p->type.bits / 8u;
    return p->element.bits ? p->element.bits / 8u : p->size < 4 ? (unsigned)p->size : 4;
}

/* Where in the value an address is; false: beside it. */
static bool offset_of(const struct past_place *p, uint64_t addr, uint64_t *offset)
{
    *offset = 0;
    for (size_t i = 0; i < p->npieces; *offset += p->piece[i++].size)
        if (addr >= p->piece[i].addr && addr - p->piece[i].addr < p->piece[i].size) {
            *offset += addr - p->piece[i].addr;
            return true;
        }
    return false;
}

static bool address_of(const struct past_place *p, uint64_t offset, uint64_t *addr)
{
    for (size_t i = 0; i < p->npieces; offset -= p->piece[i++].size)
        if (offset < p->piece[i].size) {
            *addr = p->piece[i].addr + offset;
            return true;
        }
    return false;
}

static int by_index(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The element's bytes now, and before all accesses of the instruction. */
static void element_bytes(struct control *ctl, struct stop_point *p, uint32_t wave)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    struct stop_stored *s = &p->stored;
    struct gpudbg_error err = {0};
    struct machine_access a;
    for (unsigned k = 0; k < s->size; k++) {
        uint64_t addr = 0;
        if (!address_of(&p->place, s->index * s->size + k, &addr)) continue;
        machine_peek(ctl->eval->running->machine, wave, p->place.space, addr, &s->now[k], 1, NULL, &err);
        s->old[k] = s->now[k];
        bool met = false;
        for (size_t i = 0; p->writes && !met && machine_watch_access(m, p->number, i, &a); i++) {
            met = addr >= a.addr && addr - a.addr < a.size;
            if (met) s->old[k] = a.old[addr - a.addr];
        }
    }
}

/* Finds the element that the hit is about: the first that was stored by the lane (-1: by any). */
static void take_stored(struct control *ctl, struct stop_point *p, uint32_t wave, int lane)
{
    struct stop_stored *s = &p->stored;
    struct machine_access a;
    uint64_t offset, *index = NULL;
    size_t n = 0, room = 0;
    *s = (struct stop_stored){.size = element_size(&p->place), .lane = -1};
    for (size_t i = 0; machine_watch_access(ctl->eval->running->machine, p->number, i, &a); i++)
        for (uint64_t at = 0; at < a.size; at++) {
            if (!offset_of(&p->place, a.addr + at, &offset)) continue;
            const uint64_t element = offset / s->size;
            if (!s->known && (lane < 0 || a.lane == lane)) {
                s->known = true;
                s->index = element;
                s->lane = a.lane;
            }
            if (n && index[n - 1] == element) continue;
            if (n == room) index = xrealloc(index, room = room ? 2 * room : 64, sizeof *index);
            index[n++] = element;
        }
    if (n) qsort(index, n, sizeof *index, by_index);
    for (size_t i = 0; i < n; i++) s->elements += !i || index[i] != index[i - 1];
    free(index);
    if (s->known) element_bytes(ctl, p, wave);
}

/* The element of a buffer that the hit is about, where it is as large as what is watched of it. */
static bool buffer_element(const struct control *ctl, const struct stop_point *p, struct buffer_place *place)
{
    uint64_t addr;
    return address_of(&p->place, p->stored.index * p->stored.size, &addr) &&
           buffer_place(ctl->eval, p->place.space, addr, place) && place->element.bits == 8u * p->stored.size;
}

/* "c[17]", "a+0x40", or what the user named. */
static void element_name(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    const int n = (int)strcspn(p->what, ",");
    struct buffer_place place;
    if (!p->place.type.bits && buffer_element(ctl, p, &place))
        text_put(buf, size, "%s", place.name);
    else if (p->place.size <= p->stored.size)
        text_put(buf, size, "%s", p->what);
    else if (p->place.element.bits)
        text_put(buf, size, "%.*s[%" PRIu64 "]", n, p->what, p->stored.index);
    else
        text_put(buf, size, "%.*s+0x%" PRIx64, n, p->what, p->stored.index * p->stored.size);
}

/* In the element's type; hex where its type is not known. */
static void element_text(
    const struct control *ctl, const struct stop_point *p, const unsigned char *bytes, char *buf, size_t size)
{
    struct value_type type = p->place.size <= p->stored.size ? p->place.type : p->place.element;
    struct buffer_place place;
    if (!type.bits && buffer_element(ctl, p, &place)) type = place.element;
    struct value v = {.type = type};
    uint64_t bits = 0;
    for (unsigned i = p->stored.size; i-- > 0;) bits = bits << 8 | bytes[i];
    if (!type.bits) {
        snprintf(buf, size, "0x%0*" PRIx64, (int)p->stored.size * 2, bits);
        return;
    }
    value_set_bits(&v, bits);
    value_text(ctl->eval, &v, 0, buf, size);
}

/* ---- What an instruction did to a watched register of many lanes ---- */

/* The lanes whose values differ, a bit each from lane 0 on. */
static uint64_t lanes_changed(const struct stop_point *p)
{
    const unsigned bytes = watched_lane_bytes(p);
    uint64_t changed = 0;
    for (unsigned i = 0; bytes && i < (unsigned)p->place.value.lanes; i++)
        if (memcmp(p->old + i * bytes, p->now + i * bytes, bytes) != 0)
            changed |= UINT64_C(1) << ((unsigned)p->place.value.lane + i);
    return changed;
}

/* "$v3[1]: 0 -> 1, and 59 more lanes" */
static void lanes_text(const struct control *ctl, const struct stop_point *p, char *name, size_t name_size, char *was,
    char *is, size_t value_size, char *buf, size_t size)
{
    const uint64_t changed = lanes_changed(p);
    const int n = __builtin_popcountll(changed), lane = changed ? __builtin_ctzll(changed) : ctl->eval->selection->lane;
    const struct gpudbg_regfile *f = &ctl->eval->running->machine->isa->files[p->place.value.file];
    const struct value *v = &p->place.value;
    char reg[64];
    gpudbg_register_name(f, v->reg, reg, sizeof reg);
    if (v->count > 1) snprintf(reg, sizeof reg, "%s[%u:%u]", f->name, v->reg, v->reg + v->count - 1u);
    text_put(name, name_size, "$%s[%d]", reg, lane);
    watched_lane_text(ctl, p, lane, p->old, was, value_size);
    watched_lane_text(ctl, p, lane, p->now, is, value_size);
    struct text t = text_in(buf, size);
    text_add(&t, "%s: %s", name, was);
    if (p->writes) text_add(&t, changed ? " -> %s" : ", and the same in all lanes", is);
    if (n > 1) text_add(&t, ", and %d more lane%s", n - 1, n > 2 ? "s" : "");
}

/* ---- */

/* Before an instruction that may write or read a watched register. */
static bool ask_about(void *data, struct gpudbg_wave *w, int number)
{
    struct stops_run *r = data;
    struct stop_point *p = stops_find(r->ctl, number);
    if (p && p->on && p->kind == STOP_CATCH) return catch_may(&p->catching, w);
    if (!p || !p->on || !past_about(r->ctl->eval, w, &p->place, p->reads, p->writes)) return false;
    past_read(r->ctl->eval, &p->place, p->before, sizeof p->before);
    p->its_pc = w->pc;
    return true;
}

static const char *kind_word(const struct stop_point *p)
{
    return p->kind == STOP_WATCH ? "watchpoint" : p->kind == STOP_CATCH ? "catchpoint" : "breakpoint";
}

static bool ask_hit(void *data, struct gpudbg_wave *w, int number)
{
    struct stops_run *r = data;
    struct stop_point *p = stops_find(r->ctl, number);
    int lane;
    if (!p || !p->on || (p->wave >= 0 && w->id != (uint32_t)p->wave)) return false;
    const bool again = r->number && !r->backwards;
    if (!again) r->trouble[0] = '\0';
    if (p->kind == STOP_CATCH && !catch_happened(&p->catching, w)) return false;
    if (p->kind == STOP_WATCH && past_unchanged(r->ctl->eval, &p->place, p->before)) return false;
    if (!holds(r, p, w, &lane)) return false;
    if (!r->backwards) {
        p->hits++;
        if (p->ignore) {
            p->ignore--;
            return false;
        }
    }
    const struct control_asked *asked = &r->ctl->asked;
    if (asked->met && !asked->met(asked->data, p, w, lane, r->backwards)) return false;
    if (p->kind == STOP_WATCH && p->place.is_register) {
        past_read(r->ctl->eval, &p->place, p->now, sizeof p->now);
        memcpy(p->old, p->before, sizeof p->old);
        p->pc = p->its_pc;
        if (lane < 0 && lanes_changed(p)) lane = __builtin_ctzll(lanes_changed(p));
    } else if (p->kind == STOP_WATCH) {
        if (p->place.space == GPUDBG_LOCAL) p->place.wave = w->id;
        past_read(r->ctl->eval, &p->place, p->now, sizeof p->now);
        memcpy(p->old, p->now, sizeof p->old);
        machine_watch_old(w->machine, number, p->old, shown_size(p));
        take_stored(r->ctl, p, w->id, lane);
        if (lane < 0) lane = p->stored.lane;
    }
    if (p->kind == STOP_CATCH) {
        p->caught = p->catching;
        p->caught.result = NULL;
    }
    if (r->backwards && r->number) stops_find(r->ctl, r->number)->met = false;
    p->met = true;
    if (again) {
        snprintf(r->also, sizeof r->also, "; %s %d, too", kind_word(p), number);
        return true;
    }
    r->number = number;
    r->lane = lane;
    return true;
}

/* Breakpoints at the instruction before which something else stopped are met as well: the next run would pass over
 * them. */
static void meet_here(struct stops_run *r)
{
    struct control *ctl = r->ctl;
    struct gpudbg_error ignored = {0};
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, ctl->eval->running->last.wave, &info);
    struct gpudbg_wave *w = machine_wave(ctl->eval->running->machine, ctl->eval->running->last.wave, &ignored);
    if (!w || info.state == GPUDBG_ENDED || info.state == GPUDBG_AT_BARRIER) return;
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        const struct stop_location *here = stop_location_at(p, ctl->eval->running->last.pc);
        if (!here || !here->on || p->met || !ask_hit(r, w, p->number)) continue;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP) {
            snprintf(r->also, sizeof r->also, "; breakpoint %d, too", p->number);
            continue;
        }
        ctl->eval->running->last.reason = GPUDBG_STOP_BREAKPOINT;
        ctl->eval->running->last.number = p->number;
    }
}

/* Takes away the temporary ones that were met. */
static bool remove_met(struct control *ctl, bool stopped, struct gpudbg_error *err)
{
    bool good = true;
    if (!stopped) return true; /* a search back that was given up */
    for (struct stop_point *p = stops_next(ctl, 0), *next; p; p = next) {
        next = stops_next(ctl, p->number);
        if (p->met && p->once) p->on = false;
        if (p->met && p->temporary) good = stops_remove(ctl, p->number, err) && good;
    }
    return good;
}

static bool ask_every(void *data, struct gpudbg_wave *w)
{
    const struct stops_run *r = data;
    return r->user->every(r->user->data, w);
}

static bool ask_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct stops_run *r = data;
    if (r->user->tick) return r->user->tick(r->user->data, done, todo);
    return ticker_goes_on(r->ctl->eval->ticker, done, todo);
}

/* "matmul+0x1a0: ds_read_b32 v7, v12 offset:64" */
static void describe_place(
    const struct control *ctl, const struct gpudbg_insn *insn, uint64_t pc, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_wrote(&t, image_where(ctl->eval->loaded->image, pc, buf, size));
    if (insn) text_add(&t, ": ");
    if (insn && text_room(&t)) {
        const unsigned syntax = settings_syntax(ctl->settings, insn->isa);
        struct code_names names;
        code_names_plain(&names, ctl->eval->loaded->image);
        text_wrote(&t, insn->isa->text(insn, syntax, GPUDBG_READABLE, &names.names, text_end(&t), text_room(&t)));
        code_names_close(&names);
    }
    text_mark_cut(&t);
}

static void describe_next(const struct control *ctl, uint64_t pc, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    describe_place(
        ctl, ctl->eval->loaded->image && insn_at(ctl->eval->loaded->image, pc, &insn) ? &insn : NULL, pc, buf, size);
}

static bool ended(const struct control *ctl, uint32_t wave)
{
    return machine_wave_ended(ctl->eval->running->machine, wave);
}

/* "3", or, of a breakpoint with several locations, which one stopped: "3.2". */
static void describe_number(struct control *ctl, char *buf, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct stop_point *p = s->reason == GPUDBG_STOP_BREAKPOINT ? stops_find(ctl, s->number) : NULL;
    const struct stop_location *l = p ? stop_location_at(p, s->pc) : NULL;
    ctl->stops->met_at = l ? (size_t)(l - p->location) + 1 : 0;
    struct text t = text_in(buf, size);
    text_add(&t, "%d", s->number);
    if (l && p->nlocations > 1) text_add(&t, ".%zu", ctl->stops->met_at);
}

/* The guilty instruction may be behind the wave, and so is shown where the report says. */
static void describe_check(struct control *ctl, struct text *t, const char *who)
{
    const struct check_report *r = checks_said(ctl->checks);
    char place[300], source[100];
    if (!r) return;
    describe_next(ctl, r->what.pc, place, sizeof place);
    const bool known = check_source(ctl->eval, r, source, sizeof source) > 0;
    text_add(t, "Check, %s at %s", who, place);
    if (known) text_add(t, " (%s)", source);
    text_add(t, ": %s", r->what.message);
}

static void describe_fault(struct control *ctl, struct text *t, const char *who, const char *place, const char *own)
{
    char source[100];
    text_add(t, "Fault, %s at %s", who, place);
    if (check_source_at(ctl->eval, ctl->eval->running->last.pc, source, sizeof source)) text_add(t, " (%s)", source);
    text_add(t, ": %s", own);
}

/* "; breakpoint 2, too; the condition could not be evaluated" */
static void describe_more(struct text *t, const struct stops_run *r)
{
    text_add(t, "%s%s%s", r->also, r->trouble[0] ? "; " : "", r->trouble);
}

static void describe_breakpoint(struct control *ctl, struct text *t, const char *who, const char *place)
{
    char number[24];
    describe_number(ctl, number, sizeof number);
    text_add(t, "Breakpoint %s, %s at %s", number, who, place);
}

/* Loads and stores do not jump: the instruction is the one before. */
static void describe_watchpoint(struct control *ctl, struct text *t, const char *who, char *place, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct stop_point *p = stops_find(ctl, s->number);
    struct gpudbg_insn before;
    if (p && p->place.is_register)
        describe_next(ctl, p->pc, place, size);
    else if (ctl->eval->loaded->image && insn_before(ctl->eval->loaded->image, s->pc, &before))
        describe_place(ctl, &before, before.addr, place, size);
    text_add(t, "Watchpoint %d (%s), %s after %s", s->number, p ? p->what : "", who, place);
}

static void describe_catchpoint(
    struct control *ctl, struct text *t, const char *who, char *place, size_t size, const char *own)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct stop_point *p = stops_find(ctl, s->number);
    if (p) describe_next(ctl, p->caught.pc, place, size);
    text_add(t, "Catchpoint %d (%s), %s %s %s%s%s", s->number, p ? p->what : "", who,
        p && p->catching.kind == CATCH_FAULT ? "at" : "after", place, own[0] ? ": " : "", own);
}

static void describe_done(const struct control *ctl, struct text *t)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    text_add(t, "Done: %u wave%s, %" PRIu64 " instructions", m->nwaves, m->nwaves == 1 ? "" : "s", machine_position(m));
}

/* Where the wave is: its next instruction, or why it has none. */
static void describe_where(const struct control *ctl, char *buf, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, s->wave, &info);
    if (info.lost_pc)
        snprintf(buf, size, "an unknown address");
    else if (info.state == GPUDBG_ENDED)
        snprintf(buf, size, "its end");
    else
        describe_next(ctl, s->pc, buf, size);
}

static void describe_other(const struct control *ctl, struct text *t, const char *who, const char *place, char *own)
{
    const uint32_t wave = ctl->eval->running->last.wave;
    if (ended(ctl, wave))
        text_add(t, "Wave %u has ended", wave);
    else if (own[0]) {
        own[0] = (char)toupper((unsigned char)own[0]);
        text_add(t, "%s", own);
    } else
        text_add(t, "W%s at %s", who + 1, place);
}

/* The line that a stop is reported by. */
static void describe(struct control *ctl, const struct stops_run *r)
{
    struct gpudbg_stop *s = &ctl->eval->running->last;
    char who[48], place[300], own[sizeof s->message];
    snprintf(own, sizeof own, "%s", s->message);
    struct text w = text_in(who, sizeof who), t = text_in(s->message, sizeof s->message);
    text_add(&w, "wave %u", s->wave);
    if (s->lane >= 0) text_add(&w, ", lane %d", s->lane);
    describe_where(ctl, place, sizeof place);
    switch (s->reason) {
    case GPUDBG_STOP_BREAKPOINT: describe_breakpoint(ctl, &t, who, place); break;
    case GPUDBG_STOP_WATCHPOINT: describe_watchpoint(ctl, &t, who, place, sizeof place); break;
    case GPUDBG_STOP_CATCH: describe_catchpoint(ctl, &t, who, place, sizeof place, own); break;
    case GPUDBG_STOP_DONE: describe_done(ctl, &t); break;
    case GPUDBG_STOP_CHECK: describe_check(ctl, &t, who); break;
    case GPUDBG_STOP_FAULT: describe_fault(ctl, &t, who, place, own); break;
    case GPUDBG_STOP_INTERRUPT: text_add(&t, "%s, %s at %s", own[0] ? own : "Interrupted", who, place); break;
    case GPUDBG_STOP_HISTORY_START: text_add(&t, "Start of history, %s at %s", who, place); break;
    default: describe_other(ctl, &t, who, place, own); break;
    }
    describe_more(&t, r);
    text_mark_cut(&t);
}

/* The commands of the point that stopped are to be run, by whoever ran the machine. */
static bool attach(struct control *ctl, const struct stop_point *p, struct gpudbg_error *err)
{
    lines_free(&ctl->attached);
    ctl->runs++;
    if (p && p->commands_off) p = NULL;
    ctl->attached.foreign = p && p->commands.foreign;
    ctl->silent = p && p->commands.n && line_is(p->commands.line[0], "silent");
    for (size_t i = ctl->silent; p && i < p->commands.n; i++)
        if (!lines_add(&ctl->attached, p->commands.line[i], 0, err)) return false;
    return true;
}

/* On the way back a watchpoint that is the only point which is on need not look at all of recorded time. */
static bool only_watch(struct control *ctl, struct machine_sieve *sieve)
{
    const struct stop_point *only = NULL;
    for (const struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        if (p->on && only) return false;
        if (p->on) only = p;
    }
    return only && only->kind == STOP_WATCH && (only->place.is_register || !only->reads) &&
           past_sieve(ctl->eval, &only->place, sieve);
}

static void note_made(struct control *ctl, const struct gpudbg_stop *s, bool point)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    if (!point && s->reason != GPUDBG_STOP_CHECK && s->reason != GPUDBG_STOP_FAULT) return;
    ctl->stops->made[ctl->stops->nmade++ % STOPS_MADE] = (struct stop_made){
        machine_futures(m), machine_position(m), point ? s->number : 0};
}

const struct stop_made *stops_made(const struct control *ctl, size_t i)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    const struct stops *s = ctl->stops;
    for (size_t k = s->nmade; m && k > 0 && k + STOPS_MADE > s->nmade; k--) {
        const struct stop_made *made = &s->made[(k - 1) % STOPS_MADE];
        const bool here = made->position <= machine_recorded(m) && !machine_forgot(m, made->future, made->position);
        if (here && !i--) return made;
    }
    return NULL;
}

void stops_forget(struct control *ctl) { ctl->stops->nmade = 0; }

bool stops_run(struct control *ctl, struct machine_want *want, struct gpudbg_error *err)
{
    if (!ctl->eval->running->machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    const uint64_t start = machine_position(ctl->eval->running->machine);
    struct stops_run r = {.ctl = ctl, .user = want, .lane = -1};
    struct machine_want run = *want;
    r.backwards = want->until == MACHINE_POSITION ? want->count < start : want->backwards;
    run.hit = ask_hit;
    run.about = ask_about;
    run.every = want->every ? ask_every : NULL;
    run.tick = ask_tick;
    run.data = &r;
    struct machine_sieve sieve;
    if (r.backwards && !want->every && want->stops && only_watch(ctl, &sieve)) run.sieve = &sieve;
    if (run.until == MACHINE_END || run.until == MACHINE_POSITION) run.wave = ctl->eval->selection->wave;
    run.limit = ctl->settings->step_limit;
    run.observed = !r.backwards && checks_watch(ctl->checks);
    if (run.observed && !checks_catch_up(ctl->checks, err)) return false;
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) p->met = false;
    ctl->eval->running->last = machine_run(ctl->eval->running->machine, &run);
    struct gpudbg_stop *s = &ctl->eval->running->last;
    if (run.observed && s->reason == GPUDBG_STOP_DONE && checks_left(ctl->checks)) s->reason = GPUDBG_STOP_CHECK;
    const bool ran = machine_position(ctl->eval->running->machine) > start;
    if (want->stops && ran && !r.backwards && s->reason != GPUDBG_STOP_DONE && s->reason != GPUDBG_STOP_FAULT)
        meet_here(&r);
    /* Somewhere in time, a wave that has ended there is less worth looking at than the one that runs. */
    const uint32_t next = machine_next_wave(ctl->eval->running->machine);
    if (run.until == MACHINE_POSITION && s->reason == GPUDBG_STOP_STEP && next != MACHINE_NO_WAVE &&
        ended(ctl, s->wave)) {
        struct machine_wave_info info;
        machine_wave_info(ctl->eval->running->machine, next, &info);
        s->wave = next;
        s->pc = info.pc;
    }
    if (s->reason == GPUDBG_STOP_CHECK && checks_said(ctl->checks)) {
        s->wave = checks_said(ctl->checks)->wave; /* another may be the next to run */
        s->pc = checks_said(ctl->checks)->what.pc;
    }
    const struct stop_point *met = s->reason == GPUDBG_STOP_WATCHPOINT || s->reason == GPUDBG_STOP_CATCH
                                       ? stops_find(ctl, s->number)
                                       : NULL;
    if (met && met->kind == STOP_CATCH) s->reason = GPUDBG_STOP_CATCH; /* the machine traces for both */
    const bool point = s->reason == GPUDBG_STOP_BREAKPOINT || met;
    note_made(ctl, s, point);
    if (point) s->lane = r.lane;
    if (s->reason != GPUDBG_STOP_DONE) ctl->eval->selection->wave = s->wave;
    if (s->lane >= 0) ctl->eval->selection->lane = s->lane;
    if (s->reason == GPUDBG_STOP_FAULT || (s->reason == GPUDBG_STOP_CATCH && met->catching.kind == CATCH_FAULT))
        ctl->eval->running->faulted = true;
    struct machine_history history;
    machine_history(ctl->eval->running->machine, &history);
    if (history.position > start && history.pages) ctl->eval->running->unsaved = true; /* something was stored */
    ctl->eval->selection->cursor = s->pc;
    describe(ctl, &r);
    const struct stop_point *p = point ? stops_find(ctl, s->number) : NULL;
    return attach(ctl, p, err) && remove_met(ctl, point || !r.backwards, err);
}

/* ---- Saying why ---- */

static const char *reason_word(enum gpudbg_reason reason)
{
    switch (reason) {
    case GPUDBG_STOP_BREAKPOINT: return "breakpoint";
    case GPUDBG_STOP_WATCHPOINT: return "watchpoint";
    case GPUDBG_STOP_CATCH: return "catch";
    case GPUDBG_STOP_DONE: return "done";
    case GPUDBG_STOP_FAULT: return "fault";
    case GPUDBG_STOP_CHECK: return "check";
    case GPUDBG_STOP_INTERRUPT: return "interrupt";
    case GPUDBG_STOP_HISTORY_START: return "history-start";
    default: return "step";
    }
}

/* "c[17]: 0 -> -3.75, wave 4, lane 1 (and 63 more elements)" */
static void stored_text(const struct control *ctl, const struct stop_point *p, const char *name, const char *was,
    const char *is, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (p->writes && (!p->reads || strcmp(was, is) != 0))
        text_add(&t, "%s: %s -> %s", name, was, is);
    else
        text_add(&t, "%s: %s", name, is);
    text_add(&t, ", wave %" PRIu32, ctl->eval->running->last.wave);
    if (p->stored.lane >= 0) text_add(&t, ", lane %d", p->stored.lane);
    if (p->stored.elements > 1)
        text_add(&t, " (and %" PRIu64 " more element%s)", p->stored.elements - 1, p->stored.elements > 2 ? "s" : "");
}

/* What a watchpoint saw, before and after. */
static void watch_record(struct control *ctl, struct gpudbg_out *out, const struct stop_point *p)
{
    char was[PAST_TEXT], is[PAST_TEXT], old[PAST_TEXT], now[PAST_TEXT], name[540] = "", sentence[1200];
    const bool parts = p->place.shape && !p->place.type.bits; /* all of it is shown, before and after */
    const bool stored = !p->place.is_register && p->stored.known && !parts, laned = watched_lane_bytes(p);
    struct buffer_place place;
    const bool typed = !stored || p->place.element.bits || p->place.size <= p->stored.size ||
                       buffer_element(ctl, p, &place);
    const size_t n = shown_size(p);
    past_text(ctl->eval, &p->place, p->old, old, sizeof old);
    past_text(ctl->eval, &p->place, p->now, now, sizeof now);
    past_number(ctl->eval, &p->place, p->old, was, sizeof was);
    past_number(ctl->eval, &p->place, p->now, is, sizeof is);
    if (stored) {
        element_name(ctl, p, name, sizeof name);
        element_text(ctl, p, p->stored.old, was, sizeof was);
        element_text(ctl, p, p->stored.now, is, sizeof is);
        stored_text(ctl, p, name, was, is, sentence, sizeof sentence);
    }
    if (laned) lanes_text(ctl, p, name, sizeof name, was, is, sizeof was, sentence, sizeof sentence);
    SAY(out, "[  {sentence}\n][  old {before}\n  new {after}\n]", BYTES("old", p->old, n), BYTES("new", p->now, n),
        STRING("old_value", typed && *was ? was : NULL), STRING("new_value", typed && *is ? is : NULL),
        STRING("element", stored || laned ? name : NULL),
        IF(stored || laned,
            NUMBER("elements", stored ? p->stored.elements : (uint64_t)__builtin_popcountll(lanes_changed(p)))),
        TEXT("sentence", stored || laned ? sentence : NULL), TEXT("before", stored || laned ? NULL : old),
        TEXT("after", stored || laned ? NULL : now));
}

/* What the address was computed from that a load or store could not use; "": it is another fault, or nobody knows. */
static void fault_address(struct control *ctl, const struct gpudbg_stop *s, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    buf[0] = 0;
    if (s->reason != GPUDBG_STOP_FAULT || !insn_at(ctl->eval->loaded->image, s->pc, &insn)) return;
    if (gpudbg_insn_does(&insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))
        origin_address_text(
            ctl->eval, s->wave, s->lane, machine_position(ctl->eval->running->machine), s->pc, buf, size);
}

void stop_report(struct control *ctl, struct gpudbg_out *out)
{
    if (!ctl->eval->running->machine) return;
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct stop_point *watch = s->reason == GPUDBG_STOP_WATCHPOINT ? stops_find(ctl, s->number) : NULL;
    const struct stop_point *caught = s->reason == GPUDBG_STOP_CATCH ? stops_find(ctl, s->number) : NULL;
    const struct catching_state *c = caught ? &caught->caught : NULL;
    const struct check_report *check = s->reason == GPUDBG_STOP_CHECK ? checks_said(ctl->checks) : NULL;
    struct check_report fault = {.what.pc = s->pc};
    struct machine_wave_info info;
    char where[200], address[600];
    fault_address(ctl, s, address, sizeof address);
    machine_wave_info(ctl->eval->running->machine, s->wave, &info);
    image_where(ctl->eval->loaded->image, s->pc, where, sizeof where);
    const bool lost = info.lost_pc && !check;
    fault.ncalls = check_calls(ctl->checks, s->wave, fault.call);
    BEGIN(out, "stop", "{message}\n[    {address}\n]", STRING("reason", reason_word(s->reason)),
        STRING("checker", check ? check->kind : NULL), NUMBER("wave", s->wave), NUMBERS("group", info.group_id, 3),
        IF(check && check->what.lanes, HEX("lanes", check ? check->what.lanes : 0)),
        IF(s->lane >= 0, NUMBER("lane", s->lane)), lost ? STRING("pc", "unknown") : HEX("pc", s->pc),
        STRING("where", lost ? "unknown" : where), IF(check && !info.lost_pc && info.pc != s->pc, HEX("next", info.pc)),
        STRING("address", *address ? address : NULL), TEXT("message", s->message));
    if (check || (s->reason == GPUDBG_STOP_FAULT && !lost)) check_frames(ctl->eval, check ? check : &fault, out);
    SAY(out, NULL, IF(s->number > 0, NUMBER("number", s->number)),
        IF(ctl->stops->met_at, NUMBER("location", ctl->stops->met_at)),
        NUMBER("position", machine_position(ctl->eval->running->machine)));
    if (watch) watch_record(ctl, out, watch);
    if (c)
        SAY(out, "[  {register} = {value}\n]", STRING("catch", catch_words[c->kind]), HEX("by", c->pc),
            IF(c->lanes, HEX("lanes", c->lanes)), STRING("register", *c->name ? c->name : NULL),
            STRING("value", *c->value ? c->value : NULL));
    SAY(out, NULL, STRING("message", s->message));
    gpudbg_out_end(out);
}
