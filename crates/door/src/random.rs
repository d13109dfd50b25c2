//! Secrets that are made, not chosen.

/// Random bytes of the system, two hexadecimal digits each.
///
/// # Errors
/// A clause for the person if the system gives none.
pub fn random_digits<const BYTES: usize>() -> Result<String, String> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|_| "this machine gives no random numbers".to_owned())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
