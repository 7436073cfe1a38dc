/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_capture.c: captures of devices, and what they are of. */
#include "dump/dump_own.h"
#include <stdio.h>
#include <string.h>

/* The first family that is said of a device counts where its other captures say none. */
static void say_family(struct gpudbg_dump *d, struct gpudbg_capture *c, const char *family)
{
    struct dump_device *device = c->device ? dump_device_of(d, c->device) : NULL;
    c->family = family;
    if (device && !device->family) device->family = family;
}

const char *dump_device_family(const struct gpudbg_dump *d, const char *device)
{
    const struct dump_device *known = device ? dump_device_of((struct gpudbg_dump *)(uintptr_t)d, device) : NULL;
    return known ? known->family : NULL;
}

uint32_t gpudbg_dump_current(struct gpudbg_dump *d, uint32_t line)
{
    const struct dump_device *known = d->device     ? dump_device_of(d, d->device)
                                      : d->ndevices ? &d->devices[d->ndevices - 1]
                                                    : NULL;
    if (known) return known->capture;
    /* A capture that began before any line named its device gets it. */
    if (d->ncaptures && !d->captures[d->ncaptures - 1].device) {
        d->captures[d->ncaptures - 1].device = d->device;
        struct dump_device *added = dump_add_device(d, d->device);
        added->family = d->captures[d->ncaptures - 1].family;
        return added->capture = (uint32_t)d->ncaptures - 1;
    }
    return gpudbg_dump_capture(d, line, NULL);
}

uint32_t gpudbg_dump_capture(struct gpudbg_dump *d, uint32_t line, const char *title)
{
    struct dump_device *device = dump_device_of(d, d->device);
    const struct gpudbg_capture *before = device ? &d->captures[device->capture] : NULL;
    struct gpudbg_capture next = {.title = dump_string(d, title), .line = line, .device = d->device};
    if (before) /* a device keeps its nature */
        next.family = before->family, next.chip = before->chip;
    if (d->ncaptures && !dump_spend(d, sizeof next, line)) return (uint32_t)d->ncaptures - 1;
    d->captures = dump_grow(d->captures, d->ncaptures, sizeof *d->captures);
    d->captures[d->ncaptures] = next;
    if (!device) device = dump_add_device(d, d->device);
    device->capture = (uint32_t)d->ncaptures;
    return (uint32_t)d->ncaptures++;
}

void gpudbg_dump_select(struct gpudbg_dump *d, uint32_t capture)
{
    struct dump_device *device = capture < d->ncaptures ? dump_device_of(d, d->captures[capture].device) : NULL;
    if (device) device->capture = capture;
}

const char *dump_device(const struct gpudbg_dump *d) { return d->device; }

void dump_set_device(struct gpudbg_dump *d, const char *device)
{
    if (device && !(d->device && strcmp(d->device, device) == 0)) d->device = dump_string(d, device);
}

void dump_leave_device(struct gpudbg_dump *d, const char *before) { d->device = before; }

/* Whether a name, or "or", is among "A, B or C". */
static bool is_among(const char *name, size_t n, const char *several)
{
    for (size_t m; *several; several += m + strspn(several + m, ", ")) {
        m = strcspn(several, ", ");
        if (m == n && memcmp(several, name, n) == 0) return true;
    }
    return false;
}

/* Whether a family is one of "A, B or C", or a later step of the same generation: "A.5" of "A".  "A or B": both are. */
static bool is_one_of(const char *family, const char *several)
{
    const size_t all = strlen(family), m = strlen(several);
    if (all > m && strncmp(family, several, m) == 0 && family[m] == '.') return true;
    if (!strstr(several, " or ")) return false;
    for (size_t n; *family; family += n + strspn(family + n, ", ")) {
        n = strcspn(family, ", ");
        if (!is_among(family, n, several)) return false;
    }
    return true;
}

void gpudbg_dump_family(struct gpudbg_dump *d, uint32_t line, const char *family, const char *chip)
{
    const uint32_t capture = gpudbg_dump_current(d, line);
    struct gpudbg_capture *c = &d->captures[capture];
    if (c->family && family && is_one_of(c->family, family)) family = NULL;
    if (c->family && family && strcmp(c->family, family) != 0 && !is_one_of(family, c->family)) {
        gpudbg_dump_note(d, line, "mixed", "this line is of %s, the capture before it of %s", family, c->family);
        return;
    }
    if (family) say_family(d, c, dump_string(d, family));
    if (chip && !c->chip) c->chip = dump_string(d, chip);
}

void gpudbg_dump_assume_in(struct gpudbg_dump *d, uint32_t capture, const char *family, const char *why)
{
    char text[320];
    if (capture >= d->ncaptures || d->captures[capture].family) return;
    struct gpudbg_capture *c = &d->captures[capture];
    const char *said = dump_device_family(d, c->device); /* by another capture */
    snprintf(text, sizeof text, "the generation is not certain; taken as %s: %s", family, why);
    say_family(d, c, said ? said : dump_string(d, family));
    if (!said) dump_add_note(d, capture, c->line, "assumed", text);
}

void gpudbg_dump_assume(struct gpudbg_dump *d, const char *family, const char *why)
{
    for (size_t i = 0; i < d->ncaptures; i++) gpudbg_dump_assume_in(d, (uint32_t)i, family, why);
}

const struct gpudbg_capture *gpudbg_dump_captures(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->ncaptures;
    return d->captures;
}
