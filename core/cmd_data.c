/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that show data: print, x, display, undisplay, output. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "display.h"
#include "expr.h"
#include "insn.h"
#include "location.h"
#include "machine.h"
#include "out.h"
#include "session.h"
#include "value.h"

#define WORDS_MAX 2048 /* 32 registers of 64 lanes */
#define TEXT_MAX 65536
#define EXAMINE_MAX (1u << 20)

/* ---- The text of a value, which may be of many lanes or registers ---- */

/* One element after another of a register value. */
static struct value element(const struct value *v, const uint32_t *words, unsigned each)
{
    struct value e = {.type = v->type, .place = v->place, .address = v->address};
    if (each == 1 && e.type.bits == 64)
        e.type.bits = 32;
    value_set_bits(&e, words[0] | (each > 1 ? (uint64_t)words[1] << 32 : 0));
    return e;
}

static bool many_elements(const struct value *v)
{
    return v->place == PLACE_REGISTER && !v->mask_bit && (v->lanes > 1 || v->count > 2);
}

/* How many dwords one element has, and all of them. */
static size_t load_elements(
    struct gpudbg *g, const struct value *v, uint32_t *words, unsigned *each, struct gpudbg_error *err)
{
    size_t n = value_words(g, g->wave, v, words, WORDS_MAX, err);
    *each = v->type.bits > 32 && v->count <= 2 ? 2 : 1;
    return n;
}

static int text_of(
    struct gpudbg *g, const struct value *v, char letter, char *buf, size_t size, struct gpudbg_error *err)
{
    uint32_t words[WORDS_MAX];
    unsigned each;
    if (!many_elements(v))
        return value_text(g, v, letter, buf, size);
    size_t n = load_elements(g, v, words, &each, err);
    if (!n)
        return -1;
    int len = snprintf(buf, size, "{");
    for (size_t i = 0; i + each <= n && (size_t)len + 64 < size; i += each) {
        struct value e = element(v, words + i, each);
        len += snprintf(buf + len, size - (size_t)len, "%s", i ? ", " : "");
        len += value_text(g, &e, letter, buf + len, size - (size_t)len);
    }
    return len + snprintf(buf + len, size - (size_t)len, "}");
}

static void value_members(struct gpudbg *g, struct gpudbg_out *out, const struct value *v, const char *text)
{
    static const char *const kinds[] = {"u", "i", "f"};
    uint32_t words[WORDS_MAX];
    struct gpudbg_error err = {0};
    unsigned each;
    char type[8];
    snprintf(type, sizeof type, "%s%u", kinds[v->type.kind], v->type.bits);
    gpudbg_out_string(out, "type_name", type);
    if (many_elements(v)) {
        size_t n = load_elements(g, v, words, &each, &err);
        gpudbg_out_array(out, "values");
        for (size_t i = 0; i + each <= n; i += each) {
            struct value e = element(v, words + i, each);
            gpudbg_out_hex(out, NULL, value_bits(&e));
        }
        gpudbg_out_close(out);
    } else {
        gpudbg_out_hex(out, "value", value_bits(v));
    }
    gpudbg_out_string(out, "text", text);
}

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
        return value_read_memory(g, g->wave, v->space, v->addr, bytes, bits / 8, err);
    if (v->place == PLACE_REGISTER && g->machine && !v->first) {
        const struct gpudbg_regfile *file = &g->machine->isa->files[v->file];
        unsigned each = (file->bits + 31u) / 32, want = (bits + 31) / 32;
        unsigned have = g->machine->isa->run->count(g->machine, v->file);
        wide.count = (uint16_t)((want + each - 1) / each);
        wide.lanes = 1;
        if (wide.reg + wide.count > have)
            return gpudbg_fail(err, "command", "$%s%u: %u registers are wanted, this launch has %u in all",
                file->name, v->reg, wide.count, have);
        n = value_words(g, g->wave, &wide, words, 32, err);
        if (!n)
            return false;
    } else {
        words[0] = (uint32_t)value_bits(v);
        words[1] = (uint32_t)(value_bits(v) >> 32);
    }
    for (size_t i = 0; i < size && i < sizeof words; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    return true;
}

