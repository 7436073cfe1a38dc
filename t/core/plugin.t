#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Plug-ins, built as a stranger builds them: against the installed header, with pkg-config.  The answers of the toy
# program were worked out on paper.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use JSON::PP;
use Cwd ();
use Test::More;

my $gpudbg = abs_path(Gpudbg::program());
my $cc = $ENV{CC} // 'cc';
delete $ENV{MAKEFLAGS};

# What `make install` puts there for plug-ins.
my $build = Gpudbg::program() =~ m{(.*)/gpudbg$} ? $1 : die Gpudbg::program();
my $log = `make -s BUILD='$build' PREFIX='$dir/usr' -o '$build/gpudbg' install 2>&1`;
is($?, 0, 'make install') or diag $log;
$ENV{PKG_CONFIG_PATH} = "$dir/usr/lib/pkgconfig";
my ($flags) = `pkg-config --cflags gpudbg` =~ /^(.*?)\s*$/;
is($flags, "-I$dir/usr/include", 'pkg-config knows the header');

sub compile {
    my ($name, @files) = @_;
    my $said = `$cc -std=c11 -shared -fPIC -Wall -Wextra -Wpedantic -Werror $flags -o '$dir/$name.so' @files 2>&1`;
    ok($? == 0, "$name is built with the installed header") or diag $said;
    return "$dir/$name.so";
}


my $top = Cwd::getcwd();
my $toy = compile('toy', glob "plugins/toy/*.c");
my $hello = compile('hello', glob 'plugins/hello/*.c');
my ($out, $err, $status);

# Copied out of the tree, built with one -I and no pkg-config.
subtest 'a stranger needs -Icore/include alone' => sub {
    system "cp -r 'plugins/hello' '$dir/stranger'";
    my $said = `cd '$dir/stranger' && $cc -shared -fPIC -I'$top/core/include' -o mine.so *.c 2>&1`;
    is($? . $said, '0', 'hello builds in a folder of its own');
    ($out, $err, $status) = gpudbg('--plugin', "$dir/stranger/mine.so", commands('hello stranger', 'info plugins'));
    like($out, qr/^hello, stranger: nothing is loaded$/m, '... runs');
    like($out, qr/^hello +1 +says hello/m, '... and is listed');
    is($err . $status, '0', '... and all is well');
};

subtest 'hello: a command, a listing and a checker' => sub {
    ($out, $err, $status) = gpudbg('--plugin', $hello, commands('hello world', 'info plugins'));
    like($out, qr/^hello, world: nothing is loaded$/m, 'the command runs');
    like($out, qr/^hello +1 +says hello/m, 'info plugins lists it');
    is($status, 0, 'all is well');
    ($out, $err, $status) = gpudbg('--plugin', $hello, commands('hello', 'print 1 + 1'));
    like($err, qr/hello: say whom to greet/, 'its errors are errors of a command');
    like($out, qr/= 2$/m, '... and the run goes on');
    is($status, 1, '... and is counted');
    ($out) = gpudbg('--plugin', $hello, '--json', '--isa', 'gfx7', '--raw', spill('three.bin', pack 'V3',
        0xbf800000, 0xbf800001, 0xbf810000),
        commands('info mnemonics'));
    is_deeply([map { decode_json($_) } split /\n/, $out],
        [{ type => 'mnemonic', mnemonic => 's_nop', count => 2 }, { type => 'mnemonic', mnemonic => 's_endpgm',
            count => 1 }],
        'the listing is JSON too');
    my $doubles = spill('doubles.bin', pack 'V*', 0xbf800000, 0xbf800000, 0x7e000280, 0x7e000280, 0x7e020280,
        0xbf810000);
    ($out, $err, $status) = gpudbg('--plugin', $hello, '--isa', 'gfx7', '--raw', $doubles, commands('check twice',
        'info checks', 'check all on', 'check twice on'));
    is(() = $out =~ /twice: s_nop does/g, 2, 'its checker finds what it is for, and info checks keeps it');
    is(() = $out =~ /twice: /g, 4, '... and nothing else');
    like($err, qr/check twice checks code, not runs/, '... and does not watch runs');
};

