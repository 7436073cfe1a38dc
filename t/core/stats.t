#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `gpudbg --stats` and `--stats-diff`: numbers against the listing and what compilers say; pairs, results that were put
# together, and the exit status.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Copy 'copy';
use File::Temp 'tempdir';
use Gpudbg;
use JSON::Validator;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $kernels = 't/data/kernels';
my %schema = map { $_ => JSON::Validator->new->schema("share/schema/$_.json") } qw(stats stats-difference);

sub text ($path) { open my $f, '<', $path or die "$path: $!"; local $/; return scalar <$f> }
sub put ($name, $text) { open my $f, '>', "$dir/$name" or die; print $f $text; close $f; return "$dir/$name" }
sub tsv (@arguments) {
    my ($said, $errors, $status) = gpudbg(@arguments);
    my ($head, @lines) = split /\n/, $said;
    my @names = split /\t/, $head, -1;
    return ([map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines], $status, $errors);
}

# ---- Numbers ----

my $file = "$kernels/gfx7/matmul-O2.co";
my ($rows, $status) = tsv('--stats', $file);
is($status, 0, 'exit status');
is_deeply([map { $_->{kernel} } @$rows], [qw(matmul_naive matmul matmul_dynamic)], 'a line a kernel');
my %row = map { $_->{kernel} => $_ } @$rows;
for my $kernel (grep { $_->{type} eq 'kernel' } records(commands('info kernels'), $file)) {
    my $r = $row{ $kernel->{name} };
    my @insns = grep { $_->{type} eq 'insn' } records(commands("disassemble $kernel->{name}"), $file);
    my $mnemonics = join ' ', map { $_->{mnemonic} } @insns;
    my $count = sub ($what) { scalar(() = $mnemonics =~ /\b(?:$what)\w*/g) };
    is($r->{instructions}, scalar @insns, "$kernel->{name}: all its instructions");
    is($r->{local}, $count->('ds_'), '... LDS');
    is($r->{constant}, $count->('s_load|s_buffer_load'), '... scalar loads');
    is($r->{memory}, $count->('flat_|buffer_|global_'), '... memory by lane');
    is($r->{waits}, $count->('s_waitcnt|s_barrier'), '... waits');
    is($r->{branch}, $count->('s_cbranch|s_branch|s_endpgm'), '... branches');
    is($r->{vector_registers}, $kernel->{vgprs}, '... registers');
    is($r->{lds}, $kernel->{lds}, '... LDS bytes');
    cmp_ok($r->{live_vector}, '<=', $kernel->{vgprs}, '... no more alive than there are');
}
is($row{matmul_dynamic}{loop_depth}, 2, 'loops inside each other');

for my $r (records('--stats', $file)) {
    my @wrong = $schema{stats}->validate($r);
    is("@wrong", '', "the record of $r->{kernel} fits its schema");
}
my ($eu) = tsv('--stats', "$kernels/gen12/matmul.ze");
is($eu->[1]{local} > 0 && $eu->[1]{waves}, 7, 'Intel: messages to SLM, threads of an EU');
my ($il) = tsv('--stats', "$kernels/il/mandelbrot.il");
is($il->[0]{waves}, '', 'AMD IL: what is not known has no number');

# ---- Folders, containers, results ----

mkdir "$dir/$_" or die for qw(old new new/deeper);
copy("$kernels/gfx7/matmul-O2.co", "$dir/old/matmul.co") or die;
copy("$kernels/gfx7/matmul-O0.co", "$dir/new/deeper/matmul.co") or die;
copy("$kernels/gfx7/scan-O2.co", "$dir/old/scan.co") or die;
copy("$kernels/gfx7/reduce-O2.co", "$dir/new/reduce.co") or die;
put('old/notes.txt', "not code\n");
($rows, $status) = tsv('--stats', "$dir/old");
is($status, 0, 'a folder: what is no code is left out');
my $old = put('old.tsv', (gpudbg('--stats', "$dir/old"))[0]);
my $new = put('new.tsv', (gpudbg('--stats', "$dir/new/reduce.co"))[0] . (gpudbg('--stats', "$dir/new/deeper"))[0]);
my $json = put('old.json', (gpudbg('--json', '--stats', "$dir/old"))[0]);

my ($same, $none) = tsv('--stats-diff', $old, "$dir/old");
is_deeply([$none, scalar @$same], [0, 0], 'results and the folder that they are from: no difference');
is((gpudbg('--stats-diff', $json, $old))[2], 0, '... also as records');
my ($diff, $some, $said) = tsv('--stats-diff', "$dir/old", $new);
is($some, 1, 'differences');
my ($more) = grep { $_->{kernel} eq 'matmul' && $_->{column} eq 'instructions' } @$diff;
my ($was) = grep { $_->{kernel} eq 'matmul' } @{ (tsv('--stats', "$dir/old"))[0] };
my ($is) = grep { $_->{kernel} eq 'matmul' } @{ (tsv('--stats', "$dir/new"))[0] };
is($more->{old}, $was->{instructions}, 'the old number');
is($more->{new}, $is->{instructions}, 'the new one, from results that were put together');
is($more->{change} + 0, $more->{new} - $more->{old}, 'the change');
is($more->{verdict}, $more->{change} > 0 ? 'worse' : 'better', 'more instructions are worse');
my @only = grep { $_->{verdict} =~ /^only/ } @$diff;
ok((grep { $_->{verdict} eq 'only in old' && $_->{file} =~ /scan/ } @only), 'kernels of one side alone: old');
ok((grep { $_->{verdict} eq 'only in new' && $_->{file} =~ /reduce/ } @only), '... new');
my ($worse) = $said =~ /(\d+) worse/;
is($worse, scalar(grep { $_->{verdict} eq 'worse' } @$diff), 'the last line counts');
for my $r (records('--stats-diff', "$dir/old", "$dir/new")) {
    my @wrong = $schema{'stats-difference'}->validate($r);
    is("@wrong", '', 'a record fits its schema') if @wrong;
}

# ---- What goes wrong ----

my $bad = put('bad.co', substr text($file), 0, 3000);
($rows, $status, $said) = tsv('--stats', $bad, $file);
is($status, 3, 'a damaged file');
like($said, qr/bad\.co/, '... is named');
is(scalar @$rows, 3, '... and the others are measured');
is((gpudbg('--stats-diff', $bad, $file))[2], 2, '... a comparison has trouble');
is((gpudbg('--stats-diff', $file))[2], 2, 'one file');
is((gpudbg('--stats'))[2], 2, 'no file');
my $cut = put('cut.tsv', text($old) =~ s/\t\d+\n\z/\tx\n/r);
my (undef, $wrong, $trouble) = gpudbg('--stats-diff', $cut, $old);
is($trouble, 2, 'a results file with a bad number');
like($wrong, qr/cut\.tsv:\d+: .*not a row/, '... its line is named');

# By several processes, in the order of the files.
my @many = map { copy($file, "$dir/m$_.co"); "$dir/m$_.co" } 10 .. 59;
my ($list) = tsv('--stats', @many);
is_deeply([map { $_->{file} } @$list], [map { ($_) x 3 } @many], '50 files: in order, each once');
done_testing;
