/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oops.c: the kernel's own reports of an error in its code: warnings, checks that fail, pointers that lead nowhere,
 * memory and locks that are used wrongly, tasks that hang.  A headline says what it is; the lines behind it say where,
 * the nearest function first:
 *
 *     WARNING: CPU: 2 PID: 53 at drivers/gpu/drm/i915/i915_vma.c:303 i915_vma_pin+0x6e/0xa0 [i915]
 *     BUG: kernel NULL pointer dereference, address: 0000000000000010
 *     RIP: 0010:mutex_lock+0x10/0x30
 *     Call Trace:
 *      amdgpu_vm_fini+0x17a/0x230 [amdgpu]
 *
 * A report belongs to a GPU's driver if one of its functions is in it; the other reports are nobody's here.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

#define LINES_MOST 260 /* of a report; those of locks are long */

#define FREEBSD_WARNS "WARNING " /* "WARNING !drm_modeset_is_locked(&crtc->mutex) failed at FILE:LINE" */

static const struct headline {
    const char *text; /* as the line begins */
    const char *what; /* {f}: the function, with its driver; {u}: up to a blank behind `text` */
} headlines[] = {
    {"WARNING: possible circular locking dependency detected",
        "locks are taken in orders that may stop two tasks for ever, in {f}"},
    {"WARNING: possible recursive locking detected", "a task takes a lock that it has, or one of its kind, in {f}"},
    {"WARNING: inconsistent lock state", "a lock is taken with and without interrupts in {f}"},
    {"WARNING: possible irq lock inversion dependency detected", "a lock is taken with and without interrupts in {f}"},
    {"WARNING: SOFTIRQ-", "a lock is taken with and without interrupts in {f}"},
    {"WARNING: HARDIRQ-", "a lock is taken with and without interrupts in {f}"},
    {"WARNING: bad unlock balance detected", "a lock is given back that was not taken in {f}"},
    {"WARNING: suspicious RCU usage", "data that readers share is used without their protection in {f}"},
    {"INFO: possible circular locking dependency detected",
        "locks are taken in orders that may stop two tasks for ever, in {f}"},
    {"INFO: possible recursive locking detected", "a task takes a lock that it has, or one of its kind, in {f}"},
    {"INFO: inconsistent lock state", "a lock is taken with and without interrupts in {f}"},
    {"INFO: trying to register non-static key", "a lock is used that was not set up in {f}"},
    {"INFO: task ", "a task waits too long in {f}"},
    {"INFO: rcu", "a processor did not come out of the kernel in time in {f}"},
    {"[ BUG: Invalid wait context ]", "a lock is taken where it may not be waited for in {f}"},
    {"BUG: key ", "a lock is used whose description is not in static memory in {f}"},
    {"BUG: KASAN: ", "memory is used wrongly ({u}) in {f}"},
    {"BUG: KFENCE: ", "memory is used wrongly ({u}) in {f}"},
    {"BUG: KMSAN: ", "memory is used that nothing was written to ({u}) in {f}"},
    {"BUG: KCSAN: ", "two processors use the same data without an order ({u}) in {f}"},
    {"UBSAN: ", "an operation has no defined result ({u}) in {f}"},
    {"BUG: sleeping function called from invalid context", "the kernel sleeps where it may not, in {f}"},
    {"BUG: scheduling while atomic", "the kernel sleeps where it may not, in {f}"},
    {"BUG: spinlock ", "a lock is used wrongly in {f}"},
    {"BUG: soft lockup", "a processor is kept busy in {f}"},
    {"BUG: kernel NULL pointer dereference", "the kernel used a null pointer in {f}"},
    {"BUG: unable to handle kernel NULL pointer", "the kernel used a null pointer in {f}"},
    {"BUG: unable to handle", "the kernel used an address that is not mapped in {f}"},
    {"BUG: Bad page", "a page is given back that is still used in {f}"},
    {"Unable to handle kernel NULL pointer", "the kernel used a null pointer in {f}"},
    {"Unable to handle kernel ", "the kernel used an address that is not mapped in {f}"},
    {"Unhandled fault: ", "the kernel's access to a device failed in {f}"},
    {"Unhandled exception: ", "the kernel's access to a device failed in {f}"},
    {"Internal error: ", "the kernel stopped in {f}"},
    {"general protection fault", "the kernel used a damaged pointer in {f}"},
    {"Oops: general protection fault", "the kernel used a damaged pointer in {f}"},
    {"divide error", "the kernel divided by 0 in {f}"},
    {"Oops: divide error", "the kernel divided by 0 in {f}"},
    {"kernel BUG at ", "a check of the kernel failed ({u}) in {f}"},
    {"Kernel panic - not syncing", "the kernel stopped for good in {f}"},
    {"refcount_t: ", "a counter of users is wrong in {f}"},
    {"lock order reversal:", "locks are taken in orders that may stop two tasks for ever, in {f}"}, /* FreeBSD's */
    {"list_add corruption", "a list is damaged in {f}"},
    {"list_del corruption", "a list is damaged in {f}"},
    {"Fatal trap ", "the kernel (FreeBSD's) stopped in {f}"},
    {"panic: ", "the kernel (FreeBSD's) stopped in {f}"},
    {"WARNING: ", "the kernel warns in {f}"},
    {FREEBSD_WARNS, "the kernel (FreeBSD's) warns in {f}"},
};

