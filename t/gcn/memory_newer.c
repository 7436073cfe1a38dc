/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory instructions of gfx10 and gfx10.3, in waves of 32 and of 64: each executed alone against a model, as
 * memory_ops.c does it for gfx7.  Words are put together here by the places that LLVM gives their fields.
 */
#include "decoders/gcn/code/gcn_decoder.h"
#include "decoders/gcn/engine/setup.h"
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
    put_pair(SBASE, r->at.buf->base + 4096 + (buffer ? 0 : random32() % 4));
    if (buffer) r->s[SBASE + 1] |= 16u << 16; /* stride */
    r->s[SBASE + 2] = records / 16;
    r->s[SBASE + 3] = 0;
    r->s[3] = random32() % 300;
    const uint64_t base = (r->s[SBASE] | (uint64_t)(r->s[SBASE + 1] & 0xffff) << 32) - r->at.buf->base;
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

/* The operation of a name behind `at`, up to its "_x2". */
static const struct row *row_named(const char *at)
{
    const size_t n = strcspn(at, "_");
    for (unsigned i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == n && !memcmp(rows[i].name, at, n)) return &rows[i];
    return NULL;
}

static bool compares(const struct row *row) { return row->fn == m_cmpst || row->fn == m_fcmpst; }

/* Stores, atomics, and loads from scratch, whose register counts 64 bytes. */
static void test_scalar_row(unsigned op, const char *name, bool by_sgpr)
{
    const bool buffer = strstr(name, "buffer"), lines = strstr(name, "scratch"), store = strstr(name, "store");
    const struct row *row = strstr(name, "atomic_") ? row_named(strstr(name, "atomic_") + 7) : NULL;
    const unsigned n = strstr(name, "x4") ? 4 : strstr(name, "x2") ? 2 : 1, records = 512;
    const bool glc = row && random32() % 2;
    const int32_t offset = (int32_t)(random32() % 496) / (row ? 4 * (int)n : 1) * (row ? 4 * (int)n : 1);
    if (!open_word(61u << 26 | op << 18 | (uint32_t)glc << 16 | SDATA << 6 | SBASE / 2,
            ((uint32_t)offset & 0x1fffff) | (by_sgpr ? 3u : (unsigned)NO_SGPR) << 25))
        return;
    put_pair(SBASE, r->at.buf->base + 4096 + (buffer ? 16ull << 48 : 0)); /* stride */
    r->s[SBASE + 2] = records / 16;
    r->s[SBASE + 3] = 0;
    r->s[3] = random32() % 8 * (lines ? 1 : 16);
    const struct gpudbg_stop stop = rig_run();
    const uint32_t total = ((uint32_t)offset + (by_sgpr ? r->s[3] * (lines ? 64 : 1) : 0)) & ~3u;
    const unsigned inside = !buffer || total + 4 * n <= records ? n : total < records ? (records - total) / 4 : 0;
    uint8_t *at = r->mem + 4096 + total;
    uint64_t old = 0, data[2] = {r->s[SDATA], r->s[SDATA + n]};
    if (row && n == 2)
        for (unsigned i = 0; i < 2; i++) data[i] = r->s[SDATA + 2 * i] | (uint64_t)r->s[SDATA + 2 * i + 1] << 32;
    if (row && inside == n) {
        old = mem_get(at, 4 * n);
        mem_put(at, row->fn(old, data[compares(row)], data[!compares(row)], 32 * n), 4 * n);
    }
    if (glc) r->s[SDATA] = (uint32_t)old;
    if (glc && n == 2) r->s[SDATA + 1] = (uint32_t)(old >> 32);
    for (unsigned i = 0; !row && i < inside; i++) {
        if (store)
            mem_put(at + 4 * i, r->s[SDATA + i], 4);
        else
            r->s[SDATA + i] = (uint32_t)mem_get(at + 4 * i, 4);
    }
    check(&stop, name, op);
}

static bool ends_with(const char *name, const char *end)
{
    return strlen(name) > strlen(end) && !strcmp(name + strlen(name) - strlen(end), end);
}

