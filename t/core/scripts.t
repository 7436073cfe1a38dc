#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Conditions and loops of scripts, commands of breakpoints, printf.  What is printed is compared with what Perl's
# sprintf and pack make of the same numbers, and with a count of the rounds of a loop in the program.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# s0 counts from 5 down to 0; v0 = s0 in each round.  llvm-mc-19 -mcpu=bonaire.
my @loop = (
    0xbe800385,    # 00  s_mov_b32 s0, 5
    0x7e000200,    # 04  v_mov_b32_e32 v0, s0
    0x8100c100,    # 08  s_add_i32 s0, s0, -1
    0xbf018000,    # 0c  s_cmp_lg_i32 s0, 0
    0xbf85fffc,    # 10  s_cbranch_scc1 0x04
    0xbf810000,    # 14  s_endpgm
);
Kernels::write_file("$dir/loop", pack 'V*', @loop);
my $launch = "launch -g 64 -l 64";

# What a script prints, and what it says of errors: "LINE: message" each.
sub script ($text, @more) {
    Kernels::write_file("$dir/script", $text);
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    my $out = qx($program --batch @more --isa gfx7 --raw $dir/loop -x $dir/script 2>$dir/errors);
    my @errors = map { s/^gpudbg: \S+script://r } split /\n/, Kernels::read_file("$dir/errors");
    return ($out, \@errors, $? >> 8);
}
sub prints ($text, $wanted, $what) {
    my ($out, $errors, $status) = script($text);
    is $out, $wanted, $what;
    is "@$errors $status", ' 0', '... without an error';
}
sub fails ($text, $wanted, $what) {
    my (undef, $errors, $status) = script($text);
    like join("\n", @$errors), $wanted, $what;
    is $status, 1, '... and the status says so';
}

# ---- if, while ----

prints("if 1 < 2\necho a\\n\nelse\necho b\\n\nend\nif 0\necho c\\n\nelse\necho d\\n\nend\nif 0\necho e\\n\nend\n",
    "a\nd\n", 'if and else');
prints("set \$i = 0\nwhile \$i < 4\nset \$i = \$i + 1\noutput \$i\nend\n", '1234', 'while');
prints("set \$i = 0\nwhile 1\nset \$i = \$i + 1\nif \$i == 2\nloop_continue\nend\nif \$i == "
    . "5\nloop_break\nend\noutput \$i\nend\n", '134',
    'loop_break and loop_continue, in an if of the loop');
prints("set \$i = 0\nwhile \$i < 3\nset \$j = 0\nwhile 1\nif \$j == \$i\nloop_break\nend\nset \$j = \$j + "
    . "1\nend\noutput \$j\nset \$i = \$i + 1\nend\n", '012',
    'a break leaves the inner loop alone');
prints("if 1\n  if 0\n  echo a\n  else\n  echo b\n  end\nelse\n  if 1\n  echo c\n  end\nend\n", 'b',
    'an else belongs to the if that is open');
prints("define f\nif \$argc > 1\nprintf \"%d \", \$arg1\nelse\necho none\nend\nend\nf 1 2\nf 1\n", '2 none',
    'in a defined command');
prints("define f\nwhil \$x < 2\nset \$x = \$x + 1\nend\nend\nset \$x = 0\nf\noutput \$x\n", '2',
    'a shortened name opens a block, too');
prints("define f\necho a\nend\ndocument f\nif it were code, this would be open\nend\necho b\n", 'b',
    'a text does not open blocks');
{
    my ($out) = script(
        "$launch\nset \$n = 0\nwhile \$pc != 0x14\nstepi\nset \$n = \$n + 1\nend\nprintf \"%d steps\\n\", \$n\n");
    like $out, qr/^21 steps$/m, 'a loop that steps: 1 + 5 rounds of 4'; # s_mov, then v_mov, s_add, s_cmp, s_cbranch
}

fails("if\n", qr/^1: if: a condition is missing$/, 'no condition');
fails("if 1\necho a\n", qr/if: no `end` before the end of the script$/, 'no end');
fails("$launch\nlane apply 0-2 if 1\nprint nothing_of_this_name\n", qr/^2: if 1: .*cannot be applied\n3: no buffer/,
    'nor a block a lane, and the lines behind it are run');
{
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    my $out = qx($program --batch -e 'if 1' -e 'echo a' 2>&1);
    like $out, qr/^gpudbg: -e: if: no `end` before the end of the script$/, 'nor behind the last -e';
    is $? >> 8, 1, '... and the status says so';
    is qx($program --batch -e 'if 1' -e 'echo a' -e end 2>&1), 'a', 'lines of a block in -e';
}
fails("loop_break\n", qr/^1: loop_break and loop_continue need a `while` around them$/, 'no loop');
fails("define f\nloop_break\nend\nwhile 1\nf\nend\n", qr/^5: loop_break and loop_continue need a `while` around them$/,
    'nor in what a loop calls');
Kernels::write_file("$dir/leaves", "loop_break\nif 1\necho in\nend\n");
{
    my ($out, $errors) = script("while 1\nsource $dir/leaves\nloop_break\nend\n");
    is $out, 'in', 'nor in a script that it runs, which goes on';
    like "@$errors", qr/leaves:1: loop_break and loop_continue need a `while` around them$/, '... and says so';
}
fails("echo a\nif 1\necho b\nprint nothing_of_this_name\necho c\nend\n", qr/^4: no buffer, symbol or label/,
    'the line that failed is named');
fails("if 1\nif 1\n\n\nprint nothing_of_this_name\nend\nend\n", qr/^5: /, '... in a block inside');
fails("if 0\nelse\nwhile 1\nprint nothing_of_this_name\nend\nend\n", qr/^4: /, '... and behind an else');
fails("echo a\\n\nwhile nothing_of_this_name\necho b\nend\n", qr/^2: no buffer/, '... or the condition');
fails(("if 1\n" x 50) . ("end\n" x 50), qr/nested deeper than 32/, 'blocks inside blocks end somewhere');
fails("define f\n\$arg0 1\nend\nf if\n", qr/^4: if: no `end`$/, 'a block that an argument opened is closed');

fails("define $_\n", qr/^1: "$_" is a command of gpudbg; choose another name$/, "$_ is taken")
    for qw(n b info stepi reverse-nexti);
prints("define f\noutput \$argc\necho .\$arg9.\nend\nf 1 2 3 4 5 6 7 8 9 10 11 12\nf\n", '12.10.0..',
    '$argc counts all words');
{
    Kernels::write_file("$dir/bad", "output 1\nprint 1 / 0\noutput 2\n");
    my ($out, $errors, $status) = script("set stop-on-error on\nsource $dir/bad\noutput 3\n");
    is $out, '1', 'stop-on-error ends a script, and the one that reads it';
    is "@$errors[1 .. $#$errors] $status", "2: $dir/bad: ended by an error 1", '... which says so';
    ($out) = script("set stop-on-error on\nif 1\nsource $dir/bad\noutput 3\nend\noutput 4\n");
    is $out, '1', '... in a block, too';
    ($out) = script("source $dir/bad\noutput 3\n");
    is $out, '123', 'without it both go on';
    Kernels::write_file("$dir/quits", "output 1\nquit\n");
    ($out, $errors, $status) = script("set stop-on-error on\nsource $dir/quits\noutput 3\n");
    is "$out @$errors $status", '1  0', 'quit is no error';
}

fails("define f\n" . ("echo \$arg0\n" x 400) . "end\nf " . ('x' x 60000) . "\n",
    qr/^403: f: with these words its lines have more than 16777216 bytes$/, 'a command that grows beyond reason');

# ---- commands ----

{
    my ($out, $errors) = script("$launch\nbreak *4\ncommands\nsilent\nprintf \"%d \", \$s0\ncontinue\nend\ncontinue\n");
    like $out, qr/^5 4 3 2 1 Done: 1 wave, 22 instructions$/m, 'a breakpoint that prints and goes on';
    is "@$errors", '', '... without an error';
    ($out) = script(
        "$launch\nbreak *4\ncommands\nsilent\nset \$n = 0\nwhile \$n < 2\nstepi\nset \$n = \$n + 1\nend\necho "
        . "out\nend\ncontinue\noutput \$pc\n");
    unlike $out, qr/out/, 'commands end with the block that runs the machine on';
    like $out, qr/ 0xc\b.*^0xc$/ms, '... which is run whole';
    ($out) = script(
        "$launch\nbreak *4\ncommands 1\nif \$s0 > 2\ncontinue\nend\nprintf \"at %d\\n\", \$s0\nend\ncontinue\n");
    my @stops = $out =~ /^Breakpoint 1, wave 0 at 0x4/mg;
    is scalar @stops, 4, 'without `silent` each stop is reported: 5, 4, 3, 2';
    like $out, qr/^at 2$/m, 'what stands behind the command that goes on is left out until none does';
    is scalar(() = $out =~ /^at /mg), 1, '... and run once';
    ($out) = script("$launch\ntbreak *8\ncommands\noutput \$s0\ndelete\nend\ncontinue\ninfo breakpoints\n");
    like $out, qr/^5no breakpoints$/m, 'a temporary one has its commands, too';
    ($out) = script("$launch\nbreak *8\ncommands\nsilent\necho x\nend\ncommands 1\nend\ncontinue\ninfo breakpoints\n");
    unlike $out, qr/^x/m, 'no lines take them away';
    ($out) = script("$launch\nbreak *8\ncommands\nsilent\noutput \$s0\nreverse-continue\nend\nbreak *0xc\ncontinue\n");
    like $out, qr/^5Start of history, wave 0 at 0x0/m, 'they may go back';
    ($out) = script(
        "$launch\nbreak *8\ncommands\nsilent\nif 1\nprintf \"%d.\", \$s0\nend\nend\nset \$n = 0\nwhile \$n < 3\n"
        . "continue\nset \$n = \$n + 1\nend\n");
    like $out, qr/^5\.4\.3\.$/m, 'in a loop they run in each round';
    ($out) = script("$launch\nbreak *8 if \$s0 == 2\ncommands\nsilent\noutput \$s0\nend\ncontinue\n");
    like $out, qr/^2$/m, 'a condition comes before';
    my ($point) = grep { $_->{type} eq 'breakpoint' && $_->{commands} } records('--isa', 'gfx7', '--raw', "$dir/loop",
        commands($launch, 'break *8', 'commands', 'silent', '  print $s0', 'end', 'info breakpoints'));
    is $point->{commands}, 'silent; print $s0', 'info breakpoints shows them';
}
fails("commands\n", qr/^1: there is no breakpoint or watchpoint$/, 'commands without a breakpoint');
fails("break *4\ncommands 9\n", qr/^2: no breakpoint or watchpoint 9$/, '... of a wrong number');
{
    my ($out, $errors) = script(
        "commands 9\necho a\nif 1\necho b\nend\nend\ndefine print\necho c\nend\nif\necho d\nelse\necho "
        . "e\nend\necho f\n");
    is $out, 'f', 'lines of what could not begin are not run';
    is scalar @$errors, 3, '... and each is one error';
}
fails("break *4\ncommands\nprint nothing_of_this_name\nend\n$launch\ncontinue\n", qr/^6: no buffer/,
    'an error is that of the line that ran');
{
    my (undef, $errors, $status) = script(
        "$launch\nset step-limit 3\nset \$n = 0\nwhile 1\ncontinue\nset \$n = \$n + 1\nend\n");
    is "@$errors $status", '5: interrupted 1', 'a run that a limit ended ends the loop around it';
}

# ---- printf ----

my @same = (
    ['%d|%5d|%-5d|%05d|%+d', 7, 42, 42, 42, 7], ['%u %o %x %X %#x', 3000000000, 8, 255, 255, 255], ['%c%c', 72, 105],
    ['%d %i', -1, -2147483648], ['%f %.2f %8.3f|%-9.1f|', 1.5, 2.25, -0.125, 10.5],
    ['%e %g %G %.0f', 12345.678, 0.0001, 1e20, 2.5], ['%d%% of %s', 50, 7], ['%s', -3],
);
for my $case (@same) {
    my ($format, @values) = @$case;
    prints(qq(printf "$format\\n", ) . join(', ', @values) . "\n", sprintf("$format\n", @values), "printf $format");
}
prints(qq(printf "%llx %hd %ld %zu\\n", 0x123456789a, 70000, 5, 6\n), "123456789a 70000 5 6\n",
    'sizes of a format are those of the value');
prints(qq(printf "%8p|%-6p|%08p\\n", 0x1234, 16, 255\n), sprintf("%#8x|%-#6x|%#08x\n", 0x1234, 16, 255),
    'an address with a width');
prints(qq(printf "a\\tb\\\\ \\"q\\" 100%%\\n"\n), qq(a\tb\\ "q" 100%\n), 'escapes');
prints(qq(printf "%d %d\\n", (1 + 2) * 3, 1 ? 4 : 5\n), "9 4\n", 'expressions');
{
    my $float = sprintf '%.6f', unpack 'f', pack 'V', 0x40490fdb;
    my ($out) = script(
        qq($launch s[0]=hex:db0f4940\nprintf "%f %d %x|%s|%s\\n", \$s0, \$s0, \$s0, \$s0, \$v0[62:63]\n));
    like $out, qr/^\Q$float 1078530011 40490fdb|1078530011|{0, 0}\E$/m,
        'a register: its bits as a float, as a number; %s shows lanes';
    ($out) = script(qq($launch s[0]=hex:ffffffff\nprintf "%d %u\\n", \$s0, \$s0\n));
    like $out, qr/^-1 4294967295$/m, '%d takes the highest bit for a sign, %u does not';
}
my ($text) = grep { $_->{type} eq 'text' } records('--isa', 'gfx7', '--raw', "$dir/loop",
    commands('printf "%d lanes\n", 64'));
is $text->{text}, "64 lanes\n", 'and a record';
fails(qq(printf "%d %d", 1\n), qr/^1: there are fewer values than the format needs$/, 'too few values');
fails(qq(printf "%d", 1, 2\n), qr/^1: there are more values than the format needs: ", 2"$/, 'too many');
fails(qq(printf "%n", 1\n), qr/^1: %n: printf knows/, 'a letter that is none');
fails(qq(printf "%5000d", 1\n), qr/at most 3 digits/, 'a width beyond reason');
fails(qq(printf "a), qr/no closing quote/, 'an open quote');
fails(qq(printf a\n), qr/a format in quotes is missing/, 'no quote at all');
fails(qq($launch\nprintf "%d", \$v0[0:3]\n),
    qr/^2: the value has several registers or lanes, or is wide: only %s prints it/, 'one number for several lanes');
done_testing;
