/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa.c: hang logs of radeonsi and of RADV (A7).  Registers are printed by field, so their values are put together
 * again from the database's fields: the mask says which bits were printed.
 *
 *             GRBM_STATUS <- ME0PIPE0_CMDFIFO_AVAIL = 8
 *                            CP_BUSY = 1
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "dumps.h"

struct mesa {
    bool inside;   /* this file is such a log */
    bool fields;   /* fields of a register of gfx7 were read */
    bool another;  /* a register or field that gfx7 does not have */
    bool in_ib;    /* registers are written by packets, not read */
    bool buffers;  /* inside the buffer list */
    char name[96]; /* register whose fields are being read */
    uint64_t value, mask;
    uint32_t line;
    const struct gpudbg_reg *reg;
    size_t stream; /* words echoed behind "#" */
    char ib[64];
    uint32_t point_line; /* of the latest trace point, until it is known whether it was reached */
    uint64_t point;
    unsigned points;
};

static void flush(struct mesa *m, struct gpudbg_dump *d)
{
    if (m->name[0] && m->mask) {
        struct gpudbg_record r = {.name = m->name,
            .addr = GPUDBG_NO_ADDR,
            .value = m->value,
            .mask = m->mask,
            .line = m->line,
            .flags = (uint8_t)((m->mask == UINT32_MAX ? 0 : GPUDBG_REC_REBUILT) | (m->in_ib ? GPUDBG_REC_WRITE : 0))};
        gpudbg_dump_register(d, &r);
    }
    m->name[0] = 0;
    m->value = m->mask = 0;
}

/* What a value as Mesa prints it stands for; for names the enumeration is asked.  false: not known. */
static bool number(const char *p, const struct gpudbg_enum *names, uint64_t *value)
{
    const char *hex = strstr(p, "(0x");
    const char *at = p;
    if (hex) return hex += 1, scan_0x(&hex, 16, value);
    if (scan_0x(&at, 16, value) && !*at) return true;
    at = p;
    if (*at == '-' && isdigit((unsigned char)at[1])) {
        at++;
        bool good = scan_decimal(&at, value);
        *value = (uint64_t) - (int64_t)*value;
        return good;
    }
    if (scan_decimal(&at, value) && !*at) return true;
    for (size_t i = 0; names && i < names->count; i++) {
        if (strcasecmp(names->values[i].name, p) == 0) {
            *value = names->values[i].value;
            return true;
        }
    }
    return false;
}

static void add_field(struct mesa *m, struct gpudbg_dump *d, uint32_t line, const char *p)
{
    char name[96];
    uint64_t value;
    const char *start = p;
    if (!scan_until(&p, " = ", name, sizeof name) || strchr(name, ' ')) {
        gpudbg_dump_note(d, line, "garbage", "no field and value: \"%.40s\"", start);
        return;
    }
    const struct gpudbg_field *f = NULL;
    for (size_t i = 0; m->reg && i < m->reg->format->count && !f; i++)
        if (strcmp(m->reg->format->fields[i].name, name) == 0) f = &m->reg->format->fields[i];
    if (!f) {
        m->another = true;
        gpudbg_dump_note(d, line, "disagrees", "%s has no field %s in the database", m->name, name);
        return;
    }
    if (!number(p, f->meaning, &value)) {
        gpudbg_dump_note(d, line, "disagrees", "%s.%s: no value is named %.40s", m->name, name, p);
        return;
    }
    unsigned done = 0;
    for (unsigned i = 0; i < GPUDBG_RUNS && f->run[i].len; i++) {
        const uint64_t bits = (UINT64_C(1) << f->run[i].len) - 1;
        m->value |= (value >> done & bits) << f->run[i].lo;
        m->mask |= bits << f->run[i].lo;
        done += f->run[i].len;
    }
    const bool negative = value >> 63;
    if (!negative && done < 64 && value >> done)
        gpudbg_dump_note(d, line, "impossible", "%s.%s: %llu does not fit in %u bits", m->name, name,
            (unsigned long long)value, done);
}

