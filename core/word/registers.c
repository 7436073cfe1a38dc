/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * registers.c: what is in force of the databases, found by name and by address.  Names are kept in one table of
 * chains, whatever their case; a name of several instruction sets stands there once for each.
 */
#include "word/registers.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "word/registers_table.h"

#define BUCKETS 65536 /* a power of two */
#define FILE_MOST (64 << 20)
#define SAME_MOST 256                   /* registers of one name */
#define MEMORY_MOST ((size_t)256 << 20) /* what the files may take */
#define ISAS_MOST 80                    /* of all files together: a name stands once an isa in a chain */

struct name {
    const char *text;
    struct gpudbg_reg *reg;
    struct name *next;
};

struct common {
    const char *name;
    const struct gpudbg_reg *reg;
    struct common *next;
};

struct place {
    struct gpudbg_reg *reg;
    size_t order; /* in the files */
};

struct regdb {
    struct folders folders;
    const struct registry *registry;
    bool read;           /* the folders were */
    struct arena memory; /* of all that is read */
    struct gpudbg_reg **reg;
    size_t nregs, room;
    struct gpudbg_reg **parts; /* those with a dot in their names */
    size_t nparts, room_parts;
    struct register_enum **enums;
    size_t nenums, room_enums;
    const char *isa[ISAS_MOST];
    size_t nisas;
    size_t first[ISAS_MOST]; /* no register before this one is of that instruction set */
    struct register_packet packet[64];
    size_t npackets;
    struct name *bucket[BUCKETS];
    struct common *common;                      /* what several instruction sets have in common */
    struct register_enum *enum_bucket[BUCKETS]; /* newest first */
    struct place *place;                        /* sorted by address; NULL: to be made anew */
    size_t nplaces;
    struct gpudbg_error *problem;
    size_t nproblems, told;
    char **text; /* the files, cut into words */
    size_t ntexts;
};

/* ---- What the reader adds ---- */

void *registers_alloc(struct regdb *r, size_t size) { return arena_alloc(&r->memory, size); }

const char *registers_string(struct regdb *r, const char *text, size_t n)
{
    const char *copy = arena_string(&r->memory, text, n);
    return copy ? copy : "?";
}

const char *registers_add_isa(struct regdb *r, const char *name)
{
    for (size_t i = 0; i < r->nisas; i++)
        if (strcmp(r->isa[i], name) == 0) return r->isa[i];
    return r->nisas < ISAS_MOST ? r->isa[r->nisas++] = name : NULL;
}

/* Doubles an array of pointers when it is full. */
static bool room_for_one(void *array, size_t count, size_t *room)
{
    void ***items = array;
    if (count < *room) return true;
    size_t want = *room ? 2 * *room : 256;
    *items = xrealloc(*items, want, sizeof **items);
    *room = want;
    return true;
}

static unsigned bucket_of(const char *name)
{
    unsigned h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned)toupper((unsigned char)*name)) * 16777619u;
    return (h ^ h >> 15) & (BUCKETS - 1);
}

/* A register that another took the place of keeps its memory and forgets its isa, which takes it out of every search.
 */
static bool in_force(const struct gpudbg_reg *reg) { return reg->isa != NULL; }

static bool of_isa(const char *have, const char *want) { return have && (!want || strcmp(have, want) == 0); }

bool registers_alias(struct regdb *r, const char *name, struct gpudbg_reg *reg)
{
    struct name **at = &r->bucket[bucket_of(name)], *n = registers_alloc(r, sizeof *n);
    unsigned same = 0;
    while (*at) { /* names of what is no longer in force are taken out on the way, so that chains stay short */
        if (!in_force((*at)->reg)) {
            *at = (*at)->next;
            continue;
        }
        same += strcasecmp((*at)->text, name) == 0;
        at = &(*at)->next;
    }
    if (!n || same >= SAME_MOST) return false;
    *n = (struct name){.text = name, .reg = reg};
    *at = n;
    return true;
}

