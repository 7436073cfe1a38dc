/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * registers.c: the databases of a session: what is in force, found by name and by address.  Names are kept in one table of
 * chains, whatever their case; a name of several instruction sets stands there once for each.
 */
#include "registers.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "image.h"
#include "registers_table.h"
#include "session.h"

#define BUCKETS 4096 /* a power of two */
#define FILE_MOST (64 << 20)

struct name {
    const char *text;
    struct gpudbg_reg *reg;
    struct name *next;
};

struct place {
    struct gpudbg_reg *reg;
    size_t order; /* in the files */
};

struct registers {
    struct gpudbg_image *memory; /* its arena holds all that is read */
    struct gpudbg_reg **reg;
    size_t nregs, room;
    struct register_enum **enums;
    size_t nenums, room_enums;
    struct register_packet packet[64];
    size_t npackets;
    struct name *bucket[BUCKETS];
    struct name **tail[BUCKETS]; /* where the next name of a chain goes */
    struct place *place;         /* sorted by address; NULL: to be made anew */
    size_t nplaces;
    struct gpudbg_error *problem;
    size_t nproblems, told;
    char **text;                 /* the files, cut into words */
    size_t ntexts;
};

/* ---- What the reader adds ---- */

void *registers_alloc(struct registers *r, size_t size)
{
    return gpudbg_image_alloc(r->memory, size);
}

const char *registers_string(struct registers *r, const char *text, size_t n)
{
    return gpudbg_image_string(r->memory, text, n);
}

/* Doubles an array of pointers when it is full. */
static bool room_for_one(void *array, size_t count, size_t *room)
{
    void ***items = array;
    if (count < *room)
        return true;
    size_t want = *room ? 2 * *room : 256;
    void **grown = realloc(*items, want * sizeof *grown);
    if (!grown)
        return false;
    *items = grown;
    *room = want;
    return true;
}

static unsigned bucket_of(const char *name)
{
    unsigned h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned)toupper((unsigned char)*name)) * 16777619u;
    return (h ^ h >> 15) & (BUCKETS - 1);
}

void registers_alias(struct registers *r, const char *name, struct gpudbg_reg *reg)
{
    unsigned b = bucket_of(name);
    struct name *n = registers_alloc(r, sizeof *n);
    if (!n)
        return;
    *n = (struct name){.text = name, .reg = reg};
    if (!r->tail[b])
        r->tail[b] = &r->bucket[b];
    *r->tail[b] = n;
    r->tail[b] = &n->next;
}

/* A register that another took the place of keeps its memory and forgets its isa, which takes it out of every search. */
static bool in_force(const struct gpudbg_reg *reg)
{
    return reg->isa != NULL;
}

static bool of_isa(const char *have, const char *want)
{
    return have && (!want || strcmp(have, want) == 0);
}

struct gpudbg_reg *registers_add(struct registers *r, const struct gpudbg_reg *from)
{
    struct gpudbg_reg *reg = registers_alloc(r, sizeof *reg);
    if (!reg || !room_for_one(&r->reg, r->nregs, &r->room))
        return NULL;
    for (struct name *n = r->bucket[bucket_of(from->name)]; n; n = n->next)
        if (of_isa(n->reg->isa, from->isa) && strcasecmp(n->reg->name, from->name) == 0)
            n->reg->isa = NULL;
    *reg = *from;
    r->reg[r->nregs++] = reg;
    registers_alias(r, reg->name, reg);
    free(r->place);
    r->place = NULL;
    return reg;
}

struct register_enum *registers_add_enum(struct registers *r, const struct register_enum *from)
{
    struct register_enum *e = registers_alloc(r, sizeof *e);
    if (!e || !room_for_one(&r->enums, r->nenums, &r->room_enums))
        return NULL;
    *e = *from;
    for (size_t i = 0; i < r->nenums; i++)
        if (of_isa(r->enums[i]->isa, from->isa) && strcasecmp(r->enums[i]->names.name, from->names.name) == 0)
            r->enums[i]->isa = NULL;
    r->enums[r->nenums++] = e;
    return e;
}

void registers_add_packet(struct registers *r, const struct register_packet *p)
{
    if (r->npackets < sizeof r->packet / sizeof *r->packet)
        r->packet[r->npackets++] = *p;
}

