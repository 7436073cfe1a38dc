launch histogram -g 256 -l 128 zero:1024 @histogram.cl 700
