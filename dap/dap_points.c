/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Breakpoints: the client sends whole lists, of a source, of functions, of instructions, of data.  What it sends again
 * stays as it is, with its hits; what cannot be set yet is tried again when something is launched.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "control/point.h"
#include "dap/client.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define POINTS_MOST 10000 /* of one list */

/* ---- Hits and log messages ---- */

static struct dap_point *point_of(struct dap *d, int number)
{
    for (size_t i = 0; number && i < d->npoints; i++)
        if (d->point[i].number == number) return &d->point[i];
    return NULL;
}

/* "5", ">= 5", "== 5", "> 5", "< 5", "<= 5", "% 5" */
static bool take_hits(struct dap_point *p, const char *text, struct gpudbg_error *err)
{
    static const struct {
        const char *word;
        enum dap_hits hits;
    } ways[] = {{">=", HITS_FROM}, {"==", HITS_IS}, {"<=", HITS_UPTO}, {">", HITS_ABOVE}, {"<", HITS_BELOW},
        {"=", HITS_IS}, {"%", HITS_EVERY}, {"", HITS_FROM}};
    const char *at = text + strspn(text, " ");
    char *end;
    if (!*at) return true;
    size_t i = 0;
    while (strncmp(at, ways[i].word, strlen(ways[i].word)) != 0) i++;
    at += strlen(ways[i].word);
    at += strspn(at, " ");
    p->hits = ways[i].hits;
    p->hit_count = strtoull(at, &end, 10);
    end += strspn(end, " ");
    return (isdigit((unsigned char)*at) && !*end && (p->hit_count || p->hits != HITS_EVERY)) ||
           gpudbg_fail(err, "usage",
               "the hit condition \"%.60s\" is not a count (5: from the fifth hit on) with "
               ">= > == <= < or %% before it",
               text);
}

static bool hits_hold(const struct dap_point *p, uint64_t n)
{
    switch (p->hits) {
    case HITS_FROM: return n >= p->hit_count;
    case HITS_IS: return n == p->hit_count;
    case HITS_ABOVE: return n > p->hit_count;
    case HITS_BELOW: return n < p->hit_count;
    case HITS_UPTO: return n <= p->hit_count;
    case HITS_EVERY: return n % p->hit_count == 0;
    default: return true;
    }
}

/* The message with what stands in {} evaluated where the wave stands. */
static void log_message(struct dap *d, const char *message, uint32_t wave, int lane)
{
    struct selection *s = &d->g->selection;
    const uint32_t wave_before = s->wave;
    const int lane_before = s->lane;
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    s->wave = wave;
    if (lane >= 0) s->lane = lane;
    for (const char *at = message; *at;) {
        const char *close = *at == '{' ? strchr(at, '}') : NULL;
        if ((*at == '{' && at[1] == '{') || (*at == '}' && at[1] == '}')) {
            fputc(*at, f);
            at += 2;
        } else if (close) {
            struct gpudbg_error err = {0};
            json_t *value = json_object();
            char *expr = xstrndup(at + 1, (size_t)(close - at - 1));
            if (d_evaluate(d, expr, false, value, "value", &err))
                fputs(d_string(value, "value"), f);
            else
                fprintf(f, "<%s>", err.message);
            json_decref(value);
            free(expr);
            at = close + 1;
        } else {
            fputc(*at++, f);
        }
    }
    fputc('\n', f);
    s->wave = wave_before;
    s->lane = lane_before;
    if (fclose(f) == 0) d_output(d, "console", text);
    free(text);
}

bool d_met(void *data, struct stop_point *p, struct gpudbg_wave *w, int lane, bool back)
{
    struct dap *d = data;
    struct dap_point *mine = point_of(d, p->number);
    if (back && d->alone && w->id != d->g->selection.wave) return false;
    if (!mine) return true;
    if (!back && !hits_hold(mine, p->hits)) return false;
    if (!mine->log) return true;
    if (!back) log_message(d, mine->log, w->id, lane);
    return false;
}

/* ---- Setting ---- */

