bfrev (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud
cbit (8|M0) r21.0<1>:ud r10.0<8;8,1>:ud
lzd (8|M0) r22.0<1>:ud r10.0<8;8,1>:ud
fbl (8|M0) r23.0<1>:ud r10.0<8;8,1>:ud
fbh (8|M0) r24.0<1>:ud r10.0<8;8,1>:ud
bfi1 (8|M0) r25.0<1>:ud r11.0<8;8,1>:ud 4:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
