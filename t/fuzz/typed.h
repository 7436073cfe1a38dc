/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typed.h: command lines as somebody would type them, from a fuzzer's bytes.
 *
 * The table of commands is the grammar: every row is typed as its usage says, every listing as `info NAME`, and capital
 * words are filled in by `slots`.  So a new command needs no line here.  What is worth more than its share, because it
 * changes the machine, goes through time or takes lines behind it, stands in `often`, written in the same way.
 */
#ifndef TYPED_H
#define TYPED_H

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "eval/expr.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "session/session.h"
#include "word/registry.h"

/* ---- Chance: the input's bytes, and when they have ended, numbers that follow from all of them ---- */

struct dice {
    const uint8_t *at;
    size_t left;
    uint64_t state;
};

static struct dice dice_of(const uint8_t *data, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * UINT64_C(0x100000001b3);
    return (struct dice){data, size, h | 1};
}

/* 0 to n - 1. */
static unsigned roll(struct dice *d, unsigned n)
{
    if (d->left) {
        d->left--;
        const unsigned first = *d->at++;
        if (n <= 256 || !d->left) return first % n;
        d->left--;
        return (first | (unsigned)*d->at++ << 8) % n;
    }
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return (unsigned)(d->state >> 16) % n;
}

#define PICK(d, array) (array)[roll(d, (unsigned)(sizeof(array) / sizeof *(array)))]

/* ---- A line ---- */

#define NAMES 400
#define DEEP 3

struct typed {
    struct dice *dice;
    struct gpudbg *g;
    const char *launch;    /* the line that launched what runs */
    const char *const *in; /* files that may be opened, NULL-terminated */
    struct text *to;
    unsigned deep;
    const struct gpudbg_command *row;
    /* What expressions of this session may name; filled anew when another file is loaded or launched. */
    const struct gpudbg_image *of;
    const struct gpudbg_machine *launched;
    char *name[NAMES];
    size_t rows, registers,
        names; /* the first are rows of registers, $v; then others with a $; then buffers, symbols */
};

static void forget_names(struct typed *t)
{
    for (size_t i = 0; i < t->names; i++) free(t->name[i]);
    t->names = t->registers = t->rows = 0;
}

static void add_name(struct typed *t, const char *name)
{
    if (name && *name && t->names < NAMES && !(t->name[t->names++] = strdup(name))) abort();
}

static void learn_names(struct typed *t)
{
    char *name, first[80];
    uint64_t value;
    if (t->names && t->of == t->g->loaded.image && t->launched == t->g->running.machine) return;
    forget_names(t);
    t->of = t->g->loaded.image;
    t->launched = t->g->running.machine;
    while (t->names < NAMES / 2 && (name = expr_complete(&t->g->eval, "$", (unsigned)t->names))) {
        struct gpudbg_error err = {.offset = -1};
        t->name[t->names++] = name;
        snprintf(first, sizeof first, "%.60s0", name);
        if (!t->g->running.machine || !gpudbg_evaluate(t->g, first, &value, &err)) continue;
        t->name[t->names - 1] = t->name[t->rows];
        t->name[t->rows++] = name;
    }
    t->registers = t->names;
    const struct gpudbg_image *image = t->g->loaded.image;
    for (size_t i = 0; image && i < image->nsymbols && i < 16; i++) add_name(t, image->symbols[i].name);
    for (size_t i = 0; image && i < image->nkernels && i < 4; i++)
        for (size_t k = 0; k < image->kernels[i].nparams; k++) add_name(t, image->kernels[i].params[k].name);
    const struct gpudbg_machine *m = t->g->running.machine;
    for (size_t i = 0; m && i < m->space[GPUDBG_GLOBAL].count; i++)
        add_name(t, m->space[GPUDBG_GLOBAL].segment[i]->name);
}

static void type_usage(struct typed *, const char *usage, size_t n);
static void type_command(struct typed *);

