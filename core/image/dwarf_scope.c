/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_scope.c: an image's debug information, opened when first asked for, and what it has in scope at an address. */
#include "image/dwarf_scope.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "image/lines.h"

/* Numbers that stand for entries of debug information: the file's place above, the offset in it below. */
#define PART_SHIFT 40

/* A file of debug information: the image's own, or one that it carries for a kernel. */
struct part {
    const uint8_t *bytes;
    size_t size;
    uint64_t base; /* of its addresses in the image */
    void *owned;   /* the bytes, where they are a copy */
    bool opened;
    struct debug_file file;
    Dwarf *dwarf; /* NULL: there is none */
};

struct image_debug {
    struct part *part;
    size_t nparts;
    struct scopes last; /* that were looked up */
};

static void close_debug(void *data)
{
    struct image_debug *l = data;
    for (size_t i = 0; i < l->nparts; i++) {
        dwarf_end(l->part[i].dwarf);
        debug_close(&l->part[i].file);
        free(l->part[i].owned);
    }
    free(l->part);
    free(l);
}

void scopes_add_file(struct gpudbg_image *image, const uint8_t *bytes, size_t size, uint64_t base, void *owned)
{
    struct image_debug **slot = image_debug(image);
    alloc_watch();
    if (!*slot) {
        *slot = xalloc(sizeof **slot);
        image_on_close(image, close_debug, *slot);
    }
    struct image_debug *l = *slot;
    l->part = xrealloc(l->part, l->nparts + 1, sizeof *l->part);
    l->part[l->nparts++] = (struct part){.bytes = bytes, .size = size, .base = base, .owned = owned};
}

static struct image_debug *debug_of(const struct gpudbg_image *image)
{
    return image && image->isa && image->isa->dwarf ? *image_debug(image) : NULL;
}

/* The next file that has debug information, from number *i on; NULL: no more. */
static struct part *next_part(const struct gpudbg_image *image, struct image_debug *l, size_t *i)
{
    while (l && *i < l->nparts) {
        struct part *p = &l->part[(*i)++];
        if (!p->opened) {
            alloc_watch();
            p->opened = true;
            p->file = debug_open(image, p->bytes, p->size);
            p->dwarf = debug_dwarf(&p->file);
            if (!p->dwarf && alloc_short()) xalloc_end(); /* as libdw, which would say that there is none */
        }
        if (p->dwarf) return p;
    }
    return NULL;
}

/* The next unit of a file from *at on; *at: where to go on.  libdw says of a unit that is not there, and of one that it
 * has no memory for, the same. */
static bool unit_at(Dwarf *dwarf, Dwarf_Off *at, Dwarf_Die *unit)
{
    Dwarf_Off next;
    size_t header;
    bool found = false;
    alloc_watch();
    while (!found && dwarf_nextcu(dwarf, *at, &next, &header, NULL, NULL, NULL) == 0 && next > *at) {
        found = dwarf_offdie(dwarf, *at + header, unit);
        *at = next;
    }
    if (!found && alloc_short()) xalloc_end();
    return found;
}

/* The next unit of all files; *at: where to go on, {0} at first. */
struct unit_walk {
    struct part *part;
    size_t next_part;
    Dwarf_Off at;
};

static bool next_unit(const struct gpudbg_image *image, struct image_debug *l, struct unit_walk *w, Dwarf_Die *unit)
{
    for (;; w->part = NULL) {
        if (!w->part && !(w->part = next_part(image, l, &w->next_part))) return false;
        if (unit_at(w->part->dwarf, &w->at, unit)) return true;
        w->at = 0;
    }
}

/* The entry that such a number stands for, and its file; NULL: there is none. */
static struct part *numbered(const struct gpudbg_image *image, uint64_t number, Dwarf_Die *die)
{
    struct image_debug *l = debug_of(image);
    size_t i = number >> PART_SHIFT;
    struct part *p = l && number && i < l->nparts ? next_part(image, l, &i) : NULL;
    return p && i == (number >> PART_SHIFT) + 1 &&
                   dwarf_offdie(p->dwarf, number & ((UINT64_C(1) << PART_SHIFT) - 1), die)
               ? p
               : NULL;
}

