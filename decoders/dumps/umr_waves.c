/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_waves.c: waves as umr prints them (A4), in its layouts: one row a wave under a header that begins "SE SH CU SIMD
 * WAVE#", and groups under "se0.sh0.cu2.simd0.wave0" and "Main Registers:", where registers have their full names, or
 * until 2023, with -O bits, short ones, "pc_hi: 00000008 |" and "HW_ID[10010120]:".  General registers and the code
 * around the program counter follow each wave.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

#define COLUMNS 32
#define LATER_HEADER "SE SA WGP SIMD WAVE#" /* generations from gfx10 on */

struct waves {
    char column[COLUMNS][24]; /* of layout 1 */
    unsigned ncolumns;
    bool layout2, later;           /* later: of gfx10 and those after it */
    bool main;                     /* ... among its main registers */
    char scalars;                  /* ... among rows of registers: s, t for TTMP, b for TBA and TMA; 0: not */
    char unit[64];                 /* of the latest wave */
    struct gpudbg_dump_wave *wave; /* the latest; NULL: none yet */
    size_t index;                  /* ... and its number: other readers add waves between two lines */
    size_t code;                   /* stream of the latest wave, or NO_STREAM */
    uint64_t code_next;
    struct wave_stands stands;
};

/* Column names of layout 1 are short forms of the registers'. */
static void column_register(const char *column, char *name, size_t size)
{
    static const struct {
        const char *column, *reg;
    } odd[] = {{"GPRALLOC", "GPR_ALLOC"}, {"LDSALLOC", "LDS_ALLOC"}, {"IBSTS", "IB_STS"}, {"IBSTS1", "IB_STS"},
        {"IBSTS2", "IB_STS2"}};
    if (begins(column, "WAVE_")) column += 5;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (strcmp(odd[i].column, column) == 0) column = odd[i].reg;
    snprintf(name, size, "SQ_WAVE_%s", column);
}

/* A layout that gfx10 and all later ones have. */
static void later_family(struct gpudbg_dump *d, uint32_t line)
{
    size_t n;
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    if (capture < n && !captures[capture].family) gpudbg_dump_family(d, line, "gfx10, gfx10.3, gfx11 or gfx12", NULL);
}

static bool take_header(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    const bool later = begins(p, LATER_HEADER);
    if (!later && !begins(p, "SE SH CU SIMD WAVE#")) return false;
    if (w->wave) gpudbg_dump_capture(d, line->number, "waves again");
    if (later) later_family(d, line->number);
    w->later = later;
    w->layout2 = false;
    w->wave = NULL;
    w->ncolumns = 0;
    while (*p && w->ncolumns < COLUMNS) {
        size_t n = strcspn(p, " \t");
        snprintf(w->column[w->ncolumns++], sizeof w->column[0], "%.*s", (int)n, p);
        p += n;
        scan_blanks(&p);
    }
    return true;
}

static void begin_wave(struct waves *w, struct gpudbg_dump *d, uint32_t line, const uint64_t at[5])
{
    if (w->later) {
        snprintf(w->unit, sizeof w->unit, "se%u.sa%u.wgp%u.simd%u.wave%u", (unsigned)at[0], (unsigned)at[1],
            (unsigned)at[2], (unsigned)at[3], (unsigned)at[4]);
        w->wave = gpudbg_dump_add_unit(d, line, w->unit, (unsigned)at[4]);
    } else {
        w->wave = gpudbg_dump_add_wave(
            d, line, (unsigned)at[0], (unsigned)at[1], (unsigned)at[2], (unsigned)at[3], (unsigned)at[4]);
        snprintf(w->unit, sizeof w->unit, "%s", w->wave->unit);
    }
    w->index = wave_latest(d);
    w->code = NO_STREAM;
    wave_stand_add(&w->stands, w->index);
}