/* Caches are emptied, pages looked up: neither registers nor memory change. */
static bool changes_nothing(const char *name)
{
    return strstr(name, "_discard") || strstr(name, "_probe") || ends_with(name, "_inv") || ends_with(name, "_wb") ||
           !strcmp(name, "ds_nop");
}

static void test_nothing(uint32_t word, unsigned op, const char *name)
{
    if (!open_word(word << 26 | op << 18 | (word == 61 ? SBASE / 2 : 0), word == 61 ? (uint32_t)NO_SGPR << 25 : 0))
        return;
    put_pair(SBASE, r->at.buf->base + 4096);
    r->s[SBASE + 2] = 512;
    r->s[SBASE + 3] = 0;
    const struct gpudbg_stop stop = rig_run();
    check(&stop, name, op);
}

static void test_wave_id(unsigned op)
{
    if (!open_word(61u << 26 | op << 18 | SDATA << 6, (uint32_t)NO_SGPR << 25)) return;
    const struct gpudbg_stop stop = rig_run();
    r->s[SDATA] = 0; /* the first wave */
    check(&stop, "s_get_waveid_in_workgroup", op);
}

/* A clock: later each time it is read. */
static void test_clock(unsigned op, const char *name)
{
    const uint32_t code[4] = {61u << 26 | op << 18 | SDATA << 6, (uint32_t)NO_SGPR << 25,
        61u << 26 | op << 18 | (SDATA + 2) << 6, (uint32_t)NO_SGPR << 25};
    const struct machine_want want = {.until = MACHINE_STEPS, .count = 1};
    if (!rig_open(code, 4)) return;
    rig_run();
    machine_run(r->at.m, &want);
    const uint64_t first = gcn_pair(gcn_s(r->at.w), SDATA), second = gcn_pair(gcn_s(r->at.w), SDATA + 2);
    ok(first && second > first, "%s: %s: time goes on", gcn_chips[rig_chip].isa.name, name);
    rig_close();
}

static void test_scalar_rows(void)
{
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_isa *isa = &gcn_chips[rig_chip].isa;
        const char *name = gcn_ops[id].name;
        if (!gpudbg_has_op(isa, id) || strncmp(isa->rows[id].format->name, "SMEM", 4)) continue;
        const unsigned op = (unsigned)isa->rows[id].code;
        if (changes_nothing(name))
            test_nothing(61, op, name);
        else if (strstr(name, "time"))
            test_clock(op, name);
        else if (strstr(name, "waveid"))
            test_wave_id(op);
        else if (strstr(name, "store") || strstr(name, "atomic") || strstr(name, "scratch"))
            for (unsigned turn = 0; turn < 4; turn++) test_scalar_row(op, name, turn & 1);
    }
}

/* ---- FLAT, global ---- */

enum { FLAT, SCRATCH, GLOBAL };

static void memory_word(uint32_t w[2], unsigned segment, unsigned op, int32_t offset, bool base, bool glc)
{
    w[0] = 55u << 26 | op << 18 | (uint32_t)glc << 16 | segment << 14 | ((uint32_t)offset & 0xfff);
    w[1] = ADDR | DATA << 8 | (uint32_t)(base ? SADDR : NO_SGPR) << 16 | (uint32_t)DST << 24;
}

