shl (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud 2:ud
mov (8|M0) r31.0<1>:f r11.0<8;8,1>:f
send (8|M0) null r30 0xC 0x04026E00
send (8|M0) r40:f r30 0xC 0x02106E01
mul (8|M0) r20.0<1>:f r40.0<8;8,1>:f 2.0:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
