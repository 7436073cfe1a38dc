mov (8|M0) r20.0<1>:d 0:d
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) brd (8|M0) Lhigh
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
Lhigh:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
