mov (8|M0) r20.0<1>:d 0:d
Lloop:
cmp (8|M0) (eq)f0.0 null<1>:d r20.0<8;8,1>:d r10.0<8;8,1>:d
(f0.0) break (8|M0) Lwhile Lwhile
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
and (8|M0) (ne)f0.1 null<1>:d r20.0<8;8,1>:d 1:d
(f0.1) cont (8|M0) Lwhile Lwhile
add (8|M0) r21.0<1>:d r21.0<8;8,1>:d 1:d
Lwhile:
while (8|M0) Lloop
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
