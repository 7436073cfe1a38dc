/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed.c: packed files into plain ones; streams by codec.c, UTF-16 by charset.c. */
#include "base/packed.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/charset.h"
#include "base/codec.h"
#include "base/open_file.h"

#define BLOCK 65536

static const char utf16_name[] = "UTF-16";

/* What we do not read. */
static const struct magic {
    const char *bytes;
    unsigned n, at;
    const char *name;
} others[] = {
    {"MDMP", 4, 0, "a Windows minidump"},
    {"PAGEDU64", 8, 0, "a Windows memory dump"},
    {"PAGEDUMP", 8, 0, "a Windows memory dump"},
    {"ElfFile\0", 8, 0, "a Windows event log"},
    {"MZ", 2, 0, "a Windows program"},
    {"PK\3\4", 4, 0, "a ZIP archive; unpack it first"},
    {"7z\xbc\xaf\x27\x1c", 6, 0, "a 7-Zip archive; unpack it first"},
    {"Rar!", 4, 0, "a RAR archive; unpack it first"},
    {"ustar", 5, 257, "a tar archive; unpack it first"},
    {"LPKSHHRH", 8, 0, "a systemd journal; `journalctl --file FILE -o short-monotonic` prints it"},
    {"PERFILE2", 8, 0, "a recording of perf"},
    {"SQLite format 3", 15, 0, "an SQLite database"},
    {"%PDF", 4, 0, "a PDF document"},
    {"\x89PNG", 4, 0, "a picture (PNG)"},
    {"\xff\xd8\xff", 3, 0, "a picture (JPEG)"},
    {"RDOC", 4, 0, "a RenderDoc capture"},
    {"DXBC", 4, 0, "a shader for Direct3D (DXBC)"},
    {"\x03\x02\x23\x07", 4, 0, "a SPIR-V module: no GPU runs it; open what a driver or compiler makes of it"},
    {"\x07\x23\x02\x03", 4, 0, "a SPIR-V module: no GPU runs it; open what a driver or compiler makes of it"},
    {"CCOB", 4, 0, "a compressed offload bundle; `clang-offload-bundler --unbundle` unpacks it"},
    {"!<thin>\n", 8, 0, "a thin archive: it has no code itself; open the files that it names"},
    {"BC\xc0\xde", 4, 0, "LLVM bitcode"},
    {"\x7f"
     "apitrace",
        9, 0, "an apitrace"},
};

const char *unpack_kind(const uint8_t *bytes, size_t n)
{
    const struct codec *c = codec_of(bytes, n);
    if (c) return codec_name(c);
    return n >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0) ? utf16_name : NULL;
}

const char *file_kind(const uint8_t *bytes, size_t n)
{
    for (const struct magic *m = others; m < others + sizeof others / sizeof *others; m++)
        if (n >= m->at + m->n && memcmp(bytes + m->at, m->bytes, m->n) == 0) return m->name;
    return NULL;
}

/* ---- Where unpacked bytes go: into a file, or the head into memory ---- */

struct sink {
    FILE *file; /* or NULL */
    uint8_t *bytes;
    uint64_t n, most;
    bool failed, full;
};

static bool put(struct sink *s, const void *bytes, size_t n)
{
    if (s->most && n > s->most - s->n) {
        n = (size_t)(s->most - s->n);
        s->full = true;
    }
    if (s->file)
        s->failed = n && fwrite(bytes, 1, n, s->file) != n;
    else if (n)
        memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    return !s->failed && !s->full;
}

/* Whether the work goes on: packed bytes that were read, of all.  What is unpacked can be looked at. */
static bool ticks(const struct ticker *t, int fd, const struct sink *s)
{
    struct stat st = {.st_size = 0};
    const off_t at = lseek(fd, 0, SEEK_CUR);
    if (!t) return true;
    if (s->file && t->shows && fflush(s->file) == 0) ticker_shows(t, fileno(s->file), s->n);
    return ticker_goes_on(t, at > 0 ? (uint64_t)at : 0, fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0);
}

/* ---- UTF-16 ---- */

/* The first two bytes of the text are a mark that says which byte of a unit comes first. */
static bool utf16_open(struct charset *c, const uint8_t mark[static 2])
{
    return charset_open(c, mark[0] == 0xfe ? "UTF-16BE" : "UTF-16LE");
}