uint64_t scopes_number(const struct gpudbg_image *image, Dwarf_Die *die)
{
    const struct image_debug *l = debug_of(image);
    const Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
    for (size_t i = 0; l && i < l->nparts; i++)
        if (l->part[i].dwarf == dwarf) return (uint64_t)i << PART_SHIFT | dwarf_dieoffset(die);
    return 0;
}

/* ---- Scopes ---- */

/* Where the prologue of a function ends: its first line that is marked so. */
static uint64_t frame_ready(const struct gpudbg_image *image, uint64_t base, Dwarf_Die *unit, Dwarf_Die *function)
{
    Dwarf_Lines *lines;
    Dwarf_Addr low, high, at;
    size_t n;
    bool ends;
    if (image_lines_left_out(image)) return 0; /* libdw would read them all */
    if (dwarf_lowpc(function, &low) || dwarf_highpc(function, &high) || dwarf_getsrclines(unit, &lines, &n)) return 0;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        if (dwarf_lineaddr(row, &at) == 0 && at >= low && at < high && dwarf_lineprologueend(row, &ends) == 0 && ends)
            return at + base;
    }
    return 0;
}

/* The scope within that holds pc. */
static bool scope_within(Dwarf_Die *scope, uint64_t pc, Dwarf_Die *inner)
{
    for (int more = dwarf_child(scope, inner); more == 0; more = dwarf_siblingof(inner, inner)) {
        const int tag = dwarf_tag(inner);
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
            dwarf_haspc(inner, pc) == 1)
            return true;
    }
    return false;
}

static void find_scopes(struct scopes *s, Dwarf_Die *unit)
{
    Dwarf_Die chain[SCOPES] = {*unit};
    int n = 1;
    while (n < SCOPES && scope_within(&chain[n - 1], s->pc - s->base, &chain[n])) n++;
    for (s->n = 0; s->n < n; s->n++) s->die[s->n] = chain[n - 1 - s->n];
}

struct scopes *scopes_at(const struct gpudbg_image *image, uint64_t pc)
{
    struct image_debug *l = debug_of(image);
    struct unit_walk w = {0};
    Dwarf_Die unit;
    if (!l || (l->last.n > 0 && l->last.pc == pc)) return l ? &l->last : NULL;
    l->last = (struct scopes){.pc = pc};
    struct scopes *s = &l->last;
    while (next_unit(image, l, &w, &unit)) {
        s->base = w.part->base;
        if (pc < s->base || dwarf_haspc(&unit, pc - s->base) != 1) continue;
        find_scopes(s, &unit);
        for (int i = 0; i < s->n && !s->has_function; i++)
            if (dwarf_tag(&s->die[i]) == DW_TAG_subprogram) {
                s->function = s->die[i];
                s->has_function = true;
                s->ready = frame_ready(image, s->base, &unit, &s->function);
            }
        return s;
    }
    return NULL;
}

int scopes_around(struct scopes *s, int i)
{
    return dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine && i + 1 < s->n ? s->n - 1 : i + 1;
}

uint64_t scopes_function(const struct gpudbg_image *image, uint64_t pc)
{
    struct scopes *s = scopes_at(image, pc);
    for (int i = 0; s && i < s->n; i++) {
        const int tag = dwarf_tag(&s->die[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) return scopes_number(image, &s->die[i]);
    }
    return 0;
}

size_t scopes_pieces(const struct gpudbg_image *image, uint64_t function, struct code_piece *piece, size_t most)
{
    Dwarf_Die die;
    Dwarf_Addr base, lo, hi;
    size_t n = 0;
    const struct part *p = numbered(image, function, &die);
    if (!p) return 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &lo, &hi)) > 0; n++)
        if (n < most) piece[n] = (struct code_piece){lo + p->base, hi + p->base};
    return n;
}

