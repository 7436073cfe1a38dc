/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print: values of expressions, registers and descriptors as words with fields. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"
#include "eval/typed.h"
#include "eval/expr.h"
#include "code/records.h"
#include "eval/locals.h"
#include "eval/over_show.h"
#include "machine/machine.h"
#include "session/session.h"
#include "eval/show.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "word/registry.h"

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

/* Of what runs, of what is loaded, or the one that was chosen; NULL: none. */
static const struct gpudbg_isa *isa_in_use(const struct gpudbg *g)
{
    return g->running.machine ? g->running.machine->isa : g->loaded.image ? g->loaded.image->isa : g->loaded.isa;
}

static const struct gpudbg_view *view_named(const struct gpudbg_isa *isa, const char *format)
{
    for (const struct gpudbg_view *view = isa ? isa->traits.views : NULL; view && view->letter; view++)
        if (format[0] == view->letter && !format[1]) return view;
    return NULL;
}

/* The layout that a format word asks for: "fields", or the letter of a view; NULL: neither. */
static const struct gpudbg_format *asked_layout(
    struct gpudbg *g, const char *format, const struct value *v, bool *asked, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = isa_in_use(g);
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
    const struct gpudbg_view *view = view_named(isa, format);
    *asked = view != NULL;
    return view ? view->format : NULL;
}

/* Two words of hex at least, and nothing that an expression has. */
static bool are_words(const char *text)
{
    const size_t first = strcspn(text, " \t,");
    return text[first] && text[first + strspn(text + first, " \t,")] && !strpbrk(text, "$+*()?&") &&
           strspn(text, "0123456789abcdefABCDEFx") == first;
}

/* print/V with the words of a descriptor, as they were pasted.  *done: it was that. */
static bool print_pasted(struct gpudbg *g, const char *format, const char *text, bool *done, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = isa_in_use(g);
    const struct gpudbg_view *view = view_named(isa, format);
    for (size_t i = 0; !view && !isa && (isa = registry_isa(g->registry, i)); i++, isa = NULL)
        view = view_named(isa, format);
    uint32_t words[16];
    uint8_t bytes[sizeof words];
    uint64_t label;
    const char *wrong;
    *done = view && are_words(text);
    if (!*done) return true;
    const size_t n = gpudbg_pasted_words(text, words, 16, &label, &wrong), need = view->format->bits / 32;
    if (wrong) return gpudbg_fail(err, "usage", "\"%.*s\" is not a word of hex", (int)strcspn(wrong, " \t,"), wrong);
    if (n != need || need > 16)
        return gpudbg_fail(err, "usage", "a %s has %zu words, and %zu are given", view->format->name, need, n);
    for (size_t i = 0; i < n; i++) le_put(bytes + 4 * i, words[i], 4);
    print_word(out, "words", view->format, bytes);
    return true;
}

/* A variable of the source that has many parts, alone. */
static bool print_parts(struct gpudbg *g, const char *expr, const char *format, struct gpudbg_out *out)
{
    char *text = xalloc(TEXT_MAX);
    const bool known = locals_text(&g->eval, expr, format[0] && !format[1] ? format[0] : 0, text, TEXT_MAX);
    if (known)
        RECORD(out, "local", "${number} = {value}\n", NUMBER("number", locals_remember(&g->eval, expr)),
            STRING("name", expr), STRING("value", text));
    free(text);
    return known;
}

/* ---- Many elements at once ---- */

