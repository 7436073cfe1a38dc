/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disassemble: code as text and as records. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/parts.h"
#include "base/shown.h"
#include "gpudbg/unset.h"
#include "code/branches.h"
#include "code/memo.h"
#include "code/records.h"
#include "code/walk.h"
#include "command/live_code.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "gpudbg/listing.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "out/pieces.h"
#include "session/command.h"
#include "session/session.h"

#define LINE_ROOM 2048

struct listing {
    struct pieces text;
    struct gpudbg *g;
    const struct gpudbg_image *image;
    struct code_names names;
    struct memo *memo, *branches;    /* NULL: none */
    void *printer;                   /* the same */
    size_t next_target, next_symbol; /* both lists are sorted, and so are the lines */
    struct need {
        uint64_t addr; /* of the instruction */
        const char *name;
    } * needs; /* symbols that the file does not contain, by address */
    size_t nneeds, next_need;
    uint64_t next_label; /* no address before it has one, nor a need */
    unsigned syntax;
    bool assembler, drops, raw, fields, source;
    struct sources files;
    const struct gpudbg_line *line; /* the row shown last */
    int killed;                     /* the signal that ended a process in the middle of its part; 0: none */
    struct gpudbg_line_end end;
};

static int by_need(const void *a, const void *b)
{
    const struct need *x = a, *y = b;
    return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : strcmp(x->name, y->name);
}

/* Finds the instructions that need symbols which the file does not contain. */
static void find_needs(struct listing *l)
{
    uint64_t place;
    const char *name;
    struct gpudbg_insn insn;
    for (size_t i = 0; image_needed(l->image, i, &place, &name); i++) {
        const bool inside = insn_before(l->image, place + 1, &insn) && insn.addr <= place;
        l->needs = xrealloc(l->needs, l->nneeds + 1, sizeof *l->needs);
        l->needs[l->nneeds++] = (struct need){inside ? insn.addr : place, name};
    }
    if (l->nneeds) qsort(l->needs, l->nneeds, sizeof *l->needs, by_need);
}

/* A line before the instruction; several halves of one address are one need. */
static void put_needs(struct listing *l, uint64_t addr)
{
    for (; l->next_need < l->nneeds && l->needs[l->next_need].addr <= addr; l->next_need++) {
        const struct need *n = &l->needs[l->next_need];
        if (n->addr != addr) continue;
        pieces_puts(&l->text, "    // needs ");
        pieces_puts(&l->text, n->name);
        pieces_puts(&l->text, ", which the file does not contain\n");
    }
    if (l->next_need < l->nneeds && l->needs[l->next_need].addr < l->next_label)
        l->next_label = l->needs[l->next_need].addr;
}

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
    put_needs(l, addr);
    const struct gpudbg_symbol *symbol = named ? code_symbol(l->image, addr) : NULL;
    if (symbol) {
        if (l->image->isa && l->image->isa->assembler.file) pieces_puts(&l->text, "// "); /* its text has no labels */
        pieces_puts(&l->text, symbol->name);
        pieces_puts(&l->text, ":\n");
    } else if (target) {
        pieces_room(&l->text);
        const bool clean = l->text.clean == l->text.n;
        pieces_few(&l->text, "L", 1);
        pieces_hex(&l->text, addr, 4);
        pieces_few(&l->text, ":\n", 2);
        if (clean) pieces_clean(&l->text);
    }
}

static void put_source_line(struct listing *l, const char *file, uint32_t line, const char *text, size_t n)
{
    char head[512];
    snprintf(head, sizeof head, "// %s:%" PRIu32 ": ", file, line);
    pieces_puts(&l->text, head);
    pieces_put(&l->text, text ? text : "", text ? n : 0);
    pieces_puts(&l->text, "\n");
}

/* Lines up to one, from the line behind another: comments of a program that is text itself, which have no code. */
static void put_remarks(struct listing *l, const struct source *s, const char *file, uint32_t behind, uint32_t to)
{
    for (uint32_t line = behind + 1; line < to; line++) {
        size_t n = 0, blank = 0;
        const char *text = source_line(s, line, &n);
        while (text && blank < n && isspace((unsigned char)text[blank])) blank++;
        if (text && blank < n) put_source_line(l, file, line, text, n);
    }
}

static void put_source(struct listing *l, uint64_t addr)
{
    const struct gpudbg_line *row = gpudbg_image_line(l->image, addr);
    size_t n = 0;
    if (!row || (l->line && row->line == l->line->line && strcmp(row->file, l->line->file) == 0)) return;
    l->line = row;
    const struct source *s = sources_of(&l->files, &l->g->loaded, row->file);
    if (strcmp(row->file, l->image->path) == 0)
        put_remarks(l, s, row->file, row > l->image->lines ? row[-1].line : 0, row->line);
    const char *text = source_line(s, row->line, &n);
    put_source_line(l, row->file, row->line, text, n);
}

