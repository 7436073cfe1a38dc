# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files of AMD's GPUs made by hand, for what no compiler would write.
package AmdElf;
use v5.36;
use Exporter 'import';
our @EXPORT = qw(elf symbols);

# A file of sections, each as [name, type, flags, address, link, info, entry size, bytes]

sub elf ($abi_version, @sections) {
    my ($body, $names, @headers) = ('', "\0", pack('x64'));
    my %at;
    for my $s (@sections, ['.shstrtab', 3, 0, 0, 0, 0, 0, undef]) {
        my ($name, $type, $flags, $addr, $link, $info, $entry, $bytes) = @$s;
        $at{$name} //= do { my $n = length $names; $names .= "$name\0"; $n };
        $bytes //= $names;
        push @headers, pack('VVQ<4V2Q<2', $at{$name}, $type, $flags, $addr, 64 + length $body, length $bytes, $link,
            $info, 8, $entry);
        $body .= $bytes . "\0" x (-length($bytes) % 8);
    }
    return pack('a4C5x7v2VQ<3Vv6', "\x7fELF", 2, 1, 1, 0x40, $abi_version, 3, 224, 1, 0, 0, 64 + length $body, 0x22, 64,
        0, 0, 64, scalar @headers, $#headers) . $body . join '', @headers;
}

# The bytes of a symbol table and of its names, of [name, info, section, address, size].
sub symbols (@symbols) {
    my ($table, $names) = (pack('x24'), "\0");
    for my $s (@symbols) {
        $table .= pack('VCxvQ<2', length $names, @$s[1 .. 4]);
        $names .= "$s->[0]\0";
    }
    return ($table, $names);
}

1;