/* Modules of the kernel whose functions say which driver it was; `known`: its GPUs are. */
static const struct module {
    const char *name, *folder;
    bool known, shared; /* shared: serves all drivers of GPUs */
} modules[] = {{"amdgpu", "drivers/gpu/drm/amd/", true, false}, {"amdkfd", "amdkfd", true, false},
    {"radeon", "drivers/gpu/drm/radeon/", true, false}, {"i915", "drivers/gpu/drm/i915/", true, false},
    {"xe", "drivers/gpu/drm/xe/", true, false}, {"nouveau", "drivers/gpu/drm/nouveau/", false, false},
    {"nvidia", NULL, false, false}, {"nvidia_drm", NULL, false, false}, {"nvidia_modeset", NULL, false, false},
    {"msm", "drivers/gpu/drm/msm/", false, false}, {"etnaviv", "drivers/gpu/drm/etnaviv/", false, false},
    {"panfrost", "drivers/gpu/drm/panfrost/", false, false}, {"panthor", "drivers/gpu/drm/panthor/", false, false},
    {"lima", "drivers/gpu/drm/lima/", false, false}, {"v3d", "drivers/gpu/drm/v3d/", false, false},
    {"vc4", "drivers/gpu/drm/vc4/", false, false}, {"vmwgfx", "drivers/gpu/drm/vmwgfx/", false, false},
    {"virtio_gpu", "drivers/gpu/drm/virtio/", false, false}, {"loonggpu", NULL, false, false},
    {"amdxdna", "drivers/accel/amdxdna/", false, false}, {"intel_vpu", "drivers/accel/ivpu/", false, false},
    {"ttm", "drivers/gpu/drm/ttm/", true, true}, {"amdttm", NULL, true, false}, {"amd_sched", NULL, true, false},
    {"gpu_sched", "drivers/gpu/drm/scheduler/", true, true}, {"drm_kms_helper", NULL, true, true},
    {"drm_display_helper", "drivers/gpu/drm/display/", true, true}, {"drm", "drivers/gpu/drm/", true, true}};

/* Functions of drivers that are built into the kernel, by how their names begin. */
static const char *const built_in[][2] = {{"amdgpu_", "amdgpu"}, {"radeon_", "radeon"}, {"i915_", "i915"},
    {"nouveau_", "nouveau"}, {"nvkm_", "nouveau"}, {"etnaviv_", "etnaviv"}, {"msm_gem_", "msm"}, {"msm_gpu_", "msm"},
    {"adreno_", "msm"}, {"panfrost_", "panfrost"}, {"lima_", "lima"}, {"vc4_", "vc4"}, {"v3d_", "v3d"}};

static const struct module *module_of(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strlen(modules[i].name) == n && memcmp(modules[i].name, name, n) == 0) return &modules[i];
    return NULL;
}

