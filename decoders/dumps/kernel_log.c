/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_log.c: what the kernel's drivers write when a GPU faults or hangs.  Things told in several lines are read by
 * the machines of kernel_log.h, messages that are one line and one incident by phrases.c; here stands what is between
 * them: the reader, resets and rings, the setup of a chip, core dumps.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel_log.h"

#define JOB_LINES 8 /* between a job that did not end and the line of its process */

struct log {
    struct vm_faults vm;
    struct hub_faults hubs;
    struct mesa_fault mesa;
    struct runtime_faults runtime;
    struct lost_contexts lost;
    struct intel_fault intel;
    struct reset_lists lists;
    struct resets resets;
    struct xe_job job;
    struct guc_state guc;
    struct aca aca;
    struct engine_state engine;
    struct oops oops;
    struct firmware firmware;
    struct generations generations;
    uint32_t coredump_line, coredump_capture; /* a core dump whose place is not told yet; line 0: none */
    uint32_t freebsd;                         /* the capture of which it was said last, or UINT32_MAX */
    bool region;                              /* commands among which the GPU stopped are listed */
    uint32_t driver_line;                     /* the first line of a GPU's driver; 0: none */
    char driver[128];                         /* whose it is */
    uint32_t timeout_line;                    /* the last line of a job that did not end; 0: none */
    uint32_t job_line, job_capture;           /* a job's process whose own line is not there yet; line 0: none */
};

/* Whether that driver writes the line, as far as it tells: in front of its device or message, or by the function's
 * name. */
bool driver_is(const struct gpudbg_dump_line *line, const char *driver)
{
    const char *tag = line->tag ? line->tag : "", *text = line->text + line->indent;
    const size_t n = strlen(driver);
    return strcmp(tag, driver) == 0 || (strncmp(text, driver, n) == 0 && text[n] == ':') ||
           (strncmp(tag, driver, n) == 0 && tag[n] == '_');
}

/* Whether amdgpu counts the rings of the line: messages with a ring's number are radeon's otherwise. */
static bool is_amdgpu(const struct gpudbg_dump_line *line)
{
    const char *tag = line->tag ? line->tag : "";
    return begins(line->text + line->indent, "amdgpu: ") || begins(tag, "amdgpu_") || begins(tag, "gfx_v") ||
           begins(tag, "cik_sdma_ring_test_");
}

/* ---- Other lines ---- */

/* Messages of amdkfd's functions for the scheduler MES, which amdgpu uses from gfx11 on (kfd_device_queue_manager.c;
 * amdgpu.mes, off where it is not set, let it try on gfx10, too). */
static bool tells_of_mes(const char *p)
{
    return strstr(p, "queues_mes:") || strstr(p, "from MES") || begins(p, "failed to suspend all gangs");
}

/* Drivers of GPUs whose accesses the IOMMU tells of in a line of the device; other devices have the same line. */
/* The ring of a compute queue that is told as "ME:pipe:queue": rings are called comp_ME.pipe.queue (amdgpu_gfx.c). */
static void name_queue(struct gpudbg_incident *i, char *name, size_t size)
{
    uint64_t part[3];
    const char *p = i->unit;
    if (i->kind != &incident_reset || !p) return;
    for (unsigned k = 0; k < 3; k++)
        if (!scan_decimal(&p, &part[k]) || !(k < 2 ? scan_word(&p, ":") : *p == 0)) return;
    snprintf(name, size, "comp_%u.%u.%u", (unsigned)part[0], (unsigned)part[1], (unsigned)part[2]);
    i->unit = name;
}

/* "gfx_0.0.0": the rings of graphics from gfx10 on; before, there is one, "gfx", or two behind a scheduler. */
static bool ring_of_later(const char *ring)
{
    return begins(ring, "gfx_") && isdigit((unsigned char)ring[4]) && ring[5] == '.';
}

