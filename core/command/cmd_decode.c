/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode: bytes that were typed in. */
#include <ctype.h>
#include <string.h>
#include "code/records.h"
#include "session/command.h"
#include "session/session.h"

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

static bool run_decode(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint8_t bytes[DECODE_MAX + 16] = {0};
    struct gpudbg_insn insn;
    for (char *p = a->at; *p; p++)
        if (strchr(",[]", *p)) /* as assemblers print bytes: [0x00,0x00,0x81,0xbf] */
            *p = ' ';
    a->at += strspn(a->at, " \t");
    const char *word = args_need(a, "a word in hexadecimal", err);
    size_t n = 0;
    const struct gpudbg_isa *isa = session_any_isa(g, err);
    if (!word || !isa) return false;
    for (; word; word = gpudbg_args_word(a))
        if (!take_hex(word, bytes, &n, err)) return false;
    for (size_t at = 0; at < n; at += insn.size) {
        bool is_insn = gpudbg_insn_at(isa, bytes + at, n - at, at, &insn);
        insn.databases = gpudbg_session_databases(g);
        insn_record(out, &insn, is_insn, settings_syntax(&g->settings, isa), NULL);
    }
    return true;
}

static const struct gpudbg_command decode = {
    .name = "decode",
    .usage = "HEX...",
    .summary = "decode instructions given as numbers",
    .help = "The command shows the instruction, all its fields and its operands.  HEX is either of these, with or\n"
            "without 0x:\n"
            "    bf810000                   32-bit words, as vendors print them\n"
            "    00 00 81 bf                bytes in the order of memory, also as [0x00,0x00,0x81,0xbf]",
    .family = "Code",
    .run = run_decode,
};

static const struct gpudbg_command *const commands[] = {&decode, NULL};
COMMAND_FAMILY(cmd_decode, "decode", .summary = "bytes as an instruction", .commands = commands);
