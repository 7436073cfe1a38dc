/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_ray.c: rays against a node of a tree of boxes and triangles.
 *
 * VADDR: the node's pointer (one dword or two), the ray's extent, its origin, its direction and the inverse of that.  A
 * pointer counts 64 bytes from the base on, and has the node's type in bits 2:0.
 *
 *     boxes      4, in halves, or 5, in floats: the pointers of four nodes and their boxes.  VDATA becomes the pointers
 *                of those that the ray meets, ones for the others: sorted, the nearest first, or each in its place.  A
 *                box whose least x is a NaN is none
 *     triangles  0 to 3: one of the triangles of up to five corners, and in the last dword a byte for each of them.
 *                VDATA becomes the numerator and the denominator of the distance, and, as the tree's descriptor says,
 *                the last dword and whether the ray meets the triangle, or the numerators of two of the coordinates by
 *                which its corners are weighed, which two bits of the byte each choose (0 to 2: the corner)
 *     others     6, 7: the program's own; VDATA becomes ones
 *
 * Source: AMD's ray tracing library GPURT, which emulates the instruction (IntersectCommon.hlsl,
 * TriangleNode1_0.hlsli), and Mesa, which makes the trees and emulates it differently.  What the two of them do not
 * agree about stops: a box that begins where the ray ends.  So does what a chip that rounds otherwise could decide
 * otherwise; numbers that are exact are known.  Of numbers that are rounded the chip's last bits may differ.
 */
#include "image/gcn_image.h"

#include "gpudbg/lanes.h"

enum { LEAF_TYPES = 3, BOXES_OF_HALVES = 4, BOXES = 5, CHILDREN = 4, NODE_UNIT = 64, CORNERS = 5 };

/* A number that is known but for an error. */
struct number {
    double value, error;
};

struct ray {
    struct number extent, origin[3], direction[3], inverse[3];
};

/* axis: of the plane that gave the distance, 3: it is the ray's begin. */
struct hit {
    uint32_t node;
    struct number at;
    unsigned axis;
};

static bool unknown(struct gpudbg_wave *w, const struct gcn_op *op, unsigned lane, const char *what)
{
    (void)GCN_FAULT(w, op, (int)lane, "%s: %s: not known", gcn_image_name(w, op), what);
    return false;
}

/* ---- Numbers ---- */

static struct number exactly(float f) { return (struct number){(double)f, 0}; }

static double size_of(double x) { return x < 0 ? -x : x; }

/* What a float does not hold may be rounded either way. */
static struct number rounded(double value, double error)
{
    const double size = size_of(value);
    const bool held = value != value || size > 0x1p126 || (double)(float)value == value;
    if (size > 0x1p126) return (struct number){value, 0};
    return (struct number){value, held ? error : error + size * 0x1p-23};
}

static struct number sum(struct number a, struct number b) { return rounded(a.value + b.value, a.error + b.error); }

static struct number minus(struct number a) { return (struct number){-a.value, a.error}; }

static struct number difference(struct number a, struct number b) { return sum(a, minus(b)); }

static struct number product(struct number a, struct number b)
{
    return rounded(a.value * b.value, size_of(a.value) * b.error + size_of(b.value) * a.error + a.error * b.error);
}

static struct number dot(const struct number a[3], const struct number b[3])
{
    return sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
}

static void cross(const struct number a[3], const struct number b[3], struct number out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = difference(product(a[j], b[k]), product(a[k], b[j]));
    }
}

static bool before(struct number a, struct number b) { return a.value + a.error < b.value - b.error; }

static bool equal(struct number a, struct number b) { return a.value == b.value && a.error == 0 && b.error == 0; }

/* ---- Boxes ---- */

/* Whether the ray meets the box; *known: whether that is certain. */
static bool meets(const struct ray *r, const float box[6], unsigned grow, struct hit *hit, bool *known)
{
    struct number far = r->extent;
    *hit = (struct hit){.axis = 3};
    for (unsigned axis = 0; axis < 3; axis++) {
        struct number a = product(difference(exactly(box[axis]), r->origin[axis]), r->inverse[axis]),
                      b = product(difference(exactly(box[3 + axis]), r->origin[axis]), r->inverse[axis]);
        if (a.value != a.value || b.value != b.value) return *known = false;
        if (b.value < a.value) {
            const struct number other = a;
            a = b;
            b = other;
        }
        if (a.value > hit->at.value) hit->at = a, hit->axis = axis;
        far = b.value < far.value ? b : far;
    }
    far = product(far, sum(exactly(1), (struct number){grow * 0x1p-24, 0}));
    *known = (before(hit->at, far) || equal(hit->at, far) || before(far, hit->at)) &&
             (before(hit->at, r->extent) || before(r->extent, hit->at));
    return hit->at.value <= far.value && hit->at.value < r->extent.value;
}