struct gpudbg_reg *registers_add(struct regdb *r, const struct gpudbg_reg *from)
{
    struct gpudbg_reg *reg = registers_alloc(r, sizeof *reg);
    if (!reg || !room_for_one(&r->reg, r->nregs, &r->room)) return NULL;
    for (struct name *n = r->bucket[bucket_of(from->name)]; n; n = n->next)
        if (of_isa(n->reg->isa, from->isa) && strcasecmp(n->reg->name, from->name) == 0) n->reg->isa = NULL;
    *reg = *from;
    r->reg[r->nregs++] = reg;
    if (strchr(reg->name, '.') && room_for_one(&r->parts, r->nparts, &r->room_parts)) r->parts[r->nparts++] = reg;
    registers_alias(r, reg->name, reg);
    free(r->place);
    r->place = NULL;
    return reg;
}

struct register_enum *registers_add_enum(struct regdb *r, const struct register_enum *from)
{
    struct register_enum *e = registers_alloc(r, sizeof *e), **at = &r->enum_bucket[bucket_of(from->names.name)],
                         **newest = at;
    if (!e || !room_for_one(&r->enums, r->nenums, &r->room_enums)) return NULL;
    for (; *at; at = &(*at)->before)
        if (of_isa((*at)->isa, from->isa) && strcasecmp((*at)->names.name, from->names.name) == 0) {
            (*at)->isa = NULL;
            *at = (*at)->before;
            break;
        }
    *e = *from;
    e->before = *newest;
    *newest = e;
    r->enums[r->nenums++] = e;
    return e;
}

void registers_add_packet(struct regdb *r, const struct register_packet *p)
{
    if (r->npackets < sizeof r->packet / sizeof *r->packet) r->packet[r->npackets++] = *p;
}

const struct register_enum *registers_find_enum(struct regdb *r, const char *isa, const char *name)
{
    regdb_read(r);
    for (const struct register_enum *e = r->enum_bucket[bucket_of(name)]; e; e = e->before)
        if (of_isa(e->isa, isa) && strcasecmp(e->names.name, name) == 0) return e;
    return NULL;
}

const struct gpudbg_reg *registers_kept(const struct regdb *r, const char *isas, const char *name)
{
    for (const struct common *c = r->common; c; c = c->next)
        if (strcmp(c->name, name) == 0 && strcmp(c->reg->isa, isas) == 0) return c->reg;
    return NULL;
}

void registers_keep(struct regdb *r, const struct gpudbg_reg *reg, const char *name)
{
    struct common *c = registers_alloc(r, sizeof *c);
    if (!c) return;
    *c = (struct common){registers_string(r, name, strlen(name)), reg, r->common};
    r->common = c;
}

/* ---- Reading files ---- */

static char *file_text(const char *path, size_t *n, struct gpudbg_error *err)
{
    return text_named(path, FILE_MOST, n, err);
}

static bool read_file(struct regdb *r, const char *path, struct gpudbg_error *err)
{
    size_t n;
    char *text = file_text(path, &n, err), **texts;
    if (!text) return false;
    r->text = texts = xrealloc(r->text, r->ntexts + 1, sizeof *texts);
    r->text[r->ntexts++] = text;
    return register_text(r, registers_string(r, path, strlen(path)), text, n, err);
}

static void add_problem(struct regdb *r, const struct gpudbg_error *err)
{
    r->problem = xrealloc(r->problem, r->nproblems + 1, sizeof *r->problem);
    r->problem[r->nproblems++] = *err;
}

static int is_regs(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 5, ".regs") == 0;
}

/* Every .regs file of a folder, in the order of their names; no folder is no error. */
static void read_folder(struct regdb *r, const char *folder)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, is_regs, alphasort);
    if (n < 0 && errno != ENOENT && errno != ENOTDIR) {
        struct gpudbg_error err = {.offset = -1};
        gpudbg_fail(&err, errno == ENOMEM ? "memory" : "io", "%.400s: %s", folder, strerror(errno));
        add_problem(r, &err);
    }
    for (int i = 0; i < n; i++) {
        char path[4096];
        struct gpudbg_error err = {.offset = -1};
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (!read_file(r, path, &err)) add_problem(r, &err);
        free(entry[i]);
    }
    free(entry);
}

