/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and addresses as commands show them; see show.h. */
#include "show.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "machine.h"
#include "session.h"

#define WORDS_MAX 2048 /* 32 registers of 64 lanes */

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

int show_text(
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

void show_members(struct gpudbg *g, struct gpudbg_out *out, const struct value *v, const char *text)
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

/* The letter of an ordinary format; a letter nobody knows is an error that names those that are. */
bool show_letter(struct gpudbg *g, struct gpudbg_args *a, char *letter, struct gpudbg_error *err)
{
    uint64_t count;
    unsigned size;
    const struct gpudbg_isa *isa = g->machine ? g->machine->isa : g->image ? g->image->isa : g->isa;
    if (!args_letters(a, &count, letter, &size, err))
        return false;
    if (*letter == 's') /* text, where there is any; else the value's own form */
        *letter = 0;
    if (!*letter || strchr("xduotfacz", *letter))
        return true;
    char views[64] = "";
    for (const struct gpudbg_view *view = isa ? isa->views : NULL; view && view->letter; view++)
        snprintf(views + strlen(views), sizeof views - strlen(views), ", /%c %s", view->letter, view->name);
    return gpudbg_fail(err, "command", "/%s: formats are x d u o t f a c z, /fields%s", a->format, views);
}

/* "0x40 <vadd+0x40>", "lds:0x10", "0x7f00 <a+0x10>". */
void show_address(struct gpudbg *g, unsigned space, uint64_t addr, char *buf, size_t size)
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
