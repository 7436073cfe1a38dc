/* SPDX-License-Identifier: GPL-3.0-or-later */
/* records.c: instructions, their fields and data, as records and in the words of assemblers; see records.h. */
#include "gpudbg/text.h"
#include "code/records.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int insn_syntax(const struct gpudbg_isa *isa, const char *name)
{
    if (!*name || !isa->syntaxes) return 0;
    for (int i = 0; isa->syntaxes[i]; i++)
        if (strcmp(isa->syntaxes[i], name) == 0) return i;
    return -1;
}

unsigned insn_syntax_or_first(const struct gpudbg_isa *isa, const char *name)
{
    const int syntax = insn_syntax(isa, name);
    return syntax < 0 ? 0 : (unsigned)syntax;
}

/* ---- Data ---- */

static size_t put_byte(char *buf, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    buf[0] = digits[byte >> 4];
    buf[1] = digits[byte & 15];
    return 2;
}

int data_text(const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    size_t unit = n % 4 == 0 ? 4 : 1, len = 6;
    if (size < 6 + n / unit * (2 * unit + 4) + 1) {
        snprintf(buf, size, "// %zu bytes", n);
        return -1;
    }
    memcpy(buf, unit == 4 ? ".long " : ".byte ", 6);
    for (size_t i = 0; i < n; i += unit) {
        if (i) {
            buf[len++] = ',';
            buf[len++] = ' ';
        }
        buf[len++] = '0';
        buf[len++] = 'x';
        for (size_t b = unit; b-- > 0;) len += put_byte(buf + len, bytes[i + b]);
    }
    buf[len] = 0;
    return (int)len;
}

/* ---- Records ---- */

static unsigned run_count(const struct gpudbg_field *f)
{
    unsigned n = 0;
    while (n < GPUDBG_RUNS && f->run[n].len) n++;
    return n;
}

int field_bits_text(const struct gpudbg_field_iter *it, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = run_count(it->field); i-- > 0;) {
        unsigned lo = it->bit + it->field->run[i].lo;
        text_add(&t, "%s%u:%u", t.n ? "," : "", lo + it->field->run[i].len - 1, lo);
    }
    return text_length(&t);
}

void field_ends(const struct gpudbg_field_iter *it, unsigned *lo, unsigned *hi)
{
    *lo = UINT32_MAX;
    *hi = 0;
    for (unsigned i = 0; i < run_count(it->field); i++) {
        unsigned a = it->bit + it->field->run[i].lo, b = a + it->field->run[i].len - 1;
        *lo = a < *lo ? a : *lo;
        *hi = b > *hi ? b : *hi;
    }
}

void field_record(struct gpudbg_out *out, const struct gpudbg_field_iter *it)
{
    char text[256];
    unsigned lo, hi;
    gpudbg_out_object(out, NULL);
    gpudbg_out_string(out, "word", it->format->name);
    gpudbg_out_string(out, "name", it->field->name);
    field_ends(it, &lo, &hi);
    gpudbg_out_number(out, "lo", lo);
    gpudbg_out_number(out, "hi", hi);
    field_bits_text(it, text, sizeof text);
    gpudbg_out_string(out, "bits", text);
    gpudbg_out_hex(out, "value", it->value);
    gpudbg_field_meaning(it->field, it->insn, it->value, text, sizeof text);
    gpudbg_out_string(out, "meaning", text);
    if (it->derived) gpudbg_out_bool(out, "derived", true);
    gpudbg_out_close(out);
}

