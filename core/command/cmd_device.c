/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers of the device: `set device NAME VALUE`, `info device`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "command/cmd_device.h"
#include "control/device.h"
#include "gpudbg/text.h"
#include "session/command.h"
#include "session/session.h"
#include "word/registry.h"

static const struct gpudbg_isa *own_isa(struct gpudbg *g)
{
    return g->loaded.image ? g->loaded.image->isa : g->loaded.isa;
}

static const struct gpudbg_device_register *named_of(const struct gpudbg_isa *isa, const char *name, size_t len)
{
    for (const struct gpudbg_device_register *r = isa ? isa->device : NULL; r && r->name; r++)
        if (strlen(r->name) == len && strncasecmp(r->name, name, len) == 0) return r;
    return NULL;
}

/* That of the instruction set in use, else of the first that has the name. */
static const struct gpudbg_device_register *named(struct gpudbg *g, const char *name, size_t len)
{
    const struct gpudbg_isa *isa;
    const struct gpudbg_device_register *r = named_of(own_isa(g), name, len);
    for (size_t i = 0; !r && (isa = registry_isa(g->registry, i)); i++) r = named_of(isa, name, len);
    return r;
}

bool device_set_command(struct gpudbg *g, const char *text, struct gpudbg_error *err)
{
    size_t len = strcspn(text, " \t=");
    const struct gpudbg_device_register *reg = named(g, text, len);
    const char *value = text + len + strspn(text + len, " \t=");
    uint64_t number;
    if (!reg)
        return gpudbg_fail(err, "no-such-name",
            "device: launches use no register \"%.*s\"; `info device` lists those they use", (int)(len < 60 ? len : 60),
            text);
    if (!*value) return gpudbg_fail(err, "usage", "device %s: a value is missing", reg->name);
    if (strcmp(value, "default") == 0) {
        device_forget(&g->device, reg);
        return true;
    }
    if (!gpudbg_evaluate(g, value, &number, err)) return false;
    if (number > UINT32_MAX)
        return gpudbg_fail(err, "out-of-range", "device %s: 0x%" PRIx64 ": more than 32 bits", reg->name, number);
    device_set(&g->device, reg, (uint32_t)number);
    return true;
}

/* ---- info device ---- */

struct device_row {
    struct gpudbg *g;
    const struct gpudbg_isa *isa;
    const struct gpudbg_device_register *reg;
    struct device_value now;
};

static int cell_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct device_row *)row)->reg->name);
}

static int cell_value(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%08" PRIx32, ((const struct device_row *)row)->now.value);
}

static int cell_from(const void *row, char *buf, size_t size)
{
    const struct device_row *r = row;
    return snprintf(buf, size, "%s", r->now.set ? "set" : r->now.from ? gpudbg_dump_path(r->now.from) : "default");
}

/* "ARRAY_MODE=ARRAY_LINEAR_ALIGNED PIPE_CONFIG=...": fields that are not 0. */
static int cell_fields(const void *row, char *buf, size_t size)
{
    const struct device_row *r = row;
    const struct gpudbg_reg *reg = gpudbg_reg_named(gpudbg_session_databases(r->g), r->isa->name, r->reg->name);
    uint8_t bytes[4] = {(uint8_t)r->now.value, (uint8_t)(r->now.value >> 8), (uint8_t)(r->now.value >> 16),
        (uint8_t)(r->now.value >> 24)};
    struct gpudbg_field_iter f;
    struct text t = text_in(buf, size);
    char meaning[120];
    if (!reg) return 0;
    gpudbg_word_fields(&f, reg->format, bytes);
    while (gpudbg_next_field(&f)) {
        if (!f.value) continue;
        gpudbg_field_meaning(f.field, NULL, f.value, meaning, sizeof meaning);
        text_add(&t, "%s%s=%s", t.n ? " " : "", f.field->name, meaning);
    }
    return text_length(&t);
}

static const struct gpudbg_column columns[] = {
    {"name", "register", 0, GPUDBG_NAME, cell_name},
    {"value", "value", 0, GPUDBG_HEXVALUE, cell_value},
    {"from", "from", 0, GPUDBG_PLAIN, cell_from},
    {"fields", "fields", 0, GPUDBG_NOTE, cell_fields},
};

static bool device_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_device_register *only = *args ? named(g, args, strlen(args)) : NULL;
    const struct gpudbg_isa *isa, *own = own_isa(g);
    if (*args && !only) return gpudbg_fail(err, "no-such-name", "launches use no register \"%.60s\"", args);
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (size_t k = 0; isa->device && (!own || own == isa) && isa->device[k].name; k++) {
            struct device_row row = {.g = g, .isa = isa, .reg = &isa->device[k]};
            row.now = device_value(g->device, &g->loaded, isa, k);
            if ((!only || only == row.reg) && !each(to, &row)) return true;
        }
    return true;
}

static const struct gpudbg_listing device = {
    .name = "device",
    .summary = "list the device registers that the next launch uses",
    .type = "device-register",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = device_rows,
    .empty = "launches depend on none",
};
static const struct gpudbg_listing *const listings[] = {&device, NULL};
COMMAND_FAMILY(cmd_device, "device", .summary = "registers of the device", .listings = listings);
