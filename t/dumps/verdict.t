#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The first line of explain: what failed, for whom, what came of it; the timeline; the report; signatures.
use strict;
use warnings;
use Files;
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
$ENV{XDG_CONFIG_HOME} = '/nonexistent';
sub records { my ($file) = @_; return map { JSON->new->utf8->decode($_) } `$program --batch --json $file -e explain` }

sub hang { # a hang whose addresses, times, counts and names are given
    my ($time, $page, $seq, $process, $host) = @_;
    my @line = (
        "amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:40 vmid:5 pasid:129)",
        "amdgpu 0000:03:00.0: amdgpu:  in process $process pid 812 thread $process:cs0 pid 830",
        "amdgpu 0000:03:00.0: amdgpu:   in page starting at address $page from client 10",
        "amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00501031",
        "amdgpu 0000:03:00.0: amdgpu: 	 Faulty UTCL2 client ID: TCP (0x8)",
    );
    my @end = ("amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=$seq, emitted seq=" . ($seq + 2),
        "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!",
        "amdgpu 0000:03:00.0: amdgpu: GPU reset succeeded, trying to resume");
    return join '', map { "Nov 21 23:16:$time $host kernel: $_\n" } (@line) x 3, @end;
}
my $one = spill('one.log', hang('01', '0x0000800100052000', 24, 'paint', 'alpha'));
my @all = records($one);
is $all[0]{type}, 'verdict', 'the verdict comes first';
like $all[0]{text},
    qr/^TCP .*could not read 0x800100052000 in address space 5;.*; work of paint, pid 812; a reset followed and worked/,
    '... and says what failed, for whom, and what came of it';
is_deeply [@{ $all[0] }{qw(cause sure line process pid)}], ['page-fault', 'told', 1, 'paint', 812],
    '... each by itself, too';
is_deeply [map { "$_->{kind} $_->{count} $_->{line} $_->{last} $_->{when}" } grep { $_->{type} eq 'moment' } @all],
    ['page-fault 3 1 15 Nov 21 23:16:01', 'timeout 1 16 16 Nov 21 23:16:01', 'reset-done 1 17 18 Nov 21 23:16:01'],
    'the timeline, a storm folded';
my @weights = map { $_->{cause} } grep { $_->{type} eq 'finding' } @all;
is $weights[0], 'page-fault', 'findings that matter most come first';
is $weights[-1], 'assumed-generation', '... and chatter last';

my $report = `$program --batch $one -e 'explain /report'`;
like $report, qr/What failed: TCP.*\nSignature: +[0-9a-f]{16}\nGeneration: +gfx11 or gfx12\n/,
    'a report says what failed, and on what';
like $report, qr/Nov 21 23:16:01 +page-fault gfxhub, address 0x800100052000.* \(3 times\)\n.*timeout gfx_0\.0\.0/,
    '... when';
like $report, qr/To capture next:\n.*umr/, '... and what to capture next';
unlike $report, qr/paint|alpha|812/, '... and names nobody';
# A chip of several dies: each fault has its own.
my $dies = spill('dies.log', join '', map {
    my ($die, $page) = @$_;
    map { "amdgpu 0000:06:00.0: amdgpu: $_\n" }
        '[gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:3 pasid:32769)',
        ' for process job pid 71 thread job pid 71)',
        "  in page starting at address 0x00007e0000${page}000 from IH client 0x1b (UTCL2)",
        "  cookie node_id 1 fault from die $die", 'VM_L2_PROTECTION_FAULT_STATUS:0x00341051' }
    ['AID0.XCD1', 111], ['AID1.XCD0', 222], ['AID1.XCD0', 333]);
is_deeply [map { "$_->{unit} $_->{count}" } grep { $_->{type} eq 'moment' } records($dies)],
    ['gfxhub0 AID0.XCD1 1', 'gfxhub0 AID1.XCD0 2'], 'faults of several dies';

my $fence = spill('fence.log',
    "[  10.000001] Asynchronous wait on fence 0000:00:02.0:secret[991]:2c6c0 timed out (hint:submit [i915])\n");
