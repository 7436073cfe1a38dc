#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `set conversation on`: what share/help/conversation promises to programs that send lines and read records.  Answers
# are counted and compared with the same lines in a run without a conversation.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use IPC::Open3;
use JSON::PP;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
Kernels::write_file("$dir/endless", pack 'V*', 0x8000c100, 0xbf82fffe); # s_add_u32 s0, s0, -1; s_branch to it
my @raw = ('--isa', 'gfx7', '--raw', "$dir/endless");

# What gpudbg says to these lines of standard input.
sub said ($lines, @more) {
    Kernels::write_file("$dir/lines", $lines);
    local $Gpudbg::input = "$dir/lines";
    return records('-e', '-', @more);
}

# ---- Records around records ----

Kernels::write_file("$dir/script", "print 7\nprint nowhere\n");
my @lines = ('launch -g 64 -l 64', 'stepi 3', '', '# a comment', 'print nowhere', 'info registers s0',
    "source $dir/script",
    'define both', 'print 1', 'print 2', 'end', 'both',
    'set $i = 0', 'while $i < 2', 'set $i = $i + 1', 'print $i', 'end');
my $lines = join '', map { "$_\n" } @lines;
my @plain = said($lines, @raw);
my ($begin, @open, %of, @rest, @ends) = (0);
for my $record (said("set conversation on\n$lines", @raw)) {
    if ($record->{type} eq 'begin') {
        push @open, $record;
        is scalar @open, 1, "line $record->{id} begins when no other is open";
        is $record->{id}, ++$begin, '... and has the next number';
        is $record->{command}, $lines[$begin - 1], '... and is the line';
        like $record->{version}, qr/^\d+\.\d+\.\d+/, '... of this version';
    } elsif ($record->{type} eq 'end') {
        is $record->{id}, (pop @open)->{id}, "the end is that of line $record->{id}";
        push @ends, $record;
    } else {
        push @rest, $record;
        push @{ $of{$begin} }, $record->{type};
    }
}
is $begin, scalar @lines, 'each line has one beginning';
is scalar @ends, scalar @lines, '... and one end';
$_->{line} -= $_->{file} eq 'standard input' for grep { $_->{type} eq 'error' } @rest; # for the line that sets it on
is_deeply \@rest, \@plain, 'all other records are those of a run without';
is join(' ', map { $_->{status} } @ends),
    'done done done done failed done failed open open open done done done open open open done', 'how each went';
is_deeply [$ends[7]{block}, $ends[13]{block}], ['define both', 'while'], 'an open block is named';
is_deeply $of{7}, ['value', 'error'], 'a script answers inside its line';
is_deeply $of{12}, ['value', 'value'], '... and so does a defined command';
is_deeply $of{17}, ['value', 'value'], '... and a loop, when it ends';

{
    my @some = said("set conversation on\nset conversation off\nprint 1\n");
    is join(' ', map { $_->{type} } @some), 'begin end value', 'off ends it';
    my @failed = said("set conversation on\nif\nprint 1\nend\nprint 2\n");
    is join(' ', map { $_->{status} // $_->{type} } @failed),
        'begin error failed begin open begin done begin value done', 'a block that fails takes its lines with it';
    is $failed[2]{block}, 'refused', '... and says so';
    my ($text) = gpudbg(commands('set conversation on', 'print 1'));
    is $text, "\$1 = 1\n", 'text has no such records';
    my @screen = records('--screen', '80x24', commands('set conversation on', 'print 1'));
    is join(' ', map { $_->{type} } @screen), 'begin value end', 'with --screen, too';
    my @stop = commands('set conversation on', 'set stop-on-error on', 'print x', 'print 1');
    my (undef, undef, $status) = gpudbg('--json', @stop);
    is $status, 1, 'the exit status is as before';
    my @stopped = records(@stop);
    is $stopped[-1]{status}, 'failed', 'stop-on-error ends after the end of the line';
    is $stopped[-2]{type}, 'error', '... that failed';
}

# ---- A client that waits for answers, and interrupts ----

my $pid = open3(my $to, my $from, '>&STDERR', Gpudbg::program(), '--batch', '--json', '-e', '-', @raw);
$to->autoflush(1);
sub next_record () {
    local $SIG{ALRM} = sub { kill KILL => $pid; die 'no answer for a minute' };
    alarm 60;
    my $line = readline($from) // die 'gpudbg has ended';
    alarm 0;
    return decode_json($line);
}
sub ask ($line, $meanwhile = undef) {
    my @records;
    print $to "$line\n";
    for (;;) {
        my $record = next_record();
        return ($record, @records) if $record->{type} eq 'end';
        $meanwhile->() if $record->{type} eq 'begin' && $meanwhile;
        push @records, $record;
    }
}
print $to "set conversation on\n";
my ($end, @records) = ask('launch -g 64 -l 64');
is $end->{status}, 'done', 'an answer comes although standard input goes on';
($end, @records) = ask('continue', sub { kill INT => $pid });
is $end->{status}, 'done', 'SIGINT stops a run';
is $records[-1]{reason}, 'interrupt', '... with its reason';
cmp_ok $records[-1]{position}, '>=', 0, '... somewhere';
kill INT => $pid; # it waits for a line now
($end, @records) = ask('print 5');
is $end->{status}, 'done', 'SIGINT between two lines does nothing';
is $records[1]{text}, '5', '... and the next line is answered';
ask($_) for 'while 1', 'set $i = 1';
($end, @records) = ask('end', sub { kill INT => $pid });
is $end->{status}, 'failed', 'SIGINT ends a loop that runs nothing';
is $records[-1]{kind}, 'interrupt', '... with its kind';
($end) = ask('info hash');
is $end->{status}, 'done', '... and the conversation goes on';
close $to;
is waitpid($pid, 0), $pid, 'the end of its input ends gpudbg';
is $? >> 8, 1, '... with the status of the line that failed';
done_testing;
