cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 0:d
(f0.0) if (8|M0) Lelse Lend
mov (8|M0) r20.0<1>:d 1:d
else (8|M0) Lend
Lelse:
mov (8|M0) r20.0<1>:d 2:d
Lend:
endif (8|M0) Lnext
Lnext:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
