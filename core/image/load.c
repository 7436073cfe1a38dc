/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c: opening a file, unpacking gzip, asking the loaders, and bare code. */
#include "image/load.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/mapped.h"
#include "base/open_file.h"
#include "base/packed.h"
#include "image/image.h"
#include "image/members.h"
#include "word/registry.h"
#include "gpudbg/text.h"
#include "image/dwarf_scope.h"

#define READ_MOST ((size_t)1 << 20)   /* files up to this are read, larger ones mapped */
#define PIPE_MOST ((size_t)512 << 20) /* what cannot be mapped, and what gzip unpacks to, if the budget has it */
#define PROBE_BYTES ((size_t)65536)
#define GUESSED 50 /* a loader no surer than this goes by what the code looks like: nothing in the file names it */
#define SPLIT_MOST ((size_t)16 << 20) /* bare code up to this is split into programs at once */

/* ---- Bytes of a file ---- */

static bool file_fail(struct gpudbg_error *err, const char *path, const char *kind, const char *what)
{
    snprintf(err->file, sizeof err->file, "%s", path);
    err->offset = -1;
    return gpudbg_fail(err, kind, "%s", what);
}

static const char no_room[] = "no memory for it", over_limit[] = "over the limit", stopped[] = "stopped by the user";

/* What is held in memory of bytes that nobody has counted yet: of a pipe, or unpacked. */
static size_t most_of(const struct load_env *env)
{
    return env->memory_limit && env->memory_limit < PIPE_MOST ? (size_t)env->memory_limit : PIPE_MOST;
}

static bool too_large(const struct load_env *env, const char *path, const char *what, struct gpudbg_error *err)
{
    char text[120], size[32];
    snprintf(text, sizeof text, "%s more than %s (set memory-limit)", what, size_text(most_of(env), size));
    return file_fail(err, path, "too-large", text);
}

static bool read_all(const struct load_env *env, int fd, struct gpudbg_image *image, struct gpudbg_error *err)
{
    size_t n;
    uint8_t *bytes = all_chosen(fd, most_of(env), &n, &env->ticker, err);
    if (bytes)
        image_give(image, bytes, n, false);
    else if (strcmp(err->kind, "too-large") == 0)
        too_large(env, image->path, "it gives", err);
    return bytes != NULL;
}

