/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * firmware.c: firmware that a BSD does not find.  Its kernel looks for a file under several names and prints a line for
 * each one that is not there, of any device, before the one that is:
 *
 *     radeon/TURKS_pfp.bin: could not load firmware image, error 2
 *     drmn0: successfully loaded firmware image with mapped name: radeon_TURKS_pfp_bin
 *
 * So a line waits, and is told if the file does not come soon under another name.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

#define LINES_MOST 40 /* between the first name and the one that is there */

/* Whether the file is a GPU's: "radeon/TURKS_pfp.bin", "kbl_dmc_ver1_04.bin", "radeonkmsfw_CEDAR_pfp"; "bwn_v4_ucode5"
 * is a network card's. */
static bool is_gpus(const char *text)
{
    static const char *const parts[] = {"amdgpu/", "radeon/", "i915/", "xe/", "radeonkmsfw_", "_pfp.", "_me.", "_ce.",
        "_mec.", "_mec2.", "_rlc.", "_mc.", "_smc.", "_uvd.", "_vce.", "_vcn.", "_sdma.", "_sdma1.", "_cp.", "_dmc_",
        "_guc_", "_huc_", "_gpu_info."};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i])) return true;
    return false;
}

/* The text in small letters, with "_" for everything else, so that a file's names are alike. */
static void alike(const char *p, size_t n, char *buf, size_t size)
{
    size_t i = 0;
    for (; i < n && i + 1 < size; i++) buf[i] = isalnum((unsigned char)p[i]) ? (char)tolower((unsigned char)p[i]) : '_';
    buf[i] = 0;
}

static void tell(struct firmware *f, struct gpudbg_dump *d, unsigned i)
{
    const struct firmware_waits *w = &f->waits[i];
    const struct gpudbg_incident missing = {.kind = &incident_firmware_missing, .line = w->line, .text = w->text};
    gpudbg_dump_incident_in(d, w->capture, &missing);
    f->waits[i] = f->waits[--f->n];
}

void firmware_line(struct firmware *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[160];
    for (unsigned i = f->n; i-- > 0;)
        if (line->number - f->waits[i].line > LINES_MOST) tell(f, d, i);
    if (!f->n || !(begins(p, "successfully loaded firmware image") || begins(p, "Finished loading "))) return;
    alike(p, strlen(p), name, sizeof name);
    for (unsigned i = f->n; i-- > 0;)
        if (strstr(name, f->waits[i].name)) f->waits[i] = f->waits[--f->n];
}

bool firmware_waits(struct firmware *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const struct gpudbg_incident *told, const char *p)
{
    const char *image = strstr(p, "could not load firmware image"), *quote = image ? strchr(image, '\'') : NULL;
    if (!image || told->kind != &incident_firmware_missing) return false;
    const char *from = quote ? quote + 1 : p, *end = from + strcspn(from, quote ? "'" : ":");
    if (!driver_of(line) && !is_gpus(from)) return true;
    for (const char *slash; (slash = memchr(from, '/', (size_t)(end - from)));) from = slash + 1; /* its folder */
    struct firmware_waits w = {.line = told->line, .capture = gpudbg_dump_current(d, told->line)};
    alike(from, (size_t)(end - from), w.name, sizeof w.name);
    if (!w.name[0]) return false;
    snprintf(w.text, sizeof w.text, "%s", told->text);
    for (unsigned i = 0; i < f->n; i++) /* another name of the same file */
        if (w.capture == f->waits[i].capture &&
            (strstr(w.name, f->waits[i].name) || strstr(f->waits[i].name, w.name))) {
            w.line = f->waits[i].line;
            return f->waits[i] = w, true;
        }
    if (f->n == FIRMWARE_WAITS) tell(f, d, 0);
    f->waits[f->n++] = w;
    return true;
}

void firmware_end(struct firmware *f, struct gpudbg_dump *d)
{
    while (f->n) tell(f, d, f->n - 1);
}
