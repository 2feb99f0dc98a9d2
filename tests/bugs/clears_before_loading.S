/*
 * memcpy that clears each byte of the destination before it loads the source's: wrong where both are one.
 */
	.option	norvc
	.globl	memcpy
	.type	memcpy, @function
memcpy:
	mv	a3, a0
	beqz	a2, .Ldone
	add	t0, a1, a2
.Lbyte:
	sb	zero, 0(a3)
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	bne	a1, t0, .Lbyte
.Ldone:
	ret
	.size	memcpy, . - memcpy
