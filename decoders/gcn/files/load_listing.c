/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_listing.c: shaders as Mesa's drivers print them (radeonsi with AMD_DEBUG or R600_DEBUG, RADV with
 * RADV_DEBUG=shaders), among other lines of a log, and code as llvm-objdump and llvm-mc print it.  A container: each
 * shader or function is a member.
 *
 *     Pixel Shader:                                  a heading: the stage; begins a shader
 *     Shader main disassembly:                       a part of it; parts follow each other
 *     BB0_0:
 *         s_mov_b32 m0, s5          ; befc0005       an instruction, and its dwords
 *         s_mov_b32 m0, s5          // 00000000001C: BEFC0005          the same, as llvm-objdump prints it
 *         s_mov_b32 m0, s5          ; encoding: [0x05,0x00,0xfc,0xbe]  the same, as llvm-mc prints it
 *         s_mov_b32 m0, s5 ; 00000000001C: BEFC0005     the same, as AMD's Radeon tools print it
 *     (001c: befc0005) s_mov_b32 m0, s5              the same, as CLRX prints it: in a comment of C, where the address
 *                                                    may be left out
 *     0x7ff58936746c <+28>: 05 00 fc be  s_mov_b32 m0, s5   the same, as debuggers print it (`disassemble /r`)
 *     > s_mov_b32 m0, s5        ; befc0005           any of these, quoted in mail
 *     0000000000001e00 <NAME>:                       before a function, as llvm-objdump prints it
 *         (then repeated 3 times)                    the last one, as many times more
 *     [000000] 3f800000 40000000                     after a comment "constant data": ACO's, which follow the code
 *     SPI_PS_INPUT_ADDR = 0xf077                     registers, by their names
 *     SGPRS: 8
 *     ********************                           ends the shader
 *
 * Known by three lines of instructions in the first 64 KB, and a dword of an instruction at the end or front of each.
 * The chip is the one that the latest line before the shader's end names ("AMD TAHITI (DRM 2.50.0, LLVM 5.0.0)",
 * "-mcpu=gfx600"); most text names none, and then it is gfx7, or another one that has all of the instructions.  A
 * shader is opened only if each line's dwords are one instruction of that chip with the name that the line has.  Where
 * the addresses do not go on, another part begins; what is cut off is opened as far as it goes, and says so.
 * Source: the text that both drivers' printers write (Mesa, si_shader_dump, radv_shader_dump_stats and aco's
 * print_asm).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "files/shader.h"

#define LINE_MOST 4096u    /* bytes of a line that are read */
#define DWORDS_MOST 65536u /* of a shader: the most that the form of load_registers.c can hold */
#define INSN_DWORDS 5u
#define CONSTANTS 8u /* dwords of a line of them */
#define FACTS_MOST 8u
#define LINES_LEAST 3u

/* ---- Lines ---- */

struct line {
    const char *text; /* without blanks at either end, and without `front` */
    size_t n;
    const char *front; /* the dwords of an instruction that stand before it; NULL: none do */
    size_t nfront;
    uint64_t addr; /* which stands before them; NO_ADDR: none does */
};

#define NO_ADDR UINT64_MAX

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == ','; }

static const char *skip(const char *p, const char *end, const char *these)
{
    while (p < end && strchr(these, *p)) p++;
    return p;
}

/* Behind the digits of hex at p, with or without 0x. */
static const char *hex_end(const char *p, const char *end)
{
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') p += 2;
    while (p < end && isxdigit((unsigned char)*p)) p++;
    return p;
}

/* "001c:", "0x7ff58936746c <+28>:": sets *addr, and returns what is behind; NULL: no address. */
static const char *take_addr(const char *p, const char *end, uint64_t *addr)
{
    char digits[24] = "";
    const char *last = hex_end(p, end);
    const size_t n = (size_t)(last - p);
    if (!n || n >= sizeof digits) return NULL;
    memcpy(digits, p, n);
    if (end - last > 2 && memcmp(last, " <", 2) == 0) {
        const char *close = memchr(last, '>', (size_t)(end - last));
        if (!close) return NULL;
        last = close + 1;
    }
    if (last == end || *last != ':') return NULL;
    *addr = strtoull(digits, NULL, 16);
    return last + 1;
}