static bool take_condition(const json_t *item, struct stop_point *p, struct gpudbg_error *err)
{
    const char *condition = d_string(item, "condition");
    if (!condition) return true;
    if (strlen(condition) >= sizeof p->condition)
        return gpudbg_fail(err, "too-large", "the condition has %zu letters; at most %zu are possible",
            strlen(condition), sizeof p->condition - 1);
    condition += strspn(condition, " ");
    snprintf(p->condition, sizeof p->condition, "%s", condition);
    return true;
}

/* Addresses without code are left out; none left is an error. */
static bool take_addresses(
    struct dap *d, const struct code_places *places, struct stop_point *p, struct gpudbg_error *err)
{
    char text[24];
    for (size_t i = 0; i < places->n; i++) {
        struct stop_point one = {.location = NULL};
        snprintf(text, sizeof text, "*0x%" PRIx64, places->addr[i]);
        if (!point_locations(&d->g->control, text, &one, err)) continue;
        p->location = xrealloc(p->location, p->nlocations + 1, sizeof *p->location);
        p->location[p->nlocations++] = one.location[0];
        free(one.location);
    }
    if (p->nlocations) *err = (struct gpudbg_error){.offset = -1};
    return p->nlocations > 0;
}

static bool code_point(struct dap *d, const struct dap_point *mine, const json_t *source, const json_t *item,
    struct stop_point *p, struct gpudbg_error *err)
{
    const char *name = d_string(item, "name"), *reference = d_string(item, "instructionReference");
    struct code_places places = {0};
    json_int_t line;
    unsigned space;
    uint32_t wave;
    uint64_t addr;
    char text[24];
    bool good;
    switch (mine->kind) {
    case DAP_SOURCE:
        if (!d_number(item, "line", &line, err) || !d_line_places(d, source, line, &places, err)) return false;
        text_put(p->what, sizeof p->what, "%s:%" JSON_INTEGER_FORMAT, mine->source, line + d->line0);
        p->line = places.line;
        good = take_addresses(d, &places, p, err);
        location_places_free(&places);
        return good;
    case DAP_FUNCTION:
        if (!name) return gpudbg_fail(err, "usage", "\"name\" is missing");
        return point_named(p, name, err) && point_locations(&d->g->control, name, p, err);
    default:
        if (!reference) return gpudbg_fail(err, "usage", "\"instructionReference\" is missing");
        if (!d_reference(d, reference, &space, &addr, &wave, err)) return false;
        snprintf(text, sizeof text, "*0x%" PRIx64, addr + (uint64_t)d_number_or(item, "offset", 0));
        snprintf(p->what, sizeof p->what, "%s", text);
        return point_locations(&d->g->control, text, p, err);
    }
}

/* A data id is "WAVE:LANE:PLACE", the place as `watch` takes it; a letter of its mode may stand before it. */
static bool data_point(struct dap *d, const json_t *item, struct stop_point *p, struct gpudbg_error *err)
{
    const char *id = d_string(item, "dataId"), *access = d_string(item, "accessType");
    struct selection *s = &d->g->selection;
    const uint32_t wave_before = s->wave;
    const int lane_before = s->lane;
    unsigned wave, lane;
    int end = 0;
    char place[512];
    const char mode = id && (*id == 'w' || *id == 'l') ? *id++ : 0;
    if (!id || sscanf(id, "%9u:%3u:%n", &wave, &lane, &end) != 2 || !end)
        return gpudbg_fail(err, "usage", "\"dataId\" is not one that dataBreakpointInfo gave");
    if (!eval_need_machine(&d->g->eval, err)) return false;
    if (wave >= d->g->running.machine->nwaves || lane >= d->g->running.machine->lanes)
        return gpudbg_fail(err, "out-of-range", "wave %u, lane %u: the launch has no such lane", wave, lane);
    snprintf(place, sizeof place, "%s", id + end);
    if (!point_named(p, id + end, err)) return false;
    p->kind = STOP_WATCH;
    p->reads = access && (strcmp(access, "read") == 0 || strcmp(access, "readWrite") == 0);
    p->writes = !access || strcmp(access, "read") != 0;
    s->wave = wave;
    s->lane = (int)lane;
    const bool good = point_place(&d->g->control, wave, place, p, err);
    if (!good) past_free(&p->place);
    s->wave = wave_before;
    s->lane = lane_before;
    if (good && (p->place.is_register || mode)) p->wave = (int)wave;
    if (good && mode == 'l') p->lane = (int)lane;
    return good;
}

