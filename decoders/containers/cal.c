/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cal.c: CAL images, the ELF of one kernel that Catalyst's compiler makes.  32 bits, machine 125.  A program header of
 * type 0x70000002 is a dictionary: of each encoding its machine, type, offset, size and flags (4 bytes each).  In the
 * range of an encoding lie a section ".text", its code, and a program header of type 4, its notes:
 *
 *     size of the name (8), size of the note, type, "ATI CAL", the note
 *
 * of which type 1 is pairs of a register and its value:
 *
 *     0x00002e13            COMPUTE_PGM_RSRC2
 *     0x80001000            how many elements of user data there are; of the i-th, from 0x80001001 + 4 * i on: its
 *                           class, slot, first register and number of registers
 *     0x80001041, 42        vector and scalar registers
 *     0x80001043, 44        float mode, IEEE mode
 *     0x8000001c to 1e      size of the group
 *
 * Sources: Multi2Sim and CLRadeonExtender, which agree.
 */
#include "containers.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    EM_CAL = 125,
    DICTIONARY = 0x70000002,
    NOTES = 4,
    ENTRY = 20,
    NOTE_HEADER = 20,
    NOTE_REGISTERS = 1,
    ENCODINGS_MOST = 256,
    ELEMENTS_MOST = 16,
    PARTS_MOST = 1024,  /* sections, and program headers, that are looked at for an encoding */
    NOTES_MOST = 65536, /* bytes of notes of an encoding */
    FACTS_MOST = 8 + ELEMENTS_MOST,
    STAGE_COMPUTE = 4, /* as files of shaders number it */
};

static const struct {
    uint32_t machine;
    const char *chip;
    bool known; /* an instruction set of this program has its code */
} chips[] = {{0x1a, "Tahiti", false}, {0x1b, "Pitcairn", false}, {0x1c, "Cape Verde", false}, {0x20, "Oland", false},
    {0x21, "Bonaire", true}, {0x22, "Spectre", true}, {0x23, "Spooky", true}, {0x24, "Kalindi", true},
    {0x25, "Hainan", false}, {0x27, "Hawaii", true}, {0x29, "Iceland", false}, {0x2a, "Tonga", false},
    {0x2b, "Mullins", true}};

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n < 52 || memcmp(b, "\177ELF\1\1", 6) != 0 || le_get(b + 18, 2) != EM_CAL) return 0;
    *why = "ELF of 32 bits, machine 125: an image of CAL";
    return 90;
}

/* ---- What the notes say ---- */

struct registers {
    uint32_t rsrc2, vgprs, sgprs, float_mode, ieee, group[3], nelements;
    uint32_t element[ELEMENTS_MOST][4]; /* class, slot, first register, registers */
    bool has_rsrc2;
};

static void take_register(struct registers *r, uint32_t address, uint32_t value)
{
    const uint32_t element = address - 0x80001001, group = address - 0x8000001c;
    if (address == 0x2e13) r->rsrc2 = value, r->has_rsrc2 = true;
    if (address == 0x80001000) r->nelements = value < ELEMENTS_MOST ? value : ELEMENTS_MOST;
    if (address == 0x80001041) r->vgprs = value;
    if (address == 0x80001042) r->sgprs = value;
    if (address == 0x80001043) r->float_mode = value & 255;
    if (address == 0x80001044) r->ieee = value & 1;
    if (group < 3) r->group[group] = value;
    if (element < 4 * ELEMENTS_MOST) r->element[element / 4][element % 4] = value;
}

static void read_notes(struct registers *r, const uint8_t *b, uint64_t n)
{
    for (uint64_t at = 0; n - at >= NOTE_HEADER;) {
        const uint64_t size = le_u32(b + at + 4);
        if (memcmp(b + at + 12, "ATI CAL", 8) != 0 || size > n - at - NOTE_HEADER) return;
        const uint8_t *note = b + at + NOTE_HEADER;
        if (le_u32(b + at + 8) == NOTE_REGISTERS)
            for (uint64_t i = 0; i + 8 <= size; i += 8) take_register(r, le_u32(note + i), le_u32(note + i + 4));
        at += NOTE_HEADER + size;
    }
}

static void add(struct gpudbg_image *image, struct gpudbg_member *m, struct gpudbg_fact *facts, const char *key,
    uint64_t value, const char *text)
{
    if (m->nfacts == FACTS_MOST) return;
    facts[m->nfacts++] = (struct gpudbg_fact){
        gpudbg_image_string(image, key, strlen(key)), gpudbg_image_string(image, text, strlen(text)), value};
}

static void add_element(struct gpudbg_image *image, struct gpudbg_member *m, struct gpudbg_fact *facts, unsigned i,
    const uint32_t element[4])
{
    static const struct {
        uint32_t class;
        const char *name;
    } classes[] = {{2, "constant buffer"}, {4, "UAV"}, {0x17, "pointer to the table of UAVs"}};
    char key[24], text[96], what[40];
    snprintf(what, sizeof what, "class 0x%" PRIx32 ", not known,", element[0]);
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if (classes[k].class == element[0]) snprintf(what, sizeof what, "%s", classes[k].name);
    snprintf(key, sizeof key, "input %u", i);
    snprintf(text, sizeof text, "%s %" PRIu32 " in s[%" PRIu32 ":%" PRIu64 "]%s", what, element[1], element[2],
        (uint64_t)element[2] + (element[3] ? element[3] - 1 : 0), element[0] == 2 || element[0] == 4 ? " (V#)" : "");
    add(image, m, facts, key, i, text);
}

