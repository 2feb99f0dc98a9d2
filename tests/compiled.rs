//! Proves what a compiler made of Rust kernels, and shows that mistakes in it are refused: of the kinds that a kernel's author, a
//! compiler and its stack can make.
//!
//! The kernels are kept as the assembly that rustc printed, so that no later compiler changes what is broken here.

mod support;

use std::time::Instant;

use memgen::Spec;
use memgen::verify::{
    Assembler, Contract, CounterExample, Effort, Proof, VerifyError, verify_object,
};
use support::{announce, spec};

/// Bytes below sp that the kernels may use.
const STACK_BYTES: u32 = 512;

/// A compiled kernel.
struct Kernel {
    flags: &'static str,
    text: &'static str,
}

const COPY: Kernel = Kernel {
    flags: "--shape stepped --overread none",
    text: include_str!("compiled/copy_rv64_level2.s"),
};
const MOVE: Kernel = Kernel {
    flags: "--shape stepped --overread none --op memmove --xlen 32",
    text: include_str!("compiled/move_rv32_size.s"),
};
const SET: Kernel = Kernel {
    flags: "--shape stepped --op memset",
    text: include_str!("compiled/set_rv64_debug.s"),
};

impl Kernel {
    fn spec(&self) -> Spec {
        let mut asked = spec(self.flags);
        asked.symbol = Some("fast_copy".to_owned());
        asked
    }

    /// Proves `text` against this kernel's spec.
    fn verify(&self, text: &str, effort: Effort) -> Result<Proof, VerifyError> {
        let asked = self.spec();
        let plan = memgen::Plan::new(&asked).unwrap();
        let object = Assembler::Rustc.assemble(&asked, plan.isa(), text).unwrap();
        verify_object(&asked, &object, STACK_BYTES, effort, &|_, _| ())
    }

    /// The counter-example that `text` gets.
    fn refuted(&self, text: &str, effort: Effort) -> CounterExample {
        match self.verify(text, effort) {
            Err(VerifyError::Refuted(example)) => *example,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("proven:\n{text}"),
        }
    }
}

#[test]
fn compiled_kernels_are_proven() {
    for (name, kernel) in [("memcpy", COPY), ("memmove", MOVE), ("memset", SET)] {
        let started = Instant::now();
        let effort = match name {
            "memmove" => Effort::Reduced,
            _ => Effort::Full,
        };
        let proof = kernel
            .verify(kernel.text, effort)
            .unwrap_or_else(|error| panic!("{error}"));
        announce(&format!(
            "proven: compiled {name}: {} cases, {} instructions, {} bytes of code in {:.1} s",
            proof.cases,
            proof.instructions,
            proof.code_bytes,
            started.elapsed().as_secs_f64()
        ));
        // Some of it is compressed.
        let lines = kernel.text.lines().filter(|line| line.starts_with('\t'));
        let insts = lines.filter(|line| !line.starts_with("\t.")).count() as u64;
        assert!(2 * insts < proof.code_bytes && proof.code_bytes < 4 * insts - 40);
    }
}

/// A mistake: what the kernel says, what it says instead, and the contract that this breaks.
type Mistake = (&'static str, &'static str, Contract);