static bool from_utf16(int fd, struct sink *s, const struct ticker *t, const char **problem, struct gpudbg_error *err)
{
    char block[BLOCK / 8], text[CHARSET_MOST * sizeof block];
    size_t kept = 0;
    ssize_t n = read(fd, block, 2);
    struct charset c;
    if (n != 2 || !utf16_open(&c, (uint8_t *)block)) {
        *problem = "the system's iconv does not know UTF-16, or memory is short";
        return n >= 0 || read_failed(errno, err);
    }
    bool good = true;
    while (good && !s->full && (n = read(fd, block + kept, sizeof block - kept)) > 0) {
        const char *at = block;
        size_t left = kept + (size_t)n;
        good = put(s, text, charset_put(&c, &at, &left, text, sizeof text)) || s->full || read_failed(errno, err);
        kept = left;
        memmove(block, at, kept);
        if (good && !ticks(t, fd, s)) good = read_failed(ECANCELED, err);
    }
    charset_close(&c);
    if (kept) *problem = "the UTF-16 text is cut off";
    return good && (n >= 0 || read_failed(errno, err));
}

/* ---- Packed streams ---- */

static bool from_stream(const struct codec *codec, int fd, struct sink *s, const struct ticker *t, const char **problem,
    struct gpudbg_error *err)
{
    struct unpacking *u = codec_open(codec);
    uint8_t *in = malloc(BLOCK), *out = malloc(BLOCK);
    struct codec_flow f = {.in = in};
    enum codec_state state = CODEC_GOES_ON;
    bool good = (u && in && out) || alloc_failed(err, BLOCK, "unpacking");
    while (good && state == CODEC_GOES_ON && !s->full) {
        if (!f.in_n && !f.in_ends) {
            const ssize_t n = read(fd, in, BLOCK);
            if (n < 0) good = read_failed(errno, err);
            f.in = in;
            f.in_n = n > 0 ? (size_t)n : 0;
            f.in_ends = n == 0;
        }
        if (!good) break;
        f.out = out;
        f.out_n = BLOCK;
        state = codec_step(u, &f);
        if (!put(s, out, BLOCK - f.out_n) && s->failed) good = read_failed(errno, err);
        if (good && !ticks(t, fd, s)) good = read_failed(ECANCELED, err);
    }
    if (state == CODEC_DAMAGED) *problem = "the packed stream is damaged or cut off";
    if (state == CODEC_NO_MEMORY) *problem = "unpacking it takes more memory than there is, or than 1 GiB";
    codec_close(u);
    free(in);
    free(out);
    return good;
}

/* The first bytes of the file fd. */
static size_t first_of(int fd, uint8_t bytes[static 8])
{
    const ssize_t n = pread(fd, bytes, 8, 0);
    return n > 0 ? (size_t)n : 0;
}

/* Unpacks what the packed file fd holds. */
static bool unpack(int fd, struct sink *s, const struct ticker *t, const char **problem, struct gpudbg_error *err)
{
    uint8_t first[8];
    const struct codec *codec = codec_of(first, first_of(fd, first));
    if (lseek(fd, 0, SEEK_SET) != 0) return read_failed(errno, err);
    return codec ? from_stream(codec, fd, s, t, problem, err) : from_utf16(fd, s, t, problem, err);
}

static bool is_packed(int fd)
{
    uint8_t first[8];
    return unpack_kind(first, first_of(fd, first)) != NULL;
}

int unpack_file(int fd, uint64_t most, const struct ticker *t, const char **problem, struct gpudbg_error *err)
{
    *problem = NULL;
    for (unsigned depth = 0; depth < 3; depth++) { /* UTF-16 in xz, and not for ever */
        if (!is_packed(fd)) break;
        FILE *file = tmpfile();
        struct sink s = {.file = file, .most = most};
        const int to = file ? dup(fileno(file)) : -1;
        bool good = to >= 0 || read_failed(errno, err);
        good = good && unpack(fd, &s, t, problem, err);
        if (good && fflush(file) != 0) good = read_failed(errno, err);
        if (file) fclose(file);
        close(fd);
        fd = to;
        if (!good || lseek(fd, 0, SEEK_SET) != 0) {
            if (fd >= 0) close(fd);
            return -1;
        }
        if (s.full) *problem = "it unpacks to more than memory-limit allows";
        if (*problem) break;
    }
    return fd;
}

size_t unpack_head(int fd, uint8_t *bytes, size_t n)
{
    struct gpudbg_error ignored = {0};
    const char *problem;
    struct sink s = {.bytes = bytes, .most = n};
    if (!is_packed(fd)) return 0;
    unpack(fd, &s, NULL, &problem, &ignored);
    lseek(fd, 0, SEEK_SET);
    if (unpack_kind(bytes, (size_t)s.n) == utf16_name) { /* within a packed file: by the bytes that are there */
        struct charset c;
        const char *at = (const char *)bytes + 2;
        size_t left = (size_t)s.n - 2;
        const size_t room = CHARSET_MOST * left + 1;
        char *text = xalloc(room);
        s.n = 0;
        if (utf16_open(&c, bytes)) {
            s.n = charset_put(&c, &at, &left, text, room);
            charset_close(&c);
        }
        if (s.n > n) s.n = n;
        memcpy(bytes, text, (size_t)s.n);
        free(text);
    }
    return (size_t)s.n;
}
