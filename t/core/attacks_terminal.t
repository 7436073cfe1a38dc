#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of a stranger that hold what a terminal obeys: escapes that write its title or the clipboard, bells, controls of
# C1 as bytes and as UTF-8, directions of writing, bytes that are not UTF-8.  None of it may come out, wherever the
# output goes, and what was there is still to be seen.  Perl's tables of Unicode say what a control is.
use strict;
use warnings;
use Encode ();
use File::Copy qw(copy);
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $gpudbg = Gpudbg::program();
my $data = "$FindBin::Bin/../data";
my ($esc, $bell) = ("\e", "\a");
# A title, the clipboard, CSI as a byte and as UTF-8, DEL, a carriage return, right to left, an isolate, a line
# separator, a surrogate, an overlong slash, the half of a character; and é and the G clef, which may pass.
my $evil = "$esc]0;owned$bell$esc]52;c;b3duZWQ=$bell\x9b31m\xc2\x9b2J\x7f\rX\xe2\x80\xaeabc\xe2\x81\xa6"
    . "\xe2\x80\xa8\xed\xa0\x80\xc0\xaf\xe2\x80 \xc3\xa9\xf0\x9d\x84\x9e";


# What of bytes a terminal would obey, or ''.
sub obeyed {
    my ($bytes) = @_;
    my $text = eval { Encode::decode('UTF-8', my $copy = $bytes, Encode::FB_CROAK) } // return 'not UTF-8: '
        . ($bytes =~ s/[^ -~\n]/sprintf '{%02x}', ord $&/ger);
    my @found = $text =~ /((?![\n\t])\p{Cc}|\p{Bidi_C}|\p{Zl}|\p{Zp})/g;
    return join ' ', map { sprintf 'U+%04X', ord } @found;
}
sub harmless { my ($bytes, $name) = @_; is(obeyed($bytes), '', $name) }
# Of a run: its results, its errors; in JSON, too.
sub all_harmless {
    my ($name, @arguments) = @_;
    my ($out, $err) = gpudbg(@arguments);
    harmless($out, "$name: results");
    harmless($err, "$name: errors");
    my ($json, $json_err) = gpudbg('--json', @arguments);
    harmless($json, "$name: JSON");
    harmless($json_err, "$name: errors beside JSON");
    is(scalar(grep { !eval { JSON::PP::decode_json($_) } } split /\n/, $json), 0, "$name: all of it is JSON");
    return ($out, $err, $json);
}

is(obeyed("a\xc3\xa9\n\tb"), '', 'plain text passes this test');
isnt(obeyed($_), '', 'this does not') for "\e", "\x9b", "\xc2\x9b", "\x7f", "\r", "\xe2\x80\xae";

subtest 'source lines' => sub {
    copy("$data/kernels/gfx7/calls-O2-g.co", "$dir/calls.co") or die;
    spill('calls.cl', join '', map { "line $_ $evil\n" } 1 .. 400);
    my ($out) = all_harmless('list', "$dir/calls.co",
        commands('list 52', 'list calls_chain', 'disassemble /s calls_chain', 'info line', 'info source'));
    like($out,
        qr/\\x1b\]0;owned\\x07\\x1b\]52;c;b3duZWQ=\\x07\\x9b31m\\u009b2J\\x7f\\x0dX\\u202eabc\\u2066\\u2028(?#
        )\\xed\\xa0\\x80\\xc0\\xaf\\xe2\\x80 \xc3\xa9\xf0\x9d\x84\x9e$/m,
        'what was there is shown, and what may pass has passed');
    ($out) = all_harmless('stop lines', "$dir/calls.co",
        commands('launch calls_chain -g 64 -l 64 zero:4096 zero:4096', 'step', 'next', 'break 60', 'continue',
        'info source', 'backtrace'));
    like($out, qr/\\x1b\]0;owned/, 'a stop shows its line');
    harmless(join('', gpudbg('--screen', '100x30', "$dir/calls.co", commands('layout split', 'list 52', 'screenshot'))),
        'the picture of a screen');
    local $ENV{LC_ALL} = 'C.UTF-8';
    harmless(join('', gpudbg('--screen', '100x30', "$dir/calls.co", commands('layout split', 'list 52', 'screenshot'))),
        '... of UTF-8');
};

