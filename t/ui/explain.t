#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The pane `explain` and what it drags along: registers, log and packets, from opening to the command where an engine
# stands.
use v5.36;
use File::Temp;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data/explain";
sub screen ($size, $file, @keys) {
    my ($out, $err) = gpudbg('--screen', $size, "$data/$file", map({ ('-e', $_) } @keys), '-e', 'screenshot');
    return $out . $err;
}
my @to = ('pane find stands at');

# An engine of Gen7 that stands in a batch.
my $wide = screen('200x60', 'error-draw.txt', @to);
like $wide, qr/packets.*\n(?:.*\n)*.*3DPRIMITIVE/, 'the packets are beside it';
like $wide, qr/- ACTHD of rcs0|ACTHD of rcs0/, 'the register of the evidence is unfolded';
like screen('80x24', 'error-draw.txt', @to, 'key Enter'), qr/━packets.*\n(?:.*\n)*.*3DPRIMITIVE/,
    'Enter on where an engine stands opens the packet';
like screen('80x24', 'error-gen9.txt', @to, 'key Enter'), qr/━packets.*\n(?:.*\n)*.*PIPE_CONTROL/,
    '... of a generation whose code is not read, too';

# A log on a small screen: messages, not stamps.
my $small = screen('80x24', 'fault-read.log');
like $small, qr/^ +3 +100\.00 +VM_CONTEXT1_PROTECTION_FAULT_ADDR +0x00051200$/m,
    'the log shows messages, its stamps short';
like $small, qr/^\(gpudbg\)$/m, 'there is a prompt';
like $small, qr/prompt\S*\n\(gpudbg\)\n *\?help/, '... of one row, as nothing was typed';
like screen('80x24', 'waves-gfx11.txt'), qr/40 waves wait for vector memory at\s+0x800000200900\+0x1c4/,
    'a capture with waves, from opening to where they wait';
like screen('200x60', 'reset-failed.log', 'pane bottom'), qr/timeline/, 'the timeline stands below the findings';

# A log of a machine that works says so first, above what is only noted.
my $healthy = File::Temp->new;
print $healthy "[    3.5] i915 0000:00:02.0: vgaarb: deactivate vga console\n",
    "[    3.6] [drm] Cannot find any crtc or sizes\n";
close $healthy;
like +(gpudbg('--screen', '80x24', "$healthy", '-e', 'screenshot'))[0],
    qr/━explain.*\n verdict +nothing in it says that anything failed\n driver +no display is connected/,
    'nothing failed: that is the first sentence';

# In the pane decoded a value stays, however narrow it is: the padding, the indentation, the end of a name give way.
for my $file (qw(error-draw.txt error-fault-gen12.txt fault-mixed.log)) {
    my ($text) = gpudbg("$data/$file", '-e', 'info dump');
    my %value = map { /^ +(\d+) +(\S{3}).*?  +(0x[0-9a-f]+)(?:  |$)/ ? ("$1 $2" => $3) : () } split /\n/, $text;
    for my $width (30, 34, 44, 80) {
        my ($lost, $seen) = ('', 0);
        for my $page (0 .. 3) {
            my @down = ('pane decoded page-down') x $page;
            for (split /\n/, screen("${width}x24", $file, 'layout decoded:20;prompt:1', @down)) {
                my ($line, $name, $rest) = /^ +(\d+) +(\S{3})(.*)/ or next;
                my $value = $value{"$line $name"} // next;
                $seen++;
                $lost .= " $_" if $rest !~ /\b$value\b/;
            }
        }
        is $lost, '', "$file, $width columns: no value is lost";
        cmp_ok $seen, '>', 1, '... of several';
    }
}
done_testing;
