//! Properties that must hold for any input. Each module is one target: a function over bytes that
//! panics when a property is violated. `tests/random.rs` runs every target on stable Rust with
//! inputs that `proptest` generates; a coverage-guided fuzzer calls the same functions:
//!
//! ```ignore
//! libfuzzer_sys::fuzz_target!(|data: &[u8]| sash_fuzz::markdown::run(data));
//! ```

pub mod formula;
pub mod import;
pub mod lines;
pub mod markdown;
pub mod records;

/// Splits an input into its first byte, which chooses how the text is cut, and the text.
fn text(data: &[u8]) -> (u8, String) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    (*first, String::from_utf8_lossy(rest).into_owned())
}
