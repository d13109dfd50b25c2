//! What must hold for any input. Each module is one target: a function over bytes that panics when a property is
//! broken. `tests/random.rs` runs every target on stable Rust with inputs that `proptest` makes; the same functions
//! are what a coverage-guided fuzzer calls:
//!
//! ```ignore
//! libfuzzer_sys::fuzz_target!(|data: &[u8]| sash_fuzz::markdown::run(data));
//! ```

pub mod formula;
pub mod import;
pub mod lines;
pub mod markdown;
pub mod records;

/// The text in an input, and its first byte, which chooses how the text is cut.
fn text(data: &[u8]) -> (u8, String) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    (*first, String::from_utf8_lossy(rest).into_owned())
}
