# SPDX-License-Identifier: GPL-3.0-or-later
#
# The fields that gpudbg shows of an instruction hold all of its bits, once, and each says what it means: the bytes of
# random instructions of every opcode and format, and of all that IGA makes of the corpus, native and compacted, are
# rebuilt from them.
use v5.36;
use JSON::PP;
use Test::More;
use File::Temp qw(tempdir);
use OracleGen qw(need_iga corpus write_file instructions);
use OracleFields qw(field_failures);
use OracleRandom qw(generator);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my $random = generator(0xf1e1d5);
for my $isa (qw(gen7 gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my $bytes = $isa eq 'gen7' ? '' : (corpus($isa, 1200))[0];
    for my $opcode (map { ($_) x 24 } 0 .. 127) {
        my $word = pack 'V4', map { $random->(65536) << 16 | $random->(65536) } 1 .. 4;
        my $first = unpack('V', $word) & ~0x200000ff | $opcode;
        my $compacted = $random->(4) == 0;
        $bytes .= $compacted ? pack('V', $first | 0x20000000) . substr($word, 4, 4) : pack('V', $first) . substr $word,
            4;
    }
    my ($failures, $count) = field_failures(isa => $isa, file => write_file("$dir/$isa.bin", $bytes));
    is($count->{failed}, 0, "$isa: the fields of $count->{insns} instructions give their bytes back and have meanings");
    diag($_) for @$failures;
    cmp_ok($count->{insns}, '>=', 1000, "$isa: $count->{data} units of data");
}
# What IGA says of descriptors (-Xdsd): the fields of messages to the gateway and to render targets.
my %same = (GatewayOpcode => 'subfunction', DataSize => 'halves', DualHeader => 'header',
    PerCoarsePixelPSOutputs => 'coarse', MessageTypeRC => 'type', PerSamplePS => 'per_sample',
    LastRenderTargetSelect => 'last', SlotGroupSelect => 'slots', Subop => 'kind', BTS => 'surface');
my %says = ('end of thread' => 'end of thread', 'signal event' => 'signal event', 'monitor event' => 'monitor event',
    'unmonitor event' => 'unmonitor event', 'signal barrier' => 'barrier',
    'wait for event' => 'wait for event', 'render target write' => 'render target write',
    'render target read' => 'render target read', '.simd16' => 'SIMD16', '.simd8' => 'SIMD8',
    '.rep16' => 'SIMD16, replicated', '.lo8ds' => 'SIMD8, dual source, low', '.hi8ds' => 'SIMD8, dual source, high',
    FP32 => 'no', FP16 => 'yes', disabled => 'no', enabled => 'yes', false => 'no', true => 'yes',
    SLOTGRP_LO => 'no', SLOTGRP_HI => 'yes', 'included (two register header)' => 'yes', 'not included' => 'no');
# The fields of a send with this descriptor: IGA's words for sends from r20 to r60, with its function and descriptor.
sub descriptor_fields ($isa, $sfid, $desc) {
    my @dword = unpack 'V4', pack 'H*',
        $isa =~ /gen12/ ? '3100038000000c3c0c14083000000000' : '310060030c0280278002000604001002';
    if ($isa =~ /gen12/) {
        my @to = ([123, 122, 30], [71, 67, 25], [55, 51, 20], [121, 113, 11], [91, 81, 0]);
        $dword[2] = $dword[2] & ~(15 << 28) | $sfid << 28;
        for (@to) {
            my ($high, $low, $from) = @$_;
            my $mask = (1 << $high - $low + 1) - 1;
            $dword[$low >> 5] = $dword[$low >> 5] & ~($mask << $low % 32) | ($desc >> $from & $mask) << $low % 32;
        }
    } else {
        $dword[0] = $dword[0] & ~(15 << 24) | $sfid << 24;
        $dword[3] = $desc;
    }
    my $hex = join ' ', map { sprintf '%08x', $_ } @dword;
    my $json = `$ENV{GPUDBG} --batch --json --isa $isa -e 'decode $hex'`;
    return map { $_->{fields}->@* } grep { $_->{type} eq 'insn' } map { decode_json($_) } split /\n/, $json;
}
for (['gen9', '9'], ['gen11', '11'], ['gen12', '12p1'], ['gen12.5', '12p71']) {
    my ($isa, $platform) = @$_;
    my ($wrong, $compared) = (0, 0);
    for my $sfid (3, 5) {
        for my $n (0 .. 39) {
            my $desc = 1 << 25 | ($sfid == 3 ? $n & 7
                : ($n & 1 ? 12 : 13) << 14 | $random->(8) << 8 | $random->(2) << 11 | $random->(2) << 12
                | $random->(2) << 13 | ($n & 1 ? $random->(2) << 18 : 0) | $random->(2) << 19 | $random->(250)
                | ($n & 1 ? $random->(2) << 30 : 0));
            # IGA reads the coarse bit of Gen9 too, where Mesa has none.
            $desc &= ~(1 << 18) if $isa eq 'gen9';
            my $at = $isa =~ /gen12/ ? ($sfid == 3 ? 'gtwy' : 'rc') . ' 0x0' : "0x$sfid";
            my @iga = map { /^\s+Desc\[([\d:]+)\]\s+(\w+)\s+0x([0-9A-F]+)\s*(.*?)\s*$/ && $same{$2}
                ? [$1, $same{$2}, $4] : () } split /\n/, `iga64 -p=$platform -Xdsd $at @{[sprintf '0x%x', $desc]} 2>&1`;
            my %ours = map { ($_->{name} => $_->{meaning}) } descriptor_fields($isa, $sfid, $desc);
            for (@iga) {
                my ($bits, $name, $text) = @$_;
                next if $name eq q(coarse) && $isa eq q(gen9);
                # IGA warns of these itself: no half reads, no end of thread through the gateway before Xe-HPG.
                next if !defined $says{$text} || ($text eq q(FP32) && !($n & 1))
                    || ($text eq q(end of thread) && $isa ne q(gen12.5));
                $compared++;
                next if $says{$text} eq ($ours{$name} // 'nothing');
                diag sprintf '%s %d %08x: %s %s: IGA %s, gpudbg %s', $isa, $sfid, $desc, $name, $bits, $text,
                    $ours{$name} // 'nothing' if $wrong++ < 5;
            }
        }
    }
    cmp_ok $compared, '>=', 100, "$isa: fields of descriptors that both name";
    is $wrong, 0, '... with the same meaning';
}
done_testing;