/* Digits and blanks only, as many numbers as the header has columns; fewer: the line is cut off. */
static bool take_row(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t at[5], value;
    if (!w->ncolumns || !isdigit((unsigned char)*p)) return false;
    for (int i = 0; i < 5; i++) {
        if (!scan_decimal(&p, &at[i]) || (*p && *p != ' ' && *p != '\t')) return false;
        scan_blanks(&p);
    }
    if (at[0] > 31 || at[1] > 31 || at[2] > 255 || at[3] > 31 || at[4] > 255) {
        gpudbg_dump_note(d, line->number, "impossible", "a wave at SE %llu SH %llu CU %llu SIMD %llu slot %llu",
            (unsigned long long)at[0], (unsigned long long)at[1], (unsigned long long)at[2], (unsigned long long)at[3],
            (unsigned long long)at[4]);
        return true;
    }
    begin_wave(w, d, line->number, at);
    unsigned i = 5;
    for (; i < w->ncolumns && scan_hex(&p, 8, &value); i++) {
        char name[48];
        column_register(w->column[i], name, sizeof name);
        wave_register(d, w->unit, line->number, name, value);
        scan_blanks(&p);
    }
    if (i < w->ncolumns)
        gpudbg_dump_note(d, line->number, "cut-off", "a wave's row with %u of %u columns", i, w->ncolumns);
    return true;
}

/* "se0.sh0.cu2.simd0.wave0" */
static bool take_title(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const words[] = {"se", ".sh", ".cu", ".simd", ".wave"}, *const later[] = {"se", ".sa", ".wgp",
                                                                                   ".simd", ".wave"};
    const char *p = line->text + line->indent;
    uint64_t at[5];
    bool is_later = false;
    for (int i = 0; i < 5; i++) {
        const bool this = scan_word(&p, words[i]);
        if ((!this && !scan_word(&p, later[i])) || !scan_decimal(&p, &at[i])) return false;
        is_later |= !this;
    }
    if (is_later) later_family(d, line->number);
    w->later = is_later;
    if (at[0] > 31 || at[1] > 31 || at[2] > 255 || at[3] > 31 || at[4] > 255) return false;
    begin_wave(w, d, line->number, at);
    w->layout2 = true;
    w->main = false;
    w->scalars = 0;
    w->ncolumns = 0;
    return true;
}

/* "pc_hi: 00000008 |  pc_lo: 00102340 |" among the main registers, "Wave_Status[08012001]:" above a register's fields.
 */
static bool take_short_names(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const names[][2] = {{"pc_hi", "PC_HI"}, {"pc_lo", "PC_LO"}, {"wave_inst_dw0", "INST_DW0"},
        {"wave_inst_dw1", "INST_DW1"}, {"exec_hi", "EXEC_HI"}, {"exec_lo", "EXEC_LO"}, {"tba_hi", "TBA_HI"},
        {"tba_lo", "TBA_LO"}, {"tma_hi", "TMA_HI"}, {"tma_lo", "TMA_LO"}, {"m0", "M0"}, {"ib_dbg0", "IB_DBG0"},
        {"ib_dbg1", "IB_DBG1"}, {"Wave_Status", "STATUS"}, {"HW_ID", "HW_ID"}, {"HW_ID1", "HW_ID1"},
        {"HW_ID2", "HW_ID2"}, {"IB_STS2", "IB_STS2"}, {"GPR_ALLOC", "GPR_ALLOC"}, {"LDS_ALLOC", "LDS_ALLOC"},
        {"IB_STS", "IB_STS"}, {"TRAPSTS", "TRAPSTS"}, {"MODE", "MODE"}};
    const char *p = line->text + line->indent;
    char name[64], full[80];
    uint64_t value;
    bool any = false;
    while (w->wave && w->layout2 && scan_name(&p, name, sizeof name)) {
        const bool title = scan_word(&p, "[");
        size_t i = 0;
        while (i < sizeof names / sizeof *names && strcmp(names[i][0], name) != 0) i++;
        if (i == sizeof names / sizeof *names || (!title && (!w->main || !scan_word(&p, ": ")))) return any;
        if (!scan_hex(&p, 8, &value)) {
            gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", name);
            return true;
        }
        if (title) w->main = false;
        snprintf(full, sizeof full, "SQ_WAVE_%s", names[i][1]);
        wave_register(d, w->unit, line->number, full, value);
        any = true;
        scan_blanks(&p);
        scan_word(&p, "|");
        scan_blanks(&p);
    }
    return any;
}

