/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masked.h: a screen that is made to be sent: the home folders that its text names become ~. */
#ifndef UI_MASKED_H
#define UI_MASKED_H

#include "cells.h"

void cells_mask_homes(struct cells *);

#endif
