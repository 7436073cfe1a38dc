/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.c: messages of the load store cache as instructions of their own, as IGA 1.1 prints them with -Xprint-ldst and
 * reads them:
 *
 *     (pred) load.ugm.d32x2.a64.ca.ca (16|M0) r20:4 bti[3][r10:4] {options}
 *
 * The name has the message, the memory, the element, the bits of an address and what the caches do; operands have their
 * registers, and the address the way to its surface.  A text without a number of registers has what the message needs.
 */
#include <strings.h>
#include "code/message.h"
#include "text/gen_assembly.h"
#include "ops.h"

/* By the opcode in a descriptor; NULL: the message has no such name. */
static const char *const names[] = {"load", "load_strided", "load_quad", "load_block2d", "store", "store_strided",
    "store_quad", "store_block2d", "atomic_iinc", "atomic_idec", "atomic_load", "atomic_store", "atomic_iadd",
    "atomic_isub", "atomic_smin", "atomic_smax", "atomic_umin", "atomic_umax", "atomic_icas", "atomic_fadd",
    "atomic_fsub", "atomic_fmin", "atomic_fmax", "atomic_fcas", "atomic_and", "atomic_or", "atomic_xor", NULL,
    "store_uncompressed"};
enum { NAMES = sizeof names / sizeof *names, LOAD_QUAD = 2, STORE_QUAD = 6 };

/* What the caches do, by the field of the descriptor: of loads; of stores and atomics. */
static const char caches[2][8][6] = {{"", "uc.uc", "uc.ca", "ca.uc", "ca.ca", "st.uc", "st.ca", "ri.ca"},
    {"", "uc.uc", "uc.wb", "wt.uc", "wt.wb", "st.uc", "st.wb", "wb.wb"}};

enum { FLAT = 0, BTI = 3, LENGTH = 0x7c0 };

/* ---- Fields of descriptors ---- */

static const struct gpudbg_field *field_of(const struct gpudbg_format *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->fields[i].name, name) == 0) return &f->fields[i];
    return NULL;
}

static uint32_t get(const struct gpudbg_format *f, const char *name, uint32_t desc)
{
    const struct gpudbg_field *field = field_of(f, name);
    return field ? desc >> field->run[0].lo & ((1u << field->run[0].len) - 1) : 0;
}

static uint32_t put_bits(const struct gpudbg_format *f, const char *name, uint32_t value)
{
    const struct gpudbg_field *field = field_of(f, name);
    return field ? value << field->run[0].lo : 0;
}

/* The name of a field's value; NULL: reserved, or no such field. */
static const char *name_of(const struct gpudbg_format *f, const char *field_name, uint32_t value)
{
    const struct gpudbg_field *field = field_of(f, field_name);
    const char *name = field ? gpudbg_enum_name(field->meaning, value) : NULL;
    return name && strcmp(name, "reserved") != 0 ? name : NULL;
}

static bool has_reserved(const struct gpudbg_format *f, uint32_t desc)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct gpudbg_run *run = f->fields[i].run;
        if (f->fields[i].kind == GPUDBG_MBZ && desc >> run->lo & ((1u << run->len) - 1)) return true;
    }
    return false;
}

static bool is_load(uint32_t does) { return does == GPUDBG_OP_LOAD; }
static bool is_store(uint32_t does) { return does == GPUDBG_OP_STORE; }

/* ---- Writing ---- */

static bool is_register(const struct gen_operand *o)
{
    return o->mode == GEN_DIRECT && !o->bad_file && (o->file == GEN_GRF || (o->file == GEN_NULL && !o->reg));
}