/* The wave and the lane of its mode: those that were selected when it was set first. */
static void take_mode(struct dap *d, struct dap_point *mine, const json_t *item, struct stop_point *p)
{
    if (mine->kind == DAP_DATA) return;
    mine->mode = d_mode(d_string(item, "mode"));
    if (!mine->placed) {
        mine->wave = d->g->selection.wave;
        mine->lane = d->g->selection.lane;
        mine->placed = d->g->running.machine != NULL;
    }
    if (mine->mode != MODE_ALL) p->wave = (int)mine->wave;
    if (mine->mode == MODE_LANE) p->lane = mine->lane;
}

/* The user has set the same breakpoint in the console, and the client, which was told of it, now sends it. */
static bool adopt(struct dap *d, struct dap_point *mine, const struct stop_point *p)
{
    for (size_t i = 0; p->kind == STOP_BREAK && i < d->npoints; i++) {
        struct dap_point *other = &d->point[i];
        const struct stop_point *there = other->kind == DAP_CONSOLE && other->number
                                             ? stops_find(&d->g->control, other->number)
                                             : NULL;
        if (!there || there->kind != STOP_BREAK || there->nlocations != p->nlocations ||
            there->location[0].pc != p->location[0].pc || there->wave != p->wave || there->lane != p->lane ||
            (*p->condition && strcmp(p->condition, there->condition) != 0))
            continue;
        mine->number = other->number;
        other->number = 0;
        other->gone = true;
        return true;
    }
    return false;
}

static bool set_point(
    struct dap *d, struct dap_point *mine, const json_t *source, const json_t *item, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_BREAK, .on = true, .wave = -1, .lane = -1};
    const char *hits = d_string(item, "hitCondition"), *log = d_string(item, "logMessage");
    struct stop_point *added = NULL;
    if (!d->g) return gpudbg_fail(err, "not-now", "nothing is loaded yet");
    if (d_is_captured(d) && !d->g->loaded.image)
        return gpudbg_fail(err, "not-now", "this is captured state, and no code is loaded beside it");
    if (hits && !take_hits(mine, hits, err)) return false;
    const bool good = take_condition(item, &p, err) &&
                      (mine->kind == DAP_DATA ? data_point(d, item, &p, err)
                                              : code_point(d, mine, source, item, &p, err)) &&
                      point_condition(&d->g->control, p.condition, &p, err);
    if (good) take_mode(d, mine, item, &p);
    const bool adopted = good && adopt(d, mine, &p);
    if (good && !adopted) added = stops_add(&d->g->control, &p, err);
    if (!added) {
        free(p.location);
        past_free(&p.place);
    }
    if (!added && !adopted) return false;
    if (added) mine->number = added->number;
    free(mine->log);
    mine->log = log && *log ? xstrdup(log) : NULL;
    return true;
}

static void point_free(struct dap_point *p)
{
    free(p->source);
    free(p->asked);
    free(p->log);
    free(p->told);
}

static void drop_point(struct dap *d, size_t i)
{
    struct gpudbg_error ignored = {0};
    struct dap_point *p = &d->point[i];
    if (p->number) stops_remove(&d->g->control, p->number, &ignored);
    point_free(p);
    memmove(p, p + 1, (--d->npoints - i) * sizeof *p);
}

void d_points_free(struct dap *d)
{
    for (size_t i = 0; i < d->npoints; i++) point_free(&d->point[i]);
    free(d->point);
    d->point = NULL;
    d->npoints = 0;
}

/* Sets it, or says why it cannot be. */
static void try_point(struct dap *d, struct dap_point *mine, const json_t *source, const json_t *item)
{
    struct gpudbg_error err = {.offset = -1};
    if (!set_point(d, mine, source, item, &err)) text_put(mine->why, sizeof mine->why, "%s", err.message);
}

