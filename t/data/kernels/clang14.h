/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clang-14 needs of the device library, which is of a newer LLVM than it can read: ids and the barrier. */
#define ANSWER size_t __attribute__((overloadable, const))
#define BY_DIMENSION(x, y, z, none) (d == 0 ? (x) : d == 1 ? (y) : d == 2 ? (z) : (none))

ANSWER get_local_id(uint d) {
    return BY_DIMENSION(__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z(), 0);
}

ANSWER get_group_id(uint d) {
    return BY_DIMENSION(__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z(), 0);
}

ANSWER get_global_size(uint d) {
    return BY_DIMENSION(__builtin_amdgcn_grid_size_x(), __builtin_amdgcn_grid_size_y(), __builtin_amdgcn_grid_size_z(), 1);
}

/* Groups are whole in the tests of these objects. */
ANSWER get_local_size(uint d) {
    return BY_DIMENSION(__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z(), 1);
}

ANSWER get_global_id(uint d) {
    return get_group_id(d) * get_local_size(d) + get_local_id(d);
}

void __attribute__((overloadable, convergent)) barrier(cl_mem_fence_flags flags) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
}
