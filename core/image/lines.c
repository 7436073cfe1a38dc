/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image/lines.h"
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
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

static bool has_compressed(Elf *elf)
{
    size_t strings = 0;
    if (elf_getshdrstrndx(elf, &strings)) return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
        if (name && (sh.sh_flags & SHF_COMPRESSED || strncmp(name, ".zdebug", 7) == 0)) return true;
    }
    return false;
}

struct debug_file debug_open(const uint8_t *bytes, size_t size)
{
    elf_version(EV_CURRENT);
    /* libelf wants a writable pointer but, in files of the machine's byte order and without compressed sections, only
     * reads. */
    struct debug_file f = {.elf = elf_memory((char *)(uintptr_t)bytes, size)};
    if (!f.elf || elf_kind(f.elf) != ELF_K_ELF || !has_compressed(f.elf)) return f;
    elf_end(f.elf);
    f.elf = NULL;
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

/* ---- Line tables ---- */

void lines_load(struct gpudbg_image *image, void *elf, uint64_t base)
{
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_Off at = 0, next;
    size_t header;
    if (!dwarf) return;
    while (dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die die;
        Dwarf_Lines *lines;
        size_t n;
        if (dwarf_offdie(dwarf, at + header, &die) && dwarf_getsrclines(&die, &lines, &n) == 0)
            add_rows(image, lines, n, base);
        at = next;
    }
    dwarf_end(dwarf);
}
