/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_packet.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

/* So many packets in a row are taken for packets. */
#define CHAIN 3
/* A header may say this much, bytes: what a copy with zeros behind it is long, to ask what it would be. */
#define SAYS_MOST ((size_t)4 * 16386)

/* Headers with a count have their high bits set: a small number is the body of something, even where it would be a
 * filler, or a write to a register.  Zero is a filler of some, and no beginning. */
static bool is_small(const struct gpudbg_insn *insn)
{
    const uint32_t header = le_u32(insn->raw);
    return header && header < 0x01000000 && (insn->size < 8 || insn->noperands);
}

static bool reserved_bits_set(const struct gpudbg_insn *insn)
{
    struct gpudbg_field_iter it;
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it) && it.bit < 32;)
        if (it.field->kind == GPUDBG_MBZ && it.value) return true;
    return false;
}

static bool registers_known(const struct packet_stream *s, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; s->family && i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && strcmp(s->isa->files[o->file].name, "mmio") == 0 &&
            !gpudbg_reg_at(s->databases, s->family, "mmio", (uint64_t)o->reg * 4))
            return false;
    }
    return true;
}

/* Whether a packet begins here, as far as it can say; *size: its bytes. */
static bool plausible(const struct packet_stream *s, size_t at, size_t end, size_t *size)
{
    struct gpudbg_insn insn;
    if (end - at < 4 || !gpudbg_insn_at(s->isa, s->bytes + at, end - at, s->base + at, &insn)) return false;
    *size = insn.size;
    if (reserved_bits_set(&insn)) return false;
    return !s->isa->commands || (registers_known(s, &insn) && !is_small(&insn)); /* other engines' headers are small */
}

/* What the header says where its packet does not fit: asked of a copy that goes on with zeros. */
static void ask_header(const struct packet_stream *s, size_t at, size_t end, struct packet *p)
{
    const size_t n = end - at < SAYS_MOST ? end - at : SAYS_MOST;
    uint8_t *copy = xcalloc(SAYS_MOST, 1);
    memcpy(copy, s->bytes + at, n);
    const bool known = gpudbg_insn_at(s->isa, copy, SAYS_MOST, s->base + at, &p->header);
    if (known || p->header.size > s->isa->align) p->says = p->header.size;
    if (!known) p->header.op = NULL;
    p->header.raw = s->bytes + at;
    p->header.databases = s->databases;
    free(copy);
}

/* Whether packets chain from here: so many in a row, or up to the end, where the last may be cut off. */
static bool chains(const struct packet_stream *s, size_t at, size_t end)
{
    size_t size = 0;
    for (unsigned i = 0; i < CHAIN && at < end; i++, at += size) {
        struct packet cut = {.size = 0};
        if (plausible(s, at, end, &size)) continue;
        if (!i || end - at < s->isa->align) return false;
        ask_header(s, at, end, &cut);
        return cut.header.op && cut.says > end - at && !is_small(&cut.header);
    }
    return true;
}

/* The next place in (at, before) at which packets begin to chain; `before` if there is none. */
static size_t next_chain(const struct packet_stream *s, size_t at, size_t before, size_t end)
{
    for (size_t next = at + s->isa->align; next + 4 <= before; next += s->isa->align)
        if (le_u32(s->bytes + next) && chains(s, next, end)) return next;
    return before;
}

/* The packet ends at `next`, whatever its header says. */
static void end_at(const struct packet_stream *s, size_t at, size_t next, struct packet *p)
{
    p->size = next - at;
    p->damaged = p->says > p->size;
    if (!p->damaged && p->known) return;
    p->known = false;
    gpudbg_insn_at(s->isa, s->bytes + at, s->isa->align, s->base + at, &p->insn); /* a word of data, then as many */
    p->insn.databases = s->databases;
    p->insn.size = p->header.size = (uint32_t)p->size;
    p->insn.parts[0].count = GPUDBG_PART_COUNT((uint32_t)(p->size / s->isa->align));
}

void packet_at(const struct packet_stream *s, size_t at, size_t end, struct packet *p)
{
    *p = (struct packet){.size = 0};
    p->known = gpudbg_insn_at(s->isa, s->bytes + at, end - at, s->base + at, &p->insn);
    p->insn.databases = s->databases;
    p->size = p->insn.size;
    size_t ignored;
    const size_t behind = at + p->size;
    if (!p->known && p->size <= s->isa->align) { /* it runs past the end, or is none */
        ask_header(s, at, end, p);
        if (p->says) end_at(s, at, next_chain(s, at, end, end), p);
    } else if (end - at >= p->size + 4 && le_u32(s->bytes + behind) && !chains(s, behind, end)) {
        /* What follows is none.  Is this one?  Else a packet inside of it may show that it is too long. */
        const bool itself = !p->known || plausible(s, at, end, &ignored);
        const size_t next = next_chain(s, at, itself ? behind : end, end);
        if (itself && next >= behind) return;
        if (itself) ask_header(s, at, end, p);
        p->known = p->known && itself;
        end_at(s, at, next, p);
        p->damaged = true;
    }
}

/* ---- Streams of dumps ---- */

struct packet_stream packets_of(
    const struct gpudbg_dump *d, const struct gpudbg_stream *s, const struct gpudbg_isa *isa)
{
    bool assumed;
    return (struct packet_stream){.isa = isa,
        .databases = gpudbg_dump_databases(d),
        .family = dump_family(d, s->capture, &assumed),
        .bytes = s->bytes,
        .base = s->addr == GPUDBG_NO_ADDR ? 0 : s->addr};
}

bool packet_is_executed(const struct gpudbg_dump *d, const struct gpudbg_stream *s, const struct gpudbg_insn *insn)
{
    const uint32_t header = insn->size < 4 ? 0 : le_u32(insn->raw);
    struct gpudbg_record r;
    for (size_t i = 0; header && s->unit && gpudbg_dump_record(d, i, &r); i++)
        if (r.capture == s->capture && r.value == header && r.unit && strcmp(r.unit, s->unit) == 0) return true;
    return false;
}

void packet_of_stream(const struct gpudbg_dump *d, const struct gpudbg_stream *s, const struct packet_stream *stream,
    size_t at, struct packet *p)
{
    size_t end = s->size;
    if (s->read != GPUDBG_NO_ADDR && s->read > at && s->read < end) end = (size_t)s->read;
    if (s->write != GPUDBG_NO_ADDR && s->write > at && s->write < end) end = (size_t)s->write;
    packet_at(stream, at, end, p);
    if (end == s->size || (!p->damaged && p->known)) return;
    struct packet across; /* the one that stands across the pointer is being executed */
    packet_at(stream, at, s->size, &across);
    if (across.known && across.size > end - at && end == s->read && packet_is_executed(d, s, &across.insn)) *p = across;
}

void packet_damaged_text(const struct packet *p, char *buf, size_t size)
{
    const size_t here = p->size / 4;
    struct text t = text_in(buf, size);
    if (p->says)
        text_add(&t, "%s of %" PRIu32 " dwords: %zu %s here:", p->header.op ? p->header.op->name : "unknown packet",
            p->says / 4, here, here == 1 ? "is" : "are");
    else
        text_add(&t, "no packet:");
    for (size_t i = 0; i < here && i < 16; i++) text_add(&t, " 0x%" PRIx32, le_u32(p->insn.raw + 4 * i));
    if (here > 16) text_add(&t, " and %zu more", here - 16);
}
