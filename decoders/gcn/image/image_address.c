/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_address.c: the VGPRs of an image instruction: the address, as rows of numbers, and the result.
 *
 * Older chips have a VGPR for each number, one after the other.  On newer chips
 *
 *     NSA     the VGPRs after the first are any, a byte each in the dwords after the word
 *     A16     coordinates, and what follows them, are halves, two in a VGPR; a bias is a half in a VGPR of its own
 *     G16     derivatives are halves, those by x and those by y packed apart
 *
 * Halves are floats in instructions with a sampler, else unsigned integers.  Source: LLVM 19, how it packs addresses
 * for its image intrinsics.
 */
#include "image/gcn_image.h"

#include "gpudbg/lanes.h"

#include "engine/gcn_predecode.h"

/* Where the next number comes from. */
struct from {
    struct gpudbg_wave *w;
    const uint8_t *more; /* the bytes after the word, with NSA; NULL: VGPRs in a row */
    unsigned first, n;   /* n: VGPRs taken so far */
};

static unsigned vgpr_of(const struct from *f, unsigned i) { return i == 0 || !f->more ? f->first + i : f->more[i - 1]; }

static const uint32_t *next_row(struct from *f) { return gcn_v(f->w, vgpr_of(f, f->n++)); }

static void widen(const uint32_t *from, unsigned shift, bool floats, uint32_t *to)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t half = from[lane] >> shift & 0xffff;
        to[lane] = floats ? lanes_f32_from_f16(half, true) : half;
    }
}

/* Adds `count` numbers, two in a VGPR if they are halves. */
static void take(struct from *f, struct gcn_image_address *a, unsigned *n, unsigned count, bool halves)
{
    const uint32_t *row = NULL;
    for (unsigned i = 0; i < count; i++, ++*n) {
        if (!halves || i % 2 == 0) row = next_row(f);
        if (halves) widen(row, 16 * (i % 2), a->floats, a->wide[*n]);
        a->row[*n] = halves ? a->wide[*n] : row;
    }
}

static unsigned vgprs(unsigned count, bool halves) { return halves ? (count + 1) / 2 : count; }

bool gcn_image_address(struct gpudbg_wave *w, const struct gcn_op *op, struct gcn_image_address *a)
{
    const bool a16 = op->mods & GCN_IMAGE_A16, g16 = op->mods & GCN_IMAGE_G16;
    const unsigned nsa = op->mods >> GCN_IMAGE_NSA & 3,
                   count = a->extra + 2 * vgprs(a->derivatives, g16) + vgprs(a->own, a16);
    struct from f = {.w = w, .first = op->a, .more = nsa ? gcn_bytes(w, op) + 8 : NULL};
    if (nsa && count > 1 + 4 * nsa) {
        (void)GCN_FAULT(w, op, -1, "%s: the address takes %u VGPRs, and the instruction names %u",
            gcn_image_name(w, op), count, 1 + 4 * nsa);
        return false;
    }
    for (unsigned i = 0; i < count; i++)
        if (!gcn_has_v(w, vgpr_of(&f, i), 1)) {
            (void)GCN_FAULT(w, op, -1, "v%u does not exist: the launch has %u VGPRs (this image's addresses take %u)",
                vgpr_of(&f, i), gcn_of(w)->vgprs, count);
            return false;
        }
    unsigned n = 0;
    for (unsigned i = 0; i < a->extra; i++) take(&f, a, &n, 1, a16 && a->bias == (int)i);
    take(&f, a, &n, a->derivatives, g16);
    take(&f, a, &n, a->derivatives, g16);
    take(&f, a, &n, a->own, a16);
    return true;
}

/* ---- Results ---- */

void gcn_image_select(const struct gcn_image *im, const uint32_t in[4], uint32_t out[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = im->sel[i] >= 4                    ? in[im->sel[i] - 4]
                 : im->sel[i] == 0                  ? 0
                 : gcn_texel_is_integer(&im->texel) ? 1
                                                    : 0x3f800000;
}

/* A component as a half.  How floats are rounded to halves here no source says: to the nearest, as exports of halves
 * are. */
static uint32_t half_of(uint32_t word, bool integer)
{
    return (integer ? word : lanes_f16_from_f32(word, LANES_NEAREST, true)) & 0xffff;
}

/* Two halves are in a VGPR; the upper half of the last one stays where it is not used. */
static unsigned put_halves(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t mask, uint32_t rows[4][64], bool integers)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(op->mods >> i & 1)) continue;
        uint32_t *to = gcn_v(w, op->d + n / 2);
        const unsigned shift = 16 * (n++ % 2);
        for (uint64_t m = mask; m; m &= m - 1) {
            const unsigned lane = gcn_first_lane(m);
            to[lane] = (to[lane] & ~(UINT32_C(0xffff) << shift)) | half_of(rows[i][lane], integers) << shift;
        }
    }
    return (n + 1) / 2;
}

void gcn_image_result(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t mask, uint32_t rows[4][64], bool integers)
{
    const bool halves = op->mods & GCN_IMAGE_D16;
    unsigned n = halves ? put_halves(w, op, mask, rows, integers) : 0;
    for (unsigned i = 0; i < 4 && !halves; i++)
        if (op->mods >> i & 1) {
            uint32_t *to = gcn_v(w, op->d + n++);
            for (uint64_t m = mask; m; m &= m - 1) to[gcn_first_lane(m)] = rows[i][gcn_first_lane(m)];
        }
    if (op->mods & GCN_IMAGE_TFE)
        for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d + n)[gcn_first_lane(m)] = 0; /* no texel is missing */
}

const struct gcn_op *gcn_image_done(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (!w->machine->watch_hit) return gcn_image_next(op);
    gcn_sync(w, gcn_image_next(op));
    return gcn_stop(w, GPUDBG_RAN_WATCH);
}