static bool is_function(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* The first "function+0x10" of the text, with "/0x30" and "[module]" where they are. */
static bool next_function(const char *p, char *name, size_t size, const struct module **module)
{
    const char *plus = p;
    *module = NULL;
    while ((plus = strstr(plus, "+0x")) && (plus == p || !is_function(plus[-1]))) plus++;
    if (!plus) return false;
    const char *start = plus;
    while (start > p && is_function(start[-1])) start--;
    if (isdigit((unsigned char)*start) || (size_t)(plus - start) >= size) return false;
    snprintf(name, size, "%.*s", (int)(plus - start), start);
    const char *end = plus + 3 + strspn(plus + 3, "0123456789abcdef");
    if (begins(end, "/0x")) end += 3 + strspn(end + 3, "0123456789abcdef");
    scan_blanks(&end);
    if (*end == '[' && isalpha((unsigned char)end[1])) *module = module_of(end + 1, strcspn(end + 1, "] "));
    for (size_t i = 0; !*module && *end != '[' && i < sizeof built_in / sizeof *built_in; i++)
        if (begins(name, built_in[i][0])) *module = module_of(built_in[i][1], strlen(built_in[i][1]));
    return true;
}

/* "drivers/gpu/drm/i915/i915_vma.c:303": the driver whose file it is. */
static const struct module *module_of_file(const char *p)
{
    if (!strstr(p, "drivers/")) return NULL;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (modules[i].folder && strstr(p, modules[i].folder)) return &modules[i];
    return NULL;
}

/* A function of the report: the first of a driver counts, after it those that serve all of them. */
static void take_function(struct oops *o, const char *name, const struct module *module)
{
    static const char *const lists[] = {/* of FreeBSD: what lists the others, or led there */
        "linux_dump_stack", "witness_debugger", "witness_checkorder", "witness_warn", "kdb_backtrace",
        "db_trace_self_wrapper", "vpanic", "panic"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(name, lists[i]) == 0) return;
    if (!o->first[0]) snprintf(o->first, sizeof o->first, "%s", name);
    if (!module) return;
    const bool nearer = o->driver && (!o->shared || module->shared);
    if (nearer && (o->function[0] || strcmp(o->driver, module->name) != 0)) return;
    o->driver = module->name;
    o->known = module->known;
    o->shared = module->shared;
    snprintf(o->function, sizeof o->function, "%s", name);
}

void oops_end(struct oops *o, struct gpudbg_dump *d)
{
    char where[224], text[320];
    struct text t = text_in(text, sizeof text), f = text_in(where, sizeof where);
    if (o->line && o->driver) {
        struct gpudbg_incident i = {.kind = o->known ? &incident_driver_stopped : &incident_not_ours,
            .line = o->line,
            .last = o->last,
            .unit = o->known ? o->function : o->driver,
            .text = text};
        const bool within = o->first[0] && strcmp(o->first, o->function) != 0;
        if (!o->function[0])
            text_add(&f, "a file of %s", o->driver);
        else
            text_add(&f, "%s of %s", o->function, o->driver);
        if (within && o->function[0]) text_add(&f, ", by way of %s", o->first);
        if (o->place[0] && !strstr(o->what, "{u}")) text_add(&f, " (%s)", o->place);
        for (const char *p = o->what; *p; p++) {
            if (begins(p, "{f}") || begins(p, "{u}"))
                text_add(&t, "%s", p[1] == 'f' ? where : o->place), p += 2;
            else
                text_add(&t, "%c", *p);
        }
        if (!o->known) other_vendor_says(o->driver, text, sizeof text);
        gpudbg_dump_current(d, o->line); /* a capture, if there was none */
        gpudbg_dump_incident(d, &i);
    }
    *o = (struct oops){0};
}

static bool freebsd_warns(const struct headline *h) { return strcmp(h->text, FREEBSD_WARNS) == 0; }

/* "WARNING: WITNESS option enabled" and the like are words without a place. */
static bool fits(const struct headline *h, const char *p)
{
    if (freebsd_warns(h)) return strstr(p, " failed at ") != NULL;
    return strcmp(h->text, "WARNING: ") != 0 || strstr(p, " at ") || strstr(p, "+0x") || strstr(p, "drivers/");
}

static const struct headline *headline_of(const char *p)
{
    if (!strchr("WIBUiugdOkKrlFp[", *p)) return NULL; /* most lines */
    for (size_t i = 0; i < sizeof headlines / sizeof *headlines; i++)
        if (begins(p, headlines[i].text)) return fits(&headlines[i], p) ? &headlines[i] : NULL;
    return NULL;
}

/* What the headline itself says of the place. */
static void read_headline(struct oops *o, const struct headline *h, const char *p)
{
    char name[64];
    const struct module *module = NULL, *of_file = module_of_file(p);
    o->what = h->what;
    const char *in = strstr(p, " in "), *file = strstr(p, "drivers/"), *behind = p + strlen(h->text);
    if (strstr(h->what, "{u}")) snprintf(o->place, sizeof o->place, "%.*s", (int)strcspn(behind, " !"), behind);
    if (file) {
        const char *last = file;
        for (const char *q = file; *q && *q != ' '; q++)
            if (*q == '/') last = q + 1;
        if (h->what[0] != 'a' || !strstr(h->what, "{u}") || begins(h->text, "kernel BUG"))
            snprintf(o->place, sizeof o->place, "%.*s", (int)strcspn(last, " !"), last);
    }
    if (next_function(in ? in : p, name, sizeof name, &module)) {
        take_function(o, name, module ? module : of_file);
    } else if (in && begins(p, "BUG: KCSAN")) { /* "data-race in f / g" */
        in += 4;
        snprintf(o->first, sizeof o->first, "%.*s", (int)strcspn(in, " /+"), in);
    }
    if (of_file && !o->driver) {
        o->driver = of_file->name;
        o->known = of_file->known;
        o->shared = of_file->shared;
    }
}

/* Lines of a report that say no function. */
static bool is_filling(const char *p)
{
    static const char *const fillings[] = {"Modules linked in:", "CPU: ", "Hardware name:", "Workqueue:", "Code: ",
        "RSP: ", "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: ", "FS: ", "CS: ", "CR2: ", "DR0: ", "DR3: ", "PKRU: ",
        "Call Trace:", "<TASK>", "</TASK>", "<IRQ>", "</IRQ>", "#PF: ", "PGD ",
        "Oops: ", "Tainted: ", "Backtrace:", "stack backtrace:", "the existing dependency chain",
        "other info that might help", "invalid opcode: "};
    for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++)
        if (begins(p, fillings[i])) return true;
    return false;
}

