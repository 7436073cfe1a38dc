/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_zebin.c: zebin, the ELF that Intel's compilers make: code in .text.KERNEL, and the facts that a launch needs in
 * .ze_info, as YAML.  Source: files of ocloc (`-ze-allow-zebin`), versions 1.20 and around.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "files/making.h"
#include "files/products.h"
#include "gpudbg/endian.h"
#include "gen.h"

enum { EM_INTELGT = 205 };
enum { NOTE_PRODUCT = 1, NOTE_CONFIG = 6 };
/* Its code only carries the addresses of the program's variables; nothing can launch it. */
#define DUMMY_KERNEL "Intel_Symbol_Table_Void_Program"

/* ---- YAML, by key ---- */

typedef yaml_node_t node;

static node *member(yaml_document_t *d, node *map, const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        node *k = yaml_document_get_node(d, p->key);
        if (k && k->type == YAML_SCALAR_NODE && strcmp((const char *)k->data.scalar.value, key) == 0)
            return yaml_document_get_node(d, p->value);
    }
    return NULL;
}

static size_t length(const node *list)
{
    return list && list->type == YAML_SEQUENCE_NODE
               ? (size_t)(list->data.sequence.items.top - list->data.sequence.items.start)
               : 0;
}

static node *item(yaml_document_t *d, const node *list, size_t i)
{
    return yaml_document_get_node(d, list->data.sequence.items.start[i]);
}

static const char *text(yaml_document_t *d, node *map, const char *key)
{
    node *v = member(d, map, key);
    return v && v->type == YAML_SCALAR_NODE ? (const char *)v->data.scalar.value : NULL;
}

/* -1 if the scalar is not a number, or does not fit. */
static int64_t whole(const char *s)
{
    char *end;
    long long v = s ? strtoll(s, &end, 0) : -1;
    return s && *s && !*end && v >= 0 && v <= UINT32_MAX ? v : -1;
}

/* A number that is left out is 0. */
static bool number(yaml_document_t *d, node *map, const char *key, uint32_t *value, struct gpudbg_error *err)
{
    const char *s = text(d, map, key);
    int64_t v = s ? whole(s) : 0;
    if (v < 0) return gpudbg_fail(err, "syntax", ".ze_info: %s: '%.40s' is not a number that fits", key, s);
    *value = (uint32_t)v;
    return true;
}

static bool is_true(yaml_document_t *d, node *map, const char *key)
{
    const char *s = text(d, map, key);
    return s && strcmp(s, "true") == 0;
}

/* ---- Rows of a kernel ---- */

static const struct {
    const char *arg_type;
    enum gen_payload_kind kind;
    uint32_t source;
} payload_kinds[] = {
    {"global_id_offset", GEN_PAYLOAD_GLOBAL_OFFSET, 0},
    {"local_size", GEN_PAYLOAD_LOCAL_SIZE, 0},
    {"enqueued_local_size", GEN_PAYLOAD_ENQUEUED_LOCAL_SIZE, 0},
    {"group_count", GEN_PAYLOAD_GROUP_COUNT, 0},
    {"global_size", GEN_PAYLOAD_GLOBAL_SIZE, 0},
    {"work_dimensions", GEN_PAYLOAD_WORK_DIM, 0},
    {"arg_byvalue", GEN_PAYLOAD_VALUE, 0},
    {"arg_bypointer", GEN_PAYLOAD_ADDRESS, 0},
    {"buffer_address", GEN_PAYLOAD_ADDRESS, 0},
    {"buffer_offset", GEN_PAYLOAD_BUFFER_OFFSET, 0},
    {"private_base_stateless", GEN_PAYLOAD_PRIVATE, 0},
    {"printf_buffer", GEN_PAYLOAD_PRINTF, 0},
    {"image_width", GEN_PAYLOAD_IMAGE, GEN_IMAGE_WIDTH},
    {"image_height", GEN_PAYLOAD_IMAGE, GEN_IMAGE_HEIGHT},
    {"image_depth", GEN_PAYLOAD_IMAGE, GEN_IMAGE_DEPTH},
    {"image_array_size", GEN_PAYLOAD_IMAGE, GEN_IMAGE_LAYERS},
    {"image_channel_data_type", GEN_PAYLOAD_IMAGE, GEN_IMAGE_TYPE},
    {"image_channel_order", GEN_PAYLOAD_IMAGE, GEN_IMAGE_ORDER},
    {"image_num_samples", GEN_PAYLOAD_IMAGE, GEN_IMAGE_SAMPLES},
    {"image_num_mip_levels", GEN_PAYLOAD_IMAGE, GEN_IMAGE_LEVELS},
    {"flat_image_baseoffset", GEN_PAYLOAD_IMAGE, GEN_IMAGE_FLAT_BASE},
    {"flat_image_width", GEN_PAYLOAD_IMAGE, GEN_IMAGE_FLAT_WIDTH},
    {"flat_image_height", GEN_PAYLOAD_IMAGE, GEN_IMAGE_FLAT_HEIGHT},
    {"flat_image_pitch", GEN_PAYLOAD_IMAGE, GEN_IMAGE_FLAT_PITCH},
    {"sampler_address", GEN_PAYLOAD_SAMPLER, GEN_SAMPLER_ADDRESS},
    {"sampler_normalized", GEN_PAYLOAD_SAMPLER, GEN_SAMPLER_NORMALISED},
    {"sampler_snap_wa", GEN_PAYLOAD_SAMPLER, GEN_SAMPLER_SNAP},
};

