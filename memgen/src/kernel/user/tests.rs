//! What stepped code for user memory promises: nothing paid where no fault comes, a way back from each that does.

use super::*;
use crate::inst::Inst;
use crate::kernel::lower;
use crate::plan::Plan;
use crate::program::Program;
use crate::spec::{Count, Fault, Op, Shape, Small, Spec, UserMemory};

fn stepped(op: Op) -> Spec {
    Spec {
        op,
        shape: Shape::Stepped,
        ..Spec::default()
    }
}

fn program(spec: &Spec) -> Program {
    lower(&Plan::new(spec).expect("stepped code can be built"))
}

/// Specs that differ in what a fault may stop.
fn variants() -> Vec<Spec> {
    let plain = stepped(Op::CopyToUser);
    let mut all = Vec::new();
    for small in [Small::Ladder, Small::Loop, Small::Jump] {
        for overread in [None, Some(OverRead::None)] {
            for (isa, regs) in [
                ("rv64i", 12),
                ("rv64i_zbkb", 10),
                ("rv32e", 2),
                ("rv32i", 11),
            ] {
                all.push(Spec {
                    small,
                    overread,
                    isa: Some(isa.to_owned()),
                    regs: Count::Exactly(regs),
                    unroll: Count::Exactly(12),
                    ..plain.clone()
                });
            }
        }
    }
    all
}

/// Instructions in front of what follows a fault.
fn ahead_of_fault(program: &Program) -> Vec<Inst> {
    let lines = program.items().iter();
    let ahead = lines.take_while(|line| {
        !matches!(line, Item::Label(label) if program.label_name(*label).starts_with("fault"))
    });
    ahead
        .filter_map(|line| match line {
            Item::Inst(inst) => Some(*inst),
            _ => None,
        })
        .collect()
}

/// A copy that no fault stops pays nothing: but for the count that is returned, it has as many instructions as a memcpy.
#[test]
fn the_way_without_a_fault_is_that_of_memcpy() {
    for spec in variants() {
        let copy = program(&Spec {
            op: Op::Memcpy,
            ..spec.clone()
        });
        let returns = copy.instructions().filter(|inst| **inst == Inst::Return);
        let most = copy.instructions().count() + returns.count();
        let ahead = ahead_of_fault(&program(&spec)).len();
        assert_eq!(ahead, most, "{}", spec.command_line());
    }
}

/// A weaker promise takes less code behind a fault.
#[test]
fn what_follows_a_fault_is_as_long_as_the_promise() {
    for spec in variants() {
        let bytes = |fault| {
            program(&Spec {
                fault: Some(fault),
                ..spec.clone()
            })
            .code_bytes()
        };
        let [exact, one, coarse] = [Fault::Exact, Fault::AtLeastOne, Fault::Coarse].map(bytes);
        assert!(exact > one && one > coarse, "{}", spec.command_line());
    }
}

/// Each access to user memory recovers at a label of the routine's end, and no other does.
#[test]
fn accesses_of_the_user_recover_and_no_others() {
    for spec in variants() {
        for user in [None, Some(UserMemory::Both)] {
            let spec = Spec {
                user,
                ..spec.clone()
            };
            let program = program(&spec);
            for inst in program.instructions() {
                let users = match *inst {
                    Inst::Load { base, .. } => user.is_some() && base != Reg::SP,
                    Inst::Store { base, .. } => base != Reg::SP,
                    _ => false,
                };
                assert_eq!(
                    inst.recovery().is_some(),
                    users,
                    "{}: {inst:?}",
                    spec.command_line()
                );
            }
            for label in program.instructions().filter_map(Inst::recovery) {
                let name = program.label_name(label);
                assert!(name.starts_with("fault"), "{}: {name}", spec.command_line());
            }
            assert_eq!(program.unreachable().next(), None);
            let arguments = [Reg::A0, Reg::A1, Reg::A2].into_iter().collect();
            assert!(program.reads_undefined(arguments).is_empty());
        }
    }
}

/// A fault inside the frame takes it down again.
#[test]
fn a_frame_is_left_on_both_ways() {
    let spec = Spec {
        regs: Count::Exactly(12),
        unroll: Count::Exactly(12),
        ..stepped(Op::CopyFromUser)
    };
    let program = program(&spec);
    let steps: Vec<i32> = program
        .instructions()
        .filter_map(|inst| match *inst {
            Inst::Imm {
                rd: Reg::SP, imm, ..
            } => Some(imm),
            _ => None,
        })
        .collect();
    assert_eq!(steps, [-16, 16, 16]);
}

#[test]
fn clear_user_stores_zero_and_loads_nothing() {
    for small in [Small::Ladder, Small::Loop, Small::Jump] {
        let spec = Spec {
            small,
            ..stepped(Op::ClearUser)
        };
        let program = program(&spec);
        for inst in program.instructions() {
            match *inst {
                Inst::Store { src, recover, .. } => {
                    assert!(src == Reg::ZERO && recover.is_some(), "{small}: {inst:?}");
                }
                Inst::Load { .. } => panic!("{small}: {inst:?}"),
                _ => {}
            }
        }
    }
}