/* "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: ...": in front of it stands the line of the job that
 * did not end (behind it in a log that is sorted backwards), or the log begins between the two. */
static void tell_job(struct log *log, struct gpudbg_dump *d)
{
    const struct gpudbg_incident i = {.kind = &incident_timeout, .line = log->job_line};
    if (log->job_line) gpudbg_dump_incident_in(d, log->job_capture, &i);
    log->job_line = 0;
}

static void note_job(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const struct gpudbg_incident_kind *kind)
{
    const bool behind = log->job_line && line->number - log->job_line <= JOB_LINES;
    if (kind == &incident_timeout) {
        log->timeout_line = line->number;
        if (behind) log->job_line = 0;
    }
    if (!behind) tell_job(log, d);
    if (kind != &incident_process || !line->tag || strcmp(line->tag, "amdgpu_job_timedout") != 0 ||
        (log->timeout_line && line->number - log->timeout_line <= JOB_LINES))
        return;
    log->job_line = line->number;
    log->job_capture = gpudbg_dump_current(d, line->number);
}

static bool take_phrase(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct phrase_told told;
    char queue[40];
    const unsigned n = phrases_read(p, line, is_amdgpu(line), &told);
    if (n && told.incident[0].kind == &incident_iommu_fault && !driver_of(line) && !begins(p, "DMAR:")) return false;
    if (n && told.incident[0].kind == &incident_soft_reset)
        reset_list_begin(&log->lists, d, line->number, !told.incident[0].have);
    if (n && ((told.incident[0].kind == &incident_firmware_silent && strcmp(told.incident[0].unit, "MES") == 0) ||
                 (told.incident[0].kind == &incident_eviction && tells_of_mes(p))))
        generation_sign(
            &log->generations, d, line->number, GENERATION_11 | GENERATION_12, "its queues are scheduled by MES");
    if (n && (told.incident[0].kind == &incident_hung || told.incident[0].kind == &incident_init_failed) &&
        told.incident[0].unit && block_family(told.incident[0].unit))
        generation_named(&log->generations, d, line->number, TRUST_BLOCK, block_family(told.incident[0].unit),
            told.incident[0].unit);
    if (n && told.incident[0].unit && ring_of_later(told.incident[0].unit))
        generation_sign(
            &log->generations, d, line->number, GENERATION_10_ON, "its graphics rings have names of this kind");
    const char *driver = n ? driver_of(line) : NULL;
    if (driver && (strcmp(driver, "i915") == 0 || strcmp(driver, "xe") == 0))
        intel_numbered(&log->generations, d, line->number, 0);
    for (unsigned i = 0; i < n; i++) {
        told.incident[i].line = line->number;
        name_queue(&told.incident[i], queue, sizeof queue);
        if (told.incident[i].kind == &incident_process && !told.incident[i].text[0] && told.incident[i].values[0])
            told.incident[i].text = NULL; /* FreeBSD's drivers leave names out */
        note_job(log, d, line, told.incident[i].kind);
        if (told.incident[i].kind == &incident_timeout) resets_over(&log->resets, d, line->device, true);
        if (reset_line(&log->resets, d, line, &told.incident[i], told.step)) continue;
        if (firmware_waits(&log->firmware, d, line, &told.incident[i], p)) continue;
        if (told.incident[i].kind == &incident_page_fault && runtime_fault_line(&log->runtime, d, &told.incident[i]))
            continue;
        if (told.lost && lost_context_line(&log->lost, d, &told.incident[i])) continue;
        if (!told.incident[i].text || told.incident[i].text[0]) gpudbg_dump_incident(d, &told.incident[i]);
    }
    return n;
}

/* "sq_intr: error, detail 0x00000000, type 1, sh 1, priv 1, wave_id 4, simd_id 0, wgp_id 0" (amdkfd, from gfx9
 * on; older ones say err_type): what a wave met, and where it runs. */
