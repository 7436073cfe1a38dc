/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packets: the streams of a dump (rings, buffers, batches, code) as listings.  Registers that a packet writes are
 * decoded by the databases; where the read pointer stands is marked; a buffer that a packet runs, and code whose
 * address a register gets, are named where the dump or the loaded file holds them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gpudbg/endian.h"
#include "base/alloc.h"
#include "base/open_file.h"
#include "image/image.h"
#include "session/command.h"
#include "dump/dump.h"
#include "dump/dump_lanes.h"
#include "dump/dump_packet.h"
#include "dump/dump_show.h"
#include "code/records.h"
#include "out/say.h"
#include "word/registers.h"
#include "session/session.h"
#include "gpudbg/text.h"

struct listing { /* one stream being listed */
    struct gpudbg *g;
    const struct gpudbg_dump *dump;
    const struct gpudbg_stream *stream;
    size_t number;
    const struct gpudbg_isa *isa;
    const char *family;
    bool bytes, fields; /* /r, /f */
    unsigned depth;     /* of buffers followed */
    size_t *followed;   /* by stream: 1 + the number of the listing that has shown it behind a packet */
    size_t top;         /* of the stream that is listed, whose buffers are followed */
    struct gpudbg_out *out;
    struct gpudbg_bases *bases; /* what commands have set so far */
    char last[1100];            /* text of the packet before */
    size_t repeats;             /* packets like it that were not printed */
};

/* ---- Addresses ---- */

/* What is at an address: a stream of the dump, or the loaded code. */
static bool name_address(const struct listing *l, uint64_t addr, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(l->dump, &n);
    const size_t i = dump_stream_holding(l->dump, addr);
    if (i < n) {
        snprintf(buf, size, "%s in stream %zu", s[i].kind, i);
        return true;
    }
    if (l->g->loaded.image && gpudbg_image_at(l->g->loaded.image, addr)) {
        char where[256];
        image_where(l->g->loaded.image, addr, where, sizeof where);
        snprintf(buf, size, "%s of %s", where, l->g->loaded.image->path);
        return true;
    }
    return false;
}

/* ---- Packets ---- */

static const char *indent(const struct listing *l)
{
    static const char blanks[] = "                ";
    return blanks + sizeof blanks - 1 - (l->depth < 8 ? 2 * l->depth : 16);
}

static void flush_repeats(struct listing *l)
{
    if (l->repeats) gpudbg_out_print(l->out, "%s            ... %zu more of the same\n", indent(l), l->repeats);
    l->repeats = 0;
}

static uint32_t dword_at(const struct gpudbg_insn *insn, size_t byte)
{
    const size_t n = byte < insn->size ? insn->size - byte : 0;
    return (uint32_t)le_get(insn->raw + byte, n < 4 ? (unsigned)n : 4);
}

static void print_register(struct listing *l, uint64_t addr, uint32_t value, uint64_t offset)
{
    const struct gpudbg_reg *reg = l->family ? gpudbg_reg_at(gpudbg_session_databases(l->g), l->family, "mmio", addr)
                                             : NULL;
    uint32_t line = gpudbg_dump_stream_line(l->dump, l->number, (size_t)offset);
    uint8_t bytes[8];
    struct gpudbg_field_iter it;
    char where[400], number[32];
    le_put(bytes, value, sizeof bytes);
    snprintf(number, sizeof number, "0x%05" PRIx64, addr);
    BEGIN(l->out, "register", "{indent}              {name} = {value:08}[{differs} *]\n",
        STRING("name", reg ? reg->name : number), HEX("addr", addr), HEX("value", value),
        NUMBER("capture", l->stream->capture), NUMBER("line", line), NUMBER("stream", l->number), HEX("offset", offset),
        BOOL("written", true), TEXT("indent", indent(l)),
        TEXT_ONLY(FLAG("differs", reg && register_differs(reg, value))));
    gpudbg_out_array(l->out, "fields");
    if (reg) {
        for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
            const uint64_t address = it.field->kind == GPUDBG_POINTER ? it.value << it.field->scale : 0;
            const bool named = address && name_address(l, address, where, sizeof where);
            const bool shown = named || (l->fields && dump_field_tells(reg, &it, UINT64_MAX));
            if (shown) gpudbg_out_print(l->out, "%s                ", indent(l));
            field_record(l->out, &it, shown ? "{bits:7} {name:-24} {meaning}" : NULL);
            if (shown) gpudbg_out_print(l->out, "%s%s\n", named ? "  -> " : "", named ? where : "");
        }
    }
    gpudbg_out_close(l->out);
    gpudbg_out_end(l->out);
}

