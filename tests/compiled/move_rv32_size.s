# A memmove of shift-merged words for riscv32imac, opt-level s: it shifts by one and then by what is left. As rustc 1.95 compiled it.
	.option	arch, +c
	.section	.text.fast_copy,"ax",@progbits
	.globl	fast_copy
	.p2align	1
	.type	fast_copy,@function
fast_copy:
	sub	a3, a0, a1
	bgeu	a3, a2, .L13
	add	t0, a0, a2
	li	a5, 8
	add	t2, a1, a2
	bltu	a2, a5, .L24
	andi	a5, t0, 3
	beqz	a5, .L6
	addi	a3, a0, -1
.L4:
	add	a4, a1, a2
	lbu	a4, -1(a4)
	add	a5, a0, a2
	sb	a4, -1(a5)
	add	a4, a3, a2
	andi	a4, a4, 3
	addi	a2, a2, -1
	bnez	a4, .L4
	add	t0, a0, a2
	add	t2, a1, a2
.L6:
	andi	a6, t2, 3
	beqz	a6, .L18
	li	a1, 11
	bgeu	a1, a2, .L22
	li	a5, 0
	sub	a1, t2, a6
.L9:
	lbu	a4, 0(a1)
	srli	a5, a5, 8
	slli	a4, a4, 24
	addi	a1, a1, 1
	or	a5, a5, a4
	bne	a1, t2, .L9
	slli	a7, a6, 3
	li	t1, 32
	addi	a4, t0, -4
	li	a1, -4
	sub	t0, t1, a7
	sub	t1, a1, a6
	neg	a1, a7
	srl	a5, a5, a1
	li	a6, 7
.L11:
	add	a1, t2, t1
	lw	a1, 0(a1)
	sll	a5, a5, t0
	srl	a3, a1, a7
	or	a3, a3, a5
	sw	a3, 0(a4)
	addi	a2, a2, -4
	addi	t2, t2, -4
	addi	a4, a4, -4
	mv	a5, a1
	bltu	a6, a2, .L11
	addi	t0, a4, 4
	j	.L24
.L13:
	li	a3, 8
	bltu	a2, a3, .L17
	andi	a3, a0, 3
	beqz	a3, .L26
	addi	a5, a0, 1
	mv	a4, a1
	mv	a3, a0
.L16:
	lbu	a6, 0(a1)
	addi	a1, a1, 1
	sb	a6, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	andi	a6, a5, 3
	addi	a4, a4, 1
	addi	a5, a5, 1
	bnez	a6, .L16
	j	.L27
.L17:
	mv	a3, a0
	j	.L36
.L18:
	li	a1, 8
	bltu	a2, a1, .L22
	li	a1, 0
	li	a6, 7
.L20:
	add	a5, t2, a1
	lw	a4, -4(a5)
	lw	a7, -8(a5)
	add	a5, t0, a1
	sw	a4, -4(a5)
	sw	a7, -8(a5)
	addi	a1, a1, -8
	add	a5, a2, a1
	bltu	a6, a5, .L20
	add	t0, t0, a1
	add	t2, t2, a1
	j	.L23
.L22:
	mv	a5, a2
.L23:
	mv	a2, a5
	beqz	a5, .L38
.L24:
	addi	a4, t0, -1
	addi	a3, t2, -1
.L25:
	lbu	a1, 0(a3)
	sb	a1, 0(a4)
	addi	a2, a2, -1
	addi	a4, a4, -1
	addi	a3, a3, -1
	bnez	a2, .L25
	j	.L38
.L26:
	mv	a4, a1
	mv	a3, a0
.L27:
	andi	a7, a4, 3
	beqz	a7, .L33
	li	a4, 12
	bltu	a2, a4, .L36
	li	a4, 0
	sub	a6, a1, a7
	addi	a6, a6, 4
	mv	a5, a1
.L30:
	lbu	t0, 0(a5)
	srli	a4, a4, 8
	slli	t0, t0, 24
	addi	a5, a5, 1
	or	a4, t0, a4
	bne	a5, a6, .L30
	slli	a6, a7, 3
	li	a5, 4
	sub	t1, a5, a7
	xori	a7, a6, 31
	li	t0, 7
.L32:
	add	a5, a1, t1
	lw	t2, 0(a5)
	srl	a4, a4, a6
	slli	a5, t2, 1
	sll	a5, a5, a7
	or	a4, a4, a5
	sw	a4, 0(a3)
	addi	a3, a3, 4
	addi	a2, a2, -4
	addi	a1, a1, 4
	mv	a4, t2
	bltu	t0, a2, .L32
	j	.L37
.L33:
	li	a4, 16
	bltu	a2, a4, .L36
	li	a6, 15
.L35:
	lw	a5, 0(a1)
	lw	a4, 4(a1)
	lw	a7, 8(a1)
	lw	t0, 12(a1)
	sw	a5, 0(a3)
	sw	a4, 4(a3)
	sw	a7, 8(a3)
	sw	t0, 12(a3)
	addi	a3, a3, 16
	addi	a2, a2, -16
	addi	a1, a1, 16
	bltu	a6, a2, .L35
.L36:
	beqz	a2, .L38
.L37:
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	addi	a1, a1, 1
	j	.L36
.L38:
	ret
.Lend:
	.size	fast_copy, .Lend-fast_copy
