/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_load.c: files of IL, text or binary, as images.  A program of text becomes tokens; its lines are the image's line
 * table. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "code/assemble.h"
#include "files/il_load.h"
#include "check/il_rules.h"
#include "run/il_run.h"

/* ---- Recognising ---- */

/* The first word outside of comments, as far as a look at the start can tell. */
static const char *first_word(const char *p, const char *end)
{
    while (p < end) {
        if (isspace((unsigned char)*p)) {
            p++;
        } else if (*p == ';' || *p == '#' || (end - p > 1 && p[0] == '/' && p[1] == '/')) {
            while (p < end && *p != '\n') p++;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
            for (p += 2; end - p > 1 && !(p[0] == '*' && p[1] == '/');) p++;
            p += 2;
        } else {
            return p;
        }
    }
    return NULL;
}

static bool is_version_line(const char *p, const char *end)
{
    static const char kinds[][3] = {"vs", "ps", "gs", "cs", "hs", "ds"};
    if (end - p < 5 || strncasecmp(p, "il_", 3) != 0 || (end - p > 5 && (isalnum((unsigned char)p[5])))) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncasecmp(p + 3, kinds[i], 2) == 0) return true;
    return false;
}

static bool is_text(const uint8_t *bytes, size_t n)
{
    size_t odd = 0;
    for (size_t i = 0; i < n && i < 4096; i++) {
        if (!bytes[i]) return false;
        odd += (bytes[i] < ' ' && !isspace(bytes[i])) || bytes[i] >= 0xf8; /* not UTF-8 either */
    }
    return odd * 20 <= n;
}

static int probe_text(const uint8_t *bytes, size_t n, const char **why)
{
    const char *text = (const char *)bytes, *end = text + n;
    const char *word = is_text(bytes, n) ? first_word(text, end) : NULL;
    if (!word) return 0;
    *why = "text that begins with a version line of IL";
    if (is_version_line(word, end)) return 90;
    *why = "text that begins with a macro of IL";
    return end - word > 5 && strncasecmp(word, "mdef", 4) == 0 && strchr("( \t", word[4]) ? 70 : 0;
}

static int probe_stream(const uint8_t *bytes, size_t n, const char **why)
{
    if (n < 12) return 0;
    uint32_t first = il_token(bytes, 0), version = il_token(bytes, 1);
    *why = "tokens of IL: language and version";
    if (first <= 14 && version >> 26 == 0 && (version >> 16 & 255) <= 5 && (version >> 8 & 255) == 2 &&
        (version & 255) == 0)
        return 60;
    *why = "tokens of IL: a macro";
    struct il_packet p;
    return (first & 0xffff) == IL_OP_MACRODEF && version < 1 << 17 && il_unpack(bytes + 8, n - 8, &p) > 0 ? 40 : 0;
}

int il_probe(const uint8_t *bytes, size_t n, const char **why)
{
    int sure = probe_text(bytes, n, why);
    return sure ? sure : probe_stream(bytes, n, why);
}

/* ---- Streams ---- */

/* Whether a wave can stop at it: it is not a declaration or a mark. */
static bool executes(const struct gpudbg_insn *insn)
{
    return !(insn->op->flags & IL_DECLARES) && il_code(insn->op) != IL_OP_COMMENT &&
           il_code(insn->op) != IL_OP_PREFIX && il_code(insn->op) != IL_OP_FUNC && il_code(insn->op) != IL_OP_MACRODEF;
}

/* The subroutine that the walk is in. */
struct routine {
    char name[32]; /* "": in none */
    uint64_t addr; /* where it begins, if `open` */
    bool open;
};

/* `func 7` is the function func7, from its first instruction that executes. */
static void note_routine(struct gpudbg_image *image, struct routine *in, const struct gpudbg_insn *insn)
{
    const uint32_t code = il_code(insn->op);
    const bool ends = code == IL_OP_ENDFUNC || code == IL_OP_FUNC || code == IL_OP_END;
    if (in->open && ends)
        gpudbg_image_symbol(image, in->name, in->addr, insn->addr + (code == IL_OP_ENDFUNC ? insn->size : 0) - in->addr,
            GPUDBG_SYM_FUNCTION);
    if (ends) *in = (struct routine){.open = false};
    if (code == IL_OP_FUNC) snprintf(in->name, sizeof in->name, "func%" PRIu32, il_token(insn->raw, 1));
    if (*in->name && !in->open && executes(insn)) {
        in->addr = insn->addr;
        in->open = true;
    }
}