bool oops_line(struct oops *o, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[64];
    const struct module *module;
    if (begins(p, "watchdog: ")) p += strlen("watchdog: ");
    if (begins(p, "NMI watchdog: ")) p += strlen("NMI watchdog: ");
    const struct headline *h = headline_of(p);
    if (o->line && line->number - o->line > LINES_MOST) oops_end(o, d);
    /* A second headline may say the same in other words; FreeBSD's drivers warn while it stops for another reason. */
    if (h && (!o->line || o->function[0] || o->first[0] || freebsd_warns(h))) {
        oops_end(o, d);
        o->line = o->last = line->number;
        read_headline(o, h, p);
        return true;
    }
    if (!o->line && (begins(p, "RIP: ") || begins(p, "IP: ") || begins(p, "Stopped at ")) &&
        next_function(p, name, sizeof name, &module)) { /* whoever pasted it left out its start */
        o->line = o->last = line->number;
        o->what = "the kernel stopped, or warns, in {f}";
        take_function(o, name, module);
        return true;
    }
    if (!o->line) return false;
    o->last = line->number;
    if (begins(p, "---[ end ") || begins(p, "Kernel Offset:")) {
        oops_end(o, d);
        return true;
    }
    if (begins(p, "the existing dependency chain")) o->past = true;
    if (begins(p, "other info that might help") || begins(p, "stack backtrace")) o->past = false;
    if (h || o->past || is_filling(p)) return true;
    if (*p == '?') return strstr(p, "+0x") != NULL; /* what stood on the stack, perhaps of a call before */
    if (!next_function(p, name, sizeof name, &module)) return false;
    take_function(o, name, module);
    return true;
}
