/*
 * memset for RV64 whose loop fills nine words, and leaves everything below nine, eight whole words included, to single bytes.
 */
	.option	norvc
	.globl	memset
	.type	memset, @function
memset:
	andi	a1, a1, 255
	mv	a3, a0
	li	t0, 79
	bltu	a2, t0, .Lbytes
	slli	t0, a1, 8
	or	a1, a1, t0
	slli	t0, a1, 16
	or	a1, a1, t0
	slli	t0, a1, 32
	or	a1, a1, t0
.Lhead:
	andi	t0, a3, 7
	beqz	t0, .Laligned
	sb	a1, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lhead
.Laligned:
	li	t0, 72
.Lblock:
	sd	a1, 0(a3)
	sd	a1, 8(a3)
	sd	a1, 16(a3)
	sd	a1, 24(a3)
	sd	a1, 32(a3)
	sd	a1, 40(a3)
	sd	a1, 48(a3)
	sd	a1, 56(a3)
	sd	a1, 64(a3)
	addi	a3, a3, 72
	addi	a2, a2, -72
	bgeu	a2, t0, .Lblock
.Lbytes:
	beqz	a2, .Ldone
	sb	a1, 0(a3)
	addi	a3, a3, 1
	addi	a2, a2, -1
	j	.Lbytes
.Ldone:
	ret
	.size	memset, . - memset
