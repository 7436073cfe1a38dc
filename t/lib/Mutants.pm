# SPDX-License-Identifier: GPL-3.0-or-later
#
# Correct kernels with one bug planted: what the checkers and `diffrun` make of it.
#
#   my @kernels = Mutants::kernels($dir, $all);       compiled by clang at four levels and by ocloc, and AMD IL
#   my $plain = Mutants::unchanged($kernel);          what the kernel does as it was compiled
#   for my $mutant (Mutants::mutants($kernel, $plain, $each)) {     at most $each of a kind
#       my $found = Mutants::look($kernel, $mutant, $plain);
#   }
#
# A kernel is { title, target, file, launch, lanes => work-items of a group }.  A mutant is { kind, pc, what,
# patches => [arguments of `patch`] }: the program puts the bug into the loaded code, so all else stays.  Code of AMD IL
# has no instruction that does nothing: there `without` is the text of the program with a line left out.
package Mutants;
use v5.36;
use File::Temp;
use GenKernels;
use Gpudbg;
use JSON::PP ();
use Kernels;
use WaitModel;

my $patience = 60;    # seconds for a mutant

# ---- Kernels ----

my $library = (grep { -d } '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode', glob '/usr/lib/*/amdgcn/bitcode')[0];

# What clang compiles for, by target: -mcpu and more options.
my %machines = (gfx7 => ['bonaire'], gfx10 => [map { ($_, "$_ -mwavefrontsize64") } qw(gfx1010 gfx1030)]);

# The kernels of a file at a level, made by clang once; undef if it cannot.
my %object;
sub compiled ($case, $level, $machine, $dir) {
    my ($name) = $case->{file} =~ m{([^/]+)$};
    my ($known) = $machine eq $machines{gfx7}[0] ? grep { /\Q-$level.co\E$/ } $case->{objects}->@* : ();
    return $known if $known;
    my $to = "$dir/" . join('-', $name, $level, $machine =~ s/ -/-/r) . '.co';
    return $object{$to} if exists $object{$to};
    my $failed = !$library || system("clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa "
        . "-mcpu=$machine --rocm-device-lib-path=$library -w $case->{options} -$level $case->{source} -o $to "
        . '2>/dev/null');
    return $object{$to} = $failed ? undef : $to;
}

# The levels and machines of a target, for `compiled`.
sub ways ($target) { return map { my $machine = $_; map { [$_, $machine] } qw(O0 O1 O2 O3) } $machines{$target}->@* }

# Each kernel at one level and in one container, in turn; in all of them, if `all`.
sub gcn ($target, $dir, $all) {
    my @ways = ways($target);
    my ($turn, @list) = 0;
    for my $case (grep { $_->{file} !~ m{^isa/} } Kernels::cases()) {
        my @words = Kernels::launch_words($case, "$dir/$target" . $turn);
        for my $way ($all ? @ways : $ways[$turn * 5 % @ways]) {
            my ($level, $machine) = @$way;
            my $file = compiled($case, $level, $machine, $dir) or next;
            my $chip = $target eq 'gfx7' ? '' : $machine =~ s/ .*?(\d+)$/-wave$1/r . ' ';
            push @list, { title => "$case->{kernel} $chip-$level", target => $target, file => $file,
                launch => "@words", lanes => group_size($case->{local}) };
        }
        $turn++;
    }
    return @list;
}

sub gen12 ($dir, $all) {
    my ($turn, %done, @list) = 0;
    for my $case (grep { $_->{file} !~ m{^isa/} } Kernels::cases()) {
        my @files = GenKernels::objects($case) or next;
        my @words = Kernels::launch_words($case, "$dir/gen" . $turn);
        push @list, map { my $name = s{.*/}{}r; { title => "$case->{kernel} $name", target => 'gen12', file => $_,
            launch => "@words", lanes => group_size($case->{local}) } } $all ? @files : $files[$turn % @files];
        $turn++;
    }
    return @list;
}

