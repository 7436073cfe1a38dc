mov (1|M0) a0.0<1>:uw 0xF160:uw
mov (8|M0) r20.0<1>:d r[a0.0]<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
