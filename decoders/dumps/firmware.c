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

const char *firmware_file(const char *text, const char **driver)
{
    char folder[16];
    for (const char *const *name = our_drivers; *name; name++) {
        snprintf(folder, sizeof folder, "%s/", *name);
        const char *at = strstr(text, folder);
        *driver = *name;
        if (at) return at + strlen(folder);
    }
    return NULL;
}

/* Whether the file is a GPU's: "radeon/TURKS_pfp.bin", "kbl_dmc_ver1_04.bin", "radeonkmsfw_CEDAR_pfp"; "bwn_v4_ucode5"
 * is a network card's. */
static bool is_gpus(const char *text)
{
    static const char *const parts[] = {"radeonkmsfw_", "_pfp.", "_me.", "_ce.", "_mec.", "_mec2.", "_rlc.", "_mc.",
        "_smc.", "_uvd.", "_vce.", "_vcn.", "_sdma.", "_sdma1.", "_cp.", "_dmc_", "_guc_", "_huc_", "_gpu_info."};
    const char *driver;
    if (firmware_file(text, &driver)) return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i])) return true;
    return false;
}

/* The name of the file in the n bytes at p, as it is under all its names: in small letters, with "_" for what is no
 * letter or digit, without its folder, which may be part of the name ("amdgpu_polaris12_mc_bin"), and its ending. */
static void file_name(const char *p, size_t n, char *buf, size_t size)
{
    for (const char *slash; (slash = memchr(p, '/', n)); p = slash + 1) n -= (size_t)(slash + 1 - p);
    size_t i = 0;
    for (; i < n && i + 1 < size; i++) buf[i] = isalnum((unsigned char)p[i]) ? (char)tolower((unsigned char)p[i]) : '_';
    buf[i] = 0;
    if (i > 4 && strcmp(buf + i - 4, "_bin") == 0) buf[i -= 4] = 0;
    const size_t folder = strcspn(buf, "_");
    if (buf[folder] && our_driver(buf, folder)) memmove(buf, buf + folder + 1, i - folder);
}

/* The name of the file that a line says is loaded: "... image 'amdgpu/polaris12_mc.bin'", "... image with mapped name:
 * radeon_TURKS_pfp_bin", "Finished loading DMC firmware i915/skl_dmc_ver1_27.bin (v1.27)"; false: it says none. */
static bool loaded_file(const char *p, char *buf, size_t size)
{
    const char *at = p, *slash = strchr(p, '/');
    if (begins(p, "Finished loading ") && slash) {
        file_name(slash + 1, strcspn(slash + 1, " "), buf, size);
    } else if (begins(p, "successfully loaded firmware image")) {
        const bool quoted = scan_find(&at, "'");
        if (!quoted && !scan_find(&at, "name: ")) return false;
        file_name(at, strcspn(at, quoted ? "'" : " "), buf, size);
    } else {
        return false;
    }
    return true;
}

static void forget(struct firmware *f, unsigned i)
{
    memmove(&f->waits[i], &f->waits[i + 1], (--f->n - i) * sizeof *f->waits);
}

/* The one that waits longest. */
static void tell_first(struct firmware *f, struct gpudbg_dump *d)
{
    const struct firmware_waits *w = &f->waits[0];
    const struct gpudbg_incident missing = {.kind = &incident_firmware_missing, .line = w->line, .text = w->text};
    gpudbg_dump_incident_in(d, w->capture, &missing);
    forget(f, 0);
}

void firmware_line(struct firmware *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[160];
    while (f->n && line->number - f->waits[0].line > LINES_MOST) tell_first(f, d);
    if (!f->n || !loaded_file(p, name, sizeof name)) return;
    for (unsigned i = f->n; i-- > 0;)
        if (strcmp(name, f->waits[i].name) == 0) forget(f, i);
}

bool firmware_waits(struct firmware *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const struct gpudbg_incident *told, const char *p)
{
    const char *image = strstr(p, "could not load firmware image"), *quote = image ? strchr(image, '\'') : NULL;
    if (!image || told->kind != &incident_firmware_missing) return false;
    const char *from = quote ? quote + 1 : p, *end = from + strcspn(from, quote ? "'" : ":");
    if (!driver_of(line) && !is_gpus(from)) return true;
    struct firmware_waits w = {.line = told->line, .capture = gpudbg_dump_current(d, told->line)};
    file_name(from, (size_t)(end - from), w.name, sizeof w.name);
    if (!w.name[0]) return false;
    snprintf(w.text, sizeof w.text, "%s", told->text);
    for (unsigned i = 0; i < f->n; i++) /* another name of the same file */
        if (w.capture == f->waits[i].capture && strcmp(w.name, f->waits[i].name) == 0) {
            w.line = f->waits[i].line;
            return f->waits[i] = w, true;
        }
    if (f->n == FIRMWARE_WAITS) tell_first(f, d);
    f->waits[f->n++] = w;
    return true;
}

void firmware_end(struct firmware *f, struct gpudbg_dump *d)
{
    while (f->n) tell_first(f, d);
}
