#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Page tables in captured memory, walked by `info address`: random tables of gfx7, made here by what radeon's cik.c and
# amdgpu's gmc_v7_0.c write (directory, tables of 2^(9 + PAGE_TABLE_BLOCK_SIZE) entries, R600_PTE_* flags), and a model
# that walks them.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;
no warnings 'portable'; # 64-bit hexadecimal numbers

my $seed = 11;
sub pick ($n) { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $n }
sub hex_of ($n) { return sprintf '0x%x', $n }

my $memory_base = 0x3d << 34; # where the copied memory begins, as the tables count
my $pages = 64;
my ($directory, $block, $first, $last) = (3, 1, 0x100, 0x20fff); # page of the directory; 1024 entries a table

# Registers, as umr prints them, and memory: bytes in a file.
sub registers (%r) {
    return join '', map { sprintf "bonaire.gmc70.mm%s => 0x%08x\n", $_, $r{$_} } sort keys %r;
}
my %registers = (VM_CONTEXT1_CNTL => 1 | 1 << 1 | $block << 24,
    VM_CONTEXT3_PAGE_TABLE_BASE_ADDR => ($memory_base >> 12) + $directory,
    VM_CONTEXT1_PAGE_TABLE_START_ADDR => $first, VM_CONTEXT1_PAGE_TABLE_END_ADDR => $last);
my @words = (0) x (512 * $pages); # 64 bits each
my %table; # directory entry => page of its table
for my $slot (0 .. 5) {
    my $valid = pick(4) > 0;
    my $page = 8 + 2 * $slot; # two pages of 512 entries
    $table{$slot} = $page if $valid;
    $words[512 * $directory + $slot] = $memory_base + ($page << 12) | $valid;
    for (0 .. 40) {
        $words[512 * $page + pick(1024)] = (pick(1 << 20) << 12) | pick(2) | pick(2) << 1 | pick(4) << 5 | pick(9) << 7;
    }
}
$table{6} = 200; # outside of what was copied
$words[512 * $directory + 6] = $memory_base + (200 << 12) | 1;
my $memory = spill('memory', pack 'Q<*', @words);
my $log = spill('registers', registers(%registers));

