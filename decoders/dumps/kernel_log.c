/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_log.c: what the kernel's drivers write when a GPU faults or hangs: VM faults (A1), the registers at a soft
 * reset (A2), timeouts, the one line of an Intel hang (I2).  Messages that are one line and one incident stand in
 * phrases.c.
 *
 * A VM fault is four lines that other lines may stand between, and journals may be sorted backwards; a fault is put
 * together for each device from parts 1 to 4 in either order, and its parts are checked against each other.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "dumps.h"

enum part { NONE, DETECTED, ADDRESS, STATUS, SUMMARY };

struct fault {
    char device[104];
    unsigned parts; /* bits by enum part */
    enum part last;
    uint32_t first_line, last_line, capture;
    uint32_t at[5]; /* line of each part */
    uint64_t source, data, page, status;
    uint64_t said_protections, said_vmid, said_pasid, said_page, said_client, said_write, said_tag;
    bool has_pasid, has_client, has_tag; /* the line may end early */
    bool signs;                          /* of its generation were read */
};

#define DEVICES 8
struct log {
    struct fault fault[DEVICES];
    struct hub_faults hubs;
    struct phrase_index phrases;
    struct generations generations;
    bool backwards; /* the log is sorted so, as far as it has shown */
    bool known_order;
    uint32_t list;    /* capture of the register list being read, or UINT32_MAX */
    uint32_t other;   /* the second one where lines of two are mixed */
    unsigned listed;  /* registers of it so far */
    bool wrote_reset; /* the driver has written the reset registers: the next list is after it */
    uint32_t list_line;
    char last[32];   /* the register before in the list */
    uint32_t *older; /* captures that look older than gfx7 */
    size_t nolder;
    uint64_t generation; /* of a hang line that leaves a doubt */
    struct gpudbg_incident
        intel; /* a fault of Intel's that is told in several lines, the first of them given: `line` 0 if none */
    char intel_unit[32], intel_space[32];
    uint32_t coredump_line, coredump_capture; /* a core dump whose place is not told yet; line 0: none */
    bool ours;                                /* a fault or a list of registers was seen */
    uint32_t freebsd;                         /* the capture of which it was said last, or UINT32_MAX */
    bool region;                              /* commands among which the GPU stopped are listed */
    struct {
        uint64_t value;
        uint32_t line, capture;
        bool address; /* in bytes; else the line does not say whether it is a page */
    } mesa;           /* a fault as Mesa tells it, whose status is not read yet; line 0: none */
};

/* Whether that driver writes the line, as far as it tells: in front of its device or message, or by the function's
 * name. */
static bool driver_is(const struct gpudbg_dump_line *line, const char *driver)
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

/* ---- VM faults ---- */

/* Fields of the fault status register, from which the driver makes its summary. */
static uint64_t status_protections(uint64_t s) { return s & 0xff; }
static uint64_t status_client(uint64_t s) { return s >> 12 & 0x1ff; }
static uint64_t status_write(uint64_t s) { return s >> 24 & 1; }
static uint64_t status_vmid(uint64_t s) { return s >> 25 & 15; }

static bool has(const struct fault *f, enum part part) { return f->parts & 1u << part; }

/* Hawaii and gfx8 have nine bits of client in the register (Linux, radeon/cikd.h and gmc_8_1_sh_mask.h); elsewhere the
 * ninth is 0.  The interrupt has no room for it, and amdgpu leaves it out on gfx7. */

static bool of_gfx7(const struct gpudbg_dump *d, const struct fault *f)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    return f->capture < n && captures[f->capture].family && strcmp(captures[f->capture].family, "gfx7") == 0;
}

/* Whether the interrupt holds what the register does, as on gfx7. */
static bool interrupt_agrees(const struct fault *f)
{
    return (f->data & 0xff) == status_protections(f->status) && (f->data >> 8 & 0xff) == (f->status >> 12 & 0xff) &&
           (f->data >> 16 & 1) == status_write(f->status) && (f->data >> 17 & 15) == status_vmid(f->status);
}

/* The protections that the fault's line can tell: radeon, which knows no pasid, writes four bits of them
 * (radeon/cikd.h) and leaves out WRITE. */
static uint64_t told_protections(const struct fault *f)
{
    return f->has_pasid || f->said_protections > 0xf ? 0xff : 0xf;
}

