/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c: the one way to say what went wrong, and the fixed words for its kinds. */
#include <stdio.h>
#include <string.h>
#include "base/error_kind.h"
#include "gpudbg.h"
#include "base/shown.h"

static const char commands[] = "Commands", files[] = "Files", programs[] = "Text and streams of an assembly language";

/* A message is for people; scripts branch on these words, so the meaning of a word never changes. */
static const struct error_kind kinds[] = {
    {commands, "unknown-command", "no command or listing has this name"},
    {commands, "ambiguous", "the name or value fits several things; the message lists them"},
    {commands, "usage", "a word of the command is missing, malformed or too much"},
    {commands, "syntax", "a text or expression cannot be parsed, or an operator does not accept the type"},
    {commands, "no-such-name", "no register, kernel, setting or other thing has this name"},
    {commands, "no-file", "the command needs a loaded file or dump, and none is loaded"},
    {commands, "no-launch", "the command needs a launched kernel, and none is launched"},
    {commands, "no-source", "the file has no debug information about this place"},
    {commands, "out-of-range", "a number or an address is outside the range that exists"},
    {commands, "bad-argument", "an argument of `launch` does not fit its parameter, or a size does not fit the kernel"},
    {commands, "not-now", "the command is not possible in the present state"},
    {commands, "not-writable", "the register, operand or memory cannot be written"},
    {commands, "unknown", "the value is not known: the dump does not contain it"},
    {commands, "optimised-out", "the variable exists, but it has no value at this place of the program"},
    {commands, "limit", "a limit was reached; the user can change it"},
    {commands, "interrupt", "the user (Ctrl-C) or an error (set stop-on-error) ended the command early"},
    {commands, "memory", "not enough memory is left"},
    {files, "not-recognised", "gpudbg cannot read this kind of file, or its instruction set is not known"},
    {files, "truncated", "the file or stream ends too early"},
    {files, "bad-offset", "an offset or size in the file points outside the file"},
    {files, "unsupported", "gpudbg cannot do this, or not for this file or instruction set"},
    {files, "too-large", "a file, size, count or nesting is larger than gpudbg accepts"},
    {files, "missing", "the file does not exist"},
    {files, "io", "the system could not read or write the file"},
    {programs, "unknown-opcode", "no instruction has this name or number"},
    {programs, "operand-count", "an instruction has too many or too few operands"},
    {programs, "unmatched-block", "a line or instruction closes, divides or leaves a block, but no block is open"},
    {programs, "unclosed-block", "a block has no end"},
    {programs, "undeclared-register", "a register or resource is used without a declaration"},
    {programs, "undefined-label", "a function, macro or label is called but not defined"},
    {programs, "redefinition", "the name or number is already in use"},
    {programs, "bad-write-mask", "a write mask is malformed or not allowed here"},
    {programs, "bad-register-type", "no register type has this number, or it is not allowed here"},
    {programs, "bad-enum", "a field has a value that is not one of its enumeration"},
    {programs, "bad-version", "the language, kind of shader or version does not exist"},
    {programs, "reserved-bits", "bits that must be zero are not zero"},
    {programs, "missing-end", "the program has no end instruction"},
};

const struct error_kind *error_kind(size_t i) { return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL; }

const char *error_kind_word(const char *word)
{
    for (const struct error_kind *k = kinds; k < kinds + sizeof kinds / sizeof *kinds; k++)
        if (strcmp(k->word, word) == 0) return k->word;
    return "unsupported";
}

bool gpudbg_fail(struct gpudbg_error *err, const char *kind, const char *fmt, ...)
{
    va_list ap;
    err->kind = kind;
    if (!err->file[0] && !err->line && !err->offset)
        err->offset = -1; /* fresh from zeros: nothing is known of the place */
    char message[sizeof err->message];
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    shown_in(err->message, sizeof err->message, message, strlen(message), SHOWN_LINE); /* whatever names hold */
    return false;
}