static void print_word(
    struct gpudbg_out *out, const char *name, const struct gpudbg_format *format, const uint8_t *bytes)
{
    struct gpudbg_field_iter it;
    char bits[128], meaning[256], value[80] = "0x";
    size_t at = 2;
    for (unsigned i = (format->bits + 7u) / 8; i-- > 0;)
        at += (size_t)snprintf(value + at, sizeof value - at, "%02x", bytes[i]);
    gpudbg_out_print(out, "%s = %s  %s\n", name, value, format->name);
    gpudbg_out_begin(out, "register");
    gpudbg_out_string(out, "name", name);
    gpudbg_out_string(out, "format", format->name);
    gpudbg_out_string(out, "value", value);
    gpudbg_out_array(out, "fields");
    for (gpudbg_word_fields(&it, format, bytes); gpudbg_next_field(&it);) {
        field_record(out, &it);
        field_bits_text(&it, bits, sizeof bits);
        gpudbg_field_meaning(it.field, it.insn, it.value, meaning, sizeof meaning);
        gpudbg_out_print(out, "    %-20s %9s = 0x%-8" PRIx64 " %s%s%s%s\n", it.field->name, bits, it.value, meaning,
            it.field->doc ? "  (" : "", it.field->doc ? it.field->doc : "", it.field->doc ? ")" : "");
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* The layout that a format word asks for: "fields", or the letter of a view; NULL: neither. */
static const struct gpudbg_format *asked_layout(
    struct gpudbg *g, const char *format, const struct value *v, bool *asked, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->machine ? g->machine->isa : g->image ? g->image->isa : g->isa;
    *asked = true;
    if (strcmp(format, "fields") == 0) {
        const struct gpudbg_format *f = v->place == PLACE_REGISTER && isa ? isa->files[v->file].format : NULL;
        if (!f)
            gpudbg_fail(err, "command", "that has no fields; `info registers` shows what registers there are");
        return f;
    }
    for (const struct gpudbg_view *view = isa ? isa->views : NULL; view && view->letter; view++)
        if (format[0] == view->letter && !format[1])
            return view->format;
    *asked = false;
    return NULL;
}

/* The letter of an ordinary format; a letter nobody knows is an error that names those that are. */
static bool plain_letter(struct gpudbg *g, struct gpudbg_args *a, char *letter, struct gpudbg_error *err)
{
    uint64_t count;
    unsigned size;
    const struct gpudbg_isa *isa = g->machine ? g->machine->isa : g->image ? g->image->isa : g->isa;
    if (!args_letters(a, &count, letter, &size, err))
        return false;
    if (!*letter || strchr("xduotfacz", *letter))
        return true;
    char views[64] = "";
    for (const struct gpudbg_view *view = isa ? isa->views : NULL; view && view->letter; view++)
        snprintf(views + strlen(views), sizeof views - strlen(views), ", /%c %s", view->letter, view->name);
    return gpudbg_fail(err, "command", "/%s: formats are x d u o t f a c z, /fields%s", a->format, views);
}

static bool run_print(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = gpudbg_args_rest(a);
    char letter, text[TEXT_MAX];
    struct value v;
    bool asked;
    uint8_t bytes[64];
    if (!expr_value(g, *expr ? expr : "$", &v, err))
        return false;
    const struct gpudbg_format *layout = asked_layout(g, gpudbg_args_format(a), &v, &asked, err);
    if (asked) {
        if (!layout || !word_bytes(g, &v, layout->bits, bytes, sizeof bytes, err))
            return false;
        print_word(out, expr, layout, bytes);
        return true;
    }
    if (!plain_letter(g, a, &letter, err) || text_of(g, &v, letter, text, sizeof text, err) < 0)
        return false;
    unsigned number = value_remember(g, &v);
    gpudbg_out_print(out, "$%u = %s\n", number, text);
    gpudbg_out_begin(out, "value");
    gpudbg_out_number(out, "number", number);
    gpudbg_out_string(out, "expression", expr);
    value_members(g, out, &v, text);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command print = {
    .name = "print", .aliases = "p inspect", .usage = "[/FMT] EXPR", .summary = "show the value of an expression",
    .help = "FMT: x hex, d signed, u unsigned, o octal, t binary, f float, a address, c character, z hex with zeros;\n"
            "a letter of `info isa` (V, T, S, ...) shows a descriptor's fields, /fields those of a register.\n"
            "$v1 is the selected lane's, $v1[3] lane 3's, $v1[0:7] eight lanes, $v1[:] all; $s[4:7] four registers.\n"
            "`help expressions` has the whole language.",
    .family = "Data", .run = run_print, .complete = expr_complete,
};

/* ---- x ---- */

struct display {
    struct display *next;
    int number;
    char format[16];
    char text[256];
};

struct displays {
    struct display *first;
    int last;
    struct { /* how and where x goes on */
        char letter;
        unsigned size, space;
        uint64_t addr;
    } x;
};

static struct displays *displays_of(struct gpudbg *g)
{
    if (!g->displays && (g->displays = calloc(1, sizeof *g->displays)))
        g->displays->x.letter = 'x', g->displays->x.size = 4;
    return g->displays;
}

/* "0x40 <vadd+0x40>", "lds:0x10", "0x7f00 <a+0x10>". */
static void memory_name(struct gpudbg *g, unsigned space, uint64_t addr, char *buf, size_t size)
{
    char where[256];
    const struct gpudbg_segment *segment = NULL;
    for (size_t i = 0; g->machine && space == GPUDBG_GLOBAL && i < g->machine->space[space].count; i++) {
        const struct gpudbg_segment *s = g->machine->space[space].segment[i];
        if (addr >= s->base && addr - s->base < s->size)
            segment = s;
    }
    session_where(g, addr, where, sizeof where);
    if (space != GPUDBG_GLOBAL)
        snprintf(buf, size, "%s:0x%" PRIx64, g->machine ? g->machine->space[space].name : "?", addr);
    else if (strncmp(where, "0x", 2) != 0)
        snprintf(buf, size, "0x%04" PRIx64 " <%s>", addr, where);
    else if (segment && segment->name)
        snprintf(buf, size, addr == segment->base ? "0x%" PRIx64 " <%s>" : "0x%" PRIx64 " <%s+0x%" PRIx64 ">",
            addr, segment->name, addr - segment->base);
    else
        snprintf(buf, size, "0x%" PRIx64, addr);
}

static bool examine_code(
    struct gpudbg *g, struct gpudbg_out *out, uint64_t addr, uint64_t count, struct gpudbg_error *err)
{
    struct gpudbg_insn insn;
    struct code_names names;
    struct code_walk w;
    char text[1024], where[300];
    uint64_t here = location_here(g);
    if (!session_need_image(g, err))
        return false;
    const struct gpudbg_section *section = gpudbg_image_at(g->image, addr);
    code_names_plain(&names, g->image);
    code_walk_open(&w, g->image, addr, section ? section->addr + section->size : addr);
    uint64_t n = 0;
    for (; n < count && !out_broken(out) && code_walk_next(&w, &insn); n++) {
        unsigned syntax = w.is_insn ? session_syntax(g, insn.isa) : 0;
        if (w.is_insn)
            insn.isa->text(&insn, syntax, GPUDBG_READABLE, &names.names, text, sizeof text);
        else
            data_text(insn.raw, insn.size, text, sizeof text);
        memory_name(g, GPUDBG_GLOBAL, insn.addr, where, sizeof where);
        gpudbg_out_print(out, "%s %s:  %s\n", g->machine && insn.addr == here ? "=>" : "  ", where, text);
        insn_record(out, &insn, w.is_insn, syntax, &names);
    }
    if (!n)
        return gpudbg_fail(err, "command", "no code at 0x%" PRIx64, addr);
    g->displays->x.addr = w.at;
    return true;
}

static bool examine_string(
    struct gpudbg *g, struct gpudbg_out *out, unsigned space, uint64_t addr, struct gpudbg_error *err)
{
    char text[201], where[300];
    size_t n = 0;
    while (n < sizeof text - 1) {
        if (!value_read_memory(g, g->wave, space, addr + n, &text[n], 1, err)) {
            if (!n)
                return false;
            break;
        }
        if (!text[n])
            break;
        if (!isprint((unsigned char)text[n]))
            text[n] = '.';
        n++;
    }
    text[n] = 0;
    memory_name(g, space, addr, where, sizeof where);
    gpudbg_out_print(out, "%s:  \"%s\"\n", where, text);
    gpudbg_out_begin(out, "string");
    gpudbg_out_hex(out, "addr", addr);
    gpudbg_out_string(out, "text", text);
    gpudbg_out_end(out);
    g->displays->x.addr = addr + n + 1;
    return true;
}

/* One line: up to 16 bytes. */
static void examine_row(struct gpudbg *g, struct gpudbg_out *out, unsigned space, uint64_t addr,
    const uint8_t *bytes, size_t n, unsigned size, char letter)
{
    char where[300], text[128];
    memory_name(g, space, addr, where, sizeof where);
    gpudbg_out_print(out, "%s:", where);
    gpudbg_out_begin(out, "memory");
    gpudbg_out_string(out, "space", g->machine ? g->machine->space[space].name : "file");
    gpudbg_out_hex(out, "addr", addr);
    gpudbg_out_number(out, "size", (int64_t)n);
    gpudbg_out_bytes(out, "bytes", bytes, n);
    gpudbg_out_array(out, "values");
    for (size_t at = 0; at + size <= n; at += size) {
        struct value v = value_unsigned(0, 8 * size);
        uint64_t bits = 0;
        for (unsigned b = size; b-- > 0;)
            bits = bits << 8 | bytes[at + b];
        v.place = PLACE_MEMORY;
        value_set_bits(&v, bits);
        value_text(g, &v, letter == 'x' ? 'z' : letter, text, sizeof text);
        gpudbg_out_print(out, "  %s", text);
        gpudbg_out_string(out, NULL, text);
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
        if (!value_read_memory(g, g->wave, space, addr, bytes, n, &whole))
            for (got = 0;
                 got + size <= n && value_read_memory(g, g->wave, space, addr + got, bytes + got, size, err);)
                got += size;
        if (got)
            examine_row(g, out, space, addr, bytes, got, size, letter);
        addr += got;
        g->displays->x.addr = addr;
        if (got < n)
            return false; /* err says what stands in the way */
        left -= n;
    }
    return true;
}

static bool run_x(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct displays *d = displays_of(g);
    uint64_t count;
    unsigned size;
    char letter;
    struct value v;
    if (!d)
        return gpudbg_fail(err, "command", "out of memory");
    if (!args_letters(a, &count, &letter, &size, err))
        return false;
    if (letter && !strchr("xduotfaczis", letter))
        return gpudbg_fail(err, "command", "/%s: formats are x d u o t f a c z i s", a->format);
    const char *expr = gpudbg_args_rest(a);
    if (letter)
        d->x.letter = letter;
    if (size)
        d->x.size = size;
    else if (letter == 'c')
        d->x.size = 1;
    else if (letter == 'a')
        d->x.size = 8;
    if (*expr) {
        if (!expr_value(g, expr, &v, err))
            return false;
        if (v.type.kind == VALUE_FLOAT)
            return gpudbg_fail(err, "command", "%.60s: a float is no address", expr);
        d->x.addr = v.place == PLACE_MEMORY ? v.addr : v.u;
        d->x.space = v.space;
    } else if (d->x.letter == 'i' && letter) {
        d->x.addr = location_here(g);
        d->x.space = GPUDBG_GLOBAL;
    }
    if (count > EXAMINE_MAX / d->x.size)
        return gpudbg_fail(err, "command", "%" PRIu64 " units: at most %u", count, EXAMINE_MAX / d->x.size);
    if (d->x.letter == 'i')
        return examine_code(g, out, d->x.addr, count, err);
    for (; d->x.letter == 's' && count; count--)
        if (!examine_string(g, out, d->x.space, d->x.addr, err))
            return false;
    return d->x.letter == 's' || examine(g, out, d->x.space, d->x.addr, count, d->x.letter, d->x.size, err);
}

static const struct gpudbg_command x = {
    .name = "x", .usage = "[/COUNT LETTER SIZE] [ADDR]", .summary = "show memory",
    .help = "LETTER: x d u o t f a c z as in `print`, i instructions, s text up to a zero byte.  SIZE: b 1, h 2, w 4, g 8 bytes.\n"
            "x/8xw a, x/4fw lds:64, x/i $pc.  Without an address: where the last one ended, in the same way.",
    .family = "Data", .run = run_x, .complete = expr_complete,
};

/* ---- display ---- */

void displays_free(struct displays *d)
{
    for (struct display *at = d ? d->first : NULL, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    free(d);
}

/* display/i: the instruction at the address. */
static void insn_text(struct gpudbg *g, uint64_t addr, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    struct code_names names;
    char where[300];
    memory_name(g, GPUDBG_GLOBAL, addr, where, sizeof where);
    int n = snprintf(buf, size, "%s:  ", where);
    if (!g->image || !insn_at(g->image, addr, &insn)) {
        snprintf(buf + n, size - (size_t)n, "no instruction");
        return;
    }
    code_names_plain(&names, g->image);
    insn.isa->text(&insn, session_syntax(g, insn.isa), GPUDBG_READABLE, &names.names, buf + n, size - (size_t)n);
}

static int display_text(struct gpudbg *g, const struct display *d, struct value *v, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    int n = snprintf(buf, size, "%d: %s = ", d->number, d->text);
    char *text = buf + n;
    *v = value_signed(0);
    if ((size_t)n + 1 >= size)
        return n;
    if (expr_value(g, d->text, v, &err) && d->format[0] == 'i')
        insn_text(g, v->u, text, size - (size_t)n);
    else if (err.kind || text_of(g, v, d->format[0], text, size - (size_t)n, &err) < 0)
        snprintf(text, size - (size_t)n, "<%s>", err.message);
    return n;
}

bool displays_text(struct gpudbg *g, size_t i, char *buf, size_t size)
{
    struct value v;
    const struct display *d = g->displays ? g->displays->first : NULL;
    while (d && i--)
        d = d->next;
    if (d)
        display_text(g, d, &v, buf, size);
    return d != NULL;
}

static void show_one(struct gpudbg *g, struct gpudbg_out *out, const struct display *d)
{
    char text[TEXT_MAX];
    struct value v;
    int n = display_text(g, d, &v, text, sizeof text);
    gpudbg_out_print(out, "%s\n", text);
    gpudbg_out_begin(out, "display");
    gpudbg_out_number(out, "number", d->number);
    gpudbg_out_string(out, "expression", d->text);
    value_members(g, out, &v, text + n);
    gpudbg_out_end(out);
}

void displays_show(struct gpudbg *g, struct gpudbg_out *out)
{
    for (const struct display *d = g->displays ? g->displays->first : NULL; d; d = d->next)
        show_one(g, out, d);
}

static bool run_display(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = gpudbg_args_rest(a);
    struct value v;
    char letter;
    if (!*expr) {
        displays_show(g, out);
        return true;
    }
    bool code = strcmp(gpudbg_args_format(a), "i") == 0;
    if (!displays_of(g) || (!code && !plain_letter(g, a, &letter, err)))
        return false;
    if (code)
        letter = 'i';
    if (strlen(expr) >= sizeof g->displays->first->text)
        return gpudbg_fail(err, "command", "an expression of %zu letters: at most %zu", strlen(expr),
            sizeof g->displays->first->text - 1);
    if (g->machine && !expr_value(g, expr, &v, err))
        return false;
    struct display *d = calloc(1, sizeof *d), **at = &g->displays->first;
    if (!d)
        return gpudbg_fail(err, "command", "out of memory");
    d->number = ++g->displays->last;
    d->format[0] = letter;
    strcpy(d->text, expr);
    while (*at)
        at = &(*at)->next;
    *at = d;
    if (g->machine)
        show_one(g, out, d);
    return true;
}

static const struct gpudbg_command display = {
    .name = "display", .usage = "[/FMT] [EXPR]", .summary = "show an expression now and whenever the machine stops",
    .help = "FMT as in `print`, and i: the instruction at the address, as in display/i $pc.\n"
            "Without an expression: shows all of them now.  `undisplay N` ends one.", .family = "Data", .run = run_display,
    .complete = expr_complete,
};

static bool run_undisplay(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    uint64_t number;
    if (!*gpudbg_args_rest(a)) {
        displays_free(g->displays);
        g->displays = NULL;
        return true;
    }
    while (*gpudbg_args_rest(a)) {
        if (!gpudbg_args_number(a, &number, err))
            return false;
        struct display **at = g->displays ? &g->displays->first : NULL;
        while (at && *at && (uint64_t)(*at)->number != number)
            at = &(*at)->next;
        if (!at || !*at)
            return gpudbg_fail(err, "command", "no display %" PRIu64, number);
        struct display *gone = *at;
        *at = gone->next;
        free(gone);
    }
    return true;
}

static const struct gpudbg_command undisplay = {
    .name = "undisplay", .usage = "[N]...", .summary = "end displays; without a number, all", .family = "Data", .run = run_undisplay,
};

/* ---- info display ---- */

static int cell_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%d", ((const struct display *)row)->number);
}

static int cell_format(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct display *)row)->format);
}

static int cell_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct display *)row)->text);
}

static const struct gpudbg_column columns[] = {
    {"number", "n", 0, GPUDBG_COUNT, cell_number},
    {"format", "format", 0, GPUDBG_PLAIN, cell_format},
    {"expression", "expression", 0, GPUDBG_PLAIN, cell_text},
};

static bool display_rows(
    struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    (void)err;
    for (const struct display *d = g->displays ? g->displays->first : NULL; d && each(to, d);)
        d = d->next;
    return true;
}

static const struct gpudbg_listing display_listing = {
    .name = "display", .summary = "expressions that are shown at each stop", .type = "displayed", .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns, .rows = display_rows, .empty = "no displays",
};

static const struct gpudbg_command *const commands[] = {&print, &x, &display, &undisplay, NULL};
static const struct gpudbg_listing *const listings[] = {&display_listing, NULL};
COMMAND_FAMILY(
    cmd_data, "data", .summary = "commands that show data", .commands = commands, .listings = listings);
