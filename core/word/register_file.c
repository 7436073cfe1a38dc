/* SPDX-License-Identifier: GPL-3.0-or-later */
/* register_file.c: the text of a .regs file, line by line; registers.h shows what one looks like. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "word/registers_table.h"

#define ISAS 12
#define FIELDS 256
#define ARRAY_MOST 4096
#define LEFT_OUT (GPUDBG_NOWHERE - 1)

/* What a field or a register is waiting for until the file is read: an enumeration may stand behind its use. */
struct wanted {
    struct gpudbg_field *field;
    const char *isa, *name;
    long line;
};

struct reader {
    struct regdb *to;
    const char *path;
    char *at; /* rest of the line, blanks skipped */
    long line;
    struct gpudbg_error *err; /* of the line being read */
    const char *isa[ISAS];
    unsigned nisas;
    const char *space, *source, *block;
    /* The register being read: its line, then its fields. */
    struct gpudbg_reg reg;
    struct gpudbg_format format; /* of each of its elements, without the name */
    uint64_t stride;
    unsigned first, last; /* index range of an array */
    bool columns;         /* it is not the same in all instruction sets: */
    uint64_t addr[ISAS];  /* of each; LEFT_OUT: it is not a register of this one */
    struct gpudbg_field field[FIELDS];
    struct gpudbg_run run[FIELDS][ISAS]; /* of each; length 0: the field is not in this one */
    const char *names[FIELDS];           /* of the enumeration a field asks for, or NULL */
    long lines[FIELDS];
    unsigned nfields;
    const char *alias[16];
    unsigned naliases;
    bool open; /* there is one */
    /* The list of values being read, of the last field or of an enumeration. */
    struct register_enum list;
    struct gpudbg_value *value;
    struct register_value *more;
    uint64_t *ends; /* one a value: the last number that it names */
    size_t nvalues, room;
    bool listing; /* there is an enumeration */
    struct wanted *wanted;
    size_t nwanted;
};

/* ---- Words of a line ---- */

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t') r->at++;
}

/* The next word, cut out of the text; quotes taken off; NULL at the end of the line. */
static char *word(struct reader *r)
{
    char *start = r->at, *end;
    if (!*start) return NULL;
    if (*start == '"' || (*start == '?' && start[1] == '"')) {
        char *quote = strchr(start + (*start == '?') + 1, '"');
        if (!quote) return NULL;
        if (*start == '?')
            start[1] = '?', start += 1;
        else
            start++;
        end = quote;
    } else {
        end = start + strcspn(start, " \t");
    }
    r->at = end + (*end != 0);
    *end = 0;
    skip_blanks(r);
    return start;
}

static const char *rest(struct reader *r)
{
    const char *text = r->at;
    r->at += strlen(r->at);
    return *text ? text : NULL;
}

static bool bad(struct reader *r, const char *what, const char *text)
{
    return gpudbg_fail(r->err, "syntax", "%s%s%.60s%s", what, text ? " \"" : "", text ? text : "", text ? "\"" : "");
}

static bool number(const char *text, char **end, uint64_t *value)
{
    if (!isdigit((unsigned char)*text)) return false;
    *value = strtoull(text, end, 0);
    return true;
}

static bool whole_number(const char *text, uint64_t *value)
{
    char *end;
    return number(text, &end, value) && !*end;
}

/* ---- Finishing what is open ---- */

/* The arena has a limit; errno says whether it was that. */
static bool not_kept(struct reader *r)
{
    if (alloc_short()) return gpudbg_fail(r->err, "memory", "no memory for the text of the file");
    return gpudbg_fail(r->err, "too-large", "the file has more text than can be kept");
}

static void *keep(struct reader *r, const void *from, size_t size)
{
    void *to = registers_alloc(r->to, size ? size : 1);
    if (to && size) memcpy(to, from, size);
    return to;
}

/* The values collected become the names of the last field, or a whole enumeration. */
static bool finish_values(struct reader *r)
{
    if (r->nvalues || r->listing) {
        r->list.names.values = keep(r, r->value, r->nvalues * sizeof *r->value);
        r->list.more = keep(r, r->more, r->nvalues * sizeof *r->more);
        r->list.names.count = r->nvalues;
        r->list.names.last = keep(r, r->ends, r->nvalues * sizeof *r->ends);
        r->list.names.source = r->source;
        if (!r->list.names.values || !r->list.names.last || !r->list.more) {
            r->list.names.count = 0;
            return not_kept(r);
        }
    }
    if (r->listing) {
        for (unsigned i = 0; i < r->nisas; i++) {
            r->list.isa = r->isa[i];
            registers_add_enum(r->to, &r->list);
        }
    } else if (r->nvalues) {
        struct gpudbg_field *field = &r->field[r->nfields - 1];
        r->list.names.name = field->name;
        const struct gpudbg_enum *names = keep(r, &r->list, sizeof r->list);
        if (!names) return not_kept(r); /* the field stays a number */
        field->meaning = names;
        if (field->kind != GPUDBG_BITS && field->kind != GPUDBG_BUSY && field->kind != GPUDBG_DONE)
            field->kind = GPUDBG_ENUM;
    }
    r->nvalues = 0;
    r->listing = false;
    return true;
}

