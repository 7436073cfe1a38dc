/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_bytes.c: finds the bytes of a location expression, alone or in a list of .debug_loc (DWARF 4, 2.6.2). */
#include "image/dwarf_bytes.h"
#include <dwarf.h>
#include <gelf.h>
#include <string.h>
#include "gpudbg/endian.h"

static uint64_t u64(struct bytes b, size_t at) { return bytes_u32(b, at) | (uint64_t)bytes_u32(b, at + 4) << 32; }

static bool list_section(Elf *elf, struct bytes *section)
{
    size_t strings = 0;
    if (!elf || elf_getshdrstrndx(elf, &strings)) return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
        if (!name || strcmp(name, ".debug_loc") != 0 || sh.sh_flags & SHF_COMPRESSED) continue;
        const Elf_Data *data = elf_rawdata(scn, NULL);
        *section = (struct bytes){data ? data->d_buf : NULL, data && data->d_buf ? data->d_size : 0};
        return true;
    }
    return false;
}

/* Pairs of addresses of 8 bytes, counted from the unit's first, with an expression behind each; all ones and an address
 * set another base; two zeros end it. */
static bool in_list(struct bytes list, uint64_t base, uint64_t pc, struct bytes *expression)
{
    struct gpudbg_error ends = {0};
    for (uint64_t at = 0; at + 16 <= list.size;) {
        const uint64_t from = u64(list, at), to = u64(list, at + 8);
        at += 16;
        if (!from && !to) return false;
        if (from == UINT64_MAX) {
            base = to;
            continue;
        }
        struct bytes part;
        if (!bytes_part(list, at, 2, "", &part, &ends)) return false;
        const unsigned size = le_u16(part.at);
        if (!bytes_part(list, at + 2, size, "", &part, &ends)) return false;
        if (pc >= from + base && pc < to + base) {
            *expression = part;
            return true;
        }
        at += 2 + size;
    }
    return false;
}

bool die_expression(Dwarf_Attribute *at, uint64_t pc, struct bytes *expression)
{
    Dwarf_Block block;
    Dwarf_Word offset;
    Dwarf_Die unit;
    Dwarf_Half version;
    uint8_t address;
    Dwarf_Addr base = 0;
    struct bytes section;
    struct gpudbg_error outside = {0};
    if (dwarf_formblock(at, &block) == 0) {
        *expression = (struct bytes){block.data, block.length};
        return block.length > 0;
    }
    if (!dwarf_cu_die(at->cu, &unit, &version, NULL, &address, NULL, NULL, NULL) || version > 4 || address != 8 ||
        dwarf_formudata(at, &offset) || !list_section(dwarf_getelf(dwarf_cu_getdwarf(at->cu)), &section) ||
        offset >= section.size || !bytes_part(section, offset, section.size - offset, "", &section, &outside))
        return false;
    if (dwarf_lowpc(&unit, &base)) base = 0;
    return in_list(section, base, pc, expression) && expression->size;
}
