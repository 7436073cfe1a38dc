/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory instructions of gfx7, each executed alone on random registers and memory and held against a model written from
 * the manual: plain loops over lanes and bytes that share nothing with the machine.  All of it is done again while
 * somebody watches, who is told of accesses one by one or together: what he was told makes the same memory.
 */
#include "memory_rig.h"

/* ---- DS ---- */

enum { ADDR = 1, DATA0 = 4, DATA1 = 8, VDST = 12 };

static void ds_word(uint32_t code[2], unsigned op, uint32_t offset)
{
    code[0] = 54u << 26 | op << 18 | offset;
    code[1] = ADDR | DATA0 << 8 | DATA1 << 16 | (uint32_t)VDST << 24;
}

/* Addresses: some shared, some misaligned, some out of range. */
static void ds_addresses(void)
{
    for (unsigned l = 0; l < 64; l++)
        r->v[ADDR][l] = random32() % 8 == 0 ? random32() : random32() % 4 == 0 ? random32() % LDS : l * 16;
}

static bool ds_inside(uint32_t at, unsigned bytes)
{
    uint64_t limit = r->s[124] < LDS ? r->s[124] : LDS;
    return at + (uint64_t)bytes <= limit;
}

static void test_ds_rmw(const struct row *row, int op, unsigned bytes, bool rtn)
{
    uint32_t code[2], offset = random32() % 64;
    char name[64];
    if (op < 0) return;
    ds_word(code, (unsigned)op, offset);
    if (!rig_open(code, 2)) return;
    ds_addresses();
    if (random32() % 2) r->s[124] = random32() % LDS;
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint32_t at = (r->v[ADDR][l] + offset) & ~(bytes - 1);
        if (!active(l)) continue;
        if (!ds_inside(at, bytes)) {
            if (rtn) reg_put(VDST, l, 0, bytes);
            continue;
        }
        uint64_t old = mem_get(r->lds + at, bytes);
        mem_put(r->lds + at, row->fn(old, reg_get(DATA0, l, bytes), reg_get(DATA1, l, bytes), bytes * 8), bytes);
        if (rtn) reg_put(VDST, l, old, bytes);
    }
    snprintf(name, sizeof name, "ds %d %s%s, %u bits", op, row->name, rtn ? " rtn" : "", bytes * 8);
    rig_check(name);
    rig_close();
}

static void test_ds_src2(const struct row *row, int op, unsigned bytes, bool own)
{
    uint32_t code[2], offset = own              ? 0x8000 | random32() % 0x7fff
                               : random32() % 2 ? random32() % 100
                                                : (0u - random32() % 100) & 0x7fff;
    char name[64];
    if (op < 0) return;
    ds_word(code, (unsigned)op, offset);
    if (!rig_open(code, 2)) return;
    for (unsigned l = 0; l < 64; l++) {
        r->v[ADDR][l] = random32() % LDS;
        if (own) r->v[ADDR][l] |= (random32() % 200 - 100) << 17;
    }
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint32_t a = r->v[ADDR][l];
        int32_t distance = (int32_t)(offset << 17) >> 17;
        if (!active(l)) continue;
        if (own) {
            distance = (int32_t)a >> 17;
            a &= 0x1ffff;
        }
        uint32_t b = (a + 4 * (uint32_t)distance) & ~(bytes - 1);
        a &= ~(bytes - 1);
        if (ds_inside(a, bytes))
            mem_put(r->lds + a,
                row->fn(mem_get(r->lds + a, bytes), ds_inside(b, bytes) ? mem_get(r->lds + b, bytes) : 0, 0, bytes * 8),
                bytes);
    }
    snprintf(name, sizeof name, "ds %d %s src2, %u bits, distance in the %s", op, row->name, bytes * 8,
        own ? "address" : "offset");
    rig_check(name);
    rig_close();
}

/* order: 0 anywhere, 1 one after another, 2 one place. */
static void test_ds_access(const struct access *a, int op, bool write, unsigned order)
{
    uint32_t code[2], offset = random32() % 200;
    char name[64];
    if (op < 0) return;
    ds_word(code, (unsigned)op, offset);
    if (!rig_open(code, 2)) return;
    ds_addresses();
    for (unsigned l = 0; order && l < 64; l++) r->v[ADDR][l] = order == 1 ? l * a->bytes : 64;
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint32_t at = (r->v[ADDR][l] + offset) & ~(a->bytes == 12 ? 15 : a->bytes - 1);
        bool inside = ds_inside(at, a->bytes);
        if (active(l) && write && inside)
            store_model(DATA0, l, r->lds + at, a);
        else if (active(l) && !write)
            load_model(VDST, l, inside ? r->lds + at : NULL, a);
    }
    snprintf(name, sizeof name, "ds %d: %s of a %s%s", op, write ? "write" : "read", a->name,
        order == 2 ? ", one place"
        : order    ? ", lanes in order"
                   : "");
    rig_check(name);
    rig_close();
}

