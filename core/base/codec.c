/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codec.c: one row a format; each row is a few lines around its library. */
#include "base/codec.h"
#include <bzlib.h>
#include <limits.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "base/alloc.h"

struct unpacking {
    const struct codec *codec;
    bool inside; /* within a stream, not between two */
    union {
        lzma_stream lzma;
        bz_stream bzip2;
        ZSTD_DStream *zstd;
        LZ4F_dctx *lz4;
    } of;
};

struct codec {
    const char *name, *magic;
    size_t magic_n;
    bool (*open)(struct unpacking *);
    void (*close)(struct unpacking *);
    enum codec_state (*step)(struct unpacking *, struct codec_flow *);
};

static void moved(struct codec_flow *f, size_t read, size_t written)
{
    f->in += read;
    f->in_n -= read;
    f->out += written;
    f->out_n -= written;
}

/* After a step of a library that stops between two streams. */
static enum codec_state after(const struct unpacking *u, const struct codec_flow *f, bool moved_on)
{
    if (!u->inside && !f->in_n && f->in_ends) return CODEC_ENDED;
    return moved_on || (!f->in_n && !f->in_ends) ? CODEC_GOES_ON : CODEC_DAMAGED;
}

/* ---- xz and lzip: liblzma takes streams that follow one another as one ---- */

static bool xz_open(struct unpacking *u)
{
    return lzma_stream_decoder(&u->of.lzma, CODEC_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static bool lzip_open(struct unpacking *u)
{
    return lzma_lzip_decoder(&u->of.lzma, CODEC_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static void lzma_close(struct unpacking *u) { lzma_end(&u->of.lzma); }

static enum codec_state lzma_step(struct unpacking *u, struct codec_flow *f)
{
    lzma_stream *s = &u->of.lzma;
    s->next_in = f->in;
    s->avail_in = f->in_n;
    s->next_out = f->out;
    s->avail_out = f->out_n;
    const lzma_ret ret = lzma_code(s, f->in_ends ? LZMA_FINISH : LZMA_RUN);
    moved(f, f->in_n - s->avail_in, f->out_n - s->avail_out);
    switch (ret) {
    case LZMA_OK: return CODEC_GOES_ON;
    case LZMA_STREAM_END: return CODEC_ENDED;
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR: return CODEC_NO_MEMORY;
    default: return CODEC_DAMAGED;
    }
}

/* ---- bzip2: one stream an object ---- */

static bool bzip2_open(struct unpacking *u)
{
    memset(&u->of.bzip2, 0, sizeof u->of.bzip2);
    return BZ2_bzDecompressInit(&u->of.bzip2, 0, 0) == BZ_OK;
}

static void bzip2_close(struct unpacking *u) { BZ2_bzDecompressEnd(&u->of.bzip2); }

static unsigned at_most(size_t n) { return n < UINT_MAX ? (unsigned)n : UINT_MAX; }

static enum codec_state bzip2_step(struct unpacking *u, struct codec_flow *f)
{
    bz_stream *s = &u->of.bzip2;
    const unsigned in = at_most(f->in_n), out = at_most(f->out_n);
    s->next_in = (char *)(uintptr_t)f->in; /* which the library only reads */
    s->avail_in = in;
    s->next_out = (char *)f->out;
    s->avail_out = out;
    u->inside = u->inside || in;
    const int ret = BZ2_bzDecompress(s);
    moved(f, in - s->avail_in, out - s->avail_out);
    if (ret == BZ_STREAM_END) {
        u->inside = false;
        bzip2_close(u);
        if (!bzip2_open(u)) return CODEC_NO_MEMORY;
    } else if (ret != BZ_OK) {
        return ret == BZ_MEM_ERROR ? CODEC_NO_MEMORY : CODEC_DAMAGED;
    }
    return after(u, f, in != s->avail_in || out != s->avail_out);
}

/* ---- zstd and lz4: the next stream begins by itself ---- */

static bool zstd_open(struct unpacking *u)
{
    u->of.zstd = ZSTD_createDStream();
    return u->of.zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(u->of.zstd, ZSTD_d_windowLogMax, 30));
}

static void zstd_close(struct unpacking *u) { ZSTD_freeDStream(u->of.zstd); }

static enum codec_state zstd_step(struct unpacking *u, struct codec_flow *f)
{
    ZSTD_inBuffer in = {f->in, f->in_n, 0};
    ZSTD_outBuffer out = {f->out, f->out_n, 0};
    const size_t left = ZSTD_decompressStream(u->of.zstd, &out, &in);
    moved(f, in.pos, out.pos);
    if (ZSTD_isError(left))
        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? CODEC_NO_MEMORY : CODEC_DAMAGED;
    u->inside = left != 0;
    return after(u, f, in.pos || out.pos);
}

static bool lz4_open(struct unpacking *u)
{
    return !LZ4F_isError(LZ4F_createDecompressionContext(&u->of.lz4, LZ4F_VERSION));
}

static void lz4_close(struct unpacking *u) { LZ4F_freeDecompressionContext(u->of.lz4); }

static enum codec_state lz4_step(struct unpacking *u, struct codec_flow *f)
{
    size_t read = f->in_n, written = f->out_n;
    const size_t left = LZ4F_decompress(u->of.lz4, f->out, &written, f->in, &read, NULL);
    moved(f, read, written);
    if (LZ4F_isError(left))
        return strcmp(LZ4F_getErrorName(left), "ERROR_allocation_failed") == 0 ? CODEC_NO_MEMORY : CODEC_DAMAGED;
    u->inside = left != 0;
    return after(u, f, read || written);
}

static const struct codec codecs[] = {
    {"xz", "\xfd\x37\x7a\x58\x5a\0", 6, xz_open, lzma_close, lzma_step},
    {"zstd", "\x28\xb5\x2f\xfd", 4, zstd_open, zstd_close, zstd_step},
    {"bzip2", "BZh", 3, bzip2_open, bzip2_close, bzip2_step},
    {"lzip", "LZIP", 4, lzip_open, lzma_close, lzma_step},
    {"lz4", "\x04\x22\x4d\x18", 4, lz4_open, lz4_close, lz4_step},
};

const struct codec *codec_of(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (n >= codecs[i].magic_n && memcmp(bytes, codecs[i].magic, codecs[i].magic_n) == 0) return &codecs[i];
    return NULL;
}

const char *codec_name(const struct codec *c) { return c->name; }

struct unpacking *codec_open(const struct codec *c)
{
    struct unpacking *u = xalloc(sizeof *u);
    u->codec = c;
    if (c->open(u)) return u;
    codec_close(u);
    return NULL;
}

void codec_close(struct unpacking *u)
{
    if (!u) return;
    u->codec->close(u);
    free(u);
}

enum codec_state codec_step(struct unpacking *u, struct codec_flow *f) { return u->codec->step(u, f); }
