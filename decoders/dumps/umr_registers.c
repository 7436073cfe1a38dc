/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_registers.c: register text of umr (A3).
 *
 *     gfx720.mmGRBM_STATUS => 0xa0003028                      read; older: ASIC.IP.REG
 *     	.CP_BUSY[29:29]         ==        1 (0x00000001)     field: low bit first
 *     bonaire.gfx720.mmGRBM_STATUS +0x0000 <= 0xa0003028      trace: written or read, so many registers behind the one
 *                                                             named
 *     gfx720.mmCOMPUTE_PGM_RSRC1(5@0x100001010) == 0xac0040   of a shader, by the packet at that address of an address
 *                                                             space
 *
 * Fields are decoded from the value again; where umr's own line says otherwise, that is noted: one of the databases is
 * wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"
#include "gpudbg/text.h"

struct umr {
    char name[96], unit[64]; /* of the latest register */
    uint64_t value;
    bool has;
};

/* "asic.ip.reg": false if it is no such path. */
static bool split_path(const char *path, char *asic, char *ip, char *reg, size_t size)
{
    const char *last = strrchr(path, '.');
    asic[0] = ip[0] = reg[0] = 0;
    if (!last || last == path || !last[1] || strlen(path) >= size) return false;
    snprintf(reg, size, "%s", last + 1);
    const char *block = last;
    while (block > path && block[-1] != '.') block--;
    memcpy(ip, block, (size_t)(last - block));
    ip[last - block] = 0;
    if (block > path) {
        memcpy(asic, path, (size_t)(block - 1 - path));
        asic[block - 1 - path] = 0;
    }
    return ip[0] != 0;
}

static const char *base_of_unit(char *ip)
{
    ip[strcspn(ip, "{")] = 0; /* "gfx720{0}" */
    return ip;
}

/* The register that a trace is about: umr names the nearest at or below it that it knows.  Where the number is the
 * dword of the named register itself, it is that one. */
static void trace_register(
    struct gpudbg_dump *d, const char *family, uint64_t offset, struct gpudbg_record *r, char *buf, size_t size)
{
    struct regdb *databases = gpudbg_dump_databases(d);
    const struct gpudbg_reg *named = family ? gpudbg_reg_named(databases, family, r->name) : NULL;
    if (!offset || (named && offset * 4 == named->addr)) return;
    if (named && named->addr != GPUDBG_NOWHERE) {
        r->addr = named->addr + offset * 4;
        r->name = NULL; /* the databases say */
    } else {
        text_put(buf, size, "%s+0x%llx", r->name, (unsigned long long)offset);
        r->name = buf;
    }
}

