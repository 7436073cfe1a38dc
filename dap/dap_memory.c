/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as the client reads and writes it.  A reference is "0x40", or "lds:0x10@3": a space, an address, a wave. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dap/client.h"
#include "eval/expr.h"
#include "eval/value.h"
#include "machine/machine.h"

#define READ_MOST ((json_int_t)4 << 20) /* bytes at once */

json_t *d_reference_text(struct dap *d, unsigned space, uint64_t addr)
{
    char text[96];
    const struct gpudbg_machine *m = d->g->running.machine;
    if (space == GPUDBG_GLOBAL || !m) return d_hex(addr);
    snprintf(text, sizeof text, "%s:0x%" PRIx64 "@%" PRIu32, m->space[space].name, addr, d->g->selection.wave);
    return d_text(text);
}

bool d_reference(
    struct dap *d, const char *text, unsigned *space, uint64_t *addr, uint32_t *wave, struct gpudbg_error *err)
{
    const char *colon = strchr(text, ':'), *number = colon ? colon + 1 : text;
    char *end;
    *space = GPUDBG_GLOBAL;
    *wave = d->g->selection.wave;
    if (colon) {
        const int found = value_space(&d->g->eval, text, (size_t)(colon - text));
        if (found < 0) return gpudbg_fail(err, "no-such-name", "\"%.60s\": there is no such space of memory", text);
        *space = (unsigned)found;
    }
    errno = 0;
    *addr = strtoull(number, &end, 0);
    bool good = isdigit((unsigned char)*number) && !errno;
    if (good && *end == '@') {
        const unsigned long long id = strtoull(end + 1, &end, 10);
        *wave = (uint32_t)id;
        good = d->g->running.machine && id < d->g->running.machine->nwaves;
    }
    return (good && !*end) || gpudbg_fail(err, "usage", "\"%.60s\" is not a reference to memory", text);
}

/* The place of the request, its offset added. */
static bool asked_place(
    struct dap *d, const json_t *args, unsigned *space, uint64_t *addr, uint32_t *wave, struct gpudbg_error *err)
{
    const char *reference = d_string(args, "memoryReference");
    if (!reference) return gpudbg_fail(err, "usage", "\"memoryReference\" is missing");
    if (!d_reference(d, reference, space, addr, wave, err)) return false;
    *addr += (uint64_t)d_number_or(args, "offset", 0);
    return true;
}

static bool read_at(
    struct dap *d, uint32_t wave, unsigned space, uint64_t addr, uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    return !n || (addr + n > addr && value_read_memory(&d->g->eval, wave, space, addr, bytes, n, err));
}

/* As many of the n bytes as are there from the first on. */
static size_t read_first(struct dap *d, uint32_t wave, unsigned space, uint64_t addr, uint8_t *bytes, size_t n)
{
    struct gpudbg_error ignored = {0};
    size_t good = 0, bad = n + 1;
    if (read_at(d, wave, space, addr, bytes, n, &ignored)) return n;
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        if (middle <= n && read_at(d, wave, space, addr, bytes, middle, &ignored))
            good = middle;
        else
            bad = middle;
    }
    read_at(d, wave, space, addr, bytes, good, &ignored);
    return good;
}

bool d_read_memory(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t count;
    unsigned space;
    uint64_t addr;
    uint32_t wave;
    if (!d->g || !d_number(args, "count", &count, err) || !asked_place(d, args, &space, &addr, &wave, err))
        return false;
    if (count < 0) return gpudbg_fail(err, "out-of-range", "\"count\" is %" JSON_INTEGER_FORMAT, count);
    const size_t wanted = (size_t)(count < READ_MOST ? count : READ_MOST);
    uint8_t *bytes = malloc(wanted + 1);
    if (!bytes) return alloc_failed(err, wanted, "the memory that is read");
    const size_t n = read_first(d, wave, space, addr, bytes, wanted);
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, addr);
    json_object_set_new(body, "address", json_string(text));
    json_object_set_new(body, "data", d_base64(bytes, n));
    if (n < wanted) json_object_set_new(body, "unreadableBytes", json_integer((json_int_t)(wanted - n)));
    free(bytes);
    return true;
}

bool d_write_memory(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *data = d_string(args, "data");
    struct gpudbg_error why = {.offset = -1};
    unsigned space;
    uint64_t addr;
    uint32_t wave;
    size_t n, good;
    if (!data) return gpudbg_fail(err, "usage", "\"data\" is missing");
    if (!eval_need_machine(&d->g->eval, err) || !asked_place(d, args, &space, &addr, &wave, err)) return false;
    uint8_t *bytes = d_from_base64(data, &n, err), *old = bytes ? xalloc(n + 1) : NULL;
    if (!bytes) return false;
    good = read_first(d, wave, space, addr, old, n);
    free(old);
    bool written = good == n || d_bool(args, "allowPartial", false);
    if (!written) gpudbg_fail(err, "out-of-range", "only %zu of the %zu bytes are there", good, n);
    if (written && good) written = machine_set_memory(d->g->running.machine, wave, space, addr, bytes, good, &why);
    if (!written && why.kind) *err = why;
    free(bytes);
    if (!written) return false;
    json_object_set_new(body, "bytesWritten", json_integer((json_int_t)good));
    d->g->running.unsaved = true;
    d_answer(d, json_incref(body));
    d_invalidate(d, "variables");
    d_memory_changed(
        d, json_incref(json_object_get(args, "memoryReference")), d_number_or(args, "offset", 0), (json_int_t)good);
    return true;
}