/* Of an unknown packet only the header has fields. */
static void print_fields(struct listing *l, const struct gpudbg_insn *insn, bool known)
{
    struct gpudbg_field_iter it;
    gpudbg_insn_fields(&it, insn);
    while (gpudbg_next_field(&it) && (known || it.bit == 0)) {
        gpudbg_out_print(l->out, "%s              ", indent(l));
        field_record(l->out, &it, "{bits:9} {word:-12} {name:-20} {value:-10} {meaning}\n");
    }
}

static void list_stream(struct listing *l);

/* An operand of kind CODE is the address of a buffer that runs next. */
static void follow(struct listing *l, const struct gpudbg_insn *insn)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(l->dump, &n);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const uint64_t addr = (uint64_t)insn->operands[i].imm;
        char where[400];
        if (insn->operands[i].kind != GPUDBG_CODE) continue;
        if (!name_address(l, addr, where, sizeof where)) {
            gpudbg_out_print(
                l->out, "%s              the buffer at 0x%" PRIx64 " is not in the dump\n", indent(l), addr);
            continue;
        }
        gpudbg_out_print(l->out, "%s              -> %s\n", indent(l), where);
        const size_t k = dump_stream_holding(l->dump, addr);
        if (k >= n || k == l->number || l->depth == 4 || gpudbg_out_json(l->out)) continue;
        if (l->followed[k] == l->top + 1) { /* buffers that run each other would be listed without end */
            gpudbg_out_print(l->out, "%s              listed above\n", indent(l));
            continue;
        }
        l->followed[k] = l->top + 1;
        struct listing inner = *l;
        inner.stream = &s[k];
        inner.number = k;
        inner.depth++;
        inner.last[0] = 0;
        inner.repeats = 0;
        list_stream(&inner);
    }
}

/* ---- What commands point at behind bases ---- */

#define ELEMENTS_MOST 64  /* structures of one pointer that are listed */
#define ELEMENTS_GUESS 16 /* ... where nobody says how many there are: as long as what they point at is there */

/* Bytes of the dump or of the loaded file at an address; NULL: neither holds them. */
static const uint8_t *bytes_at(const struct listing *l, uint64_t addr, size_t *n)
{
    size_t streams;
    const struct gpudbg_stream *s = gpudbg_dump_streams(l->dump, &streams);
    const size_t i = dump_stream_holding(l->dump, addr);
    if (i < streams) {
        *n = s[i].size - (size_t)(addr - s[i].addr);
        return s[i].bytes + (addr - s[i].addr);
    }
    return l->g->loaded.image ? gpudbg_image_bytes(l->g->loaded.image, addr, n) : NULL;
}

/* The k-th structure that a pointer means, as an instruction. */
static bool structure_at(const struct listing *l, const struct gpudbg_point *p, unsigned k, struct gpudbg_insn *insn)
{
    uint32_t bits = 0;
    size_t n;
    *insn = (struct gpudbg_insn){.isa = l->isa, .databases = gpudbg_session_databases(l->g), .op = p->op};
    for (unsigned i = 0; p->words[i] && i < GPUDBG_PARTS; i++) {
        insn->parts[insn->nparts++] = (struct gpudbg_part){.format = p->words[i], .bit = bits, .count = 1};
        bits += p->words[i]->bits;
    }
    insn->size = bits / 8;
    insn->addr = p->addr + (uint64_t)k * insn->size;
    insn->raw = bytes_at(l, insn->addr, &n);
    return insn->raw && n >= insn->size;
}

