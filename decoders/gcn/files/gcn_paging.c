/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_paging.c: page tables of Sea Islands and of Volcanic Islands (gfx8): a directory of page tables for address
 * spaces 1 to 15, one flat table for space 0.  Entries have 64 bits.  Those of gfx8 differ in one flag.
 *
 * Sources: Linux, radeon/cik.c and amdgpu/gmc_v7_0.c (the registers: VM_CONTEXT1_CNTL holds PAGE_TABLE_BLOCK_SIZE as
 * the bits of a page's number within one table, less 9; the bases are pages; contexts 8 to 15 have bases of their own;
 * START_ADDR is common to contexts 1 to 15); radeon/radeon.h and amdgpu/amdgpu_vm.h (flags of entries: R600_PTE_*,
 * AMDGPU_PTE_*; EXECUTABLE is of later chips); the register guide, VM_CONTEXT1_CNTL.  For gfx8: amdgpu/gmc_v8_0.c (the
 * same registers and entries), gmc_8_1_sh_mask.h (their fields); umr walks both with one function.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <gpudbg/endian.h>
#include "gcn.h"

enum { SPACES = 16, LEAST_BLOCK = 9, PAGE_BITS = 12 };
#define ADDRESS UINT64_C(0xfffffff000) /* 40 bits */
#define VALID 1u
#define SYSTEM 2u

#define FLAG(name_, bit, doc_)                                             \
    {                                                                      \
        .name = name_, .run = {{bit, 1}}, .kind = GPUDBG_FLAG, .doc = doc_ \
    }
static int say_address(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t n)
{
    (void)insn;
    return snprintf(buf, n, "0x%" PRIx64, value << PAGE_BITS);
}
static int say_fragment(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t n)
{
    (void)insn;
    return snprintf(buf, n, "%" PRIu64 " KB", UINT64_C(4) << value);
}
/* The fields of both generations, around the fields in which they differ. */
#define DIRECTORY(high_)                                                            \
    {                                                                               \
        FLAG("valid", 0, "there is a page table"),                                  \
            {.name = "-", .run = {{1, 11}}, .kind = GPUDBG_MBZ, .doc = "not used"}, \
            {.name = "address",                                                     \
                .run = {{12, 28}},                                                  \
                .kind = GPUDBG_UINT,                                                \
                .describe = say_address,                                            \
                .doc = "of the page table"},                                        \
            high_                                                                   \
    }
#define TABLE(flags_)                                                                                            \
    {                                                                                                            \
        FLAG("valid", 0, "the page is mapped"), FLAG("system", 1, "it is memory of the host"),                   \
            FLAG("snooped", 2, "the host's caches are asked"), flags_, FLAG("readable", 5, "reads are allowed"), \
            FLAG("writeable", 6, "writes are allowed"),                                                          \
            {.name = "fragment",                                                                                 \
                .run = {{7, 5}},                                                                                 \
                .kind = GPUDBG_UINT,                                                                             \
                .describe = say_fragment,                                                                        \
                .doc = "contiguous memory around it that is mapped alike"},                                      \
            {.name = "address",                                                                                  \
                .run = {{12, 28}},                                                                               \
                .kind = GPUDBG_UINT,                                                                             \
                .describe = say_address,                                                                         \
                .doc = "of the page"},                                                                           \
            NOT_USED(40, 24, "not used, above the page's address")                                               \
    }
#define NOT_USED(bit, width, doc_)                                          \
    {                                                                       \
        .name = "-", .run = {{bit, width}}, .kind = GPUDBG_MBZ, .doc = doc_ \
    }
#define BOTH(...) __VA_ARGS__
static const struct gpudbg_field pde_fields[] = DIRECTORY(NOT_USED(40, 24, "not used, above the address"));
static const struct gpudbg_field pte_fields[] = TABLE(NOT_USED(3, 2, "not used on this chip"));
static const struct gpudbg_field pde8_fields[] = DIRECTORY(
    BOTH(NOT_USED(40, 19, "not used, above the address"), {.name = "block fragment",
                                                              .run = {{59, 5}},
                                                              .kind = GPUDBG_UINT,
                                                              .doc = "how much of what its table maps is contiguous"}));