/* The parts of a fault tell the same thing several times. */
static void cross_check(struct gpudbg_dump *d, const struct fault *f)
{
    const bool is_gfx7 = of_gfx7(d, f);
    struct {
        const char *what;
        uint64_t summary, status, data;
        bool untold; /* the fault's line ends before it */
    } row[] = {
        {"vmid", f->said_vmid, status_vmid(f->status), f->data >> 17 & 15, false},
        {"client", f->said_client & 0xff, f->status >> 12 & 0xff, f->data >> 8 & 0xff, !f->has_client},
        {"direction (1: write)", f->said_write, status_write(f->status), f->data >> 16 & 1, false},
        {"protections", f->said_protections, status_protections(f->status) & told_protections(f),
            f->data & told_protections(f), false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].untold) continue;
        if (has(f, SUMMARY) && has(f, STATUS) && row[i].summary != row[i].status) {
            gpudbg_dump_note(d, f->at[SUMMARY], "mixed",
                "the fault's line says %s %llu, its status register on line %u says %llu: lines of two faults",
                row[i].what, (unsigned long long)row[i].summary, f->at[STATUS], (unsigned long long)row[i].status);
            return;
        }
        /* Later generations keep other things in the interrupt's high half: it counts where the status agrees, or on
         * gfx7. */
        const bool repeats = has(f, STATUS) ? row[i].status == row[i].data : is_gfx7;
        if (has(f, SUMMARY) && has(f, DETECTED) && row[i].summary != row[i].data && repeats) {
            gpudbg_dump_note(d, f->at[SUMMARY], "mixed",
                "the fault's line says %s %llu, its interrupt on line %u says %llu: lines of two faults", row[i].what,
                (unsigned long long)row[i].summary, f->at[DETECTED], (unsigned long long)row[i].data);
            return;
        }
    }
    if (has(f, SUMMARY) && has(f, ADDRESS) && f->said_page != f->page)
        gpudbg_dump_note(d, f->at[SUMMARY], "mixed",
            "the fault's line says page %llu, its address register on line %u says %llu: lines of two faults",
            (unsigned long long)f->said_page, f->at[ADDRESS], (unsigned long long)f->page);
}

#define VMIDS 16

static void fault_end(struct log *log, struct gpudbg_dump *d, struct fault *f)
{
    const bool registers_only = !has(f, DETECTED) && !has(f, SUMMARY);
    if (!f->parts) return;
    if (has(f, DETECTED) && has(f, STATUS) && f->status && f->status != UINT32_MAX && status_vmid(f->status))
        generation_fault(&log->generations, d, f->last_line, interrupt_agrees(f));
    cross_check(d, f);
    struct gpudbg_incident i = {.kind = &incident_vm_fault, .line = f->first_line, .last = f->last_line};
#define SET(at_, value_) (i.values[at_] = (value_), i.have |= 1u << (at_))
    if (has(f, DETECTED)) {
        SET(0, f->source);
        SET(1, f->data);
    }
    if (has(f, DETECTED) && !has(f, STATUS) && of_gfx7(d, f)) { /* other generations keep other things there */
        SET(4, f->data >> 17 & 15);
        SET(6, f->data & 0xff);
        SET(7, f->data >> 8 & 0xff);
        SET(8, f->data >> 16 & 1);
    }
    const bool ones = has(f, STATUS) && f->status == UINT32_MAX; /* the device did not answer: nothing else is told */
    if (has(f, ADDRESS) && !ones) SET(2, f->page);
    if (ones) SET(3, f->status);
    if (has(f, STATUS) && !ones) {
        SET(3, f->status);
        SET(4, status_vmid(f->status));
        SET(6, status_protections(f->status));
        SET(7, status_client(f->status));
        SET(8, status_write(f->status));
    }
    if (has(f, SUMMARY) && !ones) {
        SET(2, f->said_page);
        if (f->said_vmid < VMIDS) SET(4, f->said_vmid);
        if (f->has_pasid) SET(5, f->said_pasid);
        if (!(i.have & 1u << 6) || (i.values[6] & told_protections(f)) != f->said_protections)
            SET(6, f->said_protections);
        SET(8, f->said_write);
        if (f->has_client) {
            if (!(i.have & 1u << 7) || (i.values[7] & 0xff) != f->said_client) SET(7, f->said_client);
        }
        if (f->has_tag) SET(9, f->said_tag);
    }
#undef SET
    /* The registers alone, both zero, are a list of registers and no fault. */
    if (!(registers_only && !f->page && !f->status)) gpudbg_dump_incident_in(d, f->capture, &i);
    char device[sizeof f->device];
    memcpy(device, f->device, sizeof device);
    memset(f, 0, sizeof *f);
    memcpy(f->device, device, sizeof device);
}

static struct fault *fault_of(struct log *log, struct gpudbg_dump *d, const char *device)
{
    struct fault *free_one = NULL;
    for (size_t i = 0; i < DEVICES; i++) {
        struct fault *f = &log->fault[i];
        if (f->parts && (!device || !f->device[0] || strcmp(f->device, device) == 0)) return f;
        if (!f->parts && !free_one) free_one = f;
    }
    if (!free_one) {
        free_one = &log->fault[0];
        fault_end(log, d, free_one);
    }
    snprintf(free_one->device, sizeof free_one->device, "%s", device ? device : "");
    return free_one;
}

