/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assemble: text to bytes, one instruction or a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "assemble/assembler.h"
#include "base/alloc.h"
#include "base/save.h"
#include "base/words.h"
#include "code/records.h"
#include "gpudbg/endian.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"
#include "word/registry.h"

#define TEXT_MOST ((size_t)64 << 20)

static struct assembler assembler_for(struct gpudbg *g, const struct gpudbg_isa *isa, bool compact)
{
    return (struct assembler){.isa = isa,
        .syntax = settings_syntax(&g->settings, isa),
        .compact = compact,
        .image = g->loaded.image && g->loaded.image->isa == isa ? g->loaded.image : NULL,
        .ticker = &g->ticker};
}

/* The bytes as words, where they are whole ones, else as bytes. */
static void print_words(struct gpudbg_out *out, const uint8_t *bytes, size_t n)
{
    const size_t unit = n % 4 == 0 ? 4 : 1;
    gpudbg_out_print(out, "    bytes   ");
    for (size_t i = 0; i + unit <= n; i += unit)
        gpudbg_out_print(out, unit == 4 ? " 0x%08x" : " %02x", unit == 4 ? le_u32(bytes + i) : bytes[i]);
    gpudbg_out_print(out, "\n");
}

static bool one_instruction(
    struct gpudbg *g, struct gpudbg_args *a, bool compact, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint8_t bytes[GPUDBG_INSN_BYTES + 16] = {0};
    struct gpudbg_insn insn;
    a->at += strspn(a->at, " \t");
    const size_t n = strcspn(a->at, " \t");
    char word[64] = "";
    if (n < sizeof word) memcpy(word, a->at, n);
    struct gpudbg_error why = {0};
    const struct gpudbg_isa *isa = n && n < sizeof word ? session_isa_asked(g, word, &why) : NULL;
    if (isa)
        a->at += n;
    else if (why.kind && strcmp(why.kind, "unsupported") == 0)
        *err = why;
    else
        isa = session_any_isa(g, err);
    if (!isa) return false;
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "assemble /i wants the text of an instruction");
    const struct assembler as = assembler_for(g, isa, compact);
    const uint64_t addr = as.image ? g->selection.cursor : 0;
    const size_t size = assemble_line(&as, addr, gpudbg_args_rest(a), bytes, GPUDBG_INSN_BYTES, err);
    if (!size) return false;
    for (size_t at = 0; at < size; at += insn.size) {
        const bool is_insn = gpudbg_insn_at(isa, bytes + at, size - at, addr + at, &insn);
        insn.databases = gpudbg_session_databases(g);
        insn_record(out, &insn, is_insn, as.syntax, NULL);
        print_words(out, insn.raw, insn.size);
    }
    return true;
}

/* The instruction set of a file: the one that has files of such names, else the session's. */
static const struct gpudbg_isa *isa_of_file(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    const size_t n = strlen(path);
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)) != NULL; i++) {
        const char *suffix = isa->assembler.suffix;
        if (suffix && n > strlen(suffix) && strcmp(path + n - strlen(suffix), suffix) == 0) return isa;
    }
    return session_any_isa(g, err);
}

static void name_file(struct gpudbg_error *err, const char *path)
{
    snprintf(err->file, sizeof err->file, "%.255s", path);
}

/* The errors of a file: all but the last are shown here, the last one is the command's own. */
static bool failed(struct gpudbg *g, const char *path, struct gpudbg_error *errors, unsigned n, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    for (unsigned i = 0; i < n; i++) {
        name_file(&errors[i], path);
        if (i + 1 < n) session_failed(g, &errors[i], path, errors[i].line, out);
    }
    *err = errors[n - 1];
    return false;
}

static bool whole_file(
    struct gpudbg *g, const char *from, const char *to, bool compact, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_error *errors;
    uint8_t *bytes;
    size_t size, n;
    unsigned nerrors;
    const struct gpudbg_isa *isa = isa_of_file(g, from, err);
    if (!isa) return false;
    name_file(err, from);
    char *text = gpudbg_read_file(g, from, TEXT_MOST, &size, err);
    if (!text) return false;
    struct assembler as = assembler_for(g, isa, compact);
    as.image = NULL; /* a file has its own names */
    errors = xcalloc(ASSEMBLER_ERRORS, sizeof *errors);
    bool ok = assemble_file(&as, text, size, &bytes, &n, errors, &nerrors);
    free(text);
    if (!ok) failed(g, from, errors, nerrors, out, err);
    free(errors);
    if (!ok) return false;
    name_file(err, to);
    ok = save_bytes(to, bytes, n, &g->ticker, err);
    free(bytes);
    if (!ok) return false;
    err->file[0] = 0;
    RECORD(out, "assembled", "{file}: {bytes} bytes\n", STRING("file", to), NUMBER("bytes", n));
    return true;
}

static bool run_assemble(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char from[4096];
    bool one = false, compact = false;
    a->at += strspn(a->at, " \t");
    const size_t letters = *a->at == '/' ? strspn(a->at + 1, "ic") : 0; /* alone; a path may begin so, too */
    if (letters && strchr(" \t", a->at[1 + letters])) {
        for (a->at++; strchr("ic", *a->at) && *a->at; a->at++) {
            one |= *a->at == 'i';
            compact |= *a->at == 'c';
        }
        a->at += strspn(a->at, " \t");
    }
    for (const char *f = gpudbg_args_format(a); *f; f++) {
        if (!strchr("ic", *f)) return gpudbg_fail(err, "usage", "/%c: assemble knows /i and /c", *f);
        one |= *f == 'i';
        compact |= *f == 'c';
    }
    if (one) return one_instruction(g, a, compact, out, err);
    const char *word = gpudbg_args_word(a);
    snprintf(from, sizeof from, "%s", word ? word : "");
    word = word ? gpudbg_args_word(a) : NULL;
    if (!word || *gpudbg_args_rest(a))
        return gpudbg_fail(err, "usage", "assemble wants two files, FILE OUT, or /i and the text of an instruction");
    return whole_file(g, from, word, compact, out, err);
}

static const struct gpudbg_command assemble = {
    .name = "assemble",
    .usage = "FILE OUT | /i [ISA] TEXT",
    .summary = "turn text into code: a file, or one instruction",
    .help = "FILE OUT  assemble the text of FILE and write its bytes to OUT.  The text is in the instruction set and\n"
            "          the syntax of the session (`--isa`, `set syntax`), as `disassemble /a` prints it: labels,\n"
            "          comments, .long, .quad, .short, .byte, .space, .align, .p2align, .set, and constants with\n"
            "          operators.  A file NAME.il is IL, whatever the session is: OUT becomes the whole\n"
            "          stream, language token 0, version, packets.\n"
            "/i TEXT   assemble one instruction and show its bytes and fields; nothing is written.  Before TEXT an\n"
            "          instruction set may be named.\n"
            "/c        with either: if the text leaves the form open, the shortest form of the instruction.\n"
            "An error names the line and column and says what would be accepted; then OUT stays as it was.",
    .family = "Code",
    .run = run_assemble,
    .writes = true,
};

static const struct gpudbg_command *const commands[] = {&assemble, NULL};
COMMAND_FAMILY(cmd_assemble, "assemble", .summary = "text as code", .commands = commands);