static bool take_sq_interrupt(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const struct {
        const char *word;
        unsigned value;
    } fields[] = {{"type ", 0}, {"err_type ", 0}, {"se ", 1}, {"sh ", 2}, {"cu_id ", 3}, {"wgp_id ", 4},
        {"simd_id ", 5}, {"wave_id ", 6}, {"priv ", 7}, {"detail ", 8}, {"data ", 8}};
    struct gpudbg_incident i = {.kind = &incident_wave_error, .line = line->number};
    if (!scan_word(&p, "sq_intr: error, ")) return false;
    while (*p) {
        bool known = false;
        for (size_t k = 0; k < sizeof fields / sizeof *fields && !known; k++) {
            const char *at = p;
            uint64_t v;
            if (!scan_word(&at, fields[k].word) || !(scan_0x(&at, 16, &v) || scan_decimal(&at, &v))) continue;
            i.values[fields[k].value] = v;
            i.have |= 1u << fields[k].value;
            p = at;
            known = true;
        }
        if (!known) p += strcspn(p, ",");
        p += strspn(p, ", ");
    }
    gpudbg_dump_incident(d, &i);
    return true;
}

/* Commands that DXVK_DEBUG=hang lists, those that had begun and not ended between two lines of their own (DXVK,
 * DxvkCheckpointBuffer::logHangCommandSequence):
 *
 *     err:   !!! Potential hang region BEGIN !!!
 *     err:    4711: Dispatch (8, 8, 1)
 *     err:   !!! Potential hang region END !!!
 */
static bool take_region(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct gpudbg_incident i = {.kind = &incident_hang_region, .line = line->number, .have = 1};
    if (!log->region && !strchr(p, '!')) return false; /* most lines */
    const bool end = strstr(p, "!!! Potential hang region END !!!");
    if (end || strstr(p, "!!! Potential hang region BEGIN !!!")) return log->region = !end, true;
    if (!log->region || !scan_word(&p, "err:")) return false;
    scan_blanks(&p);
    if (!scan_decimal(&p, &i.values[0]) || !scan_word(&p, ": ") || !*p) return false;
    i.text = p;
    gpudbg_dump_incident(d, &i);
    return true;
}

/* "cik_irq_process: 25 callbacks suppressed" */
static bool take_suppressed(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[96];
    struct gpudbg_incident i = {.kind = &incident_suppressed, .line = line->number, .have = 1};
    if (!scan_name(&p, name, sizeof name) || !scan_word(&p, ": ") || !scan_decimal(&p, &i.values[0]) ||
        !scan_word(&p, " callbacks suppressed") || (!strstr(name, "process_interrupt") && !strstr(name, "irq_process")))
        return false;
    generation_named(&log->generations, d, line->number, TRUST_BLOCK, block_family(name), name);
    gpudbg_dump_incident(d, &i);
    return true;
}

/* ---- Core dumps that the driver keeps: a line that says so, and mostly one that says where ---- */

static void tell_coredump(struct log *log, struct gpudbg_dump *d, uint32_t last, const char *place)
{
    struct gpudbg_incident i = {.kind = &incident_coredump, .text = place, .line = log->coredump_line, .last = last};
    if (!log->coredump_line) return;
    gpudbg_dump_incident_in(d, log->coredump_capture, &i);
    log->coredump_line = 0;
}

static bool take_coredump(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    const bool where = begins(p, "Check your /sys/") && strstr(p, "devcoredump");
    if (!where && !begins(p, "Xe device coredump has been created") &&
        !begins(p, "AMDGPU device coredump file has been created"))
        return false;
    const uint32_t capture = gpudbg_dump_current(d, line->number);
    if (!where || capture != log->coredump_capture) tell_coredump(log, d, 0, NULL);
    if (!log->coredump_line) log->coredump_line = line->number;
    log->coredump_capture = capture;
    if (where) tell_coredump(log, d, line->number, p + strlen("Check your "));
    return true;
}

