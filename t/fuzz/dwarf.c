/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debug information, symbols and names of source files from nowhere: the bytes become the sections of a code object
 * that is otherwise sound, so that all of them are read.  What a name leads to on the disk lies in the folder that the
 * user allowed, and nothing that is printed holds a control character.
 *
 * An input is a list of parts, each the number of its section, its length (two bytes) and its bytes; what is left over
 * belongs to the last section.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "eval/locals.h"
#include "eval/source_file.h"
#include "image/load.h"
#include "out/out.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILE_MOST (1u << 17)
#define CODE_ADDR 0x1000u

static const struct {
    const char *name;
    uint32_t type;
} parts[] = {{".debug_info", SHT_PROGBITS}, {".debug_abbrev", SHT_PROGBITS}, {".debug_line", SHT_PROGBITS},
    {".debug_str", SHT_PROGBITS}, {".debug_line_str", SHT_PROGBITS}, {".debug_ranges", SHT_PROGBITS},
    {".debug_rnglists", SHT_PROGBITS}, {".debug_loc", SHT_PROGBITS}, {".debug_loclists", SHT_PROGBITS},
    {".debug_addr", SHT_PROGBITS}, {".symtab", SHT_SYMTAB}, {".strtab", SHT_STRTAB}};
#define PARTS (sizeof parts / sizeof *parts)
#define SECTIONS (PARTS + 3) /* none, .text, .shstrtab */

static const uint32_t code[64] = {0x7e000280, 0xbf800000, 0xbf810000};

static struct {
    uint8_t bytes[FILE_MOST];
    size_t n;
} file;

/* At a multiple of eight; where it stands, 0: there is no room. */
static uint64_t put(const void *bytes, size_t n)
{
    const size_t at = (file.n + 7) & ~(size_t)7;
    if (at + n > FILE_MOST) return 0;
    memset(file.bytes + file.n, 0, at - file.n);
    if (n) memcpy(file.bytes + at, bytes, n);
    file.n = at + n;
    return at;
}

static bool make(const uint8_t *data, size_t size)
{
    static uint8_t part[PARTS][FILE_MOST / 4];
    size_t length[PARTS] = {0};
    for (size_t last = 0; size;) {
        size_t n = size;
        if (size >= 3) {
            last = data[0] % PARTS;
            n = data[1] | (size_t)data[2] << 8;
            data += 3, size -= 3;
            if (n > size) n = size;
        }
        if (n > sizeof part[last] - length[last]) return false;
        memcpy(part[last] + length[last], data, n);
        length[last] += n;
        data += n, size -= n;
    }
    char names[512] = "";
    size_t used = 1;
    Elf64_Shdr section[SECTIONS] = {{0}};
    file.n = sizeof(Elf64_Ehdr);
    section[1] = (Elf64_Shdr){.sh_name = (uint32_t)used,
        .sh_type = SHT_PROGBITS,
        .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
        .sh_addr = CODE_ADDR,
        .sh_offset = put(code, sizeof code),
        .sh_size = sizeof code,
        .sh_addralign = 4};
    memcpy(names + used, ".text", 6);
    used += 6;
    for (size_t i = 0; i < PARTS; i++) {
        const bool symbols = parts[i].type == SHT_SYMTAB;
        section[i + 2] = (Elf64_Shdr){.sh_name = (uint32_t)used,
            .sh_type = parts[i].type,
            .sh_offset = put(part[i], length[i]),
            .sh_size = length[i],
            .sh_addralign = 1,
            .sh_entsize = symbols ? sizeof(Elf64_Sym) : 0,
            .sh_link = symbols ? PARTS + 1 : 0};
        if (!section[i + 2].sh_offset) return false;
        memcpy(names + used, parts[i].name, strlen(parts[i].name) + 1);
        used += strlen(parts[i].name) + 1;
    }
    section[SECTIONS - 1] = (Elf64_Shdr){.sh_name = (uint32_t)used, .sh_type = SHT_STRTAB, .sh_addralign = 1};
    memcpy(names + used, ".shstrtab", 10);
    used += 10;
    section[SECTIONS - 1].sh_offset = put(names, used);
    section[SECTIONS - 1].sh_size = used;
    const Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64 /* HSA */},
        .e_type = ET_DYN,
        .e_machine = 224 /* EM_AMDGPU */,
        .e_version = EV_CURRENT,
        .e_flags = 0x22, /* gfx700 */
        .e_ehsize = sizeof header,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = SECTIONS,
        .e_shstrndx = SECTIONS - 1,
        .e_shoff = put(section, sizeof section)};
    memcpy(file.bytes, &header, sizeof header);
    return header.e_shoff != 0;
}

static bool count(void *to, const struct local_row *row)
{
    *(size_t *)to += strlen(row->name) + strlen(row->type) + strlen(row->value) + strlen(row->place);
    return true;
}

/* What it prints is text: no control character but the ends of lines and tabs. */
static void print(struct gpudbg *g, const char *command)
{
    struct gpudbg_error err = {.offset = -1};
    for (int json = 0; json < 2; json++) {
        struct gpudbg_out *out = out_memory(json);
        if (!gpudbg_execute(g, command, out, &err) && (!err.kind || !err.message[0])) abort();
        size_t n;
        char *text = out_taken(out, &n);
        for (size_t i = 0; i < n; i++)
            if (((unsigned char)text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7f) abort();
        free(text);
        out_close(out);
        err = (struct gpudbg_error){.offset = -1};
    }
}

static void look(struct gpudbg *g)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct local_frame frame[8];
    size_t letters = 0;
    for (uint64_t pc = CODE_ADDR; pc < CODE_ADDR + 64; pc += 4) {
        locals_frames(&g->eval, pc, frame, 8);
        g->selection.cursor = pc;
        locals_each(&g->eval, 0, 0, count, &letters);
        struct local_row returned;
        locals_returns_in_memory(&g->eval, pc);
        if (locals_returned(&g->eval, pc, 0, 0, NULL, &returned)) count(&letters, &returned);
    }
    for (size_t i = 0; i < image->nlines && i < 64; i++) {
        struct source source = {0};
        if (source_open(&source, &g->loaded, image->lines[i].file) && strncmp(source.path, "/nonexistent/", 13) != 0)
            abort();
        source_close(&source);
    }
    static const char *const commands[] = {
        "info symbols", "info source", "disassemble /s", "list", "info locals", "backtrace"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) print(g, commands[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpudbg_error err = {.offset = -1};
    if (size > FILE_MOST / 4 || !make(data, size)) return 0;
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g) abort();
    g->sealed = true;
    struct load_options options = {.isa = session_isa(g, "gfx7")};
    struct gpudbg_image *image = session_image_from(g, "/nonexistent/fuzz.co", file.bytes, file.n, &options, &err);
    if (image) {
        session_take(g, image);
        look(g);
    } else if (!err.kind || !err.message[0]) {
        abort(); /* a failure says what it is */
    }
    session_close(g);
    return 0;
}