/* The fault that this part belongs to: the one begun, unless the part cannot follow. */
static struct fault *fault_part(
    struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, enum part part)
{
    struct fault *f = fault_of(log, d, line->device);
    const enum part last = f->last;
    log->ours = true;
    if (f->parts) {
        bool next = part == last + 1, before = part + 1 == last;
        if (!log->known_order && (next || before)) {
            log->known_order = true;
            log->backwards = before;
        }
        bool follows = log->known_order && log->backwards ? part < last : part > last;
        if (has(f, part) || !follows || line->number - f->last_line > 200) {
            fault_end(log, d, f);
            f = fault_of(log, d, line->device);
        }
    }
    if (!f->parts) f->first_line = line->number;
    f->parts |= 1u << part;
    f->capture = gpudbg_dump_current(d, line->number);
    f->last = part;
    f->last_line = line->number;
    f->at[part] = line->number;
    if (!f->signs) {
        f->signs = true;
        generation_sign(&log->generations, d, line->number,
            driver_is(line, "radeon")   ? GENERATION_CAYMAN | GENERATION_6 | GENERATION_7
            : driver_is(line, "amdgpu") ? GENERATION_6 | GENERATION_7 | GENERATION_8
                                        : GENERATION_CAYMAN | GENERATION_6 | GENERATION_7 | GENERATION_8,
            "its driver writes faults of this generation so");
    }
    return f;
}

static void fault_whole(struct log *log, struct gpudbg_dump *d, struct fault *f)
{
    if ((f->parts & 0x1e) == 0x1e) fault_end(log, d, f);
}

static bool take_detected(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t source, data;
    if (!scan_word(&p, "GPU fault detected: ")) return false;
    if (!scan_decimal(&p, &source) || !scan_word(&p, " ") || !scan_0x(&p, 8, &data)) {
        gpudbg_dump_note(d, line->number, "cut-off", "the GPU fault has no numbers");
        return true;
    }
    struct fault *f = fault_part(log, d, line, DETECTED);
    f->source = source;
    f->data = data;
    if (scan_find(&p, "for process ")) { /* gmc_v8_0.c alone */
        generation_sign(
            &log->generations, d, line->number, GENERATION_8, "only its driver names the process on this line");
        tell_process(d, line->number, p);
    }
    fault_whole(log, d, f);
    return true;
}

static void value(struct gpudbg_dump *d, uint32_t line, const char *name, uint64_t addr, uint64_t v)
{
    struct gpudbg_record r = {.name = name, .addr = addr, .value = v, .line = line};
    gpudbg_dump_register(d, &r);
}

static bool take_fault_register(
    struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[64];
    uint64_t v;
    const bool mm = begins(p, "mmVM_CONTEXT");
    if (mm) p += 2;
    if (!begins(p, "VM_CONTEXT") || !scan_name(&p, name, sizeof name)) return false;
    if (mm)
        generation_sign(&log->generations, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8,
            "names with mm in front are amdgpu's");
    if (strstr(name, "_PROTECTION_FAULT_MCCLIENT")) {
        p += strspn(p, " \t:=");
        if (scan_0x(&p, 8, &v)) value(d, line->number, name, GPUDBG_NO_ADDR, v);
        return true;
    }
    const bool addr = strcmp(name, "VM_CONTEXT1_PROTECTION_FAULT_ADDR") == 0;
    if (!addr && strcmp(name, "VM_CONTEXT1_PROTECTION_FAULT_STATUS") != 0) return false;
    p += strspn(p, " \t:=");
    if (!scan_0x(&p, 8, &v)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s without a value", name);
        return true;
    }
    struct fault *f = fault_part(log, d, line, addr ? ADDRESS : STATUS);
    if (addr)
        f->page = v;
    else
        f->status = v;
    value(d, line->number, name, GPUDBG_NO_ADDR, v);
    fault_whole(log, d, f);
    return true;
}

/* Who asked: "'TC0' (0x54433000) (72)", by old kernels without quotes, by those of Southern Islands a name alone: "TC
 * (72)". */
static bool scan_client(const char **p, struct fault *f)
{
    char tag[16];
    const bool quoted = scan_word(p, "'");
    const char *name = *p;
    if (scan_until(p, " (0x", tag, sizeof tag) && scan_hex(p, 8, &f->said_tag) && scan_word(p, ") (") &&
        scan_decimal(p, &f->said_client))
        return f->has_tag = true;
    *p = name;
    f->said_tag = 0;
    const bool whole = quoted ? scan_until(p, "'", tag, sizeof tag) : scan_until(p, " (", tag, sizeof tag);
    for (unsigned i = 0; whole && i < 4 && tag[i]; i++) f->said_tag |= (uint64_t)(unsigned char)tag[i] << (24 - 8 * i);
    if (quoted) return f->has_tag = whole, false; /* the line ends behind the name */
    return f->has_tag = whole && scan_decimal(p, &f->said_client);
}

/* ---- VM faults as Mesa tells them (radv_debug.c, radv_queue.c, si_debug.c, ac_debug.c):
 *
 *     VM fault report.                                 radv: GPUVM fault detected at address 0x800064800000.
 *
 *     Failing VM page: 0x800064800000
 *
 * From 23.3 on RADV asks the kernel for the last fault (AMDGPU_INFO_GPUVM_FAULT): an address in bytes whatever the
 * heading says, and its status on the next line, "GCVM_L2_PROTECTION_FAULT_STATUS: 0x101431" from gfx10 on, else
 * "VM_CONTEXT1_PROTECTION_FAULT_STATUS: 0x804400c", also of gfx9, whose register is laid out as gfx10's.  Before that,
 * and in radeonsi, the number comes from the kernel's log: the page up to gfx8, the address from gfx9 on. ---- */

