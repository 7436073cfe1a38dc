/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image/lines.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "image/image.h"

#define LINES_MOST ((size_t)4 << 20)

static uint16_t flags_of(Dwarf_Line *row)
{
    bool statement = true, ready = false;
    dwarf_linebeginstatement(row, &statement);
    dwarf_lineprologueend(row, &ready);
    return (uint16_t)((statement ? 0 : GPUDBG_LINE_INSIDE) | (ready ? GPUDBG_LINE_READY : 0));
}

static void add_rows(struct gpudbg_image *image, Dwarf_Lines *lines, size_t n, uint64_t base)
{
    for (size_t i = 0; i < n && image->nlines < LINES_MOST; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Addr addr;
        bool end = false;
        int line = 0, column = 0;
        if (!row || dwarf_lineaddr(row, &addr)) continue;
        addr += base;
        dwarf_lineendsequence(row, &end);
        if (end) {
            gpudbg_image_add_line(image, addr, NULL, 0, 0);
            continue;
        }
        const char *file = dwarf_linesrc(row, NULL, NULL);
        dwarf_lineno(row, &line);
        dwarf_linecol(row, &column);
        if (!file || line <= 0) continue;
        gpudbg_image_add_line(image, addr, file, (uint32_t)line, (uint32_t)column);
        image->lines[image->nlines - 1].flags = flags_of(row);
    }
}

/* ---- Files ---- */

#define COPY_MOST ((size_t)512 << 20)
#define UNPACKED_PART 8 /* of the budget: what compressed sections unpack to */

/* What libdw would unpack of a section, and whether it is packed; UINT64_MAX: it does not say. */
static bool is_packed(Elf_Scn *scn, const GElf_Shdr *sh, const char *name, uint64_t *size)
{
    GElf_Chdr packed;
    *size = 0;
    if (sh->sh_flags & SHF_COMPRESSED) {
        *size = gelf_getchdr(scn, &packed) ? packed.ch_size : UINT64_MAX;
        return true;
    }
    if (strncmp(name, ".zdebug", 7) != 0) return false;
    const Elf_Data *data = elf_rawdata(scn, NULL); /* "ZLIB" and the size, big-endian */
    for (size_t i = 4; data && data->d_buf && data->d_size >= 12 && i < 12; i++)
        *size = *size << 8 | ((const uint8_t *)data->d_buf)[i];
    return true;
}

struct contents {
    bool packed, elsewhere; /* elsewhere: a second file holds the rest, and its name stands in this one */
    uint64_t unpacked;      /* bytes in all */
};

static struct contents contents_of(Elf *elf)
{
    struct contents c = {0};
    size_t strings = 0;
    if (elf_getshdrstrndx(elf, &strings)) return c;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        uint64_t size;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
        if (!name) continue;
        c.elsewhere |= strcmp(name, ".gnu_debugaltlink") == 0;
        c.packed |= is_packed(scn, &sh, name, &size);
        c.unpacked = size > UINT64_MAX - c.unpacked ? UINT64_MAX : c.unpacked + size;
    }
    return c;
}

/* Bytes that unpacked sections may take. */
static uint64_t unpacked_most(const struct gpudbg_image *image)
{
    const uint64_t most = image_most(image);
    return most && most / UNPACKED_PART < COPY_MOST ? most / UNPACKED_PART : COPY_MOST;
}

struct debug_file debug_open(const struct gpudbg_image *image, const uint8_t *bytes, size_t size)
{
    elf_version(EV_CURRENT);
    /* libelf wants a writable pointer but, in files of the machine's byte order and without compressed sections, only
     * reads. */
    struct debug_file f = {.elf = elf_memory((char *)(uintptr_t)bytes, size)};
    if (!f.elf || elf_kind(f.elf) != ELF_K_ELF) return f;
    const struct contents c = contents_of(f.elf);
    const bool memory = alloc_short(); /* for what libelf says of the file: nothing is known about it */
    f.too_large = memory || c.unpacked > unpacked_most(image);
    if (!c.packed && !c.elsewhere && !memory) return f;
    elf_end(f.elf);
    f.elf = NULL;
    /* libdw would open the other file, whatever its name is, and wait for it if that is a pipe. */
    if (c.elsewhere || f.too_large) return f;
    f.copy = size <= COPY_MOST ? malloc(size) : NULL;
    if (f.copy) f.elf = elf_memory(memcpy(f.copy, bytes, size), size);
    return f;
}

void debug_close(struct debug_file *f)
{
    elf_end(f->elf);
    free(f->copy);
    *f = (struct debug_file){0};
}

void *debug_dwarf(const struct debug_file *f)
{
    Dwarf *dwarf = f->elf && elf_kind(f->elf) == ELF_K_ELF ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL) : NULL;
    if (dwarf) dwarf_new_oom_handler(dwarf, xalloc_end); /* libdw's own ends the program and leaves the terminal */
    return dwarf;
}

/* ---- Line tables ---- */

/* What libdw takes for a byte of a line program, of which each may be a row: 88 bytes in a list, 72 in the table, 8 to
 * sort (elfutils 0.188, x86-64). */
#define ROW_BYTES 168

/* The section of line programs, unpacked if libdw has done so; empty: none. */
static struct bytes line_section(Elf *elf)
{
    struct bytes none = {NULL, 0};
    size_t strings = 0;
    if (elf_getshdrstrndx(elf, &strings)) return none;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
        if (!name || (strcmp(name, ".debug_line") != 0 && strcmp(name, ".zdebug_line") != 0)) continue;
        const Elf_Data *data = elf_getdata(scn, NULL);
        return data && data->d_buf ? (struct bytes){data->d_buf, data->d_size} : none;
    }
    return none;
}

/* The bytes of the line program of a unit, and where it stands; false: it has none. */
static bool line_program(struct bytes section, Dwarf_Die *unit, uint64_t *at, uint64_t *size)
{
    Dwarf_Attribute attribute;
    Dwarf_Word offset;
    if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) || dwarf_formudata(&attribute, &offset) ||
        offset >= section.size)
        return false;
    const uint64_t left = section.size - offset;
    uint64_t length = bytes_u32(section, offset);
    if (length == UINT32_MAX) length = bytes_u32(section, offset + 4) | (uint64_t)bytes_u32(section, offset + 8) << 32;
    *at = offset;
    *size = length < left ? length : left;
    return true;
}

/* Line programs may lie in each other: each counts whole, since each is run. */
void lines_load(struct gpudbg_image *image, const struct debug_file *f, uint64_t base)
{
    Dwarf *dwarf = debug_dwarf(f);
    Dwarf_Off at = 0, next;
    size_t header;
    if (f->too_large) image_lines_too_large(image);
    if (!dwarf) return;
    const struct bytes section = line_section(f->elf);
    uint8_t *seen = calloc(section.size / 8 + 1, 1); /* a bit for each place where a program begins */
    while (seen && dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die die;
        Dwarf_Lines *lines;
        uint64_t program, size;
        size_t n;
        const bool has = dwarf_offdie(dwarf, at + header, &die) && line_program(section, &die, &program, &size);
        at = next;
        if (!has || seen[program / 8] >> program % 8 & 1) continue;
        seen[program / 8] |= (uint8_t)(1 << program % 8);
        if (!image_take(image, size > UINT64_MAX / ROW_BYTES ? UINT64_MAX : size * ROW_BYTES)) {
            image_lines_too_large(image);
            break;
        }
        if (dwarf_getsrclines(&die, &lines, &n) == 0) add_rows(image, lines, n, base);
    }
    free(seen);
    dwarf_end(dwarf);
}
