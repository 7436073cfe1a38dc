/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_ray.c: rays against a node of a tree of boxes and triangles.
 *
 * VADDR: the node's pointer (one dword or two), the ray's extent, its origin, its direction and the inverse of that.  A
 * pointer counts 64 bytes from the base on, and has the node's type in bits 2:0.  A node of boxes holds the pointers of
 * four nodes and their boxes, in floats or halves; VDATA becomes the pointers of those that the ray meets, the nearest
 * first, then ones.  A box whose least x is a NaN is none.
 *
 * Source: Mesa, which emulates the instruction on other chips (radv_rt_common.c), and makes its descriptor.  The chip
 * may round otherwise and makes boxes larger by BOX_GROW units in the last place: where that could change the result,
 * the wave stops.  So it does where the order is not known, and for triangles: drivers use the quotient of two of the
 * numbers that the chip returns, and no source says which numbers these are.
 */
#include "image/gcn_image.h"

#include "gpudbg/lanes.h"

enum { BOXES_OF_HALVES = 4, BOXES = 5, CHILDREN = 4, NODE_UNIT = 64, LEAF_TYPES = 3 };

struct ray {
    double extent, origin[3], inverse[3];
};

/* A number that is known but for an error. */
struct bound {
    double value, error;
};

struct hit {
    uint32_t node;
    struct bound at;
};

static bool unknown(struct gpudbg_wave *w, const struct gcn_op *op, unsigned lane, const char *what)
{
    (void)GCN_FAULT(w, op, (int)lane, "%s: %s: not known", gcn_image_name(w, op), what);
    return false;
}

/* Where the ray meets a plane across an axis. */
static struct bound plane(const struct ray *r, unsigned axis, double coordinate, unsigned grow)
{
    const double value = (coordinate - r->origin[axis]) * r->inverse[axis];
    const double size = value < 0 ? -value : value;
    if (size > 0x1p126) return (struct bound){value, 0};
    return (struct bound){value, size * (4 + grow) * 0x1p-23};
}

static bool before(struct bound a, struct bound b) { return a.value + a.error < b.value - b.error; }

/* Whether the ray meets the box; *known: whether that is certain. */
static bool meets(const struct ray *r, const double box[6], unsigned grow, struct bound *at, bool *known)
{
    const struct bound start = {0, 0}, end = {r->extent, 0};
    struct bound near = start, far = start;
    for (unsigned axis = 0; axis < 3; axis++) {
        struct bound a = plane(r, axis, box[axis], grow), b = plane(r, axis, box[3 + axis], grow);
        if (a.value != a.value || b.value != b.value) return *known = false;
        if (b.value < a.value) {
            const struct bound other = a;
            a = b;
            b = other;
        }
        near = axis == 0 || a.value > near.value ? a : near;
        far = axis == 0 || b.value < far.value ? b : far;
    }
    const struct bound from = near.value > 0 ? near : start;
    *at = near;
    *known = (before(from, far) && before(near, end)) || before(far, from) || before(end, near);
    return from.value <= far.value && near.value < r->extent;
}

/* The boxes of a node, least coordinates first. */
static void read_boxes(const uint8_t *bytes, bool halves, double box[CHILDREN][6])
{
    for (unsigned i = 0; i < CHILDREN; i++)
        for (unsigned k = 0; k < 6; k++) {
            const unsigned n = 6 * i + k;
            const uint32_t bits = halves ? lanes_f32_from_f16(le_u16(bytes + 2 * n), true) : le_u32(bytes + 4 * n);
            box[i][k] = (double)lanes_f32(bits);
        }
}

/* Puts the nearest first.  false: which one that is is not known. */
static bool sort(struct hit *hit, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = i; k-- > 0;) {
            if (!before(hit[k].at, hit[k + 1].at) && !before(hit[k + 1].at, hit[k].at)) return false;
            if (hit[k].at.value <= 0 && hit[k + 1].at.value <= 0) return false;
            if (hit[k].at.value < hit[k + 1].at.value) break;
            const struct hit other = hit[k];
            hit[k] = hit[k + 1];
            hit[k + 1] = other;
        }
    return true;
}

