/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info about what is loaded: file, kernels, sections, symbols, sources, instruction sets, plug-ins. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "image/image.h"
#include "session/command.h"
#include "dump/dump.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "out/say.h"
#include "word/registry.h"
#include "session/session.h"
#include "gpudbg/text.h"

static bool run_info(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (*gpudbg_args_rest(a))
        return gpudbg_fail(
            err, "unknown-command", "info: unknown subject \"%.60s\"; `help info` lists them", gpudbg_args_rest(a));
    return gpudbg_execute(g, "help info", out, err);
}

static const struct gpudbg_command info = {
    .name = "info",
    .aliases = "i inf",
    .usage = "SUBJECT",
    .summary = "show what is loaded, launched and set",
    .family = "Info",
    .run = run_info,
};

/* ---- info file ---- */

/* A text, a number, or a text and the number that it stands for. */
static void fact(struct gpudbg_out *out, const struct gpudbg_fact *f)
{
    SAY(out, "{key:-14} [{text}[ ({number})]][{!text}{value}]\n", TEXT("key", f->key), TEXT("text", f->text),
        TEXT_ONLY(NUMBER("value", f->value)), TEXT_ONLY(IF(f->value, NUMBER("number", f->value))),
        f->text ? STRING(f->key, f->text) : NUMBER(f->key, f->value));
}

static bool run_info_file(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!g->loaded.image && g->loaded.ndumps && args_end(a, err)) {
        for (size_t i = 0; i < g->loaded.ndumps; i++) {
            const char *path = gpudbg_dump_path(g->loaded.dumps[i]), *kind = gpudbg_dump_format(g->loaded.dumps[i]);
            RECORD(out, "dump", "file           {file}\nrecognised as  {format}: {why}\n", NUMBER("number", i),
                STRING("file", path), STRING("format", kind), NUMBER("lines", gpudbg_dump_lines(g->loaded.dumps[i])),
                STRING("why", dump_why(g->loaded.dumps[i])));
        }
        return true;
    }
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    if (!image || !args_end(a, err)) return false;
    BEGIN(out, "file",
        "file           {file}\n"
        "recognised as  {kind}: {why}\n"
        "isa            {isa|not known}\n"
        "size           {size} byte{size:s}, {sections} section{sections:s}, {symbols} symbol{symbols:s}, {kernels} "
        "kernel{kernels:s}, "
        "{lines} line{lines:s}\n",
        STRING("file", image->path), STRING("kind", image->kind), STRING("why", image->why),
        STRING("isa", image->isa ? image->isa->name : NULL), NUMBER("size", image->size),
        NUMBER("sections", image->nsections), NUMBER("symbols", image->nsymbols), NUMBER("kernels", image->nkernels),
        NUMBER("lines", image->nlines));
    gpudbg_out_object(out, "facts");
    for (size_t i = 0; i < image->nfacts; i++) fact(out, &image->facts[i]);
    gpudbg_out_close(out);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command info_file = {
    .name = "info file",
    .usage = "",
    .summary = "show what the file was recognised as, and why",
    .family = "Info",
    .run = run_info_file,
};

/* ---- info kernels ---- */

static const char *param_kind(uint8_t kind)
{
    static const char *const kinds[] = {"value", "buffer", "local", "image", "sampler", "hidden", "other"};
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "other";
}

static void kernel_params(struct gpudbg_out *out, const struct gpudbg_kernel *k)
{
    gpudbg_out_array(out, "params");
    for (size_t i = 0; i < k->nparams; i++) {
        const struct gpudbg_param *p = &k->params[i];
        ITEM(out, NULL,
            p->kind == GPUDBG_PARAM_HIDDEN ? NULL
                                           : "    {number:2} {name:-16|-} {type_name:-16|-} {kind:-7} offset {offset} "
                                             "size {size}\n",
            NUMBER("number", i), STRING("name", p->name), STRING("type_name", p->type),
            STRING("kind", param_kind(p->kind)), NUMBER("offset", p->offset), NUMBER("size", p->size));
    }
    gpudbg_out_close(out);
}

