#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What carries a log: journald's records, /dev/kmsg, syslog, web pages, mails, UTF-16, packed files, standard input.
# The faults in it are the same in each; damage is said, limits hold, and what is not read is called by its name.
use strict;
use warnings;
use Encode qw(encode);
use Files;
use JSON;
use POSIX qw(mkfifo);
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
$ENV{XDG_CONFIG_HOME} = '/nonexistent';

my @message = (
    'amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:40 vmid:5 pasid:129)',
    'amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x00007f1200000000 from client 10',
    'amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00540050',
    'amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=11, emitted seq=13',
);
sub incidents { # of a file, as text
    my ($file, @more) = @_;
    open my $out, '-|', $program, '--batch', '--json', @more, $file, '-e', 'info dump' or die $!;
    my @all = map { JSON->new->utf8->decode($_) } <$out>;
    close $out;
    return join ' ', map { my $v = $_->{values}; "$_->{kind}:" . join ',',
        map { "$_=$v->{$_}" } grep { defined $v->{$_} } qw(address vmid write signaled) }
        sort { $a->{line} <=> $b->{line} } grep { $_->{type} eq 'incident' } @all;
}
sub one { my ($i, @of) = @_; return $of[$i % @of] }
my $want = 'page-fault:address=0x7f1200000000,vmid=0x5,write=0x1 timeout:signaled=0xb';
my $plain = join '', map { sprintf "[  301.%06d] %s\n", $_, $message[$_] } 0 .. $#message;

# Lines whose ends a web page lost, behind the fronts that loggers write; a mark of code at the start.
my @days = ('Aug  9 23:59:58', 'Aug  9 23:59:59', 'Aug 10 00:00:00', 'Aug 10 00:00:01');
for my $front ((join '|', map { "$_ box kernel: " } @days), '2026-11-21T23:16:%02d.00000%d+01:00 box kernel: ',
    '[%5d.00000%d] ') {
    my $n = 8;
    my @front = split /\|/, $front;
    my $joined = join ' ', map {
        my $at = one($n++, @front);
        ($at =~ /%/ ? sprintf $at, $n, $n % 10 : $at) . $_
    } @message;
    is join(' ', sort split ' ', incidents(spill('joined.log', "`$joined\n"))), $want, "one line of many: $front";
    my $when = `$program --batch $dir/joined.log -e explain`;
    unlike $when, qr/^  \S.* line 1$/m, '... and no moment of it has the first one\'s time';
}

# Lines of two faults are one where nothing says when they were written, and two where clocks do: a heading, whose fault
# lost its other lines, and hours, a night or a year behind it the lines of another, which lost its heading.
for my $row (
    ['Nov 29 %s box kernel: ', '14:27:38', '17:02:11', '14:27:39'],
    ['%s box kernel: ', 'Dec 31 23:59:58', 'Jan  1 03:00:00', 'Jan  1 00:00:01'],
    ['%s box kernel: ', 'Nov 29 14:27:38', 'Nov 30 14:27:38', 'Nov 29 14:27:38'],
    ['%s box kernel: ', '29 Okt 23:59:58', '30 Okt 23:59:58', '30 Okt 00:00:02'],
    ['%s box kernel: ', '2026-11-29T14:27:38+01:00', '2026-11-29T14:27:38-05:00', '2026-11-29T13:27:39Z'],
    ['%s box kernel: ', '2025-11-29T14:27:38.123456+0100', '2026-11-29T14:27:38.123456+0100',
        '2025-11-29T14:27:38.523456+0100'],
    ['[%s] ', 'Sat Nov 29 14:27:38 2025', 'Sun Nov 29 14:27:38 2026', 'Sat Nov 29 14:27:41 2025'],
    ['%s ', '2026-11-21 23:16:01', '2026-11-22 23:16:01', '2026-11-21 23:16:02'],
    ['%s ', '23:59:59.5', '23:30:00.5', '00:00:00.5'],
    ['<3>1 %s box kernel - - - ', '2026-11-21T23:16:01.5Z', '2026-11-22T23:16:01.5Z', '2026-11-21T23:16:02Z'],
    ['Nov 29 14:27:38 box kernel: [%s] ', '  301.000001', '13901.000001', '  301.000009'],
    ['Nov 29 %s] ', '14:27:38 box kernel: [  301.000001', '17:27:38 box kernel: [  301.000009',
        '14:27:38 box kernel: [  301.000009'],    # the kernel's own time counts
    ['%s', 'Nov 29 14:27:38 box kernel: ', '[  301.000001] ', '[  301.000001] '],    # of two clocks nothing is known
) {
    my ($front, $first, $late, $soon) = @$row;
    my ($apart) = map { scalar grep { /^page-fault/ } split ' ', incidents(spill('apart.log', $_)) }
        join '', map { sprintf "$front%s\n", $_ ? $late : $first, $message[$_] } 0 .. 2;
    my ($near) = map { scalar grep { /^page-fault/ } split ' ', incidents(spill('near.log', $_)) }
        join '', map { sprintf "$front%s\n", $_ ? $soon : $first, $message[$_] } 0 .. 2;
    my $two = $front =~ /\] $/ && $first =~ /\[/ || $front eq '%s' ? 1 : 2;
    is "$apart $near", "$two 1", sprintf "lines of two faults: '$front' and '$front'", $first, $late;
}