/* Sets `front` apart, and drops the marks of quotes. */
static void take_front(struct line *line)
{
    const char *end = line->text + line->n, *p = skip(line->text, end, "> \t");
    if (*line->text == '>') *line = (struct line){.text = p, .n = (size_t)(end - p), .addr = NO_ADDR};
    uint64_t addr = NO_ADDR;
    p = skip(p, end, "=>-*/( \t");
    const char *behind = take_addr(p, end, &addr), *from = skip(behind ? behind : p, end, " \t"), *last = from;
    for (p = from; p < end; p = skip(p, end, ", \t")) {
        const char *digits = hex_end(p, end);
        if (digits == p || digits == end || !strchr(", \t*)", *digits)) break;
        p = last = digits;
    }
    p = skip(last, end, ")*/ \t");
    if (!behind && hex_end(from, end) - from < 8) return; /* bytes: Intel's drivers print them, without an address */
    if (last == from || p == end || !(islower((unsigned char)*p) || *p == '.')) return;
    *line = (struct line){p, (size_t)(end - p), from, (size_t)(last - from), addr};
}

static bool next_line(const uint8_t *b, size_t n, size_t *at, struct line *line)
{
    if (*at >= n) return false;
    const uint8_t *end = memchr(b + *at, '\n', n - *at);
    const size_t stop = end ? (size_t)(end - b) : n;
    size_t from = *at, to = stop;
    *at = stop + 1;
    if (to - from > LINE_MOST) to = from + LINE_MOST;
    while (from < to && isspace(b[from])) from++;
    while (to > from && isspace(b[to - 1])) to--;
    *line = (struct line){.text = (const char *)b + from, .n = to - from, .addr = NO_ADDR};
    if (line->n) take_front(line);
    return true;
}

static bool is_line(const struct line *l, const char *text)
{
    return l->n == strlen(text) && memcmp(l->text, text, l->n) == 0;
}

static bool hex_dword(const char *text, uint32_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < 8; i++) {
        const char c = text[i];
        if (!isxdigit((unsigned char)c)) return false;
        *value = *value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return true;
}

/* Whether it is a dword that the disassembler did not know: ".long 0xd761000b // unrecognized instruction // ...". */
static bool is_unknown(const struct line *l) { return l->n > 6 && memcmp(l->text, ".long ", 6) == 0; }

/* Where the dwords of an instruction's line begin: after the last "//" or ';', and after an address there; 0:
 * nowhere. */
static size_t dwords_from(const struct line *l, uint64_t *addr)
{
    size_t at = l->n;
    while (at > 0 && l->text[at - 1] != ';' && !(at > 1 && l->text[at - 1] == '/' && l->text[at - 2] == '/')) at--;
    if (at < 2) return 0;
    const char *p = skip(l->text + at, l->text + l->n, " \t"), *behind = take_addr(p, l->text + l->n, addr);
    return (size_t)((behind ? behind : p) - l->text);
}

/* Dwords, or their bytes as llvm-mc and debuggers print them ("[0x05,0x00,0xfc,0xbe]"), up to the target of a branch
 * ("<NAME>") or the end; 0: there is something else, too. */
