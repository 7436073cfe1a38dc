#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole pictures of the screen.  Each is compared with a file in t/data/screens, and what it says (position, registers,
# lanes, instructions, memory, breakpoints, waves) with --json of the same state, which comes another way.
# GPUDBG_UPDATE_SCREENS=1 writes the pictures anew: look at the difference before you believe it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg qw(gpudbg commands);
use Test::More;

delete @ENV{qw(NO_COLOR XDG_CONFIG_HOME)};
$ENV{HOME} = $dir;

sub run {
    my ($locale, @args) = @_;
    local $ENV{LC_ALL} = $locale;
    return (gpudbg(@args))[0];
}

# The picture after the commands: what the screenshot wrote.
sub picture {
    my ($locale, $size, $open, @commands) = @_;
    unlink "$dir/shot";
    run($locale, '--screen', $size, @$open, commands(@commands, "screenshot $dir/shot"));
    return slurp("$dir/shot");
}

# The records that the last command gives after the commands.
sub records {
    my ($open, $last, @commands) = @_;
    local $ENV{LC_ALL} = 'C';
    return Gpudbg::records(@$open, commands(@commands, 'echo', $last));
}

# Panes of an ASCII picture: name => [rows], as its rules cut it.
sub panes {
    my ($picture) = @_;
    my @row = split /\n/, $picture;
    my ($columns) = sort { $b <=> $a } map { length } @row;
    $_ = sprintf '%-*s', $columns, $_ for @row;
    my (%pane, @edges, %open);
    for my $y (1 .. $#row - 1) {
        my $row = $row[$y];
        if ($row =~ /^[-=][a-z]/ && (!@edges || !grep { substr($row, $_, 1) =~ /[|+]/ } @edges)) { # a new band
            @edges = ();
            push @edges, $-[0] while $row =~ /\+(?=[-=][a-z])/g;
            %open = ();
        }
        my $x = 0;
        for my $edge (@edges, $columns) {
            my $text = substr($row, $x, $edge - $x);
            if ($text =~ /^[-=]([a-z]+)/) {
                $open{$x} = $1;
                $pane{$1} = [$text];
            } elsif (defined $open{$x}) {
                push @{$pane{$open{$x}}}, $text;
            }
            $x = $edge + 1;
        }
    }
    return (\%pane, $row[0]);
}