static const struct gpudbg_field pte8_fields[] = TABLE(
    BOTH(NOT_USED(3, 1, "not used, below the flags of accesses"), FLAG("executable", 4, "shaders may run from it")));
#define ENTRY(name_, title_)                                   \
    static const struct gpudbg_format name_ = {.name = #name_, \
        .doc = title_,                                         \
        .bits = 64,                                            \
        .fields = name_##_fields,                              \
        .count = sizeof name_##_fields / sizeof *name_##_fields}
ENTRY(pde, "an entry of a page directory");
ENTRY(pte, "an entry of a page table");
ENTRY(pde8, "an entry of a page directory of gfx8");
ENTRY(pte8, "an entry of a page table of gfx8");

struct walk {
    const struct gpudbg_paging *p;
    gpudbg_level_fn *each;
    void *to;
    struct gpudbg_translation *out;
};

/* Reads and reports the entry; false: the walk ends here. */
static bool level(const struct walk *w, const char *what, const struct gpudbg_format *format, uint64_t table,
    uint64_t index, uint64_t *value)
{
    uint8_t bytes[8];
    struct gpudbg_level l = {.what = what, .index = index, .addr = table + 8 * index, .format = format};
    l.held = w->p->memory(w->p->from, l.addr, bytes, sizeof bytes);
    *value = l.value = l.held ? le_u64(bytes) : 0;
    w->each(w->to, &l);
    if (!l.held)
        snprintf(w->out->why, sizeof w->out->why, "no open dump holds memory at 0x%" PRIx64, l.addr);
    else if (!(*value & VALID))
        snprintf(w->out->why, sizeof w->out->why, "the %s is not valid: nothing is mapped there", what);
    return l.held && *value & VALID;
}

static bool number(const struct gpudbg_paging *p, unsigned context, const char *what, uint64_t *value)
{
    char name[64];
    snprintf(name, sizeof name, "VM_CONTEXT%u_%s", context, what);
    return p->reg(p->from, name, value);
}

bool gcn_translate(const struct gpudbg_paging *p, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
    struct gpudbg_translation *out)
{
    const struct walk w = {p, each, to, out};
    const bool gfx8 = strcmp(p->family, "gfx8") == 0;
    const unsigned context = space ? 1 : 0; /* the context with the settings of the space */
    uint64_t cntl, base, start = 0, end, entry;
    if (space >= SPACES || !number(p, space, "PAGE_TABLE_BASE_ADDR", &base) || !number(p, context, "CNTL", &cntl))
        return false;
    number(p, context, "PAGE_TABLE_START_ADDR", &start);
    const uint64_t page = addr >> PAGE_BITS;
    const unsigned depth = cntl >> 1 & 3, block = LEAST_BLOCK + (cntl >> 24 & 15);
    if (!(cntl & 1)) {
        snprintf(out->why, sizeof out->why, "the address space is off");
        return true;
    }
    if (page < start || (number(p, context, "PAGE_TABLE_END_ADDR", &end) && page > end)) {
        snprintf(out->why, sizeof out->why, "it lies outside of what the address space maps");
        return true;
    }
    if (depth > 1) {
        snprintf(out->why, sizeof out->why, "its tables have %u levels, which no driver uses", depth + 1);
        return true;
    }
    uint64_t table = base << PAGE_BITS, index = page - start;
    if (depth) {
        if (!level(&w, "directory entry", gfx8 ? &pde8 : &pde, table, index >> block, &entry)) return true;
        table = entry & ADDRESS;
        index &= (UINT64_C(1) << block) - 1;
    }
    if (!level(&w, "page table entry", gfx8 ? &pte8 : &pte, table, index, &entry)) return true;
    out->whole = true;
    out->physical = (entry & ADDRESS) | (addr & 0xfff);
    out->system = entry & SYSTEM;
    return true;
}
