mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d {AccWrEn}
mov (8|M0) r21.0<1>:d acc0.0<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