static bool counts_pages(const char *family) /* the log of its driver */
{
    return family && (strstr(family, "gfx6") || strstr(family, "gfx7") || strstr(family, "gfx8")) &&
           !strstr(family, "gfx9") && !strstr(family, "gfx1");
}

/* No status came. */
static void mesa_fault_end(struct log *log, struct gpudbg_dump *d)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const uint32_t line = log->mesa.line;
    const uint64_t v = log->mesa.value;
    char either[64];
    const char *family = log->mesa.capture < n ? captures[log->mesa.capture].family : NULL;
    if (!line) return;
    log->mesa.line = 0;
    /* Pages of gfx6 to gfx8 have 28 bits; the addresses that later drivers print begin a page. */
    const bool page = !log->mesa.address && (family ? counts_pages(family) : (v & 0xfff) != 0 || !v) && !(v >> 28);
    const bool address = log->mesa.address || v >> 28 || (family && !page);
    struct gpudbg_incident i = {.kind = address ? &incident_page_fault : &incident_vm_fault, .line = line};
    if (address) {
        i.have = 1;
        i.values[0] = v;
    } else if (page) {
        i.have = 1u << 2;
        i.values[2] = v;
    } else {
        snprintf(either, sizeof either, "page 0x%llx or address 0x%llx", (unsigned long long)v, (unsigned long long)v);
        i.text = either;
    }
    gpudbg_dump_incident_in(d, log->mesa.capture, &i);
}

static bool take_mesa_fault(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t v;
    const bool address = scan_word(&p, "radv: GPUVM fault detected at address ");
    if (!address && !scan_word(&p, "Failing VM page: ")) return false;
    mesa_fault_end(log, d);
    if (!scan_0x(&p, 16, &v)) {
        gpudbg_dump_note(d, line->number, "cut-off", "the fault has no address");
        return true;
    }
    struct fault *f = fault_of(log, d, line->device);
    if (log->hubs.known_order && log->hubs.backwards) { /* its status came first */
        hub_fault_address(&log->hubs, d, line, v);
    } else if (f->parts == 1u << STATUS) {
        f = fault_part(log, d, line, ADDRESS);
        f->page = v >> 12;
    } else {
        log->mesa.value = v;
        log->mesa.line = line->number;
        log->mesa.capture = gpudbg_dump_current(d, line->number);
        log->mesa.address = address;
    }
    return true;
}

/* The status behind Mesa's line. */
static bool take_mesa_status(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct gpudbg_dump_line first = *line;
    uint64_t v;
    first.number = log->mesa.line;
    if (!log->mesa.line || line->number - log->mesa.line > 60) return false;
    if (hub_fault_status_line(p)) {
        hub_fault_address(&log->hubs, d, &first, log->mesa.value);
        log->mesa.line = 0;
        return false; /* hub_fault.c reads it */
    }
    if (!scan_word(&p, "VM_CONTEXT1_PROTECTION_FAULT_STATUS: ") || !scan_0x(&p, 8, &v)) return false;
    /* A program's faults are in address spaces from 1 on: bits 28:25 up to gfx8 (gmc_8_1_sh_mask.h), 23:20 on gfx9
     * (gc_9_0_sh_mask.h), where 28:25 is 0 but in a virtual machine, and addresses have more than 40 bits. */
    const bool hub = log->mesa.value >> 40 || (!(v >> 25 & 15) && v >> 20 & 15);
    if (hub) {
        generation_sign(&log->generations, d, line->number, GENERATION_9, "only its faults are laid out so");
        hub_fault_address(&log->hubs, d, &first, log->mesa.value);
        hub_fault_status(&log->hubs, d, line, v);
    } else {
        generation_sign(&log->generations, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8,
            "the driver of this generation writes faults so");
        fault_part(log, d, &first, ADDRESS)->page = log->mesa.value >> 12;
        struct fault *f = fault_part(log, d, line, STATUS);
        f->status = v;
        value(d, line->number, "VM_CONTEXT1_PROTECTION_FAULT_STATUS", GPUDBG_NO_ADDR, v);
        fault_end(log, d, f);
    }
    log->mesa.line = 0;
    return true;
}

