/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hub_fault.c: faults of virtual memory as generations from gfx9 on tell them (Linux, amdgpu/gmc_v9_0.c to gmc_v12_0.c;
 * Mesa, ac_print_gpuvm_fault_status): a heading, whose work it was, the address, the status register, then its fields,
 * a line each; other lines may stand between, and journals may be sorted backwards.
 *
 * A status of 0 was read after another fault had cleared it: the driver then prints fields of nothing ("CB (0x0)", "RW:
 * 0x0"), which are passed over.
 */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

enum hub_part { HEADING, WORK, ADDRESS, STATUS, CLIENT, MORE, WALKER, PERMISSION, MAPPING, RW, PARTS };
enum { V_ADDRESS, V_STATUS, V_VMID, V_PASID, V_CLIENT, V_WRITE, V_PERMISSION, V_MAPPING, V_WALKER, V_MORE };

static bool has(const struct hub_fault *f, enum hub_part part) { return f->parts & 1u << part; }

static void set(struct hub_fault *f, unsigned at, uint64_t value)
{
    f->values[at] = value;
    f->have |= 1u << at;
}

/* The fields of the status, which are the same from gfx9 to gfx12 (gc_9_0 to gc_12_0_0_sh_mask.h). */
static void from_status(struct hub_fault *f)
{
    const uint64_t s = f->values[V_STATUS];
    if (!(f->have & 1u << V_STATUS) || !s || s == UINT32_MAX) return;
    const uint64_t client = s >> 9 & 0x1ff;
    if (f->client[0] && f->values[V_CLIENT] != client) f->client[0] = 0; /* a name of another fault */
    set(f, V_CLIENT, client);
    set(f, V_WRITE, s >> 18 & 1);
    set(f, V_PERMISSION, s >> 4 & 15);
    set(f, V_MAPPING, s >> 8 & 1);
    set(f, V_WALKER, s >> 1 & 7);
    set(f, V_MORE, s & 1);
    if (!(f->have & 1u << V_VMID)) set(f, V_VMID, s >> 20 & 15);
}

static const struct {
    const char *chips, *reads, *writes;
} video_clients[] = {
#define CLIENTS(chips_, reads_, writes_) {.chips = chips_, .reads = reads_, .writes = writes_},
#include "mmhub_clients.def"
};

/* Whether the list, whose words are separated by blanks, has the word; *rest: the list after it. */
static bool lists(const char *list, const char *word, size_t n, const char **rest)
{
    for (const char *at = list; (at = strcasestr(at, word)); at++)
        if ((at == list || at[-1] == ' ') && (!n || !at[n] || at[n] == ' ')) return *rest = at + n, true;
    return false;
}

/* The name that the chip's hub of video and display has for the number; the chip is what a capture of the device calls
 * it. */
static void name_video_client(struct hub_fault *f, const struct gpudbg_dump *d)
{
    size_t n;
    char number[16];
    const char *at, *chip = NULL;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; i < n && f->capture < n; i++)
        if (captures[i].chip &&
            (i == f->capture || (captures[i].device && captures[i].device == captures[f->capture].device)))
            chip = captures[i].chip;
    snprintf(number, sizeof number, "%u=", (unsigned)f->values[V_CLIENT]);
    for (size_t i = 0; chip && i < sizeof video_clients / sizeof *video_clients; i++) {
        if (!lists(video_clients[i].chips, chip, strlen(chip), &at)) continue;
        const bool writes = f->values[V_WRITE] && video_clients[i].writes[0];
        if (lists(writes ? video_clients[i].writes : video_clients[i].reads, number, 0, &at))
            snprintf(f->client, sizeof f->client, "%.*s", (int)strcspn(at + strlen(number), " "), at + strlen(number));
    }
}

/* The client that kernels before Linux 5.10 give as a number alone: of the graphics hub, whose numbers all chips of
 * gfx9, and all from gfx10 on, have alike (gmc_v9_0.c, gfxhub_v2_0.c to gfxhub_v12_0.c). */
