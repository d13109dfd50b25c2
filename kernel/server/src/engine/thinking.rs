//! Separates thinking that a model writes into its answer between marks of its own, because its engine does not separate
//! it. Only at the beginning of an answer; anywhere else the marks are part of the answer. Where the template itself
//! opened the thinking, the answer has the closing mark alone.

mod harmony;
mod tags;
#[cfg(test)]
mod tests;

use harmony::{BEGINNINGS, Channel, ENDS, Header, LAST_ENDS};
use tags::{TAGS, ThinkingTags};

/// The most bytes that are held back: an answer may be endless white space.
const MAX_HELD_BYTES: usize = 1024;

const LINE_END: [char; 2] = ['\n', '\r'];
/// So many columns of white space before a mark make it a block of code.
const CODE_INDENT: usize = 4;

/// Separates the thinking from the text of one answer, which may be split anywhere.
#[derive(Debug, Default)]
pub struct ThinkingSplitter {
    stage: SplitterState,
    /// Text that is a mark or may become one.
    held: String,
    /// The thinking and the answer that were found since text came last.
    given: (String, String),
    /// Whether any thinking was found, and any answer.
    begun: (bool, bool),
    /// Whether what comes is a paragraph of its own: another message.
    is_paragraph: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum SplitterState {
    /// Only white space and part of a mark so far.
    #[default]
    Before,
    /// As before, but the template opened the thinking: without a mark the text is thinking.
    TemplateOpened,
    /// After the opening mark, which was written or not: blank lines do not belong to the thinking.
    Opened(&'static ThinkingTags, bool),
    /// Between the marks.
    Within(&'static ThinkingTags),
    /// After the closing mark: blank lines do not belong to the answer.
    Behind(&'static ThinkingTags),
    /// In what is before the text of a harmony message.
    Header,
    /// In the text of one: of thinking, or of the answer.
    Message { is_thinking: bool },
    /// After one.
    BehindMessage,
    /// After the opening mark of an answer that may end with one of these marks: blank lines do not belong to it.
    AnswerOpened(&'static [&'static str]),
    /// In such an answer.
    Marked(&'static [&'static str]),
    /// The answer.
    Answer,
}

impl ThinkingSplitter {
    /// A splitter for an answer that begins as thinking, because the model's template opened it.
    #[must_use]
    pub fn opened_by_template() -> Self {
        Self {
            stage: SplitterState::TemplateOpened,
            ..Self::default()
        }
    }

    /// The engine separates the thinking of this answer itself, so marks in its text are text.
    pub fn separated_by_engine(&mut self) {
        if matches!(
            self.stage,
            SplitterState::Before | SplitterState::TemplateOpened
        ) {
            self.stage = SplitterState::Answer;
        }
    }

    /// Adds text; returns the thinking and the answer in it.
    pub fn push(&mut self, text: &str) -> (String, String) {
        self.held.push_str(text);
        while self.advance() {}
        std::mem::take(&mut self.given)
    }

    /// Returns the text held back at the end.
    pub fn finish(&mut self) -> (String, String) {
        let held = std::mem::take(&mut self.held);
        match self.stage {
            // Nothing came after the mark, so it may be all that the model had to say.
            SplitterState::Opened(tags, true) => self.give(false, tags.open),
            SplitterState::Marked(ends) if ends.contains(&held.trim_end()) => {}
            SplitterState::TemplateOpened
            | SplitterState::Opened(..)
            | SplitterState::Within(_)
            | SplitterState::Message { is_thinking: true } => self.give(true, &held),
            _ => self.give(false, &held),
        }
        std::mem::take(&mut self.given)
    }

    /// Reads on in the text that is held. Returns false where it ends, or more must come to decide.
    fn advance(&mut self) -> bool {
        match self.stage {
            SplitterState::Before | SplitterState::TemplateOpened => self.begin(),
            SplitterState::Opened(tags, _) => self.skip_lines(SplitterState::Within(tags)),
            SplitterState::Within(tags) => {
                self.read_until(true, &[tags.close], SplitterState::Behind(tags))
            }
            SplitterState::Behind(tags) => self.begin_answer(tags),
            SplitterState::AnswerOpened(ends) => self.skip_lines(SplitterState::Marked(ends)),
            SplitterState::Header => self.read_header(),
            SplitterState::Message { is_thinking } => {
                self.read_until(is_thinking, &ENDS, SplitterState::BehindMessage)
            }
            SplitterState::BehindMessage => self.begin_message(),
            SplitterState::Marked(ends) => {
                let kept = ends.iter().map(|end| tail_like(&self.held, end)).max();
                self.give_first(false, self.held.len() - kept.unwrap_or_default())
            }
            SplitterState::Answer => self.give_first(false, self.held.len()),
        }
    }

    /// Looks for a mark at the beginning of the answer.
    fn begin(&mut self) -> bool {
        let begun = self.held.trim_start();
        let is_code = is_code(&self.held[..self.held.len() - begun.len()]);
        let opened = TAGS.iter().find(|tags| begun.starts_with(tags.open));
        if is_code && !begun.is_empty() {
            self.begin_without_mark();
        } else if let Some(tags) = opened {
            self.held = begun[tags.open.len()..].to_owned();
            self.stage = SplitterState::Opened(tags, true);
        } else if begins_message(begun) {
            self.stage = SplitterState::Header;
        } else {
            let mut marks = TAGS.iter().map(|tags| tags.open).chain(BEGINNINGS);
            if self.held.len() <= MAX_HELD_BYTES && marks.any(|mark| mark.starts_with(begun)) {
                return false;
            }
            self.begin_without_mark();
        }
        true
    }

    fn begin_without_mark(&mut self) {
        self.stage = match self.stage {
            SplitterState::TemplateOpened => SplitterState::Opened(&TAGS[0], false),
            _ => SplitterState::Answer,
        };
    }

    /// Looks for the mark that some models write before the answer, too.
    fn begin_answer(&mut self, tags: &ThinkingTags) -> bool {
        self.held = self.held.trim_start_matches(LINE_END).to_owned();
        let Some((open, ends)) = tags.answer else {
            return self.skip_lines(SplitterState::Answer);
        };
        let begun = self.held.trim_start();
        if let Some(rest) = begun.strip_prefix(open) {
            self.held = rest.to_owned();
            self.stage = SplitterState::AnswerOpened(ends);
        } else if self.held.len() <= MAX_HELD_BYTES && open.starts_with(begun) {
            return false;
        } else {
            self.stage = SplitterState::Answer;
        }
        true
    }

    /// Goes on to a stage behind the ends of lines.
    fn skip_lines(&mut self, next: SplitterState) -> bool {
        self.held = self.held.trim_start_matches(LINE_END).to_owned();
        let goes_on = !self.held.is_empty();
        if goes_on {
            self.stage = next;
        }
        goes_on
    }

    /// Reads the channel of a harmony message.
    fn read_header(&mut self) -> bool {
        let begun = self.held.trim_start();
        let (channel, at) = match Header::read(begun) {
            Header::Unfinished => return false,
            Header::None => {
                self.stage = SplitterState::Answer;
                return true;
            }
            Header::Of(channel, at) => (channel, at),
        };
        self.held = begun[at..].to_owned();
        self.is_paragraph = true;
        self.stage = match channel {
            Channel::Analysis => SplitterState::Message { is_thinking: true },
            Channel::Call(name) => {
                self.give(true, &format!("{name}: "));
                SplitterState::Message { is_thinking: true }
            }
            Channel::Preamble => SplitterState::Message { is_thinking: false },
            Channel::Final => SplitterState::AnswerOpened(&LAST_ENDS),
        };
        true
    }

    /// Looks for a further harmony message. Text that is none is the answer.
    fn begin_message(&mut self) -> bool {
        self.held = self.held.trim_start().to_owned();
        let mut beginnings = BEGINNINGS.iter();
        if begins_message(&self.held) {
            self.stage = SplitterState::Header;
        } else if beginnings.any(|beginning| beginning.starts_with(&self.held)) {
            return false;
        } else {
            self.stage = SplitterState::Answer;
        }
        true
    }

    /// Gives text up to the first of these marks. The beginning of a harmony message is left.
    fn read_until(&mut self, is_thinking: bool, ends: &[&str], next: SplitterState) -> bool {
        let found = ends
            .iter()
            .filter_map(|end| Some((self.held.find(end)?, end)));
        if let Some((at, end)) = found.min_by_key(|(at, _)| *at) {
            let is_left = BEGINNINGS.contains(end);
            let text = self.held[..at].trim_end_matches(LINE_END).len();
            let rest = self
                .held
                .split_off(if is_left { at } else { at + end.len() });
            self.give_first(is_thinking, text);
            self.held = rest;
            self.stage = next;
            return true;
        }
        let kept = ends.iter().map(|end| ends_like(&self.held, end)).max();
        let text = &self.held[..self.held.len() - kept.unwrap_or_default()];
        let sure = match text.trim_end_matches(LINE_END).len() {
            sure if text.len() - sure > MAX_HELD_BYTES => text.len(),
            sure => sure,
        };
        self.give_first(is_thinking, sure)
    }

    /// Gives so many bytes of what is held, and waits for more.
    fn give_first(&mut self, is_thinking: bool, bytes: usize) -> bool {
        let rest = self.held.split_off(bytes);
        let text = std::mem::replace(&mut self.held, rest);
        self.give(is_thinking, &text);
        false
    }

    fn give(&mut self, is_thinking: bool, text: &str) {
        if text.is_empty() {
            return;
        }
        let (given, begun) = match is_thinking {
            true => (&mut self.given.0, &mut self.begun.0),
            false => (&mut self.given.1, &mut self.begun.1),
        };
        if std::mem::take(&mut self.is_paragraph) && *begun {
            given.push_str("\n\n");
        }
        *begun = true;
        given.push_str(text);
    }
}

fn begins_message(text: &str) -> bool {
    BEGINNINGS.iter().any(|mark| text.starts_with(mark))
}

/// Whether text behind this blank is a block of code.
fn is_code(blank: &str) -> bool {
    let line = blank.rsplit(LINE_END).next().unwrap_or_default();
    line.contains('\t') || line.chars().count() >= CODE_INDENT
}

/// How many bytes at the end of `text` may be the beginning of `mark`.
fn ends_like(text: &str, mark: &str) -> usize {
    let longest = text.len().min(mark.len() - 1);
    let fits = |n: &usize| text.as_bytes().ends_with(&mark.as_bytes()[..*n]);
    (1..=longest).rev().find(fits).unwrap_or(0)
}

/// How many bytes at the end of `text` may be the last of an answer that ends with `mark`.
fn tail_like(text: &str, mark: &str) -> usize {
    let ended = text.trim_end();
    match text.len() - ended.len() {
        blank if ended.ends_with(mark) && blank <= MAX_HELD_BYTES => blank + mark.len(),
        _ => ends_like(text, mark),
    }
}
