#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `save session FILE` and `gpudbg FILE`: what was open is open again.  A session that is opened must say of itself what
# the one that was saved said: `info hash` and the lists of everything.
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Copy qw(copy);
use File::Glob ':bsd_glob'; # a blank in a path is part of it
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $demo = "$dir/demo"; # words of commands are not quoted below, and the path may have blanks
symlink abs_path("$FindBin::Bin/../../share/demo"), $demo or die;
sub spew { my ($path, $bytes) = @_; open my $f, '>:raw',
    $path or die "$path: $!"; print $f $bytes; close $f; return $path }
sub text_of { return slurp($_[0]) =~ /\A(.*?^end\n)/ms ? $1 : '' }

my @ask = ('info hash', 'info history', 'info breakpoints', 'info display', 'info bookmarks', 'info notes',
    'info patches',
    'info registers pc', 'wave', 'lane', 'info checkers', 'info device');

# Saves after these commands; what is asked must have the same answers before and after, also once more.
sub same {
    my ($name, $options, @commands) = @_;
    my $file = "$dir/session";
    unlink $file;
    my ($before, $said, $status) = gpudbg(@$options, commands(@commands, 'echo ====\n', @ask, "save session $file"));
    $before =~ s/.*====\n//s;
    $before =~ s/^\S+: \d+ bytes\n\z//m;
    ok(-s $file, "$name: a session is saved") or diag $said;
    my ($after, $problem) = gpudbg($file, commands('echo ====\n', @ask, "save session $file.2"));
    my ($opened) = $after =~ s/\A(.*)====\n//s ? $1 : '';
    $after =~ s/^\S+: \d+ bytes\n\z//m;
    s/ *\(off\) print.*//, s/ +print 1$//mg, s/ +commands$//mg for $before, $after;
    $before =~ s{t/data/dumps/}{}g; # a session has the base name
    is($after, $before, "$name: ... and opens as it was") or diag $problem;
    is(text_of("$file.2"), text_of($file), "$name: ... and is saved again as it was");
    return ($file, $opened);
}

my @matmul = ('launch matmul -g 64,64 -l 16,16 zero:16384 @' . "$demo/matmul_a.bin \@$demo/matmul_b.bin 64");
my ($file) = same('a launch', ["$demo/matmul.co"], 'patch matmul+0x34 s_nop 0', @matmul, 'stepi 100', 'wave 2',
    'stepi 30', 'set $v0[3] = 7', 'barrier',
    'break matmul+0x100 wave 4 if $v0[3] > 2', 'commands', 'print 1', 'end', 'watch *(f32*)(c+4*645)',
    'watch $v0[37]', 'lane 5', 'watch $v2', 'catch barrier if $pc > 0', 'catch nan', 'disable 6',
    'tbreak matmul+0x24', 'rwatch a,16', 'disable 3', 'ignore 2 5', 'continue', 'display/x $v0', 'display $s[4:7]',
    'bookmark first', 'bookmark loop matmul+0x100', 'note look at "this"', 'goto 20000', 'set *(f32*)a = 1.5',
    'set $pc = matmul+0x104', 'delete 4', 'goto 3000', 'check race on', 'lane 9', 'set syntax default',
    'goto 2900');
cmp_ok(-s $file, '<', 6000, 'a session is small: two matrices of 16 KB, code, and a run of 20,000 instructions');

# In another folder, without the files that it came from.
mkdir "$dir/other";
copy($file, "$dir/other/sent");
my @hash = map { (records($_, commands('info hash')))[-1]{value} } $file, "$dir/other/sent";
is($hash[1], $hash[0], 'a session opens in another folder at the same hash');

# Its run continues to the result that the launch without a session has.
my @run = ('stepi 500', 'wave 5', 'stepi 20', 'set $v1[0] = 0');
my $result = sub { gpudbg(@_, commands('continue', "save arg 0 $dir/c")); return slurp("$dir/c") };
gpudbg("$demo/matmul.co", commands(@matmul, @run, "save session $dir/half"));
is($result->("$dir/half"), $result->("$demo/matmul.co", commands(@matmul, @run)), 'a session that is opened runs on');
is($result->("$dir/half", commands('run')), $result->("$demo/matmul.co", commands(@matmul)),
    '... and `run` starts again');

