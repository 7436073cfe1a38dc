/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that show code: disassemble, decode, list, info line, info symbol. */
#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "session/command.h"
#include "eval/expr.h"
#include "code/code_names.h"
#include "code/records.h"
#include "code/walk.h"
#include "eval/location.h"
#include "code/memo.h"
#include "out/out.h"
#include "session/session.h"
#include "gpudbg/text.h"

/* ---- Text in big pieces ---- */

#define PIECE (256u << 10)
#define LINE_ROOM 2048
#define ROOM 4096 /* for a line but its symbols */

struct pieces {
    struct gpudbg_out *out;
    char *buf; /* PIECE bytes, and ROOM more */
    size_t n;
};

static void flush(struct pieces *t)
{
    out_write(t->out, t->buf, t->n);
    t->n = 0;
}

static void put(struct pieces *t, const char *s, size_t n)
{
    if (t->n + n > PIECE) flush(t);
    for (; n > PIECE; s += PIECE, n -= PIECE) {
        memcpy(t->buf, s, PIECE);
        t->n = PIECE;
        flush(t);
    }
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

static void puts_text(struct pieces *t, const char *s) { put(t, s, strlen(s)); }

/* Makes sure that ROOM bytes can be added by what does not check: hex, spaces, few. */
static void make_room(struct pieces *t)
{
    if (t->n > PIECE) flush(t);
}

/* Eight digits at once, the first one in the lowest byte. */
static uint64_t eight_digits(uint32_t value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t x = __builtin_bswap32(value);
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x >> 4 | x << 8) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (x + 6 * ones) >> 4 & ones;
    return x + '0' * ones + letters * ('a' - '0' - 10);
}