/* "VM fault (0x0c, vmid 3, pasid 32770) at page 1193984, read from 'TC0' (0x54433000) (72)" */
static bool take_summary(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct fault got = {0};
    char direction[8];
    if (!scan_word(&p, "VM fault (0x")) return false;
    bool good = scan_hex(&p, 8, &got.said_protections) && scan_word(&p, ", vmid ") && scan_decimal(&p, &got.said_vmid);
    if (good && scan_word(&p, ", pasid ")) good = got.has_pasid = scan_decimal(&p, &got.said_pasid);
    good = good && scan_find(&p, ") at page ") && scan_decimal(&p, &got.said_page) && scan_word(&p, ", ") &&
           scan_name(&p, direction, sizeof direction) && scan_word(&p, " from ");
    got.said_write = good && strcmp(direction, "write") == 0;
    const bool quoted = *p == '\'';
    got.has_client = good && scan_client(&p, &got);
    if (!got.has_client) gpudbg_dump_note(d, line->number, "cut-off", "the line of a VM fault ends early");
    if (!good) return true;
    struct fault *f = fault_part(log, d, line, SUMMARY);
    const bool radeon = driver_is(line, "radeon");
    generation_sign(&log->generations, d, line->number,
        quoted ? (radeon ? GENERATION_7 : GENERATION_6 | GENERATION_7 | GENERATION_8)
               : GENERATION_CAYMAN | GENERATION_6,
        "its driver writes a fault's client so");
    if (got.has_pasid)
        generation_sign(&log->generations, d, line->number, GENERATION_7 | GENERATION_8, "its faults have a pasid");
    if (got.said_client > 0xff)
        generation_sign(&log->generations, d, line->number,
            radeon                      ? GENERATION_7
            : driver_is(line, "amdgpu") ? GENERATION_8
                                        : GENERATION_7 | GENERATION_8,
            "its clients have numbers above 255");
    f->said_protections = got.said_protections;
    f->said_vmid = got.said_vmid;
    f->said_pasid = got.said_pasid;
    f->has_pasid = got.has_pasid;
    f->said_page = got.said_page;
    f->said_write = got.said_write;
    f->said_tag = got.said_tag;
    f->said_client = got.said_client;
    f->has_client = got.has_client;
    f->has_tag = got.has_tag;
    if (f->said_vmid >= VMIDS)
        gpudbg_dump_note(d, line->number, "impossible",
            "the fault's line says vmid %llu, which cannot be: they are 0 to %d; it is passed over",
            (unsigned long long)f->said_vmid, VMIDS - 1);
    fault_whole(log, d, f);
    return true;
}

/* ---- Faults of Intel's GPUs: a heading, then a line each for address, kind, place ---- */

static void intel_fault_end(struct log *log, struct gpudbg_dump *d)
{
    struct gpudbg_incident *i = &log->intel;
    if (log->intel_unit[0]) i->unit = log->intel_unit;
    if (log->intel_space[0]) i->text = log->intel_space;
    if (i->have & 1) gpudbg_dump_incident(d, i); /* without an address nothing was told */
    log->intel = (struct gpudbg_incident){.kind = &incident_gpu_fault};
    log->intel_unit[0] = log->intel_space[0] = 0;
}

/* i915: "Addr: 0x678fa000", "Addr: 0x00012345_678fa000"; xe: "Faulted Address: 0x00012345678fa000".  All digits are
 * there and it begins a page, or the line was cut. */
static bool scan_fault_address(const char *p, bool xe, uint64_t *address)
{
    uint64_t low;
    const char *start = p;
    if (!scan_0x(&p, 16, address)) return false;
    if (xe) return p - start == 18;
    const char *second = p;
    if (scan_word(&p, "_") && scan_hex(&p, 8, &low)) {
        *address = *address << 32 | low;
        return p - second == 9;
    }
    return p == second && p - start == 10 && !(*address & 0xfff);
}

static bool take_intel_fault(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const struct {
        const char *word;
        unsigned value;
    } numbers[] = {/* i915; xe */
        {"Source ID: ", 2}, {"Type: ", 3}, {"Level: ", 5}, {"ASID: ", 4}, {"FaultType: ", 3}, {"AccessType: ", 1},
        {"FaultLevel: ", 5}};
    struct gpudbg_incident *i = &log->intel;
    uint64_t v;
    const bool new = strcmp(p, "Unexpected fault") == 0 || begins(p, "ASID: ");
    if (new || (i->line && line->number - i->line > 40)) intel_fault_end(log, d);
    if (new) i->line = line->number;
    if (!i->line) return false;
    i->last = line->number;
    if (scan_word(&p, "Address space: ")) {
        snprintf(log->intel_space, sizeof log->intel_space, "%s", p);
        return true;
    }
    if (scan_word(&p, "EngineClass: ")) {
        if (scan_decimal(&p, &v) && scan_word(&p, " ")) snprintf(log->intel_unit, sizeof log->intel_unit, "%s", p);
        return true;
    }
    const bool xe = scan_word(&p, "Faulted Address: ");
    if (xe || scan_word(&p, "Addr: ")) {
        if (scan_fault_address(p, xe, &i->values[0]))
            i->have |= 1;
        else
            gpudbg_dump_note(d, line->number, "cut-off", "the fault has no address");
        return true;
    }
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (scan_word(&p, numbers[n].word)) {
            if (scan_decimal(&p, &i->values[numbers[n].value])) i->have |= 1u << numbers[n].value;
            if (numbers[n].word[0] == 'T' || numbers[n].word[0] == 'L') intel_fault_end(log, d); /* i915's last line */
            return true;
        }
    if (!begins(p, "EngineInstance: ")) return new;
    intel_fault_end(log, d); /* xe's last line */
    return true;
}

/* ---- The registers at a soft reset ---- */

