// == address.7p5
mov (1|M0) a0.0<1>:uw 0xF160:uw
mov (8|M0) r20.0<1>:d r[a0.0]<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == barrier.7p5
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
// == brd.7p5
mov (8|M0) r20.0<1>:d 0:d
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) brd (8|M0) Lhigh
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
Lhigh:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == break.12p1
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x8000:ud
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d {Breakpoint}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 4:d {Breakpoint}
(W) mov (1|M0) r33.0<1>:ud cr0.0<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == break.7p5
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud {Switch}
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x8000:ud {Switch}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d {Breakpoint}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 4:d {Breakpoint}
(W) mov (1|M0) r33.0<1>:ud cr0.0<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == break_off.12p1
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
// == break_off.7p5
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud {Switch}
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
Lmain:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d {Breakpoint}
(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x8000:ud {Switch}
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x8000:ud {Switch}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d {Breakpoint}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 4:d {Breakpoint}
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == calls.12p1
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
call (8|M0) r40.0 Lone
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
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
// == calls.7p5
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
// == far.12p1
call (8|M0) r40.0 r11.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
calla (8|M0) r41.0 r12.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
ret (8|M0) r40.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
ret (8|M0) r41.0
// == far.7p5
call (8|M0) r40.0 r11.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:d
calla (8|M0) r41.0 r12.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
ret (8|M0) r40.0
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:d
ret (8|M0) r41.0
// == goto.12p1
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
// == illegal.12p1
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud
(W) add (1|M0) cr0.2<1>:ud cr0.2<0;1,0>:ud 16:ud
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x1000:ud
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
illegal
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == illegal.7p5
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) add (1|M0) cr0.2<1>:ud cr0.2<0;1,0>:ud 16:ud {Switch}
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x1000:ud {Switch}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
illegal
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == masks.12p1
mov (8|M0) r20.0<1>:d 1:d
(W) mov (1|M0) r21.0<1>:ud sr0.2<0;1,0>:ud
(W) mov (1|M0) r21.1<1>:ud sr0.3<0;1,0>:ud
(W) mov (1|M0) r21.2<1>:ud ce0.0<0;1,0>:ud
(W) mov (4|M4) r22.0<1>:d 5:d
mov (4|M4) r23.0<1>:d 6:d
mov (4|M0) r23.4<1>:d 7:d
mov (2|M4) r24.0<1>:d 8:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == masks.7p5
mov (8|M0) r20.0<1>:d 1:d
(W) mov (1|M0) r21.0<1>:ud sr0.2<0;1,0>:ud
(W) mov (1|M0) r21.1<1>:ud sr0.3<0;1,0>:ud
(W) mov (1|M0) r21.2<1>:ud ce0.0<0;1,0>:ud
(W) mov (4|M4) r22.0<1>:d 5:d
mov (4|M4) r23.0<1>:d 6:d
mov (4|M0) r23.4<1>:d 7:d
mov (2|M4) r24.0<1>:d 8:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == software.12p1
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x2000:ud
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) if (8|M0) Lend Lend
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:d
Lend:
endif (8|M0) Lnext
Lnext:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == software.7p5
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}
(W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xFFFF:ud {Switch}
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x2000:ud {Switch}
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) if (8|M0) Lend Lend
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x20000000:ud {Switch}
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:d
Lend:
endif (8|M0) Lnext
Lnext:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == spf.12p1
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
// == spf.7p5
mov (8|M0) r20.0<1>:d 0:d
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:d
(f0.0) if (8|M0) Lelse Lend
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:d
else (8|M0) Lend
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
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == stack.12p1
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x800:ud
Lagain:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
call (8|M0) r40.0 Lagain
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == stack.7p5
(W) jmpi Lmain
(W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 1:ud
(W) mov (1|M0) r31.0<1>:ud cr0.1<0;1,0>:ud
(W) mov (1|M0) r32.0<1>:ud cr0.2<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
Lmain:
(W) or (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0x800:ud {Switch}
Lagain:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
call (8|M0) r40.0 Lagain
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == time.12p1
(W) mov (1|M0) r20.0<1>:ud tm0.0<0;1,0>:ud
(W) mov (1|M0) r21.0<1>:ud 7:ud
(W) mov (1|M0) r21.1<1>:ud 8:ud
(W) mov (1|M0) r21.2<1>:ud 9:ud
(W) mov (1|M0) r20.1<1>:ud tm0.0<0;1,0>:ud
(W) add (1|M0) r20.2<1>:ud r20.1<0;1,0>:ud -r20.0<0;1,0>:ud
(W) mov (1|M0) r20.3<1>:ud tm0.1<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}
// == time.7p5
(W) mov (1|M0) r20.0<1>:ud tm0.0<0;1,0>:ud
(W) mov (1|M0) r21.0<1>:ud 7:ud
(W) mov (1|M0) r21.1<1>:ud 8:ud
(W) mov (1|M0) r21.2<1>:ud 9:ud
(W) mov (1|M0) r20.1<1>:ud tm0.0<0;1,0>:ud
(W) add (1|M0) r20.2<1>:ud r20.1<0;1,0>:ud -r20.0<0;1,0>:ud
(W) mov (1|M0) r20.3<1>:ud tm0.1<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == unwoken.7p5
(W) wait n0.0<0;1,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