static bool take_register(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent, *arrow = strstr(p, " <- ");
    uint64_t addr, value;
    char name[96];
    if (line->indent < 4) return false;
    if (!arrow) { /* the next field of the register above */
        if (!m->name[0] || line->indent < 12 || !strstr(p, " = ") || !isupper((unsigned char)*p)) return false;
        add_field(m, d, line->number, p);
        return true;
    }
    flush(m, d);
    const char *at = p;
    if (scan_0x(&at, 8, &addr) && at == arrow) {
        at = arrow + 4;
        if (!scan_0x(&at, 8, &value)) {
            gpudbg_dump_note(d, line->number, "cut-off", "register 0x%llx: no value", (unsigned long long)addr);
            return true;
        }
        struct gpudbg_record r = {
            .addr = addr, .value = value, .line = line->number, .flags = m->in_ib ? GPUDBG_REC_WRITE : 0};
        gpudbg_dump_register(d, &r);
        return true;
    }
    at = p;
    if (!scan_name(&at, name, sizeof name) || at != arrow) return true;
    p = arrow + 4;
    struct regdb *databases = gpudbg_dump_databases(d);
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *family = n && captures[n - 1].family ? captures[n - 1].family : "gfx7";
    m->reg = gpudbg_reg_named(databases, family, name);
    if (strstr(p, " = ")) {
        snprintf(m->name, sizeof m->name, "%s", name);
        m->line = line->number;
        m->fields |= m->reg != NULL && !m->in_ib;
        m->another |= !m->reg && !m->in_ib;
        if (m->reg)
            add_field(m, d, line->number, p);
        else if (!m->in_ib)
            gpudbg_dump_note(d, line->number, "disagrees",
                "%s: fields of a register that the %s database does not know", name, family);
    } else if (m->reg && number(p, NULL, &value)) {
        snprintf(m->name, sizeof m->name, "%s", name);
        m->line = line->number;
        m->value = value;
        m->mask = UINT32_MAX;
        flush(m, d);
    } else if (!*p) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", name);
    }
    return true; /* KEY <- VALUE of a packet is told by the packet's words */
}

/* ---- Waves, buffers, trace points ---- */

/* "^ SE0 SH0 CU2 SIMD1 WAVE0  EXEC=000000000000ffff  INST64=bf8c0070 7e000280", "SE0 ... INST=.. ..  PC=102340" */
static bool take_wave(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const words[] = {"SE", " SH", " CU", " SIMD", " WAVE"};
    const char *p = line->text + line->indent;
    uint64_t at[5], exec, word, pc;
    scan_word(&p, "^ ");
    for (int i = 0; i < 5; i++)
        if (!scan_word(&p, words[i]) || !scan_decimal(&p, &at[i]) || at[i] > 255) return false;
    struct gpudbg_dump_wave *w = gpudbg_dump_add_wave(
        d, line->number, (unsigned)at[0], (unsigned)at[1], (unsigned)at[2], (unsigned)at[3], (unsigned)at[4]);
    char unit[96];
    snprintf(unit, sizeof unit, "%s", w->unit);
    if (scan_find(&p, "EXEC=") && scan_hex(&p, 16, &exec)) {
        wave_register(d, unit, line->number, "SQ_WAVE_EXEC_LO", exec & UINT32_MAX);
        wave_register(d, unit, line->number, "SQ_WAVE_EXEC_HI", exec >> 32);
    } else {
        gpudbg_dump_note(d, line->number, "cut-off", "the line of a wave ends early");
    }
    const char *q = p;
    if (scan_find(&q, "INST") && scan_find(&q, "=") && scan_hex(&q, 8, &word)) {
        wave_register(d, unit, line->number, "SQ_WAVE_INST_DW0", word);
        if (scan_word(&q, " ") && scan_hex(&q, 8, &word))
            wave_register(d, unit, line->number, "SQ_WAVE_INST_DW1", word);
    }
    if (scan_find(&p, "PC=") && scan_hex(&p, 12, &pc)) {
        wave_register(d, unit, line->number, "SQ_WAVE_PC_LO", pc & UINT32_MAX);
        wave_register(d, unit, line->number, "SQ_WAVE_PC_HI", pc >> 32);
    }
    return true;
}

static bool take_buffer(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t pages, start, end;
    if (begins(p, "Buffer list")) {
        m->buffers = true;
        return true;
    }
    if (!m->buffers) return false;
    if (strstr(p, "-- hole --") || begins(p, "Size")) return true;
    if (!scan_decimal(&p, &pages)) return false;
    scan_blanks(&p);
    if (!scan_0x(&p, 16, &start)) return false;
    scan_blanks(&p);
    if (!scan_0x(&p, 16, &end)) return false;
    scan_blanks(&p);
    struct gpudbg_incident i = {.kind = &incident_buffer,
        .text = *p ? p : NULL,
        .line = line->number,
        .have = 7,
        .values = {start << 12, pages << 12, end << 12}};
    gpudbg_dump_incident(d, &i);
    return true;
}

