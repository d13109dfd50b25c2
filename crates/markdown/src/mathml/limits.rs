//! Limits of the length and depth of a formula.

/// The longest formula that is parsed, in bytes.
pub const MAX_BYTES: usize = 8192;

/// The deepest nesting of elements and groups in a formula.
pub const MAX_DEPTH: usize = 64;
