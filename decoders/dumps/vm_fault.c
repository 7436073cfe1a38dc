/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vm_fault.c: VM faults as radeon and amdgpu tell them up to gfx8 (A1).  A fault is four lines that other lines may
 * stand between, and journals may be sorted backwards; a fault is put together for each device from parts 1 to 4 in
 * either order, and its parts are checked against each other.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "kernel_log.h"

/* Fields of the fault status register, from which the driver makes its summary. */
static uint64_t status_protections(uint64_t s) { return s & 0xff; }
static uint64_t status_client(uint64_t s) { return s >> 12 & 0x1ff; }
static uint64_t status_write(uint64_t s) { return s >> 24 & 1; }
static uint64_t status_vmid(uint64_t s) { return s >> 25 & 15; }

static bool has(const struct vm_fault *f, enum vm_part part) { return f->parts & 1u << part; }

/* Hawaii and gfx8 have nine bits of client in the register (Linux, radeon/cikd.h and gmc_8_1_sh_mask.h); elsewhere the
 * ninth is 0.  The interrupt has no room for it, and amdgpu leaves it out on gfx7. */

/* Whether the interrupt's data repeat the status register in the fault's generation. */
static bool interrupt_repeats(const struct gpudbg_dump *d, const struct vm_fault *f)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    return f->capture < n && generation_has(captures[f->capture].family, INTERRUPT_REPEATS_STATUS);
}

/* Whether the interrupt holds what the register does, as on gfx7. */
static bool interrupt_agrees(const struct vm_fault *f)
{
    return (f->data & 0xff) == status_protections(f->status) && (f->data >> 8 & 0xff) == (f->status >> 12 & 0xff) &&
           (f->data >> 16 & 1) == status_write(f->status) && (f->data >> 17 & 15) == status_vmid(f->status);
}

/* The protections that the fault's line can tell: radeon, which knows no pasid, writes four bits of them
 * (radeon/cikd.h) and leaves out WRITE. */
static uint64_t told_protections(const struct vm_fault *f)
{
    return f->has_pasid || f->said_protections > 0xf ? 0xff : 0xf;
}

/* The parts of a fault tell the same thing several times. */
static void cross_check(struct gpudbg_dump *d, const struct vm_fault *f)
{
    const bool repeating = interrupt_repeats(d, f);
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
        if (has(f, VM_SUMMARY) && has(f, VM_STATUS) && row[i].summary != row[i].status) {
            gpudbg_dump_note(d, f->at[VM_SUMMARY], "mixed",
                "the fault's line says %s %llu, its status register on line %u says %llu: lines of two faults",
                row[i].what, (unsigned long long)row[i].summary, f->at[VM_STATUS], (unsigned long long)row[i].status);
            return;
        }
        /* Later generations keep other things in the interrupt's high half: it counts where the status agrees, or where
         * both are known to be the same. */
        const bool repeats = has(f, VM_STATUS) ? row[i].status == row[i].data : repeating;
        if (has(f, VM_SUMMARY) && has(f, VM_DETECTED) && row[i].summary != row[i].data && repeats) {
            gpudbg_dump_note(d, f->at[VM_SUMMARY], "mixed",
                "the fault's line says %s %llu, its interrupt on line %u says %llu: lines of two faults", row[i].what,
                (unsigned long long)row[i].summary, f->at[VM_DETECTED], (unsigned long long)row[i].data);
            return;
        }
    }
    if (has(f, VM_SUMMARY) && has(f, VM_ADDRESS) && f->said_page != f->page)
        gpudbg_dump_note(d, f->at[VM_SUMMARY], "mixed",
            "the fault's line says page %llu, its address register on line %u says %llu: lines of two faults",
            (unsigned long long)f->said_page, f->at[VM_ADDRESS], (unsigned long long)f->page);
}

/* The clients of gfx6, of which amdgpu prints the number alone: the four letters that gfx7 prints, as its register has
 * them (Linux, radeon/si.c: si_vm_decode_fault).  chip: NULL, not known; 0: no client is known by the number. */