static void type_number(struct typed *t)
{
    static const char *const telling[] = {"0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "33", "63", "64",
        "65", "100", "103", "104", "127", "128", "255", "256", "257", "511", "512", "1000", "4095", "4096", "65535",
        "-1", "-2", "-64", "0x7fffffff", "0x80000000", "0xffffffff", "0x100000000", "0x7fffffffffffffff",
        "0x8000000000000000", "0xffffffffffffffff", "1.5", "-0.0", "1e30", "010", "'a'"};
    if (roll(t->dice, 3))
        text_add(t->to, "%u", roll(t->dice, 40));
    else
        text_add(t->to, "%s", PICK(t->dice, telling));
}

static void type_byte(struct typed *t) { text_add(t->to, "%u", 4 * roll(t->dice, 64)); }

static void type_small(struct typed *t) { text_add(t->to, "%u", roll(t->dice, 5)); }

static void type_position(struct typed *t)
{
    const uint64_t most = t->g->running.machine ? machine_recorded(t->g->running.machine) : 10;
    if (roll(t->dice, 8))
        text_add(t->to, "%" PRIu64, (uint64_t)roll(t->dice, 65536) % (most + 2));
    else
        type_number(t);
}

static void type_register(struct typed *t)
{
    static const char *const part[] = {":f", ":d", ":ud", ":uw", ":b", ".x", ".1:f", ".xy", ":df", ".3"};
    learn_names(t);
    const bool row = t->rows && roll(t->dice, 3);
    const size_t from = row ? t->rows : t->registers;
    text_add(t->to, "%s", from ? t->name[roll(t->dice, (unsigned)from)] : "$pc");
    if (row && roll(t->dice, 12))
        text_add(t->to, "%u", roll(t->dice, 12));
    else if (!roll(t->dice, 4))
        text_add(t->to, "%u", roll(t->dice, 600));
    if (!roll(t->dice, 12)) text_add(t->to, "%s", PICK(t->dice, part));
    if (!roll(t->dice, 3)) {
        text_add(t->to, "[");
        type_number(t);
        text_add(t->to, "]");
    }
}

static void type_code(struct typed *t)
{
    const struct gpudbg_image *image = t->g->loaded.image;
    uint64_t at = 0;
    if (image && image->nkernels) at = image->kernels[roll(t->dice, (unsigned)image->nkernels)].entry;
    if (t->g->running.machine && !roll(t->dice, 2)) at = t->g->running.last.pc;
    at += (uint64_t)roll(t->dice, 64) * (roll(t->dice, 2) ? 4 : 8);
    if (!roll(t->dice, 20)) at += roll(t->dice, 4);
    text_add(t->to, "0x%" PRIx64, at);
}

static void type_name(struct typed *t)
{
    learn_names(t);
    const size_t others = t->names - t->registers;
    text_add(t->to, "%s", others ? t->name[t->registers + roll(t->dice, (unsigned)others)] : "a");
}

/* An address in a buffer of the launch. */
static void type_buffer(struct typed *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    const struct gpudbg_space *space = m ? &m->space[GPUDBG_GLOBAL] : NULL;
    if (!space || !space->count) {
        type_number(t);
        return;
    }
    const struct gpudbg_segment *s = space->segment[roll(t->dice, (unsigned)space->count)];
    const uint64_t words = s->size / 4 < 65536 ? s->size / 4 : 65536;
    text_add(t->to, "0x%" PRIx64, s->base + (words ? 4 * (uint64_t)roll(t->dice, (unsigned)words) : 0));
}

static void type_memory(struct typed *t)
{
    static const char *const pattern[] = {"*(u32*)BUFFER", "*(u32*)BUFFER", "*(u32*)BUFFER", "*(u32*)BUFFER",
        "*(u8*)BUFFER", "*(f32*)BUFFER", "*(u32*)lds:BYTE", "*(u32*)lds:BYTE", "*(u32*)(0xDUMP00000000+N)",
        "*(u32*)0xDUMP00000000", "NAME[N]", "*(u32*)(NAME+N)", "*(u32*)NAME", "*(u32*)lds:N", "*(f64*)(NAME+N)",
        "*(u8*)(0xDUMP00000000+N)", "lds:N", "NAME,N", "NAME", "slm:N", "*(u16*)scratch:N", "*(u64*)(0x100000000+N)",
        "*(u32*)N", "gds:N", "*(u32*)EXPR"};
    const char *p = PICK(t->dice, pattern);
    type_usage(t, p, strlen(p));
}