uint64_t scopes_inlined_at(const struct gpudbg_image *image, uint64_t pc, unsigned depth)
{
    struct scopes *s = scopes_at(image, pc);
    for (int i = 0; s && i < s->n && dwarf_tag(&s->die[i]) != DW_TAG_subprogram; i++)
        if (dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine && depth-- == 0) return scopes_number(image, &s->die[i]);
    return 0;
}

/* ---- Copies of functions ---- */

struct copies {
    const char *name;
    uint64_t base; /* of the file's addresses */
    void (*each)(void *to, const struct function_copy *);
    void *to;
};

static bool is_named(Dwarf_Die *die, const char *name)
{
    Dwarf_Attribute at;
    const char *its = dwarf_diename(die),
               *symbol = dwarf_attr_integrate(die, DW_AT_linkage_name, &at) ? dwarf_formstring(&at) : NULL;
    return (its && strcmp(its, name) == 0) || (symbol && strcmp(symbol, name) == 0);
}

/* The address where a copy begins: DW_AT_entry_pc or DW_AT_low_pc, else its first range (DWARF 5, 2.18). */
static bool copy_entry(Dwarf_Die *die, Dwarf_Addr *entry)
{
    Dwarf_Attribute at;
    Dwarf_Word behind;
    Dwarf_Addr base, start, end;
    const bool has = dwarf_attr(die, DW_AT_entry_pc, &at), ranges = dwarf_ranges(die, 0, &base, &start, &end) > 0;
    if (has && dwarf_formaddr(&at, entry) == 0) return true;
    if (dwarf_lowpc(die, &base) == 0)
        *entry = base;
    else if (ranges)
        *entry = start;
    else
        return false;
    if (has && dwarf_formudata(&at, &behind) == 0) *entry += behind; /* a constant counts from there */
    return true;
}

static void copies_within(struct copies *c, Dwarf_Die *scope, int depth)
{
    Dwarf_Die die;
    for (int more = dwarf_child(scope, &die); more == 0 && depth < SCOPES; more = dwarf_siblingof(&die, &die)) {
        const int tag = dwarf_tag(&die);
        const bool inlined = tag == DW_TAG_inlined_subroutine;
        struct function_copy copy = {.inlined = inlined};
        Dwarf_Addr high;
        if ((inlined || tag == DW_TAG_subprogram) && is_named(&die, c->name) && copy_entry(&die, &copy.entry)) {
            copy.entry += c->base;
            if (!inlined && dwarf_highpc(&die, &high) == 0) copy.end = high + c->base;
            c->each(c->to, &copy);
        }
        if (inlined || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
            tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
            copies_within(c, &die, depth + 1);
    }
}

void scopes_each_copy(
    const struct gpudbg_image *image, const char *name, void (*each)(void *to, const struct function_copy *), void *to)
{
    struct copies c = {.name = name, .each = each, .to = to};
    struct unit_walk w = {0};
    Dwarf_Die unit;
    while (next_unit(image, debug_of(image), &w, &unit)) {
        c.base = w.part->base;
        copies_within(&c, &unit, 0);
    }
}

const char *scopes_inlined(const struct gpudbg_image *image, size_t i)
{
    struct unit_walk w = {0};
    Dwarf_Die unit, die;
    Dwarf_Attribute mark;
    while (next_unit(image, debug_of(image), &w, &unit))
        for (int more = dwarf_child(&unit, &die); more == 0; more = dwarf_siblingof(&die, &die))
            if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_diename(&die) && dwarf_attr(&die, DW_AT_inline, &mark) &&
                i-- == 0)
                return dwarf_diename(&die);
    return NULL;
}

bool scopes_type(const struct gpudbg_image *image, uint64_t number, Dwarf_Die *die)
{
    return numbered(image, number, die) != NULL;
}

bool scopes_type_named(struct scopes *s, const char *name, size_t len, Dwarf_Die *die)
{
    if (!s->n) return false;
    for (int more = dwarf_child(&s->die[s->n - 1], die); more == 0; more = dwarf_siblingof(die, die)) {
        const int tag = dwarf_tag(die);
        const char *its = dwarf_diename(die);
        if ((tag == DW_TAG_typedef || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
                tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type) &&
            its && strlen(its) == len && memcmp(its, name, len) == 0)
            return true;
    }
    return false;
}

