/* SPDX-License-Identifier: GPL-3.0-or-later */
/* families.c: the list of the files in this room, in the order that `help` shows them. */
#include "command/families.h"

/* A row: the symbol that a file's COMMAND_FAMILY defines. */
/* clang-format off */
#define FAMILIES(X) \
    X(cmd_file) X(cmd_dump) X(cmd_address) X(cmd_packets) X(cmd_draw) X(cmd_shader) X(cmd_restore) X(cmd_disassemble) \
    X(cmd_blocks) X(cmd_live) X(cmd_costs) X(cmd_inputs) \
    X(cmd_decode) X(cmd_assemble) X(cmd_try) X(cmd_patch) X(cmd_list) X(cmd_mark) X(cmd_session) \
    X(cmd_diffrun) X(cmd_diff) \
    X(cmd_run) X(cmd_past) X(cmd_wave) X(cmd_stop) X(cmd_save) X(cmd_check) X(cmd_data) X(cmd_locals) X(cmd_region) \
    X(cmd_examine) X(cmd_memory) X(cmd_picture) X(cmd_item) X(cmd_strip) \
    X(cmd_display) X(cmd_registers) X(cmd_enum) X(cmd_explain) X(cmd_info) X(cmd_state) X(cmd_lists) \
    X(cmd_stats) X(cmd_issue) X(cmd_timeline) X(cmd_export) \
    X(cmd_set) X(cmd_undo) X(cmd_source) X(cmd_device) X(cmd_script) X(cmd_alias) X(cmd_shell) X(cmd_logging) \
    X(cmd_flow) X(cmd_printf) X(cmd_printed) X(cmd_help)
/* clang-format on */

#define DECLARE(family) extern const struct gpudbg_plugin family;
FAMILIES(DECLARE)

#define ADDRESS(family) &family,
const struct gpudbg_plugin *const command_families[] = {FAMILIES(ADDRESS) NULL};