const struct register_enum *registers_find_enum(const struct registers *r, const char *isa, const char *name)
{
    for (size_t i = r->nenums; i-- > 0;)
        if (of_isa(r->enums[i]->isa, isa) && strcasecmp(r->enums[i]->names.name, name) == 0)
            return r->enums[i];
    return NULL;
}

/* ---- Reading files ---- */

static char *file_text(const char *path, size_t *n, struct gpudbg_error *err)
{
    FILE *f = fopen(path, "re");
    struct stat st;
    char *text = NULL;
    if (!f || fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))
        gpudbg_fail(err, "missing", "%s: no such file", path);
    else if (st.st_size > FILE_MOST)
        gpudbg_fail(err, "too-large", "%s: %lld bytes, at most %d", path, (long long)st.st_size, FILE_MOST);
    else if (!(text = malloc((size_t)st.st_size + 1)))
        gpudbg_fail(err, "too-large", "%s: out of memory", path);
    else {
        *n = fread(text, 1, (size_t)st.st_size, f);
        text[*n] = 0;
    }
    if (f)
        fclose(f);
    return text;
}

static bool read_file(struct registers *r, const char *path, struct gpudbg_error *err)
{
    size_t n;
    char *text = file_text(path, &n, err), **texts;
    if (!text)
        return false;
    if (!(texts = realloc(r->text, (r->ntexts + 1) * sizeof *texts))) {
        free(text);
        return gpudbg_fail(err, "too-large", "%s: out of memory", path);
    }
    r->text = texts;
    r->text[r->ntexts++] = text;
    return register_text(r, registers_string(r, path, strlen(path)), text, n, err);
}

static void add_problem(struct registers *r, const struct gpudbg_error *err)
{
    struct gpudbg_error *grown = realloc(r->problem, (r->nproblems + 1) * sizeof *grown);
    if (!grown)
        return;
    r->problem = grown;
    r->problem[r->nproblems++] = *err;
}

static int is_regs(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 5, ".regs") == 0;
}

/* Every .regs file of a folder, in the order of their names; no folder is no error. */
static void read_folder(struct registers *r, const char *folder)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, is_regs, alphasort);
    for (int i = 0; i < n; i++) {
        char path[4096];
        struct gpudbg_error err = {.offset = -1};
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (!read_file(r, path, &err))
            add_problem(r, &err);
        free(entry[i]);
    }
    free(entry);
}

struct registers *registers_of(struct gpudbg *g)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char folder[4096];
    if (g->registers)
        return g->registers;
    struct registers *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->memory = image_new("registers");
    g->registers = r;
    snprintf(folder, sizeof folder, "%s/registers", g->data ? g->data : ".");
    read_folder(r, folder);
    if (g->sealed || !((config && *config) || (home && *home)))
        return r;
    if (config && *config)
        snprintf(folder, sizeof folder, "%s/gpudbg/registers", config);
    else
        snprintf(folder, sizeof folder, "%s/.config/gpudbg/registers", home);
    read_folder(r, folder);
    return r;
}

void registers_free(struct registers *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->ntexts; i++)
        free(r->text[i]);
    free(r->text);
    free(r->reg);
    free(r->enums);
    free(r->place);
    free(r->problem);
    image_free(r->memory);
    free(r);
}

bool registers_load(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    return read_file(registers_of(g), path, err);
}

bool registers_problem(struct gpudbg *g, struct gpudbg_error *err)
{
    struct registers *r = registers_of(g);
    if (r->told == r->nproblems)
        return false;
    *err = r->problem[r->told++];
    return true;
}

void registers_report(struct gpudbg *g, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    while (registers_problem(g, &err))
        session_failed(g, &err, err.file, err.line, out);
}

/* ---- All of them ---- */

const struct gpudbg_reg *registers_each(const struct registers *r, size_t i)
{
    return i < r->nregs ? r->reg[i] : NULL;
}

const struct register_enum *registers_enum(const struct registers *r, size_t i)
{
    return i < r->nenums ? r->enums[i] : NULL;
}

/* ---- By name ---- */