static uint64_t older_client(uint64_t number, const char *chip)
{
    static const struct {
        uint8_t mask, value;
        char name[5];
        bool tahiti; /* of that chip alone */
    } clients[] = {{0x3c, 0x10, "CB", false}, {0x3c, 0x20, "CB", false}, {0x3e, 0x14, "DB", false},
        {0x3f, 0x17, "DB", false}, {0x3e, 0x24, "DB", false}, {0x3f, 0x27, "DB", false}, {0x3f, 0x04, "TC", false},
        {0x3f, 0x08, "TC", false}, {0x3f, 0x00, "TC", true}, {0xbf, 0x30, "CP", false}, {0x7f, 0x31, "SH", false},
        {0x7f, 0x32, "SH", false}, {0xff, 0x35, "VGT", false}, {0xff, 0xbe, "VGT", true}, {0xff, 0x75, "IH", false},
        {0xbf, 0x33, "RLC", false}, {0xff, 0x77, "DMA0", false}, {0xff, 0xb7, "DMA0", false},
        {0xff, 0x3d, "DMA1", false}, {0x7f, 0x78, "HDP", false}};
    const bool tahiti = chip && strcasecmp(chip, "tahiti") == 0;
    uint64_t letters = 0;
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
        if (number <= 0xff && (number & clients[i].mask) == clients[i].value && (tahiti || !clients[i].tahiti))
            for (unsigned k = 0; k < 4; k++) letters = letters << 8 | (unsigned char)clients[i].name[k];
    return letters;
}

static const char *chip_of(const struct gpudbg_dump *d, uint32_t capture)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    return capture < n ? captures[capture].chip : NULL;
}

#define VMIDS 16

static void fault_end(struct generations *g, struct gpudbg_dump *d, struct vm_fault *f)
{
    const bool registers_only = !has(f, VM_DETECTED) && !has(f, VM_SUMMARY);
    if (!f->parts) return;
    if (has(f, VM_DETECTED) && has(f, VM_STATUS) && f->status && f->status != UINT32_MAX && status_vmid(f->status))
        generation_fault(g, d, f->last_line, interrupt_agrees(f));
    cross_check(d, f);
    struct gpudbg_incident i = {.kind = &incident_vm_fault, .line = f->first_line, .last = f->last_line};
#define SET(at_, value_) (i.values[at_] = (value_), i.have |= 1u << (at_))
    if (has(f, VM_DETECTED)) {
        SET(0, f->source);
        SET(1, f->data);
    }
    if (has(f, VM_DETECTED) && !has(f, VM_STATUS) &&
        interrupt_repeats(d, f)) { /* other generations keep other things there */
        SET(4, f->data >> 17 & 15);
        SET(6, f->data & 0xff);
        SET(7, f->data >> 8 & 0xff);
        SET(8, f->data >> 16 & 1);
    }
    const bool ones = has(f, VM_STATUS) &&
                      f->status == UINT32_MAX; /* the device did not answer: nothing else is told */
    if (has(f, VM_ADDRESS) && !ones) SET(2, f->page);
    if (ones) SET(3, f->status);
    if (has(f, VM_STATUS) && !ones) {
        SET(3, f->status);
        SET(4, status_vmid(f->status));
        SET(6, status_protections(f->status));
        SET(7, status_client(f->status));
        SET(8, status_write(f->status));
    }
    if (has(f, VM_SUMMARY) && !ones) {
        SET(2, f->said_page);
        if (f->said_vmid < VMIDS) SET(4, f->said_vmid);
        if (f->has_pasid) SET(5, f->said_pasid);
        if (!(i.have & 1u << 6) || (i.values[6] & told_protections(f)) != f->said_protections)
            SET(6, f->said_protections);
        SET(8, f->said_write);
        if (f->has_client) {
            if (!(i.have & 1u << 7) || (i.values[7] & 0xff) != f->said_client) SET(7, f->said_client);
        }
        const uint64_t older = f->has_tag && !f->said_tag ? older_client(f->said_client, chip_of(d, f->capture)) : 0;
        if (f->has_tag && f->said_tag) SET(9, f->said_tag);
        if (older) SET(9, older); /* gfx6 has no names of clients: '' (0x00000000) */
    }
#undef SET
    /* The registers alone, both zero, are a list of registers and no fault. */
    if (!(registers_only && !f->page && !f->status)) gpudbg_dump_incident_in(d, f->capture, &i);
    char device[sizeof f->device];
    memcpy(device, f->device, sizeof device);
    memset(f, 0, sizeof *f);
    memcpy(f->device, device, sizeof device);
}