/* "ixSQ_WAVE_STATUS: 08012100 | ixSQ_WAVE_PC_LO: 002009dc |" */
static bool take_group(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    bool any = false;
    char name[64];
    uint64_t value, addr;
    bool indirect;
    if (!begins(p, "ixSQ_") && !begins(p, "regSQ_") && !begins(p, "mmSQ_")) return false;
    while (scan_name(&p, name, sizeof name)) {
        if (*p == '[') /* the title of a list of fields: the value stands above */
            return true;
        if (!scan_word(&p, ": ") || !scan_hex(&p, 8, &value)) {
            gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", name);
            return true;
        }
        const char *plain = plain_register(name, &addr, &indirect);
        if (w->later && (begins(plain, "SQ_WAVE_STATE_PRIV") || begins(plain, "SQ_WAVE_EXCP_FLAG")))
            gpudbg_dump_family(d, line->number, "gfx12", NULL);
        if (w->wave) {
            wave_register(d, w->unit, line->number, plain, value);
            any = true;
        }
        scan_blanks(&p);
        scan_word(&p, "|");
        scan_blanks(&p);
    }
    if (!w->wave && !any) gpudbg_dump_note(d, line->number, "cut-off", "registers of a wave whose name is missing");
    return true;
}

/* Fields that only one of the later generations has. */
static void generation_by_field(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const fields[][2] = {{" subv_loop: ", GFX10_ALL}, {" SUBV_LOOP: ", GFX10_ALL},
        {" replay_w64h: ", GFX10_ALL}, {" REPLAY_W64H: ", GFX10_ALL}, {" RESOURCE_OVERRIDE: ", GFX10_ALL},
        {" LGKM_CNT_BIT4: ", GFX10_ALL}, {" EXCP_GROUP_MASK: ", GFX10_ALL}, {" WAVESTART: ", "gfx11"},
        {" DVGPR_EN: ", "gfx12"}, {" LOAD_CNT: ", "gfx12"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strstr(line->text, fields[i][0])) gpudbg_dump_family(d, line->number, fields[i][1], NULL);
}

/* Fields of a wave's register, "SCC: 00000000 | SPI_PRIO: ...": known already from the value, but generations differ in
 * names. */
static bool take_fields(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    char name[64];
    uint64_t value;
    if (!w->layout2 || !line->indent || !scan_name(&p, name, sizeof name) || !scan_word(&p, ": ")) return false;
    if (!w->later && (strstr(line->text, " fatal_halt: ") || strstr(line->text, " fp16_ovfl: ")))
        gpudbg_dump_family(d, line->number, "gfx9", NULL);
    if (w->later) generation_by_field(d, line);
    scan_blanks(&p);
    return scan_hex(&p, 8, &value) && (!*p || begins(p, " |"));
}

/* "SGPRS:", "TTMP:", "TBA/TMA:" above rows of theirs */
static bool take_scalars_title(struct waves *w, const struct gpudbg_dump_line *line)
{
    static const char *const titles[] = {"SGPRS:", "TTMP:", "TBA/TMA:"};
    for (int i = 0; w->wave && w->layout2 && i < 3; i++)
        if (strcmp(line->text + line->indent, titles[i]) == 0) {
            w->scalars = "stb"[i];
            return true;
        }
    return false;
}

/* ">SGPRS[0..3] = { 014e6000, 00008000, 00000640, 00027fac }", ">TTMP[..]", ">TBA/TMA[0..3]"; under a title "[   0.. 3]
 * = { ... }" */
static bool take_scalars(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t first, last, v;
    uint32_t values[64];
    unsigned n = 0;
    char file = 's';
    if (scan_word(&p, ">SGPRS["))
        file = 's';
    else if (scan_word(&p, ">TTMP["))
        file = 't';
    else if (scan_word(&p, ">TBA/TMA["))
        file = 'b';
    else if (w->scalars && strstr(p, "..") && scan_word(&p, "["))
        file = w->scalars;
    else
        return false;
    scan_blanks(&p);
    bool good = scan_decimal(&p, &first) && scan_word(&p, "..");
    scan_blanks(&p);
    if (!good || !scan_decimal(&p, &last) || !scan_find(&p, "{")) {
        gpudbg_dump_note(d, line->number, "cut-off", "a row of registers ends early");
        return true;
    }
    for (scan_blanks(&p); n < 64 && scan_hex(&p, 8, &v); scan_blanks(&p)) {
        values[n++] = (uint32_t)v;
        scan_word(&p, ",");
        if (*p == '\0') break;
    }
    if (last < first || n != last - first + 1)
        gpudbg_dump_note(d, line->number, "cut-off", "registers %llu to %llu, but %u values", (unsigned long long)first,
            (unsigned long long)last, n);
    if (!w->wave) {
        gpudbg_dump_note(d, line->number, "cut-off", "registers of a wave whose name is missing");
        return true;
    }
    if (file == 'b') {
        static const char *const names[] = {"SQ_WAVE_TBA_LO", "SQ_WAVE_TBA_HI", "SQ_WAVE_TMA_LO", "SQ_WAVE_TMA_HI"};
        for (unsigned i = 0; i < n && first + i < 4; i++)
            wave_register(d, w->unit, line->number, names[first + i], values[i]);
    } else if (last >= first && n > last - first + 1) {
        n = (unsigned)(last - first + 1);
        gpudbg_dump_gprs(d, w->wave, file, (unsigned)first, n, 1, values);
    } else if (first < 512) {
        gpudbg_dump_gprs(d, w->wave, file, (unsigned)first, n, 1, values);
    }
    return true;
}

/* "VGPRS: t00 t01 (t02) ...", then "[  0] = { 64 values }": only generations after gfx8 print them. */
static bool take_vectors(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t row, v;
    uint32_t values[64];
    unsigned n = 0;
    if (scan_word(&p, "VGPRS:")) {
        if (!w->later) gpudbg_dump_family(d, line->number, "gfx9", NULL);
        return true;
    }
    if ((*p == 't' || *p == '(') && strstr(p, "t00") && strstr(p, "t01")) return true;
    if (!scan_word(&p, "[")) return false;
    scan_blanks(&p);
    if (!scan_decimal(&p, &row) || !scan_word(&p, "] = {")) return false;
    for (scan_blanks(&p); n < 64 && scan_hex(&p, 8, &v); scan_blanks(&p)) values[n++] = (uint32_t)v;
    if ((n == 64 || (n == 32 && w->later)) && w->wave && row < 256)
        gpudbg_dump_gprs(d, w->wave, 'v', (unsigned)row, 1, n, values);
    else
        gpudbg_dump_note(
            d, line->number, "cut-off", "vector register %llu with %u of 64 lanes", (unsigned long long)row, n);
    return true;
}

/* " *  pgm[6@0x800000200900 + 0xdc  ] = 0xc40008cf	exp ..."; before 2018 ">pgm[4@100040a20] = 7e021101" */
static bool take_code(struct waves *w, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t vmid, base, offset = 0, word;
    if (begins(p, "PGM_MEM")) return true;
    const bool stands = *p == '*';
    if (!scan_word(&p, ">")) scan_word(&p, "*");
    scan_blanks(&p);
    if (!scan_word(&p, "pgm[")) return false;
    bool good = scan_decimal(&p, &vmid) && scan_word(&p, "@") && (scan_0x(&p, 16, &base) || scan_hex(&p, 16, &base)) &&
                (!scan_word(&p, " + ") || scan_0x(&p, 8, &offset));
    scan_blanks(&p);
    good = good && scan_word(&p, "] = ") && (scan_0x(&p, 8, &word) || scan_hex(&p, 8, &word));
    if (!good) {
        gpudbg_dump_note(d, line->number, "cut-off", "a word of code ends early");
        return true;
    }
    struct wave_stand *at = stands && w->wave ? wave_stand_latest(&w->stands) : NULL;
    if (at) { /* umr prints the text behind a tab */
        scan_blanks(&p);
        at->base = base;
        at->offset = offset;
        snprintf(at->insn, sizeof at->insn, "%.*s", (int)(sizeof at->insn - 1), p);
        for (size_t n = strlen(at->insn); n && (at->insn[n - 1] == ' ' || at->insn[n - 1] == '\t');) at->insn[--n] = 0;
    }
    if (w->code == NO_STREAM || w->code_next != base + offset) {
        struct gpudbg_stream s = {.kind = "code",
            .unit = w->wave ? w->unit : NULL,
            .addr = base + offset,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = (uint32_t)vmid,
            .line = line->number};
        w->code = gpudbg_dump_stream(d, &s);
    }
    stream_add(d, w->code, word, 4, line->number);
    w->code_next = base + offset + 4;
    return true;
}

/* "pgm[6@0x800000200900 + 0xdc  ] = 0x" */
static bool has_code(const uint8_t *bytes, size_t n)
{
    const uint8_t *at = memmem(bytes, n, "pgm[", 4);
    const size_t left = at ? n - (size_t)(at - bytes) : 0, most = left < 48 ? left : 48;
    return at && memchr(at, '@', most) && memmem(at, most, "] = ", 4);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (head_has(bytes, n, "SE SH CU SIMD WAVE#") || head_has(bytes, n, LATER_HEADER) ||
        (head_has(bytes, n, "Main Registers:") && head_has(bytes, n, ".simd"))) {
        *why = "umr's waves";
        return 70;
    }
    if (head_has(bytes, n, "No active waves!")) {
        *why = "umr says that there are no waves";
        return 60;
    }
    if (has_code(bytes, n)) { /* before what a listing would be */
        *why = "code as umr prints it";
        return 60;
    }
    return 0;
}

static void *open_waves(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct waves){.code = NO_STREAM}, sizeof(struct waves));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct waves *w = state;
    const char *p = line->text + line->indent;
    if (!*p) return false;
    if (w->wave) w->wave = gpudbg_dump_wave_at(d, w->index);
    if (begins(p, "No active waves!")) {
        gpudbg_dump_fact(d, line->number, "waves", "none active", 0);
        return true;
    }
    if (w->wave && (begins(p, "Main Registers:") || begins(p, "Register Bits:"))) {
        w->main = *p == 'M';
        return true;
    }
    if (p[0] == '-' && p[1] == '-' && strspn(p, "-") == strlen(p)) return w->layout2;
    return take_header(w, d, line) || take_title(w, d, line) || take_scalars_title(w, line) ||
           take_scalars(w, d, line) || take_code(w, d, line) || take_group(w, d, line) ||
           take_short_names(w, d, line) || (w->wave && take_vectors(w, d, line)) || take_row(w, d, line) ||
           take_fields(w, d, line);
}

static void close_waves(void *state, struct gpudbg_dump *d)
{
    struct waves *w = state;
    if (w->wave && !w->later) gpudbg_dump_assume(d, "gfx7", "umr's waves do not name the chip");
    wave_stands_end(&w->stands, d);
    free(state);
}

const struct gpudbg_reader reader_umr_waves = {
    .name = "umr-waves",
    .summary = "umr's waves, in its layouts, with registers and code",
    .probe = probe,
    .open = open_waves,
    .line = take,
    .close = close_waves,
};
