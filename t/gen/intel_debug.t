#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Shaders as Mesa's drivers for Intel print them with INTEL_DEBUG=hex, in the middle of a log.  The bytes are iga64's
# (t/data/gen7), the names are those of the texts that it read; the lines around them are in the drivers' form.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data/gen7";
plan skip_all => 'no kernels beside the tests' unless -r "$data/mac.krn";
sub of_type { my ($type, @all) = @_; return grep { $_->{type} eq $type } @all }

# A kernel as Mesa's disassembler prints it, by its bytes and the names of its text.
sub printed {
    my ($name, $stage, $width) = @_;
    my ($source) = slurp("$data/programs.asm") =~ m{^// == \Q$name\E\n(.*?)(?:^// == |\z)}ms;
    my @names = map { /^\s*(?:\([^)]*\)\s*)?([a-z][a-z0-9]*)/ ? $1 : () } split /\n/, $source;
    my $code = slurp("$data/$name.krn");
    is 16 * @names, length $code, "$name: as many names as instructions";
    my @lines = map { sprintf "%s %s(8)%sg%d<1>F { align1 1Q };\n", join(' ', map { sprintf '%02x', ord }
        split //, substr $code, 16 * $_, 16), $names[$_], ' ' x 8, $_ } 0 .. $#names;
    $lines[1] =~ s/ (\w+\(8\))/ (+f0.0) $1/;
    return "Native code for unnamed $stage shader GLSL3 (src_hash 0x00000000) (sha1 0)\n" .
        "SIMD$width shader: " . @names . " instructions. 0 loops. 26 cycles.\n   START B0 (26 cycles)\n" .
        join('', @lines) . "   END B0\n\n";
}
my $log = "MESA: info: something else\n" . printed('mac', 'fragment', 8) . "10:42:01 more of the log\n" .
    printed('shifts', 'compute', 16);

subtest 'a log with two shaders' => sub {
    my $file = spill('log.txt', $log);
    my @all = records($file, commands('info file', 'info folder', 'disassemble'));
    is join(' ', map { $_->{name} =~ s/.*\((\w+)\)$/$1/r } of_type('code-file', @all)), 'fs_simd8 cs_simd16',
        'each is a member, with its width';
    is((of_type('file', @all))[0]{isa}, 'gen7.5', 'the chip is found by the names');
    is join(' ', map { $_->{mnemonic} } of_type('insn', @all)), 'mul mac mov send', 'the first one\'s code';
    @all = records("$file(cs_simd16)", commands('info file', 'disassemble'));
    is scalar(of_type('insn', @all)), length(slurp("$data/shifts.krn")) / 16, 'the second by name';
    @all = records('--isa', 'gen7', $file, commands('info file'));
    is((of_type('file', @all))[0]{isa}, 'gen7', '--isa chooses among chips that fit');
    is((of_type('code-file', records($file, commands('info folder'))))[0]{form}, 'intel-debug',
        'the list names the form of the container');
};

subtest 'what does not fit is refused' => sub {
    (my $other = $log) =~ s/mac\(8\)/dp4a(8)/;
    my @all = records(spill('other.txt', $other), commands('info folder'));
    my ($refused) = grep { $_->{name} =~ /fs_simd8/ } of_type('code-file', @all);
    like $refused->{stage} // '', qr/are not, on any chip that gpudbg knows/, 'an instruction of another chip';
    for my $cut (map { int(length($log) * $_ / 24) } 0 .. 24) {
        my $file = spill('cut.txt', substr $log, 0, $cut);
        qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info folder' -e disassemble 2>&1);
        is $? & 127, 0, "cut at $cut";
    }
    for my $hostile ('00 ' x 16 . "mov(8)\n", '00 ' x 17 . "mov(8)\n", '00 ' x 8 . "(\n", '0g ' x 16 . "mov(8)\n",
        'ff ' x 16 . '(' x 5000 . "\n") {
        my $file = spill('bad.txt', "Native code for x\nSIMD99999999999999999999 shader\n" . $hostile x 9);
        my $said = qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info folder' 2>&1);
        is $? & 127, 0, 'hostile lines';
        unlike $said, qr/[^\n\t -~]/, '... and what is said is text';
    }
};

# Without bytes.  The words of both shaders are those of a public program (gen7.5), which has the text beside them.
my @words8 = (0x20024b5a, 0x02047ce0, 0x20224b5a, 0x02047de0, 0x20024b5a, 0x02057ee0, 0x20224b5a, 0x02057fe0,
    0x05600032, 0x20001fa8, 0x008d0f80, 0x88031400);
my @texture = (0x20024b5a, 0x020405e0, 0x20224b5a, 0x020406e0, 0x02600031, 0x2f801fa9, 0x008d00a0, 0x04420001,
    0x05600032, 0x20001fa8, 0x008d0f80, 0x88031400);
my $plain = <<'END';
OpenGL renderer string: Mesa DRI Intel(R) Haswell Mobile
NIR (SSA form) for fragment shader:
shader: MESA_SHADER_FRAGMENT
	mov(8) vgrf3:F, attr0:F
Native code for unnamed fragment shader GLSL3
SIMD8 shader: 5 instructions. 0 loops. 44 cycles.
   START B0 (44 cycles)
pln(8)          g124<1>F        g4<0,1,0>F      g2<8,8,1>F      { align1 1Q compacted };
pln(8)          g125<1>F        g4.4<0,1,0>F    g2<8,8,1>F      { align1 1Q compacted };
pln(8)          g126<1>F        g5<0,1,0>F      g2<8,8,1>F      { align1 1Q compacted };
pln(8)          g127<1>F        g5.4<0,1,0>F    g2<8,8,1>F      { align1 1Q compacted };
sendc(8)        null<1>UW       g124<8,8,1>F
                            render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0 { align1 1Q EOT };
   END B0

Native code for unnamed fragment shader 4 (8-wide dispatch):
pln(8)          g5<1>F          g4<0,1,0>F      g2<8,8,1>F      { align1 1Q compacted };
pln(8)          g6<1>F          g4.4<0,1,0>F    g2<8,8,1>F      { align1 1Q compacted };
send(8)         g124<1>UW       g5<8,8,1>F
                            sampler sample SIMD8 Surface = 1 Sampler = 0 mlen 2 rlen 4 { align1 1Q };
sendc(8)        null<1>UW       g124<8,8,1>F
                            render RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0 { align1 1Q EOT };

Native code for unnamed compute shader GLSL5
SIMD16 shader: 5 instructions.
   START B0 (44 cycles)
(+f0.0) if(16)  JIP:  LABEL0          UIP:  LABEL1              { align1 1H };
mov(16)         g2<1>F          1F                              { align1 1H };

LABEL0:
else(16)        JIP:  LABEL1                                    { align1 1H };

LABEL1:
endif(16)       JIP:  LABEL2                                    { align1 1H };

LABEL2:
send(16)        null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0           { align1 WE_all 1H EOT };
END

# How Mesa's lists of chips name them (include/pci_ids/crocus_pci_ids.h, iris_pci_ids.h), each once.
subtest 'names of chips' => sub {
    my %of = (gen7 => 'IVB BYT', 'gen7.5' => 'HSW', gen8 => 'BDW CHV BSW',
        gen9 => 'SKL APL BXT GLK KBL AML-KBL AML-CFL CFL WHL CML', gen11 => 'ICL EHL JSL',
        gen12 => 'TGL RKL ADL-S ADL ADL-N RPL-S RPL-U RPL-P DG1 SG1', 'gen12.5' => 'DG2 ATS-M MTL ARL');
    for my $isa (sort keys %of) {
        for (split ' ', $of{$isa}) {
            my $file = spill('chip.txt', "OpenGL renderer string: Mesa Intel(R) Graphics ($_ GT2)\n"
                    . "Native code for unnamed fragment shader GLSL3\nSIMD8 shader: 1 instructions.\n"
                    . "   START B0 (1 cycles)\nmov(8)  g2<1>F  g3<8,8,1>F  { align1 1Q };\n   END B0\n");
            my ($said) = gpudbg($file, commands('info file'));
            like $said, qr/^chip +\Q$isa\E: line 1 of the log names/m, "$_ is $isa";
        }
    }
};

subtest 'text without bytes' => sub {
    my $file = spill('plain.txt', $plain);
    my @all = records($file, commands('info file', 'info folder', 'disassemble', 'info line *0x10'));
    my ($info) = of_type('file', @all);
    is $info->{isa}, 'gen7.5', 'the log names the chip';
    is join(' ', map { $_->{name} =~ s/.*\((\w+)\)$/$1/r } of_type('code-file', @all)),
        'fs_simd8 2 cs_simd16', 'each heading is a member';
    my $code = join '', map { $_->{bytes} =~ s/ //gr } of_type('insn', @all);
    is $code, unpack('H*', pack 'V*', @words8), 'the first one\'s bytes';
    my $facts = qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info file' 2>&1);
    like $facts, qr/chip +gen7\.5: line 1 of the log names Haswell/, 'where the chip is from';
    like $facts, qr/skipped +NIR \(2 sections, 3 lines\)/, 'what was passed over is named';
    like qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info line *0x10'), qr/plain\.txt:10\b/, 'lines of the log';
    @all = records("$file(2)", commands('disassemble'));
    is join('', map { $_->{bytes} =~ s/ //gr } of_type('insn', @all)), unpack('H*', pack 'V*', @texture),
        'the second, as of 2014: the number of a message is made of its words';
    my $third = qx('@{[Gpudbg::program()]}' --batch '$file(cs_simd16)' -e 'set syntax mesa' -e disassemble);
    like $third, qr/if\(16\) JIP: LABEL0 UIP: LABEL1.*LABEL0:.*else\(16\) JIP: LABEL1/s, 'labels are those of the log';
    my $steps = qx('@{[Gpudbg::program()]}' --batch '$file(cs_simd16)' -e 'launch -g 16 -l 16' -e step -e step 2>&1);
    (my $header = (split /^(?=Native)/m, $plain)[2]) =~
        s/^(send\(8\))/mov(8) g5<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n$1/m;
    my ($send) = grep { $_->{mnemonic} eq 'send' }
        of_type('insn', records('--isa', 'gen7.5', spill('header.txt', $header), commands('disassemble')));
    is $send->{bytes} =~ s/ //gr, unpack('H*', pack 'V*', 0x02600031, 0x2f801fa9, 0x008d00a0, 0x044a0001),
        'a payload that begins with a copy of g0 has a header';
    like $steps, qr/^\d+  endif\(16\) /m, 'it runs, line by line';
};

subtest 'whose text it is' => sub {
    my @gen6 = split /^(?=Native)/m, $plain;
    (my $six = "$gen6[1]") =~ s/g124<1>F/m1<1>F/;
    my $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('six.txt', $six)]}' 2>&1);
    like $said, qr/line 4: m1 is a message register of Gen6/, 'Gen6 is named by its message registers';
    (my $named = $plain) =~ s/Haswell Mobile/Sandybridge Mobile/;
    $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('named.txt', $named)]}' 2>&1);
    like $said, qr/line 1 of the log names Sandybridge \(Gen6\), whose code is not read here/, '... and by its name';
    $said = qx('@{[Gpudbg::program()]}' --batch --isa gen7 '@{[spill('asked.txt', $named)]}' -e 'info file' 2>&1);
    like $said, qr/chip +gen7, by --isa; the log names Sandybridge/, '... which --isa overrides';
    my $guess = join '', @gen6[1 .. $#gen6];
    $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('guess.txt', $guess)]}' -e 'info file' 2>&1);
    like $said, qr/chip +gen7\.5, a guess: the log does not name it/, 'a guess is called one';
    (my $eight = $guess) =~ s/0x82000010\n.*/0x92080017\n urb MsgDesc: 1 SIMD8 write mlen 9 rlen 0 { align1 1H EOT };/;
    $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('eight.txt', $eight)]}' 2>&1);
    like $said, qr/none of its 3 members can be opened/, 'Gen8: no shader of the log is opened';
    (my $broken = $plain) =~ s/g125<1>F/q125<1>F/;
    $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('broken.txt', $broken)]}(1)' 2>&1);
    like $said, qr/line 9: .*a register is expected/, 'a line that does not assemble is named';
    for my $cut (map { int(length($plain) * $_ / 40) } 0 .. 40) {
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('cut.txt', substr $plain, 0, $cut)]}' -e 'info folder' 2>&1);
        is $? & 127, 0, "cut at $cut";
    }
};