static struct vm_fault *fault_of(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d, const char *device)
{
    struct vm_fault *free_one = NULL;
    for (size_t i = 0; i < VM_DEVICES; i++) {
        struct vm_fault *f = &v->fault[i];
        if (f->parts && (!device || !f->device[0] || strcmp(f->device, device) == 0)) return f;
        if (!f->parts && !free_one) free_one = f;
    }
    if (!free_one) {
        free_one = &v->fault[0];
        fault_end(g, d, free_one);
    }
    if (strcmp(free_one->device, device ? device : "") != 0)
        snprintf(free_one->device, sizeof free_one->device, "%s", device ? device : "");
    return free_one;
}

/* The fault that this part belongs to: the one begun, unless the part cannot follow. */
static struct vm_fault *fault_part(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, enum vm_part part)
{
    struct vm_fault *f = fault_of(v, g, d, line->device);
    const enum vm_part last = f->last;
    v->any = true;
    if (f->parts) {
        bool next = part == last + 1, before = part + 1 == last;
        if (!v->known_order && (next || before)) {
            v->known_order = true;
            v->backwards = before;
        }
        bool follows = v->known_order && v->backwards ? part < last : part > last;
        if (has(f, part) || !follows || line->number - f->last_line > 200 ||
            lines_apart(f->time, line->time, FAULT_SECONDS)) {
            fault_end(g, d, f);
            f = fault_of(v, g, d, line->device);
        }
    }
    if (!f->parts) f->first_line = line->number;
    f->parts |= 1u << part;
    f->capture = gpudbg_dump_current(d, line->number);
    f->last = part;
    f->last_line = line->number;
    f->time = line->time;
    f->at[part] = line->number;
    if (!f->signs) {
        f->signs = true;
        generation_sign(g, d, line->number,
            driver_is(line, "radeon")   ? GENERATION_CAYMAN | GENERATION_6 | GENERATION_7
            : driver_is(line, "amdgpu") ? GENERATION_6 | GENERATION_7 | GENERATION_8
                                        : GENERATION_CAYMAN | GENERATION_6 | GENERATION_7 | GENERATION_8,
            "its driver writes faults of this generation so");
    }
    return f;
}

static void fault_whole(struct generations *g, struct gpudbg_dump *d, struct vm_fault *f)
{
    if ((f->parts & 0x1e) == 0x1e) fault_end(g, d, f);
}

static bool take_detected(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t source, data;
    if (!scan_word(&p, "GPU fault detected: ")) return false;
    if (!scan_decimal(&p, &source) || !scan_word(&p, " ") || !scan_0x(&p, 8, &data)) {
        gpudbg_dump_note(d, line->number, "cut-off", "the GPU fault has no numbers");
        return true;
    }
    struct vm_fault *f = fault_part(v, g, d, line, VM_DETECTED);
    f->source = source;
    f->data = data;
    if (scan_find(&p, "for process ")) { /* gmc_v8_0.c alone */
        generation_weak_sign(g, d, line->number, GENERATION_8, "only its driver names the process on this line");
        tell_process(d, line->number, p);
    }
    fault_whole(g, d, f);
    return true;
}

static void value(struct gpudbg_dump *d, uint32_t line, const char *name, uint64_t n)
{
    struct gpudbg_record r = {.name = name, .addr = GPUDBG_NO_ADDR, .value = n, .line = line};
    gpudbg_dump_register(d, &r);
}

/* Passes over the name of a register; false: another name, or none, is there. */
static bool scan_register(const char **p, const char *name)
{
    const size_t n = strlen(name);
    if (strncmp(*p, name, n) != 0 || isalnum((unsigned char)(*p)[n]) || (*p)[n] == '_') return false;
    *p += n;
    return true;
}