# Commands of breakpoints.
my ($out) = gpudbg("$demo/collatz.co", commands('break collatz', 'commands', "echo obeyed\\n", 'end',
    'launch -g 64 -l 64 zero:256 64',
    "save session $dir/commands"));
my ($text) = gpudbg("$dir/commands", commands('break collatz+0x10', 'continue', 'run', 'enable commands', 'run',
    'goto 0',
    'continue', 'reverse-continue'));
like($text, qr/\A[^\n]*\npoint 1 has commands, which are off: echo obeyed/,
    'commands of breakpoints are shown when a session opens');
gpudbg("$demo/matmul.co", commands('break *0x1800', 'commands', "echo obeyed\\n", 'end', @matmul,
    "save session $dir/commands"));
($text) = gpudbg("$dir/commands", commands('continue', 'echo ==\n', 'enable commands 1', 'run', 'continue'));
unlike((split /==\n/, $text)[0], qr/^obeyed/m, '... and are not run');
like((split /==\n/, $text)[1], qr/^obeyed/m, '... until they are enabled');

# Other kinds of code and launches.
my $bare = spew("$dir/bare.bin", pack 'V*', 0xbe800381, 0x80008100, 0x7e000200, 0xbf810000);
my $more = spew("$dir/more.bin", pack 'V*', 0xbf800000, 0xbf810000);
spew("$dir/v1.bin", pack 'V*', 1 .. 64);
same('bare code', ['--isa', 'gfx7', '--raw', '--base', '0x4000', $bare], "add-code $more 0x20000 fetch",
    'launch -g 64 -l 64 v[1]=@' . "$dir/v1.bin",
    'stepi 2', 'set $s0 = 0x77', 'stepi');
same('patched bare code', ['--isa', 'gfx7', '--raw', $bare], 'patch *4 s_add_u32 s0, s0, 2', 'launch -g 64 -l 64',
    'stepi 2');
same('Gen12', ['t/data/kernels/gen12/saxpy.ze'], 'launch -g 64 -l 16 zero:256 fill:256:1 2.0', 'stepi 10',
    'break *$pc', 'stepi 3')
    if -e 't/data/kernels/gen12/saxpy.ze';
my $il = spew("$dir/short.il",
    "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_literal l0, 4, 2, 7, 0\n"
    . "imul r0.x, vaTid.x, l0.x\nuav_raw_store_id(0) mem0.x, r0.x, r0.x\nend\n");
# A place of any length is kept whole, or refused: a part of it would be another place.
{
    my $place = sub { return '*(u32*)(c+' . '0+' x $_[0] . '4)' };
    my $long = $place->(150);
    my @run = gpudbg('--demo=matmul', '-e', "watch $long", '-e', "save session $dir/long.gds");
    is($run[2], 0, 'a watchpoint with a long place is set and saved');
    my ($said) = gpudbg("$dir/long.gds", '-e', 'info breakpoints', '-e', 'continue');
    like($said, qr/^1 .*\Q$long\E/m, '... comes back whole');
    like($said, qr/^  \Q$long\E: 0 -> \d+/m, '... and is written whole where it stops');
    for my $n (250, 700) {
        my ($out, $err, $status) = gpudbg('--demo=matmul', '-e', 'watch ' . $place->($n));
        is($status, 1, "$n additions: refused");
        like($err, qr/has \d+ letters; at most \d+ are possible/, '... for its length');
    }
}

same('AMD IL', [$il], 'set il dmovc manual', 'launch -g 64 -l 64 uav0=zero:256', 'stepi', 'watch $r0.x',
    'display $r0.x');
# The state of a note is forgotten, then its code is exchanged: nothing of the state is left to be saved.
same('a note of other code', ["$demo/matmul.co"], @matmul, 'stepi 100', 'note here', 'goto 50', 'set $v0[3] = 7',
    "file $demo/matmul-O0.co");
same('code without a launch', ["$demo/matmul.co"], 'break matmul+0x100', 'display $v0', 'bookmark here',
    'note before');

# A case: a dump, its code, notes.
my $waves = spew("$dir/waves.bin", pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0x7e020207, 0x80040104, 0xbf810000);
same('a dump with waves', ['--isa', 'gfx7', '--raw', $waves, 't/data/dumps/waves1.txt', 't/data/dumps/mesa.log'],
    'restore', 'stepi',
    'set $s9 = 5', 'bookmark culprit line 3 1', 'note the wave hangs here');
