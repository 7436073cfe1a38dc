mov (8|M0) r20.0<1>:d 1:d
(W) mov (1|M0) r21.0<1>:ud sr0.2<0;1,0>:ud
(W) mov (1|M0) r21.1<1>:ud sr0.3<0;1,0>:ud
(W) mov (1|M0) r21.2<1>:ud ce0.0<0;1,0>:ud
(W) mov (4|M4) r22.0<1>:d 5:d
mov (4|M4) r23.0<1>:d 6:d
mov (4|M0) r23.4<1>:d 7:d
mov (2|M4) r24.0<1>:d 8:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
