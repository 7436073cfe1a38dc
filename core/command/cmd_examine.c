/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x: memory as numbers, text or instructions; dump memory: to a file. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "session/command.h"
#include "code/code_names.h"
#include "code/records.h"
#include "code/walk.h"
#include "eval/location.h"
#include "machine/machine.h"
#include "out/say.h"
#include "base/save.h"
#include "session/session.h"
#include "eval/show.h"

static bool examine_code(
    struct gpudbg *g, struct gpudbg_out *out, uint64_t addr, uint64_t count, struct gpudbg_error *err)
{
    struct gpudbg_insn insn;
    struct code_names names;
    struct code_walk w;
    char text[1024], where[300];
    uint64_t here = location_here(&g->eval);
    if (!eval_need_image(&g->eval, err)) return false;
    const struct gpudbg_section *section = gpudbg_image_at(g->loaded.image, addr);
    code_names_plain(&names, g->loaded.image);
    code_walk_open(&w, g->loaded.image, addr, section ? section->addr + section->size : addr);
    uint64_t n = 0;
    for (; n < count && !out_broken(out) && code_walk_next(&w, &insn); n++) {
        unsigned syntax = w.is_insn ? settings_syntax(&g->settings, insn.isa) : 0;
        if (w.is_insn)
            insn.isa->text(&insn, syntax, GPUDBG_READABLE, &names.names, text, sizeof text);
        else
            data_text(insn.raw, insn.size, text, sizeof text);
        show_address(&g->eval, GPUDBG_GLOBAL, insn.addr, where, sizeof where);
        gpudbg_out_print(out, "%s %s:  %s\n", g->running.machine && insn.addr == here ? "=>" : "  ", where, text);
        if (gpudbg_out_json(out)) insn_record(out, &insn, w.is_insn, syntax, &names);
    }
    if (!n) return gpudbg_fail(err, "out-of-range", "no code at 0x%" PRIx64, addr);
    value_shown(&g->eval, GPUDBG_GLOBAL, insn.addr, (struct value_type){VALUE_UNSIGNED, 32});
    g->selection.examine.addr = w.at;
    return true;
}

static bool examine_string(
    struct gpudbg *g, struct gpudbg_out *out, unsigned space, uint64_t addr, struct gpudbg_error *err)
{
    char text[201], where[300];
    size_t n = 0;
    while (n < sizeof text - 1) {
        if (!value_read_memory(&g->eval, g->selection.wave, space, addr + n, &text[n], 1, err)) {
            if (!n) return false;
            break;
        }
        if (!text[n]) break;
        if (!isprint((unsigned char)text[n])) text[n] = '.';
        n++;
    }
    text[n] = 0;
    show_address(&g->eval, space, addr, where, sizeof where);
    RECORD(out, "string", "{where}:  \"{text}\"\n", HEX("addr", addr), STRING("text", text), TEXT("where", where));
    value_shown(&g->eval, space, addr, (struct value_type){VALUE_UNSIGNED, 8});
    g->selection.examine.addr = addr + n + 1;
    return true;
}

