/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_scope.c: an image's debug information, opened when first asked for, and what it has in scope at an address. */
#include "image/dwarf_scope.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "image/lines.h"

#define ELF_TYPE 16 /* byte of the header; addresses of what is yet to be linked mean nothing */

struct image_debug {
    struct debug_file file;
    Dwarf *dwarf;       /* NULL: there is none */
    struct scopes last; /* that were looked up */
};

static void close_debug(void *data)
{
    struct image_debug *l = data;
    dwarf_end(l->dwarf);
    debug_close(&l->file);
    free(l);
}

static struct image_debug *debug_of(const struct gpudbg_image *image)
{
    const bool linked = image && image->size > ELF_TYPE && memcmp(image->bytes, "\177ELF", 4) == 0 &&
                        image->bytes[ELF_TYPE] != ET_REL;
    if (!linked || !image->isa || !image->isa->dwarf) return NULL;
    struct image_debug **slot = image_debug(image);
    if (!*slot) {
        alloc_watch();
        *slot = xalloc(sizeof **slot);
        image_on_close(image, close_debug, *slot);
        (*slot)->file = debug_open(image, image->bytes, image->size);
        (*slot)->dwarf = debug_dwarf(&(*slot)->file);
        if (!(*slot)->dwarf && alloc_short()) xalloc_end(); /* as libdw, which would say that there is none */
    }
    return (*slot)->dwarf ? *slot : NULL;
}

/* ---- Scopes ---- */

/* Where the prologue of a function ends: its first line that is marked so. */
static uint64_t frame_ready(const struct gpudbg_image *image, Dwarf_Die *unit, Dwarf_Die *function)
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
            return at;
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
    while (n < SCOPES && scope_within(&chain[n - 1], s->pc, &chain[n])) n++;
    for (s->n = 0; s->n < n; s->n++) s->die[s->n] = chain[n - 1 - s->n];
}

struct scopes *scopes_at(const struct gpudbg_image *image, uint64_t pc)
{
    struct image_debug *l = debug_of(image);
    Dwarf_Off at = 0, next;
    size_t header;
    if (!l || (l->last.n > 0 && l->last.pc == pc)) return l ? &l->last : NULL;
    l->last = (struct scopes){.pc = pc};
    struct scopes *s = &l->last;
    while (dwarf_nextcu(l->dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit;
        if (dwarf_offdie(l->dwarf, at + header, &unit) && dwarf_haspc(&unit, pc) == 1) {
            find_scopes(s, &unit);
            for (int i = 0; i < s->n && !s->has_function; i++)
                if (dwarf_tag(&s->die[i]) == DW_TAG_subprogram) {
                    s->function = s->die[i];
                    s->has_function = true;
                    s->ready = frame_ready(image, &unit, &s->function);
                }
            return s;
        }
        at = next;
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
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) return dwarf_dieoffset(&s->die[i]);
    }
    return 0;
}

size_t scopes_pieces(const struct gpudbg_image *image, uint64_t function, struct code_piece *piece, size_t most)
{
    struct image_debug *l = debug_of(image);
    Dwarf_Die die;
    Dwarf_Addr base, lo, hi;
    size_t n = 0;
    if (!l || !dwarf_offdie(l->dwarf, function, &die)) return 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &lo, &hi)) > 0; n++)
        if (n < most) piece[n] = (struct code_piece){lo, hi};
    return n;
}

uint64_t scopes_inlined_at(const struct gpudbg_image *image, uint64_t pc, unsigned depth)
{
    struct scopes *s = scopes_at(image, pc);
    for (int i = 0; s && i < s->n && dwarf_tag(&s->die[i]) != DW_TAG_subprogram; i++)
        if (dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine && depth-- == 0) return dwarf_dieoffset(&s->die[i]);
    return 0;
}

/* ---- Copies of functions ---- */

struct copies {
    const char *name;
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
            if (!inlined && dwarf_highpc(&die, &high) == 0) copy.end = high;
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
    struct image_debug *l = debug_of(image);
    struct copies c = {name, each, to};
    Dwarf_Off at = 0, next;
    size_t header;
    while (l && dwarf_nextcu(l->dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit;
        if (dwarf_offdie(l->dwarf, at + header, &unit)) copies_within(&c, &unit, 0);
        at = next;
    }
}

const char *scopes_inlined(const struct gpudbg_image *image, size_t i)
{
    struct image_debug *l = debug_of(image);
    Dwarf_Off at = 0, next;
    size_t header;
    while (l && dwarf_nextcu(l->dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit, die;
        Dwarf_Attribute mark;
        int more = dwarf_offdie(l->dwarf, at + header, &unit) ? dwarf_child(&unit, &die) : 1;
        for (; more == 0; more = dwarf_siblingof(&die, &die))
            if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_diename(&die) && dwarf_attr(&die, DW_AT_inline, &mark) &&
                i-- == 0)
                return dwarf_diename(&die);
        at = next;
    }
    return NULL;
}

bool scopes_type(const struct gpudbg_image *image, uint64_t offset, Dwarf_Die *die)
{
    struct image_debug *l = debug_of(image);
    return l && offset && dwarf_offdie(l->dwarf, offset, die);
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
        Dwarf_Addr low;
        Dwarf_Off die;
    } * row;
    size_t n, room;
};

static int by_low(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->die > y->die) - (x->die < y->die);
}

static void add_functions(struct functions *f, Dwarf_Die *unit)
{
    Dwarf_Die die;
    Dwarf_Addr low;
    for (int more = dwarf_child(unit, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != DW_TAG_subprogram || dwarf_lowpc(&die, &low)) continue;
        if (f->n == f->room) {
            f->room = f->room ? 2 * f->room : 64;
            f->row = xrealloc(f->row, f->room, sizeof *f->row);
        }
        f->row[f->n++] = (struct function){low, dwarf_dieoffset(&die)};
    }
}

static struct functions functions_of(Dwarf *dwarf)
{
    struct functions f = {0};
    Dwarf_Off at = 0, next;
    size_t header;
    while (dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + header, &unit)) add_functions(&f, &unit);
        at = next;
    }
    if (f.n) qsort(f.row, f.n, sizeof *f.row, by_low);
    return f;
}

static bool function_at(const struct functions *f, Dwarf *dwarf, uint64_t low, Dwarf_Die *die)
{
    size_t lo = 0, hi = f->n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (f->row[mid].low < low)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n && f->row[lo].low == low && dwarf_offdie(dwarf, f->row[lo].die, die);
}

void scopes_name_parameters(struct gpudbg_image *image)
{
    bool wanted = false;
    for (size_t k = 0; k < image->nkernels && !wanted; k++)
        wanted = image->kernels[k].nparams && !image->kernels[k].params[0].name;
    struct image_debug *l = wanted ? debug_of(image) : NULL;
    struct functions functions = l ? functions_of(l->dwarf) : (struct functions){0};
    for (size_t k = 0; k < image->nkernels; k++) {
        struct gpudbg_kernel *kernel = &image->kernels[k];
        Dwarf_Die function, die;
        const bool told = kernel->nparams && !kernel->params[0].name && l &&
                          function_at(&functions, l->dwarf, kernel->entry, &function);
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