/* kind: 0 read2, 1 write2, 2 exchange */
static void test_ds_two(unsigned op, unsigned bytes, unsigned stride, unsigned kind)
{
    uint32_t code[2], off[2] = {random32() % 8, random32() % 8};
    char name[64];
    ds_word(code, op, off[0] | off[1] << 8);
    if (!rig_open(code, 2)) return;
    ds_addresses();
    rig_run();
    for (unsigned l = 0; l < 64; l++)
        for (unsigned i = 0; i < 2; i++) {
            uint32_t at = (r->v[ADDR][l] + off[i] * bytes * stride) & ~(bytes - 1);
            unsigned data = i ? DATA1 : DATA0, dst = VDST + i * bytes / 4;
            uint64_t value = 0;
            if (!active(l)) continue;
            if (ds_inside(at, bytes)) {
                value = mem_get(r->lds + at, bytes);
                if (kind) mem_put(r->lds + at, reg_get(data, l, bytes), bytes);
            }
            if (kind != 1) reg_put(dst, l, value, bytes);
        }
    /* The machine writes all of the first item before the second; lanes that meet are the hardware's to order. */
    if (kind == 1) {
        rig_close();
        if (!rig_open(code, 2)) return;
        for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = 16 * l;
        if (stride == 1) r->exec &= 0x7f7f7f7f7f7f7f7full;
        off[1] = off[0];
        rig_run();
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < 64; l++) {
                uint32_t at = (r->v[ADDR][l] + (code[0] >> 8 * i & 0xff) * bytes * stride) & ~(bytes - 1);
                if (active(l) && ds_inside(at, bytes))
                    mem_put(r->lds + at, reg_get(i ? DATA1 : DATA0, l, bytes), bytes);
            }
    }
    snprintf(name, sizeof name, "ds %u: two of %u bytes, stride %u", op, bytes, stride);
    rig_check(name);
    rig_close();
}

