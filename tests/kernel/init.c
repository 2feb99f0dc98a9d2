/* The only process of a kernel whose user copies memgen wrote: reads, writes and clears with blocks that reach into a page that
 * cannot be accessed, and checks that each system call returns the exact number of bytes before it. Then it switches off.
 *
 * What is asked of the kernel here goes through
 *   pread64 of a file in memory    copy_to_user, its count returned as it is (shmem_file_read_iter)
 *   pwrite64 to one                copy_from_user (copy_page_from_iter_atomic)
 *   read of the device zero        clear_user, its count returned as it is (read_zero)
 */
#include "base.h"

enum { SYS_MKNODAT = 33, SYS_OPENAT = 56, SYS_READ = 63, SYS_PREAD64 = 67, SYS_PWRITE64 = 68, SYS_REBOOT = 142 };
enum { AT_FDCWD = -100, O_RDWR_CREAT = 2 | 0100, EFAULT = 14 };

/* Three accessible pages, then one that is not. */
#define PART (3 * PAGE)
#define HOLE 0x80003000ul
#define FILE_BYTES (2 * PAGE)
#define MARGIN 16

static u8 hash(ulong at) { return (unsigned)at * 0x9e3779b1u >> 24; }
/* What memory and the file hold between the calls. */
static u8 memory_pattern(ulong at) { return hash(at) | 1; }
static u8 file_pattern(ulong at) { return hash(at) & 0xfe; }

static u8 content[FILE_BYTES], seen[FILE_BYTES];
static long file, zero;
static ulong calls, faults;

static __attribute__((noreturn)) void power_off(void)
{
    raw_syscall(SYS_REBOOT, 0xfee1dead, 0x28121969, 0x4321fedc, 0);
    for (;;)
        quit(1);
}

static void fail(const char *why, ulong n, ulong k, ulong offset)
{
    print("user copies: ");
    print(why);
    print(", n=");
    print_number(n);
    print(", first inaccessible byte ");
    print_number(k);
    print(", file offset ");
    print_number(offset);
    print("\n");
    power_off();
}

static void must(int right, const char *what)
{
    if (!right) {
        print("user copies: cannot ");
        print(what);
        print("\n");
        power_off();
    }
}

/* What a call returns whose block has n bytes, of which k can be accessed. */
static long expected(ulong n, ulong k)
{
    calls++;
    faults += k < n;
    return k > 0 || n == 0 ? (long)k : -EFAULT;
}

/* Memory below the hole after a call that was to store k bytes at HOLE - k. */
static void check_memory(ulong n, ulong k, ulong offset, int zeros)
{
    for (ulong at = HOLE - k - MARGIN; at < HOLE; at++) {
        ulong i = at - (HOLE - k);
        u8 want = i < k ? zeros ? 0 : file_pattern(offset + i) : memory_pattern(at);
        if (BYTE(at) != want)
            fail(zeros ? "wrong byte after a clear" : "wrong byte after a read", n, k, offset);
        BYTE(at) = memory_pattern(at);
    }
}

static void check(ulong n, ulong k, ulong offset)
{
    if (raw_syscall(SYS_PREAD64, file, HOLE - k, n, offset) != expected(n, k))
        fail("wrong count of a read", n, k, offset);
    check_memory(n, k, offset, 0);

    if (raw_syscall(SYS_PWRITE64, file, HOLE - k, n, offset) != expected(n, k))
        fail("wrong count of a write", n, k, offset);
    ulong end = offset + n + MARGIN;
    if (raw_syscall(SYS_PREAD64, file, seen, end, 0) != (long)end)
        fail("wrong count of a whole read", n, k, offset);
    for (ulong at = 0; at < end; at++)
        if (seen[at] != (at - offset < k ? memory_pattern(HOLE - k + at - offset) : file_pattern(at)))
            fail("wrong byte after a write", n, k, offset);
    if (raw_syscall(SYS_PWRITE64, file, content, end, 0) != (long)end)
        fail("wrong count of a whole write", n, k, offset);
}

static void check_clear(ulong n, ulong k)
{
    if (raw_syscall(SYS_READ, zero, HOLE - k, n) != expected(n, k))
        fail("wrong count of a clear", n, k, 0);
    check_memory(n, k, 0, 1);
}

int main(void)
{
    static const unsigned short sizes[] = {383, 512, 519, 1024, 1031, 2000};
    long mapped = raw_syscall(SYS_MMAP, HOLE - PART, PART + PAGE, PROT_READ_WRITE, MAP_PRIVATE_FIXED_ANONYMOUS, -1, 0);
    must(mapped == (long)(HOLE - PART), "map memory");
    must(raw_syscall(SYS_MPROTECT, HOLE, PAGE, PROT_NONE) == 0, "protect a page");
    must(raw_syscall(SYS_MKNODAT, AT_FDCWD, "/zero", 0020600, 1 << 8 | 5) == 0, "make a device node");
    zero = raw_syscall(SYS_OPENAT, AT_FDCWD, "/zero", 0, 0);
    file = raw_syscall(SYS_OPENAT, AT_FDCWD, "/file", O_RDWR_CREAT, 0600);
    must(zero >= 0 && file >= 0, "open a file");
    for (ulong i = 0; i < PART; i++)
        BYTE(HOLE - PART + i) = memory_pattern(HOLE - PART + i);
    for (ulong i = 0; i < FILE_BYTES; i++)
        content[i] = file_pattern(i);
    must(raw_syscall(SYS_PWRITE64, file, content, FILE_BYTES, 0) == FILE_BYTES, "write a file");

    for (ulong i = 0; i <= 300 + COUNT(sizes); i++) {
        ulong n = i <= 300 ? i : sizes[i - 301];
        for (ulong k = 0; k <= n; k += n <= 300 ? 1 : 7) {
            for (ulong residue = 0; residue < 8; residue++)
                check(n, k, MARGIN + residue);
            check_clear(n, k);
        }
    }
    print("user copies: ");
    print_number(calls);
    print(" calls, ");
    print_number(faults);
    print(" faults, all right\n");
    power_off();
}
