/* Validates one copy_to_user, copy_from_user or clear_user under qemu-riscv64 or qemu-riscv32: injects faults by inaccessible
 * pages, and goes on after each where the routine's fault table says.
 *
 * Build with
 *   -DOP="copy_to_user"     what is printed
 *   -DROUTINE=symbol
 *   -DHAS_SOURCE=1          0 for a routine that clears: f(dst, n)
 *   -DUSER_SOURCE=0         which blocks are user memory
 *   -DUSER_DESTINATION=1
 *   -DSTRENGTH=EXACT        or AT_LEAST_ONE, COARSE, EFAULT: what the returned value says
 *   -DTABLE=__ex_table      the section of the fault table: pairs of self-relative 32-bit addresses
 *   -DOTHER_RESIDUES=8      how many residues the block that does not fault walks through, for each fault
 * and with -fno-builtin -fno-tree-loop-distribute-patterns: no loop in here may turn into a call.
 */
#include "base.h"

enum strength { EXACT, AT_LEAST_ONE, COARSE, EFAULT };
static const char *const strengths[] = {"exact", "at-least-one", "coarse", "efault"};
#define BOTH (USER_SOURCE && USER_DESTINATION)

/* Only its address is needed, and it must mean nothing to the compiler. */
extern const char ROUTINE[], call_abandoned[];

/* The linker gives the ends of the table. */
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
struct entry {
    int access, recovery; /* distances from these very fields */
};
extern struct entry NAME(__start_, TABLE)[] __attribute__((weak)), NAME(__stop_, TABLE)[] __attribute__((weak));
#define ENTRIES ((ulong)(NAME(__stop_, TABLE) - NAME(__start_, TABLE)))
static u8 entry_met[4096];

/*
 * Each block lies in a region of its own: three accessible pages, the hole, three accessible pages, with inaccessible ones
 * around. The first part crosses 2 GiB (dst) and on RV64 4 GiB (src).
 */
#define PART (3 * PAGE)
#define DST_HOLE 0x80002000ul
#if __riscv_xlen == 64
#define SRC_HOLE 0x100002000ul
#else
#define SRC_HOLE 0x20002000ul
#endif
#define MIDDLE (PAGE - 40) /* offset in a part */
#define MARGIN 64          /* bytes looked at on both sides of dst */

/* The content of memory before each call: odd in dst, even in src, so that a byte that was stored to always shows. */
static u8 hash(ulong address) { return (unsigned)address * 0x9e3779b1u >> 24; }
static u8 dst_pattern(ulong address) { return hash(address) | 1; }
static u8 src_pattern(ulong address) { return hash(address) & 0xfe; }

static int accessible(ulong hole, ulong address) { return address - (hole - PART) < PART || address - (hole + PAGE) < PART; }

/* The first of n bytes that cannot be accessed, n if all can. */
static ulong first_inaccessible(ulong hole, ulong start, ulong n)
{
    ulong end = start < hole ? hole : start < hole + PAGE ? start : hole + PAGE + PART;
    return n < end - start ? n : end - start;
}

/* The call under way. */
static struct {
    const char *phase;
    ulong dst, src, n;
    int kernel_faults; /* whether a fault in the kernel's block is what is wanted */
    int abandoned;
} now;
static ulong calls, faults;
static unsigned failures;

static void print_pointer(const char *label, ulong hole, ulong p)
{
    print(label);
    print("hole");
    print(p < hole ? "-" : "+");
    print_number(p < hole ? hole - p : p - hole);
}

static void report(const char *why)
{
    print(OP " ");
    print(strengths[STRENGTH]);
    print(": ");
    print(why);
    print(", phase ");
    print(now.phase);
    print(", n=");
    print_number(now.n);
    print_pointer(", dst=", DST_HOLE, now.dst);
    if (HAS_SOURCE)
        print_pointer(", src=", SRC_HOLE, now.src);
    print("\n");
}

static void fail(const char *why)
{
    report(why);
    if (++failures == 4)
        quit(1);
}

static void on_signal(int signal, void *info, void *context)
{
    ulong *registers = SAVED_REGISTERS(context);
    ulong address = *(ulong *)((u8 *)info + (sizeof(ulong) == 8 ? 16 : 12));
    int in_dst = address - (DST_HOLE - PART - PAGE) < 2 * PART + 3 * PAGE;
    int in_src = HAS_SOURCE && address - (SRC_HOLE - PART - PAGE) < 2 * PART + 3 * PAGE;
    struct entry *entry = NAME(__start_, TABLE), *end = NAME(__stop_, TABLE);

    if (signal != SIGSEGV || !(in_dst || in_src)) {
        report(signal == SIGALRM ? "no end" : signal == SIGSEGV ? "stray access" : "unexpected signal");
        quit(1);
    }
    faults++;
    while (entry < end && (ulong)&entry->access + entry->access != registers[0])
        entry++;
    if (in_dst ? USER_DESTINATION : USER_SOURCE) {
        if (entry < end) {
            entry_met[entry - NAME(__start_, TABLE)] = 1;
            registers[0] = (ulong)&entry->recovery + entry->recovery;
            return;
        }
        fail("no entry for an access to user memory");
    } else {
        if (entry < end)
            fail("an entry for an access to the kernel's memory");
        if (!now.kernel_faults)
            fail("fault outside user memory");
    }
    now.abandoned = 1;
    registers[0] = (ulong)call_abandoned;
}

/* What is wrong with a returned value, if all below `possible` could be copied; `settled` becomes the number of bytes that
 * must have arrived. */