static void set_kind(struct gen_payload *p, const char *arg_type)
{
    p->kind = GEN_PAYLOAD_UNUSED;
    for (size_t i = 0; i < sizeof payload_kinds / sizeof *payload_kinds; i++)
        if (strcmp(payload_kinds[i].arg_type, arg_type) == 0) {
            p->kind = (uint8_t)payload_kinds[i].kind;
            if (p->kind == GEN_PAYLOAD_IMAGE || p->kind == GEN_PAYLOAD_SAMPLER) p->source = payload_kinds[i].source;
        }
}

static bool read_payload_row(
    struct gpudbg_image *image, struct gen_binary *b, yaml_document_t *d, node *row, struct gpudbg_error *err)
{
    const char *type = text(d, row, "arg_type"), *mode = text(d, row, "addrmode"), *index = text(d, row, "arg_index");
    struct gen_payload p = {.param = -1};
    uint32_t alignment, arg;
    if (!type) return gpudbg_fail(err, "syntax", ".ze_info: a payload argument has no arg_type");
    if (!number(d, row, "offset", &p.offset, err) || !number(d, row, "size", &p.size, err) ||
        !number(d, row, "source_offset", &p.source, err) || !number(d, row, "slm_alignment", &alignment, err) ||
        !number(d, row, "arg_index", &arg, err))
        return false;
    if (index && !gen_making_param(image, arg, err)) return false;
    set_kind(&p, type);
    p.name = gpudbg_image_string(image, type, strlen(type));
    p.param = index ? (int16_t)arg : -1;
    if (strcmp(type, "arg_bypointer") == 0) {
        const char *space = text(d, row, "addrspace");
        struct gpudbg_param *of = index ? &image->kernels[image->nkernels - 1].params[arg] : NULL;
        bool stateful = mode && strcmp(mode, "stateful") == 0, bindless = mode && strcmp(mode, "bindless") == 0;
        if (of && space) {
            if (strcmp(space, "image") == 0) of->kind = GPUDBG_PARAM_IMAGE;
            if (strcmp(space, "sampler") == 0) {
                uint32_t sampler;
                of->kind = GPUDBG_PARAM_SAMPLER;
                if (!number(d, row, "sampler_index", &sampler, err)) return false;
                if (sampler >= GEN_SAMPLERS)
                    return gpudbg_fail(
                        err, "bad-offset", ".ze_info: sampler_index %" PRIu32 " is more than 15", sampler);
                b->samplers[sampler].given = (int16_t)(arg + 1);
            }
            if ((stateful || bindless) && of->kind == GPUDBG_PARAM_OTHER) of->kind = GPUDBG_PARAM_BUFFER;
            if (bindless && of->kind != GPUDBG_PARAM_SAMPLER)
                return gen_making_bindless(image, b, p.param, p.offset, p.size, err);
        }
        if (mode && strcmp(mode, "slm") == 0) {
            p.kind = GEN_PAYLOAD_LOCAL;
            p.source = alignment ? alignment : 4;
            if (p.source > 4096)
                return gpudbg_fail(
                    err, "bad-offset", ".ze_info: slm_alignment %" PRIu32 " is more than 4096", p.source);
        } else if (p.size == 0) {
            return true; /* a surface alone: nothing is written */
        }
    }
    if ((p.kind == GEN_PAYLOAD_VALUE || p.kind == GEN_PAYLOAD_ADDRESS || p.kind == GEN_PAYLOAD_LOCAL ||
            p.kind == GEN_PAYLOAD_IMAGE || p.kind == GEN_PAYLOAD_SAMPLER) &&
        !index)
        return gpudbg_fail(err, "syntax", ".ze_info: %.40s has no arg_index", type);
    return gen_making_payload(image, b, p, err);
}

