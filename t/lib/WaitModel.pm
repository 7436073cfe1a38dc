# SPDX-License-Identifier: GPL-3.0-or-later
#
# What Gen12's software scoreboard has to wait for, from the text of code: a model that shares nothing with
# decoders/gen.  It follows each instruction, over all ways that a launch may have gone, until something has waited
# for it, and notes who uses its registers before.
#
#   my $model = WaitModel::of($code, $lanes, $pipes);
#   my @clashes = WaitModel::without($model, $pc);
#
# code: instructions of `disassemble`, { addr, text }; lanes: { addr => lanes that ran it, a bit each }: the others
# were not executed.  pipes: whether distances count by pipe (Gen12.5).
# The answer: what clashes if the instruction at pc has no annotations, and does not clash now, as
# "producer consumer kind"; kinds: raw, waw, war.
#
# The rules: a message or a math instruction is done when $n.dst waits for its token or the token is allocated again;
# $n.src waits for its sources alone; without a token nothing waits.  Of messages to one function that the same
# channels send the earlier reads its sources first, so a wait for a later one is one for its sources.  In order is
# all else but sync: done for whoever waits with @d d-th behind it or later, after eleven more, and over a jump
# (numbers of Intel's compiler, SWSB_G4IR.cpp); in order, writes come after reads and writes.  Only registers of the
# GRF are followed.  A register that an address register names is any.  With pipes: F has instructions with a float
# result, L those with an operand of 64 bits (fifteen more, if that is the result), I all others; an order holds within
# a pipe alone; A@d waits for all, @d for all (messages, sync) or for the pipe of the sources.
package WaitModel;
use v5.36;

my ($in_flight, $registers, $bytes) = (11, 128, 32);
my %size = (b => 1, ub => 1, w => 2, uw => 2, hf => 2, bf => 2, d => 4, ud => 4, f => 4, q => 8, uq => 8, df => 8);
my $nothing = "\0" x ($registers * $bytes / 8);
my $anything = "\xff" x ($registers * $bytes / 8);

# ---- Registers of an instruction ----

sub mark ($set, $at, $n) {
    vec($$set, $_, 1) = 1 for grep { $_ >= 0 && $_ < $registers * $bytes } $at .. $at + $n - 1;
}

