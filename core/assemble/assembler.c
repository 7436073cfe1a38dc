/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assembler.c: one line of text, and files of lines; see assembler.h.
 *
 * A file is read several times.  The first pass finds where its labels are; a label further down is not known yet, and
 * an instruction that names it takes the size that it would have with any value.  Passes go on until no label moves.
 * The last one makes the bytes and the errors.
 */
#include "assemble/assembler.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

#define BYTES_MOST ((size_t)64 << 20)
#define LINE_MOST ((size_t)1 << 16)
#define LABELS_MOST ((size_t)1 << 20)
#define PASSES 32
#define TICK_LINES 4096

/* ---- Labels ---- */

struct label {
    char *name;
    size_t n;
    uint64_t value;
    long line; /* where it is defined; 0: it was only met as a name */
    unsigned pass;
    bool set; /* .set may give it another value */
};

struct labels {
    struct label *list;
    size_t n, room;
    uint32_t *slot; /* index in list plus one, by hash; 0: free */
    size_t slots;
};

struct file {
    const struct assembler *as;
    struct labels labels;
    unsigned pass;
    bool last, moved;
    uint8_t *bytes;
    size_t n, room;
    uint64_t at; /* address of the next byte */
    long line;
    struct gpudbg_error *errors;
    unsigned nerrors;
    struct gpudbg_error *err; /* of the current line */
};

static size_t slot_of(const struct labels *l, const char *name, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9; /* spreads names that differ only in their last letter */
    size_t at = (size_t)(hash >> 32) & (l->slots - 1);
    for (; l->slot[at]; at = (at + 1) & (l->slots - 1)) {
        const struct label *known = &l->list[l->slot[at] - 1];
        if (known->n == n && memcmp(known->name, name, n) == 0) break;
    }
    return at;
}

static struct label *find_label(const struct labels *l, const char *name, size_t n)
{
    const size_t at = l->slots ? slot_of(l, name, n) : 0;
    return l->slots && l->slot[at] ? &l->list[l->slot[at] - 1] : NULL;
}

static void grow_slots(struct labels *l)
{
    const size_t slots = l->slots ? 2 * l->slots : 256;
    free(l->slot);
    l->slot = xcalloc(slots, sizeof *l->slot);
    l->slots = slots;
    for (size_t i = 0; i < l->n; i++) l->slot[slot_of(l, l->list[i].name, l->list[i].n)] = (uint32_t)i + 1;
}

static struct label *add_label(struct labels *l, const char *name, size_t n)
{
    struct label *known = find_label(l, name, n);
    if (known || l->n >= LABELS_MOST) return known;
    if (4 * (l->n + 1) > 3 * l->slots) grow_slots(l);
    l->list = xgrow(l->list, l->n, &l->room, sizeof *l->list);
    l->list[l->n] = (struct label){.name = xstrndup(name, n), .n = n};
    l->slot[slot_of(l, name, n)] = (uint32_t)++l->n;
    return &l->list[l->n - 1];
}

static void free_labels(struct labels *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->list[i].name);
    free(l->list);
    free(l->slot);
}

/* ---- Names ---- */

/* L0080: what a listing calls an address that has no symbol. */
static bool listed_label(const struct gpudbg_image *image, const char *name, size_t n, uint64_t *value)
{
    uint64_t addr = 0;
    if (n < 5 || n > 17 || *name != 'L') return false;
    for (size_t i = 1; i < n; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, tolower((unsigned char)name[i]));
        if (!digit || !*digit) return false;
        addr = addr << 4 | (uint64_t)(digit - digits);
    }
    const struct gpudbg_section *section = gpudbg_image_at(image, addr);
    *value = addr;
    return section && section->flags & GPUDBG_CODE_BYTES;
}

static bool image_name(const struct gpudbg_image *image, const char *name, size_t n, uint64_t *value)
{
    char text[512];
    if (!image || n >= sizeof text) return false;
    memcpy(text, name, n);
    text[n] = 0;
    const struct gpudbg_symbol *symbol = gpudbg_image_find(image, text);
    if (!symbol) return listed_label(image, name, n, value);
    *value = symbol->addr;
    return true;
}