static bool take_value(struct umr *u, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    char path[192], asic[192], ip[192], reg[192];
    const char *p = line->text + line->indent;
    size_t n = strcspn(p, " \t");
    uint64_t value, offset = 0, addr = GPUDBG_NO_ADDR;
    bool indirect = false, write = false, trace = false;
    if (!n || n >= sizeof path || !memchr(p, '.', n)) return false;
    memcpy(path, p, n);
    path[n] = 0;
    p += n;
    scan_blanks(&p);
    const bool shader = path[n - 1] == ')' && strchr(path, '@') && scan_word(&p, "==");
    if (shader) path[strcspn(path, "(")] = 0;
    if (scan_word(&p, "+0x")) {
        trace = scan_hex(&p, 8, &offset);
        scan_blanks(&p);
    }
    if (shader || (trace && scan_word(&p, "<=")))
        write = true;
    else if (!scan_word(&p, "=>"))
        return false;
    scan_blanks(&p);
    if (!split_path(path, asic, ip, reg, sizeof path)) return false;
    const char *name = plain_register(reg, &addr, &indirect);
    const char *family = asic[0] ? chip_family(asic) : NULL;
    if (!family) family = block_family(base_of_unit(ip));
    if (!scan_0x(&p, 16, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%.60s: no value", name);
        return true;
    }
    if (!trace && !shader && gpudbg_dump_has(d, name, ip)) gpudbg_dump_capture(d, line->number, "registers read again");
    if (family) gpudbg_dump_family(d, line->number, family, asic[0] ? asic : NULL);
    struct gpudbg_record r = {.name = name,
        .unit = ip,
        .addr = addr,
        .value = value,
        .line = line->number,
        .flags = (uint8_t)((write ? GPUDBG_REC_WRITE : 0) | (indirect ? GPUDBG_REC_INDIRECT : 0)),
        .bits = value >> 32 ? 64 : 32};
    if (!indirect) trace_register(d, family, offset, &r, path, sizeof path);
    gpudbg_dump_register(d, &r);
    snprintf(u->name, sizeof u->name, "%s", r.name ? r.name : "");
    snprintf(u->unit, sizeof u->unit, "%.63s", ip);
    u->value = value;
    u->has = true;
    return true;
}

static const struct gpudbg_field *field_of(const struct gpudbg_reg *reg, const char *name)
{
    for (size_t i = 0; reg && i < reg->format->count; i++)
        if (strcmp(reg->format->fields[i].name, name) == 0) return &reg->format->fields[i];
    return NULL;
}

static bool take_field(struct umr *u, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    char name[96];
    uint64_t low, high, decimal, value;
    const char *p = line->text + line->indent, *bracket = strchr(p, '['), *dot = bracket;
    if (!bracket || !u->has) return false;
    while (dot > p && dot[-1] != '.') dot--;
    if (dot == p || !scan_name(&dot, name, sizeof name) || dot != bracket) return false;
    p = bracket + 1;
    if (!scan_decimal(&p, &low) || !scan_word(&p, ":") || !scan_decimal(&p, &high) || !scan_word(&p, "]")) return false;
    scan_blanks(&p);
    if (!scan_word(&p, "==")) return false;
    scan_blanks(&p);
    if (!scan_decimal(&p, &decimal) || !scan_word(&p, " (") || !scan_0x(&p, 16, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s.%s: no value", u->name, name);
        return true;
    }
    if (low > high || high > 63) {
        gpudbg_dump_note(d, line->number, "impossible", "%s.%s: bits %llu to %llu", u->name, name,
            (unsigned long long)low, (unsigned long long)high);
        return true;
    }
    const uint64_t mask = high - low >= 63 ? UINT64_MAX : (UINT64_C(1) << (high - low + 1)) - 1;
    if ((u->value >> low & mask) != value)
        gpudbg_dump_note(d, line->number, "disagrees",
            "%s.%s: the line says 0x%llx, the register's value has 0x%llx there", u->name, name,
            (unsigned long long)value, (unsigned long long)(u->value >> low & mask));
    const char *family = block_family(u->unit);
    struct regdb *databases = gpudbg_dump_databases(d);
    const struct gpudbg_field *ours = family ? field_of(gpudbg_reg_named(databases, family, u->name), name) : NULL;
    if (ours && (ours->run[0].lo != low || (ours->run[1].len == 0 && ours->run[0].len != high - low + 1)))
        gpudbg_dump_note(d, line->number, "disagrees", "%s.%s: the line has bits %llu:%llu, the database %u:%u",
            u->name, name, (unsigned long long)high, (unsigned long long)low, ours->run[0].lo + ours->run[0].len - 1,
            ours->run[0].lo);
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    const uint8_t *at = bytes, *end = bytes + n;
    while ((at = memmem(at, (size_t)(end - at), " => ", 4))) {
        const uint8_t *start = at;
        bool dot = false;
        while (start > bytes &&
               start[-1] != '\n') /* what stands before it on the line has a dot and a register's prefix */
            dot |= *--start == '.';
        if (dot && (memmem(start, (size_t)(at - start), ".mm", 3) || memmem(start, (size_t)(at - start), ".ix", 3) ||
                       memmem(start, (size_t)(at - start), ".reg", 4))) {
            *why = "umr's lines of registers";
            return 60;
        }
        at += 4;
    }
    return 0;
}

static void *open_umr(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct umr));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    return take_value(state, d, line) || take_field(state, d, line);
}

const struct gpudbg_reader reader_umr_registers = {
    .name = "umr-registers",
    .summary = "umr's registers, with or without fields, and its traces",
    .probe = probe,
    .open = open_umr,
    .line = take,
    .close = reader_state_free,
};