/* What the driver says of the chip while it sets it up, and where it keeps a core dump. */
static bool take_setup(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[96];
    uint64_t v;
    scan_word(&p, "[drm] ");
    const char *start = p;
    if (scan_word(&p, "Linux version ")) {
        const size_t n = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), p);
        gpudbg_dump_fact(d, line->number, "kernel", name, 0);
        return true;
    }
    p = start;
    if (take_coredump(log, d, line, p)) return true;
    if (scan_word(&p, "VRAM: ") || scan_word(&p, "GART: ")) {
        if (strstr(p, "0x")) gpudbg_dump_fact(d, line->number, start[0] == 'V' ? "vram" : "gart", p, 0);
        return true;
    }
    p = start;
    if (begins(p, "Initialized amdgpu ") || begins(p, "PM: suspend exit") || begins(p, "PM: hibernation: hib"))
        resets_usual(&log->resets, line, NULL);
    if (begins(p, "PM: suspend entry") || begins(p, "PM: hibernation: hibernation entry"))
        resets_usual(&log->resets, line, "before the machine sleeps");
    if (scan_word(&p, "initializing kernel modesetting (") && scan_name(&p, name, sizeof name)) {
        resets_usual(&log->resets, line, "before it sets it up");
        generation_named(&log->generations, d, line->number, TRUST_CHIP, chip_family(name), name);
        gpudbg_dump_fact(d, line->number, "chip", name, 0);
        if (scan_word(&p, " 0x") && scan_hex(&p, 4, &v) && scan_word(&p, ":0x") && scan_hex(&p, 4, &v)) {
            gpudbg_dump_fact(d, line->number, "device-id", NULL, v);
            generation_named(&log->generations, d, line->number, TRUST_CHIP, amd_family((unsigned)v), name);
        }
        return true;
    }
    p = start;
    if (scan_word(&p, "Found ") && scan_find(&p, "(device ID ") && scan_hex(&p, 4, &v) && *p == ')') { /* xe, i915 */
        if (pci_family((unsigned)v)) intel_named(d, line->number, pci_family((unsigned)v));
        return true;
    }
    p = start;
    if (scan_word(&p, "detected ip block number ") && scan_find(&p, "<") && scan_until(&p, ">", name, sizeof name)) {
        generation_named(&log->generations, d, line->number, TRUST_BLOCK, block_family(name), name);
        return true;
    }
    return false;
}

/* ---- The reader ---- */

/* "amdgpu: ", "kfd kfd: amdgpu: ": drivers alone, without a device of the bus. */
static const char *past_driver(const char *p)
{
    if (begins(p, "kfd kfd: ")) p += 4;
    const size_t n = strcspn(p, ": ");
    return begins(p + n, ": ") && our_driver(p, n) ? past_driver(p + n + 2) : p;
}

/* Whether the text is a message in the table of phrases, or a register and its value. */
static bool is_message(const char *text)
{
    struct phrase_told told;
    const char *p = text;
    p = past_driver(p);
    if (begins(p, "GPU HANG: ecode ") || begins(p, "sq_intr: ") || engine_state_begins(p)) return true;
    if (phrases_read(p, NULL, false, &told)) return true;
    p += strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (p - text < 3) return false;
    p += strspn(p, " =:");
    return begins(p, "0x");
}

