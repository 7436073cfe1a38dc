// SPDX-License-Identifier: GPL-3.0-or-later
// Waves that synchronise through memory: soundly, and in broken twins that lack one thing, which the name says.
// t/core/fences.t says what is found.
// options: -cl-std=CL2.0
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define BOTH memory_order_acq_rel
#define DEVICE memory_scope_device
#define GROUP memory_scope_work_group
#define ALL CLK_GLOBAL_MEM_FENCE

// Group 0 stores data and raises a flag; the others wait for it and load the data.
#define FLAG(name, released, acquired, scope) \
    kernel void name(global int *data, global atomic_int *flag, global int *out) { \
        int l = get_local_id(0); \
        if (get_group_id(0) == 0) { \
            data[l] = 42 + l; \
            barrier(ALL); \
            if (l == 0) \
                atomic_store_explicit(flag, 1, released, scope); \
        } else { \
            if (l == 0) \
                while (!atomic_load_explicit(flag, acquired, scope)) \
                    ; \
            barrier(ALL); \
            out[get_global_id(0)] = data[l]; \
        } \
    }
FLAG(flag_sound, RELEASE, ACQUIRE, DEVICE)
FLAG(flag_system, RELEASE, ACQUIRE, memory_scope_all_svm_devices)
FLAG(flag_sequential, memory_order_seq_cst, memory_order_seq_cst, DEVICE)
FLAG(flag_no_acquire, RELEASE, RELAXED, DEVICE)
FLAG(flag_wrong_scope, RELEASE, ACQUIRE, GROUP)

// The same by one work-item, which leaves the order to the flag alone: no barrier waits for the store.
#define ITEM(name, before, released, acquired, after) \
    kernel void name(global int *data, global atomic_int *flag, global int *out) { \
        if (get_local_id(0)) \
            return; \
        if (get_group_id(0) == 0) { \
            data[0] = 42; \
            before; \
            atomic_store_explicit(flag, 1, released, DEVICE); \
        } else { \
            while (!atomic_load_explicit(flag, acquired, DEVICE)) \
                ; \
            after; \
            out[get_group_id(0)] = data[0]; \
        } \
    }
#define FENCE(order, scope) atomic_work_item_fence(ALL, order, scope)
ITEM(item_sound, , RELEASE, ACQUIRE, )
ITEM(item_no_release, , RELAXED, ACQUIRE, )
ITEM(item_no_acquire, , RELEASE, RELAXED, )
ITEM(item_fences, FENCE(RELEASE, DEVICE), RELAXED, RELAXED, FENCE(ACQUIRE, DEVICE))
ITEM(item_no_fence_before, , RELAXED, RELAXED, FENCE(ACQUIRE, DEVICE))
ITEM(item_no_fence_after, FENCE(RELEASE, DEVICE), RELAXED, RELAXED, )
ITEM(item_fence_of_group, FENCE(RELEASE, DEVICE), RELAXED, RELAXED, FENCE(ACQUIRE, GROUP))

// An update that changes nothing reads the flag: a compiler may make a load of it.
kernel void or_sound(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0))
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_fetch_or_explicit(flag, 1, RELEASE, DEVICE);
    } else {
        while (!atomic_fetch_or_explicit(flag, 0, RELAXED, DEVICE))
            ;
        FENCE(ACQUIRE, DEVICE);
        out[get_group_id(0)] = data[0];
    }
}

// A spin lock around a sum.
#define LOCK(name, taken, freed, takes) \
    kernel void name(global int *sum, global atomic_int *lock) { \
        if (get_local_id(0)) \
            return; \
        for (int i = 0; i < 3; i++) { \
            int free = 0; \
            if (takes) \
                while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, taken, RELAXED, DEVICE)) \
                    free = 0; \
            *sum += i; \
            if (takes) \
                atomic_store_explicit(lock, 0, freed, DEVICE); \
        } \
    }
LOCK(lock_sound, ACQUIRE, RELEASE, 1)
LOCK(lock_no_acquire, RELAXED, RELEASE, 1)
LOCK(lock_no_release, ACQUIRE, RELAXED, 1)
LOCK(lock_not_taken, ACQUIRE, RELEASE, get_group_id(0) != 1)

