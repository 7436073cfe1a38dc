/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_patch.c: Intel's OpenCL device binaries with patch tokens, bare or in the ELF that ocloc wraps around them.  A
 * program header, the program's tokens; then for each kernel a header, its name, its heaps (code, general, dynamic,
 * surface states) and its tokens, each a number, a size and words.  Source: files of ocloc for DG1, read to the last
 * byte.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files/making.h"
#include "files/products.h"
#include "gpudbg/endian.h"
#include "gen.h"

#define MAGIC "CTNI"
#define DEVICE_SECTION "Intel(R) OpenCL Device Binary"
#define DEBUG_SECTION "Intel(R) OpenCL Device Debug"
#define DUMMY_KERNEL "Intel_Symbol_Table_Void_Program"
enum {
    PROGRAM_HEADER = 28,
    KERNEL_HEADER = 40,
    DEBUG_KERNEL_HEADER = 12,
    VERSION_KNOWN = 1081,
    ET_OPENCL = 0xff04,
    KERNELS_MOST = 65536,
    SURFACES_MOST = 240
};

enum token {
    TOKEN_SAMPLERS = 5,
    TOKEN_BINDING_TABLE = 8,
    TOKEN_IMAGE = 12,
    TOKEN_LOCAL_MEMORY = 15,
    TOKEN_SAMPLER = 16,
    TOKEN_DATA_PARAMETER = 17,
    TOKEN_SCRATCH = 18,
    TOKEN_THREAD_PAYLOAD = 22,
    TOKEN_ENVIRONMENT = 23,
    TOKEN_STREAM = 25,
    TOKEN_ARGUMENT = 26,
    TOKEN_STRING = 28,
    TOKEN_STATELESS_GLOBAL = 30,
    TOKEN_STATELESS_CONSTANT = 31,
    TOKEN_PRINTF = 33,
    TOKEN_PRIVATE = 38,
    TOKEN_GLOBAL_DATA = 41,
    TOKEN_CONSTANT_DATA = 42,
    TOKEN_PROGRAM_GLOBAL = 43,
    TOKEN_PROGRAM_CONSTANT = 44,
    TOKEN_GLOBAL_POINTER = 47,
    TOKEN_CONSTANT_POINTER = 48,
    TOKEN_SYMBOLS = 53,
    TOKEN_RELOCATIONS = 54,
};

/* ---- Bounded reading ---- */

/* A run of the file's bytes; they are taken from the front. */
struct run {
    const struct gpudbg_image *image;
    const uint8_t *at;
    size_t size;
};

static bool take(struct run *from, uint64_t size, const char *what, struct run *out, struct gpudbg_error *err)
{
    *out = (struct run){from->image, from->at, size <= from->size ? (size_t)size : 0};
    if (size > from->size) {
        err->offset = from->at - from->image->bytes;
        return gpudbg_fail(
            err, "truncated", "%s takes %" PRIu64 " bytes, the file has only %zu", what, size, from->size);
    }
    from->at += size;
    from->size -= (size_t)size;
    return true;
}

/* Past the end: 0.  Later compilers append words to a token, earlier ones have fewer. */
static uint32_t word(const struct run *r, size_t index)
{
    if (index >= r->size / 4) return 0;
    return le_u32(r->at + 4 * index);
}

struct patch_token {
    uint32_t id;
    struct run body, data; /* data: raw bytes that follow the token */
};

/* false without err->kind: no more tokens. */
static bool next_token(struct run *list, struct patch_token *t, struct gpudbg_error *err)
{
    struct run head;
    char what[32];
    if (list->size == 0 || !take(list, 8, "patch token", &head, err)) return false;
    t->id = word(&head, 0);
    uint32_t size = word(&head, 1);
    snprintf(what, sizeof what, "patch token %" PRIu32, t->id);
    if (size < 8) {
        err->offset = head.at - head.image->bytes;
        return gpudbg_fail(err, "bad-offset", "%s: %" PRIu32 " bytes are too few: its head alone has 8", what, size);
    }
    if (!take(list, size - 8, what, &t->body, err)) return false;
    uint32_t extra = t->id == TOKEN_CONSTANT_DATA ? word(&t->body, 1)
                     : t->id == TOKEN_GLOBAL_DATA ? word(&t->body, 2)
                                                  : 0;
    return take(list, extra, what, &t->data, err);
}

/* ---- The program ---- */

struct program {
    struct gpudbg_image *image;
    uint64_t next;                      /* address for the next section */
    uint64_t constants, constants_size; /* the program's: address, size */
    uint64_t globals, globals_size;
};

