/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument.c: see argument.h. */
#include "machine/argument.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_file.h"
#include "machine/launch.h"
#include "machine/literal.h"

/* ---- What a launch owns ---- */

struct owned {
    struct owned *next;
};

void *launching_keep(struct launching *l, size_t size)
{
    struct owned *o = calloc(1, sizeof *o + 64 + size);
    if (!o) return NULL;
    o->next = l->owned;
    l->owned = o;
    return (char *)o + 64;
}

bool launching_no_memory(struct gpudbg_error *err)
{
    return gpudbg_fail(err, "memory", "launch: no memory for the arguments");
}

const char *launching_what(const struct gpudbg_launch *launch, const struct gpudbg_bound *b, char *buf, size_t size)
{
    if (!b->param)
        snprintf(buf, size, "%s", b->name);
    else
        snprintf(buf, size, "argument %d%s%s%s%s%s%s", (int)(b->param - launch->kernel->params),
            b->param->name ? " '" : "", b->param->name ? b->param->name : "", b->param->name ? "'" : "",
            b->param->type ? " (" : "", b->param->type ? b->param->type : "", b->param->type ? ")" : "");
    return buf;
}

void launching_free(struct launching *l)
{
    while (l && l->owned) {
        struct owned *next = l->owned->next;
        free(l->owned);
        l->owned = next;
    }
    free(l);
}

/* ---- Forms of an argument ---- */

enum form { FORM_BUFFER, FORM_LOCAL, FORM_BYTES, FORM_PLAIN };

/* What a word says before it is held against a parameter. */
struct given {
    enum form form;
    const uint8_t *bytes; /* BUFFER: or NULL; BYTES */
    uint64_t size;
    uint8_t fill;       /* BUFFER without bytes */
    const char *format; /* or NULL */
    uint32_t flags;     /* BUFFER: of its segment */
};

static bool size_of(const char *what, const char *text, const char **end, uint64_t *size, struct gpudbg_error *err)
{
    bool negative;
    if (!literal_integer(text, size, &negative, end) || negative)
        return gpudbg_fail(err, "bad-argument", "%s: '%.40s': not a size in bytes", what, text);
    if (*size > LAUNCH_MEMORY)
        return gpudbg_fail(err, "too-large", "%s: %" PRIu64 " bytes: more than %" PRIu64, what, *size, LAUNCH_MEMORY);
    if (*size == 0) return gpudbg_fail(err, "bad-argument", "%s: the size is 0 bytes; a buffer needs at least 1", what);
    return true;
}

static int open_at(const char *base, const char *path, size_t n)
{
    char full[4096];
    int length = base && path[0] != '/' ? snprintf(full, sizeof full, "%s/%.*s", base, (int)n, path)
                                        : snprintf(full, sizeof full, "%.*s", (int)n, path);
    if (length < 0 || (size_t)length >= sizeof full) {
        errno = ENAMETOOLONG;
        return -1;
    }
    struct gpudbg_error ignored = {0};
    return open_chosen(full, &ignored);
}

/* Of a pipe nobody knows the size before its end. */
static bool read_pipe(struct launching *l, const char *what, const char *path, uint64_t most, int fd, struct given *g,
    struct gpudbg_error *err)
{
    struct gpudbg_error why = {0};
    size_t n;
    uint8_t *bytes = all_within(fd, LAUNCH_MEMORY, most, &n, l->ticker, &why);
    close(fd);
    bool ok = bytes || gpudbg_fail(err, why.kind, "%s: %s: %s", what, path, why.message);
    if (ok && !n) ok = gpudbg_fail(err, "bad-argument", "%s: %s: 0 bytes: a buffer has at least 1", what, path);
    uint8_t *kept = ok ? launching_keep(l, n) : NULL;
    if (ok && !kept) ok = launching_no_memory(err);
    if (ok) memcpy(kept, bytes, n);
    free(bytes);
    g->bytes = kept;
    g->size = ok ? n : 0;
    return ok;
}

/* A file that was brought along: PATH, or PATH:FORMAT. */
static bool read_brought(
    struct launching *l, const char *path, const struct launch_files *files, struct given *g, struct gpudbg_error *err)
{
    for (size_t i = 0; i < files->n; i++) {
        const struct launch_file *f = &files->file[i];
        const size_t n = strlen(f->name);
        if (strncmp(path, f->name, n) != 0 || (path[n] && path[n] != ':')) continue;
        uint8_t *bytes = launching_keep(l, (size_t)f->size);
        if (!bytes) return launching_no_memory(err);
        memcpy(bytes, f->bytes, (size_t)f->size);
        g->bytes = bytes;
        g->size = f->size;
        if (path[n]) g->format = path + n + 1;
        return true;
    }
    return false;
}

