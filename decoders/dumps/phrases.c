/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phrases.c: messages of the kernel's drivers that are one line and one incident: a row each.  A pattern stands at the
 * start of the message:
 *
 *     *          anything, until what follows fits           {...}      may be there; what is in it counts only as a
 *                                                                       whole
 *     $          the end of the line
 *     %0         a number in decimal: the kind's value 0     %-0  with a sign     %x0  in hex, without 0x
 *     %r1        the same, and the unit is the ring with that number
 *                (ring numbers are radeon's unless the line is amdgpu's)
 *     %u %w      the unit (a ring, an engine): up to what follows; a name
 *     %c         the same, told by the number of its class
 *     %t         the text (whose work it was): up to what follows, or the rest
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

static const struct phrase {
    const char *pattern;
    const struct gpudbg_incident_kind *kind, *then; /* then: a second incident of the same line, or NULL */
    const char *unit, *text;                        /* where the message implies them */
    bool done;                                      /* of a trace point: it was reached, and no later one */
    bool zero;                                      /* the kind's value 0 is 0 */
} phrases[] = {
#define SAYS(kind_, ...)                                  \
    {                                                     \
        .kind = &incident_##kind_, .pattern = __VA_ARGS__ \
    }
    /* resets */
    SAYS(soft_reset, "GPU softreset: 0x%x0"),
    SAYS(soft_reset, "GPU softreset$"), /* older kernels */
    SAYS(reset, "GPU reset begin"),
    SAYS(reset_failed, "GPU reset(%0) failed"),
    SAYS(reset_done, "GPU reset(%0) "),
    SAYS(reset_done, "GPU reset end with ret = 0$"),
    SAYS(reset_failed, "GPU reset end with ret = %-1"),
    SAYS(reset_done, "GPU reset succeeded"),
    SAYS(reset_done, "*device wedged, but recovered through reset"),
    SAYS(reset_failed, "*GPU Recovery Failed: %-1"),
    SAYS(reset_done, "Ring %u reset succeeded"),
    SAYS(reset_failed, "Ring %u reset fail"),
    SAYS(timeout, "ring %u timeout, but soft recovered", .then = &incident_reset_done),
    SAYS(reset, "Starting %u ring reset"),
    SAYS(reset, "Resetting chip for %t"),
    SAYS(reset, "Resetting %u for %t"),
    SAYS(reset, "*Resetting chip after gpu hang"),
    SAYS(reset, "resetting chip$"),
    SAYS(reset, "*GPU pci config reset"),
    SAYS(reset, "GPU mode1 reset"),
    SAYS(reset, "GPU mode2 reset"),
    SAYS(reset, "GPU smu mode1 reset"),
    SAYS(reset, "GPU smu mode2 reset"),
    SAYS(reset, "GPU psp mode1 reset"),
    SAYS(reset, "reset compute queue (%u)"),
    SAYS(reset_failed, "ASIC reset failed with error, %-1"),
    SAYS(reset_failed, "*device wedged, needs "),
    SAYS(signaled, "Guilty job already signaled"),
    SAYS(hung, "IP block:<%u> is hung"),
    SAYS(hung, "IP block:%w is hung"),
    SAYS(hung, "GFX engine hang detected", .unit = "graphics", .text = "command to a virtual GPU"), /* AMD's GIM */
    SAYS(hung, "SDMA engine hang detected", .unit = "SDMA", .text = "command to a virtual GPU"),
    SAYS(reset_failed, "GPU recovery timed out, cancelling all in-flight rendering"),
    SAYS(device_silent, "device lost from bus!"),
    SAYS(device_silent, "Device is non-operational; MMIO access returns 0xFFFFFFFF", .text = "registers"),
    SAYS(device_silent, "SMU: response:0xFFFFFFFF for index:%0", .text = "the answer of the controller of power"),
    SAYS(device_silent, "*Failed to send message 0x%x0, response 0xffffffff",
        .text = "the answer of the controller of power"),
    SAYS(errors_logged, "*[Hardware Error]: Accelerator Check Architecture events logged"),
    SAYS(errors_logged, "*[Hardware error] Accelerator Check Architecture events logged"), /* older kernels */
    SAYS(hardware_error, "*uncorrectable hardware error(%t) detected"),
    SAYS(hardware_error, "*uncorrectable hardware errors detected in %t block"),
    SAYS(reset, "MODE1 reset"),
    SAYS(reset, "MODE2 reset"),
    SAYS(reset, "BACO reset"),
    SAYS(reset_failed, "*GPU hanging too fast, declaring wedged"),
    SAYS(reset_failed, "Failed to reset chip"),
    SAYS(reset_failed, "*GPU recovery failed$"), /* i915 */
    SAYS(reset_failed, "*Engine reset failed on *(%u)"),
    SAYS(reset_failed, "*ngine reset request failed on *(%u)"),   /* GuC's, in several spellings */
    SAYS(reset_failed, "GuC engine reset request failed on %c:"), /* xe; older i915 */
    SAYS(reset_failed, "%u reset request timed out"),
    SAYS(vram_lost, "VRAM is lost"),
    SAYS(reset, "Engine reset: engine_class=%u, "), /* xe, to the end of this part */
    SAYS(reset, "trying reset from %t"),
    SAYS(reset, "reset started"),
    SAYS(reset_done, "reset done"),
    SAYS(reset_failed, "reset failed ("),
    SAYS(reset_failed, "*declared device * as wedged"),
    SAYS(job_timeout, "Timedout job: seqno=%0,* in %t [%1]"),
    SAYS(job_timeout, "Timedout job: seqno=%0"),
    SAYS(job_timeout, "Timedout job: seqno="), /* whose numbers somebody has left out */
    SAYS(gpu_fault, "Engine memory cat error: engine_class=%u, "),
    SAYS(gpu_fault, "Engine memory cat error"),
    SAYS(gpu_fault, "Engine memory CAT error*: class=%u, "), /* newer kernels */
    SAYS(gpu_fault, "Engine memory CAT error"),
    SAYS(fault_unserved, "Fault response: Unsuccessful %t"),
    SAYS(iommu_fault, "AMD-Vi: Event logged [IO_PAGE_FAULT domain=* address=0x%x0 "),

    /* rings */
    SAYS(stalled, "ring %r1 stalled for more than %0"),
    SAYS(stalled, "*stuck on %u ring"),
    SAYS(timeout, "ring %u timeout, last signaled seq=%0, last emitted seq=%1"),
    SAYS(timeout, "ring %u timeout, {signaled seq=%0, emitted seq=%1}"),
    SAYS(ring_test, "ring %u test failed ({%-0)}"),
    SAYS(ring_test, "*failed testing IB on GFX ring (%-0)", .unit = "gfx"),
    SAYS(ring_test, "*failed testing IB on ring %u (%-0)"),
    SAYS(ring_test, "*failed testing IB on %u (%-0)."),
    SAYS(ring_test, "IB test failed on %u (%-0)"),
    SAYS(ring_test, "*ib ring test failed (%-0)"),
    SAYS(ring_test, "ring test failed (scratch("), /* the oldest chips have one ring */
    SAYS(lockup, "GPU lockup (waiting for 0x%x1 last fence id 0x%x0{*on ring %r2}"), /* older kernels */
    SAYS(lockup, "GPU lockup (*0x%x0{*last fence id 0x%x1{*on ring %r2}}"),
    SAYS(lockup, "GPU lockup ("),
    SAYS(stalled, "GPU lockup CP stall for more than %0"),
    SAYS(lockup, "GPU lockup CP stall"),
    SAYS(saved, "Saved %0 dwords of commands on ring %r1"),
    SAYS(fence_late, "Fence fallback timer expired on ring %w"),
    SAYS(fence_timeout, "Fence expiration time out %t"),
    SAYS(fence_timeout, "Asynchronous wait on fence %t"),
    SAYS(fence_timeout, "timeout waiting for kiq fence", .unit = "kiq"),
    SAYS(gpu_hang, "Hangcheck timer elapsed... GPU hung"),
    SAYS(fence_late, "Hangcheck timer elapsed... %u ring idle"),
    SAYS(wait_ended, "Kicking stuck %t on %u$"),
    SAYS(hardware_error, "%u error detected, EIR: 0x%x0"),
    SAYS(hardware_error, "EIR stuck: 0x%x0"),

    /* command streams, processes, interrupts */
    SAYS(illegal_instruction, "Illegal instruction in *SDMA", .unit = "sdma"),
    SAYS(illegal_instruction, "Illegal instruction in "),
    SAYS(illegal_instruction, "Illegal opcode in "), /* gfx11 on */
    SAYS(illegal_register, "Illegal register access in "),
    SAYS(refused, "*Failed to initialize parser %-0"),
    SAYS(process, "Process information: process %t pid %0 thread"),
    SAYS(process, "Process information: process %t pid %0$"),
    SAYS(process, "Process %t pid %0 thread"),
    SAYS(process, "Process %t pid %0$"),
    SAYS(process, "for process %t pid %0 "), /* a line of its own, of a fault */
    SAYS(process, "in process %t pid %0 "),
    SAYS(process, "%t[%0] context reset due to GPU hang"),
    SAYS(interrupts_lost, "IH ring buffer overflow"),
    SAYS(firmware_silent, "MES(*) failed to respond to msg=%t", .unit = "MES"),
    SAYS(firmware_silent, "MES failed to respond to msg=%t", .unit = "MES"),
    SAYS(firmware_silent, "MES failed to response msg=%t", .unit = "MES"),
    SAYS(firmware_silent, "MES might be in unrecoverable state", .unit = "MES"),
    SAYS(firmware_silent, "SMU: No response msg_reg: %t resp_reg", .unit = "SMU"),
    SAYS(firmware_silent, "SMU: I'm not done with your previous command: %t", .unit = "SMU"),
    SAYS(firmware_silent, "GUC: TLB invalidation response timed out for seqno %0", .unit = "GuC",
        .text = "to forget translations"),
    SAYS(eviction, "Failed to evict queue %0"),
    SAYS(eviction, "Failed to evict process queues"),
    SAYS(eviction, "Failed to evict queues of process pid 0x%x1"),
    SAYS(eviction, "Failed to evict queues of process pid %1"),
    SAYS(eviction, "Failed to evict queues of pasid 0x%x2"),
    SAYS(eviction, "Failed to quiesce KFD"),
    SAYS(eviction, "Failed to suspend process"),
    SAYS(eviction, "Failed to remove queue %0"),
    SAYS(eviction, "remove_all_*: Failed to remove queue %0"),
    SAYS(eviction, "failed to remove hardware queue from MES"),
    SAYS(eviction, "failed to suspend all gangs"),
    SAYS(vital_buffer, "Freeing queue vital buffer 0x%x0, queue evicted"),
    SAYS(preemption, "The cp might be in an unrecoverable state"),
    SAYS(preemption, "qcm fence wait loop timeout"),

    /* what runtimes and layers were told */
    SAYS(page_fault, "Memory access fault by GPU node-* on address 0x%x0. Reason: %t"),
    SAYS(page_fault, "Memory access fault by GPU node-* on address 0x%x0"),
    SAYS(
        page_fault, "Memory access fault by GPU node-* on address (nil). Reason: %t", .zero = true), /* "%p" of glibc */
    SAYS(page_fault, "Memory access fault by GPU node-* on address (nil)", .zero = true),
    SAYS(context_lost, "HW Exception by GPU node-*reason *GPU Hang"),
    SAYS(context_lost, "*The CS has {been }cancelled because the context is lost. %t"),
    SAYS(context_lost, "*The CS has {been }cancelled because the context is lost"),
    SAYS(context_lost, "*VK_ERROR_DEVICE_LOST"),
    SAYS(refused, "*gpu hanging too fast, banning", .text = "hung again and again"), /* i915, older kernels */
    SAYS(refused, "*context hanging too fast, banning", .text = "hung again and again"),
    SAYS(refused, "*The CS has been rejected{*(%-0)}"),
    SAYS(trace_point, "*Last command completed: %0", .done = true), /* DXVK */
    SAYS(not_ours, "*NVRM: Xid (*): %0, %t"),

    SAYS(error_state, "*GPU error state saved to /sys/class/drm/card%0/error"),    /* i915 */
    SAYS(error_state, "capturing error event; look for more information in{ }%t"), /* before 3.14: in debugfs */
    SAYS(error_state, "*GPU crash dump saved to /sys/class/drm/card%0/error"),

    /* setting the GPU up */
    SAYS(init_failed, "resume of IP block <%u> failed %-0"),
    SAYS(init_failed, "hw_init of IP block <%u> failed %-0"),
    SAYS(init_failed, "error initializing %u (%-0)"),
    SAYS(init_failed, "Fatal error during GPU init"),
};

