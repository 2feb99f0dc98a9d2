# A memcpy of shift-merged words for riscv64gc, opt-level 2. As rustc 1.95 compiled it.
	.section	.text.fast_copy,"ax",@progbits
	.globl	fast_copy
	.p2align	1
	.type	fast_copy,@function
fast_copy:
	li	a3, 16
	bltu	a2, a3, .L10
	andi	a3, a0, 7
	beqz	a3, .L14
	addi	a4, a0, 1
	mv	a3, a0
.L3:
	lbu	a5, 0(a1)
	addi	a1, a1, 1
	sb	a5, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	andi	a5, a4, 7
	addi	a4, a4, 1
	bnez	a5, .L3
	andi	a6, a1, 7
	beqz	a6, .L15
.L5:
	li	a4, 24
	bltu	a2, a4, .L11
	li	a4, 0
	sub	a7, a1, a6
	addi	a7, a7, 8
	mv	a5, a1
.L7:
	lbu	t0, 0(a5)
	srli	a4, a4, 8
	slli	t0, t0, 56
	addi	a5, a5, 1
	or	a4, t0, a4
	bne	a5, a7, .L7
	slli	a7, a6, 3
	li	t0, 64
	li	a5, 8
	sub	t0, t0, a7
	sub	t1, a5, a6
	li	a6, 15
.L9:
	add	a5, a1, t1
	ld	a5, 0(a5)
	srl	t2, a4, a7
	sll	a4, a5, t0
	or	a4, a4, t2
	sd	a4, 0(a3)
	addi	a3, a3, 8
	addi	a2, a2, -8
	addi	a1, a1, 8
	mv	a4, a5
	bltu	a6, a2, .L9
	j	.L12
.L10:
	mv	a3, a0
.L11:
	beqz	a2, .L13
.L12:
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	addi	a1, a1, 1
	bnez	a2, .L12
.L13:
	ret
.L14:
	mv	a3, a0
	andi	a6, a1, 7
	bnez	a6, .L5
.L15:
	li	a4, 32
	bltu	a2, a4, .L11
	li	a6, 31
.L17:
	ld	a5, 0(a1)
	ld	a4, 8(a1)
	ld	a7, 16(a1)
	ld	t0, 24(a1)
	sd	a5, 0(a3)
	sd	a4, 8(a3)
	sd	a7, 16(a3)
	sd	t0, 24(a3)
	addi	a3, a3, 32
	addi	a2, a2, -32
	addi	a1, a1, 32
	bltu	a6, a2, .L17
	j	.L11
.Lend:
	.size	fast_copy, .Lend-fast_copy
