/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code_object.c: AMDGPU ELF code objects: HSA 1 to 6 and Mesa's.  Fills the image's kernels and, for each, a struct
 * gcn_abi that describes the kernel's start. Sources: LLVM AMDGPU usage guide (code object metadata, kernel
 * descriptor); amd_kernel_code_t as clang 14 and 19 write it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files/abi.h"
#include "gcn.h"
#include "files/notes.h"
#include "files/pal.h"
#include "files/printf.h"

enum { EM_AMDGPU = 224, OSABI_NONE = 0, OSABI_HSA = 0x40, OSABI_PAL = 0x41, OSABI_MESA = 0x42 };
enum {
    NOTE_V2_VERSION = 1,
    NOTE_V2_ISA = 3,
    NOTE_V2_METADATA = 10,
    NOTE_V2_TARGET = 11,
    NOTE_PAL = 12,
    NOTE_METADATA = 32
};

/* ---- The chip ---- */

#define CHIP_ISA(id) &gcn_chips[GCN_CHIP_##id].isa
static const struct gpudbg_chip targets[] = {
#define TARGET(machine, name, family, isa, words) {machine, name, family, isa, words},
#include "files/targets.def"
};

bool gcn_chip_named(size_t i, struct gpudbg_chip *chip)
{
    if (i >= sizeof targets / sizeof *targets) return false;
    *chip = targets[i];
    return true;
}

/* The chip with this major number in LLVM's names; NULL: its code is not read. */
static const struct gpudbg_isa *isa_of_major(uint32_t major)
{
    for (size_t i = 0; i < GCN_CHIPS; i++)
        if (major && gcn_chips[i].major == major) return &gcn_chips[i].isa;
    return NULL;
}

/* By its number, or by name where that is not NULL; NULL: unknown. */
static const struct gpudbg_chip *target_of(uint32_t machine, const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (name ? strcmp(targets[i].name, name) == 0 : targets[i].number == machine) return &targets[i];
    return NULL;
}

/* The contents of the file's notes. */
struct notes {
    json_t *metadata;
    const char *problem;
    uint32_t version; /* of the code object; 0: not given */
    uint32_t
        isa[3]; /* major, minor, stepping; 0: not given.  Files of code object 1 and early ones of 2 name the chip only
                   here */
};

static bool check_target(
    struct gpudbg_image *image, const struct gpudbg_elf *elf, const struct notes *notes, struct gpudbg_error *err)
{
    const uint32_t machine = elf->flags & 0xff, *isa = notes->isa;
    char text[64];
    if (machine)
        snprintf(text, sizeof text, "AMD's machine 0x%02" PRIx32, machine);
    else
        snprintf(text, sizeof text, "gfx%" PRIu32 "%" PRIu32 "%" PRIx32, isa[0], isa[1], isa[2]);
    if (!machine && !isa[0]) { /* the file does not name its chip */
        if (!image->isa) image->isa = gcn_usual;
        return true;
    }
    struct gpudbg_chip unknown = {.number = machine,
        .name = gpudbg_image_string(image, text, strlen(text)),
        .isa = machine ? NULL : isa_of_major(isa[0])};
    const struct gpudbg_chip *chip = target_of(machine, machine ? NULL : text);
    if (!chip) chip = &unknown;
    gpudbg_image_fact(image, "target", chip->name, 0);
    return gpudbg_image_chip(image, chip, err);
}

/* ---- Notes ---- */

static bool take_note(void *to, const char *owner, uint32_t type, const uint8_t *desc, size_t size)
{
    struct notes *n = to;
    if (strcmp(owner, "AMD") == 0 && type == NOTE_V2_VERSION && size >= 8) n->version = (uint32_t)le_get(desc, 4);
    if (strcmp(owner, "AMD") == 0 && type == NOTE_V2_ISA && size >= 16)
        for (size_t i = 0; i < 3; i++) n->isa[i] = (uint32_t)le_get(desc + 4 + 4 * i, 4);
    if (n->metadata) return true;
    if (strcmp(owner, "AMDGPU") == 0 && type == NOTE_METADATA)
        n->metadata = gcn_notes_msgpack(desc, size, &n->problem);
    else if (strcmp(owner, "AMD") == 0 && type == NOTE_V2_METADATA)
        n->metadata = gcn_notes_yaml(desc, size, &n->problem);
    else if (strcmp(owner, "AMD") == 0 && type == NOTE_PAL)
        n->metadata = gcn_pal_pairs(desc, size);
    return true;
}

