# SPDX-License-Identifier: GPL-3.0-or-later
#
# OpenCL tests of Piglit (package piglit): what stands in the comment before their source, as launches with the bytes
# that go in and the bytes that must come out.
#
#   for my $test (Piglit::tests($path)) {   hashes: kernel, global, local, args, want, options
#       args: in order, { size => N, bytes => ..., buffer => 0 or 1, local => BYTES };
#       want: number => { kind => 'f', size => 4, bytes => ..., ulp => N, absolute => X, of_vector => [3, 4] }
#   }
# Tests that take images or samplers, or that must not build, are left out; Piglit::left_out counts them.
package Piglit;
use v5.36;
use POSIX ();

my %SIZE = (char => 1, uchar => 1, short => 2, ushort => 2, int => 4, uint => 4, long => 8, ulong => 8, half => 2,
    float => 4, double => 8, bool => 1, size_t => 8, ptrdiff_t => 8, intptr_t => 8, uintptr_t => 8);
my %PACK = (1 => 'C', 2 => 'S<', 4 => 'L<', 8 => 'Q<');
our $left_out = 0;

# A half's bits, rounded to nearest even.
sub half ($x) {
    return $x != $x ? 0x7e00 : $x > 0 ? 0x7c00 : 0xfc00 if $x != $x || abs($x) == 9**9**9;
    my $sign = unpack('Q<', pack 'd<', $x) >> 63 ? 0x8000 : 0;
    return $sign if !$x;
    my ($m, $e) = POSIX::frexp(abs $x);
    my $unit = $e - 11 < -24 ? -24 : $e - 11;
    my $n = abs($x) / 2**$unit;
    my $r = int $n;
    $r++ if $n - $r > 0.5 || ($n - $r == 0.5 && $r & 1);
    return $sign | ($r * 2**$unit >= 65536 ? 0x7c00 : $r < 1024 ? $r : (($unit + 24) << 10) + $r);
}

# One number of the text as the bytes of its type.
sub number ($type, $text) {
    my $size = $SIZE{$type} // die "type $type\n";
    if ($type =~ /^(?:float|double|half)$/) {
        my $low = lc $text;
        if ($low =~ /^([-+]?)nan/) {    # its sign counts
            my ($template, $n) = @{ { half => ['S<', 0x7e00], float => ['L<', 0x7fc00000],
                double => ['Q<', 0x7ff8 << 48] }->{$type} };
            return pack $template, $n | ($1 eq '-' ? 1 << 8 * $size - 1 : 0);
        }
        my $x = $low =~ /^([-+]?)inf/ ? 9**9**9 * ($1 eq '-' ? -1 : 1) : (POSIX::strtod($text))[0];
        return pack 'S<', half($x) if $type eq 'half';
        return pack $type eq 'float' ? 'f<' : 'd<', $x;
    }
    return pack 'C', $text =~ /^(?:true|1)$/ ? 1 : 0 if $type eq 'bool';
    $text =~ s/[uUlL]+$// if $text !~ /^0x/i || $text =~ /[uUlL]$/;
    my $minus = $text =~ s/^-//;
    my $n = $text =~ /^0x([0-9a-f]+)$/i ? do { no warnings 'portable'; hex $1 }
        : $text =~ /^0[0-7]+$/ ? oct $text : $text =~ /^\d+$/ ? $text + 0 : die "number $text\n";
    if ($minus) { use integer; $n = -$n }
    return substr pack('Q<', $n), 0, $size;
}

# "float3[2] 1 2 3 4 5 6": (bytes, element type, its vector width)
sub values_of ($type, $count, $text) {
    my ($base, $width) = $type =~ /^([a-z_]+?)(2|3|4|8|16)?$/ or die "type $type\n";
    $width //= 1;
    $SIZE{$base} // die "type $base\n";
    my $n = $count * $width;
    my @words = split ' ', $text;
    my $repeat = @words && $words[0] eq 'repeat' ? shift @words : undef;
    die "random\n" if grep { $_ eq 'random' } @words;
    my @all = $repeat ? map { $words[$_ % @words] } 0 .. $n - 1 : @words;
    die "$n values wanted, there are " . @all . "\n" if @all != $n;
    my @bytes = map { number($base, $_) } @all;
    if ($width == 3) { splice @bytes, 3 + 4 * $_, 0, "\0" x $SIZE{$base} for 0 .. $count - 1 }
    return (join('', @bytes), $base, $width);
}

