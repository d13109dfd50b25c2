//! Presentation forms and ligatures as the letters that they stand for. Other compatible characters keep their form:
//! `²` is no `2`.

use unicode_normalization::UnicodeNormalization;

/// The text with letters only.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_presentation_form(c) {
            out.push(c);
            continue;
        }
        let letters: String = std::iter::once(c).nfkc().collect();
        // The forms of marks that are written alone have a blank or a stretch below the mark.
        let letters = letters.trim_start_matches(' ');
        out.push_str(match letters.chars().count() {
            1 => letters,
            _ => letters.trim_start_matches('\u{640}'),
        });
    }
    out
}

/// Latin, Armenian and Hebrew ligatures, and the forms of Arabic letters within a word.
fn is_presentation_form(c: char) -> bool {
    matches!(c, '\u{fb00}'..='\u{fdfb}' | '\u{fe70}'..='\u{fefc}')
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn forms_become_letters_and_nothing_else_changes() {
        for (forms, letters) in [
            (
                "ef\u{fb01}cient o\u{fb03}ce \u{fb00}\u{fb02}\u{fb06}",
                "efficient office ffflst",
            ),
            ("x² ½ H₂O ™ Å ｆ ①", "x² ½ H₂O ™ Å ｆ ①"),
            ("\u{fefb} \u{fee3}\u{fee8}\u{fe8e}", "لا منا"),
            ("\u{fdf2} \u{fb4f} \u{fb2a}", "الله אל שׁ"),
            ("\u{fe70}\u{fe77}\u{fc62}", "\u{64b}\u{64e}\u{650}\u{651}"),
            ("\u{fd3e}\u{fd3f}", "\u{fd3e}\u{fd3f}"),
            ("\u{fb8a}\u{fb58}", "ژپ"),
        ] {
            let order = |text: &str| {
                let mut chars: Vec<char> = text.chars().collect();
                chars.sort_unstable();
                chars
            };
            assert_eq!(order(&plain(forms)), order(letters), "{forms}");
        }
        assert_eq!(plain("\u{fb01}"), "fi");
    }
}
