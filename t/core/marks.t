#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Bookmarks and notes: `bookmark`, `goto NAME`, `note`, and their lists.  What a bookmark must lead to is what `goto N`,
# `wave N` and `lane N` show.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my @demo = ('--demo=matmul');
sub of_type { my ($type, @commands) = @_; return grep { $_->{type} eq $type } records(@demo, commands(@commands)) }

my @there = ('goto 3000', 'wave 5', 'lane 7');
my @hash = map { $_->{value} } of_type('hash', @there, 'info hash', 'bookmark odd-one', 'continue', 'wave 0', 'lane 0',
    'goto odd-one', 'info hash');
is($hash[1], $hash[0], 'goto leads back to the position of a bookmark');
my ($wave) = of_type('value', @there, 'bookmark b', 'goto 0', 'wave 0', 'goto b', 'print $lane + 100 * $wave');
is($wave->{value}, '0x1fb', '... and selects its wave and lane');

my @marks = of_type('bookmark', @there, 'bookmark z', 'bookmark a matmul+0x20', 'delete bookmark z', 'info bookmarks');
is_deeply([map { $_->{name} } @marks], [qw(z a a)], 'a bookmark can be deleted');
is($marks[2]{where}, 'matmul+0x20', '... and one of a place in the code says where it is');
ok(!exists $marks[2]{position}, '... which has no position');
@marks = of_type('bookmark', 'goto 5', 'bookmark a', 'goto 9', 'bookmark a', 'info bookmarks');
is_deeply([map { $_->{position} } @marks], [5, 9, 9], 'a name that is used again is moved');

my @notes = of_type('remark', @there, 'note the sum is wrong here', 'goto 0', 'note "quoted"', 'info notes');
is_deeply([map { [@$_{qw(number position text)}] } @notes[2, 3]],
    [[1, 3000, 'the sum is wrong here'], [2, 0, '"quoted"']], 'notes keep their text and where they were written');
@notes = of_type('remark', 'note one', 'note two', 'delete note 1', 'info notes');
is_deeply([map { $_->{text} } @notes[2 .. $#notes]], ['two'], 'a note can be deleted');

# Lines of a dump.
my $log = 't/data/dumps/softreset.log';
my @lines = grep { $_->{type} eq 'bookmark' } records(commands('bookmark fault line 2', 'goto fault'), $log);
like($lines[1]{where}, qr/^\Q$log\E:2: ./, 'a bookmark can be a line of a dump');

for (['bookmark 3x', qr/"3x" is not a bookmark's name/], ['bookmark a nowhere', qr/nowhere/],
    ['delete bookmark a', qr/no bookmark "a"/], ['delete note 1', qr/no note 1/], ['note', qr/text of the note/],
    ['bookmark a line 3', qr/no dump is open; `load FILE` opens one/], ['bookmark ' . 'x' x 41, qr/40 at most/]) {
    my (undef, $said, $status) = gpudbg(@demo, commands($_->[0]));
    like($said, $_->[1], "$_->[0]: says what is wrong");
    is($status, 1, '... and fails');
}
my (undef, $said) = gpudbg(commands('bookmark fault line 0'), $log);
like($said, qr/no line 0: its lines are 1 to \d+/, 'a dump has no line 0');
done_testing;