/* Facts of the whole: kind of shader, where its main program begins. */
static void describe(struct gpudbg_image *image, const uint8_t *bytes, size_t n)
{
    struct gpudbg_insn insn;
    struct routine in = {.open = false};
    size_t entry = 0, count = 0;
    char version[64] = "";
    for (size_t at = 0; at < n; at += insn.size) {
        if (!gpudbg_insn_at(image->isa, bytes + at, n - at, at, &insn)) continue;
        count++;
        note_routine(image, &in, &insn);
        if (il_code(insn.op) == IL_OP_VERSION && !*version) {
            il_text(&insn, 0, GPUDBG_READABLE, NULL, version, sizeof version);
            entry = at + insn.size;
        }
    }
    gpudbg_image_fact(image, "version", *version ? version : "none", 0);
    gpudbg_image_fact(image, "tokens", NULL, n / 4);
    gpudbg_image_fact(image, "instructions", NULL, count);
    if (entry && entry < n)
        if (!il_kernel(image, "main", &image->sections[0], &(struct gpudbg_error){.kind = NULL}))
            gpudbg_image_kernel(image, "main", entry); /* launching it says what is wrong */
}

static bool load_stream(struct gpudbg_image *image)
{
    gpudbg_image_section(image, "code", 0, image->size, image->bytes, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    describe(image, image->bytes, image->size);
    return true;
}

/* ---- Text ---- */

struct first_error {
    const struct il_program *program;
    struct il_finding finding;
    bool found;
};

/* Whether the finding is about tokens that the text gives as numbers: those are intended. */
static bool excused(const struct il_program *p, const struct il_finding *f)
{
    static const char *const kinds[] = {"reserved-bits", "bad-enum", "bad-register-type", "unknown-opcode"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(f->kind, kinds[i]) == 0) return f->token < p->n && p->place[f->token].verbatim;
    return false;
}

static bool keep_first_error(void *to, const struct il_finding *f)
{
    struct first_error *first = to;
    if (!f->kind || excused(first->program, f)) return true;
    first->finding = *f;
    first->found = true;
    return false;
}

struct il_place il_place_of(const struct il_program *program, uint32_t token)
{
    if (token < program->n) return program->place[token];
    uint32_t line = program->n ? program->place[program->n - 1].line + 1 : 1;
    return (struct il_place){line, 1, false, false};
}

bool il_assemble_checked(
    const char *text, size_t size, struct il_program *program, uint8_t **bytes, struct gpudbg_error *err)
{
    struct first_error first = {.program = program};
    *bytes = NULL;
    if (!il_assemble(text, size, program, err)) return false;
    *bytes = malloc(4 * program->n + 1);
    if (!*bytes) {
        il_program_free(program);
        return gpudbg_fail(err, "memory", "out of memory for %zu tokens", program->n);
    }
    for (size_t i = 0; i < 4 * program->n; i++) (*bytes)[i] = (uint8_t)(program->token[i / 4] >> 8 * (i % 4));
    il_check(*bytes, 4 * program->n, keep_first_error, &first);
    if (!first.found) return true;
    struct il_place place = il_place_of(program, first.finding.token);
    err->line = place.line;
    err->column = place.column;
    il_program_free(program);
    free(*bytes);
    *bytes = NULL;
    return gpudbg_fail(err, first.finding.kind, "%s: %s", first.finding.kind, first.finding.message);
}

/* Warns of the first line with two instructions; `check il` reports all. */
static void warn_joined(struct gpudbg_image *image, const struct il_place *p)
{
    char text[160];
    snprintf(text, sizeof text,
        "line %" PRIu32 " has no line end before column %" PRIu32 ": an instruction begins there (`check il`)", p->line,
        p->column);
    gpudbg_image_fact(image, "warning", text, 0);
}

/* Rows of the line table: one an instruction, with the column of its mnemonic.  Breakpoints go to instructions that
 * execute. */
static void keep_lines(struct gpudbg_image *image, const struct il_program *program, const uint8_t *bytes)
{
    struct gpudbg_insn insn;
    unsigned said = 0;
    for (size_t i = 0; i < program->n; i++) {
        const bool joined = program->place[i].joined;
        if (i > 0 && program->place[i].line == program->place[i - 1].line && !joined) continue;
        if (joined && !(said++)) warn_joined(image, &program->place[i]);
        gpudbg_image_add_line(image, 4 * i, image->path, program->place[i].line, program->place[i].column);
        if (!gpudbg_insn_at(image->isa, bytes + 4 * i, 4 * (program->n - i), 4 * i, &insn) || !executes(&insn))
            image->lines[image->nlines - 1].flags = GPUDBG_LINE_PASSED;
    }
}

static bool load_text(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct il_program program;
    uint8_t *bytes;
    if (!il_assemble_checked((const char *)image->bytes, image->size, &program, &bytes, err)) return false;
    size_t n = 4 * program.n;
    uint8_t *copy = gpudbg_image_alloc(image, n);
    if (copy) {
        memcpy(copy, bytes, n);
        keep_lines(image, &program, copy);
        gpudbg_image_section(image, "code", 0, n, copy, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
        describe(image, copy, n);
    }
    free(bytes);
    il_program_free(&program);
    return copy || gpudbg_fail(err, "memory", "out of memory for %zu tokens", n / 4);
}

bool il_load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    return is_text(image->bytes, image->size) ? load_text(image, err) : load_stream(image);
}