/* Whether a line of the head, without what loggers put in front, is in the table of phrases, or of a driver. */
static int probe_lines(const uint8_t *bytes, size_t n, const char **why)
{
    static const char *const fronts[] = {"amdgpu: ", "kfd: ", "NVRM: ", "nouveau 0000:", "loonggpu 0000:", "panfrost ",
        "etnaviv", "METAX.", "nvlddmkm", "amdkmdag", "VIDEO_TDR_FAILURE"};
    if (memchr(bytes, 0, n < 64 ? n : 64)) return 0; /* programs begin so, no log does */
    char text[512];
    int sure = 0;
    for (size_t from = 0, length; from < n && !sure; from += length + 1) {
        const uint8_t *end = memchr(bytes + from, '\n', n - from);
        length = end ? (size_t)(end - (bytes + from)) : n - from;
        snprintf(text, sizeof text, "%.*s", length < sizeof text ? (int)length : (int)sizeof text - 1,
            (const char *)bytes + from);
        if (is_message(text + strspn(text, " \t"))) sure = 35;
    }
    *why = "a message of a driver";
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts && !sure; i++)
        if (head_has(bytes, n, fronts[i])) sure = 12;
    for (const char *const *name = our_drivers; *name && !sure; name++) {
        char device[16], module[16];
        snprintf(device, sizeof device, "%s 0000:", *name);
        snprintf(module, sizeof module, "[%s]]", *name);
        if (head_has(bytes, n, device) || head_has(bytes, n, module)) sure = 12;
    }
    return sure;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    static const struct {
        const char *text, *why;
        int sure;
    } signs[] = {
        {"VM_CONTEXT1_PROTECTION_FAULT_", "the kernel's lines of a VM fault", 60},
        {"GPU softreset: 0x", "registers at a soft reset", 60},
        {"GRBM_STATUS=0x", "registers at a soft reset", 55},
        {"VM fault (0x", "the kernel's line of a VM fault", 55},
        {"page fault (src_id:", "the kernel's lines of a fault", 50},
        {"VM_L2_PROTECTION_FAULT_STATUS", "the kernel's lines of a fault", 45},
        {"in page starting at address 0x", "the kernel's lines of a fault", 45},
        {"GPUVM fault detected at address", "a driver's line of a fault", 45},
        {"Failing VM page: 0x", "a driver's line of a fault", 45},
        {"NVRM: Xid (", "the kernel's lines of NVIDIA's driver", 40},
        {"MES failed to respon", "the kernel's lines of a scheduler that is silent", 40},
        {"MES might be in unrecoverable state", "the kernel's lines of a scheduler that is silent", 40},
        {" ring reset", "the kernel's line of a reset", 20},
        {"engine hang detected", "the line of a host's driver of virtual GPUs", 40},
        {"Fault response: Unsuccessful ", "the kernel's line of a fault", 30},
        {"gim error libgv: [", "the lines of a host's driver of virtual GPUs", 40},
        {"uncorrectable hardware error", "the kernel's line of a hardware error", 40},
        {"device lost from bus!", "the kernel's line of a lost device", 40},
        {"GPU recovery timed out", "the kernel's line of a reset", 40},
        {"GPU reset begin!", "the kernel's line of a reset", 40},
        {"GPU reset succeeded", "the kernel's line of a reset", 40},
        {" timeout, last signaled seq=", "the kernel's line of a timeout", 50},
        {" timeout, but soft recovered", "the kernel's line of a timeout", 50},
        {"Hangcheck timer elapsed... ", "the kernel's line of a hang", 40},
        {"Kicking stuck ", "the kernel's line of a ring that waits", 40},
        {"Memory access fault by GPU node-", "a runtime's line of a fault", 45},
        {"the context is lost", "a driver's line of a lost context", 35},
        {"VK_ERROR_DEVICE_LOST", "an API's line of a lost device", 30},
        {"DXVK: Hang detected", "a layer's report of a hang", 40},
        {"GRBM_STATUS: 0x", "registers and their values", 30},
        {"mmGRBM_STATUS = 0x", "registers and their values", 30},
        {"Xe device coredump has been created", "the kernel's line of a core dump", 40},
        {"AMDGPU device coredump file has been created", "the kernel's line of a core dump", 40},
        {"GPU HANG: ecode ", "the kernel's line of a hang", 50},
        {" in command stream", "the kernel's lines of a command stream", 40},
        {" timeout, signaled seq=", "the kernel's line of a timeout", 50},
        {"GPU lockup (", "the kernel's line of a lockup", 50},
        {"stalled for more than ", "the kernel's line of a stalled ring", 40},
        {"detected ip block number", "the kernel's lines of a driver", 30},
        {"initializing kernel modesetting (", "the kernel's lines of a driver", 30},
        {"Hangcheck timer elapsed... GPU hung", "the kernel's line of a hang", 40},
        {"Timedout job: seqno=", "the kernel's line of a job that did not end", 50},
        {"Engine memory cat error", "the kernel's line of a fault", 45},
        {"Engine memory CAT error", "the kernel's line of a fault", 45},
        {"GPU fault detected: ", "the kernel's lines of a VM fault", 50},
        {"Unexpected fault", "the kernel's lines of a fault", 30},
        {"Faulted Address: 0x", "the kernel's lines of a fault", 45},
        {"] *ERROR* radeon: ", "the kernel's lines of a driver", 30},
        {"kfd: Invalid PPR device ", "the kernel's line of a fault", 40},
        {"qcm fence wait loop timeout", "the kernel's lines of queues that stay", 40},
        {"Resetting chip after gpu hang", "the kernel's line of a reset", 30},
        {"GRBM_STATUS               = 0x", "registers at a soft reset", 55},
    };
    *why = "a message of a driver";
    if (n < 512 && !memchr(bytes, '\n', n) && !memchr(bytes, 0, n)) { /* a line alone */
        char line[512];
        memcpy(line, bytes, n);
        line[n] = 0;
        if (is_message(line)) return 100;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (head_has(bytes, n, signs[i].text)) {
            *why = signs[i].why;
            return signs[i].sure;
        }
    }
    return probe_lines(bytes, n, why);
}

