//! Two deterministic tokenizers, and an interface for others. Equal text gives equal tokens, so that counts,
//! truncation and the prompt cache behave as with a real model.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// How text is split into tokens.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tokenizer {
    /// Like the recorded models: each character is a token, each run of text begins with a blank, and each
    /// template marker is one token.
    #[default]
    Letters,
    /// Closer to a real model: about four letters per token in English.
    Pieces,
    /// Counts prompts with another vocabulary, in tests that of a real model. Answers are split as with
    /// `Pieces`.
    #[serde(skip)]
    Vocabulary(Vocabulary),
}

/// Text in, tokens out.
type Encode = dyn Fn(&str) -> Vec<u32> + Send + Sync;

/// An external vocabulary.
#[derive(Clone)]
pub struct Vocabulary {
    name: &'static str,
    encode: Arc<Encode>,
}

impl Vocabulary {
    /// Wraps a vocabulary; `encode` gets the runs of text between the template's markers, never a marker.
    pub fn new(
        name: &'static str,
        encode: impl Fn(&str) -> Vec<u32> + Send + Sync + 'static,
    ) -> Self {
        let encode = Arc::new(encode);
        Self { name, encode }
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Ids below this are reserved for the beginning-of-text token and the markers.
const OWN: u32 = 5;

const MARKERS: [&str; 2] = ["<|im_start|>", "<|im_end|>"];

impl Tokenizer {
    /// The tokens of a rendered prompt, including the beginning-of-text token.
    #[must_use]
    pub fn prompt(&self, text: &str) -> Vec<u32> {
        let mut ids = vec![1];
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(at) = MARKERS.iter().position(|marker| rest.starts_with(marker)) {
                ids.push(3 + u32::try_from(at).unwrap_or(0));
                rest = &rest[MARKERS[at].len()..];
                continue;
            }
            let end = MARKERS
                .iter()
                .filter_map(|m| rest.find(m))
                .min()
                .unwrap_or(rest.len());
            self.run(&rest[..end], &mut ids);
            rest = &rest[end..];
        }
        ids
    }

    fn run(&self, text: &str, ids: &mut Vec<u32>) {
        match self {
            Self::Letters => {
                ids.push(u32::from(' '));
                ids.extend(text.chars().map(u32::from));
            }
            Self::Pieces => ids.extend(pieces(text).map(hash)),
            Self::Vocabulary(vocabulary) => {
                let encoded = (vocabulary.encode)(text).into_iter();
                ids.extend(encoded.map(|id| id.wrapping_add(OWN)));
            }
        }
    }

    /// Splits an answer into its tokens.
    pub fn cut<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        pieces(text)
    }
}

/// Pieces of a blank and up to five letters or digits; any other character is a piece of its own.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blank = usize::from(rest.starts_with(' '));
        let letters = rest[blank..].bytes().take(5);
        let letters = letters.take_while(u8::is_ascii_alphanumeric).count();
        let end = match (blank, letters) {
            (0, 0) => rest.chars().next()?.len_utf8(),
            (blank, letters) => blank + letters,
        };
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(piece)
    })
}

fn hash(piece: &str) -> u32 {
    piece.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The length of the common prefix of two prompts in tokens: the part that the prompt cache saves.
#[must_use]
pub fn common(one: &[u32], other: &[u32]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_recorded() {
        let prompt = |text: &str| Tokenizer::Letters.prompt(text).len();
        let chat = "<|im_start|>user\nhello there<|im_end|>\n<|im_start|>assistant\n";
        assert_eq!(prompt(chat), 34);
        assert_eq!(prompt("hello"), 7);
    }

    #[test]
    fn another_vocabulary_gets_the_text_between_the_markers() {
        let words = |text: &str| text.split(' ').map(|word| word.len() as u32).collect();
        let tokenizer = Tokenizer::Vocabulary(Vocabulary::new("words", words));
        let chat = "<|im_start|>user\na bb ccc<|im_end|>\n";
        let expected = [1, 3, 6 + OWN, 2 + OWN, 3 + OWN, 4, 1 + OWN];
        assert_eq!(tokenizer.prompt(chat), expected);
        assert_eq!(tokenizer.prompt(""), [1]);
    }

    #[test]
    fn pieces_lose_nothing() {
        for text in [
            "Hello there, world!",
            "a  b\n\n- é🌍 `code`   ",
            "1. (the whole) extraordinary\tthing",
            " ",
            "— x",
        ] {
            let cut: Vec<&str> = pieces(text).collect();
            assert_eq!(cut.concat(), text);
            assert!(
                cut.iter().all(|piece| piece.chars().count() <= 6),
                "{cut:?}"
            );
        }
        assert_eq!(pieces("Hello there").count(), 2);
    }
}
