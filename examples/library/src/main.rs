//! Makes a memmove for a small core, proves it, then breaks it and shows what the proof says.
//!
//! Run with `cargo run -p memgen-example-library`.

use memgen::verify::{Assembler, VerifyError, verify, verify_text};
use memgen::{Count, Op, Spec, generate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = Spec {
        op: Op::Memmove,
        isa: Some("rv32i".to_owned()),
        unroll: Count::Exactly(4),
        ..Spec::default()
    };
    let text = generate(&spec)?;
    println!(
        "{} makes {} lines",
        spec.command_line(),
        text.lines().count()
    );

    let quiet = |_, _| {};
    let proof = verify(&spec, &Assembler::Rustc, &quiet)?;
    println!(
        "proven: {} cases, {} bytes of code",
        proof.cases, proof.code_bytes
    );

    // The direction test as a signed comparison: a classic.
    let broken = text.replacen("bltu\tt0, a2", "blt\tt0, a2", 1);
    match verify_text(&spec, &broken, &Assembler::Rustc, &quiet) {
        Err(VerifyError::Refuted(example)) => {
            println!("broken on purpose, {example}");
            Ok(())
        }
        Err(other) => Err(other.into()),
        Ok(_) => Err("a broken routine was proven".into()),
    }
}
