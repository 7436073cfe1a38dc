/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_paging.h"
#include <string.h>
#include "dump/dump.h"
#include "dump/dump_descriptor.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "word/registry.h"

static bool walks(const struct gpudbg_isa *isa, const char *family)
{
    if (!isa->dumped || !isa->dumped->translate) return false;
    for (const char *const *of = isa->dumped->paging_of; of && *of; of++)
        if (strcmp(*of, family) == 0) return true;
    return false;
}

const char *dump_paging_of(const struct gpudbg_dump *d, uint32_t capture, const struct gpudbg_isa **isa)
{
    bool assumed;
    size_t n;
    const char *family = dump_family(d, capture, &assumed);
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    if (family) {
        *isa = gpudbg_dump_isa_named(d, family);
        return *isa && (*isa)->dumped && (*isa)->dumped->translate ? (*isa)->name : NULL;
    }
    family = capture < n ? c[capture].family : NULL;
    for (size_t i = 0; family && (*isa = registry_isa(dump_env_of(d)->registry, i)); i++)
        if (walks(*isa, family)) return family;
    return NULL;
}

static bool is_of(const struct gpudbg_dump *d, uint32_t capture, const char *family)
{
    const struct gpudbg_isa *isa;
    const char *of = dump_paging_of(d, capture, &isa);
    return of && strcmp(of, family) == 0;
}

static bool find_register(void *from, const char *name, uint64_t *value)
{
    const struct dump_memory *m = from;
    struct gpudbg_record r;
    for (size_t i = 0; i < m->ndumps; i++) {
        size_t captures;
        gpudbg_dump_captures(m->dumps[i], &captures);
        for (size_t c = captures; c-- > 0;)
            if (is_of(m->dumps[i], (uint32_t)c, m->family) &&
                gpudbg_dump_find(m->dumps[i], (uint32_t)c, NULL, name, &r) && (uint32_t)r.mask == UINT32_MAX) {
                *value = r.value;
                return true;
            }
    }
    return false;
}

static bool find_memory(void *from, uint64_t addr, uint8_t *bytes, size_t n)
{
    const struct dump_memory *m = from;
    for (size_t i = 0; i < m->ndumps; i++) {
        size_t streams;
        const struct gpudbg_stream *s = gpudbg_dump_streams(m->dumps[i], &streams);
        for (size_t k = 0; k < streams; k++) {
            if (strcmp(s[k].kind, "memory") != 0 || s[k].addr == GPUDBG_NO_ADDR || addr < s[k].addr ||
                addr - s[k].addr >= s[k].size || s[k].size - (size_t)(addr - s[k].addr) < n)
                continue;
            memcpy(bytes, s[k].bytes + (addr - s[k].addr), n);
            return true;
        }
    }
    return false;
}

bool dump_translate(const struct dump_memory *m, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
    struct gpudbg_translation *t)
{
    struct dump_memory from = *m;
    const struct gpudbg_paging paging = {&from, m->family, find_register, find_memory};
    *t = (struct gpudbg_translation){.whole = false};
    return m->isa->dumped->translate(&paging, space, addr, each, to, t);
}

void dump_level_text(const struct gpudbg_level *l, char *buf, size_t size)
{
    uint8_t bytes[8];
    struct text t = text_in(buf, size);
    le_put(bytes, l->value, sizeof bytes);
    dump_fields_text(&t, l->format, NULL, bytes);
    if (!text_length(&t)) text_add(&t, "all zeros");
    text_mark_cut(&t);
}
