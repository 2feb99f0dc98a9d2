/* Where user.c lets faults happen. */

/* How a block lies that has all its n bytes accessible: against the inaccessible bytes before or behind it, in the middle. */
enum place { AT_START, AT_END, IN_MIDDLE, PLACES };
static const char *const places[] = {"at start", "at end", "in middle"};

static ulong whole(ulong hole, enum place place, ulong n, ulong shift)
{
    return place == AT_START ? hole + PAGE + shift : place == AT_END ? hole - n - shift : hole - PART + MIDDLE + shift;
}

/* The two sides of a copy; which of them faults. */
enum side { DST, SRC };
static int user_side(enum side side) { return side == DST ? USER_DESTINATION : USER_SOURCE; }

static const unsigned short large_sizes[] = {383, 384, 385, 511, 512, 513, 600, 1000, 1024, 1025, 2049, 4096, 4097, 8192};
/* These reach beyond the hole. */
static const unsigned short long_sizes[] = {PAGE + 1, PAGE + 2, PAGE + 7, PAGE + 8, PAGE + 64, PAGE + 300, 5000, 2 * PAGE, 8200};

/* One side at the address, the other whole, in turn against either end, at each of its residues. */
static void check_side(enum side side, ulong at, ulong n)
{
    for (ulong i = 0; i < OTHER_RESIDUES; i++) {
        ulong residue = OTHER_RESIDUES == 8 ? i : (at + n + 3 * i) % 8;
        ulong other = whole(side == DST ? SRC_HOLE : DST_HOLE, (at + residue) % 2 ? AT_START : AT_END, n, residue);
        check(side == DST ? at : other, side == DST ? other : at, n);
        if (!HAS_SOURCE)
            break;
    }
}

/* n = 0 must not touch memory, whatever the pointers. */
static void check_empty(void)
{
    static const ulong wild[] = {0, 1, -1ul};
    now.phase = "empty";
    for (ulong i = 0; i < COUNT(wild); i++)
        for (ulong j = 0; j < COUNT(wild); j++) {
            now.n = 0;
            if (call_checked(ROUTINE, wild[i], HAS_SOURCE ? wild[j] : 0, 0) != 0)
                fail("n = 0 does not return 0");
            calls++;
        }
}

static void check_whole(ulong n)
{
    for (enum place place = 0; place < PLACES; place++) {
        now.phase = places[place];
        for (ulong d = 0; d < 8; d++)
            for (ulong s = 0; s < (HAS_SOURCE ? 8 : 1); s++)
                check(whole(DST_HOLE, place, n, d), whole(SRC_HOLE, place, n, s), n);
    }
}

/* Each byte of the block in turn is the first that faults, or every `step`-th one and those at both ends. */
static void check_ends(enum side side, ulong n, ulong step)
{
    now.phase = side == DST ? "hole in dst" : "hole in src";
    for (ulong k = 0; k <= n; k += k < 20 || k + 20 > n ? 1 : step)
        check_side(side, (side == DST ? DST_HOLE : SRC_HOLE) - k, n);
}

/* The first bytes of the block fault, those behind them would not. */
static void check_starts(enum side side, ulong n)
{
    now.phase = side == DST ? "dst starts in the hole" : "src starts in the hole";
    for (ulong inside = 1; inside <= n && inside < PAGE; inside += inside < 18 ? 1 : 61)
        check_side(side, (side == DST ? DST_HOLE : SRC_HOLE) + PAGE - inside, n);
}

/* The block goes on behind the hole. */
static void check_across(enum side side, ulong n)
{
    now.phase = side == DST ? "dst across the hole" : "src across the hole";
    for (ulong k = 0; k + PAGE < n && k < PART; k += k < 9 ? 1 : 397)
        check_side(side, (side == DST ? DST_HOLE : SRC_HOLE) - k, n);
}

/* Both blocks fault, at bytes that are near each other. */
static void check_both(ulong n, ulong step)
{
    static const short apart[] = {-257, -72, -64, -33, -16, -9, -8, -7, -4, -1, 0, 1, 2, 3, 5, 7, 8, 9, 15, 31, 65, 129, 500};
    now.phase = "both";
    for (ulong k = 0; k <= n; k += step)
        for (ulong i = 0; i < COUNT(apart); i++)
            if (k + apart[i] <= n)
                check(DST_HOLE - k, SRC_HOLE - (k + apart[i]), n);
}

/* The kernel's block faults: its accesses have no entries. */
static void check_kernel_side(enum side side, ulong n, ulong step)
{
    now.phase = "kernel's block";
    now.kernel_faults = 1;
    for (ulong k = 0; k < n; k += step) {
        ulong at = (side == DST ? DST_HOLE : SRC_HOLE) - k;
        for (ulong residue = k % 2; residue < 8; residue += 2) {
            ulong other = whole(side == DST ? SRC_HOLE : DST_HOLE, AT_END, n, residue);
            check(side == DST ? at : other, side == DST ? other : at, n);
        }
    }
    now.kernel_faults = 0;
}

static void check_all(void)
{
    check_empty();
    for (ulong i = 0; i <= 300 + COUNT(large_sizes) + COUNT(long_sizes); i++) {
        int small = i <= 300, large = !small && i <= 300 + COUNT(large_sizes);
        ulong n = small ? i : large ? large_sizes[i - 301] : long_sizes[i - 301 - COUNT(large_sizes)];
        ulong step = small ? 1 : n <= 600 ? 3 : 61;
        check_whole(n);
        for (enum side side = DST; side <= (HAS_SOURCE ? SRC : DST); side++) {
            if (user_side(side)) {
                check_ends(side, n, step);
                check_starts(side, n);
                check_across(side, n);
            } else if (n <= 300 || n % 512 == 1) {
                check_kernel_side(side, n, n <= 40 ? 1 : 7);
            }
        }
        if (BOTH)
            check_both(n, n <= 64 ? 1 : n <= 600 ? 7 : 251);
        check_regions();
    }
}