static bool line_symbol(const struct gpudbg_reading *r, const char *name, size_t n, uint64_t *value, bool *known)
{
    const struct assembler *as = r->data;
    *known = true;
    return image_name(as->image, name, n, value);
}

static bool file_symbol(const struct gpudbg_reading *r, const char *name, size_t n, uint64_t *value, bool *known)
{
    struct file *f = r->data;
    const struct label *label = find_label(&f->labels, name, n);
    *known = label && label->line;
    if (*known) {
        *value = label->value;
        *known = f->pass > 1 || label->pass == f->pass;
        return true;
    }
    *known = image_name(f->as->image, name, n, value);
    return *known || f->pass == 1; /* it may be defined further down */
}

/* ---- Lines ---- */

/* Cuts a comment off; blanks replace those between slash-star and star-slash, so that columns stay.  *open: such a
 * comment goes on in the next line. */
static void drop_comments(const struct gpudbg_isa *isa, char *text, bool *open)
{
    bool quoted = false;
    if (!isa->assembler.comments) return; /* its line knows them */
    for (char *p = text; *p; p++) {
        if (*open || (!quoted && p[0] == '/' && p[1] == '*')) {
            char *end = strstr(*open ? p : p + 2, "*/");
            *open = !end;
            for (char *to = end ? end + 2 : p + strlen(p); p < to; p++) *p = ' ';
            p--;
            continue;
        }
        if (*p == '"') quoted = !quoted;
        const char *remark = isa->assembler.remark;
        if (remark && !quoted && strncmp(p, remark, strlen(remark)) == 0) {
            const char *data = p + strlen(remark);
            if (p != text + strspn(text, " \t") || data[strspn(data, " \t")] != '.') return;
            memset(p, ' ', strlen(remark)); /* data that the vendor's assembler takes for a comment */
        }
        for (const char *const *c = isa->assembler.comments; !quoted && c && *c; c++)
            if (strncmp(p, *c, strlen(*c)) == 0) {
                *p = 0;
                return;
            }
    }
}

static const struct directive {
    char name[10];
    uint8_t bytes;
} data_directives[] = {{".long", 4}, {".int", 4}, {".4byte", 4}, {".quad", 8}, {".8byte", 8}, {".short", 2},
    {".hword", 2}, {".2byte", 2}, {".byte", 1}, {".1byte", 1}};

static const struct directive *data_directive(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof data_directives / sizeof *data_directives; i++)
        if (strlen(data_directives[i].name) == n && memcmp(name, data_directives[i].name, n) == 0)
            return &data_directives[i];
    return NULL;
}

/* Numbers behind a directive, separated by commas, each of so many bytes. */
static size_t take_data(struct gpudbg_reading *r, unsigned bytes, uint8_t *to, size_t room)
{
    size_t n = 0;
    do {
        struct gpudbg_term t;
        const char *from = (gpudbg_reading_ends(r), r->at);
        if (!gpudbg_reading_term(r, &t)) return 0;
        const bool fits = bytes == 8 ||
                          (t.value >= -((int64_t)1 << (8 * bytes - 1)) && t.value < (int64_t)1 << 8 * bytes);
        if (t.is_float || !fits) {
            gpudbg_reading_wants(r, from, "out-of-range", "a whole number of %u bits is expected here", 8 * bytes);
            return 0;
        }
        if (n + bytes > room) {
            gpudbg_reading_wants(r, from, "too-large", "the line has no room for more than %zu bytes of data", room);
            return 0;
        }
        le_put(to + n, (uint64_t)t.value, bytes);
        n += bytes;
    } while (gpudbg_reading_takes(r, ','));
    if (gpudbg_reading_ends(r)) return n;
    gpudbg_reading_wants(r, r->at, "syntax", "a comma or the end of the line is expected here");
    return 0;
}

