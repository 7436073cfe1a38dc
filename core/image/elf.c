/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elf.c: ELF through libelf: sections, symbols, notes, relocations.  libelf walks the tables; what it finds is checked
 * again against the file's size before a pointer is made of it.
 */
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "gpudbg/endian.h"
#include "image/dwarf_scope.h"
#include "image/image.h"
#include "image/lines.h"

static struct bytes file_bytes(const struct gpudbg_image *image) { return (struct bytes){image->bytes, image->size}; }

static const char *section_name(Elf *elf, size_t strings, const GElf_Shdr *sh, size_t index, char *buf, size_t size)
{
    const char *name = strings ? elf_strptr(elf, strings, sh->sh_name) : NULL;
    if (name && *name) return name;
    snprintf(buf, size, "section %zu", index);
    return buf;
}

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return align > 1 && !(align & (align - 1)) && align <= 65536 ? (value + align - 1) & ~(align - 1) : value;
}

/* The file while it is being loaded. */
struct elf_file {
    Elf *elf;
    bool relocatable;
    uint64_t *addr; /* of each section, by index */
    size_t count;
};

/* Linked files carry the addresses of their sections; those of a relocatable one are laid one after another, code
 * first, so that its .text starts at 0 as in its own listings. */
static bool lay_out(struct elf_file *f, struct gpudbg_error *err)
{
    uint64_t next = 0;
    for (int code = 1; code >= 0; code--)
        for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
            GElf_Shdr sh;
            size_t index = elf_ndxscn(scn);
            if (!gelf_getshdr(scn, &sh) || index >= f->count)
                return gpudbg_fail(err, "bad-offset", "section %zu: %s", index, elf_errmsg(-1));
            if (!!(sh.sh_flags & SHF_EXECINSTR) != code) continue;
            f->addr[index] = sh.sh_addr;
            if (sh.sh_size > UINT64_MAX - sh.sh_addr)
                return gpudbg_fail(err, "bad-offset",
                    "section %zu: address 0x%" PRIx64 " and size 0x%" PRIx64 " wrap around", index,
                    (uint64_t)sh.sh_addr, (uint64_t)sh.sh_size);
            if (!f->relocatable || !(sh.sh_flags & SHF_ALLOC)) continue;
            if (sh.sh_size > UINT32_MAX)
                return gpudbg_fail(err, "too-large", "section %zu: %" PRIu64 " bytes", index, (uint64_t)sh.sh_size);
            f->addr[index] = round_up(next, sh.sh_addralign);
            next = f->addr[index] + sh.sh_size;
        }
    return true;
}

static bool add_sections(struct gpudbg_image *image, const struct elf_file *f, struct gpudbg_error *err)
{
    size_t strings = 0;
    char buf[32];
    elf_getshdrstrndx(f->elf, &strings);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
        GElf_Shdr sh;
        struct bytes part = {NULL, 0};
        size_t index = elf_ndxscn(scn);
        if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NULL) continue;
        const char *name = section_name(f->elf, strings, &sh, index, buf, sizeof buf);
        if (sh.sh_type != SHT_NOBITS && !bytes_part(file_bytes(image), sh.sh_offset, sh.sh_size, name, &part, err))
            return false;
        uint32_t flags = 0;
        if (sh.sh_flags & SHF_ALLOC && sh.sh_size)
            flags = GPUDBG_LOADED | (sh.sh_flags & SHF_EXECINSTR ? GPUDBG_CODE_BYTES : 0) |
                    (sh.sh_flags & SHF_WRITE ? GPUDBG_WRITABLE : 0);
        gpudbg_image_section(image, name, f->addr[index], sh.sh_size, part.at, flags);
    }
    return true;
}