static unsigned dwords_in(const char *p, size_t size, uint32_t dwords[INSN_DWORDS])
{
    const char *const end = p + size;
    unsigned bytes = 0;
    for (p = skip(p, end, ", \t[]"); p < end && !(bytes && *p == '<'); p = skip(p, end, ", \t]")) {
        char eight[9] = "00000000";
        const char *last = hex_end(p, end);
        if (last - p > 2 && p[1] == 'x') p += 2;
        const unsigned n = (unsigned)(last - p) / 2;
        uint32_t value;
        if ((last - p != 2 && last - p != 8) || bytes % 4 % n || bytes + n > 4 * INSN_DWORDS ||
            (last < end && !is_blank(*last) && *last != ']'))
            return 0;
        memcpy(eight + 8 - 2 * n, p, (size_t)2 * n);
        if (!hex_dword(eight, &value)) return 0;
        dwords[bytes / 4] = (bytes % 4 ? dwords[bytes / 4] : 0) | value << bytes % 4 * 8;
        bytes += n;
        p = last;
    }
    return bytes % 4 ? 0 : bytes / 4;
}

/* The dwords of an instruction's line, and its address or NO_ADDR; 0: it is another line. */
static unsigned insn_of(const struct line *l, uint32_t dwords[INSN_DWORDS], uint64_t *addr)
{
    static const char encoding[] = "encoding: ";
    *addr = l->addr;
    if (!l->n || !(islower((unsigned char)l->text[0]) || is_unknown(l))) return 0;
    if (l->front) return dwords_in(l->front, l->nfront, dwords);
    size_t at = dwords_from(l, addr);
    if (!at) return 0;
    if (l->n - at > sizeof encoding && memcmp(l->text + at, encoding, sizeof encoding - 1) == 0)
        at += sizeof encoding - 1;
    return dwords_in(l->text + at, l->n - at, dwords);
}

/* Dwords of constants after "[000032]"; 0: another line. */
static unsigned constants_of(const struct line *l, uint32_t dwords[CONSTANTS])
{
    size_t at = 1;
    unsigned n = 0;
    if (!l->n || l->text[0] != '[') return 0;
    while (at < l->n && isdigit((unsigned char)l->text[at])) at++;
    if (at < 2 || at == l->n || l->text[at++] != ']') return 0;
    for (; l->n - at >= 9 && n < CONSTANTS && l->text[at] == ' ' && hex_dword(l->text + at + 1, &dwords[n]); n++)
        at += 9;
    return at == l->n ? n : 0;
}

/* "(then repeated 3 times)"; 0: another line, or no number. */
static unsigned long repeats_of(const struct line *l)
{
    static const char front[] = "(then repeated ";
    char number[12] = "";
    const size_t n = sizeof front - 1;
    if (l->n <= n || memcmp(l->text, front, n) != 0) return 0;
    memcpy(number, l->text + n, l->n - n < sizeof number - 1 ? l->n - n : sizeof number - 1);
    return isdigit((unsigned char)number[0]) ? strtoul(number, NULL, 10) : 0;
}

/* ---- Contents of lines ---- */

/* Headings, and the register of load_registers.c that begins such a shader; 0: it has none of its own. */
static const struct heading {
    const char *text, *name;
    uint8_t stage;
    uint16_t reg;
} headings[] = {
    {"Vertex Shader as VS", "vs", GCN_STAGE_VERTEX, 0x2c48},
    {"Vertex Shader as ES", "es", GCN_STAGE_EXPORT, 0x2cc8},
    {"Vertex Shader as LS", "ls", GCN_STAGE_LOCAL, 0x2d48},
    {"Vertex Shader as ESGS", "gs", GCN_STAGE_GEOMETRY, 0},
    {"Vertex + Geometry Shader", "gs", GCN_STAGE_GEOMETRY, 0},
    {"Vertex + Tessellation Control Shader", "hs", GCN_STAGE_HULL, 0},
    {"Tessellation Evaluation Shader as ESGS", "gs", GCN_STAGE_GEOMETRY, 0},
    {"Tessellation Evaluation + Geometry Shader", "gs", GCN_STAGE_GEOMETRY, 0},
    {"Vertex Shader", "vs", GCN_STAGE_VERTEX, 0x2c48},
    {"Tessellation Control Shader", "hs", GCN_STAGE_HULL, 0x2d08},
    {"Tessellation Evaluation Shader as VS", "ds", GCN_STAGE_DOMAIN, 0},
    {"Tessellation Evaluation Shader as ES", "ds_es", GCN_STAGE_DOMAIN_EXPORT, 0},
    {"Geometry Shader", "gs", GCN_STAGE_GEOMETRY, 0x2c88},
    {"GS Copy Shader as VS", "copy", GCN_STAGE_COPY, 0},
    {"Pixel Shader", "ps", GCN_STAGE_PIXEL, 0x2c08},
    {"Fragment Shader", "ps", GCN_STAGE_PIXEL, 0x2c08},
    {"Compute Shader", "cs", GCN_STAGE_COMPUTE, 0x2e0c},
};
/* A function of llvm-objdump's listing: its name, up to `>:`; 0 characters: another line. */
static size_t function_of(const struct line *l, const char **name)
{
    size_t at = 0;
    while (at < l->n && isxdigit((unsigned char)l->text[at])) at++;
    if (at < 8 || l->n - at < 5 || memcmp(l->text + at, " <", 2) != 0 || memcmp(l->text + l->n - 2, ">:", 2) != 0)
        return 0;
    *name = l->text + at + 2;
    return l->n - at - 4;
}

