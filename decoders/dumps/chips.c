/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chips.c: which generation a name or a number in a dump belongs to. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "dumps.h"

static const struct {
    const char *chip, *family;
} chips[] = {
    {"bonaire", "gfx7"},
    {"hawaii", "gfx7"},
    {"kaveri", "gfx7"},
    {"kabini", "gfx7"},
    {"mullins", "gfx7"},
    {"liverpool", "gfx7"},
    {"gladius", "gfx7"},
    {"spectre", "gfx7"},
    {"spooky", "gfx7"},
    {"kalindi", "gfx7"},
    {"godavari", "gfx7"},
    {"sea_islands", "gfx7"},
    {"tahiti", "gfx6"},
    {"pitcairn", "gfx6"},
    {"verde", "gfx6"},
    {"oland", "gfx6"},
    {"hainan", "gfx6"},
    {"topaz", "gfx8"},
    {"iceland", "gfx8"},
    {"tonga", "gfx8"},
    {"fiji", "gfx8"},
    {"carrizo", "gfx8"},
    {"stoney", "gfx8"},
    {"polaris10", "gfx8"},
    {"polaris11", "gfx8"},
    {"polaris12", "gfx8"},
    {"vegam", "gfx8"},
    {"vega10", "gfx9"},
    {"vega12", "gfx9"},
    {"vega20", "gfx9"},
    {"raven", "gfx9"},
    {"raven1", "gfx9"},
    {"raven2", "gfx9"},
    {"picasso", "gfx9"},
    {"renoir", "gfx9"},
    {"arcturus", "gfx9"},
    {"aldebaran", "gfx9"},
    {"navi10", "gfx10"},
    {"navi12", "gfx10"},
    {"navi14", "gfx10"},
    {"navi21", "gfx10.3"},
    {"sienna_cichlid", "gfx10.3"},
    {"navy_flounder", "gfx10.3"},
    {"vangogh", "gfx10.3"},
    {"dimgrey_cavefish", "gfx10.3"},
    {"beige_goby", "gfx10.3"},
    {"yellow_carp", "gfx10.3"},
    {"cyan_skillfish", "gfx10"},
    {"r100", "r100"},
    {"rv100", "r100"},
    {"rs100", "r100"},
    {"rv200", "r100"},
    {"rs200", "r100"},
    {"r200", "r200"},
    {"rv250", "r200"},
    {"rs300", "r200"},
    {"rv280", "r200"},
    {"r300", "r300"},
    {"r350", "r300"},
    {"rv350", "r300"},
    {"rv380", "r300"},
    {"rs400", "r300"},
    {"rs480", "r300"},
    {"r420", "r400"},
    {"r423", "r400"},
    {"rv410", "r400"},
    {"rs600", "r400"},
    {"rs690", "r400"},
    {"rs740", "r400"},
    {"rv515", "r500"},
    {"r520", "r500"},
    {"rv530", "r500"},
    {"rv560", "r500"},
    {"rv570", "r500"},
    {"r580", "r500"},
    {"r600", "r600"},
    {"rv610", "r600"},
    {"rv630", "r600"},
    {"rv620", "r600"},
    {"rv635", "r600"},
    {"rv670", "r600"},
    {"rs780", "r600"},
    {"rs880", "r600"},
    {"rv770", "r700"},
    {"rv730", "r700"},
    {"rv710", "r700"},
    {"rv740", "r700"},
    {"cedar", "evergreen"},
    {"redwood", "evergreen"},
    {"juniper", "evergreen"},
    {"cypress", "evergreen"},
    {"hemlock", "evergreen"},
    {"palm", "evergreen"},
    {"sumo", "evergreen"},
    {"sumo2", "evergreen"},
    {"barts", "evergreen"},
    {"turks", "evergreen"},
    {"caicos", "evergreen"},
    {"cayman", "cayman"},
    {"aruba", "cayman"},
    {"navi22", "gfx10.3"},
    {"navi23", "gfx10.3"},
    {"navi24", "gfx10.3"},
    {"navi31", "gfx11"},
    {"navi32", "gfx11"},
    {"navi33", "gfx11"},
    {"navi44", "gfx12"},
    {"navi48", "gfx12"},
};

