# SPDX-License-Identifier: GPL-3.0-or-later
#
# The source pane marks the lines in which breakpoints have locations: those that `info breakpoints` names.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
sub marks (@words) {
    my @e = map { ('-e', qq('$_')) } 'launch', 'layout source', @words, "screenshot $dir/shot";
    qx($gpudbg --batch --demo=matmul --screen 120x40 @e 2>&1);
    open my $f, '<', "$dir/shot" or return 'no picture';
    return {map { /^([Bb])[> ] *(\d+)  / ? ($2 => $1) : () } <$f>};
}

my $pane = qx($gpudbg --batch --demo=matmul --screen 120x40 -e 'layout source' -e screenshot 2>&1);
plan skip_all => 'no source pane' if $pane !~ /source/;
my ($pc) = qx($gpudbg --batch --json --demo=matmul -e 'break matmul' 2>&1) =~ /"pc":"(0x\w+)"/;
my ($first) = qx($gpudbg --batch --demo=matmul -e 'info line *$pc' 2>&1) =~ /:(\d+)$/m;
ok $first, 'a breakpoint has a line';
is_deeply marks(), {}, 'without breakpoints nothing is marked';
is_deeply marks('break matmul'), {$first => 'B'}, 'the line of a breakpoint is marked';
is_deeply marks('break matmul', 'disable 1'), {$first => 'b'}, '... differently when it is off';
is_deeply marks('break matmul', 'delete 1'), {}, '... and no longer when it is gone';

# A report's line: what the wave stands at is often the next one.
my $kernels = 't/data/kernels';
my @text = do { open my $f, '<', "$kernels/bugs.cl" or die; <$f> };
for (['race_local', 'out[get_global_id(0)] = p[i ^ 64]'], ['unset_local', 'out[get_global_id(0)] = p[i];']) {
    my ($kernel, $guilty) = @$_;
    my ($start) = grep { $text[$_] =~ /^kernel void $kernel\(/ } 0 .. $#text;
    my ($line) = grep { $_ > $start && $text[$_ - 1] =~ /\Q$guilty/ } 1 .. @text;
    my @e = map { ('-e', qq('$_')) } "directory $kernels", 'layout source', 'check all on',
        "launch $kernel -g 128 -l 128 zero:512 1", 'continue', 'screenshot';
    my @shot = split /\n/, qx($gpudbg --batch --screen 120x40 $kernels/gfx7/bugs-O2-g.co @e 2>&1);
    is_deeply [map { /^.[ >] *(\d+)! / ? $1 : () } @shot], [$line], "$kernel: the guilty line is marked";
}
done_testing;
