/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow_describe.c: a descriptor that an instruction uses: its path, and its description if its words are known.
 */
#include <inttypes.h>
#include "code/gcn_decoder.h"
#include "flow/scalars.h"

int flow_use_path(const struct flow_use *use, char *buf, size_t size)
{
    const char what[3] = {use->kind, '#', 0};
    struct text t = text_in(buf, size);
    flow_path(use->flow, &t, use->node, use->n, use->kind == 'c' ? "code" : what);
    return (int)t.n;
}

static bool words_of(const struct flow_use *use, uint8_t bytes[32])
{
    memset(bytes, 0, 32);
    for (unsigned i = 0; i < use->n; i++) {
        if (!use->values->known[use->node[i]]) return false;
        le_put(bytes + 4 * i, use->values->value[use->node[i]], 4);
    }
    return true;
}

/* The field of that name of the chip's descriptor; false: it has none. */
static bool find_field(const struct flow_use *use, const uint8_t *bytes, const char *name, struct gpudbg_field_iter *it)
{
    const struct gpudbg_view *view = use->isa->traits.views;
    while (view->letter && view->letter != use->kind) view++;
    if (!view->letter) return false;
    gpudbg_word_fields(it, view->format, bytes);
    while (gpudbg_next_field(it))
        if (strcmp(it->field->name, name) == 0) return true;
    return false;
}

static uint64_t field_of(const struct flow_use *use, const uint8_t *bytes, const char *name)
{
    struct gpudbg_field_iter it;
    return find_field(use, bytes, name, &it) ? it.value : 0;
}

/* The name of a field's value, without the prefix of the names in its enumeration. */
static void put_name(
    const struct flow_use *use, const uint8_t *bytes, const char *name, const char *prefix, struct text *t)
{
    struct gpudbg_field_iter it;
    char meaning[80] = "";
    if (find_field(use, bytes, name, &it)) gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning);
    const size_t n = strlen(prefix);
    text_add(t, "%s", strncmp(meaning, prefix, n) == 0 ? meaning + n : meaning);
}

int flow_use_format(const struct flow_use *use, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    uint8_t bytes[32];
    struct gpudbg_field_iter it;
    if (!words_of(use, bytes)) return 0;
    if (use->kind == 'S') {
        put_name(use, bytes, "xy_mag_filter", "SQ_TEX_XY_FILTER_", &t);
    } else if (find_field(use, bytes, "format", &it)) { /* one name for components and their kind */
        put_name(use, bytes, "format", use->kind == 'V' ? "BUF_FMT_" : "IMG_FMT_", &t);
    } else {
        put_name(use, bytes, "data_format", use->kind == 'V' ? "BUF_DATA_FORMAT_" : "IMG_DATA_FORMAT_", &t);
        text_add(&t, " ");
        put_name(use, bytes, "num_format", use->kind == 'V' ? "BUF_NUM_FORMAT_" : "IMG_NUM_FORMAT_", &t);
    }
    return (int)t.n;
}

static void put_image_size(const struct flow_use *use, const uint8_t *bytes, struct text *t)
{
    const uint64_t type = field_of(use, bytes, "type");
    if (type < 8) {
        text_add(t, "no image: type %" PRIu64, type);
        return;
    }
    text_add(t, "%" PRIu64 "x%" PRIu64, field_of(use, bytes, "width") + 1, field_of(use, bytes, "height") + 1);
    if (use->n == 8 && type == 10) text_add(t, "x%" PRIu64, field_of(use, bytes, "depth") + 1);
    text_add(t, " ");
    put_name(use, bytes, "type", "SQ_RSRC_IMG_", t);
    const uint64_t first = field_of(use, bytes, "base_level"), last = field_of(use, bytes, "last_level");
    if (type < 14 && last > first) text_add(t, ", %" PRIu64 " levels", last - first + 1);
    struct gpudbg_field_iter it; /* of an array newer chips have the last slice in place of the depth */
    const uint64_t slice = field_of(use, bytes, "base_array");
    const uint64_t end = find_field(use, bytes, "last_array", &it) ? it.value
                         : type > 10                               ? field_of(use, bytes, "depth")
                                                                   : 0;
    if (use->n == 8 && end > slice) text_add(t, ", %" PRIu64 " slices", end - slice + 1);
}

int flow_use_size(const struct flow_use *use, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    uint8_t bytes[32];
    if (use->kind == 'S' || !words_of(use, bytes)) return 0;
    const uint64_t records = field_of(use, bytes, "num_records"), stride = field_of(use, bytes, "stride");
    if (use->kind == 'T')
        put_image_size(use, bytes, &t);
    else if (stride)
        text_add(&t, "%" PRIu64 " of %" PRIu64 " bytes", records, stride);
    else
        text_add(&t, "%" PRIu64 " bytes", records);
    return (int)t.n;
}

int flow_use_address(const struct flow_use *use, char *buf, size_t size)
{
    uint8_t bytes[32];
    if (use->kind == 'S' || !words_of(use, bytes)) return 0;
    const uint64_t base = field_of(use, bytes, "base_address");
    return snprintf(buf, size, "0x%" PRIx64, use->kind == 'T' ? base << 8 : base);
}