static void name_client(struct hub_fault *f, const struct gpudbg_dump *d)
{
    static const char *const gfx9[] = {
        "CB", "DB", "IA", "WD", "CPF", "CPC", "CPG", "RLC", "TCP", "SQC (inst)", "SQC (data)", "SQG", "PA"};
    static const char *const later[] = {"CB/DB", NULL, "GE1", "GE2", "CPF", "CPC", "CPG", "RLC", "TCP", "SQC (inst)",
        "SQC (data)", "SQG", NULL, "SDMA0", "SDMA1", "GCR", "SDMA2", "SDMA3"};
    const size_t n = f->later ? sizeof later / sizeof *later : sizeof gfx9 / sizeof *gfx9;
    const uint64_t client = f->values[V_CLIENT];
    if (f->client[0] || !(f->have & 1u << V_CLIENT) || !has(f, STATUS)) return;
    if (begins(f->hub, "mmhub")) name_video_client(f, d);
    if (!begins(f->hub, "gfxhub") || client >= n) return;
    const char *name = f->later ? later[client] : gfx9[client];
    if (name) snprintf(f->client, sizeof f->client, "%s", name);
}

static void cross_check(struct gpudbg_dump *d, const struct hub_fault *f)
{
    const uint64_t s = f->values[V_STATUS];
    const struct {
        const char *what;
        enum hub_part part;
        unsigned at;
        uint64_t status;
    } row[] = {{"permission faults", PERMISSION, V_PERMISSION, s >> 4 & 15},
        {"walker error", WALKER, V_WALKER, s >> 1 & 7}, {"direction (1: write)", RW, V_WRITE, s >> 18 & 1},
        {"client", CLIENT, V_CLIENT, s >> 9 & 0x1ff}};
    if (!has(f, STATUS) || !s || s == UINT32_MAX) return;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (has(f, row[i].part) && f->values[row[i].at] != row[i].status) {
            gpudbg_dump_note(d, f->at[STATUS], "mixed",
                "the fault's lines say %s %llu, its status register says %llu: lines of two faults", row[i].what,
                (unsigned long long)f->values[row[i].at], (unsigned long long)row[i].status);
            return;
        }
}

/* Whether fields alone say that an access failed; those of nothing are zeros. */
static bool fields_tell(const struct hub_fault *f)
{
    static const unsigned fields[] = {V_CLIENT, V_WRITE, V_PERMISSION, V_MAPPING, V_WALKER};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if ((f->have >> fields[i] & 1) && f->values[fields[i]]) return true;
    return false;
}

static void fault_end(struct gpudbg_dump *d, struct hub_fault *f)
{
    const bool told = has(f, ADDRESS) || has(f, HEADING) || (has(f, STATUS) ? f->values[V_STATUS] : fields_tell(f));
    if (f->parts && told) {
        cross_check(d, f);
        const uint64_t status = f->values[V_STATUS];
        if (has(f, STATUS) && (!status || status == UINT32_MAX)) { /* cleared, or not read: fields of nothing */
            f->have &= (1u << V_ADDRESS) | (1u << V_VMID) | (1u << V_PASID) | (1u << V_STATUS);
            f->client[0] = 0;
        }
        from_status(f);
        name_client(f, d);
        char unit[sizeof f->hub + sizeof f->die];
        snprintf(unit, sizeof unit, "%s%s%s", f->hub, f->hub[0] && f->die[0] ? " " : "", f->die);
        struct gpudbg_incident i = {.kind = &incident_page_fault,
            .unit = unit[0] ? unit : NULL,
            .text = f->client[0] ? f->client : NULL,
            .line = f->first,
            .last = f->last_line,
            .have = f->have};
        memcpy(i.values, f->values, sizeof i.values);
        gpudbg_dump_incident_in(d, f->capture, &i);
    }
    char device[sizeof f->device];
    memcpy(device, f->device, sizeof device);
    memset(f, 0, sizeof *f);
    memcpy(f->device, device, sizeof device);
}

void hub_faults_end(struct hub_faults *h, struct gpudbg_dump *d)
{
    for (size_t i = 0; i < HUB_DEVICES; i++) fault_end(d, &h->fault[i]);
}

