/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moment_text.c: a moment of the timeline in words. */
#include <stdio.h>
#include <string.h>
#include "dump/dump_show.h"
#include "explain/verdict.h"

void moment_text(const struct gpudbg_dump *d, const struct moment *m, bool names, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    struct gpudbg_incident what = *m->incident;
    bool several = false;
    if (!names) what.text = NULL; /* names of processes */
    char text[512];
    dump_incident_text(&what, text, sizeof text);
    for (size_t i = 1; i < n && !several; i++) several = c[i].device != c[0].device;
    const char *device = names && several && what.capture < n && c[what.capture].device ? c[what.capture].device : "";
    snprintf(buf, size, "%s%s%s", device, *device ? ": " : "", text);
}