/* At least so many digits; writes 16 bytes. */
__attribute__((always_inline)) static inline char *put_digits(char *p, uint64_t value, unsigned digits)
{
    unsigned needed = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    if (digits < needed) digits = needed;
    if (digits <= 8) {
        uint64_t text = htole64(eight_digits((uint32_t)value) >> 8 * (8 - digits));
        memcpy(p, &text, 8);
    } else {
        for (unsigned i = 0; i < digits; i++) p[i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
    }
    return p + digits;
}

static void put_hex(struct pieces *t, uint64_t value, unsigned digits)
{
    t->n = (size_t)(put_digits(t->buf + t->n, value, digits) - t->buf);
}

static void put_spaces(struct pieces *t, size_t n)
{
    memset(t->buf + t->n, ' ', n);
    t->n += n;
}

static void put_few(struct pieces *t, const char *s, size_t n)
{
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

/* ---- disassemble ---- */

struct listing {
    struct pieces text;
    struct gpudbg *g;
    const struct gpudbg_image *image;
    struct code_names names;
    struct memo *memo;               /* NULL: none */
    void *printer;                   /* the same */
    size_t next_target, next_symbol; /* both lists are sorted, and so are the lines */
    uint64_t next_label;             /* no address before it has one */
    unsigned syntax;
    bool assembler, raw, fields, source;
    struct source file;
    const struct gpudbg_line *line; /* the row shown last */
};

/* Labels stand on lines of their own: symbols, and branch targets without one. */
static void put_label(struct listing *l, uint64_t addr)
{
    const struct code_names *n = &l->names;
    const struct gpudbg_symbol *symbols = l->image->symbols;
    bool target = false, named = false;
    for (; l->next_target < n->ntargets && n->targets[l->next_target] <= addr; l->next_target++)
        target |= n->targets[l->next_target] == addr;
    for (; l->next_symbol < l->image->nsymbols && symbols[l->next_symbol].addr <= addr; l->next_symbol++)
        named |= symbols[l->next_symbol].addr == addr;
    l->next_label = l->next_target < n->ntargets ? n->targets[l->next_target] : UINT64_MAX;
    if (l->next_symbol < l->image->nsymbols && symbols[l->next_symbol].addr < l->next_label)
        l->next_label = symbols[l->next_symbol].addr;
    const struct gpudbg_symbol *symbol = named ? code_symbol(l->image, addr) : NULL;
    if (symbol) {
        puts_text(&l->text, symbol->name);
        puts_text(&l->text, ":\n");
    } else if (target) {
        make_room(&l->text);
        put_few(&l->text, "L", 1);
        put_hex(&l->text, addr, 4);
        put_few(&l->text, ":\n", 2);
    }
}

static void put_source(struct listing *l, uint64_t addr)
{
    const struct gpudbg_line *row = gpudbg_image_line(l->image, addr);
    char head[512];
    size_t len = 0;
    if (!row || (l->line && row->line == l->line->line && strcmp(row->file, l->line->file) == 0)) return;
    l->line = row;
    source_open(&l->file, l->image, row->file);
    const char *text = source_line(&l->file, row->line, &len);
    snprintf(head, sizeof head, "// %s:%" PRIu32 ": ", row->file, row->line);
    puts_text(&l->text, head);
    put(&l->text, text ? text : "", text ? len : 0);
    puts_text(&l->text, "\n");
}

/* Words, or the bytes of what is no whole number of them, to a fixed column; long data shows its beginning. */
static void put_words(struct pieces *t, const uint8_t *bytes, size_t n)
{
    size_t start = t->n, unit = n % 4 == 0 ? 4 : 1, shown = n < 64 ? n : 64;
    for (size_t i = 0; i + unit <= shown; i += unit) {
        for (size_t b = unit; b-- > 0;) put_hex(t, bytes[i + b], 2);
        put_few(t, " ", 1);
    }
    size_t width = t->n - start;
    if (width < 19) put_spaces(t, 19 - width);
}

static void print_fields(struct gpudbg_out *out, const struct gpudbg_insn *insn, const char *indent)
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

static const char comment[] = "    // ";

/* The bytes as data of the assembler, or how many they are. */
static void add_data(struct text *t, const struct gpudbg_insn *insn)
{
    const int n = data_text(insn->raw, insn->size, text_end(t), text_room(t) / 2);
    if (n >= 0) {
        text_wrote(t, n);
    } else {
        *t = text_in(t->at, t->size);
        text_add(t, "// %" PRIu32 " bytes", insn->size);
    }
}

/* Data as text, with a comment that says which layout it nearly has; size is LINE_ROOM at least. */
static size_t unit_data(const struct listing *l, const struct gpudbg_insn *insn, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (l->assembler && l->image->isa && l->image->isa->comment) /* the assembler takes no data */
        text_add(&t, "%s ", l->image->isa->comment);
    add_data(&t, insn);
    if (insn->nparts) text_add(&t, "%s%s, no such instruction", comment, insn->parts[0].format->name);
    return t.n;
}

/* The text of one unit, with a comment where it is data; returns its length, which is `size` or more if it did not fit.
 */
static size_t unit_text(const struct listing *l, const struct gpudbg_insn *insn, bool is_insn, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = l->image->isa;
    enum gpudbg_style style = l->assembler ? GPUDBG_ASSEMBLER : GPUDBG_READABLE;
    if (!is_insn) return unit_data(l, insn, buf, size);
    int n = isa->text(insn, l->syntax, style, &l->names.names, buf, size);
    if (n >= 0) return (size_t)n;
    struct text t = text_in(buf, size);
    add_data(&t, insn);
    text_add(&t, "%s", comment);
    text_wrote(&t, isa->text(insn, l->syntax, GPUDBG_READABLE, &l->names.names, text_end(&t), text_room(&t)));
    return text_is_cut(&t) ? size - 1 : t.n;
}

/* What stands before a unit's text; afterwards there is room for the text and what follows it. */
static void begin_line(struct listing *l, uint64_t addr, const uint8_t *bytes, size_t size)
{
    struct pieces *t = &l->text;
    if (l->source) put_source(l, addr);
    if (addr >= l->next_label) put_label(l, addr);
    make_room(t);
    if (l->raw) {
        put_hex(t, addr, 4);
        put_few(t, ": ", 2);
        put_words(t, bytes, size);
    } else {
        put_few(t, "    ", 4);
    }
}

/* What stands behind a text of n bytes at p; returns the end of the line.  A line of usual width ends at a place that
 * does not depend on n, so that the next one need not wait for it. */
static inline char *put_end(const struct listing *l, char *p, uint64_t addr, size_t n)
{
    char *behind = p + n;
    if (!l->raw && !l->assembler) {
        if (__builtin_expect(n < 52, 1)) {
            memset(behind, ' ', 52);
            behind = p + 52;
        } else {
            *behind++ = ' ';
        }
        memcpy(behind, "// ", 4);
        behind = put_digits(behind + 3, addr, 4);
    }
    *behind++ = '\n';
    return behind;
}

/* The text of n bytes stands at the end of what is written. */
static void end_line(struct listing *l, uint64_t addr, size_t n)
{
    struct pieces *t = &l->text;
    t->n = (size_t)(put_end(l, t->buf + t->n - n, addr, n) - t->buf);
}

/* Lines of any length: lists of numbers have no limit. */
static void put_long(struct listing *l, const struct gpudbg_insn *insn, size_t n)
{
    char *text = xalloc(n + 1);
    unit_text(l, insn, true, text, n + 1);
    begin_line(l, insn->addr, insn->raw, insn->size);
    put(&l->text, text, n);
    put(&l->text, "\n", 1);
    free(text);
}

static void put_unit(struct listing *l, const struct gpudbg_insn *insn, bool is_insn)
{
    char line[LINE_ROOM];
    size_t n = unit_text(l, insn, is_insn, line, sizeof line);
    if (n >= sizeof line) {
        put_long(l, insn, n);
        return;
    }
    begin_line(l, insn->addr, insn->raw, insn->size);
    put_few(&l->text, line, n);
    end_line(l, insn->addr, n);
    struct memo_entry *e = l->memo && is_insn ? memo_keep(l->memo, insn) : NULL;
    if (e && n <= MEMO_TEXT) {
        memcpy(memo_text(l->memo, e), line, n);
        e->len = (uint8_t)n;
    }
    if (l->fields) {
        flush(&l->text);
        print_fields(l->text.out, insn, "        ");
    }
}

/* Lists instructions that the instruction set prints in one go, at most so many, up to the next label, the next unit
 * that is none and the end of the buffer; returns how many. */
static unsigned print_units(struct listing *l, struct code_walk *w, unsigned most)
{
    struct pieces *t = &l->text;
    const uint8_t *bytes = w->bytes;
    const uint64_t end = w->to < l->next_label ? w->to : l->next_label;
    uint64_t at = w->at;
    size_t left = w->left, n = 0;
    char *p = t->buf + t->n;
    unsigned done = 0;
    if (w->data || l->source) return 0;
    for (; done < most && left && at < end && p <= t->buf + PIECE; done++) {
        memcpy(p, "    ", 4);
        int size = l->image->isa->print(l->printer, bytes, left, at, &l->names.names, p + 4, &n);
        if (size <= 0) break;
        p = put_end(l, p + 4, at, n);
        at += (unsigned)size;
        bytes += size;
        left -= (unsigned)size;
    }
    t->n = (size_t)(p - t->buf);
    w->at = at;
    w->bytes = bytes;
    w->left = left;
    return done;
}

/* One unit, from the memo where it is known.  false: the end. */
static bool list_unit(struct listing *l, struct code_walk *w)
{
    struct gpudbg_insn insn;
    struct code_walk before = *w;
    const uint8_t *bytes;
    uint64_t addr;
    const struct memo_entry *known = l->fields ? NULL : code_walk_known(w, l->memo, &bytes, &addr);
    if (known && known->len) {
        begin_line(l, addr, bytes, known->size);
        put_few(&l->text, memo_text(l->memo, known), known->len);
        end_line(l, addr, known->len);
        return true;
    }
    *w = before;
    if (!code_walk_next(w, &insn)) return false;
    put_unit(l, &insn, w->is_insn);
    return true;
}

#define TICK_UNITS 65536

static void list_text(struct listing *l, uint64_t from, uint64_t to)
{
    struct code_walk w;
    l->text.buf = xrealloc(NULL, PIECE + ROOM, 1);
    code_walk_open(&w, l->image, from, to);
    for (unsigned units = 0;;) {
        unsigned done = l->printer ? print_units(l, &w, 1024 - units % 1024) : 0;
        if (!done && !list_unit(l, &w)) break;
        units += done ? done : 1;
        if (units % 1024 == 0 && out_broken(l->text.out)) break;
        if (units % TICK_UNITS == 0 && !ticker_goes_on(&l->g->ticker, w.at - from, to - from)) break;
    }
    flush(&l->text);
    free(l->text.buf);
}

static void list_records(struct listing *l, uint64_t from, uint64_t to)
{
    struct gpudbg_insn insn;
    struct code_walk w;
    code_walk_open(&w, l->image, from, to);
    while (!out_broken(l->text.out) && code_walk_next(&w, &insn))
        insn_record(l->text.out, &insn, w.is_insn, l->syntax, &l->names);
}

/* Malformed code is listed as far as it goes, and is an error all the same. */
#define FAULTS_SHOWN 20
#define FAULTS_COUNTED 100000
struct faults {
    struct gpudbg *g;
    struct gpudbg_out *out;
    unsigned n, most; /* met; shown at most */
};

static bool show_fault(void *to, const struct gpudbg_report *r)
{
    struct faults *f = to;
    if (f->n++ >= f->most) return f->n < FAULTS_COUNTED;
    struct gpudbg_error err = {.line = r->line, .column = r->column, .offset = r->line ? -1 : (int64_t)r->pc};
    snprintf(err.file, sizeof err.file, "%s", f->g->loaded.image->path);
    gpudbg_fail(&err, r->error, "%s", r->message);
    session_failed(f->g, &err, f->g->loaded.image->path, r->line, f->out);
    return true;
}

static void show_faults(struct gpudbg *g, bool every, struct gpudbg_out *out)
{
    struct faults f = {g, out, 0, every ? UINT_MAX : FAULTS_SHOWN};
    g->loaded.image->isa->faults(g->loaded.image, show_fault, &f);
    if (f.n <= f.most) return;
    struct gpudbg_error more = {.offset = -1};
    gpudbg_fail(&more, "limit", "%s%u more errors: disassemble /e shows all", f.n < FAULTS_COUNTED ? "" : "at least ",
        f.n - f.most);
    session_failed(g, &more, g->loaded.image->path, 0, out);
}

static bool run_disassemble(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct listing l = {.g = g, .image = g->loaded.image, .text = {.out = out}};
    uint64_t from, to;
    bool every = gpudbg_out_json(out);
    for (const char *f = gpudbg_args_format(a); *f; f++) {
        if (!strchr("arfse", *f)) return gpudbg_fail(err, "usage", "/%c: disassemble knows /a, /r, /f, /s and /e", *f);
        l.assembler |= *f == 'a';
        l.raw |= *f == 'r';
        l.fields |= *f == 'f';
        l.source |= *f == 's';
        every |= *f == 'e';
    }
    if (l.assembler && (l.raw || l.fields))
        return gpudbg_fail(err, "usage", "/a is for the assembler: it goes with neither /r nor /f");
    bool all = !*gpudbg_args_rest(a);
    if (!location_range(&g->eval, gpudbg_args_rest(a), &from, &to, err)) return false;
    if (!g->loaded.image->isa)
        return gpudbg_fail(
            err, "not-recognised", "%s does not say its instruction set: give --isa", g->loaded.image->path);
    l.syntax = settings_syntax(&g->settings, g->loaded.image->isa);
    if (g->loaded.image->isa->print && !l.raw && !l.assembler && !l.fields && !l.syntax)
        l.printer = g->loaded.image->isa->printer(g->loaded.image->isa);
    else
        l.memo = xalloc(sizeof *l.memo);
    if (l.memo) l.memo->wide = g->loaded.image->isa->align >= 8;
    if (!code_names_open(&l.names, g->loaded.image, from, to, l.memo, &g->ticker, err)) {
        free(l.memo);
        free(l.printer);
        return false;
    }
    if (gpudbg_out_json(out))
        list_records(&l, from, to);
    else
        list_text(&l, from, to);
    code_names_close(&l.names);
    free(l.memo);
    free(l.printer);
    source_close(&l.file);
    if (all && g->loaded.image->isa->faults) show_faults(g, every, out);
    return true;
}

static const struct gpudbg_command disassemble = {
    .name = "disassemble",
    .usage = "[/a|/r|/f|/s|/e] [SYMBOL | ADDR | FROM,TO | FROM,+SIZE]",
    .summary = "show code as instructions",
    .help =
        "Without an argument: all code of the file in address order.  A symbol, or an address in a function: that "
        "function.\n"
        "/a  text that the vendor's assembler takes back byte for byte: labels on lines of their own, no addresses\n"
        "/r  with addresses and raw words\n"
        "/f  with every field of every instruction\n"
        "/s  with source lines, where the file has a line table\n"
        "/e  with every error of a malformed program; without it the first 20 and how many more there are\n"
        "Bytes that are no instruction are shown as data.",
    .family = "Code",
    .run = run_disassemble,
    .complete = complete_symbol,
};

/* ---- decode ---- */

#define DECODE_MAX 4096

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* One word typed in: 2 digits are a byte, 8 a little-endian 32-bit word, more of them several; "0x" and 16 digits are
 * one 64-bit number.  Appends the bytes. */
static bool take_hex(const char *word, uint8_t *bytes, size_t *n, struct gpudbg_error *err)
{
    bool prefixed = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char *digits = prefixed ? word + 2 : word;
    size_t len = strlen(digits), unit;
    for (size_t i = 0; i < len; i++)
        if (hex_digit(digits[i]) < 0) return gpudbg_fail(err, "usage", "\"%.40s\" is not hex", word);
    if (prefixed && len == 16)
        unit = 8;
    else if (len && len % 8 == 0)
        unit = 4;
    else if (len && len % 2 == 0 && !(prefixed && len > 2))
        unit = 1;
    else
        return gpudbg_fail(err, "usage", "\"%.40s\": %zu digits; a byte has 2, a word 8", word, len);
    if (*n + len / 2 > DECODE_MAX) return gpudbg_fail(err, "too-large", "more than %d bytes", DECODE_MAX);
    for (size_t u = 0; u < len / 2; u += unit)
        for (size_t b = 0; b < unit; b++) {
            const char *two = digits + 2 * (u + unit - 1 - b);
            bytes[(*n)++] = (uint8_t)(hex_digit(two[0]) << 4 | hex_digit(two[1]));
        }
    return true;
}

static void print_operands(struct gpudbg_out *out, const struct gpudbg_insn *insn, unsigned flag, const char *verb)
{
    char text[256];
    bool any = false;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & flag) || !insn->isa->operand_text) continue;
        *text = 0;
        insn->isa->operand_text(insn, i, text, sizeof text);
        gpudbg_out_print(out, "%s%s", any ? ", " : verb, text);
        any = true;
    }
    if (any) gpudbg_out_print(out, "\n");
}