/* Behind the last unit: the comments below the last line that has code. */
static void put_last_remarks(struct listing *l)
{
    const struct gpudbg_line *last = l->line;
    if (!last || last + 1 != l->image->lines + l->image->nlines || strcmp(last->file, l->image->path) != 0) return;
    const struct source *s = sources_of(&l->files, &l->g->loaded, last->file);
    if (s->text) put_remarks(l, s, last->file, last->line, (uint32_t)s->nlines + 1);
}

/* Words, or the bytes of what is no whole number of them, to a fixed column; long data shows its beginning. */
static void put_words(struct pieces *t, const uint8_t *bytes, size_t n)
{
    size_t start = t->n, unit = n % 4 == 0 ? 4 : 1, shown = n < 64 ? n : 64;
    for (size_t i = 0; i + unit <= shown; i += unit) {
        for (size_t b = unit; b-- > 0;) pieces_hex(t, bytes[i + b], 2);
        pieces_few(t, " ", 1);
    }
    size_t width = t->n - start;
    if (width < 19) pieces_spaces(t, 19 - width);
}

static const char comment[] = "    // ";

/* The bytes as data of the assembler, or how many they are. */
static void add_data(struct text *t, const struct gpudbg_insn *insn)
{
    const int n = data_text(insn->raw, insn->size, text_end(t), text_room(t) / 2);
    text_wrote(t, n >= 0 ? n : (int)strlen(text_end(t)));
}

/* Data as text, with a comment that says which layout it nearly has; size is LINE_ROOM at least. */
static size_t unit_data(const struct listing *l, const struct gpudbg_insn *insn, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (l->assembler && l->image->isa && l->image->isa->traits.comment) /* the assembler takes no data */
        text_add(&t, "%s ",
            l->image->isa->assembler.remark ? l->image->isa->assembler.remark : l->image->isa->traits.comment);
    add_data(&t, insn);
    if (insn->nparts) text_add(&t, "%s%s, no such instruction", comment, insn->parts[0].format->name);
    return t.n;
}

static enum gpudbg_style style_of(const struct listing *l)
{
    return !l->assembler ? GPUDBG_READABLE : l->drops ? GPUDBG_DROPPING : GPUDBG_ASSEMBLER;
}

static struct branch_style branch_style_of(const struct listing *l)
{
    return (struct branch_style){.syntax = l->syntax, .style = style_of(l), .names = &l->names.names};
}

/* The text of one unit, with a comment where it is data; returns its length, which is `size` or more if it did not fit.
 */
static size_t unit_text(const struct listing *l, const struct gpudbg_insn *insn, bool is_insn, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = l->image->isa;
    if (!is_insn) return unit_data(l, insn, buf, size);
    int n = isa->text(insn, l->syntax, style_of(l), &l->names.names, buf, size);
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
    pieces_room(t);
    if (l->raw) {
        pieces_hex(t, addr, 4);
        pieces_few(t, ": ", 2);
        put_words(t, bytes, size);
    } else {
        pieces_few(t, "    ", 4);
    }
}

/* Whether lines end with their addresses. */
static bool ends_lines(const struct listing *l) { return !l->raw && !l->assembler; }

/* The text of n bytes stands at the end of what is written. */
static void end_line(struct listing *l, uint64_t addr, size_t n)
{
    struct pieces *t = &l->text;
    t->n = (size_t)(gpudbg_line_put_end(&l->end, ends_lines(l), t->buf + t->n - n, addr, n) - t->buf);
}

/* Lines of any length: lists of numbers have no limit. */
static void put_long(struct listing *l, const struct gpudbg_insn *insn, size_t n)
{
    static const char no_memory[] = "// no memory for the text of this instruction";
    char *text = malloc(n + 1);
    if (text) unit_text(l, insn, true, text, n + 1);
    begin_line(l, insn->addr, insn->raw, insn->size);
    pieces_put(&l->text, text ? text : no_memory, text ? n : sizeof no_memory - 1);
    pieces_put(&l->text, "\n", 1);
    free(text);
}