static void test_ds_swizzle(uint32_t offset)
{
    uint32_t code[2], in[64];
    ds_word(code, 53, offset);
    if (!rig_open(code, 2)) return;
    rig_run();
    memcpy(in, r->v[ADDR], sizeof in);
    for (unsigned l = 0; l < 64; l++) {
        unsigned from = offset & 0x8000
                            ? l / 4 * 4 + (offset >> l % 4 * 2 & 3)
                            : l / 32 * 32 + (((l % 32 & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
        if (active(l)) r->v[VDST][l] = active(from) ? in[from] : 0;
    }
    char name[40];
    snprintf(name, sizeof name, "ds_swizzle 0x%04x", offset);
    rig_check(name);
    rig_close();
}

static void test_ds_count(unsigned op, bool append)
{
    uint32_t code[2], n = 0;
    ds_word(code, op, 20);
    if (!rig_open(code, 2)) return;
    r->s[124] = 100;
    rig_run();
    uint64_t old = mem_get(r->lds + 120, 4);
    for (unsigned l = 0; l < 64; l++)
        if (active(l)) {
            n++;
            r->v[VDST][l] = (uint32_t)old;
        }
    mem_put(r->lds + 120, append ? old + n : old - n, 4);
    rig_check(append ? "ds_append" : "ds_consume");
    rig_close();
}

static void test_ds_condxchg(unsigned op, unsigned bytes)
{
    uint32_t code[2];
    ds_word(code, op, 0);
    if (!rig_open(code, 2)) return;
    for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = 32 * l % LDS;
    rig_run();
    for (unsigned l = 0; l < 64; l++)
        for (unsigned i = 0; i < bytes / 4 && active(l); i++) {
            uint8_t *p = r->lds + r->v[ADDR][l] + 4 * i;
            uint32_t data = r->v[DATA0 + i][l], old = (uint32_t)mem_get(p, 4);
            if (data >> 31) mem_put(p, data & 0x7fffffff, 4);
            r->v[VDST + i][l] = old;
        }
    rig_check(bytes == 8 ? "ds_condxchg32_rtn_b64" : "ds_condxchg32_rtn_b128");
    rig_close();
}

static void test_ds(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        test_ds_rmw(&rows[i], rows[i].ds, 4, false);
        test_ds_rmw(&rows[i], rows[i].ds_rtn, 4, true);
        test_ds_rmw(&rows[i], rows[i].ds64, 8, false);
        test_ds_rmw(&rows[i], rows[i].ds64_rtn, 8, true);
        for (unsigned own = 0; own < 2; own++) {
            test_ds_src2(&rows[i], rows[i].src2, 4, own);
            test_ds_src2(&rows[i], rows[i].src2_64, 8, own);
        }
    }
    for (unsigned i = 0; i < ACCESSES; i++)
        for (unsigned order = 0; order < 3; order++) {
            test_ds_access(&accesses[i], accesses[i].ds_read, false, order);
            test_ds_access(&accesses[i], accesses[i].ds_write, true, order);
        }
    for (unsigned st = 0; st < 2; st++) {
        unsigned stride = st ? 64 : 1;
        test_ds_two(55 + st, 4, stride, 0);
        test_ds_two(119 + st, 8, stride, 0);
        test_ds_two(14 + st, 4, stride, 1);
        test_ds_two(78 + st, 8, stride, 1);
        test_ds_two(46 + st, 4, stride, 2);
        test_ds_two(110 + st, 8, stride, 2);
    }
    for (uint32_t i = 0; i < 6; i++)
        test_ds_swizzle((const uint32_t[]){0x8055, 0x80e4, 0x801b, 0x001f, 0x041f, 0x7c3e}[i]);
    test_ds_count(62, true);
    test_ds_count(61, false);
    test_ds_condxchg(126, 8);
    test_ds_condxchg(253, 16);
}

/* ---- FLAT ---- */

enum { FLAT_DATA = 4, FLAT_DST = 12 };

static void flat_word(uint32_t code[2], unsigned op, bool glc)
{
    code[0] = 55u << 26 | op << 18 | (uint32_t)glc << 16;
    code[1] = ADDR | FLAT_DATA << 8 | (uint32_t)FLAT_DST << 24;
}

static void flat_address(unsigned lane, uint64_t addr)
{
    r->v[ADDR][lane] = (uint32_t)addr;
    r->v[ADDR + 1][lane] = (uint32_t)(addr >> 32);
}

/* The high dwords of the apertures, as the machine gives them to kernels (abi.c). */
enum { SHARED = 0x20000000, PRIVATE = 0x20000001 };

/* order: 0 lanes in order, 1 anywhere, 2 some lanes in LDS, 3 some in scratch too */
static uint32_t at_of[64], kind_of[64]; /* of the model: offset, 0 buffer, 1 LDS, 2 scratch */

/* 0: one after another; 1 to 3: anywhere, in so many kinds of memory. */
enum { ONE_PLACE = 4, BY_PAIRS, ORDERS };

static void flat_addresses(unsigned bytes, unsigned order)
{
    for (unsigned l = 0; l < 64; l++) {
        kind_of[l] = order < 2 || order > 3 ? 0 : random32() % order;
        at_of[l] = order == 0           ? 256 + l * bytes
                   : order == ONE_PLACE ? 520
                   : order == BY_PAIRS  ? 256 + l / 2 * bytes
                   : kind_of[l] == 1    ? random32() % (LDS + 8)
                   : kind_of[l] == 2    ? random32() % (64 - bytes)
                                        : random32() % (8192 - bytes);
        if (bytes == 8 && kind_of[l] == 2) at_of[l] &= ~3u;
        flat_address(l, kind_of[l] == 0 ? r->at.buf->base + at_of[l]
                                        : (uint64_t)(kind_of[l] == 1 ? SHARED : PRIVATE) << 32 | at_of[l]);
    }
    /* The wave's scratch: 64 bytes a lane in the second half of the buffer. */
    gcn_s(r->at.w)[GCN_FLAT_SCRATCH] = 64;
    gcn_s(r->at.w)[GCN_FLAT_SCRATCH + 1] = (uint32_t)((r->at.buf->base + 8192) >> 8);
}

/* Byte i of a lane's access; NULL: out of range. */
static uint8_t *flat_byte(unsigned lane, unsigned bytes, unsigned i)
{
    uint32_t at = at_of[lane] + i;
    if (kind_of[lane] == 0) return r->mem + at;
    if (kind_of[lane] == 1) return at_of[lane] + bytes <= LDS ? r->lds + at : NULL;
    return r->mem + 8192 + at / 4 * 256 + lane * 4 + at % 4;
}

static void test_flat_access(const struct access *a, int op, bool write, unsigned order)
{
    uint32_t code[2];
    char name[600];
    if (op < 0) return;
    flat_word(code, (unsigned)op, false);
    if (!rig_open(code, 2)) return;
    flat_addresses(a->bytes, order);
    struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint8_t bytes[16];
        if (!active(l)) continue;
        if (!write) {
            for (unsigned i = 0; i < a->bytes; i++)
                bytes[i] = flat_byte(l, a->bytes, i) ? *flat_byte(l, a->bytes, i) : 0;
            load_model(FLAT_DST, l, bytes, a);
        } else {
            store_model(FLAT_DATA, l, bytes, a);
            for (unsigned i = 0; i < a->bytes && flat_byte(l, a->bytes, i); i++) *flat_byte(l, a->bytes, i) = bytes[i];
        }
    }
    snprintf(name, sizeof name, "flat %d: %s of a %s, order %u%s%s", op, write ? "store" : "load", a->name, order,
        stop.reason == GPUDBG_STOP_FAULT ? ": " : "", stop.reason == GPUDBG_STOP_FAULT ? stop.message : "");
    rig_check(name);
    rig_close();
}

static bool compares(const struct row *row) { return row->fn == m_cmpst || row->fn == m_fcmpst; }

static void test_flat_rmw(const struct row *row, unsigned bytes, bool glc, unsigned order)
{
    uint32_t code[2];
    char name[64];
    if (row->vmem < 0) return;
    flat_word(code, (unsigned)row->vmem + (bytes == 8 ? 32 : 0), glc);
    const bool tfe = order & 2;
    code[1] |= (uint32_t)tfe << 23;
    if (!rig_open(code, 2)) return;
    flat_addresses(bytes, order);
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint8_t b[8] = {0};
        if (!active(l)) continue;
        bool inside = flat_byte(l, bytes, 0) != NULL;
        for (unsigned i = 0; i < bytes && inside; i++) b[i] = *flat_byte(l, bytes, i);
        uint64_t old = mem_get(b, bytes), d0 = reg_get(FLAT_DATA, l, bytes),
                 d1 = reg_get(FLAT_DATA + bytes / 4, l, bytes);
        mem_put(b, compares(row) ? row->fn(old, d1, d0, bytes * 8) : row->fn(old, d0, d1, bytes * 8), bytes);
        for (unsigned i = 0; i < bytes && inside; i++) *flat_byte(l, bytes, i) = b[i];
        if (glc) reg_put(FLAT_DST, l, inside ? old : 0, bytes);
        if (glc && tfe) r->v[FLAT_DST + bytes / 4][l] = 0;
    }
    snprintf(name, sizeof name, "flat atomic %s, %u bits%s%s, order %u", row->name, bytes * 8, glc ? " glc" : "",
        tfe ? " tfe" : "", order);
    rig_check(name);
    rig_close();
}

