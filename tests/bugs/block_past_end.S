/*
 * memcpy for RV64 that looks at n once, before the head: the head's bytes and a whole block together may exceed it.
 */
	.option	norvc
	.globl	memcpy
	.type	memcpy, @function
memcpy:
	mv	a3, a0
	li	t0, 64
	bltu	a2, t0, .Lbytes
	xor	t0, a1, a0
	andi	t0, t0, 7
	bnez	t0, .Lbytes
.Lhead:
	andi	t0, a3, 7
	beqz	t0, .Lblock
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lhead
.Lblock:
	ld	a4, 0(a1)
	ld	a5, 8(a1)
	ld	a6, 16(a1)
	ld	a7, 24(a1)
	ld	t1, 32(a1)
	ld	t2, 40(a1)
	ld	t3, 48(a1)
	ld	t4, 56(a1)
	sd	a4, 0(a3)
	sd	a5, 8(a3)
	sd	a6, 16(a3)
	sd	a7, 24(a3)
	sd	t1, 32(a3)
	sd	t2, 40(a3)
	sd	t3, 48(a3)
	sd	t4, 56(a3)
	addi	a1, a1, 64
	addi	a3, a3, 64
	addi	a2, a2, -64
	li	t0, 64
	bgeu	a2, t0, .Lblock
.Lbytes:
	beqz	a2, .Ldone
	lbu	a4, 0(a1)
	sb	a4, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lbytes
.Ldone:
	ret
	.size	memcpy, . - memcpy