static const char *const reset_list[] = {
    "GRBM_STATUS",
    "GRBM_STATUS2",
    "GRBM_STATUS_SE0",
    "GRBM_STATUS_SE1",
    "GRBM_STATUS_SE2",
    "GRBM_STATUS_SE3",
    "SRBM_STATUS",
    "SRBM_STATUS2",
    "SDMA0_STATUS_REG",
    "SDMA1_STATUS_REG",
    "CP_STAT",
    "CP_STALLED_STAT1",
    "CP_STALLED_STAT2",
    "CP_STALLED_STAT3",
    "CP_CPF_BUSY_STAT",
    "CP_CPF_STALLED_STAT1",
    "CP_CPF_STATUS",
    "CP_CPC_BUSY_STAT",
    "CP_CPC_STALLED_STAT1",
    "CP_CPC_STATUS",
    /* of older generations */
    "CP_BUSY_STAT",
    "DMA_STATUS_REG",
    "CP_STALLED_STAT4",
    "VM_L2_STATUS",
    "SRBM_STATUS3",
    /* written by the reset */
    "GRBM_SOFT_RESET",
    "SRBM_SOFT_RESET",
};
#define RESET_LIST (sizeof reset_list / sizeof *reset_list)

static int reset_name(const char *name)
{
    for (size_t i = 0; i < RESET_LIST; i++)
        if (strcmp(reset_list[i], name) == 0) return (int)i;
    return -1;
}

/* Which capture a register of a list belongs to. */
static void place_in_list(struct log *log, struct gpudbg_dump *d, uint32_t line, const char *name)
{
    const bool first = strcmp(name, "GRBM_STATUS") == 0;
    log->ours = true;
    if (log->list == UINT32_MAX || (first && (log->wrote_reset || log->listed >= 8))) {
        const bool after = log->list != UINT32_MAX;
        log->list = gpudbg_dump_capture(d, line, after ? "registers after the reset" : "registers");
        log->other = UINT32_MAX;
        log->listed = 0;
        log->wrote_reset = false;
        log->list_line = line;
        return;
    }
    gpudbg_dump_select(d, log->list);
    if (!gpudbg_dump_has(d, name, NULL)) return;
    if (log->other == UINT32_MAX) {
        gpudbg_dump_note(d, line, "mixed",
            "%s again, %u registers into the list of line %u: lines of two captures are mixed", name, log->listed,
            log->list_line);
        log->other = gpudbg_dump_capture(d, line, "registers mixed with those of the capture before");
    } else {
        gpudbg_dump_select(d, log->other);
    }
}

/* Radeon's code of each generation writes its list in its own way: that of gfx7 without addresses, with GRBM_STATUS2
 * behind GRBM_STATUS, and with blanks only from SDMA0_STATUS_REG on. */
#define OLDER "older than gfx7"

static void looks_older(struct log *log, struct gpudbg_dump *d, uint32_t line, uint32_t capture)
{
    if (log->nolder && log->older[log->nolder - 1] == capture) return;
    uint32_t *more = realloc(log->older, (log->nolder + 1) * sizeof *more);
    if (!more) {
        gpudbg_dump_note(d, line, "limit", "out of memory: it is not kept that this capture looks " OLDER);
        return;
    }
    log->older = more;
    log->older[log->nolder++] = capture;
}

/* "mmGRBM_STATUS = 0x...", "CP_STAT: 0x...": a register of the databases that somebody has put into a log, or alone;
 * amdgpu's names have mm in front. */
static bool take_register_of(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const char *name, const char *plain, const char *p)
{
    uint64_t v;
    if (!strchr(plain, '_') || !isupper((unsigned char)plain[0]) || !scan_0x(&p, 8, &v) || (*p && *p != ' ') ||
        !gpudbg_reg_named(gpudbg_dump_databases(d), "gfx7", plain))
        return false;
    if (begins(name, "mm"))
        generation_sign(&log->generations, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8,
            "names with mm in front are amdgpu's");
    struct gpudbg_record r = {.name = plain, .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number};
    gpudbg_dump_register(d, &r);
    return true;
}

/* "GRBM_STATUS=0xA0403028", "CP_STALLED_STAT1 = 0x00000c00", "R_008674_CP_STALLED_STAT1 = 0x01000000" */
static bool take_reset_register(
    struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[64];
    uint64_t v, addr = GPUDBG_NO_ADDR;
    bool indirect = false;
    if (!scan_name(&p, name, sizeof name)) return false;
    const size_t blanks = strspn(p, " \t");
    p += blanks;
    if (*p != '=' && *p != ':') return false;
    const bool colon = *p++ == ':';
    scan_blanks(&p);
    const char *plain = plain_register(name, &addr, &indirect);
    const int row = reset_name(plain);
    if (row < 0 || colon || begins(name, "mm")) return take_register_of(log, d, line, name, plain, p);
    place_in_list(log, d, line->number, plain);
    if (addr != GPUDBG_NO_ADDR && strcmp(plain, "DMA_STATUS_REG") == 0)
        gpudbg_dump_family(d, line->number, OLDER, NULL);
    else if (addr != GPUDBG_NO_ADDR || (blanks && strstr(plain, "RBM_STATUS")) ||
             (strcmp(plain, "GRBM_STATUS_SE0") == 0 && strcmp(log->last, "GRBM_STATUS") == 0))
        looks_older(log, d, line->number, gpudbg_dump_current(d, line->number));
    snprintf(log->last, sizeof log->last, "%s", plain);
    if (begins(plain, "SDMA") || strcmp(plain, "GRBM_STATUS_SE2") == 0)
        gpudbg_dump_family(d, line->number, "gfx7", NULL);
    if (!scan_0x(&p, 8, &v) || (*p && *p != ' ')) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: no value of eight hex digits", plain);
        return true;
    }
    struct gpudbg_record r = {.name = plain, .addr = addr, .value = v, .line = line->number};
    if (strstr(plain, "_SOFT_RESET")) {
        r.flags = GPUDBG_REC_WRITE;
        log->wrote_reset = true;
    } else {
        log->listed++;
    }
    gpudbg_dump_register(d, &r);
    return true;
}