static void test_flat(void)
{
    for (unsigned order = 0; order < ORDERS; order++) {
        for (unsigned i = 0; i < ACCESSES; i++) {
            test_flat_access(&accesses[i], accesses[i].vmem_load, false, order);
            test_flat_access(&accesses[i], accesses[i].vmem_store, true, order);
        }
        for (unsigned i = 0; i < ROWS; i++)
            for (unsigned bytes = 4; bytes <= 8; bytes += 4) test_flat_rmw(&rows[i], bytes, order & 1, order);
    }
}

/* ---- MUBUF, MTBUF ---- */

enum { VADDR = 1, VDATA = 4, SRSRC = 8, SOFFSET = 3, OFFEN = 1, IDXEN = 2, ADDR64 = 8 };

struct vsharp {
    uint32_t stride, records, element, index; /* element: 2 << n bytes, index: 8 << n */
    bool swizzle, tid;
    uint32_t format; /* DST_SEL, NUM_FORMAT, DATA_FORMAT */
};

static void buffer_word(uint32_t code[2], unsigned op, unsigned flags, bool glc, uint32_t offset)
{
    code[0] = 56u << 26 | op << 18 | (uint32_t)glc << 14 | flags << 12 | offset;
    code[1] = VADDR | VDATA << 8 | SRSRC / 4 << 16 | (uint32_t)SOFFSET << 24;
}

static void buffer_setup(const struct vsharp *v, unsigned flags, unsigned bytes)
{
    uint32_t *s = r->s + SRSRC;
    s[0] = (uint32_t)r->at.buf->base;
    s[1] = (uint32_t)(r->at.buf->base >> 32) | v->stride << 16 | (uint32_t)v->swizzle << 31;
    s[2] = v->records;
    s[3] = v->format | v->element << 19 | v->index << 21 | (uint32_t)v->tid << 23;
    r->s[SOFFSET] = random32() % 64 * 4;
    for (unsigned l = 0; l < 64; l++) {
        unsigned at = VADDR;
        if (flags & ADDR64) {
            r->v[VADDR][l] = random32() % (BUF / 2);
            r->v[VADDR + 1][l] = 0;
            continue;
        }
        if (flags & IDXEN) r->v[at++][l] = random32() % (v->stride ? 40 : 2);
        if (flags & OFFEN)
            r->v[at][l] = v->stride ? random32() % (v->stride / bytes) * bytes
                          : random32() % 8 == 0
                              ? 0u - 4 * (1 + random32() % 3) /* below the base: OFFSET does not lead back */
                              : random32() % (v->records + 16) / 4 * 4;
    }
}

/* Where byte i of a lane's access lies in the buffer, by the manual's formula; -1: out of range. */
static int64_t buffer_byte(
    const struct vsharp *v, unsigned flags, uint32_t inst, unsigned lane, unsigned bytes, unsigned i)
{
    uint64_t index = 0, offset = inst, at = VADDR;
    if (flags & ADDR64) return (int64_t)r->v[VADDR][lane] + r->s[SOFFSET] + inst + i;
    if (flags & IDXEN) index = r->v[at++][lane];
    if (flags & OFFEN) offset += r->v[at][lane];
    if (v->tid) index += lane;
    if (v->stride ? index >= v->records : offset + bytes > v->records) return -1;
    offset += i;
    uint64_t e = 2u << v->element, n = 8u << v->index;
    if (!v->swizzle) return (int64_t)(r->s[SOFFSET] + index * v->stride + offset);
    return (int64_t)(r->s[SOFFSET] + (index / n * v->stride + offset / e * e) * n + index % n * e + offset % e);
}

static const struct vsharp sharps[] = {
    {.stride = 0, .records = 4096},
    {.stride = 48, .records = 30},
    {.stride = 0, .records = 64, .element = 1, .index = 3, .swizzle = true, .tid = true}, /* scratch */
    {.stride = 32, .records = 35, .element = 1, .index = 0, .swizzle = true},
    {.stride = 32, .records = 35, .element = 3, .index = 1, .swizzle = true},
    {.stride = 16, .records = 100, .tid = true},
};