/* "bind,   object_type=VK_OBJECT_TYPE_DEVICE_MEMORY, object_handle=0x7fb1": what RADV's report of bindings says behind
 * a range.  The type's name is written without its front. */
static bool take_binding(const char *p, uint64_t time, char *text, size_t size)
{
    char type[64] = "";
    const bool unbound = scan_word(&p, "unbind");
    if (!unbound && !scan_word(&p, "bind")) return false;
    if (scan_find(&p, "object_type=VK_OBJECT_TYPE_")) scan_name(&p, type, sizeof type);
    snprintf(text, size, "%s%s%s at %llu ns", unbound ? "unbound" : "bound", type[0] ? ", " : "", type,
        (unsigned long long)time);
    return true;
}

/* RADV's bo_ranges.log, "  VA=0000800000000000-0000800000001000, handle=7", and bo_history.log, "timestamp=123,
 * VA=0000...-0000..., destroyed=1, is_virtual=0" (Mesa, radv_amdgpu_bo.c). */
static bool take_range(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t time = 0, start, end, number;
    char text[128];
    const bool history = scan_word(&p, "timestamp=");
    if (history && (!scan_decimal(&p, &time) || !scan_word(&p, ", "))) return false;
    if (!scan_word(&p, "VA=") || !scan_hex(&p, 16, &start) || !scan_word(&p, "-") || !scan_hex(&p, 16, &end))
        return false;
    if (history && scan_word(&p, ", destroyed=") && scan_decimal(&p, &number))
        snprintf(text, sizeof text, "%s at %llu ns", number ? "freed" : "allocated", (unsigned long long)time);
    else if (history && scan_word(&p, ", mapped_to=") && scan_hex(&p, 16, &number))
        snprintf(
            text, sizeof text, "mapped to 0x%llx at %llu ns", (unsigned long long)number, (unsigned long long)time);
    else if (history && scan_word(&p, ", binding_type=") && take_binding(p, time, text, sizeof text))
        (void)0;
    else if (scan_word(&p, ", handle=") && scan_decimal(&p, &number))
        snprintf(text, sizeof text, "handle %llu", (unsigned long long)number);
    else
        return false;
    if (end < start) {
        gpudbg_dump_note(d, line->number, "impossible", "a buffer ends before it begins");
        return true;
    }
    struct gpudbg_incident i = {
        .kind = &incident_buffer, .text = text, .line = line->number, .have = 7, .values = {start, end - start, end}};
    gpudbg_dump_incident(d, &i);
    return true;
}

static bool take_trace(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    struct gpudbg_incident i = {
        .kind = &incident_trace_point, .line = m->point_line, .last = line->number, .have = 7, .values = {m->point}};
    if (scan_find(&p, "Trace point ID: ") && scan_decimal(&p, &m->point)) {
        m->point_line = line->number;
        return true;
    }
    if (!m->point_line) return false;
    p = line->text;
    if (strstr(p, "last trace point that was reached")) {
        i.values[1] = i.values[2] = 1;
    } else if (strstr(p, "This trace point was reached")) {
        i.values[1] = 1;
    } else if (!strstr(p, "NOT reached")) {
        return false;
    }
    gpudbg_dump_incident(d, &i);
    m->point_line = 0;
    return true;
}

/* "PC=0x102340, trapID=0, HT=0, PC_rewind=1" */
static bool take_trap(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    struct gpudbg_incident i = {.kind = &incident_trap, .line = line->number, .have = 15};
    if (!scan_word(&p, "PC=0x") || !scan_hex(&p, 12, &i.values[0]) || !scan_find(&p, "trapID=") ||
        !scan_decimal(&p, &i.values[1]))
        return false;
    if (!scan_find(&p, "HT=") || !scan_decimal(&p, &i.values[2]) || !scan_find(&p, "PC_rewind=") ||
        !scan_decimal(&p, &i.values[3])) {
        gpudbg_dump_note(d, line->number, "cut-off", "the line of a trap ends early");
        i.have = 3;
    }
    gpudbg_dump_incident(d, &i);
    return true;
}