static void add_facts(struct gpudbg_image *image, struct gpudbg_member *m, const struct registers *r)
{
    struct gpudbg_fact *facts = gpudbg_image_alloc(image, FACTS_MOST * sizeof *facts);
    char text[64];
    m->facts = facts;
    if (!facts || !r->has_rsrc2) return;
    add(image, m, facts, "stage", STAGE_COMPUTE, "compute");
    snprintf(text, sizeof text, "0x%08" PRIx32, r->rsrc2);
    add(image, m, facts, "rsrc2", r->rsrc2, text);
    const uint32_t rsrc1 = r->float_mode << 12 | r->ieee << 23;
    snprintf(text, sizeof text, "0x%08" PRIx32 ", the modes of the notes", rsrc1);
    add(image, m, facts, "rsrc1", rsrc1, text);
    snprintf(text, sizeof text, "%" PRIu32 " scalar, %" PRIu32 " vector", r->sgprs, r->vgprs);
    add(image, m, facts, "registers", r->vgprs, text);
    if (r->group[0] && r->group[1] && r->group[2]) {
        snprintf(text, sizeof text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, r->group[0], r->group[1], r->group[2]);
        add(image, m, facts, "group size", 0, text);
    }
    for (unsigned i = 0; i < r->nelements; i++) add_element(image, m, facts, i, r->element[i]);
}

/* ---- Encodings ---- */

struct range {
    uint64_t from, size;
};

static bool inside(const struct range *r, const struct elf_part *p)
{
    return p->bytes && p->offset >= r->from && p->size <= r->size && p->offset - r->from <= r->size - p->size;
}

/* The code and the notes of an encoding. */
static bool fill(
    struct gpudbg_image *image, const struct elf_view *elf, const struct range *range, struct gpudbg_member *m)
{
    struct registers registers = {.has_rsrc2 = false};
    struct elf_part part;
    for (uint32_t i = 0; !m->bytes && i < PARTS_MOST && elf_view_section(elf, i, &part); i++)
        if (strcmp(part.name, ".text") == 0 && inside(range, &part)) {
            m->bytes = part.bytes;
            m->size = (size_t)part.size;
        }
    for (uint32_t i = 0; i < PARTS_MOST && elf_view_program(elf, i, &part); i++)
        if (part.type == NOTES && inside(range, &part) && part.size <= NOTES_MOST) {
            read_notes(&registers, part.bytes, part.size);
            break;
        }
    add_facts(image, m, &registers);
    return m->bytes != NULL;
}

static bool encoding(
    struct gpudbg_image *image, const struct elf_view *elf, const uint8_t *entry, struct gpudbg_member *m)
{
    const uint32_t machine = le_u32(entry), type = le_u32(entry + 4);
    const struct range range = {le_u32(entry + 8), le_u32(entry + 12)};
    char name[64];
    snprintf(name, sizeof name, "machine 0x%" PRIx32 ", type %" PRIu32, machine, type);
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        if (chips[i].machine != machine) continue;
        snprintf(name, sizeof name, "%s", chips[i].chip);
        m->contents = "machine code";
        if (chips[i].known)
            m->isa = "gfx7";
        else
            m->refused = "it is code of a chip of another generation: only gfx7 is known";
    }
    m->name = gpudbg_image_string(image, name, strlen(name));
    if (!within(elf->bytes, elf->n, range.from, range.size))
        m->refused = "its offset and size lie outside of the file";
    else if (!fill(image, elf, &range, m))
        m->refused = "it has no section .text";
    return m->name != NULL;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct elf_view elf;
    struct elf_part part;
    if (!elf_view_open(&elf, image->bytes, image->size))
        return gpudbg_fail(err, "truncated", "its ELF tables lie outside of the file");
    for (uint32_t i = 0; elf_view_program(&elf, i, &part); i++) {
        if (part.type != DICTIONARY) continue;
        if (!part.bytes) return gpudbg_fail(err, "bad-offset", "the dictionary of encodings lies outside of the file");
        for (uint64_t at = 0; at + ENTRY <= part.size && at < ENCODINGS_MOST * ENTRY; at += ENTRY) {
            struct gpudbg_member m = {.name = NULL};
            if (!encoding(image, &elf, part.bytes + at, &m))
                return gpudbg_fail(err, "too-large", "no memory for the names of its encodings");
            if (!each(to, &m)) return true;
        }
        return true;
    }
    return gpudbg_fail(err, "not-recognised", "this image of CAL has no dictionary of encodings");
}

const struct gpudbg_loader container_cal = {
    .name = "cal-image",
    .summary = "images of CAL: one kernel of Catalyst, for one chip or several",
    .probe = probe,
    .members = members,
};