static void test_buffer_access(const struct access *a, int op, bool write, const struct vsharp *v, unsigned flags)
{
    /* Lanes whose dwords overlap in part are the hardware's to order. */
    uint32_t code[2], inst = v->swizzle && a->bytes > 4 ? 0 : random32() % 4 * 4;
    char name[96];
    if (op < 0 || (v->stride == 48 && a->bytes == 16 && flags & OFFEN)) return;
    buffer_word(code, (unsigned)op, flags, false, inst);
    if (!rig_open(code, 2)) return;
    buffer_setup(v, flags, a->bytes);
    struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint8_t b[16];
        bool inside = buffer_byte(v, flags, inst, l, a->bytes, 0) >= 0;
        if (!active(l)) continue;
        if (write) {
            store_model(VDATA, l, b, a);
            for (unsigned i = 0; i < a->bytes && inside; i++)
                r->mem[buffer_byte(v, flags, inst, l, a->bytes, i)] = b[i];
        } else {
            for (unsigned i = 0; i < a->bytes && inside; i++)
                b[i] = r->mem[buffer_byte(v, flags, inst, l, a->bytes, i)];
            load_model(VDATA, l, inside ? b : NULL, a);
        }
    }
    snprintf(name, sizeof name, "buffer %d: %s of a %s, stride %u%s%s, flags %u%s", op, write ? "store" : "load",
        a->name, v->stride, v->swizzle ? ", swizzled" : "", v->tid ? ", tid" : "", flags,
        stop.reason == GPUDBG_STOP_FAULT ? ": fault" : "");
    rig_check(name);
    rig_close();
}

static void test_buffer_rmw(const struct row *row, unsigned bytes, bool glc, const struct vsharp *v, unsigned flags)
{
    uint32_t code[2], inst = random32() % 4 * 8;
    char name[96];
    if (row->vmem < 0) return;
    buffer_word(code, (unsigned)row->vmem + (bytes == 8 ? 32 : 0), flags, glc, inst);
    const bool tfe = flags != ADDR64;
    code[1] |= (uint32_t)tfe << 23;
    if (!rig_open(code, 2)) return;
    buffer_setup(v, flags, bytes);
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint8_t b[8] = {0};
        bool inside = buffer_byte(v, flags, inst, l, bytes, 0) >= 0;
        if (!active(l)) continue;
        for (unsigned i = 0; i < bytes && inside; i++) b[i] = r->mem[buffer_byte(v, flags, inst, l, bytes, i)];
        uint64_t old = mem_get(b, bytes), d0 = reg_get(VDATA, l, bytes), d1 = reg_get(VDATA + bytes / 4, l, bytes);
        mem_put(b, compares(row) ? row->fn(old, d1, d0, bytes * 8) : row->fn(old, d0, d1, bytes * 8), bytes);
        for (unsigned i = 0; i < bytes && inside; i++) r->mem[buffer_byte(v, flags, inst, l, bytes, i)] = b[i];
        if (glc) reg_put(VDATA, l, inside ? old : 0, bytes);
        if (glc && tfe) /* the VGPR behind all data */
            r->v[VDATA + bytes / 4 * (compares(row) ? 2 : 1)][l] = 0;
    }
    snprintf(name, sizeof name, "buffer atomic %s, %u bits%s%s, stride %u, flags %u", row->name, bytes * 8,
        glc ? " glc" : "", tfe ? " tfe" : "", v->stride, flags);
    rig_check(name);
    rig_close();
}

