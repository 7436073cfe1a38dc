#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line as scripts rely on it: options, exit statuses, errors, scripts, text of instructions, running both
# ways. The code is a loop written down by hand from the manual's encodings; what it does was worked out on paper.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use JSON;
use Test::More;

my $program = Gpudbg::program();
my $demo = "share/demo";

sub batch { return gpudbg(map { ref $_ ? @$_ : ('-e', $_) } @_) }
sub lines { return [split /\n/, $_[0]] }

#     0 s_mov_b32 s0, 3    4 s_add_i32 s0, s0, -1    8 s_cmp_lg_i32 s0, 0    c s_cbranch_scc1 to 4    10 v_mov_b32 v0,
#     s0    14 s_endpgm
my $code = spill('loop.bin', pack 'V*', 0xbe800383, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200, 0xbf810000);
my @raw  = ('--isa', 'gfx7', '--raw', $code);
my ($out, $err, $status);

subtest 'a listing of another instruction set' => sub {
    ($out, $err, $status) = batch([@raw], 'launch -g 64', 'info channels');
    is($err, "gpudbg: -e: info channels is not for gfx7; it is for gen7\n", 'info channels, which Intel has');
    is($status, 1, '... fails');
};

subtest 'words typed in' => sub {
    for my $words ('bf810000', '0xbf810000', '00 00 81 bf', '[0x00,0x00,0x81,0xbf]', '0xbf810000, ') {
        like((batch(['--isa', 'gfx7'], "decode $words"))[0], qr/^0000: s_endpgm$/m, "decode $words");
    }
    is((batch('print 99999999999999999999'))[2], 1, 'a number of more than 64 bits is an error');
    is((batch('print 0xffffffffffffffff'))[2], 0, '... one of 64 is not');
    is((batch([@raw], 'disassemble 0x100,0x108'))[2], 1, 'a range where nothing is: an error');
};

