/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rocgdb.c: what ROCgdb prints of a GPU, as its sessions are pasted: where it stopped, and its tables:
 *
 *     Thread 6 "fee" received signal SIGBUS, Bus error.
 *     [Switching to thread 6, lane 0 (AMDGPU Lane 1:1:1:1/0 (0,0,0)[0,0,0])]
 *     0x00007fffed269020 in kernel (n=99) at ./fee.h:317
 *     * 7    AMDGPU Wave 1:2:1:1 (0,0,0)/0 "fee"   0x00007fffed269020 in kernel (n=99) at ./fee.h:317
 *       8    AMDGPU Wave 1:2:1:2 (0,0,0)/1 "fee"   kernel () at ./fee.h:316      at the first instruction of a line
 *     * 1  A     AMDGPU Agent (GPUID 64146) gfx90a       Instinct MI250X   416   3328    29:00.0
 *     * 2    AMDGPU Queue 1:2 (QID 1) HSA          0      2      1048576  0x00007fffe5800000
 *     * 1    AMDGPU Dispatch 1:2:1 (PKID 0) [256,1,1] [128,1,1] B|Aa|Ra saxpy(int)
 *
 * The numbers of a wave are its agent, its queue, its dispatch and its own.
 */
#include <stdio.h>
#include <string.h>
#include "dumps.h"
#include "gpudbg/text.h"

/* Of "kernel<int> (n=99) at ./fee.h:317" or of "kernel<int>(int)": without the arguments. */
size_t function_length(const char *p)
{
    size_t n = strlen(p);
    if (n && p[n - 1] == ':') n--;
    unsigned depth = 0;
    for (size_t i = 0; i < n; i++) {
        if (!depth && p[i] == ' ' && i + 1 < n && p[i + 1] == '(' && i && p[i - 1] != ':' && !begins(p + i, " (anon"))
            return i;
        if (p[i] == '(' && !depth && i && p[i - 1] != ' ' && p[i - 1] != ':') return i;
        depth += p[i] == '<';
        depth -= p[i] == '>' && depth;
    }
    return n;
}

/* "0x00007fffed269020 in kernel (n=99) at ./fee.h:317": where it stands, in words.  Returns whether an address is
 * there. */
static bool frame(const char *p, uint64_t *pc, char *place, size_t size)
{
    struct text t = text_in(place, size);
    const bool has = scan_0x(&p, 16, pc);
    if (has) {
        text_add(&t, "0x%llx", (unsigned long long)*pc);
        if (!scan_word(&p, " in ")) return true;
        text_add(&t, " in ");
    } else {
        *pc = 0;
    }
    text_add(&t, "%.*s", (int)function_length(p), p);
    const char *at = NULL;
    for (const char *next = p; (next = strstr(next, " at ")); next += 4) at = next + 4;
    if (at) {
        const char *base = strrchr(at, '/');
        text_add(&t, ", %s", base ? base + 1 : at);
    }
    return has;
}

static void tell_wave(struct rocgdb *r, struct wave_groups *g, struct gpudbg_dump *d, uint32_t line, const char *p)
{
    char place[224];
    uint64_t pc;
    const bool has = frame(p, &pc, place, sizeof place);
    const struct wave_told told = {.pc = pc, .place = place, .name = r->unit, .reason = r->signal};
    gpudbg_dump_add_unit(d, line, r->unit, r->number);
    r->index = wave_latest(d);
    if (has) {
        wave_register(d, r->unit, line, "SQ_WAVE_PC_LO", pc & UINT32_MAX);
        wave_register(d, r->unit, line, "SQ_WAVE_PC_HI", pc >> 32);
    }
    wave_group_add(g, d, line, &told);
    r->pc = pc;
    r->waves++;
    if (r->agent < 32) r->used |= 1u << r->agent;
}

/* "1:2:1:3" or "1:2:1:3/0 (0,0,0)[0,0,0]": the wave whose it is. */
static bool wave_name(struct rocgdb *r, const char **p)
{
    uint64_t number[4];
    for (int i = 0; i < 4; i++)
        if ((i && !scan_word(p, ":")) || !scan_decimal(p, &number[i])) return false;
    snprintf(r->unit, sizeof r->unit, "wave %llu:%llu:%llu:%llu", (unsigned long long)number[0],
        (unsigned long long)number[1], (unsigned long long)number[2], (unsigned long long)number[3]);
    r->number = (unsigned)number[3];
    r->agent = number[0] < 32 ? (unsigned)number[0] : 32;
    return true;
}

