#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What threads of Intel's EU do besides arithmetic: exceptions and the system routine, breakpoints and their
# suppression, calls, one program flow, dispatch and vector masks, channel offsets, brd and brc, goto and join over 32
# channels, time stamps, barriers and notifications.  Programs: t/data/eu, assembled by iga64; what they must leave is
# worked out here.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use GenWords qw(word to_gen7);
use JSON::PP ();
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $folder  = "t/data/eu";
my $dir     = tempdir(CLEANUP => 1);
my @a = (1, 2, 3, 4, 5, 6, 0, 8);

sub hex_of { unpack 'H*', pack 'L*', map { $_ & 0xffffffff } @_ }

# Registers after `continue` (and more commands), and everything that was said.
sub outcome {
    my ($isa, $file, $launch, @more) = @_;
    my @e = map { ('-e', $_) } $launch, 'continue', @more, map { "info registers r$_" } 20 .. 34;
    open my $out, '-|', "$program", '--batch', '--raw', '--isa', $isa, $file, @e or die;
    my ($said, %r) = ('');
    while (<$out>) {
        $said .= $_;
        my ($n, $row) = /^r(\d+)\s+\[ *0\](.*)/ or next;
        $r{$n} = [map { hex } $row =~ /0x([0-9a-f]+)/g];
    }
    close $out;
    return ($said, %r);
}

