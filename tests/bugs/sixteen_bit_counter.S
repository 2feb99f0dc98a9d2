/*
 * memcpy for RV64 whose counter has sixteen bits.
 */
	.option	norvc
	.globl	memcpy
	.type	memcpy, @function
memcpy:
	mv	a3, a0
.Lbyte:
	slli	a2, a2, 48
	srli	a2, a2, 48
	beqz	a2, .Ldone
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lbyte
.Ldone:
	ret
	.size	memcpy, . - memcpy
