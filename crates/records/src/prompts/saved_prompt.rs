//! A prompt that a person keeps under a name, to use it again.

use super::placeholders;
use sash_chat::Id;
use sash_words::{count::grouped, t};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, apply};

/// The most prompts that are kept.
pub const MAX_SAVED_PROMPTS: usize = 200;
/// The longest name, in characters.
pub const MAX_PROMPT_NAME: usize = 80;
/// The longest text, in characters.
const MAX_PROMPT_TEXT: usize = 20_000;
/// The most placeholders with names of their own: each is a field of a form.
const MAX_PLACEHOLDERS: usize = 20;

/// A prompt with a name. Its text may have [placeholders].
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SavedPrompt {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// When it was deleted, in milliseconds since 1970. The record stays so that deleting it can be undone.
    pub deleted: Option<u64>,
    /// Number of rewrites; of two versions of a prompt the one with the higher number is kept.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub rev: u32,
    /// The fields that a later version of Sash wrote.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SavedPrompt {
    /// A prompt. White space around the name is no part of it.
    #[must_use]
    pub fn new(id: Id, name: &str, text: &str) -> Self {
        Self {
            id,
            name: name.trim().to_owned(),
            text: text.to_owned(),
            deleted: None,
            rev: 0,
            unknown: Map::new(),
        }
    }

    /// What is left of it once it is deleted for good: its id, and that it was deleted.
    #[must_use]
    pub fn purged(&self) -> Self {
        Self {
            deleted: self.deleted,
            rev: self.rev,
            ..Self::new(self.id, "", "")
        }
    }

    /// Whether it was deleted for good.
    #[must_use]
    pub fn is_purged(&self) -> bool {
        self.deleted.is_some() && self.name.is_empty() && self.text.is_empty()
    }

    /// Whether a name is that of this prompt: case and white space at the ends make no other one.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.trim().to_lowercase() == name.trim().to_lowercase()
    }

    /// The first line of its text that is not empty.
    #[must_use]
    pub fn first_line(&self) -> &str {
        let mut lines = self.text.lines().map(str::trim);
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// Why it cannot be kept, whatever others there are.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let is_longer = |text: &str, most: usize| text.chars().nth(most).is_some();
        if self.name.trim().is_empty() {
            Some(t!(chat.prompt_name_missing).to_owned())
        } else if is_longer(&self.name, MAX_PROMPT_NAME) {
            Some(t!(chat.prompt_name_too_long, most = MAX_PROMPT_NAME))
        } else if self.text.trim().is_empty() {
            Some(t!(chat.prompt_text_missing).to_owned())
        } else if is_longer(&self.text, MAX_PROMPT_TEXT) {
            let most = grouped(MAX_PROMPT_TEXT as u64);
            Some(t!(chat.prompt_text_too_long, most = most))
        } else if placeholders(&self.text).len() > MAX_PLACEHOLDERS {
            let most = MAX_PLACEHOLDERS;
            Some(t!(chat.prompt_too_many_blanks, most = most))
        } else {
            None
        }
    }

    /// Why it cannot be kept beside these, of which it may be one.
    #[must_use]
    pub fn refusal_among(&self, all: &[Self]) -> Option<String> {
        let others: Vec<_> = all.iter().filter(|other| other.id != self.id).collect();
        if let Some(why) = self.refusal() {
            Some(why)
        } else if others.iter().any(|other| other.is_named(&self.name)) {
            Some(t!(chat.prompt_name_taken).to_owned())
        } else if others.len() >= MAX_SAVED_PROMPTS {
            let most = MAX_SAVED_PROMPTS;
            Some(t!(chat.too_many_prompts, most = most))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_read_as_it_was_written_and_keeps_what_it_does_not_know() {
        let text =
            r#"{"id":"0000000000000007","name":"Mail","text":"Hi {{who}}","rev":3,"colour":"red"}"#;
        let read: SavedPrompt = serde_json::from_str(text).unwrap();
        assert_eq!((read.name.as_str(), read.rev), ("Mail", 3));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        let wrong =
            r#"{"id":"0000000000000007","name":"Mail","text":"Hi","deleted":"no","rev":-1}"#;
        let read: SavedPrompt = serde_json::from_str(wrong).unwrap();
        assert_eq!(read, SavedPrompt::new(Id(7), "Mail", "Hi"));
    }

    #[test]
    fn what_is_too_long_too_much_or_there_already_is_refused() {
        let of = |name: &str, text: &str| SavedPrompt::new(Id(1), name, text);
        let many: String = (0..=MAX_PLACEHOLDERS)
            .map(|n| format!("{{{{{n}}}}}"))
            .collect();
        let refused = |prompt: SavedPrompt| prompt.refusal().unwrap_or_default();
        for (prompt, expect) in [
            (of(" ", "x"), "needs a name"),
            (of(&"n".repeat(81), "x"), "80"),
            (of("n", "\n "), "needs text"),
            (of("n", &"ä".repeat(20_001)), "20,000"),
            (of("n", &many), "20 different"),
        ] {
            let why = refused(prompt);
            assert!(why.contains(expect), "{why}");
        }
        assert_eq!(refused(of("n", &"ä".repeat(20_000))), "");
        let mut all: Vec<SavedPrompt> = (1..=MAX_SAVED_PROMPTS as u64)
            .map(|n| SavedPrompt::new(Id(n), &n.to_string(), "x"))
            .collect();
        assert_eq!(
            of("mine", "x").refusal_among(&all),
            None,
            "it is one of them"
        );
        let more = SavedPrompt::new(Id(9999), "mine", "x");
        assert!(more.refusal_among(&all).unwrap().contains("200"));
        all.truncate(3);
        assert_eq!(more.refusal_among(&all), None);
        let taken = SavedPrompt::new(Id(9999), " 2", "x");
        assert!(taken.refusal_among(&all).unwrap().contains("name"));
    }
}