/* A symbol's address in the image; false if it stands nowhere. */
static bool symbol_address(const struct elf_file *f, const GElf_Sym *sym, uint64_t *addr)
{
    if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE || sym->st_shndx >= f->count) return false;
    *addr = sym->st_value + (f->relocatable ? f->addr[sym->st_shndx] : 0);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct gpudbg_symbol *x = a, *y = b;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void add_symbols(struct gpudbg_image *image, const struct elf_file *f, unsigned table)
{
    const size_t before = table == SHT_DYNSYM ? image->nsymbols : 0;
    struct gpudbg_symbol *sorted = before ? xcalloc(before, sizeof *sorted) : NULL;
    if (before) qsort(memcpy(sorted, image->symbols, before * sizeof *sorted), before, sizeof *sorted, by_place);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
        GElf_Shdr sh;
        GElf_Sym sym;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != table || !sh.sh_entsize) continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        if (!data || sh.sh_entsize < sizeof(Elf32_Sym)) continue;
        for (size_t i = 1; i < data->d_size / sh.sh_entsize && gelf_getsym(data, (int)i, &sym); i++) {
            unsigned type = GELF_ST_TYPE(sym.st_info);
            const char *name = elf_strptr(f->elf, sh.sh_link, sym.st_name);
            uint64_t addr;
            if (!name || !*name || type == STT_SECTION || type == STT_FILE || !symbol_address(f, &sym, &addr)) continue;
            /* The dynamic table repeats the other; a stripped file has it alone. */
            const struct gpudbg_symbol key = {.name = name, .addr = addr};
            if (before && bsearch(&key, sorted, before, sizeof key, by_place)) continue;
            gpudbg_image_symbol(image, name, addr, sym.st_size,
                type == STT_FUNC     ? GPUDBG_SYM_FUNCTION
                : type == STT_OBJECT ? GPUDBG_SYM_OBJECT
                : type == STT_LOOS   ? GPUDBG_SYM_KERNEL /* STT_LOOS: compilers for GPUs mark kernels so */
                                     : GPUDBG_SYM_LABEL);
        }
    }
    free(sorted);
}

bool gpudbg_elf_load(struct gpudbg_image *image, struct gpudbg_elf *info, struct gpudbg_error *err)
{
    GElf_Ehdr eh;
    struct elf_file *f = gpudbg_image_alloc(image, sizeof *f);
    elf_version(EV_CURRENT);
    /* libelf wants a writable pointer but, in files of the machine's byte order, only reads; libdw may write (lines.h).
     */
    f->elf = elf_memory((char *)(uintptr_t)image->bytes, image->size);
    *image_elf(image) = f;
    if (!f->elf || elf_kind(f->elf) != ELF_K_ELF) return gpudbg_fail(err, "not-recognised", "this is not an ELF file");
    if (!gelf_getehdr(f->elf, &eh)) return gpudbg_fail(err, "truncated", "ELF header: %s", elf_errmsg(-1));
    if (eh.e_ident[EI_DATA] != ELFDATA2LSB)
        return gpudbg_fail(err, "unsupported", "ELF byte order %u: only little endian is read", eh.e_ident[EI_DATA]);
    struct bytes table; /* libelf takes a file whose table lies outside for one without sections */
    if (!bytes_part(file_bytes(image), eh.e_shoff, (uint64_t)eh.e_shnum * eh.e_shentsize, "section table", &table, err))
        return false;
    if (elf_getshdrnum(f->elf, &f->count))
        return gpudbg_fail(err, "bad-offset", "ELF section table: %s", elf_errmsg(-1));
    f->relocatable = eh.e_type == ET_REL;
    f->addr = gpudbg_image_alloc(image, (f->count + 1) * sizeof *f->addr);
    if (!f->addr) return gpudbg_fail(err, "too-large", "%zu sections", f->count);
    *info = (struct gpudbg_elf){.type = eh.e_type,
        .machine = eh.e_machine,
        .osabi = eh.e_ident[EI_OSABI],
        .abi_version = eh.e_ident[EI_ABIVERSION],
        .flags = eh.e_flags,
        .relocatable = f->relocatable};
    if (!lay_out(f, err) || !add_sections(image, f, err)) return false;
    add_symbols(image, f, SHT_SYMTAB);
    add_symbols(image, f, SHT_DYNSYM);
    if (!f->relocatable) gpudbg_elf_lines(image, image->bytes, image->size, 0);
    return true;
}

