(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) add (1|M0) cr0.2<1>:ud cr0.2<0;1,0>:ud 16:ud {Switch}
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x1000:ud {Switch}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
illegal
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