static void print_problems(struct gpudbg_out *out, const struct gpudbg_insn *insn)
{
    struct gpudbg_problem problem[INSN_PROBLEMS];
    unsigned n = insn->isa->problems ? insn->isa->problems(insn, problem, INSN_PROBLEMS) : 0;
    for (unsigned i = 0; i < n; i++)
        gpudbg_out_print(out, "    breaks   %s: %s  (%s)\n", problem[i].rule, problem[i].text, problem[i].source);
}

static void print_decoded(struct gpudbg *g, struct gpudbg_out *out, const struct gpudbg_insn *insn, bool is_insn)
{
    char text[LINE_ROOM];
    if (is_insn)
        insn->isa->text(insn, settings_syntax(&g->settings, insn->isa), GPUDBG_READABLE, NULL, text, sizeof text);
    else
        data_text(insn->raw, insn->size, text, sizeof text);
    gpudbg_out_print(out, "%04" PRIx64 ": %s%s\n", insn->addr, text, is_insn ? "" : "    // no instruction");
    print_fields(out, insn, "    ");
    if (!is_insn) return;
    print_operands(out, insn, GPUDBG_READ, "    reads    ");
    print_operands(out, insn, GPUDBG_WRITE, "    writes   ");
    print_problems(out, insn);
    if (insn->op->doc) gpudbg_out_print(out, "    %s\n", insn->op->doc);
}

