/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * others.c: lines that no rule knows: those of drivers whose GPUs gpudbg does not know, which are called by name, and
 * those of the known drivers that tell of a failure in words that are not in the table of phrases, which are listed.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "kernel_log.h"

/* ---- Drivers of other vendors ---- */

static const struct other {
    const char *names; /* as its lines begin, or its functions or its modules are called */
    const char *what, *tool;
} others[] = {
    {"NVRM nvidia nvidia-modeset nvidia_modeset nvidia-drm nvidia_drm", "NVIDIA's driver",
        "nvidia-bug-report.sh collects what NVIDIA reads"},
    {"nouveau", "nouveau, the free driver of NVIDIA's GPUs", "envytools decodes its registers and commands"},
    {"loonggpu", "Loongson's driver", "its own tools read it"},
    {"lsdc", "Loongson's display driver", "its own tools read it"},
    {"msm msm_dpu adreno a5xx a6xx", "msm, the driver of Qualcomm's Adreno", "crashdec of Mesa reads its devcoredump"},
    {"kgsl", "Qualcomm's own driver of Adreno", "its snapshots are read by Qualcomm's tools"},
    {"etnaviv etnaviv-gpu", "etnaviv, the driver of Vivante's GPUs", "etna_viv's tools read its devcoredump"},
    {"lima", "lima, the driver of ARM's Mali 400 and 450", "lima's own dump of a task has its commands"},
    {"panfrost", "panfrost, the driver of ARM's Mali", "Mesa's pandecode reads its dumps"},
    {"panthor", "panthor, the driver of ARM's Mali", "Mesa's pandecode reads its dumps"},
    {"mali", "ARM's own driver of Mali", "its own tools read it"},
    {"v3d", "v3d, the driver of Broadcom's VideoCore", "debugfs's v3d_regs and Mesa's CLIF dumps have its state"},
    {"vc4 vc4-drm", "vc4, the driver of Broadcom's VideoCore", "debugfs and Mesa's dumps have its state"},
    {"pvr powervr PVR_K", "the driver of Imagination's PowerVR", "its own tools read it"},
    {"asahi", "asahi, the driver of Apple's GPUs", "its devcoredump is read by Asahi's tools"},
    {"vmwgfx", "vmwgfx, the driver of a virtual GPU", "the host's logs tell what the real GPU did"},
    {"virtio_gpu", "virtio_gpu, the driver of a virtual GPU", "the host's logs tell what the real GPU did"},
    {"habanalabs", "the driver of an accelerator", "its own tools read it"},
    {"ivpu intel_vpu", "the driver of Intel's NPU", "its own tools read it"},
    {"METAX MXCD MXGVM", "MetaX's driver", "MetaX's list of error numbers explains it"},
    {"amdxdna", "the driver of AMD's NPU", "xrt-smi reads it"},
};

/* Passes the next of the names; its size, or 0 behind the last. */
static size_t next_name(const char **names)
{
    *names += strspn(*names, " ");
    const size_t n = strcspn(*names, " ");
    *names += n;
    return n;
}

/* The driver that has the name; NULL: none of the table. */
static const struct other *other_named(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *names = others[i].names;
        if (!size || !strchr(names, *name)) continue; /* most rows */
        for (size_t n; (n = next_name(&names));)
            if (n == size && memcmp(names - n, name, n) == 0) return &others[i];
    }
    return NULL;
}

const char *const our_drivers[] = {"amdgpu", "radeon", "amdkfd", "kfd", "i915", "xe", NULL};

const char *our_driver(const char *name, size_t size)
{
    for (const char *const *ours = our_drivers; *ours; ours++)
        if (strlen(*ours) == size && memcmp(*ours, name, size) == 0) return *ours;
    return NULL;
}

/* Which of the known drivers wrote the line; NULL: none, or it is not told. */
const char *driver_of(const struct gpudbg_dump_line *line)
{
    const char *text = line->text + line->indent, *tag = line->tag;
    if (!line->module && !tag && !strchr("agrkix", *text)) return NULL; /* most lines */
    const char *said = line->module ? our_driver(line->module, strlen(line->module)) : NULL;
    if (!said && tag && !line->module) said = our_driver(tag, strcspn(tag, "_"));
    const size_t front = strcspn(text, ": "); /* with a blank it is prose */
    if (!said && text[front] == ':') said = our_driver(text, front);
    if (said || line->module || tag) return said;
    if (begins(text, "kfd kfd: ")) return "kfd"; /* its device, and its driver */
    return begins(text, "gim error") ? "gim" : NULL;
}

