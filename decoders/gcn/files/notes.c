/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/notes.h"
#include <inttypes.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "gpudbg.h"

#define DEPTH_MOST 16

/* ---- MessagePack ---- */

static json_t *of_msgpack(const msgpack_object *o, unsigned depth)
{
    json_t *to;
    if (depth == DEPTH_MOST) return json_null();
    switch (o->type) {
    case MSGPACK_OBJECT_BOOLEAN: return json_boolean(o->via.boolean);
    case MSGPACK_OBJECT_POSITIVE_INTEGER: return json_integer((json_int_t)o->via.u64);
    case MSGPACK_OBJECT_NEGATIVE_INTEGER: return json_integer((json_int_t)o->via.i64);
    case MSGPACK_OBJECT_STR: return json_stringn_nocheck(o->via.str.ptr ? o->via.str.ptr : "", o->via.str.size);
    case MSGPACK_OBJECT_ARRAY:
        to = json_array();
        for (uint32_t i = 0; i < o->via.array.size; i++)
            json_array_append_new(to, of_msgpack(&o->via.array.ptr[i], depth + 1));
        return to;
    case MSGPACK_OBJECT_MAP:
        to = json_object();
        for (uint32_t i = 0; i < o->via.map.size; i++) {
            const msgpack_object_kv *kv = &o->via.map.ptr[i];
            char key[64];
            if (kv->key.type == MSGPACK_OBJECT_POSITIVE_INTEGER) { /* numbers of registers */
                snprintf(key, sizeof key, "%" PRIu64, kv->key.via.u64);
            } else if (kv->key.type == MSGPACK_OBJECT_STR && kv->key.via.str.size < sizeof key) {
                memcpy(key, kv->key.via.str.ptr, kv->key.via.str.size);
                key[kv->key.via.str.size] = 0;
            } else {
                continue;
            }
            json_object_set_new_nocheck(to, key, of_msgpack(&kv->val, depth + 1));
        }
        return to;
    default: return json_null();
    }
}

/* Whether the bytes can hold the objects that the headers announce: each takes at least a byte.  The library allocates
 * as many as a header announces before it reads them.  Source: the MessagePack specification, formats. */
static bool announced_fit(const uint8_t *p, size_t n)
{
    static const uint8_t fixed[] = {
        [0x0a] = 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17}; /* 0xca.. 0xd8: bytes that follow */
    uint64_t wanted = 1;
    for (size_t at = 0; wanted; wanted--) {
        if (wanted > n - at) return false;
        uint8_t head = p[at++];
        uint64_t size = 0, objects = 0;
        unsigned wide = 0; /* bytes of the length that follows */
        if (head >= 0x80 && head <= 0x9f)
            objects = (head & 15u) << (head < 0x90);
        else if (head >= 0xa0 && head <= 0xbf)
            size = head & 31u;
        else if (head >= 0xc4 && head <= 0xc9)
            wide = 1u << (head - 0xc4u) % 3, size = head >= 0xc7;
        else if (head >= 0xca && head <= 0xd8)
            size = fixed[head - 0xc0];
        else if (head >= 0xd9 && head <= 0xdb)
            wide = 1u << (head - 0xd9u);
        else if (head >= 0xdc && head <= 0xdf)
            wide = head & 1u ? 4 : 2;
        if (wide > n - at) return false;
        uint64_t length = 0;
        for (unsigned i = 0; i < wide; i++) length = length << 8 | p[at++];
        if (head >= 0xdc && head <= 0xdf)
            objects = length << (head >= 0xde);
        else
            size += length;
        if (size > n - at) return false;
        at += size;
        wanted += objects;
    }
    return true;
}

json_t *gcn_notes_msgpack(const uint8_t *bytes, size_t n, const char **problem)
{
    msgpack_unpacked unpacked;
    json_t *tree = NULL;
    if (!announced_fit(bytes, n)) {
        *problem = "the MessagePack is cut off";
        return NULL;
    }
    msgpack_unpacked_init(&unpacked);
    switch (msgpack_unpack_next(&unpacked, (const char *)bytes, n, NULL)) {
    case MSGPACK_UNPACK_SUCCESS:
    case MSGPACK_UNPACK_EXTRA_BYTES: tree = of_msgpack(&unpacked.data, 0); break;
    case MSGPACK_UNPACK_CONTINUE: *problem = "the MessagePack is cut off"; break;
    case MSGPACK_UNPACK_NOMEM_ERROR: *problem = "the MessagePack asks for too much memory"; break;
    default: *problem = "damaged MessagePack";
    }
    msgpack_unpacked_destroy(&unpacked);
    return tree;
}

/* ---- YAML ---- */

static json_t *of_yaml(yaml_document_t *document, int index, unsigned depth)
{
    yaml_node_t *node = yaml_document_get_node(document, index);
    json_t *to;
    if (!node || depth == DEPTH_MOST) return json_null();
    switch (node->type) {
    case YAML_SCALAR_NODE: {
        const char *text = (const char *)node->data.scalar.value;
        char *end;
        long long number = strtoll(text, &end, 0);
        if (*text && !*end && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) return json_integer(number);
        return json_stringn_nocheck(text, node->data.scalar.length);
    }
    case YAML_SEQUENCE_NODE:
        to = json_array();
        for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++)
            json_array_append_new(to, of_yaml(document, *i, depth + 1));
        return to;
    case YAML_MAPPING_NODE:
        to = json_object();
        for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
            yaml_node_t *key = yaml_document_get_node(document, p->key);
            if (key && key->type == YAML_SCALAR_NODE)
                json_object_set_new_nocheck(
                    to, (const char *)key->data.scalar.value, of_yaml(document, p->value, depth + 1));
        }
        return to;
    default: return json_null();
    }
}

json_t *gcn_notes_yaml(const uint8_t *bytes, size_t n, const char **problem)
{
    yaml_document_t document;
    yaml_parser_t parser;
    json_t *tree = NULL;
    if (!gpudbg_yaml_plain(bytes, n, problem) || !yaml_parser_initialize(&parser)) return NULL;
    yaml_parser_set_input_string(&parser, bytes, n);
    if (yaml_parser_load(&parser, &document)) {
        tree = of_yaml(&document, 1, 0);
        yaml_document_delete(&document);
    } else {
        *problem = "damaged YAML";
    }
    yaml_parser_delete(&parser);
    return tree;
}