static bool read_payload(
    struct gpudbg_image *image, struct gen_binary *b, yaml_document_t *d, node *kernel, struct gpudbg_error *err)
{
    const node *rows = member(d, kernel, "payload_arguments"), *surfaces = member(d, kernel, "binding_table_indices");
    for (size_t i = 0; i < length(rows); i++)
        if (!read_payload_row(image, b, d, item(d, rows, i), err)) return false;
    for (size_t i = 0; i < length(surfaces); i++) {
        uint32_t bti, arg;
        node *row = item(d, surfaces, i);
        if (!number(d, row, "bti_value", &bti, err) || !number(d, row, "arg_index", &arg, err) ||
            !gen_making_param(image, arg, err))
            return false;
        if (bti > 0xef) return gpudbg_fail(err, "bad-offset", ".ze_info: bti_value %" PRIu32 " is more than 239", bti);
        gen_making_surface(
            b, (struct gen_surface){.kind = GEN_SURFACE_PARAM, .bti = (uint8_t)bti, .param = (int16_t)arg});
    }
    return true;
}

static enum gen_address address_of(const char *mode)
{
    static const struct {
        const char *mode;
        enum gen_address address;
    } modes[] = {{"none", GEN_ADDRESS_BORDER}, {"clamp_border", GEN_ADDRESS_BORDER}, {"clamp_edge", GEN_ADDRESS_EDGE},
        {"repeat", GEN_ADDRESS_WRAP}, {"mirror", GEN_ADDRESS_MIRROR}, {"mirror_101", GEN_ADDRESS_MIRROR_101}};
    for (size_t i = 0; mode && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].mode, mode) == 0) return modes[i].address;
    return GEN_ADDRESS_OTHER;
}

/* Samplers of the program.  A flag that a file leaves out of a row is false: coordinates that are not normalised. */
static bool read_samplers(struct gen_binary *b, yaml_document_t *d, node *kernel, struct gpudbg_error *err)
{
    const node *rows = member(d, kernel, "inline_samplers");
    for (size_t i = 0; i < length(rows); i++) {
        uint32_t index;
        node *row = item(d, rows, i);
        if (!number(d, row, "sampler_index", &index, err)) return false;
        if (index >= GEN_SAMPLERS)
            return gpudbg_fail(err, "bad-offset", ".ze_info: sampler_index %" PRIu32 " is more than 15", index);
        const char *filter = text(d, row, "filtermode");
        const uint8_t address = (uint8_t)address_of(text(d, row, "addrmode"));
        const bool linear = filter && strcmp(filter, "linear") == 0;
        b->samplers[index] = (struct gen_sampler_state){.linear = linear,
            .linear_far = linear,
            .unnormalised = !is_true(d, row, "normalized"),
            .address = {address, address, address}};
    }
    return true;
}

