/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_printed.c: reads the messages that a kernel left in printf's buffer.  Dword 0 counts its bytes, itself included.
 * A message is its format, then for each conversion a type and a value.  Strings are numbers of the file's strings
 * (patch tokens) or addresses (zebin); a number or address of all ones marks a message that did not fit.  Source: Intel
 * compute-runtime, shared/source/program/print_formatter.cpp; observed in the output of ocloc's code.
 */
#include <stdio.h>
#include <string.h>

#include "gpudbg/endian.h"
#include "engine/gen_exec.h"
#include "launch/gen_launch.h"

enum { VALUES_MOST = 64, FORMAT_MOST = 4096, STRING_MOST = 65536 };
enum { TYPE_STRING = 5, TYPE_POINTER = 7, TYPE_FIRST_VECTOR = 9 };

/* Bytes of an element, by the type's number. */
static const uint8_t type_bytes[] = {0, 1, 2, 4, 4, 0, 8, 8, 8, 1, 2, 4, 8, 4, 8};

struct reading {
    const struct gpudbg_machine *m;
    const struct gen_binary *binary;
    const uint8_t *bytes;
    uint64_t at, end;
};

/* Bytes of a loaded segment from addr on, and how many there are. */
static const uint8_t *memory_at(const struct gpudbg_machine *m, uint64_t addr, uint64_t *n)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        if (addr < s->base || addr - s->base >= s->size) continue;
        *n = s->size - (addr - s->base);
        return s->bytes + (addr - s->base);
    }
    return NULL;
}

static bool take(struct reading *r, unsigned bytes, uint64_t *value)
{
    if (r->end - r->at < bytes) return false;
    *value = le_get(r->bytes + r->at, bytes);
    r->at += bytes;
    return true;
}

static unsigned reference_bytes(const struct reading *r) { return r->binary->container == GEN_ZEBIN ? 8 : 4; }

/* Reads a string's number or address and finds the string; false: it is cut off or unknown. */
static bool take_string(struct reading *r, struct gpudbg_printf_value *v, bool *full)
{
    uint64_t name, n = 0;
    if (!take(r, reference_bytes(r), &name)) return false;
    *full = name == UINT32_MAX || name == UINT64_MAX;
    if (r->binary->container == GEN_ZEBIN) {
        v->bytes = memory_at(r->m, name, &n);
        v->size = (uint32_t)(n < STRING_MOST ? n : STRING_MOST);
        return v->bytes != NULL;
    }
    for (size_t i = 0; i < r->binary->nstrings; i++)
        if (r->binary->strings[i].index == name) {
            v->bytes = (const uint8_t *)r->binary->strings[i].text;
            v->size = (uint32_t)strlen(r->binary->strings[i].text);
            return true;
        }
    return false;
}

static bool take_value(struct reading *r, struct gpudbg_printf_value *v)
{
    uint64_t type, count = 1;
    bool full;
    if (!take(r, 4, &type) || type >= sizeof type_bytes || !type) return false;
    if (type == TYPE_STRING) return take_string(r, v, &full);
    if (type >= TYPE_FIRST_VECTOR && (!take(r, 4, &count) || count > 16)) return false;
    v->bytes = r->bytes + r->at;
    v->size = (uint32_t)count * type_bytes[type];
    const uint64_t taken = type_bytes[type] < 4 ? 4 * count : v->size; /* small elements are followed by padding */
    if (r->end - r->at < taken) return false;
    r->at += taken;
    return true;
}

/* The format as in C: the compiler writes the two characters \n for the end of a line. */
static bool read_format(const struct gpudbg_printf_value *v, char *to)
{
    const size_t n = strnlen((const char *)v->bytes, v->size);
    if (n >= FORMAT_MOST) return false;
    for (size_t i = 0; i < n; i++) {
        char c = (char)v->bytes[i];
        if (c == '\\' && i + 1 < n) c = v->bytes[++i] == 'n' ? '\n' : (char)v->bytes[i];
        *to++ = c;
    }
    *to = 0;
    return true;
}

/* Reads a value for each conversion of a format. */
static bool take_values(struct reading *r, const char *format, struct gpudbg_printf_value *value, unsigned *n)
{
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        at++;
        if (!*at) break;
        if (*n == VALUES_MOST || !take_value(r, &value[*n])) return false;
        ++*n;
    }
    return true;
}

/* Whether the buffer is full: it counts more bytes than it holds, and the bytes after the last message are empty. */
static bool is_full(const struct reading *r)
{
    return le_u32(r->bytes) > r->end && (r->end - r->at < 8 || le_u64(r->bytes + r->at) == 0);
}

void gen_printed(const struct gpudbg_machine *m, gpudbg_printf_fn *each, void *to)
{
    const struct gen_setup *s = ((struct gen *)m->runner)->setup;
    if (!s->printf || !s->binary) return;
    struct reading r = {m, s->binary, s->printf->bytes, 4, le_u32(s->printf->bytes)};
    if (r.end > s->printf->size) r.end = s->printf->size;
    char format[FORMAT_MOST];
    while (r.at < r.end) {
        struct gpudbg_printf_value value[VALUES_MOST], name = {0};
        struct gpudbg_printf message = {.segment = s->printf, .at = r.at, .values = value};
        bool full = false;
        const bool known = take_string(&r, &name, &full) && read_format(&name, format);
        if (full)
            message.problem = "the buffer is full: what was printed from here on is lost";
        else if (!known || !take_values(&r, format, value, &message.nvalues))
            message.problem = "it cannot be read; what follows is not shown";
        else
            message.format = format;
        if (message.format && is_full(&r)) message.problem = "the buffer is full: what was printed after this is lost";
        message.size = r.at - message.at;
        if (!each(to, &message) || message.problem) return;
    }
}
