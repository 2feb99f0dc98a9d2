/* Validates one memcpy, memmove or memset under qemu-riscv64 or qemu-riscv32.
 *
 * Build with -DOP_MEMCPY, -DOP_MEMMOVE or -DOP_MEMSET and -DROUTINE=symbol, and
 * with -fno-builtin -fno-tree-loop-distribute-patterns: no loop in here may turn
 * into a call of the routine it is meant to judge.
 *
 * This is a check of results, stray accesses and the calling convention that
 * shares nothing with the verifier. It says nothing about alignment: user-mode
 * QEMU performs misaligned accesses without a trap, so only the verifier can
 * tell whether a routine makes any.
 */
#include "base.h"

#if defined OP_MEMCPY
#define OP "memcpy"
#elif defined OP_MEMMOVE
#define OP "memmove"
#elif defined OP_MEMSET
#define OP "memset"
#else
#error "define OP_MEMCPY, OP_MEMMOVE or OP_MEMSET"
#endif

/* Only its address is needed, and it must mean nothing to the compiler. */
extern const char ROUTINE[];

/* Blocks lie in two arenas with an inaccessible page at each end. Those in the
 * middle of an arena cross 2 GiB (dst) and on RV64 4 GiB (src), where signed or
 * 32-bit arithmetic on addresses goes wrong. */
#define ARENA (4 * PAGE)
#define DST_START 0x7ffff000ul
#if __riscv_xlen == 64
#define SRC_START 0xfffff000ul
#else
#define SRC_START 0x1ffff000ul
#endif
#define MIDDLE (PAGE - 40) /* offset in an arena */
#define MARGIN 64          /* bytes looked at on both sides of dst */

#define SMALL_SIZES 301
#define SIZES (SMALL_SIZES + COUNT(large_sizes))
static const unsigned short large_sizes[] = {
    383,  384,  385,  511,  512,  513,  516,  520,  1000, 1023, 1024, 1025,
    1028, 1032, 1500, 2047, 2048, 2049, 4095, 4096, 4097, 5000, 8191, 8192,
    8193, 8200, 9000,
};

static ulong nth_size(ulong i) { return i < SMALL_SIZES ? i : large_sizes[i - SMALL_SIZES]; }

/* The call under way, for reports; arg is src or the fill value. */
static struct {
    const char *phase;
    ulong dst, arg, n;
} now;
static ulong calls;
static unsigned failures;

static void print_pointer(const char *label, ulong p)
{
    print(label);
    if (p - DST_START < ARENA) {
        print("dst_arena+");
        p -= DST_START;
    } else if (p - SRC_START < ARENA) {
        print("src_arena+");
        p -= SRC_START;
    }
    print_number(p);
}

static void report(const char *why)
{
    print(OP ": ");
    print(why);
    print(", phase ");
    print(now.phase);
    print(", n=");
    print_number(now.n);
    print_pointer(", dst=", now.dst);
#ifdef OP_MEMSET
    print(", c=");
    print_number(now.arg);
#else
    print_pointer(", src=", now.arg);
#endif
    print("\n");
}

static void fail(const char *why)
{
    report(why);
    if (++failures == 4)
        quit(1);
}

/*
 * cbo.zero, which user-mode QEMU knows only from release 8 on: clears the 64
 * bytes around the address, then goes on behind the instruction.
 */
static int emulated_zero_block(void *context)
{
    ulong *registers = SAVED_REGISTERS(context);
    unsigned instruction = *(unsigned *)registers[0];
    if ((instruction & 0xfff07fff) != 0x0040200f)
        return 0;
    volatile ulong *word = (ulong *)(registers[instruction >> 15 & 31] & ~63ul);
    for (ulong i = 0; i < 64 / sizeof(ulong); i++)
        word[i] = 0;
    registers[0] += 4;
    return 1;
}

static void on_signal(int signal, void *info, void *context)
{
    (void)info;
    if (signal == SIGILL && emulated_zero_block(context))
        return;
    report(signal == SIGALRM ? "no end" : signal == SIGSEGV || signal == SIGBUS ? "memory fault" : "illegal instruction");
    quit(1);
}

/* The content of memory before each call. Bytes less than 144 apart differ, and
 * so do those at like places in the two arenas: no store can be left out unseen. */
static u8 pattern(ulong address) { return (unsigned)address * 0x9e3779b1u >> 24; }

/* What byte i of dst must be after the call. */
static u8 expected(ulong i)
{
#ifdef OP_MEMSET
    (void)i;
    return now.arg;
#else
    return pattern(now.arg + i);
#endif
}

/* Calls the routine. Memory is not looked at, so the pointers may be wild. */
static void call(ulong dst, ulong arg, ulong n)
{
    now.dst = dst;
    now.arg = arg;
    now.n = n;
    calls++;
    if (call_checked(ROUTINE, dst, arg, n) != dst)
        fail("wrong return value");
    if (abi_broken)
        fail("callee-saved register changed");
}

/* Calls the routine, checks dst, its surroundings and src, and puts the pattern
 * back. */
