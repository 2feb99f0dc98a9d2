//! The linux frame without the kernel's headers.

use crate::isa::Isa;

/// What asm/asm-extable.h defines: an entry of two distances, a type and data.
const EXTABLE: &str = "\
	.macro	_asm_extable, insn, fixup
	.pushsection	__ex_table, \"a\"
	.balign	4
	.long	((\\insn) - .)
	.long	((\\fixup) - .)
	.short	1
	.short	0
	.popsection
	.endm
";

/// `text` with the macros spelled out as the kernel's headers define them: linux/linkage.h, asm/asm.h, asm/csr.h, asm/asm-extable.h; and
/// uncompressed, which is the form that is proven.
pub(super) fn expand(text: &str, isa: &Isa) -> String {
    let mut plain = "\t.text\n\t.option norvc\n\t.option norelax\n".to_owned();
    let (pointer, pointer_bytes) = match isa.xlen {
        64 => (".dword", "8"),
        _ => (".word", "4"),
    };
    for line in text.lines() {
        let macro_call = line.strip_suffix(')').and_then(|call| call.split_once('('));
        plain += &match macro_call {
            Some(("SYM_FUNC_START", name)) => {
                format!("\t.globl\t{name}\n\t.type\t{name}, @function\n{name}:")
            }
            Some(("SYM_FUNC_END", name)) => format!("\t.size\t{name}, . - {name}"),
            Some((define @ ("SYM_FUNC_ALIAS" | "SYM_FUNC_ALIAS_WEAK"), names)) => {
                let (alias, name) = names.split_once(", ").unwrap_or((names, names));
                let binding = if define == "SYM_FUNC_ALIAS" {
                    "globl"
                } else {
                    "weak"
                };
                format!("\t.{binding}\t{alias}\n\t.set\t{alias}, {name}")
            }
            // A list for modules, which the code has no part in.
            Some(("EXPORT_SYMBOL", _)) => String::new(),
            _ if line == "#include <asm/asm-extable.h>" => EXTABLE.to_owned(),
            _ if line.starts_with("#include") => String::new(),
            _ => line
                .replace("RISCV_SZPTR", pointer_bytes)
                .replace("RISCV_PTR", pointer)
                .replace("CSR_STATUS", "sstatus")
                .replace("SR_SUM", "0x00040000"),
        };
        plain.push('\n');
    }
    plain
}
