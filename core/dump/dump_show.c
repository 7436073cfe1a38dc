/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_show.c: which register a value belongs to, and what of it is worth saying. */
#include "dump/dump_show.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "dump/dump.h"
#include "word/registers.h"
#include "gpudbg/text.h"

/* A family is known if there are an instruction set and registers of it. */
static bool known_family(const struct gpudbg_dump *d, const char *family)
{
    return gpudbg_dump_isa_named(d, family) && registers_any(gpudbg_dump_databases(d), family);
}

/* The family whose code an instruction set is; where waves come in two sizes, one name has the registers of both.
 * NULL: it is not known. */
static const char *family_of(const struct gpudbg_dump *d, const struct gpudbg_isa *isa)
{
    if (!isa || known_family(d, isa->name)) return isa ? isa->name : NULL;
    if (isa->dumped && isa->dumped->of_lanes) isa = isa->dumped->of_lanes(isa, isa->lanes == 64 ? 32 : 64);
    return isa && known_family(d, isa->name) ? isa->name : NULL;
}

/* What a family is called in the databases; "A or B" where it is not known which. */
static const char *database_of(const struct gpudbg_dump *d, uint32_t capture)
{
    bool assumed;
    size_t n;
    const char *family = dump_family(d, capture, &assumed);
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    return family || capture >= n ? family : c[capture].family;
}

bool dump_family_fits(const char *family, const struct gpudbg_isa *isa)
{
    for (const char *one = family; one && *one;) {
        const size_t n = strcspn(one, ", ");
        const char *more = strncmp(isa->name, one, n) == 0 ? isa->name + n : "?";
        if (!*more || *more == '-' || isdigit((unsigned char)*more)) return true;
        one += n + strspn(one + n, ", ");
        if (strncmp(one, "or ", 3) == 0) one += 3;
    }
    return !family;
}

/* Of "A, B or C" the one whose chips run code of that instruction set; NULL: none. */
static const char *family_among(const struct gpudbg_dump *d, const char *families, const struct gpudbg_isa *said)
{
    char one[24];
    for (size_t n; *families; families += n + strspn(families + n, ", ")) {
        n = strcspn(families, ", ");
        snprintf(one, sizeof one, "%.*s", (int)n, families);
        const struct gpudbg_isa *isa = gpudbg_dump_isa_named(d, one);
        if (isa && dump_family_fits(one, said)) return isa->name;
    }
    return NULL;
}

const char *dump_family(const struct gpudbg_dump *d, uint32_t capture, bool *assumed)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    *assumed = false;
    if (capture < n && c[capture].family) {
        const struct gpudbg_isa *said = *dump_env_of(d)->isa; /* by the user, of what the dump leaves open */
        const struct gpudbg_image *code = *dump_env_of(d)->image;
        const bool open = strstr(c[capture].family, " or ");
        const char *among = open && said ? family_among(d, c[capture].family, said) : NULL;
        if (open && !among && code && code->isa) among = family_among(d, c[capture].family, code->isa);
        if (among) {
            *assumed = true;
            return known_family(d, among) ? among : NULL;
        }
        return known_family(d, c[capture].family) ? c[capture].family
                                                  : family_of(d, gpudbg_dump_isa_named(d, c[capture].family));
    }
    const char *family = capture < n ? dump_device_family(d, c[capture].device)
                                     : NULL; /* another capture of it says it */
    if (family) return known_family(d, family) ? family : NULL;
    *assumed = true;
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    const char *asked = family_of(d, *dump_env_of(d)->isa);
    return asked ? asked : family_of(d, image ? image->isa : NULL);
}

/* The first of "A or B", in buf; else the family itself. */
static const char *first_family(const struct gpudbg_dump *d, uint32_t capture, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    const char *family = capture < n ? c[capture].family : NULL;
    if (!family || !strstr(family, " or ")) return family;
    snprintf(buf, size, "%.*s", (int)strcspn(family, ", "), family);
    return buf;
}

bool dump_has_registers(const struct gpudbg_dump *d, uint32_t capture)
{
    char first[32];
    const char *family = database_of(d, capture);
    if (family && strstr(family, " or ")) family = first_family(d, capture, first, sizeof first);
    return family && registers_any(gpudbg_dump_databases(d), family);
}

bool dump_lost(const struct gpudbg_dump *d, uint32_t capture)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    return capture < n && c[capture].records >= 2 && c[capture].ones == c[capture].records;
}

static const struct gpudbg_reg *reg_named(const struct gpudbg_dump *d, const char *family, const char *name)
{
    struct regdb *databases = gpudbg_dump_databases(d);
    return strstr(family, " or ") ? registers_common(databases, family, name)
                                  : gpudbg_reg_named(databases, family, name);
}

const struct gpudbg_reg *gpudbg_dump_reg(const struct gpudbg_dump *d, const struct gpudbg_record *r)
{
    const char *family = database_of(d, r->capture);
    const struct gpudbg_reg *reg = NULL;
    if (!family || (r->flags & GPUDBG_REC_DRIVER) || dump_lost(d, r->capture)) return NULL;
    if (r->reg) reg = reg_named(d, family, r->reg);
    if (!reg && r->name) reg = reg_named(d, family, r->name);
    if (!reg && r->addr != GPUDBG_NO_ADDR)
        reg = gpudbg_reg_at(gpudbg_dump_databases(d), family, r->flags & GPUDBG_REC_INDIRECT ? "sq" : "mmio", r->addr);
    char first[32];
    if (!reg && r->flags & GPUDBG_REC_REBUILT && r->name) /* the dump names the fields itself: they are the first's */
        reg = gpudbg_reg_named(gpudbg_dump_databases(d), first_family(d, r->capture, first, sizeof first), r->name);
    return reg;
}