/* ---- Patterns ---- */

#define UNIT_MOST 63
#define TEXT_MOST 95

struct match {
    struct gpudbg_incident *incident; /* its values are written as they come; have says which count */
    uint32_t have;
    const char *unit, *text;
    size_t unit_size, text_size;
    const char *ring;
    bool amdgpu;
};

/* Numbers of rings as the two drivers give them: radeon on all chips, amdgpu on gfx7. */
static const char *ring_name(uint64_t ring, bool amdgpu)
{
    static const char *const names[] = {"gfx", "compute 1", "compute 2", "dma0", "dma1", "uvd", "vce1", "vce2"};
    static const char *const of_amdgpu[] = {"gfx", "compute 1", "compute 2", "compute 3", "compute 4", "compute 5",
        "compute 6", "compute 7", "compute 8", "sdma0", "sdma1"};
    if (amdgpu) return ring < sizeof of_amdgpu / sizeof *of_amdgpu ? of_amdgpu[ring] : NULL;
    return ring < sizeof names / sizeof *names ? names[ring] : NULL;
}

/* Classes of engines as Intel's GuC counts them (intel_guc_fwif.h, guc_fwif.h: GUC_*_CLASS). */
static const char *class_name(uint64_t class)
{
    static const char *const names[] = {"rcs", "vcs", "vecs", "bcs", "ccs", "gsccs"};
    return class < sizeof names / sizeof *names ? names[class] : NULL;
}

