//! Syntax highlighting of a code block, as classes and lengths instead of markup.

use serde::{Deserialize, Serialize};

/// The response of `POST /api/v1/highlight`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highlighted {
    /// Runs that cover the whole code, separated by spaces. A run is the letter of a [`HighlightClass`] (no
    /// letter for plain text) and a length in UTF-16 code units, the unit of strings in a browser:
    /// `k3 f4 2` is `fn main()`. Empty if there is nothing to highlight: the language is unknown,
    /// the code is empty, or the code is too large.
    pub runs: String,
}

/// The syntactic class of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighlightClass {
    /// An attribute of a tag, a key of a map, or a property.
    Attribute,
    /// A comment.
    Comment,
    /// A deleted line of a diff.
    Deleted,
    /// An escape or a placeholder in a string.
    Escape,
    /// The name of a function.
    Function,
    /// A heading.
    Heading,
    /// An inserted line of a diff.
    Inserted,
    /// A keyword.
    Keyword,
    /// An annotation, macro, directive or prompt: text about the code.
    Meta,
    /// A number or another constant.
    Number,
    /// A string.
    String,
    /// The name of a tag.
    Tag,
    /// The name of a type.
    Type,
}

impl HighlightClass {
    /// All classes.
    pub const ALL: [Self; 13] = [
        Self::Attribute,
        Self::Comment,
        Self::Deleted,
        Self::Escape,
        Self::Function,
        Self::Heading,
        Self::Inserted,
        Self::Keyword,
        Self::Meta,
        Self::Number,
        Self::String,
        Self::Tag,
        Self::Type,
    ];

    /// The class's letter in [`Highlighted::runs`].
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Attribute => 'a',
            Self::Comment => 'c',
            Self::Deleted => 'd',
            Self::Escape => 'e',
            Self::Function => 'f',
            Self::Heading => 'h',
            Self::Inserted => 'i',
            Self::Keyword => 'k',
            Self::Meta => 'm',
            Self::Number => 'n',
            Self::String => 's',
            Self::Tag => 't',
            Self::Type => 'y',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_has_a_letter_of_its_own() {
        let mut letters = HighlightClass::ALL.map(HighlightClass::letter);
        letters.sort_unstable();
        assert!(letters.windows(2).all(|two| two[0] < two[1]));
        assert!(letters.iter().all(char::is_ascii_lowercase));
    }

    const TOKENS: &str = include_str!("../../../style/tokens.css");
    const STYLE: &str = include_str!("../room.css");

    /// The value of a CSS token in each theme: light, dark by system preference, dark by choice.
    fn values(token: &str) -> Vec<&'static str> {
        let named = format!("--{token}:");
        let values = TOKENS.lines().filter_map(|line| {
            let value = line.trim().strip_prefix(&named)?;
            Some(value.trim().trim_end_matches(';'))
        });
        values.collect()
    }

    /// The relative luminance of a colour, as WCAG 2.2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            match value <= 0.04045 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn each_class_has_a_colour_that_can_be_read_in_both_themes() {
        let grounds = values("surface");
        assert_eq!(grounds.len(), 3);
        let mut least = f64::MAX;
        for class in HighlightClass::ALL {
            let name = format!(".tok-{}", class.letter());
            let is_for = |line: &&str| {
                let selector = line.split('{').next().unwrap_or_default();
                selector
                    .split([' ', ',', '(', ')'])
                    .any(|part| part == name)
            };
            let rule = STYLE.lines().find(is_for).unwrap();
            let token = rule
                .split("var(--")
                .nth(1)
                .and_then(|rest| rest.split(')').next());
            let colours = values(token.unwrap());
            assert_eq!(colours.len(), 3, "{name}");
            for (colour, ground) in colours.iter().zip(&grounds) {
                let (a, b) = (luminance(colour), luminance(ground));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(
                    contrast >= 4.5,
                    "{name}: {colour} on {ground} is {contrast:.2}"
                );
                least = least.min(contrast);
            }
        }
        println!("the least contrast of a class is {least:.2}");
    }
}