static uint64_t place(struct program *p, const char *name, struct run bytes, uint32_t flags)
{
    uint64_t addr = p->next;
    gpudbg_image_section(p->image, name, addr, bytes.size, bytes.at, flags | GPUDBG_LOADED);
    p->next = (addr + bytes.size + 63) & ~UINT64_C(63);
    return addr;
}

static bool place_data(struct program *p, struct run tokens, struct gpudbg_error *err)
{
    struct patch_token t;
    while (next_token(&tokens, &t, err)) {
        bool constants = t.id == TOKEN_CONSTANT_DATA;
        if ((!constants && t.id != TOKEN_GLOBAL_DATA) || !t.data.size) continue;
        uint64_t *addr = constants ? &p->constants : &p->globals,
                 *size = constants ? &p->constants_size : &p->globals_size;
        if (*size)
            return gpudbg_fail(
                err, "unsupported", "patch token %" PRIu32 ": the program has a second buffer of its kind", t.id);
        *addr = place(p, constants ? ".data.const" : ".data.global", t.data, constants ? 0 : GPUDBG_WRITABLE);
        *size = t.data.size;
    }
    return !err->kind;
}

/* Pointers among the program's variables: the address of a buffer is added to the value there. */
static bool relocate_data(struct program *p, struct run tokens, struct gpudbg_error *err)
{
    struct patch_token t;
    while (next_token(&tokens, &t, err)) {
        if (t.id != TOKEN_CONSTANT_POINTER && t.id != TOKEN_GLOBAL_POINTER) continue;
        bool in_constants = t.id == TOKEN_CONSTANT_POINTER, to_constants = word(&t.body, 3) == 1;
        uint64_t offset = word(&t.body, 1) | (uint64_t)word(&t.body, 2) << 32;
        uint64_t size = in_constants ? p->constants_size : p->globals_size,
                 addr = in_constants ? p->constants : p->globals;
        if (size < 8 || offset > size - 8)
            return gpudbg_fail(err, "bad-offset",
                "patch token %" PRIu32 ": the pointer at 0x%" PRIx64 " is outside its buffer of %" PRIu64 " bytes",
                t.id, offset, size);
        uint8_t there[8];
        gpudbg_image_copy(p->image, addr + offset, there, sizeof there);
        gpudbg_image_patch(
            p->image, addr + offset, (to_constants ? p->constants : p->globals) + le_u64(there), sizeof there);
    }
    return !err->kind;
}

/* ---- Linking: unoptimised code names the program's variables ----
 *
 * A list is a count and its entries: a symbol is kind, offset, size and a name; a relocation is type, offset in the
 * kernel's code and the symbol's name.  Names have 1024 bytes.  The symbols are listed with a kernel that nobody
 * launches. */

enum { NAME_BYTES = 1024, SYMBOL_BYTES = 12 + NAME_BYTES, RELOCATION_BYTES = 8 + NAME_BYTES };
enum { SYMBOL_GLOBAL = 3, SYMBOL_CONSTANT = 4 };
enum { RELOCATION_64 = 1, RELOCATION_LOW = 2, RELOCATION_HIGH = 3 };

struct symbol {
    const char *name; /* NAME_BYTES of the file, perhaps without a zero at the end */
    uint64_t addr;
};

struct symbols {
    struct symbol *row;
    size_t count;
};

/* The number of entries of a list: the one that it gives, but no more than it has room for. */
static size_t entries(const struct run *list, size_t bytes)
{
    size_t there = list->size > 4 ? (list->size - 4) / bytes : 0;
    return word(list, 0) < there ? word(list, 0) : there;
}

static struct run entry(const struct run *list, size_t index, size_t bytes)
{
    return (struct run){list->image, list->at + 4 + index * bytes, bytes};
}

static int by_name(const void *a, const void *b)
{
    return strncmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name, NAME_BYTES);
}

static void add_symbols(const struct program *p, struct run tokens, struct symbols *to)
{
    struct patch_token t;
    struct gpudbg_error err = {0};
    while (next_token(&tokens, &t, &err))
        for (size_t i = 0; t.id == TOKEN_SYMBOLS && i < entries(&t.body, SYMBOL_BYTES); i++) {
            struct run e = entry(&t.body, i, SYMBOL_BYTES);
            uint32_t kind = word(&e, 0);
            bool known = (kind == SYMBOL_GLOBAL && p->globals_size) || (kind == SYMBOL_CONSTANT && p->constants_size);
            if (known && to->row)
                to->row[to->count] = (struct symbol){
                    (const char *)e.at + 12, (kind == SYMBOL_GLOBAL ? p->globals : p->constants) + word(&e, 1)};
            to->count += known;
        }
}

