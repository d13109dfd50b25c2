//! A guess at tokens, for want of a tokenizer: Ollama has no endpoint for it.

use crate::chat::Message;

/// What a chat template adds to each message, in tokens: role marks and line ends (ChatML needs 4 to 6).
const TEMPLATE: u64 = 5;

/// Tokens of a text: four characters each for ASCII, two for other alphabets, one and a half for
/// scripts without spaces (the figures of byte-pair vocabularies of 32,000 to 128,000 entries).
#[must_use]
pub fn estimate_text(text: &str) -> u64 {
    let mut twelfths: u64 = 0;
    for c in text.chars() {
        twelfths += match c {
            '\0'..='\u{7f}' => 3,
            '\u{80}'..='\u{2dff}' => 6,
            _ => 8,
        };
    }
    twelfths.div_ceil(12)
}

/// Tokens of a message with what the template puts around it.
#[must_use]
pub fn estimate_message(message: &Message) -> u64 {
    TEMPLATE + estimate_text(&message.content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guess_follows_the_script() {
        assert_eq!(estimate_text(""), 0);
        assert_eq!(estimate_text("a"), 1);
        assert_eq!(estimate_text("four words of text"), 5);
        assert_eq!(estimate_text("日本語"), 2);
        assert_eq!(estimate_text("привет"), 3);
    }
}
