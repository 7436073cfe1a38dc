launch climb -g 256 -l 64 zero:2048 250
