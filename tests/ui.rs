//! What a user of the attributes sees: messages at the arguments they are about, and functions that compile and run.

/// `.stderr` files hold what rustc prints; `TRYBUILD=overwrite cargo test -p memgen-macros --test ui` writes them.
#[test]
fn attributes_in_a_users_crate() {
    let cases = trybuild::TestCases::new();
    cases.pass("../tests/ui/pass/*.rs");
    cases.compile_fail("../tests/ui/*.rs");
}
