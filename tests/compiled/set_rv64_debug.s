# A memset of words for riscv64imac, a debug build: every variable is on the stack. As rustc 1.95 compiled it.
	.section	.text.fast_copy,"ax",@progbits
	.globl	fast_copy
	.p2align	1
	.type	fast_copy,@function
fast_copy:
	addi	sp, sp, -96
	sd	a0, 8(sp)
	sd	a0, 24(sp)
	sd	a2, 32(sp)
	sd	a1, 16(sp)
	ld	a1, 32(sp)
	li	a0, 15
	bltu	a0, a1, .L2
	j	.L1
.L1:
	ld	a0, 32(sp)
	bnez	a0, .L8
	j	.L7
.L2:
	ld	a0, 16(sp)
	zext.b	a0, a0
	sd	a0, 40(sp)
	ld	a0, 40(sp)
	slli	a1, a0, 8
	or	a0, a0, a1
	sd	a0, 40(sp)
	ld	a0, 40(sp)
	slli	a1, a0, 16
	or	a0, a0, a1
	sd	a0, 40(sp)
	ld	a0, 40(sp)
	slli	a1, a0, 32
	or	a0, a0, a1
	sd	a0, 40(sp)
	j	.L3
.L3:
	lbu	a0, 24(sp)
	andi	a0, a0, 7
	bnez	a0, .L5
	j	.L4
.L4:
	ld	a1, 32(sp)
	li	a0, 31
	bltu	a0, a1, .L6
	j	.L1
.L5:
	ld	a0, 16(sp)
	ld	a1, 24(sp)
	sb	a0, 0(a1)
	ld	a0, 24(sp)
	addi	a0, a0, 1
	sd	a0, 48(sp)
	ld	a0, 48(sp)
	sd	a0, 24(sp)
	ld	a0, 32(sp)
	addi	a0, a0, -1
	sd	a0, 32(sp)
	j	.L3
.L6:
	ld	a0, 40(sp)
	ld	a1, 24(sp)
	sd	a0, 0(a1)
	ld	a0, 40(sp)
	ld	a1, 24(sp)
	addi	a1, a1, 8
	sd	a1, 80(sp)
	ld	a1, 80(sp)
	sd	a0, 0(a1)
	ld	a0, 40(sp)
	ld	a1, 24(sp)
	addi	a1, a1, 16
	sd	a1, 72(sp)
	ld	a1, 72(sp)
	sd	a0, 0(a1)
	ld	a0, 40(sp)
	ld	a1, 24(sp)
	addi	a1, a1, 24
	sd	a1, 64(sp)
	ld	a1, 64(sp)
	sd	a0, 0(a1)
	ld	a0, 24(sp)
	addi	a0, a0, 32
	sd	a0, 56(sp)
	ld	a0, 56(sp)
	sd	a0, 24(sp)
	ld	a0, 32(sp)
	addi	a0, a0, -32
	sd	a0, 32(sp)
	j	.L4
.L7:
	ld	a0, 8(sp)
	addi	sp, sp, 96
	ret
.L8:
	ld	a0, 16(sp)
	ld	a1, 24(sp)
	sb	a0, 0(a1)
	ld	a0, 24(sp)
	addi	a0, a0, 1
	sd	a0, 88(sp)
	ld	a0, 88(sp)
	sd	a0, 24(sp)
	ld	a0, 32(sp)
	addi	a0, a0, -1
	sd	a0, 32(sp)
	j	.L1
.Lend:
	.size	fast_copy, .Lend-fast_copy