// A lock by exchange, freed by exchange.
kernel void exchange_sound(global int *sum, global atomic_int *lock) {
    if (get_local_id(0))
        return;
    while (atomic_exchange_explicit(lock, 1, ACQUIRE, DEVICE))
        ;
    *sum += 1;
    atomic_exchange_explicit(lock, 0, RELEASE, DEVICE);
}

// A ticket lock.
#define TICKET(name, acquired) \
    kernel void name(global int *sum, global atomic_int *next, global atomic_int *serving) { \
        if (get_local_id(0)) \
            return; \
        int mine = atomic_fetch_add_explicit(next, 1, RELAXED, DEVICE); \
        while (atomic_load_explicit(serving, acquired, DEVICE) != mine) \
            ; \
        *sum += mine; \
        atomic_store_explicit(serving, mine + 1, RELEASE, DEVICE); \
    }
TICKET(ticket_sound, ACQUIRE)
TICKET(ticket_no_acquire, RELAXED)

// Each group leaves a part; the last one adds them up.
#define LAST(name, order) \
    kernel void name(global int *part, global atomic_int *count, global int *out) { \
        local int last; \
        int l = get_local_id(0); \
        local int sum[128]; \
        sum[l] = get_global_id(0); \
        barrier(CLK_LOCAL_MEM_FENCE); \
        for (int n = 64; n; n /= 2) { \
            if (l < n) \
                sum[l] += sum[l + n]; \
            barrier(CLK_LOCAL_MEM_FENCE); \
        } \
        if (l == 0) { \
            part[get_group_id(0)] = sum[0]; \
            last = atomic_fetch_add_explicit(count, 1, order, DEVICE) == (int)get_num_groups(0) - 1; \
        } \
        barrier(CLK_LOCAL_MEM_FENCE); \
        if (last && l < (int)get_num_groups(0)) \
            atomic_fetch_add_explicit((global atomic_int *)out, part[l], RELAXED, DEVICE); \
    }
LAST(last_sound, BOTH)
LAST(last_no_acquire, RELEASE)
LAST(last_no_release, ACQUIRE)

// Sums of floats by compare and exchange, from an atomic load.
kernel void float_sound(global atomic_int *sum, global const float *in) {
    int old = atomic_load_explicit(sum, RELAXED, DEVICE);
    while (!atomic_compare_exchange_weak_explicit(
        sum, &old, as_int(as_float(old) + in[get_global_id(0)]), RELAXED, RELAXED, DEVICE))
        ;
}

// Loads and stores of what others update.
kernel void counter_sound(global atomic_int *count, global int *out) {
    atomic_fetch_add_explicit(count, 1, RELAXED, DEVICE);
    out[get_global_id(0)] = atomic_load_explicit(count, RELAXED, DEVICE) > 0;
}

// Producer and consumer take turns over one place.
#define TURNS(name, released, acquired) \
    kernel void name(global int *place, global atomic_int *full, global int *out) { \
        int group = get_group_id(0); \
        if (get_local_id(0)) \
            return; \
        while (atomic_load_explicit(full, acquired, DEVICE) != group) \
            ; \
        *place = *place + group; \
        atomic_store_explicit(full, group + 1, released, DEVICE); \
    }
TURNS(turns_sound, RELEASE, ACQUIRE)
TURNS(turns_no_release, RELAXED, ACQUIRE)

// Waves of a group, through local memory.
kernel void local_flag_sound(global int *out) {
    local int data[64];
    local atomic_int flag;
    int l = get_local_id(0);
    if (l == 0)
        atomic_init(&flag, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 64) {
        data[l - 64] = l;
        if (l == 64)
            atomic_store_explicit(&flag, 1, RELEASE, GROUP);
    } else {
        while (!atomic_load_explicit(&flag, ACQUIRE, GROUP))
            ;
        out[l] = data[l];
    }
}
kernel void local_flag_missing(global int *out) {
    local int data[64];
    int l = get_local_id(0);
    if (l >= 64)
        data[l - 64] = l;
    else
        out[l] = data[l];
}