static void type_atom(struct typed *t)
{
    static const char *const word[] = {"$x", "$i", "$_", "$__", "$_exitcode", "$position", "$wave", "$lane", "$pc",
        "$1", "$$", "$", "$nosuch", "\"text\"", "$_lane", "$_wave", "$_isvoid($x)", "$_thread"};
    switch (roll(t->dice, 6)) {
    case 0: type_memory(t); break;
    case 1: type_name(t); break;
    case 2: text_add(t->to, "%s", PICK(t->dice, word)); break;
    case 3: type_number(t); break;
    default: type_register(t); break;
    }
}

static void type_expression(struct typed *t)
{
    static const char *const between[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">",
        "<=", ">=", "&&", "||", ",", "=", "=", "+=", "-=", "<<=", "|=", "@"};
    static const char *const before[] = {
        "-", "~", "!", "*", "&", "++", "--", "(u32)", "(f32)", "(s8)", "(u64)", "sizeof ", "(u32*)", "*(u32*)"};
    if (!roll(t->dice, 16)) {
        const char *assignment = roll(t->dice, 2) ? "(REGISTER = N)" : "(MEM = N)";
        type_usage(t, assignment, strlen(assignment));
        return;
    }
    if (t->deep > DEEP || !roll(t->dice, 2)) {
        type_atom(t);
        return;
    }
    t->deep++;
    switch (roll(t->dice, 8)) {
    case 0:
        text_add(t->to, "%s", PICK(t->dice, before));
        type_atom(t);
        break;
    case 1:
        text_add(t->to, "(");
        type_expression(t);
        text_add(t->to, ")");
        break;
    case 2:
        type_expression(t);
        text_add(t->to, " ? ");
        type_expression(t);
        text_add(t->to, " : ");
        type_expression(t);
        break;
    case 3:
        type_atom(t);
        text_add(t->to, "%s", roll(t->dice, 2) ? "++" : "--");
        break;
    default:
        type_atom(t);
        text_add(t->to, " %s ", PICK(t->dice, between));
        type_expression(t);
        break;
    }
    t->deep--;
}

static void type_place(struct typed *t)
{
    static const char *const pattern[] = {"*CODE", "*CODE", "*CODE", "REGISTER", "REGISTER", "MEM", "NAME", "N", "CODE",
        "*EXPR", "NAME.cl:N", "CODE,CODE", "CODE,+N", "kernel+N", "(REGISTER)", "1.1"};
    const char *p = PICK(t->dice, pattern);
    type_usage(t, p, strlen(p));
}

static void type_file(struct typed *t)
{
    static const char *const out[] = {"o1", "o2", "s1", "s2", "o.png", "o.gdb", "nosuch"};
    size_t n = 0;
    while (t->in[n]) n++;
    const bool writes = t->row && t->row->writes;
    text_add(t->to, "%s", writes || !roll(t->dice, 4) ? PICK(t->dice, out) : t->in[roll(t->dice, (unsigned)n)]);
}

static void type_word(struct typed *t)
{
    static const char *const word[] = {"all", "on", "off", "active", "none", "next", "once", "delete", "wave", "lane",
        "if", "insn", "v_add_f32", "mov", "0-3", "1,2", "1.1", "positions", "arg", "changed", "code", "gfx7", "gen12",
        "amdil", "a1", "a2", "CB_COLOR0_BASE", "0x28a40", "GRBM_STATUS", "fault", "barrier", "nan", "event", "-", "--",
        "-s", "-d", "/x", "\"", "\\", "'", ";", "0x", "{", "%s", "\"%d\\n\"", "\"%s %c\\n\""};
    switch (roll(t->dice, 5)) {
    case 0: type_number(t); break;
    case 1: type_register(t); break;
    case 2: type_expression(t); break;
    default: text_add(t->to, "%s", PICK(t->dice, word)); break;
    }
}

/* What the row's own completion offers. */
static void type_offered(struct typed *t)
{
    for (unsigned state = roll(t->dice, 30) + 1; t->row && t->row->complete && state--;) {
        char *offered = t->row->complete(t->g, "", state);
        if (offered) text_add(t->to, "%s", offered);
        free(offered);
        if (offered) return;
    }
    type_word(t);
}

