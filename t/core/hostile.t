#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Conditions nobody wishes for: faults, scripts that never end, full disks.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $gpudbg = Gpudbg::program();
my $dir = tempdir(CLEANUP => 1);

sub code {
    my ($name, @words) = @_;
    open my $f, '>:raw', "$dir/$name" or die;
    print $f pack 'V*', @words;
    close $f;
    return ('--isa', 'gfx7', '--raw', "$dir/$name");
}
sub hashes { return $_[0] =~ /^hash (0x[0-9a-f]+)$/mg }

my ($out, $err, $status);

subtest 'a fault changes nothing, nor does a look' => sub {
    # v_mov_b32 v0, lds_direct, whose type m0 names: 7 is none
    ($out) = gpudbg(code('direct.bin', 0x7e0002fe, 0xbf810000),
        commands('launch -g 64 m0=0x70000', 'info hash', 'stepi', 'info hash'));
    my @hash = hashes($out);
    like($out, qr/m0 holds type 7: types are/, 'the fault');
    is($hash[1], $hash[0], 'after it the state is as before');
    # v_cmp_eq_u32 vcc, v0, v0; s_cmp_eq_u32 s0, s0; s_nop 0: they change bits of STATUS
    ($out) = gpudbg(code('status.bin', 0x7d840100, 0xbf060000, 0xbf800000, 0xbf810000),
        commands('launch -g 64', 'stepi 2', 'info hash', 'print $status', 'info registers', 'info hash',
        'set $exec = 0', 'info hash', 'print $status', 'info hash'));
    @hash = hashes($out);
    is($hash[1], $hash[0], 'looking at STATUS leaves it alone');
    is($hash[3], $hash[2], '... also where an edit has changed it');
};

# s_mov_b32 s0, 0; L: s_add_u32 s0, s0, 1; s_branch L
my @forever = code('forever.bin', 0xbe800380, 0x80008100, 0xbf82fffe);

subtest 'set step-limit bounds what scripts run' => sub {
    for my $command ('continue', 'stepi 1000000000000', 'goto 1000000000000', 'nexti 1000000000000', 'until *0x100',
        'finish') {
        ($out, $err, $status) = gpudbg(@forever, commands('launch -g 64', 'set step-limit 10000', $command,
            'info history', 'print 6 * 7'));
        next if $err; # it wants what this code has not
        like($out, qr/^Limit of 10000 instructions, wave 0 at/m, "$command: ends and says why");
        like($out, qr/^position 10000 /m, '... where it was told');
        like($out, qr/= 42$/m, '... and the script goes on');
    }
    ($out) = gpudbg(@forever, commands('launch -g 64', 'set step-limit 10', 'stepi 10', 'info history'));
    like($out, qr/^Wave 0 at.*position 10 /ms, 'as many as the limit are not too many');
};

subtest 'a full disk' => sub {
    plan skip_all => 'no /dev/full here' unless -c '/dev/full';
    ($out, $err, $status) = gpudbg(@forever, commands('launch -g 64 buf0=zero:100000', 'stepi 3',
        'save arg buf0 /dev/full', 'print 6 * 7'));
    like($err, qr/full.*[Nn]o space left/, 'save says what is wrong');
    like($out, qr/= 42$/m, '... and the session goes on');
    is($status, 1, '... and it counts as an error');
};

subtest 'a file that could not be written is still what it was' => sub {
    open my $f, '>', "$dir/kept" or die;
    print $f 'what was saved before';
    close $f;
    my $save = "-e 'launch -g 64 buf0=zero:100000' -e 'save arg buf0 $dir/kept'";
    my $said = `(trap '' XFSZ; ulimit -f 8; exec $gpudbg --batch @forever $save) 2>&1`; # as a disk with 8 blocks left
    like($said, qr/kept: File too large/, 'save says what is wrong');
    is(-s "$dir/kept", 21, '... the file is as it was');
    is_deeply([glob "$dir/kept.*"], [], '... and nothing else is left');
    chmod 0640, "$dir/kept";
    $said = `$gpudbg --batch @forever $save 2>&1`;
    like($said, qr/kept: 100000 bytes/, 'with room it is written');
    is(-s "$dir/kept", 100000, '... whole');
    is((stat "$dir/kept")[2] & 0777, 0640, '... and may be read by whom it might before');
};

subtest 'Ctrl-C in a script' => sub {
    my $pid = open my $out, '-|';
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        open STDERR, '>', "$dir/stderr";
        exec $gpudbg, '--batch', @forever, '-e', 'launch -g 64', '-e', 'echo running\n', '-e', 'continue', '-e',
            'print 2+3' or die;
    }
    sleep 1; # by now it runs; if not yet, the run stops as soon as it starts
    kill INT => $pid;
    my $text = do { local $/; <$out> };
    close $out;
    is($?, 0, 'the program ends by itself');
    like($text, qr/running\n.*[Ii]nterrupt.*\n\$1 = 5\n/s, 'what runs stops, and the commands go on');
};

done_testing;
