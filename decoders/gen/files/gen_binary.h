/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_binary.h: the facts of a kernel in Intel's OpenCL binaries, in one form for both containers (patch tokens and
 * zebin), so that a launch need not know the container.  A kernel's `abi` is a struct gen_binary in the image's arena;
 * bare code has none.
 *
 * At its start a thread finds in the GRF:
 *     r0                     header (group ids, scratch offset, barrier id)
 *     r1 on                  per-thread data: local ids as words, X block, Y block, Z block, each padded to whole
 *                            registers
 *     r<cross_thread> on     cross-thread data (payload_in_memory: the first inline_size bytes of it; the rest at the
 *                            address in r0.0, from where code loads it), payload_size bytes: the values of
 *                            `payload`, each from byte `offset` of this area on
 *
 * Code and program-scope data are sections of the image; a launch puts the loaded sections at their addresses of the
 * image, with gpudbg_image_copy, which also applies the relocations. Source: observed in binaries that ocloc 1.0 makes
 * for DG1 from known sources, and by running them.
 */
#ifndef GEN_BINARY_H
#define GEN_BINARY_H

#include "gen.h"

enum gen_container { GEN_PATCH_TOKENS, GEN_ZEBIN };

/* The value at `offset` of the cross-thread data, little endian. */
enum gen_payload_kind {
    GEN_PAYLOAD_VALUE,         /* `size` bytes of argument `param`, from its byte `source` on */
    GEN_PAYLOAD_ADDRESS,       /* 64-bit address of the buffer of argument `param` */
    GEN_PAYLOAD_LOCAL,         /* SLM byte offset of the local argument `param`, a multiple of `source` */
    GEN_PAYLOAD_BUFFER_OFFSET, /* 0: distance of the buffer of argument `param` from its surface's base */
    GEN_PAYLOAD_STATEFUL,      /* 1: the buffer of argument `param` is reached by its surface */
    GEN_PAYLOAD_IMAGE,         /* the fact `source` (enum gen_image_fact) of the image of argument `param` */
    GEN_PAYLOAD_SAMPLER,       /* ... (enum gen_sampler_fact) of the sampler */
    GEN_PAYLOAD_BINDLESS,      /* extended descriptor of the bindless surface `source` (gen_surface_handle) */
    /* Of the launch, in work-items: u32 components; the first is source / 4 (0 x, 1 y, 2 z), as many as fit in `size`.
     */
    GEN_PAYLOAD_GLOBAL_OFFSET,
    GEN_PAYLOAD_LOCAL_SIZE,
    GEN_PAYLOAD_ENQUEUED_LOCAL_SIZE,
    GEN_PAYLOAD_GLOBAL_SIZE,
    GEN_PAYLOAD_GROUP_COUNT,
    GEN_PAYLOAD_WORK_DIM, /* u32 */
    GEN_PAYLOAD_SIMD,     /* u32: lanes of a thread */
    GEN_PAYLOAD_PRIVATE,  /* address of the private buffer */
    GEN_PAYLOAD_CONSTANT, /* address of the program's constants, and of its variables */
    GEN_PAYLOAD_GLOBAL,
    GEN_PAYLOAD_PRINTF, /* ... of the buffer that printf appends to: its first dword says where */
    GEN_PAYLOAD_UNUSED, /* 0; `name` says what it is */
};

enum gen_image_fact {
    GEN_IMAGE_WIDTH,
    GEN_IMAGE_HEIGHT,
    GEN_IMAGE_DEPTH,
    GEN_IMAGE_LAYERS,
    GEN_IMAGE_TYPE,
    GEN_IMAGE_ORDER,
    GEN_IMAGE_SAMPLES,
    GEN_IMAGE_LEVELS,
    GEN_IMAGE_FLAT_BASE,
    GEN_IMAGE_FLAT_WIDTH,
    GEN_IMAGE_FLAT_HEIGHT,
    GEN_IMAGE_FLAT_PITCH,
};
enum gen_sampler_fact { GEN_SAMPLER_ADDRESS, GEN_SAMPLER_NORMALISED, GEN_SAMPLER_SNAP };

struct gen_payload {
    uint8_t kind;  /* enum gen_payload_kind */
    int16_t param; /* index of kernel->params, or -1 */
    uint32_t offset, size, source;
    const char *name; /* the file's word for it */
};

