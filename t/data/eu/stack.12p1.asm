(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x800:ud
Lagain:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
call (8|M0) r40.0 Lagain
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
