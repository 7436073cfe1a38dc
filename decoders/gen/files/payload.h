/* SPDX-License-Identifier: GPL-3.0-or-later */
/* payload.h: `info payload [KERNEL]`. */
#ifndef GEN_PAYLOAD_H
#define GEN_PAYLOAD_H

#include "gpudbg.h"

extern const struct gpudbg_listing gen_payload_listing;

#endif
