/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_dumped.c: the registers of a wave in captures, by the names of its status registers (SQ_WAVE_*). */
#include <stdio.h>
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"

/* What every chip's waves have; scc is bit 0 of STATUS, a register of its own here. */
/* clang-format off */
#define OF_ALL \
    {.record = "SQ_WAVE_PC_LO", .file = "pc"}, \
    {.record = "SQ_WAVE_PC_HI", .file = "pc", .dword = 1, .len = 16}, \
    {.record = "SQ_WAVE_INST_DW0", .file = "code"}, \
    {.record = "s[]", .file = "s"}, \
    {.record = "v[]", .file = "v"}, \
    {.record = "t[]", .file = "ttmp"}, \
    {.record = "SQ_WAVE_EXEC_LO", .file = "exec"}, \
    {.record = "SQ_WAVE_EXEC_HI", .file = "exec", .dword = 1}, \
    {.record = "SQ_WAVE_M0", .file = "m0"}, \
    {.record = "SQ_WAVE_STATUS", .file = "scc", .len = 1}, \
    {.record = "SQ_WAVE_STATUS", .file = "status"}, \
    {.record = "SQ_WAVE_TRAPSTS", .file = "trapsts"}, \
    {.record = "SQ_WAVE_MODE", .file = "mode", .otherwise = "floats round and flush as at a launch"}
/* clang-format on */
static const struct gpudbg_dumped_register newer_registers[] = {OF_ALL, {.record = NULL}};
static const struct gpudbg_dumped_register registers[] = {
    OF_ALL,
    {.record = "SQ_WAVE_INST_DW1", .file = "code", .dword = 1},
    {.record = "SQ_WAVE_HW_ID", .file = "hw_id"},
    {.record = "SQ_WAVE_GPR_ALLOC", .file = "gpr_alloc"},
    {.record = "SQ_WAVE_LDS_ALLOC", .file = "lds_alloc"},
    {.record = "SQ_WAVE_IB_STS", .file = "ib_sts"},
    {.record = "SQ_WAVE_TBA_LO", .file = "tba"},
    {.record = "SQ_WAVE_TBA_HI", .file = "tba", .dword = 1},
    {.record = "SQ_WAVE_TMA_LO", .file = "tma"},
    {.record = "SQ_WAVE_TMA_HI", .file = "tma", .dword = 1},
    {.record = NULL},
};

/* SQ_WAVE_IB_STS counts accesses under way, SQ_WAVE_STATUS says why a wave does not go on (register guide, SQ). */
static const struct gpudbg_dumped_wait waits[] = {
    {.record = "SQ_WAVE_IB_STS", .field = "VM_CNT", .words = "vector memory"},
    {.record = "SQ_WAVE_IB_STS",
        .field = "LGKM_CNT",
        .words = "scalar memory, LDS, GDS or messages",
        .to_scalars = true},
    {.record = "SQ_WAVE_IB_STS", .field = "EXP_CNT", .words = "exports"},
    {.record = "SQ_WAVE_STATUS", .field = "IN_BARRIER", .words = "at a barrier", .is_flag = true},
    {.record = "SQ_WAVE_STATUS", .field = "HALT", .words = "halted", .is_flag = true},
    {.record = NULL},
};

static const struct gpudbg_dumped_wait newer_waits[] = {
    {.record = "SQ_WAVE_IB_STS", .field = "VM_CNT", .words = "vector loads"},
    {.record = "SQ_WAVE_IB_STS", .field = "VM_CNT_HI", .words = "sixteens of vector loads"},
    {.record = "SQ_WAVE_IB_STS",
        .field = "LGKM_CNT",
        .words = "scalar memory, LDS, GDS or messages",
        .to_scalars = true},
    {.record = "SQ_WAVE_IB_STS", .field = "LGKM_CNT_BIT4", .words = "16 more of scalar memory or LDS", .is_flag = true},
    {.record = "SQ_WAVE_IB_STS", .field = "LGKM_CNT_BIT5", .words = "32 more of scalar memory or LDS", .is_flag = true},
    {.record = "SQ_WAVE_IB_STS", .field = "EXP_CNT", .words = "exports"},
    {.record = "SQ_WAVE_IB_STS", .field = "VS_CNT", .words = "vector stores"},
    {.record = "SQ_WAVE_STATUS", .field = "IN_BARRIER", .words = "at a barrier", .is_flag = true},
    {.record = "SQ_WAVE_STATUS", .field = "HALT", .words = "halted", .is_flag = true},
    {.record = NULL},
};