/* "CB_COLOR[0-7]_INFO" with an index in place of the brackets. */
static const char *element_name(struct reader *r, const char *pattern, unsigned index)
{
    char text[256];
    const char *open = strchr(pattern, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close) return pattern;
    snprintf(text, sizeof text, "%.*s%u%s", (int)(open - pattern), pattern, index, close + 1);
    return registers_string(r->to, text, strlen(text));
}

static bool add_alias(struct reader *r, struct gpudbg_reg *added, const char *name)
{
    return registers_alias(r->to, name, added) ||
           gpudbg_fail(r->err, "too-large", "too many registers are called \"%.60s\"", name);
}

static bool add_aliases(struct reader *r, struct gpudbg_reg *added, unsigned index)
{
    char name[256];
    for (unsigned a = 0; a < r->naliases; a++)
        if ((strchr(r->alias[a], '[') || index == r->first) &&
            !add_alias(r, added, element_name(r, r->alias[a], index)))
            return false;
    return !r->reg.array || index != r->first ||
           add_alias(r, added, registers_string(r->to, name, registers_array_name(name, sizeof name, r->reg.array)));
}

static bool add_elements(struct reader *r, unsigned column)
{
    struct gpudbg_reg reg = r->reg;
    reg.isa = r->isa[column];
    reg.addr = r->addr[column];
    for (unsigned i = r->first; i <= r->last; i++) {
        struct gpudbg_format *format = keep(r, &r->format, sizeof *format);
        if (!format || !(reg.name = element_name(r, r->reg.name, i))) return not_kept(r);
        format->name = reg.name;
        reg.format = format;
        reg.index = i;
        if (r->addr[column] != GPUDBG_NOWHERE) reg.addr = r->addr[column] + r->stride * (i - r->first);
        struct gpudbg_reg *added = registers_add(r->to, &reg);
        if (!added) return not_kept(r);
        if (!add_aliases(r, added, i)) return false;
    }
    return true;
}

static void want(struct reader *r, struct gpudbg_field *field, const char *name, long line)
{
    r->wanted = xrealloc(r->wanted, r->nwanted + 1, sizeof *r->wanted);
    r->wanted[r->nwanted++] = (struct wanted){field, r->isa[0], name, line};
}

/* The fields that the register has in the instruction set of this column. */
static bool finish_fields(struct reader *r, unsigned column)
{
    struct gpudbg_field *fields = registers_alloc(r->to, (r->nfields + 1) * sizeof *fields);
    unsigned n = 0;
    if (!fields) return not_kept(r);
    r->format = (struct gpudbg_format){.source = r->source, .doc = r->reg.doc, .bits = 32, .fields = fields};
    for (unsigned i = 0; i < r->nfields; i++) {
        const struct gpudbg_run run = r->run[i][column];
        if (!run.len) continue;
        fields[n] = r->field[i];
        fields[n].run[0] = run;
        if (run.lo + run.len > 32) r->format.bits = 64;
        if (r->names[i]) want(r, &fields[n], r->names[i], r->lines[i]);
        n++;
    }
    r->format.count = n;
    return true;
}

static bool finish_register(struct reader *r)
{
    if (!r->open) return true;
    r->open = false;
    for (unsigned i = 0; i < r->nisas; i++) {
        if (r->addr[i] == LEFT_OUT) continue;
        if (((!i || r->columns) && !finish_fields(r, i)) || !add_elements(r, i)) return false;
    }
    return true;
}

static bool finish(struct reader *r) { return finish_values(r) && finish_register(r); }

/* ---- Lines ---- */

static bool isa_line(struct reader *r)
{
    char *name;
    r->nisas = 0;
    while ((name = word(r)))
        if (r->nisas < ISAS && !(r->isa[r->nisas++] = registers_add_isa(r->to, name))) {
            r->nisas--;
            return gpudbg_fail(r->err, "too-large", "too many instruction sets: \"%.60s\"", name);
        }
    return r->nisas || bad(r, "isa: a name is missing", NULL);
}

