# SPDX-License-Identifier: GPL-3.0-or-later
#
# A wave that has ended is nowhere: its pc is behind its last instruction, in whatever lies there.  What asks where it
# is says so.
use v5.36;
use Test::More;
use JSON::PP;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
sub said (@words) { my @e = map { ('-e', $_) } @words; open my $p, '-|',
    "$gpudbg --batch --demo=matmul @{[map { qq('$_') } @e]} 2>&1" or die; local $/; return <$p> }

for my $command ('backtrace', 'frame', 'up', 'down', 'info locals', 'break', 'tbreak', 'clear', 'info line',
    'whatis n') {
    like(said('continue', $command), qr/^gpudbg: -e: wave 0 is not running: it has ended$/m,
        "$command of a wave that has ended");
    unlike(said($command), qr/not running/, "... and at its entry it does not");
}
like(said('continue', 'print no_such_variable'), qr/wave 0 is not running, so it has no variables/,
    'so does a name that could be a variable');
like(said('continue', 'info registers pc'), qr/^pc\s+0x[0-9a-f]+ <not running>$/m, 'its pc is in no function');
like(said('continue', 'info waves'), qr/^>\s+0\s+ended\s+not running\s/m, 'so it is in the list of waves');
my $end = said('continue');
like($end, qr/^Done: 64 waves.*\n\z/m, 'the last line is the end: no source line follows');
like(said('continue', 'reverse-stepi', 'backtrace'), qr/^#0 /m, 'one step back it is somewhere again');

# Pointers that are not there.
my $file = 't/data/kernels/gfx7/vector_add.hsaco';
($file) = grep { -e } $file, glob 't/data/kernels/gfx7/*vector_add*';
SKIP: {
    skip 'no kernel', 3 if !$file;
    my $launch = sub ($arg) {
        scalar qx($gpudbg --batch $file -e 'launch vadd_f32 -g 64 -l 64 $arg zero:256 zero:256 64' 2>&1) };
    like($launch->('hex:0000000000000000'), qr/write null for a null pointer, zero:8 for such a buffer/,
        'eight zeros for a pointer are refused');
    unlike($launch->('null'), qr/^gpudbg:/m, 'null is a null pointer');
    unlike($launch->('hex:0100000000000000'), qr/^gpudbg:/m, 'other bytes are a buffer');
}
done_testing;