/* Elements of known bits and what they must read as; stored back they must give the same bits. */
static const struct {
    unsigned dfmt, nfmt;
    uint32_t raw[4], words[4];
    bool back;
} formats[] = {
    {10, 0, {0xff804000}, {0, 0x3e808081, 0x3f008081, 0x3f800000}, true},           /* 8_8_8_8 unorm */
    {10, 1, {0x7f81c080}, {0xbf800000, 0xbf010204, 0xbf800000, 0x3f800000}, false}, /* snorm: -128 and -127 are -1 */
    {10, 4, {0xff804001}, {1, 0x40, 0x80, 0xff}, true},                             /* uint */
    {10, 5, {0xff80407f}, {0x7f, 0x40, 0xffffff80, 0xffffffff}, true},              /* sint */
    {10, 2, {0xff800201}, {0x3f800000, 0x40000000, 0x43000000, 0x437f0000}, true},  /* uscaled */
    {10, 3, {0xff80027f}, {0x42fe0000, 0x40000000, 0xc3000000, 0xbf800000}, true},  /* sscaled */
    {1, 4, {0x85}, {0x85, 0, 0, 1}, true},                                          /* 8 */
    {2, 7, {0x3c00}, {0x3f800000, 0, 0, 0x3f800000}, true},                         /* 16 float */
    {3, 5, {0xfe01}, {1, 0xfffffffe, 0, 1}, true},                                  /* 8_8 */
    {4, 7, {0x40490fdb}, {0x40490fdb, 0, 0, 0x3f800000}, true},                     /* 32 */
    {5, 7, {0xc0003555}, {0x3eaaa000, 0xc0000000, 0, 0x3f800000}, true},            /* 16_16 float */
    {5, 0, {0xffff0000}, {0, 0x3f800000, 0, 0x3f800000}, true},
    {6, 7, {0x781e03c0}, {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
        true},                                /* 10_11_11 float: z has the top bits */
    {9, 4, {0xc0300c03}, {3, 3, 3, 3}, true}, /* 2_10_10_10: w has the top bits */
    {8, 4, {0x00c0300f}, {3, 3, 3, 3}, true}, /* 10_10_10_2: x has the lowest 2 */
    {7, 4, {0x00600c03}, {3, 3, 3, 1}, true}, /* 11_11_10: x has 10 bits */
    {11, 4, {7, 8}, {7, 8, 0, 1}, true},
    {12, 4, {0x00020001, 0x00040003}, {1, 2, 3, 4}, true},
    {13, 7, {1, 2, 3}, {1, 2, 3, 0x3f800000}, true},
    {14, 5, {1, 2, 3, 4}, {1, 2, 3, 4}, true},
};

static void test_format(unsigned f, bool typed, bool write)
{
    static const unsigned bytes_of[] = {0, 1, 2, 2, 4, 4, 4, 4, 4, 4, 4, 8, 8, 12, 16};
    unsigned dfmt = formats[f].dfmt, nfmt = formats[f].nfmt, bytes = bytes_of[dfmt], components = 4;
    struct vsharp v = {
        .stride = 0, .records = 4096, .format = 04 | 05 << 3 | 06 << 6 | 07 << 9 | nfmt << 12 | dfmt << 15};
    uint32_t code[2];
    char name[64];
    buffer_word(code, write ? 7 : 3, OFFEN, false, 0);
    if (typed) {
        v.format = 0; /* DST_SEL too: the instruction's formats go unselected */
        code[0] = 58u << 26 | nfmt << 23 | dfmt << 19 | (write ? 7u : 3u) << 16 | OFFEN << 12;
    }
    if (!rig_open(code, 2)) return;
    buffer_setup(&v, OFFEN, bytes);
    for (unsigned l = 0; l < 64; l++) {
        r->v[VADDR][l] = 16 * l;
        for (unsigned i = 0; i < components && write; i++) r->v[VDATA + i][l] = formats[f].words[i];
        if (!write) memcpy(r->mem + r->s[SOFFSET] + 16 * l, formats[f].raw, bytes);
    }
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        for (unsigned i = 0; i < components && !write && active(l); i++) r->v[VDATA + i][l] = formats[f].words[i];
        if (write && active(l)) memcpy(r->mem + r->s[SOFFSET] + 16 * l, formats[f].raw, bytes);
    }
    snprintf(
        name, sizeof name, "%s format %u/%u %s", typed ? "tbuffer" : "buffer", dfmt, nfmt, write ? "stored" : "loaded");
    rig_check(name);
    rig_close();
}

static void test_format_widths(unsigned n, bool typed, bool write)
{
    struct vsharp v = {
        .stride = 16, .records = 64, .format = 05 | 04 << 3 | 01 << 6 | 00 << 9 | 7 << 12 | 14 << 15}; /* y x 1 0 */
    uint32_t code[2];
    char name[64];
    buffer_word(code, write ? 3 + n : n - 1, IDXEN, false, 0);
    if (typed) code[0] = 58u << 26 | 7u << 23 | 14u << 19 | (write ? 3 + n : n - 1) << 16 | IDXEN << 12;
    if (!rig_open(code, 2)) return;
    buffer_setup(&v, IDXEN, 16);
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint32_t x[4], index = r->v[VADDR][l];
        uint8_t *p = r->mem + r->s[SOFFSET] + 16 * index;
        if (!active(l)) continue;
        memcpy(x, p, 16);
        const uint32_t plain[4] = {x[0], x[1], x[2], x[3]}, chosen[4] = {x[1], x[0], 0x3f800000, 0};
        for (unsigned i = 0; i < n && !write; i++) r->v[VDATA + i][l] = typed ? plain[i] : chosen[i];
        for (unsigned i = 0; i < 4 && write; i++) mem_put(p + 4 * i, i < n ? r->v[VDATA + i][l] : 0, 4);
    }
    snprintf(name, sizeof name, "%s: %s of %u components", typed ? "tbuffer" : "buffer", write ? "store" : "load", n);
    rig_check(name);
    rig_close();
}

static void test_buffer_lds(void)
{
    struct vsharp v = {.stride = 0, .records = 4096};
    uint32_t code[2];
    buffer_word(code, 12, OFFEN, false, 8);
    code[0] |= 1 << 16;
    if (!rig_open(code, 2)) return;
    buffer_setup(&v, OFFEN, 4);
    r->s[124] = 64;
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        int64_t at = buffer_byte(&v, OFFEN, 8, l, 4, 0);
        if (active(l)) mem_put(r->lds + 64 + 8 + 4 * l, at >= 0 ? mem_get(r->mem + at, 4) : 0, 4);
    }
    rig_check("buffer_load_dword lds");
    rig_close();
}

