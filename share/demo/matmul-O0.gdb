launch matmul -g 64,64 -l 16,16 zero:16384 @matmul_a.bin @matmul_b.bin 64