const char *chip_family(const char *chip)
{
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (strcasecmp(chips[i].chip, chip) == 0) return chips[i].family;
    return NULL;
}

static const char *generation(unsigned long n)
{
    static const char *const names[] = {
        [6] = "gfx6", [7] = "gfx7", [8] = "gfx8", [9] = "gfx9", [10] = GFX10_ALL, [11] = "gfx11", [12] = "gfx12"};
    return n < sizeof names / sizeof *names ? names[n] : NULL;
}

/* With the second number of a version, which tells what the driver's code of gfx10 does not. */
static const char *generation_step(unsigned long n, unsigned long step)
{
    return n != 10 ? generation(n) : step < 3 ? "gfx10" : "gfx10.3";
}

/* "gfx70", "gfx720", "gfx1030": digits are one generation, two for 10 and more, then version digits.  Only the graphics
 * blocks say the generation, and what belongs to them (their memory and the scheduler of their queues): display and bus
 * blocks are numbered apart. */
const char *block_family(const char *block)
{
    enum { NUMBERED = 3 }; /* a version behind "_v": its first number is the generation */
    static const char *const words[] = {"gfx_v", "gmc_v", "mes_v", "gfx", "gmc"};
    if (*block != 'c' && *block != 'g' && *block != 'm') return NULL; /* most drivers' and functions' names */
    if (begins(block, "cik_")) return "gfx7";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(block, words[i], n) != 0 || !isdigit((unsigned char)block[n])) continue;
        char *end;
        unsigned long number = strtoul(block + n, &end, 10);
        if (i < NUMBERED) return generation(number);
        if (*end && *end != '.') return NULL;
        const size_t digits = (size_t)(end - block) - n;
        if (digits > 3) return generation_step(number / 100, number / 10 % 10);
        while (number >= 10) number /= 10;
        return generation(number);
    }
    return NULL;
}

/* What people call boards and chips: '#' is a digit, a blank may be missing; behind it no digit follows. */
static const struct {
    const char *name, *family;
} boards[] = {{"R9 29#", "gfx7"}, {"R9 39#", "gfx7"}, {"R9 Fury", "gfx8"}, {"RX 4##", "gfx8"}, {"RX 5##", "gfx8"},
    {"Polaris ##", "gfx8"}, {"RX Vega", "gfx9"}, {"Vega 56", "gfx9"}, {"Vega 64", "gfx9"}, {"Radeon VII", "gfx9"},
    {"MI25", "gfx9"}, {"MI50", "gfx9"}, {"MI60", "gfx9"}, {"MI100", "gfx9"}, {"MI2##", "gfx9"}, {"MI3##", "gfx9"},
    {"RX 5###", "gfx10"}, {"RX 6###", "gfx10.3"}, {"Navi 1#", "gfx10"}, {"Navi 2#", "gfx10.3"}, {"660M", "gfx10.3"},
    {"680M", "gfx10.3"}, {"RX 7###", "gfx11"}, {"Navi 3#", "gfx11"}, {"740M", "gfx11"}, {"760M", "gfx11"},
    {"780M", "gfx11"}, {"880M", "gfx11"}, {"890M", "gfx11"}, {"8050S", "gfx11"}, {"8060S", "gfx11"},
    {"RX 9###", "gfx12"}, {"Navi 4#", "gfx12"},
    /* Intel's, by the names of processors and boards */
    {"Ivy Bridge", "gen7"}, {"Bay Trail", "gen7"}, {"HD Graphics 4000", "gen7"}, {"HD Graphics 2500", "gen7"},
    {"Haswell", "gen7.5"}, {"HD Graphics 4200", "gen7.5"}, {"HD Graphics 4400", "gen7.5"},
    {"HD Graphics 4600", "gen7.5"}, {"HD Graphics 5000", "gen7.5"}, {"Broadwell", "gen8"}, {"Cherry Trail", "gen8"},
    {"Braswell", "gen8"}, {"Skylake", "gen9"}, {"Kaby Lake", "gen9"}, {"Coffee Lake", "gen9"}, {"Comet Lake", "gen9"},
    {"Apollo Lake", "gen9"}, {"Gemini Lake", "gen9"}, {"UHD Graphics 6##", "gen9"}, {"Ice Lake", "gen11"},
    {"Jasper Lake", "gen11"}, {"Elkhart Lake", "gen11"}, {"Tiger Lake", "gen12"}, {"Rocket Lake", "gen12"},
    {"Alder Lake", "gen12"}, {"Raptor Lake", "gen12"}, {"DG1", "gen12"}, {"UHD Graphics 7##", "gen12"},
    {"Arc A###", "gen12.5"}, {"A380", "gen12.5"}, {"A750", "gen12.5"}, {"A770", "gen12.5"}, {"DG2", "gen12.5"},
    {"Alchemist", "gen12.5"}, {"Meteor Lake", "gen12.5"}, {"Arrow Lake", "gen12.5"}, {"Lunar Lake", "Xe2"},
    {"Battlemage", "Xe2"}, {"Arc B###", "Xe2"}, {"B570", "Xe2"}, {"B580", "Xe2"}, {"Panther Lake", "Xe3"}};

