#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernel's own reports of an error in its code: whose functions are in it, and what it is; reports of others are
# nobody's.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
$ENV{XDG_CONFIG_HOME} = '/nonexistent';
sub said {
    my ($front, @lines) = @_;
    open my $f, '>', "$dir/log" or die $!;
    print $f map { "$front$_\n" } @lines;
    close $f;
    return scalar `$program --batch $dir/log -e explain 2>&1`;
}
my @filling = ('Modules linked in: amdgpu(OE) i915 nouveau', 'CPU: 2 PID: 53 Comm: cat Tainted: G W 6.1.0 #1',
    'Hardware name: QEMU Standard PC, BIOS 1.0', 'Code: 29 48 8b 43 <0f> 0b eb d3');
my @trace = ('RSP: 0018:ffffc90000d67ce8 EFLAGS: 00010282', 'Call Trace:', ' <TASK>', ' ? i915_stale+0x1/0x2 [i915]',
    ' pci_pm_resume+0x5c/0xa0', ' amdgpu_pmops_resume+0x37/0x70 [amdgpu]', ' gfx_v9_0_hw_init+0x1/0x70 [amdgpu]',
    '---[ end trace 0000000000000000 ]---');
my $by = 'amdgpu_pmops_resume of amdgpu, by way of';
my @cases = (
    ['a warning that names its file', ['WARNING: CPU: 2 PID: 53 at drivers/gpu/drm/i915/i915_vma.c:303 '
        . 'i915_vma_pin+0x6e/0xa0 [i915]', @filling, @trace],
        qr/the kernel warns in i915_vma_pin of i915 \(i915_vma\.c:303\)/],
    ['a warning elsewhere that a driver led to', ['WARNING: CPU: 2 PID: 53 at lib/refcount.c:28 '
        . 'refcount_warn_saturate+0xa6/0xf0', @filling, @trace], qr/the kernel warns in $by refcount_warn_saturate:/],
    ['a null pointer', ['BUG: kernel NULL pointer dereference, address: 0000000000000010',
        '#PF: supervisor read access in kernel mode', 'Oops: 0000 [#1] SMP', @filling, 'RIP: 0010:mutex_lock+0x10/0x30',
        @trace], qr/the kernel used a null pointer in $by mutex_lock:/],
    ['a page fault, then a panic', ['BUG: unable to handle page fault for address: ffffdead', @filling,
        'RIP: 0010:osq_lock+0x10/0x30', @trace, 'Kernel panic - not syncing: Fatal exception'],
        qr/an address that is not mapped in $by osq_lock:/],
    ['a damaged pointer', ['general protection fault: 0000 [#1] PREEMPT SMP', 'RIP: 0010:xe_vm_bind+0x1/0x2 [xe]'],
        qr/a damaged pointer in xe_vm_bind of xe:/],
    ['a check that fails', ['kernel BUG at drivers/gpu/drm/i915/i915_gem.c:527!', 'invalid opcode: 0000 [#1] SMP',
        'RIP: 0010:__i915_submit+0x10/0x30 [i915]'],
        qr/a check of the kernel failed \(i915_gem\.c:527\) in __i915_submit of i915:/],
    ['KASAN', ['BUG: KASAN: slab-out-of-bounds in amdgpu_vm_pt_create+0x1/0x2 [amdgpu]',
        'Write of size 8 at addr ffff888 by task cat/53'],
        qr/memory is used wrongly \(slab-out-of-bounds\) in amdgpu_vm_pt_create of amdgpu/],
    ['KCSAN', ['BUG: KCSAN: data-race in wakeup / sleep', ' sleep+0x1/0x2', ' process_csb+0x1/0x2 [i915]'],
        qr/same data without an order \(data-race\) in process_csb of i915/],
    ['UBSAN', ['UBSAN: shift-out-of-bounds in drivers/gpu/drm/radeon/atom.c:12:3',
        ' atom_execute+0x1/0x2 [radeon]'], qr/no defined result \(shift-out-of-bounds\) in atom_execute of radeon/],
    ['a hung task', ['INFO: task kworker/2:1:184 blocked for more than 122 seconds.', ' schedule+0x1/0x2',
        ' amdgpu_fence_wait+0x1/0x2 [amdgpu]'], qr/a task waits too long in amdgpu_fence_wait of amdgpu/],
    ['a soft lockup', ['watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [Xorg:99]',
        'RIP: 0010:ioread32+0x1/0x2', ' radeon_mmio+0x1/0x2 [radeon]'], qr/a processor is kept busy in radeon_mmio/],
    ['locks: how they were taken before does not count', ['WARNING: possible circular locking dependency detected',
        'cat/53 is trying to acquire lock:', 'ffff (&adev->lock){+.+.}-{3:3}, at: dm_suspend+0xb8/0x1d0 [amdgpu]'],
        qr/stop two tasks for ever, in dm_suspend of amdgpu/],
    ['a check of i915', ['intel_uc_fw_copy_rsa:541 GEM_BUG_ON(!ready)'],
        qr/a check of the driver failed in intel_uc_fw_copy_rsa \(line 541: !ready\)/],
    ['a driver that is built in', ['Unable to handle kernel NULL pointer dereference at virtual address 00000010',
        'PC is at amdgpu_ring_write+0x1/0x2'], qr/a null pointer in amdgpu_ring_write of amdgpu/],
    ['etnaviv is not ours', ['Unable to handle kernel NULL pointer dereference at virtual address 00000010',
        'pc : etnaviv_gem_new+0x1/0x2 [etnaviv]'], qr/does not know: the line is of etnaviv, the driver of Vivante/],
    ['nouveau is not ours', ['WARNING: CPU: 2 PID: 53 at drivers/gpu/drm/nouveau/nouveau_bo.c:3 '
        . 'nouveau_bo_new+0x1/0x2 [nouveau]'], qr/the line is of nouveau/],
    ['FreeBSD', ['Fatal trap 12: page fault while in kernel mode', '#8 0xffffffff82d4 at amdgpu_bo_move+0x1f'],
        qr/the kernel \(FreeBSD's\) stopped in amdgpu_bo_move of amdgpu/],
    ['FreeBSD, whose driver warns while it stops', ['Fatal trap 12: page fault while in kernel mode',
        'current process		= 26 (doneq1)', 'WARNING !drm_modeset_is_locked(&crtc->mutex) failed at '
        . '/usr/ports/drivers/gpu/drm/drm_atomic_helper.c:621', '#0 0xffffffff80e3f9d3 at linux_dump_stack+0x23',
        '#1 0xffffffff82e2b3c3 at drm_atomic_helper_check_modeset+0xb3',
        '#2 0xffffffff83113e3f at amdgpu_dm_atomic_check+0x2f'],
        qr/FreeBSD's\) warns in amdgpu_dm_atomic_check of amdgpu, by way of drm_atomic_helper_check_modeset \(drm_/],
);
for my $case (@cases) {
    my ($name, $lines, $text) = @$case;
    for my $front ('', '[   12.000001] ', '<4> [12.000001] ', 'Nov 21 23:16:01 box kernel: ') {
        like said($front, @$lines), $text, "$name: '$front'";
    }
}
for (['a disk', 'BUG: kernel NULL pointer dereference, address: 0000000000000010', 'RIP: 0010:nvme_irq+0x1/0x2 [nvme]'],
    ['what stood on the stack', 'WARNING: CPU: 2 PID: 53 at fs/inode.c:1 evict+0x1/0x2', ' ? i915_vma+0x1/0x2 [i915]'],
    ['locks of others', 'WARNING: possible circular locking dependency detected',
    'ffff (&x->lock){+.+.}-{3:3}, at: e1000_up+0xb8/0x1d0 [e1000e]',
    'the existing dependency chain (in reverse order) is:', ' i915_gem_shrink+0x1/0x2 [i915]',
    'other info that might help us debug this:', 'stack backtrace:', ' e1000_up+0xb8/0x1d0 [e1000e]']) {
    my ($name, @lines) = @$_;
    my $said = said('[   12.000001] ', @lines);
    unlike $said, qr/verdict/, "nobody's: $name" or diag $said;
}
done_testing;
