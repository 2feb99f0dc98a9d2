	.option	norvc
	.option	norelax
	.globl	memset
	.type	memset, @function
memset:
	mv	{to}, a0
	add	{end}, a0, a2
	j	.Ltest
.Lbyte:
	sb	a1, 0({to})
	addi	{to}, {to}, 1
.Ltest:
	bne	{to}, {end}, .Lbyte
	ret
	.size	memset, . - memset
