/*
 * memset for RV64 whose counter has sixteen bits.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	slli	t0, a2, 48
	srli	t0, t0, 48
	beqz	t0, .Ldone
	mv	a3, a0
	add	t0, t0, a3
.Lbyte:
	sb	a1, 0(a3)
	addi	a3, a3, 1
	bne	a3, t0, .Lbyte
.Ldone:
	ret
	.size	memset, . - memset