like `$program --batch $fence -e 'explain /report'`, qr/0000:00:02\.0:a program\[991\]:2c6c0 timed out \(hint:/,
    '... nor does the name of a fence, which has its owner in front of the process number';
like `$program --batch $one -e 'explain /report -n'`, qr/work of paint, pid 812/, '... unless asked';

spill('two.log', hang('59', '0x00007f1200000000', 99, 'bake', 'beta') =~ s/(\A.*\n)/$1$1/r);
spill('other.log', hang('01', '0x0000800100052000', 24, 'paint', 'alpha') =~ s/0x00501031/0x00541050/gr);
spill('none.log',
    "Nov 21 23:16:01 alpha kernel: [drm] VRAM: 4096M 0x000000F400000000 - 0x000000F4FFFFFFFF (4096M used)\n");
my %signature = map { my ($s, $f) = /^(\S+) +\S*\/(\S+)\.log  / ? ($1, $2) : (); ($f => $s) }
    `$program --signatures $dir/one.log $dir/two.log $dir/other.log $dir/none.log`;
like $signature{one}, qr/^[0-9a-f]{16}$/, 'a signature';
is $signature{two}, $signature{one}, 'the same hang has it again, at another time, address and count';
isnt $signature{other}, $signature{one}, '... another one has another';
is $signature{none}, '-', '... and where nothing failed there is none';
`$program --signatures $dir/one.log $dir/gone.log 2>/dev/null`;
is $? >> 8, 3, 'a FILE that cannot be read is the exit status';
is scalar(() = `$program --signatures $dir/gone.log $dir/one.log 2>/dev/null`), 1, '... and the others are read';
like `$program --batch $one -e 'explain /x' 2>&1`, qr/no form "\/x"/, 'other forms are refused';

# A journal that is sorted backwards is told forward.
my @back = reverse split /^/, hang('01', '0x0000800100052000', 24, 'paint', 'alpha');
my $i = 0;
@back = map { s/^\S+ \S+ \S+ \S+ kernel:/sprintf '[  %d.000000]', 400 - $i++/er } @back;
is_deeply [map { $_->{kind} } grep { $_->{type} eq 'moment' } records(spill('back.log', join '', @back))],
    ['page-fault', 'timeout', 'reset-done'], 'a timeline of a log that is sorted backwards';
# What fails while the driver resets a GPU is its own doing: the verdict is what came before.
my @consequence = records('t/data/explain/consequence.log');
like $consequence[0]{text}, qr/^MES .*did not answer.*REMOVE_QUEUE/, 'a fault inside a reset is not the verdict';
is scalar(grep { $_->{type} eq 'finding' && $_->{rule} eq 'hub-null-page-of-driver' } @consequence), 1,
    '... and is told below';
# ... and what fails right behind a reset's end, of the driver's own as well.
sub told { my ($name, @line) = @_;
    my ($verdict) = records(spill($name, join '', map { "$_\n" } @line));
    return $verdict->{text};
}
my @ring = ('[   34.9] amdgpu 0000:03:00.0: amdgpu: ring comp_1.1.0 timeout, signaled seq=7, emitted seq=9',
    '[   34.9] amdgpu 0000:03:00.0: amdgpu: Starting comp_1.1.0 ring reset',
    '[   34.9] amdgpu 0000:03:00.0: amdgpu: Ring comp_1.1.0 reset succeeded');
sub null_of_driver { my ($time) = @_;
    return ("[   $time] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:32 vmid:0 pasid:0)",
        "[   $time] amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x0000000000000000 from client 10",
        "[   $time] amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00040A40");
}
like told('behind.log', @ring, null_of_driver('35.0')), qr/^ring comp_1\.1\.0: the job after 7 did not end in time/,
    'a fault right behind a reset is not the verdict';
like told('later.log', @ring, null_of_driver('95.0')), qr/^client 5 \(CPC\) could not write page 0/,
    '... a minute later it is';
# How the resets ended, of several.
my $timeout = 'amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=2';
my %says = (begun => 'Starting gfx_0.0.0 ring reset', failed => 'Ring gfx_0.0.0 reset failed',
    all => 'GPU reset begin!', done => 'GPU reset(2) succeeded!', lost => 'VRAM is lost due to GPU reset!');
for (['begun failed', 'a reset of gfx_0.0.0 alone failed'],
    ['begun failed all',
    'a reset of gfx_0.0.0 alone failed and one of the GPU followed; how that one ended is not told'],
    ['begun failed all done', 'a reset followed and ended well'], ['all', 'a reset followed; how it ended is not told'],
    ['all done all', 'a reset followed and ended well'],
    ['all lost done', 'a reset followed, and what was in video memory is gone']) {
    my ($words, $outcome) = @$_;
    like told('outcome.log', $timeout, map { "amdgpu 0000:03:00.0: amdgpu: $says{$_}" } split ' ', $words),
        qr/; \Q$outcome\E$/, "of resets: $words";
}
like told('alone.log', map { "amdgpu 0000:03:00.0: amdgpu: $says{$_}" } qw(all done)),
    qr/^a reset of the GPU ended well$/, 'a reset alone, and how it ended';
like told('wedged.log', map { "xe 0000:00:02.0: [drm] $_" }
    '*ERROR* Tile0: GT0: GuC engine reset request failed on 4:0 because 0x00000000', 'Tile0: GT0: reset started',
    '*ERROR* Tile0: GT0: reset failed (-ETIMEDOUT)',
    '*ERROR* CRITICAL: Xe has declared device 0000:00:02.0 as wedged.'),
    qr/^a reset of the GPU \(the driver then gave the device up\) did not help$/, 'a device that is given up';
# A process that a line names much later is not whose work it was.
my @opcode = ('[ 2449.3] [drm:gfx_v9_4_3_bad_op_irq [amdgpu]] *ERROR* Illegal opcode in command stream');
my $process = 'amdgpu 0000:ab:00.0: amdgpu:  for process demo pid 34756 thread demo pid 34756)';
unlike told('later.log', @opcode, "[ 4864.3] $process"), qr/work of/, 'a process that is named much later';
like told('soon.log', @opcode, "[ 2449.4] $process"), qr/; work of demo, pid 34756/, '... and one that is named soon';
is_deeply [map { $_->{when} } grep { $_->{type} eq 'moment' } records('t/data/explain/reset-for.log')],
    ['3030.908380', '3060.112233', '3100.880718'], 'the time is not sought in the name of a device';
@back = map { "x $_" } (
    "amdgpu 0000:03:00.0: ring gfx timeout, signaled seq=1, emitted seq=2\n",
    "amdgpu 0000:03:00.0: GPU reset begin!\n", "amdgpu 0000:03:00.0: GPU reset succeeded, trying to resume\n");
$i = 30;
@back = reverse map { s/^\S+/sprintf '10:14:%02d', $i++/er } @back;
is_deeply [map { "$_->{when} $_->{kind}" } grep { $_->{type} eq 'moment' } records(spill('clock.log', join '', @back))],
    ['10:14:30 timeout', '10:14:31 reset-done'], 'clocks that run backwards are told forward';
is_deeply [map { "$_->{kind} $_->{unit} $_->{count}" } grep { $_->{type} eq 'moment' }
    records('t/data/explain/stall-storm.log')],
    ['stalled gfx 30', 'lockup gfx 30', 'stalled dma0 30', 'lockup dma0 30'], 'storms that take turns are folded';
# The life of an address, of files that are opened together.
my $fault = spill('fault.log', "radv: GPUVM fault detected at address 0x800100041000.\n");
my $history = spill('bo_history.log',
    "timestamp=1000, VA=0000800100040000-0000800100042000, destroyed=0, is_virtual=0\n"
    . "timestamp=2500, VA=0000800100040000-0000800100042000, destroyed=1, is_virtual=0\n");
my $bindings = spill('bindings.log', join '', map { "timestamp=$_->[0], VA=000080017ae00000-000080017ee00000, "
    . "binding_type=$_->[1] object_type=VK_OBJECT_TYPE_DEVICE_MEMORY, object_handle=0x7f10\n" }
    [1000, 'bind,  '], [2500, 'unbind,']);
is_deeply [map { my $r = JSON->new->decode($_); "$r->{line} $r->{where} $r->{text}" }
    `$program --batch --json $fault $bindings -e 'info address 0x80017b91e000'`],
    ['1 inside bound, DEVICE_MEMORY at 1000 ns', '2 inside unbound, DEVICE_MEMORY at 2500 ns'],
    'the bindings that RADV reports with a hang';
my $ranges = spill('bo_ranges.log',
    "  VA=0000800100043000-0000800100044000, handle=7\n  VA=0000800200000000-0000800200001000, handle=8\n");
my @life = map { JSON->new->decode($_) }
    `$program --batch --json $fault $history $ranges -e 'info address 0x800100041234'`;
is_deeply [map { join ' ', grep { defined } @{$_}{qw(dump line what where distance text)} } @life],
    ['0 1 fault page-fault, address 0x800100041000', '1 1 a buffer inside 0x1234 allocated at 1000 ns',
        '1 2 a buffer inside 0x1234 freed at 2500 ns', '2 1 a buffer before 0x1dcc handle 7'],
    'the fault, the buffer that held it and was freed, and the next one';
like `$program --batch $ranges -e 'info address 0x800100044010'`,
    qr/0x10 bytes past the end of a buffer 0x800100043000-0x800100044000, handle 7/, 'how far past an end';
like `$program --batch $fault -e 'info address 0x1000' 2>&1`, qr/no open dump mentions 0x1000/,
    'an address that nothing tells of';
# Damage: a log that is cut at every line, and two logs whose lines are mixed.  Evidence is on lines that there are;
# nothing crashes.
{
    my @bad;
    for my $name (qw(hub-faults.log queues.log fault-read.log bo-history.log)) {
        open my $in, '<', "t/data/explain/$name" or die $!;
        my @line = <$in>;
        for my $n (1 .. $#line) {
            my $cut = spill('cut.log', join('', @line[0 .. $n - 1]) . substr($line[$n], 0, length($line[$n]) / 2));
            my @found = map { JSON->new->decode($_) } `$program --batch --json $cut -e explain 2>/dev/null`;
            push @bad, "$name to line $n: status " . ($? >> 8) if $? & 127 || ($? >> 8) > 3;
            push @bad, "$name to line $n: line $_" for grep { $_ > $n + 1 } map { $_->{line} // 0 } @found,
                map { @{ $_->{evidence} // [] } } @found;
        }
    }
    is_deeply \@bad, [], 'a log that is cut anywhere is explained by the lines that there are';
    open my $a, '<', 't/data/explain/hub-faults.log' or die $!;
    open my $b, '<', 't/data/explain/fault-read.log' or die $!;
    my @a = <$a>;
    my @b = <$b>;
    my $mixed = spill('mixed.log', join '', map { ($a[$_] // '') . ($b[$_] // '') } 0 .. $#a);
    my %cause = map { $_->{rule} => 1 } grep { $_->{type} eq 'finding' } records($mixed);
    ok $cause{'hub-fault-of-name'} && $cause{'page-fault'} && !$cause{'note-mixed'},
        'faults of two devices whose lines are mixed stay apart';
}
# Registers that somebody put into a log: amdgpu's spelling is of three generations, and --isa decides.
my $mm = spill('mm.log', "mmGRBM_STATUS = 0xa0003028\nCP_STAT: 0x80038000\n");
like `$program --batch $mm -e 'info dump captures'`, qr/gfx6, gfx7 or gfx8/,
    'names with mm in front are of three generations';
like `$program --batch --isa gfx7 $mm -e 'info dump registers'`,
    qr/GRBM_STATUS +0xa0003028\n.*GUI_ACTIVE.*CP_STAT +0x80038000/s, '... and decoded when the user says which';

# A storm of more faults than are kept: how many there were is said, and what comes after it is told.
my $storm = spill('storm.log', join('', map { sprintf "[%5d.%06d] amdgpu 0000:03:00.0: amdgpu: VM fault (0x0c, vmid 5) "
    . "at page %d, read from 'TC3' (0x54433300) (200)\n", $_ / 1000, $_ % 1000, 16 * $_ } 1 .. 65540)
    . "[ 9999.000000] amdgpu 0000:03:00.0: amdgpu: GPU reset(2) succeeded!\n");
my @storm = records($storm);
like join(' ', map { $_->{text} } grep { $_->{type} eq 'finding' && $_->{cause} eq 'limit' } @storm),
    qr/^65540 incidents of the kind vm-fault of 0000:03:00.0: the first 65536 are kept/, 'a storm is counted';
is_deeply [map { $_->{kind} } grep { $_->{type} eq 'moment' } @storm], ['vm-fault', 'reset-done'],
    '... and the reset after it is told';
is((grep { $_->{type} eq 'moment' } @storm)[0]{count}, 65540, '... and the timeline has the whole number');
# A reset of which only one line is told, again after a while: another one.
@storm = grep { $_->{type} eq 'moment' } records(spill('again.log', join('', map {
    sprintf "[ %10.6f] amdgpu 0000:01:00.0: GPU pci config reset\n", $_ } 9.1, 9.2, 29.1, 48.2)
    . "[   60.000000] amdgpu 0000:01:00.0: amdgpu: ring gfx timeout, signaled seq=1, emitted seq=2\n"));
is "$storm[0]{kind} $storm[0]{count}", 'reset 3', 'the same step after twenty seconds is another reset';
done_testing;