/* Reads PATH, or PATH:FORMAT where no file has the whole name. */
static bool read_file(struct launching *l, const char *what, const char *path, const struct launch_files *files,
    struct given *g, struct gpudbg_error *err)
{
    size_t n = strlen(path);
    if (read_brought(l, path, files, g, err)) return true;
    if (err->kind) return false;
    if (files->only) return gpudbg_fail(err, "missing", "%s: %s: the session does not have this file", what, path);
    const char *base = files->base;
    int fd = open_at(base, path, n);
    for (size_t i = 1; fd < 0 && errno == ENOENT && i < n; i++)
        if (path[i] == ':' && (fd = open_at(base, path, i)) >= 0) g->format = path + i + 1;
    if (fd < 0) return gpudbg_fail(err, errno == ENOENT ? "missing" : "io", "%s: %s: %s", what, path, strerror(errno));
    struct stat st;
    bool ok = true;
    if (fstat(fd, &st) != 0)
        ok = gpudbg_fail(err, "io", "%s: %s: %s", what, path, strerror(errno));
    else if (S_ISDIR(st.st_mode))
        ok = gpudbg_fail(err, "io", "%s: %s: not a file", what, path);
    else if (!S_ISREG(st.st_mode))
        return read_pipe(l, what, path, files->most, fd, g, err);
    else if (st.st_size == 0)
        ok = gpudbg_fail(err, "bad-argument", "%s: %s: the size is 0 bytes; a buffer needs at least 1", what, path);
    else if ((uint64_t)st.st_size > LAUNCH_MEMORY)
        ok = gpudbg_fail(
            err, "too-large", "%s: %s: %jd bytes: more than %" PRIu64, what, path, (intmax_t)st.st_size, LAUNCH_MEMORY);
    else if (files->most && (uint64_t)st.st_size > files->most) {
        char name[300];
        snprintf(name, sizeof name, "%.100s: %.180s", what, path);
        ok = limit_over(err, name, files->most, "memory-limit");
    }
    uint8_t *bytes = ok ? launching_keep(l, (size_t)st.st_size) : NULL;
    if (ok && !bytes) ok = launching_no_memory(err);
    for (uint64_t have = 0; ok && have < (uint64_t)st.st_size;) {
        ssize_t got = read(fd, bytes + have, (size_t)st.st_size - have);
        if (got <= 0)
            ok = gpudbg_fail(err, "io", "%s: %s: %s", what, path, got < 0 ? strerror(errno) : "shorter than it was");
        else
            have += (uint64_t)got;
    }
    close(fd);
    g->bytes = bytes;
    g->size = ok ? (uint64_t)st.st_size : 0;
    return ok;
}

/* Takes "read-only:" or "write-only:" off the front of a word. */
static uint32_t taken_access(const char **text)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } access[] = {{"read-only:", GPUDBG_SEG_READONLY}, {"write-only:", GPUDBG_SEG_WRITEONLY}};
    for (size_t i = 0; i < sizeof access / sizeof *access; i++) {
        const size_t n = strlen(access[i].word);
        if (strncmp(*text, access[i].word, n) != 0) continue;
        *text += n;
        return access[i].flag;
    }
    return 0;
}

static bool buffer_form(struct launching *l, const char *what, const char *text, const struct launch_files *files,
    struct given *g, bool *is, struct gpudbg_error *err)
{
    const char *end = "";
    *is = true;
    g->form = FORM_BUFFER;
    if (text[0] == '@') return read_file(l, what, text + 1, files, g, err);
    if (strncmp(text, "zero:", 5) == 0) {
        if (!size_of(what, text + 5, &end, &g->size, err)) return false;
    } else if (strncmp(text, "uninit:", 7) == 0) {
        if (!size_of(what, text + 7, &end, &g->size, err)) return false;
        g->flags |= GPUDBG_SEG_UNDEFINED;
    } else if (strncmp(text, "fill:", 5) == 0) {
        uint64_t value;
        bool negative;
        if (!size_of(what, text + 5, &end, &g->size, err)) return false;
        if (*end != ':' || !literal_integer(end + 1, &value, &negative, &end) || negative || value > 255)
            return gpudbg_fail(
                err, "bad-argument", "%s: '%.60s' is not fill:BYTES:VALUE with a value from 0 to 255", what, text);
        g->fill = (uint8_t)value;
    } else {
        g->form = FORM_PLAIN;
        *is = false;
        return true;
    }
    if (*end == ':')
        g->format = end + 1;
    else if (*end)
        return gpudbg_fail(err, "bad-argument", "%s: '%.60s': unexpected '%s' after the size", what, text, end);
    return true;
}