static bool run_decode(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint8_t bytes[DECODE_MAX + 16] = {0};
    struct gpudbg_insn insn;
    for (char *p = a->at; *p; p++)
        if (strchr(",[]", *p)) /* as assemblers print bytes: [0x00,0x00,0x81,0xbf] */
            *p = ' ';
    a->at += strspn(a->at, " \t");
    const char *word = args_need(a, "hex words", err);
    size_t n = 0;
    const struct gpudbg_isa *isa = session_any_isa(g, err);
    if (!word || !isa) return false;
    for (; word; word = gpudbg_args_word(a))
        if (!take_hex(word, bytes, &n, err)) return false;
    for (size_t at = 0; at < n; at += insn.size) {
        bool is_insn = gpudbg_insn_at(isa, bytes + at, n - at, at, &insn);
        insn.databases = gpudbg_session_databases(g);
        if (gpudbg_out_json(out))
            insn_record(out, &insn, is_insn, settings_syntax(&g->settings, isa), NULL);
        else
            print_decoded(g, out, &insn, is_insn);
    }
    return true;
}

static const struct gpudbg_command decode = {
    .name = "decode",
    .usage = "HEX...",
    .summary = "decode instructions that are typed in",
    .help = "Shows the instruction, all its fields and its operands.  HEX is 32-bit words as vendors print them "
            "(bf810000, with or\n"
            "without 0x), or bytes in memory order (00 00 81 bf, [0x00,0x00,0x81,0xbf]).",
    .family = "Code",
    .run = run_decode,
};

