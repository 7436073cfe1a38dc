/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * notes.h: metadata notes as one kind of tree, whether they came as MessagePack (code object 3 on) or YAML (2), so that
 * code_object.c reads them once.
 */
#ifndef GCN_NOTES_H
#define GCN_NOTES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* A new reference, or NULL with *problem (static).  Depth and number of nodes are bounded. */
json_t *gcn_notes_msgpack(const uint8_t *bytes, size_t n, const char **problem);
json_t *gcn_notes_yaml(const uint8_t *bytes, size_t n, const char **problem);

#endif