/* "16x16 EXPR", "8 EXPR" or EXPR alone: by default a row is as long as the group is wide. */
static bool grid_size(struct gpudbg *g, const char **expr, uint32_t *width, uint32_t *height, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = g->running.machine ? g->running.machine->launch : NULL;
    const char *at = *expr;
    char *end;
    if (!launch) return gpudbg_fail(err, "no-launch", "/grid: nothing is launched");
    const uint64_t items = (uint64_t)launch->local[0] * launch->local[1] * launch->local[2];
    unsigned long long w = launch->local[0], h = 0;
    if (*at >= '0' && *at <= '9') {
        w = strtoull(at, &end, 10);
        if (*end == 'x' && end[1] >= '0' && end[1] <= '9') h = strtoull(end + 1, &end, 10);
        if (*end && *end != ' ')
            return gpudbg_fail(err, "usage", "/grid: \"%.20s\" is not a size; write 16x16 or 16", at);
        *expr = end + strspn(end, " ");
        if (!w || w > OVER_MOST || h > OVER_MOST || (strchr(at, 'x') == end && !h))
            return gpudbg_fail(err, "out-of-range", "/grid: %llux%llu: 1 to %d are possible", w, h, OVER_MOST);
    }
    if (!h) h = (items + w - 1) / w;
    if (w * h > OVER_MOST) return gpudbg_fail(err, "too-large", "/grid: %llux%llu are more than %d", w, h, OVER_MOST);
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

static void print_over(
    struct gpudbg *g, struct gpudbg_out *out, const char *expr, const struct over *o, enum over_kind kind, char *text)
{
    struct value v = {.type = o->type, .many = true, .place = PLACE_NONE};
    const unsigned number = value_remember(&g->eval, &v);
    BEGIN(out, "lanes", "${number} = {shown}\n", NUMBER("number", number), STRING("expression", expr),
        TEXT("shown", text));
    over_members(out, o, kind);
    gpudbg_out_string(out, "text", text);
    gpudbg_out_end(out);
    free(text);
}

static bool print_grid(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = gpudbg_args_rest(a);
    uint32_t width = 0, height = 0;
    struct over o;
    enum over_kind kind;
    char whole[1100];
    if (!grid_size(g, &expr, &width, &height, err)) return false;
    /* All of the group, unless waves are named. */
    const bool named = strstr(expr, ", wave") || strstr(expr, ",wave") || strstr(expr, "group");
    snprintf(whole, sizeof whole, "%.1000s%s", expr, named ? "" : ", group");
    const enum over_found found = over_value(&g->eval, whole, &o, &kind, err);
    if (found == OVER_NO) {
        struct value v;
        if (!expr_value(&g->eval, expr, &v, err)) return false;
        return gpudbg_fail(err, "usage", "/grid shows lanes, and the expression has none: print/grid 16x16 $v0[:]");
    }
    if (found == OVER_FAILED) return false;
    char *text = over_grid(&g->eval, &o, width, height, 0, err);
    if (text) print_over(g, out, expr, &o, OVER_EACH, text);
    over_close(&o);
    return text != NULL;
}

/* OVER_NO: an ordinary expression. */
static enum over_found print_many(
    struct gpudbg *g, struct gpudbg_args *a, const char *expr, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct over o;
    enum over_kind kind;
    struct gpudbg_error why = {0};
    struct value v;
    char letter;
    unsigned size;
    const enum over_found found = over_value(&g->eval, expr, &o, &kind, &why);
    if (found == OVER_NO) return OVER_NO;
    /* Lanes of one register, and elements of memory, are shown as they always were. */
    if (kind == OVER_EACH && !strchr(expr, ',') && expr_value(&g->eval, expr, &v, err)) {
        if (found == OVER_YES) over_close(&o);
        return OVER_NO;
    }
    if (found == OVER_FAILED) {
        *err = why;
        return OVER_FAILED;
    }
    *err = (struct gpudbg_error){.offset = -1};
    const bool ok = show_letter(&g->eval, a, &letter, &size, err);
    if (ok) print_over(g, out, expr, &o, kind, over_text(&g->eval, &o, kind, letter));
    over_close(&o);
    return ok ? OVER_YES : OVER_FAILED;
}

/* Behind the options that gdb takes before an expression: "-pretty -elements 4 -- EXPR", "-object on EXPR".  They
 * change nothing here.  Without "--" an option is one of gdb's own, and what follows cannot go on with it as an
 * expression: "-array EXPR", not "-array + 1". */
static const char *past_options(const char *rest)
{
    static const char numbers[] = " elements max-depth repeats ";
    static const char switches[] = " address array array-indexes memory-tag-violations nibbles null-stop object pretty "
                                   "raw-values static-members symbol union vtbl ";
    const char *end = rest[0] == '-' && isalpha((unsigned char)rest[1]) ? strstr(rest, " -- ") : NULL;
    if (end) return end + 4 + strspn(end + 4, " \t");
    while (rest[0] == '-' && isalpha((unsigned char)rest[1])) {
        char option[40];
        const int len = (int)strcspn(rest, " \t");
        const char *next = rest + len + strspn(rest + len, " \t");
        text_put(option, sizeof option, " %.*s ", len - 1, rest + 1);
        const size_t value = strcspn(next, " \t");
        const bool number = strstr(numbers, option), on = strncmp(next, "on ", 3) == 0 || strncmp(next, "off ", 4) == 0;
        if (!number && !strstr(switches, option)) break;
        if (number || on) next += value + strspn(next + value, " \t");
        if (!isalnum((unsigned char)*next) && !(*next && strchr("_$({\"", *next)) &&
            !(*next == '-' && isalpha((unsigned char)next[1])))
            break;
        rest = next;
    }
    return rest;
}

static bool run_print(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = past_options(gpudbg_args_rest(a));
    char letter;
    struct value v;
    bool asked;
    unsigned size;
    uint8_t bytes[64];
    if (!print_pasted(g, gpudbg_args_format(a), expr, &asked, out, err)) return false;
    if (asked || print_parts(g, expr, gpudbg_args_format(a), out)) return true;
    if (strcmp(gpudbg_args_format(a), "grid") == 0) return print_grid(g, a, out, err);
    const enum over_found many = print_many(g, a, *expr ? expr : "$", out, err);
    if (many != OVER_NO) return many == OVER_YES;
    if (!expr_value_changing(&g->eval, *expr ? expr : "$", &v, err)) return false;
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
    typed_keep(&g->eval, &v);
    unsigned number = value_remember(&g->eval, &v);
    BEGIN(out, "value", "${number} = {shown}\n", NUMBER("number", number), STRING("expression", expr),
        TEXT("shown", text));
    show_members(&g->eval, out, &v, text);
    gpudbg_out_end(out);
    free(text);
    if (!letter && v.place == PLACE_REGISTER && typed_too_large_unsaid(&g->eval, gpudbg_session_wave(g)))
        gpudbg_out_print(out, "(The code is too large to follow what registers hold: they are shown as integers; "
                              "print/f shows a float.)\n");
    return true;
}

static const struct gpudbg_command print = {
    .name = "print",
    .aliases = "p inspect",
    .usage = "[/FMT] EXPR | /V WORD...",
    .summary = "print the value of an expression",
    .help = "FMT      x hex, d signed, u unsigned, o octal, t binary, f float, a address, c character, z hex with\n"
            "         zeros\n"
            "         b h w g: cut a wide register into elements of 1, 2, 4 or 8 bytes (/fw $r10: eight floats)\n"
            "         V, T, S and the other letters of `info isa`: the fields of a descriptor, also of words of hex:\n"
            "         print/V 00000000 00040005 00000400 00027fac\n"
            "         /fields: the fields of a register; /grid [WxH]: lanes by local id\n"
            "$v1      in the selected lane; $v1[3] in lane 3; $v1[0:7] in eight lanes; $v1[:] in all lanes\n"
            "$s[4:7]  four registers as one value\n"
            "$v1[:] > 3         in every lane: # holds, - does not; + and . the same where a lane is masked off\n"
            "/grid 16x16 $v1[:] by local id, all waves of the group\n"
            "count($v1 > 3)     any all min max sum uniq where: over lanes, waves or memory\n"
            "a[0:7]  a[0]@8     elements of memory\n"
            "`help expressions` explains the whole language.",
    .family = "Data",
    .effect = GPUDBG_CHANGES,
    .run = run_print,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&print, NULL};
COMMAND_FAMILY(cmd_data, "data", .summary = "the command print", .commands = commands);