/* A member by its name in code object 3 and later, or by its name in 2. */
static json_t *member(const json_t *o, const char *name, const char *old)
{
    json_t *v = json_object_get(o, name);
    return v ? v : json_object_get(o, old);
}

static const char *text_of(const json_t *o, const char *name, const char *old)
{
    return json_string_value(member(o, name, old));
}

static uint32_t number_of(const json_t *o, const char *name, const char *old)
{
    json_int_t v = json_integer_value(member(o, name, old));
    return v < 0 || v > UINT32_MAX ? 0 : (uint32_t)v;
}

static uint8_t param_kind(const char *value_kind)
{
    static const struct {
        const char *name, *old;
        uint8_t kind;
    } kinds[] = {
        {"by_value", "ByValue", GPUDBG_PARAM_VALUE},
        {"global_buffer", "GlobalBuffer", GPUDBG_PARAM_BUFFER},
        {"dynamic_shared_pointer", "DynamicSharedPointer", GPUDBG_PARAM_LOCAL},
        {"image", "Image", GPUDBG_PARAM_IMAGE},
        {"sampler", "Sampler", GPUDBG_PARAM_SAMPLER},
    };
    for (size_t i = 0; value_kind && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(value_kind, kinds[i].name) || !strcmp(value_kind, kinds[i].old)) return kinds[i].kind;
    return GPUDBG_PARAM_OTHER;
}

#define PARAMS_MOST 1024

static bool read_params(struct gpudbg_image *image, struct gpudbg_kernel *k, struct gcn_abi *abi, const json_t *meta,
    struct gpudbg_error *err)
{
    const json_t *args = member(meta, ".args", "Args"), *arg;
    size_t i, n = json_array_size(args);
    uint32_t end = 0;
    if (n > PARAMS_MOST)
        return gpudbg_fail(
            err, "too-large", "kernel %s has %zu arguments: %d are the most", k->name, n, (int)PARAMS_MOST);
    struct gcn_hidden *hidden = gpudbg_image_alloc(image, (n + 1) * sizeof *hidden);
    if (!hidden) return gpudbg_fail(err, "too-large", "kernel %s: no memory for %zu arguments", k->name, n);
    abi->hidden = hidden;
    json_array_foreach(args, i, arg)
    {
        const char *kind = text_of(arg, ".value_kind", "ValueKind"), *name = text_of(arg, ".name", "Name");
        const char *type = text_of(arg, ".type_name", "TypeName");
        uint32_t size = number_of(arg, ".size", "Size"), align = number_of(arg, ".align", "Align");
        /* Code object 2 gives alignments, later ones offsets. */
        const json_t *place = json_object_get(arg, ".offset");
        if (align == 0 || align > 256 || align & (align - 1)) align = 1;
        uint64_t offset = place ? number_of(arg, ".offset", "") : ((uint64_t)end + align - 1) & ~(uint64_t)(align - 1);
        if (offset + size > 65536)
            return gpudbg_fail(err, "bad-offset",
                "kernel %s: argument %zu at 0x%" PRIx64 " has %u bytes: arguments end at 65536", k->name, i, offset,
                size);
        end = (uint32_t)offset + size;
        if (kind && strncmp(kind, "hidden", 6) * strncmp(kind, "Hidden", 6) == 0) {
            hidden[abi->nhidden++] = (struct gcn_hidden){(uint32_t)offset, size, gcn_hidden_kind(kind)};
            continue;
        }
        struct gpudbg_param *p = gpudbg_kernel_param(image, k);
        *p = (struct gpudbg_param){.name = name ? gpudbg_image_string(image, name, strlen(name)) : NULL,
            .type = type ? gpudbg_image_string(image, type, strlen(type)) : NULL,
            .kind = param_kind(kind),
            .scalar = gpudbg_scalar_of(type),
            .offset = (uint32_t)offset,
            .size = size,
            .align = align > 1 ? align : size};
        /* For LDS, it is the memory at the pointer that has to be aligned. */
        if (p->kind == GPUDBG_PARAM_LOCAL) p->align = number_of(arg, ".pointee_align", "PointeeAlign");
    }
    return true;
}

