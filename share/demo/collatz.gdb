launch collatz -g 1024 -l 128 zero:4096 1000