static void type_instruction(struct typed *t)
{
    static const char *const text[] = {"s_nop 0", "s_endpgm", "s_barrier", "v_mov_b32 vN, vN", "v_mov_b32 vN, N",
        "v_add_f32 vN, vN, vN", "v_add_f32 v0, v255, v254", "s_mov_b32 sN, sN",
        "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)", "ds_write_b32 vN, vN", "ds_read_b64 v[N:N], vN",
        "s_mov_b32 exec_lo, N", "s_branch N", "s_cbranch_scc0 0xffff", "v_movrels_b32 vN, vN", "v_movreld_b32 vN, vN",
        "buffer_load_dword vN, vN, s[4:7], 0 offen", "s_load_dwordx4 s[8:11], s[0:1], N",
        "(W) mov (8|M0) rN.0<1>:ud rN.0<8;8,1>:ud", "mov(8) gN<1>UD gN<8,8,1>UD { align1 1Q };", "nop",
        "add r0, r1, r2", "mov r1, r0.wzyx", "endmain", "s_setreg_b32 hwreg(HW_REG_MODE), sN",
        "v_readlane_b32 sN, vN, N", "junk"};
    const char *p = PICK(t->dice, text);
    for (; *p; p++) {
        if (*p == 'N')
            text_add(t->to, "%u", roll(t->dice, roll(t->dice, 6) ? 16 : 256));
        else
            text_add(t->to, "%c", *p);
    }
}

static void type_launch(struct typed *t) { text_add(t->to, "%s", t->launch ? t->launch : "run"); }

static void type_isa(struct typed *t)
{
    static const char *const isa[] = {"gfx7", "gfx7-pro", "gen7", "gen7.5", "gen12", "amdil", "nosuch"};
    text_add(t->to, "%s", PICK(t->dice, isa));
}

static void type_checker(struct typed *t)
{
    const struct gpudbg_checker *c = registry_checker(t->g->registry, roll(t->dice, 16));
    text_add(t->to, "%s", c ? c->kind : "all");
}

static void type_format(struct typed *t)
{
    if (!roll(t->dice, 3)) text_add(t->to, "%u", roll(t->dice, 20));
    for (unsigned n = roll(t->dice, 3) + 1; n; n--) text_add(t->to, "%c", "xduotacfszibhwgVTSrm"[roll(t->dice, 20)]);
}

static void type_hex(struct typed *t)
{
    static const char *const code[] = {"bf810000", "7e000200", "0x060002ff", "d2820000", "00000000", "ffffffff"};
    text_add(t->to, "%s", PICK(t->dice, code));
}

static void type_new_name(struct typed *t) { text_add(t->to, "a%u", roll(t->dice, 3)); }

static void type_several(struct typed *t)
{
    static const char *const some[] = {"all", "0", "1", "0-3", "1,2", "active", "0-63", "63-0", "99"};
    text_add(t->to, "%s", PICK(t->dice, some));
}

static const struct slot {
    const char *words; /* of usages, with a blank around each */
    void (*type)(struct typed *);
} slots[] = {
    {" N M X Y Z COUNT NUMBER LEVEL LENGTH ROW SIZE LINE CAPTURE W H LOW HIGH ", type_number},
    {" BUFFER ", type_buffer},
    {" BYTE ", type_byte},
    {" DUMP STREAM ", type_small},
    {" POS P Q A B POSITION ", type_position},
    {" EXPR COND VALUE V NUM ", type_expression},
    {" PLACE WHAT ADDR ADDRESS FIRST LAST START END FROM TO RANGE ", type_place},
    {" CODE ", type_code},
    {" MEM ", type_memory},
    {" REGISTER ", type_register},
    {" NAME SYMBOL KERNEL ", type_name},
    {" FILE SCRIPT OUT OTHER ", type_file},
    {" COMMAND ", type_command},
    {" SUBJECT SETTING TOPIC OPTION ARG KIND PART FIELD ", type_offered},
    {" INSN TEXT ", type_instruction},
    {" LAUNCH ", type_launch},
    {" ISA ", type_isa},
    {" CHECKER ", type_checker},
    {" FMT FORMAT LETTER ", type_format},
    {" HEX WORD ", type_hex},
    {" NEW ", type_new_name},
    {" LANES WAVES ", type_several},
};