const IN_COPY: [Mistake; 16] = [
    // A mask that lets every other residue pass for aligned.
    (
        "andi\ta6, a1, 7\n\tbeqz",
        "andi\ta6, a1, 3\n\tbeqz",
        Contract::Accesses,
    ),
    ("andi\ta3, a0, 7", "andi\ta3, a0, 6", Contract::Accesses),
    // A block for a byte less than it takes.
    ("li\ta6, 31", "li\ta6, 30", Contract::Loads),
    ("sd\tt0, 24(a3)", "sd\tt0, 32(a3)", Contract::Bytes),
    // One byte before the source.
    ("mv\ta5, a1\n.L7", "addi\ta5, a1, -1\n.L7", Contract::Loads),
    ("lbu\tt0, 0(a5)", "lhu\tt0, 0(a5)", Contract::Accesses),
    ("slli\ta7, a6, 3", "slli\ta7, a6, 2", Contract::Bytes),
    ("slli\tt0, t0, 56", "slli\tt0, t0, 57", Contract::Bytes),
    // The word before the last one is merged again.
    ("mv\ta4, a5\n", "", Contract::Bytes),
    // Asks the byte that was loaded, not the address.
    ("andi\ta5, a4, 7", "andi\ta5, a5, 7", Contract::Decisions),
    // Which block lies below the other is nobody's business.
    (
        "bltu\ta2, a3, .L10",
        "bltu\ta0, a1, .L10",
        Contract::Decisions,
    ),
    (
        "addi\ta5, a5, 1\n\tor",
        "addi\ta5, a5, 0\n\tor",
        Contract::Work,
    ),
    (
        "li\tt0, 64\n",
        "li\ts0, 3\n\tli\tt0, 64\n",
        Contract::Registers,
    ),
    (".L13:\n", ".L13:\n\taddi\ta0, a0, 1\n", Contract::Return),
    ("li\ta4, 0\n", "li\tra, 0\n\tli\ta4, 0\n", Contract::Work),
    ("j\t.L12\n", "ebreak\n", Contract::Work),
];

const IN_MOVE: [Mistake; 7] = [
    ("bgeu\ta3, a2, .L13", "bgeu\ta2, a3, .L13", Contract::Loads),
    // The funnel's second shift by one bit too few, its first by one too many, and both.
    ("xori\ta7, a6, 31", "xori\ta7, a6, 30", Contract::Bytes),
    ("slli\ta5, t2, 1", "slli\ta5, t2, 2", Contract::Bytes),
    ("slli\ta5, t2, 1", "mv\ta5, t2", Contract::Bytes),
    ("addi\tt0, a4, 4\n", "addi\tt0, a4, 3\n", Contract::Bytes),
    ("li\ta1, 8\n", "li\ta1, 7\n", Contract::Loads),
    ("neg\ta1, a7", "mv\ta1, a7", Contract::Bytes),
];

const IN_SET: [Mistake; 10] = [
    // Below the limit, below sp, in the caller's frame.
    (
        "addi\tsp, sp, -96",
        "addi\tsp, sp, -528",
        Contract::Registers,
    ),
    ("sd\ta0, 8(sp)", "sd\ta0, -8(sp)", Contract::Registers),
    ("sd\ta0, 8(sp)", "sd\ta0, 96(sp)", Contract::Registers),
    ("addi\tsp, sp, 96", "addi\tsp, sp, 80", Contract::Registers),
    // What was never stored, half a pointer, a byte of it that tells where it lies.
    (
        "ld\ta0, 8(sp)\n\taddi",
        "ld\ta0, 0(sp)\n\taddi",
        Contract::Return,
    ),
    ("sd\ta1, 80(sp)", "sw\ta1, 80(sp)", Contract::Decisions),
    ("lbu\ta0, 24(sp)", "lbu\ta0, 25(sp)", Contract::Decisions),
    ("sd\ta0, 24(sp)", "sd\ta0, 26(sp)", Contract::Accesses),
    // The fill's upper bytes.
    ("zext.b\ta0, a0", "mv\ta0, a0", Contract::Bytes),
    ("slli\ta1, a0, 32", "slli\ta1, a0, 31", Contract::Bytes),
];