static struct hub_fault *fault_of(struct hub_faults *h, struct gpudbg_dump *d, const char *device)
{
    struct hub_fault *spare = NULL;
    for (size_t i = 0; i < HUB_DEVICES; i++) {
        struct hub_fault *f = &h->fault[i];
        if (f->parts && (!device || !f->device[0] || strcmp(f->device, device) == 0)) return f;
        if (!f->parts && !spare) spare = f;
    }
    if (!spare) {
        spare = &h->fault[0];
        fault_end(d, spare);
    }
    snprintf(spare->device, sizeof spare->device, "%s", device ? device : "");
    return spare;
}

/* The fault that this part belongs to: the one begun, unless the part cannot follow. */
static struct hub_fault *part_of(
    struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, enum hub_part part)
{
    struct hub_fault *f = fault_of(h, d, line->device);
    if (f->parts) {
        const int step = (int)part - (int)f->latest;
        if (!h->known_order && (step == 1 || step == 2 || step == -1 || step == -2)) {
            h->known_order = true;
            h->backwards = step < 0;
        }
        const bool follows = h->known_order && h->backwards ? step < 0 : step > 0;
        if (has(f, part) || !follows || line->number - f->last_line > 60 ||
            lines_apart(f->time, line->time, FAULT_SECONDS)) {
            fault_end(d, f);
            f = fault_of(h, d, line->device);
        }
    }
    if (!f->parts) f->first = line->number;
    f->parts |= 1u << part;
    f->latest = part;
    f->last_line = line->number;
    f->time = line->time;
    f->at[part] = line->number;
    f->capture = gpudbg_dump_current(d, line->number);
    return f;
}

/* "[gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:3 pasid:32769, for process a pid 1 thread b pid 2)" */
static bool take_heading(struct hub_faults *h, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    char hub[sizeof h->fault[0].hub];
    uint64_t v;
    if ((!begins(p, "[gfxhub") && !begins(p, "[mmhub")) || !scan_word(&p, "[") ||
        !scan_until(&p, "]", hub, sizeof hub) || !strstr(p, "page fault ("))
        return false;
    struct hub_fault *f = part_of(h, d, line, HEADING);
    snprintf(f->hub, sizeof f->hub, "%s", hub);
    const bool retry = strstr(p, "retry page fault"), vmc = strstr(p, "VMC page fault");
    generation_sign(g, d, line->number,
        vmc     ? GENERATION_9
        : retry ? GENERATION_9 | GENERATION_12
                : GENERATION_10_ON,
        "the driver of this generation writes faults so");
    const char *q = p;
    if (scan_find(&q, "vmid:") && scan_decimal(&q, &v)) set(f, V_VMID, v);
    if (scan_find(&q, "pasid:") && scan_decimal(&q, &v)) set(f, V_PASID, v);
    if (scan_find(&q, "for process ")) tell_process(d, line->number, q);
    return true;
}

void hub_fault_address(
    struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, uint64_t address)
{
    set(part_of(h, d, line, ADDRESS), V_ADDRESS, address);
}

bool hub_fault_status_line(const char *p)
{
    char name[64];
    return scan_name(&p, name, sizeof name) && strstr(name, "VM_L2_PROTECTION_FAULT_STATUS");
}

void hub_fault_status(struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, uint64_t status)
{
    set(part_of(h, d, line, STATUS), V_STATUS, status);
}

/* "  in page starting at address 0x00008001... from IH client 0x1b (UTCL2)"; older kernels: "at page 0x... from 27" */
static bool take_address(struct hub_faults *h, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t v, client;
    if (!scan_word(&p, "in page starting at address ") && !scan_word(&p, "at page ") && !scan_word(&p, "at address "))
        return false;
    if (!scan_0x(&p, 16, &v)) {
        gpudbg_dump_note(d, line->number, "cut-off", "the page fault has no address");
        return true;
    }
    struct hub_fault *f = part_of(h, d, line, ADDRESS);
    set(f, V_ADDRESS, v);
    const bool ih = strstr(p, "from IH client 0x");
    if (ih) generation_sign(g, d, line->number, GENERATION_9, "the driver of this generation writes faults so");
    if (!scan_find(&p, "client ") || !(scan_0x(&p, 4, &client) || scan_decimal(&p, &client))) return true;
    if (client == 27)
        generation_sign(
            g, d, line->number, GENERATION_9 | GENERATION_10 | GENERATION_10_3, "its faults come from client 27");
    if (client == 10)
        generation_sign(g, d, line->number, GENERATION_11 | GENERATION_12, "its faults come from client 10");
    return true;
}

