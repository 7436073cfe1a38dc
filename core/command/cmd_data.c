/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print: values of expressions, registers and descriptors as words with fields. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"
#include "eval/expr.h"
#include "code/records.h"
#include "eval/locals.h"
#include "machine/machine.h"
#include "session/session.h"
#include "eval/show.h"
#include "gpudbg/text.h"

#define TEXT_MAX 65536

/* ---- print/fields, print/V: words with fields ---- */

/* The bytes of a value as a word of `bits`: registers from its first one on, memory from its address on, or its own. */
static bool word_bytes(
    struct gpudbg *g, const struct value *v, unsigned bits, uint8_t *bytes, size_t size, struct gpudbg_error *err)
{
    uint32_t words[32] = {0};
    struct value wide = *v;
    size_t n = 0;
    memset(bytes, 0, size);
    if (v->place == PLACE_MEMORY)
        return value_at_one_address(v, err) &&
               value_read_memory(&g->eval, g->selection.wave, v->space, v->addr, bytes, bits / 8, err);
    if (v->place == PLACE_REGISTER && g->running.machine && !v->first) {
        const struct gpudbg_regfile *file = &g->running.machine->isa->files[v->file];
        unsigned each = (file->bits + 31u) / 32, want = (bits + 31) / 32;
        unsigned have = g->running.machine->isa->run->count(g->running.machine, v->file);
        wide.count = (uint16_t)((want + each - 1) / each);
        wide.lanes = 1;
        if (wide.reg + wide.count > have)
            return gpudbg_fail(err, "out-of-range", "$%s%u: %u registers are needed, but this launch has only %u",
                file->name, v->reg, wide.count, have);
        n = value_words(&g->eval, g->selection.wave, &wide, words, 32, err);
        if (!n) return false;
    } else {
        words[0] = (uint32_t)value_bits(v);
        words[1] = (uint32_t)(value_bits(v) >> 32);
    }
    for (size_t i = 0; i < size && i < sizeof words; i++) bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    return true;
}

static void print_word(
    struct gpudbg_out *out, const char *name, const struct gpudbg_format *format, const uint8_t *bytes)
{
    struct gpudbg_field_iter it;
    char value[80];
    struct text t = text_in(value, sizeof value);
    text_add(&t, "0x");
    for (unsigned i = (format->bits + 7u) / 8; i-- > 0;) text_add(&t, "%02x", bytes[i]);
    BEGIN(out, "register", "{name} = {value}  {format}\n", STRING("name", name), STRING("format", format->name),
        STRING("value", value));
    gpudbg_out_array(out, "fields");
    for (gpudbg_word_fields(&it, format, bytes); gpudbg_next_field(&it);)
        field_record(out, &it, "    {name:-32} {bits:9} = {value:-10} {meaning}[  ({doc})]\n");
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* The layout that a format word asks for: "fields", or the letter of a view; NULL: neither. */
static const struct gpudbg_format *asked_layout(
    struct gpudbg *g, const char *format, const struct value *v, bool *asked, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa
                                   : g->loaded.image  ? g->loaded.image->isa
                                                      : g->loaded.isa;
    *asked = true;
    if (strcmp(format, "fields") == 0) {
        const struct gpudbg_format *f = v->place == PLACE_REGISTER && isa ? isa->files[v->file].format : NULL;
        if (f && v->part) {
            gpudbg_fail(err, "usage", "/fields needs a whole register: print/fields $%s", isa->files[v->file].name);
            return NULL;
        }
        if (!f)
            gpudbg_fail(
                err, "usage", "the value has no fields; only registers have fields, and `info registers` lists them");
        return f;
    }
    for (const struct gpudbg_view *view = isa ? isa->traits.views : NULL; view && view->letter; view++)
        if (format[0] == view->letter && !format[1]) return view->format;
    *asked = false;
    return NULL;
}

/* A variable of the source that has many parts, alone. */
static bool print_parts(struct gpudbg *g, const char *expr, const char *format, struct gpudbg_out *out)
{
    char *text = xalloc(TEXT_MAX);
    const bool known = locals_text(&g->eval, expr, format[0] && !format[1] ? format[0] : 0, text, TEXT_MAX);
    if (known) RECORD(out, "local", "{name} = {value}\n", STRING("name", expr), STRING("value", text));
    free(text);
    return known;
}

static bool run_print(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = gpudbg_args_rest(a);
    char letter;
    struct value v;
    bool asked;
    unsigned size;
    uint8_t bytes[64];
    if (print_parts(g, expr, gpudbg_args_format(a), out)) return true;
    if (!expr_value(&g->eval, *expr ? expr : "$", &v, err)) return false;
    const struct gpudbg_format *layout = asked_layout(g, gpudbg_args_format(a), &v, &asked, err);
    if (asked) {
        if (!layout || !word_bytes(g, &v, layout->bits, bytes, sizeof bytes, err)) return false;
        print_word(out, expr, layout, bytes);
        return true;
    }
    if (!show_letter(&g->eval, a, &letter, &size, err)) return false;
    show_size(&g->eval, &v, letter, size);
    char *text = show_text(&g->eval, &v, letter, err);
    if (!text) return false;
    unsigned number = value_remember(&g->eval, &v);
    BEGIN(out, "value", "${number} = {shown}\n", NUMBER("number", number), STRING("expression", expr),
        TEXT("shown", text));
    show_members(&g->eval, out, &v, text);
    gpudbg_out_end(out);
    free(text);
    return true;
}

static const struct gpudbg_command print = {
    .name = "print",
    .aliases = "p inspect",
    .usage = "[/FMT] EXPR",
    .summary = "print the value of an expression",
    .help = "FMT      x hex, d signed, u unsigned, o octal, t binary, f float, a address, c character, z hex with\n"
            "         zeros\n"
            "         b h w g: cut a wide register into elements of 1, 2, 4 or 8 bytes (/fw $r10: eight floats)\n"
            "         V, T, S and the other letters of `info isa`: the fields of a descriptor\n"
            "         /fields: the fields of a register\n"
            "$v1      in the selected lane; $v1[3] in lane 3; $v1[0:7] in eight lanes; $v1[:] in all lanes\n"
            "$s[4:7]  four registers as one value\n"
            "`help expressions` explains the whole language.",
    .family = "Data",
    .run = run_print,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&print, NULL};
COMMAND_FAMILY(cmd_data, "data", .summary = "the command print", .commands = commands);