static void show_kernel(struct gpudbg_out *out, const struct gpudbg_kernel *k)
{
    BEGIN(out, "kernel",
        "{name}  entry {entry}, {size} bytes of code[, {abi}]\n"
        "    lds {lds}  scratch {scratch}  kernarg {kernarg}",
        STRING("name", k->name), HEX("entry", k->entry), NUMBER("size", k->size), STRING("abi", k->abi_name),
        NUMBER("lds", k->lds), NUMBER("scratch", k->scratch), NUMBER("kernarg", k->kernarg));
    for (size_t i = 0; i < k->nfacts; i++) {
        const struct gpudbg_fact *f = &k->facts[i];
        SAY(out, "  {key} [{text}][{!text}{value}]", TEXT("key", f->key), TEXT("text", f->text),
            TEXT_ONLY(NUMBER("value", f->value)), f->text ? STRING(f->key, f->text) : NUMBER(f->key, f->value));
    }
    SAY(out, "[  max_local {max_local}][  reqd_local {reqd_local}]\n",
        IF(k->max_local, NUMBER("max_local", k->max_local)),
        IF(k->reqd_local[0], NUMBERS("reqd_local", k->reqd_local, 3)));
    kernel_params(out, k);
    gpudbg_out_end(out);
}

static bool run_info_kernels(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    const char *name = gpudbg_args_word(a);
    if (!image) return false;
    if (name && !gpudbg_image_kernel_named(image, name))
        return gpudbg_fail(err, "no-such-name", "no kernel \"%.60s\"", name);
    for (size_t i = 0; i < image->nkernels && !out_broken(out); i++)
        if (!name || strcmp(image->kernels[i].name, name) == 0) show_kernel(out, &image->kernels[i]);
    if (!image->nkernels) gpudbg_out_print(out, "%s names no kernels\n", image->path);
    return true;
}

static const struct gpudbg_command info_kernels = {
    .name = "info kernels",
    .usage = "[NAME]",
    .summary = "list the kernels, their arguments and the resources they use",
    .family = "Info",
    .run = run_info_kernels,
    .complete = complete_symbol,
};

/* ---- info source ---- */

struct source_file {
    const char *name;
    size_t row; /* the first that names it */
};

static int by_name(const void *a, const void *b)
{
    const struct source_file *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const struct source_file *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* The files that rows name, in the order in which they first do; freed by free(). */
static struct source_file *source_files(const struct gpudbg_image *image, size_t *n)
{
    struct source_file *file = xcalloc(image->nlines + 1, sizeof *file);
    const char *last = NULL;
    size_t all = 0;
    *n = 0;
    for (size_t i = 0; i < image->nlines; i++) {
        if (image->lines[i].file && image->lines[i].file != last)
            file[all++] = (struct source_file){image->lines[i].file, i};
        last = image->lines[i].file;
    }
    if (all) qsort(file, all, sizeof *file, by_name);
    for (size_t i = 0; i < all; i++)
        if (!*n || strcmp(file[*n - 1].name, file[i].name) != 0) file[(*n)++] = file[i];
    if (*n) qsort(file, *n, sizeof *file, by_row);
    return file;
}

static bool run_info_source(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    struct source source = {0};
    if (!image || !args_end(a, err)) return false;
    size_t n;
    struct source_file *files = source_files(image, &n);
    const struct gpudbg_line *here = location_row(&g->eval);
    if (!image->nlines) gpudbg_out_print(out, "%s %s\n", image->path, image_no_lines(image));
    for (size_t i = 0; i < n && !out_broken(out); i++) {
        const char *file = files[i].name;
        bool current = here && strcmp(here->file, file) == 0, there = source_open(&source, &g->loaded, file);
        const bool elsewhere = there && strcmp(source.path, file) != 0;
        RECORD(out, "source-file", "{mark} {file}[  ({elsewhere})][{unreadable}  (cannot be read)]\n",
            STRING("file", file), BOOL("readable", there), STRING("opened", there ? source.path : NULL),
            IF(current, NUMBER("line", here ? here->line : 0)), TEXT("mark", current ? ">" : " "),
            TEXT("elsewhere", elsewhere ? source.path : NULL), TEXT_ONLY(FLAG("unreadable", !there)));
    }
    source_close(&source);
    free(files);
    return true;
}

static const struct gpudbg_command info_source = {
    .name = "info source",
    .usage = "",
    .summary = "list the source files of the line table; > marks the current one",
    .family = "Info",
    .run = run_info_source,
};

/* ---- Sections and symbols ---- */

static int section_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_section *)row)->name);
}

static int section_addr(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct gpudbg_section *)row)->addr);
}

static int section_size(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct gpudbg_section *)row)->size);
}

static int section_flags(const void *row, char *buf, size_t size)
{
    uint32_t flags = ((const struct gpudbg_section *)row)->flags;
    return snprintf(buf, size, "%s%s%s", flags & GPUDBG_LOADED ? "loaded" : "not loaded",
        flags & GPUDBG_CODE_BYTES ? ", code" : "", flags & GPUDBG_WRITABLE ? ", writable" : "");
}