/* Behind the brace that closes the one at `pattern`. */
static const char *behind(const char *pattern)
{
    unsigned depth = 0;
    do {
        depth += *pattern == '{';
        depth -= *pattern == '}';
        pattern++;
    } while (depth);
    return pattern;
}

static bool take_number(const char **pattern, const char **p, struct match *m)
{
    const char how = isdigit((unsigned char)**pattern) ? '0' : *(*pattern)++;
    const unsigned at = (unsigned)(*(*pattern)++ - '0');
    uint64_t *value = &m->incident->values[at];
    const bool negative = how == '-' && scan_word(p, "-");
    if (!(how == 'x' ? scan_hex(p, 16, value) : scan_decimal(p, value))) return false;
    if (negative) *value = (uint64_t) - (int64_t)*value;
    if (how == 'r') m->ring = ring_name(*value, m->amdgpu);
    m->have |= 1u << at;
    return true;
}

static bool fits(const char *pattern, const char *p, struct match *m);

/* Some characters, as few as do, and then the rest of the pattern; all of the line where the pattern has no more. */
static bool fits_behind(const char *pattern, const char *p, size_t least, size_t most, size_t *size, struct match *m)
{
    const size_t n = strcspn(pattern, "*{}%$"); /* of what the rest must begin with */
    if (!*pattern) return *size = strlen(p), true;
    const char *end = p + strlen(p);
    for (const char *at = p + (least && *p);
         (at = n ? memmem(at, (size_t)(end - at), pattern, n) : at) && (size_t)(at - p) <= most; at++) {
        struct match whole = *m;
        if (fits(pattern, at, &whole)) {
            *m = whole;
            return *size = (size_t)(at - p), true;
        }
        if (!*at) break;
    }
    return false;
}