/* ---- Other lines ---- */

/* A list of registers follows the message that a soft reset begins with. */
static void begin_list(struct log *log, struct gpudbg_dump *d, uint32_t line)
{
    log->list = gpudbg_dump_capture(d, line, "registers before the reset");
    log->other = UINT32_MAX;
    log->listed = 0;
    log->wrote_reset = false;
    log->list_line = line;
    log->last[0] = 0;
}

/* Messages of amdkfd's functions for the scheduler MES, which amdgpu uses from gfx11 on (kfd_device_queue_manager.c;
 * amdgpu.mes, off where it is not set, let it try on gfx10, too). */
static bool tells_of_mes(const char *p)
{
    return strstr(p, "queues_mes:") || strstr(p, "from MES") || begins(p, "failed to suspend all gangs");
}

/* Drivers of GPUs whose accesses the IOMMU tells of in a line of the device; other devices have the same line. */
static bool is_gpu_driver(const struct gpudbg_dump_line *line)
{
    static const char *const drivers[] = {"amdgpu", "radeon", "i915", "xe"};
    for (size_t i = 0; line->tag && i < sizeof drivers / sizeof *drivers; i++)
        if (strcmp(line->tag, drivers[i]) == 0) return true;
    return false;
}

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

static bool take_phrase(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct phrase_told told;
    char queue[40];
    const unsigned n = phrases_read(p, is_amdgpu(line), &log->phrases, &told);
    if (n && told.incident[0].kind == &incident_iommu_fault && !is_gpu_driver(line)) return false;
    if (n && told.incident[0].kind == &incident_soft_reset) begin_list(log, d, line->number);
    if (n && told.incident[0].kind == &incident_soft_reset && !told.incident[0].have)
        looks_older(log, d, line->number, log->list); /* since gfx7 came the driver says what it resets */
    if (n && ((told.incident[0].kind == &incident_firmware_silent && strcmp(told.incident[0].unit, "MES") == 0) ||
                 (told.incident[0].kind == &incident_eviction && tells_of_mes(p))))
        generation_sign(
            &log->generations, d, line->number, GENERATION_11 | GENERATION_12, "its queues are scheduled by MES");
    if (n && told.incident[0].kind == &incident_hung && block_family(told.incident[0].unit))
        gpudbg_dump_family(d, line->number, block_family(told.incident[0].unit), NULL);
    if (n && told.incident[0].unit && begins(told.incident[0].unit, "gfx_"))
        generation_sign(&log->generations, d, line->number, GENERATION_10 | GENERATION_11 | GENERATION_12,
            "its graphics rings have names of this kind");
    for (unsigned i = 0; i < n; i++) {
        told.incident[i].line = line->number;
        name_queue(&told.incident[i], queue, sizeof queue);
        if (told.incident[i].kind == &incident_process && !told.incident[i].text[0] && told.incident[i].values[0])
            told.incident[i].text = NULL; /* FreeBSD's drivers leave names out */
        if (!told.incident[i].text || told.incident[i].text[0]) gpudbg_dump_incident(d, &told.incident[i]);
    }
    return n;
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
static bool take_suppressed(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[96];
    struct gpudbg_incident i = {.kind = &incident_suppressed, .line = line->number, .have = 1};
    if (!scan_name(&p, name, sizeof name) || !scan_word(&p, ": ") || !scan_decimal(&p, &i.values[0]) ||
        !scan_word(&p, " callbacks suppressed") || (!strstr(name, "process_interrupt") && !strstr(name, "irq_process")))
        return false;
    if (block_family(name)) gpudbg_dump_family(d, line->number, block_family(name), NULL);
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
    if (scan_word(&p, "initializing kernel modesetting (") && scan_name(&p, name, sizeof name)) {
        gpudbg_dump_family(d, line->number, chip_family(name), name);
        gpudbg_dump_fact(d, line->number, "chip", name, 0);
        if (scan_word(&p, " 0x") && scan_hex(&p, 4, &v) && scan_word(&p, ":0x") && scan_hex(&p, 4, &v))
            gpudbg_dump_fact(d, line->number, "device-id", NULL, v);
        return true;
    }
    p = start;
    if (scan_word(&p, "detected ip block number ") && scan_find(&p, "<") && scan_until(&p, ">", name, sizeof name)) {
        gpudbg_dump_family(d, line->number, block_family(name), NULL);
        return true;
    }
    return false;
}

/* ---- The reader ---- */

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
        {"qcm fence wait loop timeout", "the kernel's lines of queues that stay", 40},
        {"Resetting chip after gpu hang", "the kernel's line of a reset", 30},
        {"GRBM_STATUS               = 0x", "registers at a soft reset", 55},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (head_has(bytes, n, signs[i].text)) {
            *why = signs[i].why;
            return signs[i].sure;
        }
    }
    return 0;
}

