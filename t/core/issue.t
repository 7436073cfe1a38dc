#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info issue`: cycles by the rules of the model, on paper; LDS conflicts and cache lines of addresses that are known.
# Sums are those of `info stats`.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;


sub assemble (@insns) {
    my $bytes = '';
    for my $text (@insns) {
        my ($r) = grep { $_->{type} eq 'insn' } records('--isa', 'gfx7', commands("assemble /i $text"));
        $bytes .= pack 'H*', $r->{bytes};
    }
    return spill('code', $bytes);
}
my $lanes = spill('lanes', pack 'V*', 0 .. 63);
sub issue ($launch, $code, @more) {
    return [grep { $_->{type} eq 'issue' } records('--isa', 'gfx7', '--raw', $code,
        commands("launch -g 64 -l 64 v[0]=\@$lanes $launch", @more, 'continue', 'info issue'))];
}
sub row ($rows, $unit, $rule) { my ($r) = grep { $_->{unit} eq $unit && $_->{rule} eq $rule } @$rows; return $r }

# ---- LDS: 32 banks of 4 bytes, half a wave at once ----

# Lane i reads word i << shift: as many different words of one bank as there are lanes apart by 32 words.
for my $case ([2, 0], [3, 2], [4, 6], [7, 62]) {
    my ($shift, $more) = @$case;
    my $code = assemble('s_mov_b32 m0, -1', "v_lshlrev_b32 v1, $shift, v0", 'ds_read_b32 v2, v1',
        's_waitcnt lgkmcnt(0)', 's_endpgm');
    my $rows = issue('lds=32768', $code);
    my $r = row($rows, 'conflicts', 'banks');
    is($r->{cycles}, $more, 'lanes ' . (1 << $shift) . " bytes apart: $more cycles more");
    is($r->{executed}, 1, '... of one instruction');
}
my $all = assemble('s_mov_b32 m0, -1', 'v_mov_b32 v1, 0', 'ds_read_b32 v2, v1', 's_endpgm');
is(row(issue('lds=32768', $all), 'conflicts', 'banks')->{cycles}, 0, 'all lanes read one word: none');
my $apart = assemble('s_mov_b32 m0, -1', 'v_lshlrev_b32 v1, 7, v0', 'ds_read_b32 v2, v1', 's_endpgm');
is(row(issue('lds=32768', $apart, 'set model bank-lanes 64'), 'conflicts', 'banks')->{cycles}, 62,
    'the model is changed: 64 words of one bank, where two cycles would do without conflicts');

# ---- Rates ----

my $rates = issue('', assemble('v_rcp_f32 v3, v0', 'v_add_f64 v[4:5], v[2:3], v[2:3]',
    'v_rcp_f64 v[4:5], v[2:3]',
    'v_add_f32 v3, v0, v0', 's_mov_b32 s0, 1', 's_waitcnt lgkmcnt(0)', 's_endpgm'));
is(row($rates, 'vector', $_->[0])->{cycles}, $_->[1], "$_->[0]: $_->[1] cycles")
    for ['quarter', 16], ['f64', 32], ['f64-root', 64], ['vector', 4];
is(row($rates, 'scalar', 'scalar')->{executed}, 1, 'one scalar instruction');
my ($wait) = grep { $_->{unit} eq 'waits for' } @$rates;
like($wait->{what}, qr/lgkmcnt/, 'what was waited for');
ok(!defined $wait->{cycles}, '... no latency is known, so none is claimed');
my $known = issue('', assemble('s_waitcnt vmcnt(0)', 's_endpgm'), 'set model latency 300');
is((grep { $_->{unit} eq 'waits for' } @$known)[0]{cycles}, 300, '... but the user may say one');

# ---- A kernel: each executed instruction is counted once ----

my @run = ('launch matmul -g 32,32 -l 16,16 zero:4096 zero:4096 zero:4096 32', 'continue');
my @said = records('t/data/kernels/gfx7/matmul-O2.co', commands(@run, 'info issue', 'info stats'));
my ($stats) = grep { $_->{type} eq 'stats' } @said;
my $sum = 0;
$sum += $_->{executed} for grep { $_->{type} eq 'issue' && $_->{unit} !~ /^(?:conflicts|lines|waits for)$/ } @said;
is($sum, $stats->{instructions}, 'the sums are those of info stats');

# ---- Waves over time ----

my @time = grep { $_->{type} eq 'timeline' }
    records('t/data/kernels/gfx7/matmul-O2.co', commands(@run, 'info timeline'));