my $log = 't/data/dumps/softreset.log';
my @said = map { (gpudbg($_, commands('explain', 'info dump')))[0] } $log;
gpudbg($log, commands('note this one', 'bookmark fault line 2', "save session $dir/case"));
($text) = gpudbg("$dir/case", commands('explain', 'info dump'));
$text =~ s/\A[^\n]*\n//;
is($text, $said[0] =~ s{t/data/dumps/}{}gr, 'a dump that is saved without code is explained as before');

# Named files.
my $large = spew("$dir/large.bin", pack('V*', 0 .. 16383));
my @named = ('set session-limit 1K', "launch matmul -g 16,16 -l 16,16 zero:16384 \@$large \@$large 16", 'stepi 40');
gpudbg("$demo/matmul.co", commands(@named, "save session $dir/named"));
like(text_of("$dir/named"), qr/^content \d+ 65536 @{[sha256_hex(slurp($large))]} named "\Q@{[abs_path($large)]}\E"$/m,
    'a file above `set session-limit` is named by its path, size and SHA-256');
is((records("$dir/named", commands('info hash')))[-1]{value},
    (records("$demo/matmul.co", commands(@named, 'info hash')))[-1]{value}, '... and is read from there');
rename $large, "$dir/other/large.bin";
copy("$dir/named", "$dir/other/named");
my (undef, $why, $status) = gpudbg("$dir/named");
like($why, qr/large\.bin is not there/, '... if it is there');
is($status, 3, '... else the session is not opened');
(undef, $why, $status) = gpudbg("$dir/other/named");
is($status, 0, '... or if it is beside the session') or diag $why;
spew($large, 'x' x 65536);
(undef, $why) = gpudbg("$dir/named");
like($why, qr/is not the file that was saved: its SHA-256 is/, '... and is the same');

# What is wrong is refused, with its line.
my $whole = slurp("$dir/other/sent");
my ($head, $rest) = $whole =~ /\A(.*?^end\n)(.*)\z/ms;
sub wrong {
    my ($name, $bytes, $message) = @_;
    my (undef, $said, $ended) = gpudbg(spew("$dir/wrong", $bytes));
    like($said, qr/\Agpudbg: \Q$dir\E\/wrong(?::\d+)?: $message[^\n]*\n\z/, "$name is refused in one line");
    is($ended, 3, '... with status 3');
}
wrong('a session that is cut off in its text', substr($head, 0, 700), 'the file ends before the line "end"');
wrong('a session that is cut off in its contents', substr($whole, 0, -50),
    'content \d has \d+ packed bytes; the file has');
wrong('a session with more behind its end', $whole . 'x', '1 bytes follow');
wrong('a session with a damaged content', $head . substr($rest, 0, 100) . chr(255 & ~ord substr $rest, 100, 1)
    . substr($rest, 101),
    'content \d is damaged');
wrong('a session of another version', $whole =~ s/session 1/session 7/r, 'a session of version "7"');
wrong('a content of a wrong size', $whole =~ s/^(content 0) \d+/$1 99999999999/mr,
    'content 0: \d+ packed bytes cannot become 99999999999');
wrong('a content of another hash', $whole =~ s/^(content 0 \d+) \S/$1 f/mr, 'content 0 is damaged: its hash');
wrong('a line that nobody knows', $whole =~ s/^launch/shell/mr, '"shell" is nothing that a session has');
wrong('a launch that is not possible', $whole =~ s/launch "matmul/launch "nobody/r,
    'launch: no kernel named .nobody');
wrong('a launch of a file that is not in the session', $whole =~ s/\@\S*matmul_a.bin /\@\/etc\/passwd /r,
    'argument .*/etc/passwd: the session does not have this file');
wrong('a run of a wave that is not there', $whole =~ s/^run (\d+) wave 2/run $1 wave 99/mr,
    'the wave: 99: at most 63');
wrong('a run that is longer than its program', $whole =~ s/^run 1\d{4}$/run 99999999/mr,
    'the run ends after \d+ instructions');
wrong('another run', $whole =~ s/^run (\d+) wave 2$/run 3 wave 2/mr, '.*');
wrong('a change of a register that is not there', $whole =~ s/^register 2 v 0/register 2 v 900/mr,
    'this launch has no v900');
