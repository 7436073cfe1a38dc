#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every rule that only gfx7-pro has says where it is from: exact, from an emulator, inferred.  The rows are
# those that begin at this chip; what is exact is what share/help/gfx7-pro names.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files qw(slurp);
use Gpudbg;
use Test::More;

my $rows = slurp('decoders/gcn/ops.def');
my @names = $rows =~ /^OP\(\w+, CODES\(-1, gfx7_pro, \d+(?:, \w+, -?\d+)*\), (\w+)/mg;
cmp_ok @names, '>', 80, 'rows of gfx7-pro alone';
my %help = map { $_->{name} => $_->{doc} // $_->{description} // '' }
    grep { $_->{name} } records('--isa', 'gfx7-pro', commands(map { "help insn $_" } @names));
is_deeply [grep { ($help{$_} // '') !~ /(?:Exact: |From an emulator|Inferred from )/ } @names], [],
    'each says where its result is from';
is_deeply [sort grep { $help{$_} =~ /Exact: / } @names], [qw(v_add_f16 v_mad_mix_f32 v_sub_f16)],
    'exact are those that were seen on the chip';
is_deeply [sort grep { $help{$_} =~ /emulator/ } @names], [qw(v_add3_u32 v_and_or_b32 v_or3_b32)],
    'an emulator has three';

# Fields of one instruction of each layout; a place of a register needs no source beside the encoding's.
for my $words ('cc204000 1801f080', 'd2db0000 040e0501', 'd2210200 00020501', '7e0002f9 06060000', '7c8000f9 06060000',
    '7e0002fa ff08e401') {
    my @fields = output('--isa', 'gfx7-pro', commands("decode $words")) =~ /^ +((?:VOP3H|VOP3P|SDWA|DPP)\S* .*)/mg;
    cmp_ok @fields, '>', 8, "fields of $words";
    my @silent = grep { !/^\S+ +(?:-|[vs]dst|src[012]|encoding) / && !/exact|emulator|inferred/ } @fields;
    is_deeply \@silent, [], '... say where their rules are from';
}
done_testing;
