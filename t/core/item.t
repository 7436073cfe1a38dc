#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Waves and lanes by what they mean: work-items, groups, pixels.  The answers are worked out here from the order of
# work-items (x fastest; pixels by quads), and those of registers from what kernels put into them.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use JSON::PP;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
sub all (@words) {
    my @files = ref $words[0] ? @{ shift @words } : '--demo=matmul';
    my ($out, $err) = gpudbg('--json', @files, map { ('-e', $_) } @words);
    return map { decode_json($_) } grep { /^\{/ } split /\n/, $out;
}
sub found ($type, @words) { return grep { $_->{type} eq $type } all(@words) }
sub text (@words) { my ($out, $err) = gpudbg('--demo=matmul', map { ('-e', $_) } @words); return $out . $err }

subtest 'a work-item is one lane of one wave' => sub { # 64 x 64 in groups of 16 x 16, waves of 64
    for my $at ([0, 0], [15, 3], [15, 4], [16, 0], [37, 12], [63, 63], [5, 48]) {
        my ($x, $y) = @$at;
        my $group = int($x / 16) + 4 * int($y / 16);
        my $linear = $x % 16 + 16 * ($y % 16);
        my ($item) = found('workitem', "workitem $x,$y,0");
        is_deeply [@$item{qw(wave lane global)}], [4 * $group + int($linear / 64), $linear % 64, "$x,$y,0"],
            "work-item $x,$y";
    }
    my ($item, $value) = all('workitem 37,12', 'print $v0 * 100 + $v1');
    is $item->{where}, 'matmul', 'it says where the wave is';
    like text('workitem 37,12', 'print $v0 * 100 + $v1'), qr/= 512$/m, 'its registers hold its local id, 5 and 12';
    like text('workitem 64,0'), qr/no work-item 64,0,0: the grid is 64,64,1, from 0/, 'there is no such work-item';
    like text('workitem 1,'), qr/workitem needs X, X,Y or X,Y,Z/, 'a number is missing';
    like text('workitem 1,2,3,4'), qr/more than three numbers/, 'there are too many';
    like text('pixel 1,2'), qr/does not shade pixels/, 'a compute kernel has no pixels';
};

like text('set $exec = 2', 'lane 0', 'workitem'), qr/; matmul, masked off$/m, 'a lane that is masked off says so';
unlike text('workitem'), qr/masked/, '... and others do not';

subtest 'groups' => sub {
    is((found('workitem', 'group 3,2'))[0]{wave}, 4 * (3 + 4 * 2), 'by id: its first wave');
    is((found('workitem', 'group 11'))[0]{group}, '3,2,0', 'by number');
    like text('group 4,0'), qr/no group 4,0,0: there are 4,4,1, from 0/, 'there is no such group';
    like text('group 16'), qr/no group 16: there are 16, from 0/, '... nor this';
};

subtest 'work-items by their id in a group' => sub {
    is((found('workitem', 'workitem 5,12 group 3,2'))[0]{global}, '53,44,0', 'of a group by its id');
    is((found('workitem', 'workitem 5,12 group 11'))[0]{global}, '53,44,0', '... by its number');
    is((found('workitem', 'wave 45', 'workitem 5 group'))[-1]{global}, '53,32,0', 'of the selected one');
    like text('workitem 16 group 1'), qr/no work-item 16,0,0 in a group of 16,16,1/, 'there is no such work-item';
    like text('workitem 1 group 16'), qr/no group 16: there are 16, from 0/, '... nor this group';
    like text('workitem $group.x group $group.x + 1'), qr/group 1,0,0, local 0,0,0/, 'expressions';
};

subtest 'in expressions and conditions' => sub {
    is text('workitem 37,12', map { "print $_" } qw($gid.x $gid.y $lid.x $lid.y $group.x $group.y $group $gid $lid))
        =~ s/.*?\$1 =/\$1 =/sr =~ s/\$\d+ = //gr,
        join('', map { "$_\n" } 37, 12, 5, 12, 2, 0, 2, 12 * 64 + 37, 12 * 16 + 5),
        'ids of the lane';
    is((found('lanes', 'print $gid.x[:]'))[0], undef, 'an id is no register');
    like text('print count($gid.x > 3)', 'print sum($lid)'), qr/= 48\n.*= 2016$/s, 'in functions over lanes';
    like text('print $gid.w'), qr/\$gid\.w: its parts are \.x, \.y and \.z/, 'a wrong part';
    my ($stop) = found('stop', 'break *0x17fc if $gid.x == 37 && $gid.y == 12', 'continue');
    is_deeply [@$stop{qw(wave lane)}], [4 * 2 + 3, 5], 'a breakpoint for one work-item';
    ($stop) = found('stop', 'break *0x17fc if $group.y == 2', 'continue');
    is $stop->{wave}, 32, 'a breakpoint for groups';
};

subtest 'waves by where they are' => sub {
    my ($one) = found('where', 'info where');
    is_deeply [@$one{qw(where state count waves selected)}], ['matmul', 'unstarted', 64, '0-63', '>'], 'before a run';
    my @where = found('where', 'barrier', 'info where');
    my @waves = found('wave', 'barrier', 'info waves');
    my %at;
    push @{ $at{"$_->{state} $_->{pc}"} }, $_->{wave} for @waves;
    is_deeply { map { ("$_->{state} $_->{pc}" => $_->{count}) } @where },
        { map { ($_ => scalar @{ $at{$_} }) } keys %at }, 'each wave stands in the row of its address and state';
    is join(',', map { $_->{waves} =~ s/(\d+)-(\d+)/join ',', $1 .. $2/ger } @where) =~ tr/,// + 1, 64,
        'all are listed';
    is scalar(found('wave', 'barrier', 'info waves barrier')), scalar(grep { $_->{state} eq 'barrier' } @waves),
        '`info waves barrier` lists those';
    is scalar(found('wave', 'continue', 'info waves ended')), 64, '... and `ended`';
};

subtest 'all waves by lanes: a letter for each place, in order of addresses' => sub {
    for my $demo (['--demo=collatz', 'stepi 900', 'wave 5', 'stepi 700', 'wave 9', 'stepi 30'],
        ['--demo=dg1', 'stepi 200', 'wave 3', 'stepi 90'], ['--demo=il', 'stepi 200']) {
        my ($open, @steps) = @$demo;
        my @strip = found('strip', [$open], @steps, 'info strip');
        my %last = map { ($_->{wave} => $_) } found('wave', [$open], @steps, 'info waves');
        my @waves = map { $last{$_} } sort { $a <=> $b } keys %last;
        my %pc = map { (hex $_->{pc} => 1) } grep { $_->{state} ne 'ended' } @waves;
        my $letter = 'A';
        my %letter = map { ($_ => $letter++) } sort { $a <=> $b } keys %pc;
        my %row;
        for my $row (@strip) {
            my ($from, $to) = $row->{waves} =~ /^(\d+)(?:-(\d+))?$/;
            $row{$_} = $row for $from .. $to // $from;
        }
        is_deeply [sort { $a <=> $b } keys %row], [map { $_->{wave} } @waves], "$open: each wave has a row";
        my @wrong;
        for my $wave (@waves) { # its lanes run if the wave's own list of lanes says so
            my $at = $letter{hex $wave->{pc}};
            my @lanes = found('lane', [$open], @steps, "wave $wave->{wave}", 'info lanes');
            my $want = join '', map { $_->{state} eq 'masked' ? '.' : $at } @lanes;
            push @wrong, "$wave->{wave}: $row{$wave->{wave}}{lanes}, not $want" if $row{$wave->{wave}}{lanes} ne $want;
        }
        is "@wrong", '', '... and each lane the letter of its address, or a point';
        is_deeply [map { $_->{waves} } grep { $_->{selected} } @strip],
            [$open =~ /collatz/ ? 9 : $open =~ /dg1/ ? 3 : 0], '... one of them is selected';
    }
    is_deeply [map { [@$_{qw(waves lanes where)}] } found('strip', 'continue', 'info strip')],
        [['0-63', '-' x 64, '(ended)']], 'waves that have ended are one row';
};

# The branch of the outer loop goes back to matmul+0x60, as `disassemble` has it.
like text('until *0x1810', "info $_"), qr/s_cbranch_scc0 matmul\+0x60 .*0x1810$/m, "info $_: a target has its name"
    for qw(where strip);

subtest 'pixels of AMD IL' => sub { # waves of 8 x 8, quads of 2 x 2
    open my $f, '>', "$dir/p.il" or die;
    print $f "il_ps_2_0\ndcl_input_position_interp(linear_noperspective) vWinCoord0.xy__\ndcl_output_generic o0\n",
        "mov o0, vWinCoord0\nend\n";
    close $f;
    my @launched = ([ "$dir/p.il"], 'launch -g 20,10 o0=zero:3200');
    for my $at ([0, 0], [1, 1], [7, 7], [8, 0], [13, 6], [19, 9]) {
        my ($x, $y) = @$at;
        my $wave = int($x / 8) + 3 * int($y / 8);
        my ($i, $j) = ($x % 8, $y % 8);
        my $lane = 4 * (int($i / 2) + 4 * int($j / 2)) + 2 * ($j % 2) + $i % 2;
        my @records = all(@launched, "pixel $x,$y", 'print/x $vWinCoord0.x', 'print/x $vWinCoord0.y');
        my ($item) = grep { $_->{type} eq 'workitem' } @records;
        is_deeply [@$item{qw(wave lane quad)}], [$wave, $lane, ($lane & ~3) . '-' . ($lane | 3)], "pixel $x,$y";
        is_deeply [map { unpack 'f<', pack 'V', hex $_->{value} } grep { $_->{type} eq 'value' } @records],
            [$x + 0.5, $y + 0.5], '... which the program is told';
    }
    is((grep { $_->{message} && $_->{message} =~ /no pixel 20,0,0/ } all(@launched, 'pixel 20,0')) ? 1 : 0, 1,
        'none there');
};

subtest 'pixels of gfx7' => sub {
    my @code = (0xbeeb03ff, 1, 0xbf810000, 0); # the marker of a shader, s_endpgm, and padding
    open my $f, '>:raw', "$dir/p.sb" or die;
    print $f pack('V*', @code), 'OrbShdr', pack('C V C4 V3', 7, 12 << 8, 0, 0, 0, 0, 0, 0, 0);
    close $f;
    my ($item) = found('workitem', ["$dir/p.sb"], 'launch -g 32,16 -l 8,8', 'pixel 13,6');
    is_deeply [@$item{qw(wave lane)}], [1, 4 * (2 + 4 * 3) + 1], 'lanes are quads'
        or diag explain [all(["$dir/p.sb"], 'info file', 'launch -g 32,16 -l 8,8', 'pixel 13,6')];
    ($item) = found('workitem', ["$dir/p.sb"], 'launch -g 64 -l 64', 'pixel 13,0');
    is $item->{lane}, 13, '... unless a group is one pixel high';
};
done_testing;