/* Whether what a structure points at is there. */
static bool points_somewhere(const struct listing *l, const struct gpudbg_insn *insn)
{
    struct gpudbg_point p;
    size_t n;
    for (unsigned i = 0; l->isa->pointing->points(insn, l->bases, i, &p); i++)
        if (!bytes_at(l, p.addr, &n)) return false;
    return l->isa->pointing->points(insn, l->bases, 0, &p);
}

/* A line behind as many blanks as the packets that lead here take. */
static void begin_point(struct listing *l, const struct gpudbg_point *p, unsigned depth, uint64_t addr,
    const char *where, const char *text, const char *line)
{
    char blanks[64];
    snprintf(blanks, sizeof blanks, "%s%*s", indent(l), (int)(14 + 2 * depth), "");
    BEGIN(l->out, "point", line, STRING("name", p->name), STRING("base", p->base), BOOL("based", p->based),
        HEX("offset", p->offset), HEX("addr", addr), STRING("where", where), STRING("text", text),
        TEXT("blanks", blanks));
}

/* "kernel 0x10001c0 -> object in stream 3: mov (8) ..." */
static void print_code(struct listing *l, const struct gpudbg_point *p, unsigned depth, const char *where)
{
    const struct gpudbg_isa *isa = l->family ? session_isa(l->g, l->family) : NULL;
    struct gpudbg_insn insn;
    char text[512] = "";
    size_t n = 0;
    const uint8_t *bytes = bytes_at(l, p->addr, &n);
    if (isa && bytes && n && gpudbg_insn_at(isa, bytes, n, p->addr, &insn) &&
        isa->text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text) < 0)
        text[0] = 0;
    begin_point(l, p, depth, p->addr, where, *text ? text : NULL, "{blanks}{name} {addr} -> {where}[: {text}]\n");
    gpudbg_out_end(l->out);
}

static void print_points(struct listing *l, const struct gpudbg_insn *insn, unsigned depth);

static void print_structure(
    struct listing *l, const struct gpudbg_point *p, const struct gpudbg_insn *insn, unsigned depth, const char *where)
{
    char text[1100];
    l->isa->text(insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
    begin_point(l, p, depth, insn->addr, where, text, "{blanks}{addr}  {text}\n");
    gpudbg_out_array(l->out, "fields");
    if (l->fields || gpudbg_out_json(l->out)) print_fields(l, insn, true);
    gpudbg_out_close(l->out);
    gpudbg_out_end(l->out);
    print_points(l, insn, depth + 1);
}

/* Text and records of all that a command, or a structure, points at. */
static void print_points(struct listing *l, const struct gpudbg_insn *insn, unsigned depth)
{
    struct gpudbg_point p;
    struct gpudbg_insn at;
    char where[400];
    for (unsigned i = 0; depth < 3 && l->isa->pointing && l->isa->pointing->points(insn, l->bases, i, &p); i++) {
        const bool held = name_address(l, p.addr, where, sizeof where) || bytes_at(l, p.addr, &(size_t){0});
        if (!held || !p.based) {
            gpudbg_out_print(l->out, "%s%*s%s 0x%" PRIx64 " %s", indent(l), (int)(14 + 2 * depth), "", p.name,
                p.based ? p.addr : p.offset, p.based ? "is not in the dump" : "counts from the ");
            if (!p.based) gpudbg_out_print(l->out, "%s, which nothing before it sets", p.base);
            if (!p.based && held && !p.op) gpudbg_out_print(l->out, "; if it is 0 -> %s", where);
            gpudbg_out_print(l->out, "\n");
            begin_point(l, &p, depth, p.addr, NULL, NULL, NULL);
            gpudbg_out_end(l->out);
        } else if (!p.op) {
            print_code(l, &p, depth, where);
        } else {
            const unsigned most = !p.count ? ELEMENTS_GUESS : p.count < ELEMENTS_MOST ? p.count : ELEMENTS_MOST;
            for (unsigned k = 0; k < most && structure_at(l, &p, k, &at); k++) {
                if (k && !p.count && !points_somewhere(l, &at)) break;
                print_structure(l, &p, &at, depth, where);
            }
            if (p.count > most)
                gpudbg_out_print(l->out, "%s%*s... %u more\n", indent(l), (int)(14 + 2 * depth), "", p.count - most);
        }
    }
}

/* Programs that a packet names, where the dump or the loaded file holds them. */
static void name_targets(struct listing *l, const struct gpudbg_insn *insn)
{
    struct gpudbg_field_iter it;
    char where[400];
    for (gpudbg_insn_fields(&it, insn); !gpudbg_out_json(l->out) && gpudbg_next_field(&it);)
        if (it.field->kind == GPUDBG_TARGET && it.value &&
            name_address(l, it.value << it.field->scale, where, sizeof where))
            gpudbg_out_print(l->out, "%s              %s -> %s\n", indent(l), it.field->name, where);
}

/* "unknown opcode 0x9c, 3 dwords: 0xc0019c00 0x1 0x2"; a word alone is data. */
static void unknown_text(const struct gpudbg_insn *insn, char *buf, size_t size)
{
    struct gpudbg_field_iter it;
    struct text t = text_in(buf, size);
    if (insn->size <= insn->isa->align) {
        data_text(insn->raw, insn->size, buf, size);
        return;
    }
    text_add(&t, "unknown packet");
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);)
        if (it.field->kind == GPUDBG_OPCODE) {
            t = text_in(buf, size);
            text_add(&t, "unknown opcode 0x%" PRIx64, it.value);
        }
    text_add(&t, ", %" PRIu32 " dwords:", insn->size / 4);
    for (uint32_t i = 0; i < insn->size && i < 32; i += 4) text_add(&t, " 0x%" PRIx32, dword_at(insn, i));
    if (insn->size > 32) text_add(&t, " and %" PRIu32 " more", insn->size / 4 - 8);
}