static void read_meta(struct gpudbg_image *image, struct gpudbg_kernel *k, const json_t *meta)
{
    const json_t *props = json_object_get(meta, "CodeProps"), *attrs = json_object_get(meta, "Attrs");
    const json_t *reqd = member(meta, ".reqd_workgroup_size", ""), *m = props ? props : meta;
    static const struct {
        const char *name, *old, *key;
    } facts[] = {
        {".sgpr_count", "NumSGPRs", "sgprs"},
        {".vgpr_count", "NumVGPRs", "vgprs"},
        {".sgpr_spill_count", "NumSpilledSGPRs", "sgpr_spills"},
        {".vgpr_spill_count", "NumSpilledVGPRs", "vgpr_spills"},
    };
    if (!reqd) reqd = json_object_get(attrs, "ReqdWorkGroupSize");
    for (size_t i = 0; i < 3; i++) k->reqd_local[i] = (uint32_t)json_integer_value(json_array_get(reqd, i));
    k->max_local = number_of(m, ".max_flat_workgroup_size", "MaxFlatWorkGroupSize");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (member(m, facts[i].name, facts[i].old))
            gpudbg_kernel_fact(image, k, facts[i].key, number_of(m, facts[i].name, facts[i].old));
    if (json_is_true(json_object_get(meta, ".uses_dynamic_stack"))) gpudbg_kernel_fact(image, k, "dynamic_stack", 1);
}

/* ---- Descriptors ---- */

/* HSA 3 on: 64 bytes at symbol K.kd. */
static bool read_descriptor(const struct gpudbg_image *image, const struct gpudbg_symbol *kd, struct gcn_abi *abi,
    uint64_t *entry, struct gpudbg_error *err)
{
    uint8_t d[64];
    size_t n = 0;
    if (!gpudbg_image_bytes(image, kd->addr, &n) || n < sizeof d)
        return gpudbg_fail(
            err, "truncated", "kernel descriptor %s: %zu bytes at 0x%" PRIx64 ", not 64", kd->name, n, kd->addr);
    gpudbg_image_copy(image, kd->addr, d, sizeof d); /* with the relocations of a relocatable file */
    abi->lds_size = (uint32_t)le_get(d, 4);
    abi->private_size = (uint32_t)le_get(d + 4, 4);
    abi->kernarg_size = (uint32_t)le_get(d + 8, 4);
    *entry = kd->addr + le_get(d + 16, 8);
    abi->rsrc3 = (uint32_t)le_get(d + 44, 4);
    abi->rsrc1 = (uint32_t)le_get(d + 48, 4);
    abi->rsrc2 = (uint32_t)le_get(d + 52, 4);
    abi->properties = (uint16_t)le_get(d + 56, 2);
    abi->object = kd->addr;
    return true;
}

/* HSA 1 and 2, and Mesa: amd_kernel_code_t, 256 bytes in front of the code.  The finaliser of HSA 1 leaves the version
 * of the machine 0. */
static bool is_code_t(const uint8_t *h, size_t n)
{
    const uint64_t major = n >= 256 ? le_get(h + 10, 2) : 0;
    return n >= 256 && le_get(h, 4) == 1 && le_get(h + 8, 2) == 1 &&
           (major == 6 || major == 7 || major == 10 || le_get(h + 10, 6) == 0);
}

static bool read_code_t(const struct gpudbg_image *image, const struct gpudbg_symbol *sym, struct gcn_abi *abi,
    uint64_t *entry, struct gpudbg_error *err)
{
    size_t n = 0;
    const uint8_t *h = gpudbg_image_bytes(image, sym->addr, &n);
    if (!h || !is_code_t(h, n))
        return gpudbg_fail(
            err, "truncated", "kernel %s: the file has no amd_kernel_code_t at 0x%" PRIx64, sym->name, sym->addr);
    abi->rsrc1 = (uint32_t)le_get(h + 48, 4);
    abi->rsrc2 = (uint32_t)le_get(h + 52, 4);
    abi->properties = (uint16_t)le_get(h + 56, 2) & 0x7f;
    abi->private_size = (uint32_t)le_get(h + 60, 4);
    abi->lds_size = (uint32_t)le_get(h + 64, 4);
    abi->kernarg_size = (uint32_t)le_get(h + 72, 4);
    abi->object = sym->addr;
    *entry = sym->addr + le_get(h + 16, 8);
    return true;
}

/* ---- Kernels ---- */

static const char *const abi_names[] = {[GCN_HSA_V2] = "hsa-v2",
    [GCN_HSA_V3] = "hsa-v3",
    [GCN_HSA_V4] = "hsa-v4",
    [GCN_HSA_V5] = "hsa-v5",
    [GCN_HSA_V6] = "hsa-v6",
    [GCN_MESA] = "mesa"};

