/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.c: what must hold for every row of every instruction set, whatever it is.  Without arguments those that are
 * built in, and the toy of plugins/; with arguments those of the plug-ins named:
 *
 *     build/t/core/rows ./mine.so
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include "decoders/decoders.h"
#include "gpudbg.h"
#include "word/registry.h"
#include "tap.h"

/* How many checks failed, and the first of them, for one line of TAP a rule. */
struct rule {
    unsigned checked, failed;
    char first[400];
};

static void check(struct rule *rule, bool pass, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void check(struct rule *rule, bool pass, const char *fmt, ...)
{
    rule->checked++;
    if (pass || rule->failed++) return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(rule->first, sizeof rule->first, fmt, ap);
    va_end(ap);
}

static void report(const struct rule *rule, const struct gpudbg_isa *isa, const char *name)
{
    /* A set that is only read may have nothing of a kind. */
    ok((rule->checked || !isa->run) && !rule->failed, "%s: %s (%u checked)", isa->name, name, rule->checked);
    if (rule->failed) fprintf(stderr, "#   %u failed, the first: %s\n", rule->failed, rule->first);
}

static void put_bits(uint8_t *bytes, const struct gpudbg_run *run, uint64_t value)
{
    for (unsigned r = 0; r < GPUDBG_RUNS && run[r].len; r++)
        for (unsigned b = run[r].lo; b < (unsigned)run[r].lo + run[r].len; b++, value >>= 1) {
            bytes[b / 8] &= (uint8_t) ~(1u << b % 8);
            bytes[b / 8] |= (uint8_t)((value & 1) << b % 8);
        }
}

static unsigned width_of(const struct gpudbg_field *field)
{
    unsigned width = 0;
    for (unsigned r = 0; r < GPUDBG_RUNS && field->run[r].len; r++) width += field->run[r].len;
    return width;
}

static const struct gpudbg_field *opcode_field(const struct gpudbg_format *format)
{
    for (size_t i = 0; i < format->count; i++)
        if (format->fields[i].kind == GPUDBG_OPCODE) return &format->fields[i];
    return NULL;
}

/* The plainest word of a row: its format's fixed bits, its opcode, zeros. */
static void word_of_row(const struct gpudbg_row *row, uint8_t bytes[64])
{
    memset(bytes, 0, 64);
    for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(row->format->match[i / 8] >> (i % 8 * 8));
    const struct gpudbg_field *code = opcode_field(row->format);
    if (code) put_bits(bytes, code->run, (uint64_t)row->code);
}

/* A row that the set has, from the n-th on. */
static const struct gpudbg_row *any_row(const struct gpudbg_isa *isa, size_t n)
{
    while (!gpudbg_has_op(isa, n % isa->nops)) n++;
    return &isa->rows[n % isa->nops];
}

static bool is_bare_number(const char *text) { return text[strspn(text, "0123456789")] == 0; }

/* ---- Opcodes ---- */

static void test_ops(const struct gpudbg_isa *isa)
{
    struct rule itself = {0}, again = {0}, text = {0}, docs = {0}, plain = {0}, named = {0};
    for (size_t i = 0; i < isa->nops; i++) {
        const struct gpudbg_op *op = &isa->ops[i];
        uint8_t bytes[64], other[64];
        struct gpudbg_insn insn;
        if (!gpudbg_has_op(isa, i)) continue;
        char buf[512];
        word_of_row(&isa->rows[i], bytes);
        int size = isa->decode(isa, bytes, sizeof bytes, 0, &insn);
        check(&itself, size > 0 && insn.op == op, "%s decodes to %s", op->name, size > 0 ? insn.op->name : "nothing");
        check(&named, op->id == i && op->name[0] && op->operands[0] && op->source[0],
            "row %zu (%s) lacks its number or a string", i, op->name);
        if (size > 0)
            check(&text,
                isa->text(&insn, 0, GPUDBG_READABLE, NULL, buf, sizeof buf) > 0 &&
                    strncmp(buf, op->name, strlen(op->name)) == 0,
                "%s is written %s", op->name, buf);
        check(&docs, op->doc && strlen(op->doc) > 10 && op->doc[strlen(op->doc) - 1] == '.', "%s has no sentence",
            op->name);
        check(&plain, op->doc && !strstr(op->doc, "lanes_"), "%s: %s", op->name, op->doc);
        for (size_t j = 0; j < i; j++) {
            if (!gpudbg_has_op(isa, j)) continue;
            word_of_row(&isa->rows[j], other);
            check(&again, memcmp(bytes, other, sizeof bytes) != 0, "%s and %s are the same word", op->name,
                isa->ops[j].name);
            check(&docs, strcmp(op->doc, isa->ops[j].doc) != 0, "%s and %s have the same sentence", op->name,
                isa->ops[j].name);
        }
    }
    report(&itself, isa, "every row decodes to itself");
    report(&again, isa, "no two rows match one word");
    report(&named, isa, "every row has its number, a name, operands and a source");
    report(&text, isa, "every row is written with its name");
    report(&docs, isa, "every row has a sentence of its own");
    report(&plain, isa, "no sentence speaks of functions of this program");
}

/* ---- Fields ---- */

static void test_coverage(struct rule *rule, const struct gpudbg_format *format)
{
    unsigned seen[256] = {0};
    for (size_t i = 0; i < format->count; i++)
        for (unsigned r = 0; r < GPUDBG_RUNS && format->fields[i].run[r].len; r++)
            for (unsigned b = 0; b < format->fields[i].run[r].len; b++) {
                unsigned bit = format->fields[i].run[r].lo + b;
                check(rule, bit < format->bits, "%s.%s: bit %u is outside", format->name, format->fields[i].name, bit);
                if (bit < 256) seen[bit]++;
            }
    for (unsigned b = 0; b < format->bits; b++)
        check(rule, seen[b] == 1, "%s (%s): bit %u is in %u fields", format->name, format->doc, b, seen[b]);
}

static void test_docs(struct rule *rule, const struct gpudbg_format *format)
{
    check(rule, format->doc && format->doc[0] && format->source && format->source[0], "%s is not described",
        format->name);
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *field = &format->fields[i];
        check(rule, field->doc && field->doc[0] && strcmp(field->doc, field->name) != 0, "%s.%s is not described",
            format->name, field->name);
        if (strcmp(field->name, "-") == 0) continue; /* reserved bits may be said to be so in the same words */
        for (size_t j = 0; j < i; j++) {
            check(rule, strcmp(field->name, format->fields[j].name) != 0, "%s has two fields %s", format->name,
                field->name);
            check(rule, field->doc == NULL || strcmp(field->doc, format->fields[j].doc) != 0,
                "%s: %s and %s are described alike", format->name, field->name, format->fields[j].name);
        }
    }
}

