//! The result of a command.

/// Errors are messages for the person who typed the command.
pub type Result<T = ()> = std::result::Result<T, String>;