static bool read_threads(struct gen_binary *b, yaml_document_t *d, node *kernel, struct gpudbg_error *err)
{
    const node *ids = member(d, kernel, "per_thread_payload_arguments"),
               *buffers = member(d, kernel, "per_thread_memory_buffers");
    uint32_t bytes = 0;
    for (size_t i = 0; i < length(ids); i++) {
        uint32_t offset, size;
        node *row = item(d, ids, i);
        if (!number(d, row, "offset", &offset, err) || !number(d, row, "size", &size, err)) return false;
        if (offset > 4096 || size > 4096)
            return gpudbg_fail(err, "bad-offset",
                ".ze_info: %" PRIu32 " bytes of local ids at %" PRIu32 ": neither may be more than 4096", size, offset);
        if (offset + size > bytes) bytes = offset + size;
        b->local_ids = true;
    }
    b->cross_thread = (uint16_t)(1 + (bytes ? (bytes + 31) / 32 : 1)); /* r1 is there in any case */
    for (size_t i = 0; i < length(buffers); i++) {
        uint32_t size;
        node *row = item(d, buffers, i);
        const char *type = text(d, row, "type");
        if (!type || !number(d, row, "size", &size, err)) return false;
        if (strcmp(type, "scratch") == 0 && size > b->scratch) b->scratch = size;
        if (strcmp(type, "global") == 0)
            b->private_item = is_true(d, row, "is_simt_thread") ? size : (size + b->simd - 1) / b->simd;
    }
    return true;
}

static bool read_environment(
    struct gpudbg_image *image, struct gen_binary *b, yaml_document_t *d, node *kernel, struct gpudbg_error *err)
{
    struct gpudbg_kernel *k = &image->kernels[image->nkernels - 1];
    node *env = member(d, kernel, "execution_env");
    const node *reqd = member(d, env, "required_work_group_size");
    uint32_t simd;
    if (!number(d, env, "simd_size", &simd, err) || !number(d, env, "grf_count", &b->grfs, err) ||
        !number(d, env, "slm_size", &b->slm, err) || !number(d, env, "barrier_count", &b->barriers, err) ||
        !number(d, env, "inline_data_payload_size", &b->inline_size, err) ||
        !number(d, env, "offset_to_skip_per_thread_data_load", &b->skip, err))
        return false;
    b->simd = simd <= 32 ? (uint8_t)simd : 255;
    if (!simd) return gpudbg_fail(err, "syntax", ".ze_info: kernel %.80s has no simd_size", k->name);
    if (!b->grfs) b->grfs = 128;
    b->stack_calls = is_true(d, env, "has_stack_calls");
    for (size_t i = 0; i < length(reqd) && i < 3; i++) {
        const node *v = item(d, reqd, i);
        int64_t n = v && v->type == YAML_SCALAR_NODE ? whole((const char *)v->data.scalar.value) : -1;
        if (n < 0)
            return gpudbg_fail(err, "syntax",
                ".ze_info: kernel %.80s: required_work_group_size is not a list of whole numbers", k->name);
        k->reqd_local[i] = (uint32_t)n;
    }
    return true;
}

/* ---- Tables for looking up by name ---- */

/* A table sorted by name; rows of the same name are in the order of the file. */
struct named {
    const char *name;
    size_t number;
};