static void test_fixed_bits(struct rule *rule, const struct gpudbg_format *format)
{
    for (unsigned i = 0; i < 2; i++) {
        check(rule, !(format->match[i] & ~format->mask[i]), "%s asks for bits outside its mask", format->name);
        for (unsigned b = format->bits > 64 * i ? format->bits - 64 * i : 0; b < 64; b++)
            check(rule, !(format->mask[i] >> b & 1), "%s: its mask is wider than the word", format->name);
    }
}

static void test_enums_of(struct rule *rule, const struct gpudbg_format *format)
{
    char buf[256];
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *field = &format->fields[i];
        if (field->kind != GPUDBG_ENUM || width_of(field) > 12) continue;
        check(rule, field->meaning || field->describe, "%s.%s has no names", format->name, field->name);
        for (uint64_t v = 0; v < (uint64_t)1 << width_of(field); v++) {
            gpudbg_field_meaning(field, NULL, v, buf, sizeof buf);
            check(rule, buf[0] && !is_bare_number(buf), "%s.%s = %u is shown as \"%s\"", format->name, field->name,
                (unsigned)v, buf);
        }
    }
}

static void test_meanings(struct rule *rule, const struct gpudbg_isa *isa)
{
    for (size_t i = 0; i < isa->nops; i++) {
        uint8_t bytes[64];
        struct gpudbg_insn insn;
        struct gpudbg_field_iter it;
        char buf[256];
        if (!gpudbg_has_op(isa, i)) continue;
        word_of_row(&isa->rows[i], bytes);
        if (isa->decode(isa, bytes, sizeof bytes, 0, &insn) <= 0) continue;
        gpudbg_insn_fields(&it, &insn);
        while (gpudbg_next_field(&it)) {
            gpudbg_field_meaning(it.field, &insn, it.value, buf, sizeof buf);
            check(rule, buf[0], "%s: %s means nothing", isa->ops[i].name, it.field->name);
            if (it.field->kind == GPUDBG_OPCODE)
                check(rule, strcmp(buf, isa->ops[i].name) == 0, "%s: its opcode means %s", isa->ops[i].name, buf);
        }
    }
}

