//! The `memgen` command.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    memgen::cli::run()
}
