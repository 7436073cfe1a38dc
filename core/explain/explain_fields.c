/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_fields.c: bits of a register that are worth a word: what is busy, idle or set. */
#include "gpudbg/text.h"
#include "explain/explain_keys.h"
#include <stdio.h>
#include <string.h>

uint64_t key_field_bits(const struct gpudbg_field *f, uint64_t value)
{
    uint64_t mask = f->run[0].len < 64 ? (UINT64_C(1) << f->run[0].len) - 1 : UINT64_MAX;
    return value >> f->run[0].lo & mask;
}

/* "SPI" of "SPI_BUSY", "VS" of "VS Done"; of a field that names no unit the register does: "SDMA1" of
 * SDMA1_STATUS_REG.IDLE. */
static void unit_name(const struct gpudbg_reg *reg, const char *field, char *buf, size_t size)
{
    const char *status = strstr(reg->name, "_STATUS");
    if (strcmp(field, "IDLE") == 0) {
        snprintf(buf, size, "%.*s", status ? (int)(status - reg->name) : 90, reg->name);
        return;
    }
    static const char *const ends[] = {"_BUSY", "_BUSY_NO_DMA", "_IDLE", " Done", " done", " IDLE", "_RQ_PENDING"};
    size_t n = strlen(field);
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t e = strlen(ends[i]);
        if (n > e && strcmp(field + n - e, ends[i]) == 0) {
            n -= e;
            break;
        }
    }
    snprintf(buf, size, "%.*s", (int)n, field);
}

unsigned list_fields(
    const struct gpudbg_reg *reg, uint64_t value, uint64_t mask, enum listed which, char *buf, size_t size)
{
    unsigned found = 0;
    struct text t = text_in(buf, size);
    for (size_t i = 0; i < reg->format->count; i++) {
        const struct gpudbg_field *f = &reg->format->fields[i];
        bool told = mask >> f->run[0].lo & 1, one = key_field_bits(f, value),
             state = f->kind == GPUDBG_BUSY || f->kind == GPUDBG_DONE;
        bool busy = f->kind == GPUDBG_BUSY ? one : !one;
        char name[96];
        if (!told || (which == LIST_SET ? f->kind != GPUDBG_FLAG || !one : !state || busy != (which == LIST_BUSY)))
            continue;
        unit_name(reg, f->name, name, sizeof name);
        text_add(&t, "%s%s", found ? ", " : "", which == LIST_SET ? f->name : name);
        if (which == LIST_SET && f->doc) text_add(&t, " (%s)", f->doc);
        found++;
    }
    return found;
}