static void put_unit(struct listing *l, const struct gpudbg_insn *insn, bool is_insn)
{
    char line[LINE_ROOM] GPUDBG_UNSET;
    size_t n = unit_text(l, insn, is_insn, line, sizeof line);
    if (n >= sizeof line) {
        put_long(l, insn, n);
        return;
    }
    begin_line(l, insn->addr, insn->raw, insn->size);
    pieces_few(&l->text, line, n);
    end_line(l, insn->addr, n);
    struct memo_entry *e = l->memo && is_insn ? memo_keep(l->memo, insn) : NULL;
    if (e && n <= MEMO_TEXT) {
        memcpy(memo_text(l->memo, e), line, n);
        e->len = (uint8_t)n;
    } else if (l->branches && is_insn) {
        const struct branch_style style = branch_style_of(l);
        branch_keep(l->branches, &style, insn, line, n);
    }
    if (l->fields) {
        pieces_flush(&l->text);
        insn_fields_say(l->text.out, insn, "        ");
    }
}

/* Lists instructions that the instruction set prints in one go, at most so many, up to the next label, the next unit
 * that is none and the end of the buffer; returns how many. */
static unsigned print_units(struct listing *l, struct code_walk *w, unsigned most)
{
    struct pieces *t = &l->text;
    const struct gpudbg_fast *fast = &l->image->isa->fast;
    if (w->data || l->source || !w->left || w->at >= w->to) return 0;
    if (w->at >= l->next_label) put_label(l, w->at);
    pieces_room(t);
    struct gpudbg_lines lines = {.names = &l->names.names,
        .bytes = w->bytes,
        .left = w->left,
        .at = w->at,
        .to = w->to < l->next_label ? w->to : l->next_label,
        .text = t->buf + t->n,
        .full = t->buf + t->size,
        .most = most,
        .ends = ends_lines(l),
        .end = l->end};
    pieces_look(t);
    const unsigned done = fast->lines ? fast->lines(l->printer, &lines)
                                      : gpudbg_lines_print(l->printer, &lines, fast->print);
    l->end = lines.end;
    t->n = (size_t)(lines.text - t->buf);
    pieces_clean(t);
    w->at = lines.at;
    w->bytes = lines.bytes;
    w->left = lines.left;
    return done;
}

/* A branch that is known. */
static bool list_branch(struct listing *l, struct code_walk *w)
{
    char text[BRANCH_TEXT] GPUDBG_UNSET;
    const uint8_t *bytes;
    uint64_t addr;
    const struct branch_style style = branch_style_of(l);
    const size_t n = l->branches && !l->fields ? branch_known(l->branches, &style, w, text, &bytes, &addr) : 0;
    if (!n) return false;
    begin_line(l, addr, bytes, (size_t)(w->at - addr));
    pieces_few(&l->text, text, n);
    end_line(l, addr, n);
    return true;
}

/* One unit, from the memo where it is known.  false: the end. */
static bool list_unit(struct listing *l, struct code_walk *w)
{
    struct gpudbg_insn insn GPUDBG_UNSET;
    struct code_walk before = *w;
    const uint8_t *bytes;
    uint64_t addr;
    const struct memo_entry *known = l->fields ? NULL : code_walk_known(w, l->memo, &bytes, &addr);
    if (known && known->len) {
        begin_line(l, addr, bytes, known->size);
        pieces_few(&l->text, memo_text(l->memo, known), known->len);
        end_line(l, addr, known->len);
        return true;
    }
    *w = before;
    if (list_branch(l, w)) return true;
    if (!code_walk_next(w, &insn)) return false;
    put_unit(l, &insn, w->is_insn);
    return true;
}

#define TICK_UNITS 65536

/* false: it was not wanted any more. */
static bool list_range(struct listing *l, uint64_t from, uint64_t to, struct parts_worker *worker)
{
    struct code_walk w;
    uint64_t told = from;
    code_walk_open(&w, l->image, from, to);
    for (unsigned units = 0;;) {
        unsigned done = l->printer ? print_units(l, &w, 1024 - units % 1024) : 0;
        if (!done && !list_unit(l, &w)) return true;
        units += done ? done : 1;
        if (units % 1024 == 0 && out_broken(l->text.out)) return false;
        if (units % TICK_UNITS) continue;
        if (worker ? !parts_goes_on(worker, w.at - told) : !ticker_goes_on(&l->g->ticker, w.at - from, to - from))
            return false;
        told = w.at;
    }
}

/* ---- Large ranges: several processes list a part each; parts begin at labels ----
 * Each makes the text of a part, and writes it where the listing goes when it is the part's turn. */

#define LARGE (4u << 20)
#define PART_BYTES (1u << 16)
#define PART_TEXT (1u << 20) /* of more, only the first so much is made before its turn */

/* Shared with the workers. */
struct writing {
    _Atomic size_t part; /* whose turn it is */
    _Atomic bool begun;  /* to write it */
    _Atomic int error;   /* errno of what could not be written; or 0 */
};

