cmp (8|M0) (ne)f0.0 null<1>:d r10.0<8;8,1>:d 0:d
(f0.0.any4h) mov (8|M0) r20.0<1>:d 1:d
(f0.0.all4h) mov (8|M0) r21.0<1>:d 1:d
(~f0.0.any2h) mov (8|M0) r22.0<1>:d 1:d
(f0.0.all8h) mov (8|M0) r23.0<1>:d 1:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
