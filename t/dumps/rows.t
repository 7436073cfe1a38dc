#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every row of the table of phrases, with its holes filled, through what loggers, mails and pages make of a line: the
# row's own kind comes out, and no other row or machine takes the line from it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
$ENV{XDG_CONFIG_HOME} = '/nonexistent';

my (@rows, %seen);
for my $file (glob 'decoders/dumps/phrases/*.def') {
    open my $f, '<', $file or die $!;
    while (<$f>) {
        next unless /^(?:SAYS\((\w+)|MEANS\("(\w*)", (\w+)), "((?:[^"\\]|\\.)*)"/;
        my ($kind, $driver, $pattern) = ($1 // $3, $2, $4);
        $pattern =~ s/\\(.)/$1/g;
        ok !$seen{ ($driver // '') . ":$pattern" }++, "$pattern stands once" if $seen{ ($driver // '') . ":$pattern" };
        push @rows, { kind => $kind, driver => $driver || 'amdgpu', pattern => $pattern, file => "$file:$." };
    }
}
{
    # Every row says whose text it is: files and versions of Linux, a program, or a public log.
    local $/;
    my $all = join '', map { open my $f, '<', $_ or die $!; <$f> } glob 'decoders/dumps/phrases/*.def';
    my @sources = $all =~ /\.source = "([^"]*)"/g;
    my $form = qr/^(?:(?:[\w-]+\.[ch]\ ){1,3}\d\.\d+(?:-\d\.\d+)?
        |Mesa|ROCr|ROCclr|LLVM|DXVK|GIM|a\ public\ log(?::\ .+)?)$/x;
    is join("\n", grep { $_ !~ $form } @sources), '', 'sources: ' . @sources;
    is scalar @sources, scalar @rows, 'every row has one';
}
cmp_ok scalar @rows, '>', 380, 'rows are there: ' . @rows;

# A message that the pattern is for.
sub message {
    my ($p) = @_;
    $p =~ tr/{}//d;
    my %fill = (x => 'abc', r => 0, '-' => '-22');
    $p =~ s/%(?:([xr-])([0-9])|([0-9]))/defined $1 ? $fill{$1} : 7/ge;
    $p =~ s/%u/gfx_v9_0/g;
    $p =~ s/%w/gfx_v9_0/g;
    $p =~ s/%c/0/g;
    $p =~ s/%t/sample/g;
    $p =~ s/\*/ some /g;
    $p =~ s/\$$//;
    return $p =~ s/^ //r =~ s/ $/ more/r;
}
my %word = (init_failed => 'init-failed', hung => 'block-hung', signaled => 'job-done-late',
    eviction => 'eviction-failed', refused => 'commands-refused', refused_trouble => 'work-refused',
    preemption => 'preemption-failed', queues_taken => 'queues-evicted', ring_test => 'ring-test-failed');