/* ---- list ---- */

#define LIST_LINES 10

static void list_line(
    struct gpudbg *g, struct gpudbg_out *out, const char *file, uint32_t n, const char *text, size_t len)
{
    const struct gpudbg_line *here = location_row(&g->eval);
    bool current = here && here->line == n && strcmp(here->file, file) == 0;
    char line[LINE_ROOM];
    snprintf(line, sizeof line, "%.*s", (int)(len < LINE_ROOM ? len : LINE_ROOM - 1), text);
    gpudbg_out_print(out, "%c%5" PRIu32 "  %s\n", current ? '>' : ' ', n, line);
    gpudbg_out_begin(out, "source");
    gpudbg_out_string(out, "file", file);
    gpudbg_out_number(out, "line", n);
    gpudbg_out_string(out, "text", line);
    if (current) gpudbg_out_bool(out, "current", true);
    gpudbg_out_end(out);
}

/* "3,6" "3," ",6": from a line to a line; ten of them where one is missing. */
static bool list_from_to(
    struct gpudbg *g, char *text, const char **file, uint32_t *first, uint32_t *end, struct gpudbg_error *err)
{
    char *to = strchr(text, ',');
    const char *other = NULL;
    *to++ = 0;
    text[strcspn(text, " \t")] = 0;
    to += strspn(to, " \t");
    if (!*text && !*to) return gpudbg_fail(err, "usage", "a line before or behind the comma is missing");
    if ((*text && !location_line(&g->eval, text, file, first, err)) ||
        (*to && !location_line(&g->eval, to, &other, end, err)))
        return false;
    if (*text && *to && strcmp(*file, other) != 0)
        return gpudbg_fail(err, "usage", "lines of two files: %.100s and %.100s", *file, other);
    if (!*text) {
        *file = other;
        *first = *end >= LIST_LINES ? *end - LIST_LINES + 1 : 1;
    }
    *end = *to ? *end + 1 : *first + LIST_LINES;
    return *first < *end ||
           gpudbg_fail(err, "out-of-range", "line %" PRIu32 " is before line %" PRIu32, *end - 1, *first);
}

