/*
 * memset for RV64 whose counter has sixteen bits.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	slli	a2, a2, 48
	srli	a2, a2, 48
	beqz	a2, .Ldone
	mv	a3, a0
	add	a2, a2, a3
.Lbyte:
	sb	a1, 0(a3)
	addi	a3, a3, 1
	bne	a3, a2, .Lbyte
.Ldone:
	ret
	.size	memset, . - memset
