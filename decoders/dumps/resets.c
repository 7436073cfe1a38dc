/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resets.c: a reset as one incident, of the lines that its driver writes from its beginning to its end: what asked for
 * it, by which method, and how it ended, which is what the last of these lines says:
 *
 *     GPU reset begin!. Source:  3
 *     MODE1 reset
 *     GPU reset succeeded, trying to resume        the hardware is reset
 *     resume of IP block <gfx_v11_0> failed -110   ... and the driver cannot use it
 *     GPU reset end with ret = -110
 *
 * Its kind says the result: reset (not told), reset-done, reset-failed.
 */
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

enum { V_NUMBER, V_ERROR, V_SOURCE, V_VRAM_LOST, V_RESUMING };
#define LINES_BETWEEN 1000 /* of a long log, between two lines of one reset */
#define LINES_BACK 100     /* of a log that is sorted backwards, between a reset's end and its beginning */

#define SECONDS_BETWEEN 600
#define SECONDS_OF_USUAL 30 /* from the line that gives the reason to the reset */

/* enum amd_reset_source of amdgpu_reset.h */
static const char *const sources[] = {NULL, "a job that did not end", "an error that the hardware reported (RAS)",
    "MES, the scheduler of queues", "the scheduler of compute queues", "a user", "a queue of a user's program"};

static void reset_end(struct reset_of *r, struct gpudbg_dump *d)
{
    char text[sizeof r->method + sizeof r->why + sizeof r->failed + 64];
    if (!r->incident.kind) return;
    struct text t = text_in(text, sizeof text);
    const uint64_t source = r->incident.values[V_SOURCE];
    const char *asked = r->incident.have & 1u << V_SOURCE && source < sizeof sources / sizeof *sources ? sources[source]
                                                                                                       : NULL;
    text_add(&t, "%s", r->method);
    if (asked) text_add(&t, "%sasked for by %s", text[0] ? ", " : "", asked);
    if (r->why[0]) text_add(&t, "%s%s", text[0] ? ", " : "", r->why);
    if (r->failed[0] && r->incident.kind == &incident_reset_failed)
        text_add(&t, "%s%s did not come back", text[0] ? ", " : "", r->failed);
    r->incident.text = text[0] ? text : NULL;
    r->incident.unit = r->unit[0] ? r->unit : NULL;
    gpudbg_dump_incident_in(d, r->capture, &r->incident);
    r->incident.kind = NULL;
}

void resets_end(struct resets *all, struct gpudbg_dump *d)
{
    for (size_t i = 0; i < RESETS; i++) reset_end(&all->reset[i], d);
}

static bool same_text(const char *a, const char *b) { return strcmp(a, b ? b : "") == 0; }

static bool of_device(const struct reset_of *r, const char *device)
{
    return !device || !r->device[0] || same_text(r->device, device);
}

/* Whether the line is near enough to the reset's latest one. */
static bool near_to(const struct reset_of *r, const struct gpudbg_dump_line *line)
{
    return line->number - r->incident.last <= LINES_BETWEEN && !lines_apart(r->time, line->time, SECONDS_BETWEEN);
}

static void goes_on(struct reset_of *r, const struct gpudbg_dump_line *line)
{
    r->incident.last = line->number;
    r->time = line->time;
}

/* The latest reset of the device, of whatever engine; NULL: none is near. */
static struct reset_of *latest(struct resets *all, const struct gpudbg_dump_line *line)
{
    struct reset_of *best = NULL;
    for (size_t i = 0; i < RESETS; i++) {
        struct reset_of *r = &all->reset[i];
        if (r->incident.kind && of_device(r, line->device) && near_to(r, line) &&
            (!best || r->incident.last > best->incident.last))
            best = r;
    }
    return best;
}

/* The reset under way of the device and engine; a free place where there is none; of that, the oldest is told. */
static struct reset_of *reset_of(struct resets *all, struct gpudbg_dump *d, const char *device, const char *unit)
{
    struct reset_of *spare = &all->reset[0];
    for (size_t i = 0; i < RESETS; i++) {
        struct reset_of *r = &all->reset[i];
        if (!r->incident.kind)
            spare = r;
        else if (same_text(r->unit, unit) && of_device(r, device))
            return r;
    }
    reset_end(spare, d);
    return spare;
}

static void begin(
    struct reset_of *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const struct gpudbg_incident *told)
{
    reset_end(r, d);
    *r = (struct reset_of){.capture = gpudbg_dump_current(d, line->number)};
    snprintf(r->device, sizeof r->device, "%s", line->device ? line->device : "");
    snprintf(r->unit, sizeof r->unit, "%s", told->unit ? told->unit : "");
    r->incident = (struct gpudbg_incident){.kind = told->kind, .line = line->number, .last = line->number};
}

static void add_values(struct reset_of *r, const struct gpudbg_incident *told)
{
    for (unsigned i = 0; i < V_VRAM_LOST; i++)
        if (told->have & 1u << i) {
            r->incident.values[i] = told->values[i];
            r->incident.have |= 1u << i;
        }
}