/* Whether the text gives every bit that the form with a descriptor gives. */
static bool can_say(const struct gen_insn *i)
{
    if (i->op != GEN_OP_send || !gen_is_lsc(i->eu, i->sfid) || i->desc_is_reg) return false;
    const struct gen_request *m = gen_request_of(i->eu, i->sfid, i->desc);
    const unsigned opcode = i->desc & 63;
    if (!m || opcode >= NAMES || !names[opcode] || has_reserved(m->format, i->desc)) return false;
    if (!name_of(m->format, "data", get(m->format, "data", i->desc))) return false;
    if (field_of(m->format, "address") && !name_of(m->format, "address", get(m->format, "address", i->desc)))
        return false;
    if (field_of(m->format, "components") && !get(m->format, "components", i->desc)) return false;
    if (!is_register(&i->dst) || !is_register(&i->src[0]) || !is_register(&i->src[1])) return false;
    if (is_store(m->does) && (i->dst.file != GEN_NULL || get(m->format, "rlen", i->desc))) return false;
    const uint32_t extended = i->ex_desc_is_reg ? 0 : i->ex_desc & ~(uint32_t)LENGTH;
    if (is_load(m->does) && (i->src[1].file != GEN_NULL || (gen_says_length(i) && i->ex_desc & LENGTH))) return false;
    switch (get(m->format, "surface_by", i->desc)) {
    case FLAT: return !extended && !i->ex_desc_is_reg;
    case BTI: return !(extended & 0xffffff);
    default: return !(extended & 0xfff);
    }
}

static char *put_payload(char *p, const struct gen_operand *o)
{
    return o->file == GEN_NULL ? PUT(p, "null") : gen_put_register(p, o, false);
}

char *gen_put_ldst(char *p, const struct gen_insn *i)
{
    if (!can_say(i)) return NULL;
    const struct gpudbg_format *f = gen_descriptor_format(i->eu, i->sfid, i->desc);
    const uint32_t does = gen_request_of(i->eu, i->sfid, i->desc)->does, desc = i->desc;
    p = put(PUT(put(gen_iga_predicate(p, i), names[desc & 63]), "."), gen_sfid_name(i->eu, i->sfid));
    p = put(PUT(p, "."), name_of(f, "data", get(f, "data", desc)));
    if (field_of(f, "components")) {
        *p++ = '.';
        for (unsigned n = 0; n < 4; n++)
            if (get(f, "components", desc) >> n & 1) *p++ = "xyzw"[n];
    }
    const bool transposed = get(f, "transpose", desc);
    if (field_of(f, "vector") && (transposed || get(f, "vector", desc)))
        p = put(p, name_of(f, "vector", get(f, "vector", desc)));
    if (transposed) *p++ = 't';
    if (get(f, "vnni", desc)) *p++ = 'v';
    p = put(PUT(p, "."), field_of(f, "address") ? name_of(f, "address", get(f, "address", desc)) : "a64");
    if (get(f, "cache", desc)) p = put(PUT(p, "."), caches[!is_load(does)][get(f, "cache", desc)]);
    p = gen_put_dec(PUT(p, " ("), i->exec_size);
    p = gen_put_dec(PUT(p, "|M"), i->chan_off);
    p = PUT(p, ") ");
    if (!is_store(does)) p = PUT(gen_put_dec(PUT(put_payload(p, &i->dst), ":"), get(f, "rlen", desc)), " ");
    const unsigned by = get(f, "surface_by", desc);
    if (by != FLAT) {
        const uint32_t extended = i->ex_desc & ~(uint32_t)LENGTH;
        p = PUT(put(p, name_of(f, "surface_by", by)), "[");
        if (i->ex_desc_is_reg)
            p = gen_put_dec(PUT(p, "a0."), i->ex_desc_reg / 2u);
        else
            p = by == BTI ? gen_put_dec(p, extended >> 24) : gen_put_hex(p, extended, 1);
        *p++ = ']';
    }
    p = PUT(gen_put_dec(PUT(put_payload(PUT(p, "["), &i->src[0]), ":"), get(f, "mlen", desc)), "]");
    if (!is_load(does)) p = gen_put_length(put_payload(PUT(p, " "), &i->src[1]), i);
    return gen_iga_options(p, i);
}

/* ---- Reading ---- */

int gen_ldst_named(const char *p, size_t n)
{
    static const struct {
        char name[12];
        uint8_t opcode;
    } others[] = {{"load_cmask", LOAD_QUAD}, {"store_cmask", STORE_QUAD}};
    for (unsigned i = 0; i < NAMES; i++)
        if (gen_is_named(p, n, names[i])) return (int)i;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (gen_is_named(p, n, others[i].name)) return others[i].opcode;
    return -1;
}

/* What a part of the name between points sets. */
struct parts {
    bool data, components, address, cache;
};

