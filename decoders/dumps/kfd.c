/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kfd.c: queues as amdkfd's debugfs prints them: /sys/kernel/debug/kfd/hqds, registers of the slots on the hardware by
 * their addresses, and mqds, the descriptors of queues in memory (Linux, kfd_device_queue_manager.c,
 * kfd_process_queue_manager.c):
 *
 *      CP Pipe 0, Queue 1                          Process 1616740 PASID 32770:
 *        0000c914: 006ed000 00000000 00000001        Compute queue on device f7bc
 *                                                      00000000: c0310800 00004c24 ...
 *
 * A descriptor of Sea Islands (cik_structs.h) begins with a header, then has the compute registers from 0xb800 on, the
 * user data of 0xb900, two counters, and the 35 registers of a slot from 0xc914 on.
 */
#include <stdio.h>
#include <string.h>
#include "dumps.h"

enum { COMPUTE_WORD = 1, USER_WORD = 33, COUNTER_WORD = 49, SLOT_WORD = 51, SLOT_REGISTERS = 35 };

struct queues {
    char unit[64]; /* of the queue being read; "" for none */
    bool descriptor, compute, asked;
    unsigned queue; /* descriptors so far */
};

/* The register that a dword of a descriptor is for; GPUDBG_NO_ADDR: none. */
static uint64_t register_of(uint64_t word)
{
    if (word >= SLOT_WORD && word < SLOT_WORD + SLOT_REGISTERS) return 0xc914 + 4 * (word - SLOT_WORD);
    if (word >= USER_WORD && word < COUNTER_WORD) return 0xb900 + 4 * (word - USER_WORD);
    if (word >= COMPUTE_WORD && word < USER_WORD) return 0xb800 + 4 * (word - COMPUTE_WORD);
    return GPUDBG_NO_ADDR;
}

/* A slot's heading was read. */
static bool slot(struct queues *q)
{
    q->descriptor = false;
    return true;
}

static bool take_heading(struct queues *q, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t a, b, c;
    const char *start = p;
    if (scan_word(&p, "Process ") && scan_decimal(&p, &a) && scan_word(&p, " PASID ")) {
        const struct gpudbg_incident i = {.kind = &incident_process, .line = line->number, .have = 1, .values = {a}};
        gpudbg_dump_incident(d, &i);
        q->unit[0] = 0;
        return true;
    }
    p = start;
    if (scan_word(&p, "Inst ") && (!scan_decimal(&p, &a) || !scan_word(&p, ","))) return false;
    scan_blanks(&p);
    start = p;
    if (scan_word(&p, "CP Pipe ") && scan_decimal(&p, &a) && scan_word(&p, ", Queue ") && scan_decimal(&p, &b)) {
        snprintf(q->unit, sizeof q->unit, "pipe%u.queue%u", (unsigned)a, (unsigned)b);
        return slot(q);
    }
    p = start;
    if (scan_word(&p, "HIQ on MEC ") && scan_decimal(&p, &a) && scan_word(&p, " Pipe ") && scan_decimal(&p, &b) &&
        scan_word(&p, " Queue ") && scan_decimal(&p, &c)) {
        snprintf(q->unit, sizeof q->unit, "hiq.mec%u.pipe%u.queue%u", (unsigned)a, (unsigned)b, (unsigned)c);
        return slot(q);
    }
    p = start;
    if (scan_word(&p, "SDMA Engine ") && scan_decimal(&p, &a) && scan_word(&p, ", RLC ") && scan_decimal(&p, &b)) {
        snprintf(q->unit, sizeof q->unit, "sdma%u.rlc%u", (unsigned)a, (unsigned)b);
        return slot(q);
    }
    p = start;
    const bool compute = begins(p, "Compute queue on device ");
    if (!compute && !begins(p, "SDMA queue on device ") && !begins(p, "DIQ on device ")) return false;
    snprintf(q->unit, sizeof q->unit, "mqd%u", q->queue++);
    q->compute = compute;
    return q->descriptor = true;
}

/* "0000c914: 006ed000 00000000", by eight. */
static bool take_values(struct queues *q, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t at, value;
    const char *digits = p;
    if (!q->unit[0] || !scan_hex(&p, 8, &at) || p - digits != 8 || !scan_word(&p, ":")) return false;
    const char *family = gpudbg_dump_family_asked(d);
    const bool known = family && strcmp(family, "gfx7") == 0;
    if (q->descriptor && !known && !q->asked) {
        q->asked = true;
        gpudbg_dump_note(d, line->number, "other-generation",
            "descriptors of queues differ between generations, and the file names none: --isa gfx7 decodes those of "
            "Sea Islands");
    }
    for (; scan_word(&p, " "); at += 4) {
        digits = p;
        if (!scan_hex(&p, 8, &value) || p - digits != 8) {
            gpudbg_dump_note(d, line->number, "cut-off", "a value of %s ends early", q->unit);
            return true;
        }
        struct gpudbg_record r = {.unit = q->unit,
            .addr = q->descriptor ? q->compute ? register_of(at / 4) : GPUDBG_NO_ADDR : at,
            .value = value,
            .line = line->number};
        if (r.addr != GPUDBG_NO_ADDR && (known || !q->descriptor)) gpudbg_dump_register(d, &r);
    }
    return true;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    return take_heading(state, d, line, p) || take_values(state, d, line, p);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (!head_has(bytes, n, "Compute queue on device ") && !head_has(bytes, n, "SDMA queue on device ") &&
        !head_has(bytes, n, "CP Pipe ") && !head_has(bytes, n, "HIQ on MEC "))
        return 0;
    *why = "queues as amdkfd prints them";
    return 55;
}

static void *open_queues(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct queues));
}

const struct gpudbg_reader reader_kfd_queues = {
    .name = "kfd-queues",
    .summary = "queues of amdkfd's debugfs: hqds, mqds",
    .probe = probe,
    .open = open_queues,
    .line = take,
    .close = reader_state_free,
};
