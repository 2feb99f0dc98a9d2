/*
 * memmove whose steps depend on the length alone: multiples of four go by words, wherever the blocks lie.
 */
	.option	norvc
	.globl	memmove
	.type	memmove, @function
memmove:
	beqz	a2, .Ldone
	mv	a3, a0
	li	a6, 1
	andi	t0, a2, 3
	bnez	t0, .Ldirection
	li	a6, 4

	/* a6 is the step, negative from the end down. */
.Ldirection:
	sub	t0, a0, a1
	bgeu	t0, a2, .Lstep
	sub	t0, a2, a6
	add	a1, a1, t0
	add	a3, a3, t0
	neg	a6, a6
.Lstep:
	andi	t0, a6, 3
	bnez	t0, .Lbyte
	lw	a4, 0(a1)
	sw	a4, 0(a3)
	addi	a2, a2, -3
	j	.Lnext
.Lbyte:
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
.Lnext:
	addi	a2, a2, -1
	add	a1, a1, a6
	add	a3, a3, a6
	bnez	a2, .Lstep
.Ldone:
	ret
	.size	memmove, . - memmove
