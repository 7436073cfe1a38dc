/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fetch_shader.c: the fetch shader of a dumped vertex shader.  An emulator writes it beside the shader that calls it,
 * under the same hash: vs_0xHASH_0.bin and vs_0xHASH.fetch.bin (shadPS4, translate.cpp: EmitFetch).  It becomes a
 * section of its own, and the user data with the target of the first s_swappc_b64 becomes its address, unless the file
 * has other user data there.
 *
 * If a file has user data of its own, the call shows the code of the fetch shader: the contents of the table that the
 * pair of s_swappc_b64 points to, if it is code up to an s_setpc_b64.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "files/shader.h"
#include "gcn_ops.h"

#define FETCH_MOST 65536u /* bytes of such a file */
#define ALIGNED 256u      /* alignment of programs, by the registers of their addresses */

/* "vs_0x12ab_0.bin" -> "vs_0x12ab.fetch.bin"; false: not such a name. */
static bool fetch_name(const char *path, char *name, size_t size)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *base = slash ? slash + 1 : path;
    const unsigned stage = gcn_stage_named(path);
    if (stage != GCN_STAGE_VERTEX && stage != GCN_STAGE_EXPORT && stage != GCN_STAGE_LOCAL) return false;
    const char *hash = strstr(base, "_0x");
    if (!hash || strstr(base, ".fetch.")) return false;
    size_t n = (size_t)(hash - base) + 3;
    while (isxdigit((unsigned char)base[n])) n++;
    return snprintf(name, size, "%.*s.fetch.bin", (int)n, base) < (int)size;
}

/* The first register of the pair with the target of the first call; -1: user data does not have it. */
static int call_register(const struct gpudbg_isa *isa, const uint8_t *code, size_t n)
{
    struct gpudbg_insn insn;
    for (size_t at = 0; at < n && gpudbg_insn_at(isa, code + at, n - at, at, &insn); at += insn.size) {
        if (insn.op->id != GCN_s_swappc_b64) continue;
        const struct gpudbg_operand *from = gcn_operand(&insn, GCN_IN_SSRC0);
        return from && from->kind == GPUDBG_REGISTER && from->sub < 15 ? from->sub : -1;
    }
    return -1;
}

static bool has_fact(const struct gpudbg_image *image, const char *key)
{
    for (size_t i = 0; i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, key) == 0) return true;
    return false;
}

static void give_address(struct gpudbg_image *image, unsigned reg, uint64_t addr)
{
    char key[24], text[24];
    for (unsigned half = 0; half < 2; half++, addr >>= 32) {
        snprintf(key, sizeof key, "user s%u", reg + half);
        snprintf(text, sizeof text, "0x%08" PRIx64, addr & UINT32_MAX);
        if (!has_fact(image, key)) gpudbg_image_fact(image, key, text, addr & UINT32_MAX);
    }
}

void gcn_fetch_called(struct gpudbg_image *image, const uint8_t *code, size_t length)
{
    char name[48], text[128];
    const int reg = call_register(image->isa, code, length);
    if (reg < 0) return;
    snprintf(name, sizeof name, "table of s[%d:%d]", reg, reg + 1);
    for (size_t i = 0; i < image->nsections; i++) {
        struct gpudbg_section *s = &image->sections[i];
        if (strcmp(s->name, name) != 0) continue;
        const uint64_t addr = s->addr, all = s->size;
        const uint8_t *bytes = s->bytes;
        const size_t size = gcn_program(image->isa, bytes, (size_t)all);
        if (size < 4 || le_u32(bytes + size - 4) >> 8 != 0xbe8020) return; /* s_setpc_b64 */
        s->name = "fetch";
        s->size = size;
        s->flags |= GPUDBG_CODE_BYTES;
        if (size < all)
            gpudbg_image_section(image, "behind fetch", addr + size, all - size, bytes + size, GPUDBG_LOADED);
        gpudbg_image_symbol(image, "fetch", addr, size, GPUDBG_SYM_FUNCTION);
        snprintf(text, sizeof text, "at 0x%" PRIx64 ", called by s[%d:%d]", addr, reg, reg + 1);
        gpudbg_image_fact(image, "fetch shader", text, addr);
        return;
    }
}

void gcn_fetch_beside(struct gpudbg_image *image, const uint8_t *code, size_t length)
{
    char name[256], text[320];
    size_t n = 0;
    uint64_t addr = ALIGNED;
    const int reg = call_register(image->isa, code, length);
    if (reg < 0 || !fetch_name(image->path, name, sizeof name)) return;
    const uint8_t *fetch = gpudbg_image_beside(image, name, FETCH_MOST, &n);
    const size_t size = fetch ? gcn_whole_program(fetch, n, 1) : 0;
    if (!size) return;
    for (size_t i = 0; i < image->nsections; i++) {
        const uint64_t end = image->sections[i].addr + image->sections[i].size;
        if (end > addr) addr = (end + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    gpudbg_image_section(image, "fetch", addr, size, fetch, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    gpudbg_image_symbol(image, "fetch", addr, size, GPUDBG_SYM_FUNCTION);
    give_address(image, (unsigned)reg, addr);
    snprintf(text, sizeof text, "%s at 0x%" PRIx64 ", called by s[%d:%d]", name, addr, reg, reg + 1);
    gpudbg_image_fact(image, "fetch shader", text, addr);
}
