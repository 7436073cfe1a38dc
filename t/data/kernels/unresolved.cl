// SPDX-License-Identifier: GPL-3.0-or-later
// Names that no file defines; -c leaves them so.
extern int helper(int);
extern global int table[];
kernel void k(global int *o) { int i = __builtin_amdgcn_workitem_id_x(); o[i] = helper(i) + table[i]; }
