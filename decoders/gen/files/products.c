/* SPDX-License-Identifier: GPL-3.0-or-later */
/* products.c: finds the Intel chip of a number in a file. */
#include "files/products.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NO_IP 0
#define IP(architecture, release) ((architecture) << 8 | (release))

enum core {
#define CORE(name, ...) CORE_##name,
#include "files/products.def"
};

static const struct gpudbg_chip cores[] = {
#define CORE(core, number, family, isa) {number, family, NULL, isa, NULL},
#include "files/products.def"
};

static const struct {
    uint32_t number, ip;
    const char *name, *words;
    enum core core;
} products[] = {
#define PRODUCT(number, name, core, ip, words) {number, ip, name, words, CORE_##core},
#include "files/products.def"
};
#define PRODUCTS (sizeof products / sizeof *products)

/* A number that no row has: nothing is known of the chip but the number. */
static struct gpudbg_chip unknown(struct gpudbg_image *image, const char *what, uint32_t number)
{
    char text[64];
    snprintf(text, sizeof text, "%s %" PRIu32, what, number);
    return (struct gpudbg_chip){.number = number, .name = gpudbg_image_string(image, text, strlen(text))};
}

static struct gpudbg_chip chip_of(size_t i)
{
    const struct gpudbg_chip *core = &cores[products[i].core];
    return (struct gpudbg_chip){products[i].number, products[i].name, core->name, core->isa, products[i].words};
}

bool gen_chip(size_t i, struct gpudbg_chip *chip)
{
    static const struct gpudbg_chip named[] = {
#define NAMED(name, words) {0, name, NULL, NULL, words},
#include "files/products.def"
    };
    if (i >= PRODUCTS + sizeof named / sizeof *named) return false;
    *chip = i < PRODUCTS ? chip_of(i) : named[i - PRODUCTS];
    return true;
}

struct gpudbg_chip gen_chip_of_product(struct gpudbg_image *image, uint32_t number)
{
    for (size_t i = 0; i < PRODUCTS; i++)
        if (products[i].number == number) return chip_of(i);
    return unknown(image, "Intel's product family", number);
}

struct gpudbg_chip gen_chip_of_config(struct gpudbg_image *image, uint32_t config)
{
    const uint32_t architecture = config >> 22, release = config >> 14 & 0xff;
    char text[64];
    for (size_t i = 0; i < PRODUCTS; i++)
        if (products[i].ip == IP(architecture, release)) return chip_of(i);
    snprintf(text, sizeof text, "Intel's architecture %" PRIu32 ".%" PRIu32, architecture, release);
    return (struct gpudbg_chip){.number = config, .name = gpudbg_image_string(image, text, strlen(text))};
}

struct gpudbg_chip gen_chip_of_core(struct gpudbg_image *image, uint32_t number)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].number == number) return cores[i];
    return unknown(image, "Intel's device", number);
}

const struct gpudbg_isa *gen_unsaid(void)
{
#define UNSAID(core) return cores[CORE_##core].isa;
#include "files/products.def"
}

bool gen_is_ours(const struct gpudbg_isa *isa) { return gen_eu_or_none(isa) != NULL; }
