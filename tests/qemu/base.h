/* What the harnesses share: types, printing, leaving. No C library. */
typedef unsigned char u8;
typedef unsigned long ulong;

/* start.S */
long raw_syscall(long number, ...);
ulong call_checked(const void *fn, ulong a0, ulong a1, ulong a2);
extern unsigned abi_broken;

enum { SYS_WRITE = 64, SYS_EXIT = 93, SYS_SETITIMER = 103, SYS_SIGACTION = 134, SYS_MMAP = 222, SYS_MPROTECT = 226 };
enum { PROT_NONE = 0, PROT_READ_WRITE = 3, MAP_PRIVATE_FIXED_ANONYMOUS = 0x32 };
enum { SA_SIGINFO = 4 };
enum { SIGILL = 4, SIGTRAP = 5, SIGBUS = 7, SIGSEGV = 11, SIGALRM = 14 };

/* The registers that a signal handler's context holds, pc first; they follow flags, link, stack and signal mask. */
#define SAVED_REGISTERS(context) ((ulong *)((u8 *)(context) + (sizeof(ulong) == 8 ? 176 : 160)))

#define PAGE 0x1000ul
#define BYTE(address) (*(volatile u8 *)(address))
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void print(const char *s)
{
    ulong n = 0;
    while (s[n])
        n++;
    raw_syscall(SYS_WRITE, 1, s, n);
}

static void print_number(ulong v)
{
    char text[24], *p = text + sizeof text;
    *--p = 0;
    do
        *--p = '0' + v % 10;
    while (v /= 10);
    print(p);
}

static void quit(int status)
{
    raw_syscall(SYS_EXIT, status);
    __builtin_unreachable();
}

/* Sends what may go wrong to `handler`, and SIGALRM after `seconds`. */
static void catch_signals(void (*handler)(int, void *, void *), long seconds)
{
    struct {
        void (*handler)(int, void *, void *);
        ulong flags, mask[8];
    } action = {.handler = handler, .flags = SA_SIGINFO};
    static const u8 signals[] = {SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGALRM};
    const long limit[] = {0, 0, seconds, 0};

    for (ulong i = 0; i < COUNT(signals); i++)
        raw_syscall(SYS_SIGACTION, signals[i], &action, 0, 8);
    raw_syscall(SYS_SETITIMER, 0, limit, 0);
}
