/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"
#include <elfutils/libdw.h>
#include <string.h>
#include "image.h"

#define LINES_MOST ((size_t)4 << 20)

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
        if (file && line > 0) gpudbg_image_add_line(image, addr, file, (uint32_t)line, (uint32_t)column);
    }
}

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
        if (dwarf_offdie(dwarf, at + header, &die) && dwarf_getsrclines(&die, &lines, &n) == 0) add_rows(image, lines, n, base);
        at = next;
    }
    dwarf_end(dwarf);
}