sub leaves {
    my ($title, $r, $want) = @_;
    for (sort keys %$want) {
        my @got = @{ $r->{$_} // [] }[0 .. $#{ $want->{$_} }];
        is_deeply([map { sprintf '%x', $_ // -1 } @got], [map { sprintf '%x', $_ & 0xffffffff } @{ $want->{$_} }],
            "$title: r$_");
    }
}

# name => [further words of `launch`, {register => its first dwords}].  The system routine is at 16: it counts its calls
# in r30 and keeps cr0.1 and AIP in r31 and r32.
my $loop = sub { my ($n) = @_; $n > 1 ? $n : 1 };
my %run = (
    # Two breakpoints stop at their instruction, which runs once the routine has set Suppress; that bit is used up each
    # time.
    break => ['sip=16', { 20 => [(7) x 8], 30 => [2], 31 => [0x8000], 32 => [0xa0], 33 => [0] }],
    # Not enabled: no exception, and Suppress keeps; enabled: it takes the first breakpoint, the second one counts.
    break_off => ['sip=16', { 20 => [(7) x 8], 30 => [1], 32 => [0xb0] }],
    # AIP is the illegal instruction; the routine adds 16 to it.
    illegal => ['sip=16', { 20 => [(3) x 8], 30 => [1], 31 => [0x10001000], 32 => [0x90] }],
    # Not enabled, setting the bit does nothing; enabled, it goes to the routine with AIP behind it, in the middle of an
    # `if`.
    software => ['sip=16', { 20 => [map { $_ > 3 ? 6 : 1 } @a], 30 => [1], 31 => [0x20002000], 32 => [0xc0] }],
    # 64 calls inside each other fit; the next one is the overflow.
    stack => ['sip=16', { 20 => [(65) x 8], 30 => [1], 31 => [0x08000800], 32 => [0x80] }],
    calls => ['', { 20 => [map { 1 * ($_ > 3 ? $_ : 1) + 10 + 100 + 1000 } @a] }],
    time => ['', { 20 => [0, 4, 4, 0] }],
    spf => ['', { 20 => [map { ($_ > 3 ? 100 : 200) + $loop->($_) } @a] }],
);

# Ivy Bridge's programs are Haswell's with what differs in the words.
for my $file (glob "$folder/*.7p5.krn") {
    my ($name) = $file =~ m{([^/]+)\.7p5\.krn$};
    open my $in, '<:raw', $file or die;
    open my $out, '>:raw', "$dir/$name.7.krn" or die;
    print $out to_gen7(do { local $/; <$in> });
    close $out;
}

for my $isa ('gen7', 'gen7.5', 'gen12') {
    my $suffix = $isa eq 'gen12' ? '12p1' : $isa eq 'gen7' ? '7' : '7p5';
    my $folder = $isa eq 'gen7' ? $dir : $folder;
    for my $name (sort keys %run) {
        my ($words, $want) = @{ $run{$name} };
        my ($said, %r) = outcome($isa, "$folder/$name.$suffix.krn",
            "launch -g 8 -l 8 simd=8 r10=hex:" . hex_of(@a) . " $words");
        like($said, qr/^Done/m, "$isa, $name: runs to its end");
        leaves("$isa, $name", \%r, $want);
    }

    # The same program with cr0.0's SPF set: channel 0 (1, so not above 3) decides for all, once round the loop.
    my ($said, %r) = outcome($isa, "$folder/spf.$suffix.krn", 'launch -g 8 -l 8 simd=8 cr0=4 r10=hex:' . hex_of(@a));
    leaves("$isa, one program flow", \%r, { 20 => [(201) x 8] });
    (undef, %r) = outcome($isa, "$folder/spf.$suffix.krn",
        'launch -g 8 -l 8 simd=8 cr0=4 r10=hex:' . hex_of(5, @a[1 .. 7]));
    leaves("$isa, one program flow, the other side and five times round", \%r, { 20 => [(105) x 8] });

    # Channels 0 and 5 are dispatched: the vector mask has all of their groups of four.
    my @both = ([0, sub { $_[0] == 0 || $_[0] == 5 }], [8, sub { 1 }]);
    for (@both) {
        my ($cr0, $on) = @$_;
        my $title = "$isa, " . ($cr0 ? 'vector' : 'dispatch') . ' mask';
        (undef, %r) = outcome($isa, "$folder/masks.$suffix.krn", "launch -g 8 -l 8 simd=8 mask=0x21 cr0=$cr0");
        leaves($title, \%r, { 20 => [map { $on->($_) ? 1 : 0 } 0 .. 7], 21 => [0x21, 0xff, $cr0 ? 0xff : 0x21],
            22 => [(5) x 4, (0) x 4], 23 => [(map { $on->(4 + $_) ? 6 : 0 } 0 .. 3), map { $on->($_) ? 7 : 0 } 0 .. 3],
            24 => [map { $on->(4 + $_) ? 8 : 0 } 0, 1] });
    }

    # The mask is hex, "0x" in front or not.
    for my $mask ('mask=21', 'mask=0x21', 'mask=000021') {
        (undef, %r) = outcome($isa, "$folder/masks.$suffix.krn", "launch -g 8 -l 8 simd=8 $mask");
        leaves("$isa, $mask", \%r, { 21 => [0x21, 0xff, 0x21] });
    }
    (undef, %r) = outcome($isa, "$folder/masks.$suffix.krn", 'launch -g 8 -l 8 simd=8 mask=fF');
    leaves("$isa, mask=fF", \%r, { 21 => [0xff, 0xff, 0xff] });
    for my $mask ('0x', 'fg', '-1', '100000000', '10000000000000021') {
        my $said = readpipe("$program --batch --isa $isa --raw $folder/masks.$suffix.krn"
            . " -e 'launch -g 8 -l 8 simd=8 mask=$mask' 2>&1");
        like($said, qr/mask.*$mask(?:': not a number in hex| is not 0 to 4294967295)/, "$isa: mask=$mask is none");
    }

    # Exceptions that are not enabled, or have no routine: an illegal instruction stops the program, a breakpoint bit
    # does nothing.
    ($said) = outcome($isa, "$folder/illegal.$suffix.krn", 'launch -g 8 -l 8 simd=8');
    like($said, qr/Fault.*illegal/s, "$isa: without a routine an illegal instruction is a fault");
    ($said) = outcome($isa, "$folder/stack.$suffix.krn", 'launch -g 8 -l 8 simd=8');
    like($said, qr/Fault.*64 calls/s, "$isa: ... and so is too deep a call");

    # Back through an exception, and forward again.
    my @hash = map { (outcome($isa, "$folder/break.$suffix.krn", 'launch -g 8 -l 8 simd=8 sip=16 r10=hex:' . hex_of(@a),
        @$_))[0] =~ /^hash (\S+)/m }
        ['info hash'], ['goto 5', 'goto 12', 'goto 3', 'continue', 'info hash'];
    is($hash[1], $hash[0], "$isa: back and forth through the system routine the state is the same");
}

# ---- brd, and brc from its fields: channels above 3 wait at UIP, the others at JIP ----
for (['gen7', "$dir/brd.7.krn"], ['gen7.5', "$folder/brd.7p5.krn"]) {
    my ($isa, $file) = @$_;
    my ($said, %r) = outcome($isa, $file, 'launch -g 8 -l 8 simd=8 r10=hex:' . hex_of(@a));
    leaves("$isa, brd", \%r, { 20 => [map { $_ > 3 ? 10 : 13 } @a] });
    my $add = sub { my ($value) = @_; word([6, 0, 0x40], [23, 21, 3], [33, 32, 1], [36, 34, 1], [60, 53, 20],
        [62, 61, 1], [38, 37, 1], [41, 39, 1], [76, 69, 20], [88, 85, 4], [84, 82, 3], [81, 80, 1], [43, 42, 3],
        [46, 44, 1], [127, 96, $value]) };
    my $cmp = word([6, 0, 0x10], [23, 21, 3], [27, 24, 3], [33, 32, 0], [36, 34, 1], [62, 61, 1], [38, 37, 1],
        [41, 39, 1], [76, 69, 10], [88, 85, 4], [84, 82, 3], [81, 80, 1], [43, 42, 3], [46, 44, 1], [127, 96, 3]);
    # (f0.0) brc (8) JIP = the second add, 2 instructions on; UIP = the third, 4 on (units of 8 bytes)
    my $brc = word([6, 0, 0x23], [23, 21, 3], [19, 16, 1], [38, 37, 0], [43, 42, 3], [46, 44, 1], [111, 96, 4],
        [127, 112, 6]);
    my $end = word([6, 0, 0x31], [23, 21, 3], [27, 24, 7], [36, 34, 0], [38, 37, 1], [76, 69, 127], [43, 42, 3],
        [127, 96, 0x82000010]);
    open my $f, '>:raw', "$dir/brc.krn" or die;
    print $f $cmp, $brc, $add->(1), $add->(10), $add->(100), $end;
    close $f;
    (undef, %r) = outcome($isa, "$dir/brc.krn", 'launch -g 8 -l 8 simd=8 r10=hex:' . hex_of(@a));
    leaves("$isa, brc", \%r, { 20 => [map { $_ > 3 ? 100 : 111 } @a] });
}

# ---- call and calla by registers: distances as in the instruction (gen7: 8 bytes, else bytes), and addresses; no calla
# on gen7 ----
{
    open my $in, '<:raw', "$folder/far.7p5.krn" or die;
    my $code = to_gen7(do { local $/; <$in> });
    substr $code, 0x20, 1, "\x7e";
    open my $out, '>:raw', "$dir/far.7.krn" or die;
    print $out $code;
    close $out;
}
for (['gen7', "$dir/far.7.krn", 0x60 / 8, 1101], ['gen7.5', "$folder/far.7p5.krn", 0x60, 1111],
    ['gen12', "$folder/far.12p1.krn", 0x60, 1111]) {
    my ($isa, $file, $distance, $want) = @$_;
    my ($said, %r) = outcome($isa, $file, 'launch -g 8 -l 8 simd=8 r11=hex:' . hex_of($distance) . ' r12=hex:'
        . hex_of(0x80));
    leaves("$isa, calls by registers", \%r, { 20 => [($want) x 8] });
}

# ---- Indirect operands take 12 bits of an address word, before Gen12 ----
for (['gen7', "$dir/address.7.krn"], ['gen7.5', "$folder/address.7p5.krn"]) {
    my ($isa, $file) = @$_;
    my ($said, %r) = outcome($isa, $file, 'launch -g 8 -l 8 simd=8 r11=hex:' . hex_of(@a));
    leaves("$isa, an address of 16 bits", \%r, { 20 => \@a });
}

# ---- goto and join, 32 channels ----
{
    my @wide = map { ($_ * 7 + 3) % 9 } 0 .. 31;
    my ($said, %r) = outcome('gen12', "$folder/goto.12p1.krn", 'launch -g 32 -l 32 simd=32 r10=hex:' . hex_of(@wide));
    my @want = map { ($_ > 3 ? 10 : 1) + 100 * $loop->($_) + 1000 } @wide;
    leaves('gen12, goto and join', \%r, { map { (20 + $_ => [@want[8 * $_ .. 8 * $_ + 7]]) } 0 .. 3 });
}

# ---- Barrier and notification: two threads exchange eight dwords each through SLM ----
for (['gen7.5', "$folder/%s.7p5.krn"], ['gen7', "$dir/%s.7.krn"]) {
    my ($isa, $file) = @$_;
    my ($barrier, $unwoken) = map { sprintf $file, $_ } 'barrier', 'unwoken';
    my @x = map { 100 + $_ } 0 .. 7;
    my @y = map { 200 + $_ } 0 .. 7;
    my $launch = 'launch -g 16 -l 16 simd=8 slm=64 r1/0=0 r1/1=1 r10/0=hex:' . hex_of(@x) . ' r10/1=hex:' . hex_of(@y);
    my ($said, %r) = outcome($isa, $barrier, $launch, 'wave 0');
    leaves("$isa, thread 0 after the barrier", \%r, { 20 => \@y });
    (undef, %r) = outcome($isa, $barrier, $launch, 'wave 1');
    leaves("$isa, thread 1 after the barrier", \%r, { 20 => \@x });
    ($said) = outcome($isa, $unwoken, 'launch -g 8 -l 8 simd=8');
    like($said, qr/Fault.*nothing will ever notify/s, "$isa: a wait that nothing ends is a fault");
    my $each = join ' ', map { "-e 'wave $_' -e 'print/d \$r5.0:ud'" } 0 .. 3;
    my $parts = 'r5=1 r5/g1=2 r5/g1/1=3';
    $said = `$program --batch --raw --isa $isa $unwoken -e 'launch -g 32 -l 16 simd=8 $parts' $each 2>&1`;
    is join('|', $said =~ /^\S+ = (\d+)/gm), '1|1|2|3', 'registers by group, and by thread of one';
    $said = `$program --batch --raw --isa $isa $unwoken -e 'launch -g 16 -l 16 simd=8 r5/g1=0' 2>&1`;
    like $said, qr/groups of this launch are numbered 0 to 0/, 'a group that is not there';
    $said = `$program --batch --raw --isa $isa $unwoken -e 'launch -g 16 -l 16 simd=8 r1/2=0' 2>&1`;
    like($said, qr/'r1\/2': threads of a group are numbered 0 to 1/,
        'a register of a thread that no group has is refused');
}

# ---- Every message of a run over many checkpoints ----
{
    my %sent;
    open my $out, '-|', $program, '--batch', "t/data/kernels/gen12/saxpy.bin", map { ('-e', $_) }
        'launch saxpy -g 320000 -l 64 zero:1280000 zero:1280000 2.0 320000', 'continue', 'info messages' or die;
    while (<$out>) { $sent{$1}++ if /^ *(\d+)  +0x/ }
    close $out;
    is(scalar keys %sent, 10000, 'info messages: of all 10000 waves');
    is_deeply([grep { $sent{$_} != 8 } 0 .. 9999], [], '... all eight that each sends');
}

# ---- What lies outside of a surface, and registers as a whole ----
{
    my $saxpy = "t/data/kernels/gen12/saxpy.bin";
    my $run = sub { my $e = join ' ', map { "-e '$_'" } @_; return `$program --batch $saxpy $e 2>&1` };
    my $launch = 'launch saxpy -g 64 -l 64 fill:128:1 fill:256:2 2.0 64';
    my $said = $run->('check bounds on', $launch, ('continue') x 4, 'info checks');
    like($said, qr/^Check, wave 1 .*loads 4 bytes at 0x80 of y, which has 128: it gives 0/m,
        'check bounds: a load past the end of a buffer, by its name');
    like($said, qr/^Check, wave 1 .*stores 4 bytes at 0x80 of y, which has 128: it is dropped/m, '... and a store');
    like($said, qr/^Check, wave 1 at saxpy\+(0x[0-9a-f]+): send[^\n]*the message at \1 loads/m,
        '... and the run stops at it, before it is sent');
    my ($load) = $said =~ /^(\S+): bounds: the message at 0xc0 loads.*\n {4}(the address is .*)$/m ? $2 : '';
    like($load, qr/^the address is from \$r16\.0 = 128 \(0x00000080\), computed at saxpy\+0xa0 \(position \d+\): shl /,
        '... with what its address was computed from');
    my @reports = map { /lanes ([\d,-]+); the first of (\d+)\)$/ ? "$1 $2" : () } $said
        =~ /^(.*bounds: the message .* of y,.*)$/mg;
    is(join(', ', @reports), '0-15 16, 16-31 16, 0-15 16, 16-31 16',
        '... once a message, with the 32 items that have no room counted');
    unlike($said, qr/of x/, '... and of no other buffer');
    like($run->('launch saxpy -g 64 -l 64 zero:256 0 2.0 64', 'continue'),
        qr/^Fault.*: argument x was given no buffer: nothing is bound to binding table index \d+$/m,
        'a null pointer of a kernel that takes surfaces is named');
    unlike($run->($launch, 'continue'), qr/Check/, 'without the checker nothing is said');
    $said = $run->('launch saxpy -g 64 -l 64 zero:256 zero:256 2.0 64', 'print $r1', 'print/u $r1',
        'print/dh $r1', 'print/xb $r1');
    like($run->('launch saxpy -g 64 -l 64 zero:256 zero:256 2.0 64', 'info registers r1 r8'),
        qr/^r1 .* local ids x\nr8 .* \.0 y \.2 x \.4 a \.5 n$/m, 'registers say what of the launch they hold');
    like($said, qr/^\$1 = \{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\}$/m,
        'a register is printed as what the code reads it as');
    like($said, qr/^\$2 = \{65536, 196610, 327684, 458758, 589832, 720906, 851980, 983054\}$/m,
        '... in a format as its eight dwords');
    like($said, qr/^\$3 = \{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\}$/m, '... as words');
    like($said, qr/^\$4 = \{0x0, 0x0, 0x1, 0x0, 0x2, 0x0, 0x3, 0x0, 0x4, (?:0x\w+, ){22}0x0\}$/m, '... as bytes');
}
# Elements of registers, as the manual writes them: read, in conditions, and set without touching what is beside them.
{
    my $code = "t/data/eu/masks.7p5.krn";
    my $r10 = '0000803f' . '000000c0' . '00000000' . '785634f2' . '182d4454fb210940' . 'ffff' . '003c' . '00000080';
    my @values = map { $_->{text} // $_->{message} } grep { $_->{type} =~ /^(?:value|error)$/ }
        map { JSON::PP::decode_json($_) } split /^/, `$program --batch --json --isa gen7.5 --raw $code @{[
        map { "-e '$_'" } "launch -g 8 -l 8 simd=8 r10=hex:$r10", 'print $r10.0:f', 'print $r10.1:f', 'print/x $r10.3',
        'print $r10.13:b', 'print $r10.15:b', 'print $r10.2:df', 'print $r10.12:w', 'print $r10.13:hf',
        'print (i32)$r10.7', 'set $r10.13:uw = 0x1234', 'set $r10.4:f = 2.5', 'print/x $r10', 'set $f0.1 = 0xabcd',
        'print/x $f0', 'print $r10.8', 'print $r10.16:w']} 2>/dev/null`;
    is_deeply \@values, ['1.0', '-2.0', '0xf2345678', 86, -14, '3.141592653589793', -1, '1.0', -2147483648,
        '{0x3f800000, 0xc0000000, 0x0, 0xf2345678, 0x40200000, 0x400921fb, 0x1234ffff, 0x80000000}', '0xabcd0000',
        '$r10 has no element 8 of 32 bits: there are 8, numbered from 0',
        '$r10 has no element 16 of 16 bits: there are 16, numbered from 0'],
        'elements of registers' or diag explain \@values;
}

done_testing;