# An operand of a region: which elements its channels touch.  stride: <V;W,H> of sources, <V;H> or <H> of three
# sources, <H> of a destination.
sub mark_region ($set, $operand, $channels, $is_dst) {
    return $$set = $anything if $operand =~ /r\[/;
    my ($r, $sub, $stride, $type) = $operand =~ /(?<![a-z])r(\d+)\.(\d+)(?:<([^>]*)>)?:([a-z]+)/ or return;
    my $size = $size{$type} or die "type of $operand";
    my ($v, $w, $h) = $is_dst || !defined $stride ? (0, 999, $stride // 1)
        : $stride =~ /^(\d+);(\d+),(\d+)$/ ? ($1, $2, $3)
        : $stride =~ /^(\d+);(\d+)$/ ? ($1, $2 ? $1 / $2 || 1 : $1 || 1, $2) : (0, 999, $stride);
    my $at = $r * $bytes + $sub * $size;
    mark($set, $at + $size * (int($_ / $w) * $v + $_ % $w * $h), $size) for @$channels;
}

sub mark_whole ($set, $operand, $n) {
    my ($r) = $operand =~ /^r(\d+)/ or return;
    mark($set, $r * $bytes, $n * $bytes);
}

# A message: destination, two payloads, their descriptors.  Lengths that a register holds are taken as 16.
sub message ($i, @operand) {
    my ($dst, $first, $second, $ex, $desc) = @operand;
    my ($answer, $sent) = $desc =~ /^0x/ ? (hex($desc) >> 20 & 31, hex($desc) >> 25 & 15) : (16, 16);
    mark_whole(\$i->{written}, $dst, $answer);
    mark_whole(\$i->{read}, $first, $sent);
    mark_whole(\$i->{read}, $second, $second =~ /:(\d+)$/ ? $1 : $ex =~ /^0x/ ? hex($ex) >> 6 & 31 : 16);
}

# The pipe of an instruction in order, and those that its distance counts.
sub pipes_of ($i, $letter, @operand) {
    my @type = map { /:(\w+)$/ ? $1 : () } @operand;
    my ($result, @sources) = $i->{jump} ? () : @type;
    my $wide = grep { ($size{$_} // 0) == 8 } $result // (), @sources;
    $i->{pipe} = $wide ? 'L' : ($result // '') =~ /f$/ ? 'F' : 'I';
    $i->{depth} = 15 if ($size{ $result // '' } // 0) == 8;
    my $read = (grep { ($size{$_} // 0) == 8 } @sources) ? 'L' : $i->{jump} || (grep { !/f$/ } @sources) ? 'I' : 'F';
    $i->{waits} = $letter eq 'A' || (!$letter && ($i->{message} || $i->{sync})) ? 'FIL' : $letter || $read;
}

# { addr, jump => whether it may go elsewhere, targets, ends, order, apart, token, distance, dst, src, read, written }
sub instruction ($insn, $lanes, $silent, $pipes) {
    my $text = $insn->{text};
    my $options = $text =~ s/ *\{(.*)\}\s*$// ? $1 : '';
    my %i = (addr => hex $insn->{addr}, read => $nothing, written => $nothing, dst => {}, src => {}, pipe => 'I',
        waits => 'I', depth => $in_flight,
        ends => scalar($options =~ /EOT/), targets => [map { hex } $text =~ /\bL([0-9a-f]+)/g]);
    my ($pred, $name, $n, $offset, $rest) =
        $text =~ /^(?:\(([^)]*)\) )?([a-z]\S*)(?: \((\d+)\|M(\d+)\))? ?(.*)/ or return { %i, order => 0 };
    $i{apart} = $name =~ /^(send|math)/;
    $i{message} = $name =~ /^send/;
    $i{order} = !$i{apart} && $name !~ /^(sync|illegal|nop)/;
    $i{call} = $name eq 'call' || $name eq 'calla';
    $i{return} = $name eq 'ret';
    $i{sync} = $name =~ /^sync/;
    $i{jump} = $name =~ /^(if|else|endif|while|break|cont|goto|join|halt|jmpi|br[cd]|calla?|ret)$/;
    my ($letter) = $options =~ /(?<!\w)(\w)@\d/;
    pipes_of(\%i, $letter // '', split / /, $rest =~ s/^\(\w+\)f\d\S* //r) if $pipes;
    if (!$silent) {
        $i{distance} = $1 if $options =~ /(?<!\w)\w?@(\d)/;
        $i{token} = $1 if $options =~ /\$(\d+)(?!\.|\d)/;
        $i{$2}{$1} = 1 while $options =~ /\$(\d+)\.(dst|src)/g;
    }
    if ($name =~ /^sync\.all(rd|wr)/) {
        my @which = $rest =~ /\$(\d+)/g;
        $i{ $1 eq 'rd' ? 'src' : 'dst' }{$_} = 1 for @which ? @which : 0 .. 15;
    }
    return \%i if !defined $n || $name =~ /^(if|else|endif|while|break|cont|goto|join|halt|jmpi|br[cd])$/;
    my $whatever = ($pred // '') =~ /^W/;
    my @channels = grep { $whatever || $lanes >> $offset + $_ & 1 } 0 .. $n - 1;
    $i{channels} = ($name =~ /^(\w+\.\w+)/)[0] // $name;
    $i{channels} .= " $n $offset " . ($pred // '') . ($rest =~ /0x[0-9A-F]*FE$/ ? ' local' : '') if $i{apart};
    $i{channels} = undef if ($pred // '') eq 'W';
    return \%i if !@channels;
    my @operand = split / /, $rest =~ s/^\(\w+\)f\d\S* //r;
    if ($name =~ /^send/) { message(\%i, @operand); return \%i }
    mark_region(\$i{written}, shift @operand // '', \@channels, 1);
    mark_region(\$i{read}, $_, \@channels, 0) for @operand;
    return \%i;
}

# ---- Ways ----

sub both ($x, $y) { return ($x &. $y) =~ /[^\0]/ }

# The instructions that may come next: [index, whether it is a jump].
sub next_of ($code, $at, $index, $behind_calls) {
    my $i = $code->[$at];
    return if $i->{ends};
    return map { [$_, 1] } @$behind_calls if $i->{return};
    return map { [$_, $_ != $at + 1] }
        grep { defined && $_ < @$code } (map { $index->{$_} } $i->{targets}->@*), $at + 1;
}

# Who uses the registers of a producer in order too early.  helped: who waits for it.
sub follow_order ($m, $from, $found, $helped) {
    my $p = $m->{code}[$from];
    my @todo = map { [$_->[0], 1] } grep { !$_->[1] } $m->{ways}[$from]->@*;
    my %seen;
    while (my $state = pop @todo) {
        my ($at, $d) = @$state;
        my $c = $m->{code}[$at];
        next if $seen{"$at $d"}++;
        my $same = $c->{order} && $c->{pipe} eq $p->{pipe};
        my $waits = $c->{distance} && $d >= $c->{distance} && $c->{waits} =~ $p->{pipe};
        if ($waits) { $helped->{$at}{$from} = 1; next }
        $found->{"$p->{addr} $c->{addr} raw"} = 1 if both($p->{written}, $c->{read});
        $found->{"$p->{addr} $c->{addr} waw"} = 1 if !$same && both($p->{written}, $c->{written});
        $found->{"$p->{addr} $c->{addr} war"} = 1 if !$same && both($p->{read}, $c->{written});
        my $next = $d + ($same ? 1 : 0);
        push @todo, map { [$_->[0], $next] } grep { !$_->[1] } $m->{ways}[$at]->@* if $next <= $p->{depth};
    }
}

# ... and of one out of order.
sub follow_apart ($m, $from, $found, $helped) {
    my $p = $m->{code}[$from];
    my $token = $p->{token} // -1;
    my @todo = map { [$_->[0], 1, 0] } $m->{ways}[$from]->@*;
    my %seen;
    $helped->{$from}{$from} = 1;
    while (my $state = pop @todo) {
        my ($at, $reading, $later) = @$state; # later: tokens of messages that are read after this one, a bit each
        my $c = $m->{code}[$at];
        next if $seen{"$at $reading $later"}++;
        if ($c->{dst}{$token} || ($c->{token} // -2) == $token) { $helped->{$at}{$from} = 1; next }
        if ($c->{src}{$token}) { $helped->{$at}{$from} = 1; $reading = 0 }
        if ($reading && grep { $later >> $_ & 1 } keys $c->{dst}->%*, keys $c->{src}->%*, $c->{token} // ()) {
            $helped->{$at}{$from} = 1;
            ($reading, $later) = (0, 0);
        }
        my $in_turn = $c->{apart} && $c->{channels} && $c->{channels} eq ($p->{channels} // '');
        $found->{"$p->{addr} $c->{addr} raw"} = 1 if both($p->{written}, $c->{read});
        $found->{"$p->{addr} $c->{addr} waw"} = 1 if both($p->{written}, $c->{written});
        $found->{"$p->{addr} $c->{addr} war"} = 1 if $reading && !$in_turn && both($p->{read}, $c->{written});
        if ($reading && $in_turn && $c->{message} && defined $c->{token} && both($c->{read}, $anything)) {
            $helped->{$at}{$from} = 1;
            $later |= 1 << $c->{token};
        }
        push @todo, map { [$_->[0], $reading, $later] } $m->{ways}[$at]->@*
            if $reading || both($p->{written}, $anything);
    }
}

sub follow ($m, $from, $found, $helped) {
    my $p = $m->{code}[$from];
    return if !both($p->{read} |. $p->{written}, $anything);
    follow_order($m, $from, $found, $helped) if $p->{order};
    follow_apart($m, $from, $found, $helped) if $p->{apart};
}

sub of ($code, $lanes, $pipes = 0) {
    my @insn = grep { $lanes->{ $_->{addr} } } @$code;
    my @code = map { instruction($_, $lanes->{ $_->{addr} }, 0, $pipes) } @insn;
    my %index = map { ($code[$_]{addr} => $_) } 0 .. $#code;
    my @behind = map { $_ + 1 } grep { $code[$_]{call} && $_ < $#code } 0 .. $#code;
    my %m = (pipes => $pipes, insn => \@insn, code => \@code, index => \%index, lanes => $lanes, found => {},
        helped => {}, ways => [map { [next_of(\@code, $_, \%index, \@behind)] } 0 .. $#code]);
    follow(\%m, $_, $m{found}, $m{helped}) for 0 .. $#code;
    return \%m;
}

sub without ($m, $pc) {
    my $at = $m->{index}{ hex $pc } // return;
    local $m->{code}[$at] = instruction($m->{insn}[$at], $m->{lanes}{$pc}, 1, $m->{pipes});
    my %found;
    follow($m, $_, \%found, {}) for sort keys %{ $m->{helped}{$at} // {} };
    return sort grep { !$m->{found}{$_} } keys %found;
}

# A clash for people.
sub name ($clash) {
    my ($producer, $consumer, $kind) = split / /, $clash;
    return sprintf '%s of 0x%x by 0x%x', $kind, $producer, $consumer;
}

1;
