//! Finds short names as they are typed: of actions, settings, models and chats.

use super::words::{SegmentKind, each_word};

/// How well a word of a query fits a word of a name; less is better.
mod fit {
    /// They are the same.
    pub const SAME: u32 = 0;
    /// The name's word begins with it.
    pub const BEGINS: u32 = 1;
    /// The name's word contains it.
    pub const CONTAINS: u32 = 4;
    /// The name's words begin with its letters: "nc" is "New chat".
    pub const INITIALS: u32 = 6;
    /// Added where the name does not begin with the first word of the query.
    pub const LATER: u32 = 1;
}

/// The words of many names, so that a key press compares and does not split.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    names: Vec<IndexedName>,
}

/// The words of a name, folded.
#[derive(Clone, Debug, Default)]
struct IndexedName {
    words: Vec<String>,
    /// The first letters of the words.
    initials: String,
}

impl IndexedName {
    fn new(name: &str) -> Self {
        let words = words_of(name);
        let initials = words.iter().filter_map(|word| word.chars().next());
        Self {
            initials: initials.collect(),
            words,
        }
    }

    /// How well a word of a query fits; `None` if it does not.
    fn fit(&self, wanted: &str) -> Option<u32> {
        let of_word = |word: &String| match word.strip_prefix(wanted) {
            Some("") => Some(fit::SAME),
            Some(_) => Some(fit::BEGINS),
            None => word.contains(wanted).then_some(fit::CONTAINS),
        };
        let of_initials = || {
            let is_more = wanted.chars().nth(1).is_some();
            (is_more && self.initials.starts_with(wanted)).then_some(fit::INITIALS)
        };
        self.words
            .iter()
            .filter_map(of_word)
            .min()
            .or_else(of_initials)
    }

    /// How well all words of a query fit.
    fn fit_all(&self, query: &[String]) -> Option<u32> {
        let mut sum = 0;
        for wanted in query {
            sum += self.fit(wanted)?;
        }
        let first = self.words.first().zip(query.first());
        let begins = first.is_some_and(|(word, wanted)| word.starts_with(wanted.as_str()));
        Some(sum + if begins { 0 } else { fit::LATER })
    }
}

impl NameIndex {
    /// Indexes names, which are found by their place.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names = names.into_iter().map(IndexedName::new);
        Self {
            names: names.collect(),
        }
    }

    /// The places of the names that have all words of a query, the best first and, where they fit as well, in their
    /// order; at most `limit`. A query without words finds the first ones.
    #[must_use]
    pub fn find(&self, query: &str, limit: usize) -> Vec<usize> {
        let query = words_of(query);
        if query.is_empty() {
            return (0..self.names.len().min(limit)).collect();
        }
        let names = self.names.iter().enumerate();
        let fits = names.filter_map(|(at, name)| Some((name.fit_all(&query)?, at)));
        let mut found: Vec<(u32, usize)> = fits.collect();
        if found.len() > limit {
            found.select_nth_unstable(limit);
            found.truncate(limit);
        }
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }
}

/// The words of a text, folded. A run of a script without spaces is one word, which a query may be a part of.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, &mut |kind, word, _| match kind {
        SegmentKind::Word | SegmentKind::Run | SegmentKind::Emoji => words.push(word.to_owned()),
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = [
        "New chat",
        "Search all chats",
        "Rename",
        "Settings: Theme",
        "qwen3:4b",
        "Ein Brief an die Größte",
        "東京の天気",
        "What is new in Rust?",
    ];

    fn found(query: &str) -> Vec<&'static str> {
        let index = NameIndex::new(NAMES);
        index
            .find(query, 50)
            .into_iter()
            .map(|at| NAMES[at])
            .collect()
    }

    #[test]
    fn the_beginning_of_a_name_comes_before_a_later_word_and_a_part_of_one() {
        assert_eq!(found("new"), ["New chat", "What is new in Rust?"]);
        assert_eq!(found("chat"), ["New chat", "Search all chats"]);
        assert_eq!(found("name"), ["Rename"]);
        assert_eq!(found("re"), ["Rename"]);
    }

    #[test]
    fn every_word_of_the_query_must_fit_in_any_order() {
        assert_eq!(found("chats all"), ["Search all chats"]);
        assert_eq!(found("theme set"), ["Settings: Theme"]);
        assert_eq!(found("new theme"), Vec::<&str>::new());
    }

    #[test]
    fn case_and_accents_do_not_count_and_initials_find_a_name() {
        assert_eq!(found("GROSSTE"), ["Ein Brief an die Größte"]);
        assert_eq!(found("sac"), ["Search all chats"]);
        assert_eq!(found("4b"), ["qwen3:4b"]);
        assert_eq!(found("天気"), ["東京の天気"]);
    }

    #[test]
    fn emoji_find_names_that_have_them() {
        let names = NameIndex::new(["Travel 🇯🇵", "👍🏽 ideas"]);
        assert_eq!(names.find("🇯🇵", 9), [0]);
        assert_eq!(names.find("👍", 9), [1]);
    }

    #[test]
    fn no_word_finds_the_first_names_and_never_more_than_the_limit() {
        assert_eq!(found(" ?! ").len(), NAMES.len());
        let many: Vec<String> = (0..5_000).map(|n| format!("Chat {n}")).collect();
        let index = NameIndex::new(many.iter().map(String::as_str));
        assert_eq!(index.find("", 50), (0..50).collect::<Vec<_>>());
        assert_eq!(index.find("chat 4999", 50), [4999]);
        assert_eq!(index.find("chat", 50), (0..50).collect::<Vec<_>>());
    }
}
