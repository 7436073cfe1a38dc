/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup.h: what a launch sets up: memory for all waves, and the state that each of them starts from (gcn_launch.c,
 * start.c, bare.c). */
#ifndef GCN_SETUP_H
#define GCN_SETUP_H

#include "files/abi.h"
#include "files/tiling.h"

#define GCN_LDS_MAX 65536u
#define GCN_GWS_BYTES 1024u
#define GCN_PRINTF_BYTES (4u << 20)

struct gcn_part;

/* A register whose value may have been given. */
struct gcn_told {
    bool given;
    uint32_t value;
};

/* The state that every wave of a launch starts from, and the addresses that memory instructions compare with.
 * Immutable while time runs; made by runner->launch, freed by runner->finish. */
struct gcn_setup {
    uint32_t vgprs, sgprs;              /* registers a wave has (VCC not counted) */
    uint32_t mode;                      /* MODE register: float mode 7:0, DX10_CLAMP 8, IEEE 9 */
    uint32_t shared_base, private_base; /* high dwords of the flat apertures */
    uint32_t memory_bases;              /* SH_MEM_BASES: their high words; of newer chips */
    struct gpudbg_segment *scratch;     /* of all waves, or NULL */
    struct gpudbg_segment *printf;      /* the buffer that printf appends to (gcn_printed.c), or NULL */
    struct gpudbg_segment *hostcall;  /* how the host is called (gcn_hostcall.c), whose printf appends to it; or NULL */
    struct gpudbg_segment *gds, *gws; /* global data share, and the state of gws.c; or NULL */
    const uint8_t *lds;               /* first bytes of every group's LDS, or NULL */
    uint64_t lds_size;
    const uint8_t *params; /* parameters of primitives (interp.c), or NULL */
    uint64_t params_size;
    const uint8_t *borders; /* the table of border colours that S#.border_color_ptr counts in, 16 bytes each, or NULL */
    uint64_t borders_size;
    struct gcn_tiling tiling; /* how surfaces lie in memory */
    uint64_t scratch_base;    /* hidden private base: where FLAT_SCRATCH counts from */
    uint64_t entry;
    uint32_t user[16]; /* user SGPRs, s0 on, the same for every wave */
    uint32_t nuser;
    uint16_t user_given;                  /* of bare code: a bit for each that the file gives */
    uint32_t scratch_wave, scratch_waves; /* bytes of scratch a wave; waves that have a place of their own */
    const struct gcn_memory_rows *rows;   /* gcn_memory.h: loops of this machine's vector width */
    uint32_t (*ids)[3][64];               /* work-item ids, x y z, of each wave of a whole group; NULL: bare code */
    const struct gcn_abi *abi;            /* NULL: bare code */
    struct gcn_part *part;                /* bare code: first contents of registers */
    uint32_t nparts;
    struct gcn_told rsrc1, rsrc2, psinput; /* bare code: of its file or the launch */
    bool ordered_by_manual;                /* the user's choice for ds_ordered_count (gws.c) */
    uint8_t stage;                         /* bare code: enum gcn_stage; GCN_STAGES: not known */
    bool merged;                           /* local and hull shaders, export and geometry shaders are one */
};

/* High dwords of the flat apertures: addresses that no segment has.  On newer chips only bits 63:48 of them are set. */
#define GCN_SHARED_BASE(chip) ((chip)->apertures ? 0x10000u : 0x20000000u)
#define GCN_PRIVATE_BASE(chip) ((chip)->apertures ? 0x20000u : 0x20000001u)

/* gcn_wave.c: work-item ids of the lanes of a group's wave number `wave`: rows of x, y and z.  lanes: of a wave.  size:
 * of the group. */
void gcn_item_ids(uint32_t rows[3][64], uint32_t wave, unsigned lanes, const uint32_t size[3]);
/* The size of the wave's group: at the edge of the grid, the rest of the grid. */
void gcn_group_size(const struct gpudbg_wave *, uint32_t size[3]);
/* Where in the scratch segment the wave's own part starts; it is setup->scratch_wave bytes long. */
uint32_t gcn_scratch_place(const struct gcn_setup *, const struct gpudbg_wave *);

/* Of the runner: launch, start (start.c), finish. */
bool gcn_launch(struct gpudbg_machine *, struct gpudbg_error *);
void gcn_start(struct gpudbg_wave *);
/* Scalars 0 to 127 that the wave started with.  false: no memory. */
bool gcn_first_scalars(const struct gpudbg_wave *, uint32_t scalars[128]);
void gcn_finish(struct gpudbg_machine *);