static size_t new_point(struct dap *d, enum dap_kind kind, const char *source, const char *asked)
{
    d->point = xgrow(d->point, d->npoints, &d->point_room, sizeof *d->point);
    d->point[d->npoints] = (struct dap_point){
        .id = ++d->last_point, .kind = kind, .source = xstrdup(source), .asked = xstrdup(asked)};
    return d->npoints++;
}

static size_t point_for(struct dap *d, enum dap_kind kind, const char *source, const char *asked)
{
    for (size_t i = 0; i < d->npoints; i++) {
        struct dap_point *p = &d->point[i];
        if (p->kind == kind && !p->wanted && strcmp(p->source, source) == 0 && strcmp(p->asked, asked) == 0) return i;
    }
    return new_point(d, kind, source, asked);
}

struct dap_point *d_point_of_console(struct dap *d, int number)
{
    const size_t i = new_point(d, DAP_CONSOLE, "", "");
    d->point[i].number = number;
    return &d->point[i];
}

void d_points_tidy(struct dap *d)
{
    for (size_t i = d->npoints; i-- > 0;)
        if (d->point[i].gone) drop_point(d, i);
}

/* Replaces the breakpoints of a kind (and a source) by a list. */
static bool set_list(struct dap *d, enum dap_kind kind, const json_t *source, const char *key, const json_t *list,
    json_t *body, struct gpudbg_error *err)
{
    json_t *result = json_array();
    json_object_set_new(body, "breakpoints", result);
    if (list && !json_is_array(list)) return gpudbg_fail(err, "usage", "\"breakpoints\" must be an array");
    if (json_array_size(list) > POINTS_MOST)
        return gpudbg_fail(
            err, "too-large", "%zu breakpoints; at most %d are possible", json_array_size(list), POINTS_MOST);
    for (size_t i = 0; i < d->npoints; i++) d->point[i].wanted = false;
    size_t n = json_array_size(list), *at = xcalloc(n, sizeof *at);
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        char *asked = json_is_object(item) ? json_dumps(item, JSON_COMPACT | JSON_SORT_KEYS) : xstrdup("");
        at[i] = point_for(d, kind, key, asked);
        struct dap_point *mine = &d->point[at[i]];
        mine->wanted = true;
        if (mine->number && !stops_find(&d->g->control, mine->number)) mine->number = 0; /* the user deleted it */
        if (!mine->number) try_point(d, mine, source, item);
        free(asked);
    }
    for (size_t i = 0; i < n; i++) {
        json_t *b = d_point_shown(d, &d->point[at[i]]);
        d_point_told(&d->point[at[i]], b);
        json_array_append_new(result, b);
    }
    free(at);
    for (size_t i = d->npoints; i-- > 0;)
        if (d->point[i].kind == kind && !d->point[i].wanted && strcmp(d->point[i].source, key) == 0) drop_point(d, i);
    d_points_tidy(d);
    return true;
}

void d_points_again(struct dap *d)
{
    for (size_t i = 0; i < d->npoints; i++) {
        struct dap_point *mine = &d->point[i];
        if (mine->number && stops_find(&d->g->control, mine->number)) continue;
        mine->number = 0;
        if (mine->kind == DAP_CONSOLE) continue;
        json_t *item = json_loads(mine->asked, 0, NULL), *source = json_object();
        json_object_set_new(source, "path", json_string(mine->source));
        if (strncmp(mine->source, "listing ", 8) == 0)
            json_object_set_new(source, "sourceReference", json_integer(atoi(mine->source + 8)));
        try_point(d, mine, source, item);
        json_decref(item);
        json_decref(source);
        if (mine->number) d_point_changed(d, mine);
    }
    d_points_compare(d); /* a session or the command line may have brought others */
}

/* ---- Requests ---- */