static bool meet_boxes(struct gpudbg_wave *w, const struct gcn_op *op, const struct ray *r, uint64_t addr, bool halves,
    unsigned lane, uint32_t out[CHILDREN])
{
    const uint32_t *t = gcn_s(w) + op->b;
    uint8_t bytes[4 * CHILDREN + 4 * 6 * CHILDREN];
    const size_t size = 4 * CHILDREN + (halves ? 2 : 4) * 6 * CHILDREN;
    double box[CHILDREN][6];
    struct hit hit[CHILDREN];
    unsigned n = 0;
    gcn_sync(w, op);
    if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, bytes, size, (int)lane)) {
        gcn_stop(w, GPUDBG_RAN_FAULT);
        return false;
    }
    read_boxes(bytes + 4 * CHILDREN, halves, box);
    for (unsigned i = 0; i < CHILDREN; i++) {
        bool known;
        out[i] = UINT32_MAX;
        if (box[i][0] != box[i][0]) continue;
        if (meets(r, box[i], GET(t, BVH_SHARP, box_grow), &hit[n].at, &known) && known)
            hit[n++].node = le_u32(bytes + 4 * i);
        if (!known) return unknown(w, op, lane, "a ray that grazes a box, or ends at it");
    }
    if (!sort(hit, n))
        return unknown(w, op, lane, "the order of boxes that are as far away, or that the ray begins in");
    for (unsigned i = 0; i < n; i++) out[i] = hit[i].node;
    return true;
}

static bool check_tree(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *t = gcn_s(w) + op->b;
    const char *field = GET(t, BVH_SHARP, type) != 8 ? "type" : !GET(t, BVH_SHARP, box_sort_en) ? "box_sort_en" : NULL;
    if (!field) return true;
    (void)GCN_FAULT(w, op, -1, "%s: %s is %u: %s", gcn_image_name(w, op), field,
        field[0] == 't' ? GET(t, BVH_SHARP, type) : 0, field[0] == 't' ? "no tree" : "the order of boxes is not known");
    return false;
}

const struct gcn_op *gcn_image_ray(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t mask = gcn_active(w);
    const uint32_t *t = gcn_s(w) + op->b;
    const unsigned dwords = op->imm; /* of a pointer */
    struct gcn_image_address a = {.extra = dwords + 4, .own = 6, .bias = -1, .floats = true};
    uint32_t rows[CHILDREN][64], out[CHILDREN];
    if (!mask) return gcn_image_next(op);
    if (!check_tree(w, op) || !gcn_image_address(w, op, &a)) return NULL;
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned lane = gcn_first_lane(m);
        const uint64_t node = a.row[0][lane] | (dwords > 1 ? (uint64_t)a.row[1][lane] << 32 : 0);
        const unsigned type = (unsigned)(node % 8);
        struct ray r = {.extent = (double)lanes_f32(a.row[dwords][lane])};
        for (unsigned i = 0; i < 3; i++) {
            r.origin[i] = (double)lanes_f32(a.row[dwords + 1 + i][lane]);
            r.inverse[i] = (double)lanes_f32(a.row[dwords + 7 + i][lane]);
        }
        if (node >> 3 > GET_LONG(t, BVH_SHARP, size))
            return GCN_FAULT(w, op, (int)lane, "%s: node 0x%llx is beyond the size of the tree", gcn_image_name(w, op),
                (unsigned long long)node);
        if (type <= LEAF_TYPES) return unknown(w, op, lane, "what is returned for a triangle"), NULL;
        if (type != BOXES && type != BOXES_OF_HALVES)
            return unknown(w, op, lane, "what is returned for a node of type 6 or 7"), NULL;
        const uint64_t addr = (GET_LONG(t, BVH_SHARP, base_address) * 256 + (node >> 3) * NODE_UNIT) & 0xffffffffffffu;
        if (!meet_boxes(w, op, &r, addr, type == BOXES_OF_HALVES, lane, out)) return NULL;
        for (unsigned i = 0; i < CHILDREN; i++) rows[i][lane] = out[i];
    }
    for (unsigned i = 0; i < CHILDREN; i++)
        for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d + i)[gcn_first_lane(m)] = rows[i][gcn_first_lane(m)];
    return gcn_image_done(w, op);
}
