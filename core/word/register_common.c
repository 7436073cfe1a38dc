/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * register_common.c: what several instruction sets have in common of a register, where it is not known which of them a
 * value is from.  A field is the same if it has the same name and bits.  Each answer is made once.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "word/registers_table.h"

#define ISAS_MOST 8

/* "A, B or C": the names, cut out of buf. */
static unsigned names_in(char *buf, const char *names[ISAS_MOST])
{
    unsigned n = 0;
    char *save = NULL;
    for (char *p = strtok_r(buf, ", ", &save); p && n < ISAS_MOST; p = strtok_r(NULL, ", ", &save))
        if (strcmp(p, "or") != 0) names[n++] = p;
    return n;
}

static bool same_bits(const struct gpudbg_field *a, const struct gpudbg_field *b)
{
    return memcmp(a->run, b->run, sizeof a->run) == 0 && strcasecmp(a->name, b->name) == 0;
}

/* The fields of the first that all the others have, too; registers_alloc'ed.  NULL: there is no memory. */
static struct gpudbg_format *common_format(struct regdb *r, const struct gpudbg_reg *const *reg, unsigned n)
{
    const struct gpudbg_format *first = reg[0]->format;
    struct gpudbg_format *format = registers_alloc(r, sizeof *format);
    struct gpudbg_field *fields = registers_alloc(r, (first->count + 1) * sizeof *fields);
    if (!format || !fields) return NULL;
    *format = *first;
    format->fields = fields;
    format->count = 0;
    for (size_t i = 0; i < first->count; i++) {
        unsigned have = 1;
        for (; have < n; have++) {
            const struct gpudbg_field *other = register_field(reg[have], first->fields[i].name);
            if (!other || !same_bits(other, &first->fields[i])) break;
        }
        if (have == n) fields[format->count++] = first->fields[i];
    }
    return format;
}

const struct gpudbg_reg *registers_common(struct regdb *r, const char *isas, const char *name)
{
    char buf[128];
    const char *names[ISAS_MOST], *where = "mmio";
    const struct gpudbg_reg *reg[ISAS_MOST], *kept = registers_kept(r, isas, name);
    if (kept) return kept;
    snprintf(buf, sizeof buf, "%s", isas);
    const unsigned n = names_in(buf, names);
    bool differ = false;
    for (unsigned i = 0; i < n; i++) {
        if (!(reg[i] = gpudbg_reg_named(r, names[i], name))) return NULL;
        differ |= reg[i]->addr != reg[0]->addr || reg[i]->format->count != reg[0]->format->count;
    }
    if (!n) return NULL;
    struct gpudbg_format *format = common_format(r, reg, n);
    struct gpudbg_reg *common = registers_alloc(r, sizeof *common);
    if (!format || !common) return NULL;
    *common = *reg[0];
    common->isa = registers_string(r, isas, strlen(isas));
    common->format = format;
    common->space = reg[0]->space ? reg[0]->space : where;
    for (unsigned i = 1; i < n; i++)
        if (reg[i]->addr != reg[0]->addr) common->addr = GPUDBG_NOWHERE;
    if (differ || format->count < reg[0]->format->count)
        common->note = "only the fields that are the same in all of these generations";
    registers_keep(r, common, name);
    return common;
}
