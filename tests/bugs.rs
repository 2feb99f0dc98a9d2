//! The bugs that memory routines have had in the field, as tests named after the class. Most have two halves: the emitted routine
//! is right at the row's input, shown by its proof, and a routine with that bug is refuted, under the contract one expects.
//!
//! Every row of the bug log in its own test, or here, with the reason why it is no matter for memcpy, memmove and memset in base
//! RISC-V assembly:
//!
//! | row | why there is no test |
//! |---|---|
//! | 6 | user copies: state of the user-access bit after a fault |
//! | 7 | user copies: bytes reported after a fault |
//! | 8 | user copies: bytes reported, and touched, after a fault |
//! | 9 | user copies: progress lost in a block that faults |
//! | 10 | user copies: fixes not carried along; the shift count itself is row 4 |
//! | 18 | vectors: scalar and vector misalignment are two questions |
//! | 31 | user copies: the window of user access |
//! | 32 | vectors: `vstart` of a core after a fault |
//! | 43 | other architectures: size of the cache block that an instruction zeroes |
//! | 53 | other architectures: a compiler vectorised a byte loop; assembly passes no compiler |
//! | 55 | user copies: the recovery label of an access |
//! | 56 | user copies: an access without a recovery label |
//! | 57 | user copies: count after a fault among unrolled loads |
//! | 62 | garbage collectors: pointers written in pieces while another thread looks |
//! | 67 | emulators: a trap handler skipped misaligned accesses |
//! | 68 | emulators: low address bits dropped |
//! | 69 | emulators: sign extension of an emulated load |
//!
//! With a test: 1, 4, 13, 15, 16, 17, 20, 28, 29, 46, 50 in `alignment`; 3, 5, 12, 22, 35, 37, 39, 40, 44, 45 in `lengths`;
//! 19, 49 in `fills`; 34, 61, 63 in `overlap`; 21, 24, 26, 27, 30, 33, 42, 47, 54 in `registers` and `frames`. These look into code
//! that steps, where they change some; `entered` has the same classes in code that is entered by computed jumps.

mod support;

#[path = "bugs/alignment.rs"]
mod alignment;
#[path = "bugs/entered.rs"]
mod entered;
#[path = "bugs/fills.rs"]
mod fills;
#[path = "bugs/frames.rs"]
mod frames;
#[path = "bugs/lengths.rs"]
mod lengths;
#[path = "bugs/overlap.rs"]
mod overlap;
#[path = "bugs/registers.rs"]
mod registers;
#[path = "bugs/routines.rs"]
mod routines;
