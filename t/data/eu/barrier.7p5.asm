(W) mov (8|M0) r14.0<1>:ud 0:ud
(W) mov (1|M0) r13.0<1>:ud r1.0<0;1,0>:ud
(W) mov (8|M0) r15.0<1>:ud r13.0<0;1,0>:ud
shl (8|M0) r30.0<1>:ud r15.0<8;8,1>:ud 5:ud
(W) mov (8|M0) r16.0<1>:uw 0x76543210:uv
add (8|M0) r17.0<1>:ud r16.0<8;8,1>:uw 0:ud
shl (8|M0) r17.0<1>:ud r17.0<8;8,1>:ud 2:ud
add (8|M0) r30.0<1>:ud r30.0<8;8,1>:ud r17.0<8;8,1>:ud
mov (8|M0) r31.0<1>:ud r10.0<8;8,1>:ud
send (8|M0) null r30 0xC 0x04026EFE
send (8|M0) null r14 0x3 0x02000004
(W) wait n0.0<0;1,0>:ud
xor (8|M0) r30.0<1>:ud r30.0<8;8,1>:ud 32:ud
send (8|M0) r20:ud r30 0xC 0x02106EFE
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
