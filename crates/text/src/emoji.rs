//! Emoji as words of the search: one emoji is one word, whatever it is made of.

use std::ops::RangeInclusive;

const TONES: RangeInclusive<char> = '\u{1f3fb}'..='\u{1f3ff}';
const FLAG_LETTERS: RangeInclusive<char> = '\u{1f1e6}'..='\u{1f1ff}';
const TAGS: RangeInclusive<char> = '\u{e0020}'..='\u{e007f}';
/// Shows the character before as an emoji, or as text.
const SELECTORS: RangeInclusive<char> = '\u{fe0e}'..='\u{fe0f}';
const EMOJI_SELECTOR: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const JOINER: char = '\u{200d}';

/// The length of the emoji that a text begins with, in bytes, if it begins with one: with its skin tone, with
/// those joined to it, both letters of a flag, the key of a keycap.
pub fn emoji_len(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let first = chars.next().filter(|c| begins(*c))?;
    let mut end = first.len_utf8();
    if FLAG_LETTERS.contains(&first) {
        let second = chars.next().filter(|c| FLAG_LETTERS.contains(c));
        return Some(end + second.map_or(0, char::len_utf8));
    }
    let rest = chars.as_str();
    if first.is_ascii() {
        let key = rest.strip_prefix(EMOJI_SELECTOR).unwrap_or(rest);
        let rest = key.strip_prefix(KEYCAP)?;
        return Some(text.len() - rest.len());
    }
    if !is_emoji(first) && !rest.starts_with(EMOJI_SELECTOR) {
        return None;
    }
    let mut chars = chars.peekable();
    while let Some(c) = chars.next_if(|c| SELECTORS.contains(c) || is_part(*c)) {
        end += c.len_utf8();
        if c == JOINER
            && let Some(joined) = chars.next_if(|c| !c.is_ascii() && !c.is_alphanumeric())
        {
            end += joined.len_utf8();
        }
    }
    Some(end)
}

/// Appends an emoji in the form that is compared: without selectors, which many texts leave out.
pub fn fold_emoji(emoji: &str, out: &mut String) {
    out.extend(emoji.chars().filter(|c| !SELECTORS.contains(c)));
}

/// Calls `each` with the folded forms under which a folded emoji is found: itself, without skin tones, its
/// first character alone. A flag has only itself.
pub fn each_emoji_form(emoji: &str, each: &mut dyn FnMut(&str)) {
    each(emoji);
    let first = emoji.chars().next().unwrap_or_default();
    let length = first.len_utf8();
    if length == emoji.len() || FLAG_LETTERS.contains(&first) || matches!(first, '#' | '*') {
        return;
    }
    each(&emoji[..length]);
    if emoji.contains(|c| TONES.contains(&c)) {
        let plain: String = emoji.chars().filter(|c| !TONES.contains(c)).collect();
        if plain.len() > length && plain.len() < emoji.len() {
            each(&plain);
        }
    }
}

fn is_part(c: char) -> bool {
    c == JOINER || c == KEYCAP || TONES.contains(&c) || TAGS.contains(&c)
}

/// Whether an emoji may begin with a character; most characters are decided here.
fn begins(c: char) -> bool {
    match c {
        '0'..='9' | '#' | '*' | '©' | '®' => true,
        // Letters that the selector makes an emoji.
        'ℹ' | 'Ⓜ' | '🅰' | '🅱' | '🅾' | '🅿' => true,
        '\u{203c}'..='\u{303d}' | '㊗' | '㊙' | '\u{1f000}'..='\u{1faff}' => !c.is_alphanumeric(),
        _ => false,
    }
}

/// Whether a character is an emoji without a selector, or a symbol that is often meant as one.
fn is_emoji(c: char) -> bool {
    !c.is_alphanumeric()
        && matches!(u32::from(c),
            0x231a..=0x231b | 0x23e9..=0x23ec | 0x23f0 | 0x23f3 | 0x25fd..=0x25fe | 0x2600..=0x27bf
            | 0x2b1b..=0x2b1c | 0x2b50 | 0x2b55 | 0x1_f000..=0x1_faff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_ends_where_the_next_one_begins() {
        for emoji in [
            "😀",
            "👍🏽",
            "❤",
            "❤️",
            "👩🏽‍💻",
            "👨‍👩‍👧‍👦",
            "🏳️‍🌈",
            "🙂‍↔️",
            "🇩🇪",
            "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
            "1️⃣",
            "#⃣",
            "*️⃣",
            "©️",
            "ℹ️",
            "🅰️",
            "▶️",
            "㊗️",
            "☠︎",
            "🫠",
        ] {
            for after in ["", " ", "a", "1", "😀", "🇫🇷", "字"] {
                assert_eq!(
                    emoji_len(&format!("{emoji}{after}")),
                    Some(emoji.len()),
                    "{emoji}{after}"
                );
            }
        }
        for text in [
            "", "a", "1", "12", "#", "©", "→", "字", "é", "\u{fe0f}", "\u{200d}", "ℹ", "▶", "。",
        ] {
            assert_eq!(emoji_len(text), None, "{text}");
        }
        assert_eq!(emoji_len("🇩x"), Some(4));
        assert_eq!(emoji_len("😀\u{200d}x"), Some(7));
    }
}