/* The boxes of a node, least coordinates first. */
static void read_boxes(const uint8_t *bytes, bool halves, float box[CHILDREN][6])
{
    for (unsigned i = 0; i < CHILDREN; i++)
        for (unsigned k = 0; k < 6; k++) {
            const unsigned n = 6 * i + k;
            box[i][k] = lanes_f32(halves ? lanes_f32_from_f16(le_u16(bytes + 2 * n), true) : le_u32(bytes + 4 * n));
        }
}

/* Exchanges two places if the second is nearer.  false: that is not known. */
static bool exchange(struct hit *a, struct hit *b)
{
    if (b->node == UINT32_MAX) return true;
    if (a->node != UINT32_MAX) {
        const bool same = a->at.value == b->at.value && (a->axis == b->axis || equal(a->at, b->at));
        if (same || before(a->at, b->at)) return true;
        if (!before(b->at, a->at)) return false;
    }
    const struct hit other = *a;
    *a = *b;
    *b = other;
    return true;
}

/* The chip's network of exchanges decides which of boxes that are as far away is first. */
static bool sort(struct hit hit[CHILDREN])
{
    static const uint8_t steps[5][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}};
    for (unsigned i = 0; i < 5; i++)
        if (!exchange(&hit[steps[i][0]], &hit[steps[i][1]])) return false;
    return true;
}