/* The name of the driver of another vendor that wrote the line, in `name`; false: none. */
static bool of_driver(const struct gpudbg_dump_line *line, const char *p, char *name, size_t size)
{
    if (line->module ? driver_of(line) != NULL : !line->tag && !strchr("[NnlmaekpvPihM", *p))
        return false; /* most lines */
    const char *front = line->module ? line->module : p + (*p == '[') + 4 * (strncmp(p, "[drm:", 5) == 0);
    size_t n = line->module ? strlen(line->module) : strcspn(front, " :]");
    if (!line->module && !other_named(front, n) && memchr(front, '.', n))
        n = strcspn(front, ".");                                /* "METAX.B10200.ATU.ERROR" */
    if (!line->module && line->tag && !other_named(front, n)) { /* the function's name begins with the driver's */
        front = line->tag;
        for (n = strlen(front); n && !(front[n] == '_' && other_named(front, n));) n--;
    }
    if (!n || !other_named(front, n)) return false;
    snprintf(name, size, "%.*s", (int)n, front);
    return true;
}

bool is_gpus_driver(const char *name) { return our_driver(name, strlen(name)) || other_named(name, strlen(name)); }

void other_vendor_says(const char *driver, char *buf, size_t size)
{
    const struct other *o = other_named(driver, strlen(driver));
    if (o)
        snprintf(buf, size, "%s; %s", o->what, o->tool);
    else
        snprintf(buf, size, "%s", driver);
}

/* What a driver advises, which is no failure of anything. */
static bool is_advice(const char *p)
{
    static const char *const words[] = {"lease file ", "lease report ", "lease check ", "lease see ", "lease send ",
        "or recovery procedure", "OCTLs and executions are blocked", "GPU hangs can indicate", "can then reassign",
        "ecover vram bo from shadow ", "planes with drm panic", "registered panic notifier",
        "lease disable it before reporting",
        "odule verification failed: signature", /* a module that nobody signed runs as well */
        /* of nouveau, NVIDIA's driver, vmwgfx in VirtualBox, where all works */
        "to avoid bug", "flat panel table invalid", "nable to read EDID", "on an unsupported hypervisor",
        "Failed to open channel"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(p, words[i])) return true;
    return false;
}

/* EPROBE_DEFER: what the driver needs is not there yet, and it is asked again. */
static bool is_deferred(const char *p)
{
    const char *at = strstr(p, "-517");
    return at && !isdigit((unsigned char)at[4]);
}

bool tells_of_failure(const char *p)
{
    static const char *const words[26][4] = {/* by their first letter */
        ['a' - 'a'] = {"abort"},
        ['b' - 'a'] = {"bad ", "BUG"},
        ['c' - 'a'] = {"cannot", "can't", "could not", "corrupt"},
        ['d' - 'a'] = {"denied", "dead"},
        ['e' - 'a'] = {"error", "exception"},
        ['f' - 'a'] = {"fail", "fault", "fatal"},
        ['g' - 'a'] = {"gr: trap"},
        ['h' - 'a'] = {"hang", "hung"},
        ['i' - 'a'] = {"invalid", "illegal"},
        ['l' - 'a'] = {"lost", "lockup"},
        ['m' - 'a'] = {"mismatch"},
        ['n' - 'a'] = {"not respond", "no response"},
        ['o' - 'a'] = {"overflow", "out of memory"},
        ['p' - 'a'] = {"panic"},
        ['r' - 'a'] = {"recover", "refus", "reject"},
        ['s' - 'a'] = {"stuck", "stall", "stopped responding"},
        ['t' - 'a'] = {"timeout", "timed out", "time out", "timedout"},
        ['u' - 'a'] = {"unable", "uncorrect", "unexpected"},
        ['v' - 'a'] = {"violation"},
        ['w' - 'a'] = {"wedged", "WARNING"},
        ['x' - 'a'] = {"Xid"}};
    for (bool inside = false; *p; p++) { /* a word */
        const bool begins_word = !inside;
        inside = isalpha((unsigned char)*p);
        if (!begins_word || !inside) continue;
        const char *const *of = words[(tolower((unsigned char)*p) - 'a') % 26];
        for (size_t i = 0; i < 4 && of[i]; i++)
            if (strncasecmp(p, of[i], strlen(of[i])) == 0) return true;
    }
    return false;
}

