//! What a user of the attributes sees: messages at the arguments they are about, and functions that compile and run.

/// `.stderr` files hold what rustc prints; `TRYBUILD=overwrite cargo test -p memgen-macros --test ui` writes them.
#[test]
fn attributes_in_a_users_crate() {
    // The crates around the cases are built anew in a folder of their own, which takes a third less time this way.
    // SAFETY: this is the only test of the target, and nothing else reads the environment meanwhile.
    unsafe {
        std::env::set_var("CARGO_PROFILE_DEV_DEBUG", "0");
        std::env::set_var("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    }
    let cases = trybuild::TestCases::new();
    cases.pass("../tests/ui/pass/*.rs");
    cases.compile_fail("../tests/ui/*.rs");
}