/* "GCVM_L2_PROTECTION_FAULT_STATUS:0x00301031" */
static bool take_status(struct hub_faults *h, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    char name[64];
    uint64_t v;
    if (!scan_name(&p, name, sizeof name) || !strstr(name, "VM_L2_PROTECTION_FAULT_STATUS")) return false;
    p += strspn(p, " \t:=");
    if (!scan_0x(&p, 8, &v)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s without a value", name);
        return true;
    }
    generation_sign(g, d, line->number,
        name[0] == 'V'          ? GENERATION_9
        : strstr(name, "_LO32") ? GENERATION_12 /* mmhub_v4_1_0.c, gfxhub_v12_1.c: the register has two halves */
                                : GENERATION_10_ON,
        "the driver of this generation calls the register so");
    struct hub_fault *f = part_of(h, d, line, STATUS);
    set(f, V_STATUS, v);
    f->later = name[0] != 'V';
    struct gpudbg_record r = {.name = name, .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number};
    gpudbg_dump_register(d, &r);
    return true;
}

/* "Faulty UTCL2 client ID: TCP (0x8)"; Mesa: "CLIENT_ID: (TCP) 0x8" */
static bool take_client(struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[sizeof h->fault[0].client];
    uint64_t v;
    const bool mesa = scan_word(&p, "CLIENT_ID: (");
    if (!mesa && !scan_word(&p, "Faulty UTCL2 client ID: ")) return false;
    const char *stop = mesa ? strstr(p, ") 0x") : strstr(p, " (0x");
    for (const char *next = stop; next; next = strstr(next + 1, mesa ? ") 0x" : " (0x")) stop = next; /* the last one */
    if (!stop || (size_t)(stop - p) >= sizeof name) return true;
    snprintf(name, sizeof name, "%.*s", (int)(stop - p), p);
    p = strstr(stop, "0x");
    struct hub_fault *f = part_of(h, d, line, CLIENT);
    if (p && scan_0x(&p, 8, &v)) {
        set(f, V_CLIENT, v);
        if (strcmp(name, "unknown") != 0) snprintf(f->client, sizeof f->client, "%s", name);
    }
    return true;
}

static bool take_field(struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const struct {
        const char *word;
        enum hub_part part;
        unsigned at;
    } fields[] = {{"MORE_FAULTS: ", MORE, V_MORE}, {"WALKER_ERROR: ", WALKER, V_WALKER},
        {"PERMISSION_FAULTS: ", PERMISSION, V_PERMISSION}, {"MAPPING_ERROR: ", MAPPING, V_MAPPING},
        {"RW: ", RW, V_WRITE}};
    uint64_t v;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!scan_word(&p, fields[i].word)) continue;
        struct hub_fault *f = part_of(h, d, line, fields[i].part);
        if (scan_0x(&p, 8, &v) || scan_decimal(&p, &v)) set(f, fields[i].at, v);
        return true;
    }
    return false;
}

/* "  cookie node_id 1 fault from die AID0.XCD1", of chips of several dies (gmc_v9_0.c). */
static bool take_die(struct hub_faults *h, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t node;
    if (!scan_word(&p, "cookie node_id ") || !scan_decimal(&p, &node) || !scan_word(&p, " fault from die "))
        return false;
    struct hub_fault *f = fault_of(h, d, line->device);
    if (f->parts && !lines_apart(f->time, line->time, FAULT_SECONDS)) snprintf(f->die, sizeof f->die, "%s", p);
    return true;
}

bool hub_fault_line(struct hub_faults *h, struct generations *g, struct gpudbg_dump *d,
    const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const firsts = "[iaGMVFCWPRc"; /* what such lines begin with */
    if (!strchr(firsts, *p) || begins(p, "VM_CONTEXT") || begins(p, "GPU fault ")) return false; /* up to gfx8 */
    return take_heading(h, g, d, line, p) || take_address(h, g, d, line, p) || take_status(h, g, d, line, p) ||
           take_client(h, d, line, p) || take_field(h, d, line, p) || take_die(h, d, line, p);
}