/* The bytes of a node.  false: they are not there, and the run is stopped. */
static bool read_node(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t addr, uint8_t *bytes, size_t size, unsigned lane)
{
    gcn_sync(w, op);
    if (gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, bytes, size, (int)lane)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

static bool meet_boxes(struct gpudbg_wave *w, const struct gcn_op *op, const struct ray *r, uint64_t addr, bool halves,
    unsigned lane, uint32_t out[CHILDREN])
{
    const uint32_t *t = gcn_s(w) + op->b;
    uint8_t bytes[4 * CHILDREN + 4 * 6 * CHILDREN];
    const size_t size = 4 * CHILDREN + (halves ? 2 : 4) * 6 * CHILDREN;
    float box[CHILDREN][6];
    struct hit hit[CHILDREN];
    if (!read_node(w, op, addr, bytes, size, lane)) return false;
    read_boxes(bytes + 4 * CHILDREN, halves, box);
    for (unsigned i = 0; i < CHILDREN; i++) {
        bool known = true;
        const bool none = box[i][0] != box[i][0],
                   met = !none && meets(r, box[i], GET(t, BVH_SHARP, box_grow), &hit[i], &known);
        if (!known) return unknown(w, op, lane, "a ray that grazes a box, or ends at it");
        hit[i].node = met ? le_u32(bytes + 4 * i) : UINT32_MAX;
    }
    if (GET(t, BVH_SHARP, box_sort_en) && !sort(hit))
        return unknown(w, op, lane, "the order of boxes that are nearly as far away");
    for (unsigned i = 0; i < CHILDREN; i++) out[i] = hit[i].node;
    return true;
}

/* ---- Triangles ---- */

static bool is_not_0(struct number n) { return size_of(n.value) > n.error; }

/* Whether a number has the sign that is asked for, or is 0; *known: whether that is certain. */
static bool is_at_least_0(struct number n, double sign, bool *known)
{
    *known = *known && (is_not_0(n) || (n.value == 0 && n.error == 0));
    return sign * n.value >= 0;
}

/* The numerators of the distance and of the weights of the three corners, and their denominator. */
struct meeting {
    struct number distance, denominator, weight[3];
};

/* Whether the ray, or what is beyond its end, meets the triangle. */
static bool meets_triangle(const struct ray *r, struct number corner[3][3], struct meeting *m, bool *known)
{
    struct number edge[2][3], from[3], s1[3], s2[3];
    for (unsigned k = 0; k < 3; k++) {
        edge[0][k] = difference(corner[1][k], corner[0][k]);
        edge[1][k] = difference(corner[2][k], corner[0][k]);
        from[k] = difference(r->origin[k], corner[0][k]);
    }
    cross(r->direction, edge[1], s1);
    cross(from, edge[0], s2);
    *m = (struct meeting){dot(edge[1], s2), dot(s1, edge[0]), {{0, 0}, dot(from, s1), dot(r->direction, s2)}};
    m->weight[0] = difference(difference(m->denominator, m->weight[1]), m->weight[2]);
    *known = is_not_0(m->denominator);
    if (m->denominator.value == 0 && m->denominator.error == 0) /* a ray along the plane: some weight is infinite */
        return *known = is_not_0(m->weight[1]) || is_not_0(m->weight[2]), false;
    const double sign = m->denominator.value < 0 ? -1 : 1;
    const struct number parts[4] = {m->distance, m->weight[0], m->weight[1], m->weight[2]};
    bool met = true, missed = false;
    for (unsigned i = 0; i < 4; i++) {
        bool sure = *known;
        const bool inside = is_at_least_0(parts[i], sign, &sure);
        met = met && inside && sure;
        missed = missed || (!inside && sure);
    }
    *known = met || missed;
    return met;
}

static bool meet_triangle(struct gpudbg_wave *w, const struct gcn_op *op, const struct ray *r, uint64_t addr,
    unsigned type, unsigned lane, uint32_t out[CHILDREN])
{
    static const uint8_t corners[LEAF_TYPES + 1][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {2, 4, 0}};
    uint8_t bytes[NODE_UNIT];
    struct number corner[3][3];
    struct meeting m;
    bool known;
    if (!read_node(w, op, addr, bytes, sizeof bytes, lane)) return false;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            corner[i][k] = exactly(lanes_f32(le_u32(bytes + 12 * corners[type][i] + 4 * k)));
    const uint32_t id = le_u32(bytes + 4 * 3 * CORNERS), own = id >> 8 * type;
    const bool met = meets_triangle(r, corner, &m, &known);
    if (!known) return unknown(w, op, lane, "a ray that grazes a triangle");
    out[0] = met ? lanes_bits32((float)m.distance.value) : 0x7f800000;
    out[1] = lanes_bits32(met ? (float)m.denominator.value : 1);
    out[2] = id;
    out[3] = met;
    if (!GET(gcn_s(w) + op->b, BVH_SHARP, triangle_return_mode)) return true;
    if (own % 4 == 3 || own / 4 % 4 == 3) return unknown(w, op, lane, "a triangle's corner 3");
    if (!met) m.weight[0] = difference(difference(exactly(1), m.weight[1]), m.weight[2]);
    out[2] = lanes_bits32((float)m.weight[own % 4].value);
    out[3] = lanes_bits32((float)m.weight[own / 4 % 4].value);
    return true;
}

/* ---- The instruction ---- */

static bool check_tree(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *t = gcn_s(w) + op->b;
    if (GET(t, BVH_SHARP, type) == 8) return true;
    (void)GCN_FAULT(w, op, -1, "%s: type is %u: no tree", gcn_image_name(w, op), GET(t, BVH_SHARP, type));
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
        struct ray r = {.extent = exactly(lanes_f32(a.row[dwords][lane]))};
        for (unsigned i = 0; i < 3; i++) {
            r.origin[i] = exactly(lanes_f32(a.row[dwords + 1 + i][lane]));
            r.direction[i] = exactly(lanes_f32(a.row[dwords + 4 + i][lane]));
            r.inverse[i] = exactly(lanes_f32(a.row[dwords + 7 + i][lane]));
        }
        if (node >> 3 > GET_LONG(t, BVH_SHARP, size))
            return GCN_FAULT(w, op, (int)lane, "%s: node 0x%llx is beyond the size of the tree", gcn_image_name(w, op),
                (unsigned long long)node);
        const uint64_t addr = (GET_LONG(t, BVH_SHARP, base_address) * 256 + (node >> 3) * NODE_UNIT) & 0xffffffffffffu;
        if (type > BOXES)
            for (unsigned i = 0; i < CHILDREN; i++) out[i] = UINT32_MAX;
        else if (type > LEAF_TYPES ? !meet_boxes(w, op, &r, addr, type == BOXES_OF_HALVES, lane, out)
                                   : !meet_triangle(w, op, &r, addr, type, lane, out))
            return NULL;
        for (unsigned i = 0; i < CHILDREN; i++) rows[i][lane] = out[i];
    }
    for (unsigned i = 0; i < CHILDREN; i++)
        for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d + i)[gcn_first_lane(m)] = rows[i][gcn_first_lane(m)];
    return gcn_image_done(w, op);
}
