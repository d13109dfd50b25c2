//! The C compiler for programs that are linked statically with musl.

use std::env::consts::ARCH;

use super::packages;
use crate::{Result, place};

const COMPILER: &str = "musl-gcc";

/// The variable that names the C compiler for a target of musl, and the compiler.
///
/// # Errors
/// There is none. For another processor than this machine's a cross compiler is needed, which the variable names.
pub fn musl_compiler(target: &str) -> Result<(String, String)> {
    let variable = format!("CC_{}", target.replace('-', "_"));
    if let Ok(named) = std::env::var(&variable) {
        return Ok((variable, named));
    }
    if !target.starts_with(ARCH) {
        return Err(format!(
            "{target} is for another processor than this machine's: {variable} must name a C compiler for it"
        ));
    }
    if place::on_path(&[COMPILER]).is_none() {
        packages::install("musl's C compiler", &["musl-tools"]).map_err(|why| {
            format!("{why} It is in the package musl-tools of Debian and Ubuntu.")
        })?;
    }
    Ok((variable, COMPILER.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_processor_needs_a_compiler_that_is_named() {
        let why = musl_compiler("riscv64gc-unknown-linux-musl").unwrap_err();
        assert!(why.contains("CC_riscv64gc_unknown_linux_musl"), "{why}");
    }
}