/* Bytes of the text that the name takes; 0: it is another. */
static size_t named_so(const char *text, const char *name)
{
    const char *at = text;
    for (; *name; name++) {
        if (*name == ' ') {
            at += *at == ' ';
            continue;
        }
        if (*name == '#' ? !isdigit((unsigned char)*at) : tolower((unsigned char)*at) != tolower((unsigned char)*name))
            return 0;
        at++;
    }
    return isdigit((unsigned char)*at) ? 0 : (size_t)(at - text);
}

const char *board_family(const char *text, char *name, size_t size)
{
    for (const char *at = text; *at; at++) {
        if (at != text && isalnum((unsigned char)at[-1])) continue;
        for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
            const size_t n = named_so(at, boards[i].name);
            if (n) return snprintf(name, size, "%.*s", (int)n, at), boards[i].family;
        }
        if (begins(at, "8086:") && strspn(at + 5, "0123456789abcdefABCDEF") == 4) { /* of lspci -nn */
            const char *intel = pci_family((unsigned)strtoul(at + 5, NULL, 16));
            if (intel) return snprintf(name, size, "%.9s", at), intel;
        }
        if (!begins(at, "gfx")) continue;
        const size_t digits = strspn(at + 3, "0123456789abc"); /* the last two are a version */
        if (digits < 3 || digits > 4 || isalnum((unsigned char)at[3 + digits]) || at[3 + digits] == '_') continue;
        char number[8];
        snprintf(number, sizeof number, "%.*s", (int)digits - 2, at + 3);
        const char *family = generation_step(strtoul(number, NULL, 10), (unsigned long)(at[1 + digits] - '0'));
        if (family) return snprintf(name, size, "gfx%.*s", (int)digits, at + 3), family;
    }
    return NULL;
}

/* Families of Intel's device ids, by range; the first that holds the id counts.  Source: Linux, i915_pciids.h, and
 * include/drm/intel/pciids.h, which took its place. */