/* gpudbg_dwarf.indexed: gcn_indexed.c. */
bool gcn_indexed(const struct gpudbg_image *, uint64_t from, uint64_t to, uint64_t pc, struct gpudbg_indexed *);
/* gpudbg_dwarf.epilogue: gcn_unwind.c. */
bool gcn_epilogue(const struct gpudbg_image *, uint64_t pc, uint64_t from, uint64_t to, uint64_t ready, uint64_t *start,
    uint64_t *last);

/* Of the runner (gcn_printed.c). */
void gcn_printed(const struct gpudbg_machine *, gpudbg_printf_fn *each, void *to);

/* gcn_hostcall.c: makes its segment, NULL with err: no memory; reports the messages printed through it. */
struct gpudbg_segment *gcn_hostcall_new(struct gpudbg_machine *, struct gpudbg_error *);
void gcn_hostcall_printed(const struct gpudbg_segment *log, gpudbg_printf_fn *each, void *to);

/* Bare code (bare.c): notes the parts that the launch names; puts them into a wave's registers. */
bool gcn_bare_new(struct gcn_setup *, struct gpudbg_machine *, uint32_t *lds, struct gpudbg_error *);
void gcn_bare_start(struct gpudbg_wave *, const struct gcn_setup *);

/* Whether part i of the launch names one of the registers of the file, in any wave. */
bool gcn_part_covers(const struct gcn_setup *, uint32_t i, unsigned file, unsigned first, unsigned last);

/* Bare code whose stage, RSRC registers or user data are known (stage_start.c): reads the values of the file and the
 * user's choice (0: as the file; else a stage and 1); derives values from these and the launch; gives the bytes of LDS
 * that the code asks for; fills a wave's registers, before the launch's own override them. */
void gcn_stage_read(struct gcn_setup *, const struct gpudbg_image *, unsigned chosen);
void gcn_stage_settle(struct gcn_setup *);
uint32_t gcn_stage_lds(const struct gcn_setup *, uint32_t unit);
void gcn_stage_start(struct gpudbg_wave *, const struct gcn_setup *);

/* Scalars that a stage has after user data, as RSRC2 asks for them, and how many of its first vector registers the
 * chip fills. */
enum gcn_gives {
    GCN_GIVES_GROUP_X, /* then y, z */
    GCN_GIVES_GROUP_Z = 2,
    GCN_GIVES_GROUP_INFO,
    GCN_GIVES_PRIMITIVE_INFO,              /* vertices and primitives of the group */
    GCN_GIVES_WAVE_INFO,                   /* of the wave, its number, how many waves the group has */
    GCN_GIVES_KNOWN = GCN_GIVES_WAVE_INFO, /* the launch knows the values up to here */
    GCN_GIVES_STREAM_CONFIG,
    GCN_GIVES_STREAM_INDEX,
    GCN_GIVES_STREAM_OFFSET, /* 0 to 3 */
    GCN_GIVES_OFF_CHIP = GCN_GIVES_STREAM_OFFSET + 4,
    GCN_GIVES_FACTORS,
    GCN_GIVES_ES_RING,
    GCN_GIVES_GS_RING,
    GCN_GIVES_GS_WAVE,
    GCN_GIVES_PRIMITIVES,
    GCN_GIVES_WAVE_COUNT,
    GCN_GIVES_SCRATCH,
    GCN_GIVES_UNNAMED, /* a register that drivers leave alone */
};
struct gcn_stage_scalar {
    uint8_t reg, what;
};
#define GCN_STAGE_SCALARS 12
unsigned gcn_stage_scalars(const struct gcn_setup *, struct gcn_stage_scalar[GCN_STAGE_SCALARS]);
unsigned gcn_stage_vectors(const struct gcn_setup *);
/* The first register of user data. */
unsigned gcn_stage_user(const struct gcn_setup *);

/* Of the runner (stage_assumed.c). */
int gcn_assumed(const struct gpudbg_machine *, char *buf, size_t size);

/* Adds the segments, fills them, sets machine->lds_size; NULL: no launch.  The caller sets wave_words. */
struct gcn_setup *gcn_setup_new(struct gpudbg_machine *, struct gpudbg_error *);
void gcn_setup_free(struct gcn_setup *);

#endif
