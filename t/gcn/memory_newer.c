/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory instructions of gfx10 and gfx10.3, in waves of 32 and of 64: each executed alone against a model, as
 * memory_ops.c does it for gfx7.  Words are put together here by the places that LLVM gives their fields.
 */
#include "decoders/gcn/code/gcn_decoder.h"
#include "decoders/gcn/memory/buffer_format.h"
#include "memory_rig.h"

enum { ADDR = 2, DATA = 6, DATA1 = 10, DST = 14, SADDR = 8, SBASE = 12, SDATA = 32, NO_SGPR = 125 };

static bool newest(void) { return rig_chip == GCN_CHIP_gfx10_3 || rig_chip == GCN_CHIP_gfx10_3_64; }

static unsigned lanes(void) { return gcn_chips[rig_chip].isa.lanes; }

static bool open_word(uint32_t low, uint32_t high)
{
    const uint32_t code[2] = {low, high};
    if (!rig_open(code, 2)) return false;
    if (lanes() == 32) r->exec &= UINT32_MAX;
    return true;
}

/* A name that says the chip, and the message of a fault. */
static void check(const struct gpudbg_stop *stop, const char *what, unsigned op)
{
    char name[700];
    const bool fault = stop->reason == GPUDBG_STOP_FAULT;
    snprintf(name, sizeof name, "%s: %s, opcode %u%s%s", gcn_chips[rig_chip].isa.name, what, op, fault ? ": " : "",
        fault ? stop->message : "");
    rig_check(name);
    rig_close();
}

static void put_pair(unsigned sgpr, uint64_t value)
{
    r->s[sgpr] = (uint32_t)value;
    r->s[sgpr + 1] = (uint32_t)(value >> 32);
}

/* ---- SMEM ---- */

static void test_scalar(unsigned op, unsigned n, bool buffer, bool by_sgpr)
{
    const int32_t offset = buffer ? (int32_t)(random32() % 600) : (int32_t)(random32() % 4000) - 2000;
    const unsigned soffset = by_sgpr ? 3 : NO_SGPR;
    if (!open_word(
            61u << 26 | op << 18 | SDATA << 6 | SBASE / 2, ((uint32_t)offset & 0x1fffff) | (uint32_t)soffset << 25))
        return;
    const uint32_t records = 512;
    put_pair(SBASE, r->buf->base + 4096 + (buffer ? 0 : random32() % 4));
    if (buffer) r->s[SBASE + 1] |= 16u << 16; /* stride */
    r->s[SBASE + 2] = records / 16;
    r->s[SBASE + 3] = 0;
    r->s[3] = random32() % 300;
    const uint64_t base = (r->s[SBASE] | (uint64_t)(r->s[SBASE + 1] & 0xffff) << 32) - r->buf->base;
    const struct gpudbg_stop stop = rig_run();
    const int64_t total = offset + (by_sgpr ? (int64_t)r->s[3] : 0);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t at = (buffer ? base + ((uint64_t)total & ~3ull) : ((uint64_t)((int64_t)base + total) & ~3ull)) +
                            4 * i;
        const bool out = buffer && (total & ~3ll) + 4 * i + 4 > records;
        r->s[SDATA + i] = out ? 0 : (uint32_t)mem_get(r->mem + at, 4);
    }
    check(&stop, buffer ? "s_buffer_load" : "s_load", op);
}

/* ---- FLAT, global ---- */

enum { FLAT, GLOBAL = 2 };

static void memory_word(uint32_t w[2], unsigned segment, unsigned op, int32_t offset, bool base, bool glc)
{
    w[0] = 55u << 26 | op << 18 | (uint32_t)glc << 16 | segment << 14 | ((uint32_t)offset & 0xfff);
    w[1] = ADDR | DATA << 8 | (uint32_t)(base ? SADDR : NO_SGPR) << 16 | (uint32_t)DST << 24;
}

/* Places for the lanes in the middle of the buffer; at[l] is the byte in it. */
static void place(uint32_t at[64], int32_t offset, bool base, unsigned align)
{
    put_pair(SADDR, r->buf->base + 1024);
    for (unsigned l = 0; l < 64; l++) {
        at[l] = 4096 + (random32() % 4 ? l * 16 : random32() % 4096) / align * align;
        const uint64_t address = r->buf->base + at[l] - (uint64_t)(int64_t)offset;
        r->v[ADDR][l] = base ? (uint32_t)(address - (r->buf->base + 1024)) : (uint32_t)address;
        if (!base) r->v[ADDR + 1][l] = (uint32_t)(address >> 32);
    }
}