# set v1, 5; item v2; set v3, 4; mul v2, v2, v3; L: add v0, v0, v1; loop v1, L; store buf0[v2], v0; end
my @words = (0x11000005, 0x22000000, 0x13000004, 0x42230000, 0x30010000, 0x7100fffe, 0x60200000, 0);
my $sum = spill('sum.bin', pack 'V*', @words);
my @toy = ('--plugin', $toy, '--isa', 'toy', '--raw', $sum);

subtest 'toy: text and fields' => sub {
    ($out, $err, $status) = gpudbg(@toy, commands('disassemble'));
    is_deeply([$out =~ m{^\s+(.*?)\s+//}mg],
        ['set v1, 5', 'item v2', 'set v3, 4', 'mul v2, v2, v3', 'add v0, v0, v1', 'loop v1, L0010',
        'store buf0[v2], v0', 'end'], 'text');
    ($out) = gpudbg(@toy, '--json', commands('disassemble'));
    my @insns = grep { $_->{type} eq 'insn' } map { decode_json($_) } split /\n/, $out;
    is(scalar @insns, 8, 'a record an instruction');
    my @rebuilt = map {
        my $word = 0;
        $word |= hex($_->{value}) << $_->{lo} for @{ $_->{fields} };
        $word;
    } @insns;
    is_deeply(\@rebuilt, \@words, 'the fields rebuild the words');
    ($out) = gpudbg(@toy, commands('decode 80000000'));
    like($out, qr/8000/, 'what is no instruction is shown as data');
};

# toy2 has no mul, and gives its number, 4, to loop; what was loop, 7, is no instruction there.
subtest 'toy2: a chip that shares the table, lacks a row and renumbers one' => sub {
    my @two = (0x11000005, 0x30010000, 0x4100fffe, 0x22000000, 0x32220000, 0x32220000, 0x60200000, 0);
    my @on2 = ('--plugin', $toy, '--isa', 'toy2', '--raw', spill('two.bin', pack 'V*', @two));
    ($out) = gpudbg(@on2, commands('disassemble'));
    like($out, qr/^\s+loop v1, L0004\s/m, 'number 4 is loop');
    ($out) = gpudbg(@on2, commands('decode 42230000', 'decode 7100fffe'));
    unlike($out, qr/mul/, 'the number of mul on toy means no mul');
    like($out, qr/7100/, '... and what is loop on toy is shown as data');
    ($out, $err) = gpudbg(@on2, commands('help insn mul'));
    like($err, qr/no instruction "mul"/, 'help does not know what the chip lacks');
    unlike($err, qr/there are/, '... nor names it as like another');
    ($out) = gpudbg(@on2, commands('help insn loop', 'apropos "A * B"'));
    like($out, qr/^    form    JUMP, opcode 4 /m, 'help gives the number of the chip');
    ($out) = gpudbg('--plugin', $toy, '--json', commands('info isa'));
    my @sets = grep { $_->{name} =~ /^toy/ } map { decode_json($_) } split /\n/, $out;
    is_deeply({ map { $_->{name} => $_->{opcodes} } @sets }, { toy => 8, toy2 => 7 }, 'info isa counts what each has');
    ($out, $err, $status) = gpudbg(@on2, commands('launch -g 8 buf0=zero:32', 'continue', 'x/8dw buf0'));
    is_deeply([map { split } $out =~ /^0x.*?:(.*)$/mg], [(15) x 8], 'it runs: 5 + 4 + 3 + 2 + 1')
        or diag $out . $err;
};

subtest 'toy: forwards and backwards' => sub {
    ($out, $err, $status) = gpudbg(@toy, commands('launch -g 13 -l 13 buf0=zero:52', 'continue', 'x/13dw buf0'));
    is_deeply([map { split } $out =~ /^0x.*?:(.*)$/mg], [(15) x 13],
        'every work-item has its sum: 5 + 4 + 3 + 2 + 1, in two waves, the last not full');
    is($status, 0, 'all is well');
    my @walk = ('launch -g 8 buf0=zero:32', 'info hash', 'stepi 4', 'info hash', 'stepi 9', 'info hash',
        'print $v0[3]', 'reverse-stepi 9', 'info hash',
        'stepi 9', 'info hash', 'goto 0', 'info hash', 'goto 13', 'info hash');
    ($out) = gpudbg(@toy, commands(@walk));
    my @hash = $out =~ /^hash (0x[0-9a-f]+)$/mg;
    is(scalar @hash, 7, 'seven hashes');
    isnt($hash[1], $hash[$_], "going on changes the state ($_)") for 0, 2;
    is($hash[3], $hash[1], 'nine back');
    is($hash[4], $hash[2], 'nine forward again');
    is($hash[5], $hash[0], 'to the start');
    is($hash[6], $hash[2], 'and to where we were');
    like($out, qr/^\$1 = 15$/m, '5 + 4 + 3 + 2 + 1 after four and a half rounds');
    ($out) = gpudbg(@toy, commands('launch -g 8 buf0=zero:32', 'break *0x14 if $v1 == 2', 'continue', 'print $v0',
        'set $v0[2] = 100', 'delete', 'continue',
        'x/8dw buf0', 'watch *(u32*)buf0', 'reverse-continue'));
    like($out, qr/^Breakpoint 1.*loop v1/m, 'a breakpoint with a condition');
    like($out, qr/^\$1 = 14$/m, '... stops in the right round');
    like($out, qr/:\s+15\s+15\s+101\s+15$/m, 'a register that was set counts');
    like($out, qr/Watchpoint 2/, 'a watchpoint stops on the way back');
};

subtest 'toy: faults name what is wrong' => sub {
    ($out, $err, $status) = gpudbg(@toy, commands('launch -g 8 buf0=zero:16', 'continue', 'x/4dw buf0'));
    like($out . $err, qr/store buf0\[v2\], v0: .*lane 4.*buf0 has 16 bytes, none at 16|buf0 has 16 bytes, none at 16/,
        'the lane that is out of the buffer');
    like($out, qr/:\s+0\s+0\s+0\s+0$/m, '... and nothing was stored');
    is($status, 1, '... is the exit status');
    ($out, $err) = gpudbg(@toy, commands('launch -g 8 s0=1'));
    like($err, qr/'s0' is none of buf0 to buf15/, 'an argument that it does not know');
    ($out, $err) = gpudbg(@toy, commands('launch -g 8', 'continue'));
    like($out . $err, qr/buf0 was not given/, 'a buffer that is missing');
    my $wild = spill('wild.bin', pack 'V*', 0x80000000);
    ($out, $err) = gpudbg('--plugin', $toy, '--isa', 'toy', '--raw', $wild, commands('launch -g 8', 'continue'));
    like($out . $err, qr/no such instruction/, 'an opcode that is not there');
};

subtest 'toy: in the screen' => sub {
    local $ENV{LC_ALL} = 'C';
    ($out, $err, $status) = gpudbg('--screen', '100x30', @toy, commands('launch -g 8 buf0=zero:32', 'stepi 5',
        'screenshot'));
    is($status, 0, 'all is well');
    like($out, qr/> ?0014 .*loop v1, L0010/, 'the code pane points at the instruction');
    like($out, qr/v0 +\*?5 +\*?5 +\*?5/, 'the lanes pane has the registers');
    like($out, qr/op +31:28 +loop/, 'the fields pane has the fields');
};

# ---- Plug-ins that are wrong in one way each ----

sub bad {
    my ($name, $body) = @_;
    return compile($name, spill("$name.c", "#include <gpudbg.h>\n$body\n"));
}

my $descriptor = 'GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin';
my $command = <<'C';
static bool run(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *o, struct gpudbg_error *e)
{
    (void)g; (void)a; (void)e;
    gpudbg_out_print(o, "it runs\n");
    return true;
}
static const struct gpudbg_command row = {.name = NAME, .summary = "nothing", .family = "Plug-ins", .run = run};
static const struct gpudbg_command *const rows[] = {&row, NULL};
C
my $start = <<'C';
static bool start(struct gpudbg *g, struct gpudbg_error *err)
{
    (void)g;
    return gpudbg_fail(err, "command", "no frobnicator was found");
}
C
for my $case (
    ['abi', "$descriptor = {.abi = GPUDBG_ABI + 1, .size = sizeof(struct gpudbg_plugin), .name = \"abi\"};",
    qr/built for GPUDBG_ABI 10, and this program has 9/],
    ['large', "$descriptor = {.abi = GPUDBG_ABI, .size = sizeof(struct gpudbg_plugin) + 8, .name = \"large\"};",
    qr/its descriptor has \d+ bytes/],
    ['silent', 'GPUDBG_PUBLIC extern const int something; const int something = 1;', qr/exports no gpudbg_plugin/],
    ['nameless', "$descriptor = {.abi = GPUDBG_ABI, .size = sizeof(struct gpudbg_plugin)};", qr/without a name/],
    ['twice', "#define NAME \"launch\"\n$command$descriptor "
        . "= {.abi = GPUDBG_ABI, .size = sizeof(struct gpudbg_plugin), .name = \"twice\", .commands = rows};",
        qr/there is a command launch already/],
    ['failing', "#define NAME \"failing\"\n$command$start$descriptor "
        . "= {.abi = GPUDBG_ABI, .size = sizeof(struct gpudbg_plugin), .name = \"failing\", .commands = rows, "
        . ".start = start};",
        qr/no frobnicator was found/],
) {
    my ($name, $body, $want) = @$case;
    my $object = bad($name, $body);
    ($out, $err, $status) = gpudbg(@toy, commands("plugin $object", 'info plugins', 'failing', 'print 6 * 7'));
    like($err, $want, "$name: one line says why");
    unlike($out, qr/^$name\b/m, '... it is not listed');
    like($err, qr/failing"?: no such command|failing/, '... its commands are gone') if $name eq 'failing';
    unlike($out, qr/it runs/, '... and cannot run');
    like($out, qr/= 42$/m, '... and the session goes on');
}
# The word for the kind of an error outlives the plug-in that gave it; one that `help errors` does not list is no kind.
for (['missing', 'missing'], ['frobnicated', 'unsupported']) {
    my ($given, $want) = @$_;
    my $object = bad("gives_$given", "#define NAME \"gives_$given\"\n$command" . ($start =~ s/"command"/"$given"/r)
        . "$descriptor = {.abi = GPUDBG_ABI, .size = sizeof(struct gpudbg_plugin), .name = \"gives\", "
        . ".commands = rows, .start = start};");
    my ($error) = grep { $_->{type} eq 'error' } records(commands("plugin $object"));
    is($error->{kind}, $want, "the kind $given of a plug-in that was unloaded again");
}
($out, $err, $status) = gpudbg(@toy, commands("plugin $dir/nothing.so", 'print 6 * 7'));
like($err, qr/nothing\.so: no such file/, 'a file that is not there');
like($out, qr/= 42$/m, '... and the session goes on');

# The whole line and the exit status, for a plug-in that was built with the header of another version.
my ($abi) = `cat 'core/include/gpudbg.h'` =~ /^#define GPUDBG_ABI (\d+)$/m;
system "cp -r '$dir/usr/include' '$dir/earlier' && sed -i 's/^#define GPUDBG_ABI .*/#define GPUDBG_ABI 1/' "
    . "'$dir/earlier/gpudbg.h'";
my $log1 = `$cc -std=c11 -shared -fPIC -I'$dir/earlier' -o '$dir/earlier.so' 'plugins/hello/hello.c' 2>&1`;
is($?, 0, 'hello is built for GPUDBG_ABI 1') or diag $log1;
my $large = "$dir/large.so";
my $size = '#include <gpudbg.h>\n#include <stdio.h>\nint main(void) { printf("%%zu", sizeof(struct gpudbg_plugin)); }';
my ($known) = `printf '$size' | $cc $flags -x c -o '$dir/size' - && '$dir/size'`;
for ([$dir . '/earlier.so', "it was built for GPUDBG_ABI 1, and this program has $abi: build it again"],
    [$large, 'its descriptor has ' . ($known + 8) . " bytes, and this program knows $known"]) {
    my ($object, $why) = @$_;
    ($out, $err, $status) = gpudbg('--plugin', $object, commands('hello world'));
    is($err, "gpudbg: $object: plug-in $object: $why\n", 'a plug-in that does not fit is refused in one line');
    is($out, '', '... nothing runs');
    is($status, 3, '... and the exit status is that of a file that cannot be loaded');
}

# A descriptor from before the struct grew: what it does not have counts as empty.
my $old = bad('old',
    "#define NAME \"oldtimer\"\n$command#include <stddef.h>\n"
    . "$descriptor = {.abi = GPUDBG_ABI, .size = offsetof(struct gpudbg_plugin, listings), "
    . '.name = "old", .commands = rows, .stop = (void (*)(struct gpudbg *))1};');
($out, $err, $status) = gpudbg(commands("plugin $old", 'oldtimer'));
is($out, "it runs\n", 'an older, shorter descriptor is taken') or diag $err;
done_testing;
