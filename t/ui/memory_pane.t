#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The pane memory: elements of the argument's type, rows of a width, records, finding, editing, comparing.  What is
# shown is held against the file that the buffer was filled from.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $share = "$FindBin::Bin/../../share";
my @a = unpack 'f<*', slurp("$share/demo/matmul_a.bin");
my @b = unpack 'f<*', slurp("$share/demo/matmul_b.bin");

# The rule and the rows of the pane after some commands, and what went wrong.
sub pane ($open, @commands) {
    my ($out, $err) = gpudbg(@$open, '--screen', '80x30', map { ('-e', $_) } 'layout memory', 'focus memory', @commands,
        'screenshot');
    my @lines = split /\n/, $out;
    my ($first) = grep { $lines[$_] =~ /memory  \S+\+0x/ } 0 .. $#lines;
    my @rows = @lines[$first .. $#lines];
    my ($last) = grep { $rows[$_] =~ /^[^ a-z]*prompt[^ a-z]/ } 0 .. $#rows;
    return { title => $rows[0], rows => [@rows[1 .. $last - 1]], err => $err, all => $out };
}
sub numbers ($row) { return $row =~ /^ \S+ +(.*?)(?:  \S{8,})?$/ ? split(/ +/, $1) : () }
my $demo = ['--demo=matmul'];

subtest 'elements of the argument' => sub {
    my $p = pane($demo, 'pane segment +');
    like $p->{title}, qr/a\+0x0 .* :f /, 'floats, because the kernel says so';
    is_deeply [numbers($p->{rows}[1])], [map { real($_) } @a[4 .. 7]], 'are those of the file';
    like pane($demo, 'pane segment +', 'pane right', 'pane right')->{title}, qr/a\+0x8 /, 'Right goes on by one';
    like pane($demo, 'pane segment +', 'pane format uw', 'pane right')->{title}, qr/a\+0x2 .* :uw/, 'of any size';
    like pane($demo, 'pane segment +', 'pane format x')->{rows}[0], qr/^ 0000  c1000000 bf800000/, 'hex on demand';
    like pane($demo, 'pane segment +', 'pane format x', 'pane format a')->{title}, qr/:f /, 'and back';
    is scalar numbers(pane($demo, 'pane segment +', 'pane width 8')->{rows}[0]), 2, 'as many a row as asked for';
    like pane($demo, 'pane width 999')->{err}, qr/1 to 256 bytes/, 'within reason';
    like pane($demo, 'pane segment -', 'pane segment +')->{title}, qr/ c\+0x0 /, 'there and back';
};

subtest 'records' => sub {
    my $p = pane($demo, 'pane segment +', 'pane type float4', 'pane down', 'pane right');
    like $p->{rows}[0], qr/^ +x +y +z +w$/, 'names';
    like $p->{rows}[3], qr/^ \[2\] +@{[join ' +', map { real($_) } @a[8 .. 11]]}$/, 'a record a row';
    like $p->{title}, qr/a\+0x14 .* :float4/, 'the cursor moves by records and fields';
    $p = pane($demo, 'pane segment +', 'pane type float2,uint', 'pane down');
    like $p->{rows}[0], qr/^ +a\.x +a\.y +b$/, 'a list of types';
    like $p->{title}, qr/a\+0x10 /, 'aligned as C does';
    like $p->{rows}[2], qr/^ \[1\] +@{[join ' +', real($a[4]), real($a[5]), unpack 'V', pack 'f<', $a[6]]}$/,
        '... read as such';
    like pane($demo, 'pane type nonsense')->{err}, qr/"nonsense" is not a type; float4/, 'what is no type';
    # Whichever pane an action reaches, its error says which one that was; a pane that is named is not exchanged for
    # one that has the action.
    for (['type nonsense', 'memory'], ['width 999', 'memory'], ['code type float4', 'code'],
        ['scalar width 4', 'scalar'], ['lanes compare b', 'lanes'], ['memory pin', 'memory'],
        ['memory operand 1', 'memory'],
        ['lanes format nonsense', 'lanes'], ['picture width 0', 'picture'], ['picture type nonsense', 'picture'],
        ['operand none', 'code']) {
        my ($action, $named) = @$_;
        like pane($demo, "pane $action")->{err}, qr/^gpudbg: (?:[^\n]*: )?pane \Q$named\E\b/m, "pane $action";
    }
    like pane($demo, 'pane type float4', 'pane type')->{title}, qr/:f /, 'without a type, elements again';
};

subtest 'finding' => sub {
    my ($second) = grep { $a[$_] == $a[0] && $_ } 0 .. $#a;
    like pane($demo, 'pane segment +', "pane find $a[0]")->{title}, qr/a\+0x@{[sprintf '%x', 4 * $second]} /,
        'a number is a float here';
    like pane($demo, 'pane segment +', 'pane find hex:00004040')->{title}, qr/a\+0x10 /, 'bytes';
    like pane($demo, 'pane segment +', 'pane find 0x40400000')->{title}, qr/a\+0x10 /, 'a word';
    like pane($demo, 'set *(u32*)(a+200) = 0x7fc00000', 'pane segment +', 'pane find nan')->{title},
        qr/a\+0xc8 /, 'NaN';
    like pane($demo, 'set c[7] = 1', 'pane find nonzero')->{title}, qr/c\+0x1c /, 'not zero';
    like pane($demo, 'set *(u32*)(c+64) = 0x64636261', 'pane find "bcd"')->{title},
        qr/c\+0x40 /, 'text, in its element';
    my $other = spill('other.bin', pack 'f<*', @a[0 .. 99], 12345, @a[101 .. $#a]);
    like pane($demo, 'pane segment +', "pane find differs $other")->{title}, qr/a\+0x190 /, 'what differs from a file';
    my @at = grep { $a[$_] == 3 } 0 .. $#a;
    like pane($demo, 'pane segment +', 'pane find 3', 'pane find-next', 'pane find-previous')->{title},
        qr/a\+0x@{[sprintf '%x', 4 * $at[0]]} /, 'on, and back';
    like pane($demo, 'pane segment +', 'pane find-previous')->{err}, qr/nothing was searched/, 'not before the first';
    like pane($demo, 'pane find 77')->{err}, qr/77: nothing like it is in c/, 'what is not there';
    like pane($demo, 'pane find b')->{title}, qr/ b\+0x0 /, 'the name of a buffer goes there';
};

subtest 'two buffers' => sub {
    my $p = pane($demo, 'pane segment +', 'pane compare b');
    my @marks = map { [/(\^?)-?\d[.\d]*(?= |$)/g] } map { s/^ \S+ //r =~ s/  \S{16}$//r } @{ $p->{rows} }[0 .. 3];
    is_deeply [map { @$_ } @marks], [map { $a[$_] == $b[$_] ? '' : '^' } 0 .. 15], 'what differs is marked';
    like $p->{title}, qr/a\+0x0 \[0\]  b: \Q$b[0]\E  /, 'and the other value is in the title';
    my ($same) = grep { $a[$_] == $b[$_] } 0 .. $#a;
    my ($next) = grep { $_ > $same && $a[$_] != $b[$_] } 0 .. $#a;
    my ($first) = grep { $a[$_] != $b[$_] } 0 .. $#a;
    my $goto = sprintf 'pane goto a+%d', 4 * $same;
    like pane($demo, $goto, 'pane compare b', 'pane find differs')->{title}, qr/a\+0x@{[sprintf '%x', 4 * $first]} /,
        'a search for differences begins at element 0, wherever the cursor is';
    like pane($demo, 'pane compare b', 'pane find differs', $goto, 'pane find-next')->{title},
        qr/a\+0x@{[sprintf '%x', 4 * $next]} /, '... and goes on from the cursor';
    like pane($demo, $goto, 'pane find differs b')->{title},
        qr/a\+0x@{[sprintf '%x', 4 * $first]} \[$first\]  b: /, '... of a buffer that is named';
    like pane($demo, 'pane find differs')->{err}, qr/compare with a buffer/, 'of what?';
    like pane($demo, 'pane compare nobody')->{err}, qr/no memory is called 'nobody'/, 'a name that is none';
};

subtest 'editing' => sub {
    like pane($demo, 'pane segment +', 'pane right', 'edit')->{all}, qr/\(gpudbg\) set a\[1\] = -1\.0\n/,
        'the prompt has the command with the value';
    like pane($demo, 'pane segment +', 'pane format x', 'edit')->{all},
        qr/set \*\(u32\*\)\(a\+0x0\) = 0xc1000000\n/, 'hex';
    like pane($demo, 'pane segment -', 'pane find lds', 'edit')->{all}, qr/set \*\(u32\*\)lds:0x0 = 0x/, 'LDS';
};

subtest 'named at the prompt, before it was ever drawn' => sub {
    my @acts = ('layout code', 'pane memory width 8', 'pane memory segment +', 'pane memory format x');
    my ($out, $err) = gpudbg(@$demo, '--screen', '80x30', map { ('-e', $_) } @acts, 'layout memory', 'screenshot');
    is $err, '', 'nothing is refused';
    like $out, qr/memory  a\+0x0 /, 'the segment was chosen';
    like $out, qr/^ 0000  c1000000 bf800000 /m, 'the form, too';
};

done_testing;
