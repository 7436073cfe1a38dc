#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every record that gpudbg writes with --json fits the schema of its type in share/schema, and every command and listing
# of `help` is among those run here.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Files qw(spill);
use JSON;
use JSON::Validator;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $share   = "share";
my $dir     = tempdir(CLEANUP => 1);
my $tables = "$dir/tables"; # of one entry: the words of $raw
my ($script, $saved, $raw, $shader, $unset, $thread, $waves,
    $report) = map { "$dir/$_" } qw(script saved raw shader unset thread waves report);
spill($waves, pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0x7e020207, 0x80040104, 0xbf810000);
spill($report, pack 'V*', 0 .. 63);
spill($unset, pack 'V*', 0x06040b04, 0xbf810000); # v_add_f32 v2, v4, v5
spill($tables, "bonaire.gmc70.mmVM_CONTEXT0_CNTL => 0x00000001\n"
    . "bonaire.gmc70.mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR => 0x00000400\n");
spill(my $cases = "$dir/cases", "s_mov_b32 s0, 1 -> s0=2\ns_endpgm -> end\nnothing\n");
spill($script, "print 1\n# a comment\n");
spill($raw, pack 'V*', 0x7e000280, 0xbf810000, 0xffffffff);
spill($shader, pack 'V*', 0xf8001807, 0x00020100, 0xbf900122, 0xbf900001, 0xbf810000); # exp, emit, interrupt
# send.ts (1|M0) null r127 null 0x0 0x02000010 {EOT,$1}
spill($thread, pack 'H*', '31410000040000000c7f207000000000');
my $il = "$dir/short.il";
spill($il, "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_cb cb0[4]\ndcl_raw_uav_id(0)\nuav_raw_store_id(0) "
    . "mem.x, vaTid.x, cb0[1]\nend\n");
my $bad_il = "$dir/bad.bin";
spill($bad_il, pack 'V*', 0, 0x30200, 660, 0x50003, 0x40001);