/* Places for the lanes in the middle of the buffer; at[l] is the byte in it. */
static void place(uint32_t at[64], int32_t offset, bool base, unsigned align)
{
    put_pair(SADDR, r->at.buf->base + 1024);
    for (unsigned l = 0; l < 64; l++) {
        at[l] = 4096 + (random32() % 4 ? l * 16 : random32() % 4096) / align * align;
        const uint64_t address = r->at.buf->base + at[l] - (uint64_t)(int64_t)offset;
        r->v[ADDR][l] = base ? (uint32_t)(address - (r->at.buf->base + 1024)) : (uint32_t)address;
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

static const struct row csub = {"csub", m_csub, -1, -1, -1, -1, -1, -1, 52};

/* A word for each lane, from the base on. */
static void test_by_lane(unsigned op, bool write)
{
    uint32_t w[2];
    const int32_t offset = any_offset(GLOBAL) & ~3;
    memory_word(w, GLOBAL, op, offset, true, false);
    if (!open_word(w[0], w[1])) return;
    put_pair(SADDR, r->at.buf->base + 4096);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        uint8_t *at = r->mem + 4096 + offset + 4 * l;
        if (active(l) && write) mem_put(at, r->v[DATA][l], 4);
        if (active(l) && !write) r->v[DST][l] = (uint32_t)mem_get(at, 4);
    }
    check(&stop, "global addtid", op);
}

/* Dword i of a lane is behind dword i of the lanes before it.  half: 0 none, 1 low, 2 high. */
static void test_scratch(unsigned op, const struct access *a, unsigned half, bool write, bool base)
{
    enum { EACH = 64, AT = 8192 };
    uint32_t w[2], place[64];
    const int32_t offset = any_offset(GLOBAL);
    memory_word(w, SCRATCH, op, offset, base, false);
    if (!open_word(w[0], w[1])) return;
    gcn_of(r->at.w)->setup->scratch_wave = EACH * lanes();
    gcn_set_pair(gcn_s(r->at.w), GCN_SCRATCH_BASE, r->at.buf->base + AT);
    const uint32_t shared = random32() % (EACH - a->bytes);
    r->s[SADDR] = shared - (uint32_t)offset;
    for (unsigned l = 0; l < 64; l++) {
        place[l] = base ? shared : random32() % (EACH - a->bytes);
        r->v[ADDR][l] = place[l] - (uint32_t)offset;
    }
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        uint8_t bytes[16] = {0}, *at[16];
        if (!active(l)) continue;
        for (unsigned i = 0; i < a->bytes; i++) {
            const uint32_t p = place[l] + i;
            at[i] = r->mem + AT + p / 4 * 4 * lanes() + 4 * l + p % 4;
            bytes[i] = *at[i];
        }
        for (unsigned i = 0; write && i < a->bytes; i++)
            *at[i] = (uint8_t)(r->v[DATA + i / 4][l] >> 8 * (i % 4 + (half == 2 ? 2 : 0)));
        if (!write && half)
            load_half(DST, l, extended((uint32_t)mem_get(bytes, a->bytes), a->bytes, a->sign), half);
        else if (!write)
            load_model(DST, l, bytes, a);
    }
    check(&stop, write ? "scratch store" : "scratch load", op);
}

static void test_scratches(void)
{
    for (unsigned base = 0; base < 2; base++) {
        for (unsigned i = 0; i < ACCESSES; i++) {
            test_scratch((unsigned)accesses[i].vmem_load, &accesses[i], 0, false, base);
            if (accesses[i].vmem_store >= 0)
                test_scratch((unsigned)accesses[i].vmem_store, &accesses[i], 0, true, base);
        }
        for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
            test_scratch(halves[i].op, &accesses[halves[i].access], halves[i].half, false, base);
        test_scratch(25, &accesses[0], 2, true, base);
        test_scratch(27, &accesses[2], 2, true, base);
    }
}