static bool fits(const char *pattern, const char *p, struct match *m)
{
    size_t passed;
    while (*pattern) {
        const char c = *pattern++;
        if (c == '*') return fits_behind(pattern, p, 0, SIZE_MAX, &passed, m);
        if (c == '{') {
            struct match with = *m;
            if (fits(pattern, p, &with)) return *m = with, true;
            pattern = behind(pattern - 1);
        } else if (c == '%' && (*pattern == 'u' || *pattern == 't')) {
            const bool unit = *pattern++ == 'u';
            *(unit ? &m->unit : &m->text) = p;
            size_t size;
            if (!fits_behind(pattern, p, unit, unit ? UNIT_MOST : TEXT_MOST, &size, m)) return false;
            *(unit ? &m->unit_size : &m->text_size) = size;
            return true;
        } else if (c == '%' && *pattern == 'w') {
            char name[UNIT_MOST + 1];
            pattern++;
            m->unit = p;
            if (!scan_name(&p, name, sizeof name)) return false;
            m->unit_size = strlen(name);
        } else if (c == '%' && *pattern == 'c') {
            uint64_t class;
            pattern++;
            if (!scan_decimal(&p, &class)) return false;
            m->ring = class_name(class);
        } else if (c == '%') {
            if (!take_number(&pattern, &p, m)) return false;
        } else if (c == '$' ? *p != 0 : c != '}' && *p++ != c) {
            return false;
        }
    }
    return true;
}