/* Applies a kernel's relocations to its code, which is at `code`. */
static bool link_kernel(const struct program *p, struct run tokens, uint64_t code, uint64_t size,
    const struct symbols *symbols, struct gpudbg_error *err)
{
    struct patch_token t;
    struct gpudbg_error end = {0};
    while (next_token(&tokens, &t, &end))
        for (size_t i = 0; t.id == TOKEN_RELOCATIONS && i < entries(&t.body, RELOCATION_BYTES); i++) {
            struct run e = entry(&t.body, i, RELOCATION_BYTES);
            struct symbol key = {.name = (const char *)e.at + 8};
            const struct symbol *s = symbols->count ? bsearch(&key, symbols->row, symbols->count, sizeof key, by_name)
                                                    : NULL;
            uint32_t type = word(&e, 0), offset = word(&e, 1);
            unsigned bytes = type == RELOCATION_64 ? 8 : 4;
            if (size < bytes || offset > size - bytes)
                return gpudbg_fail(err, "bad-offset",
                    "the relocation at 0x%" PRIx32 " is outside its kernel of %" PRIu64 " bytes", offset, size);
            if (s && type >= RELOCATION_64 && type <= RELOCATION_HIGH)
                gpudbg_image_patch(p->image, code + offset, type == RELOCATION_HIGH ? s->addr >> 32 : s->addr, bytes);
            else
                gpudbg_image_fact(p->image, "relocation", "of a type or symbol that is not applied", type);
        }
    return true;
}

/* ---- A kernel's tokens ---- */

struct kernel {
    struct program *program;
    struct gen_binary *binary;
    bool bindless;    /* buffers have no table: their offsets are places of the payload */
    uint32_t payload; /* bytes */
    struct run tokens, surface_heap, dynamic_heap;
};

/* The first binding table index whose entry is the surface state at `offset`; -1: none. */
static int bti_of(const struct kernel *k, uint32_t offset)
{
    struct run tokens = k->tokens;
    struct patch_token t;
    struct gpudbg_error err = {0};
    while (next_token(&tokens, &t, &err)) {
        if (t.id != TOKEN_BINDING_TABLE) continue;
        uint32_t table = word(&t.body, 0), count = word(&t.body, 1);
        for (uint32_t i = 0; i < count && i < SURFACES_MOST && table / 4 + i < k->surface_heap.size / 4; i++)
            if (word(&k->surface_heap, table / 4 + i) == offset) return (int)i;
    }
    return -1;
}

static void add_surface(const struct kernel *k, enum gen_surface_kind kind, int64_t param, uint32_t offset)
{
    int bti = bti_of(k, offset);
    if (bti >= 0)
        gen_making_surface(
            k->binary, (struct gen_surface){.kind = (uint8_t)kind, .bti = (uint8_t)bti, .param = (int16_t)param});
}