/* d32, d8u32x2, d32x8t; d16tv of blocks, where x1 to x64 say nothing: the payload has the number of blocks. */
static bool read_data(struct gen_assembly *a, const struct gpudbg_format *f, const char *p, size_t n)
{
    const char *const end = p + n;
    size_t longest = 0;
    uint32_t element = 0;
    for (uint32_t v = 0; v < 8; v++) {
        const char *name = name_of(f, "data", v);
        const size_t length = name ? strlen(name) : 0;
        if (length <= longest || length > n || !gen_is_named(p, length, name)) continue;
        longest = length;
        element = v;
    }
    if (!longest) return false;
    a->desc |= put_bits(f, "data", element);
    p += longest;
    if (p < end && (*p == 'x' || *p == 'X')) {
        size_t digits = 1;
        while (p + digits < end && p[digits] >= '0' && p[digits] <= '9') digits++;
        bool found = false;
        const bool blocks = field_of(f, "vnni");
        for (uint32_t v = 0; v < 8 && !found && field_of(f, "vector"); v++) {
            found = gen_is_named(p, digits, name_of(f, "vector", v));
            if (found) a->desc |= put_bits(f, "vector", v);
        }
        if (!found && !blocks) return false;
        p += digits;
    }
    for (; p < end; p++) {
        const char *field = *p == 't' ? "transpose" : *p == 'v' ? "vnni" : "";
        if (!field_of(f, field)) return false;
        a->desc |= put_bits(f, field, 1);
    }
    return true;
}

static bool read_components(struct gen_assembly *a, const struct gpudbg_format *f, const char *p, size_t n)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr("xyzw", p[i]);
        if (!at) return false;
        mask |= 1u << (at - "xyzw");
    }
    a->desc |= put_bits(f, "components", mask);
    return n;
}

static bool read_part_of_name(struct gen_assembly *a, const struct gpudbg_format *f, bool load, struct parts *parts)
{
    const char *p = ++a->r->at;
    const size_t n = gen_letters(p);
    a->r->at += n;
    if (!parts->data && (*p == 'd' || *p == 'D')) return parts->data = read_data(a, f, p, n);
    if (parts->data && !parts->components && field_of(f, "components"))
        return parts->components = read_components(a, f, p, n);
    for (uint32_t v = 1; v < 4 && !parts->address; v++) {
        static const char *const of_blocks[] = {NULL, NULL, NULL, "a64"};
        const char *name = field_of(f, "address") ? name_of(f, "address", v) : of_blocks[v];
        if (!gen_is_named(p, n, name)) continue;
        a->desc |= put_bits(f, "address", v);
        return parts->address = true;
    }
    const size_t both = p[n] == '.' ? n + 1 + gen_letters(p + n + 1) : 0;
    for (uint32_t v = 1; v < 8 && both && !parts->cache; v++) {
        if (!gen_is_named(p, both, caches[!load][v])) continue;
        a->desc |= put_bits(f, "cache", v);
        a->r->at = p + both;
        return parts->cache = true;
    }
    return false;
}

bool gen_read_ldst_name(struct gen_assembly *a)
{
    a->desc = (uint32_t)a->ldst;
    const struct gen_request *m = gen_request_of(a->eu, a->sfid, a->desc);
    const char *from = a->r->at;
    if (!m || !gen_is_lsc(a->eu, a->sfid))
        return gen_wants(a, a->name_at, "a load or store has .ugm, .ugml, .slm or .tgm: load.ugm.d32.a64");
    struct parts parts = {0};
    while (*a->r->at == '.') {
        from = a->r->at;
        if (!read_part_of_name(a, m->format, is_load(m->does), &parts))
            return gen_wants(a, from + 1, "%s are expected here: %s.ugm.%s.ca.ca",
                parts.data ? "a16, a32 or a64, and caches" : "an element, the bits of an address", names[a->ldst],
                field_of(m->format, "components") ? "d32.xy.a64" : "d32x2.a64");
    }
    const bool whole = parts.data && parts.address && (parts.components || !field_of(m->format, "components"));
    return whole || gen_wants(a, a->r->at, "%s is expected here: %s.ugm.d32.%sa64",
                        !parts.data      ? "an element"
                        : !parts.address ? "the bits of an address"
                                         : "a mask of xyzw",
                        names[a->ldst], field_of(m->format, "components") ? "xy." : "");
}

