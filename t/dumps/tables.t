#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What messages of Intel's shaders take from tables: the batch of an i915 error state, made here word by word as the PRM
# has it (Haswell, volume 2: STATE_BASE_ADDRESS, 3DSTATE_*, INTERFACE_DESCRIPTOR_DATA, BINDING_TABLE_STATE,
# RENDER_SURFACE_STATE, SAMPLER_STATE), its objects, and EU threads that stand in a program.  The model is the script's
# own numbers.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $seed = 5;
sub pick ($n) { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $n }

# ---- A program: messages with the surface and the sampler that each names ----

sub sample ($surface, $sampler) { return 2 << 25 | 4 << 20 | 1 << 17 | $sampler << 8 | $surface }
my %code = (
    'gen7.5' => [
        'mov (8) r2.0<1>:ud r0.0<8;8,1>:ud {Q1}',
        sprintf('send (8) r10.0<1>:ud r2.0<8;8,1>:ud 0x2 0x%08x {Q1}', sample(1, 3)),
        'add (8) r20.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f {Q1}',
        'send (8) r12.0<1>:ud r2.0<8;8,1>:ud 0xC 0x02106E02 {Q1}',
        'send (8) r13.0<1>:ud r2.0<8;8,1>:ud 0xC 0x02106EFF {Q1}', # stateless
        'add (8) r14.0<1>:ud r13.0<8;8,1>:ud r12.0<8;8,1>:ud {Q1}',
        'send (8) null<1>:ud r127.0<8;8,1>:ud 0x27 0x02000010 {Q1, EOT}'],
    'gen12' => [
        '(W) mov (8|M0) r2.0<1>:ud r0.0<8;8,1>:ud',
        sprintf('send.smpl (8|M0) r10 r2 null 0x0 0x%08x {@1, $3}', sample(1, 3)),
        '(W) mov (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud {$3.dst}',
        'sync.nop null',
        'sync.nop null',
        '(W) add (8|M0) r14.0<1>:ud r20.0<8;8,1>:ud r2.0<8;8,1>:ud {@1}',
        'send.ts (8|M0) null r127 null 0x10000000 0x02000010 {EOT}']);
sub program ($isa) {
    my $text = spill("$isa.asm", join '', map { "$_\n" } @{ $code{$isa} });
    my ($out, $err) = gpudbg('--isa', $isa, commands("assemble $text $dir/$isa.bin"));
    open my $f, '<:raw', "$dir/$isa.bin" or die "$isa: $out$err";
    local $/;
    return scalar <$f>;
}
my %bytes = map { ($_ => program($_)) } sort keys %code;

# ---- An error state ----

sub object ($title, $at, @words) {
    return sprintf("rcs0 --- %s = 0x00000000 %08x\n", $title, $at)
        . join '', map { sprintf "%08x :  %08x\n", 4 * $_, $words[$_] } 0 .. $#words;
}
sub state_of ($device, @objects) {
    return "GPU HANG: ecode 7:1:84dffffe, in demo [4242]\nKernel: 5.15.0\nPCI ID: $device\n"
        . "rcs0 command stream:\n  ACTHD: 0x00000000 00a01008\n" . join '', @objects;
}
my ($surface_base, $dynamic_base, $code_base) = (0xb00000, 0xc00000, 0xd00000);
my @bases = (0x61010008, 1, $surface_base | 1, $dynamic_base | 1, 1, $code_base | 1, 0, 0, 0, 0);
my @draw = (0x78100004, 0x400, 0, 0, 0, 1,      # 3DSTATE_VS: the program, on
    0x78260000, 0x40, 0x782b0000, 0x200,        # its binding table, its samplers
    0x7b000005, 4, 3, 0, 1, 0, 0);              # 3DPRIMITIVE
sub surface ($type, $address, $entries = 1, $pitch = 1) { # SURFACE_STATE: a buffer's entries lie in three fields
    my $n = $entries - 1;
    return ($type << 29, $address, ($n >> 7 & 0x3fff) << 16 | $n & 0x7f, $n >> 21 << 21 | $pitch - 1, 0, 0, 0, 0);
}
# The surface heap: binding table at 0x40, surfaces from 0x100 on.
sub heap (@surfaces) {
    my @words = (0) x 64;
    $words[0x10 + $_] = 0x100 + 32 * $_ for 0 .. $#surfaces;
    return (@words, map { @$_ } @surfaces);
}
my @samplers = ((0) x 128, map { ($_ << 17, 0, 0, 0) } 0 .. 3); # at 0x200; the mag filter is the number
sub hang ($device, $code, $heap, @commands) {
    return state_of($device, object('batch', 0xa00000, @bases, @commands, 0x05000000),
        object('user', $surface_base, @$heap), object('user', $dynamic_base, @samplers),
        object('user', $code_base, (0) x 0x100, unpack 'V*', $code));
}