static const struct {
    uint32_t type;
    enum gen_payload_kind kind;
    const char *name;
    uint32_t source; /* of images and samplers */
} data_parameters[] = {
    {1, GEN_PAYLOAD_VALUE, "argument", 0},
    {2, GEN_PAYLOAD_LOCAL_SIZE, "local_size", 0},
    {3, GEN_PAYLOAD_GLOBAL_SIZE, "global_size", 0},
    {4, GEN_PAYLOAD_GROUP_COUNT, "group_count", 0},
    {5, GEN_PAYLOAD_WORK_DIM, "work_dimensions", 0},
    {8, GEN_PAYLOAD_LOCAL, "local_argument", 0},
    {9, GEN_PAYLOAD_IMAGE, "image_width", GEN_IMAGE_WIDTH},
    {10, GEN_PAYLOAD_IMAGE, "image_height", GEN_IMAGE_HEIGHT},
    {11, GEN_PAYLOAD_IMAGE, "image_depth", GEN_IMAGE_DEPTH},
    {12, GEN_PAYLOAD_IMAGE, "image_channel_data_type", GEN_IMAGE_TYPE},
    {13, GEN_PAYLOAD_IMAGE, "image_channel_order", GEN_IMAGE_ORDER},
    {14, GEN_PAYLOAD_SAMPLER, "sampler_address", GEN_SAMPLER_ADDRESS},
    {15, GEN_PAYLOAD_SAMPLER, "sampler_normalized", GEN_SAMPLER_NORMALISED},
    {16, GEN_PAYLOAD_GLOBAL_OFFSET, "global_id_offset", 0},
    {18, GEN_PAYLOAD_IMAGE, "image_array_size", GEN_IMAGE_LAYERS},
    {20, GEN_PAYLOAD_IMAGE, "image_num_samples", GEN_IMAGE_SAMPLES},
    {21, GEN_PAYLOAD_SAMPLER, "sampler_snap_wa", GEN_SAMPLER_SNAP},
    {27, GEN_PAYLOAD_IMAGE, "image_num_mip_levels", GEN_IMAGE_LEVELS},
    {28, GEN_PAYLOAD_ENQUEUED_LOCAL_SIZE, "enqueued_local_size", 0},
    {34, GEN_PAYLOAD_SIMD, "simd_size", 0},
    {42, GEN_PAYLOAD_BUFFER_OFFSET, "buffer_offset", 0},
    {43, GEN_PAYLOAD_STATEFUL, "buffer_stateful", 0},
    {44, GEN_PAYLOAD_IMAGE, "flat_image_baseoffset", GEN_IMAGE_FLAT_BASE},
    {45, GEN_PAYLOAD_IMAGE, "flat_image_width", GEN_IMAGE_FLAT_WIDTH},
    {46, GEN_PAYLOAD_IMAGE, "flat_image_height", GEN_IMAGE_FLAT_HEIGHT},
    {47, GEN_PAYLOAD_IMAGE, "flat_image_pitch", GEN_IMAGE_FLAT_PITCH},
};

static bool add_data_parameter(
    struct gpudbg_image *image, const struct kernel *k, const struct run *w, struct gpudbg_error *err)
{
    char name[32];
    struct gen_payload p = {
        .kind = GEN_PAYLOAD_UNUSED, .param = -1, .offset = word(w, 2), .size = word(w, 3), .source = word(w, 4)};
    snprintf(name, sizeof name, "data parameter %" PRIu32, word(w, 0));
    for (size_t i = 0; i < sizeof data_parameters / sizeof *data_parameters; i++)
        if (data_parameters[i].type == word(w, 0)) {
            p.kind = (uint8_t)data_parameters[i].kind;
            if (p.kind == GEN_PAYLOAD_IMAGE || p.kind == GEN_PAYLOAD_SAMPLER) p.source = data_parameters[i].source;
            snprintf(name, sizeof name, "%s", data_parameters[i].name);
        }
    p.name = gpudbg_image_string(image, name, strlen(name));
    if (p.kind <= GEN_PAYLOAD_SAMPLER) {
        if (!gen_making_param(image, word(w, 1), err)) return false;
        p.param = (int16_t)word(w, 1);
    }
    if (p.kind == GEN_PAYLOAD_LOCAL && (p.source == 0 || p.source > 4096))
        return gpudbg_fail(err, "bad-offset", "%s: alignment %" PRIu32 " is not 1 to 4096", name, p.source);
    if (p.kind == GEN_PAYLOAD_VALUE && p.source > GEN_PAYLOAD_MOST)
        return gpudbg_fail(
            err, "bad-offset", "%s: source offset %" PRIu32 " is more than %d", name, p.source, (int)GEN_PAYLOAD_MOST);
    return gen_making_payload(image, k->binary, p, err);
}

static bool add_pointer(struct gpudbg_image *image, const struct kernel *k, enum gen_payload_kind kind,
    const char *name, int64_t param, uint32_t offset, uint32_t size, struct gpudbg_error *err)
{
    if (param >= 0 && !gen_making_param(image, param, err)) return false;
    return size == 0 ||
           gen_making_payload(image, k->binary,
               (struct gen_payload){
                   .kind = (uint8_t)kind, .param = (int16_t)param, .offset = offset, .size = size, .name = name},
               err);
}

/* Five strings follow the number of the argument and their lengths. */
static bool add_argument(struct gpudbg_image *image, const struct run *w, struct gpudbg_error *err)
{
    struct run rest = *w, head, part;
    char text[5][256];
    if (!take(&rest, 24, "argument", &head, err) || !gen_making_param(image, word(&head, 0), err)) return false;
    for (size_t i = 0; i < 5; i++) {
        if (!take(&rest, word(&head, 1 + i), "text of an argument", &part, err)) return false;
        size_t n = strnlen((const char *)part.at, part.size < sizeof *text - 1 ? part.size : sizeof *text - 1);
        memcpy(text[i], part.at, n);
        text[i][n] = 0;
    }
    gen_making_describe(image, word(&head, 0), text[0], text[2], text[3]);
    return true;
}

