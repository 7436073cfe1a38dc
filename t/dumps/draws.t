#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# info draws and info draw: command streams made here, whose state at each draw is kept by a model of a few lines.
use strict;
use warnings;
use Files;
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
$ENV{XDG_CONFIG_HOME} = '/nonexistent';
sub records {
    my ($file, $command, @more) = @_;
    open my $out, '-|', $program, '--batch', '--json', @more, $file, '-e', $command or die $!;
    my @records = map { JSON->new->utf8->decode($_) } <$out>;
    close $out;
    return @records;
}
sub words { return map { sprintf "%08x\n", $_ } @_ }
sub packet { my ($op, @payload) = @_; return (3 << 30 | $#payload << 16 | $op << 8, @payload) }
sub text_words { my ($text) = @_; return unpack 'V*', $text . "\0" x (4 - length($text) % 4) }

# Registers by byte address; names as the register guide has them.
my %name = (0x28c60 => 'CB_COLOR0_BASE', 0x28c64 => 'CB_COLOR0_PITCH', 0xb120 => 'SPI_SHADER_PGM_LO_VS',
    0x30908 => 'VGT_PRIMITIVE_TYPE');
my (@stream, %state, @expected, %before);
sub set { # one packet for registers one after another
    my ($addr, @values) = @_;
    my ($op, $base) = $addr >= 0x30000 ? (0x79, 0x30000) : $addr >= 0x28000 ? (0x69, 0x28000) : (0x76, 0xb000);
    push @stream, packet($op, ($addr - $base) / 4, @values);
    $state{$addr + 4 * $_} = $values[$_] for 0 .. $#values;
}
sub draw {
    my ($count) = @_;
    push @expected, { at => 4 * @stream, state => {%state}, before => {%before} };
    push @stream, packet(0x2d, $count, 2);
    %before = %state;
}
sub mark { my ($kind, $text) = @_; push @stream, packet(0x10, $kind, defined $text ? text_words($text) : ()) }

set(0x28c60, 0x1000, 0x3f);
set(0xb120, 0x1234);
mark(0x68750001, 'shadow pass');
draw(3);
set(0x28c60, 0x2000);
mark(0x68750003, 'second');
draw(6);
mark(0x68750002);
set(0x30908, 4);
push @stream, packet(0x12, 0); # context registers have their defaults, which the stream does not tell
delete @state{0x28c60, 0x28c64};
set(0x28c64, 0x7f);
push @stream, packet(0x5f, 0, 0, 0x48, 1); # from memory
delete $state{0xb120};
draw(9);
my $file = spill('ib.txt', join '', words(@stream));
my @more = ('--isa', 'gfx7', '--format', 'packet-list');
my @all = records($file, 'info draws', @more);
is_deeply [map { "$_->{kind} $_->{depth}" . ($_->{kind} eq 'mark' ? " $_->{text}" : '') } @all],
    ['stream 0', 'mark 0 "shadow pass"', 'work 1', 'mark 1 "second"', 'work 1', 'work 0'],
    'draws and marks are a tree';
is_deeply [map { hex $_->{offset} } grep { $_->{kind} eq 'work' } @all], [map { $_->{at} } @expected],
    '... at their places';
for my $i (0 .. $#expected) {
    my (%got, %was, %differs);
    for (grep { $_->{type} eq 'draw-state' } records($file, "info draw $i", @more)) {
        next unless defined $_->{addr};
        my $addr = hex $_->{addr};
        is $_->{name}, $name{$addr}, "draw $i: the name of $_->{addr}" if $name{$addr};
        $got{$addr} = hex $_->{value} if defined $_->{value};
        $was{$addr} = hex $_->{before} if defined $_->{before};
        $differs{$addr} = 1 if $_->{differs};
        is $_->{lost} ? 1 : 0, defined $_->{value} ? 0 : 1, "draw $i: $_->{name} is known or lost";
    }
    my $e = $expected[$i];
    is_deeply \%got, $e->{state}, "draw $i: the state";
    is_deeply \%was, $e->{before}, '... at the draw before';
    my %changed = map { $_ => 1 } grep { ($e->{state}{$_} // -1) != ($e->{before}{$_} // -1) } keys %{ $e->{state} },
        keys %{ $e->{before} };
    is_deeply \%differs, \%changed, '... and what differs';
}
my ($last) = records($file, 'info draw', @more);
is $last->{number}, $#expected, 'without a number it is the last, where nothing tells how far the engine was';
like `$program --batch --isa gfx7 --format packet-list $file -e 'info draw 1 changed'`,
    qr/\A.*\n  CB\n[^\n]* \* +CB_COLOR0_BASE +0x00002000  was 0x00001000\n\z/, 'as text, only what changed';
like `$program --batch --isa gfx7 --format packet-list $file -e 'info draw 7' 2>&1`, qr/draw 7: the dump has 3/,
    'a draw that is not there';

# Trace points: a draw in front of the last that was reached was taken.
my @ib = (packet(0x2d, 3, 2), packet(0x10, 0xcafe0001), packet(0x2d, 6, 2), packet(0x10, 0xcafe0002),
    packet(0x2d, 9, 2), packet(0x10, 0xcafe0003));
my $mesa = spill('mesa.log', join '', "Driver vendor: demo\nDevice name: AMD KABINI (DRM 2.50.0)\n",
    "------------------ IB begin (dw = " . @ib . ") ------------------\n", (map { sprintf "#%08x\n", $_ } @ib),
    "------------------- IB end -------------------\n\nTrace point ID: 2\n",
    "!!!!! This is the last trace point that was reached by the CP !!!!!\n");
is_deeply [map { "$_->{kind} $_->{text} $_->{progress}" =~ s/DRAW.*=(\d+) source\S+ major\S+/$1/r }
        grep { $_->{kind} ne 'stream' } records($mesa, 'info draws', '--isa', 'gfx7')],
    ['work 3 taken', 'mark trace point 1, reached taken', 'work 6 last', 'mark trace point 2, reached taken',
        'work 9 ahead', 'mark trace point 3 ahead'], 'trace points tell how far the engine was';
my ($chosen) = records($mesa, 'info draw', '--isa', 'gfx7');
is $chosen->{number}, 1, '... and which draw it took last';

# A ring, its read pointer, and a buffer that it runs.
sub ring { my ($read, $write, @w) = @_;
    return "bonaire.gfx.rptr == $read\nbonaire.gfx.wptr == $write\n"
        . join '', map { sprintf "bonaire.gfx.ring[%4d] == 0x%08x   %s%s.\n", $_, $w[$_], $_ == $read ? 'r' : '.',
            $_ == $write ? 'w' : '.' } 0 .. $#w }
my @inner = (packet(0x69, 0x318, 0x77), packet(0x2d, 5, 2));
my $inner = "Decoding IB at 0\@0x400 from 0\@0x0 of " . @inner . " words (type 4)\n";
$inner .= sprintf "[0\@0x%08x + 0x%04x]\t[        0x%08x]\t|---> x\n", 0x400, 4 * $_, $inner[$_] for 0 .. $#inner;
my @ring = (packet(0x2d, 1, 2), packet(0x3f, 0x400, 0, scalar @inner), packet(0x2d, 2, 2), (0xffff1000) x 6);
my $ring = spill('ring.txt', ring(7, 10, @ring) . $inner);
is_deeply [map { "$_->{depth} " . ($_->{kind} eq 'stream' ? "stream $_->{stream}"
            : ($_->{text} =~ /index_count=(\d+)/)[0] . " $_->{progress}") } records($ring, 'info draws')],
    ['0 stream 0', '0 1 taken', '1 stream 1', '1 5 last', '0 2 ahead'], 'a buffer stands where the ring runs it';
my @state = grep { $_->{type} eq 'draw-state' } records($ring, 'info draw');
is_deeply [map { "$_->{name} $_->{value}" } @state], ['CB_COLOR0_BASE 0x00000077'], '... with its state';

# Intel: commands are the state; vertex buffers are set one by one; ACTHD says where the engine was.
my @batch = (
    0x78080007, 0x00004010, 0x1000, 0x1fff, 0, 0x04004010, 0x2000, 0x2fff, 0, # buffers 0 and 1
    0x7b000005, 4, 3, 0, 1, 0, 0,
    0x78080003, 0x04004010, 0x3000, 0x3fff, 0, # buffer 1 alone
    0x7b000005, 4, 6, 0, 1, 0, 0,
    0x7b000005, 4, 9, 0, 1, 0, 0,
    0x05000000);
my ($head) = do { open my $f, '<', 't/data/explain/error-draw.txt' or die; local $/; <$f> =~ /\A(.*?)rcs0 --- batch/s };
$head =~ s/ACTHD: 0x00000000 00a01018/sprintf 'ACTHD: 0x00000000 %08x', 0xa01000 + 4 * 21/e;
my $intel = spill('error.txt', $head . "rcs0 --- batch = 0x00000000 00a01000\n"
        . join '', map { sprintf "%08x :  %08x\n", 4 * $_, $batch[$_] } 0 .. $#batch);
is_deeply [map { $_->{progress} } grep { $_->{kind} eq 'work' } records($intel, 'info draws')], [qw(taken last ahead)],
    'the head of an engine tells how far it was';
@state = grep { $_->{type} eq 'draw-state' } records($intel, 'info draw');
is_deeply [map { "$_->{name} " . (split ' ', $_->{value})[1] . ($_->{differs} ? ' differs' : '') } @state],
    ['vertex buffer 0 0x00001000', 'vertex buffer 1 0x00003000 differs'], 'vertex buffers are kept one by one';

# Buffers that run each other, and a dump without commands.
my @self = packet(0x3f, 0x400, 0, 4);
my $loop = spill('loop.txt', ring(0, 4, @self) . "Decoding IB at 0\@0x400 from 0\@0x0 of 4 words (type 4)\n"
        . join '', map { sprintf "[0\@0x00000400 + 0x%04x]\t[        0x%08x]\t|---> x\n", 4 * $_, $self[$_] } 0 .. 3);
like `$program --batch $loop -e 'info draws' 2>&1`, qr/draws or dispatches/, 'buffers that run each other end';
like `$program --batch t/data/explain/fault-read.log -e 'info draw' 2>&1`, qr/no streams of commands/,
    'a dump without commands says so';

# Which dump a command asks for, said alike by all.
for my $command ('info draws', 'info shaders', 'packets', 'info draw', 'shader 0') {
    like `$program --batch $loop -e '$command -d 7' 2>&1`, qr/there is no dump 7: one is open/, "$command -d 7";
}
for my $command ('info draws', 'info shaders', 'shader 0') {
    like `$program --batch $loop -e '$command nonsense' 2>&1`, qr/"nonsense" is one word too many/, "$command nonsense";
}
done_testing;
