//! Cuts a message into texts that an embedding model can read.

/// The most characters of a part: about 250 tokens, which every embedding model has room for. What is denser is cut by
/// the engine.
const PART_CHARS: usize = 1000;
/// The most parts of a message. What is behind them has no share in its vector.
pub const MAX_PARTS: usize = 8;

/// The most characters of a message that stands before the next one's first part. A message of few words says little
/// without the short one that it answers; behind a long one its vector would be that of the long one.
const MAX_BEFORE_CHARS: usize = 300;

/// The parts of a message, the first one behind the message before it in its sitting, if that is short.
#[must_use]
pub fn message_parts(before: Option<&str>, text: &str) -> Vec<String> {
    let mut parts: Vec<String> = text_parts(text).into_iter().map(str::to_owned).collect();
    let before = before.map(str::trim).filter(|before| is_short(before));
    if let (Some(before), Some(first)) = (before, parts.first_mut()) {
        *first = format!("{before}\n{first}");
    }
    parts
}

fn is_short(text: &str) -> bool {
    !text.is_empty() && text.chars().nth(MAX_BEFORE_CHARS).is_none()
}

/// The parts of a text, cut at paragraphs where that is possible, else at lines or words. None of a blank text. The
/// vector of a message is the mean of its parts' vectors; nobody reads the parts.
#[must_use]
pub fn text_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && parts.len() < MAX_PARTS {
        let end = rest.char_indices().nth(PART_CHARS).map(|(at, _)| at);
        let part = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        let cut = match part.len() == rest.len() {
            true => part.len(),
            false => cut_place(part),
        };
        let (part, behind) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        parts.push(part.trim_end());
        rest = behind.trim_start();
    }
    parts
}

/// Where to cut: at the last separator in the second half, the coarsest kind first; at the end without any.
fn cut_place(part: &str) -> usize {
    let places = ["\n\n", "\n", " "].map(|separator| part.rmatch_indices(separator).next());
    let mut places = places.into_iter().flatten().map(|(at, _)| at);
    places.find(|at| *at > part.len() / 2).unwrap_or(part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_one_part_and_a_blank_one_none() {
        assert_eq!(
            text_parts(" Red wine.\n\nWhite wine. "),
            ["Red wine.\n\nWhite wine."]
        );
        assert!(text_parts(" \n").is_empty());
    }

    #[test]
    fn the_first_part_begins_with_the_message_before() {
        assert_eq!(
            message_parts(Some(" Which wine? "), "Red."),
            ["Which wine?\nRed."]
        );
        assert_eq!(message_parts(Some(" "), "Red."), ["Red."]);
        assert_eq!(message_parts(None, "Red."), ["Red."]);
        assert!(message_parts(Some("Which wine?"), " ").is_empty());
        let before = "é".repeat(MAX_BEFORE_CHARS);
        let long = message_parts(Some(&before), &"word ".repeat(500));
        assert_eq!(long.len(), 3);
        assert!(long[0].starts_with(&format!("{before}\nword")));
    }

    /// Once the first 300 characters of a long answer stood before what was said after it, and its vector was theirs.
    #[test]
    fn what_follows_a_long_message_is_alone() {
        for before in ["word ".repeat(300), "é".repeat(MAX_BEFORE_CHARS + 1)] {
            assert_eq!(message_parts(Some(&before), "Red."), ["Red."]);
        }
    }

    #[test]
    fn a_long_text_is_cut_at_paragraphs_else_at_words_and_nothing_is_lost_up_to_the_limit() {
        let paragraph = format!("{}end.", "word ".repeat(120));
        let text = [&*paragraph, &paragraph, &paragraph].join("\n\n");
        assert_eq!(text_parts(&text), [&*paragraph; 3]);
        let words = "word ".repeat(500);
        let parts = text_parts(&words);
        assert!(
            parts
                .iter()
                .all(|part| part.len() <= PART_CHARS && part.ends_with("word"))
        );
        assert_eq!(parts.join(" "), words.trim());
    }

    #[test]
    fn a_text_without_separators_or_of_long_characters_is_cut_too_and_an_endless_one_ends() {
        let parts = text_parts(&"备".repeat(2500)).len();
        assert_eq!(parts, 3);
        assert_eq!(text_parts(&"word ".repeat(100_000)).len(), MAX_PARTS);
    }
}