static void read_environment(struct gpudbg_kernel *k, struct gen_binary *b, const struct run *w)
{
    for (size_t i = 0; i < 3; i++) k->reqd_local[i] = word(w, i);
    b->simd = word(w, 3) <= 32 ? (uint8_t)word(w, 3) : 255;
    b->barriers = word(w, 5);
    if (word(w, 20)) b->grfs = word(w, 20);
}

/* Sampler states of 16 bytes; the border's colour, one for all, at an offset of its own. */
static void read_samplers(const struct kernel *k, uint32_t offset, uint32_t count, uint32_t border)
{
    uint32_t colour[4];
    for (unsigned c = 0; c < 4; c++) colour[c] = word(&k->dynamic_heap, border / 4 + c);
    for (uint32_t i = 0; i < count && i < GEN_SAMPLERS; i++) {
        uint32_t state[4];
        for (unsigned n = 0; n < 4; n++) state[n] = word(&k->dynamic_heap, offset / 4 + 4 * i + n);
        gen_sampler_decode(
            state, border < offset ? colour : NULL, gen_eu_of(k->program->image->isa), &k->binary->samplers[i]);
    }
}

/* Marks the state at `offset` of the heap as given by an argument. */
static void give_sampler(const struct kernel *k, uint32_t param, uint32_t offset)
{
    struct run tokens = k->tokens;
    struct patch_token t;
    struct gpudbg_error ignored = {0};
    while (next_token(&tokens, &t, &ignored)) {
        uint32_t first = word(&t.body, 0), i = (offset - first) / 16;
        if (t.id == TOKEN_SAMPLERS && offset >= first && i < word(&t.body, 1) && i < GEN_SAMPLERS)
            k->binary->samplers[i].given = (int16_t)(param + 1);
    }
}

/* A number, the bytes of the text, and the text itself, with a 0 perhaps. */
static void read_string(struct gpudbg_image *image, struct gen_binary *b, const struct run *w)
{
    const size_t there = w->size > 8 ? w->size - 8 : 0;
    const char *text = (const char *)w->at + 8;
    if (!there || !b->strings) return;
    b->strings[b->nstrings++] = (struct gen_string){
        word(w, 0), gpudbg_image_string(image, text, strnlen(text, word(w, 1) < there ? word(w, 1) : there))};
}

