/* SPDX-License-Identifier: GPL-3.0-or-later */
/* containers.c: what gpudbg is told. */
#include "containers.h"
#include <string.h>

const char *container_string(struct gpudbg_image *image, const uint8_t *bytes, size_t n, uint64_t offset)
{
    const uint8_t *end = offset < n ? memchr(bytes + offset, 0, n - (size_t)offset) : NULL;
    return end ? gpudbg_image_string(image, (const char *)bytes + offset, (size_t)(end - bytes) - (size_t)offset)
               : NULL;
}

static const struct gpudbg_loader *const loaders[] = {
#define X(name) &container_##name,
    CONTAINERS(X)
#undef X
        NULL,
};

const struct gpudbg_plugin containers_plugin;
const struct gpudbg_plugin containers_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "containers",
    .version = "1",
    .summary = "files that contain code files: archives, offload bundles, Catalyst's binaries",
    .loaders = loaders,
};
