#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Large listings are made by several processes, which write it in turns.  The text is the same, to the byte, at any
# number of them, and so is what is said where it cannot be written.
use v5.36;
use lib 't/lib';
use Test::More;
use File::Temp qw(tempdir);
use Digest::SHA qw(sha256_hex);
use Kernels;
use List::Util qw(min);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

# The digest of a listing, and its exit status.
sub listing {
    my ($threads, $isa, $command, $file) = @_;
    my $text = `$gpudbg --batch --raw --isa $isa -e 'set threads $threads' -e '$command' $file 2>&1`;
    return sha256_hex($text) . " $?";
}

my %code;
for my $object (glob Kernels::source_dir() . '/gfx7/*-O2.co') { $code{gfx7} .= Kernels::read_file($object) }
for my $kernel (glob Kernels::source_dir() . '/gen12/*.krn') { $code{gen12} .= Kernels::read_file($kernel) }
my %commands = (gfx7 => ['disassemble', 'disassemble /a', 'disassemble /r 0x1000,+0x420010'],
    gen12 => ['disassemble', 'disassemble /a']);
for my $isa (sort keys %code) {
    my $file = "$dir/$isa.bin";
    my $bytes = $code{$isa};
    $bytes .= "\0" x (-length($bytes) % 16);
    Kernels::write_file($file, $bytes x (1 + int(4_500_000 / length $bytes)));
    for my $command (@{$commands{$isa}}) {
        my $one = listing(1, $isa, $command, $file);
        like $one, qr/ 0$/, "$isa, $command: one process";
        is listing(3, $isa, $command, $file), $one, '... three processes: the same text';
    }
}
# Each line ends with its address.
{
    my $n = 20_000; # up to 0x13880
    Kernels::write_file("$dir/nops.bin", pack 'L<*', map { 0xbf800000 | $_ % 8 } 0 .. $n - 1);
    my @lines = split /\n/, `$gpudbg --batch --raw --isa gfx7 -e disassemble $dir/nops.bin`;
    my @wrong = grep { ($lines[$_] // '') ne sprintf '    %-52s// %04x', 's_nop ' . $_ % 8, 4 * $_ } 0 .. $n - 1;
    is_deeply [scalar @lines, map { $lines[$_] } @wrong[0 .. min(2, $#wrong)]], [$n], 'each line ends with its address';
}

# Where it goes: a full device, a reader that has had enough, a log beside it, what comes before and behind.
for my $threads (1, 3) {
    my $start = "$gpudbg --batch --raw --isa gfx7 -e 'set threads $threads' -e 'echo before\\n' -e disassemble";
    my $said = `$start $dir/gfx7.bin 2>&1 >/dev/full`;
    is $said, "gpudbg: standard output: No space left on device\n", "$threads processes: a full device is said once";
    is $? >> 8, 1, '... and the status tells';
    like `$start $dir/gfx7.bin | head -2`, qr/\Abefore\n    \S.*\n\z/, '... a reader may leave';
    like `$start -e 'echo behind\\n' $dir/gfx7.bin | tail -2`, qr/\A    .*\nbehind\n\z/,
        '... what follows stands behind';
    my $text = `$start -e 'set logging file $dir/log' -e 'set logging on' -e 'disassemble' $dir/gfx7.bin`;
    my $log = Kernels::read_file("$dir/log");
    unlink "$dir/log";
    ok length $log > 1e7 && substr($text, -length $log) eq $log, '... a log has all of it';
}

# A process of it that is killed in the middle of its turn: the pipe is full, so one of them waits there.
{
    my $pid = open(my $text, '-|') // die;
    if (!$pid) {
        open STDERR, '>', "$dir/killed";
        exec $gpudbg, '--batch', '--raw', '--isa', 'gfx7', '-e', 'set threads 3', '-e', 'disassemble', '-e',
            'echo behind\n', "$dir/gfx7.bin";
    }
    for (1 .. 3000) { # until the pipe is full
        my $waits = pack 'i', 0;
        ioctl $text, 0x541b, $waits; # FIONREAD
        last if unpack('i', $waits) >= 65536;
        select undef, undef, undef, 0.01;
    }
    select undef, undef, undef, 0.1;
    my @children = split ' ', Kernels::read_file("/proc/$pid/task/$pid/children");
    kill KILL => @children;
    my $all = do { local $/; <$text> };
    close $text;
    is scalar @children, 3, 'three processes are killed';
    is $? >> 8, 1, '... which is an error';
    like Kernels::read_file("$dir/killed"),
        qr/\Agpudbg: -e: a process that listed a part of the code was killed \(signal 9, Killed\).*\n\z/,
        '... that says what happened';
    like $all, qr/\nbehind\n\z/, '... and the commands behind it go on, on a line of their own';
}

done_testing;