/* The lines that are asked for, from *first on, *end not included. */
static bool list_range(
    struct gpudbg *g, const char *where, const char **file, uint32_t *first, uint32_t *end, struct gpudbg_error *err)
{
    char text[1024];
    const bool back = strcmp(where, "-") == 0;
    *file = g->selection.listed.file;
    if (back && *file) {
        *end = g->selection.listed.first;
        *first = *end > LIST_LINES ? *end - LIST_LINES : 1;
        return *end > 1 || gpudbg_fail(err, "out-of-range", "nothing is before line 1 of %s", *file);
    }
    *first = g->selection.listed.line;
    if (*where || !*file) {
        if (back || !*where)
            snprintf(text, sizeof text, "*0x%" PRIx64, location_here(&g->eval));
        else
            snprintf(text, sizeof text, "%s", where);
        if (strchr(text, ',')) return list_from_to(g, text, file, first, end, err);
        if (!location_line(&g->eval, text, file, first, err)) return false;
        *first = *first > LIST_LINES / 2 ? *first - LIST_LINES / 2 : 1;
    }
    *end = *first + LIST_LINES;
    return true;
}

static bool run_list(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct source source = {0};
    const char *file;
    uint32_t line, end;
    size_t len;
    if (!list_range(g, gpudbg_args_rest(a), &file, &line, &end, err)) return false;
    const uint32_t first = line;
    if (!source_open(&source, g->loaded.image, file)) {
        source_close(&source);
        return gpudbg_fail(err, "missing", "%s: the source cannot be read", file);
    }
    const char *text = source_line(&source, line, &len);
    bool any = text;
    for (; text && line < end; text = source_line(&source, ++line, &len)) list_line(g, out, file, line, text, len);
    g->selection.listed.file = file;
    g->selection.listed.first = first;
    g->selection.listed.line = line;
    size_t lines = source.nlines;
    source_close(&source);
    return any || gpudbg_fail(err, "out-of-range", "%s has %zu lines", file, lines);
}