static int32_t any_offset(unsigned segment)
{
    if (segment == GLOBAL) return (int32_t)(random32() % 4096) - 2048;
    return newest() ? (int32_t)(random32() % 2048) : 0;
}

/* half: 0 none, 1 low, 2 high. */
static void load_half(unsigned reg, unsigned lane, uint32_t value, unsigned half)
{
    const unsigned shift = half == 2 ? 16 : 0;
    r->v[reg][lane] = (r->v[reg][lane] & ~(0xffffu << shift)) | (value & 0xffff) << shift;
}

static void test_load(unsigned segment, unsigned op, const struct access *a, unsigned half, bool base)
{
    uint32_t w[2], at[64];
    const int32_t offset = any_offset(segment);
    memory_word(w, segment, op, offset, base, false);
    if (!open_word(w[0], w[1])) return;
    place(at, offset, base, 1);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++)
        if (active(l) && half)
            load_half(DST, l, extended((uint32_t)mem_get(r->mem + at[l], a->bytes), a->bytes, a->sign), half);
        else if (active(l))
            load_model(DST, l, r->mem + at[l], a);
    check(&stop, segment == GLOBAL ? "global load" : "flat load", op);
}

static void test_store(unsigned segment, unsigned op, const struct access *a, bool high, bool base)
{
    uint32_t w[2], at[64];
    const int32_t offset = any_offset(segment);
    memory_word(w, segment, op, offset, base, false);
    if (!open_word(w[0], w[1])) return;
    place(at, offset, base, 1);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        if (active(l) && !high) store_model(DATA, l, r->mem + at[l], a);
        for (unsigned i = 0; active(l) && high && i < a->bytes; i++)
            r->mem[at[l] + i] = (uint8_t)(r->v[DATA][l] >> (8 * i + 16));
    }
    check(&stop, segment == GLOBAL ? "global store" : "flat store", op);
}

static bool compares(const struct row *row) { return row->fn == m_cmpst || row->fn == m_fcmpst; }

static void test_atomic(unsigned segment, const struct row *row, unsigned bytes, bool glc, bool base)
{
    uint32_t w[2], at[64];
    const int32_t offset = any_offset(segment);
    const unsigned op = (unsigned)row->vmem + (bytes == 8 ? 32 : 0);
    memory_word(w, segment, op, offset, base, glc);
    if (!open_word(w[0], w[1])) return;
    place(at, offset, base, bytes);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        if (!active(l)) continue;
        const uint64_t old = mem_get(r->mem + at[l], bytes), d0 = reg_get(DATA, l, bytes),
                       d1 = reg_get(DATA + bytes / 4, l, bytes);
        mem_put(
            r->mem + at[l], compares(row) ? row->fn(old, d1, d0, bytes * 8) : row->fn(old, d0, d1, bytes * 8), bytes);
        if (glc) reg_put(DST, l, old, bytes);
    }
    check(&stop, segment == GLOBAL ? "global atomic" : "flat atomic", op);
}

MODEL(m_csub, d0 > m ? 0 : m - d0)

static const struct {
    unsigned op, access, half; /* access: index in accesses */
} halves[] = {{32, 0, 1}, {33, 0, 2}, {34, 1, 1}, {35, 1, 2}, {36, 2, 1}, {37, 2, 2}};

static void test_memory(void)
{
    static const struct row csub = {"csub", m_csub, -1, -1, -1, -1, -1, -1, 52};
    for (unsigned segment = FLAT; segment <= GLOBAL; segment += GLOBAL)
        for (unsigned base = 0; base <= (segment == GLOBAL); base++) {
            for (unsigned i = 0; i < ACCESSES; i++) {
                test_load(segment, (unsigned)accesses[i].vmem_load, &accesses[i], 0, base);
                if (accesses[i].vmem_store >= 0)
                    test_store(segment, (unsigned)accesses[i].vmem_store, &accesses[i], false, base);
            }
            for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
                test_load(segment, halves[i].op, &accesses[halves[i].access], halves[i].half, base);
            test_store(segment, 25, &accesses[0], true, base);
            test_store(segment, 27, &accesses[2], true, base);
            for (unsigned i = 0; i < ROWS; i++)
                for (unsigned bytes = 4; bytes <= 8 && rows[i].vmem >= 0; bytes += 4)
                    test_atomic(segment, &rows[i], bytes, random32() % 2, base);
            if (segment == GLOBAL && newest()) test_atomic(segment, &csub, 4, true, base);
        }
}

/* ---- DS ---- */