static const struct heading no_heading = {"no heading", "shader", GCN_STAGES, 0};

static const struct heading *heading_of(const struct line *l)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (l->n == strlen(headings[i].text) + 1 && l->text[l->n - 1] == ':' &&
            memcmp(l->text, headings[i].text, l->n - 1) == 0)
            return &headings[i];
    return NULL;
}

/* Registers and counts by their names, with the keys of their facts. */
static const struct named {
    const char *name, *key;
    bool of_stage; /* the stage ends the name */
} names[] = {
    {"SPI_SHADER_PGM_RSRC1_", "rsrc1", true},
    {"SPI_SHADER_PGM_RSRC2_", "rsrc2", true},
    {"COMPUTE_PGM_RSRC1", "rsrc1", false},
    {"COMPUTE_PGM_RSRC2", "rsrc2", false},
    {"SPI_PS_INPUT_ADDR", "ps input", false},
    {"SGPRS", "sgprs", false},
    {"VGPRS", "vgprs", false},
    {"Scratch", "scratch", false},
};

static const struct named *named_of(const struct line *l, uint32_t *value)
{
    char text[80];
    if (!l->n || l->n >= sizeof text) return NULL;
    memcpy(text, l->text, l->n);
    text[l->n] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i].name);
        if (strncmp(text, names[i].name, n) != 0) continue;
        const char *p = text + n;
        while (names[i].of_stage && isupper((unsigned char)*p)) p++;
        p += strspn(p, " ");
        if (*p == ':' || *p == '=')
            p++;
        else if (strncmp(p, "<-", 2) == 0)
            p += 2;
        else
            continue;
        p += strspn(p, " ");
        if (!isdigit((unsigned char)*p)) continue;
        const unsigned long long number = strtoull(p, NULL, 0);
        *value = (uint32_t)number;
        return number <= UINT32_MAX ? &names[i] : NULL;
    }
    return NULL;
}

/* ---- Chips that lines name ---- */

/* A chip that a log names; its name is empty: none was named.  chip NULL: its code is not read. */
struct named_chip {
    const struct gcn_chip *chip;
    char name[16];
};

static bool is_text(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && strncasecmp(text, name, n) == 0;
}

/* One word of a line: LLVM's name of a chip, or the hardware's. */
static void chip_word(const char *text, size_t n, struct named_chip *found)
{
    const struct gcn_chip *named = NULL;
    if (n >= sizeof found->name) return;
    const bool llvm = (n == 6 || n == 7) && memcmp(text, "gfx", 3) == 0 && strspn(text + 3, "0123456789abc") >= n - 3;
    for (size_t c = 0; c < GCN_CHIPS; c++) {
        const struct gpudbg_isa *isa = &gcn_chips[c].isa;
        if (!gcn_chips[c].llvm) continue;
        if (llvm && is_text(isa->name, text, n)) named = &gcn_chips[c];
        for (const char *const *alias = isa->traits.aliases; *alias; alias++)
            if (is_text(*alias, text, n)) named = &gcn_chips[c];
    }
    if (!named && !llvm) return;
    found->chip = named;
    memcpy(found->name, text, n);
    found->name[n] = 0;
}