# Mesa before May 2014 did not say what it compacted, so numbers of jumps over that may be wrong: one line says so.
{
    my @lines = ('Native code for unnamed fragment shader 3', 'SIMD8 shader: 5 instructions.',
        'cmp.z.f0(8)  null<1>F  g2<8,8,1>F  0F  { align1 1Q };', '(+f0) if(8)  JIP: 4  UIP: 6  { align1 1Q };',
        'mov(8)  g4<1>F  g2<8,8,1>F  { align1 1Q };', 'else(8)  JIP: 4  { align1 1Q };',
        'mov(8)  g4<1>F  g3<8,8,1>F  { align1 1Q };', 'endif(8)  JIP: 2  { align1 1Q };',
        'mov(8)  g5<1>F  g4<8,8,1>F  { align1 1Q };');
    my $says = qr/^jumps +3 with numbers, and no line is marked as compacted/m;
    my $open = sub {
        return output('--isa', 'gen7', spill('jumps.log', join "\n", @_, ''), commands('info file'));
    };
    like $open->(@lines), $says, 'numbered jumps of a log that marks nothing';
    my @marked = @lines;
    $marked[-1] =~ s/1Q/1Q compacted/;
    unlike $open->(@marked), $says, '... of one that marks a line';
    unlike $open->(grep { !/JIP/ } @lines), qr/^jumps/m, '... and without jumps there is nothing to say';
}
done_testing;
