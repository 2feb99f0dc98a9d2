#!/usr/bin/env bash
# Builds the program for RV64 and RV32, with assembly and with portable Rust, and runs each under QEMU.
#
# Needs qemu-system-riscv64 and qemu-system-riscv32 (Debian: qemu-system-misc), and a `core` for the two targets:
#   rustup target add riscv64gc-unknown-none-elf riscv32imac-unknown-none-elf
# or, on Debian, one that is built from source, once: apt install rustc-web rust-web-src binutils-riscv64-unknown-elf
set -euo pipefail
cd "$(dirname "$0")"

# A folder of its own: the compiler may be another one than that of the rest of the project.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$(cd ../.. && pwd)/target}/bare-metal
debian_rustc=/usr/bin/rustc

for emulator in qemu-system-riscv64 qemu-system-riscv32; do
    if ! command -v $emulator >/dev/null; then
        echo "no $emulator: install QEMU for RISC-V machines (Debian: qemu-system-misc)" >&2
        exit 1
    fi
done

# The library's source that belongs to Debian's compiler.
library() {
    local release
    release=$("$debian_rustc" --version 2>&1 | cut -d' ' -f2) && echo "/usr/src/rustc-$release/library"
}

# A folder that rustc takes for its own, with a core for target $1 in it.
built_core() {
    local sysroot=$CARGO_TARGET_DIR/sysroot/$(basename "$(dirname "$(library)")")
    local lib=$sysroot/lib/rustlib/$1/lib
    if [[ ! -e $lib/libcompiler_builtins.rlib ]]; then
        echo "building core for $1 from $(library)" >&2
        mkdir -p "$lib"
        local rustc=(env RUSTC_BOOTSTRAP=1 "$debian_rustc" --edition 2024 --crate-type rlib --target "$1" --out-dir "$lib"
            -C opt-level=1 -C panic=abort -C embed-bitcode=no -Z force-unstable-if-unmarked --cap-lints allow)
        "${rustc[@]}" --crate-name core "$(library)/core/src/lib.rs"
        # The routines that it would hold are memgen's, and none of the others is called.
        "${rustc[@]}" --crate-name compiler_builtins -L "$lib" - <<<'#![feature(compiler_builtins)] #![compiler_builtins] #![no_std]'
    fi
    echo "$sysroot"
}

# Sets the environment in which cargo can build for target $1.
prepare() {
    local name=${1^^}
    name=CARGO_TARGET_${name//-/_}
    if [[ -d $(rustc --print sysroot)/lib/rustlib/$1/lib ]]; then
        return
    elif [[ -x $debian_rustc && -d $(library)/core ]] && command -v riscv64-unknown-elf-ld >/dev/null; then
        local sysroot
        sysroot=$(built_core "$1")
        export RUSTC=$debian_rustc
        export "${name}_RUSTFLAGS=--sysroot=$sysroot -C linker=riscv64-unknown-elf-ld -C linker-flavor=ld -C link-arg=-melf${1:5:2}lriscv"
    else
        echo "no core for $1: run 'rustup target add $1', or install Debian's rustc-web, rust-web-src and binutils-riscv64-unknown-elf" >&2
        exit 1
    fi
}

for target in riscv64gc-unknown-none-elf riscv32imac-unknown-none-elf; do
    for features in "" portable; do
        (
            prepare "$target"
            cargo build --quiet --release --locked --target "$target" --features "$features"
            # The counter counts instructions only if they are what QEMU's clock goes by.
            timeout 120 "qemu-system-${target:0:7}" -machine virt -bios none -nographic -icount shift=0 \
                -kernel "$CARGO_TARGET_DIR/$target/release/memgen-example-bare-metal"
        )
    done
done
