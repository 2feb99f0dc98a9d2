/*
 * memset that drops a byte of 40 at every other double word: no contract lets a bit of the address above the residue decide.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	beqz	a2, .Ldone
	andi	t0, a0, 8
	beqz	t0, .Lgo
	li	t0, 40
	bne	a2, t0, .Lgo
	addi	a2, a2, -1
.Lgo:
	mv	a3, a0
	add	a2, a2, a3
.Lbyte:
	sb	a1, 0(a3)
	addi	a3, a3, 1
	bne	a3, a2, .Lbyte
.Ldone:
	ret
	.size	memset, . - memset
