/* SPDX-License-Identifier: GPL-3.0-or-later */
/* records.c: instructions, their fields and data, as records and in the words of assemblers; see records.h. */
#include "gpudbg/text.h"
#include "code/records.h"
#include "out/say.h"
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

void field_record(struct gpudbg_out *out, const struct gpudbg_field_iter *it, const char *line)
{
    char bits[128], meaning[256];
    unsigned lo, hi;
    if (!line && !gpudbg_out_json(out)) return;
    field_ends(it, &lo, &hi);
    field_bits_text(it, bits, sizeof bits);
    gpudbg_field_meaning(it->field, it->insn, it->value, meaning, sizeof meaning);
    ITEM(out, NULL, line, STRING("word", it->format->name), STRING("name", it->field->name), NUMBER("lo", lo),
        NUMBER("hi", hi), STRING("bits", bits), HEX("value", it->value), STRING("meaning", meaning),
        FLAG("derived", it->derived), TEXT("doc", it->field->doc));
}

void insn_fields_say(struct gpudbg_out *out, const struct gpudbg_insn *insn, const char *indent)
{
    struct gpudbg_field_iter it;
    if (!insn->op && insn->nparts && insn->parts[0].format->bits > insn->size * 8)
        return; /* the layout is recognised, but its word is cut off */
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        gpudbg_out_print(out, "%s", indent);
        field_record(out, &it, "{word:-8} {name:-12} {bits:7} = {value:-10} {meaning}[  ({doc})]\n");
    }
}

static void operand_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, unsigned i)
{
    static const char *const kinds[] = {"register", "integer", "number", "literal", "code", "memory", "special"};
    const struct gpudbg_operand *o = &insn->operands[i];
    const bool is_register = o->kind == GPUDBG_REGISTER && o->file < insn->isa->nfiles;
    const struct gpudbg_regfile *file = is_register ? &insn->isa->files[o->file] : NULL;
    const char *parts = file ? file->parts : NULL; /* one register, however many of its parts count */
    const bool is_value = o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL ||
                          o->kind == GPUDBG_CODE;
    char text[256] = "";
    if (insn->isa->operand_text) insn->isa->operand_text(insn, i, text, sizeof text);
    ITEM(out, NULL, NULL, STRING("text", text),
        STRING("kind", o->kind < sizeof kinds / sizeof *kinds ? kinds[o->kind] : "special"),
        STRING("file", file ? file->name : NULL),
        IF(file, NUMBER("register", parts ? o->reg / (int64_t)strlen(parts) : o->reg)),
        IF(file, NUMBER("count", parts ? 1 : o->count)), IF(is_value, HEX("value", (uint64_t)o->imm)),
        BOOL("read", o->flags & GPUDBG_READ), BOOL("write", o->flags & GPUDBG_WRITE),
        FLAG("implicit", o->flags & GPUDBG_IMPLICIT));
}

/* The operands that have this flag, as text; NULL: there are none. */
static const char *operands_text(const struct gpudbg_insn *insn, unsigned flag, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    char text[256];
    bool any = false;
    for (unsigned i = 0; i < insn->noperands; i++) {
        if (!(insn->operands[i].flags & flag) || !insn->isa->operand_text) continue;
        *text = 0;
        insn->isa->operand_text(insn, i, text, sizeof text);
        text_add(&t, "%s%s", any ? ", " : "", text);
        any = true;
    }
    return any ? buf : NULL;
}

static void operand_records(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    char reads[4096], writes[4096];
    gpudbg_out_array(out, "operands");
    for (unsigned i = 0; gpudbg_out_json(out) && i < insn->noperands; i++) operand_record(out, insn, i);
    gpudbg_out_close(out);
    SAY(out, "[    reads    {reads}\n][    writes   {writes}\n]",
        TEXT("reads", operands_text(insn, GPUDBG_READ, reads, sizeof reads)),
        TEXT("writes", operands_text(insn, GPUDBG_WRITE, writes, sizeof writes)));
}

/* Only instructions that break a rule have the member. */
static void problem_records(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    struct gpudbg_problem problem[INSN_PROBLEMS];
    unsigned n = insn->isa->rules.problems ? insn->isa->rules.problems(insn, problem, INSN_PROBLEMS) : 0;
    if (!n) return;
    gpudbg_out_array(out, "problems");
    for (unsigned i = 0; i < n; i++)
        ITEM(out, NULL, "    breaks   {rule}: {text}  ({source})\n", STRING("rule", problem[i].rule),
            STRING("text", problem[i].text), STRING("source", problem[i].source));
    gpudbg_out_close(out);
}

static void data_record(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    char text[2048];
    data_text(insn->raw, insn->size, text, sizeof text);
    BEGIN(out, "data", "{addr:x04}: {text}    // no instruction\n", HEX("addr", insn->addr), NUMBER("size", insn->size),
        BYTES("bytes", insn->raw, insn->size), TEXT("text", text));
    gpudbg_out_end(out);
    if (!gpudbg_out_json(out)) insn_fields_say(out, insn, "    ");
}

void insn_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, bool is_insn, unsigned syntax,
    const struct code_names *names)
{
    char text[512] = "";
    if (!is_insn) {
        data_record(out, insn);
        return;
    }
    const struct gpudbg_names *n = names ? &names->names : NULL;
    int need = insn->isa->text(insn, syntax, GPUDBG_READABLE, n, text, sizeof text);
    char *whole = need >= (int)sizeof text ? malloc((size_t)need + 1) : NULL;
    if (whole) insn->isa->text(insn, syntax, GPUDBG_READABLE, n, whole, (size_t)need + 1);
    BEGIN(out, "insn", "{addr:x04}: {text}\n", HEX("addr", insn->addr), NUMBER("size", insn->size),
        BYTES("bytes", insn->raw, insn->size), STRING("isa", insn->isa->name), STRING("mnemonic", insn->op->name),
        STRING("text", whole ? whole : text));
    free(whole);
    gpudbg_out_array(out, "fields");
    insn_fields_say(out, insn, "    ");
    gpudbg_out_close(out);
    operand_records(out, insn);
    problem_records(out, insn);
    if (insn->op->doc) gpudbg_out_print(out, "    %s\n", insn->op->doc);
    gpudbg_out_end(out);
}