struct regdb *regdb_open(const struct folders *folders, const struct registry *registry)
{
    struct regdb *r = xalloc(sizeof *r);
    r->folders = *folders;
    r->registry = registry;
    r->memory.most = MEMORY_MOST;
    return r;
}

void regdb_read(struct regdb *r)
{
    if (r->read) return;
    r->read = true;
    for (unsigned i = 0; i < r->folders.n; i++) read_folder(r, r->folders.path[i]);
}

void regdb_close(struct regdb *r)
{
    if (!r) return;
    for (size_t i = 0; i < r->ntexts; i++) free(r->text[i]);
    free(r->text);
    free(r->reg);
    free(r->parts);
    free(r->enums);
    free(r->place);
    free(r->problem);
    arena_free(&r->memory);
    free(r);
}

bool registers_load(struct regdb *r, const char *path, struct gpudbg_error *err)
{
    regdb_read(r);
    r->common = NULL; /* it may define them anew */
    return read_file(r, path, err);
}

bool registers_problem(struct regdb *r, struct gpudbg_error *err)
{
    if (!r->read) return false;
    if (r->told == r->nproblems) return false;
    *err = r->problem[r->told++];
    return true;
}

/* ---- All of them ---- */

const struct gpudbg_reg *registers_each(struct regdb *r, size_t i)
{
    regdb_read(r);
    return i < r->nregs ? r->reg[i] : NULL;
}

bool registers_any(struct regdb *r, const char *isa)
{
    regdb_read(r);
    for (size_t k = 0; isa && k < r->nisas; k++) {
        if (strcmp(r->isa[k], isa) != 0) continue;
        while (r->first[k] < r->nregs && !(in_force(r->reg[r->first[k]]) && strcmp(r->reg[r->first[k]]->isa, isa) == 0))
            r->first[k]++;
        return r->first[k] < r->nregs;
    }
    return false;
}

const struct register_enum *registers_enum(struct regdb *r, size_t i)
{
    regdb_read(r);
    return i < r->nenums ? r->enums[i] : NULL;
}

/* ---- By name ---- */

