/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalar_memory.c: SMRD, and SMEM of newer chips.  Loads whole dwords into SGPRs, regardless of EXEC.  The offset of
 * SMRD is dwords in the instruction or its literal, bytes in an SGPR; that of SMEM is bytes, signed, plus an SGPR.  The
 * two low bits of the address are dropped.
 *
 * Some chips also store SGPRs and have atomics on memory, with the data in SGPRs; outside of a buffer these do nothing,
 * and an atomic gives 0.  In accesses to scratch the SGPR counts 64 bytes (AMD's manuals of the chips before, "Scalar
 * Memory Addressing").
 */
#include "memory/gcn_memory.h"

/* In mods, beside the number of dwords; 23:16 hold the operation of an atomic. */
enum { BY_SGPR = 0x100, IN_BYTES = 0x200, WIDE = 0x400, GLC = 0x800, BUFFER = 0x1000, BY_LINES = 0x2000, WHAT = 16 };

static uint64_t byte_offset(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t by_sgpr = op->mods & BY_SGPR ? gcn_s(w)[op->b] : 0;
    if (op->mods & IN_BYTES) return (op->mods & BY_LINES ? 64 : 1) * by_sgpr + (uint64_t)(int64_t)(int32_t)op->imm;
    return op->mods & BY_SGPR ? by_sgpr : 4 * (uint64_t)op->imm;
}

/* Loads n dwords at addr into s[d] and the registers after it. */
static bool load(struct gpudbg_wave *w, const struct gcn_op *op, uint64_t addr, unsigned d, unsigned n)
{
    struct gpudbg_segment *seg = op->cache;
    uint64_t size = 4 * (uint64_t)n;
    if (!seg || seg->size < size || addr - seg->base > seg->size - size || seg->flags & GPUDBG_SEG_RWATCH) {
        uint32_t got[16];
        gcn_sync(w, op);
        if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, got, size, -1)) {
            gcn_stop(w, GPUDBG_RAN_FAULT);
            return false;
        }
        memcpy(gcn_s(w) + d, got, size);
        ((struct gcn_op *)op)->cache = gpudbg_mem_find(w, GPUDBG_GLOBAL, addr, size);
        return true;
    }
    memcpy(gcn_s(w) + d, seg->bytes + (addr - seg->base), size);
    return true;
}

static const struct gcn_op *s_load(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t addr = (gcn_pair(gcn_s(w), op->a) + byte_offset(w, op)) & ~UINT64_C(3);
    return load(w, op, addr, op->d, op->mods & 0xff) ? gcn_done(w, op) : NULL;
}

/* Dwords outside the buffer read as 0. */
static const struct gcn_op *s_buffer_load(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *v = gcn_s(w) + op->a;
    uint64_t base = GET_LONG(v, V_SHARP, base_address);
    uint32_t stride = GET(v, V_SHARP, stride), n = op->mods & 0xff;
    uint64_t size = (uint64_t)GET(v, V_SHARP, num_records) * (stride ? stride : 1),
             offset = byte_offset(w, op) & ~UINT64_C(3), left = offset < size ? (size - offset) / 4 : 0;
    unsigned inside = left < n ? (unsigned)left : n;
    if (inside && !load(w, op, (base + offset) & ~UINT64_C(3), op->d, inside)) return NULL;
    memset(gcn_s(w) + op->d + inside, 0, 4 * (size_t)(n - inside));
    return gcn_done(w, op);
}

static bool store(struct gpudbg_wave *w, const struct gcn_op *op, uint64_t addr, unsigned n)
{
    gcn_sync(w, op);
    if (gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, gcn_s(w) + op->d, 4 * (size_t)n, -1)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* The place that an operation has in the buffer, and how many dwords from it on are in range. */
static uint64_t buffer_place(const struct gpudbg_wave *w, const struct gcn_op *op, uint64_t *inside)
{
    const uint32_t *v = gcn_s(w) + op->a;
    const uint32_t stride = GET(v, V_SHARP, stride);
    const uint64_t size = (uint64_t)GET(v, V_SHARP, num_records) * (stride ? stride : 1),
                   offset = byte_offset(w, op) & ~UINT64_C(3);
    *inside = offset < size ? (size - offset) / 4 : 0;
    return (GET_LONG(v, V_SHARP, base_address) + offset) & ~UINT64_C(3);
}

static const struct gcn_op *s_store(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t addr = (gcn_pair(gcn_s(w), op->a) + byte_offset(w, op)) & ~UINT64_C(3);
    return store(w, op, addr, op->mods & 0xff) ? gcn_done(w, op) : NULL;
}

static const struct gcn_op *s_buffer_store(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const unsigned n = op->mods & 0xff;
    uint64_t inside;
    const uint64_t addr = buffer_place(w, op, &inside);
    return !inside || store(w, op, addr, inside < n ? (unsigned)inside : n) ? gcn_done(w, op) : NULL;
}

/* Of two data the first is new, and the second is compared with memory. */
static const struct gcn_op *s_modify(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const bool wide = op->mods & WIDE;
    const unsigned dwords = wide ? 2 : 1;
    uint32_t *data = gcn_s(w) + op->d;
    uint64_t inside = dwords, old = 0, src = data[0], more = data[dwords];
    const uint64_t addr = op->mods & BUFFER ? buffer_place(w, op, &inside)
                                            : (gcn_pair(gcn_s(w), op->a) + byte_offset(w, op)) & ~UINT64_C(3);
    if (wide) src = gcn_pair(gcn_s(w), op->d);
    if (wide) more = gcn_pair(gcn_s(w), op->d + 2u);
    gcn_sync(w, op);
    if (inside >= dwords) {
        if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, &old, 4 * dwords, -1)) return gcn_stop(w, GPUDBG_RAN_FAULT);
        const uint64_t new = gcn_rmw_value((enum gcn_rmw)(op->mods >> WHAT & 0xff), wide, old, src, more);
        if (!gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, &new, 4 * dwords, -1)) return gcn_stop(w, GPUDBG_RAN_FAULT);
    }
    if (op->mods & GLC) data[0] = (uint32_t)old;
    if (op->mods & GLC && wide) data[1] = (uint32_t)(old >> 32);
    return gcn_done(w, op);
}