static void test_memory(void)
{
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
    if (newest()) {
        test_by_lane(22, false);
        test_by_lane(23, true);
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

/* A word, and another at a distance in dwords: in the offset, or with its bit 15 in bits 31:17 of the address. */
static void test_ds_src2(const struct row *row, int op, unsigned bytes, bool own)
{
    const uint32_t offset = own ? 0x8000 | random32() % 0x7fff : (random32() % 200 - 100) & 0x7fff;
    if (op < 0 || !open_ds((unsigned)op, offset)) return;
    for (unsigned l = 0; l < 64; l++) {
        r->v[ADDR][l] = random32() % LDS / bytes * bytes;
        if (own) r->v[ADDR][l] |= (random32() % 200 - 100) << 17;
    }
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint32_t word = r->v[ADDR][l];
        const int32_t distance = own ? (int32_t)word >> 17 : (int32_t)(offset << 17) >> 17;
        const uint32_t a = own ? word & 0x1ffff : word, b = (a + 4 * (uint32_t)distance) & ~(bytes - 1);
        const uint64_t other = lds_at(b, bytes) ? mem_get(r->lds + b, bytes) : 0;
        if (active(l) && lds_at(a, bytes))
            mem_put(r->lds + a, row->fn(mem_get(r->lds + a, bytes), other, 0, bytes * 8), bytes);
    }
    check(&stop, row->name, (unsigned)op);
}

/* The sum of two words. */
static void test_ds_sum2(unsigned op)
{
    if (!open_ds(op, 1)) return;
    for (unsigned i = 0; i < LDS; i += 4) {
        const float f = (float)(int32_t)random32() / 1000;
        memcpy(r->lds + i, &f, 4);
    }
    for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = 8 * l;
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const uint32_t at = 8 * l;
        const float sum = as_float((uint32_t)mem_get(r->lds + at, 4)) + as_float((uint32_t)mem_get(r->lds + at + 4, 4));
        if (active(l)) memcpy(r->lds + at, &sum, 4);
    }
    check(&stop, "ds_add_src2_f32", op);
}

/* Two items are exchanged; no place is that of another lane. */
static void test_ds_exchange(unsigned op, unsigned bytes, bool far)
{
    if (!open_ds(op, 1u << 8)) return; /* offsets 0 and 1 */
    for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = l * bytes * (far ? 1 : 2);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++)
        for (unsigned i = 0; i < 2 && active(l); i++) {
            const uint32_t at = r->v[ADDR][l] + i * bytes * (far ? 64 : 1);
            const uint64_t old = mem_get(r->lds + at, bytes);
            mem_put(r->lds + at, reg_get(i ? DATA1 : DATA, l, bytes), bytes);
            reg_put(DST + i * bytes / 4, l, old, bytes);
        }
    check(&stop, "ds_wrxchg2", op);
}

static void test_ds_swizzle(uint32_t offset)
{
    if (!open_ds(53, offset)) return;
    uint32_t was[64];
    memcpy(was, r->v[ADDR], sizeof was);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const unsigned in_row = ((l & offset) | (offset >> 5)) & 31, quad = l / 4 * 4 + (offset >> l % 4 * 2 & 3);
        const unsigned from = offset & 0x8000 ? quad : l / 32 * 32 + (in_row ^ (offset >> 10 & 31));
        if (active(l)) r->v[DST][l] = active(from) ? was[from] : 0;
    }
    check(&stop, "ds_swizzle_b32", 53);
}

/* Rotations and orders of a Fourier transform: AMD's examples, lanes counted from 1. */
static const struct {
    uint32_t offset;
    uint8_t from[32];
} turns[] = {
    {0xc020, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                 30, 31, 32, 1}},
    {0xc420, {32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                 29, 30, 31}},
    {0xc021, {1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17, 20, 19, 22, 21, 24, 23, 26, 25, 28, 27, 30,
                 29, 32, 31, 2}},
    {0xc421, {31, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17, 20, 19, 22, 21, 24, 23, 26, 25, 28, 27,
                 30, 29, 32}},
    {0xe000, {1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31, 2, 18, 10, 26, 6, 22, 14, 30, 4, 20, 12, 28, 8,
                 24, 16, 32}},
    {0xe010, {1, 9, 5, 13, 3, 11, 7, 15, 2, 10, 6, 14, 4, 12, 8, 16, 17, 25, 21, 29, 19, 27, 23, 31, 18, 26, 22, 30, 20,
                 28, 24, 32}},
    {0xe01f, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                 30, 31, 32}},
};

static void test_ds_turn(uint32_t offset, const uint8_t *turned)
{
    if (!open_ds(53, offset)) return;
    uint32_t was[64];
    memcpy(was, r->v[ADDR], sizeof was);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        const unsigned from = l / 32 * 32 + turned[l % 32] - 1u;
        if (active(l)) r->v[DST][l] = active(from) ? was[from] : 0;
    }
    check(&stop, "ds_swizzle_b32, rotated", offset);
}

