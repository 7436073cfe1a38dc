# SPDX-License-Identifier: GPL-3.0-or-later
#
# Are the fields of instructions the whole truth?  Rebuilds the bytes of every instruction of a file from the fields
# that gpudbg shows as JSON.  Knows no instruction set: any test of one gives its name, a file of bare code, and what it
# knows of meanings.
package OracleFields;
use v5.36;
use Exporter 'import';

our @EXPORT_OK = qw(field_failures fast_json);

# A JSON reader: { decode => code, fast => bool }.
sub reader () {
    for my $module (qw(JSON::XS Cpanel::JSON::XS JSON::PP)) {
        next if !eval "require $module; 1";
        my $json = $module->new->utf8;
        return ($json, $module ne 'JSON::PP');
    }
    die "no JSON module\n";
}

# Is there a reader that takes a hundred thousand records in a few seconds?
sub fast_json () { my (undef, $fast) = reader(); return $fast }

# What is wrong with the fields of one instruction: a phrase, or nothing.
sub insn_failure ($insn, $bytes, $check) {
    my $want = unpack 'b*', $bytes;         # character i is bit i
    my $seen = '0' x length $want;
    for my $field ($insn->{fields}->@*) {
        next if $field->{derived};
        my ($name, $value) = @$field{qw(name value)};
        return 'a field without name' if !defined $name || $name eq '';
        return "$name: value is no hex string" if ($value // '') !~ /^0x[0-9a-f]+$/;
        my @runs = map { /^(\d+)(?::(\d+))?$/ ? [$1, $2 // $1] : return "$name: bits '$field->{bits}'" } split /,/,
            $field->{bits} // '?';
        my ($lo, $hi, $width) = ($runs[0][1], $runs[0][0], 0);
        for my $run (@runs) {
            $hi = $run->[0] if $run->[0] > $hi;
            $lo = $run->[1] if $run->[1] < $lo;
            $width += $run->[0] - $run->[1] + 1;
        }
        return "$name: lo and hi are not the ends of $field->{bits}" if $field->{lo} != $lo || $field->{hi} != $hi;
        return "$name: bits $field->{bits} are outside the instruction" if $hi >= length $want;
        my $digits = unpack 'B*', pack 'H*', substr(('0' x 64) . substr($value, 2), -64);
        return "$name: value $value is wider than $field->{bits}" if length $digits > $width
            && substr($digits, 0, length($digits) - $width) =~ /1/;
        $digits = substr $digits, -$width;
        my $at = 0;
        for my $run (@runs) {
            my $n = $run->[0] - $run->[1] + 1;
            return "$name: bits $run->[0]:$run->[1] belong to another field too" if substr($seen, $run->[1], $n) =~ /1/;
            substr($seen, $run->[1], $n) = '1' x $n;
            return "$name: $value at $field->{bits} is not what the bytes hold"
                if substr($want, $run->[1], $n) ne reverse substr $digits, $at, $n;
            $at += $n;
        }
        next if $name eq '-';
        my $meaning = $field->{meaning} // '';
        return "$name: no meaning for $value" if $meaning eq '';
        my $wrong = $check->($field);
        return "$name: $value means '$meaning', $wrong" if defined $wrong;
    }
    return 'bit ' . index($seen, '0') . ' belongs to no field' if $seen =~ /0/;
    return;
}

# field_failures(isa => NAME, file => PATH, check => sub ($field) { what is wrong with its meaning, or undef }): lists
# gpudbg's records of the file and compares them with its bytes.  Returns (failures, counts): up to 40 lines "ADDR
# BYTES: what is wrong", and { insns, data, fields, failed }.
sub field_failures (%o) {
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    my $check = $o{check} // sub { undef };
    my ($json) = reader();
    open my $in, '<:raw', $o{file} or die "$o{file}: $!\n";
    my $code = do { local $/; <$in> };
    open my $out, '-|', $program, '--batch', '--json', '--isa', $o{isa}, '--raw', '-e', 'disassemble',
        $o{file} or die "$program: $!\n";
    binmode $out;
    my ($offset, @failures, %count) = (0);
    @count{qw(insns data fields failed)} = (0) x 4;
    my $fail = sub ($hex, $text) { push @failures, sprintf '%06x %s: %s', $offset, $hex, $text if $count{failed}++ < 40;
        return };
    while (my $line = <$out>) {
        my $record = $json->decode($line);
        my $type = $record->{type} // '';
        next if $type ne 'insn' && $type ne 'data';
        my $hex = $record->{bytes} // '';
        my $bytes = pack 'H*', $hex;
        $fail->($hex, "addr is $record->{addr}") if hex($record->{addr}) != $offset;
        $fail->($hex, "size is $record->{size}") if $record->{size} != length $bytes;
        $fail->($hex, 'the file holds ' . unpack 'H*', substr $code, $offset, length $bytes) if $bytes ne substr $code,
            $offset, length $bytes;
        if ($type eq 'insn') {
            $count{insns}++;
            $count{fields} += $record->{fields}->@*;
            my $wrong = insn_failure($record, $bytes, $check);
            $fail->($hex, "$record->{text}: $wrong") if defined $wrong;
        } else {
            $count{data}++;
        }
        $offset += length $bytes;
    }
    close $out or die "$program: status " . ($? >> 8) . ", signal " . ($? & 127) . "\n";
    $fail->('', 'the file has ' . length($code) . ' bytes') if $offset != length $code;
    return (\@failures, \%count);
}

1;
