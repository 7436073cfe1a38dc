#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A stranger's folder of fifty shaders in every form, opened without a flag; what each form says of stage and registers;
# what compute starts with.  The files are made here, from the layouts that emulators and toolchains publish.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my @code = (0x7e000280, 0x7e0202f2, 0xf800180f, 0x01000100, 0xbf810000);
    # v_mov_b32 v0, 0; v_mov_b32 v1, 1.0; exp mrt0 v0, v1, v0, v1 done vm; s_endpgm
my @marked = (0xbeeb03ff, 0, @code);

# Code and its record; by: where the code says that the record is, in units of 8 bytes beside the truth.
sub recorded {
    my ($type, $by, @words) = @_;
    @words = @marked unless @words;
    my $pad = @words % 2;
    $words[1] = (@words + $pad) / 2 - 1 + $by if $words[0] == 0xbeeb03ff;
    return pack('V*', @words, (0) x $pad) . 'OrbShdr' . pack('C V C4 V3', 7, $type << 2 | 4 * @words << 8, 0, 0, 0, 0,
        1, 2, 3);
}
# The graphics library's header: file header, common data, registers (RSRC1, RSRC2, three more), code behind 40 bytes.
sub headed {
    my ($type, $rsrc2, $code) = @_;
    return 'Shdr' . pack('v2 C4 V', 7, 2, $type, 10, 0, 1, 0) . pack('V v2 V*', length $code, 0, 0, 40, 0, 0x002c0041,
        $rsrc2, 8, 4, 2, 0) . $code;
}
sub block { my ($reg, @words) = @_; return pack 'v2 V*', $reg, @words - 1, @words }
sub facts { my ($file) = grep { $_->{type} eq 'file' } @_; return $file->{facts} // {} }

my @forms = (
    ['code, record where it says', 'p%d.bin', sub { recorded(0, 0) }, qr/^pixel$/],
    ['a record 8 bytes behind', 'q%d.bin', sub { recorded(1, -1) }, qr/^vertex$/],
    ['a record 8 bytes before', 'r%d.bin', sub { recorded(4, 1) }, qr/^compute$/],
    ['a record far from where it says', 's%d.bin', sub { recorded(5, 99) }, qr/^geometry$/],
    ['code without the mark, a record behind', 't%d.bin', sub { recorded(7, 0, @code) }, qr/^hull$/],
    ['a header of its own in front', 'u%d.bin', sub { pack('V*', 1 .. 20) . recorded(0, 0) }, qr/^pixel$/],
    ['the library\'s header', 'v%d.sb', sub { headed(4, 0, recorded(4, 0)) }, qr/^compute$/],
    ['... behind the compiler\'s', 'w%d.sb', sub { "\0\4" . "\0" x 34 . headed(1, 0, recorded(1, 0)) }, qr/^vertex$/],
    ['... without a record', 'x%d.sb', sub { headed(2, 0, pack 'V*', @code) }, qr/^pixel$/],
    ['code alone, a name', 'fs_0x00000000deadbee%d_0.bin', sub { pack 'V*', @code }, qr/^pixel, as the file's name/],
    ['a fetch shader', 'vs_0x1234%d.fetch.bin', sub { pack 'V*', 0xc0820700, 0xbf8c007f, 0xe00c2000, 0x80020400,
        0xbe802000 }, qr/^fetch shader/],
    ['registers with data', 'y%d.dump', sub { block(0x2c48, @code) . block(0x2c4a, 0x002c0041) . block(0x2c4b, 4) .
        block(0x2c4c, 7) . block(0x2c4e, 1 .. 64) }, qr/^vertex$/],
    ['a mark and no record', 'cs_0x77%d.bin', sub { pack 'V*', @marked }, qr/^compute, as the file's name/],
);
for my $i (0 .. 49) {
    my $form = $forms[$i % @forms];
    spill(sprintf($form->[1], int($i / @forms)), $form->[2]->());
}

subtest 'a folder of fifty' => sub {
    my @all = records($dir, commands('info folder'));
    my %of = map { $_->{name} => $_ } grep { $_->{type} eq 'code-file' } @all;
    is scalar keys %of, 50, 'all are listed';
    like $of{ sprintf $_->[1], 0 }{stage} // 'not there', $_->[3], $_->[0] for @forms;
    is scalar(grep { $_->{selected} } values %of), 1, 'one is loaded';
    my $fetch = $of{'vs_0x12340.fetch.bin'}{number};
    like facts(records($dir, commands("file $fetch", 'info file')))->{stage}, qr/^fetch shader/, 'a number loads one';
};

# s_swappc_b64 s[0:1], s[2:3] in a vertex shader: the code there is dumped beside it, under the same hash.
subtest 'a fetch shader lies beside its vertex shader' => sub {
    my $pairs = tempdir(CLEANUP => 1);
    my $put = sub { my ($name, @words) = @_; open my $f, '>:raw', "$pairs/$name" or die;
        print $f pack 'V*', @words; close $f; "$pairs/$name" };
    my @vertex = (0xbeeb03ff, 0, 0xbe802102, 0xf80008cf, 0x07060504, 0xbf810000);
    my @fetch = (0xc0840900, 0xbf8c007f, 0xe00c2000, 0x80020400, 0xbe802000);
        # s_load_dwordx4 s[8:11], s[8:9], 0x0; s_waitcnt lgkmcnt(0);
        # buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 idxen; s_setpc_b64 s[0:1]
    my $vertex = $put->('vs_0x00000000deadbeef_0.bin', @vertex);
    my $alone = $put->('vs_0x0000000000000001_0.bin', @vertex);
    $put->('vs_0x00000000deadbeef.fetch.bin', @fetch);
    $put->('fs_0x0000000000000002_0.bin', @code);
    my @all = records($vertex, commands('info file', 'info inputs', 'disassemble fetch'));
    is facts(@all)->{'fetch shader'} =~ s/ \(.*//r, 'vs_0x00000000deadbeef.fetch.bin at 0x100, called by s[2:3]',
        'the file names it';
    my @inputs = grep { $_->{type} eq 'input' } @all;
    is join(' ', map { $_->{kind} } @inputs), 'call export fetch', 'its attributes are among the inputs';
    is $inputs[2]{registers}, 'v[4:7]', '... with their registers';
    like $inputs[2]{path}, qr/s\[8:9\]/, '... and the way of their V#';
    is scalar(grep { $_->{type} eq 'insn' } @all), 4, 'its code is there by name';
    is join(' ', map { "$_->{pc} $_->{path}" } grep { $_->{type} eq 'descriptor' }
        records($vertex, commands('info resources'))), '0x108 user s[8:9] + 0x0 -> V#',
        '... and what it loads by is among the resources';
    my $buffer = pack 'V4', 0, 0, 0, 0;
    @all = records($vertex, commands('set gfx7 stage vertex', 'launch -g 64 -l 64 s[8:9]=hex:0000000000000000',
        'break *0x100', 'continue'));
    is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'breakpoint', 'a launch comes there by user data')
        or diag explain [grep { $_->{type} eq 'stop' || $_->{type} eq 'error' } @all];
    is facts(records($alone, commands('info file')))->{'fetch shader'}, undef, 'another hash has none';
    is facts(records("$pairs/fs_0x0000000000000002_0.bin", commands('info file')))->{'fetch shader'}, undef,
        'nor has a pixel shader';
    for my $bad ('', 'text', pack('V*', (0) x 20000), pack('V*', 0xbf810000)) {
        open my $f, '>:raw', "$pairs/vs_0x0000000000000001.fetch.bin" or die;
        print $f $bad;
        close $f;
        qx('@{[Gpudbg::program()]}' --batch '$alone' -e 'info file' -e 'info inputs' 2>&1);
        is $? & 127, 0, 'a file of that name that is none does no harm';
    }
};

# The same in one file of registers and their data: the call says that the table of s[2:3] is code.
subtest 'a fetch shader that the call finds' => sub {
    my @vertex = (0xbeeb03ff, 0, 0xbe802102, 0xf80008cf, 0x07060504, 0xbf810000);
    my @fetch = (0xc0840900, 0xbf8c007f, 0xe00c2000, 0x80020400, 0xbe802000);
    my $dump = sub { my ($reg, @table) = @_; return spill('called.dump', block(0x2c48, @vertex) .
        block(0x2c4b, 10 << 1) . block($reg, @table) . block(0x2c54, (0) x 64)) };
    my @all = records($dump->(0x2c4e, @fetch, 1 .. 59), commands('info file', 'info inputs', 'disassemble fetch',
        'info resources', 'launch -g 64 -l 64', 'break fetch', 'continue'));
    like facts(@all)->{'fetch shader'}, qr/^at 0x[0-9a-f]+, called by s\[2:3\]$/, 'the file names it';
    is join(' ', map { $_->{kind} } grep { $_->{type} eq 'input' } @all), 'call export fetch', 'its attributes';
    is scalar(grep { $_->{type} eq 'insn' } @all), 4, 'its code, without the rest of the table';
    is join(' ', map { $_->{path} } grep { $_->{type} eq 'descriptor' } @all), 'user s[8:9] + 0x0 -> V#',
        'its V#\'s way';
    is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'breakpoint', 'a launch comes there');
    for my $other ($dump->(0x2c50, @fetch, 1 .. 59), $dump->(0x2c4e, 1 .. 64), $dump->(0x2c4e, @vertex, 1 .. 58)) {
        is facts(records($other, commands('info file')))->{'fetch shader'}, undef, 'another table, or no such code';
    }
};

subtest 'each form alone' => sub {
    for my $form (@forms) {
        my @all = records("$dir/" . sprintf($form->[1], 0), commands('info file', 'disassemble'));
        is((grep { $_->{type} eq 'file' } @all)[0]{isa}, 'gfx7', $form->[0]);
        unlike join(' ', map { $_->{text} } grep { $_->{type} eq 'insn' } @all), qr/\.long/, '... its code alone';
    }
};

# v_mov_b32 v3, s8 .. s10 and v_mov_b32 v6, v0 .. v2: what compute starts with, if RSRC2 has 8 user registers, all
# group ids and three thread ids.
subtest 'compute starts with ids' => sub {
    my @ids = (0xbeeb03ff, 0, 0x7e060208, 0x7e080209, 0x7e0a020a, 0xbf810000);
    my $rsrc2 = 8 << 1 | 7 << 7 | 2 << 11;
    my @ask = ('launch -g 16,8,4 -l 8,4,2', 'info exports', 'wave 7', 'stepi 4', 'print $v3[0]', 'print $v4[0]',
        'print $v5[0]', 'print $v0[13]', 'print $v1[13]', 'print $v2[40]');
    my $want = '1 1 1 5 1 1'; # wave 7: group 1,1,1 of 2 x 2 x 2; lane 13 is 5,1,0; lane 40 is 0,1,1
    my $values = sub { join ' ', map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} }
        grep { $_->{type} eq 'value' } @_ };
    my @headed = records(spill('ids.sb', headed(4, $rsrc2, recorded(4, 0, @ids))), commands(@ask));
    is $values->(@headed), $want, 'as the header\'s RSRC2 says';
    is((grep { $_->{type} eq 'launch' } @headed)[0]{assumed}, 'user data is 0 in s[0:7]',
        '... and user data alone is assumed');
    my @dumped = records(spill('ids.dump', block(0x2e0c, @ids) . block(0x2e13, $rsrc2) . block(0x2e41, 99)),
        commands(@ask, 'print $s1'));
    is $values->(@dumped), "$want 99", 'as the dump\'s registers say, and user data';
    my $bare = spill('cs_0x5.bin', pack 'V*', @ids);
    my @bare = records($bare, commands(@ask));
    is $values->(@bare), '0 0 0 5 1 1', 'without RSRC2: thread ids alone';
    like((grep { $_->{type} eq 'launch' } @bare)[0]{assumed}, qr/no register has the group's ids.*rsrc2=NUMBER/,
        '... and the launch says so');
    s/^launch .*\K$/ rsrc2=$rsrc2/ for my @told = @ask;
    is $values->(records($bare, commands(@told))), $want, '... unless it is told';
};

subtest 'no size or offset is believed' => sub {
    my $status = sub { my ($bytes) = @_;
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('bad.bin', $bytes)]}' -e 'info file' -e disassemble 2>&1);
        return $? };
    for my $form (@forms) {
        my $whole = $form->[2]->();
        my $worst = 0;
        for my $at (sampled(0 .. length($whole) / 4 - 1)) {
            for my $word (0, 0xffffffff, 0x80000000) {
                my $bytes = $whole;
                substr $bytes, 4 * $at, 4, pack 'V', $word;
                my $got = $status->($bytes);
                $worst = $got if $got & 127 || !grep { $_ == $got >> 8 } 0, 1, 3;
            }
            $worst ||= $status->(substr $whole, 0, 4 * $at) & 127;
            last if $at > 40;
        }
        is $worst, 0, "$form->[0]: any word changed, any length";
    }
};

done_testing;