/* What stands behind the prefixes that writers put in front: "block.mm", "mm", "ix", "reg", "R_00D034_". */
static const char *bare_name(const char *name)
{
    static const char *const prefixes[] = {"mm", "ix", "reg"};
    const char *dot = strrchr(name, '.');
    for (unsigned i = 0; dot && i < 3; i++)
        if (strncmp(dot + 1, prefixes[i], strlen(prefixes[i])) == 0) name = dot + 1;
    for (unsigned i = 0; i < 3; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return name + strlen(prefixes[i]);
    if (strncmp(name, "R_", 2) == 0) {
        size_t digits = strspn(name + 2, "0123456789abcdefABCDEF");
        if (digits >= 4 && name[2 + digits] == '_') return name + digits + 3;
    }
    return name;
}

/* This very name. */
static const struct gpudbg_reg *exact(const struct regdb *r, struct register_search *s, const char *name)
{
    const struct name *n = s->found ? s->name : r->bucket[bucket_of(name)];
    for (; n; n = n->next)
        if (in_force(n->reg) && of_isa(n->reg->isa, s->isa) && strcasecmp(n->text, name) == 0) {
            s->name = n->next;
            return n->reg;
        }
    s->name = NULL;
    return NULL;
}

size_t registers_array_name(char *to, size_t size, const char *pattern)
{
    size_t n = 0;
    bool inside = false;
    for (const char *p = pattern; *p && n < size - 1; p++) {
        inside |= *p == '[';
        if (!inside && !(*p == '_' && n && to[n - 1] == '_')) to[n++] = *p;
        inside &= *p != ']';
    }
    while (n && to[n - 1] == '_') n--;
    to[n] = 0;
    return n;
}

/* "NAME[3]" and "NA[3]ME": the element of an array, by the name of all of it. */
static const struct gpudbg_reg *element(const struct regdb *r, struct register_search *s, const char *name)
{
    char whole[256], *end;
    const char *open = strchr(name, '[');
    if (!open || !isdigit((unsigned char)open[1])) return NULL;
    unsigned long index = strtoul(open + 1, &end, 0);
    if (*end != ']') return NULL;
    registers_array_name(whole, sizeof whole, name);
    const struct gpudbg_reg *first = exact(r, &(struct register_search){.isa = s->isa}, whole);
    while (first && first->array && s->next < r->nregs) {
        const struct gpudbg_reg *reg = r->reg[s->next++];
        if (in_force(reg) && of_isa(reg->isa, s->isa) && reg->array && reg->index == index &&
            strcmp(reg->array, first->array) == 0)
            return reg;
    }
    return NULL;
}

/* "cr0": all of cr0.0, cr0.1 and so on. */
static const struct gpudbg_reg *part(const struct regdb *r, struct register_search *s, const char *name)
{
    size_t n = strlen(name);
    while (n && s->next < r->nparts) {
        const struct gpudbg_reg *reg = r->parts[s->next++];
        if (in_force(reg) && of_isa(reg->isa, s->isa) && strncasecmp(reg->name, name, n) == 0 && reg->name[n] == '.')
            return reg;
    }
    return NULL;
}

const char *registers_isa(struct regdb *r, const char *name, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = registry_isa_named(r->registry, name);
    regdb_read(r);
    if (isa) return isa->name;
    for (size_t i = 0; i < r->nisas; i++)
        if (strcasecmp(r->isa[i], name) == 0) return r->isa[i];
    isa = registry_isa_asked(r->registry, name, err); /* the name of a chip */
    return isa ? isa->name : NULL;
}

/* Names are looked for whole, then as elements, then as what has parts, each with its prefix and without. */
enum { NAME_WAYS = 6 };

static const struct gpudbg_reg *named(const struct regdb *r, struct register_search *s)
{
    static const struct gpudbg_reg *(*const find[])(const struct regdb *, struct register_search *, const char *) = {
        exact, element, part};
    const struct gpudbg_reg *reg;
    for (; s->way < NAME_WAYS; s->way++, s->next = 0) {
        if ((reg = find[s->way / 2](r, s, s->way & 1 ? bare_name(s->text) : s->text))) s->found = true;
        if (s->found) return reg;
    }
    return NULL;
}

const struct gpudbg_reg *gpudbg_reg_named(struct regdb *r, const char *isa, const char *name)
{
    regdb_read(r);
    return named(r, &(struct register_search){.isa = isa, .text = name});
}

const struct gpudbg_enum *gpudbg_enum_named(struct regdb *r, const char *isa, const char *name)
{
    const struct register_enum *e = registers_find_enum(r, isa, name);
    const char *dot = strrchr(name, '.');
    char reg[256];
    if (e || !dot || (size_t)(dot - name) >= sizeof reg) return e ? &e->names : NULL;
    snprintf(reg, sizeof reg, "%.*s", (int)(dot - name), name);
    const struct gpudbg_reg *of = gpudbg_reg_named(r, isa, reg);
    const struct gpudbg_field *field = of ? register_field(of, dot + 1) : NULL;
    return field ? field->meaning : NULL;
}

const struct gpudbg_field *register_field(const struct gpudbg_reg *reg, const char *name)
{
    for (size_t i = 0; i < reg->format->count; i++)
        if (strcasecmp(reg->format->fields[i].name, name) == 0) return &reg->format->fields[i];
    return NULL;
}

bool register_differs(const struct gpudbg_reg *reg, uint64_t value)
{
    return ((value ^ reg->reset) & reg->reset_mask) != 0;
}

/* ---- By address ---- */

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->reg->addr != y->reg->addr) return x->reg->addr < y->reg->addr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_places(struct regdb *r)
{
    if (r->place) return;
    r->place = xcalloc(r->nregs + 1, sizeof *r->place);
    r->nplaces = 0;
    for (size_t i = 0; i < r->nregs; i++)
        if (in_force(r->reg[i]) && r->reg[i]->addr != GPUDBG_NOWHERE)
            r->place[r->nplaces++] = (struct place){r->reg[i], i};
    if (r->nplaces) qsort(r->place, r->nplaces, sizeof *r->place, by_place);
}

