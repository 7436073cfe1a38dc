# SPDX-License-Identifier: GPL-3.0-or-later
#
# `launch -o`: the global offset reaches what compilers make of OpenCL's global ids: clang's hidden arguments of code
# objects 4 and 5 (and 2 and 3, of clang-14), Intel's cross-thread data in both containers.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir    = tempdir(CLEANUP => 1);
sub have ($name) { my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH}; return $path }
sub source ($name, $text) { open my $f, '>', "$dir/$name" or die; print $f $text; close $f; return "$dir/$name" }
sub dwords ($file, $launch) {
    my $said = qx($gpudbg --batch $file -e '$launch' -e continue -e 'save arg 0 $dir/out' 2>&1);
    open my $f, '<:raw', "$dir/out" or return "no buffer: $said";
    local $/;
    my @d = unpack 'L<*', <$f>;
    close $f;
    unlink "$dir/out";
    return \@d;
}

# 6 x 4 work-items in groups of 3 x 2, 5 and 7 on: x | y << 8 of each.
my $launch = 'launch -g 6,4 -l 3,2 -o 5,7 zero:96';
my @want   = map { my $y = $_; map { ($_ + 5) | ($y + 7) << 8 } 0 .. 5 } 0 .. 3;

for my $case (['clang-14', 2, 0], ['clang-14', 3, 0], ['clang-14', 4, 0], ['clang-19', 4, 0], ['clang-19', 5, 5]) {
    my ($clang, $version, $first) = @$case;
    SKIP: {
        skip "no $clang", 1 if !have($clang);
        my $file = source("v$version.cl", <<"END");
        __attribute__((reqd_work_group_size(3, 2, 1))) kernel void ids(global uint *o)
        {
            constant ulong *hidden = (constant ulong *)__builtin_amdgcn_implicitarg_ptr();
            uint gx = __builtin_amdgcn_workgroup_id_x() * 3 + __builtin_amdgcn_workitem_id_x();
            uint gy = __builtin_amdgcn_workgroup_id_y() * 2 + __builtin_amdgcn_workitem_id_y();
            o[gy * 6 + gx] = (uint)(hidden[$first] + gx) | (uint)(hidden[$first + 1] + gy) << 8;
        }
END
        system "$clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx700 -mcode-object-version=$version "
            . "-nogpulib -O1 -w $file -o $dir/v.o 2>$dir/err";
        skip "$clang makes no code object $version", 1 if !-s "$dir/v.o";
        is_deeply(dwords("$dir/v.o", $launch), \@want,
            "$clang, code object $version: the offset is in the hidden arguments");
        unlink "$dir/v.o";
    }
}

my $plain = source('ids.cl',
    'kernel void ids(global uint *o) { o[(get_global_id(1) - get_global_offset(1)) * 6 + get_global_id(0) - '
    . 'get_global_offset(0)] = get_global_id(0) | get_global_id(1) << 8; }');
for my $format ('patchtokens', 'zebin') {
    SKIP: {
        skip 'no ocloc', 1 if !have('ocloc');
        qx(cd $dir && ocloc compile -q -file $plain -device dg1 --format $format -output $format -out_dir $dir 2>&1);
        my ($bin) = glob "$dir/$format*.bin";
        skip "ocloc makes no $format", 1 if !$bin;
        is_deeply(dwords($bin, $launch), \@want, "ocloc, $format: the offset is in the cross-thread data");
    }
}

my $none = source('none.il', "il_cs_2_0\ndcl_num_thread_per_group 4\nend\n");
like(scalar qx($gpudbg --batch $none -e 'launch -g 4 -l 4 -o 1' 2>&1), qr/takes no global offset/,
    'a program that has no global offset says so');
like(scalar qx($gpudbg --batch $none -e 'launch -g 4 -l 4 -o 1,x' 2>&1), qr/is not an offset; write X/,
    'words that are no offsets are refused');
done_testing;