struct part_list {
    struct listing *l;
    uint64_t *cut; /* part i is [cut[i], cut[i + 1]) */
    size_t n;
    FILE *to;   /* where the listing goes */
    int killed; /* the signal that ended a worker */
    struct writing *writing;
    /* In a worker. */
    size_t part;
    struct parts_worker *worker;
};

/* Waits for the part's turn; a worker whose parent has gone ends. */
static void wait_for_turn(const struct part_list *p)
{
    for (unsigned tries = 0; atomic_load(&p->writing->part) != p->part; tries++) {
        if (tries < 64) continue;
        if (!parts_goes_on(p->worker, 0)) _exit(1);
        usleep(20);
    }
    atomic_store(&p->writing->begun, true);
}

static void write_part(void *to, const char *text, size_t n, bool clean)
{
    const struct part_list *p = to;
    wait_for_turn(p);
    if (atomic_load(&p->writing->error)) return;
    errno = 0;
    const bool good = clean ? fwrite(text, 1, n, p->to) == n : shown_write(p->to, text, n);
    if (!good || fflush(p->to)) atomic_store(&p->writing->error, errno ? errno : EIO);
}

/* In a worker the listing is its own, and its parts are in order. */
static bool list_part(void *data, size_t part, struct parts_worker *worker)
{
    struct part_list *p = data;
    struct pieces *text = &p->l->text;
    p->part = part;
    p->worker = worker;
    text->sink = write_part;
    text->to = p;
    text->size = PART_TEXT;
    if (!text->buf) pieces_open(text);
    if (!list_range(p->l, p->cut[part], p->cut[part + 1], worker)) return false;
    pieces_flush(text);
    atomic_store(&p->writing->begun, false);
    atomic_store(&p->writing->part, part + 1);
    return !atomic_load(&p->writing->error);
}

static bool take_part(void *data, size_t part, const void *answer, size_t size)
{
    const struct part_list *p = data;
    (void)part;
    (void)answer;
    (void)size;
    return !out_broken(p->l->text.out);
}

/* An instruction starts at each target, so a listing that starts there goes on as the whole one does.  false: no
 * memory. */
static bool find_cuts(struct part_list *p, uint64_t from, uint64_t to)
{
    const struct code_names *n = &p->l->names;
    const uint64_t most = (to - from) /
                          PART_BYTES; /* of a range that the user gave: mostly more than there are labels */
    p->cut = calloc((most < n->ntargets ? (size_t)most : n->ntargets) + 2, sizeof *p->cut);
    if (!p->cut) return false;
    p->cut[0] = from;
    for (size_t i = 0; i < n->ntargets; i++)
        if (n->targets[i] - p->cut[p->n] >= PART_BYTES && n->targets[i] < to) p->cut[++p->n] = n->targets[i];
    p->cut[++p->n] = to;
    return true;
}

/* Returns where the listing has to go on here; `to`: nowhere. */
static uint64_t write_in_parts(struct part_list *p, uint64_t to, unsigned workers)
{
    const struct parts_work work = {.n = p->n,
        .killed = &p->killed,
        .workers = workers,
        .todo = to - p->cut[0],
        .ticker = &p->l->g->ticker,
        .work = list_part,
        .take = take_part,
        .data = p};
    const enum parts_end end = p->n > 1 ? parts_do(&work) : PARTS_FAILED;
    const int error = atomic_load(&p->writing->error);
    const bool torn = end == PARTS_FAILED && atomic_load(&p->writing->begun); /* half of a part is written */
    if (error || (torn && !p->killed)) out_failed(p->l->text.out, error ? error : ENOMEM);
    if (torn) p->l->killed = p->killed;
    if ((end == PARTS_INTERRUPTED || p->l->killed) && atomic_load(&p->writing->begun))
        out_write(p->l->text.out, "\n", 1);
    return end == PARTS_FAILED && !error && !torn ? p->cut[atomic_load(&p->writing->part)] : to;
}

static uint64_t list_in_parts(struct listing *l, uint64_t from, uint64_t to)
{
    const unsigned most = (unsigned)l->g->settings.threads, workers = most ? most : parts_processors();
    struct part_list p = {.l = l};
    if (workers < 2 || l->fields || l->source || to - from < LARGE) return from;
    p.to = out_apart(l->text.out);
    if (!p.to) return from;
    p.writing = mmap(NULL, sizeof *p.writing, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p.writing != MAP_FAILED) {
        if (find_cuts(&p, from, to)) from = write_in_parts(&p, to, workers);
        munmap(p.writing, sizeof *p.writing);
    }
    fclose(p.to);
    free(p.cut);
    return from;
}

