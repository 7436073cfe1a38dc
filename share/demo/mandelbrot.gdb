launch mandelbrot -g 80,24 -l 16,4 zero:1920 80 24 60