my ($executed, $operations, $barriers) = (0, 0, 0);
$executed += $_->{executed}, $operations += $_->{lanes}, $barriers += $_->{barriers} for @time;
is($executed, $stats->{instructions}, 'info timeline: the instructions of info stats');
is($operations, $stats->{lane_operations}, '... its lane operations');
is($barriers, 16 * 2 * 2, '... 16 waves, two barriers in a loop of two turns');
ok((grep { $_->{cells} =~ /B/ } @time), '... drawn');
# ... and of info profile, wherever the run is and whoever diverges.
for my $case (['demo', '--demo=collatz'], ['Gen12', 't/data/kernels/gen12/matmul.ze',
        'launch matmul_naive -g 32,32 -l 32,1 zero:4096 zero:4096 zero:4096 32'],
    ['AMD IL', 't/data/kernels/il/mandelbrot.il',
        'launch -g 80,24 -l 16,4 uav0=zero:1920 cb0=hex:50000000180000003c00000000000000']) {
    my ($what, $open, @launch) = @$case;
    for my $way ('stepi 137', 'continue') {
        my %sum;
        for my $r (records($open, commands(@launch, $way, 'info timeline', 'info profile'))) {
            $sum{$r->{type}}{$_} += $r->{$_} // 0 for qw(executed lanes);
        }
        cmp_ok($sum{profile}{executed} // 0, '>', 50, "$what, $way: a profile");
        is_deeply($sum{timeline}, $sum{profile}, '... info timeline has its sums');
    }
}
my @many = grep { $_->{type} eq 'timeline' } records('--isa', 'gfx7', '--raw', assemble('v_mov_b32 v1, 0', 's_endpgm'),
    commands('launch -g 640000 -l 64', 'continue', 'info timeline'));
cmp_ok(scalar @many, '<', 200, 'ten thousand waves fold');
is($many[-1]{waves} =~ s/.*-//r, 9999, '... to the last');

my ($eu) = grep { $_->{type} eq 'issue' && $_->{unit} eq 'vector' } records('t/data/kernels/gen12/matmul.ze',
    commands('launch matmul_naive -g 32,32 -l 32,1 zero:4096 zero:4096 zero:4096 32', 'continue', 'info issue'));
cmp_ok($eu->{cycles}, '>', $eu->{executed}, 'Intel: SIMD16 and 32 in pieces of eight channels');
# Each token that an instruction waits for, by the profile and the listing.
my @gen = records('t/data/kernels/gen12/matmul.ze', commands('set syntax iga',
    'launch matmul_naive -g 32,32 -l 32,1 zero:4096 zero:4096 zero:4096 32', 'continue', 'info profile', 'info issue'));
my (%waits, %by_text);
for (grep { $_->{type} eq 'profile' } @gen) {
    $by_text{$1} += $_->{executed} if $_->{text} =~ /(\$\d+\.(?:dst|src))/;
}
$waits{$_->{what}} = $_->{executed} for grep { $_->{type} eq 'issue' && $_->{unit} eq 'waits for' } @gen;
is_deeply(\%waits, \%by_text, 'Intel: waits by the token that they are for');

# Each listing has an instruction in the syntax that was chosen, as the listing of the code has it.
for my $syntax (qw(prm iga mesa)) {
    my @all = records('t/data/kernels/gen12/matmul.ze', commands("set syntax $syntax",
        'launch matmul_naive -g 32,32 -l 32,1 zero:4096 zero:4096 zero:4096 32', 'continue', 'disassemble',
        'info profile', 'info live', 'info inputs', 'origin $r30', 'info writes $r30'));
    my %code = map { ($_->{addr} => $_->{text}) } grep { $_->{type} eq 'insn' } @all;
    my (%listed, %other);
    for my $row (grep { $_->{type} ne 'insn' && $_->{text} } @all) {
        my $at = $row->{type} =~ /^(?:live|signature-register)$/ ? $row->{read} : $row->{pc};
        $listed{$row->{type}}++;
        next if $row->{text} eq $code{$at} || $row->{text} =~ /matmul_naive\+/; # the listing has labels
        $other{$row->{type}} //= "$at: $row->{text}, not $code{$at}";
    }
    is(join(' ', sort keys %listed), 'live origin profile signature-register written', "$syntax: five listings")
        or diag(explain(\%listed));
    is_deeply(\%other, {}, "$syntax: in all of them the instructions are those of disassemble");
}

like((gpudbg(commands('info issue'), 't/data/kernels/il/matmul.il'))[1], qr/no model/,
    'AMD IL has no model: it is said');

done_testing;
