# SPDX-License-Identifier: GPL-3.0-or-later
#
# Callers that no recorded time reaches: a wave is put into a function by hand, with a return address, a stack and
# values of a caller
# that never ran.  What the test put there is what `backtrace`, `up` and `info locals` must show.  Addresses are those
# of
# llvm-objdump: chain calls stir at 0x3384 (-O0, second call: 0x34d8) and 0x2b00 (-O1).
use v5.36;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
sub said ($file, @words) { my @e = map { ('-e', $_) } @words; open my $p, '-|',
    "$gpudbg --batch t/data/kernels/gfx7/$file @{[map { qq('$_') } @e]} 2>&1" or die; local $/; return <$p> // '' }

for my $case (['calls-O0-g.co', 0x3384, 0x800], ['calls-O1-g.co', 0x2b00, 0x400]) {
    my ($file, $call, $stack) = @$case;
    my $plain = $file =~ /O0/;
    # The caller's frame is at 0, its stack ends there; of lane 0 dword i of the frame is at 256 * i.
    my @enter = ('launch calls_chain -g 64 -l 64 zero:256 fill:256:0', 'set $s33 = 0', "set \$s32 = $stack",
        sprintf('set $s[30:31] = 0x%x', $call + 4),
        'set $v0 = 9', 'set $v1 = 3', 'set $v5 = 123', 'set *(u32*)(scratch + 0x0) = 123',
        'set *(u32*)(scratch + 0x100) = 45', 'set *(u32*)(scratch + 0x200) = 77');
    my $stir = said($file, 'print stir') =~ /(0x\w+)/ ? $1 : '0';
    my @in = (@enter, "set \$pc = $stir");
    my $where = sprintf 'chain\\+0x%x', $call - hex(said($file, 'print chain') =~ /(0x\w+)/ ? $1 : 0);
    # At the first instruction nothing is saved yet.
    like(said($file, @in, 'backtrace'), qr/^#0 +stir .*\n#1 +$where in chain at \.\/calls\.cl:18$/m,
        "$file: at a function's first instruction");
    # In its body, what the prologue saved is brought back.
    my $deep = said($file, @in, 'break twist', 'continue', 'backtrace', 'up', 'info args', 'up', 'info args',
        'info locals', 'print x', 'down', 'print rounds');
    like($deep, qr/^#0 +twist\S* in twist.*\n#1 +stir\S* in stir .*\n#2 +$where in chain at \.\/calls\.cl:18\n/m,
        '... in what it calls: both callers');
    like($deep, qr/^rounds +uint .* 3$/m, '... the arguments of the nearer one');
    like($deep, qr/^x +uint .* 123$/m, '... of the farther one, as they were put there');
    like($deep, qr/^\$1 = 123$/m, '... and expressions read them') ;
    like($deep, qr/^y +uint .* 77$/m, '... its variables in memory') if $plain;
    # In the epilogue: after the frame's register was brought back.
    my ($ret) = map { /s_setpc_b64.*\/\/ ([0-9a-f]+)$/ ? "0x$1" : () } split /\n/, said($file, 'disassemble stir');
    like(said($file, @in, "break *$ret", 'continue', 'backtrace'), qr/^#0 +stir\S+ in stir.*\n#1 +$where in chain/m,
        '... and before the return');
    # Looking changes nothing.
    my @hashes = said($file, @in, 'break twist', 'continue', 'info hash', 'backtrace', 'up', 'down', 'info hash')
        =~ /^hash (0x\w+)$/mg;
    is($hashes[0], $hashes[1], '... looking changes nothing');
}
done_testing;