# Compiled here, each kernel in one container, optimised or not, in turn.
sub dg2 ($dir, $all) {
    my ($turn, @list) = 0;
    for my $case (grep { $_->{file} !~ m{^isa/} && $_->{kernel} ne 'float_flush' } Kernels::cases()) {
        my @how = qw(bin ze O0);
        my @words = Kernels::launch_words($case, "$dir/dg2" . $turn);
        for my $how ($all ? @how : $how[$turn % @how]) {
            my $file = GenKernels::made($case->{source}, 'acm-g10', $how, $dir) or next;
            push @list, { title => "$case->{kernel} dg2 $how", target => 'dg2', file => $file, launch => "@words",
                lanes => group_size($case->{local}) };
        }
        $turn++;
    }
    return @list;
}

sub group_size ($local) { my $n = 1; $n *= $_ for split /,/, $local; return $n }

# [file, launch, work-items of a group]; inputs are [KIND, COUNT, SEED, ...] of Kernels.pm.
my @il = (
    ['matmul', '-g 32,32 -l 16,16 uav0=zero:4096 uav1=%0 uav2=%1 cb0=hex:20000000000000000000000000000000', 256,
        ['f32', 1024, 90, -1, 1], ['f32', 1024, 91, -1, 1]],
    ['reduce', '-g 512 -l 128 uav0=zero:16 uav1=%0', 128, ['wide32', 512, 101, 10]],
    ['sha256', '-g 64 -l 64 uav0=zero:2048 uav1=%0', 64, ['u32', 1024, 172]],
    ['mandelbrot', '-g 64,16 -l 16,4 uav0=zero:1024 cb0=hex:40000000100000002000000000000000', 64],
    ['mandelbrot_fixed', '-g 64,48 -l 8,8 uav0=zero:11280 cb0=hex:3c0000002f0000006400000000000000', 64],
);

sub il ($dir) {
    my @list;
    for my $row (@il) {
        my ($name, $launch, $lanes, @inputs) = @$row;
        for my $i (0 .. $#inputs) {
            Kernels::write_file("$dir/il-$name$i", Kernels::bytes($inputs[$i]->@*));
            $launch =~ s/%$i/\@$dir\/il-$name$i/;
        }
        push @list, { title => "$name.il", target => 'il', file => Kernels::source_dir() . "/il/$name.il",
            launch => $launch, lanes => $lanes };
    }
    return @list;
}

my %made = ((map { my $target = $_; ($target => sub { return gcn($target, @_) }) } keys %machines), gen12 => \&gen12,
    dg2 => \&dg2, il => sub ($dir, $all) { return il($dir) });

# All but those for DG2, or those of a target.
sub kernels ($dir, $all = 0, $target = undef) {
    return map { $made{$_}->($dir, $all) } $target // grep { $_ ne 'dg2' } sort keys %made;
}

# ---- Running ----

# The records of some commands; undef if that takes too long.
sub records_of ($kernel, @commands) {
    my @lines;
    local $SIG{ALRM} = sub { die "late\n" };
    my $pid;
    my $done = eval {
        alarm $patience;
        $pid = open my $out, '-|', $ENV{GPUDBG} // 'build/gpudbg', ($kernel->{plugins} // [])->@*, '--batch', '--json',
            commands(@commands), $kernel->{file} or die "gpudbg: $!";
        @lines = <$out>;
        alarm 0;
        close $out;
        1;
    };
    alarm 0;
    kill KILL => $pid if !$done && $pid;
    return $done ? [map { JSON::PP::decode_json($_) } map { without_fields($_) } grep { /^\{/ } @lines] : undef;
}

# An instruction's record without its fields and operands, which take the most time to read.
sub without_fields ($line) {
    return $line =~ /^(\{"type":"insn",.*?"text":"(?:[^"\\]|\\.)*")/ ? "$1}" : $line;
}