# ---- EU threads: 128 GRFs, then sr0 cr0 n0 ip tdr0 f0 f1 a0 acc0 acc1 ----

sub threads (@ips) {
    return join '', map { "\0" x (32 * 131) . pack('V', $_) . "\0" x (32 * 7 - 4) } @ips;
}
sub rows ($isa, $error, @ips) {
    return grep { $_->{type} eq 'wave-code' } records('--isa', $isa, '--raw', '--base', 0x400, '--format', 'eu-state',
        "$dir/$isa.bin", spill('eu', threads(@ips)), commands("file --format i915-error-state $error",
            'info dump code'));
}
sub told ($row) {
    return map { join ' ', "$_->{kind}:", $_->{registers}, $_->{address} // $_->{missing}, $_->{bad} // 'good' }
        @{ $row->{descriptors} // [] };
}
sub at ($address, @rows) { return (grep { hex $_->{address} == $address } @rows)[0] }

# ---- Random heaps ----

my @kinds = (
    [sub { surface(4, 0x1000 + (pick(1000) << 12), 1 + pick(1 << 20), 4) }, 'good'],
    [sub { surface(1, 0x1000 + (pick(1000) << 12)) }, 'good'],
    [sub { surface(1, 0) }, 'its address is 0'],
    [sub { surface(6, 0x1000) }, 'its type, 6, is reserved'],
    [sub { surface(7, 0) }, 'good'],              # a null surface is one on purpose
    [sub { (0) x 8 }, 'it is all zeros']);
for my $try (sampled(1 .. 8)) {
    my @chosen = map { $kinds[pick(scalar @kinds)] } 0 .. 3;
    my @surfaces = map { [$_->[0]()] } @chosen;
    my $error = spill("hang$try", hang('0x0412', $bytes{'gen7.5'}, [heap(@surfaces)], @draw));
    my @rows = rows('gen7.5', $error, 0x410, 0x430, 0x440, 0x430);
    is_deeply [told(at(0x410, @rows))],
        [sprintf('SURFACE_STATE: entry 1 of BINDING_TABLE 0x%x %s', $surface_base + 0x120, $chosen[1][1]),
        sprintf('SAMPLER_STATE: entry 3 of SAMPLER_STATE 0x%x good', $dynamic_base + 0x230)],
        "$try: the surface and the sampler of a thread's message";
    is_deeply [told(at(0x430, @rows))],
        [sprintf 'SURFACE_STATE: entry 2 of BINDING_TABLE 0x%x %s', $surface_base + 0x140, $chosen[2][1]],
        '... of a message to memory';
    is at(0x430, @rows)->{waves}, 2, '... where two threads stand';
    is_deeply [told(at(0x440, @rows))], [], 'none of one without a surface';
}

# ---- What is said of one ----

my $buffer = spill('buffer', hang('0x0412', $bytes{'gen7.5'},
    [heap(map { [surface(4, 0x00345000, 300, 16)] } 0 .. 3)], @draw));
my @rows = rows('gen7.5', $buffer, 0x430, 0x450);
my $waiting = threads(0x430);
substr($waiting, 32 * 132, 4) = pack 'vv', 0x8005, 0x0007; # tdr0.0: thread 5 has not ended; tdr0.1: thread 7 has
my @told = grep { $_->{type} eq 'wave-code' } records('--isa', 'gen7.5', '--raw', '--base', 0x400,
    '--format', 'eu-state', "$dir/gen7.5.bin", spill('waiting', $waiting), commands('info dump code'));
is at(0x430, @told)->{waits}, 'for the thread in tdr0.0', 'which thread it waits for';
is_deeply [map { $_->{missing} } @{ at(0x430, @told)->{descriptors} }],
    ['no command of an open dump starts code that holds 0x430, so its BINDING_TABLE is not known'],
    'without an error state its tables are not known';
my ($one) = @{ at(0x430, @rows)->{descriptors} };
like $one->{text}, qr/type buffer, .*address 0x345000, .*pitch 16/, 'its fields';
is $one->{program}, '3DSTATE_VS kernel at 0x400', 'whose table it is';
# r12 and r13 are the answers of the messages at 0x430 and 0x440.
is at(0x450, @rows)->{needs}, 'r13 of send at 0x440; r12 of send at 0x430', 'which messages the registers come from';
sub life ($address) {
    return (gpudbg('--isa', 'gen7.5', '--raw', '--base', 0x400, '--format', 'eu-state', "$dir/gen7.5.bin",
        spill('eu', threads(0x430)), commands("file --format i915-error-state $buffer", "info address $address")))[0];
}
like life('0x3462bf'), qr/0x12bf bytes into .* 0x345000-0x3462c0, SURFACE_STATE in entry \d of BINDING_TABLE for send/,
    'an address finds it: 300 entries of 16 bytes from 0x345000 on';
like life('0x3462c0'), qr/past the end of a wave's descriptor 0x345000-0x3462c0/, '... and where it ends';

my ($programs) = gpudbg($buffer, commands('info address 0x345010'));
like $programs, qr/0x10 bytes into a program's descriptor .*SURFACE_STATE in entry 1 of BINDING_TABLE of 3DSTATE_VS/,
    '... also without threads';

# ---- Two programs at one address, a kernel of a descriptor, what is not there ----

my @heap = heap([surface(4, 0x1000)], [surface(4, 0x2000)], [surface(4, 0x3000)], [surface(4, 0x4000)]);
$heap[0x20 + $_] = 0x100 + 32 * (3 - $_) for 0 .. 3; # a second table, at 0x80, backwards
my $twice = spill('twice', hang('0x0412', $bytes{'gen7.5'}, \@heap, @draw, 0x78260000, 0x80, @draw[10 .. 16]));
is_deeply [sort map { $_->{address} } @{ at(0x430, rows('gen7.5', $twice, 0x430))->{descriptors} }],
    [sprintf('0x%x', $surface_base + 0x120), sprintf '0x%x', $surface_base + 0x140], 'both tables of two draws';
my $off = spill('off', hang('0x0412', $bytes{'gen7.5'}, \@heap, 0x78100004, 0x400, 0, 0, 0, 0, @draw[6 .. 16]));
is_deeply [map { $_->{missing} } @{ at(0x430, rows('gen7.5', $off, 0x430))->{descriptors} }],
    ['no command of an open dump starts code that holds 0x430, so its BINDING_TABLE is not known'],
    'a stage that is off starts nothing';
my $none = spill('none', hang('0x0412', $bytes{'gen7.5'}, \@heap, @draw[0 .. 5], @draw[10 .. 16]));
is_deeply [map { $_->{missing} } @{ at(0x430, rows('gen7.5', $none, 0x430))->{descriptors} }],
    ['no command before it sets the BINDING_TABLE of 3DSTATE_VS'], 'no table';
my $short = spill('short', hang('0x0412', $bytes{'gen7.5'}, [@heap[0 .. 63]], @draw));
is_deeply [map { $_->{missing} } @{ at(0x430, rows('gen7.5', $short, 0x430))->{descriptors} }],
    [sprintf 'the dump does not hold the SURFACE_STATE at 0x%x', $surface_base + 0x140], 'no surface';
my $empty = spill('empty', hang('0x0412', $bytes{'gen7.5'}, [0], @draw));
is_deeply [map { $_->{missing} } @{ at(0x430, rows('gen7.5', $empty, 0x430))->{descriptors} }],
    [sprintf 'the dump does not hold entry 2 of the BINDING_TABLE at 0x%x', $surface_base + 0x40], 'no entry';
my @descriptor = ((0) x 128, 0x400, 0, 0x200, 0x40 | 4, 0, 0, 0, 0);
my $kernel = spill('kernel', state_of('0x0412',
    object('batch', 0xa00000, @bases, 0x70020002, 0, 32, 0x300, 0x05000000), object('user', $surface_base, @heap),
    object('user', $dynamic_base, @samplers, (0) x (192 - @samplers), @descriptor[128 .. 135]),
    object('user', $code_base, (0) x 0x100, unpack 'V*', $bytes{'gen7.5'})));
is_deeply [told(at(0x430, rows('gen7.5', $kernel, 0x430)))],
    [sprintf 'SURFACE_STATE: entry 2 of BINDING_TABLE 0x%x good', $surface_base + 0x140], 'a kernel of a descriptor';

# ---- Without threads: what each program takes ----

my ($listed) = gpudbg($buffer, commands('info dump code'));
like $listed, qr/^no waves: what .*\n3DSTATE_VS kernel at 0x400:\n +0xd00410 +send .*\n +entry 1 of BINDING_TABLE/m,
    'what programs take from tables, without threads';
like $listed, qr/0xd00430 +send .*\n.*entry 2 .* SURFACE_STATE at 0xb00140 type buffer/, '... of each message';
unlike $listed, qr/0xd00440/, '... that takes something';

# ---- Gen12 ----

@bases = (0x61010014, 1, 0, 0, $surface_base | 1, 0, $dynamic_base | 1, 0, 1, 0, $code_base | 1, 0, (0) x 10);
my @draw12 = (0x78100007, 0x400, (0) x 5, 1, 0, 0x78260000, 0x40, 0x782b0000, 0x200, 0x7b000005, 4, 3, 0, 1, 0, 0);
my @heap12 = ((0) x 16, 0x100, 0x140, 0x180, 0x1c0, (0) x 44);
push @heap12, (4 << 29, 0, 15, 3, 0, 0, 0, 0, 0x1000 * (1 + $_), 7, (0) x 6) for 0 .. 3;
my $gen12 = spill('hang12', hang('0x9a49', $bytes{gen12}, \@heap12, @draw12) =~ s/ecode 7:/ecode 12:/r);
@rows = rows('gen12', $gen12, 0x410, 0x420);
is_deeply [told(at(0x410, @rows))],
    [sprintf('SURFACE_STATE: entry 1 of BINDING_TABLE 0x%x good', $surface_base + 0x140),
    sprintf('SAMPLER_STATE: entry 3 of SAMPLER_STATE 0x%x good', $dynamic_base + 0x230)], 'Gen12: surface and sampler';
like at(0x410, @rows)->{descriptors}[0]{text}, qr/address 0x700002000/, '... with an address of 64 bits';
is at(0x420, @rows)->{needs}, '$3.dst of 0x410', '... and the token that a thread needs';

# A descriptor in a0, a bindless surface: which one is in no dump, and that is said.
my @kept = $code{gen12}->@*;
my $extended = sprintf 'send.dc1 (8|M0) r12 r2 null a0.2 0x%08x {$4}', 0x02106efc;
$code{gen12}->@[3, 4] = ('send.dc1 (8|M0) r12 r2 null 0x0 a0.0 {$4}', $extended);
program('gen12');
@rows = rows('gen12', $gen12, 0x430, 0x440);
is_deeply [map { "$_->{registers}: $_->{missing}" } map { @{ at($_, @rows)->{descriptors} } } 0x430, 0x440],
    ["BINDING_TABLE: the message's descriptor is in a0.0",
    'BINDING_TABLE: the surface is bindless: a0.2 says where it lies'], 'what a0 says is not known';
like +(gpudbg('--isa', 'gen12', '--raw', "$dir/gen12.bin", commands('disassemble /f 0x40,+1')))[0], qr/bindless/,
    'a bindless surface is called that';
$code{gen12} = [$extended, $kept[-1]];
program('gen12');
like join('', gpudbg('--isa', 'gen12', '--raw', "$dir/gen12.bin", commands('launch -g 8 -l 8 simd=8', 'continue'))),
    qr/Fault.*no bindless surface has the state that 0x0 names/s, '... and stops a run';
$code{gen12} = \@kept;

# ---- Damage ----

my $worst = 0;
open my $whole, '<:raw', $buffer or die;
my $text = do { local $/; <$whole> };
for my $cut (sampled(map { int(length($text) * $_ / 40) } 0 .. 40)) {
    my $file = spill('cut', substr $text, 0, $cut);
    my $program = Gpudbg::program();
    qx(timeout 60 '$program' --batch '$file' -e 'info dump code' 2>&1);
    $worst = $? if $? & 127 || $? >> 8 > 3;
}
for my $at (sampled(0 .. 40)) {
    for my $word (0, 0xffffffff, 0x7fffffff) {
        my @changed = (@draw, @heap);
        $changed[$at] = $word;
        my $file = spill('changed', hang('0x0412', $bytes{'gen7.5'}, [@changed[17 .. $#changed]], @changed[0 .. 16]));
        my $program = Gpudbg::program();
        qx(timeout 60 '$program' --batch '$file' -e 'info dump code' 2>&1);
        $worst = $? if $? & 127 || $? >> 8 > 3;
    }
}
is $worst, 0, 'no crash';
done_testing;
