cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
call (8|M0) r40.0 Lone
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
Lone:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
call (8|M0) r41.0 Ltwo
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
ret (8|M0) r40.0
Ltwo:
(f0.0) call (8|M0) r42.0 Lthree
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
ret (8|M0) r41.0
Lthree:
mul (8|M0) r20.0<1>:d r20.0<8;8,1>:d r10.0<16;8,2>:w
ret (8|M0) r42.0
