//! Separates thinking that a model writes into its answer between `<think>` and `</think>`; models whose
//! template has no parser in Ollama do that. Only at the beginning of an answer; anywhere else the tags are
//! part of the answer. Where the template itself opened the thinking, the answer has the closing tag alone.

const OPEN: [&str; 2] = ["<think>", "<thinking>"];
const CLOSE: [&str; 2] = ["</think>", "</thinking>"];
/// The most bytes that are held back: an answer may be endless white space.
const MAX_HELD_BYTES: usize = 1024;

const LINE_END: [char; 2] = ['\n', '\r'];

/// Separates the thinking from the text of one answer, which may be split anywhere.
#[derive(Debug, Default)]
pub struct ThinkingSplitter {
    stage: SplitterState,
    /// Text that is a tag or may become one.
    held: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum SplitterState {
    /// Only white space and part of a tag so far.
    #[default]
    Before,
    /// As before, but the template opened the thinking: without a tag the text is thinking.
    TemplateOpened,
    /// After the opening tag of that kind: blank lines do not belong to the thinking.
    Opened(usize),
    /// Between the tags.
    Within(usize),
    /// After the closing tag: blank lines do not belong to the answer.
    Behind,
    /// The answer.
    Answer,
}

impl ThinkingSplitter {
    /// A splitter for an answer that begins as thinking, because the model's template opened it.
    #[must_use]
    pub fn opened_by_template() -> Self {
        Self {
            stage: SplitterState::TemplateOpened,
            held: String::new(),
        }
    }

    /// The engine separates the thinking of this answer itself, so its text is not thinking unless a tag says so.
    pub fn separated_by_engine(&mut self) {
        if self.stage == SplitterState::TemplateOpened {
            self.stage = SplitterState::Before;
        }
    }

    /// Adds text; returns the thinking and the answer in it.
    pub fn push(&mut self, text: &str) -> (String, String) {
        let (mut thinking, mut answer) = (String::new(), String::new());
        if self.stage == SplitterState::Answer {
            answer.push_str(text);
            return (thinking, answer);
        }
        self.held.push_str(text);
        loop {
            match self.stage {
                SplitterState::Before | SplitterState::TemplateOpened => {
                    let begun = self.held.trim_start();
                    let opened = OPEN.iter().position(|tag| begun.starts_with(tag));
                    if let Some(kind) = opened {
                        self.held = begun[OPEN[kind].len()..].to_owned();
                        self.stage = SplitterState::Opened(kind);
                    } else if self.held.len() <= MAX_HELD_BYTES
                        && OPEN.iter().any(|tag| tag.starts_with(begun))
                    {
                        return (thinking, answer);
                    } else {
                        self.stage = match self.stage {
                            SplitterState::TemplateOpened => SplitterState::Opened(0),
                            _ => SplitterState::Answer,
                        };
                    }
                }
                SplitterState::Opened(kind) => {
                    self.held = self.held.trim_start_matches(LINE_END).to_owned();
                    if self.held.is_empty() {
                        return (thinking, answer);
                    }
                    self.stage = SplitterState::Within(kind);
                }
                SplitterState::Within(kind) => {
                    let close = CLOSE[kind];
                    if let Some(at) = self.held.find(close) {
                        thinking.push_str(self.held[..at].trim_end_matches(LINE_END));
                        self.held.drain(..at + close.len());
                        self.stage = SplitterState::Behind;
                    } else {
                        let text = &self.held[..self.held.len() - ends_like(&self.held, close)];
                        let sure = match text.trim_end_matches(LINE_END).len() {
                            sure if text.len() - sure > MAX_HELD_BYTES => text.len(),
                            sure => sure,
                        };
                        thinking.extend(self.held.drain(..sure));
                        return (thinking, answer);
                    }
                }
                SplitterState::Behind => {
                    self.held = self.held.trim_start_matches(LINE_END).to_owned();
                    if self.held.is_empty() {
                        return (thinking, answer);
                    }
                    self.stage = SplitterState::Answer;
                }
                SplitterState::Answer => {
                    answer.push_str(&std::mem::take(&mut self.held));
                    return (thinking, answer);
                }
            }
        }
    }

    /// Returns the text held back at the end.
    pub fn finish(&mut self) -> (String, String) {
        let held = std::mem::take(&mut self.held);
        match self.stage {
            SplitterState::TemplateOpened | SplitterState::Opened(_) | SplitterState::Within(_) => {
                (held, String::new())
            }
            _ => (String::new(), held),
        }
    }
}

/// How many bytes at the end of `text` may be the beginning of `tag`.
fn ends_like(text: &str, tag: &str) -> usize {
    let longest = text.len().min(tag.len() - 1);
    let fits = |n: &usize| text.as_bytes().ends_with(&tag.as_bytes()[..*n]);
    (1..=longest).rev().find(fits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        split(ThinkingSplitter::default(), pieces)
    }

    fn split<'a>(
        mut thought: ThinkingSplitter,
        pieces: impl IntoIterator<Item = &'a str>,
    ) -> (String, String) {
        let (mut thinking, mut answer) = (String::new(), String::new());
        let mut add = |(t, a): (String, String)| {
            thinking += &t;
            answer += &a;
        };
        for piece in pieces {
            add(thought.push(piece));
        }
        add(thought.finish());
        (thinking, answer)
    }