bool dump_field_tells(const struct gpudbg_reg *reg, const struct gpudbg_field_iter *it, uint64_t mask)
{
    const struct gpudbg_field *f = it->field;
    uint64_t bits = 0;
    for (unsigned i = 0; i < GPUDBG_RUNS && f->run[i].len; i++)
        bits |= (f->run[i].len >= 64 ? UINT64_MAX : (UINT64_C(1) << f->run[i].len) - 1) << f->run[i].lo;
    if ((bits & mask) != bits) return false;
    if (f->kind == GPUDBG_DONE) return it->value == 0;
    const bool spare = strcmp(f->name, "-") == 0 || strcasecmp(f->name, "reserved") == 0;
    for (size_t i = 0; spare && i < reg->format->count; i++)
        if (reg->format->fields[i].kind == GPUDBG_DONE)
            return false; /* spare bits of such registers read 1 on some steppings */
    if (strcmp(f->name, "-") == 0) return it->value != 0 && f->run[0].len < reg->format->bits;
    return it->value != 0;
}

int dump_record_title(const struct gpudbg_record *r, char *buf, size_t size)
{
    char name[128];
    if (r->name)
        snprintf(name, sizeof name, "%.120s", r->name);
    else
        snprintf(name, sizeof name, "0x%05" PRIx64, r->addr);
    return snprintf(buf, size, r->unit ? "%s of %s" : "%s", name, r->unit);
}

static bool is_commands(const struct gpudbg_stream *s)
{
    return strcmp(s->kind, "ring") == 0 || strcmp(s->kind, "ib") == 0 || strcmp(s->kind, "batch") == 0 ||
           strcmp(s->kind, "context") == 0; /* registers of a context are stored as commands */
}

const char *dump_stream_unread(const struct gpudbg_dump *d, const struct gpudbg_stream *s)
{
    bool assumed;
    return is_commands(s) && !dump_stream_isa(d, s) ? dump_family(d, s->capture, &assumed) : NULL;
}

const struct gpudbg_isa *dump_stream_isa(const struct gpudbg_dump *d, const struct gpudbg_stream *s)
{
    bool assumed;
    const char *family = dump_family(d, s->capture, &assumed);
    char name[64];
    const bool code = strcmp(s->kind, "code") == 0;
    if (!code && !is_commands(s)) { /* packets that are the same in every family: "KIND-commands" */
        snprintf(name, sizeof name, "%.40s-commands", s->kind);
        return gpudbg_dump_isa_named(d, name);
    }
    if (code) return family ? gpudbg_dump_isa_named(d, family) : NULL;
    if (!family) family = database_of(d, s->capture); /* commands may be known where code is not */
    if (!family || strstr(family, " or ")) return NULL;
    /* "NAME-commands" is an alias of the instruction set of a family's command processor, "NAME-ENGINE-commands" of
     * another engine's. */
    snprintf(name, sizeof name, "%.20s%s%.20s-commands", family, s->engine ? "-" : "", s->engine ? s->engine : "");
    return gpudbg_dump_isa_named(d, name);
}

/* Four letters in a word, for keys that hold a tag. */
static bool tag_text(uint64_t value, char text[5])
{
    size_t n = 0;
    for (int i = 3; i >= 0; i--) {
        char c = (char)(value >> 8 * i);
        if (c > 32 && c < 127) text[n++] = c;
    }
    text[n] = 0;
    return n > 0;
}

/* Values that people count in tens: processes, jobs, times. */
static bool is_counted(const char *key)
{
    static const char *const keys[] = {"pid", "thread", "pasid", "signaled", "emitted", "milliseconds", "ring",
        "dwords", "source", "vmid", "number", "point", "messages", "generation", "command", "seqno", "guc-id", "waves",
        "rptr", "wptr", "type", "se", "sh", "cu", "wgp", "simd", "wave", "xid", "card"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0) return true;
    return false;
}

int dump_incident_text(const struct gpudbg_incident *i, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "%s", i->kind->word);
    if (i->unit) text_add(&t, " %s", i->unit);
    if (i->text) text_add(&t, " \"%s\"", i->text);
    for (unsigned k = 0; k < GPUDBG_INCIDENT_VALUES && i->kind->keys[k]; k++) {
        char tag[5];
        if (!(i->have & 1u << k)) continue;
        if (strcmp(i->kind->keys[k], "tag") == 0 && tag_text(i->values[k], tag))
            text_add(&t, ", client %s", tag);
        else if ((int64_t)i->values[k] < 0 && (int64_t)i->values[k] > -4096)
            text_add(&t, ", %s %" PRId64, i->kind->keys[k], (int64_t)i->values[k]);
        else
            text_add(&t, i->values[k] > 9 && !is_counted(i->kind->keys[k]) ? ", %s 0x%" PRIx64 : ", %s %" PRIu64,
                i->kind->keys[k], i->values[k]);
    }
    return text_length(&t);
}