sub word_of { my ($row) = @_; return $word{ $row->{kind} } // $row->{kind} =~ tr/_/-/r }
my $front = sub { $_[0]{driver} eq 'i915' || $_[0]{driver} eq 'xe' ? '0000:00:02.0' : '0000:03:00.0' };
my %logger = (
    dmesg => sub { sprintf "[%5d.%06d] %s", 300 + $_[1], $_[1], $_[0] },
    syslog => sub { sprintf "Nov 21 23:%02d:%02d box kernel: %s", $_[1] / 60 % 60, $_[1] % 60, $_[0] },
    iso => sub { "2026-11-21T23:16:01.000000+01:00 box kernel: $_[0]" },
    kmsg => sub { "3,$_[1],30100000$_[1],-;$_[0]" },
    level => sub { "<3>[  301.000001] $_[0]" },
    caller => sub { "[    T12] $_[0]" },
    callers => sub { "[  301.000001][  T12] $_[0]" },
    quote => sub { "> > [  301.000001] $_[0]" },
    comment => sub { "# [  301.000001] $_[0]" },
    journald => sub { JSON->new->encode({ MESSAGE => $_[0], PRIORITY => '3', _HOSTNAME => 'box' }) },
    page => sub { '<span class="l">[  301.000001] '
        . ($_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr) . '</span><br />' },
    plain => sub { $_[0] },
    # What no logger writes: grep's and cat's numbers, a file's name, a host alone, Talos's columns.
    grep => sub { ($_[1] + 2) . ":[  301.000001] $_[0]" },
    file => sub { "logs/dmesg-1.txt:[  301.000001] $_[0]" },
    numbers => sub { sprintf "%6d\t[  301.000001] %s", $_[1] + 2, $_[0] },
    host => sub { "2026-01-06T19:44:54Z node1 [  301.000001] $_[0]" },
    talos => sub { "3124:192.168.0.35: kern: warning: [2026-01-06T19:44:54.899360477Z]: $_[0]" },
);
my $step = $ENV{GPUDBG_SAMPLE} // 1;
for my $logger (sort keys %logger) {
    my (@wrong, $n);
    my @some = grep { $n++ % $step == 0 } @rows;
    # Rows lie far apart, and each has a device, so that no reset or fault joins two of them.
    my $file = "$dir/$logger";
    open my $f, '>', $file or die $!;
    print $f "amdgpu 0000:ff:1f.7: amdgpu: ring gfx timeout, signaled seq=1, emitted seq=2\n";
    for my $i (0 .. $#some) {
        my $row = $some[$i];
        my $device = sprintf '%04x:%02x:00.0', $i >> 8, $i & 255;
        print $f $logger{$logger}->("$row->{driver} $device: " . message($row->{pattern}), $i), "\n";
    }
    close $f;
    my %got;
    open my $out, '-|', $program, '--batch', '--json', $file, '-e', 'info dump incidents' or die $!;
    while (my $line = <$out>) {
        my $r = JSON->new->utf8->decode($line);
        $got{ $r->{line} }{ $r->{kind} } = 1 if $r->{type} eq 'incident';
    }
    close $out;
    for my $i (0 .. $#some) {
        my $row = $some[$i];
        my $word = word_of($row);
        push @wrong, "$row->{file}: $word, but " . join(',', keys %{ $got{ $i + 2 } // {} }) . ': '
            . message($row->{pattern})
            unless $got{ $i + 2 }{$word};
    }
    is join("\n", @wrong), '', "every row through $logger";
}

# Mails and pages wrap lines at a column: each row comes out of all of its parts.
sub kinds { # of the incidents of a file, by line: a list of "kind text"
    my ($text) = @_;
    open my $f, '>', "$dir/lines" or die $!;
    print $f $text;
    close $f;
    my %got;
    open my $out, '-|', "$program --batch --json $dir/lines -e 'info dump' 2>/dev/null" or die $!;
    while (my $line = <$out>) {
        my $r = JSON->new->utf8->decode($line);
        push @{ $got{ $r->{line} } }, "$r->{kind} " . ($r->{text} // '') if $r->{type} eq 'incident';
        push @{ $got{ $r->{line} } }, "register $r->{name}" if $r->{type} eq 'register';
    }
    return \%got;
}
# Whose rest looks like another's beginning: a number and a comma, a bracket, a register; or ends as mails' lines do.
my $odd = qr/acrtc %0,|serdes %0,|_id0 is not 0,|\[IO_PAGE_FAULT|\[00:02\.0\]|detected, EIR:|error = %-0/;
for my $column (64, 72, 76, 80, 98) {
    my ($text, $n, @at, @some, @to) = ("[  299.000000] amdgpu 0000:ff:1f.7: amdgpu: GPU reset begin!\n", 1);
    for my $i (grep { $_ % $step == 0 || $rows[$_]{pattern} =~ $odd } 0 .. $#rows) {
        my $line = sprintf '[%5d.%06d] %s %04x:%02x:00.0: %s', 300 + $i, $i, $rows[$i]{driver}, $i >> 8, $i & 255,
            message($rows[$i]{pattern});
        push @some, $rows[$i];
        push @at, $n + 1;
        my $rest = $line;
        while (length $rest > $column && $rest =~ s/^(.{1,$column}|\S+) //) { $text .= "$1\n"; $n++ }
        $text .= "$rest\n";
        push @to, ++$n;
    }
    my $got = kinds($text);
    my @wrong = grep { my ($i, $word) = ($_, word_of($some[$_]));
        !grep { /^\Q$word\E / } map { @{ $got->{$_} // [] } } $at[$i] .. $to[$i] } 0 .. $#some;
    is join("\n", map { "$some[$_]{file}: " . join '; ', @{ $got->{ $at[$_] } // ['nothing'] } } @wrong), '',
        "every row, wrapped at $column";
}

# A line of a program, of a person, or of another reader right behind a driver's line is no end of it.
my @before = (
    'amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=11, emitted seq=13',
    '[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx_0.0.0 timeout, signaled seq=11, emitted seq=13',
    '[drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: process game pid 77 thread game:cs0 pid 78',
    'i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85dffffb, in game [77]',
    'amdgpu 0000:03:00.0: amdgpu: GPU reset begin!',
    'usb 1-2: new high-speed USB device number 5 using xhci_hcd, and the name is a long one',
);
my @lost = ('radv/amdgpu: The CS has been cancelled because the context is lost.', 'Error: VK_ERROR_DEVICE_LOST',
    'radv/amdgpu: The CS has been cancelled because the context is lost. This context is innocent.',
    'vkQueueSubmit returned VK_ERROR_DEVICE_LOST', 'terminate called, GL_CONTEXT_LOST', 'radv: GPU hang detected...',
    'amdgpu: The CS has been rejected (-125), see dmesg for more information (-125).',
    'iris: Failed to submit batchbuffer: Input/output error');
my @after = ((map { [$_, qr/^context-(?:told|lost)|^commands-refused/] } @lost),
    ['Memory access fault by GPU node-1 (Agent handle: 0x55d0) on address 0x7f1200004000. Reason: Page not present.',
        qr/^page-fault/], ['IPEHR: 0x70020002', qr/^register IPEHR/], ['GRBM_STATUS=0xA0003028', qr/^register GRBM/],
    ['Queue error state: HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: all of them', qr/^queue-trouble/],
    map { [$_, undef] } 'Xorg: ../src/gallium/winsys: assertion failed', '(EE) AMDGPU(0): present flip failed',
    'MESA-INTEL: error: something with a buffer', 'After that the screen stayed black until I pressed the button.',
    'kwin_wayland[1234]: a compositor says something', 'Gdk-Message: 12:00: Lost connection to the display');
for my $logger ($step > 1 ? 'dmesg' : qw(dmesg syslog kmsg quote journald)) {
    my @wrong;
    for my $before (@before) {
        my $first = $logger{$logger}->($before, 1);
        my $alone = join ' ', map { @$_ } values %{ kinds("$first\n") };
        for my $after (@after) {
            my ($line, $want) = @$after;
            my $got = kinds("$first\n$line\n");
            push @wrong, "$before | $line: " . join ' ', @{ $got->{2} // [] }
                if $want && !grep { $_ =~ $want } @{ $got->{2} // [] };
            push @wrong, "$before | $line: $alone: " . join ' ', @{ $got->{1} // [] }
                if $alone ne join ' ', @{ $got->{1} // [] };
        }
    }
    is join("\n", @wrong), '', "lines right behind others, $logger";
}
done_testing;
