/*
 * memset for RV64 whose counter has sixteen bits.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	mv	a3, a0
.Lbyte:
	slli	a2, a2, 48
	srli	a2, a2, 48
	beqz	a2, .Ldone
	sb	a1, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lbyte
.Ldone:
	ret
	.size	memset, . - memset
