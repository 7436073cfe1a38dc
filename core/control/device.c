/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/device.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "session/command.h"
#include "word/registry.h"
#include "session/session.h"

/* What the user set, one register each. */
struct device_setting {
    const struct gpudbg_device_register *reg;
    uint32_t value;
    struct device_setting *next;
};

/* ---- Values ---- */

static const struct device_setting *setting_of(const struct gpudbg *g, const struct gpudbg_device_register *reg)
{
    const struct device_setting *s = g->device;
    while (s && s->reg != reg)
        s = s->next;
    return s;
}

/* The latest dump that tells all bits of it, of this instruction set's family. */
static const struct gpudbg_dump *dump_of(struct gpudbg *g, const struct gpudbg_isa *isa, const char *name, uint32_t *value)
{
    struct gpudbg_record r;
    for (size_t i = g->loaded.ndumps; i-- > 0;) {
        size_t n;
        const struct gpudbg_capture *captures = gpudbg_dump_captures(g->loaded.dumps[i], &n);
        for (size_t c = n; c-- > 0;)
            if ((!captures[c].family || strcmp(captures[c].family, isa->name) == 0) &&
                gpudbg_dump_find(g->loaded.dumps[i], (uint32_t)c, NULL, name, &r) && (r.mask & UINT32_MAX) == UINT32_MAX) {
                *value = (uint32_t)r.value;
                return g->loaded.dumps[i];
            }
    }
    return NULL;
}

uint32_t device_value(struct gpudbg *g, const struct gpudbg_isa *isa, size_t index, const struct gpudbg_dump **from, bool *set)
{
    const struct gpudbg_device_register *reg = &isa->device[index];
    const struct device_setting *s = setting_of(g, reg);
    uint32_t value = reg->value;
    *set = s != NULL;
    *from = s ? NULL : dump_of(g, isa, reg->name, &value);
    return s ? s->value : value;
}

uint32_t gpudbg_device_value(struct gpudbg *g, const struct gpudbg_isa *isa, size_t index)
{
    const struct gpudbg_dump *from;
    bool set;
    return g ? device_value(g, isa, index, &from, &set) : isa->device[index].value;
}

/* ---- set device NAME VALUE ---- */

static const struct gpudbg_device_register *named(struct gpudbg *g, const char *name, size_t len)
{
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (const struct gpudbg_device_register *r = isa->device; r && r->name; r++)
            if (strlen(r->name) == len && strncasecmp(r->name, name, len) == 0)
                return r;
    return NULL;
}

static void forget(struct gpudbg *g, const struct gpudbg_device_register *reg)
{
    for (struct device_setting **at = &g->device; *at; at = &(*at)->next)
        if ((*at)->reg == reg) {
            struct device_setting *gone = *at;
            *at = gone->next;
            free(gone);
            return;
        }
}

bool device_set(struct gpudbg *g, const char *text, struct gpudbg_error *err)
{
    size_t len = strcspn(text, " \t=");
    const struct gpudbg_device_register *reg = named(g, text, len);
    const char *value = text + len + strspn(text + len, " \t=");
    uint64_t number;
    if (!reg)
        return gpudbg_fail(err, "command", "device: no register \"%.*s\" that a launch depends on; see `info device`", (int)(len < 60 ? len : 60), text);
    if (!*value)
        return gpudbg_fail(err, "command", "device %s: a value is missing", reg->name);
    if (strcmp(value, "default") == 0) {
        forget(g, reg);
        return true;
    }
    if (!gpudbg_evaluate(g, value, &number, err))
        return false;
    if (number > UINT32_MAX)
        return gpudbg_fail(err, "command", "device %s: 0x%" PRIx64 ": more than 32 bits", reg->name, number);
    struct device_setting *s = malloc(sizeof *s);
    if (!s)
        return gpudbg_fail(err, "too-large", "device: out of memory");
    forget(g, reg);
    *s = (struct device_setting){reg, (uint32_t)number, g->device};
    g->device = s;
    return true;
}

void device_free(struct gpudbg *g)
{
    while (g->device)
        forget(g, g->device->reg);
}

/* ---- info device ---- */

struct device_row {
    struct gpudbg *g;
    const struct gpudbg_isa *isa;
    const struct gpudbg_device_register *reg;
    const struct gpudbg_dump *from;
    uint32_t value;
    bool set;
};

static int cell_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct device_row *)row)->reg->name);
}

static int cell_value(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%08" PRIx32, ((const struct device_row *)row)->value);
}

static int cell_from(const void *row, char *buf, size_t size)
{
    const struct device_row *r = row;
    return snprintf(buf, size, "%s", r->set ? "set" : r->from ? gpudbg_dump_path(r->from) : "default");
}

/* "ARRAY_MODE=ARRAY_LINEAR_ALIGNED PIPE_CONFIG=...": fields that are not 0. */
static int cell_fields(const void *row, char *buf, size_t size)
{
    const struct device_row *r = row;
    const struct gpudbg_reg *reg = gpudbg_reg_named(r->g, r->isa->name, r->reg->name);
    uint8_t bytes[4] = {(uint8_t)r->value, (uint8_t)(r->value >> 8), (uint8_t)(r->value >> 16), (uint8_t)(r->value >> 24)};
    struct gpudbg_field_iter f;
    size_t n = 0;
    char meaning[120];
    if (size)
        buf[0] = 0;
    if (!reg)
        return 0;
    gpudbg_word_fields(&f, reg->format, bytes);
    while (gpudbg_next_field(&f)) {
        if (!f.value)
            continue;
        gpudbg_field_meaning(f.field, NULL, f.value, meaning, sizeof meaning);
        n += (size_t)snprintf(n < size ? buf + n : NULL, n < size ? size - n : 0, "%s%s=%s", n ? " " : "", f.field->name, meaning);
    }
    return (int)n;
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
    const struct gpudbg_isa *isa, *own = g->loaded.image ? g->loaded.image->isa : g->loaded.isa;
    if (*args && !only)
        return gpudbg_fail(err, "command", "no register \"%.60s\" that a launch depends on", args);
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (size_t k = 0; isa->device && (!own || own == isa) && isa->device[k].name; k++) {
            struct device_row row = {.g = g, .isa = isa, .reg = &isa->device[k]};
            row.value = device_value(g, isa, k, &row.from, &row.set);
            if ((!only || only == row.reg) && !each(to, &row))
                return true;
        }
    return true;
}

static const struct gpudbg_listing device = {
    .name = "device", .summary = "registers of the device that the next launch takes", .type = "device-register", .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns, .rows = device_rows, .empty = "launches depend on none",
};
static const struct gpudbg_listing *const listings[] = {&device, NULL};
COMMAND_FAMILY(cmd_device, "device", .summary = "registers of the device", .listings = listings);
