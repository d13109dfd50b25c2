//! The key of an engine, which nothing but its requests may contain.

use reqwest::header::HeaderValue;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of a key file that are read.
const MAX_KEY_BYTES: u64 = 16 * 1024;

/// A key. It is never printed: its `Debug` form is a placeholder.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    key: String,
    header: HeaderValue,
}

impl ApiKey {
    /// Reads a key from a file; white space around it is ignored.
    ///
    /// # Errors
    /// Why the file cannot be used, as a clause without the file's text.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut text = String::new();
        let read =
            File::open(path).and_then(|file| file.take(MAX_KEY_BYTES).read_to_string(&mut text));
        read.map_err(|error| format!("it cannot be read ({error})"))?;
        Self::new(text.trim())
    }

    /// A key from its text.
    ///
    /// # Errors
    /// Why the text is no key, as a clause without the text.
    pub fn new(key: &str) -> Result<Self, String> {
        if key.is_empty() {
            return Err("it is empty".to_owned());
        }
        let plain = key.bytes().all(|byte| byte.is_ascii_graphic());
        let header = HeaderValue::from_str(&format!("Bearer {key}"));
        match header {
            Ok(mut header) if plain => {
                header.set_sensitive(true);
                let key = key.to_owned();
                Ok(Self { key, header })
            }
            _ => Err("a key is one line of letters, digits and signs".to_owned()),
        }
    }

    /// The value of the header `Authorization`.
    #[must_use]
    pub fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Whether the key is in a text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        text.contains(&self.key)
    }

    /// A text of the engine without the key in it.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        text.replace(&self.key, "…")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, text: &[u8]) -> Result<ApiKey, String> {
        let name = format!("sash-key-{}-{file}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        let read = ApiKey::read(&path);
        std::fs::remove_file(&path).unwrap();
        read
    }

    #[test]
    fn a_key_is_trimmed_and_never_printed() {
        let key = read("trimmed", b" sk-secret\r\n").unwrap();
        assert_eq!(key.header(), "Bearer sk-secret");
        assert!(key.header().is_sensitive());
        assert!(!format!("{key:?} {:?}", key.header()).contains("secret"));
        assert_eq!(key.scrub("no sk-secret here"), "no … here");
    }

    #[test]
    fn what_is_no_key_is_refused_without_repeating_it() {
        for text in [
            &b""[..],
            b" \n",
            b"two words-secret",
            b"secret\nsecret",
            "schlüssel-secret".as_bytes(),
            b"secret\x01",
            b"\xff\xfesecret",
        ] {
            let why = read("wrong", text).unwrap_err();
            assert!(!why.contains("secret"), "{why}");
        }
        let missing = ApiKey::read(Path::new("/no/such/file")).unwrap_err();
        assert!(missing.contains("cannot be read"), "{missing}");
    }
}