sub hex64 { my ($text) = @_; $text =~ s/^0x//; no warnings 'portable'; return hex $text }

# What a lane's cell may say for a value.
sub says {
    my ($cell, $value) = @_;
    $cell =~ s/^\*//;
    my $bits = hex64($value);
    return 1 if $cell =~ /^-?\d+$/ && (($cell & 0xffffffff) == $bits);
    return 1 if $cell =~ /^[0-9a-f]{8}$/ && hex($cell) == $bits;
    my $real = unpack 'f', pack 'L', $bits;
    return 1 if $cell =~ /^[-+.\deinf]+$/ && $cell eq sprintf('%.7g', $real);
    return $cell =~ /e|\./ && abs($cell - $real) <= abs($real) * 1e-2;
}

sub check_lanes {
    my ($name, $rows, $open, @commands) = @_;
    my @rows = @$rows[1 .. $#$rows];
    my ($marks) = $rows[0] =~ /^ ([#.:|]+)\s*$/ ? shift @rows : '';
    my @lanes = map { s/[\[\]]//gr } grep { !/lane/ } split ' ', shift @rows;
    my $mask = hex64((grep { ($_->{name} // '') eq 'exec' } records($open, 'info registers exec',
        @commands))[-1]{value});
    if ($marks) { # who executes: a mark for one lane, or for two
        $marks =~ s/\s//g;
        my @bit = map { $mask >> $_ & 1 } 0 .. 63;
        my $want = length $marks == 64 ? join '', map { $_ ? '#' : '.' } @bit
            : join '', map { ('.', ':', '#')[$bit[2 * $_] + $bit[2 * $_ + 1]] } 0 .. 31;
        my ($here) = map { s/\D//gr } grep { /\[/ } split ' ', $rows->[2];
        substr($want, $here, 1) = $bit[$here] ? '|' : ':' if length $marks == 64;
        is($marks, $want, "$name: the line of marks says who executes");
    }
    my ($cells, $right, $masked) = (0, 0, 0);
    for (@rows) {
        my ($register, @cell) = split ' ' or next;
        my ($record) = grep { ($_->{name} // '') eq $register } records($open, "info registers $register", @commands);
        for my $i (0 .. $#cell) {
            $cells++;
            my $lane = $lanes[$i] =~ s/\.//r;
            my $active = $mask >> $lane & 1;
            $masked += !$active;
            $right += says($cell[$i], $record->{values}[$lane]) && $active == ($lanes[$i] !~ /\./);
        }
    }
    ok($cells > 0, "$name: lanes are shown");
    is($right, $cells, "$name: every lane says what --json says");
    return $masked;
}

sub check_scalar {
    my ($name, $rows, $open, @commands) = @_;
    my %value = map { $_->{name} => $_->{value} } grep { $_->{type} eq 'register' && exists $_->{value} }
        records($open, 'info registers all', @commands), records($open, 'info registers s vcc exec scc m0', @commands);
    my ($right, %shown) = (0);
    for (@$rows[1 .. $#$rows]) {
        while (/([a-z_]+\d*)\s+\*?(-?(?:0x)?[0-9a-f.]+)(?=\s|$)/g) {
            my ($register, $text) = ($1, $2);
            next unless defined $value{$register};
            $shown{$register} = $text;
            $right += $text =~ /^0x/ ? hex64($text) == hex64($value{$register}) : says($text, $value{$register});
        }
    }
    my @names = sort keys %shown;
    ok(@names > 3, "$name: scalar registers are shown");
    is($right, scalar @names, "$name: each as --json says");
    my @print = map { /^\$\d+ = (\S+)$/ ? $1 : () } split /\n/,
        (gpudbg(@$open, commands(@commands, 'echo \n', map { "print \$$_" } @names)))[0];
    is("@print[-@names .. -1]", "@shown{@names}", "$name: ... in the notation of print");
}

sub check_code {
    my ($name, $rows, $open, @commands) = @_;
    my %insn = map { $_->{addr} => $_ } grep { $_->{type} eq 'insn' } records($open, 'disassemble', @commands);
    my %break = map { $_->{addr} => $_->{state} } grep { $_->{type} eq 'breakpoint' } records($open, 'info breakpoints',
        @commands);
    my $wave = (grep { $_->{type} eq 'wave' && ($_->{selected} // '') } records($open, 'info waves', @commands))[-1];
    my ($shown, $right, $marks, $here) = (0, 0, 0, 0);
    for (@$rows[1 .. $#$rows]) {
        my ($mark, $waves, $now, $addr,
            $text) = /^(.)(.)(.)0*([0-9a-f]{3,})(?: +[0-9a-f]{8}){0,2} +(?:[v^|+] )? *(.*?)(?: +w\d.*)?\s*$/ or next;
        my $record = $insn{"0x$addr"} or next;
        $shown++;
        $text =~ s/>\z//; # goes on
        $right += index($record->{text}, $text) == 0 && length($text) > 3;
        $marks += $mark eq (!$break{"0x$addr"} ? ' ' : $break{"0x$addr"} eq 'on' ? 'B' : 'b');
        $here += $wave ? ($now eq '>') == ($wave->{pc} eq "0x$addr") : $now eq ' ';
    }
    ok($shown > 1, "$name: code is shown");
    is($right, $shown, "$name: every instruction reads as --json says");
    is($marks, $shown, "$name: B and b stand at the breakpoints");
    is($here, $shown, "$name: > stands at the selected wave's pc");
}

sub check_state {
    my ($name, $line, $open, @commands) = @_;
    my ($history) = grep { $_->{type} eq 'history' } records($open, 'info history', @commands);
    if (!$history) {
        like($line, qr/not launched|nothing loaded/, "$name: the state line says that nothing runs");
        return;
    }
    my $wave = (grep { $_->{type} eq 'wave' && $_->{selected} } records($open, 'info waves', @commands))[-1];
    my $lane = (grep { $_->{type} eq 'lane' && $_->{selected} } records($open, 'info lanes', @commands))[-1];
    my ($position) = $line =~ /step ([\d,]+)/;
    is($position =~ s/,//gr, $history->{position}, "$name: the position");
    my ($of) = $line =~ /step [\d,]+ of ([\d,]+)/;
    is(defined $of ? $of =~ s/,//gr : $history->{position}, $history->{recorded}, "$name: recorded time")
        if $history->{recorded} != $history->{position} || defined $of;
    like($line, qr{wave $wave->{wave}/}, "$name: the wave");
    like($line, qr{lane $lane->{lane}\b}, "$name: the lane");
}

sub check_fields {
    my ($name, $rows, $open, @commands) = @_;
    my $wave = (grep { $_->{type} eq 'wave' && $_->{selected} } records($open, 'info waves', @commands))[-1] or return;
    my ($insn) = grep { $_->{type} eq 'insn' && $_->{addr} eq $wave->{pc} } records($open, 'disassemble', @commands);
    my $text = join ' ', @$rows;
    $text =~ s/\s+/ /g;
    my $shown = grep { my $bits = $_->{lo} == $_->{hi} ? $_->{lo} : $_->{bits};
        $text =~ /\Q$_->{name} $bits\E / } @{$insn->{fields}};
    ok($shown > 0, "$name: fields of the instruction are shown with their bits");
    my $binary = join '', map { /^[ \[][01][01 \[\]]*$/ ? $_ : () } map { s/\s+$//r } @$rows;
    $binary =~ s/\D//g;
    my $bytes = join '', map { sprintf '%032b', unpack 'V', pack 'H8', $_ } $insn->{bytes} =~ /(.{8})/g;
    is($binary, $bytes, "$name: the ruler holds the instruction's bits") if length $binary;
}

sub check_memory {
    my ($name, $rows, $open, @commands) = @_;
    my ($base) = $rows->[0] =~ / 0x([0-9a-f]+)/ or return;
    my ($space) = $rows->[0] =~ /  (\w+) 0x/;
    my ($offset0) = $rows->[0] =~ /\+0x([0-9a-f]+)/;
    my ($shown, $right) = (0, 0);
    my $start = hex64($base) - hex64($offset0);
    my $prefix = $space eq 'lds' ? 'lds:' : '';
    my @words = map { hex64($_) } map { @{$_->{values}} } grep { $_->{type} eq 'memory' }
        records($open, sprintf('x/64xw %s0x%x', $prefix, $start), @commands);
    # In hex, or as the argument's type has it; a number's text reads back as the same bits.
    my ($form) = $rows->[0] =~ / :(f|d|ud) /;
    my $number = $form ? qr/-?[0-9][-+.0-9e]*/ : qr/[0-9a-f]{8}/;
    my $bits = { f => sub { unpack 'V', pack 'f<', $_[0] }, d => sub { $_[0] & 0xffffffff }, ud => sub { $_[0] } };
    for (@$rows[1 .. $#$rows]) {
        my ($offset, $words) = /^ ([0-9a-f]{4,})((?: +[*]?$number){1,8})(?:  |$)/ or next;
        my $at = hex($offset) / 4;
        for my $word ($words =~ /($number)/g) {
            last if $at >= @words;
            $shown++;
            $right += ($form ? $bits->{$form}->($word) : hex($word)) == $words[$at++];
        }
    }
    ok($shown > 7, "$name: memory is shown");
    is($right, $shown, "$name: every word as --json says");
}

sub check_waves {
    my ($name, $rows, $open, @commands) = @_;
    my %wave = map { $_->{wave} => $_ } grep { $_->{type} eq 'wave' } records($open, 'info waves', @commands);
    my ($shown, $right) = (0, 0);
    for (@$rows[1 .. $#$rows]) {
        my ($mark, $id, $state, $where) = /^([ >])\s*(\d+)\s+(\w+)\s+(\S+)/ or next;
        $shown++;
        $right += $wave{$id}{state} eq $state && $wave{$id}{where} eq $where && ($mark eq '>')
            == !!$wave{$id}{selected};
    }
    ok($shown > 0, "$name: waves are shown");
    is($right, $shown, "$name: each as --json says");
}

my @demo = ('--demo');
my @inner = ('break *0x17f0', 'continue', 'wave 2', 'stepi 40', 'lane 37');
my @cases = (
    # name, size, locale, how to open, commands of the program, commands of the screen
    ['entry', '80x24', 'C', \@demo, [], []],
    ['entry', '200x60', 'C', \@demo, [], []],
    ['loop', '80x24', 'C', \@demo, \@inner, []],
    ['loop', '200x60', 'C', \@demo, \@inner, []],
    ['back', '80x24', 'C', \@demo, [@inner, 'reverse-stepi 7'], []],
    ['fields', '80x24', 'C', \@demo, \@inner, ['focus fields', 'key Right Down']],
    ['masked', '80x24', 'C', ['--demo=collatz'], ['stepi 40'], ['layout lanes']],
    ['memory', '80x24', 'C', \@demo, \@inner, ['view lds:0']],
    ['keys', '80x24', 'C', \@demo, [], ['key 5 i b ?']],
    ['utf8', '80x24', 'C.UTF-8', \@demo, \@inner, []],
    ['welcome', '80x24', 'C', [], [], []],
    ['fault', '80x24', 'C', \@demo, ['launch matmul -g 64,64 -l 16,16 zero:64 zero:16384 zero:16384 64', 'continue'],
    []], ['done', '80x24', 'C', \@demo, ['continue'], ['layout memory']],
    ['small', '40x10', 'C', \@demo, \@inner, []],
    ['file', '80x24', 'C', ['share/demo/histogram.co'], [], ['key s']],
);

for my $case (@cases) {
    my ($name, $size, $locale, $open, $program, $screen) = @$case;
    my $title = "$name $size";
    my $file = "t/data/screens/$name-$size.txt";
    my $got = picture($locale, $size, $open, @$program, @$screen);
    if ($ENV{GPUDBG_UPDATE_SCREENS}) {
        open(my $f, '>', $file) or die "$file: $!";
        print $f $got;
        close $f;
    }
    is($got, slurp($file), "$title: the whole picture");
    my ($columns, $rows) = split /x/, $size;
    my @lines = split /\n/, $got, -1;
    is(scalar(@lines) - 1, $rows, "$title: as many rows as the screen has");
    unlike($got, qr/[^\x20-\x7e\n]/, "$title: ASCII only") if $locale eq 'C';
    cmp_ok((sort { $b <=> $a } map { length } @lines)[0], '<=', $columns, "$title: no row is longer than the screen")
        if $locale eq 'C';
    next if $locale ne 'C' || $name eq 'keys' || $columns < 80;
    my ($panes, $state) = panes($got);
    check_state($title, $state, $open, @$program);
    check_code($title, $panes->{code}, $open, @$program) if $panes->{code};
    next unless $state =~ /wave/;
    check_lanes($title, $panes->{lanes}, $open, @$program) if $panes->{lanes};
    check_scalar($title, $panes->{scalar}, $open, @$program) if $panes->{scalar};
    check_fields($title, $panes->{fields}, $open, @$program) if $panes->{fields};
    check_memory($title, $panes->{memory}, $open, @$program) if $panes->{memory};
    check_memory($title, $panes->{lds}, $open, @$program) if $panes->{lds} && $panes->{lds}[0] =~ /0x/;
    check_waves($title, $panes->{waves}, $open, @$program) if $panes->{waves};
}

# The keys do what their command lines do.
{
    my $by_keys = picture('C', '80x24', \@demo, 'key i', 'key i', 'key i');
    my $by_commands = picture('C', '80x24', \@demo, 'stepi', 'stepi', 'stepi');
    my ($keys, $typed) = map { join "\n", (split /\n/)[0 .. 15] } $by_keys, $by_commands;
    is($keys, $typed, 'i pressed three times shows what stepi typed three times shows');
    my $there = picture('C', '80x24', \@demo, 'stepi 30');
    my $back = picture('C', '80x24', \@demo, 'stepi 40', 'reverse-stepi 10');
    my ($a, $b) = map { [(panes($_))[0]] } $there, $back;
    is_deeply([map { s/\*/ /gr } @{$b->[0]{code}}], [map { s/\*/ /gr } @{$a->[0]{code}}],
        'stepping back shows the code as it was');
    is_deeply([sort map { s/\*//gr =~ s/\s+/ /gr } @{$b->[0]{waves}}],
        [sort map { s/\*//gr =~ s/\s+/ /gr } @{$a->[0]{waves}}], '... and the waves');
}

# Lanes and waves go round.
{
    my $last = sub { my ($open, @commands) = @_; return (split /\n/,
        run('C', '--screen', '80x24', @$open, commands(@commands)))[-1] };
    is($last->(['--demo=dg1'], 'key L', 'print $lane'), '$1 = 1', 'L goes from lane 0 to the next');
    is($last->(['--demo=dg1'], 'lane 15', 'key L', 'print $lane'), '$1 = 0', '... and round');
    is($last->(['--demo=dg1'], 'key 1 1 l', 'print $lane'), '$1 = 11', '11l selects lane 11');
    my @single = ("share/demo/matmul.co");
    my $launch = 'launch matmul -g 64,64 -l 16,4 zero:16384 zero:16384 zero:16384 64';
    is($last->(\@single, $launch, 'key W W', 'print $wave'), '$1 = 2', 'W goes to the next wave where a group has one');
    is($last->(\@demo, 'key W W W W', 'print $wave'), '$1 = 0', '... and round the group where it has four');
}

# Keys belong to panes.
{
    my $shows = sub { picture('C', '80x24', \@demo, @_) };
    like($shows->("layout $_", 'layout src', "layout $_"), qr/=$_\b/, "the layout $_ gives its pane the keys")
        for qw(lanes memory strip picture timeline);
    like($shows->('layout src'), qr/=source\b/, '... src the source, as in gdb');
    like($shows->('key C-x 0'), qr/=picture\b/, '... by its keys, too');
    like($shows->('focus prompt', 'key :', 'layout lanes', 'key Escape'), qr/=lanes\b/,
        '... from the prompt on Escape');
    like($shows->('focus lanes', 'key l l l'), qr{lane 3 }, 'l moves right in the lanes');
    like($shows->('focus lanes', 'key l l l h'), qr{lane 2 }, '... h left');
    like($shows->('key 4 j'), qr/^=code  matmul\+0x10 /m, '4j goes four instructions down');
    like($shows->('key 4 j', 'key 3 k'), qr/^=code  matmul\+0x4 /m, '... 3k three up');
    like($shows->('key b'), qr/^B >1700 /m, 'b sets a breakpoint in the code');
    unlike($shows->('focus scalar', 'key b'), qr/^B/m, '... and none where no code is under the cursor');
    like($shows->('focus scalar', 'key b'), qr/^b belongs to the panes code source breakpoints/m, '... which it says');
    like($shows->('focus code'), qr/^\?help s step .* b break y origin Tab pane :cmd$/m, 'the key bar of the code');
    like($shows->('focus lanes'), qr/^\?help L lane Enter square .* X float\b/m, '... and of the lanes');
    my ($bar) = (split /\n/, $shows->())[23];
    is($shows->('mouse click 23 ' . index($bar, 's step')), $shows->('key s'), 'a click on the key bar is the key');
    like($shows->('mouse click 8 0'), qr/^B  170c /m, 'a click in the gutter sets a breakpoint');
    like($shows->('mouse click 8 0', 'mouse click 8 0'), qr/^   170c /m, '... and deletes it');
    like($shows->('mouse click 8 10'), qr/^=code  matmul\+0xc .*\n(?:.*\n)*   170c /m,
        '... elsewhere it moves the cursor');
    my @rows = split /\n/, $shows->('focus lanes');
    my ($head) = grep { $rows[$_] =~ /lane +\[0\]/ } 0 .. $#rows;
    $rows[$head] =~ / 2 (?= *3 )/ or die $rows[$head];
    like($shows->('focus lanes', "mouse click $head $-[0]"), qr{lane 2 }, 'a click on a lane selects it');
    my $marks = $head - 1;
    my ($from, $each) = (index($rows[$marks], '#'), int(64 / length $rows[$marks] =~ s/.*?(#+)$/$1/r));
    like($shows->("mouse click $marks " . ($from + 20)), qr{lane @{[20 * $each]} }, '... on a mark, too');
    like($shows->('pane differing'), qr/lanes :a differing/, 'a command of the lanes works from another pane');
}

# All lanes in one look: 64 have a cell each in 80 columns, whatever the names; the number behind them is what `print`
# says.
for my $case (['matmul', 'wave 1'], ['il', 'wave 1'], ['il', 'lane 63']) {
    my ($demo, $where) = @$case;
    my @do = ('stepi 60', $where, 'layout lanes', 'focus lanes', 'pane heat');
    my $pane = (panes(picture('C', '80x24', ["--demo=$demo"], @do)))[0]{lanes};
    my ($exec) = map { /^ exec +([#|]*) +runs *$/ } @$pane;
    is(length $exec, 64, "$demo, $where: 64 lanes have a cell each in 80 columns");
    my %shown = map { /^.(\w+(?:\.\w)?) .* (\S+) *$/ ? ($1, $2) : () } @$pane[2 .. $#$pane];
    my ($first) = grep { $shown{$_} =~ /^-?\d+$/ && $shown{$_} } sort keys %shown;
    my ($print) = gpudbg("--demo=$demo", commands(@do[0, 1], "print \$$first"));
    like($print, qr/ = \Q$shown{$first}\E$/m, "... and $first is $shown{$first}");
}

# Lanes: only those that differ, pinned ones, one register as a square.  What each lane has is asked of --json.
{
    my @open = ['--demo=collatz'];
    my $lanes = sub { (panes(picture('C', '120x40', @open, 'stepi 60', 'layout lanes', 'focus lanes', @_)))[0]{lanes} };
    my %value = map { $_->{name} => $_->{values} } grep { $_->{type} eq 'register' && $_->{values} }
        records(@open, 'info registers v', 'stepi 60');
    my $rows = $lanes->('key u');
    my %same;
    for my $lane (0 .. 63) {
        next if $rows->[1] !~ /^ (?:.{$lane})[#|]/;
        push @{$same{join ' ', map { $value{"v$_"}[$lane] } 0 .. 7}}, $lane;
    }
    my %shown = map { /^\[?(\d+)(?:x(\d+))?/ ? ($1 => $2 // 1) : () } grep { !/lane|\./ } split ' ', $rows->[2];
    my %wanted = map { $_->[0] => scalar @$_ } values %same;
    is_deeply([map { $shown{$_} } sort keys %shown], [map { $wanted{$_} } sort keys %shown],
        'u shows a lane for each set of values, and how many have it');
    like($lanes->('lane 9', 'key *', 'lane 40')->[2], qr/^ lane +9 +(?:\d+\.? +)*\[40\]/, 'a pinned lane stands first');
    my $square = $lanes->('key j j j Enter');
    like($square->[1], qr/^ v2 .*\+7 *$/, 'Enter shows a register as a square');
    my @got = map { /^ +\d+ +(.*?)\s*$/ ? map { s/\*//r } split ' ', $1 : () } @$square[2 .. $#$square];
    is_deeply(\@got, [map { hex64($_) } @{$value{v2}}], '... of all its lanes');
}

# Numbers are rounded so far that eight lanes have room in 80 columns: each is as near print's as it says.
{
    my @open = ('t/data/kernels/gfx10/divergence-O2.co');
    my @do = ('launch nested_ifs -g 64 -l 64 zero:256 @share/demo/histogram.cl', 'stepi 30');
    my $pane = (panes(picture('C', '80x24', \@open, @do, 'layout lanes', 'focus lanes')))[0]{lanes};
    my ($row) = map { /^ v3 +(.*?) *$/ ? $1 =~ s/\*//gr : () } @$pane;
    my @shown = split ' ', $row;
    my ($print) = gpudbg(@open, commands(@do, 'print $v3[0:31]'));
    my @want = $print =~ /\{(.*)\}/ ? split(/, /, $1) : ();
    cmp_ok(scalar @shown, '>=', 8, 'eight lanes of large integers in 80 columns');
    my %of = (k => 1e3, M => 1e6, G => 1e9);
    my @far = grep { my ($n, $unit) = $shown[$_] =~ /^(-?[\d.]+)([kMG]?)$/; $n *= $of{$unit} // 1;
        abs($n - $want[$_]) > 0.005 * abs $want[$_] } 0 .. $#shown;
    is("@far", '', "... each as near as it says: $row");
}

# A square has fewer columns than a group is wide where its numbers have no room: they are those of `print`.
{
    my @do = ('stepi 200');
    my @square = (@do, 'layout lanes', 'focus lanes', 'key Enter');
    my $pane = (panes(picture('C', '80x24', ['--demo=matmul'], @square)))[0]{lanes};
    my @got = map { /^ +\d+ +(.*?)\s*$/ ? map { s/\*//r } split ' ', $1 : () } @$pane[2 .. $#$pane];
    my ($print) = gpudbg('--demo=matmul', commands(@do, 'print $v0[0:63]'));
    my @want = $print =~ /\{(.*)\}/ ? split(/, /, $1) : ();
    cmp_ok(scalar @got, '>=', 48, 'a square of floats in 80 columns');
    is_deeply(\@got, [@want[0 .. $#got]], '... has the numbers of print');
}

# What an instruction reads stands beside it as `print` says it, whoever wrote it last.
my $all = 0;
for my $demo (qw(matmul collatz histogram mandelbrot)) {
    my ($wrong, $n) = (0, 0);
    for my $steps (3, 4, 12, 24, 60, 90) {
        my $rows = (panes(picture('C', '120x40', ["--demo=$demo"], "stepi $steps")))[0]{fields};
        my ($reads) = map { /^ reads (.*?)(?:  writes.*)?$/ } @$rows;
        for (($reads // '') =~ /(?<!\S)([vs]\d+=\S+)/g) {
            my ($name, $value) = split /=/;
            my $lane = $name =~ /^v/ ? '[0]' : '';
            my ($print) = gpudbg("--demo=$demo", commands("stepi $steps", "print \$$name$lane"));
            my ($want) = $print =~ / = (\S+)$/m;
            $n++;
            $wrong++, diag "$steps: $name=$value, print $want" if $value ne $want;
        }
    }
    is($wrong, 0, "$demo: the $n registers that instructions read are those of print");
    $all += $n;
}
cmp_ok($all, '>=', 12, '... there are some');

# What is displayed, and source lines.
{
    my @open = ['--demo'];
    my $shows = sub { picture('C', '80x24', @open, @_) };
    unlike($shows->('stepi 3'), qr/[-+]display/, 'nothing displayed: no pane for it');
    like($shows->('display $s5', 'stepi 3'), qr/[-+]display-.*\n.*\| 1: \$s5 = 5$/m, 'display makes a place for it');
    like($shows->('display $s5', 'stepi 3', 'stepi'), qr/\|\*1: \$s5 = 0$/m, '... * stands where it changed');
    like($shows->('display $v0', 'focus display', 'key Enter'), qr/^\(gpudbg\) print \$v0$/m, '... Enter prints all');
    like($shows->('watch $v12', 'watch $s3', 'layout watchpoints:5;prompt:9', 'focus watchpoints',
            'key Enter Down Enter'),
        qr/^\(gpudbg\) print uniq\(\$v12\)\n(?:.*\n)? +0 +64 lanes.*\n\(gpudbg\) print \$s3\n\$\d+ = /m,
        '... of a watched register, too');
    like($shows->('display $v0[1] * 1000000000 + $s5 - $s5 + 7'), qr/\| 1: \$v0\[1\].*> = 1000000007$/m,
        '... a name gives way to its value');
    unlike($shows->('display $s5', 'undisplay 1'), qr/[-+]display/, '... and the place goes with the last one');
    like($shows->(), qr/^ {10}10: int x = get_local_id/m, 'source lines keep out of the column of addresses');
    unlike($shows->('set source-lines off'), qr/get_local_id/, '... and a setting takes them out');
}

# Sideways.
{
    my $code = sub { (panes(picture('C', $_[0], ['--demo=dg1'], 'stepi 24', @_[1 .. $#_])))[0]{code} };
    my ($want) = map { $_->{text} } grep { $_->{type} eq 'insn' && $_->{addr} eq '0x150' }
        records(['--demo=dg1'], 'disassemble', 'stepi 24');
    my $right = join "\n", map { my $n = $_; @{$code->('80x24', ('key Right') x $n)} } 0 .. 5;
    my ($end) = $want =~ /(\S+ \{.*\})$/;
    like($right, qr/0150 .*\Q$end\E\s*$/m, 'an instruction of Intel can be read to its end at 80 columns');
    like($code->('80x24', ('key Right') x 2)->[0], qr/ <16 /, '... the rule says how far it was scrolled');
    is_deeply($code->('80x24', 'key Right Right Left Left'), $code->('80x24'), '... and Left goes back');
    my $wrapped = join ' ', map { s/^\\ //r =~ s/\s+$//r } @{$code->('80x24', 'key \\')};
    like($wrapped, qr/0150 .*\Q$end\E/, '\ breaks long rows');
    like(picture('C', '80x24', ['--demo=dg1'], ('key >') x 60), qr/^nothing in pane code goes on to the right$/m,
        '> ends where the longest row does');
    like(picture('C', '80x24', \@demo, 'focus scalar', 'key >'), qr/^pane scalar has nothing beside what it shows$/m,
        '... and says where there is nothing beside');
}

# Fields lead on.
{
    my @branch = ('pane find cbranch', 'focus fields', 'key Right Right Enter');
    like(picture('C', '80x24', \@demo, @branch), qr/^-code  matmul\+0x118 /m,
        'Enter on the target of a branch shows the code there');
    like(picture('C', '80x24', \@demo, @branch, 'focus code', 'key Backspace'), qr/^=code  matmul\+0x2c /m,
        'Backspace comes back');
    like(picture('C', '80x24', \@demo, 'stepi 9', 'focus fields', 'key Right Right Enter'), qr/=lanes :a all /,
        'Enter on a register field shows the register');
    like(picture('C', '80x24', \@demo, 'focus scalar', 'pane find mode', 'key Enter'),
        qr/^-fields  mode -.*(?:.*\n)+.*ieee 9 /m, 'Enter on a register with fields shows them');
}

# Sizes of panes.
{
    my $rule = sub { my ($name, @commands) = @_; my @rows = split /\n/, picture('C', '80x24', \@demo, @commands);
        (grep { $rows[$_] =~ /^[-=]\Q$name\E/ } 0 .. $#rows)[0] };
    my $before = $rule->('fields');
    is($rule->('fields', 'key + +'), $before + 2, '+ makes the pane a row taller, twice two');
    is($rule->('fields', 'key - - -'), $before - 3, '- lower');
    is($rule->('fields', 'key + + ='), $before, '= as it was');
    is($rule->('prompt', 'focus prompt', 'key + + + ='), $rule->('prompt'), '... in every band');
    is($rule->('prompt', 'focus prompt', 'key + +'), $rule->('prompt') - 2, 'the prompt grows upwards');
    is($rule->('fields', 'focus fields', 'key z'), 1, 'z: the pane is all there is');
    is($rule->('fields', 'focus fields', 'key z z'), $before, '... and back');
}

# Odd sizes: whatever the size, a picture of that size and no crash.
for my $size (qw(20x5 21x6 40x8 79x23 81x25 132x24 131x50 1000x100 30x1000)) {
    my ($columns, $rows) = split /x/, $size;
    my $got = picture('C', $size, \@demo, 'stepi 3', 'focus next', 'key Tab Tab z z + + - } {', 'layout lanes',
        'layout memory', 'layout code');
    is(scalar(my @lines = split /\n/, $got, -1) - 1, $rows, "$size: a picture of that size");
}

# What a checker has to say begins with what is wrong: that stays in view, whatever else the report says.
{
    my @race = (['t/data/kernels/gfx7/fences-O2-g.co'], 'launch lock_no_acquire -g 512 -l 64 sum=zero:4 lock=zero:4',
        'check all on', 'key c');
    for my $size (qw(60x12 60x16 80x24 100x30 120x40 200x60)) {
        my $shown = picture('C', $size, @race);
        like($shown =~ s/\n +/ /gr, qr/^Check, wave 1 at lock_no_acquire\+0x8c.*wave 1 of group 1 loads from sum/m,
            "$size: the first line of a checker's report is there");
        like($shown, qr{wbinvl1 after|rows more: info checks$}m, '... with all of the others, or a mark');
    }
    my ($before, $after) = map { (grep { /^[-=]prompt/ } split /\n/, $_)[0] && s/[-=]prompt.*//sr }
        picture('C', '80x24', @race[0 .. 2]), picture('C', '80x24', @race, 'print 1');
    is($after =~ tr/\n//, $before =~ tr/\n//, '... and the panes are as large as they were after the next command');
}

# A register has one type, by its last writer, wherever it is shown.
{
    my @steps = ('step 60', map { "print \$v0[$_]" } 0 .. 3);
    my $picture = picture('C', '120x40', ['--demo'], @steps);
    my ($row) = $picture =~ /^.*\| ?v0 +(.*)/m;
    my @shown = map { s/^\*//r } split ' ', $row // '';
    my @printed = run('C', '--screen', '120x40', '--demo', commands(@steps)) =~ /^\$\d+ = (.*)/mg;
    is_deeply(\@printed, [@shown[0 .. 3]], 'print says the numbers of the pane beside it');
    like("@shown", qr/\d\.\d/, '... which are floats');
    my @alone = run('C', '--demo', commands(@steps)) =~ /^\$\d+ = (.*)/mg;
    is_deeply(\@alone, [@shown[0 .. 3]], 'the same without a screen');
    my @hiding = commands('step 60', 'layout code;prompt:9', 'print $v0');
    my ($hidden) = run('C', '--screen', '120x40', '--demo', @hiding) =~ /^\$1 = (.*)/m;
    is($hidden, $alone[0], 'and where no pane shows them');
}

# ---- Who diverges ----
{
    my @steps = ('stepi 900', 'wave 5', 'stepi 700', 'layout strip');
    my @strip = grep { $_->{type} eq 'strip' } records(['--demo=collatz'], 'info strip', @steps[0 .. 2]);
    my ($pane) = panes(picture('C', '80x24', ['--demo=collatz'], @steps));
    my @row = map { /^(>?) ?(\d\S*) +([A-Z.]{64})/ ? "$1$2 $3" : () } @{$pane->{strip}};
    is_deeply(\@row, [map { ($_->{selected} // '') . "$_->{waves} $_->{lanes}" } @strip],
        'the pane strip shows what `info strip` says');
    cmp_ok(@row, '>', 3, '... of several rows');
    like(join("\n", @{$pane->{strip}}), qr/^ A 14 waves  unstarted  collatz  s_load_dword/m,
        '... and what a letter means');
    ($pane) = panes(picture('C', '50x24', ['--demo=collatz'], @steps));
    my ($small) = map { /^>5 +([A-Za-z.]+)/ ? $1 : () } @{$pane->{strip}};
    my ($selected) = grep { $_->{selected} } @strip;
    my @pairs = $selected->{lanes} =~ /../g;
    my $same = join '', map { /\./ && /([A-Z])/ ? lc $1 : substr $_, 0, 1 } @pairs;
    is($small, $same, 'two lanes that share a mark: a small letter if one of them runs');
    my @moved = (@steps, 'focus strip', 'key j', 'key Enter');
    like(picture('C', '80x24', ['--demo=collatz'], @moved), qr/^ *collatz\.co gfx7  wave 6\/16/m,
        'Enter selects the row');
}

# ---- Where a register differs from the lane before ----
{
    my ($pane) = panes(picture('C', '80x24', ['--demo=collatz'], 'stepi 505', 'layout lanes', 'focus lanes',
        ('key j') x 4));
    my ($marks) = map { /^ ([#.^|:]{64})/ ? $1 : () } @{$pane->{lanes}};
    my @state = map { $_->{state} } grep { $_->{type} eq 'lane' }
        records(['--demo=collatz'], 'info lanes', 'stepi 505');
    my ($printed) = run('C', '--demo=collatz', commands('stepi 505', 'print $v3[:]')) =~ /= \{(.*)\}/;
    my @value = split /, */, $printed // '';
    my ($want, $before) = '';
    for my $lane (0 .. 63) {
        my $runs = $state[$lane] ne 'masked';
        my $other = $runs && defined $before && $value[$lane] ne $before;
        $before = $value[$lane] if $runs;
        $want .= !$lane ? ($runs ? '|' : ':') : $other ? '^' : $runs ? '#' : '.';
    }
    like($want, qr/\^.*\^/, 'a register differs from lane to lane');
    is($marks, $want, '^ marks the lanes whose value differs from the one before');
}

# ---- e replaces the old value ----
{
    my @edit = ('continue 2', 'layout lanes', 'focus lanes', ('key j') x 3, 'key e');
    my @lines = map { picture('C', '80x24', ['--demo'], @edit, map { "key $_" } @$_) } [], [qw(9 9)], [qw(Backspace 9)];
    my @offered = map { /^.*(set \$v\d+\[\d+\] = \S+)/m ? $1 : '' } @lines;
    is($offered[1], $offered[0] =~ s/= .*/= 99/r, 'what is typed after e replaces the value');
    is($offered[2], $offered[0] =~ s/.$/9/r, '... and Backspace edits it');
}

# ---- Text can be read on the ground that a theme is for ----
{
    # What xterm shows: its first eight colours (the resources color0 to color7), then the cube and the greys.
    my @first = ([0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
        [229, 229, 229]);
    my %named; @named{qw(black red green yellow blue magenta cyan white)} = 0 .. 7;
    my @steps = (0, 95, 135, 175, 215, 255);
    my $rgb = sub { my $n = $named{$_[0]} // $_[0]; $n < 8 ? $first[$n] : $n > 231 ? [(8 + 10 * ($n - 232)) x 3]
        : [map { $steps[int(($n - 16) / $_) % 6] } 36, 6, 1] };
    # Relative luminance and contrast as WCAG 2.1 defines them; 3 is what it asks of large text and of signs.
    my $linear = sub { my $c = $_[0] / 255; $c <= 0.03928 ? $c / 12.92 : (($c + 0.055) / 1.055) ** 2.4 };
    my $light = sub { my @l = map { $linear->($_) } @{ $_[0] };
        0.2126 * $l[0] + 0.7152 * $l[1] + 0.0722 * $l[2] };
    my @dark = ([0, 0, 0], [229, 229, 229]);
    for my $theme (['light', [255, 255, 255], [0, 0, 0]], ['256', @dark], ['default', @dark]) {
        my ($name, $ground, $text) = @$theme;
        my @pale;
        for (split /\n/, slurp("share/themes/$name")) {
            my ($style, $fore, $back) = m{^(\w+) +(\w+)(?:/(\w+))?} or next;
            my ($low, $high) = sort { $a <=> $b } map { $light->($_) } $fore eq 'default' ? $text : $rgb->($fore),
                $back ? $rgb->($back) : $ground;
            my $contrast = ($high + 0.05) / ($low + 0.05);
            push @pale, sprintf('%s %.1f', $style, $contrast) if $contrast < 3 && $style ne 'rule'; # a line, no text
        }
        is("@pale", '', "theme $name: every style can be read");
    }
}

# ---- gdb's words for the screen; a theme by any of them ----

{
    local $ENV{LC_ALL} = 'C';
    my @open = ('--demo=matmul', '--screen', '80x24');
    my ($out) = gpudbg(@open, commands('theme', 'set theme light', 'show theme', 'theme plain', 'theme'));
    is_deeply([$out =~ /^the theme is (\w+);/mg], [qw(default light plain)], 'set theme, and show theme says which');
    like($out, qr/chooses one of(?=.* light\b)(?=.* 256\b)(?=.* default\b)(?=.* plain\b)/, '... and which there are');
    my (undef, $err) = gpudbg(@open, commands('set theme nobody'));
    like($err, qr/nobody/, 'a theme that is none');
    my $titles = sub {
        my ($picture) = gpudbg(@open, commands(@_, 'screenshot'));
        return join ' ', map { /^[-=](\w+) /a || /^[-=](\w+)[-=]/ ? $1 : () } split /\n/, $picture;
    };
    my %by_name = map { $_ => $titles->("layout $_") } qw(src asm split regs);
    my @order = qw(src asm split regs);
    is(scalar(grep { /\w/ } values %by_name), 4, 'gdb\'s four layouts have panes');
    for my $i (0 .. 3) {
        my $name = $order[$i];
        is($titles->("layout $name", 'layout next'), $by_name{ $order[($i + 1) % 4] }, "the layout after $name");
        is($titles->("layout $name", 'layout prev'), $by_name{ $order[$i - 1] }, '... and before it');
    }
    my $rows = sub { # drawn once before, as in a terminal
        my ($picture) = gpudbg(@open, commands('screenshot', @_, 'screenshot'));
        my @row = (split /\n/, $picture)[-24 .. -1];
        my ($title) = grep { $row[$_] =~ /^[-=]prompt/ } 0 .. $#row;
        return 22 - $title;
    };
    my $usual = $rows->('focus code');
    is($rows->('winheight cmd 5'), 5, 'winheight cmd 5: so many rows');
    is($rows->('winheight cmd +2'), $usual + 2, '... +2: two more');
    like((gpudbg(@open, commands('winheight nobody 3')))[1], qr/no pane is called 'nobody'/, 'a pane that is none');
}

done_testing;
