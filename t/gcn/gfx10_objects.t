# SPDX-License-Identifier: GPL-3.0-or-later
#
# Code objects of RDNA: the chip and the size of waves that the file says, and what its descriptors say, against the
# directives in clang 19's assembly of the same sources (t/data/kernels/build.sh); gpudbg assembles its own listing of
# them to the code that the file has.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $folder = "$FindBin::Bin/../data/kernels/gfx10";
my @OBJECTS = (
    {file => 'vector_add-O2-v4', isa => 'gfx10', target => 'gfx1010', kernel => 'vadd_f32', abi => 'hsa-v4',
        kernarg => 88, wave_size => 32, wgp_mode => 1, text => qr/^ +global_store_dword v\[\d+:\d+\], v\d+, off/m},
    {file => 'divergence-O2', isa => 'gfx10.3', target => 'gfx1030', kernel => 'nested_ifs', abi => 'hsa-v5',
        kernarg => 272, wave_size => 32, wgp_mode => 1, text => qr/^ +s_and_saveexec_b32 s\d+, vcc_lo/m},
    {file => 'histogram-O2-w64', isa => 'gfx10.3-wave64', target => 'gfx1030', kernel => 'histogram', abi => 'hsa-v5',
        kernarg => 280, wave_size => 64, wgp_mode => 0, text => qr/^ +s_and_saveexec_b64 s\[\d+:\d+\], vcc$/m},
);

for my $o (@OBJECTS) {
    my $path = "$folder/$o->{file}.co";
    my ($file) = grep { $_->{type} eq 'file' } records(commands('info file'), $path);
    is($file->{isa}, $o->{isa}, "$o->{file}: its instruction set");
    my ($kernel) = grep { $_->{type} eq 'kernel' && $_->{name} eq $o->{kernel} }
        records(commands('info kernels'), $path);
    is_deeply([@$kernel{qw(abi kernarg wave_size wgp_mode mem_ordered)}],
        [$o->{abi}, $o->{kernarg}, $o->{wave_size}, $o->{wgp_mode}, 1], '... what its descriptor says');
    my $listing = output('-e', 'disassemble /a', $path);
    like($listing =~ s{ +//.*}{}gmr, $o->{text}, '... a line of it');
    my @units = grep { $_->{type} =~ /^(?:insn|data)$/ } records(commands('disassemble'), $path);
    my $code = join '', map { $_->{bytes} } @units;
    open my $out, '>', "$dir/listing.s" or die "listing.s: $!\n";
    print $out $listing;
    close $out or die "listing.s: $!\n";
    gpudbg('--isa', $o->{isa}, commands("assemble $dir/listing.s $dir/again"));
    open my $in, '<:raw', "$dir/again" or die "again: $!\n";
    is(unpack('H*', do { local $/; <$in> }), $code, '... which is text for the assembler');
    unlink "$dir/again";
}

# What they compute is what plain C computes.
my %object = ('vector_add vadd_f32' => 'vector_add-O2-v4', 'divergence nested_ifs' => 'divergence-O2',
    'divergence divergent_loop' => 'divergence-O2', 'histogram histogram' => 'histogram-O2-w64');
my $ran = 0;
for my $case (Kernels::cases()) {
    my $object = $object{"$case->{file} $case->{kernel}"} or next;
    my %want = Kernels::run_reference($case, $dir);
    my %got = eval { Kernels::run_gpudbg("$folder/$object.co", $case, $dir) };
    is($@ || join('', map { Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}) // () } sort keys %want), '',
        "$object runs: " . Kernels::title($case));
    $ran++;
}
cmp_ok($ran, '>=', 3, "$ran launches");

# A wave of 32 has 32 lanes of each VGPR, and ids of the whole group.
my ($lanes) = gpudbg(commands('launch vadd_f32 zero:256 fill:256:1 fill:256:2 64 -g 64 -l 64', 'wave 1',
    'print $v0[:]'),
    "$folder/vector_add-O2-v4.co");
like($lanes, qr/= \{@{[join ', ', 32 .. 63]}\}$/m, 'the second wave of a group has the ids 32 to 63');

# clang's listing says "Occupancy: 20" of it.
my ($fit) = gpudbg(commands('info occupancy'), "$folder/vector_add-O2-v4.co");
like($fit, qr/^vadd_f32 +20 +20 /m, '... and occupancy is not that of older chips');
done_testing;