# What is run: commands of one run each, with the file it is about.
my @launched = ("launch matmul -g 32,32 -l 16,16 zero:16384 \@$share/demo/matmul_a.bin \@$share/demo/matmul_b.bin 32");
my @runs = (
    [["$share/demo/matmul.co"],
        'info file', 'info kernels', 'info kernels matmul', 'info sections', 'info symbols', 'info source', 'info isa',
        'info coverage gfx10',
        'info options', 'info plugins', 'try v_add_i32 v0, vcc, v1, v2 v1=-1 v2[5]=1 -> v0=-1',
        "try -f $cases",
        'try flat_store_dword v[0:1], v2 v[0:1]=&buf0 v2=7 buf0=zero:64 mask=1',
        'try s_branch 4', 'try s_load_dword s0, s[2:3], 0',
        'disassemble', "directory $share/demo", 'list matmul', 'info line', 'info symbol matmul', 'isa', 'isa gfx7',
        'enum', 'enum --isa gfx7', 'enum EXP_TARGET 0', 'help keys', 'help limits', 'screenshot', 'demo list', 'keys',
        'show', 'set width 100', 'info settings', 'help', 'help print', 'help insn v_mad_f32', 'help expressions',
        'apropos shift',
        'echo hello', "source $script", 'print $nothing', 'print 1.5', 'print nowhere', 'decode bf810000 7e000280',
        'file /nonexistent'],
    [["$share/demo/matmul.co"], @launched,
        'info launch', 'info waves', 'info waves 1-2', 'info lanes', 'info groups', 'info where', 'info strip',
        'workitem 5,3',
        'group 1', 'pixel', 'wave 0', 'info buffers', 'info registers',
        'info registers v0 s exec', 'info registers v0[0:3]', 'print $v0', 'print $v0[:]', 'print $s[4:7]',
        'print/V $s[4:7]',
        'print/fields $mode', 'print/x c', 'x/8xw a', 'x/3i $pc', 'x/2f b', 'x/s a', 'x', 'display $v0',
        'display/x $exec[3]',
        'display $v0[0:3]', 'display $v0[:] > 3', 'print $v0[:] > 3', 'print uniq($v0), group',
        'print uniq($v0, group)', 'print sum(a[0:7])', 'print a[0:7]', 'display', 'info display', 'stepi', 'si 3',
        'nexti', 'step', 'next', 'reverse-stepi', 'reverse-nexti',
        'reverse-step', 'reverse-next', 'undisplay 1', 'undisplay', 'break *$pc+4',
        'tbreak matmul+0x24 lane 3 if $v0[3] > 1',
        'info breakpoints', "save breakpoints $saved", 'watch c', 'rwatch a,4', 'awatch *(u32*)b',
        'condition 1 $v0 > 1', 'ignore 1 1', 'disable', 'enable 4',
        'continue', 'reverse-continue', 'clear *$pc', 'delete 3', 'delete', 'until', 'advance matmul+0x40',
        'reverse-advance matmul+0x20',
        'reverse-until', 'finish', 'reverse-finish', 'barrier', 'wave 2', 'lane 5', 'wave', 'lane apply 0-2 print $v0',
        'wave apply all print $pc', 'goto 100', 'goto -50', 'goto +5', 'set $v0[3] = 7', 'set *(f32*)c = 1.5', 'undo',
        'set $x = 1', 'init-if-undefined $x = 2', 'print $_lane_workgroup_pos',
        'picture a r32_float 16x16', "save image $saved a r32_float 16x16", 'find a, +64, -1.0', 'find a, +64, 12345',
        "restore $share/demo/matmul_a.bin binary c 0 16", 'wave 0', 'last-write $s5', 'next-write a', 'info writes $s5',
        'origin/tree 3 $s5', 'find-time $v0 > 3', 'bookmark here', 'bookmark entry matmul', 'note what is this',
        'info bookmarks', 'info notes', 'goto here', 'delete bookmark here', 'delete note 1', 'disable commands',
        'enable commands', 'watch $v0[3]', 'info breakpoints', 'info watchpoints', 'delete', 'info history',
        'info hash', 'info version',
        'info stats',
        'info profile', 'info profile lines', 'info issue', 'info timeline', 'info model',
        'set model latency 300', 'info events', 'info exports', 'info messages', 'continue',
        "save arg 0 $saved", "dump memory $saved c c+16", 'save arg nothing file', 'run', 'kill', 'continue'],
    [['t/data/kernels/gfx7/calls-O0-g.co'], 'info kernels', 'info locals', 'backtrace'],
    [['t/data/kernels/gfx7/divergence-O2.co'], 'info blocks', 'info loops', 'info live', 'info pressure',
        'disassemble/l', "export html $saved report",
        'info pressure lines', 'info occupancy'],
    [['t/data/kernels/gfx7/variables-O0-g.co'], 'launch -g 64 -l 64 zero:256 3 -7 hex:01020304 zero:80 local:256',
        'tbreak deepest', 'continue', 'finish', 'info locals', 'info args', 'print steps', 'whatis x', 'backtrace',
        'up', 'down', 'frame'],
    [['--isa', 'gfx7', '--raw', $raw], 'disassemble', 'info file', 'file --isa gfx7 --raw ' . $raw, 'info kernels',
        'add-code ' . $raw, 'set device GB_TILE_MODE3 0x144', 'info device', 'launch -g 64 -l 64', 'continue',
        'define twice', 'stepi $arg0', 'end', 'document twice', 'steps', 'end', 'help twice', 'printf "%d\n", 1',
        'output 2', 'set $i = 0', 'while $i < 1', 'if $i', 'loop_break', 'end', 'set $i = 1', 'loop_continue', 'end',
        'break *0x40', 'commands', 'print $s0', 'end', 'info breakpoints', 'quit'],
    [['t/data/printf/prints.ze'], 'launch prints -g 4 -l 4 zero:64 1.5', 'continue', 'info printf'],
    [['t/data/kernels/gen12/kinds.ze'], 'info file', 'info kernels', 'info payload', 'info scoreboard', 'print region',
        'print region sg8', 'check regions'],
    [['t/data/dumps/softreset.log', 't/data/dumps/i915.txt', 't/data/dumps/devcoredump.txt'], 'info dump',
        'info dump diff 1 2', 'packets -d 1', 'packets -d 2', 'info dump changed', 'info draws -d 2', 'info draw -d 2'],
    [['--isa', 'gfx7', '--raw', $waves, 't/data/dumps/waves1.txt', 't/data/dumps/mesa.log'], 'info dump',
        'info dump code', 'restore', 'info registers', 'stepi'],
    [['--isa', 'gfx7', 't/data/dumps/golden.txt'], 'info dump'],
    [['t/data/dumps/state.txt'], 'info dump', 'packets', 'packets/f'],
    [['--isa', 'gfx7', $tables], "file --format memory --base 0x400000 $raw", 'info address 0x1000',
        'info address 0x0'],
    [['t/data/dumps/i915-shaders.txt'], 'info shaders', 'shader 0'],
    [['t/data/explain/coredump-draw.txt'], 'info draws', 'info draw/f'],
    [['--isa', 'gen12', '--format', 'oa-report', $report], 'info dump', 'info oa 0 5 gen12', 'info phrases atombios'],
    [['--isa', 'gfx7', '--raw', $shader], 'launch -g 8 -l 8', 'continue', 'info exports', 'info messages',
        'info events', 'info resources', 'info inputs'],
    [['t/data/kernels/gfx7/calls-O0-g.co'], 'info resources'],
    [['--demo'], 'break matmul+0x24', 'commands', 'print 1', 'end', "save session $saved", "file $saved"],
    [['--demo=mandelbrot'], 'catch divergence', 'catch nan', 'continue', 'why off', 'delete', 'continue'],
    [['share/demo/collatz.co'], 'launch collatz -g 64 -l 64 zero:256 64', 'diffrun -- collatz -g 64 -l 64 zero:256 60',
        'continue',
        "diff $share/demo/collatz.co arg 0", 'diff positions 0 100', 'diff waves 0 0',
        "diff code $share/demo/matmul.co"],
    [['--format', 'list']],
    [['--stats', 't/data/kernels/gfx7/scan-O2.co']],
    [['--stats-diff', 't/data/kernels/gfx7/scan-O0.co', 't/data/kernels/gfx7/scan-O2.co']],
    [['share/demo'], 'info folder', 'file 1'],
    [[], 'shell echo a', 'pipe info isa | cat', 'cd', 'pwd', 'alias wv = info waves', 'complete info wa',
        'dont-repeat', 'show logging', "set logging file $dir/log", 'set logging on', 'with width 40 -- info isa',
        'set shell off', 'shell echo'],
    [[], 'set conversation on', 'if 1', 'print 1', 'end', 'print nowhere'],
    [[], 'reg', 'reg CB_COLOR_INFO[3]', 'reg CB_COLOR3_INFO 0x1234', 'reg INSTDONE_1 5', 'reg -s deinterlace',
        'reg -s BLEND', 'reg cr0',
        'reg diff gen7:INSTDONE_1 gen12:INSTDONE_1', 'reg load /nonexistent', 'enum SFID',
        'enum "Performance Counter Report Formats" 1', 'enum PredCtrl 2',
        "file t/data/explain/fault-read.log", 'explain', 'file t/data/explain/reset-setup.log', 'explain',
        'explain /report', 'explain /signature', 'file t/data/explain/mesa-hub.log', 'info address 0x800100043000',
        'disassemble', 'frobnicate', 'plugin /nonexistent', 'info registers', 'decode xyz'],
    [['--isa', 'gen12', '--raw', $thread], 'launch -g 8 -l 8 simd=8', 'info channels', 'continue', 'info messages'],
    [[$il], 'disassemble', 'info file', 'info declarations', 'info resources', 'info source', 'check il',
        "assemble $il $dir/short.bin", 'launch -g 64 -l 64 uav0=zero:256', 'continue'],
    [['--isa', 'amdil', $bad_il], 'disassemble', 'check il', "assemble $bad_il $dir/short.bin"],
    [['--demo', '--screen', '80x24'], 'stepi', 'screenshot'],
    [['--isa', 'gfx7', '--raw', $raw], 'assemble /i s_nop 0', 'launch -g 64 -l 64', 'stepi', 'patch *0 v_mov_b32 v0, 1',
        'patch -f *4 simm16=1', 'patch *4 nonsense', 'info patches',
        "save code $saved", 'unpatch *0'],
    [['--isa', 'gfx7', '--raw', $unset], 'info inputs', 'check', 'info checkers',
        'check all on', 'launch -g 8 -l 8 v[9]=hex:00000000',
        'continue', 'info checks', 'check wait', 'check nobody'],
    [['t/data/kernels/gfx7/wrong-O1-g.co'], 'check all on', 'launch local_race -g 128 -l 128 zero:512 local:512',
        ('continue') x 3, 'info checks'],
);