/* ---- Debug information ---- */

static void add_lines(struct gpudbg_image *image, const uint8_t *bytes, size_t size, uint64_t base)
{
    const bool before = alloc_short();
    alloc_watch();
    struct debug_file f = debug_open(image, bytes, size);
    lines_load(image, &f, base);
    debug_close(&f);
    if (alloc_short()) image_lines_too_large(image); /* code can be read without its lines, and says so */
    errno = before ? ENOMEM : 0;
}

void gpudbg_elf_lines(struct gpudbg_image *image, const uint8_t *bytes, size_t size, uint64_t base)
{
    add_lines(image, bytes, size, base);
    scopes_add_file(image, bytes, size, base, NULL);
}

/* Applies the relocations of one table of a debug section to the copy of the file. */
static void relocate_debug(
    const struct gpudbg_dwarf *rules, const struct elf_file *f, Elf_Scn *scn, const GElf_Shdr *table, struct bytes copy)
{
    GElf_Shdr to;
    GElf_Rela rela;
    GElf_Sym sym;
    Elf_Scn *of = table->sh_info && table->sh_info < f->count ? elf_getscn(f->elf, table->sh_info) : NULL,
            *names = elf_getscn(f->elf, table->sh_link);
    Elf_Data *data = elf_getdata(scn, NULL), *symbols = names ? elf_getdata(names, NULL) : NULL;
    if (!of || !data || !symbols || !gelf_getshdr(of, &to) || to.sh_flags & (SHF_ALLOC | SHF_COMPRESSED)) return;
    for (size_t i = 0; i < data->d_size / table->sh_entsize && gelf_getrela(data, (int)i, &rela); i++) {
        const unsigned size = rules->relocated(GELF_R_TYPE(rela.r_info));
        struct gpudbg_error outside = {0};
        struct bytes section, place;
        uint64_t value;
        if (size && GELF_R_SYM(rela.r_info) <= INT32_MAX && gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym) &&
            symbol_address(f, &sym, &value) && bytes_part(copy, to.sh_offset, to.sh_size, "", &section, &outside) &&
            bytes_part(section, rela.r_offset, size, "", &place, &outside))
            le_put((uint8_t *)(uintptr_t)place.at, value + (uint64_t)rela.r_addend, size);
    }
}

/* Debug information of a relocatable file counts from its sections, so libdw gets a copy in which they have their
 * addresses, where the instruction set knows the relocations.  Where it does not, lines count from 0, and what
 * variables would say means nothing. */
void image_elf_debug(struct gpudbg_image *image)
{
    const struct elf_file *f = *image_elf(image);
    const struct gpudbg_dwarf *rules = image->isa ? image->isa->dwarf : NULL;
    if (!f || !f->relocatable || !f->elf || !f->addr) return;
    uint8_t *copy = rules && rules->relocated && image_take(image, image->size) ? malloc(image->size) : NULL;
    if (!copy) {
        add_lines(image, image->bytes, image->size, 0);
        return;
    }
    memcpy(copy, image->bytes, image->size);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
        GElf_Shdr sh;
        if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_entsize)
            relocate_debug(rules, f, scn, &sh, (struct bytes){copy, image->size});
    }
    add_lines(image, copy, image->size, 0);
    scopes_add_file(image, copy, image->size, 0, copy);
}

void image_elf_end(struct gpudbg_image *image)
{
    struct elf_file *f = *image_elf(image);
    if (f) elf_end(f->elf);
    *image_elf(image) = NULL;
}

/* ---- Notes ---- */

