# A byte-wise memcpy that is right unless one of the BREAK_ macros is defined:
# the harness must let it pass as it is and notice each of the faults.

	.text
	.globl	memcpy
	.type	memcpy, @function
memcpy:
	mv	a3, a0
	beqz	a2, .Ldone
	add	a4, a1, a2
#ifdef BREAK_LENGTH
	addi	a4, a4, 1
#endif
#ifdef BREAK_SAVED
	addi	s3, s3, 1
#endif
.Lnext:
	lbu	a5, 0(a1)
	sb	a5, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
#ifdef BREAK_OVERREAD
	lbu	a5, 0(a1)
#endif
	bne	a1, a4, .Lnext
#ifdef BREAK_RETURN
	sub	a0, a1, a2
#endif
.Ldone:
	ret
	.size	memcpy, . - memcpy