static bool take_fault_register(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    static const char address[] = "VM_CONTEXT1_PROTECTION_FAULT_ADDR";
    static const char status[] = "VM_CONTEXT1_PROTECTION_FAULT_STATUS";
    char client[64];
    uint64_t n;
    const bool mm = begins(p, "mmVM_CONTEXT");
    if (mm) p += 2;
    if (!begins(p, "VM_CONTEXT")) return false;
    const bool addr = scan_register(&p, address), other = !addr && !scan_register(&p, status);
    if (other && !scan_name(&p, client, sizeof client)) return false;
    if (mm)
        generation_sign(
            g, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8, "names with mm in front are amdgpu's");
    if (other) {
        if (!strstr(client, "_PROTECTION_FAULT_MCCLIENT")) return false;
        p += strspn(p, " \t:=");
        if (scan_0x(&p, 8, &n)) value(d, line->number, client, n);
        return true;
    }
    const char *const name = addr ? address : status;
    p += strspn(p, " \t:=");
    if (!scan_0x(&p, 8, &n)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s without a value", name);
        return true;
    }
    struct vm_fault *f = fault_part(v, g, d, line, addr ? VM_ADDRESS : VM_STATUS);
    if (addr)
        f->page = n;
    else
        f->status = n;
    value(d, line->number, name, n);
    fault_whole(g, d, f);
    return true;
}

/* Who asked: "'TC0' (0x54433000) (72)", by old kernels without quotes, by those of Southern Islands a name alone: "TC
 * (72)". */
static bool scan_client(const char **p, struct vm_fault *f)
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

/* "VM fault (0x0c, vmid 3, pasid 32770) at page 1193984, read from 'TC0' (0x54433000) (72)" */
static bool take_summary(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    struct vm_fault got = {0};
    char direction[8];
    if (!scan_word(&p, "VM fault (0x")) return false;
    bool good = scan_hex(&p, 8, &got.said_protections) && scan_word(&p, ", vmid ") && scan_decimal(&p, &got.said_vmid);
    if (good && scan_word(&p, ", pasid ")) good = got.has_pasid = scan_decimal(&p, &got.said_pasid);
    good = good && scan_find(&p, ") at page ") && scan_decimal(&p, &got.said_page) && scan_word(&p, ", ") &&
           scan_name(&p, direction, sizeof direction) && scan_word(&p, " from ");
    got.said_write = good && strcmp(direction, "write") == 0;
    const bool quoted = *p == '\'', letters = strstr(p, " (0x"); /* old kernels: no quotes, and the letters in hex */
    got.has_client = good && scan_client(&p, &got);
    if (!got.has_client) gpudbg_dump_note(d, line->number, "cut-off", "the line of a VM fault ends early");
    if (!good) return true;
    struct vm_fault *f = fault_part(v, g, d, line, VM_SUMMARY);
    const bool radeon = driver_is(line, "radeon");
    generation_sign(g, d, line->number,
        quoted    ? (radeon            ? GENERATION_7
                        : got.said_tag ? GENERATION_7 | GENERATION_8
                                       : GENERATION_6)
        : letters ? GENERATION_7
                  : GENERATION_CAYMAN | GENERATION_6,
        "its driver writes a fault's client so");
    if (got.has_pasid) generation_sign(g, d, line->number, GENERATION_7 | GENERATION_8, "its faults have a pasid");
    if (got.said_client > 0xff)
        generation_sign(g, d, line->number,
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
    fault_whole(g, d, f);
    return true;
}

/* ---- The machine ---- */

bool vm_fault_line(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    return take_detected(v, g, d, line, p) || take_fault_register(v, g, d, line, p) || take_summary(v, g, d, line, p);
}

void vm_faults_end(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d)
{
    for (size_t i = 0; i < VM_DEVICES; i++) fault_end(g, d, &v->fault[i]);
}

void vm_fault_page(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, uint64_t page)
{
    fault_part(v, g, d, line, VM_ADDRESS)->page = page;
}

void vm_fault_status(struct vm_faults *v, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, uint64_t status)
{
    struct vm_fault *f = fault_part(v, g, d, line, VM_STATUS);
    f->status = status;
    value(d, line->number, "VM_CONTEXT1_PROTECTION_FAULT_STATUS", status);
    fault_end(g, d, f);
}

bool vm_fault_has_status_alone(const struct vm_faults *v, const char *device)
{
    for (size_t i = 0; i < VM_DEVICES; i++) {
        const struct vm_fault *f = &v->fault[i];
        if (f->parts && (!device || !f->device[0] || strcmp(f->device, device) == 0))
            return f->parts == 1u << VM_STATUS;
    }
    return false;
}