static bool open_ds(unsigned op, uint32_t offset)
{
    return open_word(54u << 26 | op << 18 | offset, ADDR | DATA << 8 | DATA1 << 16 | (uint32_t)DST << 24);
}

/* Some out of range; M0 is anything. */
static void ds_places(unsigned align)
{
    r->s[124] = random32();
    for (unsigned l = 0; l < 64; l++)
        r->v[ADDR][l] = (random32() % 8 == 0      ? random32()
                            : random32() % 4 == 0 ? random32() % LDS
                                                  : l * 16) /
                        align * align;
}

static const uint8_t *lds_at(uint32_t at, unsigned bytes) { return at + (uint64_t)bytes <= LDS ? r->lds + at : NULL; }

static void test_ds_read(unsigned op, const struct access *a, unsigned half)
{
    const uint32_t offset = random32() % 200;
    if (!open_ds(op, offset)) return;
    ds_places(1);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint8_t *p = lds_at(r->v[ADDR][l] + offset, a->bytes);
        if (active(l) && half)
            load_half(DST, l, p ? extended((uint32_t)mem_get(p, a->bytes), a->bytes, a->sign) : 0, half);
        else if (active(l))
            load_model(DST, l, p, a);
    }
    check(&stop, "ds read", op);
}

static void test_ds_write(unsigned op, const struct access *a, bool high)
{
    const uint32_t offset = random32() % 200;
    if (!open_ds(op, offset)) return;
    ds_places(1);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++)
        for (unsigned i = 0; active(l) && lds_at(r->v[ADDR][l] + offset, a->bytes) && i < a->bytes; i++)
            r->lds[r->v[ADDR][l] + offset + i] = (uint8_t)(r->v[DATA + i / 4][l] >> 8 * (i % 4 + (high ? 2 : 0)));
    check(&stop, "ds write", op);
}

/* Two items, their offsets in units of their size, or of 64 of them. */
static void test_ds_two(unsigned op, unsigned bytes, unsigned stride, bool write)
{
    const uint32_t off[2] = {random32() % 6, random32() % 6};
    if (!open_ds(op, off[0] | off[1] << 8)) return;
    ds_places(1);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < lanes(); l++) {
            const uint32_t at = r->v[ADDR][l] + off[i] * bytes * stride;
            const uint8_t *p = lds_at(at, bytes);
            if (active(l) && !write) reg_put(DST + i * bytes / 4, l, p ? mem_get(p, bytes) : 0, bytes);
            if (active(l) && write && p) mem_put(r->lds + at, reg_get(i ? DATA1 : DATA, l, bytes), bytes);
        }
    check(&stop, write ? "ds write2" : "ds read2", op);
}

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static void test_ds_atomic(const char *name, model_fn *fn, int op, unsigned bytes, bool rtn)
{
    const uint32_t offset = random32() % 16 * 8;
    if (op < 0 || !open_ds((unsigned)op, offset)) return;
    ds_places(bytes);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint32_t at = r->v[ADDR][l] + offset;
        if (!active(l)) continue;
        const uint64_t old = lds_at(at, bytes) ? mem_get(r->lds + at, bytes) : 0;
        if (lds_at(at, bytes))
            mem_put(r->lds + at, fn(old, reg_get(DATA, l, bytes), reg_get(DATA1, l, bytes), bytes * 8), bytes);
        if (rtn) reg_put(DST, l, old, bytes);
    }
    check(&stop, name, (unsigned)op);
}

/* Plain numbers: what sums of NaNs are is another matter. */
static void test_ds_sum(unsigned op, bool rtn)
{
    if (!open_ds(op, 0)) return;
    ds_places(4);
    for (unsigned i = 0; i < LDS; i += 4) {
        const float f = (float)(int32_t)random32() / 1000;
        memcpy(r->lds + i, &f, 4);
    }
    for (unsigned l = 0; l < 64; l++) r->v[DATA][l] = random32() & 0xbfffffff;
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint32_t at = r->v[ADDR][l];
        if (!active(l)) continue;
        const uint32_t old = lds_at(at, 4) ? (uint32_t)mem_get(r->lds + at, 4) : 0;
        const float sum = as_float(old) + ((r->v[DATA][l] & 0x7f800000) ? as_float(r->v[DATA][l]) : 0);
        if (lds_at(at, 4)) memcpy(r->lds + at, &sum, 4);
        if (rtn) r->v[DST][l] = old;
    }
    check(&stop, "ds sum of floats", op);
}