/* One line: up to 16 bytes. */
static void examine_row(struct gpudbg *g, struct gpudbg_out *out, unsigned space, uint64_t addr, const uint8_t *bytes,
    size_t n, unsigned size, char letter)
{
    char where[300], text[128];
    show_address(&g->eval, space, addr, where, sizeof where);
    BEGIN(out, "memory",
        "{where}:", STRING("space", g->running.machine ? g->running.machine->space[space].name : "file"),
        HEX("addr", addr), NUMBER("size", n), BYTES("bytes", bytes, n), TEXT("where", where));
    gpudbg_out_array(out, "values");
    for (size_t at = 0; at + size <= n; at += size) {
        struct value v = value_unsigned(0, 8 * size);
        uint64_t bits = 0;
        for (unsigned b = size; b-- > 0;) bits = bits << 8 | bytes[at + b];
        v.place = PLACE_MEMORY;
        value_set_bits(&v, bits);
        value_text(&g->eval, &v, letter == 'x' ? 'z' : letter, text, sizeof text);
        SAY(out, "  {text}", STRING(NULL, text), TEXT("text", text));
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
    gpudbg_out_print(out, "\n");
}

static bool examine(struct gpudbg *g, struct gpudbg_out *out, unsigned space, uint64_t addr, uint64_t count,
    char letter, unsigned size, struct gpudbg_error *err)
{
    uint8_t bytes[16];
    uint64_t left = count * size;
    while (left && !out_broken(out)) {
        size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes, got = n;
        struct gpudbg_error whole = {0};
        if (!value_read_memory(&g->eval, g->selection.wave, space, addr, bytes, n, &whole))
            for (got = 0; got + size <= n &&
                          value_read_memory(&g->eval, g->selection.wave, space, addr + got, bytes + got, size, err);)
                got += size;
        if (got) examine_row(g, out, space, addr, bytes, got, size, letter);
        if (got >= size) {
            const uint8_t kind = letter == 'f' && size > 1 ? VALUE_FLOAT
                                 : letter == 'd'           ? VALUE_SIGNED
                                                           : VALUE_UNSIGNED;
            value_shown(
                &g->eval, space, addr + got / size * size - size, (struct value_type){kind, (uint8_t)(8 * size)});
        }
        addr += got;
        g->selection.examine.addr = addr;
        if (got < n) return false; /* err says what stands in the way */
        left -= n;
    }
    return true;
}

/* The `count` units before the address; the next one goes on before them. */
static bool examine_back(struct gpudbg *g, struct gpudbg_out *out, uint64_t count, struct gpudbg_error *err)
{
    const uint64_t bytes = count * g->selection.examine.size, addr = g->selection.examine.addr;
    if (strchr("is", g->selection.examine.letter))
        return gpudbg_fail(err, "usage",
            "x goes back over numbers only; `disassemble` shows the instructions before a place, `find` finds text");
    if (bytes > addr) return gpudbg_fail(err, "out-of-range", "there is no memory before address 0");
    const bool ok = examine(g, out, g->selection.examine.space, addr - bytes, count, g->selection.examine.letter,
        g->selection.examine.size, err);
    g->selection.examine.addr = addr - bytes;
    return ok;
}

static bool run_x(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    unsigned size;
    char letter;
    const char before = g->selection.examine.letter;
    const bool back = *a->format == '-';
    if (back) a->format++;
    if (!args_letters(a, &count, &letter, &size, err)) return false;
    if (letter && !strchr("xduotfaczis", letter))
        return gpudbg_fail(err, "usage", "/%s is not a format; the formats are x d u o t f a c z i s", a->format);
    const char *expr = gpudbg_args_rest(a);
    if (*expr && !expr_place(&g->eval, expr, &g->selection.examine.space, &g->selection.examine.addr, err))
        return false;
    if (letter) g->selection.examine.letter = letter;
    if (size)
        g->selection.examine.size = size;
    else if (letter == 'c')
        g->selection.examine.size = 1;
    else if (letter == 'a')
        g->selection.examine.size = 8;
    if (!*expr && g->selection.examine.letter == 'i' && before != 'i') {
        g->selection.examine.addr = location_here(&g->eval);
        g->selection.examine.space = GPUDBG_GLOBAL;
    }
    if (count > limit_most(g->settings.range_limit) / g->selection.examine.size)
        return limit_over(err, "what x is to show", g->settings.range_limit, "range-limit");
    if (back) return examine_back(g, out, count, err);
    if (g->selection.examine.letter == 'i') return examine_code(g, out, g->selection.examine.addr, count, err);
    for (; g->selection.examine.letter == 's' && count && !out_broken(out); count--)
        if (!examine_string(g, out, g->selection.examine.space, g->selection.examine.addr, err)) return false;
    return g->selection.examine.letter == 's' ||
           examine(g, out, g->selection.examine.space, g->selection.examine.addr, count, g->selection.examine.letter,
               g->selection.examine.size, err);
}

static const struct gpudbg_command x = {
    .name = "x",
    .usage = "[/[-]COUNT LETTER SIZE] [ADDR]",
    .summary = "show memory",
    .help = "LETTER   x d u o t f a c z as in `print`; i instructions; s text up to a zero byte\n"
            "SIZE     b 1, h 2, w 4, g 8 bytes\n"
            "    x/8xw a      eight words in hexadecimal\n"
            "    x/4fw lds:64 four floats of LDS\n"
            "    x/i $pc      the next instruction\n"
            "    x/-4xw a+64  the four words before\n"
            "Without ADDR, the command goes on after the last one, in the same format.\n"
            "$_ is then the last address shown, and $__ the value there.",
    .family = "Data",
    .run = run_x,
    .complete = complete_expression,
};

/* ---- dump memory ---- */

static bool dump_bytes(struct gpudbg *g, struct gpudbg_out *out, const char *path, unsigned space, uint64_t addr,
    size_t size, struct gpudbg_error *err)
{
    uint8_t *bytes = malloc(size);
    if (!bytes) return alloc_failed(err, size, "the bytes to save");
    const bool ok = value_read_memory(&g->eval, g->selection.wave, space, addr, bytes, size, err) &&
                    save_bytes(path, bytes, size, &g->ticker, err);
    free(bytes);
    if (!ok) return false;
    RECORD(out, "saved", "{file}: {size} bytes\n",
        STRING("name", g->running.machine ? g->running.machine->space[space].name : "file"), STRING("file", path),
        NUMBER("size", size));
    return true;
}

static bool run_dump_memory(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    unsigned space, behind;
    uint64_t first, end;
    const char *path = args_need(a, "a file to write", err);
    const char *from = path ? args_need(a, "the first address", err) : NULL;
    if (!from || !expr_place(&g->eval, from, &space, &first, err)) return false;
    const char *to = args_need(a, "the address after the last byte", err);
    if (!to || !expr_place(&g->eval, to, &behind, &end, err) || !args_end(a, err)) return false;
    if (end <= first)
        return gpudbg_fail(
            err, "out-of-range", "the end, 0x%" PRIx64 ", is not after the start, 0x%" PRIx64, end, first);
    if (end - first > limit_most(g->settings.range_limit))
        return limit_over(err, "what is to be saved", g->settings.range_limit, "range-limit");
    return dump_bytes(g, out, path, space, first, (size_t)(end - first), err);
}

static const struct gpudbg_command dump_memory = {
    .name = "dump memory",
    .usage = "FILE FIRST END",
    .summary = "write memory to a file",
    .help = "The command writes the bytes from FIRST up to END; the byte at END is not written.  Both are\n"
            "expressions:\n"
            "    dump memory lds.bin lds:0 lds:1024\n"
            "To write a whole buffer, use `save arg`.",
    .family = "Running",
    .run = run_dump_memory,
    .complete = complete_file,
    .writes = true,
};

static const struct gpudbg_command *const commands[] = {&x, &dump_memory, NULL};
COMMAND_FAMILY(cmd_examine, "examine", .summary = "the command x", .commands = commands);
