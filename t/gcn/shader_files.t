#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Shaders with a record "OrbShdr": found by their first instruction, told by the record, run as bare code.  The files
# are made here, from the layout that emulators publish; words of code are LLVM's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my @code = (0x7e000280, 0x7e0202f2, 0xf800180f, 0x01000100, 0xbf810000);
    # v_mov_b32 v0, 0; v_mov_b32 v1, 1.0; exp mrt0 v0, v1, v0, v1 done vm; s_endpgm

sub shader {
    my (%o) = @_;
    my $length = 4 * (2 + @code);
    my $tables = ($o{constants} // '') . pack('C*', map { @$_ } @{ $o{slots} // [] })
        . pack('V*', (0) x ($o{masks} // 0));
    $tables = "\0" x (-($length + length $tables) % 8) . $tables;
    my $n = ($length + length $tables) / 8 - 1;
    return ($o{before} // '') . pack('V*', 0xbeeb03ff, $o{n} // $n, @code) . $tables . 'OrbShdr' .
        pack('C V C4 V3', 7, ($o{type} // 0) << 2 | ($o{length} // $length) << 8, $o{masks} // 0,
        $o{count} // scalar @{ $o{slots} // [] }, 0, 0, 0x11223344, 0x55667788, 0) . ($o{behind} // '');
}
sub run { my ($file, @commands) = @_; return records($file, commands(@commands)) }
sub facts { my ($file) = grep { $_->{type} eq 'file' } @_; return $file->{facts} // {} }

my @slots = ([0x12, 0, 0, 0], [0x17, 0, 2, 0], [0x02, 1, 4, 0], [0x00, 3, 8, 3], [0x00, 4, 4, 0], [0x01, 0, 16, 0],
    [0x7f, 2, 1, 0], [0x0a, 0, 6, 23]);
subtest 'what the record says' => sub {
    for my $case (['bare', ''], ['in a file of its own', 'Shdr' . pack('v2 C4 V', 7, 0, 2, 15, 0, 1, 0) . "\0" x 60]) {
        my ($name, $before) = @$case;
        my @all = run(spill('a.sb', shader(before => $before, slots => \@slots, masks => 1, behind => "names\0")),
            'info file', 'disassemble', 'launch -g 64 -l 64', 'stepi', 'continue', 'info exports');
        my $facts = facts(@all);
        is $facts->{stage}, 'pixel', "$name: the stage";
        is $facts->{hash}, '0x5566778811223344', '... the hash';
        is_deeply [map { $facts->{"input $_"} } 0 .. 7],
            ['fetch shader 0 in s[0:1]', 'pointer to vertex buffers 0 in s[2:3]', 'constant buffer 1 in s[4:7] (V#)',
            'resource 3 in s[8:15] (T#)', 'resource 4 in s[4:7] (V#)',
            'sampler 0 in dwords 0 to 3 of extended user data (S#)', 'usage 0x7f, not known, 2 in s1',
            'shader resource table 0 in s[6:7], 24 dwords'], '... what its registers hold';
        is join(' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @all),
            's_mov_b32 v_mov_b32 v_mov_b32 exp s_endpgm', '... its code, and no tables';
        is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'done', '... it runs');
        my ($export) = grep { ($_->{target} // '') eq 'mrt0' } @all;
        is join(' ', map { $export->{$_} } qw(x y)), '0x0 0x3f800000', '... and exports' or diag explain $export;
    }
    my @stages = ('pixel', 'vertex', 'vertex, as export shader', 'vertex, as local shader', 'compute', 'geometry',
        'copy shader after a geometry shader', 'hull', 'domain', 'domain, as export shader', 'not known');
    is facts(run(spill('b.sb', shader(type => $_)), 'info file'))->{stage}, $stages[$_],
        "stage $_" for 0 .. $#stages;
};

subtest 'what is not right' => sub {
    my $tell = sub { my ($bytes) = @_;
        my $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('c.sb', $bytes)]}' -e 'info file' 2>&1);
        return ($said, $? >> 8) };
    my ($said, $status) = $tell->(shader(length => 4096));
    like $said, qr/c\.sb: the record at 0x20 names 4096 bytes of code: only 32 precede it/, 'more code than there is';
    is $status, 3, '... is an error of the file';
    for my $case (['no code', shader(length => 0)], ['half a word', shader(length => 10)]) {
        is(($tell->($case->[1]))[1], 3, $case->[0]);
    }
    is facts(run(spill('d.sb', shader(slots => [@slots], count => 200)), 'info file'))->{inputs},
        'not there: the tables are shorter than the record says', 'more slots than there are';
};

# The code alone, or its record elsewhere: known by its beginning, if all of it is gfx7's.
subtest 'without a record' => sub {
    my $whole = shader();
    for my $case (['code alone', substr $whole, 0, 28], ['a record elsewhere', shader(n => 2)],
        ['a record that is cut off', substr $whole, 0, -1], ['a record beyond everything', shader(n => 0xffffffff)]) {
        my ($name, $bytes) = @$case;
        my @all = run(spill('e.bin', $bytes), 'info file', 'disassemble');
        is((grep { $_->{type} eq 'file' } @all)[0]{isa}, 'gfx7', $name);
        is join(' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @all),
            's_mov_b32 v_mov_b32 v_mov_b32 exp s_endpgm', '... its code';
    }
    for my $case (['no end', substr $whole, 0, 24],
        ['no instruction', substr($whole, 0, 8) . pack('V', 0x86153d04) . substr $whole, 8],
        ['two instructions alone', substr $whole, 20, 8]) {
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('f.bin', $case->[1])]}' -e 'info file' 2>&1);
        is $? >> 8, 3, "$case->[0]: not taken";
    }
};

# A later chip of the family gives reserved bits a meaning: 0xd2db0000 is no v_div_scale_f32 there.
# Without a word of the user, such code is the later chip's, as the whole of it decodes there.
sub run_gfx7 { my ($file, @commands) = @_; return records('--isa', 'gfx7', $file, commands(@commands)) }
subtest 'reserved bits' => sub {
    my $file = spill('g.bin', pack 'V*', 0xbeeb03ff, 0, 0xd2db0000, 0x040a0300, 0xbf810000);
    my @all = run_gfx7($file, 'disassemble', 'launch -g 64 -l 64', 'continue');
    my ($marked) = grep { ($_->{text} // '') =~ /reserved/ } grep { $_->{type} eq 'insn' } @all;
    like $marked->{text}, qr{^v_div_scale_f32 .* // bit 16 is reserved$}, 'are marked in the listing';
    my $stop = (grep { $_->{type} eq 'stop' } @all)[-1];
    is $stop->{reason}, 'fault', '... and stop a run';
    like $stop->{message} // '', qr/bit 16 is reserved in VOP3 on gfx7: code of another chip\?/, '... by name'
        or diag explain $stop;
    @all = run($file, 'info file', 'disassemble', 'launch -g 64 -l 64', 'continue');
    like facts(@all)->{chip}, qr/^the later console's/, 'without --isa it is known as code of the later chip';
    ok scalar(grep { ($_->{text} // '') =~ /^v_add3_u32 v0, v0, v1, v2$/ } @all), '... where it is another instruction'
        or diag explain [map { $_->{text} // () } @all];
    is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'done', '... which runs');
};

# Every reserved bit of every encoding, as the manual's drawings of the words have them: two dwords of an instruction
# without any, and the bits.
my @encodings = (
    ['DS', 0xd8d80000, 0x02000001, 16],
    ['EXP', 0xf800000f, 0x04030201, 13 .. 25],
    ['FLAT', 0xdc300000, 0x02000004, 0 .. 15, 25, 48 .. 54],
    ['MIMG', 0xf0800f00, 0x00030402, 0 .. 7, 58 .. 63],
    ['MTBUF', 0xeba30000, 0x80012100, 53],
    ['MUBUF', 0xe0301000, 0x80010100, 17, 25, 53],
    ['VOP3', 0xd2820004, 0x04080102, 12 .. 16],
    ['VOP3', 0xd2da6a00, 0x040a0300, 15, 16], # v_div_scale_f64, whose second result stands in 14:8
);
subtest 'every reserved bit of every encoding' => sub {
    for my $encoding (@encodings) {
        my ($name, $low, $high, @all) = @$encoding;
        my @bits = sampled_from($low, @all);
        my $word = $low | $high << 32;
        my @text = map { my $bit = $_; map { $_->{text} } grep { $_->{type} eq 'insn' }
            run_gfx7(spill('h.bin', pack 'V2 Q< V', 0xbeeb03ff, 0, $word ^ ($bit < 0 ? 0 : 1 << $bit), 0xbf810000),
                'disassemble') } -1, @bits;
        unlike $text[1], qr/reserved/, "$name: nothing is marked without";
        my @marked = map { m{ // bit (\d+) is reserved$} ? $1 : "none: $_" } map { $text[3 * $_ + 4] } 0 .. $#bits;
        is "@marked", "@bits", '... each bit is marked';
        my @stops = map { my ($stop) = grep { $_->{type} eq 'stop' } reverse run_gfx7(spill('h.bin',
            pack 'V2 Q< V', 0xbeeb03ff, 0, $word ^ 1 << $_, 0xbf810000), 'launch -g 64 -l 64', 'continue');
            ($stop->{message} // '') =~ /bit (\d+) is reserved in $name on gfx7: code of another chip\?/ ? $1 : 'none' }
            @bits;
        is "@stops", "@bits", '... and stops a run';
    }
};

done_testing;