static bool packet_line(struct reader *r)
{
    struct register_packet p = {.name = word(r)};
    char *range = word(r), *end;
    if (!p.name || !range || !number(range, &end, &p.first) || *end != '-' || !whole_number(end + 1, &p.last) ||
        p.first > p.last)
        return bad(r, "packet: a name and FIRST-LAST are wanted", range);
    for (unsigned i = 0; i < r->nisas; i++) {
        p.isa = r->isa[i];
        registers_add_packet(r->to, &p);
    }
    return true;
}

static bool enum_line(struct reader *r)
{
    char *name = word(r), *bits = word(r);
    uint64_t n = 0;
    if (!name || !*name) return bad(r, "enum: a name is missing", NULL);
    if (bits && (!whole_number(bits, &n) || n > 64)) return bad(r, "enum: a width in bits is wanted, not", bits);
    if (!r->nisas) return bad(r, "no isa line comes before", name);
    r->list = (struct register_enum){.names = {.name = name}, .bits = (unsigned)n};
    r->listing = true;
    return true;
}

/* NAME[first-last] */
static bool take_indices(struct reader *r, const char *name)
{
    const char *open = strchr(name, '[');
    char *end;
    uint64_t first, last;
    r->first = r->last = 0;
    r->reg.array = NULL;
    if (!open) return true;
    if (!number(open + 1, &end, &first) || *end != '-' || !number(end + 1, &end, &last) || *end != ']' ||
        first > last || last - first >= ARRAY_MOST)
        return bad(r, "array: [FIRST-LAST] is wanted in", name);
    r->first = (unsigned)first;
    r->last = (unsigned)last;
    r->reg.array = name;
    return true;
}

/* ADDRESS or ADDRESS+STEP; "-": it is not known; ".": there is none in this instruction set. */
static bool take_address(struct reader *r, const char *text, uint64_t *addr)
{
    char *end;
    *addr = strcmp(text, ".") == 0 ? LEFT_OUT : GPUDBG_NOWHERE;
    return strcmp(text, ".") == 0 || strcmp(text, "-") == 0 ||
           (number(text, &end, addr) && (!*end || (*end == '+' && whole_number(end + 1, &r->stride)))) ||
           bad(r, "no address:", text);
}

/* Whether as many addresses follow as there are instruction sets, the first of which has been taken, and an access. */
static bool in_columns(const struct reader *r)
{
    const char *p = r->at;
    for (unsigned i = 1; i < r->nisas; i++) {
        if (!isdigit((unsigned char)*p) && *p != '.' && *p != '-') return false;
        p += strcspn(p, " \t");
        p += strspn(p, " \t");
    }
    return r->nisas > 1 && *p && strspn(p, "RW/") == strcspn(p, " \t");
}

/* NAME ADDRESS ACCESS: one address, or one for each instruction set. */
static bool register_line(struct reader *r, char *name)
{
    char *addr = word(r);
    r->reg = (struct gpudbg_reg){.name = name, .block = r->block, .space = r->space, .addr = GPUDBG_NOWHERE};
    r->stride = 4;
    r->nfields = r->naliases = 0;
    if (!r->nisas) return bad(r, "no isa line comes before", name);
    r->columns = addr && in_columns(r);
    for (unsigned i = 0; addr && i < r->nisas; i++) {
        if (i && r->columns) addr = word(r);
        if (!take_address(r, addr, &r->addr[i])) return false;
    }
    r->reg.access = word(r);
    if (!addr || !r->reg.access) return bad(r, "a register is NAME ADDRESS ACCESS, not", name);
    if (!take_indices(r, name)) return false;
    r->reg.doc = rest(r);
    r->open = true;
    return true;
}

static const struct kind {
    const char *name;
    uint8_t kind;
} kinds[] = {
    {"number", GPUDBG_UINT},
    {"signed", GPUDBG_SINT},
    {"flag", GPUDBG_FLAG},
    {"float", GPUDBG_FLOAT},
    {"address", GPUDBG_POINTER},
    {"bits", GPUDBG_BITS},
    {"busy", GPUDBG_BUSY},
    {"done", GPUDBG_DONE},
    {"reserved", GPUDBG_MBZ},
};

/* :KIND or :KIND<<SCALE */
static bool take_kind(struct reader *r, struct gpudbg_field *field, const char *text)
{
    size_t n = strcspn(text, "<");
    uint64_t scale = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, text, n) == 0) {
            field->kind = kinds[i].kind;
            if (text[n] && (text[n + 1] != '<' || !whole_number(text + n + 2, &scale) || scale > 63)) break;
            field->scale = (uint8_t)scale;
            return true;
        }
    return bad(r, "no such kind of field:", text);
}