static const struct gcn_op *s_wave_id(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_s(w)[op->d] = w->index;
    return gcn_next(op);
}

/* There is no clock: the wave's own count grows with each read, so that time passes and repeats exactly. */
static const struct gcn_op *s_memtime(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t now = gcn_pair(gcn_s(w), GCN_TIME) + 64;
    gcn_set_pair(gcn_s(w), GCN_TIME, now);
    gcn_set_pair(gcn_s(w), op->d, now);
    return gcn_next(op);
}

static const struct gcn_op *nothing(struct gpudbg_wave *w, const struct gcn_op *op)
{
    (void)w;
    return gcn_next(op);
}

/* The places of SMRD. */
static void take_older(const struct gpudbg_insn *insn, const uint32_t w[2], struct gcn_op *op)
{
    const unsigned offset = GET(w, SMRD, offset);
    op->d = (uint16_t)GET(w, SMRD, sdst);
    op->a = (uint16_t)(GET(w, SMRD, sbase) * 2);
    op->b = (uint16_t)offset;
    if (GET(w, SMRD, imm))
        op->imm = offset;
    else if (offset == GCN_LITERAL && insn->size == 8)
        op->imm = w[1];
    else
        op->mods |= BY_SGPR;
}

static void take_newer(const uint32_t w[2], struct gcn_op *op)
{
    const uint32_t sign = UINT32_C(1) << (LEN_OF(SMEM, offset) - 1);
    op->d = (uint16_t)GET_LONG(w, SMEM, sdata);
    op->a = (uint16_t)(GET_LONG(w, SMEM, sbase) * 2);
    op->b = (uint16_t)GET_LONG(w, SMEM, soffset);
    op->imm = ((uint32_t)GET_LONG(w, SMEM, offset) ^ sign) - sign;
    op->mods |= IN_BYTES | (op->b == GCN_CODE_NULL ? 0 : BY_SGPR);
}

bool gcn_scalar_memory_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    const bool modifies = row->action == GCN_S_MODIFY,
               compares = modifies && (row->what == GCN_RMW_CMPSWAP || row->what == GCN_RMW_FCMPSWAP);
    const unsigned n = row->action == GCN_CLOCK     ? 2
                       : row->action == GCN_WAVE_ID ? 1
                       : modifies                   ? (row->wide ? 2u : 1u) << compares
                                                    : row->what;
    op->mods = n | (!modifies && row->stride == 64 ? BY_LINES : 0);
    if (modifies)
        op->mods |= (row->wide ? WIDE : 0) | (row->stride ? BUFFER : 0) | (GET(w, SMEM, glc) ? GLC : 0) |
                    (uint32_t)row->what << WHAT;
    if (insn->variant == GCN_SMEM)
        take_newer(w, op);
    else
        take_older(insn, w, op);
    switch (row->action) {
    case GCN_S_LOAD: op->fn = s_load; break;
    case GCN_S_BUFFER_LOAD:
        op->fn = s_buffer_load;
        op->a &= 0xfffc;
        break;
    case GCN_S_STORE: op->fn = s_store; break;
    case GCN_S_BUFFER_STORE:
        op->fn = s_buffer_store;
        op->a &= 0xfffc;
        break;
    case GCN_S_MODIFY:
        op->fn = s_modify;
        if (row->stride) op->a &= 0xfffc;
        break;
    case GCN_WAVE_ID: op->fn = s_wave_id; break;
    case GCN_CLOCK: op->fn = s_memtime; break;
    default: op->fn = nothing; return true;
    }
    if (op->d == GCN_CODE_NULL && gcn_chip_of(insn->isa)->null_register) return false;
    return op->d + n <= GCN_INLINE && (!(op->mods & BY_SGPR) || op->b < GCN_INLINE);
}