static const char *judge(ulong returned, ulong possible, ulong *settled)
{
    ulong n = now.n;
    *settled = 0;
    if (STRENGTH == EFAULT) {
        if (returned != 0 && returned != -14ul)
            return "neither 0 nor -14";
        if ((returned == 0) != (possible == n))
            return returned ? "an error without a fault" : "a fault that is not told";
        *settled = returned ? 0 : n;
        return 0;
    }
    if (returned > n)
        return "more bytes left than there were";
    if (n - returned > possible)
        return "counts a byte that could not be copied";
    *settled = n - returned;
    if (possible == n && returned != 0)
        return "bytes left without a fault";
    if (STRENGTH == EXACT && *settled != possible)
        return "does not count a byte that could be copied";
    if (STRENGTH == AT_LEAST_ONE && possible > 0 && *settled == 0)
        return "nothing copied, but a byte could be";
    return 0;
}

/* Whether byte i of dst is as it may be, the first `settled` ones having arrived; i may lie outside the block. */
static const char *judge_byte(ulong i, u8 is, u8 old, ulong settled)
{
    if (i >= now.n)
        return is == old ? 0 : "write outside dst";
    u8 right = HAS_SOURCE ? src_pattern(now.src + i) : 0;
    if (i < settled)
        return is == right ? 0 : "wrong data";
    if (is == old)
        return 0;
    if (STRENGTH == EXACT && !now.abandoned)
        return "write behind the reported end";
    return is == right && (!HAS_SOURCE || accessible(SRC_HOLE, now.src + i)) ? 0 : "wrong data behind the reported end";
}

/* Calls the routine, checks what it returns and dst with its surroundings, and puts the pattern back. */
static void check(ulong dst, ulong src, ulong n)
{
    ulong possible = first_inaccessible(DST_HOLE, dst, n), settled;
    ulong possible_src = HAS_SOURCE ? first_inaccessible(SRC_HOLE, src, n) : n;
    if (possible_src < possible)
        possible = possible_src;
    now.dst = dst;
    now.src = src;
    now.n = n;
    now.abandoned = 0;
    calls++;

    ulong returned = call_checked(ROUTINE, dst, HAS_SOURCE ? src : n, n);
    const char *why = judge(returned, possible, &settled);
    if (now.abandoned) {
        why = 0;
        settled = 0;
    } else if (now.kernel_faults && possible < n) {
        why = "no fault in the kernel's block";
    } else if (abi_broken) {
        why = "callee-saved register changed";
    }
    for (ulong i = -(ulong)MARGIN; i != n + MARGIN; i++) {
        if (!accessible(DST_HOLE, dst + i))
            continue;
        u8 old = dst_pattern(dst + i), is = BYTE(dst + i);
        if (is == old && i >= settled)
            continue;
        const char *byte_why = judge_byte(i, is, old, settled);
        why = why ? why : byte_why;
        BYTE(dst + i) = old;
    }
    if (why)
        fail(why);
}

/* Looks for writes far from dst and into src. To be called for each size: the calls that follow with a larger one put the
 * pattern back where such a write may be. */
static void check_regions(void)
{
    for (ulong i = 0; i < PART; i++)
        for (ulong part = 0; part < 2; part++) {
            ulong at = part ? PAGE + i : i - PART;
            if (BYTE(DST_HOLE + at) != dst_pattern(DST_HOLE + at) || BYTE(SRC_HOLE + at) != src_pattern(SRC_HOLE + at)) {
                fail("stray write by this call or one before");
                return;
            }
        }
}

static void make_region(ulong hole, u8 (*pattern)(ulong))
{
    ulong start = hole - PART - PAGE;
    if (raw_syscall(SYS_MMAP, start, 2 * PART + 3 * PAGE, PROT_NONE, MAP_PRIVATE_FIXED_ANONYMOUS, -1, 0) != (long)start ||
        raw_syscall(SYS_MPROTECT, hole - PART, PART, PROT_READ_WRITE) != 0 ||
        raw_syscall(SYS_MPROTECT, hole + PAGE, PART, PROT_READ_WRITE) != 0) {
        print("cannot map the regions\n");
        quit(2);
    }
    for (ulong i = 0; i < PART; i++) {
        BYTE(hole - PART + i) = pattern(hole - PART + i);
        BYTE(hole + PAGE + i) = pattern(hole + PAGE + i);
    }
}

/* An access has one entry. */
static void check_table(void)
{
    struct entry *table = NAME(__start_, TABLE);
    now.phase = "fault table";
    if (ENTRIES == 0 || ENTRIES > COUNT(entry_met))
        fail("no fault table, or one that is too long");
    for (ulong i = 0; i < ENTRIES; i++)
        for (ulong j = 0; j < i; j++)
            if ((ulong)&table[i].access + table[i].access == (ulong)&table[j].access + table[j].access)
                fail("two entries for an access");
}

#include "user_phases.h"

int main(void)
{
    make_region(DST_HOLE, dst_pattern);
    make_region(SRC_HOLE, src_pattern);
    catch_signals(on_signal, 300); /* a good routine needs some seconds */

    check_table();
    check_all();
    if (failures)
        return 1;
    ulong met = 0;
    for (ulong i = 0; i < ENTRIES; i++)
        met += entry_met[i];
    print(OP " ");
    print(strengths[STRENGTH]);
    print(BOTH ? ", both user" : "");
    print(__riscv_xlen == 64 ? ", rv64: " : ", rv32: ");
    print_number(calls);
    print(" calls, ");
    print_number(faults);
    print(" faults, ");
    print_number(met);
    print(" of ");
    print_number(ENTRIES);
    print(" entries met, all right\n");
    return 0;
}