static void test_formats(const struct gpudbg_isa *isa)
{
    struct rule coverage = {0}, docs = {0}, fixed = {0}, enums = {0}, meanings = {0};
    for (const struct gpudbg_format *const *f = isa->formats; *f; f++) {
        test_coverage(&coverage, *f);
        test_docs(&docs, *f);
        test_fixed_bits(&fixed, *f);
        test_enums_of(&enums, *f);
    }
    test_meanings(&meanings, isa);
    report(&coverage, isa, "every bit of every word is in one field");
    report(&docs, isa, "every field has a description of its own");
    report(&fixed, isa, "fixed bits lie inside their words");
    if (enums.checked || isa->traits.enums) report(&enums, isa, "no enumerated value shows as a bare number");
    report(&meanings, isa, "every field of every row means something");
}

static void test_enums(const struct gpudbg_isa *isa)
{
    struct rule rule = {0};
    for (const struct gpudbg_enum *const *e = isa->traits.enums; e && *e; e++) {
        check(&rule, (*e)->name && (*e)->source && (*e)->count, "an enumeration is empty");
        for (size_t i = 0; i < (*e)->count; i++) {
            check(&rule, (*e)->values[i].name && (*e)->values[i].name[0], "%s: %u has no name", (*e)->name,
                (unsigned)(*e)->values[i].value);
            for (size_t j = 0; j < i; j++)
                check(&rule,
                    (*e)->values[i].value != (*e)->values[j].value ||
                        strcmp((*e)->values[i].name, (*e)->values[j].name) != 0,
                    "%s has %s twice", (*e)->name, (*e)->values[i].name);
        }
    }
    if (isa->traits.enums && *isa->traits.enums) report(&rule, isa, "enumerated values have names");
}

/* ---- Bytes ---- */

static uint64_t seed = 0x243f6a8885a308d3;

