# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is made to be sent names no home folder: a session of files in a home, opened by their whole paths, holds the
# home's name nowhere, is opened elsewhere, and has the same hash.  Only `save session -p` writes whole paths.
use v5.36;
use Test::More;
use lib 't/lib';
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Files qw(slurp);
use Gpudbg;

my $dir = abs_path(tempdir(CLEANUP => 1));
my $home = "$dir/jane-doe";
mkdir $_ for $home, "$home/project", "$home/inputs", "$home/more", "$dir/away";
local $ENV{HOME} = $home;
copy("share/demo/$_", "$home/project/$_") or die for qw(matmul.co matmul.cl matmul_a.bin matmul_b.bin);
copy('share/demo/matmul_a.bin', "$home/inputs/in.bin") or die;
copy('share/demo/matmul_b.bin', "$home/more/in.bin") or die;
copy('t/data/dumps/golden.txt', "$home/project/hang.log") or die;
my $launch = "launch matmul -g 64,64 -l 16,16 zero:16384 \@$home/inputs/in.bin \@$home/more/in.bin 64";
sub hash_of (@arguments) { return (records(@arguments, commands('info hash')))[-1]{value} }
my @open = ("$home/project/matmul.co", commands($launch, 'stepi 30', 'break matmul'));

for my $to ("$home/project/session", "$dir/away/session") {
    my ($text, $err, $status) = gpudbg(@open, commands("save session $to"));
    is $status, 0, "saved to $to" or diag $err;
    unlike slurp($to), qr/jane-doe/, '... without the name of the home';
    is hash_of($to), hash_of(@open), '... and opened it is the same';
}
# Files that are too large for a session.
for my $case (["$home/project/named", qr/named "\.\.\/inputs\/in\.bin"/], ["$dir/away/named", qr/named "in\.bin"/],
    ["$home/inputs/named", qr/named "in\.bin"/]) {
    my ($to, $want) = @$case;
    my ($text, $err, $status) = gpudbg(@open, commands('set session-limit 1K', "save session $to"));
    is $status, 0, "saved to $to" or diag $err;
    my ($head) = slurp($to) =~ /\A(.*?)^end$/ms;
    like $head, $want, '... names the file as it is seen from there';
    unlike $head, qr/jane-doe/, '... without the name of the home';
    like $text, qr/^not in it: \S*in\.bin, 16384 bytes/m, '... and says that it does not hold it';
}
is hash_of("$home/project/named"), hash_of(@open), 'where the files are, it opens';
my (undef, $why, $status) = gpudbg("$dir/away/named");
like $why, qr/\.(?:co|bin) is not there/, 'where they are not, it says which is missing';
copy("$home/project/matmul.co", "$dir/away/matmul.co");
gpudbg(@open, commands('set session-limit 1K', "save session -p $dir/away/whole"));
like slurp("$dir/away/whole"), qr/named "\Q$home\E\/inputs\/in\.bin"/, 'save session -p writes whole paths';
is hash_of("$dir/away/whole"), hash_of(@open), '... and opens anywhere here';

gpudbg("$home/project/hang.log", commands('note this', "save session $dir/case"));
unlike slurp("$dir/case"), qr/jane-doe/, 'a case of a dump does not name the home';
my ($report) = gpudbg("$home/project/hang.log", commands('explain /report'));
unlike $report, qr/jane-doe/, 'nor does a report';

# Pictures of the screen, with a path typed and one in a pane, whole and cut at both ends.
my @screen = ("$home/project/hang.log", commands("type launch \@$home/inputs/in.bin \@/home/bob/more.bin 64"));
for my $columns (40 .. 100) {
    my ($text) = gpudbg('--screen', "${columns}x20", @screen, commands('screenshot'));
    unlike $text, qr/jane|bob|\bj\w*(?:…|>)|\w-doe/, "a screen of $columns columns does not name the home";
    next if $columns < 100;
    like $text, qr/launch \@~\/inputs\/in\.bin \@~\/more\.bin 64/, '... it has a ~ there';
    for my $file ("$dir/x.svg", "$dir/x.html", "$dir/x.txt") {
        gpudbg('--screen', "${columns}x20", @screen, commands("screenshot $file"));
        unlike slurp($file), qr/jane-doe|bob/, "... nor does $file";
        gpudbg('--screen', "${columns}x20", @screen, commands("screenshot -p $file"));
        like slurp($file), qr/\Q$home\E/, '... but with -p';
    }
}
done_testing;
