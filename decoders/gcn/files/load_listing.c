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
 *     (001c: befc0005) s_mov_b32 m0, s5              the same, as CLRX prints it: in a comment of C, where the address
 *                                                    may be left out
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
 * shader is opened only if each line's dwords are one instruction of that chip with the name that the line has.
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
    const char *front; /* the dwords of an instruction that stand in a comment before it; NULL: none do */
    size_t nfront;
};

/* Sets `front` apart. */
static void take_front(struct line *line)
{
    const char *end = line->n > 4 && memcmp(line->text, "/*", 2) == 0 ? memmem(line->text, line->n, "*/", 2) : NULL;
    if (!end) return;
    const char *from = line->text + 2, *colon = memchr(from, ':', (size_t)(end - from));
    if (colon) from = colon + 1;
    for (const char *p = from; p < end; p++)
        if (*p != ' ' && !isxdigit((unsigned char)*p)) return;
    size_t skip = (size_t)(end + 2 - line->text);
    while (skip < line->n && isspace((unsigned char)line->text[skip])) skip++;
    *line = (struct line){line->text + skip, line->n - skip, from, (size_t)(end - from)};
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
    *line = (struct line){.text = (const char *)b + from, .n = to - from};
    take_front(line);
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

/* Bytes as llvm-mc prints them from `at` on: [0x05,0x00,0xfc,0xbe]. */
static unsigned encoding_at(const struct line *l, size_t at, uint32_t dwords[INSN_DWORDS])
{
    unsigned n = 0; /* bytes */
    for (at++; l->n - at >= 5 && n < 4 * INSN_DWORDS; at += 5, n++) {
        char digits[9] = "000000";
        uint32_t byte;
        memcpy(digits + 6, l->text + at + 2, 2);
        if (memcmp(l->text + at, "0x", 2) != 0 || !hex_dword(digits, &byte)) return 0;
        dwords[n / 4] = (n % 4 ? dwords[n / 4] : 0) | byte << n % 4 * 8;
        if (l->text[at + 4] == ']') return (n + 1) % 4 ? 0 : (n + 1) / 4;
        if (l->text[at + 4] != ',') return 0;
    }
    return 0;
}

/* Whether it is a dword that the disassembler did not know: ".long 0xd761000b // unrecognized instruction // ...". */
static bool is_unknown(const struct line *l) { return l->n > 6 && memcmp(l->text, ".long ", 6) == 0; }

/* Where the dwords of an instruction's line begin: after the last ';', or after the last "// ADDRESS:"; 0: nowhere. */
static size_t dwords_from(const struct line *l)
{
    size_t at = l->n;
    for (size_t i = l->n; i-- > 0;)
        if (i + 2 < l->n && memcmp(l->text + i, "//", 2) == 0) {
            for (at = i + 2; at < l->n && (l->text[at] == ' ' || isxdigit((unsigned char)l->text[at]));) at++;
            return at < l->n && l->text[at] == ':' ? at + 1 : 0;
        }
    while (at > 0 && l->text[at - 1] != ';') at--;
    return at < 2 ? 0 : at;
}

/* Dwords, up to the target of a branch ("<NAME>") or the end; 0: there is something else, too. */
static unsigned dwords_in(const char *p, size_t size, uint32_t dwords[INSN_DWORDS])
{
    unsigned n = 0;
    for (size_t at = 0; at < size;) {
        while (at < size && p[at] == ' ') at++;
        if (n && (at == size || p[at] == '<')) break;
        if (size - at < 8 || n == INSN_DWORDS || !hex_dword(p + at, &dwords[n])) return 0;
        at += 8;
        n++;
        if (at < size && p[at] != ' ') return 0;
    }
    return n;
}

/* The dwords of an instruction's line; 0: it is another line. */
static unsigned insn_of(const struct line *l, uint32_t dwords[INSN_DWORDS])
{
    static const char encoding[] = " encoding: ";
    if (!l->n || !(islower((unsigned char)l->text[0]) || is_unknown(l))) return 0;
    if (l->front) return dwords_in(l->front, l->nfront, dwords);
    const size_t at = dwords_from(l);
    if (!at) return 0;
    if (l->n - at > sizeof encoding && memcmp(l->text + at, encoding, sizeof encoding - 1) == 0)
        return encoding_at(l, at + sizeof encoding - 1, dwords);
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

/* One word of a line: LLVM's name of a chip, or the hardware's. */
static void chip_word(const char *text, size_t n, struct named_chip *found)
{
    const struct gcn_chip *named = NULL;
    if (n >= sizeof found->name) return;
    for (size_t c = 0; c < GCN_CHIPS; c++)
        for (const char *const *alias = gcn_chips[c].isa.traits.aliases; gcn_chips[c].llvm && *alias; alias++)
            if (strlen(*alias) == n && strncasecmp(text, *alias, n) == 0) named = &gcn_chips[c];
    const bool llvm = (n == 6 || n == 7) && memcmp(text, "gfx", 3) == 0 && strspn(text + 3, "0123456789abc") >= n - 3;
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
    bool too_long;
    uint16_t other; /* a bit for each chip on which a line's dwords are not its instruction */
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

/* Whether the dwords are one instruction with the name in the line, apart from the suffix of its encoding. */
static bool is_insn(const struct gpudbg_isa *isa, const struct line *l, const uint32_t *dwords, unsigned n)
{
    uint8_t b[4 * INSN_DWORDS];
    char text[256];
    struct gpudbg_insn insn;
    for (unsigned i = 0; i < n; i++) le_put(b + (size_t)4 * i, dwords[i], 4);
    if (!gpudbg_insn_at(isa, b, 4u * n, 0, &insn) || insn.size != 4 * n) return false;
    gcn_text(&insn, 0, (enum gpudbg_style)0, NULL, text, sizeof text);
    size_t own = strcspn(text, " "), said = 0;
    while (said < l->n && !isspace((unsigned char)l->text[said])) said++;
    if (own > 4 && text[own - 4] == '_' && text[own - 3] == 'e') own -= 4;
    if (said > 4 && l->text[said - 4] == '_' && l->text[said - 3] == 'e') said -= 4;
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

/* Facts for the member: those that are not in its bytes. */
static bool member_facts(struct gpudbg_image *image, const struct shader *s, uint32_t reg, struct gpudbg_member *m)
{
    struct gpudbg_fact *facts = gpudbg_image_alloc(image, (FACTS_MOST + 3) * sizeof *facts);
    if (!facts) return false;
    const char *name = gpudbg_image_string(image, s->named.name, strlen(s->named.name));
    facts[m->nfacts++] = (struct gpudbg_fact){"chip", *name ? name : GCN_ASSUMED_CHIP, 0};
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

/* The chip whose code the shader is: the one that the text names, the usual one, or another for which Mesa has LLVM
 * print it; NULL: none. */
static const struct gcn_chip *chip_of(const struct shader *s)
{
    static_assert(GCN_CHIPS <= 16, "a bit a chip");
    const struct gcn_chip *usual = gcn_chip_of(gcn_usual), *named = s->named.chip;
    if (*s->named.name && named && !is_of(s, named) && named->waves_of_64) named = gcn_chip_of(named->waves_of_64);
    if (*s->named.name) return named && is_of(s, named) ? named : NULL;
    if (is_of(s, usual)) return usual;
    for (unsigned c = 0; c < GCN_CHIPS; c++)
        if (gcn_chips[c].llvm && is_of(s, &gcn_chips[c])) return &gcn_chips[c];
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
        const uint32_t reg = chip && !chip->whole ? 0 : h->reg; /* the form with registers is that of older chips */
        m.isa = chip ? chip->isa.name : NULL;
        m.size = member_bytes(image, s, reg, &m.bytes);
        if (!m.size || !member_facts(image, s, reg, &m)) {
            gpudbg_fail(err, "too-large", "its shaders take too much memory");
            return false;
        }
        const size_t kept = chip && !s->too_long ? whole(s, chip, m.bytes + (reg ? 4 : 0)) : 0;
        if (s->too_long)
            m.refused = "it has more than 65536 dwords of code";
        else if (!chip)
            m.refused = refusal(image, s);
        else if (!kept)
            m.refused = "its code does not end where the text does: it is cut off";
        else if (!reg)
            m.size = 4 * kept;
        more = each(to, &m);
    }
    *s = (struct shader){.dwords = s->dwords, .named = s->named};
    return more;
}

/* ---- The loader ---- */

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct line line;
    uint32_t dwords[INSN_DWORDS];
    unsigned found = 0;
    size_t at = 0;
    *why = "text with instructions and their dwords, as Mesa's drivers and LLVM's tools print them";
    if (memchr(b, 0, n < 4096 ? n : 4096)) return 0; /* no text */
    while (found < LINES_LEAST && next_line(b, n, &at, &line)) found += insn_of(&line, dwords) > 0;
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
    const unsigned n = insn_of(line, dwords);
    if (n) {
        if (!s->heading) s->heading = &no_heading;
        put(s, dwords, n);
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
    struct shader s = {.dwords = malloc(DWORDS_MOST * sizeof *s.dwords)};
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