static const struct gpudbg_command list = {
    .name = "list",
    .aliases = "l",
    .usage = "[PLACE | FIRST,LAST | -]",
    .summary = "show source lines",
    .help =
        "PLACE: LINE, FILE:LINE, SYMBOL or *ADDR.  Ten lines around the place, from FIRST to LAST (20, and ,20: ten\n"
        "lines), the ten before (-), or the next ten.  The source is looked for where the line table says, then beside "
        "the file.",
    .family = "Code",
    .run = run_list,
    .complete = complete_symbol,
};

/* ---- info line, info symbol ---- */

static bool run_info_line(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *where = gpudbg_args_rest(a);
    uint64_t addr = location_here(&g->eval);
    char at[256];
    if (!eval_need_image(&g->eval, err) || (*where && !location_addr(&g->eval, where, &addr, err))) return false;
    if (!*where && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    const struct gpudbg_line *row = gpudbg_image_line(g->loaded.image, addr);
    image_where(g->loaded.image, addr, at, sizeof at);
    if (!row) return gpudbg_fail(err, "no-source", "no source line for 0x%" PRIx64 " (%s)", addr, at);
    gpudbg_out_print(out, "0x%" PRIx64 " <%s> is %s:%" PRIu32 "\n", addr, at, row->file, row->line);
    gpudbg_out_begin(out, "line");
    gpudbg_out_hex(out, "addr", addr);
    gpudbg_out_string(out, "where", at);
    gpudbg_out_string(out, "file", row->file);
    gpudbg_out_number(out, "line", row->line);
    if (row->column) gpudbg_out_number(out, "column", row->column);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command info_line = {
    .name = "info line",
    .usage = "[LINE | FILE:LINE | SYMBOL | *ADDR]",
    .summary = "the source line of an address",
    .family = "Code",
    .run = run_info_line,
    .complete = complete_symbol,
};

static bool run_info_symbol(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char at[256];
    uint64_t addr;
    if (!eval_need_image(&g->eval, err)) return false;
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "an address is missing");
    if (!gpudbg_evaluate(g, gpudbg_args_rest(a), &addr, err)) return false;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(g->loaded.image, addr);
    const struct gpudbg_section *section = gpudbg_image_at(g->loaded.image, addr);
    if (!symbol) return gpudbg_fail(err, "out-of-range", "no symbol covers 0x%" PRIx64, addr);
    image_where(g->loaded.image, addr, at, sizeof at);
    gpudbg_out_print(out, "0x%" PRIx64 " is %s in %s\n", addr, at, section ? section->name : "no section");
    gpudbg_out_begin(out, "symbol-at");
    gpudbg_out_hex(out, "addr", addr);
    gpudbg_out_string(out, "where", at);
    gpudbg_out_string(out, "name", symbol->name);
    gpudbg_out_hex(out, "symbol", symbol->addr);
    if (section) gpudbg_out_string(out, "section", section->name);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command info_symbol = {
    .name = "info symbol",
    .usage = "ADDR",
    .summary = "the symbol that an address belongs to",
    .family = "Code",
    .run = run_info_symbol,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&disassemble, &decode, &list, &info_line, &info_symbol, NULL};
COMMAND_FAMILY(cmd_code, "code", .summary = "commands that show code", .commands = commands);