/* ---- Waves of two sizes ---- */

/* WAVE64: Linux, cwsr_trap_handler_gfx10.asm, gc_10_1_0; W32_EN: Mesa's gfx10.json, LLPC's GfxRegHandler.  Geometry and
 * hull shaders are merged with the stage before, whose register has the address. */
#define STARTED(work_, program_, record_, field_)                                                                \
    {                                                                                                            \
        .record = record_, .field = field_, .lanes = {64, 32}, .work = work_, .program = program_, .high = 0xff, \
        .scale = 8                                                                                               \
    }
#define STAGES_EN "VGT_SHADER_STAGES_EN"
static const struct gpudbg_dumped_lanes newer_lanes[] = {
    {.record = "SQ_WAVE_IB_STS2", .field = "WAVE64", .lanes = {32, 64}},
    STARTED("DISPATCH", "COMPUTE_PGM_LO", "COMPUTE_DISPATCH_INITIATOR", "CS_W32_EN"),
    STARTED("DRAW", "SPI_SHADER_PGM_LO_PS", "SPI_PS_IN_CONTROL", "PS_W32_EN"),
    STARTED("DRAW", "SPI_SHADER_PGM_LO_VS", STAGES_EN, "VS_W32_EN"),
    STARTED("DRAW", "SPI_SHADER_PGM_LO_ES", STAGES_EN, "GS_W32_EN"),
    STARTED("DRAW", "SPI_SHADER_PGM_LO_LS", STAGES_EN, "HS_W32_EN"),
    {.field = NULL},
};

static const struct gpudbg_isa *of_lanes(const struct gpudbg_isa *isa, unsigned lanes)
{
    const struct gcn_chip *chip = gcn_chip_of(isa);
    if (isa->lanes == lanes) return isa;
    if (lanes == 64) return chip->waves_of_64;
    for (unsigned c = 0; c < GCN_CHIPS; c++)
        if (gcn_chips[c].waves_of_64 == isa && gcn_chips[c].isa.lanes == lanes) return &gcn_chips[c].isa;
    return NULL;
}

/* ---- Descriptors ---- */

bool gcn_descriptor(const struct gpudbg_insn *insn, unsigned i, struct gpudbg_dumped_descriptor *d)
{
    const enum gcn_access access = gcn_access_of(insn);
    const struct gpudbg_operand *base = access == GCN_CONSTANTS ? gcn_operand(insn, GCN_IN_SBASE) : NULL;
    const bool buffer = access == GCN_BUFFERS, image = access == GCN_IMAGES, scalar = base && base->type == GCN_B128;
    const unsigned slot = scalar ? GCN_IN_SBASE : i ? GCN_IN_SSAMP : GCN_IN_SRSRC;
    struct gcn_codes codes;
    if ((!buffer && !image && !scalar) || i > (image ? 1u : 0u)) return false;
    const struct gpudbg_operand *o = gcn_operand(insn, slot);
    if (!o || !gcn_codes_of(o, &codes)) return false;
    d->view = !image ? 'V' : i ? 'S' : 'T';
    d->n = d->view == 'T' && gcn_type_dwords(o->type) == 8 ? 8 : 4;
    d->first = scalar ? codes.first & ~3u : codes.first;
    d->table = NULL;
    if (insn->op->id == GCN_image_bvh_intersect_ray || insn->op->id == GCN_image_bvh64_intersect_ray)
        return false; /* a tree of boxes, whose layout is another */
    return d->first + d->n <= GCN_CODE_INT;
}