/* The first of the places at an address or behind it; nplaces: none. */
static size_t first_place(struct regdb *r, uint64_t addr)
{
    size_t lo = 0, hi;
    sort_places(r);
    for (hi = r->place ? r->nplaces : 0; lo < hi;) {
        size_t middle = lo + (hi - lo) / 2;
        if (r->place[middle].reg->addr < addr)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static const struct gpudbg_reg *at(
    struct regdb *r, struct register_search *s, const char *isa, const char *space, uint64_t addr)
{
    if (!s->found) s->next = first_place(r, addr);
    while (r->place && s->next < r->nplaces && r->place[s->next].reg->addr == addr) {
        const struct gpudbg_reg *reg = r->place[s->next++].reg;
        if (of_isa(reg->isa, isa) && strcmp(reg->space, space) == 0) return reg;
    }
    return NULL;
}

const struct gpudbg_reg *gpudbg_reg_at(struct regdb *r, const char *isa, const char *space, uint64_t addr)
{
    regdb_read(r);
    return at(r, &(struct register_search){0}, isa, space ? space : "mmio", addr);
}

/* One way to read a number as a place.  PM4 offsets and dword indices exist where an isa has packets. */
struct reading {
    const char *name;
    const char *space;
};

static const struct gpudbg_reg *read_as(
    struct regdb *r, struct register_search *s, const struct reading *way, uint64_t n)
{
    bool index = strcmp(way->name, "dword") == 0;
    if (way->space) return at(r, s, s->isa, way->space, n);
    for (size_t p = 0; p < r->npackets; p++) {
        const struct register_packet *packet = &r->packet[p];
        uint64_t addr = index ? 4 * n : packet->first + 4 * n;
        if (!of_isa(packet->isa, s->isa) || (!index && strcmp(packet->name, way->name) != 0)) continue;
        if (n <= UINT32_MAX && (index || (addr >= packet->first && addr <= packet->last)))
            return at(r, s, packet->isa, "mmio", addr);
    }
    return NULL;
}

static const struct gpudbg_reg *numbered(struct regdb *r, struct register_search *s)
{
    /* Without a name the first four are tried, in this order. */
    static const struct reading ways[] = {{"byte", "mmio"}, {"dword", NULL}, {"context", NULL}, {"ix", "sq"},
        {"sh", NULL}, {"config", NULL}, {"uconfig", NULL}};
    const char *colon = strchr(s->text, ':');
    const struct gpudbg_reg *reg;
    char *end;
    if (!isdigit((unsigned char)(colon ? colon[1] : *s->text))) return NULL;
    uint64_t n = strtoull(colon ? colon + 1 : s->text, &end, 0);
    if (*end) return NULL;
    for (; s->way < NAME_WAYS + (colon ? 7u : 4u); s->way++) {
        const struct reading *way = &ways[s->way - NAME_WAYS];
        size_t len = strlen(way->name);
        if (colon && (len != (size_t)(colon - s->text) || strncmp(s->text, way->name, len) != 0)) continue;
        if ((reg = read_as(r, s, way, n))) s->found = true;
        if (s->found) return reg;
    }
    return NULL;
}

const struct gpudbg_reg *registers_next(struct regdb *r, struct register_search *s)
{
    regdb_read(r);
    const struct gpudbg_reg *reg = named(r, s);
    return reg || s->way < NAME_WAYS ? reg : numbered(r, s);
}