static void test_buffer(void)
{
    for (unsigned s = 0; s < sizeof sharps / sizeof *sharps; s++)
        for (unsigned flags = 0; flags < 4; flags++)
            for (unsigned i = 0; i < ACCESSES; i++) {
                if (sharps[s].tid && !sharps[s].stride && flags & IDXEN) continue; /* beyond what the buffer holds */
                test_buffer_access(&accesses[i], accesses[i].vmem_load, false, &sharps[s], flags);
                test_buffer_access(&accesses[i], accesses[i].vmem_store, true, &sharps[s], flags);
            }
    for (unsigned i = 0; i < ACCESSES; i++) {
        test_buffer_access(&accesses[i], accesses[i].vmem_load, false, &sharps[0], ADDR64);
        test_buffer_access(&accesses[i], accesses[i].vmem_store, true, &sharps[0], ADDR64);
    }
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned bytes = 4; bytes <= 8; bytes += 4) {
            test_buffer_rmw(&rows[i], bytes, true, &sharps[0], OFFEN);
            test_buffer_rmw(&rows[i], bytes, false, &sharps[3], IDXEN | OFFEN);
            test_buffer_rmw(&rows[i], bytes, true, &sharps[0], ADDR64);
        }
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned typed = 0; typed < 2; typed++) {
            test_format(f, typed, false);
            if (formats[f].back) test_format(f, typed, true);
        }
    for (unsigned n = 1; n <= 4; n++)
        for (unsigned k = 0; k < 4; k++) test_format_widths(n, k & 1, k >> 1);
    test_buffer_lds();
}

/* ---- SMRD ---- */

/* how: 0 immediate, 1 SGPR, 2 literal, 3 a literal of more than 2^32 bytes, from a base so far below */
static void test_smrd(unsigned op, unsigned n, bool buffer, unsigned how)
{
    enum { SBASE = 20, SDST = 32, SOFF = 5 };
    uint32_t code[2] = {24u << 27 | op << 22 | SDST << 15 | SBASE / 2 << 9}, offset = how == 0   ? 37 * 4
                                                                                      : how == 1 ? 1003
                                                                                                 : 300 * 4;
    const uint64_t far = how == 3 ? UINT64_C(1) << 32 : 0;
    char name[64];
    if (how == 0)
        code[0] |= 1 << 8 | offset / 4;
    else
        code[0] |= how == 1 ? SOFF : 255;
    code[1] = (uint32_t)((offset + far) / 4);
    if (!rig_open(code, how >= 2 ? 2 : 1)) return;
    uint32_t stride = random32() % 2 && !far ? 0 : 4, size = 148 + 8;
    if (how == 1) size = 1000 + 12;
    r->s[SBASE] = (uint32_t)r->at.buf->base + 2; /* low bits are dropped */
    r->s[SBASE + 1] = (uint32_t)((r->at.buf->base - far) >> 32) | (buffer ? stride << 16 : 0);
    if (buffer) {
        r->s[SBASE] = (uint32_t)r->at.buf->base;
        r->s[SBASE + 2] = stride ? (uint32_t)((size + far) / 4) : size;
    }
    r->s[SOFF] = offset;
    rig_run();
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = ((buffer ? offset : offset + 2) & ~3u) + 4 * i;
        r->s[SDST + i] = buffer && at + 4 > size ? 0 : (uint32_t)mem_get(r->mem + at, 4);
    }
    snprintf(name, sizeof name, "%s of %u dwords, %s", buffer ? "s_buffer_load" : "s_load", n,
        how == 0   ? "immediate"
        : how == 1 ? "SGPR offset"
        : how == 2 ? "literal"
                   : "literal of 33 bits");
    rig_check(name);
    rig_close();
}

static void test_scalar(void)
{
    for (unsigned i = 0; i < 5; i++)
        for (unsigned how = 0; how < 4; how++) {
            test_smrd(i, 1u << i, false, how);
            test_smrd(8 + i, 1u << i, true, how);
        }
}

/* ---- What is left ---- */

static void test_plain(void)
{
    static const struct {
        const char *name;
        uint32_t code[2];
        size_t n;
    } nothing[] = {
        {"s_dcache_inv", {0xc7c00000}, 1},
        {"s_dcache_inv_vol", {0xc7400000}, 1},
        {"buffer_wbinvl1", {0xe1c40000, 0}, 2},
        {"buffer_wbinvl1_vol", {0xe1c00000, 0}, 2},
        {"ds_nop", {0xd8500000, 0}, 2},
    };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        if (!rig_open(nothing[i].code, nothing[i].n)) continue;
        is_int(rig_run().reason, GPUDBG_STOP_STEP, "%s is executed", nothing[i].name);
        rig_check("and changes nothing");
        rig_close();
    }
    uint32_t clock[2] = {0xc7810000, 0xc7820000}; /* s_memtime s[2:3], s[4:5] */
    if (rig_open(clock, 2)) {
        struct machine_want want = {.until = MACHINE_STEPS, .count = 2};
        machine_run(r->at.m, &want);
        const uint32_t *s = gcn_s(r->at.w);
        ok(gcn_pair(s, 4) > gcn_pair(s, 2) && gcn_pair(s, 2) > 0, "s_memtime grows");
        rig_close();
    }
}

