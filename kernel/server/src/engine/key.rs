//! The key of an engine, which nothing but its requests may contain.

use reqwest::header::HeaderValue;
use std::borrow::Cow;
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

    /// A text of the engine without the key in it, as it is or escaped as in JSON: an error may quote JSON.
    #[must_use]
    pub fn scrub<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut scrubbed = String::new();
        let mut rest = text;
        while let Some((at, length)) = self.find(rest) {
            scrubbed.push_str(&rest[..at]);
            scrubbed.push('…');
            rest = &rest[at + length..];
        }
        match scrubbed.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(scrubbed + rest),
        }
    }

    /// Where the key is in a text, and how long it is there.
    fn find(&self, text: &str) -> Option<(usize, usize)> {
        let first = self.key.chars().next()?;
        let begins = text.match_indices([first, '\\']);
        begins
            .map(|(at, _)| (at, self.length_at_start(&text[at..])))
            .find_map(|(at, length)| Some((at, length?)))
    }

    /// The length of the key at the start of a text.
    fn length_at_start(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        for sign in self.key.chars() {
            rest = without_sign(rest, sign)?;
        }
        Some(text.len() - rest.len())
    }
}

/// The text behind a sign at its start, which may be escaped, also more than once: JSON within a text of JSON.
fn without_sign(text: &str, sign: char) -> Option<&str> {
    const MAX_BACKSLASHES: usize = 8;
    let run = text
        .bytes()
        .take(MAX_BACKSLASHES)
        .take_while(|b| *b == b'\\');
    let escapes = run.count();
    if sign == '\\' {
        return (escapes > 0).then(|| &text[escapes..]);
    }
    let behind = &text[escapes..];
    let numbered = || {
        let digits = behind.strip_prefix('u').filter(|_| escapes > 0)?.get(..4)?;
        let is_sign = u32::from_str_radix(digits, 16) == Ok(sign.into());
        is_sign.then(|| &behind[5..])
    };
    numbered().or_else(|| behind.strip_prefix(sign))
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
    fn a_key_is_found_however_json_writes_it() {
        let key = ApiKey::new(r#"k/1+"u"#).unwrap();
        let json = serde_json::to_string(&key.key).unwrap();
        let twice = serde_json::to_string(&json).unwrap();
        for text in [
            &key.key,
            &json,
            &twice,
            r#"k\/1\u002b\"u"#,
            r#"\u006B\u002F1\u002B\u0022\u0075"#,
        ] {
            let text = format!("a{text}b{text}{}", &text[..1]);
            let scrubbed = key.scrub(&text);
            let left = scrubbed.replace(['a', 'b', '…', '"', '\\'], "");
            assert!(left.len() <= 1, "{text} {scrubbed}");
            assert_eq!(scrubbed.matches('…').count(), 2, "{text} {scrubbed}");
        }
        for other in ["", "k/1+", "\\", "k\\u002", "K/1+", "\\u00", "é\\é"] {
            assert_eq!(key.scrub(other), other);
        }
    }

    #[test]
    fn a_text_of_beginnings_costs_no_more_than_its_length() {
        let key = ApiKey::new("\\\\k").unwrap();
        let time = |length: usize| {
            let text = "\\".repeat(length);
            let started = std::time::Instant::now();
            assert_eq!(key.scrub(&text), text);
            started.elapsed()
        };
        // Ten times the text: a hundred times the time where each beginning is read to the end.
        let (short, long) = (time(50_000), time(500_000));
        assert!(long < short * 40, "{short:?}, {long:?}");
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