static const struct gpudbg_column section_columns[] = {
    {"name", "section", 0, GPUDBG_NAME, section_name},
    {"addr", "address", 0, GPUDBG_ADDRESS, section_addr},
    {"size", "bytes", 0, GPUDBG_COUNT, section_size},
    {"flags", "is", 0, GPUDBG_NOTE, section_flags},
};

static bool section_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    for (size_t i = 0; image && i < image->nsections; i++)
        if ((!*args || strcasestr(image->sections[i].name, args)) && !each(to, &image->sections[i])) break;
    return image != NULL;
}

static const struct gpudbg_listing sections = {
    .name = "sections",
    .summary = "list the sections of the file",
    .type = "section",
    .columns = section_columns,
    .ncolumns = sizeof section_columns / sizeof *section_columns,
    .rows = section_rows,
    .empty = "no sections",
};

static int symbol_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_symbol *)row)->name);
}

static int symbol_addr(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct gpudbg_symbol *)row)->addr);
}

static int symbol_size(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct gpudbg_symbol *)row)->size);
}

static int symbol_kind(const void *row, char *buf, size_t size)
{
    static const char *const kinds[] = {"function", "kernel", "object", "label", "undefined"};
    uint8_t kind = ((const struct gpudbg_symbol *)row)->kind;
    return snprintf(buf, size, "%s", kind < 5 ? kinds[kind] : "other");
}

static const struct gpudbg_column symbol_columns[] = {
    {"addr", "address", 0, GPUDBG_ADDRESS, symbol_addr},
    {"size", "bytes", 0, GPUDBG_COUNT, symbol_size},
    {"kind", "kind", 0, GPUDBG_PLAIN, symbol_kind},
    {"name", "symbol", 0, GPUDBG_NAME, symbol_name},
};

static bool symbol_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    for (size_t i = 0; image && i < image->nsymbols; i++)
        if ((!*args || strcasestr(image->symbols[i].name, args)) && !each(to, &image->symbols[i])) break;
    return image != NULL;
}

static const struct gpudbg_listing symbols = {
    .name = "symbols",
    .summary = "list the symbols of the file; with WORD, those that contain it",
    .type = "symbol",
    .columns = symbol_columns,
    .ncolumns = sizeof symbol_columns / sizeof *symbol_columns,
    .rows = symbol_rows,
    .empty = "no symbols",
};

/* ---- Instruction sets and plug-ins ---- */

static int isa_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_isa *)row)->name);
}

static int isa_title(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_isa *)row)->title);
}

static int joined(const char *const *words, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (; words && *words; words++) text_add(&t, "%s%s", t.n ? " " : "", *words);
    return text_length(&t);
}

static int isa_aliases(const void *row, char *buf, size_t size)
{
    return joined(((const struct gpudbg_isa *)row)->traits.aliases, buf, size);
}

static int isa_syntaxes(const void *row, char *buf, size_t size)
{
    return joined(((const struct gpudbg_isa *)row)->syntaxes, buf, size);
}

static int isa_ops(const void *row, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = row;
    size_t n = 0;
    for (size_t i = 0; i < isa->nops; i++) n += gpudbg_has_op(isa, i);
    return snprintf(buf, size, "%zu", n);
}

static int isa_views(const void *row, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (const struct gpudbg_view *v = ((const struct gpudbg_isa *)row)->traits.views; v && v->letter; v++)
        text_add(&t, "%s/%c %s", t.n ? ", " : "", v->letter, v->name);
    return text_length(&t);
}

static int isa_runs(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_isa *)row)->run ? "yes" : "no");
}

static const struct gpudbg_column isa_columns[] = {
    {"name", "name", 0, GPUDBG_NAME, isa_name},
    {"title", "title", 0, GPUDBG_PLAIN, isa_title},
    {"opcodes", "opcodes", 0, GPUDBG_COUNT, isa_ops},
    {"executes", "executes", 0, GPUDBG_PLAIN, isa_runs},
    {"syntaxes", "syntaxes", 0, GPUDBG_PLAIN, isa_syntaxes},
    {"views", "print", 0, GPUDBG_PLAIN, isa_views},
    {"aliases", "also", 0, GPUDBG_NOTE, isa_aliases},
};

static bool isa_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa, *only = *args ? session_isa_asked(g, args, err) : NULL;
    if (*args && !only) return false;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        if ((!only || only == isa) && !each(to, isa)) break;
    return true;
}

