#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The kinds of errors: one list, which `help errors`, the schema and the sources agree on; and which kind an error has.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Gpudbg;
use JSON;
use File::Glob ':bsd_glob'; # a blank in a path is part of it
use Test::More;

my $top = ".";
my $dir = tempdir(CLEANUP => 1);

sub text { open my $f, '<', $_[0] or die "$_[0]: $!"; local $/; return scalar <$f> }

my @listed = records('-e', 'help errors');
my %known = map { $_->{name} => 1 } @listed;
my @later = ('command'); # what the screen and two decoders say for all kinds so far
cmp_ok(scalar @listed, '>', 20, 'help errors lists kinds');
is_deeply([grep { !/^[a-z]+(-[a-z]+)*$/ } keys %known], [], '... in small letters and hyphens');
is(scalar keys %known, scalar @listed, '... each once');
is_deeply([sort @{ decode_json(text("$top/share/schema/error.json"))->{properties}{kind}{enum} }],
    [sort @later, keys %known],
    'the schema lists the same');
my ($plain) = gpudbg('-e', 'help errors');
is_deeply([grep { my $k = $_; $plain !~ /^  \Q$k->{name}\E +\Q$k->{summary}\E$/m } @listed], [],
    'text and records say the same');

# Calls that make an error, and which of their arguments, counted from 0, is the kind.
my %kind_at = (gpudbg_fail => 1, file_fail => 2, il_error => 2, il_parse_fail => 2);
my $calls = join '|', keys %kind_at;

# The arguments of a call, cut at its commas; pos($_[0]) is behind the opening parenthesis.
sub arguments {
    my ($depth, @all) = (0, '');
    while ($_[0] =~ /\G("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|.)/gs) {
        my $piece = $1;
        last if $piece eq ')' && !$depth--;
        $depth++ if $piece eq '(';
        if ($piece eq ',' && !$depth) { push @all, '' } else { $all[-1] .= $piece }
    }
    return @all;
}

# A condition in front of `?` has strings of its own.
sub literals { my ($kind) = @_; $kind =~ s/\([^()]*\)//g; return $kind =~ /"([^"]*)"/g }

my (%used, @strange);
my @folders = qw(core/* ui decoders decoders/* decoders/*/* plugins/*);
my @sources = grep { !m{/core/base/error\.c$} } map { glob "$top/$_/*.[ch]" } @folders;
for my $file (@sources) {
    my $source = text($file);
    while ($source =~ /\b($calls)\(/g) {
        my $call = $1;
        my @arguments = arguments($source);
        for my $word (literals($arguments[ $kind_at{$call} ] // '')) {
            $used{$word}++;
            push @strange, $file =~ s{.*/\.\./}{}r . ": $word" unless $known{$word} || grep { $_ eq $word } @later;
        }
    }
    $used{$_}++ for grep { $known{$_} } $source =~ /"([a-z-]+)"/g; # kinds that tables hold
}
is_deeply(\@strange, [], 'every kind in the sources is listed');
is_deeply([grep { !$used{$_} } sort keys %known], [], 'every kind of the list is used');

# s_mov_b32 s0, 0    s_endpgm
my $code = "$dir/code.bin";
open my $f, '>:raw', $code or die;
print $f pack 'V*', 0xbe800380, 0xbf810000;
close $f;
my @raw = ('--isa', 'gfx7', '--raw', $code);

for my $case (
    ['frobnicate', 'unknown-command'], ['info frobnicate', 'unknown-command'], ['re', 'ambiguous'],
    ['reg -s', 'usage'], ['check wait maybe', 'no-such-name'], ['quit now please', 'usage'],
    ['print 1 +', 'syntax'], ['print 1.5 & 2', 'syntax'], ['print nowhere', 'no-such-name'],
    ['set syntax klingon', 'no-such-name'],
    ['reg FROB', 'no-such-name'], ['isa klingon', 'no-such-name'],
    ['disassemble', 'no-file'], ['info dump', 'no-file'], ['stepi', 'no-launch'], ['print $s0', 'no-launch', @raw],
    ['launch -g 1', 'ok', @raw], ['launch', 'usage', @raw], ['launch -g 1 s[0]=hex:0', 'bad-argument', @raw],
    ['launch -g 1 frob=1', 'no-such-name', @raw], ['list 3', 'no-source', @raw],
    ['break *0x1000', 'out-of-range', @raw],
    ['wave 7', 'out-of-range', @raw, '-e', 'launch -g 1'], ['print $s200', 'out-of-range', @raw, '-e', 'launch -g 1'],
    ['delete 7', 'out-of-range'], ['loop_break', 'unmatched-block'], ['if 1', 'unclosed-block'],
    (map { [$_, 'out-of-range', 't/data/dumps/golden.txt'] }
        'explain 3', 'info dump -d 3', 'packets -d 3', 'bookmark b line 1 3'),
    (map { [$_, 'no-file'] } 'explain', 'packets', 'bookmark b line 1'),
    ['define help', 'redefinition'],
    ["load $dir/none", 'missing'], ['x/999999999 0', 'too-large', @raw],
) {
    my ($command, $want, @before) = @$case;
    my @errors = grep { $_->{type} eq 'error' } records(@before, '-e', $command);
    my $of = @before > 4 ? ' of a launch' : @before ? ' of code' : '';
    is(join(' ', map { $_->{kind} } @errors) || 'ok', $want, "$command$of")
        or diag map { "$_->{message}\n" } @errors;
}
done_testing;
