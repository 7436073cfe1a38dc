call (8|M0) r40.0 r11.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
calla (8|M0) r41.0 r12.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
ret (8|M0) r40.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
ret (8|M0) r41.0
