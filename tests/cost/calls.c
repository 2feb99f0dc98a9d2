/* Calls a memcpy, memmove or memset for every cell of a cost table, and prints
 * a line `op,xlen,size,source_offset,dst_offset` for each call, in the order of
 * the calls. What they execute is counted by plugin.c.
 *
 * Build with -DOP_MEMCPY, -DOP_MEMMOVE or -DOP_MEMSET, -DSIZES=0,1,2 and the
 * start.S of the harness in tests/qemu, which checks the calling convention.
 */
typedef unsigned long ulong;

long raw_syscall(long number, ...);
ulong call_checked(const void *fn, ulong a0, ulong a1, ulong a2);
extern unsigned abi_broken;

#if defined OP_MEMCPY
#define ROUTINE memcpy
#elif defined OP_MEMMOVE
#define ROUTINE memmove
#elif defined OP_MEMSET
#define ROUTINE memset
#else
#error "define OP_MEMCPY, OP_MEMMOVE or OP_MEMSET"
#endif

/* Only its address is needed, and it must mean nothing to the compiler. */
extern const char ROUTINE[];

enum { SYS_WRITE = 64, SYS_EXIT = 93, SYS_MMAP = 222 };

#define OFFSETS 8

/* Two arenas, with room below a block for one that lies 16 bytes lower. */
#define SOURCE 0x20000000ul
#define DESTINATION 0x30000000ul
#define ARENA 0x10000ul
#define MIDDLE 0x1000ul

static const unsigned short sizes[] = { SIZES };

static char text[0x8000];
static ulong used;

static void flush(void)
{
	for (ulong done = 0; done < used;) {
		long count = raw_syscall(SYS_WRITE, 1, text + done, used - done);

		if (count <= 0)
			raw_syscall(SYS_EXIT, 2);
		done += count;
	}
	used = 0;
}

static void print(const char *word)
{
	while (*word)
		text[used++] = *word++;
}

static void print_number(ulong number, char end)
{
	char digits[20];
	int count = 0;

	do {
		digits[count++] = '0' + number % 10;
		number /= 10;
	} while (number);
	while (count)
		text[used++] = digits[--count];
	text[used++] = end;
}

static void call(const char *op, ulong size, ulong source, ulong destination)
{
	/* An address where there is a source, else the byte to fill with. */
	ulong second = source ? source : 0x5a;

	if (used > sizeof(text) - 100)
		flush();
	if (call_checked(ROUTINE, destination, second, size) != destination || abi_broken)
		raw_syscall(SYS_EXIT, 1);
	print(op);
	print_number(__riscv_xlen, ',');
	print_number(size, ',');
	print_number(source % OFFSETS, ',');
	print_number(destination % OFFSETS, '\n');
}

/* Every size at every pair of offsets. */
static void copies(const char *op, ulong from, ulong to)
{
	for (ulong i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (ulong source = 0; source < OFFSETS; source++)
			for (ulong destination = 0; destination < OFFSETS; destination++)
				call(op, sizes[i], from + source, to + destination);
}

static void fills(const char *op, ulong to)
{
	for (ulong i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (ulong destination = 0; destination < OFFSETS; destination++)
			call(op, sizes[i], 0, to + destination);
}

static void map(ulong address)
{
	/* readable and writable; private, fixed, anonymous */
	if ((ulong)raw_syscall(SYS_MMAP, address, ARENA, 3, 0x32, -1, 0) != address)
		raw_syscall(SYS_EXIT, 2);
}

int main(void)
{
	map(SOURCE);
	map(DESTINATION);
#if defined OP_MEMSET
	fills("memset,", DESTINATION + MIDDLE);
	(void)copies;
#elif defined OP_MEMCPY
	copies("memcpy,", SOURCE + MIDDLE, DESTINATION + MIDDLE);
	(void)fills;
#else
	copies("memmove,", SOURCE + MIDDLE, DESTINATION + MIDDLE);
	copies("memmove_ovl_up,", SOURCE + MIDDLE, SOURCE + MIDDLE + 16);
	copies("memmove_ovl_dn,", SOURCE + MIDDLE, SOURCE + MIDDLE - 16);
	(void)fills;
#endif
	flush();
	return 0;
}
