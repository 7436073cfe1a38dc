# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that synchronise through memory: what `check race` says of them, and whether a second witness finds an order
# in which they go wrong.  The witness is the plug-in t/mutants/weak.c, in the usual order of waves and in others, which
# the commands `wave` and `stepi` make.
#
#   my $look = Weak::look($file, $kernel, $launch, patches => [...], orders => 4, seed => 1);
#
# { ended => reason of the run's end, checks => [records of race], wrong => [records of weak], refused => message,
#   executed => [records of the profile] }
package Weak;
use v5.36;
use File::Temp;
use Gpudbg;
use JSON::PP ();
use Kernels;

my $plugin;    # the folder of the built plug-in
sub plugin () {
    return "$plugin/weak.so" if $plugin;
    $plugin = File::Temp->newdir;
    system(($ENV{CC} // 'cc') . " -std=c11 -shared -fPIC -Icore/include -o $plugin/weak.so t/mutants/weak.c") == 0
        or die 't/mutants/weak.c is not built';
    return "$plugin/weak.so";
}

# Commands that let waves run a little, one after another as a generator says.
sub some_order ($waves, $seed) {
    my $random = Kernels::generator($seed);
    $random->() for 1 .. 4;
    my $most = 1 << 4 + $seed % 5;
    return map { ('wave ' . $waves->[$random->() % @$waves], 'stepi ' . (1 + $random->() % $most)) } 1 .. 60;
}

sub look ($file, $kernel, $launch, %o) {
    my $orders = $o{orders} // 4;
    my @kinds = ('race', ($o{also} // [])->@*);
    my $start = "launch $kernel $launch";
    my @commands = ('set step-limit 1000000', (map { "patch $_" } ($o{patches} // [])->@*),
        (map { "check $_ on" } @kinds), $start, ('continue') x 8, 'info checks', 'echo @profile\n', 'info profile');
    my $waves = $o{waves} // [0 .. 5];
    push @commands, 'check all off', 'check weak on';
    push @commands, 'echo @weak\n', $start, ($_ ? some_order($waves, $_ + ($o{seed} // 0)) : ()), ('continue') x 8,
        'info checks' for 0 .. $orders;
    my $script = File::Temp->new(SUFFIX => '.gdb');
    print $script join("\n", @commands, '');
    close $script;
    my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
    open my $out, '-|', "timeout 60 $gpudbg --plugin " . plugin() . " --batch --json -x $script $file 2>&1" or die $!;
    my %look = (ended => '', checks => [], wrong => [], executed => [], origin => '');
    my $part = 'race';
    local $_;
    while (<$out>) {
        if (/^\@(\w+)/ || /"text":"\@(\w+)/) { $part = $1; next }
        if (/^\{"type":"check"/) {
            my $r = JSON::PP::decode_json($_);
            push $look{checks}->@*, $r if $part eq 'race' && $r->{kind} ne 'weak';
            push $look{wrong}->@*, $r if $part eq 'weak' && $r->{kind} eq 'weak';
        } elsif (/^\{"type":"profile"/) {
            my ($pc) = /"pc":"(\w+)"/;
            my ($text) = /"text":"((?:[^"\\]|\\.)*)"/;
            push $look{executed}->@*, { pc => $pc, text => $text };
        } elsif (/^\{"type":"stop"/ && $part eq 'race') {
            $look{ended} = $1 if /"reason":"([^"]*)"/;
        } elsif (/^\{"type":"error"/ && $part eq 'race') {
            $look{refused} //= $_ if !/has ended/;
        }
    }
    close $out;
    return \%look;
}

# The ways to take away one mark of order from what was executed: [kind, pc, text, arguments of `patch`].  Without
# optimisation every access is waited for, and no wait is a mark.
sub breaks ($executed, $label) {
    my @all;
    for my $e (@$executed) {
        my ($pc, $text) = ($e->{pc}, $e->{text});
        push @all, ['acquire', $pc, $text, "nop *$pc"] if $text =~ /^buffer_(?:wbinvl1|gl[01]_inv)/;
        my $most = $label =~ /gfx10/ ? 'vmcnt=15 vmcnt_high=3' : 'vmcnt=15';
        push @all, ['release', $pc, $text, "-f *$pc $most"]
            if $text =~ /^s_waitcnt .*vmcnt\(0\)/ && $label !~ /O0/;
        push @all, ['release', $pc, $text, "nop *$pc"] if $text =~ /^s_waitcnt_vscnt null, 0x0/ && $label !~ /O0/;
        push @all, ['glc', $pc, $text, "-f *$pc glc=0"] if $text =~ /^(?:flat|global|buffer)_load\S* .*\bglc\b/;
        push @all, ['fence', $pc, $text, "nop *$pc"] if $text =~ /send\.dc0 .* 0x0219E[01]0[0F]/;
    }
    return @all;
}

1;
