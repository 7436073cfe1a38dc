/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_type.c: types of the source as debug information describes them. */
#include "image/dwarf_type.h"
#include "gpudbg/text.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>

#define NESTING 6 /* of types that are spelled out */

/* Without typedefs and qualifiers; false: void. */
bool die_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute at;
    return dwarf_attr_integrate(die, DW_AT_type, &at) && dwarf_formref_die(&at, type) &&
           dwarf_peel_type(type, type) == 0;
}

uint64_t die_bytes(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

#define DIMENSIONS 8

/* The lengths of an array's dimensions, the first first; 0: not known. */
static unsigned lengths_of(Dwarf_Die *array, uint64_t length[DIMENSIONS])
{
    Dwarf_Die range;
    unsigned n = 0;
    for (int more = dwarf_child(array, &range); more == 0 && n < DIMENSIONS; more = dwarf_siblingof(&range, &range)) {
        Dwarf_Attribute at;
        Dwarf_Word count;
        if (dwarf_tag(&range) != DW_TAG_subrange_type) continue;
        if (dwarf_attr(&range, DW_AT_count, &at) && dwarf_formudata(&at, &count) == 0)
            length[n++] = count;
        else
            length[n++] = dwarf_attr(&range, DW_AT_upper_bound, &at) && dwarf_formudata(&at, &count) == 0 ? count + 1
                                                                                                          : 0;
    }
    return n;
}

bool die_array(Dwarf_Die *type, unsigned indexed, struct die_array *a)
{
    uint64_t length[DIMENSIONS];
    if (!die_type(type, &a->element)) return false;
    const unsigned n = lengths_of(type, length);
    a->each = die_bytes(&a->element);
    a->left = indexed + 1 < n ? n - indexed - 1 : 0;
    a->length = indexed < n && (n > 1 || length[indexed]) ? length[indexed] : a->each ? die_bytes(type) / a->each : 0;
    for (unsigned i = indexed + 1; i < n; i++) a->each *= length[i];
    if (!a->each) a->length = 0;
    return true;
}

static unsigned encoding_of(Dwarf_Die *type)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    return dwarf_tag(type) == DW_TAG_base_type && dwarf_attr(type, DW_AT_encoding, &at) && dwarf_formudata(&at, &n) == 0
               ? (unsigned)n
               : 0;
}

bool die_is_pointer(Dwarf_Die *type) { return dwarf_tag(type) == DW_TAG_pointer_type; }

bool die_is_vector(Dwarf_Die *type)
{
    return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_GNU_vector);
}

bool die_is_group(Dwarf_Die *type)
{
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/* The class of the memory that a pointer points into; 0: any. */
unsigned die_class(Dwarf_Die *pointer)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    return dwarf_attr(pointer, DW_AT_address_class, &at) && dwarf_formudata(&at, &n) == 0 ? (unsigned)n : 0;
}

/* What numbers of this type are; bits 0: it is none.  A pointer into a memory of its own has 4 bytes, whatever its size
 * is said to be. */
struct value_type die_number(Dwarf_Die *type)
{
    const uint64_t size = die_is_pointer(type) && die_class(type) ? 4 : die_bytes(type);
    const unsigned e = encoding_of(type);
    if (size != 1 && size != 2 && size != 4 && size != 8) return (struct value_type){0};
    if (die_is_pointer(type) || dwarf_tag(type) == DW_TAG_enumeration_type)
        return (struct value_type){VALUE_UNSIGNED, (uint8_t)(8 * size)};
    if (!e || (e == DW_ATE_float && size == 1)) return (struct value_type){0};
    return (struct value_type){e == DW_ATE_float                               ? VALUE_FLOAT
                               : e == DW_ATE_signed || e == DW_ATE_signed_char ? VALUE_SIGNED
                                                                               : VALUE_UNSIGNED,
        (uint8_t)(8 * size)};
}

/* The type as the source spells it, nearly. */
void die_type_text(Dwarf_Die *die, char *buf, size_t size, int depth)
{
    Dwarf_Attribute at;
    Dwarf_Die type;
    char text[128] = "void";
    if (!dwarf_attr_integrate(die, DW_AT_type, &at) || !dwarf_formref_die(&at, &type) || depth > NESTING) {
        snprintf(buf, size, "%s", depth > NESTING ? "..." : "void");
        return;
    }
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_pointer_type) {
        die_type_text(&type, text, sizeof text, depth + 1);
        text_put(buf, size, "%s *", text);
    } else if (tag == DW_TAG_array_type && !dwarf_diename(&type)) {
        struct die_array a;
        die_type_text(&type, text, sizeof text, depth + 1);
        struct text t = text_in(buf, size);
        text_add(&t, "%.80s", text);
        for (unsigned i = 0; die_array(&type, i, &a) && !text_is_cut(&t); i++) {
            text_add(&t, "[%" PRIu64 "]", a.length);
            if (!a.left) break;
        }
    } else if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type) {
        die_type_text(&type, buf, size, depth + 1);
    } else {
        const char *name = dwarf_diename(&type), *kind = !die_is_group(&type)       ? ""
                                                         : tag == DW_TAG_union_type ? "union "
                                                                                    : "struct ";
        snprintf(buf, size, "%s%s", kind, name ? name : die_is_group(&type) ? "{...}" : "?");
    }
}

/* The next member of a structure that has a name and a place. */
bool die_next_member(Dwarf_Die *group, Dwarf_Die *member, bool first, uint64_t *offset)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    int more = first ? dwarf_child(group, member) : dwarf_siblingof(member, member);
    for (; more == 0; more = dwarf_siblingof(member, member)) {
        if (dwarf_tag(member) != DW_TAG_member || !dwarf_diename(member) || dwarf_hasattr(member, DW_AT_bit_size))
            continue;
        *offset = dwarf_attr(member, DW_AT_data_member_location, &at) && dwarf_formudata(&at, &n) == 0 ? n : 0;
        return true;
    }
    return false;
}