/* The line behind "[Switching to ...]", or "#0 " of a backtrace. */
static bool take_frame(
    struct rocgdb *r, struct wave_groups *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    if (!r->awaited || line->number > r->awaited + 4) return false;
    if (begins(p, "Thread ") || begins(p, "Warning: ") || !*p) return false;
    if (scan_word(&p, "#0")) scan_blanks(&p);
    if (!begins(p, "0x") && !strstr(p, ") at ") && !strstr(p, "() from ")) return false;
    r->awaited = 0;
    tell_wave(r, g, d, line->number, p);
    snprintf(r->stopped, sizeof r->stopped, "%s", r->unit);
    r->stopped_at = r->pc;
    r->selected = true;
    r->signal[0] = 0;
    return true;
}

static bool take_thread(
    struct rocgdb *r, struct wave_groups *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    const bool star = *p == '*';
    struct rocgdb was = *r;
    uint64_t pc;
    char place[224];
    if (!scan_find(&p, "AMDGPU Wave ") || !wave_name(r, &p)) return false;
    const char *quote = strstr(p, "\" "); /* behind the program's name */
    if (quote) quote = strchr(p, '"') < quote ? quote + 2 : NULL;
    if (!quote && (quote = strchr(p, '/'))) quote += strcspn(quote, " ");
    if (!quote) return *r = was, false;
    scan_blanks(&quote);
    if (begins(quote, "(running)")) {
        *r = was;
        if (!r->running++) r->running_line = line->number;
        return true;
    }
    if (*quote && frame(quote, &pc, place, sizeof place) && pc == was.stopped_at && !strcmp(r->unit, was.stopped))
        return *r = was, true; /* told where it stopped */
    if (*quote) tell_wave(r, g, d, line->number, quote);
    if (star && *quote)
        r->selected = true;
    else
        memcpy(r->unit, was.unit, sizeof r->unit);
    return true;
}

/* "A     AMDGPU Agent (GPUID 64146) gfx90a  ..." */
static bool take_agent(struct rocgdb *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[24], text[160];
    const char *number = p;
    uint64_t id;
    if (!scan_find(&p, "AMDGPU Agent (GPUID ") || !scan_find(&p, ") ")) return false;
    const char *family = board_family(p, name, sizeof name);
    scan_word(&number, "* ");
    scan_blanks(&number);
    snprintf(text, sizeof text, "%s", p);
    for (char *at = text; (at = strstr(at, "  "));) memmove(at, at + 1, strlen(at));
    gpudbg_dump_fact(d, line->number, "agent", text, 0);
    if (!scan_decimal(&number, &id) || id >= 32 || !family || r->nagents == ROCGDB_AGENTS) return true;
    struct rocgdb_agent *a = &r->agent_told[r->nagents++];
    *a = (struct rocgdb_agent){.id = (unsigned)id, .family = family, .line = line->number};
    return true;
}

/* "AMDGPU Queue 1:2 (QID 1) HSA          0      2      1048576  0x00007fffe5800000" */
static bool take_queue(struct rocgdb *r, const struct gpudbg_dump_line *line, const char *p)
{
    struct rocgdb_queue q = {.line = line->number};
    uint64_t id;
    if (!scan_find(&p, "AMDGPU Queue ")) return false;
    if (!scan_decimal(&p, &q.agent) || !scan_word(&p, ":") || !scan_decimal(&p, &q.id) || !scan_word(&p, " (QID ") ||
        !scan_decimal(&p, &id) || !scan_word(&p, ") HSA "))
        return true; /* one of SDMA has no counts */
    scan_blanks(&p);
    if (!scan_decimal(&p, &q.read)) return true;
    scan_blanks(&p);
    if (scan_decimal(&p, &q.write) && r->nqueues < ROCGDB_QUEUES) r->queue[r->nqueues++] = q;
    return true;
}