/* A counter at M0 and the offset, by as many lanes as run. */
static void test_ds_count(unsigned op, bool append)
{
    uint32_t n = 0;
    if (!open_ds(op, 20)) return;
    r->s[124] = 100;
    const struct gpudbg_stop stop = rig_run();
    const uint64_t old = mem_get(r->lds + 120, 4);
    for (unsigned l = 0; l < lanes(); l++)
        if (active(l)) r->v[DST][l] = (uint32_t)old, n++;
    mem_put(r->lds + 120, append ? old + n : old - n, 4);
    check(&stop, append ? "ds_append" : "ds_consume", op);
}

/* Words whose data has its top bit set are written without it. */
static void test_ds_conditional(unsigned op)
{
    if (!open_ds(op, 0)) return;
    for (unsigned l = 0; l < 64; l++) r->v[ADDR][l] = 32 * l;
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++)
        for (unsigned i = 0; i < 2 && active(l); i++) {
            uint8_t *p = r->lds + 32 * l + 4 * i;
            const uint32_t data = r->v[DATA + i][l], old = (uint32_t)mem_get(p, 4);
            if (data >> 31) mem_put(p, data & 0x7fffffff, 4);
            r->v[DST + i][l] = old;
        }
    check(&stop, "ds_condxchg32_rtn_b64", op);
}

static void test_share(void)
{
    static const uint32_t swizzles[] = {0x8055, 0x80e4, 0x801b, 0x001f, 0x041f, 0x7c3e};
    for (unsigned i = 0; i < ROWS && !newest(); i++)
        for (unsigned own = 0; own < 2; own++) {
            test_ds_src2(&rows[i], rows[i].src2, 4, own);
            test_ds_src2(&rows[i], rows[i].src2_64, 8, own);
        }
    if (!newest()) test_ds_sum2(149);
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned far = 0; far < 2; far++) test_ds_exchange((wide ? 110 : 46) + far, wide ? 8 : 4, far);
    for (unsigned i = 0; i < sizeof swizzles / sizeof *swizzles; i++) test_ds_swizzle(swizzles[i]);
    for (unsigned i = 0; i < sizeof turns / sizeof *turns; i++) test_ds_turn(turns[i].offset, turns[i].from);
    test_ds_count(62, true);
    test_ds_count(61, false);
    test_ds_conditional(126);
    test_nothing(54, 20, "ds_nop");
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
    put_pair(SRSRC, r->at.buf->base | (uint64_t)b->stride << 48 | (uint64_t)b->swizzle << 63);
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

static void test_buffer_atomic(const struct bounds *b, const struct row *row, unsigned bytes, unsigned flags)
{
    const uint32_t inst = random32() % 6 * 16, op = (uint32_t)row->vmem + (bytes == 8 ? 32 : 0);
    const bool glc = random32() % 2 || row->fn == m_csub;
    if (!open_word(56u << 26 | op << 18 | (uint32_t)glc << 14 | flags << 12 | inst,
            ADDR | DATA << 8 | (uint32_t)SRSRC / 4 << 16 | (uint32_t)SOFFSET << 24))
        return;
    put_pair(SRSRC, r->at.buf->base | (uint64_t)b->stride << 48);
    r->s[SRSRC + 2] = b->records;
    r->s[SRSRC + 3] = 04 | 05 << 3 | 06 << 6 | 07 << 9 | 20u << 12 | 1u << 24 | b->oob << 28;
    r->s[SOFFSET] = random32() % 8 * 16;
    for (unsigned l = 0; l < 64; l++) {
        unsigned reg = ADDR;
        if (flags & IDXEN) r->v[reg++][l] = random32() % 30;
        if (flags & OFFEN) r->v[reg][l] = random32() % 30 * 16;
    }
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        uint64_t index = 0, offset = inst;
        unsigned reg = ADDR;
        if (!active(l)) continue;
        if (flags & IDXEN) index = r->v[reg++][l];
        if (flags & OFFEN) offset += r->v[reg][l];
        const bool inside = b->oob == 0   ? index < b->records && offset < b->stride
                            : b->oob == 1 ? index < b->records
                            : b->oob == 2 ? b->records
                                          : offset < b->records;
        uint8_t *at = r->mem + r->s[SOFFSET] + index * b->stride + offset;
        const uint64_t old = inside ? mem_get(at, bytes) : 0, d0 = reg_get(DATA, l, bytes),
                       d1 = reg_get(DATA + bytes / 4, l, bytes);
        if (inside)
            mem_put(at, compares(row) ? row->fn(old, d1, d0, bytes * 8) : row->fn(old, d0, d1, bytes * 8), bytes);
        if (glc) reg_put(DATA, l, old, bytes);
    }
    check(&stop, row->name, op);
}