/* An instruction or a line of data.  Where it fails, a reason is in r->err. */
static size_t take_statement(struct gpudbg_reading *r, uint8_t *bytes, size_t room)
{
    gpudbg_reading_ends(r);
    const size_t n = gpudbg_reading_name(r);
    const struct directive *data = n ? data_directive(r->at, n) : NULL;
    if (data) {
        r->at += n;
        return take_data(r, data->bytes, bytes, room);
    }
    if (!r->isa->assembler.line) {
        gpudbg_reading_wants(
            r, r->at, "unsupported", "%s has no assembler: only data, as .long, is taken", r->isa->name);
        return 0;
    }
    const int size = r->isa->assembler.line(r, bytes, room);
    if (size <= 0 && !r->furthest) gpudbg_reading_wants(r, r->at, "syntax", "an instruction is expected here");
    return size > 0 ? (size_t)size : 0;
}

size_t assemble_line(
    const struct assembler *as, uint64_t addr, const char *text, uint8_t *bytes, size_t room, struct gpudbg_error *err)
{
    bool open = false;
    if (strlen(text) > LINE_MOST) {
        gpudbg_fail(err, "too-large", "a line of %zu characters", strlen(text));
        return 0;
    }
    char *line = xstrdup(text);
    drop_comments(as->isa, line, &open);
    struct gpudbg_reading r = {.text = line,
        .at = line,
        .isa = as->isa,
        .syntax = as->syntax,
        .addr = addr,
        .compact = as->compact,
        .symbol = line_symbol,
        .data = (void *)(uintptr_t)as,
        .err = err};
    const size_t n = take_statement(&r, bytes, room);
    free(line);
    if (!n && err->column > 0) { /* there is no number of a line before which it would stand */
        char message[sizeof err->message];
        memcpy(message, err->message, sizeof message);
        gpudbg_fail(err, err->kind, "column %ld: %.400s", err->column, message);
    }
    return n;
}

/* ---- Files ---- */

static void keep_error(struct file *f)
{
    if (!f->last || f->nerrors == ASSEMBLER_ERRORS) return;
    f->err->line = f->line;
    f->errors[f->nerrors++] = *f->err;
}

static bool add_bytes(struct file *f, const uint8_t *bytes, size_t n)
{
    if (n > BYTES_MOST - (size_t)f->at) {
        gpudbg_fail(f->err, "too-large", "more than %zu bytes of code", BYTES_MOST);
        return false;
    }
    f->at += n;
    if (!f->last || !n) return true;
    if (f->n + n > f->room) {
        const size_t room = 2 * f->room + n + 4096;
        uint8_t *more = realloc(f->bytes, room);
        if (!more) return alloc_failed(f->err, room, "the code");
        f->bytes = more;
        f->room = room;
    }
    if (bytes)
        memcpy(f->bytes + f->n, bytes, n);
    else
        memset(f->bytes + f->n, 0, n);
    f->n += n;
    return true;
}

static bool define(struct file *f, struct gpudbg_reading *r, const char *name, size_t n, uint64_t value, bool set)
{
    struct label *label = add_label(&f->labels, name, n);
    if (!label) return gpudbg_reading_wants(r, name, "too-large", "more than %zu labels", LABELS_MOST);
    if (label->line && label->pass == f->pass && !(label->set && set))
        return gpudbg_reading_wants(
            r, name, "redefinition", "\"%.*s\" is defined in line %ld", (int)(n < 80 ? n : 80), name, label->line);
    f->moved |= !label->line || label->value != value;
    *label = (struct label){.name = label->name, .n = n, .value = value, .line = f->line, .pass = f->pass, .set = set};
    return true;
}

/* What a listing of a compiler says about its code, and what changes no byte of it. */
static bool is_silent(const char *name, size_t n)
{
    static const char *const silent[] = {".text", ".globl", ".global", ".type", ".size", ".ident", ".file", ".section",
        ".local", ".weak", ".hidden", ".protected", NULL};
    for (const char *const *s = silent; *s; s++)
        if (strlen(*s) == n && memcmp(*s, name, n) == 0) return true;
    return n > 7 && memcmp(name + n - 7, "_target", 7) == 0; /* which processor a compiler meant */
}