/* Registers that a packet reads or writes; of one that is cut off, those whose values are there. */
static void print_registers(struct listing *l, const struct gpudbg_insn *insn, uint64_t offset)
{
    for (unsigned i = 0; insn->op && i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || strcmp(l->isa->files[o->file].name, "mmio") != 0) continue;
        if (!(o->flags & GPUDBG_WRITE)) {
            const struct gpudbg_reg *reg = l->family ? gpudbg_reg_at(gpudbg_session_databases(l->g), l->family, "mmio",
                                                           (uint64_t)o->reg * 4)
                                                     : NULL;
            gpudbg_out_print(l->out, "%s              reads %s\n", indent(l),
                reg ? reg->name : "a register that is not in the database");
            continue;
        }
        for (uint32_t r = 0; r < o->count && (uint64_t)o->imm + 4 * r + 4 <= insn->size; r++)
            print_register(l, ((uint64_t)o->reg + r) * 4, dword_at(insn, (size_t)o->imm + 4 * r),
                offset + (uint64_t)o->imm + 4 * r);
    }
}

static void print_packet(struct listing *l, const struct packet *p, uint64_t offset)
{
    const struct gpudbg_insn *insn = &p->insn;
    const bool known = p->known;
    char text[1100];
    if (gpudbg_out_json(l->out)) {
        insn_record(l->out, insn, known, 0, NULL);
    } else {
        if (p->damaged && p->size > l->isa->align)
            packet_damaged_text(p, text, sizeof text);
        else if (!known || l->isa->text(insn, 0, GPUDBG_READABLE, NULL, text, sizeof text) < 0)
            unknown_text(insn, text, sizeof text);
        const bool at_pointer = offset == l->stream->read || offset == l->stream->write;
        if (strcmp(text, l->last) == 0 && !insn->noperands && !at_pointer && !l->fields) {
            l->repeats++;
            return;
        }
        flush_repeats(l);
        snprintf(l->last, sizeof l->last, "%s", text);
        const uint64_t into = l->stream->read - offset;
        if (l->stream->read != GPUDBG_NO_ADDR && l->stream->read >= offset && into < insn->size)
            gpudbg_out_print(l->out,
                into ? "%s--> read pointer, 0x%" PRIx64 " bytes into this: everything above was fetched\n"
                     : "%s--> read pointer: everything above was fetched\n",
                indent(l), into);
        if (offset == l->stream->write)
            gpudbg_out_print(l->out, "%s<-- write pointer: what follows is older\n", indent(l));
        gpudbg_out_print(l->out, "%s%6" PRIu32 "  0x%04" PRIx64 "  ", indent(l),
            gpudbg_dump_stream_line(l->dump, l->number, (size_t)offset), insn->addr);
        if (l->bytes)
            for (uint32_t i = 0; i + 4 <= insn->size && i < 16; i += 4)
                gpudbg_out_print(l->out, "%08" PRIx32 " ", dword_at(insn, i));
        gpudbg_out_print(l->out, "%s\n", text);
        if (l->fields) print_fields(l, insn, known);
    }
    if (known) {
        name_targets(l, insn);
        if (l->isa->pointing) l->isa->pointing->set_bases(insn, l->bases);
        print_points(l, insn, 0);
    }
    print_registers(l, p->damaged ? &p->header : insn, offset);
    if (known) follow(l, insn);
}