/* Elements of known bits, and what they are in floats or whole numbers of 32 bits, and in halves. */
static const struct {
    const char *name;
    unsigned bits; /* of a component */
    uint32_t raw[4], words[4];
    uint16_t halves[4];
    bool has_halves;
} formats[] = {
    {"BUF_FMT_8_8_8_8_UNORM", 8, {0xff804000}, {0, 0x3e808081, 0x3f008081, 0x3f800000}, {0, 0x3404, 0x3804, 0x3c00},
        true},
    {"BUF_FMT_8_8_8_8_SINT", 8, {0xff80407f}, {0x7f, 0x40, 0xffffff80, 0xffffffff}, {0}, false},
    {"BUF_FMT_16_16_16_16_UNORM", 16, {0xffff0000, 0x0000ffff}, {0, 0x3f800000, 0x3f800000, 0}, {0, 0x3c00, 0x3c00, 0},
        true},
    {"BUF_FMT_16_16_16_16_FLOAT", 16, {0x40003c00, 0xc2003555}, {0x3f800000, 0x40000000, 0x3eaaa000, 0xc0400000},
        {0x3c00, 0x4000, 0x3555, 0xc200}, true},
    {"BUF_FMT_32_32_32_32_FLOAT", 32, {0x3f800000, 0xc0400000, 0x3eaaa000, 0}, {0x3f800000, 0xc0400000, 0x3eaaa000, 0},
        {0x3c00, 0xc200, 0x3555, 0}, true},
    {"BUF_FMT_32_32_32_32_UINT", 32, {1, 2, 0x80000000, 4}, {1, 2, 0x80000000, 4}, {0}, false},
};

static unsigned format_named(const char *name)
{
    unsigned f = 1;
    while (f < 78 && strcmp(gpudbg_enum_name(&gcn_enum[GCN_E_BUF_FORMAT_NEWER], f), name)) f++;
    return f;
}

/* name: "buffer_load_format_xy", "tbuffer_store_format_d16_x", "buffer_load_format_d16_hi_x". */
static void test_format(unsigned f, unsigned op, const char *name)
{
    const bool typed = name[0] == 't', write = strstr(name, "store"), half = strstr(name, "d16"),
               high = strstr(name, "_hi_");
    const unsigned n = (unsigned)strlen(strrchr(name, '_') + 1), number = format_named(formats[f].name);
    if (half && !formats[f].has_halves) return;
    const uint32_t mtbuf = 58u << 26 | number << 19 | (op & 7) << 16, flags = (uint32_t)OFFEN << 12;
    if (!open_word((typed ? mtbuf : 56u << 26 | op << 18) | flags,
            ADDR | DATA << 8 | (uint32_t)SRSRC / 4 << 16 | (typed && half ? 1u << 21 : 0) | (uint32_t)SOFFSET << 24))
        return;
    put_pair(SRSRC, r->at.buf->base);
    r->s[SRSRC + 2] = 8192;
    r->s[SRSRC + 3] = 04 | 05 << 3 | 06 << 6 | 07 << 9 | (typed ? 20 : number) << 12 | 1u << 24 | 3u << 28;
    r->s[SOFFSET] = 64;
    const unsigned bytes = formats[f].bits / 2;
    for (unsigned l = 0; l < 64; l++) {
        r->v[ADDR][l] = 16 * l;
        if (!write) memcpy(r->mem + 64 + 16 * l, formats[f].raw, bytes);
        for (unsigned i = 0; write && i < n; i++) {
            if (half)
                load_half(DATA + i / 2, l, formats[f].halves[i], high || i % 2 ? 2 : 1);
            else
                r->v[DATA + i][l] = formats[f].words[i];
        }
    }
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes(); l++) {
        if (!active(l)) continue;
        for (unsigned i = 0; !write && i < n; i++) {
            if (half)
                load_half(DATA + i / 2, l, formats[f].halves[i], high || i % 2 ? 2 : 1);
            else
                r->v[DATA + i][l] = formats[f].words[i];
        }
        if (write) { /* components that are not given are 0 */
            memset(r->mem + 64 + 16 * l, 0, bytes);
            memcpy(r->mem + 64 + 16 * l, formats[f].raw, n * formats[f].bits / 8);
        }
    }
    char what[100];
    snprintf(what, sizeof what, "%s %s", name, formats[f].name);
    check(&stop, what, op);
}