struct names {
    struct named *row;
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static size_t first_named(const struct names *names, const char *name)
{
    size_t lo = 0, hi = names->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (strcmp(names->row[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* `at` counts from first_named up. */
static bool is_named(const struct names *names, size_t at, const char *name)
{
    return at < names->count && strcmp(names->row[at].name, name) == 0;
}

struct zebin {
    yaml_document_t *document;
    const node *misc;                        /* the list kernels_misc_info */
    struct names sections, symbols, kernels; /* kernels: of `misc` */
};

static bool make_names(struct names *names, size_t most, struct gpudbg_error *err)
{
    names->row = calloc(most + 1, sizeof *names->row);
    return names->row || gpudbg_fail(err, "too-large", "no memory for %zu names", most);
}

static void add_name(struct names *names, const char *name, size_t number)
{
    if (name) names->row[names->count++] = (struct named){name, number};
}

static bool know_names(struct zebin *z, const struct gpudbg_image *image, struct gpudbg_error *err)
{
    if (!make_names(&z->sections, image->nsections, err) || !make_names(&z->symbols, image->nsymbols, err) ||
        !make_names(&z->kernels, length(z->misc), err))
        return false;
    for (size_t i = 0; i < image->nsections; i++) add_name(&z->sections, image->sections[i].name, i);
    for (size_t i = 0; i < image->nsymbols; i++) add_name(&z->symbols, image->symbols[i].name, i);
    for (size_t i = 0; i < length(z->misc); i++)
        add_name(&z->kernels, text(z->document, item(z->document, z->misc, i), "name"), i);
    struct names *all[] = {&z->sections, &z->symbols, &z->kernels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        qsort(all[i]->row, all[i]->count, sizeof *all[i]->row, by_name);
    return true;
}

static void forget_names(struct zebin *z)
{
    free(z->sections.row);
    free(z->symbols.row);
    free(z->kernels.row);
}

/* Names and types, from another part of the file; may be missing. */
static bool read_names(struct gpudbg_image *image, const struct zebin *z, const char *name, struct gpudbg_error *err)
{
    yaml_document_t *d = z->document;
    for (size_t i = first_named(&z->kernels, name); is_named(&z->kernels, i, name); i++) {
        node *of = item(d, z->misc, z->kernels.row[i].number);
        const node *args = member(d, of, "args_info");
        for (size_t j = 0; j < length(args); j++) {
            uint32_t index;
            node *arg = item(d, args, j);
            if (!number(d, arg, "index", &index, err) || !gen_making_param(image, index, err)) return false;
            gen_making_describe(
                image, index, text(d, arg, "address_qualifier"), text(d, arg, "name"), text(d, arg, "type_name"));
        }
    }
    return true;
}

/* ---- Kernels ---- */

/* The size of the code, without the zeros that pad the section. */
static uint64_t code_size(
    const struct gpudbg_image *image, const struct zebin *z, const struct gpudbg_section *section, const char *name)
{
    for (size_t i = first_named(&z->symbols, name); is_named(&z->symbols, i, name); i++) {
        const struct gpudbg_symbol *s = &image->symbols[z->symbols.row[i].number];
        if (s->addr == section->addr && s->size && s->size <= section->size) return s->size;
    }
    return section->size;
}

static bool read_kernel(struct gpudbg_image *image, const struct zebin *z, node *kernel, struct gpudbg_error *err)
{
    yaml_document_t *d = z->document;
    const char *name = text(d, kernel, "name");
    char section_name[512];
    if (!name || !*name) return gpudbg_fail(err, "syntax", ".ze_info: a kernel has no name");
    if (strcmp(name, DUMMY_KERNEL) == 0) return true;
    if (gpudbg_image_kernel_named(image, name))
        return gpudbg_fail(err, "syntax", ".ze_info: two kernels are named %.80s", name);
    snprintf(section_name, sizeof section_name, ".text.%s", name);
    const size_t at = first_named(&z->sections, section_name);
    const struct gpudbg_section *section = is_named(&z->sections, at, section_name)
                                               ? &image->sections[z->sections.row[at].number]
                                               : NULL;
    if (!section || !(section->flags & GPUDBG_CODE_BYTES))
        return gpudbg_fail(
            err, "bad-offset", "kernel %.80s: section %.90s does not contain its code", name, section_name);
    const size_t rows = length(member(d, kernel, "payload_arguments"));
    struct gen_binary *b = gen_making_start(image, name, section->addr, rows,
        rows + length(member(d, kernel, "binding_table_indices")), err); /* each row may be a bindless surface */
    if (!b) return false;
    b->container = GEN_ZEBIN;
    image->kernels[image->nkernels - 1].size = code_size(image, z, section, name);
    return read_environment(image, b, d, kernel, err) && read_names(image, z, name, err) &&
           read_samplers(b, d, kernel, err) && read_payload(image, b, d, kernel, err) &&
           read_threads(b, d, kernel, err) && gen_making_finish(image, b, err);
}

static bool read_kernels(struct gpudbg_image *image, yaml_document_t *d, struct gpudbg_error *err)
{
    node *root = yaml_document_get_root_node(d);
    const char *version = text(d, root, "version");
    const node *kernels = member(d, root, "kernels");
    struct zebin z = {.document = d, .misc = member(d, root, "kernels_misc_info")};
    if (version) gpudbg_image_fact(image, "ze_info", version, 0);
    bool done = know_names(&z, image, err);
    for (size_t i = 0; done && i < length(kernels); i++) done = read_kernel(image, &z, item(d, kernels, i), err);
    forget_names(&z);
    return done;
}

static bool read_info(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const struct gpudbg_section *info = NULL;
    for (size_t i = 0; i < image->nsections && !info; i++)
        if (strcmp(image->sections[i].name, ".ze_info") == 0) info = &image->sections[i];
    const char *problem = NULL;
    yaml_parser_t parser;
    yaml_document_t d;
    if (!info || !info->bytes) return true; /* code alone: it can be read, not launched */
    if (!gpudbg_yaml_plain(info->bytes, info->size, &problem))
        return gpudbg_fail(err, "unsupported", ".ze_info: %s", problem);
    if (!yaml_parser_initialize(&parser)) return gpudbg_fail(err, "memory", ".ze_info: out of memory");
    yaml_parser_set_input_string(&parser, info->bytes, info->size);
    bool done = yaml_parser_load(&parser, &d);
    if (done) {
        done = read_kernels(image, &d, err);
        yaml_document_delete(&d);
    } else {
        err->offset = (int64_t)(info->bytes - image->bytes) + (int64_t)parser.problem_offset;
        gpudbg_fail(err, "syntax", ".ze_info: line %zu: %s", parser.problem_mark.line + 1,
            parser.problem ? parser.problem : "damaged YAML");
    }
    yaml_parser_delete(&parser);
    return done;
}

/* ---- Relocations ---- */

/* In code the place holds rubbish, in data it holds the addend. */
static void relocate(void *to, uint32_t type, uint64_t place, uint64_t symbol, int64_t addend)
{
    struct gpudbg_image *image = to;
    const struct gpudbg_section *in = gpudbg_image_at(image, place);
    if (symbol == GPUDBG_UNDEFINED) {
        gpudbg_image_fact(image, "undefined symbol", "needed at", place);
        return;
    }
    uint64_t value = symbol + (in && !(in->flags & GPUDBG_CODE_BYTES) ? (uint64_t)addend : 0);
    switch (type) {
    case 0: break;
    case 1: gpudbg_image_patch(image, place, value, 8); break;
    case 2: gpudbg_image_patch(image, place, value & 0xffffffff, 4); break;
    case 3: gpudbg_image_patch(image, place, value >> 32, 4); break;
    default: gpudbg_image_fact(image, "relocation", "of a type that is not applied", type);
    }
}

/* ---- The loader ---- */

struct target {
    bool said;
    enum { BY_PRODUCT, BY_CONFIG } by;
    uint32_t number;
};

static bool take_note(void *to, const char *owner, uint32_t type, const uint8_t *desc, size_t size)
{
    struct target *t = to;
    if (strcmp(owner, "IntelGT") != 0 || size < 4) return true;
    if (type == NOTE_PRODUCT && !t->said) *t = (struct target){true, BY_PRODUCT, le_u32(desc)};
    if (type == NOTE_CONFIG) *t = (struct target){true, BY_CONFIG, le_u32(desc)};
    return true;
}

static bool check_target(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct target t = {.said = false};
    if (!gpudbg_elf_notes(image, take_note, &t, err)) return false;
    if (!t.said) {
        char text[64];
        snprintf(text, sizeof text, "not said, taken as %s", gen_unsaid()->name);
        gpudbg_image_fact(image, "target", gpudbg_image_string(image, text, strlen(text)), 0);
        if (!image->isa) image->isa = gen_unsaid();
        return true;
    }
    const struct gpudbg_chip chip = t.by == BY_CONFIG ? gen_chip_of_config(image, t.number)
                                                      : gen_chip_of_product(image, t.number);
    gpudbg_image_fact(image, "target", chip.name, t.number);
    return gpudbg_image_chip(image, &chip, err);
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n < 20 || memcmp(b, "\177ELF", 4) != 0 || b[18] != EM_INTELGT || b[19] != 0) return 0;
    *why = "ELF for Intel graphics, machine 205";
    return 90;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct gpudbg_elf elf;
    if (!gpudbg_elf_load(image, &elf, err) || !check_target(image, err)) return false;
    gpudbg_image_fact(image, "container", "zebin", 0);
    gpudbg_elf_relocations(image, relocate, image);
    return !gen_is_ours(image->isa) || read_info(image, err);
}

const struct gpudbg_loader gen_zebin_loader = {
    .name = "zebin",
    .summary = "Intel GPU ELF (zebin) with .ze_info",
    .probe = probe,
    .load = load,
};