sub first_of ($records, $type) { return (grep { $_->{type} eq $type } @$records)[0] // {} }

# What the kernel does as compiled: { length, executed => { pc => count }, checks => [...], code => [instructions] }.
sub unchanged ($kernel) {
    my $records = records_of($kernel, 'check all on', "launch $kernel->{launch}", 'continue', 'info checks',
        'info profile', 'disassemble') or return;
    my $stop = (grep { $_->{type} eq 'stop' } @$records)[-1] // {};
    return { ended => $stop->{reason} // '', length => $stop->{position} // 0,
        checks => [grep { $_->{type} eq 'check' && $_->{message} !~ /^note:/ } @$records],
        executed => { map { ($_->{pc} => $_->{executed}) } grep { $_->{type} eq 'profile' } @$records },
        code => [grep { $_->{type} eq 'insn' } @$records] };
}

# ---- Planting ----

my %shifted = (lt => 'le', le => 'lt', gt => 'ge', ge => 'gt');

# The ways to break an instruction of Sea Islands or RDNA: [kind, arguments of `patch`]...
sub break_gcn ($insn, $before) {
    my ($at, $text) = ("*$insn->{addr}", $insn->{text});
    return ['hazard', "nop $at"] if $text =~ /^s_waitcnt_depctr/;
    return ['wait', "nop $at"] if $text =~ /^s_waitcnt/;
    return ['barrier', "nop $at"] if $text =~ /^s_barrier/;
    return ['init', "nop $at"] if $text =~ /^(v_mov_b32\w* v\d+|s_mov(k_i|_b)\d+ s\S+), (-?\d|0x)/;
    return ['bound', "$at $1$shifted{$2}$3"] if $text =~ /^((?:s|v)_cmpx?k?_)(lt|le|gt|ge)(_.*)/;
    return ['sub', "$at v_subrev_$1"] if $text =~ /^v_sub_(.*)/;
    return ['sub', "$at v_sub_$1"] if $text =~ /^v_subrev_(.*)/;
    return ['sub', "$at $1 $2, $4, $3"] if $text =~ /^(s_sub_\w+) (\S+), (\S+), (\S+)$/;
    return ();
}

sub break_gen12 ($insn, $before) {
    my ($at, $text) = ("*$insn->{addr}", $insn->{text});
    my ($waits) = annotations($text);
    my @ways;
    # Compilers also wait around writes of state registers; that is no register's value, and no checker knows it.
    my $last = @$before ? $before->[-1]{text} : '';
    push @ways, ['scoreboard', "-f $at swsb=0"]
        if @$waits && $text !~ /EOT/ && "$text $last" !~ /\b[cs]r0/;
    if ($text =~ /sync\.bar/) {
        my ($signal) = grep { $_->{text} =~ /gtwy/ && $_->{text} !~ /EOT/ } reverse @$before;
        push @ways, ['barrier', "nop $at", $signal ? "nop *$signal->{addr}" : ()];
    }
    my $plain = $text =~ s/ \{.*//r;
    my $end = $text =~ /( \{.*)/ ? $1 : '';
    push @ways, ['init', "nop $at"] if $plain =~ /^(\(W\) )?mov \(\S+ r\S+ (-?[\d.]+(e\S+)?|0x\w+):\w+$/;
    push @ways, ['bound', "$at $1$shifted{$2}$3$end"] if $plain =~ /^(.*\bcmp \(.*?\) \()(lt|le|gt|ge)(\).*)/;
    push @ways, ['sub', "$at $1 -$2 $3$end"] if $plain =~ /^(.*\badd \(\S+ ?\S*\).* r\S+) (r\S+) -(r\S+)$/;
    return @ways;
}

sub break_il ($insn, $before) {
    my ($at, $text) = ("*$insn->{addr}", $insn->{text});
    my %other = (uge => 'ult', ult => 'uge', ige => 'ilt', ilt => 'ige', ge => 'lt', lt => 'ge');
    return ['barrier', undef] if $text =~ /^fence_threads/;
    return ['init', undef] if $text =~ /^mov r\S+, l\d/;
    return ['bound', "$at $other{$1} $2, $4, $3"] if $text =~ /^(uge|ult|ige|ilt|ge|lt) (\S+), (\S+), (\S+)$/;
    return ['sub', "$at $1 $2, $4, $3"] if $text =~ /^(sub) (\S+), (\S+), (\S+)$/;
    return ['sub', "$at iadd $1, $2_neg(xyzw), $3"] if $text =~ /^iadd (\S+), (r\S+), (r\S+)_neg\(xyzw\)$/;
    return ();
}

my %break = ((map { ($_ => \&break_gcn) } keys %machines), gen12 => \&break_gen12, dg2 => \&break_gen12,
    il => \&break_il);

# The text of a program without its instruction number `n`, counted as its listing counts.
sub without ($kernel, $n) {
    my @lines = split /\n/, Kernels::read_file($kernel->{file});
    my @at = grep { $lines[$_] =~ /^\s*[^;\s]/ } 0 .. $#lines;
    $lines[$at[$n - 1]] = '';    # the listing begins with the language, which the text does not name
    return join "\n", @lines, '';
}

# At most `each` mutants of a kind, spread over the code that was executed.
sub mutants ($kernel, $plain, $each) {
    my (%of, @before, @all);
    for my $insn ($plain->{code}->@*) {
        if ($plain->{executed}{$insn->{addr}}) {
            for my $way ($break{$kernel->{target}}->($insn, \@before)) {
                my ($kind, @patches) = @$way;
                my $mutant = { kind => $kind, pc => $insn->{addr}, what => $insn->{text}, patches => \@patches };
                $mutant->@{qw(patches without)} = ([], without($kernel, scalar @before)) if !defined $patches[0];
                push $of{$kind}->@*, $mutant;
            }
        }
        push @before, $insn;
    }
    for my $kind (sort keys %of) {
        my @list = $of{$kind}->@*;
        my $step = @list > $each ? @list / $each : 1;
        push @all, map { $list[$_ * $step] } 0 .. (@list < $each ? @list : $each) - 1;
    }
    return @all;
}

# ---- A second witness for scoreboards: where IGA puts annotations of its own ----

# Annotations of an instruction's text, and the text without them.
sub annotations ($text) {
    my ($options) = $text =~ s/ *\{(.*)\}// ? $1 : '';
    my @words = split /,/, $options;
    my @rest = grep { !/^(\w?@\d+|\$\d+(\.\w+)?|Compacted)$/ } @words;
    return ([grep { /[@\$]/ } @words], $text . (@rest ? " {@{[join ',', @rest]}}" : ''));
}

sub is_insn ($line) { return $line =~ /\S/ && $line !~ /^\S+:\s*$/ }

# { pc => annotations that IGA gives } of all code of a kernel; an annotated sync belongs to the instruction behind it.
# undef: IGA does not take the code, or is not installed.
sub from_iga ($plain, $listing, $platform) {
    my (@lines, @pc, @pending, %of);
    my @texts = grep { is_insn($_) } map { s{ *//.*}{}r } split /\n/, $listing;
    return if @texts != $plain->{code}->@*;
    my $n = 0;
    for my $line (map { s{ *//.*}{}r } split /\n/, $listing) {
        if (!is_insn($line)) { push @lines, $line; next }
        my $pc = $plain->{code}[$n++]{addr};
        my (undef, $text) = annotations($line);
        push @pending, $pc;
        next if $text =~ /\bsync\.(nop|allrd|allwr)/;
        push @lines, $text;
        push @pc, [@pending];
        @pending = ();
    }
    my $folder = File::Temp->newdir;
    Kernels::write_file("$folder/in.asm", join("\n", @lines, ''));
    return if system("iga64 -a -p=$platform -Xauto-deps $folder/in.asm -o $folder/out.bin >/dev/null 2>&1")
        || system("iga64 -d -p=$platform $folder/out.bin -o $folder/out.asm >/dev/null 2>&1");
    my @have;
    for (grep { is_insn($_) } map { s{ *//.*}{}r } split /\n/, Kernels::read_file("$folder/out.asm")) {
        my ($has, $text) = annotations($_);
        push @have, @$has;
        next if $text =~ /\bsync\.(nop|allrd|allwr)/;
        my $here = shift @pc or return;
        $of{$_} = [@have] for @$here;
        @have = ();
    }
    return \%of;
}

# ---- What a launch does, as the plug-in log.c writes it ----

my $plugin;    # the folder of the built plug-in
sub plugin () {
    return "$plugin/log.so" if $plugin;
    $plugin = File::Temp->newdir;
    system(($ENV{CC} // 'cc') . " -std=c11 -shared -fPIC -Icore/include -o $plugin/log.so t/mutants/log.c") == 0
        or die 't/mutants/log.c is not built';
    return "$plugin/log.so";
}

# The lines of the log of an unchanged kernel.
sub log_of ($kernel) {
    return $kernel->{log} if $kernel->{log};
    my $to = File::Temp->new;
    local $ENV{MUTANTS_LOG} = "$to";
    records_of({ %$kernel, plugins => ['--plugin', plugin()] }, 'check log on', "launch $kernel->{launch}", 'continue');
    return $kernel->{log} = [map { [split / /] } split /\n/, Kernels::read_file("$to")];
}

# { pc => lanes that ran it at any time }
sub lanes_of ($kernel) {
    return { map { (sprintf('0x%x', $_->[1]) => $_->[2]) } grep { $_->[0] eq 'l' } log_of($kernel)->@* };
}

# Where waves of a group touch the same bytes, one of them writing, and only the barrier at pc is between them: the two
# instructions; () if nowhere.  A launch in which no such pair is gives the same results without the barrier, in
# whatever order the waves run.
sub ordered_by ($kernel, $pc) {
    my (%all, %others, %by);    # barriers passed, by wave; accesses by group, bytes and barriers but this
    for my $line (log_of($kernel)->@*) {
        my ($what, $wave, $group, $at, $kind, $space, $addr, $size) = @$line;
        if ($what eq 'b') {
            $all{$wave}++;
            $others{$wave}++ if $at != hex $pc;
        }
        next if $what ne 'a';
        my ($now, $phase) = ($all{$wave} // 0, $others{$wave} // 0);
        for my $unit ($addr >> 2 .. $addr + $size - 1 >> 2) {
            my $seen = $by{"$group $space $unit $phase"} //= {};
            for my $other (values %$seen) {
                next if $other->[0] == $wave || $other->[1] == $now || "$kind$other->[2]" eq 'll';
                return map { sprintf '0x%x', $_ } $other->[3], $at;
            }
            $seen->{"$wave $now $kind"} //= [$wave, $now, $kind, $at];
        }
    }
    return ();
}

# ---- A second witness for waits ----

# The counters of Sea Islands and RDNA that an instruction changes; those that it waits for, each down to a number.
sub counters ($text) {
    my @of = $text =~ /^(?:s_(?:buffer_|scratch_)?(?:load|atomic|store)|s_mem|ds_)/ ? 'lgkmcnt' : ();
    @of = 'vmcnt' if $text =~ /^(?:buffer|tbuffer|image|flat|global|scratch)_/;
    push @of, 'lgkmcnt' if $text =~ /^flat_/;
    my %waits = $text =~ /(vmcnt|lgkmcnt|expcnt)\((\d+)\)/g;
    $waits{vscnt} = hex $1 if $text =~ /^s_waitcnt_vscnt null, (0x\w+)/;
    return (\@of, \%waits);
}

# Of the operations that the wait at pc waits for in this launch: a load, an atomic, or a store to bytes that another
# wave touches.  '' if it always finds none of them under way.  What it finds stays in the order in which it began.
sub waited_for ($kernel, $plain, $pc) {
    my %text = map { (hex $_->{addr} => $_->{text}) } $plain->{code}->@*;
    my $apart = $kernel->{target} ne 'gfx7';    # stores have a counter of their own
    my (%touched, %shared, %under_way);
    for my $line (grep { $_->[0] eq 'a' } log_of($kernel)->@*) {
        my (undef, $wave, $group, $at, $kind, $space, $addr, $size) = @$line;
        my $bytes = $touched{"$space " . ($space == 0 ? '' : $group) . ' ' . ($addr >> 2)} //= {};
        $bytes->{waves}{$wave} = 1;
        $bytes->{stores}{$at} = 1 if $kind ne 'l';
    }
    for my $bytes (grep { keys $_->{waves}->%* > 1 } values %touched) {
        $shared{$_} = 1 for keys $bytes->{stores}->%*;
    }
    for my $line (grep { $_->[0] eq 'i' } log_of($kernel)->@*) {
        my (undef, $wave, undef, $at) = @$line;
        my $text = $text{$at} // return 'code that is not known';
        my ($of, $waits) = counters($text);
        return 'an export or the data of a store' if $at == hex $pc && keys %$waits == 1 && exists $waits->{expcnt};
        my $begun = $under_way{$wave} //= {};
        my $stores = $text =~ /store|atomic/ && $text !~ /\bglc\b/;
        push $begun->{ $apart && $stores && $_ eq 'vmcnt' ? 'vscnt' : $_ }->@*, [$at, $stores, $text] for @$of;
        for my $counter (keys %$waits) {
            my $list = $begun->{$counter} // [];
            next if @$list <= $waits->{$counter};
            my @done = splice @$list, 0, @$list - $waits->{$counter};
            my ($first) = grep { !$_->[1] || $shared{ $_->[0] } } @done;
            return "$first->[2] is under way" if $at == hex $pc && $first;
        }
    }
    return '';
}

# ---- Looking ----

# { refused => why the bug cannot be planted } or { checker => what stopped the run first, or '', differs => whether a
# result does, named => whether diffrun names the instruction, tree => ... in origins or on the way back from the first
# difference, late => it does not end }.
sub look ($kernel, $mutant, $plain) {
    my $limit = 20 * $plain->{length} + 100000;
    my @plant = map { "patch $_" } $mutant->{patches}->@*;
    my $file = $kernel->{file};
    if ($mutant->{without}) {
        $file = File::Temp->new(SUFFIX => '.il');
        print $file $mutant->{without};
        close $file;
    }
    my $records = records_of({ %$kernel, file => "$file" }, "set step-limit $limit", @plant, "launch $kernel->{launch}",
        'check all on', 'continue', 'info checks', $mutant->{without} ? "diffrun $kernel->{file}" : 'diffrun -n');
    return { checker => '', differs => 1, named => 0, late => 1 } if !$records;
    my ($error) = map { $_->{message} } grep { $_->{type} eq 'error' } @$records;
    return { refused => $error } if (grep { $_->{type} eq 'patch' } @$records) < @plant;
    my $stop = (grep { $_->{type} eq 'stop' } @$records)[-1] // {};
    my $how = $stop->{reason} // 'none';
    my ($check) = grep { $_->{type} eq 'check' && $_->{message} !~ /^note:/ } @$records;
    my $run = first_of($records, 'run-difference');
    my %pc = map { (lc($_->{pc} // '') => 1) }
        grep { $_->{type} =~ /^(origin|register-difference-run|difference-step)$/ } @$records;
    my $register = first_of($records, 'register-difference-run');
    my $tree = grep { $_->{type} =~ /^(origin|difference-step)$/ && lc($_->{pc} // '') eq lc $mutant->{pc} } @$records;
    return { checker => $how eq 'check' ? $stop->{checker} : $check ? $check->{kind} : $how eq 'done' ? '' : $how,
        differs => $run->{type} && !$run->{equal} ? 1 : 0, named => $pc{ lc $mutant->{pc} } ? 1 : 0,
        tree => $tree ? 1 : 0,
        first => $register->{pc} // '', error => $error // '' };
}

# Why a bug that nobody saw could change a result all the same; '' if it cannot.  What computes other values, or reads
# values that nobody wrote, and leaves every result as it was in this launch, did no harm.  A wait and a scoreboard
# matter to hardware alone: of a wait the launch shows what is under way; WaitModel.pm says what uses registers too
# early without the annotation, in code and lanes that ran; what IGA writes there is told beside it.  A barrier matters
# to waves that touch the same bytes.
sub could_change ($kernel, $mutant, $plain, $iga) {
    my $pc = $mutant->{pc};
    return waited_for($kernel, $plain, $pc) if $mutant->{kind} eq 'wait';
    if ($mutant->{kind} eq 'scoreboard') {
        my $dg2 = $kernel->{target} eq 'dg2';
        $kernel->{waits} //= WaitModel::of($plain->{code}, lanes_of($kernel), $dg2);
        my @early = WaitModel::without($kernel->{waits}, $pc) or return '';
        $$iga //= from_iga($plain, output('-e', 'disassemble /a', $kernel->{file}), $dg2 ? '12p71' : '12p1') // {};
        return WaitModel::name($early[0]) . '; IGA: ' . join ' ', ($$iga->{$pc} // ['does not tell'])->@*;
    }
    return '' if $mutant->{kind} ne 'barrier';
    my ($first, $second) = ordered_by($kernel, $pc) or return '';
    return "between $first and $second of two waves";
}

1;
