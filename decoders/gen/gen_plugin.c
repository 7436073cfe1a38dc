/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_plugin.c: everything that the folder gives to core. */
#include "files/gen_binary.h"
#include "files/payload.h"
#include "files/products.h"
#include "check/gen_rules.h"
#include "check/scoreboard.h"
#include "packets/batch.h"
#include "message/trace.h"

static const struct gpudbg_loader *const loaders[] = {
    &gen_zebin_loader, &gen_patch_loader, &gen_listing_loader, &gen_bare_loader, &gen_anv_loader, NULL};
static const struct gpudbg_checker *const checkers[] = {
    &gen_regions_checker, &gen_bounds_checker, &gen_scoreboard_checker, NULL};
static const struct gpudbg_listing *const listings[] = {
    &gen_payload_listing, &gen_scoreboard_listing, &gen_messages, &gen_channels_listing, NULL};
#define CODE(x, id, ...) &gen_eus[id].isa,
#define BATCH(x, id, ...) &gen_batches[id].isa, &gen_video_batches[id].isa, &gen_enhancer_batches[id].isa,
static const struct gpudbg_isa *const isas[] = {
    GEN_EACH_EU(CODE, ) GEN_EACH_EU(BATCH, ) GEN_EACH_COMMANDS(BATCH, ) NULL};

const struct gpudbg_plugin gen_plugin;
const struct gpudbg_plugin gen_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof gen_plugin,
    .name = "gen",
    .version = GPUDBG_VERSION,
    .summary = GEN_SUMMARY,
    .isas = isas,
    .loaders = loaders,
    .checkers = checkers,
    .listings = listings,
    .chip = gen_chip,
};
