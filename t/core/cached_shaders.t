#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Shaders as RADV, ANV and hasvk keep them in pipeline caches.  The objects are made here, field by field, in the
# layouts that Mesa's headers have had (radv_shader_binary_legacy, ac_shader_config, anv_shader_bin_serialize).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

sub of_type { my ($type, @all) = @_; return grep { $_->{type} eq $type } @all }
sub file_of { return (of_type('file', @_))[0] }
sub mnemonics { return join ' ', map { $_->{mnemonic} } of_type('insn', @_) }
sub run_on {
    my ($file, @more) = @_;
    my $said = qx(timeout 60 '@{[Gpudbg::program()]}' --batch '$file' -e 'info file' -e 'info folder' @more 2>&1);
    return ($said, $?);
}

# A cache with objects [type, key, data], as Mesa frames them.
sub cache {
    my ($vendor, $device, @objects) = @_;
    my $bytes = pack 'V4 a16 V', 32, 1, $vendor, $device, 'build', scalar @objects;
    for my $object (@objects) {
        my ($type, $key, $data) = @$object;
        $bytes .= "\0" x (-length($bytes) % 4) . pack('V3', $type, length $key, length $data) . $key;
        $bytes .= "\0" x (-length($bytes) % 8) . $data;
    }
    return $bytes;
}

# v_mov_b32 v0, 0; exp mrt0 v0, v0, v0, v0 done vm; s_endpgm; constants behind it
my $code = pack 'V*', 0x7e000280, 0xf800180f, 0, 0xbf810000;
my $rows = "\x11\x22\x33\x44" x 2;
# num_sgprs num_vgprs [num_shared_vgprs] spilled_sgprs spilled_vgprs lds_size input_ena input_addr float_mode
# scratch [wgp_mode] rsrc1 rsrc2 rsrc3
my ($rsrc1, $rsrc2) = (2 | 1 << 6 | 0xc0 << 12 | 1 << 21, 4 << 1);
sub config {
    my ($shared, $wgp, $ena) = @_;
    return pack 'V*', 16, 12, (0) x $shared, 0, 0, 0, $ena, $ena | 0x100, 0xc0, 0, (0) x $wgp, $rsrc1, $rsrc2, 0;
}
# The object; front: what is before the total size; behind: between it and the sizes; tail: dwords behind the sizes.
sub radv {
    my ($front, $behind, $tail, $stats) = @_;
    my $size = length($front) + 4 + length($behind) + 20 + 4 * @$tail + length($stats) + length($code . $rows);
    return $front . pack('V', $size) . $behind . pack('V5 V*', length $code . $rows, length $code, 0, 0, length $stats,
        @$tail) . $stats . $code . $rows;
}
my $info = "\5\0\1\0" x 70; # what RADV knows of the shader: its layout is the build's
my %build = (
    '2026: debug information' => radv(pack('V', 0) . config(1, 1, 2) . $info, '', [0], ''),
    '2023: padding' => radv(pack('V', 0) . config(1, 0, 2) . $info, '', [0], pack 'V*', 1 .. 14),
    '2022: stage before the registers' => radv(pack('V3', 0, 4, 0) . config(1, 0, 2) . $info, "\0" x 4, [], ''),
    '2020: registers behind the total size' => radv(pack('V3', 0, 4, 0) . $info, config(1, 0, 2), [],
        pack 'V*', 1 .. 9),
);

subtest 'shaders of RADV' => sub {
    for my $name (sort keys %build) {
        my $file = spill('radv.cache', cache(0x1002, 0x6658, [0, 'key' x 4, $build{$name}],
            [1, 'pipeline', "\0" x 40]));
        my @all = records($file, commands('info file', 'disassemble', 'x/2xw 0x10', 'info folder'));
        is file_of(@all)->{kind}, 'radv-shader', $name or next;
        is mnemonics(@all), 'v_mov_b32 exp s_endpgm', '... its code';
        my $facts = file_of(@all)->{facts};
        is $facts->{stage}, 'pixel', '... its stage, by the inputs that it enables';
        is "$facts->{rsrc1} $facts->{rsrc2} $facts->{'ps input'}",
            sprintf('0x%08x 0x%08x 0x%08x', $rsrc1, $rsrc2, 0x102), '... and its registers';
        like((of_type('code-file', @all))[1]{stage}, qr/no shader as RADV, ANV and hasvk keep it/,
            '... what is no shader is said');
    }
    my $compute = spill('compute', radv(pack('V3', 0, 5, 0) . config(1, 0, 0) . $info, '', [], ''));
    is file_of(records($compute, commands('info file')))->{facts}{stage}, 'compute', 'an object alone; compute';
    my $other = file_of(records(spill('other', radv(pack('V', 0) . config(1, 0, 0) . $info, '', [0], '')),
        commands('info file')))->{facts};
    like $other->{stage}, qr/not pixel/, 'a stage that the build keeps elsewhere is not guessed';
    $other = file_of(records(spill('else', radv(pack('V*', 0, (7) x 20) . $info, '', [0], '')),
        commands('info file')))->{facts};
    like $other->{registers}, qr/^not known/, 'registers that are elsewhere are not guessed';
    is $other->{rsrc1}, undef, '... at all';
    (my $gfx10 = $build{'2026: debug information'}) =~ s/\Q$code\E/pack('V*', 0x7e000280, 0xf800180f, 0, 0xbfffffff)/e;
    my ($said, $status) = run_on(spill('new.cache', cache(0x1002, 0x731f, [0, 'k', $gfx10])));
    like $said, qr/no loader recognises it/, 'code of another chip';
    is $status >> 8, 3, '... is an error of the file';
};

