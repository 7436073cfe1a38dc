# SPDX-License-Identifier: GPL-3.0-or-later
#
# printf of kernels, from clang (code objects 2 to 5, gfx1030 in both sizes of waves; the host called, 4 and 5) and
# ocloc (both containers): the text is what Perl's sprintf makes of the same values, in the order of the calls, with the
# work-item that made each.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use JSON::PP;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $data   = 't/data/printf';
sub said (@words) {
    my @e = map { ('-e', $_) } @words[1 .. $#words];
    open my $p, '-|', "$gpudbg --batch $words[0] @{[map { qq('$_') } @e]} 2>&1" or die;
    local $/;
    return <$p> // '';
}
sub records ($file, @words) { return map { decode_json($_) } grep { /^\{/ } split /\n/, said("--json $file", @words) }

# What work-item i prints, in order, with f = 1.5.
sub wanted ($i) {
    my $f = 1.5;
    my $half = sub ($n) { my $m = $n & 0xffff; $m & 0x8000 ? $m - 0x10000 : $m };
    return (
        $i % 3 == 0 ? sprintf('item %u: %s|%5s|%-6s|', $i, 'four', 'a', 'bcd') : (),
        sprintf('%d %i %x %#o %X %u %c %%', $i - 2, -1, ($i * 0x1234567) & 0xffffffff, 8, 255, 4294967295, 97 + $i),
        sprintf('%d %s %d %d', $i << 40, '18446744073709551615', $half->($i - 3), 100 + $i),
        sprintf('%.2f %e %g %8.3f|%-8.1f|%+f', $f * $i, $f, $f, $f * $i, $f, $f),
        sprintf('%d,-2,3,4 %d,-1 %d,2,3 %d,-2,3,4 %d,-2,3 %s', $i, $i, $i, $i, $i, join ',',
        map { sprintf '%x', $_ } $i, 1 .. 7), sprintf('%f,%f,%f,%f|%.1f,%.1f,%.1f', $i, .5, -1, 1e10, 1, 2, $i));
}

my @launch = ('launch prints -g 12 -l 4 zero:64 1.5');
for my $file (map({ "prints-v$_.co" } 2 .. 5), 'prints-gfx1030.co', 'prints-gfx1030-wave64.co', 'prints.bin',
    'prints.ze') {
    my @lines = grep { /^\[/ } split /\n/, said("$data/$file", @launch, 'continue');
    for my $i (0 .. 11) {
        is_deeply([map { /^\[$i,0,0\] (.*)/ ? $1 : () } @lines], [wanted($i)],
            "$file: work-item $i prints its lines, in order");
    }
    is(scalar(grep { !/^\[(?:[0-9]|1[01]),0,0\] / } @lines), 0, '... and nobody else prints');
    # The calls of one instruction are in the order of lanes; the buffer keeps them so.
    is_deeply([map { /^\[(\d+),0,0\] \S+ -1 / ? $1 : () } @lines], [0 .. 11],
        '... one call in all work-items, in their order');
}

# The listing, as text and as records, is what was shown at the stop.
my $co = "$data/prints-v5.co";
my @shown  = grep { $_->{type} eq 'printf' } records($co, @launch, 'continue');
my @listed = grep { $_->{type} eq 'printf' } records($co, @launch, 'continue', 'info printf');
is(scalar @shown, 64, 'a record for each message at the stop');
is_deeply([@listed[64 .. $#listed]], [map { +{%$_{qw(type position wave lane item text)}} } @shown],
    '... and `info printf` gives the same');
like(said($co, @launch, 'continue', 'info printf'),
    qr/^\s*position +wave +lane +work-item +text\s*\n\s*\d+ +0 +0 +0,0,0 +item 0: four\|    a\|bcd   \|/m,
    'the listing has the work-item');
like(said($co, @launch, 'info printf'), qr/^nothing was printed$/m, 'at the entry nothing was printed');

# Through calls of the host (HIP's clang, -mprintf-kind=hostcall): the same from messages in parts, which several waves
# and groups send; no checker has a word to say about the library's protocol.
sub told ($i) {
    my $f    = 1.5;
    my $half = ($i - 3) & 0xffff;
    my $name = $i & 1 ? 'odd' : 'even, and much longer than the fifty-six bytes that one call of the host takes';
    return (
        $i % 3 == 0 ? sprintf('item %u: %s|%5s|%-6s|', $i, 'four', 'a', 'bcd') : (),
        sprintf('%d %i %x %#o %X %c %%', $i - 2, -1, $i * 0x1234567, 8, 255, 97 + $i),
        sprintf('%d %s %d %d', $i << 40, '18446744073709551615', $i - 3, 100 + $i),
        sprintf('%.2f %e %g|%*d|%-*.*f|', $f * $i, $f, $f, 6, $i, 9, 2, $f * $i), "$name is told.");
}
for my $file ('hosted-v4.co', 'hosted-v5.co', 'hosted-gfx1030.co') {
    my @hosted = ('launch hosted -g 12 -l 4 zero:64 1.5', 'continue');
    my @lines = grep { /^\[/ } split /\n/, said("$data/$file", @hosted);
    for my $i (0 .. 11) {
        is_deeply([map { /^\[$i,0,0\] (.*)/ ? $1 : () } @lines], [told($i)],
            "$file: work-item $i prints its lines, in order");
    }
    is(scalar @lines, 4 * 12 + 4, '... and nobody else prints');
    like(said("$data/$file", 'check all on', @hosted, 'continue', 'info checks'), qr/^No reports\.$/m,
        '... with all checkers on: no report');
    my @seen = grep { $_->{type} eq 'printf' } records("$data/$file", @hosted, 'info printf');
    is_deeply([@seen[52 .. 103]], [map { +{%$_{qw(type position wave lane item text)}} } @seen[0 .. 51]],
        '... and `info printf` gives the same');
    my $middle = $seen[20]{position};
    is(scalar(grep { $_->{type} eq 'printf' } records("$data/$file", @hosted, "goto $middle", 'info printf')) - 52,
        scalar(grep { $_->{position} < $middle } @seen[0 .. 51]), '... as of the position where time stands');
    like(said("$data/$file", 'launch flooded -g 64 -l 64 zero:64 1000', 'continue', 'info printf'),
        qr/the buffer is full: what was printed from here on is lost/, '... a full buffer is said');
}

# Time: what was printed is printed at its position; going back and forth repeats nothing; another future prints again.
my ($first) = sort { $a <=> $b } map { $_->{text} =~ /%/ ? $_->{position} : () } @shown;
my @at = map { scalar grep { $_->{type} eq 'printf' } records($co, @launch, 'continue', "goto $_",
    'info printf') } $first, $first + 1;
is($at[0] - 64, 0, 'before the instruction that wrote it a message is not there');
cmp_ok($at[1], '>', 64, '... behind it, it is');
my $back = said($co, @launch, 'continue', 'echo back\n', 'reverse-continue', 'continue');
unlike($back =~ s/.*^back$//msr, qr/^\[/m, 'the same future is not printed twice');
my $other = said($co, @launch, 'continue', 'echo back\n', 'goto 0', 'set $v0[1] = 3', 'continue');
like($other =~ s/.*^back$//msr, qr/^\[1,0,0\] item 3: /m, 'another future is');

# Nothing is lost in silence.
for my $file ('prints-v5.co', 'prints.bin', 'prints.ze') {
    my $flood = said("$data/$file", 'launch floods -g 8 -l 4 zero:64 60000', 'continue', 'set height 0', 'info printf');
    like($flood, qr/^\.\.\. and \d+ more messages: `info printf` lists all$/m,
        "$file: many messages are counted at a stop");
    like($flood, qr/the buffer is full: what was printed (?:after this|from here on) is lost/,
        '... and a full buffer is said');
}
# ... nor in a file without the names of its functions.
my $dir = tempdir(CLEANUP => 1);
my $named = do { open my $f, '<:raw', "$data/empty.co" or die; local $/; <$f> };
open my $nameless, '>:raw', "$dir/empty.co" or die;
print $nameless $named =~ s/(?<=\0)(_*printf\w*)(?=\0)/'f' x length $1/ger;
close $nameless;
for my $file ("$data/empty.co", "$dir/empty.co") {
    my @empty = records($file, 'launch p -g 64 -l 64 zero:256', 'continue');
    is_deeply([map { $_->{problem} =~ /stores nothing: what its kernels print is lost/ ? $_->{item} : $_->{problem} }
        grep { $_->{type} eq 'printf' } @empty], ['2,0,0'], "a library's printf that stores nothing is said, once");
}
done_testing;