/* ---- Which patterns a line may fit at all ---- */

/* A pair of neighbouring characters as a bit of PHRASE_PAIRS. */
static unsigned pair(const char *p) { return ((unsigned char)p[0] * 33u + (unsigned char)p[1] * 7u) % PHRASE_PAIRS; }

static_assert(sizeof phrases / sizeof *phrases <= PHRASES_MOST, "room in the index");

void phrases_index(struct phrase_index *index)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        const char *best = "", *p = phrases[i].pattern;
        size_t longest = 0;
        unsigned depth = 0;
        while (*p) { /* what may be missing tells nothing */
            const size_t n = strcspn(p, "*{}%$");
            if (!depth && n > longest) best = p, longest = n;
            p += n;
            depth += *p == '{';
            depth -= *p == '}';
            p += *p == '%' ? 2 + (p[1] && strchr("rx-", p[1])) : *p != 0;
        }
        for (unsigned k = 0; k < 3; k++) {
            const size_t at = longest < 2 ? 0 : k * (longest - 2) / 2;
            index->pair[i][k] = (uint16_t)(longest < 2 ? PHRASE_PAIRS : pair(best + at));
        }
        const char first = *phrases[i].pattern;
        for (unsigned c = 0; c < 256; c++)
            if (first == (char)c || first == '*' || first == '%') index->by_first[c][i / 64] |= UINT64_C(1) << i % 64;
    }
}

static bool may_fit(const struct phrase_index *index, size_t i, const uint64_t *pairs)
{
    for (unsigned k = 0; k < 3; k++) {
        const unsigned bit = index->pair[i][k];
        if (bit < PHRASE_PAIRS && !(pairs[bit / 64] >> bit % 64 & 1)) return false;
    }
    return true;
}

/* What the line tells if it fits the phrase: the number of incidents, or 0. */
static unsigned phrase_read(const struct phrase *phrase, const char *line, bool amdgpu, struct phrase_told *told)
{
    struct gpudbg_incident incident = {.kind = phrase->kind};
    struct match m = {.incident = &incident, .amdgpu = amdgpu};
    if (!fits(phrase->pattern, line, &m)) return 0;
    uint64_t ring;
    incident.have = m.have;
    if (m.unit) {
        snprintf(told->unit, sizeof told->unit, "%.*s", (int)m.unit_size, m.unit);
        const char *number = told->unit;
        if (scan_decimal(&number, &ring) && !*number) m.ring = ring_name(ring, amdgpu);
    }
    incident.unit = phrase->unit ? phrase->unit : m.ring ? m.ring : m.unit ? told->unit : NULL;
    if (m.text && m.text[m.text_size]) {
        snprintf(told->text, sizeof told->text, "%.*s", (int)m.text_size, m.text);
        m.text = told->text;
    }
    incident.text = phrase->text ? phrase->text : m.text;
    if (phrase->zero) {
        incident.values[0] = 0;
        incident.have |= 1;
    }
    if (phrase->done) {
        incident.values[1] = incident.values[2] = 1;
        incident.have |= 6;
    }
    told->incident[0] = told->incident[1] = incident;
    told->incident[1].kind = phrase->then;
    return phrase->then ? 2 : 1;
}

unsigned phrases_read(const char *line, bool amdgpu, const struct phrase_index *index, struct phrase_told *told)
{
    uint64_t pairs[PHRASE_PAIRS / 64] = {0};
    for (const char *p = line; *p; p++) {
        const unsigned bit = pair(p);
        pairs[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i += 64)
        for (uint64_t left = index->by_first[(unsigned char)*line][i / 64]; left; left &= left - 1) {
            const size_t at = i + (unsigned)__builtin_ctzll(left);
            const unsigned n = may_fit(index, at, pairs) ? phrase_read(&phrases[at], line, amdgpu, told) : 0;
            if (n) return n;
        }
    return 0;
}