# A container's log names the stream behind the time; the marks of a block of text that end it are no end of a line.
is incidents(spill('container.log', join '', map { "2026-08-31T17:43:36.67033470Z stderr F $_\n" } @message)), $want,
    'the log of a container';
my $long = '[ 1881.985460] amdgpu 0000:03:00.0: amdgpu: failed to wait for the firmware of the engine of the picture';
for my $mark ('```', '```text') {
    open my $out, '-|', $program, '--batch', spill('block.log', "```\n$long\n$mark\n"), '-e', 'explain' or die $!;
    my $said = join '', <$out>;
    close $out;
    unlike $said, qr/picture `/, "a block's end: $mark";
}

# What terminals are told, wherever in a line it stands: the line is the same without it.
for my $told ("\e[1;31m", "\r", "x\b", "\e[0m\e[K") {
    my @wrong = grep {
        my $at = $_;
        incidents(spill('told.log', $plain =~ s/^.{$at}\K/$told/mgr)) ne $want
    } 0 .. 40;
    is "@wrong", '', 'terminal codes at every column: ' . $told =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ger;
}
my $json = JSON->new->canonical;
my %carrier = (
    'journald, JSON' => join('', map { $json->encode({ MESSAGE => $message[$_], _HOSTNAME => 'box',
        __REALTIME_TIMESTAMP => 1700000000000000 + $_, PRIORITY => '3' }) . "\n" } 0 .. $#message),
    'journald, JSON with bytes' => join('', map { $json->encode({ MESSAGE => [unpack 'C*', $message[$_]] }) . "\n" }
        0 .. $#message),
    'journald, JSON with escapes' => join('', map { qq({"A":{"MESSAGE":"no"},"MESSAGE":")
        . ($_ =~ s{([/\[:])}{sprintf '\u%04x', ord $1}ger) . qq(","Z":"}"}\n) } @message),
    'journald, export' => join("\n",
        map { "__CURSOR=s=1\n__MONOTONIC_TIMESTAMP=30100000$_\n_HOSTNAME=box\nMESSAGE=$message[$_]\nPRIORITY=3\n" }
        0 .. $#message),
    '/dev/kmsg' => join('', map { "3,$_,30100000$_,-;$message[$_]\n SUBSYSTEM=pci\n DEVICE=+pci:0000:03:00.0\n" }
        0 .. $#message),
    'RFC 5424' => join('', map { "<3>1 2026-11-21T23:16:01.00000$_+01:00 box kernel - - - $message[$_]\n" }
        0 .. $#message),
    'RFC 5424 with data' => join('',
        map { qq(<3>1 2026-11-21T23:16:01Z box kernel 7 ID [x\@1 a="b ] \\" c"] $message[$_]\n) } 0 .. $#message),
    (map {
        my ($point, $month) = @$_;
        ("dmesg -H, $month" => join '',
            map { ($_ ? "[  +0${point}00000$_]" : "[${month}26 08:58]") . " $message[$_]\n" } 0 .. $#message)
    } ['.', 'Dec'], [',', 'Dez'], [',', "d\xc3\xa9c."]),
    'a clock' => join('', map { "23:16:0$_ $message[$_]\n" } 0 .. $#message),
    'a date and a clock' => join('', map { "2026-11-21 23:16:0$_.123 $message[$_]\n" } 0 .. $#message),
    'columns' => join('', map { "21.11.26 23:16\tkernel\t$message[$_]\n" } 0 .. $#message),
    'a web page' => $plain =~ s/0x/&#48;x/gr =~ s/\[/&#x5b;/gr =~ s/ /&nbsp;/gr,
    'a mail, wrapped' => join('', map { s/^(.{1,76}) /$1\n/r . "\n" } split /\n/, $plain),
    'a mail, wrapped by two mailers in turn, and quoted' => join('', map { "> $_\n" }
        map { my @w = /^(.{1,68}) (.*)$/ && length > 70 ? ($1, $2) : $_; @w }
        map { my @w = /^(.{1,78}) (.*)$/ && length > 78 ? ($1, $2) : $_; @w } split /\n/, $plain),
    'a mail in quoted-printable, without its header' => join('', map { s/=/=3D/gr =~ s/(.{75})(?=.)/$1=\n/gr . "\n" }
        'Hello,=20', split(/\n/, $plain), '=2E..'),
    'a mail whose lines end with = alone' => $plain =~ s/^(.{75})(?=.)/$1=\n/mgr,
    'printk with callers, without times' => join('', map { sprintf "[%6s] %s\n", one($_, 'T2548', 'C3'), $message[$_] }
        0 .. $#message),
    (map { ("marks: $_" => $plain =~ s/^/$_ /mgr) } '#', '//', ' *', ';', '--', '+', '> >'),
    'a string of JSON' => $json->encode({ title => 'GPU "hang"', body => "Hello\n\t```\n$plain```\n" }) . "\n",
    'a string of JSON, escaped' => JSON->new->ascii->pretty->encode({ log => "\x{e9}\n$plain", id => 1 }),
    'a web page with tags' => "<html><body>\n"
        . $plain =~ s{^(.*)}{<span class="x">$1</span><br />}mgr =~ s/>=/&gt;=/gr,
    'UTF-16' => encode('UTF-16LE', "\x{feff}$plain"),
    'UTF-16, the other way' => encode('UTF-16BE', "\x{feff}$plain"),
);
is incidents(spill('plain', $plain)), $want, 'a log as dmesg prints it';
is join(' ', sort split ' ', incidents(spill('carrier', $carrier{$_}))), $want, $_ for sort keys %carrier;

# Names of processes, in the bytes of other character sets, are the same letters in the verdict and in the line itself.
for my $set ('UTF-8', 'iso-8859-1', 'cp1252', 'UTF-16LE', 'UTF-16BE') {
    my $name = $set eq 'iso-8859-1' ? "caf\x{e9} \x{fc}" : "\x{20ac}caf\x{e9}" . ($set =~ /UTF/ ? "\x{1f600}" : '');
    my $mark = $set =~ /16/ ? "\x{feff}" : '';
    my $log = spill('letters', encode($set, "$mark${plain}amdgpu 0000:0a:00.0: amdgpu:  in process $name pid 7713 "
        . "thread t pid 7714\n"));
    my ($found) = map { JSON->new->utf8->decode($_) } grep { /"owner"/ } `$program --batch --json $log -e explain`;
    like $found->{text} // '', qr/process \Q$name\E, pid 7713/, "letters in $set";
}
{ # A line of which a part is UTF-8 is no text of another set; half a pair of UTF-16 is no character.
    my $owner = 'amdgpu 0000:0a:00.0: amdgpu:  in process';
    my $mixed = spill('mixed', "$plain$owner caf\xe9-\xc3\xa9 pid 7713 thread t pid 7714\n");
    like `$program --batch $mixed -e explain`, qr/process caf\\xe9-\xc3\xa9, pid 7713/, 'a byte that is no character';
    my $half = spill('half', encode('UTF-16LE', "\x{feff}$plain$owner a") . "\x00\xd8" . encode('UTF-16LE',
        "b pid 7713 thread t pid 7714\n") . 'x');
    my $said = `$program --batch $half -e explain -e 'info dump' 2>&1`;
    like $said, qr/process a\xef\xbf\xbdb, pid 7713/, 'half a pair';
    like $said, qr/the UTF-16 text is cut off/, '... and half a unit at the end';
}

# A pipe is read once, though several readers look at what comes: on the command line, and with `file` later.
{
    my $pipe = "$dir/pipe";
    mkfifo($pipe, 0600) or die "$pipe: $!";
    for my $how ([$pipe], ['-e', "file $pipe"]) {
        my $writer = fork // die "fork: $!";
        if (!$writer) {
            open my $to, '>', $pipe or die "$pipe: $!";
            print $to $plain;
            close $to;
            POSIX::_exit(0);
        }
        my $said = `$program --batch @{[map { "'$_'" } @$how]} -e 'info dump' 2>&1`;
        waitpid $writer, 0;
        like $said, qr/timeout gfx_0.*page-fault gfxhub "CB\/DB", address 0x7f1200000000/s,
            'a log through a pipe, ' . (@$how > 1 ? 'by `file`' : 'on the command line');
    }
}

# Packed, by the programs that are here.
for my $tool (['xz', 'xz'], ['bzip2', 'bz2'], ['zstd', 'zst'], ['gzip', 'gz'], ['lzip', 'lz'], ['lz4', 'lz4']) {
    my ($name, $end) = @$tool;
  SKIP: {
        skip "no $name", 1 unless grep { -x "$_/$name" } split /:/, $ENV{PATH};
        spill('packed', $plain);
        system "$name -c <$dir/packed >$dir/packed.$end";
        is incidents("$dir/packed.$end"), $want, "packed by $name";
    }
}
# Streams that follow one another are one; of a stream that is cut what comes before the cut is read, or it is said.
for my $tool (['xz', 'xz'], ['bzip2', 'bz2'], ['zstd', 'zst'], ['lzip', 'lz'], ['lz4', 'lz4']) {
    my ($name, $end) = @$tool;
  SKIP: {
        skip "no $name", 2 unless grep { -x "$_/$name" } split /:/, $ENV{PATH};
        my @lines = split /^/, $plain;
        spill('first', join '', @lines[0 .. 1]);
        spill('second', join '', @lines[2 .. $#lines]);
        system "(cd $dir && $name -c <first && $name -c <second) >$dir/both.$end";
        is incidents("$dir/both.$end"), $want, "two streams of $name, one behind the other";
        my $size = -s "$dir/both.$end";
        system "head -c @{[$size - 9]} $dir/both.$end >$dir/cut.$end";
        my $said = `$program --batch $dir/cut.$end -e 'info dump' 2>&1`;
        like $said, qr/damaged or cut off/, '... and a cut one is said to be cut';
    }
}
SKIP: {
    skip 'no xz', 4 unless grep { -x "$_/xz" } split /:/, $ENV{PATH};
    system "xz -c <" . spill('wide', $carrier{'UTF-16'}) . " >$dir/wide.xz";
    is incidents("$dir/wide.xz"), $want, 'UTF-16 in xz';
    my $long = $plain . join '', map { "[  302.000000] a line of no GPU, number $_, with some text\n" } 1 .. 200_000;
    system "xz -0 --block-size=262144 -c <" . spill('long', $long) . " >$dir/long.xz";
    my $bytes = do { local (@ARGV, $/) = "$dir/long.xz"; <> };
    my $cut = spill('cut.xz', substr $bytes, 0, length($bytes) * 0.7);
    like `$program --batch $cut -e 'info dump' 2>&1`, qr/timeout gfx_0.0.0.*damaged or cut off after line \d+/s,
        'what is there of a damaged stream is read, and the damage is said';
    like `$program --batch -e 'set memory-limit 1M' -e 'file $dir/long.xz' -e 'info dump' 2>&1`,
        qr/timeout gfx_0.0.0.*memory-limit/s, 'a limit holds for what is unpacked';
}

# Standard input.
is scalar(`cat $dir/plain | $program --batch --json - -e 'info dump' | grep -c '"incident"'`), "2\n",
    'a dump from standard input';
like `$program --batch - -x - 2>&1 </dev/null`, qr/standard input is the FILE/, '... and then no script from it';
is $? >> 8, 2, '... which is a wrong command line';

# Names of what is not read.
for my $case (["MDMP\x93\xa7\0\0" . "\0" x 64, qr/a Windows minidump/], ["PK\3\4" . "\0" x 64, qr/a ZIP archive/],
    ["LPKSHHRH" . "\0" x 64, qr/systemd journal.*journalctl/], ["\x89PNG\r\n\x1a\n" . "\0" x 64, qr/a picture/]) {
    my ($bytes, $text) = @$case;
    like `$program --batch @{[ spill('other', $bytes) ]} 2>&1`, $text, "what is not read is called $text";
}

# Two machines count their devices from the same address on.
my @two = map { my $n = $_;
    map { sprintf "Nov 21 23:16:%02d %s kernel: %s\n", $_, "box$n", $message[$_] } 0 .. $#message } 1, 2;
my $both = join '', map { $two[$_], $two[ $_ + 4 ] } 0 .. 3;
is incidents(spill('both', $both)), join(' ', map { ($_) x 2 } split / /, $want),
    'two machines in one log are two devices';
like `$program --batch $dir/both -e 'info dump captures'`, qr/device 0000:03:00\.0,.*\n.*device box2 0000:03:00\.0,/,
    '... and are told apart by name';
my $noise = $plain =~ s{^(.*timeout)}
    {[  301.1] snd_hda_intel 0000:09:00.1: bound to something\n[  301.2] Linux version 6.1.0 (a\@b)\n$1}mr;
unlike `$program --batch @{[ spill('noise', $noise) ]} -e 'info dump captures'`, qr/0000:09:00/,
    'the driver of a port makes no device';
done_testing;