static uint64_t random64(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* The bytes of an instruction come back from its fields, and its words' fixed bits are as the layout says. */
static void rebuild(struct rule *rule, const struct gpudbg_isa *isa, const struct gpudbg_insn *insn)
{
    uint8_t bytes[1024] = {0};
    uint8_t times[8192] = {0};
    struct gpudbg_field_iter it;
    if (insn->size > sizeof bytes) return;
    gpudbg_insn_fields(&it, insn);
    while (gpudbg_next_field(&it)) {
        if (it.derived) continue;
        uint64_t value = it.value;
        for (unsigned r = 0; r < GPUDBG_RUNS && it.field->run[r].len; r++)
            for (unsigned b = 0; b < it.field->run[r].len; b++, value >>= 1) {
                unsigned bit = it.bit + it.field->run[r].lo + b;
                if (bit >= 8 * insn->size) {
                    check(rule, false, "%s: a field lies outside", insn->op->name);
                    return;
                }
                times[bit]++;
                bytes[bit / 8] |= (uint8_t)((value & 1) << bit % 8);
            }
    }
    for (unsigned b = 0; b < 8 * insn->size; b++)
        check(rule, times[b] == 1, "%s %s: bit %u is in %u fields", isa->name, insn->op->name, b, times[b]);
    check(rule, memcmp(bytes, insn->raw, insn->size) == 0, "%s: its fields give other bytes", insn->op->name);
}

/* Random words, and every row with random operands. */
static void test_bytes(const struct gpudbg_isa *isa)
{
    struct rule same = {0}, sizes = {0}, prefix = {0}, lacked = {0};
    for (unsigned n = 0; n < 200000 / tap_sample(); n++) {
        uint8_t bytes[64];
        struct gpudbg_insn insn, shorter;
        for (unsigned i = 0; i < 8; i++) {
            uint64_t r = random64();
            memcpy(bytes + 8 * i, &r, 8);
        }
        if (n & 1) {
            const struct gpudbg_row *row = any_row(isa, n / 2);
            const struct gpudbg_field *code = opcode_field(row->format);
            for (unsigned i = 0; i < 16; i++) {
                uint8_t mask = (uint8_t)(row->format->mask[i / 8] >> (i % 8 * 8));
                bytes[i] = (uint8_t)((bytes[i] & ~mask) | (row->format->match[i / 8] >> (i % 8 * 8) & mask));
            }
            if (code) put_bits(bytes, code->run, (uint64_t)row->code);
        }
        int size = isa->decode(isa, bytes, sizeof bytes, 0x1000, &insn);
        if (size <= 0) {
            check(&sizes, gpudbg_insn_at(isa, bytes, sizeof bytes, 0x1000, &insn) == false && insn.size > 0,
                "a walk makes no progress");
            continue;
        }
        check(&lacked, gpudbg_has_op(isa, insn.op->id), "%s is decoded", insn.op->name);
        check(&sizes, insn.size == (uint32_t)size && size % isa->align == 0, "%s: %d bytes", insn.op->name, size);
        for (int k = 0; k < size; k++)
            check(&prefix, isa->decode(isa, bytes, (size_t)k, 0x1000, &shorter) == GPUDBG_SHORT,
                "%s is taken from %d bytes", insn.op->name, k);
        rebuild(&same, isa, &insn);
    }
    report(&lacked, isa, "no bytes are an operation that the set lacks");
    report(&sizes, isa, "random bytes decode in whole units");
    report(&prefix, isa, "an instruction cut short is too short");
    report(&same, isa, "fields give the bytes back");
}

/* The first bytes of commands often hold their length: with some lengths in them, long ones show their later dwords. */
static void test_long(const struct gpudbg_isa *isa)
{
    static const uint8_t lengths[] = {14, 30, 62, 126, 254};
    static uint8_t bytes[1024];
    struct rule same = {0}, names = {0};
    for (size_t n = 0; n < isa->nops * sizeof lengths; n++) {
        const struct gpudbg_row *row = &isa->rows[n / sizeof lengths];
        struct gpudbg_field_iter a, b;
        struct gpudbg_insn insn;
        if (!gpudbg_has_op(isa, n / sizeof lengths)) continue;
        for (unsigned i = 64; i < sizeof bytes; i++) bytes[i] = (uint8_t)(random64() >> 20);
        word_of_row(row, bytes);
        bytes[0] |= lengths[n % sizeof lengths];
        if (isa->decode(isa, bytes, sizeof bytes, 0x1000, &insn) <= 64) continue;
        rebuild(&same, isa, &insn);
        gpudbg_insn_fields(&a, &insn);
        while (gpudbg_next_field(&a)) {
            if (a.derived || a.repeat || a.field->kind == GPUDBG_MBZ || strcmp(a.field->name, "-") == 0) continue;
            unsigned alike = 0;
            gpudbg_insn_fields(&b, &insn);
            while (gpudbg_next_field(&b)) alike += b.bit == a.bit && strcmp(a.field->name, b.field->name) == 0;
            check(&names, alike == 1, "%s: a dword has %u fields %s", insn.op->name, alike, a.field->name);
        }
    }
    if (!same.checked) return;
    report(&same, isa, "fields of long commands give the bytes back");
    report(&names, isa, "no dword of a long command has two fields of one name");
}

static void random_bytes(uint64_t *noise, uint8_t bytes[32])
{
    for (unsigned i = 0; i < 32; i++) {
        *noise = *noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (uint8_t)(*noise >> 40);
    }
}

/* The bits that make them an instruction of the row. */
static void be_of_row(const struct gpudbg_row *row, uint8_t bytes[32])
{
    const struct gpudbg_field *code = opcode_field(row->format);
    for (unsigned i = 0; i < 16; i++) {
        uint8_t mask = (uint8_t)(row->format->mask[i / 8] >> (i % 8 * 8));
        bytes[i] = (uint8_t)((bytes[i] & ~mask) | (row->format->match[i / 8] >> (i % 8 * 8) & mask));
    }
    if (code) put_bits(bytes, code->run, (uint64_t)row->code);
}

static bool same_region(const struct gpudbg_footprint *a, const struct gpudbg_footprint *b)
{
    if (strcmp(a->role, b->role) || strcmp(a->type, b->type) || a->part != b->part || a->file != b->file) return false;
    if (a->size != b->size || a->stored != b->stored || a->n != b->n) return false;
    for (unsigned i = 0; i < a->n; i++) {
        const struct gpudbg_element *x = &a->element[i], *y = &b->element[i];
        if (x->at != y->at || x->size != y->size || x->lane != y->lane || x->off != y->off) return false;
    }
    return true;
}

/* Regions with text and without it are the same regions. */
static void test_regions(const struct gpudbg_isa *isa)
{
    static struct gpudbg_footprint with[GPUDBG_FOOTPRINTS], without[GPUDBG_FOOTPRINTS];
    struct rule same = {0};
    uint64_t noise = 7;
    if (!isa->regions.footprints && !isa->regions.elements) return;
    const bool both = isa->regions.footprints && isa->regions.elements;
    check(&same, both, "footprints or elements is not there");
    for (unsigned n = 0; both && n < 100000; n++) {
        struct gpudbg_insn insn;
        uint8_t bytes[32];
        random_bytes(&noise, bytes);
        be_of_row(any_row(isa, n), bytes);
        if (isa->decode(isa, bytes, sizeof bytes, 0x1000, &insn) <= 0) continue;
        const unsigned a = isa->regions.footprints(&insn, NULL, with, GPUDBG_FOOTPRINTS),
                       b = isa->regions.elements(&insn, NULL, without, GPUDBG_FOOTPRINTS);
        bool alike = a == b;
        for (unsigned i = 0; alike && i < a; i++) alike = same_region(&with[i], &without[i]);
        check(&same, alike, "%s: %u regions, %u without text", insn.op->name, a, b);
    }
    report(&same, isa, "regions without text are the same regions");
}

static const char *name_all(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    (void)names;
    snprintf(buf, size, "at_%llx", (unsigned long long)addr);
    return buf;
}

/* `print` in a syntax and style; 0 in place of a text is right, but for what is READABLE.  Every fourth instruction
 * names its targets, and comes once more, at another address. */
static void test_print(const struct gpudbg_isa *isa, unsigned syntax, enum gpudbg_style style)
{
    struct rule text = {0}, plain = {0};
    void *printer = isa->fast.printer ? isa->fast.printer(isa, syntax, style) : NULL;
    uint64_t noise = 5 + style;
    if (!printer) return;
    uint8_t bytes[32] = {0};
    for (unsigned n = 0; n < (style ? 100000 : 200000); n++) {
        struct gpudbg_insn insn;
        char want[2048], got[GPUDBG_PRINT];
        size_t len = 0;
        bool ascii = true;
        if (n % 4 != 3) random_bytes(&noise, bytes);
        if (n % 8 && n % 4 != 3) be_of_row(any_row(isa, n / 4), bytes);
        const uint64_t addr = n % 4 == 3 ? 0x23450 : 0x1000;
        const struct gpudbg_names all = {.name = name_all}, *names = n % 4 >= 2 ? &all : NULL;
        const int size = isa->decode(isa, bytes, sizeof bytes, addr, &insn);
        const int printed = isa->fast.print(printer, bytes, sizeof bytes, addr, names, got, &len);
        for (size_t i = 0; printed > 0 && i < len; i++) ascii &= got[i] >= ' ' && got[i] < 0x7f;
        check(&plain, ascii, "\"%.*s\"", (int)len, got);
        if (!printed && style) continue;
        const int whole = size > 0 ? isa->text(&insn, syntax, style, names, want, sizeof want) : 0;
        if (whole < 0) *want = 0;
        check(&text, printed == size && (size <= 0 || ((int)len == whole && memcmp(got, want, len) == 0)),
            "\"%.*s\" of %d bytes, not \"%s\" of %d", (int)len, got, printed, size > 0 ? want : "", size);
    }
    static const char *const styles[] = {"", ", for the assembler", ", for the assembler that drops"};
    char rule[128];
    snprintf(
        rule, sizeof rule, "a listing has the text of the instruction%s, %s", styles[style], isa->syntaxes[syntax]);
    report(&text, isa, rule);
    report(&plain, isa, "that text is printable ASCII, which nobody looks at again");
    free(printer);
}

/* What `print` and `skim` know without decoding is what decoding says: every row with other bits at random, and random
 * words. */
static void test_short_ways(const struct gpudbg_isa *isa)
{
    struct rule targets = {0}, starts = {0};
    uint64_t noise = 5;
    for (unsigned syntax = 0; isa->fast.print && isa->syntaxes[syntax]; syntax++)
        for (unsigned style = GPUDBG_READABLE; style <= GPUDBG_DROPPING; style++)
            if (style != GPUDBG_DROPPING || isa->assembler.drops) test_print(isa, syntax, style);
    if (!isa->fast.skim) return;
    for (unsigned n = 0; n < 200000; n++) {
        struct gpudbg_insn insn;
        uint8_t bytes[32], bits[4] = {0};
        uint64_t named[2];
        random_bytes(&noise, bytes);
        if (n % 8) be_of_row(any_row(isa, n), bytes);
        int size = isa->decode(isa, bytes, sizeof bytes, 0x1000, &insn);
        if (size <= 0) continue;
        struct gpudbg_skim s = {.starts = bits, .targets = named, .room = 2};
        size_t passed = isa->fast.skim(isa, bytes, (size_t)size, 0x1000, &s);
        uint64_t last = 0;
        unsigned ntargets = 0;
        for (unsigned i = 0; i < insn.noperands; i++)
            if (insn.operands[i].kind == GPUDBG_CODE) {
                last = (uint64_t)insn.operands[i].imm;
                ntargets++;
            }
        check(&starts, !passed || (passed == (size_t)size && bits[0] == 1), "%s: %zu of %d bytes, starts 0x%x",
            insn.op->name, passed, size, bits[0]);
        check(&targets, !passed || (s.ntargets == ntargets && (!ntargets || named[ntargets - 1] == last)),
            "%s: %zu addresses, not %u", insn.op->name, s.ntargets, ntargets);
    }
    report(&starts, isa, "sizes are known without decoding");
    report(&targets, isa, "branch targets are known without decoding");
}

/* Shared objects stay open: the registry points into them. */
static void add_plugin(struct registry *registry, const char *path)
{
    struct gpudbg_error err = {0};
    char *real = realpath(path, NULL);
    void *object = real ? dlopen(real, RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct gpudbg_plugin *plugin = object ? dlsym(object, "gpudbg_plugin") : NULL;
    ok(plugin && plugin->abi == GPUDBG_ABI && plugin->size == sizeof *plugin, "%s is a plug-in for this program", path);
    if (plugin)
        ok(registry_add(registry, plugin, &err), "%s registers %s", plugin->name, err.message);
    else
        fprintf(stderr, "#   %s\n", real ? dlerror() : "no such file: `make plugins` builds it");
    free(real);
}

static void add_builtin(struct registry *registry)
{
    struct gpudbg_error err = {0};
    char toy[PATH_MAX];
    const char *build = getenv("BUILD");
    for (const struct gpudbg_plugin *const *p = builtin_plugins; *p; p++)
        ok(registry_add(registry, *p, &err), "%s registers %s", (*p)->name, err.message);
    snprintf(toy, sizeof toy, "%s/plugins/toy.so", build ? build : "build");
    add_plugin(registry, toy);
}

int main(int argc, char **argv)
{
    struct registry *registry = registry_new();
    if (argc < 2) add_builtin(registry);
    for (int i = 1; i < argc; i++) add_plugin(registry, argv[i]);
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(registry, i)) != NULL; i++) {
        test_ops(isa);
        test_formats(isa);
        test_enums(isa);
        test_bytes(isa);
        test_long(isa);
        test_regions(isa);
        test_short_ways(isa);
    }
    ok(registry_isa(registry, 0) != NULL, "there is an instruction set");
    registry_free(registry);
    return tap_done();
}