/* Registers for `n` elements of so many bytes a channel, or in all. */
static unsigned registers_of(const struct gen_assembly *a, unsigned bytes, unsigned n, bool together)
{
    const unsigned channels = together ? 1 : 1u << a->exec;
    return together ? (bytes * n + 31) / 32 : (bytes * channels + 31) / 32 * n;
}

static unsigned data_registers(const struct gen_assembly *a, const struct gpudbg_format *f)
{
    static const uint8_t bytes[] = {1, 2, 4, 8, 4, 4, 4, 4}, counts[] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t mask = get(f, "components", a->desc);
    const unsigned n = mask ? (unsigned)__builtin_popcount(mask) : counts[get(f, "vector", a->desc)];
    return registers_of(a, bytes[get(f, "data", a->desc)], n, get(f, "transpose", a->desc));
}

/* A register, and after a : how many; without it `needs`. */
static bool read_payload(struct gen_assembly *a, struct gen_written *o, unsigned needs, unsigned most, unsigned *n)
{
    int64_t value;
    a->length = -1;
    if (!gen_read_place(a, o)) return false;
    const bool null = o->file == 0 && !o->reg;
    *n = null ? 0 : needs;
    if (a->length >= 0)
        *n = (unsigned)a->length;
    else if (gpudbg_reading_takes(a->r, ':')) {
        if (!gen_read_int(a, 0, 31, "the number of registers", &value)) return false;
        *n = (unsigned)value;
    }
    a->length = -1;
    return *n <= most || gen_wants(a, o->at, "a message has at most %u registers here, and needs %u", most, *n);
}

/* [r10:2], bti[3][r10:2], ss[a0.2][r10:2] */
static bool read_address(struct gen_assembly *a, const struct gpudbg_format *f, bool transposed)
{
    static const char form[] = "[r10:1], bti[3][r10:1], ss[a0.2][r10:1]";
    static const uint8_t bytes[] = {4, 2, 4, 8};
    int64_t value;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const size_t n = gen_letters(from);
    unsigned by = FLAT, length;
    if (n) {
        for (by = 0; by < 4 && !gen_is_named(from, n, name_of(f, "surface_by", by));) by++;
        if (by == 4) return gen_wants(a, from, "an address is expected here: %s", form);
        a->r->at += n;
        a->desc |= put_bits(f, "surface_by", by);
    }
    if (by != FLAT) {
        if (!gen_read_char(a, '[', form)) return false;
        from = (gpudbg_reading_ends(a->r), a->r->at);
        const bool in_register = strncasecmp(from, "a0.", 3) == 0;
        if (in_register) a->r->at += 3;
        if (!gen_read_int(a, 0, in_register ? 7 : by == BTI ? 255 : UINT32_MAX, "the surface", &value)) return false;
        if (!in_register && by != BTI && value & 0xfff)
            return gen_wants(a, from, "bits 11 to 0 of a surface's offset are 0");
        a->ex_desc_is_reg = in_register;
        a->ex_desc_reg = in_register ? (uint8_t)value : 0;
        a->ex_desc = in_register ? 0 : (uint32_t)value << (by == BTI ? 24 : 0);
        if (!gen_read_char(a, ']', form)) return false;
    }
    const bool blocks = field_of(f, "vnni");
    const unsigned size = blocks ? 32 : bytes[get(f, "address", a->desc)];
    const unsigned needs = registers_of(a, size, 1, transposed || blocks);
    if (!gen_read_char(a, '[', form) || !read_payload(a, &a->src[0], needs, 15, &length)) return false;
    a->desc |= put_bits(f, "mlen", length);
    return gen_read_char(a, ']', form);
}

bool gen_read_ldst(struct gen_assembly *a)
{
    const struct gen_request *m = gen_request_of(a->eu, a->sfid, a->desc);
    const unsigned needs = data_registers(a, m->format);
    unsigned n = 0;
    a->nsrc = 2;
    a->dst = a->src[1] = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UD};
    if (!is_store(m->does) && !read_payload(a, &a->dst, needs, 31, &n)) return false;
    a->dst.h = 1;
    a->desc |= put_bits(m->format, "rlen", n);
    n = 0;
    if (!read_address(a, m->format, get(m->format, "transpose", a->desc))) return false;
    if (!is_load(m->does) && !read_payload(a, &a->src[1], needs, 31, &n)) return false;
    a->length = a->ex_desc_is_reg && !a->ex_bso ? -1 : (int8_t)n;
    return true;
}