static bool read_token(struct gpudbg_image *image, struct kernel *k, const struct patch_token *t, unsigned *id_blocks,
    struct gpudbg_error *err)
{
    struct gen_binary *b = k->binary;
    const struct run *w = &t->body;
    switch (t->id) {
    case TOKEN_SAMPLERS: read_samplers(k, word(w, 0), word(w, 1), word(w, 2)); return true;
    case TOKEN_IMAGE:
        if (!gen_making_param(image, word(w, 0), err)) return false;
        add_surface(k, GEN_SURFACE_PARAM, word(w, 0), word(w, 2));
        return true;
    case TOKEN_SAMPLER:
        if (!gen_making_param(image, word(w, 0), err)) return false;
        image->kernels[image->nkernels - 1].params[word(w, 0)].kind = GPUDBG_PARAM_SAMPLER;
        give_sampler(k, word(w, 0), word(w, 2));
        return true;
    case TOKEN_LOCAL_MEMORY: b->slm = word(w, 1); return true;
    case TOKEN_SCRATCH:
        if (word(w, 1) > b->scratch) b->scratch = word(w, 1);
        return true;
    case TOKEN_THREAD_PAYLOAD:
        b->skip = word(w, 12);
        b->inline_size = word(w, 14) ? 32 : 0;
        *id_blocks = (word(w, 1) != 0) + 0u + (word(w, 2) != 0) + (word(w, 3) != 0);
        return true;
    case TOKEN_ENVIRONMENT: read_environment(&image->kernels[image->nkernels - 1], b, w); return true;
    case TOKEN_STREAM:
        if (word(w, 0) > GEN_PAYLOAD_MOST)
            return gpudbg_fail(err, "bad-offset", "patch token %d: %" PRIu32 " bytes of payload: %d are the most",
                TOKEN_STREAM, word(w, 0), GEN_PAYLOAD_MOST);
        if (word(w, 0) > b->payload_size) b->payload_size = word(w, 0);
        return true;
    case TOKEN_DATA_PARAMETER: return add_data_parameter(image, k, w, err);
    case TOKEN_ARGUMENT: return add_argument(image, w, err);
    case TOKEN_STRING: read_string(image, b, w); return true;
    case TOKEN_STATELESS_GLOBAL:
    case TOKEN_STATELESS_CONSTANT:
        if (!gen_making_param(image, word(w, 0), err)) return false;
        /* ocloc 22.43 gives an argument of constant memory the place of its state, which may be outside of the payload:
         * it has no surface then. */
        if (k->bindless && word(w, 1) < k->payload && k->payload - word(w, 1) >= 4 &&
            !gen_making_bindless(image, b, (int16_t)word(w, 0), word(w, 1), 4, err))
            return false;
        if (!k->bindless) add_surface(k, GEN_SURFACE_PARAM, word(w, 0), word(w, 1));
        return add_pointer(image, k, GEN_PAYLOAD_ADDRESS, "buffer_address", word(w, 0), word(w, 2), word(w, 3), err);
    case TOKEN_PRIVATE:
        add_surface(k, GEN_SURFACE_PRIVATE, -1, word(w, 0));
        b->private_item = word(w, 3);
        return add_pointer(image, k, GEN_PAYLOAD_PRIVATE, "private_base", -1, word(w, 1), word(w, 2), err);
    case TOKEN_PRINTF:
        return add_pointer(image, k, GEN_PAYLOAD_PRINTF, "printf_buffer", -1, word(w, 2), word(w, 3), err);
    case TOKEN_PROGRAM_GLOBAL:
        add_surface(k, GEN_SURFACE_GLOBAL, -1, word(w, 1));
        return add_pointer(image, k, GEN_PAYLOAD_GLOBAL, "program_globals", -1, word(w, 2), word(w, 3), err);
    case TOKEN_PROGRAM_CONSTANT:
        add_surface(k, GEN_SURFACE_CONSTANT, -1, word(w, 1));
        return add_pointer(image, k, GEN_PAYLOAD_CONSTANT, "program_constants", -1, word(w, 2), word(w, 3), err);
    default: return true;
    }
}

/* Whether the kernel's surfaces are bindless: the 29th word of its environment. */
static bool is_bindless(struct run tokens)
{
    struct patch_token t;
    struct gpudbg_error ignored = {0};
    while (next_token(&tokens, &t, &ignored))
        if (t.id == TOKEN_ENVIRONMENT) return word(&t.body, 28) == 1;
    return false;
}

static bool read_tokens(struct gpudbg_image *image, struct kernel *k, struct gpudbg_error *err)
{
    struct run tokens = k->tokens;
    struct patch_token t;
    struct gpudbg_error ignored = {0};
    unsigned id_blocks = 0;
    k->bindless = is_bindless(tokens);
    for (struct run all = tokens; next_token(&all, &t, &ignored);)
        if (t.id == TOKEN_STREAM && word(&t.body, 0) > k->payload) k->payload = word(&t.body, 0);
    while (next_token(&tokens, &t, err))
        if (!read_token(image, k, &t, &id_blocks, err)) return false;
    if (err->kind) return false;
    struct gen_binary *b = k->binary;
    unsigned registers = id_blocks * (b->simd > 16 ? 2 : 1);
    b->local_ids = id_blocks != 0;
    b->cross_thread = (uint16_t)(1 + (registers ? registers : 1)); /* r1 is there in any case */
    return gen_making_finish(image, b, err);
}

/* ---- A kernel ---- */

struct kernel_parts {
    char name[512];
    struct run code, dynamic, surfaces, tokens;
    uint32_t size; /* of the code, without the padding of its heap */
};

static bool take_kernel(struct run *rest, struct kernel_parts *k, struct gpudbg_error *err)
{
    struct run head, name, skipped;
    if (!take(rest, KERNEL_HEADER, "kernel header", &head, err) ||
        !take(rest, word(&head, 3), "kernel name", &name, err))
        return false;
    size_t n = strnlen((const char *)name.at, name.size < sizeof k->name - 1 ? name.size : sizeof k->name - 1);
    memcpy(k->name, name.at, n);
    k->name[n] = 0;
    k->size = word(&head, 9);
    if (!take(rest, word(&head, 5), "kernel heap", &k->code, err) ||
        !take(rest, word(&head, 6), "general state heap", &skipped, err) ||
        !take(rest, word(&head, 7), "dynamic state heap", &k->dynamic, err) ||
        !take(rest, word(&head, 8), "surface state heap", &k->surfaces, err) ||
        !take(rest, word(&head, 4), "kernel's patch tokens", &k->tokens, err))
        return false;
    if (!*k->name) return gpudbg_fail(err, "syntax", "a kernel has no name");
    return true;
}