/* ---- Binding a word to a parameter or a part ---- */

static bool take(struct launching *l, const char *what, uint64_t size, struct gpudbg_error *err)
{
    if (size > LAUNCH_MEMORY - l->total)
        return gpudbg_fail(err, "too-large", "%s: %" PRIu64 " bytes: the arguments together exceed %" PRIu64, what,
            size, LAUNCH_MEMORY);
    l->total += size;
    return true;
}

static bool bind_buffer(
    struct launching *l, const char *what, struct gpudbg_bound *b, const struct given *g, struct gpudbg_error *err)
{
    b->kind = GPUDBG_BOUND_BUFFER;
    b->bytes = g->bytes;
    b->size = g->size;
    b->value = g->fill;
    b->format = g->format;
    b->flags = g->flags;
    return take(l, what, g->size, err);
}

/* A by-value argument: the kernel's own type says what a literal is. */
static bool bind_value(
    struct launching *l, const char *what, struct gpudbg_bound *b, const struct given *g, struct gpudbg_error *err)
{
    uint32_t size = b->param->size;
    struct literal_scalar item = {b->param->scalar, size};
    unsigned count = literal_element(b->param->type, &item);
    uint64_t got = g->size;
    uint8_t *bytes = launching_keep(l, size > 8 * strlen(b->text) + 8 ? size : 8 * strlen(b->text) + 8);
    if (!bytes) return launching_no_memory(err);
    b->kind = GPUDBG_BOUND_VALUE;
    b->bytes = bytes;
    b->size = size;
    if (g->form == FORM_BUFFER) {
        if (!g->bytes && got == size)
            memset(bytes, g->fill, size);
        else if (g->bytes && got == size)
            memcpy(bytes, g->bytes, size);
    } else {
        if (count == 0 && item.size != 1 && item.size != 2 && item.size != 4 && item.size != 8)
            item = (struct literal_scalar){0, 4};
        if (!literal_contents(&l->launch, what, b->text, item, bytes, &got, err)) return false;
        if (count > 1 && got == item.size && strncmp(b->text, "hex:", 4) != 0) {
            for (unsigned i = 1; i < count; i++) /* one number for a vector: in every element, as a cast does */
                memcpy(bytes + i * item.size, bytes, item.size);
            got = size;
        } else if (count == 3 && got == 3 * (uint64_t)item.size) {
            got = size;
        }
    }
    if (got != size) return gpudbg_fail(err, "bad-argument", "%s: %" PRIu64 " bytes given, %u wanted", what, got, size);
    return true;
}

static bool all_zero(const uint8_t *bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (bytes[i]) return false;
    return true;
}