bool other_vendor_line(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char text[160], driver[24];
    uint64_t xid;
    struct gpudbg_incident i = {.kind = &incident_not_ours, .line = line->number, .text = text};
    const char *at = p;
    if (!of_driver(line, p, driver, sizeof driver)) return false;
    if (is_deferred(p) || is_advice(p)) return true;
    if (!strstr(p, "Xid (") && (line->level > 3 || (line->level < 0 && !tells_of_failure(p))))
        return true; /* not ours, and no failure */
    i.unit = driver;
    other_vendor_says(driver, text, sizeof text);
    if (scan_find(&at, "Xid (") && scan_find(&at, "): ") && scan_decimal(&at, &xid)) {
        i.values[0] = xid;
        i.have = 1;
    }
    gpudbg_dump_incident(d, &i);
    return true;
}

/* ---- What the table of phrases does not have ---- */

/* The driver that a function is of, by how its name begins; NULL: it does not tell. */
static const char *of_function(const char *name)
{
    static const struct {
        const char *begin, *driver;
    } begins_of[] = {{"amdgpu_", "amdgpu"}, {"gfx_v", "amdgpu"}, {"gmc_v", "amdgpu"}, {"sdma_v", "amdgpu"},
        {"mes_v", "amdgpu"}, {"psp_v", "amdgpu"}, {"smu_v", "amdgpu"}, {"vcn_v", "amdgpu"}, {"uvd_v", "amdgpu"},
        {"vce_v", "amdgpu"}, {"jpeg_v", "amdgpu"}, {"mmhub_v", "amdgpu"}, {"gfxhub_v", "amdgpu"}, {"dce_v", "amdgpu"},
        {"kfd_", "amdkfd"}, {"kgd_", "amdkfd"}, {"radeon_", "radeon"}, {"r600_", "radeon"}, {"rv770_", "radeon"},
        {"evergreen_", "radeon"}, {"cayman_", "radeon"}, {"si_", "radeon"}, {"cik_", "radeon"}, {"ni_", "radeon"},
        {"i915_", "i915"}, {"intel_", "i915"}, {"i9", "i915"}, {"gen", "i915"}, {"xe_", "xe"}};
    for (size_t i = 0; i < sizeof begins_of / sizeof *begins_of; i++)
        if (begins(name, begins_of[i].begin)) return begins_of[i].driver;
    return NULL;
}

/* "amdgpu_device_ip_early_init failed": a message without a level and without its driver, which begins with one of its
 * functions.  NULL: it is none, or one whose name may be that of another device's module. */
static const char *of_first_word(const char *p)
{
    const size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
    const bool function = n > 6 && memchr(p, '_', n) && strchr(" (:", p[n]) && p[n];
    static const char *const shared[] = {"i9", "gen", "intel_", "ni_", "si_"}; /* "intel_rng: ", "ni_pcimio: " */
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (begins(p, shared[i]) && !begins(p, "i915_")) return NULL;
    return function ? of_function(p) : NULL;
}

bool unknown_line(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char text[200];
    const char *driver = driver_of(line);
    if (!driver && line->device && strstr(line->device, "drmn") && line->level == 3 && !line->tag)
        driver = "drm";                             /* FreeBSD's devices do not say whose they are */
    if (!driver && line->tag && line->level == 3) { /* "[drm:dc_link_... ] *ERROR*": of a library of theirs */
        driver = of_function(line->tag);
        if (!driver) driver = "drm";
    }
    if (!driver && line->level < 0 && !line->tag && !line->module) driver = of_first_word(p);
    if (!driver || line->level > 4 || is_deferred(p)) return false;
    const bool said = line->level >= 0 && line->level <= 3; /* as an error */
    if (!said && (!tells_of_failure(p) || is_advice(p))) return false;
    const bool function = line->tag && (!line->module || strcmp(line->tag, line->module) != 0) &&
                          strcmp(line->tag, driver) != 0;
    snprintf(text, sizeof text, "%s%s%.*s", function ? line->tag : "", function ? ": " : "", 150, p);
    const struct gpudbg_incident i = {
        .kind = &incident_unknown_error, .line = line->number, .unit = driver, .text = text};
    gpudbg_dump_incident(d, &i);
    return true;
}