/* What may stand between a field's name and its description. */
static bool field_marks(struct reader *r, struct gpudbg_field *field)
{
    uint64_t value, mask;
    while (*r->at == '=' || *r->at == ':' || *r->at == '{') {
        char *mark = word(r);
        if (*mark == ':') {
            if (!take_kind(r, field, mark + 1)) return false;
        } else if (*mark == '{') {
            size_t n = strlen(mark);
            if (n < 3 || mark[n - 1] != '}') return bad(r, "{NAME} is wanted, not", mark);
            mark[n - 1] = 0;
            r->names[r->nfields] = mark + 1;
            r->lines[r->nfields] = r->line;
            if (field->kind != GPUDBG_BITS) field->kind = GPUDBG_ENUM;
        } else {
            mask = field->run[0].len < 64 ? (UINT64_C(1) << field->run[0].len) - 1 : UINT64_MAX;
            if (!whole_number(mark + 1, &value) || (value & ~mask))
                return bad(r, "no default for a field of this width:", mark);
            r->reg.reset |= value << field->run[0].lo;
            r->reg.reset_mask |= mask << field->run[0].lo;
        }
    }
    return true;
}

static bool is_range(const char *text)
{
    const char *p = text + strspn(text, "0123456789");
    return strcmp(text, ".") == 0 || (p > text && *p == ':' && strspn(p + 1, "0123456789") == strlen(p + 1) && p[1]);
}

/* HI:LO, or "." for none. */
static bool take_range(struct reader *r, const char *text, struct gpudbg_run *run)
{
    uint64_t hi, lo;
    char *end;
    *run = (struct gpudbg_run){0};
    if (strcmp(text, ".") == 0) return true;
    if (!number(text, &end, &hi) || *end != ':' || !whole_number(end + 1, &lo) || hi < lo || hi > 63)
        return bad(r, "HI:LO is wanted, at most 63:0, not", text);
    *run = (struct gpudbg_run){(uint8_t)lo, (uint8_t)(hi - lo + 1)};
    return true;
}

/* HI:LO NAME: one range, or one for each instruction set. */
static bool field_line(struct reader *r, char *range)
{
    struct gpudbg_field field = {.name = word(r)};
    struct gpudbg_run *run = r->run[r->nfields < FIELDS ? r->nfields : 0];
    if (!r->open) return bad(r, "a field, and no register before it:", range);
    if (r->nfields == FIELDS) return bad(r, "too many fields in", r->reg.name);
    const bool columns = r->nisas > 1 && field.name && is_range(field.name);
    for (unsigned i = 0; i < r->nisas; i++) {
        if (i && columns) {
            range = (char *)(uintptr_t)field.name;
            if (!(field.name = word(r))) return bad(r, "bits for each instruction set are wanted at", range);
        }
        if (!take_range(r, range, &run[i])) return false;
        if (run[i].len) field.run[0] = run[i];
    }
    if (!field.name || !*field.name || !field.run[0].len) return bad(r, "a field without a name at", range);
    if (columns && is_range(field.name)) return bad(r, "bits for more instruction sets than there are:", field.name);
    r->columns |= columns;
    field.kind = field.run[0].len == 1 ? GPUDBG_FLAG : GPUDBG_UINT;
    r->names[r->nfields] = NULL;
    const uint64_t defaults = r->reg.reset_mask;
    if (!field_marks(r, &field)) return false;
    if (columns && r->reg.reset_mask != defaults) return bad(r, "no default where bits differ:", field.name);
    field.doc = rest(r);
    r->field[r->nfields++] = field;
    return true;
}

static void room_for_value(struct reader *r)
{
    if (r->nvalues < r->room) return;
    size_t room = r->room ? 2 * r->room : 64;
    r->value = xrealloc(r->value, room, sizeof *r->value);
    r->more = xrealloc(r->more, room, sizeof *r->more);
    r->ends = xrealloc(r->ends, room, sizeof *r->ends);
    r->room = room;
}