/* The kind of surface of a binding table index. */
enum gen_surface_kind { GEN_SURFACE_PARAM, GEN_SURFACE_CONSTANT, GEN_SURFACE_GLOBAL, GEN_SURFACE_PRIVATE };

struct gen_surface {
    uint8_t kind; /* enum gen_surface_kind */
    uint8_t bti;
    bool bindless; /* kernels find it by a value of their payload (GEN_PAYLOAD_BINDLESS) */
    int16_t param; /* PARAM: index of kernel->params */
};

/* A bindless surface is that of a binding table index, too: extended descriptors have the offset of its state, which is
 * not 0, from bit 12 on.  Those of arguments have the highest indices, which no kernel's own table reaches. */
#define GEN_BINDLESS_LAST 239
static inline uint32_t gen_surface_handle(unsigned bti) { return (bti + 1u) << 12; }
static inline unsigned gen_handle_surface(uint32_t ex_desc) { return (ex_desc >> 12) - 1u; }

/* The elements outside of a surface, along one axis. */
enum gen_address {
    GEN_ADDRESS_EDGE,
    GEN_ADDRESS_BORDER,
    GEN_ADDRESS_WRAP,
    GEN_ADDRESS_MIRROR,
    GEN_ADDRESS_MIRROR_ONCE,
    GEN_ADDRESS_HALF_BORDER, /* the mean of the edge and the border */
    GEN_ADDRESS_MIRROR_101,  /* the element at the edge is there once */
    GEN_ADDRESS_CUBE,        /* squares, six a cube: coordinates are a direction; other surfaces: as EDGE */
    GEN_ADDRESS_OTHER,
};

#define GEN_SAMPLERS 16

struct gen_sampler_state {
    bool linear;        /* else the nearest element */
    bool linear_far;    /* the same for elements that are smaller than pixels */
    uint8_t filter;     /* the code of either filter if it is neither the nearest element nor linear; else 0 */
    bool unnormalised;  /* coordinates count elements */
    uint8_t address[3]; /* enum gen_address of u, v, r */
    bool compares; /* `compare` is given: the manual's code; else references less than or equal to the element give 1 */
    uint8_t compare;
    uint32_t border[4]; /* R G B A: bits of F, or integers */
    int16_t given;      /* 1 + index of the kernel->params that gives it; 0: the file, or bare code's launch */
};

/* sampler_state.c: SAMPLER_STATE's four dwords, and the colour that it points to (NULL: none).  `given` stays. */
void gen_sampler_decode(
    const uint32_t w[4], const uint32_t colour[4], const struct gen_eu *, struct gen_sampler_state *);

/* A string of the program that printf names by its number (patch tokens only). */
struct gen_string {
    uint32_t index;
    const char *text;
};

struct gen_binary {
    enum gen_container container;
    uint8_t simd;   /* work-items a thread: 8, 16, 32 */
    bool local_ids; /* the per-thread data hold them */
    bool stack_calls;
    uint16_t cross_thread;      /* register where cross-thread data start */
    uint32_t payload_size;      /* bytes of cross-thread data, a multiple of 32 */
    uint32_t inline_size, skip; /* skip: bytes of code that would load the local ids, which the hardware makes */
    uint32_t grfs, barriers;
    uint32_t slm;          /* bytes a group, without local arguments; those follow in the order of the arguments */
    uint32_t scratch;      /* bytes a thread; 0 or a power of two, at least eu->scratch_unit */
    uint32_t private_item; /* bytes a work-item of the private buffer; 0: none */
    uint64_t constants,
        constants_size; /* the program's, in the image; size 0: none (a zebin reaches them by relocation) */
    uint64_t globals, globals_size;
    struct gen_sampler_state samplers[GEN_SAMPLERS]; /* the samplers in the file */
    struct gen_payload *payload;
    size_t npayload;
    struct gen_surface *surfaces;
    size_t nsurfaces;
    struct gen_string *strings; /* in the order of the file; a zebin has addresses instead */
    size_t nstrings;
};

/* The order of trying generations for code that does not name its own. */
static inline const struct gpudbg_isa *gen_tried(size_t n)
{
    size_t i = 0;
    while (i + 1 < GEN_EUS && gen_eus[i].guess != n) i++;
    return &gen_eus[i].isa;
}

extern const struct gpudbg_loader gen_zebin_loader, gen_patch_loader, gen_listing_loader, gen_bare_loader,
    gen_anv_loader;

#endif