sub argument ($test, $line, $out) {
    my ($index, $rest) = $line =~ /^(\d+)\s+(.*)$/ or die "argument $line\n";
    die "an image or a sampler\n" if $rest =~ /^(?:image|sampler)/;
    my ($ulp, $absolute) = (0, 0);
    if ($rest =~ s/\s+tolerance\s+(\S+)(\s+ulp)?\s*$//) { $2 ? ($ulp = $1) : ($absolute = $1) }
    my $a = $test->{args}[$index] //= {};
    if ($rest =~ /^buffer\s+(\w+?)\[(\d+)\]\s*(.*)$/) {
        my ($type, $count, $text) = ($1, $2, $3);
        my ($base, $width) = $type =~ /^([a-z_]+?)(2|3|4|8|16)?$/ or die "type $type\n";
        my $bytes = $SIZE{$base} * $count * (($width // 1) == 3 ? 4 : $width // 1);
        $a->{buffer} = 1;
        $a->{size} = $bytes if $bytes > ($a->{size} // 0);
        if ($text eq 'NULL') { $a->{null} = 1; return }
        my ($values) = values_of($type, $count, $text);
        if ($out) {
            $test->{want}{$index} = { type => $base, size => $SIZE{$base}, bytes => $values, ulp => $ulp,
                absolute => $absolute, three => ($width // 1) == 3 };
        } else {
            $a->{bytes} = $values;
        }
    } elsif ($rest =~ /^(\w+)\s+(.*)$/) {
        my ($type, $text) = ($1, $2);
        die "local memory\n" if $type eq 'buffer';
        my ($bytes) = values_of($type, 1, $text);
        @$a{qw(bytes size)} = ($bytes, length $bytes);
    } else {
        die "argument $line\n";
    }
    return;
}

# The tests of a file; those that cannot be told are left out.
sub tests ($path) {
    open my $in, '<', $path or die "$path: $!\n";
    my $text = do { local $/; <$in> };
    my ($head) = $text =~ m{^\s*/\*!(.*?)!?\*/}s or return;
    my ($where, %config, @tests) = ('');
    for my $line (split /\n/, $head) {
        $line =~ s/(?:^|\s)#.*//;
        $line =~ s/^\s+|\s+$//g;
        next if $line eq '';
        if ($line =~ /^\[(\w+)\]$/) {
            $where = $1;
            push @tests, { %config, lines => [] } if $where eq 'test';
            next;
        }
        my ($key, $value) = $line =~ /^(\w+)\s*:\s*(.*)$/ or next;
        if ($where eq 'config') { $config{$key} = $value }
        elsif ($where eq 'test' && $key =~ /^arg_(in|out)$/) { push @{ $tests[-1]{lines} }, [$1, $value] }
        elsif ($where eq 'test') { $tests[-1]{$key} = $value }
    }
    my @good;
    for my $t (@tests) {
        my $n = $t->{dimensions} // 1;
        my %test = (path => $path, name => $t->{name} // '', kernel => $t->{kernel_name} // '', args => [], want => {},
            offset => join(',', (split ' ', $t->{global_offset} // '0 0 0')[0 .. $n - 1]),
            options => $t->{build_options} // '', extensions => $t->{require_device_extensions} // '');
        my @global = split ' ', $t->{global_size} // '1 1 1';
        my @local = split ' ', $t->{local_size} // join ' ', @global;
        $test{global} = join ',', @global[0 .. $n - 1];
        $test{local} = join ',', @local[0 .. $n - 1];
        my $told = eval {
            die "no kernel\n" if !$test{kernel} || grep { $t->{$_} } qw(expect_build_fail expect_test_fail);
            die "sizes\n" if grep { !$_ } @global[0 .. $n - 1], @local[0 .. $n - 1];
            argument(\%test, $_->[1], $_->[0] eq 'out') for @{ $t->{lines} };
            die "an argument is missing\n" if grep { !$_ } @{ $test{args} };
            1;
        };
        $told ? push @good, \%test : $left_out++;
    }
    return @good;
}

# Where the bytes are not what they must be; undef: nowhere.
sub difference ($want, $got) {
    return 'nothing was saved' if !defined $got;
    return 'too short' if length $got < length $want->{bytes};
    my ($size, $type) = @$want{qw(size type)};
    my @w = unpack "($PACK{$size})*", $want->{bytes};
    my @g = unpack "($PACK{$size})*", substr $got, 0, length $want->{bytes};
    my $float = { float => ['L<', 'f<', 23, 8], double => ['Q<', 'd<', 52, 11], half => ['S<', undef, 10, 5] }->{$type};
    for my $i (0 .. $#w) {
        next if $w[$i] == $g[$i] || ($want->{three} && $i % 4 == 3);
        my $said = sprintf '%s %d: 0x%x, wanted 0x%x', $type, $i, $g[$i], $w[$i];
        return $said if !$float;
        my $bits = 8 * $size - 1;
        my $nan = ((1 << $float->[3]) - 1) << $float->[2];
        my $mask = (1 << $bits) - 1;
        next if ($w[$i] & $mask) > $nan && ($g[$i] & $mask) > $nan;
        my ($a, $b) = map { $_ >> $bits ? -($_ & $mask) : $_ } $w[$i], $g[$i];
        next if $want->{ulp} && abs($a - $b) <= $want->{ulp};
        if ($want->{absolute} && $float->[1]) {
            my ($x, $y) = map { unpack $float->[1], pack $float->[0], $_ } $w[$i], $g[$i];
            next if abs($x - $y) <= $want->{absolute};
        }
        next if !$a && !$b;    # zeros of both signs
        return $said;
    }
    return;
}

1;