my $data = "$FindBin::Bin/../data";
subtest 'shaders of ANV and hasvk' => sub {
    plan skip_all => 'no kernels beside the tests' unless -r "$data/gen7/mac.krn";
    my ($mac, $shifts, $gen12) = map { slurp("$data/$_.krn") } qw(gen7/mac gen7/shifts eu/goto.12p1);
    my $object = sub { my ($stage, $program) = @_; pack('V2', $stage, length $program) . $program . pack('V', 64) .
        "\5" x 64 };
    my $two = $mac . "\0" x (-length($mac) % 64) . $shifts;
    my $file = spill('anv.cache', cache(0x8086, 0x0412, [0, 'k1', $object->(4, $two . "\0" x 64 . "\x33" x 32)],
        [0, 'k2', $object->(5, $mac)], [0xffffffff, 'k3', 'NIR' x 20]));
    my @all = records($file, commands('info file', 'info symbols', 'info folder'));
    is file_of(@all)->{kind}, 'anv-shader', 'the first opens';
    is file_of(@all)->{facts}{stage}, 'pixel', '... its stage';
    is join(' ', map { $_->{size} } of_type('symbol', @all)), length($mac) . ' ' . length $shifts,
        '... a program a width';
    is join(' | ', map { $_->{stage} =~ s/:.*//r } of_type('code-file', @all)),
        "pixel | compute | data in its driver's own form, which differs from build to build", '... and the list';
    is mnemonics(records("$file(6b32)", commands('disassemble'))), 'mul mac mov send', 'another by its key';
    my %device = (0x0152 => 'gen7', 0x0412 => 'gen7.5', 0x4905 => 'gen12');
    for my $id (sort keys %device) {
        $file = spill('device.cache', cache(0x8086, $id, [0, 'k', $object->(5, $id == 0x4905 ? $gen12 : $mac)]));
        is file_of(records($file, commands('info file')))->{isa}, $device{$id}, sprintf 'device 0x%04x', $id;
    }
    for my $bad (pack('V2', 15, 64) . $mac, pack('V2', 4, 63) . $mac, pack('V2', 4, 0xffffffff) . $mac,
        pack('V2', 4, 0) . $mac, pack('V2', 4, 48) . $mac) {
        my ($said, $status) = run_on(spill('bad.cache', cache(0x8086, 0x412, [0, 'k', $bad])));
        is $status >> 8, 3, 'a stage or size that cannot be';
    }
};

subtest 'cut at every byte, every dword changed' => sub {
    my %object = (radv => $build{'2022: stage before the registers'});
    $object{anv} = pack('V2', 4, 64) . slurp("$data/gen7/mac.krn") . "\1" x 24 if -r "$data/gen7/mac.krn";
    for my $name (sort keys %object) {
        my $whole = $object{$name};
        my $worst = 0;
        for my $cut (sampled(grep { $_ % 4 == 1 || $_ < 48 } 0 .. length($whole) - 1)) {
            my ($said, $status) = run_on(spill('cut', substr $whole, 0, $cut));
            $worst = $status if $status & 127 || ($status >> 8 && $status >> 8 != 3) || $said =~ /[^\n\t -~]/;
        }
        is $worst, 0, "$name: any length";
        for my $at (sampled(0 .. length($whole) / 4 - 1)) {
            for my $word ($at % 2 ? 0 : 0x7fffffff, 0xffffffff) {
                my $bytes = $whole;
                substr $bytes, 4 * $at, 4, pack 'V', $word;
                my ($said, $status) = run_on(spill('changed', $bytes), '-e', 'disassemble');
                $worst = $status if $status & 127 || ($status >> 8 && $status >> 8 != 3) || $said =~ /[^\n\t -~]/;
            }
        }
        is $worst, 0, "$name: any dword";
    }
};

done_testing;
