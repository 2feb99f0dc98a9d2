// Calls Rust kernels on a big-endian machine and compares with loops over bytes. KERNELS lists them: COPY(name) MOVE(name) FILL(name).

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 65536		/* the largest page of the machines in question */
#define MARGIN 32		/* bytes looked at on each side of what is written */
#define WORD 8

typedef unsigned char byte;
typedef byte *copy(byte *dst, const byte *src, size_t n);
typedef byte *fill(byte *dst, int c, size_t n);

static unsigned long calls;
static const char *name;

static void fail(const char *what, size_t n, size_t dst, size_t src)
{
	printf("%s: %s: n = %zu, dst = %zu, src = %zu\n", name, what, n, dst, src);
	exit(1);
}

/* Two pages that may be used, between two that fault. */
static byte *window(void)
{
	byte *map = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED || mprotect(map + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE)) {
		perror("mmap");
		exit(2);
	}
	return map + PAGE;
}

static byte *to_window, *from_window, *wanted;

/* Bytes that repeat in no short distance; different ones for each call. */
static void paint(byte *at, size_t n)
{
	static uint32_t state = 1;

	while (n--) {
		state = state * 1664525 + 1013904223;
		*at++ = state >> 24;
	}
}

static size_t lower(size_t at)
{
	return at < MARGIN ? 0 : at - MARGIN;
}

static size_t upper(size_t end)
{
	return end + MARGIN > 2 * PAGE ? 2 * PAGE : end + MARGIN;
}

/* What the window holds around [at, at + n), against what it should. */
static void compare(const byte *window, size_t at, size_t n, size_t src)
{
	for (size_t i = lower(at); i < upper(at + n); i++)
		if (window[i] != wanted[i])
			fail(i < at ? "write before dst" : i < at + n ? "wrong byte" : "write after dst", n, at, src);
}

static void call_copy(copy *routine, size_t n, size_t dst, size_t src)
{
	byte *to = to_window + dst;

	paint(from_window + lower(src), upper(src + n) - lower(src));
	for (size_t i = lower(dst); i < upper(dst + n); i++)
		wanted[i] = to_window[i] = ~from_window[i];
	for (size_t i = 0; i < n; i++)
		wanted[dst + i] = from_window[src + i];
	if (routine(to, from_window + src, n) != to)
		fail("wrong return value", n, dst, src);
	compare(to_window, dst, n, src);
	calls++;
}

static void call_move(copy *routine, size_t n, size_t dst, size_t src)
{
	size_t start = lower(dst < src ? dst : src);
	size_t end = upper((dst < src ? src : dst) + n);
	byte *to = to_window + dst;

	paint(to_window + start, end - start);
	for (size_t i = start; i < end; i++)
		wanted[i] = to_window[i];
	for (size_t i = 0; i < n; i++)
		wanted[dst + i] = to_window[src + i];
	if (routine(to, to_window + src, n) != to)
		fail("wrong return value", n, dst, src);
	for (size_t i = start; i < end; i++)
		if (to_window[i] != wanted[i])
			fail("wrong byte with overlap", n, dst, src);
	calls++;
}

static void call_fill(fill *routine, size_t n, size_t dst)
{
	static const int values[] = { 0, -1, 0x5a, 0x1234a5 };
	byte *to = to_window + dst;

	for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
		for (size_t i = lower(dst); i < upper(dst + n); i++)
			wanted[i] = to_window[i] = ~values[v];
		for (size_t i = 0; i < n; i++)
			wanted[dst + i] = values[v];
		if (routine(to, values[v], n) != to)
			fail("wrong return value", n, dst, values[v]);
		compare(to_window, dst, n, values[v]);
		calls++;
	}
}

static const size_t large[] = { 511, 512, 777, 1024, 1031, 4096, 5003 };

/* 0 to 300, then the larger ones, then 0 again. */
static size_t next_size(size_t n)
{
	if (n < 300)
		return n + 1;
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		if (large[i] > n)
			return large[i];
	return 0;
}

/* Against the pages that fault, below or above, at every distance from them that a word allows; the smaller sizes against both. */
static void check_copy(copy *routine)
{
	size_t n = 0;

	do {
		for (size_t to = 0; to < WORD; to++)
			for (size_t from = 0; from < WORD; from++) {
				if (n <= 64 || (to ^ from) & 1)
					call_copy(routine, n, to, from);
				if (n <= 64 || !((to ^ from) & 1))
					call_copy(routine, n, 2 * PAGE - n - to, 2 * PAGE - n - from);
			}
		n = next_size(n);
	} while (n);
	/* No bytes: the pointers may point anywhere. */
	if (routine(to_window - 5, NULL, 0) != to_window - 5)
		fail("wrong return value", 0, -5, 0);
}

static void check_move(copy *routine)
{
	size_t n = 0;

	check_copy(routine);
	do {
		for (size_t from = 0; from < WORD; from++)
			for (size_t distance = 0; distance <= 2 * WORD + 1; distance++) {
				call_move(routine, n, from + distance, from);
				call_move(routine, n, from, from + distance);
			}
		call_move(routine, n, n / 2 + 3, 1);
		call_move(routine, n, 1, n / 2 + 3);
		n = next_size(n);
	} while (n);
}

static void check_fill(fill *routine)
{
	size_t n = 0;

	do {
		for (size_t to = 0; to < WORD; to++) {
			call_fill(routine, n, to);
			call_fill(routine, n, 2 * PAGE - n - to);
		}
		n = next_size(n);
	} while (n);
}

#define COPY(routine) extern copy routine;
#define MOVE(routine) extern copy routine;
#define FILL(routine) extern fill routine;
KERNELS
#undef COPY
#undef MOVE
#undef FILL
#define COPY(routine) name = #routine; check_copy(routine);
#define MOVE(routine) name = #routine; check_move(routine);
#define FILL(routine) name = #routine; check_fill(routine);

int main(void)
{
	const union { uint16_t word; byte first; } order = { .word = 1 };

	if (order.first) {
		puts("this machine is little-endian");
		return 2;
	}
	to_window = window();
	from_window = window();
	wanted = malloc(2 * PAGE);
	KERNELS
	printf("%lu calls, all right\n", calls);
	return 0;
}
