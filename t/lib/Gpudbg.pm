# SPDX-License-Identifier: GPL-3.0-or-later
#
# Running gpudbg in tests as scripts run it.
#
#   use lib 't/lib';
#   use Gpudbg;
#   my ($text, $errors, $status) = gpudbg(commands('print 1', 'info file'), $file);
#   my @records = records(commands('disassemble'), $file);
#   my $listing = output('-e', 'disassemble', $file);      the test ends here if the program fails
#   for my $case (sampled(@cases)) { ... }                 all of them; fewer under the sanitizers
package Gpudbg;
use v5.36;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();

our @EXPORT = qw(gpudbg records output commands sampled sampled_from every_case real);

$SIG{INT} = 'DEFAULT'; # whoever starts the tests may ignore it, as a shell does for what is in its background

# The program under test.
sub program () { return $ENV{GPUDBG} // 'build/gpudbg' }

# The options that give these commands.
sub commands (@lines) { return map { ('-e', $_) } @lines }

# Of many cases that are alike the sanitizers look for leaks in one start of four: that takes half the time of a start.
my $starts = 0;
sub leaks_later () { return if ($ENV{GPUDBG_SAMPLE} // 1) < 2 || $starts++ % 4 == 0; return 'detect_leaks=0' }

# (standard output, standard error, exit status or `signal N`).  Standard input is empty, or the file named in
# $Gpudbg::input.
our $input = '/dev/null';
sub run (@arguments) {
    my $said = File::Temp->new;
    my $later = leaks_later();
    my $pid = open(my $out, '-|') // die "fork: $!";
    if (!$pid) {
        $ENV{ASAN_OPTIONS} = join ':', grep { defined } $ENV{ASAN_OPTIONS}, $later if $later;
        open STDIN, '<', $input;
        open STDERR, '>&', $said;
        exec(program(), @arguments) or die program() . ": $!";
    }
    binmode $out;
    my $text = do { local $/; <$out> } // '';
    close $out;
    my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
    seek $said, 0, 0;
    my $errors = do { local $/; <$said> } // '';
    return ($text, $errors, $status);
}

sub gpudbg (@arguments) { return run('--batch', @arguments) }

# A number as the program shows floats: 12 is 12.0.
sub real ($number) { my $text = $number + 0; return $text =~ /[.en]/ ? $text : "$text.0" }

# The JSON records that such a run prints.
sub records (@arguments) {
    my ($text) = gpudbg('--json', @arguments);
    return map { JSON::PP::decode_json($_) } grep { /^\{/ } split /\n/, $text;
}

# What it prints, where it must not fail.
sub output (@arguments) {
    my ($text, $errors, $status) = gpudbg(@arguments);
    die "gpudbg --batch @arguments: status $status: $errors" if $status ne '0';
    return $text;
}

# Of cases that are alike, one in GPUDBG_SAMPLE; all of them if it is not set.  `make asan` sets it: the sanitizers look
# for mistakes of the program, which many of the same kind do not show better than a few.
sub sampled (@alike) {
    my $step = $ENV{GPUDBG_SAMPLE} || 1;
    return map { $alike[$_ * $step] } 0 .. int($#alike / $step);
}

# Whether `sampled` takes all: then a test may do what takes long.
sub every_case () { return ($ENV{GPUDBG_SAMPLE} || 1) < 2 }

# The same of the i-th of many short lists: each begins at another place, so that all places are taken somewhere.
sub sampled_from ($i, @alike) { return sampled(map { $alike[($i + $_) % @alike] } 0 .. $#alike) }

1;