bool die_next_variable(Dwarf_Die *scope, Dwarf_Die *die, bool first)
{
    int more = first ? dwarf_child(scope, die) : dwarf_siblingof(die, die);
    for (; more == 0; more = dwarf_siblingof(die, die))
        if ((dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter) && dwarf_diename(die))
            return true;
    return false;
}

/* ---- Names of parameters ---- */

/* Functions by the address of their first instruction: a file may have tens of thousands. */
struct functions {
    struct function {
        uint64_t low, die;
    } * row;
    size_t n, room;
};

static int by_low(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->die > y->die) - (x->die < y->die);
}

static void add_functions(const struct gpudbg_image *image, struct functions *f, uint64_t base, Dwarf_Die *unit)
{
    Dwarf_Die die;
    Dwarf_Addr low;
    for (int more = dwarf_child(unit, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != DW_TAG_subprogram || dwarf_lowpc(&die, &low)) continue;
        if (f->n == f->room) {
            f->room = f->room ? 2 * f->room : 64;
            f->row = xrealloc(f->row, f->room, sizeof *f->row);
        }
        f->row[f->n++] = (struct function){low + base, scopes_number(image, &die)};
    }
}

static struct functions functions_of(const struct gpudbg_image *image)
{
    struct functions f = {0};
    struct unit_walk w = {0};
    Dwarf_Die unit;
    while (next_unit(image, debug_of(image), &w, &unit)) add_functions(image, &f, w.part->base, &unit);
    if (f.n) qsort(f.row, f.n, sizeof *f.row, by_low);
    return f;
}

void scopes_add_functions(struct gpudbg_image *image)
{
    struct image_debug *l = debug_of(image);
    for (size_t i = 0; l && i < l->nparts;) {
        struct part *p = next_part(image, l, &i);
        Dwarf_Off at = 0;
        Dwarf_Die unit;
        if (!p) break;
        while (p->bytes != image->bytes && !p->owned && unit_at(p->dwarf, &at, &unit)) {
            Dwarf_Die die;
            Dwarf_Addr low, high;
            int more = dwarf_child(&unit, &die);
            for (; more == 0; more = dwarf_siblingof(&die, &die))
                if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_diename(&die) && !dwarf_lowpc(&die, &low) &&
                    !dwarf_highpc(&die, &high) && low && high > low)
                    gpudbg_image_symbol(image,
                        gpudbg_image_string(image, dwarf_diename(&die), strlen(dwarf_diename(&die))), low + p->base,
                        high - low, GPUDBG_SYM_FUNCTION);
        }
    }
}

static bool function_at(const struct gpudbg_image *image, const struct functions *f, uint64_t low, Dwarf_Die *die)
{
    size_t lo = 0, hi = f->n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (f->row[mid].low < low)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n && f->row[lo].low == low && numbered(image, f->row[lo].die, die);
}

void scopes_name_parameters(struct gpudbg_image *image)
{
    bool wanted = false;
    for (size_t k = 0; k < image->nkernels && !wanted; k++)
        wanted = image->kernels[k].nparams && !image->kernels[k].params[0].name;
    struct functions functions = wanted ? functions_of(image) : (struct functions){0};
    for (size_t k = 0; k < image->nkernels; k++) {
        struct gpudbg_kernel *kernel = &image->kernels[k];
        Dwarf_Die function, die;
        const bool told = kernel->nparams && !kernel->params[0].name &&
                          function_at(image, &functions, kernel->entry, &function);
        size_t n = 0;
        for (bool first = true; told && die_next_variable(&function, &die, first); first = false) {
            if (dwarf_tag(&die) != DW_TAG_formal_parameter) continue;
            if (n < kernel->nparams && kernel->params[n].kind != GPUDBG_PARAM_HIDDEN && !kernel->params[n].name)
                kernel->params[n].name = gpudbg_image_string(image, dwarf_diename(&die), strlen(dwarf_diename(&die)));
            n++;
        }
    }
    free(functions.row);
}
