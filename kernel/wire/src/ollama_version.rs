//! The Ollama that Sash needs.

/// The first version of Ollama that knows `truncate` and `shift` in a chat (its pull request 12582, of October 2025). An
/// older one ignores them, and cuts a prompt that is too long without saying so.
pub const LEAST_OLLAMA: &str = "0.12.6";

/// Whether an Ollama that says this version of itself is older than [`LEAST_OLLAMA`]. One whose version cannot be read is
/// not, nor is 0.0.0: one that somebody built says that.
#[must_use]
pub fn is_old_ollama(version: &str) -> bool {
    let version = numbers(version).filter(|version| *version != [0, 0, 0]);
    version.is_some_and(|version| Some(version) < numbers(LEAST_OLLAMA))
}

/// The numbers of a version such as `0.12.6` or `0.12.6-rc1`.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let end = version.find(['-', '+']).unwrap_or(version.len());
    let numbers = version[..end].split('.').map(str::parse);
    let numbers = numbers.collect::<Result<Vec<u32>, _>>().ok()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ollama_that_cuts_in_silence_is_told_from_one_that_does_not() {
        for (version, is_old) in [
            ("0.12.5", true),
            ("0.9.10", true),
            ("0.1.14", true),
            ("0.12.5-rc1", true),
            ("0.12.6", false),
            ("0.12.6-rc0", false),
            ("0.12.10", false),
            ("0.33.0", false),
            ("1.0.0", false),
            // Unknown.
            ("0.0.0", false),
            ("0.0.0+local", false),
            ("", false),
            ("0.9", false),
            ("0.9.1.2", false),
            ("v-next", false),
            ("0.99999999999.1", false),
        ] {
            assert_eq!(is_old_ollama(version), is_old, "{version}");
        }
    }
}