static void *open_log(struct gpudbg_dump *d)
{
    (void)d;
    struct log *log = reader_state(NULL, sizeof *log);
    if (!log) return NULL;
    log->freebsd = UINT32_MAX;
    return log;
}

/* What AMD's driver for hosts of virtual GPUs writes in front: "gim error:(dump_gpu_status:1457) ", and from version 8
 * on "gim error libgv: [0:3d:0:0][PF][amdgv_reset_gpu:142] ".  Its length, or 0. */
static size_t virtual_front(const char *p)
{
    if (!begins(p, "gim ")) return 0;
    const bool library = begins(p, "gim error libgv: [");
    const char *end = strstr(p, library ? "] " : ") ");
    return end && (library || strcspn(p, "(") < 20) && end - p < 100 ? (size_t)(end - p) + 2 : 0;
}

/* FreeBSD calls its devices drmn0 and on: what Linux keeps in /sys is not there. */
static void tell_system(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *drmn = line->device ? strstr(line->device, "drmn") : NULL;
    if (!drmn || !isdigit((unsigned char)drmn[4])) return;
    const uint32_t capture = gpudbg_dump_current(d, line->number);
    if (capture == log->freebsd) return;
    log->freebsd = capture;
    gpudbg_dump_fact(d, line->number, "system", "FreeBSD", 0);
}

/* "amdgpu/MULLINS_pfp.bin", "i915/tgl_guc_70.bin": the firmware's name says the chip. */
static void tell_firmware(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[32];
    const char *driver, *end = strchr(p, '/') ? strstr(p, ".bin") : NULL, *at = end ? firmware_file(p, &driver) : NULL;
    if (!at || at > end || (size_t)(end - at) >= sizeof name) return;
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    const bool intel = *driver == 'i' || *driver == 'x';
    const char *family = firmware_family(name, intel);
    if (!intel)
        generation_named(&log->generations, d, line->number, TRUST_FIRMWARE, family, name);
    else if (family)
        intel_named(d, line->number, family);
}

/* What a poster typed below a log of i915: "IPEHR: 0x70020002", "INSTDONE: 0xffffffff", "GPU lockup IPEHR: 0x0b160001"
 * of a bug's title. */
