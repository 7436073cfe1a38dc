/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code as lines: walking it, naming its addresses, records of it.  See insn.h. */
#include "code/insn.h"
#include <ctype.h>
#include "image/image.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/memo.h"

/* ---- Walking ---- */

/* Symbols are sorted: the first whose address is above `addr`. */
static size_t symbol_after(const struct gpudbg_image *image, uint64_t addr)
{
    size_t lo = 0, hi = image->nsymbols;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (image->symbols[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The object that the address is in, as the header in front of a kernel is, whatever else starts there; NULL: none. */
static const struct gpudbg_symbol *object_at(const struct gpudbg_image *image, uint64_t addr)
{
    size_t i = symbol_after(image, addr);
    for (unsigned tries = 0; i-- > 0 && tries < 16; tries++) {
        const struct gpudbg_symbol *s = &image->symbols[i];
        if (s->kind == GPUDBG_SYM_OBJECT && addr - s->addr < s->size)
            return s;
    }
    return NULL;
}

/* A run is what is decoded alike: it ends with its section, at the next function or object, and where an object ends. */
static bool open_run(struct code_walk *w)
{
    const struct gpudbg_image *image = w->image;
    const struct gpudbg_section *section = NULL;
    while (!section || !section->bytes) {
        if (section) /* zeros that the file does not hold */
            w->at = section->addr + section->size;
        section = gpudbg_image_at(image, w->at);
        if (!section && (!image_next(image, w->at, &w->at) || w->at >= w->to))
            return false;
    }
    uint64_t end = section->addr + section->size;
    w->symbol = symbol_after(image, w->at);
    while (w->symbol < image->nsymbols && image->symbols[w->symbol].addr < end && image->symbols[w->symbol].kind == GPUDBG_SYM_LABEL)
        w->symbol++;
    if (w->symbol < image->nsymbols && image->symbols[w->symbol].addr < end)
        end = image->symbols[w->symbol].addr;
    const struct gpudbg_symbol *object = object_at(image, w->at);
    w->data = object || !(section->flags & GPUDBG_CODE_BYTES) || !image->isa;
    if (object && object->addr + object->size < end)
        end = object->addr + object->size;
    w->bytes = section->bytes + (w->at - section->addr);
    w->left = (size_t)(end - w->at);
    return true;
}

void code_walk_open(struct code_walk *w, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    *w = (struct code_walk){.image = image, .at = from, .to = to};
}

bool code_walk_next(struct code_walk *w, struct gpudbg_insn *insn)
{
    if (w->at >= w->to || (!w->left && (!open_run(w) || w->at >= w->to)))
        return false;
    if (w->data) {
        size_t unit = w->at % 4 == 0 && w->left >= 4 ? 4 : w->left < 4 ? w->left : 4 - w->at % 4;
        *insn = (struct gpudbg_insn){
            .addr = w->at, .isa = w->image->isa, .raw = w->bytes, .size = (uint32_t)unit};
        w->is_insn = false;
    } else {
        w->is_insn = gpudbg_insn_at(w->image->isa, w->bytes, w->left, w->at, insn);
    }
    w->at += insn->size;
    w->bytes += insn->size;
    w->left -= insn->size;
    return true;
}

struct memo_entry *code_walk_known(struct code_walk *w, struct memo *memo, const uint8_t **bytes, uint64_t *addr)
{
    if (!memo || w->at >= w->to || !w->left || w->data)
        return NULL;
    struct memo_entry *e = memo_find(memo, w->bytes, w->left);
    if (!e)
        return NULL;
    *bytes = w->bytes;
    *addr = w->at;
    w->at += e->size;
    w->bytes += e->size;
    w->left -= e->size;
    w->is_insn = true;
    return e;
}

bool insn_target(const struct gpudbg_insn *insn, uint64_t *target)
{
    if (!insn->op || !(insn->op->flags & GPUDBG_OP_BRANCH))
        return false;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE) {
            *target = (uint64_t)insn->operands[i].imm;
            return true;
        }
    return false;
}

bool insn_at(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn)
{
    const struct gpudbg_section *section = gpudbg_image_at(image, addr);
    struct code_walk w;
    if (!section || !image->isa || (addr - section->addr) % (image->isa->align ? image->isa->align : 1))
        return false;
    code_walk_open(&w, image, addr, addr == UINT64_MAX ? addr : addr + 1);
    return code_walk_next(&w, insn) && w.is_insn && insn->addr == addr;
}

bool insn_stays(const struct gpudbg_image *image, uint64_t pc, const struct gpudbg_symbol *function)
{
    struct gpudbg_insn insn;
    return gpudbg_image_symbol_at(image, pc) == function && insn_at(image, pc, &insn) && !(insn.op->flags & GPUDBG_OP_CALL);
}

bool insn_before(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_insn *insn)
{
    const struct gpudbg_section *section = addr ? gpudbg_image_at(image, addr - 1) : NULL;
    const struct gpudbg_symbol *symbol = addr ? gpudbg_image_symbol_at(image, addr - 1) : NULL;
    struct gpudbg_insn step;
    struct code_walk w;
    if (!section)
        return false;
    uint64_t from = symbol && symbol->addr > section->addr ? symbol->addr : section->addr;
    if (addr - from > 1 << 20) /* far from any name: what is decoded from nearby soon falls into step */
        from = (addr - 4096) & ~UINT64_C(15);
    code_walk_open(&w, image, from, addr);
    bool found = false;
    while (code_walk_next(&w, &step)) {
        *insn = step;
        found = true;
    }
    return found;
}

int insn_syntax(const struct gpudbg_isa *isa, const char *name)
{
    if (!*name || !isa->syntaxes)
        return 0;
    for (int i = 0; isa->syntaxes[i]; i++)
        if (strcmp(isa->syntaxes[i], name) == 0)
            return i;
    return -1;
}

unsigned insn_syntax_or_first(const struct gpudbg_isa *isa, const char *name)
{
    const int syntax = insn_syntax(isa, name);
    return syntax < 0 ? 0 : (unsigned)syntax;
}

/* ---- Names ---- */

/* An assembler takes the name, and it means one address only. */
static bool is_label(const struct gpudbg_image *image, const struct gpudbg_symbol *s)
{
    if (s->kind == GPUDBG_SYM_OBJECT || !s->name || !*s->name || isdigit((unsigned char)*s->name))
        return false;
    for (const char *c = s->name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.$@", *c))
            return false;
    const struct gpudbg_symbol *same = gpudbg_image_find(image, s->name);
    return same && same->addr == s->addr;
}

const struct gpudbg_symbol *code_symbol(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_symbol *found = NULL;
    for (size_t i = symbol_after(image, addr); i-- > 0 && image->symbols[i].addr == addr;)
        if (is_label(image, &image->symbols[i]))
            found = &image->symbols[i];
    return found;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Branches are short and met in order: the search starts where the last one ended, in steps that grow. */
static bool is_target(struct code_names *n, uint64_t addr)
{
    const uint64_t *t = n->targets;
    size_t lo = n->found, hi = n->found, step = 1; /* what is sought lies in [lo, hi) */
    while (hi < n->ntargets && t[hi] <= addr) {
        lo = hi;
        hi += step;
        step *= 2;
    }
    while (lo > 0 && t[lo] > addr) {
        hi = lo;
        lo = lo > step ? lo - step : 0;
        step *= 2;
    }
    if (hi > n->ntargets)
        hi = n->ntargets;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        *(t[mid] <= addr ? &lo : &hi) = mid;
    }
    n->found = lo;
    return lo < n->ntargets && t[lo] == addr;
}

static const char *label_name(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    struct code_names *n = (struct code_names *)(uintptr_t)names->data; /* its owner made it so; `found` is written */
    if (!is_target(n, addr))
        return NULL;
    const struct gpudbg_symbol *symbol = code_symbol(n->image, addr);
    if (symbol) {
        snprintf(buf, size, "%s", symbol->name);
        return buf;
    }
    char *p = buf + size; /* "L%04x" from its end: a listing names many */
    unsigned digits = 0;
    for (*--p = 0; digits < 4 || addr; digits++, addr >>= 4)
        *--p = "0123456789abcdef"[addr & 15];
    *--p = 'L';
    return p;
}

static const char *plain_name(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    const struct code_names *n = names->data;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(n->image, addr);
    if (!symbol || symbol->kind == GPUDBG_SYM_OBJECT)
        return NULL;
    if (symbol->addr == addr)
        snprintf(buf, size, "%s", symbol->name);
    else
        snprintf(buf, size, "%s+0x%" PRIx64, symbol->name, addr - symbol->addr);
    return buf;
}

void code_names_plain(struct code_names *n, const struct gpudbg_image *image)
{
    *n = (struct code_names){.image = image, .names = {.name = plain_name, .data = n}};
}

/* Addresses in the order met, growing. */
struct addresses {
    uint64_t *at;
    size_t n, room;
};

static bool keep(struct addresses *a, uint64_t addr)
{
    if (a->n == a->room) {
        size_t room = a->room ? 2 * a->room : 64;
        uint64_t *at = realloc(a->at, room * sizeof *at);
        if (!at)
            return false;
        a->at = at;
        a->room = room;
    }
    a->at[a->n++] = addr;
    return true;
}

static void sort_unique(struct addresses *a)
{
    size_t n = 0;
    if (a->n)
        qsort(a->at, a->n, sizeof *a->at, by_value);
    for (size_t i = 0; i < a->n; i++)
        if (!n || a->at[n - 1] != a->at[i])
            a->at[n++] = a->at[i];
    a->n = n;
}

/* Where instructions start: a bit a unit of alignment, for the stretches of addresses that were walked. */
struct starts {
    unsigned unit;
    struct stretch {
        uint64_t from, to;
        size_t bit;
    } *stretch;
    size_t n, room;
    uint8_t *bits;
    size_t nbits, bytes;
};

static bool new_stretch(struct starts *s, uint64_t from)
{
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        struct stretch *stretch = realloc(s->stretch, room * sizeof *stretch);
        if (!stretch)
            return false;
        s->stretch = stretch;
        s->room = room;
    }
    s->stretch[s->n++] = (struct stretch){from, from, s->nbits};
    return true;
}

static bool room_for_bits(struct starts *s, size_t nbits)
{
    if (nbits <= 8 * s->bytes)
        return true;
    size_t bytes = s->bytes ? 2 * s->bytes : 4096;
    while (8 * bytes < nbits)
        bytes *= 2;
    uint8_t *bits = realloc(s->bits, bytes);
    if (!bits)
        return false;
    memset(bits + s->bytes, 0, bytes - s->bytes);
    s->bits = bits;
    s->bytes = bytes;
    return true;
}

/* The stretch that goes on at addr, with room for the bits of `size` bytes; NULL: out of memory. */
static struct stretch *stretch_at(struct starts *s, uint64_t addr, uint64_t size)
{
    if ((!s->n || s->stretch[s->n - 1].to != addr) && !new_stretch(s, addr))
        return NULL;
    struct stretch *last = &s->stretch[s->n - 1];
    return room_for_bits(s, last->bit + (size_t)((addr + size - last->from + s->unit - 1) / s->unit)) ? last : NULL;
}

static void stretch_to(struct starts *s, struct stretch *last, uint64_t to)
{
    last->to = to;
    s->nbits = last->bit + (size_t)((to - last->from + s->unit - 1) / s->unit);
}

/* The next thing walked over: an instruction of `size` bytes, or data. */
static bool add_start(struct starts *s, uint64_t addr, uint32_t size, bool is_insn)
{
    struct stretch *last = stretch_at(s, addr, size);
    if (!last)
        return false;
    stretch_to(s, last, addr + size);
    size_t bit = last->bit + (size_t)((addr - last->from) / s->unit);
    if (is_insn && (addr - last->from) % s->unit == 0)
        s->bits[bit / 8] |= (uint8_t)(1u << bit % 8);
    return true;
}

/* Leaves the targets that an instruction starts at; both are sorted. */
static void keep_starts(struct addresses *a, const struct starts *s)
{
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < a->n; i++) {
        uint64_t addr = a->at[i];
        while (at < s->n && s->stretch[at].to <= addr)
            at++;
        if (at == s->n)
            break;
        if (addr < s->stretch[at].from || (addr - s->stretch[at].from) % s->unit)
            continue;
        size_t bit = s->stretch[at].bit + (size_t)((addr - s->stretch[at].from) / s->unit);
        if (s->bits[bit / 8] >> bit % 8 & 1)
            a->at[kept++] = addr;
    }
    a->n = kept;
}

#define SKIM_TARGETS 256
#define SKIM_BYTES (1u << 20) /* between two looks at the clock */

/* Passes over instructions without decoding them, as many as the instruction set can; *passed says how many bytes that were. */
static bool skim(struct code_walk *w, struct starts *starts, struct addresses *targets, uint64_t from, size_t *passed)
{
    const struct gpudbg_isa *isa = w->image->isa;
    uint64_t named[SKIM_TARGETS];
    size_t n = w->left < SKIM_BYTES ? w->left : SKIM_BYTES;
    *passed = 0;
    if (!isa || !isa->skim || w->at >= w->to || !w->left || w->data)
        return true;
    if (w->to - w->at < n)
        n = (size_t)(w->to - w->at);
    struct stretch *last = stretch_at(starts, w->at, n);
    if (!last)
        return false;
    if ((w->at - last->from) % starts->unit)
        return true;
    struct gpudbg_skim s = {.starts = starts->bits, .first = last->bit + (size_t)((w->at - last->from) / starts->unit),
        .targets = named, .room = SKIM_TARGETS};
    *passed = isa->skim(isa, w->bytes, n, w->at, &s);
    w->at += *passed;
    w->bytes += *passed;
    w->left -= *passed;
    stretch_to(starts, last, w->at);
    for (size_t i = 0; i < s.ntargets; i++)
        if (named[i] >= from && named[i] < w->to && !keep(targets, named[i]))
            return false;
    return true;
}

#define TICK_BYTES (1u << 22)

bool code_names_open(struct code_names *n, const struct gpudbg_image *image, uint64_t from, uint64_t to,
    struct memo *memo, const struct ticker *ticker, struct gpudbg_error *err)
{
    struct addresses targets = {0};
    struct starts starts = {.unit = image->isa && image->isa->align ? image->isa->align : 1};
    struct gpudbg_insn insn;
    struct code_walk w;
    const uint8_t *bytes;
    uint64_t target, addr, ticked = from;
    size_t passed;
    bool ok = true, stopped = false;
    code_walk_open(&w, image, from, to);
    while (ok && !stopped) {
        if (w.at - ticked >= TICK_BYTES) {
            ticked = w.at;
            stopped = !ticker_goes_on(ticker, w.at - from, to - from);
        }
        ok = skim(&w, &starts, &targets, from, &passed);
        if (!ok || passed)
            continue;
        const struct memo_entry *known = code_walk_known(&w, memo, &bytes, &addr);
        if (known) {
            ok = add_start(&starts, addr, known->size, true);
            continue;
        }
        if (!code_walk_next(&w, &insn))
            break;
        if (memo && w.is_insn)
            memo_keep(memo, &insn);
        ok = add_start(&starts, insn.addr, insn.size, w.is_insn);
        for (unsigned i = 0; ok && w.is_insn && i < insn.noperands; i++) { /* a branch may have two */
            target = (uint64_t)insn.operands[i].imm;
            if (insn.operands[i].kind == GPUDBG_CODE && target >= from && target < to)
                ok = keep(&targets, target);
        }
    }
    sort_unique(&targets);
    if (ok)
        keep_starts(&targets, &starts);
    free(starts.stretch);
    free(starts.bits);
    *n = (struct code_names){.image = image,
        .from = from,
        .to = to,
        .targets = targets.at,
        .ntargets = targets.n,
        .names = {.name = label_name, .data = n}};
    if (ok && !stopped)
        return true;
    code_names_close(n);
    if (stopped)
        return gpudbg_fail(err, "command", "interrupted while looking for labels");
    return gpudbg_fail(err, "too-large", "out of memory for the labels of 0x%" PRIx64 " to 0x%" PRIx64, from, to);
}

void code_names_close(struct code_names *n)
{
    free(n->targets);
    n->targets = NULL;
    n->ntargets = 0;
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
    if (size < 6 + n / unit * (2 * unit + 4) + 1)
        return -1;
    memcpy(buf, unit == 4 ? ".long " : ".byte ", 6);
    for (size_t i = 0; i < n; i += unit) {
        if (i) {
            buf[len++] = ',';
            buf[len++] = ' ';
        }
        buf[len++] = '0';
        buf[len++] = 'x';
        for (size_t b = unit; b-- > 0;)
            len += put_byte(buf + len, bytes[i + b]);
    }
    buf[len] = 0;
    return (int)len;
}

/* ---- Records ---- */

static unsigned run_count(const struct gpudbg_field *f)
{
    unsigned n = 0;
    while (n < GPUDBG_RUNS && f->run[n].len)
        n++;
    return n;
}

int field_bits_text(const struct gpudbg_field_iter *it, char *buf, size_t size)
{
    int len = 0;
    if (size)
        *buf = 0;
    for (unsigned i = run_count(it->field); i-- > 0 && (size_t)len < size;) {
        unsigned lo = it->bit + it->field->run[i].lo;
        len += snprintf(
            buf + len, size - (size_t)len, "%s%u:%u", len ? "," : "", lo + it->field->run[i].len - 1, lo);
    }
    return len;
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
    if (it->derived)
        gpudbg_out_bool(out, "derived", true);
    gpudbg_out_close(out);
}

static void operand_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, unsigned i)
{
    static const char *const kinds[] = {"register", "integer", "number", "literal", "code", "memory", "special"};
    const struct gpudbg_operand *o = &insn->operands[i];
    char text[256] = "";
    if (insn->isa->operand_text)
        insn->isa->operand_text(insn, i, text, sizeof text);
    gpudbg_out_object(out, NULL);
    gpudbg_out_string(out, "text", text);
    gpudbg_out_string(out, "kind", o->kind < sizeof kinds / sizeof *kinds ? kinds[o->kind] : "special");
    if (o->kind == GPUDBG_REGISTER && o->file < insn->isa->nfiles) {
        gpudbg_out_string(out, "file", insn->isa->files[o->file].name);
        const char *parts = insn->isa->files[o->file].parts; /* one register, however many of its parts count */
        gpudbg_out_number(out, "register", parts ? o->reg / strlen(parts) : o->reg);
        gpudbg_out_number(out, "count", parts ? 1 : o->count);
    } else if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL ||
               o->kind == GPUDBG_CODE) {
        gpudbg_out_hex(out, "value", (uint64_t)o->imm);
    }
    gpudbg_out_bool(out, "read", o->flags & GPUDBG_READ);
    gpudbg_out_bool(out, "write", o->flags & GPUDBG_WRITE);
    if (o->flags & GPUDBG_IMPLICIT)
        gpudbg_out_bool(out, "implicit", true);
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
    unsigned n = insn->isa->problems ? insn->isa->problems(insn, problem, INSN_PROBLEMS) : 0;
    if (!n)
        return;
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
    if (whole)
        insn->isa->text(insn, syntax, GPUDBG_READABLE, n, whole, (size_t)need + 1);
    gpudbg_out_begin(out, "insn");
    gpudbg_out_hex(out, "addr", insn->addr);
    gpudbg_out_number(out, "size", insn->size);
    gpudbg_out_bytes(out, "bytes", insn->raw, insn->size);
    gpudbg_out_string(out, "isa", insn->isa->name);
    gpudbg_out_string(out, "mnemonic", insn->op->name);
    gpudbg_out_string(out, "text", whole ? whole : text);
    free(whole);
    gpudbg_out_array(out, "fields");
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);)
        field_record(out, &it);
    gpudbg_out_close(out);
    gpudbg_out_array(out, "operands");
    for (unsigned i = 0; i < insn->noperands; i++)
        operand_record(out, insn, i);
    gpudbg_out_close(out);
    problems_record(out, insn);
    gpudbg_out_end(out);
}
