#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: every opcode of the table, in text, as tokens of a second model, back in text, and back again.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use ILModel qw(rows lines specials assemble disassemble);
use OracleFields 'field_failures';

my $dir = tempdir(CLEANUP => 1);
my @before = (
    'mdef(3)_out(1)_in(1)', 'mov out0, in0', 'mend', 'mdef(4)_out(1)_in(0)', 'mov out0, r1', 'mend',
    'mdef(5)_out(0)_in(0)', 'mend', 'il_cs_2_0', 'dcl_literal l0, 1, 2, 3, 4', 'dcl_cb cb0[32]',
    'dcl_indexed_temp_array x1[32]', 'dcl_resource_id(3)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)',
    'dcl_raw_uav_id(3)', 'dcl_raw_srv_id(3)', 'dcl_lds_id(3) 64', 'dcl_gds_id(3) 64');
# What must stand around an opcode so that the rules hold.
my %around = (
    6 => [['whileloop'], ['endloop']], 7 => [['whileloop'], ['endloop']], 16 => [['whileloop'], ['endloop']],
    17 => [['whileloop'], ['endloop']], 39 => [['ifnz b0'], ['endif']], 41 => [['ifnz b0'], []],
    42 => [['whileloop'], []], 52 => [[], ['endif']], 53 => [[], ['endif']], 62 => [[], ['endloop']],
    105 => [['switch r1.x'], ['endswitch']], 108 => [['switch r1.x'], ['endswitch']], 109 => [['switch r1.x'], []],
    110 => [['endmain', 'func 1'], []], 50 => [['endmain'], ['endfunc']], 111 => [[], ['endif']],
    112 => [[], ['endif']], 113 => [[], ['endloop']], 114 => [[], ['endswitch']], 305 => [[], ['endphase']],
    306 => [[], ['endphase']], 307 => [[], ['endphase']], 308 => [['hs_cp_phase'], []],
    8 => [[], ['endmain', 'func 7', 'ret']], 9 => [[], ['endmain', 'func 7', 'ret']],
    103 => [[], ['endmain', 'func 7', 'ret']], 104 => [[], ['endmain', 'func 7', 'ret']],
);
my $specials = specials();
$specials->{50} = [['func 9', 50, 9]];
$specials->{40} = [['end', 40]];
$specials->{346} = [];
$specials->{345} = [];
$specials->{15} = [];
$specials->{347} = [['mcall(3) (r1), (r2.x)', 347 | 3 << 16, 1 | 1 << 16, 4 << 16 | 1, 4 << 16 | 2 | 1 << 22, 0],
    ['mcall(4) (r1) ()', 347 | 4 << 16, 1, 4 << 16 | 1], ['mcall(5)(), ()', 347 | 5 << 16, 0]];

my (undef, undef, @head) = assemble($dir, join("\n", @before, 'end', ''));
pop @head;
ok(@head > 20, 'the declarations assemble') or diag "@head";

sub hex_of (@words) { return join ' ', map { sprintf '%x', $_ & 0xffffffff } @words }

# Text to the tokens wanted, tokens to text, text to the same tokens: what is wrong, or nothing.
sub problem ($text, $open, $lines, $close) {
    my @end = $lines->[-1][0] eq 'end' ? () : 'end';
    my ($err, $status, @got) = assemble($dir, join("\n", @before, @$open, (map { $_->[0] } @$lines), @$close, @end,
        ''));
    return "$text: $err" if $status;
    my $found = hex_of(@got[@head .. $#got]);
    for my $line (@$lines) { # each behind the one before
        my ($spelled, @want) = @$line;
        my $wanted = hex_of(@want);
        my $at = index " $found ", " $wanted ";
        return "$spelled: tokens $wanted are not at the beginning of " . substr $found, 0,
            100 if $at < 0 || (@$lines > 1 && $at > 0);
        $found = substr $found, $at + 1 + length $wanted < length $found ? $at + 1 + length $wanted : length $found;
    }
    my ($again, $err2, $status2) = disassemble($dir, @got);
    return "$text: disassembles with $err2" if $status2;
    my ($err3, $status3, @twice) = assemble($dir, $again);
    return "$text: text is not taken back: $err3" if $status3;
    return "$text: other tokens after text: $again" if "@twice" ne "@got";
    return;
}

# Rows that need nothing around them stand in one program; the others have one each.
my ($model_rows, $tested, @together) = (0, 0);
for my $row (rows()) {
    $model_rows++;
    my @lines = $specials->{ $row->{number} } ? $specials->{ $row->{number} }->@* : lines($row);
    $tested += @lines;
    ok($specials->{ $row->{number} } || @lines, "$row->{name}: the model has lines") or next;
    my ($open, $close) = ($around{ $row->{number} } // [[], []])->@*;
    if (!$around{ $row->{number} } && $row->{enum} !~ /DCL|_DEF|INITV|_END|MACRO|FUNC/) {
        push @together, @lines;
        next;
    }
    my @problems = grep { defined } map { problem($_->[0], $open, [$_], $close) } @lines;
    ok(!@problems, "$row->{name}: text, tokens, text, tokens (" . @lines . ' lines)') or diag join "\n", @problems;
}
my $wrong = problem('all others', [], \@together, []);
ok(!defined $wrong, 'all others, in one program: ' . @together . ' lines') or diag $wrong;
{ # Fields give the bytes back, all of them.
    assemble($dir, join "\n", @before, (map { $_->[0] } @together), 'end');
    my ($failures, $count) = field_failures(isa => 'amdil', file => "$dir/out.bin");
    ok(!@$failures && $count->{data} == 0 && $count->{insns} > @together,
        "fields of $count->{insns} instructions cover every bit once") or diag join "\n", @$failures;
}
cmp_ok($model_rows, '==', 464, 'every row with a known layout');
note "$tested lines";
done_testing;
