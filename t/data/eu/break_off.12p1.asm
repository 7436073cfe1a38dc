(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud
Lmain:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d {Breakpoint}
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x8000:ud
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d {Breakpoint}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 4:d {Breakpoint}
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