/* "AMDGPU Dispatch 1:2:1 (PKID 0) [256,1,1] [128,1,1] B|Aa|Ra saxpy(int)" */
static bool take_dispatch(struct rocgdb *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct rocgdb_dispatch x = {.line = line->number};
    uint64_t id, packet;
    char grid[48], group[48];
    if (!scan_find(&p, "AMDGPU Dispatch ")) return false;
    if (!scan_decimal(&p, &x.agent) || !scan_word(&p, ":") || !scan_decimal(&p, &x.queue) || !scan_word(&p, ":") ||
        !scan_decimal(&p, &id) || !scan_word(&p, " (PKID ") || !scan_decimal(&p, &packet) || !scan_word(&p, ")"))
        return true;
    scan_blanks(&p);
    if (!scan_word(&p, "[") || !scan_until(&p, "]", grid, sizeof grid)) return true;
    scan_blanks(&p);
    if (!scan_word(&p, "[") || !scan_until(&p, "]", group, sizeof group)) return true;
    scan_blanks(&p);
    p += strcspn(p, " "); /* how it is fenced */
    scan_blanks(&p);
    snprintf(x.told, sizeof x.told, "%.*s, grid=[%.30s], workgroup=[%.30s]", (int)function_length(p), p, grid, group);
    gpudbg_dump_fact(d, line->number, "dispatch", x.told, packet);
    if (r->ndispatches < ROCGDB_QUEUES) r->dispatch[r->ndispatches++] = x;
    return true;
}

bool rocgdb_line(
    struct rocgdb *r, struct wave_groups *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    const char *at = p;
    r->selected = false;
    if (take_frame(r, g, d, line, p)) return true;
    if (begins(p, "Thread ") && scan_find(&at, " received signal ")) {
        snprintf(r->signal, sizeof r->signal, "%.*s", (int)strcspn(at, "."), at);
        r->signalled = line->number;
        at = strstr(at, "[Switching"); /* of a paste without its line break */
        if (!at) return true;
        p = at;
    }
    at = p;
    if (scan_word(&at, "[Switching to thread ")) {
        if (!scan_find(&at, "(AMDGPU ") || (!scan_word(&at, "Lane ") && !scan_word(&at, "Wave ")))
            return r->signal[0] = 0, true; /* a thread of the processor */
        if (r->signalled + 6 < line->number) r->signal[0] = 0;
        if (wave_name(r, &at)) r->awaited = line->number;
        return true;
    }
    return strstr(p, "AMDGPU ") && (take_thread(r, g, d, line, p) || take_agent(r, d, line, p) ||
                                       take_queue(r, line, p) || take_dispatch(r, d, line, p));
}

/* The generation is that of the agents whose waves are told; of all, where none is. */
static void tell_family(const struct rocgdb *r, struct gpudbg_dump *d)
{
    const struct rocgdb_agent *one = NULL;
    for (size_t i = 0; i < r->nagents; i++) {
        const struct rocgdb_agent *a = &r->agent_told[i];
        if (r->used && !(r->used >> a->id & 1)) continue;
        if (one && strcmp(one->family, a->family) != 0) return;
        one = a;
    }
    if (one) gpudbg_dump_family(d, one->line, one->family, NULL);
}

void rocgdb_end(struct rocgdb *r, struct gpudbg_dump *d)
{
    char text[96];
    tell_family(r, d);
    if (r->running) {
        snprintf(text, sizeof text, "%u running, at a place that is not told", r->running);
        gpudbg_dump_fact(d, r->running_line, "waves", text, r->running);
    }
    for (size_t i = 0; i < r->nqueues; i++) {
        const struct rocgdb_queue *q = &r->queue[i];
        const struct rocgdb_dispatch *at = NULL;
        for (size_t k = 0; k < r->ndispatches && !at; k++)
            if (r->dispatch[k].agent == q->agent && r->dispatch[k].queue == q->id) at = &r->dispatch[k];
        if (q->write <= q->read || !at) continue;
        snprintf(text, sizeof text, "queue %llu:%llu", (unsigned long long)q->agent, (unsigned long long)q->id);
        const struct gpudbg_incident x = {.kind = &incident_queue_dispatch,
            .unit = text,
            .text = at->told,
            .line = q->line,
            .last = at->line > q->line ? at->line : q->line,
            .have = 3,
            .values = {q->read, q->write}};
        gpudbg_dump_incident(d, &x);
    }
}
