//! Harmony, the form in which gpt-oss writes: messages of several channels, each
//! `<|start|>assistant<|channel|>NAME<|message|>TEXT<|end|>`. The prompt ends behind `<|start|>assistant`, so the first
//! message of an answer begins with its channel.

/// What a message begins with.
pub const BEGINNINGS: [&str; 2] = ["<|channel|>", "<|start|>assistant"];
/// Between a message's channel and its text.
const MESSAGE: &str = "<|message|>";
/// What a message ends with: also the beginning of the next one, where a model leaves the end out.
pub const ENDS: [&str; 4] = ["<|end|>", "<|return|>", "<|call|>", BEGINNINGS[1]];
/// What the last message ends with.
pub const LAST_ENDS: [&str; 2] = ["<|return|>", "<|end|>"];
/// The most bytes of what is before the text of a message.
const MAX_HEADER_BYTES: usize = 256;

/// A message's channel.
#[derive(Debug, PartialEq, Eq)]
pub enum Channel {
    /// Thinking.
    Analysis,
    /// A call of a tool that the engine did not read: whom it calls.
    Call(String),
    /// What the model tells the person before it calls a tool.
    Preamble,
    /// The answer: the last message.
    Final,
}

/// What a text is that begins like a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Header {
    /// It may become one.
    Unfinished,
    /// It is none.
    None,
    /// It is one; so many bytes are before its text.
    Of(Channel, usize),
}

impl Header {
    /// Reads the beginning of a text that begins with one of [`BEGINNINGS`].
    pub fn read(text: &str) -> Self {
        let Some(at) = text.find(MESSAGE) else {
            return match text.len() <= MAX_HEADER_BYTES && !text.contains('\n') {
                true => Self::Unfinished,
                false => Self::None,
            };
        };
        match channel(&text[..at]) {
            Some(channel) => Self::Of(channel, at + MESSAGE.len()),
            None => Self::None,
        }
    }
}

/// The channel of `[<|start|>assistant[ to=…]]<|channel|>NAME[ to=…][ <|constrain|>…]`.
fn channel(header: &str) -> Option<Channel> {
    let (before, rest) = header.split_once(BEGINNINGS[0])?;
    let before = before.strip_prefix(BEGINNINGS[1]).unwrap_or(before).trim();
    let name = rest.find(|c: char| !c.is_ascii_alphabetic());
    let (name, behind) = rest.split_at(name.unwrap_or(rest.len()));
    let behind = behind.trim();
    let is_sound = (before.is_empty() || before.starts_with("to="))
        && (behind.is_empty()
            || ["to=", "<|constrain|>"]
                .iter()
                .any(|w| behind.starts_with(w)));
    let called = [before, behind].into_iter().find_map(|words| {
        let words = words.strip_prefix("to=")?;
        words.split([' ', '<']).next()
    });
    match (name, called) {
        _ if !is_sound => None,
        ("analysis" | "commentary", Some(called)) => Some(Channel::Call(called.to_owned())),
        ("analysis", None) => Some(Channel::Analysis),
        ("commentary", None) => Some(Channel::Preamble),
        ("final", _) => Some(Channel::Final),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_channel_of_a_message_is_read_from_what_is_before_its_text() {
        let of = |header: &str| match Header::read(&format!("{header}<|message|>x")) {
            Header::Of(channel, at) => (at == header.len() + MESSAGE.len()).then_some(channel),
            _ => None,
        };
        let call = |name: &str| Some(Channel::Call(name.to_owned()));
        for (header, channel) in [
            ("<|channel|>analysis", Some(Channel::Analysis)),
            ("<|start|>assistant<|channel|>final", Some(Channel::Final)),
            ("<|channel|>final <|constrain|>json", Some(Channel::Final)),
            ("<|channel|>commentary", Some(Channel::Preamble)),
            (
                "<|channel|>commentary to=functions.f <|constrain|>json",
                call("functions.f"),
            ),
            (
                "<|channel|>commentary to=functions.f<|constrain|>json",
                call("functions.f"),
            ),
            (
                "<|start|>assistant to=functions.f<|channel|>commentary",
                call("functions.f"),
            ),
            ("<|channel|>analysis to=python", call("python")),
            ("<|channel|>other", None),
            ("<|channel|>final is where the answer is, behind ", None),
            (
                "<|start|>assistant is how it begins, <|channel|>final",
                None,
            ),
        ] {
            assert_eq!(of(header), channel, "{header}");
        }
        assert_eq!(Header::read("<|channel|>ana"), Header::Unfinished);
        assert_eq!(Header::read("<|channel|>\nis a mark"), Header::None);
        let long = "<|channel|>".repeat(40);
        assert_eq!(Header::read(&long), Header::None);
    }
}
