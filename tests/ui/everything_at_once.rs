use memgen_macros::memset_variant;

#[memset_variant(unrol = 16, small = "lop", isa = "rv64q", section = "")]
extern "C" fn fill(dst: *mut u8, c: u8, n: usize) {}

fn main() {
    let mut bytes = [0; 8];
    fill(bytes.as_mut_ptr(), 1, bytes.len());
}