static const struct gpudbg_listing isas = {
    .name = "isa",
    .summary = "list the instruction sets",
    .type = "isa",
    .columns = isa_columns,
    .ncolumns = sizeof isa_columns / sizeof *isa_columns,
    .rows = isa_rows,
    .empty = "no instruction set",
};

/* ---- How it is known what operations do, counted ---- */

struct coverage_row {
    const struct gpudbg_isa *isa;
    const char *source;
    size_t n;
};

static const char *source_of(const struct gpudbg_isa *isa, const struct gpudbg_op *op)
{
    const char *known = isa->known ? isa->known(isa, op) : NULL;
    return known ? known : op->source ? op->source : "";
}

static int coverage_isa(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct coverage_row *)row)->isa->name);
}

static int coverage_count(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%zu", ((const struct coverage_row *)row)->n);
}

static int coverage_source(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct coverage_row *)row)->source);
}

static const struct gpudbg_column coverage_columns[] = {
    {"isa", "set", 0, GPUDBG_NAME, coverage_isa},
    {"opcodes", "opcodes", 0, GPUDBG_COUNT, coverage_count},
    {"source", "known from", 0, GPUDBG_NOTE, coverage_source},
};

/* The opcodes from `from` on whose source is that of opcode `of`; at most `most` of them are counted. */
static size_t same_source(const struct gpudbg_isa *isa, size_t of, size_t from, size_t to, size_t most)
{
    const char *source = source_of(isa, &isa->ops[of]);
    size_t n = 0;
    for (size_t i = from; i < to && n < most; i++)
        n += gpudbg_has_op(isa, i) && strcmp(source_of(isa, &isa->ops[i]), source) == 0;
    return n;
}

static bool coverage_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa,
        *only = *args ? session_isa_asked(g, args, err)
                      : (g->loaded.image && g->loaded.image->isa ? g->loaded.image->isa : g->loaded.isa);
    if (*args && !only) return false;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (size_t o = 0; (!only || isa == only) && o < isa->nops; o++) {
            if (!gpudbg_has_op(isa, o) || same_source(isa, o, 0, o, 1)) continue;
            const struct coverage_row row = {
                isa, source_of(isa, &isa->ops[o]), same_source(isa, o, o, isa->nops, isa->nops)};
            if (!each(to, &row)) return true;
        }
    return true;
}

static const struct gpudbg_listing coverage = {
    .name = "coverage",
    .summary = "count the opcodes of the instruction set, or of ISA, by where it is known what they do (`help insn` "
               "says it of one)",
    .type = "coverage",
    .columns = coverage_columns,
    .ncolumns = sizeof coverage_columns / sizeof *coverage_columns,
    .rows = coverage_rows,
    .empty = "no opcodes",
};

static int plugin_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_plugin *)row)->name);
}

static int plugin_version(const void *row, char *buf, size_t size)
{
    const char *version = ((const struct gpudbg_plugin *)row)->version;
    return snprintf(buf, size, "%s", version ? version : "");
}

static int plugin_summary(const void *row, char *buf, size_t size)
{
    const char *summary = ((const struct gpudbg_plugin *)row)->summary;
    return snprintf(buf, size, "%s", summary ? summary : "");
}

static const struct gpudbg_column plugin_columns[] = {
    {"name", "plug-in", 0, GPUDBG_NAME, plugin_name},
    {"version", "version", 0, GPUDBG_PLAIN, plugin_version},
    {"summary", "what it brings", 0, GPUDBG_NOTE, plugin_summary},
};

static bool plugin_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_plugin *p;
    (void)err;
    for (size_t i = 0; (p = registry_plugin(g->registry, i)); i++)
        if ((!*args || strcmp(p->name, args) == 0) && !each(to, p)) break;
    return true;
}

static const struct gpudbg_listing plugins = {
    .name = "plugins",
    .summary = "list the plug-ins, built-in ones first",
    .type = "plugin",
    .columns = plugin_columns,
    .ncolumns = sizeof plugin_columns / sizeof *plugin_columns,
    .rows = plugin_rows,
};

static const struct gpudbg_command *const commands[] = {&info, &info_file, &info_kernels, &info_source, NULL};
static const struct gpudbg_listing *const listings[] = {&sections, &symbols, &isas, &coverage, &plugins, NULL};
COMMAND_FAMILY(cmd_info, "info", .summary = "what is loaded", .commands = commands, .listings = listings);