static bool take_typed(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const names[] = {"IPEHR", "INSTDONE", "INSTDONE1", "ACTHD", "EIR", "IPEIR", "PGTBL_ER"};
    const char *at = p;
    char name[32];
    uint64_t v;
    bool any = false;
    if (!strchr("GIAEP", *p)) return false; /* most lines */
    if (!strstr(p, "IPEHR") && !strstr(p, "INSTDONE") && !begins(p, "ACTHD") && !begins(p, "EIR") &&
        !begins(p, "PGTBL_ER"))
        return false;
    if (begins(at, "GPU lockup ")) scan_find(&at, "lockup ");
    for (; *at; at += strspn(at, " \t,;")) {
        if (!scan_name(&at, name, sizeof name)) return any;
        at += strspn(at, " \t:=");
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) known |= strcmp(name, names[i]) == 0;
        if (!known || !scan_0x(&at, 8, &v)) return any;
        const struct gpudbg_record r = {
            .name = name, .unit = "rcs0", .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number};
        gpudbg_dump_register(d, &r);
        if (!any) gpudbg_dump_fact(d, line->number, "typed", "a person wrote it", 0);
        any = true;
    }
    return any;
}

/* A driver of other devices writes the line: a sound card, a disk, a port of the bus. */
static bool of_another(const struct gpudbg_dump_line *line)
{
    return line->driver && !our_driver(line->driver, strlen(line->driver));
}

/* "pcieport 0000:00:01.1: AER: Uncorrected (Fatal) error received: 0000:03:00.0": a port of the bus tells of a GPU. */
static void tell_port(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct phrase_told told;
    size_t n;
    if (strcmp(line->driver, "pcieport") != 0 || !phrases_read(p, line, false, &told) ||
        told.incident[0].kind != &incident_bus_trouble)
        return;
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    while (n && !(capture[n - 1].device && strstr(p, capture[n - 1].device))) n--;
    told.incident[0].line = line->number;
    if (n) gpudbg_dump_incident_in(d, (uint32_t)n - 1, &told.incident[0]);
}

/* A log of a GPU that tells of nothing else is a log all the same: whose GPU it is, is known. */
static void note_driver(struct log *log, const struct gpudbg_dump_line *line)
{
    if (log->driver_line || !line->driver || !is_gpus_driver(line->driver)) return;
    log->driver_line = line->number;
    other_vendor_says(line->driver, log->driver, sizeof log->driver);
}

static void tell_driver(const struct log *log, struct gpudbg_dump *d)
{
    size_t facts;
    gpudbg_dump_facts(d, &facts);
    if (log->driver_line && !facts && !gpudbg_dump_incidents(d) && !gpudbg_dump_records(d))
        gpudbg_dump_fact(d, log->driver_line, "driver", log->driver, 0);
}