static void list_stream(struct listing *l)
{
    const struct gpudbg_stream *s = l->stream;
    const struct packet_stream stream = packets_of(l->dump, s, l->isa);
    struct packet p;
    for (size_t at = 0; at < s->size && !out_broken(l->out); at += p.size) {
        packet_of_stream(l->dump, s, &stream, at, &p);
        print_packet(l, &p, at);
    }
    flush_repeats(l);
    if (s->cut) gpudbg_out_print(l->out, "%s            the dump cuts it off here\n", indent(l));
}

/* ---- The command ---- */

struct request {
    const struct gpudbg_dump *dump;
    uint64_t stream; /* UINT64_MAX: all */
    bool bytes, fields;
};

/* The dump does not say one family; the user may. */
static bool is_open(const char *family) { return !family || strstr(family, " or "); }

/* Streams that are asked for; how many were of a kind that is decoded, in *listed. */
static bool list_streams(
    struct gpudbg *g, const struct request *r, size_t *listed, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_dump *d = r->dump;
    size_t n = 0;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    size_t *followed = xcalloc(n + 1, sizeof *followed);
    bool ok = true;
    *listed = 0;
    for (size_t i = 0; ok && i < n; i++) {
        bool assumed;
        const struct gpudbg_isa *isa = dump_code_isa(d, &s[i], &assumed);
        const char *lanes = assumed ? "; the dump does not say for how many lanes" : "";
        struct gpudbg_bases bases = {.known = 0};
        if (r->stream != UINT64_MAX && i != r->stream) continue;
        if (!isa) {
            size_t captures;
            const struct gpudbg_capture *c = gpudbg_dump_captures(d, &captures);
            if (r->stream != UINT64_MAX)
                ok = gpudbg_fail(err, "unsupported", "stream %zu: %s of %s is not decoded%s", i, s[i].kind,
                    s[i].engine              ? (s[i].unit ? s[i].unit : s[i].engine)
                    : c[s[i].capture].family ? c[s[i].capture].family
                                             : "a generation that is not said",
                    is_open(c[s[i].capture].family) ? ": name the generation with --isa" : "");
            continue;
        }
        struct listing l = {.g = g,
            .dump = d,
            .stream = &s[i],
            .number = i,
            .isa = isa,
            .family = dump_family(d, s[i].capture, &assumed),
            .bytes = r->bytes,
            .fields = r->fields,
            .bases = &bases,
            .followed = followed,
            .top = i,
            .out = out};
        gpudbg_out_print(out, "%sstream %zu: %s%s%s, %s%s\n", (*listed)++ ? "\n" : "", i, s[i].kind,
            s[i].unit ? " of " : "", s[i].unit ? s[i].unit : "", isa->title, lanes);
        followed[i] = i + 1;
        list_stream(&l);
    }
    free(followed);
    return ok;
}

/* ---- Words that were pasted ---- */

#define INPUT_MOST ((uint64_t)64 << 20)

