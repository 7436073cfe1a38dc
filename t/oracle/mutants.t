# SPDX-License-Identifier: GPL-3.0-or-later
#
# A sample of `make mutants`: kernels of clang and ocloc, and AMD IL, with one bug planted.  What changes a result, or
# would on hardware, is reported by a checker or found by `diffrun`, which names the instruction; what is unchanged is
# not reported.  What a scoreboard's checker reports, WaitModel.pm finds without it;
# that and missing waits are found in the code without a run, too.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg 'sampled';
use Mutants;

my $dir = tempdir(CLEANUP => 1);
my $names = qr/^(saxpy|matmul|reduce_f32|scan_inclusive|mandelbrot|life)\b/;
my @sample = grep { $_->{title} =~ $names } Mutants::kernels($dir);
cmp_ok(@sample, '>=', 10, 'there are kernels of each kind');
@sample = sampled(@sample);
my ($planted, $harmful, $found, @missed) = (0, 0, 0);
for my $kernel (@sample) {
    my $plain = Mutants::unchanged($kernel);
    is($plain && $plain->{ended}, 'done', "$kernel->{target}: $kernel->{title} runs to its end");
    is_deeply([map { $_->{message} } $plain->{checks}->@*], [], '... and nothing is reported');
    my $iga;
    for my $mutant (Mutants::mutants($kernel, $plain, 1)) {
        my $look = Mutants::look($kernel, $mutant, $plain);
        next if $look->{refused};
        $planted++;
        my $name = "$kernel->{title}: $mutant->{kind} at $mutant->{pc}: $mutant->{what}";
        my $seen = $look->{checker} || $look->{differs};
        ok(Mutants::could_change($kernel, $mutant, $plain, \$iga), "the model knows, too: $name")
            if $mutant->{kind} eq 'scoreboard' && $look->{checker} eq 'scoreboard';
        ok((grep { $_->{type} eq 'check' } Mutants::records_of($kernel, (map { "patch $_" } $mutant->{patches}->@*),
            "check $look->{checker}")->@*) > 0, "... and the code without a run shows it")
            if $look->{checker} =~ /^(?:wait|scoreboard)$/;
        next if !$seen && !Mutants::could_change($kernel, $mutant, $plain, \$iga);
        $harmful++;
        $seen ? $found++ : push @missed, $name;
        ok($look->{named}, "diffrun names $name") if $look->{differs} && !$look->{checker};
    }
}
cmp_ok($planted, '>=', 2 * @sample, "$planted bugs are planted");
cmp_ok($found, '>=', 0.95 * $harmful, "$found of $harmful that matter are found") or diag(join "\n", @missed);
done_testing;