bool d_set_breakpoints(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_t *source = json_object_get(args, "source"), *list = json_object_get(args, "breakpoints");
    const char *path = d_string(source, "path");
    const json_int_t number = d_number_or(source, "sourceReference", 0);
    const json_t *lines = json_object_get(args, "lines");
    char key[64];
    if (!json_is_object(source)) return gpudbg_fail(err, "usage", "\"source\" is missing");
    if (number > 0) snprintf(key, sizeof key, "listing %" JSON_INTEGER_FORMAT, number);
    if (!path) path = d_string(source, "name");
    if (number <= 0 && !path)
        return gpudbg_fail(err, "usage", "the source has neither a \"path\" nor a \"sourceReference\"");
    json_t *old = NULL; /* clients of the first versions send lines alone */
    if (!list && json_is_array(lines)) {
        old = json_array();
        for (size_t i = 0; i < json_array_size(lines); i++)
            json_array_append_new(old, json_pack("{s:O}", "line", json_array_get(lines, i)));
        list = old;
    }
    const bool good = set_list(d, DAP_SOURCE, source, number > 0 ? key : path, list, body, err);
    json_decref(old);
    return good;
}

bool d_set_function_breakpoints(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    return set_list(d, DAP_FUNCTION, NULL, "", json_object_get(args, "breakpoints"), body, err);
}

bool d_set_instruction_breakpoints(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    return set_list(d, DAP_INSTRUCTION, NULL, "", json_object_get(args, "breakpoints"), body, err);
}

bool d_set_data_breakpoints(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    return set_list(d, DAP_DATA, NULL, "", json_object_get(args, "breakpoints"), body, err);
}

/* An address as an expression that is in memory, malloc'ed: "global:0x100000000". */
static char *named_address(struct dap *d, const char *name, uint32_t *wave, struct gpudbg_error *err)
{
    unsigned space;
    uint64_t addr;
    char *expr;
    if (!d_reference(d, name, &space, &addr, wave, err)) return NULL;
    if (asprintf(&expr, "%s:0x%" PRIx64, d->g->running.machine->space[space].name, addr) < 0) xalloc_end();
    return expr;
}

bool d_data_breakpoint_info(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *name = d_string(args, "name");
    const json_int_t reference = d_number_or(args, "variablesReference", 0), bytes = d_number_or(args, "bytes", 0);
    struct gpudbg_error why = {.offset = -1};
    struct past_place place = {0};
    const enum dap_mode mode = d_mode(d_string(args, "mode"));
    uint32_t wave;
    char text[512], id[600];
    if (!name) return gpudbg_fail(err, "usage", "\"name\" is missing");
    if (!eval_need_machine(&d->g->eval, err) || !d_select_frame(d, args, err)) return false;
    wave = d->g->selection.wave;
    char *expr = d_bool(args, "asAddress", false) ? named_address(d, name, &wave, err)
                 : reference                      ? d_child(d, reference, name, err)
                                                  : xstrdup(name);
    if (!expr) return false;
    if (bytes > 0)
        snprintf(text, sizeof text, "%.400s,%" JSON_INTEGER_FORMAT, expr, bytes);
    else
        snprintf(text, sizeof text, "%.400s", expr);
    snprintf(id, sizeof id, "%s%" PRIu32 ":%d:%s",
        mode == MODE_WAVE   ? "w"
        : mode == MODE_LANE ? "l"
                            : "",
        wave, d->g->selection.lane, text);
    struct stop_point asked = {.kind = STOP_WATCH, .writes = true, .wave = -1, .lane = -1};
    const bool good = *expr && point_place(&d->g->control, wave, text, &asked, &why);
    place = asked.place;
    if (good && place.followed) {
        snprintf(text, sizeof text, "%.400s of wave %" PRIu32 ", lane %d", expr, place.wave, asked.lane);
    } else if (good && place.is_register) {
        snprintf(text, sizeof text, "%.400s of wave %" PRIu32, expr, place.wave);
    } else if (good) {
        snprintf(text, sizeof text, "%.400s (%" PRIu64 " bytes)", expr, place.size);
    } else {
        snprintf(text, sizeof text, "%.400s", *expr ? why.message : "this cannot be watched");
    }
    const bool followed = good && place.followed;
    past_free(&place);
    json_object_set_new(body, "dataId", good ? d_text(id) : json_null());
    json_object_set_new(body, "description", d_text(text));
    if (followed)
        json_object_set_new(body, "accessTypes", json_pack("[s]", "write"));
    else if (good)
        json_object_set_new(body, "accessTypes", json_pack("[s, s, s]", "read", "write", "readWrite"));
    json_object_set_new(body, "canPersist", json_false());
    free(expr);
    return true;
}