static void *open_log(struct gpudbg_dump *d)
{
    (void)d;
    struct log *log = reader_state(NULL, sizeof *log);
    if (!log) return NULL;
    log->list = log->other = log->freebsd = UINT32_MAX;
    log->intel.kind = &incident_gpu_fault;
    phrases_index(&log->phrases);
    return log;
}

/* "gim error:(dump_gpu_status:1457) ", what AMD's driver for hosts of virtual GPUs writes in front: its length, or 0.
 */
static size_t virtual_front(const char *p)
{
    const char *end = begins(p, "gim ") ? strstr(p, ") ") : NULL;
    return end && strcspn(p, "(") < 20 && end - p < 100 ? (size_t)(end - p) + 2 : 0;
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

static bool take_line(struct log *log, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    if (!*p) return false;
    if (begins(p, "amdgpu: ") || begins(p, "radeon: ")) /* the driver alone, without a device */
        p += 8;
    if (begins(p, "Tile") && p[4] && begins(p + 5, ": ")) p += 7; /* which part of Intel's GPU */
    if (begins(p, "GT") && p[2] && begins(p + 3, ": ")) p += 5;
    if (begins(p, "GT") && p[2] && begins(p + 3, " [ENGINE ") &&
        strstr(p, "] ")) /* Intel's backports: a kind of error */
        p = strstr(p, "] ") + 2;
    p += virtual_front(p);
    const bool graphics = /* a function of that generation's code */
        line->tag && (begins(line->tag, "gfx_v") || begins(line->tag, "mes_v"));
    if (line->tag && block_family(line->tag) && (graphics || strstr(p, "command stream") || strstr(p, "ring")))
        gpudbg_dump_family(d, line->number, block_family(line->tag), NULL);
    if (take_hang(d, line)) {
        const char *q = line->text;
        if (scan_find(&q, "ecode ") && scan_decimal(&q, &log->generation) && *q == ':') return true;
        log->generation = 0;
        return true;
    }
    return take_mesa_fault(log, d, line, p) || take_mesa_status(log, d, line, p) ||
           hub_fault_line(&log->hubs, &log->generations, d, line, p) || take_intel_fault(log, d, line, p) ||
           take_detected(log, d, line, p) || take_fault_register(log, d, line, p) || take_summary(log, d, line, p) ||
           take_reset_register(log, d, line, p) || take_region(log, d, line, p) || take_phrase(log, d, line, p) ||
           take_suppressed(d, line, p) || take_setup(log, d, line, p);
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    if (!take_line(state, d, line)) return false;
    tell_system(state, d, line);
    return true;
}

/* Faults leave the generations that print them so.  Captures with registers of this driver are taken as gfx7 where
 * they do not say more; those of Intel's are not. */
static void assume_family(struct log *log, struct gpudbg_dump *d)
{
    size_t n;
    struct gpudbg_record r;
    gpudbg_dump_captures(d, &n);
    bool *ours = calloc(n + 1, sizeof *ours);
    if (!ours) {
        gpudbg_dump_note(d, 0, "limit", "out of memory: captures that say no generation stay without one");
        return;
    }
    for (size_t i = 0; i < n; i++) ours[i] = true; /* signs are of this driver's lines alone */
    generations_end(&log->generations, d, ours);
    memset(ours, 0, n * sizeof *ours);
    for (size_t i = 0; log->ours && gpudbg_dump_record(d, i, &r); i++) ours[r.capture] = true;
    for (size_t i = 0; log->ours && i < gpudbg_dump_incidents(d); i++) {
        const struct gpudbg_incident *at = gpudbg_dump_incident_at(d, i);
        ours[at->capture] |= at->kind == &incident_lockup || at->kind == &incident_soft_reset ||
                             (at->kind == &incident_stalled && at->have & 1); /* milliseconds: radeon */
    }
    for (size_t i = 0; i < log->nolder; i++)
        gpudbg_dump_assume_in(d, log->older[i], OLDER, "the driver's lines are as those of other generations");
    for (size_t i = 0; i < n; i++)
        if (ours[i]) gpudbg_dump_assume_in(d, (uint32_t)i, "gfx7", "the driver's lines fit it");
    free(ours);
}

static void close_log(void *state, struct gpudbg_dump *d)
{
    struct log *log = state;
    for (size_t i = 0; i < DEVICES; i++) fault_end(log, d, &log->fault[i]);
    mesa_fault_end(log, d);
    hub_faults_end(&log->hubs, d);
    intel_fault_end(log, d);
    tell_coredump(log, d, 0, NULL);
    assume_family(log, d);
    free(log->older);
    free(log);
}

const struct gpudbg_reader reader_kernel_log = {
    .name = "kernel-log",
    .summary = "kernel log of radeon, amdgpu, i915 or xe: VM faults, soft resets, timeouts, hangs",
    .probe = probe,
    .open = open_log,
    .line = take,
    .close = close_log,
};
