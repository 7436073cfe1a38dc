/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_device.c: the devices that a dump is of, found by their names. */
#include "dump/dump_own.h"

static uint64_t device_key(const char *device) { return dump_mix(3, (uintptr_t)device); }
static uint64_t device_hash(const struct gpudbg_dump *d, uint32_t i) { return device_key(d->devices[i].device); }
static bool device_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    return d->devices[i].device == key;
}

struct dump_device *dump_device_of(struct gpudbg_dump *d, const char *device)
{
    if (d->ndevices && d->devices[d->ndevices - 1].device == device) return &d->devices[d->ndevices - 1];
    const uint32_t *at = d->ndevices ? dump_slot(d, &d->device_at, device_key(device), device_same, device) : NULL;
    return at && *at ? &d->devices[*at - 1] : NULL;
}

struct dump_device *dump_add_device(struct gpudbg_dump *d, const char *device)
{
    dump_table_room(d, &d->device_at, device_hash);
    d->devices = dump_grow(d->devices, d->ndevices, sizeof *d->devices);
    d->devices[d->ndevices++] = (struct dump_device){.device = device};
    *dump_slot(d, &d->device_at, device_key(device), device_same, device) = (uint32_t)d->ndevices;
    d->device_at.count++;
    return &d->devices[d->ndevices - 1];
}