wrong('a breakpoint where no instruction is', $whole =~ s/at 0x1800 on/at 0x1802 on/r,
    '0x1802: no instruction starts there');
wrong('an open quote', $whole =~ s/what "matmul\+0x100"/what "matmul+0x100/r, '.*(?:quote|blank).*');
my ($mark) = $whole =~ /^bookmark first( .*\n)/m;
wrong('a session with too many bookmarks',
    $whole =~ s/^(?=bookmark)/join '', map { "bookmark b$_$mark" } 1 .. 20000/emr,
    'more than 10000 bookmarks');
wrong('a session with too many displays', $whole =~ s/^(display .*\n)/$1 x 2000/emr, 'more than 1000 displays');
wrong('a hash that is not met', $whole =~ s/^(position \d+ 0x).{4}/${1}0000/mr,
    'the state at position \d+ is not the one that was saved');

# What is open stays open when a session cannot be opened, wherever in it that is found; and of half a session nothing
# is left where nothing was open.
my @mine = ("$demo/collatz.co", commands('launch collatz -g 64 -l 64 zero:256 64', 'break collatz+0x58', 'continue',
    'bookmark mine', 'display $s8'));
my @open = (@ask, 'info files', 'info settings');
my ($is) = gpudbg(@mine, commands('echo ====\n', @open));
$is =~ s/.*====\n//s;
my %half = ('cut off' => substr($head, 0, 700), 'another launch' => $whole =~ s/launch "matmul/launch "nobody/r,
    'another hash' => $whole =~ s/^(position \d+ 0x).{4}/${1}0000/mr,
    'another breakpoint' => $whole =~ s/at 0x1800 on/at 0x1802 on/r);
for my $name (sort keys %half) {
    spew("$dir/half-way", $half{$name});
    my ($left, $said) = gpudbg(@mine, commands("file $dir/half-way", 'echo ====\n', @open));
    like($said, qr/half-way/, "$name: a session is refused");
    is($left =~ /====\n(.*)/s ? $1 : '', $is, '... and all that was open is still as it was');
    my ($none) = gpudbg(commands("file $dir/half-way", 'echo ====\n', 'info files', 'info breakpoints',
        'info display'));
    my ($nothing) = gpudbg(commands('echo ====\n', 'info files', 'info breakpoints', 'info display'));
    is($none, $nothing, '... and where nothing was open, nothing is');
}
my @but = grep { $_ ne 'info display' } @ask; # their numbers go on
my ($other) = gpudbg(@mine, commands("file $dir/other/sent", 'echo ====\n', @but));
my ($same) = gpudbg("$dir/other/sent", commands('echo ====\n', @but));
s/.*====\n//s for $other, $same;
is($other, $same, 'a session that is good takes the place of what was open');

# Damaged at random: it opens, or one line says why not.
srand 20;
system("$FindBin::Bin/../fuzz/seeds", 'unpack', 'session', "$dir/seeds") == 0 or die;
my @seeds = grep { /^end\n/m } map { slurp($_) } sort glob "$dir/seeds/*";
my @bad;
for my $round (1 .. 200) {
    my $bytes = $seeds[rand @seeds];
    my $text = length +($bytes =~ /\A(.*?^end\n)/ms)[0];
    for (0 .. rand 3) {
        my $at = int rand $text;
        my $kind = int rand 4;
        substr($bytes, $at, 1) = chr rand 256 if $kind == 0;
        substr($bytes, $at, 1 + rand 20) = '' if $kind == 1;
        substr($bytes, $at, 0) = substr($bytes, rand $text, 1 + rand 40) if $kind == 2;
        substr($bytes, $at, 1) = ('"', ' ', "\n", 0 .. 9)[rand 13] if $kind == 3;
    }
    my (undef, $said, $ended) = gpudbg(spew("$dir/wrong", $bytes), commands('info breakpoints', 'stepi'));
    push @bad, "$round: status $ended: $said"
        unless $ended =~ /^[01]$/ || ($ended eq '3' && $said =~ /\Agpudbg: [^\n]+\n\z/);
}
is_deeply(\@bad, [], 'a session that is damaged at random opens, or is refused in one line');

my (undef, $usage) = gpudbg(commands("save session $dir/none"));
like($usage, qr/nothing is open that could be saved/, 'nothing cannot be saved');
ok(!-e "$dir/none", '... and is not');
done_testing;