/* What stands behind the prefixes that writers put in front: "block.mm", "mm", "ix", "reg", "R_00D034_". */
static const char *bare_name(const char *name)
{
    static const char *const prefixes[] = {"mm", "ix", "reg"};
    const char *dot = strrchr(name, '.');
    for (unsigned i = 0; dot && i < 3; i++)
        if (strncmp(dot + 1, prefixes[i], strlen(prefixes[i])) == 0)
            name = dot + 1;
    for (unsigned i = 0; i < 3; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    if (strncmp(name, "R_", 2) == 0) {
        size_t digits = strspn(name + 2, "0123456789abcdefABCDEF");
        if (digits >= 4 && name[2 + digits] == '_')
            return name + digits + 3;
    }
    return name;
}

/* The i-th of this very name. */
static const struct gpudbg_reg *exact(const struct registers *r, const char *isa, const char *name, size_t i)
{
    for (const struct name *n = r->bucket[bucket_of(name)]; n; n = n->next)
        if (in_force(n->reg) && of_isa(n->reg->isa, isa) && strcasecmp(n->text, name) == 0 && i-- == 0)
            return n->reg;
    return NULL;
}

/* "NAME[3]" and "NA[3]ME": the element of an array, by the name of all of it. */
static const struct gpudbg_reg *element(const struct registers *r, const char *isa, const char *name, size_t i)
{
    char whole[256], *end;
    const char *open = strchr(name, '[');
    size_t n = open ? (size_t)(open - name) : 0;
    if (!open || !isdigit((unsigned char)open[1]) || n >= sizeof whole - 1)
        return NULL;
    unsigned long index = strtoul(open + 1, &end, 0);
    if (*end != ']' || snprintf(whole, sizeof whole, "%.*s%s", (int)n, name, end + 1) >= (int)sizeof whole)
        return NULL;
    const struct gpudbg_reg *first = exact(r, isa, whole, 0);
    for (size_t k = 0; first && first->array && k < r->nregs; k++)
        if (in_force(r->reg[k]) && of_isa(r->reg[k]->isa, isa) && r->reg[k]->array && r->reg[k]->index == index &&
            strcmp(r->reg[k]->array, first->array) == 0 && i-- == 0)
            return r->reg[k];
    return NULL;
}

/* "cr0": all of cr0.0, cr0.1 and so on. */
static const struct gpudbg_reg *part(const struct registers *r, const char *isa, const char *name, size_t i)
{
    size_t n = strlen(name);
    for (size_t k = 0; n && k < r->nregs; k++)
        if (in_force(r->reg[k]) && of_isa(r->reg[k]->isa, isa) && strncasecmp(r->reg[k]->name, name, n) == 0 &&
            r->reg[k]->name[n] == '.' && i-- == 0)
            return r->reg[k];
    return NULL;
}

const struct gpudbg_reg *registers_named(struct gpudbg *g, const char *isa, const char *name, size_t i)
{
    struct registers *r = registers_of(g);
    const char *bare = bare_name(name);
    static const struct gpudbg_reg *(*const find[])(const struct registers *, const char *, const char *, size_t) = {
        exact, element, part};
    for (unsigned way = 0; way < 3; way++)
        for (unsigned stripped = 0; stripped < 2; stripped++)
            if (find[way](r, isa, stripped ? bare : name, 0))
                return find[way](r, isa, stripped ? bare : name, i);
    return NULL;
}

const char *registers_isa(struct gpudbg *g, const char *name, struct gpudbg_error *err)
{
    const struct registers *r = registers_of(g);
    const struct gpudbg_isa *isa = session_isa(g, name);
    if (isa)
        return isa->name;
    for (size_t i = 0; i < r->nregs; i++)
        if (in_force(r->reg[i]) && strcasecmp(r->reg[i]->isa, name) == 0)
            return r->reg[i]->isa;
    for (size_t i = 0; i < r->nenums; i++)
        if (r->enums[i]->isa && strcasecmp(r->enums[i]->isa, name) == 0)
            return r->enums[i]->isa;
    gpudbg_fail(err, "command", "no instruction set \"%.40s\"; see `info isa`", name);
    return NULL;
}

const struct gpudbg_reg *gpudbg_reg_named(struct gpudbg *g, const char *isa, const char *name)
{
    return registers_named(g, isa, name, 0);
}

const struct gpudbg_enum *gpudbg_enum_named(struct gpudbg *g, const char *isa, const char *name)
{
    const struct register_enum *e = registers_find_enum(registers_of(g), isa, name);
    const char *dot = strrchr(name, '.');
    char reg[256];
    if (e || !dot || (size_t)(dot - name) >= sizeof reg)
        return e ? &e->names : NULL;
    snprintf(reg, sizeof reg, "%.*s", (int)(dot - name), name);
    const struct gpudbg_reg *of = gpudbg_reg_named(g, isa, reg);
    const struct gpudbg_field *field = of ? register_field(of, dot + 1) : NULL;
    return field ? field->meaning : NULL;
}

const struct gpudbg_field *register_field(const struct gpudbg_reg *reg, const char *name)
{
    for (size_t i = 0; i < reg->format->count; i++)
        if (strcasecmp(reg->format->fields[i].name, name) == 0)
            return &reg->format->fields[i];
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
    if (x->reg->addr != y->reg->addr)
        return x->reg->addr < y->reg->addr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_places(struct registers *r)
{
    if (r->place || !(r->place = malloc((r->nregs + 1) * sizeof *r->place)))
        return;
    r->nplaces = 0;
    for (size_t i = 0; i < r->nregs; i++)
        if (in_force(r->reg[i]) && r->reg[i]->addr != GPUDBG_NOWHERE)
            r->place[r->nplaces++] = (struct place){r->reg[i], i};
    if (r->nplaces) qsort(r->place, r->nplaces, sizeof *r->place, by_place);
}

/* The i-th register at a place. */
static const struct gpudbg_reg *at(struct registers *r, const char *isa, const char *space, uint64_t addr, size_t i)
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
    for (; r->place && lo < r->nplaces && r->place[lo].reg->addr == addr; lo++) {
        const struct gpudbg_reg *reg = r->place[lo].reg;
        if (of_isa(reg->isa, isa) && strcmp(reg->space, space) == 0 && i-- == 0)
            return reg;
    }
    return NULL;
}

const struct gpudbg_reg *gpudbg_reg_at(struct gpudbg *g, const char *isa, const char *space, uint64_t addr)
{
    return at(registers_of(g), isa, space ? space : "mmio", addr, 0);
}

/* One way to read a number as a place.  PM4 offsets and dword indices exist where an isa has packets. */
struct reading {
    const char *name;
    const char *space;
};

static const struct gpudbg_reg *read_as(
    struct registers *r, const char *isa, const struct reading *way, uint64_t n, size_t i)
{
    bool index = strcmp(way->name, "dword") == 0;
    if (way->space)
        return at(r, isa, way->space, n, i);
    for (size_t p = 0; p < r->npackets; p++) {
        const struct register_packet *packet = &r->packet[p];
        uint64_t addr = index ? 4 * n : packet->first + 4 * n;
        if (!of_isa(packet->isa, isa) || (!index && strcmp(packet->name, way->name) != 0))
            continue;
        if (n <= UINT32_MAX && (index || (addr >= packet->first && addr <= packet->last)))
            return at(r, packet->isa, "mmio", addr, i);
    }
    return NULL;
}

const struct gpudbg_reg *registers_numbered(
    struct gpudbg *g, const char *isa, const char *text, size_t i, const char **as)
{
    /* Without a name the first four are tried, in this order. */
    static const struct reading ways[] = {{"byte", "mmio"}, {"dword", NULL}, {"context", NULL}, {"ix", "sq"}, {"sh", NULL},
        {"config", NULL}, {"uconfig", NULL}};
    struct registers *r = registers_of(g);
    const char *colon = strchr(text, ':');
    char *end;
    if (!isdigit((unsigned char)(colon ? colon[1] : *text)))
        return NULL;
    uint64_t n = strtoull(colon ? colon + 1 : text, &end, 0);
    if (*end)
        return NULL;
    for (unsigned w = 0; w < (colon ? 7u : 4u); w++) {
        if (colon && (strlen(ways[w].name) != (size_t)(colon - text) || strncmp(text, ways[w].name, (size_t)(colon - text)) != 0))
            continue;
        *as = ways[w].name;
        if (read_as(r, isa, &ways[w], n, 0))
            return read_as(r, isa, &ways[w], n, i);
    }
    return NULL;
}