static bool take_line(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    if (!*p) return false;
    note_driver(log, line);
    if (other_vendor_line(d, line, p)) return true;
    if (of_another(line)) return tell_port(d, line, p), false;
    if (!line->tag && !line->device) { /* behind a quote, a heading, "[Issue]: ", what a program was writing */
        const char *said = strstr(p, "Memory access fault by GPU node-");
        if (said && (said - p < 24 ? strchr("`\"#*_[", *p) != NULL : strstr(said, " on address ") != NULL)) p = said;
    }
    p = past_driver(p);
    if (begins(p, "Tile") && p[4] && begins(p + 5, ": ")) p += 7; /* which part of Intel's GPU */
    if (begins(p, "GT") && p[2] && begins(p + 3, ": ")) p += 5;
    if (begins(p, "GT") && p[2] && (begins(p + 3, " [ENGINE ") || begins(p + 3, " [GT OTHER] ")) &&
        strstr(p, "] ")) /* Intel's backports: a kind of error */
        p = strstr(p, "] ") + 2;
    p += virtual_front(p);
    scan_blanks(&p);
    const bool graphics = /* a function of that generation's code */
        line->tag && (begins(line->tag, "gfx_v") || begins(line->tag, "mes_v"));
    if (line->tag && block_family(line->tag) && (graphics || strstr(p, "command stream") || strstr(p, "ring")))
        generation_named(&log->generations, d, line->number, begins(line->tag, "cik_") ? TRUST_BLOCK : TRUST_FUNCTION,
            block_family(line->tag), line->tag);
    tell_firmware(log, d, line, p);
    firmware_line(&log->firmware, d, line, p);
    struct generations *g = &log->generations;
    if (!line->device && !line->tag && line->time < 0) generation_typed(g, p);
    if (take_hang(g, d, line)) {
        resets_over(&log->resets, d, line->device, false);
        return true;
    }
    return mesa_fault_line(&log->mesa, &log->vm, &log->hubs, g, d, line, p) ||
           hub_fault_line(&log->hubs, g, d, line, p) || intel_fault_line(&log->intel, d, line, p) ||
           vm_fault_line(&log->vm, g, d, line, p) || reset_list_line(&log->lists, g, d, line, p) ||
           aca_line(&log->aca, d, line, p) || xe_job_line(&log->job, d, line, p) ||
           guc_state_line(&log->guc, d, line, p) || engine_state_line(&log->engine, d, line, p) ||
           take_sq_interrupt(d, line, p) || take_region(log, d, line, p) || oops_line(&log->oops, d, line, p) ||
           take_phrase(log, d, line, p) || take_suppressed(log, d, line, p) || take_setup(log, d, line, p) ||
           take_typed(d, line, p) || unknown_line(d, line, p);
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    if (!take_line(state, d, line)) return false;
    tell_system(state, d, line);
    return true;
}

/* Of registers that somebody put into a log, and of nothing else, it is known only that gfx7 has such names. */
static void assume_family(struct log *log, struct gpudbg_dump *d)
{
    struct gpudbg_record r;
    for (size_t i = 0; i < log->lists.nolder; i++)
        gpudbg_dump_assume_in(
            d, log->lists.older[i], OLDER_THAN_GFX7, "the driver's lines are as those of other generations");
    generations_end(&log->generations, d);
    for (size_t i = 0; log->lists.any && gpudbg_dump_record(d, i, &r); i++)
        gpudbg_dump_assume_in(d, r.capture, "gfx7", "no line says it, and it has registers of these names");
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; i < n; i++) /* a device is of one generation in all its captures */
        for (size_t k = 0; k < n && k < 1000 && captures[i].device && !captures[i].family; k++)
            if (captures[k].device == captures[i].device && captures[k].family)
                gpudbg_dump_assume_in(d, (uint32_t)i, captures[k].family, "");
}

static void close_log(void *state, struct gpudbg_dump *d)
{
    struct log *log = state;
    vm_faults_end(&log->vm, &log->generations, d);
    mesa_fault_end(&log->mesa, d);
    hub_faults_end(&log->hubs, d);
    intel_fault_end(&log->intel, d);
    runtime_faults_end(&log->runtime, d);
    tell_coredump(log, d, 0, NULL);
    tell_job(log, d);
    resets_end(&log->resets, d);
    xe_job_end(&log->job, d);
    guc_state_end(&log->guc, d);
    aca_end(&log->aca, d);
    engine_state_end(&log->engine, d);
    oops_end(&log->oops, d);
    firmware_end(&log->firmware, d);
    lost_contexts_end(&log->lost, d);
    tell_driver(log, d);
    assume_family(log, d);
    free(log->lists.older);
    free(log);
}

const struct gpudbg_reader reader_kernel_log = {
    .name = "kernel-log",
    .summary = "kernel log of radeon, amdgpu, i915 or xe: VM faults, soft resets, timeouts, hangs",
    .probe = probe,
    .open = open_log,
    .line = take,
    .close = close_log,
    .drivers = our_drivers,
};
