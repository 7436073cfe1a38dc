/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_fail(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

static void *need(void *p)
{
    if (!p) host_fail("out of memory");
    return p;
}

char *host_read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) host_fail("%s: cannot be read", path);
    long n = ftell(f);
    rewind(f);
    char *bytes = need(calloc(1, (size_t)n + 1));
    if (fread(bytes, 1, (size_t)n, f) != (size_t)n) host_fail("%s: cannot be read", path);
    fclose(f);
    *size = (size_t)n;
    return bytes;
}

static size_t parse_size(const char *text)
{
    char *end;
    size_t n = strtoull(text, &end, 0);
    if (end == text || *end) host_fail("%s: not a size", text);
    return n;
}

static unsigned parse_sizes(size_t out[3], const char *text)
{
    unsigned n = 0;
    out[0] = out[1] = out[2] = 1;
    for (;;) {
        char *end;
        if (n == 3) host_fail("%s: more than three sizes", text);
        out[n++] = strtoull(text, &end, 0);
        if (end == text || (*end && *end != ',')) host_fail("%s: not a list of sizes", text);
        if (!*end) return n;
        text = end + 1;
    }
}

static void parse_hex(struct host_arg *arg, const char *digits)
{
    arg->size = strlen(digits) / 2;
    arg->bytes = need(calloc(1, arg->size + 1));
    for (size_t i = 0; i < arg->size; i++) {
        char pair[3] = {digits[2 * i], digits[2 * i + 1], 0}, *end;
        arg->bytes[i] = (uint8_t)strtoul(pair, &end, 16);
        if (*end) host_fail("hex:%s: not hex digits", digits);
    }
}

static void parse_fill(struct host_arg *arg, const char *text)
{
    char *end;
    arg->size = strtoull(text, &end, 0);
    if (*end != ':') host_fail("fill:%s: no value", text);
    arg->bytes = need(malloc(arg->size + 1));
    memset(arg->bytes, (int)parse_size(end + 1), arg->size);
}

/* Cuts :FORMAT:WxH[xD] from the end of `text`, in place. */
static void parse_image(struct host_arg *arg, char *text)
{
    char *sizes = strrchr(text, ':');
    if (!sizes || sizes == text || !strchr(sizes, 'x') || strspn(sizes + 1, "0123456789x") != strlen(sizes + 1)) return;
    *sizes = 0;
    char *format = strrchr(text, ':'), *end = sizes;
    if (!format || strlen(format + 1) >= sizeof arg->format) host_fail("%s: no format", text);
    *format = 0;
    strcpy(arg->format, format + 1);
    for (unsigned i = 0; i < 3 && (i == 0 || *end == 'x'); i++) arg->image[i] = strtoull(end + 1, &end, 10);
}

static void parse_arg(struct host_arg *arg, char *text)
{
    arg->kind = HOST_BYTES;
    if (text[0] == '@' || !strncmp(text, "zero:", 5)) parse_image(arg, text);
    arg->text = text;
    if (text[0] == '@') {
        arg->bytes = (uint8_t *)host_read_file(text + 1, &arg->size);
    } else if (!strncmp(text, "zero:", 5)) {
        arg->size = parse_size(text + 5);
        arg->bytes = need(calloc(1, arg->size + 1));
    } else if (!strncmp(text, "fill:", 5)) {
        parse_fill(arg, text + 5);
    } else if (!strncmp(text, "hex:", 4)) {
        parse_hex(arg, text + 4);
    } else if (!strncmp(text, "local:", 6)) {
        arg->kind = HOST_LOCAL;
        arg->size = parse_size(text + 6);
    } else {
        arg->kind = HOST_NUMBER;
    }
}

void host_parse(struct host_run *run, int argc, char **argv)
{
    memset(run, 0, sizeof *run);
    if (argc < 5 || strcmp(argv[1], "-g") || strcmp(argv[3], "-l"))
        host_fail("usage: KERNEL -g X[,Y[,Z]] -l X[,Y[,Z]] ARG... [--save N FILE]...");
    run->kernel = argv[0];
    run->dims = parse_sizes(run->global, argv[2]);
    parse_sizes(run->local, argv[4]);
    for (int i = 5; i < argc; i++) {
        if (!strcmp(argv[i], "--save")) {
            if (i + 2 >= argc || run->nsaves == HOST_MAX_ARGS) host_fail("--save: needs an argument number and a file");
            run->save[run->nsaves].arg = (unsigned)parse_size(argv[i + 1]);
            run->save[run->nsaves++].path = argv[i + 2];
            i += 2;
        } else if (run->nargs == HOST_MAX_ARGS) {
            host_fail("more than %d arguments", HOST_MAX_ARGS);
        } else {
            parse_arg(&run->arg[run->nargs++], argv[i]);
        }
    }
}

void host_write_saves(const struct host_run *run)
{
    for (unsigned i = 0; i < run->nsaves; i++) {
        const struct host_save *save = &run->save[i];
        if (save->arg >= run->nargs || run->arg[save->arg].kind != HOST_BYTES)
            host_fail("--save %u: not a buffer", save->arg);
        const struct host_arg *arg = &run->arg[save->arg];
        FILE *f = fopen(save->path, "wb");
        if (!f || fwrite(arg->bytes, 1, arg->size, f) != arg->size || fclose(f))
            host_fail("%s: cannot be written", save->path);
    }
}

void host_free(struct host_run *run)
{
    for (unsigned i = 0; i < run->nargs; i++) free(run->arg[i].bytes);
}