static void chip_of_line(const struct line *l, struct named_chip *found)
{
    size_t at = 0, n;
    for (; at < l->n; at += n + 1) {
        for (n = 0; at + n < l->n && isalnum((unsigned char)l->text[at + n]);) n++;
        if (n > 3) chip_word(l->text + at, n, found);
    }
}

/* ---- The open shader ---- */

struct shader {
    const struct heading *heading; /* NULL: none is open */
    char name[64];                 /* of a function; empty: the heading's */
    uint32_t *dwords;              /* DWORDS_MOST of them */
    size_t n;
    unsigned last; /* dwords of the last instruction */
    size_t code;   /* dwords before the constants; 0: no constants found */
    uint64_t next; /* the address that the next instruction must have; NO_ADDR: any */
    bool too_long;
    bool whole_exec; /* an instruction names exec, not exec_lo */
    uint16_t other;  /* a bit for each chip on which a line's dwords are not its instruction */
    struct named_chip named;
    struct gpudbg_fact facts[FACTS_MOST];
    size_t nfacts;
};

static bool has_word(const char *text, size_t n, const char *word)
{
    const size_t m = strlen(word);
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(text + i, word, m) == 0) return true;
    return false;
}

static bool names_exec(const struct line *l)
{
    static const char exec[] = " exec";
    const size_t n = sizeof exec - 1;
    for (size_t i = 0; i + n <= l->n; i++)
        if (memcmp(l->text + i, exec, n) == 0 &&
            (i + n == l->n || !(isalnum((unsigned char)l->text[i + n]) || l->text[i + n] == '_')))
            return true;
    return false;
}

/* Whether the masks of lanes in the line are as wide as in the text of a chip with two sizes of waves. */
static bool masks_fit(const char *text, const struct line *l)
{
    static const char masks[] = "vcc_lo";
    const char *said = memchr(l->text, ' ', l->n), *own = strchr(text, ' ');
    if (!said || !own) return true;
    const size_t after = (size_t)(said - l->text) + strspn(said, " ");
    if (has_word(text, strlen(text), masks) != has_word(l->text, l->n, masks)) return false;
    return text[0] != 'v' || own[1] != 's' || (own[2] == '[') == (after + 1 < l->n && l->text[after + 1] == '[');
}

/* The length of an instruction's name without the suffix of its encoding, which AMD's own tools do not write. */
static size_t name_of(const char *text, size_t size)
{
    static const char *const suffixes[] = {"_e32", "_e64", "_sdwa", "_dpp", "_dpp8"};
    size_t n = 0;
    while (n < size && !isspace((unsigned char)text[n])) n++;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t m = strlen(suffixes[i]);
        if (n > m && memcmp(text + n - m, suffixes[i], m) == 0) return n - m;
    }
    return n;
}

/* Whether the dwords are one instruction with the name in the line, apart from the suffix of its encoding. */
static bool is_insn(const struct gpudbg_isa *isa, const struct line *l, const uint32_t *dwords, unsigned n)
{
    uint8_t b[4 * INSN_DWORDS];
    char text[256];
    struct gpudbg_insn insn;
    for (unsigned i = 0; i < n; i++) le_put(b + (size_t)4 * i, dwords[i], 4);
    if (!gpudbg_insn_at(isa, b, 4u * n, 0, &insn) || insn.size != 4 * n) return false;
    gcn_text(&insn, 0, (enum gpudbg_style)0, NULL, text, sizeof text);
    const size_t own = name_of(text, strlen(text)), said = name_of(l->text, l->n);
    if (own != said || memcmp(text, l->text, own) != 0) return false;
    return gcn_chip_of(isa)->whole || masks_fit(text, l);
}

