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
    my %word = (init_failed => 'init-failed', hung => 'block-hung', signaled => 'job-done-late',
        eviction => 'eviction-failed',
        refused => 'commands-refused', refused_trouble => 'work-refused', preemption => 'preemption-failed',
        ring_test => 'ring-test-failed');
    for my $i (0 .. $#some) {
        my $row = $some[$i];
        my $word = $word{ $row->{kind} } // $row->{kind} =~ tr/_/-/r;
        push @wrong, "$row->{file}: $word, but " . join(',', keys %{ $got{ $i + 2 } // {} }) . ': '
            . message($row->{pattern})
            unless $got{ $i + 2 }{$word};
    }
    is join("\n", @wrong), '', "every row through $logger";
}
done_testing;