static void check(ulong dst, ulong arg, ulong n)
{
    const char *why = 0;
    ulong from = dst - MARGIN < DST_START ? DST_START : dst - MARGIN;
    ulong to = dst + n + MARGIN > DST_START + ARENA ? DST_START + ARENA : dst + n + MARGIN;

    call(dst, arg, n);
    for (ulong a = from; a < to; a++) {
        u8 old = pattern(a), want = a - dst < n ? expected(a - dst) : old;
        if (BYTE(a) != want && !why)
            why = a < dst ? "write before dst" : a < dst + n ? "wrong data" : "write after dst";
        BYTE(a) = old;
    }
#ifndef OP_MEMSET
    for (ulong a = arg; a < arg + n; a++)
        if (BYTE(a) != pattern(a) && !why)
            why = "src changed";
#endif
    if (why)
        fail(why);
}

/* Looks for writes far from dst. To be called for each size: the calls that
 * follow with a larger one put the pattern back where such a write may be. */
static void check_arenas(void)
{
    for (ulong i = 0; i < ARENA; i++)
        if (BYTE(DST_START + i) != pattern(DST_START + i) || BYTE(SRC_START + i) != pattern(SRC_START + i)) {
            fail("stray write by this call or one before");
            return;
        }
}

static void make_arena(ulong start)
{
    ulong at = start - PAGE;
    if (raw_syscall(SYS_MMAP, at, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE_FIXED_ANONYMOUS, -1, 0) != (long)at ||
        raw_syscall(SYS_MPROTECT, start, ARENA, PROT_READ_WRITE) != 0) {
        print("cannot map the arenas\n");
        quit(2);
    }
    for (ulong a = start; a < start + ARENA; a++)
        BYTE(a) = pattern(a);
}

/* Where a block may lie in an arena: against the page before it, in the middle,
 * and against the page behind it. */
static const char *const places[] = {"at start", "in middle", "at end"};

static ulong offset(ulong place, ulong n, ulong shift)
{
    return place == 0 ? shift : place == 1 ? MIDDLE + shift : ARENA - n - shift;
}

/* n = 0 must not touch memory, whatever the pointers. */
static void check_empty(void)
{
    static const ulong wild[] = {0, 1, -1ul};

    now.phase = "empty";
    for (ulong i = 0; i < COUNT(wild); i++)
        for (ulong j = 0; j < COUNT(wild); j++)
            call(wild[i], wild[j], 0);
    check_arenas();
}

#ifdef OP_MEMSET

static void check_fills(void)
{
    /* only the low eight bits count; as the ABI has it, an int is sign-extended */
    static const int values[] = {0, 1, 0x5a, 0x80, 0xff, -1, 0x1234, 0x7fffff00, (int)0xdeadbe81};

    for (ulong place = 0; place < COUNT(places); place++) {
        now.phase = places[place];
        for (ulong i = 0; i < SIZES; i++) {
            ulong n = nth_size(i);
            for (ulong shift = 0; shift < 8; shift++)
                for (ulong v = 0; v < COUNT(values); v++)
                    check(DST_START + offset(place, n, shift), values[v], n);
            check_arenas();
        }
    }
}

#else

static void check_copies(void)
{
    for (ulong place = 0; place < COUNT(places); place++) {
        now.phase = places[place];
        for (ulong i = 0; i < SIZES; i++) {
            ulong n = nth_size(i);
            for (ulong d = 0; d < 8; d++)
                for (ulong s = 0; s < 8; s++)
                    check(DST_START + offset(place, n, d), SRC_START + offset(place, n, s), n);
            check_arenas();
        }
    }
}

#endif

#ifdef OP_MEMMOVE

/* dst above src by the distance, both in one arena, at all alignments and
 * against both ends of the arena. */
static void check_overlap(long distance, ulong n)
{
    ulong up = distance > 0 ? distance : 0, down = up - distance;

    for (ulong place = 0; place < COUNT(places); place++)
        for (ulong shift = 0; shift < (place == 1 ? 8 : 1); shift++) {
            ulong low = DST_START + offset(place, n + up + down, shift);
            check(low + up, low + down, n);
        }
}

static void check_overlaps(void)
{
    static const unsigned short sizes[] = {161, 167, 192, 200, 255, 256, 257, 300, 511, 512, 777, 1024, 4099};
    static const unsigned short distances[] = {1, 2, 3, 4, 7, 8, 9, 16, 31, 64, 100, 160, 255, 256, 511, 1000};

    now.phase = "overlap";
    for (ulong n = 0; n <= 160; n++) {
        for (long distance = -80; distance <= 80; distance++)
            check_overlap(distance, n);
        check_arenas();
    }
    for (ulong i = 0; i < COUNT(sizes); i++) {
        for (ulong j = 0; j < COUNT(distances); j++) {
            check_overlap(distances[j], sizes[i]);
            check_overlap(-distances[j], sizes[i]);
        }
        check_arenas();
    }
}

#endif

int main(void)
{
    make_arena(DST_START);
    make_arena(SRC_START);
    catch_signals(on_signal, 60); /* a good routine needs about one second */

    check_empty();
#ifdef OP_MEMSET
    check_fills();
#else
    check_copies();
#endif
#ifdef OP_MEMMOVE
    check_overlaps();
#endif
    if (failures)
        return 1;
    print(OP);
    print(__riscv_xlen == 64 ? " rv64: " : " rv32: ");
    print_number(calls);
    print(" calls, all right\n");
    return 0;
}
