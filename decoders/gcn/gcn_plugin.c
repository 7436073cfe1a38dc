/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_plugin.c: the parts that this folder provides: instruction sets, loaders, checkers, listings. */
#include "gcn.h"
#include "flow/scalars.h"
#include "files/shader.h"
#include "packets/aql.h"
#include "packets/pm4.h"
#include "packets/sdma.h"
#include "engine/export.h"

static const struct gpudbg_isa *const isas[] = {
#define CHIP(id, ...) &gcn_chips[GCN_CHIP_##id].isa,
#include "chips.def"
    &pm4_isa, &pm4_10_isa, &sdma_isa, &sdma_10_isa, &aql_isa, NULL};
static const struct gpudbg_listing *const listings[] = {&gcn_exports, &gcn_messages, &gcn_resources, &gcn_inputs, NULL};
static const struct gpudbg_checker *const checkers[] = {&gcn_wait, &gcn_hazard, &gcn_range, NULL};
static const struct gpudbg_loader *const loaders[] = {&gcn_elf_loader, &gcn_shader_loader, &gcn_registers_loader,
    &gcn_listing_loader, &gcn_radv_loader, &gcn_header_loader, NULL};

const struct gpudbg_plugin gcn_plugin;
const struct gpudbg_plugin gcn_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof gcn_plugin,
    .name = GCN_FAMILY,
    .version = GPUDBG_VERSION,
    .summary = "AMD Sea Islands: decoder, code objects, machine",
    .isas = isas,
    .loaders = loaders,
    .checkers = checkers,
    .listings = listings,
    .chip = gcn_chip_named,
};
