/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wave_groups.c: waves of any generation by where they stand: those at one address of one program are an incident, with
 * their number, the instruction there as the dump prints it, what that waits for, and why they stopped.
 */
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "dumps.h"

/* What the instruction makes a wave wait for, by its text; NULL: nothing that is known. */
static const char *waits_for(const char *insn)
{
    static const struct {
        const char *begins, *has, *what;
    } rows[] = {{"s_waitcnt", "vmcnt(0)", "vector memory"}, {"s_waitcnt", "vmcnt", "vector memory"},
        {"s_waitcnt", "vscnt", "stores to vector memory"}, {"s_waitcnt", "lgkmcnt", "LDS, scalar memory or messages"},
        {"s_waitcnt", "expcnt", "exports"}, {"s_wait_loadcnt", "", "vector memory"},
        {"s_wait_storecnt", "", "stores to vector memory"}, {"s_wait_samplecnt", "", "samples of images"},
        {"s_wait_kmcnt", "", "scalar memory or messages"}, {"s_wait_dscnt", "", "LDS"},
        {"s_wait_expcnt", "", "exports"}, {"s_barrier", "", "the other waves of its group, at a barrier"},
        {"s_sleep", "", "a time that passes, likely in a loop"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (begins(insn, rows[i].begins) && strstr(insn, rows[i].has)) return rows[i].what;
    return NULL;
}

void wave_group_add(struct wave_groups *g, struct gpudbg_dump *d, uint32_t line, const struct wave_told *wave)
{
    struct wave_group *at = NULL;
    for (size_t i = 0; i < g->n && !at; i++)
        if (g->group[i].pc == wave->pc && strcmp(g->group[i].reason, wave->reason ? wave->reason : "") == 0)
            at = &g->group[i];
    if (!at) {
        if (g->n == WAVE_GROUPS) {
            g->others++;
            return;
        }
        at = &g->group[g->n++];
        *at = (struct wave_group){.pc = wave->pc, .line = line, .capture = gpudbg_dump_current(d, line)};
        snprintf(at->place, sizeof at->place, "%s", wave->place ? wave->place : "");
        snprintf(at->reason, sizeof at->reason, "%s", wave->reason ? wave->reason : "");
        snprintf(at->sample, sizeof at->sample, "%s", wave->name ? wave->name : "");
    }
    if (wave->insn && !at->insn[0]) snprintf(at->insn, sizeof at->insn, "%s", wave->insn);
    at->waves++;
    at->last = line;
}

void wave_group_insn(struct wave_groups *g, uint64_t pc, const char *insn)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].pc == pc && !g->group[i].insn[0])
            snprintf(g->group[i].insn, sizeof g->group[i].insn, "%s", insn);
}

void wave_groups_end(struct wave_groups *g, struct gpudbg_dump *d)
{
    char text[512];
    for (size_t i = 0; i < g->n; i++) {
        const struct wave_group *at = &g->group[i];
        const char *what = waits_for(at->insn);
        struct text t = text_in(text, sizeof text);
        if (at->place[0])
            text_add(&t, "%s", at->place);
        else
            text_add(&t, "0x%llx", (unsigned long long)at->pc);
        if (at->insn[0]) text_add(&t, ": %s", at->insn);
        if (what) text_add(&t, ", which waits for %s", what);
        if (at->reason[0]) text_add(&t, "; stopped: %s", at->reason);
        if (at->sample[0]) text_add(&t, " (for example %s)", at->sample);
        const struct gpudbg_incident x = {.kind = &incident_waves_at,
            .text = text,
            .line = at->line,
            .last = at->last,
            .have = 3,
            .values = {at->pc, at->waves}};
        gpudbg_dump_incident_in(d, at->capture, &x);
    }
    if (g->others)
        gpudbg_dump_note(
            d, 0, "limit", "waves stand at more than %d places: %u of them are not told", WAVE_GROUPS, g->others);
    g->n = g->others = 0;
}