sub walk ($address, @more) {
    return grep { $_->{type} =~ /^(?:page-entry|translation)$/ } records('--isa', 'gfx7', $log,
        commands("file --format memory --base @{[hex_of $memory_base]} $memory", @more, "info address $address"));
}
sub model ($address) { # entries as "name index at: value", and how it ends
    my $page = ($address >> 12) - $first;
    return 'it lies outside of what the address space maps' if $page < 0 || $page > $last - $first;
    my ($slot, $index) = ($page >> 9 + $block, $page & (1 << 9 + $block) - 1);
    my $at = 512 * $directory + $slot;
    my @told = sprintf 'directory entry 0x%x at 0x%x: 0x%016x', $slot, $memory_base + 8 * $at, $words[$at];
    return (@told, 'the directory entry is not valid: nothing is mapped there') unless $words[$at] & 1;
    $at = 512 * $table{$slot} + $index;
    return (@told, sprintf('page table entry 0x%x at 0x%x: none', $index, $memory_base + 8 * $at),
        sprintf 'no open dump holds memory at 0x%x', $memory_base + 8 * $at) if $at >= @words;
    push @told, sprintf 'page table entry 0x%x at 0x%x: 0x%016x', $index, $memory_base + 8 * $at, $words[$at];
    return (@told, 'the page table entry is not valid: nothing is mapped there') unless $words[$at] & 1;
    return (@told, sprintf 'it is 0x%x of %s memory', ($words[$at] & 0xfffffff000) | $address & 0xfff,
        $words[$at] & 2 ? "the host's" : "the GPU's");
}
sub told (@rows) {
    return map { $_->{type} eq 'translation' ? $_->{text}
            : "$_->{text} $_->{index} at $_->{address}: " . ($_->{value} // 'none') } @rows;
}
my @filled = grep { $words[$_] && $_ >= 512 * 8 } 0 .. $#words;
my @addresses = map { my $at = $filled[pick(scalar @filled)];
    my $page = $first + ((($at >> 9) - 8 >> 1) << 10) + ($at - 512 * 8 & 1023);
    ($page << 12) + pick(4096) } 1 .. 12;
for my $address (sampled(@addresses, ($first << 12) - 1, ($last + 1) << 12, ($first << 12) + (6 << 22),
    ($first << 12) + (7 << 22), map { ($first + pick($last - $first)) << 12 } 1 .. 4)) {
    my @rows = walk(hex_of $address);
    is_deeply [told(@rows)], [model($address)], 'the walk of ' . hex_of $address;
    is_deeply [grep { $_->{space} != 3 } @rows], [], '... in its address space';
}

# ---- Fields, text, what is missing ----

my ($at) = grep { $words[$_] & 1 && $table{($_ >> 9) - 8 >> 1} } @filled;
my $address = $first + ((($at >> 9) - 8 >> 1) << 10) + ($at - 512 * 8 & 1023) << 12;
$words[$at] = 0x12345000 | 1 | 2 | 1 << 5 | 4 << 7;
spill('memory', pack 'Q<*', @words);
my ($text) = gpudbg('--isa', 'gfx7', $log,
    commands("file --format memory --base @{[hex_of $memory_base]} $memory", 'info address ' . hex_of $address));
like $text,
    qr/entry .*: 0x0000000012345223  valid yes, system yes, readable yes, fragment 64 KB, address 0x12345000$/m,
    'the fields of an entry';
like $text, qr/^ +address space 3: it is 0x12345000 of the host's memory$/m, 'where it ends';
my ($none) = gpudbg('--isa', 'gfx7', $log, commands('info address ' . hex_of $address));
like $none, qr/directory entry 0x\w+ at 0x\w+: not in an open dump\n.*no open dump holds memory at/, 'without memory';
my ($out, $err) = gpudbg('--isa', 'gfx7', '--format', 'memory', $memory, commands("info address @{[hex_of $address]}"));
unlike $out . $err, qr/address space/, 'without registers nothing is walked';
my $off = spill('off', registers(%registers, VM_CONTEXT1_CNTL => 0));
($out) = gpudbg('--isa', 'gfx7', $off, commands("info address @{[hex_of $address]}"));
like $out, qr/address space 3: the address space is off/, 'one that is off';

# gfx8: the same registers and tables, with one more flag (Linux, gmc_v8_0.c), and no tables of instructions.
my $other = spill('gfx8', registers(%registers) =~ s/bonaire\.gmc70/polaris10.gmc81/gr);
my @with = ($other, '-e', "file --format memory --base @{[hex_of $memory_base]} $memory");
for my $sampled (sampled(@addresses[0 .. 5], ($last + 1) << 12)) {
    my @rows = grep { $_->{type} =~ /^(?:page-entry|translation)$/ }
        records(@with, '-e', 'info address ' . hex_of $sampled);
    is_deeply [told(@rows)], [model($sampled)], 'the walk on gfx8 of ' . hex_of $sampled;
}
$words[$at] |= 1 << 4;
spill('memory', pack 'Q<*', @words);
($text) = gpudbg(@with, '-e', 'info address ' . hex_of $address);
like $text, qr/0x0000000012345233  valid yes, system yes, executable yes, readable yes,/, 'its entry';
my ($half) = gpudbg(
    spill('half', registers(VM_CONTEXT3_PAGE_TABLE_BASE_ADDR => 1) =~ s/bonaire.gmc70/polaris10.gmc81/r),
    '-e', "file $log", '-e', 'info address ' . hex_of $address);
my $page = hex_of($memory_base + ($directory << 12) >> 12);
like $half, qr/directory entry 0x\w+ at $page\w{3}:/, 'gfx7 beside it';
unlike $half, qr/ at 0x1\w{3}:/, '... whose registers are not joined with those of gfx8';
$words[$at] &= ~(1 << 4);
spill('memory', pack 'Q<*', @words);

# Space 0 has one flat table.
my $flat = spill('flat', registers(VM_CONTEXT0_CNTL => 1,
    VM_CONTEXT0_PAGE_TABLE_BASE_ADDR => ($memory_base >> 12) + 8));
($out) = gpudbg('--isa', 'gfx7', $flat,
    commands("file --format memory --base @{[hex_of $memory_base]} $memory",
        'info address ' . hex_of(($at - 512 * 8) << 12)));
like $out, qr/address space 0: page table entry 0x\w+ at .*0x0000000012345223/, 'a flat table';
done_testing;