static const struct {
    uint16_t first, last;
    const char *family;
} ids[] = {
    {0x0042, 0x0046, "gen5"},
    {0x0102, 0x0126, "gen6"},
    {0x0152, 0x016a, "gen7"},
    {0x0155, 0x0157, "gen7"},
    {0x0f30, 0x0f33, "gen7"},
    {0x0400, 0x042f, "gen7.5"},
    {0x0a00, 0x0a2f, "gen7.5"},
    {0x0c00, 0x0c2f, "gen7.5"},
    {0x0d00, 0x0d2f, "gen7.5"},
    {0x0a84, 0x0a85, "gen9"},
    {0x1600, 0x163f, "gen8"},
    {0x22b0, 0x22b3, "gen8"},
    {0x1900, 0x193f, "gen9"},
    {0x1a84, 0x1a85, "gen9"},
    {0x2562, 0x2572, "gen2"},
    {0x3577, 0x3582, "gen2"},
    {0x2582, 0x27ae, "gen3"},
    {0x29b2, 0x29d2, "gen3"},
    {0xa001, 0xa011, "gen3"},
    {0x2972, 0x29a2, "gen4"},
    {0x2a02, 0x2a12, "gen4"},
    {0x2a42, 0x2a42, "gen4.5"},
    {0x2e02, 0x2e92, "gen4.5"},
    {0x3184, 0x3185, "gen9"},
    {0x3e90, 0x3eaf, "gen9"},
    {0x4540, 0x4571, "gen11"},
    {0x4e51, 0x4e71, "gen11"},
    {0x4600, 0x46ff, "gen12"},
    {0x4905, 0x4909, "gen12"},
    {0x4c80, 0x4c9f, "gen12"},
    {0x5900, 0x593f, "gen9"},
    {0x5a40, 0x5a5c, "gen10"},
    {0x5a84, 0x5a85, "gen9"},
    {0x87c0, 0x87ca, "gen9"},
    {0x8a50, 0x8a7f, "gen11"},
    {0x9a40, 0x9aff, "gen12"},
    {0x9b20, 0x9bff, "gen9"},
    {0xa720, 0xa7ff, "gen12"},
    {0x4f80, 0x4f88, "gen12.5"},
    {0x5690, 0x56cf, "gen12.5"},
    {0x7d40, 0x7dd5, "gen12.5"},
    {0xb640, 0xb640, "gen12.5"},
    {0x0b69, 0x0be5, "Xe-HPC"},
    {0x6420, 0x6420, "Xe2"},
    {0x64a0, 0x64b0, "Xe2"},
    {0xe202, 0xe223, "Xe2"},
    {0xb080, 0xb0bf, "Xe3"},
};

const char *pci_family(unsigned id)
{
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (id >= ids[i].first && id <= ids[i].last) return ids[i].family;
    return NULL;
}

/* AMD's, by range (Linux, amdgpu_drv.c and radeon's drm_pciids.h); the first that holds the id counts. */
static const struct {
    uint16_t first, last;
    const char *family;
} amd_ids[] = {
    {0x1304, 0x131d, "gfx7"}, /* Kaveri */
    {0x13fe, 0x13fe, "gfx10"}, {0x1435, 0x1435, "gfx10.3"}, {0x150e, 0x150e, "gfx11"}, {0x1506, 0x1506, "gfx10.3"},
    {0x1586, 0x1586, "gfx11"}, {0x15bf, 0x15c8, "gfx11"}, {0x15d8, 0x15dd, "gfx9"}, {0x1636, 0x1638, "gfx9"},
    {0x163f, 0x163f, "gfx10.3"}, {0x164c, 0x164c, "gfx9"}, {0x164d, 0x164e, "gfx10.3"}, {0x1681, 0x1681, "gfx10.3"},
    {0x1900, 0x1902, "gfx11"}, {0x6600, 0x663f, "gfx6"}, /* Oland */
    {0x6640, 0x665f, "gfx7"},                            /* Bonaire */
    {0x6660, 0x667f, "gfx6"},                            /* Hainan */
    {0x66a0, 0x66af, "gfx9"}, {0x6780, 0x679f, "gfx6"},  /* Tahiti */
    {0x67a0, 0x67be, "gfx7"},                            /* Hawaii */
    {0x67c0, 0x67ff, "gfx8"}, {0x6800, 0x683f, "gfx6"},  /* Pitcairn, Cape Verde */
    {0x6860, 0x687f, "gfx9"}, {0x6900, 0x6907, "gfx8"}, {0x6920, 0x6939, "gfx8"}, {0x694c, 0x694f, "gfx8"},
    {0x6980, 0x699f, "gfx8"}, {0x69a0, 0x69af, "gfx9"}, {0x7300, 0x730f, "gfx8"}, {0x7310, 0x731f, "gfx10"},
    {0x7340, 0x734f, "gfx10"}, {0x7360, 0x7362, "gfx10"}, {0x738c, 0x7390, "gfx9"}, {0x73a0, 0x73ff, "gfx10.3"},
    {0x7408, 0x7410, "gfx9"}, {0x7420, 0x743f, "gfx10.3"}, {0x7440, 0x749f, "gfx11"}, {0x74a0, 0x74bf, "gfx9"},
    {0x7550, 0x759f, "gfx12"}, {0x9830, 0x983f, "gfx7"},                          /* Kabini */
    {0x9850, 0x985f, "gfx7"},                                                     /* Mullins */
    {0x9870, 0x987f, "gfx8"}, {0x98e4, 0x98e4, "gfx8"}, {0x9920, 0x9924, "gfx7"}, /* Liverpool, Gladius */
};