static void list_text(struct listing *l, uint64_t from, uint64_t to)
{
    from = list_in_parts(l, from, to);
    if (l->killed) return;
    pieces_open(&l->text);
    list_range(l, from, to, NULL);
    if (l->source) put_last_remarks(l);
    pieces_close(&l->text);
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
    g->loaded.image->isa->rules.faults(g->loaded.image, show_fault, &f);
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
    bool every = gpudbg_out_json(out), live = false;
    for (const char *f = gpudbg_args_format(a); *f; f++) {
        if (!strchr("adrfsel", *f))
            return gpudbg_fail(err, "usage", "/%c: disassemble knows /a, /d, /r, /f, /s, /e and /l", *f);
        live |= *f == 'l';
        l.assembler |= *f == 'a' || *f == 'd';
        l.drops |= *f == 'd';
        l.raw |= *f == 'r';
        l.fields |= *f == 'f';
        l.source |= *f == 's';
        every |= *f == 'e';
    }
    if (l.assembler && (l.raw || l.fields))
        return gpudbg_fail(
            err, "usage", "/%c is for the assembler: it goes with neither /r nor /f", l.drops ? 'd' : 'a');
    if (live && (l.assembler || l.raw || l.fields || l.source))
        return gpudbg_fail(err, "usage", "/l has columns of its own: it goes with no other letter but /e");
    bool all = !*gpudbg_args_rest(a);
    if (!location_range(&g->eval, gpudbg_args_rest(a), &from, &to, err)) return false;
    if (!g->loaded.image->isa)
        return gpudbg_fail(
            err, "not-recognised", "%s does not say its instruction set: give --isa", g->loaded.image->path);
    if (live) return live_code_list(g, from, to, out, err);
    l.drops &= g->loaded.image->isa->assembler.drops;
    l.syntax = settings_syntax(&g->settings, g->loaded.image->isa);
    if (g->loaded.image->isa->fast.print && !l.raw && !l.fields)
        l.printer = g->loaded.image->isa->fast.printer(g->loaded.image->isa, l.syntax, style_of(&l));
    if (!l.printer) l.memo = memo_new(g->loaded.image->isa->align);
    if (l.memo) l.branches = memo_new(g->loaded.image->isa->align);
    if (!code_names_open(&l.names, g->loaded.image, from, to, l.memo, &g->ticker, err)) {
        free(l.memo);
        free(l.branches);
        free(l.printer);
        return false;
    }
    find_needs(&l);
    if (gpudbg_out_json(out))
        list_records(&l, from, to);
    else
        list_text(&l, from, to);
    code_names_close(&l.names);
    free(l.needs);
    free(l.memo);
    free(l.branches);
    free(l.printer);
    sources_close(&l.files);
    if (l.killed)
        return gpudbg_fail(err, "interrupt",
            "a process that listed a part of the code was killed (signal %d, %s): the "
            "listing ends in the middle",
            l.killed, strsignal(l.killed));
    if (all && g->loaded.image->isa->rules.faults) show_faults(g, every, out);
    return true;
}

static const struct gpudbg_command disassemble = {
    .name = "disassemble",
    .usage = "[/a|/d|/r|/f|/s|/e|/l] [SYMBOL | ADDR | FROM,TO | FROM,+SIZE]",
    .summary = "disassemble code",
    .help = "Without an argument: all code of the file in address order.  SYMBOL, or ADDR in a function: that\n"
            "function.\n"
            "/a  text that the vendor's assembler turns into the same bytes: labels on lines of their own, no\n"
            "    addresses\n"
            "/d  like /a, but instructions with meaningless bits that the syntax cannot express are text, not\n"
            "    .long; a remark after the text names the bits, and the vendor's assembler drops them\n"
            "/r  with addresses and raw words\n"
            "/f  with every field of every instruction\n"
            "/s  with source lines, if the file has a line table; for a text program, keeps the comments\n"
            "/e  with every error of a malformed program; without it, the first 20 errors and the number of the\n"
            "    others\n"
            "/l  with the registers that are alive: how many vector and scalar ones, and a column for each, in\n"
            "    which it is born, used and read last; the first line explains the marks (`help flow`)\n"
            "Bytes that do not decode are shown as data.",
    .family = "Code",
    .run = run_disassemble,
    .complete = complete_symbol,
};

static const struct gpudbg_command *const commands[] = {&disassemble, NULL};
COMMAND_FAMILY(cmd_disassemble, "disassemble", .summary = "code as text", .commands = commands);