    const CASES: [(&str, &str, &str); 13] = [
        ("<think>\nWell.\n</think>\n\nYes.", "Well.", "Yes."),
        ("<thinking>Well.</thinking>Yes.", "Well.", "Yes."),
        ("\n <think>a</think>b", "a", "b"),
        ("<think>\n\n</think>\n\nYes.", "", "Yes."),
        ("<think></think>", "", ""),
        ("<think>it never ends </thin", "it never ends </thin", ""),
        ("No tag. <think>a</think>", "", "No tag. <think>a</think>"),
        ("<thin ice", "", "<thin ice"),
        ("<thin", "", "<thin"),
        ("  \n indented", "", "  \n indented"),
        ("", "", ""),
        (
            "<think>a < b </thinking> 日本</think>  - x",
            "a < b </thinking> 日本",
            "  - x",
        ),
        (
            "<think>a</think>b <think>c</think>",
            "a",
            "b <think>c</think>",
        ),
    ];

    /// Answers whose template opened the thinking.
    const OPENED_CASES: [(&str, &str, &str); 10] = [
        ("Well.\n</think>\n\nYes.", "Well.", "Yes."),
        ("\nWell.</think>Yes.", "Well.", "Yes."),
        ("</think>\n\nYes.", "", "Yes."),
        // Some models write the tag again.
        ("<think>\nWell.\n</think>\n\nYes.", "Well.", "Yes."),
        ("<thinking>a</think>b</thinking>c", "a</think>b", "c"),
        ("it never ends </thin", "it never ends </thin", ""),
        ("<thin", "<thin", ""),
        ("a</think>b <think>c</think>", "a", "b <think>c</think>"),
        ("日本</think>é", "日本", "é"),
        ("", "", ""),
    ];

    #[test]
    fn an_answer_begins_as_thinking_where_the_template_opened_it() {
        for (text, thinking, answer) in OPENED_CASES {
            let expected = (thinking.to_owned(), answer.to_owned());
            for (at, _) in text.char_indices() {
                let pieces = [&text[..at], &text[at..]];
                let found = split(ThinkingSplitter::opened_by_template(), pieces);
                assert_eq!(found, expected, "{text} at {at}");
            }
        }
    }

    #[test]
    fn text_is_the_answer_where_ollama_separates_the_thinking() {
        let mut thought = ThinkingSplitter::opened_by_template();
        thought.separated_by_engine();
        assert_eq!(thought.push("Yes."), (String::new(), "Yes.".to_owned()));
    }

    #[test]
    fn thinking_and_answer_are_told_apart_at_every_cut() {
        for (text, thinking, answer) in CASES {
            let expected = (thinking.to_owned(), answer.to_owned());
            let letters = text
                .char_indices()
                .map(|(at, c)| &text[at..at + c.len_utf8()]);
            assert_eq!(whole(letters), expected, "{text} letter by letter");
            for (at, _) in text.char_indices() {
                assert_eq!(
                    whole([&text[..at], &text[at..]]),
                    expected,
                    "{text} at {at}"
                );
            }
        }
    }

    #[test]
    fn white_space_without_end_is_not_held_for_ever() {
        let mut thought = ThinkingSplitter::default();
        let given: usize = (0..100)
            .map(|_| thought.push(&" ".repeat(50)).1.len())
            .sum();
        assert!(given + MAX_HELD_BYTES >= 5_000);
        let mut thought = ThinkingSplitter::default();
        let _ = thought.push("<think>a");
        let given: usize = (0..100)
            .map(|_| thought.push(&"\n".repeat(50)).0.len())
            .sum();
        assert!(given + MAX_HELD_BYTES >= 5_000);
    }

    proptest! {
        #[test]
        fn without_a_tag_at_the_beginning_nothing_changes(
            text in "[a-z <>/\n]{0,20}(</?think>)?[a-z <>/\n]{0,20}",
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
        ) {
            prop_assume!(!OPEN.iter().any(|tag| text.trim_start().starts_with(tag)));
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            at.extend([0, text.len()]);
            at.sort_unstable();
            let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
            prop_assert_eq!(whole(pieces), (String::new(), text.clone()));
        }

        #[test]
        fn no_text_is_lost(
            text in "[a-z <>/\n]{0,12}(</?think(ing)?>)?[a-zé \n]{0,12}(</?think(ing)?>)?[a-z <>/\n]{0,12}",
            opened in any::<bool>(),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            at.retain(|at| text.is_char_boundary(*at));
            at.extend([0, text.len()]);
            at.sort_unstable();
            let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
            let splitter = match opened {
                true => ThinkingSplitter::opened_by_template(),
                false => ThinkingSplitter::default(),
            };
            let (thinking, answer) = split(splitter, pieces);
            // Only one pair of tags and the blank around it may be missing.
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            let (given, came) = (letters(&text), letters(&thinking) + &letters(&answer));
            let without = |tag: &str| {
                let rest = given.replacen(tag, "", 1);
                (rest != given).then_some(rest)
            };
            let mut allowed = vec![given.clone()];
            for (open, close) in OPEN.iter().zip(CLOSE) {
                allowed.extend(without(open));
                allowed.extend(without(close));
                allowed.extend(without(open).map(|rest| rest.replacen(close, "", 1)));
            }
            prop_assert!(allowed.contains(&came), "{:?} became {:?}", given, came);
        }
    }
}
