#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The pane compare: two runs, positions, waves and files side by side.  What it shows is held against `print` at the
# same places, against the planted bug, and against a comparison of listings that is made here; it changes nothing.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Copy 'copy';
use File::Temp 'tempdir';
use Gpudbg;
use Pty;
use Test::More;

my $kernels = 't/data/kernels';
sub commands_of { map { ('-e', $_) } @_ }
sub shots ($size, @words) { my ($out) = gpudbg('--screen', $size, @words); return $out }
sub last_shot ($out) { return (split /^(?= \S+ (?:gfx7|gen12|amdil) )/m, $out)[-1] }

# ---- A planted bug in matmul: it is lit when the pane opens, and y and G end there ----
my @planted = ('--demo=matmul',
    commands_of('patch *0x1744 v_add_i32_e32 v6, vcc, 1, v0', 'run', 'continue', 'info hash'));
my $out = shots('80x24', @planted, commands_of('diffrun -n', 'screenshot', 'info hash'));
like $out, qr/!>1744 v_add_i32_e32 v6, vcc, 1, v0 .*!>1744 v_add_i32_e32 v6, vcc, v5, v0/,
    'diffrun opens with the first difference in both columns';
my $scene = shots('80x24', @planted, commands_of('diffrun -n', 'key y', 'screenshot', 'key G', 'screenshot',
        'info hash',
        'key s', 'key s', 'key S', 'key ]', 'key [', 'info hash'));
like $scene, qr/^> +2828 c\[0\] +6\.25 +28\.75 +flat_store_dword/m, 'y: the way back from the first store that differs';
like last_shot($scene), qr/^> +147 \$v6\[5\] +21 +788 +v_add_i32/m, '... to where it begins, with both values';
like last_shot($scene), qr/wave 3 .*\n(?:.*\n)*!>1744 /, '... and the code follows';
for ($out, $scene) {
    my %hash;
    $hash{$_}++ for /^hash (\S+)/mg;
    is scalar(keys %hash), 1, 'comparing changes nothing';
}
my $went = shots('80x24', @planted,
    commands_of('diffrun -n', 'key y', 'key G', 'key Enter', 'info history', 'print $_lane'));
like $went, qr/^position 147 of 45760/m, 'Enter goes there';

# ---- Two positions: the values are those of print at each of them ----
for (['gfx7', ['--demo=matmul'], 20, 60], ['AMD IL', ['--demo=il'], 2, 20], ['Gen12', ['--demo=dg1'], 10, 40]) {
    my ($isa, $open, @at) = @$_;
    my ($text) = gpudbg(@$open, commands_of('continue', "diff positions @at"));
    my @rows = $text =~ /^  (\$\w[\w.]*(?:\[\d+\])?) +(\S+) \| (\S+)/mg;
    cmp_ok scalar @rows, '>=', 3, "$isa: a register a line";
    cmp_ok scalar(() = $text =~ /\n/g), '<', 60, '... few lines';
    my $wrong = 0;
    while (my ($name, @value) = splice @rows, 0, 3) {
        for my $i (0, 1) {
            my ($said) = gpudbg(@$open, commands_of('continue', "goto $at[$i]", "print/x $name"));
            my ($bits) = $said =~ /= (0x[0-9a-f]+)/ or next;
            next if $value[$i] =~ /\./; # floats are held against print below
            my $is = $value[$i] =~ /^0x/ ? hex $value[$i] : $value[$i] & 0xffffffff;
            $wrong++, note "$name at $at[$i]: $value[$i], $bits" if ($is & 0xffffffff) != (hex($bits) & 0xffffffff);
        }
    }
    is $wrong, 0, '... with the values of print';
    my @lines = records($open->[0], commands_of('continue', "diff positions @at"));
    cmp_ok scalar(grep { $_->{type} eq 'state-difference' } @lines), '>', 3, '... and records as before';
    my ($hash) = gpudbg(@$open,
        commands_of('continue', 'info hash', "diff positions @at", 'diff waves 0 1', 'info hash'));
    my @hash = $hash =~ /^hash (\S+)/mg;
    is $hash[0], $hash[1], '... changing nothing';
}

