//! The key of a backup, as a person has it.

use crate::BackupKey;

/// The digits of a key.
const KEY_DIGITS: usize = 64;

/// The key in a text: the key alone, the line of its file, or the address that Sash prints.
#[must_use]
pub fn parse_backup_key(text: &str) -> Option<BackupKey> {
    let text = text.trim();
    let parts = text.rsplit('#').next().unwrap_or(text).split('&');
    let mut keys = parts.map(|part| part.strip_prefix("b=").unwrap_or(part));
    let is_key = |key: &&str| key.len() == KEY_DIGITS && key.bytes().all(|b| b.is_ascii_hexdigit());
    keys.find(is_key)
        .map(|key| BackupKey(key.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_in_what_a_person_has() {
        let key = "0123456789abcdef".repeat(4);
        for text in [
            key.clone(),
            format!("  {}\n", key.to_uppercase()),
            format!("http://127.0.0.1:7274/#b={key}"),
            format!("http://192.0.2.1:7274/#t={}&b={key}", "x".repeat(64)),
        ] {
            assert_eq!(
                parse_backup_key(&text),
                Some(BackupKey(key.clone())),
                "{text}"
            );
        }
        for text in ["", "short", "http://127.0.0.1:7274/", &format!("{key}0")] {
            assert_eq!(parse_backup_key(text), None, "{text}");
        }
    }
}