/* Words of a packet, "#c0016900", in order. */
static bool take_echo(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t word;
    if (!m->in_ib || !scan_word(&p, "#") || !scan_hex(&p, 8, &word) || *p) return false;
    if (m->stream == NO_STREAM) {
        struct gpudbg_stream s = {.kind = "ib",
            .name = m->ib,
            .addr = GPUDBG_NO_ADDR,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        m->stream = gpudbg_dump_stream(d, &s);
    }
    stream_add(d, m->stream, word, 4, line->number);
    return true;
}

/* "------------------ IB begin (dw = 96) ------------------", "------------------- IB end -------------------" */
static bool take_border(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    char name[64];
    p += *p == '\035';
    p += *p == '>' || *p == '<';
    if (!begins(p, "----------")) return false;
    p += strspn(p, "-");
    scan_blanks(&p);
    const char *start = p;
    if (scan_until(&p, " begin", name, sizeof name)) {
        flush(m, d);
        m->in_ib = true;
        m->stream = NO_STREAM;
        snprintf(m->ib, sizeof m->ib, "%s", name);
        return m->inside = true;
    }
    p = start;
    if (scan_until(&p, " end", name, sizeof name)) {
        flush(m, d);
        m->in_ib = strcmp(name, "nested") == 0;
        m->stream = NO_STREAM;
        return true;
    }
    return false;
}

/* ---- The reader ---- */

static bool take_heading(struct mesa *m, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    char word[64];
    static const char *const headings[] = {"Memory-mapped registers:", "Hardware registers:", "VM fault report.",
        "Driver vendor:", "Waves not executing currently-bound shaders:", "The number of active waves", "Buffer list"};
    bool known = false;
    for (size_t i = 0; i < sizeof headings / sizeof *headings && !known; i++) known = begins(p, headings[i]);
    if (known) {
        flush(m, d);
        m->inside = true;
        m->in_ib = false;
        m->buffers = begins(p, "Buffer list");
    }
    if (scan_word(&p, "Device name: ")) {
        /* "AMD TAHITI (DRM 2.50.0)", "AMD RADV POLARIS10 (LLVM 8.0.0)", "AMD Radeon RX 6600 (navi23, LLVM 15.0.7)" */
        for (; *p; p += *p != 0)
            if (scan_name(&p, word, sizeof word) && chip_family(word)) {
                gpudbg_dump_family(d, line->number, chip_family(word), word);
                break;
            }
        return true;
    }
    p = line->text + line->indent;
    if (scan_word(&p, "Driver vendor: ") || scan_word(&p, "Command: ") ||
        (scan_word(&p, "The number of active waves = "))) {
        const char *key = line->text[line->indent] == 'D'   ? "driver"
                          : line->text[line->indent] == 'C' ? "command"
                                                            : "active-waves";
        gpudbg_dump_fact(d, line->number, key, p, 0);
        return true;
    }
    return known;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (head_has(bytes, n, "Memory-mapped registers:") || head_has(bytes, n, "Hardware registers:")) {
        *why = "registers of a Mesa hang log";
        return 70;
    }
    if (head_has(bytes, n, "------------------ ") && head_has(bytes, n, " begin")) {
        *why = "command buffers of a Mesa hang log";
        return 65;
    }
    if (head_has(bytes, n, "Buffer list (in units of pages") || head_has(bytes, n, "VM fault report.") ||
        head_has(bytes, n, "Waves not executing")) {
        *why = "headings of a Mesa hang log";
        return 65;
    }
    if (head_has(bytes, n, ", VA=0000") || head_has(bytes, n, "  VA=0000")) {
        *why = "ranges of buffers as RADV keeps them";
        return 50;
    }
    return 0;
}

static void *open_mesa(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct mesa){.stream = NO_STREAM}, sizeof(struct mesa));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct mesa *m = state;
    if (!line->text[line->indent]) return false;
    if (take_border(m, d, line) || take_heading(m, d, line) || take_range(d, line)) return true;
    if (!m->inside) return false;
    return take_trace(m, d, line) || take_wave(d, line) || take_trap(d, line) || take_echo(m, d, line) ||
           take_buffer(m, d, line) || take_register(m, d, line);
}

static void close_mesa(void *state, struct gpudbg_dump *d)
{
    struct mesa *m = state;
    flush(m, d);
    struct gpudbg_record r;
    bool hub = m->another; /* registers of later generations than gfx8 */
    for (size_t i = 0; !hub && gpudbg_dump_record(d, i, &r); i++)
        hub = r.name && strstr(r.name, "VM_L2_PROTECTION_FAULT_STATUS");
    if (m->inside && m->fields && !hub)
        gpudbg_dump_assume(d, "gfx7 or gfx8", "the log does not name the chip; the fields of its registers fit both");
    free(m);
}

const struct gpudbg_reader reader_mesa_log = {
    .name = "mesa-log",
    .summary = "hang log of radeonsi, file of a RADV hang folder",
    .probe = probe,
    .open = open_mesa,
    .line = take,
    .close = close_mesa,
};