#[test]
fn mistakes_in_compiled_code_are_refused() {
    let mut wrong = Vec::new();
    let mistakes = [
        (COPY, &IN_COPY[..]),
        (MOVE, &IN_MOVE[..]),
        (SET, &IN_SET[..]),
    ];
    for (kernel, mistakes) in mistakes {
        for (from, to, contract) in mistakes {
            assert!(
                kernel.text.contains(from),
                "no {from:?} in {}",
                kernel.flags
            );
            match kernel.verify(&kernel.text.replacen(from, to, 1), Effort::Reduced) {
                Err(VerifyError::Refuted(example)) if example.contract == *contract => {}
                Err(other) => wrong.push(format!("{from:?} to {to:?}: {other}")),
                Ok(_) => wrong.push(format!("{from:?} to {to:?}: proven")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each block of 32 bytes costs a walk over what is left: no hang, but work that grows with the square of n.
#[test]
fn quadratic_work_is_refused() {
    let walk = "ld\ta5, 0(a1)\n\tld\ta4, 8(a1)";
    assert!(COPY.text.contains(walk));
    let text = format!("mv\tt3, a2\n1:\n\taddi\tt3, t3, -1\n\tbnez\tt3, 1b\n\t{walk}");
    let example = COPY.refuted(&COPY.text.replacen(walk, &text, 1), Effort::Full);
    assert_eq!(example.contract, Contract::Work);
    assert!(example.call.contains("n = 4095"), "{}", example.call);
}

/// A counter-example of compiled code shows instructions.
#[test]
fn counter_examples_of_compiled_code_can_be_read() {
    let shown = [
        COPY.refuted(
            &COPY.text.replacen("slli\ta7, a6, 3", "slli\ta7, a6, 2", 1),
            Effort::Reduced,
        ),
        SET.refuted(
            &SET.text.replacen("slli\ta1, a0, 32", "slli\ta1, a0, 31", 1),
            Effort::Reduced,
        ),
        SET.refuted(
            &SET.text
                .replacen("addi\tsp, sp, -96", "addi\tsp, sp, -528", 1),
            Effort::Reduced,
        ),
    ];
    let shown: Vec<String> = shown.iter().map(CounterExample::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

/// Code that a linker would change is none that can be proven.
#[test]
fn calls_are_refused() {
    let text = COPY.text.replacen("j\t.L12\n", "call\tmemcpy\n", 1);
    match COPY.verify(&text, Effort::Reduced) {
        Err(VerifyError::Object(error)) => {
            assert!(
                error.contains("relocation") && error.contains("memcpy"),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// A byte loop whose end is found by an order of addresses, `COMPARE` being what decides; `a3` is the last byte, `t0` the one
/// behind.
fn ordered(compare: &str) -> String {
    format!(
        "\t.globl\tfast_copy\n\t.type\tfast_copy, @function\nfast_copy:\n\
         \tmv\ta4, a0\n\tbeqz\ta2, 3f\n\tadd\tt0, a0, a2\n\taddi\ta3, t0, -1\n\
         1:\n\tlbu\ta5, 0(a1)\n\tsb\ta5, 0(a4)\n\t{compare}\n\
         2:\n\taddi\ta4, a4, 1\n\taddi\ta1, a1, 1\n\tj\t1b\n\
         3:\n\tret\n\t.size\tfast_copy, . - fast_copy\n"
    )
}

/// Addresses inside a block are in order wherever it lies. The one behind it is 0 where the block ends at the top of the address
/// space, and above all others elsewhere.
#[test]
fn the_order_of_addresses_counts_inside_a_block_only() {
    for compare in [
        "bltu\ta4, a3, 2f\n\tret",
        "bgeu\ta4, a3, 3f",
        "sltu\ta5, a4, a3\n\tbeqz\ta5, 3f",
    ] {
        COPY.verify(&ordered(compare), Effort::Full)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    for compare in [
        // The byte behind the block as an end.
        "addi\tt1, a4, 1\n\tbgeu\tt1, t0, 3f",
        "addi\tt1, a4, 1\n\tsltu\tt1, t1, t0\n\tbeqz\tt1, 3f",
        // Signed: wrong where a block lies across the middle.
        "bge\ta4, a3, 3f",
        // Of another block.
        "bgeu\ta4, a1, 3f",
    ] {
        let example = COPY.refuted(&ordered(compare), Effort::Full);
        assert_eq!(example.contract, Contract::Decisions, "{compare}");
    }
}
