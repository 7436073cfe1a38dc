#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: arithmetic whose result is memory (g, p).  Checkers and catchpoints try such an instruction out on copies of
# the wave; what it would store with other values in its registers stays nowhere.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);

# Nothing writes r0, so the instruction is tried out with other values in it; what it stores is what it loads next time.
for my $case (['g', ''], ['p', "dcl_persistent p[64]\n"]) {
    my ($file, $declares) = @$case;
    open my $il, '>', "$dir/$file.il" or die;
    print $il "il_cs_2_0\ndcl_num_thread_per_group 64\n${declares}dcl_literal l0, 0x7f800000, 1, 2, 3\n"
        . "iadd ${file}[3], ${file}[3], r0\nsub ${file}[4], l0, l0\nadd ${file}[4], ${file}[4], r0\nmov r2, l0\nend\n";
    close $il;
    my $hash = sub (@commands) {
        my ($out, $err) = gpudbg(map({ ('-e', $_) } "launch -g 64 -l 64 $file=zero:4096", @commands, 'info hash'),
            "$dir/$file.il");
        return $out =~ /^(hash 0x\w+)\n\z/m ? $1 : "no hash: $err";
    };
    my $plain = $hash->('goto 4');
    like($plain, qr/^hash/, "$file: the program runs");
    for my $watched ('check uninitialised on', 'check all on', 'catch nan', 'catch denormal') {
        is($hash->($watched, 'goto 4'), $plain, "$file: `$watched` changes nothing");
    }
    is($hash->('goto 4', $_), $plain, "$file: `$_` changes nothing")
        for 'last-write $r2.x[0]', 'origin $r2.x[0]', 'info writes $r2.x[0]', "last-write ${file}[0]";
}
done_testing;