static bool take_count(struct gpudbg_reading *r, uint64_t most, uint64_t *value)
{
    struct gpudbg_term t;
    const char *from = (gpudbg_reading_ends(r), r->at);
    if (!gpudbg_reading_term(r, &t)) return false;
    *value = (uint64_t)t.value;
    return (!t.is_float && t.value >= 0 && *value <= most) ||
           gpudbg_reading_wants(r, from, "out-of-range", "a number from 0 to %" PRIu64 " is expected here", most);
}

static bool take_align(struct file *f, struct gpudbg_reading *r, bool power)
{
    uint64_t to;
    const char *from = r->at;
    if (!take_count(r, power ? 16 : 65536, &to)) return false;
    if (power) to = (uint64_t)1 << to;
    if (!to || to & (to - 1)) return gpudbg_reading_wants(r, from, "out-of-range", "an alignment is a power of two");
    return add_bytes(f, NULL, (size_t)((to - f->at % to) % to));
}

static bool take_set(struct file *f, struct gpudbg_reading *r, const char *name, size_t n)
{
    struct gpudbg_term t;
    if (!gpudbg_reading_term(r, &t)) return false;
    if (t.is_float) return gpudbg_reading_wants(r, t.from, "syntax", "a whole number is expected here");
    return define(f, r, name, n, (uint64_t)t.value, true);
}

static bool is_word(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(at, word, n) == 0;
}

/* A directive of n characters, which were passed over. */
static bool take_directive(struct file *f, struct gpudbg_reading *r, const char *name, size_t n)
{
    uint64_t count;
    if (is_silent(name, n)) {
        r->at += strlen(r->at);
        return true;
    }
    if (is_word(name, n, ".p2align")) return take_align(f, r, true);
    if (is_word(name, n, ".align") || is_word(name, n, ".balign")) return take_align(f, r, false);
    if (is_word(name, n, ".space") || is_word(name, n, ".zero") || is_word(name, n, ".skip"))
        return take_count(r, BYTES_MOST, &count) && add_bytes(f, NULL, (size_t)count);
    if (is_word(name, n, ".set") || is_word(name, n, ".equ")) {
        const size_t length = gpudbg_reading_name(r);
        const char *symbol = r->at;
        r->at += length;
        if (!length || !gpudbg_reading_takes(r, ','))
            return gpudbg_reading_wants(r, r->at, "syntax", "a name, a comma and its value are expected here");
        return take_set(f, r, symbol, length);
    }
    return gpudbg_reading_wants(r, name, "unsupported",
        "directives are .long, .quad, .short, .byte, .space, .align, .p2align and .set; the description of kernels is "
        "the compiler's work");
}

/* The statement behind the labels of a line. */
static bool take_rest(struct file *f, struct gpudbg_reading *r)
{
    uint8_t bytes[GPUDBG_INSN_BYTES];
    if (gpudbg_reading_ends(r)) return true;
    const size_t n = gpudbg_reading_name(r);
    const char *name = r->at;
    if (n && name[n + strspn(name + n, " \t")] == '=' && name[n + strspn(name + n, " \t") + 1] != '=') {
        r->at += n;
        gpudbg_reading_takes(r, '=');
        return take_set(f, r, name, n);
    }
    if (n && *name == '.' && !data_directive(name, n)) {
        r->at += n;
        return take_directive(f, r, name, n) && (gpudbg_reading_ends(r) || gpudbg_reading_wants(r, r->at, "syntax",
                                                                               "the end of the line is expected here"));
    }
    const size_t size = take_statement(r, bytes, sizeof bytes);
    return size && add_bytes(f, bytes, size);
}

/* Labels: a name and a colon, as many as there are.  A colon may belong to the instruction, which begins otherwise. */
static bool take_labels(struct file *f, struct gpudbg_reading *r)
{
    for (;;) {
        const size_t n = gpudbg_reading_name(r);
        const char *name = r->at;
        if (!n || name[n] != ':') return true;
        r->at += n + 1;
        if (!define(f, r, name, n, f->at, false)) return false;
    }
}

