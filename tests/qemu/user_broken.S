# A byte-wise copy_to_user that is right about faults unless one of the macros is
# defined: the harness must let it pass as it is and notice each of the mistakes.
# ONE_MORE, REWIND and NO_COUNT are none at weaker strengths.

	.macro	entry access, recover
	.pushsection	__ex_table, "a", @progbits
	.balign	4
	.long	\access - .
	.long	\recover - .
	.popsection
	.endm

	.text
	.globl	copy_to_user
	.type	copy_to_user, @function
copy_to_user:
	beqz	a2, .Ldone
	add	a4, a0, a2
	mv	a3, a0
.Lnext:
.Lload:
	lbu	a5, 0(a1)
#ifdef KERNEL_ENTRY
	entry	.Lload, .Lfault
#endif
.Lstore:
	sb	a5, 0(a0)
#ifdef TWO_ENTRIES
	entry	.Lstore, .Lfault
#endif
#ifdef ENTRY_BESIDE
	entry	.Lstore + 4, .Lfault
#elif defined NO_ENTRY
	entry	.Ldone, .Lfault
#else
	entry	.Lstore, .Lfault
#endif
	addi	a1, a1, 1
	addi	a0, a0, 1
	bne	a0, a4, .Lnext
.Ldone:
	li	a0, 0
	ret

.Lfault:
#ifdef STORE_ON
	# a byte of another place, in case it can be
	li	a5, 1
.Lagain:
	sb	a5, -1(a4)
	entry	.Lagain, .Lcount
.Lcount:
#endif
#ifdef ONE_LEFT_OUT
	beq	a0, a3, .Lfirst
	addi	a0, a0, -1
.Lfirst:
#endif
#ifdef ONE_TOO_MANY
	addi	a0, a0, 1
#endif
#ifdef REWIND
	# to the start of a block of 64 bytes
	sub	a0, a0, a3
	andi	a0, a0, -64
	add	a0, a0, a3
#endif
#ifdef SAVED
	addi	s3, s3, 1
#endif
#ifdef ONE_MORE
	addi	a0, a0, -1
	bgtu	a0, a3, .Lsome
	addi	a0, a0, 1
.Lsome:
#endif
	sub	a0, a4, a0
#ifdef NO_COUNT
	li	a0, -14
#endif
#ifdef NO_ERROR
	li	a0, 0
#endif
	ret
	.size	copy_to_user, . - copy_to_user