/* The most rows that the tokens can add, each two of payload and one surface; and the number of strings. */
static size_t count_tokens(struct run tokens, size_t *strings)
{
    struct patch_token t;
    struct gpudbg_error err = {0};
    size_t n = 0;
    for (*strings = 0; next_token(&tokens, &t, &err); n += 2) *strings += t.id == TOKEN_STRING;
    return n;
}

static bool read_kernel(struct program *p, const struct kernel_parts *parts, uint64_t entry, struct gpudbg_error *err)
{
    if (strcmp(parts->name, DUMMY_KERNEL) == 0) return true; /* nothing can launch it */
    if (gpudbg_image_kernel_named(p->image, parts->name))
        return gpudbg_fail(err, "syntax", "two kernels are named %.80s", parts->name);
    size_t strings, rows = count_tokens(parts->tokens, &strings);
    struct gen_binary *b = gen_making_start(p->image, parts->name, entry, rows, rows, err);
    if (!b) return false;
    *b = (struct gen_binary){.container = GEN_PATCH_TOKENS,
        .grfs = b->grfs,
        .payload = b->payload,
        .surfaces = b->surfaces,
        .constants = p->constants,
        .constants_size = p->constants_size,
        .globals = p->globals,
        .globals_size = p->globals_size};
    if (strings && !(b->strings = gpudbg_image_alloc(p->image, strings * sizeof *b->strings)))
        return gpudbg_fail(err, "too-large", "kernel %.80s: no memory for %zu strings", parts->name, strings);
    p->image->kernels[p->image->nkernels - 1].size = parts->size && parts->size <= parts->code.size ? parts->size
                                                                                                    : parts->code.size;
    struct kernel k = {p, b, false, 0, parts->tokens, parts->surfaces, parts->dynamic};
    return read_tokens(p->image, &k, err);
}

/* Links all kernels that follow in `rest`, whose code starts at 0. */
static bool link_program(
    struct program *p, uint32_t kernels, struct run tokens, struct run rest, struct gpudbg_error *err)
{
    struct symbols symbols = {0};
    bool good = true;
    for (unsigned pass = 0; pass < 3 && good; pass++) { /* count, fill in, apply */
        struct run all = rest;
        struct kernel_parts parts;
        uint64_t code = 0;
        if (pass == 1 && symbols.count && !(symbols.row = calloc(symbols.count, sizeof *symbols.row)))
            return gpudbg_fail(err, "too-large", "no memory for %zu symbols", symbols.count);
        if (pass < 2) {
            symbols.count = 0;
            add_symbols(p, tokens, &symbols);
        }
        for (uint32_t i = 0; i < kernels && good && take_kernel(&all, &parts, err); i++) {
            if (pass < 2)
                add_symbols(p, parts.tokens, &symbols);
            else
                good = link_kernel(p, parts.tokens, code, parts.code.size, &symbols, err);
            code = (code + parts.code.size + 63) & ~UINT64_C(63);
        }
        if (pass == 1 && symbols.count) qsort(symbols.row, symbols.count, sizeof *symbols.row, by_name);
    }
    free(symbols.row);
    return good && !err->kind;
}

/* ---- The loader ---- */

static bool choose_isa(struct gpudbg_image *image, uint32_t device, struct gpudbg_error *err)
{
    const struct gpudbg_chip chip = gen_chip_of_core(image, device);
    gpudbg_image_fact(image, "target", chip.name, device);
    return gpudbg_image_chip(image, &chip, err);
}

