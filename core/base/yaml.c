/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <yaml.h>
#include "gpudbg.h"

#define DEPTH_MOST 64

static bool is_fine(const yaml_event_t *e, unsigned *depth, const char **problem)
{
    const bool opens = e->type == YAML_SEQUENCE_START_EVENT || e->type == YAML_MAPPING_START_EVENT;
    const bool named = e->type == YAML_ALIAS_EVENT || (e->type == YAML_SCALAR_EVENT && e->data.scalar.anchor) ||
                       (e->type == YAML_SEQUENCE_START_EVENT && e->data.sequence_start.anchor) ||
                       (e->type == YAML_MAPPING_START_EVENT && e->data.mapping_start.anchor);
    *depth += opens;
    *depth -= e->type == YAML_SEQUENCE_END_EVENT || e->type == YAML_MAPPING_END_EVENT;
    if (named) *problem = "YAML with anchors, which no compiler writes, is not read";
    if (*depth > DEPTH_MOST) *problem = "YAML nested deeper than 64 is not read";
    return !named && *depth <= DEPTH_MOST;
}

bool gpudbg_yaml_plain(const uint8_t *bytes, size_t n, const char **problem)
{
    yaml_parser_t parser;
    yaml_event_t event;
    unsigned depth = 0;
    bool fine = true, more = true;
    if (!yaml_parser_initialize(&parser)) {
        *problem = "no memory to read YAML";
        return false;
    }
    yaml_parser_set_input_string(&parser, bytes, n);
    while (fine && more && yaml_parser_parse(&parser, &event)) { /* what is damaged ends here; loading says how */
        fine = is_fine(&event, &depth, problem);
        more = event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return fine;
}