subtest 'format letters mean what they mean in gdb' => sub {
    # Answers of gdb 13 -batch -ex 'print/...'.
    my %want = ('/f 0x3f800000' => '1', '/f 4607182418800017408' => '1', '/x -1' => '0xffffffff',
        '/u -1' => '4294967295', '/z 5' => '0x00000005', '/t 10' => '1010', '/o 8' => '010', '/c 65' => "65 'A'",
        '/c 321' => "65 'A'", '/c 200' => "-56 '\\310'", '/c 10' => "10 '\\n'", '/d -5' => '-5',
        '/x 0x123456789' => '0x123456789', ' 1000.0' => '1000.0', ' 1e20' => '1e+20', ' 28.75' => '28.75',
        ' -100000000.0' => '-100000000.0', '/s 65' => '65');
    my @asked = sort keys %want;
    my ($got) = batch(map { "print$_" } @asked);
    is_deeply [map { s/^\$\d+ = //r } split /\n/, $got], [@want{@asked}], join ' ', @asked;
};

subtest 'options and exit statuses' => sub {
    ($out, $err, $status) = Gpudbg::run('--version');
    like $out, qr/^gpudbg \d+\.\d+/, '--version says so';
    is $status, 0, '... and all is well';
    ($out, $err, $status) = Gpudbg::run('--help');
    like $out, qr/--$_\b/, "--help names --$_" for qw(batch json isa raw base format screen demo plugin color version);
    is((batch('print 1'))[2], 0, 'commands that succeed: 0');
    is((gpudbg('--format', 'nonsense', $code))[2], 2, 'a format that is none: 2');
    is((gpudbg('--isa', 'gfx7', '--format', 'raw', $code, '-e', 'disassemble'))[2], 0, '--format raw is one');
    is system("$program --batch --isa gfx7 --raw $code -e disassemble >/dev/full 2>/dev/null") >> 8, 1,
        'output to a full disk: 1';
    is((batch('print 1', 'frobnicate', 'print 2'))[2], 1, 'a command that fails: 1');
    is((Gpudbg::run('--nonsense'))[2], 2, 'an unknown option: 2');
    is((gpudbg('--base', 'x', '-e', 'print 1'))[2], 2, 'a bad address: 2');
    is((gpudbg('-e'))[2], 2, 'an option without what it takes: 2');
    is((gpudbg('--isa', 'z80', '-e', 'print 1'))[2], 2, 'an unknown instruction set: 2');
    ($out, $err, $status) = batch(["$dir/nothing.co"], 'print 1');
    is $status, 3, 'a file that is not there: 3';
    is $out, '', '... and no command runs';
    is $err, "gpudbg: $dir/nothing.co: no such file\n", '... and one line says why';
    my $odd = spill('odd', 'neither this nor that');
    ($out, $err, $status) = batch([$odd], 'print 1');
    is $status, 3, 'a file that nobody knows: 3';
    like $err, qr/^gpudbg: \Q$odd\E: no loader recognises it: it is text that .*\n\z/, '... and one line says why';
    (undef, $err) = batch([spill('bytes', "\x01\x02\x00\xff" x 9)], 'print 1');
    like $err, qr/: no loader recognises it \(it starts with 01 02 00 ff /, '... or what it starts with';
    is((batch([$code, $code], 'print 1'))[2], 0, 'several files of code are a list: 0');
    is((batch([$code, $odd], 'print 1'))[2], 3, '... and one among them that nobody knows: 3');
    is(system("$program --batch -e 'print 1' > /dev/full 2> $dir/full") >> 8, 1, 'results that cannot be written: 1');
    ($out, $err, $status) = Gpudbg::run('--format', 'list');
    like $out, qr/^amdgpu-elf\b/m, '--format list names the loaders';
    ($out) = Gpudbg::run('--demo=list');
    like $out, qr/^matmul$/m, '--demo=list names the demos';
    ($out, $err, $status) = gpudbg('--demo=collatz', '-e', 'print n', '-e', 'info waves 0');
    is((gpudbg('--demo=nothing'))[2], 3, 'a demo that is not there: 3');
    ($out) = gpudbg('--demo=collatz', '-e', 'info launch');
    like $out, qr/\bn\s+value\s+1000\b/, '--demo launches';
};

subtest 'errors' => sub {
    ($out, $err, $status) = batch('frobnicate');
    is $err, qq{gpudbg: -e: unknown command "frobnicate"\n}, 'an unknown command';
    ($out, $err) = batch('re');
    like $err, qr/ambiguous: restart|ambiguous:.* reverse-continue/, 'an ambiguous one is told so, and what it may be';
    my $script = spill('script', "print 1\n\n# nothing\nprint nowhere\nprint 3\n");
    ($out, $err, $status) = batch(['-x', $script]);
    is $out, "\$1 = 1\n\$2 = 3\n", 'a script goes on behind an error';
    like $err, qr/^gpudbg: \Q$script\E:4: no buffer, symbol or label "nowhere".*\n\z/,
        '... which names the script and its line';
    is $status, 1, '... and counts';
    ($out) = batch('set stop-on-error on', ['-x', $script], 'print 9');
    is $out, "\$1 = 1\n", 'set stop-on-error ends the run';
    ($out, $err) = gpudbg('--json', '-e', 'frobnicate');
    my $record = decode_json($out);
    is_deeply [@$record{qw(type kind file)}], ['error', 'unknown-command', '-e'],
        'with --json an error is a record too';
    ($out, $err) = batch('disassemble', 'info registers', 'stepi', 'break 0', 'launch');
    is scalar @{lines($err)}, 5, 'commands that need a file or a launch say so, a line each';
    like $err, qr/nothing is loaded/, '... and what to do';
    ($out, $err) = batch([@raw], 'print/q 1', 'disassemble /z', 'stepi/x', 'x/99999999 0', 'delete 7', 'goto 5',
        'print $s0', 'define print', 'define a/b', 'document nothing', 'set syntax klingon', 'set width -1');
    is scalar @{lines($err)}, 12, 'wrong formats and numbers are errors, a line each' or diag $err;
};

subtest 'standard input' => sub {
    local $Gpudbg::input = spill('stdin', "print 40 + 2\n");
    is((batch(['-x', '-']))[0], "\$1 = 42\n", '-x - reads commands from it');
    is((batch(['-e', '-']))[0], "\$1 = 42\n", '-e - too');
    is((batch('print 1', ['-x', spill('s', "print 2\n")], 'print 3'))[0], "\$1 = 1\n\$2 = 2\n\$3 = 3\n",
        '-e and -x keep their order');
    is((gpudbg('-ex', 'print 5'))[0], "\$1 = 5\n", '-ex is -e');
    local $ENV{ERRORS} = "$dir/pipe";
    open my $pipe, '-|', 'sh', '-c', 'exec "$0" "$@" 2>"$ERRORS"', $program, '--batch', '--isa', 'gfx7', '--raw', '-e',
        'disassemble /f', $0
        or die;
    my $first = <$pipe>;
    close $pipe;
    ok defined $first && !-s "$dir/pipe", 'a pipe that closes ends it quietly';
};

subtest 'scripts and definitions' => sub {
    my $script = spill('define', <<'END');
define twice
print $arg0 * 2
print $argc
end
document twice
Doubles a number.
end
twice 21
help twice
END
    ($out, $err, $status) = batch(['-x', $script]);
    is $out, "\$1 = 42\n\$2 = 1\ntwice\nDoubles a number.\n", 'define, document, arguments';
    ($out, $err) = batch('define again', 'again', 'end', 'again');
    like $err, qr/nested deeper/, 'a command that calls itself ends';
    my $self = "$dir/self";
    spill('self', "source $self\n");
    ($out, $err, $status) = batch("source $self");
    like $err, qr/nested deeper/, 'a script that reads itself ends';
    is $status, 1, '... as an error';
    ($out, $err) = batch(['-x', spill('open', "define forever\nprint 1\n")]);
    like $err, qr/no `end`/, 'a definition without an end is an error';
    is((batch("print 1\nprint 2"))[0], "\$1 = 1\n\$2 = 2\n", 'a -e may hold several lines');
    is((batch(['-x', $dir]))[2], 1, 'a folder is no script');
    is((batch('echo a b\tc\n'))[0], "a b\tc\n", 'echo');
    mkdir "$dir/gpudbg";
    spill('gpudbg/gpudbgrc', "print 7\n");
    local $ENV{XDG_CONFIG_HOME} = $dir;
    is((batch('print 1'))[0], "\$1 = 1\n", '--batch reads no rc file');
};

subtest 'decode' => sub {
    my @isa = (['--isa', 'gfx7']);
    for my $way ('bf810000', '0xbf810000', '00 00 81 bf', '000081bf'x0 . 'BF810000') {
        ($out) = batch(@isa, "decode $way");
        like $out, qr/^0000: s_endpgm$/m, "decode $way";
    }
    ($out) = batch(@isa, 'decode 7e000280 bf810000');
    like $out, qr/^0004: s_endpgm$/m, 'two words';
    like $out, qr/vdst\s+24:17 = 0x0\s+v0/, 'fields with bits, value and meaning';
    like $out, qr/writes\s+v0/, 'what it writes';
    ($out, $err, $status) = batch(@isa, 'decode ffffffff');
    is $status, 0, 'what is no instruction is no error';
    like $out, qr/\.long 0xffffffff/, '... and shown as data';
    like((batch(@isa, "decode $_"))[1], qr/^gpudbg: -e: /, "decode $_ is refused") for 'xyz', '123', '0xbf81', '1,2';
    ($out) = gpudbg('--json', @{$isa[0]}, '-e', 'decode 7e000280');
    my $record = decode_json($out);
    is_deeply [@$record{qw(type addr size bytes isa mnemonic)}], ['insn', '0x0', 4, '8002007e', 'gfx7', 'v_mov_b32'],
        'the record';
    my ($vdst) = grep { $_->{name} eq 'vdst' } @{$record->{fields}};
    is_deeply $vdst, {word => 'VOP1', name => 'vdst', lo => 17, hi => 24, bits => '24:17', value => '0x0',
        meaning => 'v0'}, 'its field vdst';
    my $word = 0;
    $word |= hex($_->{value}) << $_->{lo} for @{$record->{fields}};
    is $word, 0x7e000280, 'the fields hold all of its bits';
};

subtest 'disassemble' => sub {
    ($out) = batch([@raw], 'disassemble /a');
    is $out, <<'END', '/a: a label where the branch goes, no addresses';
    s_mov_b32 s0, 3
L0004:
    s_add_i32 s0, s0, -1
    s_cmp_lg_i32 s0, 0
    s_cbranch_scc1 L0004
    v_mov_b32_e32 v0, s0
    s_endpgm
END
    ($out) = batch([@raw], 'disassemble 8,+8');
    like $out, qr/s_cbranch_scc1 65533\b/, 'a target outside of what is printed is a number';
    is scalar @{lines($out)}, 2, 'FROM,+SIZE';
    ($out) = batch([@raw], 'disassemble /r');
    like $out, qr/^0004: 8100c100 +s_add_i32 s0, s0, -1$/m, '/r: address and raw words';
    ($out) = batch([@raw], 'disassemble /f');
    like $out, qr/simm16\s+15:0 = 0xfffd/, '/f: fields';
    ($out) = gpudbg('--base', '0x1000', @raw, '-e', 'disassemble /a');
    like $out, qr/^L1004:$/m, '--base moves it';
    my $odd = spill('odd.bin', pack('V*', 0xbf810000, 0xffffffff) . "\x01\x02\x03");
    ($out, $err, $status) = batch(['--isa', 'gfx7', '--raw', $odd], 'disassemble /a');
    like $out, qr/^    \.long 0xffffffff/m, 'words that are no instruction are .long';
    like $out, qr/^    \.byte 0x01, ?0x02, ?0x03/m, '... and bytes that are no word .byte';
    is $status, 0, '... and no error';
    ($out) = gpudbg('--json', '--isa', 'gfx7', '--raw', $odd, '-e', 'disassemble');
    my @records = map { decode_json($_) } @{lines($out)};
    is join('', map { $_->{bytes} } @records), '000081bfffffffff010203', 'with --json every byte is in one record';
    is_deeply [map { $_->{type} } @records], [qw(insn data data)], '... of an instruction or of data';
};

subtest 'running both ways' => sub {
    my @launch = ([@raw], 'launch -g 64 -l 64');
    ($out) = batch(@launch, 'continue', 'info history', 'wave');
    like $out, qr/^Done: 1 wave, 12 instructions$/m, 'the loop takes 1 + 3 * 3 + 2 instructions';
    like $out, qr/\bended\b/, 'the wave has ended';
    ($out) = batch('set width 40', ['--demo'], 'info waves 0-3', 'info registers v0', 'info buffers');
    is((sort { $b <=> $a } map { length } grep { !/^matmul/ } @{lines($out)})[0], 40, 'set width cuts lines of tables');
    ($out) = batch(@launch, 'goto 8', 'reverse-stepi 3', 'continue', 'info stats');
    like $out, qr/^12 instructions, .* for 15 of them$/m, 'info stats counts what was executed, and what was repeated';
    ($out) = batch(@launch, 'stepi', 'print $s0', 'stepi', 'print $s0', 'reverse-stepi', 'print $s0', 'print/x $pc');
    is_deeply [$out =~ /^\$\d+ = (\S+)$/mg], [3, 2, 3, '0x4'], 'stepi and back';
    ($out) = batch(@launch, 'break L0004', 'continue', 'print $s0', 'continue', 'print $s0', 'continue', 'print $s0',
        'reverse-continue', 'print $s0', 'delete', 'continue');
    is_deeply [$out =~ /^\$\d+ = (\S+)$/mg], [3, 2, 1, 2], 'a breakpoint, and back to it';
    like $out, qr/^Breakpoint 1 at L?0x?0*4$/m, 'setting it says where';
    ($out) = batch(@launch, 'break *4 if $s0 == 1', 'c', 'print $s0', 'info breakpoints');
    like $out, qr/^\$1 = 1$/m, 'a condition';
    ($out) = batch(@launch, 'break *4', 'ignore 1 2', 'c', 'print $s0', 'tbreak *16', 'c', 'info breakpoints');
    like $out, qr/^\$1 = 1$/m, 'an ignore count';
    unlike $out, qr/, once/, 'a temporary breakpoint goes when it is met';
    ($out) = batch(@launch, 'break *4', 'c', 'c 2', 'print $s0');
    like $out, qr/^\$1 = 1$/m, 'continue N passes over the breakpoint';
    ($out, $err) = batch(@launch, 'stepi -1', 'goto -1', 'wave 1', 'lane 64', 'lane -1', 'stepi 1.5', 'set $pc = 2',
        'print $position');
    is scalar @{lines($err)}, 7, 'counts, waves and lanes that there are not';
    like $out, qr/^\$1 = 0$/m, '... change nothing';
    ($out) = batch(@launch, 'break *4', 'disable 1', 'c');
    like $out, qr/^Done/m, 'a breakpoint that is off';
    ($out) = batch(@launch, 'until L0010'x0 . 'advance *16', 'print $s0', 'print $pc == 16', 'set $s0 = 5', 'stepi',
        'print $v0[63]', 'rsi', 'print $s0', 'set $v0[3] = 1.5', 'print (f32)$v0[3]', 'print $v0[2]', 'set $v0[:] = 9',
        'print $v0[0:3]', 'set $pc = 4', 'print $pc');
    is_deeply [$out =~ /^\$\d+ = (.*)$/mg], ['0', '1', '5', '5', '1.5', '0', '{9, 9, 9, 9}', '0x4'],
        'registers set, lanes, the pc';
    ($out) = batch(@launch, 'goto 5', 'info hash', 'goto 12', 'goto -7', 'info hash', 'goto +3', 'goto 5', 'info hash',
        'set $v0[63] = 1', 'info hash');
    my @hash = $out =~ /^hash (0x[0-9a-f]+)$/mg;
    is scalar @hash, 4, 'info hash prints a line';
    is_deeply [@hash[1, 2]], [@hash[0, 0]], 'forth and back again is the same state';
    isnt $hash[3], $hash[0], 'a lane of a register changes the hash';
    ($out) = gpudbg('--json', @raw, '-e', 'launch -g 128 -l 64', '-e', 'stepi', '-e', 'wave 1', '-e', 'continue');
    my %last = map { ($_->{type} => $_) } map { decode_json($_) } @{lines($out)};
    is $last{launch}{waves}, 2, 'two groups of 64 are two waves';
    is $last{wave}{wave}, 1, 'wave 1 is selected';
    is_deeply [@{$last{stop}}{qw(reason position)}], ['done', 24], 'the stop record';
    ($out) = batch([@raw], 'launch -g 128 -l 64', 'wave apply all print $wave', 'lane apply 1-2,5 print $lane', 'lane');
    is_deeply [$out =~ /^(?:wave|lane) \d+: \$\d+ = (\d+)$/mg], [0, 1, 1, 2, 5], 'wave apply, lane apply';
    ($out) = batch([@raw], 'launch -g 8192 -l 256', 'break *8 wave 102', 'continue', 'wave apply active print $wave');
    my ($listing) = batch([@raw], 'launch -g 8192 -l 256', 'break *8 wave 102', 'continue', 'info waves');
    my @ready = $listing =~ /^>? +(\d+) +ready /mg;
    ok scalar(grep { $_ == 102 } @ready), 'a wave beyond the 64th has begun';
    is_deeply [$out =~ /^wave \d+: \$\d+ = (\d+)$/mg], \@ready, '... and wave apply active finds it';
    for my $what ('wave apply all kill', 'lane apply 0-3 kill') {
        my ($text, $errors, $status) = batch([@raw], 'launch -g 128 -l 64', $what);
        like $errors, qr/^gpudbg: -e: nothing is launched/, "$what: the launch ends under it";
    }
    ($out, $err, $status) = batch(@launch, 'c', 'run', 'print $pc', 'kill', 'print $pc');
    like $out, qr/^\$1 = 0x0\b/m, 'run launches again';
    like $err, qr/nothing is launched/, 'kill ends the launch';
};

subtest 'buffers' => sub {
    my $words = spill('words', pack 'V*', 1 .. 64);
    my @launch = (["$demo/collatz.co"], 'launch collatz -g 64 -l 64 zero:256 64');
    ($out, $err, $status) = batch(@launch, 'watch steps', 'continue', 'print $lane', 'delete', 'continue',
        "save arg 0 $dir/steps", "save arg steps $dir/steps2", 'print steps[6]', 'print *(u32*)(steps + 24)',
        'x/4dw steps', 'print $1 == 0');
    is $status, 0, 'all commands succeed' or diag $err;
    like $out, qr/^Watchpoint 1 \(steps\), wave 0/m, 'a watchpoint on a buffer stops at the store';
    my @steps = map { my ($x, $n) = ($_, 0); while ($x != 1) { $x = $x & 1 ? 3 * $x + 1 : $x / 2; $n++ } $n } 1 .. 64;
    for my $file ('steps', 'steps2') {
        open my $f, '<:raw', "$dir/$file" or die "$file: $!";
        local $/;
        is_deeply [unpack 'V*', <$f>], \@steps, "save arg writes what the kernel computed ($file)";
    }
    like $out, qr/^\$2 = $steps[6]$/m, 'a buffer by name and index';
    like $out, qr/^\$3 = $steps[6]$/m, '... and through a typed address';
    like $out, qr/^0x\w+ <steps>:  $steps[0]  $steps[1]  $steps[2]  $steps[3]$/m, 'x shows memory';
    ($out) = batch(["$demo/matmul.co"], "launch matmul -g 16,16 -l 16,16 zero:1024 \@$words zero:1024 16",
        'set a[0] = 2.5', 'print a[0]', 'print (f64)a[0] / 2', 'print *(u32*)a', 'print (f32)*(a + 0)',
        'print a[1] == 0', 'print/x *(u32*)&a[1]', 'print (i32)a[0]', 'print &a[2] - &a[0]',
        'print (u32*)a + 1 == a + 4', 'print lds:16 + 4', 'set *(f32*)lds:16 = 1', 'print *(f32*)(lds:12 + 4)');
    is_deeply [$out =~ /^\$\d+ = (\S+)/mg], ['2.5', '1.25', 0x40200000, '2.5', 0, '0x2', 2, 2, 1, '0x14', '1.0'],
        'memory through types, by name and by space';
    ($out, $err, $status) = batch(["$demo/collatz.co"], 'launch collatz -g 64 -l 64 zero:16 64', 'continue');
    is $status, 1, 'a kernel that faults: 1';
    like $out, qr/^Fault, wave 0, lane 4\b.*steps/m, '... and it says lane and buffer';
};

subtest 'help' => sub {
    ($out) = batch('help', 'help info', 'help continue', 'apropos watchpoint', 'help time', 'help keys');
    like $out, qr/^  reverse-stepi /m, 'help lists commands';
    like $out, qr/^  info waves /m, '... and the subjects of info';
    like $out, qr/^continue \[N\]$/m, 'help NAME';
    like $out, qr/^Time runs both ways/m, 'help TOPIC';
    ($out) = batch('help insn v_mad_f32');
    like $out, qr/v_mad_f32\b.*\n.*\n.*VOP3/, 'help insn';
    ($out, $err) = batch('help nonsense');
    like $err, qr/nonsense/, 'help for what is not there is an error';
    is((batch(['--isa', 'gfx7'], 'p 1', 'info isa'))[2], 0, 'abbreviations');

    # A format that help mentions, as `print/x` or in the first line, is taken behind the name.
    my @names = (batch('help'))[0] =~ /^  ([a-z][a-z -]+?)  +\S/mg;
    my ($all) = batch(map { "help $_" } @names, 'expressions', 'time', 'screen');
    my ($any, %form) = join '|', @names;
    $form{$_}++ for $all =~ m{(?<![\w/.-])((?:$any)/[a-z]+)\b}g;
    for my $usage ($all =~ m{^((?:$any) .*/.*)$}mg) {
        my ($name) = $usage =~ /^($any)\b/;
        $form{"$name$_"}++ for $usage =~ m{(?<=[ \[|])/[a-z]+\b}g;
    }
    cmp_ok(scalar keys %form, '>', 15, 'help mentions formats');
    ($out, $err) = batch(sort keys %form);
    is_deeply([$err =~ /^.*does not accept.*$/mg], [], '... and commands accept them');
};

done_testing;