const char *amd_family(unsigned id)
{
    for (size_t i = 0; i < sizeof amd_ids / sizeof *amd_ids; i++)
        if (id >= amd_ids[i].first && id <= amd_ids[i].last) return amd_ids[i].family;
    return NULL;
}

const char *firmware_family(const char *file, bool intel)
{
    static const char *const intels[][2] = {{"skl", "gen9"}, {"bxt", "gen9"}, {"kbl", "gen9"}, {"glk", "gen9"},
        {"cml", "gen9"}, {"icl", "gen11"}, {"ehl", "gen11"}, {"tgl", "gen12"}, {"rkl", "gen12"}, {"adls", "gen12"},
        {"adlp", "gen12"}, {"dg1", "gen12"}, {"dg2", "gen12.5"}, {"mtl", "gen12.5"}, {"lnl", "Xe2"}, {"bmg", "Xe2"},
        {"ptl", "Xe3"}};
    char chip[32];
    unsigned long number;
    if (begins(file, "gc_")) {
        char *step;
        number = strtoul(file + 3, &step, 10);
        return *step == '_' ? generation_step(number, strtoul(step + 1, NULL, 10)) : generation(number);
    }
    snprintf(chip, sizeof chip, "%.*s", (int)strcspn(file, "_"), file);
    for (size_t i = 0; intel && i < sizeof intels / sizeof *intels; i++)
        if (strcmp(intels[i][0], chip) == 0) return intels[i][1];
    if (intel) return NULL;
    for (const char *at = file; *at && at - file < 31; at++) { /* names of chips may have a '_' */
        if (*at != '_' && at[1]) continue;
        snprintf(chip, sizeof chip, "%.*s", (int)(at - file), file);
        if (chip_family(chip)) return chip_family(chip);
    }
    return NULL;
}

const char *soc_family(unsigned family)
{
    switch (family) {
    case 110: return "gfx6";
    case 120:
    case 125: return "gfx7";
    case 130:
    case 135: return "gfx8";
    case 141:
    case 142: return "gfx9";
    case 143: return GFX10_ALL;
    case 144:
    case 146:
    case 149:
    case 151: return "gfx10.3";
    case 145:
    case 148:
    case 150: return "gfx11";
    case 152: return "gfx12";
    default: return NULL;
    }
}

/* 7 and 12 are each two generations (generations.c). */
const char *intel_family(unsigned n)
{
    static const char *const names[] = {
        [4] = "gen4", [5] = "gen5", [6] = "gen6", [8] = "gen8", [9] = "gen9", [11] = "gen11"};
    return n < sizeof names / sizeof *names ? names[n] : NULL;
}

bool is_intel(const char *family) { return family && begins(family, "gen"); }

void intel_named(struct gpudbg_dump *d, uint32_t line, const char *family)
{
    size_t n;
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *said = capture < n ? captures[capture].family : NULL;
    const size_t same = said ? strcspn(said, ".") : 0;
    if (!said || strncmp(said, family, same > strcspn(family, ".") ? same : strcspn(family, ".")) != 0)
        gpudbg_dump_family(d, line, family, NULL);
}

const char *ring_engine(const char *ring)
{
    static const char *const engines[][2] = {{"sdma", "sdma"}, {"dma", "sdma"}, {"uvd", "uvd"}, {"vce", "vce"},
        {"vcn", "vcn"}, {"jpeg", "jpeg"}, {"vpe", "vpe"}, {"umsch", "umsch"}, {"mes", "mes"}};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strncasecmp(ring, engines[i][0], strlen(engines[i][0])) == 0) return engines[i][1];
    return NULL;
}
