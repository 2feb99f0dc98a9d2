//! Assembly alone, behind the cfg of its target: elsewhere there is nothing, and no error.

macro_rules! routine {
    ($name:ident, $unroll:literal) => {
        #[memgen_macros::memcpy_variant(emit = "asm", unroll = $unroll, avoid = "t6")]
        #[cfg(target_arch = "riscv64")]
        pub unsafe extern "C" fn $name(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;
    };
}
routine!(copy, 16);

#[cfg(target_arch = "riscv64")]
#[memgen_macros::memmove_variant(emit = "asm", preset = "kernel")]
unsafe extern "C" fn slide(dst: *mut u8, src: *const u8, n: usize) -> *mut u8;

#[cfg(target_arch = "riscv64")]
#[memgen_macros::memset_variant(emit = "asm", isa = "rv64i_zicboz", zero_block = 64)]
unsafe extern "C" fn fill(dst: *mut u8, c: i32, n: usize) -> *mut u8;

fn main() {}
