launch -g 32,32 -l 16,16 uav0=zero:8192 uav1=@il_a.bin uav2=@il_b.bin cb0=hex:20000000000000000000000000000000