# ---- Two positions far apart: each column has its own next instruction, and Backspace goes back to the values ----
my $apart = shots('80x24', '--demo=matmul',
    commands_of('continue', 'diff positions 5 200', 'screenshot', 'key y', 'key Backspace', 'screenshot', 'info hash'));
my ($before, $after) = $apart =~ /^(.*compare .*\n(?:.*\n)+?)(?=\S*prompt)/mg;
like $before, qr/compare  wave 0 at 5 \| wave 0 at 200 /, 'positions are named by their waves';
for my $i (0, 1) {
    my ($said) = gpudbg('--demo=matmul', commands_of('continue', 'goto ' . (5, 200)[$i], 'print/x $pc'));
    my ($pc) = $said =~ /= 0x([0-9a-f]+)/;
    like $before, $i ? qr/ \S{1,3}[ !]>$pc / : qr/^[ !]>$pc /m, "... and where it stands: $pc";
}
is $after, $before, 'y, then Backspace: the same values at the same positions';

# ---- Doubles of two registers are one value, also where their low halves are equal ----
{
    my ($text) = gpudbg('--demo=il', commands_of('continue', 'diff positions 2 20',
        map { ("goto $_", 'print $r6.x[0]', 'print $r7.x[0]') } 2, 20));
    my @is = $text =~ /^\$\d+ = (.*)/mg;
    like $text, qr/^  \$r6\.x\[0\] +0\.0 \| \Q$is[2]\E   and /m, "a double: $is[2]";
    like $text, qr/^  \$r7\.x\[0\] +0\.0 \| \Q$is[3]\E   and /m, "... $is[3]";
    like "$is[2] $is[3]", qr/^-?\d+\.\d+ -?\d+\.\d+$/, '... as print has them';
    unlike $text, qr/^  \$r[67]\.y/m, '... and no half of one';
}

# ---- y on a value: the chain begins with it, and with what print says of it at each of the two positions ----
for (['gfx7', '--demo=matmul', 150, 186], ['AMD IL', '--demo=il', 2, 20]) {
    my ($isa, $open, @at) = @$_;
    my $why = last_shot(shots('120x40', $open,
        commands_of('continue', "diff positions @at", 'focus compare', 'key j', 'key y', 'screenshot')));
    my ($name, @shown) = $why =~ /what \S+ comes from .*\n[> ] +\d+ (\$\S+) +(\S+) +(\S+) /;
    ok $name, "$isa: y opens the chain of causes" or diag $why;
    my ($said) = gpudbg($open, commands_of('continue', map { ("goto $_", "print $name") } @at));
    is_deeply \@shown, [$said =~ /^\$\d+ = (.*)/mg], "... with both values of $name";
}

# ---- Lock step: another constant first matters to wave 15 ----
my $next = shots('80x24', '--demo=dg1', commands_of('continue', 'diffrun -- climb -g 256 -l 64 zero:2048 249', 'key ]',
        'screenshot', 'key s', 'screenshot'));
like $next, qr/at [\d,]+ wave 15 .*\n(?:.*\n)*.>0058 cmp \(16\|M0\) \(lt\)f0\.1/, '] goes to the compare of wave 15';
like last_shot($next), qr/\$f0\b/, '... behind it the flags differ';

# ---- Two builds: rows are aligned, and those of equal text are not marked ----
my ($code) = gpudbg("$kernels/gfx7/matmul-O2.co", commands_of("diff code $kernels/gfx7/matmul-O0.co"));
my @rows = $code =~ /^([! ])(.{44}) \| (.*)$/mg;
my ($bad, $n) = (0, 0);
while (my ($mark, $left, $right) = splice @rows, 0, 3) {
    s/^.[0-9a-f]{4} //, s/ +\z// for $left, $right;
    $bad++ if ($mark eq '!') != ($left ne $right);
    $n++;
}
cmp_ok $n, '>', 50, 'diff code prints rows';
is $bad, 0, '... marked where they differ';
like shots('100x30', "$kernels/gfx7/matmul-O2.co",
    commands_of("diff code $kernels/gfx7/matmul-O0.co", 'key ]', 'screenshot')),
    qr/compare  matmul-O2\.co \| matmul-O0\.co/, '... and the pane has both';