subtest 'every character of the first two planes, and the tags' => sub {
    my @all = grep { $_ != 10 && $_ != 13 && ($_ < 0xd800 || $_ > 0xdfff) } 1 .. 0x1ffff, 0xe0000 .. 0xe1000;
        # ends of lines are none of a line
    my @lines;
    push @lines, Encode::encode('UTF-8', join '', '.' x (@lines % 5), map { chr } splice @all, 0, 61) while @all;
    copy("$data/kernels/gfx7/calls-O2-g.co", "$dir/calls.co") or die;
    spill('calls.cl', join '', map { "$_\n" } @lines);
    my ($out) = gpudbg("$dir/calls.co", '-e', 'list 1,' . @lines);
    my @shown = map { s/^[> ]*\d+  //r } split /\n/, $out;
    is(scalar @shown, scalar @lines, 'there is a line each');
    my @wrong;
    for my $i (0 .. $#lines) {
        my $want = Encode::decode('UTF-8', $lines[$i])
            =~ s/((?!\t)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|[\x{13439}-\x{1343f}])
                /sprintf(ord $1 < 0x80 ? '\\x%02x' : ord $1 > 0xffff ? '\\U%08x' : '\\u%04x', ord $1)/gexr;
            # the last are Cf since Unicode 15, which Perl may not know yet
        push @wrong, $i if Encode::encode('UTF-8', $want) ne $shown[$i];
    }
    is_deeply(\@wrong, [], 'what Unicode calls a control, or says to ignore, is shown, and nothing else is');
    my ($json) = gpudbg('--json', "$dir/calls.co", '-e', 'list 1,' . @lines);
    unlike(Encode::decode('UTF-8', $json), qr/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/,
        '--json has them as escapes');
    my @records = map { JSON::PP->new->utf8->decode($_) } split /\n/, $json;
    my @changed = grep { Encode::encode('UTF-8', $records[$_]{text}) ne $lines[$_] } 0 .. $#lines;
    is_deeply(\@changed, [], '... which mean what the source says');
};

# UTS 39: scripts that are mixed within a name.  The scripts of letters are Perl's.
subtest 'letters that look like those of the name around them' => sub {
    my @names = (qw(mаtmul matmulа аmatmul gρu матмул тест_1 тест_gpu ΔΔ Δx naïve file日本 ｇpu ｇｐｕ 𝐠pu),
        qw(«файл»gpu ñandú Ꭺpi),
        ('х' x 500) . 'x' . ('х' x 500));
    utf8::decode($_) for @names;
    copy("$data/kernels/gfx7/calls-O2-g.co", "$dir/calls.co") or die;
    spill('calls.cl', Encode::encode('UTF-8', join '', map { "$_ (1) $_\n" } @names));
    my ($out) = gpudbg("$dir/calls.co", '-e', 'list 1,' . @names);
    my @shown = map { s/^[> ]*\d+  //r } split /\n/, $out;
    my $like = qr/[\p{Greek}\p{Cyrillic}\p{Cherokee}]|[\x{ff21}-\x{ff5a}]|[\x{1d400}-\x{1d7ff}]/;
    for my $i (0 .. $#names - 1) {
        my $want = $names[$i];
        $want =~ s/(\p{Word}+)/my $w = $1; $w =~ m([a-zA-Z]) ? $w =~ s{($like)}{
            sprintf(ord $1 > 0xffff ? '\\U%08x' : '\\u%04x', ord $1)}ger : $w/ge;
        is($shown[$i], Encode::encode('UTF-8', "$want (1) $want"), Encode::encode('UTF-8', $names[$i]));
    }
    my ($first) = $shown[-1] =~ /^((?:х)+)(?:\\u0445)+x/;
    ok($first && length $first < 1000, 'of a name without end only what is near is looked at');
};

subtest 'names of kernels, symbols and arguments' => sub {
    my $kernels = slurp("$data/kernels/gfx7/vector_add-O2-v4.co");
    for my $name ("\e]0;x\a\x7f\x9b", "\xe2\x80\xaexy\xc2\x9bz", "\xffab\ncd\r\t", "\xed\xa0\x80\xe2\x81\xa6hi") {
        my $co = spill('named.co', $kernels =~ s/vadd_f32/$name/gr);
        all_harmless(sprintf('%vd', $name), $co,
            commands('info kernels', 'info symbols', 'info file', 'info sections', 'disassemble', 'disassemble /r',
            'launch', 'launch *0', 'list', 'info symbol *0x1700', 'break nothing', 'info line'));
        harmless(join('', gpudbg('--screen', '100x30', $co,
            commands('layout code', 'screenshot', 'layout lanes', 'screenshot'))), '... on the screen');
    }
};

subtest 'logs' => sub {
    my $log = slurp("$data/dumps/softreset.log");
    my $path = spill('evil.log', $log =~ s/$/$evil/mgr);
    all_harmless('a log', $path, commands('info dump', 'info dump -l 1-200', 'explain', 'info dump streams',
        'info dump raw', 'packets', 'info file'));
    $path = spill('inside.log', $log =~ s/(GRBM_STATUS\d?|ring 0|radeon)/$1\x9b\e[31m\xe2\x80\xae/gr);
    all_harmless('a log with escapes inside its words', $path, commands('info dump', 'explain'));
    my $state = slurp("$data/dumps/i915.txt") =~ s/(?<=[A-Za-z])$/$evil/mgr;
    all_harmless('an error state', spill('evil.txt', $state), commands('info dump', 'explain', 'packets'));
    for my $pane (qw(log decoded regs explain packets)) {
        harmless(join('', gpudbg('--screen', '100x40', $path,
            commands('layout hang', "layout $pane", "focus $pane", 'screenshot'))), "pane $pane");
    }
};

subtest 'errors' => sub {
    my $path = "$dir/$evil" =~ s{/(?=\x7f)}{}r;
    my (undef, $err) = gpudbg($path =~ s/\0//gr);
    harmless($err, 'a name that does not exist');
    like($err, qr/\\x1b\]0;owned/, '... is shown');
    harmless((gpudbg('-x', $path))[1], 'a script that does not exist');
    harmless((gpudbg("--$evil"))[1], 'an option');
    all_harmless('words of commands', commands("frobnicate$evil", "print $evil", "file $evil", "help $evil",
        "break $evil", "set $evil 1", "isa $evil", "reg $evil", "x/s $evil", "info $evil"));
    my $script = spill("script$bell", "print nowhere\n");
    harmless((gpudbg('-x', $script))[1], 'the name of a script whose line failed');
    my $il = spill('evil.il', "il_cs_2_0\n$evil\nend\n");
    all_harmless('text of an assembly language', $il, commands("assemble $il $dir/out.bin", 'disassemble'));
};

subtest 'strings and bytes of a kernel' => sub {
    my $code = spill('end.bin', pack 'V', 0xbf810000);
    my @open = ('--isa', 'gfx7', '--raw', $code);
    my $hex = unpack 'H*', "$evil\0";
    my ($out) = all_harmless('memory', @open, commands("launch -g 64 -l 64 buf0=hex:$hex", 'x/s buf0', 'x/8xb buf0',
        'x/16cb buf0', 'printf "%c%c%c\n", *(u8*)buf0, *(u8*)(buf0+30), *(u8*)(buf0+10)', 'output/c *(u8*)buf0',
        'print/c *(u8*)buf0', 'printf "%s\n", *(u8*)buf0', 'info buffers'));
    my $saved = "$dir/bytes";
    gpudbg(@open, commands("launch -g 64 -l 64 buf0=hex:$hex", "save arg buf0 $saved"));
    is(substr(slurp($saved), 0, length $evil), $evil, 'where bytes are asked for, they are the bytes');
};

subtest 'what the user spells out is sent' => sub {
    is((gpudbg('-e', 'echo \e[1mbold\e[0m\n'))[0], "\e[1mbold\e[0m\n", 'echo');
    is((gpudbg('-e', 'printf "\a%d\n", 5'))[0], "\a5\n", 'printf');
};

subtest 'a whole listing is what it was' => sub {
    my ($out) = gpudbg("$data/kernels/gfx7/calls-O2-g.co", '-e', 'disassemble');
    my @records = records("$data/kernels/gfx7/calls-O2-g.co", '-e', 'disassemble');
    my @lines = grep { /^\s/ } split /\n/, $out;
    cmp_ok(scalar @lines, '>=', scalar(grep { $_->{type} eq 'insn' } @records), 'no line is lost');
    unlike($out, qr/\\x/, 'nothing of it was written out');
};

subtest '--json --screen prints JSON alone' => sub {
    my ($out, $err) = gpudbg('--json', '--screen', '90x25', '--demo',
        commands('stepi', 'screenshot', 'layout', 'key s', 'print 1'));
    my @records = map { eval { JSON::PP::decode_json($_) } // { type => "not JSON: $_" } } split /\n/, $out;
    is_deeply([grep { /not JSON/ } map { $_->{type} } @records], [], 'every line is a record');
    my ($picture) = grep { $_->{type} eq 'screenshot' } @records;
    is_deeply([@$picture{qw(columns rows)}, scalar @{ $picture->{lines} }], [90, 25, 25], 'the picture is one');
    my ($text) = gpudbg('--screen', '90x25', '--demo', commands('stepi', 'screenshot'));
    is(Encode::encode('UTF-8', $picture->{lines}[$_]), (split /\n/, $text =~ s/\A(?:(?! matmul).*\n)+//r)[$_],
        "row $_ is that of the text") for 0 .. 15;
};

# An editor shows what it gets, its own words sent back, too.
subtest 'an editor' => sub {
    my $words = Encode::decode('UTF-8', $evil, sub { '' });
    my ($seq, $asked) = (0, '');
    for my $request (['initialize', { adapterID => $words }], [$words, {}], ['launch', { program => "$dir/$words" }],
        ['evaluate', { expression => $words }], ['evaluate', { expression => "echo $words", context => 'repl' }]) {
        my $body = JSON::PP->new->utf8->encode({ seq => ++$seq, type => 'request', command => $request->[0],
            arguments => $request->[1] });
        $asked .= sprintf "Content-Length: %d\r\n\r\n%s", length $body, $body;
    }
    local $Gpudbg::input = spill('asked', $asked);
    my ($out) = Gpudbg::run('--dap');
    my $answers = $out =~ s/Content-Length: \d+\r\n\r\n/\n/g;
    cmp_ok($answers, '>=', 5, 'it answers');
    harmless($out, 'nothing of it is sent back as it came');
};

subtest 'GPUDBG_SIMD' => sub {
    for my $wrong (qw(99 2 0 5 -1 3x avx)) {
        local $ENV{GPUDBG_SIMD} = $wrong;
        my ($out, $err, $status) = gpudbg('-e', 'print 1');
        is($status, 2, "$wrong is refused");
        is($err =~ tr/\n//, 1, '... in a line');
        like($err, qr/GPUDBG_SIMD/, '... that names it');
    }
    for my $right ('1', '3', '4', '') {
        local $ENV{GPUDBG_SIMD} = $right;
        is((gpudbg('-e', 'print 1'))[2], 0, "\"$right\" is taken");
    }
};

subtest 'a small stack' => sub {
    for my $demo (qw(matmul dg1 il mandelbrot histogram collatz)) {
        my $commands = "-e continue -e 'info waves' -e 'disassemble' -e 'info kernels'";
        my $said = `(ulimit -s 128; $gpudbg --batch --demo=$demo $commands >$dir/small 2>&1; echo status \$?)`;
        like($said, qr/^status [01]$/, "$demo runs in 128 KB");
        like(slurp("$dir/small"), qr/^Done: /m, '... to its end');
    }
};
done_testing;