/* tfe adds a VGPR, 0: no page was missing; of atomics above, too. */
static void test_tfe(void)
{
    struct vsharp v = {.stride = 0, .records = 4096};
    uint32_t code[2];
    buffer_word(code, 13, OFFEN, false, 0);
    code[1] |= 1 << 23;
    if (rig_open(code, 2)) {
        buffer_setup(&v, OFFEN, 8);
        rig_run();
        for (unsigned l = 0; l < 64; l++) {
            int64_t at = buffer_byte(&v, OFFEN, 0, l, 8, 0);
            if (active(l)) {
                reg_put(VDATA, l, at >= 0 ? mem_get(r->mem + at, 8) : 0, 8);
                r->v[VDATA + 2][l] = 0;
            }
        }
        rig_check("buffer_load_dwordx2 tfe");
        rig_close();
    }
}

static void test_all_met(void)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < GCN_OPS; i++) {
        if (!gpudbg_has_op(&gcn_chips[GCN_CHIP_gfx7].isa, i)) continue;
        const struct gpudbg_op *op = &gcn_ops[i];
        bool memory = strncmp(op->name, "ds_", 3) == 0 || strncmp(op->name, "flat_", 5) == 0 ||
                      strncmp(op->name, "buffer_", 7) == 0 || strncmp(op->name, "tbuffer_", 8) == 0 ||
                      strncmp(op->name, "s_load", 6) == 0 || strncmp(op->name, "s_buffer", 8) == 0;
        if (!memory || met[i] || op->flags & GCN_GWS || strcmp(op->name, "ds_ordered_count") == 0) continue;
        missing++;
        fprintf(stderr, "# never executed: %s\n", op->name);
    }
    is_int(missing, 0, "every memory instruction but those of the global share has been executed");
}

/* ---- Faults ---- */

static void test_faults(void)
{
    uint32_t code[2];
    flat_word(code, 28, false); /* flat_store_dword */
    if (!rig_open(code, 2)) return;
    r->exec = UINT64_MAX;
    for (unsigned l = 0; l < 64; l++) flat_address(l, r->at.buf->base + 4 * l);
    flat_address(37, r->at.buf->base + BUF + 16);
    struct gpudbg_stop stop = rig_run();
    is_int(stop.reason, GPUDBG_STOP_FAULT, "a store outside stops");
    is_int((uint64_t)stop.lane, 37, "in its lane");
    is_int(stop.pc, 0x10000, "at its instruction");
    ok(strstr(stop.message, "'buf0'") && strstr(stop.message, "16 bytes past the end"),
        "it names the buffer and the distance: %s", stop.message);
    rig_check("nothing has changed");
    rig_close();

    flat_word(code, 12, false); /* flat_load_dword */
    if (!rig_open(code, 2)) return;
    r->exec = UINT64_MAX;
    for (unsigned l = 0; l < 64; l++) flat_address(l, l < 63 ? r->at.buf->base + BUF - 4 : 0);
    stop = rig_run();
    ok(stop.reason == GPUDBG_STOP_FAULT && strstr(stop.message, "null"), "a load from 0 stops: %s", stop.message);
    rig_check("no lane has been loaded");
    rig_close();

    flat_word(code, 28, false);
    if (!rig_open(code, 2)) return;
    r->exec = 1ull << 5;
    flat_address(5, 0x10000);
    stop = rig_run();
    ok(stop.reason == GPUDBG_STOP_FAULT && strstr(stop.message, "read-only"), "a store into code stops: %s",
        stop.message);
    rig_close();

    flat_word(code, 28, false);
    if (!rig_open(code, 2)) return;
    r->exec = 0;
    stop = rig_run();
    is_int(stop.reason, GPUDBG_STOP_STEP, "with EXEC 0 no address is looked at");
    rig_check("and nothing changes");
    rig_close();

    ds_word(code, 0, 0);
    code[0] |= 1 << 17;
    if (!rig_open(code, 2)) return;
    stop = rig_run();
    ok(stop.reason == GPUDBG_STOP_FAULT && strstr(stop.message, "the instruction uses GDS"),
        "the global data share stops with its name: %s", stop.message);
    rig_close();
}

int main(void)
{
    struct gpudbg_error err = {0};
    static struct rig rig;
    r = &rig;
    r->at.g = session_open(command_families, builtin_plugins, &err);
    if (!ok(r->at.g != NULL, "a session")) return tap_done();
    for (watched = NOBODY; watched < WATCHERS; watched++) {
        test_scalar();
        test_ds();
        test_flat();
        test_buffer();
        test_plain();
        test_tfe();
    }
    watched = NOBODY;
    test_faults();
    test_all_met();
    session_close(r->at.g);
    return tap_done();
}
