	.option	norvc
	.option	norelax
	.globl	memcpy
	.type	memcpy, @function
memcpy:
	mv	{to}, a0
	mv	{from}, a1
	add	{end}, a1, a2
	j	.Ltest
.Lbyte:
	lbu	{byte}, 0({from})
	sb	{byte}, 0({to})
	addi	{from}, {from}, 1
	addi	{to}, {to}, 1
.Ltest:
	bne	{from}, {end}, .Lbyte
	ret
	.size	memcpy, . - memcpy
