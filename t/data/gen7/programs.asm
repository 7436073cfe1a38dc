// == any_all
cmp (8|M0) (ne)f0.0 null<1>:d r10.0<8;8,1>:d 0:d
(f0.0.any4h) mov (8|M0) r20.0<1>:d 1:d
(f0.0.all4h) mov (8|M0) r21.0<1>:d 1:d
(~f0.0.any2h) mov (8|M0) r22.0<1>:d 1:d
(f0.0.all8h) mov (8|M0) r23.0<1>:d 1:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == bits
bfrev (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud
cbit (8|M0) r21.0<1>:ud r10.0<8;8,1>:ud
lzd (8|M0) r22.0<1>:ud r10.0<8;8,1>:ud
fbl (8|M0) r23.0<1>:ud r10.0<8;8,1>:ud
fbh (8|M0) r24.0<1>:ud r10.0<8;8,1>:ud
bfi1 (8|M0) r25.0<1>:ud r11.0<8;8,1>:ud 4:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == carry
addc (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud {AccWrEn}
mov (8|M0) r21.0<1>:ud acc0.0<8;8,1>:ud
subb (8|M0) r22.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud {AccWrEn}
mov (8|M0) r23.0<1>:ud acc0.0<8;8,1>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == cmp_sel
cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
(f0.0) sel (8|M0) r20.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
sel (8|M0) (lt)f0.0 r21.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == divide
math.iqot (8|M0) r20.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
math.irem (8|M0) r21.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == fadd
add (8|M0) r20.0<1>:f r10.0<8;8,1>:f -r11.0<8;8,1>:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == fmul_scalar
mul (8|M0) r20.0<1>:f r10.0<8;8,1>:f r11.3<0;1,0>:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == half
f32to16 (8|M0) r20.0<2>:w r10.0<8;8,1>:f
f16to32 (8|M0) r21.0<1>:f r20.0<16;8,2>:uw
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == iadd_sat
add (16|M0) (sat)r20.0<1>:w r10.0<16;16,1>:w r11.0<16;16,1>:w
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == iadd_word
add (16|M0) r20.0<1>:w r10.0<16;16,1>:w r11.0<16;16,1>:w
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == if_else
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
// == indirect
(W) mov (8|M0) a0.0<1>:uw r11.0<8;8,1>:uw
mov (8|M0) r20.0<1>:d r[a0.0,32]<1,0>:d
mov (8|M0) r21.0<1>:d r[a0.2,0]<0;1,0>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == lanes
mov (8|M0) r20.0<1>:uw 0x76543210:uv
add (8|M0) r20.8<1>:uw r20.0<8;8,1>:uw 8:uw
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == loop
mov (8|M0) r20.0<1>:d 0:d
Lloop:
add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:d
add (8|M0) (gt)f0.0 r10.0<1>:d r10.0<8;8,1>:d -1:d
(f0.0) while (8|M0) Lloop
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == loop_break
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
// == mac
mul (16|M0) acc0.0<1>:w r10.0<16;16,1>:w r11.0<16;16,1>:w
mac (16|M0) r20.0<1>:w r10.0<16;16,1>:w r11.0<16;16,1>:w
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == mul32
mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d {AccWrEn}
mov (8|M0) r21.0<1>:d acc0.0<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == narrow
mov (8|M0) r20.0<2>:b r10.0<8;8,1>:d
mov (8|M0) (sat)r21.0<2>:b r10.0<8;8,1>:d
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == plane
pln (8|M0) r20.0<1>:f r12.0<0;1,0>:f r10.0<8;8,1>:f
line (8|M0) r21.0<1>:f r12.0<0;1,0>:f r10.0<8;8,1>:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == replicate
mov (8|M0) r20.0<1>:ud r10.0<1;2,0>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == round
rndd (8|M0) r20.0<1>:f r10.0<8;8,1>:f
rndu (8|M0) r21.0<1>:f r10.0<8;8,1>:f
rnde (8|M0) r22.0<1>:f r10.0<8;8,1>:f
rndz (8|M0) r23.0<1>:f r10.0<8;8,1>:f
frc (8|M0) r24.0<1>:f r10.0<8;8,1>:f
mov (8|M0) r25.0<1>:d r10.0<8;8,1>:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == sad
sad2 (16|M0) r20.0<1>:uw r10.0<16;16,1>:ub r11.0<16;16,1>:ub
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == shifts
shr (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud
shl (8|M0) r21.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud
asr (8|M0) r22.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d
avg (8|M0) r23.0<1>:ud r10.0<8;8,1>:ud r11.0<8;8,1>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == store
shl (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud 2:ud
mov (8|M0) r31.0<1>:f r11.0<8;8,1>:f
send (8|M0) null r30 0xC 0x04026E00
send (8|M0) r40:f r30 0xC 0x02106E01
mul (8|M0) r20.0<1>:f r40.0<8;8,1>:f 2.0:f
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == strided
mov (8|M0) r20.0<1>:d r10.1<16;8,2>:w
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == transpose
mov (8|M0) r20.0<1>:ud r10.0<1;4,2>:ud
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
// == vf
mov (4|M0) r20.0<1>:f 0x30407080:vf
mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
send (8|M0) null r127 0x27 0x02000010 {EOT}
