mov (8|M0) r20.0<1>:d 0:d
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) if (8|M0) Lelse Lend
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
else (8|M0) Lend Lend
Lelse:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 200:d
Lend:
endif (8|M0) Lloop
Lloop:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
add (8|M0) r10.0<1>:d r10.0<8;8,1>:d -1:d
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 0:d
(f0.0) while (8|M0) Lloop
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
