(W) mov (1|M0) r20.0<1>:ud tm0.0<0;1,0>:ud
(W) mov (1|M0) r21.0<1>:ud 7:ud
(W) mov (1|M0) r21.1<1>:ud 8:ud
(W) mov (1|M0) r21.2<1>:ud 9:ud
(W) mov (1|M0) r20.1<1>:ud tm0.0<0;1,0>:ud
(W) add (1|M0) r20.2<1>:ud r20.1<0;1,0>:ud -r20.0<0;1,0>:ud
(W) mov (1|M0) r20.3<1>:ud tm0.1<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
