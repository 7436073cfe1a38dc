/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_plugin.c: what this folder brings: instruction sets, loaders, checkers, listings. */
#include "gfx7.h"
#include "flow/scalars.h"
#include "object/shader.h"
#include "packets/aql.h"
#include "packets/pm4.h"
#include "packets/sdma.h"
#include "run/export.h"

static const struct gpudbg_isa *const isas[] = {&gfx7_isa, &gfx7_pro_isa, &pm4_isa, &sdma_isa, &aql_isa, NULL};
static const struct gpudbg_listing *const listings[] = {
    &gfx7_exports, &gfx7_messages, &gfx7_resources, &gfx7_inputs, NULL};
static const struct gpudbg_checker *const checkers[] = {&gfx7_wait, &gfx7_hazard, &gfx7_range, NULL};
static const struct gpudbg_loader *const loaders[] = {
    &gfx7_elf_loader, &gfx7_shader_loader, &gfx7_registers_loader, &gfx7_listing_loader, &gfx7_radv_loader, NULL};

const struct gpudbg_plugin gfx7_plugin;
const struct gpudbg_plugin gfx7_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof gfx7_plugin,
    .name = "gfx7",
    .version = GPUDBG_VERSION,
    .summary = "AMD Sea Islands: decoder, code objects, machine",
    .isas = isas,
    .loaders = loaders,
    .checkers = checkers,
    .listings = listings,
};