static void put(struct shader *s, const uint32_t *dwords, unsigned n)
{
    if (DWORDS_MOST - s->n < n) {
        s->too_long = true;
        return;
    }
    memcpy(s->dwords + s->n, dwords, n * sizeof *dwords);
    s->n += n;
}

static void repeat(struct shader *s, unsigned long times)
{
    const size_t from = s->n - s->last;
    for (unsigned long i = 0; i < times && s->last && !s->too_long; i++) put(s, s->dwords + from, s->last);
}

static void note(struct shader *s, const struct named *what, uint32_t value)
{
    for (size_t i = 0; i < s->nfacts; i++)
        if (s->facts[i].key == what->key) return; /* the first counts */
    if (s->nfacts < FACTS_MOST) s->facts[s->nfacts++] = (struct gpudbg_fact){what->key, NULL, value};
}

/* One register with its data, as load_registers.c reads it. */
static size_t put_register(uint8_t *to, uint32_t reg, uint32_t value)
{
    le_put(to, reg, 4);
    le_put(to + 4, value, 4);
    return 8;
}

/* The member's bytes: registers with their data, so that the stage is known; or code alone.  0: no memory. */
static size_t member_bytes(struct gpudbg_image *image, const struct shader *s, uint32_t reg, const uint8_t **out)
{
    uint8_t *b = gpudbg_image_alloc(image, 4 * s->n + 4 + 8 * FACTS_MOST);
    size_t at = reg ? 4 : 0;
    if (!b) return 0;
    *out = b;
    if (reg) le_put(b, reg | (uint32_t)(s->n - 1) << 16, 4);
    for (size_t i = 0; i < s->n; i++, at += 4) le_put(b + at, s->dwords[i], 4);
    for (size_t i = 0; reg && i < s->nfacts; i++) {
        const char *key = s->facts[i].key;
        const uint32_t value = (uint32_t)s->facts[i].value, rsrc1 = reg == 0x2e0c ? 0x2e12 : reg + 2;
        if (strcmp(key, "rsrc1") == 0) at += put_register(b + at, rsrc1, value);
        if (strcmp(key, "rsrc2") == 0) at += put_register(b + at, rsrc1 + 1, value);
        if (strcmp(key, "ps input") == 0) at += put_register(b + at, 0xa1b4, value);
    }
    return at;
}

/* Facts for the member: those that are not in its bytes.  kept 0: the code is cut off. */
static bool member_facts(
    struct gpudbg_image *image, const struct shader *s, uint32_t reg, size_t kept, struct gpudbg_member *m)
{
    struct gpudbg_fact *facts = gpudbg_image_alloc(image, (FACTS_MOST + 4) * sizeof *facts);
    if (!facts) return false;
    const char *name = gpudbg_image_string(image, s->named.name, strlen(s->named.name));
    facts[m->nfacts++] = (struct gpudbg_fact){"chip", *name ? name : GCN_ASSUMED_CHIP, 0};
    if (!kept) facts[m->nfacts++] = (struct gpudbg_fact){"cut off", "the code does not end where the text does", 0};
    if (!reg && s->heading->stage < GCN_STAGES)
        facts[m->nfacts++] = (struct gpudbg_fact){"stage", s->heading->text, s->heading->stage};
    for (size_t i = 0; i < s->nfacts; i++) {
        const char *key = s->facts[i].key;
        if (!reg || (strncmp(key, "rsrc", 4) != 0 && strcmp(key, "ps input") != 0)) facts[m->nfacts++] = s->facts[i];
    }
    m->facts = facts;
    return true;
}

static bool is_of(const struct shader *s, const struct gcn_chip *chip) { return !(s->other >> chip->number & 1); }

/* The same chip with waves of 64, where the code says so: by its first instruction, as AMD's compilers begin code (LLVM
 * 19, SIDefines.h: UC_VERSION_W64_BIT), or by whole masks, where compilers use exec_lo in waves of 32. */