static void type_slot(struct typed *t, const char *word, size_t n)
{
    char framed[64];
    snprintf(framed, sizeof framed, " %.*s ", (int)(n < 60 ? n : 60), word);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (!strstr(slots[i].words, framed)) continue;
        if (!roll(t->dice, 24))
            type_offered(t);
        else
            slots[i].type(t);
        return;
    }
    type_offered(t);
}

/* ---- Usages ---- */

static size_t closing(const char *s, size_t n)
{
    int open = 0;
    for (size_t i = 0; i < n; i++) {
        open += s[i] == '[';
        open -= s[i] == ']';
        if (!open) return i;
    }
    return n;
}

static bool dots(const char *s, size_t n) { return n >= 3 && memcmp(s, "...", 3) == 0; }

/* Of "a|b" without blanks around the bar, one; returns how much of s it was. */
static size_t type_token(struct typed *t, const char *s, size_t n)
{
    size_t end = 0, bars = 0;
    while (end < n && !isspace((unsigned char)s[end]) && s[end] != '[' && s[end] != ']') bars += s[end++] == '|';
    if (bars) {
        const char *at = s;
        for (size_t skip = roll(t->dice, (unsigned)bars + 1); skip; skip--) at = strchr(at, '|') + 1;
        size_t size = strcspn(at, "|");
        if (at + size > s + end) size = (size_t)(s + end - at);
        type_usage(t, at, size);
        return end;
    }
    for (end = 0; end < n && isupper((unsigned char)s[end]);) end++;
    if (!end) {
        text_add(t->to, "%c", *s);
        return 1;
    }
    type_slot(t, s, end);
    for (; dots(s + end, n - end) && !roll(t->dice, 2);) {
        text_add(t->to, " ");
        type_slot(t, s, end);
    }
    return end;
}

static void type_sequence(struct typed *t, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        if (dots(s + i, n - i)) {
            i += 3;
        } else if (s[i] == '[' && i + 1 < n && strchr(" /[-ACDFHLMNOPQRSVWXZ,anodwlicfbsur+*", s[i + 1]) &&
                   !(i && isalnum((unsigned char)s[i - 1]) && isupper((unsigned char)s[i + 1])) &&
                   closing(s + i, n - i) < n - i) {
            const size_t end = i + closing(s + i, n - i);
            unsigned times = roll(t->dice, 2);
            if (times && dots(s + end + 1, n - end - 1)) times += roll(t->dice, 3);
            for (; times; times--) type_usage(t, s + i + 1, end - i - 1);
            i = end + 1;
        } else {
            i += type_token(t, s + i, n - i);
        }
    }
}

/* Of alternatives, one. */
static void type_usage(struct typed *t, const char *s, size_t n)
{
    size_t from[16] = {0}, count = 1;
    int open = 0;
    for (size_t i = 0; i + 2 < n && count < 15; i++) {
        open += s[i] == '[';
        open -= s[i] == ']';
        if (!open && memcmp(s + i, " | ", 3) == 0) from[count++] = i + 3;
    }
    from[count] = n + 3;
    const size_t which = roll(t->dice, (unsigned)count);
    type_sequence(t, s + from[which], from[which + 1] - 3 - from[which]);
}

/* ---- Commands ---- */