static bool each_note(const uint8_t *at, size_t size, gpudbg_note_fn *each, void *to, struct gpudbg_error *err)
{
    struct bytes notes = {at, size}, name, desc;
    for (uint64_t o = 0; o + 12 <= size;) {
        uint32_t namesz = bytes_u32(notes, o), descsz = bytes_u32(notes, o + 4), type = bytes_u32(notes, o + 8);
        uint64_t at_desc = o + 12 + (((uint64_t)namesz + 3) & ~UINT64_C(3));
        char owner[32] = "";
        if (!bytes_part(notes, o + 12, namesz, "note name", &name, err) ||
            !bytes_part(notes, at_desc, descsz, "note", &desc, err))
            return false;
        memcpy(owner, name.at, namesz < sizeof owner - 1 ? namesz : sizeof owner - 1);
        if (!each(to, owner, type, desc.at, descsz)) return true;
        o = at_desc + (((uint64_t)descsz + 3) & ~UINT64_C(3));
    }
    return true;
}

bool gpudbg_elf_notes(struct gpudbg_image *image, gpudbg_note_fn *each, void *to, struct gpudbg_error *err)
{
    const struct elf_file *f = *image_elf(image);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
        GElf_Shdr sh;
        struct bytes part;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE) continue;
        if (!bytes_part(file_bytes(image), sh.sh_offset, sh.sh_size, "note section", &part, err)) return false;
        if (!each_note(part.at, part.size, each, to, err)) return false;
    }
    return true;
}

/* ---- Relocations ---- */

static uint64_t symbol_value(
    struct gpudbg_image *image, const struct elf_file *f, size_t table, size_t index, uint64_t place)
{
    Elf_Scn *scn = elf_getscn(f->elf, table);
    Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
    GElf_Shdr sh;
    GElf_Sym sym;
    uint64_t addr;
    if (index == 0) return 0;
    if (!data || index > INT32_MAX || !gelf_getsym(data, (int)index, &sym)) return GPUDBG_UNDEFINED;
    if (sym.st_shndx == SHN_ABS) return sym.st_value;
    if (symbol_address(f, &sym, &addr)) return addr;
    if (sym.st_shndx != SHN_UNDEF || !gelf_getshdr(scn, &sh)) return GPUDBG_UNDEFINED;
    if (GELF_ST_BIND(sym.st_info) == STB_WEAK) return 0;
    const char *name = elf_strptr(f->elf, sh.sh_link, sym.st_name);
    return name && *name ? image_undefined(image, name, place) : GPUDBG_UNDEFINED;
}

static bool relocation(Elf_Data *data, bool explicit, int index, GElf_Rela *rela)
{
    GElf_Rel rel;
    if (explicit) return gelf_getrela(data, index, rela) != NULL;
    if (!gelf_getrel(data, index, &rel)) return false;
    *rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
    return true;
}

void gpudbg_elf_relocations(struct gpudbg_image *image, gpudbg_relocation_fn *each, void *to)
{
    const struct elf_file *f = *image_elf(image);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
        GElf_Shdr sh, target;
        GElf_Rela rela;
        if (!gelf_getshdr(scn, &sh) || (sh.sh_type != SHT_RELA && sh.sh_type != SHT_REL) || !sh.sh_entsize) continue;
        Elf_Scn *of = sh.sh_info && sh.sh_info < f->count ? elf_getscn(f->elf, sh.sh_info) : NULL;
        bool loaded = of && gelf_getshdr(of, &target) && target.sh_flags & SHF_ALLOC;
        if (f->relocatable && !loaded) continue; /* of debugging sections */
        Elf_Data *data = elf_getdata(scn, NULL);
        for (size_t i = 0;
             data && i < data->d_size / sh.sh_entsize && relocation(data, sh.sh_type == SHT_RELA, (int)i, &rela); i++) {
            uint64_t place = rela.r_offset + (f->relocatable ? f->addr[sh.sh_info] : 0);
            size_t n = 0;
            const uint8_t *there = sh.sh_type == SHT_REL ? gpudbg_image_bytes(image, place, &n) : NULL;
            if (there) rela.r_addend = (int32_t)bytes_u32((struct bytes){there, n}, 0);
            each(to, (uint32_t)GELF_R_TYPE(rela.r_info), place,
                symbol_value(image, f, sh.sh_link, GELF_R_SYM(rela.r_info), place), rela.r_addend);
        }
    }
}