my (%validator, %used, @problems, %count);

sub validator {
    my ($type) = @_;
    return $validator{$type} //= do {
        my $file = "$share/schema/$type.json";
        -e $file ? JSON::Validator->new->schema($file) : undef;
    };
}

for my $run (@runs) {
    my ($files, @commands) = @$run;
    my @arguments = (@$files, '--batch', '--json', map { ('-e', $_) } @commands);
    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" 2>/dev/null', $program, @arguments or die "$program: $!";
    while (my $line = <$out>) {
        my $record = eval { JSON->new->utf8->decode($line) };
        push(@problems, "not JSON: $line"), next unless ref $record eq 'HASH' && defined $record->{type};
        push @problems, "type is not first: $line" unless $line =~ /^\{"type":/;
        my $type = $record->{type};
        next if $count{$type}++ > 400 && $type =~ /^(?:insn|register)$/; # all are alike, and validating is slow
        my $validator = validator($type);
        push(@problems, "no schema for $type"), next unless $validator;
        push @problems, map { "$type: $_ in $line" } $validator->validate($record);
    }
    close $out;
    cmp_ok $? & 127, '==', 0, 'the run of ' . ($commands[0] // "@$files") . ' ends by itself';
    $used{$_}++ for @commands;
}
is scalar @problems, 0, 'all records fit their schemas' or diag join "\n",
    @problems[0 .. ($#problems > 9 ? 9 : $#problems)];
cmp_ok $count{$_} // 0, '>', 0, "there were records of type $_"
    for map { m{([^/]+)\.json$} } grep { !m{/(?:field|described-field|event|demo)\.json$} } glob "$share/schema/*.json";

# Every name that `help` lists is run above, other than those of the screen.
my @rows = map { JSON->new->utf8->decode($_) } split /\n/, `$program --batch --json -e help -e 'help info'`;
my @names = sort map { $_->{name} } grep { $_->{type} eq 'help' && $_->{name} ne 'info' } @rows;
my $told = join ' ', map { "-e 'help $_'" } @names;
my %family = map { $_->{family} ? ($_->{name} => $_->{family}) : () } map { JSON->new->utf8->decode($_) }
    split /\n/, `$program --batch --json $told 2>/dev/null`;
for my $name (@names) {
    next if ($family{$name} // '') eq 'Screen';
    ok((grep { /^\Q$name\E(?:[\/ ]|$)/ } keys %used), "$name is run here");
}
done_testing;
