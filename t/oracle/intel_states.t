# SPDX-License-Identifier: GPL-3.0-or-later
#
# Error states of i915 beside intel_error_decode of intel-gpu-tools: the chip's generation, busy units bit by bit, the
# ring's head, wraps and length, and fences.  It reads fences of Gen7 and later in the layout of Gen3, and commands of
# Gen8 and later with the lengths of older ones: these are compared with genxml (t/dumps/commands.t).
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use OracleRandom qw(generator);
use Test::More;

if (!grep { -x "$_/intel_error_decode" } split /:/, $ENV{PATH}) {
    die "intel_error_decode is required (package intel-gpu-tools)\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no intel_error_decode (package intel-gpu-tools)';
}
my $dir = tempdir(CLEANUP => 1);
my $random = generator(0x1915);
sub bits ($n) { return $random->(1 << $n) }

# Both programs on one state: sorted busy units, and a text for each of the others.
sub both ($id, $fence, $instdone, $head, $ctl) {
    open my $f, '>', "$dir/state" or die "state: $!\n";
    printf $f "GPU HANG: ecode 0:1:0x00000000, hang on rcs0\nTime: 1 s 2 us\nKernel: 5.4.0\nPCI ID: 0x%s\n"
        . "EIR: 0x00000000\nIER: 0x00000000\n  fence[0] = %x\nrcs0 command stream:\n  START: 0x00001000\n"
        . "  HEAD:  0x%08x\n  TAIL:  0x00000000\n  CTL:   0x%08x\n  ACTHD: 0x00000000 00439018\n  IPEIR: 0x00000000\n"
        . "  IPEHR: 0x02000000\n  INSTDONE: 0x%08x\n", $id, $fence, $head, $ctl, $instdone;
    close $f;
    my $theirs = `intel_error_decode $dir/state 2>&1`;
    my ($ours) = gpudbg("$dir/state", commands('info dump'));
    my ($said) = $ours =~ /fence\[0\] +(?:0x\w+ +)?(\w-tiled, .*)$/m;
    return ($theirs, $ours, $said // '');
}
sub busy_of ($text, $pattern, $not) { return join ', ', sort { $a cmp $b } grep { $_ !~ $not } $text =~ /$pattern/g }

my $compared = 0;
for (['gen4', '29a2'], ['gen4.5', '2a42'], ['gen5', '0046'], ['gen6', '0116'], ['gen8', '1616'], ['gen9', '1916'],
    ['gen11', '8a52']) {
    my ($family, $id) = @$_;
    my ($wrong, $units, $fences) = (0, 0, 0);
    for my $n (0 .. 47) {
        my $instdone = $n < 32 ? ~(1 << $n) & 0xffffffff : bits(16) << 16 | bits(16);
        my $start = bits(15) << 12;
        my $fence = $family =~ /gen[456]/ && $n % 3 == 0
            ? ($start + (bits(8) << 12)) << 32 | $start | bits(7) << 2 | bits(1) << 1 | 1 : 0;
        my ($head, $ctl) = (bits(11) << 21 | bits(18) << 2, bits(6) << 12 | bits(1));
        my ($theirs, $ours, $tiled) = both($id, $fence, $instdone, $head, $ctl);
        # Of Gen6's four message arbiters it takes bit 31 for all; the bits are 19, 23, 27 and 31.
        my $not = $family eq 'gen6' ? qr/^Message Arbiter/ : qr/^$/;
        my $want = busy_of($theirs, qr/^ +busy: (.*?) *$/m, $not);
        my $have = busy_of($ours =~ s/Texture fetch 2 Done/Texture fetch Done/r,
            qr/^ +\d+:\d+ +(.*?) Done +busy/m, $not);
        $units += length $want > 0;
        my ($offset, $wraps) = $theirs =~ /head = 0x(\w+), wraps = (\d+)/;
        my ($our_offset) = $ours =~ /Head Offset +0x(\w+)/;
        my ($our_wraps) = $ours =~ /Wrap Count +(\d+)/;
        my ($length) = $theirs =~ /len=(\d+)/;
        my ($pages) = $ours =~ /Buffer Length \(in pages - 1\) +(\d+)/;
        my @pairs = ([$want, $have], [hex $offset, hex($our_offset // '0')], [$wraps, $our_wraps // 0],
            [$length, 4096 * (1 + ($pages // 0))]);
        if ($theirs =~ /^ +valid, (\w)-tiled, pitch: (\d+), start: 0x0*(\w+), size: (\d+)/m && $family ne 'gen6') {
            push @pairs, ["$1-tiled, pitch $2, start 0x$3, size $4", $tiled];
            $fences++;
        }
        for (@pairs) {
            $compared++;
            next if $_->[0] eq $_->[1];
            diag "$family, $n: intel_error_decode [$_->[0]], gpudbg [$_->[1]]" if $wrong++ < 5;
        }
    }
    is $wrong, 0, "$family: all that intel_error_decode says of rings and units, $fences fences";
    cmp_ok $units, '>=', 20, '... states with busy units';
}
cmp_ok $compared, '>=', 1300, 'values compared';
done_testing;