static void test_buffer_rows(void)
{
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_isa *isa = &gcn_chips[rig_chip].isa;
        const char *name = gcn_ops[id].name;
        if (!gpudbg_has_op(isa, id) || !strstr(name, "buffer_") || name[0] == 's') continue;
        const unsigned op = (unsigned)isa->rows[id].code;
        for (unsigned f = 0; strstr(name, "_format_") && f < sizeof formats / sizeof *formats; f++)
            test_format(f, op, name);
        if (changes_nothing(name)) test_nothing(56, op, name);
    }
    for (unsigned b = 0; b < sizeof buffers / sizeof *buffers; b++)
        for (unsigned flags = 0; flags < 4 && !buffers[b].swizzle; flags++) {
            for (unsigned i = 0; i < ROWS; i++)
                for (unsigned bytes = 4; bytes <= 8 && rows[i].vmem >= 0; bytes += 4)
                    test_buffer_atomic(&buffers[b], &rows[i], bytes, flags);
            if (newest()) test_buffer_atomic(&buffers[b], &csub, 4, flags);
        }
}

static void test_buffers(void)
{
    test_buffer_rows();
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

/* Every row that accesses memory and runs has a model here, or in graphics_newer.c: those of all groups. */
static void test_all_met(void)
{
    static const char *const families[] = {"DS", "FLAT", "SMEM", "MUBUF", "MTBUF"};
    unsigned missing = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_op *op = &gcn_ops[id];
        if (!gpudbg_has_op(&gcn_chips[rig_chip].isa, id) || !gcn_is_checked(&gcn_chips[rig_chip], op)) continue;
        const char *layout = gcn_chips[rig_chip].isa.rows[id].format->name;
        bool memory = false;
        for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
            memory = memory || !strncmp(layout, families[i], strlen(families[i]));
        if (!memory || met[id] || op->flags & GCN_GWS || !strcmp(op->name, "ds_ordered_count")) continue;
        missing++;
        fprintf(stderr, "# no model: %s\n", op->name);
    }
    is_int(missing, 0, "%s: every row that accesses memory has a model", gcn_chips[rig_chip].isa.name);
    memset(met, 0, sizeof met);
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {
        GCN_CHIP_gfx10, GCN_CHIP_gfx10_64, GCN_CHIP_gfx10_3, GCN_CHIP_gfx10_3_64};
    struct gpudbg_error err = {0};
    static struct rig rig;
    r = &rig;
    r->at.g = session_open(command_families, builtin_plugins, &err);
    if (!ok(r->at.g != NULL, "a session")) return tap_done();
    test_formats();
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        rig_chip = chips[i];
        for (unsigned n = 0; n < 5; n++)
            for (unsigned by_sgpr = 0; by_sgpr < 2; by_sgpr++) {
                test_scalar(n, 1u << n, false, by_sgpr);
                test_scalar(8 + n, 1u << n, true, by_sgpr);
            }
        test_scalar_rows();
        test_memory();
        test_scratches();
        test_share();
        test_buffers();
        test_all_met();
    }
    session_close(r->at.g);
    return tap_done();
}