/* Tables that are used while kernels are added: functions by address, metadata by the symbol that it names. */
struct function {
    uint64_t addr, size;
    size_t number;
};

struct known {
    struct function *function;
    size_t nfunctions;
    json_t *meta;
    const struct gcn_printfs *printfs;
};

static int by_addr(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The size of the first function of the table at the address; 0: none. */
static uint64_t function_size(const struct known *known, uint64_t addr)
{
    size_t lo = 0, hi = known->nfunctions;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (known->function[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < known->nfunctions && known->function[lo].addr == addr ? known->function[lo].size : 0;
}

/* What only descriptors of newer chips say. */
static void newer_facts(struct gpudbg_image *image, struct gpudbg_kernel *k, const struct gcn_abi *abi)
{
    gpudbg_kernel_fact(image, k, "wave_size", abi->properties & GCN_WAVES_OF_32 ? 32 : 64);
    gpudbg_kernel_fact(image, k, "wgp_mode", GET(abi->rsrc1, RSRC1_NEWER, wgp_mode));
    gpudbg_kernel_fact(image, k, "mem_ordered", GET(abi->rsrc1, RSRC1_NEWER, mem_ordered));
    gpudbg_kernel_fact(image, k, "forward_progress", GET(abi->rsrc1, RSRC1_NEWER, fwd_progress));
    gpudbg_kernel_fact(image, k, "shared_vgprs", 8 * GET(abi->rsrc3, RSRC3_NEWER, shared_vgprs));
}

static bool add_kernel(struct gpudbg_image *image, enum gcn_abi_kind kind, const char *name,
    const struct gpudbg_symbol *sym, const struct known *known, struct gpudbg_error *err)
{
    const json_t *meta = json_object_get(known->meta, sym->name);
    struct gcn_abi *abi = gpudbg_image_alloc(image, sizeof *abi);
    uint64_t entry = 0;
    size_t n = 0;
    if (!abi) return gpudbg_fail(err, "too-large", "kernel %s: no memory for one more kernel", name);
    abi->kind = kind;
    abi->printfs = known->printfs;
    const bool in_code = kind == GCN_HSA_V2 || kind == GCN_MESA, newer = gcn_chip_of(image->isa)->newer_vop3;
    if (!(in_code ? read_code_t(image, sym, abi, &entry, err) : read_descriptor(image, sym, abi, &entry, err)))
        return false;
    if (!gpudbg_image_bytes(image, entry, &n) || entry & 3)
        return gpudbg_fail(
            err, "bad-offset", "kernel %s: its entry 0x%" PRIx64 " is not in the code of this file", name, entry);
    struct gpudbg_kernel *k = gpudbg_image_kernel(image, name, entry);
    const struct gpudbg_symbol header = *sym;
    k->size = !in_code                            ? function_size(known, entry)
              : header.addr + header.size > entry ? header.addr + header.size - entry
                                                  : 0;
    if (in_code) { /* the header is in the code section: an object there is listed as data */
        char text[256];
        snprintf(text, sizeof text, "%s.amd_kernel_code_t", name);
        gpudbg_image_symbol(image, text, header.addr, 256, GPUDBG_SYM_OBJECT);
    }
    k->lds = abi->lds_size;
    k->scratch = abi->private_size;
    k->kernarg = abi->kernarg_size;
    k->dimensions = (uint8_t)(GET(abi->rsrc2, RSRC2, tidig_comp_cnt) + 1);
    k->abi = abi;
    k->abi_name = abi_names[kind];
    if (meta) {
        read_meta(image, k, meta);
        if (!read_params(image, k, abi, meta, err)) return false;
    } else if (newer) {
        const uint32_t fours = GCN_RSRC1_VGPRS(abi->rsrc1);
        gpudbg_kernel_fact(image, k, "vgprs", abi->properties & GCN_WAVES_OF_32 ? 2 * fours : fours);
    } else {
        gpudbg_kernel_fact(image, k, "sgprs", GCN_RSRC1_SGPRS(abi->rsrc1));
        gpudbg_kernel_fact(image, k, "vgprs", GCN_RSRC1_VGPRS(abi->rsrc1));
    }
    if (newer) newer_facts(image, k, abi);
    return true;
}

/* By the symbol of a kernel's descriptor or code; code object 2 writes "@kd" after it. */
static json_t *meta_by_symbol(const json_t *metadata)
{
    json_t *all = json_object(), *k;
    size_t i;
    json_array_foreach(member(metadata, "amdhsa.kernels", "Kernels"), i, k)
    {
        const char *name = text_of(k, ".symbol", "SymbolName");
        size_t n = name ? strlen(name) : 0;
        char *symbol = name ? strndup(name, n > 3 && strcmp(name + n - 3, "@kd") == 0 ? n - 3 : n) : NULL;
        if (symbol && !json_object_get(all, symbol)) json_object_set_nocheck(all, symbol, k);
        free(symbol);
    }
    return all;
}

/* false: no memory; forget() frees the tables. */
static bool know(struct known *known, struct gpudbg_image *image, const json_t *metadata)
{
    size_t n = 0;
    known->printfs = gcn_printfs_read(image, member(metadata, "amdhsa.printf", "Printf"));
    known->meta = meta_by_symbol(metadata);
    known->function = calloc(image->nsymbols + 1, sizeof *known->function);
    known->nfunctions = 0;
    if (!known->meta || !known->function) return false;
    for (size_t i = 0; i < image->nsymbols; i++)
        if (image->symbols[i].kind == GPUDBG_SYM_FUNCTION)
            known->function[n++] = (struct function){image->symbols[i].addr, image->symbols[i].size, i};
    qsort(known->function, n, sizeof *known->function, by_addr);
    known->nfunctions = n;
    return true;
}

static void forget(struct known *known)
{
    json_decref(known->meta);
    free(known->function);
}

static bool has_kernel(const struct gpudbg_image *image, const char *name)
{
    return gpudbg_image_kernel_named(image, name) != NULL;
}

/* Descriptors are symbols NAME.kd; the metadata, when it is there, only adds to them. */
static bool add_hsa(
    struct gpudbg_image *image, enum gcn_abi_kind kind, const struct known *known, struct gpudbg_error *err)
{
    for (size_t i = 0; i < image->nsymbols; i++) {
        struct gpudbg_symbol sym = image->symbols[i]; /* a copy: the table may move */
        size_t n = strlen(sym.name);
        if (n < 4 || strcmp(sym.name + n - 3, ".kd") != 0) continue;
        const char *name = gpudbg_image_string(image, sym.name, n - 3);
        if (!has_kernel(image, name) && !add_kernel(image, kind, name, &sym, known, err)) return false;
    }
    return true;
}

static bool add_in_code(
    struct gpudbg_image *image, enum gcn_abi_kind kind, const struct known *known, struct gpudbg_error *err)
{
    size_t count = image->nsymbols;
    for (size_t i = 0; i < count; i++) {
        struct gpudbg_symbol sym = image->symbols[i];
        const struct gpudbg_section *s = gpudbg_image_at(image, sym.addr);
        size_t n = 0;
        const uint8_t *h = gpudbg_image_bytes(image, sym.addr, &n);
        if (sym.kind == GPUDBG_SYM_OBJECT || sym.kind == GPUDBG_SYM_LABEL || sym.kind == GPUDBG_SYM_UNDEFINED || !s ||
            !(s->flags & GPUDBG_CODE_BYTES))
            continue;
        if (sym.kind == GPUDBG_SYM_FUNCTION && !(h && is_code_t(h, n))) continue; /* a plain function */
        if (has_kernel(image, sym.name)) continue;
        if (!add_kernel(image, kind, sym.name, &sym, known, err)) return false;
    }
    return true;
}

/* ---- Relocations ---- */

/* R_AMDGPU_*, by number.  Words of code that a linker fills in; an undefined symbol gives an address without memory.
 */
#define NOWHERE UINT64_C(0x7fff00000000)

static void relocate(void *to, uint32_t type, uint64_t place, uint64_t symbol, int64_t addend)
{
    struct gpudbg_image *image = to;
    uint64_t s = (symbol == GPUDBG_UNDEFINED ? NOWHERE : symbol) + (uint64_t)addend;
    switch (type) {
    case 1: gpudbg_image_patch(image, place, s & 0xffffffff, 4); break;            /* ABS32_LO */
    case 2: gpudbg_image_patch(image, place, s >> 32, 4); break;                   /* ABS32_HI */
    case 3: gpudbg_image_patch(image, place, s, 8); break;                         /* ABS64 */
    case 4: gpudbg_image_patch(image, place, (s - place) & 0xffffffff, 4); break;  /* REL32 */
    case 5: gpudbg_image_patch(image, place, s - place, 8); break;                 /* REL64 */
    case 6: gpudbg_image_patch(image, place, s & 0xffffffff, 4); break;            /* ABS32 */
    case 10: gpudbg_image_patch(image, place, (s - place) & 0xffffffff, 4); break; /* REL32_LO */
    case 11: gpudbg_image_patch(image, place, (s - place) >> 32, 4); break;        /* REL32_HI */
    case 13: gpudbg_image_patch(image, place, (uint64_t)addend, 8); break;         /* RELATIVE64: the image is at 0 */
    case 0: break;
    default: gpudbg_image_fact(image, "relocation", "of a type that is not applied", type);
    }
}

/* ---- The loader ---- */

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n < 20 || memcmp(b, "\177ELF", 4) != 0 || le_get(b + 18, 2) != EM_AMDGPU) return 0;
    *why = b[7] == OSABI_HSA    ? "ELF for AMD GPU, OS ABI 0x40 (HSA)"
           : b[7] == OSABI_MESA ? "ELF for AMD GPU, OS ABI 0x42 (Mesa 3D)"
           : b[7] == OSABI_PAL  ? "ELF for AMD GPU, OS ABI 0x41 (PAL)"
                                : "ELF for AMD GPU";
    return 90;
}

static bool load_kernels(
    struct gpudbg_image *image, const struct gpudbg_elf *elf, const struct known *known, struct gpudbg_error *err)
{
    switch (elf->osabi) {
    case OSABI_HSA:
        if (elf->abi_version == 0) return add_in_code(image, GCN_HSA_V2, known, err);
        if (elf->abi_version > 4)
            return gpudbg_fail(
                err, "unsupported", "code object version %u is not known: 1 to 6 are", elf->abi_version + 2);
        return add_hsa(image, (enum gcn_abi_kind)(GCN_HSA_V2 + elf->abi_version), known, err);
    case OSABI_MESA: return add_in_code(image, GCN_MESA, known, err);
    default: return true; /* code and symbols, no kernels: they can be read, and launched as bare code */
    }
}

/* Chips with two sizes of waves: the first kernel's descriptor, or the pipeline, says which one its code is for. */
static void set_wave_size(struct gpudbg_image *image, const json_t *metadata)
{
    const struct gpudbg_isa *other = gcn_chip_of(image->isa)->waves_of_64;
    if (other && gcn_pal_lanes(metadata) == 64) image->isa = other;
    for (size_t i = 0; i < image->nsymbols; i++) {
        const struct gpudbg_symbol *kd = &image->symbols[i];
        const size_t n = strlen(kd->name);
        size_t left = 0;
        const uint8_t *d = n > 3 && strcmp(kd->name + n - 3, ".kd") == 0 ? gpudbg_image_bytes(image, kd->addr, &left)
                                                                         : NULL;
        if (!d || left < 64) continue;
        if (other && !(le_get(d + 56, 2) & GCN_WAVES_OF_32)) image->isa = other;
        return;
    }
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct gpudbg_elf elf;
    struct notes notes = {0};
    char text[48];
    if (!gpudbg_elf_load(image, &elf, err)) return false;
    bool done = gpudbg_elf_notes(image, take_note, &notes, err) && check_target(image, &elf, &notes, err);
    if (done) {
        if (elf.osabi == OSABI_HSA) {
            snprintf(
                text, sizeof text, "code object %u", !elf.abi_version && notes.version == 1 ? 1 : elf.abi_version + 2u);
            gpudbg_image_fact(image, "container", text, 0);
        }
        if (elf.osabi == OSABI_PAL) gcn_pal_facts(image, notes.metadata);
        gpudbg_image_fact(image, "linked", elf.relocatable ? "no, relocatable" : "yes", 0);
        if (notes.problem) gpudbg_image_fact(image, "metadata", notes.problem, 0);
        gpudbg_elf_relocations(image, relocate, image);
    }
    if (done && is_gcn(image->isa)) {
        set_wave_size(image, notes.metadata);
        struct known known;
        done = know(&known, image, notes.metadata) ||
               gpudbg_fail(err, "memory", "no memory for %zu symbols", image->nsymbols);
        done = done && load_kernels(image, &elf, &known, err);
        forget(&known);
    }
    json_decref(notes.metadata);
    return done;
}

const struct gpudbg_loader gcn_elf_loader = {
    .name = "amdgpu-elf",
    .summary = "AMDGPU ELF code objects: HSA versions 1 to 6, and Mesa",
    .probe = probe,
    .load = load,
};
