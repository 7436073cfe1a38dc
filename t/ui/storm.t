#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Dumps on the screen: faults that come again and again are one row with a count in every pane, panes with nothing to
# show take no room, and Enter leads to the line, the register or what the line is decoded as.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $times = 40;
my @fault = ('GPU fault detected: 147 0x001c3b02', '  VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00300400',
    '  VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x1C03B002');
my @lines = ('[drm] initializing kernel modesetting (LIVERPOOL 0x1002:0x9920 0x1002:0x9920 0x00).',
    (map { my $n = $_; map { $fault[$_] } 0 .. 2 } 1 .. $times),
    'ring gfx timeout, last signaled seq=4101, last emitted seq=4103');
my $at = 7;
open my $f, '>', "$dir/storm.log" or die;
printf $f "[%12.6f] %samdgpu 0000:00:01.0: %s\n", $at += 0.011, '', $_ for @lines;
close $f;
my $last = @lines;

sub screen ($size, @commands) {
    my ($out, $err) = gpudbg('--screen', $size, "$dir/storm.log", map({ ('-e', $_) } @commands), '-e', 'screenshot');
    return $out . $err;
}

my $more = $times - 1;
my $log = screen('100x30', 'layout log:20;prompt:3');
like $log, qr/^ +4 .*STATUS.*\n +\.\. $more times more, lines 5 to @{[$last - 1]} .*\n +$last .*ring gfx timeout/m,
    'the log: the first, how many more, and what comes after';
unlike $log, qr/^ +5 /m, '... and no other';
like screen('100x30', 'layout log:20;prompt:3', 'pane top', ('key j') x 4, 'key Enter'), qr/^ +5 .*GPU fault.*\n +6 /m,
    'Enter shows all of them';
like screen('100x30', 'layout log:20;prompt:3', 'pane find ring gfx', 'key k', 'key Enter', 'key k'), qr/^ +5 /m,
    '... from below, too';
like screen('100x30', 'layout decoded:20;prompt:3'), qr/\.\. \d+ times more, lines \d+ to \d+/, 'what is decoded';
my $hang = screen('80x24');
unlike screen('80x24', 'layout dump'), qr/packets/, 'a pane without packets takes no room';
like screen('80x24', 'layout dump', 'focus packets'), qr/packets/, '... until it is asked for';
like $hang, qr/explain.*log.*regs/s, 'a dump opens on what it means, its lines and registers';
like screen('80x24', 'layout explain:12|log:20;prompt:5', 'key Enter'), qr/explain.*━log/,
    'Enter in a layout of one\'s own stays in it';
like screen('100x30', 'layout regs:20|log:20;prompt:3', 'focus log', 'pane find STATUS', 'key Enter'),
    qr/━regs.*TEXT1_PROTECTION_FAULT_STATUS 0x1c03b002/s, 'Enter on a line of the log: its register';
my $regs = screen('100x30', 'layout regs:24|log:20@30;prompt:3', 'focus regs');
my $fields = qr/(?:[^\n]* \d+:\d+ [^\n]*\n)+/;
like $regs, qr/FAULT_ADDR[^\n]*\n$fields\S*[^\n]*FAULT_STATUS[^\n]*\n$fields[^\n]*\.\. $more times more/,
    'registers: those of one fault, unfolded, and how many more';
like screen('80x24', 'layout regs:20@36|log:20;prompt:3', 'focus regs'),
    qr/- \S+_FAULT_ADDR 0x00300400 .*\n.*\n.*_FAULT_STATUS 0x1c03b002 /,
    '... in a narrow pane the value is there and the front of the name is not';
like screen('100x30', 'layout regs:24|log:20@30;prompt:3', 'focus log', 'pane top', ('key j') x 4, 'key Enter',
    'pane bottom', 'key k', 'key Enter'),
    qr/━regs.*FAULT_STATUS.*\n.*FAULT_ADDR.*\n.*FAULT_STATUS/s, '... all of them once one is wanted';
my $explain = screen('100x40', 'layout explain:30;prompt:3');
like $explain, qr/page-fault .*(?:\n +\S.*)*\n +\.\. $more times more, to line (\d+)/,
    'the explanation: each sentence once, and how often it is told';
is scalar(() = $explain =~ /PDE0/g), 1, '... once';
my $most = $last - 1;
like screen('100x30', 'layout explain:20|log:20@50;prompt:3', 'pane find times more', 'key Enter'),
    qr/━log.*\n.* (?:$most|@{[$most - 1]}|@{[$most - 2]}) /s, 'Enter there: the last line that tells it';
open $f, '>', "$dir/quiet.log" or die;
print $f "[    1.000000] [drm] initializing kernel modesetting (LIVERPOOL 0x1002:0x9920 0x1002:0x9920 0x00).\n";
close $f;
my ($quiet) = gpudbg('--screen', '80x24', "$dir/quiet.log", '-e', 'layout hang', '-e', 'focus log', '-e', 'screenshot');
my ($said) = gpudbg("$dir/quiet.log", '-e', 'explain');
unlike $quiet, qr/^.explain/m, 'an explanation without a sentence takes no room';
done_testing;