static const char *const often[] = {"stepi N", "stepi", "stepi N", "reverse-stepi N", "reverse-stepi", "goto POS",
    "goto POS", "goto POS", "goto +N", "goto -N", "continue", "reverse-continue", "next", "reverse-next", "finish",
    "reverse-finish", "barrier", "until CODE", "advance CODE", "wave N", "lane N", "wave N", "set REGISTER = N",
    "set REGISTER = EXPR", "set REGISTER = N", "set MEM = N", "set MEM = N", "set MEM = EXPR", "set *(u32*)lds:N = N",
    "set NAME[N] = N", "set $pc = CODE", "set $x = EXPR", "set $i = N", "print EXPR", "print EXPR", "print/FMT EXPR",
    "x/FMT MEM", "break *CODE", "break *CODE [wave N] [lane N] [if COND]", "tbreak *CODE", "watch REGISTER [if COND]",
    "watch MEM", "rwatch MEM", "awatch MEM if COND", "delete", "condition N [COND]", "catch nan", "catch barrier",
    "break *CODE\ncommands\nCOMMAND\n[COMMAND\n]end", "commands [N]\nCOMMAND\nend", "define NEW\nCOMMAND\nCOMMAND\nend",
    "NEW N", "NEW", "if COND\nCOMMAND\nelse\nCOMMAND\nend", "set $i = 0\nwhile $i < 3\nset $i = $i + 1\nCOMMAND\nend",
    "check CHECKER on", "check all on", "check all off", "check CHECKER", "find-time COND", "find-time $position > POS",
    "last-write REGISTER", "last-write MEM", "next-write REGISTER", "next-write MEM", "info writes MEM",
    "origin REGISTER", "origin /tree N REGISTER", "origin MEM", "why off N", "diff positions POS POS", "diff waves N N",
    "patch *CODE INSN", "patch *CODE INSN", "patch nop CODE,+8", "unpatch all", "unpatch *CODE",
    "lane apply LANES COMMAND", "wave apply WAVES COMMAND", "save session s1", "save session s1\nfile s1",
    "save session s2", "file s1", "bookmark NEW", "goto NEW", "display EXPR", "display/FMT EXPR", "undisplay",
    "info registers REGISTER", "print $trapsts", "info registers", "set history-budget 64K", "set history-budget 256M",
    "set threads N", "run", "LAUNCH", "kill", "file FILE", "file --raw --isa ISA FILE", "add-code FILE ADDR",
    "source o.gdb", "save breakpoints o.gdb", "restore", "restore FILE binary MEM", "dump memory o1 NAME NAME",
    "save arg N o1", "save code o2", "file o2", "disassemble CODE,+N", "printf \"%d %x\\n\", EXPR, EXPR", "output EXPR",
    "info profile", "set profile on", "with SETTING VALUE -- COMMAND", "diffrun FILE", "diffrun -n", "info checks",
    "set observer on\nset REGISTER = N\nset observer off", "find NAME, +N, N", "picture NAME r32_uint 4x4",
    "set logging file o1", "set logging on", "set logging off", "explain", "info dump", "packets", "info draws"};

static void type_row(struct typed *t)
{
    size_t rows = 0, listings = 0;
    while (registry_command(t->g->registry, rows)) rows++;
    while (registry_listing(t->g->registry, listings)) listings++;
    const size_t which = roll(t->dice, (unsigned)(rows + listings));
    if (which >= rows) {
        text_add(t->to, "info %s", registry_listing(t->g->registry, which - rows)->name);
        if (!roll(t->dice, 4)) {
            text_add(t->to, " ");
            type_word(t);
        }
        return;
    }
    t->row = registry_command(t->g->registry, which);
    text_add(t->to, "%s", t->row->name);
    if (t->row->usage && *t->row->usage) {
        text_add(t->to, " ");
        type_usage(t, t->row->usage, strlen(t->row->usage));
    }
    for (unsigned more = roll(t->dice, 16) ? 0 : roll(t->dice, 3); more; more--) {
        text_add(t->to, " ");
        type_word(t);
    }
    if (t->row->block == GPUDBG_BLOCK_NONE || t->deep) return;
    text_add(t->to, "\n");
    for (unsigned lines = roll(t->dice, 3); lines; lines--) {
        type_command(t);
        text_add(t->to, "\n");
    }
    text_add(t->to, "end");
}

/* One command, perhaps with the lines behind it. */
static void type_command(struct typed *t)
{
    const struct gpudbg_command *outer = t->row;
    if (t->deep > DEEP) {
        text_add(t->to, "stepi");
        return;
    }
    t->deep++;
    t->row = NULL;
    if (roll(t->dice, 5) < 2) {
        type_row(t);
    } else {
        const char *usage = PICK(t->dice, often);
        while (t->deep > 1 && strchr(usage, '\n')) usage = PICK(t->dice, often); /* lines of a block are one each */
        type_usage(t, usage, strlen(usage));
    }
    t->deep--;
    t->row = outer;
}

#endif