/* A block that cannot be started again fails the reset that is under way; without one it is no matter of resets. */
static bool take_resume(
    struct resets *all, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const struct gpudbg_incident *told)
{
    struct reset_of *r = reset_of(all, d, line->device, NULL);
    if (!r->incident.kind || !near_to(r, line)) return false;
    r->incident.kind = &incident_reset_failed;
    r->incident.have &= ~(1u << V_RESUMING);
    goes_on(r, line);
    if (told->unit) snprintf(r->failed, sizeof r->failed, "%s", told->unit);
    return false; /* the line is an incident of its own, too */
}

void resets_over(struct resets *all, struct gpudbg_dump *d, const char *device, bool ended)
{
    for (size_t i = 0; i < RESETS; i++) {
        struct reset_of *r = &all->reset[i];
        if (r->incident.kind && of_device(r, device) && (!ended || r->incident.kind != &incident_reset))
            reset_end(r, d);
    }
}

void resets_usual(struct resets *all, const struct gpudbg_dump_line *line, const char *why)
{
    all->usual = why;
    all->usual_line = line->number;
    all->usual_time = line->time;
}

/* Whether a driver resets the chip as it usually does, which tells of no failure. */
static bool take_usual(
    struct resets *all, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const struct gpudbg_incident *told)
{
    char text[128];
    if (!all->usual || line->number - all->usual_line > LINES_BETWEEN ||
        lines_apart(all->usual_time, line->time, SECONDS_OF_USUAL))
        return false;
    snprintf(text, sizeof text, "the driver resets the GPU (%s) %s", told->text, all->usual);
    const struct gpudbg_incident noted = {.kind = &incident_noted, .line = line->number, .text = text};
    gpudbg_dump_incident(d, &noted);
    return true;
}

bool reset_line(struct resets *all, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const struct gpudbg_incident *told, enum reset_step step)
{
    if (told->kind == &incident_init_failed && step == RESET_GOES_ON) return take_resume(all, d, line, told);
    const bool lost = told->kind == &incident_vram_lost;
    const bool wedged = told->kind == &incident_wedged; /* the end of a reset, if one is under way */
    const bool starts = told->kind == &incident_reset, fails = wedged || told->kind == &incident_reset_failed;
    if (!starts && !fails && !lost && told->kind != &incident_reset_done) return false;
    struct reset_of *r = step == RESET_GOES_ON && told->kind == &incident_reset_done ? latest(all, line) : NULL;
    if (r && r->unit[0] && r->incident.kind == &incident_reset_done) return goes_on(r, line), true;
    r = reset_of(all, d, line->device, told->unit);
    const bool under_way = r->incident.kind && near_to(r, line);
    if ((lost || wedged) && !under_way) return false;
    if (starts && step == RESET_GOES_ON && told->text && !under_way && take_usual(all, d, line, told)) return true;
    if (step == RESET_RESUMES && under_way && !r->begun && r->incident.kind != &incident_reset)
        return goes_on(r, line), true; /* sorted backwards: its end is known */
    /* In a log that is sorted backwards the end comes first, and its beginning is not long behind. */
    const bool backwards = under_way && starts && r->incident.kind != &incident_reset && !r->begun &&
                           line->number - r->incident.last <= LINES_BACK;
    /* The same step again, and not at once: the first reset ended without a word. */
    const bool again = under_way && starts && told->text && strcmp(r->method, told->text) == 0 &&
                       lines_apart(r->time, line->time, FAULT_SECONDS);
    const bool first = starts && step != RESET_GOES_ON, whole = step == RESET_WHOLE || again;
    if (!backwards && (!under_way || first || whole || (starts && r->incident.kind != &incident_reset)))
        begin(r, d, line, told);
    else if (!lost && !starts)
        r->incident.kind = wedged ? &incident_reset_failed : told->kind;
    r->begun |= first;
    if (!lost) r->incident.have &= ~(1u << V_RESUMING);
    if (step == RESET_RESUMES) {
        r->incident.values[V_RESUMING] = 1;
        r->incident.have |= 1u << V_RESUMING;
    }
    goes_on(r, line);
    if (r->incident.kind == &incident_reset_done) r->incident.have &= ~(1u << V_ERROR); /* of an attempt before */
    if (lost) {
        r->incident.values[V_VRAM_LOST] = 1;
        r->incident.have |= 1u << V_VRAM_LOST;
        return true;
    }
    add_values(r, told);
    if (wedged) snprintf(r->why, sizeof r->why, "the driver then gave the device up");
    if (!told->text) return true;
    if (starts && step == RESET_GOES_ON)
        snprintf(r->method, sizeof r->method, "%s", told->text);
    else if (strcmp(r->method, told->text) != 0)
        snprintf(r->why, sizeof r->why, "%s", told->text);
    return true;
}
