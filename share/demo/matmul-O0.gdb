# The launch of --demo=matmul; here every variable is kept in memory.
launch matmul -g 64,64 -l 16,16 zero:16384 @matmul_a.bin @matmul_b.bin 64