bool argument_bind(
    struct launching *l, struct gpudbg_bound *b, const struct launch_files *files, struct gpudbg_error *err)
{
    char what[200];
    const char *text = b->text, *end;
    struct given g = {.form = FORM_PLAIN};
    bool is;
    launching_what(&l->launch, b, what, sizeof what);
    if ((g.flags = taken_access(&text)) && b->param->kind != GPUDBG_PARAM_BUFFER &&
        b->param->kind != GPUDBG_PARAM_IMAGE)
        return gpudbg_fail(err, "bad-argument", "%s: '%s': only buffers are read-only or write-only", what, b->text);
    if (b->param->kind == GPUDBG_PARAM_TEXT) {
        b->kind = GPUDBG_BOUND_PART;
        return true;
    }
    if (strncmp(text, "local:", 6) == 0) {
        if (b->param->kind != GPUDBG_PARAM_LOCAL)
            return gpudbg_fail(err, "bad-argument", "%s: '%s' is only for pointers to local memory", what, text);
        b->kind = GPUDBG_BOUND_LOCAL;
        if (!size_of(what, text + 6, &end, &b->size, err)) return false;
        return !*end || gpudbg_fail(err, "bad-argument", "%s: '%s': not a size in bytes", what, text);
    }
    if (b->param->kind == GPUDBG_PARAM_LOCAL)
        return gpudbg_fail(
            err, "bad-argument", "%s: '%s' is not local:BYTES, which a pointer to local memory needs", what, text);
    if (!buffer_form(l, what, text, files, &g, &is, err)) return false;
    if (b->param->kind == GPUDBG_PARAM_VALUE || b->param->kind == GPUDBG_PARAM_SAMPLER)
        return bind_value(l, what, b, &g, err);
    if (g.format && b->param->kind != GPUDBG_PARAM_IMAGE)
        return gpudbg_fail(err, "bad-argument", "%s: '%s' has a format, but only images have one", what, text);
    if (is) return bind_buffer(l, what, b, &g, err);
    if (b->param->kind == GPUDBG_PARAM_BUFFER && (strcmp(text, "0") == 0 || strcasecmp(text, "null") == 0)) {
        b->kind = GPUDBG_BOUND_VALUE; /* a null pointer */
        b->size = b->param->size;
        return (b->bytes = launching_keep(l, b->size)) != NULL || launching_no_memory(err);
    }
    if (strncmp(text, "hex:", 4) == 0) {
        uint8_t *bytes = launching_keep(l, strlen(text));
        if (!bytes) return launching_no_memory(err);
        if (!literal_hex_bytes(what, text + 4, strlen(text + 4), bytes, &g.size, err)) return false;
        if (b->param->kind == GPUDBG_PARAM_BUFFER && g.size == b->param->size && all_zero(bytes, g.size))
            return gpudbg_fail(err, "bad-argument",
                "%s: '%s' would be a buffer of %" PRIu64 " zeros: write null for a null pointer, zero:%" PRIu64
                " for such a buffer",
                what, text, g.size, g.size);
        g.bytes = bytes;
        return bind_buffer(l, what, b, &g, err);
    }
    return gpudbg_fail(err, "bad-argument",
        "%s: '%s' is not a buffer (@FILE, zero:BYTES, fill:BYTES:VALUE, uninit:BYTES, hex:BYTES, null)", what, text);
}

bool argument_is_resource(const char *name)
{
    for (const char *const *p = (const char *const[]){"buf", "bti", "uav", "cb", "res", NULL}; *p; p++) {
        size_t n = strlen(*p);
        if (strncmp(name, *p, n) == 0 && name[n] && strspn(name + n, "0123456789") == strlen(name + n)) return true;
    }
    return false;
}

bool argument_bind_part(
    struct launching *l, struct gpudbg_bound *b, const struct launch_files *files, struct gpudbg_error *err)
{
    struct given g = {.form = FORM_PLAIN};
    const char *text = b->text, *end;
    bool is, negative;
    if (argument_is_resource(b->name)) g.flags = taken_access(&text);
    if (!buffer_form(l, b->name, text, files, &g, &is, err)) return false;
    if (argument_is_resource(b->name)) {
        if (!is && strncmp(text, "hex:", 4) == 0) {
            uint8_t *bytes = launching_keep(l, strlen(text));
            if (!bytes) return launching_no_memory(err);
            if (!literal_hex_bytes(b->name, text + 4, strlen(text + 4), bytes, &g.size, err)) return false;
            g.bytes = bytes;
        } else if (!is) {
            return gpudbg_fail(err, "bad-argument",
                "%s: '%s' is not a buffer (@FILE, zero:BYTES, fill:BYTES:VALUE, uninit:BYTES, hex:BYTES)", b->name,
                text);
        }
        return bind_buffer(l, b->name, b, &g, err);
    }
    b->kind = GPUDBG_BOUND_PART;
    if (is) {
        uint8_t *bytes = g.bytes ? NULL : launching_keep(l, g.size);
        if (!g.bytes && !bytes) return launching_no_memory(err);
        if (bytes) memset(bytes, g.fill, g.size);
        b->bytes = bytes ? bytes : g.bytes;
        b->size = g.size;
        return take(l, b->name, g.size, err);
    }
    if (strcmp(b->name, "mask") == 0)
        return literal_hex_number(text, &b->value) ||
               gpudbg_fail(err, "bad-argument", "%s: '%.40s': not a number in hex", b->name, text);
    if (literal_integer(text, &b->value, &negative, &end) && !*end) {
        b->value = negative ? 0 - b->value : b->value;
        return true;
    }
    uint8_t *bytes = launching_keep(l, 8 * strlen(text) + 8);
    if (!bytes) return launching_no_memory(err);
    b->bytes = bytes;
    return literal_contents(&l->launch, b->name, text, (struct literal_scalar){0, 4}, bytes, &b->size, err);
}