static void operand_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, unsigned i)
{
    static const char *const kinds[] = {"register", "integer", "number", "literal", "code", "memory", "special"};
    const struct gpudbg_operand *o = &insn->operands[i];
    char text[256] = "";
    if (insn->isa->operand_text) insn->isa->operand_text(insn, i, text, sizeof text);
    gpudbg_out_object(out, NULL);
    gpudbg_out_string(out, "text", text);
    gpudbg_out_string(out, "kind", o->kind < sizeof kinds / sizeof *kinds ? kinds[o->kind] : "special");
    if (o->kind == GPUDBG_REGISTER && o->file < insn->isa->nfiles) {
        gpudbg_out_string(out, "file", insn->isa->files[o->file].name);
        const char *parts = insn->isa->files[o->file].parts; /* one register, however many of its parts count */
        gpudbg_out_number(out, "register", parts ? o->reg / (int64_t)strlen(parts) : o->reg);
        gpudbg_out_number(out, "count", parts ? 1 : o->count);
    } else if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL ||
               o->kind == GPUDBG_CODE) {
        gpudbg_out_hex(out, "value", (uint64_t)o->imm);
    }
    gpudbg_out_bool(out, "read", o->flags & GPUDBG_READ);
    gpudbg_out_bool(out, "write", o->flags & GPUDBG_WRITE);
    if (o->flags & GPUDBG_IMPLICIT) gpudbg_out_bool(out, "implicit", true);
    gpudbg_out_close(out);
}

static void data_record(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    gpudbg_out_begin(out, "data");
    gpudbg_out_hex(out, "addr", insn->addr);
    gpudbg_out_number(out, "size", insn->size);
    gpudbg_out_bytes(out, "bytes", insn->raw, insn->size);
    gpudbg_out_end(out);
}

/* Only instructions that break a rule have the member. */
static void problems_record(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    struct gpudbg_problem problem[INSN_PROBLEMS];
    unsigned n = insn->isa->rules.problems ? insn->isa->rules.problems(insn, problem, INSN_PROBLEMS) : 0;
    if (!n) return;
    gpudbg_out_array(out, "problems");
    for (unsigned i = 0; i < n; i++) {
        gpudbg_out_object(out, NULL);
        gpudbg_out_string(out, "rule", problem[i].rule);
        gpudbg_out_string(out, "text", problem[i].text);
        gpudbg_out_string(out, "source", problem[i].source);
        gpudbg_out_close(out);
    }
    gpudbg_out_close(out);
}

void insn_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, bool is_insn, unsigned syntax,
    const struct code_names *names)
{
    struct gpudbg_field_iter it;
    char text[512] = "";
    if (!is_insn) {
        data_record(out, insn);
        return;
    }
    const struct gpudbg_names *n = names ? &names->names : NULL;
    int need = insn->isa->text(insn, syntax, GPUDBG_READABLE, n, text, sizeof text);
    char *whole = need >= (int)sizeof text ? malloc((size_t)need + 1) : NULL;
    if (whole) insn->isa->text(insn, syntax, GPUDBG_READABLE, n, whole, (size_t)need + 1);
    gpudbg_out_begin(out, "insn");
    gpudbg_out_hex(out, "addr", insn->addr);
    gpudbg_out_number(out, "size", insn->size);
    gpudbg_out_bytes(out, "bytes", insn->raw, insn->size);
    gpudbg_out_string(out, "isa", insn->isa->name);
    gpudbg_out_string(out, "mnemonic", insn->op->name);
    gpudbg_out_string(out, "text", whole ? whole : text);
    free(whole);
    gpudbg_out_array(out, "fields");
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) field_record(out, &it);
    gpudbg_out_close(out);
    gpudbg_out_array(out, "operands");
    for (unsigned i = 0; i < insn->noperands; i++) operand_record(out, insn, i);
    gpudbg_out_close(out);
    problems_record(out, insn);
    gpudbg_out_end(out);
}

void insn_print_fields(struct gpudbg_out *out, const struct gpudbg_insn *insn, const char *indent)
{
    struct gpudbg_field_iter it;
    char bits[128], meaning[256];
    if (!insn->op && insn->nparts && insn->parts[0].format->bits > insn->size * 8)
        return; /* the layout is recognised, but its word is cut off */
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        field_bits_text(&it, bits, sizeof bits);
        gpudbg_field_meaning(it.field, it.insn, it.value, meaning, sizeof meaning);
        gpudbg_out_print(out, "%s%-8s %-12s %7s = 0x%-8" PRIx64 " %s%s%s%s\n", indent, it.format->name, it.field->name,
            bits, it.value, meaning, it.field->doc ? "  (" : "", it.field->doc ? it.field->doc : "",
            it.field->doc ? ")" : "");
    }
}