static bool list_words(struct gpudbg *g, const struct request *asked, const char *name, const uint8_t *bytes, size_t n,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_dump *d = session_dump_from(g, name, bytes, n, "packet-list", err);
    struct request r = *asked;
    size_t listed, notes;
    if (!d) return false;
    size_t n_streams;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n_streams);
    bool ok = true;
    if (!n_streams || s->size < 4)
        ok = gpudbg_fail(err, "usage", "there are no words of hex");
    else if (!dump_stream_isa(d, s))
        ok = gpudbg_fail(err, "not-recognised",
            "0x%08" PRIx32 " begins no packet; --isa names the instruction set whose commands these are",
            le_u32(s->bytes));
    r.dump = d;
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(d, &notes);
    const bool told = g->loaded.isa || (ok && strcmp(s->kind, "ib") == 0);
    for (size_t i = 0; ok && i < notes; i++)
        if (!told || strcmp(note[i].kind, "assumed") != 0)
            gpudbg_out_print(out, "%s, line %" PRIu32 ": %s\n", name, note[i].line, note[i].text);
    ok = ok && list_streams(g, &r, &listed, out, err);
    dump_close(d);
    return ok;
}

static bool list_input(struct gpudbg *g, const struct request *r, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t n = 0;
    if (!g->front.input)
        return gpudbg_fail(err, "not-now",
            "standard input is not free here: write the words after `packets`, or use gpudbg --batch -e 'packets -'");
    uint8_t *bytes = all_within(STDIN_FILENO, INPUT_MOST, g->settings.memory_limit, &n, &g->ticker, err);
    if (!bytes) return false;
    const bool ok = list_words(g, r, "standard input", bytes, n, out, err);
    free(bytes);
    return ok;
}

/* A number alone is a stream; more than that are words. */
static bool more_than_a_number(const char *rest)
{
    const size_t first = strcspn(rest, " \t,:=");
    return rest[first] && rest[first + strspn(rest + first, " \t")];
}

static bool run_packets(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *format = gpudbg_args_format(a), *rest = gpudbg_args_rest(a), *word;
    struct request r = {
        .stream = UINT64_MAX, .bytes = strchr(format, 'r') != NULL, .fields = strchr(format, 'f') != NULL};
    uint64_t dump;
    size_t n = 0, listed;
    if (strcmp(rest, "-") == 0) return list_input(g, &r, out, err);
    if (strncmp(rest, "-d", 2) != 0 && more_than_a_number(rest))
        return list_words(g, &r, "words", (const uint8_t *)rest, strlen(rest), out, err);
    if (!(r.dump = session_dump_asked(g, a, &dump, err))) return false;
    word = gpudbg_args_word(a);
    gpudbg_dump_streams(r.dump, &n);
    if (word && !gpudbg_evaluate(g, word, &r.stream, err)) return false;
    if (word && r.stream >= n)
        return gpudbg_fail(
            err, "out-of-range", "stream %" PRIu64 ": the dump has %zu; see `info dump streams`", r.stream, n);
    if (!list_streams(g, &r, &listed, out, err)) return false;
    if (!listed)
        return n ? gpudbg_fail(err, "unsupported", "no stream of the dump is decoded; see `info dump streams`")
                 : gpudbg_fail(err, "not-now", "the dump contains no rings or buffers");
    return true;
}

static const struct gpudbg_command packets = {
    .name = "packets",
    .usage = "[/r] [/f] [-d DUMP] [STREAM | - | WORD WORD...]",
    .summary = "list the rings, buffers and batches of a dump, or words that you give",
    .help = "STREAM    a number that `info dump streams` shows; without it, all streams\n"
            "WORD...   words of hex, two at least; labels, `ADDR:` prefixes and names are skipped\n"
            "-         words of hex from standard input: xsel | gpudbg --batch -e 'packets -'\n"
            "/r        with the words; /f: with the fields\n"
            "-d DUMP   only the streams of this dump\n"
            "Registers that packets write are decoded; * marks a value that differs from the value after a reset.\n"
            "Buffers that packets run are listed too, if the dump contains them.\n"
            "So are the programs, tables and state that commands point at (relative to the bases of\n"
            "STATE_BASE_ADDRESS), if the dump or the loaded file contains their bytes.  Of a program, the place\n"
            "and the first instruction are shown.  Words are PM4 packets, or the commands of the generation that\n"
            "--isa names.",
    .family = "Dumps",
    .run = run_packets,
};

static const struct gpudbg_command *const commands[] = {&packets, NULL};
COMMAND_FAMILY(cmd_packets, "packets", .summary = "commands about rings and buffers", .commands = commands);
