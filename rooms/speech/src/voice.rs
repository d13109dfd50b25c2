//! Chooses the voice for a text.

use crate::speech::OfflineVoice;
use sash_text::detect_language;

/// How much of a text its script is told by, in characters.
const LOOKED_AT: usize = 400;

/// The voice for a text: one of its language where that can be told, else one of the page's language, else any.
pub fn voice_for(voices: &[OfflineVoice], text: &str, page: &str) -> Option<OfflineVoice> {
    let of = |code: &str| {
        let speaks = |voice: &&OfflineVoice| {
            let tag = voice.language.split(['-', '_']).next().unwrap_or_default();
            tag.eq_ignore_ascii_case(code)
        };
        voices.iter().find(speaks)
    };
    let own = language_of(text).and_then(of);
    own.or_else(|| of(page)).or(voices.first()).cloned()
}

/// The code of the language that a text is in, by its script, and by the words of languages that share one.
fn language_of(text: &str) -> Option<&'static str> {
    let script = text.chars().take(LOOKED_AT).find_map(|char| match char {
        '\u{0590}'..='\u{05FF}' => Some("he"),
        '\u{0600}'..='\u{06FF}' => Some("ar"),
        '\u{0400}'..='\u{04FF}' => Some("ru"),
        '\u{0370}'..='\u{03FF}' if is_greek(text) => Some("el"),
        '\u{3040}'..='\u{30FF}' => Some("ja"),
        '\u{AC00}'..='\u{D7AF}' => Some("ko"),
        _ => None,
    });
    // Japanese has Chinese characters too, so these are looked for last.
    let is_han = |char| matches!(char, '\u{4E00}'..='\u{9FFF}');
    let han = || text.chars().take(LOOKED_AT).any(is_han).then_some("zh");
    script.or_else(han).or_else(|| detect_language(text))
}

/// Whether a text is Greek, and not only has a letter of a formula.
fn is_greek(text: &str) -> bool {
    let greek = text.chars().take(LOOKED_AT);
    greek
        .filter(|char| matches!(char, '\u{0370}'..='\u{03FF}'))
        .count()
        > 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_voice_is_of_the_language_of_the_text_else_of_the_page() {
        let voices = ["fr-FR", "en_GB", "de-DE", "he-IL"].map(|tag| OfflineVoice {
            id: tag.to_owned(),
            language: tag.to_owned(),
        });
        for (text, page, voice) in [
            ("Das ist nicht die Antwort, die ich wollte.", "en", "de-DE"),
            ("The letter α is the first of the alphabet.", "de", "en_GB"),
            ("זו התשובה", "en", "he-IL"),
            ("42", "de", "de-DE"),
            ("Это ответ", "en", "en_GB"),
            ("42", "ja", "fr-FR"),
        ] {
            let found = voice_for(&voices, text, page).map(|voice| voice.id);
            assert_eq!(found.as_deref(), Some(voice), "{text}");
        }
        assert_eq!(voice_for(&[], "Text", "en"), None);
    }
}