static void take_line(struct file *f, char *line, bool *open)
{
    struct gpudbg_error err = {.offset = -1};
    drop_comments(f->as->isa, line, open);
    f->err = &err;
    struct gpudbg_reading r = {.text = line,
        .at = line,
        .isa = f->as->isa,
        .syntax = f->as->syntax,
        .addr = f->at,
        .compact = f->as->compact,
        .symbol = file_symbol,
        .data = f,
        .err = &err};
    if (!take_labels(f, &r) || !take_rest(f, &r)) keep_error(f);
}

/* The length of the line at text, with those that go on with its instruction; *lines: how many they are. */
static size_t line_length(const struct file *f, const char *text, size_t size, long *lines)
{
    const struct gpudbg_isa *isa = f->as->isa;
    size_t n = 0;
    for (*lines = 1;; ++*lines, n++) {
        const char *end = memchr(text + n, '\n', size - n);
        n = end ? (size_t)(end - text) : size;
        if (n == size || n > LINE_MOST || !isa->assembler.unfinished ||
            !isa->assembler.unfinished(isa, f->as->syntax, text, n))
            return n;
    }
}

/* One pass over the text.  false: it was interrupted, or the passes end here. */
static bool take_pass(struct file *f, const char *text, size_t size)
{
    bool open = false;
    f->at = 0;
    f->line = 0;
    f->moved = false;
    for (size_t at = 0; at < size && f->nerrors < ASSEMBLER_ERRORS;) {
        long lines;
        const size_t n = line_length(f, text + at, size - at, &lines);
        f->line++;
        if (f->line % TICK_LINES == 0 && !ticker_goes_on(f->as->ticker, at, size)) return false;
        if (n > LINE_MOST || memchr(text + at, 0, n)) {
            struct gpudbg_error err = {.offset = -1};
            f->err = &err;
            gpudbg_fail(
                &err, "syntax", n > LINE_MOST ? "a line of %zu characters" : "the line of %zu bytes has a byte 0", n);
            keep_error(f);
        } else {
            char *line = xstrndup(text + at, n);
            for (char *p = line; lines > 1 && (p = strchr(p, '\n'));) *p = ' ';
            take_line(f, line, &open);
            free(line);
        }
        f->line += lines - 1;
        at += n + 1;
    }
    return true;
}

static bool give_up(struct file *f, const char *kind, const char *message)
{
    struct gpudbg_error err = {.offset = -1};
    gpudbg_fail(&err, kind, "%s", message);
    f->errors[0] = err;
    f->nerrors = 1;
    return false;
}

static bool take_passes(struct file *f, const char *text, size_t size)
{
    for (f->pass = 1; f->pass <= PASSES; f->pass++) {
        if (!take_pass(f, text, size)) return give_up(f, "interrupt", "interrupted while assembling");
        if (f->last) return !f->nerrors;
        f->last = !f->moved || f->labels.n == 0;
    }
    return give_up(f, "too-large", "the sizes of instructions depend on each other: the labels did not settle");
}

bool assemble_file(const struct assembler *as, const char *text, size_t size, uint8_t **bytes, size_t *n,
    struct gpudbg_error errors[ASSEMBLER_ERRORS], unsigned *nerrors)
{
    struct file f = {.as = as, .errors = errors};
    *bytes = NULL;
    *n = *nerrors = 0;
    if (as->isa->assembler.file) {
        errors[0] = (struct gpudbg_error){.offset = -1};
        *nerrors = 1;
        if (!as->isa->assembler.file(text, size, bytes, n, &errors[0])) return false;
        *nerrors = 0;
        return true;
    }
    const bool ok = take_passes(&f, text, size);
    free_labels(&f.labels);
    *nerrors = f.nerrors;
    if (ok) {
        *bytes = f.bytes ? f.bytes : xalloc(1);
        *n = f.n;
        return true;
    }
    free(f.bytes);
    return false;
}
