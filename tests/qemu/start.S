# Entry point, system calls and the checked call of the QEMU harness, for RV64
# and RV32 without a C library.

#if __riscv_xlen == 64
#define LOAD	ld
#define STORE	sd
#define WORD	8
#else
#define LOAD	lw
#define STORE	sw
#define WORD	4
#endif

# Any 32-bit value will do as long as each register has its own; the sign bit is
# set so that the upper half of an RV64 register is not zero.
#define MARK(i)	(-0x1234567 * (i))

# gp may be wrong right after the routine returns, so nothing here may be
# relaxed into a gp-relative access.
	.option norelax

	# runs \insn for each of s0-s11, given the number of the register and its
	# place in the frame
	.macro each_saved insn
	.set	slot, 0
	.irp	i, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	\insn	\i, slot
	.set	slot, slot + WORD
	.endr
	.endm

	.macro save i, at
	STORE	x\i, \at(sp)
	.endm

	.macro restore i, at
	LOAD	x\i, \at(sp)
	.endm

	.macro mark i, at
	li	x\i, MARK(\i)
	.endm

	# collects in t0 the bits in which a register differs from its mark
	.macro compare i, at
	li	t1, MARK(\i)
	xor	t1, t1, x\i
	or	t0, t0, t1
	.endm

	.text
	.globl	_start
_start:
	la	gp, __global_pointer$
	call	main
	li	a7, 93			# exit
	ecall

	# long raw_syscall(number, up to six arguments)
	.globl	raw_syscall
raw_syscall:
	mv	a7, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	mv	a3, a4
	mv	a4, a5
	mv	a5, a6
	ecall
	ret

	# unsigned long call_checked(fn, a0, a1, a2): the value of fn(a0, a1, a2).
	# abi_broken becomes nonzero if fn does not preserve s0-s11, sp, gp and tp.
	# A signal handler that goes on at call_abandoned ends the call, whatever
	# fn has done to its registers.
	.globl	call_checked
call_checked:
	addi	sp, sp, -16 * WORD
	each_saved save
	STORE	ra, 12 * WORD(sp)
	STORE	gp, 13 * WORD(sp)
	STORE	tp, 14 * WORD(sp)
	lla	t0, saved_sp
	STORE	sp, 0(t0)

	mv	ra, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	each_saved mark
	mark	4, 0			# tp
	# A routine must not count on zeros in registers it was not given.
	.irp	i, 5, 6, 7, 13, 14, 15, 16, 17, 28, 29, 30, 31
	mark	\i, 0
	.endr
	jalr	ra, 0(ra)
	.globl	call_abandoned
call_abandoned:

	# sp first: the frame can be reached only through the right one
	lla	t1, saved_sp
	LOAD	t1, 0(t1)
	xor	t0, sp, t1
	mv	sp, t1
	each_saved compare
	compare	4, 0
	LOAD	t1, 13 * WORD(sp)
	xor	t1, t1, gp
	or	t0, t0, t1
	snez	t0, t0
	lla	t1, abi_broken
	sw	t0, 0(t1)

	each_saved restore
	LOAD	ra, 12 * WORD(sp)
	LOAD	gp, 13 * WORD(sp)
	LOAD	tp, 14 * WORD(sp)
	addi	sp, sp, 16 * WORD
	ret

	.bss
	.balign	WORD
saved_sp:
	.zero	WORD
	.globl	abi_broken
abi_broken:
	.zero	4