static bool open_bytes(
    const struct load_env *env, struct gpudbg_image *image, const char *path, struct gpudbg_error *err)
{
    struct stat st;
    snprintf(err->file, sizeof err->file, "%s", path);
    err->offset = -1;
    const int fd = open_chosen(path, err);
    if (fd < 0) return false;
    const uint8_t *map = NULL;
    bool done = false;
    if (fstat(fd, &st) < 0) {
        file_fail(err, path, "io", strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        file_fail(err, path, "not-recognised", "this is a folder");
    } else if (S_ISREG(st.st_mode) && (size_t)st.st_size > READ_MOST && (map = mapped_open(fd, (size_t)st.st_size))) {
        image_give(image, (uint8_t *)(uintptr_t)map, (size_t)st.st_size, true);
        done = true;
    } else {
        done = read_all(env, fd, image, err);
    }
    close(fd);
    return done;
}

#define UNPACK_PIECE ((size_t)16 << 20) /* between two looks at the keyboard */

static struct gpudbg_image *unpack(const struct load_env *env, struct gpudbg_image *packed, struct gpudbg_error *err)
{
    z_stream z = {0};
    size_t room = packed->size < most_of(env) / 4 ? packed->size * 4 + 65536 : most_of(env), n = 0, ticked = 0;
    uint8_t *bytes = malloc(room);
    const char *problem = !bytes || inflateInit2(&z, 15 + 16) != Z_OK ? no_room : NULL;
    z.next_in = (Bytef *)(uintptr_t)packed->bytes;
    for (int r = Z_OK; r != Z_STREAM_END && !problem;) {
        size_t left = packed->size - (size_t)(z.next_in - packed->bytes);
        z.avail_in = left > UINT32_MAX ? UINT32_MAX : (uInt)left;
        if (n == room) {
            const bool full = room >= most_of(env);
            uint8_t *grown = full ? NULL : realloc(bytes, room *= 2);
            if (!grown) {
                problem = full ? over_limit : no_room;
                break;
            }
            bytes = grown;
        }
        z.next_out = bytes + n;
        z.avail_out = (uInt)(room - n < UNPACK_PIECE ? room - n : UNPACK_PIECE);
        r = inflate(&z, Z_NO_FLUSH);
        n = (size_t)(z.next_out - bytes);
        if (n - ticked >= UNPACK_PIECE) {
            ticked = n;
            if (!ticker_goes_on(&env->ticker, packed->size - left, packed->size)) problem = stopped;
        }
        if (problem) break;
        if (r == Z_BUF_ERROR || (r == Z_OK && z.avail_in == 0 && z.avail_out))
            problem = "the gzip stream is cut off";
        else if (r != Z_OK && r != Z_STREAM_END)
            problem = z.msg ? z.msg : "damaged gzip stream";
        /* Members one after another are one file. */
        if (r == Z_STREAM_END && packed->size - (size_t)(z.next_in - packed->bytes) > 18 && z.next_in[0] == 0x1f &&
            inflateReset(&z) == Z_OK)
            r = Z_OK;
    }
    inflateEnd(&z);
    if (problem) {
        if (problem == over_limit)
            too_large(env, packed->path, "it unpacks to", err);
        else
            file_fail(err, packed->path,
                problem == no_room   ? "memory"
                : problem == stopped ? "interrupt"
                                     : "truncated",
                problem);
        free(bytes);
        image_free(packed);
        return NULL;
    }
    struct gpudbg_image *image = image_new(packed->path);
    image_budget(image, env->memory_limit);
    image_give(image, bytes, n, false);
    gpudbg_image_fact(image, "unpacked", "gzip", n);
    image_free(packed);
    return image;
}

/* ---- Bare code ---- */

/* Emulators dump several programs into one file, each to its end, then tables.  Programs become symbols; what follows
 * the last one is data unless the user said that the file is all code. */
static void split_programs(struct gpudbg_image *image, bool all_code, uint64_t base)
{
    const struct gpudbg_isa *isa = image->isa;
    const size_t before = image->nsymbols;
    size_t at = 0, count = 0;
    char name[32];
    while (at < image->size) {
        while (image->size - at >= 4 && memcmp(image->bytes + at, "\0\0\0\0", 4) == 0)
            at += 4; /* padding between them */
        size_t n = isa->traits.program(isa, image->bytes + at, image->size - at);
        if (!n || at >= image->size) break;
        snprintf(name, sizeof name, "program%zu", count++);
        gpudbg_image_symbol(image, name, base + at, n, GPUDBG_SYM_FUNCTION);
        at += n;
    }
    if (count == 0) at = image->size;         /* nothing ends: show all as code */
    if (count == 1) image->nsymbols = before; /* one program needs no name */
    if (all_code) at = image->size;
    gpudbg_image_fact(image, "programs", NULL, count);
    gpudbg_image_section(image, "code", base, at, image->bytes, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (at < image->size)
        gpudbg_image_section(image, "data", base + at, image->size - at, image->bytes + at, GPUDBG_LOADED);
}

static bool load_raw(struct gpudbg_image *image, const struct load_options *o, struct gpudbg_error *err)
{
    if (!o->isa)
        return gpudbg_fail(err, "not-recognised", "bare code does not name its instruction set; name it with --isa");
    if (image->size > UINT64_MAX - o->base)
        return gpudbg_fail(err, "too-large", "base 0x%" PRIx64 " and %zu bytes wrap around", o->base, image->size);
    image->kind = "raw";
    if (!image->why)
        image->why = o->raw ? "asked for with --raw" : "no other loader knows it, and --isa names the instruction set";
    image->isa = o->isa;
    if (o->isa->traits.program && image->size && image->size <= SPLIT_MOST)
        split_programs(image, o->raw, o->base);
    else
        gpudbg_image_section(image, "code", o->base, image->size, image->bytes, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    return true;
}

/* ---- Choosing ---- */

static const struct gpudbg_loader *best_loader(
    const struct load_env *env, const struct gpudbg_image *image, const struct load_options *o, const char **why)
{
    const bool named = o->isa && !o->format && !bytes_are_lines(image->bytes, image->size);
    const int least = named ? GUESSED : 0; /* a user who names the instruction set is believed first */
    const struct gpudbg_loader *best = NULL, *l;
    int sure = 0;
    for (size_t i = 0; (l = registry_loader(env->registry, i)); i++) {
        const char *reason = NULL;
        if (o->format && strcmp(o->format, l->name) != 0) continue;
        int s = l->probe(image->bytes, image->size < PROBE_BYTES ? image->size : PROBE_BYTES, &reason);
        if (o->format && s == 0) s = 1, reason = "asked for with --format";
        if (s > sure && s > least) best = l, sure = s, *why = reason;
    }
    return best;
}

/* Where in a file an image is looked for. */
struct inside {
    size_t at;      /* bytes of the image's path that name the file; what follows names a member.  SIZE_MAX: unknown */
    unsigned depth; /* containers around it */
    uint64_t *left; /* bytes of members that may still be tried: a container may say that each holds all of it */
};

/* Members that lie beside each other hold no more than their container, however deep they are. */
static uint64_t bytes_to_try(const struct gpudbg_image *image)
{
    return 2 * MEMBERS_DEEP * (uint64_t)image->size + 4096;
}

static struct gpudbg_image *load(
    const struct load_env *, struct gpudbg_image *, const struct load_options *, struct inside, struct gpudbg_error *);

/* Lines and labels that the container knows of the member. */
static void give_text(struct gpudbg_image *image, const struct gpudbg_member *m, const char *file)
{
    for (size_t k = 0; k < m->nlines; k++) {
        const struct gpudbg_line *l = &m->lines[k];
        gpudbg_image_add_line(image, l->addr, l->file ? l->file : file, l->line, l->column);
    }
    for (size_t k = 0; k < m->nsymbols; k++)
        gpudbg_image_symbol(image, m->symbols[k].name, m->symbols[k].addr, m->symbols[k].size,
            (enum gpudbg_symbol_kind)m->symbols[k].kind);
}

/* The i-th member as an image; NULL with its error.  file: bytes of the container's path that name the file.  at: where
 * the image's path names what is in the member. */
static struct gpudbg_image *open_member(const struct load_env *env, const struct gpudbg_image *container,
    const struct members *all, size_t i, const char *path, size_t file, const struct load_options *o, struct inside in,
    struct gpudbg_error *err)
{
    const struct gpudbg_member *m = &all->member[i];
    struct load_options options = {.isa = o->isa};
    snprintf(err->file, sizeof err->file, "%s", path);
    err->offset = -1;
    err->line = 0;
    if (m->refused || !m->size) {
        gpudbg_fail(err, "not-recognised", "%s", m->refused ? m->refused : "it is empty");
        return NULL;
    }
    if (m->isa && !(options.isa = registry_isa_asked(env->registry, m->isa, err))) return NULL;
    if (m->size > *in.left) {
        *in.left = 0;
        gpudbg_fail(err, "too-large", "its members lie over each other: they hold more bytes than the file");
        return NULL;
    }
    *in.left -= m->size;
    struct gpudbg_image *image = image_new(path);
    image_budget(image, env->memory_limit);
    uint8_t *copy = malloc(m->size); /* aligned, as a file of its own is */
    if (!copy) {
        file_fail(err, path, "memory", no_room);
        image_free(image);
        return NULL;
    }
    image_give(image, memcpy(copy, m->bytes, m->size), m->size, false);
    for (size_t k = 0; k < m->nfacts; k++)
        gpudbg_image_fact(image, m->facts[k].key, m->facts[k].text, m->facts[k].value);
    if (m->nlines) give_text(image, m, gpudbg_image_string(image, container->path, file));
    if (!(image = load(env, image, &options, in, err))) return NULL;
    char text[200], key[16];
    snprintf(text, sizeof text, "%zu of %zu%s%s in %s", i + 1, all->n, m->contents ? ", " : "",
        m->contents ? m->contents : "", container->kind);
    snprintf(key, sizeof key, in.depth > 1 ? "member %u" : "member", in.depth);
    gpudbg_image_fact(image, key, text, i + 1);
    return image;
}

/* What can be asked for, in one line. */
static void say_members(struct text *t, const struct members *all)
{
    for (size_t i = 0; i < all->n && i < 8; i++) text_add(t, "%s%.60s", i ? ", " : "", all->member[i].name);
    if (all->n > 8) text_add(t, " and %zu more", all->n - 8);
}

/* The first that can be opened. */
static struct gpudbg_image *open_first(const struct load_env *env, struct gpudbg_image *container,
    const struct members *all, const struct load_options *o, struct inside in, struct gpudbg_error *err)
{
    char names[700] = "";
    struct text t = text_in(names, sizeof names);
    struct gpudbg_error first = {.offset = -1};
    for (size_t i = 0; i < all->n; i++) {
        struct gpudbg_error each = {.offset = -1};
        if (!ticker_goes_on(&env->ticker, i, all->n)) {
            file_fail(err, container->path, "interrupt", stopped);
            return NULL;
        }
        char *path = members_path(all, container, in.at, i);
        const struct inside deeper = {strlen(path), in.depth, in.left};
        struct gpudbg_image *image = open_member(env, container, all, i, path, in.at, o, deeper, &each);
        free(path);
        if (image) return image;
        if (!first.kind) first = each;
        if (!*in.left) first = each;
        if (!*in.left || strcmp(each.kind, "memory") == 0 || strcmp(each.kind, "interrupt") == 0) break;
    }
    say_members(&t, all);
    if (!all->n)
        gpudbg_fail(err, "not-recognised", "the %s is empty", container->kind);
    else if (all->n == 1 || strcmp(first.kind, "not-recognised") != 0)
        *err = first;
    else
        gpudbg_fail(err, "not-recognised", "none of its %zu members can be opened (%s); the first: %.300s", all->n,
            names, first.message);
    return NULL;
}

static void give_members(
    struct gpudbg_image *image, const struct gpudbg_image *container, const struct members *all, size_t file)
{
    char **path = xcalloc(all->n + 1, sizeof *path);
    for (size_t i = 0; i < all->n; i++) path[i] = members_path(all, container, file, i);
    image_give_members(image, path, all->n);
    for (size_t i = 0; i < all->n; i++) free(path[i]);
    free(path);
}

/* Behind the list that the image brings: what else its outer container holds. */
static void give_siblings(
    struct gpudbg_image *image, const struct gpudbg_image *container, const struct members *all, size_t file)
{
    const char *inner;
    size_t n = 0, own = 0;
    while (image_member_path(image, own)) own++;
    char **path = xcalloc(own + all->n + 1, sizeof *path);
    for (; (inner = image_member_path(image, n)); n++) path[n] = xstrdup(inner);
    for (size_t i = 0; i < all->n; i++) {
        char *sibling = members_path(all, container, file, i);
        const size_t length = strlen(sibling);
        const bool around = strncmp(image->path, sibling, length) == 0 &&
                            (!image->path[length] || image->path[length] == '(');
        if (around)
            free(sibling);
        else
            path[n++] = sibling;
    }
    image_give_members(image, path, n);
    for (size_t i = 0; i < n; i++) free(path[i]);
    free(path);
}

/* The image of the member that the container's path names, or of the first that can be opened. */
static struct gpudbg_image *load_container(const struct load_env *env, struct gpudbg_image *container,
    const struct gpudbg_loader *loader, const struct load_options *o, struct inside in, struct gpudbg_error *err)
{
    struct members all;
    struct gpudbg_image *image = NULL;
    char names[700] = "";
    struct text t = text_in(names, sizeof names);
    bool asked;
    size_t behind;
    uint64_t left = bytes_to_try(container);
    if (!in.left) in.left = &left;
    if (!members_read(&all, container, loader, err)) {
        members_free(&all);
        return NULL;
    }
    const size_t chosen = members_asked(&all, container, &in.at, &behind, &asked);
    const struct inside deeper = {behind, in.depth + 1, in.left};
    say_members(&t, &all);
    if (in.depth >= MEMBERS_DEEP)
        gpudbg_fail(err, "too-large", "containers in containers, more than %u deep", MEMBERS_DEEP);
    else if (asked && chosen == all.n)
        gpudbg_fail(err, "no-such-name", "the %s has no member of that name: it has %s", container->kind,
            all.n ? names : "none");
    else if (asked)
        image = open_member(env, container, &all, chosen, container->path, in.at, o, deeper, err);
    else
        image = open_first(env, container, &all, o, (struct inside){in.at, in.depth + 1, in.left}, err);
    if (image && !image_member_path(image, 1))
        give_members(image, container, &all, in.at); /* the innermost choice */
    else if (image && all.n > 1)
        give_siblings(image, container, &all, in.at);
    if (image) {
        for (size_t i = 0; i < container->nfacts; i++) /* what its own container says of it */
            gpudbg_image_fact(image, container->facts[i].key, container->facts[i].text, container->facts[i].value);
        container->path = gpudbg_image_string(container, container->path, in.at);
        image_inside(image, container);
    }
    members_free(&all);
    return image;
}

const uint8_t *gpudbg_image_beside(struct gpudbg_image *image, const char *name, size_t most, size_t *n)
{
    struct gpudbg_error err = {.offset = -1};
    const char *slash = strrchr(image->path, '/');
    const size_t folder = slash ? (size_t)(slash - image->path) + 1 : 0;
    char path[4096];
    if (strchr(name, '/') || snprintf(path, sizeof path, "%.*s%s", (int)folder, image->path, name) >= (int)sizeof path)
        return NULL;
    char *bytes = text_named(path, most, n, &err);
    uint8_t *own = bytes ? gpudbg_image_alloc(image, *n + 1) : NULL;
    if (own) memcpy(own, bytes, *n);
    free(bytes);
    return own;
}

static struct gpudbg_image *load(const struct load_env *env, struct gpudbg_image *image, const struct load_options *o,
    struct inside in, struct gpudbg_error *err)
{
    const char *why = NULL;
    snprintf(err->file, sizeof err->file, "%s", image->path);
    err->offset = -1;
    if (!o->raw && image->size > 18 && memcmp(image->bytes, "\x1f\x8b\x08", 3) == 0 &&
        !(image = unpack(env, image, err)))
        return NULL;
    bool done;
    const struct gpudbg_loader *loader = o->raw ? NULL : best_loader(env, image, o, &why);
    if (!o->raw && !o->format && o->isa && o->isa->traits.loader && loader != o->isa->traits.loader) {
        loader = o->isa->traits.loader;
        why = "--isa says so";
    }
    if (in.at != SIZE_MAX && image->path[in.at] && !(loader && loader->members)) {
        done = gpudbg_fail(err, "missing", "%.*s contains no files of its own", (int)in.at, image->path);
    } else if (image->size == 0 && !o->raw) {
        done = gpudbg_fail(err, "not-recognised", "the file is empty");
    } else if (loader) {
        image->kind = loader->name;
        image->why = why ? gpudbg_image_string(image, why, strlen(why)) : loader->summary;
        image->isa = o->isa;
        if (loader->members) {
            struct gpudbg_image *member = load_container(env, image, loader, o, in, err);
            if (!member) image_free(image);
            return member;
        }
        done = loader->load(image, err);
    } else if (!o->raw && o->isa && !o->format && bytes_are_lines(image->bytes, image->size)) {
        done = gpudbg_fail(err, "not-recognised",
            "this is text: `assemble %.100s OUT` makes code of it; --raw takes its bytes as code", image->path);
    } else if (o->raw || (o->isa && !o->format)) {
        done = load_raw(image, o, err);
    } else if (o->format) {
        done = gpudbg_fail(err, "not-recognised", "no loader is named %s", o->format);
    } else {
        char first[3 * 8 + 1];
        const char *kind = file_kind(image->bytes, image->size), *packed = unpack_kind(image->bytes, image->size);
        struct text t = text_in(first, sizeof first);
        for (size_t i = 0; i < 8 && i < image->size; i++) text_add(&t, "%s%02x", i ? " " : "", image->bytes[i]);
        if (kind || packed)
            done = gpudbg_fail(err, "not-recognised",
                kind ? "this is %s" : "packed by %s: it is damaged, or holds no dump that a reader knows",
                kind ? kind : packed);
        else if (bytes_are_text(image->bytes, image->size))
            done = gpudbg_fail(
                err, "not-recognised", "no loader recognises it: it is text that no reader of dumps knows");
        else
            done = gpudbg_fail(err, "not-recognised",
                "no loader recognises it (it starts with %s); if it is bare code, name its instruction set with --isa",
                first);
    }
    if (done) image_elf_debug(image);
    image_elf_end(image);
    if (done && image_cut(image)) done = image_cut_failed(image, err);
    if (alloc_short()) done = file_fail(err, image->path, "memory", no_room); /* whole, or not at all */
    if (!done) {
        image_free(image);
        return NULL;
    }
    err->file[0] = 0;
    scopes_add_functions(image);
    image_sort(image);
    scopes_name_parameters(image);
    return image;
}

struct gpudbg_image *image_open(
    const struct load_env *env, const char *path, const struct load_options *o, struct gpudbg_error *err)
{
    alloc_watch();
    struct gpudbg_image *image = image_new(path);
    image_budget(image, env->memory_limit);
    const size_t file = members_file(path), n = file ? file : strlen(path);
    char *own = xstrdup(path);
    own[n] = 0;
    const bool opened = open_bytes(env, image, own, err);
    free(own);
    if (opened) return load(env, image, o, (struct inside){n, 0, NULL}, err);
    image_free(image);
    return NULL;
}

struct gpudbg_image *image_from(const struct load_env *env, const char *name, const uint8_t *bytes, size_t n,
    const struct load_options *o, struct gpudbg_error *err)
{
    alloc_watch();
    struct gpudbg_image *image = image_new(name);
    image_budget(image, env->memory_limit);
    uint8_t *copy = malloc(n + 1);
    if (!copy) {
        file_fail(err, name, "memory", no_room);
        image_free(image);
        return NULL;
    }
    if (n) memcpy(copy, bytes, n);
    image_give(image, copy, n, false);
    return load(env, image, o, (struct inside){SIZE_MAX, 0, NULL}, err);
}

void image_close(struct gpudbg_image *image) { image_free(image); }