static void test_ds_lanes(unsigned op, bool sends)
{
    uint32_t was[64], out[64] = {0};
    if (!open_ds(op, 8)) return;
    for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = random32() % 2 ? random32() : 4 * (63 - l);
    memcpy(was, r->v[DATA], sizeof was);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const unsigned other = l / 32 * 32 + (r->v[ADDR][l] + 8) / 4 % 32;
        if (active(l) && sends) out[other] = was[l];
        if (active(l) && !sends) out[l] = active(other) ? was[other] : 0;
    }
    for (unsigned l = 0; l < lanes(); l++)
        if (active(l)) r->v[DST][l] = out[l];
    check(&stop, sends ? "ds_permute_b32" : "ds_bpermute_b32", op);
}

static void test_ds_by_lane(unsigned op, bool write)
{
    const uint32_t offset = random32() % 1000;
    if (!open_ds(op, offset)) return;
    r->s[124] = random32() % 3000 | 7u << 16;
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint32_t at = (r->s[124] & 0xffff) + offset + 4 * l;
        if (active(l) && write && lds_at(at, 4)) mem_put(r->lds + at, r->v[DATA][l], 4);
        if (active(l) && !write) r->v[DST][l] = lds_at(at, 4) ? (uint32_t)mem_get(r->lds + at, 4) : 0;
    }
    check(&stop, "ds addtid", op);
}

static void test_share(void)
{
    for (unsigned i = 0; i < ACCESSES; i++) {
        test_ds_read((unsigned)accesses[i].ds_read, &accesses[i], 0);
        if (accesses[i].ds_write >= 0) test_ds_write((unsigned)accesses[i].ds_write, &accesses[i], false);
    }
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
        test_ds_read(162 + i, &accesses[halves[i].access], halves[i].half);
    test_ds_write(160, &accesses[0], true);
    test_ds_write(161, &accesses[2], true);
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned far = 0; far < 2; far++) {
            test_ds_two((wide ? 119 : 55) + far, wide ? 8 : 4, far ? 64 : 1, false);
            test_ds_two((wide ? 78 : 14) + far, wide ? 8 : 4, far ? 64 : 1, true);
        }
    for (unsigned i = 0; i < ROWS; i++) {
        test_ds_atomic(rows[i].name, rows[i].fn, rows[i].ds, 4, false);
        test_ds_atomic(rows[i].name, rows[i].fn, rows[i].ds_rtn, 4, true);
        test_ds_atomic(rows[i].name, rows[i].fn, rows[i].ds64, 8, false);
        test_ds_atomic(rows[i].name, rows[i].fn, rows[i].ds64_rtn, 8, true);
    }
    test_ds_sum(21, false);
    test_ds_sum(85, true);
    test_ds_lanes(178, true);
    test_ds_lanes(179, false);
    test_ds_by_lane(176, true);
    test_ds_by_lane(177, false);
}

/* ---- MUBUF ---- */

enum { OFFEN = 1, IDXEN = 2, SRSRC = 12, SOFFSET = 3 };

static const struct bounds {
    const char *name;
    unsigned oob, stride, records;
    bool swizzle, tid;
} buffers[] = {
    {"raw", 3, 0, 400, false, false},
    {"structured", 1, 32, 20, false, false},
    {"structured with offset", 0, 32, 20, false, false},
    {"unlimited", 2, 16, 1, false, false},
    {"empty", 2, 16, 0, false, false},
    {"interleaved", 1, 32, 60, true, false},
    {"scratch", 2, 0, 1, true, true},
    {"scratch, its size given", 2, 0, BUF, true, true},
};