static const struct gcn_chip *of_waves(const struct shader *s, const struct gcn_chip *chip)
{
    static const uint32_t s_version = 0xb0800000, w64 = 0x2000;
    const struct gpudbg_isa *wide = chip->waves_of_64;
    const bool says = (s->dwords[0] & 0xffff0000) == s_version && s->dwords[0] & w64;
    return wide && (says || s->whole_exec) && is_of(s, gcn_chip_of(wide)) ? gcn_chip_of(wide) : chip;
}

/* The chip whose code the shader is: the one that the text names, the usual one, or another for which Mesa has LLVM
 * print it; NULL: none. */
static const struct gcn_chip *chip_of(const struct shader *s)
{
    static_assert(GCN_CHIPS <= 16, "a bit a chip");
    const struct gcn_chip *usual = gcn_chip_of(gcn_usual), *named = s->named.chip;
    if (*s->named.name && named && !is_of(s, named) && named->waves_of_64) named = gcn_chip_of(named->waves_of_64);
    if (*s->named.name) return named && is_of(s, named) ? of_waves(s, named) : NULL;
    if (is_of(s, usual)) return usual;
    for (unsigned c = 0; c < GCN_CHIPS; c++)
        if (gcn_chips[c].llvm && is_of(s, &gcn_chips[c])) return of_waves(s, &gcn_chips[c]);
    return NULL;
}

/* Why the shader is of no chip. */
static const char *refusal(struct gpudbg_image *image, const struct shader *s)
{
    char text[160];
    const char *name = *s->named.name ? s->named.name : GCN_FAMILY;
    snprintf(text, sizeof text,
        *s->named.name && !s->named.chip
            ? "the text names %s, whose code is not read"
            : "its dwords are not, on %s, the instructions that the text names: it is of another chip",
        name);
    return gpudbg_image_string(image, text, strlen(text));
}

/* The dwords of the program, its constants included; 0: it does not end where the text does.  Padding, which
 * llvm-objdump prints after a function, does not count. */
static size_t whole(const struct shader *s, const struct gcn_chip *chip, const uint8_t *code)
{
    static const uint32_t nop = 0xbf800000, code_end = 0xbf9f0000;
    const size_t n = s->code ? s->code : s->n;
    size_t end = (chip->whole ? gcn_whole_program(code, 4 * s->n, 1) : gcn_program(&chip->isa, code, 4 * n)) / 4;
    if (end == n) return s->n;
    const size_t program = end;
    while (end && end < n && (s->dwords[end] == nop || s->dwords[end] == code_end || !s->dwords[end])) end++;
    return end == n ? program : 0;
}

/* Passes on the open shader, if it has code, and closes it.  false: no more is wanted, or err is set. */
static bool give(
    struct gpudbg_image *image, struct shader *s, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct gpudbg_member m = {.contents = "shader"};
    const struct heading *h = s->heading;
    bool more = true;
    if (h && s->n) {
        m.name = *s->name ? gpudbg_image_string(image, s->name, strlen(s->name)) : h->name;
        m.contents = *s->name ? "function" : h->text;
        const struct gcn_chip *chip = chip_of(s);
        m.isa = chip ? chip->isa.name : NULL;
        m.size = member_bytes(image, s, 0, &m.bytes);
        const size_t kept = chip && m.size && !s->too_long ? whole(s, chip, m.bytes) : 0;
        /* The form with registers is that of older chips. */
        const uint32_t reg = (chip && !chip->whole) || !kept ? 0 : h->reg;
        if (reg) m.size = member_bytes(image, s, reg, &m.bytes);
        if (!m.size || !member_facts(image, s, reg, kept, &m)) {
            gpudbg_fail(err, "too-large", "its shaders take too much memory");
            return false;
        }
        if (s->too_long)
            m.refused = "it has more than 65536 dwords of code";
        else if (!chip)
            m.refused = refusal(image, s);
        else if (kept && !reg)
            m.size = 4 * kept;
        more = each(to, &m);
    }
    *s = (struct shader){.dwords = s->dwords, .named = s->named, .next = NO_ADDR};
    return more;
}