static bool read_program(struct gpudbg_image *image, struct run all, struct gpudbg_error *err)
{
    struct run head, tokens, rest;
    struct kernel_parts parts;
    struct program p = {.image = image};
    if (!take(&all, PROGRAM_HEADER, "program header", &head, err)) return false;
    if (memcmp(head.at, MAGIC, 4) != 0)
        return gpudbg_fail(err, "not-recognised", "the device binary does not start with " MAGIC);
    uint32_t version = word(&head, 1), kernels = word(&head, 4), pointer = word(&head, 3);
    if (pointer != 4 && pointer != 8)
        return gpudbg_fail(err, "unsupported", "pointers have %" PRIu32 " bytes, not 4 or 8", pointer);
    if (kernels > KERNELS_MOST)
        return gpudbg_fail(
            err, "too-large", "the file has %" PRIu32 " kernels: %d are the most", kernels, (int)KERNELS_MOST);
    if (!choose_isa(image, word(&head, 2), err)) return false;
    gpudbg_image_fact(image, "container",
        version == VERSION_KNOWN ? "patch tokens, version" : "patch tokens, a version not met before", version);
    if (!take(&all, word(&head, 6), "program's patch tokens", &tokens, err)) return false;
    rest = all;
    for (uint32_t i = 0; i < kernels; i++) { /* code first, so that the first kernel starts at 0 */
        char name[600];
        if (!take_kernel(&rest, &parts, err)) return false;
        snprintf(name, sizeof name, ".text.%s", parts.name);
        uint64_t addr = place(&p, name, parts.code, GPUDBG_CODE_BYTES);
        gpudbg_image_symbol(image, parts.name, addr,
            parts.size && parts.size <= parts.code.size ? parts.size : parts.code.size, GPUDBG_SYM_FUNCTION);
    }
    uint64_t entry = 0;
    if (!gen_is_ours(image->isa)) return true;
    if (!place_data(&p, tokens, err) || !relocate_data(&p, tokens, err) || !link_program(&p, kernels, tokens, all, err))
        return false;
    for (uint32_t i = 0; i < kernels; i++) {
        if (!take_kernel(&all, &parts, err) || !read_kernel(&p, &parts, entry, err)) return false;
        entry = (entry + parts.code.size + 63) & ~UINT64_C(63);
    }
    if (all.size > 16)
        gpudbg_image_fact(image, "unread", "bytes after the last kernel", all.size); /* the end may be padded */
    return true;
}

/* Lines of source (ocloc -options -g): a header, the number of kernels its last word; of each kernel three lengths, its
 * name, and two files of debug data, of which one may be empty. */
static void read_debug(struct gpudbg_image *image, struct run all)
{
    struct gpudbg_error damaged = {0};
    struct run head, lengths, name, files[2];
    if (!take(&all, PROGRAM_HEADER, "debug header", &head, &damaged)) return;
    for (uint32_t i = 0, n = word(&head, 6); i < n; i++) {
        bool whole = take(&all, DEBUG_KERNEL_HEADER, "", &lengths, &damaged) &&
                     take(&all, word(&lengths, 0), "", &name, &damaged) &&
                     take(&all, word(&lengths, 1), "", &files[0], &damaged) &&
                     take(&all, word(&lengths, 2), "", &files[1], &damaged);
        if (!whole) {
            gpudbg_image_fact(image, "debug data", "cut off in that of kernel number", i + 1);
            return;
        }
        const struct gpudbg_kernel *k = name.size && !name.at[name.size - 1]
                                            ? gpudbg_image_kernel_named(image, (const char *)name.at)
                                            : NULL;
        for (unsigned f = 0; k && f < 2; f++) gpudbg_elf_lines(image, files[f].at, files[f].size, k->entry);
    }
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n >= PROGRAM_HEADER && memcmp(b, MAGIC, 4) == 0) {
        *why = "OpenCL device binary, starts with " MAGIC;
        return 90;
    }
    if (n < 20 || memcmp(b, "\177ELF", 4) != 0 || le_u16(b + 16) != ET_OPENCL) return 0;
    *why = "ELF around an OpenCL device binary, type ff04";
    return 90;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct gpudbg_elf elf;
    struct run device = {0}, debug = {.image = image, .at = image->bytes};
    if (image->size < 4 || memcmp(image->bytes, MAGIC, 4) == 0)
        return read_program(image, (struct run){image, image->bytes, image->size}, err);
    if (!gpudbg_elf_load(image, &elf, err)) return false;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (strcmp(s->name, DEVICE_SECTION) == 0 && s->bytes) device = (struct run){image, s->bytes, s->size};
        if (strcmp(s->name, DEBUG_SECTION) == 0 && s->bytes) debug = (struct run){image, s->bytes, s->size};
    }
    if (!device.at) return gpudbg_fail(err, "not-recognised", "no section is named \"" DEVICE_SECTION "\"");
    if (!read_program(image, device, err)) return false;
    read_debug(image, debug);
    return true;
}

const struct gpudbg_loader gen_patch_loader = {
    .name = "opencl-device-binary",
    .summary = "Intel OpenCL device binaries with patch tokens, bare or in ELF",
    .probe = probe,
    .load = load,
};
