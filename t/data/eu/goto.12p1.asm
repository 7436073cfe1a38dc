mov (16|M0) r20.0<1>:d 0:d
mov (16|M16) r22.0<1>:d 0:d
cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
cmp (16|M16) (gt)f0.0 null<1>:d r12.0<8;8,1>:d 3:d
(f0.0) goto (32|M0) Lfirst Lsecond
add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
add (16|M16) r22.0<1>:d r22.0<8;8,1>:d 1:d
goto (32|M0) Lfirst Lthird
Lfirst:
Lsecond:
join (32|M0) Lthird
add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
add (16|M16) r22.0<1>:d r22.0<8;8,1>:d 10:d
Lthird:
join (32|M0) Lloop
Lloop:
add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
add (16|M16) r22.0<1>:d r22.0<8;8,1>:d 100:d
add (16|M0) r10.0<1>:d r10.0<8;8,1>:d -1:d
add (16|M16) r12.0<1>:d r12.0<8;8,1>:d -1:d
cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 0:d
cmp (16|M16) (gt)f0.0 null<1>:d r12.0<8;8,1>:d 0:d
(f0.0) goto.b (32|M0) Lend Lloop
Lend:
join (32|M0) Ldone
Ldone:
add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
add (16|M16) r22.0<1>:d r22.0<8;8,1>:d 1000:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