/* The same, and the address that scalar loads take. */
static bool used(const struct gpudbg_insn *insn, unsigned i, struct gpudbg_dumped_descriptor *d)
{
    const struct gpudbg_operand *o = gcn_operand(insn, GCN_IN_SBASE);
    struct gcn_codes codes;
    if (gcn_descriptor(insn, i, d)) return true;
    if (i || gcn_access_of(insn) != GCN_CONSTANTS || !o || !gcn_codes_of(o, &codes)) return false;
    *d = (struct gpudbg_dumped_descriptor){.first = codes.first & ~1u, .n = 2};
    return true;
}

static uint64_t field_of(const struct gpudbg_view *views, char view, const char *name, const uint8_t *bytes)
{
    struct gpudbg_field_iter it;
    for (const struct gpudbg_view *v = views; v->letter; v++)
        for (gpudbg_word_fields(&it, v->format, bytes); v->letter == view && gpudbg_next_field(&it);)
            if (strcmp(it.field->name, name) == 0) return it.value;
    return 0;
}

/* A buffer's records are bytes where the stride is 0, on newer chips also where no index counts (oob_select). */
static bool range_in(
    const struct gpudbg_view *views, char view, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of)
{
    enum { RAW = 3 };
    const uint64_t stride = field_of(views, view, "stride", bytes);
    const bool of_bytes = !stride || field_of(views, view, "oob_select", bytes) == RAW;
    *bytes_of = field_of(views, view, "num_records", bytes) * (of_bytes ? 1 : stride);
    *start = view ? field_of(views, view, "base_address", bytes) << (view == 'T' ? 8 : 0) : le_u64(bytes);
    return view != 'S';
}

/* The type of a buffer must be 0, those of images are 8 and above, format 0 is invalid (register guide,
 * SQ_BUFSRC_WORD3, SQ_IMG_RSRC_WORD1 and 3; Mesa's gfx10-rsrc.json).  A sampler of zeros is valid. */
static bool bad_in(const struct gpudbg_view *views, char view, const uint8_t *bytes, char *buf, size_t size)
{
    uint64_t start, bytes_of;
    const bool image = view == 'T', known = range_in(views, view, bytes, &start, &bytes_of);
    const unsigned type = (unsigned)field_of(views, view, "type", bytes);
    const bool empty = !(le_u64(bytes) | le_u64(bytes + 8));
    if (!known) return false;
    if (!view && start)
        return false;
    else if (view && empty)
        snprintf(buf, size, "it is all zeros");
    else if (image && type < 8)
        snprintf(buf, size, "its type, %u, is not that of an image", type);
    else if (view == 'V' && type)
        snprintf(buf, size, "its type, %u, is not that of a buffer", type);
    else if (!start)
        snprintf(buf, size, "its address is 0");
    else if (image && !field_of(views, view, "data_format", bytes) && !field_of(views, view, "format", bytes))
        snprintf(buf, size, "its data format is invalid");
    else if (view == 'V' && !bytes_of)
        snprintf(buf, size, "it has no records: every access is past its end");
    else
        return false;
    return true;
}

static bool range(char view, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of)
{
    return range_in(gcn_views, view, bytes, start, bytes_of);
}
static bool newer_range(char view, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of)
{
    return range_in(gcn_newer_views, view, bytes, start, bytes_of);
}
static bool bad_descriptor(char view, const uint8_t *bytes, char *buf, size_t size)
{
    return bad_in(gcn_views, view, bytes, buf, size);
}
static bool newer_bad(char view, const uint8_t *bytes, char *buf, size_t size)
{
    return bad_in(gcn_newer_views, view, bytes, buf, size);
}

const struct gpudbg_dumped gcn_dumped = {.mask = "exec",
    .registers = registers,
    .waits = waits,
    .descriptor = used,
    .bad = bad_descriptor,
    .range = range,
    .translate = gcn_translate,
    .paging_of = (const char *const[]){"gfx8", NULL},
    .waves_of = (const char *const[]){"gfx8", "gfx9", "gfx10", "gfx10.3", "gfx11", "gfx12", NULL}};

const struct gpudbg_dumped gcn_newer_dumped = {.mask = "exec",
    .registers = newer_registers,
    .waits = newer_waits,
    .descriptor = used,
    .bad = newer_bad,
    .range = newer_range,
    .lanes = newer_lanes,
    .of_lanes = of_lanes};
