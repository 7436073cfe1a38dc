addc (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud {AccWrEn}
mov (8|M0) r21.0<1>:ud acc0.0<8;8,1>:ud
subb (8|M0) r22.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud {AccWrEn}
mov (8|M0) r23.0<1>:ud acc0.0<8;8,1>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