/* VALUE NAME [*] [?CONDITION], again and again, then perhaps "-- what the last one is". */
static bool value_line(struct reader *r, char *first)
{
    char *text = first, *end;
    if (!r->listing && (!r->open || !r->nfields))
        return bad(r, "a value, and no field or enumeration before it:", first);
    for (; text; text = word(r)) {
        if (strcmp(text, "--") == 0 && r->nvalues) {
            r->value[r->nvalues - 1].doc = rest(r);
            break;
        }
        room_for_value(r);
        struct gpudbg_value *value = &r->value[r->nvalues];
        struct register_value *more = &r->more[r->nvalues];
        uint64_t *last = &r->ends[r->nvalues];
        *value = (struct gpudbg_value){0};
        *more = (struct register_value){0};
        if (!number(text, &end, &value->value) || (*end && (*end != '-' || !whole_number(end + 1, last))))
            return bad(r, "a value is a number or FIRST-LAST, not", text);
        value->name = word(r);
        if (!*end) *last = value->value;
        if (*last < value->value) return bad(r, "a range that ends before it begins:", text);
        if (!value->name || !*value->name) return bad(r, "a value without a name:", text);
        if (*r->at == '*') more->initial = word(r) != NULL;
        if (*r->at == '?') {
            const char *condition = word(r);
            if (!condition) return bad(r, "a quote does not end", NULL);
            more->condition = condition + 1;
        }
        r->nvalues++;
    }
    return true;
}

static bool alias_line(struct reader *r)
{
    char *name;
    if (!r->open) return bad(r, "alias, and no register before it", NULL);
    while ((name = word(r)))
        if (r->naliases < sizeof r->alias / sizeof *r->alias) r->alias[r->naliases++] = name;
    return true;
}

static bool indented_line(struct reader *r)
{
    char *first = word(r);
    if (!first) return bad(r, "a quote does not end", NULL);
    if (strcmp(first, "alias") == 0) return alias_line(r);
    if (strcmp(first, "note") == 0) {
        r->reg.note = rest(r);
        return r->open || bad(r, "note, and no register before it", NULL);
    }
    if (!strchr(first, ':') && strcmp(first, ".") != 0) return value_line(r, first);
    return finish_values(r) && field_line(r, first);
}

/* What holds for the registers that follow, until it is said again. */
static bool heading(struct reader *r, const char **what, const char *missing)
{
    const char *name = rest(r);
    if (!name) return bad(r, missing, NULL);
    *what = name;
    return true;
}

static bool flush_line(struct reader *r)
{
    char *first;
    if (!finish(r)) return false;
    if (!(first = word(r))) return bad(r, "a quote does not end", NULL);
    if (strcmp(first, "isa") == 0) return isa_line(r);
    if (strcmp(first, "packet") == 0) return packet_line(r);
    if (strcmp(first, "enum") == 0) return enum_line(r);
    if (strcmp(first, "space") == 0) return heading(r, &r->space, "space: a name is missing");
    if (strcmp(first, "source") == 0) return heading(r, &r->source, "source: a name is missing");
    if (strcmp(first, "block") == 0) return heading(r, &r->block, "block: a name is missing");
    return register_line(r, first);
}

static void resolve(struct reader *r, struct gpudbg_error *first)
{
    for (size_t i = 0; i < r->nwanted; i++) {
        const struct wanted *w = &r->wanted[i];
        const struct register_enum *e = registers_find_enum(r->to, w->isa, w->name);
        w->field->meaning = e ? &e->names : NULL;
        if (e) continue;
        w->field->kind = GPUDBG_UINT;
        if (!first->kind) {
            gpudbg_fail(first, "syntax", "no enumeration \"%.60s\"", w->name);
            first->line = w->line;
        }
    }
}

bool register_text(struct regdb *to, const char *path, char *text, size_t n, struct gpudbg_error *err)
{
    struct gpudbg_error first = {.offset = -1}, this;
    struct reader *r = xalloc(sizeof *r);
    char *end = text + n, *next;
    *r = (struct reader){.to = to, .path = path, .space = "mmio", .block = "-", .source = path, .err = &this};
    for (r->line = 1; text < end; text = next, r->line++) {
        next = memchr(text, '\n', (size_t)(end - text));
        next = next ? next + 1 : end;
        if (next > text && next[-1] == '\n') next[-1] = 0;
        text[strcspn(text, "\r")] = 0;
        bool indented = *text == ' ' || *text == '\t';
        r->at = text;
        skip_blanks(r);
        if (!*r->at || *r->at == '#') continue;
        this = (struct gpudbg_error){.offset = -1};
        if (!(indented ? indented_line(r) : flush_line(r)) && !first.kind) {
            first = this;
            first.line = r->line;
        }
    }
    this = (struct gpudbg_error){.offset = -1};
    if (!finish(r) && !first.kind) {
        first = this;
        first.line = r->line - 1;
    }
    resolve(r, &first);
    free(r->wanted);
    free(r->value);
    free(r->more);
    free(r->ends);
    free(r);
    if (!first.kind) return true;
    *err = first;
    snprintf(err->file, sizeof err->file, "%s", path);
    return false;
}