static void test_buffer(
    const struct bounds *b, unsigned op, const struct access *a, unsigned half, bool write, unsigned flags)
{
    /* Interleaved, each 4 bytes are far from the next ones; lanes that overlap store in no order that is known. */
    if (write && b->swizzle && !b->tid && !(flags & IDXEN)) return;
    const uint32_t unit = b->swizzle ? 4 : 16, inst = random32() % 6 * unit;
    if (!open_word(56u << 26 | op << 18 | flags << 12 | inst,
            ADDR | DATA << 8 | (uint32_t)SRSRC / 4 << 16 | (uint32_t)SOFFSET << 24))
        return;
    const unsigned n = lanes() == 32 ? 2 : 3; /* index stride: 32 or 64 */
    put_pair(SRSRC, r->buf->base | (uint64_t)b->stride << 48 | (uint64_t)b->swizzle << 63);
    r->s[SRSRC + 2] = b->records;
    r->s[SRSRC + 3] = 04 | 05 << 3 | 06 << 6 | 07 << 9 | 20u << 12 | n << 21 | (uint32_t)b->tid << 23 | 1u << 24 |
                      b->oob << 28;
    r->s[SOFFSET] = random32() % 8 * 16;
    for (unsigned l = 0; l < 64; l++) {
        unsigned reg = ADDR;
        if (flags & IDXEN) r->v[reg++][l] = b->tid ? 0 : b->swizzle ? l : random32() % 30;
        if (flags & OFFEN) r->v[reg][l] = random32() % (b->swizzle ? 10 : 30) * unit;
    }
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        uint64_t index = b->tid ? l : 0, offset = inst, at[16];
        unsigned reg = ADDR;
        if (!active(l)) continue;
        if (flags & IDXEN) index += r->v[reg++][l];
        if (flags & OFFEN) offset += r->v[reg][l];
        const bool inside = b->oob == 0   ? index < b->records && offset < b->stride
                            : b->oob == 1 ? index < b->records
                            : b->oob == 2 ? b->records
                                          : offset < b->records;
        for (unsigned i = 0; i < a->bytes; i++) {
            const uint64_t o = offset + i, group = 8u << n;
            at[i] = r->s[SOFFSET] +
                    (!b->swizzle ? index * b->stride + o
                                 : (index / group * b->stride + o / 4 * 4) * group + index % group * 4 + o % 4);
        }
        uint8_t bytes[16] = {0};
        for (unsigned i = 0; i < a->bytes && inside && !write; i++) bytes[i] = r->mem[at[i]];
        for (unsigned i = 0; i < a->bytes && inside && write; i++)
            r->mem[at[i]] = (uint8_t)(r->v[DATA + i / 4][l] >> 8 * (i % 4 + (half == 2 ? 2 : 0)));
        if (!write && half)
            load_half(DATA, l, extended((uint32_t)mem_get(bytes, a->bytes), a->bytes, a->sign), half);
        else if (!write)
            load_model(DATA, l, bytes, a);
    }
    check(&stop, b->name, op);
}

static void test_buffers(void)
{
    for (unsigned b = 0; b < sizeof buffers / sizeof *buffers; b++)
        for (unsigned flags = 0; flags < 4; flags++) {
            for (unsigned i = 0; i < ACCESSES; i++) {
                test_buffer(&buffers[b], (unsigned)accesses[i].vmem_load, &accesses[i], 0, false, flags);
                if (accesses[i].vmem_store >= 0)
                    test_buffer(&buffers[b], (unsigned)accesses[i].vmem_store, &accesses[i], 0, true, flags);
            }
            for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
                test_buffer(&buffers[b], halves[i].op, &accesses[halves[i].access], halves[i].half, false, flags);
            test_buffer(&buffers[b], 25, &accesses[0], 2, true, flags);
            test_buffer(&buffers[b], 27, &accesses[2], 2, true, flags);
        }
}

/* The names of formats say what the two numbers of older chips say. */
static void test_formats(void)
{
    for (unsigned f = 1; f < 78; f++) {
        unsigned dfmt = 0, nfmt = 0;
        char name[100] = "";
        if (gcn_format_newer(f, &dfmt, &nfmt))
            snprintf(name, sizeof name, "BUF_FMT_%s_%s",
                gpudbg_enum_name(&gcn_enum[GCN_E_BUF_DATA_FORMAT], dfmt) + strlen("BUF_DATA_FORMAT_"),
                gpudbg_enum_name(&gcn_enum[GCN_E_BUF_NUM_FORMAT], nfmt) + strlen("BUF_NUM_FORMAT_"));
        is_str(name, gpudbg_enum_name(&gcn_enum[GCN_E_BUF_FORMAT_NEWER], f), "format %u", f);
    }
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {
        GCN_CHIP_gfx10, GCN_CHIP_gfx10_64, GCN_CHIP_gfx10_3, GCN_CHIP_gfx10_3_64};
    struct gpudbg_error err = {0};
    static struct rig rig;
    r = &rig;
    r->g = session_open(command_families, builtin_plugins, &err);
    if (!ok(r->g != NULL, "a session")) return tap_done();
    test_formats();
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        rig_chip = chips[i];
        for (unsigned n = 0; n < 5; n++)
            for (unsigned by_sgpr = 0; by_sgpr < 2; by_sgpr++) {
                test_scalar(n, 1u << n, false, by_sgpr);
                test_scalar(8 + n, 1u << n, true, by_sgpr);
            }
        test_memory();
        test_share();
        test_buffers();
    }
    session_close(r->g);
    return tap_done();
}
