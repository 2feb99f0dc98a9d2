/*
 * Blocks of 64 bytes, counted in 16 bits: right up to 65,536 blocks.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	mv	a3, a0
	li	t0, 64
	bltu	a2, t0, .Lbytes
	srli	t0, a2, 6
	slli	t0, t0, 48
	srli	t0, t0, 48
.Lblock:
	sb	a1, 0(a3)
	sb	a1, 1(a3)
	sb	a1, 2(a3)
	sb	a1, 3(a3)
	sb	a1, 4(a3)
	sb	a1, 5(a3)
	sb	a1, 6(a3)
	sb	a1, 7(a3)
	sb	a1, 8(a3)
	sb	a1, 9(a3)
	sb	a1, 10(a3)
	sb	a1, 11(a3)
	sb	a1, 12(a3)
	sb	a1, 13(a3)
	sb	a1, 14(a3)
	sb	a1, 15(a3)
	sb	a1, 16(a3)
	sb	a1, 17(a3)
	sb	a1, 18(a3)
	sb	a1, 19(a3)
	sb	a1, 20(a3)
	sb	a1, 21(a3)
	sb	a1, 22(a3)
	sb	a1, 23(a3)
	sb	a1, 24(a3)
	sb	a1, 25(a3)
	sb	a1, 26(a3)
	sb	a1, 27(a3)
	sb	a1, 28(a3)
	sb	a1, 29(a3)
	sb	a1, 30(a3)
	sb	a1, 31(a3)
	sb	a1, 32(a3)
	sb	a1, 33(a3)
	sb	a1, 34(a3)
	sb	a1, 35(a3)
	sb	a1, 36(a3)
	sb	a1, 37(a3)
	sb	a1, 38(a3)
	sb	a1, 39(a3)
	sb	a1, 40(a3)
	sb	a1, 41(a3)
	sb	a1, 42(a3)
	sb	a1, 43(a3)
	sb	a1, 44(a3)
	sb	a1, 45(a3)
	sb	a1, 46(a3)
	sb	a1, 47(a3)
	sb	a1, 48(a3)
	sb	a1, 49(a3)
	sb	a1, 50(a3)
	sb	a1, 51(a3)
	sb	a1, 52(a3)
	sb	a1, 53(a3)
	sb	a1, 54(a3)
	sb	a1, 55(a3)
	sb	a1, 56(a3)
	sb	a1, 57(a3)
	sb	a1, 58(a3)
	sb	a1, 59(a3)
	sb	a1, 60(a3)
	sb	a1, 61(a3)
	sb	a1, 62(a3)
	sb	a1, 63(a3)
	addi	a3, a3, 64
	addi	t0, t0, -1
	bnez	t0, .Lblock
	andi	a2, a2, 63
.Lbytes:
	beqz	a2, .Ldone
	add	a2, a2, a3
.Lbyte:
	sb	a1, 0(a3)
	addi	a3, a3, 1
	bne	a3, a2, .Lbyte
.Ldone:
	ret
	.size	memset, . - memset