/* Passes on what was read before an instruction that does not follow it; what begins there is the same shader's, if
 * the address is a later one. */
static bool give_part(struct gpudbg_image *image, struct shader *s, uint64_t addr, gpudbg_member_fn *each, void *to,
    struct gpudbg_error *err)
{
    const struct shader part = *s;
    if (!give(image, s, each, to, err)) return false;
    if (addr < part.next) return true;
    s->heading = part.heading;
    memcpy(s->name, part.name, sizeof s->name);
    return true;
}

/* ---- The loader ---- */

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct line line;
    uint32_t dwords[INSN_DWORDS];
    unsigned found = 0;
    uint64_t addr;
    size_t at = 0;
    *why = "text with instructions and their dwords, as Mesa's drivers and LLVM's tools print them";
    if (memchr(b, 0, n < 4096 ? n : 4096)) return 0; /* no text */
    while (found < LINES_LEAST && next_line(b, n, &at, &line)) found += insn_of(&line, dwords, &addr) > 0;
    return found == LINES_LEAST ? 70 : 0;
}

static bool take_line(struct gpudbg_image *image, struct shader *s, const struct line *line, gpudbg_member_fn *each,
    void *to, struct gpudbg_error *err)
{
    uint32_t dwords[INSN_DWORDS], row[CONSTANTS], value;
    const struct heading *heading = heading_of(line);
    if (heading || is_line(line, "********************")) {
        if (!give(image, s, each, to, err)) return false;
        s->heading = heading;
        return true;
    }
    const char *name = NULL;
    const size_t length = function_of(line, &name);
    if (length) {
        if (!give(image, s, each, to, err)) return false;
        s->heading = &no_heading;
        memcpy(s->name, name, length < sizeof s->name ? length : sizeof s->name - 1);
        return true;
    }
    uint64_t addr;
    const unsigned n = insn_of(line, dwords, &addr);
    if (n) {
        if (addr != NO_ADDR && s->next != NO_ADDR && addr != s->next && !give_part(image, s, addr, each, to, err))
            return false;
        s->next = addr == NO_ADDR ? NO_ADDR : addr + 4 * n;
        if (!s->heading) s->heading = &no_heading;
        put(s, dwords, n);
        s->whole_exec |= names_exec(line);
        for (unsigned c = 0; c < GCN_CHIPS && !is_unknown(line); c++)
            if (!(s->other >> c & 1) && gcn_chips[c].llvm && !is_insn(&gcn_chips[c].isa, line, dwords, n))
                s->other |= (uint16_t)(1u << c);
        s->last = n;
        return true;
    }
    chip_of_line(line, &s->named);
    if (is_line(line, "/* constant data */") && s->heading) s->code = s->n;
    const unsigned constants = s->code ? constants_of(line, row) : 0;
    if (constants) {
        put(s, row, constants);
        s->last = 0;
        return true;
    }
    repeat(s, repeats_of(line));
    const struct named *what = s->heading ? named_of(line, &value) : NULL;
    if (what) note(s, what, value);
    return true;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct shader s = {.dwords = malloc(DWORDS_MOST * sizeof *s.dwords), .next = NO_ADDR};
    struct line line;
    size_t at = 0;
    bool more = true;
    err->kind = NULL;
    if (!s.dwords) return gpudbg_fail(err, "memory", "no memory for a shader");
    while (more && next_line(image->bytes, image->size, &at, &line)) more = take_line(image, &s, &line, each, to, err);
    if (more) more = give(image, &s, each, to, err);
    free(s.dwords);
    return more || !err->kind;
}

const struct gpudbg_loader gcn_listing_loader = {
    .name = "mesa-shaders",
    .summary =
        "shaders as radeonsi, RADV, llvm-objdump and llvm-mc print them: text with instructions and their dwords",
    .probe = probe,
    .members = members,
};