# A kernel that one of the files lacks is an error, never another kernel.
for (['reduce-O2.co nosuch', qr/matmul-O2\.co has no kernel "nosuch"/],
    ['reduce-O2.co matmul', qr/reduce-O2\.co has no kernel "matmul"/],
    ['reduce-O2.co', qr/reduce-O2\.co has no kernel "matmul_naive"/]) {
    my ($words, $want) = @$_;
    like join('', gpudbg("$kernels/gfx7/matmul-O2.co", commands_of("diff code $kernels/gfx7/$words"))), $want,
        "diff code $words";
}
# The key bar offers no step, no question and no way back, where only code is compared.
my $bar = (split /\n/, last_shot(shots('80x24', "$kernels/gfx7/matmul-O2.co",
    commands_of("diff code $kernels/gfx7/matmul-O0.co", 'focus compare', 'key j', 'screenshot'))))[-1];
like $bar, qr/\]next difference/, 'code alone: the key bar has ]';
unlike $bar, qr/\bboth\b|\bwhy\b|\bvalues\b|go there/, '... and no keys that say that nothing runs';
is((gpudbg('--demo=matmul', commands_of('diff code share/demo/matmul.co')))[0] =~ /^0 of \d+ rows differ$/m ? 1 : 0, 1,
    'code is equal to itself');
like +(gpudbg('--screen', '80x24', '--demo=matmul', commands_of('layout compare', 'screenshot', 'key s')))[0],
    qr/nothing is compared/, 'without anything to compare it says so';

# ---- --stats-diff on a terminal asks for a kernel and opens the pane with both files; a pipe is not asked ----
my $dir = tempdir(CLEANUP => 1);
for (['old 1', 'O2'], ['new', 'O0']) {
    my ($folder, $level) = @$_;
    mkdir "$dir/$folder" or die;
    copy("$kernels/gfx7/$_-$level.co", "$dir/$folder/$_.co") or die for qw(matmul scan);
}
my @both = ('--stats-diff', "$dir/old 1", "$dir/new");
my ($rows) = gpudbg(@both);
my %env = (HOME => $dir, GPUDBG_DATA => $ENV{GPUDBG_DATA} // 'share');
my $program = $ENV{GPUDBG} // 'build/gpudbg';
SKIP: {
    my $t = terminal(\%env, $program, @both) or skip 'no pseudo-terminals', 1;
    ok sees($t, qr/side by side \(Enter: (\w+); a number or a name; q ends\): /), 'on a terminal it asks';
    like $t->{text} =~ s{\r}{}gr, qr{\Q$rows\E}, "... behind the same results";
    type_($t, "nosuch\n");
    ok sees($t, qr/no kernel "nosuch"/), '... again after a wrong answer';
    type_($t, "scan_inclusive\n");
    ok sees($t, qr{old 1/scan\.co \| new/scan\.co}), 'a name opens the pane compare with both files';
    ok sees($t, qr/\d+ of \d+ rows differ/), '... and what differs in their code';
    settles($t, 10);
    type_($t, ':quit\n' =~ s/\\n/\r/r);
    finish($t, 10);
    is $t->{status} >> 8, 1, '... and the exit status still says that numbers differ';
    for (['q', "q\n"], ['the end of input', "\cD"]) {
        my $again = terminal(\%env, $program, @both);
        sees($again, qr/q ends\): /);
        type_($again, $_->[1]);
        finish($again, 10);
        is $again->{status} >> 8, 1, "$_->[0] ends it";
        unlike $again->{text}, qr/rows differ/, '... without a screen';
    }
    for my $quiet ('--batch', '--json') {
        my $no = terminal(\%env, $program, $quiet, @both);
        finish($no, 20);
        is $no->{status} >> 8, 1, "$quiet: it is not asked";
        unlike $no->{text}, qr/side by side/, '... at all';
    }
}
done_testing;
